"""A child process that solves: one JSON job a line on stdin, JSON events a line each on stdout, the last with ``"done": true``.

The server kills it to cancel a job; when the server goes, stdin ends and the worker ends itself, whatever it is doing.
Since a new one is started then, what only seldom jobs take is imported when they come.
"""

from __future__ import annotations

import base64
import json
import os
import queue
import shutil
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import IO, Any

from sokoasp import engine
from sokoasp.core import result as results
from sokoasp.core.errors import SokoaspError
from sokoasp.core.limits import Limits
from sokoasp.domain import domain_of
from sokoasp.sokoban import examine, units
from sokoasp.web import asp_window, progress_feed, questions

LEAST_SECONDS = 1.0
"""For making a verdict speak of the fewest boxes; less than such a question may take."""
MOST_PACKED = 20_000_000
"""Bytes of a certificate that is sent to the page."""
Event = dict[str, Any]
Say = Callable[[Event], None]


def main(lines: Iterator[str], out: IO[str]) -> None:
    """Do job after job until there are no more lines."""
    lock = threading.Lock()

    def say(event: Event) -> None:
        text = json.dumps(event, separators=(",", ":")) + "\n"
        with lock:
            out.write(text)
            out.flush()

    resting: set[threading.Thread] = set()
    for line in lines:
        job = json.loads(line)
        resting |= set(threading.enumerate())
        say({"event": "began"})
        last = _last_event(job, say)
        # clingo may still ground in a thread of its own: then this process is spent
        left = set(threading.enumerate()) - resting
        say({**last, "done": True, **({"broken": True} if left else {})})


def _last_event(job: questions.Job, say: Say) -> Event:
    """Do a job and return its last event, which may be an error."""
    try:
        return JOBS[job["do"]](job, say)
    except questions.HttpRefusal as error:
        sentence = error.sentence
    except SokoaspError as error:
        sentence = str(error)
    except MemoryError:
        sentence = "the solver ran out of memory"
    except Exception as error:
        sentence = f"internal error: {type(error).__name__}: {error}"
    return {"event": "error", "sentence": sentence}


def _limits(job: questions.Job) -> Limits:
    """Return the limits of a job."""
    return Limits(seconds=job["seconds"], memory_mb=job["memory_mb"])


def _solve(job: questions.Job, say: Say) -> Event:
    """Solve a problem, with every bound as an event on the way."""
    problem, objective = questions.problem_of(job), job["objective"]
    wishes = {"objective": objective, "engine": job["engine"], "limits": _limits(job), "cross_check": False}
    with progress_feed.reported(problem, objective, say):
        result = engine.solve(problem, on_step=_steps(say), **wishes)
    return {"event": "result", "result": asp_window.shown(problem, result)}


def _steps(say: Say) -> Callable[[results.Step], None]:
    """Return what says each bound that was tried."""
    return lambda step: say({"event": "step", **step._asdict()})


def _why(job: questions.Job, _say: Say) -> Event:
    """Say why a position is dead."""
    level: Any = questions.problem_of(job)  # a request about a board was refused
    verdict = units.find_deadlock(level)
    if verdict is None:
        return {"event": "answer", "verdict": "none_found"}
    verdict = units.reason.least(level, None, verdict, seconds=LEAST_SECONDS)
    return {"event": "answer", **examine.as_json(examine.Examination("dead", level, verdict))}


def _certify(job: questions.Job, _say: Say) -> Event:
    """Make a certificate of a plan (without one: that there is none), check it, and pack the folder."""
    from sokoasp.engine.certificates import certify_result

    problem = questions.problem_of(job)
    domain = domain_of(problem)
    plan = domain.texts.read_plan(problem, job["plan"], "plan") if job["plan"] else None
    status = results.Status.UNSOLVABLE if plan is None else results.Status.OPTIMAL
    claimed = results.Result(status, job["objective"], "given", plan=plan)
    with TemporaryDirectory(prefix=f"sokoasp-{os.getpid()}-") as name:
        folder = Path(name) / "certificate"
        row = dict(certify_result(problem, claimed, folder, _limits(job)))
        del row["folder"]
        packed = b""
        if row["checked"]:
            packed = Path(shutil.make_archive(str(folder), "zip", name, folder.name)).read_bytes()
    if len(packed) > MOST_PACKED:
        row |= {"note": f"The certificate has {len(packed) / 1e6:.0f} MB: make it with sokoasp certify."}
        packed = b""
    return {"event": "answer", **row, "zip": base64.b64encode(packed).decode()}


def _run(job: questions.Job, say: Say) -> Event:
    """Run a program or constraints of the page's user, and report the atoms of each step."""
    problem, wishes = questions.problem_of(job), (job["objective"], job["program"], job["constraints"])
    return {"event": "result", "result": asp_window.run(problem, *wishes, _limits(job), _steps(say))}


def _warm(_job: questions.Job, _say: Say) -> Event:
    """Compile the native search, so that nobody's question has to pay for it, or is stopped by it."""
    from sokoasp.engine.closing import compile_all

    compile_all()
    return {"event": "end"}


JOBS: dict[str, Callable[[questions.Job, Say], Event]] = {
    "solve": _solve,
    "certify": _certify,
    "why": _why,
    "run": _run,
    "warm": _warm,
}


def _until_end(stream: IO[str]) -> Iterator[str]:
    """Yield the lines of a stream; its end ends the process at once, also in the middle of a job."""
    lines: queue.SimpleQueue[str] = queue.SimpleQueue()

    def feed() -> None:
        for line in stream:
            lines.put(line)
        os._exit(0)

    threading.Thread(target=feed, daemon=True).start()
    while True:
        yield lines.get()


if __name__ == "__main__":
    main(_until_end(sys.stdin), sys.stdout)
