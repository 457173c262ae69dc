"""What to pick: the equilibrium of two hidden cards of six, in a position and over the whole game."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pandas as pd

from analyzer.engine.game import Table
from analyzer.engine.run import play_games
from analyzer.engine.tally import WHOLE_WIN
from analyzer.errors import BadInput
from analyzer.games.gluecksritter import tuning
from analyzer.games.gluecksritter.game import GAME
from analyzer.games.gluecksritter.learning import (
    FIT_GAMES,
    N_RESPONSES,
    REFIT,
    Learned,
    Tries,
    alike,
    count_picks,
    learn,
    responses,
    solve_position,
    with_mix,
)
from analyzer.games.gluecksritter.mix import (
    N_SITUATIONS,
    PAIR_NAMES,
    is_open,
    step_rows,
    write_mix,
)
from analyzer.games.gluecksritter.rules import N_CARDS, N_PAIRS, PAIRS
from analyzer.games.gluecksritter.state import PHASES, PICK
from analyzer.scenarios import Scenario, read_scenario
from analyzer.stats.intervals import CONFIDENCE, Estimate, wilson, z_value
from analyzer.studies.replay import WrittenGame, as_scenario

MIXER = "mixer"
TRAINED = "a best response trained over the same situations"
_USUAL = 4  # players of the whole game, if none is asked about
CARD_NAMES = ("Monk", "Farmer", "Craftsman", "Black Knight", "Tax collector", "Toll keeper")
# An opening with an even ducat card; what lies on the fields is open when cards are picked.
OPENING = {"phase": "pick", "field_5": [2, 2], "field_6": [2, 2]}


@dataclass(frozen=True)
class Effort:
    """How many games go into each part of the answer."""

    learn_steps: int = 120
    learn_games: int = 8_000
    respond_steps: int = 3
    respond_games: int = 40_000
    match_games: int = 100_000
    pair_games: int = 20_000
    solve_steps: int = 60
    solve_games: int = 500
    solve_last: int = 20_000
    search_steps: int = 2
    search_games: int = 4_000

    def scaled(self, percent: int) -> Effort:
        """Return this effort with all numbers of games scaled; the steps stay."""
        scale = {name: max(100, n * percent // 100) for name, n in vars(self).items() if not name.endswith("steps")}
        return Effort(**{**vars(self), **scale})

    def whole_game(self) -> int:
        """Return how many games the study of a whole game plays."""
        fits = (self.learn_steps + REFIT - 1) // REFIT + 1
        # shipped policies but the mixer, the responses, the best of them again, the searched parameters
        matches = len(GAME.policies) + N_RESPONSES + 1
        return (
            self.learn_steps * self.learn_games
            + fits * FIT_GAMES
            + self.respond_steps * self.respond_games
            + matches * self.match_games
            + (N_PAIRS + 1) * self.pair_games
            + tuning.trials(self.search_steps) * self.search_games
        )

    def position(self, rows: int) -> int:
        """Return how many games the study of a position with this many mixes plays."""
        return rows * (self.solve_steps * self.solve_games + self.solve_last)


@dataclass(frozen=True)
class PositionPicks:
    """The equilibrium of one position: `pairs` has a row for each group of seats that stand alike and pair."""

    name: str
    players: int
    pairs: pd.DataFrame
    gains: tuple[tuple[str, Estimate], ...]  # the regret left, by seats
    games: int
    caveats: tuple[str, ...] = ()

    @property
    def finding(self) -> str:
        shown = 1 if len(self.gains) > 1 else 3
        tops = []
        for seats, _ in self.gains:
            own = self.pairs[self.pairs["seats"] == seats]
            best = own.sort_values("picked", ascending=False).head(shown)
            listed = ", ".join(f"{row.pair} {row.picked:.0%}" for row in best.itertuples())
            if not own["win"].any():
                listed = "won no game, whatever was picked"
            tops.append(listed if seats == ALL else f"{called(seats)} {listed}")
        top = ", ".join(tops)
        seats, gain = max(self.gains, key=lambda item: item[1].estimate)
        who = "a single player" if seats == ALL else f"one of {called(seats)}" if " " in seats else called(seats)
        return (
            f"{self.name}: {top}; {who} can gain "
            f"{100 * gain.estimate:z.1f} points at most ({100 * gain.low:z.1f}–{100 * gain.high:z.1f})."
        )


ALL = "all"  # the group of seats, where all stand alike


def called(seats: str) -> str:
    """Return a group of seats in words: everybody, seat 2, seats 1 and 3."""
    return "everybody" if seats == ALL else f"seat{'s' if ' ' in seats else ''} {seats}"


@dataclass(frozen=True)
class GamePicks:
    """The learned mix of a whole game and what it is worth.

    `responders` are the strongest players that were found against it, the strongest first.
    """

    players: int
    mix_text: str
    situations: pd.DataFrame
    pairs: pd.DataFrame
    cards: pd.DataFrame
    rivals: pd.DataFrame
    responders: pd.DataFrame
    met: int
    games: int

    @property
    def finding(self) -> str:
        shipped, best = self.rivals.iloc[0], self.responders.iloc[0]
        return (
            f"Against a table of the learned mix (fair share {1 / self.players:.1%}) the strongest shipped policy wins "
            f"{shipped.win:.1%} ({shipped.policy}). The strongest responder that was found, {best.responder}, wins "
            f"{best.win:.1%}: {self._verdict}. A stronger one may exist."
        )

    @property
    def _verdict(self) -> str:
        best = self.responders.iloc[0]
        points = f"{100 * best.gain:+z.1f} points, {100 * best.gain_low:z.1f} to {100 * best.gain_high:z.1f}"
        if best.gain_low <= 0:
            return f"the mix was not beaten beyond error ({points})"
        return f"the mix can be beaten by {100 * best.gain_low:z.1f} points or more ({points})"


@dataclass(frozen=True)
class Question:
    """What is asked: positions to solve, and whether the whole game of the scenario's table is to be learned."""

    scenario: Scenario
    title: str
    question: str
    positions: tuple[tuple[str, Table, np.ndarray], ...]
    whole: bool


@dataclass(frozen=True)
class Picks:
    """The whole answer."""

    asked: Question
    effort: Effort
    seed: int
    positions: tuple[PositionPicks, ...]
    game: GamePicks | None

    @property
    def caveats(self) -> tuple[str, ...]:
        """What to know before one believes the answer, each thing once."""
        tables = [table for _, table, _ in self.asked.positions]
        decks = [_reconstructed(table) for table in tables]
        return tuple(dict.fromkeys([*decks, *(caveat for p in self.positions for caveat in p.caveats)]))

    @property
    def n_games(self) -> int:
        return sum(p.games for p in self.positions) + (self.game.games if self.game else 0)

    @property
    def finding(self) -> str:
        return self.game.finding if self.game else " ".join(p.finding for p in self.positions)

    @property
    def interval(self) -> str:
        return "95%, the rows of a table holding together (Bonferroni); wilson for wins, normal for differences"


def _reconstructed(table: Table) -> str:
    """Say which cards of the table no source has."""
    ducats = sum(card.origin == "reconstruction" for card in table.deck.ducats)
    documents = sum(row.copies for row in table.deck.documents if row.origin == "reconstruction")
    kinds = []
    if ducats:
        kinds.append(f"the counts of {ducats} of {len(table.deck.ducats)} ducat cards")
    if documents and table.options["documents"] != "none":
        kinds.append(f"what {documents} of {sum(row.copies for row in table.deck.documents)} documents say")
    if not kinds:
        return "The deck is not one of the program's: its cards are as its file marks them."
    return f"No source has {' and '.join(kinds)}: they are reconstructions, and other cards would make another mix."


def ask_openings() -> Question:
    """The openings of 3 to 6 players, and the whole game of four."""
    every = range(GAME.least_players, GAME.most_players + 1)
    tables = {n: read_scenario({"game": GAME.name, "seats": [MIXER] * n}) for n in every}
    return Question(
        replace(tables[_USUAL], name=f"{GAME.name}/openings"),
        "Two cards of six",
        "Which two cards should a fortune seeker pick?",
        tuple(_opening(tables[n].table) for n in every),
        whole=True,
    )


def ask_scenario(scenario: Scenario) -> Question:
    """The opening and the whole game of a scenario's table."""
    _check_game(scenario.table)
    title = f"{scenario.title}: two cards of six"
    question = "Which two cards should a fortune seeker pick at this table?"
    return Question(scenario, title, question, (_opening(scenario.table),), whole=True)


def ask_position(written: WrittenGame) -> Question:
    """A written position."""
    path, table, position = written.path, written.table, written.position
    _check_game(table)
    if position is None:
        raise BadInput(f"{path}: no [position] to study")
    s = position[0]
    if s.phase != PICK:
        raise BadInput(
            f"{path}: position.phase = {PHASES[s.phase]!r}: a position in which cards are picked is needed: 'pick'"
        )
    # Picks are hidden: whoever has picked already is asked again.
    s.picks[:] = 0
    s.turn, s.asked = s.start, 1
    question = "Which two cards should each player pick here?"
    positions = ((path.stem, table, position),)
    return Question(as_scenario(written, MIXER, 0), f"Two cards of six: {path.stem}", question, positions, whole=False)


def _check_game(table: Table) -> None:
    if table.game is not GAME:
        raise BadInput(f"`picks` is about the two hidden cards of {GAME.title}, not about {table.game.title}")


def _opening(table: Table) -> tuple[str, Table, np.ndarray]:
    position = GAME.place(table, {**OPENING, "seats": [{} for _ in range(table.players)]})
    return f"opening of {table.players}", table, position


def games_to_play(question: Question, effort: Effort) -> int:
    """Return how many games an answer takes, for a bar of progress."""
    rows = [len(alike(table, position)) for _, table, position in question.positions]
    return sum(effort.position(n) for n in rows) + (effort.whole_game() if question.whole else 0)


def picks(
    question: Question,
    *,
    seed: int | None = None,
    effort: Effort | None = None,
    threads: int | None = None,
    progress: Callable[[int], None] = lambda played: None,
) -> Picks:
    """Answer: first the whole game, then the positions, played on by the mix that was learned."""
    effort = effort or Effort()
    seed = question.scenario.seed if seed is None else seed
    game, learned = None, None
    if question.whole:
        game, learned = _whole_game(question.scenario.table, seed, effort, threads, progress)
    positions = []
    for name, table, position in question.positions:
        own = learned.mix if learned and table.players == question.scenario.table.players else None
        positions.append(_position(name, table, position, own, seed, effort, threads, progress))
    return Picks(question, effort, seed, tuple(positions), game)


def _mixer_parameters() -> dict[str, Any]:
    return GAME.parameters_of(GAME.policy_named(MIXER))


def _position(
    name: str,
    table: Table,
    position: np.ndarray,
    mix: np.ndarray | None,
    seed: int,
    effort: Effort,
    threads: int | None,
    progress: Callable[[int], None],
) -> PositionPicks:
    parameters = _mixer_parameters()
    policies = GAME.encode_policies([parameters] * 2) if mix is None else with_mix(table, parameters, mix, mix)
    tries = Tries(table, threads, progress)
    solved = solve_position(
        table, position, policies, seed, effort.solve_steps, effort.solve_games, effort.solve_last, tries
    )
    rows, gains = [], []
    n = solved.games
    for row, mixed in enumerate(solved.mixes):
        group = [str(seat + 1) for seat in solved.groups[row]]
        seats = ALL if len(group) == table.players else " and ".join([", ".join(group[:-1]), group[-1]][-len(group) :])
        choices = [pair for pair in range(N_PAIRS) if solved.is_open[row, pair]]
        z = z_value(CONFIDENCE, len(choices))
        prices = {}
        for pair in choices:
            win = wilson(int(solved.wins[row, pair]) / WHOLE_WIN, n, z)
            prices[pair] = _difference(mixed - np.eye(N_PAIRS)[pair], solved.wins[row], solved.products[row], n, z)
            rows.append(
                {"seats": seats, "pair": PAIR_NAMES[pair], "cards": _cards(pair), "picked": mixed[pair]}
                | _columns("win", win)
                | _columns("price", prices[pair])
            )
        best = min(prices.values())
        gains.append((seats, Estimate(-best.estimate, -best.high, -best.low)))
    pairs = pd.DataFrame(rows).sort_values(["seats", "picked"], ascending=[True, False], ignore_index=True)
    caveats = tuple(GAME.caveats(table, [parameters])) if mix is None else ()
    return PositionPicks(name, table.players, pairs, tuple(gains), tries.games, caveats)


def _difference(weights: np.ndarray, wins: np.ndarray, products: np.ndarray, n: int, z: float) -> Estimate:
    """Return the mean of a weighted sum of the pairs' wins, tried in the same games, with its interval.

    No narrower than Wilson's for something that n games did not show once: sums that never differed
    could have.
    """
    mean = float(weights @ wins) / n / WHOLE_WIN
    square = float(weights @ products @ weights) / n / WHOLE_WIN**2
    reach = max(z * max(0.0, square - mean * mean) ** 0.5 / max(1, n - 1) ** 0.5, z * z / (n + z * z))
    return Estimate(mean, mean - reach, mean + reach)


def _columns(name: str, estimate: Estimate) -> dict[str, float]:
    return {name: estimate.estimate, f"{name}_low": estimate.low, f"{name}_high": estimate.high}


def _cards(pair: int) -> str:
    return " and ".join(CARD_NAMES[card] for card in PAIRS[pair])


def _whole_game(
    table: Table, seed: int, effort: Effort, threads: int | None, progress: Callable[[int], None]
) -> tuple[GamePicks, Learned]:
    tries = Tries(table, threads, progress)
    parameters = _mixer_parameters()
    learned = learn(table, parameters, seed, effort.learn_steps, effort.learn_games, tries)
    trained = responses(table, parameters, learned.mix, seed + 1000, effort.respond_steps, effort.respond_games, tries)
    mixer = with_mix(table, parameters, learned.mix)[0]
    match = _Match(table, mixer, seed + 2000, threads, progress)
    others = [policy for policy in GAME.policies if policy.name != MIXER]
    z = z_value(CONFIDENCE, len(others))
    rows: list[dict[str, Any]] = []
    for policy in others:
        own = GAME.encode_policies([GAME.parameters_of(policy)])[0]
        rows.append({"policy": policy.name} | _columns("win", match.play(own, effort.match_games, z)))
    rivals = pd.DataFrame(rows).sort_values("win", ascending=False, ignore_index=True)
    # Which response is best, games tell that have no part in what is reported.
    response = max(
        (with_mix(table, parameters, mix)[0] for mix in trained),
        key=lambda policy: match.play(policy, effort.match_games, z, seed + 4000).estimate,
    )
    base = str(rivals["policy"][0])
    start = GAME.parameters_of(GAME.policy_named(base))
    found = tuning.search(
        start,
        lambda tried: match.play(GAME.encode_policies([tried])[0], effort.search_games, z, seed + 5000).estimate,
        effort.search_steps,
    )
    responders = _responders(
        match, {TRAINED: response, tuning.named(base, start, found): GAME.encode_policies([found])[0]}, effort
    )
    picked, takers = tries.run(
        lambda first, count, *rest: count_picks(
            table.rules, with_mix(table, parameters, learned.mix), seed + 3000, first, count, *rest
        ),
        effort.pair_games,
        ((N_SITUATIONS, N_PAIRS + 1), (N_CARDS, table.players + 1)),
    )
    picked = picked[:, :N_PAIRS]
    game = GamePicks(
        players=table.players,
        mix_text=write_mix({table.players: learned.mix}, learned.visits[:, 0] > 0, table),
        situations=_situation_table(picked),
        pairs=_pair_table(table, parameters, learned.mix, picked, match, effort.pair_games),
        cards=_card_table(takers, table.players),
        rivals=rivals,
        responders=responders,
        met=int((learned.visits[:, 0] > 0).sum()),
        games=tries.games + match.games,
    )
    return game, learned


def _responders(match: _Match, policies: dict[str, Any], effort: Effort) -> pd.DataFrame:
    """Measure what each responder that was found wins, in games that had no part in finding it."""
    z, fair = z_value(CONFIDENCE, len(policies)), 1 / match.table.players
    rows: list[dict[str, Any]] = []
    for name, policy in policies.items():
        win = match.play(policy, effort.match_games, z, match.seed + 7000)
        gain = Estimate(*(value - fair for value in win))
        rows.append({"responder": name} | _columns("win", win) | _columns("gain", gain))
    return pd.DataFrame(rows).sort_values("win", ascending=False, ignore_index=True)


class _Match:
    """One seat of some policy at a table of the mix, the seats rotating."""

    def __init__(
        self, table: Table, mixer: Any, seed: int, threads: int | None, progress: Callable[[int], None]
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
    table: Table, parameters: dict[str, Any], mix: np.ndarray, picked: np.ndarray, match: _Match, games: int
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
            {"pair": PAIR_NAMES[pair], "cards": _cards(pair), "picked": shares[pair]}
            | _columns("win", win)
            | _columns("price", price)
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
            | _columns("contested", wilson(int(takers[card, 2:].sum()), turned, z))
        )
    return pd.DataFrame(rows)


def as_json(result: Picks) -> dict[str, Any]:
    """Return the answer as one document."""

    def span(e: Estimate) -> dict[str, float]:
        return e._asdict()

    document: dict[str, Any] = {
        "game": GAME.name,
        "name": result.asked.scenario.name,
        "seed": result.seed,
        "games": result.n_games,
        "finding": result.finding,
        "interval": result.interval,
        "caveats": list(result.caveats),
        "positions": [
            {
                "name": p.name,
                "players": p.players,
                "regret": [{"seats": seats} | span(gain) for seats, gain in p.gains],
                "pairs": p.pairs.to_dict("records"),
            }
            for p in result.positions
        ],
    }
    if result.game:
        g = result.game
        document["whole_game"] = {
            "players": g.players,
            "situations_met": g.met,
            **{
                key: getattr(g, key).to_dict("records")
                for key in ("responders", "rivals", "pairs", "cards", "situations")
            },
        }
    return document
