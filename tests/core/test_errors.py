import pickle
import re

import pytest

from sokoasp.core import errors
from sokoasp.core.errors import EncodingError, IllegalPlan, LevelError, SokoaspError, WrongEncoding, WrongPlan


@pytest.mark.parametrize(
    "error",
    [
        LevelError("no player", source="a.xsb", line=3, column=1, code="E-PLAYER"),
        IllegalPlan("move 3: a wall", at=3),
        WrongPlan("claims 2, the referee counts 3", legal=True),
        WrongEncoding("no plan"),
        errors.MissingExtra("the page", "web"),
    ],
    ids=lambda error: type(error).__name__,
)
def test_errors_cross_a_process_boundary_whole(error: SokoaspError) -> None:
    copy = pickle.loads(pickle.dumps(error))
    assert type(copy) is type(error) and str(copy) == str(error) and vars(copy) == vars(error)


def test_a_wrong_program_is_the_users_fault_and_a_wrong_engine_is_ours() -> None:
    assert issubclass(WrongEncoding, EncodingError) and WrongEncoding("x").exit_code == 1
    assert WrongPlan("x").exit_code == 1 and not WrongPlan("x").legal


def test_the_tree_of_errors_has_them_all_with_their_exit_codes() -> None:
    told = re.findall(r"─ (\w+) .*?(\d+)$", str(errors.__doc__), re.MULTILINE)
    classes = [one for one in vars(errors).values() if isinstance(one, type) and issubclass(one, SokoaspError)]
    assert {(one.__name__, str(one.exit_code)) for one in classes if one is not SokoaspError} == set(told)


def test_of_many_names_some_are_listed_and_the_rest_counted() -> None:
    from sokoasp.core.nearest import nearest_or_all

    assert nearest_or_all("zz", "abc") == "; there are a, b, c"
    assert nearest_or_all("zz", [f"n{k}" for k in range(12)]).endswith(", n8, n9 and 2 more")
    assert nearest_or_all("lnes", ["moves", "lines"]) == "; did you mean 'lines'?"
