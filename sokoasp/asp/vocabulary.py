"""The public predicates of a game, and the bridge files that derive them in programs that say things otherwise."""

from __future__ import annotations

import tomllib
from collections.abc import Collection
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from sokoasp.asp.catalogue import Encoding, folder
from sokoasp.asp.statements import Signature, program_of


@dataclass(frozen=True, slots=True)
class Predicate:
    """One predicate that constraints may use."""

    name: str
    kinds: tuple[str, ...]
    """Of each argument: ``cell``, ``direction``, ``class`` (of pieces), ``time`` or ``number``."""
    meaning: str
    bridges: tuple[Path, ...]
    objectives: tuple[str, ...]
    """Where it can be had; empty: everywhere."""
    letters: tuple[str, ...]
    """What its meaning calls the arguments, where that is not plain by their kinds."""

    @property
    def signature(self) -> Signature:
        """Return name and number of arguments."""
        return self.name, len(self.kinds)


@cache
def vocabulary(game: str) -> dict[Signature, Predicate]:
    """Return the public predicates of a game, none if it keeps no list of them."""
    path = folder() / game / "vocabulary.toml"
    if not path.is_file():
        return {}
    found = {}
    for table in tomllib.loads(path.read_text(encoding="utf-8"))["predicate"]:
        one = Predicate(
            table["name"],
            tuple(table["args"]),
            table["meaning"],
            tuple(folder() / name for name in table.get("bridge", ())),
            tuple(table.get("objectives", ())),
            tuple(table.get("letters", ())),
        )
        found[one.signature] = one
    return found


def derived_throughout(encoding: Encoding) -> set[Signature]:
    """Return what a program derives for all times; what has a time and is derived in base only is there at the start only."""
    program = program_of(encoding.files)
    early = program.derived.get("base", set())
    late = {signature for part, found in program.derived.items() if part != "base" for signature in found}
    public = vocabulary(encoding.game)
    timed = {signature for signature in early if signature in public and "time" in public[signature].kinds}
    return late | (early if encoding.mode == "single" else early - timed)


def _understood(encoding: Encoding) -> set[Signature]:
    """Return what a program derives that means here what it means there: of a user's own, public predicates alone."""
    derived = derived_throughout(encoding)
    return derived & vocabulary(encoding.game).keys() if encoding.own else derived


def lacking(encoding: Encoding, wanted: Signature, in_facts: Collection[Signature]) -> set[Signature]:
    """Return what a program would have to derive itself so that a public predicate follows from it."""
    public = vocabulary(encoding.game)
    if wanted in in_facts or wanted in _understood(encoding):
        return set()
    needs = program_of(public[wanted].bridges[-1:]).needs if wanted in public else set()  # the last asks for the least
    if not needs or not needs <= public.keys():
        return {wanted}
    return set().union(*(lacking(encoding, need, in_facts) for need in needs))


def bridges(encoding: Encoding, wanted: Collection[Signature], in_facts: Collection[Signature]) -> tuple[Path, ...]:
    """Return the files to add so that the program derives what is wanted and not in the facts, in a fixed order."""
    known = set(in_facts) | _understood(encoding)
    added: list[Path] = []

    def add(signature: Signature, path: frozenset[Signature]) -> bool:
        if signature in known:
            return True
        predicate = vocabulary(encoding.game).get(signature)
        if predicate is None or signature in path:
            return False
        for bridge in predicate.bridges:
            before, length = set(known), len(added)
            program = program_of((bridge,))
            if encoding.mode == "single" and "step" in program.derived:
                continue  # that part is never grounded
            if all(add(need, path | {signature}) for need in sorted(program.needs)):
                known.update(program.heads)
                if bridge not in added:
                    added.append(bridge)
                return True
            known.intersection_update(before)
            del added[length:]
        return False

    for signature in sorted(wanted):
        add(signature, frozenset())
    return tuple(added)
