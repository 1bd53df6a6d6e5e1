"""What is kept from day to day: solutions and positions under names, solves, the level of the day; a solution shortened."""

from __future__ import annotations

import re
from typing import Any

from tests.web.hands import MARKS, YARD, Keys, Page, both, desktop_first

pytestmark = MARKS
ROOM = "######\n#@   #\n# $ .#\n#    #\n######\n"
DETOUR = "drUluurDldRR"


@desktop_first
def test_solutions_and_positions_are_kept_under_names(page: Page) -> None:
    page.open(ROOM)
    page.keys(Keys.ARROW_DOWN)
    page.click("keep")
    page.says("Kept as Position 1.")
    page.keys(Keys.ARROW_RIGHT, Keys.ARROW_RIGHT)
    page.reveal(page.find("keep-name"))
    page.find("keep-name").send_keys("Short")
    page.click("keep")
    page.says("Kept as Short.")
    page.js("document.getElementById('restart').click()")
    again = Page(page.driver, page.url, keep=True)
    again.reveal(again.find("keep-name"))
    again.wait(lambda: [one.text for one in again.all(".kept-name")] == ["Position 1", "Short"])
    again.all(".kept-name")[1].click()
    assert again.lurd() == "dRR"
    again.all(".kept-name")[0].click()
    assert again.lurd() == "d"
    again.all("#kept-list [aria-label^=Forget]")[0].click()
    assert [one.text for one in again.all(".kept-name")] == ["Short"]


def test_solves_are_logged_and_days_in_a_row_counted(page: Page) -> None:
    page.open(ROOM)
    page.keys(Keys.ARROW_DOWN, Keys.ARROW_RIGHT, Keys.ARROW_RIGHT)
    page.wait(lambda: page.text("message").startswith("Solved"))
    page.js("document.getElementById('tab-best').click(); document.getElementById('kept-days').open = true")
    page.wait(lambda: "2 pushes" in page.text("kept-log"))
    assert page.js("return document.getElementById('streak').textContent") == "1 day in a row"
    days = "['2026-11-20', '2026-11-21', '2026-11-22']"
    assert page.module("kept", f"module.streak({days}, new Date(2026, 10, 22))") == 3
    assert page.module("kept", f"module.streak({days}, new Date(2026, 10, 23))") == 3, "today may still come"
    assert page.module("kept", f"module.streak({days}, new Date(2026, 10, 24))") == 0


def test_everybody_has_the_same_level_of_the_day(page: Page) -> None:
    page.click("levels")
    page.click("daily")
    page.says("The level of ")
    first = page.js("return [sokoasp.page.opened.name, sokoasp.page.at]")
    page.open(ROOM)
    page.click("levels")
    page.click("daily")
    page.wait(lambda: page.js("return [sokoasp.page.opened.name, sokoasp.page.at]") == first)
    drawn = page.module("kept", "['2026-11-23', '2026-11-24', '2026-11-25'].map((day) => module.draw(day, 300))")
    assert len(set(drawn)) == 3 and all(0 <= one < 300 for one in drawn)


@both
def test_a_solution_is_shortened_watched_and_taken(page: Page) -> None:
    page.open(YARD)
    assert not page.js("return document.getElementById('shorten').offsetParent"), "there is nothing to shorten yet"
    page.open(DETOUR)
    page.click("shorten")
    page.wait(lambda: page.text("joined").startswith("Shortened from 4 to 2 pushes"))
    page.wait(lambda: page.all(".watch"))[0].click()
    page.click("take")
    assert page.js("return sokoasp.page.game.counts()[1]") == ["pushes", 2]
    page.click("shorten")
    page.wait(lambda: page.text("joined").startswith("2 pushes, nothing gained"))


def test_the_next_unsolved_level_is_found(driver: Any, page: Page) -> None:
    page.open(f"{ROOM}\nTitle: A\n\n{ROOM}\nTitle: B\n\n{YARD}\nTitle: C\n")
    page.keys(Keys.ARROW_DOWN, Keys.ARROW_RIGHT, Keys.ARROW_RIGHT)
    page.wait(lambda: page.text("message").startswith("Solved"))
    page.click("levels")
    page.click("next-unsolved")
    page.wait(lambda: not page.find("level-list").is_displayed())
    assert page.text("title") == "C", "the second is the first again, and solved"


def test_a_collection_that_is_chosen_in_the_list_takes_the_place_of_the_other(page: Page) -> None:
    page.js("document.getElementById('levels').click()")
    page.choose("collection", "graded/12-boxes.sok")
    titles = "return [...document.querySelectorAll('.level-row b')].map((one) => one.textContent)"
    page.wait(lambda: page.js(titles)[:2] == ["1. 12 boxes 1", "2. 12 boxes 2"], 20)
    assert all("12 boxes" in title for title in page.js(titles))
    assert page.js("const l = document.getElementById('list'); return l.scrollWidth <= l.clientWidth"), (
        "nothing sideways"
    )
    lines = "[...document.querySelectorAll('.level-row small')]"
    cut = f"return {lines}.map((one) => [one.textContent, one.scrollWidth, one.clientWidth])"
    assert re.fullmatch(r"difficulty \d+ of 10", page.all(".level-row small")[1].text)
    assert [row for row in page.js(cut) if row[1] > row[2]] == [], "it can be read"
    page.click("list-close")
    page.click("tab-share")
    assert page.js("const a = document.getElementById('aside'); return a.scrollWidth <= a.clientWidth"), (
        "nothing sideways"
    )
