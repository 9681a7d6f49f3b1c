"""King × Alchemy at the table: legal moves, playing them, and the moves' text."""

from __future__ import annotations

from collections.abc import Sequence
from typing import assert_never

from pydantic import BaseModel

from solver.common.masks import mask, members
from solver.games.king.cards import rules
from solver.games.king.cards.deck import Deck
from solver.games.king.cards.rules import Move, Play, Taking
from solver.games.king.cards.text import card_of, move_text, parse, play_text
from solver.games.king.positions import faults
from solver.games.king.positions.fields import FinishedTrick, cards_at
from solver.games.king.positions.history import KingRules
from solver.games.king.positions.known import KnownPosition, View
from solver.games.king.positions.picks import CardSet, PickPosition, PickView
from solver.inputs.errors import MoveError, RequestError
from solver.tricks import questions
from solver.tricks.fields import without
from solver.tricks.moves import why_no_play, why_not_now

AnyPosition = KnownPosition | PickPosition | View | PickView | CardSet


def as_king(position: BaseModel) -> AnyPosition:
    """The position as one of the game's kinds."""
    assert isinstance(position, AnyPosition)
    return position


def as_known(position: BaseModel) -> KnownPosition:
    """The position, when it is a round with all cards known. Raises RequestError for any other."""
    position = as_king(position)
    if isinstance(position, KnownPosition):
        return position
    if isinstance(position, View | PickView):
        raise questions.hidden_hands("all hands")
    if isinstance(position, CardSet):
        raise RequestError("not_offered", "a set of cards is not played: to analyze, give the hands", "cards")
    raise RequestError(
        "not_offered",
        "all pick at once, so that no pick has a value by itself: analyze the round after it",
        "stage",
    )


def card_set(position: BaseModel) -> CardSet:
    """The position, when it is a set of cards. Raises RequestError for any other."""
    position = as_king(position)
    if not isinstance(position, CardSet):
        raise RequestError("not_offered", "to compound, give the cards that were won", "cards")
    return position


def as_view(position: BaseModel) -> View | PickView:
    """The position, when it is what one player sees. Raises RequestError for any other."""
    position = as_king(position)
    if isinstance(position, View | PickView):
        return position
    if isinstance(position, CardSet):
        raise RequestError("not_offered", "a set of cards is not played: ask what can be made of it", "cards")
    raise questions.nothing_hidden()


def asks(position: BaseModel) -> frozenset[str]:
    """The questions that a position can be asked: of a view, where cards are hidden, a hint."""
    match as_king(position):
        case KnownPosition():
            return frozenset({"analyze", "best-move", "value"})
        case CardSet():
            return frozenset({"compound"})
        case View() | PickView():
            return frozenset({"hint"})
    return frozenset()


def legal_moves(position: BaseModel) -> Sequence[Move]:
    """Every legal move in canonical order; a card that may be picked is a play.

    Empty when the round is over, and in a view while another seat is to move.
    """
    position = as_king(position)
    match position:
        case KnownPosition():
            return rules.legal_moves(position.state)
        case PickPosition():
            return _picks(position.full_deck, position.masks[position.seat])
        case PickView():
            return _picks(position.full_deck, position.hand_mask)
        case View():
            if position.seat_to_move != position.seat:
                return []
            deck = position.full_deck
            if position.trick_is_full:
                return rules.takings(deck, position.plays)
            return rules.playable(deck, position.hand_mask, position.plays)
        case CardSet():
            return []
        case _:
            assert_never(position)


def _picks(deck: Deck, hand: int) -> list[Move]:
    return [Play(card, deck.cards[card].suit) for card in members(hand)]


def format_move(position: BaseModel, move: Move) -> str:
    """The contract's text of a move. A picked Dancer is named no suit."""
    position = as_king(position)
    deck = position.full_deck
    if isinstance(move, Play) and isinstance(position, PickPosition | PickView):
        return deck.cards[move.card].code
    return move_text(deck, move)


def parse_move(position: BaseModel, text: str) -> Move:
    """The legal move that a text means. Raises MoveError that says why it is none."""
    position = as_king(position)
    deck = position.full_deck
    if isinstance(position, PickPosition | PickView):
        card = card_of(deck, text.strip())
        if isinstance(card, str):
            raise MoveError("illegal_move", card)
        move: Move = Play(card, deck.cards[card].suit)
    else:
        move = parse(deck, text)
    _check_move(position, move)
    return move


def _check_move(position: AnyPosition, move: Move) -> None:
    """Raise MoveError unless `move` is legal."""
    allowed = legal_moves(position)
    if move not in allowed:
        raise MoveError("illegal_move", _why_not(position, move, allowed))


def _why_not(position: AnyPosition, move: Move, allowed: Sequence[Move]) -> str:
    """Why a move is not legal."""
    if isinstance(position, CardSet):
        return "a set of cards is not played"
    deck, seat = position.full_deck, position.seat_to_move
    why = why_not_now(position, allowed)
    if why is not None:
        return why
    if isinstance(position, KnownPosition | View) and position.trick_is_full:
        if isinstance(move, Play):
            return f"the trick is full: seat {seat} takes, as in {move_text(deck, allowed[0])}"
        wrong = faults.taking_fault(deck, position.plays, move)
        assert wrong is not None
        return wrong[1]
    if isinstance(move, Taking):
        return f"nothing is to be taken: seat {seat} is to {_now(position)} a card"
    trick = position.plays if isinstance(position, KnownPosition | View) else ()
    plays = [other for other in allowed if isinstance(other, Play)]
    return why_no_play(KingRules(deck, position.players), seat, move, _hand(position), trick, plays)


def _now(position: AnyPosition) -> str:
    return "pick" if isinstance(position, PickPosition | PickView) else "play"


def _hand(position: KnownPosition | PickPosition | View | PickView) -> int:
    """The hand that the move is made from."""
    if isinstance(position, View | PickView):
        return position.hand_mask
    hand = position.hands[position.seat_to_move]
    return mask(cards_at(position.full_deck, hand, "hand"))


def play(position: BaseModel, move: Move) -> KnownPosition | PickPosition:
    """The position after a legal move.

    Raises MoveError for a move that is not legal, RequestError for a view, where the others' cards are hidden.
    """
    position = as_king(position)
    if isinstance(position, View | PickView):
        raise questions.view_not_played()
    if isinstance(position, CardSet):
        raise RequestError("not_offered", "a set of cards is not played", "cards")
    _check_move(position, move)
    if isinstance(position, PickPosition):
        assert isinstance(move, Play)
        return after_pick(position, move.card)
    return _after(position, move)


def _after(position: KnownPosition, move: Move) -> KnownPosition:
    deck = position.full_deck
    after = rules.play(position.state, move)
    history = position.known_history
    if history is not None and isinstance(move, Taking):
        given = None if move.given is None else deck.cards[move.given].code
        taken = tuple(deck.codes(move.taken))
        finished = FinishedTrick(leader=position.leader, cards=position.trick, taken=taken, given=given)
        history = (*history, finished)
    hands = position.hands
    if isinstance(move, Play):
        hands = without(hands, position.seat_to_move, deck.code(move.card))
    return position.model_copy(
        update={
            "leader": after.leader,
            "trick": tuple(play_text(deck, played) for played in after.trick),
            "hands": hands,
            "won": tuple(tuple(deck.codes(members(pile))) for pile in after.won),
            "history": history,
        }
    )


def after_pick(position: PickPosition, card: int) -> PickPosition | KnownPosition:
    """The position when `seat` has picked `card`, which it holds; the next seat that has not is asked."""
    code = position.full_deck.cards[card].code
    won = tuple((code,) if seat == position.seat else pile for seat, pile in enumerate(position.picked))
    hands = without(position.hands, position.seat, code)
    others = ((position.seat + step) % position.players for step in range(1, position.players))
    waiting = [seat for seat in others if not won[seat]]
    if waiting:
        return position.model_copy(update={"seat": waiting[0], "hands": hands, "won": won})
    return KnownPosition(
        game="king",
        deck=position.deck,
        rules=position.rules,
        leader=position.leader,
        hands=hands,
        won=won,
        removed=position.removed,
        history=(),
    )
