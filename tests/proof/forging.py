"""Folders as a deceiver writes them: any claim, table and list, with honest sums; and what checkers say of them."""

import importlib.util
import json
import lzma
import sys
import warnings
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

import sokoasp
from sokoasp.core import kernels
from sokoasp.core.errors import SokoaspError
from sokoasp.proof import folder as folders
from sokoasp.proof.refusals import Refused
from sokoasp.proof.verify import verify
from tests.proof import verified

STORED_NEVER = 30_000

CLAIM: dict[str, Any] = {
    "format": f"{folders.FORMAT} 2",
    "game": "sokoban",
    "objective": "pushes",
    "value": None,
    "kind": "states",
    "groups": 0,
    "prices": [],
    "boxes": [],
    "version": "",
    "upper": "",
    "lower": "",
}


def packed_words(words: Iterable[int]) -> bytes:
    """Pack table entries."""
    return lzma.compress(b"".join(word.to_bytes(2, "little") for word in words), preset=1)


def words_of(packed: bytes) -> list[int]:
    """Unpack table entries."""
    data = lzma.decompress(packed)
    return [int.from_bytes(data[i : i + 2], "little") for i in range(0, len(data), 2)]


def write(
    folder: Path,
    level: str,
    *,
    lurd: str | None = None,
    tables: bytes | None = None,
    states: bytes = b"",
    more: Sequence[tuple[str, bytes]] = (),
    **claim: Any,
) -> Path:
    """Write a folder of kind ``states`` (or another, with ``more`` files) whose sums are honest.

    ``tables`` is ``tables.xz`` as it is, ``states`` records, not packed; ``claim`` differs from one of pushes, no plan.
    """
    folder.mkdir(parents=True, exist_ok=True)
    row = {**CLAIM, **claim}
    files = {"level.xsb": level.encode(), **dict(more)}
    if lurd is not None:
        files["plan.lurd"] = (lurd + "\n").encode()
    if tables is not None:
        files["tables.xz"] = tables
    if row["kind"] == "states":
        files["states.xz"] = lzma.compress(states, preset=1)
    for name, data in files.items():
        (folder / name).write_bytes(data)
    sums = {name: folders.sha256(folder / name) for name in files}
    (folder / "claim.json").write_text(json.dumps({**row, "files": sums}))
    return folder


def package_says(folder: Path) -> str | None:
    """Return why ``check-proof`` refuses a folder, None if it accepts it."""
    try:
        for _ in verify(folder):
            pass
    except Refused as error:
        return error.message
    except SokoaspError as error:
        raise AssertionError(f"another error than Refused: {error!r}") from error
    return None


def proved_says(folder: Path) -> str | None:
    """Return why the checker proved in Coq refuses a folder, None if it accepts it; skip the test without OCaml."""
    return verified.built()(folder)


def says(folder: Path) -> str | None:
    """Return why the package refuses a folder, None if it accepts it, having asked whether the proved checker agrees."""
    said = package_says(folder)
    if not verified.missing():
        other = proved_says(folder)
        assert (said is None) == (other is None), (said, other)
    return said


@contextmanager
def _planted(module: str, old: str, new: str) -> Iterator[None]:
    """Import ``sokoasp.proof`` anew, with ``old`` replaced in one of its modules and its kernels as plain Python."""
    kept = {name: sys.modules.pop(name) for name in list(sys.modules) if name.startswith("sokoasp.proof")}
    with pytest.MonkeyPatch.context() as patch, warnings.catch_warnings():
        warnings.simplefilter("ignore")  # numbers of numpy that wrap around
        patch.setattr(sokoasp, "proof", kept["sokoasp.proof"])
        patch.setattr(kernels, "records", dict(kernels.records))
        patch.setattr(kernels, "kernel", lambda signature: lambda function: function)
        patch.setattr(kernels, "load", lambda modules: tuple(map(importlib.import_module, modules)))
        patch.setattr(kernels, "require", lambda what: None)
        try:
            source = importlib.util.find_spec(f"sokoasp.proof.{module}")
            assert source is not None and source.origin is not None
            text = Path(source.origin).read_text(encoding="utf-8")
            assert text.count(old) == 1, (module, old)
            lax = importlib.util.module_from_spec(source)
            sys.modules[source.name] = lax
            setattr(sys.modules["sokoasp.proof"], module, lax)
            exec(compile(text.replace(old, new), source.origin, "exec"), lax.__dict__)
            yield
        finally:
            for name in [name for name in sys.modules if name.startswith("sokoasp.proof")]:
                del sys.modules[name]
            sys.modules.update(kept)


def lax_says(folder: Path, module: str, old: str, new: str) -> str | None:
    """Return what ``check-proof`` says of a folder with a fault planted: ``old`` in a module of ``sokoasp.proof`` replaced."""
    with _planted(module, old, new):
        checker, refusals = (importlib.import_module(f"sokoasp.proof.{name}") for name in ("verify", "refusals"))
        try:
            list(checker.verify(folder))
        except refusals.Refused as refused:
            return str(refused)
    return None
