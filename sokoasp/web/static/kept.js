/* Solutions and positions kept under names, a level's solves over the days, the level of the day, and the days in a row. */
import {begin, isKlotski, isReverse, openCollection} from "./game.js";
import {ask} from "./api.js";
import {t} from "./messages.js";
import {$, attempt, button, make, on, page, say, state, store} from "./page.js";
import {truths} from "./best.js";
import {count} from "./solve.js";

const MOST = 30;
let since = Date.now();
const noun = () => isKlotski() ? "slides" : "pushes";

/* A day by its name, in the player's own time zone. */
export const dayOf = (date) => `${date.getFullYear()}-${String(date.getMonth() + 1).padStart(2, "0")}-${String(date.getDate()).padStart(2, "0")}`;

/* How many days in a row, up to today or yesterday, something was solved. */
export function streak(days, today) {
  const solved = new Set(days), at = new Date(today);
  if (!solved.has(dayOf(at))) at.setDate(at.getDate() - 1);
  let row = 0;
  for (; solved.has(dayOf(at)); at.setDate(at.getDate() - 1)) row++;
  return row;
}

/* A number that depends on nothing but a day: everybody gets the same level. */
export function draw(day, choices) {
  let hash = 2166136261;
  for (const char of day) hash = Math.imul(hash ^ char.codePointAt(0), 16777619) >>> 0;
  return hash % choices;
}

function keep() {
  const {game} = page, entry = store.level(page.id), kept = entry.kept ?? [], solved = game.solved && !isReverse();
  const kind = solved ? "solution" : "position", number = kept.filter((one) => one.kind === kind).length + 1;
  const name = $("keep-name").value.trim() || `${kind === "solution" ? t`Solution` : t`Position`} ${number}`;
  store.change(page.id, {kept: [...kept.filter((one) => one.name !== name), {name, kind, play: game.saved(), counts: game.counts(), day: dayOf(new Date())}].slice(-MOST)});
  $("keep-name").value = "";
  show();
  say(t`Kept as ${name}.`);
}

function back({name, play}) {
  begin(page.problem, {plan: play.done, reverse: isReverse()});
  say(t`${name} is on the board.`);
}

function forget(name) {
  store.change(page.id, {kept: store.level(page.id).kept.filter((one) => one.name !== name)});
  show();
}

function show() {
  const {kept = [], log = []} = store.level(page.id), optimum = truths()[noun()];
  $("kept-list").replaceChildren(...kept.map((one) => make("li", {},
    button(one.name, () => back(one), {class: "kept-name"}), make("small", {}, ` ${one.counts.map(([name, value]) => count(value, name)).join(", ")} `),
    button("✕", () => forget(one.name), {"aria-label": t`Forget ${one.name}`}))));
  $("kept-log").replaceChildren(...log.slice(-5).map(({day, value, seconds}) => {
    const over = optimum?.status === "optimal" ? ` (${value === optimum.value ? t`the optimum` : `+${value - optimum.value}`})` : "";
    return make("li", {}, `${day}: ${count(value, noun())}${over}, ${seconds} s`);
  }));
  $("kept-days").hidden = !log.length;
  const days = streak(store.get("days", []), new Date());
  $("streak").textContent = days ? t`${days} ${days === 1 ? t`day` : t`days`} in a row` : "";
}

on("solved", () => {
  if (isReverse() || page.editing) return;
  const value = new Map(page.game.counts()).get(noun()), entry = store.level(page.id), today = dayOf(new Date());
  const seconds = Math.round((Date.now() - since) / 1000);
  $("solved-time").textContent = t`in ${seconds} s`;
  store.change(page.id, {log: [...(entry.log ?? []), {day: today, value, seconds}].slice(-MOST)});
  const days = store.get("days", []);
  if (!days.includes(today)) store.set("days", [...days, today].slice(-400));
  show();
});
on("begin", () => { since = Date.now(); show(); });
on("known", show);

/* The level of the day: one of the graded sets, or of the tutorial where there are none. */
export async function daily(day = dayOf(new Date())) {
  const graded = Object.keys(state.levels).filter((name) => name.startsWith("graded/")), sets = graded.length ? graded : ["tutorial/tutorial.xsb"];
  const example = sets[draw(day, sets.length)], opened = await ask("open", {example});
  const fine = opened.problems.map((entry, at) => [entry, at]).filter(([entry]) => !entry.error);
  $("level-list").close();
  openCollection(opened, fine[draw(`${day} level`, fine.length)][1]);
  say(t`The level of ${day}.`);
}

$("keep").addEventListener("click", keep);
$("daily").addEventListener("click", () => attempt(() => daily()));
