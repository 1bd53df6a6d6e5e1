"""The compiled search loop: best-first over packed states, one loop for pushes and pulls, lines, pushes and moves.

Costs are exact, the bound may be inconsistent: a state found cheaper is opened again, and a child inherits its parent's f
(path-max).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from sokoasp.core.kernels import kernel
from sokoasp.sokoban.search.bounds.cost_partitioning import list_patterns
from sokoasp.sokoban.search.exact.beam import next_in_beam
from sokoasp.sokoban.search.exact.open_list import enter, match_state
from sokoasp.sokoban.search.kernels.buckets import link, unlink
from sokoasp.sokoban.search.kernels.corral import corral
from sokoasp.sokoban.search.kernels.freeze import frozen
from sokoasp.sokoban.search.kernels.primitives import INF, flood, pack, unpack
from sokoasp.sokoban.search.model.records import Areas
from sokoasp.sokoban.search.model.registers import Registers, RunStatus, W
from sokoasp.sokoban.walk.region_kernel import region

if TYPE_CHECKING:
    from sokoasp.sokoban.search.model.records import Bound, Ground, Scratch, States


@kernel("i8(Registers, Ground, Bound, Scratch, i8)")
def open_state(r: Registers, ground: Ground, b: Bound, scratch: Scratch, player: int) -> int:
    """Prepare the expansion of the state in the scratch: region, matching, allowed pushes; -1 if it is dead."""
    w, occ = scratch.w, scratch.occ
    r.stamp += 1
    flood(ground.neighbour, occ, player, w[W.MARK], r.stamp, w[W.STEPS], w[W.QUEUE])
    if r.matching and match_state(r, w, player, b.side, b.dist) >= INF:
        return -1
    allowed = w[W.ALLOWED]
    if r.corral:
        areas = Areas(w[W.BOXES], occ, w[W.MARK], w[W.AREA], w[W.CHOSEN], w[W.MEMBER], w[W.MASKS], allowed, w[W.QUEUE])
        return corral(r.boxes, r.live, r.boxes - r.goals, ground, areas, r.stamp)
    for i in range(r.boxes):
        allowed[i] = 15
    return 0


@kernel("i8(Registers, States)")
def next_state(r: Registers, s: States) -> int:
    """Take the first open state out of its bucket; -1 when none is left below the cutoff."""
    if r.stride:
        return int(next_in_beam(r, s))
    while r.bucket < len(s.head) and s.head[r.bucket] < 0:
        r.bucket += 1
    if r.bucket >= len(s.head) or r.bucket >= r.cutoff:
        return -1
    index = int(s.head[r.bucket])
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
    if r.patterns:
        pack(boxes, k, 0, r.words, scratch.key)
        r.parents = list_patterns(k, r.patterns, boxes, scratch.key, b, w[W.WAY], w[W.LEAST])
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
                r.moved = i
                now = beyond if reverse else int(neighbour[to, d ^ 1])
                # with spare boxes as many frozen ones as there are spare ones may stay off the goals
                if not r.freeze or frozen(k, boxes, to, neighbour, live, target, scratch.flag) <= k - r.goals:
                    if not r.by_cell:
                        r.stamp += 1
                        now = region(neighbour, occ, now, w[W.MARK2], r.stamp, w[W.QUEUE])
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
        # Step 1. Room for all children of one state, so that nothing need be checked while they are entered
        if r.count + r.room > len(s.spent) or 2 * (r.count + r.room) > len(s.slots):
            return RunStatus.GROW
        # Step 2. The first open state of the lowest layer; none below the cutoff ends the search
        index = next_state(r, s)
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
        if open_state(r, ground, b, scratch, player) >= 0:
            narrow = expand(r, ground, b, s, scratch, index, filled)
        for i in range(r.boxes):
            occ[boxes[i]] = 0
        # Step 6. Where a child's layer has no bucket yet the state goes back, and its known children are met again
        if narrow:
            link(index, waited, s.bucket_of, s.following, s.previous, s.head)
            return RunStatus.WIDEN
    return RunStatus.PAUSED
