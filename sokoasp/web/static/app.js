/* Starts the page: what it opens with, and who listens to what. */
import {begin, board, choose, openCollection, redo, restart, seek, undo} from "./game.js";
import "./asp.js";
import "./best.js";
import "./code.js";
import "./danger.js";
import "./days.js";
import "./editor.js";
import "./files.js";
import "./first.js";
import "./hint.js";
import "./keys.js";
import "./levels.js";
import "./looks.js";
import "./solved.js";
import "./tabs.js";
import {$, page, say, state, store} from "./page.js";
import {toggle} from "./play.js";
import {unpack} from "./share.js";

for (const [id, act] of Object.entries({redo, restart, "play-on": toggle, "next-level": () => page.at + 1 < page.opened.problems.length ? choose(page.at + 1) : $("levels").click()})) $(id).addEventListener("click", act);

/* Undo that is held down goes on, and the click at its end takes back nothing more. */
let holding = 0, held = false;
$("undo").addEventListener("pointerdown", () => {
  held = false;
  holding = setTimeout(() => { held = true; holding = setInterval(undo, 120); }, 400);
});
for (const name of ["pointerup", "pointercancel", "blur"]) addEventListener(name, () => { clearTimeout(holding); clearInterval(holding); });
$("undo").addEventListener("click", (event) => { if (held && event.detail) held = false; else undo(); });

$("scrub").addEventListener("input", () => seek(Number($("scrub").value)));

/* Puts what the address holds on the board; what cannot be played changes nothing. */
function shared() {
  if (!location.hash.startsWith("#p=")) return;
  try {
    const found = unpack(location.hash), title = found.title || "Shared level";
    begin({...found, title}, {plan: found.plan});
  } catch {
    choose(page.at);
    say("This address holds no level that can be played.", "bad");
  }
}
addEventListener("hashchange", shared);

document.body.dataset.service = state.service ? "yes" : "no";
if (location.search) history.replaceState(null, "", location.pathname + location.hash);  // the token: a cookie has it by now

/* Opens with what the server was started with; without a file of the user's, with what was open last. */
const last = store.get("last"), opened = state.own ? null : store.get("opened");
if (opened?.problems?.length) page.opened = opened;
const same = !state.own || store.get("started") === state.opened.name;
store.set("started", state.opened.name);
const first = page.opened.problems.findIndex((entry) => !entry.error);
choose(same && page.opened.problems[last?.at] && !page.opened.problems[last.at].error ? last.at : first);
shared();
window.sokoasp = {page, board, store, choose, openCollection, begin};
if ("serviceWorker" in navigator && isSecureContext) keepOffline(navigator.serviceWorker);
document.body.dataset.ready = "yes";

/* A page that was on its way while the worker became active is nobody's: it asks to be claimed, else what it loads later would not
   come from what is kept. */
function keepOffline(workers) {
  workers.register("sw.js").catch(() => say("Offline play is not available here."));
  if (!workers.controller) workers.ready.then(({active}) => active.postMessage("claim"));
}
