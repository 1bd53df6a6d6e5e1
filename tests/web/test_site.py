"""The page as a folder without a server: the page's tests on it, from Python's plain web server; nothing asked of others."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest

from sokoasp.core.errors import SokoaspError
from sokoasp.web import static_site
from tests.commands import run
from tests.web.hands import MARKS, Page, hosting, size
from tests.web.test_access import CHECK, TABS, axe
from tests.web.test_browser import (  # noqa: F401
    test_a_deadlock_is_warned_of_with_its_reason_and_left,
    test_a_hint_where_nothing_helps_says_so,
    test_a_level_is_played_to_its_end_by_taps,
    test_a_position_is_shared_by_the_address,
    test_an_address_that_holds_nothing_to_play_leaves_the_page_as_it_is,
    test_hints_go_up_a_ladder_to_the_end,
    test_the_table_of_optima_is_named_as_the_origin,
)
from tests.web.test_days import (  # noqa: F401
    test_a_solution_is_shortened_watched_and_taken,
    test_everybody_has_the_same_level_of_the_day,
)
from tests.web.test_layout import (
    test_programs_have_line_numbers_colours_words_and_examples as programs_are_written,
)
from tests.web.test_layout import (  # noqa: F401
    test_stars_are_won_by_the_optimum_and_losses_are_one_click_away,
)

pytestmark = MARKS
ROOM = "######\n#@   #\n# $ .#\n#    #\n######\n"
CLINGO = os.environ.get("SOKOASP_CLINGO_WASM", "")
with_clingo = pytest.mark.skipif(not CLINGO, reason="no clingo for the browser at hand (SOKOASP_CLINGO_WASM)")
"""Where the npm package clingo-wasm is; without it the tests that need clingo in the browser are skipped."""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A site made with what is at hand, in a folder of its own below the host's root."""
    root = tmp_path_factory.mktemp("host")
    clingo = static_site.clingo_files(Path(CLINGO)) if CLINGO else None
    static_site.build(root / "school" / "sokoban", clingo=clingo)
    return root


@pytest.fixture(scope="module")
def server(folder: Path) -> Iterator[str]:
    """The address of the site: in place of the player's server in the tests that are taken over from it."""
    with hosting(folder) as address:
        yield f"{address}school/sokoban/"


def test_the_site_asks_nobody_else_and_plays_on_offline(driver: Any, server: str, folder: Path) -> None:
    driver.execute_cdp_cmd("Network.enable", {})
    size(driver, "desktop")
    page = Page(driver, server)
    look = """
        const done = arguments[0];
        caches.open("sokoasp-3").then((kept) => kept.keys()).then((keys) =>
          done(navigator.serviceWorker.controller ? keys.map((one) => one.url) : []));"""
    listed = json.loads((folder / "school" / "sokoban" / "files.json").read_text(encoding="utf-8"))["files"]
    page.wait(lambda: len(driver.execute_async_script(look)) >= len(listed))
    kept = driver.execute_async_script(look)
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


def test_what_the_site_cannot_do_is_not_offered(page: Page) -> None:
    page.open(ROOM)
    page.click("solve")
    page.wait(lambda: page.all(".watch"))
    assert page.all(".certify") == [] and not page.find("why").is_displayed()
    page.click("tab-asp")
    assert page.find("asp-without").is_displayed() != bool(CLINGO)
    assert page.find("asp-run").is_enabled() == bool(CLINGO)


def test_an_accessibility_checker_finds_nothing_on_the_site(driver: Any, server: str) -> None:
    script = axe()
    if script is None:
        pytest.skip("no axe-core on this machine (pip install axe-core-python)")
    size(driver, "desktop")
    page = Page(driver, server, speed="instant")
    page.js(script.read_text(encoding="utf-8"))
    page.open(ROOM)
    for name in TABS:
        page.click(f"tab-{name}")
        page.wait(lambda name=name: name != "asp" or page.all("#asp-predicates code"))  # type: ignore[misc]
        assert driver.execute_async_script(CHECK, "html") == [], name
    page.click("levels")
    assert driver.execute_async_script(CHECK, "#level-list") == []


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


def test_pictures_and_players_are_made_in_the_browser(page: Page) -> None:
    page.open(ROOM)
    page.open("d2R")
    saved = """
        const done = arguments[arguments.length - 1], old = URL.createObjectURL;
        URL.createObjectURL = (blob) => {
          blob.text().then((text) => { URL.createObjectURL = old; done([sokoasp.page.saved, text]); });
          return old.call(URL, blob);
        };
        document.querySelector(arguments[0]).click();"""
    name, text = page.driver.execute_async_script(saved, ".export[data-format=svg]")
    assert name.endswith(".svg") and text.startswith("<svg") and "<style>" in text
    name, text = page.driver.execute_async_script(saved, ".export[data-format=html]")
    assert name.endswith(".html") and '"moves":[[["p",1,0]]' in text and "@picture@" not in text and "<svg" in text
    page.js("document.querySelector('.export[data-format=png]').click()")
    page.says(".png")


def test_levels_are_drawn_checked_and_generated_in_the_browser(page: Page) -> None:
    page.open(ROOM)
    page.click("edit")
    page.wait(lambda: "Solvable, optimum: 2 pushes" in page.text("edit-check"))
    page.js("document.querySelector('#editor details').open = true")
    page.js("document.getElementById('wish-min_lines').value = 3")
    page.click("generate")
    page.wait(lambda: page.text("generated").startswith("optimum: "))
    page.wait(lambda: "Solvable, optimum" in page.text("edit-check"))
    page.click("edit-leave")


def test_losses_are_found_in_the_browser(page: Page) -> None:
    page.open("#######\n#     #\n#     #\n#@$ . #\n#     #\n#     #\n#######\n")
    page.open("drUluurDldRR")
    page.click("weigh")
    page.wait(lambda: page.text("bar-note") == "1 of 4 pushes cost 2 together.")


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


@with_clingo
def test_programs_are_written_with_words_and_examples(page: Page) -> None:
    programs_are_written(page)


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


def test_a_site_has_what_its_page_asks_for(folder: Path) -> None:
    made = folder / "school" / "sokoban"
    listed = json.loads((made / "files.json").read_text(encoding="utf-8"))
    for name in listed["files"]:
        assert (made / name).exists(), name
    text = (made / "index.html").read_text(encoding="utf-8")
    assert "http://" not in text.replace("http://www.w3.org/2000/svg", "") and "https://" not in text
    assert 'src="/' not in text and 'href="/' not in text, "it may live in any folder"
    assert (made / listed["folder"] / "optima" / "LICENSE").exists()
    assert bool(CLINGO) == (made / listed["folder"] / "clingo" / "LICENSE").exists()


def test_another_package_than_the_pinned_one_is_refused(tmp_path: Path) -> None:
    other = tmp_path / "clingo-wasm.tgz"
    other.write_bytes(b"something else")
    with pytest.raises(SokoaspError, match="checksum"):
        static_site.clingo_files(other)
    with pytest.raises(SokoaspError, match=r"no clingo\.js"):
        static_site.clingo_files(tmp_path)


def test_npm_that_brings_nothing_is_not_waited_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    npm = tmp_path / "npm"
    npm.write_text("#!/bin/sh\nexec sleep 60\n")
    npm.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=os.pathsep)
    monkeypatch.setattr(static_site, "NPM_SECONDS", 0.2)
    with pytest.raises(SokoaspError, match=r"npm did not bring clingo-wasm .* within 0\.2 s"):
        static_site.clingo_files()
    npm.write_text("#!/bin/sh\necho no network >&2; exit 1\n")
    monkeypatch.setattr(static_site, "NPM_SECONDS", 20.0)
    with pytest.raises(SokoaspError, match=r"npm could not bring clingo-wasm .*: no network"):
        static_site.clingo_files()


def test_own_levels_come_first(tmp_path: Path) -> None:
    made = static_site.build(tmp_path, [("mine.xsb", ROOM)])
    assert made.collections == len(static_site.examples.load()) + 1 and not made.clingo
    state = json.loads((tmp_path / "index.html").read_text().split('id="state">')[1].split("</script>")[0])
    assert state["opened"]["name"] == "mine.xsb" and state["own"]
    with pytest.raises(SokoaspError, match=r"bad\.xsb"):
        static_site.build(tmp_path, [("bad.xsb", "nothing")])


def test_own_levels_may_be_in_utf_16(tmp_path: Path) -> None:
    (tmp_path / "mine.xsb").write_text(ROOM, encoding="utf-16")
    done = run("site", "-o", str(tmp_path / "made"), "--without-clingo", str(tmp_path / "mine.xsb"))
    assert done.returncode == 0 and "mine.xsb" in (tmp_path / "made" / "index.html").read_text()


def test_own_levels_may_be_in_a_file_whose_name_is_no_text(tmp_path: Path) -> None:
    file = tmp_path / os.fsdecode(b"caf\xe9.xsb")
    file.write_text(ROOM)
    done = run("site", "-o", str(tmp_path / "made"), "--without-clingo", str(file))
    assert done.returncode == 0, done.stderr
