"""Compiled kernels: the door to what compiles them, numba, and to the library of those compiled ahead of time (``aot``).

Modules with kernels decorate them with :func:`kernel` and an explicit signature. They are imported only through :func:`load`:
importing such a module binds its kernels to the library, or compiles them (``jit_cache``).
"""

from __future__ import annotations

import contextlib
import importlib
import importlib.util
import os
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any, ForwardRef, TypeVar, cast, dataclass_transform

from sokoasp.core.errors import MissingExtra, SokoaspError

if TYPE_CHECKING:
    from sokoasp.core.aot import Library

F = TypeVar("F", bound=Callable[..., Any])
T = TypeVar("T", bound=tuple[Any, ...])
N = TypeVar("N")
Progress = Callable[[str], None]

BACKENDS = ("aot", "jit", "none")
"""What ``$SOKOASP_BACKEND`` may say; without it the first that is there is used."""
_seconds: dict[str, float] = {}
_records: dict[str, type[Any]] = {}
_maker: list[Callable[[Any, str], Any]] = []
"""Who makes kernels of functions, while modules are imported to compile them in a special way."""
reporters: list[Progress] = []
"""Called with a sentence now and then while kernels compile: the command line puts its own here."""


class Backend(SokoaspError, ValueError):
    """``$SOKOASP_BACKEND`` is none of those there are."""

    exit_code = 2


def _chosen() -> str:
    chosen = os.environ.get("SOKOASP_BACKEND", "")
    if chosen and chosen not in BACKENDS:
        raise Backend(f"SOKOASP_BACKEND is {chosen!r}; it may be {', '.join(BACKENDS)}, or unset")
    return chosen


def _numba() -> bool:
    return _chosen() in ("", "jit") and importlib.util.find_spec("numba") is not None


def present() -> bool:
    """Return whether numba or a library is there, importing nothing; whether the library fits, :func:`available` looks."""
    found = _chosen() in ("", "aot") and any(path.is_file() for path in library_paths())
    return _numba() or (found and importlib.util.find_spec("numpy") is not None)


def available() -> bool:
    """Return whether there are compiled kernels, or what compiles them; where that is numba, nothing is imported."""
    return _numba() or backend() != "none"


def require(what: str) -> None:
    """Look whether there are compiled kernels.

    Raises:
        MissingExtra: There are none, and nothing that compiles them; ``what`` needs them.
    """
    if not available():
        raise MissingExtra(what, "jit")


@cache
def backend() -> str:
    """Return where kernels come from: ``aot`` (a library that fits these sources), ``jit`` (numba) or ``none``.

    Raises:
        Backend: ``$SOKOASP_BACKEND`` is none of these.
    """
    if _chosen() in ("", "aot") and library() is not None:
        return "aot"
    return "jit" if _numba() else "none"


@cache
def library() -> Library | None:
    """Return the library of kernels: that of the installed package, or one that ``sokoasp warm`` has built; None if none fits.

    One that was made of other sources is left alone, and the reporters get a sentence.
    """
    if importlib.util.find_spec("numpy") is None:
        return None
    for path in library_paths():
        if path.is_file():
            from sokoasp.core import aot

            try:
                return aot.Library(path)
            except aot.Stale as stale:
                report(f"{stale}; kernels are compiled as they are needed, or not at all")
    return None


def library_paths() -> tuple[Path, ...]:
    """Return where a library may be: in the package, and in the cache of the user."""
    return Path(__file__).with_name("kernels.so"), cache_root() / "kernels.so"


def report(sentence: str) -> None:
    """Call the reporters."""
    for reporter in reporters:
        reporter(sentence)


def record(fields: type[T]) -> type[T]:
    """Let signatures of kernels name this class of named tuples.

    Its fields are annotated with the names of C-ordered arrays: ``I4`` is a row of 32-bit integers, ``U8x2`` a table of unsigned
    64-bit ones.
    """
    _records[fields.__name__] = fields
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
    _records[fields.__name__] = made
    return cast("type[N]", made)


def kernel(signature: str) -> Callable[[F], F]:
    """Compile a function for this signature as it is defined, or take it from the cache or the library.

    Kernels allocate nothing: numba's reference counts are off (what allocates does not compile), which makes records of arrays
    free to pass; with them a search took 1.3 to 2.1 times as long and compiling a quarter more.

    Args:
        signature: In numba's notation; arguments may be records by the names of their classes.

    Raises:
        MissingExtra: There is neither a library nor numba.
    """

    def made(function: F) -> F:
        if _maker:
            return cast(F, _maker[-1](function, signature))
        found = library() if backend() == "aot" else None
        if found is not None and found.answers_for(function):
            return cast(F, found.bound(function, signature, _records))
        require("the native search")
        from sokoasp.core import jit_cache

        return cast(F, jit_cache.compiled(function, signature))

    if not _maker:
        require("the native search")
    return made


@contextlib.contextmanager
def making(maker: Callable[[Any, str], Any]) -> Iterator[None]:
    """Let ``maker(function, signature)`` make the kernels of the modules that are imported in the body of a ``with``."""
    _maker.append(maker)
    try:
        yield
    finally:
        _maker.pop()


def parsed(signature: str) -> Any:
    """Read a signature as numba does, with the records among the names; for numba."""
    from numba import types

    def array(annotation: ForwardRef) -> Any:
        name, _, dimensions = annotation.__forward_arg__.partition("x")
        return types.Array(getattr(types, name.lower()), int(dimensions or 1), "C")

    known = {}
    for name, fields in _records.items():
        if is_numbers(fields):
            known[name] = _struct(fields)
            continue
        kinds = [array(annotation) for annotation in fields.__annotations__.values()]
        same = len(set(kinds)) == 1
        known[name] = (
            types.NamedUniTuple(kinds[0], len(kinds), fields) if same else types.NamedTuple(tuple(kinds), fields)
        )
    return eval(signature, {}, {**vars(types), **known})  # as numba reads it; ours, never a user's


def is_numbers(fields: type[Any]) -> bool:
    """Return whether a record is a class of :func:`numbers`."""
    return hasattr(fields, "_fields_")


def _struct(fields: Any) -> Any:
    """Return numba's type of a class of numbers, and let numba know its objects."""
    import numpy as np
    from numba import from_dtype
    from numba.extending import typeof_impl

    if not hasattr(fields, "kind"):
        fields.kind = from_dtype(np.dtype([(name, np.int64) for name, *_ in fields._fields_], align=True))
        typeof_impl.register(fields)(lambda *_: fields.kind)
    return fields.kind


def cache_root() -> Path:
    """Return where compiled code is kept: $SOKOASP_CACHE_DIR, $XDG_CACHE_HOME/sokoasp or ~/.cache/sokoasp."""
    chosen = os.environ.get("SOKOASP_CACHE_DIR")
    if chosen:
        return Path(chosen)
    base = os.environ.get("XDG_CACHE_HOME")
    return (Path(base) if base else Path("~/.cache").expanduser()) / "sokoasp"


def load(modules: Sequence[str], progress: Progress | None = None) -> tuple[ModuleType, ...]:
    """Import modules of kernels in this order, compiling them if need be.

    Args:
        modules: Full module names; a module that uses kernels of another comes after it.
        progress: Called with one sentence when a compilation starts and ends, as :data:`reporters` are.

    Raises:
        MissingExtra: There is neither a library nor numba.
        TooLong: Compiling took longer than it may.
    """
    # learning asks some hundred times a second: looking for numba among the installed packages takes ten times as long
    if all(name in sys.modules for name in modules):
        return tuple(sys.modules[name] for name in modules)
    require("the native search")
    began = time.perf_counter()
    if backend() == "aot":
        loaded = tuple(importlib.import_module(name) for name in modules)
    else:
        from sokoasp.core import jit_cache

        loaded = jit_cache.load(modules, progress)
    _seconds["load"] = time.perf_counter() - began
    return loaded


def named(modules: Sequence[str], progress: Progress | None = None) -> dict[str, ModuleType]:
    """Load modules as :func:`load` does; return them by the last part of their names."""
    return {name.rpartition(".")[2]: module for name, module in zip(modules, load(modules, progress), strict=True)}


def ready(modules: Sequence[str]) -> bool:
    """Return whether these modules could be loaded now without compiling: loaded already, in the library or in the cache."""
    if all(name in sys.modules for name in modules) or backend() == "aot":
        return True
    from sokoasp.core import jit_cache

    return jit_cache.ready(modules)


def load_seconds() -> float:
    """Return the wall seconds the kernels took to load or compile in this process."""
    return _seconds.get("load", 0.0)
