"""Plans by brute force: every plan of one length, written out, and what holds along it. The oracle of the questions to ASP."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from sokoasp.sokoban import rules
from sokoasp.sokoban.level import BY_LETTER, Cell, Level
from sokoasp.sokoban.plan import Push
from sokoasp.sokoban.rules import State

SUCCESSORS = {"lines": rules.line_pushes, "pushes": rules.unit_pushes, "moves": rules.moves}


class TooMany(Exception):
    """There are more plans than one wants to look at."""


@dataclass(frozen=True)
class Trace:
    """One plan: its states, one more than its actions, and its actions, a push or (moves) a letter."""

    level: Level
    states: tuple[State, ...]
    actions: tuple[Push | str, ...]

    @cached_property
    def pushes(self) -> tuple[Push | None, ...]:
        """The push of each action, None for a step of the player alone."""
        found: list[Push | None] = []
        for before, action in zip(self.states, self.actions, strict=False):
            if isinstance(action, Push):
                found.append(action)
            elif action.isupper():
                direction = BY_LETTER[action.lower()]
                box = before.player.step(direction)
                found.append(Push(box, direction, box.step(direction)))
            else:
                found.append(None)
        return tuple(found)

    @cached_property
    def boxes(self) -> tuple[dict[Cell, Cell], ...]:
        """In each state: start cell of a box → where it is."""
        places = [{box: box for box in self.level.boxes}]
        for push in self.pushes:
            places.append({b: push.to if push and at == push.box else at for b, at in places[-1].items()})
        return tuple(places)

    @cached_property
    def pushed(self) -> tuple[Cell | None, ...]:
        """The box of each action, by its start cell."""
        return tuple(
            next((b for b, at in places.items() if push and at == push.box), None)
            for places, push in zip(self.boxes, self.pushes, strict=False)
        )

    @cached_property
    def passes(self) -> tuple[frozenset[Cell], ...]:
        """The cells that each action takes a box over or to."""
        return tuple(
            frozenset(p.box.step(p.direction, k) for k in range(1, p.length + 1)) if p else frozenset()
            for p in self.pushes
        )

    @cached_property
    def reach(self) -> tuple[frozenset[Cell], ...]:
        """The cells the player can walk to in each state."""
        return tuple(frozenset(rules.region(self.level, state)) for state in self.states)

    @cached_property
    def counts(self) -> dict[str, int]:
        """Lines, pushes and moves as the referee counts them, with the shortest ways between pushes."""
        if self.actions and isinstance(self.actions[0], str):
            plan = rules.plan_from_lurd(self.level, "".join(map(str, self.actions)))
        else:
            plan = rules.plan_from_pushes(self.level, [p for p in self.pushes if p])
        lurd = rules.plan_from_lurd(self.level, plan.lurd)
        return {"lines": len(lurd.actions), "pushes": sum(p.length for p in plan.actions), "moves": len(plan.lurd)}


class Brute:
    """All plans of a level by one objective, by length."""

    def __init__(self, level: Level, objective: str) -> None:
        self.level = level
        self.next = SUCCESSORS[objective]
        self.known: dict[tuple[State, int], int] = {}
        self.after: dict[State, list[tuple[Push | str, State]]] = {}

    def _successors(self, state: State) -> list[tuple[Push | str, State]]:
        if state not in self.after:
            self.after[state] = list(self.next(self.level, state))
        return self.after[state]

    def ways(self, length: int, state: State | None = None) -> int:
        """Count the plans of exactly that length."""
        state = state or rules.initial(self.level)
        if length == 0:
            return int(rules.solved(self.level, state.boxes))
        key = (state, length)
        if key not in self.known:
            self.known[key] = sum(self.ways(length - 1, after) for _, after in self._successors(state))
        return self.known[key]

    def optimum(self, last: int) -> int | None:
        """Return the fewest actions, None if there is no plan of up to ``last``."""
        return next((length for length in range(last + 1) if self.ways(length)), None)

    def traces(self, length: int, most: int = 3000) -> list[Trace]:
        """Return every plan of exactly that length; TooMany if there are more than ``most``."""
        if self.ways(length) > most:
            raise TooMany
        return list(self._traces((rules.initial(self.level),), (), length))

    def _traces(self, states: tuple[State, ...], actions: tuple[Push | str, ...], left: int) -> Iterator[Trace]:
        if left == 0:
            yield Trace(self.level, states, actions)
            return
        for action, after in self._successors(states[-1]):
            if self.ways(left - 1, after):
                yield from self._traces((*states, after), (*actions, action), left - 1)
