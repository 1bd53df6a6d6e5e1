"""The flagship programs find the optimum of the oracle, and every pruning file leaves it as it is."""

from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from importlib import import_module
from typing import Any

import pytest

from sokoasp.asp import catalogue
from sokoasp.asp.catalogue import Encoding
from sokoasp.asp.multishot import Outcome
from sokoasp.core.limits import Limits
from sokoasp.core.result import Horizon, Status
from sokoasp.domain import sokoban as domain
from sokoasp.domain.sokoban import default_encoding
from sokoasp.sokoban import facts, tables
from sokoasp.sokoban.level import Cell, Level
from sokoasp.sokoban.plan import OBJECTIVES
from sokoasp.sokoban.search.exact import reference
from tests.asp import alone
from tests.instances import level
from tests.levels import random_level, scrambled_level
from tests.names import STYLES, renamed

FLAGSHIPS = [
    *("lines-remaining", "lines-remaining-dom", "lines-forward"),
    *("pushes-remaining", "pushes-remaining-dom", "pushes-forward"),
    *("moves-remaining", "moves-remaining-dom", "moves-forward"),
]
CASES = [
    (name, idea.name)
    for name, encoding in catalogue.encodings().items()
    if encoding.game == "sokoban"
    for idea in encoding.ideas
]
# Each is lopsided in its own way: a table read with up for down, or left for right, would forbid its only plans.
KNOWN = {
    "only upwards": level("""
        #####
        # . #
        #   #
        # $ #
        # @ #
        #####
    """),
    "only leftwards": level("""
        ######
        #.  $@#
        ######
    """),
    "round the corner": level("""
        #######
        #    .#
        # ##  #
        # $   #
        #@##  #
        #######
    """),
    "second box opens the way": level("""
        ########
        #  #   #
        # $  $ #
        #@ ## .#
        #   #. #
        ########
    """),
    "first past the goal": level("""
        #########
        #    ####
        #     $@#
        #  #.####
        #########
    """),
    "swap in a bay": level("""
        ########
        #  .   #
        #@$# $ #
        #  . ###
        ########
    """),
}
KNOWN["boxes to spare"] = replace(KNOWN["swap in a bay"], goals=KNOWN["swap in a bay"].goals - {Cell(1, 3)})
MADE: dict[tuple[str, str, str, str], str] = {}
"""Table, facts of a level, objective, index → the table's facts, made once for all programs that are asked about a level."""


def ask(level: Level, encoding: Encoding, *, last: int, first: int = 1) -> Outcome:
    """Ask for every bound from ``first`` to ``last``, below the lower bounds too, so that a wrong cut there would show."""
    text = whole = facts.write(level)
    for name in encoding.tables:
        key = name, text, encoding.objective, encoding.index
        if key not in MADE:
            MADE[key] = tables.facts(name, level, encoding.objective, encoding.index)
        whole += MADE[key]
    return alone.run(encoding, whole, bounds=Horizon(first, 1, last), clock=Limits(seconds=120).start())


def optimum(level: Level, encoding: Encoding, *, last: int) -> int | None:
    """Return the proved optimum, None when there is no plan of 1 to ``last`` actions; the referee replays the plan."""
    outcome = ask(level, encoding, last=last)
    assert outcome.verdict in ("sat", "unsat"), outcome.stopped_by
    if outcome.verdict == "unsat":
        return None
    plan = domain.decode(level, outcome.answers[-1], encoding.index, True)
    value = domain.counts(level, plan, None)[encoding.objective]
    assert value == outcome.bound
    return value


@cache
def oracle(given: Level, objective: str) -> int | None:
    found = reference.solve(given, objective, Limits(states=300_000))
    assert found.status in (Status.OPTIMAL, Status.UNSOLVABLE)
    return found.value


def last_bound(value: int | None) -> int:
    """Return how far to ask: the optimum, or far enough for a wrong answer to show."""
    return 8 if value is None else value + 1


@cache
def sample(objective: str, seeds: range) -> list[Level]:
    """Return random levels with all kinds of names, unsolvable and with spare boxes too; for moves only short ones."""
    found = []
    for seed in seeds:
        spare = (0, 0, 0, 1, 2)[seed % 5]
        given = random_level(seed, spare=spare, boxes=3 if spare else None, width=4 + seed % 2, height=4)
        value = oracle(given, objective)
        if not given.solved and (value is None or value <= 16):
            found.append(renamed(given, seed))
    return found


@pytest.mark.parametrize("name", FLAGSHIPS)
@pytest.mark.parametrize("title", KNOWN)
def test_known_levels(name: str, title: str) -> None:
    encoding = catalogue.encodings()[name]
    value = oracle(KNOWN[title], encoding.objective)
    assert optimum(KNOWN[title], encoding, last=last_bound(value)) == value


@pytest.mark.parametrize("name", FLAGSHIPS)
@pytest.mark.parametrize("seeds", [range(200, 208), pytest.param(range(1000, 1250), marks=pytest.mark.slow)])
def test_random_levels(name: str, seeds: range) -> None:
    encoding = catalogue.encodings()[name]
    for given in sample(encoding.objective, seeds):
        value = oracle(given, encoding.objective)
        assert optimum(given, encoding, last=last_bound(value)) == value, f"\n{given}"


def _called() -> Iterator[Any]:
    """Yield programs with styles: all with integers, and by default each of the others with one program in turn."""
    names = [name for name in FLAGSHIPS if not name.startswith("moves")]
    for row, style in enumerate(STYLES):
        for column, name in enumerate(names):
            now = style == "integers" or row % len(names) == column
            yield pytest.param(name, style, marks=() if now else pytest.mark.slow)


@pytest.mark.parametrize(("name", "style"), list(_called()))
def test_whatever_the_cells_are_called(name: str, style: str) -> None:
    """The tuples of sums once fell together when a cell was an integer, and cut off plans or let false ones pass."""
    encoding = catalogue.encodings()[name]
    for seed in (19, 46, 75) if style == "integers" else (46,):
        given = renamed(scrambled_level(seed, width=5, height=4, boxes=3, pulls=30), seed, style)
        value = oracle(given, encoding.objective)
        assert optimum(given, encoding, last=last_bound(value)) == value, seed


@pytest.mark.parametrize(("name", "idea"), CASES)
def test_same_optimum_with_and_without(name: str, idea: str) -> None:
    encoding = catalogue.encodings()[name].without(idea)
    given = KNOWN["first past the goal" if encoding.objective == "moves" else "second box opens the way"]
    value = oracle(given, encoding.objective)
    assert optimum(given, encoding, last=last_bound(value)) == value


def test_the_catalogue_names_every_file_that_prunes() -> None:
    """A file that has to argue why it is sound is an idea of the programs that search; explanations ask another question."""
    for name, encoding in catalogue.encodings().items():
        argued = {
            path for path in encoding.files if "% Sound:" in path.read_text() or "Purpose: prune" in path.read_text()
        }
        if "explain" not in name:
            ideas = {path for idea in encoding.ideas for path in idea.files}
            assert argued <= ideas <= set(encoding.files), name


@pytest.mark.parametrize("name", [name for name in FLAGSHIPS if name.startswith("moves")])
def test_moves_with_pairs_counted_in_pushes(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """As on large levels, where a pair table with the player's cell would take too long."""
    monkeypatch.setattr(import_module("sokoasp.sokoban.tables.pairs"), "MOST_CELLS_WALKING", 0)
    monkeypatch.setattr(f"{__name__}.MADE", {})
    encoding = catalogue.encodings()[name]
    for given in [*sample("moves", range(202, 203)), *list(KNOWN.values())[1::2]]:
        value = oracle(given, "moves")
        assert optimum(given, encoding, last=last_bound(value)) == value, f"\n{given}"


@cache
def plain_answer(title: str, objective: str, bound: int) -> str:
    return ask(KNOWN[title], catalogue.encodings()[objective], first=bound, last=bound).verdict


@pytest.mark.parametrize("name", FLAGSHIPS)
def test_longer_plans_are_kept(name: str) -> None:
    """Asked for a bound above the optimum at once, a program has an answer exactly when the plain one has."""
    encoding = catalogue.encodings()[name]
    for title in ("only upwards", "swap in a bay"):
        given = KNOWN[title]
        value = oracle(given, encoding.objective)
        assert value is not None
        for bound in (value + 1, value + 2):
            answer = ask(given, encoding, first=bound, last=bound).verdict
            assert answer == plain_answer(title, encoding.objective, bound), (title, bound)


@pytest.mark.parametrize("objective", OBJECTIVES)
def test_no_optimum_is_left_out_by_the_first_bound_or_the_stride(objective: str) -> None:
    close = strides = 0
    for given in [*sample(objective, range(400, 425)), *KNOWN.values()]:
        value, found = oracle(given, objective), domain.estimate(given, objective)
        if value is None:
            continue
        assert found.impossible is None and found.bounds.first <= value
        assert (value - found.bounds.first) % found.bounds.stride == 0
        close += found.bounds.first == value
        strides += found.bounds.stride > 1
    assert close >= 3 and (strides > 5) == (objective == "pushes")


def test_a_level_that_no_plan_solves_is_refuted_for_all_bounds_or_asked_to_the_last() -> None:
    given = level("""
        ######
        #$ . #
        #  @ #
        ######
    """)
    for name in FLAGSHIPS:
        outcome = ask(given, catalogue.encodings()[name], last=6)
        assert outcome.verdict == "unsat"


@pytest.mark.parametrize("objective", OBJECTIVES)
def test_default_choice_names_programs_of_the_objective(objective: str) -> None:
    names = default_encoding(KNOWN["boxes to spare"], objective)
    assert 2 <= len(names) <= 3, "the plain program and two others take turns"
    assert {catalogue.encodings()[name].objective for name in names} == {objective}
