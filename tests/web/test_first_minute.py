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
        ("#####\n#@$.#\n#####\nAssigned: 2,2>3,3\n", "The page takes boxes that are alike", "E-LABEL"),
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
    assert names == [*(f"c{n}" for n in range(1, 7)), *(f"r{n}" for n in range(1, 6))]


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
