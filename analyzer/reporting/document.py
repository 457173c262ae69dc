"""An answer as one JSON document: a head that is alike for every study, then its tables."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from analyzer.answer import HIGH, LOW, SCHEMA, Answer, Table, ends_among


def document(answer: Answer) -> dict[str, Any]:
    """Return an answer as plain values; a number with an error is {"estimate", "low", "high"}."""
    come_from = {key: value for key, value in answer.provenance.items() if key in ("version", "source_hash")}
    return {
        "schema": SCHEMA,
        "study": answer.study,
        **come_from,
        "inputs_hash": answer.provenance.get("inputs_hash", ""),
        "scenario": answer.scenario.name,
        "game": answer.scenario.game.name,
        "seed": answer.seed,
        "games": answer.n_games,
        "interrupted": answer.interrupted,
        "title": answer.title,
        "question": answer.question,
        "finding": answer.finding,
        "notes": list(answer.notes),
        "verdicts": dict(answer.verdicts),
        "facts": dict(answer.facts),
        "tables": {table.key: rows(table) for table in answer.tables},
        "method": answer.method,
    }


def run_document(answer: Answer) -> dict[str, Any]:
    """Return what `run.json` holds: the document, and all it takes to get it again."""
    return document(answer) | dict(answer.provenance)


def rows(table: Table) -> list[dict[str, Any]]:
    """Return the rows of a table, an estimate and its interval as one value."""
    keys = [str(key) for key in table.frame.columns]
    ends = ends_among(keys)
    return [
        {
            key: {"estimate": row[key], "low": row[key + LOW], "high": row[key + HIGH]}
            if key + LOW in ends
            else row[key]
            for key in keys
            if key not in ends
        }
        for row in table.frame.to_dict("records")
    ]


def json_text(value: Mapping[str, Any]) -> str:
    """Write a document as strict JSON: what is not a number becomes null."""
    return json.dumps(_plain(value), indent=2, ensure_ascii=False, allow_nan=False)


def _plain(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {str(key): _plain(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [_plain(item) for item in value]
    if hasattr(value, "tolist"):
        return _plain(value.tolist())
    if isinstance(value, float) and (value != value or value in (float("inf"), float("-inf"))):
        return None
    return value
