"""What a new player meets, on a desktop and a phone: what to do first, levels to choose, a calm layout, plain sentences."""

from pathlib import Path
from typing import Any

import pytest

from sokoasp.web import site
from tests.web import hands
from tests.web.hands import CLASSIC, ROOM, TRAP, YARD, Keys, Page, both_sizes, desktop_first, phone, phone_first


def rect(page: Page, selector: str) -> dict[str, float]:
    script = "const b = document.querySelector(arguments[0]).getBoundingClientRect();"
    return dict(page.js(script + "return {x:b.x, y:b.y, width: b.width, height: b.height, bottom: b.bottom}", selector))


@desktop_first
def test_a_line_and_a_hand_say_what_to_do_until_the_first_push(page: Page) -> None:
    assert page.text("first") == "Walk with the arrow keys, or tap where to go. Put every box on a ring."
    assert page.text("levels-name") == "1 of 9: One step" and page.primary() == ["hint"]
    way = "const s = document.querySelector('#board .hand').style; return ['--x0', '--x1'].map((one) => s.getPropertyValue(one))"
    assert page.js(way) == ["108px", "156px"], "from the box to the ring"
    page.keys("d")
    page.wait(lambda: page.find("solved").is_displayed())
    assert page.text("solved-time") == "in 0:01" and page.primary() == ["next-level"]
    assert page.shown("first") == [] and page.all("#board .hand") == []
    page.click("next-level")
    assert page.text("levels-name") == "2 of 9: Around the corner" and page.shown("first") == [], "once is enough"


def test_the_level_of_the_day_is_offered_until_it_is_solved(page: Page) -> None:
    page.click("daily")
    page.says("The level of ")
    first = page.js("return [sokoasp.page.opened.name, sokoasp.page.at]")
    page.open(ROOM)
    page.click("daily")
    page.wait(lambda: page.js("return [sokoasp.page.opened.name, sokoasp.page.at]") == first)
    page.click("solve")
    page.wait(lambda: page.all("#found .watch"))[0].click()
    page.wait(lambda: page.find("replay").is_displayed())
    page.click("take")
    page.wait(lambda: page.js("return sokoasp.page.game.solved"))
    page.keys("u", "y")
    page.wait(lambda: page.shown("daily") == [])
    drawn = page.module("days", "['2026-11-23', '2026-11-24', '2026-11-25'].map((day) => module.draw(day, 300))")
    assert len(set(drawn)) == 3 and all(0 <= one < 300 for one in drawn)


@pytest.mark.settings(truth=True)
def test_the_optimum_is_told_after_the_first_solve_and_buttons_come_when_they_can_work(page: Page) -> None:
    page.optimum()
    cells = "return [...document.querySelectorAll('#best-rows td:last-child')].map((one) => one.textContent)"
    assert page.text("distance") == "" and page.js(cells) == ["–"] * 3
    assert page.shown("origins") == []
    page.keys("d")
    page.wait(lambda: page.text("distance") == "My best is the optimum: 1 push.")
    assert page.js(cells) == ["1"] * 3 and page.shown("origins") == ["origins"]
    page.js("sokoasp.choose(1)")
    page.click("settings")
    page.js("document.getElementById('set-optimum').click()")
    page.click("settings-close")
    page.wait(lambda: page.text("distance") == "Optimum: 2 pushes.")


def test_the_time_is_shown_if_one_likes_and_dark_is_one_click_away(page: Page) -> None:
    assert page.shown("timer") == []
    page.js("document.getElementById('set-timer').click()")
    assert page.text("timer") == "0:00"
    page.open(ROOM)
    page.keys(Keys.ARROW_DOWN)
    page.wait(lambda: page.text("timer") != "0:00")
    theme = "return document.documentElement.dataset.theme"
    assert page.js(theme) == "light"
    page.click("dark")
    assert page.js(theme) == "dark" and page.find("dark").get_attribute("aria-pressed") == "true"
    page.click("dark")
    assert page.js(theme) == "light"


@desktop_first
def test_packs_are_cards_with_names_and_progress_and_titles_are_whole(page: Page) -> None:
    page.keys("d")
    page.wait(lambda: page.find("solved").is_displayed())
    page.click("levels")
    cut = "return [...document.querySelectorAll('.level-row b')].filter((one) => one.scrollWidth > one.clientWidth).length"
    assert page.js(cut) == 0 and page.js("return document.querySelectorAll('.level svg .player').length") == 9
    inside = "const b = document.getElementById('list').getBoundingClientRect().bottom;"
    seen = "return [...document.querySelectorAll('.level')].filter((one) => one.getBoundingClientRect().bottom <= b).length"
    assert page.js(inside + seen) == 9, "all on one screen"
    page.click("list-packs")
    cards = {card.text.split("\n")[0]: card for card in page.all("#packs-list .pack")}
    assert {"Tutorial", "1 box", "12 boxes", "Klotski: classics"} <= set(cards)
    assert cards["Tutorial"].text.split("\n")[1].startswith("1 of 9") and cards["12 boxes"].text.endswith("new")
    assert (
        len([one for one in cards.values() if one.rect["y"] + one.rect["height"] < page.js("return innerHeight")]) >= 12
    )
    assert [one for one in page.all("#packs-teaching .pack") if one.is_displayed()] == []
    cards["12 boxes"].click()
    titles = "return [...document.querySelectorAll('.level-row b')].map((one) => one.textContent)"
    page.wait(lambda: page.js(titles)[:2] == ["1. 12 boxes 1", "2. 12 boxes 2"])
    for name in ("list", "aside"):
        assert page.js("const l = document.getElementById(arguments[0]); return l.scrollWidth <= l.clientWidth", name)
    assert not page.js("return document.getElementById('filters').open") and page.text("list-title") == "12 boxes"
    page.click("list-close")


def test_a_pack_of_ones_own_has_the_name_in_its_file(driver: Any, tmp_path: Path) -> None:
    levels = f"\n\n{ROOM}\nTitle: A\n\n{TRAP}\nTitle: B\n"
    own = {"a.xsb": f"Collection: Woche 7{levels}", "b.xsb": f"Title: Woche 8{levels}", "c.xsb": levels}
    site.make([*own.items()]).write(tmp_path)
    with hands.hosting(tmp_path) as address:
        page = Page(driver, address)
        page.click("levels")
        page.click("list-packs")
        assert [card.text for card in page.all("#packs-list b")[:3]] == ["Woche 7", "Woche 8", "C"]
        page.all(".pack")[1].click()
        page.wait(lambda: page.text("list-title") == "Woche 8")


@phone_first
def test_nothing_jumps_from_the_first_move_to_the_end(page: Page) -> None:
    boxes = """
        const box = (id) => { const at = document.getElementById(id).getBoundingClientRect(); return [at.x, at.y, at.height]; };
        return ["table", "undo", "restart", "hint", "counts"].map(box);"""
    page.open(ROOM + "\n" + TRAP)
    before = page.js(boxes)
    page.click("hint")
    page.says("Hint")
    assert page.js(boxes) == before
    page.keys(Keys.ESCAPE)
    page.win()
    assert page.js(boxes)[:3] == before[:3], "solved"
    page.js("sokoasp.choose(1)")
    page.keys(Keys.ARROW_LEFT, Keys.ARROW_LEFT)
    page.wait(lambda: page.verdict() == "dead")
    assert page.js(boxes)[:3] == before[:3], "warned"
    page.click("next") if page.find("next").is_enabled() else page.js("sokoasp.choose(0)")
    page.click("restart")
    page.open(ROOM)
    page.win()
    assert page.text("next-level") == "All levels", "there is no next one"
    page.click("next-level")
    assert page.find("level-list").is_displayed()
    page.click("list-close")
    for name in ("undo", "redo", "restart", "play-on"):
        assert page.find(name).text == "" and page.find(name).accessible_name, "an icon with its name"


@both_sizes
def test_the_board_has_all_the_room_there_is(page: Page) -> None:
    page.open(YARD)
    page.js("sokoasp.board.view.reset()")
    place, svg = rect(page, "#table"), rect(page, "#board svg")
    fit = min(place["width"] / svg["width"], place["height"] / svg["height"])
    cell = page.js("return document.querySelector('#board svg').getScreenCTM().a * 48")
    assert fit < 1.02 or cell >= 130, "it touches its place, or its cells are as large as cells get"
    width, height = hands.SIZES["desktop" if page.js("return innerWidth") > 600 else "phone"]
    assert place["width"] * place["height"] > 0.45 * width * height, "about half of the window is the board's"
    assert page.js("return document.documentElement.scrollHeight <= innerHeight"), "nothing to scroll while one plays"


TOPS = """
    return [...document.querySelectorAll("#editor .buttons")].map((row) => new Set([...row.querySelectorAll("button")]
        .filter((one) => one.offsetParent).map((one) => one.getBoundingClientRect().y)).size).filter((rows) => rows)"""


@phone
def test_a_phone_has_one_row_of_icons_the_board_at_the_thumb_and_a_sheet_below_it(page: Page) -> None:
    assert page.shown("previous", "levels", "next", "open", "edit") == ["previous", "levels", "next"]
    rows = """
        const all = [...document.querySelectorAll("header button")].filter((one) => one.offsetParent);
        return new Set(all.map((one) => one.getBoundingClientRect().y)).size === 1
          && document.querySelector("header").getBoundingClientRect().height <= 60"""
    assert page.js(rows) and page.find("title").size["height"] <= 1, "the name is heard, not seen twice"
    page.click("next")
    assert page.js("const n = document.getElementById('levels-name'); return n.scrollHeight <= n.clientHeight + 1")
    assert rect(page, ".below")["y"] - rect(page, "#board svg")["bottom"] < 12
    page.click("panels")
    page.wait(lambda: page.js("return document.getElementById('aside').getAnimations().length") == 0)
    page.wait(lambda: rect(page, "#board svg")["bottom"] <= rect(page, "#aside")["y"])
    assert rect(page, "#board svg")["height"] > 150
    page.shut()
    page.click("edit")
    page.wait(lambda: "Solvable" in page.text("edit-check"))
    assert page.js(TOPS) == [1] * 4, "each row of buttons is one row"


SMALL = """
    return [...document.querySelectorAll("button, select, input, summary, textarea")].filter((node) => node.offsetParent
        && !node.closest("dialog:not([open])") && !node.matches("[type=checkbox], [type=range]"))
      .map((node) => [node.id || node.textContent, node.getBoundingClientRect()])
      .filter(([, box]) => box.height < 43.5).map(([name, box]) => [name, box.height, box.width])"""


@phone
def test_targets_are_large(page: Page) -> None:
    assert page.js(SMALL) == []


def test_board_editor_and_list_draw_with_the_same_sprites(page: Page) -> None:
    page.open(ROOM)
    page.click("edit")
    page.click("edit-leave")
    page.js("document.getElementById('edit').click(); document.getElementById('levels').click()")
    missing = """
        const kinds = "wall,wall-line,wall-side,floor,goal,box .body,box .plank,player .face,player .body".split(",");
        return ["#board", "#grid", ".level"].flatMap((place) => kinds.map((kind) => `${place} .${kind}`))
          .filter((one) => !document.querySelector(one));"""
    assert page.js(missing) == []
    shape = "return ['#board', '#grid', '.level'].map((one) => document.querySelector(`${one} .box`).innerHTML)"
    assert len(set(page.js(shape))) == 1
    page.click("list-close")


def test_four_tabs_are_one_panel(page: Page) -> None:
    page.open(ROOM)
    tabs = "return [...document.querySelectorAll('[role=tab]')].map((one) => one.textContent)"
    assert page.js(tabs) == ["Best", "Solve", "ASP", "Share"]
    panels = ("best", "solver", "asp-card", "files")
    page.click("tab-best")
    page.driver.switch_to.active_element.send_keys(Keys.ARROW_RIGHT)
    assert page.shown(*panels) == ["best"] and page.lurd() != "", "after a click the arrow keys walk on"
    page.find("tab-best").send_keys(Keys.ARROW_RIGHT)
    assert page.shown(*panels) == ["solver"] and page.js("return document.activeElement.id") == "tab-solve"
    page.find("tab-solve").send_keys(Keys.END)
    assert page.shown(*panels) == ["files"]
    assert Page(page.driver, page.url, keep=True).shown(*panels) == ["files"], "the tab is remembered"


def test_the_dialog_takes_what_was_changed_last_and_forgets_on_cancel(page: Page, tmp_path: Path) -> None:
    bad, other = tmp_path / "bad.xsb", tmp_path / "other.xsb"
    bad.write_text("What is this?")
    other.write_text(TRAP)
    page.click("open")
    page.find("file").send_keys(str(bad))
    page.click("open-ok")
    page.wait(lambda: page.text("open-error").startswith("There is no level in this text."))
    page.find("text").send_keys(ROOM)
    assert page.text("open-error") == "", "the old error is about what is no longer there"
    page.click("open-ok")
    page.wait(lambda: not page.find("opener").is_displayed())
    assert page.js("return sokoasp.page.game.start.rows")[2] == "# $ .#"
    page.click("open")
    page.find("file").send_keys(str(other))
    page.click("open-cancel")
    page.click("open")
    assert page.js("return document.getElementById('file').files.length") == 0
    page.find("text").send_keys(ROOM)
    page.find("file").send_keys(str(other))
    page.click("open-ok")
    page.wait(lambda: page.text("title") == "Other 1")


REFUSED = (
    ("no level here", "There is no level in this text.", "E-NOLEVEL"),
    ("######\n#@@$.#\n######\n", "This level has more than one player.", "line 2 column 2"),
    ("#####\n#@$.#\n#####\nAssigned: 2,2>3,3\n", "This level gives each goal to one box", "E-VARIANT"),
)


def test_a_refused_text_is_told_of_in_a_sentence_with_code_and_place_under_details(page: Page) -> None:
    for text, sentence, place in REFUSED:
        page.open(text)
        page.wait(lambda sentence=sentence: page.text("open-error").startswith(sentence))  # type: ignore[misc]
        assert place not in page.text("open-error").split("\n")[0]
        page.all("#open-error summary")[0].click()
        assert place in page.text("open-error")
        page.click("open-cancel")


def test_what_is_solved_at_its_start_is_no_level_for_players(page: Page) -> None:
    titles = page.js("return sokoasp.page.opened.problems.map((one) => one.title)")
    assert len(titles) == 9 and "Already done" not in titles
    page.open("#####\n#@ *#\n#####\n")
    assert "W-CIRCULAR" not in page.text("message").split("\n")[0]


@desktop_first
def test_the_goal_of_a_board_is_seen_and_said(page: Page) -> None:
    page.open(CLASSIC)
    assert page.text("message") == "Bring A to the exit at the bottom." and page.all("#board .hand") == []
    page.keys("a")
    assert page.js("return sokoasp.page.picked") == "A"
    page.keys("B")
    page.says("b at row 1, column 1; A at row 1, column 2; ")
    order = "return [...document.querySelectorAll('#board :is(.piece, .target)')].map((one) => one.classList[0]).at(-1)"
    assert page.js(order) == "target", "over the pieces"
    gap = "const at = document.querySelector('#board rect.floor').getBBox(); return [at.x, at.y, at.width]"
    assert page.js(gap) == [48, 240, 96], "in the frame, below where the piece ends"
    page.drag((4, 0), (4, 0.8), (4, 1.1))
    assert page.lurd() == "ir", "the outline is in nobody's way"
    page.open("goal: b 1,1\nab.\n...\n..c\n")
    assert page.text("message") == "Bring b to the dashed outline."
    assert page.js("return document.querySelectorAll('#board rect.floor').length") == 0
