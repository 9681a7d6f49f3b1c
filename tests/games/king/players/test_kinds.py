"""What kind of player each seat is: told by what it did, and played on by."""

from __future__ import annotations

from collections.abc import Callable
from itertools import islice

import numpy as np
import pytest

from benchmarks.king import KingContest, learned
from solver.common import Random
from solver.games.king import GAME
from solver.games.king.deck import CARDS
from solver.games.king.hint import Rounds
from solver.games.king.players import KINDS, THRIFTY, TRAINED
from solver.games.king.position import KnownPosition, View
from solver.games.king.rules import Play, State, winner
from solver.games.king.worlds import SCORE, STATISTICS, TOOK, deals
from tests.games.king.hints.plain_endings import Judge, replies
from tests.games.king.hints.views import played, seen_by, to_move

KINDS_AT = (TRAINED, THRIFTY, THRIFTY, TRAINED)


def late(number: int) -> KnownPosition:
    """A round among players of two kinds, the one and the other, until three cards are left to a hand."""
    position = GAME.deal(5, number=number, players=4, variant="unpicked")
    random = Random(5, number)
    while not (isinstance(position, KnownPosition) and max(map(len, position.hands)) <= 3):
        seat = position.seat_to_move  # type: ignore[attr-defined]
        view = GAME.view(position, seat)
        position = GAME.play(position, learned(view, random, KINDS_AT[seat]))  # type: ignore[arg-type]
    return position


def test_the_kinds_of_players_are_told_by_what_they_did() -> None:
    shares = np.zeros((4, KINDS))
    for number in (0, 2, 3):
        position = late(number)
        found = deals(seen_by(position, 0))
        held = [set(position.held[seat]) for seat in range(4)]
        places = [next(seat for seat in (1, 2, 3) if card in held[seat]) - 1 for card in found.cards]
        for seat, likely in enumerate(Judge(found).kinds(places)[0]):
            if likely:
                shares[seat] += np.array(likely) / 3
    for seat in (1, 2, 3):
        assert shares[seat, KINDS_AT[seat]] > 0.8


@pytest.mark.covered
@pytest.mark.small
def test_seats_play_on_as_their_kind() -> None:
    """Where only one kind is expected all play on as it, and a flat search has its own seat do so too."""
    view = seen_by(played(2, 12), 2)
    assert isinstance(view, View)
    moves = GAME.legal_moves(view)
    found = deals(view)
    told = []
    for shares in ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)):
        results = np.empty((12, len(moves), STATISTICS))
        Rounds(found, moves, 1, infer=False, expected=np.array(shares)).play(0, results, np.ones(12))
        told.append(results[:, :, SCORE].copy())
    assert (told[0] != told[1]).any()
    assert (told[0] != told[2]).any()
    results = np.empty((12, len(moves), STATISTICS))
    KingContest.sampled["flat"].rollouts(view, moves, 1).play(0, results, np.ones(12))
    assert (results[:, :, SCORE] != told[2]).any()


def test_the_others_draw_their_plays(amount: Callable[[int], int]) -> None:
    """How often a trick is taken where only the next seat has yet to play is what the plain way says."""
    views = (to_move(number, 2 + 5 * (number % 9)) for number in range(100))
    for view in islice((view for view in views if len(view.trick) == view.players - 2), amount(8)):
        deck, moves = view.full_deck, [move for move in GAME.legal_moves(view) if isinstance(move, Play)]
        results = np.empty((amount(600), len(moves), STATISTICS))
        noted = np.empty((len(results), view.players + 2 * len(moves)), np.int64)
        rounds = Rounds(deals(view), moves, 1, infer=False)
        rounds._play(0, results, np.ones(len(results)), noted)
        gone = (1 << CARDS) - 1 & ~(view.unseen | view.hand_mask)
        last = (view.seat + 1) % view.players
        for index, move in enumerate(moves):
            expected = []
            for hand in noted[:, last].tolist():
                hands = tuple(hand if seat == last else 0 for seat in range(view.players))
                state = State(deck, hands, view.leader, (*view.plays, move), view.piles)
                expected.append(
                    sum(
                        chance * (winner(deck, (*state.trick, reply)) == len(view.plays)) / KINDS
                        for kind in range(KINDS)
                        for reply, chance in replies(state, gone | 1 << move.card, kind).items()
                    )
                )
            chances = np.clip(expected, 0.0, 1.0)
            error = np.sqrt((chances * (1 - chances)).sum()) / len(chances)
            assert abs(results[:, index, TOOK].mean() - chances.mean()) <= 4 * error + 1e-9
