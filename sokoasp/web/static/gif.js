/* Animations: frames of coloured cells as an animated GIF (GIF89a, 16 colours, LZW). No page in here. */
const CELL = 20;
/* Paper, floor, wall, goal, box, box on a goal, player, line, and kinds of pieces; the palette of sokoasp.picture.theme. */
const COLOURS = ["F4F2EC", "FBF9F3", "5C6672", "0072B2", "E69F00", "009E73", "56B4E9", "1F2429", "D55E00", "0072B2", "009E73", "E69F00", "CC79A7", "FFFFFF", "7A4F00", "000000"];
const [PAPER, FLOOR, WALL, GOAL, BOX, DONE, PLAYER, LINE, PIECE] = COLOURS.keys();

/* Fills a rectangle of a frame; `round` leaves out the corners of a circle. */
function fill(frame, width, row, col, inset, colour, round = false) {
  for (let y = inset; y < CELL - inset; y++) for (let x = inset; x < CELL - inset; x++) {
    if (round && Math.hypot(x - CELL / 2 + .5, y - CELL / 2 + .5) > CELL / 2 - inset) continue;
    frame[(row * CELL + y) * width + col * CELL + x] = colour;
  }
}

/* The indices of a frame: what stands where in a game. */
export function draw(game) {
  const rows = game.start.rows, wide = Math.max(...rows.map((row) => row.length)), width = wide * CELL, frame = new Uint8Array(width * rows.length * CELL).fill(PAPER);
  rows.forEach((text, row) => [...text].forEach((char, col) => {
    const inside = game.inside ? game.inside.has(`${row},${col}`) : char !== "#";
    if (char === "#") fill(frame, width, row, col, 0, WALL); else if (inside) fill(frame, width, row, col, 0, FLOOR);
    if (game.goals?.has(`${row},${col}`)) fill(frame, width, row, col, 6, GOAL, true);
  }));
  if (game.shapes) return pieces(game, frame, width);
  for (const [id, {row, col}] of game.things) {
    if (id === "p") { fill(frame, width, row, col, 3, LINE, true); fill(frame, width, row, col, 4, PLAYER, true); continue; }
    fill(frame, width, row, col, 2, LINE);
    fill(frame, width, row, col, 3, game.goals.has(`${row},${col}`) ? DONE : BOX);
  }
  return {frame, width, height: rows.length * CELL};
}

function pieces(game, frame, width) {
  const names = [...game.things.keys()], wanted = new Set(game.places.map(([name]) => name));
  for (const [name, at] of game.things) {
    const shape = game.shapes.get(name), cells = new Set(shape.map(String)), colour = wanted.has(name) ? PIECE : PIECE + 1 + names.indexOf(name) % 4;
    for (const [row, col] of shape) {
      fill(frame, width, at.row + row, at.col + col, 0, colour);
      for (let n = 0; n < CELL; n++) for (const [drow, dcol, y, x] of [[-1, 0, 0, n], [1, 0, CELL - 1, n], [0, -1, n, 0], [0, 1, n, CELL - 1]])
        if (!cells.has(`${row + drow},${col + dcol}`)) frame[((at.row + row) * CELL + y) * width + (at.col + col) * CELL + x] = LINE;
    }
  }
  return {frame, width, height: frame.length / width};
}

const word = (number) => [number & 255, number >> 8];

/* LZW codes of indices below 16, packed into sub-blocks. */
function packed(indices) {
  const clear = 16, bytes = [];
  let codes = new Map(), next = 18, size = 5, held = 0, bits = 0, prefix = indices[0];
  const put = (code) => { held |= code << bits; bits += size; while (bits >= 8) { bytes.push(held & 255); held >>>= 8; bits -= 8; } };
  put(clear);
  for (let at = 1; at < indices.length; at++) {
    const key = prefix * 16 + indices[at], known = codes.get(key);
    if (known !== undefined) { prefix = known; continue; }
    put(prefix);
    if (next === 4096) { put(clear); codes = new Map(); next = 18; size = 5; } else {
      if (next === 1 << size) size++;
      codes.set(key, next++);
    }
    prefix = indices[at];
  }
  put(prefix);
  put(17);
  if (bits) bytes.push(held & 255);
  const blocks = [];
  for (let at = 0; at < bytes.length; at += 255) { const part = bytes.slice(at, at + 255); blocks.push(part.length, ...part); }
  return [4, ...blocks, 0];
}

/* The GIF of a game that plays the moves of a timeline, `centiseconds` a frame. */
export function gif(game, timeline, centiseconds = 20) {
  const {frame, width, height} = draw(game), out = [...new TextEncoder().encode("GIF89a"), ...word(width), ...word(height), 0xB3, 0, 0];
  for (const colour of COLOURS) out.push(...[0, 2, 4].map((at) => Number.parseInt(colour.slice(at, at + 2), 16)));
  out.push(0x21, 0xFF, 11, ...new TextEncoder().encode("NETSCAPE2.0"), 3, 1, 0, 0, 0);
  const parts = [out], add = (indices, rest) => {
    parts.push([0x21, 0xF9, 4, 0, ...word(rest), 0, 0, 0x2C, 0, 0, 0, 0, ...word(width), ...word(height), 0], packed(indices));
  };
  add(frame, 60);
  timeline.moves.forEach((move, at) => {
    for (const [id, drow, dcol] of move) { const thing = game.things.get(id); thing.row += drow; thing.col += dcol; }
    add(draw(game).frame, at === timeline.moves.length - 1 ? 200 : centiseconds);
  });
  parts.push([0x3B]);
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) { whole.set(part, at); at += part.length; }
  return whole;
}
