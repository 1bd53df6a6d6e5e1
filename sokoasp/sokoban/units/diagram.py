"""Unit diagrams (units paper, figures 9, 12, 19, 22) as graphs: DOT for other programs, SVG to look at.

Gates of one unit that lead into one passage are drawn as one gate. Its way to another gate of the unit is the best kind that
any of its cells has: free, push, unknown, blocked.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from html import escape
from itertools import groupby, permutations
from operator import attrgetter

from sokoasp.sokoban.units.draw import SplitView, UnitView
from sokoasp.sokoban.units.passage import BLOCKED, FREE, PUSH, UNKNOWN

ORDER = (FREE, PUSH, UNKNOWN, BLOCKED)
SIGNS = {FREE: "→", PUSH: "→*", UNKNOWN: "?", BLOCKED: "↛"}
"""The paper's arrows."""


@dataclass(frozen=True, slots=True)
class Gate:
    """The gates of a unit that lead into one passage."""

    unit: int
    number: int
    """Number within the unit, from 0, as in the paper's g with a subscript."""
    passage: int
    members: tuple[int, ...]
    """Their numbers in ``UnitView.gates``."""


def gates(view: SplitView) -> list[Gate]:
    """Group the gates of each unit by passage, in order of the passages."""
    where = {cell: number for number, passage in enumerate(view.passages) for cell in passage.cells}
    found = []
    for number, unit in enumerate(view.units):
        by_passage: dict[int, list[int]] = {}
        for at, gate in enumerate(unit.gates):
            by_passage.setdefault(where[gate.cell.step(gate.direction)], []).append(at)
        for count, (passage, members) in enumerate(sorted(by_passage.items())):
            found.append(Gate(number, count, passage, tuple(members)))
    return found


def kinds(view: SplitView) -> list[tuple[Gate, Gate, str]]:
    """Return (from, to, kind) for every ordered pair of gates of one unit, as far as its passability is known."""
    found = []
    for number, group in groupby(gates(view), key=attrgetter("unit")):
        for a, b in permutations(group, 2):
            if kind := _kind(view.units[number], a, b):
                found.append((a, b, kind))
    return found


def _kind(unit: UnitView, a: Gate, b: Gate) -> str | None:
    ways = {kind for first, last, kind in unit.ways if first in a.members and last in b.members}
    return next((kind for kind in ORDER if kind in ways), None)


def equations(view: SplitView) -> list[str]:
    """Write the passability as the paper's equations (1) to (16): one line a unit, gate and kind."""
    ends: dict[tuple[int, int, int], list[str]] = {}
    for a, b, kind in kinds(view):
        ends.setdefault((a.unit, ORDER.index(kind), a.number), []).append(f"g{b.number}")
    return [
        f"{view.units[unit].name}: {{g{first}}} {SIGNS[ORDER[rank]]} {{{', '.join(to)}}}"
        for (unit, rank, first), to in sorted(ends.items())
    ]


def dot(view: SplitView) -> Iterator[str]:
    """Yield the lines of a DOT document: units grey, passages white (dashed when out of reach for good), gates as boxes."""
    yield "digraph units {"
    for number, unit in enumerate(view.units):
        looks = "" if unit.done else " color=red"
        yield f'  u{number} [label="{unit.name}: {len(unit.boxes)} $" shape=ellipse style=filled fillcolor=lightgrey{looks}]'
    for number, passage in enumerate(view.passages):
        looks = "" if passage.reached else " style=dashed"
        yield f'  p{number} [label="P{number}" shape=ellipse{looks}]'
    for gate in gates(view):
        name = _name(gate)
        yield f'  {name} [label="g{gate.number}" shape=box]'
        yield f"  u{gate.unit} -> {name} [dir=none]"
        yield f"  {name} -> p{gate.passage} [dir=none]"
    for a, b, kind in kinds(view):
        if kind != BLOCKED:
            yield f'  {_name(a)} -> {_name(b)} [label="{kind}" style={"solid" if kind == FREE else "dashed"}]'
    yield "}"


def _name(gate: Gate) -> str:
    return f"u{gate.unit}g{gate.number}"


def svg(view: SplitView) -> str:
    """Draw units and passages on a circle, gates on the lines between them, and the paper's equations below."""
    nodes = [(f"u{n}", unit.name, "unit") for n, unit in enumerate(view.units)]
    nodes += [(f"p{n}", f"P{n}", "passage" if one.reached else "closed") for n, one in enumerate(view.passages)]
    radius, text = 60 + 22 * len(nodes), equations(view)
    place = {name: _on_circle(at, len(nodes), radius) for at, (name, _word, _kind) in enumerate(_mixed(nodes, view))}
    size, height = 2 * radius + 120, 2 * radius + 140 + 20 * len(text)
    parts = [f'<line x1="{x}" y1="{y}" x2="{u}" y2="{v}"/>' for x, y, u, v, _gate in _lines(view, place)]
    for x, y, u, v, gate in _lines(view, place):
        gx, gy = (2 * x + u) / 3, (2 * y + v) / 3
        parts.append(f'<rect x="{gx - 13:.0f}" y="{gy - 10:.0f}" width="26" height="20"/>')
        parts.append(f'<text x="{gx:.0f}" y="{gy + 5:.0f}">g{gate.number}</text>')
    for name, word, kind in nodes:
        x, y = place[name]
        parts.append(
            f'<ellipse class="{kind}" cx="{x}" cy="{y}" rx="34" ry="22"/><text x="{x}" y="{y + 5}">{escape(word)}</text>'
        )
    for row, line in enumerate(text):
        parts.append(f'<text class="line" x="16" y="{2 * radius + 136 + 20 * row}">{escape(line)}</text>')
    style = (
        "line{stroke:#888}rect,.passage{fill:#fff;stroke:#333}.unit{fill:#bbb;stroke:#333}"
        ".closed{fill:#fff;stroke:#c00;stroke-dasharray:5}text{font:14px sans-serif;text-anchor:middle}.line{text-anchor:start}"
    )
    body = "".join(parts)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {size} {height}" role="img">'
        f"<title>Unit diagram</title><style>{style}</style>{body}</svg>\n"
    )


def _mixed(nodes: list[tuple[str, str, str]], view: SplitView) -> list[tuple[str, str, str]]:
    """Put units and passages by turns around the circle."""
    units, passages = nodes[: len(view.units)], nodes[len(view.units) :]
    longer, shorter = (units, passages) if len(units) >= len(passages) else (passages, units)
    mixed = []
    for at, node in enumerate(longer):
        mixed.append(node)
        mixed += shorter[at : at + 1]
    return mixed


def _on_circle(at: int, count: int, radius: int) -> tuple[int, int]:
    angle = 2 * math.pi * at / max(count, 1) - math.pi / 2
    return round(radius + 60 + radius * math.cos(angle)), round(radius + 60 + radius * math.sin(angle))


def _lines(view: SplitView, place: dict[str, tuple[int, int]]) -> list[tuple[int, int, int, int, Gate]]:
    return [(*place[f"u{gate.unit}"], *place[f"p{gate.passage}"], gate) for gate in gates(view)]
