"""The page as a folder: its files, clingo for the browser, own levels."""

import json
import os
from pathlib import Path

import pytest

from sokoasp.core.errors import SokoaspError
from sokoasp.web import clingo_wasm, levels, site
from tests.commands import run
from tests.web.conftest import CLINGO

ROOM = "######\n#@   #\n# $ .#\n#    #\n######\n"


def test_a_site_has_what_its_page_asks_for(tmp_path: Path) -> None:
    site.make(clingo=clingo_wasm.files(Path(CLINGO)) if CLINGO else None).write(tmp_path)
    listed = json.loads((tmp_path / "files.json").read_text(encoding="utf-8"))
    for name in listed["files"]:
        assert (tmp_path / name).exists(), name
    text = (tmp_path / "index.html").read_text(encoding="utf-8")
    assert "http://" not in text.replace("http://www.w3.org/2000/svg", "") and "https://" not in text
    assert 'src="/' not in text and 'href="/' not in text, "it may live in any folder"
    assert (tmp_path / listed["folder"] / "optima" / "LICENSE").exists()
    assert bool(CLINGO) == (tmp_path / listed["folder"] / "clingo" / "LICENSE").exists()


def test_another_package_than_the_pinned_one_is_refused(tmp_path: Path) -> None:
    other = tmp_path / "clingo-wasm.tgz"
    other.write_bytes(b"something else")
    with pytest.raises(SokoaspError, match="checksum"):
        clingo_wasm.files(other)


def test_npm_that_brings_nothing_is_not_waited_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    npm = tmp_path / "npm"
    npm.write_text("#!/bin/sh\nexec sleep 60\n")
    npm.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=os.pathsep)
    monkeypatch.setattr(clingo_wasm, "NPM_SECONDS", 0.2)
    with pytest.raises(SokoaspError, match=r"npm did not bring clingo-wasm .* within 0\.2 s"):
        clingo_wasm.files()
    npm.write_text("#!/bin/sh\necho no network >&2; exit 1\n")
    monkeypatch.setattr(clingo_wasm, "NPM_SECONDS", 20.0)
    with pytest.raises(SokoaspError, match=r"npm could not bring clingo-wasm .*: no network"):
        clingo_wasm.files()


def test_own_levels_come_first() -> None:
    made = site.make([("mine.xsb", ROOM)])
    assert made.collections == len(levels.bundled()) + 1
    state = json.loads(made.files["index.html"][0].decode().split('id="state">')[1].split("</script>")[0])
    assert state["opened"]["name"] == "mine.xsb" and state["own"] and not state["clingo"]
    with pytest.raises(SokoaspError, match=r"bad\.xsb:"):
        site.make([("bad.xsb", "####\n#@ #\n####\n")])


@pytest.mark.parametrize(("name", "encoding"), [("mine.xsb", "utf-16"), (os.fsdecode(b"caf\xe9.xsb"), "utf-8")])
def test_own_levels_may_be_in_utf_16_or_in_a_file_whose_name_is_no_text(
    tmp_path: Path, name: str, encoding: str
) -> None:
    file = tmp_path / name
    file.write_text(ROOM, encoding=encoding)
    done = run("site", "-o", str(tmp_path / "made"), "--without-clingo", str(file))
    assert done.returncode == 0 and ".xsb" in (tmp_path / "made" / "index.html").read_text(), done.stderr
