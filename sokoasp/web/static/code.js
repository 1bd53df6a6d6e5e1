/* A field for logic programs with line numbers. */
import {$, make, notify} from "./page.js";

function dress(field) {
  const lines = make("pre", {class: "lines", "aria-hidden": "true"}), follow = () => { lines.scrollTop = field.scrollTop; };
  field.before(lines);
  const paint = () => {
    const count = field.value.split("\n").length;
    lines.textContent = Array.from({length: count}, (_, n) => n + 1).join("\n") + "\n\n\n";
    follow();
    notify("code");
  };
  field.addEventListener("input", paint);
  field.addEventListener("scroll", follow);
  paint();
  return paint;
}

const painters = new Map(["asp-constraints", "asp-program"].map((id) => [id, dress($(id))]));

/* Puts a text in place of all; over one that somebody has typed (`own` is one too) so that Ctrl-Z brings that back. */
const ours = new Map();
export function write(id, text, own = false) {
  const field = $(id), before = document.activeElement, typed = field.value.trim() && field.value !== ours.get(id) && !field.readOnly;
  ours.set(id, own ? null : text);
  if (typed && field.value !== text) {
    field.focus({preventScroll: true});
    field.select();
    if (document.activeElement === field) document.execCommand(text ? "insertText" : "delete", false, text);
    before?.focus({preventScroll: true});
  }
  if (field.value !== text) field.value = text;
  painters.get(id)();
}

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
