"""A skin in the common Sokoban skin format, dropped on the page: its tiles are where they belong, also after a reload."""

from __future__ import annotations

import base64
import io
import struct

import pytest

from tests.web.hands import MARKS, Page

pytestmark = MARKS
COLOURS = {
    (0, 0): (250, 240, 10),
    (1, 0): (10, 20, 250),
    (2, 0): (200, 100, 0),
    (0, 1): (0, 200, 100),
    (2, 1): (90, 0, 90),
    (1, 3): (40, 40, 40),
}
"""Floor, player, box, goal, box on goal and wall, by column and row of the tile."""
DROP = """
    const data = new DataTransfer(), bytes = Uint8Array.from(atob(arguments[0]), (char) => char.charCodeAt(0));
    data.items.add(new File([bytes], "skin.bmp", {type: "image/bmp"}));
    document.body.dispatchEvent(new DragEvent("drop", {dataTransfer: data, bubbles: true, cancelable: true}));"""


def bitmap(width: int, height: int, tile: int) -> bytes:
    """Return a picture in BMP with a colour for each tile, red for those that are not used."""
    rows = b""
    for y in reversed(range(height)):
        row = b"".join(bytes(reversed(COLOURS.get((x // tile, y // tile), (255, 0, 0)))) for x in range(width))
        rows += row + b"\0" * (-len(row) % 4)
    head = struct.pack("<IiiHHIIiiII", 40, width, height, 1, 24, 0, len(rows), 2835, 2835, 0, 0)
    return b"BM" + struct.pack("<IHHI", 54 + len(rows), 0, 0, 54) + head + rows


def shown(page: Page, row: float, col: float) -> tuple[int, ...]:
    image = pytest.importorskip("PIL.Image", reason="Pillow is not installed")
    picture = image.open(io.BytesIO(page.driver.get_screenshot_as_png())).convert("RGB")
    return tuple(picture.getpixel(page.place(row, col)))


def near(one: tuple[int, ...], other: tuple[int, ...]) -> bool:
    return all(abs(a - b) <= 6 for a, b in zip(one, other, strict=True))


@pytest.mark.parametrize("height", [pytest.param(64, marks=pytest.mark.slow), 128])
def test_a_skin_that_is_dropped_is_put_on(page: Page, height: int) -> None:
    page.open("########\n#@ $ . #\n#  *   #\n########\n")
    page.js(DROP, base64.b64encode(bitmap(64, height, 16)).decode())
    page.says("This skin is used from now on.")
    assert page.js("return document.documentElement.dataset.skin") == "own"
    again = Page(page.driver, page.url, keep=True)
    wanted = {(1, 2): (0, 0), (1, 1): (1, 0), (1, 3): (2, 0), (1, 5): (0, 1), (2, 3): (2, 1), (0, 2): (1, 3)}
    for (row, col), tile in wanted.items():
        assert near(shown(again, row, col), COLOURS[tile]), (row, col)
        corner = row - 0.4 if row else row + 0.4  # half of the outermost wall is left out
        assert near(shown(again, corner, col - 0.4), COLOURS[tile]), "to the corner of the cell"
    again.js(DROP, base64.b64encode(bitmap(12, 12, 3)).decode())
    again.says("This picture is no skin")
    again.js(DROP, base64.b64encode(b"no picture").decode())
    again.says("This file is no picture")
