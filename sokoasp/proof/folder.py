"""The certificate folder: which files it has, and ``claim.json``, which says what they show."""

from __future__ import annotations

import hashlib
import json
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from sokoasp.proof.refusals import Refused

FORMAT = "sokoasp certificate 1"
OBJECTIVES = {"sokoban": ("lines", "pushes", "moves"), "klotski": ("slides", "units")}
LEVEL = {"sokoban": "level.xsb", "klotski": "level.klotski"}
PLAN = {"sokoban": "plan.lurd", "klotski": "plan.txt"}
FORMULA, PROOF, TABLES, STATES = "claim.cnf", "proof.lrat", "tables.xz", "states.xz"
KINDS = ("solved", "refutation", "states")
MOST_BYTES = 4_000_000_000
"""Largest file that is read."""


@dataclass(frozen=True, slots=True)
class ClaimFile:
    """What is claimed: the plan is one of ``value`` actions and there is none of fewer; without a value: there is no plan."""

    game: str
    objective: str
    value: int | None
    kind: str
    """``refutation``: formula and LRAT proof; ``states``: closed list; ``solved``: the start is solved, value 0."""
    groups: int = 0
    """Boxes of the largest groups in the tables (of a list's bounds, of a refutation's lemmas), 0 without tables."""
    prices: tuple[int, ...] = ()
    """States: price of each goal, in reading order."""
    boxes: tuple[tuple[int, int], ...] = ()
    """States: row and column of the boxes it speaks of; empty for all."""
    version: str = ""
    """Program that made it; nothing depends on it, nor on the next two."""
    upper: str = ""
    lower: str = ""
    files: dict[str, str] = field(default_factory=dict)
    """SHA-256 of every other file."""


def write_claim(folder: Path, claim: ClaimFile) -> None:
    """Write ``claim.json`` with the sums of the files that are there."""
    names = [LEVEL[claim.game], PLAN[claim.game], FORMULA, PROOF, TABLES, STATES]
    files = {name: sha256(folder / name) for name in names if (folder / name).exists()}
    row = {"format": FORMAT, **asdict(claim), "files": files}
    (folder / "claim.json").write_text(json.dumps(row, indent=1) + "\n", encoding="utf-8")


def sha256(path: Path) -> str:
    """Return the sum of a file."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def read_claim(folder: Path) -> ClaimFile:
    """Read ``claim.json`` and compare the sums.

    Raises:
        Refused: It is none, of another format, or a file is missing or another one.
    """
    try:
        row = json.loads((folder / "claim.json").read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError) as error:
        raise Refused(f"claim.json cannot be read: {error}") from None
    if not isinstance(row, dict) or row.pop("format", None) != FORMAT:
        raise Refused(f"claim.json is not of the format {FORMAT!r}")
    claim = _claim(row)
    for name in _needed(claim):
        if name not in claim.files:
            raise Refused(f"claim.json does not name {name}")
    for name, expected in claim.files.items():
        path = folder / name
        if Path(name).name != name or not path.is_file():
            raise Refused(f"{name} is missing")
        if path.stat().st_size > MOST_BYTES:
            raise Refused(f"{name} is too large")
        if sha256(path) != expected:
            raise Refused(f"{name} is not the file that claim.json names (SHA-256)")
    return claim


def _claim(row: dict[str, Any]) -> ClaimFile:
    try:
        claim = ClaimFile(
            **{
                **row,
                "prices": tuple(map(_whole, row["prices"])),
                "boxes": tuple((_whole(r), _whole(c)) for r, c in row["boxes"]),
                "files": {str(name): str(value) for name, value in row["files"].items()},
            }
        )
        numbers = [claim.groups] if claim.value is None else [claim.groups, claim.value]
        fits = claim.objective in OBJECTIVES[claim.game] and claim.kind in KINDS and min(map(_whole, numbers)) >= 0
    except (TypeError, KeyError, ValueError, AttributeError):
        raise Refused("claim.json is not a claim of this format") from None
    if not fits or max(numbers) > 60_000:
        raise Refused("claim.json is not a claim of this format")
    if (claim.value is None and claim.kind != "states") or ((claim.value == 0) != (claim.kind == "solved")):
        raise Refused(f"a claim of the kind {claim.kind!r} does not show {claim.value} {claim.objective}")
    return claim


def _whole(number: Any) -> int:
    if isinstance(number, bool) or not isinstance(number, int):
        raise TypeError
    return number


def _needed(claim: ClaimFile) -> list[str]:
    names = [LEVEL[claim.game]]
    if claim.value is not None:
        names.append(PLAN[claim.game])
    if claim.kind == "refutation":
        names += [FORMULA, PROOF]
    if claim.kind == "states":
        names.append(STATES)
    if claim.groups:
        names.append(TABLES)
    return names
