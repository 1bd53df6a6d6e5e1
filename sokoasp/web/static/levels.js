/* The list of levels: drawn thumbnails, filter, search. Only the rows in sight are in the page, so any number stays smooth. */
import {settled} from "./best.js";
import {openText} from "./files.js";
import {choose, plain as packName, titleOf} from "./game.js";
import {t} from "./messages.js";
import {$, attempt, make, on, page, say, settings, state, store} from "./page.js";
import {plain} from "./plain.js";
import {count} from "./solve.js";
import {earned} from "./solved.js";
import {identity} from "./store.js";

const HIGH = 224;             // pixels a row, as in panels.css
const SHAPES = {"#": "wall", "$": "box", "*": "done", ".": "goal", "@": "player", "+": "player"};
let shown = [], facts = new WeakMap();

/* What the list says of an entry; worked out once. */
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
  const {problems, more} = page.opened;
  shown = wanted(problems, wishes, stateOf);
  const solved = progress();
  $("list-progress").max = problems.length;
  $("list-progress").value = solved;
  $("list-count").textContent = t`${shown.length} of ${problems.length} levels, ${solved} solved`
    + (more ? t`; ${more} more are too many to list` : "");
  $("next-unsolved").disabled = solved === problems.length;
  $("list").scrollTop = 0;
  fill();
}

/* How many levels of the open collection are solved; it is remembered for the list of collections. */
function progress() {
  const {problems, name} = page.opened, solved = problems.filter((entry) => !entry.error && stateOf(factsOf(entry).id) === "solved").length;
  store.set(`collection.${name}`, {solved, levels: problems.length});
  return solved;
}

function collections() {
  const {name} = page.opened, base = (path) => path.replace(/^.*\//, ""), teaching = (path) => /^(deadlocks|unsolvable)\//.test(path);
  const bundled = Object.keys(state.levels), names = [...(bundled.some((one) => base(one) === name) ? [] : [name]), ...bundled];
  const option = (one) => {
    const kept = store.get(`collection.${base(one)}`);
    return new Option(packName(one) + (kept ? t` (${kept.solved} of ${kept.levels})` : ""), one);
  };
  $("collection").replaceChildren(...names.filter((one) => !teaching(one)).map(option),
    make("optgroup", {label: t`For teachers`}, ...names.filter(teaching).map(option)));
  $("collection").value = names.find((one) => base(one) === name);
}

/* The grid's shape: cards in a row, and how wide each is. */
function shape() {
  const width = $("list").clientWidth, cards = Math.max(1, Math.floor(width / 145));
  return [cards, width / cards];
}

/* Puts the cards in sight into the page, and takes the others out. */
function fill() {
  const [cards, wide] = shape();
  $("list-space").style.height = `${Math.ceil(shown.length / cards) * HIGH}px`;
  const top = Math.max(0, Math.floor($("list").scrollTop / HIGH) - 1) * cards;
  const end = Math.min(shown.length, top + (Math.ceil($("list").clientHeight / HIGH) + 3) * cards);
  const there = new Map([...$("list-space").children].map((node) => [Number(node.dataset.at), node]));
  for (const [at, node] of there) if (!shown.slice(top, end).includes(at)) node.remove();
  for (let n = top; n < end; n++) {
    const node = there.get(shown[n]) ?? card(shown[n]);
    node.style.width = `${wide}px`;
    node.style.transform = `translate(${(n % cards) * wide}px, ${Math.floor(n / cards) * HIGH}px)`;
    if (!node.isConnected) $("list-space").append(node);
  }
}

/* One line on a level's bests beside what is known of its optimum. */
function figures(entry, saved) {
  const name = entry.game === "klotski" ? "slides" : "pushes", best = saved.bests?.[name]?.value, known = settled(saved)[name] ?? entry.optimum?.[name];
  const optimum = typeof known === "number" ? known : known?.status === "optimal" ? known.value : null;
  if (best === undefined) return optimum === null || !settings.optimum ? "" : t`optimum ${count(optimum, name)}`;
  return optimum === null ? count(best, name) : t`${best} of ${count(optimum, name)}`;
}

function card(at) {
  const entry = page.opened.problems[at], fact = factsOf(entry);
  const node = make("div", {role: "listitem", class: "level-row"});
  node.dataset.at = at;
  const open = make("button", {type: "button", class: "level"});
  if (at === page.at) open.setAttribute("aria-current", "true");
  const canvas = make("canvas", {width: 144, height: 96, "aria-hidden": "true"});
  const saved = fact.id ? store.level(fact.id) : {}, [won, most] = earned(saved);
  const stars = saved.bests ? "★".repeat(won) + "☆".repeat(most - won) : "", mark = saved.bests ? t`✓ solved` : saved.play ? t`… begun` : "";
  open.append(canvas, make("span", {class: "level-words"}, make("b", {}, `${entry.number ?? at + 1}. ${titleOf(entry, at + 1)}`),
    make("small", {}, entry.error ? plain(entry.error)[0] : `${count(fact.boxes, entry.game === "klotski" ? "pieces" : "boxes")} · ${fact.height} × ${fact.width}`), ...(entry.difficulty ? [make("small", {}, t`difficulty ${entry.difficulty} of 10`)] : []),
    make("small", {class: "done"}, [mark, figures(entry, saved)].filter(Boolean).join(": ")), make("small", {},
      ...(stars ? [make("span", {class: "level-stars", role: "img", "aria-label": t`${won} of ${most} stars`}, stars)] : []))));
  if (entry.error) open.disabled = true; else thumbnail(canvas, entry);
  open.addEventListener("click", () => { $("level-list").close(); choose(at); });
  node.append(open);
  return node;
}

/* The first unsolved level after the one on the board, from the start again if there is none. */
export function nextUnsolved() {
  const {problems} = page.opened, open = (entry) => !entry.error && stateOf(factsOf(entry).id) !== "solved";
  const after = problems.findIndex((entry, at) => at > page.at && open(entry));
  const found = after >= 0 ? after : problems.findIndex(open);
  if (found < 0) return say(t`Every level of this collection is solved.`);
  $("level-list").close();
  return choose(found);
}

if (matchMedia("(max-width:40rem)").matches) $("filters").open = false;
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
  collections();
  $("list").scrollTop = Math.max(0, Math.floor(shown.indexOf(page.at) / shape()[0]) - 1) * HIGH;
  fill();
});
$("collection").addEventListener("change", () => attempt(async () => {
  if (!state.levels[$("collection").value]) return;
  await openText({example: $("collection").value});
  filter();
  collections();
}));
$("next-unsolved").addEventListener("click", nextUnsolved);
addEventListener("resize", () => { if ($("level-list").open) fill(); });
on("solved", () => progress());
$("list-open").addEventListener("click", () => { $("level-list").close(); $("open").click(); });
$("list-edit").addEventListener("click", () => { $("level-list").close(); $("edit").click(); });
$("list-close").addEventListener("click", () => $("level-list").close());
$("previous").addEventListener("click", () => choose(page.at - 1));
$("next").addEventListener("click", () => choose(page.at + 1));
on("opened", () => {
  facts = new WeakMap();
  $("list-space").replaceChildren();  // its cards are those of the collection before
});
