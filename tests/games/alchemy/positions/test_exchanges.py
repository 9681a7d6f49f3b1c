"""A duel with its deck hidden goes as with its deck known."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

import athanor
from solver.common import Random
from solver.errors import AthanorError
from solver.games.alchemy.position import DuelPosition, next_round, totals_after, winner_of
from solver.games.alchemy.rules import AlchemyReadings
from tests.games.alchemy.exchanges import random_moves

BETWEEN = "alchemy duel rules=house_joker,two_jokers totals=0,0 line=-"
RULES = AlchemyReadings(house_joker=True, two_jokers=True)


def opened(position: Any) -> tuple[Any, ...]:
    """What lies open in a position."""
    assert isinstance(position, DuelPosition)
    hands = None if position.over else position.drawn
    return (
        position.line_ranks,
        hands,
        position.table_jokers,
        position.piles,
        position.totals,
        position.unseen_ranks,
    )


@pytest.mark.small
@pytest.mark.plain
@pytest.mark.parametrize("seed", range(3))
def test_a_whole_race_with_the_deck_known_and_hidden(seed: int) -> None:
    random = Random(11, seed)
    known: Any = athanor.parse(BETWEEN)
    hidden: Any = athanor.parse(BETWEEN)
    totals, number, jokers = (0, 0), 0, 0
    while winner_of(totals) is None:
        dealt = next_round(seed, number, totals, RULES)
        known = athanor.play(known, f"deal {seed} {number}")
        assert known == dealt
        drawn = [*known.line, *["X"] * known.table_jokers, *filter(None, [known.hand, known.opponent_hand])]
        hidden = athanor.play(hidden, ["deal", *drawn])
        while not known.over:
            assert opened(known) == opened(hidden)
            first = random.below(2)
            moves = random_moves(known, first, random)
            told, before = [f"{first}:{moves[0]}", str(moves[1])], known
            known = athanor.play(known, told)
            hidden = athanor.play(hidden, [*told, *before.stock[: len(before.stock) - len(known.stock)]])
            jokers += known.table_jokers
        assert opened(known) == opened(hidden)
        assert athanor.to_move(known) is athanor.to_move(hidden) is None
        for position in (known, hidden):
            assert athanor.parse(str(position)) == athanor.parse(str(athanor.parse(str(position))))
        totals = totals_after(totals, known.piles)
        number += 1
    assert number > 1
    with pytest.raises(AthanorError, match="the race is over"):
        athanor.play(known, f"deal {seed} {number}")


def test_both_may_grab_and_then_only_the_other() -> None:
    line = "alchemy duel line=2,4,5,10,J,J hand=4 opponent_hand=8"
    found = athanor.table.happenings(line)
    assert found.to_move == 0
    assert "4=4" in found.moves
    assert "1:8+2=10" in found.possible
    grabbed = athanor.play(line, "1:10=2+8")
    assert str(grabbed) == f"{line} grabbed=1:8+2=10"
    found = athanor.table.happenings(grabbed)
    assert (found.to_move, found.possible) == (0, ())
    assert "4+J=4+J" in found.moves
    assert not [move for move in found.moves if "10" in move]
    with pytest.raises(AthanorError, match="has grabbed in this exchange already"):
        athanor.play(grabbed, "1:none")
    assert athanor.to_move(athanor.play(line, "4=4")) == 1


def test_with_a_joker_aside_the_first_match_leaves_nothing() -> None:
    line = "alchemy duel line=A,2,3,6,Q,Q hand=6 opponent_hand=Q table_jokers=1"
    grabbed = athanor.play(line, "0:6+A+2=3+6")
    assert athanor.legal_moves(athanor.view(grabbed, 1)) == ["none"]
    with pytest.raises(AthanorError, match="the line is empty"):
        athanor.play(grabbed, "1:Q=Q")
    assert len(athanor.legal_moves(athanor.view(athanor.play(line, "0:none"), 1))) > 1


def test_what_is_turned_up_has_to_be_told() -> None:
    line = "alchemy duel line=2,4,5,10,J,J hand=4 opponent_hand=8 discarded=4"
    with pytest.raises(AthanorError, match="2 more") as lacking:
        athanor.play(line, ["1:none", "none"])
    assert (lacking.value.code, lacking.value.path) == ("incomplete_move", "moves[1]")
    with pytest.raises(AthanorError, match="4 cannot be turned up"):
        athanor.play(line, ["1:none", "none", "4", "4"])
    after: Any = athanor.play(line, ["1:10=2+8", "4=4", "q", "K", "3", "9", "A"])
    assert (after.line, after.hand, after.opponent_hand) == (("5", "J", "J", "Q", "K", "3"), "9", "A")
    assert Counter(after.opponent_pile) == Counter(["2", "8", "10"])
    with pytest.raises(AthanorError, match="seat 0 drew 9"):
        athanor.play(after, "9=9")
    with pytest.raises(AthanorError, match="this one is not over"):
        athanor.play(after, "deal 5")


def test_each_sees_a_duel_from_the_own_side() -> None:
    dealt: Any = athanor.deal("alchemy", variant="duel", seed=5)
    mine, theirs = (athanor.view(athanor.play(dealt, "1:8+2=10"), seat) for seat in (0, 1))
    assert "grabbed=1:8+2=10" in str(mine)
    assert "grabbed=0:8+2=10" in str(theirs)
    assert "stock" not in str(mine)
    assert opened(mine)[-1] == opened(theirs)[-1] == tuple(sorted(dealt.unseen_ranks))


def test_a_hint_does_not_change_with_the_order_of_the_deck() -> None:
    dealt: Any = athanor.deal("alchemy", variant="duel", seed=5).model_copy(update={"totals": (40, 60)})
    turned = dealt.model_copy(update={"stock": dealt.stock[::-1]})
    for move in (None, "1:8+2=10"):
        one, other = (at if move is None else athanor.play(at, move) for at in (dealt, turned))
        first, second = (athanor.hint(at, worlds=2, seed=1).to_dict() for at in (one, other))
        for found in (first, second):
            del found["seconds"], found["text"]
        assert first == second


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("alchemy duel line=2,4,5,10,J,J hand=4", "opponent_hand is missing"),
        ("alchemy duel line=2,4,5,10,J,J", "hand is missing: with 46 cards in the deck"),
        ("alchemy duel line=2,4,5,10,J,J stock=4,4", "hand is missing: with 2 cards in the deck"),
        ("alchemy duel line=2,4,5,10,J,J hand=4 opponent_hand=8 grabbed=1:8+3=J", "not a match of this line"),
        ("alchemy duel line=2,4,5,10,J,J stock=4 grabbed=1:8+2=10", "nobody can have grabbed"),
    ],
)
def test_what_is_no_duel(line: str, message: str) -> None:
    with pytest.raises(AthanorError, match=message):
        athanor.parse(line)


def test_a_round_that_is_over_asks_nothing() -> None:
    over = athanor.parse("alchemy duel line=2,4,5,10,J,J stock=4 pile=A,A")
    assert athanor.to_move(over) is None
    for ask in (athanor.hint, athanor.analyze):
        with pytest.raises(AthanorError, match="the round is over"):
            ask(over)
    with pytest.raises(AthanorError, match="you have grabbed"):
        athanor.hint("alchemy duel line=2,4,5,10,J,J hand=4 opponent_hand=8 grabbed=0:4=4")
