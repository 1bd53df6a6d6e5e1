"""``sokoasp optima``."""

from __future__ import annotations

import shlex
from collections import Counter
from pathlib import Path
from typing import Any

import click

from sokoasp.bench.studies.optima_rows import certify_row, solution_of
from sokoasp.cli.files import Found, Source, problem_options
from sokoasp.cli.options import IN_FOLDER, OUT_FOLDER, time_option
from sokoasp.cli.rows import Rows, each, rows_option
from sokoasp.core.errors import counted
from sokoasp.sokoban import optima_table

_COLUMNS = (
    "file level board objective status value bound origin collection number closed_by limit version certificate "
    "certificate_bytes certificate_limit verified plan verdict reason error"
)
_USUAL = 10.0
"""Seconds of a proof or a certificate."""


@click.command(epilog="Example: sokoasp optima instances/tutorial/first.xsb")
@problem_options
@click.option("--verify", is_flag=True, help="Referee every plan and prove every bound again.")
@click.option(
    "--certify",
    type=OUT_FOLDER,
    metavar="DIR",
    help="Make the certificates that the table names again, in DIR, and check them.",
)
@click.option("--table", type=IN_FOLDER, hidden=True)
@time_option("Wall seconds of each proof or certificate; default: 10, or as long as the certificate took its maker.")
@rows_option(_COLUMNS)
@click.pass_context
def command(
    ctx: click.Context,
    source: Source,
    verify: bool,
    certify: Path | None,
    table: Path | None,
    time_limit: float | None,
    rows: Rows,
) -> None:
    """Print what is known of each level: proved optima and our plans, whatever way the level was turned or walled in.

    Of several levels each has a line; --level N, --csv and --json also have plans, origins and certificates. Exit codes: 0
    looked up (or verified), 1 a row of the table is wrong, 30 bad input.
    """
    if verify and certify is not None:
        raise click.UsageError("--verify and --certify are two questions: give one of them")
    if time_limit is not None and not verify and certify is None:
        raise click.UsageError("--time-limit goes with --verify or --certify")
    known = optima_table.shipped() if table is None else optima_table.read(table)
    verdicts: Counter[str] = Counter()

    def act(asked: Found) -> int:
        level, file = asked.problem, Path(asked.file)
        if asked.domain.name != "sokoban":
            raise click.UsageError("the table of optima is about Sokoban levels")
        found, checks = optima_table.look_up(level, known), {}
        if verify:
            from sokoasp.bench.studies.optima_check import second_looks

            checks = second_looks(level, file, found, time_limit or _USUAL)
            verdicts.update(verdict for verdict, _ in checks.values())
        place = Path(f"{file.stem}.certificates") if certify is None else certify
        place /= asked.name if source.many and certify is not None else str(asked.number)
        if certify is not None:
            checks = _certified(level, found, place, file, time_limit)
        details = verify or certify is not None or source.one_number or (asked.alone and not source.many)
        _show(asked, found, checks, rows, details)
        if details and not rows and (named := [name for name, row in sorted(found.items()) if row.certificate]):
            _print_commands(asked, named, place, table, made=certify is not None)
        return 1 if any(verdict == "WRONG" for verdict, _ in checks.values()) else 0

    code = each(source.levels(), act, rows)
    if verify and not rows:
        click.echo(", ".join(f"{count} {verdict}" for verdict, count in sorted(verdicts.items())) or "no row to verify")
    ctx.exit(code)


def _show(asked: Found, known: dict[str, Any], checks: dict[str, tuple[str, str]], rows: Rows, details: bool) -> None:
    """Print a level's rows of the table, with the verdicts of those that were checked, or in one line what they know."""
    if rows and not known:
        rows.write({**asked.row, "status": "unknown"})
    elif not (rows or (details and known)):
        shown = "; ".join(dict.fromkeys(optima_table.told(**row._asdict()) for _, row in sorted(known.items())))
        shown = shown.replace("; known optimum ", "; ") or "not in the table"
        click.echo(f"{asked.heading}: {shown}")
        return
    for name, row in sorted(known.items()):
        if rows:
            verdict = {"verdict": checks[name][0], "reason": checks[name][1]} if name in checks else {}
            rows.write({**asked.row, **row._asdict(), **verdict})
        else:
            _print_row(asked.place, row, checks.get(name))


def _print_row(place: str, row: Any, check: tuple[str, str] | None) -> None:
    click.echo(f"{place}: {optima_table.told(**row._asdict())} ({row.origin}; {row.closed_by}, sokoasp {row.version})")
    if row.plan:
        click.echo(f"  {row.plan}")
    if row.status != "open" and (reason := optima_table.without_certificate(row)):
        click.echo(f"  no certificate: {reason}")
    if check is not None:
        click.echo(f"  {check[0]}: {check[1]}")


def _certified(
    level: Any, rows: dict[str, Any], folder: Path, file: Path, wanted: float | None
) -> dict[str, tuple[str, str]]:
    """Make the certificates of a level's rows again; return a verdict and its reason for each."""
    verdicts = {}
    for name, row in rows.items():
        if not row.certificate:
            continue
        came = solution_of(level, file, row)
        if came is None:
            verdicts[name] = ("no plan", "the table has none, nor has the level's file")
            continue
        seconds = wanted or max(_USUAL, float(row.certificate_limit or 0))  # those that its maker had
        made = certify_row(level, row, seconds, came, folder=folder / name)
        same = "holds" if made.row.certificate == row.certificate else "another certificate"
        verdict = {"refused": "WRONG", "open": "not made"}.get(made.verdict, same)
        verdicts[name] = (verdict, made.reported)
    return verdicts


def _print_commands(asked: Found, named: list[str], place: Path, table: Path | None, *, made: bool) -> None:
    """Print the commands that make the certificates of a level's rows again, in a place, and check them."""
    name, own = shlex.quote(asked.file), "" if table is None else f" --table {shlex.quote(str(table))}"
    how = "checked by" if made else "made again by the first command, checked by the others"
    click.echo(f"{asked.place}: {counted(len(named), 'certificates')} for {', '.join(named)}, {how}:")
    if not made:
        folder = shlex.quote(str(place.parent))
        click.echo(f"  sokoasp optima {name} --level {asked.number}{own} --certify {folder}")
    for objective in named:
        click.echo(f"  sokoasp check-proof {shlex.quote(str(place / objective))} --level {name}")
