/* The game on the board: begins, is remembered, goes back and forth, and is celebrated. */
import {Board} from "./board.js";
import {nodes} from "./draw.js";
import {constant} from "./facts.js";
import {Klotski, task} from "./klotski.js";
import {$, announce, button, choose as setting, make, on, page, say, settings, state, store, tell, notify} from "./page.js";
import {count} from "./solve.js";
import {identity} from "./store.js";
import {Sokoban} from "./sokoban.js";

export const hands = {};      // tap, swipe, grab, drag, drop: filled by play.js
export const board = new Board($("board"), {
  tap: (...at) => hands.tap?.(...at), swipe: (letter) => hands.swipe?.(letter), grab: (...at) => hands.grab?.(...at) ?? false,
  drag: (...at) => hands.drag?.(...at), drop: (...at) => hands.drop?.(...at),
  rest: () => { notify("rest"); celebrate(); },
});
const counters = new Map();

export const isKlotski = () => page.game.start.game === "klotski";
export const titleOf = (entry, number) => entry.title || (entry.error ? "(faulty)" : `${page.opened.title || plain(page.opened.name)} ${number}`);
/* A collection's name as one says it: "Tutorial", "7 boxes". */
export const plain = (name) => (name ?? "").replace(/^.*\//, "").replace(/\.\w+$/, "").replace(/^<|>$/g, "").replace(/[-_]+/g, " ").replace(/^0+(?=\d)/, "").replace(/^./, (one) => one.toUpperCase()) || "Level";

/* Puts a problem on the board; `plan` is a shared play, otherwise what is remembered comes back. */
export function begin(problem, {plan = null, fresh = false} = {}) {
  notify("leave");
  page.game = problem.game === "klotski" ? new Klotski(problem) : new Sokoban(problem);
  page.id = identity(problem);
  problem = {...state.games[problem.game], ...problem};
  Object.assign(page, {picked: null, hint: null, verdict: null, problem});
  tell(problem.warnings?.[0] ?? "");
  if (problem.game === "klotski" && !problem.warnings?.length) say(task(page.game));
  const saved = plan !== null ? {done: plan} : fresh ? null : store.level(page.id).play;
  if (saved) {
    const whole = page.game.restore(saved);
    if (!whole) { if (plan !== null) say("The shared moves end at one that is not possible.", "bad"); }
    else if (saved.before) page.game.before = saved.before;
  }
  page.won = page.game.solved;
  draw();
  document.body.dataset.game = problem.game;
  const title = page.title = problem.place ? titleOf(problem, page.at + 1) : problem.title || "Level without a title";
  $("levels-name").textContent = (problem.place ?? "") + title;
  $("title").replaceChildren(title, ...(problem.author ? [make("small", {}, ` by ${problem.author}`)] : []));
  document.title = `${title} – sokoasp`;
  counters.clear();
  notify("begin");
  changed({quiet: true});
  announce(`${title}. ${news()}`);
}

export function draw() {
  board.goals = page.game.goals ?? new Set();
  board.show(nodes(page.game));
  notify("drawn");
}

export function choose(number) {
  const entries = page.opened.problems;
  page.at = Math.max(0, Math.min(entries.length - 1, number));
  $("previous").disabled = page.at === 0;
  $("next").disabled = page.at === entries.length - 1;
  $("next-level").textContent = $("next").disabled ? "All levels" : "Next level";
  store.set("last", {at: page.at});
  const entry = entries[page.at], place = `${page.at + 1} of ${entries.length}: `;
  if (!entry.error) return begin({...entry, place});
  $("levels-name").textContent = place + titleOf(entry);
  return tell(entry.error, "bad");
}

/* A collection takes the place of the one that was open; it is remembered. */
export function openCollection(opened, at = 0) {
  page.opened = opened;
  store.remove("opened");
  if (!store.set("opened", opened)) store.remove("opened");
  notify("opened");
  choose(at);
}

/* Plays letters of one gesture; says how many were possible. */
export function play(lurd) {
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

export function shown(moves) {
  changed({moves});   // bests first: without animation the level is celebrated at once
  board.animate(moves);
}

export function undo() {
  if (page.replay) return;
  letGo();
  say("");
  const before = page.game.done.length ? null : page.game.before;
  if (before) {
    page.game.restore(before);
    page.game.before = null;
    draw();
    return changed();
  }
  const moves = page.game.undoGesture();
  if (moves) shown(moves);
}

/* To a place in the history, counted in entries from the start. */
export function seek(to) {
  const {game} = page;
  letGo();
  say("");
  while (game.done.length > to && game.undo());
  while (game.done.length < to && game.redo());
  draw();
  changed({quiet: true});
}

export function redo() {
  if (page.replay) return;
  letGo();
  say("");
  const moves = page.game.redoGesture();
  if (moves) shown(moves);
}

export function restart() {
  notify("leave");
  letGo();
  if (!page.game.done.length) return;
  page.game.restart();
  draw();
  say("Back at the start. ", "", button("Undo", undo));
  changed();
}

export function letGo() {
  page.picked = null;
  board.pick(null);
  board.mark();
  notify("letgo");
}

/* After every change: figures, buttons, memory, and whoever wants to know. */
export function changed({moves = null, quiet = false} = {}) {
  const {game} = page;
  page.hint = null;
  for (const [name, value] of game.counts()) {
    if (!counters.has(name)) {
      const bold = make("b");
      if (!counters.size) $("counts").replaceChildren();
      $("counts").append(counters.size ? "   " : "", `${name} `, bold);
      counters.set(name, bold);
    }
    counters.get(name).textContent = value;
  }
  $("undo").disabled = !game.done.length && !game.before;
  $("redo").disabled = !game.undone.length;
  $("restart").disabled = !game.done.length;
  if (!game.solved) page.won = false;
  document.body.dataset.solved = game.solved ? "yes" : "no";
  $("scrub").max = game.done.length + game.undone.length;
  $("scrub").value = game.done.length;
  $("scrub").disabled = !game.done.length && !game.undone.length;
  if (!page.editing) remember();
  if (!quiet) announce(news(moves));
  notify("changed", moves);
}

function remember() {
  const {game} = page, entry = store.level(page.id), saved = game.saved();
  const empty = !saved.done && !saved.redo && !game.before;
  if (empty && !entry.play) return;
  store.change(page.id, {play: empty ? undefined : {...saved, ...(game.before ? {before: game.before} : {})}});
  if (game.solved) keepBests(entry.bests ?? {});
}

/* A solution is kept for every count in which it is the best so far. */
function keepBests(bests) {
  let better = false;
  const all = page.game.counts(), plan = page.game.plan();
  for (const [name, value] of all) if (!(bests[name]?.value <= value)) { bests[name] = {value, plan}; better = true; }
  if (better) store.change(page.id, {bests});
}

/* One sentence on what has changed, for those who hear the board. */
function news(moves) {
  const {game} = page, parts = [];
  if (isKlotski()) return game.solved ? "Solved." : "";
  const {row, col} = game.player, words = {"0,-1": "left", "0,1": "right", "-1,0": "up", "1,0": "down"};
  const pushed = moves?.flat().filter(([id]) => id !== "p") ?? [];
  if (pushed.length) {
    const at = game.things.get(pushed.at(-1)[0]);
    parts.push(`Box ${words[`${pushed.at(-1)[1]},${pushed.at(-1)[2]}`]} to ${constant([at.row, at.col])}${game.onGoal(pushed.at(-1)[0]) ? ", on a goal" : ""}.`);
  } else if (moves) parts.push(`${moves.length === 1 ? "Step" : `${moves.length} steps`}.`);
  parts.push(`You are at ${constant([row, col])}. ${game.goalsFilled} of ${game.goals.size} goals filled.`);
  if (game.solved) parts.push("Solved.");
  return parts.join(" ");
}

function celebrate() {
  if (!page.game.solved || page.won || page.replay || page.editing) return;
  page.won = true;
  say(`Solved: ${page.game.counts().map(([name, value]) => count(value, name)).join(", ")}.`, "won");
  notify("solved");
}

on("settings", (name) => { if (name === "speed") board.speed = {slow: 6, normal: 14, fast: 30, instant: Infinity}[settings.speed]; });
export const useSpeed = (speed) => setting("speed", speed);
