"""A child process that solves: one JSON job a line on stdin, JSON events a line each on stdout, the last with ``"done": true``.

The server kills it to cancel a job; when the server goes, stdin ends and the worker ends itself, whatever it is doing.
Since a new one is started then, what only seldom jobs take is imported when they come.
"""

from __future__ import annotations

import base64
import io
import json
import os
import queue
import sys
import threading
import zipfile
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import IO, Any

from sokoasp import engine
from sokoasp.core.errors import SokoaspError
from sokoasp.core.limits import Limits
from sokoasp.core.result import Result, Status, Step
from sokoasp.domain import domain_of
from sokoasp.render.pictures import timeline
from sokoasp.sokoban.examine import Examination, as_json
from sokoasp.sokoban.formats import level_from_rows
from sokoasp.sokoban.level import Level
from sokoasp.sokoban.units import find_deadlock
from sokoasp.sokoban.units.reason import least
from sokoasp.web import asp_window, progress_feed, questions

LEAST_SECONDS = 1.0
"""For making a verdict speak of the fewest boxes; less than such a question may take."""
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


def _last_event(job: Mapping[str, Any], say: Say) -> Event:
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


def _limits(job: Mapping[str, Any]) -> Limits:
    """Return the limits of a job."""
    return Limits(seconds=job["seconds"], memory_mb=job["memory_mb"])


def _solve(job: Mapping[str, Any], say: Say) -> Event:
    """Solve a problem, with every bound as an event on the way."""
    problem, objective = questions.problem_of(job), job["objective"]
    wishes = {"objective": objective, "engine": job["engine"], "limits": _limits(job), "cross_check": False}
    with progress_feed.reported(problem, objective, say):
        result = engine.solve(problem, on_step=_steps(say), **wishes)
    answer = dict(engine.as_json(problem, result))
    if result.plan is not None:
        answer["timeline"] = timeline(problem, result.plan)
    return {"event": "result", "result": answer}


def _steps(say: Say) -> Callable[[Step], None]:
    """Return what says each bound that was tried."""
    return lambda step: say({"event": "step", **step._asdict()})


def _why(job: Mapping[str, Any], _say: Say) -> Event:
    """Say why a position is dead."""
    level = questions.problem_of(job)
    assert isinstance(level, Level), "the request was refused otherwise"
    verdict = find_deadlock(level)
    verdict = verdict and least(level, None, verdict, seconds=LEAST_SECONDS)
    answer = as_json(Examination("dead", level, verdict)) if verdict is not None else {"verdict": "none_found"}
    return {"event": "answer", **answer}


def _certify(job: Mapping[str, Any], _say: Say) -> Event:
    """Make a certificate of a plan (without one: that there is none), check it, and pack the folder."""
    from sokoasp.engine.certificates import certify_result

    problem = questions.problem_of(job)
    domain = domain_of(problem)
    plan = domain.texts.read_plan(problem, job["plan"], "plan") if job["plan"] else None
    status = Status.UNSOLVABLE if plan is None else Status.OPTIMAL
    given = Result(status, job["objective"], "given", plan=plan)
    with TemporaryDirectory(prefix="sokoasp-") as name:
        folder = Path(name) / "certificate"
        row = dict(certify_result(problem, given, folder, _limits(job)))
        del row["folder"]
        packed = _packed(folder) if row["checked"] else b""
    if len(packed) > MOST_PACKED:
        row |= {"note": f"The certificate has {len(packed) / 1e6:.0f} MB: make it with sokoasp certify."}
        packed = b""
    return {"event": "answer", **row, "zip": base64.b64encode(packed).decode()}


def _packed(folder: Path) -> bytes:
    """Return a folder as a zip file."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for path in sorted(folder.iterdir()):
            archive.write(path, f"{folder.name}/{path.name}")
    return out.getvalue()


MOST_PACKED = 20_000_000
"""Bytes of a certificate that is sent to the page."""


def _run(job: Mapping[str, Any], say: Say) -> Event:
    """Run a program or constraints of the page's user, and report the atoms of each step."""
    problem, wishes = questions.problem_of(job), (job["objective"], job["program"], job["constraints"])
    return {"event": "result", "result": asp_window.run(problem, *wishes, _limits(job), _steps(say))}


TINY = ("#####", "#@$.#", "#####")


def _warm(_job: Mapping[str, Any], _say: Say) -> Event:
    """Compile the native search, so that nobody's question has to pay for it, or is stopped by it."""
    for objective in ("pushes", "moves", "lines"):
        engine.solve(level_from_rows(TINY), objective=objective, engine="native", cross_check=False)
    return {"event": "end"}


JOBS: dict[str, Callable[[Mapping[str, Any], Say], Event]] = {
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


def _bound_memory(megabytes: float) -> None:
    """Refuse memory far beyond the limit, should a solver not keep to it by itself (address space, so with room to spare)."""
    try:
        import resource
    except ImportError:
        return
    most = int(megabytes * 3e6 + 3e9)
    resource.setrlimit(resource.RLIMIT_AS, (most, resource.getrlimit(resource.RLIMIT_AS)[1]))


if __name__ == "__main__":
    _bound_memory(float(sys.argv[1]))
    main(_until_end(sys.stdin), sys.stdout)
