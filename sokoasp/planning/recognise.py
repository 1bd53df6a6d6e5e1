"""From a planning task to a level: its structure recognised, its grid rebuilt, or the reason why it is no Sokoban."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import islice

from sokoasp.planning.formula import Atom, Fact, Formula, Quantified, holds
from sokoasp.planning.schema import Match, difference, matches, schemas_of
from sokoasp.planning.task import PlanningTask
from sokoasp.planning.text import NoSokoban
from sokoasp.sokoban.level import Cell, Direction, Level, surrounding_walls

Way = tuple[str, str, str]
"""A cell, the one beside it, and the direction from the one to the other, by the task's names."""
_CELLS = ("behind", "from", "to")
MOST_READINGS = 100
"""Ways of reading the actions that are tried: they differ in which static predicate means what."""
MOST_WORK = 200_000
"""Parts of the goal that are looked at, one for each object that a quantifier ranges over."""


@dataclass(frozen=True, slots=True)
class Recognised:
    """A planning task as a level, with what is needed to speak of it in the task's own words."""

    task: PlanningTask
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


def recognise(task: PlanningTask) -> Recognised:
    """Recognise a task by the structure of its actions, whatever its names.

    Raises:
        NoSokoban: It is none, with the reason and its place.
    """
    schemas = schemas_of(task)
    reason: NoSokoban | None = None
    for match in islice(matches(schemas), MOST_READINGS):
        try:
            return _Reading(task, match).read()
        except NoSokoban as refusal:
            reason = reason or refusal
    if reason is None:
        at, told = difference(task, schemas)
        raise task.domain.refusal(at, f"its actions are those of no form of Sokoban that is known here: {told}")
    raise reason


class _Reading:
    """Read one task by one match; every method checks one thing and says what is wrong."""

    def __init__(self, task: PlanningTask, match: Match) -> None:
        self.task, self.match, self.form = task, match, match.form
        self.changed = {atom.name for action in task.actions.values() for atom in (*action.adds, *action.deletes)}
        self.work = 0
        self.holding: dict[str, set[tuple[str, ...]]] = {}
        for name, *objects in task.facts:
            self.holding.setdefault(name, set()).add(tuple(objects))

    def read(self) -> Recognised:
        objective, price = self._objective()
        player, start = self._player()
        boxes = self._boxes(player)
        region, ways = self._region(start, boxes)
        self._check_parameters(region, {d for _, _, d in ways}, player, boxes)
        sides = self._directions(ways)
        cells = _coordinates(((a, b, sides[d]) for a, b, d in ways), start)
        _check_grid(cells, ways)
        place = {name: cell for cell, name in cells.items()}
        goals = frozenset(place[name] for name in self._goals(boxes, region))
        floor = frozenset(cells)
        level = Level(
            floor=floor,
            boxes=frozenset(place[cell] for cell in boxes.values()),
            goals=goals,
            player=place[start],
            decoration=tuple(sorted((cell, "#") for cell in surrounding_walls(floor) if min(cell) >= 0)),
            title=self.task.name,
        )
        return Recognised(
            task=self.task,
            level=level,
            objective=objective,
            price=price,
            match=self.match,
            cells=cells,
            directions={side: name for name, side in sides.items()},
            player=player,
            boxes={} if self.form.goal == "cells" else {place[cell]: name for name, cell in boxes.items()},
        )

    def of(self, role: str) -> set[tuple[str, ...]]:
        """Return the tuples that a role's predicate holds of at the start."""
        return self.holding.get(self.match.roles[role], set())

    def allowed(self, what: str, role: str) -> frozenset[str]:
        """Return the objects that may stand for a parameter of an action, by its type and its guards."""
        name = self.match.parameters[what][role]
        action = self.task.actions[self.match.actions[what]]
        kinds = next(one.types for one in action.parameters if one.name == name)
        found = self.task.words.of_types(kinds)
        for guard in self.match.guards[what]:
            if guard.name != "=" and guard.args == (name,):
                holding = frozenset(args[0] for args in self.holding.get(guard.name, ()))
                found = found & holding if guard.wanted else found - holding
            elif guard.name == "=" and name in guard.args:
                found -= {other for other in guard.args if not other.startswith("?")}
        return found

    def _same(self, role: str) -> frozenset[str]:
        """Return the objects that may stand for a role, the same in every action that has it."""
        sets = {what: self.allowed(what, role) for what, bound in self.match.parameters.items() if role in bound}
        first, *others = sets
        for what in others:
            if odd := sorted(sets[what] ^ sets[first]):
                raise self._at(what, role, f"{odd[0]} may stand here and not in another action, or the other way round")
        return sets[first]

    def _at(self, what: str, role: str, reason: str) -> NoSokoban:
        """Return a refusal at a parameter of an action."""
        name = self.match.parameters[what][role]
        action = self.task.actions[self.match.actions[what]]
        parameter = next(one for one in action.parameters if one.name == name)
        return self.task.domain.refusal(parameter.at, f"parameter {name} of {action.name}: {reason}")

    def _player(self) -> tuple[str | None, str]:
        """Return the player, where it has a name, and its cell."""
        if self.form.goal != "stones":
            here = [cell for (cell,) in self.of("player")]
            if len(here) != 1:
                raise NoSokoban(f"the player is on {len(here)} cells")
            return None, here[0]
        players = self._same("p")
        on = [(thing, cell) for thing, cell in self.of("at") if thing in players]
        if len(on) != 1:
            raise NoSokoban(f"there are {len(on)} players on the map")
        return on[0]

    def _boxes(self, player: str | None) -> dict[str, str]:
        """Return the cell of every box, by its name (or, where boxes have none, by its cell's)."""
        if self.form.goal == "cells":
            return {cell: cell for (cell,) in self.of("box")}
        stones = self._same("s")
        if player in stones:
            raise NoSokoban(f"{player} may be pushed like a box, and is the player")
        on = [(thing, cell) for thing, cell in self.of("at") if thing in stones]
        boxes = dict(on)
        if len(boxes) != len(on) or len(set(boxes.values())) != len(on):
            raise NoSokoban("two boxes are on one cell, or one box on two")
        return boxes

    def _region(self, start: str, boxes: Mapping[str, str]) -> tuple[set[str], set[Way]]:
        """Return the cells that the player could come to if there were no boxes, and the ways between them."""
        clear = {cell for (cell,) in self.of("clear")}
        taken = set(boxes.values())
        if start in taken:
            raise NoSokoban(f"the player and a box are both on {start}")
        if self.form.player_clears:
            taken.add(start)
        elif start not in clear:
            raise NoSokoban(f"the player starts on {start}, which is not clear: nobody could come back to it")
        if taken & clear:
            raise NoSokoban(f"{min(taken & clear)} is clear and taken at once")
        usable = frozenset().union(*(self.allowed(*one) for one in self._with(_CELLS))) & (clear | taken)
        directions = frozenset().union(*(self.allowed(*one) for one in self._with("d")))
        after: dict[str, list[Way]] = {}
        for one, other, d in self.of("beside"):
            if other in usable and d in directions:
                after.setdefault(one, []).append((one, other, d))
        region, queue = {start}, deque([start])
        while queue:
            for _, other, _ in after.get(queue.popleft(), ()):
                if other not in region:
                    region.add(other)
                    queue.append(other)
        for name, cell in sorted(boxes.items()):
            if cell not in region:
                raise NoSokoban(f"{name} lies where the player can never get")
        return region, {way for cell in region for way in after.get(cell, ())}

    def _with(self, roles: Iterable[str]) -> list[tuple[str, str]]:
        return [(what, role) for what, bound in self.match.parameters.items() for role in roles if role in bound]

    def _check_parameters(
        self, region: set[str], directions: set[str], player: str | None, boxes: Mapping[str, str]
    ) -> None:
        """Check that types and guards rule nothing out that Sokoban has."""
        names = {"d": directions, "p": {str(player)}, "s": set(boxes), **dict.fromkeys(_CELLS, region)}
        for what, bound in self.match.parameters.items():
            for role in bound:
                if missing := sorted(names[role] - self.allowed(what, role)):
                    raise self._at(what, role, f"{missing[0]} may not stand here, by its type or a precondition")
            roles = {name: role for role, name in bound.items()}
            for guard in self.match.guards[what]:
                if guard.name != "=" or not all(arg in roles for arg in guard.args):
                    continue
                one, other = (roles[arg] for arg in guard.args)
                # two cells of one action lie side by side or in a row: on a grid they differ
                if one == other or not (set(_CELLS) >= {one, other} or names[one].isdisjoint(names[other])):
                    raise self.task.domain.refusal(guard.at, f"{one} and {other} need not differ in Sokoban")

    def _directions(self, ways: Iterable[Way]) -> dict[str, Direction]:
        """Return what the directions are: each with its opposite, right for the first of them and down for the next."""
        by_name: dict[str, set[tuple[str, str]]] = {}
        for one, other, d in ways:
            by_name.setdefault(d, set()).add((one, other))
        sides: dict[str, Direction] = {}
        pairs = [(Direction.right, Direction.left), (Direction.down, Direction.up)]
        for name in sorted(by_name):
            if name in sides:
                continue
            turned = {(other, one) for one, other in by_name[name]}
            back = next((o for o in sorted(by_name) if o not in (name, *sides) and by_name[o] == turned), None)
            if back is None:
                raise NoSokoban(f"direction {name} has no opposite: there are ways that lead in one direction only")
            if not pairs:
                raise NoSokoban(f"there are {len(by_name)} directions: a level has four")
            sides |= dict(zip((name, back), pairs.pop(0), strict=True))
        return sides

    def _goals(self, boxes: Mapping[str, str], region: set[str]) -> list[str]:
        """Return the names of the goal cells."""
        asked = self._asked(self.task.goal, {})
        if asked is None:
            raise self._no_goal("nothing can make it true")
        if self.form.goal == "stones":
            return self._home(boxes, region, asked)
        role = "at" if self.form.goal == "boxes" else "box"
        if any(one[0] != self.match.roles[role] for one in asked):
            raise self._no_goal("it asks for something else than where boxes stand")
        cells = [one[-1] for one in sorted(asked)]
        if self.form.goal == "boxes":
            if len(boxes) > 1:
                raise self._no_goal("it gives each box a goal cell of its own, and boxes of a level are alike")
            if {one[1] for one in asked} - set(boxes) or len(cells) > 1:
                raise self._no_goal("it wants a box on two cells, or one that is not on the map")
        if strange := sorted(set(cells) - region):
            raise self._no_goal(f"it wants a box on {strange[0]}, where the player can never get")
        return cells

    def _no_goal(self, reason: str) -> NoSokoban:
        return self.task.problem.refusal(self.task.goal.at, f"the goal is not Sokoban's: {reason}")

    def _home(self, boxes: Mapping[str, str], region: set[str], asked: Iterable[Fact]) -> list[str]:
        """Return the goal cells of a task in which stones are at home or not."""
        goals, plain = ({cell for (cell,) in self.of(role)} & region for role in ("goal", "plain"))
        if {*asked} != {(self.match.roles["home"], name) for name in boxes}:
            raise self._no_goal("it is not that every stone is on a goal cell")
        if odd := sorted((goals & plain) | (region - goals - plain)):
            raise NoSokoban(f"{odd[0]} is both a goal and no goal, or neither")
        if {name for (name,) in self.of("home") if name in boxes} != {n for n, cell in boxes.items() if cell in goals}:
            raise NoSokoban("a stone on a goal cell is not marked as at home, or one elsewhere is")
        if len(goals) != len(boxes):
            raise NoSokoban(f"{len(boxes)} stones and {len(goals)} goal cells: a level has one goal for each stone")
        return sorted(goals)

    def _asked(self, formula: Formula, binding: Mapping[str, str]) -> frozenset[Fact] | None:
        """Return the facts that a condition asks for of what actions change, None if it can never hold.

        Raises:
            NoSokoban: It leaves a choice, or wants a fact not to hold.
        """
        task = self.task
        self.work += 1
        if self.work > MOST_WORK:
            raise self._no_goal("it ranges over too many objects")
        if isinstance(formula, Atom):
            if formula.name in self.changed:
                return frozenset([formula.ground(binding)])
            return frozenset() if holds(formula, task.facts, binding, task.words.of_types) else None
        if isinstance(formula, Quantified):
            parts = [self._asked(formula.body, inner) for inner in formula.bindings(binding, task.words.of_types)]
        else:
            parts = [self._asked(part, binding) for part in formula.parts]
        if formula.what in ("not", "imply"):
            if parts[0]:
                raise self._no_goal(f"it has {formula.what} of a fact that actions change")
            ruled_out: frozenset[Fact] | None = frozenset() if parts[0] is None else None
            parts = [ruled_out, *parts[1:]]
        if formula.what in ("and", "forall"):
            known = [part for part in parts if part is not None]
            return frozenset().union(*known) if len(known) == len(parts) else None
        options = {part for part in parts if part is not None}
        if len(options) > 1 and frozenset() not in options:
            raise self._no_goal(f"it leaves a choice: {formula.what}")
        return min(options, key=len) if options else None

    def _objective(self) -> tuple[str, int]:
        """Return what the metric counts, and what it asks for each."""
        task = self.task
        costs = {what: task.cost(task.actions[name]) for what, name in self.match.actions.items()}
        pushes = {cost for what, cost in costs.items() if what != "move"}
        price = pushes.pop()
        if not pushes and costs["move"] in (0, price) and price > 0:
            return ("moves" if costs["move"] else "pushes"), price
        told = ", ".join(f"{task.actions[name].name} {costs[what]}" for what, name in self.match.actions.items())
        raise NoSokoban(f"the costs of its actions ({told}) count neither pushes nor moves")


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


def _check_grid(cells: Mapping[Cell, str], ways: Iterable[Way]) -> None:
    """Check that neighbours on the grid are joined. Raises NoSokoban: two are not."""
    joined = {(one, other) for one, other, _ in ways}
    for cell, name in cells.items():
        for direction in Direction:
            other = cells.get(cell.step(direction))
            if other is not None and (name, other) not in joined:
                raise NoSokoban(f"{name} and {other} lie side by side with no way between: a level has no thin walls")
