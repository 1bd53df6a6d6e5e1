"""Klotski on the page, in a real browser: dragged, typed, hinted, held against the optimum."""

from __future__ import annotations

from typing import Any

import pytest

from tests.web.hands import MARKS, Keys, Page, both, desktop_first, served

pytestmark = MARKS
SMALL_BOARD = "title: Let A out\ngoal: A 0,1\nAAb.\nAAc.\n"
CLASSIC = "goal: A 3,1\nbAAc\nbAAc\ndeef\ndghf\ni..j\n"


@both
@desktop_first
def test_a_klotski_board_is_dragged_typed_and_finished(page: Page) -> None:
    page.open(SMALL_BOARD)
    page.drag((0, 2), (0, 2.6), (0, 3.1))
    assert page.lurd() == "br"
    page.keys("c", Keys.ARROW_RIGHT, "A", Keys.ARROW_LEFT)
    assert page.lurd() == "br.cr", "A cannot go left"
    page.keys("u")
    assert page.lurd() == "br"
    for words in ("think of piece c", "piece c goes here", "slide piece c: right"):
        page.wait(lambda: page.find("hint").is_enabled())
        page.click("hint")
        page.says(words)
    page.click("hint")
    page.rest()
    page.drag((1, 1), (1, 1.8), (1, 2.4))
    page.wait(lambda: page.text("message").startswith("Solved: 3 slides, 3 units"))
    again = Page(page.driver, page.url, keep=True)
    assert again.lurd() == "br.cr.Ar"


@desktop_first
@pytest.mark.settings(truth=True, optimum=True)
def test_klotski_has_bests_and_the_optimum(page: Page) -> None:
    page.open(SMALL_BOARD)
    page.wait(lambda: page.text("distance") == "Optimum: 3 slides.")
    page.keys("c", Keys.ARROW_RIGHT, "b", Keys.ARROW_RIGHT, "A", Keys.ARROW_RIGHT)
    page.wait(lambda: page.text("message").startswith("Solved"))
    page.wait(lambda: page.text("distance") == "My best is the optimum: 3 slides.")
    cells = "return [...document.querySelectorAll('#best-rows [data-name=units] > *')].map((one) => one.textContent)"
    page.wait(lambda: page.js(cells) == ["units", "3", "3", "3"])


@served
def test_hints_on_a_board_are_looked_up_wherever_one_has_strayed(driver: Any, server: str, page: Page) -> None:
    page.open(CLASSIC)
    page.keys("H")
    page.says("Hint: think of piece")
    page.wait(lambda: page.find("hint").is_enabled())
    assert [lane.get_attribute("data-engine") for lane in page.all(".lane")] == ["database"]
    page.keys(Keys.ESCAPE, "i", Keys.ARROW_RIGHT, "j", Keys.ARROW_LEFT)
    assert page.lurd() == "ir.jl", "no best plan begins so"
    page.keys("H", "H")  # the second while the first is being answered: it is not asked again
    page.wait(lambda: page.find("hint").is_enabled())
    assert page.text("message").startswith("Hint: think of piece")
    page.keys("H", "H")
    assert "proved optimal" in page.text("message")
    assert [lane.get_attribute("data-engine") for lane in page.all(".lane")] == ["database"]
    assert "positions" in page.all(".lane details")[0].get_attribute("textContent"), (
        "it says that it looked the answer up"
    )


def test_lost_slides_are_named_and_gone_back_to(page: Page) -> None:
    page.open("goal: A 0,1\nsame: bc\nAAb.\nAAc.\n")
    page.js("sokoasp.begin(sokoasp.page.problem, {plan: 'br.cr.bl.br.Ar'})")
    page.click("weigh")
    page.wait(lambda: page.text("bar-note") == "1 of 4 slides led astray: 1 too many.")
    page.click("jump")
    page.says("Before slide 3.")
    assert page.lurd() == "br.cr"
