"""Two campaigns, or two systems of one, question by question: what was lost, what was won."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from sokoasp.bench.report import judge, markdown_table
from sokoasp.bench.report.tables import FLOOR, Data, Point, Ratio, Run, clock_of, load, ratio
from sokoasp.bench.run.outcomes import OUTCOMES
from sokoasp.bench.run.store import open_existing
from sokoasp.core.errors import CampaignError

SLOWER = 2.0
"""A question that takes this many times as long as before counts as a regression, if ``NOTICED`` is met too."""
NOTICED = 0.5
"""Seconds that it takes longer at least."""
REGRESSIONS = ("wrong", "lost", "worse plan", "slower")
KINDS = (*REGRESSIONS, "won", "better plan", "faster")


@dataclass(frozen=True, slots=True)
class ComparedSide:
    """One of the two that are compared: a campaign's folder, and one of its systems or all."""

    folder: Path
    system: str | None = None

    def __str__(self) -> str:
        return f"{self.folder}" + f":{self.system}" * bool(self.system)


@dataclass(frozen=True, slots=True)
class Change:
    """One question that came out otherwise."""

    kind: str
    """One of ``KINDS``; a regression if the second side is the worse one."""
    objective: str
    system: str
    name: str
    detail: str


@dataclass(frozen=True, slots=True)
class Pairing:
    """How two systems compare on one objective."""

    objective: str
    system: str
    questions: int
    """Questions that both were asked; all else is about these. 0: they were asked other objectives."""
    decided: tuple[int, int]
    times: Ratio
    """Seconds of the first side over those of the second where both decide: above 1, the second is faster."""
    changes: tuple[Change, ...]
    limits: tuple[tuple[str, ...], ...]
    """Of each side the limits of its runs in words: seconds and their clock, memory, and others."""


def compare(first: ComparedSide, second: ComparedSide, *, measure: str | None = None) -> list[Pairing]:
    """Pair the runs of two sides by instance, objective, seed and repetition.

    Without systems named, systems of one name are paired; with one named on each side, these two.
    CampaignError if a folder holds no campaign, there is no such system, or the two share no question.
    """
    if measure is None:  # the first side's clock
        with open_existing(first.folder) as store:
            measure = clock_of(store)
    one, two = _data(first, measure), _data(second, measure)
    names = [(name, name) for name in one.systems if name in two.systems]
    if named := first.system or second.system:
        names = [(first.system or named, second.system or named)]
    found = []
    for system, other in names:
        label = system if system == other else f"{system} against {other}"
        asked = [[o for o in data.objectives if name in data.of(o)] for data, name in ((one, system), (two, other))]
        if all(asked) and not set(asked[0]).intersection(asked[1]):
            found.append(_pair(" against ".join(map(" and ".join, asked)), label, {}, one))
        for objective in one.objectives:
            runs, others = one.of(objective).get(system, {}), two.of(objective).get(other, {})
            both = {point: (run, others[point]) for point, run in runs.items() if point in others}
            if both:
                found.append(_pair(objective, label, both, one))
    if not any(pairing.questions for pairing in found):
        asked_of = "".join(f"; {each.system}: {each.objective}" for each in found)
        raise CampaignError(f"{first} and {second} have no question in common{asked_of}")
    return found


def _data(side: ComparedSide, measure: str) -> Data:
    with open_existing(side.folder) as store:
        data = load(store, judge.verdicts(store), measure)
    if side.system is not None and side.system not in data.systems:
        known = ", ".join(map(repr, data.systems))
        raise CampaignError(f"no system {side.system!r}, only {known}", source=str(side.folder))
    return data


def _pair(objective: str, label: str, both: Mapping[Point, tuple[Run, Run]], data: Data) -> Pairing:
    one, two = ({point: pair[side] for point, pair in both.items()} for side in (0, 1))
    changes = []
    for point, (before, after) in both.items():
        kind, detail = _change(before, after)
        if kind:
            shape = data.shapes[point.instance]
            seed = f" seed {point.seed}" if point.seed else ""
            changes.append(Change(kind, objective, label, f"{shape.file}:{shape.level}{seed}", detail))
    return Pairing(
        objective=objective,
        system=label,
        questions=len(both),
        decided=(sum(run.decided for run in one.values()), sum(run.decided for run in two.values())),
        times=ratio(one, two),
        changes=tuple(sorted(changes, key=lambda change: (KINDS.index(change.kind), change.name))),
        limits=tuple(tuple(sorted({run.limits for run in side.values()})) for side in (one, two)),
    )


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


def regressions(pairings: Iterable[Pairing]) -> list[Change]:
    """Return the changes by which the second side is the worse one."""
    return [change for pairing in pairings for change in pairing.changes if change.kind in REGRESSIONS]


def markdown(pairings: list[Pairing], first: ComparedSide, second: ComparedSide) -> Iterator[str]:
    """Yield the lines of the report: regressions first."""
    gains = [change for pairing in pairings for change in pairing.changes if change.kind not in REGRESSIONS]
    yield f"# {first} against {second}"
    for pairing in pairings:
        if not pairing.questions:
            yield f"\n**Other questions** ({pairing.system}): {pairing.objective}; nothing is paired."
        if len(set(pairing.limits)) > 1:
            limits = " against ".join(map(" or ".join, pairing.limits))
            yield f"\n**Other limits** ({pairing.objective}, {pairing.system}): {limits}; this may be why."
    for title, changes in (("Regressions", regressions(pairings)), ("Gains", gains)):
        yield f"\n## {title}: {len(changes)}"
        if changes:
            yield ""
            what = ("what", "objective", "system", "question", "before, after")
            yield from markdown_table.lines(what, ((c.kind, c.objective, c.system, c.name, c.detail) for c in changes))
    yield "\n## Pairs\n"
    head = ("objective", "system", "questions", "decided", "time, first ÷ second (common)")
    rows = (
        (one.objective, one.system, one.questions, f"{one.decided[0]}, {one.decided[1]}", one.times.text)
        for one in pairings
    )
    yield from markdown_table.lines(head, rows, words=2)
    yield "\nTimes are geometric means over questions that both decide; above 1 the second is faster."
