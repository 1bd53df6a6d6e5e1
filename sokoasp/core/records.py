"""``dataclass`` as in the standard library, made in half the time: making records was a quarter of a small solve.

The standard library compiles the text of six methods for each class. Here ``__init__`` (and, of frozen ones, what refuses to be
set) still comes from there; ``__eq__``, ``__hash__`` and ``__repr__`` are ordinary functions with the names of the fields.
For the records of modules that every solve loads; others take the standard one.
"""

from __future__ import annotations

import dataclasses
from operator import attrgetter
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from dataclasses import dataclass as dataclass
else:

    def dataclass(*, eq: bool = True, repr: bool = True, frozen: bool = False, slots: bool = False):
        """Return the decorator; each word means what it means there."""

        def made(cls: type) -> type:
            own = {name for name in ("__eq__", "__hash__", "__repr__") if name in cls.__dict__}
            cls = dataclasses.dataclass(eq=False, repr=False, frozen=frozen, slots=slots)(cls)
            for name, method in _methods(dataclasses.fields(cls), eq=eq, repr=repr, frozen=frozen).items():
                if name not in own:
                    setattr(cls, name, method)
            return cls

        return made


def _methods(fields: tuple[dataclasses.Field[Any], ...], *, eq: bool, repr: bool, frozen: bool) -> dict[str, Any]:
    compared = [field.name for field in fields if field.compare]
    hashable = [field.name for field in fields if (field.compare if field.hash is None else field.hash)]
    shown = [field.name for field in fields if field.repr]
    compare, hashing = (attrgetter(*names) if names else lambda self: () for names in (compared, hashable))

    def equal(self: Any, other: object) -> bool:
        return bool(compare(self) == compare(other)) if other.__class__ is self.__class__ else NotImplemented

    def hashed(self: Any) -> int:
        return hash(hashing(self))

    def text(self: Any) -> str:
        parts = ", ".join(f"{name}={getattr(self, name)!r}" for name in shown)
        return f"{self.__class__.__qualname__}({parts})"

    made: dict[str, Any] = {}
    if eq:
        made |= {"__eq__": equal, "__hash__": hashed if frozen else None}
    return {**made, "__repr__": text} if repr else made
