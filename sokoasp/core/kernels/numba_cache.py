"""Kernels compiled by numba as they are needed, and kept by numba in a directory per version and state of the sources."""

from __future__ import annotations

import contextlib
import importlib.util
import os
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sokoasp.core import kernels
from sokoasp.core import progress as board
from sokoasp.core.guard import undisturbed
from sokoasp.core.limits import not_counted

_DONE = "complete"
"""A file that says that all kernels of a directory are compiled."""
_TARGET = {"CPU_NAME": "generic", "CPU_FEATURES": "", "LOOP_VECTORIZE": 0}
"""numba's settings while kernels compile: code for any processor of this kind, without vectors. Our loops are short: code for
the host's vectors took up to 1.5 times as long (docs/performance.md), and one cache serves all machines that share a home."""
_RATE = 6500.0
"""Bytes of source that are compiled in a second, for the estimate."""
_kernels: dict[int, Kernel] = {}
"""The kernels declared so far, by the identity of what numba makes of them, in the order of their declaration."""


@dataclass(slots=True)
class Kernel:
    """A kernel that is declared: its function as a dispatcher of numba's, and the signature it is to be compiled for."""

    name: str
    """Module and function."""
    dispatcher: Any
    signature: str
    callees: list[Kernel]

    def compiled(self, directory: Path | None) -> Any:
        """Compile it, or take it from the cache in a directory, after those it calls; return what numba made."""
        if not self.dispatcher.overloads:
            for callee in self.callees:
                callee.compiled(directory)
            with settings(directory):
                if directory is not None:
                    self.dispatcher.enable_caching()
                self.dispatcher.compile(_parsed(self.signature))
            self.dispatcher.disable_compile()
        return next(iter(self.dispatcher.overloads.values()))


def declared(function: Callable[..., Any], signature: str) -> Any:
    """Return a function as numba will compile it; as it is where numba is switched off (``$NUMBA_DISABLE_JIT``)."""
    import numba

    with settings(None):
        made = numba.njit(nogil=True, _nrt=False, no_cfunc_wrapper=True)(function)
    if made is not function:
        called = (function.__globals__.get(name) for name in function.__code__.co_names)
        callees = [_kernels[id(one)] for one in called if id(one) in _kernels]
        _kernels[id(made)] = Kernel(f"{function.__module__}.{function.__qualname__}", made, signature, callees)
    return made


def all_declared() -> list[Kernel]:
    """Return the kernels declared so far, each after those it calls."""
    return list(_kernels.values())


def _parsed(signature: str) -> Any:
    """Read a signature as numba does, with the records among the names."""
    from numba import types

    known: dict[str, Any] = {}

    def field(annotation: Any) -> Any:
        name, _, dimensions = annotation.__forward_arg__.partition("x")
        # a record in a record was declared before it
        return known.get(name) or types.Array(getattr(types, name.lower()), int(dimensions or 1), "C")

    for name, fields in kernels.records.items():
        if hasattr(fields, "_fields_"):
            known[name] = _struct(fields)
            continue
        kinds = [field(annotation) for annotation in fields.__annotations__.values()]
        same = len(set(kinds)) == 1
        known[name] = (
            types.NamedUniTuple(kinds[0], len(kinds), fields) if same else types.NamedTuple(tuple(kinds), fields)
        )
    return eval(signature, {}, {**vars(types), **known})  # as numba reads it; ours, never a user's


def _struct(fields: Any) -> Any:
    """Return numba's type of a class of numbers, and let numba know its objects."""
    import numba.extending
    import numpy as np

    if not hasattr(fields, "kind"):
        fields.kind = numba.from_dtype(np.dtype([(name, np.int64) for name, *_ in fields._fields_], align=True))
        numba.extending.typeof_impl.register(fields)(lambda *_: fields.kind)
    return fields.kind


@contextlib.contextmanager
def settings(directory: Path | None) -> Iterator[None]:
    """Set numba to compile as we want it, with its cache in this directory if there is one, then as it was."""
    from numba import config

    chosen = _TARGET if directory is None else {**_TARGET, "CACHE_DIR": str(directory)}
    before = {name: getattr(config, name) for name in chosen}
    vars(config).update(chosen)
    try:
        yield
    finally:
        vars(config).update(before)


def holds(modules: Sequence[str]) -> bool:
    """Return whether the cache holds these modules."""
    return (cache_dir(modules) / _DONE).is_file()


def cache_dir(modules: Sequence[str]) -> Path:
    """Return the directory for these modules: it changes with version, sources, Python, numba and processor."""
    import hashlib
    import platform
    from importlib.metadata import version

    # a home directory may be shared by different machines
    about = f"{sys.version} {version('numba')} {sys.platform} {platform.machine()} {_TARGET}"
    digest = hashlib.sha256(about.encode())
    for name in modules:
        spec = importlib.util.find_spec(name)
        if spec is not None and spec.origin is not None:
            source = Path(spec.origin)
            # numba compares the time stamp too: with another one it would silently compile again
            digest.update(source.read_bytes() + str(source.stat().st_mtime_ns).encode())
    return kernels.cache_root() / f"numba-{digest.hexdigest()[:16]}"


def load(modules: Sequence[str]) -> tuple[Any, ...]:
    """Import modules of kernels as ``kernels.load`` does.

    What a process compiles the next one takes from the cache; a damaged one is made afresh. Where nothing can be written the
    kernels are compiled for this process only; where numba is switched off there is nothing to compile.
    """
    from numba import config

    if config.DISABLE_JIT:
        return tuple(importlib.import_module(name) for name in modules)
    directory = _writable(cache_dir(modules))
    if directory is not None and (directory / _DONE).is_file():
        with contextlib.suppress(Exception), not_counted():  # it takes seconds, once in a process
            return _import(modules, directory)
        # a file that was cut short, by a full disk say: numba fails on it for good, whatever is asked
        for file in (directory / _DONE, *directory.rglob("*.nb[ci]")):
            file.unlink(missing_ok=True)
    new = [name for name in modules if name not in sys.modules]
    size = sum(Path(spec.origin).stat().st_size for spec in map(importlib.util.find_spec, new) if spec and spec.origin)
    once = "once for this version" if directory is not None else "no cache directory can be written"
    began = time.perf_counter()
    board.report(
        f"compiling a part of the native search ({once}): about {size / _RATE + 1:.0f} s of CPU time; no time limit counts it ..."
    )
    with not_counted(), board.at("compiling"):
        found = _import(modules, directory)
    if directory is not None:
        (directory / _DONE).touch()
    board.report(f"compiled it in {time.perf_counter() - began:.0f} s")
    return found


def _import(modules: Sequence[str], directory: Path | None) -> tuple[Any, ...]:
    """Import modules and compile what they declare, or take it from the cache."""
    with undisturbed():  # numba that is imported by half fails for good
        found = tuple(importlib.import_module(name) for name in modules)
        for kernel in all_declared():
            kernel.compiled(directory)
    return found


def _writable(directory: Path) -> Path | None:
    """Return the directory, made if need be; None if it cannot be written or another user, who could change it, owns it."""
    import tempfile

    try:
        directory.mkdir(parents=True, exist_ok=True, mode=0o700)
        if hasattr(os, "getuid") and directory.stat().st_uid != os.getuid():
            return None
        with tempfile.TemporaryFile(dir=directory):
            return directory
    except OSError:
        return None
