"""100,000 games under random options, every state checked in compiled code."""

from __future__ import annotations

from random import Random

import numpy as np

from analyzer.engine.chance import new_chance, open_streams
from analyzer.engine.jit import driver
from analyzer.engine.trace import Walk, new_buffer
from analyzer.engine.verbs import actor, apply, choose, deal, legal
from analyzer.games import GAMES
from analyzer.games.ivanhoe.cards import GREEN, MAIDEN, N_KINDS, OUTWIT, PURPLE, SHIELD, STUNNED, VALUE
from analyzer.games.ivanhoe.state import (
    END,
    HAS_OUTWIT,
    HAS_SHIELD,
    HAS_STUNNED,
    NAME,
    NONE,
    WITHDRAW,
)
from tests.tables import policies_of, random_options, table_of

GAME = GAMES["ivanhoe"]
N_TABLES, GAMES_EACH = 250, 400
FAULTS = (
    "",
    "no legal move",
    "a move that is not legal",
    "I9: an action emptied a display",
    "I3: two purple tournaments in a row",
    "I4: too many maidens in a display",
    "the 110 cards are not all there",
    "the sums do not fit the display",
    "I2: a turn ended without a lead",
    "a withdrawn player has open cards",
    "the game did not end by max_turns",
    "a seat knows of cards that are not there",
)


@driver
def check_cards(rules, s, found):
    """Return whether all cards lie somewhere (uses `found` as scratch)."""
    players = rules.players
    for k in range(N_KINDS):
        found[k] = s.discards[k] + s.stack[k]
        for seat in range(players):
            if s.hands[seat, k] < 0 or s.discards[k] < 0 or s.stack[k] < 0:
                return False
            found[k] += s.hands[seat, k]
    for seat in range(players):
        for i in range(s.n_display[seat]):
            found[s.display[seat, i]] += 1
        found[SHIELD] += s.front[seat] & HAS_SHIELD != 0
        found[STUNNED] += s.front[seat] & HAS_STUNNED != 0
        found[OUTWIT] += s.front[seat] & HAS_OUTWIT != 0
    missing = 0
    for k in range(N_KINDS):
        missing += abs(found[k] - rules.copies[k])
    return missing == 0 and s.stack.sum() == s.n_stack


@driver
def check_knowledge(rules, s):
    """Return whether nobody knows of a card that is not there."""
    for viewer in range(rules.players):
        for owner in range(rules.players):
            for k in range(N_KINDS):
                known = s.known[viewer, owner, k]
                if known < 0 or known > s.hands[owner, k] or (known > 0 and not s.seen[owner] >> k & 1):
                    return False
    return True


@driver
def check_displays(rules, s):
    """Return the number of a fault in the displays, or 0."""
    for seat in range(rules.players):
        points = maidens = 0
        for i in range(s.n_display[seat]):
            points += VALUE[s.display[seat, i]]
            maidens += s.display[seat, i] == MAIDEN
        if maidens > rules.maiden_limit:
            return 5
        if points != s.points[seat] or maidens != s.maidens[seat]:
            return 7
        if not s.within >> seat & 1 and (s.n_display[seat] or s.front[seat]):
            return 9
    return 0


@driver
def ends_behind(rules, s):
    """Return whether the active player is not ahead as he must be (I2)."""
    best = 0
    for seat in range(rules.players):
        if seat != s.active:
            best = max(best, s.n_display[seat] if s.colour == GREEN else s.points[seat])
    mine = s.n_display[s.active] if s.colour == GREEN else s.points[s.active]
    return mine < best or (mine == best and not rules.tie_stays)


@driver
def play_checked(rules, policies, seed, games, states, buffer, chance, found):
    """Play games and check every state; return the fault, the game, and how many games had a winner."""
    s, before = states[0], states[1]
    moves = buffer.moves
    won = 0
    for game in range(games):
        open_streams(chance, (seed, seed, seed), game)
        deal(rules, s, chance)
        last_colour = NONE
        seat = actor(rules, s)
        while seat >= 0:
            n = legal(rules, s, moves)
            if n == 0:
                return 1, game, won
            move = choose(rules, s, policies[seat], moves, n, chance)
            known = False
            for i in range(n):
                known |= moves[i] == move
            if not known:
                return 2, game, won
            what = move & 63
            if what == NAME and move >> 6 & 7 == PURPLE and last_colour == PURPLE:
                return 4, game, won
            alone = rules.start_on_action and s.opening and s.n_display[s.active] == 0
            if what == END and not alone and ends_behind(rules, s):
                return 8, game, won
            states[1] = states[0]
            apply(rules, s, move, chance)
            if s.tournaments != before.tournaments:
                last_colour = before.colour
            elif what < END or what > WITHDRAW:
                for other in range(rules.players):
                    emptied = before.n_display[other] > 0 and s.n_display[other] == 0
                    if rules.last_card_guard and emptied and s.within >> other & 1:
                        return 3, game, won
            if not check_cards(rules, s, found):
                return 6, game, won
            if not check_knowledge(rules, s):
                return 11, game, won
            fault = check_displays(rules, s)
            if fault:
                return fault, game, won
            if s.turns > rules.max_turns:
                return 10, game, won
            seat = actor(rules, s)
        won += s.winner != NONE
    return 0, -1, won


def fuzz(number: int, games: int) -> tuple[str, int]:
    """Play one random table; return its fault in words and how many games had a winner."""
    random = Random(number)
    players = 2 + number % 4
    options = random_options(GAME, random)
    if random.random() < 0.5:
        options["max_turns"] = random.choice((5, 50, 300))
    table = table_of(GAME, players, **options)
    names = ["random" if random.random() < 0.6 else random.choice(GAME.policies).name for _ in range(players)]
    found = np.zeros(N_KINDS, np.int64)
    fault, game, won = play_checked(
        table.rules,
        policies_of(GAME, names),
        number,
        games,
        table.new_states(2),
        new_buffer(table),
        new_chance(),
        found,
    )
    return (f"{FAULTS[fault]}: game {game} of table {number}, {options}" if fault else ""), won


def test_100_000_games_under_random_options() -> None:
    """They end, keep 110 cards, empty no display, never name purple twice, never have a maiden too many."""
    won = 0
    for number in range(N_TABLES):
        fault, winners = fuzz(number, GAMES_EACH)
        assert fault == ""
        won += winners
    assert N_TABLES * GAMES_EACH == 100_000
    assert 50_000 < won < 100_000  # most games have a winner, and some are stopped (I10)


def test_the_checks_can_fail() -> None:
    """Negative control: a card too few, and a maiden that is not there, are noticed."""
    table = table_of(GAME, 2)
    s = Walk(table, 1, 1).state
    found = np.zeros(N_KINDS, np.int64)
    assert check_cards(table.rules, s, found)
    assert check_knowledge(table.rules, s)
    assert check_displays(table.rules, s) == 0
    s.n_stack -= 1
    assert not check_cards(table.rules, s, found)
    s.known[0, 1, 0] = s.hands[1, 0] + 1
    assert not check_knowledge(table.rules, s)
    s.maidens[0] = 1
    assert FAULTS[check_displays(table.rules, s)] == "the sums do not fit the display"
