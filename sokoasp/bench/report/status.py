"""How far a campaign is: runs done and left by system, and when it is expected to end."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from sokoasp.bench.report import judge
from sokoasp.bench.run.store import Store
from sokoasp.core.errors import counted


@dataclass(frozen=True, slots=True)
class SystemStatus:
    """Runs of one system."""

    system: str
    done: int
    decided: int
    left: int
    wall: float
    """Mean wall seconds of a run, 0 while none is done."""


@dataclass(frozen=True, slots=True)
class CampaignStatus:
    """Runs of a whole campaign."""

    title: str
    done: int
    left: int
    systems: tuple[SystemStatus, ...]
    seconds_left: float | None
    """At the pace of the runs so far, all workers together; None while there is no pace or nothing is left."""
    end: datetime | None
    """When that time is over, if the campaign goes on now; it may have been stopped for hours."""


def status(opened: Store) -> CampaignStatus:
    """Return how far the campaign of a store is; a store of an earlier version knows no number of runs, so none are left."""
    description = opened.description()
    planned: dict[str, int] = {}
    for pair in filter(None, description.get("runs", "").split("\n")):
        name, _, count = pair.rpartition("\t")
        planned[name] = int(count)
    done: dict[str, list[tuple[bool, float, str]]] = {name: [] for name in planned}
    for row in judge.rows(opened, ("system", "decided", "wall", "finished")):
        done.setdefault(row["system"], []).append((row["decided"], row["wall"], row["finished"]))
    systems = tuple(
        SystemStatus(
            name,
            len(runs),
            sum(decided for decided, *_ in runs),
            max(0, planned.get(name, 0) - len(runs)),
            sum(wall for _, wall, _ in runs) / len(runs) if runs else 0.0,
        )
        for name, runs in sorted(done.items())
    )
    left = sum(one.left for one in systems)
    finished = [datetime.fromisoformat(at) for runs in done.values() for *_, at in runs]
    seconds = _seconds_left(finished, systems)
    end = None if seconds is None else datetime.now(UTC) + timedelta(seconds=seconds)
    return CampaignStatus(description.get("title", ""), sum(one.done for one in systems), left, systems, seconds, end)


def _seconds_left(finished: list[datetime], systems: tuple[SystemStatus, ...]) -> float | None:
    """Return the seconds that are left: mean seconds of each system's runs, shared by the workers seen so far."""
    if not any(one.left for one in systems) or len(finished) < 2:
        return None
    spent = sum(one.wall * one.done for one in systems)
    clock = (max(finished) - min(finished)).total_seconds()
    workers = max(1.0, spent / clock) if clock > 0 else 1.0
    mean = spent / len(finished)
    return sum(one.left * (one.wall or mean) for one in systems) / workers


def lines(found: CampaignStatus) -> list[str]:
    """Return the status as lines of text."""
    said = [f"{found.title}: {counted(found.done, 'runs')} done, {found.left} left of the whole suite"]
    if found.seconds_left is not None and found.end is not None:
        said[0] += f", about {found.seconds_left:.0f} s more, expected end {found.end:%Y-%m-%d %H:%M} UTC"
    width = max((len(one.system) for one in found.systems), default=0)
    for one in found.systems:
        said.append(
            f"  {one.system:{width}}  {one.done} done, {one.decided} of them decided, {one.left} left, {one.wall:.2f} s a run"
        )
    return said
