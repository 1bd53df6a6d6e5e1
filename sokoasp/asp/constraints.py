"""The user's own constraints and preferences: files added to a program, and faults that clingo would pass over in silence.

clingo grounds no part that nobody asks for, and takes an atom that nothing derives for false: a slip in a name would leave a
constraint out, and the answer would be one to another question. So would a cell that is none, a state that is not there yet,
or a constraint on the end of the plan that holds at every bound asked for on the way.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Set
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sokoasp.asp import clingo_api
from sokoasp.asp.catalogue import Encoding
from sokoasp.asp.program_text import program_text
from sokoasp.asp.statements import Program, Signature, Statement, Use, check_part, fault, meant, program_of
from sokoasp.asp.vocabulary import bridges, derived_throughout, lacking, vocabulary
from sokoasp.core.errors import EncodingError

DIRECTIONS = ("left", "right", "up", "down")
_SAYS_WHAT_IS_PRINTED = ("ShowSignature", "ShowTerm", "ProjectAtom", "ProjectSignature")
_GIVEN_NAME = re.compile(r"c\d+r\d+")
_NAME = re.compile(r"^([a-z_]\w*)\(", re.MULTILINE)
_BOX = re.compile(r"^box\((.+)\)\.", re.MULTILINE)
_LOOKS_LIKE_A_CELL = re.compile(r"[cr]\d+[cr]\d+")


@dataclass(frozen=True, slots=True)
class Wishes:
    """What the user's files ask for, once they are found to be in order."""

    encoding: Encoding
    """The program with the bridge files that the predicates used demand, and the tie-breaks."""
    preferences: bool
    """Whether there is something to be minimised."""
    priorities: tuple[int, ...]
    """Priorities of the user's own preferences, as far as they are plain numbers."""
    memoryless: bool
    """Whether they speak only of single states and single actions, so that no state need be visited twice."""


def check(
    paths: Iterable[Path],
    encoding: Encoding,
    facts: str,
    known: Mapping[str, Any],
    tie_breaks: Collection[Path] = (),
    numbers: Iterable[str] = (),
) -> Wishes:
    """Make sure that each file can be read, that all of it will be grounded, and that all of it can matter.

    A file that means to use an atom that nothing derives can declare it with ``#defined``.

    Args:
        paths: The user's files.
        encoding: The program they are added to.
        facts: The facts it will read.
        known: Names of the level's cells, and those of pieces with their classes; empty: not checked.
        tie_breaks: Files of our own that are added too.
        numbers: Names that clingo's options make numbers.

    Raises:
        EncodingError: A file is not text, or something in it would say nothing; with the place.
    """
    if encoding.index == "remaining":
        counts = "counts actions from the end, constraints count from the start"
        raise EncodingError(f"{encoding.name!r} {counts}: name another encoding, or none")
    theirs, ties, names = _read(paths, encoding), program_of(tuple(tie_breaks)), {*_NAME.findall(facts)}
    in_facts = {signature for signature in vocabulary(encoding.game) if signature[0] in names}
    wanted = {use.signature for one in theirs.statements for use in one.uses if not use.head}
    whole = encoding._replace(files=(*encoding.files, *bridges(encoding, wanted | ties.needs, in_facts), *tie_breaks))
    _check_ties(whole, in_facts, ties)
    classes = {name: kind for name, kind in known.items() if isinstance(kind, str)}
    cells, constants = known.keys() - classes.keys(), {*(one.node.name for one in theirs.definitions), *numbers}
    ours, boxes = program_of(whole.files), _BOX.findall(facts)
    checker = _Checker(whole, ours, theirs, names, cells, classes, constants, boxes)
    for one in theirs.statements:
        checker.look_at(one)
    checker.check_ends()
    preferences = _preferences(theirs, encoding)
    levels = {value: one.place for one in preferences for value in _values(one.node.priority, "")}
    if tie_breaks and (low := [place for level, place in levels.items() if level.startswith("-")]):
        raise fault(low[0], "priorities below 0 are those of --then: give preferences 0 or more")
    priorities = tuple(sorted((int(level) for level in levels if re.fullmatch(r"-?\d+", level)), reverse=True))
    return Wishes(whole, bool(tie_breaks or preferences), priorities, _memoryless(theirs))


def _preferences(theirs: Program, encoding: Encoding) -> list[Statement]:
    """Return what is to be minimised: by the user's files, and by an incremental program of the user's own."""
    wishes, own = (
        [one for one in program.statements if one.kind == "preference"]
        for program in (theirs, program_of(encoding.files))
    )
    if wishes and own and not encoding.own:
        itself = f"{encoding.name!r} minimises the number of actions itself: give preferences to another encoding"
        raise fault(wishes[0].place, itself)
    return wishes + own if encoding.own and encoding.mode == "incremental" else wishes


def _check_ties(whole: Encoding, in_facts: Set[Signature], ties: Program) -> None:
    """Refuse tie-breaks of our own over predicates that a program does not have: they would cost nothing, or forbid all."""
    missing = ties.needs - derived_throughout(whole) - in_facts
    lacks = set().union(*(lacking(whole, one, in_facts) for one in missing))
    if named := ", ".join(sorted(f"{name}/{count}" for name, count in lacks)):
        raise EncodingError(f"--then needs {named}, which {whole.name!r} does not derive")


def _read(paths: Iterable[Path], encoding: Encoding) -> Program:
    """Return what the files say."""
    theirs = Program()
    for path in paths:
        program_text(path)
        before = len(theirs.statements)
        theirs.take(path)
        kinds = {clingo_api.kind(one.node) for one in theirs.statements[before:]}
        if kinds.isdisjoint(("Rule", "Minimize", "Edge", "Heuristic")):
            raise EncodingError("there is no constraint, preference or rule in it", source=str(path))
    for node in theirs.programs:
        check_part(node, encoding.mode, f"{encoding.name!r} has")
    return theirs


@dataclass(frozen=True, slots=True)
class _Checker:
    """Refuses what would say nothing."""

    encoding: Encoding
    ours: Program
    theirs: Program
    in_facts: set[str]
    """Names of the predicates among the facts."""
    cells: Set[str]
    classes: Mapping[str, str]
    """Of each piece's name its class, as the facts write both."""
    numbers: Set[str]
    """Names that stand for numbers."""
    boxes: list[str]
    """The cells that boxes start on."""

    def look_at(self, statement: Statement) -> None:
        """Check one statement."""
        if clingo_api.kind(statement.node) in _SAYS_WHAT_IS_PRINTED:
            printed = "the program says what of a plan is printed and counted: leave #show and #project out"
            raise fault(statement.place, printed)
        for use in statement.uses:
            if use.head:
                self._check_head(use)
            elif use.name not in self.in_facts and use.signature not in self.theirs.declared | self.ours.declared:
                self._check_known(use)
            self._check_arguments(use)
        self._check_comparisons(statement)
        if self.cells:
            for name, place in _constants(statement.node):
                if _LOOKS_LIKE_A_CELL.fullmatch(name) and name not in self.cells and self._named_by_us:
                    raise fault(place, self._no_cell(name))

    @property
    def _named_by_us(self) -> bool:
        return all(map(_GIVEN_NAME.fullmatch, self.cells))

    def _check_head(self, use: Use) -> None:
        """Refuse to derive what the program derives: that would change the game."""
        name, count = use.signature
        if (name.lstrip("-"), count) in self.ours.heads | vocabulary(self.encoding.game).keys():
            raise fault(use.place, f"{name}/{count} belongs to the program: constraints may use it, not derive it")

    def _check_known(self, use: Use) -> None:
        """Refuse an atom that no part derives, or only parts that are grounded later."""
        name, count = use.signature
        heads = self.ours.heads | self.theirs.heads
        if use.signature not in heads:
            public = vocabulary(self.encoding.game)
            predicate = public.get(use.signature)
            facts = [one for one in public if one[0] in self.in_facts]
            needs = predicate and lacking(self.encoding, use.signature, facts) - {use.signature}
            if predicate and predicate.objectives and self.encoding.objective not in predicate.objectives:
                hint = f": it is for {', '.join(predicate.objectives)}"
            elif needs:
                hint = f", nor {', '.join(sorted(f'{one}/{n}' for one, n in needs))}, from which it follows"
            elif predicate and predicate.bridges and self.encoding.mode == "single":
                hint = ": it is added only to programs with a part step(t)"
            elif predicate:
                hint = ", which an encoding of your own has to derive under this name"
            else:
                hint = meant(f"{name}/{count}", heads | set(public))
            raise fault(use.place, f"nothing in {self.encoding.name!r} derives {name}/{count}{hint}")
        if use.part == "base" and not any(
            use.signature in one.derived.get("base", ()) for one in (self.ours, self.theirs)
        ):
            raise use.too_early()

    def _check_arguments(self, use: Use) -> None:
        """Refuse cells, directions and times that can never be."""
        predicate = vocabulary(self.encoding.game).get(use.signature)
        if predicate is None:
            return
        for letter, term in zip(predicate.letters, use.arguments, strict=False):
            for value in _values(term, use.parameter) if letter == "B" and self.boxes else ():
                if value in self.cells and value not in self.boxes:
                    raise fault(use.place, f"no box starts on {value}; there are {', '.join(self.boxes[:10])}")
        for kind, term in zip(predicate.kinds, use.arguments, strict=True):
            if kind == "time":
                if self.encoding.mode == "incremental":
                    _check_time(use, term)
                self._check_number(use, term)
            elif kind == "number":
                self._check_value(kind, term, use.parameter, use.place)
                self._check_number(use, term)
            else:
                self._check_value(kind, term, use.parameter, use.place)

    def _check_number(self, use: Use, term: Any) -> None:
        """Refuse a name where a number belongs: such an atom is never true. ``#const`` and clingo's -c make names numbers."""
        word = str(term)
        if re.fullmatch(r"[a-z]\w*", word) and word != use.parameter and word not in self.numbers:
            where = f"{word} is a name, and {use.name}/{len(use.arguments)} has a number there"
            raise fault(use.place, f"{where}: a variable begins with a capital letter")

    def _check_value(self, kind: str, term: Any, parameter: str, place: Any) -> None:
        if parameter and str(term) == parameter and (parameter in self.cells or kind != "cell" or self._named_by_us):
            clash = f"; call the part otherwise, such as step(now), to speak of the cell {parameter}"
            hint = clash if parameter in self.cells else ""
            raise fault(place, f"{parameter} is the number of the action here, not a {kind}{hint}")
        for value in _values(term, parameter):
            if kind == "direction" and value not in DIRECTIONS:
                raise fault(place, f"{value} is no direction: they are {', '.join(DIRECTIONS)}")
            if kind == "class" and self.classes.get(value) != value:
                there = f"the classes are {', '.join(sorted({*self.classes.values()}))}"
                if kind := self.classes.get(value, ""):
                    there = f"piece {value[1:-1]} is in class {kind}"
                raise fault(place, f"there is no class {value}: {there}")
            if kind == "cell" and self.cells and value not in self.cells:
                raise fault(place, self._no_cell(value))

    def _no_cell(self, value: str) -> str:
        """Say that there is no such cell, and how cells are called."""
        if not self._named_by_us:
            some = ", ".join(sorted(self.cells)[:3])
            return f"the level has no cell {value}; its own file calls them {some} …"
        numbers = [int(number) for number in re.findall(r"\d+", value)]
        meant = (
            f"; (row {numbers[0]}, column {numbers[1]}) is c{numbers[1] + 1}r{numbers[0] + 1}"
            if len(numbers) == 2
            else ""
        )
        return (
            f"the level has no floor cell {value}: a cell is called c, its column, r, its row, both counted from 1,"
            f" while answers print (row,column) from 0{meant}"
        )

    def _check_comparisons(self, statement: Statement) -> None:
        """Refuse to compare a variable that stands for a cell or direction with what is none."""
        kinds: dict[str, str] = {}
        for use in statement.uses:
            predicate = vocabulary(self.encoding.game).get(use.signature)
            for kind, term in zip(predicate.kinds if predicate else (), use.arguments, strict=False):
                if kind in ("cell", "direction", "class") and hasattr(term, "name") and not hasattr(term, "arguments"):
                    kinds[term.name] = kind
        for left, right in _comparisons(statement.node):
            for one, other in ((left, right), (right, left)):
                kind = kinds.get(getattr(one, "name", ""), "")
                if kind:
                    self._check_value(kind, other, statement.parameter, other.location.begin)

    def check_ends(self) -> None:
        """Refuse what speaks of the end of the plan without asking whether the plan ends there."""
        ending = {("query", 1)}
        rules = [one for one in self.theirs.statements if one.part == "check" and one.kind == "rule"]

        def asks(one: Statement) -> bool:
            return any(use.positive and use.signature in ending for use in one.uses)

        for _ in rules:
            open_heads = {use.signature for one in rules if not asks(one) for use in one.uses if use.head}
            ending |= {use.signature for one in rules for use in one.uses if use.head} - open_heads
        for one in self.theirs.statements:
            if one.part == "check" and one.kind != "rule" and not asks(one):
                message = (
                    f"a {one.kind} in part check holds at every bound asked for on the way: add query({one.parameter})"
                )
                raise fault(one.place, message)


def _check_time(use: Use, term: Any) -> None:
    """Refuse a time that is not there when the rule is grounded."""
    text = str(term).replace(" ", "").strip("()")
    if use.part == "base" and text != "0":
        message = f"part base knows the start only (time 0), not {use.name}/{len(use.arguments)} of time {text}"
        raise fault(use.place, f"{message}: this rule belongs under '#program step(t).'")
    if use.parameter and re.fullmatch(rf"{re.escape(use.parameter)}\+0*[1-9]\d*", text):
        message = f"state {text} is not there yet in part {use.part}: say it of {use.parameter} and {use.parameter}-1"
        raise fault(use.place, message)


def _values(term: Any, parameter: str) -> Iterator[str]:
    """Yield the values of a ground term as text; nothing if it is not ground, or stands for the part's parameter."""
    if clingo_api.kind(term) == "Pool":
        for one in term.arguments:
            yield from _values(one, parameter)
        return
    if any(name == parameter for name, _ in _constants(term)):
        return
    try:
        yield clingo_api.evaluated(str(term))
    except RuntimeError:
        return


def _constants(node: Any) -> Iterator[tuple[str, Any]]:
    """Yield every constant of a statement or term, with its place."""
    if clingo_api.kind(node) == "SymbolicTerm":
        yield str(node.symbol), node.location.begin
        return
    for _, child in clingo_api.children(node):
        yield from _constants(child)


def _comparisons(node: Any) -> Iterator[tuple[Any, Any]]:
    """Yield both sides of every comparison."""
    if clingo_api.kind(node) == "Comparison":
        left = node.term
        for guard in node.guards:
            yield left, guard.term
            left = guard.term
        return
    for _, child in clingo_api.children(node):
        yield from _comparisons(child)


_STATES = ("box_at", "player_at", "reach")
_ACTIONS = ("push", "moved_from", "left", "placed", "passes", "behind", "move", "query")
_REMEMBER = ("box_is", "pushed", "pushes_of", "first_box", "used", "last_box")


def _memoryless(theirs: Program) -> bool:
    """Return whether the files only forbid states, and actions in states; what they derive or count could remember more."""
    for one in theirs.statements:
        if one.part == "base":
            continue
        if one.kind != "constraint" or not all(map(_forgets, one.uses)):
            return False
        said = sum(name == one.parameter for name, _ in _constants(one.node))
        timed = [use for use in one.uses if use.name in (*_STATES, *_ACTIONS)]
        if said != len(timed):
            return False
    return True


def _forgets(use: Use) -> bool:
    """Return whether an atom is about the map, about the state before or after action t, or about that action."""
    if use.signature == ("box_at", 3):  # which box it is depends on all that was done before
        return False
    last = str(use.arguments[-1]).replace(" ", "").strip("()") if use.arguments else ""
    if use.name in _STATES:
        return last in (use.parameter, f"{use.parameter}-1")
    if use.name in _ACTIONS:
        return last == use.parameter
    return use.name not in _REMEMBER
