"""A few warm worker processes and a queue before them."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import shutil
import signal
import sys
from asyncio.subprocess import DEVNULL, PIPE, Process
from collections.abc import AsyncGenerator, Mapping
from pathlib import Path
from tempfile import gettempdir
from typing import Any

from sokoasp.core.limits import held_mb

LONGEST_LINE = 1 << 25
"""Bytes; a plan of a million moves fits."""
GRACE = 5.0
"""Seconds a worker may go on after its limit before it is killed: it should end by itself."""
TICK = 1.0
"""Seconds between two events of a job that waits."""
LOOK = 0.2
"""Seconds between two looks at a worker's memory."""
OVER = 1.25
"""A worker that holds this multiple of its memory limit, which it should keep to by itself, is killed."""
KEPT = 0.5
"""A worker that still holds this share of its memory limit after a job is replaced."""

Event = dict[str, Any]


class Busy(Exception):
    """Say that the queue is full."""


class Pool:
    """Runs jobs on at most ``size`` worker processes; at most ``waiting`` more jobs may wait."""

    def __init__(self, size: int, waiting: int, memory_mb: float) -> None:
        self.size = size
        self.waiting = waiting
        self.memory_mb = memory_mb
        self._jobs: list[object] = []
        """Those that work, and behind them those that wait."""
        self._left = asyncio.Event()
        """Set, and replaced by another, when a job leaves."""
        self._idle: list[asyncio.Task[Process]] = []
        self._started: set[Process] = set()
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
        if len(self._jobs) >= self.size + self.waiting:
            raise Busy
        self._jobs.append(ticket := object())
        try:
            while (ahead := self._jobs.index(ticket) - self.size) >= 0:
                yield {"event": "queued", "ahead": ahead}
                with contextlib.suppress(TimeoutError):
                    await asyncio.wait_for(self._left.wait(), TICK)
            async with contextlib.aclosing(self._work(job, seconds + grace)) as events:
                async for event in events:
                    yield event
        finally:
            self._jobs.remove(ticket)
            self._left.set()
            self._left = asyncio.Event()

    async def _work(self, job: Mapping[str, Any], seconds: float) -> AsyncGenerator[Event, None]:
        process = await self._worker()
        limit = float(job.get("memory_mb", self.memory_mb))
        keep = False
        try:
            assert process.stdin is not None
            process.stdin.write(json.dumps(dict(job)).encode() + b"\n")
            yield {"event": "started"}
            async with contextlib.aclosing(_events(process, seconds, OVER * limit)) as events:
                async for event in events:
                    if event.pop("done", False):
                        keep = not event.pop("broken", False) and held_mb(process.pid) < KEPT * limit
                        self._replace(process, keep)
                        yield event
                        return
                    yield event
        finally:
            if not keep:
                self._replace(process, keep)

    async def _worker(self) -> Process:
        """Return an idle worker that has not died meanwhile, else a new one."""
        while self._idle:
            process = await self._idle.pop()
            if process.returncode is None:
                return process
        return await self._spawn()

    def _replace(self, process: Process, keep: bool) -> None:
        """Make room for the next job: this process waits for it, or another is started in its place."""

        async def itself() -> Process:
            return process

        room = not self._closed and len(self._idle) < self.size
        if not (keep and room):
            _kill(process)
        if room:
            self._idle.append(asyncio.ensure_future(itself() if keep else self._spawn()))

    async def _spawn(self) -> Process:
        process = await asyncio.create_subprocess_exec(
            sys.executable,
            "-P",  # no module of the folder that the server was started in
            "-m",
            "sokoasp.web.worker",
            stdin=PIPE,
            stdout=PIPE,
            stderr=DEVNULL,
            limit=LONGEST_LINE,
            start_new_session=True,
        )
        self._sweep()
        self._started.add(process)
        return process

    def _sweep(self) -> None:
        """Forget the workers that have ended, and remove the folders that those who were killed have left."""
        for process in [one for one in self._started if one.returncode is not None]:
            self._started.remove(process)
            for left in Path(gettempdir()).glob(f"sokoasp-{process.pid}-*"):
                shutil.rmtree(left, ignore_errors=True)

    def warm(self) -> None:
        """Start the workers before they are needed."""
        self._idle += [asyncio.ensure_future(self._spawn()) for _ in range(self.size - len(self._idle))]

    async def close(self) -> None:
        """Kill every worker and wait until they are gone."""
        self._closed = True
        await asyncio.gather(*self._idle, return_exceptions=True)
        for process in self._started:
            _kill(process)
            await process.wait()
        self._sweep()


def _kill(process: Process) -> None:
    """Kill a worker. Its own ``kill`` would first reap a dead one, of which asyncio then logs that it is unknown."""
    if process.returncode is None:
        with contextlib.suppress(ProcessLookupError):
            os.kill(process.pid, signal.SIGKILL)


async def _events(process: Process, seconds: float, most_mb: float) -> AsyncGenerator[Event, None]:
    """Yield what a worker says, and an error when it dies, overstays or takes too much memory."""
    assert process.stdout is not None
    loop = asyncio.get_running_loop()
    began = loop.time()
    line = asyncio.ensure_future(process.stdout.readline())
    try:
        while loop.time() - began < seconds:
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
    finally:
        line.cancel()
    yield _broken(f"no answer within {seconds:g} s")


def _broken(sentence: str) -> Event:
    """Return the last event of a worker that cannot be used again."""
    return {"event": "error", "sentence": sentence, "broken": True, "done": True}
