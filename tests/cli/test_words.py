"""What the help says: words, limits, order, and old spellings that are read but not shown."""

import re
from collections.abc import Iterator
from pathlib import Path

import click
import pytest

from sokoasp.cli import GROUPS, root
from tests.commands import FIRST, run
from tests.conftest import ROOT


def commands() -> Iterator[tuple[str, click.Command]]:
    """Yield every command that the help shows, with what is typed for it."""
    context = click.Context(root, info_name="sokoasp")
    for name in (name for group in GROUPS.values() for name in group):
        command = root.get_command(context, name)
        assert command is not None
        yield name, command
        if isinstance(command, click.Group):
            yield from ((f"{name} {one}", sub) for one, sub in command.commands.items() if not sub.hidden)


SHOWN = dict(commands())
OPTIONS = [
    (name, one)
    for name, command in SHOWN.items()
    for one in command.params
    if isinstance(one, click.Option) and not one.hidden
]
LONGEST = 28
"""Words of a sentence in the help."""


def test_every_time_limit_says_which_clock_it_is() -> None:
    texts = {name: one.help or "" for name, one in OPTIONS if "--time-limit" in one.opts}
    assert len(texts) > 10
    assert [name for name, text in texts.items() if not re.search(r"\b([Ww]all|CPU)\b", text)] == []


def test_a_file_that_is_written_and_a_notation_are_called_the_same_everywhere() -> None:
    for name, one in OPTIONS:
        assert ("--output" in one.opts) == ("-o" in one.opts), name
        assert "--outfile" not in one.opts and ("--to" not in one.opts or name == "walk"), name
        if "--output" in one.opts:
            assert isinstance(one.type, click.Path | click.File) or name == "render", name


def test_what_maintainers_need_is_not_shown() -> None:
    shown = {flag for _, one in OPTIONS for flag in one.opts}
    assert shown.isdisjoint({"--patterns", "--corrals", "--states", "--attempts", "--suite", "--configuration"})
    assert len(OPTIONS) <= 170


@pytest.mark.parametrize("name", SHOWN)
def test_the_sentences_of_the_help_are_short(name: str) -> None:
    texts = [SHOWN[name].help or "", *(one.help or "" for command, one in OPTIONS if command == name)]
    for text in texts:
        sentences = re.split(r"[.;:](?:\s|$)", text)
        assert max(len(one.split()) for one in sentences) <= LONGEST, (name, text)


def test_a_suite_is_a_toml_file_and_an_lp_file_an_encoding() -> None:
    for name, command in SHOWN.items():
        if not name.startswith("bench") and name != "encodings bench":
            assert "suite" not in (command.help or ""), name
    assert "program" not in " ".join(command.help or "" for name, command in SHOWN.items() if name == "encodings")


def test_older_spellings_are_still_read(tmp_path: Path) -> None:
    assert run("solve", FIRST, "--output", "lurd").stdout == run("solve", FIRST, "--format", "lurd").stdout == "rRR\n"
    assert run("translate", FIRST, "--to=sok").stdout == run("translate", FIRST, "--format", "sok").stdout != ""
    assert run("grade", "lines", "--suite", FIRST).stdout.endswith("1 of 1 right on these levels\n")
    done = run("solve", FIRST, "--format", "push", "-o", tmp_path / "plan.lp")
    assert (done.returncode, done.stdout) == (0, "")
    assert (tmp_path / "plan.lp").read_text() == "push(c4r2,right,c6r2,1).\n"


def test_the_pages_have_four_doors_and_laboratory_pages_none() -> None:
    text = (ROOT / "mkdocs.yml").read_text()
    doors = re.findall(r"^  - ([^:\n]+):$", text.partition("\nnav:")[2], re.MULTILINE)
    assert doors == ["Play and solve", "Your own rules", "Measure and prove", "Look up"]
    assert not re.search(r": (style|performance|native-measured|decisions)", text.partition("\nnav:")[2])


def test_a_docstring_is_whole_sentences_of_its_own() -> None:
    """None goes on where that of another field has stopped."""
    cut = []
    for path in sorted((ROOT / "sokoasp").rglob("*.py")):
        for line in path.read_text(encoding="utf-8").splitlines():
            text = line.strip()
            if re.match(r'"""(\.\.\.|…|and |or |but |if )', text) or re.search(r'(\.\.\.|,)"""$', text):
                cut.append(f"{path.name}: {text}")
    assert cut == []
