/* The board in words: what lies each way from the player, and where the boxes and goals are. */
import {constant} from "./facts.js";
import {isKlotski} from "./game.js";
import {announce, page, say} from "./page.js";
import {STEPS} from "./sokoban.js";

const WORDS = {u: "up", r: "right", d: "down", l: "left"};

export function look(game) {
  const {row, col} = game.player;
  return [..."urdl"].map((letter) => {
    const [drow, dcol] = STEPS[letter];
    for (let n = 1; ; n++) {
      const r = row + n * drow, c = col + n * dcol, goal = game.goals.has(`${r},${c}`) ? " on a goal" : "";
      if (game.boxAt(r, c)) return `${WORDS[letter]}: box${goal} ${n === 1 ? "beside you" : `after ${n - 1} free`}`;
      if (!game.free(r, c)) return `${WORDS[letter]}: wall ${n === 1 ? "beside you" : `after ${n - 1} free`}`;
    }
  }).join(". ");
}

export function describe(game) {
  if (isKlotski()) return [...game.things].map(([name, at]) => `${name} at row ${at.row + 1}, column ${at.col + 1}`).join("; ") + ".";
  const cells = (names) => [...names].map((name) => constant(name.split(",").map(Number))).join(", ") || "none";
  const empty = [...game.goals].filter((goal) => !game.boxes.has(goal));
  const open = [...game.boxes.keys()].filter((box) => !game.goals.has(box));
  return `You are at ${constant([game.player.row, game.player.col])}. ${look(game)}. Boxes not on goals: ${cells(open)}. Empty goals: ${cells(empty)}.`;
}

export function announceBoard() {
  const words = describe(page.game);
  announce(words);
  say(words);
}
