"""A game whose odds can be worked out: a race of a few rounds.

Each round every player in turn takes a step forward with a probability in percent: `pace`, more for the
first seat (`edge`), more by the policy's `skill`, and more for each step of lead (`snow`). A deal of
`head` gives each player up to that many steps beforehand. Who is farthest wins; equals share. With
`tokens` there is a card, dealt to one player and worth that many steps; and those have one who took a step
in the first round.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np

from analyzer.engine import verbs
from analyzer.engine.chance import DEAL, DICE, below
from analyzer.engine.game import Card, Game, Measure, Option, Policy, Table, search_parameters
from analyzer.engine.jit import record_type
from analyzer.engine.tally import WHOLE_WIN
from analyzer.scenarios import Scenario

OPTIONS = (
    Option("rounds", 3, "rounds", "T1", 1, 10),
    Option("pace", 50, "percent", "T2", 0, 100),
    Option("edge", 0, "percent more for the first seat", "T3", 0, 100),
    Option("snow", 0, "percent more for each step of lead", "T4", 0, 20),
    Option("head", 0, "most steps dealt beforehand", "T5", 0, 5),
    Option("tokens", -1, "steps that the dealt token is worth; -1: there are no tokens", "T6", -1, 5),
)
CARDS = (Card("dealt", "token", "own", "steps"), Card("taken", "token", "own", "a step taken", by_chance=False))
POLICIES = (Policy("random", "", {}), Policy("fast", "", {"skill": 20}))
PARAMETERS = (Option("skill", 0, "percent more", low=0, high=100), *search_parameters(POLICIES))
RULES = record_type([("players", np.int64), *((option.key, np.int64) for option in OPTIONS)])
STATE = record_type(
    [
        ("bout", np.int64),
        ("turn", np.int64),
        ("token", np.int64),
        ("taken", np.int64),
        ("steps", np.int64, 4),
        ("course", np.int64, (10, 4)),
    ]
)
POLICY = record_type([(parameter.key, np.int64) for parameter in PARAMETERS])


@verbs.deal.of(RULES)
def deal(rules, s, chance):
    s.bout = 0
    s.turn = 0
    for seat in range(rules.players):
        s.steps[seat] = below(chance, DEAL, rules.head + 1)
    s.taken = 0
    s.token = below(chance, DEAL, rules.players)
    if rules.tokens > 0:
        s.steps[s.token] += rules.tokens


@verbs.actor.of(RULES)
def actor(rules, s):
    return -1 if s.bout == rules.rounds else s.turn


@verbs.legal.of(RULES)
def legal(rules, s, moves):
    moves[0] = 0
    moves[1] = 1
    return 1 + (s.bout > 0)


@verbs.choose.of(RULES)
def choose(rules, s, policy, moves, n_moves, chance):
    return np.int64(policy.skill)


@verbs.apply.of(RULES)
def apply(rules, s, move, chance):
    own = s.steps[s.turn]
    ahead = 0
    for seat in range(rules.players):
        ahead += own - (s.course[s.bout - 1, seat] if s.bout > 0 and seat != s.turn else own)
    percent = rules.pace + move + (rules.edge if s.turn == 0 else 0) + rules.snow * ahead
    s.steps[s.turn] += below(chance, DICE, 100) < percent
    if s.bout == 0 and s.steps[s.turn] > own:
        s.taken |= 1 << s.turn
    s.turn += 1
    if s.turn == rules.players:
        for seat in range(rules.players):
            s.course[s.bout, seat] = s.steps[seat]
        s.turn = 0
        s.bout += 1


@verbs.redeal.of(RULES)
def redeal(rules, s, seat, chance):
    return


@verbs.outcome.of(RULES)
def outcome(rules, s, row):
    best, shared = -1, 0
    for seat in range(rules.players):
        if s.steps[seat] > best:
            best, shared = s.steps[seat], 0
        shared += s.steps[seat] == best
    for seat in range(rules.players):
        row.win[seat] = WHOLE_WIN // shared if s.steps[seat] == best else 0
        row.score[seat] = s.steps[seat]
        for c in range(rules.rounds):
            row.course[c, seat] = s.course[c, seat]
        if rules.tokens >= 0:
            row.held[0, seat] = s.token == seat
            row.held[1, seat] = s.taken >> seat & 1
    row.counts[0] = rules.rounds


def _prepare(players: int, options: Mapping[str, Any], deck: Path | None) -> Table:
    array = np.zeros(1, RULES).view(np.recarray)
    for key, value in options.items():
        array[key] = value
    array["players"] = players
    return Table(GAME, players, options, array[0], None, CARDS if options["tokens"] >= 0 else (), options["rounds"])


def _none(*args: Any) -> Any:
    raise NotImplementedError


GAME = Game(
    name="race",
    title="A race",
    about="",
    edition="",
    least_players=2,
    most_players=4,
    options=OPTIONS,
    parameters=PARAMETERS,
    policies=POLICIES,
    default_policy="random",
    measures=(Measure("rounds", "rounds"),),
    score_name="steps",
    checkpoint_name="round",
    terms={},
    state=STATE,
    policy=POLICY,
    most_moves=2,
    prepare=_prepare,
    move_text=_none,
    read_move=_none,
    show=_none,
    place=_none,
    opening=_none,
    tell=_none,
    find_deck=_none,
)


def race(
    seats: tuple[str, ...] = ("random", "random"), targets: Mapping[str, Any] | None = None, **options: int
) -> Scenario:
    """Return a scenario of the race."""
    full = {option.key: option.default for option in OPTIONS} | options
    settings = tuple(GAME.parameters_of(GAME.policy_named(name)) for name in seats)
    return Scenario(
        path=None,
        name="race",
        text="",
        title="A race",
        question="",
        seed=5,
        games=10_000,
        rotate=True,
        seats=seats,
        settings=settings,
        catalogue={policy.name: GAME.parameters_of(policy) for policy in GAME.policies},
        table=_prepare(len(seats), full, None),
        targets=targets or {},
    )


def every_course(rounds: int, chances: tuple[float, ...]) -> list[tuple[float, np.ndarray]]:
    """Return all courses [checkpoint, player] of a race without heads and snow, with their probabilities."""
    courses = []
    for steps in product((0, 1), repeat=rounds * len(chances)):
        taken = np.array(steps).reshape(rounds, len(chances))
        p = np.where(taken, chances, 1 - np.array(chances)).prod()
        courses.append((float(p), taken.cumsum(axis=0)))
    return courses
