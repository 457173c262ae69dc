"""Favours: the ranking of R11, the first offer of a deal, the ways of offering."""

from __future__ import annotations

import pytest

from analyzer.errors import BadInput
from analyzer.games.ritter.studies.joust import plain_scenario
from analyzer.games.ritter.studies.ladies import OFFERS, as_json, ladies, read_offer


@pytest.fixture(scope="module")
def answer():
    return ladies(read_offer("", plain_scenario(), game=1, seed=5), games=2_048)


def test_r11_rankings_and_safety(answer):
    """E3: Ilsa displaces Podica on Apollonius; nobody displaces Ilsa."""
    pairs = answer.pairs.set_index(["knight", "lady"])
    assert pairs.loc[("Apollonius", "Ilsa"), "safe"] == "yes"
    podica = pairs.loc[("Apollonius", "Podica")]
    assert podica.matches == 2
    assert podica.displaced_by == "Ilsa"
    assert podica.owner_chooses == "Edeltraud"
    assert podica.place == "2="
    assert podica.safe == "no"
    assert len(pairs) == 100
    order = answer.ranking.set_index("knight").loc["Apollonius", "ranking"]
    assert order.startswith("Ilsa > Podica = Edeltraud > Brunhild")


def test_displacing_is_what_the_kernel_does(answer):
    """Places and the kernel's match numbers order the ladies alike for every knight."""
    for knight, row in answer.matches.iterrows():
        for one in row.index:
            better = set(answer.pairs.set_index(["knight", "lady"]).loc[(knight, one), "displaced_by"].split())
            assert better == {other for other in row.index if row[other] > row[one]}


def test_every_offer_is_valued(answer):
    question = answer.offers.question
    assert len(answer.offers.moves) == len(question.moves) == 16
    assert all(text.startswith("offer ") for text in question.texts)
    assert answer.offers.moves["verdict"].iloc[0] == "best"


def test_ways_of_offering_share_the_wins(answer):
    assert set(answer.policies["policy"]) == set(OFFERS)
    assert answer.policies["win"].sum() == pytest.approx(1)
    document = as_json(answer)
    assert document["policy_games"] == 4_096
    assert len(document["knights"]) == 10


def test_without_ladies_there_is_nothing_to_offer():
    with pytest.raises(BadInput, match="no offer"):
        ladies(read_offer("", plain_scenario(["ladies=false"])), games=2_048)
