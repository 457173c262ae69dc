"""Regret matching on games whose answer is known."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from analyzer.engine.run import play_games
from analyzer.engine.tally import WHOLE_WIN
from analyzer.errors import BadInput
from analyzer.games import GAMES
from analyzer.games.gluecksritter import learning
from analyzer.games.gluecksritter.mix import N_SITUATIONS, PAIR_NAMES, even_mix
from analyzer.scenario import read_scenario
from analyzer.studies.picks import Effort, ask_position, ask_scenario, games_to_play, picks
from analyzer.studies.replay import read_game
from tests.tables import table_of

GAME = GAMES["gluecksritter"]
PARAMETERS = GAME.parameters_of(GAME.policy_named("mixer"))
POOR = {"ones": 0, "twos": 0}
LAST_TOWER = {"walls": 4, "towers": 3, "ones": 1, "twos": 4}
TINY = Effort(2, 100, 1, 100, 100, 100, 3, 50, 100)


def test_matching_follows_the_positive_regrets() -> None:
    regrets = np.array([[3.0, -1.0, 1.0], [-1.0, -2.0, -3.0]])
    assert learning.match(regrets, np.full((2, 3), 1 / 3)).tolist() == [[0.75, 0.0, 0.25], [1 / 3] * 3]


def test_in_a_position_that_one_card_wins_the_mix_has_that_card() -> None:
    """All lack a tower, but only seat 1 has ducats: the Craftsman wins at once, later the others may."""
    table = table_of(GAME, 3)
    seats = [LAST_TOWER] + [{**LAST_TOWER, "jailed": True, **POOR}] * 2
    position = GAME.place(table, {"phase": "pick", "seats": seats, "field_5": [0, 4], "field_6": [0, 4]})
    policies = GAME.encode_policies([PARAMETERS] * 2)
    solved = learning.solve_position(table, position, policies, 1, 10, 100, 500, learning.Tries(table, 1))
    with_tower = np.array(["3" in name for name in PAIR_NAMES])
    assert solved.mixes[0, with_tower].sum() > 0.97
    alone = with_tower & np.array(["1" not in name for name in PAIR_NAMES])  # a document can be bought first
    assert (solved.wins[0, alone] == 500 * WHOLE_WIN).all()
    assert (solved.wins[0, ~with_tower] < 500 * WHOLE_WIN).all()


def test_all_alike_is_seen() -> None:
    table = table_of(GAME, 3)
    assert learning.all_alike(table, GAME.place(table, {"seats": [{}, {}, {}]}))
    assert not learning.all_alike(table, GAME.place(table, {"seats": [{}, {}, {"ones": 3}]}))
    assert not learning.all_alike(table, GAME.place(table, {"seats": [{}, {}, {"jailed": True}]}))


def test_learning_does_not_depend_on_threads() -> None:
    table = table_of(GAME, 3)
    one, two = (learning.learn(table, PARAMETERS, 3, 2, 600, learning.Tries(table, threads)) for threads in (1, 2))
    assert np.array_equal(one.mix, two.mix)
    assert np.array_equal(one.visits, two.visits)
    assert np.allclose(one.mix[:, :15].sum(axis=1), 1.0)
    assert not one.mix[1::2, [name in ("1+4", "2+4", "3+4", "4+5", "4+6") for name in PAIR_NAMES] + [False]].any()


def test_a_best_response_beats_a_foolish_mix() -> None:
    """Against players who pick at random a trained one wins most games."""
    table = table_of(GAME, 3)
    foolish = even_mix()
    response, *_ = learning.responses(table, PARAMETERS, foolish, 1, 2, 3000, learning.Tries(table, 2))
    policies = learning.with_mix(table, PARAMETERS, response, foolish, foolish)
    assert play_games(table, policies, 5, 1000).tally.win[0, :, 0].sum() > 600 * WHOLE_WIN


def test_standings_are_chances_that_favour_the_better_castle() -> None:
    table = table_of(GAME, 3)
    mix = even_mix()
    standing = learning.fit_standing(
        table, learning.with_mix(table, PARAMETERS, mix, mix), 1, 4000, learning.Tries(table)
    )
    s = GAME.place(table, {"seats": [{"walls": 3, "towers": 3}, {"walls": 2, "towers": 1}, {}]})[0]
    chances = [learning.chance_to_win(table.rules, s, seat, standing) / learning.UNIT for seat in range(3)]
    assert sum(chances) == pytest.approx(1.0, abs=1e-5)
    assert chances[0] > 0.6 > chances[1] > chances[2]


def test_a_study_tells_what_it_found_and_plays_what_it_announced() -> None:
    scenario = read_scenario({"game": "gluecksritter", "seats": ["needs"] * 3})
    question = ask_scenario(scenario)
    played: list[int] = []
    result = picks(question, effort=TINY, threads=2, progress=played.append)
    assert sum(played) == games_to_play(question, TINY) == result.n_games
    assert result.game is not None
    assert set(result.game.rivals["policy"]) == {p.name for p in GAME.policies} - {"mixer"}
    assert result.game.pairs["picked"].sum() == pytest.approx(1.0)
    assert result.game.cards["picked"].sum() == pytest.approx(2.0)
    assert result.positions[0].pairs["picked"].sum() == pytest.approx(1.0)
    assert result.game.mix_text.startswith("players,money,")
    assert len(result.game.mix_text.splitlines()) == 1 + result.game.met <= N_SITUATIONS


def test_a_position_file_is_asked_for_each_seat(tmp_path: Path) -> None:
    path = tmp_path / "late.toml"
    path.write_text(
        'game = "gluecksritter"\n[position]\nphase = "pick"\nfield_5 = [2, 3]\n'
        "[[position.seats]]\nwalls = 4\ntowers = 2\n[[position.seats]]\nwalls = 3\n[[position.seats]]\njailed = true\n",
        encoding="utf-8",
    )
    result = picks(ask_position(read_game(path)), effort=TINY)
    assert result.game is None
    pairs = result.positions[0].pairs
    assert pairs.groupby("seat").size().tolist() == [15, 15, 10]
    assert pairs.groupby("seat")["picked"].sum().tolist() == pytest.approx([1.0, 1.0, 1.0])


def test_other_games_and_other_phases_are_refused(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="two hidden cards of Die Glücksritter"):
        ask_scenario(read_scenario({"game": "ritter", "seats": ["rulebook", "bold"]}))
    path = tmp_path / "ransom.toml"
    path.write_text(
        'game = "gluecksritter"\n[position]\nphase = "ransom"\nseats = [{ jailed = true }, {}, {}]\n', encoding="utf-8"
    )
    with pytest.raises(BadInput, match="a position in which cards are picked is needed"):
        ask_position(read_game(path))
