/* The table of proved optima on a site: shards by the first digit of a level's canonical hash (docs/optima.md). */
import {replay} from "./referee.js";
import {STEPS, Sokoban} from "./sokoban.js";

const TURNS = [1, -1].flatMap((sign) => [1, -1].flatMap((other) => [[sign, 0, 0, other], [0, sign, other, 0]]));

/* The canonical text of a level and the symmetry that leads to it. */
export function canonical(problem) {
  const game = new Sokoban(problem), cells = [...game.inside].map((name) => name.split(",").map(Number));
  const glyph = (name) => {
    const goal = game.goals.has(name), player = `${game.player.row},${game.player.col}` === name;
    return game.boxes.has(name) ? (goal ? "*" : "$") : player ? (goal ? "+" : "@") : goal ? "." : "-";
  };
  return TURNS.map((turn) => {
    const [a, b, c, d] = turn, turned = new Map(cells.map(([row, col]) => [`${a * row + b * col},${c * row + d * col}`, glyph(`${row},${col}`)]));
    const at = cells.map(([row, col]) => [a * row + b * col, c * row + d * col]), rows = at.map(([row]) => row), cols = at.map(([, col]) => col);
    const [top, bottom, left, right] = [Math.min(...rows), Math.max(...rows), Math.min(...cols), Math.max(...cols)];
    let text = "";
    for (let row = top; row <= bottom; row++) {
      for (let col = left; col <= right; col++) text += turned.get(`${row},${col}`) ?? "#";
      text += "\n";
    }
    return {text, turn};
  }).reduce((one, other) => other.text < one.text ? other : one);
}

export async function board(text) {
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
  return [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, "0")).join("").slice(0, 32);
}

/* Moves of the canonical picture as they read on the level itself. */
export function turnedBack(lurd, [a, b, c, d]) {
  const back = [a, c, b, d], table = {};
  for (const [letter, [row, col]] of Object.entries(STEPS)) {
    const to = String([back[0] * row + back[1] * col, back[2] * row + back[3] * col].map((part) => part + 0));
    const other = Object.keys(STEPS).find((one) => String(STEPS[one]) === to);
    table[letter] = other;
    table[letter.toUpperCase()] = other.toUpperCase();
  }
  return [...lurd].map((letter) => table[letter]).join("");
}

/* What the table knows of a level, by objective; a plan is replayed before it is believed. */
export async function known(problem, base) {
  if (!globalThis.crypto?.subtle) return {};
  const {text, turn} = canonical(problem), name = await board(text), found = {};
  const response = await fetch(new URL(`optima/${name.slice(0, 1)}.json`, base)).catch(() => null);
  const rows = response?.ok ? (await response.json())[name] ?? [] : [];
  for (const {objective, status, value, by, origin, plan} of rows) {
    const one = {status, value, lower_bound: value, by: `table of optima (${by})`, origin: `table of optima: ${origin}, closed by ${by}`};
    const lurd = plan ? turnedBack(plan, turn) : "", checked = lurd ? replay(problem, lurd) : null;
    found[objective] = checked?.solved && checked.counts[objective] === value ? {...one, plan: {lurd}, timeline: checked.timeline} : one;
  }
  return found;
}
