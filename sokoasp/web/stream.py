"""A response of JSON lines that stops its work when the client goes away."""

from __future__ import annotations

import asyncio
import contextlib
import json
from collections.abc import AsyncGenerator
from typing import Any

from starlette.types import Receive, Scope, Send


class Lines:
    """Sends events as JSON lines; when the client disconnects, the generator is closed at once."""

    def __init__(self, events: AsyncGenerator[dict[str, Any], None]) -> None:
        self.events = events

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send the events, until they end or the client goes."""
        headers = [(b"content-type", b"application/x-ndjson"), (b"cache-control", b"no-store")]
        await send({"type": "http.response.start", "status": 200, "headers": headers})
        pump = asyncio.ensure_future(self._pump(send))
        gone = asyncio.ensure_future(_disconnect(receive))
        try:
            await asyncio.wait({pump, gone}, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for task in (pump, gone):
                task.cancel()
            with contextlib.suppress(asyncio.CancelledError, OSError):
                await pump
        if not pump.cancelled():
            with contextlib.suppress(OSError):
                await send({"type": "http.response.body", "body": b""})

    async def _pump(self, send: Send) -> None:
        async with contextlib.aclosing(self.events) as events:
            async for event in events:
                line = json.dumps(event, separators=(",", ":"), ensure_ascii=False).encode() + b"\n"
                await send({"type": "http.response.body", "body": line, "more_body": True})


async def _disconnect(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass
