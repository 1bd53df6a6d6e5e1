"""Action schemas as sets of atoms, the forms of Sokoban that are known, and the search for one of them in a domain."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import permutations
from typing import NamedTuple


class Literal(NamedTuple):
    """A predicate (or a role of one) over parameters."""

    name: str
    args: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Schema:
    """An action: parameters in order, positive preconditions, added and deleted atoms."""

    parameters: tuple[str, ...]
    pre: frozenset[Literal]
    add: frozenset[Literal]
    delete: frozenset[Literal]

    def parts(self) -> Iterator[tuple[str, Literal]]:
        """Yield every literal with the part it stands in, in a fixed order."""
        for part in ("pre", "add", "delete"):
            for literal in sorted(getattr(self, part)):
                yield part, literal


def _schema(parameters: str, pre: str, add: str, delete: str) -> Schema:
    def atoms(text: str) -> frozenset[Literal]:
        words = [atom.split() for atom in text.split(",") if atom.strip()]
        return frozenset(Literal(name, tuple(args)) for name, *args in words)

    return Schema(tuple(parameters.split()), atoms(pre), atoms(add), atoms(delete))


@dataclass(frozen=True, slots=True)
class Form:
    """One way of stating Sokoban: its actions by what they do, and how it states goals."""

    name: str
    actions: Mapping[str, Schema]
    goal: str
    """``stones`` (each stone ``at-goal``), ``boxes`` (this box on that cell) or ``cells`` (a box on that cell)."""
    player_clears: bool
    """Whether the player's own cell counts as taken: ``clear`` means that nobody is there."""


_PUSH_PRE = "at p behind, at s from, clear to, beside behind from d, beside from to d"
_PUSH_ADD = "at p from, at s to, clear behind"
_PUSH_DELETE = "at p behind, at s from, clear to"
FORMS = (
    Form(
        "competitions of 2008 to 2014",
        {
            "move": _schema(
                "p from to d", "at p from, clear to, beside from to d", "at p to, clear from", "at p from, clear to"
            ),
            "push": _schema("p s behind from to d", f"{_PUSH_PRE}, plain to", _PUSH_ADD, f"{_PUSH_DELETE}, home s"),
            "push home": _schema("p s behind from to d", f"{_PUSH_PRE}, goal to", f"{_PUSH_ADD}, home s", _PUSH_DELETE),
        },
        "stones",
        True,
    ),
    Form(
        "learning track of 2023",
        {
            "move": _schema("from to d", "player from, clear to, beside from to d", "player to", "player from"),
            "push": _schema(
                "behind from to d s",
                "player behind, at s from, clear to, beside behind from d, beside from to d",
                "player from, at s to, clear from",
                "player behind, at s from, clear to",
            ),
        },
        "boxes",
        False,
    ),
    Form(
        "sokoasp translate --to pddl",
        {
            "move": _schema("from to d", "player from, beside from to d, clear to", "player to", "player from"),
            "push": _schema(
                "behind from to d",
                "player behind, box from, clear to, beside behind from d, beside from to d",
                "player from, clear from, box to",
                "player behind, box from, clear to",
            ),
        },
        "cells",
        False,
    ),
)
"""The forms that are known; predicates and parameters are roles, whatever the domain calls them."""


@dataclass(frozen=True, slots=True)
class Match:
    """A form found in a domain."""

    form: Form
    roles: Mapping[str, str]
    """Role of a predicate → its name in the domain."""
    actions: Mapping[str, str]
    """What an action does → its name in the domain."""
    parameters: Mapping[str, Mapping[str, str]]
    """What an action does → role of a parameter → its name there."""
    guards: Mapping[str, frozenset[Literal]]
    """What an action does → its other preconditions, all static and of one parameter."""


def find(schemas: Mapping[str, Schema], static: frozenset[str]) -> Match | None:
    """Return the form of Sokoban that the actions of a domain are, None if they are none.

    Args:
        schemas: The domain's actions by name.
        static: Predicates that no action changes; of one argument they may guard a parameter, as a type would.
    """
    for form in FORMS:
        if len(schemas) != len(form.actions):
            continue
        for names in permutations(sorted(schemas)):
            found = _all(form, dict(zip(form.actions, names, strict=True)), schemas, static)
            if found is not None:
                return found
    return None


def _all(form: Form, names: Mapping[str, str], schemas: Mapping[str, Schema], static: frozenset[str]) -> Match | None:
    """Match every action of a form with the one named, all under one set of roles."""
    order = list(names)

    def go(at: int, roles: dict[str, str], parameters: dict[str, dict[str, str]]) -> Match | None:
        if at == len(order):
            guards = {what: _rest(form.actions[what], schemas[names[what]], roles, parameters[what]) for what in order}
            return Match(form, roles, names, parameters, guards)
        what = order[at]
        for bound, more in _one(form.actions[what], schemas[names[what]], roles, static):
            found = go(at + 1, more, {**parameters, what: bound})
            if found is not None:
                return found
        return None

    return go(0, {}, {})


def _one(
    model: Schema, actual: Schema, roles: Mapping[str, str], static: frozenset[str]
) -> Iterator[tuple[dict[str, str], dict[str, str]]]:
    """Yield every reading of one action: role of a parameter → its name, role of a predicate → its name."""
    if len(model.parameters) != len(actual.parameters):
        return
    for chosen in permutations(actual.parameters):
        bound = dict(zip(model.parameters, chosen, strict=True))
        for found in _roles(list(model.parts()), actual, bound, dict(roles)):
            rest = _rest(model, actual, found, bound)
            if all(len(literal.args) == 1 and literal.name in static for literal in rest) and _same_effects(
                model, actual
            ):
                yield bound, found


def _same_effects(model: Schema, actual: Schema) -> bool:
    return len(model.add) == len(actual.add) and len(model.delete) == len(actual.delete)


def _roles(
    parts: list[tuple[str, Literal]], actual: Schema, bound: Mapping[str, str], roles: dict[str, str]
) -> Iterator[dict[str, str]]:
    """Yield every naming of the roles under which all literals of the model stand in the action."""
    if not parts:
        yield roles
        return
    (part, literal), *rest = parts
    args = tuple(bound[arg] for arg in literal.args)
    for candidate in sorted(getattr(actual, part)):
        if candidate.args != args:
            continue
        known = roles.get(literal.name)
        if known == candidate.name or (known is None and candidate.name not in roles.values()):
            yield from _roles(rest, actual, bound, {**roles, literal.name: candidate.name})


def _rest(model: Schema, actual: Schema, roles: Mapping[str, str], bound: Mapping[str, str]) -> frozenset[Literal]:
    """Return the preconditions of the action that the model does not have."""
    mapped = {Literal(roles[one.name], tuple(bound[arg] for arg in one.args)) for one in model.pre}
    return actual.pre - mapped
