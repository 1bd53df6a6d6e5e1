"""Which modules have kernels, and compiling them all, in several processes.

A process compiles a kernel when those it calls are done, and what one process has compiled the others take from numba's cache.
"""

from __future__ import annotations

import ast
import importlib
import multiprocessing
import re
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from pathlib import Path
from typing import Any

from numba.core import types
from numba.np import arrayobj

import sokoasp
from sokoasp.core.kernels import numba_cache
from sokoasp.core.kernels.shared_library import path_of

_DECLARES = re.compile(r"^from sokoasp\.core\.kernels import .*\b(kernel|numbers|record)\b", re.MULTILINE)


def kernel_modules() -> list[str]:
    """Return all modules of the package with kernels or records, found by what they import."""
    root = Path(sokoasp.__file__).parent
    return [
        ".".join(("sokoasp", *path.relative_to(root).with_suffix("").parts))
        for path in sorted(root.rglob("*.py"))
        if _DECLARES.search(path.read_text(encoding="utf-8"))
    ]


def sources(modules: Iterable[str]) -> list[str]:
    """Return these modules and all others of the package whose constants may be compiled into them."""
    found, ahead = set(), list(modules)
    while ahead:
        module = ahead.pop()
        if module in found or module.startswith("sokoasp.core") or not path_of(module).is_file():
            continue
        found.add(module)
        for node in ast.walk(ast.parse(path_of(module).read_text(encoding="utf-8"))):
            if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("sokoasp"):
                ahead += [str(node.module), *(f"{node.module}.{name.name}" for name in node.names)]
    return sorted(found)


_AS_NUMBA = arrayobj.fix_integer_index
_CHECKS = "sokoasp.proof."
"""Kernels that read certificates of strangers: they keep numba's rule for indices below 0."""


def without_wraparound(name: str = "") -> None:
    """Let numba take an index as it is: to ask whether it is negative took a fifth of A*'s time.

    No kernel of the search counts from the end of an array (``python -m tests.array_bounds`` finds one that does). A kernel of
    this name that checks certificates asks all the same.
    """

    def as_it_is(context: Any, builder: Any, kind: Any, index: Any, size: Any) -> Any:
        return context.cast(builder, index, kind, types.intp if kind.signed else types.uintp)

    arrayobj.fix_integer_index = _AS_NUMBA if name.startswith(_CHECKS) else as_it_is


def collect(modules: Iterable[str], options: dict[str, Any]) -> list[numba_cache.Kernel]:
    """Import modules and return their kernels without compiling them; ``options`` are for numba's compiler."""
    without_wraparound()
    for module in modules:
        importlib.import_module(module)
    found = numba_cache.all_declared()
    for kernel in found:
        kernel.dispatcher.targetoptions.update(options)
    return found


def side_by_side(
    modules: Sequence[str],
    folder: Path,
    workers: int,
    notify: Callable[[str], None],
    options: dict[str, Any],
) -> None:
    """Compile the kernels of these modules into a folder, in several processes."""
    kernels = collect(modules, options)
    number = {id(kernel): place for place, kernel in enumerate(kernels)}
    left = {place: {number[id(callee)] for callee in kernel.callees} for place, kernel in enumerate(kernels)}
    done: set[int] = set()
    at_work: dict[Future[None], int] = {}
    fresh = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(workers, fresh, initializer=collect, initargs=(modules, options)) as pool:
        while left or at_work:
            for place in [place for place, callees in left.items() if callees <= done]:
                del left[place]
                at_work[pool.submit(_compile, place, folder)] = place
            finished, _ = wait(at_work, return_when=FIRST_COMPLETED)
            for one in finished:
                one.result()
                done.add(at_work.pop(one))
            if len(done) % 20 == 0:
                notify(f"{len(done)} of {len(kernels)} kernels compiled")


def _compile(place: int, folder: Path) -> None:
    kernel = numba_cache.all_declared()[place]
    without_wraparound(kernel.name)
    kernel.compiled(folder)
