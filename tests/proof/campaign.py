"""A campaign of folders, honest and forged (an honest one spoilt in one way), shown to all checkers.

``python -m tests.proof.campaign HONEST FORGED [SEED] [texts|containers]`` shows these to ``check-proof``, ``check_proof.py``,
and where Coq is installed to the checker proved in it, and prints what came of it; exit code 1 if they differ.
"""

from __future__ import annotations

import json
import lzma
import random
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain, count, islice
from pathlib import Path
from typing import Any

from sokoasp import sat
from sokoasp.core.errors import SokoaspError
from sokoasp.core.limits import Limits
from sokoasp.engine.proving import Request, certify
from sokoasp.klotski import notation
from sokoasp.proof import folder as folders
from sokoasp.proof import games, group_bounds, level_text
from sokoasp.sokoban.rules import plan_from_lurd
from tests.levels import packed_level, random_level
from tests.plan_campaign import Graph, brute_force
from tests.proof import verified
from tests.proof.container_ways import CONTAINER_WAYS
from tests.proof.corral_forging import CONDITIONS, deceive, two_rooms
from tests.proof.forging import package_says, standalone_says
from tests.proof.makers import best_slides, boards, optimum, rest_on_patterns
from tests.proof.ways import (
    BOARD_WAYS,
    CORRAL_WAYS,
    OTHER_WAYS,
    REFUTATION_WAYS,
    TIE_WAYS,
    WALL_WAYS,
    WAYS,
    Forged,
    areas_of,
    respelt,
)


def honest(seed: int, place: Path) -> Forged | None:
    """Return a certificate of the level of this seed; None if it makes none with states."""
    objective = ("pushes", "lines", "moves")[seed % 3]
    level = random_level(seed, width=4, height=3 + seed % 2, spare=seed % 7 == 0)
    found = optimum(level, objective)
    plan = None if found is None else plan_from_lurd(level, found[1])
    try:
        made = certify(level, place, Request(objective, Limits(), plan, "states"))
    except SokoaspError:
        return None
    assert made.claim is not None
    if seed % 2:
        rest_on_patterns(place, random.Random(seed), corrals=seed % 4 == 1)
    return _listed(place)


def honest_corrals(rng: random.Random, place: Path) -> Forged | None:
    """Return a certificate of a level of two rooms, its list with corrals; None if some twenty levels have none."""
    for _ in range(20):
        level, objective = two_rooms(rng.randrange(10**6)), rng.choice(("pushes", "lines"))
        found = optimum(level, objective)
        plan = None if found is None else plan_from_lurd(level, found[1])
        try:
            made = certify(level, place, Request(objective, Limits(), plan, "states"))
        except SokoaspError:
            continue
        if made.claim is not None and made.claim.groups:
            rest_on_patterns(place, rng, 3, corrals=True)
            if any(areas_of((place / folders.CORRALS).read_bytes())):
                return _listed(place)
    return None


def honest_walls(rng: random.Random, place: Path) -> Forged | None:
    """Return a certificate of a packed level, its list with fixed boxes; None if some twenty levels have none."""
    for _ in range(20):
        level, objective = packed_level(rng.randrange(10**6), boxes=rng.choice((3, 4))), rng.choice(("pushes", "lines"))
        found = optimum(level, objective)
        if found is None or not found[0]:
            continue
        request = Request(objective, Limits(), plan_from_lurd(level, found[1]), "states")
        assert certify(level, place, request).claim is not None
        if rest_on_patterns(place, rng, 3, walls=True) and lzma.decompress((place / folders.WALLS).read_bytes()):
            return _listed(place)
    return None


def honest_tie(rng: random.Random, place: Path) -> Forged:
    """Return a certificate of a tie-break: pushes, then moves."""
    while True:
        level = random_level(rng.randrange(10**6), width=4, height=rng.choice((3, 4)), spare=rng.random() < 0.2)
        if optimum(level, "pushes") is not None:
            assert certify(level, place, Request(folders.TIES, Limits(), kind="states")).claim is not None
            return _listed(place)


def _listed(place: Path) -> Forged:
    """Return the certificate in a folder, the records of its list as long as its tables say."""
    files = {path.name: path.read_bytes() for path in place.iterdir() if path.name != "claim.json"}
    claim = json.loads((place / "claim.json").read_text())
    live = len(level_text.read(files["level.xsb"].decode()).cells)
    if claim["groups"]:
        words, _ = (
            group_bounds.build(
                level_text.read(files["level.xsb"].decode()), (0,) * len(claim["prices"]), 1, lines=False
            ),
            0,
        )
        live = len(words.floor.floor_of) if words is not None else 0
    return Forged(claim, files, (live + 7) // 8 + (6 if claim["objective"] == folders.TIES else 4))


def honest_board(rng: random.Random, place: Path) -> Forged:
    """Return a certificate of a small Klotski board."""
    board, objective = rng.choice(boards()), rng.choice(("slides", "units"))
    assert certify(board, place, Request(objective, kind="states")).claim is not None
    return _taken(place, len(board.pieces) + 2)


def _taken(place: Path, width: int = 0) -> Forged:
    """Return the certificate in a folder."""
    files = {path.name: path.read_bytes() for path in place.iterdir() if path.name != "claim.json"}
    return Forged(json.loads((place / "claim.json").read_text()), files, width)


def honest_refutation(rng: random.Random, place: Path) -> Forged:
    """Return a refutation of a small level or board, with lemmas or without, its proof in text or binary."""
    if rng.random() < 0.2:
        certify(rng.choice(boards()), place, Request(rng.choice(("slides", "units")), kind="refutation"))
        return _taken(place)
    objective, found = rng.choice(("pushes", "lines", "moves")), None
    while found is None or not 0 < found[0] < 7:
        level = random_level(rng.randrange(10**6), width=4, height=4)
        found = optimum(level, objective)
    wishes = {"lemmas": objective != "moves" and rng.random() < 0.3, "binary": rng.random() < 0.5}
    plan = plan_from_lurd(level, found[1])
    assert certify(level, place, Request(objective, Limits(), plan, "refutation", **wishes)).claim is not None
    return _taken(place)


@dataclass(slots=True)
class Outcome:
    """What came of a campaign."""

    tried: Counter[str] = field(default_factory=Counter)
    refused: Counter[str] = field(default_factory=Counter)
    """By all that were asked, by what was done to the folder."""
    accepted: Counter[str] = field(default_factory=Counter)
    """By checker."""
    left_out: Counter[str] = field(default_factory=Counter)
    """Folders of a kind that a checker does not take."""
    unanswered: Counter[str] = field(default_factory=Counter)
    """Folders of which a checker did not say anything in its time."""
    false: list[str] = field(default_factory=list)
    """Accepted by a checker, and not true."""
    differ: list[str] = field(default_factory=list)
    """Accepted by one checker and refused by another."""

    def add(self, name: str, folder: Path, said: Mapping[str, str | None]) -> str:
        """Count what checkers say of a folder; return it in words, empty where none accepts the folder."""
        self.tried[name] += 1
        taken = {checker: why for checker, why in said.items() if not (why or "").startswith((LEFT_OUT, NO_ANSWER))}
        for checker in said.keys() - taken.keys():
            (self.unanswered if (said[checker] or "").startswith(NO_ANSWER) else self.left_out)[checker] += 1
        accepting = [checker for checker, why in taken.items() if why is None]
        self.accepted.update({checker: int(why is None) for checker, why in said.items()})
        self.refused[name] += not accepting
        reported = f"{name}: {taken}, {(folder / 'claim.json').read_text(errors='replace')[:400]}"
        if 0 < len(accepting) < len(taken):
            self.differ.append(reported)
        return reported if accepting else ""

    def by_checker(self) -> Iterator[str]:
        """Yield what each checker said."""
        whole = self.tried.total()
        for checker in sorted(self.accepted):
            accepted, not_taken, late = (of[checker] for of in (self.accepted, self.left_out, self.unanswered))
            refused = whole - accepted - not_taken - late
            yield f"{checker}: {accepted} accepted, {refused} refused, {not_taken} not of its kinds, {late} not answered"


def true(claim: Any, text: str) -> bool:
    """Find out by the plain search whether a claim that was accepted is true."""
    if claim["game"] == "klotski":
        return bool(best_slides(notation.read(text)[0], claim["objective"])[0] == claim["value"])
    level = level_text.read(text).level()
    if claim["objective"] == folders.TIES:
        return brute_force(Graph(level), ("pushes", "moves")) == tuple(claim["value"])
    found = optimum(level, claim["objective"])
    return claim["value"] == (None if found is None else found[0])


Others = Mapping[str, Callable[[Sequence[Path]], Sequence[str | None]]]
"""Checkers in other languages by their names: why each folder is refused, None where it is accepted."""
IN_PYTHON: Others = {
    "check-proof": lambda folders: [package_says(folder) for folder in folders],
    "check_proof.py": lambda folders: [standalone_says(folder) for folder in folders],
}
LEFT_OUT = "not checked"
"""How the answer begins of a checker that does not take a kind."""
NO_ANSWER = "no answer"
"""How what is noted begins of a checker that did not end in its time."""


def run(
    most: int, place: Path, seed: int = 0, *, honest: int = 0, others: Others | None = None, only: str = ""
) -> Outcome:
    """Show ``honest`` honest folders, and ``most`` of which nearly all are forged, to both checkers in Python and to others.

    ``only`` names what alone is changed: ``texts`` (signs of them) or ``containers`` (how claims are spelt and files packed).
    """
    rng, outcome = random.Random(seed), Outcome()
    forge = {"": _forged, "texts": _respelt, "containers": _repacked}[only]
    made = chain(islice(_honest(rng, place), honest), islice(forge(rng, place), most))
    shown = [(name, forged.put(place / "shown" / str(number))) for number, (name, forged) in enumerate(made)]
    asked = {**IN_PYTHON, **(others or {})}
    answers = {checker: says([folder for _, folder in shown]) for checker, says in asked.items()}
    for at, (name, folder) in enumerate(shown):
        reported = outcome.add(name, folder, {checker: all_of[at] for checker, all_of in answers.items()})
        if reported and not _right(name, folder):
            outcome.false.append(reported)
    return outcome


def _right(name: str, folder: Path) -> bool:
    """Find out whether a claim that was accepted is true."""
    claim = json.loads((folder / "claim.json").read_text())
    if name == "many boxes":
        return bool(claim["value"] == len(claim["prices"]))
    return true(claim, (folder / games.load(claim["game"]).level_file).read_text())


def _honest(rng: random.Random, place: Path) -> Iterator[tuple[str, Forged]]:
    """Yield honest certificates: of twenty two are boards, two refutations and two tie-breaks."""
    for number in count():
        if number % 10 == 0:
            yield "honest (board)", honest_board(rng, place / "board")
        elif number % 10 == 5 and sat.available():
            yield "honest (refutation)", honest_refutation(rng, place / "refutation")
        elif number % 10 == 7:
            yield "honest (tie)", honest_tie(rng, place / "tie")
        elif number % 10 == 3 and (base := honest_corrals(rng, place / "corrals")) is not None:
            yield "honest (corrals)", base
        elif number % 10 == 8 and (base := honest_walls(rng, place / "walls")) is not None:
            yield "honest (walls)", base
        elif (base := honest(rng.randrange(10**6), place / "honest")) is not None:
            yield "honest (patterns)" if folders.PATTERNS in base.files else "honest", base


def _forged(rng: random.Random, place: Path) -> Iterator[tuple[str, Forged]]:
    """Yield forgeries of one honest certificate after the other, each in every way of its kind."""
    for number in count():
        if number % 6 == 0:
            yield from _spoilt(rng, honest_board(rng, place / "board"), BOARD_WAYS, " (board)")
        if number % 6 == 1 and sat.available():
            yield from _spoilt(rng, honest_refutation(rng, place / "refutation"), REFUTATION_WAYS, " (refutation)")
        if number % 6 == 2 and (barred := honest_corrals(rng, place / "corrals")) is not None:
            yield from _spoilt(rng, barred, CORRAL_WAYS, " (corrals)")
        if number % 6 == 3 and (walled := honest_walls(rng, place / "walls")) is not None:
            yield from _spoilt(rng, walled, WALL_WAYS, " (walls)")
        if number % 6 == 4:
            yield from _spoilt(rng, honest_tie(rng, place / "tie"), TIE_WAYS, " (tie)")
        if number % 2 == 0:
            level, without = two_rooms(rng.randrange(10**6)), rng.choice(CONDITIONS)
            objective = rng.choice(("pushes", "lines"))
            if (folder := deceive(level, without, place / "deceit", objective)) is not None:
                yield f"corrals but for one condition ({without}, {objective})", _taken(folder)
        base = honest(rng.randrange(10**6), place / "honest")
        if base is not None:
            yield from _spoilt(rng, base, [name for name in WAYS if name not in OTHER_WAYS])


def _respelt(rng: random.Random, place: Path) -> Iterator[tuple[str, Forged]]:
    for _, base in _honest(rng, place):
        made = (respelt(rng, base) for _ in range(8))
        yield from (("spelling", forged) for forged in made if forged is not None)


def _repacked(rng: random.Random, place: Path) -> Iterator[tuple[str, Forged]]:
    for kind, base in _honest(rng, place):
        for name, way in CONTAINER_WAYS.items():
            made = (way(rng, base) for _ in range(4))
            yield from ((f"{name} ({kind})", forged) for forged in made if forged is not None)


def _spoilt(rng: random.Random, base: Forged, ways: Sequence[str], kind: str = "") -> Iterator[tuple[str, Forged]]:
    for name in ways:
        forged = WAYS[name](rng, base)
        if forged is not None:
            yield name + kind, forged


def others(place: Path) -> Others:
    """Return the checkers in other languages that can run here; the one proved in Coq is built in ``place``."""
    found: dict[str, Callable[[Sequence[Path]], Sequence[str | None]]] = {}
    if not verified.MISSING:
        says = verified.built(place)
        found["Coq"] = lambda folders: [says(folder) for folder in folders]
    return found


def report(outcome: Outcome) -> Iterator[str]:
    """Yield what came of a campaign, line by line."""
    for name in sorted(outcome.tried):
        yield f"{name}: {outcome.tried[name]} tried, {outcome.refused[name]} refused"
    yield from outcome.by_checker()
    yield f"{outcome.tried.total()} folders, {len(outcome.differ)} disagreements, {len(outcome.false)} false claims accepted"
    yield from outcome.differ + outcome.false


def main() -> int:
    """Run a campaign of the size asked for."""
    only = sys.argv.pop() if sys.argv[-1] in ("texts", "containers") else ""
    honest_ones, forged_ones, *seed = map(int, sys.argv[1:])
    with tempfile.TemporaryDirectory() as place:
        built = others(Path(place) / "verified")
        outcome = run(forged_ones, Path(place), *seed, honest=honest_ones, others=built, only=only)
    print("\n".join(report(outcome)))
    return 1 if outcome.differ or outcome.false else 0


if __name__ == "__main__":
    sys.exit(main())
