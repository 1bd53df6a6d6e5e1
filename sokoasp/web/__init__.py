"""The player page, and a small server of it for one's own machine: ``create_app`` builds that, ``run`` serves it.

Every request is answered from memory: no path of a request reaches the file system, and other sites are refused.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from sokoasp.core.errors import MissingExtra

if TYPE_CHECKING:
    from sokoasp.web.app import create_app, run

__all__ = ["create_app", "run"]


def __getattr__(name: str) -> Any:
    """Load the server when it is asked for: its worker processes, which start often, need none of it.

    Raises MissingExtra: Starlette or uvicorn is not installed.
    """
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    try:
        import_module("starlette")
        import_module("uvicorn")
    except ImportError:
        raise MissingExtra("the web player", "player") from None
    return getattr(import_module("sokoasp.web.app"), name)
