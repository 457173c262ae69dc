"""The report of `analyzer picks`."""

from __future__ import annotations

from dataclasses import asdict
from functools import partial
from pathlib import Path

import pandas as pd

from analyzer.games.gluecksritter.studies.picks import GamePicks, Picks, PositionPicks, as_json, called
from analyzer.reporting.charts import heat_maps, interval_chart
from analyzer.reporting.provenance import provenance
from analyzer.reporting.report import Section, write_report

MIX_FILE = "mix.csv"


def write_picks(result: Picks, folder: Path, seconds: float) -> None:
    """Write the report, and the mix that scenarios can name, into a folder."""
    sections: list[Section] = []
    if result.game:
        sections += _game_sections(result.game, result.seed)
    for position in result.positions:
        sections.append(_position_section(position, result.seed))
    method = (
        f"{result.n_games:,} games, seed {result.seed}. In a position all pairs are tried in the same games, which "
        "the learned mix plays on, and mixes are matched to regrets. The mix of the whole game is learned in "
        "self-play: all choices are tried to the end of the round and judged by a model of who wins from where, fitted "
        "to played games. Responders are sought in two ways, and measured in fresh games: responses trained in the "
        "same way against it, the best of them in a trial match; and the strongest shipped policy, its parameters "
        "turned one after another (coordinate search). What they gain is a lower bound of how far the mix can be "
        "beaten, no more: players who search ahead may gain far more. Seats that stand alike have one mix; besides "
        "this equilibrium there may be others, in which players who stand alike play different parts. "
        f"Intervals: {result.interval}."
    )
    write_report(
        folder,
        title=result.asked.title,
        question=result.asked.question,
        finding=result.finding,
        sections=sections,
        method=method,
        run={
            **provenance(
                result.asked.scenario,
                "picks",
                result.seed,
                result.n_games,
                seconds,
                False,
                options=asdict(result.effort),
            ),
            "caveats": result.caveats,
        },
        document=as_json(result),
        files={MIX_FILE: result.game.mix_text} if result.game else {},
    )


def _game_sections(game: GamePicks, seed: int) -> list[Section]:
    note = f"{game.games:,} games in all, seed {seed}"
    heat = game.situations.set_index("situation").drop(columns="share")
    top = game.pairs.iloc[0]
    return [
        Section(
            "situations",
            f"What the mix picks, {game.players} players",
            game.situations,
            f"Shares of the picks by what the player sees; {game.met} situations were met. {MIX_FILE} has all of them, "
            'for use in a scenario: [policies.mine], like = "mixer", mix = "mix.csv".',
            partial(
                heat_maps,
                title=f"{top.pair} ({top.cards}) is picked most: {top.picked:.0%}",
                panels=[("share of the picks in each row", heat)],
                across="pair",
                down="",
                note=note,
            ),
        ),
        Section(
            "pairs",
            "The price of always picking the same pair",
            game.pairs,
            "Win share lost against the fair one; who never builds cannot win.",
        ),
        Section("cards", "Single cards", game.cards, "Contested: of the rounds in which somebody has the card."),
        Section(
            "rivals",
            "One seat of another policy at a table of the mix",
            game.rivals,
            "",
            partial(
                interval_chart,
                title=_rival_title(game),
                labels=list(game.rivals["policy"]),
                table=game.rivals,
                column="win",
                unit="share of games won by the single seat",
                note=note,
                fair=1 / game.players,
            ),
        ),
        Section(
            "response",
            "How far the mix can be beaten",
            game.responders,
            "The responders that were sought and found: lower bounds. A stronger one may exist.",
        ),
    ]


def _rival_title(game: GamePicks) -> str:
    best = game.rivals.iloc[0]
    if best.win_low > 1 / game.players:
        return f"{best.policy} beats the mix: {best.win:.1%}"
    return f"No shipped policy beats the mix; {best.policy} comes nearest with {best.win:.1%}"


def _position_section(position: PositionPicks, seed: int) -> Section:
    table = position.pairs.drop(columns="seats") if len(position.gains) == 1 else position.pairs
    heat = position.pairs.pivot_table(index="seats", columns="pair", values="picked", sort=True)
    heat.index = pd.Index([called(seats) for seats in heat.index])
    return Section(
        f"position-{position.name.replace(' ', '-')}",
        position.name.capitalize(),
        table,
        f"{position.finding} Price: win share lost against the mix by picking this pair.",
        partial(
            heat_maps,
            title=position.finding,
            panels=[("share of the picks", heat)],
            across="pair",
            down="",
            note=f"{position.games:,} games, seed {seed}",
        ),
    )
