"""What the policies choose, that their search is sound, and who beats whom."""

from __future__ import annotations

import math
from collections import Counter
from random import Random
from typing import Any

import numpy as np
import pytest

from analyzer.engine.chance import WHIM, draw, new_chance, open_streams
from analyzer.engine.jit import driver
from analyzer.engine.run import play_games
from analyzer.engine.tally import WHOLE_WIN
from analyzer.engine.trace import Walk, new_buffer
from analyzer.engine.verbs import actor, apply, choose, deal, legal, redeal
from analyzer.games.fredericus.policies import plan
from tests.games.fredericus.table import GAME, Board, set_up
from tests.statistical.check import Z, agrees
from tests.tables import policies_of, table_of

INFORMED = [policy.name for policy in GAME.policies if policy.name != "random"]


def policy(name: str, **own: Any) -> Any:
    """Return the record of a policy with some parameters of its own."""
    return GAME.encode_policies([GAME.parameters_of(GAME.policy_named(name), own)])[0]


def choice(board: Board, name: str, **own: Any) -> str:
    return GAME.move_text(board.table, board.state, board.walk.choose(policy(name, **own)))


def turn_of(board: Board, name: str, **own: Any) -> list[str]:
    """Let a policy play until its turn's actions are over; return its moves."""
    moves = []
    while board.phase == "turn" and board.turn == 1:
        moves.append(choice(board, name, **own))
        board.say(moves[-1])
    return moves


@pytest.mark.parametrize("name", INFORMED)
def test_a_catch_and_a_seal_are_taken(name: str) -> None:
    board = set_up({8: "wa", 1: "wd", 2: "wa", 4: "aws", 5: "wwwwaw", 6: "was"})
    moves = turn_of(board, name)
    assert "catch peregrine" in moves
    assert any(move.startswith("open kestrel") for move in moves)


def test_greedy_makes_the_move_that_brings_a_catch_soonest() -> None:
    """One card hides the air beside the peregrine's dragon."""
    board = set_up({8: "wa", 1: "wd", 2: "as", 5: "w"})
    assert choice(board, "greedy") == "card 2 right"


def test_planner_finds_two_catches_where_both_hang_together() -> None:
    """The wood of row 2 must wait: it serves the kestrel once the peregrine has caught between two airs."""
    rows = {7: "s", 8: "a", 1: "wdg", 2: "ww", 3: "a"}
    board = set_up(rows, [{"kestrel": 1}, {}])
    turn_of(board, "planner", deny=0)
    assert board.seat(1)["creatures"] == ["dragon", "griffin"]


@pytest.mark.parametrize(("goal", "caught"), [("dragon", "dragon"), ("griffin", "griffin")])
def test_planner_catches_what_pairs_with_its_goal(goal: str, caught: str) -> None:
    """The peregrine stands between a dragon and a griffin, each an action away."""
    rows = {7: "a", 8: "d", 1: "a", 2: "g", 3: "a"}
    board = set_up(rows, [{"goals": [goal], "hooded": "kestrel"}, {"peregrine": 5, "kestrel": 5}], {"actions": 1})
    turn_of(board, "planner")
    assert board.seat(1)["creatures"] == [caught]


def test_planner_takes_the_catch_from_the_next_player() -> None:
    """Nothing to catch itself; the other's peregrine stands ready on tower 6."""
    rows = {5: "a", 6: "d", 7: "a"}
    board = set_up(rows, [{"peregrine": 2, "kestrel": 2}, {"peregrine": 6, "kestrel": 6}], {"actions": 1})
    turn_of(board, "planner")
    assert board.phase == "bet"
    board.say("bet 1", "bet 1")
    assert "catch peregrine" not in board.moves


def test_hooder_hoods_the_leader() -> None:
    seats: list[dict[str, Any]] = [
        {},
        {"peregrine": 3},
        {"peregrine": 7, "kestrel": 6, "creatures": ["dragon", "hydra"]},
    ]
    board = set_up({2: "w", 4: "w", 6: "w", 8: "w"}, seats)
    assert choice(board, "hooder") == "hood 7"
    seats[1], seats[2] = {"peregrine": 3, "creatures": ["dragon", "hydra"]}, {"peregrine": 7, "kestrel": 6}
    board = set_up({2: "w", 4: "w", 6: "w", 8: "w"}, seats)
    assert choice(board, "hooder") == "hood 3"


def test_bets_go_where_the_next_player_can_catch() -> None:
    rows = {5: "wa", 6: "wd", 7: "wa", 1: "ww", 2: "ww", 3: "ww"}
    board = set_up(rows, [{"chips": ["hand", 2]}, {"peregrine": 6, "kestrel": 2}], {"phase": "bet"})
    for name in INFORMED:
        assert choice(board, name) == "bet 6"
    board = set_up(rows, [{"chips": [6, 2]}, {"peregrine": 6, "kestrel": 2}], {"phase": "bet"})
    assert choice(board, "greedy") == "done"


def test_planner_hoods_the_falcon_of_a_pair_that_threatens() -> None:
    """Both falcons of the next player stand on tower 3; a single action brings his kestrel a catch."""
    rows = {2: "ww", 3: "d", 4: "aw"}
    seats = [{"peregrine": 7, "kestrel": 7}, {"peregrine": 3, "kestrel": 3}]
    board = set_up(rows, seats, {"actions": 1})
    for name in ("planner", "swift"):
        assert choice(board, name, deny=9) == "hood 3 kestrel"


def test_a_pair_is_searched_for_both_hoods() -> None:
    """Of a pair the search may hood either: the values decide, and equals by lot."""
    board = set_up({2: "w", 4: "w"}, [{"peregrine": 7, "kestrel": 7}, {"peregrine": 3, "kestrel": 3}])
    record = policy("hooder")
    chosen = {GAME.move_text(board.table, board.state, board.walk.choose(record)) for _ in range(60)}
    assert chosen == {"hood 3 peregrine", "hood 3 kestrel"}


# Equals


def test_equal_rows_are_chosen_alike() -> None:
    """On an empty board every falcon move is as good as its mirror image, and every row as good a bet."""
    board = set_up({})
    chosen = Counter(choice(board, "greedy") for _ in range(1200))
    for falcon in ("peregrine", "kestrel"):
        left, right = chosen[f"falcon {falcon} left"], chosen[f"falcon {falcon} right"]
        assert agrees(left, left + right, 1 / 2)
        assert left + right > 200
    board = set_up({}, place={"phase": "bet"})
    bets = Counter(choice(board, "greedy") for _ in range(1600))
    assert all(agrees(bets[f"bet {row}"], 1600, 1 / 8) for row in range(1, 9))  # sees 6 points of 100


@pytest.mark.parametrize(("name", "nodes"), [("planner", 300), ("swift", 40), ("hooder", 4000)])
def test_no_row_is_preferred_round_the_ring(name: str, nodes: int) -> None:
    """Where the ring is symmetric cards are moved from every row alike, also when the positions run out."""
    table = table_of(GAME, 2, falcon_setup="random", max_rounds=3)
    records = GAME.encode_policies([GAME.parameters_of(GAME.policy_named(name), {"nodes": nodes})] * 2)
    rows: Counter = Counter()
    for game in range(80):
        walk = Walk(table, 21, game)
        while (seat := walk.look()[0]) >= 0:
            text = walk.play(walk.choose(records[seat])).text.split()
            if text[0] == "card":
                rows[int(text[1])] += 1
    n = sum(rows.values())
    # moves of one game hang together: a game counts as its moves from a row, which vary by some 3 times their root
    assert n > 700
    assert all(abs(rows[row] - n / 8) < 4.5 * 2 * math.sqrt(n / 8) for row in range(1, 9)), rows


def test_of_equal_leaders_each_is_hooded_as_gladly() -> None:
    seats: list[dict[str, Any]] = [{}, {"peregrine": 3, "kestrel": 6}, {"peregrine": 7, "kestrel": 6}]
    board = set_up({2: "w", 4: "w", 6: "w", 8: "w"}, seats)
    hoods = Counter(choice(board, "hooder", deny=0) for _ in range(300))
    assert set(hoods) == {"hood 3", "hood 7"}
    assert agrees(hoods["hood 3"], 300, 1 / 2)


@pytest.mark.parametrize(("rows", "best"), [({8: "as", 2: "ss", 3: "a"}, 8), ({2: "as", 8: "ss", 7: "a"}, 2)])
def test_the_seal_above_the_air_is_discarded(rows: dict[int, str], best: int) -> None:
    """With one action left the peregrine catches if the air on one side is free now."""
    board = set_up({1: "d", **rows}, [{}, {}], {"actions": 0}, seal_actions=1).say("open peregrine")
    for name in ("greedy", "planner", "swift"):
        assert choice(board, name) == f"discard {best}"


def test_a_chip_in_the_courtyard_is_taken() -> None:
    board = set_up({}, [{}, {"chips": ["courtyard"]}, {}], {"phase": "courtyard", "turn": 2})
    assert {choice(board, name) for name in INFORMED} == {"take"}


def test_gambler_waits_in_the_courtyard_when_no_row_promises_anything() -> None:
    board = set_up(dict.fromkeys((1, 2, 3, 4, 5, 6, 7), "www"), [{}, {}, {}], {"phase": "bet"})
    assert choice(board, "gambler") == "bet courtyard"
    assert choice(board, "greedy") != "bet courtyard"


def test_the_courtyard_is_chosen_from_just_so_small_a_promise_on() -> None:
    """Row 6 promises 13: 2 times 6 for the next player's peregrine on it, and 1, the other's kestrel being 5 away."""
    seats = [
        {},
        {"peregrine": 6, "kestrel": 2, "hooded": "kestrel"},
        {"peregrine": 2, "kestrel": 2, "hooded": "peregrine"},
    ]
    board = set_up({5: "wa", 6: "wd", 7: "wa", 1: "ww", 2: "ww", 3: "ww"}, seats, {"phase": "bet"})
    assert choice(board, "gambler", courtyard=12) == "bet 6"
    assert choice(board, "gambler", courtyard=13) == "bet courtyard"


def test_who_may_stop_stops_rather_than_spoil() -> None:
    """With `may_stop` an action that only helps the next player is not taken."""
    rows = {5: "as", 6: "d", 7: "as"}
    seats: list[dict[str, Any]] = [{"hooded": "kestrel"}, {"peregrine": 6, "kestrel": 6}]
    board = set_up(rows, seats, {"actions": 1}, may_stop=True)
    assert choice(board, "planner", deny=9) in ("done", "card 6 left", "card 6 right")


# The search


def catches_possible(board_words: dict[str, Any], actions: int) -> int:
    """Return how many creatures the first seat can catch in its turn, trying every order of every move."""
    table = table_of(GAME, 2)
    seen: dict[str, int] = {}

    def best(words: dict[str, Any]) -> int:
        key = str(words)
        if key not in seen:
            walk = Walk(table, 1, 0, GAME.place(table, words))
            top = 0
            for move in walk.look()[1]:
                text = GAME.move_text(table, walk.state, move)
                if text == "done" or text.startswith("open"):
                    continue
                other = Walk(table, 1, 0, GAME.place(table, words))
                other.play(move)
                caught = text.startswith("catch")
                after = GAME.show(table, other.state)
                top = max(top, caught + (best(after) if after["phase"] == "turn" else 0))
            seen[key] = top
        return seen[key]

    return best(board_words | {"actions": actions})


def test_a_full_search_misses_no_catch() -> None:
    """Trying everything in every order finds no more creatures than the search that skips orders that do not matter."""
    random = Random(5)
    eager = {"creature": 1000, "pair": 0, "paid": 0, "goal": 0, "deny": 0, "width": 52, "nodes": 1_000_000}
    found = 0
    for _ in range(6):
        cards = random.sample("w" * 8 + "a" * 8 + "bcdghmpu", 16)
        rows = {row: "".join(cards[2 * row - 2 : 2 * row]) for row in range(1, 9)}
        seats = [{"peregrine": random.randint(1, 8), "kestrel": random.randint(1, 8)}, {}]
        board = set_up(rows, seats, {"actions": 2}, pile=9)
        possible = catches_possible(board.words, 2)
        turn_of(board, "planner", **eager)
        assert len(board.seat(1)["creatures"]) == possible
        found += possible
    assert found >= 3


@pytest.mark.parametrize("nodes", [1, 20, 300, 5000])
def test_the_search_is_bounded_in_nodes_and_leaves_the_state_as_it_was(nodes: int) -> None:
    table = table_of(GAME, 4, short_game=True)
    walk = Walk(table, 3, 0)
    random = Random(1)
    buffer = new_buffer(table)
    record = policy("planner", nodes=nodes)
    looked = []
    for _ in range(80):
        seat, moves = walk.look()
        if seat < 0:
            break
        if walk.state.phase == 1:
            before = GAME.show(table, walk.state)
            depth = walk.state.depth.copy()
            looked.append(_plan(table.rules, walk.state, record, buffer, walk.chance))
            assert GAME.show(table, walk.state) == before
            assert np.array_equal(depth, walk.state.depth)
        walk.play(random.choice(moves))
    assert min(nodes, 30) <= max(looked) <= nodes


@driver
def _plan(rules, s, policy, buffer, chance):
    return plan(rules, s, policy, draw(chance, WHIM), buffer.moves)[2]


# What is hidden


@driver
def _differing(rules, policies, seed, games, states, buffer, chance, hidden):
    """Play games; return how many choices differ when what the actor cannot see is shuffled, and how many do not."""
    s, other = states[0], states[1]
    moves = buffer.moves
    differing = choices = 0
    for game in range(games):
        open_streams(chance, (seed, seed, seed), game)
        deal(rules, s, chance)
        seat = actor(rules, s)
        while seat >= 0:
            states[1] = states[0]
            open_streams(hidden, (seed + 1, seed + 1, seed + 1), choices + differing)
            redeal(rules, other, seat, hidden)
            n_moves = legal(rules, other, moves)
            whim = chance.at[WHIM]
            blind = choose(rules, other, policies[seat], moves, n_moves, chance)
            n_moves = legal(rules, s, moves)
            chance.at[WHIM] = whim  # the same lots
            move = choose(rules, s, policies[seat], moves, n_moves, chance)
            differing += move != blind
            choices += move == blind
            apply(rules, s, move, chance)
            seat = actor(rules, s)
    return differing, choices


@pytest.mark.parametrize("players", [2, 3, 4])
def test_hidden_cards_never_change_a_choice(players: int) -> None:
    """F5: goals in other hands and the order of the pile are shuffled at every decision."""
    for name, games in (("greedy", 100), ("hooder", 60), ("gambler", 60), ("planner", 4)):
        table = table_of(GAME, players)
        policies = policies_of(GAME, [name] * players)
        differing, choices = _differing(
            table.rules, policies, 8, games, table.new_states(2), new_buffer(table), new_chance(), new_chance()
        )
        assert differing == 0
        assert choices > 40 * games


def seen_by(words: dict[str, Any], mine: int) -> dict[str, Any]:
    """Return the part of a state in words that a seat sees: of other goals and of the pile the number."""
    seats = [
        seat if i == mine else {k: v for k, v in seat.items() if k != "score"} | {"goals": len(seat["goals"])}
        for i, seat in enumerate(words["seats"])
    ]
    return words | {"seats": seats, "goal_pile": len(words["goal_pile"])}


def test_hidden_cards_are_shuffled_and_open_ones_are_not() -> None:
    """Negative control of the test above: `redeal` changes what it should, and nothing else."""
    table = table_of(GAME, 3)
    walk = Walk(table, 4, 2)
    seats = policies_of(GAME, ["greedy"] * 3)
    for _ in range(40):
        walk.play(walk.choose(seats[walk.look()[0]]))
    before = GAME.show(table, walk.state)
    chance = new_chance()
    piles = set()
    for i in range(20):
        other = Walk(table, 4, 2, walk.states)
        open_streams(chance, (i, i, i), 0)
        _redeal(table.rules, other.state, 1, chance)
        words = GAME.show(table, other.state)
        assert seen_by(words, 1) == seen_by(before, 1)
        assert "fredericus" in words["goal_pile"][-5:]
        piles.add(tuple(words["goal_pile"]))
    assert len(piles) == 20


@driver
def _redeal(rules, s, seat, chance):
    redeal(rules, s, seat, chance)


# Strength


def wins(players: int, name: str, others: str, games: int) -> float:
    """Return by how many standard errors one `name` among `others` wins more than its fair share, seats rotated."""
    tally = play_games(
        table_of(GAME, players), policies_of(GAME, [name] + [others] * (players - 1)), 17, games, chunk=60
    ).tally
    share, fair = tally.win[0, :, 0].sum() / WHOLE_WIN / games, 1 / players
    return (share - fair) / math.sqrt(fair * (1 - fair) / games)


@pytest.mark.parametrize("players", [2, 3, 4])
def test_planner_beats_greedy_and_greedy_beats_random(players: int) -> None:
    assert wins(players, "planner", "greedy", 60 * players) > Z
    assert wins(players, "greedy", "random", 600) > Z
    assert abs(wins(players, "greedy", "greedy", 1200)) < Z  # negative control: among equals nobody is better


def test_planners_play_the_same_games_on_any_threads() -> None:
    table, policies = table_of(GAME, 3), policies_of(GAME, ["planner", "gambler", "hooder"])
    one = play_games(table, policies, 5, 60, threads=1).tally
    two = play_games(table, policies, 5, 60, threads=2, chunk=7).tally
    assert all(np.array_equal(a, b) for a, b in zip(one, two, strict=True))
