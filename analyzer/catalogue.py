"""Every question that can be asked: the house's own, and those that the games bring.

Light on purpose: `analyzer --help` reads it all. The functions behind a declaration load when they are called.
"""

from __future__ import annotations

from analyzer.games import NAMES, questions_of
from analyzer.study import CODE, GAMES, POSITION, RULE, SCENARIO, SEAT, SEED, UNTIL, Ask, Study, later

_OF_SCENARIO = (SCENARIO, RULE, SEAT, CODE)

ODDS = Study(
    name="odds",
    summary="Play a scenario many times and report win odds and scores with intervals.",
    asks=(*_OF_SCENARIO, GAMES, UNTIL, SEED),
    read=later("analyzer.studies.read:of_scenario"),
    plan=later("analyzer.studies.until:most_games"),
    run=later("analyzer.studies.odds:odds"),
    examples=(
        "analyzer odds ritter/four-players",
        "analyzer odds ritter/ten-players --games 1000000 --json",
        "analyzer odds ritter/duel-of-two --until 0.5%",
    ),
)

BALANCE = Study(
    name="balance",
    summary="Judge a game: seats, policies, cards, length, course, luck and skill, against targets.",
    asks=(*_OF_SCENARIO, GAMES, UNTIL, SEED),
    read=later("analyzer.studies.read:of_scenario"),
    plan=later("analyzer.studies.until:most_games"),
    run=later("analyzer.studies.balance:balance"),
    examples=("analyzer balance ritter/four-players", "analyzer balance ritter/four-players --until decided"),
)

COMPARE = Study(
    name="compare",
    summary="Play two scenarios on the same deals and dice and tell what differs.",
    asks=(
        SCENARIO,
        Ask("second", "Another of the same game and table size.", argument=True, required=True, names="scenario"),
        GAMES,
        UNTIL,
        SEED,
    ),
    read=later("analyzer.studies.read:of_two_scenarios"),
    plan=later("analyzer.studies.until:most_games"),
    run=later("analyzer.studies.compare:compare"),
    examples=(
        "analyzer compare ritter/four-players ritter/no-ladies",
        "analyzer compare ritter/four-players mine.toml --until 0.2%",
    ),
)

SWEEP = Study(
    name="sweep",
    summary="Vary rules or policies over a grid, all points on the same deals and dice.",
    asks=(
        *_OF_SCENARIO,
        Ask(
            "vary",
            "What to vary: rules.KEY=LOW:HIGH, =a,b,c, or policies.NAME.KEY=…; once or twice.",
            many=True,
            names="rule",
        ),
        Ask("all", "Move every option one step each way instead: a tornado chart.", bool, False),
        GAMES,
        UNTIL,
        SEED,
    ),
    read=later("analyzer.studies.read:of_sweep"),
    plan=later("analyzer.studies.sweep:budget"),
    run=later("analyzer.studies.sweep:sweep"),
    examples=(
        "analyzer sweep ritter/four-players --vary rules.night_recovery=0:6",
        "analyzer sweep ritter/four-players --vary rules.days=2:6 --vary rules.wound_limit=8:12",
        "analyzer sweep ritter/four-players --all",
    ),
)

RANK = Study(
    name="rank",
    summary="Let the policies of a game play each other at the scenario's table, and rank them.",
    asks=(
        *_OF_SCENARIO,
        Ask("policies", "Policies to rank, such as bold,wall,random; all if not given.", default="", names="policy"),
        Ask("games", "How many games in all; the scenario's number for each policy if not given.", int, low=1),
        SEED,
    ),
    read=later("analyzer.studies.read:of_rank"),
    plan=later("analyzer.studies.rank:budget"),
    run=later("analyzer.studies.rank:rank"),
    about="All policies, the scenario's own included, meet in pairs, seats rotated. Half of the games go to all pairs "
    "alike, the others to pairs that are still undecided; when all are decided it stops. Answers who beats whom, "
    "ratings, dominated policies, cycles, alpha-rank and the equilibrium mix, with intervals.",
    examples=(
        "analyzer rank ritter/four-players",
        "analyzer rank ritter/duel-of-two --policies bold,wall,calculating --json",
    ),
)

CHECK = Study(
    name="check",
    summary="Hold a scenario to its targets: exit 0 all hold, 1 one is violated, 3 undecided within the budget.",
    asks=(
        *_OF_SCENARIO,
        Ask("baseline", "run.json of an earlier balance or check: test against its numbers instead.", default=""),
        Ask("all", "Decide every target; otherwise it stops at the first that is violated.", bool, False),
        Ask("games", "The most games to play before giving up.", int, low=1),
        SEED,
    ),
    read=later("analyzer.studies.check:read_question"),
    plan=later("analyzer.studies.check:budget"),
    run=later("analyzer.studies.check:check"),
    about="Against a baseline the same games are played again where its seed and scenario allow it: a game that has "
    "not changed then moves by exactly nothing, and a changed rule is seen on the same deals and dice.",
    examples=(
        "analyzer check ritter/even-table",
        "analyzer check ritter/four-players --baseline reports/ritter/four-players/balance/run.json",
    ),
)

ADVISE = Study(
    name="advise",
    summary="Play every legal move of a position on, with the same luck for all, and rank them.",
    asks=POSITION,
    read=later("analyzer.studies.advise:read"),
    plan=later("analyzer.studies.advise:budget"),
    run=later("analyzer.studies.advise:advise"),
    examples=(
        "analyzer advise ritter/four-players --game 3 --after 16",
        "analyzer advise docs/positions/last-day.toml --policy calculating",
    ),
)

OWN = (ODDS, BALANCE, RANK, COMPARE, SWEEP, CHECK, ADVISE)

STUDIES: dict[str, Study] = {study.name: study for study in (*OWN, *(s for name in NAMES for s in questions_of(name)))}
