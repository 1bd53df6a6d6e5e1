"""The server: the page, its files, and the interface behind it."""

from __future__ import annotations

import asyncio
import contextlib
import gc
import json
import socket
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass
from importlib.resources import files
from pathlib import PurePath

from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from sokoasp import render
from sokoasp.core.errors import SokoaspError
from sokoasp.domain import domains
from sokoasp.render.canvas import text as escape
from sokoasp.render.theme import DARK, LIGHT, asset
from sokoasp.web import api, examples, server, wire
from sokoasp.web.api import Service, Settings
from sokoasp.web.doorkeeper import Doorkeeper

LOCAL = ("127.0.0.1", "localhost", "::1")
"""The names under which one's own machine may be asked."""
_SETTINGS = Settings()
_KINDS = {
    ".js": "text/javascript",
    ".css": "text/css",
    ".svg": "image/svg+xml",
    ".webmanifest": "application/manifest+json",
}
_SHARED = dict.fromkeys(("animator.js", "player.js"), "text/javascript") | {
    "board.css": "text/css",
    "controls.css": "text/css",
}
STYLES = ("theme.css", "board.css", "controls.css", "app.css", "panels.css", "skins.css")
"""Served as one file, in this order, so that the first paint waits for one request."""


@dataclass(frozen=True, slots=True)
class Start:
    """What the page opens with: a text of levels or boards and the name it goes by; without a text the bundled tutorial."""

    text: str = ""
    name: str = ""


def create_app(
    start: Start | None = None, *, settings: Settings = _SETTINGS, hosts: tuple[str, ...] = LOCAL
) -> Starlette:
    """Build the application; ``hosts`` are the names it may be asked by (its defence against other sites' pages).

    Raises:
        SokoaspError: The text to start with holds no level.
    """
    service = Service(settings, examples.load())
    page = _index(start or Start(), service)
    fixed = {name: Response(content, media_type=kind, headers=_CACHE) for name, (content, kind) in _files().items()}

    @contextlib.asynccontextmanager
    async def lifespan(_app: Starlette) -> AsyncIterator[None]:
        warming = [asyncio.ensure_future(pool.warm()) for pool in (service.quick, service.solvers)]
        warming.append(asyncio.ensure_future(service.compile()))
        try:
            yield
        finally:
            for task in warming:
                task.cancel()
            await asyncio.gather(*warming, return_exceptions=True)
            await service.quick.close()
            await service.solvers.close()
            await service.background.close()

    routes = [
        Route("/", _give(Response(page, media_type="text/html", headers=_CACHE))),
        *(Route(f"/{name}", _give(response)) for name, response in fixed.items()),
        *api.routes(service),
    ]
    return Starlette(routes=routes, middleware=[Middleware(Doorkeeper, hosts=hosts)], lifespan=lifespan)


def run(
    text: str = "",
    name: str = "",
    *,
    host: str = "127.0.0.1",
    port: int = 8000,
    settings: Settings = _SETTINGS,
    on_ready: Callable[[str], None] = lambda url: None,
) -> None:
    """Serve until interrupted; ``on_ready`` is called with the page's address once it can be opened (port 0 picks a free one).

    Raises:
        SokoaspError: The text to start with holds no level, or the address cannot be used.
    """
    app = create_app(Start(text, name), settings=settings, hosts=(*LOCAL, host))
    try:
        listening = socket.create_server((host, port), family=socket.AF_INET6 if ":" in host else socket.AF_INET)
    except (OSError, OverflowError) as error:
        raise SokoaspError(f"cannot serve on {host}, port {port}: {error}") from None
    shown = f"[{host}]" if ":" in host else host
    gc.collect()
    gc.freeze()  # what is there now stays: collections while answering need not look at it again
    on_ready(f"http://{shown}:{listening.getsockname()[1]}/")
    server.serve(app, listening)


_CACHE = {"cache-control": "no-cache"}


def _give(response: Response) -> Callable[[Request], Response]:
    def endpoint(_request: Request) -> Response:
        return response

    return endpoint


def _files() -> dict[str, tuple[str, str]]:
    """Read the page's fixed files once: name → content and media type."""
    static = files("sokoasp") / "web" / "static"
    found = {
        path.name: (path.read_text(encoding="utf-8"), kind)
        for path in static.iterdir()
        if (kind := _KINDS.get(PurePath(path.name).suffix)) is not None
    }
    found |= {name: (asset(name), kind) for name, kind in _SHARED.items()}
    found["theme.css"] = (_theme(), "text/css")
    found["style.css"] = ("\n".join(found.pop(name)[0] for name in STYLES), "text/css")
    names = json.dumps(["/", *(f"/{name}" for name in sorted(found) if name != "sw.js")])
    return {**found, "files.json": (names, "application/json")}


def _theme() -> str:
    """Write the pictures' colours for the page's two themes."""
    light, dark = ("".join(f"--sk-{name}:{value};" for name, value in colours.items()) for colours in (LIGHT, DARK))
    return f":root{{{light}}}:root[data-theme=dark]{{{dark}}}"


def _index(start: Start, service: Service) -> str:
    """Fill the page with its first level, so that it is there at the first paint.

    Raises:
        SokoaspError: The text to start with holds no level.
    """
    text, name = (start.text, start.name) if start.text else (service.examples.get(examples.FIRST, ""), examples.FIRST)
    opened = wire.open_text(text, name)
    first = next(entry for entry in opened["problems"] if "error" not in entry)
    problem = wire.problem_of({"problem": first})
    games = {name: wire.abilities(domain) for name, domain in domains().items()}
    state = {"opened": opened, "own": bool(start.text), "examples": list(service.examples), "games": games}
    data = json.dumps(state, separators=(",", ":")).replace("<", "\\u003c")
    page = (files("sokoasp") / "web" / "static" / "index.html").read_text(encoding="utf-8")
    parts = {
        "<!--board-->": render.svg(problem, styled=False),
        "<!--state-->": data,
        "<!--title-->": escape(first["title"]),
    }
    for mark, content in parts.items():
        page = page.replace(mark, content)
    return page
