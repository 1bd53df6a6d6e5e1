"""Numbers with their nouns, as printed sentences have them."""

from __future__ import annotations


def counted(number: int, noun: str) -> str:
    """Return ``1 box``, ``2 boxes`` or ``65,880 positions`` from the number and the plural."""
    return f"{number:,} {singular(noun) if number == 1 else noun}"


def singular(noun: str) -> str:
    """Return the singular of a regular plural, such as an objective's name."""
    if noun.endswith("ies"):
        return f"{noun[:-3]}y"
    return noun[:-2] if noun.endswith(("shes", "ches", "xes")) else noun[:-1]
