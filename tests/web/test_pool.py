"""The pool of workers: its queue, and what happens to jobs that die or overstay."""

from __future__ import annotations

import asyncio
import contextlib
from typing import Any

import pytest

pytest.importorskip("starlette", reason="the extra [web] is not installed")

from sokoasp.web import pool as pools
from sokoasp.web.pool import Busy, Pool
from tests.levels import ENDLESS

EASY = {"game": "sokoban", "rows": ["#######", "#@ $ .#", "#     #", "#######"]}


def job(problem: dict[str, Any], objective: str) -> dict[str, Any]:
    return {
        "do": "solve",
        "problem": problem,
        "objective": objective,
        "engine": "asp",
        "seconds": 600,
        "memory_mb": 2000,
    }


async def last(pool: Pool, work: dict[str, Any], seconds: float = 60, grace: float = 5) -> dict[str, Any]:
    async with contextlib.aclosing(pool.run(work, seconds, grace)) as events:
        return [event async for event in events][-1]


async def until(events: Any, kind: str) -> dict[str, Any]:
    async for event in events:
        if event["event"] == kind:
            return dict(event)
    raise AssertionError(f"no {kind}")


def test_a_full_queue_is_busy_and_an_abandoned_job_makes_room() -> None:
    async def scene() -> dict[str, Any]:
        pool = Pool(1, 1, 2000)
        try:
            working, waiting = pool.run(job(ENDLESS, "slides"), 600), pool.run(job(EASY, "lines"), 60)
            await until(working, "step")
            assert await until(waiting, "queued") == {"event": "queued", "ahead": 0}
            with pytest.raises(Busy):
                await anext(pool.run(job(EASY, "lines"), 60))
            await working.aclose()
            return await until(waiting, "result")
        finally:
            await pool.close()

    assert asyncio.run(scene())["result"]["value"] == 1


def test_leaving_the_queue_leaves_no_trace() -> None:
    async def scene() -> dict[str, Any]:
        pool = Pool(1, 1, 2000)
        try:
            working, waiting = pool.run(job(ENDLESS, "slides"), 600), pool.run(job(EASY, "lines"), 60)
            await until(working, "started")
            await until(waiting, "queued")
            await waiting.aclose()
            await working.aclose()
            assert pool._free == pool.size
            return await last(pool, job(EASY, "moves"))
        finally:
            await pool.close()

    assert asyncio.run(scene())["result"]["value"] == 3


def test_a_worker_that_dies_is_said_and_replaced() -> None:
    async def scene() -> tuple[dict[str, Any], dict[str, Any]]:
        pool = Pool(1, 1, 2000)
        try:
            events = pool.run(job(ENDLESS, "slides"), 600)
            await until(events, "step")
            for process in pool._alive:
                process.kill()
            error = await until(events, "error")
            await events.aclose()
            return error, await last(pool, job(EASY, "lines"))
        finally:
            await pool.close()

    error, answer = asyncio.run(scene())
    assert error["sentence"] == "the solver ended without an answer" and answer["result"]["value"] == 1


def test_a_job_that_overstays_is_killed() -> None:
    async def scene() -> tuple[dict[str, Any], dict[str, Any]]:
        pool = Pool(1, 1, 2000)
        try:
            return await last(pool, job(ENDLESS, "slides"), 1, 0.5), await last(pool, job(EASY, "lines"))
        finally:
            await pool.close()

    late, answer = asyncio.run(scene())
    assert late["sentence"] == "no answer within 1 s" and answer["result"]["value"] == 1


def test_a_warm_worker_is_used_again_and_faults_do_not_hurt_it() -> None:
    async def scene() -> list[dict[str, Any]]:
        pool = Pool(1, 1, 2000)
        try:
            await pool.warm()
            before = set(pool._alive)
            wrong = {"game": "sokoban", "rows": ["#####"]}
            answers = [await last(pool, job(wrong, "lines")), await last(pool, job(EASY, "pushes"))]
            assert pool._alive == before
            return answers
        finally:
            await pool.close()

    fault, answer = asyncio.run(scene())
    assert "E-NOPLAYER" in fault["sentence"] and answer["result"]["value"] == 2


def test_a_job_that_takes_too_much_memory_is_killed_and_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pools, "OVER", 0.001)

    async def scene() -> tuple[dict[str, Any], dict[str, Any]]:
        pool = Pool(1, 1, 2000)
        try:
            greedy = await last(pool, job(ENDLESS, "slides"), 600)
            monkeypatch.setattr(pools, "OVER", 1.25)
            return greedy, await last(pool, job(EASY, "lines"))
        finally:
            await pool.close()

    greedy, answer = asyncio.run(scene())
    assert greedy["sentence"].startswith("the solver ran out of memory: it held ")
    assert answer["result"]["value"] == 1


def test_a_worker_that_goes_on_grounding_is_replaced() -> None:
    endless = "#program base.\nn(0). n(X+1) :- n(X).\n"
    work = {"do": "run", "problem": EASY, "objective": "pushes", "program": "", "constraints": endless}
    work |= {"seconds": 0.5, "memory_mb": 2000}

    async def scene() -> tuple[dict[str, Any], set[int], set[int]]:
        pool = Pool(1, 1, 2000)
        try:
            await pool.warm()
            before = {process.pid for process in pool._alive}
            answer = await last(pool, work)
            await last(pool, job(EASY, "lines"))
            return answer, before, {process.pid for process in pool._alive}
        finally:
            await pool.close()

    answer, before, after = asyncio.run(scene())
    assert answer["event"] == "result" and answer["result"]["status"] == "time_out" and "broken" not in answer
    assert len(before) == len(after) == 1 and before != after


def test_a_worker_is_replaced_after_so_many_jobs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pools, "JOBS_EACH", 2)

    async def scene() -> list[int]:
        pool, found = Pool(1, 1, 2000), []
        try:
            for _ in range(3):
                await last(pool, job(EASY, "lines"))
                await asyncio.gather(*pool._warming)
                found.append(next(iter(pool._alive)).pid)
        finally:
            await pool.close()
        return found

    first, second, third = asyncio.run(scene())
    assert first != second == third
