"""Variants of a system: several programs under one name, and the same system without each of its ideas in turn."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

from sokoasp.asp import catalogue
from sokoasp.asp.statements import program_of
from sokoasp.bench.define.systems import How, Native, Programs, System
from sokoasp.core.errors import EncodingError
from sokoasp.core.nearest import did_you_mean

EACH = "each"
"""What stands in ``without`` of a system that comes once whole and once without each idea, beside what both go without."""


def split(encoding: str) -> list[str]:
    """Return the programs that a suite's ``encoding`` names, which take turns."""
    if encoding in catalogue.encodings() or Path(encoding).is_file():
        return [encoding]
    return encoding.split(",")


def missing(name: str) -> str:
    """Say that a name is no program's."""
    return (
        f"there is no encoding {name!r}, nor is it a file that ends with .lp{did_you_mean(name, catalogue.encodings())}"
    )


def asked_once(name: str, steps: int | str | None) -> dict[str, Any]:
    """Return how many steps a program that is solved once is asked for, the facts' own if none are given, and if it minimises."""
    with suppress(EncodingError):  # several programs, or one with a fault: it is told of before the first run
        program = catalogue.named(name)
        if program.mode == "single":
            kinds = {one.kind for one in program_of(program.files).statements}
            return {"steps": steps or "own", "fewest": "preference" in kinds}
    return {"fewest": False}


def ideas(how: Programs | Native) -> tuple[str, ...]:
    """Return the ideas of a system that can be left out: those of its programs, or the switches of the native search."""
    if isinstance(how, Native):
        from sokoasp.sokoban.search.model.options import FOR_ANY, SWITCHES

        return {"any": FOR_ANY, "reference": ()}.get(how.engine, SWITCHES)
    names = split(how.encoding) if how.encoding else []
    known = [catalogue.encodings()[name] for name in names if name in catalogue.encodings()]
    return tuple(dict.fromkeys(idea.name for encoding in known for idea in encoding.ideas))


def unknown_idea(how: How) -> str:
    """Say which idea a system goes without that it does not have, empty if it has them all."""
    if not isinstance(how, Programs | Native) or not (odd := set(how.without).difference(there := ideas(how), [EACH])):
        return ""
    who = f"the {how.engine} search" if isinstance(how, Native) else how.encoding or "a system without 'encoding'"
    return f"{who} has no idea named {min(odd)!r}, only {', '.join(there) or 'none'}"


def each(system: System) -> Iterator[System]:
    """Yield a system; one whose ``without`` is ``each`` whole, then without each idea."""
    how = system.how
    if not isinstance(how, Programs | Native) or EACH not in how.without:
        yield system
        return
    rest = tuple(name for name in how.without if name != EACH)
    whole = replace(how, without=rest)
    yield replace(system, how=whole)
    for idea in ideas(whole):
        if idea not in rest:
            part = replace(whole, without=(*rest, idea))
            yield replace(system, name=f"{system.name} without {idea}", how=part, base=system.name)


def program(text: str) -> dict[str, Any]:
    """Return the table of a system from a program's name (or names, or file) with clingo options after it.

    Raises EncodingError: there is no such program.
    """
    name, *options = text.split() or [""]
    names = split(name)
    for one in names:
        if one not in catalogue.encodings() and not (one.endswith(".lp") and Path(one).is_file()):
            raise EncodingError(missing(one))
    paths = [str(Path(one).resolve()) if one.endswith(".lp") else one for one in names]
    table: dict[str, Any] = {"name": text, "kind": "encoding", "encoding": ",".join(paths), "options": []}
    for word in options:
        if word.startswith("--configuration="):
            table["configuration"] = word.partition("=")[2]
        else:
            table["options"].append(word)
    return table


def objective_of(systems: Iterable[Mapping[str, Any]]) -> str:
    """Return what the first catalogued program of some systems counts; lines, if there is none."""
    names = (name for table in systems for name in split(table["encoding"]))
    known = (catalogue.encodings()[name].objective for name in names if name in catalogue.encodings())
    return next(known, "lines")
