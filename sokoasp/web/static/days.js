/* The level of the day, the same for everybody, offered until it is solved. */
import {ask} from "./api.js";
import {openCollection} from "./game.js";
import {$, attempt, on, page, say, state, store} from "./page.js";

/* A day by its name, in the player's own time zone. */
const dayOf = (date) => `${date.getFullYear()}-${String(date.getMonth() + 1).padStart(2, "0")}-${String(date.getDate()).padStart(2, "0")}`;

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
  say(`The level of ${day}.`);
  show();
}

function show() {
  const {day, solved} = store.get("daily", {});
  $("daily").hidden = day === dayOf(new Date()) && solved;
}

on("solved", () => {
  const chosen = store.get("daily", {});
  if (chosen.id === page.id) store.set("daily", {...chosen, solved: true});
  show();
});
$("daily").addEventListener("click", () => attempt(daily));
show();
