"""Die Glücksritter: two secret cards of six, coins, documents, and a castle to build.

The question only this game has is declared here; what it loads stands in `studies/`.
"""

from __future__ import annotations

from analyzer.study import SEED, Ask, Study, later

PICKS = Study(
    name="picks",
    summary="Find how often to pick which two of the six cards (Die Glücksritter).",
    asks=(
        Ask("target", "A scenario, or a file with a [position]; the openings if not given.", default="", argument=True,
            names="scenario"),
        Ask("effort", "Percent of the usual number of games.", int, 100, low=1, high=10_000),
        SEED,
    ),
    read=later("analyzer.games.gluecksritter.studies.picks:read"),
    plan=later("analyzer.games.gluecksritter.studies.picks:plan"),
    run=later("analyzer.games.gluecksritter.studies.picks:picks"),
    game="gluecksritter",
    about="For a position: what each pair wins, how often to pick it, and how much could still be gained. For a "
    "scenario: its opening, and a mix for the whole game learned in self-play, with a file for scenarios.",
    examples=("analyzer picks", "analyzer picks gluecksritter/five-players"),
)  # fmt: skip

QUESTIONS = (PICKS,)
