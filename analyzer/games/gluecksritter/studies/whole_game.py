"""The whole game: a mix for every situation, learned in self-play, and how far it can be beaten."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pandas as pd

from analyzer.answer import POINTS, SHARE, Chart, Column, Table, estimate
from analyzer.engine.game import Table as GameTable
from analyzer.engine.run import play_games
from analyzer.engine.tally import WHOLE_WIN
from analyzer.games.gluecksritter import tuning
from analyzer.games.gluecksritter.game import GAME
from analyzer.games.gluecksritter.learning import Learned, Tries, count_picks, learn, responses, with_mix
from analyzer.games.gluecksritter.mix import N_SITUATIONS, PAIR_NAMES, is_open, step_rows, write_mix
from analyzer.games.gluecksritter.rules import N_CARDS, N_PAIRS
from analyzer.games.gluecksritter.story import CARD_NAMES, pair_in_words
from analyzer.games.gluecksritter.studies.effort import Effort
from analyzer.games.gluecksritter.studies.position_picks import MIXER
from analyzer.stats.intervals import CONFIDENCE, Estimate, wilson, z_value

MIX_FILE = "mix.csv"
TRAINED = "a best response trained over the same situations"


@dataclass
class WholeGame:
    """The learned mix of a whole game and what was measured of it, by the name of the table.

    `rivals` and `response` have the strongest players first. An interruption leaves some tables out.
    """

    players: int
    learned: Learned
    mix_text: str
    measured: dict[str, pd.DataFrame] = field(default_factory=dict)
    games: int = 0
    interrupted: bool = False

    @property
    def met(self) -> int:
        return int((self.learned.visits[:, 0] > 0).sum())

    @property
    def finding(self) -> str:
        if "rivals" not in self.measured:
            steps = f"{self.learned.steps} step{'s' if self.learned.steps > 1 else ''}"
            return f"A mix for the whole game was learned in {steps}; how it does against others was not measured."
        best = self.measured["rivals"].iloc[0]
        shipped = (
            f"Against a table of the learned mix (fair share {1 / self.players:z.1%}) the shipped policies win "
            f"{best.win:z.1%} at most ({best.policy})."
        )
        if "response" not in self.measured:
            return shipped
        best = self.measured["response"].iloc[0]
        points = f"{100 * best.gain:+z.1f} points, {100 * best.gain_low:z.1f} to {100 * best.gain_high:z.1f}"
        told = (
            f"the mix can be beaten by {100 * best.gain_low:z.1f} points or more ({points})"
            if best.gain_low > 0
            else f"the mix was not beaten beyond error ({points})"
        )
        return f"{shipped} Of the responders that were found {best.responder} has most, {best.win:z.1%}: {told}. " + (
            "A stronger one may exist."
        )


def learn_game(
    table: GameTable, seed: int, effort: Effort, threads: int | None, progress: Callable[[int], None]
) -> WholeGame:
    """Learn a mix and measure it.

    An interruption leaves the mix as far as it was learned, and what was measured whole.
    """
    tries = Tries(table, threads, progress)
    parameters = GAME.parameters_of(GAME.policy_named(MIXER))
    learned = learn(table, parameters, seed, effort.learn_steps, effort.learn_games, tries)
    mix_text = write_mix({table.players: learned.mix}, learned.visits[:, 0] > 0, table)
    match = _Match(table, with_mix(table, parameters, learned.mix)[0], seed + 2000, threads, progress)
    found = WholeGame(table.players, learned, mix_text, games=tries.games)
    if learned.steps < effort.learn_steps:
        found.interrupted = True
        return found
    try:
        for name, measured in _measured(tries, match, parameters, learned.mix, seed, effort):
            found.measured[name] = measured
            found.games = tries.games + match.games
    except KeyboardInterrupt:
        found.interrupted = True
    return found


def _measured(
    tries: Tries, match: _Match, parameters: dict[str, Any], mix: np.ndarray, seed: int, effort: Effort
) -> Iterator[tuple[str, pd.DataFrame]]:
    """Yield the tables of a mix, one after another."""
    table, policies = tries.table, with_mix(tries.table, parameters, mix)
    picked, takers = tries.run(
        lambda first, count, *rest: count_picks(table.rules, policies, seed + 3000, first, count, *rest),
        effort.pair_games,
        ((N_SITUATIONS, N_PAIRS + 1), (N_CARDS, table.players + 1)),
    )
    picked = picked[:, :N_PAIRS]
    yield "situations", _situation_table(picked)
    yield "cards", _card_table(takers, table.players)
    yield "pairs", _pair_table(table, parameters, mix, picked, match, effort.pair_games)
    rivals = _rivals(match, effort)
    yield "rivals", rivals
    yield "response", _responders(tries, match, parameters, mix, str(rivals["policy"][0]), seed, effort)


def _rivals(match: _Match, effort: Effort) -> pd.DataFrame:
    """Measure what one seat of each shipped policy wins at a table of the mix."""
    others = [policy for policy in GAME.policies if policy.name != MIXER]
    z = z_value(CONFIDENCE, len(others))
    rows: list[dict[str, Any]] = []
    for policy in others:
        own = GAME.encode_policies([GAME.parameters_of(policy)])[0]
        rows.append({"policy": policy.name} | estimate("win", match.play(own, effort.match_games, z)))
    return pd.DataFrame(rows).sort_values("win", ascending=False, ignore_index=True)


def _responders(
    tries: Tries, match: _Match, parameters: dict[str, Any], mix: np.ndarray, base: str, seed: int, effort: Effort
) -> pd.DataFrame:
    """Seek responders in two ways, and measure what each wins in games that had no part in finding it."""
    table, z = match.table, z_value(CONFIDENCE, len(GAME.policies) - 1)
    trained = responses(table, parameters, mix, seed + 1000, effort.respond_steps, effort.respond_games, tries)
    # Which response is best, games tell that have no part in what is reported.
    response = max(
        (with_mix(table, parameters, candidate)[0] for candidate in trained),
        key=lambda policy: match.play(policy, effort.match_games, z, seed + 4000).estimate,
    )
    start = GAME.parameters_of(GAME.policy_named(base))
    turned = tuning.search(
        start,
        lambda tried: match.play(GAME.encode_policies([tried])[0], effort.search_games, z, seed + 5000).estimate,
        effort.search_steps,
    )
    sought = {TRAINED: response, tuning.named(base, start, turned): GAME.encode_policies([turned])[0]}
    z, fair = z_value(CONFIDENCE, len(sought)), 1 / table.players
    rows: list[dict[str, Any]] = []
    for name, policy in sought.items():
        win = match.play(policy, effort.match_games, z, match.seed + 7000)
        gain = Estimate(*(value - fair for value in win))
        rows.append({"responder": name} | estimate("win", win) | estimate("gain", gain))
    return pd.DataFrame(rows).sort_values("win", ascending=False, ignore_index=True)


class _Match:
    """One seat of some policy at a table of the mix, the seats rotating."""

    def __init__(
        self, table: GameTable, mixer: Any, seed: int, threads: int | None, progress: Callable[[int], None]
    ) -> None:
        self.table, self.mixer, self.seed, self.threads, self.progress = table, mixer, seed, threads, progress
        self.games = 0

    def play(self, policy: Any, games: int, z: float, seed: int | None = None) -> Estimate:
        """Return the share of games that the single seat wins; games of the match's seed or of another."""
        policies = np.zeros(self.table.players, GAME.policy).view(np.recarray)
        policies[:] = self.mixer
        policies[0] = policy
        run = play_games(
            self.table,
            policies,
            self.seed if seed is None else seed,
            games,
            threads=self.threads,
            progress=self.progress,
        )
        if run.interrupted:
            raise KeyboardInterrupt
        self.games += run.tally.n_games
        return wilson(int(run.tally.win[0, :, 0].sum()) / WHOLE_WIN, run.tally.n_games, z)


def _situation_table(picked: np.ndarray) -> pd.DataFrame:
    """How often each pair is picked, all situations and by each of their steps."""
    rows = []
    for name, at in [("all", np.ones(N_SITUATIONS, bool)), *step_rows()]:
        counts = picked[at].sum(axis=0)
        if counts.sum():
            share = counts / counts.sum()
            rows.append(
                {"situation": name, "share": counts.sum() / picked.sum(), **dict(zip(PAIR_NAMES, share, strict=True))}
            )
    return pd.DataFrame(rows)


def _pair_table(
    table: GameTable, parameters: dict[str, Any], mix: np.ndarray, picked: np.ndarray, match: _Match, games: int
) -> pd.DataFrame:
    """How often each pair is picked, and what it costs to pick it always (where it can be)."""
    z = z_value(CONFIDENCE, N_PAIRS)
    shares = picked.sum(axis=0) / picked.sum()
    rows = []
    can = np.array([is_open(number) for number in range(N_SITUATIONS)])
    for pair in range(N_PAIRS):
        always = mix.copy()
        always[can[:, pair], :N_PAIRS] = np.eye(N_PAIRS)[pair]
        win = match.play(with_mix(table, parameters, always)[0], games, z)
        price = Estimate(*(1 / table.players - value for value in (win.estimate, win.high, win.low)))
        rows.append(
            {"pair": PAIR_NAMES[pair], "cards": pair_in_words(pair), "picked": shares[pair]}
            | estimate("win", win)
            | estimate("price", price)
        )
    return pd.DataFrame(rows).sort_values("picked", ascending=False, ignore_index=True)


def _card_table(takers: np.ndarray, players: int) -> pd.DataFrame:
    """How often a card is among a player's two, and how often another has it then too."""
    rows = []
    z = z_value(CONFIDENCE, N_CARDS)
    n_rounds = int(takers[0].sum())
    for card in range(N_CARDS):
        numbers = np.arange(players + 1)
        had = int((takers[card] * numbers).sum())
        turned = int(takers[card, 1:].sum())
        rows.append(
            {"card": f"{card + 1} {CARD_NAMES[card]}", "picked": had / (n_rounds * players)}
            | estimate("contested", wilson(int(takers[card, 2:].sum()), turned, z))
        )
    return pd.DataFrame(rows)


# Tables for people


def game_tables(found: WholeGame, seed: int) -> list[Table]:
    """Return what was measured of a mix."""
    note = f"{found.games:,} games in all, seed {seed}"
    made = {"situations": _situations, "pairs": _pairs, "cards": _cards, "rivals": _rival_table, "response": _response}
    return [make(found, found.measured[key], note) for key, make in made.items() if key in found.measured]


def _situations(found: WholeGame, table: pd.DataFrame, note: str) -> Table:
    overall = table.iloc[0][list(PAIR_NAMES)].astype(float).sort_values(ascending=False, kind="stable")
    often = ", ".join(f"{pair} {share:z.0%}" for pair, share in overall.head(3).items())
    return Table(
        "situations",
        f"What the mix picks, {found.players} players",
        table,
        tuple(Column(key, unit=SHARE) for key in ("share", "picked", *PAIR_NAMES)),
        f"Shares of the picks by what the player sees; {found.met} situations were met. {MIX_FILE} has all of them, "
        'for use in a scenario: [policies.mine], like = "mixer", mix = "mix.csv".',
        Chart(
            "heat",
            f"The learned mix picks {often}",
            "picked",
            across="pair",
            down="situation",
            note=f"share of the picks in each row; {note}",
            frame=table.drop(columns="share").melt("situation", var_name="pair", value_name="picked"),
            more={"down": ""},
        ),
    )


def _pairs(found: WholeGame, table: pd.DataFrame, note: str) -> Table:
    return Table(
        "pairs",
        f"The price of always picking the same pair, {found.players} players",
        table,
        (Column("picked", unit=SHARE), Column("win", "wins", SHARE), Column("price", unit=POINTS)),
        "Win share lost against the fair one; who never builds cannot win.",
        brief=True,
    )


def _cards(found: WholeGame, table: pd.DataFrame, note: str) -> Table:
    return Table(
        "cards",
        "Single cards",
        table,
        (Column("picked", unit=SHARE), Column("contested", unit=SHARE)),
        "Contested: of the rounds in which somebody has the card.",
        brief=True,
    )


def _rival_table(found: WholeGame, table: pd.DataFrame, note: str) -> Table:
    fair = 1 / found.players
    return Table(
        "rivals",
        "One seat of another policy at a table of the mix",
        table,
        (Column("win", "wins", SHARE),),
        chart=Chart(
            "intervals",
            _rival_title(table, fair),
            "win",
            "policy",
            axis="share of games won by the single seat",
            note=f"{note}; bars: 95% intervals that hold together",
            reference=(fair, "fair share"),
        ),
        brief=True,
    )


def _rival_title(table: pd.DataFrame, fair: float) -> str:
    best, stronger = table.iloc[0], [str(name) for name in table.loc[table["win_low"] > fair, "policy"]]
    if not stronger:
        return f"No shipped policy is seen to beat the mix; {best.policy} has {best.win:z.1%}"
    if len(stronger) == 1:
        return f"{stronger[0]} beats the mix: {best.win:z.1%}"
    return f"{', '.join(stronger[:-1])} and {stronger[-1]} beat the mix: {best.win:z.1%} at most"


def _response(found: WholeGame, table: pd.DataFrame, note: str) -> Table:
    return Table(
        "response",
        "How far the mix can be beaten, as far as was found",
        table,
        (Column("win", "wins", SHARE), Column("gain", unit=POINTS)),
        "The responders that were sought and found: lower bounds. A stronger one may exist.",
        brief=True,
    )
