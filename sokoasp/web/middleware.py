"""What stands before every request: only whoever was given the address gets in, and every answer says what a page may load."""

from __future__ import annotations

import contextlib
import json
import re
from collections.abc import Collection
from secrets import compare_digest

from starlette.datastructures import MutableHeaders
from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from sokoasp.web.questions import HttpRefusal

MOST_BYTES = 1_000_000
"""Most bytes of a request's body."""
HEADERS = {
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "x-frame-options": "DENY",
}
HOST = re.compile(r"(\[[0-9A-Fa-f:.]+\]|[A-Za-z0-9._-]+)(:\d{1,5})?")
"""A host as a request names it: only such can be answered for."""


class Guard:
    """Refuses requests for other hosts, from other origins or without the token, and adds the security headers to all answers."""

    def __init__(self, app: ASGIApp, *, hosts: Collection[str], policy: str, token: str = "") -> None:
        self.app = app
        self.headers = {"content-security-policy": f"{policy}; frame-ancestors 'none'", **HEADERS}
        self.hosts = frozenset(host.lower() for host in hosts)
        self.token = token
        """Whoever has it in the address is given a cookie, and is let in by that from then on; empty: everybody is."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        request = Request(scope)
        headers = dict(self.headers)
        if self._same(request.query_params.get("token", "")):
            headers["set-cookie"] = f"{_cookie(request)}={self.token}; Path=/; HttpOnly; SameSite=Strict"

        async def send_guarded(message: Message) -> None:
            if message["type"] == "http.response.start":
                MutableHeaders(scope=message).update(headers)
            await send(message)

        sentence = self.objection(request)
        if sentence:
            await JSONResponse({"error": sentence}, 403, self.headers)(scope, receive, send)
            return
        with contextlib.suppress(ClientDisconnect):  # nobody is there to be answered
            await self.app(scope, receive, send_guarded)

    def objection(self, request: Request) -> str | None:
        """Say why a request is refused, None if it is not."""
        host, origin = request.headers.get("host", ""), request.headers.get("origin")
        named = HOST.fullmatch(host)
        if named is None or named[1].strip("[]").lower() not in self.hosts:
            return f"this server does not answer for the host {host!r}"
        if origin is not None and origin not in (f"http://{host}", f"https://{host}"):
            return "requests from other origins are refused"
        if (
            request.method not in ("GET", "HEAD")
            and request.headers.get("sec-fetch-site", "same-origin") != "same-origin"
        ):
            return "requests from other sites are refused"
        if self.token and not any(
            map(self._same, (request.query_params.get("token", ""), request.cookies.get(_cookie(request), "")))
        ):
            return "open the whole address that sokoasp serve has printed, with its token"
        return None

    def _same(self, token: str) -> bool:
        return bool(self.token) and compare_digest(token.encode(), self.token.encode())


def _cookie(request: Request) -> str:
    """Return the cookie's name: cookies are shared by all ports of a host, so it has the port in it."""
    return f"sokoasp-{(request.scope.get('server') or ('', 0))[1]}"


async def read_body(request: Request) -> dict[str, object]:
    """Read the JSON object of a request.

    Raises:
        HttpRefusal: It is too large (413), not declared as JSON (415), not a JSON object or not Unicode (400).
    """
    if request.headers.get("content-type", "").split(";")[0].strip().lower() != "application/json":
        raise HttpRefusal(415, "the request's content type must be application/json")
    body = bytearray()
    async for chunk in request.stream():
        body += chunk
        if len(body) > MOST_BYTES:
            raise HttpRefusal(413, f"the request is larger than {MOST_BYTES} bytes")
    try:
        value = json.loads(body)
    except (ValueError, RecursionError):
        raise HttpRefusal(400, "the request is not valid JSON") from None
    if not isinstance(value, dict):
        raise HttpRefusal(400, "the request must be a JSON object")
    try:
        json.dumps(value, ensure_ascii=False).encode()
    except UnicodeEncodeError:  # what is said of such a text could not be sent
        raise HttpRefusal(400, "a text of the request has half of a surrogate pair") from None
    return value
