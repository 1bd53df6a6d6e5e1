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
    const {check, sha256, unpacked} = require(process.argv[1]), {join} = require("node:path");
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
    process.stdout.write(JSON.stringify(data.map(process.argv[2] === "folders" ? verdict : sum)));"""


def _run(what: str, paths: Sequence[Path], checker: Path) -> list[Any]:
    command = [str(NODE), "--max-old-space-size=16000", "-e", _RUN, str(checker), what]
    given = json.dumps([str(path) for path in paths])
    done = subprocess.run(command, input=given, capture_output=True, text=True, timeout=10_800, check=False)
    assert done.returncode == 0, done.stderr
    return list(json.loads(done.stdout))


def says(folders: Sequence[Path], checker: Path = CHECKER) -> list[str | None]:
    """Return why each folder is refused, None where it is accepted."""
    return _run("folders", folders, checker)


def unpacked_sums(files: Sequence[Path]) -> list[str]:
    """Return the SHA-256 of what each xz file unpacks to, or why it is refused."""
    return _run("files", files, CHECKER)


def every_checker_says(folder: Path) -> list[str | None]:
    """Return what every checker that can run here says but the one in Coq, which the campaign asks."""
    said = [package_says(folder), standalone_says(folder)]
    return said if NODE is None else [*said, *says([folder])]
