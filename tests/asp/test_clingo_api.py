"""What is read of clingo by its inner names is what its public interface says."""

import clingo
import pytest

from sokoasp.asp import clingo_api


def test_statistics_are_clingos_own_also_where_the_inner_names_are_others(monkeypatch: pytest.MonkeyPatch) -> None:
    control = clingo.Control()
    control.add("base", [], "{ a(1..4) }. :- a(X), a(Y), X < Y. :- not a(4), not a(3).")
    control.ground([("base", [])])
    control.solve()
    public = control.statistics
    quick = clingo_api.statistics(control)
    assert int(quick["problem"]["lp"]["atoms"]) == int(public["problem"]["lp"]["atoms"]) > 0
    assert int(quick["solving"]["solvers"]["choices"]) == int(public["solving"]["solvers"]["choices"])
    monkeypatch.delattr(clingo._internal, "_c_call")
    assert clingo_api.statistics(control) == public
