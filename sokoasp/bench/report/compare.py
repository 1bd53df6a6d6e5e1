"""Two campaigns, or two systems of one, question by question: what was lost, what was won, and whether that is chance."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sokoasp.bench.report import judge, markdown_table
from sokoasp.bench.report.tables import FLOOR, Data, Point, Ratio, Run, load, ratio
from sokoasp.bench.run.outcomes import OUTCOMES
from sokoasp.bench.run.store import open_existing
from sokoasp.core.errors import CampaignError, MissingExtra

SLOWER = 2.0
"""A question that takes this many times as long as before counts as a regression, if ``NOTICED`` is met too."""
NOTICED = 0.5
"""Seconds that it takes longer at least."""


@dataclass(frozen=True, slots=True)
class ComparedSide:
    """One of the two that are compared: a campaign's folder, and one of its systems or all."""

    folder: Path
    system: str | None = None

    def __str__(self) -> str:
        return f"{self.folder}" + (f":{self.system}" if self.system else "")


@dataclass(frozen=True, slots=True)
class Change:
    """One question that came out otherwise."""

    kind: str
    """``wrong``, ``lost``, ``worse plan``, ``slower`` (regressions), ``won``, ``better plan``, ``faster``."""
    objective: str
    system: str
    name: str
    detail: str

    @property
    def regression(self) -> bool:
        """Return whether the second side is the worse one."""
        return self.kind in REGRESSIONS


REGRESSIONS = ("wrong", "lost", "worse plan", "slower")
KINDS = (*REGRESSIONS, "won", "better plan", "faster")


@dataclass(frozen=True, slots=True)
class Pairing:
    """How two systems compare on one objective."""

    objective: str
    system: str
    questions: int
    """Questions that both were asked; all else is about these."""
    decided: tuple[int, int]
    times: Ratio
    """Seconds of the first side over those of the second where both decide: above 1, the second is faster."""
    sign: float | None
    """Two-sided p of the sign test on decided questions: as many lost as won? None without a difference."""
    wilcoxon: float | None
    """Two-sided p of Wilcoxon's signed-rank test on the logarithms of the time ratios; None under ten pairs that differ."""
    changes: tuple[Change, ...]
    limits: tuple[tuple[tuple[float, float], ...], ...] = ((), ())
    """Of each side the limits of its runs: seconds and MB, 0 where they are not known."""

    @property
    def other_limits(self) -> str:
        """Say under which limits the two sides ran where they differ; empty where they do not."""
        first, second = ([{one[i] for one in side} - {0} for i in (0, 1)] for side in self.limits)
        if not any(one and two and one != two for one, two in zip(first, second, strict=True)):
            return ""
        return " against ".join(" or ".join(f"{s:g} s, {mb:g} MB" for s, mb in side) for side in self.limits)


def compare(first: ComparedSide, second: ComparedSide, *, measure: str = "wall") -> list[Pairing]:
    """Pair the runs of two sides by instance, objective and seed; of the repetitions of a question the median run counts.

    Without systems named, systems of one name are paired; with one named on each side, these two.

    Raises:
        CampaignError: A folder holds no campaign, there is no such system, or the two share no question.
        MissingExtra: SciPy, of the extra [bench], is not installed.
    """
    one, two = _data(first, measure), _data(second, measure)
    found = []
    for system, other in _systems(first, second, one, two):
        for objective in one.objectives:
            runs, others = (_medians(d.of(objective).get(name, {})) for d, name in ((one, system), (two, other)))
            common = [point for point in runs if point in others]
            if common:
                label = system if system == other else f"{system} against {other}"
                found.append(_pair(objective, label, {p: runs[p] for p in common}, {p: others[p] for p in common}, one))
    if not found:
        raise CampaignError(f"{first} and {second} have no question in common")
    return found


def _medians(runs: Mapping[Point, Run]) -> dict[Point, Run]:
    """Return one run for each question: of its repetitions the wrong one if there is one, else the median by time.

    Repetitions are no questions of their own: two runs of one suite would differ by chance ever more surely.
    """
    asked: dict[Point, list[Run]] = {}
    for point, run in runs.items():
        asked.setdefault(point._replace(repetition=0), []).append(run)
    found = {}
    for point, its in asked.items():
        its.sort(key=lambda run: (not run.decided, run.seconds))
        middle = its[(len(its) - 1) // 2]
        if middle.decided and len(its) % 2 == 0 and its[len(its) // 2].decided:
            middle = middle._replace(seconds=(middle.seconds + its[len(its) // 2].seconds) / 2)
        found[point] = next((run for run in its if OUTCOMES[run.outcome].rank == 0), middle)
    return found


def _data(side: ComparedSide, measure: str) -> Data:
    with open_existing(side.folder) as store:
        return load(store, judge.verdicts(store), measure)


def _systems(first: ComparedSide, second: ComparedSide, one: Data, two: Data) -> list[tuple[str, str]]:
    for side, data in ((first, one), (second, two)):
        if side.system is not None and side.system not in data.systems:
            raise CampaignError(
                f"no system {side.system!r}, only {', '.join(map(repr, data.systems))}", source=str(side.folder)
            )
    if first.system or second.system:
        return [(first.system or second.system or "", second.system or first.system or "")]
    return [(name, name) for name in one.systems if name in two.systems]


def _pair(objective: str, label: str, one: Mapping[Point, Run], two: Mapping[Point, Run], data: Data) -> Pairing:
    changes = tuple(_changes(objective, label, one, two, data))
    lost = sum(change.kind in ("lost", "wrong") for change in changes)
    won = sum(change.kind == "won" for change in changes)
    both = [(one[p].seconds, two[p].seconds) for p in one if one[p].decided and two[p].decided]
    return Pairing(
        objective=objective,
        system=label,
        questions=len(one),
        decided=(sum(run.decided for run in one.values()), sum(run.decided for run in two.values())),
        times=ratio("first", "second", {"first": one, "second": two}),
        sign=sign_test(lost, won),
        wilcoxon=wilcoxon_test(both),
        changes=tuple(sorted(changes, key=lambda change: (KINDS.index(change.kind), change.name))),
        limits=tuple(tuple(sorted({(run.limit, run.limit_mb) for run in side.values()})) for side in (one, two)),
    )


def _changes(
    objective: str, label: str, one: Mapping[Point, Run], two: Mapping[Point, Run], data: Data
) -> Iterator[Change]:
    for point, before in one.items():
        kind, detail = _change(before, two[point])
        if kind:
            shape = data.shapes.get(point.instance)
            name = f"{shape.file}:{shape.level}" if shape is not None else point.instance
            seed = f" seed {point.seed}" if point.seed else ""
            yield Change(kind, objective, label, name + seed, detail)


def _change(before: Run, after: Run) -> tuple[str, str]:
    """Return how a question's answer changed and in what; empty if it did not."""
    if OUTCOMES[after.outcome].rank == 0 and OUTCOMES[before.outcome].rank != 0:
        return "wrong", f"{before.outcome}, then {after.outcome}"
    if before.decided != after.decided:
        return "lost" if before.decided else "won", f"{before.outcome}, then {after.outcome}"
    if before.value != after.value and not before.decided:
        worse = after.value is None or (before.value is not None and after.value > before.value)
        return "worse plan" if worse else "better plan", f"{before.value}, then {after.value}"
    if before.decided:
        slow, quick = max(before.seconds, after.seconds), max(FLOOR, min(before.seconds, after.seconds))
        if slow / quick >= SLOWER and slow - quick >= NOTICED:
            detail = f"{before.seconds:.2f} s, then {after.seconds:.2f} s"
            return "slower" if after.seconds > before.seconds else "faster", detail
    return "", ""


def sign_test(lost: int, won: int) -> float | None:
    """Return the two-sided p of the sign test, None without a difference.

    It assumes that the questions are independent of each other; families of similar levels are not, and make it too sure.
    """
    return None if lost + won == 0 else float(_stats().binomtest(lost, lost + won).pvalue)


def wilcoxon_test(pairs: Iterable[tuple[float, float]]) -> float | None:
    """Return the two-sided p of Wilcoxon's signed-rank test on log ratios of seconds, None under ten that differ.

    It assumes independent questions and differences that are spread symmetrically about their median.
    """
    import math

    logs = [math.log(max(a, FLOOR) / max(b, FLOOR)) for a, b in pairs]
    logs = [value for value in logs if value != 0]
    return None if len(logs) < 10 else float(_stats().wilcoxon(logs).pvalue)


def _stats() -> Any:
    try:
        from scipy import stats
    except ImportError:
        raise MissingExtra("the significance test", "bench") from None
    return stats


def _cells(pairing: Pairing) -> tuple[object, ...]:
    """Return a pairing's row of the table."""
    factor = "" if pairing.times.factor is None else f"{pairing.times.factor:.2f} ({pairing.times.common})"
    tests = ("" if p is None else f"{p:.3g}" for p in (pairing.sign, pairing.wilcoxon))
    decided = f"{pairing.decided[0]}, {pairing.decided[1]}"
    return pairing.objective, pairing.system, pairing.questions, decided, factor, *tests


def markdown(pairings: Iterable[Pairing], first: ComparedSide, second: ComparedSide) -> Iterator[str]:
    """Yield the lines of the report: regressions first."""
    pairings = list(pairings)
    regressions = [change for pairing in pairings for change in pairing.changes if change.regression]
    improvements = [change for pairing in pairings for change in pairing.changes if not change.regression]
    yield f"# {first} against {second}"
    for pairing in pairings:
        if pairing.other_limits:
            yield f"\n**Other limits** ({pairing.objective}, {pairing.system}): {pairing.other_limits}; this may be why."
    for title, changes in (("Regressions", regressions), ("Gains", improvements)):
        yield f"\n## {title}: {len(changes)}"
        if changes:
            yield ""
            what = ("what", "objective", "system", "question", "before, after")
            yield from markdown_table.lines(what, ((c.kind, c.objective, c.system, c.name, c.detail) for c in changes))
    yield "\n## Pairs\n"
    head = ("objective", "system", "questions", "decided", "time, first ÷ second (common)", "sign p", "Wilcoxon p")
    yield from markdown_table.lines(head, map(_cells, pairings), words=2)
    yield (
        "\nTimes are geometric means over questions that both decide; above 1 the second is faster. The sign test asks whether "
        "as many questions were lost as won; Wilcoxon's signed-rank test whether the log ratios of the times have median 0, and "
        "takes them to lie symmetrically about it. Both take the questions as independent; similar levels make them too sure."
    )
