/* Solving from here: one engine, or both as the portfolio; what is known is shown while it runs. */
import {$, button, on, page, notify} from "./page.js";
import {watch} from "./replay.js";
import {NOT_NEEDED, count, lane, proved, summary} from "./solve.js";

export const PORTFOLIO = "portfolio";
export const engines = () => page.problem.engines ?? ["asp"];
/* The engines of the portfolio: ASP and the native search; whichever proves something first stops the others. */
export const runners = () => [["asp"], ["native", "forward", "reference"]].flatMap((names) => names.filter((name) => engines().includes(name)).slice(0, 1));

export function request(engine, more = {}) {
  return {problem: page.game.problem(), objective: $("objective").value, engine, seconds: Number($("seconds").value), ...more};
}

/* Only who stops it by the button wants to know how far it came. */
const STOPPED = "stopped";
export function stop(reason) {
  page.running?.abort(reason);
  page.running = null;
}

/* Runs a task that can be stopped, one at a time. */
export async function working(act) {
  stop();
  const control = page.running = new AbortController();
  for (const id of ["solve", "hint"]) $(id).disabled = true;
  $("cancel").hidden = false;
  for (const id of ["lanes", "found"]) $(id).replaceChildren();
  asked = position();
  joined("");
  try {
    return await act(control.signal);
  } finally {
    if (page.running === control || !page.running) {
      page.running = null;
      for (const id of ["solve", "hint"]) $(id).disabled = false;
      $("cancel").hidden = true;
    }
  }
}

export const position = () => JSON.stringify(page.game?.problem().rows);
let said = "", asked = "";
/* What is known, of the position that was asked about. */
const joined = (words) => {
  said = words;
  $("joined").textContent = (words && asked !== position() ? "From an earlier position: " : "") + words;
};
on("changed", () => joined(said));

/* The certificates of all runners together: a bound, a plan, and what lies between. */
class Certificates {
  constructor(objective, plan = null) { Object.assign(this, {objective, lower: 0, plan, solved: false}); }

  known(bound, found) {
    this.lower = Math.max(this.lower, bound);
    if (found && (!this.plan || found.value < this.plan.value)) this.plan = found;
    this.show();
  }

  result(found) {
    if (!found) return;
    if (found.timeline && (!this.plan || found.value < this.plan.value)) this.plan = found;
    if (found.status === "optimal") this.lower = found.value;
    else if (found.status === "unsolvable") this.impossible = true;
    else this.lower = Math.max(this.lower, found.lower_bound ?? 0);
    this.show();
  }

  get words() {
    if (this.impossible) return "No solution exists from here (proved).";
    const {lower, plan, objective} = this;
    if (plan && plan.value === lower) return `${count(plan.value, objective)}: proved, nothing is better.`;
    if (plan) return `Best plan ${plan.value}, at least ${lower} needed: a gap of ${plan.value - lower}.`;
    return lower ? `At least ${count(lower, objective)} needed; no plan yet.` : "";
  }

  show() { joined(this.words); }
}

/* Asks all runners at once; resolves to the first proof, else to the best that was found. */
export async function portfolio(signal, {more = {}, onPlan = () => {}} = {}) {
  const known = new Certificates($("objective").value), control = new AbortController();
  signal.addEventListener("abort", () => control.abort());
  const runs = runners().map(async (engine) => {
    const result = await lane($("lanes"), request(engine, more), control.signal, (bound, found) => {
      known.known(bound, found);
      if (found) onPlan(found);
    });
    known.result(result);
    if (result?.timeline && !proved(result)) onPlan(result);
    if (proved(result)) { if (!control.signal.aborted) control.abort(NOT_NEEDED); return result; }
    throw result;
  });
  try {
    return await Promise.any(runs);
  } catch { return known.plan; } finally {
    if (signal.reason === STOPPED) joined(`Stopped. ${known.words}`);
  }
}

export function solve() {
  const engine = $("engine").value;
  notify("open-panel", "solve");
  return working(async (signal) => {
    const result = await (engine === PORTFOLIO ? portfolio(signal) : lane($("lanes"), request(engine), signal));
    if (signal.aborted && signal.reason !== STOPPED) return;
    if (result && engine !== PORTFOLIO) joined(`${summary(result)}.`);
    offer(result);
  });
}

/* The plan that was found, to watch. */
function offer(result) {
  if (result?.timeline) $("found").replaceChildren(button("Watch", () => watch(result), {class: "watch primary"}));
}

function fill(select, values, wanted) {
  const before = select.value;
  select.replaceChildren(...values.map((value) => new Option(value, value)));
  select.value = values.includes(before) ? before : wanted;
}

on("begin", () => {
  const {problem} = page;
  fill($("objective"), problem.objectives ?? page.game.counts().map(([name]) => name), problem.game === "sokoban" ? "pushes" : "slides");
  fill($("engine"), [PORTFOLIO, ...engines()], PORTFOLIO);
  forget();
});
/* An answer is of the count that was asked for. */
function forget() {
  stop();
  for (const id of ["lanes", "found"]) $(id).replaceChildren();
  joined("");
}
$("objective").addEventListener("change", forget);
on("leave", stop);
$("cancel").addEventListener("click", () => stop(STOPPED));
$("solve-form").addEventListener("submit", (event) => { event.preventDefault(); solve(); });
