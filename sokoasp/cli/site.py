"""``sokoasp site``."""

from __future__ import annotations

from pathlib import Path

import click

from sokoasp.cli.common import collections_of
from sokoasp.cli.options import FILES, OUT_FOLDER, recursive_option
from sokoasp.core.errors import SokoaspError, counted
from sokoasp.web import clingo_wasm as wasm
from sokoasp.web import site


@click.command(epilog="Example: sokoasp site -o public instances/tutorial/first.xsb --without-clingo")
@click.argument("files", type=FILES, nargs=-1)
@recursive_option
@click.option("-o", "--output", required=True, type=OUT_FOLDER, metavar="DIR", help="Folder to write.")
@click.option(
    "--clingo-wasm",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    metavar="FILE",
    help="Take clingo from here (the .tgz of the npm package clingo-wasm) instead of from npm.",
)
@click.option("--without-clingo", is_flag=True, help="Make the site without clingo, and so without the ASP window.")
def command(files: tuple[str, ...], output: Path, clingo_wasm: Path | None, without_clingo: bool, **how: bool) -> None:
    """Write the player page as a folder for any web host: no server, nothing fetched from elsewhere.

    Levels of FILES, which may be folders, come first, before the bundled ones. The ASP window needs clingo for the browser. It
    is fetched by npm (package clingo-wasm) unless it is given. Where it cannot be had, a note says that the window is missing.
    Exit codes: 0 made, 30 made, but some levels are faulty and cannot be played.
    """
    there = output / "index.html"
    if there.is_file() and b"sokoasp" not in there.read_bytes():
        raise click.UsageError(f"{there} is another page: name another folder")
    own, code = collections_of(files, **how)
    clingo = None
    if not without_clingo:
        try:
            clingo = wasm.files(clingo_wasm)
        except SokoaspError as error:
            if clingo_wasm is not None:
                raise
            click.echo(f"note: the site is made without the ASP window: {error}", err=True)
    made = site.make(own, clingo=clingo)
    size = made.write(output)
    click.echo(
        f"{output}: {counted(len(made.files), 'files')}, {size / 1e6:.1f} MB, "
        f"{counted(made.collections, 'collections')}, with{'out' * (not clingo)} the ASP window"
    )
    click.get_current_context().exit(code)
