"""Die Glücksritter in plain, slow Python, written from the rules alone: what the fast kernel is checked against.

A game is one generator that asks for decisions in the order in which the rulebook tells the round;
moves are text, as a written game has them. Whatever is drawn or rolled comes from outside (`Luck`)
and is checked: a card that is not in the stack or a coin that is not in the bag is refused. Rule
ids (G1 to G14) stand beside what they rule.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Generator, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from typing import Any, Protocol

WHOLE_WIN = 2520
RED = ("tax", "toll", "wall", "tower", "pardon")
ONE, TWO = 1, 2
BOX = {ONE: 60, TWO: 40}  # G1


class Luck(Protocol):
    """What chance decides."""

    def ducat_card(self) -> int: ...

    def coins(self, number: int) -> Mapping[int, int]: ...

    def document(self, seat: int) -> str: ...

    def die(self, seat: int) -> int: ...

    def special(self) -> str: ...


class Impossible(AssertionError):
    """Chance brought something that cannot be there."""


@dataclass(frozen=True)
class Question:
    """A decision that somebody has to make."""

    phase: str
    seat: int
    legal: Sequence[str]


@dataclass
class Player:
    """What lies before a player."""

    seat: int
    coins: dict[int, int]
    walls: int = 0
    towers: int = 0
    jailed: bool = False
    pardoned: bool = False
    documents: Counter = field(default_factory=Counter)
    drawn: set[str] = field(default_factory=set)
    played: set[str] = field(default_factory=set)
    laid_down: list[str] = field(default_factory=list)
    picked: tuple[int, ...] = ()
    permits: set[str] = field(default_factory=set)

    @property
    def parts(self) -> int:
        return self.walls + self.towers

    @property
    def money(self) -> int:
        return sum(value * n for value, n in self.coins.items())

    def can_play(self, document: str) -> bool:
        """G7: never the same document twice in a round."""
        return self.documents[document] > 0 and document not in self.played


Ask = Generator[Question, str, Any]


class Reference:
    """One game; `question` is what is asked now, None at the end."""

    def __init__(self, deck: Any, players: int, options: Mapping[str, Any], luck: Luck) -> None:
        self.options = options
        self.luck = luck
        self.ducat_cards = [(card.tax, card.toll) for card in deck.ducats]
        self.ducats_used: list[int] = []
        self.stack: Counter = Counter()
        if options["documents"] != "none":  # G2
            self.stack.update({document.kind: document.copies for document in deck.documents})
        self.discard: Counter = Counter()
        start = {ONE: options["start_ones"], TWO: options["start_twos"]}  # G3
        self.players = [Player(seat, dict(start)) for seat in range(players)]
        self.bag = {value: BOX[value] - players * start[value] for value in BOX}
        self.fields = {5: {ONE: 0, TWO: 0}, 6: {ONE: 0, TWO: 0}}
        self.round = 0
        self.dear = False
        self.shares = [0] * players
        self.stopped = False
        self.counts: Counter = Counter()  # what a game is asked about in the end, by the names of its measures
        self.course: list[list[int]] = []  # castle parts of the players after each round
        self._run = self._game()
        self.question: Question | None = next(self._run)

    def play(self, text: str, luck: Luck) -> None:
        """Answer the question."""
        assert self.question is not None
        assert text in self.question.legal, (text, self.question)
        self.luck = luck
        try:
            self.question = self._run.send(text)
        except StopIteration:
            self.question = None

    # The round

    def _game(self) -> Ask:
        while True:
            self.round += 1
            yield from self._round()
            self.counts["rounds"] += 1
            self.course.append([player.parts for player in self.players])
            winners = self._winners()
            if winners:  # G11
                self.counts["tie_breaks"] = int(len(self._complete()) > len(winners))
                for player in winners:
                    self.shares[player.seat] = WHOLE_WIN // len(winners)
                return
            if self.round == self.options["max_rounds"]:  # G14
                self.stopped = True
                self.counts["unfinished"] = 1
                return

    def _round(self) -> Ask:
        for player in self._in_order():
            player.pardoned = False
            player.played, player.permits, player.laid_down, player.picked = set(), set(), [], ()
        if self.options["ransom_timing"] == "before_ducats":
            yield from self._ransoms()
        self._lay_coins()
        for player in self._in_order():
            if player.can_play("bill"):
                answer = yield Question("exchange", player.seat, ["keep", *self._exchanges(player)])
                if answer != "keep":
                    yield from self._exchange(player, answer)
        if self.options["ransom_timing"] == "after_ducats":
            yield from self._ransoms()
        if self.options["red_timing"] == "before_choice":
            yield from self._red_documents()
            yield from self._choice()
        else:
            yield from self._choice()
            yield from self._red_documents()
        for card in range(1, 7):
            who = self._who_picked(card)
            self.counts["cards_turned"] += len(who) > 0
            self.counts["contested"] += len(who) > 1
        yield from self._monks()
        yield from self._builders(2, "wall")
        yield from self._builders(3, "tower")
        yield from self._knights()
        yield from self._share_out(5)
        yield from self._share_out(6)

    def _ransoms(self) -> Ask:
        """G5: who has his knight in the dungeon may buy him free."""
        for player in self._in_order():
            if player.jailed and player.money >= self.options["ransom"]:
                answer = yield Question("ransom", player.seat, ["wait", "ransom"])
                if answer == "ransom":
                    player.jailed = False
                    self.counts["ransoms"] += 1
                    yield from self._pay(player, self.options["ransom"])

    def _in_order(self) -> list[Player]:
        """G8: seat order from a start seat that moves left every round."""
        n = len(self.players)
        first = 0 if self.options["same_card_order"] == "fixed" else (self.round - 1) % n
        return [self.players[(first + i) % n] for i in range(n)]

    def _who_picked(self, card: int) -> list[Player]:
        return [player for player in self._in_order() if card in player.picked]

    def _lay_coins(self) -> None:
        """G4: a ducat card says how many coins come onto field 5 and field 6."""
        if len(self.ducats_used) == len(self.ducat_cards):
            self.ducats_used = []
        card = self.luck.ducat_card()
        if card in self.ducats_used:
            raise Impossible(f"ducat card {card} is used up")
        self.ducats_used.append(card)
        for number, count in zip((5, 6), self.ducat_cards[card], strict=True):
            drawn = self.luck.coins(number)
            if sum(drawn.values()) != min(count, sum(self.bag.values())):
                raise Impossible(f"{drawn} drawn, {count} coins are due")
            for value, n in drawn.items():
                self._move(self.bag, self.fields[number], value, n)

    @staticmethod
    def _move(source: dict[int, int], target: dict[int, int], value: int, n: int) -> None:
        """G13: a coin leaves one place for another."""
        if source[value] < n:
            raise Impossible(f"{n} coins of {value} where there are {source[value]}")
        source[value] -= n
        target[value] += n

    def _choice(self) -> Ask:
        """G6: two of the six cards; a jailed knight cannot be picked."""
        for player in self._in_order():
            cards = [card for card in range(1, 7) if card != 4 or not player.jailed]
            answer = yield Question("pick", player.seat, [f"pick {a} {b}" for a, b in combinations(cards, 2)])
            player.picked = tuple(int(word) for word in answer.split()[1:])

    # Documents

    def _red_documents(self) -> Ask:
        """G7: laid down by everybody first, revealed together, and done in order."""
        for player in self._in_order():
            red = [document for document in RED if player.can_play(document)]
            if red:
                some = [list(c) for n in range(len(red) + 1) for c in combinations(red, n)]
                legal = [f"play {' '.join(documents) or 'none'}" for documents in some]
                answer = yield Question("red", player.seat, legal)
                player.laid_down = [word for word in answer.split()[1:] if word != "none"]
        grown: set[tuple[int, int]] = set()
        for player in self._in_order():
            for document in player.laid_down:
                self._put_away(player, document)
                if document in ("tax", "toll"):
                    lying = self.fields[5 if document == "tax" else 6]
                    for value in (ONE, TWO):
                        n = lying[value] // 2
                        self._move(lying, player.coins, value, n)
                        if n:
                            grown.add((player.seat, value))
                elif document == "pardon":
                    player.jailed, player.pardoned = False, True
                else:
                    player.permits.add(document)
            player.laid_down = []
        yield from self._enough(grown)

    def _put_away(self, player: Player, document: str) -> None:
        player.documents[document] -= 1
        player.played.add(document)
        self.discard[document] += 1
        self.counts["documents_played"] += 1

    def _exchanges(self, player: Player) -> Iterator[str]:
        """G2: a bill of exchange changes coins with the bag at equal value."""
        for ones in range(2, min(player.coins[ONE], 2 * self.bag[TWO]) + 1, 2):
            yield f"exchange {ones} ones"
        for twos in range(1, min(player.coins[TWO], self.bag[ONE] // 2) + 1):
            yield f"exchange {twos} twos"

    def _exchange(self, player: Player, answer: str) -> Ask:
        self._put_away(player, "bill")
        _, n, kind = answer.split()
        if kind == "ones":
            self._move(player.coins, self.bag, ONE, int(n))
            self._move(self.bag, player.coins, TWO, int(n) // 2)
            yield from self._enough({(player.seat, TWO)})
        else:
            self._move(player.coins, self.bag, TWO, int(n))
            self._move(self.bag, player.coins, ONE, 2 * int(n))
            yield from self._enough({(player.seat, ONE)})

    # Enough is enough

    def _enough(self, grown: set[tuple[int, int]]) -> Ask:
        """G12: look at the coins that have become more, in order, ones before twos."""
        for player in self._in_order():
            for value in (ONE, TWO):
                if (player.seat, value) in grown:
                    yield from self._too_many(player, value)

    def _too_many(self, player: Player, value: int) -> Ask:
        while player.coins[value] >= 8:
            ways = ["give back"]
            if player.can_play("gifts"):
                ways.append("gifts")
            bill = player.can_play("bill")
            if bill:
                ways += self._exchanges(player)
            answer = "give back"
            if bill or "gifts" in ways:
                answer = yield Question("limit", player.seat, ways)
            if answer == "gifts":
                self._put_away(player, "gifts")
                return
            if answer == "give back":
                while player.coins[value] >= 8:
                    n = player.coins[value] - 7 if self.options["coin_limit"] == "cap_7" else player.coins[value] // 2
                    self._move(player.coins, self.bag, value, n)
                    self.counts["wasted"] += n * value
                return
            self._put_away(player, "bill")
            _, n, kind = answer.split()
            given, got = (ONE, TWO) if kind == "ones" else (TWO, ONE)
            self._move(player.coins, self.bag, given, int(n))
            self._move(self.bag, player.coins, got, int(n) * given // got)
            if got == ONE and value == TWO:  # the ones, which come first, have become more
                yield from self._too_many(player, ONE)
            elif got == TWO and value == ONE:
                yield from self._too_many(player, ONE)
                yield from self._too_many(player, TWO)
                return

    # Paying

    def _pay(self, player: Player, price: int) -> Ask:
        """G9: exactly, with which coins the option says; change only where no exact payment is possible."""
        ways = []
        for ones in range(min(price, player.coins[ONE]), -1, -1):
            twos, odd = divmod(price - ones, 2)
            if not odd and twos <= player.coins[TWO]:
                ways.append((ones, twos))
        if ways:
            ones, twos = ways[-1 if self.options["payment"] == "twos_first" else 0]
            if self.options["payment"] == "chosen" and len(ways) > 1:
                answer = yield Question("pay", player.seat, [f"pay {a} ones {b} twos" for a, b in ways])
                ones, twos = int(answer.split()[1]), int(answer.split()[3])
            self._move(player.coins, self.bag, ONE, ones)
            self._move(player.coins, self.bag, TWO, twos)
            return
        self._move(player.coins, self.bag, TWO, (price + 1) // 2)
        if self.options["change"] == "from_bag" and self.bag[ONE]:
            self._move(self.bag, player.coins, ONE, 1)

    # The cards

    def _monks(self) -> Ask:
        """G8, card 1."""
        monks = self._who_picked(1)
        if len(monks) == 1:
            self._draw_document(monks[0])
            return
        for player in monks:
            left = self.stack.total() or (self.options["documents_return"] and self.discard.total())
            if left and player.money >= self.options["monk_price"]:
                answer = yield Question("document", player.seat, ["decline", "pay"])
                if answer == "pay":
                    yield from self._pay(player, self.options["monk_price"])
                    self._draw_document(player)

    def _draw_document(self, player: Player) -> None:
        if not self.stack.total() and self.options["documents_return"]:  # G7
            self.stack, self.discard = self.discard, Counter()
        if not self.stack.total():
            return
        document = self.luck.document(player.seat)
        if not self.stack[document]:
            raise Impossible(f"no {document} in the stack")
        self.stack[document] -= 1
        player.documents[document] += 1
        player.drawn.add(document)
        self.counts["documents_drawn"] += 1

    def _builders(self, card: int, part: str) -> Ask:
        """G8, cards 2 and 3."""
        builders = self._who_picked(card)
        counted = len(builders)
        if self.options["price_basis"] == "able":
            self.dear = False
            counted = sum(self._affordable(player, part) > 0 for player in builders)
        self.dear = counted > 1
        for player in builders:
            most = self._affordable(player, part)
            if most:
                plural = {n: "" if n == 1 else "s" for n in range(most + 1)}
                legal = [f"buy {n} {part}{plural[n]}" for n in range(most + 1)]
                answer = yield Question(f"{part}s", player.seat, legal)
                n = int(answer.split()[1])
                self._build(player, part, n)
                self.counts[f"{part}s"] += n
                self.counts["dear_parts"] += n if self.dear else 0
                yield from self._pay(player, n * self._price(player, part))

    def _price(self, player: Player, part: str) -> int:
        price = self.options[f"{part}_{'shared' if self.dear else 'alone'}"]
        return max(0, price - 2) if part in player.permits else price

    def _affordable(self, player: Player, part: str) -> int:
        room = self.options["castle"] - (player.walls if part == "wall" else player.towers)
        return max(n for n in range(3) if n == 0 or (n <= room and n * self._price(player, part) <= player.money))

    @staticmethod
    def _build(player: Player, part: str, n: int) -> None:
        if part == "wall":
            player.walls += n
        else:
            player.towers += n

    def _knights(self) -> Ask:
        """G8, card 4."""
        knights = sorted(self._who_picked(4), key=lambda player: player.seat)
        actor = knights[0] if len(knights) == 1 else None
        if len(knights) == 2:
            self.counts["duels"] += 1
            first, second = (self.luck.die(player.seat) for player in knights)
            if first != second:
                actor = knights[0] if first > second else knights[1]
        if len(knights) > 1:
            for player in knights:
                if player is not actor and not player.pardoned:
                    player.jailed = True
                    self.counts["jailings"] += 1
        if actor is None:
            return
        loot = ["loot both"] if self.options["loot"] == "both" else ["loot 5", "loot 6"]
        raids = [f"raid {victim.seat + 1}" for victim in self._victims(actor)]
        verb, target = (yield Question("raid", actor.seat, loot + raids)).split()
        if verb == "loot":
            n = 0
            self.counts["loots"] += 1
            for number in (5, 6) if target == "both" else (int(target),):
                n += self.fields[number][TWO]
                self._move(self.fields[number], actor.coins, TWO, self.fields[number][TWO])
            self.counts["looted"] += n * TWO
            yield from self._enough({(actor.seat, TWO)} if n else set())
        else:
            yield from self._raid(actor, self.players[int(target) - 1])

    def _victims(self, raider: Player) -> list[Player]:
        n = len(self.players)
        near = ((raider.seat + 1) % n, (raider.seat - 1) % n)
        others = [player for player in self.players if player is not raider]
        return others if self.options["raid_target"] == "any" else [p for p in others if p.seat in near]

    def _raid(self, raider: Player, victim: Player) -> Ask:
        self.counts["raids"] += 1
        if victim.can_play("guard") and (yield Question("guard", victim.seat, ["endure", "guard"])) == "guard":
            self.counts["raids_guarded"] += 1
            self._put_away(victim, "guard")
            return
        shown = self.luck.special()
        if shown == "bag":
            grown = {(raider.seat, value) for value in (ONE, TWO) if victim.coins[value]}
            self.counts["raids_on_money"] += 1
            self.counts["raided"] += victim.money
            for value in (ONE, TWO):
                self._move(victim.coins, raider.coins, value, victim.coins[value])
            yield from self._enough(grown)
        elif shown == "castle":
            has_room = {"wall": raider.walls < self.options["castle"], "tower": raider.towers < self.options["castle"]}
            there = {"wall": victim.walls, "tower": victim.towers}
            any_part = self.options["raid_part"] == "any"
            ways = [part for part in there if there[part] and (has_room[part] or any_part)]
            if not ways:
                return
            part = ways[0]
            if len(ways) == 2:
                part = (yield Question("part", raider.seat, ["take wall", "take tower"])).split()[1]
            self.counts["raids_on_parts"] += 1
            self._build(victim, part, -1)
            if has_room[part]:
                self._build(raider, part, 1)

    def _share_out(self, number: int) -> Ask:
        """G8, cards 5 and 6; what cannot be divided stays (G10)."""
        takers = self._who_picked(number)
        grown = set()
        for value in (ONE, TWO):
            each = self.fields[number][value] // len(takers) if takers else 0
            for player in takers:
                self._move(self.fields[number], player.coins, value, each)
                if each:
                    grown.add((player.seat, value))
        yield from self._enough(grown)

    def _complete(self) -> list[Player]:
        need = self.options["castle"]
        return [player for player in self.players if player.walls == player.towers == need]

    def _winners(self) -> list[Player]:
        """G11: the complete castles; of several the richest."""
        complete = self._complete()
        return [p for p in complete if p.money == max(player.money for player in complete)]
