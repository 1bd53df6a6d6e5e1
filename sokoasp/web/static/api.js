/* Whoever answers the page's questions: the service beside it for the four it knows, if there is one, else a worker in this browser.
   Both give events and are one interface; names and bodies are those of sokoasp/web/questions.py. */
import {say, state} from "./page.js";

const SERVED = ["solve", "certify", "why", "run"];
const spare = [];
let jobs = 0;

/* Calls onEvent with every event of an answer; aborting the signal takes the question back. */
export const follow = (name, body, signal, onEvent) => (state.service && SERVED.includes(name) ? served : worked)(name, body, signal, onEvent);

/* The last event of an answer. */
export async function ask(name, body, signal) {
  let answer = null;
  await follow(name, body, signal, (event) => { answer = event; });
  if (answer?.event === "error") throw new Error(answer.sentence);
  return answer;
}

/* The server is gone: said once, in the message line; the error itself has no words. */
function gone() {
  say("The server is not running: you can play on, hints and solving need it.", "bad");
  return Object.assign(new Error(""), {away: true});
}

/* Asks the service. Errors carry its sentence. */
async function served(name, body, signal, onEvent) {
  const away = () => signal?.aborted ? new DOMException("taken back", "AbortError") : gone();
  const {game, head, rows, title} = body.problem, question = JSON.stringify({...body, problem: {game, head, rows, title}});
  const response = await fetch(`api/${name}`, {method: "POST", headers: {"content-type": "application/json"}, body: question, signal})
    .catch(() => { throw away(); });
  if (!response.ok) throw new Error((await response.json().catch(() => ({}))).error ?? `The server answered ${response.status}.`);
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  for (;;) {
    const {value, done} = await reader.read().catch(() => { throw away(); });
    if (done) return;
    const lines = (rest + value).split("\n");
    rest = lines.pop();
    for (const line of lines) onEvent(JSON.parse(line));
  }
}

/* Asks a worker in this browser: one for each question, ended when it is taken back; one that has answered waits for the next. */
function worked(name, body, signal, onEvent) {
  return new Promise((resolve, reject) => {
    const aborted = () => reject(new DOMException("taken back", "AbortError"));
    if (signal?.aborted) return aborted();
    const worker = spare.pop() ?? new Worker(new URL("answers.js", import.meta.url), {type: "module"}), id = ++jobs;
    const end = (keep) => {
      signal?.removeEventListener("abort", stop);
      if (keep && spare.length < 2) spare.push(worker); else worker.terminate();
    };
    const stop = () => { end(false); aborted(); };
    signal?.addEventListener("abort", stop);
    worker.onerror = (event) => { end(false); reject(new Error(event.message || "The worker of this page could not be started.")); };
    worker.onmessage = ({data}) => {
      if (data.id !== id) return;
      if (data.event) onEvent(data.event);
      if (data.error !== undefined) { end(true); reject(new Error(data.error)); }
      if (data.done) { end(true); resolve(); }
    };
    return worker.postMessage({id, name, body, site: {clingo: state.clingo, levels: state.levels}});
  });
}
