/* Hints, one rung at a time: which box, where it goes, the push itself. Plans already known answer at once. */
import {board, isKlotski, letGo, play, shown} from "./game.js";
import {$, announce, button, on, page, say} from "./page.js";
import {count, lane, summary} from "./solve.js";
import {engines, portfolio, request, working} from "./solver.js";
import {Klotski} from "./klotski.js";
import {Sokoban} from "./sokoban.js";

const LETTER = {"0,-1": "l", "0,1": "r", "-1,0": "u", "1,0": "d"};
const NAMES = {l: "left", r: "right", u: "up", d: "down"};
const WAYS = {left: [0, -1], right: [0, 1], up: [-1, 0], down: [1, 0]};
const QUICK = "any";
/* Positions on known plans: where everything stands → {result, at}. */
const known = new Map();

export const where = (game) => game.start.game === "klotski" ? [...game.things].map(([name, {row, col}]) => `${name}${row},${col}`).join(" ")
  : `${[...game.boxes.keys()].sort().join(" ")}|${game.player.row},${game.player.col}`;

/* Notes every position of a plan; a proved plan takes the place of one that is not. */
export function learn(result) {
  if (!result?.timeline?.moves.length) return;
  const game = result.position.game === "klotski" ? new Klotski(result.position) : new Sokoban(result.position);
  result.timeline.moves.forEach((move, at) => {
    const place = where(game), other = known.get(place);
    if (!other || (result.status === "optimal" && other.result.status !== "optimal")) known.set(place, {result, at});
    for (const [id, drow, dcol] of move) game.shift(id, ...(game.start.game === "klotski" ? [LETTER[`${drow},${dcol}`]] : [drow, dcol]));
  });
}

/* What is known of the position on the board, if it answers what is asked; null otherwise. */
export function ready() {
  const found = known.get(where(page.game));
  return found && found.result.objective === $("objective").value ? found : null;
}

export async function hint() {
  if (page.replay || page.editing || $("hint").disabled) return;
  if (page.hint) return climb();
  if (page.game.solved) return say("It is solved already.");
  letGo();
  if (ready()) return offer(ready());
  say("Thinking …");
  const {game} = page, from = where(game), quiet = () => { if ($("message").textContent === "Thinking …") say(""); };
  await working(async (signal) => {
    const result = await race(signal);
    if (signal.aborted || game !== page.game || from !== where(game)) return quiet();
    if (!result) return $("lanes").childElementCount ? say("No hint this time.") : quiet();
    learn(result);
    if (!result.timeline?.actions.length) return say(`${summary(result)}.`, result.status === "unsolvable" ? "bad" : "");
    return offer(known.get(where(game)) ?? {result, at: 0});
  });
}

/* The first plan of any kind, or the proof that there is none. A quick engine, if there is one, runs beside the portfolio. */
function race(signal) {
  return new Promise((resolve) => {
    const control = new AbortController();
    signal.addEventListener("abort", () => { control.abort(signal.reason); resolve(null); });
    const done = (result) => { if (result?.timeline || result?.status === "unsolvable") { resolve(result); control.abort(); } return result; };
    const all = [portfolio(control.signal, {onPlan: done})];
    if (engines().includes(QUICK)) all.push(lane($("lanes"), request(QUICK, {seconds: 10}), control.signal, (_, found) => done(found)));
    Promise.all(all.map((run) => run.then(done))).then((results) => resolve(results.find(Boolean) ?? null));
  });
}

function offer({result, at}) {
  const {moves, actions} = result.timeline, next = actions.findIndex(([end]) => end > at);
  page.hint = {moves: moves.slice(at, actions[next][0]), result, rung: 0};
  climb();
}

/* Where the thing of the hint is and goes. */
function aim() {
  const {moves} = page.hint, {game} = page, last = moves.at(-1).find(([id]) => id !== "p");
  const box = isKlotski() ? last[0] : boxOf(moves), at = {...game.things.get(box)}, to = {...at};
  for (const move of moves) for (const [id, drow, dcol] of move) if (id === last[0]) { to.row += drow; to.col += dcol; }
  const shape = game.shapes?.get(box), middle = (axis) => shape ? Math.max(...shape.map((cell) => cell[axis])) / 2 : 0;
  const way = Object.keys(WAYS).find((name) => String(WAYS[name]) === String([Math.sign(to.row - at.row), Math.sign(to.col - at.col)]));
  const words = isKlotski() ? moves.map((move) => NAMES[LETTER[move[0].slice(1)]]).join(", ") : `${way}, ${count(Math.abs(to.row - at.row + to.col - at.col), "cells")}`;
  return {words, box, at: [at.row, at.col], to: [to.row, to.col], arrow: [at.row + middle(0), at.col + middle(1), to.row + middle(0), to.col + middle(1)]};
}

/* The box on the board that a hint's moves push: names in a timeline are those of its own start. */
function boxOf(moves) {
  const at = {...page.game.player};
  for (const move of moves) {
    const [drow, dcol] = move.find(([id]) => id === "p").slice(1);
    at.row += drow;
    at.col += dcol;
    if (move.length > 1) return page.game.boxAt(at.row, at.col);
  }
  return null;
}

function climb() {
  const {hint} = page, {at, to, arrow, box, words} = aim(), thing = isKlotski() ? `piece ${box}` : "this box";
  hint.rung++;
  const note = hint.result.status === "optimal" ? summary(hint.result) : `${summary(hint.result)}; not proved best`;
  const more = button("More", climb), act = button("Do it", follow);
  if (hint.rung > 3) return follow();
  if (hint.rung === 1) {
    board.mark({note: isKlotski() ? page.game.cells(box, ...at) : [at]});
    return say(`Hint: think of ${thing}. `, "", more);
  }
  if (hint.rung === 2) {
    board.mark({note: isKlotski() ? page.game.cells(box, ...to) : [at, to]});
    return say(`Hint: ${thing} goes here. `, "", more);
  }
  board.mark({arrow});
  announce("");
  return say(isKlotski() ? `Hint: slide ${thing}: ${words} (${note}). ` : `Hint: push ${thing} ${words} (${note}). `, "", act);
}

function follow() {
  const {moves} = page.hint;
  page.hint = null;
  board.mark();
  say("");
  const letters = moves.map((move) => LETTER[move[0].slice(1)]).join("");
  if (!isKlotski()) return void play(letters);
  const changes = page.game.play(moves[0][0][0], letters);
  if (changes) shown(changes.map((change) => [change]));
}

$("hint").addEventListener("click", hint);
on("begin", () => known.clear());
