"""docs/formats.md names every error and warning code of the package, and no other."""

import re
from pathlib import Path


def test_every_code_is_documented(root: Path) -> None:
    sources = [path for path in (root / "sokoasp").rglob("*.py") if path.parent.name != "web"]
    raised = set(re.findall(r'"([EW]-[A-Z0-9-]+)["]', "".join(path.read_text() for path in sources)))
    raised |= set(re.findall(r"\b(W-[A-Z]+)\b", "".join(path.read_text() for path in sources)))
    heads = re.findall(r"^\| ([EW]-[A-Z0-9-, EW]+) \|", (root / "docs/formats.md").read_text(), re.MULTILINE)
    rows = [code for head in heads for code in head.split(", ")]
    assert set(rows) == raised and len(rows) == len(set(rows))
