/* Answers the page's questions in a worker; one at a time, each by the function of its name. */
import {deadlock} from "./dead.js";
import {constants, writeFacts} from "./facts.js";
import {openText, Refused} from "./reader.js";
import {planOf, replay} from "./referee.js";
import {closed, search} from "./search.js";
import {known} from "./shards.js";
import {runProgram, solveByClingo} from "./clingo.js";
import {slip} from "./slips.js";

const HERE = new URL(".", import.meta.url).href;
const NOUN = {lines: "box lines", pushes: "pushes", moves: "moves", slides: "slides", units: "units"};
const OBJECTIVES = {sokoban: ["pushes", "moves", "lines"], klotski: ["slides", "units"]};
const file = async (path) => {
  const response = await fetch(new URL(path, HERE));
  if (!response.ok) throw new Refused(`${path} is not part of this site`);
  return response.json();
};

/* A search's outcome as the service gives results. */
export function resultOf(problem, objective, found, engine, seconds) {
  const proof = found.status === "optimal" ? `searched in this browser: ${found.states} positions; no plan of fewer ${NOUN[objective]} exists`
    : found.status === "unsolvable" ? `searched in this browser; ${closed(problem, found.states)}` : "";
  const result = {status: found.status, objective, value: found.value, lower_bound: found.lower, plan: null, engine, proof, seconds: {total: seconds}};
  if (found.plan === null) return result;
  const checked = replay(problem, found.plan);
  if (!checked.solved || checked.counts[objective] !== found.value) throw new Error("the referee refuses the plan that the search found; please report this level");
  return {...result, plan: planOf(problem, found.plan), timeline: checked.timeline};
}

function searched(problem, objective, seconds, say = () => {}) {
  const began = performance.now();
  let reported = -1;
  const found = search(problem, objective, seconds, (lower) => {
    if (lower > reported) { reported = lower; say({event: "known", stage: "searching", lower_bound: lower}); }
  });
  return resultOf(problem, objective, found, "native", (performance.now() - began) / 1000);
}

/* The worked examples that would not be refused on a level: it has their cells, and boxes start where they say. */
export function fitting({examples, program, vocabulary}, problem) {
  const cells = constants(problem), ours = `${program}\n${writeFacts(problem)}`;
  return examples.filter(({constraints}) => !slip(constraints, {cells, vocabulary, ours}));
}

const JOBS = {
  async open({body, site, say}) {
    if (!("example" in body)) return say(openText(body.text, body.name));
    if (!site.levels[body.example]) throw new Refused(`there is no example '${body.example}'`);
    return say(await file(site.levels[body.example]));
  },
  async why({body, say}) {
    say(deadlock(body.problem));
  },
  async solve({body, say, site}) {
    const {problem, objective, engine, seconds} = body;
    say({event: "started"});
    if (engine !== "asp") return say({event: "result", result: searched(problem, objective, seconds ?? 60, say)});
    if (!site.clingo) throw new Refused("this site was made without clingo");
    return say({event: "result", result: await solveByClingo(problem, objective, seconds ?? 60, HERE, await file("programs.json"), say)});
  },
  async truth({body, say}) {
    const {problem} = body, table = problem.game === "sokoban" ? await known(problem, HERE) : {};
    for (const objective of OBJECTIVES[problem.game]) {
      if (table[objective]) { say({event: "truth", objective, ...table[objective]}); continue; }
      const found = searched(problem, objective, 15);
      say({event: "truth", objective, status: found.status, value: found.value, lower_bound: found.lower_bound, by: "native", origin: found.proof, plan: found.plan, timeline: found.timeline});
    }
    say({event: "end"});
  },
  async program({body, say}) {
    const {problem, objective} = body, programs = await file("programs.json"), one = programs[problem.game][objective];
    say({...one, facts: writeFacts(problem), cells: constants(problem), examples: fitting(one, problem)});
  },
  async run({body, say, site}) {
    if (!site.clingo) throw new Refused("this site was made without clingo");
    say({event: "started"});
    say({event: "result", result: await runProgram(body, HERE, await file("programs.json"), say, search)});
  },
};

if (typeof self !== "undefined" && "onmessage" in self) self.onmessage = async ({data: {id, name, body, site}}) => {
  const say = (event) => self.postMessage({id, event});
  try {
    if (!JOBS[name]) throw new Refused(`this page does not answer ${name}`);
    await JOBS[name]({body, site, say});
    self.postMessage({id, done: true});
  } catch (error) {
    self.postMessage({id, error: error instanceof Refused ? error.message : `internal error: ${error.message}`});
  }
};
