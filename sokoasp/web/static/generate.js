/* Makes levels in the browser: a random room, boxes pulled away from the goals, and the optimum proved by the search. No page in here. */
import {counted} from "./reader.js";
import {Graph, searchLevel} from "./search.js";
import {Sokoban} from "./sokoban.js";

const STATES = 20000;

/* Numbers from 0 to 1 that depend on the seed alone (mulberry32). */
export function numbers(seed) {
  let at = seed >>> 0;
  return () => {
    at = (at + 0x6D2B79F5) >>> 0;
    let mixed = Math.imul(at ^ (at >>> 15), at | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

/* A connected floor inside walls, dug by a walk until it has the share of the inner cells. */
function room(rows, cols, random, fill = 0.6) {
  const grid = Array.from({length: rows}, () => Array(cols).fill("#")), pick = (most) => Math.floor(random() * most);
  let row = 1 + pick(rows - 2), col = 1 + pick(cols - 2), dug = 0;
  for (let step = 0; dug < fill * (rows - 2) * (cols - 2) && step < 4000; step++) {
    if (grid[row][col] === "#") { grid[row][col] = " "; dug++; }
    const [drow, dcol] = [[0, 1], [0, -1], [1, 0], [-1, 0]][pick(4)];
    row = Math.max(1, Math.min(rows - 2, row + drow));
    col = Math.max(1, Math.min(cols - 2, col + dcol));
  }
  return grid;
}

/* Boxes on the goals pulled about at random; the rows of where they end up, or null if a box is still on its goal. */
function pulled(grid, boxes, random) {
  const free = grid.flatMap((row, r) => row.flatMap((char, c) => char === " " ? [[r, c]] : [])), pick = (most) => Math.floor(random() * most);
  if (free.length < 2 * boxes + 1) return null;
  for (let n = 0; n <= boxes; n++) { const other = n + pick(free.length - n); [free[n], free[other]] = [free[other], free[n]]; }
  const drawn = grid.map((row) => row.slice());
  for (const [r, c] of free.slice(0, boxes)) drawn[r][c] = "*";
  drawn[free[boxes][0]][free[boxes][1]] = "@";
  const game = new Sokoban({game: "sokoban", rows: drawn.map((row) => row.join(""))}), graph = new Graph(game), at = new Set([...game.boxes.keys()].map((name) => graph.number.get(name)));
  let player = graph.number.get(`${game.player.row},${game.player.col}`);
  for (let step = 0; step < 40 + 30 * boxes; step++) {
    const occupied = new Uint8Array(graph.size);
    for (const box of at) occupied[box] = 1;
    graph.flood(player, occupied);
    const pulls = [...at].flatMap((box) => [0, 1, 2, 3].map((d) => [box, graph.next[d][box], graph.next[d][graph.next[d][box]] ?? -1]))
      .filter(([, to, stand]) => to >= 0 && stand >= 0 && !occupied[to] && !occupied[stand] && graph.seen[to] === graph.round);
    if (!pulls.length) break;
    const [box, to, stand] = pulls[pick(pulls.length)];
    at.delete(box);
    at.add(to);
    player = stand;
  }
  if ([...at].some((box) => graph.goal[box])) return null;
  graph.cells.forEach(([r, c], n) => { drawn[r][c] = at.has(n) ? "$" : graph.goal[n] ? (n === player ? "+" : ".") : n === player ? "@" : " "; });
  return drawn.map((row) => row.join(""));
}

/* A level as wished, {problem, note}, or null when none was found in time. */
export function generate({rows, cols, boxes, min_lines, min_pushes = 1, max_pushes = 999, seed = 0}, seconds) {
  const random = numbers(seed), end = performance.now() + 1000 * seconds;
  while (performance.now() < end) {
    const drawn = pulled(room(rows, cols, random), boxes, random);
    if (!drawn) continue;
    const problem = {game: "sokoban", head: "", title: "", rows: drawn};
    const pushes = searchLevel(problem, "pushes", 2, undefined, STATES);
    if (pushes.status !== "optimal" || pushes.value < min_pushes || pushes.value > max_pushes) continue;
    const lines = searchLevel(problem, "lines", 2, undefined, STATES);
    if (lines.status !== "optimal" || lines.value < min_lines) continue;
    return {problem, note: `optimum: ${counted(lines.value, "lines", "line")}, ${counted(pushes.value, "pushes", "push")}`};
  }
  return null;
}
