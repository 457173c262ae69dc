"""Ritter ohne Furcht und Tadel: jousts with dice, training, ladies' favours.

The questions only this game has are declared here; what they load stands in `studies/`.
"""

from __future__ import annotations

from analyzer.study import PLAYED_ON, POSITION, RULE, SEED, Ask, Study, later

_OWN_SCENARIO = Ask("scenario", "Scenario of the tournaments; four by the rulebook if not given.", default="",
                    names="scenario")  # fmt: skip
_KNIGHT = "3d123, 4d1123w2 (two wounds), or a card's name"
_TRAINING = "dice, 1 to 6, mounted, foot, with commas"

JOUST = Study(
    name="joust",
    summary="Solve a joust exactly: who wins, with what wounds, in how many rounds; a simulation beside it.",
    asks=(
        Ask("a", f"The attacker: {_KNIGHT}.", default="", argument=True, names="knight"),
        Ask("b", "The defender.", default="", argument=True, names="knight"),
        Ask("field", "Every knight of the deck against every other instead.", bool, False),
        Ask("train", f"Training of both before: {_TRAINING}.", default=""),
        Ask("train_a", "Training of the attacker alone.", default=""),
        Ask("train_b", "Training of the defender alone.", default=""),
        Ask("yield_a", "The attacker yields with this many wounds or more.", default="never"),
        Ask("yield_b", "The defender yields with this many wounds or more.", default="never"),
        RULE,
        Ask("deck", "Name of a shipped deck, or a deck file.", default=""),
        Ask("margin", "With --field: odds within ± this count as equal.", float, 0.02, low=0),
        Ask("games", "Simulated jousts beside the exact odds.", int, 1_000_000, low=1),
        Ask("seed", "Seed of the simulation.", int, 1, low=0),
    ),
    read=later("analyzer.games.ritter.studies.joust:read"),
    plan=later("analyzer.games.ritter.studies.joust:plan"),
    run=later("analyzer.games.ritter.studies.joust:answer"),
    game="ritter",
    examples=(
        "analyzer joust 3d123 5d1",
        "analyzer joust Apollonius Harald --train-a dice,1 --yield-b 7 --rule yield_before_foot=true",
        "analyzer joust --field",
    ),
)

TRAIN = Study(
    name="train",
    summary="Rank every way to train a knight, by exact odds and in whole tournaments, and race plans for the season.",
    asks=(
        Ask("knight", "A card's name or a strength like 3d123; every knight if not given.", default="", argument=True,
            names="knight"),
        _OWN_SCENARIO,
        RULE,
        Ask("field_train", "Training of the opponents in the exact odds.", default="mounted,mounted"),
        Ask("yield_at", "In the exact odds all yield with this many wounds: a number, or never.", default="7"),
        Ask("games", "Most tournaments for a candidate.", int, 100_000, low=5_000),
        SEED,
    ),
    read=later("analyzer.games.ritter.studies.train:read"),
    plan=later("analyzer.games.ritter.studies.train:plan"),
    run=later("analyzer.games.ritter.studies.train:train"),
    game="ritter",
    examples=(
        "analyzer train Apollonius",
        "analyzer train 4d12 --games 200000",
        "analyzer train --scenario ritter/no-ladies",
    ),
)  # fmt: skip

YIELD = Study(
    name="yield",
    summary="Solve when to yield on foot: the best map by both knights' wounds, and what simple rules lose.",
    asks=(
        Ask("a", f"Your knight: {_KNIGHT}.", argument=True, required=True, names="knight"),
        Ask("b", "The other knight.", argument=True, required=True, names="knight"),
        Ask("defend", "Your knight was challenged; otherwise it attacks.", bool, False),
        Ask("train_a", f"Training of your knight: {_TRAINING}.", default=""),
        Ask("train_b", "Training of the other.", default=""),
        Ask("yield_b", "The other yields with this many wounds: a number, never, or best.", default="7"),
        Ask("day", "Day of the tournament.", int, 1, low=1),
        _OWN_SCENARIO,
        Ask("prices", "Prices by hand, in premiums: one a wound, or a list for 0, 1, … and out.", default=""),
        Ask("stake", "With --prices: what the win is worth.", float, 2.0, low=0),
        RULE,
        Ask("games", "Tournaments for the prices, and for each threshold.", int, 60_000, low=1_000),
        Ask("seed", "Seed of the tournaments.", int, 1, low=0),
    ),
    read=later("analyzer.games.ritter.studies.yielding:read"),
    plan=later("analyzer.games.ritter.studies.yielding:plan"),
    run=later("analyzer.games.ritter.studies.yielding:yielding"),
    game="ritter",
    about="Prices of wounds are measured in tournaments and kept, or given by hand; then no tournament is played.",
    examples=(
        "analyzer yield 4d1123 5d1 --day 2",
        "analyzer yield Apollonius Harald --prices 0.3 --stake 2 --yield-b best",
    ),
)

LADIES = Study(
    name="ladies",
    summary="Tell who pleases whom, value every first offer of a deal, set ways of offering against each other.",
    asks=(
        Ask("scenario", "A scenario, or a written game with an offer to make; four by the rulebook if not given.",
            default="", argument=True, names="scenario"),
        Ask("game", "Number of the game whose first offer is valued.", int, 0, low=0),
        PLAYED_ON,
        Ask("games", "Most games for an offer; twice that for the contest.", int, 50_000, low=2_048),
        SEED,
    ),
    read=later("analyzer.games.ritter.studies.ladies:read"),
    plan=later("analyzer.games.ritter.studies.ladies:plan"),
    run=later("analyzer.games.ritter.studies.ladies:ladies"),
    game="ritter",
    examples=("analyzer ladies", "analyzer ladies ritter/four-players --game 3 --seed 11"),
)  # fmt: skip

CHALLENGE = Study(
    name="challenge",
    summary="Rank the challenges of a position: the exact odds of each joust, and what it is worth in the end.",
    asks=POSITION,
    read=later("analyzer.games.ritter.studies.challenge:read"),
    plan=later("analyzer.studies.advise:budget"),
    run=later("analyzer.games.ritter.studies.challenge:challenge"),
    game="ritter",
    about="Where the position is none with a challenge to make, the policies play on to the next one.",
    examples=("analyzer challenge docs/positions/last-day.toml", "analyzer challenge ritter/four-players --game 3"),
)

QUESTIONS = (JOUST, TRAIN, YIELD, LADIES, CHALLENGE)
