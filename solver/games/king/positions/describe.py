"""King × Alchemy's positions as labelled lines for a person."""

from __future__ import annotations

from collections.abc import Sequence
from typing import assert_never

from pydantic import BaseModel

from solver.common.control import Control, Limit
from solver.common.masks import mask, members
from solver.games.king.cards.deck import Deck
from solver.games.king.cards.rules import TRICKS
from solver.games.king.compounding.best import best_within
from solver.games.king.positions.fields import Cards, cards_at
from solver.games.king.positions.known import KnownPosition, View
from solver.games.king.positions.moves import as_king
from solver.games.king.positions.picks import CardSet, PickPosition, PickView
from solver.tricks.plain.describe import trick_text

_NONE = "–"
_LOOK = Limit(nodes=100)  # for what a pile makes: of decks made to be hard to compound, some way is shown
Rows = list[tuple[str, str]]


def _sorted(deck: Deck, texts: Cards) -> str:
    return " ".join(sorted(texts, key=deck.index.__getitem__)) or _NONE


def pile_text(deck: Deck, pile: int) -> str:
    """The cards of a pile, their points, and what they make already."""
    if not pile:
        return _NONE
    made, most = best_within(deck, members(pile), Control(_LOOK))
    items = ", ".join(f"{recipe.item} +{recipe.bonus}" for recipe in made.recipes)
    points = f"{made.vp} point{'s' * (made.vp != 1)}"
    total = str(made.total) if made.total == most else f"{made.total}, perhaps up to {most}"
    worth = f"{points}; makes {items} = {total}" if items else points
    return f"{' '.join(deck.codes(members(pile)))}   ({worth})"


def _over(position: KnownPosition | View) -> bool:
    held = any(position.hands) if isinstance(position, KnownPosition) else bool(position.hand)
    return not position.trick and not held


def _trick_row(position: KnownPosition | View) -> tuple[str, str]:
    plays = trick_text(position.leader, position.players, position.trick)
    if position.trick_is_full:
        return "Trick", f"{plays}; seat {position.seat_to_move} wins and is to take"
    if _over(position):
        return "Trick", f"none; the round is over, and the winner of its last trick is seat {position.leader}"
    return "Trick", plays or f"none yet; seat {position.leader} leads"


def _won_rows(deck: Deck, piles: Sequence[int]) -> Rows:
    return [(f"Seat {seat} won", pile_text(deck, pile)) for seat, pile in enumerate(piles) if pile]


def _removed_row(deck: Deck, removed: Cards) -> Rows:
    return [("Removed", _sorted(deck, removed))] if removed else []


def _known(position: KnownPosition) -> Rows:
    deck = position.full_deck
    rows = [("Deck", deck.title)]
    for seat, hand in enumerate(position.hands):
        mark = "   (to move)" if seat == position.seat_to_move and not _over(position) else ""
        rows.append((f"Seat {seat}", _sorted(deck, hand) + mark))
    rows += _won_rows(deck, position.piles)
    return [*rows, _trick_row(position)]


def _pick(position: PickPosition) -> Rows:
    deck = position.full_deck
    rows = [("Deck", deck.title)]
    for seat, (hand, picked) in enumerate(zip(position.hands, position.picked, strict=True)):
        state = f"has picked {picked[0]}" if picked else "has not picked yet"
        asked = "; to pick now" if seat == position.seat else ""
        rows.append((f"Seat {seat}", f"{_sorted(deck, hand)}   ({state}{asked})"))
    return [*rows, *_removed_row(deck, position.removed), ("Leader", f"seat {position.leader}")]


def _last_trick_row(position: View) -> str:
    """The trick before, and what its winner, who leads the next one, took and gave."""
    last = position.history[-1]
    plays = trick_text(last.leader, position.players, last.cards)
    taking = f"took {' '.join(last.taken) or 'nothing'}" + (f" and gave {last.given}" if last.given else "")
    return f"{plays}; seat {position.leader} won and {taking}"


def _seen(position: View) -> Rows:
    deck = position.full_deck
    rows = [
        ("Deck", deck.title),
        *position.match_rows,
        ("You", f"seat {position.seat}"),
        ("Hand", _sorted(deck, position.hand)),
    ]
    rows += [_trick_row(position), ("Tricks", f"{len(position.history)} of {TRICKS[position.players]} played")]
    if position.history:
        rows.append(("Last trick", _last_trick_row(position)))
    rows += _won_rows(deck, position.piles)
    for seat in range(position.players):
        suits = [suit for suit in range(4) if deck.of_suit[suit] & ~position.past.excluded(seat) == 0]
        if suits and seat != position.seat:
            rows.append((f"Seat {seat} holds", f"no {' '.join(deck.suits[suit] for suit in suits)}"))
    unseen = " ".join(deck.codes(members(position.unseen))) or _NONE
    return [*rows, *_removed_row(deck, position.removed), ("Unseen", unseen)]


def describe(position: BaseModel) -> Rows:
    """The position as labelled lines."""
    match position := as_king(position):
        case KnownPosition():
            return _known(position)
        case PickPosition():
            return _pick(position)
        case View():
            return _seen(position)
        case PickView():
            deck = position.full_deck
            return [
                ("Deck", deck.title),
                *position.match_rows,
                ("You", f"seat {position.seat} of {position.players}; to pick a card, which is won outright"),
                ("Hand", _sorted(deck, position.hand)),
                *_removed_row(deck, position.removed),
                ("Leader", f"seat {position.leader}"),
            ]
        case CardSet():
            deck = position.full_deck
            cards = mask(cards_at(deck, position.cards, "cards"))
            return [("Deck", deck.title), ("Cards", pile_text(deck, cards))]
        case _:
            assert_never(position)
