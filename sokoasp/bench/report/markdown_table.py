"""Tables in Markdown."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence


def lines(head: Sequence[str], rows: Iterable[Iterable[object]], *, words: int | None = None) -> Iterator[str]:
    """Yield the lines of a table; its first ``words`` columns (None: all) hold words, the others figures, set to the right."""
    words = len(head) if words is None else words
    yield _row(head)
    yield "|" + "---|" * words + "---:|" * (len(head) - words)
    for row in rows:
        yield _row(row)


def _row(cells: Iterable[object]) -> str:
    """Return a row; None is an empty cell, bars within a cell are escaped, and white space is one blank."""
    texts = ("" if cell is None else str(cell).replace("|", "\\|") for cell in cells)
    return f"| {' | '.join(' '.join(text.split()) for text in texts)} |"
