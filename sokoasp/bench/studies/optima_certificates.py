"""Certificates of the table's rows: made from the row's own plan, checked at once, named in the table by their hash."""

from __future__ import annotations

import tempfile
from collections.abc import Iterable, Iterator, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, replace
from pathlib import Path

from sokoasp.bench.define.instances import solution
from sokoasp.bench.studies.optima_campaign import costs, levels, saving
from sokoasp.core.errors import SokoaspError
from sokoasp.core.limits import CpuLimits, free_mb
from sokoasp.engine.proving import Request, certify
from sokoasp.proof.folder import OBJECTIVES, sha256
from sokoasp.proof.verify import verify
from sokoasp.sokoban import formats, optima_table, rules
from sokoasp.sokoban.canonical import canonical
from sokoasp.sokoban.level import Level
from sokoasp.sokoban.optima_table import Optimum


@dataclass(frozen=True, slots=True)
class Certified:
    """What came of a row's certificate."""

    row: Optimum
    """The row, with the hash if there is one now."""
    reported: str
    wrong: bool = False
    """The certificate shows something else, or was refused: the row (or the maker) is wrong."""


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
    if row.objective not in OBJECTIVES["sokoban"] or row.status == "open":
        return Certified(row, "no certificate is made of an open or tie-broken row")
    form = canonical(level)
    (picture,) = formats.read(framed(form.rows))
    moves = form.turn.lurd(row.plan if row.has_plan else came)
    known = rules.plan_from_lurd(picture, moves) if row.status == "proved" else None
    with nullcontext(folder) if folder is not None else tempfile.TemporaryDirectory() as place:
        try:
            limits = CpuLimits(seconds=seconds, memory_mb=free_mb())
            made = certify(picture, Path(place), Request(row.objective, limits, known))
            if made.claim is None:
                return Certified(row, made.reported)
            if row.value != ("" if made.value is None else str(made.value)):
                return Certified(
                    replace(row, certificate=""), f"the certificate shows {made.value}, not {row.value}", True
                )
            steps = [step.name for step in verify(Path(place))]
        except SokoaspError as error:
            return Certified(replace(row, certificate=""), error.message, True)
        digest = sha256(Path(place) / "claim.json")
    again = (
        "" if not row.certificate else ", the same as before" if row.certificate == digest else ", another than before"
    )
    return Certified(replace(row, certificate=digest), f"accepted ({', '.join(steps)}): {made.reported}{again}")


def add_certificates(
    files: Iterable[Path], folder: Path, seconds: float, objectives: tuple[str, ...]
) -> Iterator[Certified]:
    """Certify the settled rows of the table in ``folder`` that have no certificate, small levels first, and keep the hashes.

    Raises:
        NotationError: The table cannot be read.
    """
    table = optima_table.read(folder)
    with saving(folder, table) as save:
        for path, _, level in levels(files):
            known = optima_table.look_up(level, table)
            for turned in (known[objective] for objective in objectives if objective in known):
                row = table[turned.board][turned.objective]
                if row.certificate or row.status == "open":
                    continue
                came = solution_of(level, path, row)
                if came is None:
                    continue
                certified = certify_row(level, turned, seconds, came)
                table[row.board][row.objective] = replace(row, certificate=certified.row.certificate)
                yield certified
            save()


def solution_of(level: Level, path: Path, row: Optimum) -> str | None:
    """Return the solution a row rests on, empty if it has its own plan or needs none, None if it is not at hand."""
    if row.has_plan or row.status != "proved":
        return ""
    came = solution(level, path)
    if came is None or optima_table.shown(costs(level, came, row.objective)) != row.value:
        return None
    return came.lurd
