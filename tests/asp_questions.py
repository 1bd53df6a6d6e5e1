"""Every question that only ASP answers, asked of every program about random levels, beside brute force.

Levels are small, with spare boxes, cells called anything; the questions are: the optimum, a plan of exactly N actions, of at
most N, all best plans, best plans under a constraint, best plans by a preference or tie-break.
"""

import random
import re
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from sokoasp.asp import multishot
from sokoasp.core.errors import SokoaspError
from sokoasp.core.limits import Limits
from sokoasp.core.result import Result, Status
from sokoasp.engine import solve
from sokoasp.sokoban.facts import name_of
from sokoasp.sokoban.level import DIRECTIONS, Cell, Level
from sokoasp.sokoban.plan import OBJECTIVES
from tests.brute import Brute, TooMany, Trace
from tests.levels import random_level, scrambled_level
from tests.names import renamed

TURNS = "turns"
"""No program but two in turns so short that both have many."""
PROGRAMS = {
    objective: (objective, f"{objective}-remaining", f"{objective}-remaining-dom", f"{objective}-forward", TURNS)
    for objective in OBJECTIVES
}
CONSTRAINED = {objective: (objective, f"{objective}-forward") for objective in OBJECTIVES}
LONGEST = {"lines": 6, "pushes": 7, "moves": 9}
MOST = 600
_LIMITS = Limits(seconds=60)


@dataclass(frozen=True)
class Wish:
    """A constraint or preference, as a program and as a function of a plan."""

    name: str
    program: str
    holds: Callable[[Trace], bool] = lambda trace: True
    cost: Callable[[Trace], tuple[int, ...]] = lambda trace: ()


@dataclass(frozen=True)
class Verdict:
    """One question asked of one program: what was expected and what was said."""

    question: str
    program: str
    expected: object
    got: object

    @property
    def right(self) -> bool:
        """Return whether they are the same."""
        return self.expected == self.got


def constraints(level: Level, rng: random.Random, objective: str) -> list[Wish]:
    """Return constraints with cells, boxes and directions drawn at random."""
    cell, other = rng.choice(sorted(level.floor)), rng.choice(sorted(level.floor))
    box, goal = rng.choice(sorted(level.boxes)), rng.choice(sorted(level.goals))
    way, number = rng.choice(DIRECTIONS), rng.choice((1, 2))
    c, o, b, g, d = "<cell>", "<other>", "<box>", "<goal>", way.name
    step, check = "#program step(t).\n", "#program check(t).\n"
    left, which = rng.choice((("left", "box_is"), ("moved_from", "box_at")))  # old names and new

    def states(t: Trace) -> range:
        return range(1, len(t.states))

    wishes = [
        Wish(
            "never push there",
            f"{step}:- push(_,{d},_,t).",
            lambda t: all(p is None or p.direction is not way for p in t.pushes),
        ),
        Wish("no box rests on", f"{step}:- box_at({c},t).", lambda t: all(cell not in s.boxes for s in t.states[1:])),
        Wish("no box passes", f"{step}:- passes({c},t).", lambda t: all(cell not in p for p in t.passes)),
        Wish(
            "this box to that goal", f"{check}:- query(t), not {which}({b},{g},t).", lambda t: t.boxes[-1][box] == goal
        ),
        Wish(
            "each box so often",
            f"{step}:- pushes_of(_,N,t), N > {number}.",
            lambda t: all(t.pushed.count(x) <= number for x in level.boxes),
        ),
        Wish("do not touch", f"{step}:- pushed({b},t).", lambda t: box not in t.pushed),
        Wish("end there", f"{check}:- query(t), not player_at({c},t).", lambda t: t.states[-1].player == cell),
        Wish("the end within reach", f"{check}:- query(t), not reach({c},t).", lambda t: cell in t.reach[-1]),
        Wish("the end out of reach", f"{check}:- query(t), reach({c},t).", lambda t: cell not in t.reach[-1]),
        Wish(
            "always within reach",
            f"{step}:- not reach({c},t).\n#program base.\n:- not reach({c},0).",
            lambda t: all(cell in r for r in t.reach),
        ),
        Wish(
            "one before the other",
            f"{step}:- first_box({c},t), not used({o},t).",
            lambda t: all(
                any(other in s.boxes for s in t.states[: i + 1])
                for i in states(t)
                if cell in t.states[i].boxes and all(cell not in s.boxes for s in t.states[:i])
            ),
        ),
        Wish("nothing leaves", f"{step}:- {left}({c},t).", lambda t: all(p is None or p.box != cell for p in t.pushes)),
        Wish(
            "placed late",
            f"{step}:- placed({c},t), t < 3.",
            lambda t: all(p is None or p.to != cell for p in t.pushes[:2]),
        ),
        Wish(
            "not twice running",
            f"{step}:- pushed(B,t), pushed(B,t-1).",
            lambda t: all(x is None or x != y for x, y in zip(t.pushed, t.pushed[1:], strict=False)),
        ),
        Wish(
            "once used, used at the end",
            f"{check}:- query(t), last_box({c},S,t), S < t.",
            lambda t: all(cell not in s.boxes for s in t.states) or cell in t.states[-1].boxes,
        ),
        Wish("player keeps off", f"{step}:- player_at({c},t).", lambda t: all(s.player != cell for s in t.states[1:])),
    ]
    if objective != "moves":
        wishes.append(
            Wish(
                "not from there",
                f"{step}:- behind({c},t).",
                lambda t: all(p is None or p.box.step(p.direction.opposite) != cell for p in t.pushes),
            )
        )
    else:
        wishes.append(
            Wish("never walk there", f"{step}:- move({d},t), not push(_,_,_,t).", lambda t: way.letter not in t.actions)
        )
    return filled(wishes, level, {c: cell, o: other, b: box, g: goal})


def filled(wishes: list[Wish], level: Level, places: dict[str, Cell]) -> list[Wish]:
    """Put in the names of the cells; actions are numbered by another word than any cell's name."""
    name = name_of(level)
    found = []
    for wish in wishes:
        program = re.sub(r"\bt\b", "now", wish.program)
        for mark, place in places.items():
            program = program.replace(mark, name[place])
        found.append(replace(wish, program=program))
    return found


def preferences(level: Level, rng: random.Random) -> list[Wish]:
    """Return preferences drawn at random."""
    cell, box, way = rng.choice(sorted(level.floor)), rng.choice(sorted(level.boxes)), rng.choice(DIRECTIONS)
    c, b, d = "<cell>", "<box>", way.name
    step, check = "#program step(t).\n", "#program check(t).\n"

    def along(t: Trace) -> int:
        return sum(p is not None and p.direction is way for p in t.pushes)

    def resting(t: Trace) -> int:
        return sum(cell in s.boxes for s in t.states[1:])

    wishes = [
        Wish("seldom there", f"{step}#minimize {{ 1,t : push(_,{d},_,t) }}.", cost=lambda t: (along(t),)),
        Wish("short rests", f"{step}:~ box_at({c},t). [3@2,t]", cost=lambda t: (3 * resting(t),)),
        Wish(
            "fair shares",
            f"{check}:~ query(t), pushes_of(B,N,t). [N*N,B]",
            cost=lambda t: (sum(t.pushed.count(x) ** 2 for x in level.boxes),),
        ),
        Wish(
            "two goals",
            f"{step}:~ push(_,{d},_,t). [1@2,t]\n:~ box_at({c},t). [1@1,t]",
            cost=lambda t: (along(t), resting(t)),
        ),
        Wish("this box", f"{step}#maximize {{ 1,t : pushed({b},t) }}.", cost=lambda t: (-t.pushed.count(box),)),
        Wish("end out of reach", f"{check}:~ query(t), reach({c},t). [2]", cost=lambda t: (2 * (cell in t.reach[-1]),)),
    ]
    return filled(wishes, level, {c: cell, b: box})


def ranked(level: Level, rng: random.Random) -> Wish:
    """Return a preference of two or three priorities drawn at random, with weights above and below zero."""
    cell, box, way = rng.choice(sorted(level.floor)), rng.choice(sorted(level.boxes)), rng.choice(DIRECTIONS)
    c, b, d = "<cell>", "<box>", way.name
    terms: list[tuple[str, str, Callable[[Trace], int]]] = [
        ("step", f"push(_,{d},_,t)", lambda t: sum(p is not None and p.direction is way for p in t.pushes)),
        ("step", f"t = 1, push(_,{d},_,t)", lambda t: any(p is not None and p.direction is way for p in t.pushes[:1])),
        ("step", f"box_at({c},t)", lambda t: sum(cell in s.boxes for s in t.states[1:])),
        ("step", f"pushed({b},t)", lambda t: t.pushed.count(box)),
        ("step", f"placed({c},t)", lambda t: sum(p is not None and p.to == cell for p in t.pushes)),
        ("check", f"query(t), reach({c},t)", lambda t: cell in t.reach[-1]),
    ]
    priorities = sorted(rng.sample(range(-2, 5), rng.choice((2, 2, 3))), reverse=True)
    chosen: list[tuple[int, int, Callable[[Trace], int]]] = []
    program = ""
    for place, priority in enumerate(priorities):
        for part, body, count in rng.sample(terms, rng.choice((1, 1, 2))):
            weight = rng.choice((1, 1, 2, 3, -1, -2))
            chosen.append((place, weight, count))
            program += f"#program {part}(t).\n:~ {body}. [{weight}@{priority},{len(chosen)},t]\n"

    def cost(trace: Trace) -> tuple[int, ...]:
        return tuple(
            sum(weight * count(trace) for at, weight, count in chosen if at == place)
            for place in range(len(priorities))
        )

    return filled([Wish(f"{len(priorities)} priorities", program, cost=cost)], level, {c: cell, b: box})[0]


class Asker:
    """Asks one level by one objective everything."""

    def __init__(self, level: Level, objective: str, seed: int, folder: Path) -> None:
        self.level, self.objective, self.folder = level, objective, folder
        self.rng = random.Random(f"questions {seed} {objective}")
        self.turn = (1, 2, 5, 20)[seed % 4]
        self.brute = Brute(level, objective)
        self.best = self.brute.optimum(LONGEST[objective])

    def ask(self, program: str, **wishes: object) -> Result | str:
        """Return the result, or the error's name and sentence."""
        named = {"engine": "asp"} if program == TURNS else {"encoding": program}
        kept, multishot.FIRST_TURN = multishot.FIRST_TURN, self.turn if program == TURNS else multishot.FIRST_TURN
        try:
            return solve(self.level, objective=self.objective, limits=_LIMITS, cross_check=False, **named, **wishes)
        except SokoaspError as error:
            return f"{type(error).__name__}: {error}"
        finally:
            multishot.FIRST_TURN = kept

    def file(self, *texts: str) -> tuple[Path, ...]:
        """Write a file of constraints."""
        path = self.folder / "mine.lp"
        path.write_text("\n".join(texts) + "\n")
        return (path,)

    def verdicts(self) -> Iterator[Verdict]:
        """Ask and compare; what has too many plans to be written out is left out."""
        for part in (self._plain, self._lists, self._constrained, self._preferred):
            try:
                yield from part()
            except TooMany:
                continue

    def _plain(self) -> Iterator[Verdict]:
        last = LONGEST[self.objective]
        for program in PROGRAMS[self.objective]:
            if self.best is not None:
                yield Verdict("optimum", program, (Status.OPTIMAL, self.best), said(self.ask(program)))
            asked = self.rng.randrange(1, last + 1)
            exact = (Status.SOLVED, asked) if self.brute.ways(asked) else (Status.NO_PLAN, None)
            yield Verdict(f"exactly {asked}", program, exact, said(self.ask(program, steps=asked + 1)))
            most = self.rng.randrange(1, last + 1)
            fits = self.best is not None and self.best <= most
            expected = (Status.OPTIMAL, self.best) if fits else (Status.NO_PLAN, None)
            yield Verdict(f"at most {most}", program, expected, said(self.ask(program, at_most=most)))
        if self.objective == "lines":
            yield from self._competition()

    def _competition(self) -> Iterator[Verdict]:
        """Ask the two programs that answer for a number of steps."""
        asked = self.rng.randrange(1, LONGEST["lines"] + 1)
        exact = (Status.SOLVED, asked) if self.brute.ways(asked) else (Status.NO_PLAN, None)
        yield Verdict(f"exactly {asked}", "competition", exact, said(self.ask("competition", steps=asked + 1)))
        fits = self.best is not None and self.best <= asked
        expected = (Status.OPTIMAL, self.best) if fits else (Status.NO_PLAN, None)
        yield Verdict(
            f"at most {asked}", "competition-fewest", expected, said(self.ask("competition-fewest", steps=asked + 1))
        )

    def _lists(self) -> Iterator[Verdict]:
        if self.best is None or self.best == 0:
            return
        plans = {plan_of(trace) for trace in self.brute.traces(self.best, MOST)}
        for program in PROGRAMS[self.objective]:
            found = self.ask(program, models=0)
            got = found if isinstance(found, str) else {tuple(plan_key(self.objective, p)) for p in found.plans}
            yield Verdict("all best plans", program, plans, got)
            counted = self.ask(program, count=True)
            yield Verdict("count", program, len(plans), counted if isinstance(counted, str) else counted.count)
        longer = self.best + self.rng.choice((1, 2))
        if self.brute.ways(longer):
            plans = {plan_of(trace) for trace in self.brute.traces(longer, MOST)}
            listing = ("competition",) if self.objective == "lines" else ()
            for program in (*PROGRAMS[self.objective], *listing):
                found = self.ask(program, steps=longer + 1, models=0)
                got = found if isinstance(found, str) else {tuple(plan_key(self.objective, p)) for p in found.plans}
                yield Verdict(f"all of exactly {longer}", program, plans, got)

    def _constrained(self) -> Iterator[Verdict]:
        if self.best is None or self.best == 0:
            return
        last = min(LONGEST[self.objective], self.best + 2)
        wishes = constraints(self.level, self.rng, self.objective)
        for wish in self.rng.sample(wishes, 4):
            best, count = None, 0
            for length in range(self.best, last + 1):
                found = [t for t in self.brute.traces(length, MOST) if wish.holds(t)]
                if found:
                    best, count = length, len(found)
                    break
            for program in CONSTRAINED[self.objective]:
                files = self.file(wish.program)
                expected = (Status.OPTIMAL, best) if best is not None else (Status.NO_PLAN, None)
                got = said(self.ask(program, constraints=files, at_most=last))
                ended = best is None and got == (Status.UNSOLVABLE, None)
                yield Verdict(f"constraint: {wish.name}", program, expected, expected if ended else got)
                if best is not None:
                    found_all = self.ask(program, constraints=files, count=True)
                    got_count = found_all if isinstance(found_all, str) else found_all.count
                    yield Verdict(f"constraint, count: {wish.name}", program, count, got_count)
                kept = sum(map(wish.holds, self.brute.traces(last, MOST)))
                exact = (Status.SOLVED, last) if kept else (Status.NO_PLAN, None)
                got = said(self.ask(program, constraints=files, steps=last + 1))
                yield Verdict(f"constraint, exactly {last}: {wish.name}", program, exact, got)

    def _preferred(self) -> Iterator[Verdict]:
        if self.best is None or self.best == 0:
            return
        traces = self.brute.traces(self.best, MOST)
        longer = [t for extra in (0, 1) for t in self.brute.traces(self.best + extra, MOST)]
        wishes = self.rng.sample(preferences(self.level, self.rng), 2)
        others = [name for name in OBJECTIVES if name != self.objective]
        self.rng.shuffle(others)
        least = min(tuple(t.counts[name] for name in others) for t in traces)
        for program in CONSTRAINED[self.objective]:
            for wish in wishes:
                files = self.file(wish.program)
                best, all_best = min(map(wish.cost, traces)), min(map(wish.cost, longer))
                yield Verdict(f"preference: {wish.name}", program, best, costs(self.ask(program, constraints=files)))
                asked = self.ask(program, constraints=files, at_most=self.best + 1)
                yield Verdict(f"preference, at most: {wish.name}", program, all_best, costs(asked))
            if self.objective == "lines":
                least = min(tuple(t.counts[name] for name in others) for t in traces)
            found = self.ask(program, then=tuple(others))
            got = found if isinstance(found, str) else self._counted(found, others)
            yield Verdict(f"then {','.join(others)}", program, least, got)

    def ranked(self, number: int) -> Iterator[Verdict]:
        """Ask for the best plan by several priorities among plans of up to two actions more than the fewest.

        A question stands under ``gained`` if a longer plan costs less than the best of the shortest.
        """
        if self.best is None or self.best == 0:
            return
        try:
            by_length = [self.brute.traces(self.best + extra, MOST) for extra in range(3)]
        except TooMany:
            return
        for wish in (ranked(self.level, self.rng) for _ in range(number)):
            shortest, least = (
                min(wish.cost(t) for traces in found for t in traces) for found in (by_length[:1], by_length)
            )
            kind = "gained" if least < shortest else "nothing gained"
            program = self.rng.choice(CONSTRAINED[self.objective])
            asked = self.ask(program, constraints=self.file(wish.program), at_most=self.best + 2)
            yield Verdict(f"{kind}: {wish.name}\n{wish.program}", program, least, costs(asked))

    def _counted(self, found: Result, names: list[str]) -> object:
        from sokoasp.domain import sokoban as domain

        if found.cost is None or not found.cost.proved:
            return "not proved"
        counts = domain.counts(self.level, found.plan, None)
        return tuple(counts[name] for name in names)


def plan_of(trace: Trace) -> tuple[object, ...]:
    """Return what distinguishes plans: its pushes, or its moves."""
    return tuple(trace.actions)


def plan_key(objective: str, plan: object) -> tuple[object, ...]:
    """Return the same of an engine's plan."""
    if objective == "moves":
        return tuple(plan.lurd)  # type: ignore[attr-defined]
    pushes = plan.actions  # type: ignore[attr-defined]
    if objective == "lines":
        return tuple(pushes)
    return tuple(
        type(p)(p.box.step(p.direction, k), p.direction, p.box.step(p.direction, k + 1))
        for p in pushes
        for k in range(p.length)
    )


def said(found: Result | str) -> object:
    """Return status and value."""
    if isinstance(found, str):
        return found
    status = Status.NO_PLAN if found.status is Status.UNSOLVABLE else found.status
    return status, found.value


def costs(found: Result | str) -> object:
    """Return the proved cost by the user's preferences."""
    if isinstance(found, str) or found.cost is None or not found.cost.proved:
        return found if isinstance(found, str) else f"not proved: {found.status}"
    return tuple(cost for _, cost in found.cost.preferences)


def level_of(seed: int) -> Level:
    """Return the level of a seed: solvable or not, with spare boxes or none, its cells called anything."""
    if seed % 3 == 0:
        given = random_level(seed, spare=(0, 1, 2)[seed % 9 // 3], boxes=3, width=4, height=3 + seed % 2)
    elif seed % 3 == 1:
        given = random_level(seed, width=4 + seed % 2, height=3)
    else:
        given = scrambled_level(seed, width=4, height=4, boxes=2 + seed % 2, pulls=8)
    return renamed(given, seed)


def questions(seed: int, objectives: tuple[str, ...] = OBJECTIVES, *, ranked: int = 0) -> Iterator[Verdict]:
    """Ask everything about the level of a seed, or only for so many best plans by several priorities."""
    given = level_of(seed)
    if given.solved:
        return
    with tempfile.TemporaryDirectory() as folder:
        for objective in objectives:
            asker = Asker(given, objective, seed, Path(folder))
            yield from asker.ranked(ranked) if ranked else asker.verdicts()
