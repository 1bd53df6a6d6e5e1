"""An accessibility checker (axe-core) on every view of the page, in a real browser."""

import importlib.util
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.web.hands import BOARD, ROOM, TRAP, Keys, Page, served, size


def axe() -> str:
    """Return axe-core's script, as a test package ships it; without one the test is skipped."""
    for name in ("axe_playwright_python", "axe_core_python"):
        spec = importlib.util.find_spec(name)
        for folder in (spec.submodule_search_locations or []) if spec else []:
            if (Path(folder) / "axe.min.js").is_file():
                return (Path(folder) / "axe.min.js").read_text(encoding="utf-8")
    pytest.skip("no axe-core on this machine (pip install axe-core-python)")


DIALOGS = ("level-list", "opener", "settings-box", "keys", "copy-box")
UNFOLD = """
    const panels = document.getElementById("panels");
    if (panels.offsetParent && document.body.dataset.drawer !== "open") panels.click();
    document.getElementById(`tab-${arguments[0]}`).click();
    document.querySelectorAll("aside details").forEach((one) => { one.open = true; });"""
TABS = ("best", "solve", "share", "asp")


def views(page: Page) -> Iterator[tuple[str, str]]:
    """Bring every view on, one after the other: its name and the part of the page that is new in it."""
    yield "play", "html"
    page.js("document.getElementById('levels').click()")
    for name in DIALOGS:
        page.js("const d = document.getElementById(arguments[0]); if (!d.open) d.showModal()", name)
        yield name, f"#{name}"
        if name == "level-list":
            page.js("document.getElementById('list-packs').click(); document.querySelector('#packs details').open = 1")
            yield "packs", "#level-list"
        page.js("document.getElementById(arguments[0]).close()", name)
    page.open(TRAP)
    for name in TABS:
        page.js(UNFOLD, name)
        if name == "asp":
            page.wait(lambda: "box(" in page.js("return document.getElementById('asp-facts').textContent"))
        yield f"tab {name}", "aside"
    page.click("asp-run")
    page.wait(lambda: page.all(".atom"))
    yield "ASP window", "#asp-card"
    page.shut()
    page.keys(Keys.ARROW_LEFT, Keys.ARROW_LEFT)
    page.wait(lambda: page.verdict() == "dead")
    yield "deadlock", ".stage"
    page.open(ROOM)
    page.keys("H")
    page.says("Hint")
    page.wait(lambda: page.find("hint").is_enabled())
    yield "hint", ".stage"
    page.js("document.getElementById('solve').click()")
    page.wait(lambda: page.all("#found .watch"))
    page.js(UNFOLD, "solve")
    yield "solver", "#solver"
    page.js("document.querySelector('.watch').click()")
    page.wait(lambda: page.find("replay").is_displayed())
    yield "replay", "aside"
    page.click("take")
    page.wait(lambda: page.verdict() == "solved")
    yield "solved", ".stage"
    page.click("tab-best")
    yield "best", "#best"
    page.shut()
    page.click("edit")
    yield "editor", "html"
    page.click("edit-leave")
    page.open(BOARD)
    yield "board", ".stage"


LOOKS = [
    ("desktop", "light"),
    pytest.param("phone", "dark", marks=pytest.mark.slow),
    pytest.param("tablet", "contrast", marks=pytest.mark.slow),
]
CHECK = """
    const [part, done] = arguments, tags = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];
    document.querySelectorAll("*").forEach((node) => node.getAnimations?.().forEach((one) => {
      try { one.finish(); } catch { one.cancel(); }
    }));
    axe.run(part === "html" ? document : part, {runOnly: tags}).then((found) => done(found.violations.map((one) =>
      [one.id, one.nodes.slice(0, 4).map((node) => node.html.slice(0, 160) + node.failureSummary)])));"""


@served
@pytest.mark.parametrize(("name", "theme"), LOOKS)
def test_an_accessibility_checker_finds_nothing_on_any_view(driver: Any, server: str, name: str, theme: str) -> None:
    script = axe()
    size(driver, name)
    page = Page(driver, server, theme=theme, speed="instant")
    page.js(script)
    found = {}
    for view, part in views(page):
        faults = driver.execute_async_script(CHECK, part)
        if faults:
            found[view] = faults
    assert found == {}


@served
def test_the_checker_sees_a_fault_in_a_part(driver: Any, server: str) -> None:
    script = axe()
    page = Page(driver, server)
    page.js(script)
    page.js("document.getElementById('hint').style.cssText = 'color: #777; background: #888'")
    assert [fault for fault, _ in driver.execute_async_script(CHECK, ".stage")] == ["color-contrast"]
