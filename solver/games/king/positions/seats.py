"""Deals of King × Alchemy, and what each seat sees."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, cast

from pydantic import BaseModel

from solver.common.masks import mask, members
from solver.decks import chosen, deck_of
from solver.games.king.cards.deck import CARDS
from solver.games.king.cards.deck_data import KIND
from solver.games.king.cards.rules import DEALT, PLAYERS
from solver.games.king.positions.fields import cards_at
from solver.games.king.positions.known import View
from solver.games.king.positions.moves import after_pick, as_king
from solver.games.king.positions.picks import CardSet, PickPosition, PickView
from solver.inputs.errors import RequestError
from solver.tricks import questions
from solver.tricks.moves import history_seen, shuffled

PLAYERS_DEALT = 4  # where the number of players is not said
VARIANTS = ("picked", "unpicked")  # what `deal` makes


def deal(
    seed: int,
    *,
    number: int = 0,
    players: int | None = None,
    variant: str | None = None,
    deck: str | Mapping[str, Any] | None = None,
) -> BaseModel:
    """Deal `number` of a seed, of the house deck unless another is given; seat 0 leads.

    The variants share the hands: of each hand the last card dealt is the one picked. Raises RequestError for what
    is not dealt, PositionError for a deck that is none.
    """
    players = questions.dealt_players("king", players, PLAYERS, PLAYERS_DEALT)
    variant = questions.dealt_variant("king", variant, VARIANTS)
    written = chosen(KIND, deck)
    cards = deck_of(KIND, written)
    *dealt, removed = shuffled(CARDS, [DEALT[players]] * players, seed, number)
    position: BaseModel = PickPosition(
        game="king",
        deck=written,
        stage="pick",
        seat=0,
        leader=0,
        hands=tuple(tuple(cards.codes(sorted(hand))) for hand in dealt),
        removed=tuple(cards.codes(sorted(removed))),
    )
    if variant == "picked":
        for hand in dealt:
            position = after_pick(cast(PickPosition, position), hand[-1])
    return position


def view(position: BaseModel, seat: int) -> View | PickView:
    """What the player in `seat` sees.

    Raises RequestError for a position that does not tell what was played and picked before, and for another
    seat's view of a view.
    """
    position = as_king(position)
    if isinstance(position, CardSet):
        raise RequestError("not_offered", "a set of cards has no seats", "cards")
    own = position.seat if isinstance(position, View | PickView) else None
    questions.check_viewer(seat, position.players, own)
    if isinstance(position, View | PickView):
        return position
    if isinstance(position, PickPosition):
        return _pick_view(position, seat)
    history = history_seen(position)
    deck, piles = position.full_deck, position.piles
    for other, (pile, gained) in enumerate(zip(piles, position.past.won, strict=True)):
        if not pile & ~gained:
            message = f"a view needs the cards picked before the first trick: give that of seat {other}"
            raise RequestError("missing_key", message, "won")
    placed = mask(play.card for play in position.plays) | position.past.discarded
    for cards in (*piles, *position.state.hands):
        placed |= cards
    return View(
        game="king",
        deck=position.deck,
        rules=position.rules,
        seat=seat,
        hand=position.hands[seat],
        won=tuple(tuple(deck.codes(members(pile))) for pile in piles),
        removed=position.removed or tuple(deck.codes(members((1 << CARDS) - 1 & ~placed))),
        leader=position.leader,
        trick=position.trick,
        history=history,
    )


def _pick_view(position: PickPosition, seat: int) -> PickView:
    deck = position.full_deck
    if position.picked[seat]:
        message = f"seat {seat} has picked and waits for the others, whose picks it does not see yet"
        raise RequestError("not_offered", message, "seat")
    held = mask(card for pile in position.won for card in cards_at(deck, pile, "won"))
    for hand in position.masks:
        held |= hand
    return PickView(
        game="king",
        deck=position.deck,
        rules=position.rules,
        stage="pick",
        seat=seat,
        leader=position.leader,
        hand=position.hands[seat],
        removed=position.removed or tuple(deck.codes(members((1 << CARDS) - 1 & ~held))),
    )
