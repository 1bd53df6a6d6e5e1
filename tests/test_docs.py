"""What README and docs show is real: outputs are what the commands print, links lead somewhere, every command is documented."""

import csv
import os
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import click
import pytest

from sokoasp.cli import root as cli
from sokoasp.sokoban import optima_table
from tests.known import SETS

ROOT = Path(__file__).resolve().parent.parent
PAGES = [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md"), ROOT / "encodings/README.md", ROOT / "instances/README.md"]
CLAIMS = {"encodings": 6, "encodings-ideas": 7, "encodings-solving": 5} | {
    "native": 6,
    "native-layers": 3,
    "native-patterns": 4,
}
"""Arguments that a page states at least, by its name."""
README, *OTHERS = (
    re.findall(r"```console\n(.*?)```", (ROOT / page).read_text(encoding="utf-8"), re.DOTALL)
    for page in ("README.md", "docs/cli.md", "docs/optima.md")
)
SKIPPED = ("pip install", "sokoasp bench run", "sokoasp bench report")


def _shown() -> list[tuple[str, str]]:
    """Return (command, output) of every console block that can be run here, of other pages where an output is shown."""
    found = []
    for block in [*README, *(block for page in OTHERS for block in page if block.count("\n") > 1)]:
        command, _, output = block.partition("\n")
        if not any(word in block for word in SKIPPED):
            found.append((command.removeprefix("$ "), output))
    return found


def _plain(text: str) -> list[str]:
    """Leave out what differs from run to run: times, and which second engine was cheap enough to be asked."""
    lines = [line.rstrip() for line in text.splitlines()]
    return [re.sub(r"cross-check: \w+", "cross-check:", line) for line in lines if not line.startswith("  time:")]


@pytest.mark.parametrize(
    ("command", "output"), _shown(), ids=lambda value: value[:40] if isinstance(value, str) else ""
)
def test_output_that_is_shown_is_real(command: str, output: str, tmp_path: Path) -> None:
    shim = tmp_path / "sokoasp"
    shim.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m sokoasp "$@"\n')
    shim.chmod(0o755)
    environment = {**os.environ, "PATH": f"{tmp_path}:{os.environ['PATH']}", "PYTHONPATH": str(ROOT)}
    done = subprocess.run(
        ["bash", "-c", command + " 2>&1"],
        cwd=ROOT,
        env=environment,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert _plain(done.stdout) == _plain(output)


def test_readme_output_is_the_same_without_kernels() -> None:
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "SOKOASP_BACKEND": "none"}
    probe = [sys.executable, "-c", "from sokoasp.core import kernels; print(kernels.status().there)"]
    assert subprocess.run(probe, env=environment, capture_output=True, text=True, check=True).stdout == "False\n"
    shown = [(command, output) for command, output in _shown() if command.startswith("sokoasp solve")]
    assert len(shown) == 2
    for command, output in shown:
        words = [sys.executable, "-m", *shlex.split(command)]
        done = subprocess.run(
            words, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=120, check=False
        )
        # what is said of the run on stderr stands before the answer when both go to one terminal
        assert _plain(done.stderr + done.stdout) == _plain(output)


def test_readme_shows_the_program_as_it_is() -> None:
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    blocks = re.findall(r"^```\w*\n(.*?)^```$", text, re.DOTALL | re.MULTILINE)
    shown = next(block for block in blocks if "can_push" in block).splitlines()
    rules = [(ROOT / "encodings/sokoban/rules" / name).read_text(encoding="utf-8") for name in ("lines.lp", "goal.lp")]
    assert len(shown) == 8 and set(shown) <= set("\n".join(rules).splitlines())


@pytest.mark.parametrize("page", ["README.md", "docs/reference.md", "docs/render.md", "docs/walk.md"])
def test_library_examples_run(page: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    examples = re.findall(r"```python\n(.*?)```", (ROOT / page).read_text(encoding="utf-8"), re.DOTALL)
    assert examples
    for code in examples:
        exec(code, {})


def test_readme_shows_something() -> None:
    assert len(_shown()) >= 5


def test_readme_has_a_thousand_words_at_most() -> None:
    assert len((ROOT / "README.md").read_text(encoding="utf-8").split()) <= 1000


DOCUMENTS = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md")), *sorted(ROOT.glob("*/README.md"))]


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: str(path.relative_to(ROOT)))
def test_links_lead_somewhere(path: Path) -> None:
    text = re.sub(r"```.*?```", "", path.read_text(encoding="utf-8"), flags=re.DOTALL)
    for target, _, anchor in (found.partition("#") for found in re.findall(r"\]\(([^)\s]+)[^)]*\)", text)):
        if not target.startswith(("http://", "https://")):
            page = path.parent / target if target else path
            assert page.exists(), target
            assert not anchor or anchor in _anchors(page), f"{target}#{anchor}"


def _anchors(page: Path) -> set[str]:
    """Return what the headings of a page are linked by."""
    heads = re.findall(r"^#+ (.*)$", page.read_text(encoding="utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", head.lower()).replace(" ", "-") for head in heads}


def test_the_page_of_instances_names_every_set() -> None:
    text = " ".join((ROOT / "instances" / "README.md").read_text(encoding="utf-8").split())
    folders = {path.name for path in (ROOT / "instances").iterdir() if path.is_dir()}
    listed = re.findall(r"`(\w+)/`", text.split("`known.csv`")[0])
    assert folders <= set(listed)
    for name in re.findall(r"`(\w+)/` \|[^`]*?see its README", text):
        assert (ROOT / "instances" / name / "README.md").exists(), name
    assert re.findall(r"`(\w+)/`", text.split("`known.csv`")[1].split(" for `lines`")[0]) == list(SETS)


def _helps(command: click.Command = cli, name: str = "") -> Iterator[tuple[str, str]]:
    """Yield the commands by their words, each with what its help says of it."""
    if isinstance(command, click.Group):
        for one in command.list_commands(context := click.Context(command)):
            yield from _helps(command.get_command(context, one) or command, f"{name} {one}".strip())
    else:
        yield name.replace(" more", ""), " ".join((command.help or "").split())


def test_every_command_and_exit_code_is_documented() -> None:
    from sokoasp.core.result import EXIT_CODES

    page, codes = (ROOT / "docs" / "cli.md").read_text(encoding="utf-8").split("## Exit codes")
    listed = {int(code) for row in re.findall(r"^\| ([\d, ]+) \|", codes, re.MULTILINE) for code in row.split(",")}
    assert set(EXIT_CODES.values()) <= listed and all(str(status) in codes for status in EXIT_CODES)
    for name, told in _helps():
        assert f"`{name}" in page, name
        said = re.findall(r"\b(\d+)(?=/| [a-z])", told.partition("Exit codes")[2])
        assert set(map(int, said)) <= listed, (name, said)


def _commands(page: Path, begin: str = r"\s*sokoasp [a-z]") -> Iterator[str]:
    """Yield the commands that a page shows, in blocks and in its text: ours, or those that begin so."""
    text = page.read_text(encoding="utf-8").replace("\\|", "!").replace("\\\n", " ")
    blocks = re.findall(r"(?ms)^ *```\w*\n(.*?)^ *```", text)
    spans = re.findall(r"`([^`]+)`", re.sub(r"(?ms)^ *```.*?^ *```", "", text))
    shown = [re.sub(r"^\$ ", "", line.strip()) for block in blocks for line in block.splitlines()]
    shown += [
        f"sokoasp {span}" if span.startswith(("bench ", "encodings ")) else " ".join(span.split()) for span in spans
    ]
    for one in shown:
        yield from (part.strip() for part in re.split(r"&& |\| |; |# ", one) if re.match(begin, part))


def _unknown(words: list[str]) -> Iterator[str]:
    """Yield what a command line names and there is not: commands, options."""
    command: click.Command = cli
    for at, word in enumerate(words):
        if not isinstance(command, click.Group) or word.startswith(("-", "…", "...")):
            known = {name for one in command.params for name in (*one.opts, *one.secondary_opts)} | {"--help"}
            asked = (re.match(r"--[a-z-]+", word) for word in words[at:])
            yield from (option[0] for option in asked if option and option[0] not in known)
            return
        found = command.get_command(click.Context(command), word.split("!")[0].rstrip(",."))
        if found is None:
            yield word
            return
        command = found


def test_every_command_that_a_page_names_is_there() -> None:
    """So is every option; a word in quotes is the value of one."""
    found, count = [], 0
    for page in (*PAGES, *ROOT.glob("docs/notebooks/*.ipynb")):
        if page.name == "changelog.md":
            continue  # it names what there was
        for line in _commands(page):
            count += 1
            found += [(page.name, line, word) for word in _unknown(re.sub(r"(['\"]).*?\1", "", line).split()[1:])]
    assert found == [] and count > 150
    assert list(_unknown(["bench", "ablation"])) == ["ablation"] and list(_unknown(["solve", "X", "--no"])) == ["--no"]


def test_every_study_that_a_page_names_is_there() -> None:
    """What a clone runs by ``python -m tests...``: the module, and its options as its source spells them."""
    found, count = [], 0
    for page in PAGES:
        if page.name == "changelog.md":
            continue  # it names what there was
        for line in _commands(page, r"python -m tests\.\w"):
            count += 1
            module, source = line.split()[2], ROOT / f"{line.split()[2].replace('.', '/')}.py"
            text = source.read_text(encoding="utf-8") if source.exists() else ""
            found += [(page.name, line) for word in re.findall(r" (--[a-z-]+)", line) if f'"{word}"' not in text]
            found += [] if text else [(page.name, module)]
    assert found == [] and count > 8


def _rows(table: str) -> list[dict[str, str]]:
    with (ROOT / table).open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def test_pages_count_the_rows_of_the_table() -> None:
    settled = [row for row in _rows("instances/optima/optima.csv") if row["status"] in ("proved", "unsolvable")]
    certificates = [row["certificate"] for row in settled if row["certificate"]]
    xsokoban = [row for row in settled if (row["collection"], row["objective"]) == ("xsokoban", "pushes")]
    table = [row for row in optima_table.rows_of(optima_table.shipped()) if row.collection == "xsokoban"]
    lines = [row for row in table if row.objective == "lines"]
    own = sorted(int(row.number) for row in table if row.objective == "pushes" and row.plan)
    shortened = f"{', '.join(map(str, own[:-1]))} and {own[-1]}"
    without = len(settled) - len(certificates)
    certified = sum(bool(row["certificate"]) for row in xsokoban)
    said = {
        "docs/certificates.md": (
            f"Of the {len(settled):,} settled rows of the [table of optima](optima.md) {len(certificates):,} have a certificate",
            f"among them {certified} of the {len(xsokoban)} XSokoban levels that are proved in pushes",
        ),
        "docs/optima.md": (
            f"All but {without} of the {len(settled):,} settled rows have a certificate",
            f"Of XSokoban the table has the {len(xsokoban)} levels [proved in pushes]",
            f"for {shortened} we found a shorter one",
            f"the table has {len(lines)} levels, {sum(bool(row.plan) for row in lines)} of them with plans of our own",
        ),
        "README.md": (
            f"proves **{len(xsokoban)} of the 90** XSokoban levels push-optimal",
            f"[{certified} of the {len(xsokoban)}](docs/certificates.md#measured) have one",
            f"The plans are players', {len(own)} are ours.",
        ),
    }
    for page, sentences in said.items():
        text = " ".join((ROOT / page).read_text(encoding="utf-8").split())
        assert [sentence for sentence in sentences if sentence not in text] == [], page


def test_nothing_names_a_path_of_some_machine() -> None:
    listed = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=False)
    if listed.returncode:
        pytest.skip("not a git checkout")
    forbidden = re.compile(r"(?<![\w.])/work/|/root/|/opt/pypi")
    for name in listed.stdout.splitlines():
        path = ROOT / name
        if path.suffix in {".py", ".md", ".toml", ".lp", ".xsb", ".csv", ".js", ".html"} and path != Path(__file__):
            assert not forbidden.search(path.read_text(encoding="utf-8")), name


MADE_BY = re.compile(r"\b[0-9a-f]{16}\b|sokoasp [a-z]|bench (?:run|view|table|optima) |python (?:-m tests|docs)")
"""What a measured table has beside it: the hash of its store or the command that makes it, and else ``MADE_BY_NONE``."""
MADE_BY_NONE = re.compile(r"not kept|no command makes|outside the repository", re.IGNORECASE)


def _origins(text: str) -> Iterator[tuple[str, str]]:
    """Yield the head of each table and what stands beside it: back to the table or heading before, on to the next blank line."""
    start = 0
    for found in re.finditer(r"(?m)^#+ .*$|(?:^\|.*\n)+", text):
        if found[0].startswith("|"):
            after = text[found.end() :].lstrip("\n").partition("\n\n")[0]
            yield found[0].partition("\n")[0], " ".join(f"{text[start : found.start()]} {found[0]} {after}".split())
        start = found.end()


def test_each_measured_table_says_what_makes_it() -> None:
    pages = [*(ROOT / "docs").glob("*-measured.md"), ROOT / "docs" / "performance.md"]
    tables = [(page.name, *one) for page in pages for one in _origins(page.read_text(encoding="utf-8"))]
    silent = [
        (name, head) for name, head, beside in tables if not (MADE_BY.search(beside) or MADE_BY_NONE.search(beside))
    ]
    assert silent == [] and len(tables) > 5
    page = "`sokoasp x`\n# H\nText.\n\n| a |\n| 1 |\n\nMore.\n\nLast.\n"
    assert list(_origins(page)) == [("| a |", "Text. | a | | 1 | More.")]


def _named_tests() -> set[str]:
    """Return the names of all test files and test functions."""
    files = list((ROOT / "tests").rglob("*.py"))
    names = {path.name for path in files}
    return names.union(*(re.findall(r"^ *def (test_\w+)", path.read_text(), re.MULTILINE) for path in files))


@pytest.mark.parametrize("path", sorted((ROOT / "docs").glob("*.md")), ids=lambda path: path.name)
def test_each_claim_has_its_reason_its_place_and_its_test(path: Path) -> None:
    known = _named_tests()
    prose = re.sub(r"(?ms)^```.*?^```", "", path.read_text(encoding="utf-8"))
    sections = re.split(r"(?m)^#+ |(?=^\*Claim\.\*)", prose)
    for section in sections:
        marks = re.findall(r"(?m)^\*(Claim|Why|Where|Test)\.\*", section)
        assert marks in ([], ["Claim", "Why", "Where", "Test"]), section[:200]
        if marks:
            tested = section.split("*Test.*")[1].split("\n\n")[0]
            names = re.findall(r"test_\w+(?:\.py)?", tested)
            assert (names or "above" in tested) and set(names) <= known, (section[:80], names)


def test_the_arguments_of_the_documents_are_told_as_claims() -> None:
    reported = {name: (ROOT / "docs" / f"{name}.md").read_text(encoding="utf-8").count("*Claim.*") for name in CLAIMS}
    assert all(reported[name] >= least for name, least in CLAIMS.items()), reported


def test_a_page_that_explains_has_400_lines_at_most() -> None:
    long = [page for page in (ROOT / "docs").glob("*.md") if len(page.read_text(encoding="utf-8").splitlines()) > 400]
    assert [page.name for page in long if not page.stem.endswith("-measured")] == []


def test_every_decision_has_a_number_of_its_own() -> None:
    pages = sorted((ROOT / "docs/decisions").glob("[0-9]*.md"))
    assert len({page.name[:4] for page in pages}) == len(pages) > 15
    for page in pages:
        assert page.read_text(encoding="utf-8").startswith(f"# {int(page.name[:4])}. "), page.name
