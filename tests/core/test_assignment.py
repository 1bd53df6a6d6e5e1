"""The one assignment solver against all permutations, and its potentials against duality."""

import random
from itertools import permutations

from sokoasp.sokoban.grid import assign


def test_against_all_permutations_and_by_duality() -> None:
    rng, impossible = random.Random(1), 0
    for _ in range(400):
        rows = rng.randint(1, 4)
        columns = rows + rng.choice((0, 0, 1, 2))
        cost = [[rng.choice((None, *range(8))) for _ in range(columns)] for _ in range(rows)]
        totals = []
        for chosen in permutations(range(columns), rows):
            entries = [cost[row][column] for row, column in enumerate(chosen)]
            totals += [] if None in entries else [sum(e for e in entries if e is not None)]
        found = assign(cost)
        if found is None:
            assert not totals
            impossible += 1
            continue
        assert found.total == min(totals) and len(set(found.columns)) == rows
        assert sum(cost[row][column] or 0 for row, column in enumerate(found.columns)) == found.total
        v = found.potentials
        assert max(v) <= 0
        rest = [min(c - v[j] for j, c in enumerate(row) if c is not None) for row in cost]
        assert sum(rest) + sum(v) == found.total  # no assignment is cheaper, as no row costs less than its rest
    assert 5 < impossible < 380


def test_more_rows_than_columns_and_nothing_at_all() -> None:
    assert assign([[1], [2]]) is None
    empty = assign([])
    assert empty is not None and empty.total == 0
