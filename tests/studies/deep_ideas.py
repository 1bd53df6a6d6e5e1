"""Deeper ideas beside ``lines-forward``: what each does to the refutation of one line push less than the optimum.

Run ``python -m tests.studies.deep_ideas FILES``: a row for each level and idea, with the conflicts and CPU seconds (grounding
apart) of one call at exactly optimum-1; a file ``*.txt`` of such rows is read, not measured again. None is in the package;
docs/encodings-measured.md, "Deeper ideas", has table and why.

- ``frozen``: a clingo propagator that sees boxes block each other for good, one not on a goal, forbids them in every state.
- ``dead``: so it does with what any deadlock detector finds in a whole state (frozen boxes as walls, closed regions).
- ``corral``: where a PI-corral must be opened (docs/native.md), it forbids all pushes in that state but those into it.
- ``learned``: sets of boxes that the native search has learned to be dead, or far from the end, as constraints in every state.
- ``ordered``: of two line pushes in a row that may be exchanged only one order, by the cells of their boxes.
- ``middle``: the first half of the plan by ``lines-forward``, the second by ``lines-remaining``, and both states equal where they
  meet.
"""

from __future__ import annotations

import re
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import clingo

from sokoasp.asp import catalogue
from sokoasp.core.limits import Limits
from sokoasp.domain import domain_of
from sokoasp.engine import solve
from sokoasp.engine.by_asp import Tables
from sokoasp.sokoban import formats
from sokoasp.sokoban.level import Level
from tests.studies import deep_propagators, deep_texts

IDEAS = ("plain", "frozen", "dead", "corral", "learned", "ordered", "middle")
LAZY = ("frozen", "dead", "corral")
"""Those of a propagator."""
MOST = 30.0
"""CPU seconds after which a call is given up."""


@dataclass(frozen=True, slots=True)
class Program:
    """A program to be asked once."""

    given: str
    """Facts of level and tables."""
    texts: tuple[str, ...]
    """Rules, each with its own ``#program`` lines."""
    parts: tuple[tuple[str, int], ...]
    """(part, number) in the order of grounding."""


@dataclass(frozen=True, slots=True)
class Call:
    """What came of one call."""

    verdict: str
    """``sat``, ``unsat`` or ``open``."""
    models: int
    conflicts: int
    seconds: float
    """CPU seconds of solving."""
    clauses: int
    """Clauses that a propagator has added."""


def program(level: Level, idea: str, bound: int) -> Program:
    """Return the program of an idea for plans of exactly ``bound`` line pushes."""
    if idea == "middle":
        return _middle(level, bound)
    encoding = catalogue.named("lines-forward")
    domain = domain_of(level)
    given = Tables(domain, level, "lines").beside(domain.facts(level, None), encoding)
    texts = [path.read_text(encoding="utf-8") for path in encoding.files[:-1]]
    if idea == "ordered":
        texts.append(deep_texts.ORDERED)
    if idea == "learned":
        texts.append(deep_texts.learned(level))
    return Program(given, tuple(texts), (("base", 0), *(("step", t) for t in range(1, bound + 1)), ("check", bound)))


def _middle(level: Level, bound: int) -> Program:
    """Return both programs in one, the one from the end with names of its own."""
    domain = domain_of(level)
    texts = [(catalogue.folder() / "sokoban/rules/geometry.lp").read_text(encoding="utf-8")]
    texts.append(f"#program base. horizon_at_least(1..{bound}).")
    for name, left_out in (("lines-forward", "rules/goal.lp"), ("lines-remaining", "remaining/start.lp")):
        encoding = catalogue.named(name)
        skipped = ("geometry.lp", "horizon.lp", left_out)
        files = [path for path in encoding.files[:-1] if not path.as_posix().endswith(skipped)]
        text = "\n".join(
            [
                "#program base.",
                Tables(domain, level, "lines").facts(encoding),
                *(path.read_text(encoding="utf-8") for path in files),
            ]
        )
        texts.append(deep_texts.renamed(text) if name == "lines-remaining" else text)
    half = bound // 2
    texts.append(deep_texts.meeting(half, bound - half))
    forward = [("step", t) for t in range(1, half + 1)]
    back = [("r_step", t) for t in range(1, bound - half + 1)]
    return Program(domain.facts(level, None), tuple(texts), (("base", 0), *forward, *back, ("meet", 0)))


def ask(level: Level, idea: str, bound: int, *, models: int = 1, most: float = MOST) -> Call:
    """Ask for plans of exactly ``bound`` line pushes; ``models``: 0 for all of them."""
    wanted = program(level, idea, bound)
    control = clingo.Control(["--warn=none", f"--models={models}"])
    control.add("base", [], wanted.given)
    for text in wanted.texts:
        for name, part in re.findall(
            r"#program (\w+)(?:\(t\))?\.(.*?)(?=#program|\Z)", "#program base." + text, re.DOTALL
        ):
            control.add(name, [] if name == "base" else ["t"], part)
    propagator = deep_propagators.of(level, idea) if idea in LAZY else None
    if propagator:
        control.register_propagator(propagator)
    control.ground([(part, [] if part == "base" else [clingo.Number(t)]) for part, t in wanted.parts])
    for atom in control.symbolic_atoms.by_signature("query", 1):
        control.assign_external(atom.literal, True)
    began, count = time.process_time(), 0
    with control.solve(yield_=True, async_=True) as handle:
        while True:
            handle.resume()
            while not handle.wait(0.2) and time.process_time() - began < most:
                pass
            if not handle.wait(0):
                handle.cancel()
            if handle.model() is None:
                break
            count += 1
        result = handle.get()
    seconds = time.process_time() - began
    verdict = "sat" if count else "unsat" if result.unsatisfiable else "open"
    stats: Any = control.statistics
    return Call(
        verdict, count, int(stats["solving"]["solvers"]["conflicts"]), seconds, propagator.clauses if propagator else 0
    )


def rows(files: Sequence[str]) -> Iterator[tuple[str, int, str, Call]]:
    """Yield level, optimum, idea and call for each level that has a plan within a minute by the native search, and each idea."""
    for file in files:
        if file.endswith(".txt"):
            yield from _read(Path(file).read_text(encoding="utf-8"))
            continue
        for level in formats.read(Path(file).read_bytes(), source=file):
            best = solve(level, objective="lines", engine="native", limits=Limits(seconds=60)).value
            for idea in IDEAS if best else ():
                yield Path(file).stem, int(best or 0), idea, ask(level, idea, int(best or 0) - 1)


def _read(text: str) -> Iterator[tuple[str, int, str, Call]]:
    for row in text.splitlines():
        cells = [cell.strip() for cell in row.strip("|").split("|")]
        if len(cells) == 7 and cells[1].isdigit():
            name, best, idea, verdict, conflicts, seconds, clauses = cells
            yield name, int(best), idea, Call(verdict, 0, int(conflicts), float(seconds), int(clauses))


def line(name: str, best: int, idea: str, call: Call) -> str:
    """Return a row of the table."""
    return f"| {name} | {best} | {idea} | {call.verdict} | {call.conflicts} | {call.seconds:.2f} | {call.clauses} |"


def summary(found: Sequence[tuple[str, int, str, Call]]) -> Iterator[str]:
    """Yield the second table: idea by idea against the program without it, on the levels that both decide."""
    yield "| idea | both decide | conflicts × | CPU s × | fewer | faster | it alone | not it |"
    yield "|---|---:|---:|---:|---:|---:|---:|---:|"
    calls = {(name, idea): call for name, _, idea, call in found}
    names = list(dict.fromkeys(name for name, _, _, _ in found))
    for idea in IDEAS[1:]:
        pairs = [(calls[name, "plain"], calls[name, idea]) for name in names]
        both = [(a, b) for a, b in pairs if "open" not in (a.verdict, b.verdict)]
        conflicts = sum(b.conflicts for _, b in both) / max(1, sum(a.conflicts for a, _ in both))
        seconds = sum(b.seconds for _, b in both) / max(0.01, sum(a.seconds for a, _ in both))
        fewer, faster = sum(b.conflicts < a.conflicts for a, b in both), sum(b.seconds < a.seconds for a, b in both)
        only = [
            sum(x.verdict == "open" != y.verdict for x, y in ordered) for ordered in (pairs, [(b, a) for a, b in pairs])
        ]
        cells = f"`{idea}`", len(both), f"{conflicts:.2f}", f"{seconds:.2f}", fewer, faster, *only
        yield f"| {' | '.join(map(str, cells))} |"


def conflicts(found: Sequence[tuple[str, int, str, Call]]) -> Iterator[str]:
    """Yield the third table: conflicts by level and idea, clauses of a propagator in brackets."""
    yield f"| level (bound) | {' | '.join(f'`{idea}`' for idea in IDEAS)} |"
    yield f"|---|{'---:|' * len(IDEAS)}"
    calls = {(name, idea): call for name, _, idea, call in found}
    for name, best in dict.fromkeys((name, best) for name, best, _, _ in found):
        texts = [
            f"{call.conflicts}{f' ({call.clauses})' * (call.clauses > 0)}" for call in (calls[name, i] for i in IDEAS)
        ]
        yield f"| {name} ({best - 1}) | {' | '.join(texts)} |"


def main(files: Sequence[str], say: Callable[[str], None]) -> None:
    """Print a row for each level and idea, then the sums, then the conflicts."""
    say("| level | optimum | idea | optimum-1 | conflicts | CPU s | clauses added |\n|---|---:|---|---|---:|---:|---:|")
    found = []
    for row in rows(files):
        say(line(*row))
        found.append(row)
    say("")
    for text in (*summary(found), "", *conflicts(found)):
        say(text)


if __name__ == "__main__":
    main(sys.argv[1:], lambda text: print(text, flush=True))
