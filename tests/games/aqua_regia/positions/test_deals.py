"""Deals of Aqua Regia, whole games played from them, and the scores of a match."""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

import pytest

from solver.errors import RequestError
from solver.games.aqua_regia import GAME
from solver.games.aqua_regia.deck import house
from solver.games.aqua_regia.position import AquaScore
from solver.positions import parse_position, parse_record, position_data
from tests.conftest import JIT
from tests.games.aqua_regia.positions.deals_and_views import dealt
from tests.games.aqua_regia.random_play import play_randomly

pytestmark = [pytest.mark.small, pytest.mark.plain]


# Never to change.
FIRST_DEAL = {
    "hands": [
        "K Ca Na Mg Mg Zn Zn Fe Fe Pb",
        "Li K Ca Na Al Ni Ag Pt Pt Pt",
        "Li K Na Fe Sn Pb Hg Au Au Au",
        "Li Na Mg Al Ni Sn Cu Ag Ag Au",
    ],
    "stock": "Fe Sn Cu K Li Mg Pt Sn Al Pb Cu Ni Pb Hg Ag Hg Al Cu Ca Ca Hg Ni Zn Zn",
}


def test_a_seed_means_the_same_deal_for_ever() -> None:
    first = dealt(1)
    assert [" ".join(hand) for hand in first.hands] == FIRST_DEAL["hands"]
    assert " ".join(first.stock) == FIRST_DEAL["stock"]


@pytest.mark.covered
@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_deals_have_every_card_once_and_differ(players: int) -> None:
    found = set()
    for number in range(30):
        at = dealt(3, number=number, players=players)
        assert [len(hand) for hand in at.hands] == [10] * players
        cards = Counter([*at.stock, *(card for hand in at.hands for card in hand)])
        assert cards == dict.fromkeys(house().index, 4)
        assert parse_position(position_data(at)) == at
        assert GAME.legal_moves(at)
        found.add(at.hands)
    assert len(found) == 30


@pytest.mark.parametrize(
    ("keys", "code", "path"),
    [
        ({"players": 1}, "out_of_range", "players"),
        ({"players": 6}, "out_of_range", "players"),
        ({"variant": "duel"}, "unknown_value", "variant"),
    ],
)
def test_deals_that_there_are_not(keys: dict[str, Any], code: str, path: str) -> None:
    with pytest.raises(RequestError) as found:
        GAME.deal(1, **keys)
    assert (found.value.code, found.value.path) == (code, path)


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_whole_games(players: int) -> None:
    rng = random.Random(players)
    for number in range(4 if JIT else 1):
        for at in play_randomly(dealt(9, number=number, players=players), rng):
            cards = [*at.stock, *at.table, *at.discard, *(card for hand in at.hands for card in hand)]
            assert Counter(cards) == dict.fromkeys(house().index, 4)
            if GAME.legal_moves(at):
                assert parse_position(position_data(at)) == at
        record = parse_record({"game": "aqua-regia", "rounds": [{"hands": at.hands}]})
        score = GAME.score(record)
        assert isinstance(score, AquaScore)
        assert score.totals.index(1) == at.state.winner


def test_scores_of_a_match() -> None:
    rounds = [{"counts": [0, 3, 4]}, {"counts": [2, 0, 1]}, {"hands": [[], ["Li"], ["K", "Au"]]}]
    score = GAME.score(parse_record({"game": "aqua-regia", "rounds": rounds}))
    assert score.to_dict() == {
        "game": "aqua-regia",
        "rounds": [[1, 0, 0], [0, 1, 0], [1, 0, 0]],
        "totals": [2, 1, 0],
        "leaders": [0],
    }
    score = GAME.score(parse_record({"game": "aqua-regia", "rounds": rounds[:2]}))
    assert isinstance(score, AquaScore)
    assert score.leaders == (0, 1)
