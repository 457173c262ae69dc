"""`batch`: goes on, resumes, and ends with the same bytes."""

from __future__ import annotations

import json
import re
import signal
import subprocess
import time
from pathlib import Path

import pytest

from analyzer.reporting.folder import _HOST
from tests.cli.run import COMMAND

pytestmark = pytest.mark.usefixtures("in_terminal")
ROOT = Path(__file__).parents[2]
GOOD = 'title = "Two at a table"\ngame = "ritter"\nseats = ["rulebook", "bold"]\ngames = 2000\n'


@pytest.fixture
def shelf(tmp_path):
    """A folder with three scenarios, one of them bad, and one that asks for two studies."""
    folder = tmp_path / "shelf"
    folder.mkdir()
    (folder / "a.toml").write_text(GOOD)
    (folder / "b.toml").write_text(GOOD.replace("bold", "bald"))
    (folder / "c.toml").write_text('studies = ["rank", "odds"]\n' + GOOD)
    return folder


def csvs(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in sorted(folder.rglob("*.csv"))}


def test_it_goes_on_past_a_bad_file_and_says_so(analyzer, shelf, tmp_path):
    done = analyzer("batch", shelf, "--out", tmp_path / "out")
    assert done.code == 1
    assert "1 of 4 failed" in done.err
    assert f"failed: {shelf / 'b.toml'}: 1 fault\n  seats[1] = 'bald': no such policy" in done.err
    assert "Two at a table: rank" in done.out
    folders = {path.parent.relative_to(tmp_path / "out").as_posix() for path in tmp_path.rglob("run.json")}
    assert folders == {"shelf/a/odds", "shelf/c/odds", "shelf/c/rank"}


def test_the_index_has_a_row_for_each_and_links_that_lead_somewhere(analyzer, shelf, tmp_path):
    out = tmp_path / "out"
    analyzer("batch", shelf, "--out", out, "--quiet")
    page = (out / "index.html").read_text(encoding="utf-8")
    links = re.findall(r'href="([^"]*)"', page)
    assert links == ["shelf/a/odds/report.html", "shelf/c/rank/report.html", "shelf/c/odds/report.html"]
    assert all((out / link).is_file() for link in links)
    assert page.count('<tr class="failed">') == 1
    assert "no such policy; allowed: random" in page
    assert "order: " in page  # the verdict of a ranking
    assert "2,000" in page
    assert "http" not in page
    assert str(out) not in page
    assert [path.name for path in out.iterdir() if path.name.startswith(".")] == []


def links_of(out: Path) -> list[str]:
    return re.findall(r'href="([^"]*)"', (out / "index.html").read_text(encoding="utf-8"))


def test_the_index_keeps_the_rows_of_other_batches_and_commands(analyzer, shelf, tmp_path):
    out = tmp_path / "out"
    analyzer("batch", shelf / "c.toml", "--out", out, "--quiet")
    analyzer("odds", shelf / "a.toml", "--out", out, "--quiet")
    analyzer("odds", shelf / "a.toml", "--out", out / "elsewhere", "--quiet")
    done = analyzer("batch", shelf / "c.toml", "--out", out, "--resume", "--json")
    assert statuses(done) == ["skipped", "skipped"]  # the index is no part of the answer
    assert links_of(out) == ["shelf/c/rank/report.html", "shelf/c/odds/report.html", "shelf/a/odds/report.html"]
    analyzer("batch", shelf / "a.toml", "--out", out, "--quiet")
    assert links_of(out) == ["shelf/a/odds/report.html", "shelf/c/odds/report.html", "shelf/c/rank/report.html"]
    page = (out / "index.html").read_text(encoding="utf-8")
    assert page.count("Reports from before") == 1
    assert page.count("Two at a table") == 3
    (out / "shelf" / "c" / "rank" / "run.json").write_text('{"scenario": 3}')
    analyzer("batch", shelf / "a.toml", "--out", out, "--quiet")
    assert links_of(out) == ["shelf/a/odds/report.html", "shelf/c/odds/report.html"]


@pytest.mark.parametrize("place", ["nosuch", "b.toml"])
def test_a_batch_of_nothing_leaves_a_good_index_alone(analyzer, shelf, tmp_path, place):
    out = tmp_path / "out"
    analyzer("batch", shelf / "a.toml", "--out", out, "--quiet")
    before = (out / "index.html").read_bytes()
    assert analyzer("batch", shelf / place, "--out", out).code == 1
    assert (out / "index.html").read_bytes() == before


def test_a_batch_prints_one_document(analyzer, shelf, tmp_path):
    done = analyzer("batch", shelf / "c.toml", shelf / "b.toml", "--out", tmp_path / "out", "--json")
    assert done.code == 1
    answer = json.loads(done.out)
    assert [(row["study"], row["status"]) for row in answer["rows"]] == [
        ("rank", "done"), ("odds", "done"), ("", "failed")
    ]  # fmt: skip
    assert (answer["failed"], answer["left"]) == (1, 0)
    assert list(answer["rows"][0]["verdicts"]) == ["order"]
    assert all(row["finding"] and row["games"] and row["seconds"] for row in answer["rows"][:2])


def statuses(done) -> list[str]:
    return [row["status"] for row in json.loads(done.out)["rows"]]


def test_resume_skips_what_has_the_same_inputs(analyzer, tmp_path):
    deck = tmp_path / "deck.toml"
    deck.write_bytes((ROOT / "analyzer/games/ritter/decks/french.toml").read_bytes())
    scenario = tmp_path / "mine.toml"
    scenario.write_text('deck = "deck.toml"\n' + GOOD)

    def batch(*more: object) -> list[str]:
        return statuses(analyzer("batch", scenario, "--out", tmp_path / "out", "--json", *more))

    assert batch() == ["done"]
    assert batch("--resume") == ["skipped"]
    assert batch() == ["done"]
    assert batch("--resume", "--games", 3000) == ["done"]
    assert batch("--resume") == ["skipped"]  # another question has a folder of its own
    with deck.open("a") as file:
        file.write("# another deck\n")
    assert batch("--resume") == ["done"]
    scenario.write_text('deck = "deck.toml"\nseed = 9\n' + GOOD)
    assert batch("--resume") == ["done"]
    assert batch("--resume") == ["skipped"]


def test_a_report_of_the_single_command_counts_only_with_the_same_options(analyzer, shelf, tmp_path):
    only_c = ("batch", shelf / "c.toml", "--out", tmp_path, "--json", "--resume")
    analyzer("odds", shelf / "c.toml", "--out", tmp_path, "--quiet")
    analyzer("rank", shelf / "c.toml", "--out", tmp_path, "--quiet", "--policies", "bold,wall", "--games", 1000)
    assert statuses(analyzer(*only_c)) == ["done", "skipped"]
    analyzer("odds", shelf / "c.toml", "--out", tmp_path, "--quiet", "--seed", 5)
    assert statuses(analyzer(*only_c)) == ["skipped", "skipped"]
    folders = {path.parent.name for path in (tmp_path / "shelf" / "c").rglob("run.json")}
    assert folders == {"odds", "odds-seed=5", "rank", "rank-policies=bold,wall-games=1000"}


def test_two_files_with_one_report_folder(analyzer, shelf, tmp_path):
    twin = tmp_path / "other" / "shelf"
    twin.mkdir(parents=True)
    (twin / "a.toml").write_text(GOOD)
    done = analyzer("batch", shelf / "a.toml", shelf / "a.toml", twin, "--out", tmp_path / "out", "--json")
    assert statuses(done) == ["done", "failed"]
    assert "would take the place of" in done.err


def test_a_deck_beside_its_scenario_is_no_scenario(analyzer, shelf, tmp_path):
    (shelf / "b.toml").write_bytes((ROOT / "analyzer/games/ritter/decks/french.toml").read_bytes())
    (shelf / "c.toml").write_text('deck = "b.toml"\n' + GOOD)
    done = analyzer("batch", shelf, "--out", tmp_path / "out", "--json")
    assert (done.code, statuses(done)) == (0, ["done", "done"])


def test_nothing_to_do_is_bad_input(analyzer, tmp_path):
    (tmp_path / "empty").mkdir()
    done = analyzer("batch", tmp_path / "empty")
    assert (done.code, done.out) == (2, "")
    assert "no scenario (*.toml) in" in done.err


def test_what_is_no_file_fails_and_the_rest_is_done(analyzer, shelf, tmp_path):
    done = analyzer("batch", tmp_path / "nowhere", shelf / "a.toml", "--out", tmp_path / "out", "--json")
    assert done.code == 1
    assert statuses(done) == ["failed", "done"]
    assert f"failed: {tmp_path / 'nowhere'}: no scenario" in done.err


def test_an_unknown_study_is_a_fault_of_the_file(analyzer, scenario):
    done = analyzer("odds", scenario(GOOD + 'studies = ["ods"]\nsed = 3\n'))
    assert done.code == 2
    assert "2 faults" in done.err
    assert "studies[0] = 'ods': no such study; allowed: odds, balance, rank" in done.err
    assert "did you mean 'odds'" in done.err


def test_a_study_that_needs_more_than_the_scenario_says_so(analyzer, shelf, tmp_path):
    (shelf / "a.toml").write_text('studies = ["compare"]\n' + GOOD)
    done = analyzer("batch", shelf / "a.toml", "--out", tmp_path / "out", "--json")
    assert (done.code, statuses(done)) == (1, ["failed"])
    assert "shelf/a compare: second is missing" in done.err
    (shelf / "a.toml").write_text('studies = [{study = "compare", second = "ritter/duel-of-two"}]\n' + GOOD)
    assert statuses(analyzer("batch", shelf / "a.toml", "--out", tmp_path / "out", "--json")) == ["done"]


def test_a_study_that_breaks_does_not_stop_the_others(analyzer, shelf, tmp_path, monkeypatch):
    from analyzer import batch
    from analyzer.reporting.page import write

    def break_at_a(answer, folder):
        if answer.scenario.name.endswith("a"):
            raise ZeroDivisionError("no such luck")
        write(answer, folder)

    monkeypatch.setattr(batch, "write", break_at_a)
    done = analyzer("batch", shelf / "a.toml", shelf / "c.toml", "--out", tmp_path / "out", "--json")
    assert done.code == 1
    assert statuses(done) == ["failed", "done", "done"]
    assert "shelf/a odds: ZeroDivisionError: no such luck" in done.err


@pytest.mark.parametrize("games", [1, 3])
def test_balance_of_a_few_games_is_reported(analyzer, shelf, tmp_path, games):
    (shelf / "a.toml").write_text('studies = ["balance"]\n' + GOOD)
    done = analyzer("batch", shelf / "a.toml", "--out", tmp_path / "out", "--games", games, "--json")
    assert (done.code, statuses(done)) == (0, ["done"])


def _start(folder: Path, out: Path) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [*COMMAND, "batch", str(folder), "--out", str(out)],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def _wait_for(path: Path, process: subprocess.Popen[str]) -> None:
    for _ in range(1800):  # a cold start compiles first
        if path.exists() or process.poll() is not None:
            break
        time.sleep(0.1)
    assert path.exists()


@pytest.fixture
def long_shelf(tmp_path):
    """Three scenarios of which the last takes minutes."""
    folder = tmp_path / "long"
    folder.mkdir()
    (folder / "a.toml").write_text(GOOD)
    (folder / "b.toml").write_text('studies = ["rank"]\n' + GOOD)
    (folder / "c.toml").write_text(GOOD.replace("2000", "100_000_000"))
    return folder


def test_a_killed_batch_resumes_to_the_same_bytes(analyzer, long_shelf, tmp_path):
    """Killed while it plays the last scenario, and as if it had been while it wrote the second."""
    (long_shelf / "c.toml").write_text(GOOD.replace("2000", "150_000"))
    out, whole = tmp_path / "out", tmp_path / "whole"
    process = _start(long_shelf, out)
    _wait_for(out / "long" / "b" / "rank" / "run.json", process)
    process.kill()
    process.communicate()
    assert not (out / "index.html").exists()
    (out / "long" / "b" / "rank").rename(out / "long" / "b" / f".rank~{_HOST}~{process.pid}~half")
    resumed = analyzer("batch", long_shelf, "--out", out, "--resume", "--json")
    assert statuses(resumed) == ["skipped", "done", "done"]
    assert analyzer("batch", long_shelf, "--out", whole, "--quiet", "--threads", 1).code == 0
    assert csvs(out) == csvs(whole)
    assert list(out.rglob(".*")) == []
    assert len(csvs(whole)) > 12


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_an_interruption_keeps_what_is_done(number, long_shelf, tmp_path):
    out = tmp_path / "out"
    process = _start(long_shelf, out)
    _wait_for(out / "long" / "b" / "rank" / "run.json", process)
    time.sleep(0.5)
    process.send_signal(number)
    _, err = process.communicate(timeout=120)
    assert process.returncode == 130, err
    assert "1 of 3 left to do; --resume goes on" in err
    page = (out / "index.html").read_text(encoding="utf-8")
    assert re.findall(r'href="([^"]*)"', page) == ["long/a/odds/report.html", "long/b/rank/report.html"]
    assert "1 left to do" in page
    assert not (out / "long" / "c").exists()
