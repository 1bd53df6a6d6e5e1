"""Pixels: the size a scene is painted in with Pillow; a still picture as PNG."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING

from sokoasp.core.errors import MissingExtra
from sokoasp.domain import P
from sokoasp.picture.scene import Scene, Stage
from sokoasp.picture.theme import LIGHT
from sokoasp.render.pictures import scene

if TYPE_CHECKING:
    from PIL.Image import Image

SIDE = 640
"""Pixels that the longer side of a picture aims at."""
SMALLEST, LARGEST = 8, 40
"""Least and most pixels of the side of a cell."""


def require(what: str) -> None:
    """Refuse to draw without Pillow.

    Raises:
        MissingExtra: Pillow is not installed; ``what`` needs it.
    """
    try:
        import PIL  # noqa: F401
    except ImportError:
        raise MissingExtra(what, "web") from None


def stage_of(parts: Scene) -> Stage:
    """Return a stage that shows all of a scene."""
    return Stage(parts.box, 2 * max(SMALLEST, min(LARGEST, SIDE // Stage(parts.box, 1).wide)))


def shrunk(picture: Image, stage: Stage) -> Image:
    """Return a picture in half the size it was painted in, its edges smooth."""
    from PIL.Image import Resampling

    return picture.resize((stage.size[0] // 2, stage.size[1] // 2), Resampling.BOX)


def png(problem: P) -> bytes:
    """Draw a level or board as a PNG picture.

    Raises:
        MissingExtra: Pillow is not installed.
    """
    require("a PNG picture")
    from PIL import Image, ImageDraw

    parts = scene(problem)
    stage = stage_of(parts)
    artist = parts.artist(stage)
    picture = Image.new("RGB", stage.size, LIGHT["paper"])
    artist.ground(ImageDraw.Draw(picture))
    artist.things(ImageDraw.Draw(picture), artist.first)
    out = io.BytesIO()
    shrunk(picture, stage).save(out, "PNG", optimize=True)
    return out.getvalue()
