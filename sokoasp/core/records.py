"""``dataclass`` as in the standard library, made in a third of the time: making records was a quarter of a small solve.

The standard library compiles the text of nine methods for each frozen class. Here it collects the fields, and only ``__init__``
is compiled, and only of records that are made often; the other methods are ordinary functions with the names of the fields.
For the records of modules that every solve loads; others take the standard one, and so do classes that inherit or have fields
of another kind (``kw_only``, ``InitVar``).
"""

from __future__ import annotations

import dataclasses
import inspect
from collections.abc import Callable
from dataclasses import MISSING
from functools import partial
from operator import attrgetter
from typing import TYPE_CHECKING, Any, Generic

FEW = 20
"""Records of a class before its ``__init__`` is compiled: compiling takes as long as filling a hundred."""

if TYPE_CHECKING:
    from dataclasses import dataclass as dataclass
else:

    def dataclass(*, eq: bool = True, repr: bool = True, frozen: bool = False, slots: bool = False):
        """Return the decorator; each word means what it means there."""

        def made(cls: type) -> type:
            own = {name for name in ("__eq__", "__hash__", "__repr__") if name in cls.__dict__}
            if not _plain(cls):
                return dataclasses.dataclass(eq=eq, repr=repr, frozen=frozen, slots=slots)(cls)
            fields = _fields(cls)
            if slots:
                cls = _slotted(cls, tuple(field.name for field in fields))
            cls.__init__ = _Later(cls, fields, frozen=frozen)
            methods = _methods(fields, eq=eq, repr=repr, frozen=frozen)
            for name, method in {**methods, **(_guards(cls, fields) if frozen else {})}.items():
                if name not in own:
                    setattr(cls, name, method)
            return cls

        return made


class _Factory:
    """Stands in a signature for a default that is made anew each time."""

    def __repr__(self) -> str:
        return "<factory>"


_MISSING = _Factory()


def _plain(cls: type[Any]) -> bool:
    notes = " ".join(map(str, inspect.get_annotations(cls).values()))
    words = any(getattr(value, "kw_only", False) is True for value in vars(cls).values())
    special = any(word in notes for word in ("InitVar", "KW_ONLY"))
    return type(cls) is type and cls.__bases__ in ((object,), (Generic,)) and not words and not special


def _fields(cls: type[Any]) -> tuple[dataclasses.Field[Any], ...]:
    """Collect the fields, their types out of sight: the standard library matches each that is a text with patterns."""
    notes = inspect.get_annotations(cls)
    cls.__annotations__ = {name: note if "ClassVar" in str(note) else object for name, note in notes.items()}
    fields = dataclasses.fields(dataclasses.dataclass(init=False, eq=False, repr=False)(cls))
    for field in fields:
        field.type = notes[field.name]
    cls.__annotations__ = notes
    return fields


def _slotted(cls: type[Any], names: tuple[str, ...]) -> type[Any]:
    """Return the class again, with a slot for each field; a class cannot be given slots once it is there."""
    body = {name: value for name, value in cls.__dict__.items() if name not in (*names, "__dict__", "__weakref__")}
    made: type[Any] = type(cls.__name__, cls.__bases__, {**body, "__slots__": names})
    made.__qualname__ = cls.__qualname__
    return made


class _Later:
    """Stands for ``__init__`` until it has been called ``FEW`` times: most records of a solve are made once or twice."""

    def __init__(self, cls: type[Any], fields: tuple[dataclasses.Field[Any], ...], *, frozen: bool) -> None:
        self._class, self._fields = cls, fields
        self._frozen = frozen
        self._set = object.__setattr__ if frozen else setattr
        self._names = [field.name for field in fields if field.init]
        self._left = FEW

    def __get__(self, instance: object, owner: type[Any]) -> Callable[..., None]:
        self._left -= 1
        if instance is not None and self._left >= 0:
            return partial(self._fill, instance)
        self._class.__init__ = init = self._compiled()
        return init if instance is None else init.__get__(instance)

    def _compiled(self) -> Callable[..., None]:
        return _init(self._class, self._fields, frozen=self._frozen)

    def _fill(self, instance: Any, /, *given: Any, **named: Any) -> None:
        """Do what ``__init__`` does; arguments that it does not take are left to it, for its message."""
        values = {**dict(zip(self._names, given, strict=False)), **named}
        if len(values) < len(given) + len(named) or not values.keys() <= set(self._names):
            self._compiled()(instance, *given, **named)
        for field in self._fields:
            if field.name in values:
                value = values[field.name]
            elif field.default is not MISSING:
                value = field.default
            elif field.default_factory is not MISSING:
                value = field.default_factory()
            elif field.init:
                self._compiled()(instance, *given, **named)
            else:
                continue
            self._set(instance, field.name, value)
        if hasattr(instance, "__post_init__"):
            instance.__post_init__()


def _init(cls: type[Any], fields: tuple[dataclasses.Field[Any], ...], *, frozen: bool) -> Callable[..., None]:
    """Compile ``__init__``: its text names defaults and makers of defaults by the number of the field."""
    known: dict[str, Any] = {"_set": object.__setattr__, "_missing": _MISSING}
    words, lines = ["self"], []
    for number, field in enumerate(fields):
        name, value = field.name, field.name
        default = f"_{number}"
        if field.default is not MISSING:
            known[default] = field.default
            value = value if field.init else default
            words += [f"{name}={default}"] if field.init else []
        elif field.default_factory is not MISSING:
            known[default] = field.default_factory
            value = f"{default}() if {name} is _missing else {name}" if field.init else f"{default}()"
            words += [f"{name}=_missing"] if field.init else []
        elif not field.init:
            continue
        else:
            words.append(name)
        lines.append(f"_set(self, {name!r}, {value})" if frozen else f"self.{name} = {value}")
    if hasattr(cls, "__post_init__"):
        lines.append("self.__post_init__()")
    found: dict[str, Any] = {}
    exec(f"def __init__({', '.join(words)}):\n " + "\n ".join(lines or ["pass"]), known, found)
    init: Callable[..., None] = found["__init__"]
    init.__qualname__ = f"{cls.__qualname__}.__init__"
    init.__annotations__ = {**{field.name: field.type for field in fields if field.init}, "return": None}
    return init


def _guards(cls: type[Any], fields: tuple[dataclasses.Field[Any], ...]) -> dict[str, Any]:
    """Return what refuses changes, and what pickling and copying need because of it."""
    names = tuple(field.name for field in fields)

    def refused(self: Any, name: str, *value: Any) -> None:
        if type(self) is cls or name in names:
            raise dataclasses.FrozenInstanceError(f"cannot {'assign to' if value else 'delete'} field {name!r}")
        (object.__setattr__ if value else object.__delattr__)(self, name, *value)

    def state(self: Any) -> list[Any]:
        return [getattr(self, name) for name in names]

    def restore(self: Any, values: list[Any]) -> None:
        for name, value in zip(names, values, strict=True):
            object.__setattr__(self, name, value)

    cls.__dataclass_params__.frozen = True
    slots = {"__getstate__": state, "__setstate__": restore} if "__slots__" in cls.__dict__ else {}
    return {"__setattr__": refused, "__delattr__": refused, **slots}


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
