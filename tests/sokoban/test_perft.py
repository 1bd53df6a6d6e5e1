"""State counts per depth: golden numbers against the reference search, the rules alone, and clingo's answer sets."""

from collections.abc import Iterator
from pathlib import Path

import clingo
import pytest

from sokoasp.sokoban import facts, rules
from sokoasp.sokoban.level import Level, spread
from sokoasp.sokoban.rules import State
from tests.instances import FOLDER, levels
from tests.levels import layers

GOLDEN = Path(__file__).resolve().parent.parent / "golden"
FILES = sorted(GOLDEN.glob("*.perft"))
LOOK = """
#program look(t).
region(L)  :- player_at(L,t).
region(L2) :- region(L1), adjacent(_,L1,L2), not box_at(L2,t).
box_now(L) :- box_at(L,t).
#show region/1.
#show box_now/1.
"""


def golden(path: Path) -> tuple[Level, dict[str, list[int]]]:
    """Return the level of a golden file and its counts: ``instance``, ``level``, then ``objective: counts``."""
    entries = dict(line.split(": ", 1) for line in path.read_text().splitlines() if line.strip())
    level = levels(entries.pop("instance"))[int(entries.pop("level")) - 1]
    return level, {objective: [int(n) for n in counts.split()] for objective, counts in entries.items()}


def test_there_are_a_dozen() -> None:
    assert len(FILES) >= 12


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_reference_search(path: Path) -> None:
    level, counts = golden(path)
    assert set(counts) == {"lines", "pushes", "moves"}
    for objective, expected in counts.items():
        assert layers(level, objective, len(expected) - 1) == expected, objective


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_rules_alone(path: Path) -> None:
    """Count push depths by single moves of the player: walking is free, pushing costs one."""
    level, counts = golden(path)
    frontier, seen, found = {rules.initial(level)}, set[tuple[frozenset[object], object]](), []
    for _ in counts["pushes"]:
        closed = _walked(level, frontier)
        fresh = set(_forms(level, closed)) - seen
        found.append(len(fresh))
        seen |= fresh
        pushed = {after for state in closed for letter, after in rules.moves(level, state) if letter.isupper()}
        frontier = {state for state in pushed if _form(level, state) not in seen}
    assert found == counts["pushes"]


def _walked(level: Level, states: set[State]) -> set[State]:
    """Return all states that walking alone reaches."""
    return set(spread(states, lambda one: (after for letter, after in rules.moves(level, one) if letter.islower())))


def _forms(level: Level, states: set[State]) -> Iterator[tuple[frozenset[object], object]]:
    """Yield the forms of states that walking alone leads out of into states alone: one flood for all that share it."""
    left = set(states)
    while left:
        boxes, player = left.pop()
        area = rules.region(level, State(boxes, player))
        left -= {State(boxes, cell) for cell in area}
        yield boxes, min(area)


def _form(level: Level, state: State) -> tuple[frozenset[object], object]:
    canonical = rules.canonical(level, state)
    return canonical.boxes, canonical.player


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
@pytest.mark.parametrize("objective", ["lines", "pushes"])
def test_answer_sets(path: Path, objective: str) -> None:
    """Enumerate the states after exactly t actions by clingo, and count those not met at a smaller t."""
    level, counts = golden(path)
    seen: set[frozenset[str]] = set()
    for t, expected in enumerate(counts[objective][:4]):
        states = _states(level, objective, t)
        assert len(states - seen) == expected
        seen |= states


def _states(level: Level, objective: str, t: int) -> set[frozenset[str]]:
    control = clingo.Control(["0", "--project=show"])
    control.add("base", [], facts.write(level, picture=False))
    for name in ("geometry", "start", "reach", objective):
        control.load(str(FOLDER.parent / "encodings" / "sokoban" / "rules" / f"{name}.lp"))
    control.add("look", ["t"], LOOK.replace("#program look(t).", ""))
    steps = [("step", [clingo.Number(n)]) for n in range(1, t + 1)]
    control.ground([("base", []), *steps, ("look", [clingo.Number(t)])])
    found: set[frozenset[str]] = set()
    control.solve(on_model=lambda model: found.add(frozenset(map(str, model.symbols(shown=True)))))
    return found
