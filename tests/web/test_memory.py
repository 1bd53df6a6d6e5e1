"""What the page remembers, in a real browser: over levels, reloads and closing; where little or nothing may be kept; the list."""

from __future__ import annotations

from pathlib import Path

from tests.web.hands import MARKS, Keys, Page, browser

pytestmark = MARKS
ROOM = "######\n#@   #\n# $ .#\n#    #\n######\n"
TRAP = "#######\n#     #\n#  $@.#\n#     #\n#######\n"


def test_memory_survives_levels_and_reload(page: Page) -> None:
    page.open(ROOM + "\nTitle: Trap\n" + TRAP)
    page.keys(Keys.ARROW_DOWN, Keys.ARROW_RIGHT)
    page.click("undo")
    page.keys("n")
    assert page.text("title") == "Trap"
    page.keys("p")
    assert page.text("title") == "Pasted text 1"
    page.click("next")
    page.keys(Keys.ARROW_UP)
    page.click("previous")
    assert page.lurd() == "d"
    page.click("redo")
    page.keys("k", "j")
    again = Page(page.driver, page.url, keep=True)
    assert again.lurd() == "dRud"
    assert again.js("return sokoasp.page.opened.problems.length") == 2, "the collection is there too"
    again.click("restart")
    again.keys(Keys.ARROW_DOWN, Keys.ARROW_RIGHT, Keys.ARROW_RIGHT)
    again.wait(lambda: again.text("message").startswith("Solved"))
    again.click("levels")
    rows = again.all(".level-row")
    assert "✓ solved: 2 pushes" in rows[0].text and "… begun" in rows[1].text
    again.choose("find-state", "begun")
    again.wait(lambda: [row.text for row in again.all(".level-row")] and "Trap" in again.all(".level-row")[0].text)
    again.click("list-close")
    kept = again.js("return sokoasp.store.export()")
    other = Page(page.driver, page.url)
    other.open(kept)
    other.says("Imported what was remembered of 2 levels")
    other.open(ROOM)
    assert other.lurd() == "dRR"


def test_memory_survives_closing_the_browser(server: str, tmp_path: Path) -> None:
    driver = browser(str(tmp_path))
    try:
        page = Page(driver, server, theme="dark")
        page.open(ROOM + "\nTitle: Trap\n" + TRAP)
        page.keys(Keys.ARROW_DOWN, Keys.ARROW_RIGHT, Keys.ARROW_RIGHT, "n", Keys.ARROW_UP, Keys.ARROW_LEFT, "z")
    finally:
        driver.quit()
    driver = browser(str(tmp_path))
    try:
        page = Page(driver, server, keep=True)
        assert page.text("title") == "Trap" and page.lurd() == "u"
        assert page.js("return document.documentElement.dataset.theme") == "dark"
        page.keys("y", "p")
        assert page.lurd() == "dRR"
        assert page.all("#best-rows [data-name=pushes] button")[0].get_attribute("textContent") == "2"
    finally:
        driver.quit()


FILL = """
    let size = 1 << 20;
    for (let n = 0; size; n++) try { localStorage.setItem(`other${n}`, "x".repeat(size)); } catch { size >>= 1; }"""
DENY = "Object.defineProperty(window, 'localStorage', {get() { throw new DOMException('denied', 'SecurityError'); }})"


def test_a_full_store_is_told_of_and_play_goes_on(page: Page) -> None:
    page.open(ROOM)
    page.keys(Keys.ARROW_DOWN)
    page.js(FILL)
    page.open(TRAP)
    page.keys(Keys.ARROW_UP)
    page.open(ROOM)
    page.keys(Keys.ARROW_RIGHT, Keys.ARROW_RIGHT)
    page.open(TRAP)
    page.open(ROOM)
    assert page.lurd() == "dRR", "kept in memory"
    page.click("settings")
    assert "store is full" in page.text("memory-note")
    page.click("settings-close")


def test_where_nothing_may_be_kept_it_is_told_and_play_goes_on(page: Page) -> None:
    denied = page.driver.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": DENY})
    try:
        private = Page(page.driver, page.url, keep=True)
        private.open(ROOM)
        private.keys(Keys.ARROW_DOWN)
        private.open(TRAP)
        private.open(ROOM)
        assert private.lurd() == "d", "remembered until it is closed"
        private.click("settings")
        assert "keeps nothing for this page" in private.text("memory-note")
        private.click("settings-close")
    finally:
        page.driver.execute_cdp_cmd("Page.removeScriptToEvaluateOnNewDocument", denied)
        page.driver.get("about:blank")  # whoever comes next finds a page of his own


def test_a_thousand_levels_are_listed_filtered_and_found(page: Page) -> None:
    script = """
        const problems = Array.from({length: 1000}, (_, n) => ({
          number: n + 1, game: "sokoban", head: "", title: n === 776 ? "Needle" : "",
          rows: ["#".repeat(16 + n % 20), ((n % 4 ? "#@$." : "#@$$$$....").padEnd(15 + n % 20) + "#"),
            ...Array(n % 5 ? 0 : 9).fill("#" + " ".repeat(14 + n % 20) + "#"), "#".repeat(16 + n % 20)]}));
        sokoasp.openCollection({name: "thousand.xsb", problems, more: 0});"""
    page.js(script)
    page.click("levels")
    assert page.text("list-count").startswith("1000 of 1000")
    assert len(page.all(".level-row")) < 60, "only what is in sight is in the page"
    for name, value, found in (
        ("state", "solved", 0),
        ("state", "open", 1000),
        ("boxes", "4-8", 250),
        ("size", "81-200", 150),
    ):
        page.choose(f"find-{name}", value)
        page.wait(lambda found=found: page.text("list-count").startswith(f"{found} of 1000"))  # type: ignore[misc]
    for name in ("boxes", "size"):
        page.choose(f"find-{name}", "")
    page.js("const list = document.getElementById('list'); list.scrollTop = list.scrollHeight / 2")
    page.wait(lambda: any(row.text.startswith("501.") for row in page.all(".level-row")))
    page.find("find").send_keys("needle")
    page.wait(lambda: [row.text.split("\n")[0] for row in page.all(".level-row")] == ["777. Needle"])
    drawn = (
        "return document.querySelector('.level canvas').getContext('2d').getImageData(0, 0, 144, 96).data.some(Boolean)"
    )
    assert page.js(drawn), "its thumbnail is no empty picture"
    page.all(".level")[0].click()
    assert page.text("title") == "Needle"
