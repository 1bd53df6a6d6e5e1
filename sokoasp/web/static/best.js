/* My best against the truth: bests, and optima asked for in the background. */
import {follow} from "./api.js";
import {board, changed, draw, isKlotski} from "./game.js";
import {learn} from "./hint.js";
import {$, button, make, on, page, say, settings, store, notify} from "./page.js";
import {count, proved} from "./solve.js";

let asking = null, timer = 0;

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
  say("");
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
}

on("begin", inquire);
on("changed", table);
on("proved", (result) => {
  if (String(result.position.rows) !== String(page.problem.rows) || proved(truths()[result.objective])) return;
  keep({...result, by: result.engine, origin: result.proof});
  table();
});
on("leave", stop);
on("settings", (name) => { if (name === "truth") inquire(); if (name === "optimum") table(); });
