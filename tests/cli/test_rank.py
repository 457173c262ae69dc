"""What `rank` prints and writes."""

from __future__ import annotations

import json
from pathlib import Path

import pandas as pd
import pytest

from analyzer.reporting.perform import perform
from analyzer.scenarios import STUDIES, find_scenario, load_scenario
from analyzer.studies import Result

DUEL = ("rank", "ritter/duel-of-two", "--policies", "bold, wall,random", "--games", 3000)


def test_rank_prints_one_document(analyzer):
    done = analyzer(*DUEL, "--json")
    assert done.code == 0
    answer = json.loads(done.out)
    assert 0 < answer["games"] <= answer["games_asked"] == 3000
    assert answer["ratings"][-1]["policy"] == "random"
    assert len(answer["matchups"]) == 3
    assert all(m["share"]["low"] <= m["share"]["estimate"] <= m["share"]["high"] for m in answer["matchups"])
    assert sum(row["mix"]["estimate"] for row in answer["mix"]) == pytest.approx(1)
    assert sum(row["alpha_rank"]["estimate"] for row in answer["mix"]) == pytest.approx(1)
    assert "HiGHS" in answer["equilibrium_by"]
    assert "normal-mixture" in answer["interval"]
    assert sum(row["rating"]["estimate"] for row in answer["ratings"]) == pytest.approx(0, abs=1e-6)


def test_rank_writes_a_whole_report(analyzer, tmp_path):
    done = analyzer(*DUEL, "--out", tmp_path)
    assert done.code == 0
    folder = tmp_path / "ritter" / "duel-of-two" / "rank"
    written = {path.name for path in folder.iterdir()}
    assert {"report.md", "report.html", "run.json", "ratings.csv", "ratings.png", "matchups.csv"} <= written
    assert {path[:-4] for path in written if path.endswith(".png")} == {"ratings", "matchups", "mix"}
    run = json.loads((folder / "run.json").read_text())
    assert run["study"] == "rank"
    assert pd.read_csv(folder / "matchups.csv")["share"].tolist() == [
        m["share"]["estimate"] for m in run["result"]["matchups"]
    ]
    text = (folder / "report.md").read_text()
    assert "HiGHS" in text
    assert "Bradley–Terry" in text
    assert run["result"]["finding"] in done.out


def test_bad_policies(analyzer):
    done = analyzer("rank", "ritter/duel-of-two", "--policies", "bold,wal")
    assert (done.code, done.out) == (2, "")
    assert "did you mean 'wall'?" in done.err


@pytest.mark.parametrize("study", STUDIES)
def test_every_study_a_scenario_may_declare_can_be_done(study, tmp_path, monkeypatch):
    monkeypatch.chdir(Path(__file__).parents[2])
    asked = load_scenario(find_scenario("ritter/duel-of-two"))
    folder = tmp_path / study
    result, seconds = perform(study, asked, folder, games=2000)
    checked: Result = result
    assert checked.finding
    assert not checked.interrupted
    assert all(len(verdict) == 2 for verdict in checked.verdicts)
    assert seconds > 0
    assert (folder / "report.html").is_file()
