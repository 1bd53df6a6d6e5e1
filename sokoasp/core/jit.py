"""Compiled kernels: the only door to numba, with a cache of our own that may be damaged, missing or read-only.

Modules with kernels decorate them with :func:`kernel` and an explicit signature, so that importing such a module compiles it.
They are therefore imported only through :func:`load`, which keeps the compiled code in a directory per user, per version and
per state of the sources, checks it against a manifest, and starts afresh when anything in it is not as it was written.
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
from pathlib import Path
from types import ModuleType
from typing import Any, ForwardRef, TypeVar, cast

from sokoasp.core import progress as board
from sokoasp.core.errors import MissingExtra
from sokoasp.core.limits import not_counted

F = TypeVar("F", bound=Callable[..., Any])
T = TypeVar("T", bound=tuple[Any, ...])
Progress = Callable[[str], None]

_MANIFEST = "manifest.json"
_cached: bool = True
_seconds: dict[str, float] = {}
_records: dict[str, type[Any]] = {}


def available() -> bool:
    """Return whether numba is installed, without importing it."""
    return importlib.util.find_spec("numba") is not None


def record(fields: type[T]) -> type[T]:
    """Let signatures of kernels name this class of named tuples.

    Its fields are annotated with the names of C-ordered arrays: ``I4`` is a row of 32-bit integers, ``U8x2`` a table of unsigned
    64-bit ones.
    """
    _records[fields.__name__] = fields
    return fields


def kernel(signature: str, *, allocates: bool = False) -> Callable[[F], F]:
    """Compile a function for this signature as it is defined (or take it from the cache).

    Kernels allocate nothing: numba's reference counts are off (what allocates does not compile), which makes records of arrays
    free to pass; with them a search took 1.3 to 2.1 times as long and compiling a quarter more.

    Args:
        signature: In numba's notation; arguments may be records by the names of their classes.
        allocates: The kernel makes its own scratch arrays (the checkers of certificates do, once a call): counts stay on.

    Raises:
        MissingExtra: numba is not installed.
    """
    if not available():
        raise MissingExtra("the native search", "native")
    import numba

    def compiled(function: F) -> F:
        return cast(F, numba.njit(_parsed(signature), cache=_cached, nogil=True, _nrt=allocates)(function))

    return compiled


def _parsed(signature: str) -> Any:
    """Read a signature as numba does, with the records among the names."""
    from numba import types

    def array(annotation: ForwardRef) -> Any:
        name, _, dimensions = annotation.__forward_arg__.partition("x")
        return types.Array(getattr(types, name.lower()), int(dimensions or 1), "C")

    known = {}
    for name, fields in _records.items():
        kinds = [array(annotation) for annotation in fields.__annotations__.values()]
        same = len(set(kinds)) == 1
        known[name] = (
            types.NamedUniTuple(kinds[0], len(kinds), fields) if same else types.NamedTuple(tuple(kinds), fields)
        )
    return eval(signature, {}, {**vars(types), **known})  # as numba reads it; ours, never a user's


def cache_root() -> Path:
    """Return where compiled code is kept: $SOKOASP_CACHE_DIR, $XDG_CACHE_HOME/sokoasp or ~/.cache/sokoasp."""
    chosen = os.environ.get("SOKOASP_CACHE_DIR")
    if chosen:
        return Path(chosen)
    base = os.environ.get("XDG_CACHE_HOME")
    return (Path(base) if base else Path("~/.cache").expanduser()) / "sokoasp"


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
    return cache_root() / f"{_version()}-{digest.hexdigest()[:12]}"


def load(modules: Sequence[str], progress: Progress | None = None) -> tuple[ModuleType, ...]:
    """Import modules of kernels in this order, compiling them if need be.

    A damaged cache is dropped and rebuilt; where nothing can be written the kernels are compiled for this process only.

    Args:
        modules: Full module names; a module that uses kernels of another comes after it.
        progress: Called with one sentence when a compilation starts and ends.

    Raises:
        MissingExtra: numba is not installed.
    """
    if not available():
        raise MissingExtra("the native search", "native")
    if all(name in sys.modules for name in modules):
        return tuple(sys.modules[name] for name in modules)
    began = time.perf_counter()
    directory = _writable(cache_dir(modules))
    if directory is None:
        loaded = _compile(modules, None, progress)
    elif _intact(directory):
        try:
            loaded = _import(modules, directory)
        except Exception:
            loaded = _rebuild(modules, directory, progress)
    else:
        loaded = _rebuild(modules, directory, progress)
    _seconds["load"] = time.perf_counter() - began
    return loaded


def named(modules: Sequence[str], progress: Progress | None = None) -> dict[str, ModuleType]:
    """Load modules as :func:`load` does; return them by the last part of their names."""
    return {name.rpartition(".")[2]: module for name, module in zip(modules, load(modules, progress), strict=True)}


def ready(modules: Sequence[str]) -> bool:
    """Return whether these modules could be loaded now without compiling: loaded already, or intact in the cache."""
    return all(name in sys.modules for name in modules) or _intact(cache_dir(modules))


def load_seconds() -> float:
    """Return the wall seconds the kernels took to load or compile in this process."""
    return _seconds.get("load", 0.0)


def _platform() -> str:
    """Name all that compiled code depends on besides its source (a home directory may be shared by different machines)."""
    from importlib.metadata import version

    binding = importlib.import_module("llvmlite.binding")
    return f"{sys.version} {version('numba')} {binding.get_host_cpu_name()} {sorted(binding.get_host_cpu_features().items())}"


def _version() -> str:
    from importlib.metadata import PackageNotFoundError, version

    try:
        return version("sokoasp")
    except PackageNotFoundError:
        return "0"


def _writable(directory: Path) -> Path | None:
    """Return the directory, or one in the system's temporary place, or None if neither can be written."""
    import tempfile

    user = str(os.getuid()) if hasattr(os, "getuid") else os.environ.get("USERNAME", "user")
    spare = Path(tempfile.gettempdir()) / f"sokoasp-{user}" / directory.name
    for place in (directory, spare):
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
    global _cached
    from numba import config

    before, _cached, loaded = config.CACHE_DIR, directory is not None, set(sys.modules)
    if directory is not None:
        config.CACHE_DIR = str(directory)
    try:
        return tuple(importlib.import_module(name) for name in modules)
    except BaseException:
        for name in set(modules) - loaded:
            sys.modules.pop(name, None)
        raise
    finally:
        config.CACHE_DIR, _cached = before, True


def _compile(modules: Sequence[str], directory: Path | None, progress: Progress | None) -> tuple[ModuleType, ...]:
    began = time.perf_counter()
    if progress is not None:
        once = "once for this version" if directory is not None else "no cache directory can be written"
        progress(f"compiling the native search ({once}) ...")
    with not_counted(), board.at("compiling"):
        loaded = _import(modules, directory)
    if progress is not None:
        progress(f"compiled the native search in {time.perf_counter() - began:.0f} s")
    return loaded


def _rebuild(modules: Sequence[str], directory: Path, progress: Progress | None) -> tuple[ModuleType, ...]:
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
