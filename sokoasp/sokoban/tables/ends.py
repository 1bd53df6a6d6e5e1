"""Which end of a plan a program counts its actions from: its state 0 is the near end."""

from __future__ import annotations

from typing import NamedTuple


class Ends(NamedTuple):
    """What the facts call the two ends of a plan: one is ``near``, the other ``far``."""

    start: str
    goal: str


ENDS = {"forward": Ends("near", "far"), "remaining": Ends("far", "near")}
"""Index of a program (``Encoding.index``) → the names of the ends in the facts it reads."""
