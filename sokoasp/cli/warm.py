"""``sokoasp warm``: everything compiled beforehand, so that no search waits for it."""

from __future__ import annotations

import importlib
import os
import subprocess
import sys
from pathlib import Path

import click


@click.command("warm", epilog="Example: sokoasp warm")
def command() -> None:
    """Compile the native search beforehand.

    An installed wheel brings it along, and nothing is to be done. In a checkout all kernels are compiled (about a minute on two
    cores) and linked into one library in the cache, $SOKOASP_CACHE_DIR or ~/.cache/sokoasp, where there is a C compiler or
    ziglang; it is used as long as no kernel changes. Without a linker numba's own cache is filled, which is slower to load.
    """
    from sokoasp.core import jit

    if jit.backend() == "aot":
        click.echo(f"nothing to do: {getattr(jit.library(), 'path', '')} fits these sources")
        return
    root, target = Path(__file__).parents[2], jit.library_paths()[-1]
    builder = root / ".ci/kernels/build.py"
    if builder.is_file() and jit.available():
        done = subprocess.run(
            [sys.executable, "-m", "kernels.build", str(target)],
            env={**os.environ, "PYTHONPATH": os.pathsep.join((str(root), str(root / ".ci")))},
            stdout=subprocess.DEVNULL,
            check=False,
        )
        if done.returncode == 0:
            click.echo(f"the library of kernels is {target}")
            return
    importlib.import_module("sokoasp.bench.run.warm")  # asks every native engine once
    click.echo(f"the compiled kernels are in {jit.cache_root()}")
