"""Pictures of collections: never silently the first level only."""

from __future__ import annotations

import struct
from pathlib import Path
from xml.etree import ElementTree

import pytest

from sokoasp import render
from sokoasp.render.contact import shelves
from sokoasp.sokoban import formats
from tests.commands import FIRST, TUTORIAL, run

BAD = "; 1\n\n#####\n#@$.#\n#####\n\n; 2\n\n#####\n#@$ #\n#####\n\n; 3\n\n######\n#@ $.#\n######\n"


def test_a_collection_becomes_a_contact_sheet(tmp_path: Path) -> None:
    path = tmp_path / "sheet.svg"
    assert run("render", TUTORIAL, "-o", str(path)).returncode == 0
    words = "".join(ElementTree.fromstring(path.read_text(encoding="utf-8")).itertext())
    levels = formats.read(Path(TUTORIAL).read_text(encoding="utf-8"))
    assert all(str(number) in words for number in range(1, len(levels) + 1))
    assert path.read_text().count('class="player"') == len(levels)


def test_png_of_a_level(tmp_path: Path) -> None:
    pytest.importorskip("resvg_py", reason="the extra [web] is not installed")
    picture = tmp_path / "one.png"
    assert run("render", FIRST, "-o", str(picture)).returncode == 0
    head = picture.read_bytes()[:24]
    assert head[:8] == b"\x89PNG\r\n\x1a\n" and struct.unpack(">II", head[16:]) == (352, 188)


def test_a_name_without_suffix_is_a_folder_where_there_are_several_files(tmp_path: Path) -> None:
    new, one = tmp_path / "new", tmp_path / "one"
    assert (
        run("render", FIRST, FIRST, "-o", str(new), "--format", "svg").returncode == 0 and len(list(new.iterdir())) == 2
    )
    assert run("render", FIRST, "-o", str(one), "--format", "svg").returncode == 0 and one.is_file()


def test_a_folder_gets_a_file_a_level_and_bad_ones_are_told(tmp_path: Path) -> None:
    done = run("render", "-", "-o", f"{tmp_path}/pictures/", "--format", "svg", stdin=BAD)
    assert done.returncode == 30 and "error: <stdin>" in done.stderr
    assert sorted(path.name for path in (tmp_path / "pictures").iterdir()) == ["stdin-0001.svg", "stdin-0003.svg"]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("-o", "x.html"), "html shows one: choose one by --level N, or give a folder"),
        (("-o", "x.png"), "png shows one"),
        ((FIRST.replace(".xsb", ".lurd"), "-o", "x.svg"), "PLAN is for one level, and there are several"),
        ((FIRST.replace(".xsb", ".lurd"), "-o", "pictures/"), "PLAN is for one level"),
        (("-o", "x.bmp"), "must end in .svg, .png, .html"),
    ],
)
def test_what_is_no_picture_of_several_levels_is_refused(arguments: tuple[str, ...], words: str) -> None:
    done = run("render", TUTORIAL, *arguments)
    assert (done.returncode, done.stdout) == (2, "") and words in done.stderr
    assert not Path("x.html").exists() and not Path("pictures").exists()


def test_more_levels_than_a_sheet_holds() -> None:
    text = "#####\n#@$.#\n#####\n\n" * (render.MOST_ON_A_SHEET + 1)
    done = run("render", "-", "-o", "-", "--format", "svg", stdin=text)
    assert done.returncode == 2 and "more levels than a sheet holds" in done.stderr


def test_without_resvg_there_is_one_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    import sys

    from sokoasp.core.errors import MissingExtra

    monkeypatch.setitem(sys.modules, "resvg_py", None)
    with pytest.raises(MissingExtra, match=r"a PNG picture needs the extra .*\[web\]"):
        render.png(render.svg(formats.read("#####\n#@$.#\n#####\n")[0]))


def test_shelves_do_not_overlap_and_keep_the_order() -> None:
    sizes = [(30, 20), (50, 40), (10, 10), (200, 5), (20, 60)] * 7
    places, (width, height) = shelves(sizes)
    covered: set[tuple[int, int]] = set()
    for (x, y), (w, h) in zip(places, sizes, strict=True):
        cells = {(i, j) for i in range(x, x + w) for j in range(y, y + h)}
        assert not covered & cells and x + w <= width and y + h <= height
        covered |= cells
    assert places == sorted(places, key=lambda place: (place[1], place[0]))
