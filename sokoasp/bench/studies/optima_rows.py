"""Rows of the open table of proved optima: what the runs of a campaign add to it, and certificates of its rows."""

from __future__ import annotations

import contextlib
import json
import re
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from sokoasp import __version__
from sokoasp.bench.define import instances
from sokoasp.bench.report import judge
from sokoasp.bench.run.outcomes import OUTCOMES
from sokoasp.bench.run.store import Store
from sokoasp.core import limits
from sokoasp.core.errors import SokoaspError
from sokoasp.engine import certificates
from sokoasp.engine.proving import Request
from sokoasp.proof.folder import OBJECTIVES
from sokoasp.sokoban import canonical as forms
from sokoasp.sokoban import formats, optima_table, rules
from sokoasp.sokoban.level import Level
from sokoasp.sokoban.plan import Plan
from sokoasp.sokoban.validate import validate

_COLUMNS = ("instance", "objective", "outcome", "lower_bound", "plan", "limit_seconds", "counters", "digest")


class Certified(NamedTuple):
    """What came of a row's certificate."""

    row: optima_table.Optimum
    """The row, with the hash if there is one now."""
    verdict: str
    """``accepted``, ``open`` (none was made), or ``refused``: the row (or the maker) is wrong."""
    reported: str


def levels_of(store: Store) -> dict[str, tuple[Path, int, Level]]:
    """Return the Sokoban levels of a campaign by id, with file and number; those whose file has gone are left out."""
    found = {}
    asked = store.connection.execute("SELECT id, file, level FROM instance WHERE game = 'sokoban' ORDER BY file, level")
    for name, file, number in asked.fetchall():
        path = Path(file)
        if path.is_file():
            every = list(formats.read_each(path.read_bytes(), source=file))
            level = every[number - 1]
            if isinstance(level, Level):
                found[name] = (path, number, instances.with_solution(level, path, number, alone=len(every) == 1))
    return found


def add_runs(store: Store, table: optima_table.Table) -> Iterator[optima_table.Optimum]:
    """Add what a campaign's runs say to a table, as judged by comparing all runs; yield the rows that changed.

    A settled row stays as it is, but for one without a plan of ours, which gets one.
    """
    levels = levels_of(store)
    specs = {digest: json.loads(spec) for digest, spec in store.connection.execute("SELECT digest, spec FROM system")}
    solved = {name: "plan:" in known for name, known in store.connection.execute("SELECT id, known FROM instance")}
    for run in judge.rows(store, _COLUMNS, asked=False):
        if run["instance"] not in levels or not OUTCOMES[run["outcome"]].proper or " " in run["objective"]:
            continue  # a space: it was asked under constraints, or for a number of steps
        path, number, level = levels[run["instance"]]
        form, objective = forms.canonical(level), run["objective"]
        before = table.get(form.name, {}).get(objective)
        untried = optima_table.Optimum(
            form.name, objective, "open", "", "", *origin(path, number), "", "0", __version__
        )
        system = {**specs[run["digest"]], "came": solved[run["instance"]]}
        row = _merged(level, form, before or untried, run, system)
        if row != before:
            table.setdefault(form.name, {})[objective] = row
            yield row


def origin(path: Path, number: int) -> tuple[str, str]:
    """Return collection and number of a level: ``microban02_0063.sok`` is microban02 63, others are file and level."""
    parts = re.fullmatch(r"([A-Za-z]+(?:\d\d_)?)(\d{4})", path.stem)
    if parts is not None and number == 1:
        return parts[1].rstrip("_"), str(int(parts[2]))
    return f"{path.parent.name}/{path.name}", str(number)


def costs(level: Level, plan: Plan, objective: str) -> optima_table.Costs:
    """Referee a plan and return its costs, one for each part of the objective; IllegalPlan if it is no solution."""
    counts = validate(level, plan)
    return tuple(int(getattr(counts, name)) for name in objective.split("+"))


def _merged(
    level: Level, form: forms.Canonical, before: optima_table.Optimum, run: dict[str, Any], system: dict[str, Any]
) -> optima_table.Optimum:
    """Return a row with what a run adds to it: the better of both plans, the higher of both bounds."""
    if before.status == "unsolvable" or (before.status == "proved" and before.has_plan):
        return before
    given = "start" in json.loads(run["counters"] or "{}") and system.get("known") in (True, "table") and system["came"]
    value, moves = _cheapest(level, form, before, run["plan"], given=given)
    if run["outcome"] == "unsolvable":
        value, moves = (), ""
    if before.status == "proved" and not moves:
        return before  # still no plan of ours
    status = {"optimal": "proved", "unsolvable": "unsolvable"}.get(run["outcome"], "open")
    bound: optima_table.Costs = value if status == "proved" else (run["lower_bound"] or 0,)
    bound = max(bound, optima_table.parse(before.bound))
    if status == "open" and value and bound == value:
        status = "proved"
    return before._replace(
        status=status,
        value=optima_table.shown(value),
        bound="" if status == "unsolvable" else optima_table.shown(bound),
        closed_by=system.get("engine", "") + (" with known solution" if given else ""),
        limit=f"{max(run['limit_seconds'], float(before.limit) if before.status == 'open' else 0.0):g}",
        version=__version__,
        plan=moves,
        verified="",
    )


def _cheapest(
    level: Level, form: forms.Canonical, before: optima_table.Optimum, plan: str | None, *, given: bool
) -> tuple[optima_table.Costs, str]:
    """Return the least cost known, and our plan of that cost in the canonical orientation, empty if we have none.

    ``given``: the run began with the solution that came with the level, whose cost is kept and whose moves are not.
    """
    known = [(optima_table.parse(before.value), not before.plan, before.plan)] if before.value else []
    came = set()
    for text in level.solutions if given else ():
        with contextlib.suppress(SokoaspError):
            solved = formats.lurd.check_solution(level, text, source="")[0]
            came.add(solved.lurd)
            known.append((costs(level, solved, before.objective), True, ""))
    if plan:
        ours = rules.plan_from_lurd(level, plan)
        theirs = ours.lurd in came or (given and not came)  # without their solution at hand nobody can say whose it is
        moves = "" if theirs else form.turn.lurd(ours.lurd)
        known.append((costs(level, ours, before.objective), not moves, moves))
    value, _, moves = min(known, default=((), True, ""))
    return value, moves


def certify_row(
    level: Level, row: optima_table.Optimum, seconds: float, came: str = "", *, folder: Path | None = None
) -> Certified:
    """Certify what a settled row says of a level, check the certificate, and return the row with its hash.

    The certificate speaks of the level in its canonical picture with walls around it, so that it is the same from whatever way
    the level was drawn, and starts from the row's plan, or from ``came``, a solution (LURD in the level's own orientation) that
    came with the level. It is kept in ``folder``, if there is one.
    """
    if row.status == "open" or row.objective not in OBJECTIVES:
        return Certified(row, certificates.OPEN, optima_table.without_certificate(row))
    form = forms.canonical(level)
    wall = "#" * (len(form.rows[0]) + 2)
    (picture,) = formats.read("\n".join((wall, *(f"#{line}#" for line in form.rows), wall, "")))
    value: certificates.Value = None
    known = None
    without = row._replace(certificate="", certificate_bytes="", certificate_limit=f"{seconds:g}")
    with contextlib.nullcontext(folder) if folder is not None else tempfile.TemporaryDirectory() as place:
        if row.status == "proved":
            pair = optima_table.parse(row.value)
            value = pair if len(pair) == 2 else pair[0]
            try:
                known = rules.plan_from_lurd(picture, form.turn.lurd(row.plan if row.has_plan else came))
            except SokoaspError as error:
                return Certified(without, certificates.REFUSED, error.message)
        most = limits.CpuLimits(seconds=seconds, memory_mb=limits.free_mb())
        found = certificates.certify_value(picture, Path(place), Request(row.objective, most, known), value)
    if found.verdict == certificates.OPEN and row.certificate:
        return Certified(row, certificates.OPEN, found.note)
    if found.verdict != certificates.ACCEPTED:
        return Certified(without, found.verdict, found.note)
    new = without._replace(certificate=found.sha256, certificate_bytes=str(found.size))
    again = {"": "", found.sha256: ", the same as before"}.get(row.certificate, ", another than before")
    return Certified(new, certificates.ACCEPTED, f"accepted ({', '.join(found.steps)}): {found.note}{again}")


def add_certificates(store: Store, table: optima_table.Table, seconds: float) -> Iterator[Certified]:
    """Certify the settled rows of a campaign's levels that have no certificate, those with few boxes and cells first.

    A row that was given as many seconds before is not tried again.
    """
    levels = sorted(levels_of(store).values(), key=lambda place: len(place[2].boxes) * len(place[2].floor))
    for path, _, level in levels:
        for objective, turned in optima_table.look_up(level, table).items():
            wanted = turned.status != "open" and objective in OBJECTIVES and not turned.certificate
            came = solution_of(level, path, turned)
            if not wanted or came is None or float(turned.certificate_limit or 0) >= seconds:
                continue
            certified = certify_row(level, turned, seconds, came)
            row = certified.row._replace(plan=table[turned.board][objective].plan)
            table[turned.board][objective] = row
            yield certified._replace(row=row)


def solution_of(level: Level, path: Path, row: optima_table.Optimum) -> str | None:
    """Return the solution a row rests on, empty if it has its own plan or needs none, None if it is not at hand."""
    if row.has_plan or row.status != "proved":
        return ""
    came = instances.solution(level, path)
    if came is None or optima_table.shown(costs(level, came, row.objective)) != row.value:
        return None
    return str(came.lurd)
