"""Clients that leave, garbage, too many connections: workers are freed, nothing is logged, signals leave in good order."""

import json
import signal
import socket
import subprocess
import sys
from urllib.parse import urlsplit

import pytest

from tests.levels import ENDLESS

pytest.importorskip("uvicorn", reason="the extra [web] is not installed")

SERVE = """
from sokoasp.web import app, pool, run
from sokoasp.web.questions import Settings
pool.Pool.warm = lambda _pool: None  # workers are started when they are asked for
app.secrets.token_urlsafe = lambda _: "known"
run(port=0, settings=Settings(connections=20, workers=1), on_ready=lambda url: print(url, flush=True))
"""
HEAD = b"POST /api/solve?token=known HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n"
JOB = json.dumps({"problem": ENDLESS, "objective": "slides", "engine": "asp", "seconds": 600}).encode()
LONG = HEAD + b"Content-Length: %d\r\n\r\n" % len(JOB) + JOB
"""A request whose answer is a stream of some minutes."""


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_whoever_leaves_or_talks_garbage_is_not_logged_and_frees_the_worker_and_a_signal_ends_a_stream(
    number: int,
) -> None:
    process = subprocess.Popen([sys.executable, "-c", SERVE], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    try:
        url = urlsplit(process.stdout.readline().strip())
        address = (str(url.hostname), int(url.port or 0))

        def connect(words: bytes) -> socket.socket:
            client = socket.create_connection(address, timeout=60)
            client.sendall(words)
            return client

        def status() -> bytes:
            words = b"GET /files.json?token=known HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n"
            with connect(words) as client:
                return client.recv(100).split(b"\r\n")[0]

        def begin(client: socket.socket) -> None:
            """Read until the one worker is at this job: whoever asked before and left holds it no longer."""
            found = b""
            while b'"step"' not in found:
                more = client.recv(1000)
                assert more, found
                found += more

        for words in (b"\x16\x03\x01 no http \xff\r\n\r\n", HEAD + b"Content-Length: 9\r\n\r\n{", LONG):
            with connect(words) as client:
                if words == LONG:
                    begin(client)
        assert b"200" in status()
        held = [connect(HEAD) for _ in range(20)]
        assert b"503" in status()
        for client in held:
            client.close()
        while b"200" not in status():
            pass
        with connect(LONG) as client:
            begin(client)
            process.send_signal(number)
            _, errors = process.communicate(timeout=60)
        assert (process.returncode, errors.replace("WARNING:  Exceeded concurrency limit.\n", "")) == (0, "")
    finally:
        process.kill()
        process.communicate()
