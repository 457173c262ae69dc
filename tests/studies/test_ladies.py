"""Favours: the ranking of R11, the first offer of a deal, the ways of offering."""

from __future__ import annotations

from types import SimpleNamespace

import pandas as pd
import pytest

from analyzer.errors import BadInput
from analyzer.games.ritter.cards import short
from analyzer.games.ritter.studies.entrants import plain_scenario
from analyzer.games.ritter.studies.ladies import OFFERS, ladies, plan, read, read_offer
from analyzer.reporting.document import document


@pytest.fixture(scope="module")
def answer():
    return ladies(read_offer(plain_scenario(), game=1, seed=5), games=2_048)


def test_r11_rankings_and_safety(answer):
    """E3: Ilsa displaces Podica on Apollonius; nobody displaces Ilsa."""
    pairs = answer["pairs"].set_index(["knight", "lady"])
    assert pairs.loc[("Apollonius", "Ilsa"), "safe"] == "yes"
    podica = pairs.loc[("Apollonius", "Podica")]
    assert podica.matches == 2
    assert podica.displaced_by == "Ilsa"
    assert podica.owner_chooses == "Edeltraud"
    assert podica.place == "2="
    assert podica.safe == "no"
    assert len(pairs) == 100
    order = answer["matches"].set_index("knight").loc["Apollonius", "ranking"]
    assert order.startswith("Ilsa > Podica = Edeltraud > Brunhild")


def test_displacing_is_what_the_kernel_does(answer):
    """Places and the kernel's match numbers order the ladies alike for every knight."""
    deck = answer.scenario.table.deck
    knights, names = [short(k.name) for k in deck.knights], [short(lady.name) for lady in deck.ladies]
    for knight, row in pd.DataFrame(deck.match_matrix().astype(int), knights, names).iterrows():
        for one in row.index:
            better = set(answer["pairs"].set_index(["knight", "lady"]).loc[(knight, one), "displaced_by"].split())
            assert better == {other for other in row.index if row[other] > row[one]}


def test_every_offer_is_valued(answer):
    texts = read_offer(plain_scenario(), game=1, seed=5).texts
    assert sorted(answer["moves"]["move"]) == sorted(texts)
    assert len(texts) == 16
    assert all(text.startswith("offer ") for text in texts)
    assert answer["moves"]["verdict"].iloc[0] == "best"
    assert len(answer["otherwise"]) == 2


def test_ways_of_offering_share_the_wins(answer):
    assert set(answer["policies"]["policy"]) == set(OFFERS)
    assert answer["policies"]["win"].sum() == pytest.approx(1)
    found = document(answer)
    assert found["facts"]["policy_games"] == 4_096
    assert found["games"] == 4_096 + found["facts"]["offer_games"]
    assert len(found["tables"]["matches"]) == 10


def test_without_ladies_there_is_nothing_to_offer():
    with pytest.raises(BadInput, match="no offer"):
        ladies(read_offer(plain_scenario(["ladies=false"])), games=2_048)


def test_without_a_scenario_the_policy_asked_for_plays_on_all_the_same():
    question = read("", game=1, policy="bold", games=2_048, seed=5)
    assert question.scenario.seats == ("bold",) * 4
    assert plan(question.subject, **question.options) > 2_048 * (len(question.subject.moves) + 2)


def test_no_answer_is_half_an_answer(monkeypatch):
    """An interruption while others play the offers on does not begin the contest."""
    stop = SimpleNamespace(interrupted=True)
    monkeypatch.setattr("analyzer.studies.advise.weigh", lambda *given, **options: stop)
    with pytest.raises(KeyboardInterrupt):
        ladies(read_offer(plain_scenario(), game=1, seed=5), games=2_048)
