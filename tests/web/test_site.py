"""The page as a folder without a server: nothing is asked of others, it plays on offline, clingo runs in the browser."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest

from sokoasp.core.errors import SokoaspError
from sokoasp.web import clingo_wasm, levels, site
from tests.commands import run
from tests.web.conftest import CLINGO
from tests.web.hands import MARKS, Page, size, static

ROOM = "######\n#@   #\n# $ .#\n#    #\n######\n"
pytestmark = MARKS
with_clingo = pytest.mark.skipif(not CLINGO, reason="no clingo for the browser at hand (SOKOASP_CLINGO_WASM)")
LOOK = """
    const done = arguments[0];
    caches.open("sokoasp-3").then((kept) => kept.keys()).then((keys) =>
      done(navigator.serviceWorker.controller ? keys.map((one) => one.url) : []));"""


@static
def test_the_site_asks_nobody_else_and_plays_on_offline(driver: Any, server: str) -> None:
    driver.execute_cdp_cmd("Network.enable", {})
    size(driver, "desktop")
    page = Page(driver, server)
    files = "const done = arguments[0]; fetch('files.json').then((one) => one.json()).then((one) => done(one.files));"
    listed = driver.execute_async_script(files)
    page.wait(lambda: len(driver.execute_async_script(LOOK)) >= len(listed))
    kept = driver.execute_async_script(LOOK)
    page.open(ROOM)
    page.click("solve")
    page.wait(lambda: page.all(".watch"))
    asked = page.js("return performance.getEntriesByType('resource').map((one) => one.name)")
    assert {urlsplit(url).netloc for url in [*kept, *asked]} == {urlsplit(server).netloc}
    policy = page.js("return document.querySelector('meta[http-equiv]').content")
    assert "default-src 'none'" in policy and "http" not in policy, "the browser itself would refuse to ask elsewhere"
    driver.execute_cdp_cmd(
        "Network.emulateNetworkConditions",
        {"offline": True, "latency": 0, "downloadThroughput": 0, "uploadThroughput": 0},
    )
    try:
        again = Page(driver, server, keep=True)
        again.tap(2, 2)
        again.tap(2, 4)
        again.wait(lambda: again.text("message").startswith("Solved"))
        again.js("document.getElementById('levels').click()")
        again.choose("collection", "tutorial/first.xsb")
        again.wait(lambda: again.js("return sokoasp.page.opened.name") == "first.xsb")
    finally:
        back = {"offline": False, "latency": 0, "downloadThroughput": -1, "uploadThroughput": -1}
        driver.execute_cdp_cmd("Network.emulateNetworkConditions", back)
        driver.get_log("browser")  # the browser itself logs what it did not get while it was offline


@static
def test_what_the_site_cannot_do_is_not_offered(page: Page) -> None:
    page.open(ROOM)
    page.click("solve")
    page.wait(lambda: page.all(".watch"))
    assert page.all(".certify") == [] and not page.find("why").is_displayed()
    page.click("tab-asp")
    assert page.find("asp-without").is_displayed() != bool(CLINGO)
    assert page.find("asp-run").is_enabled() == bool(CLINGO)


@static
@with_clingo
def test_the_lane_of_asp_proves_every_count_from_the_position_on_the_board(page: Page) -> None:
    page.open(ROOM)
    page.keys("s", "d")
    assert page.lurd() == "dR"
    page.choose("engine", "asp")
    for objective, words in (("pushes", "1 push"), ("lines", "1 line"), ("moves", "1 move")):
        page.choose("objective", objective)
        page.click("solve")
        page.wait(lambda words=words: f"{words}, proved optimal" in page.text("lanes"))  # type: ignore[misc]


def stop_on_the_way(page: Page) -> None:
    """Run a program that has no plan, however long: it goes on until it is stopped."""
    page.js("""
        const answer = document.getElementById("asp-answer");
        new MutationObserver((_, watch) => {
          if (!/^(More than|Asking)/.test(answer.textContent)) return;
          watch.disconnect();
          document.getElementById("asp-stop").click();
        }).observe(answer, {childList: true, characterData: true, subtree: true});""")
    page.click("asp-run")
    page.wait(lambda: page.text("asp-answer") == "Stopped.")


@static
@with_clingo
def test_programs_run_in_the_browser_and_slips_are_refused_with_their_place(page: Page) -> None:
    page.open(ROOM)
    page.click("asp-objective")
    page.wait(lambda: "box(" in page.js("return document.getElementById('asp-facts').textContent"))
    page.click("asp-run")
    page.wait(lambda: "2 pushes, proved optimal." in page.text("asp-answer"))
    page.js("const s = document.getElementById('asp-step'); s.value = 1; s.dispatchEvent(new Event('input'));")
    assert any(node.text.startswith("push(") for node in page.all(".atom"))
    field = "document.getElementById('asp-constraints').value = arguments[0]"
    page.js(field, "#program step(t).\n:- pusch(_,up,_,t).\n")
    page.click("asp-run")
    page.wait(lambda: "constraints.lp:2:" in page.text("asp-answer") and "pusch" in page.text("asp-answer"))
    page.js(field, "#program step(t).\n:- push(_,up,_,t)\n:- .\n")
    page.click("asp-run")
    page.wait(lambda: "constraints.lp:3:" in page.text("asp-answer") and "syntax error" in page.text("asp-answer"))
    page.js(field, "#program step(t).\n:- pushes_of(_,N,t), N > 1.\n")
    stop_on_the_way(page)
    page.js(field, "")
    page.choose("asp-gallery", "4")
    page.click("asp-run")
    page.wait(lambda: page.find("asp-answer").get_attribute("data-state") == "bad")


@static
@with_clingo
def test_programs_of_boards_run_in_the_browser(page: Page) -> None:
    page.open("goal: A 0,1\nsame: bc\nAAb.\nAAc.\n")
    page.click("asp-objective")
    page.wait(lambda: 'init("A",0).' in page.js("return document.getElementById('asp-facts').textContent"))
    page.click("asp-run")
    page.wait(lambda: "3 slides, proved optimal." in page.text("asp-answer"))
    field = "document.getElementById('asp-constraints').value = arguments[0]"
    page.js(field, '#program step(t).\n:- slide("b",2,3,t).\n:- slide("b",2,7,t).\n')
    page.click("asp-run")
    page.wait(lambda: "5 slides, proved optimal." in page.text("asp-answer"))
    page.js(field, '#program step(t).\n:- slide("A",_,_,t).\n')
    stop_on_the_way(page)
    page.choose("engine", "asp")
    page.click("solve")
    page.wait(lambda: page.all(".watch"))
    assert "3 slides, proved optimal" in page.text("lanes")


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
    with pytest.raises(SokoaspError, match=r"no clingo\.js"):
        clingo_wasm.files(tmp_path)


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


def test_own_levels_come_first(tmp_path: Path) -> None:
    made = site.make([("mine.xsb", ROOM)])
    assert made.collections == len(levels.bundled()) + 1
    state = json.loads(made.files["index.html"][0].decode().split('id="state">')[1].split("</script>")[0])
    assert state["opened"]["name"] == "mine.xsb" and state["own"] and not state["clingo"]
    with pytest.raises(SokoaspError, match=r"bad\.xsb"):
        site.make([("bad.xsb", "nothing")])


def test_own_levels_may_be_in_utf_16(tmp_path: Path) -> None:
    (tmp_path / "mine.xsb").write_text(ROOM, encoding="utf-16")
    done = run("site", "-o", str(tmp_path / "made"), "--without-clingo", str(tmp_path / "mine.xsb"))
    assert done.returncode == 0 and "mine.xsb" in (tmp_path / "made" / "index.html").read_text()


def test_own_levels_may_be_in_a_file_whose_name_is_no_text(tmp_path: Path) -> None:
    file = tmp_path / os.fsdecode(b"caf\xe9.xsb")
    file.write_text(ROOM)
    done = run("site", "-o", str(tmp_path / "made"), "--without-clingo", str(file))
    assert done.returncode == 0, done.stderr
