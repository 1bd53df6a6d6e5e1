"""The text of a user's program, refused where clingo would end the process over it instead of saying what is wrong."""

from __future__ import annotations

import re
from codecs import BOM_UTF8
from pathlib import Path

from sokoasp.core.errors import EncodingError, place_in
from sokoasp.core.text_file import read_bytes, utf8

_QUOTED = re.compile(r'%\*.*?\*%|%[^\n]*|"(?:\\.|[^"\\\n])*"|#script.*?#end\b', re.DOTALL)
"""Comments, strings and scripts: any character may stand in them."""
_STRANGE = re.compile(r"[^\x00-\x7f]")


def program_text(path: Path) -> str:
    """Return the text of a program.

    clingo reports a character that it does not know by its first byte, which is no text where the character has several.
    EncodingError if such a one stands in it, the file cannot be read, or its name is no text.
    """
    if path.is_fifo():
        raise EncodingError("a pipe is read once, and this file is read twice: give a file", source=str(path))
    data = read_bytes(path, EncodingError)
    text = utf8(data, str(path), EncodingError)
    if data.startswith(BOM_UTF8):
        message = "a byte order mark, which clingo does not read: save the file as UTF-8 without it"
        raise EncodingError(message, source=str(path), line=1, column=1)
    if any("\ud800" <= char <= "\udfff" for char in str(path)):
        raise EncodingError("clingo reads no file whose name is not UTF-8: rename it", source=str(path))
    refuse_strange(text, str(path))
    return text


def refuse_strange(text: str, name: str) -> None:
    """Raise EncodingError for a character outside strings and comments that clingo does not know, with its place."""
    if found := _STRANGE.search(_blanked(text)):
        line, column = place_in(text, found.start())
        message = f"{found[0]!r} (U+{ord(found[0]):04X}) stands outside strings and comments"
        raise EncodingError(message, source=name, line=line, column=column)


def with_question(fault: str) -> str:
    """Return a fault that clingo found; of syntax at the beginning of a line with a question about the statement before."""
    if fault.endswith(("unexpected #preference", "unexpected #optimize")):
        return f"{fault} (asprin's statements are not read: write #minimize or #maximize)"
    found = re.match(r"(.+):(\d+):(\d+)\S* error: syntax error", fault)
    if found is None or not Path(found[1]).is_file():
        return fault
    lines, at = _blanked(Path(found[1]).read_text(encoding="utf-8", errors="replace")).split("\n"), int(found[2]) - 1
    before, begun = "\n".join(lines[:at]).rstrip(), "".join(lines[at : at + 1])[: int(found[3]) - 1]
    asks = not begun.strip() and re.search(r"[\w)}\"']$", before)
    return f"{fault} (does line {before.count(chr(10)) + 1} lack its full stop?)" if asks else fault


def _blanked(text: str) -> str:
    """Return a text with blanks in place of comments, strings and scripts."""
    return _QUOTED.sub(lambda match: re.sub(r"[^\n]", " ", match[0]), text)
