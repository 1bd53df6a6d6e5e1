"""What a caller may switch in the native search."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, fields, replace
from functools import cache
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from sokoasp.sokoban.search.model.tuning import Tuning


@cache
def _usual() -> Tuning:
    """Return the package's own constants; a solve that no native search joins does not load them."""
    from sokoasp.sokoban.search.model.tuning import Tuning

    return Tuning()


@dataclass(frozen=True, slots=True)
class Options:
    """Prunings and bounds (each keeps optimality; switches exist to test and to measure them) and how to run."""

    matching: bool = True
    """Player-aware least-cost matching of boxes to goals as the lower bound; without it the bound is 0."""
    patterns: bool = True
    """Pattern databases: what pairs, triples and more boxes cost together, and which are dead; needs ``matching``."""
    covering: bool = True
    """What patterns that share boxes cost together, beyond any choice of disjoint ones; needs ``patterns``."""
    learned_patterns: bool = True
    """What larger sets cost together, learned from states of f-layers that do not end; needs ``patterns``."""
    freeze: bool = True
    """Drop states with boxes that can never move again off goal (forward search)."""
    corral: bool = True
    """Push into a closed corral first when that loses nothing (forward search, lines and pushes)."""
    walls: bool = True
    """Take boxes that never move again as walls for the others (forward search, no spare boxes); needs ``matching``."""
    potential: bool = True
    """Count the player's ways back in bounds on moves, by a potential of its cell; needs ``matching``."""
    greedy: bool = True
    """Let the portfolio look for an early plan with a search that proves nothing."""
    largest_pattern: int = 5
    """Boxes in the largest patterns; the tables of large ones are filled when a search has lasted as long as that takes."""
    left_out: frozenset[str] = frozenset()
    """Ideas of ``any``, names of ``IDEAS``, that are left out to see what they are worth."""
    tuning: Tuning | None = None
    """What the strategies are tuned with; None: the package's own constants."""
    progress: Callable[[str], None] | None = None
    """Called now and then with one line what is going on."""

    @property
    def tuned(self) -> Tuning:
        """Return the constants to go by."""
        return self.tuning or _usual()

    def uses(self, idea: str) -> bool:
        """Return whether an idea of ``IDEAS`` is used."""
        return idea not in self.left_out

    def without(self, *names: str) -> Options:
        """Return the same options without these switches and ideas of ``any``.

        Raises:
            ValueError: A name is none of them.
        """
        wanted = set(names)
        unknown = sorted(wanted - {*SWITCHES, *IDEAS})
        if unknown:
            raise ValueError(
                f"the native search has no idea named {unknown[0]!r}, only {', '.join((*SWITCHES, *IDEAS))}"
            )
        off: dict[str, Any] = dict.fromkeys(wanted & set(SWITCHES), False)
        return replace(self, left_out=self.left_out | (wanted - set(SWITCHES)), **off)

    def only(self, *names: str) -> Options:
        """Return the same options with exactly these prunings and bounds switched on.

        Raises:
            ValueError: A name is not a switch.
        """
        wanted = set(names)
        unknown = sorted(wanted - set(SWITCHES))
        if unknown:
            raise ValueError(f"{unknown[0]!r} is not one of {', '.join(SWITCHES)}")
        chosen: dict[str, Any] = {name: name in wanted for name in SWITCHES}
        return replace(self, **chosen)


_HOW = ("greedy", "largest_pattern", "left_out", "tuning", "progress")
SWITCHES: tuple[str, ...] = tuple(f.name for f in fields(Options) if f.name not in _HOW)

IDEAS = {
    "other_starts": "search: packing orders from other starts",
    "beam": "search: the beam search",
    "novelty": "search: every second beam puts off states without a new pair of boxes' cells",
    "frozen_boxes": "lost states: boxes that never move again",
    "proving": "after the first plan: proofs on small boards",
    "shortening": "after the first plan: segments, suffixes and prefixes solved anew",
}
"""What ``any`` can do without: searches, a test for lost states, what follows the first plan."""
FOR_ANY = ("patterns", "learned_patterns", "corral", *IDEAS)
"""The same and the switches that matter to ``any``."""

_SEARCH = "sokoasp.sokoban.search"
SHARED = ("sokoasp.sokoban.walk.region_kernel",)
"""Kernels in a cache of their own."""
MODULES: tuple[str, ...] = SHARED + tuple(
    f"{_SEARCH}.{name}"
    for name in (
        "model.records",
        "model.registers",
        "kernels.buckets",
        "kernels.primitives",
        "kernels.hash_set",
        "kernels.freeze",
        "kernels.corral",
        "bounds.database_kernels",
        "bounds.cost_partitioning",
        "bounds.cost_covering",
        "bounds.pattern_index",
        "bounds.frozen_walls",
        "exact.beam",
        "exact.open_list",
        "exact.expand",
    )
)
"""The modules with compiled kernels and what is compiled into them, in the order they are loaded: those of the first search."""
LAYER_MODULES = (*MODULES, f"{_SEARCH}.exact.bitboard_kernels", f"{_SEARCH}.exact.breadth_first_kernels")
"""The same and those of breadth-first search: loaded when it enters."""
MOVE_MODULES = (*LAYER_MODULES[:-1], f"{_SEARCH}.exact.move_layers_kernels")
"""The same for moves."""
PATTERN_MODULES = (*MODULES, f"{_SEARCH}.bounds.pattern_registers", f"{_SEARCH}.bounds.pattern_search")
"""The same and what learns, a quarter of all compiling: loaded when a search has something to learn."""
