"""From a planning task to a level: its structure recognised, its grid rebuilt, or the reason why it is no Sokoban."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sokoasp.core.errors import LevelError, MissingExtra, NotationError
from sokoasp.planning.dialects import normal
from sokoasp.planning.schema import Literal, Match, Schema, find
from sokoasp.sokoban.level import Cell, Direction, Level, reachable, surrounding_walls

Atoms = Mapping[str, frozenset[tuple[str, ...]]]
"""Predicate → the tuples of objects it holds of."""


class NoSokoban(LevelError):
    """A planning task is no Sokoban, or none that a level can state; the message is the reason."""


FEATURES = frozenset(
    {
        *("ACTION_BASED", "FLAT_TYPING", "HIERARCHICAL_TYPING", "NEGATIVE_CONDITIONS"),
        *("ACTIONS_COST", "PLAN_LENGTH", "INT_NUMBERS_IN_ACTIONS_COST", "STATIC_FLUENTS_IN_ACTIONS_COST"),
    }
)
"""What a Sokoban task may have, in unified-planning's words."""
UNASKED = frozenset({"INCREASE_EFFECTS", "INT_FLUENTS", "REAL_FLUENTS", "SIMPLE_NUMERIC_PLANNING"})
"""What a cost brings that no metric asks for."""


@dataclass(frozen=True, slots=True)
class Recognised:
    """A planning task as a level, with what is needed to speak of it in the task's own words."""

    level: Level
    objective: str
    """``pushes`` or ``moves``, as the task's metric says."""
    price: int
    """What the metric asks for each of them."""
    match: Match
    cells: Mapping[Cell, str]
    directions: Mapping[Direction, str]
    player: str | None
    boxes: Mapping[Cell, str]
    """Start cell of a box → its name, where boxes have names."""
    order: Mapping[str, tuple[str, ...]]
    """Action → its parameters in order."""


def recognise(problem: Any) -> Recognised:
    """Recognise a unified-planning problem by the structure of its actions, whatever its names.

    Raises:
        NoSokoban: It is none, with the reason.
        MissingExtra: unified-planning is not installed.
    """
    return _ProblemReader(problem).read()


def read_task(domain: Path, problem: Path) -> Any:
    """Read a domain and a problem file by unified-planning's reader, pddlgym's dialect included.

    Raises:
        NoSokoban: A file is no PDDL that the reader understands.
        NotationError: The brackets of one do not match, or it is no domain, or no problem.
        MissingExtra: unified-planning is not installed.
    """
    try:
        from pyparsing import ParseBaseException
        from unified_planning.exceptions import UPException
        from unified_planning.io import PDDLReader
    except ImportError:
        raise MissingExtra("reading PDDL", "planners") from None
    first, second = (path.read_text(encoding="utf-8", errors="replace") for path in (domain, problem))
    try:
        *plain, facts = normal(first, second, (str(domain), str(problem)))
        task = PDDLReader().parse_problem_string(*plain)
        known = {thing.name: thing for thing in task.all_objects}
        for name, *objects in facts:
            task.set_initial_value(task.fluent(name)(*(known[one] for one in objects)), True)
        return task
    except NotationError:
        raise
    except (UPException, SyntaxError, AssertionError, KeyError, ValueError, ParseBaseException) as error:
        raise NoSokoban(f"cannot be read as PDDL: {' '.join(str(error).split())[:300]}", source=str(problem)) from None


class _ProblemReader:
    """Read one problem; every method checks one thing and says what is wrong."""

    def __init__(self, problem: Any) -> None:
        self.problem = problem
        self.atoms = _initial(problem)

    def read(self) -> Recognised:
        schemas = {action.name: _as_schema(action) for action in self.problem.actions}
        changed = {one.name for schema in schemas.values() for one in (*schema.add, *schema.delete)}
        match = find(schemas, frozenset(self.atoms) - changed)
        if match is None:
            raise NoSokoban("its actions are those of no form of Sokoban that is known here")
        self.match, self.form = match, match.form
        self.directions, ways = self._ways()
        self.cells = _coordinates(ways, self._player_cell())
        self.place = {name: cell for cell, name in self.cells.items()}
        _check_grid(self.cells, ways)
        level, boxes = self._level()
        objective, price = self._objective()
        if more := sorted(self.problem.kind.features - FEATURES - UNASKED):
            raise NoSokoban(f"it has what no form of Sokoban has: {', '.join(more).lower().replace('_', ' ')}")
        return Recognised(
            level=level,
            objective=objective,
            price=price,
            match=match,
            cells=self.cells,
            directions=self.directions,
            player=self._player(),
            boxes=boxes,
            order={name: schema.parameters for name, schema in schemas.items()},
        )

    def of(self, role: str) -> frozenset[tuple[str, ...]]:
        """Return the tuples that a role's predicate holds of at the start."""
        return self.atoms.get(self.match.roles[role], frozenset())

    def allowed(self, parameter: str) -> set[str]:
        """Return the objects that may stand for a parameter in every action that has it."""
        sets = []
        for what, bound in self.match.parameters.items():
            if parameter in bound:
                sets.append(self._fitting(what, bound[parameter]))
        if any(one != sets[0] for one in sets):
            raise NoSokoban(f"actions differ in what {parameter!r} may stand for")
        return sets[0]

    def _fitting(self, what: str, name: str) -> set[str]:
        action = self.problem.action(self.match.actions[what])
        kind = action.parameter(name).type
        found = {thing.name for thing in self.problem.objects(kind)}
        for guard in self.match.guards[what]:
            if guard.args == (name,):
                found &= {args[0] for args in self.atoms.get(guard.name, ())}
        return found

    def _ways(self) -> tuple[dict[Direction, str], set[tuple[str, str, Direction]]]:
        """Return which object is which direction, and every way from cell to cell."""
        usable = self.allowed("d")
        facts = {(a, b, d) for a, b, d in self.of("beside") if d in usable}
        by_name = {name: {(a, b) for a, b, d in facts if d == name} for name in sorted({d for _, _, d in facts})}
        named: dict[Direction, str] = {}
        pairs = [(Direction.right, Direction.left), (Direction.down, Direction.up)]
        for name, ways in by_name.items():
            if name in named.values():
                continue
            back = next((o for o, w in by_name.items() if o != name and w == {(b, a) for a, b in ways}), None)
            if back is None or back in named.values():
                raise NoSokoban(f"direction {name} has no opposite: there are ways that lead in one direction only")
            if not pairs:
                raise NoSokoban("there are more than four directions")
            forth_and_back = pairs.pop(0)
            named |= dict(zip(forth_and_back, (name, back), strict=True))
        sides = {name: direction for direction, name in named.items()}
        return named, {(a, b, sides[d]) for a, b, d in facts}

    def _player(self) -> str | None:
        if self.form.goal != "stones":
            return None
        players = self.allowed("p")
        here = [thing for thing, _ in self.of("at") if thing in players]
        if len(here) != 1:
            raise NoSokoban(f"there are {len(here)} players on the map")
        return here[0]

    def _player_cell(self) -> str:
        if self.form.goal == "stones":
            player = self._player()
            return next(cell for thing, cell in self.of("at") if thing == player)
        here = [cell for (cell,) in self.of("player")]
        if len(here) != 1:
            raise NoSokoban(f"the player is on {len(here)} cells")
        return here[0]

    def _boxes(self) -> dict[str, str]:
        """Return the cell of every box, by its name (or, where boxes have none, by its cell's)."""
        if self.form.goal == "cells":
            return {cell: cell for (cell,) in self.of("box")}
        stones = self.allowed("s")
        on = {thing: cell for thing, cell in self.of("at") if thing != self._player()}
        for thing in on:
            if thing not in stones:
                raise NoSokoban(f"{thing} is on the map, and neither the player nor a box that can be pushed")
        if len(set(on.values())) != len(on) or len(on) != len(self.of("at")) - (self.form.goal == "stones"):
            raise NoSokoban("two boxes are on one cell, or one box on two")
        return on

    def _level(self) -> tuple[Level, dict[Cell, str]]:
        boxes, player = self._boxes(), self._player_cell()
        taken = set(boxes.values()) | ({player} if self.form.player_clears else set())
        clear = {cell for (cell,) in self.of("clear")}
        if taken & clear:
            raise NoSokoban(f"{min(taken & clear)} is clear and taken at once")
        blocked = set(self.place) - clear - taken
        if player in blocked:
            raise NoSokoban(f"the player starts on {player}, which is not clear: nobody could come back to it")
        goals, wanted = self._goals(boxes)
        open_cells = {cell for cell, name in self.cells.items() if name not in blocked}
        floor = frozenset(reachable(self.place[player], open_cells))
        homeless = sorted(name for name, cell in boxes.items() if self.place.get(cell) not in floor)
        if homeless or not goals <= floor:
            what = homeless[0] if homeless else min(self.cells[g] for g in goals - floor)
            raise NoSokoban(f"{what} lies where the player can never get")
        level = Level(
            floor=floor,
            boxes=frozenset(self.place[cell] for cell in boxes.values()),
            goals=goals,
            player=self.place[player],
            decoration=tuple(sorted((cell, "#") for cell in surrounding_walls(floor) if min(cell) >= 0)),
            title=str(self.problem.name or ""),
            assigned=tuple(sorted((self.place[boxes[name]], goal) for name, goal in wanted.items()))
            if len(boxes) > 1
            else (),
        )
        names = {} if self.form.goal == "cells" else {self.place[cell]: name for name, cell in boxes.items()}
        return level, names

    def _goals(self, boxes: Mapping[str, str]) -> tuple[frozenset[Cell], dict[str, Cell]]:
        asked = {Literal(f.fluent().name, tuple(map(str, f.args))) for f in _conjuncts(self.problem.goals)}
        if self.form.goal == "stones":
            return self._home(boxes, asked), {}
        role = "at" if self.form.goal == "boxes" else "box"
        if any(one.name != self.match.roles[role] for one in asked):
            raise NoSokoban("the goal asks for something else than where boxes stand")
        cells = [one.args[-1] for one in asked]
        if len(set(cells)) != len(cells) or any(name not in self.place for name in cells):
            raise NoSokoban("the goal wants two boxes on one cell, or one where no way leads")
        wanted = {one.args[0]: self.place[one.args[1]] for one in asked} if self.form.goal == "boxes" else {}
        if len(wanted) not in (0, len(asked)):
            raise NoSokoban("the goal wants a box on two cells")
        if set(wanted) - set(boxes):
            raise NoSokoban("the goal names a box that is not on the map")
        return frozenset(self.place[name] for name in cells), wanted

    def _home(self, boxes: Mapping[str, str], asked: Iterable[Literal]) -> frozenset[Cell]:
        """Return the goal cells of a task in which stones are at home or not."""
        goals, plain = ({cell for (cell,) in self.of(role)} for role in ("goal", "plain"))
        if {*asked} != {Literal(self.match.roles["home"], (name,)) for name in boxes}:
            raise NoSokoban("the goal is not that every stone is on a goal cell")
        if goals & plain or set(self.place) - goals - plain:
            raise NoSokoban("one cell is both a goal and no goal, or neither")
        at_home = {name for (name,) in self.of("home")}
        if at_home != {name for name, cell in boxes.items() if cell in goals}:
            raise NoSokoban("a stone on a goal cell is not marked as at home, or one elsewhere is")
        inside = {cell for cell in goals if cell in self.place}
        if len(inside) != len(boxes):
            raise NoSokoban(f"{len(boxes)} stones and {len(inside)} goal cells: a level has one goal for each stone")
        return frozenset(self.place[cell] for cell in inside)

    def _objective(self) -> tuple[str, int]:
        """Return what the metric counts, and what it asks for each."""
        metrics = self.problem.quality_metrics
        kinds = [type(metric).__name__ for metric in metrics]
        if kinds in ([], ["MinimizeSequentialPlanLength"]):
            return "moves", 1
        if kinds != ["MinimizeActionCosts"]:
            raise NoSokoban(f"the metric {' and '.join(kinds)} is neither that of pushes nor that of moves")
        costs = {what: self._cost(metrics[0], name) for what, name in self.match.actions.items()}
        pushes = {cost for what, cost in costs.items() if what != "move"}
        price = pushes.pop()
        if not pushes and costs["move"] in (0, price) and price > 0:
            return ("moves" if costs["move"] else "pushes"), price
        raise NoSokoban(f"the costs of its actions, {costs}, count neither pushes nor moves")

    def _cost(self, metric: Any, name: str) -> int:
        cost = metric.get_action_cost(self.problem.action(name))
        if cost is None:
            return 0
        if not cost.is_int_constant():
            raise NoSokoban(f"the cost of {name} is no fixed number")
        return int(cost.constant_value())


def _conjuncts(formulas: Iterable[Any]) -> list[Any]:
    """Return the atoms of a conjunction. Raises NoSokoban: there is something else in it."""
    found = []
    for formula in formulas:
        if formula.is_and():
            found += _conjuncts(formula.args)
        elif formula.is_fluent_exp():
            found.append(formula)
        elif not formula.is_true():
            raise NoSokoban(f"{formula} is no plain condition")
    return found


def _as_schema(action: Any) -> Schema:
    if not hasattr(action, "effects") or not hasattr(action, "preconditions"):
        raise NoSokoban(f"action {action.name} is no plain action")

    def literal(formula: Any) -> Literal:
        return Literal(formula.fluent().name, tuple(map(str, formula.args)))

    add: set[Literal] = set()
    delete: set[Literal] = set()
    for effect in action.effects:
        if effect.is_increase() and not effect.fluent.args:
            continue  # a cost that no metric asks for
        if effect.is_conditional() or not effect.is_assignment() or not effect.value.is_bool_constant():
            raise NoSokoban(f"action {action.name} has an effect that is not plain")
        (add if effect.value.is_true() else delete).add(literal(effect.fluent))
    pre = frozenset(map(literal, _conjuncts(action.preconditions)))
    return Schema(tuple(p.name for p in action.parameters), pre, frozenset(add), frozenset(delete))


def _initial(problem: Any) -> Atoms:
    found: dict[str, set[tuple[str, ...]]] = {fluent.name: set() for fluent in problem.fluents}
    for fluent, value in problem.explicit_initial_values.items():
        if value.is_bool_constant() and value.is_true():
            found[fluent.fluent().name].add(tuple(map(str, fluent.args)))
    return {name: frozenset(tuples) for name, tuples in found.items()}


def _coordinates(ways: Iterable[tuple[str, str, Direction]], start: str) -> dict[Cell, str]:
    """Lay the cells that hang together with the start out on the grid, with room for walls around.

    Raises:
        NoSokoban: They do not fit, with two cells that are to blame.
    """
    after: dict[str, list[tuple[str, Direction]]] = {}
    for one, other, direction in sorted(ways, key=lambda way: (way[0], way[1], way[2].name)):
        after.setdefault(one, []).append((other, direction))
    place = {start: Cell(0, 0)}
    queue = deque([start])
    while queue:
        name = queue.popleft()
        for other, direction in after.get(name, ()):
            cell = place[name].step(direction)
            if other not in place:
                place[other] = cell
                queue.append(other)
            elif place[other] != cell:
                raise NoSokoban(f"{other} is in two places at once, seen from {name}: the map is no grid")
    return _moved(place)


def _moved(place: Mapping[str, Cell]) -> dict[Cell, str]:
    top, left = min(c.row for c in place.values()), min(c.col for c in place.values())
    cells: dict[Cell, str] = {}
    for name, cell in sorted(place.items()):
        moved = Cell(cell.row - top + 1, cell.col - left + 1)
        if moved in cells:
            raise NoSokoban(f"{name} and {cells[moved]} are in one place: the map is no grid")
        cells[moved] = name
    return cells


def _check_grid(cells: Mapping[Cell, str], ways: Iterable[tuple[str, str, Direction]]) -> None:
    """Check that neighbours on the grid are joined. Raises NoSokoban: two are not."""
    joined = {(one, other) for one, other, _ in ways}
    for cell, name in cells.items():
        for direction in Direction:
            other = cells.get(cell.step(direction))
            if other is not None and (name, other) not in joined:
                raise NoSokoban(f"{name} and {other} lie side by side with no way between: a level has no thin walls")
