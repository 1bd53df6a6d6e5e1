/* The fact tables that pruning programs read, as sokoasp.sokoban.tables writes them: how far one box alone, and two, are from the
   start and from the goals when the others are taken off the map. Taking boxes away only frees cells, so no plan is shorter. */
import {constant} from "./facts.js";
import {Graph} from "./search.js";
import {Sokoban} from "./sokoban.js";

const DIRECTIONS = ["up", "right", "down", "left"];
const MOST_CELLS = 120;
const back = (d) => d ^ 2;

/* The game of a level with one or two of its boxes: a state is their cells, rising, and the least cell the player can walk to. */
class Small {
  constructor(problem, lines) {
    const game = new Sokoban(problem), graph = new Graph(game), number = (name) => graph.number.get(name);
    const goals = [...graph.goal.keys()].filter((cell) => graph.goal[cell]), boxes = [...game.boxes.keys()].map(number).sort((a, b) => a - b);
    Object.assign(this, {graph, lines, goals, boxes, spare: boxes.length - goals.length, player: number(`${game.player.row},${game.player.col}`), known: new Map()});
  }

  /* For each cell the least one of its region around these boxes; -1 under a box. */
  regions(boxes) {
    const key = String(boxes), {graph} = this;
    if (this.known.has(key)) return this.known.get(key);
    const region = new Int16Array(graph.size).fill(-1), occupied = new Uint8Array(graph.size);
    for (const box of boxes) occupied[box] = 1;
    for (let cell = 0; cell < graph.size; cell++) {
      if (occupied[cell] || region[cell] >= 0) continue;
      graph.flood(cell, occupied);
      for (let near = cell; near < graph.size; near++) if (graph.seen[near] === graph.round) region[near] = cell;
    }
    this.known.set(key, region);
    return region;
  }

  state(boxes, player) {
    const sorted = boxes.slice().sort((a, b) => a - b);
    return [...sorted, this.regions(sorted)[player]];
  }

  /* The states one action later or, with `earlier`, before. */
  * after(state, earlier) {
    const {next} = this.graph, boxes = state.slice(0, -1), part = state.at(-1), region = this.regions(boxes);
    for (const box of boxes) for (let d = 0; d < 4; d++) {
      const rest = boxes.filter((other) => other !== box), way = next[earlier ? back(d) : d], behind = next[back(d)][box];
      if (behind < 0 || region[behind] !== part) continue;
      for (let from = earlier ? behind : box, to = way[from]; to >= 0 && !rest.includes(to); from = to, to = way[to]) {
        yield earlier ? this.state([...rest, from], to) : this.state([...rest, to], from);
        if (!this.lines) break;
      }
    }
  }

  /* Fewest actions from or to the states given, kept to the states of another such table. */
  spread(first, earlier, within = null) {
    const queue = first.filter((state) => !within || within.has(String(state))), found = new Map(queue.map((state) => [String(state), 0]));
    for (const state of queue) {
      const actions = found.get(String(state)) + 1;
      for (const other of this.after(state, earlier)) {
        const key = String(other);
        if (found.has(key) || (within && !within.has(key))) continue;
        found.set(key, actions);
        queue.push(other);
      }
    }
    return found;
  }

  /* What lies between the start and the goals with so many boxes: {goal, start}, actions by state. */
  distances(count) {
    const cells = this.spare === 0 ? this.goals : [...this.graph.cells.keys()];
    const ends = choices(cells, count).filter((boxes) => count - boxes.filter((box) => this.graph.goal[box]).length <= this.spare);
    const goal = this.spread(ends.flatMap((boxes) => this.parts(boxes).map((part) => [...boxes, part])), true);
    return {goal, start: this.spread(choices(this.boxes, count).map((boxes) => this.state(boxes, this.player)), false, goal)};
  }

  parts(boxes) { return [...new Set(this.regions(boxes))].filter((part) => part >= 0); }

  /* The least distances over all places of the player; null where no plan has boxes there. */
  least(table, boxes) {
    const keys = this.parts(boxes).map((part) => String([...boxes, part])).filter((key) => table.start.has(key));
    return keys.length ? {goal: Math.min(...keys.map((key) => table.goal.get(key))), start: Math.min(...keys.map((key) => table.start.get(key)))} : null;
  }
}

const choices = (cells, count) => count === 1 ? cells.map((cell) => [cell]) : cells.flatMap((one, at) => cells.slice(at + 1).map((other) => [one, other]));

/* The facts of the tables `windows` and `pairs`; `ends` names the two ends of a plan: {start: "near", goal: "far"} for a program
   that counts from the start. */
export function tables(problem, objective, ends) {
  const small = new Small(problem, objective === "lines"), {graph} = small, one = small.distances(1), facts = [], alone = new Map();
  const name = graph.cells.map(constant), stands = (box) => DIRECTIONS.map((word, d) => [word, graph.next[back(d)][box], graph.next[d][box]]).filter(([, stand]) => stand >= 0);
  for (let cell = 0; cell < graph.size; cell++) {
    const least = small.least(one, [cell]);
    if (!least) continue;
    alone.set(cell, least);
    for (const end of ["goal", "start"]) facts.push(`${ends[end]}_at(${name[cell]},${least[end]})`);
    for (const [word, stand, ahead] of stands(cell)) {
      const key = String(small.state([cell], stand));
      if (!one.start.has(key)) continue;
      facts.push(`${ends.goal}_behind(${name[cell]},${word},${one.goal.get(key)})`);
      if (ahead >= 0) facts.push(`${ends.start}_behind(${name[cell]},${word},${one.start.get(key)})`);
    }
  }
  if (small.boxes.length > 1 && graph.size <= MOST_CELLS) {
    const two = small.distances(2);
    for (const [first, second] of choices([...alone.keys()], 2)) facts.push(...pair(first, second, two));
  }
  return facts.map((fact) => `${fact}.\n`).join("");

  /* What two boxes together say beyond each alone. */
  function pair(first, second, two) {
    const both = small.least(two, [first, second]), words = `${name[first]},${name[second]}`, floor = {};
    if (!both) return [`never_pair(${words})`];
    const found = [];
    for (const end of ["goal", "start"]) {
      const known = Math.max(alone.get(first)[end], alone.get(second)[end]);
      if (both[end] > known) found.push(`${ends[end]}_pair(${words},${both[end]})`);
      floor[end] = Math.max(both[end], known);
    }
    for (const [box, other] of [[first, second], [second, first]]) for (const [word, stand] of stands(box)) {
      const single = String(small.state([box], stand)), place = `${name[box]},${word},${name[other]}`;
      if (stand === other || !one.start.has(single)) continue;
      const key = String(small.state([box, other], stand));
      if (!two.start.has(key)) { found.push(`never_pair_behind(${place})`); continue; }
      for (const end of ["goal", "start"]) if (two[end].get(key) > Math.max(floor[end], one[end].get(single))) found.push(`${ends[end]}_pair_behind(${place},${two[end].get(key)})`);
    }
    return found;
  }
}
