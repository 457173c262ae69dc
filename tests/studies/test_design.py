"""Verdicts, stopping, pairing, sweeping: the designers' studies."""

from __future__ import annotations

import json
import math
from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from analyzer.answer import POINTS
from analyzer.ask import ask
from analyzer.catalogue import STUDIES
from analyzer.engine.run import Run
from analyzer.errors import BadInput, Interrupted
from analyzer.games import GAMES
from analyzer.reporting.document import document, json_text
from analyzer.reporting.numbers import readable
from analyzer.reporting.page import write
from analyzer.scenarios import changed, find_scenario, load_scenario
from analyzer.stats.intervals import Estimate, Method
from analyzer.stats.moments import moments_of
from analyzer.stats.quantiles import quantile
from analyzer.stats.verdict import games_to_decide, verdict
from analyzer.studies import variations
from analyzer.studies.axes import Axis, read_axis
from analyzer.studies.balance import balance, play_sums
from analyzer.studies.baseline import RELATIVE_TOLERANCE, TOLERANCE, Baseline, apart_from
from analyzer.studies.check import APART, PAIRED, SAME_GAMES, check
from analyzer.studies.compare import ALIKE, DIFFERS, compare, play_paired, shared_metrics
from analyzer.studies.lines import Line, lines_of
from analyzer.studies.sweep import _line_title, sweep
from analyzer.studies.sweep import budget as sweep_budget
from analyzer.studies.tornado import largest, neighbours, steps_of
from analyzer.studies.until import Until, read_until
from analyzer.studies.variations import play_beside
from tests.tables import table_of
from tests.toy import OPTIONS, race

WIDE = {"ties": (0.0, 1.0), "comeback": (0.0, 1.0), "dead": (0.0, 1.0), "known_half": (-1.0, 1.0), "policy": 1.0}


@pytest.mark.parametrize(
    ("found", "expected"),
    [((0.5, 0.45, 0.55), "holds"), ((0.9, 0.8, 1.0), "violated"), ((0.6, 0.5, 0.7), "undecided")],
)
def test_verdicts(found, expected):
    assert verdict(Estimate(*found), 0.4, 0.6) == expected


def test_games_to_decide():
    """Half the distance takes four times the games."""
    assert games_to_decide(Estimate(0.55, 0.45, 0.65), 0.4, 0.6, 1000) == 4000
    assert games_to_decide(Estimate(0.6, 0.5, 0.7), 0.4, 0.6, 1000) == 1_000_000


def test_moments_against_numpy():
    random = np.random.default_rng(1)
    a, b = random.integers(0, 50, (600, 3)), random.integers(0, 50, (600, 3))
    b[:, 1] = a[:, 1] + 7
    whole = moments_of([a, b], 4)
    parts = moments_of([a[:200], b[:200]], 4) + moments_of([a[200:], b[200:]], 4)
    assert all(np.array_equal(x, y) for x, y in zip(whole, parts, strict=True))
    blocks = a.reshape(150, 4, 3).mean(axis=1), b.reshape(150, 4, 3).mean(axis=1)
    assert whole.variance(1) == pytest.approx(blocks[1].var(axis=0, ddof=1))
    assert whole.variance(1, paired=True) == pytest.approx((blocks[1] - blocks[0]).var(axis=0, ddof=1))
    found = whole.estimates(Method(), 1, 1, paired=True)
    assert found[1].estimate == 7
    assert found[1].low < 7 < found[1].high  # other games may differ by something else
    assert math.isnan(whole.saved(1)[1])


def test_a_scenario_equals_itself():
    scenario = race(("random", "fast"), rounds=4)
    result = compare(scenario, second=scenario, games=4_000)
    assert (result["differences"]["verdict"] == ALIKE).all()
    assert (result["differences"]["difference"] == 0).all()
    assert (result["differences"]["difference_low"] < 0).all()  # what these games do not show others may
    assert (result["differences"]["difference_high"] > 0).all()
    assert result.finding.startswith("Nothing differed")


def test_a_change_is_found_and_pairing_saves_games():
    result = compare(race(pace=50, rounds=4), second=race(pace=52, rounds=4), games=40_000)
    row = result["differences"].set_index("key").loc["score.1"]
    assert row["verdict"] == DIFFERS
    assert row["difference_low"] < 0.08 < row["difference_high"]  # 4 rounds, 2 percent
    assert row["fewer_games"] > 10


def test_what_cannot_be_compared():
    with pytest.raises(BadInput, match="table of 2 with one of 3"):
        compare(race(), second=race(("random",) * 3), games=10)
    with pytest.raises(BadInput, match="share no deals"):
        compare(race(), second=load_scenario(find_scenario("ritter/duel-of-two")), games=10)


def test_other_policies_are_compared_seat_by_seat():
    one, other = race(("random", "random")), race(("random", "fast"))
    metrics = shared_metrics(one, other)
    assert [m.key for m in metrics[:2]] == ["seat.1", "seat.2"]
    result = compare(one, second=other, games=20_000)
    row = result["differences"].set_index("key").loc["seat.2"]
    assert row["difference"] > 0.1
    assert play_paired([one, other], metrics, Until(100), seed=1).n_games == 100


def test_targets_are_judged():
    even = balance(race(rounds=3, targets={"place": 0.02, "ties": (0.9, 1.0)}), games=40_000)
    judged = dict(even.verdicts)
    assert (judged["place.1"], judged["ties"]) == ("holds", "violated")
    skewed = balance(race(rounds=3, edge=30, targets={"place": 0.02}), games=40_000)
    assert dict(skewed.verdicts)["place.1"] == "violated"
    assert "violated" in skewed.finding


def test_until_a_width_or_a_decision():
    wide = balance(race(rounds=3), until=Until(10**7, half_width=0.01))
    narrow = balance(race(rounds=3), until=Until(10**7, half_width=0.004))
    assert wide.n_games < narrow.n_games < 10**7
    assert "confidence sequences" in wide.method
    lines = narrow["lines"].set_index("key")
    assert lines.loc["place.1", "estimate_high"] - lines.loc["place.1", "estimate"] <= 0.004
    decided = balance(race(rounds=3, targets={"place": 0.01}), until=Until(10**7, decided=True))
    assert "undecided" not in dict(decided.verdicts).values()


def test_reading_until():
    assert read_until(None, None, 77) == Until(77)
    assert read_until("0.1%", 500, 77) == Until(500, half_width=0.001)
    assert read_until("decided", None, 77).decided
    for text in ("", "soon", "0%", "200%", "-1"):
        with pytest.raises(BadInput, match="allowed"):
            read_until(text, None, 77)


def test_looks_are_whole_blocks_without_gaps():
    end = 0
    for first, count in Until(10**6, decided=True).looks(6):
        assert first == end
        assert count % 6 == 0
        end = first + count
    assert 10**6 <= end < 10**6 + 6


@pytest.mark.parametrize(
    ("targets", "games", "code"),
    [({"place": 0.05}, 10**6, 0), ({"ties": (0.9, 1.0)}, 10**6, 1), ({"place": 0.0004}, 70_000, 3)],
)
def test_check_is_a_gate(targets, games, code):
    assert check(race(rounds=3, targets={**WIDE, **targets}), until=Until(games, decided=True)).exit_code == code


def test_check_and_balance_hold_a_scenario_to_the_same():
    """Own targets and defaults together; a game of the race is tied more often than the default allows."""
    scenario = race(rounds=3, targets={"place": 0.05})
    for games in (8, 600, 8_000):  # too few for intervals that hold at many looks, and enough
        judged = balance(scenario, games=games)
        checked = check(scenario, until=Until(games, decided=True), every=True)
        assert checked["lines"]["key"].tolist() == [key for key, _ in judged.verdicts]
        assert checked["lines"].equals(judged["targets"])
        wanted = judged["lines"][judged["lines"]["verdict"] != ""].reset_index(drop=True)
        assert checked["lines"].equals(wanted)
    assert checked["lines"].set_index("key").loc[["place.1", "ties"], "verdict"].tolist() == ["holds", "violated"]
    assert checked.exit_code == 1


def test_a_check_ends_with_the_first_violated_target():
    """`ties` is violated at the first look, and the margin of `place` cannot be decided."""
    scenario = race(rounds=3, targets={"place": 0.0001})
    assert check(scenario, until=Until(400_000, decided=True)).n_games == 32_768
    every = check(scenario, until=Until(400_000, decided=True), every=True)
    assert (every.n_games, every.exit_code) == (400_000, 1)
    none = race(rounds=3, targets={**WIDE, "place": 0.0001})
    assert check(none, until=Until(100_000, decided=True)).n_games == 100_000


def test_a_target_of_skill_is_checked_too():
    scenario = race(rounds=3, targets={**WIDE, "skill": (0.9, 1.0)})
    found = check(scenario, until=Until(10**5, decided=True))
    assert found["lines"].set_index("key").loc["skill", "verdict"] == "violated"
    assert found.exit_code == 1


def test_a_target_that_nothing_is_held_against_is_not_passed_over():
    """Without tokens the race has no cards."""
    found = check(race(rounds=3, targets={**WIDE, "place": 0.05, "card": 0.05}), until=Until(10**5, decided=True))
    assert (found.facts["left_out"], found.exit_code) == (["card"], 3)
    assert set(found["lines"]["verdict"]) == {"holds"}
    assert "1 more cannot be judged" in balance(race(rounds=3, targets={**WIDE, "card": 0.05}), games=4_000).finding


def test_what_cannot_be_estimated_is_left_out_by_name():
    scenario = race(rounds=3)
    few = balance(scenario, games=1)
    assert few.n_games == 2
    assert {"certainty", "length_p50"} <= set(few.facts["left_out"])
    assert np.isfinite(few["lines"][["estimate", "estimate_low", "estimate_high"]].to_numpy()).all()
    found = check(scenario, until=Until(1, decided=True))
    assert found.exit_code == 3
    named = check(race(rounds=3, targets={"margin": (0.0, 3.0)}), until=Until(1, decided=True))
    assert "margin" in named.facts["left_out"]  # one rotation bounds a share by 0 and 1, a margin by nothing
    still = balance(race(pace=0), games=400)  # nobody ever moves: no lead, no luck
    assert "snowball" in still.facts["left_out"]
    assert "luck" not in {table.key for table in still.tables}


def test_only_what_chance_dealt_is_judged():
    """Who takes a step in the first round has a card too, and wins for the step."""
    result = balance(race(rounds=2, tokens=0, targets={"card": 0.05}), games=40_000)
    lines = result["lines"].set_index("key")
    assert lines.loc["card.dealt.token", "verdict"] == "holds"
    assert lines.loc["card.taken.token", "estimate_low"] > 0.1
    assert lines.loc["card.taken.token", "verdict"] == ""
    assert "a choice" in lines.loc["card.taken.token", "what"]
    assert "confounded" in lines.loc["card.taken.token", "what"]
    strong = balance(race(rounds=2, tokens=2, targets={"card": 0.05}), games=40_000)
    assert dict(strong.verdicts)["card.dealt.token"] == "violated"
    by_chance = {kind: result[f"cards-{kind}"]["by_chance"].tolist() for kind in ("dealt", "taken")}
    assert by_chance == {"dealt": [True], "taken": [False]}


def test_an_effect_of_a_card_is_told_with_its_error():
    """A token without a step does nothing: of 400 runs of 8 and of 60 games 95% of the intervals say so.

    At least 92%, three standard deviations of the count less; the exact ones hold more often.
    """
    for games in (8, 60):
        held = []
        for seed in range(400):
            lines = balance_lines(race(("random", "fast"), rounds=2, tokens=0), games, seed)
            if found := lines.get("card.dealt.token"):  # else its holders had no others to be compared with
                held.append(found.low <= 0 <= found.high)
        assert len(held) > 380
        assert np.mean(held) >= 0.92, games


def test_a_card_that_always_wins_is_not_hidden_by_its_own_games():
    """Its holders' games are half of all: the effect is half of the distance from the others."""
    found = balance_lines(race(pace=0, tokens=1, rounds=1), 40, 1)["card.dealt.token"]
    assert found.estimate == pytest.approx(0.5, abs=0.1)
    assert found.high > 0.5 > found.low > 0.25


def balance_lines(scenario, games, seed):
    sums = play_sums(scenario, Until(games), {}, seed=seed).result
    return {line.key: line.found for line in lines_of(scenario, sums, Method())}


def test_restricted_play_stands_for_what_a_player_decides():
    scenario = load_scenario(find_scenario("ivanhoe/two-players"))
    chosen = tuple(replace(c, by_chance=c.group not in ("held", "played")) for c in scenario.table.cards)
    result = balance(replace(scenario, table=replace(scenario.table, cards=chosen)), games=2_000)
    keys = list(result["lines"]["key"])
    assert len(keys) == len(set(keys))
    assert "card.drawn.unhorse" in keys
    assert not [key for key in keys if key.startswith(("card.held", "card.played"))]
    worth = result["lines"].set_index("key").loc["restricted.unhorse"]
    assert worth["verdict"] == ""
    assert worth["estimate"] == pytest.approx(result["restricted"].set_index("card").loc["unhorse", "worth"])
    judged = {key for key, _ in result.verdicts if key.startswith("card.")}
    assert not [key for key in judged if ".held." in key or ".played." in key]


ONE_OF_EACH = ("ritter/four-players", "gluecksritter/three-players", "fredericus/two-players", "ivanhoe/four-players")


@pytest.mark.parametrize("name", ONE_OF_EACH)
@pytest.mark.parametrize("games", [1, 2, 3, 20, 160])
def test_few_games_of_any_game_make_a_report_without_double_keys(name, games, tmp_path):
    scenario = load_scenario(find_scenario(name))
    result = balance(scenario, games=games)
    for column in ("key", "what"):
        assert result["lines"][column].is_unique, column
    assert result["lines"]["key"].str.match(r"card\.[^.]+\..+")[result["lines"]["key"].str.startswith("card.")].all()
    assert not set(result.facts["left_out"]) & set(result["lines"]["key"])
    if games in (1, 160):
        write(result, tmp_path / "report")
        assert (tmp_path / "report" / "report.html").is_file()


@pytest.mark.parametrize(
    ("name", "held", "dealt"),
    [
        ("gluecksritter/three-players", "card.document.pardon", None),
        ("fredericus/two-players", "card.special.Fredericus", None),
        ("ritter/four-players", None, "card.lady.Ilsa v. Tannen"),
    ],
)
def test_the_games_mark_what_chance_did_not_deal(name, held, dealt):
    lines = balance(load_scenario(find_scenario(name)), games=320)["lines"].set_index("key")
    if held:
        assert lines.loc[held, "verdict"] == ""
        assert "a choice" in lines.loc[held, "what"]
    if dealt:
        assert lines.loc[dealt, "verdict"] != ""
        assert "adds to its holder's odds" in lines.loc[dealt, "what"]


def test_a_card_that_always_lies_at_one_place_has_no_effect_to_tell():
    """Nobody ever sat on its holder's place without it, be that drawn or not; a card dealt to any place has one."""
    fixed = load_scenario(find_scenario("fredericus/two-players"))
    by_lot = changed(fixed, {"rules.start": "random"})
    dealt = load_scenario(find_scenario("ritter/duel-of-two"))
    keys = [
        {line.key for line in lines_of(s, play_sums(s, Until(64), {}, seed=1).result, Method())}
        for s in (fixed, by_lot, dealt)
    ]
    assert ["card.special.start player" in found for found in keys[:2]] == [False, False]
    assert "card.knight.Harald Kampfzahn" in keys[2]


@pytest.mark.parametrize("name", GAMES)
def test_no_two_cards_of_a_table_are_called_the_same(name):
    game = GAMES[name]
    for players in range(game.least_players, game.most_players + 1):
        cards = table_of(game, players).cards
        assert len({(card.group, card.name) for card in cards}) == len(cards)


def saved(path, result):
    path.write_text(json_text(document(result)))
    return path


def test_check_against_a_baseline(tmp_path):
    path = saved(tmp_path / "run.json", balance(race(rounds=3), games=400_000))
    budget = Until(400_000, decided=True)
    apart = check(race(rounds=3), until=budget, baseline=path, seed=99)
    assert (apart.exit_code, apart.facts["baseline"]) == (0, APART)
    assert check(race(rounds=3, edge=10), until=budget, baseline=path, seed=99).exit_code == 1
    path.write_text(json.dumps({"lines": 3}))
    with pytest.raises(BadInput, match="not the run"):
        check(race(), until=budget, baseline=path)


def test_an_unchanged_game_moves_by_nothing(tmp_path):
    """Its baseline may be as short as it likes: the very games are played again."""
    scenario = race(("random", "fast"), rounds=3, tokens=1)
    path = saved(tmp_path / "run.json", balance(scenario, games=500))
    found = check(scenario, until=Until(10**6, decided=True), baseline=path)
    assert (found.exit_code, found.n_games, found.facts["baseline"]) == (0, 500, SAME_GAMES)
    assert (found["lines"][["estimate", "estimate_low", "estimate_high"]] == 0).all(axis=None)
    changed = check(race(("random", "fast"), rounds=3, tokens=2), until=Until(10**6, decided=True), baseline=path)
    assert changed.facts["baseline"] == APART
    assert changed.exit_code == 1


def test_a_changed_rule_is_paired_with_the_baselines_games(tmp_path):
    """On the same deals and dice the step shows at once; on other ones it drowns in the baseline's error."""
    text = 'game = "ritter"\nseats = ["rulebook", "bold"]\ngames = 3000\n[rules]\nnight_recovery = {}\n'
    old, new = (tmp_path / f"{name}.toml" for name in ("old", "new"))
    old.write_text(text.format(3))
    new.write_text(text.format(4))
    scenario = load_scenario(old)
    write(ask(STUDIES["balance"], scenario=scenario).answer(), tmp_path / "report")
    path = tmp_path / "report" / "run.json"
    assert check(scenario, until=Until(4_000, decided=True), baseline=path).facts["baseline"] == SAME_GAMES
    new.write_text("# a remark\n" + text.format(3))
    assert check(load_scenario(new), until=Until(4_000, decided=True), baseline=path).facts["baseline"] == SAME_GAMES
    new.write_text(text.format(3) + "max_rounds = 199\n")  # no game notices, yet another rule it is
    assert check(load_scenario(new), until=Until(4_000, decided=True), baseline=path).facts["baseline"] == PAIRED
    new.write_text(text.format(4))
    paired = check(load_scenario(new), until=Until(4_000, decided=True), baseline=path, every=True)
    apart = check(load_scenario(new), until=Until(4_000, decided=True), baseline=path, every=True, seed=9)
    assert (paired.facts["baseline"], apart.facts["baseline"]) == (PAIRED, APART)
    width = [run["lines"].set_index("key").eval("estimate_high - estimate_low") for run in (paired, apart)]
    assert width[0]["policy.bold"] < 0.7 * width[1]["policy.bold"]


def test_a_baseline_remembers_the_rules_it_was_given(tmp_path):
    """Its scenario's file does not have them: they came from the command line, and still are paired with today's."""
    given = {"scenario": "ritter/duel-of-two", "rule": ["night_recovery=2"], "games": 2_000}
    write(ask(STUDIES["balance"], **given).answer(), tmp_path / "report")
    baseline = {"baseline": str(tmp_path / "report" / "run.json"), "games": 2_000}
    again = ask(STUDIES["check"], scenario="ritter/duel-of-two", rule=["night_recovery=2"], **baseline).answer()
    assert (again.facts["baseline"], again.exit_code) == (SAME_GAMES, 0)
    plain = ask(STUDIES["check"], scenario="ritter/duel-of-two", **baseline).answer()
    assert plain.facts["baseline"] == PAIRED


def test_an_interruption_beside_the_games_leaves_the_games(monkeypatch):
    def interrupt(*_, **__):
        raise KeyboardInterrupt

    monkeypatch.setattr("analyzer.studies.balance.luck_table", interrupt)
    found = balance(race(rounds=3), games=400)
    assert (found.interrupted, found.n_games) == (True, 400)
    assert "interrupted" in found.method
    assert "luck" not in {table.key for table in found.tables}
    stopped = check(race(rounds=3, targets={"skill": (0.0, 1.0)}), until=Until(400))
    assert (stopped.interrupted, stopped.n_games) == (True, 400)


def test_scores_called_points_are_no_percentage_points():
    found = balance(load_scenario(find_scenario("fredericus/two-players")), games=160)
    row = found["lines"].set_index("key").loc["score.1"]
    assert row["unit"] == "points" != POINTS
    shown = readable(found.table("lines")).set_index("key")
    assert float(shown.loc["score.1", "value"].split()[0]) == pytest.approx(row["estimate"], abs=0.5)


def test_no_card_is_named_that_cannot_be_told_from_chance():
    (cards,) = (t for t in balance(race(rounds=3, tokens=0), games=400).tables if t.key == "cards-dealt")
    assert "token" not in cards.chart.title
    (cards,) = (t for t in balance(race(rounds=3, tokens=2), games=4_000).tables if t.key == "cards-dealt")
    assert "token +" in cards.chart.title


def test_a_check_says_when_the_baseline_is_too_short(tmp_path):
    """It stops, and asks for a longer baseline, however many games it may play."""
    path = saved(tmp_path / "run.json", balance(race(rounds=3), games=400))
    found = check(race(rounds=3), until=Until(3 * 10**6, decided=True), baseline=path, seed=99)
    assert found.exit_code == 3
    assert found.n_games < 10**6
    open_ = found["lines"][found["lines"]["verdict"] == "undecided"]
    assert (open_["games_to_decide"] == 0).all()
    needed = open_.set_index("key").loc["place.1", "baseline_to_decide"]
    longer = saved(tmp_path / "longer.json", balance(race(rounds=3), games=int(needed)))
    enough = check(race(rounds=3), until=Until(10**6, decided=True), baseline=longer, seed=99)
    assert enough["lines"].set_index("key").loc["place.1", "verdict"] == "holds"


def test_baselines_that_cannot_be_one(tmp_path):
    good = document(balance(race(rounds=3), games=400))
    lines = good["tables"]["lines"]
    path = tmp_path / "run.json"
    for change, message in (
        ({"tables": {"lines": [*lines, lines[0]]}}, "the same key"),
        ({"facts": {"baseline": APART}}, "holds differences"),
        ({"game": "ritter"}, "is of 'ritter'"),
    ):
        path.write_text(json_text({**good, **change}))
        with pytest.raises(BadInput, match=message):
            check(race(rounds=3), until=Until(100), baseline=path)
    path.write_text(json_text(good))
    with pytest.raises(BadInput, match="a table of 2, not of 3"):
        check(race(("random",) * 3), until=Until(100), baseline=path)


def _alarms(path, scenario, runs=150):
    """Return the share of runs in which a check against a baseline of 400 games finds something violated."""
    alarms = 0
    for seed in range(runs):
        saved(path, balance(race(("random", "fast"), rounds=3, tokens=0), games=400, seed=seed))
        found = check(scenario, until=Until(2_000), baseline=path, seed=10_000 + seed)
        assert found.facts["baseline"] == APART
        alarms += found.exit_code == 1
    return alarms / runs


def test_false_alarms_against_a_baseline_are_rare(tmp_path):
    """An unchanged game alarms in 5 runs of 100 at most, all lines together.

    150 runs: more than 8.3% of them have a chance of 0.05 to alarm by luck even at the full 5%, and the
    tolerance of a point leaves less than that. As a control, a change of 5 points is found nine times in ten.
    """
    assert _alarms(tmp_path / "run.json", race(("random", "fast"), rounds=3, tokens=0)) <= 0.083
    assert _alarms(tmp_path / "run.json", race(("random", "fast"), rounds=3, tokens=0, pace=30), 20) >= 0.9


def test_a_baselines_own_error_counts(tmp_path, monkeypatch):
    """Negative control: taken for exact, a baseline of 400 games alarms far more often than 5 times in 100."""

    def exact(self, key, at_once):
        return Estimate(*[self.numbers[key].estimate] * 3)

    monkeypatch.setattr(Baseline, "number", exact)
    assert _alarms(tmp_path / "run.json", race(("random", "fast"), rounds=3, tokens=0), 40) > 0.3


@pytest.mark.parametrize("games", [1_000, 4_000, 20_000])
def test_quantiles_of_lengths_do_not_alarm(games):
    """Of 400 pairs of runs of one game 5 in 100 at most may differ; of a game 3 rounds longer most do.

    The share of games of up to 14 rounds is 51.5%, so of 1,000 games every sixth run finds a median of 15; that is
    no alarm. With the width of an interval taken for its distance from the estimate a sixth of the pairs alarm.
    """
    random = np.random.default_rng(games)
    chances = np.zeros(40)
    chances[10:15], chances[15:20] = 0.103, 0.097

    def line(n, shift=0):
        found = quantile(random.multinomial(n, np.roll(chances, shift)), 50, Method(), 20)
        return Line("length_p50", "length_p50", "", found, "rounds")

    def moved(shift):
        before, after = line(games), line(30_000, shift)
        baseline = Baseline(Path(), 1, games, 20, {"length_p50": before.found})
        tolerance = max(TOLERANCE, RELATIVE_TOLERANCE * before.found.estimate)
        distance = abs(after.found.estimate - before.found.estimate)
        plain = distance - math.hypot(after.found.half_width, before.found.half_width) > tolerance
        return apart_from(after, baseline, 30_000, 20).verdict == "violated", plain

    alarms, plain = np.mean([moved(0) for _ in range(400)], axis=0)
    assert alarms <= 0.05
    assert games > 1_000 or plain > 0.1
    assert np.mean([moved(3)[0] for _ in range(50)]) >= 0.9


def test_reading_axes():
    assert read_axis("rules.days=2:4") == Axis("rules.days", (2, 3, 4))
    assert read_axis("rules.days=2:8:3") == Axis("rules.days", (2, 5, 8))
    assert read_axis("rules.enrage=none, every_round") == Axis("rules.enrage", ("none", "every_round"))
    assert read_axis("rules.x=[1, 2],[3, 4]") == Axis("rules.x", ([1, 2], [3, 4]))
    assert read_axis("policies.bold.yield_at=3,never") == Axis("policies.bold.yield_at", (3, "never"))
    for text in ("days=1", "rules.days", "rules.days=", "rules.days=4:2", "seed=1:3"):
        with pytest.raises(BadInput, match="--vary"):
            read_axis(text)


def test_neighbours():
    by_key = {option.key: option for option in OPTIONS}
    assert neighbours(by_key["rounds"], 1) == [2]
    assert neighbours(by_key["pace"], 50) == [49, 51]


def test_sweeps_play_every_point_beside_the_scenario():
    scenario = load_scenario(find_scenario("ritter/duel-of-two"))
    result = sweep(scenario, axes=[read_axis("rules.night_recovery=2:4")], games=2_000)
    assert result["region"]["rules.night_recovery"].tolist() == [2, 3, 4]
    points = pd.concat(table.frame for table in result.tables if table.key.startswith("sweep-"))
    same = points[points["rules.night_recovery"] == 3]  # the scenario's own value
    assert (same["difference"] == 0).all()
    other = changed(scenario, {"rules.night_recovery": 2})
    alone = compare(scenario, second=other, games=2_000)["differences"]
    swept = points[points["rules.night_recovery"] == 2]
    assert swept["difference"].tolist() == alone["difference"].tolist()


def test_a_sweep_of_nonsense_is_refused():
    scenario = load_scenario(find_scenario("ritter/duel-of-two"))
    with pytest.raises(BadInput, match="did you mean 'night_recovery'"):
        sweep(scenario, axes=[read_axis("rules.night_recovry=2:4")], games=100)
    with pytest.raises(BadInput, match="at most"):
        sweep(scenario, axes=[read_axis("rules.days=1:10"), read_axis("rules.night_recovery=0:60")], games=100)


def test_a_tornado_moves_every_option():
    scenario = load_scenario(find_scenario("ritter/duel-of-two"))
    result = sweep(scenario, games=400)
    steps = pd.concat(table.frame for table in result.tables if table.key.startswith("tornado-"))
    moved = set(steps["option"])
    assert {"night_recovery", "ladies", "day_winner", "training_by_wounds"} <= moved
    assert steps.groupby("option")["value"].nunique().max() >= 2
    assert "moves the win odds" in result.finding or "No option" in result.finding


def test_a_sweep_that_is_interrupted_keeps_the_points_played(monkeypatch):
    """Two points fit into a round, and the second round is cut before a game of it is played."""
    monkeypatch.setattr(variations, "AT_ONCE", 2)
    scenario = load_scenario(find_scenario("ritter/duel-of-two"))
    axes = [read_axis("rules.night_recovery=0:3")]

    def cut_after(rounds):
        left = [rounds]

        def play(*given, **options):
            left[0] -= 1
            return play_paired(*given, **options) if left[0] >= 0 else Run(None, 0, True)

        monkeypatch.setattr(variations, "play_paired", play)
        return sweep(scenario, axes=axes, games=100)

    result = cut_after(1)
    assert (result.interrupted, result.n_games) == (True, 100)
    assert result["region"]["rules.night_recovery"].tolist() == [0, 1]
    assert "It was interrupted" in result.method
    with pytest.raises(Interrupted):
        cut_after(0)
    assert sweep_budget(scenario, axes=axes, games=100) == 200


def test_a_sweep_is_read_from_what_is_varied():
    asked = {"scenario": "ritter/duel-of-two"}
    sweeps = STUDIES["sweep"]
    assert sweeps.ask(**asked, vary="rules.days=1:2").options["axes"] == [Axis("rules.days", (1, 2))]
    every = ask(sweeps, **asked, all=True)
    assert every.question.options["axes"] == []
    assert every.plan == 200_000 * math.ceil(len(steps_of(every.question.scenario)) / variations.AT_ONCE)
    for bad in ({}, {"vary": ["rules.days=1:2"], "all": True}, {"vary": ["rules.days=1:2"] * 3}):
        with pytest.raises(BadInput, match="either --vary"):
            sweeps.ask(**asked, **bad)


def test_what_is_compared_with_belongs_to_the_question():
    """Also where it was read from no file: equal inputs have equal hashes, others have not."""
    one = load_scenario(find_scenario("ritter/duel-of-two"))
    others = [changed(one, {"rules.night_recovery": value}) for value in (2, 2, 4)]
    hashes = [ask(STUDIES["compare"], scenario=one, second=other, games=10).inputs_hash for other in others]
    assert hashes[0] == hashes[1] != hashes[2]


def _steps(*rows):
    """Return steps from (option, difference, reach), one number each."""
    return pd.DataFrame(
        {
            "option": option, "value": "1", "key": "policy.a", "what": "a wins, per seat", "unit": "share",
            "difference": d, "difference_low": d - reach, "difference_high": d + reach, "headline": True,
            "verdict": DIFFERS if abs(d) > reach else "cannot be told",
        }
        for option, d, reach in rows
    )  # fmt: skip


def test_no_step_is_named_that_cannot_be_told_from_chance():
    assert largest(_steps(("noise", 0.014, 0.032), ("other", 0.001, 0.03))) is None
    found = largest(_steps(("noise", 0.05, 0.06), ("sure", -0.03, 0.01), ("small", 0.01, 0.005)))
    assert found.step["option"] == "sure"
    assert not found.sure  # the noisy one may move it farther
    assert largest(_steps(("sure", -0.03, 0.01), ("small", 0.01, 0.005))).sure


def test_all_steps_hold_together():
    """Sixteen numbers of eight steps that change the course but not the odds: hardly ever is one named.

    Of 150 sweeps at 5% more than 19 name one once in 10,000 tests.
    """
    scenario = race(("random", "fast"), rounds=2)
    steps = [({"rules.seats": i}, race(("fast", "random"), rounds=2)) for i in range(8)]
    named = 0
    for seed in range(150):
        rows, *_ = play_beside(scenario, steps, Until(100), seed, 1, lambda n: None)
        named += (rows[rows["key"].str.startswith("place")]["verdict"] == DIFFERS).any()
    assert named <= 19


def test_titles_of_sweeps_name_only_what_moves():
    point = {"what": "a wins", "unit": "share", "rules.days": 1, "estimate": 0.5}
    ends = [
        point | {"difference_low": -0.02, "difference_high": 0.02},
        point | {"rules.days": 2, "estimate": 0.53, "difference_low": 0.01, "difference_high": 0.05},
    ]
    assert _line_title(pd.DataFrame(ends), "rules.days") == (
        "No change from rules.days = 1 to 2 can be told from chance"
    )
    ends[1]["difference_low"] = 0.025
    assert _line_title(pd.DataFrame(ends), "rules.days") == "a wins: from 50.00% at 1 to 53.00% at 2"
