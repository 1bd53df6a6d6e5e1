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

from sokoasp.core.limits import held_mb

LONGEST_LINE = 1 << 25
"""Bytes; a plan of a million moves fits."""
GRACE = 5.0
"""Seconds a worker may go on after its limit before it is killed: it should end by itself."""
TICK = 1.0
"""Seconds between signs of life of a job that waits or works."""
LOOK = 0.2
"""Seconds between two looks at a worker's memory."""
OVER = 1.25
"""A worker that holds this multiple of its memory limit, which it should keep to by itself, is killed."""
JOBS_EACH = 200
"""Jobs after which a worker is replaced, so that memory it holds on to is given back."""

Event = dict[str, Any]


class Busy(Exception):
    """Say that the queue is full."""


class Pool:
    """Runs jobs on at most ``size`` worker processes; at most ``waiting`` more jobs may wait."""

    def __init__(self, size: int, waiting: int, memory_mb: float) -> None:
        self.size = size
        self.waiting = waiting
        self.memory_mb = memory_mb
        self._free = size
        self._queue: deque[asyncio.Future[None]] = deque()
        self._idle: list[tuple[Process, int]] = []
        self._alive: set[Process] = set()
        self._dying: set[Process] = set()
        """Killed, but perhaps not gone yet."""
        self._warming: set[asyncio.Task[None]] = set()
        self._closed = False

    async def run(self, job: Mapping[str, Any], seconds: float, grace: float = GRACE) -> AsyncGenerator[Event, None]:
        """Yield the events of a job; closing the iterator, or its task being cancelled, kills the job.

        Args:
            job: What the worker is asked.
            seconds: How long it may take; it should keep to that by itself.
            grace: Seconds after that until it is killed.

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
            async with contextlib.aclosing(self._work(job, seconds, grace)) as events:
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

    async def _work(self, job: Mapping[str, Any], seconds: float, grace: float) -> AsyncGenerator[Event, None]:
        process, jobs = await self._worker()
        keep = False
        try:
            assert process.stdin is not None
            process.stdin.write(json.dumps(dict(job)).encode() + b"\n")
            yield {"event": "started"}
            most = OVER * float(job.get("memory_mb", self.memory_mb))
            async with contextlib.aclosing(self._events(process, seconds, grace, most)) as events:
                async for event in events:
                    if event.pop("done", False):
                        keep = not event.pop("broken", False) and jobs + 1 < JOBS_EACH
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
        while self._idle or self._warming:
            if not self._idle:
                await asyncio.wait(self._warming, return_when=asyncio.FIRST_COMPLETED)
                continue
            process, jobs = self._idle.pop()
            if process.returncode is None:
                return process, jobs
            self._alive.discard(process)
        return await self._spawn(), 0

    async def _events(
        self, process: Process, seconds: float, grace: float, most_mb: float
    ) -> AsyncGenerator[Event, None]:
        """Yield what the worker says, a tick every second, and an error when it dies, overstays or takes too much memory."""
        assert process.stdout is not None
        loop = asyncio.get_running_loop()
        began = ticked = loop.time()
        line = asyncio.ensure_future(process.stdout.readline())
        try:
            while loop.time() - began < seconds + grace:
                await asyncio.wait({line}, timeout=min(LOOK, seconds))
                if line.done():
                    if not line.result():
                        yield _broken("the solver ended without an answer")
                        return
                    yield json.loads(line.result())
                    line = asyncio.ensure_future(process.stdout.readline())
                elif (held := held_mb(process.pid)) > most_mb:
                    yield _broken(f"the solver ran out of memory: it held {held:.0f} MB")
                    return
                elif loop.time() - ticked >= TICK:
                    ticked = loop.time()
                    yield {"event": "tick", "seconds": round(ticked - began, 1)}
        finally:
            line.cancel()
        yield _broken(f"no answer within {seconds:g} s")

    async def _spawn(self) -> Process:
        process = await asyncio.create_subprocess_exec(
            sys.executable,
            "-P",  # no module of the folder that the server was started in
            "-m",
            "sokoasp.web.worker",
            str(self.memory_mb),
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
        if not self._closed:  # the next question shall not wait for a new process
            task = asyncio.ensure_future(self.warm())
            self._warming.add(task)
            task.add_done_callback(self._warming.discard)

    async def warm(self) -> None:
        """Start the workers before they are needed."""
        while len(self._alive) < self.size:
            self._idle.append((await self._spawn(), 0))

    async def close(self) -> None:
        """Kill every worker and wait until they are gone."""
        self._closed = True
        await asyncio.gather(*self._warming, return_exceptions=True)
        for process in list(self._alive):
            self._kill(process)
        for process in self._dying:
            await process.wait()
        self._idle.clear()


def _broken(sentence: str) -> Event:
    """Return the last event of a worker that cannot be used again."""
    return {"event": "error", "sentence": sentence, "broken": True, "done": True}
