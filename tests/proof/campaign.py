"""A campaign of folders, honest and forged (an honest one spoilt in one way), shown to both checkers.

``python -m tests.proof.campaign HONEST FORGED [SEED]`` shows these to ``check-proof`` and, where OCaml is installed, to the
checker proved in Coq, and prints what came of it. Exit code 1: they differ, or a false claim was accepted.
"""

import json
import lzma
import random
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import chain, cycle, islice
from pathlib import Path

from sokoasp.core.errors import SokoaspError
from sokoasp.engine.proving import Request, certify
from sokoasp.proof import folder as folders
from sokoasp.proof import group_bounds, level_text
from sokoasp.sokoban.level import Level
from sokoasp.sokoban.rules import plan_from_lurd
from tests.levels import packed_level, random_level
from tests.plan_campaign import Graph, brute_force
from tests.proof import verified
from tests.proof.corral_forging import CONDITIONS, deceive, two_rooms
from tests.proof.forging import package_says, proved_says
from tests.proof.makers import optimum, rest_on_patterns
from tests.proof.ways import Forged, spoilt


def honest(kind: str, rng: random.Random, place: Path) -> Forged | None:
    """Return a certificate of a random level that has what its kind says; None if twenty levels have none."""
    for _ in range(20):
        level, objective = _level(kind, rng)
        level = level_text.read(level_text.write(level)).level()  # as it is read again when the claim is judged
        found = optimum(level, "pushes" if kind == "tie" else objective)
        plan = None if found is None or kind == "tie" else plan_from_lurd(level, found[1])
        if kind == "tie" and found is None:
            continue
        try:
            made = certify(level, place, Request(objective, known=plan))
        except SokoaspError:
            continue
        assert made.claim is not None
        if kind in ("patterns", "corrals", "walls"):
            rest_on_patterns(place, rng, 3, corrals=kind == "corrals", walls=kind == "walls")
        part = {"patterns": folders.PATTERNS, "corrals": folders.CORRALS, "walls": folders.WALLS}.get(kind)
        if part is None or ((place / part).exists() and any(lzma.decompress((place / part).read_bytes()))):
            return _taken(place)
    return None


def _level(kind: str, rng: random.Random) -> tuple[Level, str]:
    seed, objective = rng.randrange(10**6), rng.choice(("pushes", "lines"))
    if kind == "corrals":
        return _rooms(rng), objective
    if kind == "walls":
        return packed_level(seed, boxes=rng.choice((3, 4))), objective
    level = random_level(seed, width=4, height=rng.choice((3, 4)), spare=rng.random() < 0.2)
    return level, folders.TIES if kind == "tie" else rng.choice(("pushes", "lines", "moves"))


def _rooms(rng: random.Random) -> Level:
    """Return two rooms, nearly always of two boxes: the plain searches of one level with more take seconds."""
    most = 4 if rng.random() < 0.04 else 2
    return next(level for level in map(two_rooms, iter(lambda: rng.randrange(10**6), None)) if len(level.boxes) <= most)


def _taken(place: Path) -> Forged:
    """Return the certificate in a folder."""
    files = {path.name: path.read_bytes() for path in place.iterdir() if path.name != "claim.json"}
    claim = json.loads((place / "claim.json").read_text())
    level = level_text.read(files["level.xsb"].decode())
    bounds = group_bounds.build(level, (0,) * len(claim["prices"]), 1, lines=False) if claim["groups"] else None
    live = len(level.cells) if bounds is None else len(bounds.floor.floor_of)
    width = (live + 7) // 8 + (6 if claim["objective"] == folders.TIES else 4)
    return Forged(claim, files, width)


@dataclass(slots=True)
class Outcome:
    """What came of a campaign."""

    tried: Counter[str] = field(default_factory=Counter)
    refused: Counter[str] = field(default_factory=Counter)
    """By all that were asked, by what was done to the folder."""
    accepted: Counter[str] = field(default_factory=Counter)
    """By checker."""
    false: list[str] = field(default_factory=list)
    """Accepted by a checker, and not true."""
    differ: list[str] = field(default_factory=list)
    """Accepted by one checker and refused by the other."""

    def add(self, name: str, folder: Path) -> None:
        """Show a folder to the checkers, and count what they say."""
        said = {"check-proof": package_says(folder)}
        if not verified.missing():
            said["Coq"] = proved_says(folder)
        accepting = [checker for checker, why in said.items() if why is None]
        self.tried[name] += 1
        self.accepted.update(accepting)
        self.refused[name] += not accepting
        reported = f"{name}: {said}, {(folder / 'claim.json').read_text(errors='replace')[:400]}"
        if 0 < len(accepting) < len(said):
            self.differ.append(reported)
        if accepting and not _right(name, folder):
            self.false.append(reported)

    def report(self) -> Iterator[str]:
        """Yield what came of it, line by line."""
        for name in sorted(self.tried):
            yield f"{name}: {self.tried[name]} tried, {self.refused[name]} refused"
        whole = self.tried.total()
        for checker, accepted in sorted(self.accepted.items()):
            yield f"{checker}: {accepted} accepted, {whole - accepted} refused"
        yield f"{whole} folders, {len(self.differ)} disagreements, {len(self.false)} false claims accepted"
        yield from self.differ + self.false


def _right(name: str, folder: Path) -> bool:
    """Find out by a plain search whether a claim that was accepted is true."""
    claim = json.loads((folder / "claim.json").read_text())
    if name == "many boxes":
        return bool(claim["value"] == len(claim["prices"]))
    level = level_text.read((folder / folders.LEVEL).read_text()).level()
    if claim["objective"] == folders.TIES:
        return brute_force(Graph(level), ("pushes", "moves")) == tuple(claim["value"])
    found = optimum(level, claim["objective"])
    return bool(claim["value"] == (None if found is None else found[0]))


def run(most: int, place: Path, seed: int = 0, *, honest: int = 0) -> Outcome:
    """Show ``honest`` honest folders, and ``most`` of which nearly all are forged, to the checkers."""
    rng, outcome = random.Random(seed), Outcome()
    for name, forged in chain(islice(_honest(rng, place), honest), islice(_forged(rng, place), most)):
        outcome.add(name, forged.put(place / "shown"))
    return outcome


def _honest(rng: random.Random, place: Path) -> Iterator[tuple[str, Forged]]:
    """Yield honest certificates: of ten one is a tie-break, and one each has corrals and walls."""
    for kind in cycle(
        ("plain", "patterns", "plain", "corrals", "patterns", "plain", "patterns", "tie", "walls", "plain")
    ):
        if (base := honest(kind, rng, place / kind)) is not None:
            yield f"honest ({kind})", base


def _forged(rng: random.Random, place: Path) -> Iterator[tuple[str, Forged]]:
    """Yield forgeries of one honest certificate after the other, each in some ways, and lists but for one condition."""
    bases = _honest(rng, place)
    for number, (_, base) in enumerate(bases):
        yield from spoilt(rng, base, 24)
        if number % 4 == 0:
            level, without = _rooms(rng), rng.choice(CONDITIONS)
            objective = rng.choice(("pushes", "lines"))
            if (folder := deceive(level, without, place / "deceit", objective)) is not None:
                yield f"corrals but for one condition ({without}, {objective})", _taken(folder)


def main(arguments: Sequence[str]) -> int:
    """Run a campaign of the size asked for."""
    honest_ones, forged_ones, *seed = map(int, arguments)
    with tempfile.TemporaryDirectory() as place:
        outcome = run(forged_ones, Path(place), *seed, honest=honest_ones)
    print("\n".join(outcome.report()))
    return 1 if outcome.differ or outcome.false else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
