"""The local service behind the page: four questions, each answered by a worker process as a stream of JSON lines.

All are POST with a JSON object; ``questions.py`` has their keys. An error is ``{"error": sentence}`` before the stream has begun,
and its last line ``{"event": "error", "sentence": ...}`` afterwards.
"""

from __future__ import annotations

import contextlib
import json
from collections.abc import AsyncGenerator
from dataclasses import dataclass, field
from typing import Any

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import JSONResponse, Response, StreamingResponse

from sokoasp.core.errors import SokoaspError
from sokoasp.sokoban import search
from sokoasp.web.middleware import read_body
from sokoasp.web.pool import GRACE, Busy, Pool
from sokoasp.web.questions import QUESTIONS, HttpRefusal, Job, Settings, job_of

Events = AsyncGenerator[dict[str, Any], None]
COMPILING = 600.0
"""Seconds that compiling the native search may take, which happens once."""


@dataclass(slots=True)
class Service:
    """The settings and the workers: some that solve, and one for the quick question whether a position is dead."""

    settings: Settings
    solvers: Pool = field(init=False)
    quick: Pool = field(init=False)
    compiled: bool = False
    """Nothing is left to compile: no question has to wait for that any more."""

    def __post_init__(self) -> None:
        memory, waiting = self.settings.worker_mb, self.settings.waiting
        self.solvers = Pool(self.settings.workers, waiting, memory)
        self.quick = Pool(1, waiting, memory)

    async def start(self) -> None:
        """Start the workers, and have the native search compiled if it is not yet."""
        self.quick.warm()
        self.solvers.warm()
        if await run_in_threadpool(search.compiles):
            pool = Pool(1, 0, self.settings.memory_mb)
            try:
                async with contextlib.aclosing(pool.run({"do": "warm"}, COMPILING)) as events:
                    async for _ in events:
                        pass
            finally:
                await pool.close()
        self.compiled = True

    async def close(self) -> None:
        """End the workers."""
        await self.quick.close()
        await self.solvers.close()

    def ask(self, job: Job) -> Events:
        """Return a worker's events; compiling counts against no limit but that of the quick question."""
        seconds = job["seconds"]
        job["memory_mb"] = self.settings.worker_mb
        if job["do"] == "why":
            return self.quick.run(job, seconds, grace=0)
        if job["do"] == "certify":
            seconds *= 2  # its checkers take their time as well
        return self.solvers.run(job, seconds if self.compiled else seconds + COMPILING, grace=GRACE)

    async def answer(self, request: Request) -> Response:
        """Answer a question; closing the connection cancels it."""
        name = request.path_params["name"]
        try:
            if name not in QUESTIONS:
                raise HttpRefusal(404, f"there is no /api/{name}")
            body = await read_body(request)
            events = self.ask(await run_in_threadpool(job_of, name, body, self.settings))
            return _lines(events, await anext(events))
        except Busy:
            return JSONResponse({"error": "too many questions are waiting; try again later"}, 503)
        except HttpRefusal as error:
            return JSONResponse({"error": error.sentence}, error.status)
        except SokoaspError as error:
            return JSONResponse({"error": str(error)}, 422)


def _lines(events: Events, first: dict[str, Any]) -> Response:
    """Return events, the first of which is taken already, as JSON lines; they are closed when the client goes away."""

    def line(event: dict[str, Any]) -> bytes:
        return json.dumps(event, separators=(",", ":"), ensure_ascii=False).encode() + b"\n"

    async def lines() -> AsyncGenerator[bytes, None]:
        async with contextlib.aclosing(events):
            yield line(first)
            async for event in events:
                yield line(event)

    return StreamingResponse(lines(), media_type="application/x-ndjson", headers={"cache-control": "no-store"})
