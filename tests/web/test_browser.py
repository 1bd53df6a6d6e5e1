"""The page in a real browser: played by taps, hinted, warned, stopped, replayed, slid."""

from __future__ import annotations

import base64
import json

import pytest

from sokoasp import render
from sokoasp.sokoban import rules
from sokoasp.sokoban.formats import level_from_rows
from tests.web.hands import MARKS, YARD, By, Keys, Page, both, desktop_first, served

pytestmark = MARKS
ROOM = "######\n#@   #\n# $ .#\n#    #\n######\n"
TRAP = "#######\n#     #\n#  $@.#\n#     #\n#######\n"
CORNER = "#######\n#     #\n# .$  #\n# @ # #\n#   ###\n#######\n"
SMALL_BOARD = "title: Let A out\ngoal: A 0,1\nAAb.\nAAc.\n"
CLASSIC = "goal: A 3,1\nbAAc\nbAAc\ndeef\ndghf\ni..j\n"

all_sizes = pytest.mark.parametrize(
    "page", ["desktop", pytest.param("tablet", marks=pytest.mark.slow), "phone"], indirect=True
)


@all_sizes
def test_a_level_is_played_to_its_end_by_taps(page: Page) -> None:
    page.open(ROOM)
    assert page.text("title") == "Pasted text 1", "who has no title is called after the file"
    page.tap(3, 3)
    page.wait(lambda: page.player() == [3, 3])
    assert page.lurd().islower()
    page.tap(2, 2)
    assert "tap the cell" in page.text("message")
    assert page.js("return document.querySelector('#board .m-path').dataset.cells") == "11", (
        "every cell it can be brought to"
    )
    page.tap(2, 4)
    page.wait(lambda: page.text("message").startswith("Solved"))
    assert page.lurd().endswith("RR") and page.player() == [2, 3]
    assert page.verdict() == "solved"
    reported = page.js("return document.getElementById('live').textContent")
    assert (
        reported == "Box right to row 3, column 5, on a goal. You are at row 3, column 4. 1 of 1 goals filled. Solved."
    )


def test_a_box_is_tapped_and_dragged_round_corners(page: Page) -> None:
    page.open(CORNER)
    page.tap(2, 3)
    page.tap(1, 2)
    assert page.lurd() == "rUullddR" or page.js("return sokoasp.page.game.boxAt(1, 2)") == "b0"
    pushes = sum(map(str.isupper, page.lurd()))
    assert pushes == 2, "up and left"
    page.rest()
    page.drag((1, 2), (1.4, 2), (2.5, 2.5), (1, 4))
    assert page.js("return sokoasp.page.game.boxAt(1, 4)") == "b0"
    page.rest()
    page.click("undo")
    assert page.js("return sokoasp.page.game.boxAt(1, 2)") == "b0", "a whole route is taken back"
    page.rest()
    page.tap(1, 2)
    page.tap(5, 1)
    assert page.text("message") == "The box cannot be brought there."
    page.tap(0, 0)
    assert page.text("message") == "The player cannot walk there."


def test_keys_swipes_undo_redo_and_a_restart_that_is_undone(page: Page) -> None:
    page.open(ROOM)
    page.keys(Keys.ARROW_RIGHT, "d")
    assert page.lurd() == "rr"
    page.drag((3, 2), (3.6, 2), (4.2, 2))
    assert page.lurd() == "rrd"
    page.tap(1, 1)
    page.wait(lambda: page.player() == [1, 1])
    page.click("undo")
    assert page.lurd() == "rrd", "a whole walk is taken back"
    page.keys("z", Keys.BACKSPACE)
    assert page.lurd() == "r"
    page.click("redo")
    page.keys("y")
    assert page.lurd() == "rrd"
    page.keys(Keys.CONTROL + "z" + Keys.NULL, Keys.SHIFT + "z" + Keys.NULL, "k", "j")
    assert page.lurd() == "rrdud", "hjkl walk"
    page.keys("r")
    assert page.lurd() == ""
    assert page.js("return sokoasp.board.nodes.get('p').getAttribute('transform')") == "translate(48 48)"
    page.click("undo")
    assert page.lurd() == "rrdud", "the restart is undone"
    page.keys(Keys.SPACE)
    page.wait(lambda: page.lurd() == "rrdud" and page.js("return sokoasp.page.game.undone.length") == 0)
    page.keys("?")
    assert "play backwards" in page.text("keys-table")
    page.click("keys-close")
    page.keys("b")
    assert "down: wall after 0 free" in page.text("live") or "beside you" in page.text("live")
    page.keys("n")
    assert page.find("next").get_attribute("disabled"), "one level only"


PRESS = """
    document.getElementById("board").dispatchEvent(new KeyboardEvent("keydown", {key: "ArrowRight", bubbles: true}));
    return [Boolean(sokoasp.board.running), sokoasp.board.nodes.get("p").getAttribute("transform")];"""


def test_animation_has_speeds_or_none_and_walks_may_be_the_shortest(page: Page) -> None:
    page.open(ROOM)
    page.choose("set-speed", "slow")
    assert page.js(PRESS) == [True, "translate(48 48)"], "it has just begun to move"
    page.rest()
    page.choose("set-speed", "instant")
    assert page.js(PRESS) == [False, "translate(144 48)"], "it is there at once"
    page.choose("set-walk", "shortest")
    page.tap(3, 1)
    assert len(page.lurd()) == 2 + 4
    again = Page(page.driver, page.url, keep=True)
    assert again.js(
        "return [document.getElementById('set-speed').value, document.getElementById('set-walk').value]"
    ) == [
        "instant",
        "shortest",
    ]


def test_played_backwards_and_seen_forwards(page: Page) -> None:
    page.open(ROOM)
    page.click("reverse")
    assert "(backwards)" in page.text("title")
    page.tap(2, 3)
    assert page.player() == [2, 3], "he may begin anywhere"
    page.tap(2, 4)
    assert "tap the cell" in page.text("message")
    page.tap(2, 2)
    page.says("All boxes are back")
    assert page.lurd().endswith("LL")
    page.find("message").find_element(By.TAG_NAME, "button").click()
    assert page.js("return sokoasp.page.game.solved") and page.lurd().endswith("RR")


@both
@desktop_first
def test_a_deadlock_is_warned_of_with_its_reason_and_left(page: Page) -> None:
    page.open(TRAP)
    page.wait(lambda: page.verdict() == "open")
    page.tap(2, 3)
    page.tap(2, 1)
    page.wait(lambda: page.verdict() == "dead")
    assert page.text("verdict").startswith("This box can no longer come to a goal.")
    assert page.js("return document.getElementById('revive').getBoundingClientRect().bottom <= innerHeight"), "in sight"
    assert page.js("const n = document.querySelector('.notes'); return n.scrollHeight <= n.clientHeight"), "all of it"
    page.rest()
    assert page.js("return document.querySelectorAll('#board .m-stuck').length") > 0
    assert page.js("return document.querySelectorAll('#board .m-dead').length") > 0, "what holds it is drawn"
    page.click("revive")
    page.says("Back before the push that did it (1 push back)")
    assert page.lurd() == "L", "two pushes, the second of them fatal"
    page.wait(lambda: page.verdict() == "open")
    page.rest()
    assert page.js("return document.querySelectorAll('#board .m-stuck').length") == 0


@both
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
        assert page.text("message").startswith("Hint: push this box") and "proved optimal" in page.text("message")
        before = page.lurd()
        page.click("hint")
        page.wait(lambda before=before: page.lurd() != before)  # type: ignore[misc]
        if page.js("return sokoasp.page.game.solved"):
            break
    page.wait(lambda: page.text("message").startswith("Solved"))


@both
def test_a_hint_where_nothing_helps_says_so(page: Page) -> None:
    page.open("#######\n#$ @ .#\n#     #\n#######\n")
    page.click("hint")
    page.says("No solution exists from here (proved)")


@both
def test_solving_is_shown_stopped_and_the_server_is_free_again(page: Page) -> None:
    page.open(CLASSIC)
    page.choose("engine", "asp")
    page.click("solve")
    page.wait(lambda: page.all(".bounds li[data-result=unsat]"))
    page.click("cancel")
    page.wait(lambda: "Stopped" in page.text("lanes"))
    assert page.find("solve").is_enabled() and not page.find("cancel").is_displayed()
    page.open(ROOM)
    page.choose("engine", "portfolio")
    page.keys("S")
    page.wait(lambda: "2 pushes: proved, nothing is better." in page.text("joined"))
    page.wait(lambda: page.find("compare").is_enabled())
    page.click("compare")
    page.wait(lambda: page.text("agreement").startswith("They agree. Only pushes are compared"))
    assert page.text("lanes").count("2 pushes, proved optimal") == 2


@both
@desktop_first
def test_a_plan_is_watched_left_and_taken(page: Page) -> None:
    page.open(ROOM)
    page.keys(Keys.ARROW_DOWN)
    page.click("solve")
    page.wait(lambda: page.all(".watch"))[0].click()
    page.wait(lambda: page.find("replay").is_displayed())
    counts = page.driver.find_element(By.CSS_SELECTOR, "#controls .counts")
    page.wait(lambda: "pushes 2 / 2" in counts.text)
    page.wait(lambda: page.js("return document.querySelectorAll('#board .on-goal').length") == 1)
    page.driver.find_element(By.CSS_SELECTOR, "#controls [aria-label='To the start']").click()
    assert "pushes 0 / 2" in counts.text
    page.keys(Keys.ARROW_DOWN)
    assert "pushes 2 / 2" in counts.text, "one action on"
    assert page.lurd() == "d", "the keys move the replay, not the game"
    page.click("leave")
    assert page.player() == [2, 1] and not page.find("replay").is_displayed()
    page.keys(Keys.ARROW_RIGHT)
    assert page.lurd() == "dR"
    page.click("undo")
    page.driver.execute_script("document.querySelector('.watch').click()")
    page.click("take")
    assert page.lurd() == "dRR" and page.js("return sokoasp.page.game.solved")


def test_a_position_is_shared_by_the_address(page: Page) -> None:
    page.open(ROOM)
    page.keys(Keys.ARROW_DOWN, Keys.ARROW_RIGHT)
    page.click("share")
    page.wait(lambda: "#p=" in page.driver.current_url)
    other = Page(page.driver, page.driver.current_url)
    other.wait(lambda: other.lurd() == "dR")
    assert other.text("title") == other.text("levels-name") == "Shared level", "not the name of another"


WRONG = (
    {"rows": ["foo"], "plan": ""},
    {"rows": [], "plan": ""},
    {"game": "sokoban", "rows": ["####", "#$.#", "####"], "plan": "R"},
    {"game": "klotski", "rows": ["AAb.", "AAc."], "plan": "zz"},
    "nonsense",
)
"""What somebody's address may hold: no level, none that can be played, moves of no piece."""


def test_an_address_that_holds_nothing_to_play_leaves_the_page_as_it_is(page: Page) -> None:
    page.open(ROOM)
    page.keys(Keys.ARROW_DOWN)
    for wrong in WRONG:
        page.js("location.hash = ''; sokoasp.page.game; document.getElementById('message').textContent = ''")
        code = base64.urlsafe_b64encode(json.dumps(wrong).encode()).decode().rstrip("=")
        page.js("location.hash = arguments[0]", f"#p={code}")
        page.says("This address holds no level that can be played.")
        assert page.lurd() == "d" and page.text("title") == "Pasted text 1", wrong
    again = Page(page.driver, f"{page.url}/#p=bm9uc2Vuc2U")
    again.says("This address holds no level that can be played.")


def test_bad_text_is_answered_in_the_dialog(page: Page) -> None:
    page.open("####\n#@ #\n####\n")
    page.wait(lambda: page.text("open-error").startswith("This level has no box."))
    page.driver.get_log("browser")  # the browser itself logs the 422
    page.click("open-cancel")


DETOUR = "drUluurDldRR"
"""Up, down again, and then two pushes to the goal: four pushes, of which the first cost two."""


@served
@desktop_first
@pytest.mark.settings(truth=True, optimum=True)
def test_my_best_is_held_against_the_truth_and_losses_are_found(page: Page) -> None:
    page.open(YARD)
    page.wait(lambda: page.text("distance") == "Optimum: 2 pushes.")
    page.open(DETOUR)
    page.wait(lambda: page.text("distance") == "You are 2 pushes from the optimum.")
    page.click("weigh")
    page.wait(lambda: page.text("bar-note") == "1 of 4 pushes led astray: 2 too many.")
    assert len(page.all("#bar rect.lost")) == 1 and len(page.all("#bar rect.fine")) == 3
    left = page.js("return [...document.querySelectorAll('#bar rect')].map((one) => one.textContent)")
    assert left == [f"after push {n}: {4 - n} to go" for n in (1, 2, 3, 4)]
    page.click("jump")
    assert page.lurd() == "dr" and page.js("return sokoasp.page.game.undone.length") == len(DETOUR) - 2
    page.shut()
    page.click("hint")
    page.says("think of this box")
    assert page.js("return document.querySelectorAll('#lanes .lane').length") == 0 or "Thinking" not in page.text(
        "message"
    )
    page.wait(lambda: page.js("return sokoasp.store.level(sokoasp.page.id).truth?.lines?.value") == 1)
    page.click("why")
    page.says("With one line fewer no box comes to the marked goal (proved).")
    assert page.js("return document.querySelectorAll('#board .m-core').length") == 1
    page.open("RR")
    page.wait(lambda: page.text("distance") == "My best is the optimum: 2 pushes.")


STREAM = """
    const lines = arguments[0], real = window.fetch;
    window.fetch = (url, how) => url !== "api/solve" ? real(url, how) : Promise.resolve(new Response(new ReadableStream({
      start(control) {
        for (const line of lines) control.enqueue(new TextEncoder().encode(JSON.stringify(line) + "\\n"));
        how.signal.addEventListener("abort", () => control.error(new DOMException("gone", "AbortError")));
      }})));"""
"""A search that has reported what it knows and goes on for ever."""


@served
def test_bound_plan_and_gap_are_live_and_stopping_keeps_the_best(page: Page) -> None:
    page.open(ROOM)
    level = level_from_rows(ROOM.splitlines())
    timeline = render.timeline(level, rules.plan_from_lurd(level, "rldRR"))
    known = {"event": "known", "stage": "searching (forward)", "lower_bound": 3}
    plan = {"value": 5, "plan": {"lurd": "rldRR"}, "timeline": timeline}
    page.js(STREAM, [{"event": "started"}, known, {**known, "lower_bound": 4, **plan}])
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


CORRIDOR = "########\n#  . $@#\n########\n"
POCKET = "########\n#   .  #\n### $  #\n###  @ #\n########\n"
"""Whoever pulls the box left, into the pocket, shuts himself in."""


@served
def test_a_lost_position_of_the_play_backwards_is_marked_and_left(page: Page) -> None:
    page.open(POCKET)
    page.click("reverse")
    page.wait(lambda: page.verdict() == "open")
    page.tap(1, 4)
    page.tap(1, 3)
    page.wait(lambda: page.verdict() == "dead")
    assert "the player is shut in for good" in page.text("verdict") and page.lurd().endswith("L")
    page.rest()
    assert page.js("return document.querySelectorAll('#board .m-stuck').length") > 0
    page.click("revive")
    page.says("Back before the pull that did it (1 pull back)")
    page.wait(lambda: page.verdict() == "open")


def test_where_the_play_backwards_began_is_remembered(page: Page) -> None:
    page.open(CORRIDOR)
    page.click("reverse")
    page.tap(1, 2)
    assert page.player() == [1, 2], "he begins beyond the box"
    page.keys(Keys.ARROW_LEFT)
    page.click("reverse")
    page.click("reverse")
    assert page.lurd() == "L" and page.player() == [1, 1]


SOUNDS = """
    window.heard = [];
    const tune = AudioParam.prototype.setValueAtTime;
    AudioParam.prototype.setValueAtTime = function (value, at) {
      if (value > 20) heard.push(value);  // a pitch, not a loudness
      return tune.call(this, value, at);
    };"""


@pytest.mark.settings(sound=True, speed="instant")
def test_sounds_tell_steps_pushes_goals_and_the_end_apart(page: Page) -> None:
    page.open("#######\n#@$ . #\n# $ . #\n#     #\n#######\n")
    page.js(SOUNDS)
    page.keys(Keys.ARROW_RIGHT, Keys.ARROW_RIGHT, Keys.ARROW_LEFT)
    assert len(page.js("return heard")) == 3
    step, push, goal = page.js("return [heard[2], heard[0], heard[1]]")
    assert len({step, push, goal}) == 3
    page.keys(Keys.ARROW_LEFT, Keys.ARROW_DOWN, Keys.ARROW_RIGHT, Keys.ARROW_RIGHT)
    page.wait(lambda: page.text("message").startswith("Solved"))
    assert page.js("return sokoasp.page.sounded") == "solved"
    page.js("document.getElementById('set-sound').click()")
    page.click("undo")
    count = page.js("return heard.length")
    page.keys(Keys.ARROW_RIGHT)
    assert page.js("return heard.length") == count, "no sound once it is switched off"


@pytest.mark.parametrize("page", ["phone"], indirect=True)
def test_two_fingers_zoom_and_move_the_map_and_play_nothing(page: Page) -> None:
    wide = ["#" * 40, "#@$." + " " * 35 + "#", *["#" + " " * 38 + "#"] * 30, "#" * 40]
    page.js("sokoasp.begin({game: 'sokoban', rows: arguments[0], title: 'Wide'})", wide)
    cell = "return document.querySelector('#board svg').getScreenCTM().a * 48"
    corner = "const m = document.querySelector('#board svg').getScreenCTM(); return [m.e, m.f]"
    before = page.js(cell)
    x, y = page.js("const b = document.getElementById('board').getBoundingClientRect(); return [b.x + 180, b.y + 150]")

    def touch(kind: str, *places: tuple[float, float]) -> None:
        points = [{"x": px, "y": py, "id": number} for number, (px, py) in enumerate(places)]
        page.driver.execute_cdp_cmd("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})

    touch("touchStart", (x - 20, y))
    touch("touchStart", (x - 20, y), (x + 20, y))
    for spread in (30, 40, 60):
        touch("touchMove", (x - spread, y), (x + spread, y))
    assert page.js(cell) > 1.5 * before, "the map grows with the distance of the fingers"
    left = page.js(corner)
    touch("touchMove", (x - 120, y - 30), (x, y - 30))

    def goes_with_them() -> bool:
        moved = page.js(corner)
        return left[0] - moved[0] > 30 and left[1] - moved[1] > 10

    page.wait(goes_with_them)
    touch("touchEnd")
    assert page.lurd() == "" and page.js("return sokoasp.page.picked") is None
    page.keys("0")
    assert page.js(cell) == pytest.approx(before, abs=0.5)
    page.tap(1, 2)
    assert page.js("return sokoasp.page.picked") == "b0", "one finger plays as before"


def test_moves_and_addresses_go_to_the_clipboard_or_a_box_to_copy_from(page: Page) -> None:
    page.open(ROOM)
    page.keys(Keys.ARROW_DOWN, Keys.ARROW_RIGHT)
    page.js("navigator.clipboard.writeText = (text) => { window.copied = text; return Promise.resolve(); }")
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
    page.click("edit")
    page.js("navigator.clipboard.writeText = (text) => { window.copied = text; return Promise.resolve(); }")
    page.click("edit-rotate")
    page.click("edit-right")
    page.click("edit-left")
    page.click("edit-copy")
    page.wait(lambda: page.text("edit-check") == "The level is on the clipboard.")
    assert page.js("return copied").split() == ["#####", "#", "@#", "#", "$", "#", "#", "#", "#", ".", "#", "#####"]
    page.click("edit-share")
    page.wait(lambda: "#p=" in page.js("return copied"))
    page.click("edit-leave")
