"""A table of certificates: made, checked at once, with what that took and the hash that names each."""

from __future__ import annotations

import resource
import tempfile
import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from sokoasp.bench.studies.kept_rows import KeptRows, level_name
from sokoasp.core.errors import SokoaspError
from sokoasp.core.limits import CpuLimits, free_mb
from sokoasp.domain import Problem, domain_for
from sokoasp.engine.proving import Request, certify
from sokoasp.proof.folder import sha256
from sokoasp.proof.verify import verify


@dataclass(frozen=True, slots=True)
class CertificateRow:
    """One level of the table; seconds are CPU seconds, those of solvers included."""

    name: str
    objective: str
    limit: float
    """CPU seconds the making had; a refutation's solver has as many for itself."""
    value: int | None = None
    kind: str = ""
    """Empty: no certificate was made."""
    reported: str = ""
    kilobytes: float = 0.0
    made: float = 0.0
    checked: float = 0.0
    sha256: str = ""
    """Of ``claim.json``, once the certificate is accepted."""
    asked: str = "auto"
    """Which kind was asked for: ``auto``, ``states`` or ``refutation``."""


def certificate_rows(
    files: Iterable[Path], objective: str, seconds: float, *, kind: str = "auto", rows: Path | None = None
) -> Iterator[CertificateRow]:
    """Certify every level or board of the files, check each certificate, and yield its row as soon as it is there.

    Args:
        files: Files of levels or boards.
        objective: What is counted.
        seconds: CPU seconds for each.
        kind: ``auto``, ``states`` or ``refutation``.
        rows: A file that keeps the rows: what stands there for this question is not made again.

    Raises:
        SokoaspError: A file is no level file, or a certificate that was made is refused.
    """
    kept = KeptRows(rows, CertificateRow, lambda row: (row.name, row.objective, row.limit, row.asked))
    for path in files:
        data = path.read_bytes()
        domain = domain_for(data, str(path))
        if objective not in domain.objectives:
            raise SokoaspError(
                f"{domain.name} counts {', '.join(domain.objectives)}, not {objective}", source=str(path)
            )
        for number, problem in enumerate(domain.read(data, str(path)), 1):
            if isinstance(problem, SokoaspError):
                raise problem
            asked = CertificateRow(level_name(path, number), objective, seconds, asked=kind)
            row = kept.get((asked.name, objective, seconds, kind))
            if row is None:
                row = certificate_row(problem, asked)
                kept.add(row)
            yield row


def certificate_row(problem: Problem, asked: CertificateRow) -> CertificateRow:
    """Make one certificate and check it.

    Raises:
        Refused: What was made does not hold.
    """
    with tempfile.TemporaryDirectory() as place:
        folder, began = Path(place), _cpu()
        limits = CpuLimits(seconds=asked.limit, memory_mb=free_mb())
        made = certify(problem, folder, Request(asked.objective, limits, kind=asked.asked))
        row = replace(asked, value=made.value, reported=made.reported, made=round(_cpu() - began, 3))
        if made.claim is None:
            return row
        began = _cpu()
        for _step in verify(folder):
            pass
        size = sum(path.stat().st_size for path in folder.iterdir()) / 1000
        return replace(
            row,
            kind=made.claim.kind,
            kilobytes=round(size, 1),
            checked=round(_cpu() - began, 3),
            sha256=sha256(folder / "claim.json"),
        )


def _cpu() -> float:
    """Return the CPU seconds of this process and of its children that have ended."""
    children = resource.getrusage(resource.RUSAGE_CHILDREN)
    return time.process_time() + children.ru_utime + children.ru_stime


def certificates_markdown(rows: Iterable[CertificateRow]) -> Iterator[str]:
    """Yield the lines of a Markdown table, each as soon as its row is there, and a closing line of counts."""
    yield "| level | value | shown by | folder, kB | made, CPU s | checked, CPU s |"
    yield "|---|---|---|---|---|---|"
    seen: list[CertificateRow] = []
    for row in rows:
        seen.append(row)
        value = "" if row.value is None else row.value
        yield f"| {row.name} | {value} | {row.reported} | {row.kilobytes:.1f} | {row.made:.2f} | {row.checked:.2f} |"
    good = [row for row in seen if row.kind]
    made, checked = sum(row.made for row in good), sum(row.checked for row in good)
    yield ""
    yield f"{len(good)} of {len(seen)} made and accepted; made in {made:.0f}, checked in {checked:.0f} CPU s"
