"""Counts of a board's whole state space."""

from __future__ import annotations

from sokoasp.core.guard import cause
from sokoasp.core.limits import Limits
from sokoasp.klotski.board import Board
from sokoasp.klotski.piece_classes import classes, paper_key
from sokoasp.klotski.search import Exploration, explore
from sokoasp.klotski.space import Space


def stats(board: Board, limits: Limits | None = None) -> dict[str, int | str | bool | None]:
    """Return sizes, and the counts of positions that can be reached from the start.

    Keys: ``width, height, cells, pieces, classes, blanks``; ``key`` and ``key_bits`` (the paper's number and the bits any such
    number needs); ``complete`` (False if a limit or Ctrl-C cut the search short; the counts are then lower bounds) and
    ``stopped_by``; ``reachable``, ``goal``;
    ``greatest_slides`` and ``greatest_units`` (distance of the farthest position).
    """
    clock = (limits or Limits()).start()
    sliding = Space(board, sliding=True)
    by_slides, by_units, stopped = Exploration(), Exploration(), None
    try:
        explore(sliding, clock, by_slides, to_the_end=True)
        explore(Space(board, sliding=False), clock, by_units, to_the_end=True)
    except KeyboardInterrupt as ended:
        stopped = cause(ended)
    stopped = by_slides.stopped or by_units.stopped or stopped
    highest = (board.width * board.height) ** len(board.pieces) - 1
    return {
        "width": board.width,
        "height": board.height,
        "cells": len(board.cells),
        "pieces": len(board.pieces),
        "classes": len(classes(board)),
        "blanks": len(board.blanks),
        "key": paper_key(board),
        "key_bits": highest.bit_length(),
        "complete": stopped is None,
        "stopped_by": stopped,
        "reachable": by_slides.states,
        "goal": by_slides.goals,
        "greatest_slides": max(len(by_slides.layers) - 1, 0),
        "greatest_units": max(len(by_units.layers) - 1, 0),
    }
