"""Pictures of collections: never silently the first level only."""

import struct
from pathlib import Path

import pytest

from sokoasp import render
from sokoasp.sokoban import formats
from tests.commands import FIRST, TUTORIAL, run

BAD = "; 1\n\n#####\n#@$.#\n#####\n\n; 2\n\n#####\n#@$ #\n#####\n\n; 3\n\n######\n#@ $.#\n######\n"


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
    long = "rl" * 200 + "rRR"  # is no file's name
    assert run("render", FIRST, long, "-o", str(one), "--format", "svg").returncode == 0 and one.is_file()


def test_a_folder_gets_a_file_a_level_and_bad_ones_are_told(tmp_path: Path) -> None:
    done = run("render", "-", "-o", f"{tmp_path}/pictures/", "--format", "svg", stdin=BAD)
    assert done.returncode == 30 and "error: <stdin>" in done.stderr
    assert sorted(path.name for path in (tmp_path / "pictures").iterdir()) == ["stdin-0001.svg", "stdin-0003.svg"]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (
            ("-o", "x.html"),
            "the file x.html (a folder ends in /) is for one level: name one file, and its level with --level",
        ),
        (("-o", "x.png"), "is for one level"),
        ((FIRST.replace(".xsb", ".lurd"), "-o", "x.svg"), "is for one level"),
        ((FIRST.replace(".xsb", ".lurd"), "-o", "pictures/"), "PLAN is for one level"),
        (("-o", "x.bmp"), "must end in .svg, .png, .html"),
    ],
)
def test_what_is_no_picture_of_several_levels_is_refused(arguments: tuple[str, ...], words: str) -> None:
    done = run("render", TUTORIAL, *arguments)
    assert (done.returncode, done.stdout) == (2, "") and words in done.stderr
    assert not Path("x.html").exists() and not Path("pictures").exists()


def test_without_resvg_there_is_one_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    import sys

    from sokoasp.core.errors import MissingExtra

    monkeypatch.setitem(sys.modules, "resvg_py", None)
    with pytest.raises(MissingExtra, match=r"a PNG picture needs the extra .*\[web\]"):
        render.png(render.svg(formats.read("#####\n#@$.#\n#####\n")[0]))
