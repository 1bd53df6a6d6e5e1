"""Proof sentences, explanations and ways back are claims: checked by the rules of the game alone, and spoilt in every way."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from functools import cache

import pytest

from sokoasp import solve
from sokoasp.core.limits import Limits
from sokoasp.core.result import Status
from sokoasp.sokoban import formats, rules, search
from sokoasp.sokoban.deadlock.fix import fix
from sokoasp.sokoban.grid import UNASSIGNABLE
from sokoasp.sokoban.level import Cell, Level
from sokoasp.sokoban.rules import State
from sokoasp.sokoban.units import find_deadlock
from tests.spoil import spoilt
from tests.studies.labels import labels
from tests.studies.samples import random_level


@cache
def small_levels(seed: int, count: int) -> tuple[Level, ...]:
    return tuple(_small_levels(seed, count))


def _small_levels(seed: int, count: int) -> Iterator[Level]:
    rng = random.Random(seed)
    while count:
        level = random_level(rng)
        states = None if level is None or level.solved else labels(level, states=400)
        if level is not None and states is not None:
            count -= 1
            # half of them from a state further on, dead or alive
            at = rng.choice(sorted(states, key=repr))
            yield level if count % 2 or rules.solved(level, at.boxes) else level.with_state(at.boxes, at.player)


def fewest_pushes(level: Level) -> tuple[int | None, int]:
    """The fewest pushes to a solution (None without one), and how many states can be reached."""
    layer = [rules.canonical(level, rules.initial(level))]
    seen, depth, best = set(layer), 0, None
    while layer:
        if best is None and any(rules.solved(level, state.boxes) for state in layer):
            best = depth
        after = [rules.canonical(level, to) for state in layer for _, to in rules.unit_pushes(level, state)]
        layer = list(dict.fromkeys(state for state in after if state not in seen))
        seen.update(layer)
        depth += 1
    return best, len(seen)


def sentences(engine: str, level: Level, best: int | None, states: int) -> set[str]:
    """What an engine may say that is true."""
    if engine == "reference":
        if best is None:
            return {f"all {states} reachable states were searched and none is solved"}
        return {f"breadth-first search met no solved state nearer than {best}"}
    if best is None:
        from tests.test_printed_proofs import IMPOSSIBLE, matching  # which imports this file

        impossible = {IMPOSSIBLE} if matching(level, "pushes") is None else set[str]()
        return {f"{said}: no plan exists" for said in {f"the {engine} search saw all states", *impossible}}
    return {f"lower bound {best} (the {engine} search) = plan of {best} (the {engine} search)"}


def proofs(engine: str, seed: int, count: int) -> int:
    refused = 0
    for level in small_levels(seed, count):
        best, states = fewest_pushes(level)
        found = search.solve(level, "pushes", Limits(seconds=60), engine=engine)
        assert found.status is (Status.UNSOLVABLE if best is None else Status.OPTIMAL)
        true = sentences(engine, level, best, states)
        assert found.proof in true, f"{found.proof}\n{level}"
        for false in spoilt(str(found.proof)):
            assert false not in true
            refused += 1
    return refused


@pytest.mark.parametrize("engine", ["reference", "forward", "reverse"])
def test_proof_sentences(engine: str) -> None:
    if engine != "reference":
        pytest.importorskip("numba")
    assert proofs(engine, 5, 25) > 500


GOAL_UNREACHED = """
#####
# $*#
#.. #
# ###
# $ #
# @ #
#####
"""


@pytest.mark.parametrize("engine", ["asp", "sat", "native", "any", "forward", "reverse"])
def test_a_goal_that_no_box_reaches_is_one_reason_with_one_text(engine: str) -> None:
    if engine != "asp":
        pytest.importorskip("pysat" if engine == "sat" else "numba")
    found = solve(formats.read(GOAL_UNREACHED)[0], objective="pushes", engine=engine)
    assert found.status is Status.UNSOLVABLE
    assert str(found.proof).removesuffix(": no plan exists") == UNASSIGNABLE


def served(level: Level, wanted: set[Cell], bound: int) -> bool:
    """Whether a number of line pushes can bring boxes onto all of these goals at once."""
    layer = {rules.canonical(level, rules.initial(level))}
    seen = set(layer)
    for _ in range(bound):
        if any(wanted <= state.boxes for state in layer):
            return True
        layer = {rules.canonical(level, to) for state in layer for _, to in rules.line_pushes(level, state)} - seen
        seen |= layer
    return any(wanted <= state.boxes for state in layer)


def stored(level: Level, boxes: set[Cell], bound: int) -> bool:
    """Whether a number of line pushes can bring all of these boxes onto goals, the other boxes taken off the map."""
    layer = {rules.canonical(level, State(frozenset(boxes), level.player))}
    seen = set(layer)
    for _ in range(bound):
        if any(state.boxes <= level.goals for state in layer):
            return True
        layer = {rules.canonical(level, to) for state in layer for _, to in rules.line_pushes(level, state)} - seen
        seen |= layer
    return any(state.boxes <= level.goals for state in layer)


def explained(level: Level, asked: int, sentence: str) -> bool:
    """Whether the sentence names goals (boxes) that cannot be served together in what was asked for, each of them needed."""
    word = re.fullmatch(
        r"  (goals|boxes): a minimal set that cannot be served within (\d+) lines: ((?:\(\d+,\d+\)(?:, )?)+)", sentence
    )
    if word is None or word[3].endswith(", "):
        return False
    cells = {Cell(int(row), int(col)) for row, col in re.findall(r"\((\d+),(\d+)\)", word[3])}
    bound, can, among = int(word[2]), *((served, level.goals) if word[1] == "goals" else (stored, level.boxes))
    if not cells <= among or len(cells) != word[3].count("(") or bound != asked:
        return False
    return not can(level, cells, bound) and all(can(level, cells - {cell}, bound) for cell in cells)


def drawn(level: Level, sentence: str) -> list[str]:
    """Return the picture that belongs under the sentence: the level with its cells marked."""
    rows = [list(row) for row in str(level).splitlines()]
    for row, col in re.findall(r"\((\d+),(\d+)\)", sentence):
        rows[int(row)][int(col)] = "!"
    return ["    " + "".join(row) for row in rows]


def test_the_way_back_names_the_push_that_did_it() -> None:
    rng, tried = random.Random(6), 0
    for level in small_levels(9, 120):
        state, moves = rules.initial(level), ""
        for _ in range(30):
            letter, state = rng.choice(sorted(rules.moves(level, state), key=lambda step: step[0]))
            moves += letter
        found = fix(level, moves, find_deadlock)
        if found is None:
            continue
        tried += 1
        pushed = [at for at, letter in enumerate(moves) if letter.isupper()]
        before, after = _after(level, moves[: pushed[-found.undo]]), _after(level, moves[: pushed[-found.undo] + 1])
        assert find_deadlock(level, before) is None and find_deadlock(level, after) is not None
        assert found.state.boxes == before.boxes
        assert before.boxes - after.boxes == {found.blamed.box} and after.boxes - before.boxes == {found.blamed.to}
        assert found.blamed not in found.instead
        possible = dict(rules.unit_pushes(level, before))
        assert set(found.instead) == {push for push, to in possible.items() if find_deadlock(level, to) is None}
    assert tried > 15


def _after(level: Level, moves: str) -> State:
    return [rules.initial(level), *(after for _, _, after in rules.replay(level, moves))][-1]
