/* Whoever answers the page's questions: the local server, or on a site without one a worker in this browser. Both are one interface:
   `ask` (one JSON answer), `follow` (events until the last), `send` (a file); names and bodies are those of docs/web.md. */
import {state} from "./page.js";

const provider = state.site ? await import("./local.js") : await import("./server.js");
export const ask = (...request) => provider.ask(...request);
export const follow = (...request) => provider.follow(...request);
export const send = (...request) => provider.send(...request);
