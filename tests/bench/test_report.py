import re
import xml.etree.ElementTree as Xml
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner

from sokoasp.bench.report import judge, page, plots, summary, tables
from sokoasp.bench.report.tables import Point, Run, ratio, scores, virtual_best
from sokoasp.bench.run import campaign, local
from sokoasp.bench.run.store import open_existing
from sokoasp.cli import root as cli

from . import synthetic
from .conftest import ASP, REFERENCE, SUITE, MakeSuite


def one(system: str, instance: str, seconds: float, outcome: str = "optimal", conflicts: int | None = None) -> Run:
    decided = outcome == "optimal"
    return Run(
        Point(instance, 0, 0), "lines", system, outcome, decided, 3 if decided else None, seconds, 10.0, conflicts
    )


def runs(*given: Run) -> dict[str, dict[Point, Run]]:
    found: dict[str, dict[Point, Run]] = {}
    for run in given:
        found.setdefault(run.system, {})[run.point] = run
    return found


THREE = runs(
    one("a", "i", 1, conflicts=10), one("a", "j", 4, conflicts=40), one("a", "k", 10, "time_out"),
    one("b", "i", 2, conflicts=10), one("b", "j", 2, conflicts=10), one("b", "k", 9),
)  # fmt: skip


def data_of(found: dict[str, dict[Point, Run]]) -> tables.Data:
    every = tuple(run for its in found.values() for run in its.values())
    return tables.Data(tuple(found), ("lines",), every, {}, {})


def test_scores_count_par2_and_the_virtual_best() -> None:
    a, b, best = scores(data_of(THREE), "lines")
    assert (a.runs, a.decided, a.plans, a.par2) == (3, 2, 2, pytest.approx((1 + 4 + 20) / 3))
    assert (b.decided, b.par2) == (3, pytest.approx(13 / 3))
    assert (best.system, best.decided, best.par2) == ("virtual best", 3, pytest.approx((1 + 2 + 9) / 3))
    assert a.outcomes == {"optimal": 2, "time_out": 1}
    assert {point.instance: run.system for point, run in virtual_best(THREE).items()} == {"i": "a", "j": "b", "k": "b"}


def test_what_a_system_adds_to_the_virtual_best_is_what_the_others_lack_without_it() -> None:
    a, b, best = scores(data_of(THREE), "lines")
    assert (a.contribution, a.alone) == (pytest.approx((2 - 1) / 3), 0)  # on i it is a second faster
    assert (b.contribution, b.alone) == (pytest.approx((4 - 2 + 20 - 9) / 3), 1)  # k is decided by b alone
    assert best.contribution is None
    (single,) = scores(data_of(runs(one("a", "i", 1))), "lines")
    assert (single.contribution, single.alone) == (None, 0)


def test_systems_are_compared_on_the_questions_that_all_were_asked() -> None:
    late = one("b", "j", 9, "time_out"), one("c", "i", 9)
    a, b, *_ = scores(data_of(runs(one("a", "i", 1), one("a", "j", 1), one("b", "i", 4), *late)), "lines")
    assert (a.contribution, b.contribution, a.alone) == (3, 0, 0)  # c was not asked of j yet


def test_of_two_that_decide_nothing_the_virtual_best_takes_the_one_with_a_plan() -> None:
    late = one("a", "i", 10, "time_out")
    with_plan = one("b", "i", 10, "solved")._replace(decided=False, value=3)
    for order in ((late, with_plan), (with_plan, late)):
        assert [run.value for run in virtual_best(runs(*order)).values()] == [3]


def test_a_bound_above_a_refereed_plan_is_a_wrong_claim(tmp_path: Path) -> None:
    synthetic.fill(tmp_path, 5)
    with open_existing(tmp_path) as store:
        store.connection.execute("UPDATE run SET outcome = 'time_out', value = NULL, lower_bound = 5")
        plan, sound, wrong = sorted(store.keys())[:3]
        store.connection.execute("UPDATE run SET outcome = 'solved', value = 5 WHERE key = ?", (plan,))
        instance = "(SELECT instance FROM run WHERE key = ?)"
        store.connection.execute(f"UPDATE run SET instance = {instance}", (plan,))
        store.connection.execute("UPDATE run SET lower_bound = 6 WHERE key = ?", (wrong,))
        found = judge.verdicts(store)
    assert sound not in found and list(found) == [wrong]
    assert found[wrong].message.startswith("claims at least 6 lines; ")


def test_ratios_are_geometric_means_over_what_both_decide() -> None:
    found = ratio(THREE["a"], THREE["b"])
    assert (found.common, found.only_first, found.only_second) == (2, 0, 1)
    assert found.factor == pytest.approx((1 / 2 * 4 / 2) ** 0.5) and found.conflicts == pytest.approx((1 * 4) ** 0.5)
    back = ratio(THREE["b"], THREE["a"])
    assert back.factor == pytest.approx(1 / found.factor)
    assert ratio(*runs(one("a", "i", 1), one("b", "j", 1)).values()).factor is None
    assert ratio(*runs(one("a", "i", 1e-6), one("b", "i", 9e-4)).values()).factor == 1, "too short to tell"


@pytest.fixture(scope="module")
def synthetic_report(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, summary.Written]:
    """The folder and the report of a made-up campaign of 600 runs with a liar and a crash; drawing it takes seconds."""
    folder = tmp_path_factory.mktemp("synthetic")
    synthetic.fill(folder, 600, names=synthetic.SYSTEMS[:2])
    return folder, summary.write(folder, measure="cpu")


def test_a_synthetic_campaign_is_reported_with_its_liars_first(synthetic_report: tuple[Path, summary.Written]) -> None:
    folder, written = synthetic_report
    assert written.alarming
    html, markdown = (folder / "report.html").read_text(), (folder / "report.md").read_text()
    for text in (html.partition("</nav>")[2], markdown):
        places = [text.index(part) for part in ("Wrong answers", "Unexplained errors", "virtual best", "Ablation")]
        assert places == sorted(places)
    assert "is optimal; " in markdown and "wrong_claim" in markdown and "| system | set 0 | set 1 | set 2 |" in markdown
    assert 'src="http' not in html and "<link" not in html
    assert html.count("data:image/svg+xml;base64,") == sum(path.suffix == ".svg" for path in written.files)
    for path in written.files:
        assert path.stat().st_size > (500 if path.parent.name != "tables" else 20)
        assert path.suffix != ".svg" or Xml.parse(path).getroot().tag.endswith("svg")
        assert path.suffix != ".pdf" or path.read_bytes().startswith(b"%PDF")


def test_faults_are_grouped_by_system_with_three_examples_and_their_number(tmp_path: Path) -> None:
    """And no path of the machine that made them stands in the report."""
    synthetic.fill(tmp_path, 500)
    with open_existing(tmp_path) as store:
        store.connection.execute("UPDATE run SET outcome = 'solved', message = '', lower_bound = NULL")
        store.connection.execute("UPDATE instance SET file = '/home/me/' || file")
        store.describe({"path": "/home/me/suite.toml"})
        said = "encoding '/home/you/mine.lp' is wrong, /home/me/levels.xsb:3"
        bad = "UPDATE run SET outcome = 'wrong_plan', message = ? WHERE system = 'search' AND instance IN"
        changed = store.connection.execute(f"{bad} ('i0', 'i1', 'i2', 'i3', 'i4')", (said,)).rowcount
    both = []
    for _ in range(2):
        summary.write(tmp_path, width=None)
        both.append([(tmp_path / name).read_text() for name in ("report.html", "report.md")])
    assert both[0] == both[1], "it is the same each time"
    report = both[0][1]
    text = report.partition("Wrong answers")[2].partition("Objective")[0]
    ((cells),) = [line.split(" | ") for line in text.splitlines() if line.startswith("| wrong_plan")]
    assert cells[1:4] == ["search", "lines", str(changed)] and cells[4].endswith(" and 2 more")
    assert cells[4].count("level i") == 0 and cells[4].count("(level ") == 3
    assert cells[5] == "encoding 'mine.lp' is wrong, levels.xsb:3 |"
    assert f"{changed} runs of 1 system." in text and "/home/" not in report


def test_of_many_pairs_six_are_drawn_and_that_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    synthetic.fill(tmp_path, 30)
    drawn: list[tuple[str, str]] = []
    draw = lambda one, two, _, place, *more: drawn.append((one, two)) or place.folder / "cactus-lines.svg"  # noqa: E731
    monkeypatch.setattr(plots, "scatter", draw)
    summary.write(tmp_path)
    assert len(set(drawn)) == 6 and "Of all pairs six are drawn" in (tmp_path / "report.md").read_text()


def test_plots_are_for_papers(synthetic_report: tuple[Path, summary.Written]) -> None:
    """No Type 3 fonts; axes say whose seconds; numbers as they are."""
    folder, _ = synthetic_report
    pdfs = [path.read_bytes() for path in (folder / "plots").glob("*.pdf")]
    fonts = (b"/TrueType", b"/Type0", b"/CIDFontType2")
    assert len(pdfs) > 1 and not any(b"/Type3" in pdf for pdf in pdfs)
    assert any(font in pdf for pdf in pdfs for font in fonts)
    drawn = (folder / "plots" / "cactus-lines.svg").read_text()
    assert "CPU seconds of a question" in drawn and "10^" not in drawn


def test_plots_are_as_wide_as_a_column_where_that_is_wanted(tmp_path: Path) -> None:
    synthetic.fill(tmp_path, 40, names=synthetic.SYSTEMS[:1])
    assert CliRunner().invoke(cli, ["bench", "report", str(tmp_path), "--width", "column"]).exit_code in (0, 1)
    drawn = tmp_path / "plots" / "cactus-lines.svg"
    assert 'width="244.8pt"' in drawn.read_text() and drawn.with_suffix(".pdf").is_file()
    found = runs(*(one(f"system {n}", f"q{n}", 2 + n / 10) for n in range(9)))
    plots.cactus(found, plots.Place(tmp_path, plots.WIDTHS["column"]), "nine", "CPU seconds")
    (figure,) = Xml.parse(tmp_path / "nine.svg").getroot().findall("*[@id='figure_1']")
    assert [part.get("id") for part in figure] == ["patch_1", "axes_1", "legend_1"]
    assert {"1", "10"} <= set(re.findall(r"<!-- ([\d.]+) -->", (tmp_path / "nine.svg").read_text()))


def test_names_of_tables_stay_when_a_section_comes(tmp_path: Path) -> None:
    synthetic.fill(tmp_path, 60)
    summary.write(tmp_path, tmp_path / "one", width=None)
    with open_existing(tmp_path) as store:
        store.connection.execute("UPDATE run SET outcome = 'crash', decided = 0 WHERE system = 'search'")
    summary.write(tmp_path, tmp_path / "other", width=None)
    one, other = ({path.name for path in (tmp_path / name / "tables").iterdir()} for name in ("one", "other"))
    assert one < other
    (tmp_path / "other" / "tables" / "unexplained-errors.mine.csv").write_text("the next report leaves it where it is")
    with open_existing(tmp_path) as store:
        store.connection.execute("UPDATE run SET outcome = 'optimal', decided = 1 WHERE system = 'search'")
    summary.write(tmp_path, tmp_path / "other", width=None)
    assert {path.name for path in (tmp_path / "other" / "tables").iterdir()} == {*one, "unexplained-errors.mine.csv"}


def test_a_real_campaign_is_reported_without_troubles(make_suite: MakeSuite, tmp_path: Path) -> None:
    suite = make_suite(SUITE + REFERENCE + ASP + 'base = "reference"\n')
    campaign.run(suite, tmp_path / "out", local.execute)
    written = summary.write(tmp_path / "out", measure="cpu", width=None)
    assert not written.alarming and {path.suffix for path in written.files} == {".html", ".md", ".csv", ".tex"}
    text = (tmp_path / "out" / "report.md").read_text()
    assert "No wrong answer, no error." in text and "Unexplained errors" not in text
    assert all(f"| {name} | 3 | 3 | 3 |" in text for name in ("reference", "asp", "virtual best"))
    assert "Ablation" in text and "CPU seconds" in text and text.index("| reference |") < text.index("| asp |")


def test_a_known_optimum_refutes_claims(tmp_path: Path) -> None:
    synthetic.fill(tmp_path, 500)
    with open_existing(tmp_path) as store:
        store.connection.execute("UPDATE instance SET known = '{\"lines\": 2}' WHERE id = 'i0'")
        found = {v.message for v in judge.verdicts(store).values()}
    assert "claims 5 lines is optimal; the known optimum is 2" in found


def test_instances_without_a_run_are_not_counted(tmp_path: Path) -> None:
    synthetic.fill(tmp_path, 60)
    with open_existing(tmp_path) as store:
        store.connection.execute("DELETE FROM run WHERE instance <> 'i0'")
    CliRunner().invoke(cli, ["bench", "report", str(tmp_path), "--no-plots"])
    assert " on 1 instance, begun" in (tmp_path / "report.md").read_text()


def test_every_measure_can_be_loaded(tmp_path: Path) -> None:
    synthetic.fill(tmp_path, 100)
    with open_existing(tmp_path) as store:
        for measure in tables.MEASURES:
            data = tables.load(store, {}, measure)
            assert len(data.runs) == 100 and data.systems == tuple(sorted(synthetic.SYSTEMS))


def test_sets_are_in_the_order_of_their_numbers() -> None:
    names = ("size 10x9", "size 8x9", "size 9x9", "size")
    found = runs(*(one("a", name, 1) for name in names), one("b", "size 8x9", 1))
    shapes = {name: tables.Shape(name, "a.xsb", 1, 2) for name in names}
    sets = tables.by_set(replace(data_of(found), shapes=shapes), "lines")
    assert list(sets) == ["size", "size 8x9", "size 9x9", "size 10x9"]
    assert [list(systems) for systems in sets.values()] == [["a"], ["a", "b"], ["a"], ["a"]]


def test_a_failed_run_s_log_is_a_click_away_and_tables_are_files(make_suite: MakeSuite, tmp_path: Path) -> None:
    broken = """
[[systems]]
name = "broken"
kind = "external"
command = "echo one line >&2; echo the reason >&2; exit 3"
output = "lurd"
"""
    campaign.run(make_suite(SUITE + REFERENCE + broken), tmp_path / "out", local.execute)
    written = summary.write(tmp_path / "out", width=None)
    html = (tmp_path / "out" / "report.html").read_text()
    assert html.count("<summary>log</summary>") == 1 and "the reason" in html
    assert len(list((tmp_path / "out" / "logs").glob("*.txt"))) == 3
    assert '<a href="#h' in html and 'type="search"' not in html
    for path in written.files:
        if path.parent.name == "tables":
            assert f'href="tables/{path.name}"' in html


def test_tables_are_written_for_latex_and_as_csv() -> None:
    table = page.Table("50 % & more", ("system", "a_b"), [("x, y", "1"), ("[z]---\x1b", "–")], file="more")
    assert page.csv_text(table) == 'system,a_b\n"x, y",1\n[z]---\x1b,–\n'
    text = page.latex(table)
    assert "\\centering\n\\caption{50 \\% \\& more}\n\\label{tab:more}\n" in text
    assert r"system & a\_b \\" in text and r"\begin{tabular}{lr}" in text
    assert "\n{}[z]-{}-{}- & \\textendash{} \\tabularnewline\n" in text and "table*" not in text
    text = page.latex(page.Table("wide", ("a", "b"), [("c" * 50, "--d")], words=True, file="wide"))
    assert (
        "\\begin{tabular}{p{0.80\\linewidth}l}" in text and "\n{}\\raggedright ccc" in text and "c & -{}-d \\t" in text
    )
    assert text.startswith("\\begin{table*}\n") and text.endswith("\\end{tabular}}\n\\end{table*}\n")


def test_pages_escape_what_is_not_theirs() -> None:
    blocks = [page.Text("<b>"), page.Table("t & u", ("a|b", "c"), [("x|y", "<i>")])]
    html = page.html("<t>", blocks)
    assert "<b>" not in html and "<i>" not in html and "&lt;i&gt;" in html and "t &amp; u" in html
    text = page.markdown("t", blocks, Path())
    assert r"| a\|b | c |" in text and r"| x\|y | <i> |" in text


def test_a_system_is_described_by_what_is_not_the_default() -> None:
    assert tables._settings({"engine": "native", "threads": 1}) == "engine = native"


def test_a_claim_is_refuted_by_a_plan_of_another_question_and_by_an_optimum_that_is_higher() -> None:
    plans = {("level", "lines", ""): {4: "asp"}, ("level", "lines", "steps=5"): {4: "asp"}}
    rest = {"lower_bound": None, "bound": None, "fewest": None}

    def refuted(outcome: str, value: int | None, question: str = "") -> str | None:
        run = {"instance": "level", "objective": "lines", "question": question, "outcome": outcome, "value": value}
        return judge._refuted(run | rest, plans, {("other", "lines"): 6, ("level", "lines"): 4})

    assert refuted("unsolvable", None) == "claims unsolvable; asp has a refereed plan with 4 lines"
    assert refuted("optimal", 4) is None
    other = {"instance": "other", "objective": "lines", "question": "", "outcome": "optimal"} | rest
    said = [judge._refuted(other | {"value": value}, {}, {("other", "lines"): 6}) for value in (5, 6, 7)]
    assert [None if one is None else one.rpartition(" ")[2] for one in said] == ["6", None, "6"]


def test_a_plan_for_one_length_is_a_plan(tmp_path: Path) -> None:
    """What was found for a question refutes who says that there is no plan at all."""
    synthetic.fill(tmp_path, 5)
    with open_existing(tmp_path) as store:
        store.connection.execute("UPDATE run SET question = 'steps=5'")
        plans, _ = judge._known(store)
    asked = {question for _, _, question in plans}
    assert asked == {"steps=5", ""}
