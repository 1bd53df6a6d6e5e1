/* The deadlock warning: asked after every change, explained on the board, with the way back to the last living position. */
import {ask} from "./api.js";
import {constant} from "./facts.js";
import {board, draw, changed, isKlotski} from "./game.js";
import {$, button, make, on, page, say, store} from "./page.js";
import {Sokoban} from "./sokoban.js";
import {count} from "./solve.js";

let asking = false, stale = false, timer = 0, doomed = "";
/* Plays of this game after which no deadlock was found. */
const alive = new Set();

function verdict(kind, words, ...more) {
  $("verdict").dataset.verdict = kind;
  document.body.dataset.dead = kind === "dead" && page.game.done.length && !hopeless() ? "yes" : "no";
  $("verdict").replaceChildren(make("span", {}, words), ...more);
}

/* What a deadlock means, in one sentence. */
function lost({boxes, kind}) {
  if (hopeless()) return "This level has no solution.";
  if (kind.startsWith("exhaust")) return "From here the level can no longer be solved.";
  return boxes.length === 1 ? "This box can no longer come to a goal." : "These boxes can no longer all come to goals.";
}

function look() {
  clearTimeout(timer);
  page.verdict = null;
  $("verdict").hidden = isKlotski() || page.editing;
  if (isKlotski() || page.editing) return;
  if (page.game.solved) return verdict("solved", "");
  verdict("busy", "");
  timer = setTimeout(judge, 150);
}

/* One question at a time: what has changed meanwhile is asked when the answer is there. */
async function judge() {
  stale = asking;
  if (asking) return;
  const {game} = page, plan = game.plan(), current = () => game === page.game && plan === game.plan() && !page.editing;
  asking = true;
  try {
    const found = await ask("why", {problem: game.problem()});
    if (current()) show(found);
  } catch (error) { if (current()) verdict(error.away ? "open" : "undecided", error.message); }
  asking = false;
  if (stale) look();
}

function show(found) {
  if (found.verdict === "dead") {
    page.verdict = found;
    if (!page.game.done.length) doomed = page.id;
    const source = found.source.replace(/ \([^()]*[\u2e80-\u9fff][^()]*\)/g, "");  // fonts may lack the term
    const reason = found.reason.replace(/\((\d+), ?(\d+)\)/g, (_, row, col) => constant([Number(row), Number(col)]));
    const more = make("details", {}, make("summary", {}, "Details"), `${reason} (${found.kind.replaceAll("_", " ")} · ${source})`);
    verdict("dead", lost(found), more, ...(page.game.done.length && !hopeless() ? [button("Back to the last living position", revive, {id: "revive", class: "primary"})] : []));
    if (!board.running) markDeath();
  } else if (found.verdict === "undecided") verdict("undecided", `Not decided: ${found.reason}.`);
  else { alive.add(page.game.plan()); verdict("open", ""); }
}

/* No position of an unsolvable level is alive: its start was found dead, or a search has proved it. */
const hopeless = () => doomed === page.id || Object.values(store.level(page.id).truth ?? {}).some(({status}) => status === "unsolvable");

/* Halves the history until the push after which a deadlock is found: everything from it on is taken back (redo brings it again). */
async function revive() {
  const game = page.game, plan = game.plan();
  const ends = [0, ...[...plan].flatMap((letter, at) => letter === letter.toUpperCase() ? [at + 1] : [])];
  const dead = async (length) => {
    if (alive.has(plan.slice(0, length))) return false;
    const other = new Sokoban(game.start);
    other.restore({done: plan.slice(0, length)});
    const found = await ask("why", {problem: other.problem()});
    if (found.verdict !== "dead") alive.add(plan.slice(0, length));
    return found.verdict === "dead";
  };
  try {
    if (await dead(0)) {
      doomed = page.id;
      return page.verdict && show(page.verdict);
    }
    let fine = 0, bad = ends.length - 1;
    while (bad - fine > 1) {
      const middle = (fine + bad) >> 1;
      if (await dead(ends[middle])) bad = middle; else fine = middle;
    }
    if (game !== page.game || plan !== game.plan()) return undefined;
    const pushes = bad === ends.length - 1 ? 1 : ends.length - 1 - fine;
    while (game.done.length > ends[bad] - 1) game.undo();
    draw();
    changed();
    return say(`Back before the push that did it (${count(pushes, "pushes")} back). Redo brings it again.`);
  } catch (error) { return error.away ? undefined : say(error.message, "bad"); }
}

export function markDeath() {
  if (page.replay || page.picked || page.hint) return;
  const found = page.verdict;
  if (!found) return board.mark();
  const own = new Set(found.boxes.map(String)), inside = (cell) => page.game.inside?.has(`${cell[0]},${cell[1]}`);
  board.mark({dead: found.cells.filter((cell) => inside(cell) && !own.has(String(cell))), stuck: found.boxes});
}

on("changed", look);
on("letgo", markDeath);
on("rest", markDeath);
on("begin", () => alive.clear());
on("known", () => { if (page.verdict) show(page.verdict); });
