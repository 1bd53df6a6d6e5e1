"""The player page: a small web server for one's own machine. ``create_app`` builds it, ``run`` serves it.

Every request is answered from memory: no path of a request reaches the file system, and other sites are refused.
"""

from __future__ import annotations

from sokoasp.core.errors import MissingExtra

__all__ = ["create_app", "run"]

try:
    import starlette as _starlette
    import uvicorn as _uvicorn
except ImportError:  # pragma: no cover - depends on what is installed
    raise MissingExtra("the web player", "web") from None

from sokoasp.web.app import create_app, run

del _starlette, _uvicorn
