/* The rows of a board: checked and drawn as the package draws them, and faults with their place. No page in here. */
export const BOARD = /^[ \-_#W@pP+$bB*.]+$/;
const CANONICAL = {"-": " ", _: " ", W: "#", p: "@", P: "+", b: "$", B: "*"};
export const MOST_CELLS = 40000;

/* What the reader throws, with the place. */
export class Refused extends Error {}

export const fail = (source, line, column, code, words) => {
  const place = [source, line, column].filter((part) => part !== null && part !== "").join(":");
  throw new Refused(`${place && `${place}: `}${code && `${code} `}${words}`);
};

/* Fails at a row and column of a board from 0, names a row: where lines may hold several rows (numbers), by the board. */
export function placeOf(source, line, numbers) {
  const named = (r) => numbers ? `row ${r + 1}` : `line ${line + r}`;
  const stop = (r, c, code, words) => numbers ? fail(source, numbers[r], null, code, c === null ? words : `${words} (${named(r)}, column ${c + 1} of the board, counted from 1)`)
    : fail(source, line + r, c === null ? null : c + 1, code, words);
  return {named, stop};
}

export const counted = (number, noun, one) => `${number} ${number === 1 ? one : noun}`;

/* Rows as the package draws them. */
export function checkedRows(rows, {named, stop}) {
  const width = Math.max(0, ...rows.map((row) => row.length));
  if (rows.length * width > MOST_CELLS) stop(0, null, "E-SIZE", `the board has ${rows.length} rows of ${width} columns, more than ${MOST_CELLS} cells`);
  const cells = rows.map((row, r) => [...row.replace(/[ \-_]+$/, "")].map((char, c) => {
    if (!BOARD.test(char)) {
      const words = char === "\t" ? ["E-TAB", "a tab in a board row: its width is unknown, write spaces"]
        : (rows.join("").includes("#") ? "&" : "Xx&").includes(char) ? ["E-DIALECT", `'${char}' in a board row: this is another character set, not XSB (where '#' is a wall)`]
          : ["E-CHAR", `'${char}' is not an XSB character`];
      stop(r, c, ...words);
    }
    return CANONICAL[char] ?? char;
  }));
  const players = cells.flatMap((row, r) => row.flatMap((char, c) => "@+".includes(char) ? [[r, c]] : []));
  if (!players.length) stop(0, null, "E-NOPLAYER", "the board has no player (@ or +)");
  if (players.length > 1) stop(...players[1], "E-PLAYERS",
    `${players.length} players: ${players.slice(0, 4).map(([r, c]) => `${named(r)} column ${c + 1}`).join(", ")}`);
  const inside = new Set([String(players[0])]), queue = [players[0]];
  for (const [r, c] of queue) for (const [nr, nc] of [[r, c - 1], [r, c + 1], [r - 1, c], [r + 1, c]]) {
    const char = nr < 0 || nr >= rows.length || nc < 0 || nc >= width ? null : cells[nr][nc] ?? " ";
    if (char === "#" || inside.has(`${nr},${nc}`)) continue;
    if (char === null) stop(r, c, "E-OPEN", "the walls are not closed: the player gets out here");
    inside.add(`${nr},${nc}`);
    queue.push([nr, nc]);
  }
  counts(cells, inside, stop);
  return cells.map((row) => row.join("").trimEnd());
}

function counts(cells, inside, stop) {
  const seen = {boxes: 0, goals: 0, allBoxes: 0, allGoals: 0}, outside = [];
  cells.forEach((row, r) => row.forEach((char, c) => {
    const box = "$*".includes(char), goal = ".*+".includes(char), there = inside.has(`${r},${c}`);
    seen.allBoxes += box; seen.allGoals += goal;
    if (there) { seen.boxes += box; seen.goals += goal; } else if (box || goal) outside.push([r, c, char]);
  }));
  if (seen.boxes !== seen.goals) {
    const more = outside.length ? ` that the player can reach (${counted(seen.allBoxes, "boxes", "box")}, ${counted(seen.allGoals, "goals", "goal")} in all)` : "";
    stop(0, null, "E-COUNT", `${counted(seen.boxes, "boxes", "box")}, ${counted(seen.goals, "goals", "goal")}${more}`);
  }
  for (const [r, c, char] of outside) {
    if (char === "$") stop(r, c, "E-OUTSIDE", "a box off goal where the player can never get");
    if (char === ".") stop(r, c, "E-OUTSIDE-GOAL", "a goal without a box where the player can never get");
  }
  if (!seen.boxes) stop(0, null, "E-NOBOX", "the board has no box and no goal");
}
