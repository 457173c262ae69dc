"""The odds of one joust, exact and simulated; with `--field` those of every joust the deck has."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from analyzer.answer import SHARE, Answer, Chart, Column, Table, estimate, estimates
from analyzer.errors import BadInput
from analyzer.games.ritter.joust import (
    ATTACKER,
    DEFENDER,
    Ends,
    fight,
    fight_jousts,
    follow_chances,
    solve,
    threshold,
)
from analyzer.games.ritter.rider import read_points
from analyzer.games.ritter.studies.entrants import (
    RITTER,
    Entrant,
    plain_scenario,
    read_entrant,
    read_yield,
    untrained,
    yield_text,
)
from analyzer.games.ritter.studies.field import Field, field
from analyzer.scenarios import Scenario
from analyzer.stats.intervals import CONFIDENCE, Method, mean_interval, z_value
from analyzer.study import Question

WINNERS = ("attacker", "defender", "none")
_ENDINGS = ("attacker wins", "defender wins", "nobody wins")
_SEEN = 0.0005  # a chance that a picture in percent shows


@dataclass(frozen=True)
class Joust:
    """Who rides against whom, by which rules."""

    scenario: Scenario
    attacker: Entrant
    defender: Entrant

    @property
    def yields(self) -> tuple[np.ndarray, np.ndarray]:
        """The yield maps of both."""
        limit = int(self.scenario.table.rules.wound_limit)
        return (
            threshold(limit, self.attacker.yields_at, ATTACKER),
            threshold(limit, self.defender.yields_at, DEFENDER),
        )


def read(
    a: str, b: str, field: bool, train: str, train_a: str, train_b: str, yield_a: str, yield_b: str,
    rule: Sequence[str], deck: str, margin: float, games: int, seed: int,
) -> Question:  # fmt: skip
    """Read which two knights joust, or that all of the deck do."""
    if field == bool(a) or bool(a) != bool(b):
        raise BadInput("give two knights, as in `analyzer joust 3d123 5d1`, or --field")
    scenario = plain_scenario(rule, deck)
    options = {"margin": margin, "games": games, "seed": seed}
    if not field:
        attacker = read_entrant(scenario, a, f"{train},{train_a}", yield_a)
        defender = read_entrant(scenario, b, f"{train},{train_b}", yield_b)
        label, drivers = untrained(scenario, a, b), (follow_chances, fight_jousts)
        return Question(Joust(scenario, attacker, defender), scenario, options, label, drivers=drivers)
    if train_a or train_b or yield_a != yield_b:
        raise BadInput("with --field all knights train and yield alike: use --train, and --yield-a with --yield-b")
    entrants = tuple(read_entrant(scenario, knight.name, train, yield_a) for knight in scenario.table.deck.knights)
    subject = Field(scenario, entrants, read_points(train), read_yield(yield_a))
    return Question(subject, scenario, options, drivers=(follow_chances,))


def plan(subject: Joust | Field, *, games: int, margin: float = 0.0, seed: int = 0) -> int:
    """Return how many jousts are simulated; of the whole field none is."""
    return games if isinstance(subject, Joust) else 0


def answer(
    subject: Joust | Field,
    *,
    margin: float,
    games: int,
    seed: int,
    threads: int | None = None,
    progress: Callable[[int], None] = lambda fought: None,
) -> Answer:
    """Answer for two knights, or for all of the deck."""
    if isinstance(subject, Field):
        return field(subject, margin=margin)
    return joust(subject, games=games, seed=seed, threads=threads, progress=progress)


def joust(
    subject: Joust,
    *,
    games: int,
    seed: int = 1,
    threads: int | None = None,
    progress: Callable[[int], None] = lambda fought: None,
) -> Answer:
    """Solve a joust and fight it many times beside."""
    rules, attacker, defender = subject.scenario.table.rules, subject.attacker, subject.defender
    exact = solve(rules, attacker.rider, defender.rider, subject.yields)
    simulated = fight(rules, attacker.rider, defender.rider, subject.yields, seed, games, threads, progress)
    n, interrupted = int(simulated.total), simulated.total < games
    win = exact.winner
    finding = f"{attacker.title} attacking wins {win[0]:z.1%}, {defender.title} {win[1]:z.1%}; nobody {win[2]:z.1%}."
    yields = f"Yields at: attacker {yield_text(attacker.yields_at)}, defender {yield_text(defender.yields_at)}"
    cut = " It was interrupted: these are the jousts fought until then." if interrupted else ""
    options = subject.scenario.table.options
    return Answer(
        study="joust",
        scenario=subject.scenario,
        title=f"{attacker.title} attacks {defender.title}",
        question="Who wins the joust, and with what wounds?",
        finding=finding,
        tables=(
            _odds_table(exact, simulated),
            _rounds_table(exact, simulated),
            _wound_table(exact, finding, f"Exact chances. {yields}"),
        ),
        method=f"Exact: the chain of rounds solved in float64. Beside it {n:,} simulated jousts, seed {seed}.{cut} "
        f"Intervals of the simulation: exact {CONFIDENCE:.0%} for shares (Clopper and Pearson), which hold together "
        f"(Bonferroni), and normal for the rounds. {yields}.",
        seed=seed,
        n_games=n,
        interrupted=interrupted,
        facts={
            "attacker": {"knight": attacker.title, "yields_at": yield_text(attacker.yields_at)},
            "defender": {"knight": defender.title, "yields_at": yield_text(defender.yields_at)},
            "rules": {o.key: options[o.key] for o in RITTER.options if options[o.key] != o.default},
        },
    )


def z_score(share: float, p: float, n: float) -> float:
    """Return by how many standard errors a simulated share differs from the exact chance."""
    error = math.sqrt(max(0.0, p * (1 - p)) / n)
    return (share - p) / error if error > 1e-12 else 0.0 if abs(share - p) < 1e-9 else math.inf


def _odds_table(exact: Ends, simulated: Ends) -> Table:
    n = int(simulated.total)
    rows = [
        *zip(_ENDINGS, exact.winner, simulated.winner, strict=True),
        ("decided on horseback", exact.mounted, simulated.mounted),
        ("attacker out of the tournament", exact.out[0], simulated.out[0]),
        ("defender out of the tournament", exact.out[1], simulated.out[1]),
        ("stopped at max_rounds", exact.stalled, simulated.stalled),
    ]
    shares = [Method().share(int(count), n, len(rows)) for _, _, count in rows]
    frame = pd.DataFrame(
        {"outcome": [name for name, _, _ in rows], "exact": [float(p) for _, p, _ in rows]}
        | estimates("simulated", shares)
        | {"z": [z_score(count / n, p, n) for _, p, count in rows]}
    )
    return Table(
        "odds",
        "How it ends",
        frame,
        (Column("exact", unit=SHARE), Column("simulated", unit=SHARE)),
        "z: by how many standard errors the simulation differs.",
        brief=True,
    )


def _rounds_table(exact: Ends, simulated: Ends) -> Table:
    n = int(simulated.total)
    mean = mean_interval(int(simulated.rounds), int(simulated.rounds_squared), n, z_value(CONFIDENCE))
    error = math.sqrt(max(0.0, exact.rounds_squared - exact.rounds**2) / n)
    z = (mean.estimate - exact.rounds) / error if error > 1e-12 else 0.0
    frame = pd.DataFrame([{"measure": "rounds of dice", "exact": exact.rounds, **estimate("simulated", mean), "z": z}])
    return Table("rounds", "How long it takes", frame, brief=True)


def _wound_table(exact: Ends, finding: str, note: str) -> Table:
    places = np.argwhere(exact.by_wounds > 0)
    frame = pd.DataFrame(
        {
            "winner": [WINNERS[w] for w, _, _ in places],
            "attacker": places[:, 1],
            "defender": places[:, 2],
            "p": exact.by_wounds[tuple(places.T)],
        }
    )
    return Table(
        "wounds",
        "Winner and final wounds",
        frame,
        (Column("attacker", "attacker's wounds"), Column("defender", "defender's wounds"),
         Column("p", "exact chance", SHARE)),
        chart=Chart(
            "heat",
            finding,
            "p",
            down="attacker",
            across="defender",
            group="ending",
            note=note,
            frame=pd.concat(
                [_wound_grid(exact, winner) for winner, p in enumerate(exact.winner) if p >= _SEEN], ignore_index=True
            ),
            more={"down": "attacker's wounds", "across": "defender's wounds"},
        ),
    )  # fmt: skip


def _wound_grid(exact: Ends, winner: int) -> pd.DataFrame:
    """Return the chances by wounds of attacker and defender, those who are out taken together."""
    limit = exact.limit
    grid = np.zeros((limit + 1, limit + 1))
    for (a, d), p in np.ndenumerate(exact.by_wounds[winner]):
        grid[min(a, limit), min(d, limit)] += p
    labels = [*map(str, range(limit)), "out"]
    ending = f"{_ENDINGS[winner]}: {exact.winner[winner]:z.1%}"
    return pd.DataFrame(
        [{"ending": ending, "attacker": labels[a], "defender": labels[d], "p": p} for (a, d), p in np.ndenumerate(grid)]
    )
