"""Tables and closed lists against the plain search: sound on every state, and every planted fault refused."""

import lzma
import signal
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from sokoasp.engine import closing
from sokoasp.engine.certificate_bounds import prices_of
from sokoasp.proof import closed, group_bounds, kernel_records, level_text
from sokoasp.proof.refusals import Cheaper, Refused
from sokoasp.sokoban import rules
from sokoasp.sokoban.level import Level
from tests.levels import random_level
from tests.proof.makers import optimum, solvable, unsolvable


def _list(level: Level, objective: str, value: int | None, largest: int, *, priced: bool = True) -> tuple[Any, Any]:
    field = level_text.read(level_text.write(level))
    equal = len(field.boxes) == len(field.goals)
    prices = tuple(prices_of(level, objective)) if equal and priced and largest else (0,) * len(field.goals)
    largest = largest if equal else 0
    bounds = group_bounds.build(field, prices, largest, lines=objective == "lines") if largest else None
    return closed.ClosedList(closed.Claim(field, objective, value, field.boxes, prices, largest), bounds), bounds


@pytest.mark.parametrize("objective", ["lines", "pushes", "moves"])
@pytest.mark.parametrize("largest", [0, 1, 3])
def test_the_optimum_can_be_shown_and_nothing_more(objective: str, largest: int, tmp_path: Path) -> None:
    for level, value, _lurd in solvable(6, objective, 20):
        listed, _ = _list(level, objective, value, largest)
        assert closing.close(listed, lambda states, left: None) is None
        listed.verify()
        listed.write(tmp_path / "states.xz")
        again, _ = _list(level, objective, value, largest)
        again.read(tmp_path / "states.xz")
        again.verify()
        step = 2 if objective == "pushes" and len(level.boxes) == len(level.goals) else 1
        wrong, _ = _list(level, objective, value + step, largest)
        with pytest.raises(Cheaper) as caught:
            closing.close(wrong, lambda states, left: None)
        assert caught.value.value == value


@pytest.mark.parametrize("largest", [0, 2])
def test_unsolvable(largest: int) -> None:
    for level in unsolvable(12):
        listed, _ = _list(level, "pushes", None, largest, priced=False)
        closing.close(listed, lambda states, left: None)
        listed.verify()
    for level, value, _lurd in solvable(5, "pushes", 40):
        listed, _ = _list(level, "pushes", None, largest, priced=False)
        with pytest.raises(Cheaper) as caught:
            closing.close(listed, lambda states, left: None)
        assert caught.value.value == value


@pytest.mark.parametrize("objective", ["lines", "pushes"])
def test_no_state_on_the_way_of_a_plan_is_bounded_too_high(objective: str) -> None:
    for seed in range(6):
        level = random_level(seed, width=4, height=3, boxes=3)
        found = optimum(level, objective)
        if found is None:
            continue
        _, bounds = _list(level, objective, 1, 3)
        field = level_text.read(level_text.write(level))
        prices = prices_of(level, objective)
        listed = closed.ClosedList(closed.Claim(field, objective, None, field.boxes, tuple(prices), 3), bounds)
        assert listed.start_bound() <= found[0], level
        for state, _d, after in rules.replay(level, found[1]):
            if state.boxes == after.boxes:
                continue
            moved = level.with_state(after.boxes, after.player)
            rest = optimum(moved, objective)
            there = level_text.read(level_text.write(moved))
            later = closed.ClosedList(closed.Claim(there, objective, None, there.boxes, tuple(prices), 3), bounds)
            assert later.start_bound() <= rest[0], moved


def test_a_table_entry_that_is_raised_breaks_an_inequality() -> None:
    """Planted faults in a table: every entry raised by one is refused, one lowered may pass (it claims less)."""
    (level, _value, _lurd), *_ = list(solvable(1, "pushes", 40))
    field, prices = level_text.read(level_text.write(level)), tuple(prices_of(level, "pushes"))
    stored = group_bounds.stored_bytes(group_bounds.build(field, prices, 2, lines=False))
    group_bounds.build(field, prices, 2, lines=False, stored=stored)
    words = np.frombuffer(lzma.decompress(stored), dtype="<u2")
    for place in range(len(words)):
        if words[place] >= 30000:
            continue
        changed = words.copy()
        changed[place] += 1
        with pytest.raises(Refused):
            group_bounds.build(field, prices, 2, lines=False, stored=lzma.compress(changed.tobytes()))
    for bad in (b"", stored[:-8], lzma.compress(words[:-1].tobytes()), lzma.compress(words.tobytes() + b"\0\0")):
        with pytest.raises(Refused):
            group_bounds.build(field, prices, 2, lines=False, stored=bad)
    cheaper = (prices[0] + 1, *prices[1:])
    if len(prices) > 1:
        group_bounds.build(field, cheaper, 2, lines=False, stored=stored)  # entries that are too low are no fault
        dear = group_bounds.stored_bytes(group_bounds.build(field, (5,) * len(field.goals), 2, lines=False))
        with pytest.raises(Refused):
            group_bounds.build(field, (0,) * len(prices), 2, lines=False, stored=dear)


@pytest.mark.parametrize("turn", [closed.TURN, 2])
def test_a_list_with_a_state_less_is_refused(monkeypatch: pytest.MonkeyPatch, turn: int) -> None:
    """Planted fault in the search: whichever state it forgets, the check finds it missing."""
    monkeypatch.setattr(closed, "TURN", turn)
    monkeypatch.setattr(closing, "TURN", turn)
    for level, value, _lurd in solvable(4, "moves", 14):
        listed, bounds = _list(level, "moves", value, 1)
        closing.close(listed, lambda states, left: None)
        count = listed.count
        for gone in range(count):
            other = closed.ClosedList(listed.claim, bounds)
            keep = [i for i in range(count) if i != gone]
            other.append(listed.keys[keep], listed.cost[keep])
            with pytest.raises(Refused):
                other.verify()
        for cost in (1, -1):
            for place in range(count):
                other = closed.ClosedList(listed.claim, bounds)
                costs = listed.cost[:count].copy()
                costs[place] += cost
                other.append(listed.keys[:count], costs)
                if cost > 0:
                    with pytest.raises(Refused):
                        other.verify()


@pytest.mark.usefixtures("ctrl_c")
def test_ctrl_c_is_heard_while_a_list_is_checked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(closed, "TURN", 2)
    for level, value, _lurd in solvable(1, "moves", 14):
        listed, _ = _list(level, "moves", value, 0)
        closing.close(listed, lambda states, left: None)
        assert listed.count > 2
        honest = closed.ClosedList._turn

        def interrupted(self: Any, honest: Any = honest) -> int:
            fault: int = honest(self)
            signal.raise_signal(signal.SIGINT)
            return fault

        monkeypatch.setattr(closed.ClosedList, "_turn", interrupted)
        with pytest.raises(KeyboardInterrupt):
            listed.verify()
        assert listed.p.next == 2


def test_groups_are_listed_in_the_order_of_their_numbers() -> None:
    """Colexicographic, each with components of its own: a row has 255 on the group's cells and on the wall."""
    level = next(level for level, _, _ in solvable(20, "pushes", 20) if len(level.boxes) > 2)
    _, bounds = _list(level, "pushes", 1, 4)
    tables, of = bounds.tables, bounds.floor.floor_of
    for size, groups in enumerate(bounds.groups, 1):
        assert all((np.diff(group) > 0).all() for group in groups)
        for number, group in enumerate(groups):
            assert sum(int(tables.choose[cell, i + 1]) for i, cell in enumerate(group)) == number
            row = tables.rows[tables.row_of[tables.base[size] + number]]
            assert np.flatnonzero(row == 255).tolist() == [*of[group].tolist(), len(row) - 1]


def test_no_sum_comes_near_never() -> None:
    """As docs/certificates.md says; and the components around all boxes are fewer than a byte tells apart."""
    assert (kernel_records.MOST_ENTRY, closed.MOST_BOXES) == (29_999, 60)
    assert closed.MOST_BOXES * kernel_records.MOST_ENTRY < 2**21 < kernel_records.NEVER == 2**30
    assert 3 * closed.MOST_BOXES + 1 < 254
