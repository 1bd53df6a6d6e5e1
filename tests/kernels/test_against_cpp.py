"""The plain A* in C++ that ours is timed against does the same work: as many expansions, the same optimum."""

from pathlib import Path

import pytest

from tests import native
from tests.levels import random_level, scrambled_level


def test_both_expand_as_many_states(tmp_path: Path) -> None:
    native.needed()
    from tests.kernels import against_cpp

    if against_cpp.compiler() is None:
        pytest.skip("there is no compiler of C++")
    program, most, unsolvable = against_cpp.built(tmp_path), 0, 0
    levels = [scrambled_level(seed, boxes=6, pulls=2000) for seed in (3, 5, 8)]
    levels += [random_level(seed, boxes=2 + seed % 3) for seed in range(20)]
    for level in levels:
        if level.solved or against_cpp.push_board.build(level).dead_start:
            continue
        ours, theirs = against_cpp.ours(level), against_cpp.theirs(program, level)
        assert ours[:2] == theirs[:2]
        most, unsolvable = max(most, ours[1]), unsolvable + (ours[0] < 0)
    assert most > 200 and unsolvable
