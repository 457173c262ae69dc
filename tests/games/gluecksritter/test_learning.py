"""Regret matching on games whose answer is known."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from analyzer.engine.run import play_games
from analyzer.engine.tally import WHOLE_WIN
from analyzer.errors import BadInput
from analyzer.games import GAMES
from analyzer.games.gluecksritter import learning, tuning
from analyzer.games.gluecksritter.mix import N_SITUATIONS, PAIR_NAMES, even_mix, write_mix
from analyzer.games.gluecksritter.studies import picks as study
from analyzer.games.gluecksritter.studies import whole_game
from analyzer.games.gluecksritter.studies.effort import Effort
from analyzer.games.gluecksritter.studies.picks import ask_position, ask_scenario, picks, plan
from analyzer.games.gluecksritter.studies.whole_game import MIX_FILE, TRAINED
from analyzer.reporting.page import picture
from analyzer.scenarios import read_scenario
from analyzer.studies.replay import read_game
from tests.tables import table_of

GAME = GAMES["gluecksritter"]
PARAMETERS = GAME.parameters_of(GAME.policy_named("mixer"))
POOR = {"ones": 0, "twos": 0}
LAST_TOWER = {"walls": 4, "towers": 3, "ones": 1, "twos": 4}
TINY = Effort(2, 100, 1, 100, 100, 100, 3, 50, 100, 1, 100)


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


@pytest.mark.parametrize(
    "mark",
    [
        {"ones": 3},
        {"walls": 1},
        {"jailed": True},
        {"pardoned": True},
        {"wall_permit": True},
        {"tower_permit": True},
        {"used": ["tax"]},
        {"documents": {"gifts": 1}},
    ],
)
def test_seats_that_stand_alike_are_seen(mark: dict) -> None:
    def groups(*seats: dict, **options: str) -> tuple[tuple[int, ...], ...]:
        table = table_of(GAME, len(seats), **options)
        return learning.alike(table, GAME.place(table, {"seats": list(seats)}))

    assert groups({}, {}, {}) == groups(mark, mark, mark) == ((0, 1, 2),)
    assert groups({}, mark, {}, mark) == ((0, 2), (1, 3))
    # where only neighbours can be raided the places of those who stand alike differ
    assert groups({}, mark, {}, {}, raid_target="neighbour") == ((0,), (1,), (2,), (3,))


def test_seats_that_stand_alike_have_one_mix_whatever_the_seed() -> None:
    table = table_of(GAME, 4)
    position = GAME.place(table, {"seats": [{}, {"walls": 4, "towers": 2}, {}, {}], "field_5": [2, 3]})
    policies = GAME.encode_policies([PARAMETERS] * 2)
    for seed in (1, 2):
        solved = learning.solve_position(table, position, policies, seed, 4, 100, 200, learning.Tries(table, 2))
        assert solved.groups == ((0, 2, 3), (1,))
        assert solved.mixes.shape == (2, 15)
        assert (solved.wins.sum(axis=1) > 0).all()


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
    assert sum(played) == plan(question, TINY) == result.n_games
    assert not result.interrupted
    found = result["response"]
    assert TRAINED in set(found["responder"])
    assert found["responder"][0] in result.finding
    assert (found["gain"] + 1 / 3).tolist() == pytest.approx(found["win"].tolist())
    assert "may exist" in result.finding
    assert set(result["rivals"]["policy"]) == {p.name for p in GAME.policies} - {"mixer"}
    assert result["pairs"]["picked"].sum() == pytest.approx(1.0)
    assert result["cards"]["picked"].sum() == pytest.approx(2.0)
    assert result["position-opening-of-3"]["picked"].sum() == pytest.approx(1.0)
    assert list(result["regret"]["position"]) == ["opening of 3"]
    mix = result.files[MIX_FILE]
    assert mix.startswith('# learned under {"deck": ')
    assert len(mix.splitlines()) == 2 + result.facts["situations_met"] <= N_SITUATIONS
    assert [table.key for table in result.tables if table.chart] == ["situations", "rivals", "position-opening-of-3"]
    assert all(picture(table).startswith(b"\x89PNG") for table in result.tables if table.chart)


def stop(*given: Any, **others: Any) -> Any:
    raise KeyboardInterrupt


def test_an_interruption_leaves_what_was_learned_and_measured(monkeypatch: pytest.MonkeyPatch) -> None:
    question = ask_scenario(read_scenario({"game": "gluecksritter", "seats": ["needs"] * 3}))
    whole = picks(question, effort=TINY)
    measured = ["situations", "pairs", "cards", "rivals"]
    monkeypatch.setattr(whole_game, "responses", stop)
    found = picks(question, effort=TINY)
    assert found.interrupted
    assert [table.key for table in found.tables] == measured
    assert all(found[key].equals(whole[key]) for key in measured)
    assert found.files == whole.files
    assert "It was interrupted" in found.method
    assert "responder" not in found.finding
    assert 0 < found.n_games < whole.n_games
    monkeypatch.setattr(whole_game, "count_picks", stop)
    assert "was not measured" in picks(question, effort=TINY).finding
    assert "learned in 2 steps" in picks(question, effort=TINY).finding


def test_an_interruption_of_learning_leaves_the_mix_of_its_whole_steps(monkeypatch: pytest.MonkeyPatch) -> None:
    question = ask_scenario(read_scenario({"game": "gluecksritter", "seats": ["needs"] * 3}))
    table, long = question.scenario.table, replace(TINY, learn_steps=3)
    two = learning.learn(table, PARAMETERS, 1, 2, 100, learning.Tries(table))
    tries = iter([learning._try] * 2)
    monkeypatch.setattr(learning, "_try", lambda *given: next(tries, stop)(*given))
    found = picks(question, effort=long, seed=1)
    assert found.interrupted
    assert not found.tables
    assert "learned in 2 steps" in found.finding
    assert found.files[MIX_FILE] == write_mix({3: two.mix}, two.visits[:, 0] > 0, table)
    with pytest.raises(KeyboardInterrupt):
        picks(question, effort=long, seed=1)


def test_an_interruption_leaves_the_positions_that_were_solved(monkeypatch: pytest.MonkeyPatch) -> None:
    table = ask_scenario(read_scenario({"game": "gluecksritter", "seats": ["needs"] * 3}))
    name, *position = table.positions[0]
    question = replace(table, positions=((name, *position), ("another", *position)), whole=False)
    whole = picks(question, effort=TINY)
    solved = iter([study.solve])
    monkeypatch.setattr(study, "solve", lambda *given: next(solved, stop)(*given))
    found = picks(question, effort=TINY)
    assert found.interrupted
    assert [table.key for table in found.tables] == ["regret", "position-opening-of-3"]
    assert found["regret"].equals(whole["regret"].head(1))
    with pytest.raises(KeyboardInterrupt):
        picks(question, effort=TINY)


def test_a_position_file_is_asked_for_each_seat(tmp_path: Path) -> None:
    path = tmp_path / "late.toml"
    path.write_text(
        'game = "gluecksritter"\n[position]\nphase = "pick"\nfield_5 = [2, 3]\n'
        "[[position.seats]]\nwalls = 4\ntowers = 2\n[[position.seats]]\nwalls = 3\n[[position.seats]]\njailed = true\n",
        encoding="utf-8",
    )
    result = picks(ask_position(read_game(path)), effort=TINY)
    assert not result.files
    pairs = result["position-late"]
    assert list(pairs["seats"].unique()) == ["1", "2", "3"]
    assert pairs.groupby("seats").size().tolist() == [15, 15, 10]
    assert pairs.groupby("seats")["picked"].sum().tolist() == pytest.approx([1.0, 1.0, 1.0])


WON = (
    'game = "gluecksritter"\n[position]\nphase = "pick"\n'
    "[[position.seats]]\nwalls = 4\ntowers = 3\nones = 1\ntwos = 4\n"
    "[[position.seats]]\nones = 0\ntwos = 0\njailed = true\n[[position.seats]]\nones = 0\ntwos = 0\njailed = true\n"
)


def test_a_position_that_is_all_but_won_is_answered(tmp_path: Path) -> None:
    """Seats 2 and 3 stand alike and may win no game at all; their prices are none, and not known to the last digit."""
    path = tmp_path / "won.toml"
    path.write_text(WON, encoding="utf-8")
    effort = Effort(2, 100, 1, 100, 100, 100, 30, 60, 100, 1, 100)
    result = picks(ask_position(read_game(path)), effort=effort)
    pairs = result["position-won"]
    assert pairs.groupby("seats").size().to_dict() == {"1": 15, "2 and 3": 10}
    losers = pairs[pairs["seats"] == "2 and 3"]
    assert (losers["price_low"] < losers["price"]).all()
    assert (losers["price_high"] > losers["price"]).all()
    assert "seats 2 and 3" in result.finding
    assert "seat 0" not in result.finding


def test_an_answer_says_which_cards_no_source_has_and_under_which_rules_the_mix_was_learned(tmp_path: Path) -> None:
    path = tmp_path / "won.toml"
    path.write_text(WON, encoding="utf-8")
    usual = picks(ask_position(read_game(path)), effort=TINY).notes
    assert [caveat.split(":")[0] for caveat in usual] == [
        "No source has the counts of 18 of 18 ducat cards and what 21 of 25 documents say"
    ]
    path.write_text(WON.replace("\n", '\nrules = { documents = "none" }\n', 1), encoding="utf-8")
    other = picks(ask_position(read_game(path)), effort=TINY).notes
    assert "documents" not in other[0]
    assert 'learned under other rules (documents = "reconstructed")' in other[1]


def test_turning_parameters_finds_what_is_worth_most() -> None:
    """Three parameters count, two of them only together."""
    start = GAME.parameters_of(GAME.policy_named("needs"))
    asked = []

    def worth(tried: Mapping[str, Any]) -> float:
        asked.append(tried)
        together = (tried["knight"] == 200) + (tried["ransom_from"] == "never") * (tried["knight"] == 200)
        return together + (tried["save_until"] == 15) / 2

    found = tuning.search(start, worth, 2)
    assert len(asked) == tuning.trials(2)
    assert {key for key in found if found[key] != start[key]} == {"knight", "ransom_from", "save_until"}
    assert tuning.named("needs", start, found) == "needs with knight = 200, save_until = 15, ransom_from = never"
    assert tuning.named("needs", start, start) == "needs"
    for key, values in tuning.TURNED:
        option = next(p for p in GAME.parameters if p.key == key)
        assert all(value in option.words or option.low <= value <= option.high for value in values)
        assert option.default in values


def test_equal_choices_of_a_responder_are_taken_by_lot() -> None:
    best = learning._best_of(np.tile([0.0, 2.0, 1.0, 2.0], (400, 1)))
    assert set(best.tolist()) == {1, 3}
    assert abs((best == 1).sum() - 200) < 45  # 4.5 standard errors


def test_other_games_and_other_phases_are_refused(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="two hidden cards of Die Glücksritter"):
        ask_scenario(read_scenario({"game": "ritter", "seats": ["rulebook", "bold"]}))
    path = tmp_path / "ransom.toml"
    path.write_text(
        'game = "gluecksritter"\n[position]\nphase = "ransom"\nseats = [{ jailed = true }, {}, {}]\n', encoding="utf-8"
    )
    with pytest.raises(BadInput, match="a position in which cards are picked is needed"):
        ask_position(read_game(path))
