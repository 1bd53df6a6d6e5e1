"""A public predicate said in the program's own words where a use leaves arguments open, so that no bridge is needed for it.

``push(_,up,_,T)`` asks for the direction of a push only. A bridge would make an atom for every line on the map and every action;
the program that tells a push by its beginning and its end has an atom that says just that.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sokoasp.asp.statements import Signature, Use
from sokoasp.core.guard import undisturbed

if TYPE_CHECKING:
    import clingo


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


def load(control: clingo.Control, path: Path, narrows: Sequence[Narrow], logger: Callable[[Any, str], None]) -> None:
    """Load a file with its uses of these predicates narrowed; messages tell the places in the file as it stands.

    Raises:
        RuntimeError: As ``Control.load``.
    """
    from clingo import ast

    class Narrowing(ast.Transformer):
        def visit_Function(self, node: Any) -> Any:  # noqa: N802
            arguments = list(node.arguments)
            for one in narrows:
                if not node.external and one.fits((node.name, len(arguments)), arguments):
                    return node.update(name=one.name, arguments=[arguments[at] for at in one.args])
            return node

        def visit_SymbolicAtom(self, node: Any) -> Any:  # noqa: N802
            return node.update(**self.visit_children(node))

        def visit_ShowTerm(self, node: Any) -> Any:  # noqa: N802
            return node.update(body=self.visit_sequence(node.body))

    narrowing = Narrowing()
    with undisturbed(), ast.ProgramBuilder(control) as builder:
        ast.parse_files([str(path)], lambda node: builder.add(narrowing.visit(node)), logger=logger, message_limit=20)


def _anonymous(term: Any) -> bool:
    return str(term) == "_"
