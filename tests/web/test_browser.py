# ruff: noqa: E402
"""The page in a real browser: played by taps, hinted, warned, cancelled, replayed, slid."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from typing import Any

import pytest

webdriver = pytest.importorskip("selenium.webdriver", reason="selenium is not installed")

from selenium.webdriver.chrome.options import Options
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.action_chains import ActionBuilder
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.wait import WebDriverWait

CHROMIUM, DRIVER = shutil.which("chromium"), shutil.which("chromedriver")
pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(not (CHROMIUM and DRIVER), reason="no chromium with chromedriver on this machine"),
]
FLAGS = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
ROOM = "######\n#@   #\n# $ .#\n#    #\n######\n"
TRAP = "#######\n#     #\n#  $@.#\n#     #\n#######\n"
SMALL_BOARD = "title: Let A out\ngoal: A 0,1\nAAb.\nAAc.\n"
CLASSIC = "goal: A 3,1\nbAAc\nbAAc\ndeef\ndghf\ni..j\n"
SIZES = {"phone": (390, 844), "desktop": (1280, 800)}


class Page:
    """A browser with the page open, and hands."""

    def __init__(self, driver: Any, url: str) -> None:
        self.driver = driver
        driver.get("about:blank")
        driver.get(url)
        self.wait(lambda: driver.execute_script("return document.body.dataset.ready === 'yes'"))

    def wait(self, condition: Callable[[], Any], seconds: float = 60) -> Any:
        return WebDriverWait(self.driver, seconds, poll_frequency=0.05).until(lambda _: condition())

    def find(self, name: str) -> Any:
        return self.driver.find_element(By.ID, name)

    def text(self, name: str) -> str:
        return str(self.find(name).text)

    def click(self, name: str) -> None:
        node = self.find(name)
        self.driver.execute_script("arguments[0].scrollIntoView({block: 'center'})", node)
        node.click()

    def open(self, text: str) -> None:
        self.click("open")
        self.find("text").clear()
        self.find("text").send_keys(text)
        self.click("open-ok")
        self.wait(lambda: not self.find("opener").is_displayed() or self.text("open-error"))
        last = text.strip().splitlines()[-1]
        self.wait(lambda: self.driver.execute_script("return sokoasp.page.game.start.rows.at(-1)") == last)

    def place(self, row: float, col: float) -> tuple[int, int]:
        script = """
            document.querySelector("#board svg").scrollIntoView({block: "center"});
            const svg = document.querySelector("#board svg");
            const at = new DOMPoint((arguments[1] + .5) * 48, (arguments[0] + .5) * 48).matrixTransform(svg.getScreenCTM());
            return [at.x, at.y];"""
        x, y = self.driver.execute_script(script, row, col)
        return round(x), round(y)

    def tap(self, row: int, col: int) -> None:
        hand = ActionBuilder(self.driver)
        hand.pointer_action.move_to_location(*self.place(row, col)).pointer_down().pointer_up()
        hand.perform()

    def drag(self, begin: tuple[int, int], *ends: tuple[float, float]) -> None:
        hand = ActionBuilder(self.driver)
        hand.pointer_action.move_to_location(*self.place(*begin)).pointer_down()
        for end in ends:
            hand.pointer_action.move_to_location(*self.place(*end))
        hand.pointer_action.pointer_up()
        hand.perform()

    def keys(self, *keys: str) -> None:
        self.find("board").send_keys(*keys)

    def lurd(self) -> str:
        return str(self.driver.execute_script("return sokoasp.page.game.plan()"))

    def player(self) -> list[int]:
        return list(self.driver.execute_script("const p = sokoasp.page.game.player; return [p.row, p.col]"))

    def rest(self) -> None:
        self.wait(lambda: not self.driver.execute_script("return Boolean(sokoasp.board.running)"))


both_sizes = pytest.mark.parametrize("page", sorted(SIZES), indirect=True)


@pytest.fixture(scope="module")
def driver(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    driver = browser(str(tmp_path_factory.mktemp("profile")))
    yield driver
    driver.quit()


def browser(profile: str) -> Any:
    """Start a headless Chromium with a profile folder of its own."""
    options = Options()
    options.binary_location = str(CHROMIUM)
    for flag in (*FLAGS, f"--user-data-dir={profile}"):
        options.add_argument(flag)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    return webdriver.Chrome(options=options, service=Service(str(DRIVER)))


@pytest.fixture
def page(driver: Any, server: str, request: pytest.FixtureRequest) -> Iterator[Page]:
    """The page on a desktop or as the test asks; at the end nothing may have been logged or stick out sideways."""
    width, height = SIZES[getattr(request, "param", "desktop")]
    metrics = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 600}
    driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)
    page = Page(driver, server)
    yield page
    assert driver.execute_script("return document.documentElement.scrollWidth") <= width
    assert [entry for entry in driver.get_log("browser") if entry["level"] == "SEVERE"] == []


@both_sizes
def test_a_level_is_played_to_its_end_by_taps(page: Page) -> None:
    page.open(ROOM)
    page.tap(3, 3)
    page.wait(lambda: page.player() == [3, 3])
    assert page.lurd().islower()
    page.tap(2, 2)
    assert "tap the cell" in page.text("message")
    page.tap(2, 4)
    page.wait(lambda: page.text("message").startswith("Solved"))
    assert page.lurd().endswith("RR") and page.player() == [2, 3]
    assert page.find("verdict").get_attribute("data-verdict") == "solved"


def test_keys_swipes_undo_and_redo(page: Page) -> None:
    page.open(ROOM)
    page.keys(Keys.ARROW_RIGHT, "d")
    assert page.lurd() == "rr"
    page.drag((3, 2), (3.6, 2), (4.2, 2))
    assert page.lurd() == "rrd"
    page.tap(1, 1)
    page.wait(lambda: page.player() == [1, 1])
    page.click("undo")
    assert page.lurd() == "rrd", "a whole walk is taken back"
    page.keys("u", "u")
    assert page.lurd() == "r"
    page.click("redo")
    page.keys("r")
    assert page.lurd() == "rrd"
    page.click("restart")
    assert page.lurd() == ""
    page.rest()
    assert (
        page.driver.execute_script("return sokoasp.board.nodes.get('p').getAttribute('transform')")
        == "translate(48 48)"
    )


def test_impossible_taps_say_why(page: Page) -> None:
    page.open(ROOM)
    page.tap(2, 2)
    page.tap(3, 4)
    page.wait(lambda: page.text("message") == "A box goes in a straight line only.")
    page.tap(0, 0)
    page.wait(lambda: page.text("message") == "The player cannot walk there.")


@both_sizes
def test_a_deadlock_is_warned_of_with_its_reason(page: Page) -> None:
    page.open(TRAP)
    page.wait(lambda: page.text("verdict") == "No deadlock found.")
    page.tap(2, 3)
    page.tap(2, 1)
    page.wait(lambda: page.find("verdict").get_attribute("data-verdict") == "dead")
    assert page.text("verdict").startswith("No way back: ") and len(page.text("verdict")) > 30
    page.rest()
    assert page.driver.execute_script("return document.querySelectorAll('#board .m-stuck').length") > 0
    page.click("undo")
    page.wait(lambda: page.text("verdict") == "No deadlock found.")
    page.rest()
    assert page.driver.execute_script("return document.querySelectorAll('#board .m-stuck').length") == 0


def test_hints_lead_to_the_end(page: Page) -> None:
    page.open("########\n#@     #\n# $  . #\n# $  . #\n#      #\n########\n")
    for _ in range(6):  # 6 pushes are enough, whatever their order
        if page.driver.execute_script("return sokoasp.page.game.solved"):
            break
        page.click("hint")
        page.wait(lambda: page.text("message").startswith("Hint: push the box at"))
        assert "proved optimal" in page.text("message")
        before = page.lurd()
        page.click("hint")
        page.wait(lambda before=before: page.lurd() != before)  # type: ignore[misc]
    page.wait(lambda: page.text("message").startswith("Solved"))


def test_a_hint_where_nothing_helps_says_so(page: Page) -> None:
    page.open("#######\n#$ @ .#\n#     #\n#######\n")
    page.click("hint")
    page.wait(lambda: "No solution exists from here (proved)" in page.text("message"))


def test_solving_is_shown_cancelled_and_the_server_is_free_again(page: Page) -> None:
    page.open(CLASSIC)
    page.click("solve")
    page.wait(lambda: page.driver.find_elements(By.CSS_SELECTOR, ".bounds li[data-result=unsat]"))
    page.click("cancel")
    page.wait(lambda: "Cancelled" in page.text("lanes"))
    assert page.find("solve").is_enabled() and not page.find("cancel").is_displayed()
    page.open(ROOM)
    page.click("solve")
    page.wait(lambda: "2 pushes, proved optimal" in page.text("lanes"))


@both_sizes
def test_a_plan_is_watched_and_left(page: Page) -> None:
    page.open(ROOM)
    page.keys(Keys.ARROW_DOWN)
    page.click("solve")
    page.wait(lambda: page.driver.find_elements(By.CLASS_NAME, "watch"))[0].click()
    page.wait(lambda: page.find("replay").is_displayed())
    counts = page.driver.find_element(By.CSS_SELECTOR, "#controls .counts")
    page.wait(lambda: "pushes 2 / 2" in counts.text)
    page.wait(lambda: page.driver.execute_script("return document.querySelectorAll('#board .on-goal').length") == 1)
    page.driver.find_element(By.CSS_SELECTOR, "#controls [aria-label='To the start']").click()
    assert "pushes 0 / 2" in counts.text
    page.keys(Keys.ARROW_DOWN)
    assert "pushes 2 / 2" in counts.text, "one action on"
    assert page.lurd() == "d", "the keys move the replay, not the game"
    page.click("leave")
    assert page.player() == [2, 1] and not page.find("replay").is_displayed()
    page.keys(Keys.ARROW_RIGHT)
    assert page.lurd() == "dR"


def test_two_engines_side_by_side(page: Page) -> None:
    page.open(ROOM)
    page.click("compare")
    page.wait(lambda: page.text("agreement") == "They agree.")
    assert page.text("lanes").count("2 pushes, proved optimal") == 2


@both_sizes
def test_a_klotski_board_is_dragged_typed_and_finished(page: Page) -> None:
    page.open(SMALL_BOARD)
    page.drag((0, 2), (0, 2.6), (0, 3.1))
    assert page.lurd() == "br"
    page.keys("c", Keys.ARROW_RIGHT, "A", Keys.ARROW_LEFT)
    assert page.lurd() == "br.cr", "A cannot go left"
    page.keys("u")
    assert page.lurd() == "br"
    page.click("hint")
    page.wait(lambda: page.text("message").startswith("Hint: slide c r"))
    page.click("hint")
    page.rest()
    page.drag((1, 1), (1, 1.8), (1, 2.4))
    page.wait(lambda: page.text("message").startswith("Solved: 3 slides, 3 units"))


def test_a_position_is_shared_by_the_address(page: Page) -> None:
    page.open(ROOM)
    page.keys(Keys.ARROW_DOWN, Keys.ARROW_RIGHT)
    page.click("share")
    page.wait(lambda: "#p=" in page.driver.current_url)
    other = Page(page.driver, page.driver.current_url)
    other.wait(lambda: other.lurd() == "dR")
    Page(page.driver, page.driver.current_url.split("#")[0] + "#p=bm9uc2Vuc2U")


def test_bad_text_is_answered_in_the_dialog(page: Page) -> None:
    page.click("open")
    page.find("text").send_keys("####\n#@ #\n####\n")
    page.click("open-ok")
    page.wait(lambda: "the board has no box and no goal" in page.text("open-error"))
    page.driver.get_log("browser")  # the browser itself logs the 422
    page.click("open-cancel")


@both_sizes
def test_everything_has_a_name(page: Page) -> None:
    script = """
        return [...document.querySelectorAll("button, select, input, textarea, [role]")].filter((node) =>
          !(node.getAttribute("aria-label") || node.getAttribute("aria-labelledby") || node.textContent.trim()
            || node.closest("label")?.textContent.trim() || node.matches("[role=status],[role=alert]")))
          .map((node) => node.outerHTML)"""
    assert page.driver.execute_script(script) == []
