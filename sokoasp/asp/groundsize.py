"""How large a program is when it is ground: atoms of each predicate, rules of each kind."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from sokoasp.asp import clingo_api
from sokoasp.asp.catalogue import Encoding
from sokoasp.asp.session import ClingoOptions, Session
from sokoasp.core.limits import Limits


@dataclass(frozen=True, slots=True)
class GroundSize:
    """The ground program of one bound."""

    bound: int
    atoms: dict[str, int]
    """Signature such as ``box_at/2`` → atoms that are true or may be."""
    facts: dict[str, int]
    """Those of them that are true whatever is chosen."""
    rules: dict[str, int]
    """``facts``, ``rules``, ``constraints``, ``choices``, ``disjunctions``, ``weights`` → how many the solver gets."""


def _kind(choice: bool, head: Sequence[int], body: Sequence[int]) -> str:
    if choice:
        return "choices"
    if not head:
        return "constraints"
    if len(head) > 1:
        return "disjunctions"
    return "rules" if body else "facts"


def ground_size(encoding: Encoding, facts: str, bound: int) -> GroundSize:
    """Ground a program up to a bound, solve nothing, and count; Ctrl-C and the limits of ``core.guard`` end it at once.

    Args:
        encoding: The program.
        facts: The problem's facts, with the tables the program wants; of a single program with its steps.
        bound: Actions that an incremental program is ground for.

    Raises:
        EncodingError: The program cannot be read or grounded.
    """
    rules: Counter[str] = Counter()
    ended = False

    def count(kind: str) -> None:
        if ended:  # nobody waits for this thread any more
            raise RuntimeError
        rules[kind] += 1

    observer = clingo_api.observer(
        rule=lambda choice, head, body: count(_kind(choice, head, body)),
        weight_rule=lambda choice, head, least, body: count("weights"),
    )
    session = Session(encoding, facts, ClingoOptions(arguments=("--warn=none",)), Limits().start())
    session.control.register_observer(observer)
    try:
        session.ground([("base", [])])
        if encoding.mode == "incremental":
            session.ground(clingo_api.steps(1, bound))
    finally:
        ended = True
    atoms: Counter[str] = Counter()
    certain: Counter[str] = Counter()
    for atom in session.control.symbolic_atoms:
        signature = f"{atom.symbol.name}/{len(atom.symbol.arguments)}"
        atoms[signature] += 1
        certain[signature] += atom.is_fact
    return GroundSize(bound, dict(atoms), {name: n for name, n in certain.items() if n}, dict(rules))
