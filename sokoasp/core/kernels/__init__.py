"""Compiled kernels: the door to numba, which compiles them, and to a library of kernels that were compiled beforehand.

Modules declare kernels by :func:`kernel` with an explicit signature. :func:`load` imports such modules: the kernels come from the
library (``shared_library``), or numba compiles them (``numba_cache``).
"""

from __future__ import annotations

import importlib.util
import os
import time
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar, cast, dataclass_transform

from sokoasp.core import progress
from sokoasp.core.errors import MissingExtra, SokoaspError

if TYPE_CHECKING:
    from sokoasp.core.kernels.shared_library import Library

F = TypeVar("F", bound=Callable[..., Any])
T = TypeVar("T", bound=tuple[Any, ...])
N = TypeVar("N")

SOURCES = ("aot", "jit", "none")
"""Where kernels may come from, as ``$SOKOASP_BACKEND`` names it; without the variable the first that is there is used."""
records: dict[str, type[Any]] = {}
"""The records of arrays, and the classes of numbers, that signatures may name."""
_loaded: dict[str, ModuleType] = {}
_seconds: dict[str, float] = {}


class Backend(SokoaspError, ValueError):
    """``$SOKOASP_BACKEND`` is none of those there are."""

    exit_code = 2


class Status(NamedTuple):
    """Whether there are compiled kernels."""

    source: str
    """``aot`` (a library that fits these sources), ``jit`` (numba) or ``none``."""
    compiles: bool
    """Whether numba has yet to compile the modules that were asked about, which takes minutes."""

    @property
    def there(self) -> bool:
        """Whether kernels can be loaded, after compiling them if need be."""
        return self.source != "none"


def status(modules: Sequence[str] = ()) -> Status:
    """Return where kernels come from, and whether these modules must be compiled first.

    Raises Backend: ``$SOKOASP_BACKEND`` is none of those there are.
    """
    source = _source()
    if source != "jit" or all(name in _loaded for name in modules):
        return Status(source, False)
    from sokoasp.core.kernels import numba_cache

    return Status(source, not numba_cache.holds(modules))


@cache
def _source() -> str:
    chosen = os.environ.get("SOKOASP_BACKEND", "")
    if chosen and chosen not in SOURCES:
        raise Backend(f"SOKOASP_BACKEND is {chosen!r}; it may be {', '.join(SOURCES)}, or unset")
    if chosen in ("", "aot") and library() is not None:
        return "aot"
    return "jit" if chosen in ("", "jit") and importlib.util.find_spec("numba") is not None else "none"


def require(what: str) -> None:
    """Look whether there are compiled kernels for ``what``. Raises MissingExtra: neither they nor a compiler."""
    if not status().there:
        raise MissingExtra(what, "jit")


@cache
def library() -> Library | None:
    """Return the library of kernels: that of the installed package, or one that ``sokoasp warm`` has built; None if none fits.

    One that was made of other sources, or that another user may have changed, is left alone, and a sentence says so.
    """
    for path in library_paths():
        if path.is_file():
            from sokoasp.core.kernels.shared_library import Library, Stale

            try:
                return Library(path)
            except Stale as stale:
                progress.report(
                    f"{stale}; kernels are compiled when needed, if numba is there (sokoasp warm does it beforehand)"
                )
    return None


def library_paths() -> tuple[Path, ...]:
    """Return where a library may be: in the package, and in the cache of the user."""
    return Path(__file__).with_name("kernels.so"), cache_root() / "kernels.so"


def record(fields: type[T]) -> type[T]:
    """Let signatures of kernels name this class of named tuples.

    Its fields are annotated with the names of C-ordered arrays: ``I4`` is a row of 32-bit integers, ``U8x2`` a table of unsigned
    64-bit ones. Or with the name of a record that was declared before.
    """
    records[fields.__name__] = fields
    return fields


@dataclass_transform(kw_only_default=True)
def numbers(fields: type[N]) -> type[N]:
    """Let signatures of kernels name this class of 64-bit numbers, which they read and write by its fields' names.

    The fields are annotated as ``int``; all are 0 at first. Kernels get the address of the numbers.
    """
    import ctypes

    made = type(
        fields.__name__,
        (ctypes.Structure,),
        {
            "__doc__": fields.__doc__,
            "__module__": fields.__module__,
            "_fields_": [(name, ctypes.c_int64) for name in fields.__annotations__],
            "data": property(lambda held: held),  # where numba looks for the bytes
        },
    )
    records[fields.__name__] = made
    return cast("type[N]", made)


def kernel(signature: str) -> Callable[[F], F]:
    """Declare a kernel: a function that numba compiles for this signature, or that the library has.

    Kernels allocate nothing: numba's reference counts are off (what allocates does not compile), which makes records of arrays
    free to pass; with them a search took 1.3 to 2.1 times as long and compiling a quarter more.

    Args:
        signature: In numba's notation; arguments may be records by the names of their classes.

    Raises MissingExtra: there is neither a library nor numba.
    """
    require("the native search")

    def declared(function: F) -> F:
        found = library() if status().source == "aot" else None
        if found is not None and found.answers_for(function):
            return cast(F, found.bound(function, signature))
        from sokoasp.core.kernels import numba_cache

        return cast(F, numba_cache.declared(function, signature))

    return declared


def cache_root() -> Path:
    """Return where compiled code is kept: $SOKOASP_CACHE_DIR, $XDG_CACHE_HOME/sokoasp or ~/.cache/sokoasp.

    Without a home directory it is the user's folder in the system's temporary place.
    """
    chosen = os.environ.get("SOKOASP_CACHE_DIR")
    if chosen:
        return Path(chosen)
    base = os.environ.get("XDG_CACHE_HOME")
    try:
        return (Path(base) if base else Path("~/.cache").expanduser()) / "sokoasp"
    except RuntimeError:  # neither $HOME nor an entry for this user
        return temporary_root()


def temporary_root() -> Path:
    """Return the user's folder in the system's temporary place; it may not be there yet."""
    import tempfile

    user = str(os.getuid()) if hasattr(os, "getuid") else os.environ.get("USERNAME", "user")
    return Path(tempfile.gettempdir()) / f"sokoasp-{user}"


def load(modules: Sequence[str]) -> tuple[ModuleType, ...]:
    """Import modules of kernels in this order, compiling them if need be; ``progress.reporters`` hear of that.

    Args:
        modules: Full module names; a module that uses kernels of another comes after it.

    Raises:
        MissingExtra: There is neither a library nor numba.
        TooLong: Compiling took longer than it may.
    """
    # learning asks some hundred times a second: looking for numba among the installed packages takes ten times as long
    if all(name in _loaded for name in modules):
        return tuple(_loaded[name] for name in modules)
    require("the native search")
    began = time.perf_counter()
    if status().source == "aot":
        found = tuple(importlib.import_module(name) for name in modules)
    else:
        from sokoasp.core.kernels import numba_cache

        found = numba_cache.load(modules)
    _loaded.update(zip(modules, found, strict=True))
    _seconds["load"] = time.perf_counter() - began
    return found


def named(modules: Sequence[str]) -> dict[str, ModuleType]:
    """Load modules as :func:`load` does; return them by the last part of their names."""
    return {name.rpartition(".")[2]: module for name, module in zip(modules, load(modules), strict=True)}


def load_seconds() -> float:
    """Return the wall seconds the kernels took to load or compile in this process."""
    return _seconds.get("load", 0.0)
