"""Check a Sokoban certificate (docs/certificates.md) with the standard library alone: python check_proof.py FOLDER.

Written apart from the package, to be read in one sitting. It is slow: minutes where the package takes
seconds. Klotski is left out.
"""

import hashlib
import json
import lzma
import struct
import sys
from functools import cache
from itertools import combinations
from pathlib import Path

NEVER = 30000


def demand(holds, reported):
    if not holds:
        print("INVALID:", reported)
        sys.exit(30)


class Level:
    def __init__(self, text):
        sign = {(r, c): s for r, row in enumerate(text.splitlines()) for c, s in enumerate(row)}
        demand(set(sign.values()) <= set("# $*.@+"), "the level has a sign that means nothing")
        players = [p for p, s in sign.items() if s in "@+"]
        demand(len(players) == 1, "the level has no player, or several")
        start = players[0]
        seen, todo = {start}, [start]
        while todo:
            r, c = todo.pop()
            for q in ((r, c - 1), (r, c + 1), (r - 1, c), (r + 1, c)):
                if sign.get(q, "?") != "#" and q not in seen:
                    demand(q in sign, "the floor is open")
                    seen.add(q)
                    todo.append(q)
        self.cells = sorted(seen)
        at = {p: i for i, p in enumerate(self.cells)}
        self.n = len(at)
        ways = ((0, -1), (0, 1), (-1, 0), (1, 0))  # left, right, up, down: the opposite of d is d ^ 1
        self.to = [[at.get((r + a, c + b)) for a, b in ways] for r, c in self.cells]
        pick = lambda signs: {at[p] for p, s in sign.items() if s in signs}  # noqa: E731
        self.boxes, self.goals, self.player = pick("$*"), pick(".*+"), at[start]

    def region(self, cell, boxes):
        seen, todo = {cell}, [cell]
        while todo:
            for q in self.to[todo.pop()]:
                if q is not None and q not in boxes and q not in seen:
                    seen.add(q)
                    todo.append(q)
        return seen

    def steps(self, boxes, player, objective):
        """Yield (boxes, player) one action later; for pushes and lines the player may stand anywhere in his region."""
        area = {player} if objective == "moves" else self.region(player, boxes)
        for stand in area:
            for d in range(4):
                b = self.to[stand][d]
                if b is not None and b not in boxes and objective == "moves":
                    yield boxes, b
                behind, q = b, self.to[b][d] if b in boxes else None
                while q is not None and q not in boxes:
                    yield boxes - {b} | {q}, behind
                    if objective != "lines":
                        break
                    behind, q = q, self.to[q][d]


def replay(level, lurd):
    boxes, player, counts, before = set(level.boxes), level.player, {"lines": 0, "pushes": 0, "moves": len(lurd)}, None
    for letter in lurd:
        demand(letter in "lrudLRUD", "the plan has a letter that means nothing")
        d = "lrud".index(letter.lower())
        q = level.to[player][d]
        push = q in boxes
        demand(q is not None and push == letter.isupper(), "rules: an impossible move")
        if push:
            beyond = level.to[q][d]
            demand(beyond is not None and beyond not in boxes, "rules: an impossible push")
            boxes = boxes - {q} | {beyond}
            counts["pushes"] += 1
            counts["lines"] += before != letter
        before, player = letter if push else None, q
    demand(level.goals <= boxes, "rules: the plan does not solve the level")
    return counts


class Formula:
    def __init__(self):
        self.number, self.clauses = {}, []

    def family(self, name, keys):
        for key in keys:
            self.number[(name, *key)] = len(self.number) + 1

    def __call__(self, *key):
        return self.number.get(key)

    def add(self, *literals):  # None is a variable that there is not: always false
        self.clauses.append([x for x in literals if x is not None])

    def at_most_one(self, variables):
        for pair in combinations(variables, 2):
            self.add(*(-x for x in pair))


def formula(level, T, objective):
    f, n, to = Formula(), level.n, level.to
    C, A, S, W = range(n), range(1, T + 1), range(T + 1), range(T)
    can = [(c, d) for c in C for d in range(4) if to[c][d] is not None and to[c][d ^ 1] is not None]
    f.family("act", ((a,) for a in A))
    f.family("box", ((t, c) for t in S for c in C))
    places = [sorted({level.cells[c][i] for c in (C if objective == "moves" else {c for c, _ in can})}) for i in (0, 1)]
    if objective == "moves":
        f.family("player", ((t, c) for t in S for c in C))
        f.family("move", ((a, d) for a in A for d in range(4)))
        f.family("push", ((a, c, d) for a in A for c, d in can))
    else:
        f.family("from", ((a, c, d) for a in A for c, d in can))
        if objective == "lines":
            for name in ("on", "to"):
                f.family(name, ((a, c, d) for a in A for c, d in sorted((to[c][d], d) for c, d in can)))
    for i, name in enumerate(("row", "column")):
        f.family(name, ((t, x) for t in (S if objective == "moves" else A) for x in places[i]))
    if objective != "moves":
        f.family("way", ((a, d) for a in A for d in range(4)))
        for name in ("left", "behind", "walk"):
            f.family(name, ((t, c) for t in W for c in C))
    for c in C:
        f.add(f("box", 0, c) if c in level.boxes else -f("box", 0, c))
        if c in level.goals or len(level.goals) == len(level.boxes):
            f.add(f("box", T, c) if c in level.goals else -f("box", T, c))
    for a in A[1:]:
        f.add(-f("act", a - 1), f("act", a))
    (moves if objective == "moves" else pushes)(f, level, T, objective == "lines", can, places)
    return f


def pushes(f, level, T, lines, can, places):
    to, C = level.to, range(level.n)
    lands = lambda a, c, d: None if c is None else f("to", a, c, d) if lines else f("from", a, to[c][d ^ 1], d)  # noqa: E731
    for c in C if T else ():
        f.add(f("left", 0, c) if c == level.player else -f("left", 0, c))
    for a in range(1, T + 1):
        t, act = a - 1, f("act", a)
        f.add(-act, *(f("from", a, c, d) for c, d in can))
        for c, d in can:
            start = f("from", a, c, d)
            row, column = level.cells[c]
            for x in (act, f("box", t, c), f("row", a, row), f("column", a, column), f("way", a, d)):
                f.add(-start, x)
            if lines:
                q = to[c][d]
                on, end, more = f("on", a, q, d), f("to", a, q, d), f("on", a, to[q][d], d)
                f.add(-start, on)
                f.add(-on, f("on", a, c, d), start)
                f.add(-on, -f("box", t, q))
                f.add(-end, on)
                f.add(-on, end, more)
                if more:
                    f.add(-end, -more)
        for name, xs in (("row", places[0]), ("column", places[1]), ("way", range(4))):
            f.at_most_one([f(name, a, x) for x in xs])
        for c in C:
            was, now, D = f("box", t, c), f("box", a, c), range(4)
            gone, come = (
                [x for d in D if (x := g(d))] for g in (lambda d: f("from", a, c, d), lambda d: lands(a, c, d))
            )
            for x in gone:
                f.add(-x, -now)
            for x in come:
                f.add(-x, now)
                if not lines:
                    f.add(-x, -was)
            f.add(-was, now, *gone)
            f.add(was, -now, *come)
            walk, left, behind = (f(name, t, c) for name in ("walk", "left", "behind"))
            needs = [x for d in D if (x := f("from", a, to[c][d], d))]
            for x in needs:
                f.add(-x, behind)
            f.add(-behind, *needs)
            if t:
                put = [x for d in D if (x := lands(t, to[c][d], d))] + ([-f("act", t)] if c == level.player else [])
                f.add(-left, *put)
                for x in put:
                    f.add(-x, left)
            near = [f("walk", t, q) for q in to[c] if q is not None]
            for clause in ((-f("box", t, c),), (act,), (-left, -behind), near):
                f.add(-walk, *clause)
            f.add(-act, -left, behind, walk)
            f.add(-behind, left, walk)
            for few in combinations(near, len(near) - 1):
                f.add(-walk, left, behind, *few)
            for two in combinations(near, 2):
                f.add(-walk, -left, *(-x for x in two))
                f.add(-walk, -behind, *(-x for x in two))
            for three in combinations(near, 3):
                f.add(-walk, *(-x for x in three))


def moves(f, level, T, _lines, can, places):
    to, C = level.to, range(level.n)
    for t in range(T + 1):
        f.add(*(f("player", t, c) for c in C))
        for i, name in enumerate(("row", "column")):
            f.at_most_one([f(name, t, x) for x in places[i]])
            for c in C:
                f.add(-f("player", t, c), f(name, t, level.cells[c][i]))
    for c in C:
        f.add(f("player", 0, c) if c == level.player else -f("player", 0, c))
    for a in range(1, T + 1):
        t, act, ways = a - 1, f("act", a), [f("move", a, d) for d in range(4)]
        f.add(-act, *ways)
        f.at_most_one(ways)
        for way in ways:
            f.add(-way, act)
        for c in C:
            here, there, was, now = f("player", t, c), f("player", a, c), f("box", t, c), f("box", a, c)
            f.add(act, -here, there)
            f.add(act, here, -there)
            gone = []
            for d, way in enumerate(ways):
                f.add(-here, -way, f("player", a, to[c][d]))
                f.add(-there, -way, f("player", t, to[c][d ^ 1]))
                push, stand = f("push", a, c, d), f("player", t, to[c][d ^ 1])
                if stand:
                    f.add(-stand, -way, -was, push)
                if push:
                    gone.append(push)
                    q = to[c][d]
                    for x in (stand, way, was, -f("box", t, q), f("box", a, q), -now):
                        f.add(-push, x)
            f.add(-was, now, *gone)
            f.add(was, -now, *(f("push", a, to[c][d ^ 1], d) for d in range(4)))


def satisfied(level, f, T, lurd, objective):
    """Build the assignment of the plan, idle actions first, and look for a clause that it does not satisfy."""
    true, boxes, player, actions, last = set(), frozenset(level.boxes), level.player, [], None
    for letter in lurd:  # an action: box or None, way, cells it comes over, boxes and player before and after
        d, was = "lrud".index(letter.lower()), (boxes, player)
        player = level.to[player][d]
        if letter.isupper():
            boxes = boxes - {player} | {level.to[player][d]}
        if objective == "moves":
            actions.append((player if letter.isupper() else None, d, [], was, (boxes, player)))
        elif letter.isupper():
            if objective == "lines" and last == letter:
                b, d, over, was, _ = actions.pop()
                actions.append((b, d, [*over, level.to[player][d]], was, (boxes, player)))
            else:
                left = actions[-1][4][1] if actions else level.player
                actions.append((player, d, [level.to[player][d]], (was[0], left), (boxes, player)))
        last = letter if letter.isupper() else None
    idle, boxes, player = T - len(actions), frozenset(level.boxes), level.player
    states = [(boxes, player)] * (idle + 1) + [after for *_, after in actions]
    for t, (boxes, player) in enumerate(states):
        true |= {("box", t, c) for c in boxes} | {("left", t, player)}
        if objective == "moves":
            row, column = level.cells[player]
            true |= {("player", t, player), ("row", t, row), ("column", t, column)}
    for a, (b, d, over, (boxes, left), _) in enumerate(actions, idle + 1):
        true |= {("act", a), ("move", a, d), ("push", a, b, d)}
        if objective != "moves":
            row, column = level.cells[b]
            behind = level.to[b][d ^ 1]
            true |= {
                ("from", a, b, d),
                ("row", a, row),
                ("column", a, column),
                ("way", a, d),
                ("behind", a - 1, behind),
            }
            true |= {("on", a, c, d) for c in over} | {("to", a, over[-1], d)}
            true |= {("walk", a - 1, c) for c in walk_between(level, boxes, left, behind)}
    holds = {f.number[key] for key in true if key in f.number}
    return all(any((x > 0) == (abs(x) in holds) for x in clause) for clause in f.clauses)


def walk_between(level, boxes, start, end):
    came, queue = {start: None}, [start]
    for c in queue:
        for q in level.to[c]:
            if q is not None and q not in boxes and q not in came:
                came[q] = c
                queue.append(q)
    cells, c = [], end if start != end else None
    while c is not None:
        cells.append(c)
        c = came[c]
    return cells


def check_lrat(clauses, path):
    known, newest = {i: set(c) for i, c in enumerate(clauses, 1)}, len(clauses)
    for line in path.open():
        words = line.split()
        if words[1] == "d":
            for x in words[2:-1]:
                known.pop(int(x), None)
            continue
        numbers = [int(x) for x in words]
        cut = numbers.index(0)
        lemma, falsified, done = numbers[1:cut], {*numbers[1:cut]}, False
        demand(numbers[0] > newest, "refutation: clause numbers must rise")
        for hint in numbers[cut + 1 : -1]:
            demand(hint in known, "refutation: a hint is not a clause that is there")
            rest = known[hint] - falsified
            demand(len(rest) < 2, "refutation: a hint has more than one literal left")
            if not rest:
                done = True
                break
            falsified.add(-rest.pop())
        demand(done or any(-x in lemma for x in lemma), "refutation: hints without a contradiction")
        newest = numbers[0]
        known[newest] = set(lemma)
        if not lemma:
            return
    demand(False, "refutation: it ends without the empty clause")


def check_refutation(folder, level, claim, lurd):
    f = formula(level, claim["value"], claim["objective"])
    if claim["groups"]:
        lemmas(folder, level, f, claim)
    lines = [x.split() for x in (folder / "claim.cnf").read_text().splitlines() if x[0] not in "cp"]
    clauses = [[int(x) for x in words[:-1]] for words in lines]
    demand(clauses[-1] == [-f("act", 1)], "formula: the last clause is not -act(1)")
    ours = sorted(tuple(sorted(c)) for c in f.clauses)
    demand(sorted(tuple(sorted(c)) for c in clauses[:-1]) == ours, "formula: not the clauses that the level gives")
    demand(satisfied(level, f, claim["value"], lurd, claim["objective"]), "plan: it does not satisfy the formula")
    check_lrat(clauses, folder / "proof.lrat")
    print(f"the plan satisfies {len(ours)} clauses, and the proof refutes them with one action fewer")


class Tables:
    """Entries of groups by (cells, player's component as its smallest cell), accepted by their local inequalities."""

    def __init__(self, level, prices, largest, data, objective):
        self.level, self.price, self.largest = level, dict(zip(sorted(level.goals), prices, strict=True)), largest
        words = iter(struct.unpack(f"<{len(data) // 2}h", data))
        self.entry, self.live = {}, set()
        for size in range(1, largest + 1):
            if size == 2:
                self.live = {c for ((c, *_), _), value in self.entry.items() if value < NEVER}
            cells = range(level.n) if size == 1 else sorted(self.live)
            for group in sorted(combinations(cells, size), key=lambda g: g[::-1]):
                for part in self.parts(group):
                    word = next(words)
                    alone = sum(self.get((c,), part) for c in group) if size > 1 else 0
                    self.entry[group, part] = min(word if word >= NEVER or alone >= NEVER else word + alone, NEVER)
        demand(next(words, None) is None, "tables: too many entries")
        for (group, part), value in self.entry.items():
            paid = sum(self.price.get(c, NEVER) for c in group)
            after = [1 + self.get(tuple(sorted(b)), p) for b, p in level.steps(frozenset(group), part, objective)]
            demand(0 <= value <= min(NEVER, paid, *after), "tables: an entry breaks a local inequality")

    def parts(self, group):
        found = []
        for c in range(self.level.n):
            if c not in group and not any(c in area for area in found):
                found.append(self.level.region(c, group))
        return [min(area) for area in found]

    @cache
    def part(self, group, player):
        return min(self.level.region(player, group))

    def get(self, group, player):
        if len(group) > 1 and not self.live.issuperset(group):
            return NEVER
        return self.entry[group, self.part(group, player)]

    def bound(self, boxes, player):
        cells = sorted(boxes)
        alone = [self.get((c,), player) for c in cells]
        if max(alone) >= NEVER:
            return NEVER
        items = []
        for size in range(2, self.largest + 1):
            for chosen in combinations(range(len(cells)), size):
                together = self.get(tuple(cells[i] for i in chosen), player)
                if together >= NEVER:
                    return NEVER
                gain = together - sum(alone[i] for i in chosen)
                if gain > 0:
                    items.append((sum(1 << i for i in chosen), gain))

        @cache
        def best(left):
            low = left & -left
            if not left:
                return 0
            return max([best(left ^ low)] + [g + best(left & ~m) for m, g in items if m & low and not m & ~left])

        return sum(alone) + best((1 << len(cells)) - 1) - sum(self.price.values())


def lemmas(folder, level, f, claim):
    """Add what follows from checked tables: T-t actions before the end no box, nor two, are where they need more."""
    demand(claim["groups"] <= 2 and not any(claim["prices"]) and len(level.boxes) == len(level.goals), "lemmas")
    objective, T, least = claim["objective"], claim["value"], {}
    data = lzma.decompress((folder / "tables.xz").read_bytes())
    tables = Tables(level, claim["prices"], claim["groups"], data, "pushes" if objective == "moves" else objective)
    for (group, _), value in tables.entry.items():
        least[group] = min(value, least.get(group, NEVER))
    for t in range(T + 1):
        for group, value in least.items():
            if len(group) == 1 and (value > T - t or value >= NEVER):
                f.add(-f("box", t, group[0]))
            elif len(group) == 2 and value > T - t >= max(least[c,] for c in group):
                f.add(*(-f("box", t, c) for c in group))
    print(f"{len(tables.entry)} table entries hold, and lemmas follow")


def check_states(folder, level, claim):
    V, objective = claim["value"], claim["objective"]
    enough = float("inf") if V is None else V - (objective == "pushes" and len(level.boxes) == len(level.goals))
    at = {p: i for i, p in enumerate(level.cells)}
    boxes = frozenset(at[tuple(p)] for p in claim["boxes"]) or frozenset(level.boxes)
    demand(
        boxes <= level.boxes and (boxes == level.boxes or (V is None and len(level.boxes) == len(level.goals))), "boxes"
    )
    demand(all(p >= 0 for p in claim["prices"]) and (boxes == level.boxes or not any(claim["prices"])), "prices")
    tables, live = None, range(level.n)
    if claim["groups"]:
        demand(len(level.boxes) == len(level.goals), "tables need as many goals as boxes")
        data = lzma.decompress((folder / "tables.xz").read_bytes())
        tables = Tables(level, claim["prices"], claim["groups"], data, "pushes" if objective == "moves" else objective)
        live = sorted(
            {
                g[0]
                for g, _ in tables.entry
                if len(g) == 1 and min(map(tables.entry.get, [(g, p) for p in tables.parts(g)])) < NEVER
            }
        )
        print(f"{len(tables.entry)} table entries hold")
    wanted = min(len(boxes), len(level.goals))
    solved = lambda b: len(b & level.goals) == wanted  # noqa: E731
    place = lambda b, p: (b, p if objective == "moves" else min(level.region(p, b)))  # noqa: E731

    def bounded(b, player, cost):
        least = tables.bound(b, player) if tables else not solved(b)
        return cost + (float("inf") if least == NEVER else least) >= enough

    data, width, listed = lzma.decompress((folder / "states.xz").read_bytes()), (len(live) + 7) // 8, {}
    for i in range(0, len(data), width + 4):
        bits, (player, cost) = (
            int.from_bytes(data[i : i + width], "little"),
            struct.unpack("<HH", data[i + width : i + width + 4]),
        )
        listed[frozenset(c for j, c in enumerate(live) if bits >> j & 1), player] = cost
    start = place(boxes, level.player)
    demand(listed.get(start) == 0 or bounded(boxes, level.player, 0), "states: the start")
    for (b, player), cost in listed.items():
        if cost >= enough:
            continue
        demand(len(b) == len(boxes) and not solved(b), "states: one is solved too soon")
        for after, p in level.steps(b, player, objective):
            known = listed.get(place(after, p))
            demand(
                known <= cost + 1 if known is not None else bounded(after, p, cost + 1),
                "states: the list is not closed",
            )
    print(f"the list of {len(listed)} states is closed")


def main(folder):
    claim = json.loads((folder / "claim.json").read_text())
    demand(claim["format"] == "sokoasp certificate 1" and claim["game"] == "sokoban", "not a Sokoban certificate")
    for name, expected in claim["files"].items():
        demand(hashlib.sha256((folder / name).read_bytes()).hexdigest() == expected, f"{name}: another file")
    level, lurd = Level((folder / "level.xsb").read_text()), ""
    if claim["value"] is not None:
        lurd = (folder / "plan.lurd").read_text().strip()
        demand(
            replay(level, lurd)[claim["objective"]] == claim["value"], "rules: the plan has another number of actions"
        )
        print(f"the plan has {claim['value']} {claim['objective']}")
    if claim["kind"] == "refutation":
        check_refutation(folder, level, claim, lurd)
    elif claim["kind"] == "states":
        check_states(folder, level, claim)
    else:
        demand(claim["value"] == 0, "the claim is of no kind")
    print("valid")


if __name__ == "__main__":
    try:
        main(Path(sys.argv[1]))
    except (OSError, lzma.LZMAError, struct.error, ValueError, LookupError, TypeError) as error:
        demand(False, f"the folder cannot be read as a certificate: {error!r}")
