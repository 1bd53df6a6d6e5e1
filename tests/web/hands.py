"""A browser with the page open, and hands."""

import base64
import functools
import http.server
import json
import shutil
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

webdriver = pytest.importorskip("selenium.webdriver", reason="selenium is not installed")

from selenium.common.exceptions import StaleElementReferenceException, TimeoutException  # noqa: E402
from selenium.webdriver.chrome.options import Options  # noqa: E402
from selenium.webdriver.chrome.service import Service  # noqa: E402
from selenium.webdriver.common.action_chains import ActionBuilder  # noqa: E402
from selenium.webdriver.common.by import By  # noqa: E402
from selenium.webdriver.common.keys import Keys  # noqa: E402
from selenium.webdriver.support.wait import WebDriverWait  # noqa: E402

__all__ = ["By", "Keys"]
CHROMIUM, DRIVER = shutil.which("chromium"), shutil.which("chromedriver")
desktop_first = pytest.mark.parametrize(
    "page", ["desktop", pytest.param("phone", marks=pytest.mark.slow)], indirect=True
)
both = pytest.mark.parametrize("server", ["served", "static"], indirect=True)
"""What asks: the service answers, or a worker in the browser."""
both_sizes = pytest.mark.parametrize("page", ["desktop", "phone"], indirect=True)
phone_first = pytest.mark.parametrize("page", [pytest.param("desktop", marks=pytest.mark.slow), "phone"], indirect=True)
phone = pytest.mark.parametrize("page", ["phone"], indirect=True)
served = pytest.mark.parametrize("server", ["served"], indirect=True)
static = pytest.mark.parametrize("server", ["static"], indirect=True)
ROOM = "######\n#@   #\n# $ .#\n#    #\n######\n"
"""Solved by down, right, right."""
TRAP = "#######\n#     #\n#  $@.#\n#     #\n#######\n"
"""Lost by left, left."""
CORNER = "#######\n#     #\n# .$  #\n# @ # #\n#   ###\n#######\n"
BOARD = "title: Let A out\ngoal: A 0,1\nAAb.\nAAc.\n"
CLASSIC = "goal: A 3,1\nbAAc\nbAAc\ndeef\ndghf\ni..j\n"
YARD = "#######\n#     #\n#     #\n#@$ . #\n#     #\n#     #\n#######\n"
FLAGS = (
    "--headless --no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking "
    "--disable-component-update --disable-sync"
)
SIZES = {"phone": (390, 844), "tablet": (768, 1024), "desktop": (1400, 900)}
QUIET = {"truth": False, "speed": "fast"}
"""Settings of the tests: no searches in the background unless a test is about them."""

WHERE = """
    const node = arguments[0], {drawer, replay} = document.body.dataset, inside = node.closest("aside");
    const tab = node.closest("[role=tabpanel]")?.getAttribute("aria-labelledby");
    return [!inside && !node.closest("dialog"), inside && drawer !== "open" && replay !== "yes", tab];"""
"""Of an element: whether it is outside drawer and dialogs, whether the drawer it is in is shut, and its tab."""
UNFOLD = """
    for (let one = arguments[0].closest("details"); one; one = one.parentNode.closest("details"))
      one.open = one.open || !arguments[0].matches("summary");
    arguments[0].scrollIntoView({block: "center"});"""

STREAM = """
    const [wanted, lines] = arguments, real = window.fetch;
    window.fetch = (url, how) => url !== wanted ? real(url, how) : Promise.resolve(new Response(new ReadableStream({
      start(control) {
        for (const line of lines) control.enqueue(new TextEncoder().encode(JSON.stringify(line) + "\\n"));
        how.signal.addEventListener("abort", () => control.error(new DOMException("gone", "AbortError")));
      }})));"""


class Quiet(http.server.SimpleHTTPRequestHandler):
    """Python's own file server, without its log."""

    def log_message(self, *_arguments: Any) -> None:
        """Say nothing."""


@contextmanager
def hosting(folder: Path) -> Iterator[str]:
    """Serve a folder by Python's own file server; give its address."""
    handler = functools.partial(Quiet, directory=str(folder))
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as host:
        threading.Thread(target=host.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{host.server_address[1]}/"
        host.shutdown()


class Page:
    """A browser with the page open, and hands."""

    def __init__(self, driver: Any, url: str, *, keep: bool = False, **settings: Any) -> None:
        self.driver = driver
        self.url = url.split("#")[0].split("?")[0].rstrip("/")
        if not keep:
            if not driver.current_url.startswith(f"{self.url}/"):
                driver.get(url)
            driver.execute_script(
                "localStorage.clear(); localStorage.setItem('sokoasp.settings', arguments[0])",
                json.dumps({**QUIET, **settings}),
            )
        driver.get_log("browser")
        driver.execute_script("window.before = true")
        driver.get(url)
        if self.js("return Boolean(window.before)"):  # only the part after # was another one
            driver.refresh()
        self.ready()

    def ready(self) -> None:
        self.wait(lambda: self.js("return document.body?.dataset.ready === 'yes'"))
        self.js("document.getElementById('solve-more').open = true")  # what stands there is looked at, too

    def js(self, script: str, *values: Any) -> Any:
        return self.driver.execute_script(script, *values)

    def module(self, name: str, expression: str) -> Any:
        """Return the value of an expression about one of the page's own modules, called ``module`` in it."""
        script = f"""
            const done = arguments[0], app = document.querySelector("script[type=module]").src;
            import(app.replace("app.js", "{name}.js")).then((module) => done({expression}));"""
        return self.driver.execute_async_script(script)

    def wait(self, condition: Callable[[], Any], seconds: float = 120) -> Any:
        """Wait for a condition; an element that the page has drawn anew meanwhile is looked for again."""
        redrawn = [StaleElementReferenceException]
        return WebDriverWait(self.driver, seconds, 0.05, ignored_exceptions=redrawn).until(lambda _: condition())

    def find(self, name: str) -> Any:
        return self.driver.find_element(By.ID, name)

    def all(self, selector: str) -> list[Any]:
        return list(self.driver.find_elements(By.CSS_SELECTOR, selector))

    def text(self, name: str) -> str:
        return str(self.find(name).text)

    def says(self, words: str) -> None:
        try:
            self.wait(lambda: words in self.text("message"))
        except TimeoutException:
            raise AssertionError(f"it says {self.text('message')!r}, not {words!r}: {self.text('lanes')}") from None

    def click(self, name: str) -> None:
        """Click an element by its id; its drawer, its tab and its menus are opened first, as a hand would."""
        node = self.find(name)
        self.reveal(node)
        if name in ("open", "edit") and not node.is_displayed():  # on a phone they are in the list of levels
            self.find("levels").click()
            self.find("list-packs").click()
            node = self.find(f"list-{name}")
        node.click()

    def reveal(self, node: Any) -> None:
        """Open the drawer, the tab and the menus that an element is in, and bring it into sight."""
        outside, hidden, tab = self.js(WHERE, node)
        if outside:
            self.shut()
        if hidden and self.find("panels").is_displayed():
            self.find("panels").click()
            self.js("document.getElementById('aside').getAnimations().forEach((one) => one.finish())")
        if tab and self.find(tab).get_attribute("aria-selected") != "true":
            self.find(tab).click()
        self.js(UNFOLD, node)

    def shut(self) -> None:
        """Shut the drawer if it is open."""
        if self.js("return document.body.dataset.drawer === 'open'"):
            self.find("drawer-close").click()
            self.js("document.getElementById('aside').getAnimations().forEach((one) => one.finish())")

    def open(self, text: str) -> None:
        self.shut()
        self.click("open")
        self.js("document.getElementById('text').value = arguments[0]", text)
        self.click("open-ok")
        self.wait(lambda: not self.find("opener").is_displayed() or self.text("open-error"))

    def address(self, held: Any) -> None:
        """Go to the address of a position, or of what somebody put there."""
        code = base64.urlsafe_b64encode(json.dumps(held).encode()).decode().rstrip("=")
        self.js("location.hash = arguments[0]", f"#p={code}")

    def win(self) -> None:
        """Solve ROOM."""
        self.keys(Keys.ARROW_DOWN, Keys.ARROW_RIGHT, Keys.ARROW_RIGHT)
        self.wait(lambda: self.find("solved").is_displayed())

    def pack(self, name: str) -> None:
        """Choose a pack by its card; its levels are listed."""
        self.click("levels")
        self.find("list-packs").click()
        card = self.all(f".pack[data-pack='{name}']")[0]
        self.js("arguments[0].closest('details')?.setAttribute('open', '')", card)
        card.click()
        self.wait(lambda: self.find("pack").is_displayed() and self.all(".level-row"))

    def shown(self, *names: str) -> list[str]:
        """Return those of the elements that one can see."""
        return [one for one in names if self.js("return document.getElementById(arguments[0]).checkVisibility()", one)]

    def primary(self) -> list[str]:
        """Return the blue buttons beside the board."""
        script = """
            return [...document.querySelectorAll(".stage .primary")].filter((one) => one.offsetParent).map((one) => one.id)"""
        return list(self.js(script))

    def program(self, text: str) -> None:
        """Run the program with these constraints."""
        self.wait(lambda: self.find("asp-run").is_enabled())
        self.js("document.getElementById('asp-constraints').value = arguments[0]", text)
        self.click("asp-run")

    def stream(self, question: str, *events: Any) -> None:
        """Answer a question by these events, and never end."""
        self.js(STREAM, f"api/{question}", events)

    def answers(self, *words: str) -> None:
        """Wait for the ASP window's answer."""
        self.wait(lambda: all(one in self.text("asp-answer") for one in words))

    def atoms(self, step: int) -> list[str]:
        """Return the atoms of a step of the plan, those of the map left out."""
        self.js(
            "const s = document.getElementById('asp-step'); s.value = arguments[0]; s.dispatchEvent(new Event('input'))",
            step,
        )
        return [one.text for one in self.all("#asp-list > .atom")]

    def optimum(self) -> None:
        """Wait until the level's three optima are known."""
        self.wait(lambda: self.js("return Object.keys(sokoasp.store.level(sokoasp.page.id).truth ?? {}).length") == 3)

    def place(self, row: float, col: float) -> tuple[int, int]:
        script = """
            const svg = document.querySelector("#board svg");
            document.getElementById("board").scrollIntoView({block: "center"});
            const at = new DOMPoint((arguments[1] + .5) * 48, (arguments[0] + .5) * 48).matrixTransform(svg.getScreenCTM());
            return [at.x, at.y];"""
        x, y = self.js(script, row, col)
        return round(x), round(y)

    def hand(self) -> Any:
        """Return what moves a pointer at once, where Selenium's own takes a quarter of a second for each move."""
        return ActionBuilder(self.driver, duration=0)

    def tap(self, row: int, col: int) -> None:
        self.shut()
        hand = self.hand()
        hand.pointer_action.move_to_location(*self.place(row, col)).pointer_down().pointer_up()
        hand.perform()

    def touch(self, kind: str, *places: tuple[float, float]) -> None:
        points = [{"x": x, "y": y, "id": number} for number, (x, y) in enumerate(places)]
        self.driver.execute_cdp_cmd("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})

    def drag(self, begin: tuple[int, int], *ends: tuple[float, float]) -> None:
        hand = self.hand()
        hand.pointer_action.move_to_location(*self.place(*begin)).pointer_down()
        for end in ends:
            hand.pointer_action.move_to_location(*self.place(*end))
        hand.pointer_action.pointer_up()
        hand.perform()

    def choose(self, name: str, value: str) -> None:
        """Choose an option of a list."""
        script = "const [node, value] = arguments; node.value = value; node.dispatchEvent(new Event('change', {bubbles: true}));"
        self.js(script + "node.dispatchEvent(new Event('input', {bubbles: true}));", self.find(name), value)

    def keys(self, *keys: str) -> None:
        self.find("board").send_keys(*keys)

    def lurd(self) -> str:
        return str(self.js("return sokoasp.page.game.plan()"))

    def player(self) -> list[int]:
        return list(self.js("const p = sokoasp.page.game.player; return [p.row, p.col]"))

    def rest(self) -> None:
        self.wait(lambda: not self.js("return Boolean(sokoasp.board.running)"))

    def verdict(self) -> str:
        return str(self.find("verdict").get_attribute("data-verdict"))


def browser(profile: str) -> Any:
    """Start a headless Chromium with a profile folder of its own; without one the tests are skipped."""
    if not (CHROMIUM and DRIVER):
        pytest.skip("no chromium with chromedriver on this machine")
    options = Options()
    options.binary_location = CHROMIUM
    for flag in (*FLAGS.split(), f"--user-data-dir={profile}"):
        options.add_argument(flag)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    driver = webdriver.Chrome(options=options, service=Service(DRIVER))
    driver.set_script_timeout(60)
    return driver


def size(driver: Any, name: str) -> None:
    """Make the window that of a phone, a tablet or a desktop."""
    width, height = SIZES[name]
    metrics = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 600}
    driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)
