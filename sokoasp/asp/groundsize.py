"""How large a program is when it is ground: atoms of each predicate, rules of each kind."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import clingo

from sokoasp.asp.catalogue import Encoding
from sokoasp.core.errors import EncodingError


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


class _Counting(clingo.Observer):
    """Count what the grounder tells the solver."""

    def __init__(self) -> None:
        self.rules: Counter[str] = Counter()

    def rule(self, choice: bool, head: Sequence[int], body: Sequence[int]) -> None:
        self.rules[_kind(choice, head, body)] += 1

    def weight_rule(self, choice: bool, head: Sequence[int], lower: int, body: Sequence[tuple[int, int]]) -> None:
        self.rules["weights"] += 1


def _kind(choice: bool, head: Sequence[int], body: Sequence[int]) -> str:
    if choice:
        return "choices"
    if not head:
        return "constraints"
    if len(head) > 1:
        return "disjunctions"
    return "rules" if body else "facts"


def ground_size(encoding: Encoding, facts: str, bound: int) -> GroundSize:
    """Ground a program up to a bound, solve nothing, and count.

    Args:
        encoding: The program.
        facts: The problem's facts, with the tables the program wants; of a single program with its steps.
        bound: Actions that an incremental program is ground for.

    Raises:
        EncodingError: The program cannot be read or grounded.
    """
    messages: list[str] = []
    control = clingo.Control(["--warn=none"], logger=lambda code, text: messages.append(" ".join(text.split())))
    counting = _Counting()
    control.register_observer(counting)
    try:
        control.add("base", [], facts)
        for path in encoding.files:
            control.load(str(path))
        control.ground([("base", [])])
        if encoding.mode == "incremental":
            steps = [("step", [clingo.Number(t)]) for t in range(1, bound + 1)]
            control.ground([*steps, ("check", [clingo.Number(bound)])])
    except RuntimeError as error:
        raise EncodingError(next((text for text in messages if "error" in text), str(error))) from error
    atoms: Counter[str] = Counter()
    certain: Counter[str] = Counter()
    for atom in control.symbolic_atoms:
        signature = f"{atom.symbol.name}/{len(atom.symbol.arguments)}"
        atoms[signature] += 1
        certain[signature] += atom.is_fact
    return GroundSize(bound, dict(atoms), {name: n for name, n in certain.items() if n}, dict(counting.rules))
