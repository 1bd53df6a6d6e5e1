"""The width of the prose in pages. Tables, code blocks, headings, HTML and link targets may be wider."""

import re
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
WIDTH = 100
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
