"""The graph of positions of a board, for other programs: GraphML and DOT."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from xml.sax.saxutils import escape, quoteattr

from sokoasp.core.limits import Limits
from sokoasp.klotski.board import Board
from sokoasp.klotski.database import neighbours
from sokoasp.klotski.space import Space


@dataclass(frozen=True, slots=True)
class Graph:
    """The positions that can be reached from a board, numbered in breadth-first order, and the moves between them."""

    rows: tuple[str, ...]
    """Each position as rows joined by ``/``, equal pieces by the letter of their class."""
    depth: tuple[int, ...]
    """Slides or units from the start."""
    goal: tuple[bool, ...]
    edges: tuple[tuple[int, int], ...]
    """Pairs of numbers, the smaller first where the move can be taken back, else from and to."""
    directed: bool

    @property
    def near(self) -> list[list[int]]:
        """Return for each position those one move away, either way."""
        found: list[list[int]] = [[] for _ in self.rows]
        for here, there in self.edges:
            found[here].append(there)
            found[there].append(here)
        return found


def graph(board: Board, objective: str = "slides", limits: Limits | None = None) -> Graph | str:
    """Search all positions and moves from the start, or return the limit that came first."""
    clock = (limits or Limits()).start()
    space = Space(board, sliding=objective == "slides", mirrored=False)
    number = {space.start: 0}
    depth = [0]
    queue = [space.start]
    moves: set[tuple[int, int]] = set()
    for at, key in enumerate(queue):
        if at % 256 == 0 and (stopped := clock.over(len(queue))):
            return stopped
        for after in neighbours(space, key):
            if after not in number:
                number[after] = len(queue)
                depth.append(depth[at] + 1)
                queue.append(after)
            moves.add((at, number[after]))
    directed = any((b, a) not in moves for a, b in moves)
    edges = sorted(moves if directed else {(min(pair), max(pair)) for pair in moves})
    rows = tuple(picture(space, key) for key in queue)
    return Graph(rows, tuple(depth), tuple(map(space.solved, queue)), tuple(edges), directed)


def picture(space: Space, key: int) -> str:
    """Return a position as rows joined by ``/``."""
    board = space.board
    marks = ["#" if board.cell(at) in board.walls else "." for at in range(space.cells)]
    for index, kind in enumerate(space.kinds):
        for corner, mask in space.covers[index].items():
            if key & space.bit(index, corner):
                for at in range(space.cells):
                    if mask >> at & 1:
                        marks[at] = kind.name
    return "/".join("".join(marks[row * board.width : (row + 1) * board.width]) for row in range(board.height))


def graphml(made: Graph) -> Iterator[str]:
    """Yield the lines of a GraphML document: nodes with ``board``, ``depth`` and ``goal``."""
    yield '<?xml version="1.0" encoding="UTF-8"?>'
    yield '<graphml xmlns="http://graphml.graphdrawing.org/xmlns">'
    for name, kind in (("board", "string"), ("depth", "int"), ("goal", "boolean")):
        yield f'<key id="{name}" for="node" attr.name="{name}" attr.type="{kind}"/>'
    yield f'<graph edgedefault="{"directed" if made.directed else "undirected"}">'
    for at, (rows, depth, goal) in enumerate(zip(made.rows, made.depth, made.goal, strict=True)):
        data = (("board", escape(rows)), ("depth", depth), ("goal", str(goal).lower()))
        yield f'<node id="n{at}">{"".join(f"<data key={quoteattr(k)}>{v}</data>" for k, v in data)}</node>'
    for here, there in made.edges:
        yield f'<edge source="n{here}" target="n{there}"/>'
    yield "</graph>"
    yield "</graphml>"


def dot(made: Graph) -> Iterator[str]:
    """Yield the lines of a DOT document: a position as its rows, goals with a double border, the start filled."""
    yield f"{'digraph' if made.directed else 'graph'} positions {{"
    yield '  node [shape=box fontname="monospace"]'
    for at, (rows, goal) in enumerate(zip(made.rows, made.goal, strict=True)):
        looks = " peripheries=2" * goal + " style=filled" * (at == 0)
        yield f'  n{at} [label="{rows.replace("/", chr(92) + "n")}"{looks}]'
    arrow = "->" if made.directed else "--"
    for here, there in made.edges:
        yield f"  n{here} {arrow} n{there}"
    yield "}"
