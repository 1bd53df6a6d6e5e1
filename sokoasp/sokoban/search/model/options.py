"""What a caller may switch in the native search, and what its strategies are tuned with."""

from __future__ import annotations

from dataclasses import dataclass, field, fields, replace
from typing import Any, NamedTuple


class Proving(NamedTuple):
    """When one best-first search fills larger tables and when it learns; counted in generated states, not in seconds."""

    climb: float = 0.5
    """A search lasts this many times as long as larger tables will take before they are filled."""
    generation: float = 4e-6
    """Seconds that a generated state counts as in that: they are not measured, so that the same search does the same twice."""
    dearest: int = 10
    """Larger tables may take one part in this number of the time that is left; 0: they are filled or the search ends, so that no
    limit makes it another search."""
    learning: float = 0.5
    """Sets expanded while learning for every state generated since it learned last: about the same time."""
    first_round: int = 10_000
    """An f-layer that has not ended after this number of generated states is learned from."""
    unaided: int = 2_000_000
    """The same number where no plan was given: small levels are exhausted sooner than learned patterns pay."""
    longer: float = 1.35
    """The number is multiplied by this after learning in vain."""
    looks: int = 8
    """Looks at the f-layer in a round."""
    passes: int = 16
    """A search learns this number of times at most while it stores as many states again: all are looked at then."""
    hopeless: int = 4
    """Rounds without learning then."""
    hope: float = 0.25
    """Learning is in vain when it lifts fewer states for every set that it expands, on an average."""
    memory: float = 0.8
    """Weight in that average of the rounds before, against the last one."""
    lasting: int = 1000
    """States expanded in an f-layer when the search begins to change the depth in it."""
    stretch: int = 100
    """Expansions between two such changes; 0: it never changes the depth."""
    stretches: int = 5_000
    """It does so this number of times at most while it stores as many states again: all are looked at for that."""
    sample: int = 300
    """States looked at to see which pairs of cells are rare."""


class Learning(NamedTuple):
    """How long sets of boxes are searched and how much of that is kept."""

    most: int = 20_000
    """Learned patterns kept by one search."""
    expansions: int = 1000
    """Most sets that one search of a set expands."""
    nodes: int = 12_000
    """Most sets that one search of a set stores."""
    depth: int = 3
    """Sets up to this number of pushes away from one that was solved are learned with it."""
    harvest: int = 400
    """Most sets that are learned so."""
    largest: int = 10
    """Boxes of the largest set: ``LARGEST_SET`` at most."""
    cached: int = 50_000
    """Solved sets remembered."""


class PackingOrders(NamedTuple):
    """How long reverse play looks for a packing order."""

    longest: int = 35_000
    """Boxes times expansions of the reverse play at most."""
    stopgap: int = 12_000
    """Boxes times expansions of a reverse play when forward searches begin by its best order so far."""


class OtherStarts(NamedTuple):
    """When packing orders from other starts are tried, and for how long each."""

    wait: int = 15_000
    """Effort of the packing-order search before."""
    unit: int = 1000
    """Effort of the shortest of them; others have twice as much, four times, and so on."""
    first: int = 3
    last: int = 10
    """How many macro pushes from the start those states are that are among the first of a path."""
    tries: int = 100
    """States drawn, at most, for one that was not drawn before."""


class Tuning(NamedTuple):
    """What the strategies are tuned with; every value keeps optimality."""

    proving: Proving = Proving()
    learning: Learning = Learning()
    packing: PackingOrders = PackingOrders()
    restarts: OtherStarts = OtherStarts()


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
    greedy: bool = True
    """Let the portfolio look for an early plan with a search that proves nothing."""
    largest_pattern: int = 5
    """Boxes in the largest patterns; the tables of large ones are filled when a search has lasted as long as that takes."""
    left_out: frozenset[str] = frozenset()
    """Ideas of ``any``, names of ``IDEAS``, that are left out to see what they are worth."""
    tuning: Tuning = field(default_factory=Tuning)

    def uses(self, idea: str) -> bool:
        """Return whether an idea of ``IDEAS`` is used."""
        return idea not in self.left_out

    def without(self, *names: str) -> Options:
        """Return the same options without these switches and ideas of ``any``; ValueError if a name is none of them."""
        wanted = _known(names, (*SWITCHES, *IDEAS))
        off: dict[str, Any] = dict.fromkeys(wanted & set(SWITCHES), False)
        return replace(self, left_out=self.left_out | (wanted - set(SWITCHES)), **off)

    def only(self, *names: str) -> Options:
        """Return the same options with just these prunings and bounds on; ValueError if a name is not a switch."""
        wanted = _known(names, SWITCHES)
        chosen: dict[str, Any] = {name: name in wanted for name in SWITCHES}
        return replace(self, **chosen)


def _known(names: tuple[str, ...], there: tuple[str, ...]) -> set[str]:
    """Return these names. Raises ValueError: one is not there."""
    if unknown := sorted(set(names) - set(there)):
        raise ValueError(f"the native search has no idea named {unknown[0]!r}, only {', '.join(there)}")
    return set(names)


_HOW = ("greedy", "largest_pattern", "left_out", "tuning")
SWITCHES: tuple[str, ...] = tuple(f.name for f in fields(Options) if f.name not in _HOW)

IDEAS = {
    "other_starts": "search: packing orders from other starts",
    "beam": "search: the beam search",
    "frozen_boxes": "lost states: boxes that never move again",
    "proving": "after the first plan: proofs on small boards",
    "shortening": "after the first plan: segments solved anew",
}
"""What ``any`` can do without: searches, a test for lost states, what follows the first plan."""
FOR_ANY = ("patterns", "learned_patterns", "corral", *IDEAS)
"""``IDEAS`` and the switches that matter to ``any``."""

_SEARCH = "sokoasp.sokoban.search"
SHARED = ("sokoasp.sokoban.walk.region_kernel",)
"""Kernels in a cache of their own."""
MODULES: tuple[str, ...] = SHARED + tuple(
    f"{_SEARCH}.{name}"
    for name in (
        "model.records",
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
        "bounds.state_bound",
        "exact.beam",
        "exact.open_list",
        "exact.expand",
    )
)
"""The modules with compiled kernels and what is compiled into them, in the order they are loaded: those of the first search."""
LAYER_MODULES = (*MODULES, f"{_SEARCH}.exact.bitboard_kernels", f"{_SEARCH}.exact.breadth_first_kernels")
"""``MODULES`` and those of breadth-first search: loaded when it enters."""
MOVE_MODULES = (*LAYER_MODULES[:-1], f"{_SEARCH}.exact.move_layers_kernels")
"""``MODULES`` and those of breadth-first search for moves."""
PATTERN_MODULES = (*MODULES, f"{_SEARCH}.bounds.pattern_search")
"""``MODULES`` and what learns, a quarter of all compiling: loaded when a search has something to learn."""
GROUPS = (SHARED, MODULES, LAYER_MODULES, MOVE_MODULES, PATTERN_MODULES)
"""All of them, as they are loaded and compiled together."""
