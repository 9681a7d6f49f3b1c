"""Views that grow: what a player has seen happen leads to the view that the true position gives it."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import pytest
from pydantic import BaseModel

import athanor
from solver import registry
from solver.common import Random
from solver.errors import MoveError, PositionError, RequestError
from solver.games.king.position import PickPosition
from solver.games.kirin.position import DeclarePosition
from tests.conftest import JIT
from tests.support.observed import played_out

pytestmark = [pytest.mark.small, pytest.mark.plain]

DEALS = [
    ("kirin", None, "declared"), ("kirin", None, "undeclared"),
    ("king", 3, "picked"), ("king", 4, "unpicked"), ("king", 5, "picked"),
    ("aqua-regia", 2, None), ("aqua-regia", 3, None), ("aqua-regia", 5, None),
]  # fmt: skip


def is_over(name: str, position: Any) -> bool:
    return name == "aqua-regia" and position.state.winner is not None


@pytest.mark.parametrize(("name", "players", "variant"), DEALS if JIT else [*DEALS[:2], DEALS[3], DEALS[5]])
def test_what_was_seen_leads_to_the_view_of_the_position(name: str, players: int, variant: str) -> None:
    game, random = registry.game(name), Random(1)
    for seed in range(2 if JIT and name != "aqua-regia" else 1):
        positions = list(played_out(name, players, variant, seed))
        first: Any = positions[0][0]
        views = [game.view(first, seat) for seat in range(len(first.hands))]
        for (_, _, told), (after, _, _) in pairwise(positions):
            for seat, texts in enumerate(told):
                if texts and random.below(4) == 0:
                    assert texts[0] in game.possible(views[seat]) or texts[0].startswith("draws")
                views[seat] = athanor.play(views[seat], texts)
                if not isinstance(after, DeclarePosition | PickPosition) and not is_over(name, after):
                    assert _sorted(views[seat]) == _sorted(game.view(after, seat))
        for view in views:
            assert not game.possible(view)
            with pytest.raises((MoveError, PositionError), match=r"over|won already"):
                athanor.play(view, "x")


def _sorted(view: BaseModel) -> Any:
    """The view's data, in which the order of hands and piles does not matter."""
    data = view.model_dump()
    for key in ("hand", "discard"):
        data[key] = sorted(data.get(key) or ())
    data["won"] = [sorted(pile) for pile in data.get("won") or ()]
    return data


@pytest.mark.parametrize("variant", ["solo", "alternative"])
def test_a_solitaire_grows_by_the_cards_turned_up(variant: str) -> None:
    game, random = registry.game("alchemy"), Random(5)
    for seed in range(20 if JIT else 3):
        known: Any = game.deal(seed, variant=variant)
        view: Any = game.view(known, 0)
        while moves := game.legal_moves(known):
            move = moves[random.below(len(moves))]
            assert list(game.possible(view)) == list(map(str, moves))
            after: Any = game.play(known, move)
            stock = known.stock or ()
            up = stock[: len(stock) - len(after.stock or ())] if after.hand or not after.stock else stock[:0]
            if after.hand is None and after.stock:  # lost: the line is full, and no hand is drawn
                up = stock[: len(stock) - len(after.stock)]
            for wrong in ((), ("X",), ("Q", "Q", "Q", "Q", "Q")):
                if view.hidden and up:
                    with pytest.raises(MoveError):
                        athanor.play(view, [str(move), *wrong])
            view = athanor.play(view, [str(move), *(up if view.hidden else ())])
            seen = game.view(after, 0)
            assert view.model_dump() == seen.model_dump() or not after.stock
            known = after
        assert not game.possible(view)


HAND = ["D1", "D2", "D3", "D4", "D5", "S1", "S2", "S3"]
KIRIN = {"game": "kirin", "seat": 0, "declared": "D6", "hand": HAND}
AQUA = {"game": "aqua-regia", "field": "water", "seat": 0, "counts": [1, 1]}
REFUSED = [
    (KIRIN | {"leader": 1}, "D1", "in your hand"),
    (KIRIN | {"leader": 1}, "D6", "set aside"),
    (KIRIN | {"leader": 0}, "G1", "does not hold"),
    (AQUA | {"turn": 1, "hand": ["Li"], "stock_count": 0}, "pass", "the dealer"),
    (AQUA | {"turn": 1, "hand": ["Li"], "stock_count": 0}, "K K", "holds 1"),
    (AQUA | {"turn": 0, "hand": ["Li"], "stock_count": 0}, "no lead", "can lead"),
    (AQUA | {"turn": 0, "hand": ["K"], "stock_count": 2, "owner": 1, "table": ["Li"]}, "pass", "draws"),
]


@pytest.mark.parametrize(("view", "text", "why"), REFUSED)
def test_what_cannot_have_happened_is_refused(view: dict[str, Any], text: str, why: str) -> None:
    with pytest.raises(MoveError, match=why):
        athanor.play(view, text)


def test_a_deal_that_nobody_can_lead_goes_on() -> None:
    passes = [{"seat": seat, "field": "water", "most": 0} for seat in (0, 1)]
    view = AQUA | {"turn": 1, "hand": ["Au"], "stock_count": 0, "deal_passes": passes}
    assert athanor.play(view, "no lead") is not None


@pytest.mark.parametrize("name", ["kirin", "king", "aqua-regia"])
def test_a_position_with_all_cards_known_is_not_observed(name: str) -> None:
    game = registry.game(name)
    with pytest.raises(RequestError):
        game.observe(game.deal(1), ["x"])
