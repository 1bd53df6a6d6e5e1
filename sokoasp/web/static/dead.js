/* Proofs that a position is dead, found in the browser: dead squares, frozen boxes, and small spaces searched to their end. */
import {Graph, NEVER, closed, searchLevel} from "./search.js";
import {Sokoban} from "./sokoban.js";

const SPACE = 4000;

/* The verdict on a position as the service gives it. */
export function deadlock(problem, seconds = 3) {
  const game = new Sokoban(problem), graph = new Graph(game), boxes = [...game.boxes.keys()].map((name) => graph.number.get(name));
  if (boxes.length > graph.goals) return {verdict: "undecided", reason: "with more boxes than goals only a search decides"};
  const cell = (number) => graph.cells[number], dead = (kind, reason, source, stuck, cells = []) =>
    ({verdict: "dead", kind, reason, source, boxes: stuck.map(cell), cells: [...stuck, ...cells].map(cell)});
  const lost = boxes.filter((box) => graph.far[box] === NEVER);
  if (lost.length) {
    const around = [...Array(graph.size).keys()].filter((at) => graph.far[at] === NEVER && lost.some((box) => beside(graph, at, box)));
    return dead("dead_square", "from there no box can be pushed to any goal, wherever the player stands", "dead squares", lost, around);
  }
  const occupied = new Uint8Array(graph.size);
  for (const box of boxes) occupied[box] = 1;
  for (const box of boxes) {
    const held = graph.frozen(box, occupied);
    if (held) return dead("freeze", heldHow(graph, held), "freeze rule", held);
  }
  const found = searchLevel(problem, "pushes", seconds, undefined, SPACE);
  if (found.status === "unsolvable") return dead("exhausted", closed(problem, found.states), "exhaustive search", boxes);
  return {verdict: "none_found"};
}

/* How boxes are frozen, in the package's words: by walls and each other alone, or also by dead squares around them. A box
   that is frozen alone stands on a dead square. */
function heldHow({next}, held) {
  const stops = (cell) => cell < 0 || held.includes(cell);
  const fast = held.every((at) => [0, 1].every((d) => stops(next[d][at]) || stops(next[d ^ 2][at])));
  return `these boxes hold each other${fast ? " fast" : ": whichever is pushed first goes to a cell from where no goal can be reached"}, and not all stand on goals`;
}

/* On the same wall as a box: the dead squares that are shown with it. */
function beside(graph, at, box) {
  return [0, 1, 2, 3].some((d) => graph.next[d][box] === at);
}
