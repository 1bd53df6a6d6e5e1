"""``kernels.wasm`` in node: calls recorded while levels are solved give the same answers and leave the same arrays."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from sokoasp.core import kernels


@pytest.fixture(scope="module")
def recorded(tmp_path_factory: pytest.TempPathFactory) -> Path:
    if kernels.status().source != "aot":
        pytest.skip("calls are recorded of a library that fits (`sokoasp warm`)")
    folder = tmp_path_factory.mktemp("calls")
    subprocess.run([sys.executable, "-m", "tests.kernels.record", str(folder)], check=True, timeout=250)
    return folder


def replayed(folder: Path) -> dict[str, object]:
    wasm, node = os.environ.get("SOKOASP_WASM"), shutil.which("node")
    if not wasm or node is None:
        pytest.skip("needs node and kernels.wasm (`.ci/wheel DIR all` builds it, SOKOASP_WASM names it)")
    command = [node, str(Path(__file__).with_name("replay.mjs")), wasm, str(folder)]
    answer: dict[str, object] = json.loads(subprocess.run(command, check=True, capture_output=True, timeout=250).stdout)
    return answer


def test_recorded_calls_are_the_same_in_node(recorded: Path) -> None:
    answer = replayed(recorded)
    assert answer["wrong"] == []
    assert int(str(answer["kernels"])) >= 30 and int(str(answer["calls"])) >= 100, answer


def test_a_difference_is_noticed(recorded: Path, tmp_path: Path) -> None:
    """One answer and one array are spoiled: both are reported."""
    calls = json.loads((recorded / "calls.json").read_text())
    shutil.copy(recorded / "arrays.bin", tmp_path)
    calls[0]["answer"] = str(int(calls[0]["answer"]) + 1)
    second = next(call for call in calls[1:] if any(isinstance(one, dict) and one["bytes"] for one in call["after"]))
    spoiled = next(one for one in second["after"] if isinstance(one, dict) and one["bytes"])
    data = bytearray((recorded / "arrays.bin").read_bytes())
    data[spoiled["at"]] ^= 1
    (tmp_path / "arrays.bin").write_bytes(data)
    (tmp_path / "calls.json").write_text(json.dumps(calls))
    wrong = replayed(tmp_path)["wrong"]
    assert isinstance(wrong, list) and len(wrong) >= 2
