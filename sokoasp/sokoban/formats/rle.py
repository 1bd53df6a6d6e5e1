"""Run-length encoded boards: ``5#|#@$.#|5#``, nested groups ``2(3(#-)#)``, ``|`` between rows.

Source: .sok file format 0.19, section "Board".
"""

from __future__ import annotations

from typing import NoReturn

from sokoasp.core.errors import LevelError
from sokoasp.sokoban.formats.level_rows import picture
from sokoasp.sokoban.formats.run_length import compress, expand
from sokoasp.sokoban.level import Level


def read_line(text: str, *, source: str, line: int, max_cells: int) -> list[str]:
    """Return the rows of one line of run-length notation; a bar at the end is optional.

    Raises:
        LevelError: E-RLE with the column, or E-SIZE before anything too large is written out.
    """

    def fail(code: str, message: str, offset: int) -> NoReturn:
        raise LevelError(message, source=source, line=line, column=offset + 1, code=code)

    return expand(text, 2 * max_cells, fail).removesuffix("|").split("|")


def write_board(level: Level) -> str:
    """Return the board on one line, floor as ``-``."""
    return "|".join(compress(row.replace(" ", "-")) or "-" for row in picture(level))
