"""Ritter in plain, slow Python, written from the rules alone: what the fast kernel is checked against.

A tournament is one generator that asks for decisions in the order in which the rulebook tells the
day; moves are text, as a written game has them. Rule ids (R1 to R29) stand beside what they rule.
"""

from __future__ import annotations

from collections.abc import Generator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations, combinations_with_replacement
from typing import Any

WHOLE_WIN = 2520  # a win in units that 1 to 10 players can share
_WORD = (1 << 64) - 1
_GOLDEN = 0x9E3779B97F4A7C15
_GUARDS = list(combinations_with_replacement(range(3), 3))

MEASURES = (
    *("jousts", "rides", "training", "offers", "rejections", "rounds", "mounted_wins"),
    *("yields", "knockouts", "no_winner", "stalled", "days_won", "playoffs", "chips_out"),
)

Ask = Generator["Question", str, Any]


def mix(z: int) -> int:
    """Return the output of splitmix64 for a position of its sequence."""
    z = ((z ^ z >> 30) * 0xBF58476D1CE4E5B9) & _WORD
    z = ((z ^ z >> 27) * 0x94D049BB133111EB) & _WORD
    return z ^ z >> 31


class Stream:
    """One run of splitmix64 numbers of a game, from a given place on."""

    def __init__(self, seed: int, game: int, purpose: int, place: int = 0) -> None:
        first = mix((seed * 0xBF58476D1CE4E5B9 + _GOLDEN) & _WORD)
        self.at = (first + (game * (1 << 28) + purpose * (1 << 62) + place * (1 << 17)) * _GOLDEN) & _WORD

    @classmethod
    def going_on(cls, at: int) -> Stream:
        """Return a stream that goes on from a position of the sequence."""
        stream = cls(0, 0, 0)
        stream.at = at
        return stream

    def draw(self) -> int:
        """Return the next 64 bits."""
        self.at = (self.at + _GOLDEN) & _WORD
        return mix(self.at)

    def below(self, n: int) -> int:
        """Return a number from 0 to n - 1."""
        return (self.draw() >> 32) * n >> 32


@dataclass(frozen=True)
class Chance:
    """The dice of one game.

    Without `alias` every die is rolled; with it an attack is one draw from the alias tables, whose
    rows of 2**bits columns go by dice and by guard (the sorted covers).
    """

    seed: int
    game: int
    alias: Sequence[int] | None = None
    bits: int = 0

    def joust(self, place: int) -> Stream:
        """Return the dice of the joust with this number."""
        return Stream(self.seed, self.game, 1, place)

    def attack(self, stream: Stream, dice: int, covers: Sequence[int], faces: Sequence[int]) -> int:
        """R14, R17: return the wounds that an attack on `covers` makes when only `faces` hit."""
        if self.alias is None:
            rolls = [stream.below(6) + 1 for _ in range(dice)]
            return sum(max(0, rolls.count(face) - cover) for face, cover in zip(faces, covers, strict=True))
        random = stream.draw()
        row = (dice * len(_GUARDS) + _GUARDS.index(tuple(sorted(covers)))) << self.bits
        column = int(self.alias[row + (random >> 64 - self.bits)])
        first = (random << self.bits & _WORD) >> 10 < column >> 10
        return (column >> 5 if first else column) & 31


@dataclass(eq=False)
class Lady:
    """A lady in play."""

    name: str
    seat: int
    charms: Mapping[str, str]
    premiums: int = 0
    today: int = 0
    offered: list[Knight] = field(default_factory=list)


@dataclass(eq=False)
class Knight:
    """A knight in play."""

    name: str
    seat: int
    slot: int
    likes: Sequence[tuple[str, str]]
    dice: int
    cover: dict[int, int]
    wounds: int = 0
    premiums: int = 0
    today: int = 0
    lamed: int = 0
    riding: bool = False
    standing: bool = False
    lady: Lady | None = None

    def taste(self, lady: Lady) -> tuple[int, list[bool]]:
        """R11: return what a lady is worth to him; the count of matches goes before their ranks."""
        ranks = [lady.charms[attribute] == value for attribute, value in self.likes]
        return sum(ranks), ranks


@dataclass(frozen=True)
class Question:
    """A decision that somebody has to make."""

    phase: str
    seat: int
    moves: frozenset[str]


class Reference:
    """A tournament in progress; `legal` says what can be done, `play` does it.

    Parameters
    ----------
    deck : cards with `knights` and `ladies`.
    players : 2 to 10.
    options : every option by its key.
    knights, ladies : the shuffled card numbers; the players get the first ones, seat by seat.
    start : seat of the first day's start player (R8).
    chance : the dice.
    """

    def __init__(
        self,
        deck: Any,
        players: int,
        options: Mapping[str, Any],
        knights: Sequence[int],
        ladies: Sequence[int],
        start: int,
        chance: Chance,
    ) -> None:
        self.players = players
        self.o = dict(options)
        self.chance = chance
        self.start = start
        self.each = 2 if players <= 5 else 1  # R4
        self.chips = self.o["training_chips"]  # R6
        self.day = 0
        self.day_winners: list[Knight | None] = []
        self.shares = [0] * players
        self.counts = dict.fromkeys(MEASURES, 0)
        self.course: list[list[int]] = []  # the scores at each day's end
        self.knights: list[Knight] = []
        self.ladies: list[Lady] = []
        for slot in range(players * self.each):
            card = deck.knights[knights[slot]]
            dice = min(card.dice, self.o["max_dice"])  # R7
            cover = {face: card.cover[face - 1] for face in range(1, 7)}  # R2
            self.knights.append(Knight(_short(card), slot // self.each, slot, card.likes, dice, cover))
            if self.o["ladies"]:
                card = deck.ladies[ladies[slot]]
                self.ladies.append(Lady(_short(card), slot // self.each, card.charms))
        self._game = self._tournament()
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

    # Helpers.

    def able(self, knight: Knight) -> bool:
        """R19: say whether a knight is still in the tournament."""
        return knight.wounds < self.o["wound_limit"]

    def _of(self, seat: int) -> list[Knight]:
        return [knight for knight in self.knights if knight.seat == seat]

    def _ladies_of(self, seat: int) -> list[Lady]:
        return [lady for lady in self.ladies if lady.seat == seat]

    def _leftwards(self, seat: int) -> list[int]:
        return [(seat + i) % self.players for i in range(self.players)]

    def score(self, seat: int) -> int:
        """R28: return a player's premiums."""
        return sum(k.premiums for k in self._of(seat)) + sum(lady.premiums for lady in self._ladies_of(seat))

    # The tournament.

    def _tournament(self) -> Ask:
        for day in range(self.o["days"]):  # R25
            self.day = day
            if self.day > 0:
                self._night()
                self.start = (self.start + 1) % self.players  # R8
            yield from self._training()
            yield from self._riding()
            if self.o["ladies"]:
                yield from self._offers()
            yield from self._challenges()
            yield from self._day_winner()
            self.course.append([self.score(seat) for seat in range(self.players)])
        self._final_bonus()
        yield from self._victory()

    def _training(self) -> Ask:
        """R6, R24: the knights train, point by point."""
        for knight in self.knights:
            if not self.able(knight):
                continue
            if self.day == 0:
                points = self.o["training_points"]
            else:
                by_wounds = self.o["training_by_wounds"]
                points = by_wounds[knight.wounds] if knight.wounds < len(by_wounds) else 0
            while points > 0:
                what = ["dice"] if knight.dice < self.o["max_dice"] else []  # R7
                if self.chips > 0:
                    what += [str(face) for face in knight.cover if knight.cover[face] < 2]
                if not what:
                    break
                if not self.o["training_exact"]:
                    what.append("nothing")
                move = yield Question("train", knight.seat, frozenset(f"train {knight.name} {w}" for w in what))
                point = move.split()[2]
                points -= 1
                if point == "nothing":
                    break
                self.counts["training"] += 1
                if point == "dice":
                    knight.dice += 1
                else:
                    knight.cover[int(point)] += 1
                    self.chips -= 1

    def _riding(self) -> Ask:
        """R9: everyone says which of his knights ride."""
        for knight in self.knights:
            knight.lamed = self._lost_dice(knight)
        for seat in self._leftwards(self.start):
            able = [knight for knight in self._of(seat) if self.able(knight)]
            if not able:
                continue
            sets = {
                f"ride {' '.join(k.name for k in riders) or 'none'}": riders
                for n in range(len(able) + 1)
                for riders in combinations(able, n)
            }
            move = yield Question("ride", seat, frozenset(sets))
            for knight in sets[move]:
                knight.riding = True
                self.counts["rides"] += 1

    def _lost_dice(self, knight: Knight) -> int:
        """R26: return the dice a knight misses today."""
        if not self.o["wounded_attack"] or knight.wounds < 4:
            return 0
        left = knight.dice - (1 if knight.wounds < 7 else 3)
        return knight.dice - max(left, min(knight.dice, self.o["min_dice"]))

    def _offers(self) -> Ask:
        """R10–R12: the ladies offer their favours, one a turn."""
        seat, without_offer = self.start, 0
        riders = [knight for knight in self.knights if knight.riding]
        while without_offer < self.players and any(knight.lady is None for knight in riders):
            worn = [knight.lady for knight in riders]
            offers = {
                f"offer {lady.name} {knight.name}": (lady, knight)
                for lady in self._ladies_of(seat)
                if lady not in worn
                for knight in riders
                if knight not in lady.offered
            }
            move = "pass"
            if offers:
                passing = {"pass"} if self.o["offer_pass"] else set()
                move = yield Question("offer", seat, frozenset(set(offers) | passing))
            if move == "pass":
                without_offer += 1
            else:
                without_offer = 0
                yield from self._offer(*offers[move])
            seat = (seat + 1) % self.players

    def _offer(self, lady: Lady, knight: Knight) -> Ask:
        """R11: a knight takes a favour, or compares."""
        lady.offered.append(knight)
        self.counts["offers"] += 1
        self.counts["rejections"] += knight.lady is not None  # one of the two goes away
        if knight.lady is None or knight.taste(lady) > knight.taste(knight.lady):
            knight.lady = lady
        elif knight.taste(lady) == knight.taste(knight.lady):
            choice = {f"favour {each.name}": each for each in (knight.lady, lady)}
            move = yield Question("favour", knight.seat, frozenset(choice))
            knight.lady = choice[move]

    def _challenges(self) -> Ask:
        """R13, R21: joust after joust until one player's knights are left."""
        for knight in self.knights:
            knight.standing = knight.riding
        seat = self.start
        while len({knight.seat for knight in self.knights if knight.standing}) > 1:
            pairs = {
                f"challenge {own.name} {other.name}": (own, other)
                for own in self._of(seat)
                for other in self.knights
                if own.standing and other.standing and other.seat != seat
            }
            if pairs:
                attacker, defender = pairs[(yield Question("challenge", seat, frozenset(pairs)))]
                winner = yield from self._joust(attacker, defender, self.day, may_yield=True)
                self.counts["jousts"] += 1
                self.counts["no_winner"] += winner is None
                self.counts["knockouts"] += sum(not self.able(knight) for knight in (attacker, defender))
                for knight in (attacker, defender):  # R19, R20, R20a
                    knight.standing = knight is winner and self.able(knight)
                if winner:  # R20
                    winner.premiums += 1
                    winner.today += 1
                    if winner.lady:
                        winner.lady.premiums += 1
                        winner.lady.today += 1
            seat = (seat + 1) % self.players

    def _joust(self, attacker: Knight, defender: Knight, day: int, may_yield: bool) -> Ask:
        """R14–R20a: fight a joust and return its winner, or None."""
        stream = self.chance.joust((day * 10 + attacker.slot) * 10 + defender.slot)
        both = (attacker, defender)
        rounds = 0
        blank = 0
        mounted = True
        while True:
            self.counts["rounds"] += 1
            extra = 0
            enraged = blank == 1 or (blank > 1 and self.o["enrage"] == "every_round")
            if enraged and (mounted or self.o["enrage_on_foot"]):  # R16
                extra = self.o["enrage_dice"]
            faces = (1, 2, 3) if mounted else (4, 5, 6)  # R14, R17
            hurt = {}
            for striker, target in ((attacker, defender), (defender, attacker)):
                covers = [target.cover[face] for face in faces]
                hurt[target] = self.chance.attack(stream, striker.dice - striker.lamed + extra, covers, faces)
            for knight in both:
                knight.wounds += hurt[knight]
            rounds += 1
            blank = 0 if any(hurt.values()) else blank + 1
            if mounted:
                unhurt = [knight for knight in both if not hurt[knight]]
                if len(unhurt) == 1:  # R15
                    self.counts["mounted_wins"] += may_yield
                    return unhurt[0]
            up = [knight for knight in both if self.able(knight)]
            if len(up) == 1:  # R19
                self.counts["mounted_wins"] += may_yield and mounted
                return up[0]
            if not up:
                winner = self._double_knockout(attacker, defender)
                self.counts["mounted_wins"] += may_yield and mounted and winner is not None
                return winner
            if rounds >= self.o["max_rounds"]:  # R20a
                self.counts["stalled"] += 1
                return None
            fell = mounted and hurt[attacker] > 0
            if may_yield and (not mounted or (fell and self.o["yield_before_foot"])):  # R17
                order = both if self.o["yield_order"] == "attacker_first" else both[::-1]  # R18
                for knight, other in (order, order[::-1]):
                    if (yield Question("yield", knight.seat, frozenset({"yield", "fight"}))) == "yield":
                        self.counts["yields"] += 1
                        return other
            mounted = mounted and not fell

    def _double_knockout(self, attacker: Knight, defender: Knight) -> Knight | None:
        """R19: return who wins when both reach the limit at once."""
        rule = self.o["double_knockout"]
        if rule == "attacker":
            return attacker
        if rule == "fewer_wounds" and attacker.wounds != defender.wounds:
            return min(attacker, defender, key=lambda knight: knight.wounds)
        return None

    def _day_winner(self) -> Ask:
        """R22: find the day's winner and pay him and his lady."""
        best = self._best_of_day()
        winner = None
        if len(best) == 1:
            winner = best[0]
        elif best and len({k.seat for k in best}) == 1 and self.o["day_tie_same_owner"] == "owner_names":
            names = {f"name {knight.name}": knight for knight in best}
            winner = names[(yield Question("name", best[0].seat, frozenset(names)))]
        self.day_winners.append(winner)
        if winner:
            self.counts["days_won"] += 1
            listed = self.o["day_bonus"]
            bonus = listed[self.day] if self.day < len(listed) else listed[-1] + self.day - len(listed) + 1
            winner.premiums += bonus
            if winner.lady and (winner.standing or self.o["fallen_lady"] == "paid"):
                winner.lady.premiums += bonus

    def _best_of_day(self) -> list[Knight]:
        """R22: return the knights among whom the day's winner is, or nobody."""
        if not any(knight.today for knight in self.knights):
            return []
        whole = self.o["day_winner_scope"] == "tournament"

        def won(card: Knight | Lady) -> int:
            return card.premiums if whole else card.today

        among = [k for k in self.knights if k.standing or self.o["day_winner_among"] == "all"]
        if self.o["day_winner"] == "player":
            totals = [sum(won(knight) for knight in among if knight.seat == seat) for seat in range(self.players)]
            if self.o["day_player_counts"] == "knights_and_ladies":
                for lady in self.ladies:
                    totals[lady.seat] += won(lady)
            if totals.count(max(totals)) > 1:
                return []
            among = [knight for knight in among if knight.seat == totals.index(max(totals))]
            return [knight for knight in among if won(knight) == max(map(won, among))]
        most = max((won(knight) for knight in among), default=0)
        return [knight for knight in among if won(knight) == most and most > 0]

    def _night(self) -> None:
        """R23: the favours go back, the wounds heal."""
        for knight in self.knights:
            if self.able(knight):
                rest = 0 if knight.riding else self.o["rest_recovery"]
                knight.wounds = max(0, knight.wounds - self.o["night_recovery"] - rest)
            knight.riding = knight.standing = False
            knight.lamed = 0
            knight.lady = None
            knight.today = 0
        for lady in self.ladies:
            lady.today = 0
            lady.offered.clear()

    # The end.

    def _final_bonus(self) -> None:
        """R27: the best knight and the best lady are honoured."""
        for cards in (self.knights, self.ladies):
            most = max((card.premiums for card in cards), default=0)
            best = [card for card in cards if card.premiums == most and most > 0]
            if len(best) > 1:
                if self.o["final_bonus_tie"] == "none":
                    best = []
                elif self.o["final_bonus_tie"] == "share_owner":
                    best = best[:1] if len({card.seat for card in best}) == 1 else []
            for card in best:
                card.premiums += self.o["final_bonus"]

    def _victory(self) -> Ask:
        """R28, R29: the most premiums win; a tie is fought out."""
        scores = [self.score(seat) for seat in range(self.players)]
        winners = [seat for seat in range(self.players) if scores[seat] == max(scores)]
        if len(winners) > 1 and self.o["playoff"] == "ladder":
            winners = yield from self._playoff(winners)
        self.counts["chips_out"] += self.chips == 0
        for seat in winners:
            self.shares[seat] = WHOLE_WIN // len(winners)

    def _playoff(self, tied: list[int]) -> Ask:
        """R29: return the seats that share the win after the duels."""
        contenders: list[Knight] = []
        for seat in tied:
            able = {f"pick {knight.name}": knight for knight in self._of(seat) if self.able(knight)}
            if len(able) > 1:
                contenders.append(able[(yield Question("playoff", seat, frozenset(able)))])
            else:
                contenders += able.values()
        if not contenders:
            return tied
        champion = contenders[0]
        for i, challenger in enumerate(contenders[1:], 1):
            if self.o["playoff_wounds"] == "fresh":
                champion.wounds = challenger.wounds = 0
                champion.lamed = challenger.lamed = 0
            if not self.able(champion):  # carried wounds of a duel he won by `double_knockout`
                champion = challenger
                continue
            self.counts["playoffs"] = 1
            winner = yield from self._joust(champion, challenger, self.o["days"], may_yield=False)
            if winner is None:
                return [champion.seat, *(knight.seat for knight in contenders[i:])]
            champion = winner
        return [champion.seat]


def _short(card: Any) -> str:
    return card.name.split()[0]
