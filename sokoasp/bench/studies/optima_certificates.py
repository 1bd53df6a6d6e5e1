"""Certificates of the table's rows: made from the row's own plan, checked at once, named in the table by their hash."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, replace
from pathlib import Path

from sokoasp.bench.define.instances import solution
from sokoasp.bench.studies.optima_campaign import costs, levels, saving
from sokoasp.core.errors import SokoaspError
from sokoasp.core.limits import CpuLimits, free_mb
from sokoasp.engine.certificates import ACCEPTED, OPEN, REFUSED, Value, certify_value
from sokoasp.engine.proving import Request
from sokoasp.proof.folder import OBJECTIVES, sha256
from sokoasp.sokoban import formats, optima_table, rules
from sokoasp.sokoban.canonical import canonical
from sokoasp.sokoban.level import Level
from sokoasp.sokoban.optima_table import Optimum, Table, without_certificate


@dataclass(frozen=True, slots=True)
class Certified:
    """What came of a row's certificate."""

    row: Optimum
    """The row, with the hash if there is one now."""
    verdict: str
    """``accepted``, ``open`` (none was made), or ``refused``: the row (or the maker) is wrong."""
    reported: str


def framed(rows: Sequence[str]) -> str:
    """Return a canonical picture, which stops where the floor does, as a level with walls around it."""
    wall = "#" * (len(rows[0]) + 2)
    return "\n".join((wall, *(f"#{row}#" for row in rows), wall, ""))


def certify_row(level: Level, row: Optimum, seconds: float, came: str = "", *, folder: Path | None = None) -> Certified:
    """Certify what a settled row says of a level, check the certificate, and return the row with its hash.

    The certificate speaks of the level in its canonical picture with walls around it, so that it is the same from whatever way
    the level was drawn, and starts from the row's plan, or from ``came``, a solution (LURD in the level's own orientation) that
    came with the level. It is kept in ``folder``, if there is one.
    """
    if not _can_be_certified(row):
        return Certified(row, OPEN, without_certificate(row))
    form = canonical(level)
    (picture,) = formats.read(framed(form.rows))
    value: Value = None
    known = None
    without = row._replace(certificate="", certificate_bytes="", certificate_limit=f"{seconds:g}")
    with nullcontext(folder) if folder is not None else tempfile.TemporaryDirectory() as place:
        if row.status == "proved":
            pair = tuple(map(int, row.value.split("+")))
            value = pair if len(pair) > 1 else pair[0]
            try:
                known = rules.plan_from_lurd(picture, form.turn.lurd(row.plan if row.has_plan else came))
            except SokoaspError as error:
                return Certified(without, REFUSED, error.message)
        limits = CpuLimits(seconds=seconds, memory_mb=free_mb())
        found = certify_value(picture, Path(place), Request(row.objective, limits, known), value)
    if found.verdict == OPEN and row.certificate:
        return Certified(row, OPEN, found.note)
    if found.verdict != ACCEPTED:
        return Certified(without, found.verdict, found.note)
    new = without._replace(certificate=found.sha256, certificate_bytes=str(found.size))
    again = {"": "", found.sha256: ", the same as before"}.get(row.certificate, ", another than before")
    return Certified(new, ACCEPTED, f"accepted ({', '.join(found.steps)}): {found.note}{again}")


def add_certificates(
    files: Iterable[Path],
    folder: Path,
    seconds: float,
    objectives: tuple[str, ...],
    *,
    keep: Path | None = None,
    again: bool = False,
) -> Iterator[Certified]:
    """Certify the settled rows of the table in ``folder`` that have no certificate, easy ones first, and keep the hashes.

    A row that was given as many seconds before is not tried again. Certificates are kept as ``keep/BOARD/OBJECTIVE``.
    With ``again`` the rows that have one come as well, but for those whose certificate is in ``keep`` already: each gets the
    seconds that its maker had, if that is more, and keeps its certificate when it cannot be made.

    Raises:
        NotationError: The table cannot be read.
    """
    table, done = optima_table.read(folder), set[tuple[str, str]]()

    def wanted(row: Optimum) -> bool:
        if (row.board, row.objective) in done or row.objective not in objectives or not _can_be_certified(row):
            return False
        if row.certificate:
            return again and not (keep is not None and is_in(keep, row))
        return float(row.certificate_limit or 0) < seconds

    with saving(folder, table) as save:
        for level, turned, came in sorted(_rested(files, table, wanted), key=_difficulty):
            row = table[turned.board][turned.objective]
            if not wanted(row):
                continue  # the same board in another file
            place = None if keep is None else keep / row.board / row.objective
            limit = max(seconds, float(row.certificate_limit or 0))
            certified = certify_row(level, turned, limit, came, folder=place)
            new = certified.row._replace(plan=row.plan)
            table[row.board][row.objective] = new
            done.add((row.board, row.objective))
            yield replace(certified, row=new)
            save()


def is_in(keep: Path, row: Optimum) -> bool:
    """Find out whether the certificate that a row names is there, as ``keep/BOARD/OBJECTIVE``."""
    claim = keep / row.board / row.objective / "claim.json"
    return claim.is_file() and sha256(claim) == row.certificate


def _rested(
    files: Iterable[Path], table: Table, wanted: Callable[[Optimum], bool]
) -> Iterator[tuple[Level, Optimum, str]]:
    """Yield the rows to certify in their level's own orientation, with the solution that they rest on."""
    for path, _, level in levels(files):
        for row in optima_table.look_up(level, table).values():
            if wanted(row):
                came = solution_of(level, path, row)
                if came is not None:
                    yield level, row, came


def _can_be_certified(row: Optimum) -> bool:
    return row.status != "open" and row.objective in OBJECTIVES


def _difficulty(found: tuple[Level, Optimum, str]) -> int:
    """Return a rough measure of a list's size: with ``moves`` the player's cell is part of a state, as a box's is."""
    level, row, _ = found
    return (len(level.boxes) + 3 * (row.objective == "moves")) * len(level.floor)


def solution_of(level: Level, path: Path, row: Optimum) -> str | None:
    """Return the solution a row rests on, empty if it has its own plan or needs none, None if it is not at hand."""
    if row.has_plan or row.status != "proved":
        return ""
    came = solution(level, path)
    if came is None or optima_table.shown(costs(level, came, row.objective)) != row.value:
        return None
    return came.lurd
