/* Watching a plan: the picture of its start, moved by the shared animator. */
import {board, begin} from "./game.js";
import {$, on, page, say, notify} from "./page.js";
import {nodes} from "./draw.js";
import {summary} from "./solve.js";
import {Klotski} from "./klotski.js";
import {Sokoban} from "./sokoban.js";

export function watch(result) {
  notify("leave");
  board.finish();
  const position = result.position, game = position.game === "klotski" ? new Klotski(position) : new Sokoban(position);
  const svg = nodes(game);
  page.replay = {svg: board.svg, plan: result.plan, position};
  board.frozen = true;
  board.view.show(svg, game.player ?? null);
  $("replay").hidden = false;
  document.body.dataset.replay = "yes";
  const actions = result.timeline.actions.map(([end, words]) => [end, named(words)]);
  page.replay.player = mountSokoaspPlayer($("controls"), svg, {...result.timeline, actions});
  page.replay.player.animator.play();
  say(`Watching: ${result.words ?? summary(result)}.`);
  notify("replay");
  scrollTo({top: 0});
}

/* An action with its cell as the rim names it, "c6r3 up 1"; a piece needs none: "A r". */
export const named = (words) => words.replace(/^(\d+),(\d+) /, (_, row, col) => `c${Number(col) + 1}r${Number(row) + 1} `).replace(/^(\S) .*> \S+ /, "$1 ");

export function leave() {
  if (!page.replay) return;
  page.replay.player.remove();
  const {svg} = page.replay;
  page.replay = null;
  board.view.show(svg, page.game.player ?? null);
  board.frozen = false;
  $("replay").hidden = true;
  document.body.dataset.replay = "no";
  say("");
  notify("letgo");
}

/* Plays the watched plan by hand from its start. */
function take() {
  const {position, plan} = page.replay;
  const text = plan.lurd ?? plan.actions.map(([piece, , , , path]) => piece + path).join(".");
  const before = page.game.saved().done;
  leave();
  if (String(page.problem.rows) === String(position.rows)) return void begin(page.problem, {plan: text});
  if (String(page.game.problem().rows) !== String(position.rows)) return say("The position has changed meanwhile.", "bad");
  begin(page.problem, {plan: [before, text].filter(Boolean).join(".")});
}

$("leave").addEventListener("click", leave);
$("take").addEventListener("click", take);
on("leave", leave);
