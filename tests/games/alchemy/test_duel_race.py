"""A duel as a race: whoever is quicker grabs first, and what an opponent finds after how long."""

from __future__ import annotations

from statistics import median

import pytest

from athanor.reviews import review
from athanor.sessions import Saved, Session, dumps, read_one
from solver.errors import MoveError, RequestError
from solver.games.alchemy.duel import DuelInPlay
from solver.games.alchemy.position import Round
from solver.registry import game

RACE = Saved(game="alchemy", variant="duel", seed=5, seconds=0.05, race=True)


def table(line: str, hand: str, other: str, **more: int) -> DuelInPlay:
    position = Round(
        game="alchemy", variant="duel", line=tuple(line.split()), hand=hand, opponent_hand=other, **more
    )
    return DuelInPlay(game("alchemy"), position, 2).raced(0)


def test_either_player_grabs_first_and_the_other_matches_from_what_is_left() -> None:
    session = Session(RACE, forced=False)
    assert {move[:2] for move in session.round.moves()} > {"no", "1:"}
    session.play(session.move_of("1:2+8=10"))
    assert session.round.to_move == 0
    assert session.round.moves()[-1] == "none"
    with pytest.raises(MoveError):
        session.move_of("1:none")
    session.play("none")
    assert session.round.to_move == 0  # in the next exchange, too, whoever is quicker
    assert [(move.seat, move.move) for move in session.log()] == [(1, "8+2=10"), (0, "none")]
    assert session.undo()
    assert session.undo()
    assert session.saved.moves == ((),)


def test_who_makes_a_wrong_match_loses_the_card_and_the_other_goes_on() -> None:
    session = Session(RACE, forced=False)
    session.play("1:none")
    assert "1:none" in session.saved.moves[0]
    assert session.round.to_move == 0
    assert "4+4+10=2+5+J" in session.round.moves()  # all cards are still there


def test_a_race_is_read_from_its_file_and_reviewed_with_what_each_seat_did() -> None:
    session = Session(RACE.model_copy(update={"rounds": 1}), forced=False)
    for count in range(100):
        if session.over:
            break
        legal = session.round.moves()
        session.play(legal[-2] if count % 3 == 0 and len(legal) > 2 else legal[0])
    saved = read_one(dumps([session.saved]))
    assert saved == session.saved
    assert any(move.startswith("1:") for move in saved.moves[0])
    reviewed = review(saved, nodes=50)
    made = [(move.seat, move.move) for move in reviewed.moves]
    assert any(seat == 1 for seat, _ in made)
    assert not any(":" in move for _, move in made)
    assert reviewed.complete
    totals = session.score().totals
    assert [seat.result for seat in reviewed.seats] == [totals[0] - totals[1], totals[1] - totals[0]]


def test_what_an_opponent_finds_takes_longer_with_more_cards_and_fewer_matches() -> None:
    pair = table("5 2 9 J 3 K", "A", "5")  # 5=5
    two = table("2 K Q 3 9 A", "A", "7")  # 7+2=9 alone has two cards of the line
    three = table("K 7 10 J J 4", "A", "5")
    five = table("J 4 7 4 3 4", "A", "K")

    def middle(one: DuelInPlay) -> float:
        found = [one.find(1, seed) for seed in range(100)]
        return median(one.seconds for one in found if one)

    assert middle(pair) < middle(two) < middle(three) < middle(five)
    assert middle(table("2 4 9 J 7 5", "A", "6")) < middle(two)  # 2+4, and 5 beside J
    assert table("K K K K Q Q", "A", "3").find(1, 0) is None


def test_other_games_are_no_race() -> None:
    with pytest.raises(RequestError) as refused:
        Session(Saved(game="kirin", seed=1, seconds=0.05, race=True))
    assert (refused.value.code, refused.value.path) == ("not_offered", "race")
