/* Packs as cards, and the levels of one: pictures, filter, search. Only the rows in sight are in the page, so any number stays smooth. */
import {settled} from "./best.js";
import {openText} from "./files.js";
import {sketch} from "./draw.js";
import {choose, plain as packName, titleOf} from "./game.js";
import {Klotski} from "./klotski.js";
import {$, attempt, make, on, page, say, settings, state, store} from "./page.js";
import {plain} from "./plain.js";
import {count} from "./solve.js";
import {Sokoban} from "./sokoban.js";
import {earned} from "./solved.js";
import {identity} from "./store.js";

/* Pixels of a row and of a card at least, as in panels.css. */
const small = matchMedia("(max-width:40rem)"), high = () => small.matches ? 150 : 186, wide = () => small.matches ? 104 : 145;
const base = (path) => path.replace(/^.*\//, ""), teaching = (path) => /^(deadlocks\/|unsolvable\/|tutorial\/first)/.test(path);
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

/* The places in the collection of the entries that are wanted. */
export function wanted(entries, {words = "", state = "all"}, stateOf) {
  const parts = words.toLowerCase().split(/\s+/).filter(Boolean), found = [];
  entries.forEach((entry, at) => {
    const fact = factsOf(entry), title = `${entry.number ?? at + 1} ${titleOf(entry, at + 1)} ${entry.author ?? ""}`.toLowerCase();
    if (!parts.every((part) => title.includes(part))) return;
    if (state !== "all" && stateOf(fact.id) !== state) return;
    found.push(at);
  });
  return found;
}

function stateOf(id) {
  const entry = id ? store.level(id) : {};
  return entry.bests ? "solved" : entry.play ? "begun" : "open";
}

function filter() {
  const wishes = {words: $("find").value, state: $("find-state").value};
  const {problems, more} = page.opened, {solved} = progress();
  shown = wanted(problems, wishes, stateOf);
  $("list-title").textContent = packTitle(page.opened.name);
  $("list-progress").max = problems.length;
  $("list-progress").value = solved;
  $("list-count").textContent = `${shown.length} of ${problems.length} levels, ${solved} solved`
    + (more ? `; ${more} more are too many to list` : "");
  $("next-unsolved").disabled = solved === problems.length;
  $("list").scrollTop = 0;
  fill();
}

/* How many levels of the open collection are solved, and their stars; kept for the cards of the packs. */
function progress() {
  const {problems, name} = page.opened, all = problems.filter((entry) => !entry.error).map((entry) => store.level(factsOf(entry).id)).filter((saved) => saved.bests);
  const found = {solved: all.length, levels: problems.length, stars: all.reduce((sum, saved) => sum + earned(saved)[0], 0)};
  store.set(`collection.${name}`, found);
  $("levels").style.setProperty("--done", `${100 * found.solved / problems.length}%`);
  return found;
}

/* A pack's name: as its file says it, else after the file. */
const packTitle = (name) => (base(name) === page.opened.name && page.opened.title) || state.titles[name] || packName(name);

/* A card for every pack: its name, how much of it is solved, the stars. What teaches or tests stands apart. */
function packs() {
  const {name} = page.opened, bundled = Object.keys(state.levels), names = [...(bundled.some((one) => base(one) === name) ? [] : [name]), ...bundled];
  const node = (one) => {
    const {solved = 0, levels = 0, stars = 0} = store.get(`collection.${base(one)}`, {}), bar = make("progress", {max: levels || 1, value: solved, "aria-hidden": "true"});
    const open = make("button", {type: "button", class: "pack"}, make("b", {}, one.startsWith("klotski/") ? `Klotski: ${packName(one).toLowerCase()}` : packTitle(one)), bar, make("small", {}, levels ? `${solved} of ${levels}` : "new", stars ? ` ★ ${stars}` : ""));
    open.dataset.pack = one;
    if (base(one) === name) open.setAttribute("aria-current", "true");
    open.addEventListener("click", () => attempt(async () => {
      if (base(one) !== name) await openText({example: one});
      look(false);
    }));
    return open;
  };
  $("packs-list").replaceChildren(...names.filter((one) => !teaching(one)).map(node));
  $("packs-teaching").replaceChildren(...names.filter(teaching).map(node));
}

/* Shows the packs, or the levels of the open one. */
function look(all) {
  for (const id of ["pack", "list-packs"]) $(id).hidden = all;
  $("packs").hidden = !all;
  if (all) { $("list-title").textContent = "Levels"; packs(); return; }
  $("list-space").replaceChildren();
  filter();
  $("list").scrollTop = Math.max(0, Math.floor(shown.indexOf(page.at) / shape()[0]) - 1) * high();
  fill();
}

/* The grid's shape: cards in a row, and how wide each is. */
function shape() {
  const width = $("list").clientWidth, cards = Math.max(1, Math.floor(width / wide()));
  return [cards, width / cards];
}

/* Puts the cards in sight into the page, and takes the others out. */
function fill() {
  const [cards, each] = shape(), row = high();
  $("list-space").style.height = `${Math.ceil(shown.length / cards) * row}px`;
  const top = Math.max(0, Math.floor($("list").scrollTop / row) - 1) * cards;
  const end = Math.min(shown.length, top + (Math.ceil($("list").clientHeight / row) + 3) * cards);
  const there = new Map([...$("list-space").children].map((node) => [Number(node.dataset.at), node]));
  for (const [at, node] of there) if (!shown.slice(top, end).includes(at)) node.remove();
  for (let n = top; n < end; n++) {
    const node = there.get(shown[n]) ?? card(shown[n]);
    node.style.width = `${each}px`;
    node.style.transform = `translate(${(n % cards) * each}px, ${Math.floor(n / cards) * row}px)`;
    if (!node.isConnected) $("list-space").append(node);
  }
}

/* One line on a level's bests beside what is known of its optimum. */
function figures(entry, saved) {
  const name = entry.game === "klotski" ? "slides" : "pushes", best = saved.bests?.[name]?.value, known = settled(saved)[name] ?? entry.optimum?.[name];
  const optimum = typeof known === "number" ? known : known?.status === "optimal" ? known.value : null;
  if (best === undefined) return optimum === null || !settings.optimum ? "" : `optimum ${count(optimum, name)}`;
  return optimum === null ? count(best, name) : `${best} of ${count(optimum, name)}`;
}

function card(at) {
  const entry = page.opened.problems[at], fact = factsOf(entry);
  const node = make("div", {role: "listitem", class: "level-row"});
  node.dataset.at = at;
  const open = make("button", {type: "button", class: "level"});
  if (at === page.at && page.problem.place) open.setAttribute("aria-current", "true");
  const saved = fact.id ? store.level(fact.id) : {}, [won, most] = earned(saved);
  const stars = saved.bests ? "★".repeat(won) + "☆".repeat(most - won) : "", mark = saved.bests ? "✓ solved" : saved.play ? "… begun" : "";
  open.append(entry.error ? "" : sketch(entry.game === "klotski" ? new Klotski(entry) : new Sokoban(entry)), make("span", {class: "level-words"}, make("b", {}, `${entry.number ?? at + 1}. ${titleOf(entry, at + 1)}`),
    make("small", {class: "done"}, [mark, figures(entry, saved)].filter(Boolean).join(": ")),
    make("small", {}, entry.error ? plain(entry.error)[0] : `${count(fact.boxes, entry.game === "klotski" ? "pieces" : "boxes")} · ${fact.height} × ${fact.width}`), ...(entry.difficulty ? [make("small", {}, `difficulty ${entry.difficulty} of 10`)] : []), ...(entry.author ? [make("small", {}, `by ${entry.author}`)] : [])),
    ...(stars ? [make("span", {class: "level-stars", role: "img", "aria-label": `${won} of ${most} stars`}, stars)] : []));
  open.disabled = Boolean(entry.error);
  open.addEventListener("click", () => { $("level-list").close(); choose(at); });
  node.append(open);
  return node;
}

/* The first unsolved level after the one on the board, from the start again if there is none. */
export function nextUnsolved() {
  const {problems} = page.opened, open = (entry) => !entry.error && stateOf(factsOf(entry).id) !== "solved";
  const after = problems.findIndex((entry, at) => at > page.at && open(entry));
  const found = after >= 0 ? after : problems.findIndex(open);
  if (found < 0) return say("Every level of this collection is solved.");
  $("level-list").close();
  return choose(found);
}

let waiting = false;
$("list").addEventListener("scroll", () => {
  if (waiting) return;
  waiting = true;
  requestAnimationFrame(() => { waiting = false; fill(); });
});
for (const id of ["find", "find-state"]) $(id).addEventListener("input", filter);
$("levels").addEventListener("click", () => { $("level-list").showModal(); look(false); });
$("list-packs").addEventListener("click", () => look(true));
$("next-unsolved").addEventListener("click", nextUnsolved);
addEventListener("resize", () => { if ($("level-list").open) fill(); });
on("solved", progress);
$("list-open").addEventListener("click", () => { $("level-list").close(); $("open").click(); });
$("list-edit").addEventListener("click", () => { $("level-list").close(); $("edit").click(); });
$("list-keys").addEventListener("click", () => { $("level-list").close(); $("show-keys").click(); });
$("list-close").addEventListener("click", () => $("level-list").close());
$("previous").addEventListener("click", () => choose(page.at - 1));
$("next").addEventListener("click", () => choose(page.at + 1));
on("opened", () => {
  facts = new WeakMap();
  progress();
  $("list-space").replaceChildren();  // its cards are those of the collection before
});
