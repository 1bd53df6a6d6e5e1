/* Programs for clingo in the browser: put together in one place, run bound by bound, read back into plans for the referee.
   clingo's own `incmode` asks bound after bound, as it does on the command line. */
import {classes, constants, writeFacts} from "./facts.js";
import {Klotski} from "./klotski.js";
import {Refused} from "./reader.js";
import {planOf, replay} from "./referee.js";
import {plain, slip} from "./slips.js";
import {STEPS, Sokoban} from "./sokoban.js";
import {walk} from "./walk.js";

const LETTER = {left: "l", right: "r", up: "u", down: "d"};
const FORBIDDEN = /#script|#include|@(?=\s*_*[a-z])/;
const MOST_ATOMS = 20000;
const PATIENCE = 3000;       // milliseconds; then a wrong program that has refuted more than there is to refute is stopped
const MANY_BOUNDS = 200;     // from then on ten a second are reported: a program without an answer refutes thousands

/* The one place where a program is put together: rules, own constraints and what these need, facts, clingo's incremental mode.
   Returns the text and the place of each part in it: [name, first line, number of lines up to the end of the code, column there]. */
export function assemble(program, constraints, bridges, facts) {
  let text = "";
  const begins = [];
  for (const [name, part] of [["program.lp", program], ["constraints.lp", constraints], ["bridges.lp", bridges], ["facts.lp", `${facts}\n#include <incmode>.\n`]]) if (part) {
    if (text) text += "#program base.\n";
    const lines = plain(part).trimEnd().split("\n");
    begins.push([name, text.split("\n").length, lines.length, lines.at(-1).length + 1]);
    text += `${part.trimEnd()}\n`;
  }
  return {text, begins};
}

/* What the public predicates of the constraints need beside the program: bridges of those it does not derive itself. */
function bridgesOf(one, constraints) {
  const code = constraints.replace(/%[^\n]*/g, "");
  const needed = one.vocabulary.filter(({name, bridge}) => bridge && new RegExp(`\\b${name}\\(`).test(code)).map(({bridge}) => bridge);
  return [...new Set(needed.flat())].map((name) => one.bridges[name]).join("\n");
}

/* A line of clingo's as a sentence with the place in the user's own text; what is amiss in the line between two parts, at the end of the first. */
export function placed(lines, begins) {
  const [, line, column, words] = lines[0].match(/^-:(\d+):(\d+)[^:]*: (.*)$/) ?? [];
  if (!line) return null;
  const [name, first, last, width] = begins.filter(([, begin]) => begin <= Number(line)).at(-1) ?? begins[0], row = Number(line) - first + 1, error = /^error/.test(words);
  if (error && row > last) return {name, sentence: `${name}:${last}:${width}: syntax error, the text ends within a statement: is its full stop missing?`, error};
  const rest = lines.slice(1).filter((one) => !one.startsWith("***"));
  return {name, sentence: `${name}:${row}:${column}: ${words.replace(/^(error|info|note|warning): /, "")} ${rest.join(" ").trim()}`.trim(), error};
}

/* Whether a text has rules for a predicate, or the facts of a level might: clingo notes what has no instance yet as well. */
const derives = (text, name) => Boolean(name) && (/^(right|top|box|solution|sokoban)$/.test(name) || new RegExp(`(^|[.{])\\s*${name}\\(`, "m").test(text));

/* Runs a text; reports each bound asked for, and stops where that says so; resolves to {answer: atoms or null, faults, bound}. */
function run(text, base, seconds, onBound = () => {}) {
  return new Promise((resolve, reject) => {
    const worker = new Worker(new URL("clingo_worker.js", import.meta.url)), faults = [];
    let asked = -1, answer = null, cost = null, next = false;
    const end = (act) => { clearTimeout(timer); worker.terminate(); act(); };
    const timer = setTimeout(() => end(() => resolve({answer: null, faults, bound: asked, timeOut: true})), seconds * 1000);
    worker.onerror = (event) => end(() => reject(new Refused(event.message || "clingo could not be started")));
    worker.onmessage = ({data}) => {
      if (data.fault !== undefined) faults.push(data.fault);
      if (data.line === "Solving...") { if (asked >= 0 && onBound(asked, "unsat")) end(() => resolve({answer: null, faults, bound: asked + 1, timeOut: true})); asked++; }
      if (next) { answer = atomsOf(data.line); next = false; }
      if (data.line?.startsWith("Answer:")) next = true;
      if (data.line?.startsWith("Optimization:")) cost = data.line.slice(13).trim().split(" ").map(Number);
      if (data.status === undefined) return;
      if (answer) onBound(asked, "sat");
      end(() => resolve({answer, cost, faults, bound: asked, failed: [33, 65, 128].includes(data.status)}));
    };
    worker.postMessage({folder: new URL("clingo/", base).href, program: text, options: "--outf=0 -V1"});
  });
}

/* The atoms of an answer line: blanks stand between them and nowhere in them but in texts. */
const atomsOf = (line) => line.match(/(?:"(?:[^"\\]|\\.)*"|[^\s"])+/g) ?? [];

/* The slides that the plan atoms mean: any piece of the class that stands there, by the shortest path. */
function slidesFrom(problem, atoms) {
  const game = new Klotski(problem), wide = problem.rows[0].length, kinds = classes(game), plan = [];
  const found = atoms.map((atom) => atom.match(/^slide\("(.)",(\d+),(\d+),(\d+)\)$/u)).filter(Boolean).sort((a, b) => a[4] - b[4]);
  const cell = (number) => `${Math.floor(number / wide)},${number % wide}`;
  for (const [atom, letter, here, there] of found) {
    const members = kinds.find(([, names]) => names.includes(letter))?.[1] ?? [];
    const name = members.find((one) => { const {row, col} = game.things.get(one); return `${row},${col}` === cell(here); }), path = name && game.reach(name).get(cell(there));
    if (!path) throw new Refused(`the plan of the program breaks the rules: ${atom} is not possible`);
    game.slide(name, path);
    plan.push(name + path);
  }
  if (!game.solved) throw new Refused("the plan of the program does not solve the board");
  return plan.join(".");
}

/* The letters that the plan atoms of an answer mean, by the rules; a walk is the shortest there is. */
export function planFrom(problem, atoms) {
  if (problem.game === "klotski") return slidesFrom(problem, atoms);
  const cells = constants(problem), game = new Sokoban(problem), found = [];
  for (const atom of atoms) {
    const push = atom.match(/^push\((\w+),(\w+),(\w+),(\d+)\)$/), move = atom.match(/^move\((\w+),(\d+)\)$/);
    if (push) found.push([Number(push[4]), push]);
    else if (move) found.push([Number(move[2]), move]);
  }
  found.sort((a, b) => a[0] - b[0]);
  const two = found.findIndex(([step], at) => step === found[at + 1]?.[0]);
  if (two >= 0) throw new Refused(`the plan of the program breaks the rules: two actions at step ${found[two][0]}: ${found[two][1][0]} and ${found[two + 1][1][0]}`);
  let plan = "";
  const play = (letters) => { for (const letter of letters) { const changes = game.move(letter); if (!changes) throw new Refused(`the plan of the program breaks the rules: ${letter} after ${plan.length} moves is not possible`); plan += changes.length > 1 ? letter.toUpperCase() : letter; } };
  for (const [, [, first, second, third, last]] of found) {
    if (last === undefined) { play(LETTER[first]); continue; }
    const [row, col] = cells[first] ?? [], [toRow, toCol] = cells[third] ?? [], letter = LETTER[second];
    if (row === undefined || toRow === undefined || !game.boxAt(row, col)) throw new Refused(`the plan of the program breaks the rules: there is no box at ${first} to push to ${third}`);
    const steps = Math.abs(toRow - row) + Math.abs(toCol - col), [drow, dcol] = STEPS[letter];
    const way = walk(game.width, game.height, (r, c) => game.free(r, c), [game.player.row, game.player.col], [row - drow, col - dcol], "shortest");
    if (way === null) throw new Refused(`the plan of the program breaks the rules: the player cannot get behind the box at ${first}`);
    play(way + letter.repeat(steps));
  }
  if (!game.solved) throw new Refused("the plan of the program does not solve the level: not every goal holds a box");
  return plan;
}

async function asked({problem, objective, program, constraints = ""}, base, programs, say, seconds, wrong = () => false) {
  const one = programs[problem.game][objective], own = program || one.program, facts = writeFacts(problem), began = performance.now();
  const found = constraints.match(FORBIDDEN), open = plain(constraints).indexOf("%*"), row = (at) => constraints.slice(0, at).split("\n").length;
  if (found) throw new Refused(`constraints.lp:${row(found.index)}: ${found[0]} may not be used here`);
  if (open >= 0) throw new Refused(`constraints.lp:${row(open)}: the comment that begins here does not end: *% is missing`);
  if (program && constraints.trim()) throw new Refused("on a site constraints go with the plain program: choose 'The program as it was'");
  const slipped = slip(constraints, {cells: constants(problem), vocabulary: one.vocabulary, ours: `${own}\n${facts}`});
  if (slipped) throw new Refused(`constraints.lp:${slipped}`);
  const {text, begins} = assemble(own, constraints, bridgesOf(one, constraints), facts);
  let last = began;
  const outcome = await run(text, base, seconds, (t, result) => {
    const now = performance.now();
    if (t <= MANY_BOUNDS || result === "sat" || now - last >= 100) {
      say({event: "step", t, result, seconds: (now - last) / 1000, conflicts: 0});
      last = now;
    }
    return result === "unsat" && now - began > PATIENCE && wrong(t);
  });
  const groups = outcome.faults.join("\n").split(/\n(?=-:)/).map((group) => placed(group.split("\n"), begins)).filter(Boolean);
  const ours = groups.filter(({name}) => name === "constraints.lp");
  const unsafe = groups.find(({sentence}) => / '\w+' is unsafe$/.test(sentence));   // the note that says which variable
  const refusal = unsafe ?? groups.find((one) => one.error) ?? ours.find(({sentence}) => !/no atoms over signature/.test(sentence) && !derives(text, sentence.match(/ any rule head: (\w+)/)?.[1]));
  if (refusal) throw new Refused(refusal.sentence);
  if (outcome.failed) throw new Refused(outcome.faults.join(" ") || "clingo failed");
  const preferences = outcome.cost && {cost: outcome.cost.map((cost) => ({priority: null, cost})), proved: true};   // from the highest priority down
  const total = (performance.now() - began) / 1000, base_ = {objective, engine: "asp", seconds: {total}, plan: null, value: null, preferences};
  if (!outcome.answer) return {...base_, status: outcome.timeOut ? "time_out" : "unsolvable", lower_bound: Math.max(0, outcome.bound), proof: ""};
  const plan = planFrom(problem, [...new Set(outcome.answer)]), checked = replay(problem, plan), value = checked.counts[objective];
  if (outcome.bound !== value) throw new Refused(`the program is wrong: it claims ${outcome.bound} ${objective}, the referee counts ${value}`);
  return {...base_, status: "optimal", value, lower_bound: value, plan: planOf(problem, plan), timeline: checked.timeline, proof: `clingo in this browser: no answer for fewer than ${value}`, text};
}

/* What a proved answer of the search says of a program's: agrees only where it could have refuted it, else null. */
export function compared(result, found) {
  if (!["optimal", "unsolvable"].includes(found.status)) return {};
  const refuted = result.lower_bound > (found.value ?? Infinity) || (result.value !== null && result.value < (found.value ?? Infinity));
  const same = ["optimal", "unsolvable"].includes(result.status) ? result.value === found.value : null;
  return {cross_check: {engine: "native", value: found.value, agrees: refuted ? false : same}};
}

/* Solves by the catalogue's plain program. */
export async function solveByClingo(problem, objective, seconds, base, programs, say) {
  const {text, ...result} = await asked({problem, objective}, base, programs, say, seconds);
  return {...result, encoding: objective};
}

/* A wrong encoding, or the user's constraints: the result with the atoms of each step, held against the search where nothing is added. */
export async function runProgram(body, base, programs, say, search) {
  const nothing = {atoms: {}, more_atoms: false};
  if (!body.program && search(body.problem, body.objective, 1).status === "unsolvable")
    return {...nothing, objective: body.objective, engine: "native", status: "unsolvable", value: null, lower_bound: 0, plan: null, proof: ""};
  let known = null;
  const least = () => known ??= search(body.problem, body.objective, 10), wrong = (t) => body.program && least().status === "optimal" && t >= known.value;
  const {text, ...result} = await asked(body, base, programs, say, 30, wrong), answer = {...result, ...nothing};
  if (!body.constraints.trim()) Object.assign(answer, compared(result, least()));
  if (result.value === null) return answer;
  const all = await run(text.replace(/#show\s*(?:[\w']+\/\d+)?\s*\./g, ""), base, 30), given = /^(right|top|cell|class|pieces|place|covers|shift|legs|goal_\w+)\(/;
  for (const atom of (all.answer ?? []).filter((one) => !given.test(one))) {
    const time = Number(atom.match(/[(,](\d+)\)$/)?.[1] ?? 0), step = time <= all.bound ? time : 0;
    (answer.atoms[step] ??= []).push(atom);
  }
  answer.more_atoms = (all.answer ?? []).length > MOST_ATOMS;
  for (const list of Object.values(answer.atoms)) list.sort();
  return answer;
}
