"""A user's text files in UTF-8: what cannot be read is refused with its place."""

from __future__ import annotations

from pathlib import Path

from sokoasp.core.errors import SokoaspError, place_of


def read_text(path: Path, kind: type[SokoaspError], code: str = "") -> str:
    """Return the text of a file without byte order mark.

    Raises SokoaspError: it cannot be opened, or is not UTF-8; of the kind and with the code given.
    """
    return utf8(read_bytes(path, kind, code), str(path), kind, code)


def read_bytes(path: Path, kind: type[SokoaspError], code: str = "") -> bytes:
    """Return what a file holds. Raises SokoaspError: it cannot be opened; of the kind and with the code given."""
    try:
        return path.read_bytes()
    except OSError as error:
        raise kind(f"cannot be read: {error.strerror}", source=str(path), code=code) from error


def utf8(data: bytes, source: str, kind: type[SokoaspError], code: str = "") -> str:
    """Return bytes as text without byte order mark, line ends as LF. Raises SokoaspError: see ``read_text``."""
    try:
        return data.decode("utf-8-sig").replace("\r\n", "\n").replace("\r", "\n")
    except UnicodeDecodeError as error:
        line, column = place_of(error)
        raise kind(
            "not UTF-8 text: save the file as UTF-8", source=source, line=line, column=column, code=code
        ) from error
