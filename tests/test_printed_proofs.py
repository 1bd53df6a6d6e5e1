"""Proof sentences of ASP, SAT, the native engines and Klotski: true by the rules of the game alone, and spoilt in every way.

Every test makes the sentences that are true of an answer from what it finds out by itself (optima, matchings of lone boxes,
positions that can be reached) and from the answer's own record of bounds tried; anything else is refused.
"""

import itertools
import random
from collections.abc import Iterator
from functools import cache, partial

import pytest

from sokoasp import solve
from sokoasp.asp import catalogue
from sokoasp.core.limits import Limits
from sokoasp.core.result import Result, Status
from sokoasp.engine.by_sat import SOLVERS
from sokoasp.klotski import notation
from sokoasp.klotski import search as slides_search
from sokoasp.klotski.board import Board
from sokoasp.sokoban import formats, rules, search
from sokoasp.sokoban.deadlock.fix import fix
from sokoasp.sokoban.grid import UNASSIGNABLE
from sokoasp.sokoban.level import DIRECTIONS, Level
from sokoasp.sokoban.rules import State
from sokoasp.sokoban.search import rosters
from sokoasp.sokoban.units import find_deadlock
from tests import native
from tests.klotski import oracle
from tests.klotski.boards import random_board
from tests.levels import as_on_a_large_board, scrambled_level, some_now
from tests.spoil import spoilt
from tests.studies.labels import labels
from tests.studies.samples import random_level

OBJECTIVES = ("lines", "pushes", "moves")
GOAL_UNREACHED = """
#####
# $*#
#.. #
# ###
# $ #
# @ #
#####
"""


FROZEN = "#######\n#  #* ##\n#    $@#\n#  .* *#\n########\n"
"""Boxes that never move again raise the bound of the matching."""


@cache
def small_levels(seed: int, count: int) -> tuple[Level, ...]:
    return tuple(_small_levels(seed, count))


def _small_levels(seed: int, count: int) -> Iterator[Level]:
    rng = random.Random(seed)
    while count:
        level = random_level(rng)
        states = None if level is None or level.solved else labels(level, states=400)
        if level is not None and states is not None:
            count -= 1
            # half of them from a state further on, dead or alive
            at = rng.choice(sorted(states, key=repr))
            yield level if count % 2 or rules.solved(level, at.boxes) else level.with_state(at.boxes, at.player)


def steps(level: Level, objective: str, state: State) -> Iterator[State]:
    """Yield the states one action further; players that differ by a walk are alike where walks cost nothing."""
    if objective == "moves":
        yield from (after for _, after in rules.moves(level, state))
    else:
        pushes = rules.line_pushes if objective == "lines" else rules.unit_pushes
        yield from (rules.canonical(level, after) for _, after in pushes(level, state))


def layers(level: Level, objective: str, start: State) -> Iterator[set[State]]:
    """Yield the states no actions away, one action away and so on, as far as there are any."""
    layer = {start if objective == "moves" else rules.canonical(level, start)}
    seen = set(layer)
    while layer:
        yield layer
        layer = {after for state in layer for after in steps(level, objective, state)} - seen
        seen |= layer


@cache
def fewest(level: Level, objective: str) -> int | None:
    for depth, layer in enumerate(layers(level, objective, rules.initial(level))):
        if any(rules.solved(level, state.boxes) for state in layer):
            return depth
    return None


def alone(level: Level, objective: str) -> list[dict[int, int]]:
    """Return for each box what it costs to bring it, alone on the map, to each goal (by number) that it reaches."""
    found: list[dict[int, int]] = []
    for box in sorted(level.boxes):
        far: dict[int, int] = {}
        for depth, layer in enumerate(layers(level, objective, State(frozenset({box}), level.player))):
            for number, goal in enumerate(sorted(level.goals)):
                if any(goal in state.boxes for state in layer):
                    far.setdefault(number, depth)
        found.append(far)
    return found


@cache
def matching(level: Level, objective: str) -> int | None:
    """Return the least sum of what lone boxes need to different goals; None if there are not goals for all."""
    far = alone(level, "lines" if objective == "lines" else "pushes")
    sums = [
        sum(one[goal] for one, goal in zip(far, chosen, strict=True))
        for chosen in itertools.permutations(range(len(level.goals)))
        if all(goal in one for one, goal in zip(far, chosen, strict=True))
    ]
    return min(sums, default=None)


@cache
def walk_to_a_box(level: Level) -> int:
    """Return how many moves the player makes at least before it stands beside a box."""
    beside = {box.step(way) for box in level.boxes for way in DIRECTIONS}
    empty = Level(level.floor - level.boxes, frozenset(), frozenset(), level.player)
    for depth, layer in enumerate(layers(empty, "moves", rules.initial(empty))):
        if any(state.player in beside for state in layer):
            return depth
    return 0


def bound(level: Level, objective: str) -> tuple[int | None, str]:
    """Return the lower bound that needs no search, and its name."""
    least = matching(level, objective)
    if least is None or objective != "moves":
        return least, "minimum-cost matching of boxes to goals"
    least = max(1, least) + walk_to_a_box(level)
    return least, "minimum-cost matching of boxes to goals with the player's way to the first box"


IMPOSSIBLE = "the boxes cannot be assigned to the goals even if each were alone on the map"
NATIVE = tuple(f"the {one} search saw all states" for one in ("forward", "reverse"))
BEAMS = ("the beam search saw all states",)


def natively(level: Level) -> tuple[str, ...]:
    """List why the native search may say that a level without a plan has none."""
    return NATIVE if matching(level, "pushes") is not None else (*NATIVE, IMPOSSIBLE)


def by_probe(level: Level) -> set[str]:
    """List what the native search may say on the way of a level without a plan."""
    states = sum(map(len, layers(level, "pushes", rules.initial(level))))
    said = {
        f"all {states} reachable states were searched and none is solved",
        *(f"{one}: no plan exists" for one in natively(level)),
    }
    return {f"by the native search: {one}" for one in said}


def programs(found: Result) -> str:
    """Name the programs that refuted something, or the one that answered, with the tables they are given."""
    names = list(dict.fromkeys(step.by for step in found.steps if step.result == "unsat")) or [str(found.encoding)]
    tables = list(dict.fromkeys(t for name in names for t in catalogue.find(name, "sokoban", found.objective).tables))
    if not tables:
        return " and ".join(names)
    listed = tables[0] if len(tables) == 1 else f"{', '.join(tables[:-1])} and {tables[-1]}"
    return f"{' and '.join(names)}, with the table{'s' if len(tables) > 1 else ''} {listed}"


def by_exhaustion(found: Result) -> set[str]:
    """List what clingo may say of a level without a plan where it sees that pushes that could belong to one come to an end."""
    refuted = [step.t for step in found.steps if step.result == "unsat"]
    actions = counted(max(refuted, default=0), "actions")
    proved = f"no plan can have {actions} or more, and none of fewer solves the level"
    return {f"{proved} ({programs(found)})"} if refuted else set()


def by_clingo(level: Level, objective: str, found: Result) -> set[str]:
    """List what may be said of an answer of clingo's."""
    best, (first, why) = fewest(level, objective), bound(level, objective)
    if first is None:
        assert best is None
        return {IMPOSSIBLE}
    if best is None:
        return by_probe(level) | by_exhaustion(found)
    if best == first:
        if best == 1:
            return {f"no plan has fewer than 1 action (clingo, {found.encoding})"}
        return {f"lower bound {best} ({why}) = plan of {best} (clingo, {found.encoding})"}
    stride = 2 if objective == "pushes" else 1
    assert [step.t for step in found.steps if step.result == "unsat"] == list(range(first, best, stride))
    said = (
        f"bound {first}"
        if first == best - stride
        else f"bounds {first} to {best - stride}" + " in steps of 2" * (stride > 1)
    )
    said += " (all plans have pushes of one parity)" * (stride > 1)
    return {f"clingo refuted {said} ({programs(found)})" + (f"; lower bound {first} ({why})" if first > 1 else "")}


def by_cadical(level: Level, objective: str, found: Result) -> set[str]:
    """List what may be said of an answer of the SAT engine."""
    best, (first, why) = fewest(level, objective), bound(level, objective)
    if first is None:
        return {IMPOSSIBLE}
    if best is None:
        return by_probe(level)
    solver = SOLVERS["rising"]
    who = why if best == first else solver
    return {f"lower bound {best} ({who}) = plan of {best} ({planner})" for planner in (solver, "the native search")}


def by_one_search(engine: str, level: Level, objective: str, found: Result) -> set[str]:
    """List what may be said of an answer of one search alone."""
    best = fewest(level, objective)
    if engine == "reference":
        states = sum(map(len, layers(level, objective, rules.initial(level))))
        none = f"all {states} reachable states were searched and none is solved"
        return {none if best is None else f"breadth-first search met no solved state nearer than {best}"}
    who = f"the {engine} search"
    if best is None:
        return {f"{said}: no plan exists" for said in (f"{who} saw all states", *natively(level)[len(NATIVE) :])}
    return {f"lower bound {best} ({who}) = plan of {best} ({who})"}


def by_search(level: Level, objective: str, found: Result) -> set[str]:
    """List what may be said of an answer of an engine of several searches."""
    best = fewest(level, objective)
    if best is None:
        return {f"{said}: no plan exists" for said in natively(level)}
    searches = [f"the {name} search" for name in ("forward", "reverse")]
    return {f"lower bound {best} ({one}) = plan of {best} ({two})" for one in searches for two in searches}


def by_any(level: Level, objective: str, found: Result) -> set[str]:
    """List what may be said of a plan that was found as soon as possible."""
    best, first = fewest(level, objective), matching(level, objective)
    if best is None:
        return {f"{said}: no plan exists" for said in (*natively(level), *BEAMS)}
    assert found.plan is not None and found.plan.cost(objective) == found.value
    by = "the matching of boxes to goals at the start"
    first_plans = ("packing-order", "forward")  # forward first on small boards
    finders = [f"{one} search" for one in (*first_plans, "shortening")]
    if found.value == first:
        return {f"lower bound {first} ({by}) = plan of {first} (the {one})" for one in finders}
    stopped = {
        f"plan of {found.value} (the {one}); lower bound {first} ({by}); it stops soon after the first plan"
        for one in finders
    }
    if found.value != best:
        return stopped
    provers = ("forward", "reverse", "shortening")
    proved = {
        f"lower bound {best} (the {one} search) = plan of {best} (the {two})" for one in provers for two in finders
    }
    return stopped | proved | by_search(level, objective, found)


ASKED = [("asp", each, by_clingo) for each in OBJECTIVES] + [("sat", each, by_cadical) for each in OBJECTIVES[:2]]
ASKED += [(one, each, by_search) for one in ("native", "bidirectional") for each in OBJECTIVES[:2]]
ASKED += [("any", each, by_any) for each in OBJECTIVES]
ASKED += [(one, "pushes", partial(by_one_search, one)) for one in ("reference", "forward", "reverse")]


def spoiling(true: set[str], sentence: str | None) -> int:
    """Return how many spoilt sentences were refused."""
    assert sentence in true, (sentence, true)
    false = list(spoilt(str(sentence)))
    assert not true.intersection(false)
    return len(false)


@pytest.mark.timeout(0)
@pytest.mark.parametrize(("engine", "objective", "sentences"), ASKED)
@pytest.mark.parametrize(("count", "least"), [(8, 100), pytest.param(150, 3000, marks=pytest.mark.slow)])
def test_proof_sentences_are_true_and_spoilt_ones_are_refused(
    engine: str, objective: str, sentences: object, count: int, least: int
) -> None:
    refused, kinds = campaign(engine, objective, sentences, 11, count)
    assert refused > least and kinds > 1


def test_sentences_of_a_plan_that_is_not_proved(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where neither proving nor shortening follows the first plan of ``any``."""
    native.needed()
    as_on_a_large_board(monkeypatch)
    monkeypatch.setattr(rosters, "_improving", lambda race: None)
    said = []
    for seed in range(3):
        level = scrambled_level(seed, boxes=3, pulls=60)
        found = search.solve(level, "pushes", Limits(seconds=60), engine="any")
        assert spoiling(by_any(level, "pushes", found), found.proof) > 5
        said.append(found.status)
    assert Status.SOLVED in said


def campaign(engine: str, objective: str, sentences: object, seed: int, count: int) -> tuple[int, int]:
    """Ask an engine random levels; return how many spoilt sentences were refused and how many kinds of sentences there were."""
    if engine == "sat":
        pytest.importorskip("pysat")
    if engine not in ("asp", "sat", "reference"):
        native.needed()
    assert callable(sentences)
    refused, kinds = 0, set()
    for level in (*formats.read(FROZEN), *small_levels(seed, count)):
        if engine not in ("asp", "sat"):
            found = search.solve(level, objective, Limits(seconds=60), engine=engine)
        else:
            found = solve(level, objective=objective, engine=engine, limits=Limits(seconds=60), cross_check=False)
        best = fewest(level, objective)
        assert found.status is (Status.UNSOLVABLE if best is None else Status.OPTIMAL) or engine == "any"
        refused += spoiling(sentences(level, objective, found), found.proof)
        kinds.add("".join(sign for sign in str(found.proof) if not sign.isdigit()))
    return refused, len(kinds)


def positions(board: Board, objective: str) -> tuple[list[int], bool]:
    """Count the positions at each distance from the start, and say whether there is a goal among them.

    The oracle's moves, with its labels for pieces that may stand for each other; goals end nothing here.
    """
    kinds = oracle._kinds(board)
    start = frozenset((kinds[p.name], frozenset((c.row, c.col) for c in p.cells)) for p in board.pieces)
    layer, seen, sizes, goal = {start}, {start}, [], False
    while layer:
        sizes.append(len(layer))
        goal |= any(oracle._solved(board, kinds, state) for state in layer)
        after = {other for state in layer for other in oracle._after(board, state, objective == "slides")}
        layer = after - seen
        seen |= layer
    return sizes, goal


def counted(number: int, noun: str) -> str:
    return f"{number:,} {noun.removesuffix('s') if number == 1 else noun}"


def by_slides(board: Board, objective: str, found: Result) -> set[str]:
    """List what may be said by the search of Klotski; how many of the last positions it has met is its own record."""
    sizes, goal = positions(board, objective)
    met = int(found.counters["states"])
    if not goal:
        assert met == sum(sizes)
        return {f"all {counted(met, 'positions')} that can be reached were searched and none is a goal"}
    best = oracle.distances(board, objective)[0]
    assert best is not None and sum(sizes[:best]) < met <= sum(sizes[: best + 1])
    return {
        f"breadth-first search through {counted(met, 'positions')} met no goal nearer than {counted(best, objective)}"
    }


@pytest.mark.parametrize("objective", ["slides", "units"])
@pytest.mark.parametrize("seeds", [range(12), pytest.param(range(12, 1000), marks=pytest.mark.slow)])
def test_klotski_sentences(objective: str, seeds: range) -> None:
    refused = 0
    for seed in seeds:
        board = random_board(seed)
        found = slides_search.solve(board, objective)
        refused += spoiling(by_slides(board, objective, found), found.proof)
    assert refused > 10 * len(seeds)


@pytest.mark.parametrize("objective", some_now(["pushes", "lines"], 1))
@pytest.mark.parametrize("rows", some_now(["####/#  ##/#@$ #/#.$.#/#####", "######/#@ $.#/# .$ #/######"], 1))
@pytest.mark.parametrize("engine", ["asp", "sat"])
def test_bounds_end_one_below_the_number_of_states(engine: str, rows: str, objective: str) -> None:
    """Eight cells, two boxes and the player stand in 28 * 6 ways; a shortest plan meets none of them twice."""
    if engine == "sat":
        pytest.importorskip("pysat")
    (level,) = formats.read(rows.replace("/", "\n"))
    assert len(level.floor) == 8 and matching(level, objective) and fewest(level, objective) is None
    found = solve(level, objective=objective, engine=engine, probes=False, limits=Limits(seconds=60))
    true = {f"every bound up to {28 * 6 - 1}, one less than the number of states, refuted by {SOLVERS['rising']}"}
    if engine == "asp":  # it sees that pushes that could belong to a plan come to an end
        true = by_exhaustion(found)
    assert found.status is Status.UNSOLVABLE
    assert spoiling(true, found.proof) > 40


def test_sentences_of_the_least_values() -> None:
    """A start that is solved needs no bound, and one that is not needs one action."""
    (solved,) = formats.read("#####\n#@* #\n#####\n")
    native.needed()
    for engine in ("native", "any", "forward"):
        assert solve(solved, engine=engine).proof == "plan of 0 (the start), and none is shorter"
    (board,) = notation.read("goal: a 0,1\na.\n")
    assert solve(board, at_most=0).proof == "lower bound 1 (the start is not solved) > 0"


@pytest.mark.parametrize("engine", ["asp", "sat", "native", "any", "forward", "reverse"])
def test_a_goal_that_no_box_reaches_is_one_reason_with_one_text(engine: str) -> None:
    if engine != "asp":
        pytest.importorskip("pysat" if engine == "sat" else "numba")
    found = solve(formats.read(GOAL_UNREACHED)[0], objective="pushes", engine=engine)
    assert found.status is Status.UNSOLVABLE
    assert str(found.proof).removesuffix(": no plan exists") == UNASSIGNABLE


def test_the_way_back_names_the_push_that_did_it() -> None:
    rng, tried = random.Random(6), 0
    for level in small_levels(9, 120):
        state, moves = rules.initial(level), ""
        for _ in range(30):
            letter, state = rng.choice(sorted(rules.moves(level, state), key=lambda step: step[0]))
            moves += letter
        found = fix(level, moves, find_deadlock)
        if found is None:
            continue
        tried += 1
        pushed = [at for at, letter in enumerate(moves) if letter.isupper()]
        before, after = _after(level, moves[: pushed[-found.undo]]), _after(level, moves[: pushed[-found.undo] + 1])
        assert find_deadlock(level, before) is None and find_deadlock(level, after) is not None
        assert found.state.boxes == before.boxes
        assert before.boxes - after.boxes == {found.blamed.box} and after.boxes - before.boxes == {found.blamed.to}
        assert found.blamed not in found.instead
        possible = dict(rules.unit_pushes(level, before))
        assert set(found.instead) == {push for push, to in possible.items() if find_deadlock(level, to) is None}
    assert tried > 15


def _after(level: Level, moves: str) -> State:
    return [rules.initial(level), *(after for _, _, after in rules.replay(level, moves))][-1]
