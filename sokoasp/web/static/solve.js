/* The solver's lanes: what is asked, which bounds fell, what came out. */
import {ask, follow} from "./api.js";
import {download, make, notify, state} from "./page.js";

const SINGULAR = {lines: "line", pushes: "push", moves: "move", slides: "slide", units: "unit", boxes: "box", pieces: "piece", cells: "cell"};
export const count = (number, noun) => `${number} ${number === 1 ? SINGULAR[noun] ?? noun : noun}`;

export const planText = (plan) => typeof plan === "string" ? plan
  : plan.lurd ?? plan.actions.map(([piece, from, to, , path]) => `${piece} ${from} > ${to} ${path}`).join("\n");

export const NOT_NEEDED = "not needed";
export const proved = (result) => ["optimal", "unsolvable"].includes(result?.status);

/* One sentence for a result. */
export function summary(result) {
  const {status, objective, value} = result;
  if (status === "optimal") return `${count(value, objective)}, proved optimal${result.constrained ? " under your constraints" : ""}`;
  if (status === "solved") return `${count(value, objective)}, at least ${result.lower_bound} needed`;
  if (status === "unsolvable") return "No solution exists from here (proved)";
  if (status === "no_plan") return "No plan within the bound";
  const endless = result.constrained ? ". If no plan can meet your constraints, nothing but the time ends the search" : "";
  if (status === "time_out") return `Time is up; at least ${count(result.lower_bound, objective)} needed${endless}`;
  if (status === "memory_out") return `Memory is up; at least ${count(result.lower_bound, objective)} needed`;
  return status;
}

/* A button that has what was proved certified and checked, shows the seal, and gives the folder to keep. */
function certifier(result) {
  const seal = make("p", {class: "seal", role: "status"});
  const act = make("button", {type: "button", class: "certify"}, "Certificate");
  act.addEventListener("click", async () => {
    act.disabled = true;
    seal.textContent = "Making and checking a certificate …";
    try {
      const {plan, objective, position} = result;
      const found = await ask("certify", {problem: position, objective, plan: plan ? planText(plan) : ""});
      seal.dataset.checked = found.checked;
      seal.textContent = found.checked ? `Proved; certificate (${found.kind}) checked by ${found.by}. SHA-256 of its claim: ${found.sha256.slice(0, 16)}… ` : `${found.note} `;
      if (!found.zip) { if (found.checked) seal.append(found.note ?? ""); return; }
      const keep = make("button", {type: "button", class: "keep"}, "Download the certificate");
      keep.addEventListener("click", () => download(Uint8Array.from(atob(found.zip), (char) => char.charCodeAt(0)), "certificate.zip", "application/zip"));
      seal.append(keep);
    } catch (error) { seal.textContent = error.message; act.disabled = false; }
  });
  return [act, seal];
}

/* Runs one solve into a lane; resolves to its result, to the best that was known when it was stopped, or to null.
   `onKnown(bound, result)` hears of every better bound and plan on the way. */
export async function lane(host, body, signal, onKnown = () => {}) {
  const clock = make("span", {}, "");
  const bounds = make("ul", {class: "bounds", "aria-label": "Bounds tried"});
  const line = make("p", {class: "big"}, "Waiting …");
  const note = make("small"), proof = make("p"), fold = make("details", {hidden: true}, make("summary", {}, "How it is known"), proof);
  const node = make("div", {class: "lane", "data-engine": body.engine}, make("h2", {}, body.engine, clock), bounds, line, note, fold);
  node.dataset.state = "working";
  host.append(node);
  const began = performance.now();
  const timer = setInterval(() => { clock.textContent = `${((performance.now() - began) / 1000).toFixed(0)} s`; }, 500);
  let result = null, best = null;
  const handle = {
    queued: (event) => { line.textContent = event.ahead ? `${event.ahead} before you in the queue` : "Next in the queue"; },
    started: () => { line.textContent = "Working …"; },
      step: (event) => {
      const chip = make("li", {"data-result": event.result, title: `${event.seconds.toFixed(2)} s, ${event.conflicts} conflicts`}, String(event.t));
      bounds.append(chip);
      bounds.scrollTop = bounds.scrollHeight;
      if (event.result !== "unsat") return;
      line.textContent = `More than ${event.t} needed …`;
      onKnown(event.t + 1, null);
    },
    known: (event) => {
      const {lower_bound, stage, value, plan, timeline} = event;
      if (timeline) best = {status: "solved", objective: body.objective, value, plan, timeline, engine: body.engine, position: body.problem};
      if (best) best = {...best, lower_bound};
      line.textContent = best ? `${summary(best)} …` : lower_bound ? `At least ${count(lower_bound, body.objective)} needed …` : "Working …";
      note.textContent = stage;
      onKnown(lower_bound, best);
    },
    error: (event) => { line.textContent = event.sentence; node.dataset.state = "failed"; },
    result: (event) => {
      result = {...event.result, position: body.problem};
      line.textContent = summary(result);
      node.dataset.state = proved(result) ? "proved" : "open";
      note.textContent = "";
      proof.textContent = result.proof ?? "";
      fold.hidden = !result.proof;
    },
  };
  try {
    await follow("solve", body, signal, (event) => handle[event.event]?.(event));
  } catch (error) {
    if (signal.aborted) result = best;
    if (error.away) node.remove();
    line.textContent = !signal.aborted ? error.message : signal.reason === NOT_NEEDED ? "Not needed: another engine was quicker." : best ? `Stopped: ${summary(best)}` : "Stopped";
    node.dataset.state = signal.aborted ? "cancelled" : "failed";
  } finally {
    clearInterval(timer);
    clock.textContent = `${((performance.now() - began) / 1000).toFixed(1)} s`;
  }
  if (proved(result)) notify("proved", result);
  if (state.service && proved(result) && result.position.game === "sokoban") node.append(...certifier(result));
  return result;
}
