"""A real server in a process of its own, for every test that talks to one."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

pytest.importorskip("starlette", reason="the extra [web] is not installed")
pytest.importorskip("uvicorn", reason="the extra [web] is not installed")

SERVE = """
from sokoasp.web import run
from sokoasp.web.settings import Settings
patient = Settings(deadlock_seconds=60, truth_seconds=600, generate_seconds=200, certify_seconds=300)
run(port=0, settings=patient, on_ready=lambda url: print(url, flush=True))
"""
"""Everything may take its time: what the tests are about is the answer."""


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


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Make the tests slow ones that the site has from the server's page at another size than a desktop's."""
    for item in items:
        size = (
            item.callspec.params.get("page", "desktop")
            if isinstance(item, pytest.Function) and hasattr(item, "callspec")
            else ""
        )
        if item.path.name == "test_site.py" and size in ("phone", "tablet"):
            item.add_marker(pytest.mark.slow)


@pytest.fixture(scope="session")
def server() -> Iterator[str]:
    """Yield the address of a running server."""
    with serving() as process:
        assert process.stdout is not None
        url = process.stdout.readline().strip()
        assert url.startswith("http://127.0.0.1:"), "the server says where it is"
        yield url.rstrip("/")


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
