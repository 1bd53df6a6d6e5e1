/* Playing Sokoban by hand: taps, drags, swipes, steps. */
import {board, changed, draw, hands, isKlotski, letGo, play, redo, shown} from "./game.js";
import {on, page, say, settings} from "./page.js";
import {Routes} from "./routes.js";
import {walk} from "./walk.js";

/* The walk of the player to a cell as letters, null if there is none. */
export function wayTo(game, [row, col], method = settings.walk) {
  const {player} = game;
  return walk(game.width, game.height, (r, c) => game.free(r, c), [player.row, player.col], [row, col], method);
}

/* All places a box can be brought to now. */
export function routesOf(game, id) {
  const at = game.things.get(id), {player} = game;
  return new Routes(game.width, game.height, (r, c) => game.free(r, c), [at.row, at.col], [player.row, player.col]);
}

export function pick(id) {
  const routes = routesOf(page.game, id), cells = routes.cells();
  page.picked = id;
  page.routes = routes;
  board.pick(id);
  board.mark({path: cells});
  say(cells.length ? "Now tap the cell to bring it to." : "This box cannot be pushed now.");
}

function tap(row, col) {
  if (page.replay) return;
  const {game} = page, box = game.boxAt(row, col);
  if (box && box !== page.picked) return pick(box);
  const picked = page.picked;
  letGo();
  if (box) return say("");
  if (picked) return bring(page.routes, [row, col]);
  const way = wayTo(game, [row, col]);
  if (way === null) return say("The player cannot walk there.");
  say("");
  play(way);
}

function bring(routes, cell) {
  const way = routes.route(cell);
  if (way === null) return say("The box cannot be brought there.");
  say("");
  play(way);
}

export function step(letter) {
  if (page.replay) return;
  letGo();
  say("");
  play(letter);
}

/* ---- dragging a box ---- */

function grab(id) {
  if (page.replay || id === "p") return false;
  if (board.running) board.finish();
  page.held = {id, from: {...page.game.things.get(id)}, to: null};
  return true;
}

function drag(id, drow, dcol) {
  const {held} = page;
  if (!held) return;
  if (!held.routes) {
    letGo();
    held.routes = routesOf(page.game, id);
    held.cells = held.routes.cells();
    held.names = new Set(held.cells.map(String));
    board.pick(id);
    board.mark({path: held.cells});
  }
  const row = held.from.row + drow, col = held.from.col + dcol;
  held.to = [Math.round(row), Math.round(col)];
  board.place(id, row, col);
  board.aim(held.names.has(String(held.to)) ? held.to : null);
}

function drop() {
  const {held} = page;
  page.held = null;
  if (!held?.routes) return;
  board.aim(null);
  board.place(held.id, held.from.row, held.from.col);
  letGo();
  if (held.to && String(held.to) !== `${held.from.row},${held.from.col}`) bring(held.routes, held.to);
}

Object.assign(hands, {
  tap: (row, col, id) => isKlotski() ? hands.tapPiece(id) : tap(row, col),
  swipe: (letter) => { if (!isKlotski()) step(letter); },
  grab: (id) => isKlotski() ? hands.grabPiece(id) : grab(id),
  drag: (...at) => isKlotski() ? hands.dragPiece(...at) : drag(...at),
  drop: () => isKlotski() ? hands.dropPiece() : drop(),
});

/* ---- playing on by itself what was undone ---- */

let timer = 0;

export function playing() { return timer !== 0; }

export function toggle() {
  if (timer) return pause();
  const {game} = page;
  letGo();
  say("");
  if (!game.undone.length) while (game.undo());
  if (!game.undone.length) return;
  draw();
  changed({quiet: true});
  timer = setInterval(() => {
    if (!page.game.undone.length) return pause();
    if (isKlotski()) return redo();
    return shown([page.game.redo()]);
  }, 1000 / Math.min(20, board.speed));
}

export function pause() {
  clearInterval(timer);
  timer = 0;
}

on("leave", pause);
