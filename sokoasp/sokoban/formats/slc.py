"""SLC: level collections in XML, as sourcecode.se and many programs write them.

Source: the .slc format page: SokobanLevels > LevelCollection > Level > L, one L a row.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import NoReturn
from xml.parsers import expat

from sokoasp.core.errors import LevelError, SokoaspError
from sokoasp.sokoban.formats.board import level_from_rows, picture
from sokoasp.sokoban.level import Level

MAX_LEVELS = 200_000
"""Most levels read from one document."""

_NOT_XML = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_HINT = " (have leading or inner spaces been lost? XML editors strip them)"


@dataclass(slots=True)
class _Element:
    """One Level element as found."""

    attributes: dict[str, str]
    copyright: str
    line: int
    rows: list[str] = field(default_factory=list)
    lines: list[int] = field(default_factory=list)


class _Reader:
    """The handlers of one parse."""

    def __init__(self, source: str) -> None:
        self.source = source
        self.parser = expat.ParserCreate()
        self.path: list[str] = []
        self.text: list[str] = []
        self.collection = ""
        self.copyright = ""
        self.levels: list[_Element] = []

    def parse(self, data: bytes) -> None:
        """Parse the whole document.

        Raises:
            LevelError: E-XML.
        """
        self.parser.StartElementHandler = self.start
        self.parser.EndElementHandler = self.end
        self.parser.CharacterDataHandler = self.text.append
        self.parser.StartDoctypeDeclHandler = self.doctype
        try:
            self.parser.Parse(data, True)
        except expat.ExpatError as error:
            self.fail(f"not well-formed XML: {expat.ErrorString(error.code)}", error.lineno, error.offset)
        except LevelError:
            raise
        except (LookupError, ValueError):
            self.fail("the encoding named in the XML declaration is unknown", 1, 0)

    def fail(self, message: str, line: int, offset: int) -> NoReturn:
        raise LevelError(message, source=self.source, line=line, column=offset + 1, code="E-XML")

    def doctype(self, *_: object) -> None:
        message = "a DOCTYPE is refused: level files need none, and entities are a danger"
        self.fail(message, self.parser.CurrentLineNumber, self.parser.CurrentColumnNumber)

    def start(self, name: str, attributes: dict[str, str]) -> None:
        line = self.parser.CurrentLineNumber
        if not self.path and name != "SokobanLevels":
            self.fail(f"the root element is {name}, not SokobanLevels", line, self.parser.CurrentColumnNumber)
        self.path.append(name)
        if name == "LevelCollection":
            self.copyright = attributes.get("Copyright", "")
        elif name == "Level":
            if len(self.levels) == MAX_LEVELS:
                raise LevelError(
                    f"more than {MAX_LEVELS} levels", source=self.source, line=line, column=1, code="E-SIZE"
                )
            self.levels.append(_Element(attributes, attributes.get("Copyright", self.copyright), line))
        elif name == "L" and self.levels:
            self.levels[-1].lines.append(line)
        self.text.clear()

    def end(self, name: str) -> None:
        text = "".join(self.text)
        if name == "L" and self.levels:
            self.levels[-1].rows.append(text.strip("\r\n"))
        elif name == "Title" and len(self.path) == 2:
            self.collection = " ".join(text.split())
        self.text.clear()
        self.path.pop()


def read_each(
    data: bytes | str, *, source: str, max_cells: int, warnings: tuple[str, ...] = ()
) -> Iterator[Level | SokoaspError]:
    """Yield the levels of an .slc document, and in the place of a faulty one its error."""
    reader = _Reader(source)
    try:
        if isinstance(data, str):
            reader.parser = expat.ParserCreate("utf-8")
            data = data.encode("utf-8", "replace")
        reader.parse(data)
    except LevelError as error:
        yield error
        return
    for element in reader.levels:
        try:
            yield _level(element, reader.collection, source, max_cells, warnings)
        except LevelError as error:
            if error.code in ("E-OPEN", "E-NOPLAYER"):
                error.message += _HINT
            yield error
    if not reader.levels:
        yield LevelError("there is no Level element in this file", source=source, line=1, column=1, code="E-NOLEVEL")


def _level(element: _Element, collection: str, source: str, max_cells: int, warnings: tuple[str, ...]) -> Level:
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
    return level_from_rows(
        rows,
        source=source,
        line=element.line,
        lines=lines,
        title=element.attributes.get("Id", "").strip(),
        author=element.copyright.strip(),
        collection=collection,
        max_cells=max_cells,
        warnings=warnings,
    )


def write(levels: Sequence[Level]) -> str:
    """Return the levels as one .slc document in UTF-8."""
    from xml.sax.saxutils import escape, quoteattr  # brings half the standard library along

    title = levels[0].collection if levels else ""
    boards = [picture(level) for level in levels]
    width = max((len(row) for rows in boards for row in rows), default=0)
    height = max(map(len, boards), default=0)
    lines = [
        '<?xml version="1.0" encoding="UTF-8"?>',
        "<SokobanLevels>",
        f"  <Title>{escape(_clean(title))}</Title>",
        "  <Description></Description>",
        f'  <LevelCollection MaxWidth="{width}" MaxHeight="{height}">',
    ]
    for level, rows in zip(levels, boards, strict=True):
        copyright_ = f" Copyright={quoteattr(_clean(level.author))}" if level.author else ""
        size = f'Width="{max(map(len, rows))}" Height="{len(rows)}"'
        lines.append(f"    <Level Id={quoteattr(_clean(level.title))} {size}{copyright_}>")
        lines += [f"      <L>{escape(row)}</L>" for row in rows]
        lines.append("    </Level>")
    return "\n".join([*lines, "  </LevelCollection>", "</SokobanLevels>", ""])


def _clean(text: str) -> str:
    """Return a text on one line without the characters XML cannot hold."""
    return " ".join(_NOT_XML.sub("", text).split())
