"""Idea by idea: every program of a family on every level, side by side in one run, and a Markdown page of it.

Each run is a process of its own, one at a time; all variants of a level follow each other, so that drift of the machine
hits them alike. Time is CPU time, and so is the limit; only races and clasp's threads are timed by the clock on the wall.
"""

from __future__ import annotations

import json
import re
import resource
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass, field, replace
from functools import partial
from pathlib import Path

from sokoasp.asp import catalogue, multishot, schedule
from sokoasp.asp.catalogue import Encoding
from sokoasp.asp.multishot import ClingoOptions, Outcome
from sokoasp.asp.program_race import race
from sokoasp.asp.schedule import Entry
from sokoasp.core.child import Parent
from sokoasp.core.crew import Crew, Ended
from sokoasp.core.errors import EncodingError
from sokoasp.core.horizon import Horizon
from sokoasp.core.limits import Limits
from sokoasp.domain import domain_of
from sokoasp.engine.by_asp import Tables
from sokoasp.sokoban.level import Level


@dataclass(frozen=True, slots=True)
class Variant:
    """A program under a name of its own, and how it is run."""

    title: str
    encoding: Encoding
    options: ClingoOptions = field(default_factory=ClingoOptions)
    restart: bool = False
    """Whether every bound is asked of a new solver, which learns nothing from the bounds before."""
    rivals: tuple[Encoding, ...] = ()
    """Programs beside it: they race, a process each, or take turns."""
    turns: bool = False
    """Whether they take turns in one process."""

    @property
    def parallel(self) -> bool:
        """Whether it is timed by the clock on the wall, as it keeps more than one core busy."""
        return bool(self.rivals and not self.turns) or any(
            word.startswith("--parallel-mode") for word in self.options.arguments
        )


@dataclass(frozen=True, slots=True)
class IdeaRow:
    """One run."""

    level: str
    variant: str
    seed: int
    value: int | None
    """The proved optimum, None if the limit came first."""
    refuted: int | None
    seconds: float
    """CPU seconds, the tables included; for parallel variants seconds by the clock on the wall."""
    prepare: float
    ground: float
    conflicts: int
    rules: int
    limit: float
    """What ``seconds`` was limited to."""
    cpu: float
    """CPU seconds of all processes and threads."""


def leave_one_out(name: str) -> list[Variant]:
    """Return the catalogued program, then the same without each of its ideas in turn, then with a restart for every bound.

    Raises:
        EncodingError: There is no such program.
    """
    whole = _catalogued(name)
    return [
        Variant(name, whole),
        *(Variant(f"without {idea.name}", whole.without(idea.name)) for idea in whole.ideas),
        Variant("restart for every bound", whole, restart=True),
    ]


def named(names: Sequence[str]) -> list[Variant]:
    """Return programs as variants: catalogued ones, and files of anybody's, which count what the first catalogued one counts.

    A name may be followed by clingo options (``lines --configuration=jumpy``); names joined by ``+`` race against each other,
    names joined by ``,`` take turns as ``solve`` lets them.

    Raises:
        EncodingError: There is no such program.
    """
    known = catalogue.encodings()
    ours = (known[word] for name in names for word in name.split()[:1] if word in known)
    objective = next((one.objective for one in ours), "lines")
    return [_named(name, objective) for name in names]


def _catalogued(name: str) -> Encoding:
    found = catalogue.encodings().get(name)
    if found is None:
        raise EncodingError(f"no encoding named {name!r}")
    return found


def _named(name: str, objective: str) -> Variant:
    words = name.split()
    if words and words[0] not in catalogue.encodings() and Path(words[0]).is_file():
        first, rivals = catalogue.find(words[0], "sokoban", objective), []
    else:
        first, *rivals = map(_catalogued, re.split("[+,]", words[0]) if words else [name])
    options = ClingoOptions()
    for word in words[1:]:
        if word.startswith("--configuration="):
            options = replace(options, configuration=word.partition("=")[2])
        else:
            options = replace(options, arguments=(*options.arguments, word))
    variant = Variant(name, first, options, rivals=tuple(rivals), turns="," in name.split()[0])
    return replace(variant, title=f"{name} (wall)") if variant.parallel else variant


def run(level: Level, title: str, variant: Variant, seconds: float, seed: int = 0) -> IdeaRow:
    """Solve one level with one variant in this process, within a limit of CPU seconds (parallel variants: of the clock)."""
    clock = time.perf_counter if variant.parallel else time.process_time
    began, cpu = clock(), _cpu()
    domain = domain_of(level)
    objective = variant.encoding.objective
    programs = (variant.encoding, *variant.rivals)
    plain = domain.facts(level, None)
    tables = Tables(domain, level, objective)
    facts = tables.beside(plain, variant.encoding)
    own = variant.encoding.summary == catalogue.OWN  # is asked bound by bound from nothing, as its author would
    bounds = Horizon() if own else domain.estimate(level, objective).bounds
    prepared = clock() - began

    def watch() -> str | None:
        return "time" if clock() - began > seconds else None

    options = replace(variant.options, seed=seed)
    winner = variant.encoding
    if variant.rivals:
        entries = [Entry(program, partial(tables.beside, plain, program), options) for program in programs]
        ask_all = schedule.run if variant.turns else race
        finish = ask_all(entries, bounds=bounds, clock=Limits().start(), watch=watch)
        outcome, winner = finish.outcome, finish.winner or winner
    else:
        ask = _restarting if variant.restart else _continuing
        outcome = ask(variant.encoding, facts, bounds, options, watch)
    return IdeaRow(
        level=title,
        variant=variant.title,
        seed=seed,
        value=_referee(level, title, winner, outcome),
        refuted=outcome.refuted,
        seconds=clock() - began,
        prepare=prepared,
        ground=outcome.ground_seconds,
        conflicts=outcome.conflicts,
        rules=outcome.counters.get("rules", 0),
        limit=seconds,
        cpu=_cpu() - cpu,
    )


def _cpu() -> float:
    """Return the CPU seconds of this process and of those it has waited for."""
    children = resource.getrusage(resource.RUSAGE_CHILDREN)
    return time.process_time() + children.ru_utime + children.ru_stime


def _referee(level: Level, title: str, encoding: Encoding, outcome: Outcome) -> int | None:
    """Replay the plan and return its length; None if there is no plan."""
    if outcome.verdict != "sat":
        return None
    domain = domain_of(level)
    plan = domain.decode(level, outcome.answers[-1], encoding.index, True)
    value = domain.validate(level, plan, None)[encoding.objective]
    if value != outcome.bound:
        raise ValueError(f"{encoding.name} on {title}: bound {outcome.bound}, but the referee counts {value}")
    return value


_Ask = Callable[[Encoding, str, Horizon, ClingoOptions, Callable[[], str | None]], Outcome]


def _continuing(
    encoding: Encoding, facts: str, bounds: Horizon, options: ClingoOptions, watch: Callable[[], str | None]
) -> Outcome:
    return multishot.run(encoding, facts, bounds=bounds, clock=Limits().start(), options=options, watch=watch)


def _restarting(
    encoding: Encoding, facts: str, bounds: Horizon, options: ClingoOptions, watch: Callable[[], str | None]
) -> Outcome:
    whole = Outcome()
    bound = bounds.first
    while whole.verdict != "sat" and whole.stopped_by is None:
        once = Horizon(bound, 1, bound)
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
    known: Sequence[IdeaRow] = (),
    on_row: Callable[[IdeaRow], None] = lambda row: None,
) -> list[IdeaRow]:
    """Run every variant on every level with every seed, a process each, one after the other.

    Runs that ``known`` rows settle are not made again: those with a proof, and those that had at least this limit.

    Returns:
        A row a run. A known proof that took longer than the limit counts as no proof.

    Raises:
        RuntimeError: A run died, killed from outside.
    """
    settled = {
        (row.level, row.variant, row.seed): replace(row, value=row.value if row.seconds <= seconds else None)
        for row in known
        if row.value is not None or row.limit >= seconds
    }
    rows = []
    for title, level in levels:
        for seed in seeds:
            for variant in variants:
                row = settled.get((title, variant.title, seed))
                if row is None:
                    row = _apart(level, title, variant, seconds, seed)
                    on_row(row)
                rows.append(row)
    return rows


def _apart(level: Level, title: str, variant: Variant, seconds: float, seed: int) -> IdeaRow:
    """Run in a new process."""
    with Crew() as crew:
        crew.start("run", _job, (level, title, variant, seconds, seed))
        heard = crew.hear()
    answer = None if heard is None else heard[1]
    if isinstance(answer, IdeaRow):
        return answer
    if answer is None or isinstance(answer, Ended):
        raise RuntimeError(f"{variant.title} on {title}: the process died without a word")
    raise answer


def _job(asked: tuple[Level, str, Variant, float, int], parent: Parent) -> None:
    parent.follow()
    answer: IdeaRow | Exception
    try:
        answer = run(*asked)
    except Exception as error:
        answer = error
    parent.send(answer)


def load(path: Path) -> list[IdeaRow]:
    """Return the rows of a results file, none if there is no such file; a line that was cut short is left out."""
    rows = []
    for line in path.read_text(encoding="utf-8").splitlines() if path.exists() else []:
        try:
            rows.append(IdeaRow(**json.loads(line)))
        except json.JSONDecodeError:
            continue
    return rows


def append(path: Path, row: IdeaRow) -> None:
    """Add a row to a results file: one line of JSON, on a line of its own also after one that was cut short."""
    cut = path.exists() and not path.read_bytes().endswith(b"\n")
    with path.open("a", encoding="utf-8") as file:
        file.write("\n" * cut + json.dumps(asdict(row)) + "\n")


def markdown(rows: Sequence[IdeaRow], *, seconds: float) -> str:
    """Return the page: a summary per variant, then CPU seconds per level.

    A run without a proof counts with the limit in the sums, so ratios against the first variant are then only lower bounds.

    Raises:
        ValueError: Two variants proved different optima for one level.
    """
    _agree(rows)
    return "\n".join([*_summary(rows, seconds), "", *_by_level(rows)]) + "\n"


def _agree(rows: Sequence[IdeaRow]) -> None:
    proved: dict[str, int] = {}
    for row in rows:
        if row.value is not None and proved.setdefault(row.level, row.value) != row.value:
            raise ValueError(
                f"{row.level}: {proved[row.level]} and {row.value} ({row.variant}) were both proved optimal"
            )
    for row in rows:
        if row.level in proved and row.refuted is not None and row.refuted >= proved[row.level]:
            raise ValueError(f"{row.level}: {row.variant} refuted {row.refuted}, but a plan has {proved[row.level]}")


def _titles(rows: Sequence[IdeaRow]) -> list[str]:
    return list(dict.fromkeys(row.variant for row in rows))


def _summary(rows: Sequence[IdeaRow], seconds: float) -> Iterator[str]:
    yield "| variant | proved | s | × first | grounding s | tables s | conflicts | rules |"
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


def _by_level(rows: Sequence[IdeaRow]) -> Iterator[str]:
    titles = _titles(rows)
    yield f"| level | optimum | {' | '.join(titles)} |"
    yield "|---|---|" + "---|" * len(titles)
    for level in dict.fromkeys(row.level for row in rows):
        own = [row for row in rows if row.level == level]
        value = next((row.value for row in own if row.value is not None), None)
        cells = (" ".join(_cell(row) for row in own if row.variant == title) for title in titles)
        yield f"| {level} | {'?' if value is None else value} | {' | '.join(cells)} |"


def _cell(row: IdeaRow) -> str:
    return f"{row.seconds:.2f}" if row.value is not None else f"({row.seconds:.0f}: > {row.refuted or 0})"
