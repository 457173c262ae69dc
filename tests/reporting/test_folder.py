"""Reports appear whole or not at all."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time

import pytest

from analyzer.errors import BadInput
from analyzer.reporting.folder import _HOST, check_writable, clear_leftovers, uninterrupted, whole_folder, write_whole


def test_a_folder_appears_when_the_block_ends(tmp_path):
    folder = tmp_path / "a" / "b"
    with whole_folder(folder) as scratch:
        (scratch / "x").write_text("1")
        assert not folder.exists()
    assert (folder / "x").read_text() == "1"
    assert list((tmp_path / "a").iterdir()) == [folder]


def test_a_failure_leaves_the_old_folder(tmp_path):
    folder = tmp_path / "r"
    with whole_folder(folder) as scratch:
        (scratch / "x").write_text("old")
    with pytest.raises(RuntimeError), whole_folder(folder) as scratch:  # noqa: PT012
        (scratch / "x").write_text("new")
        raise RuntimeError
    assert (folder / "x").read_text() == "old"
    assert list(tmp_path.iterdir()) == [folder]


def test_what_cannot_be_written_is_said_before_the_work(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(BadInput, match="choose another folder"):
        check_writable(tmp_path / "file" / "reports")
    with pytest.raises(BadInput, match="choose another folder"), whole_folder(tmp_path / "file" / "reports"):
        pass
    check_writable(tmp_path / "new" / "reports")
    assert not (tmp_path / "new").exists()


@pytest.fixture
def termination(in_terminal):
    """Let SIGTERM interrupt, as the command line does."""
    before = signal.signal(signal.SIGTERM, signal.default_int_handler)
    yield
    signal.signal(signal.SIGTERM, before)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_an_interruption_waits_for_the_end_of_the_block(termination, number):
    done = []
    with pytest.raises(KeyboardInterrupt), uninterrupted():  # noqa: PT012
        signal.raise_signal(number)
        done.append("written")
    assert done == ["written"]
    with pytest.raises(KeyboardInterrupt):
        signal.raise_signal(number)


def test_an_ignored_ctrl_c_stays_ignored(in_terminal):
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    with uninterrupted():
        signal.raise_signal(signal.SIGINT)
    signal.raise_signal(signal.SIGINT)


def test_a_file_is_written_whole(tmp_path):
    write_whole(tmp_path / "x", "old")
    write_whole(tmp_path / "x", "new")
    assert (tmp_path / "x").read_text() == "new"
    assert len(list(tmp_path.iterdir())) == 1


@pytest.fixture
def dead():
    """The number of a process that has ended."""
    process = subprocess.Popen([sys.executable, "-c", ""])
    process.wait()
    return process.pid


def scratch_of(pid: int, name: str = "odds", host: str = _HOST) -> str:
    return f".{name}~{host}~{pid}~12_b"


def test_leftovers_that_are_nobodys_go_and_nothing_else(tmp_path, dead):
    mine, elsewhere = scratch_of(os.getpid()), scratch_of(dead, host="elsewhere")
    kept = [mine, elsewhere, "odds", "odds-mine", ".odds", "~~~"]
    for name in [*kept, scratch_of(dead), scratch_of(dead) + ".old", scratch_of(dead, "rank")]:
        (tmp_path / name).mkdir()
    (tmp_path / scratch_of(dead, "index.html")).write_text("half")
    clear_leftovers(tmp_path)
    assert {path.name for path in tmp_path.iterdir()} == set(kept)


def test_old_leftovers_of_another_machine_go(tmp_path, dead):
    folder = tmp_path / scratch_of(dead, host="elsewhere")
    folder.mkdir()
    os.utime(folder, (time.time() - 10 * 24 * 3600,) * 2)
    clear_leftovers(tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_a_report_put_aside_by_a_killed_run_takes_its_place_again(tmp_path, dead):
    (tmp_path / (scratch_of(dead) + ".old")).mkdir()
    (tmp_path / (scratch_of(dead) + ".old") / "x").write_text("good")
    clear_leftovers(tmp_path)
    assert (tmp_path / "odds" / "x").read_text() == "good"
    assert len(list(tmp_path.iterdir())) == 1


def test_writing_clears_what_lies_beside(tmp_path, dead):
    (tmp_path / scratch_of(dead, "rank")).mkdir()
    with whole_folder(tmp_path / "odds"):
        assert len(list(tmp_path.iterdir())) == 1  # its own
        clear_leftovers(tmp_path)
        assert len(list(tmp_path.iterdir())) == 1
    assert [path.name for path in tmp_path.iterdir()] == ["odds"]


def test_leftovers_below_a_folder(tmp_path, dead):
    (tmp_path / "a" / "b" / scratch_of(dead)).mkdir(parents=True)
    clear_leftovers(tmp_path, below=True)
    assert list((tmp_path / "a" / "b").iterdir()) == []
