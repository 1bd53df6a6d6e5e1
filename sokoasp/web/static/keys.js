/* The keyboard: one table for what keys do, which the page also shows. */
import {announceBoard} from "./describe.js";
import {board, choose, isKlotski, letGo, redo, restart, undo} from "./game.js";
import {hint} from "./hint.js";
import {$, page, say, typing} from "./page.js";
import {step, toggle} from "./play.js";
import {leave} from "./replay.js";
import {pickPiece, slideStep} from "./slides.js";
import {solve} from "./solver.js";

const WAYS = {ArrowLeft: "l", ArrowRight: "r", ArrowUp: "u", ArrowDown: "d", a: "l", d: "r", w: "u", s: "d", h: "l", l: "r", k: "u", j: "d"};
/* [keys as shown, what they do, the keys as events give them, the act] */
export const TABLE = [
  ["← ↑ → ↓, W A S D, H J K L", "one step", [], null],
  ["U, Z, Backspace, Ctrl Z", "undo", ["u", "z", "Backspace"], undo],
  ["Y, Shift Z, Ctrl Y", "redo", ["y", "Z", "Y"], redo],
  ["R", "restart; undo brings the play back", ["r", "R"], restart],
  ["N, P", "next and previous level", ["n", "N"], () => choose(page.at + 1)],
  ["", "", ["p", "P"], () => choose(page.at - 1)],
  ["Shift H", "hint, then the next rung", ["H"], hint],
  ["Shift S", "solve from here", ["S"], solve],
  ["Space", "play on what was undone, or the play from its start; pause", [" "], toggle],
  ["B", "say where everything is", ["b", "B"], announceBoard],
  ["+, −, 0", "zoom in, out, back", ["+", "="], () => board.view.zoom(1.25)],
  ["", "", ["-"], () => board.view.zoom(0.8)],
  ["", "", ["0"], () => board.view.reset()],
  ["Esc", "let go; back to playing", ["Escape"], () => { leave(); page.hint = null; letGo(); say(""); }],
  ["?", "these keys", ["?"], () => $("keys").showModal()],
];
const ACTS = new Map(TABLE.flatMap(([, , names, act]) => names.map((name) => [name, act])));

function key(event) {
  if (page.editing || typing(event.target)) return;
  const command = event.ctrlKey || event.metaKey;
  if (command && event.key.toLowerCase() === "z") { event.preventDefault(); return event.shiftKey ? redo() : undo(); }
  if (command && event.key === "y") { event.preventDefault(); return redo(); }
  if (command || event.altKey) return;
  if ([" ", "Enter"].includes(event.key) && event.target.closest("button, a, summary")) return;
  const klotski = isKlotski();
  if (klotski && event.key.length === 1 && page.game.things.has(event.key) && event.key !== page.picked) return pickPiece(event.key);
  const way = event.key.startsWith("Arrow") || !klotski ? WAYS[event.key] : null;
  if (way) {
    event.preventDefault();
    return klotski ? slideStep(way) : step(way);
  }
  const act = ACTS.get(event.key);
  if (act) { event.preventDefault(); act(); } else if (klotski && page.game.things.has(event.key.toUpperCase())) pickPiece(event.key.toUpperCase());
}

for (const [names, what] of TABLE) if (names) {
  const row = document.createElement("tr");
  row.append(...[names, what].map((text) => Object.assign(document.createElement("td"), {textContent: text})));
  $("keys-table").append(row);
}
$("keys-close").addEventListener("click", () => $("keys").close());
document.addEventListener("keydown", key);
