"""``sokoasp serve``."""

from __future__ import annotations

import click

from sokoasp.cli.common import collections_of
from sokoasp.cli.options import FILES, recursive_option


@click.command(epilog="Example: sokoasp serve instances/tutorial/tutorial.xsb")
@click.argument("files", type=FILES, nargs=-1)
@recursive_option
@click.option("--host", default="127.0.0.1", show_default=True, help="Address to listen on.")
@click.option("--port", type=click.IntRange(0, 65535), default=8000, show_default=True, help="0 picks a free one.")
@click.option(
    "--allow-host",
    "names",
    multiple=True,
    metavar="NAME",
    help="Answer under this name, too (repeatable); needed with --host 0.0.0.0.",
)
def command(files: tuple[str, ...], recursive: bool, host: str, port: int, names: tuple[str, ...]) -> None:
    """Play levels and boards in the browser: tap to walk, hints, deadlock warnings, solve and watch.

    FILES are level files and folders of them. Whoever has the address that is printed, its token included, may use the page and
    this machine's processors.
    """
    from sokoasp import web

    serve = web.run  # says which extra is missing before anything is read
    own, _ = collections_of(files, recursive=recursive)
    serve(own, host=host, port=port, names=names, on_ready=lambda url: click.echo(f"playing at {url} (Ctrl-C ends)"))
