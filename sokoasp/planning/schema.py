"""Action schemas as sets of atoms, the forms of Sokoban that are known, and the search for one of them in a domain."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import permutations
from typing import NamedTuple

from sokoasp.planning.formula import Atom, Compound, Formula
from sokoasp.planning.task import Action, PlanningTask

MOST_GUARDS = 20
"""Preconditions of an action beyond those of its form."""


class Literal(NamedTuple):
    """A predicate (or a role of one) over parameters."""

    name: str
    args: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Guard:
    """A condition on what one parameter may stand for, or on two that have to differ."""

    name: str
    """A predicate that no action changes, or ``=``."""
    args: tuple[str, ...]
    wanted: bool
    at: int


@dataclass(frozen=True, slots=True)
class Schema:
    """An action: parameters in order, positive preconditions, added and deleted atoms."""

    parameters: tuple[str, ...]
    pre: frozenset[Literal]
    add: frozenset[Literal]
    delete: frozenset[Literal]
    guards: tuple[Guard, ...] = ()

    def parts(self) -> Iterator[tuple[str, Literal]]:
        """Yield every literal with the part it stands in, in a fixed order."""
        for part in ("pre", "add", "delete"):
            for literal in sorted(getattr(self, part)):
                yield part, literal

    def without(self, part: str, literal: Literal) -> Schema:
        """Return the schema less one literal of ``pre``, ``add`` or ``delete``."""
        fewer = {part: getattr(self, part) - {literal}}
        return replace(self, **fewer)


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
        "sokoasp translate --format pddl",
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
    guards: Mapping[str, tuple[Guard, ...]]
    """What an action does → its conditions beyond the form's, each on one parameter, or that two differ."""


def schemas_of(task: PlanningTask) -> dict[str, Schema]:
    """Return the actions of a task as schemas.

    Raises:
        NoSokoban: A condition is no conjunction of atoms and guards; with the place.
    """
    changed = {atom.name for action in task.actions.values() for atom in (*action.adds, *action.deletes)}
    return {name: _as_schema(task, action, changed) for name, action in task.actions.items()}


def _as_schema(task: PlanningTask, action: Action, changed: Collection[str]) -> Schema:
    pre: set[Literal] = set()
    guards: list[Guard] = []
    for formula in _conjuncts(action.condition):
        inner, wanted = formula, True
        if isinstance(formula, Compound) and formula.what == "not":
            inner, wanted = formula.parts[0], False
        if (
            not isinstance(inner, Atom)
            or (inner.name == "=" and (wanted or len({*inner.terms}) < 2))
            or (not wanted and inner.name in changed)
        ):
            raise task.domain.refusal(
                formula.at, f"action {action.name} has a condition that no action of Sokoban has: {_told(formula)}"
            )
        if wanted:
            pre.add(Literal(inner.name, inner.terms))
        if inner.name not in changed and (inner.name == "=" or len(inner.terms) == 1):
            guards.append(Guard(inner.name, inner.terms, wanted, inner.at))
        elif not wanted:
            raise task.domain.refusal(formula.at, f"action {action.name} has a condition too many: (not {inner})")
    for atom in (
        *action.adds,
        *action.deletes,
        *(one for one in _conjuncts(action.condition) if isinstance(one, Atom)),
    ):
        if named := [term for term in atom.terms if not term.startswith("?")]:
            raise task.domain.refusal(
                atom.at, f"action {action.name} names the object {named[0]}, and none of Sokoban does"
            )
    add, delete = (
        frozenset(Literal(atom.name, atom.terms) for atom in atoms) for atoms in (action.adds, action.deletes)
    )
    return Schema(tuple(one.name for one in action.parameters), frozenset(pre), add, delete, tuple(guards))


def _told(formula: Formula) -> str:
    if isinstance(formula, Atom):
        return str(formula)
    if isinstance(formula, Compound) and formula.what == "not":
        return f"(not {_told(formula.parts[0])})"
    return f"({formula.what} ...)"


def _conjuncts(formula: Formula) -> Iterator[Formula]:
    if isinstance(formula, Compound) and formula.what == "and":
        for part in formula.parts:
            yield from _conjuncts(part)
    else:
        yield formula


def matches(schemas: Mapping[str, Schema]) -> Iterator[Match]:
    """Yield every way in which the actions of a domain are those of a form, none if they are no Sokoban.

    There may be several: which of two static predicates says that a cell is a goal, the actions alone do not always tell.
    """
    for form in FORMS:
        if len(schemas) == len(form.actions):
            for names in permutations(sorted(schemas)):
                yield from _all(form, dict(zip(form.actions, names, strict=True)), schemas)


def _all(form: Form, names: Mapping[str, str], schemas: Mapping[str, Schema]) -> Iterator[Match]:
    """Match every action of a form with the one named, all under one set of roles."""
    order = list(names)

    def go(at: int, roles: dict[str, str], parameters: dict[str, dict[str, str]]) -> Iterator[Match]:
        if at == len(order):
            guards = {what: _rest(form.actions[what], schemas[names[what]], roles, parameters[what]) for what in order}
            yield Match(form, roles, names, parameters, guards)
            return
        what = order[at]
        for bound, more in _one(form.actions[what], schemas[names[what]], roles):
            yield from go(at + 1, more, {**parameters, what: bound})

    yield from go(0, {}, {})


def _one(model: Schema, actual: Schema, roles: Mapping[str, str]) -> Iterator[tuple[dict[str, str], dict[str, str]]]:
    """Yield every reading of one action: role of a parameter → its name, role of a predicate → its name."""
    if [len(model.parameters), len(model.add), len(model.delete)] != [
        len(actual.parameters),
        len(actual.add),
        len(actual.delete),
    ] or len(actual.pre) > len(model.pre) + MOST_GUARDS:
        return
    guards = {Literal(guard.name, guard.args) for guard in actual.guards}
    for chosen in permutations(actual.parameters):
        bound = dict(zip(model.parameters, chosen, strict=True))
        for found in _roles(list(model.parts()), actual, bound, dict(roles)):
            if actual.pre - _mapped(model, found, bound) <= guards:
                yield bound, found


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


def _mapped(model: Schema, roles: Mapping[str, str], bound: Mapping[str, str]) -> set[Literal]:
    return {Literal(roles[one.name], tuple(bound[arg] for arg in one.args)) for one in model.pre}


def _rest(model: Schema, actual: Schema, roles: Mapping[str, str], bound: Mapping[str, str]) -> tuple[Guard, ...]:
    """Return the guards of the action that are no precondition of the model."""
    mapped = _mapped(model, roles, bound)
    return tuple(one for one in actual.guards if not one.wanted or Literal(one.name, one.args) not in mapped)


def difference(task: PlanningTask, schemas: Mapping[str, Schema]) -> tuple[int, str]:
    """Return where the actions of a domain leave the form of Sokoban that is nearest, and how: one atom where that is all."""
    if not schemas:
        return 0, "the domain has no actions"
    nearest = min(FORMS, key=lambda form: (len(_strangers(form, schemas)), abs(len(form.actions) - len(schemas))))
    strangers = _strangers(nearest, schemas)
    if not strangers:
        found = f"{len(schemas)} actions, which are not together those of one form of Sokoban"
        return next(iter(task.actions.values())).at, found
    action = task.actions[strangers[0]]
    actual = schemas[action.name]
    for model in nearest.actions.values():
        if len(actual.pre) > len(model.pre) + MOST_GUARDS:
            continue
        for part, literal in actual.parts():
            if any(_one(model, actual.without(part, literal), {})):
                told = f"action {action.name} has {_atom(part, literal)}, and would be Sokoban's without"
                return _place(action, part, literal), told
        for part, literal in model.parts():
            if any(_one(model.without(part, literal), actual, {})):
                return action.at, f"action {action.name} would be Sokoban's with {_atom(part, literal)} as well"
    return action.at, f"action {action.name} is that of no form of Sokoban"


def _atom(part: str, literal: Literal) -> str:
    atom = f"({' '.join((literal.name, *literal.args))})"
    return {"pre": f"the precondition {atom}", "add": f"the effect {atom}", "delete": f"the effect (not {atom})"}[part]


def _strangers(form: Form, schemas: Mapping[str, Schema]) -> list[str]:
    """Return the actions that are none of a form's."""
    return [
        name for name, one in schemas.items() if not any(any(_one(model, one, {})) for model in form.actions.values())
    ]


def _place(action: Action, part: str, literal: Literal) -> int:
    atoms = {"pre": _conjuncts(action.condition), "add": action.adds, "delete": action.deletes}[part]
    same = (one.at for one in atoms if isinstance(one, Atom) and (one.name, one.terms) == literal)
    return next(same, action.at)
