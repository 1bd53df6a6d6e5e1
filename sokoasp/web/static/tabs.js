/* The panel's four tabs: one of them is open at a time. */
import {$, on, page, store, notify} from "./page.js";

const NAMES = {best: "best", solve: "solver", asp: "asp-card", share: "files"};
export let current = "best";

export function show(name, focus = false) {
  current = NAMES[name] ? name : "best";
  for (const [one, panel] of Object.entries(NAMES)) {
    const tab = $(`tab-${one}`), chosen = one === current;
    tab.setAttribute("aria-selected", String(chosen));
    tab.tabIndex = chosen ? 0 : -1;
    $(panel).hidden = !chosen;
    if (chosen && focus) tab.focus();
  }
  document.body.dataset.tab = current;
  store.set("tab", current);
  notify("tab", current);
}

const all = Object.keys(NAMES);
for (const name of all) {
  $(`tab-${name}`).addEventListener("click", ({detail, currentTarget}) => {
    show(name);
    if (detail) currentTarget.blur();   // after a click the arrow keys walk on; after Enter they go to the next tab
  });
  $(`tab-${name}`).addEventListener("keydown", (event) => {
    const way = {ArrowRight: 1, ArrowLeft: -1}[event.key], at = all.indexOf(name);
    const to = way ? all[(at + way + all.length) % all.length] : {Home: all[0], End: all.at(-1)}[event.key];
    if (!to) return;
    event.preventDefault();
    event.stopPropagation();
    show(to, true);
  });
}

on("open-panel", (name) => show(name));
if (!page.replay) show(store.get("tab", "best"));
