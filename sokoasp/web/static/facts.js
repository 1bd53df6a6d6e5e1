/* Writes a level as the competition's facts, as sokoasp.sokoban.facts and sokoasp.klotski do, and says which cell a constant is. */
import {Klotski} from "./klotski.js";
import {Sokoban} from "./sokoban.js";

const cellsOf = (game) => [...game.inside].map((name) => name.split(",").map(Number)).sort((a, b) => a[0] - b[0] || a[1] - b[1]);
const constant = ([row, col]) => `c${col + 1}r${row + 1}`;

/* Constants of the cells: {c3r2: [1, 2]}. */
export function constants(problem) {
  return problem.game === "klotski" ? {} : Object.fromEntries(cellsOf(new Sokoban(problem)).map((cell) => [constant(cell), cell]));
}

export function writeFacts(problem) {
  const game = new Sokoban(problem), cells = cellsOf(game), lines = [];
  for (const [relation, dr, dc] of [["right", 0, 1], ["top", -1, 0]]) for (const [r, c] of cells)
    if (game.inside.has(`${r + dr},${c + dc}`)) lines.push(`${relation}(${constant([r, c])},${constant([r + dr, c + dc])}).`);
  for (const [kind, set] of [["box", game.boxes], ["solution", game.goals]]) for (const cell of cells)
    if (set.has(String(cell))) lines.push(`${kind}(${constant(cell)}).`);
  lines.push(`sokoban(${constant([game.player.row, game.player.col])}).`);
  return `${lines.join("\n")}\n`;
}
