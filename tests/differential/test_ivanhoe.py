"""The Ivanhoe kernel against the plain reference: the same moves lead to the same states."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Mapping
from itertools import combinations
from typing import Any

import pytest

from analyzer.engine import drive
from analyzer.engine.game import Table
from analyzer.engine.tally import WHOLE_WIN, new_row
from analyzer.engine.trace import Walk
from analyzer.games import GAMES
from analyzer.games.ivanhoe.cards import KINDS, N_KINDS
from tests.differential import Disagreement
from tests.reference import ivanhoe
from tests.tables import policies_of, random_options, table_of

GAME = GAMES["ivanhoe"]
ORDER = [kind.name for kind in KINDS]
N_TABLES = 56
GAMES_EACH = 2


class Told:
    """What chance decided in the kernel's last move, read off its states."""

    def __init__(self) -> None:
        self.before: dict[str, Any] = {}
        self.after: dict[str, Any] = {}

    def drawn(self) -> str:
        """The card that the player whose turn has begun has more than before."""
        seat = self.after["turn"] - 1
        now, then = (Counter(state["seats"][seat]["hand"]) for state in (self.after, self.before))
        cards = list((now - then).elements())
        if len(cards) != 1:
            raise Disagreement(f"nothing was drawn: {self.before}")
        return cards[0]

    def stolen(self) -> str:
        """The card that the active player has more than before."""
        now, then = (Counter(state["seats"][self.before["turn"] - 1]["hand"]) for state in (self.after, self.before))
        if self.before["phase"] == "play":
            then["knock down"] -= 1
        cards = list((now - then).elements())
        if len(cards) != 1:
            raise Disagreement(f"nothing was knocked down: {self.before}")
        return cards[0]


def kernel_view(table: Table, walk: Walk) -> dict[str, Any]:
    """Return what is compared of a kernel's state."""
    seat, moves = walk.look()
    shown = GAME.show(table, walk.state)
    over = shown["phase"] == "over"
    return {
        "phase": shown["phase"],
        "seat": seat,
        "legal": sorted(GAME.move_text(table, walk.state, move) for move in moves),
        "colour": None if over or shown["colour"] == "none" else shown["colour"],
        "active": None if over else shown["turn"],
        "stack": stack_of(walk.state),
        "discards": sorted(shown["discards"]),
        "hands": [sorted(row["hand"]) for row in shown["seats"]],
        "displays": [row["display"] for row in shown["seats"]],
        "totals": [row["total"] for row in shown["seats"]],
        "tokens": [row["tokens"] for row in shown["seats"]],
        "front": [[name for name in ("outwit", "shield", "stunned") if row.get(name)] for row in shown["seats"]],
        "in": None if over else [row["in"] for row in shown["seats"]],
        "after_purple": None if over else shown["after_purple"],
        "counts": [shown["turns"], shown["tournaments"], shown["played"], shown["added"]],
        "winner": shown.get("winner"),
        "knows": [{hand["seat"]: hand["cards"] for hand in row.get("knows", [])} for row in shown["seats"]],
    }


def stack_of(s: Any) -> list[str]:
    """Return the cards of the kernel's stack."""
    return sorted(KINDS[k].name for k in range(N_KINDS) for _ in range(s.stack[k]))


def reference_view(ref: Any) -> dict[str, Any]:
    """Return the same of the reference."""
    question, players = ref.question, ref.players
    over = question is None
    return {
        "phase": "over" if over else question.phase,
        "seat": -1 if over else question.seat,
        "legal": [] if over else sorted(question.legal),
        "colour": None if over else ref.colour,
        "active": None if over else ref.active.seat + 1,
        "stack": sorted(ref.stack),
        "discards": sorted(ref.discards),
        "hands": [sorted(p.hand) for p in players],
        "displays": [p.display for p in players],
        "totals": [ref.total(p) for p in players],
        "tokens": [[c for c in ivanhoe.COLOURS if c in p.tokens] for p in players],
        "front": [sorted(p.front) for p in players],
        "in": None if over else [p.is_in for p in players],
        "after_purple": None if over else ref.after_purple,
        "counts": [ref.turns, ref.tournaments, ref.played, ref.added],
        "winner": (ref.winner + 1 if ref.winner is not None else "none") if over else None,
        "knows": [
            {seat + 1: sorted(known.elements(), key=ORDER.index) for seat, known in sorted(p.knows.items()) if +known}
            for p in players
        ],
    }


def kernel_result(table: Table, walk: Walk) -> dict[str, Any]:
    """Return what the kernel says of a finished game: every measure, the course, the fortune of every card."""
    row = new_row(*table.sizes)
    drive.finish(table.rules, walk.state, row)
    fortunes: dict[str, list[tuple[str, int]]] = {}
    for card, held, earned in zip(table.cards, row.held, row.earned, strict=True):
        for seat in range(table.players):
            if held[seat]:
                fortunes.setdefault(f"{card.group} {seat}", []).append((card.name, int(earned[seat])))
    return {
        **{m.key: int(count) for m, count in zip(GAME.measures, row.counts, strict=True)},
        "win": [int(win) for win in row.win],
        "score": [int(score) for score in row.score],
        "course": row.course.tolist(),
        **fortunes,
    }


def reference_result(table: Table, ref: Any) -> dict[str, Any]:
    """Return the same of the reference."""
    counts = ref.measures + Counter(tournaments=ref.tournaments, turns=ref.turns)
    end = [len(p.tokens) for p in ref.players]
    fortunes = {}
    for p in ref.players:
        actions = {card for card in p.used if not ivanhoe.is_numbered(card)}
        for group, cards in (
            ("dealt", p.dealt),
            ("drawn", p.drawn),
            ("held", {card for card in p.hand if not ivanhoe.is_numbered(card)}),
            ("played", actions),
        ):
            if cards:
                fortunes[f"{group} {p.seat}"] = [(card, p.earned[card]) for card in sorted(cards, key=ORDER.index)]
    return {
        **{m.key: counts[m.key] for m in GAME.measures},
        "win": [WHOLE_WIN * (p.seat == ref.winner) for p in ref.players],
        "score": end,
        "course": (ref.course + [end] * table.checkpoints)[: table.checkpoints],
        **fortunes,
    }


def compare_game(table: Table, policies: Any, seed: int, game: int, told: Mapping[str, Any] | None = None) -> Counter:
    """Play a game with the kernel, replay it in the reference and compare every state.

    Returns how many decisions of each phase were compared, and how often each action card was played.
    """
    walk = Walk(table, seed, game)
    chance = Told()
    first = GAME.show(table, walk.state)
    # Before the first draw the starter's ninth card lay on the stack.
    starter = first["turn"] - 1
    hands = [list(row["hand"]) for row in first["seats"]]
    hands[starter].remove(KINDS[int(walk.state.drawn[starter]).bit_length() - 1].name)
    chance.before, chance.after = {"seats": [{"hand": hand} for hand in hands]}, first
    stack = [*stack_of(walk.state), chance.drawn()]
    options = {**table.options, **(told or {})}
    ref = ivanhoe.Reference(options, hands, stack, starter, chance.drawn, chance.stolen)
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
                    f"options that are not the default: {other}\nlast moves: {played[-8:]}\n"
                    f"kernel: {ours}\nreference: {theirs}"
                )
        seen[ours["phase"]] += 1
        if ours["phase"] == "over":
            compare_results(kernel_result(table, walk), reference_result(table, ref))
            return seen
        chance.before = GAME.show(table, walk.state)
        step = walk.play(walk.choose(policies[ours["seat"]]))
        chance.after = GAME.show(table, walk.state)
        played.append(step.text)
        seen[KINDS[step.move & 63].name if step.move & 63 < len(KINDS) else step.text.split()[0]] += 1
        ref.play(step.text)


def compare_results(ours: Mapping[str, Any], theirs: Mapping[str, Any]) -> None:
    """Compare what is said of a finished game."""
    if ours != theirs:
        raise Disagreement(
            {key: (ours.get(key), theirs.get(key)) for key in {*ours, *theirs} if ours.get(key) != theirs.get(key)}
        )


def random_table(number: int) -> tuple[Table, Any]:
    """Return the table and the policies of one case; all player counts come up."""
    rng = random.Random(number)
    players = 2 + number % 4
    options = random_options(GAME, rng) if rng.random() < 0.8 else {}
    if rng.random() < 0.3:
        options["max_turns"] = rng.choice((3, 20, 60))
    names = ["random"] * players
    if rng.random() < 0.5:
        names = [rng.choice(GAME.policies).name for _ in range(players)]
    return table_of(GAME, players, **options), policies_of(GAME, names)


def test_kernel_plays_as_the_reference() -> None:
    """Every state of random games under random rules is the reference's; every card and phase comes up."""
    seen: Counter = Counter()
    for number in range(N_TABLES):
        table, policies = random_table(number)
        for game in range(GAMES_EACH):
            seen += compare_game(table, policies, seed=number, game=game)
    played = {kind.name for kind in KINDS} - {"ivanhoe"}
    phases = {"start", "play", "answer", "keep", "give", "take", "over"}
    assert {*played, *phases, "cancel", "let", "pass", "end", "withdraw"} <= {name for name in seen if seen[name]}


@pytest.mark.parametrize(
    ("rule", "wrong"),
    [
        ("tie_stays", True),
        ("last_card_guard", False),
        ("maiden_limit", 2),
        ("tokens_to_win", 3),
        ("outwit_vs_shield", "display_too"),
        ("knock_down_vs_shield", "blocked"),
        ("ivanhoe_scope", "protect_self"),
        ("maiden_penalty", 0),
        ("shield_stops", "all_but_outwit"),
        ("start_on_action", True),
    ],
)
def test_a_wrong_rule_is_noticed(rule: str, wrong: Any) -> None:
    """Negative control: a reference that is told another rule disagrees."""
    table = table_of(GAME, 4)
    policies = policies_of(GAME, ["random", "fighter", "random", "tactician"])

    def compare(told: Mapping[str, Any]) -> None:
        for game in range(300):
            compare_game(table, policies, seed=1, game=game, told=told)

    with pytest.raises(Disagreement):
        compare({rule: wrong})


def test_two_measures_that_are_swapped_are_noticed() -> None:
    """Negative control: whichever two counts `outcome` swapped, the games compared would disagree."""
    table = table_of(GAME, 4)
    policies = policies_of(GAME, ["random", "fighter", "tactician", "tactician"])
    results = []
    for game in range(30):
        walk = Walk(table, 5, game)
        while (seat := walk.look()[0]) >= 0:
            walk.play(walk.choose(policies[seat]))
        results.append(kernel_result(table, walk))
    stopped = [dict(result, stopped=1) for result in results]  # too rare here to come up of itself
    keys = [measure.key for measure in GAME.measures]
    for a, b in combinations(keys, 2):
        games = stopped if "stopped" in (a, b) else results
        swapped = [dict(result, **{a: result[b], b: result[a]}) for result in games]
        assert any(_disagree(wrong, result) for result, wrong in zip(games, swapped, strict=True)), (a, b)


def _disagree(ours: Mapping[str, Any], theirs: Mapping[str, Any]) -> bool:
    try:
        compare_results(ours, theirs)
    except Disagreement:
        return True
    return False
