"""Idea by idea: every program of a family on every level, side by side in one run, and a Markdown page of it.

Each run is a process of its own, one at a time; all variants of a level follow each other, so that drift of the machine
hits them alike. Time is CPU time, and so is the limit.
"""

from __future__ import annotations

import multiprocessing
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace

from sokoasp.asp import catalogue, multishot
from sokoasp.asp.catalogue import Encoding
from sokoasp.asp.multishot import Bounds, Options, Outcome
from sokoasp.core.limits import Limits
from sokoasp.domain import domain_of
from sokoasp.sokoban.level import Level

STAND_INS = {
    "remaining_windows": "remaining_anywhere",
    "remaining_moves_windows": "remaining_anywhere",
    "forward_windows": "forward_anywhere",
}
"""Files that are replaced, not left out: file stem → stem of the file that does without the idea."""
IDEAS = ("windows", "pairs", "prices", "heuristic")
"""What the stems of the files that may be left out have in common."""


@dataclass(frozen=True, slots=True)
class Variant:
    """A program under a name of its own, and how it is run."""

    title: str
    encoding: Encoding
    options: Options = field(default_factory=Options)
    restart: bool = False
    """Whether every bound is asked of a new solver, which learns nothing from the bounds before."""


@dataclass(frozen=True, slots=True)
class Row:
    """One run."""

    level: str
    variant: str
    seed: int
    value: int | None
    """The proved optimum, None if the limit came first."""
    refuted: int | None
    seconds: float
    """CPU seconds, the tables included."""
    prepare: float
    ground: float
    conflicts: int
    rules: int


def without(encoding: Encoding, stem: str) -> Encoding:
    """Return the program without the file of that stem, or with its stand-in."""
    files = [path for path in encoding.files if path.stem != stem or stem in STAND_INS]
    return replace(encoding, files=tuple(p.with_stem(STAND_INS[stem]) if p.stem == stem else p for p in files))


def leave_one_out(name: str) -> list[Variant]:
    """Return the catalogued program, then the same without each of its ideas in turn, then with a restart for every bound."""
    whole = catalogue.encodings()[name]
    stems = [path.stem for path in whole.files if any(idea in path.stem for idea in IDEAS)]
    return [
        Variant(name, whole),
        *(Variant(f"without {stem}", without(whole, stem)) for stem in stems),
        Variant("restart for every bound", whole, restart=True),
    ]


def named(names: Iterable[str]) -> list[Variant]:
    """Return catalogued programs as variants."""
    return [Variant(name, catalogue.encodings()[name]) for name in names]


def run(level: Level, title: str, variant: Variant, seconds: float, seed: int = 0) -> Row:
    """Solve one level with one variant in this process, within a limit of CPU seconds."""
    began = time.process_time()
    domain = domain_of(level)
    objective = variant.encoding.objective
    facts = domain.facts(level, None)
    facts += "".join(domain.tables[name](level, objective) for name in variant.encoding.tables)
    bounds = domain.estimate(level, objective).bounds
    prepared = time.process_time() - began

    def watch() -> str | None:
        return "time" if time.process_time() - began > seconds else None

    options = replace(variant.options, seed=seed)
    ask = _restarting if variant.restart else _continuing
    outcome = ask(variant.encoding, facts, bounds, options, watch)
    spent = time.process_time() - began
    value = None
    if outcome.verdict == "sat":
        plan = domain.decode(level, outcome.answers[-1], variant.encoding.index, True)
        value = domain.validate(level, plan, None)[objective]
        if value != outcome.bound:
            raise ValueError(f"{variant.title} on {title}: bound {outcome.bound}, but the referee counts {value}")
    conflicts = sum(step.conflicts for step in outcome.steps)
    rules = outcome.counters.get("rules", 0)
    ground = outcome.ground_seconds
    return Row(title, variant.title, seed, value, outcome.refuted, spent, prepared, ground, conflicts, rules)


_Ask = Callable[[Encoding, str, Bounds, Options, Callable[[], str | None]], Outcome]


def _continuing(
    encoding: Encoding, facts: str, bounds: Bounds, options: Options, watch: Callable[[], str | None]
) -> Outcome:
    return multishot.run(encoding, facts, bounds=bounds, clock=Limits().start(), options=options, watch=watch)


def _restarting(
    encoding: Encoding, facts: str, bounds: Bounds, options: Options, watch: Callable[[], str | None]
) -> Outcome:
    whole = Outcome()
    bound = bounds.first
    while whole.verdict != "sat" and whole.stopped_by is None:
        once = Bounds(bound, 1, bound)
        last = multishot.run(encoding, facts, bounds=once, clock=Limits().start(), options=options, watch=watch)
        last.steps = [*whole.steps, *last.steps]
        last.ground_seconds += whole.ground_seconds
        last.refuted = bound if last.verdict == "unsat" else whole.refuted
        whole = last
        bound += bounds.stride
    return whole


def compare(
    levels: Sequence[tuple[str, Level]],
    variants: Sequence[Variant],
    *,
    seconds: float,
    seeds: Sequence[int] = (0,),
    on_row: Callable[[Row], None] = lambda row: None,
) -> list[Row]:
    """Run every variant on every level with every seed, a process each, one after the other."""
    rows = []
    context = multiprocessing.get_context("spawn")
    jobs = [(level, title, variant, seconds, seed) for title, level in levels for seed in seeds for variant in variants]
    with context.Pool(1, maxtasksperchild=1) as pool:
        for row in pool.imap(_job, jobs):
            on_row(row)
            rows.append(row)
    return rows


def _job(arguments: tuple[Level, str, Variant, float, int]) -> Row:
    return run(*arguments)


def markdown(rows: Sequence[Row], *, seconds: float) -> str:
    """Return the page: a summary per variant, then CPU seconds per level.

    A run without a proof counts with the limit in the sums, so ratios against the first variant are then only lower bounds.

    Raises:
        ValueError: Two variants proved different optima for one level.
    """
    _agree(rows)
    return "\n".join([*_summary(rows, seconds), "", *_by_level(rows)]) + "\n"


def _agree(rows: Sequence[Row]) -> None:
    proved: dict[str, int] = {}
    for row in rows:
        if row.value is not None and proved.setdefault(row.level, row.value) != row.value:
            raise ValueError(
                f"{row.level}: {proved[row.level]} and {row.value} ({row.variant}) were both proved optimal"
            )
    for row in rows:
        if row.level in proved and row.refuted is not None and row.refuted >= proved[row.level]:
            raise ValueError(f"{row.level}: {row.variant} refuted {row.refuted}, but a plan has {proved[row.level]}")


def _titles(rows: Sequence[Row]) -> list[str]:
    return list(dict.fromkeys(row.variant for row in rows))


def _summary(rows: Sequence[Row], seconds: float) -> Iterator[str]:
    yield "| variant | proved | CPU s | × first | grounding s | tables s | conflicts | rules |"
    yield "|---|---|---|---|---|---|---|---|"
    first = None
    for title in _titles(rows):
        own = [row for row in rows if row.variant == title]
        total = sum(row.seconds if row.value is not None else max(row.seconds, seconds) for row in own)
        first = first or total
        yield (
            f"| {title} | {sum(row.value is not None for row in own)}/{len(own)} | {total:.1f} | {total / first:.2f} "
            f"| {sum(row.ground for row in own):.1f} | {sum(row.prepare for row in own):.1f} "
            f"| {sum(row.conflicts for row in own)} | {sum(row.rules for row in own)} |"
        )


def _by_level(rows: Sequence[Row]) -> Iterator[str]:
    titles = _titles(rows)
    yield f"| level | optimum | {' | '.join(titles)} |"
    yield "|---|---|" + "---|" * len(titles)
    for level in dict.fromkeys(row.level for row in rows):
        own = [row for row in rows if row.level == level]
        value = next((row.value for row in own if row.value is not None), None)
        cells = (" ".join(_cell(row) for row in own if row.variant == title) for title in titles)
        yield f"| {level} | {'?' if value is None else value} | {' | '.join(cells)} |"


def _cell(row: Row) -> str:
    return f"{row.seconds:.2f}" if row.value is not None else f"({row.seconds:.0f}: > {row.refuted or 0})"
