"""Playing by hand in a real browser: taps, drags, keys, undo, sounds, zoom; Sokoban and Klotski."""

import pytest

from tests.web.hands import BOARD, CORNER, ROOM, By, Keys, Page, desktop_first, phone, served, size

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
    assert page.js("return document.querySelector('#board .m-path').dataset.cells") == "11"
    page.tap(2, 4)
    page.wait(lambda: page.text("message").startswith("Solved"))
    assert page.lurd().endswith("RR") and page.player() == [2, 3] and page.verdict() == "solved"
    heard = "Box right to c5r3, on a goal. You are at c4r3. 1 of 1 goals filled. Solved."
    assert page.js("return document.getElementById('live').textContent") == heard


def test_a_box_is_tapped_and_dragged_round_corners(page: Page) -> None:
    page.open(CORNER)
    page.tap(2, 3)
    page.tap(1, 2)
    assert page.js("return sokoasp.page.game.boxAt(1, 2)") == "b0"
    assert sum(map(str.isupper, page.lurd())) == 2, "up and left"
    page.rest()
    page.drag((1, 2), (1.4, 2), (2.5, 2.5), (1, 4))
    assert page.js("return sokoasp.page.game.boxAt(1, 4)") == "b0"
    page.rest()
    page.click("undo")
    assert page.js("return sokoasp.page.game.boxAt(1, 2)") == "b0", "a whole route is taken back"
    page.rest()
    page.tap(1, 2)
    page.tap(3, 4)
    assert page.text("message") == "The box cannot be brought there."
    page.tap(4, 4)
    assert page.text("message") == "The player cannot walk there."


def test_keys_swipes_undo_redo_and_a_restart_that_is_undone(page: Page) -> None:
    page.open(ROOM)
    page.keys(Keys.ARROW_RIGHT, "d")
    page.drag((3, 2), (3.6, 2), (4.2, 2))
    assert page.lurd() == "rrd"
    page.tap(1, 1)
    page.wait(lambda: page.player() == [1, 1])
    page.click("undo")
    assert page.lurd() == "rrd", "a whole walk is taken back"
    page.keys("z", Keys.BACKSPACE)
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
    assert "say where everything is" in page.text("keys-table")
    page.click("keys-close")
    page.keys("b")
    assert "down: wall after 0 free" in page.text("live") or "beside you" in page.text("live")
    assert page.find("next").get_attribute("disabled"), "one level only"


def test_undo_is_held_down_and_the_bar_goes_to_any_place(page: Page) -> None:
    page.open(ROOM)
    page.keys(Keys.ARROW_DOWN, Keys.ARROW_RIGHT, Keys.ARROW_UP, Keys.ARROW_DOWN)
    scrub = "const s = document.getElementById('scrub'); s.value = arguments[0]; s.dispatchEvent(new Event('input'))"
    page.js(scrub, 1)
    assert page.lurd() == "d" and page.find("scrub").get_attribute("max") == "4"
    page.js("document.getElementById('message').textContent = 'Solved: 2 pushes.'")
    page.js(scrub, 4)
    assert page.text("message") == "", "what was said of another place"
    page.driver.execute_script("document.getElementById('undo').dispatchEvent(new PointerEvent('pointerdown'))")
    page.wait(lambda: page.lurd() == "")
    page.driver.execute_script("dispatchEvent(new PointerEvent('pointerup'))")
    page.keys("y")
    page.find("undo").click()
    assert page.lurd() == "", "a click takes back one"


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
    assert [again.find(name).get_attribute("value") for name in ("set-speed", "set-walk")] == ["instant", "shortest"]


SOUNDS = """
    window.heard = [];
    const tune = AudioParam.prototype.setValueAtTime;
    AudioParam.prototype.setValueAtTime = function (value, at) {
      if (value > 20) heard.push(value);  // a pitch, not a loudness
      return tune.call(this, value, at);
    };"""


@pytest.mark.settings(sound=True, speed="instant")
def test_sounds_tell_steps_pushes_goals_and_the_end_apart_until_they_are_switched_off(page: Page) -> None:
    page.open("#######\n#@$ . #\n# $ . #\n#     #\n#######\n")
    page.js(SOUNDS)
    page.keys(Keys.ARROW_RIGHT, Keys.ARROW_RIGHT, Keys.ARROW_LEFT)
    assert len(set(page.js("return heard"))) == 3, "a push, a goal, a step"
    page.keys(Keys.ARROW_LEFT, Keys.ARROW_DOWN, Keys.ARROW_RIGHT, Keys.ARROW_RIGHT)
    page.wait(lambda: page.text("message").startswith("Solved"))
    assert page.js("return sokoasp.page.sounded") == "solved"
    assert page.js("return sokoasp.store.get('collection.<pasted text>').solved")
    assert page.find("sound").get_attribute("aria-pressed") == "true"
    page.click("sound")
    page.click("undo")
    count = page.js("return heard.length")
    page.keys(Keys.ARROW_RIGHT)
    assert page.js("return heard.length") == count


WIDE = ["#" * 50, "#@$." + " " * 45 + "#", *["#" + " " * 48 + "#"] * 40, "#" * 50]
MOVED = "const m = document.querySelector('#board svg').getScreenCTM(); return arguments[0] - m.e > 30 && arguments[1] - m.f > 10"
CELL = "return document.querySelector('#board svg').getScreenCTM().a * 48"


@phone
def test_no_cell_is_small_and_two_fingers_zoom_and_move_the_map_and_play_nothing(page: Page) -> None:
    page.js("sokoasp.begin({game: 'sokoban', rows: arguments[0], title: 'Wide'})", WIDE)
    before = page.js(CELL)
    assert before >= 28 and page.find("zoomers").is_displayed(), "no cell under 28 px unless one zooms out"
    page.keys(*"-----")
    assert page.js(CELL) < 28
    page.keys("0")
    corner = "const m = document.querySelector('#board svg').getScreenCTM(); return [m.e, m.f]"
    x, y = page.js("const b = document.getElementById('board').getBoundingClientRect(); return [b.x + 180, b.y + 150]")
    page.touch("touchStart", (x - 20, y))
    page.touch("touchStart", (x - 20, y), (x + 20, y))
    for spread in (30, 40, 60):
        page.touch("touchMove", (x - spread, y), (x + spread, y))
    assert page.js(CELL) > 1.5 * before, "the map grows with the distance of the fingers"
    left = page.js(corner)
    page.touch("touchMove", (x - 120, y - 30), (x, y - 30))
    page.wait(lambda: page.js(MOVED, *left))
    page.touch("touchEnd")
    assert page.lurd() == "" and page.js("return sokoasp.page.picked") is None
    page.keys("0")
    assert page.js(CELL) == pytest.approx(before, abs=0.5)
    page.tap(1, 2)
    assert page.js("return sokoasp.page.picked") == "b0"
    # After two fingers Chromium passes no touch on to another address in this tab.
    page.driver.switch_to.new_window("tab")
    size(page.driver, "phone")
    page.driver.get(page.url)


@served
@desktop_first
def test_a_klotski_board_is_dragged_typed_and_finished(page: Page) -> None:
    page.open(BOARD)
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
    assert Page(page.driver, page.url, keep=True).lurd() == "br.cr.Ar"


@served
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
