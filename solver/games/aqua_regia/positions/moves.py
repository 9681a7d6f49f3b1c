"""Aqua Regia at the table: deals, views, legal moves, and playing them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from pydantic import BaseModel

from solver.decks import chosen, deck_of
from solver.games.aqua_regia.cards import rules
from solver.games.aqua_regia.cards.deck import FIELDS, Deck, members
from solver.games.aqua_regia.cards.deck_data import KIND
from solver.games.aqua_regia.cards.rules import HAND, PLAYERS, Move, Pass, Play
from solver.games.aqua_regia.cards.text import move_of, text_of
from solver.games.aqua_regia.positions.history import history_after
from solver.games.aqua_regia.positions.knowledge import deal_passes_after, dealt_on, known_after
from solver.games.aqua_regia.positions.known import KnownPosition, View
from solver.inputs.errors import MoveError, RequestError
from solver.tricks import questions
from solver.tricks.moves import shuffled

_USUAL_PLAYERS = 4  # of a deal, unless it says


def as_aqua(position: BaseModel) -> KnownPosition | View:
    """The position as one of Aqua Regia's two kinds."""
    assert isinstance(position, KnownPosition | View)
    return position


def as_known(position: BaseModel) -> KnownPosition:
    """The position, when all its cards are known. Raises RequestError for a view."""
    position = as_aqua(position)
    if isinstance(position, View):
        raise questions.hidden_hands("hands and stock")
    return position


def asks(position: BaseModel) -> frozenset[str]:
    """The questions that a position can be asked: of a view, where cards are hidden, a hint."""
    if isinstance(position, KnownPosition):
        return frozenset({"analyze", "best-move", "value"})
    return frozenset({"hint"})


def as_view(position: BaseModel) -> View:
    """The position, when it is what one player sees. Raises RequestError where every card is known."""
    position = as_aqua(position)
    if isinstance(position, View):
        return position
    raise questions.nothing_hidden()


def settled(position: KnownPosition) -> KnownPosition:
    """The position after what happens by itself: deals passed on, and the field's changes for them."""
    written, state = position.state_as_written, position.state
    if state == written:
        return position
    passed = dealt_on(position.metals, position.deal_passes, written)
    return position.model_copy(update={"turn": state.turn, "field": FIELDS[state.field], "deal_passes": passed})


def legal_moves(position: BaseModel) -> Sequence[Move]:
    """Every legal move, in canonical order.

    In a view a pass that draws has one move, `pass`: what it is best exchanged for is decided once the card is
    there (`drawn`). Empty when the game is over, and in a view while another seat is to move.
    """
    position = as_aqua(position)
    if isinstance(position, KnownPosition):
        return rules.legal_moves(position.metals, position.state)
    if position.turn != position.seat or 0 in position.counts:
        return []
    deck, held = position.metals, position.held
    plays = rules.plays(deck, held, position.field_number, position.top)
    if position.top is None:
        return plays
    if position.drawn is not None:
        return rules.passes(deck, held, position.pile)
    return [*plays, *([Pass()] if position.stock_count else rules.passes(deck, held, position.pile))]


def format_move(position: BaseModel, move: Move) -> str:
    """The contract's text of a move."""
    return text_of(as_aqua(position).metals, move)


def parse_move(position: BaseModel, text: str) -> Move:
    """The legal move that a text means. Raises MoveError that says why it is none."""
    position = as_aqua(position)
    move = move_of(position.metals, text)
    check_move(position, move)
    return move


def check_move(position: BaseModel, move: Move) -> None:
    """Raise MoveError unless a move is legal, with the reason."""
    position = as_aqua(position)
    if move not in legal_moves(position):
        raise MoveError("illegal_move", _why_not(position, move))


def _why_not(position: KnownPosition | View, move: Move) -> str:
    if isinstance(position, KnownPosition):
        state = position.state
        if state.winner is not None:
            return f"the game is over: seat {state.winner} has no cards left"
        seat, field, hand = state.turn, state.field, state.hands[state.turn]
        if isinstance(move, Pass) and state.stock:
            hand = rules.added(hand, state.stock[0], 1)
    else:
        seat, field, hand = position.turn, position.field_number, position.held
        if seat != position.seat:
            return f"seat {seat} is to move, not seat {position.seat}"
        if not legal_moves(position):
            return f"seat {seat} has nothing to lead in {position.field}: the deal goes on to the left by itself"
    if isinstance(move, Play):
        return _why_no_play(position, seat, field, hand, move)
    return _why_no_pass(position, seat, hand, move)


def _why_no_play(position: KnownPosition | View, seat: int, field: int, hand: rules.Counts, play: Play) -> str:
    deck, top = position.metals, position.top
    symbol = deck.metals[play.metal].symbol
    if isinstance(position, View) and position.drawn is not None:
        return f"seat {seat} has passed and drawn {position.drawn}: it may exchange a card, or pass without"
    if play.count > hand[play.metal]:
        return f"seat {seat} does not hold {play.count} {symbol}"
    if play.count > rules.MOST_AT_ONCE:
        return f"at most {rules.MOST_AT_ONCE} cards are played at once"
    if not rules.lets(deck, field, play, top):
        has = deck.reactivity[field][play.metal]
        needs = rules.needs(deck, play.count, top)
        return f"{symbol} has reactivity {has} in {FIELDS[field]}; {play.count} at once need {needs} or more"
    assert top is not None
    under = deck.metals[top.metal].symbol
    if play.metal <= top.metal:
        return f"{symbol} is not stronger than {under}"
    return f"to {top.count} {under} are played {top.count} or {top.count + 1} cards, not {play.count}"


def _why_no_pass(position: KnownPosition | View, seat: int, hand: rules.Counts, move: Pass) -> str:
    deck = position.metals
    if position.top is None:
        return f"seat {seat} is the dealer: who can lead must"
    assert move.discarded is not None
    assert move.taken is not None
    out, taken = deck.symbols([move.discarded, move.taken])
    if isinstance(position, View) and position.drawn is None and position.stock_count:
        return "the pass draws a card: make it (pass), then give the card as drawn to ask what to exchange"
    if not hand[move.discarded]:
        return f"seat {seat} does not hold {out}"
    if move.taken <= move.discarded:
        return f"{taken} is not stronger than {out}"
    if not position.pile[move.taken]:
        return f"there is no {taken} in the discard pile"
    return f"all {deck.copies} {taken} are in the discard pile, so none may be taken"


def play(position: BaseModel, move: Move) -> KnownPosition:
    """The position after a legal move and what then happens by itself.

    Raises MoveError for a move that is not legal, RequestError for a view, where the others' cards are hidden.
    """
    position = as_aqua(position)
    if isinstance(position, View):
        raise questions.view_not_played()
    check_move(position, move)
    position = settled(position)
    deck, state = position.metals, position.state
    after = rules.unsettled(state, move)
    return settled(
        position.model_copy(
            update={
                "field": FIELDS[after.field],
                "reversed": after.reversed,
                "turn": after.turn,
                "table": tuple(deck.symbols(after.table)),
                "owner": after.owner,
                "hands": tuple(tuple(deck.symbols(members(hand))) for hand in after.hands),
                "stock": tuple(deck.symbols(after.stock)),
                "discard": tuple(deck.symbols(members(after.discard))),
                "known": known_after(deck, position.known, state, move),
                "deal_passes": deal_passes_after(deck, position.deal_passes, state, move),
                "history": history_after(deck, position.history, state, move),
            }
        )
    )


def _symbols(deck: Deck, cards: Iterable[int]) -> list[str]:
    """The symbols of cards that are counted one by one, weakest metal first."""
    return deck.symbols(card // deck.copies for card in cards)


def deal(
    seed: int,
    *,
    number: int = 0,
    players: int | None = None,
    variant: str | None = None,
    deck: str | Mapping[str, Any] | None = None,
) -> KnownPosition:
    """Deal `number` of a seed, of the house deck unless another is given; seat 0 is the first dealer.

    Raises RequestError for a number of players that cannot play, or for whom the deck has too few cards, and for
    any variant; PositionError for a deck that is none.
    """
    players = questions.dealt_players("aqua-regia", players, PLAYERS, _USUAL_PLAYERS)
    questions.dealt_variant("aqua-regia", variant, ())
    written = chosen(KIND, deck)
    metals = deck_of(KIND, written)
    if metals.cards < HAND * players:
        message = f"{players} hands of {HAND} are dealt; the deck {metals.name} has {metals.cards} cards"
        raise RequestError("out_of_range", message, "players")
    *hands, stock = shuffled(metals.cards, [HAND] * players, seed, number)
    return settled(
        KnownPosition(
            game="aqua-regia",
            deck=written,
            field=FIELDS[0],
            turn=0,
            hands=tuple(tuple(_symbols(metals, sorted(hand))) for hand in hands),
            stock=tuple(_symbols(metals, stock)),
        )
    )


def view(position: BaseModel, seat: int) -> View:
    """What the player in `seat` sees.

    Raises RequestError for a seat that there is not, a game that is over, and another seat's view of a view.
    """
    position = as_aqua(position)
    questions.check_viewer(seat, position.players, position.seat if isinstance(position, View) else None)
    if isinstance(position, View):
        return position
    position = settled(position)
    if position.state.winner is not None:
        message = f"the game is over: seat {position.state.winner} has no cards left"
        raise RequestError("game_over", message, "hands")
    return View(
        game="aqua-regia",
        deck=position.deck,
        rules=position.rules,
        field=position.field,
        reversed=position.reversed,
        turn=position.turn,
        table=position.table,
        owner=position.owner,
        discard=position.discard,
        known=position.known,
        deal_passes=position.deal_passes,
        history=position.history,
        seat=seat,
        hand=position.hands[seat],
        counts=tuple(map(len, position.hands)),
        stock_count=len(position.stock),
    )
