/* A field for logic programs: line numbers, colours, and the words of the vocabulary by kind. No page in `shade`. */
import {$, make} from "./page.js";

const TOKENS = /(%\*[\s\S]*?\*%|%[^\n]*)|(#[a-z]+)|("(?:[^"\\\n]|\\.)*")|\b(not)\b|([_']*[A-Z][\w']*)|\b(\d+)\b|([_']*[a-z][\w']*)/g;
const KINDS = [null, "c", "d", "n", "d", "v", "n", null];

/* A program as [kind, text] parts: c comment, d directive, v variable, n number or text, k a word of the vocabulary. */
export function shade(text, known = new Set()) {
  const parts = [];
  let end = 0;
  for (const match of text.matchAll(TOKENS)) {
    const at = match.findIndex((part, group) => group > 0 && part !== undefined);
    const kind = KINDS[at] ?? (at === 7 && known.has(match[7]) ? "k" : null);
    if (!kind) continue;
    if (match.index > end) parts.push([null, text.slice(end, match.index)]);
    parts.push([kind, match[0]]);
    end = match.index + match[0].length;
  }
  parts.push([null, text.slice(end)]);
  return parts;
}

export const words = new Set();

function dress(field) {
  const lines = make("pre", {class: "lines", "aria-hidden": "true"}), shades = make("pre", {class: "shades", "aria-hidden": "true"});
  const sheet = make("div", {class: "paper-sheet"}, shades);
  field.before(lines, sheet);
  sheet.append(field);
  const follow = () => { lines.scrollTop = shades.scrollTop = field.scrollTop; shades.scrollLeft = field.scrollLeft; };
  const paint = () => {
    const count = field.value.split("\n").length;
    lines.textContent = Array.from({length: count}, (_, n) => n + 1).join("\n") + "\n\n\n";
    shades.replaceChildren(...shade(field.value, words).map(([kind, text]) => kind ? make("span", {class: kind}, text) : text), "\n\n\n");
    follow();
  };
  field.addEventListener("input", paint);
  field.addEventListener("scroll", follow);
  paint();
  return paint;
}

const painters = new Map(["asp-constraints", "asp-program"].map((id) => [id, dress($(id))]));

/* Puts a text into a field, with its colours. */
export function write(id, text) {
  $(id).value = text;
  painters.get(id)();
}

export const repaint = () => painters.forEach((paint) => paint());

/* Shows a line of a field: where a message points to. */
export function point(id, line) {
  const field = $(id), lines = field.value.split("\n"), start = lines.slice(0, line - 1).join("\n").length + (line > 1 ? 1 : 0);
  field.focus();
  field.setSelectionRange(start, start + (lines[line - 1]?.length ?? 0));
}

/* Puts a text where the cursor is. */
export function insert(id, text) {
  const field = $(id);
  field.setRangeText(text, field.selectionStart, field.selectionEnd, "end");
  painters.get(id)();
  field.focus();
}
