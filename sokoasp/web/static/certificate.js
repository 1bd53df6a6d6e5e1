/* A certificate folder that is dropped or chosen is checked here, in the browser, by check_proof.js. */
import {t, word} from "./messages.js";
import {$, make, notify} from "./page.js";

let checking = null;

const bytesOf = async (file) => new Uint8Array(await file.arrayBuffer());

/* The files of an archive as the page gives it: stored, or packed by deflate. */
export async function unzip(bytes) {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length), found = [];
  let end = bytes.length - 22;
  while (end >= 0 && view.getUint32(end, true) !== 0x06054b50) end--;
  if (end < 0) throw new Error(t`This is no zip archive.`);
  let at = view.getUint32(end + 16, true);
  for (let n = view.getUint16(end + 10, true); n > 0; n--) {
    const method = view.getUint16(at + 10, true), size = view.getUint32(at + 20, true), long = view.getUint16(at + 28, true), place = view.getUint32(at + 42, true);
    const name = new TextDecoder().decode(bytes.subarray(at + 46, at + 46 + long)), from = place + 30 + view.getUint16(place + 26, true) + view.getUint16(place + 28, true);
    const packed = new Blob([bytes.subarray(from, from + size)]);
    const whole = method === 0 ? packed : new Response(packed.stream().pipeThrough(new DecompressionStream("deflate-raw")));
    found.push([name.split("/").at(-1), new Uint8Array(await whole.arrayBuffer())]);
    at += 46 + long + view.getUint16(at + 30, true) + view.getUint16(at + 32, true);
  }
  return found;
}

/* The files of a certificate among those that were dropped or chosen, as [name, bytes]; null if it is none. */
export async function certificateIn(files, entries = []) {
  const folder = entries.find((entry) => entry?.isDirectory);
  if (folder) files = await listed(folder);
  if (files.length === 1 && files[0].name.endsWith(".zip")) return unzip(await bytesOf(files[0]));
  return files.some((file) => file.name === "claim.json") ? Promise.all(files.map(async (file) => [file.name, await bytesOf(file)])) : null;
}

async function listed(folder) {
  const reader = folder.createReader(), found = [];
  for (;;) {
    const some = await new Promise((done, fail) => { reader.readEntries(done, fail); });
    if (!some.length) break;
    found.push(...some.filter((entry) => entry.isFile));
  }
  return Promise.all(found.map((entry) => new Promise((done, fail) => { entry.file(done, fail); })));
}

/* Checks the files of a folder in a worker, and shows what holds as it is found. */
export function check(files) {
  checking?.terminate();
  const worker = checking = new Worker(new URL("check_proof.js", import.meta.url));
  const say = (state, words) => { $("proof-verdict").dataset.state = state; $("proof-verdict").textContent = words; };
  const end = (state, words) => { worker.terminate(); say(state, words); };
  notify("open-panel", "share");
  $("proof-lines").replaceChildren();
  say("", t`Checking …`);
  worker.onerror = (event) => end("bad", event.message || t`The checker could not be started.`);
  worker.onmessage = ({data: {sentence, done}}) => {
    if (sentence) $("proof-lines").append(make("li", {}, sentence));
    if (done) end(done.valid ? "good" : "bad", done.valid ? claimed(done.claim) : t`Invalid: ${done.sentence}`);
  };
  worker.postMessage(files);
}

/* What a valid certificate shows. */
function claimed({value, objective, boxes}) {
  if (value !== null) return t`Valid: ${value} ${word(objective)} are enough, and fewer are not.`;
  return boxes.length ? t`Valid: there is no plan; these boxes alone cannot all come to goals: ${boxes.map(([row, col]) => `(${row}, ${col})`).join(" ")}.` : t`Valid: there is no plan.`;
}

$("proof-folder").addEventListener("change", async () => {
  const files = await certificateIn([...$("proof-folder").files]);
  if (files) check(files); else $("proof-verdict").textContent = t`There is no claim.json in this folder.`;
});
