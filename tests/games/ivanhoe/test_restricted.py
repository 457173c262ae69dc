"""Restricted play: the same deals with and without a card."""

from __future__ import annotations

from analyzer.scenarios import read_scenario
from analyzer.studies.odds import restricted_play


def test_a_card_that_is_never_played_is_worth_nothing_and_riposte_much() -> None:
    """The fighter never uses Retreat: exactly no game changes. Three Ripostes are worth a lot."""
    scenario = read_scenario({"game": "ivanhoe", "seats": ["fighter", "collector", "collector"]})
    table = restricted_play(scenario, 3, 3000).set_index("card")
    assert len(table) == 17
    retreat = table.loc["retreat"]
    assert retreat[["worth", "changed", "changed_low"]].tolist() == [0, 0, 0]
    assert -0.01 < retreat["worth_low"] < 0 < retreat["worth_high"] < 0.01  # no game of 3000 is not no game at all
    assert table.loc["riposte", "worth_low"] > 0
    assert table.index[0] == "riposte"
