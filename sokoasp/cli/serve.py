"""``sokoasp serve``."""

from __future__ import annotations

from pathlib import Path

import click

from sokoasp.cli.common import read_text
from sokoasp.cli.options import FILE, IN_FILE


@click.command(epilog="Example: sokoasp serve instances/tutorial/tutorial.xsb")
@click.argument("file", type=FILE, required=False)
@click.option("--host", default="127.0.0.1", show_default=True, help="Address to listen on.")
@click.option("--port", type=click.IntRange(0, 65535), default=8000, show_default=True, help="0 picks a free one.")
@click.option(
    "--positions",
    type=IN_FILE,
    metavar="DB",
    help="Look hints on Klotski boards up in a file of klotski-db (default: x.kdb beside x.klotski, if it is there).",
)
def command(file: str | None, host: str, port: int, positions: Path | None) -> None:
    """Play levels and boards in the browser: tap to walk, hints, deadlock warnings, solve and watch."""
    from sokoasp import web
    from sokoasp.web.settings import Settings

    serve = web.run  # says which extra is missing before anything is read
    text, name = "", ""
    if file is not None:
        text, name = read_text(file)
        beside = Path(file).with_suffix(".kdb")
        positions = positions or (beside if beside.is_file() else None)
    settings = Settings(positions=str(positions.resolve()) if positions else "")
    serve(
        text,
        name,
        host=host,
        port=port,
        settings=settings,
        on_ready=lambda url: click.echo(f"playing at {url} (Ctrl-C ends)"),
    )
