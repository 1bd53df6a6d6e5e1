"""Why there is no answer: a minimal set of assumptions that cannot hold together."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from sokoasp.asp import clingo_api
from sokoasp.asp.catalogue import Encoding
from sokoasp.asp.multishot import ClingoOptions, Session, Stopped
from sokoasp.core.errors import EncodingError
from sokoasp.core.limits import Clock
from sokoasp.core.result import Atom

if TYPE_CHECKING:
    from sokoasp.asp.clingo_api import Symbol


@dataclass(frozen=True, slots=True)
class Core:
    """Atoms that no answer set makes true together."""

    atoms: tuple[Atom, ...]
    """In rising order; empty if the program has no answer set at all."""
    minimal: bool
    """Whether it is proved that leaving out any one of them makes an answer possible; False when a limit came first."""


def minimal_core(encoding: Encoding, facts: str, *, bound: int, clock: Clock) -> Core | None:
    """Assume every atom ``serve/1`` of the program at this bound and shrink what contradicts them to a minimal core.

    Long: a session is set up, and what it says is shrunk while it lasts.

    The program chooses the atoms freely; each added assumption may only take answers away. First clasp's own core is taken,
    then every atom is left out on trial (deletion, one solve call each).

    Returns:
        The core, or None if all atoms can hold together: there is nothing to explain.

    Raises:
        EncodingError: The program cannot be grounded or has no such atoms.
        Stopped: A limit came before any core was known; ``args[0]`` names it.
    """
    session = Session(encoding, facts, ClingoOptions(), clock)
    session.ground([("base", []), *clingo_api.steps(1, bound)])
    session.control.assign_external(clingo_api.query(bound), True)
    symbols = sorted(atom.symbol for atom in session.control.symbolic_atoms.by_signature("serve", 1))
    if not symbols:
        raise EncodingError(f"{encoding.name!r} has no atoms serve/1 to assume")
    core = _core(session, symbols)
    if core is None:
        return None
    needed: list[Symbol] = []
    try:
        while core:
            trial, *rest = core
            smaller = _core(session, [*needed, *rest])
            if smaller is None:
                needed.append(trial)
                core = rest
            else:
                core = [symbol for symbol in smaller if symbol not in needed]
    except Stopped:
        return Core(_atoms([*needed, *core]), minimal=False)
    return Core(_atoms(needed), minimal=True)


def _core(session: Session, symbols: Sequence[Symbol]) -> list[Symbol] | None:
    """Return the symbols among these that already contradict each other, None if they do not."""
    if session.solve([(symbol, True) for symbol in symbols]):
        return None
    literals = set(session.core)
    table = session.control.symbolic_atoms
    return [symbol for symbol in symbols if (atom := table[symbol]) is not None and atom.literal in literals]


def _atoms(symbols: Sequence[Symbol]) -> tuple[Atom, ...]:
    return tuple(map(clingo_api.atom, sorted(symbols)))
