"""The odds of one joust, exact and simulated, and of every joust the deck has."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pandas as pd

from analyzer.engine.game import toml_text
from analyzer.errors import BadInput
from analyzer.games import GAMES
from analyzer.games.ritter.cards import short
from analyzer.games.ritter.joust import ATTACKER, DEFENDER, NEVER, Ends, Rider, fight, solve, threshold
from analyzer.games.ritter.rider import card_named, read_points, read_rider, trained, write_rider
from analyzer.scenarios import Scenario, find_scenario, load_scenario, read_rules, read_scenario

RITTER = GAMES["ritter"]
WINNERS = ("attacker", "defender", "none")
DEFAULT_JOUSTS = 1_000_000


@dataclass(frozen=True)
class Entrant:
    """A knight in a joust: what to call him, how he is, the wounds at which he yields."""

    name: str
    rider: Rider
    yields_at: int

    @property
    def title(self) -> str:
        """His name with his strength, where that is not the name."""
        strength = write_rider(self.rider)
        return self.name if self.name == strength else f"{self.name} ({strength})"


@dataclass(frozen=True)
class JoustOdds:
    """The answer to one joust."""

    scenario: Scenario
    attacker: Entrant
    defender: Entrant
    seed: int
    exact: Ends
    simulated: Ends
    odds: pd.DataFrame  # outcome, exact, simulated, z
    rounds: pd.DataFrame
    wounds: pd.DataFrame  # winner, attacker, defender, p
    finding: str


@dataclass(frozen=True)
class Field:
    """Every knight of the deck against every other."""

    scenario: Scenario
    training: tuple[str, ...]
    yields_at: int
    matrix: pd.DataFrame  # [attacker, defender] odds that the attacker wins
    knights: pd.DataFrame  # knight, strength, attacks, defends, mean
    spread: float
    margin: float
    verdict: str


def plain_scenario(rules: Sequence[str] = (), deck: str = "", seats: Sequence[str] = ("rulebook",) * 4) -> Scenario:
    """Return a scenario for a question that names no file: a table with these rules and seats."""
    options = read_rules(RITTER, rules)
    data: dict[str, Any] = {"game": RITTER.name, "seats": list(seats), "rules": options}
    data |= {"deck": deck} if deck else {}
    lines = [f"{key} = {toml_text(value)}" for key, value in data.items() if key != "rules"]
    lines += ["[rules]", *(f"{key} = {toml_text(value)}" for key, value in options.items())]
    return replace(read_scenario(data), name=RITTER.name, title="Four by the rulebook", text="\n".join(lines) + "\n")


def ritter_scenario(name: str, rules: Sequence[str] = ()) -> Scenario:
    """Return the scenario of that name, or without one a plain table with these rules."""
    if not name:
        return plain_scenario(rules)
    if rules:
        raise BadInput("--rule and --scenario exclude each other: set the rules in the scenario")
    scenario = load_scenario(find_scenario(name))
    require_ritter(scenario)
    return scenario


def require_ritter(scenario: Scenario) -> None:
    """Refuse a scenario of another game."""
    if scenario.game is not RITTER:
        raise BadInput(f"{scenario.name} is one of {scenario.game.name}; this question is one of {RITTER.name}")


def read_entrant(scenario: Scenario, text: str, training: str = "", yields_at: str = "never") -> Entrant:
    """Return a knight as the command line gives him."""
    deck, rules = scenario.table.deck, scenario.table.rules
    card = card_named(deck, text)
    rider = trained(rules, read_rider(deck, rules, text), read_points(training))
    return Entrant(
        short(deck.knights[card].name) if card is not None else write_rider(rider), rider, read_yield(yields_at)
    )


def read_yield(text: str) -> int:
    """Read the wounds at which a knight yields: a number, or `never`."""
    if text == "never":
        return NEVER
    if not text.isdecimal():
        raise BadInput(f"{text!r} is no yield threshold: a number of wounds, or never")
    return int(text)


def yield_text(yields_at: int) -> str:
    """Write a threshold."""
    return "never" if yields_at >= NEVER else str(yields_at)


def joust(
    scenario: Scenario,
    attacker: Entrant,
    defender: Entrant,
    *,
    seed: int = 1,
    jousts: int = DEFAULT_JOUSTS,
    threads: int | None = None,
) -> JoustOdds:
    """Solve a joust and fight it many times beside."""
    rules = scenario.table.rules
    limit = int(rules.wound_limit)
    yields = (threshold(limit, attacker.yields_at, ATTACKER), threshold(limit, defender.yields_at, DEFENDER))
    exact = solve(rules, attacker.rider, defender.rider, yields)
    simulated = fight(rules, attacker.rider, defender.rider, yields, seed, jousts, threads)
    win = exact.winner
    finding = f"{attacker.title} attacking wins {win[0]:.1%}, {defender.title} {win[1]:.1%}; nobody {win[2]:.1%}."
    return JoustOdds(
        scenario, attacker, defender, seed, exact, simulated,
        _odds_table(exact, simulated), _rounds_table(exact, simulated), _wound_table(exact), finding,
    )  # fmt: skip


def z_score(share: float, p: float, n: float) -> float:
    """Return by how many standard errors a simulated share differs from the exact chance."""
    error = math.sqrt(max(0.0, p * (1 - p)) / n)
    return (share - p) / error if error > 1e-12 else 0.0 if abs(share - p) < 1e-9 else math.inf


def _odds_table(exact: Ends, simulated: Ends) -> pd.DataFrame:
    n = simulated.total
    rows = [
        ("attacker wins", exact.winner[0], simulated.winner[0]),
        ("defender wins", exact.winner[1], simulated.winner[1]),
        ("nobody wins", exact.winner[2], simulated.winner[2]),
        ("decided on horseback", exact.mounted, simulated.mounted),
        ("attacker out of the tournament", exact.out[0], simulated.out[0]),
        ("defender out of the tournament", exact.out[1], simulated.out[1]),
        ("stopped at max_rounds", exact.stalled, simulated.stalled),
    ]
    table = pd.DataFrame(
        [(name, p, count / n, z_score(count / n, p, n)) for name, p, count in rows],
        columns=["outcome", "exact", "simulated", "z"],
    )
    table.attrs["shares"] = ("exact", "simulated")
    return table


def _rounds_table(exact: Ends, simulated: Ends) -> pd.DataFrame:
    mean = simulated.rounds / simulated.total
    error = math.sqrt(max(0.0, exact.rounds_squared - exact.rounds**2) / simulated.total)
    z = (mean - exact.rounds) / error if error > 1e-12 else 0.0
    return pd.DataFrame({"measure": ["rounds of dice"], "exact": [exact.rounds], "simulated": [mean], "z": [z]})


def _wound_table(exact: Ends) -> pd.DataFrame:
    places = np.argwhere(exact.by_wounds > 0)
    table = pd.DataFrame(
        {
            "winner": [WINNERS[w] for w, _, _ in places],
            "attacker": places[:, 1],
            "defender": places[:, 2],
            "p": exact.by_wounds[tuple(places.T)],
        }
    )
    table.attrs["shares"] = ("p",)
    return table


def field(scenario: Scenario, training: str = "", yields_at: str = "never", margin: float = 0.02) -> Field:
    """Solve every joust of the deck and judge whether all knights are equally strong."""
    deck, rules = scenario.table.deck, scenario.table.rules
    entrants = [read_entrant(scenario, knight.name, training, yields_at) for knight in deck.knights]
    matrix, nobody = field_odds(rules, [e.rider for e in entrants], read_yield(yields_at))
    names = [e.name for e in entrants]
    others = ~np.eye(len(names), dtype=bool)
    attacks = [matrix[i, others[i]].mean() for i in range(len(names))]
    defends = [(1 - matrix - nobody)[others[:, i], i].mean() for i in range(len(names))]
    knights = pd.DataFrame(
        {
            "knight": names,
            "strength": [write_rider(e.rider) for e in entrants],
            "attacks": attacks,
            "defends": defends,
            "mean": (np.array(attacks) + np.array(defends)) / 2,
        }
    ).sort_values("mean", ascending=False, kind="stable", ignore_index=True)
    knights.attrs["shares"] = ("attacks", "defends", "mean")
    table = pd.DataFrame(matrix, index=names, columns=names)
    best, worst = knights.iloc[0], knights.iloc[-1]
    spread = float(best["mean"] - worst["mean"])
    equal = spread <= 2 * margin
    verdict = (
        f"{'Equal' if equal else 'Not equal'} within ±{100 * margin:g} points: {best.knight} ({best.strength}) wins "
        f"{best['mean']:.1%} of his jousts, {worst.knight} ({worst.strength}) {worst['mean']:.1%}, "
        f"a spread of {100 * spread:.1f} points."
    )
    return Field(scenario, read_points(training), read_yield(yields_at), table, knights, spread, margin, verdict)


def field_odds(rules: Any, riders: Sequence[Rider], yields_at: int) -> tuple[np.ndarray, np.ndarray]:
    """Return the odds [attacker, defender] that the attacker wins, and that nobody does."""
    limit = int(rules.wound_limit)
    yields = (threshold(limit, yields_at, ATTACKER), threshold(limit, yields_at, DEFENDER))
    ends = np.array([[solve(rules, a, d, yields).winner for d in riders] for a in riders])
    return ends[:, :, 0], ends[:, :, 2]


def as_json(result: JoustOdds) -> dict[str, Any]:
    """Return the answer as one document."""
    sim, n = result.simulated, result.simulated.total
    options = result.scenario.table.options
    z = dict(zip(result.odds["outcome"], result.odds["z"], strict=True))
    return {
        "attacker": {"knight": result.attacker.title, "yields_at": yield_text(result.attacker.yields_at)},
        "defender": {"knight": result.defender.title, "yields_at": yield_text(result.defender.yields_at)},
        "rules": {o.key: options[o.key] for o in RITTER.options if options[o.key] != o.default},
        "exact": dict(zip(WINNERS, result.exact.winner, strict=True)),
        "wounds": result.wounds.to_dict("records"),
        "rounds": result.exact.rounds,
        "mounted": result.exact.mounted,
        "out": dict(zip(WINNERS, result.exact.out, strict=False)),
        "stalled": result.exact.stalled,
        "simulated": {
            "jousts": int(n),
            "seed": result.seed,
            **{key: count / n for key, count in zip(WINNERS, sim.winner, strict=True)},
            "rounds": sim.rounds / n,
            "mounted": sim.mounted / n,
            "out": {key: count / n for key, count in zip(WINNERS, sim.out, strict=False)},
            "stalled": sim.stalled / n,
            "z": z | {"rounds": result.rounds["z"][0]},
        },
        "finding": result.finding,
    }


def field_json(result: Field) -> dict[str, Any]:
    """Return the table of the deck as one document."""
    return {
        "training": list(result.training),
        "yields_at": yield_text(result.yields_at),
        "attacker_wins": {name: row.to_dict() for name, row in result.matrix.iterrows()},
        "knights": result.knights.to_dict("records"),
        "spread": result.spread,
        "margin": result.margin,
        "verdict": result.verdict,
    }
