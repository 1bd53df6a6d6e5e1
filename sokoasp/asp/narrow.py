"""A public predicate said in the program's own words where a use leaves arguments open, so that no bridge is needed for it.

``push(_,up,_,T)`` asks for the direction of a push only. A bridge would make an atom for every line on the map and every action;
the program that states a push by its beginning and its end has an atom that says just that.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sokoasp.asp import clingo_api
from sokoasp.asp.statements import Signature, Use

if TYPE_CHECKING:
    from sokoasp.asp.clingo_api import Control


@dataclass(frozen=True, slots=True)
class Narrow:
    """Where the argument ``open`` of a predicate is ``_``, the atom ``name`` of the arguments ``args`` says the same."""

    signature: Signature
    open: int
    """Number of the argument that may be anything, from 0."""
    name: str
    args: tuple[int, ...]

    def fits(self, signature: Signature, arguments: Sequence[Any]) -> bool:
        """Return whether a use of a predicate can be said so."""
        return signature == self.signature and _anonymous(arguments[self.open])

    @property
    def target(self) -> Signature:
        """Return what the program must derive for it."""
        return self.name, len(self.args)


def narrowed(narrows: Sequence[Narrow], uses: Sequence[Use]) -> tuple[Narrow, ...]:
    """Return those with which all uses of their predicate can be said; a predicate with a use that is left over has none."""
    left = {
        use.signature for use in uses if use.head or not any(one.fits(use.signature, use.arguments) for one in narrows)
    }
    return tuple(one for one in narrows if one.signature not in left)


def load(control: Control, path: Path, narrows: Sequence[Narrow], logger: Callable[[Any, str], None]) -> None:
    """Load a file with its uses of these predicates narrowed; messages name the places in the file as it stands.

    Raises:
        RuntimeError: As ``Control.load``.
    """

    def function(_: Any, node: Any) -> Any:
        arguments = list(node.arguments)
        for one in narrows:
            if not node.external and one.fits((node.name, len(arguments)), arguments):
                return node.update(name=one.name, arguments=[arguments[at] for at in one.args])
        return node

    visitors = {
        "visit_Function": function,
        "visit_SymbolicAtom": lambda walk, node: node.update(**walk.visit_children(node)),
        "visit_ShowTerm": lambda walk, node: node.update(body=walk.visit_sequence(node.body)),
    }
    clingo_api.rewritten(control, str(path), visitors, logger)


def _anonymous(term: Any) -> bool:
    return str(term) == "_"
