"""``sokoasp warm``: everything compiled beforehand, so that no search waits for it."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path

import click


@click.command("warm", epilog="Example: sokoasp warm --check")
@click.option("--check", is_flag=True, help="Only print where the kernels come from: a library, numba or nowhere.")
def command(check: bool) -> None:
    """Compile the native search beforehand.

    It takes one to two minutes on two cores. In a clone (pip install -e) with a C compiler or ziglang it makes one library in
    $SOKOASP_CACHE_DIR or ~/.cache/sokoasp, which holds until a kernel changes. Otherwise it fills numba's own cache there,
    which is slower to load. A wheel that has the library is compiled already.
    """
    from sokoasp.core import kernels
    from sokoasp.core.errors import MissingExtra

    source, library = kernels.status().source, kernels.library()
    if check or source == "aot":
        place = {
            "aot": f"from the library {library and library.path}",
            "jit": f"by numba, kept in {kernels.cache_root()}",
        }
        click.echo(f"kernels: {place.get(source, 'none, neither a library that fits nor numba')}")
        return
    if source == "none":
        raise MissingExtra("compiling", "jit")
    kernels.cache_root().mkdir(parents=True, exist_ok=True, mode=0o700)
    with tempfile.TemporaryFile(dir=kernels.cache_root()):
        pass  # what cannot be kept is said before a minute of compiling, not after
    root, target = Path(__file__).parents[2], kernels.library_paths()[-1]
    if (root / ".ci/kernels/build.py").is_file():
        command = [sys.executable, "-m", "kernels.build", str(target)]
        paths = {**os.environ, "SOKOASP_BACKEND": "jit", "PYTHONPATH": os.pathsep.join((str(root), str(root / ".ci")))}
        if subprocess.run(command, env=paths, stdout=subprocess.DEVNULL, check=False).returncode == 0:
            click.echo(f"kernels: from the library {target}")
            return
    by_numba()
    click.echo(f"kernels: by numba, kept in {kernels.cache_root()}")


def by_numba() -> None:
    """Load all kernels, those of certificates and their check too, as each command does: numba keeps what it compiles."""
    from sokoasp.bench.run import warm
    from sokoasp.engine.closing import compile_all

    warm.native()
    compile_all()
