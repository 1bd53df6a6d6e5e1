"""The one loop that drives every program: ground, ask for a bound, wait, raise the bound; or ground and ask once.

Solving is asynchronous and grounding runs in a thread, so that Ctrl-C and the limits act at once; what was refuted and found
by then is kept in the outcome.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sokoasp.asp.catalogue import Encoding
from sokoasp.core import progress
from sokoasp.core.errors import EncodingError
from sokoasp.core.horizon import Atom, Horizon
from sokoasp.core.limits import Clock
from sokoasp.core.result import Step

if TYPE_CHECKING:
    import clingo

    from sokoasp.asp.narrow import Narrow

_TICK = 0.05
_LOOK_AHEAD = (25, 0.25)
"""Conflicts that may be spent on whether the actions so far can be gone on with at all: so many a bound, and a share of its own.

What is not spent is kept, so that a hard contradiction is found in time and the whole costs a quarter more at most.
"""
_EASY = 100
"""Conflicts of a refutation that may be one of the actions alone.

After a harder one the look is left out, but for every eighth bound: it makes the solver forget where it was (Microban 146:
90,000 conflicts instead of 30,000).
"""
_VERDICTS = {True: "sat", False: "unsat", None: "unknown"}


@dataclass(frozen=True, slots=True)
class ClingoOptions:
    """How clingo is run."""

    models: int = 1
    """How many answer sets to enumerate at the optimum, 0 for all."""
    threads: int = 1
    configuration: str = "auto"
    seed: int = 0
    arguments: tuple[str, ...] = ()
    """More clingo options, passed through as they are."""
    constraints: tuple[Path, ...] = ()
    """Files with the user's own constraints, added to the program."""
    narrows: tuple[Narrow, ...] = ()
    """How their uses of public predicates are said in the program's own words."""
    preferences: bool = False
    """Whether the program minimises something: at the first bound with an answer the best answer is looked for."""
    longer: bool = False
    """With preferences: go on to the last bound, for a longer answer may be a better one."""
    count: bool = False
    """Count the answers and keep the first only."""


@dataclass(slots=True)
class Outcome:
    """What the loop found, as it stands at any moment."""

    verdict: str = "unknown"
    """``"sat"``, ``"unsat"`` (up to the last bound asked for) or ``"unknown"``."""
    refuted: int | None = None
    """Largest bound proved to have no answer (with all bounds the caller left out below it)."""
    bound: int | None = None
    """The bound the answers belong to."""
    cost: tuple[int, ...] | None = None
    """Values of what is minimised in the answers, the highest priority first."""
    priorities: tuple[int, ...] = ()
    count: int = 0
    """How many answers there are, when they are counted."""
    complete: bool = False
    """Whether the last answer was proved best (single) and, when enumerating, whether these are all answers."""
    answers: list[tuple[Atom, ...]] = field(default_factory=list)
    steps: list[Step] = field(default_factory=list)
    exhausted: bool = False
    """Whether the steps grounded so far contradict themselves, so that every further bound is refuted too."""
    stopped_by: str | None = None
    ground_seconds: float = 0.0
    solve_seconds: float = 0.0
    counters: dict[str, int] = field(default_factory=dict)


class Stopped(Exception):
    """A limit or a cancellation, named by ``args[0]``."""


class _Skip(Exception):
    """The bound that is asked for has been refuted elsewhere."""


class Session:
    """One clingo control with its clock and log; use ``run``."""

    def __init__(
        self,
        encoding: Encoding,
        facts: str,
        options: ClingoOptions,
        clock: Clock,
        watch: Callable[[], str | None] = lambda: None,
        refuted: Callable[[], int | None] = lambda: None,
    ) -> None:
        import clingo

        self.clock = clock
        self.watch = watch
        self.refuted = refuted
        self.options = options
        self.outcome = Outcome()
        self.look_ahead = 0.0
        """Conflicts left to spend on looking ahead."""
        self.core: list[int] = []
        """Literals of the assumptions that the last refutation used."""
        self.messages: list[str] = []
        arguments = [
            *encoding.options,
            f"--configuration={options.configuration}",
            f"--seed={options.seed}",
            *(["--project=show"] if options.models != 1 else []),
            *([f"--parallel-mode={options.threads}"] if options.threads > 1 else []),
            *options.arguments,
        ]
        try:
            self.control = clingo.Control(arguments, logger=self._log, message_limit=20)
            self.control.add("base", [], facts)
            for path in (*encoding.files, *options.constraints):
                if not path.is_file():
                    raise EncodingError("no such file", source=str(path))
                if options.narrows and path in options.constraints:
                    from sokoasp.asp import narrow

                    narrow.load(self.control, path, options.narrows, self._log)
                else:
                    self.control.load(str(path))
        except RuntimeError as error:
            raise self._error(error) from error

    def _log(self, _code: object, message: str) -> None:
        self.messages.append(message.strip())

    def _error(self, error: RuntimeError) -> EncodingError:
        first = next((m for m in self.messages if "error" in m), self.messages[0] if self.messages else str(error))
        return EncodingError(" ".join(first.split()))

    def _failed(self, error: RuntimeError | MemoryError) -> Exception:
        """Return what a failure of clingo means: no memory is a limit, anything else a fault of the program."""
        if isinstance(error, MemoryError) or "bad_alloc" in str(error):
            self.outcome.stopped_by = "memory"
            return Stopped("memory")
        return self._error(error)

    def ground(self, parts: Sequence[tuple[str, Sequence[clingo.Symbol]]]) -> None:
        """Ground parts in a thread, so that a limit or Ctrl-C need not wait for it.

        clingo cannot be stopped while it grounds: a thread left behind goes on, and takes memory, until it is done or the
        process ends. The command line, the races, campaigns and the page therefore solve in processes that end.

        Raises:
            EncodingError: The program is not valid.
        """
        began = time.perf_counter()
        failure: list[RuntimeError | MemoryError] = []

        def work() -> None:
            try:
                self.control.ground(list(parts))
            except (RuntimeError, MemoryError) as error:
                failure.append(error)

        thread = threading.Thread(target=work, daemon=True)
        thread.start()
        progress.note(stage="grounding")
        try:
            while thread.is_alive():
                thread.join(_TICK)
                self._check()
        finally:
            self.outcome.ground_seconds += time.perf_counter() - began
        if failure:
            raise self._failed(failure[0])

    def _check(self) -> None:
        stopped = self.clock.over() or self.watch()
        if stopped:
            self.outcome.stopped_by = stopped
            raise Stopped(stopped)

    def _skip(self) -> None:
        elsewhere = self.refuted()
        if elsewhere is not None and self.outcome.bound is not None and elsewhere >= self.outcome.bound:
            raise _Skip

    def solve(self, assumptions: Iterable[tuple[clingo.Symbol, bool]] = ()) -> bool | None:
        """Solve under the limits, keep the answers, and return whether there is one (None: not decided)."""
        self._check()
        began = time.perf_counter()
        answers: list[tuple[Atom, ...]] = []

        outcome = self.outcome
        outcome.count = 0

        indifferent = False

        def on_model(model: clingo.Model) -> bool:
            nonlocal indifferent
            better = bool(model.cost) and not (model.optimality_proven and outcome.complete)
            outcome.count = 1 if better else outcome.count + 1
            if better:
                answers.clear()
            if not (self.options.count and answers):
                answers.append(tuple(Atom(s.name, tuple(map(str, s.arguments))) for s in model.symbols(shown=True)))
            if model.cost:
                outcome.cost, outcome.complete = tuple(model.cost), model.optimality_proven
                outcome.priorities = tuple(model.priority)
            # preferences that nothing in the level can meet or miss: any answer is the best
            indifferent = self.options.preferences and self.options.models == 1 and not model.cost
            return not indifferent

        try:
            with self.control.solve(assumptions=list(assumptions), on_model=on_model, async_=True) as handle:
                try:
                    while not handle.wait(_TICK):
                        self._check()
                        self._skip()
                except (KeyboardInterrupt, Stopped, _Skip):
                    handle.cancel()
                    raise
                result = handle.get()
                self.core = list(handle.core()) if result.unsatisfiable else []
        except (RuntimeError, MemoryError) as error:
            raise self._failed(error) from error
        finally:
            self.outcome.answers = answers
            self.outcome.solve_seconds += time.perf_counter() - began
        self.outcome.complete = bool(result.exhausted) or indifferent
        satisfiable: bool | None = result.satisfiable
        return satisfiable

    def statistic(self, *path: str) -> float:
        """Return one of clingo's statistics, 0 if it has none of that name."""
        node: Any = self.control.statistics
        try:
            for key in path:
                node = node[key]
            return float(node)
        except (KeyError, RuntimeError, TypeError):
            return 0.0

    def close(self) -> None:
        """Read the sizes of the ground program into the outcome."""
        self.outcome.counters.update(
            atoms=int(self.statistic("problem", "lp", "atoms")),
            rules=int(self.statistic("problem", "lp", "rules")),
            conflicts=sum(step.conflicts for step in self.outcome.steps),
        )


def run(
    encoding: Encoding,
    facts: str,
    *,
    bounds: Horizon,
    clock: Clock,
    options: ClingoOptions | None = None,
    on_step: Callable[[Step], None] | None = None,
    watch: Callable[[], str | None] = lambda: None,
    refuted: Callable[[], int | None] = lambda: None,
) -> Outcome:
    """Run a program on facts: one solve call for a single program, the bound loop for an incremental one.

    ``watch`` is called about every 50 ms; a word it returns ends the run and becomes ``stopped_by``.
    ``refuted`` is called as often and returns the largest bound that has been refuted elsewhere; bounds up to it are left out.
    KeyboardInterrupt is turned into ``stopped_by="interrupt"``.

    Raises:
        EncodingError: The program (or the user's constraints) cannot be read or grounded.
    """
    session = Session(encoding, facts, options or ClingoOptions(), clock, watch, refuted)
    loop = _incremental if encoding.mode == "incremental" else _single
    try:
        loop(session, bounds, on_step or (lambda step: None))
        session.close()
    except Stopped:
        pass
    except KeyboardInterrupt:
        session.outcome.stopped_by = "interrupt"
    return session.outcome


def _single(session: Session, bounds: Horizon, on_step: Callable[[Step], None]) -> None:
    session.ground([("base", [])])
    configuration: Any = session.control.configuration
    if session.options.models == 1:
        configuration.solve.models = -1  # clasp's own default: one answer, or with #minimize all up to the best
    else:
        configuration.solve.models = session.options.models
        configuration.solve.opt_mode = "optN"
    _ask(session, bounds.first, on_step)


def _ask(session: Session, bound: int, on_step: Callable[[Step], None]) -> bool | None:
    """Solve at a bound and write down what it cost."""
    outcome = session.outcome
    began = time.perf_counter()
    outcome.bound = bound
    progress.note(stage=f"solving bound {bound}")
    verdict = session.solve()
    outcome.verdict = _VERDICTS[verdict]
    conflicts = int(session.statistic("solving", "solvers", "conflicts"))
    step = Step(bound, outcome.verdict, time.perf_counter() - began, conflicts)
    outcome.steps.append(step)
    on_step(step)
    return verdict


def _incremental(session: Session, bounds: Horizon, on_step: Callable[[Step], None]) -> None:
    import clingo

    _configure(session)
    outcome = session.outcome
    session.ground([("base", [])])
    grounded = 0
    bound = bounds.first
    best: Outcome | None = None
    while bounds.last is None or bound <= bounds.last:
        number = clingo.Number(bound)
        session.ground(
            [*(("step", [clingo.Number(t)]) for t in range(grounded + 1, bound + 1)), ("check", [number])],
        )
        grounded = bound
        query = clingo.Function("query", [number])
        session.control.assign_external(query, True)
        try:
            verdict = _ask(session, bound, on_step)
            if verdict is not False and not (verdict and session.options.longer):
                return
            if verdict and (best is None or (outcome.cost or ()) < (best.cost or ())):
                best = replace(outcome)
        except _Skip:
            outcome.verdict = _VERDICTS[False]
        if best is None:
            outcome.refuted = bound
        session.control.release_external(query)
        if session.control.is_conflicting or (session.options.constraints and _nothing_longer(session)):
            # Contradictory with no bound asked for: not even the actions up to here are possible, so no longer plan is.
            outcome.exhausted = True
            break
        bound += bounds.stride
    if best is not None:
        for name in ("verdict", "bound", "cost", "priorities", "answers", "complete"):
            setattr(outcome, name, getattr(best, name))


def _configure(session: Session) -> None:
    """Tell clasp how many answers are wanted, and that the best are where something is minimised."""
    configuration: Any = session.control.configuration
    configuration.solve.models = session.options.models
    if session.options.preferences and session.options.models == 1:
        configuration.solve.models = 0  # all better ones up to the best
    elif session.options.preferences:
        configuration.solve.opt_mode = "optN"


def _nothing_longer(session: Session) -> bool:
    """Return whether no sequence of actions is possible any more, whatever bound is asked for; False if that is not seen at once.

    The externals of bounds to come are left open meanwhile, so that what is said of the plan's length excludes nothing.
    """
    control = session.control
    each, share = _LOOK_AHEAD
    conflicts = sum(step.conflicts for step in session.outcome.steps[-1:])
    session.look_ahead += each + share * conflicts
    if conflicts > _EASY and len(session.outcome.steps) % 8:
        return False
    configuration: Any = control.configuration
    kept = [configuration.solve.models, configuration.solve.opt_mode]
    atoms = control.symbolic_atoms
    # going through all atoms takes longer than the look ahead
    signatures = [one[:2] for one in atoms.signatures if one[0] in ("query", "reached")]
    waiting = [atom.symbol for one in signatures for atom in atoms.by_signature(*one) if atom.is_external]
    for symbol in waiting:
        control.assign_external(symbol, None)
    configuration.solve.models, configuration.solve.opt_mode = 1, "ignore"
    configuration.solve.solve_limit = f"{int(session.look_ahead)},umax"
    try:
        with control.solve(async_=True) as handle:
            while not handle.wait(_TICK):
                session._check()
            return bool(handle.get().unsatisfiable)
    finally:
        session.look_ahead = max(0.0, session.look_ahead - session.statistic("solving", "solvers", "conflicts"))
        configuration.solve.models, configuration.solve.opt_mode = kept
        configuration.solve.solve_limit = "umax,umax"
        for symbol in waiting:
            control.assign_external(symbol, False)
