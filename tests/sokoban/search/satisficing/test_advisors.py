"""Advisors, zones and the moving sink against plain Python, on random levels."""

import random
from collections import Counter
from collections.abc import Iterator
from typing import Any

import numpy as np

from sokoasp.sokoban.level import Level, reachable, spread
from sokoasp.sokoban.search.model import push_board
from sokoasp.sokoban.search.satisficing import macro_registers as at
from sokoasp.sokoban.search.satisficing.macro_registers import C
from tests.levels import scrambled_level, warehouse
from tests.sokoban.search.satisficing.test_packing_order_search import search_of

LEVELS = [scrambled_level(seed, width=8, height=7, boxes=5, pulls=120) for seed in range(5)]


def play_of(level: Level) -> Any:
    from sokoasp.sokoban.search.satisficing import macro_workspace, packing_order

    board = push_board.build(level)
    b = macro_workspace.MacroWorkspace(board, macro_workspace.load(), macro_workspace.any_order(board), reverse=True)
    return packing_order.ReversePlay(b, packing_order.origins(level, b.board))


def guided(level: Level, order: Any) -> Any:
    """Return the workspace of a forward search by an order."""
    planner = search_of(level)
    planner._follow([order])
    return planner.planners[0].branching


def complete_order(level: Level) -> Any:
    play = play_of(level)
    while play.finished is None and not play.exhausted and play.expanded < 500:
        play.advance(10)
    return play.orders()[-1]


def pushed_alone(level: Level, board: push_board.PushBoard, start: int, walls: set[int]) -> set[int]:
    """Return where single pushes bring one box from a cell among walls, the player on any side of it at first."""
    number = {cell: index for index, cell in enumerate(board.cells)}
    floor = level.floor - {board.cells[c] for c in walls}

    def area(cell: int, player: int) -> frozenset[int]:
        return frozenset(number[c] for c in reachable(board.cells[player], floor - {board.cells[cell]}))

    def after(state: tuple[int, frozenset[int]]) -> Iterator[tuple[int, frozenset[int]]]:
        cell, where = state
        for d in range(4):
            to, stand = int(board.neighbour[cell, d]), int(board.neighbour[cell, d ^ 1])
            if to < board.live and to not in walls and stand in where:
                yield to, area(to, cell)

    beside = [int(c) for c in board.neighbour[start] if c != board.size and int(c) not in walls]
    return {start, *(cell for cell, _ in spread(((start, area(start, player)) for player in beside), after))}


def test_where_a_lone_box_can_be_pushed() -> None:
    ways = 0
    for level in LEVELS[:2]:
        b = guided(level, complete_order(level))
        for a in range(b.board.live):
            true = pushed_alone(level, b.board, a, set())
            assert {c for c in range(b.board.live) if b.guides.lone[a, c]} == true & set(range(b.board.live))
            ways += len(true)
    assert ways > 200


def test_the_sink_is_the_largest_set_of_start_cells_that_are_alike_now() -> None:
    rng, sizes = random.Random(31), Counter[int]()
    for level in LEVELS:
        play = play_of(level)
        board = play.branching.board
        for _ in range(12):
            boxes = tuple(sorted(rng.sample(range(board.live), rng.randint(1, 3))))
            used = rng.randrange(1 << len(board.boxes) - 1)
            starts = [c for i, c in enumerate(board.boxes) if not used >> i & 1]
            ways = {a: pushed_alone(level, board, a, set(boxes) - {a}) if a not in boxes else {a} for a in starts}
            sets = [{c for c in starts if c == a or (c in ways[a] and a in ways[c])} for a in starts]
            most = max(map(len, sets))
            true = next(s for s in sets if len(s) == most)
            assert set(np.flatnonzero(play._alike(boxes, used)).tolist()) == true
            sizes[most] += 1
    assert len(sizes) > 2


def test_every_box_that_leaves_takes_a_start_cell_with_it() -> None:
    orders = 0
    for level in LEVELS:
        play = play_of(level)
        while play.finished is None and not play.exhausted and play.expanded < 500:
            play.advance(10)
        for node in play.nodes:
            assert node.used.bit_count() + len(node.boxes) == len(level.boxes)
        if play.finished is None:
            continue
        last, starts = play.nodes[play.finished], play.branching.board.boxes
        assert {starts.index(c) for c in last.boxes}.isdisjoint(i for i in range(len(starts)) if last.used >> i & 1)
        for order in play.orders():
            rows = order.rows.tolist()
            assert {to for _, to, until in rows if until == len(rows)} == set(play.branching.board.goals)
            assert [to for _, to, _ in rows[: order.waiting]] == list(last.boxes)[: order.waiting]
        orders += 1
    assert orders > 2


def test_boxes_are_astray_before_the_step_that_cuts_them_off() -> None:
    from sokoasp.sokoban.search.satisficing.macro_workspace import PackingOrder, ahead

    order = PackingOrder(np.array([(-1, 0, 4), (-1, 1, 4), (-1, 2, 4), (-1, 3, 4)], dtype=np.int32))
    basin = np.ones((5, 6), dtype=np.uint8)
    basin[2:4, 5] = 0  # after the second step nothing gets from cell 5 to the two that are left
    basin[1:, 0] = basin[2:, 1] = basin[3:, 2] = 0  # filled cells are walls, and no boxes are out of plan on them
    assert ahead(order, basin)[:, 5].tolist() == [0, 0, 0, 1, 1]
    assert ahead(order, basin)[:, :5].all()
    assert ahead(order, np.ones_like(basin)).all()


def children(b: Any, boxes: tuple[int, ...], player: int) -> tuple[int, list[dict[str, int]]]:
    """List and advise; return the number of children and each by the names of its columns, with its rank."""
    count = b.children(boxes, player)
    if count > 0:
        b.advise(count)
    rows = [
        {column.name: int(x) for column, x in zip(C, row, strict=True)} for row in b.kids.out[: max(count, 0)].tolist()
    ]
    return count, [row | {"RANK": int(rank)} for row, rank in zip(rows, b.kids.keys[: len(rows), 1], strict=True)]


def advised(b: Any, rows: list[dict[str, int]], steps: list[list[int]]) -> dict[str, int]:
    """Say by the definitions which child each advisor of FESS names."""
    here = {
        name: getattr(b.r, f"parent_{name.lower()}")
        for name in ("FILLED", "OUT_OF_PLAN", "REGIONS", "BROKEN", "HOTSPOTS")
    }
    p, named = b.r.next, {}
    kept = [i for i, row in enumerate(rows) if row["FILLED"] >= here["FILLED"]]
    if more := [i for i in kept if rows[i]["FILLED"] > here["FILLED"]]:
        exact = [i for i in more if p < len(steps) and [rows[i]["FROM"], rows[i]["TO"]] == steps[p][:2]]
        named["packer"] = min(exact or more, key=lambda i: rows[i]["RANK"])
    for feature in ("REGIONS", "HOTSPOTS"):
        if fewer := [i for i in range(len(rows)) if rows[i][feature] < here[feature]]:
            named[feature] = min(fewer, key=lambda i: (rows[i][feature], rows[i]["RANK"]))
    if p >= len(steps):
        return named
    calm = [i for i in kept if all(rows[i][f] <= here[f] for f in ("REGIONS", "BROKEN"))]
    afoot = spread([steps[p][1]], lambda cell: b.board.neighbour[cell].tolist(), range(b.board.size))
    away = [i for i in calm if afoot[rows[i]["TO"]] >= afoot[rows[i]["FROM"]]]
    if away and not more and p >= b.order.unordered:
        named["opener"] = min(away, key=lambda i: (afoot[rows[i]["FROM"]], -afoot[rows[i]["TO"]], i))
    undone = {i for i in kept if b.guides.lone[rows[i]["TO"], rows[i]["FROM"]]}
    zone = b.guides.apart[p]
    out = [
        i for i in calm if i in undone and rows[i]["OUT_OF_PLAN"] <= here["OUT_OF_PLAN"] and zone[rows[i]["FROM"]] >= 0
    ]
    out = [i for i in out if zone[rows[i]["TO"]] > zone[rows[i]["FROM"]]]
    if out and here["OUT_OF_PLAN"]:
        named["stray"] = min(out, key=lambda i: (zone[rows[i]["FROM"]], -zone[rows[i]["TO"]], i))
    return named


def pushes_from(b: Any, zone: set[int], walls: set[int]) -> dict[int, int]:
    def after(cell: int) -> Iterator[int]:
        for d in range(4):
            to, stand = int(b.board.neighbour[cell, d]), int(b.board.neighbour[cell, d ^ 1])
            if to < b.board.live and not {to, stand} & walls and stand != b.board.size:
                yield to

    return spread(zone, after)


def test_advisors_name_what_their_rules_say() -> None:
    rng, seen = random.Random(32), Counter[str]()
    linked = 0
    for level in (*LEVELS, warehouse()):
        order = complete_order(level)
        b, steps = guided(level, order), order.rows.tolist()
        linked += len(b.guides.links)
        for p in range(order.steps):
            held = {to for _, to, until in steps[:p] if until >= p}
            zone = {c for c in range(b.board.live) if b.guides.basin[p, c] == 0} - held
            true = pushes_from(b, zone, held)
            assert all(b.guides.apart[p, c] == true.get(c, -1) for c in range(b.board.live))
        boxes, player = b.board.boxes, b.board.player
        for _ in range(60):
            count, rows = children(b, boxes, player)
            if count <= 0:
                boxes, player = b.board.boxes, b.board.player
                continue
            named = advised(b, rows, steps)
            assert {i for i, row in enumerate(rows) if row["ADVISED"]} == set(named.values()), named
            seen.update(named.keys())
            row = rng.choice(rows)
            boxes = tuple(sorted([c for c in boxes if c != row["FROM"]] + [row["TO"]]))
            player = row["STAND"]
    assert linked, "no level has links of rooms: what is found of them was not looked at"
    assert {"packer", "REGIONS", "opener", "stray"} <= seen.keys(), seen


def test_features_of_children_are_those_of_their_states() -> None:
    """Of a child only what its push may have changed is looked at: its features are those found when it is opened itself."""
    rng, seen = random.Random(41), Counter[str]()
    for level in (LEVELS[0], warehouse()):
        order, board = complete_order(level), push_board.build(level)
        b, opened = guided(level, order), guided(level, order)
        boxes, player = board.boxes, board.player
        for _ in range(20):
            count = b.children(boxes, player)
            if count <= 0:
                boxes, player = board.boxes, board.player
                continue
            out, keys = b.kids.out[:count].copy(), b.kids.keys[:count, 0].tolist()
            cut = b.r.parent_broken
            for i in rng.sample(range(count), min(count, 6)):
                start, to, stand = out[i, :3].tolist()
                child = tuple(sorted([*(c for c in boxes if c != start), to]))
                opened.r.corral = 0
                opened.children(child, stand)
                found = out[i, C.FILLED : C.HOTSPOTS + 1].tolist()
                r = opened.r
                features = [r.parent_filled, r.parent_out_of_plan, r.parent_regions, r.parent_broken, r.parent_hotspots]
                assert found == features, (level.rows(), child)
                assert keys[i] == opened.r.key
                seen["cut"] += found[3] > cut
                seen["opened"] += found[3] < cut
            i = rng.randrange(count)
            start, to, player = out[i, :3].tolist()
            boxes = tuple(sorted([*(c for c in boxes if c != start), to]))
    assert seen["cut"] and seen["opened"], "no push has cut a link, or opened one"


CORRIDORS = """
######################
#    #   #    #      #
#  $ #   # $  #  $   #
#        .           #
#    ## ### ####     #
#    #    .    #     #
###### ## # # ########
#    #    .    #     #
#  $    # # #    $   #
#  @ #    .    #  .  #
######################
"""
"""Four rooms and more, and a passage of many ways that joins all of them."""


def test_links_are_cut_where_no_free_floor_of_the_passage_joins_the_rooms() -> None:
    from sokoasp.sokoban import formats
    from sokoasp.sokoban.search.satisficing import macro_workspace

    level = formats.read(CORRIDORS.encode(), source="corridors")[0]
    board, code, rng, seen = push_board.build(level), macro_workspace.load(), random.Random(5), Counter[int]()
    b = macro_workspace.MacroWorkspace(board, code, complete_order(level))
    rooms, passages = b.guides.rooms.tolist()
    assert max(Counter(way for way, *_ in b.guides.links.tolist()).values()) >= 3, "no passage joins three rooms"
    b.r.corral = 0
    for _ in range(60):
        boxes = tuple(sorted(rng.sample(range(board.live), len(board.boxes))))
        b.children(boxes, next(c for c in range(board.size) if c not in boxes))
        cut = 0
        for way, one, other, _joined, _now in b.guides.links.tolist():
            left = {c for c in range(board.size) if passages[c] == way} - set(boxes)
            joined = False
            while left:
                area, queue = set(), [left.pop()]
                while queue:
                    area.add(cell := queue.pop())
                    queue += [c for c in board.neighbour[cell].tolist() if c in left]
                    left -= set(queue)
                met = {rooms[c] for a in area for c in board.neighbour[a].tolist() if c not in boxes}
                joined = joined or {one, other} <= met
            cut += not joined
        assert cut == b.r.parent_broken, boxes
        seen[cut] += 1
    assert len(seen) > 4, seen


def test_hot_cells_cost_others_goals() -> None:
    """Boxes on goals are neither in the way nor in need of way."""
    level = LEVELS[0]
    b = guided(level, complete_order(level))
    board, goals = b.board, set(b.board.goals)
    ways = sorted(range(board.live), key=lambda cell: b.guides.hotspots[cell].any())
    assert not b.guides.hotspots[ways[0]].any() and b.guides.hotspots[ways[-1]].any(), (
        "all cells are hotspots, or none is"
    )
    for wall in (ways[0], ways[-1]):
        for a in range(board.live):
            free = pushed_alone(level, board, a, set()) & goals
            lost = a != wall and bool(free - {wall} - pushed_alone(level, board, a, {wall}))
            hot = bool(b.guides.hotspots[wall, a // at.BITS] >> a % at.BITS & 1)
            assert hot == (lost and not {a, wall} & goals)


def test_a_state_waits_in_a_feature_cell_no_worse_than_its_parents() -> None:
    """Some states would come to a worse one by their own features; the search goes on whatever it has found."""
    worse = 0
    for level in LEVELS[:2]:
        planner = search_of(level)
        planner._follow([complete_order(level)])
        (search,) = planner.planners
        while len(search.nodes) < 200 and not search.exhausted:
            search.solution = None
            search.advance(10)
        for number, node in enumerate(search.nodes):
            if node.parent >= 0:
                search.branching.children(node.boxes, node.player)
                r = search.branching.r
                own = (-r.parent_filled, r.parent_regions, r.parent_broken, r.parent_out_of_plan)
                above = search.batches[node.parent].feature_cell
                assert search.batches[number].feature_cell == min(own, above)
                worse += own > above
    assert worse > 3


def test_the_best_feature_cell_is_served_every_other_turn() -> None:
    from sokoasp.sokoban.search.satisficing.macro_search import FeatureSpace

    space = FeatureSpace()
    for number, cell in enumerate([(3,), (2,), (1,), (1,)]):
        space.put(cell, 0, number, number)
    assert [space.take((1,)), space.take((1,))] == [2, 3]
    assert {space.take((1,)), space.take()} == {0, 1}  # an empty cell: the next of the cycle
    assert space.take((1,)) is None
