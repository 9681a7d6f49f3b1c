"""Certificates of a player's score in King × Alchemy, or of the best compounding: the search's part."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from solver.common import members
from solver.errors import RequestError
from solver.games.king.deck import SUIT_NAMES, SUITS, Card, Deck
from solver.games.king.position import CardSet, KnownPosition
from solver.games.king.rules import State, parse, play, play_text
from solver.games.king.search import PROVERS, PlayerScore
from solver.language import say
from solver.limits import Control
from solver.proving import Proving


def claim(position: object) -> dict[str, Any]:
    """A set of won cards, or every card of a round in play, with the deck. Raises RequestError for other
    positions.
    """
    if isinstance(position, CardSet):
        return {"game": "king", "deck": _deck(position.full_deck), "cards": list(position.cards)}
    if not isinstance(position, KnownPosition):
        if hasattr(position, "hand"):  # a view
            raise RequestError("not_offered", say("a certificate needs a position with every card known"))
        raise RequestError("not_offered", say("a certificate begins when every seat has picked a card"))
    state = position.state
    deck = state.deck
    data = {
        "game": "king",
        "deck": _deck(deck),
        "leader": state.leader,
        "trick": [play_text(deck, one) for one in state.trick],
        "hands": [deck.codes(members(hand)) for hand in state.hands],
        "won": [deck.codes(members(pile)) for pile in state.won],
    }
    if position.rules is not None:
        data["rules"] = position.rules.model_dump()
    return data


def _deck(deck: Deck) -> dict[str, Any]:
    suits = dict(zip(deck.suits, SUIT_NAMES, strict=False))
    return {"name": deck.name, "suits": suits, "card": [_card(deck, card) for card in deck.cards]}


def _card(deck: Deck, card: Card) -> dict[str, Any]:
    found: dict[str, Any] = {"code": card.code, "kind": card.kind, "name": card.name}
    if card.suit < SUITS:
        found["suit"] = deck.suits[card.suit]
    found |= {"number": card.number, "vp": card.vp}
    if card.provides is not None:
        found["provides"] = card.provides
    if card.recipe is not None:
        recipe = card.recipe
        found["recipe"] = {"item": recipe.item, "needs": list(recipe.needs), "bonus": recipe.bonus}
    return found


@contextmanager
def proving(position: KnownPosition, control: Control, *, model: str | None, player: int) -> Iterator[Proving]:
    """The search of a player's score, with all others against it (``paranoid``) or for it (``ally``)."""
    start = position.state

    def after(state: State, text: str) -> State:
        return play(state, parse(state.deck, text))

    with PROVERS.lend(control.seconds_left()) as prover:
        search = PlayerScore(prover, start, player, allies=model == "ally", control=control)
        yield Proving(start=start, after=after, reaches=search.reaches)
