"""Moves against the rules at a real table of Alchemy: the game goes on, and what was taken is scored."""

from __future__ import annotations

import random
from contextlib import suppress
from typing import Any

import pytest

import athanor
from athanor.sessions import Saved, Session
from solver.errors import MoveError, PositionError
from solver.games.alchemy.deck import JOKER, card, points, rank_of
from solver.positions import position_data, text_of

LINE = "alchemy solo line=4,7,K,2,9,A hand=6"  # 4, 7 and 9 match with it
DUEL = "alchemy duel line=5,2,9,9,J,3 hand=9 opponent_hand=7 pile=A opponent_pile=K"


def against(view: Any, seat: int, rng: random.Random) -> str:
    """A move of any cards of the line, most of them against the rules."""
    duel = view.variant == "duel"
    line = list(view.left_ranks if duel else view.line_ranks)
    hand: Any = view.drawn[seat] if duel else rank_of(view.hand)
    rng.shuffle(line)
    used = [card(rank) for rank in line[: rng.randrange(len(line) + 1)]]
    if not used:
        return "none"
    if not duel and rng.random() < 0.4:
        return f"discard {' '.join(used[: rng.choice((1, 1, 2))])}"
    place = rng.randrange(len(used) + 1)
    left, right = used[:place], used[place:]
    if hand != JOKER:
        left.append(card(hand))
    if not left or not right:
        return "none"
    sides = ["+".join(left), "+".join(right)]
    rng.shuffle(sides)
    return "=".join(sides)


def entered(view: Any, text: str, stock: list[str]) -> Any:
    """The view after a move and the cards that it turns up from the stock."""
    shown: list[str] = []
    while True:
        try:
            return athanor.play(view, [text, *shown])
        except MoveError as fault:
            if fault.code != "incomplete_move":
                raise
            shown.append(stock.pop(0))


@pytest.mark.parametrize(
    ("variant", "rules"),
    [("solo", None), ("alternative", None), ("alternative", "alternative_without_cap_loss"), ("duel", None),
     ("duel", "house_joker")],
)  # fmt: skip
def test_a_round_goes_on_whatever_was_done(variant: str, rules: str | None) -> None:
    rng, stood, hints = random.Random(variant), 0, 0
    for seed in range(4):
        known: Any = athanor.deal("alchemy", variant=variant, seed=seed, rules={rules: True} if rules else None)
        view: Any = athanor.view(known, 0)
        stock = list(known.stock)
        session = Session(Saved(game="alchemy", variant=variant, seed=0, seconds=0.05, dealt=(text_of(view),)))
        while athanor.to_move(view) is not None:
            seat = view.seat_to_move if variant == "duel" and view.grab else rng.randrange(1 + (variant == "duel"))
            told = f"{seat}:" if variant == "duel" else ""
            move = f"{told}{against(view, seat, rng)}"
            with suppress(MoveError):
                entered(view, move, [*stock])
                move = ""
            if move:
                stood += 1
                move += " anyway"
            else:
                move = f"{told}{rng.choice(athanor.legal_moves(view)) if seat == view.seat_to_move else 'none'}"
            before = [*stock]
            view = entered(view, move, stock)
            for text in (move, *before[: len(before) - len(stock)]):
                session.play(session.move_of(text))
            assert text_of(session.round.position) == text_of(view)
            assert (
                text_of(athanor.parse(text_of(view)))
                == text_of(athanor.parse(position_data(view)))
                == text_of(view)
            )
            if hints < 6 and view.as_played and athanor.to_move(view) == 0 and rng.random() < 0.3:
                hints += 1
                hint = athanor.hint(view, nodes=300)
                assert hint.best in athanor.legal_moves(view)
                assert view.as_played[-1].split(":")[-1] in hint.notes[-1]
        assert session.over
        check_score(session, view)
        review = athanor.review(session.saved, nodes=100)
        assert review.complete
        assert bool(review.notes) == bool(view.as_played)
    assert stood >= 10
    assert hints == 6


def check_score(session: Session, view: Any) -> None:
    """The score is that of the cards that were really taken, or of the stock that is left."""
    score: Any = session.score()
    if view.variant == "duel":
        assert score.rounds[0] == tuple(map(points, view.piles))
    else:
        assert score.left == len(view.unseen_ranks)
        assert score.value == ("lost" if score.left else "won")


@pytest.mark.parametrize(
    ("line", "move", "up", "after"),
    [
        (LINE, "6+7=4+8", "", "no 8 left"),
        (LINE, "6+7=4+2", "3 3 3 5", "line=K,9,A,3,3,3 hand=5"),
        (LINE, "discard K", "5", "cap=5 line=4,7,2,9,A hand=5"),  # although there was a match
        (LINE, "discard K 4", "5 5", "cap=5 line=7,2,9,A,5 hand=5"),
        (LINE, "none", "5", "cap=6 line=4,7,K,2,9,A hand=5"),
        (LINE, "6=9", "3 5", "cap=6 line=4,7,K,2,A,3 hand=5"),
        (LINE, "4+7=J", "", "write every card that left the table, and the hand with them"),
        (LINE, "5", "", "as a new position whose cap is the number of cards in the line"),
        (DUEL, "1:5+7=9", "", "grabbed=1:7+5=9"),
        (DUEL, "9=9+9", "", "grabbed=0:9=9+9"),
        (DUEL, "1:discard 5", "", "who makes no match in a duel writes none"),
        (DUEL, "0:9=Q", "", "no Q left"),
    ],
)
def test_what_was_done_at_the_table_is_what_lies_there(line: str, move: str, up: str, after: str) -> None:
    """Or the refusal says what to write."""
    view: Any = athanor.parse(line)
    with pytest.raises(MoveError):
        athanor.play(view, [move, *up.split()])
    if "=" not in after:
        with pytest.raises(MoveError, match=after):
            athanor.play(view, f"{move} anyway")
        return
    found: Any = athanor.play(view, [f"{move} anyway", *up.split()])
    now = dict(word.split("=", 1) for word in text_of(found).split()[2:])
    for key, value in (word.split("=", 1) for word in after.split()):
        assert sorted(now.get(key, str(getattr(found, key))).split(",")) == sorted(value.split(","))
    assert found.as_played


def test_a_wrong_match_is_grabbed_and_kept_by_who_made_it() -> None:
    first: Any = athanor.play(DUEL, "1:7+5=9 anyway")
    assert first.derived["points"] == [1, 2 + 3]
    flipped: Any = athanor.view(first, 1)
    assert (flipped.grabbed, flipped.as_played) == ("0:7+5=9", ("0:7+5=9",))
    assert text_of(athanor.parse(text_of(flipped))) == text_of(flipped)
    hint = athanor.hint(first, seed=1)
    assert "seat 1 7+5=9" in hint.notes[-1]
    after: Any = athanor.play(first, ["none", "4", "4", "6", "8"])
    assert sorted(after.opponent_pile) == sorted(["K", "5", "9", "7"])
    assert sorted(after.discarded) == ["9"]


@pytest.mark.parametrize("wrong", ["6+7", "Z=4", "1:6+7=4", "6+7=4+2", "K=K", 5])
def test_a_move_that_was_not_made_is_refused(wrong: object) -> None:
    """Of the last ones, cards still lie on the table."""
    with pytest.raises(PositionError, match="as_played"):
        athanor.parse({**position_data(athanor.parse(LINE)), "as_played": [wrong]})
