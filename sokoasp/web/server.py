"""The HTTP server: uvicorn with time limits, so that nobody holds connections or solvers by doing nothing."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import signal
import socket
from typing import Any

import h11
import uvicorn
from starlette.types import ASGIApp
from uvicorn.protocols.http.h11_impl import H11Protocol

REQUEST_SECONDS = 15.0
"""Seconds a client has for a whole request, its body included, from its first byte or from connecting."""
IDLE_SECONDS = 30
"""Seconds a connection is kept between requests."""
UNREAD_SECONDS = 30.0
"""Seconds a client may leave an answer unread once its buffers are full."""


class Deadlines(H11Protocol):
    """The HTTP protocol with deadlines for whoever sends half a request or reads half an answer."""

    request_seconds = REQUEST_SECONDS
    unread_seconds = UNREAD_SECONDS

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self._deadline: asyncio.TimerHandle | None = None
        self._unread: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Begin to wait for the first request."""
        super().connection_made(transport)
        self._wait_for_client()

    def data_received(self, data: bytes) -> None:
        """Take bytes in; the deadline stays the same until the request is whole."""
        super().data_received(data)
        self._wait_for_client()

    def on_response_complete(self) -> None:
        """Wait for the next request, part of which may be here already."""
        super().on_response_complete()
        self._wait_for_client()

    def connection_lost(self, exc: Exception | None) -> None:
        """Stop waiting."""
        for timer in (self._deadline, self._unread):
            if timer is not None:
                timer.cancel()
        super().connection_lost(exc)

    def pause_writing(self) -> None:
        """Give the client some time to read."""
        super().pause_writing()
        self._unread = self._unread or self.loop.call_later(self.unread_seconds, self.transport.abort)

    def resume_writing(self) -> None:
        """Go on: the client reads."""
        super().resume_writing()
        if self._unread is not None:
            self._unread.cancel()
            self._unread = None

    def _wait_for_client(self) -> None:
        """Keep one deadline while a request is not whole; between requests uvicorn's own keep-alive timer runs."""
        state = self.conn.their_state
        begun = self.cycle is None or bool(self.conn.trailing_data[0])
        if state is h11.SEND_BODY or (state is h11.IDLE and begun):
            if self._deadline is None:
                self._deadline = self.loop.call_later(self.request_seconds, self._give_up)
        elif self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None

    def _give_up(self) -> None:
        """Close the connection of a client that has not sent the rest."""
        self._deadline = None
        if self.conn.our_state is h11.IDLE and not self.transport.is_closing():
            self.transport.write(b"HTTP/1.1 408 Request Timeout\r\nconnection: close\r\ncontent-length: 0\r\n\r\n")
        self.transport.close()


class _Quiet(logging.Filter):
    """Leaves out what is no fault: requests that are no HTTP, clients that have gone, streams that the server's end cuts."""

    def filter(self, record: logging.LogRecord) -> bool:
        said, cut = record.getMessage(), (record.exc_info or (None,))[0] is asyncio.CancelledError
        return not (cut or "Invalid HTTP request" in said or "timeout graceful shutdown exceeded" in said)


class _Server(uvicorn.Server):
    """A server that a signal ends, and nothing more: whoever has called it goes on and leaves in good order."""

    @contextlib.contextmanager
    def capture_signals(self) -> Any:
        """Take SIGINT and SIGTERM as the wish to end; they are not raised again afterwards."""
        try:
            before = {one: signal.signal(one, self.handle_exit) for one in (signal.SIGINT, signal.SIGTERM)}
        except ValueError:  # not in the main thread, where no signal arrives
            before = {}
        try:
            yield
        finally:
            for one, handler in before.items():
                signal.signal(one, handler)


def serve(app: ASGIApp, listening: socket.socket, connections: int) -> None:
    """Serve on a socket until SIGINT or SIGTERM; whoever comes when there are so many connections gets status 503."""
    config = uvicorn.Config(
        app,
        http=Deadlines,
        ws="none",
        log_level="warning",
        access_log=False,
        limit_concurrency=connections,
        timeout_keep_alive=IDLE_SECONDS,
        timeout_graceful_shutdown=2,
    )
    logging.getLogger("uvicorn.error").addFilter(_Quiet())
    _Server(config).run(sockets=[listening])
