"""How Ivanhoe is played: one parametric player, and the named sets of his parameters.

A policy knows its own hand and all that lies open. It weighs what it would cost to get ahead against
what it can still lay down, and action cards by how far they move the lead. Where it rates choices
alike it takes one of them by lot.
"""

from __future__ import annotations

import numpy as np

from analyzer.engine import verbs
from analyzer.engine.chance import WHIM, beats, below, draw
from analyzer.engine.game import Option, Policy, search_parameters
from analyzer.engine.jit import inline, jit, record_type
from analyzer.games.ivanhoe.cards import (
    ADAPT,
    BIT,
    BREAK_LANCE,
    CHANGE_WEAPON,
    COUNTS,
    DODGE,
    DROP_WEAPON,
    FIRST_ACTION,
    GREEN,
    IVANHOE,
    KINDS,
    KNOCK_DOWN,
    LAID,
    MAIDEN,
    N_LAID,
    OF_SUIT,
    OUTMANEUVER,
    OUTWIT,
    PURPLE,
    RETREAT,
    RIPOSTE,
    SHIELD,
    STUNNED,
    UNHORSE,
    VALUE,
)
from analyzer.games.ivanhoe.kernel import N_BITS, doomed_kinds, lead, total, touches
from analyzer.games.ivanhoe.rules import RULES
from analyzer.games.ivanhoe.state import (
    ANSWER,
    CANCEL,
    END,
    GIVE,
    HAS_STUNNED,
    LET_PASS,
    PLAY,
    START,
    TAKE,
)

_EXACT, _LOW = 0, 1
_NEVER = 30_000
_MOST = 64  # more than any printed value, and than the numbered kinds of a colour
_LEAST = -(1 << 40)  # less than any choice is worth
_SURE = 1 << 20  # what an action card is worth that is played whenever it is wanted
_TOP_BIT = np.uint64(63)
_SPECIAL = 4  # what Shield is worth in points to the one before whom it lies, and what Stunned costs him

PARAMETERS: tuple[Option, ...] = (
    Option("whim", 0, "percent of decisions taken at random", low=0, high=100),
    Option(
        "cards",
        "exact",
        "the card laid next: the cheapest that gets ahead (the highest, if none does), the lowest, or the highest",
        choices=("exact", "low", "high"),
    ),
    Option("margin", 0, "lays cards on until he leads by this much more than he must", low=0, high=50),
    Option("spend", 40, "percent of the points he can lay down that he pays at once to get ahead", low=0, high=100),
    Option("spend_lacking", 0, "… this many more percent if the tournament would bring a token", low=-100, high=100),
    Option("spend_block", 0, "… this many more if it would win a rival in it the game", low=-100, high=100),
    Option("spend_maiden", 0, "… this many more if withdrawing would cost a token", low=-100, high=100),
    Option("suit_strength", 0, "withdraws unless his display and what he can lay down make this much", low=0, high=99),
    Option("maiden_care", True, "lays a maiden only if he cannot get ahead without"),
    Option("start_strength", 1, "weight of each point he can lay down in a colour he may start", low=-100, high=100),
    Option("start_lacking", 12, "weight of starting a colour that would bring a token", low=-100, high=100),
    Option(
        "swing",
        6,
        "plays an action card that moves the lead by this many points when he is not ahead",
        low=0,
        high=99,
        words={"never": _NEVER},
    ),
    Option(
        "extras",
        "never",
        "plays Knock Down, Shield and Stunned once his display counts this much, if he stays",
        low=0,
        high=99,
        words={"never": _NEVER},
    ),
    Option(
        "save",
        "never",
        "takes a card of at least this value back with Retreat before he withdraws, and a maiden who costs a token",
        low=0,
        high=7,
        words={"never": _NEVER},
    ),
    Option(
        "cancel_at",
        5,
        "answers with Ivanhoe a card that moves the lead by this many points",
        low=0,
        high=99,
        words={"never": _NEVER},
    ),
    Option("ivanhoe_last", False, "… only in a tournament that can end the game"),
    Option(
        "never_play",
        "none",
        "an action card he never plays, whatever else he does",
        choices=("none", *(kind.name for kind in KINDS[FIRST_ACTION:])),
    ),
)


POLICIES = (
    Policy("random", "Takes any legal move, each as likely as the next.", {"whim": 100}),
    Policy(
        "thrifty",
        "Wins cheaply or not at all: pays little to get ahead and withdraws early.",
        {"spend": 40},
    ),
    Policy(
        "hoarder",
        "Waits for a strong suit and then stays to the end.",
        {"spend": 100, "suit_strength": 13},
    ),
    Policy(
        "fighter", "Stays in as long as he can, whatever it costs.", {"spend": 100, "maiden_care": False, "swing": 1}
    ),
    Policy(
        "collector",
        "Plays for the colours he lacks and against rivals about to win.",
        {"spend": 10, "spend_lacking": 60, "spend_block": 60, "spend_maiden": 20},
    ),
    Policy(
        "tactician",
        "Starts what he lacks, plays action cards where they swing the lead, keeps Ivanhoe for the last token.",
        {
            "spend": 100,
            "maiden_care": False,
            "swing": 5,
            "extras": 0,
            "save": 3,
            "cancel_at": 3,
            "ivanhoe_last": True,
        },
    ),
)

PARAMETERS = (*PARAMETERS, *search_parameters(POLICIES))
POLICY = record_type([(p.key, np.int16) for p in PARAMETERS])


@verbs.choose.of(RULES)
def choose(rules, s, policy, moves, n_moves, chance):
    if policy.never_play > 0:
        n_moves = _without(moves, n_moves, FIRST_ACTION - 1 + np.int64(policy.never_play))
    if n_moves == 1:
        return moves[0]
    if policy.whim > 0 and (policy.whim >= 100 or below(chance, WHIM, 100) < policy.whim):
        return moves[below(chance, WHIM, n_moves)]
    if s.phase == PLAY:
        return _best_play(rules, s, policy, moves, n_moves, chance)
    if s.phase == START:
        return _best_start(rules, s, policy, moves, n_moves, chance)
    if s.phase == ANSWER:
        return CANCEL if _cancels(rules, s, policy) else LET_PASS
    if s.phase == GIVE or s.phase == TAKE:
        return _best_token(rules, s, moves, n_moves, chance)
    return moves[below(chance, WHIM, n_moves)]  # which of equal cards Adapt leaves


@jit
def _without(moves, n_moves, banned):
    """Strike the moves that play a kind off the list, if others are left; return how many these are."""
    n = 0
    for i in range(n_moves):
        what = moves[i] & 63
        if what != banned and not (what == CANCEL and banned == IVANHOE):
            n += 1
    if n == 0:
        return n_moves
    n = 0
    for i in range(n_moves):
        what = moves[i] & 63
        if what != banned and not (what == CANCEL and banned == IVANHOE):
            moves[n] = moves[i]
            n += 1
    return n


# What a tournament is worth, and what can be laid down in it


@inline
def _brings_token(s, seat, colour):
    """Purple brings any colour that is lacking, another colour itself."""
    return (colour == PURPLE) | (s.tokens[seat] >> colour & 1 == 0)


@inline
def _would_win(rules, s, seat):
    """Whether this tournament would win a seat the game."""
    return (N_BITS[s.tokens[seat]] + 1 >= rules.tokens_to_win) & _brings_token(s, seat, s.colour)


@jit
def _readiness(rules, s, policy, seat, colour):
    """The percent of what he can lay down that he would pay to get ahead."""
    percent = np.int64(policy.spend)
    if _brings_token(s, seat, colour):
        percent += policy.spend_lacking
    if policy.spend_block:
        threat = False
        for other in range(rules.players):
            threat |= (other != seat) & (s.within >> other & 1 != 0) & _would_win(rules, s, other)
        percent += policy.spend_block * threat
    if s.maidens[seat] and s.tokens[seat] and rules.maiden_penalty:
        percent += policy.spend_maiden
    return percent


@jit
def _reserve(rules, s, seat, colour):
    """The points a seat can lay down in a colour from its hand, one card a turn if it is stunned."""
    hand, laid, counts = s.hands[seat], LAID[colour], COUNTS[colour]
    maidens = min(np.int64(hand[MAIDEN]), rules.maiden_limit - s.maidens[seat])
    if s.front[seat] & HAS_STUNNED:
        best = counts[MAIDEN] * (maidens > 0)
        for i in range(N_LAID - 1):
            best = max(best, counts[laid[i]] * (hand[laid[i]] > 0))
        return 0 if s.added else best
    points = counts[MAIDEN] * maidens
    for i in range(N_LAID - 1):  # the gaps count nothing
        points += counts[laid[i]] * hand[laid[i]]
    return points


@jit
def _best_start(rules, s, policy, moves, n_moves, chance):
    best, best_value, n_equal = moves[0], np.int64(_LEAST), 0
    for i in range(n_moves):
        colour = moves[i] >> 6 & 7
        value = np.int64(policy.start_strength) * _reserve(rules, s, s.active, colour)
        if _brings_token(s, s.active, colour):
            value += policy.start_lacking
        takes, n_equal = beats(chance, value, best_value, n_equal)
        if takes:
            best, best_value = moves[i], value
    return best


@jit
def _best_token(rules, s, moves, n_moves, chance):
    """Take the colour in which he is weakest; give the one back in which he is strongest."""
    best, best_value, n_equal = moves[0], np.int64(_LEAST), 0
    for i in range(n_moves):
        value = _reserve(rules, s, s.turn, moves[i] >> 6 & 7)
        if s.phase == TAKE:
            value = -value
        takes, n_equal = beats(chance, value, best_value, n_equal)
        if takes:
            best, best_value = moves[i], value
    return best


# A card of the turn


@jit
def _best_play(rules, s, policy, moves, n_moves, chance):
    seat = s.active
    may_end = moves[n_moves - 1] == END or moves[n_moves - 2] == END
    if may_end and policy.margin == 0 and s.n_display[seat] > 0:
        return np.int64(END)
    ahead = lead(rules, s, seat)
    if may_end and ahead > policy.margin:
        return np.int64(END)
    n_cards = 0
    for i in range(N_LAID):  # without a branch: they come first
        n_cards += (i < n_moves) & (moves[i] < FIRST_ACTION)
    has_actions = n_cards < n_moves and moves[n_cards] & 63 < END
    reserve = _reserve(rules, s, seat, s.colour)
    need = max(0, 1 - ahead)
    if need > reserve and not has_actions:
        return moves[n_moves - 1]
    percent = _readiness(rules, s, policy, seat, s.colour)
    strong = total(s, seat) + reserve >= policy.suit_strength
    stays = s.opening or (strong and need <= reserve and need * 100 <= percent * reserve)
    if has_actions:
        action = _best_action(rules, s, policy, moves, n_cards, n_moves, need, reserve, percent, stays, chance)
        if action >= 0:
            return action
    if stays and n_cards > 0:
        return _best_card(s, policy, moves, n_cards, need, reserve, chance)
    if may_end:
        return np.int64(END)
    return _best_retreat(rules, s, policy, moves, n_cards, n_moves, chance) if has_actions else moves[n_moves - 1]


@jit
def _best_card(s, policy, moves, n_cards, need, reserve, chance):
    """The numbered card to lay next, the first of the legal moves being those.

    Two cards of one value, a coloured one and a squire, are told apart by a coin: it turns their order round.
    """
    if policy.maiden_care and n_cards > 1 and moves[n_cards - 1] == MAIDEN:
        n_cards -= reserve - COUNTS[s.colour, MAIDEN] >= need
    # the lowest card from this value on; below it, the highest
    enough = 0 if policy.cards == _LOW or s.colour == GREEN else need if policy.cards == _EXACT else _MOST
    best = 2 * _MOST * _MOST
    turned = (_MOST - 1) * np.int64(draw(chance, WHIM) >> _TOP_BIT)
    for i in range(N_LAID):
        value = VALUE[moves[i] * (i < n_cards)]
        rank = value if value >= enough else _MOST - value
        best = min(best, (rank + _MOST * (i >= n_cards)) * _MOST + (i ^ turned))
    return moves[best % _MOST ^ turned]


# Action cards


@jit
def _best_retreat(rules, s, policy, moves, n_cards, n_moves, chance):
    """Withdraw, but save the highest card before, if it is worth a Retreat; a maiden who would cost a token is."""
    best, best_value, n_equal = moves[n_moves - 1], np.int64(_LEAST), 0
    maiden_costs = s.tokens[s.active] != 0 and rules.maiden_penalty > 0
    for i in range(n_cards, n_moves):
        if moves[i] & 63 == RETREAT:
            card = moves[i] >> 9 & 63
            value = np.int64(_MOST if card == MAIDEN and maiden_costs else VALUE[card])
            if value >= policy.save:
                takes, n_equal = beats(chance, value, best_value, n_equal)
                if takes:
                    best, best_value = moves[i], value
    return best


@jit
def _best_action(rules, s, policy, moves, n_cards, n_moves, need, reserve, percent, stays, chance):
    """The action card worth playing now, or -1."""
    seat = s.active
    best, best_value, n_equal = np.int64(-1), np.int64(0), 0
    before = lead(rules, s, seat)
    for i in range(n_cards, n_moves):
        move = moves[i]
        what = move & 63
        if what >= END:
            break
        if what in (KNOCK_DOWN, SHIELD, STUNNED):
            wanted = stays and total(s, seat) >= policy.extras and _wants_extra(rules, s, seat, what, move)
            value = np.int64(_SURE * wanted)
        elif what in (UNHORSE, CHANGE_WEAPON):
            may_turn = not stays and policy.swing < _NEVER
            value = np.int64(_SURE * (may_turn and _better_colour(rules, s, policy, seat, need, move >> 6 & 7)))
        else:
            value = np.int64(0)
            if need > 0 and what != RETREAT and best_value < _SURE:
                gain = lead_after(rules, s, seat, move) - before
                left = max(0, need - gain)
                if gain >= policy.swing and left <= reserve and left * 100 <= percent * reserve and percent > 0:
                    value = gain + 1
        if value > 0:
            takes, n_equal = beats(chance, value, best_value, n_equal)
            if takes:
                best, best_value = move, value
    return best


@inline
def _wants_extra(rules, s, seat, what, move):
    """Shield always; Knock Down and Stunned against the one with most tokens among those hit."""
    if what == SHIELD:
        return True
    target = move >> 6 & 7
    for other in range(rules.players):
        if other != seat and s.within >> other & 1 and N_BITS[s.tokens[other]] > N_BITS[s.tokens[target]]:
            return False
    return s.within >> target & 1 != 0


@inline
def _better_colour(rules, s, policy, seat, need, colour):
    """Whether he would stay in if the tournament had this colour."""
    reserve = _reserve(rules, s, seat, colour)
    return need <= reserve and need * 100 <= _readiness(rules, s, policy, seat, colour) * reserve


@jit
def lead_after(rules, s, seat, move):
    """The lead of the active player after an action card has taken effect."""
    what, who = move & 63, move >> 6 & 7
    aimed = what in (RIPOSTE, DODGE, OUTWIT, BREAK_LANCE)
    colour = GREEN if what == DROP_WEAPON else np.int64(s.colour)
    own, best = _total_in(s, seat, colour), np.int64(0)
    if aimed:
        gain, loss = _aimed_swing(rules, s, move, what, who, colour)
        own += gain
        best = max(best, _total_in(s, who, colour) - loss)
        for other in range(rules.players):
            best = max(best, _total_in(s, other, colour) * ((other != seat) & (other != who)))
        return own - best + rules.tie_stays
    doomed = doomed_kinds(rules, s, what)
    for other in range(rules.players):
        left = _total_in(s, other, colour)
        if touches(s, other):
            left -= _wide_loss(rules, s, seat, other, what, doomed, colour)
        if other == seat:
            own = left
        else:
            best = max(best, left)
    return own - best + rules.tie_stays


@inline
def _aimed_swing(rules, s, move, what, who, colour):
    """What a card aimed at one opponent brings the active player, and what it costs the opponent."""
    card = move >> 9 & 63
    if what == RIPOSTE:
        value = COUNTS[colour, s.display[who, s.n_display[who] - 1]]
        return value, value
    if what == DODGE:
        return np.int64(0), COUNTS[colour, card]
    if what == OUTWIT:
        swing = _open_worth(card, colour) - _open_worth(move >> 15 & 63, colour)
        return swing, swing
    return np.int64(0), np.int64(_loss(rules, s, who, OF_SUIT[PURPLE], colour))


@inline
def _wide_loss(rules, s, seat, other, what, doomed, colour):
    """What a card that strikes everybody costs a display."""
    if what == OUTMANEUVER:
        n = s.n_display[other]
        return COUNTS[colour, s.display[other, n - 1]] if other != seat and n > rules.last_card_guard else 0
    if what == ADAPT:
        return _adapt_loss(s, other, colour)
    return _loss(rules, s, other, doomed, colour) if doomed & s.shown[other] else 0


@inline
def _total_in(s, seat, colour):
    return np.int64(s.n_display[seat]) if colour == GREEN else np.int64(s.points[seat])


@inline
def _open_worth(k, colour):
    """What an open card is worth to the one before whom it lies."""
    if k < FIRST_ACTION:
        return np.int64(COUNTS[colour, k])
    return np.int64(_SPECIAL if k == SHIELD else -_SPECIAL if k == STUNNED else 0)


@jit
def _loss(rules, s, seat, doomed, colour):
    """What a display loses with the cards of some kinds; a last card stays."""
    lost = n = 0
    for place in range(s.n_display[seat]):
        k = s.display[seat, place]
        if doomed & BIT[k]:
            lost += COUNTS[colour, k]
            n += 1
    if n > 0 and n == s.n_display[seat] and rules.last_card_guard:
        lost -= COUNTS[colour, s.display[seat, 0]]
    return lost


@jit
def _adapt_loss(s, seat, colour):
    """What a display loses to Adapt."""
    lost = seen = 0
    for place in range(s.n_display[seat]):
        k = s.display[seat, place]
        if seen >> VALUE[k] & 1:
            lost += COUNTS[colour, k]
        seen |= 1 << VALUE[k]
    return lost


@jit
def _cancels(rules, s, policy):
    """Whether the action card that waits is worth Ivanhoe."""
    if policy.cancel_at >= _NEVER:
        return False
    me = s.turn
    if policy.ivanhoe_last and not _would_win(rules, s, me) and not _would_win(rules, s, s.active):
        return False
    gain = lead_after(rules, s, s.active, s.pending) - lead(rules, s, s.active)
    if s.pending & 63 == STUNNED and s.pending >> 6 & 7 == me:
        gain += _SPECIAL
    return gain >= policy.cancel_at
