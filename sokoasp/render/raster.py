"""Pixels: the size a scene is painted in with Pillow, for animations and still pictures."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sokoasp.core.errors import MissingExtra
from sokoasp.picture.scene import Scene, Stage

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


def stage_of(parts: Scene, cell: int | None = None) -> Stage:
    """Return a stage that shows all of a scene; ``cell`` is the side of a cell once it is shrunk, in pixels."""
    chosen = cell or max(SMALLEST, min(LARGEST, SIDE // Stage(parts.box, 1).wide))
    return Stage(parts.box, 2 * chosen)


def shrunk(picture: Image, stage: Stage) -> Image:
    """Return a picture in half the size it was painted in, its edges smooth."""
    from PIL.Image import Resampling

    return picture.resize((stage.size[0] // 2, stage.size[1] // 2), Resampling.BOX)
