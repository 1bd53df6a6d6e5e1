"""The name that somebody meant who typed another one."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from sokoasp.core.errors import some

MOST = 10
"""Names that are listed where none is like the one that was typed."""


def nearest(name: str, known: Sequence[str]) -> str:
    """Return the known name that is most like another one, empty if none is."""
    from difflib import get_close_matches

    return next(iter(get_close_matches(name, known, 1)), "")


def meant(name: str) -> str:
    """Return ``; did you mean 'lines'?``, empty if there is no name."""
    return f"; did you mean {name!r}?" if name else ""


def did_you_mean(name: str, known: Iterable[str], other_words: Mapping[str, str] | None = None) -> str:
    """Return the question for a name that is not known, empty if none of the known ones is like it.

    ``other_words`` are names by which other programs call the same things.
    """
    names = list(known)
    near = (other_words or {}).get(name.lower(), "")
    if near not in names:
        near = nearest(name.lower(), names)
    return meant(near) if near != name else ""


def nearest_or_all(name: str, known: Iterable[str], other_words: Mapping[str, str] | None = None) -> str:
    """Return the same question, and where no name is like it those there are, ten at most: ``; there are a, b``."""
    names = list(known)
    return did_you_mean(name, names, other_words) or f"; there are {some(names, MOST)}"
