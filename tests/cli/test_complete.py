"""What the shell is offered, asked as a shell asks."""

from __future__ import annotations

import pytest

from tests.commands import FIRST, TUTORIAL, rows, run


def offered(line: str) -> dict[str, str]:
    """Ask for the completions of the last word of a line; return them with their help."""
    words = line.split(" ")
    done = run(_SOKOASP_COMPLETE="zsh_complete", COMP_WORDS=line, COMP_CWORD=str(len(words) - 1))
    assert done.stderr == ""
    parts = done.stdout.splitlines()
    return dict(zip(parts[1::3], parts[2::3], strict=True))


@pytest.mark.parametrize(
    ("line", "wanted", "unwanted"),
    [
        (f"sokoasp translate {FIRST} --format ", {"xsb", "facts", "pddl"}, {"line"}),
        ("sokoasp translate instances/klotski/own.klotski --format ", {"line", "facts"}, {"pddl"}),
        ("sokoasp solve --engine r", {"reverse", "reference"}, {"asp"}),
        (f"sokoasp solve {FIRST} --objective ", {"lines", "pushes", "moves"}, {"slides"}),
        ("sokoasp encodings show lines-f", {"lines-forward"}, {"lines"}),
        ("sokoasp solve --encoding lines-f", {"lines-forward"}, {"lines"}),
        ("sokoasp bench run t", {"tour"}, {"smoke"}),
        ("sokoasp so", {"solve"}, {"stats"}),
    ],
)
def test_values_are_completed(line: str, wanted: set[str], unwanted: set[str]) -> None:
    found = offered(line)
    assert wanted <= found.keys() and not unwanted & found.keys()


def test_levels_by_number_and_title() -> None:
    assert offered(f"sokoasp solve {TUTORIAL} --level Sw") == {"9": "Swap the corner"}
    assert offered(f"sokoasp solve {TUTORIAL} --level 9") == {"9": "Swap the corner"}
    assert offered("sokoasp solve nofile --level 9") == {}


@pytest.mark.parametrize(
    ("arguments", "code", "file", "words"),
    [
        (("solve", "nofile", "--json"), 2, "nofile", "does not exist"),
        (("solve", "nofile", "--output", "json"), 2, "nofile", "does not exist"),
        (("stats", "-", "--json"), 30, "-", "no level"),
        (("check", "-", "rR", "--json"), 30, "-", "no level"),
        (("slove", "--json"), 2, None, "solve"),
        (("solve", FIRST, "--engine", "none", "--json"), 2, None, "sokoban has no engine"),
    ],
)
def test_a_fault_is_a_row_when_json_was_asked_for(
    arguments: tuple[str, ...], code: int, file: str | None, words: str
) -> None:
    done = run(*arguments)
    (row,) = rows(done)
    assert (done.returncode, row["status"], row["file"]) == (code, "error", file)
    assert words in str(row["error"]) and words in done.stderr
