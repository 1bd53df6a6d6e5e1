"""Kernels compiled beforehand: a shared library made by ``.ci/kernels/build.py`` of the same sources, called through ctypes.

A library says of which modules it was made and holds a hash of their sources; it is used only where that is the hash of the
sources at hand, so that a stale one never runs. Arrays are passed as Python objects, and the library asks them by the buffer
protocol where their data lie.
"""

from __future__ import annotations

import ctypes
import hashlib
import importlib.util
import json
import mmap
import os
import re
import stat
import struct
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sokoasp.core.kernels import cache_root, records

ABOUT_SYMBOL, HOST_SYMBOL = "sokoasp_about", "sokoasp_host"
ABOUT = b'{"digest": "'
"""How the text begins that a library holds about itself; a zero ends it."""
FAILED, REFUSED = -(1 << 63), 1 - (1 << 63)
"""What an entry returns after an error in the kernel, and for an argument that it cannot take."""
HOST = ("PyObject_GetBuffer", "PyBuffer_Release", "PyEval_SaveThread", "PyEval_RestoreThread")
"""Functions of Python that a library calls; their addresses are written into it when it is loaded."""
_SHORT = {f"{sign}{size}": f"{word}{8 * size}" for sign, word in (("i", "int"), ("u", "uint")) for size in (1, 2, 4, 8)}


@dataclass(frozen=True, slots=True)
class Array:
    """What an argument that is an array must be."""

    dtype: str
    ndim: int


Kind = Array | tuple[Array, ...] | type[ctypes.Structure] | None
"""An argument: an array, a record of arrays, a class of numbers (``kernels.numbers``), or (None) a number."""


class Stale(Exception):
    """The library is none of ours, or was made of other sources."""


def symbol(name: str, *, objects: bool) -> str:
    """Return the entry of a kernel: one that takes Python objects, or one that takes data and shapes."""
    return ("py_" if objects else "c_") + name.removeprefix("sokoasp.").replace(".", "_")


def path_of(module: str) -> Path:
    """Return where the source of a module is, importing nothing; Stale if there is no such package."""
    top, *inside = module.split(".")
    spec = importlib.util.find_spec(top)
    if spec is None or spec.origin is None:
        raise Stale(f"there is no package {top}")
    origin = Path(spec.origin)
    return origin.parent.joinpath(*inside).with_suffix(".py") if inside else origin


def digest(modules: Iterable[str]) -> str:
    """Return a hash of the sources of these modules and of what passes arguments, this file."""
    said = hashlib.sha256(Path(__file__).read_bytes())
    for module in sorted(modules):
        said.update(b"\0" + module.encode() + b"\0" + path_of(module).read_bytes())
    return said.hexdigest()


def _fits(reported: dict[str, Any]) -> bool:
    """Return whether the sources at hand are those that a library says it was made of; one of them may have gone."""
    try:
        return bool(digest(reported["sources"]) == reported["digest"])
    except FileNotFoundError:
        return False


def about(kernels: Sequence[str], sources: Sequence[str]) -> str:
    """Return what a library says of itself."""
    return json.dumps({"digest": digest(sources), "sources": sorted(sources), "kernels": sorted(kernels)})


def kinds(signature: str) -> tuple[str, list[Kind]]:
    """Read a signature in numba's notation: what is returned, and what the arguments must be."""
    result, _, rest = signature.rstrip(") ").rpartition("(")
    inside, depth = "", 0
    for sign in rest:  # commas between brackets part dimensions, not arguments
        depth += (sign == "[") - (sign == "]")
        inside += ";" if sign == "," and not depth else sign
    found: list[Kind] = []
    for word in filter(None, (one.strip() for one in inside.split(";"))):
        name, bracket, dimensions = word.partition("[")
        if name in records and issubclass(records[name], ctypes.Structure):
            found.append(records[name])
        elif name in records:
            found.append(tuple(_arrays_of(name)))
        else:
            found.append(Array(_SHORT.get(name, name), dimensions.count(":") - 1) if bracket else None)
    return result.strip(), found


def _arrays_of(record: str) -> Iterator[Array]:
    """Yield the arrays of a record in their order, those of records in it among them."""
    for annotation in records[record].__annotations__.values():
        name, _, dimensions = annotation.__forward_arg__.partition("x")
        if name in records:
            yield from _arrays_of(name)
        else:
            yield Array(_SHORT[name.lower()], int(dimensions or 1))


def flat(record: Iterable[Any]) -> list[Any]:
    """Return the arrays of a record in their order, those of records in it among them."""
    return [array for one in record for array in (flat(one) if isinstance(one, tuple) else (one,))]


def inner(signature: str) -> bool:
    """Return whether only other kernels call a kernel: it takes or returns unsigned words, which no entry passes."""
    return re.search(r"\bu8\b(?!\[)", signature) is not None


class Library:
    """A loaded library whose sources are those at hand."""

    def __init__(self, path: Path) -> None:
        """Load a library, after everything that can be seen from outside has been checked.

        Raises:
            Stale: Another user may have written it, it cannot be loaded, is no library of ours, or was made of other sources.
        """
        self.path = path
        try:
            if path.is_relative_to(cache_root()):
                _require_private(path)
            _require_whole(path)
            reported = _about(path)
            if not _fits(reported):
                raise Stale(f"{path} was compiled from other sources")
            self._loaded = ctypes.PyDLL(str(path))
        except (OSError, ValueError, KeyError, TypeError) as error:
            raise Stale(f"{path} cannot be used: {error}") from None
        self.kernels = frozenset(reported["kernels"])
        host = (ctypes.c_int64 * len(HOST)).in_dll(self._loaded, HOST_SYMBOL)
        host[:] = [ctypes.cast(getattr(ctypes.pythonapi, name), ctypes.c_void_p).value or 0 for name in HOST]

    def answers_for(self, function: Callable[..., Any]) -> bool:
        """Return whether a kernel must come from here: it is of the package, or of a module the library was made of."""
        module = function.__module__
        return module.partition(".")[0] == "sokoasp" or f"{module}.{function.__qualname__}" in self.kernels

    def bound(self, function: Callable[..., Any], signature: str) -> Callable[..., Any]:
        """Return what calls a compiled kernel, and the names of its arguments; Stale if the library lacks it."""
        name = f"{function.__module__}.{function.__qualname__}"
        if name not in self.kernels:
            raise Stale(f"{self.path} lacks the kernel {name}")
        if inner(signature):
            return _inner(name)
        entry = self._loaded[symbol(name, objects=True)]
        entry.argtypes, entry.restype = (ctypes.c_char_p,), ctypes.c_int64
        return _caller(entry, function, name, signature)


def _about(path: Path) -> dict[str, Any]:
    """Read what a library says of itself out of its bytes, without loading it. Raises ValueError: it says nothing."""
    with path.open("rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as data:
        begin = data.find(ABOUT)
        if begin < 0:
            raise ValueError("it is no library of kernels")
        found: dict[str, Any] = json.loads(data[begin : data.find(b"\0", begin)])
        return found


def _require_private(path: Path) -> None:
    """Refuse a library in the cache that another user than this one and root could have written. Raises ValueError."""
    if not hasattr(os, "getuid"):
        return
    for place in (path.parent, path):
        held = place.stat()
        if held.st_uid not in (os.getuid(), 0):
            raise ValueError(f"{place} belongs to another user")
        if held.st_mode & (stat.S_IWGRP | stat.S_IWOTH):
            raise ValueError(f"other users may write {place}; chmod go-w {place} allows it")


def _require_whole(path: Path) -> None:
    """Refuse a library that was not written to its end: what loads it would be killed by the system. Raises ValueError.

    A file of ELF ends with its table of sections; of other systems' files nothing is asked.
    """
    with path.open("rb") as file:
        head = file.read(64)
    if head[:4] == b"\x7fELF":
        begin, size, number = struct.unpack("<40xQ10xHH2x", head.ljust(64, b"\xff"))
        if path.stat().st_size < begin + size * number:
            raise ValueError("it was not written to its end")


def _caller(entry: Any, function: Any, name: str, signature: str) -> Callable[..., Any]:
    """Return a function with the arguments of the kernel, which passes arrays by the addresses of their objects."""
    result, wanted = kinds(signature)
    names = function.__code__.co_varnames[: len(wanted)]
    words, count = [], 0
    known: dict[str, Any] = {"address": ctypes.addressof, "flat": flat}
    for word, kind in zip(names, wanted, strict=True):
        if isinstance(kind, type):
            known[kind.__name__] = kind
            words.append(f"address({word}) if type({word}) is {kind.__name__} else None")
        else:
            words.append(
                word if kind is None else f"id({word})" if isinstance(kind, Array) else f"*map(id, flat({word}))"
            )
        count += len(kind) if isinstance(kind, tuple) else 1

    def explain(*arguments: Any) -> Exception:
        for number, (one, kind) in enumerate(zip(arguments, wanted, strict=True), 1):
            if fault := _fault(one, kind):
                return TypeError(f"argument {number} of {name} {fault}")
        return RuntimeError(f"the kernel {name} failed (a division by zero?)")

    answer = {"void": "None", "b1": "value != 0"}.get(result, "value")
    source = (
        f"def kernel({', '.join(names)}):\n"
        f"    try:\n        value = call(pack({', '.join(words)}))\n"
        f"    except refused:\n        value = {REFUSED}\n"
        f"    if value <= {REFUSED}:\n        raise explain({', '.join(names)})\n"
        f"    return {answer}\n"
    )
    refused = (struct.error, TypeError, ValueError, BufferError)
    known |= {"call": entry, "pack": struct.Struct(f"{count}q").pack, "refused": refused, "explain": explain}
    exec(compile(source, f"<kernel {function.__qualname__}>", "exec"), known)
    made: Callable[..., Any] = known["kernel"]
    made.__module__, made.__qualname__, made.__doc__ = function.__module__, function.__qualname__, function.__doc__
    return made


def _inner(name: str) -> Callable[..., Any]:
    def kernel(*arguments: Any) -> Any:
        raise TypeError(f"{name} is called by kernels alone: the library has no entry that passes unsigned words")

    return kernel


def _fault(one: Any, kind: Kind) -> str | None:
    """Return what is wrong with an argument, None if nothing is."""
    if kind is None:
        whole = not isinstance(one, float) and hasattr(one, "__index__") and abs(int(one)) < 1 << 63
        return None if whole else f"must be a whole number of 64 bits, not {one!r}"
    if isinstance(kind, type):
        return None if type(one) is kind else f"must be {kind.__name__}, not {type(one).__name__}"
    if isinstance(kind, tuple):
        one = flat(one)
        if len(one) != len(kind):
            return f"must have {len(kind)} arrays, not {len(one)}"
        return next(filter(None, map(_fault, one, kind)), None)
    import numpy as np  # to say what is wrong: a campaign looks whether there are kernels, and has no arrays

    if not isinstance(one, np.ndarray):
        found = type(one).__name__
    elif (one.dtype, one.ndim, one.flags.c_contiguous) != (np.dtype(kind.dtype), kind.ndim, True):
        found = f"{one.dtype} with {one.ndim} dimensions"
    else:
        return None
    return f"must be a C-ordered array of {kind.dtype} with {kind.ndim} dimensions, not {found}"
