"""How values draw themselves in a notebook: classes take ``as_svg`` as their ``_repr_svg_``."""

from __future__ import annotations

from importlib import import_module
from typing import Any

DRAWS = "sokoasp.render.pictures"
"""The module that draws, imported at the first picture: nothing below it imports a renderer."""


def as_svg(value: Any) -> str:
    """Return the value's picture as SVG."""
    return str(import_module(DRAWS).svg(value))
