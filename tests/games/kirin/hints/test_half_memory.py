"""Hints of Kirin from half a memory: against all consistent deals, and the full view where all is remembered."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from typing import Any

import pytest

from solver import registry
from solver.answers import SampledHint
from solver.common import Random, mask, members
from solver.errors import PositionError
from solver.games.kirin.deck import DIRECTIONS
from solver.games.kirin.position import Remembered, View
from solver.games.kirin.rules import SEATS, direction_after, playable, winner
from solver.games.kirin.worlds import deals
from solver.limits import Control
from solver.positions import parse_position, position_data

GAME = registry.game("kirin")
TABLE = "kirin seat=2 hand=S1,S4,BT,D2 declared=B+ direction=ascending"


def played(seed: int, cards: int, rules: dict[str, bool] | None = None) -> View:
    """What the seat to move sees after so many cards, played at random."""
    random = Random(seed)
    position: Any = GAME.deal(seed, rules=rules)
    for _ in range(cards):
        moves = GAME.legal_moves(position)
        position = GAME.play(position, moves[random.below(len(moves))])
    view = GAME.view(position, position.seat_to_move)
    assert isinstance(view, View)
    return view


def hinted(position: Any, worlds: int) -> SampledHint:
    """The hint of a position's data or text, by so many worlds."""
    found = GAME.hint(parse_position(position), Control(), worlds=worlds)
    assert isinstance(found, SampledHint)
    return found


def remembering(view: View, tricks: int, gone: int = 0) -> dict[str, Any]:
    """The view as data with the last `tricks` only, and the first `gone` cards of those before."""
    data = position_data(view)
    before = [card for trick in data["history"][: len(view.history) - tricks] for card in trick["cards"]]
    data["history"] = data["history"][len(view.history) - tricks :]
    data["direction"] = DIRECTIONS[view.past.rules.direction]
    return data | {"gone": before[:gone]}


def consistent(view: Remembered) -> Iterator[tuple[tuple[int, ...], int]]:
    """The hands and cards set aside, as masks, of all deals in which each play that is remembered was legal."""
    unseen = set(members(view.unseen))
    others = [(view.seat + step) % SEATS for step in range(1, SEATS)]

    def split(left: set[int], sizes: list[int]) -> Iterator[list[int]]:
        if not sizes:
            yield []
            return
        for chosen in combinations(sorted(left), sizes[0]):
            for rest in split(left - set(chosen), sizes[1:]):
                yield [mask(chosen), *rest]

    sizes = [view.count(seat) for seat in others] + [len(others)]
    for *hands, aside in split(unseen, sizes):
        held = dict(zip(others, hands, strict=True))
        if any(legal(view, held, direction) for direction in range(2)):
            yield tuple(hands), aside


def legal(view: Remembered, held: dict[int, int], direction: int) -> bool:
    """Whether all plays keep to the rules, the first trick that is remembered in this direction."""
    only_kirin = view.rules is not None and view.rules.led_kirin_asks_only_kirin
    hands = dict(held)
    tricks = [(trick.leader, trick.plays) for trick in (*view.tricks, view.current_trick)]
    for leader, plays in tricks:
        for place, card in enumerate(plays):
            if (leader + place) % SEATS in hands:
                hands[(leader + place) % SEATS] |= 1 << card
    leaders = [leader for leader, _ in tricks[1:]]
    for leader, plays in tricks:
        for place, card in enumerate(plays):
            seat = (leader + place) % SEATS
            if seat in hands:
                if not playable(hands[seat], plays[:place], direction, only_kirin=only_kirin) >> card & 1:
                    return False
                hands[seat] &= ~(1 << card)
        if len(plays) == SEATS:
            won_at = winner(plays, direction)
            if (leader + (won_at or 0)) % SEATS != leaders.pop(0):  # four kirin: the same seat leads again
                return False
            direction = direction_after(plays, direction)
    return DIRECTIONS[direction] == view.direction


@pytest.mark.parametrize("rules", [None, {"led_kirin_asks_only_kirin": True}], ids=["usual", "only_kirin"])
@pytest.mark.parametrize("seed", range(6))
def test_all_deals_that_agree(seed: int, rules: dict[str, bool] | None) -> None:
    tricks = 1 + seed % 3
    view = parse_position(remembering(played(seed, 28 + seed % 3, rules), tricks, gone=4 * (7 - tricks) - 2))
    assert isinstance(view, Remembered)
    assert view.forgotten == 2
    found = deals(view)
    right = list(consistent(view))
    seats = [(view.seat + step) % SEATS for step in range(1, SEATS)]
    met = set()
    for rank in range(0, found.total, 6):  # orders of the cards set aside
        position: Any = found.position(rank)
        met.add(tuple(position.hand_masks[other] for other in seats))
    assert met == {hands for hands, _ in right}
    assert found.total == 6 * len(right)


def test_a_led_kirin_asks_only_for_kirin_in_half_a_memory_too() -> None:
    line = "kirin seat=1 hand=D6,S3,S5,S4,B5,B4 declared=D2 leader=2 direction=ascending history=0:G+,G2,B3,S1"
    with pytest.raises(PositionError, match="D6 in hand had to follow"):
        parse_position(line)
    view = parse_position(f"{line} rules=led_kirin_asks_only_kirin")
    assert isinstance(view, Remembered)


@pytest.mark.parametrize("seed", range(4))
def test_all_that_is_remembered_is_the_full_view(seed: int) -> None:
    view = played(seed, 8 + 4 * seed + seed % 4)
    data = position_data(view)
    cards = [card for trick in data["history"] for card in trick["cards"]]
    counts = [view.count(seat) for seat in range(SEATS)]
    again = parse_position(data | {"tricks": len(view.history), "gone": cards, "counts": counts})
    assert again == view
    assert type(again) is View


def test_a_hint_says_what_is_not_known() -> None:
    found = hinted(remembering(played(5, 17), tricks=1, gone=3), 1000)
    assert found.unknown is not None
    assert found.unknown.gone == 9
    assert found.unknown.worth is not None
    assert "9 cards that are gone are not remembered" in found.reason
    text = GAME.notation.write(parse_position(remembering(played(5, 17), tricks=1, gone=3)))
    assert hinted(text, 1000).moves == found.moves


def test_the_own_hand_and_the_table_are_enough() -> None:
    found = hinted(f"{TABLE} trick=D1", 50)
    assert found.unknown is not None
    assert found.unknown.gone == 16


def test_voids_are_kept() -> None:
    view = parse_position(f"{TABLE} voids=0:D/1:S,G6 trick=1:D6")
    assert isinstance(view, Remembered)
    found = deals(view)
    for number in range(0, found.total, max(1, found.total // 200)):
        position: Any = found.position(number)
        assert not any(card.startswith("D") for card in position.hands[0])
        assert not any(card.startswith("S") or card == "G6" for card in position.hands[1])


@pytest.mark.parametrize(
    ("changes", "path", "message"),
    [
        ({"direction": None}, "direction", "which order is in force"),
        ({"tricks": 3}, "tricks", "according to the hand, 4 tricks are over, not 3"),
        ({"counts": [4, 4, 4, 4]}, "counts", "the hands have"),
        ({"gone": ["D1"] * 2}, "gone[1]", "D1 is in gone[0] already"),
        ({"voids": {"0": ["X"]}}, "voids", "neither a colour"),
        ({"voids": {"3": ["D", "S", "B", "G"]}}, "voids", "no deal agrees"),
    ],
)
def test_faults(changes: dict[str, Any], path: str, message: str) -> None:
    data = position_data(parse_position(f"{TABLE} trick=D6"))
    data = {key: value for key, value in (data | changes).items() if value is not None}
    with pytest.raises(PositionError) as caught:
        parse_position(data)
    assert message in str(caught.value)
    assert caught.value.path.startswith(path)
