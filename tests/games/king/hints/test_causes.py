"""What is behind the lead of a move, on positions made for it: recipes, a kept trump, who beats it, follows."""

from __future__ import annotations

import numpy as np
import pytest

import athanor
from solver.common import mask
from solver.games.king.hint import Rounds
from solver.games.king.moves import format_move, legal_moves
from solver.games.king.position import View
from solver.games.king.reasons import PLAYING, because, can_make, scene_of
from solver.games.king.rules import Taking
from solver.games.king.worlds import deals
from solver.hints.causes import Noted
from solver.hints.ranking import Lead, Sums
from solver.positions import parse_position

INGREDIENT = (
    "king seat=3 hand=F3,F4,E1,E3,E6,E9,A10 pick=F6,A8,E8,E5 removed=E10,T3 "
    "history=0:T2,A6,F11,E7/0:D:W,T1,W2,T5:take:W2,T1:give:T5/0:A3,W1,A5,A7:take:W1,A3:give:A5 "
    "trick=3:A11,A9,W10,A1"
)
NOBODY = (
    "king seat=3 hand=W2,W6,W10,E3,E4,E11,A3,A10,T1,T4 pick=W8,F11,W7,F3 removed=F4,A2 "
    "history=0:F7,F8,F5,F6:take:F6,F7:give:F5 trick=1:D:A,A9"
)
BEATS = (
    "king seat=0 hand=F6,W7,E7,E8,E11,A8,A10,T1,T5 pick=W6,E4,E1,A5 removed=E9,T2 "
    "history=0:F1,F3,F9,F10:take:F1,F3:give:F9/3:F2,F5,F7,F8:take:F2,F5:give:F7 trick=2:W4,W1"
)
BEATEN = "king seat=2 hand=F4,F8,F10,W4,E2,E4,T1,T2,T3,T4,D pick=A5,W2,E10,E3 removed=F2,W5 trick=0:W11,W7"
KEPT = (
    "king seat=2 hand=F5,W3,W4,W9,W11,E5,A5,T3 pick=A2,W5,A9,A1 removed=W2,W10 "
    "history=0:D:E,E3,E1,E11:take:E3,D:give:E1/3:A4,T5,T2,A3:take:A3,A4:give:T2/0:E7,E9,E10,T1:give:E7 "
    "trick=3:F11,F3,F8"
)


@pytest.mark.parametrize(
    ("view", "code", "fields"),
    [
        (INGREDIENT, "serves_recipe", {"card": "A9", "item": "Oil of Vitriol"}),
        (NOBODY, "now_wins", {"move": "A10", "card": "A10"}),
        (BEATS, "kept_wins", {"move": "W7", "card": "T5"}),
        (BEATEN, "can_be_beaten", {"card": "T4"}),
        (KEPT, "keeps_trump", {"card": "T3"}),
    ],
)
def test_the_cause_of_a_lead(view: str, code: str, fields: dict[str, object]) -> None:
    found = athanor.hint(view, nodes=20_000)
    assert any(cause.code == code and fields.items() <= cause.to_dict().items() for cause in found.causes)


def scored(text: str, seed: int = 1) -> tuple[View, Rounds, Noted]:
    """Worlds of a view as they are noted."""
    view = parse_position(text)
    assert isinstance(view, View)
    rounds = Rounds(deals(view), legal_moves(view), seed)
    sums = Sums(rounds.moves, rounds.statistics)
    for first in range(0, 480, 20):
        results = np.empty((20, rounds.moves, rounds.statistics))
        rounds.play(first, results, np.ones(20))
        sums.add(results, np.ones(20), chained=True)
    noted = rounds.witness.noted(sums.worlds, chained=True)
    assert noted is not None
    return view, rounds, noted


@pytest.mark.parametrize(
    ("text", "code"), [(KEPT, "keeps_trump"), (BEATS, "can_be_beaten"), (BEATS, "takes_trick")]
)
def test_a_planted_cause_is_found_and_an_absent_one_is_not(text: str, code: str) -> None:
    view, rounds, noted = scored(text)
    moves = [format_move(view, move) for move in legal_moves(view)]
    best, second = {KEPT: ("F5", "T3"), BEATS: ("W7", "T5")}[text]
    if code == "takes_trick":
        best, second = second, best
    ahead = Lead(moves.index(best), moves.index(second), 1.0, 0.1)
    scene = scene_of(view, legal_moves(view), noted, ahead, rounds)
    claim = next(claim for row in PLAYING if row.code == code for claim in row.claims(scene))
    for planted in (True, False):
        places = np.asarray(claim.holds, np.float64)
        if not planted:
            places = np.random.default_rng(1).permutation(places)
        noted.results[:, :, 0] = 0.0
        noted.results[:, ahead.best, 0] = 4 * places - (0 if planted else 0.01)
        found = because(view, legal_moves(view), noted, ahead, rounds)
        assert (code in {told.cause.code for told in found}) == planted


@pytest.mark.small
def test_what_a_recipe_takes() -> None:
    view = parse_position(INGREDIENT)
    assert isinstance(view, View)
    deck = view.full_deck
    oil = deck.index["A9"]  # of Vitriol and Sulfur
    pile = {number for number, card in enumerate(deck.cards) if card.provides in ("Vitriol", "Sulfur")}
    every = sum(1 << number for number in pile) | 1 << oil
    vitriol = sum(1 << number for number in pile if deck.cards[number].provides == "Vitriol")
    piles = np.array([every, every & ~(1 << oil), every & ~vitriol, 1 << oil])
    assert can_make(deck, oil, piles).tolist() == [True, False, False, False]


def test_what_is_noted_of_a_world(monkeypatch: pytest.MonkeyPatch) -> None:
    view = parse_position(INGREDIENT)
    assert isinstance(view, View)
    moves = legal_moves(view)
    rounds = Rounds(deals(view), moves, 1)
    noted: list[np.ndarray] = []
    monkeypatch.setattr(rounds.witness, "note", lambda _first, _results, words: noted.append(words))
    rounds.play(0, np.empty((3, len(moves), rounds.statistics)), np.ones(3))
    for row in noted[0].tolist():
        hands, ends = row[: view.players], row[view.players : view.players + len(moves)]
        assert hands[view.seat] == view.hand_mask
        assert [hand.bit_count() for hand in hands] == [view.count(seat) for seat in range(view.players)]
        others = sum(hands) - view.hand_mask
        assert others & ~view.unseen == 0
        for move, end in zip(moves, ends, strict=True):
            assert isinstance(move, Taking)
            assert (view.piles[view.seat] | mask(move.taken)) & ~end == 0
