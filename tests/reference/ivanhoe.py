"""Ivanhoe in plain, slow Python, written from the rules alone: what the fast kernel is checked against.

A game is one generator that asks for decisions; cards are their names and moves are text, as a written
game has them. What chance decides is told from outside: the dealt cards, each card that is drawn from
the stack or knocked down. It keeps the measures of a game, too, the fortune of the cards and what each
player knows of other hands. Rule ids (I1 to I17) stand beside what they rule.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Generator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

COLOURS = ["purple", "red", "blue", "yellow", "green"]
WEAPONS = ["red", "blue", "yellow"]
SPECIALS = ["shield", "stunned"]

Ask = Generator["Question", str, Any]


def is_numbered(card: str) -> bool:
    """Return whether a card goes into a display."""
    return card[-1].isdigit()


def value(card: str) -> int:
    """Return the printed value of a card."""
    return int(card.split()[-1])


def is_supporter(card: str) -> bool:
    """Return whether a card is a squire or a maiden."""
    return card.split()[0] in ("squire", "maiden")


@dataclass(frozen=True)
class Question:
    """A decision that somebody has to make."""

    phase: str
    seat: int
    legal: list[str]


@dataclass
class Player:
    """What a player has: his hand, his display in order, special cards before him, tokens."""

    seat: int
    hand: list[str]
    display: list[str] = field(default_factory=list)
    front: list[str] = field(default_factory=list)
    tokens: set[str] = field(default_factory=set)
    is_in: bool = True
    dealt: set[str] = field(default_factory=set)
    drawn: set[str] = field(default_factory=set)
    used: set[str] = field(default_factory=set)
    used_now: set[str] = field(default_factory=set)
    earned: Counter = field(default_factory=Counter)
    knows: dict[int, Counter] = field(default_factory=lambda: defaultdict(Counter))  # seat: cards in his hand


class Reference:
    """A game in progress: `question` is the decision to be made, None when it is over."""

    def __init__(
        self,
        options: Mapping[str, Any],
        hands: Sequence[list[str]],
        stack: list[str],
        starter: int,
        drawn: Callable[[], str],
        stolen: Callable[[], str],
    ) -> None:
        """`hands` and `stack` as they lie before the first draw, in any order."""
        self.rules = options
        self.players = [Player(seat, list(hand)) for seat, hand in enumerate(hands)]
        self.stack, self.discards = list(stack), list[str]()
        self.drawn, self.stolen = drawn, stolen
        self.measures: Counter = Counter()
        self.course: list[list[int]] = []
        self.starter = starter
        for player in self.players:
            player.dealt = set(player.hand)
        self.colour: str | None = None
        self.after_purple = False
        self.turns = self.tournaments = 0
        self.winner: int | None = None
        self.active = self.players[starter]
        self.played = self.added = 0
        need = options["tokens_to_win"]
        self.need = (5 if len(hands) < 4 else 4) if need == "by_players" else need  # I8
        self._game = self._tournaments()
        self.question: Question | None = next(self._game, None)

    def play(self, text: str) -> None:
        """Make the decision that is asked for."""
        try:
            self.question = self._game.send(text)
        except StopIteration:
            self.question = None

    # The course

    def _tournaments(self) -> Ask:
        while True:
            stopped = yield from self._tournament()
            if stopped:
                return
            if len(self.active.tokens) >= self.need:  # I8
                self.winner = self.active.seat
                return

    def _tournament(self) -> Ask:
        """Play a tournament; the active player starts it, and has won it at the end."""
        self.colour = None
        for player in self.players:
            player.is_in = True
        while True:  # I3: until somebody can start
            if not self._new_turn():
                return True
            colours = [c for c in COLOURS if self._can_start(c)]
            if colours:
                answer = yield Question("start", self.active.seat, [f"start {c}" for c in colours])
                self.colour = answer.split()[1]
                self.starter = self.active.seat
                break
            yield Question("start", self.active.seat, ["pass"])
            self.measures["starts_passed"] += 1
            for player in self.players:
                if player is not self.active:
                    player.knows[self.active.seat] = Counter(self.active.hand)
            self.active = self._left(self.active)
        opening = True
        while True:
            withdrew = yield from self._turn(opening)
            opening = False
            if withdrew:
                yield from self._withdraw(self.active)
                if len([p for p in self.players if p.is_in]) == 1:
                    break
            self.active = self._next_in(self.active)
            if not self._new_turn():
                return True
        self.active = self._next_in(self.active)
        yield from self._prize(self.active)
        return False

    def _new_turn(self) -> bool:
        """I2, I10: begin a turn with a draw; return False if the game has lasted too long."""
        if self.turns >= self.rules["max_turns"]:
            self.measures["stopped"] += 1
            return False
        self.turns += 1
        self.played = self.added = 0
        if not self.stack:
            self._reshuffle()
        if self.stack:
            card = self.drawn()
            self.stack.remove(card)
            self.active.hand.append(card)
            self.active.drawn.add(card)
        if not self.stack and self.rules["reshuffle"] == "on_last_drawn":
            self._reshuffle()
        return True

    def _reshuffle(self) -> None:
        if self.discards:
            self.stack, self.discards = self.discards, []
            self.measures["shuffles"] += 1

    def _left(self, player: Player) -> Player:
        return self.players[(player.seat + 1) % len(self.players)]

    def _next_in(self, player: Player) -> Player:
        player = self._left(player)
        while not player.is_in:
            player = self._left(player)
        return player

    def _can_start(self, colour: str) -> bool:
        """I3."""
        if colour == "purple" and self.after_purple:
            return False
        if self.rules["start_on_action"] and self._can_start_on_action(colour):
            return True
        return any(is_numbered(c) and (is_supporter(c) or c.split()[0] == colour) for c in self.active.hand)

    def _can_start_on_action(self, colour: str) -> bool:
        """I3: whether an action card could be played at once, with all displays empty."""
        useful = {"shield", "stunned"}
        if colour == "purple":
            useful.add("unhorse")
        if colour in WEAPONS:
            useful |= {"change weapon", "drop weapon"}
        if any(p.hand for p in self.players if p is not self.active):
            useful.add("knock down")
        return bool(useful & set(self.active.hand))

    def total(self, player: Player) -> int:
        """I5."""
        return len(player.display) if self.colour == "green" else sum(map(value, player.display))

    def _is_ahead(self) -> bool:
        """I2."""
        best = max(self.total(p) for p in self.players if p is not self.active)
        mine = self.total(self.active)
        return mine > best or (self.rules["tie_stays"] and mine == best)

    def _turn(self, opening: bool) -> Ask:
        """Ask for cards until the turn ends; return whether the player withdraws."""
        me = self.active
        while True:
            moves = [f"play {c}" for c in sorted(set(me.hand)) if is_numbered(c) and self._may_lay(c)]
            bare = opening and not me.display
            if not bare or self.rules["start_with_action"] or self.rules["start_on_action"]:
                for card in sorted(set(me.hand)):
                    if not is_numbered(card) and card != "ivanhoe":
                        moves += [f"play {text}" for text in self._uses(card)]
            level = self.total(me) >= max(self.total(p) for p in self.players if p is not me)
            if self.played and (level if bare and self.rules["start_on_action"] else self._is_ahead() and not bare):
                moves.append("end")
            if not opening or not moves:  # I3: who starts stays
                moves.append("withdraw")
            answer = yield Question("play", me.seat, moves)
            if answer in ("end", "withdraw"):
                return answer == "withdraw"
            self.played += 1
            text = answer.removeprefix("play ")
            if is_numbered(text.replace('"', "")) and text in me.hand:
                self._leave_hand(me, text)
                me.display.append(text)
                self.added += 1
                self._use(me, text)
                self.measures["starter_cards" if me.seat == self.starter else "other_cards"] += 1
            else:
                yield from self._action(text)

    def _use(self, player: Player, card: str) -> None:
        player.used.add(card)
        player.used_now.add(card)

    def _leave_hand(self, owner: Player, card: str, seen_by: Sequence[Player] | None = None) -> None:
        """A card leaves a hand; to those who do not see which it may have been any."""
        owner.hand.remove(card)
        for viewer in self.players:
            known = viewer.knows[owner.seat]
            lost = [card] if seen_by is None or viewer in seen_by else list(known)
            viewer.knows[owner.seat] = known - Counter(lost)

    def _may_add(self) -> bool:
        """I15: Stunned."""
        return self.added == 0 or "stunned" not in self.active.front

    def _may_lay(self, card: str) -> bool:
        """I4."""
        if not self._may_add():
            return False
        if card.startswith("maiden"):
            return self.active.display.count(card) < self.rules["maiden_limit"]
        return is_supporter(card) or card.split()[0] == self.colour

    def _withdraw(self, player: Player) -> Ask:
        """I6."""
        had_maiden = "maiden 6" in player.display
        self._clear(player)
        player.is_in = False
        self.measures["withdrawals"] += 1
        self.measures["maiden_withdrawals"] += had_maiden
        costs = min(self.rules["maiden_penalty"], len(player.tokens)) if had_maiden else 0
        self.measures["maiden_losses"] += costs > 0
        for left in range(costs, 0, -1):
            token = next(iter(player.tokens))
            if len(player.tokens) > left:
                held = [c for c in COLOURS if c in player.tokens]
                answer = yield Question("give", player.seat, [f"give back {c}" for c in held])
                token = answer.split()[-1]
            player.tokens.remove(token)

    def _clear(self, player: Player) -> None:
        self.discards += player.display + player.front
        player.display, player.front = [], []

    def _prize(self, player: Player) -> Ask:
        """I7."""
        token = self.colour
        if self.colour == "purple":
            lacking = [c for c in COLOURS if c not in player.tokens]
            token = lacking[0]
            if len(lacking) > 1:
                answer = yield Question("take", player.seat, [f"take {c}" for c in lacking])
                token = answer.split()[-1]
        assert token is not None
        if token not in player.tokens:
            self.measures["tokens_won"] += 1
            player.earned.update(player.used_now)
        player.tokens.add(token)
        self.measures[f"{self.colour}_won"] += 1
        self.measures["starter_wins"] += player.seat == self.starter
        for each in self.players:
            each.used_now = set()
        self.course.append([len(each.tokens) for each in self.players])
        self.after_purple = self.colour == "purple"
        self.tournaments += 1
        self._clear(player)

    # Action cards

    def _opponents(self) -> list[Player]:
        return [p for p in self.players if p.is_in and p is not self.active]

    def _touched(self, spared: Player | None = None) -> list[Player]:
        """I15: the players whose displays a card of the active player can touch."""
        return [self.active] * (self.active is not spared) + [
            p for p in self._opponents() if "shield" not in p.front and p is not spared
        ]

    def _can_lose(self, player: Player) -> bool:
        """I9: whether one card can go without emptying the display."""
        return len(player.display) > (1 if self.rules["last_card_guard"] else 0)

    def _without(self, player: Player, doomed: Callable[[str], bool]) -> list[str]:
        """I9: a display after some of its cards have gone; the first one stays if all would go."""
        left = [c for c in player.display if not doomed(c)]
        if player.display and not left and self.rules["last_card_guard"]:
            left = player.display[:1]
        return left

    def _doomed(self, card: str, spared: Player | None = None) -> Callable[[str], bool]:
        """I12, I13: which cards of a display a card discards."""
        if card == "break lance":
            return lambda c: c.startswith("purple")
        if card == "disgrace":
            return is_supporter
        looked_at = self.players if self.rules["charge_counts_shielded"] else self._touched(spared)
        values = [value(c) for p in looked_at for c in p.display]
        if not values:
            return lambda c: False
        extreme = min(values) if card == "charge" else max(values)
        return lambda c: value(c) == extreme

    def _uses(self, card: str) -> list[str]:
        """I9: all ways to play an action card that have an effect."""
        me, opponents = self.active, self._opponents()
        aimed = [p for p in self._touched() if p is not me]
        if card == "unhorse":
            return [f"unhorse {c}" for c in WEAPONS if self.colour == "purple"]
        if card == "change weapon":
            return [f"change weapon {c}" for c in WEAPONS if self.colour in WEAPONS and c != self.colour]
        if card == "drop weapon":
            return ["drop weapon"] if self.colour in WEAPONS else []
        if card == "break lance":
            doomed = self._doomed(card)
            return [f"break lance {p.seat + 1}" for p in aimed if self._without(p, doomed) != p.display]
        if card == "riposte":
            return [f"riposte {p.seat + 1}" for p in aimed if self._can_riposte(p)]
        if card == "dodge":
            return [f'dodge {p.seat + 1} "{c}"' for p in aimed if self._can_lose(p) for c in set(p.display)]
        if card == "retreat":
            return [f'retreat "{c}"' for c in set(me.display) if self._can_lose(me)]
        if card == "knock down":
            blocked = self.rules["knock_down_vs_shield"] == "blocked" or self.rules["shield_stops"] == "all_but_outwit"
            others = [p for p in self.players if p is not me and p.hand]  # I17
            return [f"knock down {p.seat + 1}" for p in others if not (blocked and "shield" in p.front)]
        if card == "stunned":
            proof = self.rules["shield_stops"] == "all_but_outwit"
            return [f"stunned {p.seat + 1}" for p in opponents if not (proof and "shield" in p.front)]
        if card == "shield":
            return ["shield"]
        if card == "outwit":
            return [text for p in opponents for text in self._swaps(p)]
        if card == "outmaneuver":
            return [card] if any(self._can_lose(p) for p in aimed) else []
        if card == "adapt":
            return [card] if any(len(set(map(value, p.display))) < len(p.display) for p in self._touched()) else []
        doomed = self._doomed(card)
        return [card] if any(self._without(p, doomed) != p.display for p in self._touched()) else []

    def _can_riposte(self, player: Player) -> bool:
        if not player.display or not self._can_lose(player) or not self._may_add():
            return False
        maidens = self.active.display.count("maiden 6")
        return player.display[-1] != "maiden 6" or maidens < self.rules["maiden_limit"]

    def _swaps(self, other: Player) -> list[str]:
        """I14: all swaps with a player."""
        me, start = self.active, f"outwit {other.seat + 1}"
        specials = [c for c in other.front if c in SPECIALS]
        if self.rules["outwit"] == "special_for_outwit":
            return [f'{start} give "outwit" take "{c}"' for c in specials]
        takes = set(specials)
        if "shield" not in other.front or self.rules["outwit_vs_shield"] == "display_too":
            takes |= set(other.display)
        gives = set(me.display) | {c for c in me.front if c in SPECIALS}
        return [
            f'{start} give "{give}" take "{take}"'
            for give in gives
            for take in takes
            if give != take and self._swap_fits(me, give, take) and self._swap_fits(other, take, give)
        ]

    def _swap_fits(self, player: Player, gone: str, come: str) -> bool:
        """I4, I9: whether a display may lose one card and get another."""
        display = list(player.display)
        if is_numbered(gone):
            display.remove(gone)
        if is_numbered(come):
            display.append(come)
        if not display and player.display and self.rules["last_card_guard"]:
            return False
        return come != "maiden 6" or display.count(come) <= self.rules["maiden_limit"]

    def _action(self, text: str) -> Ask:
        """Play an action card: ask for Ivanhoe, then do what it says."""
        card = next(c for c in self.active.hand if text == c or text.startswith(f"{c} "))
        self._leave_hand(self.active, card)
        self.discards.append(card)
        self.measures["actions"] += 1
        self._use(self.active, card)
        words = text.removeprefix(card).strip()
        spared = None
        for player in self._opponents():
            if "ivanhoe" in player.hand and self._may_answer(player, card, words):
                answer = yield Question("answer", player.seat, ["let pass", "cancel"])
                if answer == "cancel":
                    self._leave_hand(player, "ivanhoe")
                    self.discards.append("ivanhoe")
                    self.measures["cancels"] += 1
                    self._use(player, "ivanhoe")
                    if self.rules["ivanhoe_scope"] == "cancel" or words:  # I16: aimed at him alone
                        return
                    spared = player
                break
        yield from self._do(card, words, spared)

    def _may_answer(self, player: Player, card: str, words: str) -> bool:
        """I16: any card, or with `protect_self` one that touches the player."""
        if self.rules["ivanhoe_scope"] == "cancel":
            return True
        if card in ("outmaneuver", "charge", "countercharge", "disgrace", "adapt"):
            return bool(player.display) and "shield" not in player.front
        aimed = ("break lance", "riposte", "dodge", "knock down", "outwit", "stunned")
        return card in aimed and words.split()[0] == str(player.seat + 1)

    def _do(self, card: str, words: str, spared: Player | None) -> Ask:
        me = self.active
        target = self.players[int(words.split()[0]) - 1] if words[:1].isdigit() else me
        quoted = words.split('"')[1::2]
        if card in ("unhorse", "change weapon"):
            self.colour = words
        elif card == "drop weapon":
            self.colour = "green"
        elif card == "riposte":
            me.display.append(target.display.pop())
            self.added += 1
        elif card == "dodge":
            self._take_last(target, quoted[0])
            self.discards.append(quoted[0])
        elif card == "retreat":
            self._take_last(me, quoted[0])
            me.hand.append(quoted[0])
            for viewer in self.players:
                if viewer is not me:
                    viewer.knows[me.seat][quoted[0]] += 1
        elif card == "knock down":
            stolen = self.stolen()
            self._leave_hand(target, stolen, seen_by=[me])
            me.hand.append(stolen)
            target.knows[me.seat][stolen] += 1
        elif card in SPECIALS:
            self.discards.remove(card)
            target.front.append(card)
        elif card == "outwit":
            self._swap(me, target, quoted[0], quoted[1])
        elif card == "outmaneuver":
            for player in self._touched(spared):
                if player is not me and player.display and self._can_lose(player):
                    self.discards.append(player.display.pop())
        elif card == "adapt":
            yield from self._adapt(spared)
        else:
            doomed = self._doomed(card, spared)
            for player in [target] if card == "break lance" else self._touched(spared):
                left = self._without(player, doomed)
                for c in left:
                    player.display.remove(c)
                self.discards += player.display
                player.display = left

    def _take_last(self, player: Player, card: str) -> None:
        """Take the last of like cards from a display."""
        place = len(player.display) - 1 - player.display[::-1].index(card)
        del player.display[place]

    def _swap(self, me: Player, other: Player, give: str, take: str) -> None:
        for giver, card in ((other, take), (me, give)):
            if is_numbered(card):
                self._take_last(giver, card)
            elif card == "outwit":
                self.discards.remove(card)
            else:
                giver.front.remove(card)
        for getter, card in ((me, take), (other, give)):
            (getter.display if is_numbered(card) else getter.front).append(card)

    def _adapt(self, spared: Player | None) -> Ask:
        """I13: owners pick among different cards of a value; of like ones the first stays."""
        n, touched = len(self.players), self._touched(spared)
        for player in sorted(touched, key=lambda p: (p.seat - self.active.seat) % n):
            for worth in range(1, 8):
                equals = sorted({c for c in player.display if value(c) == worth})
                if len(equals) > 1:
                    answer = yield Question("keep", player.seat, [f"keep {c}" for c in equals])
                    kept = answer.removeprefix("keep ")
                    self.discards += [c for c in player.display if value(c) == worth and c != kept]
                    player.display = [c for c in player.display if value(c) != worth or c == kept]
        for player in touched:
            left = list(dict.fromkeys(player.display))
            for c in left:
                player.display.remove(c)
            self.discards += player.display
            player.display = left
