"""What the named policies do in a given situation."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from analyzer.errors import BadFile
from analyzer.games.gluecksritter import mix
from analyzer.scenarios import read_scenario
from tests.games.gluecksritter.table import GAME, Board, picked, set_up
from tests.statistical.check import agrees

POOR = {"ones": 0, "twos": 0}
RICH = {"ones": 4, "twos": 7}


def choices(board: Board, name: str, times: int = 400, **parameters: Any) -> Counter[str]:
    """The moves of a named policy that does not waver, each time with other luck."""
    own = {"waver": 0, **parameters}
    record = GAME.encode_policies([GAME.parameters_of(GAME.policy_named(name), own)])[0]
    return Counter(GAME.move_text(board.table, board.state, board.walk.choose(record)) for _ in range(times))


def choice(board: Board, name: str, **parameters: Any) -> str:
    """The move of a named policy that does not waver."""
    return next(iter(choices(board, name, 1, **parameters)))


def even(counts: Counter[str], *moves: str) -> bool:
    """Whether just these moves were chosen, each as often within 4.5 errors."""
    n, p = counts.total(), 1 / len(moves)
    return set(counts) == set(moves) and all(abs(k - n * p) < 4.5 * (n * p * (1 - p)) ** 0.5 for k in counts.values())


def test_the_miser_collects_until_it_is_rich() -> None:
    place = {"field_5": [3, 2], "field_6": [2, 3]}
    assert choice(set_up({}, {}, {}, place=place), "miser") == "pick 5 6"
    assert choice(set_up(RICH, {}, {}, place=place), "miser") == "pick 2 3"


def test_the_builder_builds_what_it_lacks() -> None:
    place = {"field_5": [3, 2], "field_6": [2, 2]}
    assert choice(set_up(RICH, {}, {}, place=place), "builder") == "pick 2 3"
    assert "3" in choice(set_up({**RICH, "walls": 4}, {}, {}, place=place), "builder")


def test_the_raider_sends_the_knight_against_the_best_castle() -> None:
    board = set_up({}, {"walls": 3, "towers": 3}, {})
    assert "4" in choice(board, "raider")
    board = picked("1 4", "1 3", "1 3", seats=[{}, {"walls": 4, "towers": 3, **POOR}, POOR], documents="none")
    assert choice(board, "raider") == "raid 2"


def test_the_monk_collects_documents_and_pays_for_them() -> None:
    assert "1" in choice(set_up({}, {}, {}, place={"field_5": [1, 1]}), "monk")
    board = picked("1 5", "1 5", "1 5", seats=[{}, {}, {}])
    assert choice(board, "monk") == "pay"
    assert choice(board, "needs", document_worth=3) == "decline"


def test_needs_goes_for_the_fuller_field() -> None:
    full, empty = [4, 4], [0, 1]
    board = set_up(POOR, {}, {}, {}, place={"field_5": full, "field_6": empty})
    assert "5" in choice(board, "needs")
    board = set_up(POOR, {}, {}, {}, place={"field_5": empty, "field_6": full})
    assert "6" in choice(board, "needs")


def test_a_knight_in_the_dungeon_is_ransomed_by_who_has_the_money() -> None:
    board = set_up({"jailed": True, **RICH}, {}, {}, phase="ransom")
    assert choice(board, "needs") == "ransom"
    assert choice(board, "miser") == "wait"


@pytest.mark.parametrize(
    ("name", "ones", "twos", "said"), [("needs", 2, 4, "ransom"), ("needs", 1, 4, "wait"), ("raider", 0, 2, "ransom")]
)
def test_g5_a_ransom_is_paid_from_just_so_much_money_on(name: str, ones: int, twos: int, said: str) -> None:
    board = set_up({"jailed": True, "ones": ones, "twos": twos}, {}, {}, phase="ransom")
    assert choice(board, name) == said


@pytest.mark.parametrize(("document", "field"), [("tax", "field_5"), ("toll", "field_6")])
def test_a_privilege_is_played_from_just_so_many_ducats_on(document: str, field: str) -> None:
    for lying, said in (([4, 1], f"play {document}"), ([3, 1], "play none")):
        seats = [{"documents": {document: 1}}, {}, {}]
        board = picked("1 2", "1 2", "1 2", seats=seats, place={"field_5": [0, 0], "field_6": [0, 0]} | {field: lying})
        assert choice(board, "needs") == said


def test_documents_are_played_when_they_help() -> None:
    seat = {"documents": {"tax": 1, "wall": 1, "pardon": 1}, **RICH}
    place = {"field_5": [4, 3]}
    assert choice(picked("2 6", "1 5", "1 5", seats=[seat, {}, {}], place=place), "needs") == "play tax wall"
    assert choice(picked("4 6", "1 5", "1 5", seats=[seat, {}, {}]), "needs") == "play pardon"


def test_gifts_bills_and_guards_save_what_they_can() -> None:
    def limit(documents: dict[str, int]) -> Board:
        seats = [{"ones": 7, "twos": 1, "towers": 4, "documents": documents}, POOR, POOR]
        return picked("3 5", "2 3", "2 3", seats=seats, place={"field_5": [2, 0]})

    assert choice(limit({"gifts": 1}), "needs") == "gifts"
    assert choice(limit({"gifts": 1}), "needs", gifts_from=4) == "gifts"  # four of the nine ones are at stake
    assert choice(limit({"gifts": 1}), "needs", gifts_from=5) == "give back"
    assert choice(limit({"bill": 1}), "needs") == "exchange 2 ones"


def knight_of(*pairs: str, **place: Any) -> Board:
    """Seat 1 has the only knight; nobody has anything worth a raid."""
    return picked(*pairs, seats=[POOR] * len(pairs), place=place, documents="none")


def test_equal_victims_are_raided_alike() -> None:
    castle = {"walls": 3, "towers": 3, **POOR}
    board = picked("1 4", "1 2", "1 2", "1 2", seats=[{}, castle, POOR, castle], documents="none")
    assert even(choices(board, "raider"), "raid 2", "raid 4")


def test_equal_fields_are_looted_alike() -> None:
    assert even(choices(knight_of("1 4", "1 2", "1 2", field_5=[0, 3], field_6=[0, 3]), "needs"), "loot 5", "loot 6")
    assert choice(knight_of("1 4", "1 2", "1 2", field_5=[0, 4], field_6=[0, 3]), "needs") == "loot 5"


@pytest.mark.parametrize(("card", "deed"), [(5, "loot 6"), (6, "loot 5")])
def test_the_knight_does_not_loot_what_the_same_player_collects_anyhow(card: int, deed: str) -> None:
    board = knight_of(f"4 {card}", "1 2", "1 2", field_5=[0, 3], field_6=[0, 3])
    assert set(choices(board, "needs")) == {deed}
    board = knight_of(f"4 {card}", f"1 {card}", "1 2", field_5=[0, 4], field_6=[0, 4])  # he would get two of four
    assert set(choices(board, "needs")) == {deed}


def test_the_raider_takes_the_kind_it_has_fewer_of_and_equals_by_lot() -> None:
    victim = {"walls": 2, "towers": 2}

    def raided(**raider: int) -> Board:
        board = picked("1 4", "1 5", "1 5", seats=[raider, victim, {}], documents="none")
        return board.say("raid 2", dice=[5])

    assert choice(raided(walls=2, towers=1), "needs") == "take tower"
    assert choice(raided(walls=1, towers=2), "needs") == "take wall"
    assert even(choices(raided(walls=1, towers=1), "needs"), "take wall", "take tower")


def test_equal_pairs_are_picked_alike() -> None:
    """Both fields hold the same; nobody has money to build with."""
    place = {"field_5": [3, 2], "field_6": [3, 2]}
    board = set_up({"ones": 3, "twos": 0, "walls": 4}, POOR, POOR, place=place, documents="none")
    counts = choices(board, "needs", collector=50, keeper=50, knight=900)
    assert even(counts, "pick 4 5", "pick 4 6")


def test_one_pays_so_that_no_pile_of_coins_is_large() -> None:
    def paying(ones: int, twos: int) -> Board:
        seats = [{"ones": ones, "twos": twos}, POOR, POOR]
        return picked("1 2", "1 6", "1 6", seats=seats, documents="none", payment="chosen").say("buy 1")

    assert choice(paying(4, 4), "needs") == "pay 2 ones 1 twos"
    assert choice(paying(2, 6), "needs") == "pay 0 ones 2 twos"
    assert choice(paying(7, 2), "needs") == "pay 4 ones 0 twos"


def test_parts_that_are_too_dear_are_not_bought() -> None:
    board = picked("1 2", "1 2", "1 6", seats=[RICH, POOR, POOR], documents="none")  # 6 ducats a wall
    assert choice(board, "needs") == "buy 2 walls"
    assert choice(board, "needs", part_worth=5) == "buy 0 walls"


def test_a_bill_is_kept_and_a_guard_is_played() -> None:
    board = set_up({"documents": {"bill": 1}}, {}, {}, phase="exchange")
    assert choice(board, "needs") == "keep"
    seats = [{}, {"documents": {"guard": 1}, "walls": 3, **POOR}, POOR]
    assert choice(picked("4 5", "1 2", "1 2", seats=seats).say("raid 2"), "needs") == "guard"


def test_who_saves_does_not_build() -> None:
    place = {"field_5": [3, 2], "field_6": [2, 3]}
    assert choice(set_up(RICH, {}, {}, place=place), "needs", save_until=18) == "pick 2 3"
    assert not {"2", "3"} & set(choice(set_up(RICH, {}, {}, place=place), "needs", save_until=19))


def test_the_mixer_draws_from_its_table(tmp_path: Path) -> None:
    """Every situation has one pair: 2 and 5."""
    table = np.zeros((mix.N_SITUATIONS, 16))
    table[:, mix.PAIR_NAMES.index("2+5")] = 1
    (tmp_path / "mine.csv").write_text(mix.write_mix({3: table}), encoding="utf-8")
    data = {
        "game": "gluecksritter",
        "seats": ["set", "needs", "needs"],
        "policies": {"set": {"like": "mixer", "mix": "mine.csv"}},
    }
    scenario = read_scenario(data, tmp_path / "s.toml")
    board = set_up({}, {}, {})
    for _ in range(20):
        assert GAME.move_text(board.table, board.state, board.walk.choose(scenario.policies[0])) == "pick 2 5"


def test_the_mixer_picks_and_ransoms_as_often_as_its_table_says(tmp_path: Path) -> None:
    shares = {"1+2": 0.2, "1+6": 0.3, "2+5": 0.5}
    table = np.zeros((mix.N_SITUATIONS, 16))
    for pair, share in shares.items():
        table[:, mix.PAIR_NAMES.index(pair)] = share
    table[:, mix.RANSOM_AT] = 0.25
    path = tmp_path / "mine.csv"
    path.write_text(mix.write_mix({3: table}), encoding="utf-8")
    n = 4000  # sees 5 points of 100
    picks = choices(set_up({}, {}, {}), "mixer", n, mix=str(path))
    assert picks.total() == n
    assert all(agrees(picks[f"pick {pair.replace('+', ' ')}"], n, share) for pair, share in shares.items())
    ransoms = choices(set_up({"jailed": True, **RICH}, {}, {}, phase="ransom"), "mixer", n, mix=str(path))
    assert agrees(ransoms["ransom"], n, 0.25)


def test_a_mix_reads_back_as_written(tmp_path: Path) -> None:
    random = np.random.default_rng(1)
    table = mix.even_mix() * random.random((mix.N_SITUATIONS, 16))
    table[:, :15] /= table[:, :15].sum(axis=1, keepdims=True)
    path = tmp_path / "mix.csv"
    path.write_text(mix.write_mix({4: table}), encoding="utf-8")
    assert np.abs(mix.load_mix(str(path))[4] - table).max() <= 0.001
    sums = mix.read_mix(str(path))[1]
    assert (sums[:, 14] == 1000).all()
    assert (np.diff(sums[:, :15].astype(int), axis=1) >= 0).all()


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("", "line 1: the columns must be players,"),
        (None, "no such file"),
        ("4,0-3,0,0,5,0-13,3+,0,free" + ",0" * 16, "add up to 1000"),
        ("7,0-3,0,0,5,0-13,3+,0,free,1000" + ",0" * 15, "allowed: 3 to 6"),
        ("4,0-3,0,0,7,0-13,3+,0,free,1000" + ",0" * 15, "richer_field = '7': allowed: 5 | even | 6"),
        ("4,0-3,0,0,5,0-13,3+,0,jailed,0,0,1000" + ",0" * 13, "jailed knight"),
        ("4,0-3", "25 columns are needed"),
        ("# learned under nothing", "the rules must stand there"),
    ],
)
def test_a_bad_mix_is_refused(tmp_path: Path, text: str | None, problem: str) -> None:
    path = tmp_path / "mix.csv"
    if text is not None:
        header = mix.write_mix({})
        path.write_text(text if text.startswith("#") else header + text if text else "", encoding="utf-8")
    data = {
        "game": "gluecksritter",
        "seats": ["mine", "needs", "needs"],
        "policies": {"mine": {"like": "mixer", "mix": "mix.csv"}},
    }
    with pytest.raises(BadFile) as caught:
        read_scenario(data, tmp_path / "s.toml")
    assert problem in str(caught.value)
    assert "policies.mine.mix" in str(caught.value)


def caveats(mix_file: Path, players: int = 3, **rules: Any) -> list[str]:
    data = {
        "game": "gluecksritter",
        "seats": ["mine", *["needs"] * (players - 1)],
        "policies": {"mine": {"like": "mixer", "mix": mix_file.name}},
        "rules": rules,
    }
    return read_scenario(data, mix_file.parent / "s.toml").caveats


def test_a_mix_carries_the_rules_it_was_learned_under(tmp_path: Path) -> None:
    learned_at = set_up({}, {}, {}, castle=2).table
    path = tmp_path / "mine.csv"
    path.write_text(mix.write_mix({3: mix.even_mix()}, None, learned_at), encoding="utf-8")
    assert caveats(path, castle=2) == []
    assert "The mix 'mine' was learned under other rules (castle = 2)" in caveats(path)[0]
    assert "was learned for 3 players and is used by 4" in caveats(path, 4, castle=2)[0]
    assert mix.load_mix(str(path))[3].shape == (mix.N_SITUATIONS, 16)
    other = tmp_path / "other.csv"
    other.write_text(mix.write_mix({3: mix.even_mix()}), encoding="utf-8")
    assert "does not say under which rules" in caveats(other)[0]


def test_the_shipped_mix_is_for_the_usual_rules() -> None:
    def said(seats: list[str], **rules: Any) -> list[str]:
        return read_scenario({"game": "gluecksritter", "seats": seats, "rules": rules}).caveats

    assert said(["mixer", "needs", "mixer"]) == []
    assert said(["needs"] * 3, documents="none") == []
    caveat = said(["mixer", "needs", "mixer"], documents="none", special_die=[3, 3])
    assert len(caveat) == 1
    assert 'documents = "reconstructed", special_die = [4, 2, 0]' in caveat[0]


def test_what_is_left_over_when_a_mix_is_rounded_goes_to_any_pair() -> None:
    """Fifteen equal pairs: 66 or 67 each, and no pair is the luckier in all situations."""
    rows = np.array([mix._per_mille(np.full(15, 1 / 15), number) for number in range(600)])
    assert (rows.sum(axis=1) == 1000).all()
    assert set(rows.ravel().tolist()) == {66, 67}
    assert np.abs((rows == 67).mean(axis=0) - 2 / 3).max() < 4.5 * (2 / 9 / 600) ** 0.5


def test_a_situation_is_told_in_words() -> None:
    board = set_up(
        {"ones": 3, "twos": 4, "walls": 3, "towers": 4},
        {"walls": 4, "towers": 2},
        {},
        place={"field_5": [2, 5], "field_6": [1, 1]},
    )
    number = mix.situation(board.table.rules, board.state, 0)
    assert mix.steps_of(number) == ("8-11", "1-2", "0", "5", "14+", "0-2", "2+", "free")
