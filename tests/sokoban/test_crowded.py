"""Crowded levels: the optimum that comes with each is that of the oracle, and the same wish gives the same levels."""

from __future__ import annotations

import pytest
from click.testing import CliRunner

from sokoasp.cli.generate import command
from sokoasp.core.errors import SokoaspError
from sokoasp.core.limits import Limits
from sokoasp.sokoban import formats
from sokoasp.sokoban.generate import crowded
from sokoasp.sokoban.generate.generator import Wish
from sokoasp.sokoban.level import Cell
from sokoasp.sokoban.search.exact import reference
from tests import native

pytest.importorskip("numpy")
native.needed()

WISH = Wish(rows=6, cols=6, boxes=4, states=2_000)


@pytest.fixture(autouse=True)
def short(monkeypatch: pytest.MonkeyPatch) -> None:
    """Change each room a few times only."""
    monkeypatch.setattr(crowded, "STAGES", ((12, 0.2), (6, 1.0)))


def test_the_optimum_is_that_of_the_oracle() -> None:
    made = list(crowded.crowded(WISH, 2))
    for level in made:
        best = reference.solve(level, "pushes", Limits(states=20_000))
        assert f"optimum: {best.value} pushes" in level.comment, level
        assert best.value
    assert [level.rows() for level in crowded.crowded(WISH, 2)] == [level.rows() for level in made]


def test_climbing_never_loses_depth(monkeypatch: pytest.MonkeyPatch) -> None:
    climbed = [_optimum(level.comment) for level in crowded.crowded(WISH, 3)]
    monkeypatch.setattr(crowded, "STAGES", ((0, 1.0),))
    at_random = [_optimum(level.comment) for level in crowded.crowded(WISH, 3)]
    assert sum(climbed) > sum(at_random)


def test_a_room_that_is_seen_whole() -> None:
    """A corridor of one box: it is pulled to where the player has no room left."""
    row = frozenset(Cell(1, col) for col in range(1, 7))
    room = crowded.explored(crowded.Room(row, frozenset({Cell(1, 1)})), 100)
    assert (room.depth, room.states) == (4, 5)
    assert (room.boxes, room.player) == (frozenset({Cell(1, 5)}), Cell(1, 6))


def test_the_command() -> None:
    words = ["--crowded", "--rows", "6", "--cols", "6", "--boxes", "4", "--states", "2000"]
    made = CliRunner().invoke(command, words)
    first = next(crowded.crowded(WISH, 1))
    assert (made.exit_code, made.stdout) == (0, formats.write([first], "sok"))
    refused = CliRunner().invoke(command, [*words, "--boxes", "11"])
    assert refused.exit_code == 2 and "11 boxes and two free cells do not fit" in refused.stderr


def test_no_level_is_begun_after_the_time_limit() -> None:
    assert list(crowded.crowded(WISH, 2, seconds=0.0)) == []
    assert len(list(crowded.crowded(WISH, 2, seconds=600.0))) == 2


def test_too_many_boxes() -> None:
    with pytest.raises(SokoaspError, match="11 boxes and two free cells do not fit"):
        crowded.crowded(Wish(rows=6, cols=6, boxes=11), 1)


def _optimum(comment: str) -> int:
    return int(comment.split()[1])


def test_boxes_and_two_free_cells_may_just_fit() -> None:
    """On three quarters of 16 cells."""
    crowded.crowded(Wish(rows=6, cols=6, boxes=10), 1)
    with pytest.raises(
        SokoaspError, match="11 boxes and two free cells do not fit on three quarters of 16 inner cells"
    ):
        crowded.crowded(Wish(rows=6, cols=6, boxes=11), 1)
