"""A few warm worker processes and a queue before them."""

from __future__ import annotations

import asyncio
import contextlib
import json
import sys
from asyncio.subprocess import DEVNULL, PIPE, Process
from collections import deque
from collections.abc import AsyncGenerator, Mapping
from typing import Any

LONGEST_LINE = 1 << 25
"""Bytes; a plan of a million moves fits."""
GRACE = 5.0
"""Seconds a worker may go on after its limit before it is killed: it should end by itself."""
TICK = 1.0
"""Seconds between signs of life of a job that waits or works."""
JOBS_EACH = 200
"""Jobs after which a worker is replaced, so that memory it holds on to is given back."""

Event = dict[str, Any]


class Busy(Exception):
    """Say that the queue is full."""


class Pool:
    """Runs jobs on at most ``size`` worker processes; at most ``waiting`` more jobs may wait."""

    def __init__(self, size: int, waiting: int, memory_mb: float, *, niceness: int = 0) -> None:
        self.size = size
        self.niceness = niceness
        self.waiting = waiting
        self.memory_mb = memory_mb
        self._free = size
        self._queue: deque[asyncio.Future[None]] = deque()
        self._idle: list[tuple[Process, int]] = []
        self._alive: set[Process] = set()
        self._dying: set[Process] = set()
        """Killed, but perhaps not gone yet."""

    async def run(self, job: Mapping[str, Any], seconds: float) -> AsyncGenerator[Event, None]:
        """Yield the events of a job; closing the iterator, or its task being cancelled, kills the job.

        Raises:
            Busy: Too many jobs are waiting.
        """
        if self._free <= 0 and len(self._queue) >= self.waiting:
            raise Busy
        turn: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._queue.append(turn)
        self._next()
        try:
            while not turn.done():
                yield {"event": "queued", "ahead": self._queue.index(turn)}
                await asyncio.wait({turn}, timeout=TICK)
            async with contextlib.aclosing(self._work(job, seconds)) as events:
                async for event in events:
                    yield event
        finally:
            if turn.done():
                self._free += 1
                self._next()
            else:
                self._queue.remove(turn)

    def _next(self) -> None:
        while self._free > 0 and self._queue:
            self._free -= 1
            self._queue.popleft().set_result(None)

    async def _work(self, job: Mapping[str, Any], seconds: float) -> AsyncGenerator[Event, None]:
        process, jobs = await self._worker()
        keep = False
        try:
            assert process.stdin is not None
            process.stdin.write(json.dumps(dict(job)).encode() + b"\n")
            yield {"event": "started"}
            async with contextlib.aclosing(self._events(process, seconds + GRACE)) as events:
                async for event in events:
                    if event.pop("done", False):
                        keep = not event.get("broken") and jobs + 1 < JOBS_EACH
                        if keep:
                            self._idle.append((process, jobs + 1))
                        yield event
                        return
                    yield event
        finally:
            if not keep:
                self._kill(process)

    async def _worker(self) -> tuple[Process, int]:
        """Return an idle worker, or a new one, with the number of jobs it has done."""
        while self._idle:
            process, jobs = self._idle.pop()
            if process.returncode is None:
                return process, jobs
            self._alive.discard(process)
        return await self._spawn(), 0

    async def _events(self, process: Process, seconds: float) -> AsyncGenerator[Event, None]:
        """Yield what the worker says, a tick every second, and an error when it dies or overstays."""
        assert process.stdout is not None
        loop = asyncio.get_running_loop()
        began = loop.time()
        line = asyncio.ensure_future(process.stdout.readline())
        try:
            while loop.time() - began < seconds:
                await asyncio.wait({line}, timeout=min(TICK, seconds))
                if not line.done():
                    yield {"event": "tick", "seconds": round(loop.time() - began, 1)}
                    continue
                if not line.result():
                    yield {
                        "event": "error",
                        "sentence": "the solver ended without an answer",
                        "broken": True,
                        "done": True,
                    }
                    return
                yield json.loads(line.result())
                line = asyncio.ensure_future(process.stdout.readline())
        finally:
            line.cancel()
        yield {"event": "error", "sentence": f"no answer within {seconds - GRACE:g} s", "broken": True, "done": True}

    async def _spawn(self) -> Process:
        process = await asyncio.create_subprocess_exec(
            sys.executable,
            "-m",
            "sokoasp.web.worker",
            str(self.memory_mb),
            str(self.niceness),
            stdin=PIPE,
            stdout=PIPE,
            stderr=DEVNULL,
            limit=LONGEST_LINE,
            start_new_session=True,
        )
        self._alive.add(process)
        return process

    def _kill(self, process: Process) -> None:
        self._alive.discard(process)
        self._dying = {one for one in self._dying if one.returncode is None} | {process}
        with contextlib.suppress(ProcessLookupError):
            process.kill()

    async def warm(self) -> None:
        """Start the workers before they are needed."""
        while len(self._alive) < self.size:
            self._idle.append((await self._spawn(), 0))

    @property
    def working(self) -> int:
        """Return the number of jobs that have a worker now."""
        return self.size - self._free

    async def close(self) -> None:
        """Kill every worker and wait until they are gone."""
        for process in list(self._alive):
            self._kill(process)
        for process in self._dying:
            await process.wait()
        self._idle.clear()
