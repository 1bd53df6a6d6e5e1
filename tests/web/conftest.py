"""A real server in a process of its own, for every test that talks to one."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator

import pytest

pytest.importorskip("starlette", reason="the extra [web] is not installed")
pytest.importorskip("uvicorn", reason="the extra [web] is not installed")

SERVE = """
from sokoasp.web import run
run(port=0, on_ready=lambda url: print(url, flush=True))
"""


@pytest.fixture(scope="session")
def server() -> Iterator[str]:
    """Yield the address of a running server."""
    process = subprocess.Popen([sys.executable, "-c", SERVE], stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    try:
        url = process.stdout.readline().strip()
        assert url.startswith("http://127.0.0.1:"), "the server says where it is"
        yield url.rstrip("/")
    finally:
        process.terminate()
        try:
            process.wait(20)
        finally:
            process.kill()
