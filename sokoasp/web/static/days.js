/* The level of the day, the same for everybody, and on how many days in a row something was solved. */
import {ask} from "./api.js";
import {openCollection} from "./game.js";
import {t} from "./messages.js";
import {$, attempt, on, page, say, state, store} from "./page.js";

/* A day by its name, in the player's own time zone. */
const dayOf = (date) => `${date.getFullYear()}-${String(date.getMonth() + 1).padStart(2, "0")}-${String(date.getDate()).padStart(2, "0")}`;

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

/* Opens the level of the day: one of the graded sets. */
async function daily() {
  const day = dayOf(new Date()), sets = Object.keys(state.levels).filter((name) => name.startsWith("graded/"));
  const opened = await ask("open", {example: sets[draw(day, sets.length)]});
  openCollection(opened, draw(`${day} level`, opened.problems.length));
  store.set("daily", {day, id: page.id});
  say(t`The level of ${day}.`);
  show();
}

function show() {
  const days = streak(store.get("days", []), new Date()), {day, solved} = store.get("daily", {});
  $("daily").hidden = day === dayOf(new Date()) && solved;
  $("streak").textContent = days ? t`${days} ${days === 1 ? t`day` : t`days`} in a row` : "";
}

on("solved", () => {
  const today = dayOf(new Date()), days = store.get("days", []), chosen = store.get("daily", {});
  if (!days.includes(today)) store.set("days", [...days, today].slice(-400));
  if (chosen.id === page.id) store.set("daily", {...chosen, solved: true});
  show();
});
$("daily").addEventListener("click", () => attempt(daily));
show();
