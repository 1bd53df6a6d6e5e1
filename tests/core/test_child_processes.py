"""The one way to have work done in other processes: started, received from, informed, ended, and never left behind."""

import os
import signal
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from sokoasp.core.child_processes import ChildProcesses, Ended
from sokoasp.core.limits import Limits
from tests import sleeper
from tests.processes import alive, wait_for

PARENT = """
import sys, time
from sokoasp.core.child_processes import ChildProcesses
from tests import sleeper
children = ChildProcesses()
children.start("child", sleeper.WORK, None)
if "WORK" == "slow_follower":
    children.receive()
print(children._running["child"].pid, flush=True)
time.sleep(600)
"""


def test_a_question_messages_both_ways_and_an_end() -> None:
    with ChildProcesses() as children:
        children.start("a", sleeper.echo, {"question": [1, 2]})
        children.start("b", sleeper.echo, "other")
        first = dict(reported for reported in (children.receive(), children.receive()) if reported is not None)
        assert first == {"a": {"question": [1, 2]}, "b": "other"}
        children.send("a", "news")
        assert children.receive() == ("a", "news") and children.receive(0.05) is None and "a" in children
        children.send("a", None)
        assert children.receive() == ("a", Ended(0)) and "a" not in children
        children.send("a", "nobody hears this")
        children.send("b", None)
        assert children.receive() == ("b", Ended(0)) and children.receive() is None
    assert not [thread for thread in threading.enumerate() if thread.name.startswith("sokoasp-child")]


def test_large_messages_do_not_wait_for_each_other() -> None:
    large = os.urandom(1 << 21)
    with ChildProcesses() as children:
        children.start("a", sleeper.echo, large)
        children.send("a", large)
        children.send("a", None)
        assert [children.receive(), children.receive(), children.receive()] == [
            ("a", large),
            ("a", large),
            ("a", Ended(0)),
        ]


def test_a_stopped_child_sends_nothing_more_and_its_name_is_free() -> None:
    with ChildProcesses() as children:
        children.start("a", sleeper.echo, "first")
        wait_for(lambda: not children._inbox.empty())
        assert children.stop("a") == -signal.SIGKILL and children.stop("a") is None and children.receive(0.0) is None
        children.start("a", sleeper.echo, "second")
        assert children.receive() == ("a", "second")


@pytest.mark.parametrize(("work", "code"), [(sleeper.fail, 1), (sleeper.unreadable, -signal.SIGKILL)])
def test_a_child_that_fails_or_cannot_be_understood_has_ended(
    work: Callable[..., None], code: int, capfd: pytest.CaptureFixture[str]
) -> None:
    with ChildProcesses() as children:
        children.start("a", work, None)
        if work is sleeper.unreadable:
            assert children.receive() == ("a", 1)
        assert children.receive() == ("a", Ended(code))
    assert ("ValueError: no good" in capfd.readouterr().err) == (work is sleeper.fail)


def test_a_child_says_nothing_of_an_interrupt_that_python_drops(capfd: pytest.CaptureFixture[str]) -> None:
    with ChildProcesses() as children:
        children.start("a", sleeper.drop, None)
        assert [children.receive(), children.receive()] == [("a", "done"), ("a", Ended(0))]
    assert capfd.readouterr().err == ""


def test_listening_ends_by_the_clock_the_watch_or_itself() -> None:
    heard: list[tuple[str, Ended]] = []
    with ChildProcesses() as children:
        children.take = lambda name, message: heard.append((name, message))
        children.start("a", sleeper.sleep, None)
        assert children.wait(Limits(seconds=60).start(), lambda: True) is None
        assert children.wait(Limits(seconds=0.2).start()) == "time"
        children.watch = lambda: "decided"
        assert children.wait(Limits(seconds=60).start()) == "decided"
        assert children.wait(Limits(seconds=0.0).start()) == "decided", "what the watch has heard goes before the clock"
        children.watch = lambda: None
        children._running["a"].kill()
        assert children.wait(Limits(seconds=60).start()) == "steps" and heard == [("a", Ended(-signal.SIGKILL))]


def test_what_children_hand_in_when_asked_to_end() -> None:
    with ChildProcesses() as children:
        for name, seconds in (("quick", 0.0), ("late", 600.0)):
            children.start(name, sleeper.hand_in, seconds)
        assert sorted(str(children.receive()) for _ in range(2)) == ["('late', 'ready')", "('quick', 'ready')"]
        assert list(children.collect(10.0)) == [("quick", "handed in"), ("quick", Ended(0))] and "late" not in children


@pytest.mark.skipif(not hasattr(signal, "pthread_sigmask"), reason="signals cannot be blocked here")
def test_children_leave_ctrl_c_to_their_parent_and_limits_reach_them() -> None:
    with ChildProcesses() as children:
        children.start("a", sleeper.masks, None)
        reported = children.receive()
    put_off, deaf = reported[1]
    assert deaf and not {signal.SIGUSR2, signal.SIGTERM} & put_off
    assert not {signal.SIGINT, signal.SIGUSR2} & signal.pthread_sigmask(signal.SIG_BLOCK, ())


@pytest.mark.skipif(sys.platform != "linux", reason="the system does not end orphans by itself")
@pytest.mark.parametrize("work", ["sleep", "slow_follower"])
def test_no_child_outlives_its_parent(work: str, root: Path) -> None:
    text = PARENT.replace("WORK", work)
    parent = subprocess.Popen([sys.executable, "-c", text], cwd=root, stdout=subprocess.PIPE, text=True)
    with parent.stdout as said:
        child = int(said.readline())
        parent.kill()
        parent.wait()
    wait_for(lambda: not alive(child))


def test_the_callers_main_module_does_not_run_again(tmp_path: Path, root: Path) -> None:
    """As it would with ``multiprocessing``, whose fresh processes import it; modules beside the caller are no children's."""
    (tmp_path / "json.py").write_text("raise SystemExit('the json of the folder')\n")
    script = tmp_path / "script.py"
    script.write_text(
        "from pathlib import Path\n"
        "from sokoasp.core.child_processes import ChildProcesses\n"
        "from tests import sleeper\n"
        "Path('ran').open('a').write('once ')\n"
        "with ChildProcesses() as children:\n"
        "    children.start('child', sleeper.echo, 'heard')\n"
        "    print(children.receive())\n"
    )
    command = [sys.executable, "-P", str(script)]
    path = {"PYTHONPATH": str(root)}
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False, env=os.environ | path)
    assert (done.stdout, done.stderr) == ("('child', 'heard')\n", "this is no message\n")
    assert (tmp_path / "ran").read_text() == "once "
