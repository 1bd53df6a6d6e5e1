"""docs/formats.md names every error and warning code of the readers, and no other."""

import re
from pathlib import Path


def test_every_code_is_documented(root: Path) -> None:
    sources = [*(root / "sokoasp/sokoban/formats").glob("*.py")]
    sources += [root / "sokoasp" / name for name in ("sokoban/facts.py", "core/atoms.py", "sokoban/answers.py")]
    raised = set(re.findall(r'"([EW]-[A-Z0-9-]+)["]', "".join(path.read_text() for path in sources)))
    raised |= set(re.findall(r"\b(W-[A-Z]+)\b", "".join(path.read_text() for path in sources)))
    rows = re.findall(r"^\| ([EW]-[A-Z0-9-]+) \|", (root / "docs/formats.md").read_text(), re.MULTILINE)
    assert set(rows) == raised
    assert len(rows) == len(set(rows))
