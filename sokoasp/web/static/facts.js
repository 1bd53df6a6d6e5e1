/* Writes a level as the competition's facts, as sokoasp.sokoban.facts and sokoasp.klotski do, and says which cell a constant is. */
import {Klotski} from "./klotski.js";
import {STEPS, Sokoban, cellsOf} from "./sokoban.js";

export const constant = ([row, col]) => `c${col + 1}r${row + 1}`;

/* Constants of the cells: {c3r2: [1, 2]}. */
export function constants(problem) {
  if (problem.game === "klotski") return Object.fromEntries(problem.rows.flatMap((row, r) => [...row].flatMap((char, c) => char === "#" ? [] : [[String(r * row.length + c), [r, c]]])));
  return Object.fromEntries(cellsOf(new Sokoban(problem).inside).map((cell) => [constant(cell), cell]));
}

/* Classes of pieces that are interchangeable, big before small, wide before tall: [name, members, shape, ways]. */
export function classes(game) {
  const order = (a, b) => a.codePointAt(0) - b.codePointAt(0), group = (name) => game.same.find((letters) => letters.includes(name)) ?? name;
  const wanted = [...game.places.map(([name]) => name), ...game.mask.flatMap((row) => [...row]).filter((char) => !"?.#".includes(char))].map(group).join(""), found = new Map();
  for (const name of [...game.things.keys()].sort(order)) {
    const shape = [...game.shapes.get(name)].sort((a, b) => a[0] - b[0] || a[1] - b[1]), ways = game.ways.get(name) ?? "udlr";
    const key = JSON.stringify([shape, [...ways].sort(), wanted.includes(name) ? group(name) : ""]);
    found.set(key, [found.get(key)?.[0] ?? name, [...(found.get(key)?.[1] ?? []), name], shape, ways]);
  }
  const wide = ([, , shape]) => Math.max(...shape.map(([, c]) => c)), flat = ([, , shape]) => shape.flat();
  const first = (a, b) => { const at = flat(a).findIndex((x, i) => x !== flat(b)[i]); return at < 0 ? 0 : flat(a)[at] - flat(b)[at]; };
  return [...found.values()].sort((a, b) => b[2].length - a[2].length || wide(b) - wide(a) || first(a, b) || order(a[0], b[0]));
}

function writeBoard(problem) {
  const game = new Klotski(problem), wide = problem.rows[0].length, high = problem.rows.length, number = ([r, c]) => r * wide + c, taken = game.cover(null);
  const every = problem.rows.flatMap((row, r) => [...row].map((_, c) => [r, c])), cells = every.filter((cell) => !game.walls.has(String(cell)));
  const title = (problem.title ?? "").split(/\s+/).filter(Boolean).join(" "), all = classes(game), of = (name) => all.find(([, members]) => members.includes(name))[0];
  const lines = [`% Klotski board${title && `: ${title}`}`, ...problem.rows.map((row) => `% ${row}`), cells.map((cell) => `cell(${number(cell)}).`).join(" "), `blanks(${cells.filter((cell) => !taken.has(String(cell))).length}).`];
  for (const [letter, members, shape, ways] of all) {
    const name = `"${letter}"`, covered = ([row, col]) => shape.map(([r, c]) => [r + row, c + col]);
    const fits = (place) => covered(place).every(([r, c]) => r >= 0 && c >= 0 && r < high && c < wide && !game.walls.has(`${r},${c}`));
    lines.push(`class(${name}). pieces(${name},${members.length}).`, members.map((one) => { const {row, col} = game.things.get(one); return `init(${name},${number([row, col])}).`; }).join(" "));
    for (const place of every.filter(fits)) {
      const near = [...ways].map((way) => [place[0] + STEPS[way][0], place[1] + STEPS[way][1]]).filter((to) => to[0] >= 0 && to[1] >= 0 && fits(to));
      lines.push([`place(${name},${number(place)}).`, ...covered(place).map((cell) => `covers(${name},${number(place)},${number(cell)}).`), ...near.map((to) => `shift(${name},${number(place)},${number(to)}).`)].join(" "));
    }
  }
  const mask = game.mask.flatMap((row, r) => [...row].map((char, c) => [char, [r, c]]));
  for (const [name, row, col] of game.places) lines.push(`goal_at("${of(name)}",${number([row, col])}).`);
  for (const [char, cell] of mask) if (!"?.#".includes(char)) lines.push(`goal_cover("${of(char)}",${number(cell)}).`);
  for (const [char, cell] of mask) if (char === ".") lines.push(`goal_blank(${number(cell)}).`);
  return `${lines.join("\n")}\n`;
}

export function writeFacts(problem) {
  if (problem.game === "klotski") return writeBoard(problem);
  const game = new Sokoban(problem), cells = cellsOf(game.inside), lines = [];
  for (const [relation, dr, dc] of [["right", 0, 1], ["top", -1, 0]]) for (const [r, c] of cells)
    if (game.inside.has(`${r + dr},${c + dc}`)) lines.push(`${relation}(${constant([r, c])},${constant([r + dr, c + dc])}).`);
  for (const [kind, set] of [["box", game.boxes], ["solution", game.goals]]) for (const cell of cells)
    if (set.has(String(cell))) lines.push(`${kind}(${constant(cell)}).`);
  lines.push(`sokoban(${constant([game.player.row, game.player.col])}).`);
  return `${lines.join("\n")}\n`;
}
