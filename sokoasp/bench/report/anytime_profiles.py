"""Anytime profiles of runs: how proved bounds rise and when plans come, and how much memory was taken."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from itertools import accumulate

from sokoasp.bench.report.tables import Point, Run

Curve = list[tuple[float, float]]
"""(x, share), rising in both."""


def anytime(runs: Iterable[Run]) -> dict[str, tuple[Curve, Curve]]:
    """Return for each system how its bounds and its plans come over time.

    The first curve is the mean over the questions of bound / best value known, the second the mean of best value known / value
    of the system's plan (0 before it has one). Questions of which nobody has a plan are left out.
    """
    best: dict[Point, int] = {}
    systems: dict[str, list[Run]] = defaultdict(list)
    for run in runs:
        systems[run.system].append(run)
        if run.value is not None:
            best[run.point] = min(run.value, best.get(run.point, run.value))
    found = {}
    for system, its in systems.items():
        asked = [run for run in its if best.get(run.point)]
        bounds: list[tuple[float, float]] = []
        plans = [(run.wall, best[run.point] / run.value) for run in asked if run.value]
        for run in asked:
            before = 0.0
            for when, bound in run.bounds:
                share = min(1.0, bound / best[run.point])
                bounds.append((when, share - before))
                before = share
        found[system] = (_summed(bounds, len(asked)), _summed(plans, len(asked)))
    return found


def _summed(events: Iterable[tuple[float, float]], count: int) -> Curve:
    ordered = sorted(events)
    totals = accumulate(share for _, share in ordered)
    return [(when, total / count) for (when, _), total in zip(ordered, totals, strict=True)]


def memory(runs: Iterable[Run]) -> dict[str, list[float]]:
    """Return for each system the peak megabytes of the runs that decide, in rising order."""
    found: dict[str, list[float]] = defaultdict(list)
    for run in runs:
        if run.decided and run.peak_mb:
            found[run.system].append(run.peak_mb)
    return {system: sorted(peaks) for system, peaks in found.items()}
