"""The server without a browser: right answers, a sentence for what is wrong, and only who was given the address gets in."""

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

from starlette.testclient import TestClient

from sokoasp.cli import run
from sokoasp.core import kernels
from sokoasp.core.limits import Limits
from sokoasp.engine import closing
from sokoasp.picture.theme import asset
from sokoasp.proof.verify import verify
from sokoasp.sokoban.formats import level_from_rows
from sokoasp.sokoban.search.exact import reference
from sokoasp.sokoban.search.model.options import LAYER_MODULES, MODULES, MOVE_MODULES, PATTERN_MODULES, SHARED
from sokoasp.web import assets, levels, worker
from sokoasp.web.app import create_app
from sokoasp.web.middleware import HEADERS
from sokoasp.web.questions import QUESTIONS, Settings
from sokoasp.web.service import COMPILING, Service
from tests.commands import python

STATIC = Path(__file__).parents[2] / "sokoasp" / "web" / "static"
ROWS = ["#######", "#@ $ .#", "#     #", "#######"]
LEVEL = {"game": "sokoban", "rows": ROWS, "title": "One box"}
BOARD = {"game": "klotski", "head": "goal: A 0,1\n", "rows": ["AAb.", "AAc."]}
LOCAL = "http://127.0.0.1"


@pytest.fixture(scope="module")
def client() -> Iterator[TestClient]:
    with TestClient(create_app(settings=Settings(why_seconds=60, certify_seconds=300)), base_url=LOCAL) as client:
        yield client


def last(client: TestClient, name: str, **body: Any) -> dict[str, Any]:
    return events(client, name, **body)[-1]


def events(client: TestClient, name: str, **body: Any) -> list[dict[str, Any]]:
    response = client.post(f"/api/{name}", json=body)
    assert response.status_code == 200, response.text
    return [json.loads(line) for line in response.text.splitlines()]


def test_docs_list_every_question_and_limit(root: Path) -> None:
    text = (root / "docs" / "web.md").read_text(encoding="utf-8")
    assert set(re.findall(r"`(?:POST )?/api/(\w+)`", text)) == set(QUESTIONS)
    told = dict(re.findall(r"`(\w+)=(\d+)`", text.split("## Limits")[1].split("\n## ")[0]))
    assert told == {one.name: f"{one.default:g}" for one in fields(Settings)}


def test_the_page_has_its_first_level_and_only_what_its_policy_names(client: TestClient) -> None:
    page = client.get("/")
    assert page.status_code == 200 and 'data-id="p"' in page.text and "<!--" not in page.text
    policy = page.headers["content-security-policy"]
    assert "default-src 'none'" in policy and "'unsafe" not in policy and "frame-ancestors 'none'" in policy
    assert "style=" not in page.text and "onclick" not in page.text, "the policy would stop them"
    inline = re.findall(r"<(style|script)>(.*?)</\1>", page.text, re.S)
    assert [kind for kind, _ in inline] == ["style", "script"]
    for _, text in inline:
        assert f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'" in policy


def test_every_file_of_a_version_is_there_and_kept_for_good(client: TestClient) -> None:
    kept, page = client.get("/files.json").json(), client.get("/")
    folder = kept["folder"]
    names = {path.removeprefix(folder) for path in kept["files"] if path.startswith(folder)}
    assert {path.name for path in STATIC.glob("*.js")} - {"sw.js", "theme.js"} < names and "player.js" in names
    assert page.headers["cache-control"] == "no-cache" == client.get("/sw.js").headers["cache-control"]
    for path in kept["files"]:
        answer = client.get(f"/{path.removeprefix('./')}")
        assert answer.status_code == 200, path
        assert ("immutable" in answer.headers["cache-control"]) == path.startswith(folder), path
    assert client.get(f"/{folder}app.js").headers["content-type"].startswith("text/javascript")
    assert f'src="{folder}app.js"' in page.text and "/at/" not in page.text
    assert {"./", "manifest.webmanifest", "icon.svg"} <= set(kept["files"])
    assert not [path for path in kept["files"] if path.startswith("/")], "the page may live in any folder"
    asked = set(re.findall(r'modulepreload" href="\w+/([\w.]+)"', page.text))
    assert {"app.js", "game.js", "sokoban.js"} < asked and not asked & {"answers.js", "search.js", "clingo.js"}


def test_the_folder_is_named_by_what_is_in_it(monkeypatch: pytest.MonkeyPatch) -> None:
    before = assets.load()
    monkeypatch.setattr(assets, "asset", lambda name: "changed" if name == "player.js" else asset(name))
    after = assets.load()
    assert before.folder != after.folder and assets.load().folder == after.folder


def test_nothing_else_is_served(client: TestClient) -> None:
    for path in ("/app.py", "/../pyproject.toml", "/%2e%2e/%2e%2e/etc/passwd", "/static/app.js", "/app.js/", "/api"):
        answer = client.get(path)
        assert answer.status_code == 404, path
        assert answer.json()["error"].startswith("there is no /"), "a sentence in JSON, as for every other error"


def test_collections_keep_the_faulty_levels_in_place_and_grades_with_optima() -> None:
    good = "\n".join(ROWS)
    opened = levels.read(f"{good}\n\n####\n#@ #\n####\n\n{good}\n", "a/b/../my.xsb")
    assert opened["name"] == "my.xsb" and ["error" in entry for entry in opened["problems"]] == [False, True, False]
    assert "my.xsb:" in opened["problems"][1]["error"]
    graded = levels.read(levels.bundled()["graded/01-box.sok"], "01-box.sok")["problems"]
    grades = [level["difficulty"] for level in graded]
    assert grades == sorted(grades) and len(graded) == 30
    for level in graded[:3]:
        best = reference.solve(level_from_rows(level["rows"]), "pushes", Limits())
        assert level["optimum"]["pushes"] == best.value


def test_why_a_position_is_dead_has_a_reason_and_cells(client: TestClient) -> None:
    dead = {"game": "sokoban", "rows": ["#######", "#$ @ .#", "#     #", "#######"]}
    found = last(client, "why", problem=dead)
    assert found["verdict"] == "dead" and [1, 1] in found["boxes"] and found["reason"] and found["source"]
    assert last(client, "why", problem=LEVEL)["verdict"] == "none_found"


def test_solve_streams_bounds_and_ends_with_a_plan_or_a_proof_that_there_is_none(client: TestClient) -> None:
    for engine in ("asp", "reference"):
        found = events(client, "solve", problem=LEVEL, objective="moves", engine=engine)
        result = found[-1]["result"]
        assert (result["status"], result["value"], result["plan"]["lurd"]) == ("optimal", 3, "rRR")
        assert result["timeline"]["counts"][-1] == ["moves", [0, 1, 2, 3]]
        if engine == "asp":
            assert [event["result"] for event in found if event["event"] == "step"][-1] == "sat"
    stuck = {**BOARD, "head": "goal: A 0,2\n"}
    result = last(client, "solve", problem=stuck, objective="slides", engine="native")["result"]
    assert result["status"] == "unsolvable", "b and c cannot pass the block"
    result = last(client, "solve", problem=BOARD, objective="slides", engine="asp")["result"]
    assert (result["status"], result["value"]) == ("optimal", 3) and len(result["timeline"]["moves"]) == 3


def test_a_certificate_is_made_checked_and_packed(client: TestClient, tmp_path: Path) -> None:
    made = last(client, "certify", problem=LEVEL, objective="pushes", plan="rRR")
    assert made["checked"] and made["by"].startswith("sokoasp check-proof (") and len(made["sha256"]) == 64
    with zipfile.ZipFile(io.BytesIO(base64.b64decode(made["zip"]))) as archive:
        archive.extractall(tmp_path)
    assert list(verify(tmp_path / "certificate")), "anybody can check what was given"
    slides = "b 0,2 > 0,3 r\nc 1,2 > 1,3 r\nA 0,0 > 0,1 r"
    refused = last(client, "certify", problem=BOARD, objective="slides", plan=slides)
    assert refused["event"] == "error" and "no certificates for klotski" in str(refused), refused
    worse = last(client, "certify", problem=LEVEL, objective="moves", plan="drlurRR")
    assert worse["event"] == "error", "a plan that is not best, or none, is never certified"


@pytest.mark.parametrize(
    ("name", "body", "status", "sentence"),
    [
        ("why", {"problem": {"game": "sokoban", "rows": ["#####", "#@$.#"]}}, 422, "E-OPEN"),
        ("why", {"problem": {"game": "chess", "rows": []}}, 400, '"game" must be one of'),
        ("why", {"problem": "text"}, 400, '"problem" must be an object'),
        ("why", {"problem": {"game": "sokoban", "rows": ["#" * 300] * 300}}, 422, "more than 40000 cells"),
        ("why", {"problem": LEVEL, "lines": 1}, 400, "/api/why has no key 'lines', only problem"),
        ("solve", {"problem": LEVEL, "second": 5}, 400, "/api/solve has no key 'second', only problem,"),
        ("why", {"problem": {**LEVEL, "row": []}}, 400, "a problem has no key 'row', only game, head, rows, title"),
        ("why", {"problem": BOARD}, 400, "asked of Sokoban levels only"),
        ("solve", {"problem": {**BOARD, "rows": ["AAb.", "AAc?"]}}, 422, "(c4r2)"),
        ("solve", {"problem": LEVEL, "engine": "magic"}, 400, '"engine" must be one of asp'),
        ("solve", {"problem": LEVEL, "objective": "slides"}, 400, '"objective" must be one of lines, pushes, moves'),
        ("solve", {"problem": LEVEL, "seconds": 1e9}, 400, '"seconds" must be a number above 0, at most 600'),
        ("solve", {"problem": LEVEL, "seconds": -5}, 400, '"seconds" must be a number above 0, at most 600'),
        ("solve", {"problem": LEVEL, "seconds": True}, 400, '"seconds" must be a number above 0, at most 600'),
        ("certify", {"problem": LEVEL, "plan": 5}, 400, '"plan" must be a text'),
        ("run", {"problem": LEVEL, "program": 5}, 400, '"program" must be a text'),
        ("open", {"text": ""}, 404, "there is no /api/open"),
    ],
)
def test_bad_input_gets_a_sentence(
    client: TestClient, name: str, body: dict[str, Any], status: int, sentence: str
) -> None:
    response = client.post(f"/api/{name}", json=body)
    assert response.status_code == status and sentence in response.json()["error"]


def test_bodies_are_small_json_objects(client: TestClient) -> None:
    halves, whole = (json.dumps({"problem": {**LEVEL, "title": title}}) for title in ("\ud800", "\U0001f4e6"))
    bodies = (("x" * 1_000_001, 413), ("{", 400), ("[" * 100_000, 400), ("[1]", 400), (halves, 400), (whole, 200))
    for body, status in bodies:
        answer = client.post("/api/why", content=body, headers={"content-type": "application/json"})
        assert answer.status_code == status, body[:20]
        assert body is not halves or "half of a surrogate pair" in answer.json()["error"]
    assert client.post("/api/why", content="{}", headers={"content-type": "text/plain"}).status_code == 415
    answer = client.get("/api/why")
    assert answer.status_code == 405 and answer.json() == {"error": "/api/why is not asked by GET"}


@pytest.mark.parametrize(
    "headers",
    [
        *(
            {"host": host}
            for host in ("evil.example", "127.0.0.1.evil.example", "[", "evil@127.0.0.1", "127.0.0.1:x", "")
        ),
        {"origin": "http://evil.example"},
        {"origin": "null"},
        {"sec-fetch-site": "cross-site"},
    ],
)
def test_other_hosts_and_origins_are_refused(client: TestClient, headers: dict[str, str]) -> None:
    response = client.post("/api/why", json={"problem": LEVEL}, headers=headers)
    assert response.status_code == 403
    assert ("does not answer for the host" if "host" in headers else "are refused") in response.json()["error"]
    assert "access-control-allow-origin" not in response.headers and HEADERS.items() <= dict(response.headers).items()
    if "host" in headers:
        assert client.get("/", headers=headers).status_code == 403


def test_the_own_page_is_let_in_and_every_answer_has_the_headers(client: TestClient) -> None:
    own = {"origin": LOCAL, "sec-fetch-site": "same-origin"}
    answers = [client.post("/api/why", json={"problem": LEVEL}, headers=own)]
    assert answers[0].status_code == 200
    answers += [client.get("/"), client.get("/nothing"), client.get("/api/why"), client.post("/api/why", content="{")]
    for answer in answers:
        assert HEADERS.items() <= dict(answer.headers).items() and "content-security-policy" in answer.headers


def test_only_whoever_was_given_the_token_gets_in_and_a_cookie_has_it_from_then_on() -> None:
    app = create_app(token="right", settings=Settings(workers=1))
    stranger, guest = TestClient(app, base_url=LOCAL), TestClient(app, base_url=LOCAL)
    question = {"problem": LEVEL, "objective": "lines"}
    for path in ("/", "/?token=", "/?token=wrong", "/?token=%C3%A9", "/files.json", "/sw.js"):
        answer = stranger.get(path)
        assert answer.status_code == 403 and "open the whole address" in answer.json()["error"], path
        assert "set-cookie" not in answer.headers
    stranger.cookies.set("sokoasp-80", "wrong")
    assert stranger.post("/api/solve", json=question).status_code == 403
    first = guest.get("/?token=right")
    assert first.status_code == 200
    assert set(first.headers["set-cookie"].split("; ")[1:]) == {"Path=/", "HttpOnly", "SameSite=Strict"}
    assert guest.get("/files.json").status_code == 200 and "set-cookie" not in guest.get("/").headers
    with guest:
        assert guest.post("/api/solve", json=question).status_code == 200
    other = guest.get("/?token=right", headers={"host": "evil.example"})
    assert other.status_code == 403 and "set-cookie" not in other.headers


def test_titles_cannot_break_out_of_the_page() -> None:
    text = "; x\n" + "\n".join(ROWS) + "\nTitle: </script><script>alert(1)</script>\n"
    page = TestClient(create_app([("a.xsb", text)]), base_url=LOCAL).get("/").text
    assert "<script>alert" not in page and "alert(1)" in page


@pytest.mark.parametrize("command", [["serve", "--port", "0"], ["solve"]])
def test_an_empty_file_is_refused_as_solve_refuses_it(
    command: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    empty = tmp_path / "empty.xsb"
    empty.write_text("")
    assert run([*command, str(empty)]) == 30 and "empty.xsb" in capsys.readouterr().err, command


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "no host"])
def test_an_address_that_nobody_could_ask_for_is_refused(host: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["serve", "--host", host, "--port", "0"]) == 2
    said = capsys.readouterr()
    assert ("--allow-host NAME" in said.err or "nobody can ask" in said.err) and not said.out


WITHOUT = """
import sys
sys.modules["starlette"] = sys.modules["uvicorn"] = None
from sokoasp.cli import run
raise SystemExit(run(["serve"]))
"""


def test_serve_without_its_extra_says_which_one_is_missing() -> None:
    done = python(WITHOUT)
    assert done.returncode == 2 and "the web player needs" in done.stderr and "[player]" in done.stderr
    assert "internal" not in done.stderr and "Traceback" not in done.stderr


def test_every_address_that_is_printed_is_answered_and_no_module_of_the_folder_is_run(tmp_path: Path) -> None:
    """``--host 0.0.0.0`` for a class, started in a folder with modules of the same names as Python's and numpy's."""
    httpx = pytest.importorskip("httpx2")
    for name in ("base64.py", "numpy.py"):
        (tmp_path / name).write_text(f"open({str(tmp_path / 'ran')!r}, 'w')\nraise SystemExit('ran')\n")
    command = [str(Path(sys.executable).with_name("sokoasp")), "serve", "--host", "0.0.0.0", "--port", "0"]
    process = subprocess.Popen([*command, "--allow-host", "127.0.0.1"], cwd=tmp_path, stdout=subprocess.PIPE, text=True)
    try:
        url = process.stdout.readline().split()[2]
        with httpx.Client(timeout=120) as client:
            assert client.get(url).status_code == 200
            answer = client.post(url.split("?")[0] + "api/solve", json={"problem": LEVEL, "objective": "lines"})
            assert json.loads(answer.text.splitlines()[-1])["result"]["value"] == 1
    finally:
        process.terminate()
        process.wait(20)
    assert not (tmp_path / "ran").exists()


def test_a_search_is_not_stopped_because_it_has_to_be_compiled_first(monkeypatch: pytest.MonkeyPatch) -> None:
    async def scene() -> list[float]:
        service, asked = Service(Settings()), []
        monkeypatch.setattr(service.solvers, "run", lambda _job, seconds, grace: asked.append(seconds))
        service.ask({"do": "solve", "seconds": 5.0})
        monkeypatch.setattr(kernels, "status", lambda modules: kernels.Status("jit", compiles=False))
        await service.start()
        service.ask({"do": "solve", "seconds": 5.0})
        await service.close()
        return asked

    assert asyncio.run(scene()) == [5.0 + COMPILING, 5.0]


def test_all_that_searches_load_is_compiled_at_the_start(monkeypatch: pytest.MonkeyPatch) -> None:
    loaded: list[Any] = []
    monkeypatch.setattr(kernels, "load", loaded.append)
    assert worker.JOBS["warm"]({}, print) == {"event": "end"}
    searching = {SHARED, MODULES, LAYER_MODULES, MOVE_MODULES, PATTERN_MODULES}
    assert set(loaded) == searching | {closing.MODULES, closing.CLOSING}


def test_a_program_that_eats_memory_is_stopped_and_the_server_is_free_again() -> None:
    greedy = "#program base. n(1..3000). q(X,Y) :- n(X), n(Y). r(X,Y,Z) :- q(X,Y), n(Z)."
    patient = Settings(workers=1, memory_mb=350, seconds=250, run_seconds=250)
    with TestClient(create_app(settings=patient), base_url=LOCAL) as client:
        found = last(client, "run", problem=LEVEL, objective="pushes", constraints=greedy)
        assert "memory" in found.get("sentence", "") or found["result"]["status"] == "memory_out", found
        assert last(client, "solve", problem=LEVEL, objective="pushes")["result"]["value"] == 2


def test_the_memory_of_all_workers_together_is_what_the_settings_say() -> None:
    service = Service(settings := Settings())
    pools = (service.solvers, service.quick)
    assert sum(pool.size * pool.memory_mb for pool in pools) == pytest.approx(settings.memory_mb)
