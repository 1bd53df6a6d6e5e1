/* Walking where one taps: the touch-walking paper's three steps, our bound on the worst case, and a breadth-first search
   beside them (docs/walk.md).
   Cells are numbers in a padded grid: (row + 1) * stride + col + 1. Directions are 0 up, 1 right, 2 down, 3 left. */
const LETTERS = "urdl";

/* The map of a walk: `free(row, col)` says which cells are open; the start is open whatever it says. */
export function area(width, height, free, start) {
  const stride = width + 2, size = stride * (height + 2);
  const open = new Uint8Array(size), horizontal = new Int32Array(size), vertical = new Int32Array(size);
  for (let row = 0; row < height; row++)
    for (let col = 0; col < width; col++)
      if (free(row, col)) open[(row + 1) * stride + col + 1] = 1;
  open[(start[0] + 1) * stride + start[1] + 1] = 1;
  for (let n = stride; n < size - stride; n++) if (open[n]) {
    horizontal[n] = horizontal[n - 1] || n;
    vertical[n] = vertical[n - stride] || n;
  }
  return {stride, open, horizontal, vertical, number: ([row, col]) => (row + 1) * stride + col + 1,
    moves: [-stride, 1, stride, -1]};
}

/* Small LURD letters of the paper's walk (or of a shortest one), null when there is none. */
export function walk(width, height, free, start, target, method = "touch") {
  const [row, col] = target;
  if (row < 0 || col < 0 || row >= height || col >= width || !free(row, col))
    return start[0] === row && start[1] === col ? "" : null;
  const map = area(width, height, free, start);
  const path = (method === "shortest" ? shortest : touch)(map, map.number(start), map.number(target));
  return path && lurd(map, path);
}

export function lurd(map, path) {
  let text = "";
  for (let n = 1; n < path.length; n++) text += LETTERS[map.moves.indexOf(path[n] - path[n - 1])];
  return text;
}

export function shortest(map, start, goal) {
  const came = new Int32Array(map.open.length), queue = [start];
  came[start] = -1;
  for (let at = 0; at < queue.length && !came[goal]; at++) {
    const here = queue[at];
    for (const step of [-1, 1, -map.stride, map.stride]) {
      const after = here + step;
      if (map.open[after] && !came[after]) { came[after] = here; queue.push(after); }
    }
  }
  if (!came[goal]) return null;
  const path = [goal];
  while (path.at(-1) !== start) path.push(came[path.at(-1)]);
  return path.reverse();
}

export function touch(map, start, goal) {
  const [straight, direction] = goStraight(map, start, goal);
  const walked = straight.at(-1) === goal ? straight : alongTheWall(map, straight, direction, goal);
  return walked && bound(map, optimise(map, walked));
}

/* Step 1: towards the target, up or down first, until it or an obstacle is met. */
function goStraight(map, start, goal) {
  const path = [start];
  let direction = 0;
  while (path.at(-1) !== goal) {
    const here = path.at(-1), row = Math.floor(here / map.stride), aim = Math.floor(goal / map.stride);
    direction = row !== aim ? (aim > row ? 2 : 0) : goal > here ? 1 : 3;
    if (!map.open[here + map.moves[direction]]) break;
    path.push(here + map.moves[direction]);
  }
  return [path, direction];
}

/* Step 2: the wall on the right hand, never twice out of a cell in one direction, until the target is a corner away;
   where all directions are used up, back along the path (Trémaux's rule). */
function alongTheWall(map, begun, direction, goal) {
  const used = new Uint8Array(map.open.length), path = [...begun], heading = begun.map(() => direction);
  for (;;) {
    const here = path.at(-1), over = corner(map, here, goal);
    if (over !== null) return [...path, ...lines(map, here, over, goal)];
    let way = heading.at(-1), turns = 0;
    for (; turns < 4; turns++, way = (way + 3) % 4) {
      if (!map.open[here + map.moves[way]] || used[here] >> way & 1) continue;
      used[here] |= 1 << way;
      path.push(here + map.moves[way]);
      heading.push((way + 1) % 4);
      break;
    }
    if (turns < 4) continue;
    if (path.length === 1) return null;
    path.pop();
    heading.pop();
  }
}

/* A cell over which two cells connect by two straight open lines (or one), null if there is none. */
function corner(map, here, there) {
  const {stride, horizontal, vertical} = map;
  const sameRow = there - there % stride + here % stride;
  if (vertical[here] === vertical[sameRow] && horizontal[sameRow] === horizontal[there]) return sameRow;
  const sameCol = here - here % stride + there % stride;
  if (horizontal[here] === horizontal[sameCol] && vertical[sameCol] === vertical[there]) return sameCol;
  return null;
}

function lines(map, here, over, there) {
  const cells = [];
  for (const [from, to] of [[here, over], [over, there]]) {
    const size = Math.abs(to - from) < map.stride ? 1 : map.stride, step = to > from ? size : -size;
    for (let n = from; n !== to;) cells.push(n += step);
  }
  return cells;
}

/* Step 3: from each cell of the path, first to last, to the last cell that one line or one corner connects it with. */
function optimise(map, walked) {
  const path = mergeRepeats(walked), inRow = new Map(), inCol = new Map();
  path.forEach((number, at) => { inRow.set(map.horizontal[number], at); inCol.set(map.vertical[number], at); });
  const short = [path[0]];
  for (let at = 0; at < path.length - 1;) {
    let [best, over] = furthest(map, path[at], inRow, inCol);
    if (best <= at + 1) [best, over] = [at + 1, path[at + 1]];
    short.push(...lines(map, path[at], over, path[best]));
    at = best;
  }
  return mergeRepeats(short);
}

function furthest(map, here, inRow, inCol) {
  let best = -1, over = here;
  for (const [move, run, across, last] of [
    [1, map.horizontal, map.vertical, inCol], [-1, map.horizontal, map.vertical, inCol],
    [map.stride, map.vertical, map.horizontal, inRow], [-map.stride, map.vertical, map.horizontal, inRow]])
    for (let at = here; run[at] === run[here]; at += move) {
      const place = last.get(across[at]) ?? -1;
      if (place > best) [best, over] = [place, at];
    }
  return [best, over];
}

/* Cut out every stretch that comes back to a cell. */
function mergeRepeats(path) {
  const place = new Map(), merged = [];
  for (const number of path) {
    if (place.has(number)) for (const gone of merged.splice(place.get(number) + 1)) place.delete(gone);
    else { place.set(number, merged.length); merged.push(number); }
  }
  return merged;
}

/* The path itself if it is at most 5/4 of the shortest, else a shortest one, straightened. */
function bound(map, path) {
  const start = path[0], goal = path.at(-1), most = Math.floor((4 * (path.length - 1) - 1) / 5);
  const aim = [Math.floor(goal / map.stride), goal % map.stride];
  const crow = (here) => Math.abs(Math.floor(here / map.stride) - aim[0]) + Math.abs(here % map.stride - aim[1]);
  if (most < crow(start)) return path;
  const came = new Map([[start, 0]]);
  for (let ring = [start], depth = 1; depth <= most; depth++) {
    const after = [];
    for (const here of ring) for (const move of [-map.stride, 1, map.stride, -1]) {
      const next = here + move;
      if (!map.open[next] || came.has(next) || depth + crow(next) > most) continue;
      came.set(next, here);
      if (next === goal) {
        const way = [goal];
        while (way.at(-1) !== start) way.push(came.get(way.at(-1)));
        return optimise(map, way.reverse());
      }
      after.push(next);
    }
    ring = after;
  }
  return path;
}
