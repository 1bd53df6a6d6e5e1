"""Planted faults: a program without any one of its rules has other answer sets on one of its cases."""

import shutil
from collections.abc import Iterator
from pathlib import Path

import clingo.ast
import pytest

from tests.encodings import models
from tests.encodings.test_models import CASES

ELSEWHERE = {
    "rules/competition_fewest.lp": "test_fewest_prefers_a_short_plan",
    "remaining/start_first.lp": "a heuristic changes no answer set",
    "remaining/moves_start_first.lp": "a heuristic changes no answer set",
}
"""Files whose rules no case can miss, and why."""
EXTERNALS = "prune/horizon.lp"
"""Its externals are missed by ``test_what_is_not_reached_yet_is_so_later``."""
FILES = sorted({name for files, *_ in CASES.values() for name in files} - ELSEWHERE.keys())
KEPT = {clingo.ast.ASTType.Program, clingo.ast.ASTType.Defined, clingo.ast.ASTType.Comment}


def shorter(name: str, text: str) -> Iterator[tuple[str, str]]:
    """Yield every rule of a program and the program without it."""
    found: list[clingo.ast.Location] = []

    def keep(node: clingo.ast.AST) -> None:
        external = node.ast_type is clingo.ast.ASTType.External
        if node.ast_type not in KEPT and not (external and (name == EXTERNALS or "query" in str(node))):
            found.append(node.location)

    clingo.ast.parse_string(text, keep)
    lines = text.splitlines(keepends=True)
    starts = [sum(map(len, lines[:number])) for number in range(len(lines))]
    for place in found:
        begin, end = (starts[at.line - 1] + at.column - 1 for at in (place.begin, place.end))
        left = text[:begin] + text[end:]
        clingo.ast.parse_string(left, lambda node: None)  # what is left is still a program
        yield text[begin:end], left


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    target = tmp_path_factory.mktemp("left-out") / "encodings"
    shutil.copytree(models.ENCODINGS.parent, target)
    return target / models.ENCODINGS.name


@pytest.mark.parametrize("name", FILES)
def test_a_rule_that_is_left_out_shows(name: str, copy: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(models, "ENCODINGS", copy)
    path = copy / name
    whole = path.read_text(encoding="utf-8")
    mine = [case for case in CASES.values() if name in case[0]]
    rules = list(shorter(name, whole))
    assert rules
    try:
        for rule, text in rules:
            path.write_text(text, encoding="utf-8")
            assert any(differs(case) for case in mine), f"nothing misses {rule}"
    finally:
        path.write_text(whole, encoding="utf-8")


def differs(case: models.Case) -> bool:
    files, facts, show, parts, expected = case
    try:
        return models.models(files, facts, show, parts) != expected
    except (RuntimeError, AssertionError):
        return True
