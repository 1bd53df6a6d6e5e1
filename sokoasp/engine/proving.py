"""Make a certificate folder: a plan, and a proof for others that no plan is shorter (or that there is none)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sokoasp import sat
from sokoasp.core import jit
from sokoasp.core.crew import ENDED_BY_LIMIT, Crew, Ended, Halted
from sokoasp.core.errors import EncodingError, MissingExtra, SokoaspError
from sokoasp.core.guard import LimitReached, guarded
from sokoasp.core.limits import Clock, Limits
from sokoasp.core.result import Status
from sokoasp.core.words import counted
from sokoasp.domain import Problem, domain_of, formulas_of
from sokoasp.engine.certificate_bounds import dead_boxes, learn, prices_of, sizes_of
from sokoasp.klotski import notation, slide_plan
from sokoasp.klotski.board import Board
from sokoasp.proof import folder as folders
from sokoasp.proof import rows
from sokoasp.proof.cnf import Formula
from sokoasp.proof.folder import ClaimFile
from sokoasp.proof.refusals import Cheaper
from sokoasp.proof.verify import formula_of, summary
from sokoasp.sokoban.level import Level

if TYPE_CHECKING:
    from sokoasp.proof.closed import ClosedList
    from sokoasp.proof.group_bounds import GroupBounds
    from sokoasp.proof.patterns import PatternList

KINDS = ("auto", "states", "refutation")
MOST_STATES = 20_000_000
"""States of a list, and ..."""
FEW = 4000
"""... how many are tried with small tables before larger ones are filled."""
_PATIENCE = "patience"
_LEARNING = -1
"""Stands among the sizes of groups for what the native search learns."""


@dataclass(frozen=True, slots=True)
class Request:
    """What is to be certified, and how."""

    objective: str
    limits: Limits = field(default_factory=Limits)
    known: Any = None
    """A plan to prove best; None: the native search looks for one."""
    kind: str = "auto"
    """``states``, ``refutation`` (SAT and LRAT), or ``auto``: states if the native search is installed, and
    a refutation if it is not or when half of the time limit has not sufficed."""
    notify: Callable[[str], None] = lambda sentence: None
    patterns: bool = True
    """Whether a list of states may rest on learned patterns (format 3), ..."""
    corrals: bool = True
    """... and leave out pushes that PI-corrals make needless (format 4)."""
    lemmas: bool = False
    """Whether a refutation gets clauses that follow from tables, too."""
    binary: bool = False
    """Whether its proof is written in binary."""


@dataclass(frozen=True, slots=True)
class Made:
    """What came of it: ``claim`` is None when a limit came first, named by ``stopped_by``."""

    claim: ClaimFile | None
    value: int | None
    seconds: float
    reported: str
    stopped_by: str | None = None

    @property
    def exit_code(self) -> int:
        """Return 0, 11 for a certified unsolvable level, 10 for a plan without proof, 20 and 21 for limits."""
        if self.claim is not None:
            return 0 if self.claim.value is not None else 11
        if self.value is not None:
            return 10
        return 21 if self.stopped_by == "memory" else 20


def certify(problem: Problem, folder: Path, request: Request) -> Made:
    """Make a certificate of a level or board in ``folder``.

    Raises:
        SokoaspError: The folder holds something else, the plan is illegal or not best, or an extra is missing.
    """
    if not isinstance(problem, Level | Board):
        raise EncodingError(f"there are no certificates for {domain_of(problem).name}")
    if isinstance(problem, Level):
        problem.require_alike("a certificate")
    _prepare(folder)
    clock = request.limits.start()
    try:
        with guarded(clock):
            value, plan, upper = _plan(problem, request)
            if value is None and upper is None:
                return Made(None, None, clock.elapsed, "no plan was found within the limits", "time")
            maker = _Maker(problem, folder, request, clock, plan, upper or "")
            return maker.make(value)
    except LimitReached as reached:
        return Made(None, None, clock.elapsed, f"the {reached.what} limit was reached", reached.what)
    except Cheaper as error:
        has, best = f"{value} {request.objective}", str(error.value)
        if error.moves is not None:
            has, best = f"{value} pushes and {maker.moves} moves", f"{error.value} pushes and {error.moves} moves"
        raise SokoaspError(
            f"the plan of {has} is not best: there is one of {best} (leave --plan out to have the best one found)"
        ) from None


def _prepare(folder: Path) -> None:
    """Make the folder; an old certificate in it is replaced, anything else is left alone.

    Raises:
        SokoaspError: There is something else in it.
    """
    folder.mkdir(parents=True, exist_ok=True)
    ours = {"claim.json", folders.FORMULA, folders.PROOF, folders.TABLES, folders.PATTERNS, folders.STATES}
    ours |= {folders.CORRALS, *folders.LEVEL.values(), *folders.PLAN.values()}
    inside = {path.name for path in folder.iterdir()}
    if inside - ours:
        raise SokoaspError(f"{folder} holds other files ({min(inside - ours)}): name an empty folder")
    for name in inside:
        (folder / name).unlink()


def _plan(problem: Problem, request: Request) -> tuple[int | None, Any, str | None]:
    """Return the number of actions of a plan (of a tie-break those that count first), the plan and who found it.

    Nothing, and who says so, if there is none.
    """
    domain, (first, *then) = domain_of(problem), request.objective.split("+")
    if request.known is not None:
        return domain.validate(problem, request.known, None)[first], request.known, "given"
    request.notify("looking for a plan")
    if then and domain.break_ties is not None:
        found = domain.break_ties(problem, (first, *then), request.limits)
    else:
        found = domain.native["native"](problem, first, request.limits, None, request.notify)
    if found.status is Status.UNSOLVABLE:
        return None, None, "native"
    if found.plan is None:
        return None, None, None
    return found.value, found.plan, found.engine


class _Maker:
    """One certificate in the making."""

    def __init__(
        self, problem: Level | Board, folder: Path, request: Request, clock: Clock, plan: Any, upper: str
    ) -> None:
        self.problem, self.folder, self.request, self.clock, self.upper = problem, folder, request, clock, upper
        self.game = "klotski" if isinstance(problem, Board) else "sokoban"
        if isinstance(problem, Board):
            text, steps = notation.write(problem), slide_plan.write(plan) if plan is not None else None
        else:
            text, steps = rows.write(problem), plan.lurd + "\n" if plan is not None else None
        (folder / folders.LEVEL[self.game]).write_text(text, encoding="utf-8")
        tied = request.objective == folders.TIES
        self.moves = len(plan.lurd) if tied and plan is not None else None
        """Of a tie-break."""
        seconds, other = request.limits.seconds, request.kind == "auto" and sat.available() and not tied
        self.patience = seconds / 2 if other and seconds is not None and self.game == "sokoban" else None
        """Seconds after which a closed list is given up and a refutation tried instead; None: never."""
        if steps is not None:
            (folder / folders.PLAN[self.game]).write_text(steps, encoding="utf-8")

    def make(self, value: int | None) -> Made:
        """Make the proof: closed list, or formula and refutation."""
        if max(value or 0, self.moves or 0) > folders.MOST_VALUE:
            raise SokoaspError(f"a certificate says at most {folders.MOST_VALUE:,} {self.request.objective}")
        if self.request.objective == folders.TIES and (value is None or self.request.kind == "refutation"):
            raise EncodingError(
                "a tie-break is certified by a list of states and a plan; that there is no plan by --objective pushes alone"
            )
        if value == 0:
            return self._done(value, "solved", "the start is solved")
        kind = self.request.kind
        if kind == "auto":
            kind = "states" if self.game == "klotski" or jit.available() else "refutation"
        if kind == "refutation":
            if value is None:
                raise EncodingError(
                    "a formula shows that there is no plan of a certain length, not that there is none: use states"
                )
            return self._refute(value)
        stopped = (
            self._slides(self.problem, value) if isinstance(self.problem, Board) else self._states(self.problem, value)
        )
        if isinstance(stopped, Made):
            return stopped
        if self.patience is not None and value is not None and stopped in (_PATIENCE, "states"):
            return self._refute(value)
        return Made(None, value, self.clock.elapsed, f"the list of states was not finished ({stopped})", stopped)

    def _done(self, value: int | None, kind: str, reported: str, **more: Any) -> Made:
        if self.moves is not None:
            more |= {"format": folders.WITH_TIES, "moves": self.moves}
        claim = ClaimFile(
            self.game, self.request.objective, value, kind, version=_version(), upper=self.upper, lower=reported, **more
        )
        folders.write_claim(self.folder, claim)
        return Made(claim, value, self.clock.elapsed, summary(claim) + f"; {reported}")

    def _going(self, what: str) -> Callable[[int, int], str | None]:
        def going(states: int, left: int) -> str | None:
            self.request.notify(f"{what}: {states:,} states, {left:,} to do")
            if self.patience is not None and self.clock.elapsed > self.patience:
                return _PATIENCE
            if self.request.limits.states is not None and states > self.request.limits.states:
                return "states"
            return self.clock.over() or ("states" if states > MOST_STATES else None)

        return going

    def _slides(self, board: Board, value: int | None) -> Made | str:
        from sokoasp.proof.slides_list import SlidesList

        listed = SlidesList(board, value, units=self.request.objective == "units")
        if stopped := listed.make(self._going("closing the list")):
            return stopped
        listed.write(self.folder / folders.STATES)
        return self._done(value, "states", f"closed list of {len(listed.cost):,} states")

    def _states(self, problem: Level, value: int | None) -> Made | str:
        """Close a list of states, with tables of larger and larger groups."""
        if not jit.available():
            raise MissingExtra("a closed list", "jit")
        from sokoasp.proof import closed, ties

        level = rows.read(rows.write(problem))
        if value is None:
            dead = self._dead(problem, level)
            if dead is not None:
                return dead
        equal = len(level.boxes) == len(level.goals)
        prices = tuple(prices_of(problem, self.request.objective)) if equal else (0,) * len(level.goals)
        sizes, stopped = sizes_of(level, equal), "states"
        stages = [(size, size == sizes[-1]) for size in sizes]
        if equal and value is not None and self.request.patterns and self.request.objective in ("pushes", "lines"):
            stages = [(sizes[0], False), (_LEARNING, False), *stages]
        for largest, last in stages:
            if largest == _LEARNING:
                made = self._by_patterns(level, value or 0)
                if made is not None:
                    return made
                continue
            bounds = None
            if largest:
                bounds = self._tables(level, prices, largest)
                if bounds is None:
                    return self.clock.over() or "time"
            claim = closed.Claim(level, self.request.objective, value, level.boxes, prices, largest, self.moves)
            listed = ties.listing(claim, bounds)
            # what is learned costs less than larger tables do
            entries = 0 if bounds is None or (_LEARNING, False) in stages else len(bounds.tables.value)
            stopped = self._closing(listed, last, entries) or ""
            if not stopped:
                return self._write(listed, bounds, value)
            if stopped != "larger":
                return stopped
        return stopped

    def _tables(self, level: rows.Field, prices: tuple[int, ...], largest: int) -> GroupBounds | None:
        from sokoasp.proof import group_bounds

        self.request.notify(f"filling the pattern databases of up to {largest} boxes")
        lines = self.request.objective == "lines"
        return group_bounds.build(level, prices, largest, lines=lines, going=lambda: self.clock.over() is None)

    def _by_patterns(self, level: rows.Field, value: int) -> Made | str | None:
        """Close a list of states with what the native search has learned when it has proved the value."""
        from sokoasp.proof import closed, patterns

        barred = self.request.corrals and self.request.objective == "pushes"
        learned = learn(level, self.request.objective, value, self.clock, self._going("learning patterns"), barred)
        if learned is None or isinstance(learned, str):
            return learned
        bounds = self._tables(level, learned.prices, learned.largest)
        if bounds is None:
            return self.clock.over() or "time"
        claim = closed.Claim(level, self.request.objective, value, level.boxes, learned.prices, learned.largest)
        shown, listed = patterns.PatternList(claim, bounds), closed.ClosedList(claim, bounds, barred)
        stopped = shown.close(learned.patterns, self._going("showing the learned patterns"))
        listed.tables = shown.tables
        stopped = stopped or self._closing(listed, last=True, entries=0)
        return stopped or self._write(listed, bounds, value, shown)

    def _closing(self, listed: Any, last: bool, entries: int) -> str | None:
        """Close a list; give up with ``larger`` when larger tables are likely to be worth their time."""
        going = self._going("closing the list")

        def until(states: int, left: int) -> str | None:
            return "larger" if not last and states > max(FEW, entries // 2) else going(states, left)

        found: str | None = listed.make(until)
        return found

    def _write(self, listed: ClosedList, bounds: Any, value: int | None, shown: PatternList | None = None) -> Made:
        from sokoasp.proof import corrals, group_bounds

        largest, more = listed.claim.largest, dict[str, Any]()
        self.request.notify("writing")
        listed.write(self.folder / folders.STATES)
        if bounds is not None:
            (self.folder / folders.TABLES).write_bytes(group_bounds.stored_bytes(bounds))
        reported = f"closed list of {listed.count:,} states" if listed.count else "bound of the start"
        if largest:
            reported += f", patterns of up to {largest} boxes"
            more = {"groups": largest, "prices": listed.claim.prices}
        barred = int((listed.areas[:, 0] >= 0).sum())
        if shown is not None and (shown.count or barred):
            shown.write(self.folder / folders.PATTERNS)
            reported += f" and {counted(int(shown.marked.sum()), 'learned ones')}"
            more["format"] = folders.WITH_PATTERNS
        if barred:
            corrals.write(self.folder / folders.CORRALS, listed.areas)
            reported += f", {counted(barred, 'corrals')}"
            more["format"] = folders.WITH_CORRALS
        return self._done(value, "states", reported, **more)

    def _dead(self, problem: Level, level: rows.Field) -> Made | None:
        """Show an unsolvable level by the few boxes that make it so, if the detectors name some."""
        from sokoasp.proof import closed

        if len(level.boxes) != len(level.goals):
            return None
        chosen = dead_boxes(problem, level)
        zero = (0,) * len(level.goals)
        for boxes in chosen:
            listed = closed.ClosedList(closed.Claim(level, self.request.objective, None, boxes, zero, 0), None)
            try:
                stopped = listed.make(lambda states, left: "states" if states > 50_000 else None)
            except Cheaper:
                continue
            if stopped is None:
                listed.write(self.folder / folders.STATES)
                cells = tuple(level.cells[b] for b in boxes)
                reported = (
                    f"{len(boxes)} of {len(level.boxes)} boxes can never all come to goals, {listed.count:,} states"
                )
                return self._done(None, "states", reported, boxes=cells)
        return None

    def _refute(self, value: int) -> Made:
        from sokoasp.sat.solver_child import SolverQuestion, start

        sat.require()
        reported = rows.read(rows.write(self.problem)) if isinstance(self.problem, Level) else self.problem
        formula = formula_of(reported, self.request.objective, value)
        plain, more = len(formula.clauses), self._lemmas(reported, formula, value)
        with (self.folder / folders.FORMULA).open("w", encoding="utf-8", newline="") as out:
            out.writelines(formula.dimacs((-formula.number["act", 1],)))
        limits = self.request.limits
        question = SolverQuestion(
            formulas_of(domain_of(self.problem)),
            self.problem,
            self.request.objective,
            single=value - 1,
            proof=str((self.folder / folders.PROOF).resolve()),
            binary=self.request.binary,
            lemmas=tuple(formula.clauses[plain:]),
            cpu_seconds=limits.seconds,
            memory_mb=limits.memory_mb,
        )
        self.request.notify(f"refuting {value - 1} {self.request.objective}: {_size(formula)}")
        stopped, code = None, 0
        with Crew() as crew:
            start(crew, "refuting", question)
            for _, event in crew.listen(self.clock):
                if isinstance(event, Halted):
                    stopped = event.by
                elif isinstance(event, Ended):
                    code = event.code
                elif event["verdict"] == "sat":
                    raise Cheaper(value - 1)
                else:
                    return self._done(value, "refutation", f"CaDiCaL 1.9.5, {_size(formula)}", **more)
        if stopped is None and code not in ENDED_BY_LIMIT:
            raise SokoaspError("the SAT solver ended without an answer (out of memory?)")
        (self.folder / folders.PROOF).unlink(missing_ok=True)
        return Made(None, value, self.clock.elapsed, "the refutation was not finished", stopped or "time")

    def _lemmas(self, level: rows.Field | Board, formula: Formula, value: int) -> dict[str, Any]:
        """Add clauses from tables if they are wanted and there can be any; return what the claim says of the tables."""
        if not self.request.lemmas:
            return {}
        if not jit.available():
            raise MissingExtra("lemmas", "jit")
        if isinstance(level, Board) or len(level.boxes) != len(level.goals):
            raise EncodingError("lemmas are for Sokoban levels with as many goals as boxes")
        from sokoasp.proof import group_bounds
        from sokoasp.proof.lemmas import LARGEST, add_lemmas

        zero, size = (0,) * len(level.goals), min(LARGEST, len(level.boxes))
        bounds = group_bounds.build(level, zero, size, lines=self.request.objective == "lines")
        assert bounds is not None
        add_lemmas(formula, level, value, bounds)
        (self.folder / folders.TABLES).write_bytes(group_bounds.stored_bytes(bounds))
        return {"groups": size, "prices": zero}


def _size(formula: Formula) -> str:
    return f"{len(formula.number):,} variables, {len(formula.clauses):,} clauses"


def _version() -> str:
    try:
        return f"sokoasp {version('sokoasp')}"
    except PackageNotFoundError:
        return "sokoasp"
