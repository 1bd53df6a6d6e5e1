"""Peg solitaire, a game that the project knows nothing of: it registers from here (see ``tests/test_third_game.py``).

A file has rows of ``o`` (a peg), ``.`` (a hole) and ``#`` (no place). A jump takes the peg that is jumped over away; a plan ends
with one peg. The objective counts jumps.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sokoasp.core.errors import IllegalPlan, LevelError, NotationError, SokoaspError, WrongEncoding
from sokoasp.core.limits import Limits
from sokoasp.core.result import Atom, Horizon, Result, Status
from sokoasp.domain import Domain, Estimate, Knowledge, Programs, Searches, Texts
from sokoasp.picture.canvas import arrow
from sokoasp.picture.outline import SIZE, outline
from sokoasp.picture.scene import Scene, around

Place = tuple[int, int]
Jump = tuple[Place, Place]
Jumps = tuple[Jump, ...]


@dataclass(frozen=True, slots=True)
class Pegs:
    """A board: its places, and those with a peg."""

    places: frozenset[Place]
    pegs: frozenset[Place]
    title: str = ""

    def rows(self) -> list[str]:
        height, width = (1 + max(place[axis] for place in self.places) for axis in (0, 1))
        signs = {place: "o" if place in self.pegs else "." for place in self.places}
        return ["".join(signs.get((row, col), "#") for col in range(width)) for row in range(height)]


def board(rows: Sequence[str], title: str = "") -> Pegs:
    signs = {(row, col): sign for row, line in enumerate(rows) for col, sign in enumerate(line) if sign != "#"}
    bad = next((place for place, sign in signs.items() if sign not in "o."), None)
    if bad is not None:
        raise LevelError(f"{signs[bad]!r} is no peg, hole or wall", line=bad[0] + 1, column=bad[1] + 1)
    pegs = frozenset(place for place, sign in signs.items() if sign == "o")
    if not pegs:
        raise LevelError("no peg on this board", line=1)
    return Pegs(frozenset(signs), pegs, title)


def read(data: bytes, source: str, **_reading: Any) -> Iterator[Pegs | SokoaspError]:
    try:
        yield board(data.decode().split())
    except LevelError as error:
        yield error


def jumped(pegs: frozenset[Place], jump: Jump) -> frozenset[Place]:
    (row, col), (to_row, to_col) = jump
    return pegs - {jump[0], ((row + to_row) // 2, (col + to_col) // 2)} | {jump[1]}


def jumps(game: Pegs, pegs: frozenset[Place]) -> Iterator[Jump]:
    for row, col in sorted(pegs):
        for drow, dcol in ((0, 2), (0, -2), (2, 0), (-2, 0)):
            to = (row + drow, col + dcol)
            if to in game.places - pegs and (row + drow // 2, col + dcol // 2) in pegs:
                yield (row, col), to


def search(game: Pegs, objective: str, limits: Limits, *_: Any) -> Result:
    """Look depth first: every solution has as many jumps as pegs less one."""
    seen: set[frozenset[Place]] = set()

    def rest(pegs: frozenset[Place]) -> Jumps | None:
        if len(pegs) == 1:
            return ()
        if pegs in seen:
            return None
        seen.add(pegs)
        for jump in jumps(game, pegs):
            after = rest(jumped(pegs, jump))
            if after is not None:
                return (jump, *after)
        return None

    plan = rest(game.pegs)
    if plan is None:
        return Result(Status.UNSOLVABLE, objective, "native", proof="no order of jumps leaves one peg")
    return Result(
        Status.OPTIMAL, objective, "native", len(plan), len(plan), plan, proof="every jump takes one peg away"
    )


def validate(game: Pegs, plan: Jumps, _steps: int | None) -> Mapping[str, int]:
    pegs = game.pegs
    for number, jump in enumerate(plan, 1):
        if jump not in set(jumps(game, pegs)):
            raise IllegalPlan(f"jump {number} is not possible", at=number)
        pegs = jumped(pegs, jump)
    if len(pegs) != 1:
        raise IllegalPlan(f"{len(pegs)} pegs are left", at=len(plan))
    return {"jumps": len(plan)}


def write_plan(_game: Pegs, plan: Jumps) -> str:
    return "".join(f"{a},{b} > {c},{d}\n" for (a, b), (c, d) in plan)


def read_plan(_game: Pegs, text: str, source: str) -> Jumps:
    try:
        ends = [[tuple(map(int, end.split(","))) for end in line.split(">")] for line in text.splitlines()]
        return tuple(((a, b), (c, d)) for (a, b), (c, d) in ends)
    except ValueError:
        raise NotationError("a jump is written 0,0 > 0,2", source=source) from None


def decode(_game: Pegs, _atoms: Sequence[Atom], _index: str, _keep_steps: bool) -> Jumps:
    raise WrongEncoding("peg solitaire has no programs")


def scene(game: Pegs) -> Scene:
    ground = f'<path class="floor" d="{outline(game.places)}"/>'

    def pieces(pegs: frozenset[Place]) -> str:
        return "".join(
            f'<circle class="goal" data-id="{row},{col}" cx="{(col + 0.5) * SIZE}" cy="{(row + 0.5) * SIZE}" r="14"/>'
            for row, col in sorted(pegs)
        )

    def frames(plan: Jumps) -> Iterator[tuple[frozenset[Place], str, str]]:
        pegs = game.pegs
        for number, (start, to) in enumerate(plan, 1):
            yield pegs, arrow(*start, *to), f"{number}."
            pegs = jumped(pegs, (start, to))
        yield pegs, "", "end"

    return Scene(
        title=game.title,
        noun="peg board",
        box=around(game.places),
        ground=ground,
        start=game.pegs,
        pieces=pieces,
        describe=lambda pegs: f"{len(pegs)} pegs",
        frames=frames,
        count=lambda plan: f"{len(plan)} jumps",
        timeline=lambda plan: timeline(game, plan),
    )


def timeline(game: Pegs, plan: Jumps) -> dict[str, Any]:
    name = {place: f"{place[0]},{place[1]}" for place in game.pegs}
    moves = []
    for start, to in plan:
        name[to] = name.pop(start)
        moves.append([[name[to], to[0] - start[0], to[1] - start[1]]])
    actions = [[number, "jump"] for number in range(1, len(plan) + 1)]
    return {"moves": moves, "actions": actions, "goals": [], "counts": [["jumps", list(range(len(plan) + 1))]]}


DOMAIN: Domain[Pegs, Jumps] = Domain(
    name="pegs",
    problem=Pegs,
    objectives=("jumps",),
    engine="native",
    asp=Programs(
        encodings=lambda game, objective: [objective],
        constrained=lambda game, objective: objective,
        facts=lambda game, steps: "".join(f"peg({row},{col}).\n" for row, col in sorted(game.pegs)),
        constants=lambda game: {},
        tables={},
        decode=decode,
    ),
    texts=Texts(
        recognises=lambda data, source: False,
        read=read,
        write={"pegs": lambda games, steps: "\n\n".join("\n".join(game.rows()) for game in games) + "\n"},
        read_plan=read_plan,
        write_plan=dict.fromkeys(("lurd", "push", "text"), write_plan),
        plan_json=lambda plan: {"actions": [[list(start), list(to)] for start, to in plan]},
        title=lambda game: game.title,
        to_wire=lambda game: ("", game.rows()),
        from_wire=lambda head, rows, title: board(rows, title),
        suffixes=(".pegs",),
    ),
    known=Knowledge(
        estimate=lambda game, objective: Estimate(Horizon(len(game.pegs) - 1)),
        stats=lambda game, limits: {"places": len(game.places), "pegs": len(game.pegs)},
    ),
    validate=validate,
    remarks=lambda game, plan: (),
    search=Searches(
        native={"native": search}, second=lambda game, objective, limits, may_compile: search(game, objective, limits)
    ),
    scene=scene,
)
