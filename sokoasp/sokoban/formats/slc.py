"""SLC: level collections in XML, as sourcecode.se and many programs write them.

Source: the .slc format page: SokobanLevels > LevelCollection > Level > L, one L a row.
"""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from html.entities import html5
from typing import NoReturn
from xml.parsers import expat

from sokoasp.core.errors import LevelError, SokoaspError
from sokoasp.sokoban.formats.level_rows import level_from_rows, picture
from sokoasp.sokoban.formats.text import decode, not_of_encoding, refuse_other_games
from sokoasp.sokoban.level import Level

MAX_LEVELS = 200_000
"""Most levels read from one document."""

_NOT_XML = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_.-]*")
_DECLARED = re.compile(rb"""\s*<\?xml[^>]{0,200}?encoding\s*=\s*["']([A-Za-z0-9._-]{1,40})["']""")
_ENTITY = re.compile("&([A-Za-z][A-Za-z0-9]{1,30});")
_HINT = " (have leading or inner spaces been lost? XML editors strip them)"
_OF_ALL = ("Description", "Email", "Url")
"""Elements of the document that say something of all levels."""
_OWN = ("Id", "Width", "Height", "Copyright")
"""Attributes of a level that have a place of their own."""
_OF_COLLECTION = ("Copyright", "MaxWidth", "MaxHeight")
_STRUCTURE = ("SokobanLevels", "LevelCollection", "Level", "L")
"""Elements that are no notes."""
_CHUNK = 1 << 16
_LATIN = ("iso8859-1", "ascii", "cp1252")


@dataclass(slots=True)
class _Element:
    """One Level element as found."""

    attributes: dict[str, str]
    copyright: str
    line: int
    notes: dict[str, str] = field(default_factory=dict)
    """Elements of the level other than its rows."""
    rows: list[str] = field(default_factory=list)
    lines: list[int] = field(default_factory=list)


class _SlcReader:
    """The handlers of one parse; ``levels`` are those that are complete and not yet taken away."""

    def __init__(self, source: str) -> None:
        self.source = source
        self.parser = expat.ParserCreate("utf-8")
        self.path: list[str] = []
        self.text: list[str] = []
        self.collection = ""
        self.copyright = ""
        self.notes: dict[str, str] = {}
        self.count = 0
        self.open: _Element | None = None
        self.levels: list[_Element] = []
        self.parser.StartElementHandler = self.start
        self.parser.EndElementHandler = self.end
        self.parser.CharacterDataHandler = self.text.append
        self.parser.EntityDeclHandler = self.entity

    def parse(self, data: bytes) -> Iterator[_Element]:
        """Parse the whole document, yielding each Level element when it is complete.

        A document type that is only named (``SYSTEM "SokobanLev.dtd"``) is not looked at, and never fetched.
        LevelError (E-XML, E-SIZE) if it is faulty or too large.
        """
        for start in range(0, len(data) or 1, _CHUNK):
            try:
                self.parser.Parse(data[start : start + _CHUNK], start + _CHUNK >= len(data))
            except (expat.ExpatError, LevelError) as error:
                yield from self.levels
                if isinstance(error, LevelError):
                    raise
                self.fail(f"not well-formed XML: {expat.ErrorString(error.code)}", error.lineno, error.offset)
            yield from self.levels
            self.levels.clear()

    def fail(self, message: str, line: int, offset: int) -> NoReturn:
        raise LevelError(message, source=self.source, line=line, column=offset + 1, code="E-XML")

    def entity(self, *_: object) -> None:
        message = "a DOCTYPE that declares entities is refused: level files need none, and they are a danger"
        self.fail(message, self.parser.CurrentLineNumber, self.parser.CurrentColumnNumber)

    def start(self, name: str, attributes: dict[str, str]) -> None:
        line = self.parser.CurrentLineNumber
        if not self.path and name != "SokobanLevels":
            self.fail(f"the root element is {name}, not SokobanLevels", line, self.parser.CurrentColumnNumber)
        self.path.append(name)
        if name == "LevelCollection":
            self.copyright = attributes.get("Copyright", "")
            for key, value in attributes.items():
                if key not in _OF_COLLECTION:
                    _add(self.notes, key, value)
        elif name == "Level":
            self.count += 1
            if self.count > MAX_LEVELS:
                raise LevelError(
                    f"more than {MAX_LEVELS} levels", source=self.source, line=line, column=1, code="E-SIZE"
                )
            self.open = _Element(attributes, attributes.get("Copyright", self.copyright), line)
        elif name == "L" and self.open:
            self.open.lines.append(line)
        self.text.clear()

    def end(self, name: str) -> None:
        text = "".join(self.text)
        if name == "L" and self.open:
            self.open.rows.append(text.strip("\r\n"))
        elif name == "Level" and self.open:
            self.levels.append(self.open)
            self.open = None
        elif name == "Title" and not self.open and not self.collection:
            self.collection = " ".join(text.split())
        elif name not in _STRUCTURE:
            _add(self.open.notes if self.open else self.notes, name, text)
        self.text.clear()
        self.path.pop()


def _add(notes: dict[str, str], name: str, text: str) -> None:
    """Keep a note, with what is already known under this name."""
    if text.strip():
        notes[name] = f"{notes[name]}\n{text.strip()}" if name in notes else text.strip()


def read_each(
    data: bytes | str, *, source: str, max_cells: int, warnings: tuple[str, ...] = ()
) -> Iterator[Level | SokoaspError]:
    """Yield the levels of an .slc document, and in the place of a faulty one its error."""
    reader = _SlcReader(source)
    try:
        text, found = (data, ()) if isinstance(data, str) else _decode(data, source)
        document = _ENTITY.sub(_of_html, text).encode("utf-8", "replace")
        del data, text  # a large file is held once
        for element in reader.parse(document):
            try:
                yield _level(element, reader, source, max_cells, warnings + found)
            except LevelError as error:
                if error.code in ("E-OPEN", "E-NOPLAYER"):
                    error.message += _HINT
                yield error
    except LevelError as error:
        yield error
        return
    if not reader.count:
        yield LevelError("there is no Level element in this file", source=source, line=1, column=1, code="E-NOLEVEL")


def _of_html(match: re.Match[str]) -> str:
    """Return an entity that the unread document type may declare as what HTML means by it, such as ``&uuml;``."""
    char = html5.get(f"{match[1]};", "")
    return f"&#{ord(char)};" if len(char) == 1 and match[1] not in ("amp", "lt", "gt", "quot", "apos") else match[0]


def _decode(data: bytes, source: str) -> tuple[str, tuple[str, ...]]:
    """Return the text of a document in the encoding that its first line names, else in UTF-8, with warnings."""
    named = _DECLARED.match(data[:400])
    name = named[1].decode("ascii") if named else "utf-8"
    try:
        codec = codecs.lookup(name).name
        if "<?xml".encode(codec) != b"<?xml":
            raise LookupError
    except (LookupError, ValueError):
        message = f"the encoding {name!r} named in the XML declaration is unknown"
        raise LevelError(message, source=source, line=1, column=1, code="E-XML") from None
    if codec == "utf-8" or data[:2] in (b"\xff\xfe", b"\xfe\xff"):
        return decode(data, source)
    if codec in _LATIN:
        codec = "cp1252"  # what is called Latin-1 or ASCII is Windows-1252 wherever they differ
    try:
        return data.decode(codec), ()
    except UnicodeDecodeError as error:
        warning = not_of_encoding(error, source, f"bytes that are not {name} were replaced")
        return data.decode(codec, "replace"), (warning,)


def _level(element: _Element, reader: _SlcReader, source: str, max_cells: int, warnings: tuple[str, ...]) -> Level:
    """Build one level; its real size wins over the Width and Height it claims."""
    rows, lines = element.rows, element.lines
    if not rows:
        raise LevelError("this Level has no L rows", source=source, line=element.line, code="E-NOPLAYER")
    real = {"Width": max(len(row.rstrip()) for row in rows), "Height": len(rows)}
    for name, size in real.items():
        claimed = element.attributes.get(name, "").strip()
        if claimed and claimed != str(size):
            where = f"{source}:" if source else ""
            warnings += (f"{where}{element.line}:1: W-SIZE {name} says {claimed[:20]!r}, the rows have {size}",)
    level = level_from_rows(
        rows,
        source=source,
        line=element.line,
        lines=lines,
        title=element.attributes.get("Id", "").strip(),
        author=element.copyright.strip(),
        collection=reader.collection,
        max_cells=max_cells,
        warnings=warnings,
    )
    notes = dict(reader.notes)
    for name, value in (*element.attributes.items(), *element.notes.items()):
        if name not in _OWN or name in element.notes:
            _add(notes, name, value)
    refuse_other_games(notes, "this is a level", source, element.line)
    return replace(level, notes=tuple(notes.items()))


def write(levels: Iterable[Level]) -> str:
    """Return the levels as one .slc document in UTF-8."""
    from xml.sax.saxutils import escape  # brings half the standard library along

    of_all, width, height = {"Description": ""}, 0, 0
    parts: list[str] = []
    titles: set[str] = set()
    for level in levels:
        rows = picture(level)
        width, height = max(width, *map(len, rows)), max(height, len(rows))
        if not parts:
            of_all |= {name: text for name, text in level.notes if name in _OF_ALL}
        parts.append(_element_text(level, rows))
        titles.add(level.collection)
    title = titles.pop() if len(titles) == 1 else ""
    head = [
        '<?xml version="1.0" encoding="UTF-8"?>',
        "<SokobanLevels>",
        f"  <Title>{escape(_clean(title))}</Title>",
        *(f"  <{name}>{escape(_clean(text))}</{name}>" for name, text in of_all.items()),
        f'  <LevelCollection MaxWidth="{width}" MaxHeight="{height}">',
    ]
    return "\n".join([*head, *parts, "  </LevelCollection>", "</SokobanLevels>", ""])


def _element_text(level: Level, rows: Sequence[str]) -> str:
    """Return the ``Level`` element of a level drawn in these rows."""
    from xml.sax.saxutils import escape, quoteattr

    others = {"Copyright": level.author} if level.author else {}
    others |= {name: text for name, text in level.notes if name not in _OF_ALL + _OWN and _NAME.fullmatch(name)}
    rest = "".join(f" {name}={quoteattr(_clean(text))}" for name, text in others.items())
    size = f'Width="{max(map(len, rows))}" Height="{len(rows)}"'
    head = f"    <Level Id={quoteattr(_clean(level.title))} {size}{rest}>"
    return "\n".join([head, *(f"      <L>{escape(row)}</L>" for row in rows), "    </Level>"])


def _clean(text: str) -> str:
    """Return a text on one line without the characters XML cannot hold."""
    return " ".join(_NOT_XML.sub("", text).split())
