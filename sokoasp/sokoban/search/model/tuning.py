"""What the strategies of the search were tuned with: a frozen record for each, so that a campaign can vary them.

A suite's system of kind ``native`` takes ``tuning = { learning.expansions = 2000 }``
(docs/bench.md). Every value keeps optimality.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace

from sokoasp.sokoban.search.model.registers import LARGEST_SET


@dataclass(frozen=True, slots=True)
class Proving:
    """When one best-first search fills larger tables and when it learns; counted in generated states, not in seconds."""

    climb: float = 0.5
    """A search lasts this many times as long as larger tables will take before they are filled ..."""
    generation: float = 4e-6
    """... by this many seconds for every generated state: counted, so that the same search does the same twice."""
    dearest: int = 10
    """Larger tables may take one part in this number of the time that is left; 0: they are filled or the search ends, so that no
    limit makes it another search."""
    learning: float = 0.5
    """Sets expanded while learning for every state generated since it learned last: about the same time."""
    first_round: int = 10_000
    """An f-layer that has not ended after this number of generated states is learned from ..."""
    unaided: int = 2_000_000
    """... but only after this number where no plan was given: small levels are exhausted sooner than learned patterns pay ..."""
    longer: float = 1.35
    """... and after this multiple of it where that was in vain."""
    looks: int = 8
    """Looks at the f-layer in a round."""
    passes: int = 16
    """A search learns this number of times at most while it stores as many states again: all are looked at then."""
    hopeless: int = 4
    """Rounds without learning then."""
    hope: float = 0.25
    """Learning is in vain when it lifts fewer states for every set that it expands ..."""
    memory: float = 0.8
    """... where those of the round before count this much, and so on."""
    lasting: int = 1000
    """States expanded in an f-layer when the search begins to change the depth in it ..."""
    stretch: int = 100
    """... after this number of expansions each; 0: never."""
    stretches: int = 5_000
    """It does so this number of times at most while it stores as many states again: all are looked at for that."""
    sample: int = 300
    """States looked at to see which pairs of cells are rare."""


@dataclass(frozen=True, slots=True)
class Learning:
    """How long sets of boxes are searched and how much of that is kept."""

    most: int = 20_000
    """Learned patterns kept by one search."""
    expansions: int = 1000
    """Most sets one search of a set expands ..."""
    nodes: int = 12_000
    """... and most it stores."""
    depth: int = 3
    """Sets up to this number of pushes away from one that was solved are learned with it ..."""
    harvest: int = 400
    """... up to this number of sets."""
    largest: int = 10
    """Boxes of the largest set: ``LARGEST_SET`` at most."""
    cached: int = 50_000
    """Solved sets remembered."""


@dataclass(frozen=True, slots=True)
class PackingOrders:
    """How long reverse play looks for a packing order."""

    longest: int = 35_000
    """Boxes times expansions of the reverse play at most."""
    stopgap: int = 12_000
    """Boxes times expansions of a reverse play when forward searches begin by its best order so far."""


@dataclass(frozen=True, slots=True)
class OtherStarts:
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


@dataclass(frozen=True, slots=True)
class Tuning:
    """The records of all strategies."""

    proving: Proving = field(default_factory=Proving)
    learning: Learning = field(default_factory=Learning)
    packing: PackingOrders = field(default_factory=PackingOrders)
    restarts: OtherStarts = field(default_factory=OtherStarts)

    def varied(self, values: Mapping[str, float]) -> Tuning:
        """Return the same with other values, named ``strategy.constant``.

        Raises:
            ValueError: There is no such constant, or it cannot have this value.
        """
        tuning = self
        for name, value in values.items():
            strategy, _, constant = name.partition(".")
            record = getattr(tuning, strategy, None) if strategy in _names(tuning) else None
            if record is None or constant not in _names(record):
                some = _names(tuning) if record is None else (strategy,)
                known = ", ".join(f"{one}.{each}" for one in some for each in _names(getattr(tuning, one)))
                raise ValueError(f"there is no constant {name!r} of the search, only {known}")
            whole = isinstance(getattr(record, constant), int)
            if value <= 0 or (whole and value != int(value)):
                raise ValueError(f"{name} must be a {'whole ' * whole}number above 0, not {value:g}")
            if name == "learning.largest" and value > LARGEST_SET:
                raise ValueError(f"{name} must be {LARGEST_SET} at most, not {value:g}")
            changed = replace(record, **{constant: type(getattr(record, constant))(value)})
            tuning = replace(tuning, **{strategy: changed})
        return tuning


def _names(record: object) -> tuple[str, ...]:
    """Return the names of a record's fields."""
    return tuple(one.name for one in fields(record))  # type: ignore[arg-type]
