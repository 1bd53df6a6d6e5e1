"""The compiled search loop: best-first over packed states, one loop for pushes and pulls, lines, pushes and moves.

Costs are exact, the bound may be inconsistent: a state found cheaper is opened again, and a child inherits its parent's f
(path-max).
"""

from __future__ import annotations

from sokoasp.core.kernels import kernel
from sokoasp.core.kernels.arrays import I4, I4x2
from sokoasp.sokoban.search.exact.beam import next_in_beam
from sokoasp.sokoban.search.exact.open_list import enter, vary
from sokoasp.sokoban.search.kernels.buckets import link, unlink
from sokoasp.sokoban.search.kernels.corral import corral
from sokoasp.sokoban.search.kernels.freeze import frozen, wedged
from sokoasp.sokoban.search.kernels.primitives import flood, unpack
from sokoasp.sokoban.search.model.records import Areas, Bound, Ground, Registers, RunStatus, Scratch, States, W
from sokoasp.sokoban.walk.region_kernel import region, region_down_to


@kernel("i8(Registers, Ground, Scratch, i8)")
def open_state(r: Registers, ground: Ground, scratch: Scratch, player: int) -> int:
    """Prepare the expansion of the state in the scratch: region and allowed pushes; -1 if it is dead.

    Matching and patterns wait for the first child that is bounded.
    """
    w, occ = scratch.w, scratch.occ
    r.stamp += 1
    if r.by_cell:
        flood(ground.neighbour, occ, player, w[W.MARK], r.stamp, w[W.STEPS], w[W.QUEUE])
    else:
        r.low = region(ground.neighbour, occ, player, w[W.MARK], r.stamp, w[W.QUEUE])
    r.matched = 0
    allowed = w[W.ALLOWED]
    if r.corral:
        areas = Areas(w[W.BOXES], occ, w[W.MARK], w[W.AREA], w[W.CHOSEN], w[W.MEMBER], w[W.MASKS], allowed, w[W.QUEUE])
        return corral(r.boxes, r.live, r.boxes - r.goals, ground, areas, r.stamp)
    for i in range(r.boxes):
        allowed[i] = 15
    return 0


@kernel("i8(i4[:,::1], i4[::1], i8, i8, i8)")
def parts_around(neighbour: I4x2, mark: I4, stamp: int, cell: int, other: int) -> int:
    """Return into how many parts a region falls, seen from the eight cells around a cell that leaves it; 1 is certain.

    The region is what has the stamp, and ``other`` (-1 for none). More parts may hang together farther away.
    """
    sides = links = 0
    for x in range(4):
        # the sides in a circle: 0, 2, 1, 3
        d, e = (x >> 1) | (x & 1) << 1, ((x + 1 & 3) >> 1) | (x + 1 & 1) << 1
        a, b = neighbour[cell, d], neighbour[cell, e]
        if mark[a] == stamp or a == other:
            sides += 1
            corner = neighbour[a, e]
            links += (mark[b] == stamp or b == other) and (mark[corner] == stamp or corner == other)
    return max(1, sides - links) if sides else 0


@kernel("i8(Registers, i4[:,::1], Scratch, i8, i8, i8, i8, i8)")
def lowest_cell(
    r: Registers, neighbour: I4x2, scratch: Scratch, stamp: int, came: int, d: int, to: int, player: int
) -> int:
    """Return the smallest cell of the player's region after a box has moved from ``came`` to ``to``.

    It lies in the parent's region with the cell that the box left and without the one it entered, and in what that opens. Where
    the box leaves the region around it in one piece that is all of it; else it is flooded, until the smallest cell is met.
    """
    mark, other, occ, queue, least = scratch.w[W.MARK], scratch.w[W.MARK2], scratch.occ, scratch.w[W.QUEUE], r.low
    # pushed or pulled over several cells the box has passed what was looked up around it
    near = to == neighbour[came, d]
    joined, opens = not r.reverse, False
    for e in range(4):
        at = neighbour[came, e]
        joined = joined or (mark[at] == stamp and at != to)
        opens = opens or (occ[at] == 0 and mark[at] != stamp)
    while least == to or (least < len(neighbour) - 1 and mark[least] != stamp):
        least += 1
    if joined:
        least = min(least, came)
    # pulled, the box may have left its cell behind itself, out of the player's reach
    if not near or (mark[to] == stamp and parts_around(neighbour, mark, stamp, to, -1 if r.reverse else came) != 1):
        r.stamp += 1
        least = -1 if opens or not near else least
        return int(region_down_to(neighbour, occ, player, least, other, r.stamp, queue))
    if joined and opens:
        r.stamp += 1
        other[came] = r.stamp
        for e in range(4):
            at = neighbour[came, e]
            if occ[at] == 0 and mark[at] != stamp and other[at] != r.stamp:
                least = min(least, region(neighbour, occ, at, other, r.stamp, queue))
    return int(least)


@kernel("i8(Registers, States, Scratch)")
def next_state(r: Registers, s: States, scratch: Scratch) -> int:
    """Take the first open state out of its bucket; -1 when none is left below the cutoff."""
    if r.stride:
        return int(next_in_beam(r, s))
    while r.bucket < len(s.head) and s.head[r.bucket] < 0:
        r.bucket += 1
    if r.bucket >= len(s.head) or r.bucket >= r.cutoff:
        return -1
    index = int(s.head[r.bucket])
    scratch.depths[s.spent[index]] -= r.bucket == r.counted
    unlink(index, s.bucket_of, s.following, s.previous, s.head)
    return index


@kernel("i8(Registers, Ground, Bound, States, Scratch, i8, i8)")
def expand(r: Registers, ground: Ground, b: Bound, s: States, scratch: Scratch, index: int, filled: int) -> int:
    """Enter all children of the state in the scratch, ``filled`` of whose boxes stand on targets.

    Long: its loops share what they have looked up: boxes, directions, cells of a line.

    Returns:
        1 if the buckets do not suffice: entered children stay, and the state must be expanded again.
    """
    k, live, reverse = r.boxes, r.live, r.reverse
    w, occ, neighbour, target = scratch.w, scratch.occ, ground.neighbour, ground.target
    boxes, steps, allowed, mark, stamp = w[W.BOXES], w[W.STEPS], w[W.ALLOWED], w[W.MARK], r.stamp
    for i in range(k):
        c = int(boxes[i])
        for d in range(4):
            # forward: the player stands behind the box; reverse: before it, and steps back
            stand = int(neighbour[c, d if reverse else d ^ 1])
            if mark[stand] != stamp or not (allowed[i] >> d) & 1:
                continue
            # a push of one cell, or every cell of a line push
            to, narrow = int(neighbour[c, d]), 0
            while to < live and not occ[to] and not narrow:
                beyond = int(neighbour[to, d])
                if reverse and occ[beyond]:
                    break
                r.generated += 1
                occ[c] = 0
                occ[to] = 1
                boxes[i] = to
                r.moved, r.came = i, c
                now = beyond if reverse else int(neighbour[to, d ^ 1])
                # with spare boxes as many frozen ones as there are spare ones may stay off the goals
                held = r.freeze and wedged(neighbour, occ, live, to)
                if not held or frozen(k, boxes, to, neighbour, live, target, scratch.flag) <= k - r.goals:
                    if not r.by_cell:
                        now = lowest_cell(r, neighbour, scratch, stamp, c, d, to, now)
                    # in reverse the player must also get back to where it starts
                    full = filled - target[c] + target[to] == r.goals and (r.wanted < 0 or now == r.wanted)
                    cost = int(s.spent[index]) + (int(steps[stand]) + 1 if r.by_cell else 1)
                    narrow = enter(r, b, s, scratch, index, now, cost, 1 if full else 0)
                occ[to] = 0
                occ[c] = 1
                boxes[i] = c
                if not r.lines:
                    break
                to = beyond
            if narrow:
                return 1
    return 0


@kernel("i8(Registers, Ground, Bound, States, Scratch)")
def run(r: Registers, ground: Ground, b: Bound, s: States, scratch: Scratch) -> int:
    """Expand up to ``r.quota`` states; return an ``RunStatus``.

    A* (Hart, Nilsson and Raphael 1968) over a bucket queue of f-layers (Dial 1969); within a layer the last state entered comes
    first.
    """
    boxes, occ = scratch.w[W.BOXES], scratch.occ
    while r.quota > 0 and r.generated < r.pause_at:
        if r.expanded >= r.vary_at and not vary(r, s, scratch):
            return RunStatus.PAUSED
        # Step 1. Room for all children of one state, so that nothing need be checked while they are entered
        if r.count + r.room > len(s.spent) or 2 * (r.count + r.room) > len(s.slots):
            return RunStatus.GROW
        # Step 2. The first open state of the lowest layer; none below the cutoff ends the search
        index = next_state(r, s, scratch)
        if index < 0:
            return RunStatus.DONE
        # Step 3. A plan found since it was entered may have made it useless
        waited = s.bucket_of[index]
        if s.spent[index] + s.ahead[index] >= r.cutoff:
            continue
        r.quota -= 1
        r.expanded += 1
        # Step 4. Its boxes on the board
        player = unpack(s.keys, index, r.live, r.words, boxes)
        filled = 0
        for i in range(r.boxes):
            occ[boxes[i]] = 1
            filled += ground.target[boxes[i]]
        # Step 5. Region, matching, corral; then its children
        narrow = 0
        if open_state(r, ground, scratch, player) >= 0:
            narrow = expand(r, ground, b, s, scratch, index, filled)
        for i in range(r.boxes):
            occ[boxes[i]] = 0
        # Step 6. Where a child's layer has no bucket yet the state goes back, and its known children are met again
        if narrow:
            link(index, waited, s.bucket_of, s.following, s.previous, s.head)
            r.counted = -1
            return RunStatus.WIDEN
    return RunStatus.PAUSED
