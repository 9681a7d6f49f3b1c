"""Rounds of a real table of which some cards and moves were missed, told by one who sees the rest."""

from __future__ import annotations

from typing import Any

import pytest

from athanor.sessions import Saved, Session, moves_of
from solver import registry
from solver.common import Random
from solver.errors import MoveError
from solver.positions import text_of
from tests.support.observed import played_out

GAMES = [("kirin", 4, "declared"), ("king", 3, "picked"), ("king", 4, "picked"), ("king", 5, "picked")]


def session_of(position: Any, seat: int) -> Session:
    line = text_of(registry.game(position.game).view(position, seat))
    return Session(Saved(game=position.game, seed=0, seconds=0.05, dealt=(line,)))


def missed_in_tricks(name: str, players: int, variant: str, seed: int) -> tuple[Session, int]:
    """A whole round of tricks in which about every fifth card of the others is missed, and how many were."""
    seat, random = seed % players, Random(seed, 2)
    rounds = list(played_out(name, players, variant, seed))
    session, asked, missed = session_of(rounds[0][0], seat), False, 0
    for number, (position, text, _) in enumerate(rounds[:-1]):
        here: Any = position
        after: Any = rounds[number + 1][0]
        if text.startswith("take"):
            if asked:
                got = sorted(set(after.won[seat]) - set(here.won[seat]))
                session.play(" ".join(["take", *(got or "-")]))
            else:
                session.play(text)
            asked = False
            continue
        own = here.seat_to_move == seat
        here_missed = not own and random.below(5) == 0
        missed += here_missed
        asked |= here_missed
        session.play("?" if here_missed else text)
        full = len(after.trick) == players if name == "king" else not after.trick
        if full and asked:
            assert session.round.to_move != seat
            session.play(str(after.seat_to_move if name == "king" else after.leader) + _order(after))
        if full and name == "kirin":
            asked = False
    return session, missed


def _order(position: Any) -> str:
    return {"ascending": "+", "descending": "-"}.get(getattr(position, "direction", ""), "")


@pytest.mark.parametrize(("name", "players", "variant"), GAMES)
@pytest.mark.parametrize("seed", range(4))
def test_rounds_of_tricks_go_on(name: str, players: int, variant: str, seed: int) -> None:
    session, missed = missed_in_tricks(name, players, variant, seed)
    assert session.over
    end: Any = session.rounds()[-1][-1]
    known: Any = list(played_out(name, players, variant, seed))[-1][0]
    seat = seed % players
    assert missed > 0
    if name == "king":  # the own pile is known whole
        assert set(end.position.won[seat]) == set(known.won[seat])
    for pile, right in zip(end.position.won, known.won, strict=True):
        assert set(pile) <= set(right)
    assert Session(session.saved).saved == session.saved


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("seed", range(5))
def test_rounds_of_aqua_regia_go_on(players: int, seed: int) -> None:
    seat, random = seed % players, Random(seed, 2)
    rounds = list(played_out("aqua-regia", players, None, seed))
    session, missed, shown = session_of(rounds[0][0], seat), 0, 0
    for number, (position, _, told) in enumerate(rounds[:-1]):
        here: Any = position
        after: Any = rounds[number + 1][0]
        if not all(after.hands):
            break
        turn = here.seat_to_move
        hidden = turn != seat and random.below(4) == 0
        if hidden:
            missed += 1
            session.play(f"?{len(after.hands[turn])}")
            for text in told[seat][1:]:  # deals passed on
                session.play(text)
            continue
        for text in told[seat]:
            round_: Any = session.round
            if round_.asked and round_.next_seat is None:
                shown += 1
                session.play(" ".join(here.table[-_run(here.table) :]))
            session.play(text)
        now: Any = session.round
        if not now.asked:
            assert now.position.turn == after.turn or now.position.turn == seat
            assert now.position.counts == tuple(map(len, after.hands))
            assert now.position.stock_count == len(after.stock)
    assert missed > 0
    assert Session(session.saved).saved == session.saved


def _run(table: tuple[str, ...]) -> int:
    return next((place for place, card in enumerate(reversed(table)) if card != table[-1]), len(table))


def test_what_was_missed_is_asked_for() -> None:
    line = "king pick=F1,W1,E1,A1 removed=T1,T2 seat=2 hand=F3,F4,F5,W2,W3,W4,E2,E3,E4,A2,A3 leader=0"
    session = Session(Saved(game="king", seed=0, seconds=0.05, dealt=(line,)))
    for text in moves_of("F7 ? F3 ?"):
        session.play(session.move_of(text))
    observed: Any = session.round
    assert observed.asked == "Who took the trick? 2 is seat 2"
    with pytest.raises(MoveError, match="seats are 0 to 3"):
        session.play("7")
    session.play("0")
    assert "did you get" in session.round.asked  # type: ignore[attr-defined]
    session.play("take -")
    now: Any = session.round
    assert now.position.forgotten == 2
    assert now.position.won[0] == ("F1", "F7")
    assert now.position.gone == ("F3",)


@pytest.mark.parametrize("text", ["?", "?7"])
def test_the_own_card_is_not_missed(text: str) -> None:
    line = "aqua-regia players=2 seat=0 turn=0 hand=Zn,Fe,Cu,Zn,Ag,Pt,Li,K,Ca,Mg"
    session = Session(Saved(game="aqua-regia", seed=0, seconds=0.05, dealt=(line,)))
    with pytest.raises(MoveError, match="you know"):
        session.play(text)


def test_a_card_missed_on_the_table_is_guessed() -> None:
    line = "kirin seat=2 leader=0 hand=S1,S4,BT,G2,G3,G4,G+,D5 declared=D2"
    session = Session(Saved(game="kirin", seed=0, seconds=0.05, dealt=(line,)))
    for text in moves_of("D6 ?"):
        session.play(session.move_of(text))
    hint: Any = session.hint(nodes=1000)
    assert "was missed" in hint.reason
    assert {move.move for move in hint.moves} == {"S1", "S4", "BT", "G2", "G3", "G4", "G+", "D5"}
    assert hint.best == hint.moves[0].move


def test_a_line_is_parted_where_cards_were_missed() -> None:
    assert moves_of("D6 ? ST ? 2+") == ["D6", "?", "ST", "?", "2+"]
    assert moves_of("?7 Zn") == ["?7", "Zn"]
    assert moves_of("Zn Zn") == ["Zn Zn"]
