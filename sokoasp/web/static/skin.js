/* Somebody's own skin: a picture in the common Sokoban skin format (as Sokoban YASC and Simple Sokoban read it), four tiles wide
   and four or eight high. Floor, player, box, goal, box on goal and wall are cut out of it, and fill the shapes of the drawing. */
import {t} from "./messages.js";
import {$, choose, on, say, settings, store} from "./page.js";

/* Column and row of the tiles that are used. */
const TILES = {floor: [0, 0], player: [1, 0], box: [2, 0], goal: [0, 1], done: [2, 1], wall: [1, 3]};
const MOST = 96;  // pixels of a tile that is kept

/* The tiles of a picture as data addresses, by name. */
export function tilesOf(image, {width, height}) {
  const rows = height >= 1.5 * width ? 8 : 4, wide = Math.floor(width / 4), high = Math.floor(height / rows);
  if (wide < 8 || high < 8) throw new Error(t`This picture is no skin: a skin has four tiles in a row, and four or eight rows.`);
  const size = Math.min(MOST, wide), canvas = Object.assign(document.createElement("canvas"), {width: size, height: size}), pen = canvas.getContext("2d");
  return Object.fromEntries(Object.entries(TILES).map(([name, [col, row]]) => {
    pen.clearRect(0, 0, size, size);
    pen.drawImage(image, col * wide, row * high, wide, high, 0, 0, size, size);
    return [name, canvas.toDataURL("image/png")];
  }));
}

/* Takes a picture as the skin from now on; it is remembered. */
export async function takeSkin(file) {
  let image;
  try { image = await createImageBitmap(file); } catch { throw new Error(t`This file is no picture that the browser can read.`); }
  store.set("skin", tilesOf(image, image));
  fill();
  choose("skin", "own");
  say(t`This skin is used from now on.`);
}

function fill() {
  const tiles = store.get("skin");
  if (!tiles) return;
  for (const [name, address] of Object.entries(tiles)) document.querySelector(`#skin-${name} image`)?.setAttribute("href", address);
  $("skin-own").hidden = false;
}

$("skin-file").addEventListener("change", async () => {
  const [file] = $("skin-file").files;
  try { if (file) await takeSkin(file); } catch (error) { say(error.message, "bad"); }
});
on("settings", (name) => { if (name === "skin" && settings.skin === "own") fill(); });
fill();
