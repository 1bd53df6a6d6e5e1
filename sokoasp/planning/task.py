"""A planning task as its two files state it, before anything is recognised in it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from sokoasp.core.nearest import did_you_mean
from sokoasp.planning.formula import (
    Atom,
    Compound,
    Fact,
    Formula,
    Parameter,
    Vocabulary,
    check_types,
    read_formula,
    read_parameters,
    typed,
)
from sokoasp.planning.text import Expression, Group, Source, Word, definition


@dataclass(frozen=True, slots=True)
class Action:
    """An action: what it needs, what it makes true and false, and by how much it raises which function."""

    name: str
    parameters: tuple[Parameter, ...]
    condition: Formula
    adds: tuple[Atom, ...]
    deletes: tuple[Atom, ...]
    costs: Mapping[str, int]
    at: int


@dataclass(frozen=True, slots=True)
class PlanningTask:
    """A domain and a problem."""

    domain: Source
    problem: Source
    name: str
    words: Vocabulary
    actions: Mapping[str, Action]
    facts: frozenset[Fact]
    """What holds at the start."""
    goal: Formula
    metric: str | None
    """The function whose least value is asked for; None: the number of actions."""

    @property
    def changed(self) -> frozenset[str]:
        """Return the predicates that actions make true or false."""
        return frozenset(atom.name for action in self.actions.values() for atom in (*action.adds, *action.deletes))

    def cost(self, action: Action) -> int:
        """Return what an action costs in the task's metric."""
        return 1 if self.metric is None else action.costs.get(self.metric, 0)


def read_task(domain: Path, problem: Path) -> PlanningTask:
    """Read a domain and a problem file.

    Raises:
        NotationError: A file is no PDDL; with the place.
        NoSokoban: It has what no form of Sokoban has, such as durations; with the place.
    """
    return task_of(*(Source(str(path), path.read_text("utf-8-sig", errors="replace")) for path in (domain, problem)))


def task_of(domain: Source, problem: Source) -> PlanningTask:
    """Read a domain and a problem, see ``read_task``."""
    first, actions = _sections(domain, "domain")
    second, _ = _sections(problem, "problem")
    types = _types(domain, first.get(":types"))
    predicates = _declared(domain, first.get(":predicates"), types)
    functions = _declared(domain, first.get(":functions"), types)
    constants = dict(_objects(domain, first.get(":constants"), types, {}))
    words = Vocabulary(predicates, constants, types, functions)
    found: dict[str, Action] = {}
    for section in actions:
        action = _action(domain, section, words)
        if action.name in found:
            raise domain.fault(section.at, f"a second action {action.name}")
        found[action.name] = action
    objects = dict(_objects(problem, second.get(":objects"), types, constants))
    words = replace(words, objects=objects)
    if ":init" not in second or ":goal" not in second:
        raise problem.fault(0, f"the problem has no {':init' if ':init' not in second else ':goal'}")
    goal = second[":goal"]
    if len(goal.items) != 2:
        raise problem.fault(goal.at, "expected (:goal CONDITION)")
    return PlanningTask(
        domain,
        problem,
        definition(problem, "problem")[0].text,
        words,
        found,
        frozenset(_initial(problem, second[":init"], words)),
        read_formula(problem, goal.items[1], words, frozenset()),
        _metric(problem, second.get(":metric"), words),
    )


_KNOWN = {
    "domain": (":requirements", ":types", ":constants", ":predicates", ":functions"),
    "problem": (":domain", ":requirements", ":objects", ":init", ":goal", ":metric"),
}
_OTHER_KINDS = {
    ":durative-action": "an action that takes time",
    ":derived": "a derived predicate",
    ":axiom": "an axiom",
    ":constraints": "a constraint on the way",
    ":process": "a process",
    ":event": "an event",
    ":method": "a method",
    ":task": "a compound task",
    ":htn": "a task network",
}
"""Sections of PDDL that no form of Sokoban has."""


def _sections(source: Source, kind: str) -> tuple[dict[str, Group], list[Group]]:
    """Return the sections by name, and the actions apart."""
    found: dict[str, Group] = {}
    actions = []
    for section in definition(source, kind)[1]:
        name = section.head
        if name == ":action" and kind == "domain":
            actions.append(section)
        elif name in _OTHER_KINDS:
            raise source.refusal(section.at, f"{_OTHER_KINDS[name]}: no form of Sokoban has one")
        elif name not in _KNOWN[kind]:
            raise source.fault(section.at, f"a {kind} has no section {name}{did_you_mean(name, _KNOWN[kind])}")
        elif name in found:
            raise source.fault(section.at, f"a second section {name}")
        else:
            found[name] = section
    return found, actions


def _types(source: Source, section: Group | None) -> dict[str, tuple[str, ...]]:
    """Return each type with itself and all types above it."""
    above: dict[str, set[str]] = {"object": set()}
    for word, kinds in typed(source, section.items[1:] if section else ()):
        above.setdefault(word.text, set()).update(kind.text for kind in kinds)
        for kind in kinds:
            above.setdefault(kind.text, set())
    closed = {}
    for name in above:
        reached = [name]
        for one in reached:
            reached += [more for more in sorted(above[one]) if more not in reached]
        closed[name] = tuple(dict.fromkeys((*reached, "object")))
    return closed


def _declared(source: Source, section: Group | None, types: Mapping[str, tuple[str, ...]]) -> dict[str, int]:
    """Return the predicates or functions of a section, each with the number of its terms."""
    found: dict[str, int] = {}
    items = section.items[1:] if section else ()
    for at, item in enumerate(items):
        if isinstance(item, Group) and item.head:
            if item.head in found:
                raise source.fault(item.at, f"{item.head} is declared twice")
            found[item.head] = len(read_parameters(source, item.items[1:], types, used=False))
        elif not (section and section.head == ":functions" and at and isinstance(item, Word)):
            # functions alone may have a type: (f ?x) - number
            raise source.fault(item.at, "expected (NAME VARIABLES)")
    return found


def _objects(
    source: Source, section: Group | None, types: Mapping[str, tuple[str, ...]], before: Mapping[str, str]
) -> Iterator[tuple[str, str]]:
    """Yield objects with their types, those of the domain first."""
    yield from before.items()
    seen = set(before)
    for word, kinds in typed(source, section.items[1:] if section else ()):
        if word.text in seen:
            raise source.fault(word.at, f"a second object {word.text}")
        if word.text.startswith("?"):
            raise source.fault(word.at, f"{word.text} is a variable, not an object")
        if len(kinds) > 1:
            raise source.fault(kinds[0].at, "an object has one type")
        check_types(source, kinds, types)
        seen.add(word.text)
        yield word.text, kinds[0].text if kinds else "object"


def _initial(source: Source, section: Group, words: Vocabulary) -> Iterator[Fact]:
    """Yield what holds at the start."""
    objects = words.objects
    for item in section.items[1:]:
        if not isinstance(item, Group):
            raise source.fault(item.at, f"expected a fact in brackets, not {item.text!r}")
        if item.head == "=":
            named = item.items[1] if len(item.items) == 3 else None
            head = named.head if isinstance(named, Group) else named.text if named else ""
            words.function(source, item.at, head)  # what a cost begins with changes no plan
        elif item.head == "not" and len(item.items) == 2 and isinstance(item.items[1], Group):
            words.predicate(source, item.items[1])
        elif item.head == "at" and len(item.items) == 3 and isinstance(item.items[2], Group):
            raise source.refusal(item.at, "a fact that begins to hold later: no form of Sokoban has one")
        else:
            name = words.predicate(source, item)
            terms = tuple(one.text if isinstance(one, Word) else "" for one in item.items[1:])
            if not all(term in objects for term in terms):
                for one in item.items[1:]:
                    words.known(source, one)
            yield (name, *terms)


def _metric(source: Source, section: Group | None, words: Vocabulary) -> str | None:
    """Return the function that is to be least."""
    if section is None:
        return None
    said = section.items[1:]
    named = said[1] if len(said) == 2 else None
    if isinstance(named, Group) and len(named.items) == 1:
        named = named.items[0]
    if not isinstance(named, Word) or not isinstance(said[0], Word) or said[0].text != "minimize":
        raise source.refusal(section.at, "the metric is not to minimize one function of no terms")
    if named.text == "total-time" and named.text not in words.functions:
        raise source.refusal(section.at, "the metric asks for the least time: no form of Sokoban has durations")
    return words.function(source, named.at, named.text)


_PARTS = (":parameters", ":precondition", ":effect")
_OTHER_EFFECTS = ("when", "forall", "assign", "decrease", "scale-up", "scale-down")


def _action(source: Source, section: Group, words: Vocabulary) -> Action:
    """Read ``(:action NAME :parameters ... :precondition ... :effect ...)``."""
    name = section.items[1] if len(section.items) > 1 else None
    if not isinstance(name, Word) or name.text.startswith(":"):
        raise source.fault(section.at, "an action without a name")
    empty = Group((), section.at)
    parts: dict[str, Expression] = dict.fromkeys(_PARTS, empty)
    rest = section.items[2:]
    for key, value in zip(rest[::2], (*rest[1::2], None), strict=False):
        if not isinstance(key, Word) or key.text not in _PARTS:
            raise source.fault(key.at, "expected :parameters, :precondition or :effect")
        if parts[key.text] is not empty or value is None:
            raise source.fault(key.at, f"{key.text} {'stands here twice' if value else 'of what?'}")
        parts[key.text] = value
    listed, condition, effects = parts.values()
    if not isinstance(listed, Group):
        raise source.fault(listed.at, "expected the parameters in brackets")
    parameters = read_parameters(source, listed.items, words.types)
    bound = frozenset(one.name for one in parameters)
    adds: list[Atom] = []
    deletes: list[Atom] = []
    costs: dict[str, int] = {}
    for effect in _conjuncts(effects):
        head = effect.head if isinstance(effect, Group) else ""
        if head in _OTHER_EFFECTS:
            raise source.refusal(effect.at, f"an effect with {head}: no form of Sokoban has one")
        if isinstance(effect, Group) and head == "increase":
            raised, amount = _increase(source, effect, words)
            costs[raised] = costs.get(raised, 0) + amount
            continue
        read = read_formula(source, effect, words, bound)
        target = adds
        if isinstance(read, Compound) and read.what == "not":
            read, target = read.parts[0], deletes
        if not isinstance(read, Atom) or read.name == "=":
            raise source.fault(effect.at, "expected an effect: (PREDICATE ...), (not (PREDICATE ...)) or increase")
        target.append(read)
    read = read_formula(source, condition, words, bound)
    return Action(name.text, parameters, read, tuple(adds), tuple(deletes), costs, name.at)


def _increase(source: Source, effect: Group, words: Vocabulary) -> tuple[str, int]:
    """Return the function that an effect raises, and by how much."""
    named, amount = effect.items[1:] if len(effect.items) == 3 else (effect, effect)
    name = words.function(source, named.at, named.head if isinstance(named, Group) else named.text)
    if words.functions[name] or not isinstance(amount, Word) or not amount.text.isdecimal():
        raise source.refusal(effect.at, "a cost that is not a fixed whole number: it counts neither pushes nor moves")
    return name, int(amount.text)


def _conjuncts(expression: Expression) -> Iterator[Expression]:
    if isinstance(expression, Group) and (expression.head == "and" or not expression.items):
        for one in expression.items[1:]:
            yield from _conjuncts(one)
    else:
        yield expression
