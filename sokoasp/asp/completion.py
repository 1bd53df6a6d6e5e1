"""The completion of a tight ground program as clauses (Clark 1978), whose models are then the answer sets (Fages 1994).

Every atom is equivalent to the disjunction of the bodies of its rules; a choice supports its atoms and does not derive them, a
disjunctive head is shifted: each atom has the others' absence in its body (Ben-Eliyahu and Dechter 1994; a tight program has no
cycle through a head). A sum in a body is a decision diagram over its literals. The rules come from the grounder, ground call by
ground call; an atom is completed after the call in which it is defined, externals are assumptions. An atom that no body has gets
no clauses: whether it holds is read off a model.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence, Set
from itertools import accumulate, combinations
from math import comb

from sokoasp.core.errors import EncodingError

TRUE = 1
"""The variable that is true."""
MOST_NODES = 20_000
"""Nodes of one literal in the decision diagram of a sum; larger sums are refused."""

FEW_CLAUSES = 40
"""Clauses that a count may have without a decision diagram."""

Body = Sequence[int]
_Supports = list[tuple[tuple[int, ...], bool]]
"""The bodies of an atom, as variables, and whether each derives it (a choice does not)."""


class Completion:
    """Rules in, clauses out; atoms are the grounder's numbers, literals of clauses are variables of our own."""

    def __init__(self) -> None:
        self.assumed: dict[int, int] = {}
        """External atom → literal that is assumed of it; one that may be either is left out."""
        self.variables = TRUE
        self.refused = ""
        """What a rule has that clauses do not say, empty if nothing."""
        self._clauses: list[list[int]] = [[TRUE]]
        self._variable: dict[int, int] = {}
        self._conjunctions: dict[tuple[int, ...], int] = {}
        self._nodes: dict[tuple[int, int, int], int] = {}
        self._open: set[int] = set()
        """Atoms that are used and not defined yet, externals among them."""
        self._externals: set[int] = set()
        self._supports: dict[int, _Supports] = {}
        """Of the atoms of the call at hand."""
        self._unused: dict[int, _Supports] = {}
        """Of the atoms that no body has."""
        self._needs: dict[int, list[int]] = {}
        """Atom → positive atoms of its bodies, of all calls."""

    def rule(self, choice: bool, head: Sequence[int], body: Body) -> None:
        """Take in a rule whose body is a conjunction of literals."""
        if not head and not choice:
            self._clauses.append([-self._literal(literal) for literal in body])
        elif head:
            literals = tuple(sorted({self._literal(literal) for literal in body} - {TRUE}))
            self._support(choice, head, literals, [literal for literal in body if literal > 0])

    def weight_rule(self, choice: bool, head: Sequence[int], least: int, body: Sequence[tuple[int, int]]) -> None:
        """Take in a rule whose body is a sum: the weights of the literals that hold are at least so much."""
        holds = self._sum(least, body)
        if not head and not choice:
            self._clauses.append([-holds])
        elif head:
            self._support(
                choice, head, () if holds == TRUE else (holds,), [literal for literal, _ in body if literal > 0]
            )

    def external(self, atom: int, value: bool | None, *, released: bool = False) -> None:
        """Take in the state of an external atom: true, false, free (None), or released, which makes it false for ever."""
        if atom in self._supports or atom in self._unused or (atom in self._variable and atom not in self._open):
            return
        variable = self._literal(atom)
        self._externals.add(atom)
        self.assumed.pop(atom, None)
        if released:
            self._close(atom)
            self._clauses.append([-variable])
        elif value is not None:
            self.assumed[atom] = variable if value else -variable

    def taken(self) -> list[list[int]]:
        """Return the clauses of what came since the last call, with the atoms defined in it completed.

        Raises:
            EncodingError: The program is not tight, defines an atom twice, or has rules that clauses cannot express.
        """
        if self.refused:
            raise EncodingError(f"a SAT solver cannot be asked: the program has {self.refused}")
        # only by way of an external that is now defined can an atom of an earlier call need one of this call
        again = any(self._needs[atom] for atom in self._externals & self._supports.keys())
        looked_at = self._needs if again else {atom: self._needs[atom] for atom in self._supports}
        if (atom := on_cycle(looked_at)) is not None:
            raise NotTight(atom)
        for atom, supports in self._supports.items():
            if atom in self._variable:
                self._complete(self._variable[atom], supports)
                self._close(atom)
            else:
                self._unused[atom] = supports
        for atom in self._open - self._externals:
            self._clauses.append([-self._variable[atom]])
            self._open.discard(atom)
        self._supports = {}
        clauses, self._clauses = self._clauses, []
        return clauses

    def holds(self, literal: int, model: Set[int]) -> bool:
        """Return whether a literal of the ground program is true in a model, the set of true variables; 0 is always true."""
        atom = abs(literal)
        if atom in self._variable:
            true = self._variable[atom] in model
        else:
            bodies = (body for body, derives in self._unused.get(atom, ()) if derives)
            true = any(all((one in model) if one > 0 else (-one not in model) for one in body) for body in bodies)
        return literal == 0 or true == (literal > 0)

    def _literal(self, literal: int) -> int:
        atom = abs(literal)
        if atom not in self._variable:
            self._variable[atom] = self._new()
            if atom in self._unused:
                self._supports[atom] = self._unused.pop(atom)
            elif atom not in self._supports:
                self._open.add(atom)
        return self._variable[atom] if literal > 0 else -self._variable[atom]

    def _new(self) -> int:
        self.variables += 1
        return self.variables

    def _close(self, atom: int) -> None:
        self._open.discard(atom)
        self._externals.discard(atom)
        self.assumed.pop(atom, None)

    def _support(self, choice: bool, head: Sequence[int], body: tuple[int, ...], positive: list[int]) -> None:
        for atom in head:
            known = atom in self._unused or (atom in self._variable and atom not in self._open)
            if known and atom not in self._supports:
                self.refused = "an atom that is defined again later"
            if atom not in self._variable and not body and not choice and len(head) == 1:
                self._variable[atom] = TRUE
            others = () if choice else tuple(-self._literal(other) for other in head if other != atom)
            self._supports.setdefault(atom, []).append((tuple(sorted({*body, *others})), not choice))
            self._needs.setdefault(atom, []).extend(positive)

    def _complete(self, variable: int, supports: _Supports) -> None:
        """Say that an atom is true if and only if one of its bodies is."""
        if variable == TRUE:
            return
        only, derives = supports[0]
        if len(supports) == 1 and derives and len(only) > 1 and only not in self._conjunctions:
            self._conjoin(only, variable)
            return
        bodies = [(self._conjunction(body), derives) for body, derives in supports]
        self._clauses.append([-variable, *(body for body, _ in bodies)])
        self._clauses += ([-body, variable] for body, derives in bodies if derives)

    def _conjunction(self, literals: tuple[int, ...]) -> int:
        """Return a literal that is true if and only if all of these are."""
        if len(literals) <= 1:
            return literals[0] if literals else TRUE
        if literals not in self._conjunctions:
            self._conjoin(literals, self._new())
        return self._conjunctions[literals]

    def _conjoin(self, literals: tuple[int, ...], variable: int) -> None:
        self._conjunctions[literals] = variable
        self._clauses += ([-variable, literal] for literal in literals)
        self._clauses.append([variable, *(-literal for literal in literals)])

    def _sum(self, least: int, body: Sequence[tuple[int, int]]) -> int:
        """Return a literal that is true if and only if the weights of the literals that hold come to ``least``.

        Weights are positive (the grounder's rules are so). A node of the diagram says that the literals from the i-th on
        come to so much; ``higher`` is the node where the i-th holds, ``lower`` the one where it does not.
        """
        heaviest = sorted(((weight, self._literal(literal)) for literal, weight in body), reverse=True)
        if len({weight for weight, _ in heaviest}) == 1:
            few = -(-least // heaviest[0][0])
            if few > 0 and comb(len(heaviest), few) + comb(len(heaviest), few - 1) <= FEW_CLAUSES:
                return self._at_least(few, [literal for _, literal in heaviest])
        rest = list(accumulate((weight for weight, _ in reversed(heaviest)), initial=0))[::-1]
        wanted = [{least}]
        for (weight, _), left in zip(heaviest, rest, strict=False):
            wanted.append({to for at in wanted[-1] if 0 < at <= left for to in (at, at - weight)})
            if len(wanted[-1]) > MOST_NODES:
                self.refused = f"a sum of {len(body)} literals that is too large for clauses"
                return TRUE
        nodes: dict[int, int] = {}
        for i in range(len(heaviest), -1, -1):
            below, nodes = nodes, {}
            for at in wanted[i]:
                if at <= 0 or at > rest[i]:
                    nodes[at] = TRUE if at <= 0 else -TRUE
                else:
                    weight, literal = heaviest[i]
                    nodes[at] = self._node(literal, higher=below[at - weight], lower=below[at])
        return nodes[least]

    def _at_least(self, number: int, literals: Sequence[int]) -> int:
        """Return a literal that is true if and only if at least ``number`` of these are, without a diagram."""
        if number > len(literals):
            return -TRUE
        if number == 1 and len(literals) == 1:
            return literals[0]
        holds = self._new()
        self._clauses += ([holds, *(-one for one in chosen)] for chosen in combinations(literals, number))
        self._clauses += ([-holds, *rest] for rest in combinations(literals, len(literals) - number + 1))
        return holds

    def _node(self, literal: int, *, higher: int, lower: int) -> int:
        """Return a literal that is true if ``lower`` is, or if ``literal`` and ``higher`` are; lower implies higher."""
        if higher == lower:
            return lower
        if (higher, lower) == (TRUE, -TRUE):
            return literal
        key = literal, higher, lower
        if key not in self._nodes:
            holds = self._nodes[key] = self._new()
            self._clauses += [[-holds, higher], [-holds, literal, lower], [holds, -lower], [holds, -literal, -higher]]
        return self._nodes[key]


class NotTight(EncodingError):
    """Atoms of the ground program support each other in a circle; ``atom`` is the number of one."""

    def __init__(self, atom: int, name: str = "an atom") -> None:
        super().__init__(f"a SAT solver cannot be asked: the program is not tight, {name} depends on itself")
        self.atom = atom


def on_cycle(needs: dict[int, list[int]]) -> int | None:
    """Return an atom that supports itself by way of others, None if there is none (depth-first search)."""
    done: set[int] = set()
    for root in needs:
        if root in done:
            continue
        path = {root}
        stack: list[tuple[int, Iterator[int]]] = [(root, iter(needs[root]))]
        while stack:
            atom, below = stack[-1]
            for other in below:
                if other in path:
                    return other
                if other in needs and other not in done:
                    path.add(other)
                    stack.append((other, iter(needs[other])))
                    break
            else:
                stack.pop()
                path.discard(atom)
                done.add(atom)
    return None
