"""When to yield: the limits everybody knows, a slow twin, and tournaments (R17–R19)."""

from __future__ import annotations

import re
from dataclasses import replace
from random import Random

import numpy as np
import pytest

from analyzer.errors import BadInput
from analyzer.games.ritter.cards import default_deck_path
from analyzer.games.ritter.joust import ATTACKER, DEFENDER, Rider, solve, threshold, wound_odds
from analyzer.games.ritter.stopping import Stakes, best_yields, worth_of
from analyzer.games.ritter.studies.entrants import plain_scenario, read_entrant
from analyzer.games.ritter.studies.yielding import Encounter, answer, given_prices, measured_prices, yielding

PLAIN = plain_scenario()
LIMIT = 10


def encounter(me="4d1123", other="5d12", yields_at="never", scenario=PLAIN, **where):
    knights = read_entrant(scenario, me), read_entrant(scenario, other, yields_at=yields_at)
    return Encounter(scenario, *knights, **where)


def solved(prices, *who, seed=1, games=0, **where):
    worth = given_prices(LIMIT, prices, 2.0) if isinstance(prices, str) else prices
    return answer(encounter(*who, **where), worth, seed=seed, games=games)


def yields(result):
    """Where one's own knight yields: own wounds down, the other's across."""
    return result["map"].set_index("own wounds") == "yield"


def best_of(result):
    """The best threshold, one beyond the limit if it is never."""
    word = result.facts["best_threshold"]
    return LIMIT + 1 if word == "never" else int(word)


def rule_of(word):
    return "never" if word == "never" else f"with {word} {'wound' if word == '1' else 'wounds'} or more"


def test_with_price_zero_nobody_yields():
    result = solved("0")
    assert not yields(result).to_numpy().any()
    assert best_of(result) > LIMIT
    assert "never yields" in result.finding


@pytest.mark.parametrize("side", [ATTACKER, DEFENDER])
def test_with_an_infinite_price_he_yields_at_once(side):
    result = solved("inf", side=side)
    assert yields(result).to_numpy().all()
    assert best_of(result) == 1


def test_he_waits_for_the_other_to_yield_first():
    """R18: who knows that the other is about to yield does not."""
    result = solved("inf", yields_at="7")
    assert yields(result).loc[:, :"6"].to_numpy().all()
    assert not yields(result).loc[:, "7":].to_numpy().any()


def test_the_best_map_loses_to_no_simple_rule():
    for prices in ("0.1", "0.3", "0,0,0,0,.3,.6,.9,1.2,1.5,1.8,4"):
        for side in (ATTACKER, DEFENDER):
            assert (solved(prices, yields_at="7", side=side)["simple"]["lost"] > -1e-9).all()


def test_fighting_on_is_worth_what_the_next_round_brings():
    """The solution satisfies Bellman's equation, written out once more; the mounted part adds up too."""
    random = Random(2)
    rules = PLAIN.table.rules
    for _ in range(20):
        a, d = (Rider(random.randint(2, 7), tuple(random.randint(0, 1) for _ in range(6)), 0) for _ in range(2))
        stakes = given_prices(LIMIT, f"{random.uniform(0, 0.5)}", 2.0).stakes
        fixed = threshold(LIMIT, 7, DEFENDER)
        result = best_yields(rules, a, d, (stakes, stakes), (None, fixed))
        hurt_a, hurt_d = (wound_odds(x.dice, tuple(sorted(y.cover[3:]))) for x, y in ((d, a), (a, d)))
        for w, v in ((1, 1), (3, 6), (8, 2), (9, 9)):
            value = sum(
                p * q * _after(w + i, v + j, result, fixed, stakes)
                for i, p in enumerate(hurt_a)
                for j, q in enumerate(hurt_d)
            )
            assert result.fighting[ATTACKER, w, v] == pytest.approx(value, abs=1e-9)


def _after(x, y, result, fixed, stakes):
    """What it is worth to the attacker once the wounds are x and y."""
    out_a, out_d = x >= LIMIT, y >= LIMIT
    yields = not out_a and not out_d and result.yields[ATTACKER, x, y]
    if out_a or out_d or yields or fixed[x, y]:
        wins = not out_a and not yields
        return (stakes.victorious if wins else stakes.beaten)[min(x, LIMIT), min(y, LIMIT)]
    return max(result.fighting[ATTACKER, x, y], stakes.beaten[x, y])


def test_the_worth_of_a_joust_is_that_of_its_ends():
    ends = solve(PLAIN.table.rules, Rider(4, (1,) * 6), Rider(4, (1,) * 6))
    one = Stakes(np.ones((11, 11)), np.zeros((11, 11)))
    assert worth_of(ends, one, ATTACKER) == pytest.approx(ends.winner[0])
    assert worth_of(ends, one, DEFENDER) == pytest.approx(ends.winner[1])
    out = Stakes(np.zeros((11, 11)), np.zeros((11, 11)))
    for grid in out:
        grid[10, :] = 1
    assert worth_of(ends, out, ATTACKER) == pytest.approx(ends.out[0])
    assert worth_of(ends, out, DEFENDER) == pytest.approx(ends.out[1])


def test_both_at_their_best_is_an_equilibrium():
    """Neither map of the pair can be bettered by a threshold."""
    for side in (ATTACKER, DEFENDER):
        result = solved("0.25", side=side, other_is_best=True)
        assert (result["simple"]["lost"] > -1e-9).all()


def test_the_last_day_has_no_price(tmp_path, monkeypatch):
    """Wounds cost nothing when no day follows; measured prices are kept and read again."""
    monkeypatch.setattr("analyzer.games.ritter.studies.yielding.cache_home", lambda: tmp_path)
    scenario = plain_scenario(["playoff=share"])
    prices = measured_prices(encounter(scenario=scenario, day=4), seed=3, games=600)
    assert (prices.table["beaten"] == 0).all()
    assert (prices.table["victorious"].iloc[:10] > 1).all()
    kept = list((tmp_path / "worth").iterdir())
    assert len(kept) == 1
    kept[0].write_text(kept[0].read_text().replace('"tournaments": ', '"tournaments": 1'))
    assert measured_prices(encounter(scenario=scenario, day=4), seed=3, games=600).origin != prices.origin
    # what the other's wounds are worth is a price of their own: two who knock each other out leave fewer to challenge
    own = (np.repeat(prices.table[end].to_numpy()[:, None], LIMIT + 1, axis=1) for end in ("victorious", "beaten"))
    assert best_of(solved(replace(prices, stakes=Stakes(*own)), scenario=scenario, day=4)) > LIMIT


@pytest.mark.parametrize("knight", ["6d", "4d1245"])
def test_the_threshold_holds_in_tournaments(knight, tmp_path, monkeypatch):
    """Ten alike knights who never train: the recommended threshold ties with or beats its neighbours.

    Intervals hold together at 95% over ten thresholds, so a false alarm is rarer than one in twenty for a
    new seed; this seed is fixed. Negative control: the rulebook's 7 loses clearly.
    """
    monkeypatch.setattr("analyzer.games.ritter.studies.yielding.cache_home", lambda: tmp_path)
    deck = tmp_path / "alike.toml"
    text = default_deck_path().read_text(encoding="utf-8")
    deck.write_text(re.sub(r'strength = "[^"]*"', f'strength = "{knight}"', text), encoding="utf-8")
    scenario = plain_scenario(["training_points=0", "training_by_wounds=[0]"], deck=str(deck))
    prices = measured_prices(encounter(knight, knight, scenario=scenario, side=DEFENDER), seed=1, games=10_000)
    result = solved(prices, knight, knight, "7", scenario, side=DEFENDER, games=20_000)
    table = result["tournaments"].set_index("yield_at")
    best = best_of(result)
    recommended = table.loc[str(best)]
    for near in (best - 1, best + 1):
        if near >= 1:
            assert recommended["behind_low"] <= table.loc[str(near), "behind_high"]
    assert recommended["behind_low"] <= 0
    assert table.loc["7", "behind_low"] > 0


@pytest.mark.parametrize("text", ["x", "1,2", "-1", "nan", "1,2,3,4,5,6,7,8,9,10,-11"])
def test_bad_prices_are_refused(text):
    with pytest.raises(BadInput):
        given_prices(LIMIT, text, 2.0)


def test_map_picture_headline_and_table_say_the_same():
    """R17, R18: over random pairs, prices, sides and orders of asking each place of the picture has the map's sign.

    The headline's threshold is the table's best, and the map is worth at least as much as every rule.
    """
    random = Random(8)

    def knight(wounds):
        faces = "".join(str(face) * random.randint(0, 2) for face in range(1, 7))
        return f"{random.randint(1, 7)}d{faces}" + (f"w{wounds}" if wounds else "")

    for case in range(60):
        order = random.choice(["attacker_first", "defender_first"])
        scenario = plain_scenario([f"yield_order={order}", f"yield_before_foot={str(case % 2 == 0).lower()}"])
        other = random.choice(["5", "7", "never", "best"])
        result = solved(
            f"{random.uniform(0, 0.6):.3f}",
            knight(random.choice([0, 0, 2])),
            knight(random.choice([0, 0, 3])),
            "never" if other == "best" else other,
            scenario,
            side=random.choice([ATTACKER, DEFENDER]),
            other_is_best=other == "best",
        )
        worth = result["fighting"].set_index("own wounds")
        drawn = result.table("map").chart.frame
        assert np.array_equal(drawn["worth"].to_numpy().reshape(worth.shape), worth.to_numpy()), case
        assert ((worth.to_numpy() < 0) == yields(result).to_numpy()).all(), case
        rules = result["simple"].set_index("yield")["lost"]
        assert (rules > -1e-9).all()
        word = rule_of(result.facts["best_threshold"])
        thresholds = [name for name in rules.index if name == "never" or name.startswith("with ")]
        assert rules[word] == rules[thresholds].min()
        if yields(result).to_numpy().any():
            assert ("never yielding is best" if word == "never" else word) in result.finding, case
        else:
            assert "never yields" in result.finding


@pytest.mark.parametrize(("me", "other"), [("Apollonius", "Harald"), ("4d1123", "5d1")])
def test_tournaments_fight_the_joust_of_the_headline(me, other, tmp_path, monkeypatch):
    """What a threshold loses by the chain and what it loses in tournaments is one number, measured twice.

    The tournaments never contradict the headline without the page saying so.
    """
    monkeypatch.setattr("analyzer.games.ritter.studies.yielding.cache_home", lambda: tmp_path)
    prices = measured_prices(encounter(me, other, day=2), seed=5, games=6_000)
    result = solved(prices, me, other, "7", day=2, seed=5, games=6_000)
    table = result["tournaments"].set_index("yield_at")
    best = result.facts["best_threshold"]
    assert table.loc[best, ["exact", "behind", "behind_low", "behind_high"]].eq(0).all()
    names = [rule_of(row) for row in table.index]
    lost = result["simple"].set_index("yield")["lost"]
    assert np.allclose(table["exact"], lost[names].to_numpy() - table["exact"].min() - lost[names].min(), atol=1e-12)
    assert (table["exact"] <= table["behind_high"] + 0.05).all()
    assert (table["exact"] >= table["behind_low"] - 0.05).all()
    assert ("the prices leave something out" in result.finding) == bool((table["behind_high"] < 0).any())


def test_rage_on_foot_is_no_question_for_the_map():
    with pytest.raises(BadInput, match="horseback only"):
        solved("0.3", scenario=plain_scenario(["enrage_on_foot=true"]))


def test_an_interruption_leaves_the_map_and_the_tournaments_that_were_played():
    """Ctrl-C while prices are measured is one; later the map stands, beside what was compared until then."""
    here = encounter(yields_at="7")

    def stop(played):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        measured_prices(here, seed=9, games=3_000, threads=1, progress=stop)
    prices = given_prices(LIMIT, "0.3", 2.0)
    cut = answer(here, prices, seed=9, games=3_000, threads=1, progress=stop)
    assert cut.interrupted
    assert "It was interrupted after" in cut.method
    assert cut["map"].equals(yielding(here, prices=prices, games=0)["map"])
    assert 0 < cut["tournaments"]["jousts"].iloc[0] < 3_000
