"""Aqua Regia's part in making puzzles: which endings are the same, and what is in them."""

from __future__ import annotations

from typing import Any

import pytest

from solver.common import Random
from solver.composing import BEST_MOVE, HIDDEN_HAND, VALUE, Candidate
from solver.games.aqua_regia import GAME
from solver.games.aqua_regia.deck import FIELDS
from solver.games.aqua_regia.position import KnownPosition
from solver.limits import Control, Limit
from solver.positions import parse_position

pytestmark = [pytest.mark.small, pytest.mark.plain]

ENDING = "aqua-regia hands=Zn,Ni,Au/Li,Zn,Au,Au field=water turn=0 stock=Ni,Zn discard=Au"


def position(text: str) -> KnownPosition:
    found = parse_position(text)
    assert isinstance(found, KnownPosition)
    return found


def symmetry(known: KnownPosition) -> str:
    return GAME.composer.symmetry(BEST_MOVE, Candidate(known, "paranoid"))


def test_a_metal_is_what_it_does() -> None:
    known = position(ENDING)
    deck = known.metals
    rows = {metal.symbol: tuple(min(2, word) for word in metal.reactivity) for metal in deck.metals}
    turned = known.model_copy(update={"hands": known.hands[::-1], "turn": 1 - known.turn})
    assert symmetry(turned) == symmetry(known)
    for metal in deck.metals:
        if metal.symbol in ENDING:
            continue
        other = position(ENDING.replace("Ni", metal.symbol))
        between = deck.index["Zn"] < deck.index[metal.symbol] < deck.index["Au"]
        same = between and rows[metal.symbol] == rows["Ni"]
        assert (symmetry(other) == symmetry(known)) == same, metal.symbol
        if same:
            one, two = (GAME.analyze(each, Control(), model="paranoid").value for each in (known, other))
            assert one == two


def test_made_up_endings_are_as_they_are_told() -> None:
    """The seat to move and the field are those after all that happens by itself."""
    found = list(GAME.composer.candidates(BEST_MOVE, None, Random(3), seed=3, number=0))
    assert len(found) > 4
    for candidate in found:
        assert isinstance(candidate.position, KnownPosition)
        state = candidate.position.state
        assert (candidate.position.turn, candidate.position.field) == (state.turn, FIELDS[state.field])
        assert candidate.view is not None


@pytest.mark.parametrize(
    ("text", "best", "themes"),
    [
        ("hands=Cu,Cu,Cu,Cu,Au/Zn,Pb field=aqua-regia turn=0", "Cu Cu Cu Cu", ["reverse change"]),
        (
            "hands=Cu,Cu,Cu,Cu,Au/Zn,Pb field=aqua-regia turn=0",
            "Au",
            ["no reverse change", "lead high"],
        ),
        ("hands=Cu,Cu,Pb/Zn,Pb field=aqua-regia turn=0 table=Zn owner=1", "pass", ["hold back", "let go"]),
        ("hands=Cu,Cu,Pb/Zn,Pb field=aqua-regia turn=0 table=Zn owner=1", "Cu", ["split", "jump"]),
        (
            "hands=Cu,Cu,Pb/Zn,Pb field=aqua-regia turn=0 table=Zn owner=1 discard=Au",
            "pass Pb>Au",
            ["precipitate", "hold back", "let go"],
        ),
    ],
)
def test_themes(text: str, best: str, themes: list[str]) -> None:
    known = position(f"aqua-regia {text}")
    assert best in [GAME.format_move(known, move) for move in GAME.legal_moves(known)]
    assert set(themes) <= set(GAME.composer.themes_of(BEST_MOVE, Candidate(known, "paranoid"), best, []))


def test_who_goes_by_simple_rules() -> None:
    composer, known = GAME.composer, position("aqua-regia hands=Cu,Cu/Zn,Pb field=aqua-regia turn=0")
    assert composer.obvious(BEST_MOVE, Candidate(known, "paranoid")) == "Cu Cu"
    assert composer.obvious(VALUE, Candidate(known, "paranoid")) == 1


def seen(seat: int, hand: str, counts: str, field: str, away: str, more: str = "") -> str:
    """The key of a view in which all metals are discarded but three; `away` are those of them that are, too."""
    metals = [metal.symbol for metal in position(ENDING).metals.metals]
    gone = [symbol for symbol in metals if symbol not in ("Zn", "Ni", "Au") for _ in range(4)]
    discard = ",".join([*gone, *away.split(",")])
    text = f"aqua-regia seat={seat} hand={hand} counts={counts} field={field} turn={seat} discard={discard} {more}"
    return GAME.composer.symmetry(HIDDEN_HAND, Candidate(parse_position(text), "paranoid"))


def test_views_turned_round_share_a_key() -> None:
    one = seen(0, "Zn,Au", "2,3,1", "water", "Zn,Ni,Ni,Ni", "stock_count=2")
    assert one == seen(1, "Zn,Au", "1,2,3", "water", "Ni,Zn,Ni,Ni", "stock_count=2")
    assert one != seen(0, "Zn,Au", "2,1,3", "water", "Zn,Ni,Ni,Ni", "stock_count=2")
    assert one != seen(0, "Ni,Au", "2,3,1", "water", "Zn,Zn,Zn,Ni", "stock_count=2")


def test_hidden_hands_are_small_endings_that_are_sure() -> None:
    found = list(GAME.composer.candidates(HIDDEN_HAND, None, Random(5), seed=5, number=0))
    assert found
    for candidate in found:
        assert candidate.model == "paranoid"
        assert candidate.position == candidate.view
        answer: Any = GAME.answer(candidate.position, BEST_MOVE, Control(Limit(nodes=20_000)), model="paranoid")
        if GAME.composer.fits(HIDDEN_HAND, candidate, answer):
            assert answer.value == 1
