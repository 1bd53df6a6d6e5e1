"""The HTTP server: uvicorn, silent about what is no fault, which leaves in good order on a signal."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import signal
import socket
from typing import Any

import uvicorn
from starlette.types import ASGIApp

IDLE_SECONDS = 30
"""Seconds a connection is kept between requests."""


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
        http="h11",
        ws="none",
        log_level="warning",
        access_log=False,
        limit_concurrency=connections,
        timeout_keep_alive=IDLE_SECONDS,
        timeout_graceful_shutdown=2,
    )
    logging.getLogger("uvicorn.error").addFilter(_Quiet())
    _Server(config).run(sockets=[listening])
