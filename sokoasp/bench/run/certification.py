"""Certificates of what a campaign has decided: made and checked after the runs, so that no run's time has them in it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import astuple, dataclass, fields, replace
from pathlib import Path

from sokoasp.bench.define import instances
from sokoasp.bench.define.suite import Suite
from sokoasp.bench.run.store import Store
from sokoasp.core.errors import SokoaspError
from sokoasp.core.limits import Limits
from sokoasp.domain import Problem, domain_of
from sokoasp.engine.certificates import ACCEPTED, OPEN, REFUSED, certify_value
from sokoasp.engine.proving import Request
from sokoasp.proof.folder import FORMAT

FOLDER = "certificates"
SCHEMA = """CREATE TABLE IF NOT EXISTS certificate (
  instance TEXT NOT NULL, objective TEXT NOT NULL, value INTEGER, verdict TEXT NOT NULL, kind TEXT NOT NULL,
  sha256 TEXT NOT NULL, note TEXT NOT NULL, made REAL NOT NULL, checked REAL NOT NULL,
  PRIMARY KEY (instance, objective, value))"""


@dataclass(frozen=True, slots=True)
class CampaignCertification:
    """What came of certifying one decided question."""

    instance: str
    objective: str
    value: int | None
    """The value that runs have proved; None: that there is no plan."""
    verdict: str
    """As ``engine.certificates`` has them; ``refused``: what the runs say is not so."""
    kind: str = ""
    sha256: str = ""
    """Of the folder's ``claim.json``, which has the sums of its other files."""
    note: str = ""
    made: float = 0.0
    checked: float = 0.0
    """CPU seconds."""


def certify_campaign(
    suite: Suite, store: Store, output: Path, limits: Limits, own: Path | None
) -> Iterator[CampaignCertification]:
    """Certify every value that the stored runs have proved, each once, and keep hash and verdict in the store.

    Args:
        suite: The suite the campaign was run with.
        store: Its store.
        output: Its folder; certificates go to ``certificates/INSTANCE-OBJECTIVE`` in it.
        limits: Of each certificate.
        own: What ``{instances}`` in the suite stands for.

    Raises:
        SokoaspError: The suite's instances cannot be read.
    """
    problems = {one.id: one.problem for one in instances.expand(suite, own)}
    with store.connection:
        store.connection.execute(SCHEMA)
    known = {
        (s.instance, s.objective, s.value)
        for s in certificates(store)
        if s.verdict == REFUSED
        or (s.verdict == ACCEPTED and s.note.startswith(f"{FORMAT} 2"))  # others are of an older format
    }
    asked = store.connection.execute(
        "SELECT instance, objective, value, max(plan) FROM run WHERE outcome IN ('optimal', 'unsolvable') AND question = '' "
        "GROUP BY instance, objective, value ORDER BY instance, objective"
    ).fetchall()
    for instance, objective, value, plan in asked:
        if (instance, objective, value) in known or instance not in problems:
            continue
        certificate = _certify(
            problems[instance], CampaignCertification(instance, objective, value, OPEN), plan, output, limits
        )
        row = astuple(certificate)
        with store.connection:
            # NULLs are all different to a primary key: the old row of an unsolvable level goes by hand
            store.connection.execute(
                "DELETE FROM certificate WHERE instance = ? AND objective = ? AND value IS ?", row[:3]
            )
            store.connection.execute(f"INSERT INTO certificate VALUES ({','.join('?' * len(row))})", row)
        yield certificate


def _certify(
    problem: Problem, asked: CampaignCertification, plan: str | None, output: Path, limits: Limits
) -> CampaignCertification:
    place = output / FOLDER / f"{asked.instance}-{asked.objective}"
    try:
        known = None if plan is None else domain_of(problem).texts.read_plan(problem, plan, "the stored plan")
    except SokoaspError as error:
        return replace(asked, verdict=REFUSED, note=error.message)
    found = certify_value(problem, place, Request(asked.objective, limits, known), asked.value)
    note = f"{FORMAT} 2, check-proof: {', '.join(found.steps)}" if found.verdict == ACCEPTED else found.note
    return replace(
        asked,
        verdict=found.verdict,
        kind=found.kind,
        sha256=found.sha256,
        note=note,
        made=found.make,
        checked=found.check,
    )


def certificates(store: Store) -> list[CampaignCertification]:
    """Return what is kept of certificates, nothing for a campaign that has none."""
    there = store.connection.execute("SELECT 1 FROM sqlite_master WHERE name = 'certificate'").fetchone()
    if there is None:
        return []
    names = ", ".join(one.name for one in fields(CampaignCertification))
    return [
        CampaignCertification(*row)
        for row in store.connection.execute(f"SELECT {names} FROM certificate ORDER BY instance, objective")
    ]
