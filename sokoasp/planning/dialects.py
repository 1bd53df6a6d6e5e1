"""PDDL as it is found: pddlgym's order of sections and its free action predicates, put into the order readers expect."""

from __future__ import annotations

import re
from collections.abc import Iterator

from sokoasp.core.errors import NotationError

Expression = str | list["Expression"]
_TOKEN = re.compile(r"[()]|[^\s()]+")
_ORDER = ("domain", ":domain", ":requirements", ":types", ":objects", ":constants", ":init", ":goal", ":metric")


def normal(domain: str, problem: str, names: tuple[str, str] = ("", "")) -> tuple[str, str, list[list[str]]]:
    """Return both texts without comments, sections in the usual order, free action predicates taken out, and the first facts.

    pddlgym names in a comment, ``; (:actions move)``, predicates that stand for the agent's choice and guard nothing. The plain
    atoms of ``:init`` are returned apart, as (predicate, objects …): unified-planning's reader takes a minute for 20,000.

    Raises:
        NotationError: See ``parse``; ``names`` are what the two are called.
    """
    free = set(" ".join(re.findall(r";\s*\(:actions\s+([^)]*)\)", domain)).lower().split())
    first, (head, name, *rest) = parse(domain, "domain", names[0]), parse(problem, "problem", names[1])
    second = _without([head, name, *sorted(rest, key=_rank)], free)
    facts: list[list[str]] = []
    for section in second if isinstance(second, list) else ():
        if isinstance(section, list) and section[:1] == [":init"]:
            facts += [[str(word) for word in one] for one in section[1:] if _is_atom(one)]
            section[1:] = [one for one in section[1:] if not _is_atom(one)]
    return write(_without(first, free)), write(second), facts


def _is_atom(expression: Expression) -> bool:
    plain = isinstance(expression, list) and all(isinstance(word, str) for word in expression)
    return plain and expression[:1] not in (["="], ["not"], [])


def _rank(section: Expression) -> int:
    name = section[0] if isinstance(section, list) and section else section
    return _ORDER.index(name) if name in _ORDER else len(_ORDER)


def _without(expression: Expression, free: set[str]) -> Expression:
    """Leave out atoms over free predicates and their declarations."""
    if isinstance(expression, str):
        return expression
    return [_without(e, free) for e in expression if not (isinstance(e, list) and e[:1] and e[0] in free)]


def parse(text: str, kind: str, source: str = "") -> list[Expression]:
    """Return the expression of a PDDL file, a ``domain`` or a ``problem``, as nested lists, in small letters.

    A file may hold both, one after the other, as ``translate --to pddl`` writes them.

    Raises:
        NotationError: The brackets do not match, or there is none of that kind; with the line.
    """
    stack: list[list[Expression]] = [[]]
    line = 1
    for line, token in _tokens(text):
        if token == "(":
            stack.append([])
        elif token == ")":
            if len(stack) == 1:
                raise NotationError("a closing bracket too many", source=source, line=line)
            done = stack.pop()
            stack[-1].append(done)
        else:
            stack[-1].append(token.lower())
    found = [one for one in stack[0] if isinstance(one, list)]
    if len(stack) > 1 or not found or len(found) < len(stack[0]):
        raise NotationError("not one bracketed expression", source=source, line=line)
    wanted = [one for one in found if one[:1] == ["define"] and [two[:1] for two in one[1:2]] == [[kind]]]
    if len(wanted) > 1 or len(found) > 2:
        raise NotationError(f"more than a domain and a problem: {len(found)} expressions", source=source, line=line)
    if not wanted:
        raise NotationError(f"no PDDL {kind}: it does not begin with (define ({kind} ...)", source=source, line=1)
    return wanted[0]


def _tokens(text: str) -> Iterator[tuple[int, str]]:
    for number, line in enumerate(text.splitlines(), 1):
        for token in _TOKEN.findall(line.partition(";")[0]):
            yield number, token


def write(expression: Expression) -> str:
    """Return an expression as text."""
    return expression if isinstance(expression, str) else f"({' '.join(map(write, expression))})"
