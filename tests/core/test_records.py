"""Records made fast behave as the standard library's."""

from __future__ import annotations

import copy
import dataclasses
import inspect
import pickle
from dataclasses import InitVar, field
from typing import Any, ClassVar

import pytest

from sokoasp.core import records


def _classes(decorator: Any) -> tuple[type[Any], ...]:
    @decorator(frozen=True, slots=True)
    class Frozen:
        a: int
        b: tuple[int, ...] = ()
        noted: str = field(default="", compare=False)
        hidden: int = field(default=0, repr=False)

    @decorator(slots=True)
    class Open:
        a: int
        b: list[int] = field(default_factory=list)

    @decorator(frozen=True, slots=True)
    class One:
        a: object

    @decorator(frozen=True, slots=True, eq=False, repr=False)
    class Bare:
        a: int

    @decorator(frozen=True, slots=True)
    class Own:
        a: int

        def __repr__(self) -> str:
            return "own"

    return Frozen, Open, One, Bare, Own


def _made_specially(decorator: Any) -> tuple[type[Any], ...]:
    @decorator(frozen=True, slots=True)
    class Counted:
        """Has a field that nobody gives, one that is made anew each time, and a look at both."""

        a: int
        words: list[str] = field(default_factory=list)
        seen: int = field(default=3, init=False)
        known: dict[str, int] = field(default_factory=dict, init=False)

        def __post_init__(self) -> None:
            """Add a word."""
            self.words.append("seen")

    @decorator(slots=True)
    class Named:
        """Has a field given by its name only."""

        a: int = field(kw_only=True)
        b: int = 2

    @decorator(frozen=True)
    class Loose:
        """Has no slots, and something that is no field."""

        many: ClassVar[int] = 7
        a: int = 1

    @decorator(frozen=True, slots=True)
    class Begun:
        """Has a word that only its beginning takes."""

        begin: InitVar[int]
        a: int = 1

        def __post_init__(self, begin: int) -> None:
            """Take the word."""
            object.__setattr__(self, "a", begin)

    return Counted, Named, Loose, Begun


FAST, STANDARD = _classes(records.dataclass), _classes(dataclasses.dataclass)
VALUES: tuple[tuple[Any, ...], ...] = ((1,), (1, (2, 3)), (2, (2, 3)), (1, (2, 3), "x"), (1, (), "", 5))


def _answers(classes: tuple[type[Any], ...]) -> list[object]:
    """Return all that can be observed of some records."""
    frozen, opened, one, bare, own = classes
    made = [frozen(*values) for values in VALUES]
    found: list[object] = [[x == y for x in made for y in made], [repr(x).split(".")[-1] for x in made]]
    found += [[hash(x) == hash(y) for x in made for y in made if x == y], len(set(made))]
    lists = [opened(1), opened(1, [2]), opened(1)]
    found += [[x == y for x in lists for y in lists], [repr(x).split(".")[-1] for x in lists], opened.__hash__ is None]
    found += [
        one((1,)) == one((1,)),
        one(1) == one((1,)),
        one(1) == 1,
        {one(1): 2}[one(1)],
        repr(own(1)),
        own(1) == own(1),
    ]
    found += [
        bare(1) == bare(1),
        repr(bare(1)).startswith("<"),
        dataclasses.replace(made[1], a=7).b,
        dataclasses.asdict(made[3]),
    ]
    found += [frozen.__slots__, frozen.__match_args__, [x.__hash__ is None for x in classes]]
    return found


def test_records_are_those_of_the_standard_library() -> None:
    assert _answers(FAST) == _answers(STANDARD)


def _answers_of_special(classes: tuple[type[Any], ...]) -> list[object]:
    counted, named, loose, begun = classes
    one, two, given = counted(1), counted(1), counted(a=1, words=["x"])
    found: list[object] = [
        one.words,
        two.words,
        one == two,
        one == given,
        given.words,
        one.seen,
        one.known is two.known,
    ]
    found += [[str(inspect.signature(x)) for x in classes], [x.__doc__ for x in classes]]
    found += [
        named(5, a=1).b,
        loose().many,
        [f.name for x in classes for f in dataclasses.fields(x)],
        vars(loose(4)),
        begun(5).a,
    ]
    found += [
        dataclasses.replace(given, a=2).words,
        copy.copy(given) == given,
        copy.deepcopy(given).words is given.words,
    ]
    for call in (counted, lambda: counted(1, [], 3), lambda: counted(b=1), lambda: named(1, 2)):
        with pytest.raises(TypeError) as refused:
            call()
        found.append(str(refused.value).split("()")[1])
    for change in (lambda: setattr(one, "a", 2), lambda: delattr(one, "a"), lambda: setattr(loose(), "b", 2)):
        with pytest.raises(dataclasses.FrozenInstanceError) as fixed:
            change()
        found.append(str(fixed.value))
    longer = dataclasses.make_dataclass("Longer", [("z", int, 9)], bases=(loose,), frozen=True)
    return [*found, longer(2), [x.__init__.__qualname__.split(".")[-2:] for x in classes]]


def test_fields_of_all_kinds_are_those_of_the_standard_library() -> None:
    fast, standard = (_answers_of_special(_made_specially(x)) for x in (records.dataclass, dataclasses.dataclass))
    assert list(map(str, fast)) == list(map(str, standard))


@pytest.mark.parametrize("few", [0, 1, 99])
def test_records_filled_before_their_init_is_compiled_are_the_same(few: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """No look at a signature here, which would compile it."""
    monkeypatch.setattr(records, "FEW", few)
    assert _answers(_classes(records.dataclass)) == _answers(STANDARD)
    found = []
    for decorator in (records.dataclass, dataclasses.dataclass):
        counted, _, loose, _ = _made_specially(decorator)
        made = [counted(1), counted(2, words=["x"]), counted(words=[], a=3), loose(), loose(5)]
        assert made[0].known is not made[1].known
        answers: list[object] = [list(map(str, made))]
        for given, named in (((), {}), ((1, [], 3), {}), ((), {"b": 1}), ((1,), {"a": 1}), ((1,), {"seen": 4})):
            with pytest.raises(TypeError) as refused:
                counted(*given, **named)
            answers.append(str(refused.value))
        found.append(answers)
        compiled = inspect.isfunction(vars(counted)["__init__"])
        assert compiled is (few < 99 or decorator is dataclasses.dataclass)
    assert found[0] == found[1]


def test_frozen_records_refuse_changes_and_unhashable_ones_to_be_hashed() -> None:
    frozen, opened, *_ = FAST
    with pytest.raises(dataclasses.FrozenInstanceError):
        frozen(1).a = 2
    with pytest.raises(TypeError):
        hash(opened(1))
    with pytest.raises(TypeError):
        hash(frozen([]))


def test_they_survive_pickling() -> None:
    from sokoasp.core.result import Question

    for record in (Question(3, "yes"), Question(3, "open", by="a limit")):
        assert pickle.loads(pickle.dumps(record)) == record
