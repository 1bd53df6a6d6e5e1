/* The first minute: one line under the board and a hand over it that shows what to do, until the first push. */
import {element} from "./board.js";
import {board, isKlotski} from "./game.js";
import {$, on, page, store} from "./page.js";
import {routesOf} from "./play.js";

const HAND = "M10 46V12a5 5 0 0 1 10 0v16l14 3q6 1 5 7l-3 12q-1 4-5 4H18q-4 0-6-3L1 36q-3-5 1-7t8 3Z";

/* A box and a goal that it can be brought to at once, as [row, column] each; without one there is no hand. */
function wayIn(game) {
  for (const [place, id] of game.boxes) {
    const routes = routesOf(game, id), goal = [...game.goals].find((name) => !game.boxes.has(name) && routes.route(name.split(",").map(Number)));
    if (goal) return [place, goal].map((name) => name.split(",").map(Number));
  }
  return null;
}

function show() {
  const {game} = page, pushed = !isKlotski() && game.counts().some(([name, value]) => name === "pushes" && value);
  if (pushed && !store.get("pushed")) store.set("pushed", true);
  $("first").hidden = isKlotski() || Boolean(store.get("pushed"));
  board.svg.querySelector(".hand")?.remove();
  const way = $("first").hidden ? null : wayIn(game);
  if (!way) return;
  const hand = element("g", {class: "hand"}, element("path", {d: HAND}));
  ["--y0", "--x0", "--y1", "--x1"].forEach((name, at) => hand.style.setProperty(name, `${48 * way.flat()[at] + 12}px`));
  board.svg.append(hand);
}
on("changed", show);
