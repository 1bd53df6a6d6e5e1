"""Everything that touches clingo's Python interface, so that another version of it (clingo 6 is coming) changes this file alone.

clingo is imported when a function is called: naming a program or reading the catalogue does without it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

from sokoasp.core.guard import undisturbed
from sokoasp.core.result import Atom

if TYPE_CHECKING:
    from clingo import Backend, Control, Model, Observer, Symbol

    __all__ = ["Backend", "Control", "Model", "Observer", "Part", "Symbol"]

Part = tuple[str, Sequence["Symbol"]]
"""A program part and its arguments, as ``Control.ground`` takes them."""
Logger = Callable[[Any, str], None]


def control(arguments: Sequence[str], logger: Logger) -> Control:
    """Return a new control; RuntimeError if clingo does not take these options: the logger has its message."""
    import clingo

    return clingo.Control(list(arguments), logger=logger, message_limit=20)


def steps(first: int, last: int) -> list[Part]:
    """Return the parts ``step(t)`` of these bounds, and ``check`` of the last."""
    from clingo import Number

    return [*(("step", [Number(t)]) for t in range(first, last + 1)), ("check", [Number(last)])]


def query(bound: int) -> Symbol:
    """Return the external atom that asks for a bound."""
    import clingo

    return clingo.Function("query", [clingo.Number(bound)])


def statistics(control: Control) -> Any:
    """Return what clingo counted in its last call, read when asked for: ``Control.statistics`` reads a hundred."""
    import clingo

    inside: Any = clingo
    try:
        call, library = inside._internal._c_call, inside._internal._lib
        found = call("clingo_statistics_t*", library.clingo_control_statistics, control._rep)
        return inside.statistics.StatisticsMap(found, call("uint64_t", library.clingo_statistics_root, found))
    except AttributeError:  # another version, with other names inside
        return control.statistics


def atom(symbol: Symbol) -> Atom:
    """Return a symbol as the atom that the rest of the package knows; a shown number or text is one without arguments."""
    plain = symbol.type.name == "Function" and symbol.positive
    return Atom(symbol.name, tuple(map(str, symbol.arguments))) if plain else Atom(str(symbol), ())


def last_number(symbol: Symbol) -> int | None:
    """Return the last argument of a symbol if it is a number, else None."""
    last = symbol.arguments[-1] if symbol.arguments else None
    return last.number if last is not None and last.type.name == "Number" else None


def evaluated(text: str) -> str:
    """Return the value of a ground term as text; RuntimeError if it has none."""
    import clingo

    return str(clingo.parse_term(text, logger=lambda _code, _message: None))


def observer(**callbacks: Callable[..., None]) -> Observer:
    """Return an observer of what is grounded that calls these functions, named as clingo's ``Observer`` names them."""
    import clingo

    methods = {name: staticmethod(one) for name, one in callbacks.items()}
    watching: Observer = type("Watching", (clingo.Observer,), methods)()
    return watching


def sum_at_least(backend: Backend, literals: Sequence[tuple[int, int]], least: int) -> int:
    """Return a new atom that holds where the weights of the true literals add up to at least this; weights may be negative."""
    atom = backend.add_atom()
    positive = [(literal, weight) if weight > 0 else (-literal, -weight) for literal, weight in literals if weight]
    backend.add_weight_rule([atom], least - sum(min(weight, 0) for _, weight in literals), positive)
    return atom


def read(path: str, take: Callable[[Any], object], logger: Logger) -> None:
    """Parse a file and hand its statements over as nodes. Raises RuntimeError: it is no program (the logger says why)."""
    from clingo import ast

    with undisturbed():
        ast.parse_files([path], lambda node: (take(node), None)[1], logger=logger, message_limit=20)


def with_variable(node: Any, constant: str, variable: str, body: str) -> str:
    """Return a statement as text in which a variable stands for a constant, with this literal more in its body."""
    from clingo import ast

    def visit(_: Any, term: Any) -> Any:
        return ast.Variable(term.location, variable) if str(term) == constant else term

    changed = type("Naming", (ast.Transformer,), {"visit_SymbolicTerm": visit})().visit(node)
    if variable not in str(changed):
        return str(changed)
    found: list[Any] = []
    ast.parse_string(f":- {body}.", found.append)
    changed.body = [*changed.body, *found[-1].body]
    return str(changed)


def kind(node: Any) -> str:
    """Return the kind of a node of the syntax tree, such as ``Rule``; empty for a sequence of nodes or a value."""
    found = getattr(node, "ast_type", None)
    return "" if found is None else str(found.name)


def positive(literal: Any) -> bool:
    """Return whether a literal of the syntax tree has no sign."""
    from clingo.ast import Sign

    return bool(literal.sign == Sign.NoSign)


def children(node: Any) -> Iterator[tuple[str, Any]]:
    """Yield the parts of a node with their names, those of a sequence without."""
    from clingo.ast import AST, ASTSequence

    if isinstance(node, ASTSequence):
        yield from (("", one) for one in node)
    elif isinstance(node, AST):
        yield from ((key, getattr(node, key)) for key in node.child_keys)


def external_functions(text: str) -> list[tuple[str, int, int]]:
    """Return the external functions (``@f``) that a program calls: name, line, column; none if it cannot be parsed."""
    from clingo import ast

    rest: list[Any] = []
    try:
        ast.parse_string(text, rest.append, logger=lambda *_: None)
    except RuntimeError:  # whoever runs the program is told what is wrong with it, and where
        return []
    found = []
    while rest:
        node = rest.pop()
        if isinstance(node, ast.AST):
            rest.extend(value for key, value in node.items() if key != "location")
            if node.ast_type == ast.ASTType.Function and node.external:
                found.append((node.name, node.location.begin.line, node.location.begin.column))
        elif isinstance(node, Sequence) and not isinstance(node, str):
            rest.extend(node)
    return sorted(found, key=lambda one: one[1:])
