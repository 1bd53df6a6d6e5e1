"""The width of the prose: ``python -m tests.prose`` wraps paragraphs and lists of the pages at 100 columns.

Tables, code blocks, headings, HTML and link targets stay as they are.
"""

import re
import textwrap
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
WIDTH = 100
_ITEM = re.compile(r"( *)([-*+]|\d+\.) +")
_GLUE = "\N{NO-BREAK SPACE}"
_STARTS = re.compile(r" ((?:[-*+>]|#+|\d+\.)(?= |$))")
"""What would make a list, a heading or a quotation of a line that begins with it, and so must not begin one."""
_THINGS = (
    "boxes|goals|pushes|lines|moves|slides|units|positions|states|levels|plans|cells|pieces|actions|runs|systems|instances"
    "|pictures|rows|columns|searches|storage locations"
)
SLIP = re.compile(rf"(?<![\d,.\w])1 ({_THINGS})\b")
"""A plural after one."""
_KEPT = re.compile(r"\s*(\||#|<|!\[|\[[^\]]+\]:)|.*  $")


def pages() -> list[Path]:
    return sorted([*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md"), *(ROOT / "encodings").rglob("*.md")])


def prose(text: str) -> Iterator[tuple[int, str]]:
    """Yield the lines of prose with their numbers."""
    code = False
    for number, line in enumerate(text.splitlines(), 1):
        if line.lstrip().startswith("```"):
            code = not code
        elif not code and not _KEPT.match(line):
            yield number, line


def too_wide(text: str) -> list[int]:
    """Numbers of prose lines over the width; a single word (a path, a formula) may be as long as it is."""
    return [number for number, line in prose(text) if len(line) > WIDTH and " " in line.strip()[:WIDTH]]


def wrapped(text: str) -> str:
    """Wrap every paragraph and list item that has a line over the width."""
    wide, lines = set(too_wide(text)), text.splitlines()
    plain = {number for number, _ in prose(text)}
    out: list[str] = []
    at = 0
    while at < len(lines):
        if at + 1 not in plain or not lines[at].strip():
            out.append(lines[at])
            at += 1
            continue
        end = at + 1
        while end < len(lines) and end + 1 in plain and lines[end].strip() and not _ITEM.match(lines[end]):
            end += 1
        block = lines[at:end]
        if wide & set(range(at + 1, end + 1)):
            item = _ITEM.match(block[0])
            first = item[0] if item else re.match(r" *", block[0])[0]  # type: ignore[index]
            words = " ".join(line.strip() for line in [block[0][len(first) :], *block[1:]])
            words = _STARTS.sub(_GLUE + r"\1", words)
            block = textwrap.wrap(
                words, WIDTH, initial_indent=first, subsequent_indent=" " * len(first),
                break_long_words=False, break_on_hyphens=False,
            )  # fmt: skip
            block = [line.replace(_GLUE, " ") for line in block]
        out += block
        at = end
    return "\n".join(out) + "\n"


if __name__ == "__main__":
    for page in pages():
        text = page.read_text(encoding="utf-8")
        if too_wide(text):
            page.write_text(wrapped(text), encoding="utf-8")
