"""Rounds in play, of every game: whole random matches, secrets, what each seat sees, the order of the rounds."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from typing import Any

import pytest

from athanor.sessions import Saved, Session
from solver import registry
from solver.common import Random
from solver.errors import MoveError
from solver.games.alchemy.duel import DuelInPlay
from solver.games.aqua_regia.moves import AquaInPlay
from solver.games.king.moves import KingInPlay
from solver.games.kirin.moves import KirinInPlay
from solver.limits import Control
from solver.playing import Round

GAMES = [
    ("kirin", None, None), ("king", 3, None), ("king", 5, "picked"),
    ("aqua-regia", 2, None), ("aqua-regia", 5, None),
    ("alchemy", None, "solo"), ("alchemy", None, "alternative"), ("alchemy", 2, None),
]  # fmt: skip


def opening(
    name: str, players: int | None, variant: str | None, before: list[Round] | None = None, seed: int = 1
) -> Any:
    before = before or []
    return registry.game(name).playing.opening(
        seed, number=len(before), players=players, variant=variant, before=before
    )


def end(table: Round, random: Random) -> Round:
    """The end of a round played at random; each move is checked on the way."""
    while (seat := table.to_move) is not None:
        moves = list(table.moves())
        assert 0 <= seat < table.players
        assert moves
        assert len(set(moves)) == len(moves)
        if random.below(4) == 0:
            assert table.rows()
        move = moves[random.below(len(moves))]
        assert table.move_of(move) == move
        assert table.announcement(move).startswith(move) != table.secret(move)
        table = table.play(move)
    assert not table.moves()
    assert table.rows()
    with pytest.raises(MoveError):
        table.move_of("x")
    return table


@pytest.mark.parametrize(("name", "players", "variant"), GAMES)
def test_a_match_at_random_ends_with_a_score(name: str, players: int | None, variant: str | None) -> None:
    game, random = registry.game(name), Random(3)
    rounds: list[Round] = []
    while not rounds or not game.playing.finished(rounds):
        rounds.append(end(opening(name, players, variant, rounds), random))
    score: Any = game.score(game.playing.record(rounds))
    assert getattr(score, "finished", True)
    if hasattr(score, "rounds"):
        assert len(score.rounds) == len(rounds)
        assert all(len(row) == rounds[0].players for row in score.rounds)


@pytest.mark.parametrize(("name", "players"), [("kirin", None), ("king", 3), ("king", 4), ("king", 5)])
def test_what_is_chosen_at_once_is_chosen_unseen(name: str, players: int | None) -> None:
    first: Round = opening(name, players, None)
    ones, others = first, first
    for seat in range(first.players):
        assert ones.to_move == seat
        assert ones.view() == others.view() == registry.game(name).view(first.position, seat)
        move, other = ones.moves()[0], others.moves()[-1]
        assert ones.secret(move)
        assert move not in ones.announcement(move)
        ones, others = ones.play(move), others.play(other)
    assert not ones.secret(ones.moves()[0])


def test_kirin_tells_who_takes_a_trick_and_that_the_order_turns() -> None:
    table: KirinInPlay = opening("kirin", None, "declared")
    random = Random(5)
    told = []
    while table.to_move is not None:
        moves = table.moves()
        move = moves[random.below(len(moves))]
        before, said = table, table.announcement(move)
        table = table.play(move)
        position: Any = table.position
        if not position.trick:
            assert f"the trick goes to seat {position.leader}" in said or "nobody takes" in said
            turned = position.direction != before.position.direction  # type: ignore[attr-defined]
            assert (f"the order is {position.direction} now" in said) == turned
            told.append(said)
        else:
            assert said == move
    assert len(told) == 8


def test_kirins_leader_goes_round_and_kings_is_the_last_winner() -> None:
    random = Random(7)
    first: KirinInPlay = opening("kirin", None, None)
    second: KirinInPlay = opening("kirin", None, None, [end(first, random)])
    assert [table.position.leader for table in (first, second)] == [0, 1]  # type: ignore[attr-defined]
    assert first.moves() != second.moves()

    leaders = set()
    for seed in range(4):
        ended = end(opening("king", 4, None, seed=seed), random)
        assert isinstance(ended, KingInPlay)
        following: KingInPlay = opening("king", 4, None, [ended], seed=seed)
        assert following.position.leader == ended.position.leader  # type: ignore[attr-defined]
        leaders.add(ended.position.leader)  # type: ignore[attr-defined]
    assert len(leaders) > 1


def until(table: AquaInPlay, wanted: Callable[[AquaInPlay], bool], random: Random) -> AquaInPlay:
    while not wanted(table):
        moves = table.moves()
        table = table.play(moves[random.below(len(moves))])
    return table


def test_a_pass_of_aqua_regia_draws_before_the_exchange_is_chosen() -> None:
    table = until(opening("aqua-regia", 3, None), lambda at: "pass" in at.moves() and at.secret("pass"), Random(2))
    seat: Any = table.to_move
    before: Any = table.position
    assert [move for move in table.moves() if move.startswith("pass")] == ["pass"]
    assert table.announcement("pass") == "draws a card to pass"
    drawn = table.play("pass")
    assert (drawn.to_move, drawn.position) == (seat, before)
    view: Any = drawn.view()
    assert view.drawn == before.stock[0]
    exchanges = list(drawn.moves())
    assert exchanges[0] == "pass"
    assert len(exchanges) > 1
    assert not any(map(drawn.secret, exchanges))
    game = registry.game("aqua-regia")
    for move in exchanges:
        assert drawn.play(move).position == game.play(before, game.parse_move(before, move))
    with pytest.raises(MoveError):
        drawn.play("Li")


def test_a_duel_alternates_and_counts_as_the_race_does() -> None:
    table: DuelInPlay = opening("alchemy", None, "duel")
    first_seats, random = [], Random(1)
    while table.to_move is not None:
        if table.position.grab is None:
            first_seats.append(table.to_move)
            hint: Any = table.hint(Control())
            assert hint.best in table.moves()
            before = table.position
        else:
            hint = table.hint(Control())
            assert sorted(move.move for move in hint.moves) == sorted(table.moves())
            assert hint.moves[0].points == max(move.points for move in hint.moves)
            seat, gains = table.to_move, {move.move: move.points for move in hint.moves}
            move = table.moves()[random.below(len(table.moves()))]
            after = table.play(move)
            gained = sum(2 if card == 13 else 1 for card in after.position.piles[seat])
            gained -= sum(2 if card == 13 else 1 for card in before.piles[seat])
            assert gained in (gains[move], gains[move] - 6)  # the fourth ace brings six more
            table = after
            continue
        table = table.play(table.moves()[random.below(len(table.moves()))])
    assert first_seats == [turn % 2 for turn in range(len(first_seats))]
    following: DuelInPlay = opening("alchemy", None, "duel", [table])
    assert following.to_move == 1


@pytest.mark.parametrize("text", ["4=5", "none x", "discard 4", "K+K=K+K", "", "X"])
def test_what_is_no_move_of_a_duel(text: str) -> None:
    table: DuelInPlay = opening("alchemy", None, "duel", seed=5)  # line 4 10 J 2 5 J, hand 4
    for at in (table, table.play("4=4")):
        with pytest.raises(MoveError):
            at.move_of(text)
    assert table.move_of("2+5+J = 10+4+4") == "4+4+10=2+5+J"
    with pytest.raises(MoveError, match="the line 10 J 2 5 J has no 4 left"):
        table.play("4=4").move_of("8=4+4")


@pytest.mark.parametrize(("name", "players", "variant"), GAMES)
def test_no_move_is_taken_that_is_not_offered(name: str, players: int | None, variant: str | None) -> None:
    """By a session and by its round: neither a move of another moment, nor of another seat."""
    random = Random(11)
    for seed in range(4):
        session = Session(Saved(game=name, seed=seed, players=players, variant=variant, rounds=1, seconds=0.05))
        offered: list[str] = []  # by then
        while not session.over:
            table, moves = session.round, list(session.round.moves())
            offered += [move for move in moves if move not in offered]
            known: Any = getattr(table, "position", None)
            others = (
                []
                if known is None
                else [session.game.format_move(known, one) for one in session.game.legal_moves(known)]
            )
            count = session.count
            for text in {"x", *others, *(offered[random.below(len(offered))] for _ in range(8))} - set(moves):
                if name == "alchemy":  # a match may be written in many ways
                    with suppress(MoveError):
                        assert table.move_of(text) in moves
                        continue
                for play in (session.play, table.play):
                    with pytest.raises(MoveError):
                        play(text)
            assert (session.count, session.round) == (count, table)
            session.play(moves[random.below(len(moves))])
        with pytest.raises(MoveError):
            session.play(offered[0])
