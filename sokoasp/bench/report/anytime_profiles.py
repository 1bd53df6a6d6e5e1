"""The anytime profiles of runs: how proved bounds rise and when plans come, and how much memory was taken."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import accumulate

from sokoasp.bench.report import judge
from sokoasp.bench.report.judge import RunVerdict
from sokoasp.bench.run.outcomes import OUTCOMES
from sokoasp.bench.run.store import Store


@dataclass(frozen=True, slots=True)
class AnytimeProfile:
    """One run as it went."""

    question: tuple[str, int, int]
    """Instance, seed, repetition."""
    objective: str
    system: str
    decided: bool
    value: int | None
    seconds: float
    """When it ended, and the plan was reported."""
    peak_mb: float | None
    bounds: tuple[tuple[float, int], ...]
    """(seconds, proved lower bound), rising."""


Curve = list[tuple[float, float]]
"""(x, share), rising in both."""


def load(store: Store, changed: Mapping[str, RunVerdict]) -> list[AnytimeProfile]:
    """Read the anytime profiles of all runs whose answers were not found wrong."""
    names = ("instance", "seed", "repetition", "objective", "system", "outcome", "decided", "value")
    found = []
    for run in judge.rows(store, (*names, "lower_bound", "wall", "peak_mb", "steps"), changed):
        if OUTCOMES[run["outcome"]].rank > 2:
            question = (run["instance"], run["seed"], run["repetition"])
            bounds = _bounds(run["steps"], run["lower_bound"], run["wall"])
            how = (run["objective"], run["system"], bool(run["decided"]), run["value"], run["wall"], run["peak_mb"])
            found.append(AnytimeProfile(question, *how, bounds))
    return found


def _bounds(steps: str | None, bound: int | None, wall: float) -> tuple[tuple[float, int], ...]:
    """Return when which bound was proved: after each refuted one, and at the end."""
    found: list[tuple[float, int]] = []
    asked = json.loads(steps) if steps else []
    for (t, verdict, _, _), when in zip(asked, accumulate(step[2] for step in asked), strict=True):
        if verdict == "unsat":
            found.append((min(when, wall), t + 1))
    if bound is not None and (not found or bound > found[-1][1]):
        found.append((wall, bound))
    return tuple(found)


def anytime(profiles: Iterable[AnytimeProfile]) -> dict[str, tuple[Curve, Curve]]:
    """Return for each system how its bounds and its plans come over time.

    The first curve is the mean over the questions of bound / best value known, the second the mean of best value known / value
    of the system's plan (0 before it has one). Questions of which nobody has a plan are left out.
    """
    best: dict[tuple[str, int, int], int] = {}
    systems: dict[str, list[AnytimeProfile]] = defaultdict(list)
    for profile in profiles:
        systems[profile.system].append(profile)
        if profile.value is not None:
            best[profile.question] = min(profile.value, best.get(profile.question, profile.value))
    found = {}
    for system, runs in systems.items():
        asked = [run for run in runs if best.get(run.question)]
        bounds: list[tuple[float, float]] = []
        plans = [(run.seconds, best[run.question] / run.value) for run in asked if run.value]
        for run in asked:
            before = 0.0
            for when, bound in run.bounds:
                share = min(1.0, bound / best[run.question])
                bounds.append((when, share - before))
                before = share
        found[system] = (_summed(bounds, len(asked)), _summed(plans, len(asked)))
    return found


def _summed(events: Iterable[tuple[float, float]], count: int) -> Curve:
    ordered = sorted(events)
    totals = accumulate(share for _, share in ordered)
    return [(when, total / count) for (when, _), total in zip(ordered, totals, strict=True)]


def memory(profiles: Iterable[AnytimeProfile]) -> dict[str, list[float]]:
    """Return for each system the peak megabytes of the runs that decide, in rising order."""
    found: dict[str, list[float]] = defaultdict(list)
    for profile in profiles:
        if profile.decided and profile.peak_mb:
            found[profile.system].append(profile.peak_mb)
    return {system: sorted(peaks) for system, peaks in found.items()}
