"""What the page knows better: hints, warnings, solving, certificates, my best against the optimum; in a real browser."""

import pytest

from sokoasp import render
from sokoasp.sokoban import rules
from sokoasp.sokoban.formats import level_from_rows
from tests.instances import FOLDER
from tests.web.conftest import needs_clingo
from tests.web.hands import BOARD, CLASSIC, ROOM, TRAP, YARD, Keys, Page, both, both_sizes, desktop_first, served

DETOUR = "drUluurDldRR"
"""Up, down again, and then two pushes to the goal of YARD: four pushes, of which the first cost two."""
RIM = "return getComputedStyle(document.querySelector('#board .rim')).display !== 'none'"


@both
@desktop_first
def test_a_deadlock_is_one_sentence_with_its_reason_and_the_way_back_is_the_blue_button(page: Page) -> None:
    page.open(TRAP)
    page.wait(lambda: page.verdict() == "open")
    page.tap(2, 3)
    page.tap(2, 1)
    page.wait(lambda: page.verdict() == "dead")
    assert page.text("verdict").split("\n")[0] == "This box can no longer come to a goal."
    assert page.primary() == ["revive"]
    assert page.js("return document.getElementById('revive').getBoundingClientRect().bottom <= innerHeight"), "in sight"
    assert page.js("const n = document.querySelector('.notes'); return n.scrollHeight <= n.clientHeight"), "all of it"
    page.rest()
    marks = "return ['stuck', 'dead'].map((name) => document.querySelectorAll(`#board .m-${name}`).length > 0)"
    assert page.js(marks) == [True, True] and not page.js(RIM), "what holds it is drawn"
    page.all("#verdict summary")[0].click()
    assert page.js(RIM), "the reason names cells"
    page.click("revive")
    page.says("Back before the push that did it (1 push back)")
    assert page.lurd() == "L", "two pushes, the second of them fatal"
    page.wait(lambda: page.verdict() == "open" and page.primary() == ["hint"])
    page.rest()
    assert page.js(marks) == [False, False]


@served
@both_sizes
def test_a_reason_names_cells_as_the_rim_does_and_is_seen_whole(page: Page) -> None:
    title, rows = (FOLDER / "deadlocks" / "doorway.xsb").read_text().split("\n\n")[1:3]
    page.address({"title": title, "rows": rows.split("\n"), "plan": "u"})
    page.wait(lambda: page.js("return document.getElementById('live').textContent").startswith("A box in the door, "))
    page.wait(lambda: page.verdict() == "dead" and page.all("#revive"))
    page.js("document.querySelector('#verdict summary').click()")
    assert "the box at c5r3 fills a door and the box at c6r3 stands behind it" in page.text("verdict")
    assert page.js("const n = document.querySelector('.notes'); return n.scrollHeight <= n.clientHeight"), "all of it"
    page.js("sokoasp.store.change(sokoasp.page.id, {truth: {moves: {status: 'unsolvable'}}})")
    page.keys("j")
    page.wait(lambda: "This level has no solution." in page.text("verdict") and page.primary() == ["hint"])
    page.open("#######\n#$ @ .#\n#     #\n#######\n")
    page.wait(lambda: "This level has no solution." in page.text("verdict"))


@served
def test_hints_go_up_a_ladder_to_the_end(page: Page) -> None:
    page.open("########\n#@     #\n# $  . #\n# $  . #\n#      #\n########\n")
    page.keys("H")
    page.says("Hint: think of this box")
    page.wait(lambda: page.find("hint").is_enabled())
    page.click("hint")
    page.says("this box goes here")
    for _ in range(6):  # 6 pushes are enough, whatever their order
        page.click("hint")
        if "think of" in page.text("message"):
            page.click("hint")
            page.click("hint")
        assert page.text("message").startswith("Hint: push this box")
        assert "proved optimal" in page.text("message") or "not proved best" in page.text("message")
        before = page.lurd()
        page.click("hint")
        page.wait(lambda before=before: page.lurd() != before)  # type: ignore[misc]
        if page.js("return sokoasp.page.game.solved"):
            break
    page.wait(lambda: page.text("message").startswith("Solved"))
    page.open("#######\n#$ @ .#\n#     #\n#######\n")
    page.click("hint")
    page.says("No solution exists from here (proved)")


def test_the_arrow_of_a_hint_ends_beside_the_goal(page: Page) -> None:
    page.open(ROOM)
    for words in ("think of this box.", "this box goes here.", "push this box right, 2 cells"):
        page.click("hint")
        page.says(f"Hint: {words}")
    gap = """
        const [arrow, goal] = ["m-arrow", "goal"].map((name) => document.querySelector(`#board .${name}`).getBBox());
        return goal.x - arrow.x - arrow.width;"""
    assert 2 < page.js(gap) < 12
    page.keys("d", "z", "H")
    assert page.text("message").startswith("Hint: think of this box.")
    page.keys("y")
    assert page.text("message") == "" and not page.js("return sokoasp.page.hint"), "it was for another position"


@served
def test_hints_on_a_board_come_wherever_one_has_strayed(page: Page) -> None:
    page.open(CLASSIC)
    page.keys("i", Keys.ARROW_RIGHT, "j", Keys.ARROW_LEFT)
    assert page.lurd() == "ir.jl", "no best plan begins so"
    page.keys("H", "H")  # the second while the first is being answered: it is not asked again
    page.wait(lambda: page.find("hint").is_enabled())
    page.keys("H", "H")
    assert "proved optimal" in page.text("message")


@both
def test_solve_answers_in_one_line_and_is_stopped(page: Page, server: str) -> None:
    needs_clingo(server)
    page.open(CLASSIC)
    page.choose("engine", "asp")
    page.click("solve")
    page.wait(lambda: page.all(".bounds li[data-result=unsat]"))
    page.click("cancel")
    page.wait(lambda: "Stopped" in page.text("lanes"))
    assert page.find("solve").is_enabled() and not page.find("cancel").is_displayed()
    page.js("document.getElementById('solve-more').open = false")
    page.open(ROOM)
    page.click("tab-solve")
    assert page.shown("objective", "solve", "engine", "seconds") == ["objective", "solve"]
    page.choose("engine", "portfolio")
    page.keys("S")
    page.wait(lambda: page.text("joined") == "2 pushes: proved, nothing is better.")
    assert "Stopped" not in page.js("return document.getElementById('lanes').textContent"), "who loses is not needed"


@served
def test_bound_plan_and_gap_are_live_and_stopping_keeps_the_best(page: Page) -> None:
    page.open(ROOM)
    level = level_from_rows(ROOM.splitlines())
    timeline = render.timeline(level, rules.plan_from_lurd(level, "rldRR"))
    known = {"event": "known", "stage": "searching (forward)", "lower_bound": 3}
    plan = {"value": 5, "plan": {"lurd": "rldRR"}, "timeline": timeline}
    page.stream("solve", {"event": "started"}, known, {**known, "lower_bound": 4, **plan})
    page.choose("objective", "moves")
    page.click("solve")
    page.wait(lambda: page.text("joined") == "Best plan 5, at least 4 needed: a gap of 1.")
    assert page.all(".lane")[0].text.count("searching (forward)") == 1
    page.click("cancel")
    page.wait(lambda: page.text("joined") == "Stopped. Best plan 5, at least 4 needed: a gap of 1.")
    page.wait(lambda: page.all(".watch"))[0].click()
    page.wait(lambda: page.find("replay").is_displayed())
    page.click("leave")
    page.click("hint")
    page.says("Hint: think of this box")
    page.click("hint")
    page.click("hint")
    assert "not proved best" in page.text("message"), "any plan will do for a hint, and that is said"
    page.stream("solve", {"event": "started"})
    page.keys("d", "d", "H")
    page.says("Thinking")
    page.click("cancel")
    page.wait(lambda: page.find("hint").is_enabled())
    assert page.text("message") == "", "it thinks no more"
    page.click("solve")
    page.choose("objective", "lines")
    page.wait(lambda: page.find("solve").is_enabled())
    assert page.text("joined") == page.text("lanes") == "", "nothing was asked about this count"


@served
def test_what_is_proved_is_certified_checked_and_given_to_keep(page: Page) -> None:
    page.open(ROOM)
    page.choose("engine", "reference")
    page.click("solve")
    page.wait(lambda: page.all(".certify"))[0].click()
    page.wait(lambda: page.all(".seal[data-checked=true]"))
    words = page.all(".seal")[0].text
    assert words.startswith("Proved; certificate (") and "checked by sokoasp check-proof" in words
    page.all(".keep")[0].click()
    page.wait(lambda: page.js("return sokoasp.page.saved") == "certificate.zip")


@both
@pytest.mark.settings(truth=True, optimum=True)
def test_the_table_of_optima_is_named_as_the_origin(page: Page) -> None:
    page.js("sokoasp.choose(1)")  # the second level of the tutorial is in the shipped table
    page.wait(lambda: page.text("distance") == "Optimum: 2 pushes.")
    page.js("document.getElementById('origins').open = true")
    page.wait(lambda: "pushes: table of optima: tutorial/tutorial.xsb 2, closed by" in page.text("origin"))


@served
@desktop_first
@pytest.mark.settings(truth=True)
def test_stars_are_won_by_the_optimum(page: Page) -> None:
    page.open(YARD)
    page.optimum()
    page.open(DETOUR)
    page.wait(lambda: page.text("distance") == "You are 2 pushes from the optimum.")
    page.keys("z", "y")
    page.wait(lambda: page.find("solved").is_displayed())
    stars = "return [...document.querySelectorAll('#stars .star')].map((one) => [one.dataset.name, one.dataset.won])"
    assert dict(page.js(stars)) == {"lines": "no", "pushes": "no", "moves": "no"}
    page.click("restart")
    page.keys(Keys.ARROW_RIGHT, Keys.ARROW_RIGHT)
    page.wait(lambda: page.find("solved").is_displayed())
    assert dict(page.js(stars)) == {"lines": "yes", "pushes": "yes", "moves": "yes"}
    assert page.text("distance") == "My best is the optimum: 2 pushes."
    open_, bests = "{status: 'time_out', lower_bound: 2}", "{pushes: {value: 2}, moves: {value: 3}}"
    known = page.module("best", f"module.settled({{truth: {{pushes: {open_}, moves: {open_}}}, bests: {bests}}})")
    assert [known[name]["status"] for name in ("pushes", "moves")] == ["optimal", "time_out"], "it meets the bound"
    page.click("levels")
    page.wait(lambda: page.all(".level-stars"))
    assert page.all(".level-stars")[0].text == "★★★" and "✓ solved: 2 of 2 pushes" in page.all(".level-row")[0].text
    assert "1 solved" in page.text("list-count") and page.find("list-progress").get_attribute("value") == "1"
    page.click("list-packs")
    card = page.all(".pack[aria-current]")[0].text.split("\n")
    assert card == ["Pasted text", "1 of 1 ★ 3"]
    page.click("list-close")


@pytest.mark.settings(truth=True, optimum=True)
def test_klotski_has_bests_and_the_optimum(page: Page) -> None:
    page.open(BOARD)
    page.wait(lambda: page.text("distance") == "Optimum: 3 slides.")
    page.keys("c", Keys.ARROW_RIGHT, "b", Keys.ARROW_RIGHT, "A", Keys.ARROW_RIGHT)
    page.wait(lambda: page.text("distance") == "My best is the optimum: 3 slides.")
    cells = "return [...document.querySelectorAll('#best-rows [data-name=units] > *')].map((one) => one.textContent)"
    page.wait(lambda: page.js(cells) == ["units", "3", "3", "3"])
