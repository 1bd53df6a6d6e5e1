"""Folders as a deceiver writes them: any claim, table and list, with honest sums; and what both checkers say of them."""

from __future__ import annotations

import contextlib
import importlib.util
import io
import json
import lzma
from collections.abc import Iterable, Sequence
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any

from sokoasp.core.errors import SokoaspError
from sokoasp.proof import folder as folders
from sokoasp.proof.refusals import Refused
from sokoasp.proof.verify import verify

STORED_NEVER = 30_000
CHECKER = Path(__file__).resolve().parents[2] / "docs" / "check_proof.py"

CLAIM: dict[str, Any] = {
    "format": folders.FORMAT,
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

    Args:
        folder: Made if it is not there.
        level: The level's text.
        lurd: The plan.
        tables: ``tables.xz`` as it is.
        states: The records, not packed.
        more: Names and contents of other files.
        **claim: What differs from a claim of pushes without a plan.
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


def standalone() -> ModuleType:
    """Return ``docs/check_proof.py`` as a module, the same each time."""
    return _loaded(CHECKER)


@cache
def _loaded(checker: Path) -> ModuleType:
    spec = importlib.util.spec_from_file_location("check_proof", checker)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def standalone_says(folder: Path, checker: Path = CHECKER) -> str | None:
    """Return why ``docs/check_proof.py``, or a spoilt copy, refuses a folder, None if it accepts it; run here, to be quick."""
    reported = io.StringIO()
    with contextlib.redirect_stdout(reported):
        code = _loaded(checker).run([str(folder)])
    lines = reported.getvalue().splitlines()
    assert (code, lines[-1][:7]) in ((0, "valid"), (30, "INVALID")), reported.getvalue()
    return None if code == 0 else lines[-1]


def every_checker_says(folder: Path) -> list[str | None]:
    """Return what every checker that can run here says but the one in Coq, which the campaign asks."""
    return [package_says(folder), standalone_says(folder)]
