"""What to pick: the equilibrium of two hidden cards of six, in a position and over the whole game."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from analyzer.answer import Answer
from analyzer.engine.game import Table
from analyzer.errors import BadInput
from analyzer.games.gluecksritter import learning
from analyzer.games.gluecksritter.game import GAME
from analyzer.games.gluecksritter.learning import alike
from analyzer.games.gluecksritter.state import PHASES, PICK
from analyzer.games.gluecksritter.studies.effort import Effort
from analyzer.games.gluecksritter.studies.position_picks import (
    MIXER,
    PositionPicks,
    position_table,
    regret_table,
    solve,
)
from analyzer.games.gluecksritter.studies.whole_game import MIX_FILE, WholeGame, game_tables, learn_game
from analyzer.scenarios import Scenario, find_scenario, load_scenario, read_scenario
from analyzer.studies.read import is_position
from analyzer.studies.replay import WrittenGame, as_scenario, read_game
from analyzer.study import Question

_USUAL = 4  # players of the whole game, if none is asked about
# An opening with an even ducat card; what lies on the fields is open when cards are picked.
OPENING = {"phase": "pick", "field_5": [2, 2], "field_6": [2, 2]}
_POSITIONS = (
    "In a position all pairs are tried in the same games, which the learned mix plays on, and mixes are matched to "
    "regrets. Seats that stand alike have one mix; besides this equilibrium there may be others, in which players who "
    "stand alike play different parts. "
)
_WHOLE = (
    "The mix of the whole game is learned in self-play: all choices are tried to the end of the round and judged by a "
    "model of who wins from where, fitted to played games. Responders are sought in two ways, and measured in fresh "
    "games: responses trained in the same way against it, the best of them in a trial match; and the strongest "
    "shipped policy, its parameters turned one after another (coordinate search). What they gain is a lower bound of "
    "how far the mix can be beaten, no more: players who search ahead may gain far more. "
)
_INTERVALS = (
    "Intervals: 95%, the rows of a table holding together (Bonferroni); wilson for wins, normal for differences."
)


@dataclass(frozen=True)
class Asked:
    """What is asked: positions to solve, and whether the whole game of the scenario's table is to be learned."""

    scenario: Scenario
    title: str
    question: str
    positions: tuple[tuple[str, Table, np.ndarray], ...]
    whole: bool


def read(target: str | Scenario, effort: int, seed: int | None) -> Question:
    """Read what to study: the openings, a scenario's table, or a written position."""
    files: tuple[Path, ...] = ()
    if isinstance(target, Scenario):
        asked = ask_scenario(target)
    elif not target:
        asked = ask_openings()
    elif is_position(path := find_scenario(target)):
        asked, files = ask_position(read_game(path)), (path,)
    else:
        asked = ask_scenario(load_scenario(path))
    drivers = (learning.try_pairs, *([learning.try_situations] if asked.whole else []))
    return Question(asked, asked.scenario, {"effort": Effort().scaled(effort), "seed": seed}, "", files, drivers)


def ask_openings() -> Asked:
    """The openings of 3 to 6 players, and the whole game of four."""
    every = range(GAME.least_players, GAME.most_players + 1)
    tables = {n: read_scenario({"game": GAME.name, "seats": [MIXER] * n}) for n in every}
    return Asked(
        replace(tables[_USUAL], name=f"{GAME.name}/openings"),
        "Two cards of six",
        "Which two cards should a fortune seeker pick?",
        tuple(_opening(tables[n].table) for n in every),
        whole=True,
    )


def ask_scenario(scenario: Scenario) -> Asked:
    """The opening and the whole game of a scenario's table."""
    _check_game(scenario.table)
    title = f"{scenario.title}: two cards of six"
    question = "Which two cards should a fortune seeker pick at this table?"
    return Asked(scenario, title, question, (_opening(scenario.table),), whole=True)


def ask_position(written: WrittenGame) -> Asked:
    """A written position."""
    path, table, position = written.path, written.table, written.position
    _check_game(table)
    if position is None:
        raise BadInput(f"{path}: no [position] to study")
    s = position[0]
    if s.phase != PICK:
        raise BadInput(
            f"{path}: position.phase = {PHASES[s.phase]!r}: a position in which cards are picked is needed: 'pick'"
        )
    # Picks are hidden: whoever has picked already is asked again.
    s.picks[:] = 0
    s.turn, s.asked = s.start, 1
    question = "Which two cards should each player pick here?"
    positions = ((path.stem, table, position),)
    return Asked(as_scenario(written, MIXER, 0), f"Two cards of six: {path.stem}", question, positions, whole=False)


def _check_game(table: Table) -> None:
    if table.game is not GAME:
        raise BadInput(f"`picks` is about the two hidden cards of {GAME.title}, not about {table.game.title}")


def _opening(table: Table) -> tuple[str, Table, np.ndarray]:
    position = GAME.place(table, {**OPENING, "seats": [{} for _ in range(table.players)]})
    return f"opening of {table.players}", table, position


def plan(asked: Asked, effort: Effort | None = None, **others: Any) -> int:
    """Return how many games an answer takes."""
    effort = effort or Effort()
    rows = [len(alike(table, position)) for _, table, position in asked.positions]
    return sum(effort.position(n) for n in rows) + (effort.whole_game() if asked.whole else 0)


def picks(
    asked: Asked,
    *,
    seed: int | None = None,
    effort: Effort | None = None,
    threads: int | None = None,
    progress: Callable[[int], None] = lambda played: None,
) -> Answer:
    """Answer: first the whole game, then the positions, played on by the mix that was learned.

    An interruption leaves the learned mix, what was measured of it, and the positions that were solved.
    """
    effort = effort or Effort()
    seed = asked.scenario.seed if seed is None else seed
    game = learn_game(asked.scenario.table, seed, effort, threads, progress) if asked.whole else None
    is_cut = game is not None and game.interrupted
    positions: list[PositionPicks] = []
    try:
        for name, table, position in () if is_cut else asked.positions:
            own = game.learned.mix if game and table.players == asked.scenario.table.players else None
            positions.append(solve(name, table, position, own, seed, effort, threads, progress))
    except KeyboardInterrupt:
        if game is None and not positions:
            raise
        is_cut = True
    return _answer(asked, seed, effort, game, positions, is_cut)


def _answer(
    asked: Asked, seed: int, effort: Effort, game: WholeGame | None, positions: list[PositionPicks], is_cut: bool
) -> Answer:
    tables = game_tables(game, seed) if game else []
    tables += [regret_table(positions)] if positions else []
    tables += [position_table(one, seed, brief=game is None) for one in positions]
    n_games = sum(one.games for one in positions) + (game.games if game else 0)
    cut = " It was interrupted: what had been played whole until then is reported." if is_cut else ""
    how = f"{_WHOLE if game else ''}{_POSITIONS if positions else ''}{_INTERVALS}"
    mix = f" The learned mix stands in {MIX_FILE} beside the report." if game else ""
    return Answer(
        study="picks",
        scenario=asked.scenario,
        title=asked.title,
        question=asked.question,
        finding=game.finding if game else " ".join(one.finding for one in positions),
        tables=tuple(tables),
        method=f"{n_games:,} games, seed {seed}.{cut} {how}{mix}",
        seed=seed,
        n_games=n_games,
        interrupted=is_cut,
        notes=_caveats(asked, positions),
        facts={"effort": asdict(effort)} | ({"situations_met": game.met} if game else {}),
        files={MIX_FILE: game.mix_text} if game else {},
    )


def _caveats(asked: Asked, positions: list[PositionPicks]) -> tuple[str, ...]:
    """Return what to know before one believes the answer, each thing once."""
    decks = [_reconstructed(table) for _, table, _ in asked.positions]
    return tuple(dict.fromkeys([*decks, *(caveat for one in positions for caveat in one.caveats)]))


def _reconstructed(table: Table) -> str:
    """Say which cards of the table no source has."""
    ducats = sum(card.origin == "reconstruction" for card in table.deck.ducats)
    documents = sum(row.copies for row in table.deck.documents if row.origin == "reconstruction")
    kinds = []
    if ducats:
        kinds.append(f"the counts of {ducats} of {len(table.deck.ducats)} ducat cards")
    if documents and table.options["documents"] != "none":
        kinds.append(f"what {documents} of {sum(row.copies for row in table.deck.documents)} documents say")
    if not kinds:
        return "The deck is not one of the program's: its cards are as its file marks them."
    return f"No source has {' and '.join(kinds)}: they are reconstructions, and other cards would make another mix."
