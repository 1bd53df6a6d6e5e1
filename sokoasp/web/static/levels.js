/* The list of levels: drawn thumbnails, filter, search. Only the rows in sight are in the page, so any number stays smooth. */
import {choose, titleOf} from "./game.js";
import {$, make, on, page, store} from "./page.js";
import {count} from "./solve.js";
import {identity} from "./store.js";

const HIGH = 76;              // pixels a row, as in app.css
const SHAPES = {"#": "wall", "$": "box", "*": "done", ".": "goal", "@": "player", "+": "player"};
let shown = [], facts = new WeakMap();

/* What the list tells of an entry; worked out once. */
export function factsOf(entry) {
  if (!facts.has(entry)) {
    const text = (entry.rows ?? []).join("");
    facts.set(entry, {
      id: entry.error ? null : identity(entry),
      boxes: entry.game === "klotski" ? new Set(text.replace(/[.#]/g, "")).size : (text.match(/[$*]/g) ?? []).length,
      height: entry.rows?.length ?? 0, width: Math.max(0, ...(entry.rows ?? []).map((row) => row.length)),
    });
  }
  return facts.get(entry);
}

/* Draws a level as coloured squares. */
export function thumbnail(canvas, entry) {
  const {height, width} = factsOf(entry), pen = canvas.getContext("2d");
  const size = Math.max(1, Math.floor(Math.min(canvas.width / width, canvas.height / height)));
  const left = Math.floor((canvas.width - size * width) / 2), top = Math.floor((canvas.height - size * height) / 2);
  pen.clearRect(0, 0, canvas.width, canvas.height);
  const style = getComputedStyle(document.documentElement), colour = (name) => style.getPropertyValue(`--sk-${name}`);
  const line = document.documentElement.dataset.skin === "plan" ? "-line" : "";  // a blueprint's boxes are white
  const colours = {wall: colour("wall"), box: colour(`box${line}`), done: colour(`done${line}`), goal: colour("goal"), player: colour(`player${line}`)};
  const kinds = ["piece-goal", "piece-wide", "piece-tall", "piece-unit", "piece-other"].map(colour);
  entry.rows.forEach((text, row) => [...text].forEach((char, col) => {
    const klotski = entry.game === "klotski" && char !== "#" && char !== ".";
    const fill = klotski ? kinds[char.codePointAt(0) % kinds.length] : entry.game === "klotski" && char === "." ? null : colours[SHAPES[char]];
    if (!fill) return;
    pen.fillStyle = fill;
    const less = char === "." ? size / 3 : 0;
    pen.fillRect(left + col * size + less, top + row * size + less, size - 2 * less, size - 2 * less);
  }));
}

/* The places in the collection of the entries that are wanted. */
export function wanted(entries, {words = "", state = "all", boxes = "", size = ""}, stateOf) {
  const parts = words.toLowerCase().split(/\s+/).filter(Boolean), found = [];
  entries.forEach((entry, at) => {
    const fact = factsOf(entry), title = `${entry.number ?? at + 1} ${titleOf(entry, at + 1)} ${entry.author ?? ""}`.toLowerCase();
    if (!parts.every((part) => title.includes(part))) return;
    if (state !== "all" && stateOf(fact.id) !== state) return;
    if (boxes && !within(fact.boxes, boxes)) return;
    if (size && !within(fact.height * fact.width, size)) return;
    found.push(at);
  });
  return found;
}

const within = (value, range) => { const [low, high] = range.split("-").map(Number); return value >= low && value <= (high || Infinity); };

function stateOf(id) {
  const entry = id ? store.level(id) : {};
  return entry.bests ? "solved" : entry.play ? "begun" : "open";
}

function filter() {
  const wishes = {words: $("find").value, state: $("find-state").value, boxes: $("find-boxes").value, size: $("find-size").value};
  shown = wanted(page.opened.problems, wishes, stateOf);
  $("list-space").style.height = `${shown.length * HIGH}px`;
  const solved = page.opened.problems.filter((entry) => !entry.error && stateOf(factsOf(entry).id) === "solved").length;
  $("list-count").textContent = `${shown.length} of ${page.opened.problems.length} levels, ${solved} solved`
    + (page.opened.more ? `; ${page.opened.more} more are too many to list` : "");
  $("list").scrollTop = 0;
  fill();
}

/* Puts the rows in sight into the page, and takes the others out. */
function fill() {
  const top = Math.max(0, Math.floor($("list").scrollTop / HIGH) - 3), end = Math.min(shown.length, top + Math.ceil($("list").clientHeight / HIGH) + 6);
  const there = new Map([...$("list-space").children].map((node) => [Number(node.dataset.at), node]));
  for (const [at, node] of there) if (!shown.slice(top, end).includes(at)) node.remove();
  for (let n = top; n < end; n++) {
    const node = there.get(shown[n]) ?? row(shown[n]);
    node.style.transform = `translateY(${n * HIGH}px)`;
    if (!node.isConnected) $("list-space").append(node);
  }
}

function row(at) {
  const entry = page.opened.problems[at], fact = factsOf(entry);
  const node = make("div", {role: "listitem", class: "level-row"});
  node.dataset.at = at;
  const open = make("button", {type: "button", class: "level"});
  if (at === page.at) open.setAttribute("aria-current", "true");
  const canvas = make("canvas", {width: 96, height: 64, "aria-hidden": "true"});
  const saved = fact.id ? store.level(fact.id) : {};
  const bests = Object.entries(saved.bests ?? {}).map(([name, best]) => count(best.value, name)).join(", ");
  const mark = saved.bests ? "✓ solved" : saved.play ? "… begun" : "";
  open.append(canvas, make("span", {class: "level-words"}, make("b", {}, `${entry.number ?? at + 1}. ${titleOf(entry, at + 1)}`),
    make("small", {}, entry.error ? entry.error : `${count(fact.boxes, entry.game === "klotski" ? "pieces" : "boxes")} · ${fact.height} × ${fact.width}`),
    make("small", {class: "done"}, [mark, bests].filter(Boolean).join(": "))));
  if (entry.error) open.disabled = true; else thumbnail(canvas, entry);
  open.addEventListener("click", () => { $("level-list").close(); choose(at); });
  node.append(open);
  return node;
}

let waiting = false;
$("list").addEventListener("scroll", () => {
  if (waiting) return;
  waiting = true;
  requestAnimationFrame(() => { waiting = false; fill(); });
});
for (const id of ["find", "find-state", "find-boxes", "find-size"]) $(id).addEventListener("input", filter);
$("levels").addEventListener("click", () => {
  $("list-space").replaceChildren();
  $("level-list").showModal();
  filter();
  $("list").scrollTop = Math.max(0, shown.indexOf(page.at) - 2) * HIGH;
  fill();
});
$("list-close").addEventListener("click", () => $("level-list").close());
$("previous").addEventListener("click", () => choose(page.at - 1));
$("next").addEventListener("click", () => choose(page.at + 1));
on("opened", () => { facts = new WeakMap(); });
