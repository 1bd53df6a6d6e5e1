"""What stands before every request: only this machine's own page gets in, and every answer says what the page may load."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Collection
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from sokoasp.web.serialization import HttpRefusal

MOST_BYTES = 1_000_000
"""Most bytes of a request's body."""
HEADERS = {
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "x-frame-options": "DENY",
}


def policy(*, style: str, script: str) -> str:
    """Return the page's content security policy; the hashes name the style sheet and the script that stand in the page."""
    return (
        f"default-src 'none'; script-src 'self' '{script}'; style-src 'self' '{style}'; img-src 'self' data: blob:; "
        "connect-src 'self'; manifest-src 'self'; worker-src 'self'; "
        "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    )


class OriginGuard:
    """Refuses requests for other hosts or from other origins, and adds the security headers."""

    def __init__(self, app: ASGIApp, hosts: Collection[str], policy: str) -> None:
        self.app = app
        self.headers = {"content-security-policy": policy, **HEADERS}
        self.hosts = frozenset(hosts)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return

        async def send_guarded(message: Message) -> None:
            if message["type"] == "http.response.start":
                MutableHeaders(scope=message).update(self.headers)
            await send(message)

        sentence = self.objection(scope["method"], Headers(scope=scope))
        if sentence:
            await JSONResponse({"error": sentence}, 403)(scope, receive, send_guarded)
            return
        with contextlib.suppress(ClientDisconnect):  # nobody is there to be answered
            await self.app(scope, receive, send_guarded)

    def objection(self, method: str, headers: Headers) -> str | None:
        """Say why a request is refused, None if it is not."""
        host = headers.get("host", "")
        name = urlsplit(f"//{host}").hostname or ""
        if name not in self.hosts:
            return f"this server does not answer for the host {name!r}"
        origin = headers.get("origin")
        if origin is not None and origin not in (f"http://{host}", f"https://{host}"):
            return "requests from other origins are refused"
        if method not in ("GET", "HEAD") and headers.get("sec-fetch-site", "same-origin") != "same-origin":
            return "requests from other sites are refused"
        return None


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
