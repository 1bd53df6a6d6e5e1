/* Levels, plays and memory in and out: files, the clipboard, drops, downloads. */
import {ask} from "./api.js";
import {begin, isKlotski, openCollection} from "./game.js";
import {$, attempt, download, on, page, say, store, typing} from "./page.js";
import {plain} from "./plain.js";
import {pack} from "./share.js";

const LURD = /^[lurdLURD\s]+$/;

export async function openText(body) {
  const opened = await ask("open", body);
  $("opener").close();
  history.replaceState(null, "", location.pathname);
  openCollection(opened, opened.problems.findIndex((entry) => !entry.error));
}

/* Takes in whatever a text is: a play of this level, an export of this page's memory, or levels. */
export async function takeText(text, name = "") {
  const plain = text.trim();
  if (plain.startsWith('{"app":"sokoasp"')) return takeMemory(plain);
  if (!isKlotski() && LURD.test(plain)) return takePlay(plain.replace(/\s+/g, ""));
  return openText({text, name});
}

function takePlay(moves) {
  if (!new page.game.constructor(page.problem).restore({done: moves})) return say("These moves end at one that is not possible: the play stays as it is.", "bad");
  begin(page.problem, {plan: moves});
  return say(`Loaded a play of ${moves.length} moves.`);
}

function takeMemory(text) {
  const levels = store.import(text);
  begin(page.problem);
  say(`Imported what was remembered of ${levels} levels. Reload the page to use the settings in it.`);
}

async function copy(text, what) {
  try {
    await navigator.clipboard.writeText(text);
    $("share-note").textContent = `${what} on the clipboard.`;
    say($("share-note").textContent);
  } catch {
    $("copied").value = text;
    $("copy-box").showModal();
    $("copied").select();
  }
}

/* The level in XSB with its solutions, as this page knows them. */
export function asXsb() {
  const {rows, title, author} = page.problem, bests = store.level(page.id).bests ?? {};
  const plans = [...new Set(Object.values(bests).map((best) => best.plan))];
  const notes = plans.map((plan) => {
    const counts = Object.entries(bests).filter(([, best]) => best.plan === plan).map(([name, best]) => `${best.value} ${name}`).join(", ");
    return `\n; ${counts}\nSolution:\n${plan}\n`; // JSoko looks for the moves on the next line
  });
  return `${rows.join("\n")}\n${title ? `Title: ${title}\n` : ""}${author ? `Author: ${author}\n` : ""}${notes.join("")}`;
}

const asText = () => isKlotski() ? `${page.problem.head ?? ""}${page.problem.rows.join("\n")}\n` : asXsb();
const fileName = (suffix) => `${page.title.replace(/[^\w-]+/g, "-").toLowerCase() || "level"}.${suffix}`;

async function share() {
  history.replaceState(null, "", "#" + pack(page.game));
  await copy(location.href, "The address of this position is");
}

const ACTS = {
  "copy-lurd": () => copy(page.game.plan(), "The moves are"),
  "copy-level": () => copy(asText(), "The level is"),
  "save-level": () => download(asText(), fileName(isKlotski() ? "klotski" : "xsb"), "text/plain"),
  "save-memory": () => download(store.export(), "sokoasp-memory.json", "application/json"),
  share,
};
for (const [id, act] of Object.entries(ACTS)) $(id).addEventListener("click", () => attempt(act));
on("changed", () => { $("share-note").textContent = ""; });

/* ---- the dialog, drops, pastes ---- */

/* The dialog is empty whenever it opens; of its fields the one that was changed last counts. */
function openDialog() {
  $("open-form").reset();
  $("open-error").replaceChildren();
  $("opener").showModal();
}
const refused = (error) => $("open-error").replaceChildren(...plain(error.message));
$("open").addEventListener("click", openDialog);
$("file").addEventListener("change", () => { $("text").value = ""; $("open-error").replaceChildren(); });
$("text").addEventListener("input", () => { $("file").value = ""; $("open-error").replaceChildren(); });
$("open-cancel").addEventListener("click", () => $("opener").close());
$("copy-close").addEventListener("click", () => $("copy-box").close());
$("open-form").addEventListener("submit", async (event) => {
  event.preventDefault();
  const [file] = $("file").files;
  try {
    if (file) await takeText(await file.text(), file.name); else await takeText($("text").value);
    $("opener").close();
  } catch (error) { refused(error); }
});
addEventListener("paste", (event) => {
  if (typing(event.target) || page.editing) return;
  const text = event.clipboardData?.getData("text/plain");
  if (text) attempt(() => takeText(text));
});
addEventListener("dragover", (event) => event.preventDefault());
addEventListener("drop", (event) => {
  event.preventDefault();
  const [file] = event.dataTransfer?.files ?? [];
  const text = event.dataTransfer?.getData("text/plain");
  attempt(async () => {
    if (file) return takeText(await file.text(), file.name);
    return text ? takeText(text) : undefined;
  });
});
