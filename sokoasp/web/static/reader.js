/* Reads levels and boards: XSB collections (run lengths too), Klotski boards. No page in here.
   Rules and sentences are those of sokoasp.sokoban.formats and sokoasp.klotski.notation; tests hold both against each other.
   Less is repaired here than there, and what is not understood is refused: never another level. */
import {BOARD, MOST_CELLS, Refused, checkedRows, counted, fail, placeOf} from "./rows.js";
export {Refused};

const RUNS = /^[ \-_#W@pP+$bB*.0-9()|]+$/;
const FACT = /^(right|top|box|solution|sokoban|step)\(/m;
export const MOST_PROBLEMS = 2000;
const ABILITIES = {sokoban: ["lines", "pushes", "moves"], klotski: ["slides", "units"]};

/* All problems of a text, as sokoasp.web.levels gives them. */
export function openText(text, name = "") {
  const source = name.replaceAll("\\", "/").split("/").at(-1).slice(0, 100) || "<pasted text>";
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
  const {title = "", makes} = makers(plain, source);
  for (const make of makes) add(make);
  if (!found.length) fail(source, 1, 1, "E-NOLEVEL", "there is no level in this file");
  if (found.every((entry) => entry.error)) throw first;
  return {name: source, title, problems: found, more};
}

function makers(text, source) {
  if (/\.hsb$/i.test(source)) fail(source, null, null, "E-VARIANT", "levels for Hexoban, another game than Sokoban: its cells are hexagons");
  if (/\.(lp|asp|facts)$/i.test(source) || FACT.test(text)) fail(source, null, null, "E-FACTS", "these are facts, not a drawing: 'sokoasp translate FILE --format xsb' makes a level of them");
  if (/\.klotski$/i.test(source) || looksLikeBoards(text)) return {makes: boardBlocks(text, source).map((block) => () => readBoard(block, source))};
  const blocks = levelBlocks(text, source);
  return {title: blocks[0]?.collection, makes: blocks.map((block) => () => readLevel(block, source, blocks[0].shared))};
}

const describe = (problem) => ({game: problem.game, title: problem.title ?? "", author: problem.author ?? "", objectives: ABILITIES[problem.game],
  warnings: [], head: problem.head ?? "", rows: problem.rows});

/* ---- XSB ---- */

const isRow = (line) => BOARD.test(line);
const isRun = (line) => !isRow(line) && RUNS.test(line) && (line.includes("|") || (line.includes("#") && /[()]/.test(line)) || /\d[#W(\-_]/.test(line));
/* A digit in one row is none if others have its sign in plain runs. */
const areRuns = (lines) => {
  const runs = lines.filter(isRun), signs = [...(runs[0] ?? "").matchAll(/\d(\D)/g)].map(([, sign]) => sign);
  return runs.length > 1 || (runs.length === 1 && (/[|()]/.test(runs[0]) || !lines.some((line) => line !== runs[0] && signs.some((sign) => line.includes(sign + sign)))));
};
/* Meant as a row, though some character is strange. */
const isDamaged = (line, bare = line.trim()) =>
  /^#.*#$/.test(bare) && 3 * [...bare].filter((char) => !BOARD.test(char) && !/[X&mMo\t]/.test(char)).length <= bare.length;

/* Between two rows, begun like one. */
const isTorn = (lines, at) => [lines[at - 1], lines[at + 1]].every((line) => line !== undefined && isRow(line)) && /^\s*#/.test(lines[at])
  && 3 * [...lines[at].trim()].filter((char) => !BOARD.test(char)).length <= lines[at].trim().length;

/* The rows of a run-length line; one that is faulty or endless is kept as it is, to be refused as a row. */
function unrun(line) {
  if (/(?<!\d)0|\d(?![\d(#W@pP+$bB*. \-_])/.test(line)) return [line];
  const repeated = (_, n, part) => part.repeat(Math.min(Number(n || 1), MOST_CELLS + 1));
  let rest = line;
  for (let round = 0; /\(/.test(rest) && round < 20 && rest.length < 4 * MOST_CELLS; round++) rest = rest.replace(/(\d*)\(([^()]*)\)/g, repeated);
  return /[()]/.test(rest) || rest.length > 4 * MOST_CELLS ? [line] : rest.split("|").map((row) => row.replace(/(\d+)([^\d|])/g, repeated));
}

/* The boards of a collection, each with the lines around it: [text, line] each. */
function levelBlocks(text, source) {
  const meant = (at) => isRow(lines[at]) || isRun(lines[at]) || isDamaged(lines[at]) || isTorn(lines, at);
  const lines = withoutComments(text.split(/\r\n|\r|\n/).map((line) => line.replace(/[ \t]+$/, "")), source), blocks = [];
  let before = [], at = 0;
  while (at < lines.length) {
    if (!meant(at)) { before.push([lines[at++], at]); continue; }
    const start = at;
    while (at < lines.length && meant(at)) at++;
    const runs = areRuns(lines.slice(start, at)), numbers = [];
    const rows = lines.slice(start, at).flatMap((line, n) => {
      const found = runs && isRun(line) ? unrun(line) : [line];
      numbers.push(...found.map(() => start + n + 1));
      return found;
    });
    while (rows.length && !/[#W*]/.test(rows[0])) { rows.shift(); numbers.shift(); }
    while (rows.length && /^[ \-_]*$/.test(rows.at(-1))) rows.pop();
    const drawn = rows.join(""), alive = /[@+pP]/.test(drawn) && /[$*bB]/.test(drawn);
    if (!rows.length || !/[#W]/.test(drawn) || (rows.length < 3 && !alive)) { before.push(...lines.slice(start, at).map((one, n) => [one, start + n + 1])); continue; }
    blocks.push({before, rows, line: numbers[0], place: placeOf(source, numbers[0], runs && numbers), after: []});
    if (blocks.length > 1) blocks.at(-2).after = before;
    before = [];
  }
  if (blocks.length) blocks.at(-1).after = before;
  return blocks.map((block, n) => ({...block, ...toldOf(block, n === 0, n === blocks.length - 1)}));
}

/* The lines, what stands in long comments passed over, boards included. */
function withoutComments(lines, source) {
  const kept = [...lines];
  for (let at = 0; at < kept.length; at++) {
    if (!/^\s*comment\s*:$/i.test(kept[at])) continue;
    let end = at + 1;
    while (end < kept.length && !/^\s*comment[ _-]?end\s*:?\s*$/i.test(kept[end])) end++;
    if (end === kept.length) fail(source, at + 1, 1, "E-COMMENT", "this Comment: is never closed by Comment-End:");
    kept.fill("Comment: -", at, end + 1);
  }
  return kept;
}

const KEY = /^\s*([A-Za-z][A-Za-z _-]{0,30}?)\s*:(?!:)\s*(.*)$/;
const MOVES = /^[lurdLURD0-9()[\]{}* ]+$/;

/* Where in the lines between two boards the keys begin that stand directly on the next one, a blank line before them. */
function ownStart(lines) {
  let start = lines.length;
  while (start && (KEY.test(lines[start - 1]) || /^\s*;|^::/.test(lines[start - 1]))) start--;
  return start && start < lines.length && lines[start - 1] === "" ? start : lines.length;
}

/* What the lines around a board say of it (its title, its author, its own keys) and the first lines of all: a name, an author. */
function toldOf(block, first, last) {
  const [before, after] = [block.before, block.after].map((lines) => lines.map(([line]) => line));
  const own = [...block.before.slice(first ? 0 : ownStart(before)), ...block.after.slice(0, last ? after.length : ownStart(after))];
  const keys = own.map(([text, line]) => [text.match(KEY), line]).filter(([match]) => match).map(([match, line]) => [match[1].toLowerCase(), match[2], line]);
  const valuesOf = (name, early) => keys.filter(([key, , line]) => key === name && (first && line < block.line) === early).map(([, value]) => value);
  const [names, authors] = [valuesOf("title", true), valuesOf("author", true)], [shared = "", ...more] = authors.slice(authors.findIndex(Boolean));
  const said = titleLine(before, first), title = valuesOf("title", false).at(-1) || (said ?? names.at(-1)), other = names.find((name, at) => name && (names[at + 1] ?? name) !== name);
  return {title: title ?? "", author: [...more, ...valuesOf("author", false)].at(-1), shared, keys,
    collection: valuesOf("collection", true).at(-1) || other || (said !== null || title !== names.at(-1) ? names.at(-1) : "")};
}

/* The title without a Title key: the last text line before a board, null if there is none. */
function titleLine(before, first) {
  const texts = before.map((line, at) => [line.replace(/^\s*;\s?/, "").trim(), at, /^\s*;/.test(line)]).filter(([line, at, note]) => line && (note || !KEY.test(before[at])) && !(MOVES.test(line) && /[lurd]/i.test(line) && line.length >= 8));
  const words = texts.filter(([line, , note]) => note || /[\p{L}\p{N}]/u.test(line)), told = words.length ? words : texts, last = told.at(-1);
  if (!last || (!first && before.slice(last[1] + 1).some((line) => KEY.test(line) && !/^\s*;/.test(line)))) return null;
  const previous = last[1] ? before[last[1] - 1] : first ? "" : null;
  return last[2] || previous === "" || told.length === 1 ? last[0] : null;
}

function readLevel(block, source, shared) {
  for (const [key, value, line] of block.keys) {
    if (key === "game" && /^(hexoban|trioban|octoban|multiban|sokomind)$/i.test(value.trim())) fail(source, line, 1, "E-VARIANT", `this is a level for ${value.trim()}, another game than Sokoban`);
    if (key === "assigned") fail(source, line, 1, "E-VARIANT", "this level gives each goal to one box, and boxes of Sokoban are alike");
  }
  return describe({game: "sokoban", title: block.title, author: block.author || shared, rows: checkedRows(block.rows, block.place)});
}

/* ---- Klotski ---- */

const HEADER = /^([A-Za-z]+)\s*:\s*(.*?)\s*$/;
const KEYS = ["title", "author", "origin", "comment", "goal", "mask", "moves", "same"];

function looksLikeBoards(text) {
  const lines = text.split(/\r\n|\r|\n/).filter((line) => line.trim() && !line.startsWith("%"));
  const rows = lines.map((line) => line.trim()).filter((line) => !HEADER.test(line));
  return rows.length > 0 && rows.every((row) => /^[\w.#]+$/.test(row)) && rows.some((row) => /[A-Za-z]/.test(row))
    && (/^(goal|mask|moves)\s*:/m.test(text) || (rows.length > 1 && rows.every((row) => /^[A-Za-z.#]+$/.test(row))));
}

function boardBlocks(text, source) {
  const blocks = [];
  let block = {headers: {}, at: {}, rows: []};
  text.split(/\r\n|\r|\n/).forEach((line, at) => {
    if (line.startsWith("%")) return;
    const header = line.match(HEADER);
    if (block.rows.length && (header || !line.trim())) { blocks.push(block); block = {headers: {}, at: {}, rows: []}; }
    if (header) {
      const key = header[1].toLowerCase();
      if (!KEYS.includes(key)) fail(source, at + 1, 1, "", `unknown key '${header[1]}'; the keys are ${KEYS.join(", ")}`);
      if (key in block.headers) fail(source, at + 1, 1, "", `'${header[1]}' is given twice for one board`);
      block.headers[key] = header[2];
      block.at[key] = [at + 1, line.indexOf(header[2], header[1].length + 1) + 1];
    } else if (line.trim()) block.rows.push([line.trimEnd(), at + 1]);
  });
  if (block.rows.length) blocks.push(block);
  return blocks;
}

function readBoard({headers, at, rows}, source) {
  const width = rows[0][0].length, cells = new Map();
  if (rows.length * width > MOST_CELLS) fail(source, rows[0][1], null, "E-SIZE", `the board has ${rows.length} rows of ${width} columns, more than ${MOST_CELLS} cells`);
  rows.forEach(([text, line], row) => {
    if (text.length !== width) fail(source, line, 1, "", `row ${row} has ${counted(text.length, "cells", "cell")}, row 0 has ${width}`);
    [...text].forEach((char, col) => {
      if (/[A-Za-z0-9]/.test(char)) cells.set(char, cells.get(char) ?? []).get(char).push([row, col]);
      else if (!".#".includes(char)) fail(source, line, col + 1, "", `'${char}' is no piece, blank or wall`);
    });
  });
  let goal = headers.goal ?? "";
  if (!goal && !headers.mask) {
    const blocks = [...cells].filter(([, places]) => places.length === 4 && places[1][1] === places[0][1] + 1 && places[2][0] === places[0][0] + 1 && places[3][1] === places[2][1] + 1);
    if (width !== 4 || rows.length !== 5 || blocks.length !== 1) fail(source, rows[0][1], null, "E-GOAL", "no goal: only a 4x5 Klotski board with one 2x2 piece needs no 'goal:' line");
    goal = `${blocks[0][0]} 3,1`;
  }
  for (const part of goal.split(";").map((one) => one.trim()).filter(Boolean)) {
    const match = part.match(/^(\w)\s+(\d+)\s*,\s*(\d+)$/);
    if (!match) fail(source, rows[0][1], null, "", `goal: '${part}' is not a piece and 'row,column', such as 'A 3,1'`);
    if (!cells.has(match[1])) fail(source, rows[0][1], null, "", `the board has no piece '${match[1]}'`);
  }
  checkedBoard({...headers, goal}, at, rows, cells, source);
  const along = (places) => places.length > 1 && places.every(([r]) => r === places[0][0]) ? "lr" : places.length > 1 && places.every(([, c]) => c === places[0][1]) ? "ud" : "";
  const moves = headers.moves === "lengthwise" ? [...cells].sort().filter(([, places]) => along(places)).map(([name, places]) => `${name} ${along(places)}`).join("; ") : headers.moves ?? "";
  const notes = ["title", "author", "origin", "comment"].map((key) => headers[key] && `${key}: ${headers[key].split(/\s+/).join(" ")}`);
  const lines = [...notes, goal && `goal: ${goal.split(";").map((part) => part.trim().replace(/\s*,\s*/, ",").replace(/\s+/, " ")).filter(Boolean).sort().join("; ")}`,
    headers.mask && `mask: ${headers.mask}`, moves && `moves: ${moves}`, headers.same && `same: ${headers.same}`];
  return describe({game: "klotski", title: headers.title, author: headers.author, head: lines.filter(Boolean).map((line) => `${line}\n`).join(""), rows: rows.map(([text]) => text)});
}

/* What the package refuses of a board is refused here, too: of another board another game would be made. */
function checkedBoard(headers, at, rows, cells, source) {
  const stop = (key, words, code = "") => fail(source, ...(at[key] ?? [rows[0][1], null]), code, words);
  const inside = ([r, c]) => (rows[r]?.[0][c] ?? "#") !== "#", known = (name, key) => cells.has(name) || stop(key, `the board has no piece '${name}'`);
  const shape = (name) => { const places = cells.get(name), top = Math.min(...places.map(([r]) => r)), left = Math.min(...places.map(([, c]) => c)); return places.map(([r, c]) => [r - top, c - left]); };
  for (const [name, places] of cells) {
    const all = new Set(places.map(String)), met = [places[0]];
    all.delete(String(places[0]));
    for (const [r, c] of met) for (const near of [[r, c - 1], [r, c + 1], [r - 1, c], [r + 1, c]]) if (all.delete(String(near))) met.push(near);
    if (all.size) fail(source, rows[places.at(-1)[0]][1], places.at(-1)[1] + 1, "", `piece '${name}' is in more than one part`);
  }
  const parts = (text, by) => (text ?? "").split(by).map((one) => one.trim()).filter(Boolean), ways = new Map();
  for (const part of parts(headers.moves, ";")) {
    if (part === "lengthwise") continue;
    const match = part.match(/^(\w)\s+([udlr]+|-)$/);
    if (!match) stop("moves", `moves: '${part}' is not 'lengthwise' nor a piece and some of 'udlr' (or '-'), such as 'b lr'`);
    known(match[1], "moves");
    ways.set(match[1], [...match[2]].sort().join(""));
  }
  const groups = parts(headers.same, /\s+/), kind = (name) => JSON.stringify([shape(name), ways.get(name) ?? "dlru"]);
  for (const group of groups) for (const name of group) {
    known(name, "same");
    if (kind(name) !== kind(group[0])) stop("same", `pieces '${group[0]}' and '${name}' cannot stand for each other: they differ in shape or directions`);
    if (groups.join("").split(name).length > 2) stop("same", `piece '${name}' is named twice as interchangeable`);
  }
  const groupOf = (name) => groups.find((letters) => letters.includes(name)) ?? name, wanted = new Map();
  for (const part of parts(headers.goal, ";")) {
    const [, name, row, col] = part.match(/^(\w)\s+(\d+)\s*,\s*(\d+)$/);
    if (!shape(name).every(([r, c]) => inside([r + Number(row), c + Number(col)]))) stop("goal", `goal: piece '${name}' does not fit with its corner at ${Number(row)},${Number(col)}`, "E-GOAL");
    wanted.set(groupOf(name), (wanted.get(groupOf(name)) ?? new Set()).add(`${Number(row)},${Number(col)}`));
    const corners = wanted.get(groupOf(name)).size;
    if (corners > groupOf(name).length) stop("goal", `goal: piece '${name}' cannot stand at ${corners} places at once`, "E-GOAL");
  }
  if (headers.mask === undefined) return;
  const mask = headers.mask.split("/");
  if (mask.length !== rows.length || mask.some((row) => row.length !== rows[0][0].length)) stop("mask", `mask: it must have ${rows.length} rows of ${rows[0][0].length} cells, joined by '/'`);
  mask.forEach((row, r) => [...row].forEach((char, c) => {
    if ("?#".includes(char)) return;
    if (char !== ".") known(char, "mask");
    if (!inside([r, c])) stop("mask", `goal: ${r},${c} is a wall or off the board`, "E-GOAL");
  }));
  if (!headers.goal && !/[^?#/]/.test(headers.mask)) stop("mask", "the board has no goal", "E-GOAL");
}
