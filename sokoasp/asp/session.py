"""One clingo control under limits: ground, solve at a bound, and keep what was refuted and found.

Solving is asynchronous; grounding and preparing a call run in a thread, so that Ctrl-C and the limits act at once.
"""

from __future__ import annotations

import atexit
import os
import re
import sys
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from sokoasp.asp import clingo_api
from sokoasp.asp.catalogue import Encoding, folder
from sokoasp.asp.program_text import with_question
from sokoasp.core import progress
from sokoasp.core.errors import EncodingError
from sokoasp.core.limits import Clock
from sokoasp.core.result import Atom, Step, Watch

TICK = 0.05
"""Seconds between two looks at the limits."""
AT_END = 60.0
"""Seconds that a process waits at its end for a grounding that was left behind: clingo would crash on its way out."""
SMALL = 20_000
"""Letters of a problem's facts times parts that a program of ours is grounded for in milliseconds."""


def end_after(grounding: threading.Thread) -> None:
    """Wait for a grounding, then have the process end; one that goes on is ended with the process, as failed."""
    grounding.join(AT_END)
    if grounding.is_alive():
        sys.stdout.flush()
        os.write(2, b"error: a grounding that was left behind does not end: the process is ended\n")
        os._exit(1)


class ClingoOptions(NamedTuple):
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
    preferences: bool = False
    """Whether the program minimises something: at the first bound with an answer the best answer is looked for."""
    longer: bool = False
    """With preferences: go on to the last bound, for a longer answer may be a better one."""
    only_count: bool = False
    """Count the answers and keep the first only."""


@dataclass(slots=True, eq=False, repr=False)
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
    conflicts: int = 0
    """Conflicts at all bounds, those that are not decided included."""
    counters: dict[str, int] = field(default_factory=dict)


class Stopped(Exception):
    """A limit or a cancellation, named by ``args[0]``."""


@cache
def _joined(files: tuple[Path, ...]) -> str:
    """Return catalogued files as one text without comments, read once a process; empty if one is somebody's own."""
    if not all(path.is_relative_to(folder()) for path in files):
        return ""
    texts = (re.sub(r"^%.*\n", "", path.read_text(encoding="utf-8"), flags=re.MULTILINE) for path in files)
    return "".join(f"\n#program base.\n{text}" for text in texts)


class Session:
    """One clingo control with its clock and log; use ``run``."""

    def __init__(
        self, encoding: Encoding, facts: str, options: ClingoOptions, clock: Clock, watch: Watch = lambda: None
    ) -> None:
        self.encoding = encoding
        self.clock = clock
        self.watch = watch
        self.options = options
        self.outcome = Outcome()
        self._limited, self._letters = False, SMALL
        self.look_ahead = 0.0
        """Conflicts left to spend on looking ahead."""
        self.last_conflicts = 0
        """Conflicts of the last call of ``solve``."""
        self.minimised: dict[int, list[tuple[int, int]]] = {}
        """Priority → literals and weights of what has been grounded, where better answers of longer plans are looked for."""
        self.messages: list[str] = []
        self.left_behind = False
        """Whether clingo is still at what a limit did not wait for: its numbers cannot be asked for."""
        self.control = self._opened(facts)

    def _opened(self, facts: str) -> clingo_api.Control:
        """Return clingo with facts, programs and constraints loaded."""
        encoding, options = self.encoding, self.options
        own = (*encoding.options, f"--configuration={options.configuration}", f"--seed={options.seed}")
        given = [word.partition("=")[0] for word in options.arguments if word.startswith("--")]
        arguments = [  # clingo takes each once only, and a name as soon as it is plain: --config
            *(one for one in own if not any(one.partition("=")[0].startswith(name) for name in given)),
            *["--project=show"] * (options.models != 1),
            *[f"--parallel-mode={options.threads}"] * (options.threads > 1),
            *options.arguments,
        ]
        try:
            control = clingo_api.control(arguments, lambda _code, message: self.messages.append(message.strip()))
            if options.longer:
                control.register_observer(clingo_api.observer(minimize=self._minimise))
            text = _joined(encoding.files)
            control.add("base", [], f"{facts}{text}")
            if text and encoding.mode == "incremental" and not options.constraints:
                self._letters = len(facts)
            if not text and encoding.mode == "incremental":
                control.add("check", ["t"], "#external query(t).")
            for path in (*(() if text else encoding.files), *options.constraints):
                if not path.is_file():
                    raise EncodingError("no such file", source=str(path))
                control.load(str(path))
        except RuntimeError as error:
            raise self._error(error) from error
        return control

    def _minimise(self, priority: int, literals: Sequence[tuple[int, int]]) -> None:
        self.minimised.setdefault(priority, []).extend(literals)

    def _error(self, error: RuntimeError) -> EncodingError:
        if again := re.search(r"redefinition of atom <'(.*)',\d+>", str(error)):
            from sokoasp.asp.statements import redefined

            return redefined((*self.options.constraints, *self.encoding.files), again[1])
        first = next((m for m in self.messages if "error" in m), str(error))
        if names := re.findall(r"note: '(\w+)' is unsafe", first):
            why = "no positive atom of the rule's body gives it a value"
            first = f"{first.partition(': ')[0]}: error: unsafe variable {', '.join(names)}: {why}"
        return EncodingError(with_question(" ".join(first.split())))

    def _failed(self, error: RuntimeError | MemoryError) -> Exception:
        """Return what a failure of clingo means: no memory is a limit, anything else a fault of the program."""
        if isinstance(error, MemoryError) or "bad_alloc" in str(error):
            self.outcome.stopped_by = "memory"
            return Stopped("memory")
        return self._error(error)

    def ground(self, parts: Sequence[clingo_api.Part]) -> None:
        """Ground parts. EncodingError if the program is not valid."""
        began = time.perf_counter()
        progress.note(stage="grounding")
        try:
            self.begin(lambda: self.control.ground(list(parts)), small=self._letters * len(parts) < SMALL)
        finally:
            self.outcome.ground_seconds += time.perf_counter() - began

    def begin(self, work: Callable[[], Any], *, small: bool | None = None) -> Any:
        """Ground, or prepare to solve, in a thread: a limit or Ctrl-C need not wait for it. What is small is done without.

        By default that is what is solved of a program that was grounded at once.
        clingo cannot be stopped meanwhile: a thread left behind goes on, and takes memory, until it is done or the process
        ends. The command line, campaigns and the page therefore solve in processes that end. Others wait at their end.
        """
        found: list[Any] = []
        failure: list[RuntimeError | MemoryError] = []

        def run() -> None:
            try:
                found.append(work())
            except (RuntimeError, MemoryError) as error:
                failure.append(error)
            if self.left_behind:
                drop()

        def drop() -> None:  # by whoever comes last, the thread or the limit
            for handle in filter(None, found):
                handle.cancel()

        if small is None:
            small = self.outcome.ground_seconds < TICK
        if small:
            run()
        else:
            thread = threading.Thread(target=run, daemon=True)
            thread.start()
            try:
                while thread.is_alive():
                    thread.join(TICK)
                    self.check()
            except BaseException:
                self.left_behind = True
                drop()
                atexit.register(end_after, thread)
                raise
        for error in failure:
            raise self._failed(error)
        return found[0]

    def check(self) -> None:
        """Raise ``Stopped`` if a limit has been reached or ``watch`` names another reason."""
        stopped = self.clock.over() or self.watch()
        if stopped:
            self.outcome.stopped_by = stopped
            raise Stopped(stopped)

    def only_better(self, best: Outcome, query: clingo_api.Symbol) -> None:
        """Have an answer at this bound cost less than the best of the bounds before, the highest priority first.

        Said by rules: clasp's own bound on costs takes an answer that gains at one priority and loses at the next for none.
        """
        known = dict(zip(best.priorities, best.cost or (), strict=True))
        external = self.control.symbolic_atoms[query]
        assert external is not None
        asked = [external.literal]
        with self.control.backend() as backend:
            for priority in sorted(self.minimised.keys() | known.keys(), reverse=True):
                literals, cost = self.minimised.get(priority, []), known.get(priority, 0)
                reached, exceeded = (clingo_api.sum_at_least(backend, literals, least) for least in (cost, cost + 1))
                backend.add_rule([], [*asked, exceeded])
                asked.append(reached)
            backend.add_rule([], asked)

    def solve(self, *, conflicts: int | None = None) -> bool | None:
        """Solve under the limits, keep the answers, and return whether there is one (None: not decided).

        After ``conflicts`` conflicts the solver gives up; answers that are to be the best, or all, are then made complete.
        """
        found = self._solve_once(conflicts)
        several = self.options.models != 1 or self.options.preferences
        if found and conflicts is not None and several and not self.outcome.complete:
            found = self._solve_once(None)
        return found

    def _limit(self, conflicts: int | None) -> None:
        """Let the next call of ``solve`` end after a number of conflicts; None: no end."""
        if conflicts is not None or self._limited:
            configuration: Any = self.control.configuration
            configuration.solve.solve_limit = "umax,umax" if conflicts is None else f"{conflicts},umax"
            self._limited = conflicts is not None

    def _solve_once(self, conflicts: int | None) -> bool | None:
        self.last_conflicts = 0
        self.check()
        self._limit(conflicts)
        began, outcome = time.perf_counter(), self.outcome
        answers: list[tuple[Atom, ...]] = []
        outcome.count, outcome.cost, outcome.priorities = 0, None, ()
        indifferent = False

        def on_model(model: clingo_api.Model) -> bool:
            nonlocal indifferent
            better = bool(model.cost) and not (model.optimality_proven and outcome.complete)
            outcome.count = 1 if better else outcome.count + 1
            if better:
                answers.clear()
            if not (self.options.only_count and answers):
                shown = map(clingo_api.atom, model.symbols(shown=True))
                answers.append(tuple(dict.fromkeys(shown)))  # clingo names what is shown as atom and as term twice
            if model.cost:
                outcome.cost, outcome.complete = tuple(model.cost), model.optimality_proven
                outcome.priorities = tuple(model.priority)
            # preferences that nothing in the level can meet or miss: any answer is the best
            indifferent = self.options.preferences and self.options.models == 1 and not model.cost
            return not indifferent

        try:
            with self.begin(lambda: self.control.solve(on_model=on_model, async_=True)) as handle:
                try:
                    while not handle.wait(TICK):
                        self.check()
                except (KeyboardInterrupt, Stopped):
                    handle.cancel()
                    raise
                result = handle.get()
        except (RuntimeError, MemoryError) as error:
            raise self._failed(error) from error
        finally:
            self.outcome.answers = answers
            self.outcome.solve_seconds += time.perf_counter() - began
            self.last_conflicts = self.conflicts()  # also of a call that was interrupted
            self.outcome.conflicts += self.last_conflicts
        outcome.complete = bool(result.exhausted) or indifferent or bool(self.outcome.cost and outcome.complete)
        satisfiable: bool | None = result.satisfiable
        return satisfiable

    def conflicts(self) -> int:
        """Return the conflicts of clingo's last call, 0 if its statistics have none; note the sizes of the ground program."""
        if self.left_behind:
            return 0
        try:
            statistics = clingo_api.statistics(self.control)
            sizes = statistics.get("problem", {}).get("lp", {})
            self.outcome.counters.update({name: int(sizes.get(name, 0)) for name in ("atoms", "rules")})
            return int(statistics["solving"]["solvers"]["conflicts"])
        except (KeyError, RuntimeError, TypeError):
            return 0
