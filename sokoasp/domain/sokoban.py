"""Sokoban as a ``Domain``."""

from __future__ import annotations

from collections import abc
from contextlib import suppress
from functools import partial
from math import comb
from typing import Any

from sokoasp import domain
from sokoasp.core import errors, result
from sokoasp.core.limits import Limits
from sokoasp.sokoban import facts, formats, grid, rules, search, tables, validate
from sokoasp.sokoban.level import Cell, Direction, Level
from sokoasp.sokoban.plan import OBJECTIVES, Plan, Push
from sokoasp.sokoban.search.exact import reference

_MOST_STATES = 200
"""Levels with at most this number of conceivable states get a horizon: ASP alone then proves them unsolvable."""

_REFERENCE_STATES = 100_000
"""What the reference search may keep when it gives a second opinion."""

ORDER = {
    "lines": ("lines-forward", "lines-remaining-dom"),
    "pushes": ("pushes-forward", "pushes-remaining"),
    "moves": ("moves-forward", "moves-remaining-dom"),
}
"""The programs of each objective, in turns (decision 4); the first counts actions from the start, as public predicates do."""
TABLES_UP_TO = 250
"""Largest map, in floor cells, whose two-box tables are worth making in plain Python; larger ones get the plain program."""
PLAIN_UP_TO = 40
"""Boxes times floor cells of the largest level whose plain program comes before those with tables: it mostly decides such a level
in less time than the tables take to make (decision 55)."""


def default_encoding(level: Level, objective: str) -> list[str]:
    """Return the programs that take turns, all right for every level; the plain one has the name of the objective."""
    if len(level.floor) > TABLES_UP_TO:
        return [objective]
    small = objective != "moves" and len(level.boxes) * len(level.floor) <= PLAIN_UP_TO
    return [*([objective] if small else []), *ORDER[objective]]


def estimate(level: Level, objective: str) -> domain.Estimate:
    """Bound the plan length from below by matching boxes to goals, from above by the number of states."""
    numbers = grid.build(level)
    boxes = len(numbers.boxes)
    states = comb(numbers.size, boxes) * (numbers.size - boxes)
    last = states - 1 if states <= _MOST_STATES else None  # no shortest plan is longer
    if level.solved:  # under constraints it may have to be left, and come back to
        return domain.Estimate(result.Horizon(last=last))
    lines = objective == "lines"
    least, why = grid.matching_bound(numbers, lines=lines), "minimum-cost matching of boxes to goals"
    none = grid.UNASSIGNABLE
    if least is None:
        return domain.Estimate(result.Horizon(), impossible=none)
    least = max(1, least)
    if objective == "moves":
        least += grid.way_to_first_push(level)
    parity = objective == "pushes" and len(level.boxes) == len(level.goals)
    way = " with the player's way to the first box" if objective == "moves" else ""
    return domain.Estimate(result.Horizon(least, 2 if parity else 1, last), reason=f"{why}{way}")


def decode(level: Level, atoms: abc.Sequence[result.Atom], index: str, keep_steps: bool) -> Plan:
    """Turn shown push/4 or move/2 atoms into a plan.

    Args:
        level: The level.
        atoms: The shown atoms, in any order.
        index: ``forward`` if step 1 comes first, ``remaining`` if it comes last.
        keep_steps: Keep each atom as an action of its own, even if it goes on where the last one ended.

    Raises:
        WrongEncoding: The atoms are not a plan's.
        IllegalPlan: The plan cannot be carried out.
    """
    backwards = index == "remaining"
    try:
        moves, found = ([a.args for a in atoms if (a.name, len(a.args)) == one] for one in (("move", 2), ("push", 4)))
        if moves:
            moves.sort(key=lambda args: _read(args, 1, int), reverse=backwards)
            facts.one_a_step("move", moves)
            lurd = "".join(_read(args, 0, Direction.__members__.__getitem__).letter for args in moves)
            validate.validate_moves(level, lurd, atoms=[f"move({','.join(args)})" for args in moves])
            return rules.plan_from_lurd(level, lurd)
        cells = facts.cell_of(level)
        names = {name: place for place, name in enumerate(level.step_names)}
        named = names.keys() >= {args[3] for args in found}  # the file's own steps; a program that counts has numbers
        found.sort(key=lambda args: names[args[3]] if named else _read(args, 3, int), reverse=backwards)
        facts.one_a_step("push", found)
        reads = (cells.__getitem__, Direction.__members__.__getitem__, cells.__getitem__)
        pushes = [Push(*(_read(args, at, known) for at, known in enumerate(reads))) for args in found]
        # the referee says it by the pupil's atoms, idle pushes included
        validate.validate_actions(level, pushes, atoms=[f"push({','.join(args)})" for args in found])
        plan = rules.plan_from_pushes(level, pushes)
        return plan if keep_steps else rules.merged(level, plan)
    except (ValueError, IndexError) as error:
        raise errors.WrongEncoding(f"the shown atoms are not a plan: {error}") from error


_SHAPES = {2: "move(Direction,Step)", 4: "push(From,Direction,To,Step)"}
_KINDS = {"Direction": "a direction (left, right, up, down)", "Step": "a step (a number)"}


def _read(args: abc.Sequence[str], at: int, known: abc.Callable[[str], Any]) -> Any:
    """Return what an argument of push/4 or move/2 means. Raises ValueError: it is not what stands there in a plan."""
    try:
        return known(args[at])
    except (KeyError, ValueError):
        shape = _SHAPES[len(args)]
        kind = _KINDS.get(shape[5:-1].split(",")[at], "a cell of the level")
        raise ValueError(
            f"{shape[:4]}({','.join(args)}): argument {at + 1} must be {kind}; {shape} is expected"
        ) from None


def stretch(level: Level, plan: Plan, actions: int) -> Plan | None:
    """Cut a plan into exactly ``actions`` line pushes by parting long ones; None if it has more, or fewer single pushes."""
    more = actions - len(plan.actions)
    parted: list[Push] = []
    for push in plan.actions:
        box, left = push.box, push.length
        while more > 0 and left > 1:
            parted.append(Push(box, push.direction, box.step(push.direction)))
            box, left, more = box.step(push.direction), left - 1, more - 1
        parted.append(Push(box, push.direction, push.to))
    return rules.plan_from_pushes(level, parted) if more == 0 else None


def remarks(level: Level, plan: Plan) -> list[str]:
    """Return what is odd about a right plan: moves after the end, or lines in several parts."""
    whole, found = formats.lurd.check_solution(level, plan.lurd)
    actions, lines = len(plan.actions), len(whole.actions)
    if actions > lines and level.steps is None:  # else so many were asked for
        return [*found, f"its {actions} actions are {errors.counted(lines, 'lines')}: {errors.PARTED['lines']}"]
    return list(found)


def read_plan(level: Level, text: str, source: str) -> Plan:
    """Read a plan in any notation: LURD, push/4 atoms, a solver's raw output, clingo JSON, PDDL, our own JSON.

    Raises NotationError, IllegalPlan: it is none of these, or cannot be carried out.
    """
    found = formats.read_plan(level, text, source=source)
    if isinstance(found, str):
        try:
            if not found.islower():
                validate.validate_moves(level, found)
        except errors.IllegalPlan as error:
            if found.isupper():  # the fault may be the case alone
                with suppress(errors.IllegalPlan):
                    validate.validate_moves(level, rules.plan_from_lurd(level, found.lower()).lurd)
                    error.message += "; all letters are capitals: to read them without case, check --ignore-case"
            raise
        return rules.plan_from_lurd(level, found)
    validate.validate_actions(level, found)
    return rules.plan_from_pushes(level, found)


def plan_json(plan: Plan) -> dict[str, Any]:
    """Return the plan as the contract's JSON object; cells are [row, column] from 0."""
    return {
        "lurd": plan.lurd,
        "actions": [
            [list(push.box), push.direction.name, list(push.to), step] for step, push in enumerate(plan.actions, 1)
        ],
    }


def _text(level: Level, plan: Plan) -> str:
    def place(cell: Cell) -> str:
        return f"({cell.row},{cell.col})"

    lines = [
        f"{step:3}. push the box at {place(push.box)} {push.direction.name} to {place(push.to)}"
        for step, push in enumerate(plan.actions, 1)
    ]
    return "\n".join([*lines, "  " + plan.lurd]) + "\n" if lines else ""


def counts(level: Level, plan: Plan, steps: int | None) -> abc.Mapping[str, int]:
    """Let the referee replay the plan and return its cost per objective; IllegalPlan if it breaks a rule."""
    found = validate.validate(level, plan, steps=steps)
    return {"lines": found.lines, "pushes": found.pushes, "moves": found.moves}


def _native(name: str) -> domain.Native[Level]:
    """Return a native engine; without numba ``native`` falls back on the reference search for small levels."""

    def engine(level: Level, objective: str, limits: Limits, known: Any = None, /) -> result.Result:
        if name == "native" and not _kernels().there:
            found = reference.solve(level, objective, limits)
            if found.stopped_by == "states":
                raise errors.MissingExtra("the native search (the reference search takes small levels only)", "jit")
            return found
        try:
            return search.solve(level, objective, limits, engine=name, upper=known)
        except errors.WrongOption:
            raise
        except ValueError as error:
            raise errors.EncodingError(f"engine {name!r}: {error}") from error

    return engine


def second(level: Level, objective: str, limits: Limits, may_compile: bool) -> result.Result:
    """Ask the reference search, and after half a second the native forward search if it is installed and compiled.

    ``may_compile`` lets it compile first, which takes some seconds once. On large maps its tables alone would take too long.
    Whether it is compiled is looked at last: that costs more than a small level.
    """
    clock = limits.start()
    seconds = limits.seconds if limits.seconds is not None else 5.0
    alone = min(0.5, seconds)
    few = limits._replace(seconds=alone, memory_mb=None, states=_REFERENCE_STATES)
    found = reference.solve(level, objective, few)
    if found.stopped_by is None or seconds < 0.1:
        return found
    small = len(level.floor) <= grid.PLAYER_AWARE
    native = _kernels(search.MODULES)
    if small and native.there and (may_compile or not native.compiles):
        _load(search.MODULES)
        left = seconds if may_compile else max(0.0, seconds - clock.elapsed)
        return search.solve(level, objective, limits._replace(seconds=left), engine="forward") if left else found
    if found.stopped_by == "time" and seconds > alone:
        return reference.solve(level, objective, few._replace(seconds=seconds))
    return found


def _optimum(level: Level, objective: str, plan: bool) -> dict[str, Any] | None:
    """Return what the shipped table of optima says, numbers as numbers; a plan that is wanted is replayed by the rules."""
    from sokoasp.sokoban import optima_table

    row = optima_table.look_up(level, plans=plan).get(objective)
    if row is None:
        return None
    found = {
        "board": row.board,
        "status": row.status,
        "value": int(row.value) if row.value else None,
        "bound": int(row.bound) if row.bound else None,
        "origin": row.origin,
        "version": row.version,
    }
    if not plan:
        return found
    made = rules.plan_from_lurd(level, row.plan) if row.has_plan else None
    return {**found, "closed_by": row.closed_by, "certificate": row.certificate, "plan": made}


def _improve(level: Level, plan: Plan, objective: str, limits: Limits) -> result.Result:
    _require("the shortening of plans")
    return _shortened(level, plan, objective, limits.of_this_machine())


def _break_ties(level: Level, objectives: tuple[str, ...], limits: Limits) -> result.Result:
    _require("native tie-breaks")
    try:
        return _best_of_best(level, objectives, limits)
    except ValueError as error:
        raise errors.EncodingError(str(error)) from error


_kernels = domain.lazily("sokoasp.core.kernels", "status")
_load = domain.lazily("sokoasp.core.kernels", "load")
_require = domain.lazily("sokoasp.core.kernels", "require")
_walk = domain.lazily("sokoasp.sokoban.walk", "walk")
_walled_rows = domain.lazily("sokoasp.sokoban.formats.level_rows", "walled_rows")
_shortened: abc.Callable[..., result.Result] = domain.lazily("sokoasp.sokoban.search.rosters", "improve")
_best_of_best: abc.Callable[..., result.Result] = domain.lazily(
    "sokoasp.sokoban.search.exact.lexicographic", "break_ties"
)


DOMAIN: domain.Domain[Level, Plan] = domain.Domain(
    name="sokoban",
    problem=Level,
    objectives=OBJECTIVES,
    engine="asp",
    asp=domain.Programs(
        encodings=default_encoding,
        constrained=lambda level, objective: objective if len(level.floor) > TABLES_UP_TO else ORDER[objective][0],
        facts=lambda level, steps: facts.write(level, steps=steps, picture=False),
        constants=facts.cell_of,
        tables={name: partial(tables.facts, name) for name in tables.NAMES},
        decode=decode,
        stretch=stretch,
    ),
    search=domain.Searches(
        native={name: _native(name) for name in search.ENGINES}, second=second, improve=_improve, break_ties=_break_ties
    ),
    texts=domain.Texts(
        recognises=lambda data, source: facts.recognises(data),
        read=lambda data, source, **reading: formats.read_each(data, source=source, **reading),
        write={name: one.write for name, one in formats.NOTATIONS.items() if one.write is not None},
        read_plan=read_plan,
        write_plan={
            "lurd": lambda level, plan: plan.lurd + "\n",
            "push": lambda level, plan: facts.push_atoms(level, plan),
            "text": _text,
        },
        plan_json=plan_json,
        title=lambda level: level.title,
        to_wire=lambda level: ("", _walled_rows(level)),
        from_wire=lambda head, rows, title: formats.level_from_rows(
            rows, source="<pasted text>", title=title, spare_boxes=True
        ),
    ),
    known=domain.Knowledge(
        estimate=estimate,
        stats=domain.lazily("sokoasp.sokoban.state_space", "stats"),
        least=grid.least,
        examine=domain.lazily("sokoasp.sokoban.examine", "examine"),
        optimum=_optimum,
    ),
    validate=counts,
    remarks=remarks,
    scene=domain.lazily("sokoasp.picture.level_scene", "scene"),
    walk=lambda level, target, method: _walk(level, Cell(*target), method),
)
