"""The duel's exchange, solved for both orders of grabbing: points, the opponent's best reply, denial."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from solver.common.control import Control
from solver.games.alchemy.answers import DuelAnalysis, DuelMove, DuelOrder
from solver.games.alchemy.cards.deck import JOKER, cards, points
from solver.games.alchemy.cards.rules import duel_min_line, matches
from solver.games.alchemy.cards.text import NONE, Move
from solver.games.alchemy.positions.duels import DuelPosition

_BITS = 4  # a rank lies in a line at most four times; the field's top bit is a guard
_GUARDS = sum(8 << _BITS * rank for rank in range(14))


@dataclass(frozen=True, slots=True)
class Grab:
    """A player's move in an exchange: what it scores with the pile that the player has."""

    move: Move
    points: int
    packed: int  # the used cards as counts of `_BITS` bits


@dataclass(frozen=True, slots=True)
class Option:
    """A first grab and the opponent's best answer to it."""

    grab: Grab
    reply: Grab
    denies: bool  # the opponent has no match left

    @property
    def swing(self) -> int:
        return self.grab.points - self.reply.points


def _pack(ranks: Sequence[int]) -> int:
    return sum(1 << _BITS * rank for rank in ranks)


def grabs(line: Sequence[int], hand: int, table_jokers: int, pile: Sequence[int]) -> list[Grab]:
    """Every move of a player who has the whole line before them; to decline (`none`) is the last.

    Each has the points that it adds to those of the player's pile.
    """
    held = points(pile)
    choices = []
    for move in matches(line, hand, duel_min_line(hand, table_jokers)):
        gained = points([*pile, *move.used, hand, *[JOKER] * table_jokers]) - held
        choices.append(Grab(move, gained, _pack(move.used)))
    return [*choices, Grab(NONE, 0, 0)]


def options(position: DuelPosition, first: int) -> list[Option]:
    """Each move of the player who grabs first (0 is me) with the best reply to it, the best swing first."""
    line, jokers = position.line_ranks, position.table_jokers
    hands, piles = position.hands, position.piles
    second = 1 - first
    mine = grabs(line, hands[first], jokers, piles[first])
    theirs = grabs(line, hands[second], jokers, piles[second])
    decline = theirs[-1]
    # The most points first; among equals the canonical order stays.
    replies = sorted(theirs[:-1], key=lambda grab: -grab.points)
    whole = _pack(line)
    choices = []
    for grab in mine:
        reply = None
        if grab.move is NONE or not jokers:  # with jokers set aside a match discards the rest of the line
            rest = whole - grab.packed
            reply = next((r for r in replies if not _lacks(rest, r.packed)), None)
        choices.append(Option(grab, reply or decline, reply is None))
    return sorted(choices, key=lambda option: -option.swing)


def _lacks(line: int, wanted: int) -> bool:
    """Whether some rank is wanted more often than it lies in the line (both packed)."""
    return ((line | _GUARDS) - wanted) & _GUARDS != _GUARDS  # a field that falls short takes its guard


def _moves(choices: list[Option]) -> tuple[DuelMove, ...]:
    return tuple(
        DuelMove(
            move=str(option.grab.move),
            value=option.swing,
            bounds=(option.swing, option.swing),
            exact=True,
            used=tuple(cards(option.grab.move.used)),
            points=option.grab.points,
            reply=option.reply.points,
            swing=option.swing,
            denies=option.denies,
        )
        for option in choices
    )


def _line(best: Option) -> tuple[str, str]:
    return str(best.grab.move), str(best.reply.move)


def analyze(position: DuelPosition, control: Control) -> DuelAnalysis:
    """The exchange with me grabbing first and, under `if_opponent_first`, with the opponent first."""
    mine, theirs = options(position, 0), options(position, 1)
    control.nodes += len(mine) + len(theirs)
    return DuelAnalysis(
        game="alchemy",
        variant="duel",
        player=0,
        to_move=0,
        exact=True,
        value=mine[0].swing,
        bounds=(mine[0].swing, mine[0].swing),
        best=str(mine[0].grab.move),
        moves=_moves(mine),
        line=_line(mine[0]),
        if_opponent_first=DuelOrder(
            value=theirs[0].swing,
            best=str(theirs[0].grab.move),
            moves=_moves(theirs),
            line=_line(theirs[0]),
        ),
        nodes=control.nodes,
        seconds=control.seconds,
    )
