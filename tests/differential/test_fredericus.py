"""The Fredericus kernel against the plain reference: the same moves lead to the same states."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Mapping
from itertools import combinations
from typing import Any

import pytest

from analyzer.engine import drive
from analyzer.engine.game import Table
from analyzer.engine.tally import new_row
from analyzer.engine.trace import Walk
from analyzer.games import GAMES
from tests.differential import Disagreement
from tests.reference import fredericus
from tests.tables import policies_of, random_options, table_of

GAME = GAMES["fredericus"]
N_TABLES = 60
GAMES_EACH = 3
# Policies that make something happen; random ones alone hardly ever catch.
MIXES = (["random"], ["greedy", "random"], ["hooder", "gambler", "random"], ["greedy", "hooder"])


def letter(name: str) -> str:
    """Return the letter of a creature; Fredericus has a capital one."""
    return "F" if name == "fredericus" else name[0]


def kernel_view(table: Table, walk: Walk) -> dict[str, Any]:
    """Return what is compared of a kernel's state."""
    words = GAME.show(table, walk.state)
    seat, moves = walk.look()
    seats = words["seats"]
    return {
        "phase": words["phase"],
        "seat": seat,
        "legal": sorted(GAME.move_text(table, walk.state, move) for move in moves),
        "actions": int(walk.state.actions),
        "rows": words["rows"],
        "towers": [(s["peregrine"], s["kestrel"]) for s in seats],
        "hooded": [s.get("hooded") for s in seats],
        "chips": [s["chips"] for s in seats],
        "creatures": [sorted(letter(c) for c in s["creatures"]) for s in seats],
        "goals": [sorted(letter(c) for c in s["goals"]) for s in seats],
        "fredericus": [s.get("fredericus", False) for s in seats],
        "scores": [s["score"] for s in seats],
        "turns": [int(n) for n in walk.state.turns[: table.players]],
        "pile": [letter(c) for c in words["goal_pile"]],
        "flipped": sorted(letter(c) for c in words["flipped"]),
        "seals_gone": int(walk.state.seals) - int(walk.state.sealing >= 0),
        "closed": words["closed"],
        "ended_by": words.get("ended_by"),
        "winner": words["winner"] - 1 if seat < 0 else None,
    }


def reference_view(ref: Any) -> dict[str, Any]:
    """Return the same of the reference."""
    players = ref.players
    return {
        "phase": ref.phase,
        "seat": ref.seat,
        "legal": sorted(ref.legal()),
        "actions": ref.actions,
        "rows": ["".join(ref.rows[row]) for row in range(1, 9)],
        "towers": [(p.towers["peregrine"], p.towers["kestrel"]) for p in players],
        "hooded": [p.hooded for p in players],
        "chips": [["hand" if where is None else where for where in p.chips] for p in players],
        "creatures": [sorted(p.creatures) for p in players],
        "goals": [sorted(p.goals) for p in players],
        "fredericus": [p.fredericus for p in players],
        "scores": [p.score() for p in players],
        "turns": [p.turns for p in players],
        "pile": ref.pile,
        "flipped": sorted(ref.discarded),
        "seals_gone": ref.seals_gone,
        "closed": ref.closed,
        "ended_by": ref.ended_by if ref.closed else None,
        "winner": ref.winner,
    }


def compare_game(table: Table, policies: Any, seed: int, game: int, told: Mapping[str, Any] | None = None) -> Counter:
    """Play a game with the kernel, replay it in the reference and compare every state.

    Parameters
    ----------
    table, policies, seed, game : the kernel's game.
    told : options in which the reference is told something else.

    Returns
    -------
    how many moves of each kind were played.
    """
    walk = Walk(table, seed, game)
    dealt = kernel_view(table, walk)
    goals = [goal for (goal,) in dealt["goals"]]
    options = {**table.options, **(told or {})}
    start = int(walk.state.start)
    ref = fredericus.Reference(
        table.players, options, dealt["rows"], dealt["towers"], goals, list(dealt["pile"]), start
    )
    seen: Counter = Counter()
    played: list[str] = []
    while True:
        ours, theirs = kernel_view(table, walk), reference_view(ref)
        for key in ours:
            if ours[key] != theirs[key]:
                other = {o.key: table.options[o.key] for o in GAME.options if table.options[o.key] != o.default}
                raise Disagreement(
                    f"{key}: kernel {ours[key]}, reference {theirs[key]}\n"
                    f"{table.players} players, seed {seed}, game {game}, step {len(played)}\n"
                    f"options that are not the default: {other}\n"
                    f"last moves: {played[-8:]}\nkernel: {ours}\nreference: {theirs}"
                )
        if ours["seat"] < 0:
            wrong = differing(counts_of(table, walk), ref.counts())
            if wrong:
                raise Disagreement(f"measures {wrong}: seed {seed}, game {game}")
            seen[f"ended by {ours['ended_by']}"] += 1
            return seen
        text = walk.play(walk.choose(policies[ours["seat"]])).text
        played.append(text)
        seen[text.split()[0]] += 1
        ref.play(text)


def counts_of(table: Table, walk: Walk) -> dict[str, int]:
    """Return the measures of a game that is over, by their names."""
    row = new_row(*table.sizes)
    drive.finish(table.rules, walk.state, row)
    return {m.key: int(n) for m, n in zip(GAME.measures, row.counts, strict=True)}


def differing(ours: Mapping[str, int], theirs: Mapping[str, int]) -> list[str]:
    """Return the measures in which two games differ; each has all of them."""
    return [key for key in {**ours, **theirs} if ours.get(key) != theirs.get(key)]


def case(number: int) -> tuple[Table, Any]:
    """Return the table and the policies of one case; all player counts come up."""
    rng = random.Random(number)
    players = 2 + number % 3
    options = random_options(GAME, rng) if rng.random() < 0.8 else {}
    if rng.random() < 0.7:
        options["creatures_to_end"] = rng.choice((1, 3, 8, 8))
    options["max_rounds"] = rng.choice((1, 4, 25, 60))
    mix = rng.choice(MIXES)
    return table_of(GAME, players, **options), policies_of(GAME, [rng.choice(mix) for _ in range(players)])


def test_kernel_plays_as_the_reference() -> None:
    """Every state of random games under random rules is the reference's, and every kind of move comes up."""
    seen: Counter = Counter()
    for number in range(N_TABLES):
        table, policies = case(number)
        for game in range(GAMES_EACH):
            seen += compare_game(table, policies, seed=number, game=game)
    kinds = {"card", "falcon", "hood", "catch", "open", "discard", "rotate", "bet", "take", "done"}
    ends = {f"ended by {reason}" for reason in ("creatures", "drawn", "flipped", "rounds")}
    assert kinds | ends <= set(seen)
    assert min(seen[key] for key in kinds | ends) >= 5, seen


def test_planners_play_as_the_reference() -> None:
    for players in (2, 3, 4):
        table = table_of(GAME, players, short_game=players == 3)
        compare_game(table, policies_of(GAME, ["planner"] * players), seed=1, game=0)


def compare_sixty(told: Mapping[str, Any]) -> None:
    """Compare games of two and three players with a reference that is told other rules."""
    tables = table_of(GAME, 2), table_of(GAME, 3)
    for game in range(60):
        table = tables[game >= 40]
        mix = policies_of(GAME, [("greedy", "random")[game % 2]] + ["random"] * (table.players - 1))
        compare_game(table, mix, seed=1, game=game, told=told)


def test_the_right_rules_agree() -> None:
    compare_sixty({})


@pytest.mark.parametrize(
    ("rule", "wrong"),
    [
        ("actions_per_turn", 5),
        ("first_round_actions", (3, 3)),
        ("creatures_to_end", 7),
        ("flipped_fredericus", "passed_over"),
        ("seal_actions", 1),
        ("double_bet", True),
        ("short_game", True),
        ("courtyard_may_wait", False),
    ],
)
def test_a_wrong_rule_is_noticed(rule: str, wrong: Any) -> None:
    """Negative control: a reference that is told another rule disagrees."""
    with pytest.raises((Disagreement, ValueError)):
        compare_sixty({rule: wrong})


def test_a_swap_of_two_measures_is_noticed() -> None:
    """Negative control: whichever two measures change places, some game of the comparison tells them apart."""
    games = []
    for number in range(N_TABLES):
        table, policies = case(number)
        walk = Walk(table, number, 0)
        while (seat := walk.look()[0]) >= 0:
            walk.play(walk.choose(policies[seat]))
        games.append(counts_of(table, walk))
    for one, other in combinations([m.key for m in GAME.measures], 2):
        swapped = [game | {one: game[other], other: game[one]} for game in games]
        if {one, other} == {"catches", "points_creatures"}:  # a point for each creature: always equal (F17)
            assert not any(map(differing, games, swapped))
        else:
            assert any(map(differing, games, swapped)), (one, other)
