"""A child process that solves: one JSON job a line on stdin, JSON events a line each on stdout, the last with ``"done": true``.

The server kills it to cancel a job; when the server goes, stdin ends and the worker ends itself, whatever it is doing.
Since a new one is started then, what only seldom jobs take is imported when they come.
"""

from __future__ import annotations

import base64
import contextlib
import io
import json
import os
import queue
import sys
import threading
import zipfile
from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import IO, Any

from sokoasp import engine
from sokoasp.core.errors import LevelError, SokoaspError
from sokoasp.core.limits import Limits
from sokoasp.core.result import Result, Status, Step
from sokoasp.domain import Problem, domain_of
from sokoasp.render.pictures import timeline
from sokoasp.sokoban.examine import Examination, as_json, examine_reverse
from sokoasp.sokoban.formats import level_from_rows
from sokoasp.sokoban.units import find_deadlock
from sokoasp.sokoban.units.reason import least
from sokoasp.web import asp_window, known_optimum, progress_feed, serialization

LEAST_SECONDS = 5.0
"""For making a verdict speak of the fewest boxes."""
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

    def answer(event: Event) -> None:
        """Say an event; the last one says so if clingo still grounds in a thread of its own: then this process is spent."""
        left = "done" in event and set(threading.enumerate()) - resting
        say({**event, "broken": True} if left else event)

    for line in lines:
        job = json.loads(line)
        resting |= set(threading.enumerate())
        say({"event": "began"})
        try:
            JOBS[job["do"]](job, answer)
        except serialization.HttpRefusal as error:
            answer({"event": "error", "sentence": error.sentence, "done": True})
        except SokoaspError as error:
            answer({"event": "error", "sentence": str(error), "done": True})
        except MemoryError:
            answer({"event": "error", "sentence": "the solver ran out of memory", "done": True})
        except Exception as error:
            answer({"event": "error", "sentence": f"internal error: {type(error).__name__}: {error}", "done": True})


def _solve(job: Mapping[str, Any], say: Say) -> None:
    """Solve a problem, with every bound as an event on the way."""
    problem = serialization.problem_of(job)
    limits = Limits(seconds=job["seconds"], memory_mb=job["memory_mb"])
    objective = job["objective"]
    wishes = {"objective": objective, "engine": job["engine"], "limits": limits, "cross_check": False}
    with progress_feed.reported(problem, objective, say):
        result = _looked_up(problem, job) or engine.solve(problem, on_step=_steps(say), **wishes)
    answer = dict(engine.as_json(problem, result))
    if result.plan is not None:
        answer["timeline"] = timeline(problem, result.plan)
    say({"event": "result", "result": answer, "done": True})


def _steps(say: Say) -> Callable[[Step], None]:
    """Return what says each bound that was tried."""
    return lambda step: say({"event": "step", **asdict(step)})


def _shorten(job: Mapping[str, Any], say: Say) -> None:
    """Shorten a plan: by the best plan there is if that is soon proved, else step by step; better plans are events on the way."""
    problem = serialization.problem_of(job)
    domain, objective = domain_of(problem), job["objective"]
    plan = domain.read_plan(problem, job["plan"], "plan")
    quick = Limits(seconds=job["seconds"] / 4, memory_mb=job["memory_mb"])
    limits = Limits(seconds=job["seconds"] * 3 / 4, memory_mb=job["memory_mb"])
    with progress_feed.reported(problem, objective, say):
        result = engine.solve(problem, objective=objective, engine="native", limits=quick, cross_check=False)
        if result.status is not Status.OPTIMAL:
            result = engine.improve(domain, problem, plan, objective, limits)
    answer = {**engine.as_json(problem, result), "timeline": timeline(problem, result.plan)}
    say({"event": "result", "result": answer, "done": True})


def _looked_up(problem: Problem, job: Mapping[str, Any]) -> Result | None:
    """Return what the server's file of positions says of a board, None without a file that fits it."""
    if not job.get("positions"):
        return None
    with contextlib.suppress(LevelError):
        return engine.solve(
            problem, objective=job["objective"], answers=Path(job["positions"]), engine=None, cross_check=False
        )
    return None


def _deadlock(job: Mapping[str, Any], say: Say) -> None:
    """Look for a proof that a position is dead; one of the play backwards comes with the level it goes back to."""
    level = serialization.level_of(job)
    if job.get("start") is not None:
        verdict = examine_reverse(serialization.level_of(job, "start"), level).found
    else:
        verdict = find_deadlock(level)
        verdict = verdict and least(level, None, verdict, seconds=LEAST_SECONDS)
    answer = as_json(Examination("dead", level, verdict)) if verdict is not None else {"verdict": "none_found"}
    say({"event": "verdict", **answer, "done": True})


def _truth(job: Mapping[str, Any], say: Say) -> None:
    """Return what is known of a problem, objective by objective."""
    problem = serialization.problem_of(job)
    limits = Limits(seconds=job["seconds"] / 3, memory_mb=job["memory_mb"])
    for found in known_optimum.known_optima(problem, limits, frozenset(job["have"])):
        say({"event": "truth", **found})
    say({"event": "end", "done": True})


def _losses(job: Mapping[str, Any], say: Say) -> None:
    """Return where a play lost pushes or slides."""
    problem = serialization.problem_of(job)
    for at, (verdict, total) in known_optimum.losses(problem, job["plan"], job["seconds"]):
        say({"event": "total", "at": at, "verdict": verdict, "total": total})
    say({"event": "end", "done": True})


def _why(job: Mapping[str, Any], say: Say) -> None:
    """Name the goals that cannot all be served in fewer than a number of lines."""
    from sokoasp.engine.explain import explain

    limits = Limits(seconds=job["seconds"], memory_mb=job["memory_mb"])
    found = explain(serialization.level_of(job), job["bound"], what="goals", objective="lines", limits=limits)
    cells = None if found is None else [list(cell) for cell in found.cells]
    say({"event": "why", "cells": cells, "minimal": found is not None and found.minimal, "done": True})


def _generate(job: Mapping[str, Any], say: Say) -> None:
    """Make a level of the wanted size with its optimum proved."""
    from sokoasp.sokoban.generate.generator import Wish, generate

    wish = Wish(**job["wish"], states=WISH_STATES, attempts=WISH_ATTEMPTS)
    level = next(generate(wish, 1, seconds=job["seconds"]), None)
    if level is None:
        note = "No such level was found in time: ask for fewer lines or boxes, or a larger board."
        say({"event": "made", "problem": None, "note": note, "done": True})
        return
    say({"event": "made", "problem": serialization.describe(level), "note": level.comment, "done": True})


def _certify(job: Mapping[str, Any], say: Say) -> None:
    """Make a certificate of a plan (without one: that there is none), check it, and pack the folder."""
    from sokoasp.engine.certificates import certify_result

    problem = serialization.problem_of(job)
    domain = domain_of(problem)
    plan = domain.read_plan(problem, job["plan"], "plan") if job["plan"] else None
    status = Status.UNSOLVABLE if plan is None else Status.OPTIMAL
    limits = Limits(seconds=job["seconds"], memory_mb=job["memory_mb"])
    with TemporaryDirectory(prefix="sokoasp-") as name:
        folder = Path(name) / "certificate"
        row = dict(certify_result(problem, Result(status, job["objective"], "given", plan=plan), folder, limits))
        del row["folder"]
        packed = _packed(folder) if row["checked"] else b""
    if len(packed) > MOST_PACKED:
        row |= {"note": f"The certificate has {len(packed) / 1e6:.0f} MB: make it with sokoasp certify."}
        packed = b""
    say({"event": "certified", **row, "zip": base64.b64encode(packed).decode(), "done": True})


def _packed(folder: Path) -> bytes:
    """Return a folder as a zip file."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for path in sorted(folder.iterdir()):
            archive.write(path, f"{folder.name}/{path.name}")
    return out.getvalue()


MOST_PACKED = 20_000_000
"""Bytes of a certificate that is sent to the page."""


def _asp(job: Mapping[str, Any], say: Say) -> None:
    """Run a program or constraints of the page's user, and report the atoms of each step."""
    limits = Limits(seconds=job["seconds"], memory_mb=job["memory_mb"])
    answer = asp_window.run(
        serialization.problem_of(job), job["objective"], job["program"], job["constraints"], limits, _steps(say)
    )
    say({"event": "result", "result": answer, "done": True})


WISH_STATES, WISH_ATTEMPTS = 20_000, 400


TINY = ("#####", "#@$.#", "#####")


def _warm(_job: Mapping[str, Any], say: Say) -> None:
    """Compile the native search, so that nobody's question has to pay for it, or is stopped by it."""
    for objective in ("pushes", "moves", "lines"):
        engine.solve(level_from_rows(TINY), objective=objective, engine="native", cross_check=False)
    say({"event": "end", "done": True})


JOBS: dict[str, Callable[[Mapping[str, Any], Say], None]] = {
    "solve": _solve,
    "shorten": _shorten,
    "deadlock": _deadlock,
    "truth": _truth,
    "losses": _losses,
    "generate": _generate,
    "why": _why,
    "asp": _asp,
    "certify": _certify,
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
    if len(sys.argv) > 2 and hasattr(os, "nice"):
        os.nice(int(sys.argv[2]))
    main(_until_end(sys.stdin), sys.stdout)
