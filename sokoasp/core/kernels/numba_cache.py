"""Kernels compiled by numba as they are needed, with a cache of our own that may be damaged, missing or read-only.

Compiled code is kept in a directory per user, per version and per state of the sources, is checked against a manifest, and is
made afresh when anything in it is not as it was written. Larger sets of modules compile in several processes at once.
"""

from __future__ import annotations

import contextlib
import importlib
import importlib.util
import json
import os
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import ModuleType
from typing import Any, ForwardRef

from sokoasp.core import kernels
from sokoasp.core import progress as board
from sokoasp.core.errors import SokoaspError
from sokoasp.core.limits import not_counted

_MANIFEST = "manifest.json"
_TARGET = {"CPU_NAME": "generic", "CPU_FEATURES": "", "LOOP_VECTORIZE": 0}
"""numba's settings while kernels compile: code for any processor of this kind, without vectors. Our loops are short: code for
the host's vectors took up to 1.5 times as long (docs/performance.md), and one cache serves all machines that share a home."""
LIMIT = 900.0
"""Wall seconds that compiling side by side may take: far more than it does, so that no run hangs in it."""
UNCOUNTED = f"; no time limit counts it, and it is given up after {LIMIT:.0f} s"
"""What is said of that where an engine compiles for itself; beside other engines the time limit of all of them counts."""
_RATE = 6500.0
"""Bytes of source that one core compiles in a second, for the estimate."""
_LARGE = 20_000
"""Bytes of source from which several processes pay."""
_kernels: dict[int, Kernel] = {}
"""The kernels declared so far, by the identity of what numba makes of them, in the order of their declaration."""
_directories: dict[str, Path | None] = {}
"""Where the compiled code of each loaded module is."""


class TooLong(SokoaspError):
    """Compiling the kernels took longer than it may."""

    exit_code = 20

    def __init__(self) -> None:
        super().__init__(
            f"the kernels of the native search did not compile within {LIMIT:.0f} s; "
            "`sokoasp warm` compiles them without a limit"
        )


@dataclass(slots=True)
class Kernel:
    """A kernel that is declared: its function as a dispatcher of numba's, and the signature it is to be compiled for."""

    name: str
    """Module and function."""
    dispatcher: Any
    signature: str
    callees: list[Kernel] = field(default_factory=list)

    def compiled(self, directory: Path | None) -> Any:
        """Compile it, or take it from the cache in a directory, after those it calls; return what numba made."""
        if not self.dispatcher.overloads:
            for callee in self.callees:
                callee.compiled(directory)
            module = self.dispatcher.py_func.__module__
            with settings(_directories.get(module, directory)) as cached:
                if cached:
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


def keep_in(module: str, directory: str | None) -> None:
    """Keep the compiled code of a module in this directory (None: nowhere)."""
    _directories[module] = None if directory is None else Path(directory)


def _parsed(signature: str) -> Any:
    """Read a signature as numba does, with the records among the names."""
    from numba import types

    known: dict[str, Any] = {}

    def field(annotation: ForwardRef) -> Any:
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
    import numpy as np
    from numba import from_dtype
    from numba.extending import typeof_impl

    if not hasattr(fields, "kind"):
        fields.kind = from_dtype(np.dtype([(name, np.int64) for name, *_ in fields._fields_], align=True))
        typeof_impl.register(fields)(lambda *_: fields.kind)
    return fields.kind


@contextlib.contextmanager
def settings(directory: Path | None) -> Iterator[bool]:
    """Set numba to compile as we want it, with its cache in this directory, then as it was; yield whether there is one."""
    from numba import config

    chosen = _TARGET if directory is None else {**_TARGET, "CACHE_DIR": str(directory)}
    before = {name: getattr(config, name) for name in chosen}
    vars(config).update(chosen)
    try:
        yield directory is not None
    finally:
        vars(config).update(before)


def holds(modules: Sequence[str]) -> bool:
    """Return whether the cache holds these modules."""
    return _intact(cache_dir(modules))


def cache_dir(modules: Sequence[str]) -> Path:
    """Return the directory for these modules: it changes with version, sources, Python, numba and processor."""
    import hashlib

    digest = hashlib.sha256(_platform().encode())
    for name in modules:
        spec = importlib.util.find_spec(name)
        if spec is not None and spec.origin is not None:
            source = Path(spec.origin)
            # numba compares the time stamp too: with another one it would silently compile again
            digest.update(source.read_bytes() + str(source.stat().st_mtime_ns).encode())
    return kernels.cache_root() / f"{_version()}-{digest.hexdigest()[:12]}"


def load(modules: Sequence[str], progress: kernels.Progress | None = None) -> tuple[ModuleType, ...]:
    """Import modules of kernels as ``kernels.load`` does.

    A damaged cache is dropped and rebuilt; where nothing can be written the kernels are compiled for this process only. Where
    numba is switched off there is nothing to compile or to keep.
    """
    from numba import config

    if config.DISABLE_JIT:
        return _import(modules, None)
    directory = _writable(cache_dir(modules))
    if directory is None:
        return _compile(modules, None, progress)
    if _intact(directory):
        with contextlib.suppress(Exception):
            return _import(modules, directory)
    return _rebuild(modules, directory, progress)


def _platform() -> str:
    """Name all that compiled code depends on besides its source (a home directory may be shared by different machines)."""
    import platform
    from importlib.metadata import version

    return f"{sys.version} {version('numba')} {sys.platform} {platform.machine()} {_TARGET}"


def _version() -> str:
    from importlib.metadata import PackageNotFoundError, version

    try:
        return version("sokoasp")
    except PackageNotFoundError:
        return "0"


def _writable(directory: Path) -> Path | None:
    """Return the directory, or one in the system's temporary place, or None if neither can be written."""
    import tempfile

    for place in (directory, kernels.temporary_root() / directory.name):
        try:
            place.mkdir(parents=True, exist_ok=True, mode=0o700)
            if hasattr(os, "getuid") and place.stat().st_uid != os.getuid():
                continue
            with tempfile.TemporaryFile(dir=place):
                return place
        except OSError:
            if _intact(place):
                return place
    return None


def _import(modules: Sequence[str], directory: Path | None) -> tuple[ModuleType, ...]:
    """Import modules and compile what they declare, or take it from the cache; what fails leaves nothing behind."""
    before, known = set(sys.modules), len(_kernels)
    try:
        found = tuple(importlib.import_module(name) for name in modules)
        for kernel in all_declared():
            kernel.compiled(directory)
    except BaseException:
        for name in set(modules) - before:
            sys.modules.pop(name, None)
        for made in list(_kernels)[known:]:
            del _kernels[made]
        raise
    _directories.update({name: directory for name in modules if name not in _directories})
    return found


def _compile(
    modules: Sequence[str], directory: Path | None, progress: kernels.Progress | None
) -> tuple[ModuleType, ...]:
    began, notify = time.perf_counter(), progress or kernels.report
    new = [name for name in modules if name not in sys.modules]
    size = sum(Path(spec.origin).stat().st_size for spec in map(importlib.util.find_spec, new) if spec and spec.origin)
    workers = min(os.cpu_count() or 1, 4) if size >= _LARGE and directory is not None else 1
    once = "once for this version" if directory is not None else "no cache directory can be written"
    about = size / _RATE / workers + 1
    notify(f"compiling the native search ({once}): about {about:.0f} s{UNCOUNTED} ...")
    with not_counted(), board.at("compiling"):
        if workers > 1 and directory is not None:
            _side_by_side(modules, directory, workers, notify)
        loaded = _import(modules, directory)
    notify(f"compiled the native search in {time.perf_counter() - began:.0f} s")
    return loaded


def _rebuild(modules: Sequence[str], directory: Path, progress: kernels.Progress | None) -> tuple[ModuleType, ...]:
    """Compile into an empty cache; a second process that comes meanwhile waits and takes the result."""
    with not_counted(), board.at("compiling"), _locked(directory):
        if _intact(directory):
            with contextlib.suppress(Exception):
                return _import(modules, directory)
        _drop(directory)
        try:
            loaded = _compile(modules, directory, progress)
        except OSError:
            return _compile(modules, None, progress)
        with contextlib.suppress(OSError):
            _sign(directory)
        return loaded


def _side_by_side(modules: Sequence[str], directory: Path, workers: int, notify: kernels.Progress) -> None:
    """Compile into the cache in several processes; what they leave undone this one does."""
    from sokoasp.core.kernels import compiler

    began = time.perf_counter()
    first = 0.0  # when the processes had imported all there is
    reported: set[str] = set()

    def note(share: float, module: str) -> None:
        nonlocal first
        now = time.perf_counter()
        first = first or now
        if now - began > LIMIT:
            raise TooLong
        if share > 0 and module and module not in reported:
            reported.add(module)
            notify(
                f"compiling {module.rpartition('.')[2]}: {share:.0%} done, about {(now - first) * (1 / share - 1):.0f} s left"
            )

    places = [(name, str(where) if where else None) for name, where in _directories.items()]
    places += [(name, str(directory)) for name in modules if name not in _directories]
    with contextlib.suppress(compiler.Failed, OSError):
        compiler.side_by_side(places, workers, note, {})


@contextlib.contextmanager
def _locked(directory: Path) -> Iterator[None]:
    try:
        import fcntl
    except ImportError:
        yield
        return
    with contextlib.ExitStack() as stack:
        with contextlib.suppress(OSError):
            handle = stack.enter_context((directory / "lock").open("w"))
            fcntl.flock(handle, fcntl.LOCK_EX)
        yield


def _files(directory: Path) -> list[Path]:
    return sorted(p for p in directory.rglob("*") if p.suffix in (".nbi", ".nbc"))


def _drop(directory: Path) -> None:
    import shutil

    for entry in directory.iterdir():
        if entry.name == "lock":
            continue
        if entry.is_dir():
            shutil.rmtree(entry, ignore_errors=True)
        else:
            entry.unlink(missing_ok=True)


def _sums(directory: Path) -> dict[str, str]:
    import hashlib

    return {str(p.relative_to(directory)): hashlib.sha256(p.read_bytes()).hexdigest() for p in _files(directory)}


def _sign(directory: Path) -> None:
    """Write the manifest of a finished cache in one step."""
    import tempfile

    text = json.dumps(_sums(directory))
    handle, name = tempfile.mkstemp(dir=directory)
    with os.fdopen(handle, "w") as file:
        file.write(text)
    Path(name).replace(directory / _MANIFEST)


def _intact(directory: Path) -> bool:
    """Return whether the cache is complete and every byte of it is as it was signed."""
    try:
        signed = json.loads((directory / _MANIFEST).read_text())
        return bool(signed) and signed == _sums(directory)
    except (OSError, ValueError):
        return False
