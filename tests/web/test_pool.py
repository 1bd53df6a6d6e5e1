"""The pool of workers: its queue, and what happens to jobs that die or overstay."""

import asyncio
import contextlib
import tempfile
from collections.abc import Awaitable, Callable
from itertools import product
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("starlette", reason="the extra [web] is not installed")

from sokoasp.core.limits import Limits
from sokoasp.sokoban.formats import level_from_rows
from sokoasp.sokoban.search.exact import reference
from sokoasp.web import pool as pools
from sokoasp.web.pool import Busy, Pool
from tests.levels import ENDLESS

EASY = {"game": "sokoban", "rows": ["#######", "#@ $ .#", "#     #", "#######"]}
SOLVE = {"do": "solve", "engine": "asp", "seconds": 600, "memory_mb": 2000}
LONG = {**SOLVE, "problem": ENDLESS, "objective": "slides"}
SHORT = {**SOLVE, "problem": EASY, "objective": "lines"}


def scene(act: Callable[[Pool], Awaitable[Any]], workers: int = 1, waiting: int = 1) -> Any:
    """Play a scene with a pool of so many workers and jobs that may wait, which is closed at the end."""

    async def play() -> Any:
        pool = Pool(workers, waiting, 2000)
        try:
            return await act(pool)
        finally:
            await pool.close()

    return asyncio.run(play())


async def last(pool: Pool, work: dict[str, Any], seconds: float = 60, grace: float = 5) -> dict[str, Any]:
    async with contextlib.aclosing(pool.run(work, seconds, grace)) as events:
        return [event async for event in events][-1]


async def until(events: Any, kind: str) -> dict[str, Any]:
    async for event in events:
        if event["event"] == kind:
            return dict(event)
    raise AssertionError(f"no {kind}")


def test_a_full_queue_is_busy_leaving_it_leaves_no_trace_and_an_abandoned_job_makes_room() -> None:
    async def act(pool: Pool) -> None:
        working, leaving = pool.run(LONG, 600), pool.run(SHORT, 60)
        await until(working, "step")
        assert await until(leaving, "queued") == {"event": "queued", "ahead": 0}
        with pytest.raises(Busy):
            await anext(pool.run(SHORT, 60))
        await leaving.aclose()
        waiting = pool.run(SHORT, 60)
        await until(waiting, "queued")
        await working.aclose()
        assert (await until(waiting, "result"))["result"]["value"] == 1
        await waiting.aclose()
        assert pool._jobs == []

    scene(act)


def test_a_worker_that_dies_overstays_or_takes_too_much_memory_is_said_and_replaced(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async def act(pool: Pool) -> None:
        events = pool.run(LONG, 600)
        await until(events, "step")
        for process in pool._started:
            process.kill()
        assert (await until(events, "error"))["sentence"] == "the solver ended without an answer"
        await events.aclose()
        assert (await last(pool, LONG, 1, 0.5))["sentence"] == "no answer within 1.5 s"
        monkeypatch.setattr(pools, "OVER", 0.001)
        assert (await last(pool, LONG, 600))["sentence"].startswith("the solver ran out of memory: it held ")
        monkeypatch.setattr(pools, "OVER", 1.25)
        assert (await last(pool, SHORT))["result"]["value"] == 1

    scene(act)


def test_files_of_a_killed_worker_are_removed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setattr(tempfile, "tempdir", None)
    run = {**LONG, "do": "run", "program": "", "constraints": "#program base.\n:- #false."}

    async def act(pool: Pool) -> None:
        working = pool.run(run, 600)
        await until(working, "started")
        while not any(tmp_path.glob("sokoasp-*-*/constraints.lp")):
            await asyncio.sleep(0.05)
        await working.aclose()

    scene(act)
    assert not list(tmp_path.glob("sokoasp-*"))


def test_a_warm_worker_is_used_again_until_it_is_spent(monkeypatch: pytest.MonkeyPatch) -> None:
    """Spent is one that goes on grounding, or holds much memory; a fault in a question hurts none."""
    endless = "#program base.\nn(0). n(X+1) :- n(X).\n"
    work = {"do": "run", "problem": EASY, "objective": "pushes", "program": "", "constraints": endless}

    async def act(pool: Pool) -> None:
        async def idle() -> Any:
            return await pool._idle[0]

        pool.warm()
        first = await idle()
        wrong = {**SHORT, "problem": {"game": "sokoban", "rows": ["#####"]}}
        assert "E-NOPLAYER" in (await last(pool, wrong))["sentence"]
        assert (await last(pool, SHORT))["result"]["value"] == 1 and await idle() is first
        answer = await last(pool, {**work, "seconds": 0.5, "memory_mb": 2000})
        assert answer["event"] == "result" and answer["result"]["status"] == "time_out" and "broken" not in answer
        second = await idle()
        monkeypatch.setattr(pools, "KEPT", 0)
        await last(pool, SHORT)
        assert len({first, second, await idle()}) == 3

    scene(act)


def test_a_worker_that_is_not_needed_any_more_is_ended() -> None:
    async def act(pool: Pool) -> None:
        events = pool.run(SHORT, 60)
        await until(events, "began")
        pool.warm()  # a question may come before the server has started its workers
        await until(events, "result")
        await events.aclose()
        async with asyncio.timeout(20):
            while sum(process.returncode is None for process in pool._started) > 1:
                await asyncio.sleep(0.01)

    scene(act)


LEVELS = (
    ["#######", "#@ $ .#", "#     #", "#######"],
    ["######", "#@   #", "# $  #", "#  . #", "######"],
    ["#######", "#  .  #", "# $$@ #", "#  .  #", "#######"],
    ["#######", "#$ @ .#", "#     #", "#######"],
)


def test_fifty_questions_at_once_get_right_answers() -> None:
    cases = list(product(LEVELS, ("lines", "pushes", "moves"))) * 5
    best = {str(case): reference.solve(level_from_rows(case[0]), case[1], Limits()) for case in cases[:12]}

    async def act(pool: Pool) -> list[dict[str, Any]]:
        jobs = [{**SOLVE, "problem": {**EASY, "rows": rows}, "objective": name} for rows, name in cases[:50]]
        return await asyncio.gather(*(last(pool, job) for job in jobs))

    for case, event in zip(cases, scene(act, 2, 100), strict=False):
        wanted = best[str(case)]
        assert (event["result"]["status"], event["result"]["value"]) == (str(wanted.status), wanted.value)


def test_a_worker_that_died_while_it_was_idle_is_not_asked() -> None:
    async def act(pool: Pool) -> dict[str, Any]:
        pool.warm()
        process = await pool._idle[0]
        process.kill()
        await process.wait()
        return await last(pool, SHORT)

    assert scene(act)["result"]["value"] == 1


def test_a_worker_is_killed_without_reaping_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """``Process.kill`` polls first; asyncio then finds no child to wait for, and says so on the server's stderr."""

    async def act(pool: Pool) -> None:
        events = pool.run(LONG, 600)
        await until(events, "step")
        monkeypatch.delattr(asyncio.subprocess.Process, "kill")
        await events.aclose()

    scene(act)
