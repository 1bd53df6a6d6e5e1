"""A campaign from suite to store: expand, leave out what is done, run, write every result as it comes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple

from sokoasp.bench.define import instances, slurm
from sokoasp.bench.define.suite import Suite
from sokoasp.bench.run import external, host, job, logs, outcomes, preflight, store
from sokoasp.bench.run.selection import Selection
from sokoasp.core import errors, kernels
from sokoasp.sokoban import search
from sokoasp.sokoban.level import Level

Jobs = list[job.Job]
Execute = Callable[[Jobs], Iterator[job.Ran]]
"""Runs jobs and yields them as they end: ``local.execute`` or ``cluster.execute`` with their settings filled in."""
EVERYTHING = Selection()


class Progress(NamedTuple):
    """How far a campaign is."""

    done: int
    total: int
    last: str
    """System and outcome of the run that has just ended; ``starting`` before the first."""


class Summary(NamedTuple):
    """How a campaign ended."""

    total: int
    """Jobs of the suite."""
    before: int
    """Runs of all that an earlier call has done."""
    ran: int
    left_out: tuple[str, ...]
    """Why systems were left out, a sentence each."""


def run(
    suite: Suite,
    folder: Path,
    execute: Execute,
    *,
    instances_folder: Path | None = None,
    retry: Iterable[str] = (),
    on_run: Callable[[Progress], None] = lambda progress: None,
    most_pages: int | None = None,
    selection: Selection = EVERYTHING,
) -> Summary:
    """Run every job of a suite that is not in the store yet.

    Args:
        suite: What is asked.
        folder: Output folder; made if missing.
        execute: Who runs the jobs.
        instances_folder: What ``{instances}`` in the suite stands for.
        retry: Outcomes of earlier runs that are to be run again, such as ``lost``.
        on_run: Called at the start, before any run, and after every stored run.
        selection: Which jobs this call runs.
        most_pages: Largest size of the store in pages of 4 KB (to test a full disk).

    Raises:
        SokoaspError: Another process runs this campaign, the folder belongs to another suite, the instances cannot be read,
            or the disk is full; what was stored stays stored.
    """
    asked = _asked(suite, instances_folder)
    here = asked.here
    places = {one.id: one.names for one in asked.found}
    jobs = selection.of(here, places)  # a pattern that selects nothing is reported before anything is made
    _make(folder)
    place, shared = folder / store.FILE, selection.part is not None
    with _locked(folder), store.Store(place, most_pages=most_pages, shared=shared) as opened:
        _check_owner(opened, suite)
        _note(opened, suite, asked, here)
        notes = asked.notes + collect(opened, folder)
        opened.forget(retry, [one.key for one in jobs])
        stored = opened.keys()
        left = [one for one in jobs if one.key not in stored]
        summary = Summary(len(jobs), len(jobs) - len(left), len(left), tuple(notes))
        on_run(Progress(summary.before, summary.total, _first_words(left)))
        _write_results(opened, execute(left), summary, on_run)
        opened.describe({"finished": _now()})
    return summary


class _Asked(NamedTuple):
    """What a suite asks."""

    found: list[instances.Instance]
    every: Jobs
    here: Jobs
    """Those that this machine has everything for."""
    notes: list[str]
    """What is left out and why."""


def _asked(suite: Suite, instances_folder: Path | None) -> _Asked:
    found = instances.expand(suite, instances_folder)
    every = job.expand(suite, found)
    if not every:
        games = ", ".join(sorted({one.game for one in found}))
        suite.source.fail(("objectives",), f"no system can be asked for these objectives of {games}")
    here, notes = _possible_here(every)
    preflight.check(suite.source, here)
    return _Asked(found, every, here, notes + _without_jobs(suite, found, every))


def _possible_here(every: Jobs) -> tuple[Jobs, list[str]]:
    """Return the jobs that this machine has everything for, and a sentence for each system of which some are left out."""
    programs = {one.system.name: external.missing(one.system, one.limits.by) for one in every}
    no_kernels = None if kernels.status().there else str(errors.MissingExtra("the native search", "jit"))
    lacks = {one.key: programs[one.system.name] or (no_kernels if _wants_kernels(one) else None) for one in every}
    notes = {f"system {one.system.name!r} is left out: {lacks[one.key]}" for one in every if lacks[one.key]}
    return [one for one in every if not lacks[one.key]], sorted(notes)


def _wants_kernels(one: job.Job) -> bool:
    """Return whether a run uses compiled kernels; boards are searched in plain Python."""
    return one.system.searches_natively and isinstance(one.problem, Level)


def _first_words(left: Jobs) -> str:
    """Return what progress says before the first run."""
    if any(map(_wants_kernels, left)) and search.compiles():
        return "compiling the native search first (two to four CPU minutes, once)"
    return "starting"


def _without_jobs(suite: Suite, found: list[instances.Instance], every: Jobs) -> list[str]:
    """Return notes of the systems and instances that have none of the suite's objectives."""
    asked, systems = {one.instance for one in every}, {one.system.name for one in every}
    names = (one.name for one in suite.systems if one.name not in systems)
    idle = [f"system {name!r} has no runs: it has none of the objectives that are asked for" for name in names]
    rest = [one for one in found if one.id not in asked]
    if not rest:
        return idle
    what, where = ", ".join(suite.objectives or ()), f"{rest[0].file}:{rest[0].level}"
    return [
        *idle,
        f"{errors.counted(len(rest), 'instances')} left out, from {where} on: {rest[0].game} does not count {what}",
    ]


def _note(opened: store.Store, suite: Suite, asked: _Asked, here: Jobs) -> None:
    """Keep what is asked of whom: instances, systems with their versions and order, how many runs of each, all keys.

    What cannot be run here is asked, too: it may have been run on another machine.
    """
    runs = Counter(one.system.name for one in here)
    told = "\n".join(f"{name}\t{count}" for name, count in sorted(runs.items()))
    order = "\n".join(one.name for one in suite.systems)
    more = ((key, getattr(suite.limits, key)) for key in ("cores", "cpu_seconds", "by"))
    limits = "".join(f", {key} = {value}" for key, value in more if value not in (None, "sokoasp"))
    opened.describe({"runs": told, "order": order, "finished": "", "clock": suite.limits.clock, "limits": limits})
    questions = {(one.system.name, *one.question) for one in here}
    elsewhere = (one.key for one in asked.every if (one.system.name, *one.question) not in questions)
    opened.ask([*(one.key for one in here), *elsewhere])
    opened.add_instances(asked.found)
    opened.add_systems((s, host.version_of(s)) for s in suite.systems if s.name in runs)


def collect(opened: store.Store, folder: Path) -> list[str]:
    """Take over what finished tasks of a job array have stored in ``parts/*``; return a sentence for each that is not finished.

    A task may be writing still, on another machine: its store is not looked into further than that.
    """
    notes = []
    for path in sorted(folder.glob(f"{slurm.PARTS}/*/{store.FILE}")):
        with store.Store(path, read_only=True) as part:
            if part.description().get("finished"):
                opened.take_over(part)
            else:
                number = path.parent.name
                notes.append(
                    f"part {number} is not finished: wait for its task, or send it again (sbatch --array={number})"
                )
    return notes


def _make(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise errors.SokoaspError(f"the output folder cannot be made: {error.strerror}", source=str(folder)) from error


@contextmanager
def _locked(folder: Path) -> Iterator[None]:
    """Hold the campaign's lock; the system gives it back however this process ends.

    Raises:
        SokoaspError: Another process holds it, or the system has no such locks.
    """
    try:
        import fcntl
    except ImportError:
        raise errors.SokoaspError(
            "campaigns run on Linux and macOS only: this system lacks what their limits need"
        ) from None
    with (folder / "lock").open("w") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            raise errors.SokoaspError("another process is running this campaign", source=str(folder)) from error
        yield


def _check_owner(opened: store.Store, suite: Suite) -> None:
    """Note the suite in the store. Raises CampaignError: the store holds a campaign of another title."""
    known = opened.description()
    if known.get("title", suite.title) != suite.title:
        raise errors.CampaignError(
            f"this folder holds the campaign {known['title']!r}, not {suite.title!r}: choose another -o",
            source=str(opened.path.parent),
        )
    about = {"title": suite.title, "suite": suite.text, "path": str(suite.path.absolute()), "view": suite.view or ""}
    opened.describe({**about, "started": known.get("started", _now())})


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="milliseconds")


def _write_results(
    opened: store.Store, results: Iterator[job.Ran], summary: Summary, on_run: Callable[[Progress], None]
) -> None:
    """store.Store every result as it comes. Raises SokoaspError: the disk is full."""
    machines, done = set[str](), summary.before
    try:
        for ran in results:
            name, description = ran.machine
            if name not in machines:
                machines.add(name)
                opened.add_machine(name, description)
            try:
                lost = "lost", f"the worker died under this run {ran.attempts} times"
                outcome, message = lost if ran.report is None else outcomes.outcome(ran.job, ran.report)
            except outcomes.NoSpace as error:
                raise store.DiskFull(f"{error}; free some space and run the same command again") from error
            logs.keep(opened.path.parent, ran, outcome, message)
            report = ran.report or job.Report(None, 0.0, 0.0, 0.0, 0)
            by = {"machine": name, "worker": ran.worker, "finished": _now()}
            opened.add_run(store.row(ran.job, report, outcome, message, attempts=ran.attempts, **by))
            done += 1
            on_run(Progress(done, summary.total, f"{ran.job.system.name}: {outcome}"))
    finally:
        if (close := getattr(results, "close", None)) is not None:
            close()
