"""The certificate folder: which files it has, and ``claim.json``, which says what they show."""

from __future__ import annotations

import hashlib
import json
from dataclasses import asdict, dataclass, field, fields
from pathlib import Path
from typing import Any, TypeVar

from sokoasp.proof.refusals import Refused

T = TypeVar("T")
FORMAT = "sokoasp certificate"
"""How the name of every format begins; the number behind it says which optional parts there are."""
TIES = "pushes+moves"
"""A tie-break: of the plans with the fewest pushes one with the fewest moves."""
OBJECTIVES = ("lines", "pushes", "moves", TIES)
LEVEL, PLAN = "level.xsb", "plan.lurd"
TABLES, STATES = "tables.xz", "states.xz"
PATTERNS, CORRALS, WALLS = "patterns.xz", "corrals.xz", "walls.xz"
PARTS = (PATTERNS, CORRALS, WALLS)
"""The optional parts of a list with tables; each comes with those before it."""
NUMBERS = (2, 3, 4, 6)
"""The number of the format by how many of these parts there are; 5 is that of tie-breaks."""
KINDS = ("solved", "states")
MOST_BYTES = 4_000_000_000
"""Bytes of the largest file that is read."""
MOST_TEXT = 16_000_000
"""Bytes of the largest text that is read: claim, level, plan."""
MOST_VALUE = 60_000
MOST_PRICE = 2000
MOST_GROUPS = 4


@dataclass(frozen=True, slots=True)
class ClaimFile:
    """What is claimed: the plan is one of ``value`` actions and there is none of fewer; without a value: there is no plan."""

    objective: str
    value: int | None
    kind: str
    """``states``: closed list; ``solved``: the start is solved, value 0."""
    groups: int = 0
    """Boxes of the largest groups in the tables, 0 without tables."""
    prices: tuple[int, ...] = ()
    """Price of each goal, in reading order."""
    boxes: tuple[tuple[int, int], ...] = ()
    """Row and column of the boxes it speaks of; empty for all."""
    version: str = ""
    """Program that made it; nothing depends on it, nor on the next two."""
    upper: str = ""
    lower: str = ""
    files: dict[str, str] = field(default_factory=dict)
    """SHA-256 of every other file."""
    parts: int = 0
    """How many of ``PARTS`` there are."""
    moves: int | None = None
    """Of a tie-break: ``value`` counts its pushes, this its moves; written as one pair."""

    @property
    def format(self) -> str:
        """Return the name of the format of a claim with these parts."""
        return f"{FORMAT} {5 if self.objective == TIES else NUMBERS[self.parts]}"

    def has(self, part: str) -> bool:
        """Return whether it has one of ``PARTS``."""
        return part in PARTS[: self.parts]

    @property
    def cost(self) -> int | tuple[int, int] | None:
        """Return the value, of a tie-break with the moves."""
        return self.value if self.moves is None or self.value is None else (self.value, self.moves)


def write_claim(folder: Path, claim: ClaimFile) -> None:
    """Write ``claim.json`` with the sums of the files that are there."""
    files = {name: sha256(folder / name) for name in needed(claim)}
    row = {"format": claim.format, "game": "sokoban", **asdict(claim), "value": claim.cost, "files": files}
    del row["moves"], row["parts"]
    (folder / "claim.json").write_text(json.dumps(row, indent=1) + "\n", encoding="utf-8")


def sha256(path: Path) -> str:
    """Return the sum of a file."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def read_claim(folder: Path) -> ClaimFile:
    """Read ``claim.json`` and compare the sums.

    Raises Refused: it is none, of another format, or a file is missing or another one.
    """
    try:
        text = read_text(folder / "claim.json")
        row = json.loads(text, object_pairs_hook=_once, parse_float=_no_float, parse_constant=_no_float)
    except (ValueError, RecursionError) as error:
        raise Refused(f"claim.json cannot be read: {error}") from None
    if not isinstance(row, dict) or "\\" in text:
        raise Refused("claim.json is no claim, or has an escaped sign")
    claim = _claim(row)
    if sorted(claim.files) != sorted(needed(claim)):
        raise Refused(f"claim.json does not name the files of its kind, {', '.join(needed(claim))}, and no others")
    for name, expected in claim.files.items():
        if sha256(_plain(folder / name, MOST_BYTES)) != expected:
            raise Refused(f"{name} is not the file that claim.json names (SHA-256)")
    return claim


def read_text(path: Path) -> str:
    """Read a text file: rows of ASCII from blank to tilde, each ending in a line feed.

    Raises:
        Refused: It cannot be read, is too large, or has other signs, such as what some reader would take for a row end.
    """
    try:
        text = _plain(path, MOST_TEXT).read_bytes().decode("latin-1")
    except OSError as error:
        raise Refused(f"{path.name} cannot be read: {error}") from None
    if not (text.isascii() and text.replace("\n", "").isprintable()):
        raise Refused(f"{path.name} has a sign that is neither ASCII from blank to tilde nor a line feed")
    return text


def _plain(path: Path, most: int) -> Path:
    if not path.is_file():  # a pipe would be waited for, a device read without end
        raise Refused(f"{path.name} is missing, or no plain file")
    if path.stat().st_size > most:
        raise Refused(f"{path.name} is too large")
    return path


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    if len({key for key, _ in pairs}) < len(pairs):
        raise ValueError("a key is there twice")
    return dict(pairs)


def _no_float(text: str) -> Any:
    raise ValueError(f"{text} is no integer")


def _claim(row: dict[str, Any]) -> ClaimFile:
    """Check every value by its type and range, and that they go together."""
    if row.get("format") not in [f"{FORMAT} {number}" for number in range(2, 7)]:
        raise Refused(f"claim.json is not of format 2 to 6 (but {row.get('format')!r}): certify the level again")
    try:
        if set(row) != {"format", "game", *(one.name for one in fields(ClaimFile))} - {"moves", "parts"}:
            raise ValueError
        _word(row["game"], "sokoban")
        value, moves = (row["value"], None) if row["objective"] != TIES else _of(list, row["value"])
        claim = ClaimFile(
            _word(row["objective"], *OBJECTIVES),
            None if value is None and moves is None else _whole(value, MOST_VALUE),
            _word(row["kind"], *KINDS),
            _whole(row["groups"], MOST_GROUPS),
            tuple(_whole(price, MOST_PRICE) for price in _of(list, row["prices"])),
            tuple(
                (_whole(r, MOST_TEXT), _whole(c, MOST_TEXT))
                for r, c in (_of(list, box) for box in _of(list, row["boxes"]))
            ),
            _of(str, row["version"]),
            _of(str, row["upper"]),
            _of(str, row["lower"]),
            {name: _of(str, reported) for name, reported in _of(dict, row["files"]).items()},
            sum(part in row["files"] for part in PARTS),
            None if row["objective"] != TIES else _whole(moves, MOST_VALUE),
        )
    except (TypeError, ValueError):
        raise Refused("claim.json is not a claim of this format") from None
    if row["format"] != claim.format:
        raise Refused(f"claim.json is not of the format {row['format']!r}")
    if (claim.value == 0) != (claim.kind == "solved") or (claim.value == 0 and claim.moves):
        raise Refused(f"a claim of the kind {claim.kind!r} does not show {claim.value} {claim.objective}")
    tables = claim.groups > 0
    if (
        (tables and claim.kind != "states")
        or bool(claim.prices) != tables
        or (any(claim.prices) and claim.boxes)
        or (claim.parts and (not tables or claim.objective == TIES))
        or (claim.has(CORRALS) and claim.objective == "moves")
        or (claim.boxes and claim.value is not None)
    ):
        raise Refused("claim.json has parts, prices or boxes that a claim of its kind does not have")
    return claim


def _whole(number: Any, most: int) -> int:
    if type(number) is not int or not 0 <= number <= most:
        raise ValueError
    return number


def _word(word: Any, *words: str) -> str:
    if type(word) is not str or word not in words:
        raise ValueError
    return word


def _of(kind: type[T], value: Any) -> T:
    if type(value) is not kind:
        raise ValueError
    return value


def needed(claim: ClaimFile) -> list[str]:
    """Return the files of a claim of that kind."""
    names = [LEVEL]
    if claim.value is not None:
        names.append(PLAN)
    if claim.groups:
        names.append(TABLES)
    if claim.has(PATTERNS):
        names.append(PATTERNS)
    if claim.kind == "states":
        names.append(STATES)
    return [*names, *PARTS[1 : claim.parts]]
