"""The JSON notation: what it refuses."""

import json

import pytest

from sokoasp.core.errors import SokoaspError
from sokoasp.sokoban import formats
from sokoasp.sokoban.level import Level

ROWS = ["#####", "#@$.#", "#####"]
NAMES = {"a": [1, 1], "b": [1, 2], "c": [1, 3]}


@pytest.mark.parametrize("data", [{"levels": [{"rows": ROWS}]}, {"rows": ROWS}, [{"rows": ROWS}]])
def test_shapes(data: object) -> None:
    assert formats.read(json.dumps(data))[0].rows() == tuple(ROWS)


@pytest.mark.parametrize(
    ("record", "code", "message"),
    [
        ({"rows": ROWS[:2]}, "E-OPEN", r"\(level 1, row 2 of its rows\)"),
        ({"rows": "x"}, "E-JSON", "level 1: rows is not a list"),
        ({"rows": [1]}, "E-JSON", "rows is not a list of texts"),
        ({"rows": ["#\n"]}, "E-JSON", "line break"),
        (7, "E-JSON", "an object is expected"),
        ({"rows": ROWS, "title": 3}, "E-JSON", "title is not a text"),
        ({"rows": ROWS, "solutions": "r"}, "E-JSON", "solutions"),
        ({"rows": ROWS, "steps": 0}, "E-JSON", "steps"),
        ({"rows": ROWS, "steps": True}, "E-JSON", "steps"),
        ({"rows": ROWS, "steps": 2, "step_names": ["a"]}, "E-JSON", "step_names"),
        ({"rows": ROWS, "step_names": ["a"]}, "E-JSON", "step_names does not fit steps"),
        ({"rows": ROWS, "names": {"a": [1, 1]}}, "E-JSON", "one name"),
        ({"rows": ROWS, "names": NAMES | {"c": [1, "3"]}}, "E-JSON", "row, column"),
        ({"rows": ROWS, "names": NAMES | {"d": [1, 3]}}, "E-JSON", "one name"),
    ],
)
def test_refused(record: object, code: str, message: str) -> None:
    with pytest.raises(SokoaspError, match=message) as caught:
        formats.read(json.dumps({"levels": [record]}), source="a.json")
    assert (caught.value.code, caught.value.place) == (code, "a.json:1:1")


@pytest.mark.parametrize(
    ("text", "code", "place"),
    [
        ('{"levels":\n [}', "E-JSON", "a.json:2:3"),
        ("[" * 100_000, "E-JSON", "a.json:1:1"),
        ("1" * 10_000, "E-JSON", "a.json:1:1"),
        ("{}", "E-JSON", "a.json:1:1"),
        ('{"rows": ["#####", "#@$.#", "#####"],\n "solutons": []}', "E-JSON", "a.json:2:2"),
        ('[{"rows": ["#####", "#@$.#", "#####"], "notes": {"x": "[{"}, "x": 1}]', "E-JSON", "a.json:1:62"),
        ('{"format": "sokoasp-levels", "level": [], "levels": [3]}', "E-JSON", "a.json:1:30"),
        ('{"format": "sokoasp-boards", "rows": ["#####", "#@$.#", "#####"]}', "E-JSON", "a.json:1:1"),
        ('{"rows": ["#####", "#@$.#", "#####"], "rows": []}', "E-JSON", "a.json:1:39"),
        ("[]", "E-NOLEVEL", "a.json:1:1"),
        ("3", "E-NOLEVEL", "a.json:1:1"),
    ],
)
def test_refused_texts(text: str, code: str, place: str) -> None:
    with pytest.raises(SokoaspError) as caught:
        formats.read(text, source="a.json")
    assert (caught.value.code, caught.value.place) == (code, place)


def test_a_misspelt_key_hides_no_other_level_and_its_place_is_told() -> None:
    level = {"rows": ROWS}
    text = json.dumps({"levels": [level, {**level, "notes": {"solutons": "a note"}, "solutons": []}, level]}, indent=1)
    first, second, third = formats.read_each(text, source="a.json")
    line = 1 + text.splitlines().index('   "solutons": []')
    assert isinstance(first, Level) and isinstance(third, Level) and isinstance(second, SokoaspError)
    assert str(second) == f"a.json:{line}:4: E-JSON unknown key 'solutons'; did you mean 'solutions'?"
