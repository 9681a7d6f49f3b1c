"""Alchemy at the table: deals, views, legal moves, and playing them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from math import prod

from pydantic import BaseModel

from solver.common.rng import Random
from solver.common.words import counted
from solver.games.alchemy.cards.deck import card, cards
from solver.games.alchemy.cards.readings import AlchemyReadings
from solver.games.alchemy.cards.rules import (
    SOLITAIRE,
    WITHOUT_CAP_LOSS,
    Turn,
    Variant,
    duel_min_line,
    match_of,
    matches,
    solitaire_moves,
    solitaire_play,
)
from solver.games.alchemy.cards.text import Move
from solver.games.alchemy.cards.text import parse_move as read_move
from solver.games.alchemy.positions.duels import DuelPosition
from solver.games.alchemy.positions.exchanges import duel_view, play_duel
from solver.games.alchemy.positions.known import FreePosition, SolitairePosition
from solver.games.alchemy.positions.race import deal_round
from solver.inputs.errors import MoveError, RequestError
from solver.protocol.readings import told

_MOST_CHOICES = 20_000  # of cards of a puzzle's line, where its moves are listed: a quarter of a second


def asks(position: BaseModel) -> frozenset[str]:
    """The questions that a position can be asked."""
    if isinstance(position, SolitairePosition):
        questions = {"hint", "best-move", "value", "all-matches"}
        return frozenset(questions if position.hidden else questions | {"analyze", "winnable"})
    if isinstance(position, DuelPosition):
        if position.over:
            return frozenset()
        open_to_both = {"analyze", "best-move", "value", "all-matches"} if position.grab is None else set()
        return frozenset({"hint"} | open_to_both)
    assert isinstance(position, FreePosition)
    questions = {"analyze", "value", "best-move" if position.objective else "all-matches"}
    return frozenset(questions)


def hand_of(position: BaseModel) -> int | None:
    """The rank of the card that the position's moves are made with; None when the game is over."""
    if isinstance(position, SolitairePosition):
        return position.turn.hand
    if isinstance(position, DuelPosition):
        return None if position.over else position.hands[position.seat_to_move]
    assert isinstance(position, FreePosition)
    return position.hand_rank


def legal_moves(position: BaseModel) -> Sequence[Move]:
    """Every legal move in canonical order; empty when the game is over.

    Raises RequestError for a puzzle of too many cards to list its matches here; its analysis counts them.
    """
    if isinstance(position, SolitairePosition):
        turn = position.turn
        return [] if turn.hand is None else solitaire_moves(position.solitaire, turn.line, turn.hand)
    if isinstance(position, DuelPosition):
        return position.moves(position.seat_to_move)
    assert isinstance(position, FreePosition)
    choices = prod(count + 1 for count in Counter(position.line_ranks).values())
    if choices > _MOST_CHOICES:
        message = (
            f"the line's cards can be chosen in {choices:,} ways; moves are listed for up to {_MOST_CHOICES:,}"
        )
        raise RequestError("too_large", message, "line")
    candidates = matches(position.line_ranks, position.hand_rank, position.min_line)
    return [move for move in candidates if position.cards in (None, len(move.used))]


def _fewest_line_cards(position: BaseModel) -> int:
    if isinstance(position, SolitairePosition):
        return position.solitaire.min_line
    if isinstance(position, DuelPosition):
        return duel_min_line(position.hands[position.seat_to_move], position.table_jokers)
    assert isinstance(position, FreePosition)
    return position.min_line


def parse_move(position: BaseModel, text: str) -> Move:
    """The legal move that `text` means, with its canonical split. Raises MoveError that says what is wrong."""
    hand = hand_of(position)
    move = read_move(text, hand)
    line = list(_line(position))
    for rank in move.used:
        if rank not in line:
            held = " ".join(cards(_line(position)))
            raise MoveError("illegal_move", f"{text!r}: the line {held} has no {card(rank)} left for it")
        line.remove(rank)
    if move.kind == "match" and hand is not None:
        fewest = _fewest_line_cards(position)
        exactly = position.cards if isinstance(position, FreePosition) else None
        if len(move.used) < fewest or exactly not in (None, len(move.used)):
            wanted = f"at least {fewest}" if exactly is None else f"exactly {exactly}"
            raise MoveError(
                "illegal_move", f"{text!r} uses {len(move.used)} line cards; a match here uses {wanted}"
            )
        canonical = match_of(move.used, hand)
        assert canonical is not None  # `move` is itself a split of these cards
        return canonical
    if move.kind == "none" and not isinstance(position, DuelPosition):
        raise MoveError("illegal_move", "only a duel player may decline")
    if isinstance(position, FreePosition) or move not in legal_moves(position):
        why = "the game is over" if hand is None else "a match exists, and it may not be declined"
        raise MoveError("illegal_move", f"{text!r} is not a move here: {why}")
    return move


def format_move(position: BaseModel, move: Move) -> str:
    """The contract's text of a move."""
    return str(move)


def _line(position: BaseModel) -> tuple[int, ...]:
    if isinstance(position, SolitairePosition):
        return position.turn.line
    if isinstance(position, DuelPosition):
        return position.left_ranks
    assert isinstance(position, FreePosition)
    return position.line_ranks


def solitaire_position(variant: Variant, turn: Turn, discarded: Sequence[int] = ()) -> SolitairePosition:
    """A solitaire position from ranks, which are not checked."""
    return SolitairePosition.model_construct(
        game="alchemy",
        variant=variant.name,
        rules=AlchemyReadings(alternative_without_cap_loss=True) if variant == WITHOUT_CAP_LOSS else None,
        cap=turn.cap,
        line=tuple(cards(turn.line)),
        hand=None if turn.hand is None else card(turn.hand),
        stock=tuple(cards(turn.stock)),
        discarded=tuple(cards(discarded)),
    )


def play(position: BaseModel, move: Move) -> BaseModel:
    """The position after a legal move.

    Raises MoveError when the move is not legal, RequestError where the next position cannot be known (a
    hidden stock) or is not a position of its own (a puzzle).
    """
    if isinstance(position, DuelPosition):
        return play_duel(position, move)
    if not isinstance(position, SolitairePosition):
        raise RequestError("not_playable", "a free puzzle is not played on from", "variant")
    if position.hidden:
        raise RequestError("hidden_cards", "the stock is hidden: the next cards are not known", "stock")
    if move not in legal_moves(position):
        raise MoveError("illegal_move", f"{move} is not a move of this position")
    turn = position.turn
    assert turn.hand is not None
    after = solitaire_play(position.solitaire, turn, move)
    gone = [*position.discarded_ranks, *move.used, turn.hand]
    return solitaire_position(position.solitaire, after, gone)


def deal(
    seed: int,
    *,
    number: int = 0,
    players: int | None = None,
    variant: str | None = None,
    rules: Mapping[str, bool] | None = None,
) -> SolitairePosition | DuelPosition:
    """Deal `number` of a seed: a solitaire's first turn (default `solo`), or a duel's first exchange.

    The duel's deck has the jokers that `rules` name, those that are added from 75 points on, too.

    Raises RequestError for a variant that is not dealt or a number of players that does not fit.
    """
    variant = variant or ("duel" if players == 2 else "solo")
    wanted = 2 if variant == "duel" else 1
    if variant != "duel" and variant not in SOLITAIRE:
        raise RequestError("unknown_value", f"{variant!r} is not dealt; solo, alternative and duel are", "variant")
    if players not in (None, wanted):
        message = f"{variant} is for {counted(wanted, 'player')}, not for {players}"
        raise RequestError("out_of_range", message, "players")
    if variant == "duel":
        dealt = deal_round(seed, number, told(AlchemyReadings, rules).jokers[1])
        return dealt.position(0).model_copy(
            update={"totals": None, "unseen": None, "stock": tuple(cards(dealt.deck))}
        )
    solitaire = SOLITAIRE[variant]
    cap, deck = solitaire.cap, solitaire.deck
    Random(seed, number).shuffle(deck)
    return solitaire_position(solitaire, Turn(cap, tuple(deck[:cap]), deck[cap], tuple(deck[cap + 1 :])))


def view(position: BaseModel, seat: int) -> BaseModel:
    """What the player in `seat` sees: a solitaire without the order of its stock; a duel from that side."""
    seats = 2 if isinstance(position, DuelPosition) else 1
    if not 0 <= seat < seats:
        raise RequestError("out_of_range", f"there is no seat {seat}; seats are 0 to {seats - 1}", "seat")
    if isinstance(position, SolitairePosition) and position.stock is not None:
        return position.model_copy(update={"stock": None, "unseen": tuple(cards(sorted(position.unseen_ranks)))})
    if isinstance(position, DuelPosition):
        return duel_view(position, seat)
    return position
