"""The planted faults, as data: what is replaced where, the rule it breaks, and the fewest tests that must notice."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Fault:
    """A fault to plant.

    Parameters
    ----------
    name : what to call it, `--only`.
    game : the game whose rule it breaks.
    file : below `analyzer/games/<game>/`.
    text, replacement : the exact text, which stands there once, and what takes its place.
    breaks : the rule, by its id, and what is wrong about it now.
    tests : pytest's arguments, below `tests/`; all of them pass without the fault.
    compiled : whether the tests play too many games to be run without the compiler.
    """

    name: str
    game: str
    file: str
    text: str
    replacement: str
    breaks: str
    tests: tuple[str, ...]
    compiled: bool = False


RITTER = (
    Fault(
        "offers-for-rejections",
        "ritter",
        "kernel.py",
        "counts[3] = s.offers\n    counts[4] = s.rejections",
        "counts[4] = s.offers\n    counts[3] = s.rejections",
        "two measures are swapped",
        ("differential/test_ritter.py",),
    ),
    Fault(
        "naive-shuffle",
        "ritter",
        "kernel.py",
        "j = i + below(chance, DEAL, n_cards - i)",
        "j = below(chance, DEAL, n_cards)",
        "R4: some cards are dealt more often to some seats",
        ("statistical/test_deals.py::test_every_card_lies_everywhere_alike_and_every_seat_starts_alike",),
        compiled=True,
    ),
    Fault(
        "biased-start",
        "ritter",
        "kernel.py",
        "s.start = below(chance, DEAL, rules.players)",
        "s.start = max(0, below(chance, DEAL, rules.players + 1) - 1)",
        "R8: seat 1 starts twice as often as each other",
        ("games/ritter/test_training.py::test_r8_every_seat_is_as_likely_to_start",),
    ),
    Fault(
        "shared-covers",
        "ritter",
        "kernel.py",
        "rules.guard_of[c[3] * 9 + c[4] * 3 + c[5]]",
        "rules.guard_of[c[0] * 9 + c[1] * 3 + c[2]]",
        "R2: the covers on horseback protect on foot too",
        ("differential/test_ritter.py",),
    ),
    Fault(
        "same-dice-every-day",
        "ritter",
        "kernel.py",
        "meet(s, attacker, defender, s.day, chance)",
        "meet(s, attacker, defender, 0, chance)",
        "R14: two knights roll the same dice whenever they meet",
        ("differential/test_ritter.py",),
    ),
    Fault(
        "same-dice-for-defenders",
        "ritter",
        "kernel.py",
        "(day * SLOTS + attacker) * SLOTS + defender)",
        "(day * SLOTS + attacker) * SLOTS)",
        "R14: an attacker rolls the same dice against everybody",
        ("statistical/test_deals.py::test_every_joust_has_fair_dice_of_its_own",),
        compiled=True,
    ),
    Fault(
        "late-limit",
        "ritter",
        "kernel.py",
        "out_a, out_d = s.wounds[a] >= rules.wound_limit, s.wounds[d] >= rules.wound_limit",
        "out_a, out_d = s.wounds[a] > rules.wound_limit, s.wounds[d] > rules.wound_limit",
        "R19: a knight falls a wound late",
        ("games/ritter/test_joust.py",),
    ),
    Fault(
        "wounds-for-dice",
        "ritter",
        "kernel.py",
        "1 if wounds >= 4 else 0",
        "1 if wounds > 4 else 0",
        "R26: four wounds take no die",
        ("games/ritter/test_evening.py",),
    ),
    Fault(
        "last-of-equals",
        "ritter",
        "kernel.py",
        "if total > best:\n            best = total\n            s.tied = 0",
        "if total >= best:\n            best = total\n            s.tied = 0",
        "R28, R29: of equal players the last one wins without a play-off",
        ("games/ritter/test_end.py",),
    ),
    Fault(
        "late-yield",
        "ritter",
        "policies.py",
        "s.wounds[k] >= policy.yield_at",
        "s.wounds[k] > policy.yield_at",
        "R17: every policy yields a wound late",
        ("games/ritter/test_policies.py",),
    ),
)

FREDERICUS = (
    Fault(
        "cards-for-falcons",
        "fredericus",
        "kernel.py",
        "counts[3] = s.card_moves\n    counts[4] = s.falcon_moves",
        "counts[4] = s.card_moves\n    counts[3] = s.falcon_moves",
        "two measures are swapped",
        ("differential/test_fredericus.py::test_kernel_plays_as_the_reference",),
    ),
    Fault(
        "naive-shuffle",
        "fredericus",
        "kernel.py",
        "for i in range(N_ROWS * n - 1, 0, -1):\n        j = below(chance, DEAL, i + 1)",
        "for i in range(N_ROWS * n - 1, 0, -1):\n        j = below(chance, DEAL, N_ROWS * n)",
        "F3: some cards lie in some rows more often",
        ("games/fredericus/test_draws.py::test_f3_every_card_lies_in_every_row_and_at_every_end_as_often",),
    ),
    Fault(
        "early-fredericus",
        "fredericus",
        "kernel.py",
        "at = below(chance, DEAL, min(BOTTOM, np.int64(s.pile_left)))",
        "at = below(chance, DEAL, min(BOTTOM + 1, np.int64(s.pile_left)))",
        "F5: Fredericus lies among the last six",
        (
            "games/fredericus/test_draws.py::test_f5_goals_are_dealt_alike_and_fredericus_lies_anywhere_among_the_last_five",
        ),
    ),
    Fault(
        "biased-start",
        "fredericus",
        "kernel.py",
        "else below(chance, DEAL, rules.players)  # F6",
        "else max(0, below(chance, DEAL, rules.players + 1) - 1)  # F6",
        "F6: seat 1 starts twice as often as each other",
        ("games/fredericus/test_draws.py::test_f6_every_seat_starts_as_often",),
    ),
    Fault(
        "tilted-falcons",
        "fredericus",
        "kernel.py",
        "+= 4 * below(chance, DEAL, 2)",
        "+= 4 * (below(chance, DEAL, 3) // 2)",
        "F4: pairs of falcons stand one way twice as often as the other",
        ("games/fredericus/test_draws.py::test_f4_pairs_of_falcons_stand_on_every_axis_and_either_way_as_often",),
    ),
    Fault(
        "one-more-creature",
        "fredericus",
        "kernel.py",
        "s.n_creatures[s.turn] >= rules.creatures_to_end",
        "s.n_creatures[s.turn] > rules.creatures_to_end",
        "F16: the end comes a creature late",
        ("games/fredericus/test_end.py",),
    ),
    Fault(
        "flat-pairs",
        "fredericus",
        "kernel.py",
        "2 * (s.holder == seat) + pairs * (pairs + 1) // 2",
        "2 * (s.holder == seat) + pairs",
        "F17: the second pair brings one point as the first does",
        ("games/fredericus/test_end.py",),
    ),
    Fault(
        "first-of-equals",
        "fredericus",
        "kernel.py",
        "if points >= best:",
        "if points > best:",
        "F17: of equal players the first to play wins",
        ("games/fredericus/test_end.py",),
    ),
    Fault(
        "seen-pile",
        "fredericus",
        "kernel.py",
        "n = _pour(s.aside, pile, 0)\n    shuffle(chance, pile, n)",
        "n = _pour(s.aside, pile, 0)",
        "F5: a searching seat meets the hidden goal cards in one order",
        ("games/fredericus/test_policies.py::test_hidden_cards_are_shuffled_and_open_ones_are_not",),
    ),
    Fault(
        "spares-the-leader",
        "fredericus",
        "policies.py",
        "policy.hood_leader if _open_points(s, other) == best else 0",
        "policy.hood_leader if _open_points(s, other) != best else 0",
        "F12: anybody is hooded more gladly than the leader",
        ("games/fredericus/test_policies.py::test_hooder_hoods_the_leader",),
    ),
    Fault(
        "late-courtyard",
        "fredericus",
        "policies.py",
        "if can_wait and best <= policy.courtyard",
        "if can_wait and best < policy.courtyard",
        "F14: the courtyard is chosen a tenth of a point late",
        ("games/fredericus/test_policies.py::test_the_courtyard_is_chosen_from_just_so_small_a_promise_on",),
    ),
)

GLUECKSRITTER = (
    Fault(
        "loots-for-raids",
        "gluecksritter",
        "kernel.py",
        "counts[12] = s.loots\n    counts[13] = s.looted\n    counts[14] = s.raids\n",
        "counts[14] = s.loots\n    counts[13] = s.looted\n    counts[12] = s.raids\n",
        "two measures are swapped",
        ("differential/test_gluecksritter.py::test_kernel_plays_as_the_reference",),
    ),
    Fault(
        "heavy-ones",
        "gluecksritter",
        "kernel.py",
        "np.uint64(left)) >> _U32) < ones",
        "np.uint64(left)) >> _U32) <= ones",
        "G4: a one is drawn from the bag a little too often",
        ("games/gluecksritter/test_draws.py::test_g4_coins_are_drawn_blind_from_the_bag",),
        compiled=True,
    ),
    Fault(
        "stuck-ducat-card",
        "gluecksritter",
        "kernel.py",
        "at = below(chance, DEAL, s.ducats_left)",
        "at = max(0, below(chance, DEAL, s.ducats_left + 1) - 1)",
        "G4: the lowest ducat card is turned up twice as often",
        ("games/gluecksritter/test_draws.py::test_g4_each_ducat_card_is_as_likely_as_the_next",),
        compiled=True,
    ),
    Fault(
        "shared-luck",
        "gluecksritter",
        "kernel.py",
        "_DEALS = 2  #",
        "_DEALS = 1  #",
        "G4: a document drawn tells the next round's ducat card",
        (
            "games/gluecksritter/test_draws.py::test_a_document_and_the_next_rounds_ducat_card_do_not_know_of_each_other",
        ),
        compiled=True,
    ),
    Fault(
        "same-dice-every-round",
        "gluecksritter",
        "kernel.py",
        "jump(chance, DICE, s.rounds)",
        "jump(chance, DICE, 0)",
        "G8: the dice are the same in every round",
        ("games/gluecksritter/test_draws.py::test_g8_the_dice_of_two_rounds_do_not_know_of_each_other",),
        compiled=True,
    ),
    Fault(
        "nine-coins",
        "gluecksritter",
        "kernel.py",
        "if s.purse[seat, kind] >= _TOO_MANY:",
        "if s.purse[seat, kind] > _TOO_MANY:",
        "G12: eight coins of a kind may be kept",
        ("games/gluecksritter/test_end.py", "games/gluecksritter/test_documents.py"),
    ),
    Fault(
        "always-dear",
        "gluecksritter",
        "kernel.py",
        "s.dear = np.int64(takers & (takers - 1) != 0)",
        "s.dear = np.int64(takers != 0)",
        "G8: a single farmer pays the higher price",
        ("games/gluecksritter/test_cards.py",),
    ),
    Fault(
        "equal-knights",
        "gluecksritter",
        "kernel.py",
        "if s.dice[first] != s.dice[second]:",
        "if s.dice[first] >= s.dice[second]:",
        "G8: knights who fight a tie are not both jailed, and the second never wins alone",
        ("games/gluecksritter/test_cards.py",),
    ),
    Fault(
        "poor-castle",
        "gluecksritter",
        "kernel.py",
        "if purse > best:\n                best, complete, n_best = purse, 0, 0",
        "if best < 0:\n                best, complete, n_best = purse, 0, 0",
        "G11: of complete castles that of the first seat wins, whoever is richer",
        ("games/gluecksritter/test_end.py",),
    ),
    Fault(
        "biased-mix",
        "gluecksritter",
        "policies.py",
        "at = below(chance, WHIM, np.int64(row[N_PAIRS - 1]))",
        "at = below(chance, WHIM, np.int64(row[N_PAIRS - 1])) * 7 // 8",
        "G6: a drawn pick is too often one of the first pairs",
        ("games/gluecksritter/test_policies.py::test_the_mixer_picks_and_ransoms_as_often_as_its_table_says",),
    ),
    Fault(
        "biased-ransom",
        "gluecksritter",
        "policies.py",
        "return below(chance, WHIM, np.int64(row[N_PAIRS - 1])) < row[RANSOM_AT]",
        "return below(chance, WHIM, np.int64(row[N_PAIRS - 1])) * 7 // 8 < row[RANSOM_AT]",
        "G5: a drawn ransom is paid too often",
        ("games/gluecksritter/test_policies.py::test_the_mixer_picks_and_ransoms_as_often_as_its_table_says",),
    ),
    Fault(
        "late-ransom",
        "gluecksritter",
        "policies.py",
        "money(s, seat) >= policy.ransom_from",
        "money(s, seat) > policy.ransom_from",
        "G5: every policy ransoms its knight a ducat late",
        ("games/gluecksritter/test_policies.py",),
    ),
    Fault(
        "late-seal",
        "gluecksritter",
        "policies.py",
        "2 * s.lying[field, 1] >= policy.seal_from",
        "2 * s.lying[field, 1] > policy.seal_from",
        "G7: privileges are played a ducat late",
        ("games/gluecksritter/test_policies.py",),
    ),
    Fault(
        "grudged-gifts",
        "gluecksritter",
        "policies.py",
        "if at_stake >= policy.gifts_from",
        "if at_stake > policy.gifts_from",
        "G12: gifts are played a ducat late",
        ("games/gluecksritter/test_policies.py",),
    ),
)

IVANHOE = (
    Fault(
        "cards-of-others",
        "ivanhoe",
        "kernel.py",
        "counts[9] = s.starter_cards\n    counts[10] = s.other_cards",
        "counts[10] = s.starter_cards\n    counts[9] = s.other_cards",
        "two measures are swapped",
        ("differential/test_ivanhoe.py::test_kernel_plays_as_the_reference",),
    ),
    Fault(
        "biased-start",
        "ivanhoe",
        "kernel.py",
        "FIRST_SEAT else below(chance, DEAL, rules.players)",
        "FIRST_SEAT else max(0, below(chance, DEAL, rules.players + 1) - 1)",
        "I1: seat 1 starts twice as often as each other",
        ("games/ivanhoe/test_chance.py::test_i1_the_starter_the_first_hands_and_the_first_draw_are_even",),
    ),
    Fault(
        "sunken-card",
        "ivanhoe",
        "kernel.py",
        "k = _nth(s.stack, below(chance, stream, s.n_stack))",
        "k = _nth(s.stack, below(chance, stream, max(1, s.n_stack - 1)))",
        "I2: one card of the stack is drawn only as the last",
        ("games/ivanhoe/test_chance.py::test_i2_every_card_of_the_stack_is_drawn_as_often",),
    ),
    Fault(
        "same-draw-every-turn",
        "ivanhoe",
        "kernel.py",
        "jump(chance, DICE, s.turns)",
        "jump(chance, DICE, 1)",
        "I2: every turn draws by the same number",
        ("games/ivanhoe/test_chance.py::test_i2_the_draws_of_two_turns_do_not_know_of_each_other",),
    ),
    Fault(
        "biased-knock-down",
        "ivanhoe",
        "kernel.py",
        "min(die(chance, s.n_hand[other]), s.n_hand[other]) - 1",
        "min(die(chance, s.n_hand[other] + 1), s.n_hand[other]) - 1",
        "I12: Knock Down takes the last card of a hand twice as often",
        ("games/ivanhoe/test_chance.py::test_i12_knock_down_takes_every_card_of_a_hand_as_often",),
    ),
    Fault(
        "one-more-token",
        "ivanhoe",
        "kernel.py",
        "N_BITS[s.tokens[seat]] >= rules.tokens_to_win",
        "N_BITS[s.tokens[seat]] > rules.tokens_to_win",
        "I8: the game goes on for a token more",
        ("games/ivanhoe/test_course.py",),
    ),
    Fault(
        "level-is-ahead",
        "ivanhoe",
        "kernel.py",
        "else ahead > 0 and not bare",
        "else ahead >= 0 and not bare",
        "I2: a turn may end on a tie",
        ("games/ivanhoe/test_course.py",),
    ),
    Fault(
        "shield-forgotten",
        "ivanhoe",
        "kernel.py",
        "bare = (other == s.active) | (s.front[other] & HAS_SHIELD == 0)",
        "bare = (other == s.active) | (s.front[other] & HAS_STUNNED == 0)",
        "I15: Stunned protects a display, Shield does not",
        ("games/ivanhoe/test_actions.py",),
    ),
    Fault(
        "late-withdrawal",
        "ivanhoe",
        "policies.py",
        "need <= reserve and need * 100 <= percent * reserve",
        "need <= reserve",
        "I6: no policy withdraws as long as it can get ahead",
        ("games/ivanhoe/test_policies.py::test_the_thrifty_withdraws_where_the_fighter_pays",),
    ),
    Fault(
        "stronger-suit",
        "ivanhoe",
        "policies.py",
        "strong = total(s, seat) + reserve >= policy.suit_strength",
        "strong = total(s, seat) + reserve > policy.suit_strength",
        "I6: the hoarder wants a point more in hand",
        ("games/ivanhoe/test_policies.py::test_the_hoarder_waits_for_a_strong_suit",),
    ),
    Fault(
        "late-cancel",
        "ivanhoe",
        "policies.py",
        "return gain >= policy.cancel_at",
        "return gain > policy.cancel_at",
        "I16: Ivanhoe answers a point late",
        ("games/ivanhoe/test_policies.py::test_ivanhoe_answers_from_just_so_many_points_on",),
    ),
)

FAULTS = (*RITTER, *GLUECKSRITTER, *IVANHOE, *FREDERICUS)
