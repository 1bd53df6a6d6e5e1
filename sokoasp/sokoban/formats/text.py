"""Bytes to text, and the kinds of lines of a level collection."""

from __future__ import annotations

import codecs
import re
from collections.abc import Mapping, Sequence
from pathlib import Path

from sokoasp.core.errors import LevelError, place_of
from sokoasp.sokoban.formats.level_rows import BOARD_CHARS

MAX_BYTES = 64_000_000
"""Largest file read."""

MAX_LINES = 2_000_000
"""Most lines read from one file."""
MAX_ROW = 100_000
"""Longer lines are not looked at as damaged board rows."""

_FLOOR = frozenset(" -_")
_RUN_CHARS = BOARD_CHARS | frozenset("0123456789()|")
_MOVE_CHARS = frozenset("lurdLURD0123456789()[]{}* ")
_WALL_LIKE = frozenset("#WX█▓▒░■□＃♯")
_SUSPECT = _WALL_LIKE | frozenset("\tX&mMo\u00a0\u2000\u2002\u2003\u2007\u2009\u200b\u202f\u3000＄＠．＊＋")
_PACKED = {
    b"\x1f\x8b": "gzip",
    b"PK\x03\x04": "zip",
    b"BZh": "bzip2",
    b"\xfd7zXZ\x00": "xz",
    b"(\xb5/\xfd": "zstd",
    b"7z\xbc\xaf": "7-Zip",
    b"Rar!\x1a": "RAR",
}
"""First bytes of packed files."""
_ROMAN = re.compile(r"X{0,3}(IX|IV|V?I{0,3})")
"""A title such as X or XIX, which would look like walls of another character set."""
_LINE_END = re.compile(r"\r\n|\r|\n")
_KEY = re.compile(r"\s*([A-Za-z][A-Za-z _-]{0,30}?)\s*:(?!:)\s*(.*)")
_GAME = re.compile(r"(?:game|puzzle|level)?[ _-]?(?:type|variant)|game", re.IGNORECASE)
_GAME_LINE = re.compile(rf"[;\s]*({_GAME.pattern})\s*[:=]\s*(.*)", re.IGNORECASE)
_VARIANTS = ("hexoban", "trioban", "octoban", "multiban", "sokomind", "pukoban", "numban")
SOLUTION = re.compile(r"\s*((?:solution|moves)\b[^:]{0,60}):(?!:)(.*)", re.IGNORECASE)
"""A line with the moves of a solution, and perhaps something about them before the colon."""

BLANKS = "\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u202f\u205f\u3000"
NOTHING = "\u200b\u200c\u200d\u2060\ufeff\u00ad"
FENCE = (
    r"(?i)</?(?:pre|code|blockquote|table)\b[^<>]{0,200}>|\[/?(?:code|pre|quote|spoiler)[^\]\[]{0,60}\]"
    r"|```\w{0,20}(?![^\s#`])|```"
)
"""What stands around a pasted board: tags, forum codes and fences."""
_END = r"[ \t]*(?>\r\n|\r|\n)[ \t]*"
_SIGNS = re.compile(rf"[<>`&\\\t{BLANKS}{NOTHING}]|\[/?[a-zA-Z]")
"""What only damaged rows have; a text without them in any row, and without doubled line ends, is not read twice."""
_DOUBLED = re.compile(rf"#{_END}{_END}[^\r\n]+{_END}{_END}#")


def stem(file: Path) -> Path:
    """Return a file without its suffix; a number, as in ``screen.1``, is none."""
    return file.with_suffix("") if file.suffix and not file.suffix[1:].isdecimal() else file


def natural(name: str) -> list[tuple[int, str]]:
    """Return what sorts ``screen.9`` before ``screen.10``."""
    return [(int(part), "") if part.isdecimal() else (-1, part) for part in re.split(r"(\d+)", name)]


def decode(data: bytes | str, source: str) -> tuple[str, tuple[str, ...]]:
    """Return the text of a file without byte order mark, and warnings.

    Raises LevelError: the file is too large (E-SIZE), UTF-16 without a byte order mark, packed or binary (E-ENCODING).
    """
    if len(data) > MAX_BYTES:
        raise LevelError(f"the file has more than {MAX_BYTES} bytes", source=source, line=1, column=1, code="E-SIZE")
    if isinstance(data, str):
        return data.removeprefix("\ufeff"), ()
    place = f"{source}:" if source else ""
    if data[:2] in (b"\xff\xfe", b"\xfe\xff") and data[2:4] != b"\0\0":
        text = data.decode("utf-16", "replace").removeprefix("\ufeff")
        return text, (f"{place}1:1: N-REPAIRED the file is UTF-16: read by its byte order mark",)
    fault = _no_text(data[:200])
    if fault:
        raise LevelError(fault, source=source, line=1, column=1, code="E-ENCODING")
    try:
        return data.decode("utf-8-sig"), ()
    except UnicodeDecodeError as error:
        warning = not_of_encoding(error, source, "not UTF-8: read as Windows-1252")
        return data.decode("cp1252", errors="replace"), (warning,)


def not_of_encoding(error: UnicodeDecodeError, source: str, message: str) -> str:
    """Return the warning of bytes that are not of a file's encoding, with the place of the first."""
    line, column = place_of(error)
    return f"{f'{source}:' if source else ''}{line}:{column}: W-ENCODING {message}"


def _no_text(head: bytes) -> str:
    """Return why these first bytes are not those of a file in UTF-8 or Windows-1252, empty if they may be."""
    packed = next((name for start, name in _PACKED.items() if head.startswith(start)), None)
    if packed and re.search(rb"[^\t\n\f\r -~]", head):
        return f"this file is packed by {packed}: unpack it first"
    zeros = head.count(0)
    if head[:4] in (codecs.BOM_UTF32_LE, codecs.BOM_UTF32_BE):
        return "this file is UTF-32, save it as UTF-8"
    halves = (head[::2].count(0), head[1::2].count(0))
    if zeros * 3 > len(head) and 0 in halves:
        return "this file is UTF-16 without a byte order mark, save it as UTF-8"
    return "this file is binary, not text" if zeros * 3 > len(head) else ""


def text_lines(text: str) -> list[str]:
    """Return the lines of a text, which end at LF, CRLF or lone CR only, without blanks at their ends.

    Raises LevelError: there are too many lines (E-SIZE).
    """
    if text.count("\n") + text.count("\r") > 2 * MAX_LINES:
        raise LevelError(f"the file has more than {MAX_LINES} lines", line=1, column=1, code="E-SIZE")
    return [line.rstrip(" \t") for line in _LINE_END.split(text)]


def key_line(line: str) -> tuple[str, str] | None:
    """Return key (small letters) and value of a ``Key: value`` line."""
    match = _KEY.fullmatch(line)
    return (match[1].lower(), match[2]) if match else None


def other_game(key: str, value: str) -> str:
    """Return which other game a level is for if a key says so (``Type: Hexoban``), empty if none does."""
    first = re.match(r"\w*", value.strip().lower())
    named = first is not None and first[0] in _VARIANTS and _GAME.fullmatch(key.strip())
    return value.strip()[:20] if named else ""


def refuse_other_games(notes: Mapping[str, str], what: str, source: str, line: int) -> None:
    """Raise LevelError if one of these notes names another game (E-VARIANT)."""
    for game in filter(None, map(other_game, notes.keys(), notes.values())):
        raise LevelError(
            f"{what} for {game}, another game than Sokoban", source=source, line=line, column=1, code="E-VARIANT"
        )


def game_line(line: str) -> str:
    """Return which other game a line names (``Game = Hexoban``), empty if it names none."""
    match = _GAME_LINE.fullmatch(line)
    return other_game(match[1], match[2]) if match else ""


def is_row(line: str) -> bool:
    """Return whether a line has only board characters."""
    return bool(line) and BOARD_CHARS.issuperset(line)


def is_run_row(line: str) -> bool:
    """Return whether a line looks like run-length rows: board characters, counts, groups, bars, perhaps a slip among them."""
    if BOARD_CHARS.issuperset(line) or len(line) > MAX_ROW * 10:
        return False
    if not _RUN_CHARS.issuperset(line):
        strange = sum(char not in _RUN_CHARS for char in line[:MAX_ROW])
        return "|" in line and "#" in line and ("@" in line or "+" in line) and 4 * strange <= len(line)
    return "|" in line or ("#" in line and ("(" in line or ")" in line)) or bool(re.search(r"\d[#W(\-_]", line))


def are_run_rows(lines: Sequence[str]) -> bool:
    """Return whether there are run-length rows in a board; a digit in one row is none if others have its sign in plain runs."""
    runs = [line for line in lines if is_run_row(line)]
    if len(runs) != 1 or re.search(r"[|()]", runs[0]):
        return bool(runs)
    return not any(2 * sign in line for sign in re.findall(r"\d(\D)", runs[0]) for line in lines if line != runs[0])


def is_strong(line: str) -> bool:
    """Return whether a row may begin or end a board: a wall in it, or bordered by walls and boxes on goals; not bare floor."""
    if "#" in line or "|" in line:
        return True
    bare = line.strip(" -_")
    return bool(bare) and bare[0] in "W*" and bare[-1] in "W*"


def is_bare_floor(line: str) -> bool:
    """Return whether a row is floor only."""
    return _FLOOR.issuperset(line)


def is_damaged_row(line: str) -> bool:
    """Return whether a line is meant as a board row but has characters that are not XSB."""
    bare = line.strip()
    if (
        not 0 < len(bare) <= MAX_ROW
        or bare[0] not in _WALL_LIKE
        or bare[-1] not in _WALL_LIKE
        or _ROMAN.fullmatch(bare)
    ):
        return False
    strange = sum(char not in BOARD_CHARS and char not in _SUSPECT for char in bare)
    solid = sum(not char.isspace() for char in bare)
    return 3 * strange <= solid


def is_moves(line: str) -> bool:
    """Return whether a line may be moves: only their characters, at least one letter, and a proper share of letters."""
    return _MOVE_CHARS.issuperset(line) and any(char in "lurdLURD" for char in line)


def meant_as_moves(line: str) -> bool:
    """Return whether a line is moves, or one word that may be moves with a slip: three of four characters are of moves."""
    enough = 4 * sum(char in _MOVE_CHARS for char in line) >= 3 * len(line) and sum(map("lurdLURD".count, line)) > 2
    return is_moves(line) or (len(line.split()) == 1 and enough)


def may_be_damaged(text: str, lines: Sequence[str]) -> bool:
    """Return whether mail, a forum or a web page may have changed the rows of a text (``paste`` has the repairs)."""
    return bool(_DOUBLED.search(text)) or any("#" in line and _SIGNS.search(line) for line in lines)
