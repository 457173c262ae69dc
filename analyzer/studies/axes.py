"""What a sweep varies: settings of a scenario, and the values they take."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from analyzer.errors import BadInput
from analyzer.scenarios import plain_value

MOST_AXES = 2


@dataclass(frozen=True)
class Axis:
    """One thing that varies: a key such as `rules.night_recovery`, and its values."""

    key: str
    values: tuple[Any, ...]


def read_axis(text: str) -> Axis:
    """Read `rules.night_recovery=0:6`, `rules.enrage=none,every_round` or `policies.mine.yield_at=3,5,never`."""
    key, equals, given = (part.strip() for part in text.partition("="))
    if not equals or not re.fullmatch(r"(rules|policies\.[\w-]+)\.\w+", key):
        raise BadInput(f"--vary {text!r}: allowed: rules.OPTION=VALUES or policies.NAME.PARAMETER=VALUES")
    span = re.fullmatch(r"(-?\d+):(-?\d+)(?::(\d+))?", given)
    if span:
        low, high, step = int(span[1]), int(span[2]), int(span[3] or 1)
        values: tuple[Any, ...] = tuple(range(low, high + 1, max(1, step)))
    else:
        values = tuple(_value(part) for part in re.split(r",(?![^\[]*\])", given) if part.strip())
    if not values:
        raise BadInput(f"--vary {text!r}: no values; allowed: LOW:HIGH, LOW:HIGH:STEP or a list such as 1,2,4")
    return Axis(key, values)


def _value(text: str) -> Any:
    value = plain_value(text)
    return value.strip() if isinstance(value, str) else value
