"""What cannot be used gets one clear message and exit 2, and nothing is left behind."""

from __future__ import annotations

import os

import pytest

GOOD = 'game = "ritter"\nseats = ["rulebook", "random"]\n'


def test_all_faults_of_a_scenario_at_once(analyzer, scenario, tmp_path):
    path = scenario(
        'game = "ritter"\nsed = 3\ngames = 0\nseats = ["rulbook", "random"]\n'
        '[rules]\ndays = 11\nenrage = "evry_round"\nnight_recovry = 2\n[policies.random]\nyield_at = "now"\n'
    )
    done = analyzer("odds", path, "--out", tmp_path / "out")
    assert done.code == 2
    assert done.out == ""
    assert done.err.startswith(f"error: {path}: 7 faults\n")
    for part in (
        "sed = 3: unknown; allowed: game,",
        "(did you mean 'seed'?)",
        "games = 0: allowed: 1 to",
        "seats[0] = 'rulbook': no such policy; allowed: random,",
        "(did you mean 'rulebook'?)",
        "rules.days = 11: allowed: 1 to 10",
        "(did you mean 'every_round'?)",
        "(did you mean 'night_recovery'?)",
        "policies.random.yield_at = 'now'",
    ):
        assert part in done.err
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("game = ", "TOML"),
        ('game = "riter"\nseats = []', "no such game; allowed: ritter"),
        ('seats = ["random"]', "game: missing"),
        ('game = "ritter"', "seats: missing"),
        ('game = "ritter"\nseats = ["random"]', "seats = 1: allowed: 2 to 10 seats"),
        (GOOD + 'deck = "nowhere"', "nowhere"),
        (GOOD + "[policies.mine]\nwhim = 1", "`like` must name a shipped policy"),
        (GOOD + "games = 1.5", "games = 1.5: allowed: 1 to"),
        (GOOD + "seed = -1", "seed = -1: allowed: 0 to"),
        (GOOD + "[rules]\nladies = 1", "rules.ladies = 1: allowed: true or false"),
        (GOOD + "[rules]\ntraining_by_wounds = []", "rules.training_by_wounds = []: allowed: a list of 1 to"),
    ],
)
def test_one_fault(analyzer, scenario, text, message):
    done = analyzer("odds", scenario(text), "--json")
    assert done.code == 2
    assert done.out == ""
    assert message in done.err
    assert "Traceback" not in done.err


@pytest.mark.parametrize("command", ["odds", "play", "replay"])
def test_a_missing_file(analyzer, command):
    done = analyzer(command, "nowhere.toml")
    assert done.code == 2
    assert "nowhere.toml" in done.err
    assert done.err.count("\n") == 1


def test_a_near_miss_of_a_scenario_is_suggested(analyzer):
    assert "did you mean 'ritter/four-players'?" in analyzer("odds", "ritter/four-player").err


@pytest.mark.parametrize(
    "arguments",
    [
        ("odds", "--nonsense"),
        ("odds",),
        ("nonsense",),
        ("rules", "chess"),
        ("odds", "ritter/four-players", "--games", "0"),
    ],
)
def test_an_unknown_option_command_or_game(analyzer, arguments):
    done = analyzer(*arguments)
    assert done.code == 2
    assert done.out == ""


def test_an_output_folder_below_a_file(analyzer, tmp_path):
    (tmp_path / "file").write_text("mine")
    done = analyzer("odds", "ritter/four-players", "--games", 100, "--out", tmp_path / "file" / "reports")
    assert done.code == 2
    assert "cannot write to" in done.err
    assert "--out" in done.err
    assert [path.name for path in tmp_path.iterdir()] == ["file"]


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="a superuser may write anywhere")
def test_a_read_only_output_folder(analyzer, tmp_path):
    locked = tmp_path / "locked"
    locked.mkdir()
    locked.chmod(0o555)
    done = analyzer("odds", "ritter/four-players", "--games", 100, "--out", locked)
    assert done.code == 2
    assert list(locked.iterdir()) == []


def test_an_illegal_move_is_refused_with_the_legal_ones(analyzer, tmp_path):
    game = tmp_path / "game.toml"
    game.write_text('game = "ritter"\nplayers = 2\nmoves = ["challenge Harald Apollonius"]\n')
    done = analyzer("replay", game)
    assert done.code == 2
    assert "move 1" in done.err
    assert "train" in done.err


def test_faults_of_a_written_game(analyzer, tmp_path):
    game = tmp_path / "game.toml"
    game.write_text('game = "ritter"\nplayers = 0\nmove = []\nmoves = ["yield [7]"]\n')
    done = analyzer("replay", game)
    assert done.code == 2
    for part in ("players = 0", "move: unknown", "dice show 1 to 6"):
        assert part in done.err
