"""Fredericus in plain, slow Python, written from the rules alone: what the fast kernel is checked against.

A game is one generator that asks for decisions in the order in which the rulebook tells a turn; moves
are text, as a written game has them. Rule ids (F1 to F18) stand beside what they rule.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Generator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import product
from typing import Any

FALCONS = ("peregrine", "kestrel")
CREATURES = "bcdghmpu"
FREDERICUS = "F"

Ask = Generator["Question", str, Any]


@dataclass(frozen=True)
class Question:
    """A decision that somebody has to make."""

    phase: str
    seat: int
    moves: frozenset[str]


@dataclass
class Player:
    """A falconer with all that is his."""

    seat: int
    towers: dict[str, int]  # 1 to 8
    chips: list[Any]  # a row, "courtyard" or None in hand
    goals: list[str]
    creatures: list[str] = field(default_factory=list)
    hooded: str | None = None
    fredericus: bool = False
    turns: int = 0

    def pairs(self) -> int:
        """F17: creatures with a goal card of their kind, each card in one pair."""
        goals, pairs = list(self.goals), 0
        for creature in self.creatures:
            if creature in goals:
                goals.remove(creature)
                pairs += 1
        return pairs

    def score(self) -> int:
        """F17: points; each pair counts one more than the pair before."""
        return len(self.creatures) + len(self.goals) + 2 * self.fredericus + sum(range(1, self.pairs() + 1))


def neighbour(place: int, side: str) -> int:
    """F1: the ring of eight."""
    return (place - 2) % 8 + 1 if side == "left" else place % 8 + 1


class Reference:
    """A game in progress; `legal` says what can be done, `play` does it.

    Parameters
    ----------
    players : 2 to 4.
    options : every option by its key.
    rows : the cards of rows 1 to 8 as letters, the end last.
    towers : peregrine's and kestrel's tower of each seat.
    goals : each seat's first goal card.
    pile : the goal pile, its top first, Fredericus as F.
    start : seat of the start player.
    """

    def __init__(
        self,
        players: int,
        options: Mapping[str, Any],
        rows: Sequence[str],
        towers: Sequence[tuple[int, int]],
        goals: Sequence[str],
        pile: Sequence[str],
        start: int,
    ) -> None:
        self.o = dict(options)
        self.rows = {number: list(cards) for number, cards in enumerate(rows, 1)}
        n_chips = 2 if players == 2 else 1  # F2
        self.players = [
            Player(seat, dict(zip(FALCONS, towers[seat], strict=True)), [None] * n_chips, [goals[seat]])
            for seat in range(players)
        ]
        self.pile = list(pile)
        self.start = start
        self.discarded: list[str] = []  # goal cards flipped
        self.seals_gone = 0
        self.closed = False
        self.ended_by = "none"
        self.round = 1
        self.actions = 0
        self.winner: int | None = None
        self.n: Counter[str] = Counter()  # what has happened, by the names of the game's measures
        self._game = self._play()
        self.question: Question | None = next(self._game, None)

    # What one can see.

    @property
    def phase(self) -> str:
        """The kind of the decision that is due."""
        return self.question.phase if self.question else "over"

    @property
    def seat(self) -> int:
        """The seat that decides, or -1 at the end."""
        return self.question.seat if self.question else -1

    def legal(self) -> set[str]:
        """Return the legal moves."""
        return set(self.question.moves) if self.question else set()

    def play(self, move: str) -> None:
        """Play a legal move and go on to the next decision."""
        if move not in self.legal():
            raise ValueError(f"{move!r} is not among {sorted(self.legal())}")
        try:
            self.question = self._game.send(move)
        except StopIteration:
            self.question = None

    def counts(self) -> dict[str, int]:
        """Return every measure of a game that is over."""
        players = self.players
        made = {
            "rounds": self.round,
            "turns": sum(p.turns for p in players),
            "actions": self.n["card"] + self.n["falcon"] + self.n["hood"],
            "card_moves": self.n["card"],
            "falcon_moves": self.n["falcon"],
            "hoods": self.n["hood"],
            "catches": self.n["catch"],
            "high_hunts": self.n["peregrine"],
            "low_hunts": self.n["kestrel"],
            "seals": self.n["open"],
            "rotations": self.n["rotate"],
            "pairs": sum(p.pairs() for p in players),
            "points": sum(p.score() for p in players),
            "points_creatures": sum(len(p.creatures) for p in players),
            "points_goals": sum(len(p.goals) for p in players),
            "points_fredericus": sum(2 * p.fredericus for p in players),
            "points_pairs": sum(sum(range(1, p.pairs() + 1)) for p in players),
            "stalled": int(self.ended_by == "rounds"),
        }
        for ending in ("creatures", "drawn", "flipped"):
            made[f"ended_{ending}"] = int(self.ended_by == ending)
        for key in ("falcons_hooded", "bets", "bets_paid", "courtyards", "courtyards_paid", "goals_drawn"):
            made[key] = self.n[key]
        return made

    # Helpers.

    def _from(self, seat: int) -> list[Player]:
        return self.players[seat:] + self.players[:seat]

    def _end(self, row: int) -> str:
        """F18: the end of a row, or nothing."""
        return self.rows[row][-1] if self.rows[row] else ""

    def _beside(self, tower: int) -> tuple[str, str]:
        return self._end(neighbour(tower, "left")), self._end(neighbour(tower, "right"))

    def _draw(self, player: Player, reason: str = "") -> None:
        """F16: a goal card, if there is one and it may be drawn."""
        if self.closed or not self.pile:
            return
        self.n["goals_drawn"] += 1
        self.n[reason] += 1
        card = self.pile.pop(0)
        if card == FREDERICUS:
            player.fredericus = True
            self._close("drawn")
        else:
            player.goals.append(card)

    def _close(self, reason: str) -> None:
        if not self.closed:
            self.closed, self.ended_by = True, reason

    # The game.

    def _play(self) -> Ask:
        for player in self._from(self.start):  # F6
            for chip in range(len(player.chips)):
                move = yield Question("setup", player.seat, frozenset(f"bet {row}" for row in self.rows))
                player.chips[chip] = int(move.split()[1])
                self.n["bets"] += 1
        while True:
            for place, player in enumerate(self._from(self.start)):
                yield from self._turn(player, place)
            if self.round == self.o["max_rounds"]:  # F16a
                self._close("rounds")
            if self.closed:  # F16
                break
            self.round += 1
        best = max(player.score() for player in self.players)  # F17
        self.winner = [p.seat for p in self._from(self.start) if p.score() == best][-1]

    def _turn(self, player: Player, place: int) -> Ask:
        player.turns += 1
        first = self.o["first_round_actions"]
        self.actions = first[place] if self.round == 1 and place < len(first) else self.o["actions_per_turn"]  # F7
        used: set[str] = set()  # falcons that caught; "seal" and "rotation"
        for chip, where in enumerate(player.chips):  # F14: back from the courtyard
            if where == "courtyard":
                if self.o["courtyard_may_wait"] and not self.closed and self.pile:
                    move = yield Question("courtyard", player.seat, frozenset({"take", "done"}))
                    if move == "done":
                        continue
                player.chips[chip] = None
                self._draw(player, "courtyards_paid")
        while True:
            free = self._free(player, used)
            acts = self._acts(player) if self.actions > 0 else {}
            if not free and not acts:  # F7: what is left lapses
                break
            stop = {"done"} if not acts or self.o["may_stop"] else set()
            move = yield Question("turn", player.seat, frozenset(set(free) | set(acts) | stop))
            if move == "done":
                break
            if move in acts:
                self.actions -= 1
            self._do(player, move, used)
            if move.startswith("open"):  # F11: the card has been seen when the seal is chosen
                tower = player.towers[move.split()[1]]
                seals = {f"discard {neighbour(tower, side)}" for side in ("left", "right")}
                gone = yield Question("turn", player.seat, frozenset(seals))
                assert self.rows[int(gone.split()[1])].pop() == "s"
                self.seals_gone += 1
        self.actions = 0
        player.hooded = None  # F13
        yield from self._place_chips(player)
        if player.seat == self.start and not self.closed and self.pile:  # F15
            card = self.pile.pop(0)
            player.fredericus = card == FREDERICUS and self.o["flipped_fredericus"] == "start_player_keeps"
            if not player.fredericus:
                self.discarded.append(card)
            if card == FREDERICUS and self.o["flipped_fredericus"] != "passed_over":
                self._close("flipped")

    def _free(self, player: Player, used: set[str]) -> list[str]:
        """F9: catches, seals, rotations."""
        moves = []
        for falcon in FALCONS:
            if falcon == player.hooded:  # F12
                continue
            tower = player.towers[falcon]
            ends = sorted(self._beside(tower))
            wanted = ["a", "a"] if falcon == "peregrine" else ["a", "w"]  # F10
            creature = self._end(tower)
            if falcon not in used and ends == wanted and creature and creature in CREATURES:
                moves.append(f"catch {falcon}")
            if "seal" not in used and ends == ["s", "s"] and (self.o["seal_after_close"] or not self.closed):  # F11
                moves.append(f"open {falcon}")
        if self.o["short_game"] and "rotation" not in used:
            for row, cards in self.rows.items():
                near = {
                    "beside": {neighbour(row, "left"), neighbour(row, "right")},
                    "own": {row},
                    "any": {neighbour(row, "left"), row, neighbour(row, "right")},
                }[self.o["triple_tower"]]
                watched = any(player.towers[f] in near for f in FALCONS if f != player.hooded)
                three = cards[-3:]
                same = three in (["w"] * 3, ["a"] * 3)
                mixed = self.o["mixed_triple"] and len(three) == 3 and set(three) <= {"w", "a"}
                if watched and (same or mixed):
                    moves.append(f"rotate {row}")
        return moves

    def _acts(self, player: Player) -> set[str]:
        """F8: what an action can do."""
        moves = {f"card {row} {side}" for row, cards in self.rows.items() if cards for side in ("left", "right")}
        moves |= {f"falcon {f} {side}" for f in FALCONS if f != player.hooded for side in ("left", "right")}
        for tower in self.rows:
            if self._beside(tower) == ("w", "w"):  # F12
                choices = [there for _, there in self._hoodable(player, tower)]
                for chosen in product(*choices) if choices else ():
                    words = [f for f, there in zip(chosen, choices, strict=True) if len(there) == 2]
                    moves.add(" ".join(["hood", str(tower), *words]))
        return moves

    def _hoodable(self, player: Player, tower: int) -> list[tuple[Player, list[str]]]:
        """F12: opponents without a hood, with their falcons on a tower."""
        found = []
        for other in self.players:
            there = [f for f in FALCONS if other.towers[f] == tower]
            if other is not player and other.hooded is None and there:
                found.append((other, there))
        return found

    def _do(self, player: Player, move: str, used: set[str]) -> None:
        kind, *words = move.split()
        self.n[kind] += 1
        if kind == "card":
            row = int(words[0])
            self.rows[neighbour(row, words[1])].append(self.rows[row].pop())
        elif kind == "falcon":
            player.towers[words[0]] = neighbour(player.towers[words[0]], words[1])
        elif kind == "hood":
            chosen = words[1:]
            for other, there in self._hoodable(player, int(words[0])):
                other.hooded = there[0] if len(there) == 1 else chosen.pop(0)
                self.n["falcons_hooded"] += 1
        elif kind == "catch":
            used.add(words[0])
            self.n[words[0]] += 1
            self._catch(player, player.towers[words[0]])
        elif kind == "open":  # F11
            used.add("seal")
            self.rows[player.towers[words[0]]].reverse()
            self._draw(player)
            self.actions += self.o["seal_actions"]
        else:  # F9
            used.add("rotation")
            cards = self.rows[int(words[0])]
            cards[:] = cards[-3:] + cards[:-3]

    def _catch(self, player: Player, row: int) -> None:
        """F10: the creature, then the bets."""
        player.creatures.append(self.rows[row].pop())
        if len(player.creatures) >= self.o["creatures_to_end"]:  # F16
            self._close("creatures")
        for other in self._from(player.seat)[1:]:
            mine = [chip for chip, where in enumerate(other.chips) if where == row]
            for chip in mine if self.o["double_bet"] else mine[:1]:
                assert other.chips[chip] == row
                self._draw(other, "bets_paid")
            other.chips = [None if where in (row, "courtyard") else where for where in other.chips]

    def _place_chips(self, player: Player) -> Ask:
        """F14: place, leave or move each chip."""
        for chip in range(len(player.chips)):
            here = player.chips[chip]
            moves = {f"bet {row}" for row in self.rows if row != here}
            taken = any("courtyard" in other.chips for other in self.players)
            if len(self.players) > 2 and not taken:
                moves.add("bet courtyard")
            if here is not None:
                moves.add("done")
            move = yield Question("bet", player.seat, frozenset(moves))
            if move != "done":
                place = move.split()[1]
                player.chips[chip] = place if place == "courtyard" else int(place)
                self.n["courtyards" if place == "courtyard" else "bets"] += 1
