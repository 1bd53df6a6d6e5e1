"""``sokoasp serve``."""

from __future__ import annotations

import click

from sokoasp.cli.common import FILE, read_bytes


@click.command(epilog="Example: sokoasp serve instances/tutorial/tutorial.xsb")
@click.argument("file", type=FILE, required=False)
@click.option("--host", default="127.0.0.1", show_default=True, help="Address to listen on.")
@click.option("--port", type=click.IntRange(0, 65535), default=8000, show_default=True, help="0 picks a free one.")
def command(file: str | None, host: str, port: int) -> None:
    """Play levels and boards in the browser: tap to walk, hints, deadlock warnings, solve and watch."""
    from sokoasp import web

    text, name = "", ""
    if file is not None:
        data, name = read_bytes(file)
        text = data.decode("utf-8", "replace")
    web.run(text, name, host=host, port=port, on_ready=lambda url: click.echo(f"playing at {url} (Ctrl-C ends)"))
