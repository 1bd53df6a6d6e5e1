"""A campaign's report opened in a browser from a file: sorted, filtered, and a failed run's log unfolded."""

from pathlib import Path
from typing import Any

from sokoasp.bench.report.page import Heading, Table, html

ROWS = [
    (name, seconds)
    for name, seconds in zip("hgfedcba", ("10.5", "9", "", "1,200", "0.3", "2", "11", "10"), strict=True)
]


def _cells(driver: Any, column: int) -> list[str]:
    rows = driver.find_elements("css selector", "tbody tr")
    return [row.find_elements("css selector", "td")[column].text for row in rows if row.is_displayed()]


def test_tables_sort_filter_and_unfold_logs_from_a_file(driver: Any, tmp_path: Path) -> None:
    table = Table("Times", ("system", "seconds"), ROWS, logs=[f"the reason of {name}" for name, _ in ROWS])
    report = tmp_path / "report.html"
    report.write_text(html("A campaign", [Heading("Results"), table]), encoding="utf-8")
    driver.get(report.as_uri())
    seconds = driver.find_elements("css selector", "thead th button")[1]
    seconds.click()
    assert [text.split()[0] for text in _cells(driver, 0)] == list("dcgahbef"), "by number, what is empty last"
    seconds.click()
    assert [text.split()[0] for text in _cells(driver, 0)][-1] == "d"
    filter_ = driver.find_element("css selector", "input")
    filter_.send_keys("1,2")
    assert _cells(driver, 1) == ["1,200"]
    filter_.clear()
    filter_.send_keys("reason of c")
    log = driver.find_element("css selector", "tbody tr:not([hidden]) details")
    for node in ("summary", "summary", "td"):  # the row, too
        driver.find_element("css selector", f"tbody tr:not([hidden]) {node}").click()
    assert "the reason of c" in log.text
    assert [entry for entry in driver.get_log("browser") if entry["level"] == "SEVERE"] == []
