"""The server: the page, its files, and the interface behind it."""

from __future__ import annotations

import asyncio
import contextlib
import gc
import socket
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass
from pathlib import Path

from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from sokoasp.core.errors import SokoaspError
from sokoasp.domain import domains
from sokoasp.klotski import database
from sokoasp.web import api, assets, examples, first_page, middleware, serialization, server
from sokoasp.web.api import Service
from sokoasp.web.settings import Settings

LOCAL = ("127.0.0.1", "localhost", "::1")
"""The names under which one's own machine may be asked."""
_SETTINGS = Settings()


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
        SokoaspError: The text to start with holds no level, or the file of positions is none.
    """
    if settings.positions:
        database.load(Path(settings.positions))  # if it is none, the error comes now and not at the first hint
    service = Service(settings, examples.load())
    parts = assets.load()
    page = _index(start or Start(), service, parts.page)
    fixed = {
        path: Response(content, media_type=kind, headers=_KEPT if path in parts.kept else _FRESH)
        for path, (content, kind) in parts.files.items()
    }
    policy = middleware.policy(style=parts.style_hash, script=parts.script_hash)

    @contextlib.asynccontextmanager
    async def lifespan(_app: Starlette) -> AsyncIterator[None]:
        warming = [asyncio.ensure_future(pool.warm()) for pool in (service.quick, service.solvers, service.background)]
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
            await service.measured.close()

    routes = [
        Route("/", _give(Response(page, media_type="text/html", headers=_FRESH))),
        *(Route(f"/{path}", _give(response)) for path, response in fixed.items()),
        *api.routes(service),
    ]
    return Starlette(
        routes=routes,
        middleware=[Middleware(middleware.OriginGuard, hosts=hosts, policy=policy)],
        exception_handlers={404: _refuse, 405: _refuse},
        lifespan=lifespan,
    )


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


_FRESH = {"cache-control": "no-cache"}
_KEPT = {"cache-control": "public, max-age=31536000, immutable"}


def _give(response: Response) -> Callable[[Request], Response]:
    def endpoint(_request: Request) -> Response:
        return response

    return endpoint


def _refuse(request: Request, error: Exception) -> Response:
    """Answer for what is not there, or not by this method, as JSON like every other error."""
    status = getattr(error, "status_code", 404)
    path = request.url.path
    sentence = f"{path} is not asked by {request.method}" if status == 405 else f"there is no {path}"
    return JSONResponse({"error": sentence}, status)


def _index(start: Start, service: Service, page: str) -> str:
    """Fill the page with its first level, so that it is there at the first paint.

    Raises:
        SokoaspError: The text to start with holds no level.
    """
    own = bool(start.text or start.name)
    text, name = (start.text, start.name) if own else (service.examples.get(examples.FIRST, ""), examples.FIRST)
    games = {name: serialization.abilities(domain) for name, domain in domains().items()}
    state = {"own": own, "examples": list(service.examples), "games": games}
    return first_page.fill(page, serialization.open_text(text, name), state)
