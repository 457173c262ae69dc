"""G1, G2, G4, G8: every draw has the chances that the rules give it."""

from __future__ import annotations

from collections import Counter
from math import comb
from typing import Any

import numpy as np
import pytest

from analyzer.engine.chance import new_chance, open_streams
from analyzer.engine.game import Table
from analyzer.engine.jit import driver
from analyzer.engine.verbs import apply, deal, redeal
from analyzer.games.gluecksritter.state import BAG_FACE, BLANK_FACE, CASTLE_FACE
from tests.games.gluecksritter.table import GAME, Board, set_up
from tests.statistical.check import agrees, false_alarm, visible
from tests.tables import table_of

N = 20_000
DEAL, HIDE = -1, -2  # instead of a move


@driver
def many(rules, start, move, seed, ends, chance):
    """Deal, redeal for seat 1, or play a move from a position, once for each of `ends` (modifies it)."""
    for game in range(ends.shape[0]):
        open_streams(chance, (seed, seed, seed), game)
        ends[game] = start[0]
        if move == DEAL:
            deal(rules, ends[game], chance)
        elif move == HIDE:
            redeal(rules, ends[game], 0, chance)
        else:
            apply(rules, ends[game], move, chance)


def ends_of(table: Table, start: np.ndarray, move: int, seed: int = 5) -> np.ndarray:
    ends = table.new_states(N)
    many(table.rules, start, move, seed, ends, new_chance())
    return ends


def ends_after(board: Board, text: str) -> np.ndarray:
    _, legal = board.walk.look()
    return ends_of(board.table, board.walk.states, GAME.read_move(board.table, board.state, text, legal))


def off(seen: Any, chances: dict[Any, float]) -> list[str]:
    """Return which values were not seen as often as their chances say."""
    counts = Counter(seen)
    assert sum(counts.values()) == N
    assert false_alarm(len(chances)) < 1e-3
    assert visible(N, 0.5) < 0.025
    wrong = [f"{value}: {counts[value]}, {N * p:.0f} expected" for value, p in chances.items()
             if not (agrees(counts[value], N, p) if N * p > 30 else counts[value] < 80)]  # fmt: skip
    return wrong + [f"{value} cannot be" for value in counts if value not in chances]


def drawn_ones(ones: int, twos: int, cards: list[int]) -> dict[int, float]:
    """The chances of so many ones when each of these numbers of coins is drawn blind, all cards alike."""
    chances: dict[int, float] = {}
    for n in cards:
        for k in range(n + 1):
            p = comb(ones, k) * comb(twos, n - k) / comb(ones + twos, n) / len(cards)
            chances[k] = chances.get(k, 0.0) + p
    return chances


def cards() -> list[tuple[int, int]]:
    return [(card.tax, card.toll) for card in table_of(GAME, 3).deck.ducats]


def test_g4_each_ducat_card_is_as_likely_as_the_next() -> None:
    table = table_of(GAME, 4)
    ends = ends_of(table, table.new_states(), DEAL)
    assert off(ends.ducat_card.tolist(), dict.fromkeys(range(18), 1 / 18)) == []


def test_g4_a_used_ducat_card_does_not_come_again_before_the_deck_is_shuffled() -> None:
    """After 14 of the 18 cards the other four are left, each as likely."""
    poor = {"ones": 0, "twos": 0}
    board = set_up(poor, poor, poor, place={"ducats_used": list(range(1, 15))}, documents="none")
    ends = ends_after(board.say("pick 1 2", "pick 1 2"), "pick 1 2")
    assert off(ends.ducat_card.tolist(), dict.fromkeys(range(14, 18), 1 / 4)) == []
    board = set_up(poor, poor, poor, place={"ducats_used": list(range(1, 19))}, documents="none")
    ends = ends_after(board.say("pick 1 2", "pick 1 2"), "pick 1 2")
    assert off(ends.ducat_card.tolist(), dict.fromkeys(range(18), 1 / 18)) == []


@pytest.mark.parametrize("players", [3, 6])
def test_g4_coins_are_drawn_blind_from_the_bag(players: int) -> None:
    """Ones on field 5, on field 6 and on both: hypergeometric."""
    table = table_of(GAME, players)
    laid = ends_of(table, table.new_states(), DEAL).laid
    ones, twos = 60 - 2 * players, 40 - 2 * players
    for seen, counts in (
        (laid[:, 0, 0], [tax for tax, _ in cards()]),
        (laid[:, 1, 0], [toll for _, toll in cards()]),
        (laid[:, :, 0].sum(axis=1), [tax + toll for tax, toll in cards()]),
    ):
        assert off(seen.tolist(), drawn_ones(ones, twos, counts)) == []
        assert off(seen.tolist(), drawn_ones(ones + 3, twos - 3, counts))  # control: a bag of three more ones


DOCUMENTS = {"tax": 3, "toll": 3, "wall": 3, "tower": 3, "pardon": 2, "gifts": 4, "guard": 4, "bill": 3}


def test_g2_each_document_of_the_stack_is_as_likely_as_the_next() -> None:
    board = set_up({}, {}, {}, place={"discard": {"tax": 3, "gifts": 2}}).say("pick 1 5", "pick 5 6")
    ends = ends_after(board, "pick 5 6")
    left = list((DOCUMENTS | {"tax": 0, "gifts": 2}).values())
    kinds = ends.hand[:, 0].argmax(axis=1).tolist()
    assert (ends.hand[:, 0].sum(axis=1) == 1).all()
    assert off(kinds, {kind: n / 20 for kind, n in enumerate(left) if n}) == []
    assert off(kinds, {kind: n / 25 for kind, n in enumerate(DOCUMENTS.values())})  # control: the whole stack


def test_a_document_and_the_next_rounds_ducat_card_do_not_know_of_each_other() -> None:
    """G2, G4: every document comes with every ducat card as often as both chances together say."""
    ends = ends_after(set_up({}, {}, {}).say("pick 1 5", "pick 5 6"), "pick 5 6")
    assert (ends.rounds == 2).all()
    both = zip(ends.hand[:, 0].argmax(axis=1).tolist(), ends.ducat_card.tolist(), strict=True)
    chances = {(k, card): n / 25 / 18 for k, n in enumerate(DOCUMENTS.values()) for card in range(18)}
    assert off(both, chances) == []


def test_g2_hands_that_a_seat_cannot_see_are_dealt_anew_from_all_it_cannot_see() -> None:
    """Seat 1 sees its own gifts; seat 2's hand and the stack are mixed, and its two documents drawn from them."""
    board = set_up({"documents": {"gifts": 1}}, {"documents": {"tax": 2}}, {})
    ends = ends_of(board.table, board.walk.states, HIDE)
    assert (ends.hand[:, 1].sum(axis=1) == 2).all()
    for kind, name in enumerate(DOCUMENTS):
        n = DOCUMENTS[name] - (name == "gifts")
        chances = {k: comb(n, k) * comb(24 - n, 2 - k) / comb(24, 2) for k in range(3)}
        assert off(ends.hand[:, 1, kind].tolist(), chances) == []


def test_g8_the_dice_of_a_duel_are_fair_and_do_not_know_of_each_other() -> None:
    board = set_up({}, {}, {}, documents="none").say("pick 1 4", "pick 1 4")
    ends = ends_after(board, "pick 1 5")
    rolls = [(int(a), int(b)) for a, b in ends.dice[:, :2]]
    assert off(rolls, {(a, b): 1 / 36 for a in range(1, 7) for b in range(1, 7)}) == []
    assert off(ends.raider.tolist(), {0: 15 / 36, 1: 15 / 36, -1: 6 / 36}) == []


def test_g8_the_dice_of_two_rounds_do_not_know_of_each_other() -> None:
    rolls = []
    for number in (1, 2):
        board = set_up({}, {}, {}, place={"round": number}, documents="none", same_card_order="fixed")
        rolls.append(ends_after(board.say("pick 1 4", "pick 1 4"), "pick 1 5").dice[:, 0].tolist())
    assert off(zip(*rolls, strict=True), {(a, b): 1 / 36 for a in range(1, 7) for b in range(1, 7)}) == []


@pytest.mark.parametrize("faces", [(4, 2, 0), (1, 2, 3), (0, 0, 5)])
def test_g1_the_special_die_shows_each_of_its_faces_alike(faces: tuple[int, int, int]) -> None:
    board = set_up({}, {"walls": 1}, {}, documents="none", special_die=faces).say("pick 1 4", "pick 1 5", "pick 1 5")
    ends = ends_after(board, "raid 2")
    chances = dict(zip((BAG_FACE, CASTLE_FACE, BLANK_FACE), (n / sum(faces) for n in faces), strict=True))
    assert off(ends.face.tolist(), {face: p for face, p in chances.items() if p}) == []
    if faces == (4, 2, 0):
        assert off(ends.face.tolist(), {BAG_FACE: 0.7, CASTLE_FACE: 0.3})  # control
