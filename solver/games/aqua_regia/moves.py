"""Aqua Regia's deals, views and moves: listing, parsing, playing and describing them, and scoring rounds."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from operator import add
from typing import Annotated, Any, ClassVar, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from solver.answers import Hint, LeftOver
from solver.common import Random, cards_counted, gone_unseen, one_after_another
from solver.decks import chosen, deck_of
from solver.display import MOST_ROUNDS, Scores, Sheet, SheetScore, leaders_of, sheet_score, totals_of, with_sheet
from solver.errors import IncompleteMoveError, MoveError, RequestError
from solver.game import late, split_anyway
from solver.games.aqua_regia import rules
from solver.games.aqua_regia.deck import FIELDS, KIND, Deck, field_name, members
from solver.games.aqua_regia.keys import (
    FEWEST,
    MOST,
    NO_LEAD,
    Count,
    Step,
    Stuck,
    cards_moved,
    check_metals,
    no_lead_in,
    why_not_there,
)
from solver.games.aqua_regia.position import (
    AquaScore,
    DeckField,
    Hands,
    Round,
    check_copies,
    dealt_on,
    first_dealer,
    made_against,
    own_deal,
    passed_on,
    public_after,
)
from solver.games.aqua_regia.rules import (
    HAND,
    MOST_AT_ONCE,
    PLAYERS,
    Counts,
    Move,
    Pass,
    Play,
    lets,
    move_of,
    text_of,
)
from solver.language import say, say_many, sentences
from solver.limits import Control
from solver.rounds_in_play import Playing
from solver.rounds_in_play import Round as RoundInPlay
from solver.tricks import moves
from solver.tricks.moves import seen, shuffled
from solver.tricks.positions import Model, spread
from solver.validation import fault

_USUAL_PLAYERS = 4  # of a deal, by default


def as_aqua(position: BaseModel) -> Round:
    """Narrow the type of a position to Aqua Regia's positions and views."""
    assert isinstance(position, Round)
    return position


def as_known(position: Round) -> Round:
    """Return the position if all its cards are known. Raises RequestError for a view."""
    if position.viewer is not None:
        raise moves.hidden_hands(say("hands and stock"))
    return position


def asks(position: Round) -> frozenset[str]:
    """Return the questions that can be asked about a position: a hint for a view, an analysis otherwise."""
    return frozenset({"analyze", "best-move", "value"} if position.viewer is None else {"hint"})


def as_view(position: Round) -> Round:
    """Return the position if it is a view. Raises RequestError if every card is known."""
    if position.viewer is None:
        raise moves.nothing_hidden()
    return position


def settled(position: Round) -> Round:
    """Return the position with the deal passed on to a seat that can lead, in a later field if no seat could."""
    written, state = position.state_as_written, position.state
    if state == written:
        return position
    passed = dealt_on(position.metals, position.deal_passes, written)
    return position.model_copy(update={"turn": state.turn, "field": FIELDS[state.field], "deal_passes": passed})


def notes(position: Round) -> Sequence[str]:
    """Say that the deal has just passed on because the view's seat had nothing to lead."""
    if position.viewer is None or position.table or 0 in position.counts:
        return ()
    first, seats = first_dealer(position), position.players
    if (position.seat, no_lead_in(position.field_number)) in position.against:
        return ()
    if (position.seat - first) % seats >= (position.turn - first) % seats:
        return ()
    field = field_name(position.field)
    return (say("Nothing in the hand can be led in {field}, so the deal passes to the left.", field=field),)


def not_to_move(view: Round) -> str:
    """Say that another seat is to move than the view's or, if the deal has just passed on, what comes next."""
    template = "Next is what {seat:who} {seat:leads|lead}, or that {seat:it|you} can't either ({no_lead})."
    for passed in notes(view):
        return sentences(passed, say(template, seat=view.turn, no_lead=NO_LEAD))
    return say("{seat:who} {seat:is|are} to move, not {own:who}", seat=view.turn, own=view.seat)


def legal_moves(position: Round) -> Sequence[Move]:
    """List every legal move, in canonical order.

    In a view, a pass that draws is one move, `pass`: the exchange is decided once the card is known (`drawn`). The
    list is empty when the game is over, and in a view while another seat is to move.
    """
    if position.viewer is None:
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


def format_move(position: Round, move: Move) -> str:
    """Return a move as text: ``Zn Zn``, ``pass`` or ``pass Zn>Pb``."""
    return text_of(position.metals, move)


def parse_move(position: Round, text: str) -> Move:
    """Parse a legal move. Raises MoveError, with the reason, if the text is not a legal move."""
    move = move_of(position.metals, text)
    check_move(position, move)
    return move


def check_move(position: Round, move: Move) -> None:
    """Raise MoveError, with the reason, unless a move is legal."""
    if move not in legal_moves(position):
        raise MoveError("illegal_move", _why_not(position, move))


def _why_not(position: Round, move: Move) -> str:
    if position.viewer is None:
        state = position.state
        if state.winner is not None:
            return say("the game is over: {winner:who} {winner:has|have} no cards left", winner=state.winner)
        seat, field, hand = state.turn, state.field, state.hands[state.turn]
        if isinstance(move, Pass) and state.stock:
            hand = rules.added(hand, state.stock[0], 1)
    else:
        seat, field, hand = position.turn, position.field_number, position.held
        if seat != position.seat:
            return not_to_move(position)
    if isinstance(move, Play):
        return _why_no_play(position, seat, field, hand, move)
    return _why_no_pass(position, seat, hand, move)


def _why_no_play(position: Round, seat: int, field: int, hand: rules.Counts, play: Play) -> str:
    deck, top = position.metals, position.top
    symbol = deck.metals[play.metal].symbol
    if position.viewer is not None and position.drawn is not None:
        return say(
            "{seat:who} {seat:has|have} passed and drawn {drawn}: "
            "{seat:it|you} may exchange a card, or pass without",
            seat=seat,
            drawn=position.drawn,
        )
    if play.count > hand[play.metal]:
        return say(
            "{seat:who} {seat:does|do} not hold {count} {symbol}", seat=seat, count=play.count, symbol=symbol
        )
    wrong = why_not_there(deck, field, play, top)
    assert wrong is not None
    return wrong


def _why_no_pass(position: Round, seat: int, hand: rules.Counts, move: Pass) -> str:
    deck = position.metals
    if position.top is None:
        return say("{seat:who} {seat:is|are} the dealer, and must lead if {seat:it|you} can", seat=seat)
    assert move.discarded is not None
    assert move.taken is not None
    out = deck.metals[move.discarded].symbol
    if position.viewer is not None and position.drawn is None and position.stock_count:
        return say("the pass draws a card: make it (pass), then give the card as drawn to ask what to exchange")
    if not hand[move.discarded]:
        return say("{seat:who} {seat:does|do} not hold {out}", seat=seat, out=out)
    wrong = _why_not_taken(position, move.discarded, move.taken)
    assert wrong is not None
    return wrong


def _why_not_taken(position: Round, discarded: int, taken: int) -> str | None:
    """Explain why one metal can't be taken from the discard pile for another; None if it can."""
    deck = position.metals
    out, wanted = deck.symbols([discarded, taken])
    if taken <= discarded:
        return say("{taken} is not stronger than {out}", taken=wanted, out=out)
    if not position.pile[taken]:
        return say("there is no {taken} in the discard pile", taken=wanted)
    if position.pile[taken] == deck.copies:
        return say(
            "all {copies} {taken} are in the discard pile, so none may be taken", copies=deck.copies, taken=wanted
        )
    return None


def play(position: Round, move: Move) -> Round:
    """Make a legal move, pass the deal on if the new dealer can't lead, and return the new position.

    Raises MoveError for an illegal move, RequestError for a view, where other hands are hidden.
    """
    if position.viewer is not None:
        raise moves.view_not_played()
    check_move(position, move)
    position = settled(position)
    deck = position.metals
    after = rules.unsettled(position.state, move)
    hidden = {
        "hands": tuple(tuple(deck.symbols(members(hand))) for hand in after.hands),
        "stock": tuple(deck.symbols(after.stock)),
    }
    return settled(position.model_copy(update=hidden | public_after(position, move)[1]))


def _symbols(deck: Deck, cards: Iterable[int]) -> list[str]:
    """Return the symbols of cards numbered one by one: `deck.copies` numbers for each metal, the weakest first."""
    return deck.symbols(card // deck.copies for card in cards)


def deal(
    seed: int,
    *,
    number: int = 0,
    players: int | None = None,
    variant: str | None = None,
    deck: str | Mapping[str, Any] | None = None,
) -> Round:
    """Return deal `number` of a random seed, from the house deck by default; seat 0 is the first dealer.

    Raises RequestError for a deck with too few cards for so many players, and for any variant; PositionError for a
    bad deck.
    """
    players = players or _USUAL_PLAYERS
    moves.dealt_variant("aqua-regia", variant, ())
    written = chosen(KIND, deck)
    metals = deck_of(KIND, written)
    if metals.cards < HAND * players:
        message = say(
            "{players} hands of {hand} are dealt; the deck {name} has {cards} cards",
            players=players,
            hand=HAND,
            name=metals.name,
            cards=metals.cards,
        )
        raise RequestError("out_of_range", message, "players")
    *hands, stock = shuffled(metals.cards, [HAND] * players, seed, number)
    return settled(
        Round(
            game="aqua-regia",
            deck=written,
            field=FIELDS[0],
            turn=0,
            hands=tuple(tuple(_symbols(metals, sorted(hand))) for hand in hands),
            stock=tuple(_symbols(metals, stock)),
        )
    )


def view(position: Round, seat: int) -> Round:
    """Return what the player in `seat` sees.

    Raises RequestError for a seat that does not exist, for a finished game, and if `position` is another seat's
    view.
    """
    moves.check_viewer(seat, position.players, position.viewer)
    if position.viewer is not None:
        return position
    position = settled(position)
    if position.state.winner is not None:
        message = say(
            "the game is over: {winner:who} {winner:has|have} no cards left", winner=position.state.winner
        )
        raise RequestError("game_over", message, "hands")
    return Round(
        **position.public,
        seat=seat,
        hand=position.hands[seat],
        counts=tuple(map(len, position.hands)),
        stock_count=len(position.stock),
    )


# ----------------------------------------------------------------------------------------------------
# Positions as labelled lines for a person: the field, the trick, hands and what they can play.


_NOTHING = "–"


def describe(position: Round) -> list[tuple[str, str]]:
    """Return a description of the position as (label, text) lines.

    If every card is known and the dealer can't lead, the deal is passed on first.
    """
    if position.viewer is None:
        return _known(settled(position))
    return _view(position)


def _field(position: Round) -> str:
    fields = list(map(field_name, FIELDS))
    reactivity = position.metals.reactivity[position.field_number]
    several = [metal.symbol for metal, row in zip(position.metals.metals, reactivity, strict=True) if row > 1]
    single = [metal.symbol for metal, row in zip(position.metals.metals, reactivity, strict=True) if row == 1]
    if position.reversed:
        order = say("order {fields}, reversed", fields=" > ".join(reversed(fields)))
    else:
        order = say("order {fields}", fields=" > ".join(fields))
    lets = say("takes {several} in multiples, {single} singly",
               several=" ".join(several) or say("none"), single=" ".join(single) or say("none"))  # fmt: skip
    return say("{field} ({order}); {lets}", field=field_name(position.field), order=order, lets=lets)


def _trick(position: Round) -> str:
    deck = position.metals
    played = [rules.text_of(deck, play) for play in position.plays]
    if not played:
        return say("none yet; seat {seat} is the dealer and leads", seat=position.turn)
    return say("{plays}, the last by seat {seat}", plays=" < ".join(played), seat=position.owner)


def _cards(deck: Deck, cards: Iterable[str]) -> str:
    """Return cards as text, from the weakest to the strongest."""
    return " ".join(sorted(cards, key=deck.index.__getitem__)) or _NOTHING


def _many(deck: Deck, cards: Iterable[str]) -> str:
    """Return counted cards as text, from the weakest to the strongest: ``Li×3 Zn``."""
    counted = zip(deck.metals, deck.counts(deck.numbers(cards)), strict=True)
    return " ".join(metal.symbol + f"×{count}" * (count > 1) for metal, count in counted if count) or _NOTHING


def _playable(deck: Deck, hand: Counts, field: int, top: Play | None) -> str:
    plays = one_after_another(rules.text_of(deck, play) for play in rules.plays(deck, hand, field, top))
    if top is None:
        return say("leads {plays}", plays=plays) if plays else say("leads nothing")
    return say("can play {plays}", plays=plays) if plays else say("can play nothing")


def _seat_row(position: Round, seat: int) -> str:
    deck, state = position.metals, position.state
    hand = state.hands[seat]
    marks = []
    if state.winner == seat:
        marks.append(say("has gone out and wins"))
    elif state.winner is None:
        if seat == position.owner:
            marks.append(say("played last"))
        else:
            marks.append(_playable(deck, hand, state.field, position.top))
        marks += [say("to move")] * (seat == state.turn)
    return f"{_cards(deck, position.hands[seat])}" + (f"   ({say('; ').join(marks)})" if marks else "")


def _pile(deck: Deck, discard: Sequence[str]) -> str:
    """Describe the discard pile, and which of its cards can't be taken."""
    full = [symbol for symbol, count in Counter(discard).items() if count == deck.copies]
    if not full:
        return _many(deck, discard)
    kept = say("all of {metals} are there, so none of them may be taken", metals=_cards(deck, full))
    return f"{_many(deck, discard)}   ({kept})"


def _known(position: Round) -> list[tuple[str, str]]:
    deck = position.metals
    rows = [(say("Field"), _field(position)), (say("Trick"), _trick(position))]
    rows += [(say("Seat {seat}", seat=seat), _seat_row(position, seat)) for seat in range(position.players)]
    stock = f"{' '.join(position.stock)}   ({say('in draw order')})" if position.stock else say("empty")
    return [*rows, (say("Stock"), stock), (say("Discard"), _pile(deck, position.discard))]


def _view(position: Round) -> list[tuple[str, str]]:
    deck = position.metals
    top = None if position.owner == position.seat else position.top
    marks = [_playable(deck, position.held, position.field_number, top)] if top or not position.table else []
    if position.drawn is not None:
        marks = [say("may exchange a card")]
    marks += [say("to move")] * (position.turn == position.seat)
    hand = _cards(deck, position.hand)
    if position.drawn:
        hand = say("{hand} and {card}, just drawn", hand=hand, card=position.drawn)
    rows = [
        (say("You"), say("seat {seat} of {players}", seat=position.seat, players=position.players)),
        (say("Field"), _field(position)),
        (say("Trick"), _trick(position)),
        (say("Hand"), hand + (f"   ({say('; ').join(marks)})" if marks else "")),
    ]
    for seat, count in enumerate(position.counts):
        if seat != position.seat:
            rows.append((say("Seat {seat}", seat=seat), _hidden_row(position, seat, count)))
    count = position.hidden_stock
    rows.append((say("Stock"), cards_counted(count) if count else say("empty")))
    rows.append((say("Discard"), _pile(deck, position.discarded)))
    rows.append((say("Unseen"), _many(deck, deck.symbols(members(position.unseen)))))
    if position.forgotten:
        rows.append((say("Unknown"), gone_unseen(position.forgotten)))
    return rows


def _hidden_row(position: Round, seat: int, count: int) -> str:
    marks = [say("to move")] * (seat == position.turn)
    known = position.known_of(seat)
    if known:
        marks.append(say("holds {cards}", cards=_cards(position.metals, known)))
    for passed in position.deal_passes or ():
        if passed.seat == seat and passed.max_playable < count:
            field = field_name(passed.field)
            marks.append(say("at most {most} can be played in {field}", most=passed.max_playable, field=field))
    voids = position.voids_of(seat)
    if voids:
        marks.append(say("no {suits}", suits=" ".join(position.metals.symbols(voids))))
    return cards_counted(count) + (f"   ({say('; ').join(marks)})" if marks else "")


# ----------------------------------------------------------------------------------------------------
# Views that grow: plays, passes, exchanges, the player's card drawn, a deal passed on.
#
# A view is carried forward with only the player's hand: what everybody sees of a move depends on no other hand,
# with one exception. A dealer with nothing to lead passes the deal on, and that must be reported (`NO_LEAD`),
# unless it is the player's own seat.


DRAWS = "draws"  # the player's card drawn in a pass: draws Zn; the exchange is decided after it


def observe(position: Round, texts: Sequence[str]) -> tuple[Round, int]:
    """Apply the first event in `texts` to a view; return the new view and how many of the texts were used.

    An event is a move of a seat (``Zn Zn``, ``pass Zn>Pb``). While the stock has cards, the player's own pass is
    two events: ``draws Zn``, then the pass. ``no lead`` means that another seat has the deal and can't lead. ``?``
    is a move that the player did not see; it uses all of the texts. Raises MoveError for impossible events.
    """
    view = as_view(position)
    if _is_missed(texts[0]):
        return _after_missed(view, texts), len(texts)
    return _observed(view, texts[0]), 1


def _observed(view: Round, text: str) -> Round:
    if 0 in view.counts:
        raise MoveError(
            "illegal_move",
            say("the game is over: {index:who} {index:has|have} no cards left", index=view.counts.index(0)),
        )
    text, anyway = split_anyway(text)
    words = text.split()
    if words[:1] == [DRAWS] and not anyway:
        return _drawn(view, text, words[1:])
    if words == NO_LEAD.split():
        return _no_lead(view, anyway=anyway)
    move = move_of(view.metals, text)
    view = _recalled(view, text, move)
    if anyway:
        _check_possible(view, move)
        return _moved(view.model_copy(update=made_against(view, text_of(view.metals, move))), move)
    if view.turn == view.seat:
        check_move(view, move)
        if isinstance(move, Pass) and view.drawn is None and view.stock_count:
            raise _draw_first()
    else:
        _check_other(view, move)
    return _moved(view, move)


def _draw_first() -> MoveError:
    message = say("the pass draws a card: say first which it is (draws Zn), then pass, or pass and exchange")
    return MoveError("draw_first", message)


# Moves that were not seen: ``?``, then how many cards the seat holds now, in the same text (``?7``) or the next.
# One card more means a pass that drew; fewer mean a play. The cards played lie on the table until others cover
# them or the trick is over; if the player's turn comes first, the player has to say which they are.


MISSED = "?"


def _is_missed(text: str) -> bool:
    return text.startswith(MISSED) and (text == MISSED or text[1:].isdecimal())


def _after_missed(view: Round, texts: Sequence[str]) -> Round:
    """Return the view after several moves, the first of which the player did not see.

    Raises IncompleteMoveError if the texts end before the cards on the table are known again.
    """
    if view.turn == view.seat:
        raise MoveError("illegal_move", say("you know what you played yourself"))
    texts = _with_counts(texts)
    played = _played_unseen(view.counts, view.turn, bool(view.table), view.stock_count, texts[0])
    if played == 0 and not view.table:
        return _no_lead(view)
    if played == 0:
        after = _remembered(_moved(_with_pile_unseen(_remembered(view)), Pass()))
        passed = tuple(deal_pass for deal_pass in after.deal_passes or () if deal_pass.seat != view.turn)
        return seen(_without_known(after, view.turn), MISSED, {"deal_passes": passed or None})
    return _after_covered(_remembered(view), played, texts[1:])


def _with_counts(texts: Sequence[str]) -> list[str]:
    """Join each ``?`` to the number of cards after it, if they are separate texts."""
    words: list[str] = []
    for text in texts:
        if words and words[-1] == MISSED:
            words[-1] += text
        else:
            words.append(text)
    return words


def _played_unseen(counts: Sequence[int], seat: int, may_pass: bool, stock: int, text: str) -> int:
    """Return how many cards a seat played in a move that the player did not see; 0 for a pass.

    `text` is ``?`` followed by the number of cards the seat holds now, as in ``?7``. Raises IncompleteMoveError if
    that number is missing, and MoveError if it is impossible.
    """
    if text == MISSED:
        raise IncompleteMoveError(say("How many cards does seat {seat} hold now?", seat=seat))
    if not text[1:].isdecimal():
        raise MoveError("illegal_move", say("{text!r} is not a number of cards", text=text[1:]))
    draws = may_pass and stock > 0
    played = counts[seat] - int(text[1:5])
    if played == -draws:
        return 0
    if not 0 < played <= min(MOST_AT_ONCE, counts[seat] - 1):
        held, more = counts[seat], counts[seat] + draws
        message = say("seat {seat} held {held} cards: {more} are a pass, up to {most} fewer a play",
                      seat=seat, held=held, more=more, most=MOST_AT_ONCE)  # fmt: skip
        raise MoveError("illegal_move", message)
    return played


def _with_pile_unseen(view: Round) -> Round:
    """Return the view after a pass that the player did not see, in which a card may have been exchanged.

    In the discard pile, only metals with all their cards there stay listed, since these can't be taken.
    """
    deck, pile = view.metals, view.pile
    kept = [metal for metal in range(deck.size) if pile[metal] == deck.copies for _ in range(deck.copies)]
    return view.model_copy(update={"discard": tuple(deck.symbols(kept)), "gone": ()})


def _remembered(view: Round) -> Round:
    """Return half a memory of a view, without its history, which can't be continued with a move missing."""
    passed = None if view.table else view.deal_passes  # they would count for the next lead (`first_dealer`)
    changes = {"history": None, "deal_passes": passed, "gone": view.gone or (), "voids": view.voids or {}}
    return view.model_copy(update=changes)


def _after_covered(view: Round, played: int, texts: Sequence[str]) -> Round:
    """Return the view after a play of `played` unseen cards and the moves in `texts` that followed.

    These moves must be passes, until a play covers the unseen cards or the trick ends. Raises IncompleteMoveError
    if the texts end before the cards on the table are known.
    """
    now = _with_cover(view, played)  # not a view to send: it lacks the cards on the table
    for text in texts:
        if now.turn == view.seat:  # the cards on top
            move = move_of(view.metals, text)
            if not isinstance(move, Play) or move.count != played:
                message = say_many("{text}: {count} card was played", "{text}: {count} cards were played", played,
                                   text=text)  # fmt: skip
                raise MoveError("illegal_move", message)
            return _seen_again(now, {"table": tuple(view.metals.symbols([move.metal] * move.count))})
        if text.startswith(MISSED):
            played_now = _played_unseen(now.counts, now.turn, True, now.stock_count, text)
            if played_now:
                now, played = _with_cover(now, played_now), played_now
                continue
            now, move = _without_known(_with_pile_unseen(now), now.turn), Pass()
        else:
            move = move_of(view.metals, text)
            if isinstance(move, Play):
                now = _with_cover(now, move.count)
                return _seen_again(now, {"table": tuple(view.metals.symbols([move.metal] * move.count))})
        now = now.model_copy(update=_changes(now, move) | {"history": None})
        if now.owner is None:  # the trick is over
            return own_deal(_seen_again(now, {}, text))
    if now.turn == view.seat:
        raise IncompleteMoveError(say("Which cards lie on top? You can see them on the table"))
    raise IncompleteMoveError(say("the trick goes on"), now.turn)


def _with_cover(view: Round, count: int) -> Round:
    """Return the view after the seat to move played `count` cards that the player did not see."""
    counts = [held - count * (seat == view.turn) for seat, held in enumerate(view.counts)]
    changes = {
        "turn": (view.turn + 1) % view.players,
        "owner": view.turn,
        "reversed": view.reversed != (count == MOST_AT_ONCE),
        "table": (),
        "discard": (*view.discarded, *view.table),
        "gone": (),
        "counts": tuple(counts),
        "deal_passes": None,
    }
    return _without_known(view, view.turn).model_copy(update=changes)


def _without_known(view: Round, seat: int) -> Round:
    """Return the view with no card known to be in the hand of `seat`."""
    known = [() if holder == seat else cards for holder, cards in enumerate(view.known or ())]
    return view.model_copy(update={"known": tuple(known) or None})


def _seen_again(view: Round, changes: Mapping[str, Any], text: str | None = None) -> Round:
    """Apply `changes` to a view whose table is known again, and validate it.

    Error messages quote `text` or, if there is none, the cards on the table in `changes`.
    """
    return seen(view, text or " ".join(changes["table"]), dict(changes))


def _recalled(view: Round, text: str, move: Move) -> Round:
    """Add the card that a move takes to the known part of the discard pile, if the player had forgotten it."""
    if not view.in_part or isinstance(move, Play) or move.taken is None or view.pile[move.taken]:
        return view
    if not view.forgotten or not view.unseen[move.taken]:
        return view
    return seen(view, text, {"gone": (*(view.gone or ()), *view.metals.symbols([move.taken]))})


def _drawn(view: Round, text: str, cards: Sequence[str]) -> Round:
    """Return the view after the player's own pass has drawn a card."""
    if len(cards) != 1 or cards[0] not in view.metals.index:
        raise MoveError("illegal_move", say("{text!r}: say the card that was drawn, as in draws Zn", text=text))
    if view.drawn is not None:
        raise MoveError(
            "illegal_move",
            say("{seat:who} {seat:has|have} drawn {drawn} already", seat=view.seat, drawn=view.drawn),
        )
    return seen(view, text, {"drawn": cards[0]})


def _check_other(view: Round, move: Move) -> None:
    """Raise MoveError if the view rules out a move. The seat to move must not be the player's own."""
    seat, top = view.turn, view.top
    if isinstance(move, Pass):
        if top is None:
            raise MoveError(
                "illegal_move",
                say(
                    "{seat:who} {seat:is|are} the dealer: {seat:it leads|you lead}, or can't ({no_lead})",
                    seat=seat,
                    no_lead=NO_LEAD,
                ),
            )
        if move.taken is None or move.discarded is None:
            return
        wrong = _why_not_taken(view, move.discarded, move.taken)
        if wrong is not None:
            raise MoveError("illegal_move", wrong)
        _check_held(view, move.discarded, 1, drawn=view.stock_count > 0)
        return
    wrong = why_not_there(view.metals, view.field_number, move, top)
    if wrong is not None:
        raise MoveError("illegal_move", wrong)
    if move.count > view.counts[seat]:
        raise MoveError(
            "illegal_move",
            say_many(
                "{seat:who} {seat:holds|hold} {count} card, not {played}",
                "{seat:who} {seat:holds|hold} {count} cards, not {played}",
                view.counts[seat],
                seat=seat,
                played=move.count,
            ),
        )
    _check_held(view, move.metal, move.count)


def _check_held(view: Round, metal: int, count: int, drawn: int = 0) -> None:
    """Raise MoveError unless the seat to move can hold `count` cards of a metal, after drawing `drawn` cards."""
    _check_counted(view, metal, count, drawn)
    deck, seat, symbol = view.metals, view.turn, view.metals.metals[metal].symbol
    for deal_pass in view.deal_passes or ():
        playable = deck.reactivity[FIELDS.index(deal_pass.field)][metal] > 0
        if deal_pass.seat == seat and playable and count > deal_pass.max_playable + drawn:
            message = say(
                "{seat:who} could not lead in {field}, and {seat:has|have} got at most {most} cards for it since, "
                "not {count} {symbol}",
                seat=seat,
                field=deal_pass.field,
                most=deal_pass.max_playable,
                count=count,
                symbol=symbol,
            )
            raise MoveError("illegal_move", message)


def _check_counted(view: Round, metal: int, count: int, drawn: int = 0) -> None:
    """Raise MoveError if the cards are elsewhere, or the seat to move has no room for them."""
    seat, symbol = view.turn, view.metals.metals[metal].symbol
    known = sum(card == symbol for card in view.known_of(seat))
    if count > view.unseen[metal] + known:
        message = say(
            "{seat:who} can't hold {count} {symbol}: the others are elsewhere",
            seat=seat,
            count=count,
            symbol=symbol,
        )
        raise MoveError("illegal_move", message)
    if count - known > view.hidden(seat) + drawn:
        message = say(
            "{seat:who} can't hold {count} {symbol}: {seat:its|your} other cards are known",
            seat=seat,
            count=count,
            symbol=symbol,
        )
        raise MoveError("illegal_move", message)


def _check_possible(view: Round, move: Move) -> None:
    """Raise MoveError for a move that can't be followed even if it was made against the rules."""
    seat, own = view.turn, view.turn == view.seat
    if isinstance(move, Play):
        if own and (view.drawn is not None or move.count > view.held[move.metal]):
            raise MoveError("illegal_move", _why_not(view, move))
        if move.count > MOST_AT_ONCE:
            wrong = why_not_there(view.metals, view.field_number, move, view.top)
            raise MoveError("illegal_move", str(wrong))
        if not own:
            _check_counted(view, move.metal, move.count)
        return
    if view.top is None:
        message = say(
            "nobody has led yet. If {seat:who} passed the deal on without drawing, enter {no_lead} anyway; if a "
            "card was drawn, it goes back, since the rest of the round can't be followed with it.",
            seat=seat,
            no_lead=NO_LEAD,
        )
        raise MoveError("illegal_move", message)
    if own and view.drawn is None and view.stock_count:
        check_move(view, Pass())
        raise _draw_first()
    if move.discarded is None or move.taken is None:
        return
    if not view.pile[move.taken]:
        symbol = view.metals.metals[move.taken].symbol
        raise MoveError("illegal_move", say("there is no {taken} in the discard pile", taken=symbol))
    if not own:
        _check_counted(view, move.discarded, 1, drawn=view.stock_count > 0)
    elif not view.held[move.discarded]:
        raise MoveError("illegal_move", _why_not(view, move))


def _moved(view: Round, move: Move) -> Round:
    """Make a move for the seat to move; if the player's seat then has the deal and can't lead, pass it on."""
    changes = _changes(view, move)
    if not changes["counts"][view.turn]:  # the game is over; views that users send can't express this
        return view.model_copy(update=changes)
    return own_deal(seen(view, text_of(view.metals, move), changes))


def _changes(view: Round, move: Move) -> dict[str, Any]:
    """Return the new values of a view's keys, by key, after a move of the seat to move."""
    after, changes = public_after(view, move)
    counts = tuple(map(add, view.counts, after.grown))
    changes |= {"counts": counts, "stock_count": after.stock, "drawn": None}
    if view.turn == view.seat:
        changes["hand"] = tuple(view.metals.symbols(members(view.held_after(move))))
    if view.in_part:
        changes["gone"] = ()  # what is known of the pile is in `discard` now
        if isinstance(move, Pass):  # it may hold other cards now
            changes["voids"] = {seat: cards for seat, cards in view.voids.items() if int(seat) != view.turn}
    return changes


def _no_lead(view: Round, *, anyway: bool = False) -> Round:
    """Return the view after another seat has passed the deal on, or `anyway` one that could lead."""
    if view.table:
        raise MoveError("illegal_move", say("cards lie on the table: nobody is to lead"))
    if anyway:
        return own_deal(passed_on(view, anyway=True))
    if view.turn == view.seat:  # it can lead, or the deal would have been passed on
        raise MoveError(
            "illegal_move",
            say("{seat:who} can lead in {field}, and so {seat:it|you} must", seat=view.seat, field=view.field),
        )
    return own_deal(passed_on(view))


def possible(position: Round) -> Sequence[str]:
    """List what the seat to move could do: plays, passes and exchanges, or ``no lead``.

    For the view's own seat these are the legal moves; if its pass draws a card, there is only ``pass`` until the
    card is given.
    """
    view = as_view(position)
    deck = view.metals
    if 0 in view.counts:
        return []
    if view.turn == view.seat:
        return [text_of(deck, move) for move in legal_moves(view)]
    every = (min(deck.copies, MOST_AT_ONCE),) * len(deck.metals)
    listed: list[Move] = [*rules.plays(deck, every, view.field_number, view.top)]
    if view.top is not None:
        listed += rules.passes(deck, every, view.pile)
    texts = [text_of(deck, move) for move in listed if _can_be(view, move)]
    return texts if view.table else [*texts, NO_LEAD]


def _can_be(view: Round, move: Move) -> bool:
    """Whether `_check_other` accepts a move."""
    try:
        _check_other(view, move)
    except MoveError:
        return False
    return True


# ----------------------------------------------------------------------------------------------------
# Records: finished rounds, and matches of several, as users send them, validated.


class FinishedRound(Model):
    """A finished round: the cards left in each seat's hand (`hands`), or their number (`counts`).

    Exactly one seat has none: it went out and won.
    """

    model_config = ConfigDict(json_schema_extra={"minProperties": 1})

    hands: Hands | None = None
    counts: Annotated[tuple[Count, ...], Field(min_length=FEWEST, max_length=MOST, fail_fast=True)] | None = None

    @property
    def left(self) -> tuple[int, ...]:
        """The number of cards that each seat has left."""
        return self.counts or tuple(map(len, self.hands or ()))

    @model_validator(mode="after")
    def _check(self) -> Self:
        if self.hands is None and self.counts is None:
            raise fault(
                "missing_key", say("a round has the cards left (hands) or how many they are (counts)"), "hands"
            )
        if self.hands is not None and self.counts is not None:
            message = say("a round has the cards left (hands) or how many they are (counts), not both")
            raise fault("conflict", message, "counts")
        out = [seat for seat, count in enumerate(self.left) if not count]
        if len(out) != 1:
            key = "hands" if self.counts is None else "counts"
            if out:
                seats = one_after_another(map(str, out))
                message = say("a round ends when the first seat has no cards left, but seats {seats} have none",
                              seats=seats)  # fmt: skip
            else:
                message = say("a round ends when the first seat has no cards left, but every seat has cards")
            raise fault("conflict", message, key)
        return self


class AquaRecord(Model):
    """The rounds of a match so far, in order; a single round is a list of one."""

    model_config = ConfigDict(serialize_by_alias=True)

    game: Literal["aqua-regia"]
    deck: DeckField = "house"
    rounds: Annotated[tuple[FinishedRound, ...], Field(min_length=1, max_length=MOST_ROUNDS, fail_fast=True)]

    @model_validator(mode="after")
    def _check(self) -> Self:
        metals = deck_of(KIND, self.deck)
        for index, played in enumerate(self.rounds):
            path = f"rounds[{index}]"
            cards = [*spread(f"{path}.hands", played.hands or ())]
            check_metals(metals, cards)
            check_copies(metals, cards)
            if sum(played.left) > metals.cards:
                message = say_many(
                    "the hands have {count} card; the deck has {cards}",
                    "the hands have {count} cards; the deck has {cards}",
                    sum(played.left),
                    cards=metals.cards,
                )
                raise fault("wrong_size", message, path)
            if len(played.left) != len(self.rounds[0].left):
                message = say(
                    "{count} players; the first round has {count_2}",
                    count=len(played.left),
                    count_2=len(self.rounds[0].left),
                )
                raise fault("wrong_size", message, path)
        return self


class AquaSheet(Sheet):
    """A score sheet of Aqua Regia: 1 for the winner of a round, 0 for the others. A match has no fixed length."""

    game: Literal["aqua-regia"]

    seats: ClassVar[tuple[int, int]] = PLAYERS

    @classmethod
    def fault_of(cls, played: Scores) -> str | None:
        if sorted(played) != [0] * (len(played) - 1) + [1]:
            return say("one seat wins a round and has 1, the others have 0")
        return None


Record = with_sheet(AquaRecord, AquaSheet)


# ----------------------------------------------------------------------------------------------------
# Aqua Regia in play: one round decides. A pass is two decisions, since a card is drawn in between.


_hint_in = late(__package__, ".hint:hint_in")  # that file needs this one
_hint_in_each = late(__package__, ".hint:hint_in_each")


@dataclass(frozen=True)
class AquaInPlay(RoundInPlay):
    """A round in progress. While `passing`, the seat to move has passed and drawn, and may exchange a card.

    If nothing can be exchanged, a pass ends at once. After a round that a seat followed, the hands of the others
    follow from its end and the hands shown then (`_deal_at`).
    """

    position: Round
    passing: bool = False

    def view(self) -> BaseModel:
        view = super().view()
        if not self.passing:
            return view
        return view.model_copy(update={"drawn": self.position.stock[0]})

    def in_view(self, move: Move) -> bool:
        return not self.passing and not isinstance(move, Pass)

    def announcement(self, move: str) -> str:
        if self.secret(move):
            return say("draws a card and passes")
        before, after = self.position, self.play(move).position
        text = move
        if after.reversed != before.reversed:
            text = say("{told}; {more}", told=text, more=say("the fields change in the other order now"))
        if after.field != before.field and all(after.hands):
            field = field_name(after.field)
            if after.turn == before.owner:
                now = say(
                    "the field is {field} now, and the lead goes to {seat:who}", field=field, seat=after.turn
                )
            else:
                now = say(
                    "the field is {field} now, in which {winner:who} can't lead, so the lead goes to {seat:who}",
                    field=field,
                    winner=before.owner,
                    seat=after.turn,
                )
            text = say("{told}; {more}", told=text, more=now)
        return text

    def winner(self, after: RoundInPlay) -> int | None:
        return self.position.owner

    def secret(self, move: str) -> bool:
        """Whether a move is a pass that draws a card and leaves a choice of exchanges."""
        return self._draws(move) and len(self._drawn().moves()) > 1

    def draws(self, move: str) -> str | None:
        return self.position.stock[0] if self._draws(move) else None

    def play(self, move: str) -> AquaInPlay:
        if self.seat is not None:
            return super().play(move)
        move = self.move_of(move)  # the position knows the next card, so it has exchanges that the seat can't
        if not self._draws(move):
            return replace(super().play(move), passing=False)
        drawn = self._drawn()
        return drawn if len(drawn.moves()) > 1 else drawn.play(move)

    @property
    def unit(self) -> str:
        return "chance"

    @property
    def known(self) -> Round | None:
        """The position with every card known.

        It can't be determined for a seat that followed if there is a stock, or if the hands shown don't fit, since
        only then every change to a hand is public.
        """
        if self.hindsight is None:
            return self.position if self.position.viewer is None else None
        now, (end, shown, _) = self.position, self.hindsight
        return None if now.stock_count else _deal_at(now, end, shown, Random(0))

    def hint_in_truth(self, control: Control, *, seed: int = 0) -> Hint | None:
        """Like `solver.rounds_in_play.Round.hint_in_truth`, but with the order of the stock known too.

        Where a seat followed, the order in which the others drew their cards is sampled: the deals are equally
        likely and agree with everything seen. Returns None if the end does not determine the hands, or if too few
        deals agree.
        """
        answer: Hint
        if self.seat is None:
            answer = _hint_in(self.position, self.view(), control, seed, self.others or "equal")
            return answer
        if self.hindsight is None or not _left_at(self.hindsight.end, self.hindsight.shown):
            return None
        known = self.known
        if known is not None:
            return replace(self, position=known, seat=None, hindsight=None).hint_in_truth(control, seed=seed)
        now, (end, shown, _), random = self.position, self.hindsight, Random(seed, 3)
        tried = (_deal_at(now, end, shown, random) for _ in range(_MOST_TRIES))
        positions = list(islice((position for position in tried if position is not None), _DEALS))
        if len(positions) < _FEWEST_DEALS:
            return None
        answer = _hint_in_each(positions, now, control, seed)
        return answer

    def closed(self) -> AquaInPlay:
        return self  # everybody sees how many cards each seat has left

    def can_show(self) -> bool:
        if self.hindsight is None:
            return False
        last, shown, _ = self.hindsight
        if tuple(map(len, shown)) != last.counts or Counter(shown[last.seat]) != Counter(last.hand):
            return False
        others = Counter(card for seat, cards in enumerate(shown) if seat != last.seat for card in cards)
        return others <= _others_cards(last)

    def leads_to(self, move: str) -> Sequence[str]:
        """List the complete moves that a move can become: a pass that draws may end with any exchange, or none."""
        if not self.secret(move):
            return (move,)
        ways = [way for way in legal_moves(self.position) if isinstance(way, Pass)]
        return [format_move(self.position, way) for way in ways]

    def cards(self) -> list[dict[str, str]]:
        return self.position.metals.rows()

    def _drawn(self) -> AquaInPlay:
        return replace(self, passing=True)

    def _draws(self, move: str) -> bool:
        """Whether a legal move is a pass that draws a card."""
        made = parse_move(self.position, move)
        return isinstance(made, Pass) and bool(self.position.stock) and not self.passing


def _left_at(end: Round, shown: Sequence[Sequence[str]]) -> list[list[str]] | None:
    """Return all hands at the end of a round; None if they can't be known.

    If `shown` is not empty, it has all hands. Otherwise they are known only if at most one other seat has cards
    left; that seat must hold all unseen cards.
    """
    hands: list[list[str]] = [[] for _ in end.counts]
    hands[end.seat] = list(end.hand)
    others = [seat for seat, count in enumerate(end.counts) if count and seat != end.seat]
    if shown:
        hands = [list(cards) for cards in shown]
    elif len(others) == 1:
        hands[others[0]] = end.metals.symbols(
            metal for metal, count in enumerate(end.unseen) for _ in range(count)
        )
    return hands if tuple(map(len, hands)) == end.counts else None


_DEALS, _FEWEST_DEALS = 8, 4  # the most and the fewest deals to look at where draws are unknown
_MOST_TRIES = 1000


def _deal_at(view: Round, end: Round, shown: Sequence[Sequence[str]], random: Random) -> Round | None:
    """Sample a position that agrees with `view` and could have led to `end`; None on failure.

    Starting from the hands at the end, every move is undone. A card that was drawn is picked at random from those
    then in the hand. The cards still in the stock at the end are shuffled.
    """
    hands = _left_at(end, shown)
    if hands is None:
        return None
    deck, names = view.metals, [metal.symbol for metal in view.metals.metals]
    own = Counter(hands[view.seat])
    own.subtract(view.hand)  # after the next loop, the cards that the seat has drawn since
    first = len(view.steps)
    for step in reversed(end.steps[first:]):
        if isinstance(step, Step) and step.seat == view.seat:
            out, came = cards_moved(step.move)
            own.update(deck.symbols(out))
            own.subtract(deck.symbols(came))
    stock: list[str] = []
    for index, step in reversed(list(enumerate(end.steps))[first:]):
        hand = hands[step.seat]
        if isinstance(step, Stuck):
            if step.shown and any(lets(deck, step.field, Play(deck.index[card], 1), None) for card in hand):
                return None
            continue
        out, came = cards_moved(step.move)
        hand += deck.symbols(out)
        for card in deck.symbols(came):
            if card not in hand:
                return None
            hand.remove(card)
        if step.draws:
            held = hand if step.seat != view.seat else [card for card in hand if own[card] > 0]
            if index == first and view.drawn is not None:
                held = [view.drawn] if view.drawn in held else []
            if not held:
                return None
            drawn = held[random.below(len(held))]
            hand.remove(drawn)
            stock.append(drawn)
            own[drawn] -= step.seat == view.seat
    kept = {"deck", "rules", "field", "reversed", "turn", "table", "owner", "discard"}
    data = view.model_dump(mode="json", include=kept, exclude_none=True)
    seen = view.model_dump(mode="json", include={"known", "history"}, exclude_none=True)
    past = {(step.seat, text_of(deck, step.move)) for step in end.steps[:first] if isinstance(step, Step)}
    against = [
        f"{seat}:{move}" for seat, move in sorted(end.against) if move.startswith(NO_LEAD) or (seat, move) in past
    ]
    data |= {"as_played": against}
    doubted = {(step.seat, FIELDS[step.field]) for step in end.steps if isinstance(step, Stuck) and not step.shown}
    seen["deal_passes"] = [entry for entry in view.deal_passes or () if (entry.seat, entry.field) not in doubted]
    rest = Counter(dict(zip(names, (deck.copies,) * len(names), strict=True)))
    for cards in (*hands, stock, view.table, view.discard):
        rest.subtract(cards)
    left = sorted(rest.elements(), key=names.index)
    random.shuffle(left)
    stock = [*reversed(stock), *left][: view.stock_count]
    fits = Counter(hands[view.seat]) == Counter(view.hand) and tuple(map(len, hands)) == view.counts
    fits = fits and len(stock) == view.stock_count
    if not fits:
        return None
    data |= {"game": "aqua-regia", "hands": hands, "stock": stock}
    try:
        Round.model_validate({**data, **seen})  # what was seen before may not fit
        return Round.model_validate(data)
    except ValidationError:
        return None


def _others_cards(end: Round) -> Counter[str]:
    """The cards that others may have in a view: those that were not seen, and those that somebody took."""
    hidden = Counter(dict(zip(end.metals.index, end.unseen, strict=True)))
    hidden.update(card for seat in range(end.players) if seat != end.seat for card in end.known_of(seat))
    return hidden


class AquaPlaying(Playing):
    """Playing Aqua Regia: every round is a match of its own."""

    def start(self, position: Any) -> AquaInPlay:
        return AquaInPlay(self.game, position, position.players, seat=self.viewer(position))

    def begun(self, dealt: Any, before: Sequence[RoundInPlay], seed: int, number: int) -> AquaInPlay:
        return self.start(dealt)

    def record(self, rounds: Sequence[RoundInPlay]) -> AquaRecord:
        ends = [as_aqua(played.position) for played in rounds]
        left = tuple(FinishedRound(counts=tuple(end.sizes)) for end in ends)
        return AquaRecord(game="aqua-regia", deck=ends[0].deck, rounds=left)

    def left_over(self, end: BaseModel) -> LeftOver:
        """The cards left in hand."""
        last = as_aqua(end)
        return LeftOver(
            counts=last.counts, own_cards=last.hand, possible_cards=tuple(_others_cards(last).elements())
        )

    @property
    def match_rounds(self) -> int:
        return 1

    def finished(self, rounds: Sequence[RoundInPlay]) -> bool:
        return True

    def standings(self, position: BaseModel) -> Sequence[int]:
        """The fewest cards are ahead."""
        return [-size for size in as_aqua(position).sizes]

    def decided(self, by: str, seat: int, brought: int, you: int | None) -> str:
        if seat == you:
            return say("{by} puts you ahead for good: nobody has as few cards from there on.", by=by)
        return say("{by} puts {seat:who} ahead for good: nobody has as few cards from there on.", by=by, seat=seat)

    def summary(self, rounds: Sequence[RoundInPlay], you: int | None) -> list[str]:
        left = self.record(rounds[-1:]).rounds[0].left
        winner = left.index(0)
        if winner == you:
            sentence = say("You go out first and win.")
        else:
            sentence = say("{seat:Who} {seat:goes|go} out first and {seat:wins|win}.", seat=winner)
        held = one_after_another(
            say_many("you have {count} card left", "you have {count} cards left", count)
            if seat == you
            else say_many(
                "{seat:who} {seat:has|have} {count} card left",
                "{seat:who} {seat:has|have} {count} cards left",
                count,
                seat=seat,
            )
            for seat, count in enumerate(left)
            if count
        )
        return [sentence, say("The hands then: {hands}.", hands=held)]


# ----------------------------------------------------------------------------------------------------
# `score`: rounds won; equal totals share the lead.


AnyScore = AquaScore | SheetScore


def score(record: BaseModel, _control: Control | None = None) -> AquaScore | SheetScore:
    """Return the score of a record or of a score sheet."""
    if isinstance(record, AquaSheet):
        return sheet_score("aqua-regia", record)
    assert isinstance(record, AquaRecord)
    rounds = tuple(tuple(int(count == 0) for count in played.left) for played in record.rounds)
    totals = totals_of(rounds)
    return AquaScore(game="aqua-regia", rounds=rounds, totals=totals, leaders=leaders_of(totals))
