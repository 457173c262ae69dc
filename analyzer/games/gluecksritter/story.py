"""A game told in sentences."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from analyzer.engine.game import Step, Table
from analyzer.games.gluecksritter.cards import KIND_NAMES, KINDS, N_KINDS
from analyzer.games.gluecksritter.rules import BEFORE_DUCATS, KNIGHT, N_CARDS, NO_DOCUMENTS, PAIRS
from analyzer.games.gluecksritter.state import (
    AT_SEAT,
    BAG_FACE,
    CASTLE_FACE,
    DOCUMENT,
    EXCHANGE,
    GUARD,
    LIMIT,
    LOOT_BOTH,
    OVER,
    PART,
    PAY,
    PICK,
    RAID,
    RANSOM,
    RED,
    SHARE_TAX,
    TO_ONES,
    TO_TWOS,
    TOWERS,
    WALLS,
    YES,
    about,
    cards_of,
    money,
    names_of,
    phase_of,
)

CARD_NAMES = ("Monk", "Farmer", "Craftsman", "Black Knight", "Tax collector", "Toll keeper")


def pair_in_words(pair: int) -> str:
    """Name the two cards of a pair."""
    return " and ".join(CARD_NAMES[card] for card in PAIRS[pair])


def tell(table: Table, step: Step) -> list[str]:
    """Return the sentences of one step and of what followed it."""
    return [_sentence(step), *_what_followed(table, step)]


def opening(table: Table, s: Any) -> list[str]:
    """Return the sentences that say who holds what at the beginning."""
    return [*(f"Seat {seat + 1}: {_fortune(s, seat)}." for seat in range(table.players)), _round(table, s)]


def _fortune(s: Any, seat: int) -> str:
    dungeon = ", knight in the dungeon" if s.jailed >> seat & 1 else ""
    hand = [f"{KINDS[name][0]} ×{s.hand[seat, k]}" for k, name in enumerate(KIND_NAMES) if s.hand[seat, k]]
    documents = f", holds {', '.join(hand)}" if hand else ""
    return (
        f"{_count(s.parts[seat, 0], 'wall')} and {_count(s.parts[seat, 1], 'tower')}, "
        f"{_coins(s.purse[seat])} = {_count(money(s, seat), 'ducat')}{dungeon}{documents}"
    )


def _count(n: Any, noun: str) -> str:
    return f"{int(n)} {noun}" if n == 1 else f"{int(n)} {noun}s"


def _coins(coins: Any) -> str:
    parts = [_count(coins[k], name) for k, name in enumerate(("one", "two")) if coins[k]]
    return " and ".join(parts) or "no coins"


def _seats(mask: int, players: int) -> str:
    return _listed(f"{seat + 1}" for seat in range(players) if int(mask) >> seat & 1)


def _listed(words: Iterable[str]) -> str:
    words = list(words)
    return " and ".join([", ".join(words[:-1]), words[-1]] if len(words) > 1 else words)


def _sentence(step: Step) -> str:
    s, what, who = step.before, about(step.move), f"Seat {step.seat + 1}"
    if s.phase in (EXCHANGE, LIMIT) and what > TO_TWOS:
        if what > TO_ONES:
            return f"{who} changes {_count(what - TO_ONES, 'two')} into ones with a bill of exchange."
        return f"{who} changes {_count(2 * (what - TO_TWOS), 'one')} into twos with a bill of exchange."
    if s.phase == EXCHANGE:
        return f"{who} keeps the bill of exchange."
    if s.phase == LIMIT:
        coins = _count(s.purse[step.seat, s.coin], ("one", "two")[s.coin])
        return f"{who} has {coins} and {'plays gifts' if what == YES else 'gives back'}."
    if s.phase == PAY:
        return f"{who} pays with {_coins((s.due - 2 * what, what))}."
    if s.phase == RANSOM:
        return f"{who} ransoms the Black Knight." if what == YES else f"{who} leaves the Black Knight in the dungeon."
    if s.phase == PICK:
        return f"{who} picks {_listed(_named(what))}."
    if s.phase == RED:
        documents = [KINDS[name][0] for name in names_of(what)]
        return f"{who} lays {_listed(documents) or 'no red document'} down."
    if s.phase == DOCUMENT:
        return f"{who} pays the Monk." if what == YES else f"{who} gives the Monk nothing."
    if s.phase in (WALLS, TOWERS):
        part = "wall" if s.phase == WALLS else "tower"
        price = " at the higher price" if s.dear and what else ""
        return f"{who} buys {_count(what, part) if what else f'no {part}'}{price}."
    if s.phase == RAID:
        if what >= AT_SEAT:
            return f"{who}'s Black Knight raids seat {what - AT_SEAT + 1}."
        fields = "both fields" if what == LOOT_BOTH else f"field {what + 5}"
        return f"{who}'s Black Knight loots {fields}: {_count((step.after.looted - s.looted) // 2, 'two')}."
    if s.phase == GUARD:
        return f"{who}'s castle guard drives him off." if what == YES else f"{who} keeps the castle guard back."
    return f"{who} carries a {('wall', 'tower')[what]} off."


def _named(mask: int) -> list[str]:
    return [f"{card} {CARD_NAMES[card - 1]}" for card in cards_of(mask)]


def _what_followed(table: Table, step: Step) -> list[str]:
    """Tell what happened of itself after a move, in the order of the round."""
    before, after = step.before, step.after
    n = table.players
    over = after.phase == OVER
    closed = over or after.rounds != before.rounds
    # phases that were passed through, given that a step never goes beyond the next picks
    reached = SHARE_TAX + 3 if closed else phase_of(after)
    picks = _picks(step)
    lines = []
    if before.phase == RED and any(_laid_down(step)) and (closed or reached != RED):
        lines.append("Revealed: " + "; ".join(_revealed(step, n)) + ".")
    if not before.turned_up and (closed or after.turned_up):
        clashes = [c for c in range(N_CARDS) if sum(int(mask) >> c & 1 for mask in picks) > 1]
        shown = ", ".join(f"seat {seat + 1} {'+'.join(map(str, cards_of(picks[seat])))}" for seat in range(n))
        contested = f" Contested: {_listed(CARD_NAMES[c] for c in clashes)}." if clashes else " No card is contested."
        lines.append(f"The cards are turned up: {shown}.{contested}")
    for seat in range(n):
        for kind in range(N_KINDS):
            if after.drawn[seat, kind] > before.drawn[seat, kind]:
                lines.append(f"  Seat {seat + 1} draws a document: {KINDS[KIND_NAMES[kind]][0]}.")
    if _before(step, TOWERS):
        lines += _knights(step, picks, n) if reached > TOWERS else []
    lines += _booty(step)
    if reached > SHARE_TAX and _before(step, SHARE_TAX):
        lines += _takings(after, 0, picks, n)
    if reached > SHARE_TAX + 1 and _before(step, SHARE_TAX + 1):
        lines += _takings(after, 1, picks, n)
    if after.wasted > before.wasted:
        lines.append(f"  Too many coins of a kind: {_count(after.wasted - before.wasted, 'ducat')} go back to the bag.")
    if closed:
        lines += [f"Seat {seat + 1}: {_fortune(after, seat)}." for seat in range(n)]
        lines.append(_end(after, n) if over else _round(table, after))
    elif _is_covered(table, before) and not _is_covered(table, after):
        lines.append(f"The {_laid_out(table, after)}")
    return lines


def _before(step: Step, phase: int) -> bool:
    return phase_of(step.before) <= phase


def _picks(step: Step) -> list[int]:
    picks = [int(mask) for mask in step.before.picks]
    if step.before.phase == PICK:
        picks[step.seat] = about(step.move)
    return picks


def _laid_down(step: Step) -> list[int]:
    sealed = [int(mask) for mask in step.before.sealed]
    sealed[step.seat] = about(step.move)
    return sealed


def _revealed(step: Step, players: int) -> list[str]:
    return [
        f"seat {seat + 1} {_listed(KINDS[name][0] for name in names_of(mask))}"
        for seat, mask in enumerate(_laid_down(step)[:players])
        if mask
    ]


def _knights(step: Step, picks: list[int], players: int) -> list[str]:
    before, after = step.before, step.after
    knights = sum(1 << seat for seat in range(players) if picks[seat] >> KNIGHT & 1)
    if knights.bit_count() < 2:
        return []
    lines = []
    if after.duels > before.duels:
        rolls = [f"seat {seat + 1} rolls {after.dice[seat]}" for seat in range(players) if after.dice[seat]]
        lines.append(f"  The Black Knights fight: {', '.join(rolls)}.")
    jailed = sum(1 << seat for seat in range(players) if knights >> seat & 1 and after.jailed >> seat & 1)
    if jailed:
        noun = "knight goes" if jailed.bit_count() == 1 else "knights go"
        seats = "seat" if jailed.bit_count() == 1 else "seats"
        lines.append(f"  The {noun} to the dungeon: {seats} {_seats(jailed, players)}.")
    return lines


def _booty(step: Step) -> list[str]:
    before, after = step.before, step.after
    rolled = (before.phase == RAID and about(step.move) >= AT_SEAT and after.phase != GUARD) or (
        before.phase == GUARD and about(step.move) != YES
    )
    if not rolled:
        return []
    victim = int(after.victim) + 1
    if after.face == BAG_FACE:
        return [f"  The die shows a bag: seat {victim} loses {_count(after.raided - before.raided, 'ducat')}."]
    if after.face != CASTLE_FACE:
        return ["  The die shows a blank: nothing happens."]
    if after.phase == PART or after.raids_on_parts > before.raids_on_parts:
        return [f"  The die shows a castle: a part of seat {victim}'s castle is lost."]
    return [f"  The die shows a castle, but seat {victim} has no part that can be used."]


def _takings(s: Any, field: int, picks: list[int], players: int) -> list[str]:
    takers = [seat for seat in range(players) if picks[seat] >> (4 + field) & 1]
    if not takers:
        return []
    who = f"{'Seat' if len(takers) == 1 else 'Seats'} {_listed(str(seat + 1) for seat in takers)}"
    if not s.shared[field].any():
        return [f"  {who}: there is nothing to share on field {field + 5}."]
    return [f"  {who}: {_coins(s.shared[field])}{' each' if len(takers) > 1 else ''} from field {field + 5}."]


def _is_covered(table: Table, s: Any) -> bool:
    """Whether the round's ducat card has not been turned up yet (G5, `ransom_timing`)."""
    return bool(table.rules.ransom_timing == BEFORE_DUCATS and phase_of(s) == RANSOM)


def _round(table: Table, s: Any) -> str:
    first = f"Round {s.rounds}, seat {s.start + 1} first"
    return f"{first}." if _is_covered(table, s) else f"{first}: {_laid_out(table, s)}"


def _laid_out(table: Table, s: Any) -> str:
    stack = "" if table.rules.documents == NO_DOCUMENTS else f" {_count(s.stack.sum(), 'document')} in the stack."
    return (
        f"ducat card {table.deck.ducats[s.ducat_card].name}. "
        f"Field 5 has {_coins(s.lying[0])}, field 6 has {_coins(s.lying[1])}.{stack}"
    )


def _end(s: Any, players: int) -> str:
    winners = sum(1 << seat for seat in range(players) if s.share[seat])
    if not winners:
        return f"After {s.rounds} rounds the game is stopped without a winner."
    if winners.bit_count() > 1:
        return f"Seats {_seats(winners, players)} have complete castles and equal money, and share the win."
    tie = ", by money" if s.tie_break else ""
    return f"Seat {_seats(winners, players)} has won in round {s.rounds}{tie}."
