"""G6, G7: picks and red documents are decided at once, so who is asked first must not matter."""

from __future__ import annotations

import numpy as np
import pytest

from analyzer.engine.chance import new_chance, open_streams
from analyzer.engine.jit import driver
from analyzer.engine.run import roll_out, win_and_score
from analyzer.engine.tally import WHOLE_WIN
from analyzer.engine.trace import new_buffer
from analyzer.engine.verbs import redeal, rethink
from analyzer.games.gluecksritter.rules import KNIGHT
from tests.games.gluecksritter.table import GAME, Board, set_up
from tests.tables import policies_of

GAMES = 12_000
FIELDS = {"field_5": [3, 2], "field_6": [2, 3]}
# a seat that has picked; what it has picked must not matter to one that does not see it
ODD = {"picked": [1, 4]}


@driver
def imagine(rules, position, seat, policies, seed, ends, buffer, chance):
    """Write what a seat may think into `ends`, each of other luck."""
    for game in range(ends.shape[0]):
        open_streams(chance, (seed, seed, seed), game)
        ends[game] = position[0]
        redeal(rules, ends[game], seat, chance)
        rethink(rules, ends[game], seat, policies, buffer.moves, chance)


def thoughts(board: Board, seat: int, names: list[str], n: int = 300) -> np.ndarray:
    ends = board.table.new_states(n)
    policies = policies_of(GAME, names)
    imagine(board.table.rules, board.walk.states, seat - 1, policies, 3, ends, new_buffer(board.table), new_chance())
    return ends


def odds(board: Board, policy: str, moves: list[str]) -> dict[str, float]:
    """What the seat that is asked wins with each move."""
    table, (seat, legal) = board.table, board.walk.look()
    policies = policies_of(GAME, [policy] * table.players)
    shares = {}
    for text in moves:
        move = GAME.read_move(table, board.state, text, legal)
        tally = roll_out(table, policies, board.walk.states, move, 11, GAMES).tally
        shares[text] = win_and_score(tally, seat)[0] / WHOLE_WIN / GAMES
    return shares


def same(a: dict[str, float], b: dict[str, float]) -> bool:
    """Whether two answers agree within 4.5 errors of their difference: one false alarm in 150,000 comparisons."""
    return all(abs(a[m] - b[m]) < 4.5 * (2 * a[m] * (1 - a[m]) / GAMES) ** 0.5 for m in a)


PAIRS = ["pick 2 3", "pick 5 6", "pick 2 5", "pick 2 6", "pick 3 5"]


@pytest.mark.parametrize("policy", ["needs", "mixer"])
def test_every_seat_that_is_asked_gets_the_same_answer_where_all_stand_alike(policy: str) -> None:
    seat = {"ones": 3, "twos": 5, "walls": 2, "towers": 2}
    answers = []
    for asked in range(1, 5):
        seats = [seat | (ODD if k < asked else {}) for k in range(1, 5)]
        board = set_up(*seats, place={**FIELDS, "turn": asked}, documents="none")
        answers.append(odds(board, policy, PAIRS))
    for answer in answers[1:]:
        assert same(answers[0], answer), (answers[0], answer)
    assert not same(answers[0], {move: share + 0.03 for move, share in answers[0].items()})  # three points are seen


def test_who_lays_red_documents_down_gets_the_same_answer_first_or_last() -> None:
    """The permit takes effect in any order; the others' hands are unknown."""
    own = {"ones": 3, "twos": 4, "walls": 2, "towers": 2, "picked": [2, 5], "documents": {"wall": 1}}
    other = {"ones": 3, "twos": 4, "walls": 2, "towers": 2, "picked": [1, 4], "documents": {"wall": 1}}
    answers = []
    for asked in (1, 3):
        seats = [own if k == asked else other for k in range(1, 4)]
        board = set_up(*seats, phase="red", place={**FIELDS, "turn": asked})
        answers.append(odds(board, "needs", ["play none", "play wall"]))
    assert same(*answers), answers


def test_rivals_who_have_picked_pick_anew_as_they_play() -> None:
    board = set_up(ODD, ODD, {"picked": [2, 3]}, {}, place={**FIELDS, "turn": 4}, documents="none")
    ends = thoughts(board, 4, ["miser", "random", "needs", "needs"])
    assert set(ends.picks[:, 0].tolist()) == {0b110000}  # a miser without money takes 5 and 6
    assert len(set(ends.picks[:, 1].tolist())) == 15
    assert (ends.picks[:, 3] == 0).all()  # who is asked has not picked
    assert (ends.turn == board.state.turn).all()
    assert (ends.phase == board.state.phase).all()


def test_own_picks_and_open_ones_stay() -> None:
    board = set_up({}, {}, {}, documents="none").say("pick 2 3", "pick 2 3", "pick 2 3")
    assert (thoughts(board, 2, ["random"] * 3).picks[:, :3] == board.state.picks[:3]).all()
    own = {"picked": [2, 6], "documents": {"wall": 1}}
    board = set_up(own, ODD, ODD, phase="red")
    assert (thoughts(board, 1, ["random"] * 3).picks[:, 0] == board.state.picks[0]).all()


def test_g7_a_pardon_after_the_choice_does_not_say_that_the_knight_was_picked() -> None:
    """Seat 2's knight was in the dungeon when he picked; seat 1 is asked about its coins before the picks lie open."""
    seats = [
        {"ones": 8, "documents": {"gifts": 1}, "picked": [2, 5]},
        {"pardoned": True, "freed": True, "picked": [5, 6]},
        {"picked": [1, 2]},
    ]
    place = {"then": "document", "turned_up": False, "coin": "ones", "asked": 0}
    board = set_up(*seats, phase="limit", place=place)
    assert board.words["seats"][1]["freed"]
    picks = thoughts(board, 1, ["random"] * 3).picks
    assert not (picks[:, 1] >> KNIGHT & 1).any()
    assert (picks[:, 2] >> KNIGHT & 1).any()


def test_g7_a_pardon_that_frees_a_knight_is_remembered() -> None:
    board = set_up({"documents": {"pardon": 1}, "jailed": True}, {"documents": {"pardon": 1}}, {})
    board.say("pick 1 2", "pick 1 2", "pick 1 2", "play pardon", "play pardon")
    assert [bool(board.state.freed >> k & 1) for k in range(3)] == [True, False, False]
