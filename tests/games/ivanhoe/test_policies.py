"""What the policies choose in known situations, what they cannot see, and how they fare."""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import Any

import numpy as np
import pytest

from analyzer.engine.run import play_games
from analyzer.engine.tally import WHOLE_WIN
from analyzer.engine.trace import Walk, copy_record
from analyzer.games import GAMES
from analyzer.games.ivanhoe.cards import N_KINDS
from analyzer.stats.intervals import wilson, z_value
from tests.games.ivanhoe.table import Position, position, seat
from tests.statistical.check import agrees
from tests.tables import policies_of, table_of

GAME = GAMES["ivanhoe"]
SIMPLER = ("random", "thrifty", "hoarder", "fighter", "collector")


def choice(place: Position, policy: str, **parameters: Any) -> str:
    """Return what a policy does in a position."""
    table = table_of(GAME, len(place["seats"]))
    walk = Walk(table, 1, 0, GAME.place(table, place))
    record = GAME.encode_policies([GAME.parameters_of(GAME.policy_named(policy), parameters)])[0]
    return GAME.move_text(table, walk.state, walk.choose(record))


def test_the_cheapest_card_that_gets_ahead_is_laid() -> None:
    place = position(seat("red 3", "red 3, red 4, red 5, maiden 6"), seat("red 3, red 4"))
    assert choice(place, "fighter") == "play red 5"
    assert choice(place, "fighter", cards="low") == "play red 3"
    assert choice(place, "fighter", cards="high") == "play maiden 6"


def test_a_careful_player_keeps_the_maiden() -> None:
    place = position(seat("red 3", "red 4, maiden 6"), seat("red 5, red 3"))
    assert choice(place, "fighter") == "play maiden 6"
    place = position(seat("red 3", "red 4, red 3, maiden 6"), seat("red 5, red 3"))
    assert choice(place, "collector") == "play red 4"


def test_the_thrifty_withdraws_where_the_fighter_pays() -> None:
    place = position(seat("red 3", "red 4, red 5, squire 2"), seat("red 5, blue 5"))
    assert choice(place, "thrifty") == "withdraw"
    assert choice(place, "fighter") == "play red 5"


def test_the_hoarder_waits_for_a_strong_suit() -> None:
    assert choice(position(seat("", "red 5, red 4"), seat("red 3")), "hoarder") == "withdraw"
    assert choice(position(seat("", "red 5, red 4, red 4"), seat("red 3")), "hoarder") == "play red 4"
    assert choice(position(seat("", "red 5, red 4, red 3"), seat("red 3")), "hoarder") == "withdraw"  # 12, not 13


def test_the_collector_fights_for_a_colour_he_lacks() -> None:
    rows = (seat("red 3", "red 4, red 5, squire 2"), seat("red 5, red 3"))
    assert choice(position(*rows), "collector") == "play red 5"
    rows = (seat("red 3", "red 4, red 5, squire 2", "red"), seat("red 5, red 3"))
    assert choice(position(*rows), "collector") == "withdraw"


def test_the_collector_stops_a_rival_about_to_win() -> None:
    mine = seat("red 3", "red 4, red 5, squire 2", "red")
    rival = seat("red 5, red 3", "", "blue, yellow, green, purple")
    assert choice(position(mine, rival), "collector") == "play red 5"


def test_the_collector_starts_a_colour_he_lacks() -> None:
    rows = (seat("", "red 5, red 5, red 4, blue 4", "red"), seat())
    place = position(*rows, colour="none", phase="start", opening=True)
    assert choice(place, "collector") == "start blue"
    assert choice(place, "collector", start_lacking=0) == "start red"


def test_the_tactician_swings_the_lead_with_an_action_card() -> None:
    place = position(seat("red 3", "riposte, red 3"), seat("red 4, red 5"))
    assert choice(place, "tactician") == "play riposte 2"
    assert choice(place, "tactician", swing="never") == "withdraw"
    place = position(seat("red 3", "dodge"), seat("red 3, red 5, squire 2"))
    assert choice(place, "tactician", swing=1) == "withdraw"  # even without the 5 he would not be ahead


def test_the_tactician_saves_a_maiden_before_he_withdraws() -> None:
    place = position(seat("maiden 6, red 5", "retreat", "blue"), seat("red 5, red 4, red 4"))
    assert choice(place, "tactician") == 'play retreat "maiden 6"'
    assert choice(place, "fighter") == "withdraw"


def test_the_tactician_keeps_ivanhoe_for_the_last_token() -> None:
    def answer(tokens: str) -> str:
        rows = (seat("red 3, red 4", "red 5"), seat("red 4, red 5", "ivanhoe", tokens))
        return choice(
            position(*rows, phase="answer", asked=2, pending="riposte 2", played=1, discards=["riposte"]), "tactician"
        )

    assert answer("blue, yellow") == "let pass"
    assert answer("blue, yellow, green, purple") == "cancel"


def test_ivanhoe_answers_from_just_so_many_points_on() -> None:
    """The Riposte turns 7 against 9 into 12 against 4: it moves the lead by 10."""
    rows = (seat("red 3, red 4", "red 5"), seat("red 4, red 5", "ivanhoe", "blue, yellow, green, purple"))
    place = position(*rows, phase="answer", asked=2, pending="riposte 2", played=1, discards=["riposte"])
    assert choice(place, "tactician", cancel_at=10) == "cancel"
    assert choice(place, "tactician", cancel_at=11) == "let pass"


@pytest.mark.parametrize("policy", ["random", "fighter", "tactician"])
def test_a_banned_card_is_never_played(policy: str) -> None:
    table = table_of(GAME, 4)
    settings = [GAME.parameters_of(GAME.policy_named(policy), {"never_play": name}) for name in ("riposte", "ivanhoe")]
    for setting, name in zip(settings, ("riposte", "ivanhoe"), strict=True):
        tally = play_games(table, GAME.encode_policies([setting] * 4), 5, 2000).tally
        rows = zip(table.cards, tally.held, strict=True)
        played = {card.name: int(held.sum()) for card, held in rows if card.group == "played"}
        assert [card for card in ("riposte", "ivanhoe", "dodge") if played[card] == 0] == [name]


@pytest.mark.parametrize("policy", [policy.name for policy in GAME.policies])
def test_the_order_of_the_stack_never_changes_a_choice(policy: str) -> None:
    table = table_of(GAME, 3)
    record = policies_of(GAME, [policy])[0]
    random = Random(3)
    for game in range(3):
        walk, other = Walk(table, 6, game), Walk(table, 6, game)
        while walk.look()[0] >= 0:
            other.states[0] = walk.state
            other.chance = copy_record(walk.chance)
            order = [k for k in range(N_KINDS) for _ in range(walk.state.stack[k])]
            random.shuffle(order)
            other.state.ahead[: len(order)] = order
            other.state.n_ahead = len(order)
            move = walk.choose(record)
            assert other.choose(record) == move
            walk.play(move)


def wins(names: list[str], games: int) -> np.ndarray:
    """Return the games each entrant won, seats rotated."""
    tally = play_games(table_of(GAME, len(names)), policies_of(GAME, names), 17, games).tally
    return tally.win[:, :, 0].sum(axis=1) / WHOLE_WIN


def test_the_tactician_beats_random_more_than_nine_times_in_ten() -> None:
    assert wilson(wins(["tactician", "random"], 4000)[0], 4000, z_value(0.999)).low > 0.9


@pytest.mark.parametrize("rival", SIMPLER)
def test_the_tactician_beats_every_simpler_policy_at_a_table_of_four(rival: str) -> None:
    """One tactician against three rivals wins more than a quarter, beyond error, and so do two against two."""
    z = z_value(0.999, 2 * len(SIMPLER))
    assert wilson(wins(["tactician", rival, rival, rival], 6000)[0], 6000, z).low > 0.25
    assert wilson(wins(["tactician", rival, "tactician", rival], 6000)[[0, 2]].sum(), 6000, z).low > 0.5


def choices(place: Position, policy: str, games: int = 400, **parameters: Any) -> dict[str, int]:
    """Return how often a policy makes each move in a position, its coins falling anew each time."""
    table = table_of(GAME, len(place["seats"]))
    start = GAME.place(table, place)
    record = GAME.encode_policies([GAME.parameters_of(GAME.policy_named(policy), parameters)])[0]
    counts: Counter = Counter()
    for game in range(games):
        walk = Walk(table, 1, game, start)
        counts[GAME.move_text(table, walk.state, walk.choose(record))] += 1
    return dict(counts)


# Positions with choices that a policy rates alike, and these choices.
LEVEL = {
    "two cards of one value": (
        position(seat("red 3", "red 4, squire 3, red 3"), seat("red 4, red 4, red 3")),
        "fighter",
        {"cards": "low"},
        {"play red 3", "play squire 3"},
    ),
    "the cheapest card ahead": (
        position(seat("red 3", "squire 3, red 3, red 5"), seat("red 5")),
        "fighter",
        {},
        {"play red 3", "play squire 3"},
    ),
    "colours to start": (
        position(seat("", "red 5, blue 5"), seat(), colour="none", phase="start", opening=True),
        "collector",
        {},
        {"start red", "start blue"},
    ),
    "tokens to give back": (
        position(seat("", "", "red, blue, green", **{"in": False}), seat("red 4"), seat("red 5"), phase="give"),
        "fighter",
        {},
        {"give back red", "give back blue", "give back green"},
    ),
    "tokens to take": (
        position(
            seat("purple 3", "red 3", "green, blue"), seat("", "", **{"in": False}), colour="purple", phase="take"
        ),
        "fighter",
        {},
        {"take purple", "take yellow"},
    ),
    "what Adapt leaves": (
        position(seat("red 3, squire 3"), seat("red 4"), phase="keep", pending="adapt", discards=["adapt"]),
        "fighter",
        {},
        {"keep red 3", "keep squire 3"},
    ),
    "whom Riposte hits": (
        position(seat("red 3", "riposte, red 3"), seat("red 4, red 4"), seat("squire 3, red 3, squire 2")),
        "tactician",
        {"swing": 1},
        {"play riposte 2"},
    ),
    "whom Stunned hits": (
        position(seat("red 3", "stunned, red 5"), seat("red 3"), seat("red 4"), seat("red 4"), seat("red 4")),
        "tactician",
        {},
        {"play stunned 2", "play stunned 3", "play stunned 4", "play stunned 5"},
    ),
    "which card is saved": (
        position(seat("red 5, yellow 4, blue 5", "retreat"), seat("red 5, red 4, red 4, squire 3")),
        "tactician",
        {},
        {'play retreat "red 5"', 'play retreat "blue 5"'},
    ),
    "which colour would help": (
        position(seat("purple 3", "unhorse, red 5, blue 5"), seat("purple 4"), colour="purple"),
        "tactician",
        {},
        {"play unhorse red", "play unhorse blue"},
    ),
}


@pytest.mark.parametrize("name", LEVEL)
def test_choices_rated_alike_are_told_apart_by_lot(name: str) -> None:
    """Each of n equals is left as often as the others: no seat and no colour comes first."""
    place, policy, parameters, equals = LEVEL[name]
    counts = choices(place, policy, **parameters)
    assert set(counts) == equals
    assert all(agrees(n, 400, 1 / len(equals)) for n in counts.values())


def test_four_alike_win_alike_whoever_starts() -> None:
    """Seats that the rules treat alike: with a random starter no seat of four like tacticians wins more."""
    tally = play_games(table_of(GAME, 4), policies_of(GAME, ["tactician"] * 4), 23, 8000, rotate=False).tally
    won = tally.win[:, :, 0].sum(axis=1) / WHOLE_WIN
    assert all(agrees(int(n), 8000, 1 / 4) for n in won)
