"""docs/encodings*.md argue for every idea of the catalogues, name files and tests that are there, and their boards are right."""

import re

import pytest

from sokoasp.asp import catalogue
from sokoasp.sokoban import facts
from sokoasp.sokoban.formats.level_rows import level_from_rows
from sokoasp.sokoban.level import Cell, Level
from tests.instances import FOLDER
from tests.sokoban.test_tables import table

ROOT = FOLDER.parent
PAGES = {
    name: (ROOT / f"docs/{name}.md").read_text(encoding="utf-8")
    for name in ("encodings", "encodings-ideas", "encodings-solving")
}
PAGE = PAGES["encodings-ideas"]
IDEAS = {"sokoban": "The ideas of the Sokoban encodings", "klotski": "The ideas of the Klotski encodings"}
ROOMS = ("encodings/sokoban", "encodings", "sokoasp", "tests")
PARTS = ("*Claim.*", "*Why.*", "*Where.*", "*Test.*")


def sections() -> list[tuple[str, str, str]]:
    """Return chapter, heading and text of every argument on the three pages that argue."""
    found = []
    chapters = (one for text in PAGES.values() for one in re.split(r"^## ", text, flags=re.MULTILINE)[1:])
    for chapter in chapters:
        title, _, rest = chapter.partition("\n")
        for part in re.split(r"^### ", rest, flags=re.MULTILINE)[1:]:
            heading, _, text = part.partition("\n")
            found.append((title, heading, text))
    return found


ARGUMENTS = sections()


@pytest.mark.parametrize("game", IDEAS)
def test_every_idea_of_the_catalogue_has_its_entry(game: str) -> None:
    named = [
        name
        for chapter, heading, _ in ARGUMENTS
        if chapter == IDEAS[game]
        for name in re.findall(r"`(\w+)`", heading.rpartition("(")[2])
    ]
    programs = (one for one in catalogue.encodings().values() if one.game == game)
    ideas = {idea.name: idea for one in programs for idea in one.ideas}
    assert sorted(named) == sorted(ideas)
    for chapter, heading, text in ARGUMENTS:
        for name in re.findall(r"`(\w+)`", heading) if chapter == IDEAS[game] else ():
            assert f"/{ideas[name].files[-1].name}`" in text.partition("*Where.*")[2], name


@pytest.mark.parametrize(("chapter", "heading", "text"), ARGUMENTS, ids=[heading for _, heading, _ in ARGUMENTS])
def test_an_argument_has_its_four_parts_and_what_it_names_is_there(chapter: str, heading: str, text: str) -> None:
    places = [text.find(part) for part in PARTS]
    assert -1 not in places and places == sorted(places)
    reported = text[places[2] :]
    for word in re.findall(r"`([\w/.-]+\.(?:py|lp|toml))`", reported):
        assert any((ROOT / room / word).is_file() for room in ROOMS), word
    tests = "".join(path.read_text(encoding="utf-8") for path in (ROOT / "tests").rglob("*.py"))
    for name in re.findall(r"`(test_\w+)`", reported):
        assert f"def {name}(" in tests, name
    for label in re.findall(r'"([^"]+)"', text[places[3] :]):
        assert f': {" ".join(label.split())}": (' in tests, label


def drawing(after: str) -> list[str]:
    """Return the lines of the first drawing after a heading."""
    return PAGE.split(after, 1)[1].split("```text\n", 1)[1].split("\n```", 1)[0].splitlines()


def drawn(after: str) -> Level:
    """Return the board at the left of it, as wide as its upper wall."""
    lines = [line for line in drawing(after) if line.startswith("#")]
    wall = re.match("#+", lines[0])
    return level_from_rows([line[: wall.end()] for line in lines])


def test_the_windows_are_those_of_the_board() -> None:
    given = drawn("### Windows (")
    found, name = table(given, "windows", "pushes"), facts.name_of(given)
    rows = [line.split()[-2:] for line in drawing("### Windows (") if line.startswith("#")]
    assert len(rows) == 6
    for at, word in enumerate(("near_at", "far_at")):
        for r, pair in enumerate(rows):
            said = "".join(
                "#" if Cell(r, c) not in given.floor else str(found[word].get((name[Cell(r, c)],), "x"))
                for c in range(len(pair[at]))
            )
            assert said == pair[at]
