"""A duel played on from a position: grabs, the cards turned up after an exchange, and the next round.

At the table speed decides who grabs first, so that is told with the move: ``1:5+2=7``. Without a seat the move is
that of the seat to move.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import islice, takewhile
from typing import Any

from solver.common.rng import SEEDS
from solver.games.alchemy.cards.deck import card, cards, rank_of
from solver.games.alchemy.cards.text import NONE, Move
from solver.games.alchemy.positions.duels import DuelPosition, grab_of
from solver.games.alchemy.positions.fields import ranks_of
from solver.games.alchemy.positions.race import Round, flip, next_round, taken, totals_after, winner_of
from solver.inputs.errors import MoveError, RequestError

DEAL = "deal"  # the word that begins the next round
_NOT_SEEN = -1  # a card of the deck that nobody told of; no rank, so that no joker is taken for another card


def observe_duel(position: DuelPosition, texts: Sequence[str]) -> tuple[DuelPosition, int]:
    """A duel after the first of `texts`, and how many texts that took.

    A text is a move, with the seat in front where it is not the seat to move, or ``deal``. Where the order of the
    deck is hidden, the cards that the second move of an exchange or ``deal`` turns up follow: those that fill the
    line, jokers among them, then the own card, then the opponent's. Raises MoveError for what cannot be.
    """
    if texts[0].split()[:1] == [DEAL]:
        return _next_round(position, texts)
    _refuse_over(position, texts[0])
    seat, move = grab_of(texts[0], position.hands, position.seat_to_move)
    if position.grab is not None and seat != position.seat_to_move:
        raise MoveError("illegal_move", f"{texts[0]!r}: seat {seat} has grabbed in this exchange already")
    return _moved(position, seat, move, texts)


def play_duel(position: DuelPosition, move: Move) -> DuelPosition:
    """The position after a legal move of the seat to move.

    Raises MoveError for a move that is not legal, RequestError where it turns up cards that are hidden.
    """
    _refuse_over(position, str(move))
    if position.grab is not None and position.stock is None:
        raise RequestError("hidden_cards", "the stock is hidden: the next cards are not known", "stock")
    return _moved(position, position.seat_to_move, move, [str(move)])[0]


def _refuse_over(position: DuelPosition, text: str) -> None:
    if position.over:
        message = f"the round is over; {DEAL} begins the next one"
        raise MoveError("illegal_move", f"{text!r} is not a move here: {message}")


def _moved(position: DuelPosition, seat: int, move: Move, texts: Sequence[str]) -> tuple[DuelPosition, int]:
    if move not in position.moves(seat):
        left = " ".join(cards(position.left_ranks)) or "empty"
        held = card(position.hands[seat])
        why = f"seat {seat} drew {held}, the line is {left}"
        raise MoveError("illegal_move", f"{texts[0]!r} is not a move here: {why}")
    if position.grab is None:
        return _with(position, grabbed=f"{seat}:{move}"), 1
    before = Round(
        deck=(),
        line=position.line_ranks,
        table_jokers=position.table_jokers,
        hands=position.hands,
        piles=position.piles,
    )
    after = taken(before, *position.grab, move)
    gone = Counter(before.line) + Counter(position.hands) + Counter([0] * before.table_jokers)
    gone.subtract(after.line)
    for old, new in zip(before.piles, after.piles, strict=True):
        gone.subtract(new[len(old) :])
    return _flipped(position, after, cards(sorted(gone.elements())), texts)


def _flipped(
    position: DuelPosition, state: Round, gone: Sequence[str], texts: Sequence[str]
) -> tuple[DuelPosition, int]:
    """The position once the next cards are turned up from its deck, and how many of `texts` that took.

    `state` is what lies there instead, and `gone` are the cards that were discarded.
    """
    told: list[int] = []
    if position.stock is not None:
        deck = ranks_of(position.stock)
    else:
        unseen = position.unseen_ranks
        told = list(islice(_ranks(texts[1:]), len(unseen)))
        lacking = Counter(told) - Counter(unseen)
        if lacking:
            raise MoveError("illegal_move", f"{card(min(lacking))} cannot be turned up: no more are unseen")
        deck = (*told, *[_NOT_SEEN] * (len(unseen) - len(told)))
    after = flip(replace(state, deck=deck))
    drawn = len(deck) - len(after.deck)
    changes: dict[str, Any] = {}
    if position.stock is not None:
        changes["stock"] = tuple(cards(after.deck))
    elif drawn > len(told):
        message = f"after {texts[0]} cards are turned up, for the line, then yours, then the opponent's"
        raise MoveError("incomplete_move", f"{message}: give them in order, {drawn - len(told)} more")
    elif position.unseen is not None:
        left = Counter(position.unseen_ranks) - Counter(told[:drawn])
        changes["unseen"] = tuple(cards(sorted(left.elements())))
    hands = (None, None) if after.hands is None else cards(after.hands)
    pile, other = (tuple(cards(pile)) for pile in after.piles)
    found = _with(
        position,
        line=tuple(cards(after.line)),
        hand=hands[0],
        opponent_hand=hands[1],
        table_jokers=after.table_jokers,
        grabbed=None,
        pile=pile,
        opponent_pile=other,
        discarded=(*position.discarded, *gone),
        **changes,
    )
    return found, 1 if position.stock is not None else 1 + drawn


def _ranks(texts: Iterable[str]) -> Iterable[int]:
    """The cards at the beginning of some texts."""
    found = (rank_of(text.strip().upper()) for text in texts)
    return (rank for rank in takewhile(lambda rank: rank is not None, found) if rank is not None)


def _next_round(position: DuelPosition, texts: Sequence[str]) -> tuple[DuelPosition, int]:
    """The first exchange of the round after one that is over: a seed's deal, or the cards that are told."""
    if not position.over:
        raise MoveError("illegal_move", f"{texts[0]!r} begins the next round, but this one is not over")
    totals = totals_after(position.totals or (0, 0), position.piles)
    if winner_of(totals) is not None:
        raise MoveError("illegal_move", f"the race is over: {totals[0]} to {totals[1]} points")
    words = texts[0].split()[1:]
    if words:
        dealt = next_round(*_deal_number(words), totals, position.rules)
        found = dealt.position(0).model_copy(update={"unseen": None, "stock": tuple(cards(dealt.deck))})
        return found, 1
    if position.stock is not None and len(texts) == 1:
        message = f"say which deal is next: {DEAL} SEED NUMBER; or the cards turned up"
        raise MoveError("incomplete_move", message)
    bare = DuelPosition(game="alchemy", variant="duel", rules=position.rules, totals=totals, line=())
    return _flipped(bare, Round(()), [], texts)


def _deal_number(words: Sequence[str]) -> tuple[int, int]:
    """The seed and the number of a deal, which is 0 where it is not said."""
    numbers = [int(word) for word in words if word.isascii() and word.isdigit() and len(word) <= len(str(SEEDS))]
    if len(numbers) != len(words) or len(words) > 2 or not all(number < SEEDS for number in numbers):
        message = f"{DEAL} {' '.join(words)!r} names no deal: a seed and a number are expected, deal 5 1"
        raise MoveError("illegal_move", message)
    return numbers[0], numbers[1] if len(numbers) > 1 else 0


def duel_view(position: DuelPosition, seat: int) -> DuelPosition:
    """A duel from the side of a player, who does not see the order of the deck."""
    seen = position
    if position.stock is not None:
        seen = _with(position, stock=None)
        if seen.unseen_ranks != position.unseen_ranks:  # a deck that does not follow from what lies open
            seen = _with(seen, unseen=tuple(cards(position.unseen_ranks)))
    if seat == 0:
        return seen
    grab = seen.grab
    return _with(
        seen,
        hand=seen.opponent_hand,
        opponent_hand=seen.hand,
        pile=seen.opponent_pile,
        opponent_pile=seen.pile,
        totals=seen.totals and seen.totals[::-1],
        grabbed=None if grab is None else f"{1 - grab[0]}:{grab[1]}",
    )


def possible_grabs(position: DuelPosition) -> list[str]:
    """What may be seen next: the moves of the seat to move and, while nobody has grabbed, those of the other."""
    own = [str(move) for move in position.moves(position.seat_to_move)]
    if position.over or position.grab is not None:
        return own
    return [*own, *(f"1:{move}" for move in position.moves(1) if move != NONE)]


def _with(position: DuelPosition, **changes: Any) -> DuelPosition:
    return position.model_copy(update=changes)
