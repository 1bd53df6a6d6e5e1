/* Proofs that a position is dead, found in the browser: dead squares, frozen boxes, and small spaces searched to their end. */
import {Graph, NEVER, searchLevel} from "./search.js";
import {Sokoban} from "./sokoban.js";

const SPACE = 4000;
const places = (cells) => cells.map((cell) => `(${cell})`).join(", ");

/* The verdict on a position as the service gives it. */
export function deadlock(problem, seconds = 3) {
  const game = new Sokoban(problem), graph = new Graph(game), boxes = [...game.boxes.keys()].map((name) => graph.number.get(name));
  if (boxes.length > graph.goals) return {verdict: "undecided", reason: "with more boxes than goals only a search decides"};
  const cell = (number) => graph.cells[number], dead = (kind, reason, source, stuck, cells = []) =>
    ({verdict: "dead", kind, reason, source, boxes: stuck.map(cell), cells: [...stuck, ...cells].map(cell)});
  const lost = boxes.filter((box) => graph.far[box] === NEVER);
  if (lost.length) {
    const one = lost.length === 1, around = [...Array(graph.size).keys()].filter((at) => graph.far[at] === NEVER && lost.some((box) => beside(graph, at, box)));
    return dead("dead_square", `the box${one ? "" : "es"} at ${places(lost.map(cell))} ${one ? "stands" : "stand"} on ${one ? "a dead square" : "dead squares"}: from there no pushes lead to any goal, even with every other box gone`,
      "simple deadlock (pulls from every goal)", lost, around);
  }
  const occupied = new Uint8Array(graph.size);
  for (const box of boxes) occupied[box] = 1;
  for (const box of boxes) {
    const held = graph.frozen(box, occupied);
    if (held) return dead("freeze", `the box${held.length === 1 ? "" : "es"} at ${places(held.map(cell))} hold${held.length === 1 ? "s" : ""} ${held.length === 1 ? "still" : "each other"} for good, and not all of them stand on goals`, "freeze deadlock", held);
  }
  const found = searchLevel(problem, "pushes", seconds, undefined, SPACE);
  if (found.status === "unsolvable") return dead("exhausted", `every position that can be reached from here was looked at (${found.states}): none is solved`, "exhaustive search", boxes);
  return {verdict: "none_found"};
}

/* On the same wall as a box: the dead squares that are shown with it. */
function beside(graph, at, box) {
  return [0, 1, 2, 3].some((d) => graph.next[d][box] === at);
}
