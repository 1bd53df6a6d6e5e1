"""The bracketed text of PDDL as words and groups, each with its place."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import NamedTuple

from sokoasp.core.errors import LevelError, NotationError, place_in

_TOKEN = re.compile(r";[^\n]*|[(),]|[^\s(),;]+")

MOST_DEEP = 100
"""Brackets within brackets."""


class Word(NamedTuple):
    """A name, a variable, a keyword or a number, in small letters: PDDL does not distinguish capitals."""

    text: str
    at: int
    """Offset in the file."""


class Group(NamedTuple):
    """What stands between two brackets."""

    items: tuple[Word | Group, ...]
    at: int
    """Offset of the opening bracket in the file."""

    @property
    def head(self) -> str:
        """Return the first word, or "" if the group does not begin with one."""
        first = self.items[0] if self.items else None
        return first.text if isinstance(first, Word) else ""


Expression = Word | Group


class NoSokoban(LevelError):
    """A planning task is no Sokoban, or none that a level can state; the message is the reason."""


@dataclass(frozen=True, slots=True)
class Source:
    """A PDDL file."""

    name: str
    text: str

    def fault(self, at: int, message: str) -> NotationError:
        """Return the error of a text that is no PDDL, with line and column."""
        line, column = place_in(self.text, at)
        return NotationError(message, source=self.name, line=line, column=column)

    def refusal(self, at: int, message: str) -> NoSokoban:
        """Return the error of PDDL that is no Sokoban, with line and column."""
        line, column = place_in(self.text, at)
        return NoSokoban(message, source=self.name, line=line, column=column)


def definition(source: Source, kind: str) -> tuple[Word, tuple[Group, ...]]:
    """Return the name and the sections of the ``domain`` or ``problem`` in a file.

    A file may hold both, one after the other, as ``translate --format pddl`` writes them.
    NotationError if the brackets do not match, or the file holds none of that kind, or more than one.
    """
    found = []
    for group in groups(source):
        title = group.items[1] if len(group.items) > 1 else None
        if group.head != "define" or not isinstance(title, Group) or title.head not in ("domain", "problem"):
            raise source.fault(group.at, "expected (define (domain NAME) ...) or (define (problem NAME) ...)")
        if title.head == kind:
            found.append((group, title))
    if not found:
        raise source.fault(0, f"no PDDL {kind}: nothing here begins with (define ({kind} NAME)")
    if len(found) > 1:
        raise source.fault(found[1][0].at, f"a second {kind}: a file holds one")
    group, title = found[0]
    if len(title.items) != 2 or not isinstance(title.items[1], Word):
        raise source.fault(title.at, f"expected ({kind} NAME)")
    sections = []
    for item in group.items[2:]:
        if not isinstance(item, Group) or not item.head.startswith(":"):
            raise source.fault(item.at, f"expected a section of the {kind}, such as (:{_FIRST[kind]} ...)")
        sections.append(item)
    return title.items[1], tuple(sections)


_FIRST = {"domain": "predicates", "problem": "init"}


def groups(source: Source) -> list[Group]:
    """Return the bracketed expressions of a file. Raises NotationError: brackets do not match, or text is outside."""
    found: list[Group] = []
    stack: list[tuple[int, list[Expression]]] = []
    for match in _TOKEN.finditer(source.text):
        token, at = match.group(), match.start()
        if token == "(":
            if len(stack) >= MOST_DEEP:
                raise source.fault(at, f"brackets nested more than {MOST_DEEP} deep")
            stack.append((at, []))
        elif token == ")":
            if not stack:
                raise source.fault(at, "this bracket closes nothing")
            began, items = stack.pop()
            group = Group(tuple(items), began)
            if stack:
                stack[-1][1].append(group)
            else:
                found.append(group)
        elif token == ",":
            raise source.fault(at, "a comma: PDDL separates names by blanks alone")
        elif token[0] != ";":
            if not stack:
                raise source.fault(at, f"{token!r} stands outside of all brackets")
            stack[-1][1].append(Word(token.lower(), at))
    if stack:
        raise source.fault(stack[-1][0], "this bracket is never closed")
    return found
