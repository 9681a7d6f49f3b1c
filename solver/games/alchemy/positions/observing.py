"""Alchemy as the player sees it, growing: a move, and the cards that are then turned up from the stock."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from pydantic import BaseModel

from solver.common.words import counted
from solver.games.alchemy.cards.deck import JOKER, card, cards, rank_of
from solver.games.alchemy.cards.rules import Turn
from solver.games.alchemy.cards.text import Move
from solver.games.alchemy.positions.duels import DuelPosition
from solver.games.alchemy.positions.exchanges import observe_duel, possible_grabs
from solver.games.alchemy.positions.known import SolitairePosition
from solver.games.alchemy.positions.moves import legal_moves, parse_move, play, solitaire_position
from solver.inputs.errors import MoveError, RequestError


def observe(position: BaseModel, texts: Sequence[str]) -> tuple[BaseModel, int]:
    """A solitaire after a move, the first of `texts`, and the cards that it turned up, the hand last; or a duel.

    Returns how many texts it was. Raises MoveError for a move that is not legal, and for cards that are too few or
    not among the unseen ones; RequestError for a puzzle.
    """
    if isinstance(position, DuelPosition):
        return observe_duel(position, texts)
    if not isinstance(position, SolitairePosition):
        raise RequestError("not_playable", "a free puzzle is not played on from", "variant")
    move = parse_move(position, texts[0])
    if not position.hidden:
        return play(position, move), 1
    many = turned_up(position, move)
    return _after(position, move, texts[1 : many + 1], many), many + 1


def turned_up(position: SolitairePosition, move: Move) -> int:
    """How many cards a legal move turns up: those that refill the line, and the next hand if there is one."""
    stock = len(position.unseen_ranks)
    cap = position.cap - (move.kind == "discard")
    drawn = min(cap - (len(position.line) - len(move.used)), stock)
    lost = cap < position.solitaire.shortest and stock > drawn
    return drawn + (stock > drawn and not lost)


def _after(position: SolitairePosition, move: Move, shown: Sequence[str], many: int) -> SolitairePosition:
    """The position after a move whose cards from the stock were seen."""
    if len(shown) < many:
        message = f"after {move} {counted(many, 'card')} are turned up, for the line and then as the hand"
        raise MoveError("incomplete_move", f"{message}: give them in order, {many - len(shown)} more")
    unseen = Counter(position.unseen_ranks)
    for text in shown:
        rank = rank_of(text)
        if rank is None or rank == JOKER:
            raise MoveError("illegal_move", f"{text!r} is no card that can be turned up")
        unseen[rank] -= 1
        if unseen[rank] < 0:
            raise MoveError("illegal_move", f"{card(rank)} cannot be turned up: no more are unseen")
    assert position.hand is not None
    line = list(position.turn.line)
    for rank in move.used:
        line.remove(rank)
    up = [rank for rank in map(rank_of, shown) if rank is not None]
    cap = position.cap - (move.kind == "discard")
    refill = cap - len(line)
    hand = up[refill] if len(up) > refill else None
    turn = Turn(cap, (*line, *up[:refill]), hand, ())
    gone = [*position.discarded_ranks, *move.used, *([] if position.turn.hand is None else [position.turn.hand])]
    rest = tuple(cards(sorted(unseen.elements())))
    return solitaire_position(position.solitaire, turn, gone).model_copy(update={"stock": None, "unseen": rest})


def possible(position: BaseModel) -> Sequence[str]:
    """The legal moves; in a duel both players' while nobody has grabbed."""
    if isinstance(position, DuelPosition):
        return possible_grabs(position)
    return list(map(str, legal_moves(position)))
