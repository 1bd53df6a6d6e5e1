/* My best against the truth: bests, optima asked for in the background, and where a play lost its pushes. */
import {follow} from "./api.js";
import {board, changed, draw, isKlotski} from "./game.js";
import {learn} from "./hint.js";
import {slidesOf} from "./klotski.js";
import {$, button, make, on, page, say, settings, store, notify} from "./page.js";
import {count, planText, proved} from "./solve.js";

const NS = "http://www.w3.org/2000/svg";
let asking = null, weighing = null, timer = 0;

/* What is known of a level by objective: {status, value, lower_bound, by}; a best that meets the bound is the optimum. */
export function settled({truth = {}, bests = {}}) {
  return Object.fromEntries(Object.entries(truth).map(([name, one]) => {
    const met = !proved(one) && bests[name] && bests[name].value === one.lower_bound;
    return [name, met ? {...one, status: "optimal", value: one.lower_bound} : one];
  }));
}
export const truths = () => settled(store.level(page.id));

function words(truth) {
  if (!truth) return "?";
  if (truth.status === "optimal") return `${truth.value}`;
  if (truth.status === "unsolvable") return "no solution";
  return `≥ ${truth.lower_bound ?? 0}${truth.value ? `, ≤ ${truth.value}` : ""}`;
}

function table() {
  const now = new Map(page.game.counts()), bests = store.level(page.id).bests ?? {}, known = truths(), told = tells(bests);
  $("best-rows").replaceChildren(...[...now].map(([name, value]) => {
    const row = make("tr", {}, make("th", {scope: "row"}, name), make("td", {}, String(value)),
      make("td", {}, bests[name] ? button(String(bests[name].value), () => again(bests[name].plan), {title: "Play my best again"}) : "–"),
      make("td", {title: told ? known[name]?.by ?? "" : "Shown once you have solved it"}, told ? words(known[name]) : "–"));
    row.dataset.name = name;
    return row;
  }));
  $("origin").replaceChildren(...[...now.keys()].filter((name) => known[name]?.origin).map((name) => make("li", {}, `${name}: ${known[name].origin}`)));
  $("origins").hidden = !told || !$("origin").childElementCount;
  $("weigh").hidden = !ends(page.game.plan()).length;
  $("distance").textContent = distance(bests, known);
}

/* The optimum is told once one has solved the level, or always if one likes. */
const tells = (bests) => settings.optimum || Object.keys(bests).length > 0;

/* One sentence: how far my best is from the optimum. */
export function distance(bests, known) {
  const name = page.game.counts().map(([one]) => one).find((one) => one === (isKlotski() ? "slides" : "pushes"));
  const truth = known[name], best = bests[name]?.value;
  if (!truth) return "";
  if (truth.status === "unsolvable") return "Proved: this level has no solution.";
  if (truth.status !== "optimal") return best ? `My best ${best}; at least ${count(truth.lower_bound, name)} needed.` : "";
  if (!tells(bests)) return "";
  if (best === undefined) return `Optimum: ${count(truth.value, name)}.`;
  if (best === truth.value) return `My best is the optimum: ${count(best, name)}.`;
  return `You are ${count(best - truth.value, name)} from the optimum.`;
}

function again(plan) {
  while (page.game.undo());
  page.game.undone = [];
  page.game.restore({done: plan});
  page.hint = null;
  draw();
  changed();
}

function keep(truth) {
  const {objective, status, value, lower_bound, by, origin} = truth;
  store.change(page.id, {truth: {...truths(), [objective]: {status, value, lower_bound, by, origin}}});
  if (truth.timeline) learn({...truth, position: page.problem});
  notify("known");
}

/* Asks once one has stayed on a level for a moment; leaving it takes the question back. */
function inquire() {
  stop();
  if (!settings.truth || page.editing) return;
  const {id, problem} = page;
  timer = setTimeout(async () => {
    const control = asking = new AbortController();
    try {
      await follow("truth", {problem}, control.signal, (event) => {
        if (event.event !== "truth" || page.id !== id) return;
        keep(event);
        table();
      });
    } catch { /* taken back, or no worker could be started: nothing is known then */ }
  }, 1200);
}

function stop() {
  clearTimeout(timer);
  asking?.abort();
  weighing?.abort();
}

/* ---- where pushes were lost ---- */

async function weigh() {
  weighing?.abort();
  const control = weighing = new AbortController(), {game} = page, play = game.plan(), totals = new Map(), steps = ends(play).length;
  if (!steps) return undefined;
  const plan = isKlotski() ? planText({actions: slidesOf(page.problem, play)}) : play;
  $("bar-note").textContent = "Weighing …";
  try {
    await follow("losses", {problem: page.problem, plan}, control.signal, (event) => {
      if (event.event === "error") $("bar-note").textContent = event.sentence;
      if (event.event !== "total" || game !== page.game) return;
      totals.set(event.at, event.verdict === "dead" ? Infinity : event.verdict === "open" ? null : event.total);
      bar(totals, steps, play);
    });
  } catch (error) { if (!control.signal.aborted) $("bar-note").textContent = error.message; }
  return undefined;
}

/* Where each push (a board: slide) of a play begins and ends in its text, as [begin, end]. */
function ends(play) {
  if (!isKlotski()) return [...play].flatMap((letter, at) => letter === letter.toLowerCase() ? [] : [[at, at + 1]]);
  const found = [];
  let at = 0, last = "";
  for (const part of play.split(".").filter(Boolean)) {
    if (part[0] === last) found.at(-1)[1] = at + part.length; else found.push([at, at + part.length]);
    at += part.length + 1;
    last = part[0];
  }
  return found;
}

/* Pushes that cost: [number, what it cost]; a push after which there is no way to the end costs everything. */
export function costs(totals, pushes) {
  const found = [];
  for (let n = 1; n <= pushes; n++) {
    const before = totals.get(n - 1), after = totals.get(n);
    if (typeof before === "number" && typeof after === "number" && after > before) found.push([n, after - before]);
  }
  return found;
}

/* A bar of the way to go: a column a push, as high as what is left after it, coloured by whether the push cost anything. */
function bar(totals, pushes, plan) {
  const [one, many] = isKlotski() ? ["slide", "slides"] : ["push", "pushes"], svg = document.createElementNS(NS, "svg"), lost = new Map(costs(totals, pushes));
  svg.setAttribute("viewBox", `0 0 ${pushes} 10`);
  svg.setAttribute("preserveAspectRatio", "none");
  svg.setAttribute("aria-hidden", "true");
  const left = (n) => typeof totals.get(n) === "number" && totals.get(n) !== Infinity ? totals.get(n) - n : null;
  const most = Math.max(1, ...Array.from({length: pushes + 1}, (_, n) => left(n) ?? 0));
  for (let n = 1; n <= pushes; n++) {
    const rect = document.createElementNS(NS, "rect"), total = totals.get(n);
    const kind = lost.has(n) ? "lost" : total === Infinity ? "dead" : typeof total === "number" ? "fine" : "open";
    const high = left(n) === null ? 10 : Math.max(.8, 10 * left(n) / most), words = left(n) === null ? "" : `after ${one} ${n}: ${left(n)} to go`;
    for (const [name, value] of Object.entries({class: kind, x: n - 1, y: 10 - high, width: 1, height: high})) rect.setAttribute(name, value);
    if (words) rect.append(Object.assign(document.createElementNS(NS, "title"), {textContent: words}));
    svg.append(rect);
  }
  const list = [...lost].slice(0, 12).map(([n, cost]) =>
    button(cost === Infinity ? `${one} ${n}: no way back` : `${one} ${n}: +${cost}`, () => jump(plan, n)));
  const sum = [...lost.values()].filter(Number.isFinite).reduce((a, b) => a + b, 0);
  const whole = totals.size === pushes + 1 && [...totals.values()].every((total) => total !== null);
  $("bar-note").textContent = `${lost.size ? sum ? `${lost.size} of ${pushes} ${many} led astray: ${sum} too many.` : `${lost.size} of ${pushes} ${many} led astray.` : whole ? `No ${one} was lost.` : ""}${whole ? "" : " Not all of it is known yet."}`;
  $("bar").replaceChildren(svg, ...(lost.size ? [button(`Jump to the first ${one} that costs`, () => jump(plan, Math.min(...lost.keys())), {class: "primary", id: "jump"})] : []), ...list);
}

/* Back to the position before a push or slide of the play. */
function jump(plan, number) {
  const [end] = ends(plan)[number - 1];
  while (page.game.undo());
  page.game.undone = [];
  page.game.restore({done: plan.slice(0, end), redo: plan.slice(end)});
  page.hint = null;
  draw();
  changed();
  say(`Before ${isKlotski() ? "slide" : "push"} ${number}. Redo plays what you did.`);
}

$("weigh").addEventListener("click", weigh);
on("begin", () => { $("bar").replaceChildren(); $("bar-note").textContent = ""; inquire(); });
on("changed", table);
on("proved", (result) => {
  if (String(result.position.rows) !== String(page.problem.rows) || proved(truths()[result.objective])) return;
  keep({...result, by: result.engine, origin: result.proof});
  table();
});
on("leave", stop);
on("settings", (name) => { if (name === "truth") inquire(); if (name === "optimum") table(); });
