"""The page served and as a static site: the tests of the page run on either; and its modules in Node."""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("starlette", reason="the extra [web] is not installed")
pytest.importorskip("uvicorn", reason="the extra [web] is not installed")

from sokoasp.web import clingo_wasm, site

SERVE = """
from sokoasp.web import run
from sokoasp.web.questions import Settings
patient = Settings(why_seconds=60, certify_seconds=300)
run(port=0, settings=patient, on_ready=lambda url: print(url, flush=True))
"""
"""Everything may take its time: what the tests are about is the answer."""
CLINGO = os.environ.get("SOKOASP_CLINGO_WASM", "")
"""Where the npm package clingo-wasm is; without it the tests that need clingo in the browser are skipped."""


STATIC = Path(__file__).parents[2] / "sokoasp" / "web" / "static"
Run = Callable[..., Any]


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if "driver" in getattr(item, "fixturenames", ()):
            item.add_marker("browser")


@pytest.fixture(scope="session")
def run(tmp_path_factory: pytest.TempPathFactory) -> Run:
    """Return a function that runs a module's body on ``data`` and gives back what it puts into ``answer``.

    With ``plant=(module, text, wrong)`` it runs on modules of which one has this fault.
    """
    if shutil.which("node") is None:
        pytest.skip("no node on this machine")
    folder = tmp_path_factory.mktemp("static")
    (folder / "package.json").write_text('{"type": "module"}')
    for path in STATIC.glob("*.js"):
        shutil.copy(path, folder / path.name)

    def run(body: str, data: Any = None, plant: tuple[str, str, str] | None = None) -> Any:
        name, text, wrong = plant or ("referee.js", "", "")
        before = (folder / name).read_text(encoding="utf-8")
        assert text in before, f"{name} has it no more: {text}"
        script = f"""
            import {{readFileSync}} from "node:fs";
            const data = JSON.parse(readFileSync(0, "utf8"));
            let answer = null;
            {body}
            process.stdout.write(JSON.stringify(answer));"""
        node = ["node", "--input-type=module", "-e", script]
        (folder / name).write_text(before.replace(text, wrong) if text else before, encoding="utf-8")
        try:
            done = subprocess.run(node, cwd=folder, input=json.dumps(data), capture_output=True, text=True, timeout=120)
        finally:
            (folder / name).write_text(before, encoding="utf-8")
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout)

    return run


def needs_clingo(server: str) -> None:
    """Skip a test on the site where clingo for the browser is not at hand."""
    if "school" in server and not CLINGO:
        pytest.skip("no clingo for the browser at hand (SOKOASP_CLINGO_WASM)")


@contextmanager
def serving(script: str = SERVE) -> Iterator[subprocess.Popen[str]]:
    """Run a server; the first line it writes is its address."""
    process = subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE, text=True)
    try:
        yield process
    finally:
        process.terminate()
        try:
            process.wait(20)
        finally:
            process.kill()


@contextmanager
def hosted(folder: Path) -> Iterator[str]:
    """Make the site, in a folder below the host's root, and serve it by Python's own file server; give its address."""
    from tests.web.hands import hosting

    site.make(clingo=clingo_wasm.files(Path(CLINGO)) if CLINGO else None).write(folder / "school" / "sokoban")
    with hosting(folder) as address:
        yield f"{address}school/sokoban/"


@pytest.fixture(scope="session")
def addresses(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """Yield a function that starts what serves the page in a way, once, and gives its address."""
    with ExitStack() as stack:
        known: dict[str, str] = {}

        def address(way: str) -> str:
            if way not in known and way == "static":
                known[way] = stack.enter_context(hosted(tmp_path_factory.mktemp("host")))
            elif way not in known:
                out = stack.enter_context(serving()).stdout
                known[way] = out.readline().strip()
                assert known[way].startswith("http://127.0.0.1:"), "the server says where it is"
            return known[way]

        yield address


@pytest.fixture(params=["served", pytest.param("static", marks=pytest.mark.slow)])
def server(request: pytest.FixtureRequest, addresses: Any) -> str:
    """The address of the page, served and as a static site; what asks nobody runs on the site only with the slow tests."""
    return str(addresses(request.param))


@pytest.fixture(scope="session")
def driver(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """A headless Chromium for all browser tests."""
    from tests.web import hands

    driver = hands.browser(str(tmp_path_factory.mktemp("profile")))
    yield driver
    driver.quit()


@pytest.fixture
def page(driver: Any, server: str, request: pytest.FixtureRequest) -> Iterator[Any]:
    """The page on a desktop or as the test asks; at the end nothing may have been logged or stick out sideways."""
    from tests.web import hands

    name = getattr(request, "param", "desktop")
    hands.size(driver, name)
    driver.get_log("browser")
    settings = request.node.get_closest_marker("settings")
    yield hands.Page(driver, server, **(settings.kwargs if settings else {}))
    assert driver.execute_script("return document.documentElement.scrollWidth") <= hands.SIZES[name][0]
    assert [entry for entry in driver.get_log("browser") if entry["level"] == "SEVERE"] == []
