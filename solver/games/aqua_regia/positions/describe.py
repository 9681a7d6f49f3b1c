"""Aqua Regia's positions as labelled lines for a person: the field, the trick, hands and what they can play."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from pydantic import BaseModel

from solver.games.aqua_regia.cards import rules, text
from solver.games.aqua_regia.cards.deck import FIELDS, Deck, members
from solver.games.aqua_regia.cards.rules import Counts, Play
from solver.games.aqua_regia.positions.known import KnownPosition, View
from solver.games.aqua_regia.positions.moves import as_aqua, settled

_NOTHING = "–"


def describe(position: BaseModel) -> list[tuple[str, str]]:
    """The position as labelled lines, after what happens by itself."""
    position = as_aqua(position)
    if isinstance(position, KnownPosition):
        return _known(settled(position))
    return _view(position)


def _field(position: KnownPosition | View) -> str:
    order = reversed(FIELDS) if position.reversed else FIELDS
    turned = ", reversed" if position.reversed else ""
    reactivity = position.metals.reactivity[position.field_number]
    several = [metal.symbol for metal, row in zip(position.metals.metals, reactivity, strict=True) if row > 1]
    single = [metal.symbol for metal, row in zip(position.metals.metals, reactivity, strict=True) if row == 1]
    lets = f"lets out {' '.join(several) or 'none'} in multiples, {' '.join(single) or 'none'} singly"
    return f"{position.field} (order {' > '.join(order)}{turned}); {lets}"


def _trick(position: KnownPosition | View) -> str:
    deck = position.metals
    played = [text.text_of(deck, play) for play in rules.runs(deck.numbers(position.table))]
    if not played:
        return f"none yet; seat {position.turn} is the dealer and leads"
    return f"{' < '.join(played)}, the last by seat {position.owner}"


def _cards(deck: Deck, cards: Iterable[str]) -> str:
    """Cards from the weakest to the strongest."""
    return " ".join(sorted(cards, key=deck.index.__getitem__)) or _NOTHING


def _many(deck: Deck, cards: Iterable[str]) -> str:
    """Many cards, from the weakest to the strongest: ``Li×3 Zn``."""
    counted = zip(deck.metals, deck.counts(deck.numbers(cards)), strict=True)
    return " ".join(metal.symbol + f"×{count}" * (count > 1) for metal, count in counted if count) or _NOTHING


def _playable(deck: Deck, hand: Counts, field: int, top: Play | None) -> str:
    plays = [text.text_of(deck, play) for play in rules.plays(deck, hand, field, top)]
    verb = "leads" if top is None else "can play"
    return f"{verb} {', '.join(plays)}" if plays else f"{verb} nothing"


def _seat_row(position: KnownPosition, seat: int) -> str:
    deck, state = position.metals, position.state
    hand = state.hands[seat]
    marks = []
    if state.winner == seat:
        marks.append("has gone out and wins")
    elif state.winner is None:
        if seat == position.owner:
            marks.append("played last")
        else:
            marks.append(_playable(deck, hand, state.field, position.top))
        marks += ["to move"] * (seat == state.turn)
    return f"{_cards(deck, position.hands[seat])}" + (f"   ({'; '.join(marks)})" if marks else "")


def _pile(deck: Deck, discard: Sequence[str]) -> str:
    """The discard pile, and what of it cannot be taken."""
    full = [symbol for symbol, count in Counter(discard).items() if count == deck.copies]
    kept = f"   (all of {_cards(deck, full)} are there, so none of them may be taken)" if full else ""
    return _many(deck, discard) + kept


def _known(position: KnownPosition) -> list[tuple[str, str]]:
    deck = position.metals
    rows = [("Field", _field(position)), ("Trick", _trick(position))]
    rows += [(f"Seat {seat}", _seat_row(position, seat)) for seat in range(position.players)]
    rows.append(("Stock", " ".join(position.stock) + "   (in draw order)" if position.stock else "empty"))
    return [*rows, ("Discard", _pile(deck, position.discard))]


def _view(position: View) -> list[tuple[str, str]]:
    deck = position.metals
    top = None if position.owner == position.seat else position.top
    marks = [_playable(deck, position.held, position.field_number, top)] if top or not position.table else []
    if position.drawn is not None:
        marks = ["may exchange a card"]
    marks += ["to move"] * (position.turn == position.seat)
    drawn = f" and {position.drawn}, just drawn" if position.drawn else ""
    rows = [
        ("You", f"seat {position.seat} of {position.players}"),
        ("Field", _field(position)),
        ("Trick", _trick(position)),
        ("Hand", f"{_cards(deck, position.hand)}{drawn}" + (f"   ({'; '.join(marks)})" if marks else "")),
    ]
    for seat, count in enumerate(position.counts):
        if seat != position.seat:
            rows.append((f"Seat {seat}", _hidden_row(position, seat, count)))
    count = position.hidden_stock
    rows.append(("Stock", f"{count} card{'s' * (count != 1)}" if count else "empty"))
    rows.append(("Discard", _pile(deck, position.discard)))
    rows.append(("Unseen", _many(deck, deck.symbols(members(position.unseen)))))
    return rows


def _hidden_row(position: View, seat: int, count: int) -> str:
    marks = ["to move"] * (seat == position.turn)
    known = position.known_of(seat)
    if known:
        marks.append(f"holds {_cards(position.metals, known)}")
    for passed in position.deal_passes or ():
        if passed.seat == seat and passed.most < count:
            marks.append(f"at most {passed.most} can be played in {passed.field}")
    return f"{count} card{'s' * (count != 1)}" + (f"   ({'; '.join(marks)})" if marks else "")
