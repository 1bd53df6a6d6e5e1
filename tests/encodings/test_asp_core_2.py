"""The competition's program as ASP-Core-2: a parser of the standard's grammar reads it, and it has the same plans.

The grammar is that of "ASP-Core-2 Input Language Format" (Calimeri and others 2020), section 4, without queries and aggregates.
"""

import re
import shutil
from pathlib import Path

import pytest

from sokoasp.asp.catalogue import encodings, folder
from sokoasp.engine.by_asp import facts_of
from tests.encodings.roots import asp_core_2
from tests.encodings.test_export import BEST, CORNER, clingo, cost

TOKEN = re.compile(
    r"""\s+|%[^\n]*|(?P<not>not\b)|(?P<id>[a-z]\w*)|(?P<var>[A-Z]\w*|_)|(?P<num>\d+)|(?P<str>"[^"]*")"""
    r"""|(?P<op><=|>=|<>|!=|=|<|>)|(?P<mark>:-|:~|[.,;:|(){}\[\]@+*/-])|(?P<bad>.)""",
    re.VERBOSE,
)


class Reader:
    """Reads a program by the grammar, one method a rule of it; ``ValueError`` where it is none."""

    def __init__(self, text: str) -> None:
        found = [(m.lastgroup, m.group()) for m in TOKEN.finditer(text) if m.lastgroup]
        self.left = [*found, ("end", "")]

    def take(self, *wanted: str) -> bool:
        if self.left[0][1] in wanted or (self.left[0][0] or "") in wanted:
            self.left.pop(0)
            return True
        return False

    def need(self, *wanted: str) -> None:
        if not self.take(*wanted):
            raise ValueError(f"{self.left[:8]}: not {wanted}")

    def program(self) -> int:
        count = 0
        while not self.take("end"):
            if not self.take(":-"):
                self.choice() if self.left[0][1] == "{" else self.classical()
                if self.take("."):
                    count += 1
                    continue
                self.need(":-")
            self.literals()
            self.need(".")
            count += 1
        return count

    def choice(self) -> None:
        self.need("{")
        while True:
            self.classical()
            if self.take(":"):
                self.literals()
            if not self.take(";"):
                break
        self.need("}")
        if self.take("op"):
            self.term()

    def literals(self) -> None:
        self.literal()
        while self.take(","):
            self.literal()

    def literal(self) -> None:
        if self.take("not"):
            self.classical()
            return
        self.term()
        if self.take("op"):
            self.term()

    def classical(self) -> None:
        self.take("-")
        if self.left[0][0] != "id":
            raise ValueError(f"{self.left[:8]}: no atom")
        self.term()

    def term(self) -> None:
        if self.take("id"):
            if self.take("("):
                self.term()
                while self.take(","):
                    self.term()
                self.need(")")
        elif self.take("("):
            self.term()
            self.need(")")
        else:
            self.take("-")
            self.need("var", "num", "str")
        if self.take("+", "-", "*", "/"):
            self.term()


CORE = folder() / "sokoban" / "competition-asp-core-2.lp"


def test_it_is_the_standard_language() -> None:
    assert Reader(CORE.read_text(encoding="utf-8")).program() >= 20


@pytest.mark.parametrize(
    "text",
    [
        "d(left;right).",
        "a :- b : c.",
        "#show push/4.",
        ":- not n(_) : a(X).",
        "a(1..3).",
        "a :- b",
        "A :- b.",
        "{ a : b } = 1 : c.",
    ],
)
def test_what_is_clingos_alone_is_not_read(text: str) -> None:
    with pytest.raises(ValueError, match="no"):
        Reader(text).program()


@pytest.mark.skipif(shutil.which("clingo") is None, reason="no clingo on the PATH")
def test_it_has_the_plans_of_the_program_it_is_made_from(tmp_path: Path) -> None:
    competition = encodings()["competition"]
    assert CORE.read_text(encoding="utf-8") == asp_core_2(competition)
    facts = tmp_path / "level.lp"
    for steps, plans in ((BEST["lines"], False), (BEST["lines"] + 1, True)):
        facts.write_text(facts_of(CORNER, competition, steps))
        text = clingo(CORE, facts)
        assert ("UNSATISFIABLE" not in text) is plans
    assert cost(" ".join(re.findall(r"(?<!_)push\([^)]*\)", text)), "lines") == BEST["lines"]
