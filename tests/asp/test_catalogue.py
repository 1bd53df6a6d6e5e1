"""The catalogue: what it says, says once, and what is left of a program when an idea is taken out."""

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from sokoasp import engine
from sokoasp.asp import catalogue
from sokoasp.asp.export import for_plain_clingo
from sokoasp.cli import root as cli
from sokoasp.core.errors import EncodingError
from sokoasp.sokoban import formats
from tests.encodings import roots

GAMES = sorted(path.parent.name for path in catalogue.folder().glob("*/catalogue.json"))
ASIDE = ("bridge", "prefer", "examples", "viz")
"""Folders whose files are no part of a program: ``vocabulary.toml`` and the user add them."""


def text_of(game: str) -> dict[str, Any]:
    return json.loads((catalogue.folder() / game / "catalogue.json").read_text(encoding="utf-8"))


def places(paths: tuple[Path, ...]) -> list[str]:
    return ["/".join(path.relative_to(catalogue.folder()).parts[1:]) for path in paths]


@pytest.mark.parametrize("game", GAMES)
def test_each_proof_and_idea_is_said_once_and_used(game: str) -> None:
    text = text_of(game)
    for named in (text["proves"].values(), [idea["claim"] for idea in text["ideas"]]):
        assert len(named) == len(set(named))
    names = [idea["name"] for idea in text["ideas"]]
    assert len(names) == len(set(names))
    assert set(names) == {name for one in text["encodings"] for name in one.get("ideas", ())}
    assert set(text["proves"]) == {one["proves"] for one in text["encodings"]}
    assert not any("{" in one.proves for one in catalogue.encodings().values())


@pytest.mark.parametrize("game", GAMES)
def test_every_file_is_part_of_a_program_or_stands_in_for_an_idea(game: str) -> None:
    programs = [one for one in catalogue.encodings().values() if one.game == game]
    used = {path for one in programs for path in one.files}
    used |= {path for one in programs for idea in one.ideas for path in idea.instead}
    used |= {path for one in programs for path in for_plain_clingo(one).files}
    used |= {path for path in roots.roots() if path.parent.name == game}
    here = catalogue.folder() / game
    assert used == {path for path in here.rglob("*.lp") if path.relative_to(here).parts[0] not in ASIDE}


def test_both_directions_prune_by_the_same_files() -> None:
    known = catalogue.encodings()
    for objective in ("lines", "pushes", "moves"):
        two = known[f"{objective}-forward"], known[f"{objective}-remaining"]
        assert [one.index for one in two] == ["forward", "remaining"]
        shared = set(two[0].ideas) & set(two[1].ideas)
        assert {idea.name.partition("_")[0] for idea in shared} >= {"near", "far"} and len(shared) >= 5


def test_without_an_idea_its_stand_in_is_there_and_its_table_only_if_another_reads_it() -> None:
    whole = catalogue.named("pushes-remaining")
    bare = whole.without("near_windows")
    assert places(bare.files) == [
        name.replace("prune/near_windows", "prune/near_anywhere") for name in places(whole.files)
    ]
    assert bare.tables == whole.tables == ("windows", "pairs", "prices", "potentials")
    assert whole.without("near_windows", "far_windows").tables == ("pairs", "prices", "potentials")
    assert whole.without("nonesuch") == whole


def test_a_shared_file_stays_as_long_as_it_is_needed() -> None:
    whole = catalogue.named("pushes-remaining")
    assert "prune/horizon.lp" in places(whole.without("far_windows").files)
    far = [idea.name for idea in whole.ideas if idea.name.startswith("far_") or idea.name == "reduced_costs"]
    assert "prune/horizon.lp" not in places(whole.without(*far).files)


def test_an_idea_goes_with_the_one_it_needs() -> None:
    whole = catalogue.named("lines-remaining")
    assert [idea.name for idea in whole.ideas][-2:] == ["counts", "counts_change"]
    assert "counts_change" in [idea.name for idea in whole.without("near_pairs").ideas]
    assert not {"counts", "counts_change"} & {idea.name for idea in whole.without("counts").ideas}
    assert "parts" not in whole.without("counts").tables


def test_what_holds_for_the_fewest_actions_only_is_left_out_on_request() -> None:
    units = catalogue.named("units")
    assert places(units.files)[-2:] == ["no_way_back.lp", "show_slide.lp"]
    assert set(places(units.files)) - set(places(units.exact.files)) == {"no_way_back.lp"}
    assert catalogue.named("slides").exact == catalogue.named("slides")


def test_show_prints_the_ideas_and_where_the_files_stand() -> None:
    reported = CliRunner().invoke(cli, ["encodings", "show", "lines-remaining-dom"]).output
    assert "% Proves: Every plan of t line pushes is an answer set at bound t: the ideas forbid" in reported
    for idea in catalogue.named("lines-remaining-dom").ideas:
        assert f"% Idea {idea.name}: {idea.claim}\n" in reported
    assert "% ---- remaining/lines.lp\n" in reported and "% ---- prune/near_pairs.lp\n" in reported


@pytest.mark.parametrize(("name", "shows"), [("lines", "push/4"), ("slides", "slide/4")])
def test_an_own_program_that_shows_nothing_is_read_by_its_games_actions(name: str, shows: str, tmp_path: Path) -> None:
    known, own = catalogue.encodings()[name], tmp_path / "own.lp"
    own.write_text("\n".join(file.read_text() for file in known.files if "show" not in file.name))
    assert catalogue.find(str(own), known.game, known.objective).output == shows
    own.write_text("a(1).\n")
    with pytest.raises(EncodingError, match=f"nothing derives {shows}"):
        catalogue.find(str(own), known.game, known.objective)


def test_an_own_program_may_be_made_of_our_files(tmp_path: Path) -> None:
    """Its parts and what it shows are found in what it includes."""
    known, own = catalogue.encodings()["lines"], tmp_path / "own.lp"
    own.write_text("".join(f'#include "{file}".\n' for file in known.files))
    found = catalogue.find(str(own), "sokoban", "lines")
    assert (found.mode, found.output) == (known.mode, known.output) == ("incremental", "push/4")
    level = formats.read("#######\n#@ $ .#\n#######\n")[0]
    assert engine.solve(level, encoding=str(own)).status == "optimal"
