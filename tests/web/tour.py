"""Records the pictures and the tour of docs/web.md; run it by hand: ``python tests/web/tour.py docs/images``."""

from __future__ import annotations

import io
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from PIL import Image

sys.path.insert(0, str(Path(__file__).parents[2]))

from tests.web.conftest import SERVE
from tests.web.hands import Page, browser, size

LEVEL = "  ######\n  #    ###\n### $ .  #\n#  @$  . #\n#   $ .  #\n###    ###\n  ######\nTitle: The cellar\n"
WIDTH = 760


class Tour:
    """Frames of a tour, each with how long it stays."""

    def __init__(self, driver: Any) -> None:
        self.driver = driver
        self.frames: list[Image.Image] = []
        self.stays: list[int] = []

    def look(self, milliseconds: int = 1400) -> None:
        """Take a frame."""
        shot = Image.open(io.BytesIO(self.driver.get_screenshot_as_png())).convert("RGB")
        shot = shot.resize((WIDTH, shot.height * WIDTH // shot.width), Image.Resampling.LANCZOS)
        self.frames.append(shot.quantize(96))
        self.stays.append(milliseconds)

    def save(self, path: Path) -> None:
        """Write the frames as an animation."""
        first, *rest = self.frames
        first.save(path, save_all=True, append_images=rest, duration=self.stays, loop=0, optimize=True)


def record(driver: Any, url: str, folder: Path) -> None:
    """Play, be warned of a deadlock and go back, take hints, solve, weigh the play, draw a level."""
    size(driver, "desktop")
    page = Page(driver, url, truth=True, optimum=True, speed="instant")
    tour = Tour(driver)
    page.open(LEVEL)
    page.js("document.activeElement.blur()")
    tour.look()
    page.wait(lambda: page.text("distance").startswith("Optimum"))
    page.tap(2, 4)
    tour.look(1800)
    page.tap(1, 4)
    page.wait(lambda: page.verdict() == "dead")
    tour.look(2400)
    page.click("revive")
    page.says("Back before the push")
    tour.look()
    for stay in (1500, 1500, 2000):
        page.click("hint")
        page.wait(lambda: page.text("message").startswith("Hint"))
        tour.look(stay)
    page.tap(3, 4)
    page.tap(3, 6)
    page.click("solve")
    page.wait(lambda: "proved, nothing is better" in page.text("joined"))
    tour.look(2000)
    next(node for node in page.all(".certify") if node.is_displayed()).click()
    page.wait(lambda: page.all(".seal[data-checked=true]"))
    tour.look(2400)
    driver.save_screenshot(str(folder / "web-desktop.png"))
    page.all(".watch")[0].click()
    page.wait(lambda: page.find("replay").is_displayed())
    page.js("document.querySelector(\"#controls [aria-label='To the end']\").click()")
    tour.look(1200)
    page.click("take")
    page.wait(lambda: page.js("return sokoasp.page.game.solved"))
    page.keys("z", "y")
    page.wait(lambda: page.find("solved").is_displayed())
    tour.look(1800)
    driver.save_screenshot(str(folder / "web-solved.png"))
    page.click("weigh")
    page.wait(lambda: "astray" in page.text("bar-note") or "No push" in page.text("bar-note"))
    page.wait(lambda: "Not all" not in page.text("bar-note"))
    tour.look(2600)
    page.click("edit")
    page.wait(lambda: "Solvable, optimum" in page.text("edit-check"))
    tour.look(2200)
    driver.save_screenshot(str(folder / "web-editor.png"))
    page.click("edit-leave")
    page.click("tab-asp")
    page.wait(lambda: "box(" in page.js("return document.getElementById('asp-facts').textContent"))
    page.click("restart")
    page.click("asp-run")
    page.wait(lambda: page.all(".atom"))
    page.js("const s = document.getElementById('asp-step'); s.value = 1; s.dispatchEvent(new Event('input'));")
    tour.look(2400)
    driver.save_screenshot(str(folder / "web-asp.png"))
    tour.save(folder / "web-tour.gif")


def pictures(driver: Any, url: str, folder: Path) -> None:
    """Take the pictures of the phone and the tablet."""
    size(driver, "phone")
    page = Page(driver, url, theme="dark", skin="gems", truth=True, optimum=True)
    page.open(LEVEL)
    page.tap(2, 4)
    page.wait(lambda: page.text("distance").startswith("Optimum"))
    driver.save_screenshot(str(folder / "web-phone.png"))
    size(driver, "tablet")
    page = Page(driver, url)
    page.js("document.getElementById('levels').click()")
    page.choose("collection", "graded/06-boxes.sok")
    page.wait(lambda: page.js("return document.querySelector('.level-row b').textContent") == "1. 6 boxes 1")
    driver.save_screenshot(str(folder / "web-levels.png"))


def main(folder: Path) -> None:
    """Serve and record."""
    server = subprocess.Popen([sys.executable, "-c", SERVE], stdout=subprocess.PIPE, text=True)
    assert server.stdout is not None
    url = server.stdout.readline().strip().rstrip("/")
    try:
        with tempfile.TemporaryDirectory() as profile:
            driver = browser(profile)
            try:
                record(driver, url, folder)
                pictures(driver, url, folder)
            finally:
                driver.quit()
    finally:
        server.terminate()
        server.wait(20)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
