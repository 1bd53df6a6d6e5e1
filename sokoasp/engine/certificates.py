"""Certificates made and checked at once: for a result, for a run of a campaign, and for what a table says."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sokoasp.core.errors import EncodingError, MissingExtra, SokoaspError, counted
from sokoasp.core.limits import Limits
from sokoasp.core.result import Result, Status
from sokoasp.domain import Problem
from sokoasp.engine.checking import counts_of
from sokoasp.engine.proving import Made, Request, certify
from sokoasp.proof.folder import TIES, sha256
from sokoasp.proof.refusals import Refused
from sokoasp.proof.verify import verify

ACCEPTED, OPEN, REFUSED = "accepted", "open", "refused"
CHECKER = "sokoasp check-proof"
Value = int | tuple[int, ...] | None
"""Actions of a plan, of a tie-break in the order in which they count; None: there is no plan."""


@dataclass(frozen=True, slots=True)
class Certificate:
    """What came of making a certificate and checking it."""

    verdict: str
    """``accepted`` by check-proof, ``open`` (a limit came first, or no such certificate can be made here), or ``refused``:
    what was to be certified is not so."""
    note: str
    """What it shows, or why there is none."""
    made: Made | None = None
    """What the maker says; None: it could not say anything."""
    steps: tuple[str, ...] = ()
    """Steps of check-proof that passed."""
    sha256: str = ""
    """Of the folder's ``claim.json``, which has the sums of its other files; empty unless accepted."""
    size: int = 0
    """Bytes of the folder's files."""

    @property
    def kind(self) -> str:
        """Return ``states`` or ``solved``; empty without a certificate."""
        return "" if self.made is None or self.made.claim is None else self.made.claim.kind


def make_certificate(problem: Problem, folder: Path, request: Request) -> Certificate:
    """Make a certificate in ``folder`` and check it.

    Raises:
        Refused: The certificate that was made does not hold.
        KeyboardInterrupt: Ctrl-C has ended the making of it.
        SokoaspError: As for ``certify``.
    """
    made = certify(problem, folder, request)
    if made.stopped_by == "interrupt":
        raise KeyboardInterrupt
    if made.claim is None:
        return Certificate(OPEN, made.reported, made)
    steps = tuple(step.name for step in verify(folder, among=[problem]))
    size = sum(path.stat().st_size for path in folder.iterdir())
    return Certificate(ACCEPTED, made.reported, made, steps, sha256(folder / "claim.json"), size)


def certify_value(problem: Problem, folder: Path, request: Request, value: Value) -> Certificate:
    """Make a certificate of a value that somebody says is proved (None: that there is no plan), and check it.

    Any fault of plan, value or certificate is a verdict, no exception.
    """
    try:
        found = make_certificate(problem, folder, request)
    except (MissingExtra, EncodingError) as error:  # nothing was looked at: that says nothing of the value
        return Certificate(OPEN, error.message)
    except SokoaspError as error:
        return Certificate(REFUSED, error.message)
    if other := _other(found, value, request.objective):
        return Certificate(REFUSED, other, found.made)
    return found


def _other(found: Certificate, value: Value, objective: str) -> str:
    """Return what a certificate shows, if that is another value than this; else nothing."""
    claim = None if found.made is None else found.made.claim
    if claim is None or claim.cost == value:
        return ""
    shown, said = (_shown(one, objective) for one in (claim.cost, value))
    return f"the certificate shows {shown}, not {said}"


def _shown(value: Value, objective: str) -> str:
    if isinstance(value, tuple):
        return " and ".join(counted(one, name) for one, name in zip(value, objective.split("+"), strict=True))
    return "that there is no plan" if value is None else counted(value, objective)


def certify_result(problem: Problem, result: Result, folder: Path, limits: Limits) -> Mapping[str, Any]:
    """Certify what a result has proved and check the certificate at once.

    Returns:
        The row of the contract: ``folder`` (None without one), ``checked``, and if it is: ``kind``, ``by`` and ``sha256``
        of the claim; else ``note``.

    Raises:
        Refused: The certificate that was made does not hold, or shows another value than the result's.
        SokoaspError: As for ``certify``.
    """
    if result.status not in (Status.OPTIMAL, Status.UNSOLVABLE):
        return {"folder": None, "checked": False, "note": "nothing is proved that could be certified"}
    cost, objective = result.cost, result.objective
    if (
        result.plan is not None
        and cost is not None
        and not cost.preferences
        and f"{objective}+{'+'.join(cost.then)}" == TIES
    ):
        objective = TIES
    found = make_certificate(problem, folder, Request(objective, limits, result.plan))
    if found.verdict == OPEN:
        return {"folder": None, "checked": False, "note": found.note}
    counts = counts_of(problem, result)
    costs = tuple(counts[name] for name in objective.split("+")) if counts else ()
    value: Value = costs if len(costs) > 1 else result.value
    if costs and value is None:
        (value,) = costs
    if other := _other(found, value, objective):
        raise Refused(other)
    return {
        "folder": str(folder),
        "checked": True,
        "kind": found.kind,
        "by": f"{CHECKER} ({', '.join(found.steps)})",
        "sha256": found.sha256,
    }
