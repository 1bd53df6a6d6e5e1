"""Compiling kernels one by one: which of them call which, and a share of them in each of several processes.

Such a process is asked what to import, sends the graph of calls, then compiles the kernels whose numbers it receives and sends
each number back when it is done. What one has compiled the others take from the cache on disk.
"""

from __future__ import annotations

import importlib
import re
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any

from sokoasp.core.child import Parent
from sokoasp.core.child_processes import ChildProcesses, Ended
from sokoasp.core.kernels import numba_cache

Place = tuple[str, str | None]
"""A module and the directory of compiled code it belongs to."""
_DECLARES = re.compile(r"^from sokoasp\.core\.kernels import .*\b(kernel|numbers|record)\b", re.MULTILINE)


def collect(places: Iterable[Place], **options: Any) -> list[numba_cache.Kernel]:
    """Import modules and return their kernels without compiling them.

    Args:
        places: Modules, in an order in which each comes after those it imports.
        options: Passed to numba's compiler.
    """
    for module, directory in places:
        importlib.import_module(module)
        numba_cache.keep_in(module, directory)
    for kernel in (found := numba_cache.all_declared()):
        kernel.dispatcher.targetoptions.update(options)
    return found


def kernel_modules() -> list[str]:
    """Return all modules of the package with kernels or records, found by what they import."""
    root = Path(__file__).parents[2]
    return [
        ".".join(("sokoasp", *path.relative_to(root).with_suffix("").parts))
        for path in sorted(root.rglob("*.py"))
        if _DECLARES.search(path.read_text(encoding="utf-8"))
    ]


def sources(modules: Iterable[str]) -> list[str]:
    """Return these modules and all others of the package whose constants may be compiled into them."""
    import ast

    from sokoasp.core.kernels.shared_library import path_of

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


class Failed(Exception):
    """A process that compiled has ended before its time."""


def side_by_side(
    places: Sequence[Place], workers: int, progress: Callable[[float, str], None], options: dict[str, Any]
) -> None:
    """Compile the kernels of these modules into their directories, in several processes.

    Args:
        places: The modules, with the directories of compiled code.
        workers: Processes.
        progress: Called with the share that is done (by the length of the kernels, 0 to 1) and the module that is next.
        options: Passed to numba's compiler.

    Raises:
        Failed: A process has ended before its time.
    """
    with ChildProcesses() as processes:
        for number in range(workers):
            processes.start(str(number), _work, (places, options))
        _share_out(processes, progress)


def _share_out(processes: ChildProcesses, progress: Callable[[float, str], None]) -> None:
    """Give a kernel whose callees are done to each process that has nothing to do, first the one with most behind it."""
    names: list[str] = []
    callees: list[list[int]] = []
    sizes: list[int] = []
    behind: list[int] = []
    done: set[int] = set()
    begun: set[int] = set()
    idle: list[str] = []
    while not names or len(done) < len(names):
        process, message = processes.receive() or ("", Ended(0))
        if isinstance(message, Ended):
            raise Failed
        if isinstance(message, int):
            done.add(message)
        else:
            names, callees, sizes = message
            behind = _behind(callees, sizes)
        idle.append(process)
        progress(sum(sizes[k] for k in done) / (sum(sizes) or 1), "")
        ready = [k for k in range(len(names)) if k not in begun and done.issuperset(callees[k])]
        for kernel in sorted(ready, key=lambda k: -behind[k])[: len(idle)]:
            begun.add(kernel)
            progress(sum(sizes[k] for k in done) / sum(sizes), names[kernel].rpartition(".")[0])
            processes.send(idle.pop(), kernel)


def _behind(callees: Sequence[Sequence[int]], sizes: Sequence[int]) -> list[int]:
    """Return for each kernel its size and that of the longest chain of callers that wait for it."""
    behind = list(sizes)
    for _ in sizes:
        before = list(behind)
        for caller, called in enumerate(callees):
            for callee in called:
                behind[callee] = max(behind[callee], sizes[callee] + behind[caller])
        if before == behind:
            break
    return behind


def _work(question: tuple[Sequence[Place], dict[str, Any]], parent: Parent) -> None:
    parent.follow()
    places, options = question
    kernels = collect(places, **options)
    number = {id(kernel): place for place, kernel in enumerate(kernels)}
    graph = (
        [kernel.name for kernel in kernels],
        [[number[id(callee)] for callee in kernel.callees] for kernel in kernels],
        [len(kernel.dispatcher.py_func.__code__.co_code) for kernel in kernels],
    )
    parent.send(graph)
    while True:
        wanted = parent.receive()
        kernels[wanted].compiled(None)
        parent.send(wanted)
