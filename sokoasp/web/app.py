"""The server: the files of the page, and the service that answers its four questions."""

from __future__ import annotations

import asyncio
import contextlib
import secrets
import socket
from collections.abc import AsyncIterator, Callable, Collection, Sequence

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp

from sokoasp.core.errors import SokoaspError, WrongOption
from sokoasp.web import server, site
from sokoasp.web.middleware import HOST, Guard
from sokoasp.web.questions import Settings
from sokoasp.web.service import Service

LOCAL = ("127.0.0.1", "localhost", "::1")
"""The names under which one's own machine may be asked."""
ANY = ("0.0.0.0", "::", "")
"""Addresses that stand for every one of this machine's; nobody can ask by them."""
_SETTINGS = Settings()
_FRESH = {"cache-control": "no-cache"}
_KEPT = {"cache-control": "public, max-age=31536000, immutable"}


def create_app(
    own: Sequence[tuple[str, str]] = (),
    *,
    settings: Settings = _SETTINGS,
    hosts: Collection[str] = LOCAL,
    token: str = "",
) -> ASGIApp:
    """Build the application.

    Args:
        own: Collections of one's own as (name, text), put before the bundled ones; the first is opened first.
        settings: What the service allows.
        hosts: The names it may be asked by (its defence against other sites' pages).
        token: What the address has to hold at first, ``?token=...``; empty: whoever embeds the application guards it.

    Raises SokoaspError: a text holds no level.
    """
    service, made = Service(settings), site.make(own, service=True)
    fixed = {
        path: Response(content, media_type=kind, headers=_KEPT if path.startswith(made.folder) else _FRESH)
        for path, (content, kind) in made.files.items()
    }

    @contextlib.asynccontextmanager
    async def lifespan(_app: Starlette) -> AsyncIterator[None]:
        starting = asyncio.ensure_future(service.start())
        try:
            yield
        finally:
            starting.cancel()
            await asyncio.gather(starting, return_exceptions=True)
            await service.close()

    routes = [
        Route("/", fixed["index.html"], methods=["GET"]),
        *(Route(f"/{path}", response, methods=["GET"]) for path, response in fixed.items()),
        Route("/api/{name}", service.answer, methods=["POST"]),
    ]
    app = Starlette(routes=routes, exception_handlers={404: _refuse, 405: _refuse}, lifespan=lifespan)
    return Guard(app, hosts=hosts, policy=made.policy, token=token)


def run(
    own: Sequence[tuple[str, str]] = (),
    *,
    host: str = "127.0.0.1",
    port: int = 8000,
    names: Sequence[str] = (),
    settings: Settings = _SETTINGS,
    on_ready: Callable[[str], None] = lambda url: None,
) -> None:
    """Serve until interrupted.

    Args:
        own: See ``create_app``.
        host: Address to listen on.
        port: Its port; 0 picks a free one.
        names: Further names by which this machine may be asked.
        settings: What the service allows.
        on_ready: Called with the page's address, its token included, once it can be opened.

    Raises:
        SokoaspError: A text holds no level, or the address cannot be used.
        WrongOption: Nobody could ask by the address.
    """
    if host in ANY and not names:
        raise WrongOption(f"{host} is every address of this machine: say by which name it is asked, --allow-host NAME")
    asked = names[0] if host in ANY else host
    shown = f"[{asked}]" if ":" in asked else asked
    if not HOST.fullmatch(shown):
        raise WrongOption(f"nobody can ask for the host {asked!r}")
    token = secrets.token_urlsafe(24)
    app = create_app(own, settings=settings, hosts=(*LOCAL, host, *names), token=token)
    try:
        listening = socket.create_server((host, port), family=socket.AF_INET6 if ":" in host else socket.AF_INET)
    except (OSError, OverflowError) as error:
        raise SokoaspError(f"cannot serve on {host}, port {port}: {error}") from None
    on_ready(f"http://{shown}:{listening.getsockname()[1]}/?token={token}")
    server.serve(app, listening, settings.connections)


def _refuse(request: Request, error: Exception) -> Response:
    """Answer for what is not there, or not by this method, as JSON like every other error."""
    status = getattr(error, "status_code", 404)
    path = request.url.path
    sentence = f"{path} is not asked by {request.method}" if status == 405 else f"there is no {path}"
    return JSONResponse({"error": sentence}, status)
