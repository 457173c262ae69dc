"""Positions: a state in words (`show`), and a state from words (`place`)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from analyzer.engine.game import Table
from analyzer.engine.placing import Placing
from analyzer.engine.trace import Walk
from analyzer.errors import IllegalMove, suggest
from analyzer.games.ivanhoe.cards import (
    ADAPT,
    COLOURS,
    FIRST_ACTION,
    IVANHOE,
    KIND_OF,
    KINDS,
    MAIDEN,
    MOST_CARDS,
    N_KINDS,
    OUTWIT,
    PURPLE,
    SHIELD,
    STUNNED,
    VALUE,
    Deck,
)
from analyzer.games.ivanhoe.kernel import equal_kinds, reaches, touches
from analyzer.games.ivanhoe.rules import PROTECT_SELF, SPECIAL_FOR_OUTWIT
from analyzer.games.ivanhoe.state import (
    ANSWER,
    GIVE,
    HAS_OUTWIT,
    HAS_SHIELD,
    HAS_STUNNED,
    KEEP,
    NONE,
    OVER,
    PHASES,
    PLAY,
    START,
    TAKE,
    move_text,
    read_move,
    total,
)

_FRONT = {"shield": (HAS_SHIELD, SHIELD), "stunned": (HAS_STUNNED, STUNNED), "outwit": (HAS_OUTWIT, OUTWIT)}
_TOP_KEYS = (
    *("phase", "colour", "turn", "asked", "pending", "spared", "owed", "starter", "opening", "after_purple"),
    *("played", "added", "tournaments", "turns", "seats", "stack", "stack_size", "discards", "winner"),
)
_SEAT_KEYS = ("display", "total", "hand", "tokens", *_FRONT, "in", "knows")
_MOST_TURNS = 10_000


def names(counts: Sequence[int]) -> list[str]:
    """Return the cards of counts by kind as names."""
    return [KINDS[k].name for k in range(N_KINDS) for _ in range(int(counts[k]))]


def colours(mask: int) -> list[str]:
    """Return the colours of a set."""
    return [colour for i, colour in enumerate(COLOURS) if int(mask) >> i & 1]


def display(s: Any, seat: int) -> list[str]:
    """Return the cards of a display in order."""
    return [KINDS[k].name for k in s.display[seat][: s.n_display[seat]]]


def show(table: Table, s: Any) -> dict[str, Any]:
    """Return a state in the words of a position file.

    Of the stack stand there the cards that a position has put on top; any of the others may come next.
    """
    seats = []
    for seat in range(table.players):
        row: dict[str, Any] = {
            "display": display(s, seat),
            "total": total(s, seat),
            "hand": names(s.hands[seat]),
            "tokens": colours(s.tokens[seat]),
            "shield": bool(s.front[seat] & HAS_SHIELD),
            "stunned": bool(s.front[seat] & HAS_STUNNED),
            "in": bool(s.within >> seat & 1),
        }
        if s.front[seat] & HAS_OUTWIT:
            row["outwit"] = True
        known = [{"seat": other + 1, "cards": names(s.known[seat, other])} for other in range(table.players)]
        if any(hand["cards"] for hand in known):
            row["knows"] = [hand for hand in known if hand["cards"]]
        seats.append(row)
    position: dict[str, Any] = {
        "phase": PHASES[s.phase],
        "colour": COLOURS[s.colour] if s.colour != NONE else "none",
        "turn": int(s.active) + 1,
    }
    if s.turn != s.active and s.phase != OVER:
        position["asked"] = int(s.turn) + 1
    if s.phase in (ANSWER, KEEP):
        position["pending"] = move_text(table, s, int(s.pending)).removeprefix("play ")
    if s.immune:
        position["spared"] = int(s.immune).bit_length()
    if s.phase == GIVE:
        position["owed"] = int(s.owed)
    position |= {
        "starter": int(s.starter) + 1,
        "opening": bool(s.opening),
        "after_purple": bool(s.after_purple),
        "played": int(s.played),
        "added": int(s.added),
        "tournaments": int(s.tournaments),
        "turns": int(s.turns),
        "seats": seats,
        "stack": [KINDS[k].name for k in s.ahead[: s.n_ahead][::-1]],
        "stack_size": int(s.n_stack),
        "discards": names(s.discards),
    }
    if s.phase == OVER:
        position["winner"] = int(s.winner) + 1 if s.winner != NONE else "none"
    return position


class _Placing(Placing):
    """Counts the cards that have no place yet, too."""

    def __init__(self, table: Table, position: Mapping[str, Any]) -> None:
        super().__init__(table, position)
        self.deck: Deck = table.deck
        self.left = list(self.deck.copies)  # cards that have no place yet

    def cards(self, key: str, given: object, numbered: bool = False) -> list[int]:
        """Read a list of names and take these cards from those without a place."""
        kinds = self.kinds(key, given, numbered)
        for kind in kinds:
            self.take(key, kind)
        return kinds

    def kinds(self, key: str, given: object, numbered: bool = False) -> list[int]:
        """Read a list of names."""
        if not isinstance(given, list):
            self.fault(key, given, 'must be a list of cards, like ["red 3", "squire 2", "charge"]')
            return []
        known = [kind.name for kind in (KINDS[:FIRST_ACTION] if numbered else KINDS)]
        kinds = []
        for name in given:
            said = " ".join(str(name).split()).casefold()
            if said in known:
                kinds.append(KIND_OF[said])
            else:
                self.fault(key, name, f"allowed: {', '.join(known)}{suggest(said, known)}")
        return kinds

    def take(self, key: str, kind: int) -> None:
        self.left[kind] -= 1
        if self.left[kind] == -1:
            self.fault(key, KINDS[kind].name, f"the deck has only {self.deck.copies[kind]} of them")


def place(table: Table, position: Mapping[str, Any]) -> np.ndarray:
    """Return a state (in an array of one) from a position in the words of `show`.

    The player whose turn it is has drawn his card. `stack` names the cards that will be drawn next; the
    cards that the position does not name lie below them, and any of these may come.

    Raises
    ------
    BadInput
        naming every fault of the position.
    """
    p = _Placing(table, position)
    p.only("", position, _TOP_KEYS)
    _place_seats(p)
    _place_stack(p)
    for check in (_place_turn, _place_tournament, _place_decision):
        if not p.faults:
            check(p)
    return p.finish()


def _place_seats(p: _Placing) -> None:
    rows = list(p.seats(_SEAT_KEYS, ", ".join(_SEAT_KEYS)))
    for seat, where, row in rows:
        _place_open_cards(p, seat, where, row)
        for k in p.cards(f"{where}.hand", row.get("hand", [])):
            p.s.hands[seat, k] += 1
            p.s.n_hand[seat] += 1
            p.s.holds[seat] |= 1 << k
        tokens = row.get("tokens", [])
        if not isinstance(tokens, list) or any(colour not in COLOURS for colour in tokens):
            p.fault(f"{where}.tokens", tokens, f"a list of: {' | '.join(COLOURS)}")
            tokens = []
        if len(tokens) != len(set(tokens)):
            p.fault(f"{where}.tokens", tokens, "a player has one token of a colour at most (I7)")
        p.s.tokens[seat] = sum(1 << COLOURS.index(colour) for colour in set(tokens))
    for seat, where, row in rows:
        _place_knowledge(p, seat, f"{where}.knows", row.get("knows", []))


def _place_open_cards(p: _Placing, seat: int, where: str, row: Mapping[str, Any]) -> None:
    """Read what lies before a player."""
    s, rules = p.s, p.table.rules
    shown = p.cards(f"{where}.display", row.get("display", []), numbered=True)[:MOST_CARDS]
    s.n_display[seat] = len(shown)
    s.display[seat][: len(shown)] = shown
    s.points[seat] = sum(int(VALUE[k]) for k in shown)
    s.shown[seat] = sum(1 << k for k in set(shown))
    s.maidens[seat] = shown.count(MAIDEN)
    if s.maidens[seat] > rules.maiden_limit:
        p.fault(f"{where}.display", row["display"], f"at most {rules.maiden_limit} maiden (I4)")
    for key, (bit, kind) in _FRONT.items():
        if p.flag(f"{where}.{key}", table=row):
            s.front[seat] |= bit
            p.take(f"{where}.{key}", kind)
    if s.front[seat] & HAS_OUTWIT and rules.outwit != SPECIAL_FOR_OUTWIT:
        p.fault(f"{where}.outwit", True, "Outwit stays before a player only with outwit = special_for_outwit (I14)")
    if p.flag(f"{where}.in", True, row):
        s.within |= 1 << seat
    elif shown or s.front[seat]:
        p.fault(f"{where}.in", False, "who withdrew has no display and no special card before him (I6)")


def _place_knowledge(p: _Placing, seat: int, where: str, given: object) -> None:
    """Read which cards of other hands a seat has seen."""
    s = p.s
    for hand in given if isinstance(given, list) else [given]:
        row = p.only(where, hand, ("seat", "cards"))
        other = p.whole(f"{where}.seat", row.get("seat"), 1, p.table.players, seat + 1) - 1
        if other == seat:
            p.fault(f"{where}.seat", row.get("seat"), "another seat is needed: his own hand everybody knows")
            continue
        for k in p.kinds(f"{where}.cards", row.get("cards", [])):
            s.known[seat, other, k] += 1
            s.seen[other] |= 1 << k
            if s.known[seat, other, k] > s.hands[other, k]:
                p.fault(f"{where}.cards", KINDS[k].name, f"is not in the hand of seat {other + 1}")


def _place_stack(p: _Placing) -> None:
    s = p.s
    for k in p.cards("discards", p.position.get("discards", [])):
        s.discards[k] += 1
    ahead = p.cards("stack", p.position.get("stack", []))
    if p.faults:
        return
    for k in range(N_KINDS):
        s.stack[k] = p.left[k] + ahead.count(k)
    s.n_stack = sum(p.left) + len(ahead)
    s.n_ahead = len(ahead)
    s.ahead[: len(ahead)] = ahead[::-1]
    if p.number("stack_size", 0, MOST_CARDS, int(s.n_stack)) != s.n_stack:
        p.fault("stack_size", p.position.get("stack_size"), f"{s.n_stack} cards of the deck are left for the stack")


def _place_turn(p: _Placing) -> None:
    """Read whose turn it is, what is to be decided, and what has been counted."""
    s, players, position, rules = p.s, p.table.players, p.position, p.table.rules
    s.colour = p.word("colour", position.get("colour", "none"), ("none", *COLOURS)) - 1
    s.phase = p.word("phase", position.get("phase", "start" if s.colour == NONE else "play"), PHASES)
    waits = s.phase in (ANSWER, KEEP)
    s.active = p.number("turn", 1, players, 1) - 1
    s.turn = p.number("asked", 1, players, int(s.active) + 1) - 1
    s.starter = p.number("starter", 1, players, int(s.active) + 1) - 1
    nobody_entered = not any(s.n_display[:players])
    s.opening = p.flag("opening", bool(s.phase == START or (s.phase == PLAY and nobody_entered)))
    s.after_purple = p.flag("after_purple")
    s.played = p.number("played", 0, _MOST_TURNS, int(waits))
    s.added = p.number("added", 0, _MOST_TURNS, 0)
    tokens = sum(_tokens(p, seat) for seat in range(players))
    s.tournaments = p.number("tournaments", 0, _MOST_TURNS, max(tokens, int(s.after_purple)))
    s.turns = p.number("turns", 1, int(rules.max_turns), 1)
    s.winner = NONE
    if s.tournaments < max(tokens, int(s.after_purple)):
        why = f"{tokens} tokens have been won" if tokens else "a purple tournament has ended"
        p.fault("tournaments", position.get("tournaments"), f"too few: {why} (I7)")
    if s.added > s.played:
        p.fault("added", position.get("added"), f"only {s.played} cards have been played in this turn")
    if waits and not s.played:
        p.fault("played", position.get("played"), "the action card that waits has been played")
    for key, wanted, where in (
        ("asked", waits, "only in the phases answer and keep somebody else than `turn` is asked"),
        ("pending", waits, "an action card waits only in the phases answer and keep"),
        ("spared", s.phase == KEEP, "Ivanhoe spares somebody only in the phase keep (I16)"),
        ("owed", s.phase == GIVE, "a token is owed only in the phase give (I6)"),
        ("winner", s.phase == OVER, "there is a winner only in the phase over"),
    ):
        if key in position and not wanted and not (key == "asked" and s.turn == s.active):
            p.fault(key, position[key], where)


def _tokens(p: _Placing, seat: int) -> int:
    return int(p.s.tokens[seat]).bit_count()


def _place_tournament(p: _Placing) -> None:
    """Check that colour, displays and players fit each other."""
    s, players, position = p.s, p.table.players, p.position
    everybody = (1 << players) - 1
    n_within = int(s.within).bit_count()
    if s.phase == OVER:
        return
    if (s.phase == START) != (s.colour == NONE):
        p.fault("colour", position.get("colour"), "a tournament has a colour from the start on, and none before")
    if s.colour == PURPLE and s.after_purple:
        p.fault("colour", "purple", "purple does not follow a tournament that ended purple (I3)")
    if n_within < (1 if s.phase in (GIVE, TAKE) else 2):
        p.fault("seats", None, "at least two players must be in the tournament (I7)")
    if s.phase != GIVE and not s.within >> s.active & 1:
        p.fault("turn", position.get("turn"), "this seat has withdrawn (I6)")
    if s.phase == START and not s.opening:
        p.fault("opening", False, "a start is the opening of a tournament (I3)")
    if s.phase == START and (s.played or any(s.n_display[:players]) or any(s.front[:players])):
        p.fault("phase", "start", "nothing has been played and nothing lies before anybody before a start (I3)")
    if s.opening and s.phase in (GIVE, TAKE):
        p.fault("opening", True, f"in the phase {PHASES[s.phase]} a tournament has been started")
    if s.opening and s.within != everybody:
        p.fault("opening", True, "nobody withdraws before a tournament has been started (I3)")
    if s.opening and s.phase != START and s.starter != s.active:
        p.fault("starter", position.get("starter"), "in the opening turn the starter is the one whose turn it is (I3)")
    need = int(p.table.rules.tokens_to_win)
    if any(_tokens(p, seat) >= need for seat in range(players)):
        p.fault("seats", None, f"somebody has {need} tokens already: the game is over (I8)")
    for seat in range(players):
        said = position["seats"][seat].get("total", total(s, seat))
        if said != total(s, seat):
            p.fault(f"seats[{seat}].total", said, f"this display counts {total(s, seat)}")


def _place_decision(p: _Placing) -> None:
    """Check that the decision of the phase can be asked here."""
    s, position, rules = p.s, p.position, p.table.rules
    tokens = _tokens(p, s.turn)
    if s.phase == GIVE:
        s.owed = p.number("owed", 1, max(1, int(rules.maiden_penalty)), 1)
        if s.within >> s.turn & 1 or tokens <= s.owed or not rules.maiden_penalty:
            why = "turn must be a seat that has just withdrawn and has tokens to choose from (I6)"
            p.fault("phase", "give", why)
    elif s.phase == TAKE and (s.colour != PURPLE or s.within != 1 << s.turn or tokens > len(COLOURS) - 2):
        p.fault("phase", "take", "turn must be the last seat left in a purple tournament, lacking two colours (I7)")
    elif s.phase == OVER:
        _place_end(p)
    elif s.phase in (ANSWER, KEEP):
        if s.phase == KEEP and "spared" in position:
            _place_spared(p)
        if s.phase == ANSWER and (s.turn == s.active or not (s.holds[s.turn] >> IVANHOE & s.within >> s.turn & 1)):
            p.fault("asked", position.get("asked"), "asked is another player who is in and holds ivanhoe (I16)")
        _place_pending(p)
        if not p.faults:
            _place_asked(p)


def _place_end(p: _Placing) -> None:
    s, players, need = p.s, p.table.players, int(p.table.rules.tokens_to_win)
    s.winner = p.word("winner", str(p.position.get("winner", "none")), ("none", *map(str, range(1, players + 1)))) - 1
    s.stopped = s.winner == NONE
    full = [seat for seat in range(players) if _tokens(p, seat) >= need]
    if full != [seat for seat in (int(s.winner),) if seat != NONE]:
        p.fault("winner", p.position.get("winner"), f"the winner is the one who has {need} tokens (I8)")


def _place_spared(p: _Placing) -> None:
    """I16: whom Ivanhoe spares the Adapt that is being carried out."""
    s, given = p.s, p.position["spared"]
    spared = p.whole("spared", given, 1, p.table.players, 1) - 1
    fits = p.table.rules.ivanhoe_scope == PROTECT_SELF and s.discards[IVANHOE] and spared != s.active
    if not fits or not reaches(s, spared, ADAPT, 0) or not s.within >> spared & 1:
        why = "with ivanhoe_scope = protect_self an opponent with a display, without shield, his ivanhoe discarded"
        p.fault("spared", given, f"{why} (I16)")
    else:
        s.immune = 1 << spared


def _place_pending(p: _Placing) -> None:
    """Read the action card that waits: it lies on the discards, and any that could have been played will do."""
    table, s, text = p.table, p.s, p.position.get("pending", "")
    words = str(text).split()
    kind = next((k for n in (2, 1) if (k := KIND_OF.get(" ".join(words[:n]).casefold())) is not None), NONE)
    if kind < FIRST_ACTION or not s.discards[kind]:
        p.fault("pending", text, "an action card among the discards is needed, as in `play`: riposte 2")
        return
    if s.phase == KEEP and kind != ADAPT:
        p.fault("pending", text, "only Adapt lets players choose what to keep (I13)")
        return
    before = Walk(table, 0, 0, p.states)
    b = before.state
    b.phase, b.turn, b.played = PLAY, s.active, s.played - 1
    b.discards[kind] -= 1
    b.hands[s.active, kind] += 1
    b.n_hand[s.active] += 1
    b.holds[s.active] |= 1 << kind
    try:
        s.pending = read_move(table, b, f"play {text}", before.look()[1])
    except IllegalMove as error:
        p.fault("pending", text, str(error))


def _place_asked(p: _Placing) -> None:
    """Check who is asked about the card that waits: whom it touches (I16), or the next to choose (I13)."""
    s, players, rules, given = p.s, p.table.players, p.table.rules, p.position.get("asked")
    if s.phase == ANSWER:
        waiting = (int(s.pending) & 63, int(s.pending) >> 6 & 7)
        if rules.ivanhoe_scope == PROTECT_SELF and not reaches(s, s.turn, *waiting):
            p.fault("asked", given, "with ivanhoe_scope = protect_self only who is touched may play ivanhoe (I16)")
        return
    order = [(int(s.active) + i) % players for i in range(players)]
    choosers = [seat for seat in order if touches(s, seat) and equal_kinds(s, seat)]
    if not choosers:
        p.fault("phase", "keep", "nobody has different cards of one value to choose from (I13)")
    elif s.turn != choosers[0]:
        p.fault("asked", given, f"the next to choose what to keep is seat {choosers[0] + 1} (I13)")
