/* Wires the page: one game, its board, its history, the questions to the server. */
import {ask, send} from "./api.js";
import {Board} from "./board.js";
import {Klotski} from "./klotski.js";
import {Sokoban} from "./sokoban.js";
import {pack, replayInto, unpack} from "./share.js";
import {agreement, lane, summary} from "./solve.js";

const $ = (id) => document.getElementById(id);
const state = JSON.parse($("state").textContent);
const page = {opened: state.opened, at: 0, game: null, picked: null, hint: null, replay: null, running: null, won: false};

const board = new Board($("board"), {
  tap: (row, col, id) => page.game.start.game === "sokoban" ? tap(row, col) : pick(id),
  swipe: (letter) => { if (page.game.start.game === "sokoban") step(letter); },
  grab: (id) => page.game.start.game === "klotski" && grab(id),
  drag: (id, drow, dcol) => drag(id, drow, dcol),
  drop: () => drop(),
  rest: () => { if (!page.picked && !page.hint) markDeath(); celebrate(); },
});

/* ---- opening ---- */

function parse(markup) {
  return document.importNode(new DOMParser().parseFromString(markup, "image/svg+xml").documentElement, true);
}

function begin(problem, svg, plan = "") {
  leaveReplay();
  stopSolving();
  page.game = problem.game === "klotski" ? new Klotski(problem) : new Sokoban(problem);
  Object.assign(page, {picked: null, hint: null, won: page.game.solved, verdict: null});
  board.goals = page.game.goals ?? new Set();
  board.show(svg);
  document.body.dataset.game = problem.game;
  $("title").textContent = problem.title;
  document.title = problem.title ? `${problem.title} – sokoasp` : "sokoasp";
  fill($("objective"), problem.objectives, problem.game === "sokoban" ? "pushes" : "slides");
  fill($("engine"), problem.engines, "asp");
  $("lanes").replaceChildren();
  agreed("", "");
  say(problem.warnings?.[0] ?? "");
  if (plan) {
    if (!replayInto(page.game, plan)) say("The shared moves end at one that is not possible.", "bad");
    page.won = page.game.solved;
    sync();
  }
  changed();
}

function fill(select, values, wanted) {
  const before = select.value;
  select.replaceChildren(...values.map((value) => new Option(value, value)));
  select.value = values.includes(before) ? before : values.includes(wanted) ? wanted : values[0];
}

function sync() {
  board.queue = [];
  for (const [id, at] of page.game.things) {
    Object.assign(board.seen.get(id), at);
    board.settle(id);
  }
}

async function load(problem, plan = "") {
  const picture = await ask("picture", {problem});
  begin(picture.problem, parse(picture.svg), plan);
}

async function choose(number) {
  const entries = page.opened.problems;
  page.at = Math.max(0, Math.min(entries.length - 1, number));
  $("levels").value = String(page.at);
  $("previous").disabled = page.at === 0;
  $("next").disabled = page.at === entries.length - 1;
  const entry = entries[page.at];
  if (entry.error) return say(entry.error, "bad");
  try {
    await load(entry);
  } catch (error) { say(error.message, "bad"); }
}

function listLevels() {
  $("levels").replaceChildren(...page.opened.problems.map((entry, number) => {
    const option = new Option(`${entry.number}. ${entry.title || (entry.error ? "(faulty)" : page.opened.name)}`, number);
    return option;
  }));
  if (page.opened.more) {
    const rest = new Option(`… and ${page.opened.more} more in the file`, "");
    rest.disabled = true;
    $("levels").append(rest);
  }
}

/* ---- playing ---- */

function say(text, kind = "", ...buttons) {
  $("message").dataset.kind = kind;
  $("message").replaceChildren(text, ...buttons);
}

function button(label, act) {
  const node = document.createElement("button");
  node.type = "button";
  node.textContent = label;
  node.addEventListener("click", act);
  return node;
}

/* Play letters of one gesture; capitals and small letters both move or push as it comes. */
function play(lurd) {
  page.game.gesture++;
  const moves = [];
  for (const letter of lurd) {
    const changes = page.game.play(letter);
    if (!changes) break;
    moves.push(changes);
  }
  if (moves.length) shown(moves);
  return moves.length;
}

function shown(moves) {
  page.hint = null;
  board.animate(moves);
  changed();
}

function step(letter) {
  if (page.replay) return;
  let_go();
  say("");
  play(letter);
}

async function tap(row, col) {
  if (page.replay) return;
  const game = page.game, box = game.boxAt(row, col);
  if (box && box !== page.picked) {
    page.picked = box;
    board.pick(box);
    board.mark({path: game.lines(box)});
    return say(game.lines(box).length ? "Now tap the cell to push it to." : "This box cannot be pushed now.");
  }
  const picked = page.picked;
  let_go();
  if (box) return say("");
  const from = game.done.length, position = game.problem();
  try {
    const at = picked && game.things.get(picked);
    const answer = picked
      ? await ask("push", {problem: position, box: [at.row, at.col], to: [row, col]})
      : await ask("walk", {problem: position, to: [row, col]});
    if (game !== page.game || from !== game.done.length) return;
    if (answer.lurd === null) return say(sentence(answer.reason));
    say("");
    play(answer.lurd);
  } catch (error) { say(error.message, "bad"); }
}

const sentence = (words) => words.charAt(0).toUpperCase() + words.slice(1) + ".";

function let_go() {
  page.picked = null;
  board.pick(null);
  board.mark();
  markDeath();
}

function undo() {
  if (page.replay) return;
  let_go();
  say("");
  const gesture = page.game.done.at(-1)?.[2], moves = [];
  do {
    const changes = page.game.undo();
    if (changes) moves.push(...(page.game instanceof Sokoban ? [changes] : changes.map((change) => [change])));
    else break;
  } while (gesture !== undefined && page.game.done.at(-1)?.[2] === gesture);
  if (moves.length) shown(moves);
}

function redo() {
  if (page.replay) return;
  let_go();
  const gesture = page.game.undone.at(-1)?.[1], moves = [];
  const grouped = page.game instanceof Sokoban;
  do {
    const changes = page.game.redo();
    if (changes) moves.push(...(grouped ? [changes] : changes.map((change) => [change])));
    else break;
  } while (grouped && page.game.undone.at(-1)?.[1] === gesture);
  if (moves.length) shown(moves);
}

function restart() {
  if (page.replay) leaveReplay();
  let_go();
  say("");
  while (page.game.undo());
  sync();
  page.hint = null;
  changed();
}

function changed() {
  const counts = page.game.counts();
  $("counts").replaceChildren(...counts.flatMap(([name, value], number) => {
    const bold = document.createElement("b");
    bold.textContent = value;
    return [number ? "    " : "", `${name} `, bold];
  }));
  $("undo").disabled = !page.game.done.length;
  $("redo").disabled = !page.game.undone.length;
  $("restart").disabled = !page.game.done.length;
  if (!page.game.solved) page.won = false;
  document.body.dataset.solved = page.game.solved;
  look();
}

function celebrate() {
  if (!page.game.solved || page.won || page.replay) return;
  page.won = true;
  const counts = page.game.counts().map(([name, value]) => `${value} ${name}`).join(", ");
  const more = page.at < page.opened.problems.length - 1 ? [button("Next level", () => choose(page.at + 1))] : [];
  say(`Solved: ${counts}. `, "won", ...more);
}

/* ---- deadlock ---- */

let looking = null, timer = 0;

function look() {
  looking?.abort();
  clearTimeout(timer);
  page.verdict = null;
  if (page.game.start.game !== "sokoban") return;
  if (page.game.solved) return verdict("solved", "Every goal holds a box.");
  verdict("busy", "Looking …");
  timer = setTimeout(async () => {
    const control = looking = new AbortController();
    try {
      const found = await ask("deadlock", {problem: page.game.problem()}, control.signal);
      if (control.signal.aborted) return;
      if (found.verdict === "dead") {
        page.verdict = found;
        verdict("dead", `No way back: ${found.reason}`, `${found.kind.replaceAll("_", " ")} · ${found.source}`);
        if (!board.running) markDeath();
      } else if (found.verdict === "undecided") verdict("open", `Not decided: ${found.reason}.`);
      else verdict("open", "No deadlock found.");
    } catch (error) {
      if (!control.signal.aborted) verdict("open", error.message);
    }
  }, 150);
}

function verdict(kind, words, small = "") {
  const note = document.createElement("small");
  note.textContent = small;
  $("verdict").dataset.verdict = kind;
  $("verdict").replaceChildren(words, ...(small ? [note] : []));
}

function markDeath() {
  if (page.replay || page.picked) return;
  const found = page.verdict;
  const own = new Set(found?.boxes.map(String));
  const inside = (cell) => page.game.inside?.has(`${cell[0]},${cell[1]}`);
  board.mark(found ? {dead: found.cells.filter((cell) => inside(cell) && !own.has(String(cell))), stuck: found.boxes} : {});
}

/* ---- Klotski ---- */

function pick(id) {
  if (page.replay) return;
  page.picked = id === page.picked ? null : id;
  board.pick(page.picked);
  if (page.picked) say(`Piece ${id}: use the arrow keys or drag it.`);
}

function grab(id) {
  if (page.replay || !page.game.things.has(id)) return false;
  if (board.running) board.finish();
  page.held = {id, from: {...page.game.things.get(id)}, paths: page.game.reach(id), path: ""};
  return true;
}

function drag(id, drow, dcol) {
  const held = page.held;
  if (!held) return;
  let best = Infinity;
  for (const [place, path] of held.paths) {
    const [row, col] = place.split(",").map(Number);
    const far = Math.hypot(row - held.from.row - drow, col - held.from.col - dcol);
    if (far < best - 1e-9) [best, held.path, held.to] = [far, path, [row, col]];
  }
  board.place(id, ...held.to);
}

function drop() {
  const held = page.held;
  page.held = null;
  if (!held) return;
  board.place(held.id, held.from.row, held.from.col);
  if (!held.path) return;
  say("");
  const changes = page.game.play(held.id, held.path);
  for (const change of changes) board.commit([change]);
  page.hint = null;
  changed();
  celebrate();
}

/* ---- hint and solving ---- */

function request(engine) {
  return {problem: page.game.problem(), objective: $("objective").value, engine, seconds: Number($("seconds").value)};
}

function stopSolving() {
  page.running?.abort();
  page.running = null;
}

async function working(act) {
  stopSolving();
  const control = page.running = new AbortController();
  for (const id of ["solve", "compare", "hint"]) $(id).disabled = true;
  $("cancel").hidden = false;
  $("lanes").replaceChildren();
  agreed("", "");
  try {
    await act(control.signal);
  } finally {
    if (page.running === control) page.running = null;
    for (const id of ["solve", "compare", "hint"]) $(id).disabled = false;
    $("cancel").hidden = true;
  }
}

function agreed(kind, words) {
  $("agreement").dataset.agree = kind;
  $("agreement").textContent = words;
}

async function hint() {
  if (page.replay) leaveReplay();
  if (page.hint) return follow_hint();
  if (page.game.solved) return say("It is solved already.");
  let_go();
  say("Thinking …");
  const game = page.game, from = game.done.length;
  await working(async (signal) => {
    const result = await race(signal);
    if (game !== page.game || from !== game.done.length) return say("");
    if (!result) return say(signal.aborted ? "Cancelled." : "No hint this time.");
    if (!result.timeline?.actions.length) return say(`${summary(result)}.`, result.status === "unsolvable" ? "bad" : "");
    const line = result.timeline, [end, words] = line.actions[0];
    page.hint = line.moves.slice(0, end);
    const last = page.hint.at(-1).find(([id]) => id !== "p"), at = {...game.things.get(last[0])};
    const to = {...at};
    for (const move of page.hint) for (const [id, drow, dcol] of move) if (id === last[0]) { to.row += drow; to.col += dcol; }
    const shape = game.shapes?.get(last[0]), middle = (axis) => shape ? Math.max(...shape.map((cell) => cell[axis])) / 2 : 0;
    board.mark({arrow: [at.row + middle(0), at.col + middle(1), to.row + middle(0), to.col + middle(1)]});
    say(`Hint: ${game.start.game === "sokoban" ? "push the box at " : "slide "}${words} (${summary(result)}). `, "",
      button("Do it", follow_hint));
  });
}

/* Asks ASP, and the native search too if that takes a moment; the first proof counts, the other is cancelled. */
async function race(signal) {
  const both = ["asp", ...[...$("engine").options].map((option) => option.value).filter((name) => name === "native")];
  const control = new AbortController();
  signal.addEventListener("abort", () => control.abort());
  const runs = both.map(async (engine, number) => {
    if (number) await new Promise((resolve) => { setTimeout(resolve, 1500); });
    if (control.signal.aborted) throw null;
    const result = await lane($("lanes"), request(engine), control.signal, watch);
    if (!["optimal", "unsolvable"].includes(result?.status)) throw result;
    return result;
  });
  try {
    return await Promise.any(runs);
  } catch (failed) {
    return failed.errors.find((result) => result?.timeline) ?? failed.errors.find(Boolean) ?? null;
  } finally {
    control.abort();
  }
}

const LETTER = {"0,-1": "l", "0,1": "r", "-1,0": "u", "1,0": "d"};

function follow_hint() {
  const moves = page.hint;
  page.hint = null;
  board.mark();
  say("");
  if (!moves) return;
  if (page.game instanceof Sokoban) return void play(moves.map((move) => LETTER[move[0].slice(1)]).join(""));
  const changes = page.game.play(moves[0][0][0], moves.map((move) => LETTER[move[0].slice(1)]).join(""));
  if (changes) shown(changes.map((change) => [change]));
}

function compare() {
  const second = [...$("engine").options].map((option) => option.value).find((name) => name === "native")
    ?? $("engine").options[1].value;
  const words = {yes: "They agree.", no: "THEY DISAGREE: one of the two is wrong. Please report this level.", open: "No contradiction; not both of them have decided."};
  working(async (signal) => {
    const both = await Promise.all(["asp", second].map((engine) => lane($("lanes"), request(engine), signal, watch)));
    if (!signal.aborted) {
      const agree = agreement(...both);
      agreed(agree, words[agree]);
    }
  });
}

/* ---- watching ---- */

async function watch(result) {
  leaveReplay();
  board.finish();
  const position = result.position;
  const picture = await ask("picture", {problem: position});
  const svg = parse(picture.svg);
  page.replay = {svg: board.svg, plan: result.plan, position};
  board.frozen = true;
  $("board").replaceChildren(svg);
  $("replay").hidden = false;
  document.body.dataset.replay = "yes";
  page.replay.player = mountSokoaspPlayer($("controls"), svg, result.timeline);
  page.replay.player.animator.play();
  say(`Watching: ${summary(result)}.`);
  scrollTo({top: 0});
}

function leaveReplay() {
  if (!page.replay) return;
  page.replay.player.remove();
  $("board").replaceChildren(page.replay.svg);
  page.replay = null;
  board.frozen = false;
  $("replay").hidden = true;
  document.body.dataset.replay = "no";
  say("");
  markDeath();
}

async function save(format) {
  const {position, plan} = page.replay;
  const text = plan.lurd ?? plan.actions.map(([piece, from, to, , path]) => `${piece} ${from} > ${to} ${path}`).join("\n");
  try {
    const response = await send("export", {problem: position, plan: text, format});
    const url = URL.createObjectURL(await response.blob());
    Object.assign(document.createElement("a"), {href: url, download: `plan.${format}`}).click();
    setTimeout(() => URL.revokeObjectURL(url), 10000);
  } catch (error) { say(error.message, "bad"); }
}

/* ---- the rest of the page ---- */

async function share() {
  history.replaceState(null, "", "#" + pack(page.game));
  try {
    await navigator.clipboard.writeText(location.href);
    say("The address of this position is on the clipboard.");
  } catch { say("The address bar now holds this position."); }
}

async function openText() {
  $("open-error").textContent = "";
  const file = $("file").files[0], example = $("example").value;
  try {
    const body = file ? {text: await file.text(), name: file.name} : example ? {example} : {text: $("text").value, name: ""};
    page.opened = await ask("open", body);
    $("opener").close();
    listLevels();
    choose(page.opened.problems.findIndex((entry) => !entry.error));
    history.replaceState(null, "", location.pathname);
  } catch (error) { $("open-error").textContent = error.message; }
}

const KEYS = {ArrowLeft: "l", ArrowRight: "r", ArrowUp: "u", ArrowDown: "d", a: "l", d: "r", w: "u", s: "d"};

function key(event) {
  if (event.ctrlKey || event.metaKey || event.altKey || event.target.closest("input, select, textarea, dialog")) {
    if ((event.ctrlKey || event.metaKey) && event.key === "z" && !event.target.closest("textarea")) { event.preventDefault(); undo(); }
    return;
  }
  const klotski = page.game.start.game === "klotski";
  if (klotski && event.key.length === 1 && page.game.things.has(event.key) && event.key !== page.picked) return pick(event.key);
  const way = event.key.startsWith("Arrow") || !klotski ? KEYS[event.key] : null;
  if (way) {
    event.preventDefault();
    if (!klotski) return step(way);
    if (!page.picked || page.replay) return;
    const changes = page.game.play(page.picked, way);
    if (changes) { say(""); shown(changes.map((change) => [change])); }
    return;
  }
  const act = {u: undo, r: redo, h: hint, Escape: () => { leaveReplay(); page.hint = null; let_go(); say(""); }}[event.key];
  if (act) { event.preventDefault(); act(); }
}

for (const [id, act] of Object.entries({undo, redo, restart, hint, compare, share, leave: leaveReplay, cancel: stopSolving}))
  $(id).addEventListener("click", act);
$("previous").addEventListener("click", () => choose(page.at - 1));
$("next").addEventListener("click", () => choose(page.at + 1));
$("levels").addEventListener("change", () => choose(Number($("levels").value)));
$("solve-form").addEventListener("submit", (event) => {
  event.preventDefault();
  working(async (signal) => { await lane($("lanes"), request($("engine").value), signal, watch); });
});
$("open").addEventListener("click", () => { $("open-error").textContent = ""; $("opener").showModal(); });
$("open-cancel").addEventListener("click", () => $("opener").close());
$("open-form").addEventListener("submit", (event) => { event.preventDefault(); openText(); });
$("example").append(...state.examples.map((name) => new Option(name, name)));
$("theme").addEventListener("click", () => {
  const next = document.documentElement.dataset.theme === "dark" ? "light" : "dark";
  document.documentElement.dataset.theme = next;
  try { localStorage.setItem("theme", next); } catch { /* storage may be shut off */ }
});
document.querySelectorAll(".save").forEach((node) => node.addEventListener("click", () => save(node.dataset.format)));
document.addEventListener("keydown", key);
addEventListener("hashchange", () => { const shared = unpack(location.hash); if (shared) load(shared, shared.plan).catch((error) => say(error.message, "bad")); });

listLevels();
const shared = unpack(location.hash);
const first = page.opened.problems.findIndex((entry) => !entry.error);
page.at = first;
$("levels").value = String(first);
$("previous").disabled = first === 0;
$("next").disabled = first === page.opened.problems.length - 1;
begin(page.opened.problems[first], $("board").querySelector("svg"));
if (shared) load(shared, shared.plan).catch((error) => say(error.message, "bad"));
window.sokoasp = {page, board};
document.body.dataset.ready = "yes";
