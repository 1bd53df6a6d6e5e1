"""The forms of Sokoban that are known, by what their actions change, and the search for one of them in a domain.

Only predicates that actions change are compared. What else an action asks for says on which objects it may be carried out, and
``recognise`` looks at that object by object.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import permutations
from typing import NamedTuple

from sokoasp.planning.formula import Atom, Formula, atoms_of, conjuncts
from sokoasp.planning.task import Action, PlanningTask
from sokoasp.planning.text import NoSokoban


class Literal(NamedTuple):
    """A predicate, or a role of one, over parameters."""

    name: str
    args: tuple[str, ...]


class Schema(NamedTuple):
    """What an action needs, makes true and makes false, of what actions change."""

    needs: frozenset[Literal]
    adds: frozenset[Literal]
    deletes: frozenset[Literal]


def _schema(needs: str, adds: str, deletes: str = "") -> Schema:
    """Read a schema; where it does not say what is made false, that is all that is needed."""
    words = ((atom.split() for atom in part.split(",")) for part in (needs, adds, deletes or needs))
    return Schema(*(frozenset(Literal(name, tuple(args)) for name, *args in part) for part in words))


@dataclass(frozen=True, slots=True)
class Form:
    """One way of stating Sokoban; predicates and parameters are roles, whatever a domain calls them."""

    name: str
    actions: Mapping[str, Schema]
    goal: str
    """``stones`` (each stone ``home``), ``boxes`` (this box on that cell) or ``cells`` (a box on that cell)."""
    player_clears: bool
    """Whether the player's own cell counts as taken: ``clear`` means that nobody is there."""


_NEEDS, _ADDS = "at p behind, at s from, clear to", "at p from, at s to, clear behind"
_WALK = _schema("player from, clear to", "player to", "player from")
FORMS = (
    Form(
        "competitions of 2008 to 2014",
        {
            "move": _schema("at p from, clear to", "at p to, clear from"),
            "push": _schema(_NEEDS, _ADDS, f"{_NEEDS}, home s"),
            "push home": _schema(_NEEDS, f"{_ADDS}, home s"),
        },
        "stones",
        player_clears=True,
    ),
    Form(
        "learning track of 2023",
        {
            "move": _WALK,
            "push": _schema("player behind, at s from, clear to", "player from, at s to, clear from"),
        },
        "boxes",
        player_clears=False,
    ),
    Form(
        "sokoasp translate --format pddl",
        {
            "move": _WALK,
            "push": _schema("player behind, box from, clear to", "player from, box to, clear from"),
        },
        "cells",
        player_clears=False,
    ),
)


@dataclass(frozen=True, slots=True)
class Match:
    """A form found in a domain."""

    form: Form
    predicates: Mapping[str, str]
    """Role of a predicate → its name in the domain."""
    actions: Mapping[str, Action]
    """What an action does → the action."""
    parameters: Mapping[str, Mapping[str, str]]
    """What an action does → role of a parameter → its name there; ``d``, the direction, is the one that changes nothing."""
    conditions: Mapping[str, tuple[Formula, ...]]
    """What an action does → what it asks for beyond the form: nothing that actions change."""


def find(task: PlanningTask) -> Match:
    """Return the form that the actions of a task are of; NoSokoban, with an action's place, if they are of none."""
    schemas = {name: _schema_of(task, action) for name, action in task.actions.items()}
    for form in FORMS:
        for names in permutations(schemas, len(form.actions)) if len(schemas) == len(form.actions) else ():
            found = next(_together(form, names, task, {name: schemas[name][0] for name in schemas}), None)
            if found is not None:
                predicates, parameters = found
                actions = dict(zip(form.actions, names, strict=True))
                return Match(
                    form,
                    predicates,
                    {what: task.actions[name] for what, name in actions.items()},
                    parameters,
                    {what: schemas[name][1] for what, name in actions.items()},
                )
    raise _refused(task, {name: schema for name, (schema, _) in schemas.items()})


def _refused(task: PlanningTask, schemas: Mapping[str, Schema]) -> NoSokoban:
    """Return the refusal of actions that are of no form: the first that is none of Sokoban's by itself, if one is."""
    models = [model for form in FORMS for model in form.actions.values()]
    for name, schema in schemas.items():
        if not any(any(_readings(model, schema, task.actions[name], {})) for model in models):
            return task.domain.refusal(task.actions[name].at, f"action {name} is that of no form of Sokoban known here")
    at = next((action.at for action in task.actions.values()), 0)
    return task.domain.refusal(at, f"its {len(schemas)} actions are not together those of one form of Sokoban")


def _schema_of(task: PlanningTask, action: Action) -> tuple[Schema, tuple[Formula, ...]]:
    """Return what an action needs and does of what actions change, and its other conditions."""
    changed, needs, others = task.changed, [], []
    for condition in conjuncts(action.condition):
        if not any(atom.name in changed for atom in atoms_of(condition)):
            others.append(condition)
        elif isinstance(condition, Atom):
            needs.append(condition)
        else:
            told = f"action {action.name} has a condition that no action of Sokoban has: ({condition.what} ...)"
            raise task.domain.refusal(condition.at, told)
    for atom in (*needs, *action.adds, *action.deletes):
        if named := [term for term in atom.terms if not term.startswith("?")]:
            raise task.domain.refusal(
                atom.at, f"action {action.name} names the object {named[0]}, and none of Sokoban does"
            )
    parts = (frozenset(Literal(one.name, one.terms) for one in part) for part in (needs, action.adds, action.deletes))
    return Schema(*parts), tuple(others)


_Names = dict[str, str]


def _together(
    form: Form, names: tuple[str, ...], task: PlanningTask, schemas: Mapping[str, Schema]
) -> Iterator[tuple[_Names, dict[str, _Names]]]:
    """Yield every naming of a form's predicates and parameters under which its actions are these, in this order."""
    order = list(zip(form.actions, names, strict=True))

    def go(at: int, predicates: _Names, parameters: dict[str, _Names]) -> Iterator[tuple[_Names, dict[str, _Names]]]:
        if at == len(order):
            yield predicates, parameters
            return
        what, name = order[at]
        for more, bound in _readings(form.actions[what], schemas[name], task.actions[name], predicates):
            yield from go(at + 1, more, {**parameters, what: bound})

    return go(0, {}, {})


def _readings(model: Schema, actual: Schema, action: Action, known: _Names) -> Iterator[tuple[_Names, _Names]]:
    """Yield every naming of predicates and parameters under which an action is the model."""
    if [len(part) for part in model] != [len(part) for part in actual]:
        return
    pairs = [(literal, sorted(there)) for part, there in zip(model, actual, strict=True) for literal in sorted(part)]

    def go(at: int, predicates: _Names, bound: _Names) -> Iterator[tuple[_Names, _Names]]:
        if at == len(pairs):
            rest = [one.name for one in action.parameters if one.name not in bound.values()]
            if len(rest) == 1:
                yield predicates, {**bound, "d": rest[0]}
            return
        literal, there = pairs[at]
        for candidate in there:
            more = _named(predicates, (literal.name,), (candidate.name,))
            within = _named(bound, literal.args, candidate.args)
            if more is not None and within is not None:
                yield from go(at + 1, more, within)

    yield from go(0, known, {})


def _named(known: _Names, roles: tuple[str, ...], names: tuple[str, ...]) -> _Names | None:
    """Return what is known with these names added, None if a role has another name or a name another role."""
    found = dict(known)
    if len(roles) != len(names):
        return None
    for role, name in zip(roles, names, strict=True):
        if role not in found and name in found.values():
            return None
        if found.setdefault(role, name) != name:
            return None
    return found
