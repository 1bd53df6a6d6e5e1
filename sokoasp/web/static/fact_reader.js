/* Reads competition facts, as sokoasp.core.atoms and sokoasp.sokoban.facts do: what is no such fact is refused, never passed
   over, for a misspelt solution would make another, easier level. */
import {counted, fail} from "./refused.js";

const KINDS = ["blank", "open", "string", "number", "name", "variable", "directive", "mark", "other"];
const TOKEN = /([ \t\r\n\f]+|%\*[^]*?\*%|%(?!\*)[^\n]*)|(%\*)|("(?:\\.|[^"\\\n])*")|(-?[0-9]+(?![A-Za-z_]))|(_*[a-z][A-Za-z0-9_']*)|(_*[A-Z][A-Za-z0-9_']*|_+)|(#[a-z_]*)|(:-|:~|\.\.|[().,;{}|:=<>+\-*/@&!?\\^~])|([^])/gu;
const ARITY = {right: 2, top: 2, box: 1, solution: 1, sokoban: 1, step: 1, next: 2};
const OF_2013 = ["movedir/3", "pushtogoal/7", "pushtonongoal/7", "isgoal/1", "isnongoal/1", "move_dir/3", "is_goal/1", "is_nongoal/1",
  "at/2", "clear/1", "player/1", "stone/1", "direction/1", "location/1", "thing/1", "goal/1"];
const WAYS = [["right", 0, 1], ["top", -1, 0]];
const MOST_RANGE = 100000, MOST_TERM = 500, MOST_DEPTH = 50, MOST_CELLS = 40000;
const BLANK = /\s+|%\*[^]*?\*%|%(?!\*)[^\n]*/y;

/* Whether a text begins with one of these predicates, comments before it passed over. */
export function beginsWithFact(text) {
  let at = 0;
  for (BLANK.lastIndex = 0; BLANK.test(text); BLANK.lastIndex = at) at = BLANK.lastIndex;
  return /^(right|top|box|solution|sokoban|step|next|movedir|isgoal|isnongoal|at|clear|player|stone)\(/.test(text.slice(at, at + 20));
}

class Tokens {
  constructor(text, source) {
    Object.assign(this, {text, source, stream: text.matchAll(TOKEN)});
    this.advance();
  }

  advance() {
    const taken = this.next;
    for (;;) {
      const match = this.stream.next().value, kind = match ? KINDS[match.slice(1).findIndex((part) => part !== undefined)] : "end";
      if (kind === "open") this.fail("this block comment %* is never closed", match.index, "E-COMMENT");
      if (kind === "blank") continue;
      this.next = {kind, text: match?.[0] ?? "", start: match?.index ?? this.text.length};
      return taken;
    }
  }

  accept(mark) {
    const found = this.next.kind === "mark" && this.next.text === mark;
    if (found) this.advance();
    return found;
  }

  place(start) {
    const before = this.text.slice(0, start).split("\n");
    return [before.length, [...before.at(-1)].length + 1];
  }

  fail(words, start, code = "E-FACTS") { fail(this.source, ...this.place(start), code, words); }

  refuse() {
    const {kind, text, start} = this.next, shown = text.slice(0, 40);
    if (kind === "end") this.fail("the text ends in the middle of a fact (is a full stop missing?)", start);
    if (kind === "variable") this.fail(`variable ${text}: only ground facts are read, not rules`, start);
    if (kind === "directive") this.fail(`directive ${text}: only ground facts are read`, start);
    if ([":-", ":~", "not", "|", ":"].includes(text)) this.fail(`a rule (${text}): only ground facts are read`, start);
    const code = text.codePointAt(0);
    this.fail(`'${shown}' ${code > 127 ? `(U+${code.toString(16).toUpperCase().padStart(4, "0")}) ` : ""}has no place in a ground fact`, start);
  }
}

function integer(tokens, sign = "") {
  const text = sign + tokens.next.text, value = Number(text);
  if (text.length > 40 || value < -(2 ** 31) || value >= 2 ** 31) tokens.fail(`${text.slice(0, 20)} is too large: integers of logic programs have 32 bits`, tokens.next.start);
  tokens.advance();
  return String(value || 0);
}

/* A constant, integer, quoted text, compound term or tuple, as text without blanks. */
function term(tokens, depth = 0) {
  const start = tokens.next.start;
  if (depth > MOST_DEPTH) tokens.fail(`terms nested deeper than ${MOST_DEPTH}`, start, "E-SIZE");
  const found = anyTerm(tokens, depth);
  if (found.length > MOST_TERM) tokens.fail(`a term of more than ${MOST_TERM} characters`, start, "E-SIZE");
  return found;
}

function anyTerm(tokens, depth) {
  const {kind, text} = tokens.next;
  if (kind === "number") return integer(tokens);
  if (kind === "string" || text === "#inf" || text === "#sup") return tokens.advance().text;
  if (tokens.accept("-")) {
    if (tokens.next.kind === "number" && !tokens.next.text.startsWith("-")) return integer(tokens, "-");
    const inner = term(tokens, depth + 1);
    return inner.startsWith("-") ? inner.slice(1) : `-${inner}`;
  }
  const name = kind === "name" && text !== "not" ? text : "";
  if (name) tokens.advance(); else if (text !== "(") tokens.refuse();
  if (!tokens.accept("(")) return name;
  if (tokens.accept(")")) return name || "()";
  const parts = [term(tokens, depth + 1)];
  let trailing = false;
  while (tokens.accept(",")) {
    trailing = !name && tokens.next.text === ")";
    if (trailing) break;
    parts.push(term(tokens, depth + 1));
  }
  if (!tokens.accept(")")) tokens.refuse();
  return !name && parts.length === 1 ? trailing ? `(${parts[0]},)` : parts[0] : `${name}(${parts.join(",")})`;
}

/* One argument, or the values of an integer range. */
function values(tokens) {
  const start = tokens.next.start, first = term(tokens);
  if (!tokens.accept("..")) return [first];
  const last = term(tokens);
  if (![first, last].every((one) => /^-?\d+$/.test(one))) tokens.fail(`${first}..${last} is not a range of integers`, start);
  if (last - first >= MOST_RANGE) tokens.fail(`the range ${first}..${last} stands for more than ${MOST_RANGE} facts`, start, "E-SIZE");
  return Array.from({length: Math.max(0, last - first + 1)}, (_, n) => String(Number(first) + n));
}

/* Every fact: {name, args, start}, checked to be one of the competition's. */
function parsed(tokens) {
  const found = [];
  while (tokens.next.kind !== "end") {
    if (tokens.next.kind !== "name" || tokens.next.text === "not") tokens.refuse();
    const {text: name, start} = tokens.advance();
    let lists = [[]];
    if (tokens.accept("(")) {
      do {
        const some = values(tokens);
        if (lists.length * some.length > MOST_RANGE) tokens.fail(`the ranges stand for more than ${MOST_RANGE} facts`, start, "E-SIZE");
        lists = lists.flatMap((args) => some.map((value) => [...args, value]));
      } while (tokens.accept(","));
      if (!tokens.accept(")")) tokens.refuse();
    }
    if (!tokens.accept(".")) tokens.refuse();
    found.push(...lists.map((args) => ({name, args, start})));
  }
  return found;
}

function checked(tokens, {name, args, start}) {
  if (ARITY[name] === args.length) return;
  const known = ["right/2", "top/2", "box/1", "solution/1", "sokoban/1"].join(", "), signature = `${name}/${args.length}`;
  if (OF_2013.includes(signature)) tokens.fail(`${signature} belongs to the competition of 2013 (or PDDL); this reader takes the facts of 2011: ${known}`, start, "E-2013");
  if (Object.hasOwn(ARITY, name)) tokens.fail(`${args.length ? `${name}(${args.join(",")})` : name} has ${args.length} arguments, ${name} takes ${ARITY[name]}`, start);
  tokens.fail(`${signature} is not one of the competition's predicates (${known}, step/1, next/2)`, start);
}

/* The cells around the player's, as right/2 and top/2 lay them out: name → [row, column]; a map that is no grid is refused. */
function laidOut(tokens, by, player) {
  const links = new Map(), link = (one, ...rest) => links.set(one, [...(links.get(one) ?? []), rest]);
  const stop = (words, start) => tokens.fail(words, start, "E-GRID"), shown = ({name, args}) => `${name}(${args.join(",")})`;
  for (const [way, dr, dc] of WAYS) for (const fact of by[way]) {
    const [one, two] = fact.args;
    link(one, two, dr, dc, fact);
    link(two, one, -dr, -dc, fact);
  }
  const where = new Map([[player, [0, 0]]]), taken = new Map([["0,0", player]]), queue = [player];
  for (const one of queue) for (const [two, dr, dc, fact] of links.get(one) ?? []) {
    const [row, col] = where.get(one), at = [row + dr, col + dc];
    if (!where.has(two)) where.set(two, at);
    if (String(where.get(two)) !== String(at)) stop(`${shown(fact)} contradicts the other facts: ${two} would be in two places`, fact.start);
    if (!taken.has(String(at))) { taken.set(String(at), two); queue.push(two); }
    else if (taken.get(String(at)) !== two) stop(`${shown(fact)} puts ${two} on the same place as ${taken.get(String(at))}`, fact.start);
  }
  for (const name of ["right", "top", "box", "solution"]) for (const fact of by[name]) {
    const stray = fact.args.find((one) => !where.has(one));
    if (stray !== undefined) stop(`${shown(fact)}: ${stray} is not connected with ${player}, where sokoban is`, fact.start);
  }
  for (const [way, dr, dc] of WAYS) {
    const joined = new Set(by[way].map(({args}) => JSON.stringify(args)));
    for (const [one, [row, col]] of where) {
      const two = taken.get(`${row + dr},${col + dc}`);
      if (two !== undefined && !joined.has(JSON.stringify([one, two]))) stop(`${one} and ${two} lie side by side, but ${way}(${one},${two}) is missing: not a grid`, by.sokoban[0].start);
    }
  }
  return where;
}

/* The level that facts describe, as rows. */
export function factRows(text, source) {
  const tokens = new Tokens(text, source), facts = parsed(tokens);
  const by = Object.fromEntries(Object.keys(ARITY).map((name) => [name, []]));
  for (const fact of facts) { checked(tokens, fact); by[fact.name].push(fact); }
  if (!facts.length) fail(source, 1, null, "E-NOLEVEL", "no facts in this text");
  if (!by.sokoban.length) tokens.fail("there is no sokoban/1 fact", facts.at(-1).start, "E-NOPLAYER");
  const player = by.sokoban[0].args[0], other = by.sokoban.find(({args}) => args[0] !== player);
  if (other) tokens.fail(`two sokobans: sokoban(${player}) and sokoban(${other.args[0]})`, other.start, "E-PLAYERS");
  const where = laidOut(tokens, by, player), all = (name) => new Set(by[name].map(({args}) => args[0]));
  const boxes = all("box"), goals = all("solution"), start = by.sokoban[0].start;
  if (boxes.has(player)) tokens.fail(`sokoban and a box are both on ${player}`, start, "E-PLAYERS");
  if (goals.size > boxes.size) tokens.fail(`${counted(boxes.size, "boxes", "box")}, ${counted(goals.size, "storage locations", "storage location")}: they can never all be filled`, by.solution.at(-1).start, "E-COUNT");
  if (!goals.size) tokens.fail("there is no storage location (solution/1)", start, "E-NOBOX");
  const spread = (n) => { const all = [...where.values()].map((place) => place[n]); return 3 + all.reduce((a, b) => Math.max(a, b)) - all.reduce((a, b) => Math.min(a, b)); };
  if (spread(0) * spread(1) > MOST_CELLS) tokens.fail(`the map has ${spread(0)} rows of ${spread(1)} columns, more than ${MOST_CELLS} cells (see --max-cells)`, start, "E-SIZE");
  return drawn(where, boxes, goals, player);
}

function drawn(where, boxes, goals, player) {
  const places = [...where.values()], top = Math.min(...places.map(([r]) => r)) - 1, left = Math.min(...places.map(([, c]) => c)) - 1;
  const grid = Array.from({length: Math.max(...places.map(([r]) => r)) - top + 2}, () => Array(Math.max(...places.map(([, c]) => c)) - left + 2).fill(" "));
  for (const [r, c] of places) for (const dr of [-1, 0, 1]) for (const dc of [-1, 0, 1]) grid[r - top + dr][c - left + dc] = "#";
  for (const [name, [r, c]] of where) {
    const goal = goals.has(name);
    grid[r - top][c - left] = boxes.has(name) ? (goal ? "*" : "$") : name === player ? (goal ? "+" : "@") : goal ? "." : " ";
  }
  return grid.map((row) => row.join(""));
}
