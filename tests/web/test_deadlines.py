"""Clients that send half a request or leave: their connections end, nothing is logged, and SIGTERM leaves in good order."""

from __future__ import annotations

import contextlib
import json
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from typing import Any
from urllib.parse import urlsplit

import pytest

from tests.levels import ENDLESS

pytest.importorskip("uvicorn", reason="the extra [web] is not installed")

SERVE = """
from sokoasp.web import app, pool, run, server
from sokoasp.web.settings import Settings
async def nothing(_pool):
    "Workers are started when they are asked for."
pool.Pool.warm = nothing
server.Deadlines.request_seconds = 0.5
server.Deadlines.unread_seconds = 0.5
app.secrets.token_urlsafe = lambda _: "known"
run(port=0, settings=Settings(connections=80), on_ready=lambda url: print(url, flush=True))
"""
HEAD = b"POST /api/why?token=known HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n"


@pytest.fixture
def hasty() -> Iterator[tuple[Any, tuple[str, int]]]:
    """A server that waits half a second for the rest of a request, and its address."""
    process = subprocess.Popen([sys.executable, "-c", SERVE], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert process.stdout is not None
    try:
        url = urlsplit(process.stdout.readline().strip())
        yield process, (str(url.hostname), int(url.port or 0))
    finally:
        process.kill()
        process.communicate()


def connect(address: tuple[str, int]) -> socket.socket:
    return socket.create_connection(address, timeout=60)


def rest(client: socket.socket) -> bytes:
    """Read until the server closes the connection."""
    found = b""
    with contextlib.suppress(ConnectionError):
        while more := client.recv(65536):
            found += more
    return found


def ask(address: tuple[str, int]) -> bytes:
    with connect(address) as client:
        client.sendall(b"GET /files.json?token=known HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n")
        return rest(client)


def test_half_requests_and_too_many_connections_keep_nobody_from_being_answered(hasty: Any) -> None:
    process, address = hasty
    halves = [b"", b"POST /api/w", HEAD, HEAD + b'Content-Length: 500\r\n\r\n{"text": "##']
    clients = [connect(address) for _ in range(60)]
    for number, client in enumerate(clients):
        client.sendall(halves[number % len(halves)])
    assert ask(address).startswith(b"HTTP/1.1 200")
    answers = [rest(client) for client in clients]
    assert all(answer == b"" or answer.startswith(b"HTTP/1.1 408") for answer in answers)
    assert answers[0].startswith(b"HTTP/1.1 408") and answers[2].startswith(b"HTTP/1.1 408")
    with connect(address) as client:
        client.sendall(b"GET /files.json?token=known HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\nGET /fi")
        assert rest(client).startswith(b"HTTP/1.1 200")  # and then it is closed
    body = json.dumps({"problem": {"game": "sokoban", "rows": ["#####", "#@$.#", "#####"]}}).encode()
    with connect(address) as client:  # slow, but whole
        client.sendall(HEAD)
        client.sendall(b"Connection: close\r\nContent-Length: %d\r\n\r\n" % len(body) + body[:5])
        client.sendall(body[5:])
        assert rest(client).startswith(b"HTTP/1.1 200")
    clients = [connect(address) for _ in range(80)]
    for client in clients:
        client.sendall(HEAD)
    assert b"503" in ask(address).split(b"\r\n")[0]
    for client in clients:
        client.close()
    while b"200" not in ask(address).split(b"\r\n")[0]:
        pass
    process.send_signal(signal.SIGTERM)
    out, errors = process.communicate(timeout=60)
    assert (process.returncode, out) == (0, "")
    assert errors.replace("WARNING:  Exceeded concurrency limit.\n", "") == ""


def long_solve() -> bytes:
    """A request whose answer is a stream of some minutes."""
    job = json.dumps({"problem": ENDLESS, "objective": "slides", "engine": "asp", "seconds": 600}).encode()
    return HEAD.replace(b"why", b"solve") + b"Content-Length: %d\r\n\r\n" % len(job) + job


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_garbage_clients_that_leave_and_a_stream_that_the_end_cuts_log_nothing(hasty: Any, number: int) -> None:
    process, address = hasty
    for words in (b"\x16\x03\x01 no http \xff\r\n\r\n", HEAD + b"Content-Length: 9\r\n\r\n{", long_solve()):
        client = connect(address)
        client.sendall(words)
        if words.endswith(b"}"):
            assert client.recv(100)
        client.close()
    assert ask(address).startswith(b"HTTP/1.1 200")
    with connect(address) as client:
        client.sendall(long_solve())
        assert client.recv(100)
        process.send_signal(number)
        _, errors = process.communicate(timeout=60)
    assert (process.returncode, errors) == (0, "")
