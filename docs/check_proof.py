"""Check a certificate (docs/certificates.md) with the standard library alone: python check_proof.py FOLDER.

Written apart from the package, to be read in one sitting, and in one file so that it can be taken along. It
is slow: minutes where the package takes seconds.
"""

import copy
import hashlib
import json
import lzma
import re
import sys
from functools import cache
from itertools import chain, combinations, pairwise, repeat
from pathlib import Path

NEVER = float("inf")  # no sum of entries is that
STORED_NEVER, MOST = 30000, 29999  # how it is written, and the largest finite entry
WITH_PATTERNS, WITH_CORRALS = "sokoasp certificate 3", "sokoasp certificate 4"
WITH_TIES, TIES = "sokoasp certificate 5", "pushes+moves"
WITH_WALLS = "sokoasp certificate 6"
TEXT, MEMORY = 16_000_000, 1 << 28  # bytes of a text file, and for unpacking


class Invalid(Exception):
    pass


def demand(holds, reported):
    if not holds:
        raise Invalid(reported)


def text_of(path):
    """Rows end in a line feed, whatever else Python takes for a row end is refused."""
    demand(path.is_file(), f"{path.name} is missing, or no plain file")
    demand(path.stat().st_size <= TEXT, f"{path.name} is too large")
    text = path.read_bytes().decode()
    demand(not text or text.splitlines() == text.removesuffix("\n").split("\n"), f"{path.name} has another row end")
    return text


class Unpacked:
    """One xz stream, read piece by piece: never more than is asked for."""

    def __init__(self, path):
        self.name, self.file = path.name, path.open("rb")
        self.stream = lzma.LZMADecompressor(lzma.FORMAT_XZ, memlimit=MEMORY)
        demand(path.stat().st_size >= 32, f"{self.name} is no xz stream")
        demand(self.file.read(8)[7] in (0, 1, 4, 10), f"{self.name} has a sum that is not known")
        for place in self.blocks(path.stat().st_size - 12):
            self.file.seek(place)
            demand(self.file.read(2)[1:].strip(b"\x40\x80\xc0\0") == b"", f"{self.name} has other filters than LZMA2")
        self.file.seek(0)

    def blocks(self, foot):
        """Yield where each block begins, by the index at the end; that this is right is looked at when all is unpacked."""
        self.file.seek(foot + 4)
        size, place, value, shift, numbers = 4 * int.from_bytes(self.file.read(4), "little") + 4, 12, 0, 0, []
        demand(size <= foot - 12, f"{self.name} is no xz stream")
        self.file.seek(foot - size + 1)
        for byte in self.file.read(size - 1):
            demand(shift < 63, f"{self.name} is no xz stream")
            value, shift = value | (byte & 127) << shift, shift + 7
            if byte < 128:
                numbers.append(value)
                value = shift = 0
        for block in numbers[1 : 1 + 2 * numbers[0] : 2]:
            yield place
            place += block + 3 & ~3

    def take(self, count):
        found = b""
        while len(found) < count and not self.stream.eof:
            packed = self.file.read(1 << 16) if self.stream.needs_input else b""
            demand(packed or not self.stream.needs_input, f"{self.name} ends in the middle")
            found += self.stream.decompress(packed, count - len(found))
        if self.stream.eof:
            demand(not self.stream.unused_data and not self.file.read(1), f"{self.name} goes on behind its stream")
        return found


class Level:
    def __init__(self, text):
        sign = {(r, c): s for r, row in enumerate(text.split("\n")) for c, s in enumerate(row)}
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
        demand(len(seen) <= 1 << 16, "the floor has more than 65,536 cells")
        self.cells = sorted(seen)
        at = {p: i for i, p in enumerate(self.cells)}
        self.n = len(at)
        ways = ((0, -1), (0, 1), (-1, 0), (1, 0))  # left, right, up, down: the opposite of d is d ^ 1
        self.to = [[at.get((r + a, c + b)) for a, b in ways] for r, c in self.cells]
        # places of the level as a picture are bits of areas; no row meets the next
        self.width = max(c for _, c in self.cells) + 2
        self.bit = [1 << r * self.width + c for r, c in self.cells]
        self.cell = {bit.bit_length(): c for c, bit in enumerate(self.bit)}
        self.floor = sum(self.bit)
        pick = lambda signs: {at[p] for p, s in sign.items() if s in signs}  # noqa: E731
        demand(seen.issuperset(p for p, s in sign.items() if s in "$*.+"), "a box or goal is out of reach")
        self.boxes, self.goals, self.player = pick("$*"), pick(".*+"), at[start]
        demand(len(self.boxes) >= len(self.goals), "there are more goals than boxes")

    def without(self, boxes):
        """Return the floor around boxes, a bit a cell."""
        return self.floor - sum([self.bit[b] for b in boxes])

    def spread(self, area, free):
        """Return the cells that a walk over free ones leads to from an area, a bit a cell."""
        grown = 0
        while grown != area:
            grown, w = area, self.width
            area |= (area << 1 | area >> 1 | area << w | area >> w) & free
        return area

    def region(self, cell, boxes):
        return self.spread(self.bit[cell], self.without(boxes))

    def first(self, area):
        """Return the smallest cell of an area."""
        return self.cell[(area & -area).bit_length()]

    def among(self, walls):
        """Return the same level with some cells walls; the others keep their numbers."""
        other = copy.copy(self)
        other.floor, other.goals = self.without(walls), self.goals - walls
        other.to = [[None if q in walls else q for q in near] for near in self.to]
        return other

    def fixed(self, boxes):
        """Return whether none of these boxes can be the first to move: a wall or one of them is beside each both ways."""
        shut = lambda q: q is None or q in boxes  # noqa: E731
        near = [self.to[b] for b in boxes]
        return bool(boxes) and all((shut(a) or shut(b)) and (shut(c) or shut(d)) for a, b, c, d in near)

    def walked_pushes(self, boxes, player):
        """Yield (boxes, player, steps): each push at hand, and the steps of a shortest walk to it."""
        steps, todo = {player: 0}, [player]
        for c in todo:
            for q in self.to[c]:
                if q is not None and q not in boxes and q not in steps:
                    steps[q] = steps[c] + 1
                    todo.append(q)
        for b in boxes:
            for d in range(4):
                stand, q = self.to[b][d ^ 1], self.to[b][d]
                if stand in steps and q is not None and q not in boxes:
                    yield boxes - {b} | {q}, b, steps[stand]

    def steps(self, boxes, player, objective):
        """Yield (boxes, player) one action later; for pushes and lines the player may stand anywhere in his region."""
        if objective == "moves":
            for d in range(4):
                b = self.to[player][d]
                if b in boxes:
                    yield from self.line(boxes, b, d, objective)
                elif b is not None:
                    yield boxes, b
        else:
            yield from self.presses(boxes, self.region(player, boxes), objective)

    def presses(self, boxes, area, objective):
        for b in boxes:
            for d in range(4):
                stand = self.to[b][d ^ 1]
                if stand is not None and area & self.bit[stand]:
                    yield from self.line(boxes, b, d, objective)

    def line(self, boxes, b, d, objective):
        """Yield (boxes, player) after a push of a box; where lines are counted, after each of those in the same way."""
        behind, q = b, self.to[b][d]
        while q is not None and q not in boxes:
            yield boxes - {b} | {q}, behind
            if objective != "lines":
                break
            behind, q = q, self.to[q][d]


def replay(level, lurd):
    boxes, player, counts, before = set(level.boxes), level.player, {"lines": 0, "pushes": 0, "moves": len(lurd)}, None
    for letter in lurd:
        demand(letter in set("lrudLRUD"), "the plan has a letter that means nothing")
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


def lrat_steps(path):
    """Yield of each step of a proof, text or binary, whether it deletes, and its numbers with the closing zero."""
    with path.open("rb") as file:
        binary = file.read(1) in (b"a", b"d")
    if not binary:
        with path.open("rb") as file:
            for line in filter(lambda line: line.strip(b" \n"), file):
                demand(
                    re.fullmatch(rb" *\d{1,15}( d *-?\d{1,15}| +-?\d{1,15})?( +-?\d{1,15})* *\n?", line),
                    "refutation: a line is not one of LRAT",
                )
                deletes, words = b"d" in line, line.replace(b"d", b" ").split()
                yield deletes, [int(x) for x in words[deletes:]]
        return
    data, at = path.read_bytes(), 0
    while at < len(data):
        letter, numbers = data[at : at + 1], []
        zeros = 1 if letter == b"d" else 2
        demand(letter in (b"a", b"d"), f"refutation: byte {at + 1} is not one of binary LRAT")
        at += 1
        while zeros:
            value, begin = 0, at
            while at == begin or data[at - 1] >= 128:
                demand(at < len(data) and at - begin < 7, f"refutation: byte {begin + 1} is not one of binary LRAT")
                value |= (data[at] & 127) << 7 * (at - begin)
                at += 1
            longer = data[at - 1] == 0 and at > begin + 1
            demand(value != 1 and not longer, f"refutation: byte {begin + 1} is not one of binary LRAT")
            numbers.append(-(value >> 1) if value & 1 else value >> 1)
            zeros -= value == 0
        yield letter == b"d", numbers


def check_lrat(clauses, variables, path):
    known, newest = {i: set(c) for i, c in enumerate(clauses, 1)}, len(clauses)
    for deletes, numbers in lrat_steps(path):
        demand(numbers[-1:] == [0] and numbers.count(0) == 2 - deletes, "refutation: lists that do not end in 0")
        if deletes:
            for x in numbers[:-1]:
                known.pop(x, None)
            continue
        cut = numbers.index(0)
        lemma, falsified, done = numbers[1:cut], {*numbers[1:cut]}, False
        demand(numbers[0] > newest, "refutation: clause numbers must rise")
        demand(all(abs(x) <= variables for x in lemma), "refutation: a literal is not a variable of the formula")
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
    refuted(folder, f, satisfied(level, f, claim["value"], lurd, claim["objective"]))


def refuted(folder, f, plan_holds):
    """Demand that the formula is that of the file, that the plan satisfies it, and that it is refuted with one action less."""
    data = (folder / "claim.cnf").read_bytes()
    head = rb"(c[ -~]*\n)*p cnf %d %d\n" % (len(f.number), len(f.clauses) + 1)
    spelt = re.fullmatch(head + rb"((-?[1-9][0-9]{0,14} )+0\n)*", data)
    demand(spelt, "formula: claim.cnf is not written as formulas are, or not as long")
    clauses = [[int(x) for x in line.split()[:-1]] for line in data.split(b"\n") if line[:1] not in b"cp"]
    demand(clauses[-1] == [-f("act", 1)], "formula: the last clause is not -act(1)")
    ours = sorted(tuple(sorted(c)) for c in f.clauses)
    demand(sorted(tuple(sorted(c)) for c in clauses[:-1]) == ours, "formula: not the clauses that the level gives")
    demand(plan_holds, "plan: it does not satisfy the formula")
    check_lrat(clauses, len(f.number), folder / "proof.lrat")
    print(f"the plan satisfies {len(ours)} clauses, and the proof refutes them with one action fewer")


class Tables:
    """Entries of groups by their cells, (component that the player is in, value) each, accepted by their local inequalities."""

    def __init__(self, level, prices, largest, file, objective):
        self.level, self.price, self.largest = level, dict(zip(sorted(level.goals), prices, strict=True)), largest
        self.entry, self.live, self.learned, self.packed, self.walls = {}, set(), {}, [], []
        self.lone = cache(lambda c, player: self.get((c,), player))
        self.more = {}  # groups that need more than their boxes alone somewhere: the last cells, by the others
        for size in range(1, largest + 1):
            if size == 2:
                self.live = self.useful()
            cells = [c for c in range(level.n) if level.bit[c] & level.floor] if size == 1 else sorted(self.live)
            for group in sorted(combinations(cells, size), key=lambda g: g[::-1]):
                self.entry[group], gains = (found := []), False
                for part in self.parts(group):
                    word = int.from_bytes(self.two(file), "little")
                    demand(word <= STORED_NEVER, "tables: an entry is out of range")
                    alone = sum(self.get((c,), level.first(part)) for c in group) if size > 1 else 0
                    never = word == STORED_NEVER or alone == NEVER
                    found.append((part, NEVER if never else min(word + alone, MOST)))
                    gains |= found[-1][1] > alone
                if gains and size > 1:
                    self.more.setdefault(group[:-1], []).append(group[-1])
        for group, part, value in self.entries():
            self.holds(group, part, value, objective)

    def entries(self):
        return ((group, part, value) for group, found in self.entry.items() for part, value in found)

    def two(self, file):
        data = file.take(2)
        demand(len(data) == 2, "tables: too few entries")
        return data

    def holds(self, group, part, value, objective):
        """Never: only if it is never one push later too, and the cells are not all goals. Else: the local inequality."""
        paid = sum(self.price.get(c, NEVER) for c in group)
        after = [1 + self.get(tuple(sorted(b)), p) for b, p in self.level.presses(frozenset(group), part, objective)]
        least = min([paid, *after])
        demand(least == NEVER if value == NEVER else value <= MOST and value <= least, "tables: an entry is too high")

    def useful(self):
        return {c for (c, *more), _, value in self.entries() if not more and value < NEVER}

    def parts(self, group):
        """Yield the components of the floor around a group, by their smallest cells."""
        free = left = self.level.without(group)
        while left:
            area = self.level.spread(left & -left, free)
            yield area
            left &= ~area

    def get(self, group, player):
        return self.at(group, self.level.bit[player]) if len(group) == 1 or self.live.issuperset(group) else NEVER

    def at(self, group, bit):
        for part, value in self.entry[group]:
            if part & bit:
                return value
        raise Invalid("tables: the player is on a box")

    def read_patterns(self, path, boxes, objective):
        """Learned patterns: records of more boxes by (cells, player), those with the high bit for packing, too."""
        for cells, player, word in records(self.level, path, sorted(self.useful())):
            demand(1 < len(cells) <= boxes, "patterns: one has one box, or too many")
            demand((cells, player) not in self.learned, "patterns: one is there twice")
            demand(word & 32767 <= STORED_NEVER, "patterns: one is out of range")
            value = NEVER if word & 32767 == STORED_NEVER else word & 32767
            self.learned[cells, player] = value
            if word > 32767:
                self.packed.append((cells, self.level.region(player, cells), value))
        for (cells, player), value in self.learned.items():
            paid = sum(self.price.get(c, NEVER) for c in cells)
            demand(value <= paid, "patterns: one costs more than its goals")
            for after, p in self.level.steps(cells, player, objective):
                known = self.learned.get((after, self.level.first(self.level.region(p, after))), 0)
                # what is said of just these boxes, or what disjoint ones among them add up to
                whole = sum(self.price.values())
                fine = value <= 1 + known or value <= 1 + whole + self.bound(after, p, value - 1 - whole)
                demand(fine, "patterns: one says more than a push from it allows")

    def read_walls(self, path, objective):
        """Boxes that never move again, and tables of the others alone on the floor without; none if one is on no goal."""
        file, level, live = Unpacked(path), self.level, sorted(self.useful())
        width = (len(live) + 7) // 8
        while head := file.take(width):
            boxes, tables = boxes_in(int.from_bytes(head, "little"), live, "walls"), None
            demand(len(head) == width, "walls: they end in the middle of one")
            demand((len(self.walls) + 1) * level.n**2 <= 50_000_000, "walls: there are too many")
            demand(len(boxes) <= 60, "walls: more than 60 boxes")
            demand(level.fixed(boxes), "walls: a box may move")
            if boxes <= level.goals:
                lone = level.among(boxes)
                prices = [int.from_bytes(self.two(file), "little") for _ in lone.goals]
                demand(max(prices, default=0) <= 2000, "walls: a price is too high")
                tables = Tables(lone, prices, 1, file, objective)
            self.walls.append((boxes, tables))

    def bound(self, boxes, player, needed=NEVER):
        """Return a bound, the best by these tables and walls if it is not above what is needed."""
        found = self.packing(boxes, player, needed)
        for walls, tables in self.walls:
            if found < needed and walls <= boxes:
                found = max(found, tables.packing(boxes - walls, player, needed) if tables else NEVER)
        return found

    def packing(self, boxes, player, needed):
        """Return what boxes alone and disjoint groups of them add up to; larger groups are looked up only while it is too low."""
        alone, bit = {c: self.lone(c, player) for c in sorted(boxes)}, self.level.bit[player]
        if (least := sum(alone.values()) - sum(self.price.values())) >= needed:
            return least
        gains, found = Gains(alone), least
        for pattern, area, value in self.packed:
            if area & bit and pattern <= boxes:
                if value == NEVER:
                    return NEVER
                gains.add(pattern, value)
        for size in range(1, self.largest + 1):
            for head in combinations(alone, size - 1):
                for last in self.more.get(head, ()):
                    if last in boxes:
                        if (value := self.at((*head, last), bit)) == NEVER:
                            return NEVER
                        gains.add((*head, last), value)
            if size == self.largest or least + gains.most() >= needed:
                found = least + gains.best(needed - least)
            if found >= needed:
                break
        return found


class Gains:
    """What groups say above their boxes alone, by the first box of each (a bit a box)."""

    def __init__(self, alone):
        self.alone, self.bit, self.of = alone, {c: 1 << i for i, c in enumerate(alone)}, {}

    def add(self, group, value):
        """Note what a group needs."""
        if (gain := value - sum([self.alone[c] for c in group])) > 0:
            mask = sum([self.bit[c] for c in group])
            self.of.setdefault(mask & -mask, []).append((gain, mask))

    def most(self):
        """Return more than any sum can be, or that: the best group of each first box."""
        return sum([max(groups)[0] for groups in self.of.values()])

    def some(self):
        """Return the sum of the groups without a common box that are found when the best ones are taken first."""
        total, taken = 0, 0
        for gain, mask in sorted(chain(*self.of.values()), reverse=True):
            if not mask & taken:
                total, taken = total + gain, taken | mask
        return total

    def best(self, enough=NEVER):
        """Return the largest sum for groups without a common box, or one that is enough."""
        if (some := self.some()) >= enough:
            return some
        firsts, known = sum(self.of), {}

        def best(left):  # the first box left is in one of its groups, or in none
            low = left & firsts & -(left & firsts)
            if (rest := left & -low) not in known:
                without = best(rest ^ low) if low else 0
                known[rest] = max([without] + [g + best(rest ^ m) for g, m in self.of.get(low, ()) if m & rest == m])
            return known[rest]

        return best(sum(self.bit.values()))


def lemmas(folder, level, f, claim):
    """Add what follows from checked tables: T-t actions before the end no box, nor two, are where they need more."""
    T, least, tables = claim["value"], {}, read_tables(folder, level, claim)
    for group, _, value in tables.entries():
        least[group] = min(value, least.get(group, NEVER))
    for t in range(T + 1):
        for group, value in least.items():
            if len(group) == 1 and value > T - t:
                f.add(-f("box", t, group[0]))
            elif len(group) == 2 and value > T - t >= max(least[c,] for c in group):
                f.add(*(-f("box", t, c) for c in group))
    print(f"{len(list(tables.entries()))} table entries hold, and lemmas follow")


def read_tables(folder, level, claim):
    demand(len(level.boxes) == len(level.goals), "tables need as many goals as boxes")
    demand(len(claim["prices"]) == len(level.goals), "there is not one price for each goal")
    file, objective = Unpacked(folder / "tables.xz"), "lines" if claim["objective"] == "lines" else "pushes"
    tables = Tables(level, claim["prices"], claim["groups"], file, objective)
    demand(not file.take(1), "tables: too many entries")
    return tables


def boxes_in(bits, live, name):
    boxes = frozenset(c for j, c in enumerate(live) if bits >> j & 1)
    demand(len(boxes) == bits.bit_count(), f"{name}: a box on a cell that there is not")
    return boxes


def records(level, path, live, numbers=1):
    """Yield the boxes, the player's cell and the numbers of each record; ``live`` are the cells that its bits stand for."""
    file, width = Unpacked(path), (len(live) + 7) // 8
    ends = [0, *range(width, width + 3 + 2 * numbers, 2)]
    while data := file.take(ends[-1]):
        demand(len(data) == ends[-1], f"{path.name} ends in the middle of a record")
        bits, player, *found = (int.from_bytes(data[i:j], "little") for i, j in pairwise(ends))
        boxes = boxes_in(bits, live, path.name)
        demand(player < level.n and player not in boxes, f"{path.name}: the player is on a box, or nowhere")
        yield boxes, player, *found


def read_areas(level, path, count):
    """Yield for each state in order the cells that name the area of its corral; none: it has none."""
    file = Unpacked(path)
    for _ in range(count):
        head = file.take(1)
        data = file.take(2 * head[0]) if head else b""
        demand(head and len(data) == 2 * head[0], "corrals: they end too soon")
        cells = [int.from_bytes(data[i : i + 2], "little") for i in range(0, len(data), 2)]
        demand(all(cell < level.n for cell in cells), "corrals: one is off the floor")
        yield cells
    demand(not file.take(1), "corrals: there are more than states")


def corral_steps(level, tables, boxes, player, named, objective):
    """Yield the actions that can be the first of the boxes around an area, where every plan can begin with one of them."""
    reached, free = level.region(player, boxes), level.without(boxes)
    inside = level.spread(sum(level.bit[c] for c in set(named)), free)
    demand(not any(c in boxes for c in named) and not inside & reached, "corrals: one is not closed")
    ring = {b for b in boxes if any(q is not None and inside & level.bit[q] for q in level.to[b])}
    demand(not ring <= level.goals, "corrals: one need not be opened")
    for b in ring:
        for d in range(4):
            stand, q = level.to[b][d ^ 1], level.to[b][d]
            # not the first of these: from inside, from where one of them is, against one; or the box is lost there
            if stand is None or q is None or inside & level.bit[stand] or stand in ring or q in ring:
                continue
            if tables.get((q,), b) < NEVER:
                at_hand = reached & level.bit[stand] and inside & level.bit[q]
                demand(at_hand, "corrals: one has a first push that is not at hand")
                yield from level.line(boxes, b, d, objective)


def check_ties(folder, level, claim, live, bound, solved):
    """No plan has fewer pushes than claimed, nor as many and fewer moves: a state comes after each push, its cost is a pair."""
    (V, M), parity = claim["value"], len(level.boxes) == len(level.goals)
    enough = lambda pushes, moves: pushes > V or (pushes >= V - parity and moves >= M)  # noqa: E731
    bounded = lambda b, p, pushes, moves: enough(pushes + (h := bound(b, p)), moves + h)  # noqa: E731
    listed = {}
    for cells, player, pushes, moves in records(level, folder / "states.xz", live, 2):
        demand(len(cells) == len(level.boxes), "states: one has another number of boxes")
        demand((cells, player) not in listed, "states: one is there twice")
        listed[cells, player] = pushes, moves
    start = frozenset(level.boxes), level.player
    demand(listed.get(start) == (0, 0) or bounded(*start, 0, 0), "states: the start")
    for (b, player), cost in listed.items():
        if enough(*cost):
            continue
        demand(not solved(b), "states: one is solved too soon")
        for after, p, steps in level.walked_pushes(b, player):
            pushes, moves = cost[0] + 1, cost[1] + steps + 1
            known = listed.get((after, p))
            fine = known and ((known[0] <= pushes and known[1] <= moves) or known[0] + 1 + parity <= pushes)
            demand(fine if known else bounded(after, p, pushes, moves), "states: the list is not closed")
    print(f"the list of {len(listed)} states is closed")


def check_states(folder, level, claim):
    V, objective = claim["value"], claim["objective"]
    enough = (
        NEVER
        if V is None or objective == TIES
        else V - (objective == "pushes" and len(level.boxes) == len(level.goals))
    )
    at = {p: i for i, p in enumerate(level.cells)}
    named = [at.get(tuple(p)) for p in claim["boxes"]]
    boxes = frozenset(named) or frozenset(level.boxes)
    demand(boxes <= level.boxes and len(set(named)) == len(named), "the claim speaks of boxes that are not there")
    demand(not named or len(level.boxes) == len(level.goals), "boxes are taken away, and not all must come to goals")
    demand(0 < len(boxes) <= 60, "there is no box, or more than 60")
    tables, live = None, range(level.n)
    if claim["groups"]:
        tables = read_tables(folder, level, claim)
        live = sorted(tables.useful())
        print(f"{len(list(tables.entries()))} table entries hold")
        if claim["format"] in (WITH_PATTERNS, WITH_CORRALS, WITH_WALLS):
            tables.read_patterns(folder / "patterns.xz", len(boxes), "lines" if objective == "lines" else "pushes")
            print(f"{len(tables.learned)} records of learned patterns hold")
        if claim["format"] == WITH_WALLS:
            tables.read_walls(folder / "walls.xz", objective)
            print(f"{len(tables.walls)} records of boxes that never move again hold")
    wanted = min(len(boxes), len(level.goals))
    solved = lambda b: len(b & level.goals) == wanted  # noqa: E731
    if objective == TIES:
        check_ties(folder, level, claim, live, lambda b, p: tables.bound(b, p) if tables else not solved(b), solved)
        return
    place = lambda b, p: p if objective == "moves" else level.first(level.region(p, b))  # noqa: E731

    def bounded(b, player, cost):
        return cost + (tables.bound(b, player, enough - cost) if tables else not solved(b)) >= enough

    costs = {}  # by the cells without a box, a bit a cell (sets want more memory), then by the player's place
    for cells, player, cost in records(level, folder / "states.xz", live):
        demand(len(cells) == len(boxes), "states: one has another number of boxes")
        places = costs.setdefault(level.without(cells), {})
        demand(player not in places, "states: one is there twice")
        places[player] = cost
    known = lambda b, p: places.get(place(b, p)) if (places := costs.get(level.without(b))) else None  # noqa: E731
    demand(known(boxes, level.player) == 0 or bounded(boxes, level.player, 0), "states: the start")
    corrals = claim["format"] in (WITH_CORRALS, WITH_WALLS)
    count = sum(map(len, costs.values()))
    areas = read_areas(level, folder / "corrals.xz", count) if corrals else repeat((), count)
    for (b, player, cost), area in zip(records(level, folder / "states.xz", live), areas, strict=True):
        if cost >= enough:
            continue
        demand(not solved(b), "states: one is solved too soon")
        steps = corral_steps(level, tables, b, player, area, objective) if area else level.steps(b, player, objective)
        for after, p in steps:
            least = known(after, p)
            demand(
                least <= cost + 1 if least is not None else bounded(after, p, cost + 1),
                "states: the list is not closed",
            )
    print(f"the list of {count} states is closed")


def beside(place, way):
    return (place[0] + {"u": -1, "d": 1}.get(way, 0), place[1] + {"l": -1, "r": 1}.get(way, 0))


class Board:
    """A Klotski board: pieces that nothing tells apart are of one kind; a state is a set of (kind, corner)."""

    def __init__(self, text):
        headers, rows, order = {}, [], ["title", "author", "origin", "comment", "goal", "mask", "moves", "same"]
        demand(text.endswith("\n"), "the board's last row does not end")
        for line in text.removesuffix("\n").split("\n"):
            key, colon, value = line.partition(": ")
            demand(key not in headers, "the board has a header twice")
            if colon:
                demand(not rows and key in order, "a header")
                demand(value and value == " ".join(value.split()), "a header is empty, or has blanks too many")
                headers[key] = value
            else:
                rows.append(line)
        self.rows, cells = rows, {}
        demand(list(headers) == sorted(headers, key=order.index), "the headers stand in another order")
        like = [*rows, *headers["mask"].split("/")] if "mask" in headers else rows
        demand(rows and len({len(row) for row in like}) == 1, "the board's rows are not of one length")
        demand(len(like) in (len(rows), 2 * len(rows)), "the mask has not as many rows as the board")
        for r, row in enumerate(rows):
            for c, sign in enumerate(row):
                demand(sign in ".#" or sign.isalnum(), "the board has a sign that means nothing")
                if sign not in ".#":
                    cells.setdefault(sign, []).append((r, c))
        demand(cells, "the board has no piece")
        self.inside = {(r, c) for r, row in enumerate(rows) for c, sign in enumerate(row) if sign != "#"}
        corner = {name: (min(r for r, _ in at), min(c for _, c in at)) for name, at in cells.items()}
        shape = {name: tuple((r - corner[name][0], c - corner[name][1]) for r, c in at) for name, at in cells.items()}
        ways = dict.fromkeys(cells, "udlr") | dict(
            part.split(" ") for part in headers.get("moves", "").split("; ") if part
        )
        ways = {
            name: "".join(way for way in "lrud" if way in some)
            for name, some in ways.items()
            if set(some) <= set("lrud-")
        }
        demand(set(ways) == set(cells), "moves of the board")
        same = headers.get("same", "").split()
        demand(len("".join(same)) == len(set("".join(same))), "a piece is twice among those that are the same")
        group = {name: next((letters for letters in same if name in letters), name) for name in cells}
        for letters in same:
            demand(len({(shape[name], ways[name]) for name in letters}) == 1, "pieces that are the same differ")
        goal = [part.split(" ") for part in headers.get("goal", "").split("; ") if part]
        mask = [(r, c, sign) for r, row in enumerate(headers.get("mask", "").split("/")) for c, sign in enumerate(row)]
        self.places = [(group[name], tuple(map(int, place.split(",")))) for name, place in goal]
        self.covers = [(group[sign], (r, c)) for r, c, sign in mask if sign not in "?.#"]
        self.blanks = {(r, c) for r, c, sign in mask if sign == "."}
        demand(self.places or self.covers or self.blanks, "the board has no goal")
        limited = [
            f"{n} {''.join(w for w in 'udlr' if w in ways[n]) or '-'}" for n in sorted(cells) if len(ways[n]) < 4
        ]
        fine = headers.get("moves", "") == "; ".join(limited) and ("mask" in headers) == bool(
            self.covers or self.blanks
        )
        numbers = [place for _, place in goal] == [f"{r},{c}" for _, (r, c) in self.places]
        demand(fine and numbers and "#" not in headers.get("mask", ""), "a header is not as it should be written")
        wanted = {letters for letters, _ in self.places + self.covers}
        kinds = {}
        for name in sorted(cells):
            kinds.setdefault((shape[name], ways[name], group[name] if group[name] in wanted else ""), []).append(name)
        self.kinds = sorted(("".join(names), *key) for key, names in kinds.items())  # names, shape, ways, group
        self.corner, self.kind = corner, {name: k for k, (names, *_) in enumerate(self.kinds) for name in names}
        self.start = frozenset((self.kind[name], corner[name]) for name in cells)
        order = sorted((r, c) for r in range(len(rows)) for c in range(len(rows[0])))
        self.spots = [[p for p in order if self.covered(k, p) <= self.inside] for k in range(len(self.kinds))]

    def covered(self, k, place):
        return {(place[0] + r, place[1] + c) for r, c in self.kinds[k][1]}

    def taken(self, state):
        return set().union(*(self.covered(k, p) for k, p in state))

    def solved(self, state):
        of = [(self.kinds[k][3], p, self.covered(k, p)) for k, p in state]
        placed = all(any(group == g and place == p for g, p, _ in of) for group, place in self.places)
        covers = all(any(group == g and cell in cells for g, _, cells in of) for group, cell in self.covers)
        return placed and covers and not self.blanks & self.taken(state)

    def reach(self, state, piece, units):
        """Return the shortest way to each place the piece can slide to (by one unit) while the others stay."""
        k, taken = piece[0], self.taken(state - {piece})
        paths, todo = {piece[1]: ""}, [piece[1]]
        for r, c in todo:
            for way in self.kinds[k][2]:
                to = beside((r, c), way)
                if to not in paths and to in self.spots[k] and not self.covered(k, to) & taken:
                    paths[to] = paths[r, c] + way
                    todo += [] if units else [to]
        return paths

    def steps(self, state, units):
        for k, place in state:
            for to in self.reach(state, (k, place), units):
                if to != place:
                    yield state - {(k, place)} | {(k, to)}


def replay_slides(board, text):
    corner, last, counts, actions = dict(board.corner), None, {"slides": 0, "units": 0}, {"slides": [], "units": []}
    for line in text.removesuffix("\n").split("\n"):
        words = line.split(" ")
        demand(len(words) in (4, 5) and words[2] == ">" and words[0] in corner, "the plan has a line that is no slide")
        name, (here, to), k = (
            words[0],
            [tuple(map(int, w.split(","))) for w in (words[1], words[3])],
            board.kind[words[0]],
        )
        again = [name, f"{here[0]},{here[1]}", ">", f"{to[0]},{to[1]}", *words[4:]]
        demand(words == again and text.endswith("\n"), "the plan is not written as plans are")
        demand(here == corner[name], "rules: the piece is not there")
        others = set().union(*(board.covered(board.kind[n], p) for n, p in corner.items() if n != name))
        path = (
            words[4]
            if len(words) == 5
            else board.reach(frozenset((board.kind[n], p) for n, p in corner.items()), (k, here), False).get(to, "")
        )
        demand(path, "rules: the piece cannot slide there")
        for way in path:
            demand(way in board.kinds[k][2], "rules: the piece may not go that way")
            here = beside(here, way)
            demand(here in board.spots[k] and not board.covered(k, here) & others, "rules: an impossible slide")
        demand(here == to, "rules: the path ends elsewhere")
        actions["units"] += [(name, way) for way in path]
        if name != last:
            run = dict(corner)
        else:
            actions["slides"].pop()
        corner[name] = to
        before = frozenset((board.kind[n], p) for n, p in run.items())
        actions["slides"].append((name, board.reach(before, (k, run[name]), False)[to]))
        counts["units"] += len(path)
        counts["slides"] += name != last
        last = name
    demand(
        board.solved(frozenset((board.kind[n], p) for n, p in corner.items())),
        "rules: the plan does not solve the board",
    )
    return counts, {objective: [one for one in some if one[1]] for objective, some in actions.items()}


class SlidesFormula(Formula):
    def __init__(self, board, T, units):
        super().__init__()
        self.board, self.T, A = board, T, range(1, T + 1)
        self.places = [(k, i) for k, spots in enumerate(board.spots) for i in range(len(spots))]
        cell = {p: x for x, p in enumerate(sorted(board.inside))}
        self.over = {(k, i): [cell[p] for p in board.covered(k, board.spots[k][i])] for k, i in self.places}
        self.onward = {(k, i): list(self.steps_from(k, board.spots[k][i])) for k, i in self.places}
        self.family("act", ((a,) for a in A))
        self.family("at", ((t, *p) for t in range(T + 1) for p in self.places))
        for name in ("from", "to"):
            self.family(name, ((a, *p) for a in A for p in self.places))
        self.family("step", ((a, *p, d) for a in A for p in self.places for d, _ in self.onward[p]))
        self.family("stays", ((a, x) for a in A for x in range(len(cell))))
        self.family("first", ((a, n) for a in A for n in range(len(self.places))))
        for k, i in self.places:
            at = self("at", 0, k, i)
            self.add(at if (k, board.spots[k][i]) in board.start else -at)
        for group, place in board.places:
            self.add(
                *(self("at", T, k, i) for k, i in self.places if self.is_of(k, group) and board.spots[k][i] == place)
            )
        for group, p in board.covers:
            self.add(
                *(self("at", T, k, i) for k, i in self.places if self.is_of(k, group) and cell[p] in self.over[k, i])
            )
        for p in board.blanks:
            for place in self.places:
                if cell[p] in self.over[place]:
                    self.add(-self("at", T, *place))
        for a in A:
            if a > 1:
                self.add(-self("act", a - 1), self("act", a))
            self.lifts(a)
            self.goes(a, units)

    def is_of(self, k, group):
        return self.board.kinds[k][3] == group

    def steps_from(self, k, place):
        for d, way in enumerate("lrud"):
            to = beside(place, way)
            if way in self.board.kinds[k][2] and to in self.board.spots[k]:
                yield d, (k, self.board.spots[k].index(to))

    def lifts(self, a):
        self.add(-self("act", a), *(self("from", a, *p) for p in self.places))
        for n, p in enumerate(self.places):
            lift, first, before = self("from", a, *p), self("first", a, n), self("first", a, n - 1)
            for x in (self("act", a), self("at", a - 1, *p), first):
                self.add(-lift, x)
            if n:
                self.add(-before, first)
                self.add(-before, -lift)

    def goes(self, a, units):
        entering = {p: [] for p in self.places}
        for p in self.places:
            for d, q in self.onward[p]:
                step = self("step", a, *p, d)
                entering[q].append(step)
                for x in self.over[q]:
                    self.add(-step, -self("stays", a, x))
                if units:
                    self.add(-step, self("from", a, *p))
        for p in self.places:
            was, now, lift, put = (self(*key, *p) for key in (("at", a - 1), ("at", a), ("from", a), ("to", a)))
            for x in self.over[p]:
                self.add(-was, lift, self("stays", a, x))
            leaving, inward = [self("step", a, *p, d) for d, _ in self.onward[p]], entering[p]
            self.at_most_one(leaving)
            self.at_most_one(inward)
            self.add(-lift, *leaving)
            self.add(-put, *inward)
            for step in leaving:
                self.add(-step, lift, *inward)
                self.add(-step, -put)
            for step in inward:
                self.add(-step, put, *leaving)
                self.add(-step, -lift)
            for clause in ((-lift, -now), (-put, now), (-was, now, lift), (was, -now, put)):
                self.add(*clause)

    def satisfied(self, actions):
        board, idle, true, corner = self.board, self.T - len(actions), set(), dict(self.board.corner)
        spot = lambda name: (board.kind[name], board.spots[board.kind[name]].index(corner[name]))  # noqa: E731
        for t in range(self.T + 1):
            moving = actions[t - idle - 1][0] if t > idle else None
            if t:
                true |= {("stays", t, x) for name in corner if name != moving for x in self.over[spot(name)]}
            if moving:
                p = spot(moving)
                true |= {("act", t), ("from", t, *p)} | {
                    ("first", t, n) for n in range(self.places.index(p), len(self.places))
                }
                for way in actions[t - idle - 1][1]:
                    true.add(("step", t, *spot(moving), "lrud".index(way)))
                    corner[moving] = beside(corner[moving], way)
                true.add(("to", t, *spot(moving)))
            true |= {("at", t, *spot(name)) for name in corner}
        holds = {self.number[key] for key in true}
        return all(any((x > 0) == (abs(x) in holds) for x in clause) for clause in self.clauses)


def check_slides(folder, board, claim):
    enough, units = NEVER if claim["value"] is None else claim["value"], claim["objective"] == "units"
    order = [k for k, (names, *_) in enumerate(board.kinds) for _ in names]
    covered = sum(len(board.kinds[k][1]) for k in order)
    file, listed = Unpacked(folder / "states.xz"), {}
    while data := file.take(len(order) + 2):
        demand(len(data) == len(order) + 2, "states: the list ends in the middle of one")
        demand(
            all(i < len(board.spots[k]) for k, i in zip(order, data, strict=False)), "states: a piece has no such place"
        )
        state = frozenset((k, board.spots[k][i]) for k, i in zip(order, data, strict=False))
        demand(len(state) == len(order) and len(board.taken(state)) == covered, "states: two pieces overlap")
        demand(state not in listed, "states: one is there twice")
        listed[state] = int.from_bytes(data[-2:], "little")
    demand(listed.get(board.start) == 0, "states: the start is not there")
    for state, cost in listed.items():
        if cost < enough:
            demand(not board.solved(state), "states: one is solved too soon")
            for after in board.steps(state, units):
                fine = listed.get(after, NEVER) <= cost + 1 or cost + 1 + (not board.solved(after)) >= enough
                demand(fine, "states: the list is not closed")
    print(f"the list of {len(listed)} states is closed")


def read_claim(folder):
    def once(pairs):
        demand(len(dict(pairs)) == len(pairs), "claim.json has a key twice")
        return dict(pairs)

    def no_float(word):
        raise Invalid(f"claim.json has the number {word}")

    text = text_of(folder / "claim.json")
    claim = json.loads(text, object_pairs_hook=once, parse_float=no_float, parse_constant=no_float)
    demand(type(claim) is dict, "claim.json is no claim")
    form = claim.get("format")
    demand(form != "sokoasp certificate 1", "certificates of format 1 could be forged: certify the level again")
    known = ("sokoasp certificate 2", WITH_PATTERNS, WITH_CORRALS, WITH_TIES, WITH_WALLS)
    demand(form in known, "claim.json is of no format that is known here")
    keys = "format game objective value kind groups prices boxes version upper lower files"
    demand(set(claim) == set(keys.split()), "claim.json has other keys than a claim")
    whole = lambda x, most: type(x) is int and 0 <= x <= most  # noqa: E731
    game, value, kind, groups, prices, boxes = (
        claim[k] for k in ["game", "value", "kind", "groups", "prices", "boxes"]
    )
    objectives = {"sokoban": ("lines", "pushes", "moves", TIES), "klotski": ("slides", "units")}
    demand(type(game) is str and game in objectives, "there is no such game")
    demand(claim["objective"] in objectives[game], "there is no such objective")
    demand(game == "sokoban" or (groups == 0 and boxes == []), "groups and boxes are for Sokoban")
    demand(kind in ("solved", "refutation", "states"), "the claim is of no kind")
    demand((form == WITH_TIES) == (claim["objective"] == TIES), "tie-breaks have a format of their own")
    if form == WITH_TIES:
        demand(type(value) is list and len(value) == 2, "the value is not a pair")
        demand(all(whole(x, 60_000) for x in value) and kind != "refutation", "the value is not one of this kind")
        demand(value[0] > 0 or value == [0, 0], "moves without a push")
        demand((value == [0, 0]) == (kind == "solved"), "a claim of this kind does not show this value")
    else:
        demand(whole(value, 60_000) or (value is None and kind == "states"), "the value is not one of this kind")
        demand((value == 0) == (kind == "solved"), "a claim of this kind does not show this value")
    demand(whole(groups, {"solved": 0, "refutation": 2, "states": 4}[kind]), "groups are not those of this kind")
    walls, corrals = form == WITH_WALLS, form in (WITH_CORRALS, WITH_WALLS)
    learned = corrals or form == WITH_PATTERNS
    demand(not learned or (kind == "states" and groups), "patterns need a list of states, and tables")
    demand(not corrals or claim["objective"] in ("pushes", "lines"), "corrals are for pushes and lines")
    demand(type(prices) is list and all(whole(p, 2000) for p in prices), "prices are not integers from 0 to 2000")
    demand(bool(prices) == (groups > 0), "prices without tables, or tables without prices")
    demand(type(boxes) is list and (not boxes or value is None), "boxes can be named only of a level without a plan")
    pairs = all(type(b) is list and len(b) == 2 and all(whole(x, TEXT) for x in b) for b in boxes)
    demand(pairs, "the boxes are not rows and columns")
    demand(not any(prices) or (kind == "states" and not boxes), "prices need a list of states with all boxes")
    demand(all(type(claim[k]) is str for k in ("version", "upper", "lower")), "words are not words")
    level, plan = {"sokoban": ("level.xsb", "plan.lurd"), "klotski": ("level.klotski", "plan.txt")}[game]
    files = {level, *[plan] * (value is not None), *["tables.xz"] * (groups > 0)}
    files |= {*["patterns.xz"] * learned, *["corrals.xz"] * corrals, *["walls.xz"] * walls}
    files |= {"solved": set(), "refutation": {"claim.cnf", "proof.lrat"}, "states": {"states.xz"}}[kind]
    demand(
        type(claim["files"]) is dict and set(claim["files"]) == files, "claim.json names other files than its kind has"
    )
    for name, expected in claim["files"].items():
        demand((folder / name).is_file(), f"{name} is missing, or no plain file")
        with (folder / name).open("rb") as file:
            demand(hashlib.file_digest(file, "sha256").hexdigest() == expected, f"{name}: another file")
    return claim


def main(folder):
    claim = read_claim(folder)
    (main_klotski if claim["game"] == "klotski" else main_sokoban)(folder, claim)
    print("valid")


def main_sokoban(folder, claim):
    level, lurd = Level(text_of(folder / "level.xsb")), ""
    print((folder / "level.xsb").read_text(), "SHA-256 of this level.xsb:", claim["files"]["level.xsb"])
    if claim["value"] is not None:
        lurd = text_of(folder / "plan.lurd").removesuffix("\n")
        counts = replay(level, lurd)
        counts[TIES] = [counts["pushes"], counts["moves"]]
        demand(counts[claim["objective"]] == claim["value"], "rules: the plan has another number of actions")
        print(f"the plan has {claim['value']} {claim['objective']}")
    if claim["kind"] == "refutation":
        check_refutation(folder, level, claim, lurd)
    elif claim["kind"] == "states":
        check_states(folder, level, claim)


def main_klotski(folder, claim):
    text = text_of(folder / "level.klotski")
    board = Board(text)
    print(text, "SHA-256 of this level.klotski:", claim["files"]["level.klotski"])
    if claim["value"]:
        counts, actions = replay_slides(board, text_of(folder / "plan.txt"))
        count = counts[claim["objective"]]
        demand(count == claim["value"], "rules: the plan has another number of actions")
        print(f"the plan has {count} {claim['objective']}")
    if claim["kind"] == "solved":
        demand(board.solved(board.start) and not text_of(folder / "plan.txt"), "the start is not solved")
    if claim["kind"] == "states":
        check_slides(folder, board, claim)
    if claim["kind"] == "refutation":
        f = SlidesFormula(board, claim["value"], claim["objective"] == "units")
        refuted(folder, f, f.satisfied(actions[claim["objective"]]))


def run(arguments):
    """Check a folder, print what holds; return the exit code: 0 valid, 30 not, 2 usage."""
    if len(arguments) != 1:
        print("usage: python check_proof.py FOLDER")
        return 2
    try:
        main(Path(arguments[0]))
    except Invalid as error:
        print("INVALID:", error)
        return 30
    except Exception as error:  # whatever it is, it is not shown to be true
        print(f"INVALID: the folder cannot be read as a certificate: {error!r}")
        return 30
    return 0


if __name__ == "__main__":
    sys.exit(run(sys.argv[1:]))
