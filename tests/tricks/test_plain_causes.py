"""What is behind the lead of a card in a plain game, on positions made for it."""

from __future__ import annotations

import numpy as np
import pytest

from solver.hints.causes import Witness
from solver.hints.ranking import Sums, lead
from solver.hints.sampled import dealt, hidden_cards
from solver.limits import Control
from solver.tricks import plain
from solver.tricks.plain import State, because
from tests.tricks.rounds import hints, played
from tests.tricks.toy_game import KnownPosition, View

pytestmark = [pytest.mark.small, pytest.mark.plain]

KEPT = {  # suit a is trump, and seat 0 plays last to a trick that it can win with no card
    "seats": 4,
    "suits": 3,
    "ranks": 6,
    "trumps": True,
    "leader": 1,
    "trick": ("c5", "a2", "a5"),
    "seat": 0,
    "history": (
        {"leader": 0, "cards": ("c0", "c2", "c3", "c4")},
        {"leader": 3, "cards": ("b2", "b3", "b5", "b4")},
    ),
}


@pytest.mark.parametrize(
    ("seed", "cards", "codes", "words"),
    [
        pytest.param(
            0,
            2,
            ["can_be_beaten"],
            "b2 is worse mainly because a later player can beat it in 72%",
            marks=pytest.mark.covered,
        ),
        (8, 4, ["beaten_by", "cannot_follow"], "mainly where seat 3 can't follow a2: in "),
        (6, 4, ["better_if_beaten_by"], "mainly where seat 1 can beat it with a5: in "),
        pytest.param(35, 5, ["beaten_by", "has_to_follow"], "Seat 1 can beat a3 ", marks=pytest.mark.covered),
        pytest.param(18, 2, ["stays_best"], "no later player can beat a4", marks=pytest.mark.covered),
    ],
)
def test_the_cause_of_a_lead(seed: int, cards: int, codes: list[str], words: str) -> None:
    position = played(seed, cards)
    view = plain.view(position, position.seat_to_move)
    found = hints(4).hint(view, Control(), worlds=800, seed=1)
    assert [cause.code for cause in found.causes] == codes, found.reason
    assert words in found.reason


def test_too_few_deals_show_no_cause() -> None:
    position = played(0, 2)
    view = plain.view(position, position.seat_to_move)
    found = hints(4).hint(view, Control(), worlds=40, seed=1)
    assert " on average, " in found.reason
    assert found.causes == ()


def score(now: State, side: int) -> int:
    """The tricks of a side when only forced cards are left."""
    while moves := now.moves():
        assert len(moves) == 1
        now = now.after(moves[0])
    return sum(plain.points(now)[side::2])


def told(view: View, worlds: int = 400, batch: int = 20) -> list[str]:
    """What is behind the lead of one of the last seat's last two cards, with the worlds' true scores."""
    cards, hidden = plain.legal_moves(view), hidden_cards(view)
    hands = [dealt(view, hidden, hidden.drawn(1, world)) for world in range(worlds)]
    known = {each: plain.with_hands(KnownPosition, view, each).state for each in set(hands)}
    ends = {each: [score(now.after(card), view.seat % 2) for card in cards] for each, now in known.items()}
    scores = [ends[each] for each in hands]
    results, witness, sums = np.array(scores, float)[:, :, None], Witness(), Sums(len(cards), 1)
    for first in range(0, worlds, batch):
        part = slice(first, first + batch)
        sums.add(results[part], np.ones(batch))
        witness.note(first, results[part], np.array(hands[part]))
    ahead = lead(sums, list(map(str, cards)))
    assert ahead is not None
    noted = witness.noted(worlds, chained=False)
    assert noted is not None
    return [told.text for told in because(view, cards, noted, ahead)]


def test_a_trump_that_is_kept_back() -> None:
    [kept] = told(View(**KEPT, hand=("a0", "a3")))
    assert kept.startswith("Kept back, a3 can be led later and not be beaten, in ")
    assert told(View(**KEPT, hand=("b0", "b1"))) == []  # neither wins anything
