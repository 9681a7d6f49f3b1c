"""Aqua Regia as one player sees it, growing: plays, passes, exchanges, the own card drawn, a deal passed on.

A view is carried forward with every hand but the own one left out: what everybody sees of a move depends on no
other hand, but for one thing. Who has the deal and nothing to lead passes it on, and that has to be told
(`NO_LEAD`), unless it is the own hand.
"""

from __future__ import annotations

from collections.abc import Sequence

from pydantic import BaseModel

from solver.games.aqua_regia.cards import rules
from solver.games.aqua_regia.cards.deck import FIELDS, Deck
from solver.games.aqua_regia.cards.rules import MOST_AT_ONCE, Move, Pass, Play, State, can_lead, next_field
from solver.games.aqua_regia.cards.text import move_of, text_of
from solver.games.aqua_regia.positions.fields import DealPass
from solver.games.aqua_regia.positions.history import Stuck, history_after
from solver.games.aqua_regia.positions.knowledge import deal_passes_after, known_after
from solver.games.aqua_regia.positions.known import View
from solver.games.aqua_regia.positions.moves import as_view, check_move, legal_moves
from solver.inputs.errors import MoveError
from solver.tricks.observing import seen

NO_LEAD = "no lead"  # the dealer has nothing to lead, and the deal goes on to the left
DRAWS = "draws"  # the own card drawn in a pass: draws Zn; what is exchanged is decided after it


def observe(position: BaseModel, texts: Sequence[str]) -> tuple[View, int]:
    """A view after the first of `texts` was seen, which is 1 text: the move of a seat (``Zn Zn``, ``pass Zn>Pb``).

    The own pass with a stock comes in two: ``draws Zn``, then the pass. ``no lead`` is another seat that has the
    deal and can't lead. Raises MoveError for what cannot have happened.
    """
    return _observed(as_view(position), texts[0]), 1


def _observed(view: View, text: str) -> View:
    if 0 in view.counts:
        raise MoveError("illegal_move", f"the game is over: seat {view.counts.index(0)} has no cards left")
    words = text.split()
    if words[:1] == [DRAWS]:
        return _drawn(view, text, words[1:])
    if words == NO_LEAD.split():
        return _no_lead(view)
    move = move_of(view.metals, text)
    if view.turn == view.seat:
        check_move(view, move)
        if isinstance(move, Pass) and view.drawn is None and view.stock_count:
            message = "the pass draws a card: say first which it is (draws Zn), then pass, or pass and exchange"
            raise MoveError("illegal_move", message)
    else:
        _check_other(view, move)
    return _moved(view, move)


def _drawn(view: View, text: str, cards: Sequence[str]) -> View:
    """The view once the own pass has drawn a card."""
    if len(cards) != 1 or cards[0] not in view.metals.index:
        raise MoveError("illegal_move", f"{text!r}: say the card that was drawn, as in draws Zn")
    if view.drawn is not None:
        raise MoveError("illegal_move", f"seat {view.seat} has drawn {view.drawn} already")
    return seen(view, text, {"drawn": cards[0]})


def _check_other(view: View, move: Move) -> None:
    """Raise MoveError unless another seat can have made a move, as far as everybody sees it."""
    deck, seat, top = view.metals, view.turn, view.top
    text = text_of(deck, move)
    if isinstance(move, Pass):
        if top is None:
            raise MoveError("illegal_move", f"seat {seat} is the dealer: it leads, or can't ({NO_LEAD})")
        if move.taken is None or move.discarded is None:
            return
        if move not in rules.passes(deck, (1,) * len(deck.metals), view.pile):
            raise MoveError("illegal_move", f"{text} can't be: nothing of the discard pile may be taken so")
        _check_held(view, move.discarded, 1, drawn=view.stock_count > 0)
        return
    if move.count > MOST_AT_ONCE or not rules.lets(deck, view.field_number, move, top):
        raise MoveError("illegal_move", f"{text} can't be played in {view.field}")
    if top is not None and not rules.follows(move, top):
        raise MoveError("illegal_move", f"{text} can't lie on {text_of(deck, top)}")
    if move.count > view.counts[seat]:
        raise MoveError("illegal_move", f"seat {seat} holds {view.counts[seat]} cards, not {move.count}")
    _check_held(view, move.metal, move.count)


def _check_held(view: View, metal: int, count: int, drawn: int = 0) -> None:
    """Raise MoveError unless another seat can hold so many cards of a metal, having drawn so many cards first."""
    deck, seat, symbol = view.metals, view.turn, view.metals.metals[metal].symbol
    known = sum(card == symbol for card in view.known_of(seat))
    if count > view.unseen[metal] + known:
        message = f"seat {seat} can't hold {count} {symbol}: the others are elsewhere"
        raise MoveError("illegal_move", message)
    if count - known > view.hidden(seat) + drawn:
        message = f"seat {seat} can't hold {count} {symbol}: its other cards are known"
        raise MoveError("illegal_move", message)
    for one in view.deal_passes or ():
        playable = deck.reactivity[FIELDS.index(one.field)][metal] > 0
        if one.seat == seat and playable and count > one.most + drawn:
            message = (
                f"seat {seat} could not lead in {one.field}, and has got at most {one.most} cards for it since"
            )
            raise MoveError("illegal_move", f"{message}, not {count} {symbol}")


def _state(view: View, move: Move) -> State:
    """The view as a state for one move: the hand of the seat to move is what the move needs, the rest is empty."""
    deck = view.metals
    nothing = deck.counts([])
    needed = nothing
    if isinstance(move, Play):
        needed = rules.added(nothing, move.metal, move.count)
    elif move.discarded is not None:
        needed = rules.added(nothing, move.discarded, 1)
    hand = deck.counts(deck.numbers(view.hand)) if view.turn == view.seat else needed
    first = deck.index[view.drawn] if view.drawn is not None else 0
    return State(
        hands=tuple(hand if seat == view.turn else nothing for seat in range(view.players)),
        turn=view.turn,
        field=view.field_number,
        reversed=view.reversed,
        table=deck.numbers(view.table),
        owner=view.owner,
        stock=(first, *(0,) * (view.stock_count - 1)) if view.stock_count else (),
        discard=view.pile,
    )


def _moved(view: View, move: Move) -> View:
    """The view after a move of the seat to move, and a deal that the own seat then has to pass on."""
    deck, state, text = view.metals, _state(view, move), text_of(view.metals, move)
    after = rules.unsettled(state, move)
    drawn = isinstance(move, Pass) and view.stock_count > 0
    size = view.counts[view.turn] + (drawn if isinstance(move, Pass) else -move.count)
    passed = deal_passes_after(deck, view.deal_passes, state, move)
    own = view.turn == view.seat
    changes = {
        "field": FIELDS[after.field],
        "reversed": after.reversed,
        "turn": after.turn,
        "table": tuple(deck.symbols(after.table)),
        "owner": after.owner,
        "hand": _symbols(deck, after.hands[view.seat]) if own else view.hand,
        "counts": tuple(size if seat == view.turn else count for seat, count in enumerate(view.counts)),
        "stock_count": len(after.stock),
        "discard": _symbols(deck, after.discard),
        "drawn": None,
        "known": known_after(deck, view.known, state, move),
        "deal_passes": passed,
        "history": history_after(deck, view.history, state, move),
    }
    if size == 0:  # the game is over, which no view that is sent may say
        return view.model_copy(update=changes)
    return _own_deal(seen(view, text, changes))


def _symbols(deck: Deck, counts: Sequence[int]) -> tuple[str, ...]:
    return tuple(deck.symbols(metal for metal, count in enumerate(counts) for _ in range(count)))


def _no_lead(view: View) -> View:
    """The view after another seat has passed the deal on."""
    if view.table:
        raise MoveError("illegal_move", "cards lie on the table: nobody is to lead")
    if view.turn == view.seat:
        return _own_deal(view, told=True)
    return _own_deal(_passed_on(view))


def _own_deal(view: View, *, told: bool = False) -> View:
    """The view after the own seat has passed the deal on by itself, where it has it and can't lead."""
    hand = view.metals.counts(view.metals.numbers(view.hand))
    if not view.table and view.turn == view.seat and not can_lead(view.metals, hand, view.field_number):
        return _own_deal(_passed_on(view))
    if told:
        raise MoveError("illegal_move", f"seat {view.seat} can lead in {view.field}, and so it must")
    return view


def _passed_on(view: View) -> View:
    """The view after the dealer has passed the deal on; all round, and the field has changed one step."""
    told = {(one.seat, one.field): one for one in view.deal_passes or ()}
    told[view.turn, view.field] = DealPass(seat=view.turn, field=view.field)
    passed = tuple(sorted(told.values(), key=lambda one: (one.seat, FIELDS.index(one.field))))
    turn = (view.turn + 1) % view.players
    field = view.field_number
    if turn == _first_dealer(view):
        field = next_field(field, view.reversed)
    return seen(view, NO_LEAD, {"turn": turn, "deal_passes": passed, "field": FIELDS[field]})


def _first_dealer(view: View) -> int:
    """The seat that had the deal first in this field, the turn having come round from it."""
    if not view.history:  # nobody has led yet: the deals passed on are all there was
        stuck = {one.seat for one in view.deal_passes or () if one.field == view.field and not one.most}
        seats = range(view.players)  # where all could not lead, the turn has come round already
        before = next((step for step in seats if (view.turn - step - 1) % view.players not in stuck), 0)
        return (view.turn - before) % view.players
    since = 0
    for step in reversed(view.steps):
        if not isinstance(step, Stuck) or step.field != view.field_number:
            break
        since += 1
    return (view.turn - since) % view.players


def possible(position: BaseModel) -> Sequence[str]:
    """What the seat to move could be doing: plays, passes and exchanges, or that it can't lead.

    For the own seat these are the legal moves; where its pass draws a card, there is ``pass`` alone until the
    card is told.
    """
    view = as_view(position)
    deck = view.metals
    if 0 in view.counts:
        return []
    if view.turn == view.seat:
        return [text_of(deck, move) for move in legal_moves(view)]
    every = (min(deck.copies, MOST_AT_ONCE),) * len(deck.metals)
    found: list[Move] = [*rules.plays(deck, every, view.field_number, view.top)]
    if view.top is not None:
        found += rules.passes(deck, every, view.pile)
    texts = [text_of(deck, move) for move in found if _can_be(view, move)]
    return texts if view.table else [*texts, NO_LEAD]


def _can_be(view: View, move: Move) -> bool:
    """Whether another seat can be making a move."""
    try:
        _check_other(view, move)
    except MoveError:
        return False
    return True
