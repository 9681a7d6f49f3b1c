"""What follows from the tricks need not be said, and what contradicts them is refused."""

from __future__ import annotations

from typing import Any

import pytest

import athanor
from solver import registry
from solver.errors import PositionError
from solver.positions import position_data

pytestmark = pytest.mark.small


def rounds(name: str, moves: int, **options: Any) -> list[Any]:
    """The positions of a round in which everybody makes the first legal move."""
    game = registry.game(name)
    found = [game.deal(5, **options)]
    for _ in range(moves):
        found.append(game.play(found[-1], game.legal_moves(found[-1])[0]))
    return found


@pytest.mark.parametrize(
    ("name", "needed"),
    [
        ("kirin", {"game", "seat", "hand", "declared", "trick", "history"}),
        ("king", {"game", "seat", "hand", "removed", "trick", "history"}),
        ("aqua-regia", {"game", "seat", "hand", "history", "deal_passes"}),
    ],
)
def test_a_view_needs_no_more_than_was_seen(name: str, needed: set[str]) -> None:
    """The leader of each trick but the first, who leads now, piles, the table, the field, counts: all follow."""
    position = rounds(name, 14)[-1]
    for seat in range(4):
        view = athanor.view(position, seat)
        data = position_data(view)
        short: dict[str, Any] = {key: value for key, value in data.items() if key in needed}
        if name == "king":
            gained = view.past.won  # type: ignore[attr-defined]
            deck = view.full_deck  # type: ignore[attr-defined]
            short["pick"] = [
                next(code for code in pile if not gained[other] >> deck.index[code] & 1)
                for other, pile in enumerate(data["won"])
            ]
        if name == "aqua-regia":
            short["players"] = 4
            short["history"] = [{"leader": data["history"][0]["leader"], "moves": data["history"][0]["moves"]}] + [
                {"leader": trick["leader"], "moves": trick["moves"]} for trick in data["history"][1:]
            ]
        else:
            short["history"] = [dict(trick) for trick in data["history"]]
            for trick in short["history"][1:]:
                del trick["leader"]
        assert str(athanor.parse(short)) == str(view)


def test_the_hand_follows_from_the_cards_dealt() -> None:
    first, *_, last = rounds("kirin", 13)
    seen = position_data(athanor.view(last, 2))
    dealt = athanor.view(first, 2).hand
    del seen["hand"]
    assert athanor.parse(seen | {"dealt": [*dealt, seen["declared"]]}) == athanor.view(last, 2)
    assert athanor.parse(seen | {"dealt": " ".join(dealt).lower()}) == athanor.view(last, 2)
    with pytest.raises(PositionError) as found:
        athanor.parse(seen | {"dealt": [card for card in dealt if card != last.history[0].cards[2]]})
    assert "which was not dealt to it" in str(found.value)
    known = position_data(last)
    for key in ("hands", "won", "leader", "direction"):
        del known[key]
    assert athanor.parse(known | {"dealt": first.hands}) == last


def test_what_a_winner_had_to_take_and_give_need_not_be_said() -> None:
    said = "king seat=0 hand={} pick=A1,A2,A3,A4 removed=W1,W2 history=0:{}{}"
    view = athanor.parse(said.format("T1,T2,T3,T4,E1,E2,E3,E4,E5,E6", "F3,F4,F11,F5", ":take:F3,F4"))
    assert view.history[0].given == "F5"  # type: ignore[attr-defined]


CONTRADICTIONS = [
    ("leader=1", "leader", ("seat 2 leads now", "not seat 1")),
    ("trick=1:D5", "leader", ("seat 2 leads now", "not seat 1")),
    ("leader=0 trick=1:D5", "leader", ("seat 1", "leader is 0")),
]


@pytest.mark.parametrize(("more", "path", "words"), CONTRADICTIONS)
def test_a_contradiction_names_both(more: str, path: str, words: tuple[str, ...]) -> None:
    view = "kirin seat=2 hand=S4,S5,BT,G2,G+,G3,G4 declared=B+ history=3:S1,G1,B4,B6 "
    with pytest.raises(PositionError) as found:
        athanor.parse(view + more)
    assert found.value.path == path
    assert all(word in found.value.message for word in words)


def test_all_faults_are_told_at_once() -> None:
    with pytest.raises(PositionError) as found:
        athanor.parse(
            {"game": "kirin", "seat": 2, "hnad": "S1 S4 ZZ", "declared": "B+", "trik": "D2", "leader": 7}
        )
    assert [(fault.code, fault.path) for fault in found.value.faults] == [
        ("unknown_key", "hnad"), ("unknown_key", "trik"), ("illegal_card", "hand[2]"), ("out_of_range", "leader"),
    ]  # fmt: skip
    assert "did you mean hand?" in found.value.message
    error = found.value.to_dict()["error"]
    assert [fault["path"] for fault in error["faults"]] == ["hnad", "trik", "hand[2]", "leader"]
    many = {"game": "alchemy", "variant": "solo", "line": ["?"] * 99, "hand": "A"}
    with pytest.raises(PositionError) as found:
        athanor.parse(many)
    assert len(found.value.faults) == 99
