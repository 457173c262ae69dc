"""The action cards, I9 and I11–I17: effect, shield, cancelled, last card, refused; examples E2–E6."""

from __future__ import annotations

from typing import Any

import pytest

from tests.games.ivanhoe.table import Position, after, displays, legal, position, refused, seat, totals


def duel(card: str, mine: str, his: str, colour: str = "red", **rest: Any) -> Position:
    """Seat 1 holds an action card against seat 2, who holds a red 3."""
    extra = {key: rest.pop(key) for key in ("shield", "stunned") if key in rest}
    return position(seat(mine, card), seat(his, rest.pop("held", "red 3"), **extra), colour=colour, **rest)


# Each card once: the position, the move, the displays after it.
EFFECTS = {
    "unhorse": (duel("unhorse", "purple 3", "purple 4", "purple"), "play unhorse blue", ["purple 3", "purple 4"]),
    "change weapon": (duel("change weapon", "red 3", "red 4"), "play change weapon yellow", ["red 3", "red 4"]),
    "drop weapon": (duel("drop weapon", "red 3, red 3", "red 4"), "play drop weapon", ["red 3, red 3", "red 4"]),
    "break lance": (
        duel("break lance", "purple 3", "squire 2, purple 4, purple 5", "purple"),
        "play break lance 2",
        ["purple 3", "squire 2"],
    ),
    "riposte": (duel("riposte", "red 3", "red 4, red 5"), "play riposte 2", ["red 3, red 5", "red 4"]),
    "dodge": (duel("dodge", "red 3", "red 4, red 5, red 3"), 'play dodge 2 "red 5"', ["red 3", "red 4, red 3"]),
    "retreat": (duel("retreat", "red 3, squire 2", "red 4"), 'play retreat "red 3"', ["squire 2", "red 4"]),
    "knock down": (duel("knock down", "red 3", "red 4"), "play knock down 2", ["red 3", "red 4"]),
    "outmaneuver": (
        duel("outmaneuver", "red 3, red 3", "red 4, red 5"),
        "play outmaneuver",
        ["red 3, red 3", "red 4"],
    ),
    "charge": (duel("charge", "red 3, red 4", "red 4, squire 3"), "play charge", ["red 4", "red 4"]),
    "countercharge": (
        duel("countercharge", "red 5, red 4", "red 4, red 5"),
        "play countercharge",
        ["red 4", "red 4"],
    ),
    "disgrace": (duel("disgrace", "squire 2, red 3", "red 4, maiden 6"), "play disgrace", ["red 3", "red 4"]),
    "adapt": (duel("adapt", "red 3, red 4, red 3", "red 4, red 4"), "play adapt", ["red 3, red 4", "red 4"]),
    "outwit": (
        duel("outwit", "red 3, red 4", "red 5, squire 2"),
        'play outwit 2 give "red 3" take "red 5"',
        ["red 4, red 5", "squire 2, red 3"],
    ),
    "shield": (duel("shield", "red 3", "red 4"), "play shield", ["red 3", "red 4"]),
    "stunned": (duel("stunned", "red 3", "red 4"), "play stunned 2", ["red 3", "red 4"]),
}


@pytest.mark.parametrize("card", EFFECTS)
def test_i11_to_i15_effect(card: str) -> None:
    """I11, I12, I13, I14, I15: each card does what it says, and goes to the discards unless it lies before a player."""
    place, move, expected = EFFECTS[card]
    state = after(place, move)
    assert displays(state) == expected
    assert card not in state["seats"][0]["hand"]
    first, second = state["seats"]
    colours = {"unhorse": "blue", "change weapon": "yellow", "drop weapon": "green"}
    assert state["colour"] == colours.get(card, place["colour"])
    assert (first["shield"], second["stunned"]) == (card == "shield", card == "stunned")
    assert (card in state["discards"]) == (card not in ("shield", "stunned"))
    if card == "knock down":
        assert (first["hand"], second["hand"]) == (["red 3"], [])
    if card == "retreat":
        assert first["hand"] == ["red 3"]
    gone = {
        "break lance": ["purple 4", "purple 5"],
        "dodge": ["red 5"],
        "outmaneuver": ["red 5"],
        "charge": ["red 3", "squire 3"],
        "countercharge": ["red 5", "red 5"],
        "disgrace": ["squire 2", "maiden 6"],
        "adapt": ["red 3", "red 4"],
    }
    assert [name for name in state["discards"] if name != card] == gone.get(card, [])
    assert state["played"] == 1
    assert state["turn"] == 1


@pytest.mark.parametrize("card", EFFECTS)
def test_i16_cancelled(card: str) -> None:
    """I16: the card is cancelled whole; both cards are discarded, nothing else has changed."""
    place, move, _ = EFFECTS[card]
    first, second = place["seats"]
    place = place | {"seats": [first, second | {"hand": ["ivanhoe", "red 3"]}]}
    state = after(place, move)
    assert (state["phase"], state["asked"], state["legal"]) == ("answer", 2, ["let pass", "cancel"])
    state = after(place, move, "cancel")
    assert displays(state) == [", ".join(row["display"]) for row in place["seats"]]
    assert state["colour"] == place["colour"]
    assert state["discards"] == [card, "ivanhoe"]
    assert [row["hand"] for row in state["seats"]] == [[], ["red 3"]]
    assert not any(row["shield"] or row["stunned"] for row in state["seats"])
    assert (state["phase"], state["turn"], state["played"]) == ("play", 1, 1)
    passed = after(place, move, "let pass")
    assert displays(passed) == EFFECTS[card][2]
    if card != "knock down":  # then it may be taken
        assert "ivanhoe" in passed["seats"][1]["hand"]


SHIELDED = {
    "break lance": ["play break lance 2"],
    "riposte": ["play riposte 2"],
    "dodge": ['play dodge 2 "red 5"', 'play dodge 2 "red 4"'],
    "outmaneuver": ["play outmaneuver"],
    "charge": ["play charge"],
    "countercharge": ["play countercharge"],
    "disgrace": ["play disgrace"],
    "adapt": ["play adapt"],
    "outwit": ['play outwit 2 give "red 3" take "red 5"'],
}


@pytest.mark.parametrize("card", SHIELDED)
def test_i15_a_shield_stops_the_card_aimed_at_its_owner(card: str) -> None:
    """I15: with only the shielded display left to touch the play has no effect and is illegal."""
    place, _, _ = EFFECTS[card]
    alone = {"charge": "red 3", "countercharge": "red 5", "disgrace": "red 3", "adapt": "red 3, red 4"}
    first, second = place["seats"]
    mine = alone.get(card, ", ".join(first["display"]))
    shielded = place | {"seats": [seat(mine, card), second | {"shield": True}]}
    for text in SHIELDED[card]:
        refused(shielded, text)


@pytest.mark.parametrize(
    ("card", "mine", "expected"),
    [
        ("charge", "red 4, squire 3", ["red 4", "red 4, squire 3", "red 5"]),
        ("countercharge", "red 5, red 4", ["red 4", "red 4, squire 3", "red 5"]),
        ("disgrace", "red 4, squire 3", ["red 4", "red 4, squire 3", "red 5"]),
        ("adapt", "red 4, red 4", ["red 4", "red 4, squire 3", "red 5"]),
    ],
)
def test_i15_the_shield_spares_its_owner_alone(card: str, mine: str, expected: list[str]) -> None:
    """I15: seat 2 is spared; seat 1's own display is touched by his own card."""
    place = position(seat(mine, card), seat("red 4, squire 3", shield=True), seat("red 5"))
    assert displays(after(place, f"play {card}")) == expected


def test_i15_outmaneuver_passes_a_shield_by() -> None:
    place = position(seat("red 3", "outmaneuver"), seat("red 4, red 3", shield=True), seat("red 5, red 4"))
    assert displays(after(place, "play outmaneuver")) == ["red 3", "red 4, red 3", "red 5"]


def test_i15_a_shield_stops_neither_colours_nor_stunned_nor_knock_down() -> None:
    hand = "change weapon, drop weapon, stunned, knock down"
    place = position(seat("red 3", hand), seat("red 4", "red 3", shield=True))
    state = after(place, "play change weapon blue", "play stunned 2", "play knock down 2", "play drop weapon")
    assert state["colour"] == "green"
    assert state["seats"][1]["stunned"]
    assert state["seats"][0]["hand"] == ["red 3"]
    unhorsed = position(seat("purple 3", "unhorse"), seat("purple 4", shield=True), colour="purple")
    assert after(unhorsed, "play unhorse red")["colour"] == "red"


def test_i15_a_shield_does_not_stop_ivanhoe() -> None:
    place = position(seat("red 3, red 4", "charge", shield=True), seat("red 4, red 5", "ivanhoe"))
    assert displays(after(place, "play charge", "cancel")) == ["red 3, red 4", "red 4, red 5"]


def test_i15_his_own_shield_does_not_stop_riposte_retreat_and_outwit() -> None:
    place = position(seat("red 3, red 4", "riposte, retreat, outwit", shield=True), seat("red 4, red 5"))
    moves = ("play riposte 2", 'play retreat "red 3"', 'play outwit 2 give "red 5" take "red 4"')
    state = after(place | {"seats": [place["seats"][0], seat("red 5, red 4, red 5")]}, *moves)
    assert displays(state) == ["red 4, red 4", "red 5, red 5"]


# A display of one card that the card would empty: refused for want of effect, or the first card stays.
GUARDED = {
    "break lance": (duel("break lance", "purple 3", "purple 4", "purple"), "play break lance 2"),
    "riposte": (duel("riposte", "red 3", "red 4"), "play riposte 2"),
    "dodge": (duel("dodge", "red 3", "red 4"), 'play dodge 2 "red 4"'),
    "retreat": (duel("retreat", "red 3", "red 4"), 'play retreat "red 3"'),
    "outmaneuver": (duel("outmaneuver", "red 3, red 3", "red 4"), "play outmaneuver"),
    "charge": (duel("charge", "red 3", "red 4"), "play charge"),
    "countercharge": (duel("countercharge", "red 3", "red 4"), "play countercharge"),
    "disgrace": (duel("disgrace", "squire 2", "squire 3"), "play disgrace"),
    "outwit": (
        duel("outwit", "red 3, red 4", "red 5", stunned=True),
        'play outwit 2 give "red 3" take "stunned"',
    ),
}


@pytest.mark.parametrize("card", [card for card in GUARDED if card != "outwit"])
def test_i9_the_last_card_stays(card: str) -> None:
    """I9: what could only take a last card has no effect and is refused; `last_card_guard` off, it goes."""
    place, move = GUARDED[card]
    refused(place, move)
    emptied = after(place, move, last_card_guard=False)
    assert "" in displays(emptied)


def test_i9_outwit_empties_no_display() -> None:
    """I9: a special card for a last display card would empty the display, a card for a card does not."""
    place = position(seat("red 3", "outwit", shield=True), seat("red 5", stunned=True))
    assert sorted(legal(place)) == sorted(
        [
            'play outwit 2 give "red 3" take "red 5"',
            'play outwit 2 give "shield" take "stunned"',
            "withdraw",
        ]
    )
    freely = legal(place, last_card_guard=False)
    assert 'play outwit 2 give "shield" take "red 5"' in freely
    assert 'play outwit 2 give "red 3" take "stunned"' in freely


def test_i9_adapt_never_takes_a_last_card() -> None:
    place = position(seat("red 3", "adapt"), seat("red 4, red 4, red 4"))
    assert displays(after(place, "play adapt")) == ["red 3", "red 4"]
    assert displays(after(place, "play adapt", last_card_guard=False)) == ["red 3", "red 4"]


@pytest.mark.parametrize("card", ["charge", "countercharge", "disgrace", "break lance"])
def test_i9_of_a_display_that_would_go_whole_the_first_card_stays(card: str) -> None:
    rows = {
        "charge": ("red 4", "red 3, squire 3", "red 3", "red"),
        "countercharge": ("red 4", "red 5, red 5", "red 5", "red"),
        "disgrace": ("red 4", "squire 3, maiden 6", "squire 3", "red"),
        "break lance": ("red 4", "purple 4, purple 5", "purple 4", "purple"),
    }
    mine, his, left, colour = rows[card]
    target = " 2" if card == "break lance" else ""
    state = after(duel(card, mine, his, colour), f"play {card}{target}")
    assert displays(state) == [mine, left]
    assert displays(after(duel(card, mine, his, colour), f"play {card}{target}", last_card_guard=False)) == [mine, ""]


@pytest.mark.parametrize("move", ["play unhorse red", "play change weapon red", "play drop weapon", "play shield"])
def test_i9_the_guard_does_not_matter_where_no_display_is_touched(move: str) -> None:
    colour = "purple" if "unhorse" in move else "blue"
    place = position(seat("squire 2", "unhorse, change weapon, drop weapon, shield"), seat("squire 3"), colour=colour)
    assert displays(after(place, move)) == ["squire 2", "squire 3"]


@pytest.mark.parametrize(
    ("card", "mine", "his", "colour", "move"),
    [
        ("unhorse", "red 3", "red 4", "red", "play unhorse blue"),
        ("unhorse", "green 1", "green 1", "green", "play unhorse blue"),
        ("change weapon", "red 3", "red 4", "red", "play change weapon red"),
        ("change weapon", "purple 3", "purple 4", "purple", "play change weapon red"),
        ("change weapon", "green 1", "squire 2", "green", "play change weapon red"),
        ("drop weapon", "purple 3", "purple 4", "purple", "play drop weapon"),
        ("drop weapon", "green 1", "squire 2", "green", "play drop weapon"),
        ("break lance", "red 3", "red 4, red 5", "red", "play break lance 2"),
        ("riposte", "red 3", "", "red", "play riposte 2"),
        ("dodge", "red 3", "red 4, red 4", "red", 'play dodge 2 "red 5"'),
        ("dodge", "red 3", "", "red", 'play dodge 2 "red 5"'),
        ("retreat", "red 3, red 4", "red 4", "red", 'play retreat "red 5"'),
        ("outmaneuver", "red 3, red 4", "", "red", "play outmaneuver"),
        ("charge", "red 3", "red 4, red 5", "red", "play charge"),
        ("countercharge", "red 5", "red 4, red 3", "red", "play countercharge"),
        ("disgrace", "red 3, red 4", "red 4, red 5", "red", "play disgrace"),
        ("adapt", "red 3, red 4", "red 4, red 5", "red", "play adapt"),
        ("outwit", "red 3, red 4", "red 3", "red", 'play outwit 2 give "red 3" take "red 3"'),
        ("outwit", "red 3", "", "red", 'play outwit 2 give "red 3" take "red 4"'),
        ("stunned", "red 3", "red 4", "red", "play stunned 1"),
        ("shield", "red 3", "red 4", "red", "play shield 2"),
        ("ivanhoe", "red 3", "red 4", "red", "play ivanhoe"),
    ],
)
def test_i9_a_play_without_effect_is_refused(card: str, mine: str, his: str, colour: str, move: str) -> None:
    refused(duel(card, mine, his, colour, held="red 3"), move)


def test_i9_knock_down_needs_a_hand_to_rob() -> None:
    refused(position(seat("red 3", "knock down"), seat("red 4", "")), "play knock down 2")


def test_i11_displays_stay_and_count_on() -> None:
    place = position(seat("purple 7", "unhorse, blue 5, drop weapon"), seat("purple 5, purple 4"), colour="purple")
    assert totals(after(place, "play unhorse blue", "play blue 5")) == [12, 9]
    assert totals(after(place, "play unhorse blue", "play drop weapon")) == [1, 2]
    assert "play blue 5" not in legal(place)


@pytest.mark.parametrize("colour", ["red", "blue", "yellow"])
def test_i11_change_weapon_among_three_colours(colour: str) -> None:
    place = position(seat("squire 2", "change weapon"), seat("squire 3"), colour=colour)
    named = {move.split()[-1] for move in legal(place) if move.startswith("play change")}
    assert named == {"red", "blue", "yellow"} - {colour}


def test_i12_break_lance_takes_purple_in_any_tournament() -> None:
    place = duel("break lance", "red 3", "purple 4, red 5, purple 3", "red")
    assert displays(after(place, "play break lance 2")) == ["red 3", "red 5"]


def test_i12_e3_break_lance_on_two_purple_cards() -> None:
    """E3: of purple 4 and 5 the 4 stays."""
    state = after(duel("break lance", "purple 7", "purple 4, purple 5", "purple"), "play break lance 2")
    assert (displays(state), totals(state)) == (["purple 7", "purple 4"], [7, 4])


def test_i12_dodge_takes_the_later_of_two_like_cards() -> None:
    place = duel("dodge", "red 3", "red 4, red 5, red 4")
    assert displays(after(place, 'play dodge 2 "red 4"')) == ["red 3", "red 4, red 5"]


def test_i12_a_knocked_down_card_can_be_written_down() -> None:
    """I12: the number in brackets names the place in the sorted hand."""
    place = position(seat("red 3", "knock down"), seat("red 4", "blue 2, charge, red 5"))
    hands = [after(place, f"play knock down 2 [{n}]")["seats"][0]["hand"] for n in (1, 2, 3)]
    assert hands == [["red 5"], ["blue 2"], ["charge"]]


def test_i13_e4_charge_and_countercharge() -> None:
    """E4: Charge on 4,4,5 and 4,5,5 leaves 5 and 10, Countercharge 8 and 4."""
    place = position(seat("blue 4, blue 4, red 5", "charge, countercharge"), seat("blue 4, red 5, blue 5"))
    assert totals(after(place, "play charge")) == [5, 10]
    assert totals(after(place, "play countercharge")) == [8, 4]


def test_i13_e2_adapt() -> None:
    """E2: Adapt on 4,4,5 and 4,5,5 and 4,4 leaves 9, 9 and 4."""
    place = position(seat("red 4, red 4, red 5", "adapt"), seat("blue 4, blue 5, blue 5"), seat("red 4, red 4"))
    assert totals(after(place, "play adapt")) == [9, 9, 4]


def test_i13_adapt_lets_the_owner_pick_among_equals() -> None:
    """I13: owners are asked from the active player on, the lowest value first; the others go."""
    place = position(seat("red 3, squire 3, squire 2, blue 2", "adapt"), seat("red 3, red 3"), seat("red 4, yellow 4"))
    shown = after(place, "play adapt")
    assert (shown["phase"], shown["turn"], shown["legal"]) == ("keep", 1, ["keep blue 2", "keep squire 2"])
    shown = after(place, "play adapt", "keep squire 2")
    assert shown["legal"] == ["keep red 3", "keep squire 3"]
    shown = after(place, "play adapt", "keep squire 2", "keep red 3")
    assert (shown["asked"], shown["legal"]) == (3, ["keep red 4", "keep yellow 4"])
    done = after(place, "play adapt", "keep squire 2", "keep red 3", "keep yellow 4")
    assert displays(done) == ["red 3, squire 2", "red 3", "yellow 4"]
    assert (done["phase"], done["turn"]) == ("play", 1)


def test_i13_e5_disgrace() -> None:
    """E5: Disgrace on 5, squire 3, maiden 6; squire 2, 2; squire 3 leaves 5, 2 and 3."""
    place = position(seat("red 5, squire 3, maiden 6", "disgrace"), seat("squire 2, blue 2"), seat("squire 3"))
    state = after(place, "play disgrace")
    assert (totals(state), displays(state)) == ([5, 2, 3], ["red 5", "blue 2", "squire 3"])


def test_i5_i13_green_looks_at_printed_values() -> None:
    """I5: in green every card counts 1, and Charge takes the 1 before the squire 2."""
    place = position(seat("squire 2, green 1", "charge"), seat("squire 3, squire 2"), colour="green")
    assert totals(after(place)) == [2, 2]
    assert displays(after(place, "play charge")) == ["squire 2", "squire 3, squire 2"]


@pytest.mark.parametrize(("counts", "expected"), [(True, None), (False, ["red 4", "squire 2, red 3", "red 4"])])
def test_i15_charge_counts_shielded(counts: bool, expected: list[str] | None) -> None:
    """I15: the shielded squire 2 is the lowest value, so Charge has no effect; uncounted, the 3s go."""
    place = position(seat("red 4, red 3", "charge"), seat("squire 2, red 3", shield=True), seat("red 4, red 3"))
    if expected is None:
        refused(place, "play charge", charge_counts_shielded=counts)
    else:
        assert displays(after(place, "play charge", charge_counts_shielded=counts)) == expected


def test_i14_e6_outwit() -> None:
    """E6: 4 and 5 against 2 and 2, the 5 for a 2: 6 and 7."""
    place = position(seat("blue 4, blue 5", "outwit"), seat("blue 2, blue 2"), colour="blue")
    state = after(place, 'play outwit 2 give "blue 5" take "blue 2"')
    assert (totals(state), displays(state)) == ([6, 7], ["blue 4, blue 2", "blue 2, blue 5"])


def test_i14_outwit_swaps_specials() -> None:
    place = position(seat("red 3, red 4", "outwit", stunned=True), seat("red 5, red 3", shield=True))
    state = after(place, 'play outwit 2 give "stunned" take "shield"')
    assert [(row["shield"], row["stunned"]) for row in state["seats"]] == [(True, False), (False, True)]
    state = after(place, 'play outwit 2 give "red 4" take "shield"')
    assert displays(state) == ["red 3", "red 5, red 3, red 4"]
    assert state["seats"][0]["shield"]


def test_i14_the_dutch_outwit_takes_a_special_card_and_stays_there() -> None:
    place = position(seat("red 3, red 4", "outwit"), seat("red 5, red 3", shield=True))
    dutch = {"outwit": "special_for_outwit"}
    assert legal(place, **dutch) == ['play outwit 2 give "outwit" take "shield"', "withdraw"]
    state = after(place, 'play outwit 2 give "outwit" take "shield"', **dutch)
    assert (state["seats"][0]["shield"], state["seats"][1]["outwit"]) == (True, True)
    assert "outwit" not in state["discards"]
    state = after(place, 'play outwit 2 give "outwit" take "shield"', "withdraw", **dutch)
    assert {"outwit", "shield"} <= set(state["discards"])


def test_i15_outwit_against_a_shield() -> None:
    place = position(seat("red 3, red 4", "outwit"), seat("red 5, red 3", shield=True))
    takes = {move.split("take ")[1] for move in legal(place) if "outwit" in move}
    assert takes == {'"shield"'}
    takes = {move.split("take ")[1] for move in legal(place, outwit_vs_shield="display_too") if "outwit" in move}
    assert takes == {'"shield"', '"red 3"', '"red 5"'}


def test_i4_no_action_brings_a_second_maiden() -> None:
    place = position(seat("maiden 6, red 3", "riposte, outwit"), seat("red 4, maiden 6"))
    moves = legal(place)
    assert "play riposte 2" not in moves
    assert 'play outwit 2 give "red 3" take "maiden 6"' not in moves
    assert 'play outwit 2 give "maiden 6" take "red 4"' not in moves
    freely = legal(place, maiden_limit=2)
    assert "play riposte 2" in freely
    assert 'play outwit 2 give "red 3" take "maiden 6"' in freely


def test_i15_knock_down_against_a_shield() -> None:
    place = position(seat("red 3", "knock down"), seat("red 4", "red 3", shield=True))
    assert "play knock down 2" in legal(place)
    assert "play knock down 2" not in legal(place, knock_down_vs_shield="blocked")


def test_i15_stunned_adds_one_card_a_turn_by_any_means() -> None:
    """I15: one card of the hand or one Riposte; an Outwit swap does not count."""
    place = position(seat("red 3", "red 4, red 5, riposte, outwit", stunned=True), seat("red 3, squire 2"))
    assert {"play red 4", "play red 5", "play riposte 2"} <= set(legal(place))
    laid = legal(place, "play red 4")
    assert not {"play red 5", "play riposte 2"} & set(laid)
    assert 'play outwit 2 give "red 4" take "red 3"' in laid
    assert "play red 5" not in legal(place, "play riposte 2")
    assert "play red 5" in legal(place, 'play outwit 2 give "red 3" take "squire 2"')


def test_i15_stunned_counts_anew_each_turn() -> None:
    place = position(seat("red 3", "red 4, red 5", stunned=True), seat("squire 3", "red 5"))
    shown = after(place, "play red 4", "end", "play red 5", "end")
    assert shown["turn"] == 1
    assert "play red 5" in shown["legal"]


def test_i15_shield_and_stunned_lie_till_withdrawal_or_the_end() -> None:
    place = position(seat("red 3", ""), seat("red 4", "", shield=True), seat("red 5", "red 3", stunned=True))
    state = after(place, "withdraw", "withdraw")
    assert not any(row["shield"] or row["stunned"] for row in state["seats"])
    assert {"shield", "stunned"} <= set(state["discards"])
    state = after(place, "withdraw")
    assert (state["seats"][1]["shield"], state["seats"][2]["stunned"]) == (True, True)


def test_i16_cards_played_before_a_cancelled_one_stay() -> None:
    """I16: the red 4 stays; without the Riposte seat 1 is not ahead and can only go on or withdraw."""
    place = position(seat("red 3", "red 4, riposte"), seat("red 4, red 5", "ivanhoe"))
    state = after(place, "play red 4", "play riposte 2", "cancel")
    assert displays(state) == ["red 3, red 4", "red 4, red 5"]
    assert state["legal"] == ["withdraw"]


def test_i16_only_players_still_in_are_asked() -> None:
    """I16: neither the active player nor one who withdrew can answer."""
    out = position(seat("red 3", "drop weapon"), seat("", "ivanhoe", **{"in": False}), seat("red 4"))
    assert after(out, "play drop weapon")["phase"] == "play"
    own = position(seat("red 3", "drop weapon, ivanhoe"), seat("red 4"))
    assert after(own, "play drop weapon")["phase"] == "play"
    not_entered = position(seat("red 3", "drop weapon"), seat("", "ivanhoe"))
    assert after(not_entered, "play drop weapon")["phase"] == "answer"


def test_i16_ivanhoe_can_protect_himself_only() -> None:
    scope = {"ivanhoe_scope": "protect_self"}
    place = position(
        seat("red 4, red 3", "charge, drop weapon"), seat("red 4, squire 3", "ivanhoe"), seat("red 5, red 3")
    )
    state = after(place, "play charge", "cancel", **scope)
    assert displays(state) == ["red 4", "red 4, squire 3", "red 5"]
    assert after(place, "play drop weapon", **scope)["phase"] == "play"
    aimed = position(
        seat("red 4", "riposte, knock down"), seat("red 4, red 3", "ivanhoe"), seat("red 5, red 3", "red 3")
    )
    assert displays(after(aimed, "play riposte 2", "cancel", **scope)) == ["red 4", "red 4, red 3", "red 5, red 3"]
    assert after(aimed, "play riposte 3", **scope)["phase"] == "play"
    assert after(aimed, "play knock down 2", **scope)["phase"] == "answer"


def test_i17_stunned_and_knock_down_may_hit_who_has_not_entered() -> None:
    rows = (seat("red 3", "stunned, knock down"), seat("", "red 4"), seat("red 5"), seat("", "red 4", **{"in": False}))
    moves = legal(position(*rows))
    assert [move for move in moves if "stunned" in move] == ["play stunned 2", "play stunned 3"]
    assert [move for move in moves if "knock" in move] == ["play knock down 2", "play knock down 4"]
    assert after(position(*rows), "play stunned 2")["seats"][1]["stunned"]
