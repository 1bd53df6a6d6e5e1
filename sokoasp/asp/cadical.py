"""A ground program refuted by a SAT solver: clingo grounds, the completion goes to CaDiCaL, and the bound loop is the same.

On hard bounds CaDiCaL needs less time than clasp, on easy ones more. It is for tight programs, asked
for one answer set. python-sat is imported when a session is opened.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING

from sokoasp.asp import clingo_api
from sokoasp.asp.completion import Completion, NotTight
from sokoasp.asp.session import TICK, Session
from sokoasp.core.result import Atom

if TYPE_CHECKING:
    from sokoasp.asp.clingo_api import Control, Observer, Part, Symbol, TruthValue

SLICE = 5_000
"""Conflicts between two looks at the limits and at Ctrl-C: half a second or less, in which neither is noticed."""
OPTIONS = {"stabilize": 0}
"""CaDiCaL's options: with these, refutations take 0.8 times the seconds."""


class CadicalSession(Session):
    """A session that hands its ground program to CaDiCaL instead of clasp."""

    def _opened(self, facts: str) -> Control:
        from pysat.solvers import Cadical195

        control = super()._opened(facts)
        self._completion, self._solver = Completion(), Cadical195()
        self._solver.configure(OPTIONS)
        self._clauses = 0
        self._contradictory = False
        self._terms: list[tuple[Atom, tuple[int, ...]]] = []
        """Shown terms, and the literals under which they are."""
        self._signatures: dict[tuple[str, int, bool], None] = {}
        """Shown predicates."""
        observer = _observer(self._completion, self._terms, self._signatures)
        control.register_observer(observer, replace=True)
        return control

    @property
    def contradictory(self) -> bool:
        """Return whether the last refutation used no external atom: then it holds at every bound."""
        return self._contradictory

    def ground(self, parts: Sequence[Part]) -> None:
        """Ground parts and hand the clauses of their completion on.

        Raises:
            EncodingError: The program is not valid, not tight, or has rules that clauses cannot express.
        """
        super().ground(parts)
        began = time.perf_counter()
        try:
            clauses = self._completion.taken()
        except NotTight as fault:
            names = (str(atom.symbol) for atom in self.control.symbolic_atoms if atom.literal == fault.atom)
            raise NotTight(fault.atom, next(names, "an atom")) from fault
        for clause in clauses:
            self._solver.add_clause(clause)
        self._clauses += len(clauses)
        self.outcome.counters.update(variables=self._completion.variables, clauses=self._clauses)
        self.outcome.ground_seconds += time.perf_counter() - began
        self.check()

    def _solve_once(self, assumptions: Iterable[tuple[Symbol, bool]], conflicts: int | None) -> bool | None:
        began, outcome = time.perf_counter(), self.outcome
        outcome.answers, outcome.count, outcome.complete, self.last_conflicts = [], 0, False, 0
        before = self._conflicts()
        found: bool | None = None
        try:
            while found is None and (conflicts is None or self.last_conflicts < conflicts):
                self.check()
                self._skip()
                left = SLICE if conflicts is None else min(SLICE, conflicts - self.last_conflicts)
                found = self._asked(left)
                self.last_conflicts = self._conflicts() - before
        finally:
            outcome.conflicts += self._conflicts() - before
            outcome.solve_seconds += time.perf_counter() - began
        if found:
            outcome.answers, outcome.count = [self._answer()], 1
        self._contradictory = found is False and not self._solver.get_core()
        return found

    def _answer(self) -> tuple[Atom, ...]:
        """Return what is shown of the model that was found.

        The observer does not hear of every atom of a shown predicate, so these are looked up.
        """
        model = {one for one in self._solver.get_model() if one > 0}
        holds, table = self._completion.holds, self.control.symbolic_atoms
        atoms = (atom for one in self._signatures for atom in table.by_signature(*one))
        # an atom that no rule has is in the table with the literal 0
        true = (atom for atom in atoms if atom.is_fact or (atom.literal and holds(atom.literal, model)))
        shown = [clingo_api.atom(atom.symbol) for atom in true]
        shown += (term for term, body in self._terms if all(holds(one, model) for one in body))
        return tuple(dict.fromkeys(shown))

    def _asked(self, conflicts: int) -> bool | None:
        """Ask CaDiCaL within a budget of conflicts, in a thread: in the main one python-sat takes Ctrl-C for itself."""
        answer: list[bool | None] = []
        self._solver.conf_budget(conflicts)
        assumed = list(self._completion.assumed.values())
        thread = threading.Thread(target=lambda: answer.append(self._solver.solve_limited(assumed)), daemon=True)
        thread.start()
        while thread.is_alive():
            thread.join(TICK)
        return answer[0]

    def _conflicts(self) -> int:
        return int(self._solver.accum_stats()["conflicts"])


def _observer(
    completion: Completion, terms: list[tuple[Atom, tuple[int, ...]]], signatures: dict[tuple[str, int, bool], None]
) -> Observer:
    """Return an observer that writes the ground program into a completion, shown terms and predicates into the other two."""

    def external(atom: int, value: TruthValue) -> None:
        values = {"True_": True, "Free": None}
        completion.external(atom, values.get(value.name, False), released=value.name == "Release")

    def output_atom(symbol: Symbol, _: int) -> None:
        signatures[symbol.name, len(symbol.arguments), symbol.positive] = None

    def output_term(symbol: Symbol, condition: Sequence[int]) -> None:
        terms.append((clingo_api.atom(symbol), tuple(condition)))

    def refusing(what: str) -> Callable[..., None]:
        return lambda *_: setattr(completion, "refused", what)

    return clingo_api.observer(
        rule=completion.rule,
        weight_rule=completion.weight_rule,
        external=external,
        output_atom=output_atom,
        output_term=output_term,
        minimize=refusing("a preference (#minimize)"),
        acyc_edge=refusing("#edge"),
        assume=refusing("assumptions of its own"),
        theory_atom=refusing("a theory atom"),
        theory_atom_with_guard=refusing("a theory atom"),
    )
