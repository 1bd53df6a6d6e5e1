/* The ASP window: facts and program of this level, one's own rules and constraints, the atoms of each step beside the board. */
import {ask, follow} from "./api.js";
import {constant, writeFacts} from "./facts.js";
import {begin, board} from "./game.js";
import {insert, point, write} from "./code.js";
import {$, attempt, button, make, on, page, state, store} from "./page.js";
import {watch} from "./replay.js";
import {whole} from "./slips.js";
import {count, summary} from "./solve.js";
import {position} from "./solver.js";

/* What is done in a step, and what is the same in all of them. */
const ACTS = /^(push|move|slide)\(/, FIXED = /^(cell|direction|adjacent|opposite|step|class|place|covers|shift)\(/;
let shown = null, running = null, atoms = {}, loading = null, offered = "", shipped = "", game = "", asked = "";
const objective = () => $("asp-objective").value;

/* Shows what belongs to the level and objective; a program of one's own stays, unless it is to be as it was, or for another game. */
async function load(anew = false) {
  $("asp-without").hidden = state.clingo;
  $("asp-run").disabled = true;   // what is written below would end a run
  $("asp-program").readOnly = !($("asp-own").hidden = state.service);
  const names = page.problem.objectives;
  if (![...$("asp-objective").options].some((option) => option.value === names[0]))
    $("asp-objective").replaceChildren(...names.map((name) => new Option(name, name)));
  if (page.problem.game === "sokoban" && !shown) $("asp-objective").value = "pushes";
  shown = await ask("program", {problem: page.game.problem(), objective: objective()});
  $("asp-run").disabled = !state.clingo;
  compare();
  const own = $("asp-program").value.trim() && $("asp-program").value !== shipped;
  if (anew || !own || game !== page.problem.game) write("asp-program", shipped = shown.program);
  game = page.problem.game;
  vocabulary();
  $("asp-gallery-field").hidden = !shown.gallery.length;
  $("asp-gallery").replaceChildren(new Option("choose …", ""), ...shown.gallery.map((one, at) => new Option(one.title, at)));
  $("asp-example").replaceChildren(new Option("choose …", ""), ...shown.examples.map((one, at) => new Option(one.title, at)));
  $("asp-words").textContent = "";
  const first = shown.examples.findIndex(({title}) => title === "never up");
  if (first < 0 || offered || $("asp-constraints").value) return;
  offered = shown.examples[first].constraints;
  $("asp-example").value = first;
  write("asp-constraints", offered);
}

/* What may be said of this level; a touch puts it where the cursor is. */
function vocabulary() {
  $("asp-predicates").replaceChildren(...shown.vocabulary.map(({name, args, meaning}) => {
    const atom = `${name}(${args.join(",")})`, node = button("", () => insert("asp-constraints", atom), {title: "Put it where the cursor is"});
    node.append(make("code", {}, atom), make("small", {}, meaning));
    return node;
  }));
  const cells = Object.keys(shown.cells);
  $("asp-predicates").append(make("small", {}, `Cells: ${cells.length}, such as ${cells.slice(0, 3).join(", ")}: ${page.problem.game === "klotski" ? "row by row from 0" : "column and row from 1"}.`));
}

async function run() {
  forget();
  asked = position();
  const control = running = new AbortController(), own = $("asp-program").value;
  const body = {problem: page.game.problem(), objective: objective(), constraints: $("asp-constraints").value,
    program: shown && own === shown.program ? "" : own || "\n"};   // an empty one is refused, not the plain one
  answer("Running …", "busy");
  $("asp-run").disabled = true;
  $("asp-stop").hidden = false;
  try {
    await follow("run", body, control.signal, (event) => {
      if (event.event === "step") answer(event.result === "unsat" ? `More than ${event.t} needed …` : `Asking for ${event.t} …`, "busy");
      else if (event.event === "error") refuse(event.sentence);
      else if (event.event === "result") done({...event.result, position: body.problem, constrained: Boolean(body.constraints.trim())});
    });
  } catch (error) { if (control !== running) return; else if (error.away) answer("", ""); else if (control.signal.aborted) answer("Stopped.", "bad"); else refuse(error.message); } finally {
    if (!running || control === running) {
      $("asp-run").disabled = false;
      $("asp-stop").hidden = true;
    }
  }
}

/* A refusal with its place: the line is marked. */
function refuse(words) {
  const sentence = words.replace(/(?<!\()row (\d+), column (\d+)/g, (_, row, col) => constant([Number(row), Number(col)]));
  const [, file, line] = sentence.match(/\b(constraints|program)\.lp:(\d+)/) ?? [];
  if (file) point(`asp-${file}`, Number(line));
  const misplaced = file === "constraints" && whole($("asp-constraints").value) ? (state.service ? "; a whole program goes into 'The program'" : "; a whole program of your own runs with sokoasp serve") : "";
  answer(sentence + misplaced, "bad", ...(file ? [" ", button(`Line ${line}`, () => point(`asp-${file}`, Number(line)))] : []));
}

/* An answer is of the texts that were run: when one of them changes, what runs ends, and the answer goes. */
function forget() {
  running?.abort();
  running = null;
  $("asp-atoms").hidden = true;
  answer("", "");
}
on("code", forget);

/* One's own texts are kept for the next visit. */
on("code", () => {
  const [constraints, program] = ["asp-constraints", "asp-program"].map((id) => $(id).value);
  store.set("asp", {game, constraints: constraints === offered ? "" : constraints, program: program === shipped ? "" : program});
});

/* It is of its position, too; the facts are of the one on the board. */
function compare() {
  $("asp-earlier").hidden = !$("asp-answer").textContent || asked === position();
  if (shown && !$("asp-card").hidden) $("asp-facts").textContent = writeFacts(page.game.problem());
}
on("changed", compare);

function answer(words, state, ...more) {
  $("asp-answer").dataset.state = state;
  $("asp-answer").replaceChildren(words, ...more);
  compare();
}

/* What a program claims that the referee's search refutes. */
function refuted({value, status, lower_bound, objective}, least) {
  const claim = value !== null ? `The program claims ${count(value, objective)}` : ["no_plan", "unsolvable"].includes(status) ? "The program finds no plan"
    : `The program finds no plan of up to ${count(lower_bound - 1, objective).replace(/\d+/, (digits) => Number(digits).toLocaleString("en"))}`;
  return `${claim}. But the referee's search ${least === null ? "finds that there is no solution" : `has a plan of ${count(least, objective)}`}: the program is wrong.`;
}

function done(result) {
  const check = result.cross_check, wrong = check?.agrees === false;
  const told = wrong ? refuted(result, check.value) : result.engine === "native" ? "No plan: the level itself has no solution." : result.status === "no_plan" || result.status === "unsolvable" ? "No plan: the program has no answer." : `${summary(result)}.`;
  const paid = result.preferences?.cost?.length ? ` The plan costs ${result.preferences.cost.map(({priority, cost}) => priority === null ? cost : `${cost} at priority ${priority}`).join(", ")}, ${result.preferences.proved ? "proved least" : "not proved least"}.` : "";
  answer(told + paid, wrong ? "bad" : "good", ...(result.timeline ? [" ", button("Watch the plan", () => watch(result))] : []));
  atoms = result.atoms ?? {};
  const last = Math.max(0, ...Object.keys(atoms).map(Number));
  $("asp-atoms").hidden = !Object.keys(atoms).length;
  $("asp-step").max = last;
  $("asp-step").value = 0;
  $("asp-more").hidden = !result.more_atoms;
  step();
}

/* The atoms of a step; one that is touched shows its cells on the board. */
function step() {
  const at = Number($("asp-step").value);
  $("asp-at").textContent = at ? `step ${at}` : "the start";
  const node = (atom) => {
    const one = button(atom, () => mark(atom), {class: "atom"});
    one.addEventListener("pointerenter", () => mark(atom));
    return one;
  };
  const all = atoms[at] ?? [], acts = all.filter((atom) => ACTS.test(atom)), fixed = all.filter((atom) => FIXED.test(atom));
  $("asp-list").replaceChildren(...[...acts, ...all.filter((atom) => !ACTS.test(atom) && !FIXED.test(atom))].map(node),
    ...(fixed.length ? [make("details", {}, make("summary", {}, `The map (${fixed.length})`), ...fixed.map(node))] : []));
  mark((atoms[at] ?? []).find((atom) => atom.startsWith("push(")) ?? "");
}

function mark(atom) {
  const cells = [...atom.matchAll(/[a-z]\w*|\d+/g)].map(([name]) => shown.cells[name]).filter(Boolean);
  if (page.picked || page.replay) return;
  board.mark(atom.startsWith("push(") && cells.length > 1 ? {arrow: [...cells[0], ...cells[1]]} : {note: cells});
}

on("tab", (name) => {
  if (name !== "asp" || !page.game) return;
  if (shown) compare(); else attempt(load);
});
$("asp-example").addEventListener("change", () => {
  const one = shown.examples[Number($("asp-example").value)];
  if (!$("asp-example").value || !one) return;
  write("asp-constraints", one.constraints);
  if ($("asp-gallery").value) { write("asp-program", shipped = shown.program); $("asp-gallery").value = $("asp-words").textContent = ""; }
});
/* The example that the window opens with would bind a program of one's own unseen. */
$("asp-program").addEventListener("input", () => {
  if (!offered || $("asp-constraints").value !== offered) return;
  write("asp-constraints", "");
  $("asp-example").value = "";
});
$("asp-objective").addEventListener("change", () => { forget(); attempt(load); });
$("asp-reset").addEventListener("click", () => attempt(() => load(true)));
$("asp-run").addEventListener("click", () => attempt(run));
$("asp-stop").addEventListener("click", () => running?.abort());
$("asp-step").addEventListener("input", step);
$("asp-gallery").addEventListener("change", () => {
  if ($("asp-gallery").value) attempt(() => exhibit($("asp-gallery").value));
});

/* A wrong program is shown on a level where it fails. */
async function exhibit(at) {
  const one = shown.gallery[Number(at)];
  if (one.rows.length) begin({game: "sokoban", head: "", title: one.title, rows: one.rows}, {fresh: true});
  await loading;
  $("asp-gallery").value = at;
  write("asp-constraints", "");
  write("asp-program", shipped = one.program);
  $("asp-words").textContent = one.words;
}
on("begin", () => {
  shown = null;
  forget();
  for (const id of ["asp-gallery", "asp-example", "asp-words"]) $(id).replaceChildren();
  if (!$("asp-card").hidden) loading = attempt(load);
});

const kept = store.get("asp", {});
if (kept.constraints) write("asp-constraints", kept.constraints, true);
if (kept.program && state.service) {
  write("asp-program", kept.program, true);
  game = kept.game;
}
