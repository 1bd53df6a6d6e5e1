/* Playing Klotski by hand: a piece is dragged, or chosen and moved by the arrow keys. */
import {board, changed, hands, isKlotski, shown} from "./game.js";
import {announce, on, page, say} from "./page.js";

export function pickPiece(id) {
  if (page.replay || !id) return;
  page.picked = id === page.picked ? null : id;
  board.pick(page.picked);
  if (page.picked) say(`Piece ${id}: use the arrow keys or drag it.`);
}

export function slideStep(way) {
  if (!page.picked || page.replay) return;
  const changes = page.game.play(page.picked, way);
  if (!changes) return announce(`Piece ${page.picked} cannot go there.`);
  say("");
  shown(changes.map((change) => [change]));
}

function grab(id) {
  if (page.replay || !page.game.things.has(id)) return false;
  if (board.running) board.finish();
  page.held = {id, from: {...page.game.things.get(id)}, paths: page.game.reach(id), path: ""};
  return true;
}

function drag(id, drow, dcol) {
  const {held} = page;
  if (!held) return;
  let best = Infinity;
  for (const [place, path] of held.paths) {
    const [row, col] = place.split(",").map(Number);
    const far = Math.hypot(row - held.from.row - drow, col - held.from.col - dcol);
    if (far < best - 1e-9) [best, held.path, held.to] = [far, path, [row, col]];
  }
  board.place(id, ...held.to);
}

function drop() {
  const {held} = page;
  page.held = null;
  if (!held) return;
  board.place(held.id, held.from.row, held.from.col);
  if (!held.path) return;
  say("");
  const changes = page.game.play(held.id, held.path);
  for (const change of changes) board.commit([change]);
  changed();
  board.on.rest();
}

Object.assign(hands, {tapPiece: pickPiece, grabPiece: grab, dragPiece: drag, dropPiece: drop});
on("changed", (moves) => { if (isKlotski() && moves && page.picked) announce(`Piece ${page.picked} moved.`); });
