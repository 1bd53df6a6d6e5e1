"""What is written is read back as the same level, in every notation that has both directions."""

from dataclasses import replace

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from sokoasp.core.errors import LevelError, NotationError
from sokoasp.sokoban import formats
from sokoasp.sokoban.canonical import board_hash
from sokoasp.sokoban.formats import lurd
from sokoasp.sokoban.formats.run_length import compress, expand
from sokoasp.sokoban.level import Cell, Level
from tests.sokoban.strategies import WORDS, levels

SUFFIX = {"xsb": "a.xsb", "sok": "a.sok", "rle": "a.rle", "slc": "a.slc", "json": "a.json"}
KNOWN = formats.read("#####\n#@$.#\n#####\n")[0]


@pytest.mark.parametrize("to", SUFFIX)
@given(several=st.lists(levels(), min_size=1, max_size=4))
def test_levels_come_back(to: str, several: list[Level]) -> None:
    text = formats.write(several, to)
    for source in (SUFFIX[to], ""):
        again = formats.read(text, source=source)
        assert list(again) == several and [level.title for level in again] == [level.title for level in several]
        assert formats.write(again, to) == text
        if to not in ("xsb", "rle"):
            assert [level.author for level in again] == [level.author for level in several]


@given(
    comment=st.lists(st.one_of(WORDS, st.sampled_from(["#####", "#@$.#", "lurd", "::", "Title: x", ""])), max_size=6),
    solutions=st.lists(st.text(alphabet="lurdLURD", min_size=1, max_size=30), max_size=3),
)
def test_comments_and_solutions_come_back(comment: list[str], solutions: list[str]) -> None:
    level = replace(KNOWN, comment="\n".join(comment).strip(), solutions=tuple(solutions), collection="All of them")
    for to in ("sok", "json"):
        first, second = formats.read(formats.write([level, level], to), source=SUFFIX[to])
        assert (first.comment, first.solutions, first.collection) == (level.comment, level.solutions, "All of them")
        assert second == first


@given(level=levels())
def test_json_keeps_what_only_facts_have(level: Level) -> None:
    names = tuple((cell, f"n{index}") for index, cell in enumerate(sorted(level.floor)))
    spare = sorted(level.floor - level.boxes - {level.player})[:1]
    full = replace(level, names=names, steps=3, step_names=("a", "b", "c"), boxes=level.boxes | set(spare))
    (again,) = formats.read(formats.write([full], "json"))
    assert again == full and (again.names, again.steps, again.step_names) == (full.names, 3, ("a", "b", "c"))


def test_spare_boxes_are_refused_where_they_cannot_be_written() -> None:
    level = replace(KNOWN, goals=frozenset({Cell(1, 3)}), floor=KNOWN.floor | {Cell(1, 4)})
    level = replace(level, boxes=level.boxes | {Cell(1, 4)})
    for to in ("xsb", "sok", "rle", "slc"):
        with pytest.raises(LevelError, match="2 boxes, 1 goal"):
            formats.write([level], to)


def test_walls_are_drawn_where_a_level_has_none() -> None:
    bare = Level(floor=KNOWN.floor, boxes=KNOWN.boxes, goals=KNOWN.goals, player=KNOWN.player)
    assert formats.read(formats.write([bare], "xsb"))[0] == KNOWN
    up = Cell(0, 0)
    corner = Level(floor=frozenset({up, Cell(0, 1), Cell(0, 2)}), boxes=frozenset({Cell(0, 1)}),
                   goals=frozenset({Cell(0, 2)}), player=up)  # fmt: skip
    assert formats.read(formats.write([corner], "rle"))[0] == KNOWN


def test_unknown_notation_is_named() -> None:
    with pytest.raises(NotationError, match="no notation 'png'"):
        formats.write([KNOWN], "png")


def no_fail(code: str, message: str, offset: int) -> None:
    raise AssertionError(f"{code} {message} at {offset}")


@given(text=st.text(alphabet="# -$.@", max_size=60))
@example(text="")
def test_runs_come_back(text: str) -> None:
    assert expand(compress(text), 60, no_fail) == text  # type: ignore[arg-type]


@given(moves=st.text(alphabet="lurdLURD", max_size=80))
def test_moves_come_back(moves: str) -> None:
    for rle in (False, True):
        written = compress(moves) if rle else moves
        assert lurd.read(written) == moves
        assert lurd.read("\n ".join(written[n : n + 7] for n in range(0, len(written), 7))) == moves


@pytest.mark.parametrize(
    ("text", "moves"),
    [("3r4U", "rrrUUUU"), ("2(3(dr)R)", "drdrdrRdrdrdrR"), ("2(ldr3u)", "ldruuuldruuu"), ("rr*", "rr"), ("", "")],
)
def test_moves_of_the_specification(text: str, moves: str) -> None:
    assert lurd.read(text) == moves


@pytest.mark.parametrize(
    ("text", "code", "place"),
    [
        ("r\n3", "E-RLE", "s:2:1"),
        ("r (d", "E-RLE", "s:1:3"),
        ("r)", "E-RLE", "s:1:2"),
        ("r0d", "E-RLE", "s:1:2"),
        ("9999999999d", "E-SIZE", "s:1:11"),
        ("9(" * 60 + "r" + ")" * 60, "E-SIZE", "s:1:129"),
        ("(" * 200, "E-SIZE", "s:1:101"),
        ("rd\nrq", "E-SOL", "s:2:2"),
    ],
)
def test_faulty_moves(text: str, code: str, place: str) -> None:
    with pytest.raises(NotationError) as caught:
        lurd.read(text, source="s")
    assert (caught.value.code, caught.value.place) == (code, place)


@given(level=levels(), view=st.integers(0, 7), by=st.integers(0, 3))
def test_72_duplicates_up_to_turning_and_mirroring(level: Level, view: int, by: int) -> None:
    def at(cell: Cell) -> Cell:
        row, col = cell
        if view & 4:
            col = -col
        for _ in range(view & 3):
            row, col = col, -row
        return Cell(row + 100 + by, col + 100)  # rows and columns count from 0

    def turn(cells: frozenset[Cell]) -> frozenset[Cell]:
        return frozenset(map(at, cells))

    twin = Level(turn(level.floor), turn(level.boxes), turn(level.goals), at(level.player))
    assert board_hash(level) == board_hash(twin)


@pytest.mark.parametrize("to", ["xsb", "rle", "sok"])
@pytest.mark.parametrize("title", ["@#3|", ")#3|", "###", "*#", "$ and #"])
def test_a_title_that_looks_like_a_row_comes_back(title: str, to: str) -> None:
    text = f"#####\n#@$.#\n#####\nTitle: {title}\n"
    again = formats.read(formats.write(formats.read(text) * 2, to))
    assert [level.title for level in again] == [title, title]
