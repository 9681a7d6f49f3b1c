"""King × Alchemy's part in making puzzles: which rounds are the same, what is in them, and rules of thumb."""

from __future__ import annotations

import re

import pytest

from solver.composing import BEST_MOVE, HIDDEN_HAND, VALUE, Candidate
from solver.games.king import GAME
from solver.games.king.deck import SUITS, house
from solver.games.king.position import KnownPosition
from solver.games.king.puzzles import by_rule, dear, thrifty
from solver.limits import Control
from solver.positions import parse_position

pytestmark = [pytest.mark.small, pytest.mark.plain]

ROUND = "king hands=A3/F2,D/W7,A7/A1,A8 trick=0:A10"


def position(text: str) -> KnownPosition:
    found = parse_position(text)
    assert isinstance(found, KnownPosition)
    return found


def test_recipes_make_the_suits_of_the_house_differ() -> None:
    """So no puzzle is another one with its suits exchanged."""
    suits = {
        tuple(
            (card.number, card.vp, card.recipe and card.recipe.bonus)
            for card in house().cards
            if card.suit == suit
        )
        for suit in range(SUITS)
    }
    assert len(suits) == SUITS


def test_seats_turned_round_are_the_same() -> None:
    known = position(ROUND)
    turned = known.model_copy(
        update={"hands": (known.hands[-1], *known.hands[:-1]), "leader": 1, "won": ((),) * 4}
    )
    composer = GAME.composer
    assert composer.symmetry(BEST_MOVE, Candidate(turned)) == composer.symmetry(BEST_MOVE, Candidate(known))
    assert composer.symmetry(VALUE, Candidate(known)) != composer.symmetry(BEST_MOVE, Candidate(known))


@pytest.mark.parametrize(
    ("text", "best", "themes"),
    [
        # The Dancer could be named A and win nothing; F2 is thrown.
        ("hands=A3/F2,D/W7,A7/A1,A8 trick=0:A10", "F2", ["keep the Dancer"]),
        # A7 wins for certain and the lower A1 gives the lead away.
        ("hands=F1/F2/F3/A1,A7 trick=0:A2,A3,A4", "A1", ["duck"]),
        ("hands=F1/F2/F3/A7,T1 trick=0:A2,A3,A4", "T1", ["trump"]),
        ("hands=F1/F2/F3/F4/F5 trick=0:A2,F11,A9,E10,A5", "take A2 A5 give F11", ["gift"]),
    ],
)
def test_themes(text: str, best: str, themes: list[str]) -> None:
    known = position(f"king {text}")
    analysis = GAME.analyze(known, Control(), model="ally")
    after = GAME.analyze(GAME.play(known, GAME.parse_move(known, best)), Control(), model="ally")
    assert analysis.exact
    found = GAME.composer.themes_of(BEST_MOVE, Candidate(known, "ally"), best, [best, *after.line])
    assert set(themes) <= set(found)


def test_rules_of_thumb() -> None:
    deck = house()
    cards = [deck.index[code] for code in ("F3", "F6", "F8", "W3", "W5", "E3", "E8", "A1")]
    assert by_rule(deck, cards, dear) in (5, 10)
    assert by_rule(deck, cards, thrifty) <= 10
    known = position("king hands=F1/F2/F3/A1,A7 trick=0:A2,A3,A4")
    assert GAME.composer.obvious(BEST_MOVE, Candidate(known)) == "A7"


VIEW = (
    "king seat=2 hand=E2,E5,A10 pick=E10,E11,A7 removed=F8,W6,E3,T2,D history=0:W2,T1,T4:take:W2,T1/2:F10,F11,F3:"
    "take:F3,F10/0:W10,W5,W3:take:W3,W5/0:W1,W4,W8:take:W1,W4/2:A11,T3,A6:give:A6/0:F9,F4,T5:take:F4:give:F9/2:E1,F1,E8:"
    "take:F1,E1/1:W11,A4,W7:take:W7,A4/1:E7,E6,F2:take:F2,E6/1:F6,F7,F5:take:F5,F6/2:A9,A3,A5:take:A3,A5"
)


@pytest.mark.parametrize("model", ["paranoid", None])
def test_views_turned_round_share_a_key(model: str | None) -> None:
    def key(view: str) -> str:
        return GAME.composer.symmetry(HIDDEN_HAND, Candidate(parse_position(view), model))

    turned = re.sub(r"(history=|/)(\d)(?=:)", lambda found: f"{found[1]}{(int(found[2]) + 1) % 3}", VIEW)
    turned = turned.replace("seat=2", "seat=0").replace("pick=E10,E11,A7", "pick=A7,E10,E11")
    assert key(turned) == key(VIEW)
    assert key(VIEW.replace("hand=E2,E5", "hand=E4,E5")) != key(VIEW)
