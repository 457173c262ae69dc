"""A responder found by turning one parameter of a policy after another: a coordinate search."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from analyzer.engine.game import Option, search_parameters
from analyzer.games.gluecksritter.policies import PARAMETERS, POLICIES

# how it plays, and not how well it weighs
_LEFT_ALONE = ("whim", "by_table", "mix", *(option.key for option in search_parameters(POLICIES)))


def grid(option: Option) -> tuple[Any, ...]:
    """Return the values of a parameter that are tried: from nothing to four times the usual, or up to its limit."""
    usual = option.default
    steps = (0, usual // 2, usual, 2 * usual, 4 * usual) if usual else (0, option.high // 12, option.high // 4)
    within = dict.fromkeys(min(option.high, max(option.low, step)) for step in steps)
    return (*within, *option.words)


TURNED = tuple((option.key, grid(option)) for option in PARAMETERS if option.key not in _LEFT_ALONE)
_TRIALS = sum(len(values) for _, values in TURNED)


def trials(times_round: int) -> int:
    """Return how often `search` asks for what parameters are worth."""
    return 1 + times_round * _TRIALS


def search(start: Mapping[str, Any], worth: Callable[[Mapping[str, Any]], float], times_round: int) -> dict[str, Any]:
    """Return the parameters found from `start` on, each in turn at the value that is worth most with the others.

    What is worth more in noisy trials has had luck, too: the result has to be measured afresh.
    """
    best, most = dict(start), worth(start)
    for _ in range(times_round):
        for key, values in TURNED:
            for value in values:
                tried = {**best, key: value}
                won = worth(tried)
                if won > most:
                    best, most = tried, won
    return best


def named(base: str, start: Mapping[str, Any], found: Mapping[str, Any]) -> str:
    """Return a responder in words: the policy it began as, and what was turned."""
    changes = [f"{key} = {value}" for key, value in found.items() if value != start[key]]
    return f"{base} with {', '.join(changes)}" if changes else base
