"""What is kept, shared and taken out, and what goes on when the server or the network is away; in a real browser."""

import json
from typing import Any
from urllib.parse import urlsplit

from tests.web.conftest import serving
from tests.web.hands import ROOM, TRAP, YARD, Keys, Page, served, size, static


def test_memory_survives_levels_and_reload(page: Page) -> None:
    page.open(ROOM + "\nTitle: Trap\n" + TRAP)
    page.keys(Keys.ARROW_DOWN, Keys.ARROW_RIGHT)
    page.click("undo")
    page.keys("n")
    assert page.text("title") == "Trap"
    page.keys("p")
    page.click("next")
    page.keys(Keys.ARROW_UP)
    page.click("previous")
    assert page.text("title") == "Pasted text 1" and page.lurd() == "d"
    page.click("redo")
    page.keys("k", "j")
    again = Page(page.driver, page.url, keep=True)
    assert again.lurd() == "dRud"
    assert again.js("return sokoasp.page.opened.problems.length") == 2, "the collection is there too"
    again.click("restart")
    again.win()
    again.click("levels")
    rows = again.all(".level-row")
    assert "✓ solved: 2 pushes" in rows[0].text and "… begun" in rows[1].text
    again.click("list-close")
    kept = again.js("return sokoasp.store.export()")
    other = Page(page.driver, page.url)
    other.open(kept)
    other.says("Imported what was remembered of 2 levels")
    other.open(ROOM)
    assert other.lurd() == "dRR"


FILL = """
    let size = 1 << 20;
    for (let n = 0; size; n++) try { localStorage.setItem(`other${n}`, "x".repeat(size)); } catch { size >>= 1; }"""
DENY = "Object.defineProperty(window, 'localStorage', {get() { throw new DOMException('denied', 'SecurityError'); }})"


def test_where_little_or_nothing_may_be_kept_it_is_told_and_play_goes_on(page: Page) -> None:
    page.open(ROOM)
    page.keys(Keys.ARROW_DOWN)
    page.js(FILL)
    page.open(TRAP)
    page.keys(Keys.ARROW_UP)
    page.open(ROOM)
    assert page.lurd() == "d", "kept in memory"
    page.click("settings")
    assert "store is full" in page.text("memory-note")
    page.click("settings-close")
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
    assert len(page.all(".level-row")) < 80, "only what is in sight is in the page"
    page.js("document.getElementById('filters').open = true")
    for value, found in (("solved", 0), ("open", 1000)):
        page.choose("find-state", value)
        page.wait(lambda found=found: page.text("list-count").startswith(f"{found} of 1000"))  # type: ignore[misc]
    page.js("const list = document.getElementById('list'); list.scrollTop = list.scrollHeight / 2")
    page.wait(lambda: any(row.text.startswith("501.") for row in page.all(".level-row")))
    page.find("find").send_keys("needle")
    page.wait(lambda: [row.text.split("\n")[0] for row in page.all(".level-row")] == ["777. Needle"])
    page.all(".level")[0].click()
    assert page.text("title") == "Needle"


def test_the_next_unsolved_level_is_found(page: Page) -> None:
    page.open(f"Collection: Rooms\nAuthor: Ann\n\n{ROOM}\nTitle: A\n\n{ROOM}\nTitle: B\n\n{YARD}\nAuthor: Bo\n")
    page.win()
    page.click("levels")
    assert page.text("list-title") == "Rooms" and "by Ann" in page.text("list")
    page.click("next-unsolved")
    page.wait(lambda: not page.find("level-list").is_displayed())
    assert page.text("title") == "Rooms 3 by Bo", "the second is the first again, and solved"
    assert "\nAuthor: Bo\n" in page.module("files", "module.asXsb()")


WRONG = (
    {"rows": ["foo"], "plan": ""},
    {"rows": [], "plan": ""},
    {"game": "sokoban", "rows": ["####", "#$.#", "####"], "plan": "R"},
    {"game": "klotski", "rows": ["AAb.", "AAc."], "plan": "zz"},
    "nonsense",
)
"""What somebody's address may hold: no level, none that can be played, moves of no piece."""


def test_positions_are_shared_by_the_address_and_one_that_holds_nothing_changes_nothing(page: Page) -> None:
    page.js("navigator.clipboard.writeText = () => Promise.resolve()")
    page.open(f"Author: Bo\n{ROOM}")
    page.keys(Keys.ARROW_DOWN, Keys.ARROW_RIGHT)
    page.click("share")
    page.wait(lambda: page.text("share-note") == "The address of this position is on the clipboard.")
    page.click("undo")
    assert page.text("share-note") == "", "of this position there is none"
    other = Page(page.driver, page.driver.current_url)
    other.wait(lambda: other.lurd() == "dR")
    assert other.text("title") == other.text("levels-name") + " by Bo" == "Shared level by Bo"
    page.open(ROOM)
    page.keys(Keys.ARROW_DOWN)
    for wrong in WRONG:
        page.js("location.hash = ''; document.getElementById('message').textContent = ''")
        page.address(wrong)
        page.says("This address holds no level that can be played.")
        assert page.lurd().startswith("d") and page.text("title") == "Pasted text 1", wrong


def test_moves_and_levels_go_to_the_clipboard_or_a_box_to_copy_from(page: Page) -> None:
    take = "navigator.clipboard.writeText = (text) => { window.copied = text; return Promise.resolve(); }"
    page.open(ROOM)
    page.keys(Keys.ARROW_DOWN, Keys.ARROW_RIGHT)
    page.js(take)
    page.click("copy-lurd")
    page.says("The moves are on the clipboard.")
    assert page.js("return copied") == "dR"
    page.click("copy-level")
    page.says("The level is on the clipboard.")
    assert page.js("return copied").startswith(ROOM)
    page.js("navigator.clipboard.writeText = () => Promise.reject(new Error('not allowed'))")
    page.click("copy-lurd")
    page.wait(lambda: page.find("copy-box").is_displayed())
    assert page.find("copied").get_attribute("value") == "dR"
    page.click("copy-close")


DROP = """
    const data = new DataTransfer();
    data.items.add(new File([arguments[0]], arguments[1]));
    dispatchEvent(new DragEvent("drop", {dataTransfer: data, bubbles: true}));"""
PASTE = """
    const data = new DataTransfer();
    data.setData("text/plain", arguments[0]);
    document.body.dispatchEvent(new ClipboardEvent("paste", {clipboardData: data, bubbles: true}));"""
SAVED = """
    const done = arguments[arguments.length - 1], old = URL.createObjectURL;
    URL.createObjectURL = (blob) => {
      blob.arrayBuffer().then((bytes) => done([sokoasp.page.saved, new TextDecoder().decode(bytes.slice(0, 60))]));
      URL.createObjectURL = old;
      return old.call(URL, blob);
    };
    document.querySelector(arguments[0]).click();"""


def test_moves_and_levels_go_in_and_out(page: Page) -> None:
    page.open(ROOM)
    page.js(PASTE, "d RR\n")
    page.says("Loaded a play of 3 moves.")
    page.js(PASTE, "uuu")
    page.says("not possible: the play stays as it is")
    assert page.lurd() == "dRR" and page.js("return sokoasp.page.game.solved")
    name, text = page.driver.execute_async_script(SAVED, "#save-level")
    assert "######" in text and name.endswith(".xsb")
    whole = page.module("files", "module.asXsb()")
    assert whole.endswith("\nSolution:\ndRR\n")
    page.open(whole)
    page.wait(lambda: page.lurd() == "dRR")
    page.js(DROP, "#####\n#@$.#\n#####\n", "dropped.xsb")
    page.wait(lambda: page.js("return sokoasp.page.opened.name") == "dropped.xsb")


LOOK = """
    const done = arguments[0];
    caches.open("sokoasp-3").then((kept) => kept.keys()).then((keys) =>
      done(navigator.serviceWorker.controller ? keys.map((one) => one.url) : []));"""
AWAY = {"latency": 0, "downloadThroughput": 0, "uploadThroughput": 0}


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
    assert page.all(".certify") == [], "what the site cannot do is not offered"
    asked = page.js("return performance.getEntriesByType('resource').map((one) => one.name)")
    assert {urlsplit(url).netloc for url in [*kept, *asked]} == {urlsplit(server).netloc}
    policy = page.js("return document.querySelector('meta[http-equiv]').content")
    assert "default-src 'none'" in policy and "http" not in policy, "the browser itself would refuse to ask elsewhere"
    driver.execute_cdp_cmd("Network.emulateNetworkConditions", {"offline": True, **AWAY})
    try:
        again = Page(driver, server, keep=True)
        again.tap(2, 2)
        again.tap(2, 4)
        again.wait(lambda: again.text("message").startswith("Solved"))
        again.pack("graded/12-boxes.sok")
        assert again.js("return sokoasp.page.opened.name") == "12-boxes.sok"
    finally:
        back = {"offline": False, "latency": 0, "downloadThroughput": -1, "uploadThroughput": -1}
        driver.execute_cdp_cmd("Network.emulateNetworkConditions", back)
        driver.get_log("browser")  # the browser itself logs what it did not get while it was offline


@served
def test_the_page_is_installable_and_plays_on_when_the_server_is_gone(driver: Any, page: Page) -> None:
    with serving() as process:
        page = Page(driver, process.stdout.readline().strip())
        page.open(ROOM)
        manifest = driver.execute_cdp_cmd("Page.getAppManifest", {})
        assert manifest["errors"] == [] and json.loads(manifest["data"])["display"] == "standalone"
        page.wait(lambda: len(driver.execute_async_script(LOOK)) > 30)
        driver.execute_cdp_cmd("Page.reload", {"ignoreCache": True})  # past the worker: the page asks for it by itself
        page.wait(lambda: len(driver.execute_async_script(LOOK)) > 30)
        page.ready()
        assert driver.execute_cdp_cmd("Page.getInstallabilityErrors", {})["installabilityErrors"] == []
        process.terminate()
        process.wait(20)
    again = Page(driver, page.url, keep=True)
    assert again.js("return sokoasp.page.game.start.rows.at(-1)") == "######"
    again.tap(2, 2)
    again.tap(2, 4)
    again.wait(lambda: again.text("message").startswith("Solved"))
    again.click("solve")
    again.says("The server is not running: you can play on, hints and solving need it.")
    again.wait(lambda: again.find("solve").is_enabled())
    again.click("restart")
    again.click("hint")
    again.says("The server is not running")
    assert "Failed" not in again.js("return document.body.innerText") and not again.find("verdict").is_displayed()
    driver.get("about:blank")  # no request is under way any more
    driver.get_log("browser")  # the browser itself logs the requests that found nobody
