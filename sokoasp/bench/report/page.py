"""A report as a list of blocks, written as a self-contained HTML page or as Markdown."""

from __future__ import annotations

import csv
import re
from base64 import b64encode
from collections.abc import Sequence
from html import escape
from io import StringIO
from pathlib import Path
from typing import NamedTuple

from sokoasp.bench.report import markdown_table

_FILTERED = 8
"""Rows from which a table gets a field to filter them by."""
_NARROW, _LONG = 45, 40
"""Letters of a row of LaTeX that one column of two has room for; and those of a cell that is broken into lines."""


class Heading(NamedTuple):
    """A heading of the second or third level."""

    text: str
    level: int = 2


class Text(NamedTuple):
    """A paragraph; ``mood`` is ``""``, ``"bad"`` or ``"good"``."""

    text: str
    mood: str = ""


class Table(NamedTuple):
    """A table; the first column is text, the others numbers unless ``words`` is set."""

    caption: str
    head: tuple[str, ...]
    rows: Sequence[tuple[str, ...]]
    words: bool = False
    file: str = ""
    """Name, without suffix, of the table's own files in ``tables/``; empty without such files."""
    logs: Sequence[str] = ()
    """What a click on a row shows; empty, or one for each row."""


class Figure(NamedTuple):
    """An SVG picture."""

    path: Path
    caption: str


Block = Heading | Text | Table | Figure


def html(title: str, blocks: Sequence[Block]) -> str:
    """Return the page with a list of contents, pictures and scripts inside, nothing to load from anywhere."""
    style, script = (Path(__file__).with_name(f"report.{kind}").read_text(encoding="utf-8") for kind in ("css", "js"))
    parts = [
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">',
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        f"<title>{escape(title)}</title>\n<style>\n{style}</style>\n</head>\n<body>\n<h1>{escape(title)}</h1>",
        _contents(blocks),
        *(_html(block, index) for index, block in enumerate(blocks)),
        f"<script>\n{script}</script>\n</body>\n</html>\n",
    ]
    return "\n".join(parts)


def _contents(blocks: Sequence[Block]) -> str:
    items = "".join(
        f'<li><a href="#h{index}">{escape(block.text)}</a></li>'
        for index, block in enumerate(blocks)
        if isinstance(block, Heading)
    )
    return f'<nav aria-label="Contents"><ul>{items}</ul></nav>' if items else ""


def _html(block: Block, index: int) -> str:
    if isinstance(block, Heading):
        return f'<h{block.level} id="h{index}">{escape(block.text)}</h{block.level}>'
    if isinstance(block, Text):
        mood = f' class="{block.mood}"' if block.mood else ""
        return f"<p{mood}>{escape(block.text)}</p>"
    if isinstance(block, Figure):
        caption = escape(block.caption)
        data = b64encode(block.path.read_bytes()).decode("ascii")
        return (
            f'<figure><img alt="{caption}" src="data:image/svg+xml;base64,{data}">'
            f"<figcaption>{caption}</figcaption></figure>"
        )
    return _html_table(block)


def _html_table(table: Table) -> str:
    kind = ' class="text"' if table.words else ""
    titles = (*table.head, *(("log",) if table.logs else ()))
    head = "".join(f'<th scope="col">{escape(cell)}</th>' for cell in titles)
    rows = []
    for at, row in enumerate(table.rows):
        cells = [f"<td>{escape(cell)}</td>" for cell in row]
        if table.logs:
            cells.append(f"<td><details><summary>log</summary><pre>{escape(table.logs[at])}</pre></details></td>")
        rows.append(f"<tr>{''.join(cells)}</tr>")
    body = "\n".join(rows)
    return (
        f'<div class="scroll">{_tools(table)}<table{kind}><caption>{escape(table.caption)}</caption>'
        f"<thead><tr>{head}</tr></thead>\n<tbody>\n{body}\n</tbody></table></div>"
    )


def _tools(table: Table) -> str:
    """Return what stands above a table: a field to filter by, and the table as files."""
    tools = ""
    if len(table.rows) >= _FILTERED:
        tools += f'<input type="search" placeholder="filter" aria-label="Filter: {escape(table.caption)}">'
    if table.file:
        tools += "".join(f'<a href="tables/{table.file}.{kind}">{kind}</a>' for kind in ("csv", "tex"))
    return f'<div class="tools">{tools}</div>' if tools else ""


def csv_text(table: Table) -> str:
    """Return a table as CSV with its head."""
    text = StringIO()
    csv.writer(text, lineterminator="\n").writerows([table.head, *table.rows])
    return text.getvalue()


_LATEX = str.maketrans(
    {
        **{char: f"\\{char}" for char in "&%$#_{}"},
        "\\": r"\textbackslash{}",
        "~": r"\textasciitilde{}",
        "^": r"\textasciicircum{}",
        "–": r"\textendash{}",
        "|": r"\textbar{}",
        "×": r"$\times$",
        "…": r"\dots{}",
        "<": r"\textless{}",
        ">": r"\textgreater{}",
    }
)


def latex(table: Table) -> str:
    """Return a table for LaTeX: a table environment with a caption, to be put in as a file.

    It needs the package booktabs. A wide one goes over both columns of a page, and needs graphicx to be made as small as it must.
    """
    widths = [max(map(len, column)) for column in zip(table.head, *table.rows, strict=True)]
    wide = "*" * (sum(widths) > _NARROW)
    long = [at for at, width in enumerate(widths) if table.words and width > _LONG]
    columns = ["l" if table.words or not at else "r" for at in range(len(widths))]
    for at in long:
        columns[at] = rf"p{{{0.8 / len(long):.2f}\linewidth}}"
    rows = [[r"\raggedright " * (at in long) + _in_latex(cell) for at, cell in enumerate(row)] for row in table.rows]
    lines = [
        rf"\begin{{table{wide}}}",
        r"\centering",
        rf"\caption{{{_in_latex(table.caption)}}}",
        rf"\label{{tab:{table.file}}}",
        *[r"\resizebox{\ifdim\width>\linewidth\linewidth\else\width\fi}{!}{%"] * len(wide),
        rf"\begin{{tabular}}{{{''.join(columns)}}}",
        r"\toprule",
        " & ".join(map(_in_latex, table.head)) + r" \\",
        r"\midrule",
        *("{}" + " & ".join(row) + r" \tabularnewline" for row in rows),
        r"\bottomrule",
        r"\end{tabular}" + "}" * len(wide),
        rf"\end{{table{wide}}}",
    ]
    return "\n".join(lines) + "\n"


def _in_latex(text: str) -> str:
    """Return a text for LaTeX, two hyphens as two."""
    printable = "".join(filter(str.isprintable, " ".join(text.split())))
    return re.sub("-(?=-)", "-{}", printable.translate(_LATEX))


def markdown(title: str, blocks: Sequence[Block], folder: Path) -> str:
    """Return the report as Markdown; pictures are linked relative to ``folder``."""
    return f"# {title}\n\n" + "\n".join(_markdown(block, folder) for block in blocks)


def _markdown(block: Block, folder: Path) -> str:
    if isinstance(block, Heading):
        return f"{'#' * block.level} {block.text}\n"
    if isinstance(block, Text):
        return f"**{block.text}**\n" if block.mood == "bad" else f"{block.text}\n"
    if isinstance(block, Figure):
        return f"![{block.caption}]({block.path.relative_to(folder).as_posix()})\n"
    lines = markdown_table.lines(block.head, block.rows, words=None if block.words else 1)
    return f"{block.caption}:\n\n" + "".join(f"{line}\n" for line in lines)
