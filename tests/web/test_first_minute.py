"""What a new player meets: sentences before codes, a goal that is seen, one name for a cell, a dialog that listens."""

from __future__ import annotations

from pathlib import Path

import pytest

from sokoasp.web.faulty_examples import FAULTS
from tests.web.conftest import CLINGO
from tests.web.hands import MARKS, Page, both

pytestmark = MARKS
ROOM = "######\n#@   #\n# $ .#\n#    #\n######\n"
TRAP = "#######\n#     #\n#  $@.#\n#     #\n#######\n"
CLASSIC = "goal: A 3,1\nbAAc\nbAAc\ndeef\ndghf\ni..j\n"


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
    page.click("open")
    page.choose("example", "klotski/classics.klotski")
    page.wait(
        lambda: (
            not page.find("opener").is_displayed() and page.js("return sokoasp.page.opened.name") == "classics.klotski"
        )
    )


@pytest.mark.parametrize(
    ("text", "sentence", "place"),
    [
        ("no level here", "There is no level in this text.", "E-NOLEVEL"),
        ("######\n#@@$.#\n######\n", "This level has more than one player.", "line 2 column 2"),
        ("#####\n#@$.#\n#####\nAssigned: 2,2>3,3\n", "This level gives each goal to one box", "E-VARIANT"),
    ],
)
def test_a_refused_text_is_told_of_in_a_sentence_with_code_and_place_under_details(
    page: Page, text: str, sentence: str, place: str
) -> None:
    page.open(text)
    page.wait(lambda: page.text("open-error").startswith(sentence))
    assert place not in page.text("open-error").split("\n")[0]
    assert not page.js("return document.querySelector('#open-error details').open")
    page.all("#open-error summary")[0].click()
    assert place in page.text("open-error")
    page.click("open-cancel")


def test_what_is_solved_at_its_start_is_no_level_for_players(page: Page) -> None:
    titles = page.js("return sokoasp.page.opened.problems.map((one) => one.title)")
    assert len(titles) == 9 and "Already done" not in titles
    page.open("#####\n#@ *#\n#####\n")
    assert page.text("message") == "" or "W-CIRCULAR" not in page.text("message")


def test_the_goal_of_a_board_is_seen_and_said(page: Page) -> None:
    page.open(CLASSIC)
    assert page.text("message") == "Bring A to the bottom."
    order = (
        "return [...document.querySelectorAll('#board .piece, #board .target')].map((one) => one.classList[0]).at(-1)"
    )
    assert page.js(order) == "target", "over the pieces"
    gap = "const at = document.querySelector('#board rect.floor').getBBox(); return [at.x, at.y, at.width]"
    assert page.js(gap) == [48, 240, 96], "in the frame, below where the piece ends"
    page.drag((4, 0), (4, 0.8), (4, 1.1))
    assert page.lurd() == "ir", "the outline is in nobody's way"
    page.open("goal: b 1,1\nab.\n...\n..c\n")
    assert page.text("message") == "Bring b to the dashed outline."
    assert page.js("return document.querySelectorAll('#board rect.floor').length") == 0


@both
def test_every_wrong_encoding_is_shown_where_it_fails(page: Page, server: str) -> None:
    if "school" in server and not CLINGO:
        pytest.skip("no clingo for the browser at hand (SOKOASP_CLINGO_WASM)")
    page.click("asp-objective")
    for number, fault in enumerate(FAULTS, 1):
        page.wait(lambda: len(page.all("#asp-gallery option")) == len(FAULTS) + 2)
        page.choose("asp-gallery", str(number))
        page.wait(lambda fault=fault: page.text("asp-words") == fault.words)  # type: ignore[misc]
        assert page.text("title") == fault.title
        page.click("asp-run")
        page.wait(lambda: page.find("asp-answer").get_attribute("data-state") in ("good", "bad"))
        state, words = page.find("asp-answer").get_attribute("data-state"), page.text("asp-answer")
        assert state == "bad" and words, (fault.title, words)


RIM = "return getComputedStyle(document.querySelector('#board .rim')).display !== 'none'"


def test_cells_have_one_name_that_stands_on_the_rim_when_it_is_used(page: Page) -> None:
    page.open(ROOM)
    assert not page.js(RIM)
    page.click("hint")
    page.says("Hint: think of this box.")
    page.click("hint")
    page.says("Hint: this box goes here.")
    page.click("hint")
    page.says("Hint: push this box right, 2 cells (2 pushes, proved optimal).")
    page.js("sokoasp.begin(sokoasp.page.problem, {fresh: true})")
    page.click("solve")
    page.wait(lambda: page.all(".watch"))[0].click()
    page.wait(lambda: page.find("replay").is_displayed())
    assert page.js(RIM) and page.all("#controls .actions button")[0].text == "c3r3 right 2"
    page.click("leave")
    page.click("tab-asp")
    page.wait(lambda: "box(c3r3)." in page.js("return document.getElementById('asp-facts').textContent"))
    assert page.js(RIM)
    names = page.js("return [...document.querySelectorAll('#board .rim text')].map((one) => one.textContent)")
    assert names == [*(f"c{n}" for n in range(2, 6)), *(f"r{n}" for n in range(2, 5))]


def test_a_dead_position_is_one_sentence_and_the_way_back_is_the_blue_button(page: Page) -> None:
    page.open(TRAP)
    page.keys("h", "h")
    page.wait(lambda: page.verdict() == "dead")
    assert page.text("verdict").split("\n")[0] == "This box can no longer come to a goal."
    primary = "return [...document.querySelectorAll('.stage .primary')].filter((one) => one.offsetParent).map((one) => one.id)"
    assert page.js(primary) == ["revive"]
    page.all("#verdict summary")[0].click()
    assert page.js(RIM), "the reason names cells"
    page.click("revive")
    page.wait(lambda: page.js(primary) == ["hint"])


def shown(page: Page, *names: str) -> list[str]:
    return [
        name
        for name in names
        if page.js("return Boolean(document.getElementById(arguments[0]).checkVisibility())", name)
    ]


def test_the_first_line_says_what_to_do_until_the_first_push(page: Page) -> None:
    assert page.text("first") == "Walk with the arrow keys, or tap where to go. Put every box on a ring."
    assert page.text("levels-name") == "1 of 9: One step"
    page.keys("d")
    page.wait(lambda: page.find("solved").is_displayed())
    assert not page.find("first").is_displayed() and page.text("solved-time").startswith("in ")
    page.keys("n")
    assert not page.find("first").is_displayed(), "once is enough"


@pytest.mark.settings(truth=True)
def test_the_optimum_is_told_after_the_first_solve_and_buttons_come_when_they_can_work(page: Page) -> None:
    page.wait(lambda: page.js("return Object.keys(sokoasp.store.level(sokoasp.page.id).truth ?? {}).length") == 3)
    cells = "return [...document.querySelectorAll('#best-rows td:last-child')].map((one) => one.textContent)"
    assert page.text("distance") == "" and page.js(cells) == ["–"] * 3
    assert shown(page, "weigh", "why", "shorten", "origins") == []
    page.keys("d")
    page.wait(lambda: page.text("distance") == "My best is the optimum: 1 push.")
    assert page.js(cells) == ["1"] * 3 and shown(page, "weigh", "shorten", "origins") == ["weigh", "shorten", "origins"]
    page.js("sokoasp.choose(1)")
    page.click("settings")
    page.js("document.getElementById('set-optimum').click()")
    page.click("settings-close")
    page.wait(lambda: page.text("distance") == "Optimum: 2 pushes.")


@both
def test_solve_answers_in_one_line_with_the_plan_to_watch_and_engines_under_details(page: Page) -> None:
    page.js("document.getElementById('solve-more').open = false")
    page.open(ROOM)
    page.click("tab-solve")
    assert shown(page, "objective", "solve", "engine", "seconds", "compare") == ["objective", "solve"]
    page.click("solve")
    page.wait(lambda: page.all("#found .watch"))
    assert page.text("joined") == "2 pushes: proved, nothing is better."
    assert "Stopped" not in page.js("return document.getElementById('lanes').textContent")
    page.all("#found .watch")[0].click()
    page.wait(lambda: page.find("replay").is_displayed())


@pytest.mark.parametrize("page", ["phone"], indirect=True)
def test_a_phone_goes_from_level_to_level_and_has_the_name_once(page: Page) -> None:
    assert shown(page, "previous", "levels", "next", "open", "edit") == ["previous", "levels", "next"]
    page.click("next")
    assert page.text("levels-name") == "2 of 9: Around the corner"
    assert page.find("title").size["height"] <= 1, "heard, not seen twice"
    page.click("open")
    page.click("open-cancel")
    page.click("edit")
    assert page.find("editor").is_displayed()


def test_packs_have_names_and_titles_are_whole(page: Page) -> None:
    page.click("levels")
    names = page.js("return [...document.getElementById('collection').options].map((one) => one.text.split(' (')[0])")
    assert {"Tutorial", "1 box", "12 boxes", "Classics"} <= set(names) and not [name for name in names if "." in name]
    group = "return [...document.querySelectorAll('#collection optgroup option')].map((one) => one.value.split('/')[0])"
    assert set(page.js(group)) == {"deadlocks", "unsolvable"}
    cut = "return [...document.querySelectorAll('.level-row b')].filter((one) => one.scrollWidth > one.clientWidth).length"
    assert page.js(cut) == 0
    page.click("list-close")


def test_the_asp_window_opens_with_an_example_marks_the_faulty_line_and_shows_what_is_done_first(page: Page) -> None:
    page.open(ROOM)
    page.click("tab-asp")
    page.wait(lambda: ":- push(_,up,_,t)." in page.find("asp-constraints").get_attribute("value"))
    page.click("asp-run")
    page.wait(lambda: page.text("asp-answer").startswith("2 pushes, proved optimal."))
    page.js("const s = document.getElementById('asp-step'); s.value = 1; s.dispatchEvent(new Event('input'));")
    assert page.all("#asp-list .atom")[0].text.startswith("push(")
    page.js("const s = document.getElementById('asp-step'); s.value = 0; s.dispatchEvent(new Event('input'));")
    assert page.all("#asp-list summary")[0].text.startswith("The map (")
    page.js("document.getElementById('asp-constraints').value = '#program step(t).\\n:- push(_,up,_,t)\\n:- .'")
    page.click("asp-run")
    page.wait(lambda: "constraints.lp:3:" in page.text("asp-answer"))
    marked = (
        "const f = document.getElementById('asp-constraints'); return f.value.slice(f.selectionStart, f.selectionEnd)"
    )
    assert page.js(marked) == ":- ."


def test_share_answers_beside_its_button(page: Page) -> None:
    page.js("navigator.clipboard.writeText = () => Promise.resolve()")
    page.click("share")
    page.wait(lambda: page.text("share-note") == "The address of this position is on the clipboard.")
