"""Kernels compiled ahead of time: a shared library made by ``.ci/kernels/build.py`` of the same sources, called through ctypes.

A library says of which modules it was made and holds a hash of their sources; it is used only where that is the hash of the
sources at hand, so that a stale one never runs. Arrays are passed as the addresses of numpy's objects, and the library reads
where their data lie; a probe at load shows that they lie where it looks, else their data and shapes are passed one by one.
"""

from __future__ import annotations

import ctypes
import hashlib
import importlib.util
import json
import struct
import sys
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

ABOUT_SYMBOL, HOST_SYMBOL = "sokoasp_about", "sokoasp_host"
FAILED, REFUSED = -(1 << 63), 1 - (1 << 63)
"""What an entry returns after an error in the kernel, and for an argument that it cannot take."""
HEAD = object.__basicsize__
NDIM, SHAPE, DTYPE, FLAGS, IN_ORDER = 8, 16, 40, 48, 1
"""Offsets behind the head of a numpy array (``PyArrayObject_fields``), and the flag of a C-ordered one."""
HOST = ("head", "type_at", "ndarray", "int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64")
"""What the library has to know of this process: bytes of an object's head, where its type stands, and addresses of types."""
_SHORT = {f"{sign}{size}": f"{word}{8 * size}" for sign, word in (("i", "int"), ("u", "uint")) for size in (1, 2, 4, 8)}


@dataclass(frozen=True, slots=True)
class Array:
    """What an argument that is an array must be."""

    dtype: str
    ndim: int


Kind = Array | tuple[Array, ...] | type[ctypes.Structure] | None
"""An argument: an array, a record of arrays, a class of numbers (``jit.numbers``), or (None) a number."""


class Stale(Exception):
    """The library is none of ours, or was made of other sources."""


def symbol(name: str, *, objects: bool) -> str:
    """Return the entry of a kernel: one that takes numpy's objects, or one that takes data and shapes."""
    return ("py_" if objects else "c_") + name.removeprefix("sokoasp.").replace(".", "_")


def path_of(module: str) -> Path:
    """Return where the source of a module is, importing nothing.

    Raises:
        Stale: There is no such package.
    """
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


def about(kernels: Sequence[str], sources: Sequence[str]) -> str:
    """Return what a library says of itself."""
    return json.dumps({"digest": digest(sources), "sources": sorted(sources), "kernels": sorted(kernels)})


def kinds(signature: str, records: dict[str, type[Any]]) -> tuple[str, list[Kind]]:
    """Read a signature in numba's notation: what is returned, and what the arguments must be."""
    result, _, rest = signature.rstrip(") ").partition("(")
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
            found.append(tuple(_annotated(one.__forward_arg__) for one in records[name].__annotations__.values()))
        else:
            found.append(Array(_SHORT.get(name, name), dimensions.count(":") - 1) if bracket else None)
    return result.strip(), found


def _annotated(name: str) -> Array:
    short, _, dimensions = name.partition("x")
    return Array(_SHORT[short.lower()], int(dimensions or 1))


def inner(signature: str) -> bool:
    """Return whether only other kernels call a kernel: it takes or returns unsigned words, which no entry passes."""
    result, _, rest = signature.partition("(")
    return result.strip() == "u8" or "u8" in (word.strip() for word in rest.rstrip(") ").split(","))


class Library:
    """A loaded library whose sources are those at hand."""

    def __init__(self, path: Path) -> None:
        """Load a library.

        Raises:
            Stale: It cannot be loaded, is no library of ours, or was made of other sources.
        """
        self.path = path
        try:
            _require_whole(path)
            self._loaded = ctypes.CDLL(str(path))
            reported = json.loads(ctypes.string_at(ctypes.addressof(ctypes.c_char.in_dll(self._loaded, ABOUT_SYMBOL))))
            current = digest(reported["sources"])
        except (OSError, ValueError, KeyError, TypeError) as error:
            raise Stale(f"{path} cannot be used: {error}") from None
        if current != reported["digest"]:
            raise Stale(f"{path} was compiled from other sources")
        self.kernels = frozenset(reported["kernels"])
        self._introduce()
        self.objects = lies_as_known()

    def _introduce(self) -> None:
        """Write the addresses of this process into the library."""
        host = (ctypes.c_int64 * len(HOST)).in_dll(self._loaded, HOST_SYMBOL)
        host[:] = [HEAD, HEAD - 8, id(np.ndarray), *(id(np.dtype(name)) for name in HOST[3:])]

    def answers_for(self, function: Callable[..., Any]) -> bool:
        """Return whether a kernel must come from here: it is of the package, or of a module the library was made of."""
        module = function.__module__
        return module.partition(".")[0] == "sokoasp" or f"{module}.{function.__qualname__}" in self.kernels

    def bound(self, function: Callable[..., Any], signature: str, records: dict[str, type[Any]]) -> Callable[..., Any]:
        """Return what calls the compiled form of a kernel, with the names of its arguments.

        Raises:
            Stale: The library lacks it.
        """
        name = f"{function.__module__}.{function.__qualname__}"
        if name not in self.kernels:
            raise Stale(f"{self.path} lacks the kernel {name}")
        if inner(signature):
            return _inner(name)
        result, wanted = kinds(signature, records)
        careful = _careful(self._entry(name, objects=False), name, result, wanted)
        if not self.objects:
            return careful
        return _quick(self._entry(name, objects=True), function, result, wanted, careful)

    def _entry(self, name: str, *, objects: bool) -> Any:
        entry = self._loaded[symbol(name, objects=objects)]
        entry.argtypes, entry.restype = (ctypes.c_char_p,), ctypes.c_int64
        return entry


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


def lies_as_known(head: int = HEAD) -> bool:
    """Return whether data, dimensions, shape, dtype and flags of numpy's arrays lie where the library reads them."""
    probe = np.zeros((3, 5), dtype=np.int16)
    place = id(probe) + head

    def word(at: int) -> int:
        return ctypes.c_int64.from_address(at).value

    return (
        sys.maxsize > 1 << 32
        and ctypes.c_int64.from_address(place - 8).value == id(np.ndarray)
        and word(place) == probe.ctypes.data
        and ctypes.c_int32.from_address(place + NDIM).value == 2
        and word(place + DTYPE) == id(np.dtype(np.int16))
        and ctypes.c_int32.from_address(place + FLAGS).value & IN_ORDER == IN_ORDER
        and ctypes.c_int32.from_address(id(probe.T) + head + FLAGS).value & IN_ORDER == 0
        and (word(word(place + SHAPE)), word(word(place + SHAPE) + 8)) == (3, 5)
    )


def _quick(
    entry: Any, function: Any, result: str, wanted: Sequence[Kind], careful: Callable[..., Any]
) -> Callable[..., Any]:
    """Return a function with the arguments of the kernel that passes objects by their addresses."""
    names = function.__code__.co_varnames[: len(wanted)]
    words, count, checks = [], 0, ["False"]
    known: dict[str, Any] = {}
    for name, kind in zip(names, wanted, strict=True):
        if isinstance(kind, type):
            words.append(f"addressof({name})")
            checks.append(f"type({name}) is not {kind.__name__}")
            known[kind.__name__] = kind
        else:
            words.append(name if kind is None else f"id({name})" if isinstance(kind, Array) else f"*map(id, {name})")
        count += len(kind) if isinstance(kind, tuple) else 1
    answer = {"void": "None", "b1": "value != 0"}.get(result, "value")
    source = (
        f"def kernel({', '.join(names)}):\n"
        f"    if {' or '.join(checks)}:\n        return careful({', '.join(names)})\n"
        f"    try:\n        value = call(pack({', '.join(words)}))\n"
        f"    except error:\n        return careful({', '.join(names)})\n"
        f"    if value <= {REFUSED}:\n        return careful({', '.join(names)}) if value == {REFUSED} else fail()\n"
        f"    return {answer}\n"
    )
    known |= {
        "addressof": ctypes.addressof,
        "call": entry,
        "pack": struct.Struct(f"{count}q").pack,
        "careful": careful,
        "error": struct.error,
        "fail": _failing(f"{function.__module__}.{function.__qualname__}"),
    }
    exec(compile(source, f"<kernel {function.__qualname__}>", "exec"), known)
    made: Callable[..., Any] = known["kernel"]
    made.__module__, made.__qualname__, made.__doc__ = function.__module__, function.__qualname__, function.__doc__
    return made


def _inner(name: str) -> Callable[..., Any]:
    def kernel(*given: Any) -> Any:
        raise TypeError(f"{name} is called by kernels alone: the library has no entry that passes unsigned words")

    return kernel


def _failing(name: str) -> Callable[[], None]:
    def fail() -> None:
        raise RuntimeError(f"the kernel {name} failed (a division by zero?)")

    return fail


def _careful(entry: Any, name: str, result: str, wanted: Sequence[Kind]) -> Callable[..., Any]:
    """Return a function that looks at every argument, says which is wrong, and passes data and shapes."""

    def kernel(*given: Any) -> Any:
        if len(given) != len(wanted):
            raise TypeError(f"{name} takes {len(wanted)} arguments, not {len(given)}")
        block: list[int] = []
        for number, (one, kind) in enumerate(zip(given, wanted, strict=True), 1):
            where = f"argument {number} of {name}"
            if kind is None:
                if isinstance(one, float) or not hasattr(one, "__index__"):
                    raise TypeError(f"{where} must be a whole number, not {one!r}")
                block.append(int(one))
            elif isinstance(kind, type):
                if not isinstance(one, kind):
                    raise TypeError(f"{where} must be {kind.__name__}, not {type(one).__name__}")
                block.append(ctypes.addressof(one))
            elif isinstance(kind, Array):
                block += _parts(one, kind, where)
            else:
                if len(one) != len(kind):
                    raise TypeError(f"{where} must have {len(kind)} arrays, not {len(one)}")
                for part, inner in zip(one, kind, strict=True):
                    block += _parts(part, inner, where)
        value = entry(struct.pack(f"{len(block)}q", *block))
        if value == FAILED:
            _failing(name)()
        return None if result == "void" else value != 0 if result == "b1" else value

    return kernel


def _parts(one: Any, kind: Array, where: str) -> list[int]:
    if (
        not isinstance(one, np.ndarray)
        or one.dtype != kind.dtype
        or one.ndim != kind.ndim
        or not one.flags.c_contiguous
    ):
        said = f"{one.dtype} with {one.ndim} dimensions" if isinstance(one, np.ndarray) else type(one).__name__
        raise TypeError(f"{where} must be a C-ordered array of {kind.dtype} with {kind.ndim} dimensions, not {said}")
    return [one.ctypes.data, *one.shape]
