/* The provider of a site without a server: a worker for each question, ended when the question is taken back. */
import {state} from "./page.js";

const here = new URL(".", import.meta.url), spare = [];
let jobs = 0;

function spawn() { return new Worker(new URL("site_worker.js", here), {type: "module"}); }

/* Runs one question; a worker that has answered waits for the next one. */
export function follow(name, body, signal, onEvent) {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) { reject(new DOMException("taken back", "AbortError")); return; }
    const worker = spare.pop() ?? spawn(), id = ++jobs;
    const end = (keep) => {
      signal?.removeEventListener("abort", stop);
      if (!keep) worker.terminate(); else if (spare.length < 2) spare.push(worker); else worker.terminate();
    };
    const stop = () => { end(false); reject(new DOMException("taken back", "AbortError")); };
    signal?.addEventListener("abort", stop);
    worker.onerror = (event) => { end(false); reject(new Error(event.message || "the worker of this page could not be started")); };
    worker.onmessage = ({data}) => {
      if (data.id !== id) return;
      if (data.event) onEvent(data.event);
      if (data.error !== undefined) { end(true); reject(new Error(data.error)); }
      if (data.done) { end(true); resolve(); }
    };
    worker.postMessage({id, name, body, site: state.site});
  });
}

export async function ask(name, body, signal) {
  let answer = null;
  await follow(name, body, signal, (event) => { answer = event; });
  return answer;
}

export async function send(name, body, signal) {
  const {content, type} = await ask(name, body, signal);
  return new Response(content, {headers: {"content-type": type}});
}
