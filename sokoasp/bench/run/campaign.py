"""A campaign from suite to store: expand, leave out what is done, run, write every result as it comes."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass, replace
from datetime import UTC, datetime
from pathlib import Path

from sokoasp.bench.define import instances, slurm
from sokoasp.bench.define.instances import Instance
from sokoasp.bench.define.suite import Suite, System
from sokoasp.bench.run import external, host, job, logs, outcomes, store
from sokoasp.bench.run.job import Job, Ran, Report
from sokoasp.bench.run.selection import Selection
from sokoasp.bench.run.store import Store
from sokoasp.core.errors import CampaignError, SokoaspError
from sokoasp.core.plurals import counted

Execute = Callable[[list[Job]], Iterator[Ran]]
"""Runs jobs and yields them as they end: ``local.execute`` or ``cluster.execute`` with their settings filled in."""
EVERYTHING = Selection()


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a campaign is."""

    done: int
    total: int
    last: str
    """System and outcome of the run that has just ended; ``starting`` before the first."""


@dataclass(frozen=True, slots=True)
class Summary:
    """How a campaign ended."""

    total: int
    """Jobs of the suite."""
    before: int
    """Of these, done by an earlier call."""
    ran: int
    left_out: tuple[str, ...]
    """Why systems were left out, a sentence each."""


def available(suite: Suite) -> tuple[list[System], list[str]]:
    """Return the systems that can be run here, and a sentence for each that cannot."""
    lacks = {system.name: external.missing(system) for system in suite.systems}
    systems = [system for system in suite.systems if lacks[system.name] is None]
    notes = [f"system {name!r} is left out: {reason}" for name, reason in lacks.items() if reason is not None]
    return systems, notes


def kinds_of(suite: Suite) -> frozenset[str]:
    """Return the kinds of systems that workers prepare for; the plain search wants no kernels."""
    return frozenset(one.kind for one in suite.systems if one.engine != "reference")


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
        suite: The suite.
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
    systems, notes = available(suite)
    found = instances.expand(suite, instances_folder)
    every = _jobs(suite, systems, found)
    notes += _without_jobs(suite, found, every)
    selection.of(every)  # a pattern that selects nothing is reported before anything is made
    _make(folder)
    with _locked(folder), Store(folder / store.FILE, most_pages=most_pages) as opened:
        _check_owner(opened, suite)
        every = reuse_decided(every, opened) if selection.undecided else every
        jobs = selection.of(every)
        _note(opened, suite, systems, found, every)
        collect(opened, folder)
        opened.forget(retry, [one.key for one in jobs])
        stored = opened.keys()
        left = [one for one in jobs if one.key not in stored]
        _write_results(opened, execute(left), len(jobs) - len(left), len(jobs), on_run)
    return Summary(len(jobs), len(jobs) - len(left), len(left), tuple(notes))


def _jobs(suite: Suite, systems: list[System], found: list[Instance]) -> list[Job]:
    """Return the jobs of a suite; fail where no instance has one of its objectives."""
    every = job.expand(suite, systems, found)
    if not every:
        games = ", ".join(sorted({one.game for one in found}))
        suite.source.fail(("objectives",), f"none of the objectives is one of {games}")
    return every


def _without_jobs(suite: Suite, found: list[Instance], every: list[Job]) -> list[str]:
    """Return a note of the instances of a game that none of the suite's objectives belongs to."""
    asked = {one.instance for one in every}
    rest = [one for one in found if one.id not in asked]
    if not rest:
        return []
    what, where = ", ".join(suite.objectives or ()), f"{rest[0].file}:{rest[0].level}"
    return [f"{counted(len(rest), 'instances')} left out, from {where} on: {rest[0].game} does not count {what}"]


def reuse_decided(jobs: Iterable[Job], opened: Store) -> list[Job]:
    """Return the jobs; one that a system has decided under a smaller limit gets the key of that run, which is stored."""
    columns = ("key", "instance", "digest", "objective", "seed", "repetition", "limit_seconds", "decided")
    decided = {tuple(question): (key, limit) for key, *question, limit, done in opened.rows(columns) if done}

    def with_key(one: Job) -> Job:
        question = (one.instance, one.system.digest, one.objective, one.seed, one.repetition)
        key, limit = decided.get(question, (one.key, 0.0))
        return replace(one, key=key) if limit <= one.limits.seconds else one

    return [with_key(one) for one in jobs]


def _note(
    opened: Store, suite: Suite, systems: Collection[System], found: list[Instance], every: Iterable[Job]
) -> None:
    """Keep what is asked of whom: instances, systems with their versions and order, how many runs of each, all keys.

    What cannot be run here is asked, too: it may have been run on another machine.
    """
    elsewhere = job.expand(suite, [one for one in suite.systems if one not in systems], found)
    jobs = {one.key: one.system.name for one in every}
    runs = "\n".join(f"{name}\t{count}" for name, count in sorted(Counter(jobs.values()).items()))
    opened.describe({"runs": runs, "order": "\n".join(one.name for one in suite.systems)})
    opened.ask([*jobs, *(one.key for one in elsewhere)])
    opened.add_instances(found)
    opened.add_systems((s, json.dumps(asdict(s)), host.version_of(s)) for s in systems)


def collect(opened: Store, folder: Path) -> int:
    """Take over what the tasks of a job array have stored in ``parts/*`` and return how many runs are new."""
    added = 0
    for path in sorted(folder.glob(f"{slurm.PARTS}/*/{store.FILE}")):
        with Store(path) as other:
            added += opened.take_over(other)
    return added


def _make(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise SokoaspError(f"the output folder cannot be made: {error.strerror}", source=str(folder)) from error


@contextmanager
def _locked(folder: Path) -> Iterator[None]:
    """Hold the campaign's lock; the system gives it back however this process ends.

    Raises:
        SokoaspError: Another process holds it, or the system has no such locks.
    """
    try:
        import fcntl
    except ImportError:
        raise SokoaspError("campaigns run on Linux and macOS only: this system lacks what their limits need") from None
    with (folder / "lock").open("w") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            raise SokoaspError("another process is running this campaign", source=str(folder)) from error
        yield


def _check_owner(opened: Store, suite: Suite) -> None:
    """Note the suite in the store. Raises CampaignError: the store holds a campaign of another title."""
    known = opened.description()
    if known.get("title", suite.title) != suite.title:
        raise CampaignError(
            f"this folder holds the campaign {known['title']!r}, not {suite.title!r}: choose another -o",
            source=str(opened.path.parent),
        )
    about = {"title": suite.title, "suite": suite.text, "path": str(suite.path.absolute()), "view": suite.view or ""}
    opened.describe({**about, "started": known.get("started", _now())})


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="milliseconds")


def _write_results(
    opened: Store, results: Iterator[Ran], done: int, total: int, on_run: Callable[[Progress], None]
) -> None:
    """Store every result as it comes. Raises SokoaspError: the disk is full."""
    machines: set[str] = set()
    on_run(Progress(done, total, "starting"))
    try:
        for ran in results:
            name, description = ran.machine
            if name not in machines:
                machines.add(name)
                opened.add_machine(name, description)
            try:
                outcome, message = _outcome(ran)
            except outcomes.NoSpace as error:
                raise store.DiskFull(f"{error}; free some space and run the same command again") from error
            logs.keep(opened.path.parent, ran, outcome, message)
            report = ran.report or Report(None, 0.0, 0.0, 0.0, 0)
            by = {"machine": name, "worker": ran.worker, "finished": _now()}
            opened.add_run(store.row(ran.job, report, outcome, message, attempts=ran.attempts, **by))
            done += 1
            on_run(Progress(done, total, f"{ran.job.system.name}: {outcome}"))
    finally:
        close = getattr(results, "close", None)
        if close is not None:
            close()


def _outcome(ran: Ran) -> tuple[str, str]:
    if ran.report is None:
        return "lost", f"the worker died under this run {ran.attempts} times"
    return outcomes.outcome(ran.job, ran.report)
