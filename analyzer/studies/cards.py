"""What the cards of a game do for those who hold them."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np
import pandas as pd

from analyzer.answer import POINTS, Chart, Column, Table, estimate
from analyzer.engine.game import Card
from analyzer.engine.tally import WHOLE_WIN, Tally
from analyzer.scenarios import Scenario
from analyzer.stats.intervals import Estimate, Method


def card_effects(scenario: Scenario, tally: Tally, method: Method, at_once: int) -> list[tuple[Card, Estimate]]:
    """Return what the holders of each card win beyond the usual.

    The wins of those who held the card, less what the same entrants on the same seats win on average: no
    strong policy and no good seat speaks for a card. Its effect this is only if chance dealt the card.
    """
    usual = tally.win[:, :, 0] / np.maximum(1, tally.seated) / WHOLE_WIN
    effects = []
    for card, held, won in zip(scenario.table.cards, tally.held, tally.held_win, strict=True):
        n, others = int(held.sum()), int(tally.seated[held > 0].sum() - held.sum())
        if n and others:
            expected = float((held * usual).sum())
            effects.append((card, _beyond(int(won.sum()) / WHOLE_WIN, n, expected, others, method, at_once)))
    return effects


def _beyond(won: float, n: int, expected: float, others: int, method: Method, at_once: int) -> Estimate:
    """Return the share of wins of `n` holders beyond what they were to expect from all games, their own among them.

    It is the distance from those who played as they did without the card, as far as these are among all. The
    errors of the two shares add in squares, each on its side (Newcombe), and that of how many have the card.
    """
    apart = others / (n + others)
    without = min(others, max(0.0, expected * (n + others) / n - won))
    a, b = method.share(won, n, at_once), method.share(without, others, at_once)
    effect = (won - expected) / n
    dealt = abs(a.estimate - b.estimate) * method.share(n, n + others, at_once).half_width
    low = math.hypot(apart * (a.estimate - a.low), apart * (b.high - b.estimate), dealt)
    high = math.hypot(apart * (a.high - a.estimate), apart * (b.estimate - b.low), dealt)
    return Estimate(effect, effect - low, effect + high)


def card_tables(scenario: Scenario, tally: Tally, method: Method, note: str) -> Iterator[Table]:
    """Yield what the holders of cards win beyond the usual, a table for each kind of card."""
    every = _effect_frame(scenario, tally, method)
    for kind in dict.fromkeys(every["kind"]):
        cards = every[every["kind"] == kind].reset_index(drop=True)
        by_chance = bool(cards["by_chance"].all())
        yield Table(
            f"cards-{kind}",
            f"Cards: {kind}",
            cards,
            (Column("effect", unit=POINTS), Column("kind", data=True), Column("by_chance", data=by_chance)),
            "What a card adds to its holder's chance to win, seats and policies taken out."
            if by_chance
            else "What its holders win beyond the same players on the same seats. Where they came to it by play, not "
            "by chance (`by chance`), what led to it speaks in the number too: it is no effect of the card, and no "
            "target is held against it.",
            Chart(
                "intervals",
                _title(cards, by_chance),
                "effect",
                "card",
                axis="wins beyond those of the same players on the same seats, in points",
                note=note,
                reference=(0.0, "as usual"),
            ),
        )


def _effect_frame(scenario: Scenario, tally: Tally, method: Method) -> pd.DataFrame:
    """What the holders of each card win beyond the usual; `by_chance` tells whether that is the card's effect."""
    n = sum(bool(held.sum()) for held in tally.held)
    rows = [
        {"kind": card.group, "card": card.name, "by_chance": card.by_chance} | estimate("effect", found)
        for card, found in card_effects(scenario, tally, method, max(1, n))
    ]
    table = pd.DataFrame(rows, columns=["kind", "card", "by_chance", "effect", "effect_low", "effect_high"])
    return table.sort_values(["kind", "effect"], ascending=[True, False], kind="stable", ignore_index=True)


def _title(cards: pd.DataFrame, by_chance: bool) -> str:
    """Name the cards at either end, if what they do can be told from nothing."""
    best, worst = cards.iloc[0], cards.iloc[-1]
    ends = [end for end, told in ((best, best.effect_low > 0), (worst, worst.effect_high < 0)) if told]
    sizes = [f"{end.card} {100 * end.effect:+z.1f}" for end in ends]
    if not sizes:
        return "No card can be told to matter" if by_chance else "Nobody who has a card is sure to win beyond the usual"
    if by_chance:
        return f"Points that a card adds to its holder's odds: {', '.join(sizes)}"
    return f"Points won beyond the usual by those who have it, which need not come from it: {', '.join(sizes)}"
