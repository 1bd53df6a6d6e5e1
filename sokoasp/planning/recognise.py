"""From a planning task to a level: its structure recognised, its grid rebuilt, or the reason why it is no Sokoban."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import product

from sokoasp.planning.forms import Match, find
from sokoasp.planning.formula import Atom, Fact, Formula, Quantified, atoms_of, holds
from sokoasp.planning.task import PlanningTask
from sokoasp.planning.text import NoSokoban
from sokoasp.sokoban.level import Cell, Direction, Level, spread, surrounding_walls

Way = tuple[str, str, str]
"""A cell, the one beside it, and the direction from the one to the other, by the task's names."""
MOST_WORK = 1_000_000
"""Choices of objects that are looked at, for an action or under a quantifier of the goal."""


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
    player: str
    """Its name; empty where it has none."""
    boxes: Mapping[Cell, str]
    """Start cell of a box → its name, where boxes have names."""


def recognise(task: PlanningTask) -> Recognised:
    """Recognise a task by its actions' structure, whatever the names. Raises NoSokoban: with reason and place."""
    return _Reading(task, find(task)).read()


class _Reading:
    """Read one task by its form; every method checks one thing and says what is wrong."""

    def __init__(self, task: PlanningTask, match: Match) -> None:
        self.task, self.match, self.form, self.changed = task, match, match.form, task.changed
        self.work = 0
        self.facts: dict[tuple[str, int, str], list[tuple[str, ...]]] = {}
        """The terms of the facts that hold at the start, by predicate, place of a term, and term; all of them at place -1."""
        for name, *terms in task.facts:
            for at, term in ((-1, ""), *enumerate(terms)):
                self.facts.setdefault((name, at, term), []).append(tuple(terms))

    def read(self) -> Recognised:
        objective, price = self._objective()
        player, start = self._player()
        boxes = self._boxes(player)
        if self.form.goal == "boxes" and len(boxes) > 1:
            raise self._no_goal("it gives each box a goal cell of its own, and boxes of a level are alike")
        usable = self._usable(start, set(boxes.values()))
        region, ways = self._region(player, start, usable)
        for name, cell in sorted(boxes.items()):
            if cell not in region:
                raise NoSokoban(f"{name} lies where the player can never get")
        sides = self._directions(ways)
        cells = _coordinates(((a, b, sides[d]) for a, b, d in ways), start)
        _check_grid(cells, ways)
        led = self._pushes(player, boxes, region, ways, usable)
        place = {name: cell for cell, name in cells.items()}
        goals = frozenset(place[name] for name in self._goals(boxes, region, led))
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

    def _of(self, role: str) -> list[tuple[str, ...]]:
        """Return the terms that a role's predicate holds of at the start."""
        return self.facts.get((self.match.predicates[role], -1, ""), [])

    def _on_the_map(self, what: str, role: str) -> list[tuple[str, str]]:
        """Return which objects that may stand for a parameter are on which cell, as far as the object alone decides."""
        name, words = self.match.parameters[what][role], self.task.words
        types = next(one.types for one in self.match.actions[what].parameters if one.name == name)
        alone = [
            condition
            for condition in self.match.conditions[what]
            if {term for atom in atoms_of(condition) for term in atom.terms if term[0] == "?"} == {name}
        ]
        return [
            (thing, cell)
            for thing, cell in sorted(self._of("at"))
            if words.is_of(thing, types)
            and all(holds(one, self.task.facts, {name: thing}, words.of_types) for one in alone)
        ]

    def _player(self) -> tuple[str, str]:
        """Return the player, where it has a name, and its cell."""
        named = self.form.goal == "stones"
        on = self._on_the_map("move", "p") if named else [("", cell) for (cell,) in self._of("player")]
        if len(on) != 1:
            raise NoSokoban(f"there are {len(on)} players on the map")
        return on[0]

    def _boxes(self, player: str) -> dict[str, str]:
        """Return the cell of every box, by its name (or, where boxes have none, by its cell's)."""
        if self.form.goal == "cells":
            return {cell: cell for (cell,) in self._of("box")}
        on = self._on_the_map("push", "s")
        boxes = dict(on)
        if player in boxes:
            raise NoSokoban(f"{player} may be pushed like a box, and is the player")
        if len(boxes) != len(on) or len(set(boxes.values())) != len(on):
            raise NoSokoban("two boxes are on one cell, or one box on two")
        return boxes

    def _usable(self, start: str, taken: set[str]) -> set[str]:
        """Return the cells that are no walls: clear, or taken by a box or the player."""
        clear = {cell for (cell,) in self._of("clear")}
        if start in taken:
            raise NoSokoban(f"the player and a box are both on {start}")
        if self.form.player_clears:
            taken = taken | {start}
        elif start not in clear:
            raise NoSokoban(f"the player starts on {start}, which is not clear: nobody could come back to it")
        if taken & clear:
            raise NoSokoban(f"{min(taken & clear)} is clear and taken at once")
        return clear | taken

    def _region(self, player: str, start: str, usable: set[str]) -> tuple[set[str], set[Way]]:
        """Return the cells that the player could come to if there were no boxes, and the ways between them."""
        after: dict[str, set[Way]] = {}
        for one in self._choices("move", {"p": player}):
            if one["to"] in usable:
                after.setdefault(one["from"], set()).add((one["from"], one["to"], one["d"]))
        region = set(spread([start], lambda cell: (to for _, to, _ in after.get(cell, ()))))
        return region, {way for cell in region for way in after.get(cell, ())}

    def _pushes(
        self, player: str, boxes: Mapping[str, str], region: set[str], ways: set[Way], usable: set[str]
    ) -> Mapping[str, set[str]]:
        """Check that each box may be pushed along all ways and no others; return the cells that each kind of push leads to."""
        ahead = {(one, d): other for one, other, d in ways}
        straight: set[tuple[str, ...]] = {(a, b, ahead[b, d], d) for a, b, d in ways if (b, d) in ahead}
        led: dict[str, set[str]] = {what: set() for what in self.match.actions if what != "move"}
        for box in self._different(boxes):
            found: set[tuple[str, ...]] = set()
            for what in led:
                for one in self._choices(what, {"p": player, "s": box}):
                    push = one["behind"], one["from"], one["to"], one["d"]
                    if {push[0], push[1]} <= region and push[2] in usable:
                        found.add(push)
                        led[what].add(push[2])
            self._check_pushes(box, found, straight)
        if both := set.intersection(*led.values()) if len(led) > 1 else ():
            raise NoSokoban(f"{min(both)} is both a goal and no goal")
        return led

    def _check_pushes(self, box: str, found: set[tuple[str, ...]], straight: set[tuple[str, ...]]) -> None:
        if odd := sorted(found ^ straight):
            behind, here, to, _ = odd[0]
            told = "may be pushed here, though nobody may walk so" if odd[0] in found else "may not be pushed here"
            told = f"{box or 'a box'}, from {here} to {to} by a player on {behind}: it {told}"
            raise self.task.domain.refusal(self.match.actions["push"].at, told)

    def _different(self, boxes: Mapping[str, str]) -> list[str]:
        """Return boxes enough to speak for all: one of each type, unless an action asks for more than the type."""
        if self.form.goal == "cells":
            return [""]
        for what, conditions in self.match.conditions.items():
            name = self.match.parameters[what].get("s")
            if any(name in atom.terms for one in conditions for atom in atoms_of(one)):
                return sorted(boxes)
        return sorted({self.task.words.objects[box]: box for box in sorted(boxes)}.values())

    def _choices(self, what: str, roles: Mapping[str, str]) -> Iterator[dict[str, str]]:
        """Yield every choice of objects for an action that meets its types and what no action changes, by roles."""
        parameters, words = self.match.parameters[what], self.task.words
        kinds = {one.name: one.types for one in self.match.actions[what].parameters}
        conditions = self.match.conditions[what]
        fixed = {parameters[role]: thing for role, thing in roles.items() if role in parameters}
        listed = [one for one in conditions if isinstance(one, Atom) and one.name != "="]
        others = [one for one in conditions if one not in listed]
        for joined in self._joined(listed, fixed):
            free = [name for name in kinds if name not in joined]
            for chosen in product(*(sorted(words.of_types(kinds[name])) for name in free)):
                self._count()
                bound = {**joined, **dict(zip(free, chosen, strict=True))}
                if all(words.is_of(thing, kinds[name]) for name, thing in bound.items()) and all(
                    holds(one, self.task.facts, bound, words.of_types) for one in others
                ):
                    yield {role: bound[name] for role, name in parameters.items()}

    def _joined(self, atoms: list[Atom], bound: dict[str, str]) -> Iterator[dict[str, str]]:
        """Yield every choice of objects for the variables of some atoms that makes them hold at the start."""
        if not atoms:
            yield bound
            return
        first = atoms[0]
        terms = [bound.get(term, term) for term in first.terms]
        known = next(((at, term) for at, term in enumerate(terms) if term[0] != "?"), (-1, ""))
        for fact in self.facts.get((first.name, *known), ()):
            self._count()
            more = dict(bound)
            for term, thing in zip(terms, fact, strict=True):
                if (more.setdefault(term, thing) if term[0] == "?" else term) != thing:
                    break
            else:
                yield from self._joined(atoms[1:], more)

    def _count(self, amount: int = 1) -> None:
        self.work += amount
        if self.work > MOST_WORK:
            raise NoSokoban("its conditions range over too many objects")

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

    def _goals(self, boxes: Mapping[str, str], region: set[str], led: Mapping[str, set[str]]) -> list[str]:
        """Return the names of the goal cells."""
        asked = self._asked(self.task.goal, {})
        if asked is None:
            raise self._no_goal("nothing can make it true")
        if self.form.goal == "stones":
            return self._home(boxes, region, asked, led)
        role = "at" if self.form.goal == "boxes" else "box"
        if any(one[0] != self.match.predicates[role] for one in asked):
            raise self._no_goal("it asks for something else than where boxes stand")
        cells = [one[-1] for one in sorted(asked)]
        if self.form.goal == "boxes" and ({one[1] for one in asked} - set(boxes) or len(cells) > 1):
            raise self._no_goal("it wants a box on two cells, or one that is not on the map")
        if strange := sorted(set(cells) - region):
            raise self._no_goal(f"it wants a box on {strange[0]}, where the player can never get")
        return cells

    def _no_goal(self, reason: str) -> NoSokoban:
        return self.task.problem.refusal(self.task.goal.at, f"the goal is not Sokoban's: {reason}")

    def _home(
        self, boxes: Mapping[str, str], region: set[str], asked: Iterable[Fact], led: Mapping[str, set[str]]
    ) -> list[str]:
        """Return the goal cells of a task in which stones are at home or not."""
        if {*asked} != {(self.match.predicates["home"], name) for name in boxes}:
            raise self._no_goal("it is not that every stone is on a goal cell")
        home = {name for (name,) in self._of("home") if name in boxes}
        goals, plain = set(led["push home"]), led["push"]
        # to some cells no push leads: there the mark of the stone on it decides, and without a stone nothing depends on it
        goals |= {cell for name, cell in boxes.items() if name in home and cell not in plain}
        if home != {name for name, cell in boxes.items() if cell in goals}:
            raise NoSokoban("a stone on a goal cell is not marked as at home, or one elsewhere is")
        unknown = sorted(region - goals - plain - set(boxes.values()))
        goals |= set(unknown[: max(len(boxes) - len(goals), 0)])
        if len(goals) != len(boxes):
            raise NoSokoban(f"{len(boxes)} stones and {len(goals)} goal cells: a level has one goal for each stone")
        return sorted(goals)

    def _asked(self, formula: Formula, binding: Mapping[str, str]) -> frozenset[Fact] | None:
        """Return the facts that a condition asks for of what actions change, None if it can never hold."""
        task = self.task
        self._count(5)
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
        costs = {what: task.cost(action) for what, action in self.match.actions.items()}
        pushes = {cost for what, cost in costs.items() if what != "move"}
        price = pushes.pop()
        if not pushes and costs["move"] in (0, price) and price > 0:
            return ("moves" if costs["move"] else "pushes"), price
        told = ", ".join(f"{action.name} {costs[what]}" for what, action in self.match.actions.items())
        raise NoSokoban(f"the costs of its actions ({told}) count neither pushes nor moves")


def _coordinates(ways: Iterable[tuple[str, str, Direction]], start: str) -> dict[Cell, str]:
    """Lay the cells that hang together with the start out on the grid, with room for walls around."""
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
