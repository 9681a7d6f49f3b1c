"""What may be behind the lead of one of Aqua Regia's moves: who can follow, and who goes out less often."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from solver.games.aqua_regia.cards.rules import MOST_AT_ONCE, Move, Play, follows, lets
from solver.games.aqua_regia.cards.text import text_of
from solver.games.aqua_regia.positions.known import View
from solver.hints.causes import Cause, Noted, Truths, Witnessed, shown, told
from solver.hints.paired import Sums
from solver.hints.ranking import Lead
from solver.hints.words import share


def because(view: View, moves: Sequence[Move], sums: Sums, ahead: Lead, rollouts: Witnessed) -> str:
    """What is behind a clear lead, as a sentence with a space before it; empty where nothing shows.

    The rollouts have noted of each world each hand's cards by metal, seat by seat, then who wins after each move.
    """
    noted = rollouts.witness.noted(sums)
    if noted is None or not noted.words.shape[1]:
        return ""
    causes = [*_winners(view, moves, noted, ahead), *_answers(view, moves, noted, ahead)]
    return told(shown(noted, ahead, causes), "%", "games")


def _winners(view: View, moves: Sequence[Move], noted: Noted, ahead: Lead) -> Iterator[Cause]:
    """Another seat goes out first less often after the best move. Of two players this would say nothing."""
    winners = noted.words[:, view.players * view.metals.size :]
    first, second = (text_of(view.metals, moves[place]) for place in (ahead.best, ahead.second))
    for seat in range(view.players) if view.players > 2 else ():
        if seat != view.seat:
            after, before = winners[:, ahead.best] == seat, winners[:, ahead.second] == seat
            often, less = share(float(before.mean())), share(float(after.mean()))
            what = f"seat {seat} goes out first in {less} of the games after {first}, in {often} after {second}"
            yield Cause(what, before & ~after, after & ~before)


def _answers(view: View, moves: Sequence[Move], noted: Noted, ahead: Lead) -> Iterator[Cause]:
    """The other seats can follow a play, or not."""
    size = view.metals.size
    for place in (ahead.best, ahead.second):
        move = moves[place]
        if not isinstance(move, Play):
            continue
        text = text_of(view.metals, move)
        someone = np.zeros(len(noted.words), np.bool_)
        for step in range(1, view.players):
            seat = (view.seat + step) % view.players
            hands = noted.words[:, seat * size : (seat + 1) * size]
            able: Truths = np.zeros(len(hands), np.bool_)
            for metal in range(move.metal + 1, size):
                for count in range(move.count, min(move.count + 1, MOST_AT_ONCE) + 1):
                    answer = Play(metal, count)
                    if follows(answer, move) and lets(view.metals, view.field_number, answer, move):
                        able |= hands[:, metal] >= count
            someone |= able
            yield Cause(f"seat {seat} may be able to follow {text}", able)
            yield Cause(f"seat {seat} may be unable to follow {text}", ~able)
        yield Cause(f"some seat may be able to follow {text}", someone)
        yield Cause(f"{text} may be followed by nobody", ~someone)
