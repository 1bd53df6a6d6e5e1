"""What the page says of known optima: those by table and search, and where a play lost pushes, against the reference search."""

from __future__ import annotations

import json
import random
from collections.abc import AsyncIterator, Iterator
from dataclasses import replace
from typing import Any

import pytest

pytest.importorskip("httpx2", reason="httpx2 is not installed")
pytest.importorskip("starlette", reason="the extra [web] is not installed")

from starlette.testclient import TestClient

from sokoasp.core.errors import IllegalPlan
from sokoasp.core.limits import Limits
from sokoasp.core.result import Result, Status
from sokoasp.klotski import notation
from sokoasp.sokoban import optima_table, rules
from sokoasp.sokoban.deadlock.fix import states_along
from sokoasp.sokoban.formats import level_from_rows
from sokoasp.sokoban.level import DIRECTIONS, Level
from sokoasp.sokoban.search.exact import reference
from sokoasp.web import api, known_optimum
from sokoasp.web.app import create_app
from sokoasp.web.settings import Settings

ROWS = ["########", "#@     #", "# $  . #", "#   $. #", "#      #", "########"]


@pytest.fixture(scope="module")
def client() -> Iterator[TestClient]:
    with TestClient(create_app(settings=Settings(workers=1, truth_seconds=600)), base_url="http://127.0.0.1") as client:
        yield client


def lines(client: TestClient, name: str, **body: Any) -> list[dict[str, Any]]:
    response = client.post(f"/api/{name}", json=body)
    assert response.status_code == 200, response.text
    return [json.loads(line) for line in response.text.splitlines()]


def test_truths_are_the_reference_searchs(client: TestClient) -> None:
    problem = {"game": "sokoban", "rows": ROWS}
    reported = [event for event in lines(client, "truth", problem=problem) if event["event"] == "truth"]
    level = level_from_rows(ROWS)
    assert {event["objective"]: event["value"] for event in reported} == {
        name: reference.solve(level, name, Limits()).value for name in ("pushes", "moves", "lines")
    }
    assert all(event["status"] == "optimal" and event["timeline"]["moves"] for event in reported)
    again = lines(client, "truth", problem=problem)
    assert [event for event in again if event["event"] == "truth"] == reported, "remembered, not searched again"


def test_what_the_table_knows_needs_no_search(monkeypatch: pytest.MonkeyPatch) -> None:
    rows = ["#####", "#@$.#", "#####"]
    level = level_from_rows(rows)
    row = optima_table.Optimum("x", "pushes", "proved", "1", "1", "own", "1", "reference", "1", "0.2.0", plan="R")
    monkeypatch.setattr(optima_table, "look_up", lambda _level, plans: {"pushes": row})
    first = next(known_optimum.known_optima(level, Limits(seconds=5)))
    assert (first["value"], first["status"], first["plan"]) == (1, "optimal", {"lurd": "R"})
    assert "table" in first["by"]


def test_what_the_table_knows_waits_for_no_worker(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    async def busy(*_job: Any) -> AsyncIterator[dict[str, Any]]:
        yield {"event": "error", "sentence": "compiling"}

    monkeypatch.setattr(api, "_in_background", busy)
    known = lines(client, "truth", problem={"game": "sokoban", "rows": ["#####", "#@$.#", "#####"]})
    assert [event["event"] for event in known] == ["truth"] * 3 + ["end"]
    assert {event["objective"]: event["value"] for event in known[:3]} == dict.fromkeys(("pushes", "moves", "lines"), 1)
    other = lines(
        client, "truth", problem={"game": "sokoban", "rows": ["######", "#  @ #", "# $$ #", "# .. #", "######"]}
    )
    assert other[-1]["sentence"] == "compiling", "what it does not know is asked of a worker"


def _play(level: Level, rng: random.Random, length: int) -> str:
    state, letters = rules.initial(level), ""
    for _ in range(length):
        direction = rng.choice(list(DIRECTIONS))
        after = rules.move(level, state, direction)
        if after is not None:
            letters += direction.letter.upper() if after.boxes != state.boxes else direction.letter
            state = after
    return letters


def test_losses_are_the_reference_searchs_at_every_push() -> None:
    rng = random.Random(5)
    level = level_from_rows(ROWS)
    kinds = set()
    for _ in range(4):
        lurd = _play(level, rng, 60)
        _, states = states_along(level, lurd)
        reported = dict(known_optimum.losses(level, lurd, 60))
        assert sorted(reported) == list(range(len(states)))
        for at, state in enumerate(states):
            found = reference.solve(level.with_state(state.boxes, state.player), "pushes", Limits())
            assert reported[at] == known_optimum.judged(at, found), (lurd, at)
            kinds.add(reported[at][0])
    assert kinds == {"proved", "dead"}


def test_lost_slides_are_the_oracles_after_every_slide() -> None:
    board = notation.read("goal: A 0,1\nsame: bc\nAAb.\nAAc.\n", "k")[0]
    play = "b 0,2 > 0,3 r\nb 0,3 > 0,2 l\nc 1,2 > 1,3 r\nb 0,2 > 0,3 r\nA 0,0 > 0,1 r\nA 0,1 > 0,0 l"
    reported = dict(known_optimum.losses(board, play, 60))
    assert reported == {0: ("proved", 3), 1: ("proved", 4), 2: ("proved", 4), 3: ("proved", 4), 4: ("proved", 5)}
    with pytest.raises(IllegalPlan, match="slide 2: "):
        dict(known_optimum.losses(board, "b 0,2 > 0,3 r\nA 0,0 > 0,1 r", 60))


def test_what_is_not_known_is_not_told_as_a_loss() -> None:
    open_result = Result(Status.TIME_OUT, "pushes", "native", lower_bound=7)
    assert known_optimum.judged(3, open_result) == ("open", None)
    assert dict(known_optimum.losses(level_from_rows(ROWS), "dR", 0.0))[1] == ("open", None)


def test_losses_stream_over_http_and_bad_plays_are_told(client: TestClient) -> None:
    problem = {"game": "sokoban", "rows": ROWS}
    reported = {
        e["at"]: e["total"] for e in lines(client, "losses", problem=problem, plan="dRRR") if e["event"] == "total"
    }
    assert reported[0] == reported[3] == 4
    bad = lines(client, "losses", problem=problem, plan="uuuu")
    assert (bad[-1]["event"] == "error" and "not possible" in bad[-1]["sentence"]) or "wall" in bad[-1]["sentence"]


def test_an_open_row_is_not_known_and_a_stretch_with_an_open_end_is_not_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    level = level_from_rows(ROWS)
    real = known_optimum.domain_of(level)
    for status, names in (("open", []), ("unsolvable", ["pushes", "moves", "lines"])):
        row = {
            "status": status,
            "value": None,
            "bound": 3,
            "closed_by": "a",
            "origin": "b",
            "certificate": "",
            "plan": None,
        }
        game = replace(real, optimum=lambda *_, row=row: row)
        monkeypatch.setattr(known_optimum, "domain_of", lambda _, game=game: game)
        assert [name for name, _ in known_optimum.tabled(level)] == names
    for ends in ({0: ("proved", 9), 8: ("open", None)}, {0: ("open", None), 8: ("proved", 9)}):
        assert dict(known_optimum._between(8, ends.__getitem__)) == ends  # type: ignore[arg-type]
