"""Each idea that ``any`` can do without changes what is run: otherwise its row in the table of ideas would say nothing."""

from functools import cache
from typing import Any

import pytest

from sokoasp.core.shipped import SHIPPED
from sokoasp.sokoban import formats
from sokoasp.sokoban.level import Level
from sokoasp.sokoban.search import solve
from sokoasp.sokoban.search.model import push_board
from sokoasp.sokoban.search.model.options import FOR_ANY, IDEAS, SWITCHES, Options
from tests.levels import scrambled_level, warehouse
from tests.sokoban.search.racing import raced

SEARCHES = {"other_starts": "restarted", "beam": "beam"}
AFTERWARDS = ("proving", "shortening")
STEPS = 300


def search_without(level: Level, *names: str) -> Any:
    """Return a packing-order search after some steps."""
    from sokoasp.sokoban.search.satisficing.packing_order_search import PackingOrderSearch

    search = PackingOrderSearch(level, push_board.build(level), Options().without(*names))
    for _ in range(STEPS):
        search.step()
    return search


@cache
def course(number: int, *names: str) -> list[Any]:
    """Return what the plays and forward searches have done on one of the graded levels."""
    crowded = SHIPPED / "graded" / "08-boxes.sok"
    search = search_without(formats.read(crowded.read_bytes(), source="")[number], *names)
    return [(one.expanded, one.dead, len(one.nodes)) for one in (*search.ended, *search.planners)]


@pytest.mark.parametrize("name", [name for name in FOR_ANY if name not in (*SEARCHES, *AFTERWARDS)])
def test_the_packing_order_search_does_otherwise(name: str) -> None:
    assert any(course(number, name) != course(number) for number in (9, 4))


@pytest.mark.parametrize("name", SEARCHES)
def test_a_search_does_not_enter(name: str) -> None:
    usual, without = (
        {one.name for one in raced(warehouse(), "packing-order", "beam", first_plan=True, options=options).solvers}
        for options in (Options(), Options().without(name))
    )
    assert usual - without == {SEARCHES[name]}


@pytest.mark.parametrize("name", AFTERWARDS)
def test_a_plan_is_left_as_it_is(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    from sokoasp.sokoban.search import race, rosters

    done: set[str] = set()
    level = scrambled_level(1, boxes=5, pulls=150)
    known = solve(level, "pushes", engine="native").plan
    monkeypatch.setattr(rosters, "follow", lambda race, _: race.bounds.offer(known, "another") and None)
    monkeypatch.setattr(rosters, "_proving", lambda race: done.add("proving"))
    monkeypatch.setitem(race.ENTRANTS, "improvement", lambda self: done.add("shortening"))
    monkeypatch.setattr("sokoasp.sokoban.search.race.SMALL", 1000)
    monkeypatch.setattr("sokoasp.core.bounds.Bounds.closed", lambda self: False)
    solve(level, "pushes", engine="any", options=Options().without(name))
    assert done == set(AFTERWARDS) - {name}


def test_ideas_are_named_once_and_others_are_refused() -> None:
    assert not set(IDEAS) & set(SWITCHES)
    assert set(IDEAS) >= {*SEARCHES, *AFTERWARDS}
    assert Options().without("learned_patterns", "beam") == Options(
        learned_patterns=False, left_out=frozenset({"beam"})
    )
    with pytest.raises(ValueError, match=r"no idea named 'magic', only matching, .*, shortening"):
        Options().without("beam", "magic")
