"""Do things that are alike fit into places with so much room each?"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import pairwise


def fits(wanted: Mapping[int, int], room: Sequence[int]) -> bool:
    """Return whether things, counted by the bits of the places they may go to, fit into places with so much room each.

    Source: augmenting paths (Ford and Fulkerson), alike things together.
    """
    placed: list[Counter[int]] = [Counter() for _ in room]
    spare = list(room)
    for bits, count in wanted.items():
        left = count
        while left:
            path = _path(bits, placed, spare)
            if not path:
                return False
            step = min(left, spare[path[-1][0]], *(placed[p][b] for (p, _), (_, b) in pairwise(path)))
            spare[path[-1][0]] -= step
            left -= step
            for place, moved in path:
                placed[place][moved] += step
            for (place, _), (_, moved) in pairwise(path):
                placed[place][moved] -= step
    return True


def _path(bits: int, placed: Sequence[Counter[int]], spare: Sequence[int]) -> list[tuple[int, int]]:
    """Return how room is made for one thing: place by place, and the bits of what moves there; empty if it cannot be."""
    paths = {p: [(p, bits)] for p in range(len(spare)) if bits >> p & 1}
    queue = list(paths)
    for p in queue:
        if spare[p]:
            return paths[p]
        for other in [b for b, n in placed[p].items() if n]:
            for q in range(len(spare)):
                if other >> q & 1 and q not in paths:
                    paths[q] = [*paths[p], (q, other)]
                    queue.append(q)
    return []
