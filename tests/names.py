"""The same level with its cells called otherwise: all that a competition file may call them."""

import random
from collections.abc import Callable
from dataclasses import replace
from itertools import count

from sokoasp.sokoban.level import Level

_WORDS = (
    "left right up down t box bound none acts move query cell step base goal push sokoban solution reached part x' _a aB "
    "number most k c1r1 r1c1 check"
)
WORDS = _WORDS.split()
"""Constants that the programs use for something else, and odd ones."""

STYLES: dict[str, Callable[[int], str]] = {
    "integers": lambda n: str(n),
    "negative integers": lambda n: str(n - 4),
    "large integers": lambda n: str(2**31 - 1 - n),
    "strings": lambda n: '"' + ("a b", "c,d", 'e\\"f', "g(h", "\\\\", "%i")[n % 6] + str(n) + '"',
    "one-tuples": lambda n: ("()", "1", "(1,)", "((1,),)", "(1,2)", "-2147483648")[n] if n < 6 else f"({n},)",
    "pairs": lambda n: f"({n // 4},{n % 4 - 1})",
    "nested terms": lambda n: f'f({n},g(-{n + 1},h("{n}")))',
    "words": lambda n: WORDS[n] if n < len(WORDS) else f"{WORDS[n % len(WORDS)]}({n})",
}


def renamed(given: Level, seed: int, style: str | None = None) -> Level:
    """Return the level with names of one style, by default that of the seed, dealt out at random."""
    rng = random.Random(f"names {seed}")
    name = STYLES[style or sorted(STYLES)[seed % len(STYLES)]]
    cells = sorted(given.floor)
    names = [name(n) for n, _ in zip(count(), cells)]
    rng.shuffle(names)
    return replace(given, names=tuple(zip(cells, names, strict=True)))
