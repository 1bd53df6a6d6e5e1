"""Takes the pictures of docs/web.md; run it by hand: ``python -m tests.web.tour docs/images``."""

from __future__ import annotations

import io
import sys
import tempfile
from pathlib import Path
from typing import Any

from PIL import Image

from tests.web.conftest import serving
from tests.web.hands import ROOM, Page, browser, size

WIDTH = {"desktop": 640, "phone": 300}


def take(driver: Any, name: str, device: str, folder: Path) -> None:
    """Keep what the window shows as a small picture."""
    shot = Image.open(io.BytesIO(driver.get_screenshot_as_png())).convert("RGB")
    small = shot.resize((WIDTH[device], shot.height * WIDTH[device] // shot.width), Image.Resampling.LANCZOS)
    small.quantize(64).save(folder / f"web-{name}.png", optimize=True)


def tour(driver: Any, url: str, folder: Path) -> None:
    """Bring on the first level, the packs, a solved level, a phone with a hint, the ASP window."""
    size(driver, "desktop")
    page = Page(driver, url, truth=True, speed="instant")
    take(driver, "desktop", "desktop", folder)
    page.optimum()
    page.keys("d")
    page.wait(lambda: page.find("solved").is_displayed() and page.text("distance"))
    page.wait(lambda: not page.js("return document.getAnimations().length"))
    take(driver, "solved", "desktop", folder)
    page.click("levels")
    page.find("list-packs").click()
    take(driver, "packs", "desktop", folder)
    page.click("list-close")
    page.open(ROOM)
    page.click("tab-asp")
    page.wait(lambda: page.find("asp-constraints").get_attribute("value"))
    page.click("asp-run")
    page.answers("proved optimal")
    page.atoms(1)
    take(driver, "asp", "desktop", folder)
    size(driver, "phone")
    page = Page(driver, url, theme="dark", speed="instant")
    page.js("sokoasp.choose(7)")
    for words in ("think of", "goes here", "push this box"):
        page.wait(lambda: page.find("hint").is_enabled())
        page.click("hint")
        page.says(words)
    take(driver, "phone", "phone", folder)


if __name__ == "__main__":
    with serving() as server, tempfile.TemporaryDirectory() as profile:
        driver = browser(profile)
        try:
            tour(driver, server.stdout.readline().strip(), Path(sys.argv[1]))  # type: ignore[union-attr]
        finally:
            driver.quit()
