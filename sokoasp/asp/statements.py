"""What the statements of a logic program derive and use: enough of its syntax to know what a rule is about."""

from __future__ import annotations

import atexit
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

from sokoasp.asp import clingo_api
from sokoasp.asp.program_text import with_question
from sokoasp.core.errors import EncodingError
from sokoasp.core.nearest import did_you_mean

Signature = tuple[str, int]
_INCMODE = re.compile(r"^\s*#include\s*<incmode>", re.MULTILINE)
"""clingo declares query(t) itself for a program with this line; the session does it here."""


PARTS = {"incremental": {"base": 0, "step": 1, "check": 1}, "single": {"base": 0}}
"""Mode of a program → the parts that are grounded, with the number of their parameters."""


def fault(place: Any, message: str) -> EncodingError:
    """Return the error of a fault at a place of clingo's syntax tree."""
    return EncodingError(message, source=place.filename, line=place.line, column=place.column)


def check_part(node: Any, mode: str, who: str) -> None:
    """Refuse a ``#program`` statement whose part is never grounded; ``who`` has which parts is told."""
    known = PARTS[mode]
    if known.get(node.name) != len(node.parameters):
        grounded = ", ".join(f"{name}(t)" if count else name for name, count in known.items())
        raise fault(node.location.begin, f"part {node.name}/{len(node.parameters)} is never grounded: {who} {grounded}")


def meant(name: str, known: Iterable[Signature]) -> str:
    """Return the words that ask for a near one of the known signatures, empty if there is none; ``name`` is ``push/4``, say."""
    if name[0] == "-":
        return f"; did you mean 'not {name[1:]}'?"
    return did_you_mean(name, sorted(f"{n}/{k}" for n, k in known))


@dataclass(frozen=True, slots=True)
class Use:
    """An atom of a statement: where it stands, in which part, and whether it is derived there."""

    name: str
    arguments: tuple[Any, ...]
    """Terms of clingo's syntax tree."""
    part: str
    parameter: str
    """Name of the part's parameter, empty if it has none."""
    place: Any
    head: bool
    positive: bool
    """Whether it stands in the body as a plain positive literal, so that the rule says nothing unless it is true."""

    @property
    def signature(self) -> Signature:
        """Return name and number of arguments."""
        return self.name, len(self.arguments)

    def too_early(self) -> EncodingError:
        """Return the error of an atom in part base that only later parts derive."""
        what = f"nothing in part base derives {self.name}/{len(self.arguments)}"
        return fault(self.place, f"{what}: this rule belongs under '#program step(t).'")


@dataclass(frozen=True, slots=True)
class Statement:
    """A rule or a weak constraint, with its atoms."""

    node: Any
    part: str
    parameter: str
    place: Any
    kind: str
    """``constraint``, ``preference`` or ``rule``."""
    uses: tuple[Use, ...]


@dataclass(slots=True)
class Program:
    """What a list of files derives, by part, and its statements."""

    part: str = "base"
    parameter: str = ""
    derived: dict[str, set[Signature]] = field(default_factory=dict)
    declared: set[Signature] = field(default_factory=set)
    statements: list[Statement] = field(default_factory=list)
    programs: list[Any] = field(default_factory=list)
    """The ``#program`` statements."""

    @property
    def definitions(self) -> list[Statement]:
        """Return the ``#const`` statements."""
        return [one for one in self.statements if clingo_api.kind(one.node) == "Definition"]

    @property
    def heads(self) -> set[Signature]:
        """Return everything that some part derives."""
        return set().union(*self.derived.values())

    @property
    def needs(self) -> set[Signature]:
        """Return everything that a body uses and no part derives."""
        used = {use.signature for one in self.statements for use in one.uses if not use.head}
        return used - self.heads - self.declared

    def add(self, other: Program) -> None:
        """Take in what another program derives and says."""
        for part, found in other.derived.items():
            self.derived.setdefault(part, set()).update(found)
        self.declared |= other.declared
        self.statements += other.statements
        self.programs += other.programs

    def load(self, path: Path) -> str:
        """Take in a file and return why it cannot be read, empty if it can."""
        self.part, self.parameter = "base", ""
        messages: list[str] = []
        try:
            clingo_api.read(str(path), self._read, lambda _code, text: messages.append(text))
        except RuntimeError as error:
            return with_question(" ".join(next((text for text in messages if "error" in text), str(error)).split()))
        files = {path, *(Path(one.place.filename) for one in self.statements if one.place)}  # with what it includes
        if any(_INCMODE.search(one.read_text("utf-8", "replace")) for one in files if one.is_file()):
            self.declared.add(("query", 1))
        return ""

    def take(self, path: Path) -> None:
        """Take in a file; EncodingError with the place of the fault if it cannot be read."""
        if wrong := self.load(path):
            inside = wrong.startswith(f"{path}:")
            raise EncodingError(
                wrong if inside else f"in what it includes: {wrong}", source="" if inside else str(path)
            )

    def _read(self, node: Any) -> None:
        if clingo_api.kind(node) == "Program":
            self.part, self.parameter = node.name, "".join(one.name for one in node.parameters[:1])
            self.programs.append(node)
            return
        if clingo_api.kind(node) == "Defined":
            self.declared.add(("-" * (not node.positive) + node.name, node.arity))
            return
        if clingo_api.kind(node) == "Comment":
            return
        uses = tuple(
            Use(name, arguments, self.part, self.parameter, place, head, positive)
            for name, arguments, place, head, positive in _atoms(node, False, True)
        )
        self.derived.setdefault(self.part, set()).update(use.signature for use in uses if use.head)
        begin = node.location.begin if hasattr(node, "location") else None
        self.statements.append(Statement(node, self.part, self.parameter, begin, _kind(node), uses))


_Stamped = tuple[Path, int, int]
"""A file, when it was changed and how long it is: one that is written anew is read anew."""


def program_of(files: Iterable[Path]) -> Program:
    """Return what these files derive and use together."""
    return _together(tuple((path, path.stat().st_mtime_ns, path.stat().st_size) for path in files))


@cache
def _together(files: tuple[_Stamped, ...]) -> Program:
    program = Program()
    for file in files:
        program.add(_program_in(file))
    return program


@cache
def _program_in(file: _Stamped) -> Program:
    """Return what one file derives and uses: a question about constraints looks at most files three times."""
    program = Program()
    program.load(file[0])
    return program


for cached in (_together, _program_in):
    atexit.register(cached.cache_clear)  # clingo's nodes cannot be freed any more once its module is gone


def rules_of(paths: Iterable[Path]) -> dict[str, tuple[str, str]]:
    """Return the rules of some files as clingo writes them, each after its part (if not base), with their places.

    They stand under the same text with variables numbered as they come: rules that differ in names alone are the same.
    """
    found = {}
    for one in program_of(paths).statements:
        if one.place is None or clingo_api.kind(one.node) == "ShowSignature":
            continue
        text = f"{one.node}" if one.part == "base" else f"{one.part}: {one.node}"
        names: dict[str, str] = {}
        key = re.sub(r"\b_*[A-Z]\w*", lambda name, names=names: names.setdefault(name[0], f"V{len(names)}"), text)  # type: ignore[misc]
        found[key] = (text, f"{Path(one.place.filename).name}:{one.place.line}")
    return found


def redefined(paths: Iterable[Path], atom: str) -> EncodingError:
    """Return the error of an atom that is derived in one part after a later one has closed it, with the rule that does so."""
    name, statements = atom.partition("(")[0], program_of(paths).statements
    heads = [use for one in statements for use in one.uses if use.head and use.parameter and use.arguments]
    late = [use for use in heads if str(use.arguments[-1]) != use.parameter]
    late.sort(key=lambda use: use.name != name)  # clingo may name an atom of its own
    what = "an atom" if atom == "_" else atom
    message = f"redefinition of {what}, which an earlier step has closed"
    if not late:
        return EncodingError(message)
    use = late[0]
    usual = f"a rule of part {use.part}({use.parameter}) should derive atoms of {use.parameter} alone"
    here = f"this one derives {use.name}/{len(use.arguments)} of {use.arguments[-1]}"
    return fault(use.place, f"{message}; {usual}, {here}")


_WITHOUT_ATOMS = {
    "Comparison",
    "Variable",
    "SymbolicTerm",
    "Function",
    "BinaryOperation",
    "Interval",
    "BooleanConstant",
}
"""Terms, and what compares them: going into them takes most of the time."""


def _kind(node: Any) -> str:
    if clingo_api.kind(node) == "Minimize":
        return "preference"
    if clingo_api.kind(node) == "Rule" and str(node.head) == "#false":
        return "constraint"
    return "rule"


def _atoms(node: Any, in_head: bool, plain: bool) -> Iterator[tuple[str, tuple[Any, ...], Any, bool, bool]]:
    """Yield name, arguments and place of each atom, whether it is derived, and whether it is a plain positive literal."""
    kind = clingo_api.kind(node)
    if kind == "SymbolicAtom":
        yield from _named(node.symbol, in_head, plain)
        return
    if kind in _WITHOUT_ATOMS:
        return
    # the "condition" of such an element holds what it derives, and under what condition
    derives = kind == "HeadAggregateElement"
    kept = kind in ("", "Rule", "Minimize", "External", "ShowTerm")
    literal = kind == "Literal" and clingo_api.positive(node)
    for key, child in clingo_api.children(node):
        below = derives or key not in ("condition", "body")
        inside = plain and (kept or (literal and key == "atom"))
        head = key == "head" or (kind == "External" and key == "atom") or (in_head and below)
        yield from _atoms(child, head, inside)


def _named(symbol: Any, in_head: bool, plain: bool) -> Iterator[tuple[str, tuple[Any, ...], Any, bool, bool]]:
    """Yield the atoms of a name, several when its arguments are a pool; a classical negation is a name of its own."""
    sign = ""
    while clingo_api.kind(symbol) == "UnaryOperation":
        sign, symbol = "" if sign else "-", symbol.argument
    if clingo_api.kind(symbol) == "Pool":
        for one in symbol.arguments:
            yield from ((sign + name, *rest) for name, *rest in _named(one, in_head, plain))
    elif clingo_api.kind(symbol) == "Function":
        yield sign + symbol.name, tuple(symbol.arguments), symbol.location.begin, in_head, plain and not in_head
