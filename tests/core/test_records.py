"""Records made fast behave as the standard library's."""

from __future__ import annotations

import dataclasses
import pickle
from dataclasses import field
from typing import Any

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
