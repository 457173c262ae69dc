"""Steps of a tournament told in sentences."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from analyzer.engine.game import Step, Table


def tell(table: Table, steps: Sequence[Step]) -> list[str]:
    return [f"{step.text}" for step in steps]
