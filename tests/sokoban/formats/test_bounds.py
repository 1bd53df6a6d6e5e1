"""Limits hold before anything large is built, and no notation takes for ever over hostile text."""

from types import ModuleType

import pytest

from sokoasp.core import atoms
from sokoasp.core.errors import SokoaspError
from sokoasp.sokoban import formats
from sokoasp.sokoban.formats import slc, text, xsb
from sokoasp.sokoban.level import Level

BOARD = "#####\n#@$.#\n#####\n\n"


def code_of(data: str | bytes, source: str = "a.txt") -> str:
    with pytest.raises(SokoaspError) as caught:
        formats.read(data, source=source)
    assert caught.value.place.startswith(source)
    return caught.value.code


SLC_LEVEL = "<Level><L>#####</L><L>#@$.#</L><L>#####</L></Level>"


@pytest.mark.parametrize(
    ("module", "limit", "most", "source", "data"),
    [
        *((text, "MAX_BYTES", 10, source, BOARD.encode()) for source in ("a.txt", "a.lp", "a.slc", "a.json")),
        (text, "MAX_LINES", 10, "a.txt", "\n" * 30 + BOARD),
        (slc, "MAX_LEVELS", 3, "a.slc", f"<SokobanLevels>{SLC_LEVEL * 4}</SokobanLevels>"),
        (atoms, "MAX_ATOMS", 20, "a.lp", "box(a)." * 30),
        (atoms, "MAX_ATOMS", 20, "a.lp", "box(" + "a" * 600 + ")."),
        (atoms, "MAX_ATOMS", 20, "a.lp", "b" * 600 + "(a)."),
    ],
)
def test_too_much(
    module: ModuleType, limit: str, most: int, source: str, data: str | bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, limit, most)
    assert code_of(data, source) == "E-SIZE"


def test_cells_of_all_levels(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(formats, "MAX_TOTAL", 50)
    found = list(formats.read_each(BOARD * 9, max_cells=50))
    assert [isinstance(item, Level) for item in found] == [True, True, True, False]


def test_characters_written_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(xsb, "MAX_WRITTEN", 40)
    assert len(formats.read("5#|#@$.#|5#\n\n" * 2)) == 2 and code_of("5#|#@$.#|5#\n\n" * 3) == "E-SIZE"


def test_rows_of_one_board() -> None:
    assert code_of("#" * 30_000 + "\n" + "99(9-#)|\n" * 1000 + "#@$.#\n") == "E-SIZE"
    assert code_of("####\n" * 50_000 + "#@$.#\n") == "E-SIZE"


@pytest.mark.parametrize(
    "data",
    [
        "%**%\n" * 100_000,
        "%*" * 200_000,
        "(" * 200_000,
        "9(" * 100_000 + "#|",
        "1" * 200_000,
        "a " * 100_000 + ":",
        "a" + " " * 200_000 + "b",
        "#" + "\u00a0" * 200_000 + "#",
        BOARD + "199(lr)\n\n" * 2_000,
        BOARD + "9999999(lr)\n",
        "[" * 200_000,
        '{"rows": [' * 50_000,
    ],
)
def test_hostile_text_is_answered(data: str) -> None:
    for source in ("a.txt", "a.lp", "a.slc", "a.json"):
        for found in formats.read_each(data, source=source):
            assert isinstance(found, Level) or (found.code and found.place)


def test_who_allows_larger_boards_allows_larger_files(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(formats, "MAX_TOTAL", 10)
    text = "#######\n#@ $ .#\n#######\n\n" * 3
    assert len(formats.read(text, max_cells=100)) == 3
    with pytest.raises(SokoaspError, match="more than 10 cells together"):
        formats.read(text, max_cells=25)
