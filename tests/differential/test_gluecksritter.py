"""The kernel of Die Glücksritter against the plain reference: the same moves lead to the same states."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Mapping
from typing import Any

import pytest

from analyzer.engine import drive
from analyzer.engine.game import Table
from analyzer.engine.tally import new_row
from analyzer.engine.trace import Walk, copy_record
from analyzer.games import GAMES
from analyzer.games.gluecksritter.cards import KIND_NAMES
from analyzer.games.gluecksritter.state import BAG_FACE, CASTLE_FACE, PHASES
from tests.differential import Disagreement
from tests.reference.gluecksritter import ONE, TWO, Reference
from tests.tables import policies_of, random_options, table_of

GAME = GAMES["gluecksritter"]
POLICIES = [policy.name for policy in GAME.policies]
N_TABLES = 64
GAMES_EACH = 2


class Seen:
    """What chance brought in one step, read off the kernel's states."""

    def __init__(self, before: Any, after: Any) -> None:
        self.before, self.after = before, after

    def ducat_card(self) -> int:
        return int(self.after.ducat_card)

    def coins(self, number: int) -> dict[int, int]:
        ones, twos = self.after.laid[number - 5]
        return {ONE: int(ones), TWO: int(twos)}

    def document(self, seat: int) -> str:
        drawn = self.after.drawn[seat] - self.before.drawn[seat]
        return KIND_NAMES[drawn.argmax()]

    def die(self, seat: int) -> int:
        return int(self.after.dice[seat])

    def special(self) -> str:
        return {BAG_FACE: "bag", CASTLE_FACE: "castle"}.get(int(self.after.face), "blank")


def kernel_view(table: Table, s: Any, seat: int, moves: list[int]) -> dict[str, Any]:
    """Return what is compared of a kernel's state."""
    n = table.players
    seats = range(n)
    view = {
        "seat": seat,
        "phase": PHASES[s.phase] if seat >= 0 else None,
        "legal": sorted(GAME.move_text(table, s, move) for move in moves),
        "round": int(s.rounds),
        "bag": s.bag.tolist(),
        "fields": s.lying.tolist(),
        "purses": s.purse[:n].tolist(),
        "parts": s.parts[:n].tolist(),
        "jailed": [bool(s.jailed >> k & 1) for k in seats],
        "hands": s.hand[:n].tolist(),
        "stack": s.stack.tolist(),
        "discard": s.discard.tolist(),
        "shares": s.share[:n].tolist(),
        "stopped": bool(s.unfinished),
        "wasted": int(s.wasted),
        "ducats_used": [card for card in range(18) if not s.ducats >> card & 1],
    }
    if seat >= 0:
        view["pardoned"] = [bool(s.pardoned >> k & 1) for k in seats]
        view["permits"] = [[bool(s.permits[part] >> k & 1) for part in range(2)] for k in seats]
        view["picked"] = [[c + 1 for c in range(6) if s.picks[k] >> c & 1] for k in seats]
    return view


def reference_view(ref: Reference) -> dict[str, Any]:
    """Return the same of the reference."""
    asked = ref.question
    view = {
        "seat": asked.seat if asked else -1,
        "phase": asked.phase if asked else None,
        "legal": sorted(asked.legal) if asked else [],
        "round": ref.round,
        "bag": [ref.bag[ONE], ref.bag[TWO]],
        "fields": [[ref.fields[number][value] for value in (ONE, TWO)] for number in (5, 6)],
        "purses": [[p.coins[ONE], p.coins[TWO]] for p in ref.players],
        "parts": [[p.walls, p.towers] for p in ref.players],
        "jailed": [p.jailed for p in ref.players],
        "hands": [[p.documents[kind] for kind in KIND_NAMES] for p in ref.players],
        "stack": [ref.stack[kind] for kind in KIND_NAMES],
        "discard": [ref.discard[kind] for kind in KIND_NAMES],
        "shares": ref.shares,
        "stopped": ref.stopped,
        "wasted": ref.counts["wasted"],
        "ducats_used": sorted(ref.ducats_used),
    }
    if asked:
        view["pardoned"] = [p.pardoned for p in ref.players]
        view["permits"] = [["wall" in p.permits, "tower" in p.permits] for p in ref.players]
        view["picked"] = [list(p.picked) for p in ref.players]
    return view


def kernel_result(table: Table, s: Any) -> dict[str, Any]:
    """Return the result row of a finished game by name: every measure, the course, the documents."""
    row = new_row(*table.sizes)
    drive.finish(table.rules, s, row)
    n_kinds = len(KIND_NAMES)
    return {
        **{measure.key: int(n) for measure, n in zip(GAME.measures, row.counts, strict=True)},
        "win": row.win.tolist(),
        "score": row.score.tolist(),
        "course": row.course.tolist(),
        "held": row.held[:n_kinds].tolist(),
        "earned": (row.earned * row.held)[:n_kinds].tolist(),
    }


def reference_result(table: Table, ref: Reference) -> dict[str, Any]:
    """Return the same of the reference, which counts for itself."""
    last = [player.parts for player in ref.players]
    held = [[int(kind in player.drawn) for player in ref.players] for kind in KIND_NAMES]
    return {
        **{measure.key: ref.counts[measure.key] for measure in GAME.measures},
        "win": ref.shares,
        "score": last,
        "course": [ref.course[c] if c < len(ref.course) else last for c in range(table.checkpoints)],
        "held": held,
        "earned": [[has * parts for has, parts in zip(row, last, strict=True)] for row in held],
    }


def unlike(ours: Mapping[str, Any], theirs: Mapping[str, Any]) -> list[str]:
    """Return the parts of two results that differ."""
    assert ours.keys() == theirs.keys()
    return [f"{key}: kernel {ours[key]}, reference {theirs[key]}" for key in ours if ours[key] != theirs[key]]


def compare_game(table: Table, policies: Any, seed: int, game: int, told: Mapping[str, Any] | None = None) -> Counter:
    """Play a game with the kernel, replay it in the reference and compare every state.

    `told` are options in which the reference is told something else. Returns how many decisions of
    each phase were compared.
    """
    walk = Walk(table, seed, game)
    ref = Reference(table.deck, table.players, {**table.options, **(told or {})}, Seen(None, walk.state))
    seen: Counter = Counter()
    played: list[str] = []
    while True:
        seat, moves = walk.look()
        ours, theirs = kernel_view(table, walk.state, seat, moves), reference_view(ref)
        if ours != theirs:
            key = next(key for key in ours if ours[key] != theirs[key])
            other = {o.key: table.options[o.key] for o in GAME.options if table.options[o.key] != o.default}
            raise Disagreement(
                f"{key}: kernel {ours[key]}, reference {theirs[key]}\n"
                f"{table.players} players, seed {seed}, game {game}, step {len(played)}\n"
                f"options that are not the default: {other}\nlast moves: {played[-8:]}\n"
                f"kernel: {ours}\nreference: {theirs}"
            )
        seen[ours["phase"]] += 1
        if seat < 0:
            wrong = unlike(kernel_result(table, walk.state), reference_result(table, ref))
            if wrong:
                raise Disagreement(f"{table.players} players, seed {seed}, game {game}: {wrong}")
            return seen
        before = copy_record(walk.state)
        text = walk.play(walk.choose(policies[seat])).text
        played.append(text)
        ref.play(text, Seen(before, walk.state))


def random_table(number: int) -> tuple[Table, Any]:
    """Return the table and the policies of one case; all player counts come up."""
    rng = random.Random(number)
    players = 3 + number % 4
    options = random_options(GAME, rng)
    options["max_rounds"] = rng.choice((1, 2, 5, 20, 40))
    if rng.random() < 0.7:
        options["documents"] = "reconstructed"
    names = [rng.choice(POLICIES) for _ in range(players)] if rng.random() < 0.6 else ["random"] * players
    return table_of(GAME, players, **options), policies_of(GAME, names)


@pytest.mark.parametrize("number", range(N_TABLES))
def test_kernel_plays_as_the_reference(number: int) -> None:
    """Every state of random games under random rules is the reference's."""
    table, policies = random_table(number)
    for game in range(GAMES_EACH):
        compare_game(table, policies, seed=number, game=game)


def test_every_kind_of_decision_is_compared() -> None:
    seen: Counter = Counter()
    table = table_of(GAME, 4, max_rounds=60)
    for game in range(24):
        seen += compare_game(table, policies_of(GAME, ["random", "monk", "raider", "random"]), seed=3, game=game)
    chosen = table_of(GAME, 4, max_rounds=60, payment="chosen")
    seen += compare_game(chosen, policies_of(GAME, ["random"] * 4), seed=3, game=0)
    assert set(seen) >= {*PHASES[:10], "limit", "pay", None}


@pytest.mark.parametrize(
    "measures", [("loots", "raids"), ("jailings", "ransoms"), ("raids_on_money", "raids_on_parts")]
)
def test_two_measures_swapped_are_noticed(measures: tuple[str, str]) -> None:
    """Negative control: every measure is compared, and some game tells each from its neighbour."""
    table = table_of(GAME, 4, max_rounds=60)
    walk = Walk(table, 3, 1)
    policies = policies_of(GAME, ["raider", "random", "raider", "random"])
    ref = Reference(table.deck, 4, table.options, Seen(None, walk.state))
    while walk.look()[0] >= 0:
        before = copy_record(walk.state)
        text = walk.play(walk.choose(policies[walk.look()[0]])).text
        ref.play(text, Seen(before, walk.state))
    ours, theirs = kernel_result(table, walk.state), reference_result(table, ref)
    assert unlike(ours, theirs) == []
    a, b = measures
    assert len(unlike(ours | {a: ours[b], b: ours[a]}, theirs)) == 2


def test_every_measure_differs_from_every_other_in_some_game() -> None:
    """So that the comparison of results finds any two counts that are swapped in `outcome`."""
    rows = []
    for number in range(24):
        table, policies = random_table(number)
        walk = Walk(table, number, 0)
        while walk.look()[0] >= 0:
            walk.play(walk.choose(policies[walk.look()[0]]))
        row = new_row(*table.sizes)
        drive.finish(table.rules, walk.state, row)
        rows.append(row.counts.tolist())
    columns = list(zip(*rows, strict=True))
    assert len(set(columns)) == len(GAME.measures)


@pytest.mark.parametrize(
    ("rule", "wrong"),
    [
        ("ransom", 5),
        ("ransom_timing", "before_ducats"),
        ("raid_part", "any"),
        ("payment", "twos_first"),
        ("payment", "chosen"),
        ("red_timing", "before_choice"),
        ("documents_return", False),
        ("price_basis", "able"),
        ("same_card_order", "fixed"),
        ("wall_shared", 7),
        ("loot", "both"),
        ("raid_target", "neighbour"),
        ("change", "none"),
        ("coin_limit", "cap_7"),
        ("castle", 3),
    ],
)
def test_a_wrong_rule_is_noticed(rule: str, wrong: Any) -> None:
    """Negative control: a reference that is told another rule disagrees."""
    table = table_of(GAME, 5, max_rounds=60)
    policies = policies_of(GAME, ["monk", "monk", "random", "random", "random"])

    def compare(told: Mapping[str, Any]) -> None:
        for game in range(12):
            compare_game(table, policies, seed=1, game=game, told=told)

    compare({})
    with pytest.raises(AssertionError):
        compare({rule: wrong})
