"""``sokoasp check-proof``."""

from __future__ import annotations

from pathlib import Path

import click

from sokoasp.cli.common import emit, json_option


@click.command(epilog="Example: sokoasp check-proof first.certificate")
@click.argument("folder", type=click.Path(exists=True, file_okay=False, path_type=Path))
@click.option("--outside", is_flag=True, help="Also ask lrat-check, cake_lpr and drat-trim, if they are on the PATH.")
@json_option
@click.pass_context
def command(ctx: click.Context, folder: Path, outside: bool, as_json: bool) -> None:
    """Check a certificate, telling each step as it passes.

    The plan is replayed, the formula made again from the level, the refutation or the list of states checked. No search, no
    solver. Exit codes: 0 valid, 30 invalid, with the step that failed and why.
    """
    from sokoasp.core.errors import MissingExtra, SokoaspError
    from sokoasp.proof.verify import verify

    steps = []
    try:
        for passed in verify(folder, outside=outside):
            steps.append({"step": passed.name, "told": passed.reported})
            if not as_json:
                click.echo(f"{passed.name:>10}: {passed.reported}")
    except MissingExtra:
        raise
    except SokoaspError as error:
        if as_json:
            emit({"folder": str(folder), "valid": False, "steps": steps, "reason": error.message})
            ctx.exit(30)
        click.echo(f"   INVALID: {error.message}")
        ctx.exit(30)
    if as_json:
        emit({"folder": str(folder), "valid": True, "steps": steps, "reason": None})
    else:
        click.echo("     valid: the claim holds")
