"""All macro pushes (pulls) of a state with the features of the states they lead to, compiled."""

from __future__ import annotations

from sokoasp.core.kernels import kernel
from sokoasp.core.kernels.arrays import I4, U1
from sokoasp.sokoban.search.kernels.corral import corral
from sokoasp.sokoban.search.kernels.freeze import frozen, wedged
from sokoasp.sokoban.search.kernels.hash_set import known
from sokoasp.sokoban.search.model.records import Areas, Ground
from sokoasp.sokoban.search.satisficing import macro_registers as at
from sokoasp.sokoban.search.satisficing.advisor_tables import broken, cut_by
from sokoasp.sokoban.search.satisficing.macro_moves import blocks, journeys
from sokoasp.sokoban.search.satisficing.macro_registers import Bench, C, Children, Entered, Guides, MacroRegisters, V, W
from sokoasp.sokoban.walk.region_kernel import region


@kernel("i8(i4[:,::1], u1[::1], i4[::1], i4[::1])")
def components(neighbour: I4, occ: U1, comp: I4, queue: I4) -> int:
    """Number the regions of the free floor from 1 in ``comp``, 0 on boxes; return how many there are."""
    n, count = len(occ) - 1, 0
    for c in range(n):
        comp[c] = 0
    for c in range(n):
        if occ[c] == 0 and comp[c] == 0:
            count += 1
            region(neighbour, occ, c, comp, count, queue)
    return count


@kernel("i8(u1[::1], i8, i8, i8, i4[:,::1])")
def filled(occ: U1, steps: int, unordered: int, waiting: int, order: I4) -> int:
    """Return the largest p such that every step q < p with until[q] >= p has a box on its cell.

    ``order`` has a row (from, to, until) a step of the packing order. The first ``unordered`` steps may be done in any order:
    while they are not all done, their number is returned. Or the first ``waiting`` steps are not asked for at all.
    """
    p, q = steps, waiting
    while q < p:
        if occ[order[q, 1]] == 0 and order[q, 2] >= p:
            p, q = q, waiting
        else:
            q += 1
    if p < unordered:
        p = 0
        for q in range(unordered):
            p += occ[order[q, 1]]
    return p


@kernel("void(MacroRegisters, Ground, i4[::1], Guides, u1[::1], i4[:,::1])")
def features(r: MacroRegisters, ground: Ground, boxes: I4, guides: Guides, occ: U1, v: I4) -> None:
    """Write the features of a state into the registers, but for its regions and the links that are cut.

    The row ``r.row`` of ``v`` equals ``r.now`` on the player's region.
    """
    neighbour, target, order = ground.neighbour, ground.target, guides.order
    k, steps = r.boxes, r.steps
    tie = 0
    for i in range(k):
        tie += guides.goal_distance[boxes[i]]
        for d in range(4 if r.reverse else 0):
            tie += v[r.row, neighbour[boxes[i], d]] == r.now
    r.tie = tie
    r.out_of_plan = 0
    r.hotspots = 0
    if r.reverse:
        away = 0
        for i in range(k):
            away += target[boxes[i]] == 0
        r.filled = away
        return
    r.stamp += 1
    held = r.stamp
    p = filled(occ, steps, r.unordered, r.waiting, order)
    r.filled = p
    r.step = p
    for q in range(p):
        if order[q, 2] >= p:
            v[V.HELD, order[q, 1]] = held
            r.filled -= q < r.waiting and occ[order[q, 1]] == 0
    # boxes that the order does not hold, as bits: is one of them among those that this box hinders?
    others = guides.others
    for word in range(len(others)):
        others[word] = 0
    for i in range(k):
        b = boxes[i]
        if v[V.HELD, b] != held:
            others[b // at.BITS] |= 1 << (b % at.BITS)
            r.out_of_plan += guides.basin[p, b] == 0
    for i in range(k):
        b, hindered = boxes[i], 0
        for word in range(len(others) if v[V.HELD, b] != held else 0):
            hindered |= guides.hotspots[b, word] & others[word]
        r.hotspots += hindered != 0


@kernel("i8(MacroRegisters)")
def rank(r: MacroRegisters) -> int:
    """Pack the features in the registers into one number, the most important first; less is better."""
    if r.reverse:
        word = (min(63, r.regions) << 10) | (1023 - r.filled)
        return int((word << 12) | (4095 - min(4095, r.tie)))
    word = 1023 - r.filled
    for feature in (r.regions, r.broken, r.out_of_plan, r.hotspots):
        word = (word << 6) | min(63, feature)
    return int((word << 12) | (4095 - min(4095, r.tie)))


@kernel("i8(MacroRegisters, Ground, i4[::1], Guides, Bench)")
def open_state(r: MacroRegisters, ground: Ground, boxes: I4, guides: Guides, bench: Bench) -> int:
    """Look at the state whose boxes are on the board: region, components, features, allowed pushes; -1 if it is dead."""
    neighbour, occ, v = ground.neighbour, bench.bits[0], bench.v
    r.stamp += 1
    stamp = r.stamp
    r.seen = stamp
    for i in range(r.boxes):
        v[V.ALLOWED, i] = 15
    r.lowest = region(neighbour, occ, r.player, v[V.MARK], stamp, v[V.QUEUE])
    region(neighbour, occ, r.player, v[V.MARK2], stamp, v[V.QUEUE])
    comps = components(neighbour, occ, v[V.COMP], v[V.QUEUE])
    r.row, r.now = V.MARK2, stamp
    features(r, ground, boxes, guides, occ, v)
    r.broken = broken(neighbour, occ, guides.rooms, guides.links, v, r.stamp + 1)
    r.stamp += 1
    r.regions = comps
    r.next = r.step
    r.parent_filled, r.parent_out_of_plan, r.parent_regions = r.filled, r.out_of_plan, r.regions
    r.parent_broken, r.parent_hotspots = r.broken, r.hotspots
    if r.reverse or r.corral == 0:
        return 0
    areas = Areas(boxes, occ, v[V.MARK], v[V.AREA], v[V.CHOSEN], v[V.MEMBER], v[V.MASKS], v[V.ALLOWED], v[V.QUEUE])
    return corral(r.boxes, r.live, 0, ground, areas, stamp)


@kernel("i8(MacroRegisters, i4[:,::1], i8, Guides, Bench)")
def lift(r: MacroRegisters, neighbour: I4, cell: int, guides: Guides, bench: Bench) -> int:
    """Take a box off the board, label the floor around it; return its place, -1 if the player does not get to it.

    ``r.rest`` gets the regions of the state that neither the box nor the free floor beside it joins; the region around it is
    flooded (``r.lifted``, ``r.low1``, ``r.low2``), and links are looked at without it (``r.cut``).
    """
    occ, w, v = bench.bits[0], bench.w, bench.v
    side = -1
    for d in range(4):
        if v[V.MARK, neighbour[cell, d]] == r.seen:
            side = d
    # a box that the player cannot touch is moved by nobody
    if side < 0:
        return -1
    occ[cell] = 0
    blocks(neighbour, occ, cell, w)
    # the place a box is lifted from: its cell and the first side of the same block as the player's
    start, rest = -1, r.parent_regions
    for d in range(4):
        if start < 0 and w[W.LABEL, 4 * cell + d] == w[W.LABEL, 4 * cell + side]:
            start = 4 * cell + d
        beside, fresh = v[V.COMP, neighbour[cell, d]], occ[neighbour[cell, d]] == 0
        for e in range(d):
            fresh = fresh and not (occ[neighbour[cell, e]] == 0 and v[V.COMP, neighbour[cell, e]] == beside)
        rest -= fresh
    r.rest = rest
    r.stamp += 1
    around, low = r.stamp, region(neighbour, occ, cell, v[V.LIFT], r.stamp, v[V.QUEUE])
    r.lifted, r.low1 = around, low
    # the player stands beside the box: there are two cells at least
    low += 1
    while v[V.LIFT, low] != around:
        low += 1
    r.low2 = low
    r.cut = broken(neighbour, occ, guides.rooms, guides.links, v, r.stamp + 1)
    r.stamp += 1
    return start


@kernel("i8(i4[::1], i8)")
def areas(labels: I4, to: int) -> int:
    """Return how many areas of the floor around the lifted box touch a cell: the labels of its four sides that differ."""
    parts = 0
    for a in range(4):
        label = labels[4 * to + a]
        fresh = label > 0
        for e in range(a):
            fresh = fresh and labels[4 * to + e] != label
        parts += fresh
    return parts


@kernel("void(MacroRegisters, Ground, i4[::1], Guides, Bench, Entered, Children)")
def put_down(
    r: MacroRegisters, ground: Ground, boxes: I4, guides: Guides, bench: Bench, entered: Entered, children: Children
) -> None:
    """List the state with the lifted box put down at ``r.place``, unless it was entered."""
    near, occ, w, v, zobrist = ground.neighbour, bench.bits[0], bench.w, bench.v, entered.zobrist
    out, keys, count = children.out, children.keys, r.listed
    to, low, place = r.place >> 2, r.lowest, r.place
    stand = near[to, place & 3]
    # Step 1. Areas around the box: one for each block of the floor at its cell
    parts = areas(w[W.LABEL], to)
    # Step 2. The player's region: flooded only where the box cuts the one around it into several
    if parts == 1:
        r.row, r.now = V.LIFT, r.lifted
        low2 = r.low2 if r.low1 == to else r.low1
    else:
        r.stamp += 1
        r.row, r.now = V.MARK2, r.stamp
        low2 = region(near, occ, stand, v[V.MARK2], r.now, v[V.QUEUE])
    # Step 3. Hashed by what has changed (Zobrist), so that known children cost no features
    key = r.base ^ zobrist[0, r.lifted_cell] ^ zobrist[0, to] ^ zobrist[1, low2]
    if known(entered.table, key):
        return
    v[V.LIFT, to] = 0
    # Step 4. Features; of the links only those near the box are looked at anew
    features(r, ground, boxes, guides, occ, v)
    cut = cut_by(near, occ, guides.rooms, guides.links, to, v, r.stamp + 1)
    r.stamp += 1
    r.broken, r.regions = r.cut + cut, r.rest + parts
    # can the player come back to where it was?
    back = low if low != to else stand
    out[count, C.FROM], out[count, C.TO], out[count, C.STAND] = r.lifted_cell, to, stand
    out[count, C.LOW], out[count, C.PUSHES] = low2, w[W.PUSHES, place]
    out[count, C.FILLED], out[count, C.OUT_OF_PLAN], out[count, C.REGIONS] = r.filled, r.out_of_plan, r.regions
    out[count, C.BROKEN], out[count, C.HOTSPOTS] = r.broken, r.hotspots
    out[count, C.BACK] = v[r.row, back] == r.now
    out[count, C.ADVISED] = 0
    keys[count, 0] = key
    keys[count, 1] = rank(r)
    r.listed = count + 1
    v[V.LIFT, to] = r.lifted


@kernel("i8(MacroRegisters, Ground, i4[::1], Guides, Bench, Entered, Children)")
def expand(
    r: MacroRegisters, ground: Ground, boxes: I4, guides: Guides, bench: Bench, entered: Entered, children: Children
) -> int:
    """List the children of a state that were not entered yet, each with its features, hash and rank.

    Returns:
        The number of children, -1 if the state is dead.
    """
    # Step 1. The boxes on the board, and their hash
    neighbour, occ, v = ground.neighbour, bench.bits[0], bench.v
    k, live, reverse, base = r.boxes, r.live, r.reverse, 0
    for i in range(k):
        occ[boxes[i]] = 1
        base ^= entered.zobrist[0, boxes[i]]
    # Step 2. Region, components, features (FESS, Shoham and Schaeffer 2020) and the corral
    dead = open_state(r, ground, boxes, guides, bench)
    r.base, r.listed = base, 0
    r.key = base ^ entered.zobrist[1, r.lowest]
    for i in range(k if dead >= 0 else 0):
        # Step 3. Each box lifted: where the player can stand around it
        c = int(boxes[i])
        start = lift(r, neighbour, c, guides, bench) if v[V.ALLOWED, i] else -1
        if start < 0:
            continue
        r.lifted_cell = c
        r.stamp += 1
        # Step 4. Everywhere it can be brought while the others stand: a macro push
        found = journeys(neighbour, occ, live, start, v[V.ALLOWED, i], reverse, r.stamp, bench.w)
        for j in range(1, found):
            place = int(bench.w[W.QUEUE, j])
            to = place >> 2
            occ[to] = 1
            boxes[i] = to
            # Step 5. Put down there, unless that freezes a box off the goals
            stuck = not reverse and wedged(neighbour, occ, live, to)
            if not stuck or frozen(k, boxes, to, neighbour, live, ground.target, bench.bits[1]) == 0:
                r.place = place
                put_down(r, ground, boxes, guides, bench, entered, children)
            occ[to] = 0
        boxes[i] = c
        occ[c] = 1
    for i in range(k):
        occ[boxes[i]] = 0
    return -1 if dead < 0 else r.listed
