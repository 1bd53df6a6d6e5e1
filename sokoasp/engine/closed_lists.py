"""Closed lists of certificates, made: with larger and larger tables, or with what the native search has learned."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache, partial
from typing import TYPE_CHECKING, Any

from sokoasp.core import jit
from sokoasp.core.plurals import counted
from sokoasp.domain import Certificates
from sokoasp.engine.certificate_bounds import Learning, Way, dead_boxes, prices_of, sizes_of
from sokoasp.klotski import notation, slide_plan
from sokoasp.klotski.board import Board
from sokoasp.proof import folder as folders
from sokoasp.proof import level_text
from sokoasp.proof.refusals import Cheaper
from sokoasp.sokoban.level import Level
from sokoasp.sokoban.plan import Plan

if TYPE_CHECKING:
    from sokoasp.engine.fixed_boxes import FixedBoxes
    from sokoasp.engine.proving import Made, Maker
    from sokoasp.proof.closed import ClosedList
    from sokoasp.proof.group_bounds import GroupBounds
    from sokoasp.proof.patterns import PatternList

    _Filled = Callable[[tuple[int, ...], int], GroupBounds | None]

FEW = 4000
"""States of a list that are tried with small tables before larger ones are filled."""
MANY = 1_000_000
"""States of a list with the largest tables before boxes that never move again are taken as walls."""
LAST = Way(inner=True, walls=True, last=True)
"""What is left when a list has more states than any may have."""


def of_levels() -> Certificates[Level, Plan]:
    """Return how certificates of Sokoban levels are made."""
    return Certificates(_level_text, lambda plan: plan.lurd + "\n", _close)


def of_boards() -> Certificates[Board, Any]:
    """Return how certificates of Klotski boards are made."""
    return Certificates(notation.write, slide_plan.write, _close_slides)


def _level_text(level: Level) -> str:
    return level_text.write(level)


def _close_slides(maker: Maker, value: int | None) -> Made | str:
    from sokoasp.proof.slides_list import SlidesList

    listed = SlidesList(maker.level, value, units=maker.request.objective == "units")
    if stopped := listed.make(maker.going("closing the list")):
        return stopped
    listed.write(maker.folder / folders.STATES)
    return maker.done(value, "states", f"closed list of {len(listed.cost):,} states")


def _close(maker: Maker, value: int | None) -> Made | str:
    """Close a list of states, with tables of larger and larger patterns."""
    jit.require("a closed list")
    from sokoasp.proof import closed, ties

    level = maker.level
    if value is None:
        dead = _dead(maker)
        if dead is not None:
            return dead
    equal = len(level.boxes) == len(level.goals)
    prices = tuple(prices_of(maker.problem, maker.request.objective)) if equal else (0,) * len(level.goals)
    stages, stopped = _stages(maker, sizes_of(level, equal), equal and value is not None), "states"
    learning = Learning(level, maker.request.objective, value or 0, maker.request.corrals)
    # the next stage often wants the same ones
    tables = lru_cache(maxsize=1)(partial(_tables, maker))
    for at, largest in enumerate(stages):
        if isinstance(largest, Way):
            made = _by_patterns(maker, learning, tables, largest)
            if made is not None:
                return made
            continue
        bounds = None
        if largest:
            bounds = tables(prices, largest)
            if bounds is None:
                return maker.clock.over() or "time"
        claim = closed.Claim(level, maker.request.objective, value, level.boxes, prices, largest, maker.moves)
        listed = ties.listing(claim, bounds)
        entries, later = 0 if bounds is None else len(bounds.tables.value), stages[at + 1 :]
        stopped = _closing(maker, listed, _patience(later, entries)) or ""
        if not stopped:
            return _write(maker, listed, bounds, value)
        if stopped != "larger" and (stopped != "states" or later != [LAST]):
            return stopped
    return stopped


def _stages(maker: Maker, sizes: list[int], learns: bool) -> list[int | Way]:
    """Return what is tried one after the other: sizes of patterns, and ways in which the native search learns."""
    if not (learns and maker.request.patterns and maker.request.objective in ("pushes", "lines")):
        return [*sizes]
    if not maker.request.corrals:
        return [sizes[0], Way(), *sizes]
    brief = Way(brief=True), Way(inner=True, brief=True), Way(walls=True, brief=True)
    long = Way(inner=True, long=True, brief=True), Way(inner=True, walls=True, long=True, brief=True)
    other = Way(transposed=True, brief=True)
    return [sizes[0], *brief, Way(), Way(inner=True), *long, other, *sizes, Way(walls=True), sizes[-1], LAST]


def _patience(later: list[int | Way], entries: int) -> int | None:
    """Return after how many states a list gives way to later stages; None: never."""
    if later in ([], [LAST]):
        return None
    if isinstance(later[0], Way):
        # what is learned costs less than larger tables do; boxes as walls come last
        return MANY if later[0].walls else FEW
    return max(FEW, entries // 2)


def _tables(maker: Maker, prices: tuple[int, ...], largest: int) -> GroupBounds | None:
    from sokoasp.proof import group_bounds

    maker.request.notify(f"filling the pattern databases of up to {counted(largest, 'boxes')}")
    lines = maker.request.objective == "lines"
    return group_bounds.build(maker.level, prices, largest, lines=lines, going=lambda: maker.clock.over() is None)


def _by_patterns(maker: Maker, learning: Learning, tables: _Filled, way: Way) -> Made | str | None:
    """Close a list of states with what the native search has learned when it has proved the value; None: it gives way."""
    from sokoasp.engine.fixed_boxes import FixedBoxes
    from sokoasp.proof import closed, patterns
    from sokoasp.proof.walls import WallList

    level, value, barred = maker.level, learning.value, learning.barred(way)
    learned = learning.go_on(way, maker.clock, maker.going("learning patterns"))
    if learned is None or isinstance(learned, str):
        return learned
    bounds = tables(learned.prices, learned.largest)
    if bounds is None:
        return maker.clock.over() or "time"
    claim = closed.Claim(level, maker.request.objective, value, level.boxes, learned.prices, learned.largest)
    shown, listed = patterns.PatternList(claim, bounds), closed.ClosedList(claim, bounds, barred)
    showing = maker.going("showing the learned patterns")
    stopped = shown.close(learned.patterns, lambda n, left: "larger" if n > way.most[1] else showing(n, left))
    if stopped == "larger":
        return None
    listed.tables = shown.tables
    fixed = FixedBoxes(WallList(level, bounds, learned.prices), shown.tables) if way.walls else None
    stopped = stopped or _closing(maker, listed, None, fixed)
    return stopped or _write(maker, listed, bounds, value, shown, fixed)


def _closing(maker: Maker, listed: Any, most: int | None, fixed: FixedBoxes | None = None) -> str | None:
    """Close a list; give up with ``larger`` when it has more states than ``most``."""
    going = maker.going("closing the list")

    def until(states: int, left: int) -> str | None:
        return "larger" if most is not None and states > most else going(states, left)

    found: str | None = listed.make(until, None if fixed is None else fixed.bound)
    return found


def _write(
    maker: Maker,
    listed: ClosedList,
    bounds: Any,
    value: int | None,
    shown: PatternList | None = None,
    fixed: FixedBoxes | None = None,
) -> Made:
    from sokoasp.proof import corrals, group_bounds

    largest, more = listed.claim.largest, dict[str, Any]()
    maker.request.notify("writing")
    listed.write(maker.folder / folders.STATES)
    if bounds is not None:
        (maker.folder / folders.TABLES).write_bytes(group_bounds.stored_bytes(bounds))
    reported = f"closed list of {listed.count:,} states" if listed.count else "bound of the start"
    if largest:
        # written in the claim, whose sum names the certificate: the plural stays
        reported += f", patterns of up to {largest} boxes"
        more = {"groups": largest, "prices": listed.claim.prices}
    barred = int((listed.areas[:, 0] >= 0).sum())
    walls = [] if fixed is None else fixed.walls.walls
    if shown is not None and (shown.count or barred or walls):
        shown.write(maker.folder / folders.PATTERNS)
        reported += f" and {counted(int(shown.marked.sum()), 'learned ones')}"
        more["parts"] = 1
    if barred or walls:
        corrals.write(maker.folder / folders.CORRALS, listed.areas)
        reported += f", {counted(barred, 'corrals')}" if barred else ""
        more["parts"] = 2
    if fixed is not None and walls:
        fixed.walls.write(maker.folder / folders.WALLS)
        reported += f", {counted(len(walls), 'sets')} of fixed boxes"
        more["parts"] = 3
    return maker.done(value, "states", reported, **more)


def _dead(maker: Maker) -> Made | None:
    """Show an unsolvable level by the few boxes that make it so, if the detectors name some."""
    from sokoasp.proof import closed

    level: level_text.Field = maker.level
    if len(level.boxes) != len(level.goals):
        return None
    chosen = dead_boxes(maker.problem, level)
    zero = (0,) * len(level.goals)
    for boxes in chosen:
        listed = closed.ClosedList(closed.Claim(level, maker.request.objective, None, boxes, zero, 0), None)
        try:
            stopped = listed.make(lambda states, left: "states" if states > 50_000 else None)
        except Cheaper:
            continue
        if stopped is None:
            listed.write(maker.folder / folders.STATES)
            cells = tuple(level.cells[b] for b in boxes)
            reported = f"{len(boxes)} of {len(level.boxes)} boxes can never all come to goals, {listed.count:,} states"
            return maker.done(None, "states", reported, boxes=cells)
    return None
