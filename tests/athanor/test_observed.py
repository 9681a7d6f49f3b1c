"""Games of a real table: written down by hand, by what one seat saw or with every hand."""

from __future__ import annotations

from pathlib import Path
from typing import Any, cast

import pytest
from pydantic import BaseModel

import athanor
from api.app import create_app
from api.config import Config
from athanor.sessions import ObservedRound, Session, dumps, read_one
from solver.common import Random
from solver.errors import AthanorError
from solver.games.aqua_regia import rules
from solver.games.aqua_regia.moves import _deal_at
from solver.games.aqua_regia.position import KnownPosition as AquaPosition
from solver.games.aqua_regia.position import Step
from solver.positions import text_of
from tests.support.observed import played_out

TEXT = Path("docs/examples/table.txt").read_text(encoding="utf-8")
HANDS = "hands=D1,D5,S2,S3,S4,S6,BT,B-/D+,S1,S5,B4,B6,G1,G4,G-/D2,D4,D6,DT,S-,B+,G6,G+/ST,S+,B1,B2,G2,G3,G5,GT"
START = next(line for line in TEXT.splitlines() if line.startswith("round"))


def test_what_one_seat_saw() -> None:
    session = Session(read_one(TEXT.encode()))
    assert isinstance(session.round, ObservedRound)
    assert (session.over, session.seat, session.count) == (True, 2, 32)
    assert read_one(dumps([session.saved]).encode()) == session.saved
    assert "seed" not in dumps([session.saved])
    found = athanor.review(TEXT, nodes=200)
    assert {move.seat for move in found.moves} == {2}
    assert 3 <= len(found.moves) <= 8
    assert {move.move for move in found.moves} <= {"D6", "S-", "D2", "D4", "G6", "B+", "DT", "G+"}
    assert all(move.true_bounds is None for move in found.moves)
    assert all(move.true_lost is not None for move in found.moves)  # the end shows every hand
    assert [(seat.seat, seat.result) for seat in found.seats] == [(2, 2.0)]  # of others nothing is known
    part = athanor.review(TEXT.rpartition("b1 ")[0], nodes=200)
    assert all(move.true_lost is None for move in part.moves)
    assert part.seats[0].others is None


def test_every_hand_known() -> None:
    known = TEXT.replace(START, f"round kirin {HANDS} declared=D-,B3,D3,B5 leader=0")
    session = Session(read_one(known.encode()))
    assert session.over
    assert session.round.players == 4
    found = athanor.review(known, nodes=50, seat=1)
    assert found.moves
    assert all(move.true_bounds is not None for move in found.moves)


@pytest.mark.parametrize(
    ("change", "to", "path", "message"),
    [
        ("s3 d+ d6", "s3 d2 d6", "moves[0][1]", "D2"),
        ("s3 d+ d6", "s3 d+ d5", "moves[0][2]", "D5"),
        ("hand=D2,", "hand=D9,", "dealt[0]", "not a card"),
        ("round kirin seat=2", "round king seat=2", "dealt[0]", "declared|card"),
        ("[game kirin]", "[game kirin]\nround\nD1", "", "either every round says how it begins"),
    ],
)
def test_what_is_wrong_is_named(change: str, to: str, path: str, message: str) -> None:
    assert change in TEXT
    with pytest.raises(AthanorError, match=message) as found:
        Session(read_one(TEXT.replace(change, to).encode()))
    assert found.value.path == path


def test_cards_turned_up_follow_the_move() -> None:
    start = "alchemy duel line=2,4,5,10,J,J hand=4 opponent_hand=8"
    text = f"[game alchemy]\n[variant duel]\nround {start}\n1:8+2=10\n4=4\nA 10 8 4\nq\n"
    session = Session(read_one(text.encode()))
    told = ["1:8+2=10", "4=4", "A", "10", "8", "4", "Q"]
    assert isinstance(session.round, ObservedRound)
    assert session.round.position == athanor.play(start, told)
    assert list(session.made(0)) == told
    short = Session(read_one(text.removesuffix("q\n").encode()))
    assert isinstance(short.round, ObservedRound)
    assert short.round.told == tuple(told[1:-1])
    assert short.round.moves() == ()


def test_such_a_game_is_not_played_on_over_http() -> None:
    client = create_app(Config()).test_client()
    sent = read_one(TEXT.encode()).model_dump(mode="json", exclude_none=True)
    for path in ("/v1/match", "/v1/match/log", "/v1/match/turn", "/v1/match/hint"):
        found = client.post(path, json={"match": sent})
        assert (found.status_code, found.get_json()["error"]["path"]) == (422, "match.dealt")


def test_what_was_set_aside_is_shown_at_the_end() -> None:
    """Then the truth is proved, as where every hand was known from the start."""
    shown = f"{TEXT}shown D-/B3/D3/B5\n"
    session = Session(read_one(shown.encode()))
    known = Session(read_one(TEXT.replace(START, f"round kirin {HANDS} declared=D-,B3,D3,B5 leader=0").encode()))
    states, others = session.rounds()[0], known.rounds()[0]
    for state, other in zip(states[:-1], others, strict=False):
        rebuilt, right = cast("Any", state.known), cast("Any", other.known)
        assert (rebuilt.declared, rebuilt.leader, rebuilt.trick) == (right.declared, right.leader, right.trick)
        assert rebuilt.hand_masks == right.hand_masks
    assert read_one(dumps([session.saved]).encode()) == session.saved
    found = athanor.review(shown, nodes=200)
    assert all(move.true_bounds is not None for move in found.moves)
    for wrong in ("D-/B3/D3", "D-/B3/D3/D6", "D-/B3/D2/B5", "x/y/z/w"):
        with pytest.raises(AthanorError) as refused:
            Session(read_one(f"{TEXT}shown {wrong}\n".encode()))
        assert refused.value.path == "shown[0]"
    with pytest.raises(AthanorError, match="at the end of this round"):
        Session(read_one(f"{TEXT.rpartition('b+ ')[0]}\nshown D-/B3/D3/B5\n".encode()))


def test_hands_of_aqua_regia_are_rebuilt_from_the_end_of_the_stock_on() -> None:
    played = list(played_out("aqua-regia", 5, None, 4))
    start, end = played[0][0], played[-1][0]
    assert isinstance(start, AquaPosition)
    assert isinstance(end, AquaPosition)
    lines = [f"round {text_of(athanor.view(start, 1))}", *(text for _, _, told in played[:-1] for text in told[1])]
    shown = "/".join(",".join(hand) or "-" for hand in end.hands)
    session = Session(read_one("\n".join(["[game aqua-regia]", *lines, f"shown {shown}"]).encode()))
    assert session.over
    rebuilt = [state.known for state in session.rounds()[0] if state.known is not None]
    assert len(rebuilt) > 5
    for known in rebuilt:
        assert isinstance(known, AquaPosition)
        assert any(sorted(map(sorted, known.hands)) == sorted(map(sorted, other.hands)) for other in _aqua(played))
        assert known.stock == ()
    wrong = "/".join("Li" for _ in end.hands)
    with pytest.raises(AthanorError, match="not the cards that the seats have left"):
        Session(read_one("\n".join(["[game aqua-regia]", *lines, f"shown {wrong}"]).encode()))


def test_before_the_end_of_the_stock_deals_of_aqua_regia_are_drawn_that_lead_to_what_was_seen() -> None:
    played = list(played_out("aqua-regia", 3, None, 4))
    start, end = played[0][0], played[-1][0]
    assert isinstance(start, AquaPosition)
    assert isinstance(end, AquaPosition)
    lines = [f"round {text_of(athanor.view(start, 1))}", *(text for _, _, told in played[:-1] for text in told[1])]
    shown = tuple(end.hands)
    told = "/".join(",".join(hand) or "-" for hand in end.hands)
    text = "\n".join(["[game aqua-regia]", *lines, f"shown {told}"])
    states = cast("Any", Session(read_one(text.encode())).rounds()[0])
    views = [state.position for state in states if state.position.stock_count]
    assert len(views) > 20
    tried = 0
    for view in views:
        found = _deal_at(view, states[-1].position, shown, Random(len(views)))
        if found is None:
            continue
        tried += 1
        position: Any = found
        assert sorted(athanor.view(position, 1).hand) == sorted(view.hand)
        for step in states[-1].position.steps[len(view.steps) :]:
            if isinstance(step, Step):
                position = athanor.play(position, rules.text_of(position.metals, step.move))
        assert sorted(map(sorted, position.hands)) == sorted(map(sorted, end.hands))
    assert tried > 5
    part = athanor.review(text, nodes=200)
    assert any(move.true_bounds is None and move.true_stderr for move in part.moves)


def _aqua(played: list[tuple[BaseModel, str, Any]]) -> list[AquaPosition]:
    return [position for position, _, _ in played if isinstance(position, AquaPosition)]
