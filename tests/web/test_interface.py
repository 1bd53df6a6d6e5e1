"""The interface without a browser: right answers, one sentence for what is wrong, and nobody from elsewhere gets in."""

from __future__ import annotations

import asyncio
import base64
import hashlib
import io
import json
import re
import subprocess
import sys
import zipfile
from collections.abc import Iterator
from dataclasses import fields
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("httpx2", reason="httpx2 is not installed")
pytest.importorskip("starlette", reason="the extra [web] is not installed")

from click.testing import CliRunner
from starlette.testclient import TestClient

from sokoasp.cli import run
from sokoasp.cli.serve import command as serve
from sokoasp.core import jit
from sokoasp.core.errors import SokoaspError
from sokoasp.core.limits import Limits
from sokoasp.klotski import database, notation
from sokoasp.picture.theme import asset
from sokoasp.proof.verify import verify
from sokoasp.sokoban.formats import level_from_rows
from sokoasp.sokoban.search.exact import reference
from sokoasp.web import app, assets
from sokoasp.web.api import COMPILING, QUICK, SLOW, Service
from sokoasp.web.app import Start, create_app
from sokoasp.web.settings import Settings

STATIC = Path(__file__).parents[2] / "sokoasp" / "web" / "static"
ROWS = ["#######", "#@ $ .#", "#     #", "#######"]
LEVEL = {"game": "sokoban", "rows": ROWS, "title": "One box"}
BOARD = {"game": "klotski", "head": "goal: A 0,2\n", "rows": ["AAb.", "AAc."]}


@pytest.fixture(scope="module")
def client() -> Iterator[TestClient]:
    with TestClient(create_app(settings=Settings(workers=1)), base_url="http://127.0.0.1") as client:
        yield client


def post(client: TestClient, name: str, /, **body: Any) -> Any:
    response = client.post(f"/api/{name}", json=body)
    assert response.status_code == 200, response.text
    return response.json()


def events(client: TestClient, **body: Any) -> list[dict[str, Any]]:
    response = client.post("/api/solve", json=body)
    assert response.status_code == 200, response.text
    return [json.loads(line) for line in response.text.splitlines()]


def test_docs_list_every_request_and_limit(root: Path) -> None:
    text = (root / "docs" / "web.md").read_text(encoding="utf-8")
    assert set(re.findall(r"^\| `/api/(\w+)` \|", text, re.MULTILINE)) == {*QUICK, *SLOW}
    told = dict(re.findall(r"`(\w+)=(\d+)`", text.split("## Limits")[1].split("\n## ")[0]))
    assert told == {one.name: f"{one.default:g}" for one in fields(Settings) if one.name != "positions"}


def test_the_page_brings_its_first_level_and_allows_nothing_from_outside(client: TestClient) -> None:
    page = client.get("/")
    assert page.status_code == 200 and 'data-id="p"' in page.text and "<!--" not in page.text
    policy = page.headers["content-security-policy"]
    assert "default-src 'none'" in policy and "unsafe" not in policy
    assert "style=" not in page.text and "onclick" not in page.text, "the policy would stop them"


def test_every_file_of_a_version_is_there_and_kept_for_good(client: TestClient) -> None:
    kept = client.get("/files.json").json()
    names = {path.removeprefix(kept["folder"]) for path in kept["files"] if path.startswith(kept["folder"])}
    assert {path.name for path in STATIC.glob("*.js")} - {"sw.js", "theme.js"} < names and "player.js" in names
    page = client.get("/")
    assert page.headers["cache-control"] == "no-cache" == client.get("/sw.js").headers["cache-control"]
    for path in kept["files"]:
        answer = client.get(f"/{path.removeprefix('./')}")
        assert answer.status_code == 200, path
        assert ("immutable" in answer.headers["cache-control"]) == path.startswith(kept["folder"]), path
    app = client.get(f"/{kept['folder']}app.js")
    assert app.headers["content-type"].startswith("text/javascript")
    assert f'src="{kept["folder"]}app.js"' in page.text and "/at/" not in page.text
    assert {"./", "manifest.webmanifest", "icon.svg"} <= set(kept["files"])
    assert not [path for path in kept["files"] if path.startswith("/")], "the page may live in any folder"


def test_what_stands_in_the_page_is_named_by_its_hash(client: TestClient) -> None:
    page = client.get("/")
    inline = re.findall(r"<(style|script)>(.*?)</\1>", page.text, re.S)
    assert [kind for kind, _ in inline] == ["style", "script"]
    for _, text in inline:
        digest = base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
        assert f"'sha256-{digest}'" in page.headers["content-security-policy"]


def test_the_folder_is_named_by_what_is_in_it(monkeypatch: pytest.MonkeyPatch) -> None:
    before = assets.load()
    monkeypatch.setattr(assets, "asset", lambda name: "changed" if name == "player.js" else asset(name))
    after = assets.load()
    assert before.folder != after.folder and assets.load().folder == after.folder


@pytest.mark.parametrize(
    "path", ["/app.py", "/../pyproject.toml", "/%2e%2e/%2e%2e/etc/passwd", "/static/app.js", "/app.js/", "/api/"]
)
def test_nothing_else_is_served(client: TestClient, path: str) -> None:
    assert client.get(path, follow_redirects=False).status_code in (404, 307)
    answer = client.get(path)
    assert answer.status_code == 404, path
    assert answer.json()["error"].startswith("there is no /"), "a sentence in JSON, as for every other error"
    assert "root:" not in client.get(path).text and "[project]" not in client.get(path).text


def test_open_reads_all_levels_and_keeps_the_faulty_ones_in_place(client: TestClient) -> None:
    good = "\n".join(ROWS)
    opened = post(client, "open", text=f"{good}\n\n####\n#@ #\n####\n\n{good}\n", name="a/b/../my.xsb")
    assert opened["name"] == "my.xsb"
    assert ["error" in entry for entry in opened["problems"]] == [False, True, False]
    assert "my.xsb:" in opened["problems"][1]["error"]


def test_open_reads_facts_and_boards_and_examples(client: TestClient) -> None:
    assert post(client, "open", text="goal: A 0,2\nAAb.\nAAc.\n")["problems"][0]["game"] == "klotski"
    first = post(client, "open", example="tutorial/tutorial.xsb")["problems"][0]
    assert first["game"] == "sokoban" and "lines" in first["objectives"]
    response = client.post("/api/open", json={"example": "../../pyproject.toml"})
    assert response.status_code == 404 and "there is no example" in response.json()["error"]


def test_graded_levels_come_with_grade_and_optimum(client: TestClient) -> None:
    levels = post(client, "open", example="graded/01-box.sok")["problems"]
    grades = [level["difficulty"] for level in levels]
    assert grades == sorted(grades) and len(levels) == 30
    for level in levels[:3]:
        best = reference.solve(level_from_rows(level["rows"]), "pushes", Limits())
        assert level["optimum"]["pushes"] == best.value


def test_a_plan_is_shortened_or_refused(client: TestClient) -> None:
    response = client.post("/api/shorten", json={"problem": LEVEL, "plan": "drruluRR", "objective": "moves"})
    assert response.status_code == 422, "no plan"
    response = client.post("/api/shorten", json={"problem": LEVEL, "plan": "rlrRR", "objective": "moves"})
    result = json.loads(response.text.splitlines()[-1])["result"]
    assert (result["value"], result["plan"]["lurd"]) == (3, "rRR")
    assert client.post("/api/shorten", json={"problem": BOARD, "plan": "", "objective": "slides"}).status_code == 400


def test_deadlock_has_a_reason_and_cells(client: TestClient) -> None:
    dead = {"game": "sokoban", "rows": ["#######", "#$ @ .#", "#     #", "#######"]}
    found = post(client, "deadlock", problem=dead)
    assert found["verdict"] == "dead" and [1, 1] in found["boxes"] and found["reason"] and found["source"]
    assert post(client, "deadlock", problem=LEVEL) == {"verdict": "none_found"}


def test_solve_streams_bounds_and_ends_with_a_plan(client: TestClient) -> None:
    for engine in ("asp", "reference"):
        found = events(client, problem=LEVEL, objective="moves", engine=engine)
        result = found[-1]["result"]
        assert (result["status"], result["value"], result["plan"]["lurd"]) == ("optimal", 3, "rRR")
        assert result["timeline"]["counts"][-1] == ["moves", [0, 1, 2, 3]]
        if engine == "asp":
            assert [event["result"] for event in found if event["event"] == "step"][-1] == "sat"


def test_solve_klotski(client: TestClient) -> None:
    result = events(client, problem=BOARD, objective="slides", engine="native")[-1]["result"]
    assert result["status"] == "unsolvable", "b and c cannot pass the block"
    board = {"game": "klotski", "head": "goal: A 0,1\n", "rows": ["AAb.", "AAc."]}
    result = events(client, problem=board, objective="slides", engine="asp")[-1]["result"]
    assert (result["status"], result["value"]) == ("optimal", 3) and len(result["timeline"]["moves"]) == 3


def test_boards_are_looked_up_in_the_servers_own_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    head, rows = "goal: A 0,1\n", ["AAb.", "AAc."]
    path, board = tmp_path / "small.kdb", tmp_path / "small.klotski"
    board.write_text(head + "\n".join(rows) + "\n")
    made = database.build(notation.read(board.read_text(), "small")[0])
    assert isinstance(made, database.Positions)
    database.write(made, path)
    asked: list[Settings] = []
    monkeypatch.setattr(app, "run", lambda *_text, settings, **_where: asked.append(settings))
    for arguments in ([str(board)], ["--positions", str(path)], []):
        assert CliRunner().invoke(serve, arguments).exit_code == 0
    assert [settings.positions for settings in asked] == [str(path), str(path), ""], (
        "the one beside the board, the one named"
    )
    with TestClient(create_app(settings=asked[0]), base_url="http://127.0.0.1") as client:
        problem = {"game": "klotski", "head": head, "rows": rows}
        reported = events(client, problem=problem, objective="slides", engine="database")[-1]["result"]
        assert (reported["status"], reported["value"]) == ("optimal", 3) and f"as {path} says" in reported["proof"]
        other = events(client, problem={**problem, "rows": ["AAb.", "AA.."]}, objective="slides", engine="database")
        assert other[-1]["result"]["value"] == 2 and "measured" in other[-1]["result"]["proof"], (
            "pieces it does not know"
        )
    path.write_text("something else")
    with pytest.raises(SokoaspError, match="no file of Klotski positions"):
        create_app(settings=asked[0])


@pytest.mark.parametrize(("form", "head"), [("svg", b"<svg"), ("html", b"<!doctype html>"), ("gif", b"GIF8")])
def test_export(client: TestClient, form: str, head: bytes) -> None:
    response = client.post("/api/export", json={"problem": LEVEL, "plan": "rRR", "format": form})
    assert response.status_code == 200 and response.content.startswith(head)
    assert "text/html" not in response.headers["content-type"], "never a page of this origin"


@pytest.mark.parametrize(
    ("name", "body", "status", "sentence"),
    [
        ("open", {"text": "####\n#@ #\n####"}, 422, "E-NOBOX the board has no box and no goal"),
        ("open", {"text": "What is this?"}, 422, "level"),
        ("open", {}, 400, '"text" must be a text'),
        ("program", {"problem": {"game": "sokoban", "rows": ["#####", "#@$.#"]}}, 422, "E-OPEN"),
        ("program", {"problem": {"game": "chess", "rows": []}}, 400, '"game" must be one of'),
        ("program", {"problem": "text"}, 400, '"problem" must be an object'),
        ("program", {"problem": {"game": "sokoban", "rows": ["#" * 300] * 300}}, 422, "more than 40000 cells"),
        ("solve", {"problem": LEVEL, "engine": "magic"}, 400, '"engine" must be one of asp'),
        ("solve", {"problem": LEVEL, "objective": "slides"}, 400, '"objective" must be one of lines, pushes, moves'),
        ("solve", {"problem": LEVEL, "seconds": 1e9}, 400, '"seconds" must be a number above 0, at most 600'),
        ("solve", {"problem": LEVEL, "seconds": -5}, 400, '"seconds" must be a number above 0, at most 600'),
        ("solve", {"problem": LEVEL, "seconds": True}, 400, '"seconds" must be a number above 0, at most 600'),
        ("deadlock", {"problem": LEVEL, "start": 5}, 400, '"start" must be an object'),
        ("export", {"problem": LEVEL, "format": "gif"}, 400, "gif shows a plan, and none was given"),
    ],
)
def test_bad_input_gets_a_sentence(
    client: TestClient, name: str, body: dict[str, Any], status: int, sentence: str
) -> None:
    response = client.post(f"/api/{name}", json=body)
    assert response.status_code == status and sentence in response.json()["error"]


def test_bodies_are_small_json_objects(client: TestClient) -> None:
    kind = {"content-type": "application/json"}
    assert client.post("/api/program", content="x" * 1_000_001, headers=kind).status_code == 413
    assert client.post("/api/program", content="{", headers=kind).status_code == 400
    assert client.post("/api/program", content="[" * 100_000, headers=kind).status_code == 400
    assert client.post("/api/program", content="[1]", headers=kind).status_code == 400
    halves = client.post("/api/open", content=json.dumps({"text": "\n".join(ROWS), "name": "\ud800"}), headers=kind)
    assert halves.status_code == 400 and "half of a surrogate pair" in halves.json()["error"]
    assert client.post(
        "/api/open", content=json.dumps({"text": "\n".join(ROWS), "name": "\U0001f4e6"}), headers=kind
    ).is_success
    assert client.post("/api/program", content="{}", headers={"content-type": "text/plain"}).status_code == 415
    answer = client.get("/api/program")
    assert answer.status_code == 405 and answer.json() == {"error": "/api/program is not asked by GET"}


@pytest.mark.parametrize(
    "headers",
    [
        {"host": "evil.example"},
        {"host": "127.0.0.1.evil.example"},
        {"origin": "http://evil.example"},
        {"origin": "null"},
        {"sec-fetch-site": "cross-site"},
    ],
)
def test_other_hosts_and_origins_are_refused(client: TestClient, headers: dict[str, str]) -> None:
    response = client.post("/api/program", json={"problem": LEVEL}, headers=headers)
    assert response.status_code == 403
    assert ("does not answer for the host" if "host" in headers else "are refused") in response.json()["error"]
    assert "access-control-allow-origin" not in response.headers
    if "host" in headers:
        assert client.get("/", headers=headers).status_code == 403


def test_the_own_page_is_let_in(client: TestClient) -> None:
    own = {"origin": "http://127.0.0.1", "sec-fetch-site": "same-origin"}
    assert client.post("/api/program", json={"problem": LEVEL}, headers=own).status_code == 200


def test_titles_cannot_break_out_of_the_page() -> None:
    text = "; x\n" + "\n".join(ROWS) + "\nTitle: </script><script>alert(1)</script>\n"
    page = TestClient(create_app(Start(text, "a.xsb")), base_url="http://127.0.0.1").get("/").text
    assert "<script>alert" not in page and "alert(1)" in page


def test_a_faulty_start_is_refused_with_its_sentence() -> None:
    with pytest.raises(SokoaspError, match=r"bad\.xsb:"):
        create_app(Start("####\n#@ #\n####\n", "bad.xsb"))


def test_an_empty_file_is_refused_as_solve_refuses_it(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    empty = tmp_path / "empty.xsb"
    empty.write_text("")
    for command in (["serve", str(empty), "--port", "0"], ["solve", str(empty)]):
        assert run(command) == 30
        assert "empty.xsb" in capsys.readouterr().err, command


def test_an_error_of_a_drawing_names_the_cell_as_the_page_counts(client: TestClient) -> None:
    board = {"game": "klotski", "head": "title: K\ngoal: A 0,1\n", "rows": ["AAb.", "AAc?"]}
    error = client.post("/api/program", json={"problem": board}).json()["error"]
    assert "pasted" not in error and "(row 1, column 3)" in error, error


WITHOUT = """
import sys
sys.modules["starlette"] = sys.modules["uvicorn"] = None
from sokoasp.cli import run
raise SystemExit(run(["serve"]))
"""


def test_serve_without_its_extra_says_which_one_is_missing() -> None:
    done = subprocess.run([sys.executable, "-c", WITHOUT], capture_output=True, text=True, timeout=60)
    assert done.returncode == 2 and "the web player needs" in done.stderr and "[player]" in done.stderr
    assert "internal" not in done.stderr and "Traceback" not in done.stderr


def test_a_certificate_is_made_checked_and_packed(client: TestClient, tmp_path: Path) -> None:
    board = {"game": "klotski", "head": "goal: A 0,1\n", "rows": ["AAb.", "AAc."]}
    for problem, objective, plan in (
        (LEVEL, "pushes", "rRR"),
        (board, "slides", "b 0,2 > 0,3 r\nc 1,2 > 1,3 r\nA 0,0 > 0,1 r"),
    ):
        made = post(client, "certify", problem=problem, objective=objective, plan=plan)
        assert made["checked"] and made["by"].startswith("sokoasp check-proof (") and len(made["sha256"]) == 64
        folder = tmp_path / objective
        with zipfile.ZipFile(io.BytesIO(base64.b64decode(made["zip"]))) as archive:
            archive.extractall(folder)
        assert list(verify(folder / "certificate")), "anybody can check what was given"
    worse = client.post("/api/certify", json={"problem": LEVEL, "objective": "moves", "plan": "drlurRR"})
    assert worse.status_code == 422, "a plan that is not best, or none, is never certified"


def test_a_position_of_the_play_backwards_is_judged_with_its_start(client: TestClient) -> None:
    start = {"game": "sokoban", "rows": ["########", "#  . $@#", "########"]}
    shut = {"game": "sokoban", "rows": ["########", "#@$  . #", "########"]}
    found = post(client, "deadlock", problem=shut, start=start)
    assert found["verdict"] == "dead" and found["kind"] == "pulled_region" and found["boxes"] == [[1, 2]]
    free = {"game": "sokoban", "rows": ["########", "#  $ .@#", "########"]}
    assert post(client, "deadlock", problem=free, start=start) == {"verdict": "none_found"}
    response = client.post("/api/deadlock", json={"problem": LEVEL, "start": start})
    assert response.status_code == 200 and response.json()["verdict"] == "undecided", "not the same floor"


def test_generated_levels_have_the_pushes_wished(client: TestClient) -> None:
    wish = {"rows": 7, "cols": 8, "boxes": 1, "min_lines": 1, "min_pushes": 6, "max_pushes": 7, "seed": 3}
    made = post(client, "generate", **wish)
    best = reference.solve(level_from_rows(made["problem"]["rows"]), "pushes", Limits())
    assert best.value in (6, 7)
    assert f"{best.value} pushes" in made["note"]


def test_a_search_is_not_stopped_because_it_has_to_be_compiled_first(monkeypatch: pytest.MonkeyPatch) -> None:
    service = Service(Settings(), {})
    assert service.patience(5) == 5 + COMPILING
    monkeypatch.setattr(jit, "ready", lambda _modules: True)
    asyncio.run(service.compile())
    assert service.patience(5) == 5


def test_a_program_that_eats_memory_is_stopped_and_the_server_is_free_again() -> None:
    greedy = "#program base. n(1..3000). q(X,Y) :- n(X), n(Y). r(X,Y,Z) :- q(X,Y), n(Z)."
    patient = Settings(workers=1, memory_mb=600, seconds=250, asp_seconds=250)
    with TestClient(create_app(settings=patient), base_url="http://127.0.0.1") as client:
        body = {"problem": LEVEL, "objective": "pushes", "constraints": greedy}
        last = json.loads(client.post("/api/asp", json=body).text.splitlines()[-1])
        assert "memory" in last.get("sentence", "") or last["result"]["status"] == "memory_out", last
        assert events(client, problem=LEVEL, objective="pushes")[-1]["result"]["value"] == 2
