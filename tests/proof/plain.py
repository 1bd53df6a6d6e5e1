"""Sokoban in plain Python on numbered floor cells, for whoever forges a list: it shares no search with the package."""

from collections.abc import Collection, Iterator

from sokoasp.proof import level_text

State = tuple[frozenset[int], int]
"""Boxes, and a cell of the player."""


class Board:
    """A level: its cells, and where each way leads from them (None: into a wall)."""

    def __init__(self, text: str) -> None:
        field = level_text.read(text)
        self.n, self.player = field.size, field.player
        self.boxes, self.goals = frozenset(field.boxes), frozenset(field.goals)
        self.to = [[cell if cell >= 0 else None for cell in near] for near in field.beside]

    def walks(self, player: int, boxes: Collection[int]) -> dict[int, int]:
        """Return the steps to each cell that the player can walk to."""
        steps, todo = {player: 0}, [player]
        for cell in todo:
            for after in self.to[cell]:
                if after is not None and after not in boxes and after not in steps:
                    steps[after] = steps[cell] + 1
                    todo.append(after)
        return steps

    def line(self, boxes: frozenset[int], box: int, way: int, objective: str) -> Iterator[State]:
        """Yield what stands after a box is pushed one cell, or for lines each number of cells."""
        stand, to = box, self.to[box][way]
        while to is not None and to not in boxes:
            yield boxes - {box} | {to}, stand
            if objective != "lines":
                return
            stand, to = to, self.to[to][way]

    def pushes(self, boxes: frozenset[int], player: int, objective: str = "pushes") -> Iterator[tuple[State, int]]:
        """Yield each state after an action that pushes, and the steps of the walk before."""
        reached = self.walks(player, boxes)
        for box in boxes:
            for way in range(4):
                stand = self.to[box][way ^ 1]
                if stand in reached:
                    yield from ((after, reached[stand]) for after in self.line(boxes, box, way, objective))

    def moves(self, boxes: frozenset[int], player: int) -> Iterator[tuple[State, str]]:
        """Yield each state after one move, and its letter."""
        for way, letter in enumerate("lrud"):
            to = self.to[player][way]
            if to is not None and to not in boxes:
                yield (boxes, to), letter
            elif to is not None:
                yield from (((after, to), letter.upper()) for after, _ in self.line(boxes, to, way, "moves"))

    def plan(self, pushes: int, moves: int | None = None) -> str | None:
        """Return a plan of so many pushes, and moves if they are given; None if there is none within 200 moves."""
        layer: dict[tuple[State, int], str] = {((self.boxes, self.player), 0): ""}
        for count in range(200 if moves is None else moves + 1):
            found = [lurd for ((boxes, _), made), lurd in layer.items() if made == pushes and boxes == self.goals]
            if found and count == (moves or count):
                return found[0]
            after: dict[tuple[State, int], str] = {}
            for (state, made), lurd in layer.items():
                for then, letter in self.moves(*state):
                    if made + letter.isupper() <= pushes:
                        after.setdefault((then, made + letter.isupper()), lurd + letter)
            layer = after
        return None
