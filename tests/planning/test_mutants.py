"""Tasks changed at random, answered or refused here, against an independent search of each task as it is written."""

from collections import Counter

import pytest

from sokoasp.core.errors import LevelError, NotationError, WrongPlan
from sokoasp.engine import Task
from sokoasp.planning import recognise
from sokoasp.planning.answer import answer
from sokoasp.planning.task import task_of
from sokoasp.planning.text import NoSokoban, Source
from tests.planning.mutants import CHANGED, KEPT, mutant
from tests.planning.strips import optimum


def ask(texts: tuple[str, str]) -> int | str | None:
    """The cost of the plan found here, None if there is proved to be none, the reason if the task is refused."""
    try:
        found = answer(task_of(Source("d", texts[0]), Source("p", texts[1])), Task(engine="reference"))
    except (NoSokoban, NotationError, LevelError) as refusal:
        return str(refusal)
    assert str(found.result.status) in ("optimal", "unsolvable")
    return found.cost


def campaign(seeds: range) -> Counter[str]:
    """Ask about mutants with no to three changes that may alter the task; any false answer fails."""
    counts: Counter[str] = Counter()
    for seed in seeds:
        made = mutant(seed, changed=seed % 4)
        given = ask(made.texts)
        if isinstance(given, str):
            assert seed % 4, (seed, made.done, given)
            counts["refused"] += 1
            continue
        assert given == optimum(*made.texts), (seed, made.kind, made.done, given)
        counts["no plan" if given is None else "plan"] += 1
        counts.update(made.done)
    return counts


def test_a_few_mutants() -> None:
    counts = campaign(range(80))
    assert counts["plan"] > 15 and counts["refused"] > 30


@pytest.mark.slow
def test_thousands_of_mutants() -> None:
    counts = campaign(range(80, 4_080))
    assert counts["plan"] > 1_000 and counts["no plan"] > 200 and counts["refused"] > 2_000
    assert all(counts[step.__name__] for step in KEPT), "a change that keeps the meaning is never answered"
    assert sum(counts[step.__name__] > 0 for step in CHANGED) > 15


PLANTED = {"_check_pushes": 0, "_check_grid": 480, "_home": 100, "_objective": 0}
"""Check → the seed from which on a mutant soon needs it."""


@pytest.mark.parametrize("check", PLANTED)
def test_a_check_left_out_gives_a_false_answer(check: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each of these checks is why a mutant is refused; without it the replay or the independent search disagrees."""
    reading = recognise._Reading
    if check == "_home":
        monkeypatch.setattr(reading, "_home", lambda self, boxes, region, asked, led: sorted(led["push home"]))
    elif check == "_objective":
        monkeypatch.setattr(reading, "_objective", lambda self: ("pushes", 1))
    elif check == "_check_grid":
        monkeypatch.setattr(recognise, "_check_grid", lambda *_: None)
    else:
        monkeypatch.setattr(reading, check, lambda *_: None)
    with pytest.raises((AssertionError, WrongPlan)):
        campaign(range(PLANTED[check], 600))
