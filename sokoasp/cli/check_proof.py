"""``sokoasp check-proof``."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from sokoasp.cli.files import Source
from sokoasp.cli.options import FILE, IN_FOLDER
from sokoasp.cli.rows import Rows, rows_option
from sokoasp.core.errors import MissingExtra, SokoaspError
from sokoasp.proof.verify import verify


@click.command(epilog="Example: sokoasp check-proof first.certificate")
@click.argument("folder", type=IN_FOLDER)
@click.option(
    "--level",
    "wanted",
    type=FILE,
    help="The level, or a file of levels, that the certificate must be about, turned or not.",
)
@rows_option("folder valid level reason")
@click.pass_context
def command(ctx: click.Context, folder: Path, wanted: str | None, rows: Rows) -> None:
    """Check a certificate, or each in a folder of them, and report each step as it passes.

    The level is shown with its hash, the plan is replayed, the tables and the list of states are checked. Nothing is
    searched. Exit codes: 0 valid, 30 invalid, with the step that failed and why.
    """
    among = None if wanted is None else [found.problem for found in Source((wanted,)).levels()]
    faults = [problem for problem in among or () if isinstance(problem, SokoaspError)]
    if among and len(faults) == len(among):
        raise faults[0]  # that says nothing of the certificate
    # a folder of certificates, as certify makes it of several levels
    inside = [] if (folder / "claim.json").exists() else sorted(path.parent for path in folder.glob("*/claim.json"))
    valid = []
    for one in inside or [folder]:
        if inside and not rows:
            click.echo(f"{one}:")
        valid.append(_valid(one, among, rows))
    ctx.exit(0 if all(valid) else 30)


def _valid(folder: Path, among: list[Any] | None, rows: Rows) -> bool:
    """Check a certificate, print its steps, or its row, and return whether it is valid."""
    steps: list[dict[str, str]] = []
    level: dict[str, str] = {}
    reason: str | None = None
    try:
        for passed in verify(folder, among=among):
            steps.append({"step": passed.name, "told": passed.reported})
            if passed.picture:
                level = {"level": passed.level, "picture": passed.picture}
            if not rows:
                click.echo(f"{passed.name:>10}: {passed.reported}")
                for row in passed.picture.splitlines():
                    click.echo(f"{'':>12}{row}")
    except MissingExtra:
        raise
    except SokoaspError as error:
        reason = error.message
    if rows:
        rows.write({"folder": str(folder), "valid": reason is None, **level, "steps": steps, "reason": reason})
    else:
        click.echo("     valid: the claim holds" if reason is None else f"   INVALID: {reason}")
    return reason is None
