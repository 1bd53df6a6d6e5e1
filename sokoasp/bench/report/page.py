"""A report as a list of blocks, written as a self-contained HTML page or as Markdown."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from pathlib import Path

_STYLE = """
:root { color-scheme: light dark; --line: #8884; --bad: #b3261e; --good: #1b6e3c; }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 72rem; margin: 2rem auto; padding: 0 1rem; }
h1 { line-height: 1.2; } h2 { margin-top: 2.5rem; border-bottom: 1px solid var(--line); }
.scroll { overflow-x: auto; } table { border-collapse: collapse; margin: 1rem 0; font-variant-numeric: tabular-nums; }
caption { text-align: left; font-weight: 600; padding: .3rem 0; }
th, td { padding: .25rem .7rem; border-bottom: 1px solid var(--line); text-align: right; vertical-align: top; }
th:first-child, td:first-child, .text td, .text th { text-align: left; }
figure { display: inline-block; margin: 1rem 1rem 1rem 0; background: #fff; color: #000; padding: .5rem; border-radius: .3rem; }
figure img { max-width: 100%; display: block; } figcaption { font-size: .85rem; }
.bad { color: var(--bad); font-weight: 600; } .good { color: var(--good); }
@media (prefers-color-scheme: dark) { :root { --bad: #ff8a80; --good: #8fd3a5; } }
"""


@dataclass(frozen=True, slots=True)
class Heading:
    """A heading of the second or third level."""

    text: str
    level: int = 2


@dataclass(frozen=True, slots=True)
class Text:
    """A paragraph; ``mood`` is ``""``, ``"bad"`` or ``"good"``."""

    text: str
    mood: str = ""


@dataclass(frozen=True, slots=True)
class Table:
    """A table; the first column is text, the others numbers unless ``words`` is set."""

    caption: str
    head: tuple[str, ...]
    rows: Sequence[tuple[str, ...]]
    words: bool = False


@dataclass(frozen=True, slots=True)
class Figure:
    """An SVG picture."""

    path: Path
    caption: str


Block = Heading | Text | Table | Figure


def html(title: str, blocks: Sequence[Block]) -> str:
    """Return the page, pictures inside, nothing to load from anywhere."""
    parts = [
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">',
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        f"<title>{escape(title)}</title>\n<style>{_STYLE}</style>\n</head>\n<body>\n<h1>{escape(title)}</h1>",
        *(_html(block) for block in blocks),
        "</body>\n</html>\n",
    ]
    return "\n".join(parts)


def _html(block: Block) -> str:
    if isinstance(block, Heading):
        return f"<h{block.level}>{escape(block.text)}</h{block.level}>"
    if isinstance(block, Text):
        mood = f' class="{block.mood}"' if block.mood else ""
        return f"<p{mood}>{escape(block.text)}</p>"
    if isinstance(block, Figure):
        data = b64encode(block.path.read_bytes()).decode("ascii")
        caption = escape(block.caption)
        return (
            f'<figure><img alt="{caption}" src="data:image/svg+xml;base64,{data}">'
            f"<figcaption>{caption}</figcaption></figure>"
        )
    kind = ' class="text"' if block.words else ""
    head = "".join(f'<th scope="col">{escape(cell)}</th>' for cell in block.head)
    rows = "\n".join("<tr>" + "".join(f"<td>{escape(cell)}</td>" for cell in row) + "</tr>" for row in block.rows)
    return (
        f'<div class="scroll"><table{kind}><caption>{escape(block.caption)}</caption>'
        f"<thead><tr>{head}</tr></thead>\n<tbody>\n{rows}\n</tbody></table></div>"
    )


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
    rule = ["---", *(("---" if block.words else "---:") for _ in block.head[1:])]
    lines = [tuple(map(_cell, block.head)), tuple(rule), *(tuple(map(_cell, row)) for row in block.rows)]
    return f"{block.caption}:\n\n" + "".join(f"| {' | '.join(line)} |\n" for line in lines)


def _cell(text: str) -> str:
    return " ".join(text.replace("|", "\\|").split())
