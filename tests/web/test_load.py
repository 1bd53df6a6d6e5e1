# ruff: noqa: E402
"""Many clients at once, and clients that go away."""

from __future__ import annotations

import asyncio
import json
from typing import Any
from urllib.parse import urlsplit

import pytest

httpx = pytest.importorskip("httpx2", reason="httpx2 is not installed")

from sokoasp.core.limits import Limits
from sokoasp.sokoban.formats import level_from_rows
from sokoasp.sokoban.search.exact import reference
from tests.levels import ENDLESS

LEVELS = (
    ["#######", "#@ $ .#", "#     #", "#######"],
    ["######", "#@   #", "# $  #", "#  . #", "######"],
    ["#######", "#  .  #", "# $$@ #", "#  .  #", "#######"],
    ["#######", "#$ @ .#", "#     #", "#######"],
)


async def last_event(client: Any, body: dict[str, Any]) -> dict[str, Any]:
    last: dict[str, Any] = {}
    async with client.stream("POST", "/api/solve", json=body) as response:
        assert response.status_code == 200
        async for line in response.aiter_lines():
            last = json.loads(line)
    return last


@pytest.fixture
def server(addresses: Any) -> Any:
    """A client's options: where the server is, and the cookie that lets him in."""
    url, token = addresses("served").split("?token=")
    return {"base_url": url, "timeout": 120, "cookies": {f"sokoasp-{urlsplit(url).port}": token}}


def test_fifty_clients_get_right_answers(server: Any) -> None:
    wanted = []
    for number in range(50):
        rows, objective = LEVELS[number % len(LEVELS)], ("lines", "pushes", "moves")[number % 3]
        best = reference.solve(level_from_rows(rows), objective, Limits())
        wanted.append((rows, objective, str(best.status), best.value))

    async def everyone() -> list[dict[str, Any]]:
        async with httpx.AsyncClient(**server, limits=httpx.Limits(max_connections=50)) as client:
            bodies = [{"problem": {"game": "sokoban", "rows": w[0]}, "objective": w[1]} for w in wanted]
            return await asyncio.gather(*(last_event(client, body) for body in bodies))

    answers = [event["result"] for event in asyncio.run(everyone())]
    assert [(a["status"], a["value"]) for a in answers] == [(w[2], w[3]) for w in wanted]


def test_a_client_that_goes_away_frees_its_worker(server: Any) -> None:
    async def scene() -> dict[str, Any]:
        async with httpx.AsyncClient(**server) as client:
            for _ in range(4):
                body = {"problem": ENDLESS, "objective": "slides", "seconds": 600}
                async with client.stream("POST", "/api/solve", json=body) as response:
                    async for line in response.aiter_lines():
                        if json.loads(line)["event"] == "step":
                            break
            return await last_event(client, {"problem": {"game": "sokoban", "rows": LEVELS[0]}})

    assert asyncio.run(scene())["result"]["status"] == "optimal"


def test_a_time_limit_is_kept_and_said(server: Any) -> None:
    async def scene() -> dict[str, Any]:
        async with httpx.AsyncClient(**server) as client:
            return await last_event(client, {"problem": ENDLESS, "objective": "slides", "seconds": 1.5})

    result = asyncio.run(scene())["result"]
    assert result["status"] == "time_out" and result["lower_bound"] >= 1 and result["plan"] is None
