"""Options that clingo does not take, and constants that would reach into the program: it replaces a name everywhere."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from sokoasp.asp import clingo_api
from sokoasp.asp.catalogue import Encoding
from sokoasp.asp.statements import fault, program_of
from sokoasp.core.errors import WrongOption

_WORD = re.compile(r'%[^\n]*|"(?:\\.|[^"\\\n])*"|(?<![\w\'])(_*[a-z][\w\']*)(?![\w\']|\s*\()')
"""A comment, a string, or (as its group) a name that stands for itself; before a bracket it would be a predicate's."""
_OPTION = re.compile(r"(?:-c|--const?(?:=|$))(.*)", re.DOTALL)
_LIBRARY = "In context '<libclingo>': "
"""What clingo puts before its messages on options."""
_GIVEN = re.compile(r"\s*_*[a-z][\w']*\s*=.+", re.DOTALL)


def check(encoding: Encoding, facts: str, constraints: Sequence[Path], arguments: Sequence[str]) -> None:
    """Refuse constants that are called like something in the program, in the level, or like the number of the action.

    With ``#const t=3.`` clingo grounds every part ``step(t)`` with 3 for t, and a solvable level has no plan any more.

    Raises:
        EncodingError: A file has one; with its place.
        WrongOption: A clingo option sets one.
    """
    theirs = program_of((*constraints, *(encoding.files if encoding.own else ())))
    defined = theirs.definitions
    options = list(set_by(arguments))
    if not defined and not options:
        return
    taken = set(_words(facts)) | {one.name for node in theirs.programs for one in node.parameters}
    if not encoding.own:
        taken.update(*(_words(path.read_text(encoding="utf-8")) for path in encoding.files))
    for one in defined:
        if one.node.name in taken:
            raise fault(one.place, _said(one.node.name))
    for name in options:
        if name in taken:
            raise WrongOption(f"--clingo-option: {_said(name)}")


def _said(name: str) -> str:
    """Say why a constant cannot be called so."""
    return f"the constant {name} would replace {name} in the program and the level, too: call it otherwise"


def _words(text: str) -> Iterator[str]:
    """Yield the names in a program."""
    return (match[1] for match in _WORD.finditer(text) if match[1])


def set_by(arguments: Sequence[str]) -> Iterator[str]:
    """Yield the constants that clingo's options set, in any of their spellings."""
    return (text.partition("=")[0].strip() for text in _given(arguments))


def objection(arguments: Sequence[str]) -> str:
    """Return what clingo has against these options, empty if nothing."""
    odd = next((text for text in _given(arguments) if not _GIVEN.fullmatch(text)), None)
    if odd is not None:  # clingo may end the process
        return f"a constant is NAME=VALUE, and the name begins with a small letter, not {odd!r}"
    messages: list[str] = []
    try:
        clingo_api.control(arguments, lambda _code, text: messages.append(text))
    except RuntimeError as error:
        said = " ".join((messages[0] if messages else str(error)).split())
        return f"clingo does not take this option: {said.removeprefix(_LIBRARY)}"
    return ""


def _given(arguments: Sequence[str]) -> Iterator[str]:
    """Yield what clingo's options for constants say."""
    rest = iter(arguments)
    for argument in rest:
        if found := _OPTION.fullmatch(argument):
            yield found[1] or next(rest, "")
