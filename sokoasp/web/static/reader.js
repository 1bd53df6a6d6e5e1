/* Reads levels and boards without a server: XSB collections (run lengths too), competition facts, Klotski boards. No page in here.
   Rules and sentences are those of sokoasp.sokoban.formats and sokoasp.klotski.notation; tests hold both against each other. */
const BOARD = /^[ \-_#W@pP+$bB*.]+$/;
const RUNS = /^[ \-_#W@pP+$bB*.0-9()|]+$/;
const CANONICAL = {"-": " ", _: " ", W: "#", p: "@", P: "+", b: "$", B: "*"};
const MOST_CELLS = 40000;
export const MOST_PROBLEMS = 2000;
const SHOWN_NAME = "<pasted text>";
const ABILITIES = {sokoban: ["lines", "pushes", "moves"], klotski: ["slides", "units"]};

export class Refused extends Error {}

export const counted = (number, noun, one) => `${number} ${number === 1 ? one : noun}`;
const fail = (source, line, column, code, words) => {
  throw new Refused(`${[source, line, column].filter((part) => part !== null && part !== "").join(":")}: ${code ? `${code} ` : ""}${words}`);
};

/* All problems of a text, as the server's /api/open gives them. */
export function openText(text, name = "") {
  const source = name.replaceAll("\\", "/").split("/").at(-1).slice(0, 100) || SHOWN_NAME;
  const plain = text.replace(/^\ufeff/, ""), found = [];
  let more = 0, first = null;
  const add = (make) => {
    if (found.length >= MOST_PROBLEMS) { more++; return; }
    const number = found.length + 1;
    try { found.push({number, ...make()}); } catch (error) {
      if (!(error instanceof Refused)) throw error;
      first ??= error;
      found.push({number, error: error.message});
    }
  };
  for (const make of makers(plain, source)) add(make);
  if (!found.length) fail(source, 1, null, "E-NOLEVEL", "there is no level in this file");
  if (found.every((entry) => entry.error)) throw first;
  return {name: source, problems: found, more};
}

function makers(text, source) {
  if (/\.(lp|asp|facts)$/i.test(source) || /^(\s|%[^\n]*\n)*(right|top|box|solution|sokoban|step|next)\(/.test(text)) return [() => readFacts(text, source)];
  if (/\.klotski$/i.test(source) || looksLikeBoards(text)) return boardBlocks(text, source).map((block) => () => readBoard(block, source));
  return levelBlocks(text).map((block) => () => readLevel(block, source));
}

const describe = (problem) => ({game: problem.game, title: problem.title ?? "", objectives: ABILITIES[problem.game],
  warnings: [], head: problem.head ?? "", rows: problem.rows});

/* ---- XSB ---- */

const isRow = (line) => BOARD.test(line);
const isRun = (line) => !isRow(line) && RUNS.test(line) && (line.includes("|") || (line.includes("#") && /[()]/.test(line)) || /\d[#W(\-_]/.test(line));
/* Meant as a row, though some character is strange. */
const isDamaged = (line) => {
  const bare = line.trim();
  return /^#.*#$/.test(bare) && 3 * [...bare].filter((char) => !BOARD.test(char) && !/[X&mMo\t]/.test(char)).length <= bare.length;
};

function unrun(line) {
  let rest = line;
  for (let round = 0; /\(/.test(rest) && round < 20; round++) rest = rest.replace(/(\d*)\(([^()]*)\)/g, (_, n, group) => group.repeat(Math.min(Number(n || 1), 1000)));
  return rest.split("|").map((row) => row.replace(/(\d+)([^\d|])/g, (_, n, char) => char.repeat(Math.min(Number(n), 1000))));
}

/* The boards of a collection, each with the lines around it. */
function levelBlocks(text) {
  const lines = text.split(/\r\n|\r|\n/).map((line) => line.replace(/[ \t]+$/, "")), blocks = [];
  let before = [], at = 0;
  while (at < lines.length) {
    if (!isRow(lines[at]) && !isRun(lines[at]) && !isDamaged(lines[at])) { before.push(lines[at++]); continue; }
    const start = at, rows = [];
    while (at < lines.length && (isRow(lines[at]) || isRun(lines[at]) || isDamaged(lines[at]))) rows.push(...(isRun(lines[at]) ? unrun(lines[at++]) : [lines[at++]]));
    let line = start + 1;
    while (rows.length && !/[#*]/.test(rows[0])) { rows.shift(); line++; }
    while (rows.length && /^[ \-_]*$/.test(rows.at(-1))) rows.pop();
    const drawn = rows.join("");
    const alive = /[@+pP]/.test(drawn) && /[$*bB]/.test(drawn);
    if (!rows.length || !/[#W]/.test(drawn) || (rows.length < 3 && !alive)) { before.push(...lines.slice(start, at)); continue; }
    blocks.push({before, rows, line, after: []});
    if (blocks.length > 1) blocks.at(-2).after = before;
    before = [];
  }
  if (blocks.length) blocks.at(-1).after = before;
  return blocks.map((block, n) => ({...block, title: titleOf(block, n === 0)}));
}

const KEY = /^\s*([A-Za-z][A-Za-z _-]{0,30}?)\s*:(?!:)\s*(.*)$/;
const MOVES = /^[lurdLURD0-9()[\]{}* ]+$/;

/* The title: a Title key after the board (or on it), else the last text line before it. */
function titleOf({before, after}, first) {
  const keyed = (lines) => lines.map((line) => line.match(KEY)).filter((match) => match?.[1].toLowerCase() === "title").map((match) => match[2]);
  const own = keyed(upTo(after)).at(-1);
  if (own) return own;
  const texts = before.map((line, at) => [line.replace(/^\s*;\s?/, "").trim(), at, /^\s*;/.test(line)]).filter(([line, at, note]) => line && (note || !KEY.test(before[at])) && !(MOVES.test(line) && /[lurd]/i.test(line) && line.length >= 8));
  const words = texts.filter(([line, , note]) => note || /[\p{L}\p{N}]/u.test(line)), told = words.length ? words : texts;
  const last = told.at(-1);
  if (!last || (!first && before.slice(last[1] + 1).some((line) => KEY.test(line) && !/^\s*;/.test(line)))) return (first && keyed(before).at(-1)) || "";
  const previous = last[1] ? before[last[1] - 1] : first ? "" : null;
  return last[2] || previous === "" || told.length === 1 ? last[0] : "";
}

/* The lines after a board as far as they speak of it. */
const upTo = (lines) => lines;

/* Rows checked and drawn as the package draws them. */
export function checkedRows(rows, source, line, {spare = false} = {}) {
  const width = Math.max(0, ...rows.map((row) => row.length));
  if (rows.length * width > MOST_CELLS) fail(source, line, null, "E-SIZE", `the board has ${rows.length} rows of ${width} columns, more than ${MOST_CELLS} cells (see --max-cells)`);
  const cells = rows.map((row, r) => [...row.replace(/[ \-_]+$/, "")].map((char, c) => {
    if (!BOARD.test(char)) {
      const words = char === "\t" ? ["E-TAB", "a tab in a board row: its width is unknown, write spaces"]
        : "Xx&".includes(char) ? ["E-DIALECT", `'${char}' in a board row: this is another character set, not XSB (where '#' is a wall)`]
          : ["E-CHAR", `'${char}' is not an XSB character`];
      fail(source, line + r, c + 1, ...words);
    }
    return CANONICAL[char] ?? char;
  }));
  const players = cells.flatMap((row, r) => row.flatMap((char, c) => "@+".includes(char) ? [[r, c]] : []));
  if (!players.length) fail(source, line, null, "E-NOPLAYER", "the board has no player (@ or +)");
  if (players.length > 1) fail(source, line + players[1][0], players[1][1] + 1, "E-PLAYERS",
    `${players.length} players: ${players.slice(0, 4).map(([r, c]) => `line ${line + r} column ${c + 1}`).join(", ")}`);
  const inside = new Set([String(players[0])]), queue = [players[0]];
  for (const [r, c] of queue) for (const [nr, nc] of [[r, c - 1], [r, c + 1], [r - 1, c], [r + 1, c]]) {
    const char = nr < 0 || nr >= rows.length || nc < 0 || nc >= width ? null : cells[nr][nc] ?? " ";
    if (char === "#" || inside.has(`${nr},${nc}`)) continue;
    if (char === null) fail(source, line + r, c + 1, "E-OPEN", "the walls are not closed: the player gets out here");
    inside.add(`${nr},${nc}`);
    queue.push([nr, nc]);
  }
  counts(cells, inside, source, line, spare);
  return cells.map((row, r) => row.map((char, c) => char === " " || inside.has(`${r},${c}`) || char !== " " ? char : " ").join("").trimEnd());
}

function counts(cells, inside, source, line, spare) {
  const seen = {boxes: 0, goals: 0, allBoxes: 0, allGoals: 0}, outside = [];
  cells.forEach((row, r) => row.forEach((char, c) => {
    const box = "$*".includes(char), goal = ".*+".includes(char), there = inside.has(`${r},${c}`);
    seen.allBoxes += box; seen.allGoals += goal;
    if (there) { seen.boxes += box; seen.goals += goal; } else if (box || goal) outside.push([r, c, char]);
  }));
  if (seen.boxes !== seen.goals && !(spare && seen.boxes > seen.goals && seen.goals > 0)) {
    const more = outside.length ? ` that the player can reach (${counted(seen.allBoxes, "boxes", "box")}, ${counted(seen.allGoals, "goals", "goal")} in all)` : "";
    fail(source, line, null, "E-COUNT", `${counted(seen.boxes, "boxes", "box")}, ${counted(seen.goals, "goals", "goal")}${more}`);
  }
  for (const [r, c, char] of outside) {
    if (char === "$") fail(source, line + r, c + 1, "E-OUTSIDE", "a box off goal where the player can never get");
    if (char === ".") fail(source, line + r, c + 1, "E-OUTSIDE-GOAL", "a goal without a box where the player can never get");
  }
  if (!seen.boxes) fail(source, line, null, "E-NOBOX", "the board has no box and no goal");
}

const readLevel = (block, source) => describe({game: "sokoban", title: block.title, rows: checkedRows(block.rows, source, block.line)});

/* ---- competition facts ---- */

export function readFacts(text, source) {
  const code = text.replace(/%\*[\s\S]*?\*%|%[^\n]*/g, ""), facts = {right: [], top: [], box: [], solution: [], sokoban: []};
  for (const [, name, args] of code.matchAll(/([a-z]\w*)\(([^()]*)\)\s*\./g)) facts[name]?.push(args.split(",").map((part) => part.trim()));
  if (facts.sokoban.length !== 1) fail(source, 1, null, "E-PLAYERS", `${facts.sokoban.length} players: exactly one sokoban/1 fact is needed`);
  const beside = new Map(), link = (a, b, way) => beside.set(a, [...(beside.get(a) ?? []), [b, way]]);
  for (const [a, b] of facts.right) { link(a, b, [0, 1]); link(b, a, [0, -1]); }
  for (const [a, b] of facts.top) { link(a, b, [-1, 0]); link(b, a, [1, 0]); }
  const start = facts.sokoban[0][0], place = new Map([[start, [0, 0]]]), queue = [start];
  for (const name of queue) for (const [other, [dr, dc]] of beside.get(name) ?? []) {
    const [r, c] = place.get(name), at = [r + dr, c + dc], known = place.get(other);
    if (known && String(known) !== String(at)) fail(source, 1, null, "E-GRID", `no grid fits these facts: ${other} would stand in two places`);
    if (!known) { place.set(other, at); queue.push(other); }
  }
  const rows = [...place.values()].map(([r]) => r), cols = [...place.values()].map(([, c]) => c), top = Math.min(...rows) - 1, left = Math.min(...cols) - 1;
  const grid = Array.from({length: Math.max(...rows) - top + 2}, () => Array(Math.max(...cols) - left + 2).fill(" "));
  const boxes = new Set(facts.box.map(([one]) => one)), goals = new Set(facts.solution.map(([one]) => one));
  for (const [name, [r, c]] of place) for (const [dr, dc] of [[-1, -1], [-1, 0], [-1, 1], [0, -1], [0, 1], [1, -1], [1, 0], [1, 1]])
    if (grid[r - top + dr][c - left + dc] === " ") grid[r - top + dr][c - left + dc] = "#";
  for (const [name, [r, c]] of place) {
    const goal = goals.has(name);
    grid[r - top][c - left] = boxes.has(name) ? (goal ? "*" : "$") : name === start ? (goal ? "+" : "@") : goal ? "." : " ";
  }
  return describe({game: "sokoban", title: "", rows: checkedRows(grid.map((row) => row.join("")), source, 1, {spare: true})});
}

/* ---- Klotski ---- */

const HEADER = /^([A-Za-z]+)\s*:\s*(.*?)\s*$/;
const KEYS = ["title", "author", "origin", "comment", "goal", "mask", "moves", "same", "glyphs"];

function looksLikeBoards(text) {
  const lines = text.split(/\r\n|\r|\n/).filter((line) => line.trim() && !line.startsWith("%"));
  const rows = lines.map((line) => line.trim()).filter((line) => !HEADER.test(line));
  return rows.length > 0 && rows.every((row) => /^[\w.#/]+$/.test(row)) && rows.some((row) => /[A-Za-z]/.test(row))
    && (/^(goal|mask|moves)\s*:/m.test(text) || rows.every((row) => row.includes("/") || row.length === 20 || /^[A-Za-z0-9.#]+$/.test(row)));
}

function boardBlocks(text, source) {
  const blocks = [];
  let block = {headers: {}, rows: []};
  text.split(/\r\n|\r|\n/).forEach((line, at) => {
    if (line.startsWith("%")) return;
    const header = line.match(HEADER);
    if (block.rows.length && (header || !line.trim() || line.includes("/"))) { blocks.push(block); block = {headers: {}, rows: []}; }
    if (header) {
      const key = header[1].toLowerCase();
      if (!KEYS.includes(key)) fail(source, at + 1, 1, "", `unknown key '${header[1]}'; the keys are ${KEYS.join(", ")}`);
      block.headers[key] = header[2];
    } else if (line.trim()) block.rows.push(...line.split("/").map((row) => [row.trimEnd(), at + 1]));
  });
  if (block.rows.length) blocks.push(block);
  return blocks;
}

function readBoard({headers, rows}, source) {
  if (rows.length === 1 && rows[0][0].length === 20) rows = [0, 4, 8, 12, 16].map((at) => [rows[0][0].slice(at, at + 4), rows[0][1]]);
  const width = rows[0][0].length, cells = new Map();
  rows.forEach(([text, line], row) => {
    if (text.length !== width) fail(source, line, 1, "", `row ${row} has ${counted(text.length, "cells", "cell")}, row 0 has ${width}`);
    [...text].forEach((char, col) => {
      if (/[A-Za-z0-9]/.test(char)) cells.set(char, [...(cells.get(char) ?? []), [row, col]]);
      else if (!".#".includes(char)) fail(source, line, col + 1, "", `'${char}' is no piece, blank or wall`);
    });
  });
  let goal = headers.goal ?? "";
  if (!goal && !headers.mask) {
    const blocks = [...cells].filter(([, places]) => places.length === 4 && places[1][1] === places[0][1] + 1 && places[2][0] === places[0][0] + 1 && places[3][1] === places[2][1] + 1);
    if (width !== 4 || rows.length !== 5 || blocks.length !== 1) fail(source, rows[0][1], null, "E-GOAL", "no goal: only a 4x5 board with one 2x2 piece can do without a 'goal:' line");
    goal = `${blocks[0][0]} 3,1`;
  }
  for (const part of goal.split(";").map((one) => one.trim()).filter(Boolean)) {
    const match = part.match(/^(\w)\s+(\d+)\s*,\s*(\d+)$/);
    if (!match) fail(source, rows[0][1], null, "", `goal: '${part}' is not a piece and 'row,column', such as 'A 3,1'`);
    if (!cells.has(match[1])) fail(source, rows[0][1], null, "", `the board has no piece '${match[1]}'`);
  }
  const along = (places) => places.length > 1 && places.every(([r]) => r === places[0][0]) ? "lr" : places.length > 1 && places.every(([, c]) => c === places[0][1]) ? "ud" : "";
  const moves = headers.moves === "lengthwise" ? [...cells].sort().filter(([, places]) => along(places)).map(([name, places]) => `${name} ${along(places)}`).join("; ") : headers.moves ?? "";
  const notes = ["title", "author", "origin", "comment"].map((key) => headers[key] && `${key}: ${headers[key].split(/\s+/).join(" ")}`);
  const lines = [...notes, goal && `goal: ${goal.split(";").map((part) => part.trim().replace(/\s*,\s*/, ",").replace(/\s+/, " ")).filter(Boolean).sort().join("; ")}`,
    headers.mask && `mask: ${headers.mask}`, moves && `moves: ${moves}`, headers.same && `same: ${headers.same}`];
  return describe({game: "klotski", title: headers.title ?? "", head: lines.filter(Boolean).map((line) => `${line}\n`).join(""), rows: rows.map(([text]) => text)});
}
