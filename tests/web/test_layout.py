"""The board is the page: it grows, nothing jumps, one action is the first, the panel has four tabs; in a real browser."""

from __future__ import annotations

import pytest

from tests.web.hands import MARKS, SIZES, YARD, Keys, Page

pytestmark = MARKS
ROOM = "######\n#@   #\n# $ .#\n#    #\n######\n"
TRAP = "#######\n#     #\n#  $@.#\n#     #\n#######\n"
both_sizes = pytest.mark.parametrize("page", ["desktop", "phone"], indirect=True)
BOXES = """
    const box = (id) => { const at = document.getElementById(id).getBoundingClientRect(); return [at.x, at.y, at.height]; };
    return ["table", "undo", "restart", "reverse", "counts"].map(box);"""


def box(page: Page, selector: str) -> dict[str, float]:
    script = "const b = document.querySelector(arguments[0]).getBoundingClientRect();"
    return dict(
        page.js(script + "return {x: b.x, y: b.y, width: b.width, height: b.height, bottom: b.bottom}", selector)
    )


@both_sizes
def test_nothing_jumps_from_the_first_move_to_the_end(page: Page) -> None:
    page.open(ROOM + "\n" + TRAP)
    before = page.js(BOXES)
    page.click("hint")
    page.says("Hint")
    assert page.js(BOXES) == before
    page.keys(Keys.ESCAPE, Keys.ARROW_DOWN, Keys.ARROW_RIGHT, Keys.ARROW_RIGHT)
    page.wait(lambda: page.find("solved").is_displayed())
    assert page.js(BOXES) == before, "solved"
    page.js("sokoasp.choose(1)")
    page.keys(Keys.ARROW_LEFT, Keys.ARROW_LEFT)
    page.wait(lambda: page.verdict() == "dead")
    assert page.js(BOXES) == before, "warned"


@both_sizes
def test_the_board_has_all_the_room_there_is(page: Page) -> None:
    page.open(YARD)
    page.js("sokoasp.board.view.reset()")
    place, svg = box(page, "#table"), box(page, "#board svg")
    fit = min(place["width"] / svg["width"], place["height"] / svg["height"])
    cell = page.js("return document.querySelector('#board svg').getScreenCTM().a * 48")
    assert fit < 1.02 or cell >= 130, "it touches its place, or its cells are as large as cells get"
    width, height = SIZES["desktop" if page.js("return innerWidth") > 600 else "phone"]
    assert place["width"] * place["height"] > 0.45 * width * height, "about half of the window is the board's"
    assert page.js("return document.documentElement.scrollHeight <= innerHeight"), "nothing to scroll while one plays"


def test_one_action_is_the_first_at_a_time(page: Page) -> None:
    page.open(ROOM + "\n" + TRAP)
    primary = "return [...document.querySelectorAll('.stage .primary')].filter((one) => one.offsetParent).map((one) => one.id)"
    assert page.js(primary) == ["hint"]
    page.keys(Keys.ARROW_DOWN, Keys.ARROW_RIGHT, Keys.ARROW_RIGHT)
    page.wait(lambda: page.js(primary) == ["next-level"])
    page.click("next-level")
    assert page.js("return sokoasp.page.at") == 1 and page.js(primary) == ["hint"]
    page.open(ROOM)
    page.keys(Keys.ARROW_DOWN, Keys.ARROW_RIGHT, Keys.ARROW_RIGHT)
    page.wait(lambda: page.js(primary) == ["next-level"])
    assert page.text("next-level") == "All levels", "there is no next one"
    page.click("next-level")
    assert page.find("level-list").is_displayed()
    page.click("list-close")
    page.click("undo") if page.find("undo").is_enabled() else None
    for name in ("undo", "redo", "restart", "play-on", "reverse"):
        assert page.find(name).text == "" and page.find(name).accessible_name, "an icon with its name"
    assert page.js("return getComputedStyle(document.getElementById('restart')).fontWeight") == "500"


@pytest.mark.settings(truth=True)
def test_stars_are_won_by_the_optimum_and_losses_are_one_click_away(page: Page) -> None:
    page.open(YARD)
    page.wait(lambda: page.js("return Object.keys(sokoasp.store.level(sokoasp.page.id).truth ?? {}).length") == 3)
    page.open("drUluurDldRR")
    page.keys("z", "y")
    page.wait(lambda: page.find("solved").is_displayed())
    stars = "return [...document.querySelectorAll('#stars .star')].map((one) => [one.dataset.name, one.dataset.won])"
    assert dict(page.js(stars)) == {"lines": "no", "pushes": "no", "moves": "no"}
    page.click("solved-losses")
    page.wait(lambda: page.text("bar-note") == "1 of 4 pushes led astray: 2 too many.")
    page.click("solved-close")
    assert not page.find("solved").is_displayed()
    page.click("restart")
    page.keys(Keys.ARROW_RIGHT, Keys.ARROW_RIGHT)
    page.wait(lambda: page.find("solved").is_displayed())
    assert dict(page.js(stars)) == {"lines": "yes", "pushes": "yes", "moves": "yes"}
    open_ = "{status: 'time_out', lower_bound: 2}"
    bests = "{pushes: {value: 2}, moves: {value: 3}}"
    known = page.module("best", f"module.settled({{truth: {{pushes: {open_}, moves: {open_}}}, bests: {bests}}})")
    assert [known[name]["status"] for name in ("pushes", "moves")] == ["optimal", "time_out"], "it meets the bound"
    page.click("levels")
    page.wait(lambda: page.all(".level-stars"))
    assert page.all(".level-stars")[0].text == "★★★" and "✓ solved: 2 of 2 pushes" in page.all(".level-row")[0].text
    assert "1 solved" in page.text("list-count") and page.find("list-progress").get_attribute("value") == "1"
    page.click("list-close")


def test_four_tabs_are_one_panel_and_menus_hold_the_rest(page: Page) -> None:
    page.open(ROOM)
    tabs = "return [...document.querySelectorAll('[role=tab]')].map((one) => one.textContent)"
    assert page.js(tabs) == ["Best", "Solve", "ASP", "Share"]
    shown = "return [...document.querySelectorAll('[role=tabpanel]')].filter((one) => one.offsetParent).map((one) => one.id)"
    page.click("tab-best")
    assert page.js(shown) == ["best"]
    page.find("tab-best").send_keys(Keys.ARROW_RIGHT)
    assert page.js(shown) == ["solver"] and page.js("return document.activeElement.id") == "tab-solve"
    page.find("tab-solve").send_keys(Keys.END)
    assert page.js(shown) == ["files"]
    visible = [one.text for one in page.all("#files button, #files summary") if one.is_displayed()]
    assert visible == ["Share address", "Copy ▾", "Export ▾", "Load moves"]
    menu = page.all("#files summary")[1]
    menu.click()
    assert page.find("save-level").is_displayed()
    menu.send_keys(Keys.ESCAPE)
    assert not page.find("save-level").is_displayed()
    menu.click()
    page.find("title").click()
    assert not page.find("save-level").is_displayed(), "it closes when one goes on elsewhere"
    again = Page(page.driver, page.url, keep=True)
    assert again.js(shown) == ["files"], "the tab is remembered"


@pytest.mark.parametrize("page", ["phone"], indirect=True)
def test_a_phone_has_one_row_of_icons_above_the_board(page: Page) -> None:
    page.open(ROOM)
    assert box(page, "header")["height"] <= 60
    rows = page.js(
        "return new Set([...document.querySelectorAll('header button')].filter((one) => one.offsetParent)"
        ".map((one) => one.getBoundingClientRect().y)).size"
    )
    assert rows == 1 and box(page, "#table")["y"] < 100


def test_programs_have_line_numbers_colours_words_and_examples(page: Page) -> None:
    page.open(ROOM)
    page.click("asp-objective")
    page.wait(lambda: len(page.all("#asp-predicates code")) > 15)
    assert box(page, "#aside")["width"] > 800, "the tab has the width"
    assert "push(L1,D,L2,t)" in page.text("asp-predicates") and "action t pushes" not in page.text("title")
    titles = [one.text for one in page.all("#asp-example option")]
    page.choose("asp-example", str(titles.index("never up") - 1))
    text = page.find("asp-constraints").get_attribute("value")
    assert ":- push(_,up,_,t)." in text
    lines = page.js(
        "return document.querySelector('#asp-constraints').closest('.code-editor').querySelector('.lines').textContent"
    )
    assert lines.split() == [str(n + 1) for n in range(text.count("\n") + 1)]
    kinds = "return [...document.querySelectorAll('.shades .k')].map((one) => one.textContent)"
    assert "push" in page.js(kinds), "a word of the vocabulary has a colour of its own"
    assert "pushes-remaining-dom" not in page.text("asp-card")
    page.js("document.getElementById('asp-constraints').value = ''")
    page.js(
        "[...document.querySelectorAll('#asp-predicates button')].find((one) => one.textContent.startsWith('reach')).click()"
    )
    assert page.find("asp-constraints").get_attribute("value") == "reach(L,t)"
    page.js(
        "const f = document.getElementById('asp-constraints'); f.value = ':- nothing(1).'; f.dispatchEvent(new Event('input'))"
    )
    page.click("asp-run")
    page.wait(lambda: "constraints.lp:1:" in page.text("asp-answer"))
    assert page.all("#asp-answer button")[0].text == "Line 1"
    page.all("#asp-answer button")[0].click()
    assert page.js("return [document.activeElement.id, document.activeElement.selectionEnd]") == ["asp-constraints", 14]


def test_the_history_is_scrubbed_and_undo_goes_by_pushes(page: Page) -> None:
    page.open(ROOM)
    page.keys(Keys.ARROW_DOWN, Keys.ARROW_RIGHT, Keys.ARROW_UP, Keys.ARROW_DOWN)
    assert page.lurd() == "dRud"
    scrub = "const s = document.getElementById('scrub'); s.value = arguments[0]; s.dispatchEvent(new Event('input'))"
    page.js(scrub, 1)
    assert page.lurd() == "d" and page.find("scrub").get_attribute("max") == "4"
    page.js(scrub, 4)
    assert page.lurd() == "dRud"
    page.choose("set-undo", "push")
    page.keys("u")
    assert page.lurd() == "d", "as far as before the last push"
    page.choose("set-undo", "move")
    page.keys("y", "u")
    assert page.lurd() == "d"
