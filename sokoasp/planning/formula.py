"""Conditions of PDDL: how they are read, and whether they hold in a state."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import product

from sokoasp.core.nearest import did_you_mean
from sokoasp.planning.text import Expression, Group, Source, Word

Fact = tuple[str, ...]
"""A predicate and the objects it holds of."""


@dataclass(frozen=True, slots=True)
class Atom:
    """A predicate, or ``=``, over variables (which begin with ``?``) and objects."""

    name: str
    terms: tuple[str, ...]
    at: int

    def ground(self, binding: Mapping[str, str]) -> Fact:
        """Return the fact that the atom states under a binding of its variables."""
        return (self.name, *(binding.get(term, term) for term in self.terms))

    def __str__(self) -> str:
        return f"({' '.join((self.name, *self.terms))})"


@dataclass(frozen=True, slots=True)
class Compound:
    """``and``, ``or``, ``not`` or ``imply`` of conditions."""

    what: str
    parts: tuple[Formula, ...]
    at: int


@dataclass(frozen=True, slots=True)
class Quantified:
    """``forall`` or ``exists``: a condition for each, or for some, object of the variables' types."""

    what: str
    variables: tuple[Parameter, ...]
    body: Formula
    at: int

    def bindings(self, outer: Mapping[str, str], of_types: OfTypes) -> Iterator[dict[str, str]]:
        """Yield the outer binding with every choice of objects for the variables."""
        for chosen in product(*(sorted(of_types(one.types)) for one in self.variables)):
            yield {**outer, **dict(zip((one.name for one in self.variables), chosen, strict=True))}


Formula = Atom | Compound | Quantified


def conjuncts(formula: Formula) -> Iterator[Formula]:
    """Yield the conditions that all have to hold."""
    if isinstance(formula, Compound) and formula.what == "and":
        for part in formula.parts:
            yield from conjuncts(part)
    else:
        yield formula


def atoms_of(formula: Formula) -> Iterator[Atom]:
    """Yield the atoms of a condition."""
    if isinstance(formula, Atom):
        yield formula
    else:
        for part in (formula.body,) if isinstance(formula, Quantified) else formula.parts:
            yield from atoms_of(part)


@dataclass(frozen=True, slots=True)
class Parameter:
    """A variable and its types, of which an object needs one."""

    name: str
    types: tuple[str, ...]
    at: int


OfTypes = Callable[[tuple[str, ...]], frozenset[str]]
"""The objects of any of these types."""


def holds(formula: Formula, facts: Collection[Fact], binding: Mapping[str, str], of_types: OfTypes) -> bool:
    """Return whether a condition holds where these facts do, and no others."""
    if isinstance(formula, Atom):
        fact = formula.ground(binding)
        return fact[1] == fact[2] if formula.name == "=" else fact in facts
    if isinstance(formula, Quantified):
        test = all if formula.what == "forall" else any
        return test(holds(formula.body, facts, inner, of_types) for inner in formula.bindings(binding, of_types))
    parts = (holds(part, facts, binding, of_types) for part in formula.parts)
    if formula.what in ("and", "or"):
        return all(parts) if formula.what == "and" else any(parts)
    first = next(parts)
    return not first if formula.what == "not" else not first or next(parts)


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """The names that a domain, and its problem, declare."""

    predicates: Mapping[str, int]
    """Predicate → how many terms it takes."""
    objects: Mapping[str, str]
    """Object → its type."""
    types: Mapping[str, tuple[str, ...]]
    """Type → itself and all types above it."""
    functions: Mapping[str, int]
    """Function → how many terms it takes."""

    def of_types(self, types: tuple[str, ...]) -> frozenset[str]:
        """Return the objects of any of these types."""
        return frozenset(name for name in self.objects if self.is_of(name, types))

    def is_of(self, name: str, types: tuple[str, ...]) -> bool:
        """Return whether an object is of one of these types."""
        return name in self.objects and not set(types).isdisjoint(self.types[self.objects[name]])

    def predicate(self, source: Source, group: Group) -> str:
        """Return the predicate of an atom; NotationError if it is unknown, or takes another number of terms."""
        name, terms = group.head, len(group.items) - 1
        if name not in self.predicates:
            at = group.items[0].at if group.items else group.at
            raise source.fault(at, f"there is no predicate {name!r}{did_you_mean(name, self.predicates)}")
        if terms != self.predicates[name]:
            raise source.fault(group.at, f"{name} takes {self.predicates[name]} terms, not {terms}")
        return name

    def function(self, source: Source, at: int, name: str) -> str:
        """Return a function's name. Raises NotationError: there is no such function."""
        if name not in self.functions:
            raise source.fault(at, f"there is no function {name!r}{did_you_mean(name, self.functions)}")
        return name

    def known(self, source: Source, word: Expression, variables: Iterable[str] = ()) -> str:
        """Return a term: a variable that is bound here, or an object; NotationError if it is neither."""
        if not isinstance(word, Word):
            raise source.fault(word.at, "expected an object or a variable")
        if word.text.startswith("?"):
            if word.text not in variables:
                raise source.fault(word.at, f"nothing binds the variable {word.text}")
        elif word.text not in self.objects:
            raise source.fault(word.at, f"there is no object {word.text!r}{did_you_mean(word.text, self.objects)}")
        return word.text


def read_formula(source: Source, expression: Expression, words: Vocabulary, variables: frozenset[str]) -> Formula:
    """Read a condition; NotationError, with the place, if it is none or names what was not declared."""
    if not isinstance(expression, Group):
        raise source.fault(expression.at, f"expected a bracketed condition, not {expression.text!r}")
    what, rest, at = expression.head, expression.items[1:], expression.at
    if not expression.items:
        return Compound("and", (), at)
    if what in _PARTS:
        if _PARTS[what] not in (None, len(rest)):
            raise source.fault(at, f"{what} takes {_PARTS[what]} conditions, not {len(rest)}")
        return Compound(what, tuple(read_formula(source, one, words, variables) for one in rest), at)
    if what in ("forall", "exists"):
        if len(rest) != 2 or not isinstance(rest[0], Group):
            raise source.fault(at, f"expected ({what} (VARIABLES) CONDITION)")
        bound = read_parameters(source, rest[0].items, words.types)
        inner = variables | {one.name for one in bound}
        return Quantified(what, bound, read_formula(source, rest[1], words, inner), at)
    if what == "=":
        if len(rest) != 2:
            raise source.fault(at, f"= takes 2 terms, not {len(rest)}")
        return Atom("=", tuple(words.known(source, one, variables) for one in rest), at)
    if what in _ABSENT:
        raise source.refusal(at, f"a condition with {what}: no form of Sokoban has one")
    name = words.predicate(source, expression)
    return Atom(name, tuple(words.known(source, one, variables) for one in rest), at)


_PARTS = {"and": None, "or": None, "not": 1, "imply": 2}
_ABSENT = ("<", ">", "<=", ">=", "preference", "at start", "always", "sometime", "within")


def read_parameters(
    source: Source, items: tuple[Expression, ...], types: Mapping[str, tuple[str, ...]], *, used: bool = True
) -> tuple[Parameter, ...]:
    """Read typed variables; where nothing uses their names, as where a predicate is declared, they may be alike.

    Raises NotationError: one is no variable, stands there twice or has an unknown type.
    """
    found: list[Parameter] = []
    for word, kinds in typed(source, items):
        if not word.text.startswith("?"):
            raise source.fault(word.at, f"{word.text!r} is no variable: those begin with ?")
        if used and any(word.text == one.name for one in found):
            raise source.fault(word.at, f"{word.text} stands here twice")
        check_types(source, kinds, types)
        found.append(Parameter(word.text, tuple(kind.text for kind in kinds) or ("object",), word.at))
    return tuple(found)


def check_types(source: Source, kinds: tuple[Word, ...], types: Mapping[str, tuple[str, ...]]) -> None:
    """Check that types were declared. Raises NotationError: one was not."""
    for kind in kinds:
        if kind.text not in types:
            raise source.fault(kind.at, f"there is no type {kind.text!r}{did_you_mean(kind.text, types)}")


def typed(source: Source, items: tuple[Expression, ...]) -> Iterator[tuple[Word, tuple[Word, ...]]]:
    """Yield the names of a list such as ``a b - cell`` with their types, none where the list has none.

    Raises NotationError: something else stands between them.
    """
    waiting: list[Word] = []
    dash: Word | None = None
    for item in items:
        if dash is not None:
            kinds = _kinds(source, item)
            yield from ((word, kinds) for word in waiting)
            waiting, dash = [], None
        elif not isinstance(item, Word):
            raise source.fault(item.at, "expected a name, not a bracket")
        elif item.text == "-":
            if not waiting:
                raise source.fault(item.at, "a type without a name before it")
            dash = item
        else:
            waiting.append(item)
    if dash is not None:
        raise source.fault(dash.at, "expected a type after the dash")
    yield from ((word, ()) for word in waiting)


def _kinds(source: Source, item: Expression) -> tuple[Word, ...]:
    if isinstance(item, Word):
        return (item,)
    kinds = tuple(word for word in item.items[1:] if isinstance(word, Word))
    if item.head != "either" or not kinds or len(kinds) != len(item.items) - 1:
        raise source.fault(item.at, "expected a type, or (either TYPE ...)")
    return kinds
