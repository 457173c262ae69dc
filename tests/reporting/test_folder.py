"""Reports appear whole or not at all."""

from __future__ import annotations

import signal

import pytest

from analyzer.errors import BadInput
from analyzer.reporting.folder import check_writable, clear_leftovers, uninterrupted, whole_folder, write_whole


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


def test_ctrl_c_waits_for_the_end_of_the_block():
    done = []
    with pytest.raises(KeyboardInterrupt), uninterrupted():  # noqa: PT012
        signal.raise_signal(signal.SIGINT)
        done.append("written")
    assert done == ["written"]
    with pytest.raises(KeyboardInterrupt):
        signal.raise_signal(signal.SIGINT)


def test_a_file_is_written_whole(tmp_path):
    write_whole(tmp_path / "x", "old")
    write_whole(tmp_path / "x", "new")
    assert (tmp_path / "x").read_text() == "new"
    assert len(list(tmp_path.iterdir())) == 1


def test_leftovers_of_a_folder_go_and_nothing_else(tmp_path):
    for name in ("odds", ".odds-12ab", ".odds-12ab.old", ".rank-12ab", "odds-mine"):
        (tmp_path / name).mkdir()
    clear_leftovers(tmp_path / "odds")
    assert sorted(path.name for path in tmp_path.iterdir()) == [".rank-12ab", "odds", "odds-mine"]
