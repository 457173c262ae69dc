"""Who wins, how often, and with what: the odds of a scenario."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

import numpy as np
import pandas as pd

from analyzer.answer import COUNT, POINTS, SHARE, Answer, Chart, Column, Table, estimates
from analyzer.engine.chance import one_seed
from analyzer.engine.run import Play, Played, Run, empty_tally, play_games, reduce_games
from analyzer.engine.tally import WHOLE_WIN, Tally
from analyzer.scenarios import Scenario
from analyzer.stats.intervals import Estimate, Method, Powers
from analyzer.stats.moments import Moments, moments_of
from analyzer.studies.until import Until, most_games, play_until

RESTRICTED_GAMES = 10_000  # the same deals with and without each card


def odds(
    scenario: Scenario,
    *,
    seed: int | None = None,
    games: int | None = None,
    until: Until | None = None,
    threads: int | None = None,
    progress: Callable[[int], None] = lambda played: None,
) -> Answer:
    """Play a scenario's games and answer in tables."""
    seed = scenario.seed if seed is None else seed
    stop = until or Until(most_games(scenario, games))

    def stretch(first: int, count: int) -> Run[Tally]:
        return play_games(
            scenario.table,
            scenario.policies,
            seed,
            count,
            first=first,
            rotate=scenario.rotate,
            threads=threads,
            progress=progress,
        )

    def enough(tally: Tally) -> bool:
        wins = _seat_table(scenario, tally, stop.method)
        half_width = float((wins["win_high"] - wins["win_low"]).max()) / 2
        return stop.enough(half_width, _open_ends(_policy_table(scenario, tally, stop.method)))

    run = play_until(stop, 1, stretch, enough)
    tally = run.result if run.result is not None else empty_tally(scenario.table)
    restricted = None
    if scenario.game.restriction and not run.interrupted:
        restricted = restricted_play(scenario, seed, min(tally.n_games, RESTRICTED_GAMES), threads)
    return answer(scenario, seed, tally, stop.method, run.interrupted, restricted)


def restricted_play(scenario: Scenario, seed: int, games: int, threads: int | None = None) -> pd.DataFrame:
    """Return what each card is worth to the first seat: its wins less those when it never plays the card.

    The same deals are played both ways, and the difference is taken game by game.
    """
    game, key = scenario.game, scenario.game.restriction
    choices = next(p for p in game.parameters if p.key == key).choices  # the first bans nothing
    first, *others = scenario.settings
    plays = [
        Play(
            scenario.table,
            game.encode_policies([{**first, key: choice}, *others]),
            one_seed(seed),
            scenario.rotate,
        )
        for choice in choices
    ]

    def reduce(played: Sequence[Played]) -> Changes:
        wins = np.stack([one.log.win[:, 0] for one in played])
        return Changes(moments_of([win[:, None] for win in wins], 1), (wins != wins[0]).sum(axis=1))

    run = reduce_games(plays, games, reduce, threads=threads, logged=True)
    if run.result is None:
        return pd.DataFrame()
    moments, changed = run.result
    method, at_once = Method(), 2 * (len(choices) - 1)
    worth = []
    for i in range(1, len(choices)):
        (less,) = moments.estimates(method, at_once, i, paired=True, units=[WHOLE_WIN])
        worth.append(less.scaled(-1 / WHOLE_WIN).within(-1.0, 1.0))
    ended = [method.share(int(games), run.n_games, at_once) for games in changed[1:]]
    table = pd.DataFrame(
        {"card": choices[1:], "games": run.n_games} | estimates("worth", worth) | estimates("changed", ended)
    )
    return table.sort_values("worth", ascending=False, kind="stable", ignore_index=True)


class Changes(NamedTuple):
    """Sums over games with and without each card: the wins, and how many games ended otherwise."""

    moments: Moments
    changed: np.ndarray

    def __add__(self, other: Changes) -> Changes:  # type: ignore[override]
        return Changes(self.moments + other.moments, self.changed + other.changed)


def _open_ends(policies: pd.DataFrame) -> int:
    """Return how many neighbours in the order of the policies cannot be told apart yet."""
    return int((policies["win_low"].iloc[:-1].to_numpy() <= policies["win_high"].iloc[1:].to_numpy()).sum())


def answer(
    scenario: Scenario,
    seed: int,
    tally: Tally,
    method: Method,
    interrupted: bool = False,
    restricted: pd.DataFrame | None = None,
) -> Answer:
    """Turn a tally into tables."""
    seats = _seat_table(scenario, tally, method)
    places = _place_table(scenario, tally, method)
    policies = _policy_table(scenario, tally, method)
    finding = _finding(scenario, policies, places)
    note = f"{tally.n_games:,} games, seed {seed}; bars: 95% intervals that hold together"
    tables = [
        *_win_tables(scenario, seats, policies, places, finding, note),
        *_card_tables(scenario, _card_table(scenario, tally, method), note),
        *([restricted_table(scenario, seed, restricted)] if restricted is not None and len(restricted) else []),
        _course(scenario, _course_table(scenario, tally), seats, f"{tally.n_games:,} games, seed {seed}"),
        Table(
            "measures",
            "What happens in a game",
            _measure_table(scenario, tally, method),
            (Column("share", unit=SHARE), Column("share_of"), Column("per_game")),
        ),
    ]
    cut = " It was interrupted: these are the games played until then." if interrupted else ""
    return Answer(
        study="odds",
        scenario=scenario,
        title=scenario.title,
        question=scenario.question,
        finding=finding,
        tables=tuple(tables),
        method=f"{tally.n_games:,} games of {scenario.game.title} ({scenario.game.edition}), seed {seed}, "
        f"{tally.games[1]:,} with a shared win, {tally.games[2]:,} without a winner.{cut} Intervals: {method.name}; "
        "the rows of a table hold together (Bonferroni); shared wins count in parts.",
        seed=seed,
        n_games=tally.n_games,
        interrupted=interrupted,
        notes=tuple(scenario.caveats),
        facts={
            "shared_wins": int(tally.games[1]),
            "without_winner": int(tally.games[2]),
            "moves": int(tally.moves[0]),
        },
    )


_WINS = Column("win", "wins", SHARE)


def _win_tables(
    scenario: Scenario, seats: pd.DataFrame, policies: pd.DataFrame, places: pd.DataFrame, finding: str, note: str
) -> Iterator[Table]:
    """Yield the win odds by seat, policy and place; where all play alike, only places can differ."""
    alike, fair = len(policies) == 1, (1 / len(scenario.seats), "fair share")
    by_seat = seats.assign(label=[f"{row.policy} ({row.seat})" for row in seats.itertuples()])
    by_place = places.assign(label=[f"place {row.place}" for row in places.itertuples()])

    def chart(frame: pd.DataFrame, axis: str) -> Chart:
        return Chart("intervals", finding, "win", "label", axis=axis, note=note, reference=fair, frame=frame)

    yield Table(
        "seats",
        "Win odds and scores by seat of the scenario",
        seats,
        (_WINS,),
        "Seats rotate: each line plays equally often on every seat." if scenario.rotate else "Seats stay as listed.",
        None if alike else chart(by_seat, "share of games won"),
        brief=not alike,
    )
    yield Table("policies", "Win odds by policy, per seat it holds", policies, (_WINS,))
    yield Table(
        "places",
        "Win odds by place at the table",
        places,
        (_WINS,),
        f"Place 1 is {scenario.game.first_place}; the others follow round the table.",
        chart=chart(by_place, "share of games won by the player who sits there") if alike else None,
        brief=alike,
    )


def _card_tables(scenario: Scenario, all_cards: pd.DataFrame, note: str) -> Iterator[Table]:
    """Yield the win odds of the cards' owners, a table for each kind of card."""
    for kind in dict.fromkeys(all_cards["kind"]):
        cards = all_cards[all_cards["kind"] == kind].reset_index(drop=True)
        best, worst = cards.iloc[0], cards.iloc[-1]
        told = best.win_low > worst.win_high
        yield Table(
            f"cards-{kind}",
            f"Cards: {kind}",
            cards,
            (_WINS, Column("kind", detail=True), Column("games", unit=COUNT, detail=True)),
            "Win odds of the players whose card it was.",
            Chart(
                "intervals",
                f"{best.card} wins {best.win:z.1%}, {worst.card} {worst.win:z.1%}"
                if told
                else f"No card can be told from another, {worst.win:z.1%} to {best.win:z.1%}",
                "win",
                "card",
                axis="share of games won by the card's owner",
                note=note,
                reference=(1 / len(scenario.seats), "fair share"),
            ),
            brief=True,
        )


def restricted_table(scenario: Scenario, seed: int, cards: pd.DataFrame) -> Table:
    """Return what each card is worth to the first seat, from the same deals without it."""
    policy, best = scenario.seats[0], cards.iloc[0]
    most = "most" if best.worth_low > cards.worth_high.iloc[1:].max() else "something, which card most is open"
    found = f"{best.card} is worth {most} to {policy}: {100 * best.worth:+z.1f} points"
    return Table(
        "restricted",
        f"Restricted play of {policy}: the same deals without a card",
        cards,
        (Column("worth", unit=POINTS), Column("changed", unit=SHARE), Column("games", unit=COUNT, detail=True)),
        f"What {policy} (seat 1) wins with all cards less what it wins when it never plays the card, on the same "
        "deals; `changed` is the share of games that ended otherwise for it.",
        Chart(
            "intervals",
            found if best.worth_low > 0 else f"No card is surely worth playing to {policy}",
            "worth",
            "card",
            axis="points of the games won by playing the card",
            note=f"{best.games:,} games each, seed {seed}; bars: 95% intervals that hold together",
        ),
        brief=True,
    )


def _course(scenario: Scenario, course: pd.DataFrame, seats: pd.DataFrame, note: str) -> Table:
    step, score = scenario.game.checkpoint_name, scenario.game.score_name
    last = course[step].max()
    end = course[course[step] == last].sort_values("score")
    ranked = seats.sort_values("score", ascending=False)
    if len(ranked) > 1 and ranked.iloc[0].score_low <= ranked.iloc[1].score_high:
        title = f"Mean {score} {step} by {step}; who ends with most cannot be told"
    else:
        title = f"{end.iloc[-1].policy} leads after {step} {last}: {end.iloc[-1].score:z.1f} {score}"
    return Table(
        "course",
        f"{score.capitalize()} {step} by {step}",
        course,
        text="Plain means of the games played, for the eye: they have no intervals.",
        chart=Chart(
            "course", title, "score", "policy", across=step, group="seat", axis=f"mean {score} so far", note=note
        ),
    )


def _win_and_score(win: np.ndarray, score: np.ndarray, seated: np.ndarray, method: Method) -> dict[str, list[float]]:
    """Return the columns for rows of sums of powers and their numbers of games."""
    k = 2 * len(win)
    wins = [method.share(int(w[0]) / WHOLE_WIN, int(n), k) for w, n in zip(win, seated, strict=True)]
    scores = [method.mean(Powers(int(n), *map(int, x)), k) for x, n in zip(score, seated, strict=True)]
    return estimates("win", wins) | estimates("score", scores)


def _seat_table(scenario: Scenario, tally: Tally, method: Method) -> pd.DataFrame:
    columns = _win_and_score(tally.win.sum(axis=1), tally.score.sum(axis=1), tally.seated.sum(axis=1), method)
    return pd.DataFrame({"seat": range(1, len(scenario.seats) + 1), "policy": scenario.seats} | columns)


def _place_table(scenario: Scenario, tally: Tally, method: Method) -> pd.DataFrame:
    """Places round the table, whoever sits there; telling only where seats rotate."""
    columns = _win_and_score(tally.win.sum(axis=0), tally.score.sum(axis=0), tally.seated.sum(axis=0), method)
    return pd.DataFrame({"place": range(1, len(scenario.seats) + 1)} | columns)


def _policy_table(scenario: Scenario, tally: Tally, method: Method) -> pd.DataFrame:
    """Each policy's win odds per seat it holds: the interval is that of all its seats together."""
    names = list(dict.fromkeys(scenario.seats))
    by_entrant = tally.win[:, :, 0].sum(axis=1)
    wins, n_seats = [], []
    for name in names:
        mine = [i for i, seat in enumerate(scenario.seats) if seat == name]
        whole = method.share(int(by_entrant[mine].sum()) / WHOLE_WIN, tally.n_games, len(names))
        wins.append(whole.scaled(1 / len(mine)))
        n_seats.append(len(mine))
    table = pd.DataFrame({"policy": names, "seats": n_seats} | estimates("win", wins))
    return table.sort_values("win", ascending=False, kind="stable", ignore_index=True)


def _card_table(scenario: Scenario, tally: Tally, method: Method) -> pd.DataFrame:
    held = tally.held.sum(axis=(1, 2))
    shown = [c for c in range(len(held)) if held[c]]
    cards = [scenario.table.cards[c] for c in shown]
    k = 2 * max(1, len(shown))
    wins = [method.share(int(tally.held_win[c].sum()) / WHOLE_WIN, int(held[c]), k) for c in shown]
    earned = [method.mean(Powers(int(held[c]), *map(int, tally.earned[c])), k) for c in shown]
    table = pd.DataFrame(
        {
            "kind": [card.group for card in cards],
            "card": [card.name for card in cards],
            "origin": [card.origin for card in cards],
            "games": [int(held[c]) for c in shown],
        }
        | estimates("win", wins)
        | estimates(scenario.game.score_name, earned)
    )
    return table.sort_values(["kind", "win"], ascending=[True, False], kind="stable", ignore_index=True)


def _measure_table(scenario: Scenario, tally: Tally, method: Method) -> pd.DataFrame:
    """Return the means of what a game counts; a share's interval follows from those of the two means."""
    measures = scenario.game.measures
    means = [
        method.mean(Powers(tally.n_games, *map(int, row)), len(measures)).within(0.0, math.inf) for row in tally.counts
    ]
    by_key = {m.key: mean for m, mean in zip(measures, means, strict=True)}
    shares = [
        _ratio(mean, by_key[m.share_of]) if m.share_of else _NO_SHARE for m, mean in zip(measures, means, strict=True)
    ]
    return pd.DataFrame(
        {"measure": [m.key for m in measures], "meaning": [m.title for m in measures]}
        | estimates("per_game", means)
        | estimates("share", shares)
        | {"share_of": [m.share_of for m in measures]}
    )


_NO_SHARE = Estimate(math.nan, math.nan, math.nan)


def _ratio(part: Estimate, whole: Estimate) -> Estimate:
    """Return a part's share of the whole: where the intervals of both hold, so does this one."""
    if not whole.estimate:
        return _NO_SHARE
    most = part.high / whole.low if whole.low > 0 else 1.0
    return Estimate(part.estimate / whole.estimate, part.low / whole.high, most).within(0.0, 1.0)


def _course_table(scenario: Scenario, tally: Tally) -> pd.DataFrame:
    """The mean score of each entrant at each checkpoint: plain means, for the eye."""
    step = scenario.game.checkpoint_name
    rows = [
        {step: c + 1, "seat": e + 1, "policy": policy, "score": tally.course[c, e] / max(1, tally.n_games)}
        for c in range(len(tally.course))
        for e, policy in enumerate(scenario.seats)
    ]
    return pd.DataFrame(rows)


def _finding(scenario: Scenario, policies: pd.DataFrame, places: pd.DataFrame) -> str:
    """Say in a sentence what the table shows, and only what its intervals bear out."""
    fair = 1 / len(scenario.seats)
    if len(policies) == 1:
        ranked = places.sort_values("win")
        most, least = ranked.iloc[-1], ranked.iloc[0]
        if most.win_low > least.win_high:
            told = (
                f"place {most.place:z.0f} wins most, {most.win:z.1%}, place {least.place:z.0f} least, {least.win:z.1%}"
            )
        else:
            told = f"no place can be told from another, {least.win:z.1%} to {most.win:z.1%}"
        return f"All seats play {policies.policy[0]}: {told} (fair share {fair:z.1%})."
    best, second = policies.iloc[0], policies.iloc[1]
    leads = best.win_low > second.win_high
    tail = f"{best.win:z.1%} of the games per seat (fair share {fair:z.1%})"
    if leads:
        return f"{best.policy} wins most: {tail}."
    level = [str(row.policy) for row in policies.itertuples() if row.win_high >= best.win_low]
    return f"{', '.join(level[:-1])} and {level[-1]} cannot be told apart at the top; {best.policy} has {tail}."
