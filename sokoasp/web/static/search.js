/* The native search in the browser: A* over pushes, moves or box lines, and breadth first over Klotski boards. No page in here.
   Bounds: pushes and moves by each box's own distance to its nearest goal, lines by the boxes that stand on none; both are
   consistent, so the first solved state taken from the open list is optimal. Dead squares and frozen boxes are left out. */
import {Klotski} from "./klotski.js";
import {STEPS, Sokoban, cellsOf} from "./sokoban.js";

const MOST_STATES = 3_000_000;
const LETTERS = ["u", "r", "d", "l"];
export const NEVER = 1e9;

/* Floor cells as numbers, their neighbours by direction (-1: none), and how far a box is from the nearest goal. */
export class Graph {
  constructor(game) {
    this.cells = cellsOf(game.inside);
    this.number = new Map(this.cells.map((cell, at) => [String(cell), at]));
    this.size = this.cells.length;
    this.next = LETTERS.map((letter) => Int32Array.from(this.cells, ([r, c]) => this.number.get(`${r + STEPS[letter][0]},${c + STEPS[letter][1]}`) ?? -1));
    this.goal = Uint8Array.from(this.cells, (cell) => game.goals.has(String(cell)) ? 1 : 0);
    this.goals = this.goal.reduce((sum, one) => sum + one, 0);
    this.far = this.distances();
    this.seen = new Int32Array(this.size);
    this.round = 0;
    this.walked = new Int32Array(this.size);
    this.queue = new Int32Array(this.size);
  }

  /* Fewest pushes that bring a lone box from each cell to some goal; NEVER on dead squares. */
  distances() {
    const far = new Int32Array(this.size).fill(NEVER), queue = [];
    for (let c = 0; c < this.size; c++) if (this.goal[c]) { far[c] = 0; queue.push(c); }
    for (const to of queue) for (let d = 0; d < 4; d++) {
      const from = this.next[d ^ 2][to], behind = from < 0 ? -1 : this.next[d ^ 2][from];
      if (from < 0 || behind < 0 || far[from] !== NEVER) continue;
      far[from] = far[to] + 1;
      queue.push(from);
    }
    return far;
  }

  /* Where the player can walk: marks cells with a new round, notes how far; returns the least cell reached. */
  flood(player, occupied) {
    const {seen, walked, queue, next} = this, round = ++this.round;
    let head = 0, tail = 0, least = player;
    seen[player] = round; walked[player] = 0; queue[tail++] = player;
    while (head < tail) {
      const here = queue[head++];
      if (here < least) least = here;
      for (let d = 0; d < 4; d++) {
        const to = next[d][here];
        if (to >= 0 && seen[to] !== round && !occupied[to]) { seen[to] = round; walked[to] = walked[here] + 1; queue[tail++] = to; }
      }
    }
    return least;
  }

  /* The boxes that hold the one on a cell still for good if one of them stands on no goal; null otherwise. */
  frozen(cell, occupied) {
    const held = this.held(cell, occupied, []);
    return held && held.some((at) => !this.goal[at]) ? held : null;
  }

  /* The boxes that can never move again with this one, as far as they are needed to hold it; null if it may move.
     A box is held along an axis by a wall, by dead squares on both sides, or by a box beside it that is held itself while
     those on the way to it (`walls`) stand still. What a way that fails has found holds nothing. */
  held(at, occupied, walls) {
    if (walls.includes(at)) return [];
    const {next, far} = this, on = [...walls, at], all = [at];
    for (const [a, b] of [[1, 3], [0, 2]]) {
      const one = next[a][at], other = next[b][at];
      if (one < 0 || other < 0 || (far[one] === NEVER && far[other] === NEVER)) continue;
      const by = (occupied[one] && this.held(one, occupied, on)) || (occupied[other] && this.held(other, occupied, on));
      if (!by) return null;
      all.push(...by);
    }
    return [...new Set(all)];
  }
}

/* An open list of lists by value; values are small whole numbers. */
class Buckets {
  constructor() { this.lists = []; this.low = 0; }
  push(value, item) { (this.lists[value] ??= []).push(item); if (value < this.low) this.low = value; }
  pop() {
    while (this.low < this.lists.length && !this.lists[this.low]?.length) this.low++;
    return this.low < this.lists.length ? this.lists[this.low].pop() : undefined;
  }
}

const clock = () => performance.now() / 1000;

/* What a search has looked at that ended without a plan: in Sokoban, deadlocks it knows are left out. */
export const closed = ({game}, states) => game === "klotski" ? `positions searched: ${states}, all that can be reached; none is solved`
  : `positions that can be reached without a deadlock: ${states}; none of them is solved`;

/* Searches a Sokoban level. Returns {status, value, lower, plan, states}; `report(lower)` hears of better bounds. */
export function searchLevel(problem, objective, seconds, report = () => {}, most = MOST_STATES) {
  const game = new Sokoban(problem), graph = new Graph(game), end = clock() + seconds, {size, far, goal, next} = graph;
  const boxes = [...game.boxes.keys()].map((name) => graph.number.get(name)).sort((a, b) => a - b), spare = boxes.length - graph.goals;
  const player = graph.number.get(`${game.player.row},${game.player.col}`);
  const occupied = new Uint8Array(size), lines = objective === "lines", moves = objective === "moves";
  const bound = spare > 0 ? () => 0 : lines ? (at) => at.reduce((sum, box) => sum + (goal[box] ? 0 : 1), 0)
    : (at) => at.reduce((sum, box) => sum + far[box], 0);
  const dead = (box) => spare <= 0 && far[box] >= NEVER;
  const solved = (at) => at.reduce((sum, box) => sum + goal[box], 0) === graph.goals;
  const name = (at, where) => String.fromCharCode(...at, where);
  const first = {boxes, player, cost: 0, before: null, push: null}, best = new Map(), open = new Buckets(), settle = (at) => { occupied.fill(0); for (const box of at) occupied[box] = 1; };
  if (boxes.some(dead)) return {status: "unsolvable", value: null, lower: null, plan: null, states: 1};
  settle(boxes);
  best.set(name(boxes, moves ? player : graph.flood(player, occupied)), 0);
  open.push(bound(boxes), first);
  let states = 0, lower = 0;
  for (let node = open.pop(); node; node = open.pop()) {
    settle(node.boxes);
    const least = graph.flood(node.player, occupied);
    if (best.get(name(node.boxes, moves ? node.player : least)) < node.cost) continue;
    if (open.low > lower) { lower = open.low; report(lower); }
    if (solved(node.boxes)) return {status: "optimal", value: node.cost, lower: node.cost, plan: planOf(graph, node), states};
    if (++states % 512 === 0 && (clock() > end || best.size > most)) return {status: clock() > end ? "time_out" : "memory_out", value: null, lower, plan: null, states};
    const reach = graph.round, walked = moves ? graph.walked.slice() : null, near = Uint8Array.from(graph.seen, (mark) => mark === reach ? 1 : 0);
    for (let which = 0; which < node.boxes.length; which++) for (let d = 0; d < 4; d++) {
      const from = node.boxes[which], behind = next[d ^ 2][from];
      if (behind < 0 || !near[behind]) continue;
      let to = from;
      for (let step = 1; lines || step < 2; step++) {
        to = next[d][to];
        if (to < 0 || occupied[to] || dead(to)) break;
        const after = node.boxes.slice(), stand = next[d ^ 2][to];
        after[which] = to;
        after.sort((a, b) => a - b);
        const cost = node.cost + (moves ? walked[behind] + 1 : 1);
        settle(after);
        if (spare > 0 || !graph.frozen(to, occupied)) {
          const key = name(after, moves ? stand : graph.flood(stand, occupied)), known = best.get(key);
          if (known === undefined || known > cost) {
            best.set(key, cost);
            open.push(cost + bound(after), {boxes: after, player: stand, cost, before: node, push: [from, d, step]});
          }
        }
        settle(node.boxes);
      }
    }
  }
  return {status: "unsolvable", value: null, lower: null, plan: null, states};
}

/* The letters of a node's way from the start: walks between its pushes, the shortest there are. */
function planOf(graph, node) {
  const way = [];
  for (let at = node; at.before; at = at.before) way.unshift(at);
  return way.map(({before, push: [from, d, steps]}) => {
    const occupied = new Uint8Array(graph.size);
    for (const box of before.boxes) occupied[box] = 1;
    return walkTo(graph, before.player, graph.next[d ^ 2][from], occupied) + LETTERS[d].toUpperCase().repeat(steps);
  }).join("");
}

function walkTo(graph, from, to, occupied) {
  graph.flood(to, occupied);
  let here = from, way = "";
  while (here !== to) {
    const d = [0, 1, 2, 3].find((one) => { const after = graph.next[one][here]; return after >= 0 && graph.seen[after] === graph.round && graph.walked[after] === graph.walked[here] - 1; });
    way += LETTERS[d];
    here = graph.next[d][here];
  }
  return way;
}

/* Searches a Klotski board breadth first, by slides or by units. */
export function searchBoard(problem, objective, seconds, report = () => {}) {
  const game = new Klotski(problem), end = clock() + seconds, names = [...game.things.keys()];
  const goalPieces = new Set([...game.places.map(([name]) => name), ...game.mask.join("").replace(/[?#.]/g, "")]);
  const kind = new Map(names.map((name) => [name, goalPieces.has(name) || game.same.some((group) => group.includes(name)) || game.ways.has(name) ? name : JSON.stringify(game.shapes.get(name))]));
  const kinds = [...new Set(kind.values())], code = names.map((name) => kinds.indexOf(kind.get(name)) + 1);
  const width = game.width ?? Math.max(...problem.rows.map((row) => row.length)), height = problem.rows.length;
  const name = (at) => {
    const grid = new Uint8Array(width * height);
    names.forEach((piece, n) => { for (const [r, c] of game.cells(piece, ...at[n])) grid[r * width + c] = code[n]; });
    return String.fromCharCode(...grid);
  };
  const put = (at) => names.forEach((piece, n) => { const thing = game.things.get(piece); [thing.row, thing.col] = at[n]; });
  const start = names.map((piece) => { const {row, col} = game.things.get(piece); return [row, col]; });
  let layer = [{at: start, before: null, part: ""}], cost = 0, states = 0;
  const seen = new Set([name(start)]);
  while (layer.length) {
    report(cost);
    const following = [];
    for (const node of layer) {
      put(node.at);
      if (game.solved) return {status: "optimal", value: cost, lower: cost, plan: partsOf(node), states};
      if (++states % 64 === 0 && (clock() > end || seen.size > MOST_STATES)) return {status: clock() > end ? "time_out" : "memory_out", value: null, lower: cost, plan: null, states};
      names.forEach((piece, n) => {
        for (const [place, path] of game.reach(piece)) {
          if (!path || (objective === "units" && path.length > 1)) continue;
          const after = node.at.slice();
          after[n] = place.split(",").map(Number);
          const key = name(after);
          if (!seen.has(key)) { seen.add(key); following.push({at: after, before: node, part: piece + path}); }
        }
      });
    }
    layer = following;
    cost++;
  }
  return {status: "unsolvable", value: null, lower: null, plan: null, states};
}

function partsOf(node) {
  const parts = [];
  for (let at = node; at.before; at = at.before) parts.unshift(at.part);
  return parts.join(".");
}

export const search = (problem, ...rest) => (problem.game === "klotski" ? searchBoard : searchLevel)(problem, ...rest);
