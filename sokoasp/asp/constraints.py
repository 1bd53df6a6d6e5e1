"""The user's own constraints: files that are added to a program, and what would make them say nothing without a word.

clingo grounds no part that nobody asks for, and takes an atom that nothing derives for false: a slip in a name would leave a
constraint out, and the answer would be one to another question.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from difflib import get_close_matches
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sokoasp.core.errors import EncodingError

if TYPE_CHECKING:
    from sokoasp.asp.catalogue import Encoding

PARTS = {"incremental": {"base": 0, "step": 1, "check": 1}, "single": {"base": 0}}
"""Mode of a program → the parts that are grounded, with the number of their parameters."""

Signature = tuple[str, int]


@dataclass(frozen=True, slots=True)
class _Use:
    """An atom in a body, and the part its rule is in."""

    atom: Signature
    part: str
    place: Any


@dataclass(slots=True)
class _Atoms:
    """What the statements read so far derive, by part, and what they use."""

    part: str = "base"
    derived: dict[str, set[Signature]] = field(default_factory=dict)
    declared: set[Signature] = field(default_factory=set)
    used: list[_Use] = field(default_factory=list)

    def read(self, node: Any) -> None:
        """Take in a statement."""
        from clingo.ast import ASTType

        if node.ast_type == ASTType.Program:
            self.part = node.name
        elif node.ast_type == ASTType.Defined:
            self.declared.add((node.name, node.arity))
        else:
            derived = self.derived.setdefault(self.part, set())
            for atom, place, in_head in _atoms(node, False):
                if in_head:
                    derived.add(atom)
                else:
                    self.used.append(_Use(atom, self.part, place))


def _atoms(node: Any, in_head: bool) -> Iterator[tuple[Signature, Any, bool]]:
    """Yield the atoms of a statement, where they stand, and whether it derives them."""
    from clingo.ast import AST, ASTSequence, ASTType

    if isinstance(node, ASTSequence):
        for one in node:
            yield from _atoms(one, in_head)
    elif isinstance(node, AST) and node.ast_type == ASTType.SymbolicAtom:
        symbol = node.symbol
        while symbol.ast_type == ASTType.UnaryOperation:
            symbol = symbol.argument
        if symbol.ast_type == ASTType.Function:
            yield (symbol.name, len(symbol.arguments)), symbol.location.begin, in_head
    elif isinstance(node, AST):
        external = node.ast_type == ASTType.External
        # the "condition" of such an element holds what it derives, and under what condition
        derives = node.ast_type == ASTType.HeadAggregateElement
        for key, child in node.items():
            if key != "location":
                below = derives or key not in ("condition", "body")
                yield from _atoms(child, key == "head" or (external and key == "atom") or (in_head and below))


def check(paths: Iterable[Path], encoding: Encoding, facts: str) -> None:
    """Make sure that each file can be read, that all of it will be grounded, and that all its atoms can come true.

    A file that means to use an atom that nothing derives can declare it with ``#defined``. Faults of syntax are left to the
    loading of the program, which tells their place.

    Raises:
        EncodingError: A file is not text, has a part that the program does not ground, or an atom it does not have.
    """
    atoms = _Atoms()

    def read(node: Any) -> None:
        _check_part(node, encoding)
        atoms.read(node)

    for path in encoding.files:
        atoms.part = "base"
        _parse(path, atoms.read)
    atoms.used.clear()
    for path in paths:
        atoms.part = "base"
        try:
            path.read_text(encoding="utf-8")  # clingo ends the process over a message that is not UTF-8
        except (OSError, UnicodeDecodeError) as error:
            raise EncodingError(f"cannot be read: {error}", source=str(path)) from error
        _parse(path, read)
    given = set(re.findall(r"\b([a-z_]\w*)\(", facts))
    for use in atoms.used:
        if use.atom[0] not in given and use.atom not in atoms.declared:
            _check_use(use, atoms.derived, encoding)


def _parse(path: Path, read: Callable[[Any], None]) -> None:
    from clingo import ast

    try:
        ast.parse_files([str(path)], read, logger=lambda _code, _message: None)
    except RuntimeError:
        return


def _check_part(node: Any, encoding: Encoding) -> None:
    from clingo.ast import ASTType

    known = PARTS[encoding.mode]
    if node.ast_type == ASTType.Program and known.get(node.name) != len(node.parameters):
        grounded = ", ".join(f"{name}(t)" if count else name for name, count in known.items())
        message = f"part {node.name}/{len(node.parameters)} is never grounded: {encoding.name!r} has {grounded}"
        raise _at(node.location.begin, message)


def _check_use(use: _Use, derived: dict[str, set[Signature]], encoding: Encoding) -> None:
    """Refuse an atom that no part derives, or only parts that are grounded later."""
    name, count = use.atom
    if not any(use.atom in atoms for atoms in derived.values()):
        known = set().union(*derived.values())
        near = get_close_matches(f"{name}/{count}", sorted(f"{n}/{k}" for n, k in known), 1)
        hint = f"; did you mean {near[0]}?" if near else ""
        raise _at(use.place, f"nothing in {encoding.name!r} derives {name}/{count}{hint}")
    if use.part == "base" and use.atom not in derived["base"]:
        message = f"nothing in part base derives {name}/{count}: this rule belongs under '#program step(t).'"
        raise _at(use.place, message)


def _at(place: Any, message: str) -> EncodingError:
    return EncodingError(message, source=place.filename, line=place.line, column=place.column)
