/* The referee: replays a plan by the rules, counts it, and makes the timeline that pictures follow. No page in here. */
import {Klotski, slidesOf} from "./klotski.js";
import {STEPS, Sokoban, cellsOf} from "./sokoban.js";
import {Refused} from "./reader.js";

const NAMES = {l: "left", r: "right", u: "up", d: "down"};

/* Replays letters (Sokoban) or parts such as `bll.cr` (Klotski); returns {counts, timeline, solved}. */
export function replay(problem, plan) {
  return problem.game === "klotski" ? slides(new Klotski(problem), plan) : moves(new Sokoban(problem), plan);
}

function moves(game, plan) {
  const out = [], actions = [], lines = [0], pushes = [0];
  let last = null;
  [...plan].forEach((letter, at) => {
    const [drow, dcol] = STEPS[letter.toLowerCase()] ?? [0, 0], changes = STEPS[letter.toLowerCase()] ? game.move(letter) : null;
    if (!changes) throw new Refused(`illegal plan: move ${at + 1} (${letter}) is not possible`);
    const box = changes.length > 1 ? changes[0][0] : null;
    if ((letter !== letter.toLowerCase()) !== Boolean(box)) throw new Refused(`illegal plan: move ${at + 1} (${letter}) is ${box ? "a push written as a step" : "a step written as a push"}`);
    out.push([["p", drow, dcol], ...(box ? [[box, drow, dcol]] : [])]);
    if (box && last === box + letter) actions.at(-1)[0]++;
    else if (box) actions.push([at + 1, `${game.player.row},${game.player.col} ${NAMES[letter.toLowerCase()]}`]);
    lines.push(lines.at(-1) + (box && last !== box + letter ? 1 : 0));
    pushes.push(pushes.at(-1) + (box ? 1 : 0));
    last = box ? box + letter : null;
  });
  let before = 0;
  for (const action of actions) { action[1] += ` ${pushes[action[0]] - before}`; before = pushes[action[0]]; }
  const goals = cellsOf(game.goals);
  const counts = {lines: lines.at(-1), pushes: pushes.at(-1), moves: out.length};
  return {solved: game.solved, counts, timeline: {moves: out, actions, goals, counts: [["lines", lines], ["pushes", pushes], ["moves", Array.from({length: out.length + 1}, (_, n) => n)]]}};
}

function slides(game, plan) {
  const out = [], actions = [], counts = [0];
  let last = "", number = 0;
  for (const part of plan.split(".").filter(Boolean)) {
    const changes = game.slide(part[0], part.slice(1));
    if (!changes) throw new Refused(`illegal plan: slide ${actions.length + 1} (${part}) is not possible`);
    number += part[0] !== last;
    last = part[0];
    for (const change of changes) { out.push([change]); counts.push(number); }
    actions.push([out.length, `${part[0]} ${part.slice(1)}`]);
  }
  return {solved: game.solved, counts: {slides: number, units: out.length},
    timeline: {moves: out, actions, goals: [], counts: [["slides", counts], ["units", Array.from({length: out.length + 1}, (_, n) => n)]]}};
}

/* A plan as results hold it: the letters, or for a board one [piece, from, to, step, path] a slide. */
export const planOf = (problem, plan) => problem.game === "klotski" ? {actions: slidesOf(problem, plan)} : {lurd: plan};
