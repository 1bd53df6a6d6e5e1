"""Ground atoms of logic programs and of solver output: the small tokenizer that facts and plans are read with."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple, NoReturn

from sokoasp.core.errors import NotationError, place_in

MAX_RANGE = 100_000
"""Longest integer range ``a..b`` that is written out."""
MAX_ATOMS = 1_000_000
"""Most atoms read from one text."""
MAX_TERM = 500
"""Longest constant or compound term, in characters."""
MAX_DEPTH = 50
"""Deepest nesting of compound terms."""

_TOKEN = re.compile(
    r"""(?P<blank>[ \t\r\n\f]+|%\*(?:.*?\*%)|%(?!\*)[^\n]*)
    |(?P<open>%\*)
    |(?P<string>"(?:\\.|[^"\\\n])*")
    |(?P<number>-?[0-9]+(?![A-Za-z_]))
    |(?P<name>_*[a-z][A-Za-z0-9_']*)
    |(?P<variable>_*[A-Z][A-Za-z0-9_']*|_+)
    |(?P<directive>\#[a-z_]*)
    |(?P<mark>:-|:~|\.\.|[().,;{}|:=<>+\-*/@&!?\\^~])
    |(?P<other>.)""",
    re.VERBOSE | re.DOTALL,
)


class PlacedAtom(NamedTuple):
    """A ground atom and where it stands; arguments are terms as text without blanks."""

    predicate: str
    args: tuple[str, ...]
    line: int
    column: int

    @property
    def signature(self) -> str:
        """Return ``name/arity``."""
        return f"{self.predicate}/{len(self.args)}"

    def __str__(self) -> str:
        return f"{self.predicate}({','.join(self.args)})" if self.args else self.predicate


class _Token(NamedTuple):
    kind: str
    text: str
    start: int


class Tokens:
    """The tokens of a text with one token of look-ahead."""

    def __init__(self, text: str, source: str, first_line: int = 1) -> None:
        self.text = text
        self.source = source
        self.first_line = first_line
        self._line, self._at, self._line_start = first_line, 0, 0
        self._stream = self._scan()
        self.next = _Token("end", "", 0)
        self.advance()

    def _scan(self) -> Iterator[_Token]:
        for match in _TOKEN.finditer(self.text):
            kind = match.lastgroup or "other"
            if kind == "open":
                self.fail("this block comment %* is never closed", match.start(), code="E-COMMENT")
            if kind != "blank":
                yield _Token(kind, match.group(), match.start())
        yield _Token("end", "", len(self.text))

    def advance(self) -> _Token:
        """Return the current token and go on to the next."""
        token = self.next
        self.next = next(self._stream, self.next)
        return token

    def accept(self, text: str) -> bool:
        """Take the current token if it is that mark."""
        if self.next.kind == "mark" and self.next.text == text:
            self.advance()
            return True
        return False

    def place(self, start: int) -> tuple[int, int]:
        """Return 1-based line and column of an offset; offsets asked for may only grow."""
        newlines = self.text.count("\n", self._at, start)
        if newlines:
            self._line += newlines
            self._line_start = self.text.rindex("\n", self._at, start) + 1
        self._at = max(self._at, start)
        return self._line, start - self._line_start + 1

    def fail(self, message: str, start: int, code: str = "E-FACTS") -> NoReturn:
        """Raise a NotationError at an offset."""
        line, column = place_in(self.text, start)
        raise NotationError(message, source=self.source, line=self.first_line - 1 + line, column=column, code=code)

    def refuse(self) -> NoReturn:
        """Raise the error that says what the current token is and why it has no place among ground facts."""
        kind, text, start = self.next
        if kind == "end":
            self.fail("the text ends in the middle of a fact (is a full stop missing?)", start)
        reasons = {
            "variable": f"variable {text}: only ground facts are read, not rules",
            "directive": f"directive {text}: only ground facts are read",
        }
        if text in (":-", ":~", "not") or text == "|" or text == ":":
            reasons["mark"] = reasons["name"] = f"a rule ({text}): only ground facts are read"
        text = text[:40]
        shown = repr(text) if text.isascii() else f"{text!r} (U+{ord(text[0]):04X})"
        self.fail(reasons.get(kind, f"{shown} has no place in a ground fact"), start)


def parse_atoms(text: str, *, source: str = "", first_line: int = 1, full_stops: bool = False) -> list[PlacedAtom]:
    """Read ground atoms separated by blanks, commas or full stops, braces around them allowed.

    An atom under strong negation has a predicate that begins with ``-``; terms that are no atoms, such as a solver shows them
    beside its atoms, are passed over. With ``full_stops`` every atom must end in one, as in a program; integer ranges
    ``step(1..9)`` and pools ``box(a;b)`` are then written out, and neither negation nor bare terms are allowed.
    NotationError names what else is found.
    """
    tokens = Tokens(text, source, first_line)
    atoms: list[PlacedAtom] = []
    while tokens.next.kind != "end":
        if tokens.next.kind != "name" or tokens.next.text == "not":
            if full_stops:
                tokens.refuse()
            if tokens.next.text in ("{", "}", ",", "."):
                tokens.advance()
            elif tokens.next.text == "-":
                atoms.extend(_negated(tokens))
            else:
                _term(tokens, 0)
            continue
        atoms.extend(_atom(tokens, ranges=full_stops))
        if len(atoms) > MAX_ATOMS:
            tokens.fail(f"more than {MAX_ATOMS} atoms", tokens.next.start, code="E-SIZE")
        if full_stops and not tokens.accept("."):
            tokens.refuse()
    return atoms


def _negated(tokens: Tokens) -> list[PlacedAtom]:
    """Read ``-push(...)``; the negative of something that is no atom is passed over."""
    line, column = tokens.place(tokens.advance().start)
    if tokens.next.kind != "name" or tokens.next.text == "not":
        _term(tokens, 0)
        return []
    return [PlacedAtom(f"-{one.predicate}", one.args, line, column) for one in _atom(tokens, ranges=False)]


def _atom(tokens: Tokens, *, ranges: bool) -> list[PlacedAtom]:
    """Read one atom; several come back when an argument is a range, or where there is a pool of arguments."""
    name = tokens.advance()
    if len(name.text) > MAX_TERM:
        tokens.fail(f"a name of more than {MAX_TERM} characters", name.start, code="E-SIZE")
    line, column = tokens.place(name.start)
    lists: list[tuple[str, ...]] = [()]
    pooled: list[tuple[str, ...]] = []
    if tokens.accept("("):
        while True:
            values = _argument(tokens, ranges=ranges)
            if len(pooled) + len(lists) * len(values) > MAX_RANGE:
                tokens.fail(f"the ranges stand for more than {MAX_RANGE} facts", name.start, code="E-SIZE")
            lists = [(*args, value) for args in lists for value in values]
            if tokens.accept(")"):
                break
            if ranges and tokens.accept(";"):
                pooled += lists
                lists = [()]
            elif not tokens.accept(","):
                tokens.refuse()
    return [PlacedAtom(name.text, args, line, column) for args in pooled + lists]


def _argument(tokens: Tokens, *, ranges: bool) -> list[str]:
    """Read one term, or the values of an integer range."""
    start = tokens.next.start
    first = _term(tokens, 0)
    if not ranges or not tokens.accept(".."):
        return [first]
    last = _term(tokens, 0)
    if not (_is_integer(first) and _is_integer(last)):
        tokens.fail(f"{first}..{last} is not a range of integers", start)
    if int(last) - int(first) >= MAX_RANGE:
        tokens.fail(f"the range {first}..{last} stands for more than {MAX_RANGE} facts", start, code="E-SIZE")
    return [str(number) for number in range(int(first), int(last) + 1)]


def _is_integer(term: str) -> bool:
    return len(term) < 20 and term.lstrip("-").isdigit()


def _term(tokens: Tokens, depth: int) -> str:
    """Read a constant, integer, quoted string, compound term or tuple and return it as text without blanks."""
    start = tokens.next.start
    term = _term_of_any_length(tokens, depth)
    if len(term) > MAX_TERM:
        tokens.fail(f"a term of more than {MAX_TERM} characters", start, code="E-SIZE")
    return term


def _number(tokens: Tokens, sign: str = "") -> str:
    """Read an integer as clingo writes it: without leading zeros, and within 32 bits."""
    text, start = sign + tokens.next.text, tokens.next.start
    if len(text) > 40 or not -(2**31) <= int(text) < 2**31:
        tokens.fail(f"{text[:20]} is too large: integers of logic programs have 32 bits", start)
    tokens.advance()
    return str(int(text))


def _term_of_any_length(tokens: Tokens, depth: int) -> str:
    if depth > MAX_DEPTH:
        tokens.fail(f"terms nested deeper than {MAX_DEPTH}", tokens.next.start, code="E-SIZE")
    kind, text, _ = tokens.next
    if kind == "number":
        return _number(tokens)
    if kind == "string" or text in ("#inf", "#sup"):
        tokens.advance()
        return text
    if tokens.accept("-"):
        if tokens.next.kind == "number" and not tokens.next.text.startswith("-"):
            return _number(tokens, "-")
        term = _term(tokens, depth + 1)
        return term[1:] if term.startswith("-") else f"-{term}"
    if kind == "name" and text != "not":
        tokens.advance()
    elif text != "(":
        tokens.refuse()
    else:
        text = ""
    if not tokens.accept("("):
        return text
    if tokens.accept(")"):  # f() is f; () is the empty tuple
        return text or "()"
    inner, trailing = [_term(tokens, depth + 1)], False
    while tokens.accept(","):
        trailing = text == "" and tokens.next.text == ")"
        if trailing:
            break
        inner.append(_term(tokens, depth + 1))
    if not tokens.accept(")"):
        tokens.refuse()
    if text == "" and len(inner) == 1:  # (1,) is a tuple, (1) is the 1
        return f"({inner[0]},)" if trailing else inner[0]
    return f"{text}({','.join(inner)})"
