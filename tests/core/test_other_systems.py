"""What only Unix has is missing: the searches run all the same, and a campaign says that it cannot."""

from pathlib import Path

import pytest

from tests import native
from tests.commands import python

LACKS = """
import os, signal, sys
for name in ("resource", "fcntl"):
    sys.modules[name] = None
for name in ("fork", "killpg", "getuid", "wait4", "sysconf", "nice", "sched_getaffinity"):
    if hasattr(os, name):
        delattr(os, name)
for name in ("SIGXCPU", "SIGUSR2", "pthread_sigmask", "pthread_kill", "setitimer"):
    if hasattr(signal, name):
        delattr(signal, name)
from sokoasp.cli import main
main(sys.argv[1:])
"""


@pytest.mark.parametrize("engine", ["asp", "native", "any"])
def test_a_search_needs_nothing_that_only_unix_has(root: Path, engine: str) -> None:
    if engine != "asp":
        native.needed()
    file = root / "instances/tutorial/tutorial.xsb"
    done = python(LACKS, "solve", file, "--level", "9", "--engine", engine, "--no-cross-check", "--output", "lurd")
    assert done.returncode in (0, 10) and done.stdout.strip(), done.stderr


def test_a_campaign_says_that_it_needs_unix(tmp_path: Path) -> None:
    done = python(LACKS, "bench", "run", "smoke", "-o", tmp_path / "out")
    assert done.returncode == 1 and "campaigns run on Linux and macOS only" in done.stderr
