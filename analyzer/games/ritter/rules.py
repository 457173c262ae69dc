"""The options of Ritter and the rules as the kernel takes them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from analyzer.engine.alias import MOST_VALUES
from analyzer.engine.game import Option
from analyzer.engine.jit import record_type
from analyzer.games.ritter.cards import MOST_CARDS, Deck
from analyzer.games.ritter.wounds import GUARD_OF, N_GUARDS, wound_tables

MOST_PLAYERS = 10
MOST_DAYS = 10
MOST_DICE = 30  # 24 in the box, 6 more for rage
MOST_WOUNDS = 60

OPTIONS = (
    Option("ladies", True, "play with ladies and their favours", "R10"),
    Option("days", 4, "days of the tournament", "R25", 1, MOST_DAYS),
    Option("training_points", 2, "training points of each knight before day 1", "R6", 0, 6),
    Option("training_exact", False, "every training point must be spent if it can be", "R6"),
    Option("training_chips", 60, "training chips in the box; a covered field takes one", "R6", 0, 120),
    Option("max_dice", 12, "the most attack dice a knight can have", "R7", 1, 24),
    Option("offer_pass", False, "a player may keep his lady back while a knight is bare", "R12"),
    Option("enrage_dice", 1, "extra dice of enraged knights", "R16", 0, 6),
    Option(
        "enrage",
        "first_round",
        "enraged after a blank first round only, or after any blank mounted round",
        "R16",
        choices=("first_round", "every_round"),
    ),
    Option("enrage_on_foot", False, "a round on foot in which nobody is wounded enrages both too", "R16"),
    Option("yield_before_foot", False, "yielding is possible before the first round on foot", "R17"),
    Option(
        "yield_order",
        "attacker_first",
        "who says first whether he yields",
        "R18",
        choices=("attacker_first", "defender_first"),
    ),
    Option("wound_limit", 10, "wounds that put a knight out of the tournament", "R19", 1, MOST_WOUNDS),
    Option(
        "double_knockout",
        "no_winner",
        "who wins when both reach the limit in one round",
        "R19",
        choices=("no_winner", "fewer_wounds", "attacker"),
    ),
    Option("max_rounds", 200, "rounds after which a joust ends without a winner", "R20a", 1, 1000),
    Option(
        "day_winner",
        "knight",
        "the best knight wins the day, or the best player's best knight",
        "R22",
        choices=("knight", "player"),
    ),
    Option(
        "day_winner_scope",
        "day",
        "premiums that count for the day's winner: of this day, or of the tournament so far",
        "R22",
        choices=("day", "tournament"),
    ),
    Option(
        "day_winner_among",
        "all",
        "knights that can win the day: all, or those still standing",
        "R22",
        choices=("all", "standing"),
    ),
    Option(
        "day_player_counts",
        "knights",
        "with day_winner = player: a player's premiums are those of his knights, or of his ladies too",
        "R22",
        choices=("knights", "knights_and_ladies"),
    ),
    Option(
        "day_tie_same_owner",
        "owner_names",
        "a tie between knights of one player: he names the winner, or nobody wins the day",
        "R22",
        choices=("owner_names", "nobody"),
    ),
    Option(
        "day_bonus",
        (1, 2, 3, 4),
        "premiums of the day's winner, day by day; later days count on from the last",
        "R22",
        0,
        100,
        most=MOST_DAYS,
    ),
    Option(
        "fallen_lady",
        "paid",
        "a day's winner who is not standing any more: the lady he wears gets the day's bonus, or does not",
        "R22",
        choices=("paid", "unpaid"),
    ),
    Option("night_recovery", 3, "wounds healed each night", "R23", 0, 60),
    Option("rest_recovery", 0, "further wounds healed by a knight who did not ride that day", "R23", 0, 60),
    Option(
        "training_by_wounds",
        (2, 1, 1, 1),
        "training points in the morning at 0, 1, 2, … wounds; none beyond the list",
        "R24",
        0,
        6,
        most=MOST_WOUNDS,
    ),
    Option("wounded_attack", False, "from 4 wounds in the morning 1 die fewer that day, from 7 wounds 3 fewer", "R26"),
    Option("min_dice", 1, "dice that wounds cannot take away", "R26", 1, 24),
    Option("final_bonus", 4, "premiums of the best knight and of the best lady at the end", "R27", 0, 100),
    Option(
        "final_bonus_tie",
        "none",
        "a tie for the final bonus: nobody, all of them, or once if one player owns all of them",
        "R27",
        choices=("none", "all", "share_owner"),
    ),
    Option(
        "playoff",
        "ladder",
        "a tie at the end: duels in seat order, the winner meeting the next; or the win is shared",
        "R29",
        choices=("ladder", "share"),
    ),
    Option(
        "playoff_wounds",
        "carried",
        "wounds in the play-off: those of the tournament, or none",
        "R29",
        choices=("carried", "fresh"),
    ),
)

# The numbers of the choices above, as the kernel compares them.
EVERY_ROUND = 1
DEFENDER_FIRST = 1
KO_NO_WINNER, KO_FEWER_WOUNDS, KO_ATTACKER = 0, 1, 2
BY_PLAYER = 1
SCOPE_TOURNAMENT = 1
AMONG_STANDING = 1
LADIES_COUNT = 1
TIE_NOBODY = 1
FALLEN_UNPAID = 1
FINAL_TIE_NONE, FINAL_TIE_ALL, FINAL_TIE_OWNER = 0, 1, 2
PLAYOFF_SHARE = 1
PLAYOFF_FRESH = 1


RULES = record_type(
    [
        ("players", np.int64),
        ("each", np.int64),  # knights (and ladies) of a player
        ("by_die", np.int64),  # 1: roll die by die instead of drawing an attack from the table
        ("knights", np.int64),  # cards in the deck
        ("lady_cards", np.int64),
        *((o.key, np.int64, o.most) if o.most else (o.key, np.int64) for o in OPTIONS),
        ("knight_dice", np.int8, MOST_CARDS),
        ("knight_cover", np.int8, (MOST_CARDS, 6)),  # by face - 1
        ("knight_power", np.int8, MOST_CARDS),  # dice and covers
        ("match", np.int8, (MOST_CARDS, MOST_CARDS)),  # [knight card, lady card]: matches * 8 + the ranks that match
        ("guard_of", np.int8, 27),  # by covers in base 3
        ("wounds_bits", np.uint64),  # the tables of `wounds.wound_tables`
        ("wounds_alias", np.uint64, (MOST_DICE + 1) * N_GUARDS * MOST_VALUES),
        ("hit", np.float64, (MOST_DICE + 1, N_GUARDS)),
        ("harm", np.float64, (MOST_DICE + 1, N_GUARDS)),
    ]
)


def make_rules(players: int, options: Mapping[str, Any], deck: Deck) -> Any:
    """Return the rules of a table (a read-only record) from a full set of options and a deck."""
    array = np.zeros(1, RULES).view(np.recarray)
    rules = array[0]
    for option in OPTIONS:
        code = option.encode(options[option.key])
        if option.key == "day_bonus":
            code += [code[-1] + i for i in range(1, MOST_DAYS - len(code) + 1)]  # R22: later days count on
        if option.most:
            rules[option.key][: len(code)] = code
        else:
            rules[option.key] = code
    rules.players = players
    rules.each = knights_each(players)
    rules.knights, rules.lady_cards = len(deck.knights), len(deck.ladies)
    for i, knight in enumerate(deck.knights):
        rules.knight_dice[i] = min(knight.dice, rules.max_dice)
        rules.knight_cover[i] = knight.cover
        rules.knight_power[i] = rules.knight_dice[i] + sum(knight.cover)
    rules.match[: rules.knights, : rules.lady_cards] = deck.match_matrix()
    rules.guard_of[:] = GUARD_OF
    most_dice = int(rules.max_dice + rules.enrage_dice)
    alias, rules.wounds_bits, hit, harm = wound_tables(most_dice)
    rules.wounds_alias[: len(alias)] = alias
    rules.hit[: most_dice + 1], rules.harm[: most_dice + 1] = hit, harm
    array.flags.writeable = False
    return array[0]


def knights_each(players: int) -> int:
    """R4: two knights and two ladies each with 2–5 players, one and one with 6–10."""
    return 2 if players <= 5 else 1


def lost_dice(rules: Any, dice: int, wounds: int) -> int:
    """R26: the dice that so many wounds in the morning cost a knight that day."""
    if not rules.wounded_attack:
        return 0
    loss = 3 if wounds >= 7 else 1 if wounds >= 4 else 0
    return max(0, min(loss, dice - int(rules.min_dice)))
