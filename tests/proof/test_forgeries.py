"""Forged certificates that were accepted once (format 1): each claim is false, and both checkers refuse it now."""

from pathlib import Path

import pytest

from sokoasp.proof import group_bounds, level_text
from sokoasp.proof.refusals import Refused
from sokoasp.sokoban.validate import validate_moves
from tests.proof.forging import STORED_NEVER, package_says, packed_words, says, words_of, write

FIFTEEN = "\n".join(["#" * 18, "#" + " " * 16 + "#", "#@" + "$" * 15 + "#", "# " + "." * 15 + "#", "#" * 18, ""])
"""15 boxes, each a push above its goal."""
ROW = "#######\n#@ $ .#\n#######\n"


def _tables(level: str, prices: tuple[int, ...]) -> bytes:
    bounds = group_bounds.build(level_text.read(level), prices, 1, lines=False)
    return group_bounds.stored_bytes(bounds)


def test_a_sum_of_prices_is_not_never(tmp_path: Path) -> None:
    """A: 15 boxes a push above their goals, prices of 2000: their sum of 30,015 was read as "there is no plan"."""
    validate_moves(level_text.read(FIFTEEN).level(), "u" + "rDu" * 15)
    tables = _tables(FIFTEEN, (2000,) * 15)
    write(tmp_path, FIFTEEN, tables=tables, groups=1, prices=[2000] * 15)
    assert "start is not in the list" in str(says(tmp_path))


@pytest.mark.parametrize("price", [30_000, 10**9, 2001, float("inf"), float("nan"), 1.5, -1, True, "1", None])
@pytest.mark.parametrize("value", [None, 5])
def test_a_price_is_an_integer_up_to_2000(price: object, value: int | None, tmp_path: Path) -> None:
    """B: with a price of 30,000 or more all entries of 30,000 held: no plan, or "5 moves are optimal" where 3 are."""
    entries = packed_words([STORED_NEVER] * len(words_of(_tables(ROW, (0,)))))
    lurd = None if value is None else "rlrRR"
    objective = "pushes" if value is None else "moves"
    write(tmp_path, ROW, lurd=lurd, tables=entries, groups=1, prices=[price], value=value, objective=objective)
    assert "claim.json" in str(says(tmp_path))
    write(tmp_path, ROW, lurd=lurd, tables=entries, groups=1, prices=[2000], value=value, objective=objective)
    assert "local inequality" in str(says(tmp_path))


def _long_corridor() -> tuple[str, str]:
    """Return a level of 40 boxes that takes 30,780 pushes, and a plan of 30,782."""
    width, length, boxes = 82, 829, 40
    row = [" "] * (length + 1)
    for x in range(length - boxes + 1, length + 1):
        row[x] = "."
    above = [" "] * (width + 1)
    for x in range(1, boxes + 1):
        above[2 * x] = "$"
    hall = ["@" + " " * width, "".join(above)]
    wall = "#" * (length + 3)
    level = "\n".join([wall, *("#" + one + "#" * (length + 1 - width) for one in hall), f"#{''.join(row)}#", wall, ""])
    lurd, at = [], 0
    for k in range(boxes):
        x, goal = 2 * (boxes - k), length - k
        lurd += [("r" if x > at else "l") * abs(x - at), "D"]
        # down to the corridor, round to the left of the box, push it, come back to the hall's first row
        if k == 0:  # a detour of two pushes: once to the left and back
            lurd += ["rdLuulllddrR"]
            lurd += ["R" * (goal - x)]
        else:
            lurd += ["ld", "R" * (goal - x)]
        back = goal - 1 - (x - 1)
        lurd += ["l" * back, "uu"]
        at = x - 1
    return level, "".join(lurd)


def test_a_bound_of_exactly_30000_is_not_never(tmp_path: Path) -> None:
    """C: 40 boxes whose honest single entries add up to 30,000 were bounded by "never", whatever the value."""
    level, lurd = _long_corridor()
    assert validate_moves(level_text.read(level).level(), lurd).pushes == 30_782
    tables = _tables(level, (0,) * 40)
    write(tmp_path, level, lurd=lurd, tables=tables, groups=1, prices=[0] * 40, value=30_782)
    assert "start is not in the list" in str(package_says(tmp_path))  # the other checker takes a minute
    shorter = lurd.replace("rdLuulllddrR", "ld", 1)
    assert validate_moves(level_text.read(level).level(), shorter).pushes == 30_780


def test_never_is_not_one_more_than_29999() -> None:
    """D: an entry was "never" wherever the true cost was 30,000 or more; a price as high as the largest entry shows it."""
    field, honest = level_text.read(ROW), words_of(_tables(ROW, (29_999,)))
    assert max(word for word in honest if word < STORED_NEVER) == 29_999
    group_bounds.build(field, (29_999,), 1, lines=False, stored=packed_words(honest))
    refused = 0
    for place, word in enumerate(honest):
        if word == STORED_NEVER:
            continue
        forged = packed_words([*honest[:place], STORED_NEVER, *honest[place + 1 :]])
        with pytest.raises(Refused, match="inequality"):
            group_bounds.build(field, (29_999,), 1, lines=False, stored=forged)
        refused += 1
    assert refused == 4
