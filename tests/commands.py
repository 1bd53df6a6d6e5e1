"""``sokoasp`` as scripts use it: in this process, or in one of its own forked from a server that has loaded the commands."""

import contextlib
import json
import multiprocessing
import os
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from sokoasp import cli
from sokoasp.core import progress
from tests.instances import FOLDER

FIRST = str(FOLDER / "tutorial" / "first.xsb")
TUTORIAL = str(FOLDER / "tutorial" / "tutorial.xsb")
UNSOLVABLE = str(FOLDER / "unsolvable" / "unsolvable.xsb")
SECONDS = 120
LIMITS = {"--time-limit", "--memory-limit"}
"""What they end may leave a thread behind, and memory is counted by process."""
_CLI, _SOKOBAN = (
    "bench check deadlock render solve stats translate units",
    "deadlock search.rosters tables units validate",
)
_OTHERS = "domain.klotski domain.sokoban engine klotski.search proof render"
PRELOAD = [
    *(f"sokoasp.cli.{name}" for name in _CLI.split()),
    *(f"sokoasp.{name}" for name in _OTHERS.split()),
    *(f"sokoasp.sokoban.{name}" for name in _SOKOBAN.split()),
]
"""What the commands import when they are used."""
_SERVER = multiprocessing.get_context("forkserver")
_SERVER.set_forkserver_preload(["pytest", "tests.commands", *PRELOAD])


def run(
    *arguments: object, stdin: str | bytes = "", cwd: Path | None = None, alone: bool = False, **environment: str
) -> subprocess.CompletedProcess[str]:
    """Run the command line; what it prints holds no traceback.

    ``alone``: in a process of its own, as always with a limit and with more in its ``environment``.
    """
    words = [str(word) for word in arguments]
    with tempfile.TemporaryDirectory() as name:
        streams = [Path(name) / stream for stream in ("stdin", "stdout", "stderr")]
        streams[0].write_bytes(stdin.encode() if isinstance(stdin, str) else stdin)
        if alone or environment or LIMITS & {word.partition("=")[0] for word in words}:
            code = _process(words, streams, {**os.environ, **environment}, str(cwd or Path.cwd()))
        else:
            with _here(streams, cwd or Path.cwd()):
                code = cli.run(words)
        _, out, err = (stream.read_text(encoding="utf-8") if stream.exists() else "" for stream in streams)
    assert "Traceback" not in err
    return subprocess.CompletedProcess(words, code, out, err)


@contextlib.contextmanager
def _here(streams: list[Path], folder: Path) -> Iterator[None]:
    """Let files be this process's streams, and a folder the current one."""
    handlers = {number: signal.getsignal(number) for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGXCPU)}
    told, before = list(progress.reporters), (sys.stdin, sys.stdout, sys.stderr)
    kept = [os.dup(number) for number in range(3)]
    with contextlib.chdir(folder):
        _take(streams)
        try:
            yield
        finally:
            for stream in (sys.stdout, sys.stderr):
                stream.flush()
            sys.stdin, sys.stdout, sys.stderr = before
            for number, file in enumerate(kept):
                os.dup2(file, number)
                os.close(file)
            progress.reporters[:] = told
            for number, handler in handlers.items():
                signal.signal(number, handler)


def _take(streams: list[Path]) -> None:
    for number, path in enumerate(streams):
        file = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
        os.dup2(file, number)
        os.close(file)
    sys.stdin, sys.stdout = open(0, closefd=False), open(1, "w", closefd=False)  # noqa: SIM115
    sys.stderr = open(2, "w", errors="backslashreplace", closefd=False)  # noqa: SIM115


def _process(words: list[str], streams: list[Path], environment: dict[str, str], folder: str) -> int | None:
    process = _SERVER.Process(target=_be, args=(words, streams, environment, folder))
    process.start()
    process.join(SECONDS)
    if process.exitcode is None:
        process.kill()
        raise subprocess.TimeoutExpired(words, SECONDS)
    return process.exitcode


def python(
    code: str, *words: object, cwd: Path | None = None, check: bool = False, **more: str
) -> subprocess.CompletedProcess[str]:
    """Run code in a process of its own, with more in its environment."""
    command, env = [sys.executable, "-c", code, *map(str, words)], {**os.environ, **more}
    return subprocess.run(command, cwd=cwd, capture_output=True, text=True, check=check, timeout=200, env=env)


def rows(done: subprocess.CompletedProcess[str]) -> list[dict[str, object]]:
    """Return what a command has printed with ``--json``."""
    return [json.loads(line) for line in done.stdout.splitlines()]


def _be(words: list[str], streams: list[Path], environment: dict[str, str], folder: str) -> None:
    """Be the command; never returns."""
    _take(streams)
    os.chdir(folder)
    os.environ.clear()
    os.environ.update(environment)
    sys.path[:0] = [path for path in environment.get("PYTHONPATH", "").split(os.pathsep) if path not in sys.path]
    sys.argv = ["sokoasp", *words]
    signal.signal(signal.SIGINT, signal.default_int_handler)
    from sokoasp.__main__ import main

    main()
