"""The page's workshop in a real browser: editor, generator, ASP window, files, offline play, accessibility."""

from __future__ import annotations

import json
from typing import Any

from tests.web.conftest import serving
from tests.web.hands import MARKS, QUIET, SIZES, Keys, Page, both, desktop_first, served, size

pytestmark = MARKS
ROOM = "######\n#@   #\n# $ .#\n#    #\n######\n"
CORRIDOR = ["#######", "#+$   #", "###   #", "#######"]


def paint(page: Page, row: int, col: int) -> None:
    script = """
        const grid = document.getElementById("grid"), svg = grid.firstChild;
        svg.scrollIntoView({block: "center"});
        const point = new DOMPoint((arguments[1] + .5) * 48, (arguments[0] + .5) * 48);
        const at = point.matrixTransform(svg.getScreenCTM());
        return [at.x, at.y];"""
    x, y = page.js(script, row, col)
    if page.js("return innerWidth") < 600:  # a finger
        for kind, points in (("touchStart", [{"x": x, "y": y}]), ("touchEnd", [])):
            page.driver.execute_cdp_cmd("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})
        return
    hand = page.hand()
    hand.pointer_action.move_to_location(round(x), round(y)).pointer_down().pointer_up()
    hand.perform()


def tool(page: Page, name: str) -> None:
    next(node for node in page.all(".tool") if node.get_attribute("data-tool") == name).click()


@both
@desktop_first
def test_a_level_is_drawn_checked_played_and_saved(page: Page) -> None:
    page.click("edit")
    page.click("edit-new")
    assert "There is no player." in page.text("edit-check")
    assert page.js(
        "return [document.getElementById('edit-height').value, document.getElementById('edit-width').value]"
    ) == ["8", "10"]
    for name, row, col in (("@", 2, 2), ("$", 2, 4), (".", 2, 6)):
        tool(page, name)
        paint(page, row, col)
    page.wait(lambda: "Solvable, optimum: 2 pushes" in page.text("edit-check"))
    page.click("edit-flip")
    page.click("edit-undo")
    grid = page.find("grid")
    page.js("document.getElementById('grid').focus()")
    grid.send_keys(*[Keys.ARROW_DOWN] * 5, "$")
    assert "2 boxes, 1 goal." in page.text("edit-check")
    grid.send_keys(Keys.CONTROL + "z" + Keys.NULL)
    page.wait(lambda: "Solvable" in page.text("edit-check"))
    for name, row, col in ((".", 5, 5), ("$", 6, 1)):
        tool(page, name)
        paint(page, row, col)
    page.wait(lambda: page.text("edit-check").startswith("No solution: "))
    tool(page, " ")
    paint(page, 0, 3)
    assert "The walls are not closed." in page.text("edit-check")
    for _ in range(3):
        page.click("edit-undo")
    page.wait(lambda: "Solvable" in page.text("edit-check"))
    page.find("edit-title").send_keys("Mine")
    page.click("edit-play")
    page.tap(2, 4)
    page.tap(2, 6)
    page.wait(lambda: page.text("message").startswith("Solved"))
    page.click("edit")
    page.find("edit-title").clear()
    page.find("edit-title").send_keys("Mine")
    page.click("edit-save")
    page.says("Saved as level 1 of My levels.")
    assert page.text("title") == "Mine"
    again = Page(page.driver, page.url, keep=True)
    assert again.text("title") == "Mine"


def test_a_level_is_generated_and_a_klotski_board_drawn(page: Page) -> None:
    page.click("edit")
    page.js("document.querySelector('#editor details').open = true")
    page.js("document.getElementById('wish-min_lines').value = 3")
    page.click("generate")
    page.wait(lambda: page.text("generated").startswith("optimum: "))
    page.wait(lambda: "Solvable, optimum" in page.text("edit-check"))
    page.click("edit-leave")
    page.open("title: Small\ngoal: A 0,1\nAAb.\nAAc.\n")
    page.click("edit")
    tool(page, ".")
    paint(page, 1, 2)
    assert page.js("return document.querySelectorAll('.tool').length") >= 4
    shapes = "return [...document.querySelectorAll('#grid .piece')].map((one) => one.dataset.id).join('')"
    assert page.js(shapes) == "Ab", "each piece is drawn as one"
    assert page.js("return document.querySelector('#grid svg').getScreenCTM().a * 48") > 60, "large enough to draw in"
    page.wait(lambda: "Solvable, optimum" in page.text("edit-check"))
    page.click("edit-play")
    assert page.js("return sokoasp.page.game.start.rows") == ["AAb.", "AA.."]
    page.click("edit")
    page.find("edit-title").send_keys("Old")
    page.click("edit-new")
    assert page.find("edit-title").get_attribute("value") == "" and not page.find("edit-goal").is_displayed()
    assert [node.get_attribute("data-tool") for node in page.all(".tool")] == ["#", " ", "$", ".", "@"]
    page.click("edit-new-board")
    assert page.find("edit-goal").is_displayed() and "." in [
        node.get_attribute("data-tool") for node in page.all(".tool")
    ]


@served
@desktop_first
def test_programs_are_edited_run_and_refused(page: Page) -> None:
    page.open(ROOM)
    page.click("asp-objective")
    page.wait(lambda: "box(" in page.js("return document.getElementById('asp-facts').textContent"))
    page.click("asp-run")
    page.wait(lambda: "2 pushes, proved optimal." in page.text("asp-answer"))
    page.js("const s = document.getElementById('asp-step'); s.value = 1; s.dispatchEvent(new Event('input'));")
    assert any(node.text.startswith("push(") for node in page.all(".atom"))
    assert page.js("return document.querySelectorAll('#board .m-arrow').length") == 1
    field = "document.getElementById('asp-constraints').value = arguments[0]"
    page.js(field, "#program step(t).\n:- pusch(_,up,_,t).\n")
    page.click("asp-run")
    page.wait(lambda: "constraints.lp:2:" in page.text("asp-answer") and "pusch/4" in page.text("asp-answer"))
    page.js(field, '#include "/etc/passwd".')
    page.click("asp-run")
    page.wait(lambda: "#include may not be used here" in page.text("asp-answer"))
    page.driver.get_log("browser")  # the browser itself logs the 422
    page.js(field, "")
    page.js("sokoasp.begin({game: 'sokoban', title: 'Corridor', rows: arguments[0]})", CORRIDOR)
    page.wait(lambda: len(page.all("#asp-gallery option")) == 8)
    page.choose("asp-gallery", "1")
    assert "reaches every cell" in page.text("asp-words")
    page.click("asp-run")
    page.wait(lambda: page.find("asp-answer").get_attribute("data-state") == "bad")
    assert "plan" in page.text("asp-answer")


def test_moves_levels_and_pictures_go_in_and_out(page: Page) -> None:
    page.open(ROOM)
    drop = """
        const data = new DataTransfer();
        data.items.add(new File([arguments[0]], arguments[1]));
        dispatchEvent(new DragEvent("drop", {dataTransfer: data, bubbles: true}));"""
    paste = """
        const data = new DataTransfer();
        data.setData("text/plain", arguments[0]);
        document.body.dispatchEvent(new ClipboardEvent("paste", {clipboardData: data, bubbles: true}));"""
    page.js(paste, "d2R")
    page.says("Loaded a play of 3 moves.")
    assert page.lurd() == "dRR" and page.js("return sokoasp.page.game.solved")
    saved = """
        const done = arguments[arguments.length - 1], old = URL.createObjectURL;
        URL.createObjectURL = (blob) => {
          blob.arrayBuffer().then((bytes) =>
            done([sokoasp.page.saved, bytes.byteLength, new TextDecoder().decode(bytes.slice(0, 60))]));
          URL.createObjectURL = old;
          return old.call(URL, blob);
        };
        document.querySelector(arguments[0]).click();"""
    kept = page.driver.execute_async_script(saved, "#save-level")
    assert "######" in kept[2] and kept[0].endswith(".xsb")
    page.open(page.module("files", "module.asXsb()"))
    page.wait(lambda: page.lurd() == "dRR")
    for form, begins in (("svg", "<svg"), ("html", "<!doctype html>"), ("gif", "GIF89a")):
        assert (
            page.driver.execute_async_script(saved, f".export[data-format={form}]")[2]
            .lower()
            .startswith(begins.lower())
        )
    page.click("leave") if page.find("replay").is_displayed() else None
    page.js("document.querySelector('.export[data-format=png]').click()")
    page.says(".png")
    page.js(drop, "#####\n#@$.#\n#####\n", "dropped.xsb")
    page.wait(lambda: page.js("return sokoasp.page.opened.name") == "dropped.xsb")
    xsb = page.module("files", "[module.asXsb(), module.unfold('2(lU)3r')]")
    assert "#@$.#" in xsb[0] and xsb[1] == "lUlUrrr"


@served
def test_the_page_is_installable_and_plays_on_when_the_server_is_gone(driver: Any, page: Page) -> None:
    with serving() as process:
        assert process.stdout is not None
        page = Page(driver, process.stdout.readline().strip())
        page.open(ROOM)
        manifest = driver.execute_cdp_cmd("Page.getAppManifest", {})
        assert manifest["errors"] == [] and json.loads(manifest["data"])["display"] == "standalone"
        ready = """
            const done = arguments[0];
            const look = () => caches.open("sokoasp-3").then((kept) => kept.keys()).then((keys) =>
              keys.length > 30 && navigator.serviceWorker.controller ? done(keys.length) : setTimeout(look, 100));
            look();"""
        driver.set_script_timeout(120)  # a busy machine
        assert driver.execute_async_script(ready) > 30
        driver.execute_cdp_cmd("Page.reload", {"ignoreCache": True})  # past the worker: the page asks for it by itself
        assert driver.execute_async_script(ready) > 30
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
    driver.get_log("browser")  # the browser itself logs the requests that found nobody


SMALL = """
    return [...document.querySelectorAll("button, select, input, summary, textarea")].filter((node) => node.offsetParent
        && !node.closest("dialog:not([open])") && !node.matches("[type=checkbox], [type=range]"))
      .map((node) => [node.id || node.textContent, node.getBoundingClientRect()])
      .filter(([, box]) => box.height < 43.5).map(([name, box]) => [name, box.height, box.width])"""


def test_targets_are_large_cells_are_not_small_and_skins_differ(driver: Any, server: str) -> None:
    size(driver, "phone")
    page = Page(driver, server)
    assert page.js(SMALL) == []
    wide = ["#" * 50, "#@$." + " " * 45 + "#", *["#" + " " * 48 + "#"] * 40, "#" * 50]
    page.js("sokoasp.begin({game: 'sokoban', rows: arguments[0], title: 'Wide'})", wide)
    cell = "return document.querySelector('#board svg').getScreenCTM().a * 48"
    assert page.js(cell) >= 28, "no cell under 28 px unless one zooms out"
    assert page.find("zoomers").is_displayed()
    page.keys(*"-----")
    assert page.js(cell) < 28
    page.keys("0")
    page.keys(Keys.ARROW_DOWN)
    page.tap(5, 5)
    page.wait(lambda: page.player() == [5, 5])
    looks = set()
    for skin in ("classic", "gems", "plan"):
        page.js("document.documentElement.dataset.skin = arguments[0]", skin)
        looks.add(
            str(
                page.js(
                    "const s = getComputedStyle(document.querySelector('#board .box .gem')); "
                    "return [s.display, getComputedStyle(document.querySelector('#board .box .body')).fill]"
                )
            )
        )
    assert len(looks) == 3
    assert set(SIZES) == {"phone", "tablet", "desktop"} and QUIET["truth"] is False
