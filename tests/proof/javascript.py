"""The checker in JavaScript, run in Node: one process for many folders."""

from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from tests.proof.forging import package_says, standalone_says

CHECKER = Path(__file__).resolve().parents[2] / "sokoasp" / "web" / "static" / "check_proof.js"
NODE = shutil.which("node")
_RUN = """
    const {check, Gains, sha256, unpacked} = require(process.argv[1]), {join} = require("node:path");
    const {existsSync, readFileSync} = require("node:fs");
    const data = JSON.parse(readFileSync(0, "utf8"));
    const files = (folder) => (name) => existsSync(join(folder, name)) ? readFileSync(join(folder, name)) : null;
    const verdict = (folder) => { const {valid, sentence} = check(files(folder)); return valid ? null : sentence; };
    const sum = (path) => {
      const parts = [];
      try {
        for (const piece of unpacked(readFileSync(path))) parts.push(Buffer.from(piece));
      } catch (error) { return error.message; }
      return sha256(Buffer.concat(parts));
    };
    const gains = ({boxes, groups}) => {
      const found = new Gains(boxes), mask = (some) => some.reduce((all, i) => all | found.bit[i], found.none);
      for (const [some, gain] of groups) found.add(some[0], mask(some), gain);
      return [found.some(), found.best(Infinity), found.most()];
    };
    process.stdout.write(JSON.stringify(data.map({folders: verdict, files: sum, gains}[process.argv[2]])));"""


def _run(what: str, given: Sequence[object], checker: Path) -> list[Any]:
    command = [str(NODE), "--max-old-space-size=16000", "-e", _RUN, str(checker), what]
    done = subprocess.run(
        command, input=json.dumps(given, default=str), capture_output=True, text=True, timeout=10_800, check=False
    )
    assert done.returncode == 0, done.stderr
    return list(json.loads(done.stdout))


def says(folders: Sequence[Path], checker: Path = CHECKER) -> list[str | None]:
    """Return why each folder is refused, None where it is accepted."""
    return _run("folders", folders, checker)


def unpacked_sums(files: Sequence[Path]) -> list[str]:
    """Return the SHA-256 of what each xz file unpacks to, or why it is refused."""
    return _run("files", files, CHECKER)


def sums_of_gains(choices: Sequence[tuple[int, Sequence[tuple[Sequence[int], int]]]]) -> list[list[int]]:
    """Return what groups (boxes, gain) of so many boxes add up to: the quick sum, the best one, what none exceeds."""
    return _run("gains", [{"boxes": boxes, "groups": groups} for boxes, groups in choices], CHECKER)


def every_checker_says(folder: Path) -> list[str | None]:
    """Return what every checker that can run here says but the one in Coq, which the campaign asks."""
    return every_checker_says_of([folder])[0]


def every_checker_says_of(folders: Sequence[Path]) -> list[list[str | None]]:
    """Return that of each folder: one process of Node for all."""
    said = [[package_says(folder), standalone_says(folder)] for folder in folders]
    return said if NODE is None else [[*two, third] for two, third in zip(said, says(folders), strict=True)]
