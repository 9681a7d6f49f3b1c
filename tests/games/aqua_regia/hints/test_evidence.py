"""What Aqua Regia's histories tell of hidden cards, what contradicts them, and when they tell nothing."""

from __future__ import annotations

from typing import Any

import pytest

from solver.answers import SampledHint
from solver.errors import PositionError
from solver.games.aqua_regia import GAME
from solver.games.aqua_regia.position import View
from solver.games.aqua_regia.worlds import Evidence, evidence
from solver.limits import Control, Limit
from solver.positions import parse_position
from tests.games.aqua_regia.examples import change
from tests.games.aqua_regia.hints.replays import games
from tests.games.aqua_regia.positions.histories import SEEN


def told_of(**keys: Any) -> Evidence | None:
    """What the view of the tests of histories, changed, tells."""
    view = parse_position(change(SEEN, **keys))
    assert isinstance(view, View)
    return evidence(view, 1)


def test_deals_passed_on_before_the_history() -> None:
    assert told_of() is not None
    # seat 1 had nothing for water; then it drew a card, gave Li and took K
    assert told_of(deal_passes=[{"seat": 1, "field": "water", "most": 1}]) is not None
    # it had one at most: that is not followed
    assert told_of(deal_passes=[{"seat": 1, "field": "water", "most": 2}]) is None
    # seat 2 had nothing for water, and led Li in water
    with pytest.raises(PositionError) as found:
        told_of(deal_passes=[{"seat": 2, "field": "water", "most": 0}])
    assert (found.value.code, found.value.path) == ("conflict", "history")


def test_own_cards_must_have_come_from_somewhere() -> None:
    """Seat 0 led Li in water and had then nothing to lead in vapor, where seat 1 led."""
    first = {"field": "water", "leader": 0, "stock_count": 0, "moves": ["Li", "pass"]}
    second = {"field": "vapor", "leader": 1, "stock_count": 0, "moves": ["Li"]}
    keys: dict[str, Any] = {
        "seat": 0, "turn": 0, "hand": ["Pb", "Au"], "counts": [2, 3], "known": None, "stock_count": 0,
        "field": "vapor", "table": ["Li"], "owner": 1, "discard": ["Li"], "history": [first, second],
    }  # fmt: skip
    assert told_of(**keys) is not None
    with pytest.raises(
        PositionError, match=r"seat 0 holds Li now, but .* in vapour \(before history\[1\]"
    ) as found:
        told_of(**keys | {"hand": ["Li", "Au"]})
    assert (found.value.code, found.value.path) == ("conflict", "history")
    # one card was drawn since and can be Li, but not two
    third = {"field": "acid", "leader": 1, "stock_count": 4, "moves": ["K"]}
    second |= {"stock_count": 5, "moves": ["Li", "pass"]}
    keys |= {"history": [first | {"stock_count": 6}, second, third], "stock_count": 4}
    keys |= {"field": "acid", "table": ["K"], "discard": ["Li", "Li"]}
    assert told_of(**keys | {"hand": ["Li", "Au"]}) is not None
    with pytest.raises(PositionError, match=r"seat 0 holds Li now, .* drew too few cards since"):
        told_of(**keys | {"hand": ["Li", "Mg"]})
    # nor can it have shown one card for vapor and hold another
    second["moves"] = ["Li", "pass Mg>Al"]
    keys |= {"known": [["Al"], []], "discard": ["Li", "Li", "Mg"]}
    assert told_of(**keys | {"hand": ["Al", "Au"]}) is not None
    with pytest.raises(PositionError, match="seat 0 shows Mg in history"):
        told_of(**keys | {"hand": ["Al", "Na"]})


def test_contradictions_name_what_was_seen() -> None:
    first = {"field": "water", "leader": 1, "stock_count": 0, "moves": ["Li", "pass"]}
    second = {"field": "vapor", "leader": 0, "stock_count": 0, "moves": ["Li", "K", "pass"]}
    keys: dict[str, Any] = {
        "seat": 0, "turn": 1, "hand": ["Pb"], "counts": [1, 2], "known": None, "stock_count": 0,
        "field": "acid", "discard": ["Li", "Li", "K"], "history": [first, second],
    }  # fmt: skip
    shown = r"seat 1 shows K in history\[1\].moves\[1\], but seat 1 could not lead in vapour \(before history\[1\]"
    with pytest.raises(PositionError, match=shown):
        told_of(**keys)
    # all metals can be led in aqua-regia
    third = {"field": "acid", "leader": 0, "stock_count": 0, "moves": ["Li", "Pb", "pass"]}
    second["moves"] = ["Li", "pass"]
    keys |= {"discard": [*["Li"] * 3, "Pb"], "history": [first, second, third], "field": "aqua-regia", "turn": 0}
    stuck = (
        r"too few unseen cards are left for seat 1 \(seat 1 could not lead in vapour .*, aqua regia \(before now"
    )
    with pytest.raises(PositionError, match=stuck):
        told_of(**keys)


def test_hands_that_are_known_have_nothing_to_tell() -> None:
    """Seat 1 passed, drew nothing, and all its cards are known."""
    trick = {"field": "water", "leader": 0, "stock_count": 0, "moves": ["Na", "pass"]}
    keys = {"counts": [2, 1], "known": [[], ["Li"]], "stock_count": 0, "discard": ["Na"], "history": [trick]}
    assert told_of(**keys) is None
    assert told_of(**keys | {"known": None}) is not None


def test_hints_use_the_history_and_say_the_same_again() -> None:
    for seen in games(12, 3):
        answers = [
            GAME.hint(seen.view, Control(Limit(nodes=1500)), seed=4).model_dump(exclude={"seconds"}) for _ in "12"
        ]
        assert answers[0] == answers[1]
        bare = seen.view.model_copy(update={"history": None})
        uniform = GAME.hint(bare, Control(Limit(nodes=1500)), seed=4)
        assert isinstance(uniform, SampledHint)
        assert [move["mean"] for move in answers[0]["moves"]] != [move.mean for move in uniform.moves]


def test_a_history_of_nobody_else_tells_nothing() -> None:
    start = GAME.deal(5, players=3)
    view = GAME.view(start, start.seat_to_move)  # type: ignore[attr-defined]
    assert isinstance(view, View)
    assert evidence(view, 1) is None


def test_a_hand_without_end_is_not_reasoned_about() -> None:
    """A user's deck may have thousands of cards: the hint is given without the history."""
    metals = [f"M{number}" for number in range(60)]
    reactivity = {"water": 1, "vapor": 1, "acid": 1, "aqua-regia": 1}
    deck = {
        "name": "endless",
        "title": "Endless",
        "fields": list(reactivity),
        "copies": 30,
        "metal": [{"symbol": symbol, "name": symbol, "reactivity": reactivity} for symbol in metals],
    }
    trick = {"field": "water", "leader": 1, "stock_count": 0, "moves": ["M0", "M1", "pass"]}
    data = {"game": "aqua-regia", "deck": deck, "field": "vapor", "turn": 0, "seat": 0, "hand": ["M3"]}
    data |= {"discard": ["M0", "M1"], "stock_count": 0, "history": [trick]}
    view = parse_position(data | {"counts": [1, 1200]})
    assert isinstance(view, View)
    assert evidence(view, 0) is None
    short = parse_position(data | {"counts": [1, 60]})
    assert isinstance(short, View)
    assert evidence(short, 0) is not None
