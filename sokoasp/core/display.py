"""How values draw themselves in a notebook: values know that they can be drawn, a module above them knows how.

Nothing below imports a renderer: the package names the module that draws (``drawn_by``), and it is imported at the first picture.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

_modules: list[str] = []


def drawn_by(module: str) -> None:
    """Name the module whose function ``svg`` draws values from now on."""
    _modules[:] = [module]


def as_svg(value: Any) -> str | None:
    """Return the value's picture as SVG, None where nobody draws; classes take this as their ``_repr_svg_``."""
    if not _modules:
        return None
    picture: str = import_module(_modules[0]).svg(value)
    return picture
