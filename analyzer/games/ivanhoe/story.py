"""A game told in sentences, from the states before and after each move."""

from __future__ import annotations

from typing import Any

from analyzer.engine.game import Step, Table
from analyzer.games.ivanhoe.cards import COLOURS, FIRST_ACTION, IVANHOE, KINDS, KNOCK_DOWN, N_KINDS, SHIELD
from analyzer.games.ivanhoe.position import colours, display, names
from analyzer.games.ivanhoe.state import (
    ANSWER,
    CANCEL,
    END,
    GIVE_BACK,
    KEEP,
    KEEP_CARD,
    LET_PASS,
    NAME,
    NONE,
    OVER,
    PASS,
    TAKE_TOKEN,
    WITHDRAW,
    move_text,
    parts,
    total,
)


def opening(table: Table, s: Any) -> list[str]:
    """Return the sentences that say who holds what at the beginning."""
    if s.turns > 1 or s.colour != NONE:
        colour = f"The tournament is {COLOURS[s.colour]}." if s.colour != NONE else "A tournament is to be started."
        lines = [colour]
    else:
        lines = ["The cards are dealt."]
    lines += [f"Seat {seat + 1} holds {_list(names(s.hands[seat]))}." for seat in range(table.players)]
    return [*lines, f"It is the turn of seat {s.active + 1}, who has drawn."]


def tell(table: Table, step: Step) -> list[str]:
    """Return the sentences of one step and of what followed it."""
    return _sentences(table, step) + _what_followed(table, step)


def _list(words: list[str]) -> str:
    return ", ".join(words) if words else "nothing"


def _sentences(table: Table, step: Step) -> list[str]:
    before, after, who = step.before, step.after, f"Seat {step.seat + 1}"
    what, named, card, _ = parts(step.move)
    if what < FIRST_ACTION:
        return [f"{who} lays {KINDS[what].name}: {total(after, step.seat)}."]
    if what <= IVANHOE:
        return _action(table, step, who, what)
    if what == CANCEL:
        waiting = move_text(table, before, int(before.pending)).removeprefix("play ")
        spared = "cancels" if after.phase != KEEP and _open(before, table) == _open(after, table) else "is spared by"
        return [f"{who} plays ivanhoe and {spared} {waiting}.", *_changes(table, step)]
    if what == LET_PASS:
        return [f"{who} lets it pass.", *_changes(table, step)]
    if what == KEEP_CARD:
        return [f"{who} keeps {KINDS[card].name}.", *_changes(table, step)]
    return [
        {
            END: f"{who} ends the turn ahead with {total(before, step.seat)}.",
            WITHDRAW: f"{who} withdraws with {_list(display(before, step.seat))}.",
            NAME: f"{who} starts a {COLOURS[min(named, 4)]} tournament.",
            PASS: f"{who} cannot start, shows {_list(names(before.hands[step.seat]))} and passes the start on.",
            GIVE_BACK: f"{who} gives the {COLOURS[min(named, 4)]} token back.",
            TAKE_TOKEN: f"{who} chooses {COLOURS[min(named, 4)]}.",
        }[what]
    ]


def _open(s: Any, table: Table) -> list[Any]:
    """What lies open: the colour, displays, special cards; and how many cards each hand has."""
    seats = range(table.players)
    return [int(s.colour), *((display(s, seat), int(s.front[seat]), int(s.n_hand[seat])) for seat in seats)]


def _action(table: Table, step: Step, who: str, what: int) -> list[str]:
    line = f"{who} plays {step.text.removeprefix('play ')}."
    if step.after.phase == ANSWER:
        return [f"{line[:-1]}; seat {step.after.turn + 1} may answer with ivanhoe."]
    return [line, *_changes(table, step)]


def _changes(table: Table, step: Step) -> list[str]:
    """Say what an action card has done: the colour, stolen cards, specials and displays."""
    before, after = step.before, step.after
    lines = []
    if after.phase == KEEP:
        lines.append(f"  Seat {after.turn + 1} chooses which of equal cards to keep.")
    if after.colour != before.colour:
        lines.append(f"  The tournament is {COLOURS[after.colour]} now.")
    action = int(before.pending) & 63 if before.phase in (ANSWER, KEEP) else step.move & 63
    for k in range(N_KINDS):
        had = before.hands[after.active, k] - (k == step.move & 63)
        if action == KNOCK_DOWN and after.hands[after.active, k] > had:
            lines.append(f"  The card is {KINDS[k].name}.")
    for seat in range(table.players):
        if display(after, seat) != display(before, seat):
            lines.append(f"  Seat {seat + 1} has {_list(display(after, seat))}: {total(after, seat)}.")
        elif total(after, seat) != total(before, seat):
            lines.append(f"  Seat {seat + 1} counts {total(after, seat)}.")
        if after.front[seat] != before.front[seat] and action != SHIELD:
            specials = [name for bit, name in ((1, "shield"), (2, "stunned"), (4, "outwit")) if after.front[seat] & bit]
            lines.append(f"  Before seat {seat + 1} lies {_list(specials)}.")
    return lines


def _what_followed(table: Table, step: Step) -> list[str]:
    """Tell what happened of itself after a move: lost tokens, a tournament's end, the next draw, the game's end."""
    before, after = step.before, step.after
    lines = []
    what = step.move & 63
    if what == WITHDRAW:
        lost = colours(int(before.tokens[step.seat]) & ~int(after.tokens[step.seat]))
        if before.maidens[step.seat]:
            lines.append(f"  The maiden costs the {lost[0]} token." if lost else "  There is a maiden among them.")
            if not before.tokens[step.seat]:
                lines[-1] = "  The maiden costs nothing: there is no token to lose."
    if after.tournaments != before.tournaments:
        winner = int(after.active)
        won = colours(int(after.tokens[winner]) & ~int(before.tokens[winner]))
        prize = f"takes the {won[0]} token" if won else f"has the {COLOURS[before.colour]} token already"
        held = _list(colours(int(after.tokens[winner])))
        lines.append(f"Seat {winner + 1} wins the {COLOURS[before.colour]} tournament and {prize} (now {held}).")
    if after.shuffles != before.shuffles:
        lines.append("The discards are shuffled as the new stack.")
    if after.turns != before.turns:
        drawn = [KINDS[k].name for k in range(N_KINDS) if after.hands[after.active, k] > before.hands[after.active, k]]
        lines.append(f"Seat {after.active + 1} draws {_list(drawn)}.")
    if after.phase == OVER:
        lines.append(
            f"Seat {after.winner + 1} wins the game." if after.winner != NONE else "The game stops without a winner."
        )
    return lines
