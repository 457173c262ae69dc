"""The Ritter kernel against the plain reference: the same moves lead to the same states."""

from __future__ import annotations

import dataclasses
import random
from collections import Counter
from collections.abc import Mapping
from typing import Any

import numpy as np
import pytest

from analyzer.engine import drive
from analyzer.engine.chance import DEAL
from analyzer.engine.game import Option, Table
from analyzer.engine.tally import new_row
from analyzer.engine.trace import Walk
from analyzer.games import GAMES
from analyzer.games.ritter.state import NONE, PHASES, SLOTS
from tests.differential import Disagreement
from tests.reference import ritter

GAME = GAMES["ritter"]
POLICIES = ("random", "rulebook", "bold", "calculating")
N_TABLES = 72
GAMES_EACH = 3
# Values that make a game interesting rather than long; any other option takes all that it allows.
USUAL = {
    "days": (1, 2, 3, 4, 5, 10),
    "training_chips": (0, 3, 10, 60, 120),
    "max_dice": (1, 3, 5, 8, 12, 24),
    "wound_limit": (1, 2, 3, 5, 8, 10, 15, 60),
    "max_rounds": (1, 2, 3, 5, 20, 200, 1000),
    "night_recovery": (0, 1, 2, 3, 5, 60),
    "rest_recovery": (0, 1, 3, 60),
    "min_dice": (1, 2, 3, 5, 24),
    "final_bonus": (0, 1, 4, 100),
}
# Fields that mean nothing in these phases: those of a day may still hold the day before, and nobody
# asks after a play-off who could ride again.
IDLE = {
    "able": ("over",),
    "riding": ("train",),
    "day_premiums": ("train", "ride", "offer", "favour"),
    "day_lady_premiums": ("train", "ride", "offer", "favour"),
    "favour": ("train", "ride"),
    "standing": ("train", "ride", "offer", "favour"),
}


def random_value(option: Option, rng: random.Random) -> Any:
    """Draw a legal value of an option."""
    if option.is_flag:
        return rng.random() < 0.5
    if option.most:
        high = min(option.high, 6)
        return tuple(rng.randint(option.low, high) for _ in range(rng.randint(1, min(option.most, 8))))
    if option.choices:
        return rng.choice(option.choices)
    return rng.choice(USUAL.get(option.key, range(option.low, option.high + 1)))


def random_options(rng: random.Random) -> dict[str, Any]:
    """Draw a set of options; how many of them are not the default is drawn as well."""
    freedom = rng.choice((0.0, 0.2, 0.5, 1.0))
    options = {o.key: random_value(o, rng) if rng.random() < freedom else o.default for o in GAME.options}
    if rng.random() < 0.7:
        options["ladies"] = True
    return options


def make_table(players: int, options: Mapping[str, Any], by_die: bool) -> Table:
    """Return a table on which dice are rolled one by one, or attacks drawn from tables."""
    table = GAME.prepare(players, options, None)
    rules = np.zeros(1, table.rules.dtype).view(np.recarray)
    rules[0] = table.rules
    rules[0].by_die = by_die
    return dataclasses.replace(table, rules=rules[0])


def kernel_view(table: Table, s: Any, seat: int, moves: list[int]) -> dict[str, Any]:
    """Return what is compared of a kernel's state."""
    slots = range(table.players * table.rules.each)

    def members(mask: int) -> list[int]:
        return [k for k in range(SLOTS) if int(mask) >> k & 1]

    view = {
        "phase": PHASES[s.phase],
        "seat": seat,
        "legal": sorted(GAME.move_text(table, s, move) for move in moves),
        "day": int(s.day) if seat >= 0 else None,
        "dice": [int(s.dice[k]) for k in slots],
        "cover": [[int(c) for c in s.cover[k]] for k in slots],
        "lamed": [int(s.lamed[k]) for k in slots],
        "wounds": [int(s.wounds[k]) for k in slots],
        "premiums": [int(s.premiums[k]) for k in slots],
        "lady_premiums": [int(s.lady_premiums[k]) for k in slots],
        "day_premiums": [int(s.day_premiums[k]) for k in slots],
        "day_lady_premiums": [int(s.day_lady_premiums[k]) for k in slots],
        "chips": int(s.chips),
        "riding": members(s.riding),
        "standing": members(s.standing),
        "able": members(s.able),
        "favour": [None if s.favour[k] == NONE else int(s.favour[k]) for k in slots],
    }
    if seat < 0:
        days = range(table.rules.days)
        view["shares"] = [int(share) for share in s.share[: table.players]]
        view["day_winners"] = [None if s.day_winner[d] == NONE else int(s.day_winner[d]) for d in days]
        view |= measured(table, s)
    return view


def reference_view(ref: Any) -> dict[str, Any]:
    """Return the same of the reference."""
    knights = ref.knights
    ladies = ref.ladies
    view = {
        "phase": ref.phase,
        "seat": ref.seat,
        "legal": sorted(ref.legal()),
        "day": ref.day if ref.seat >= 0 else None,
        "dice": [k.dice for k in knights],
        "cover": [[k.cover[face] for face in range(1, 7)] for k in knights],
        "lamed": [k.lamed for k in knights],
        "wounds": [k.wounds for k in knights],
        "premiums": [k.premiums for k in knights],
        "lady_premiums": [lady.premiums for lady in ladies] or [0] * len(knights),
        "day_premiums": [k.today for k in knights],
        "day_lady_premiums": [lady.today for lady in ladies] or [0] * len(knights),
        "chips": ref.chips,
        "riding": [k.slot for k in knights if k.riding],
        "standing": [k.slot for k in knights if k.standing],
        "able": [k.slot for k in knights if ref.able(k)],
        "favour": [ladies.index(k.lady) if k.lady else None for k in knights],
    }
    if ref.seat < 0:
        view["shares"] = ref.shares
        view["day_winners"] = [winner.slot if winner else None for winner in ref.day_winners]
        view |= {f"measure {key}": int(count) for key, count in ref.counts.items()}
        view |= {"score": [ref.score(seat) for seat in range(ref.players)], "course": ref.course}
        view["earned"] = {card.name: (card.seat, card.premiums) for card in (*knights, *ladies)}
    return view


def measured(table: Table, s: Any) -> dict[str, Any]:
    """Return what a finished game counts, in the names of the measures and cards."""
    row = new_row(*table.sizes)
    drive.finish(table.rules, s, row)
    view: dict[str, Any] = {
        f"measure {measure.key}": int(count) for measure, count in zip(GAME.measures, row.counts, strict=True)
    }
    view["score"] = [int(score) for score in row.score[: table.players]]
    view["course"] = row.course[: table.rules.days, : table.players].tolist()
    view["earned"] = {
        card.name.split()[0]: (seat, int(row.earned[i, seat]))
        for i, card in enumerate(table.cards)
        for seat in range(table.players)
        if row.held[i, seat]
    }
    return view


def compare_game(table: Table, policies: Any, seed: int, game: int, told: Mapping[str, Any] | None = None) -> Counter:
    """Play a game with the kernel, replay it in the reference and compare every state.

    Parameters
    ----------
    table, policies, seed, game : the kernel's game.
    told : options in which the reference is told something else.

    Returns
    -------
    how many decisions of each phase were compared.
    """
    walk = Walk(table, seed, game)
    s = walk.state
    chance = ritter.Chance(seed, game)
    if not table.rules.by_die:
        chance = dataclasses.replace(chance, alias=table.rules.wounds_alias, bits=int(table.rules.wounds_bits))
    start = int(s.start)
    if PHASES[s.phase] == "train":  # R8: drawn after the training, as the next number of the deal's stream
        start = ritter.Stream.going_on(int(walk.chance.at[DEAL])).below(table.players)
    knights, ladies = [int(card) for card in s.knights], [int(card) for card in s.ladies]
    options = {**table.options, **(told or {})}
    ref = ritter.Reference(table.deck, table.players, options, knights, ladies, start, chance)
    seen: Counter = Counter()
    played: list[str] = []
    while True:
        seat, moves = walk.look()
        ours, theirs = kernel_view(table, s, seat, moves), reference_view(ref)
        for key in ours:
            if ours["phase"] not in IDLE.get(key, ()) and ours[key] != theirs[key]:
                other = {o.key: table.options[o.key] for o in GAME.options if table.options[o.key] != o.default}
                raise Disagreement(
                    f"{key}: kernel {ours[key]}, reference {theirs[key]}\n"
                    f"{table.players} players, seed {seed}, game {game}, step {len(played)}, "
                    f"by_die {int(table.rules.by_die)}\noptions that are not the default: {other}\n"
                    f"last moves: {played[-8:]}\nkernel: {ours}\nreference: {theirs}"
                )
        seen[ours["phase"]] += 1
        if seat < 0:
            return seen
        text = walk.play(walk.choose(policies[seat])).text
        played.append(text)
        ref.play(text)


def seat_policies(names: list[str]) -> Any:
    """Return the policy records of these names."""
    return GAME.encode_policies([GAME.parameters_of(GAME.policy_named(name)) for name in names])


def random_table(number: int) -> tuple[Table, Any]:
    """Return the table and the policies of one case; all player counts and both ways of rolling come up."""
    rng = random.Random(number)
    players = 2 + number % 9
    table = make_table(players, random_options(rng), by_die=number // 9 % 2 == 1)
    names = [rng.choice(POLICIES) for _ in range(players)] if rng.random() < 0.6 else ["random"] * players
    return table, seat_policies(names)


@pytest.mark.parametrize("number", range(N_TABLES))
def test_kernel_plays_as_the_reference(number: int) -> None:
    """Every state of random games under random rules is the reference's."""
    table, policies = random_table(number)
    for game in range(GAMES_EACH):
        compare_game(table, policies, seed=number, game=game)


@pytest.mark.parametrize("wounds", ["carried", "fresh"])
@pytest.mark.parametrize("knockout", ["no_winner", "fewer_wounds", "attacker"])
@pytest.mark.parametrize("players", [2, 4, 7, 10])
def test_playoffs_agree(players: int, knockout: str, wounds: str) -> None:
    """Short tournaments with few premiums, so that many of them end in a play-off."""
    options = {o.key: o.default for o in GAME.options}
    options |= {"days": 1, "final_bonus": 0, "day_bonus": (0,), "wound_limit": 3, "playoff_wounds": wounds}
    options |= {"double_knockout": knockout, "ladies": players != 7, "wounded_attack": players == 4}
    policies = seat_policies(["random"] * players)
    for by_die in (False, True):
        table = make_table(players, options, by_die)
        for game in range(6):
            compare_game(table, policies, seed=players, game=game)


def test_every_measure_differs_from_every_other_in_some_game() -> None:
    """So that the comparison of results finds any two counts that are swapped in `outcome`."""
    rows = []
    for number in range(N_TABLES):
        table, policies = random_table(number)
        walk = Walk(table, number, 0)
        while (seat := walk.look()[0]) >= 0:
            walk.play(walk.choose(policies[seat]))
        result = measured(table, walk.state)
        rows.append([result[f"measure {measure.key}"] for measure in GAME.measures])
    assert len(set(zip(*rows, strict=True))) == len(GAME.measures)


@pytest.mark.parametrize(
    ("rule", "wrong"),
    [
        ("night_recovery", 4),
        ("enrage", "every_round"),
        ("yield_order", "defender_first"),
        ("day_bonus", (1, 2, 3, 5)),
        ("training_chips", 59),
    ],
)
def test_a_wrong_rule_is_noticed(rule: str, wrong: Any) -> None:
    """Negative control: a reference that is told another rule disagrees."""
    options = {o.key: o.default for o in GAME.options}
    table = make_table(4, options, by_die=True)
    policies = seat_policies(["random"] * 4)

    def compare(told: Mapping[str, Any]) -> None:
        for game in range(5):
            compare_game(table, policies, seed=1, game=game, told=told)

    compare({})
    with pytest.raises(Disagreement):
        compare({rule: wrong})
