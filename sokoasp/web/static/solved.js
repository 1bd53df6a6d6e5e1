/* The mark on the board when a level is solved: a star for every count that is the optimum. */
import {settled, truths} from "./best.js";
import {$, make, on, page, settings} from "./page.js";
import {count} from "./solve.js";

/* What a value is worth beside what is known of its optimum: won, how much over, or not known. */
export function star(name, value, truth) {
  if (truth?.status !== "optimal") return {won: false, words: `${name}: the optimum is not known yet`};
  const over = value - truth.value;
  return over <= 0 ? {won: true, words: `${name}: the optimum`} : {won: false, over, words: `${name}: ${count(over, name)} over the optimum`};
}

/* The stars that the bests of a level have earned, as [earned, possible]. */
export function earned(saved) {
  const bests = Object.entries(saved.bests ?? {}), known = settled(saved);
  return [bests.filter(([name, best]) => star(name, best.value, known[name]).won).length, Math.max(bests.length, 2)];
}

/* The time since the first move on a level, told when it is solved, and while one plays if one likes. */
let began = 0, took = null;
const clock = (milliseconds) => { const seconds = Math.ceil(milliseconds / 1000); return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`; };
function tick() {
  $("timer").hidden = !settings.timer;
  $("timer").textContent = clock(took ?? (began ? performance.now() - began : 0));
}
setInterval(() => { if (settings.timer) tick(); }, 500);
on("settings", tick);

function mark() {
  const shown = page.won && page.game.solved && !page.editing && page.marked;
  $("solved").hidden = !shown;
  if (!shown) return;
  const known = truths(), all = page.game.counts().map(([name, value]) => [name, star(name, value, known[name])]);
  $("stars").replaceChildren(...all.map(([name, one]) => {
    const node = make("span", {class: "star", title: one.words}, make("i", {"aria-hidden": "true"}, one.won ? "★" : "☆"), ` ${name}${one.over ? ` +${one.over}` : ""}`, make("span", {class: "unseen"}, one.words));
    node.dataset.name = name;
    node.dataset.won = one.won ? "yes" : "no";
    return node;
  }));
}

on("solved", () => { page.marked = true; took = performance.now() - began; tick(); $("solved-time").textContent = `in ${clock(took)}`; mark(); });
on("known", mark);
on("changed", (moves) => {
  if (moves && !began) began = performance.now();
  if (!page.game.solved) { page.marked = false; took = null; }
  mark();
});
on("begin", () => {
  page.marked = false;
  [began, took] = [0, null];
  tick();
  mark();
});
$("solved-close").addEventListener("click", () => { page.marked = false; mark(); $("board").focus(); });
