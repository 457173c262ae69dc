"""What chance decides: who starts, the first hands, draws, Knock Down, what is dealt anew; and by which stream."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from analyzer.engine import drive
from analyzer.engine.chance import new_chance, one_seed, open_streams
from analyzer.engine.trace import Walk, copy_record
from analyzer.games import GAMES
from analyzer.games.ivanhoe.cards import FIRST_ACTION, KIND_OF, KNOCK_DOWN, N_KINDS, load_deck
from tests.games.ivanhoe.table import Position, position, seat
from tests.statistical.check import agrees
from tests.tables import policies_of, table_of

GAME = GAMES["ivanhoe"]
COPIES = np.array(load_deck().copies)
GAMES_DEALT = 4000


def dealt(players: int, seeds: tuple[int, int, int], game: int) -> tuple[np.ndarray, int, int]:
    """Return the first hands of a game, who starts, and the kind he draws."""
    table = table_of(GAME, players)
    states, chance = table.new_states(), new_chance()
    drive.begin(table.rules, states[0], seeds, game, chance)
    s = states[0]
    drawn = int(s.drawn[s.active]).bit_length() - 1
    hands = s.hands[:players].astype(int)
    hands[s.active, drawn] -= 1
    return hands, int(s.active), drawn


def test_i1_the_starter_the_first_hands_and_the_first_draw_are_even() -> None:
    """I1, I2: each seat starts as often, and each card of the deck lies in each hand and is drawn as often."""
    players = 3
    starts, in_hand, drawn = np.zeros(players), np.zeros((players, N_KINDS)), np.zeros(N_KINDS)
    for game in range(GAMES_DEALT):
        hands, starter, card = dealt(players, one_seed(3), game)
        assert hands.sum(axis=1).tolist() == [8] * players
        starts[starter] += 1
        in_hand += hands
        drawn[card] += 1
    for count in starts:
        assert agrees(int(count), GAMES_DEALT, 1 / players)
    for k in range(N_KINDS):
        assert agrees(int(drawn[k]), GAMES_DEALT, COPIES[k] / 110)
        for owner in range(players):  # of each copy by itself, which the others of its kind only make rarer
            assert agrees(int(in_hand[owner, k]), GAMES_DEALT * int(COPIES[k]), 8 / 110)


def test_the_first_hands_are_the_deal_and_all_else_is_a_draw() -> None:
    """Other dice leave hands and starter alone and draw other cards; another deal gives other hands."""
    games = range(60)
    first = [dealt(4, (5, 5, 5), game) for game in games]
    dice = [dealt(4, (5, 6, 7), game) for game in games]
    deal = [dealt(4, (6, 5, 5), game) for game in games]
    assert all((a[0] == b[0]).all() and a[1] == b[1] for a, b in zip(first, dice, strict=True))
    assert sum(a[2] != b[2] for a, b in zip(first, dice, strict=True)) > 45  # like cards may come by chance
    assert not any((a[0] == b[0]).all() for a, b in zip(first, deal, strict=True))


def test_a_card_drawn_later_does_not_depend_on_the_deal_s_stream() -> None:
    """The same position and dice: what is drawn in the turns to come is the same whatever the deal's seed is."""
    table = table_of(GAME, 2)
    start = GAME.place(table, position(seat("red 3", "red 4, red 5"), seat("red 3", "red 5, squire 3")))
    after = []
    for deal_seed in (1, 2):
        walk = Walk(table, 1, 0, start)
        open_streams(walk.chance, (deal_seed, 9, 9), 0)
        for text in ("play red 4", "end", "play red 5", "end"):
            walk.play(GAME.read_move(table, walk.state, text, walk.look()[1]))
        after.append(GAME.show(table, walk.state))
    assert after[0] == after[1]


def outcomes(place: Position, texts: list[str], read: Callable[[Any], int], games: int, **rules: Any) -> np.ndarray:
    """Play the same moves in many games and count what is read off the state after them, kind by kind."""
    table = table_of(GAME, len(place["seats"]), **rules)
    start = GAME.place(table, place)
    counts = np.zeros(N_KINDS, int)
    for game in range(games):
        walk = Walk(table, 21, game, start)
        for text in texts:
            walk.play(GAME.read_move(table, walk.state, text, walk.look()[1]))
        counts[read(walk.state)] += 1
    return counts


def test_i2_every_card_of_the_stack_is_drawn_as_often() -> None:
    place = position(seat("red 3", "red 5"), seat("red 4"))
    left = COPIES.copy()
    for name in ("red 3", "red 5", "red 4"):
        left[KIND_OF[name]] -= 1
    counts = outcomes(place, ["play red 5", "end"], lambda s: int(s.hands[1].argmax()), GAMES_DEALT)
    for k in range(N_KINDS):
        assert agrees(int(counts[k]), GAMES_DEALT, left[k] / left.sum())


def test_i2_the_draws_of_two_turns_do_not_know_of_each_other() -> None:
    """One kind twice, and numbered and action cards after each other, as often as two draws without putting back."""
    place = position(seat("red 3", "red 5"), seat("red 4", "red 5"))
    left = COPIES.copy()
    for name in ("red 3", "red 5", "red 4", "red 5"):
        left[KIND_OF[name]] -= 1
    both = np.zeros((N_KINDS, N_KINDS), int)

    def read(state: Any) -> int:
        both[state.hands[1].argmax(), state.hands[0].argmax()] += 1
        return 0

    outcomes(place, ["play red 5", "end", "play red 5", "end"], read, GAMES_DEALT)
    odds = (np.outer(left, left) - np.diag(left)) / (left.sum() * (left.sum() - 1))
    assert agrees(int(np.trace(both)), GAMES_DEALT, float(np.trace(odds)))
    numbered, actions = slice(0, FIRST_ACTION), slice(FIRST_ACTION, N_KINDS)
    for first in (numbered, actions):
        for second in (numbered, actions):
            assert agrees(int(both[first, second].sum()), GAMES_DEALT, float(odds[first, second].sum()))


def test_i2_every_discard_of_a_new_stack_is_drawn_as_often() -> None:
    names = [name for name, k in KIND_OF.items() for _ in range(COPIES[k])]
    for used in ("red 3", "red 4", "red 5", "squire 2", *["blue 3"] * 3, "charge"):
        names.remove(used)
    rows = (seat("red 3", "red 5"), seat("red 4", ", ".join(names)))
    place = position(*rows, stack=[], discards=["squire 2", *["blue 3"] * 3, "charge"])
    s = GAME.place(table_of(GAME, 2), place)[0]
    before = s.hands[1].copy()

    def drawn(state: Any) -> int:
        return int((state.hands[1] - before).argmax())

    counts = outcomes(place, ["play red 5", "end"], drawn, 2000, reshuffle="on_next_draw")
    for name, odds in (("squire 2", 1 / 5), ("blue 3", 3 / 5), ("charge", 1 / 5)):
        assert agrees(int(counts[KIND_OF[name]]), 2000, odds)


def test_i12_knock_down_takes_every_card_of_a_hand_as_often() -> None:
    place = position(seat("red 3", "knock down"), seat("red 4", "red 3, blue 2, blue 2, blue 2, charge, ivanhoe"))
    place["seats"][1]["hand"].remove("ivanhoe")
    counts = outcomes(place, ["play knock down 2"], lambda s: int(s.hands[0].argmax()), 3000)
    for name, odds in (("red 3", 1 / 5), ("blue 2", 3 / 5), ("charge", 1 / 5)):
        assert agrees(int(counts[KIND_OF[name]]), 3000, odds)
    assert counts[KNOCK_DOWN] == 0


# What a seat has seen is not dealt anew


def hidden_anew(walk: Walk, who: int, games: int = 40) -> list[Any]:
    """Return states in which what a seat cannot see has been dealt anew."""
    found = []
    for game in range(games):
        state, chance = copy_record(walk.state), new_chance()
        open_streams(chance, one_seed(77), game)
        drive.hide(walk.table.rules, state, who, chance)
        found.append(state)
    return found


def walked(place: Position, *texts: str, **rules: Any) -> Walk:
    table = table_of(GAME, len(place["seats"]), **rules)
    walk = Walk(table, 1, 0, GAME.place(table, place))
    for text in texts:
        walk.play(GAME.read_move(table, walk.state, text, walk.look()[1]))
    return walk


def always(states: list[Any], owner: int, name: str) -> bool:
    """Whether a hand has a card in all of some states."""
    return all(state.hands[owner, KIND_OF[name]] > 0 for state in states)


TABLE_OF_THREE = (
    seat("red 3, maiden 6", "knock down, retreat, squire 2"),
    seat("red 4", "purple 7"),
    seat("red 5", "red 3, red 4, blue 5"),
)


def test_i12_who_lost_a_card_to_knock_down_knows_where_it_is() -> None:
    walk = walked(position(*TABLE_OF_THREE), "play knock down 2")
    assert always(hidden_anew(walk, 1), 0, "purple 7")
    assert not always(hidden_anew(walk, 2), 0, "purple 7")


def test_i12_everybody_knows_a_card_taken_back_with_retreat_until_it_is_played() -> None:
    walk = walked(position(*TABLE_OF_THREE), 'play retreat "maiden 6"')
    for who in (1, 2):
        assert always(hidden_anew(walk, who), 0, "maiden 6")
    walk.play(GAME.read_move(walk.table, walk.state, "play maiden 6", walk.look()[1]))
    assert not always(hidden_anew(walk, 1), 0, "maiden 6")


def test_i3_a_hand_that_was_shown_is_known_and_the_card_drawn_after_is_not() -> None:
    rows = (seat("", "charge, adapt, purple 4"), seat("", "red 3, red 4"), seat("", "blue 2"))
    walk = walked(position(*rows, colour="none", phase="start", opening=True, after_purple=True), "pass")
    for who in (1, 2):
        anew = hidden_anew(walk, who)
        assert all((state.hands[0] == walk.state.hands[0]).all() for state in anew)
    assert not always(hidden_anew(walk, 2), 1, "red 4")


def test_i12_a_loss_that_was_not_seen_leaves_only_what_is_certain() -> None:
    """Seat 2 had seen three cards of seat 3; after the Knock Down it is sure of one of the two like ones."""
    rows = [dict(row) for row in TABLE_OF_THREE]
    rows[2]["hand"] = ["red 3", "red 3", "blue 5", "yellow 4"]
    rows[1]["knows"] = [{"seat": 3, "cards": ["red 3", "red 3", "blue 5"]}]
    walk = walked(position(*rows))
    assert always(hidden_anew(walk, 1), 2, "blue 5")
    walk = walked(position(*rows), "play knock down 3")
    anew = hidden_anew(walk, 1, 200)
    assert always(anew, 2, "red 3")
    assert not always(anew, 2, "blue 5")


def test_a_hand_dealt_anew_holds_every_unseen_card_as_often() -> None:
    """Hands keep their size, the deck stays whole, and each unseen card is as likely in each unseen place."""
    rows = (seat("red 3", "red 5, retreat"), seat("red 4", "purple 7, charge"), seat("red 3", "ivanhoe, green 1"))
    rows[0]["knows"] = [{"seat": 2, "cards": ["charge"]}]
    walk = walked(position(*rows))
    unseen = COPIES.copy()
    for name in ("red 3", "red 3", "red 4", "red 5", "retreat", "charge"):
        unseen[KIND_OF[name]] -= 1
    counts = np.zeros((3, N_KINDS), int)
    anew = hidden_anew(walk, 0, GAMES_DEALT)
    for state in anew:
        assert state.n_hand[:3].tolist() == state.hands[:3].sum(axis=1).tolist() == [2, 2, 2]
        assert (
            state.stack + state.hands[1] + state.hands[2] + state.discards
            == unseen + np.eye(N_KINDS, dtype=int)[KIND_OF["charge"]]
        ).all()
        counts += state.hands[:3]
    counts[1, KIND_OF["charge"]] -= GAMES_DEALT
    for k in range(N_KINDS):
        assert agrees(int(counts[1, k]), GAMES_DEALT, unseen[k] / unseen.sum())
        assert agrees(int(counts[2, k]), GAMES_DEALT * int(max(1, unseen[k])), 2 / unseen.sum() * (unseen[k] > 0))


@pytest.mark.parametrize("players", [2, 4])
def test_what_a_seat_sees_survives_dealing_anew(players: int) -> None:
    """Through whole games: displays, tokens, own hand, sizes and known cards stay as they were."""
    table = table_of(GAME, players)
    policies = policies_of(GAME, ["random", "tactician"] * 2)
    for game in range(6):
        walk = Walk(table, 31, game)
        while (who := walk.look()[0]) >= 0:
            (anew,) = hidden_anew(walk, who, 1)
            for key in (
                "phase",
                "turn",
                "active",
                "colour",
                "display",
                "tokens",
                "front",
                "discards",
                "n_hand",
                "n_stack",
            ):
                assert np.array_equal(anew[key], walk.state[key]), key
            assert (anew.hands[who] == walk.state.hands[who]).all()
            assert (anew.known[who] == walk.state.known[who]).all()
            assert (anew.known <= anew.hands[None]).all()
            walk.play(walk.choose(policies[who]))
