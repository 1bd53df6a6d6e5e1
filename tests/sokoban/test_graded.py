"""The bundled graded sets: their order, and what each level says of itself."""

import re

import pytest

from sokoasp.core.limits import Limits
from sokoasp.core.shipped import SHIPPED
from sokoasp.domain.sokoban import DOMAIN
from sokoasp.sokoban import formats
from sokoasp.sokoban.canonical import board_hash
from sokoasp.sokoban.level import Level
from sokoasp.sokoban.rules import plan_from_lurd
from sokoasp.sokoban.validate import validate


def shipped() -> list[list[Level]]:
    paths = sorted((SHIPPED / "graded").glob("*.sok"), key=lambda path: path.name)
    return [list(formats.read(path.read_bytes(), source=path.name)) for path in paths]


def noted(level: Level) -> dict[str, float]:
    """Return what the comment of a level of the sets says, by name."""
    pattern = (
        r"difficulty (?P<grade>\d+) of 10 \(score (?P<score>[\d.]+)\)\n"
        r"optimum: (?P<pushes>\d+) pushes, (?P<moves>\d+) moves, (?P<lines>\d+) lines\n"
    )
    match = re.search(pattern, level.comment)
    assert match is not None, level.comment
    return {name: float(value) for name, value in match.groupdict().items()}


def test_the_sets_go_from_one_box_to_twelve_in_the_order_of_one_score() -> None:
    sets = shipped()
    assert [len(levels) for levels in sets] == [30] * 10
    assert [{len(level.boxes) for level in levels} for levels in sets] == [
        {n} for n in (1, 2, 3, 4, 5, 6, 7, 8, 10, 12)
    ]
    assert len({board_hash(level) for levels in sets for level in levels}) == 300
    scores = [[noted(level)["score"] for level in levels] for levels in sets]
    assert all(some == sorted(some) for some in scores)
    ranked = sorted(score for some in scores for score in some)
    for level in (level for levels in sets for level in levels):
        said = noted(level)
        assert said["grade"] in {1 + min(9, 10 * ranked.index(said["score"]) // 300) + d for d in (-1, 0, 1)}


def test_each_plan_has_the_lines_that_its_level_says() -> None:
    for level in (level for levels in shipped() for level in levels):
        assert validate(level, plan_from_lurd(level, level.solutions[0])).lines == noted(level)["lines"], level.title


@pytest.mark.slow
@pytest.mark.timeout(1800)
def test_the_native_search_proves_what_each_level_says() -> None:
    pytest.importorskip("numba", reason="the native search is not installed")
    for level in (level for levels in shipped() for level in levels):
        for name in ("pushes", "moves", "lines"):
            assert DOMAIN.search.native["native"](level, name, Limits(seconds=60)).value == noted(level)[name], (
                level.title
            )
