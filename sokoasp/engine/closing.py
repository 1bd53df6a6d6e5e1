"""Closed lists made: the checker is run, and what it misses is put into the list, until it misses nothing."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from sokoasp.core import kernels
from sokoasp.core.errors import SokoaspError
from sokoasp.core.kernels.arrays import U8
from sokoasp.proof.closed import ClosedList
from sokoasp.proof.group_bounds import MODULES
from sokoasp.proof.kernel_records import Fault
from sokoasp.proof.patterns import TOP, Pattern, PatternList
from sokoasp.proof.refusals import Cheaper, Refused
from sokoasp.proof.ties import TieList
from sokoasp.sokoban import search

CLOSING = (*MODULES, "sokoasp.engine.closing_kernel")
"""The kernels of the checker, and those that make lists."""
TURN = 20_000
"""States that a kernel looks at between two looks at clock and Ctrl-C."""
PassedLimit = Callable[[int, int], str | None]
"""Asked now and then with the states of a list and those to do → the word of a limit that has come."""
Bounding = Callable[[Any, int, int], Any]
"""Asked before a state is added, with its boxes' and its player's cells and what it would have to cost at least → tables that
may bound it so, None without."""


def compile_all() -> None:
    """Load all kernels, those of certificates and of their check too, and compile those that are not yet."""
    search.compile_all()
    for modules in (MODULES, CLOSING):
        kernels.load(modules)


def close(listed: ClosedList, passed_limit: PassedLimit, bounds: Bounding | None = None) -> str | None:
    """Find a list; return the limit that came first. Cheaper if a state is solved with fewer actions than claimed."""
    if listed.p.corrals:
        most = kernels.named(CLOSING)["closing_kernel"].MOST_AREAS
        listed.bar(np.full((len(listed.cost), most), -1, np.int32))
    key = listed.start()
    # without tables the start is always listed: a list that says nothing but the rules reads better
    if key is not None and (not listed.claim.largest or not listed.start_passed()):
        listed.append(key[None, :], np.zeros(1, np.int32))
    return _add_missing(listed, passed_limit, bounds)


def close_patterns(shown: PatternList, patterns: Sequence[Pattern], passed_limit: PassedLimit) -> str | None:
    """Mark patterns and add the records that their check misses; return the word of the limit that came first.

    Raises Refused: one of them says too much.
    """
    found: dict[bytes, tuple[U8, int]] = {}
    for pattern in patterns:
        key = shown.key_of(pattern)
        cost = shown.never if pattern.least is None else TOP - pattern.least
        if key is not None and len(pattern.boxes) <= len(shown.claim.boxes):
            found[key.tobytes()] = key, min(cost, found[key.tobytes()][1] if key.tobytes() in found else cost)
    if not found:
        return None
    keys, costs = zip(*found.values(), strict=True)
    shown.append(np.array(keys), np.array(costs, dtype=np.int32))
    shown.marked = np.ones(len(found), dtype=np.bool_)
    shown.index()
    # a record that costs less than before may be too much for what leads to it: the check goes on there
    while shown.check():
        if stopped := _add_missing(shown, passed_limit):
            return stopped
    shown.marked = np.append(shown.marked, np.zeros(shown.count - len(shown.marked), dtype=np.bool_))
    return None


def _add_missing(listed: ClosedList, passed_limit: PassedLimit, bounds: Bounding | None = None) -> str | None:
    """Look at all records from the next one on, with place for what is added."""
    p = listed.p
    code = kernels.named(CLOSING)["closing_kernel"]
    while p.next < p.count:
        if stopped := passed_limit(listed.count, int(p.count - p.next)):
            return stopped
        p.end = min(p.count, p.next + TURN)
        fault = _turn(listed, code, asks=bounds is not None)
        if fault == Fault.OPEN and bounds is not None:
            tables = _ask(listed, bounds)
            if tables is not None:
                listed.tables = tables
                continue
            fault = code.FULL if code.put(p, listed.states, listed.hand) < 0 else 0
        if fault == code.FULL:
            listed.make_room(2 * listed.count)
        elif fault:
            raise _too_much(listed)
    return None


def _turn(listed: ClosedList, code: Any, *, asks: bool) -> int:
    parts = listed.p, listed.floor, listed.states, listed.tables, listed.hand
    if isinstance(listed, TieList):
        return int(code.close_ties(*parts, listed.scratch, listed.walked))
    return int(code.close(*parts, listed.corral, listed.scratch, int(asks)))


def _ask(listed: ClosedList, bounds: Bounding) -> Any:
    """Ask for tables that bound the successor in hand."""
    p = listed.p
    bits = np.unpackbits(listed.hand.key[:-1].view(np.uint8), bitorder="little")
    boxes = listed.floor_of[np.flatnonzero(bits)]
    return bounds(boxes, p.stand, int(p.claimed_cost - listed.cost[p.next] - 1))


def _too_much(listed: ClosedList) -> SokoaspError:
    """Return what the record in hand shows, which is solved with fewer actions than claimed, or says too much."""
    if isinstance(listed, PatternList):
        return Refused("a learned pattern says too much")
    place = listed.p.next
    moves = int(listed.moves[place]) if isinstance(listed, TieList) else None
    return Cheaper(int(listed.cost[place]), moves)
