"""``sokoasp`` as a process, as scripts use it, without the start: forked from a server process that has loaded the commands."""

from __future__ import annotations

import json
import multiprocessing
import os
import signal
import subprocess
import sys
import tempfile
from pathlib import Path

from tests.instances import FOLDER

FIRST = str(FOLDER / "tutorial" / "first.xsb")
TUTORIAL = str(FOLDER / "tutorial" / "tutorial.xsb")
UNSOLVABLE = str(FOLDER / "unsolvable" / "unsolvable.xsb")
SECONDS = 120
PRELOAD = [
    *(
        f"sokoasp.cli.{name}"
        for name in ("bench", "check", "deadlock", "render", "solve", "stats", "translate", "units")
    ),
    *(
        f"sokoasp.{name}"
        for name in ("domain.klotski", "domain.sokoban", "engine", "klotski.search", "proof", "render")
    ),
    *(f"sokoasp.sokoban.{name}" for name in ("deadlock", "search.rosters", "tables", "units", "validate")),
]
"""What the commands import when they are used."""
_SERVER = multiprocessing.get_context("forkserver")
_SERVER.set_forkserver_preload(["pytest", "tests.commands", *PRELOAD])


def run(
    *arguments: object, stdin: str | bytes = "", cwd: Path | None = None, **environment: str
) -> subprocess.CompletedProcess[str]:
    """Run the command line in a process of its own, with more in its environment; what it prints holds no traceback."""
    words = [str(word) for word in arguments]
    with tempfile.TemporaryDirectory() as name:
        streams = [Path(name) / stream for stream in ("stdin", "stdout", "stderr")]
        streams[0].write_bytes(stdin.encode() if isinstance(stdin, str) else stdin)
        process = _SERVER.Process(
            target=_be, args=(words, streams, {**os.environ, **environment}, str(cwd or Path.cwd()))
        )
        process.start()
        process.join(SECONDS)
        if process.exitcode is None:
            process.kill()
            raise subprocess.TimeoutExpired(words, SECONDS)
        _, out, err = (stream.read_text(encoding="utf-8") if stream.exists() else "" for stream in streams)
    assert "Traceback" not in err
    return subprocess.CompletedProcess(words, process.exitcode, out, err)


def rows(done: subprocess.CompletedProcess[str]) -> list[dict[str, object]]:
    """Return what a command has printed with ``--json``."""
    return [json.loads(line) for line in done.stdout.splitlines()]


def _be(words: list[str], streams: list[Path], environment: dict[str, str], folder: str) -> None:
    """Be the command; never returns."""
    for number, path in enumerate(streams):
        file = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
        os.dup2(file, number)
        os.close(file)
    sys.stdin, sys.stdout, sys.stderr = open(0), open(1, "w"), open(2, "w", errors="backslashreplace")  # noqa: SIM115
    os.chdir(folder)
    os.environ.clear()
    os.environ.update(environment)
    sys.path[:0] = [path for path in environment.get("PYTHONPATH", "").split(os.pathsep) if path not in sys.path]
    sys.argv = ["sokoasp", *words]
    signal.signal(signal.SIGINT, signal.default_int_handler)
    from sokoasp.__main__ import main

    main()
