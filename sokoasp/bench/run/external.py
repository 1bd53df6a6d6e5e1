"""External commands as systems: placeholders in, output read and judged.

The command claims what its output claims; the referee replays the plan and counts it.
"""

from __future__ import annotations

import contextlib
import importlib.util
import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from sokoasp.asp import catalogue
from sokoasp.bench.define import systems
from sokoasp.bench.run import by_benchexec, processes
from sokoasp.bench.run.job import Answer, Job
from sokoasp.core import errors
from sokoasp.core.child import die_with_parent
from sokoasp.domain import Game, domain_of
from sokoasp.sokoban.formats import pddl

_MOST_OUTPUT = 20_000_000
_KILL_AFTER = 0.5
_XCPU = getattr(signal, "SIGXCPU", 24)  # Windows has none, and campaigns say there that they need Unix
_CPU_LIMIT = (-_XCPU, 128 + _XCPU)  # exit codes of a command, or of its shell, that it has ended
_OUT_OF_MEMORY = re.compile(r"bad_alloc|MemoryError|[Oo]ut of memory|Cannot allocate memory")
_COST = re.compile(r'(?:Optimization *: |"Costs": *\[\s*)(-?\d+)')
_CLINGO = {"OPTIMUM FOUND": "optimal", "SATISFIABLE": "solved", "UNSATISFIABLE": "no_plan", "UNKNOWN": "unknown"}
_TIME_LIMIT = re.compile(r'^\s*"?TIME LIMIT"?\s*: 1,?\s*$', re.MULTILINE)  # clingo's own
_RESULT = re.compile(r'^(?:\s*"Result":\s*")?(OPTIMUM FOUND|SATISFIABLE|UNSATISFIABLE|UNKNOWN)"?,?\s*$', re.MULTILINE)


def missing(system: systems.System, by: str = "sokoasp") -> str | None:
    """Return the first program a system requires and does not find, None if all are there; ``by`` limits it."""
    if isinstance(system.how, systems.Command) and by == "runexec" and (lack := by_benchexec.lack()):
        return lack
    for name in system.how.requires if isinstance(system.how, systems.Command) else ():
        if name == "fast_downward":
            if importlib.util.find_spec("up_fast_downward") is None:
                return str(errors.MissingExtra("Fast Downward", "planners"))
        elif shutil.which(name) is None:
            return f"there is no program {name!r} on the PATH"
    return None


def fast_downward() -> str:
    """Return the path of Fast Downward's driver script; MissingExtra if up-fast-downward is not installed."""
    spec = importlib.util.find_spec("up_fast_downward")
    if spec is None or spec.origin is None:
        raise errors.MissingExtra("Fast Downward", "planners")
    return str(Path(spec.origin).parent / "downward" / "fast-downward.py")


def _how(system: systems.System) -> systems.Command:
    assert isinstance(system.how, systems.Command)
    return system.how


def ask(job: Job) -> Answer:
    """Run the command of a job in a folder of its own and judge its output.

    Raises:
        OSError: The folder or the command's process cannot be made.
        MissingExtra: Fast Downward is asked for and not installed.
    """
    with tempfile.TemporaryDirectory(prefix="sokoasp-run-") as name:
        folder = Path(name)
        command = _command(job, folder)
        began, measured = time.perf_counter(), dict[str, float]()
        if job.by_runexec:
            code, stopped, measured = by_benchexec.run(command, folder, job.limits)
        else:
            code, stopped = _execute(command, folder, job.limits.wall(), job.limits.most_cpu)
        seconds = time.perf_counter() - began
        output = _text(folder / "stdout")
        said = _text(folder / "stderr")
        plan = _text(folder / "plan") if "{plan}" in str(_how(job.system).command) else output
    answer = judge(job, output, plan, said, code, stopped)
    answer.seconds["total"] = seconds
    answer.counters.update(bound_of(job) | measured)
    return answer


def _command(job: Job, folder: Path) -> str | list[str]:
    """Return the command with its placeholders filled in, their files written."""
    command = _how(job.system).command
    text = command if isinstance(command, str) else " ".join(command)
    values = {name: _VALUES[name](job, folder) for name in set(re.findall(r"\{(\w+)\}", text))}
    if isinstance(command, str):
        return re.sub(r"\{(\w+)\}", lambda m: shlex.quote(values[m[1]]), command)
    return [re.sub(r"\{(\w+)\}", lambda m: values[m[1]], word) for word in command]


def check(job: Job) -> None:
    """Look whether the command of a job can be started. Raises NotationError: it cannot, or lacks what it asks for."""
    with tempfile.TemporaryDirectory(prefix="sokoasp-run-") as folder:
        command = _command(job, Path(folder))
    name = command[0] if isinstance(command, list) else "/bin/sh"
    if ("/" in name and not Path(name).is_absolute()) or shutil.which(name) is None:
        raise errors.NotationError(f"there is no program {name!r} that can be run; {{folder}} is the suite's folder")


def steps_of(job: Job) -> int | None:
    """Return the competition's number of steps a job is asked for, None if for the best plan."""
    steps = job.system.steps
    return getattr(job.problem, "steps", None) if isinstance(steps, str) else steps


def settles(job: Job, status: str, value: int | None = None) -> bool:
    """Return whether this is the whole answer to a number of steps: none, or a plan of that length where that is asked for."""
    steps = steps_of(job)
    exact = status == "solved" and not getattr(job.system.how, "fewest", False)
    return steps is not None and (status == "no_plan" or (exact and value == steps - 1))


def bound_of(job: Job) -> dict[str, float]:
    """Return the number of actions a job is asked for as a counter, nothing if it is asked for the best."""
    steps = steps_of(job)
    return {} if steps is None else {"bound": float(steps - 1)}


def _given(job: Job) -> int | None:
    return steps_of(job) or getattr(job.problem, "steps", None)


def _steps(job: Job) -> int:
    steps = _given(job)
    if steps is None:
        raise errors.NotationError(f"system {job.system.name!r} uses steps: neither it nor the instance has any")
    return steps


def _file(name: str, content: Callable[[Game, Job], str]) -> Callable[[Job, Path], str]:
    def write(job: Job, folder: Path) -> str:
        path = folder / name
        path.write_text(content(domain_of(job.problem), job), encoding="utf-8")
        return str(path)

    return write


def _in_pddl(job: Job) -> Any:
    """Return a problem that has a form in PDDL. Raises NotationError: its game has none."""
    if "pddl" not in domain_of(job.problem).texts.write:
        raise errors.NotationError("PDDL is for Sokoban levels only")
    return job.problem


_VALUES: dict[str, Callable[[Job, Path], str]] = {
    "facts": _file("instance.lp", lambda domain, job: domain.asp.facts(job.problem, _given(job))),
    "xsb": _file("level.xsb", lambda domain, job: domain.texts.write["xsb"]([job.problem], None)),
    "board": _file(
        "board.txt", lambda domain, job: domain.texts.write[next(iter(domain.texts.write))]([job.problem], None)
    ),
    "pddl_domain": _file("domain.pddl", lambda domain, job: pddl.DOMAIN),
    "pddl_problem": _file("problem.pddl", lambda domain, job: pddl.write_problem(_in_pddl(job))),
    "encodings": lambda job, folder: str(catalogue.folder()),
    "plan": lambda job, folder: str(folder / "plan"),
    "seconds": lambda job, folder: f"{job.limits.seconds:g}",
    "memory_mb": lambda job, folder: f"{job.limits.memory_mb:.0f}",
    "seed": lambda job, folder: str(job.seed),
    "objective": lambda job, folder: job.objective,
    "steps": lambda job, folder: str(_steps(job)),
    "bound": lambda job, folder: str(_steps(job) - 1),
    "python": lambda job, folder: sys.executable,
    "fast_downward": lambda job, folder: fast_downward(),
}


def _execute(command: str | list[str], folder: Path, seconds: float, cpu: float | None) -> tuple[int, str | None]:
    """Run a command in a folder; return its exit code and whether its time was up. OSError if it cannot start."""
    before = signal.signal(signal.SIGTERM, signal.SIG_IGN)
    with (folder / "stdout").open("wb") as out, (folder / "stderr").open("wb") as said:
        process = subprocess.Popen(
            command,
            shell=isinstance(command, str),
            cwd=folder,
            stdin=subprocess.DEVNULL,
            stdout=out,
            stderr=said,
            preexec_fn=lambda: _in_child(cpu),
        )
        try:
            return process.wait(seconds), None
        except subprocess.TimeoutExpired:
            os.killpg(os.getpgid(0), signal.SIGTERM)
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.wait(_KILL_AFTER)
            for pid in processes.descendants(os.getpid()) or [process.pid]:
                with contextlib.suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGKILL)
            return process.wait(), "time"
        finally:
            signal.signal(signal.SIGTERM, before)


def _in_child(cpu: float | None) -> None:
    processes.confine_cpu(None if cpu is None else cpu + 1)  # the kernel counts in ticks, and may strike early
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    die_with_parent()


def _text(path: Path) -> str:
    try:
        with path.open("rb") as file:
            return file.read(_MOST_OUTPUT).decode("utf-8", "replace")
    except FileNotFoundError:
        return ""


def judge(job: Job, output: str, text: str, said: str, code: int, stopped: str | None) -> Answer:
    """Turn a command's output into an answer; a plan counts only after the referee has replayed it."""
    system, both = job.system, f"{output}\n{said}"
    if stopped is None and _how(system).output in ("clingo", "push") and _TIME_LIMIT.search(both):
        stopped = "time"
    claim = _claim(system, both)
    if claim in ("unsolvable", "no_plan") and stopped is None and code not in _CPU_LIMIT:
        decided = claim == "unsolvable" or settles(job, claim)
        return Answer(claim, message=f"claimed by {system.name}", decided=decided)
    try:
        plan = _plan(job, text, both)
    except errors.IllegalPlan as error:
        return Answer("wrong_plan", message=str(error))
    except errors.NotationError as error:
        if claim in ("optimal", "solved"):
            return Answer("wrong_plan", message=f"a plan is claimed, but none can be read: {error}")
        return _without_plan(both, code, stopped, error)
    return _judge_plan(job, plan, both, claim == "optimal" or _how(system).optimal is True, stopped)


def _judge_plan(job: Job, plan: Any, both: str, claims_best: bool, stopped: str | None) -> Answer:
    """Let the referee replay and count a plan and compare that with what is claimed of it."""
    how, domain = _how(job.system), domain_of(job.problem)
    try:
        counts = domain.validate(job.problem, plan, None)
    except errors.IllegalPlan as error:
        return Answer("wrong_plan", message=str(error))
    value = counts[job.objective]
    found = re.search(how.value, both) if how.value else None
    if found and _number(found[1]) != value:
        return Answer("wrong_claim", value, message=f"claims {found[1]} {job.objective}, the referee counts {value}")
    costs = _COST.findall(both) if claims_best and not how.optimal else []  # of clingo's own words
    odd = bool(costs) and int(costs[-1]) != value
    optimal = claims_best and stopped is None and not odd
    return Answer(
        status="optimal" if optimal else "solved",
        value=value,
        lower_bound=value if optimal else None,
        plan=domain.texts.write_plan[next(iter(domain.texts.write_plan))](job.problem, plan).strip(),
        message=f"it minimises something else: its best answer costs {costs[-1]}" if odd else "",
        stopped_by=stopped,
        counters=job.pushes_in(counts),
        decided=optimal or (settles(job, "solved", value) and stopped is None),
    )


def _number(text: str) -> int | None:
    try:
        return int(float(text))
    except ValueError:
        return None


def _claim(system: systems.System, text: str) -> str | None:
    """Return what the output claims: optimal, solved, unsolvable, no_plan, unknown, or None if it says nothing."""
    how = _how(system)
    for status, pattern in (("unsolvable", how.unsolvable), ("no_plan", how.no_plan)):
        if pattern and re.search(pattern, text):
            return status
    if isinstance(how.optimal, str) and re.search(how.optimal, text):
        return "optimal"
    results = _RESULT.findall(text) if how.output in ("clingo", "push") else []
    return _CLINGO[results[-1]] if results else None


def _plan(job: Job, text: str, both: str) -> Any:
    """Read the plan of an output; ``both`` is what may tell its cost.

    Raises NotationError: there is none. Raises IllegalPlan: it cannot be carried out.
    """
    how = _how(job.system)
    cost = re.search(how.value, both) if how.value else None
    if how.plan:
        found = re.search(how.plan, text)
        if not found:
            raise errors.NotationError("the output has no plan where the suite's expression looks for it")
        text = found[1] or ""
    if cost and _number(cost[1]) == 0:
        text = ""  # the plan of a start that is solved
    elif not text.strip():
        raise errors.NotationError("the plan is empty")
    return domain_of(job.problem).texts.read_plan(job.problem, text.strip(), "")


def _without_plan(text: str, code: int, stopped: str | None, error: errors.NotationError) -> Answer:
    if stopped == "time":
        return Answer("time_out", stopped_by="time")
    if stopped == "memory" or _OUT_OF_MEMORY.search(text):
        return Answer("memory_out", stopped_by="memory")
    if code in _CPU_LIMIT:
        return Answer("time_out", stopped_by="time", message="CPU limit")
    if code != 0:
        tail = " ".join(text.split())[-300:]
        how = f"signal {-code}" if code < 0 else f"exit code {code}"
        return Answer("crash", message=f"{how}: {tail}")
    return Answer("unknown", message=str(error.message))
