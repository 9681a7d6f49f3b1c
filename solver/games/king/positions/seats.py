"""Deals of King × Alchemy, and what each seat sees."""

from __future__ import annotations

from typing import cast

from pydantic import BaseModel

from solver.common.masks import mask, members
from solver.common.rng import Random
from solver.games.king.cards.deck import CARDS
from solver.games.king.cards.deck_data import house
from solver.games.king.cards.rules import DEALT, PLAYERS
from solver.games.king.positions.fields import cards_at
from solver.games.king.positions.known import View
from solver.games.king.positions.moves import after_pick, as_king, known_history
from solver.games.king.positions.picks import CardSet, PickPosition, PickView
from solver.inputs.errors import RequestError

PLAYERS_DEALT = 4  # where the number of players is not said
VARIANTS = ("picked", "unpicked")  # what `deal` makes


def deal(seed: int, *, number: int = 0, players: int | None = None, variant: str | None = None) -> BaseModel:
    """Deal `number` of a seed, of the house deck; seat 0 leads. Raises RequestError for what is not dealt.

    The variants share the hands: of each hand the last card dealt is the one picked.
    """
    players = PLAYERS_DEALT if players is None else players
    fewest, most = PLAYERS
    if not fewest <= players <= most:
        raise RequestError("out_of_range", f"king is for {fewest} to {most} players, not for {players}", "players")
    variant = variant or VARIANTS[0]
    if variant not in VARIANTS:
        raise RequestError("unknown_value", f"{variant!r} is not dealt; {' and '.join(VARIANTS)} are", "variant")
    deck = house()
    cards = list(range(CARDS))
    Random(seed, number).shuffle(cards)
    size = DEALT[players]
    dealt = [cards[size * seat : size * (seat + 1)] for seat in range(players)]
    position: BaseModel = PickPosition(
        game="king",
        deck=deck.name,
        stage="pick",
        seat=0,
        leader=0,
        hands=tuple(tuple(deck.codes(sorted(hand))) for hand in dealt),
        removed=tuple(deck.codes(sorted(cards[size * players :]))),
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
    if not 0 <= seat < position.players:
        message = f"there is no seat {seat}; seats are 0 to {position.players - 1}"
        raise RequestError("out_of_range", message, "seat")
    if isinstance(position, View | PickView):
        if seat != position.seat:
            raise RequestError("hidden_cards", f"this is what seat {position.seat} sees, not seat {seat}", "seat")
        return position
    if isinstance(position, PickPosition):
        return _pick_view(position, seat)
    history = known_history(position)
    if history is None:
        raise RequestError("missing_key", "a view needs the tricks played before: give history", "history")
    deck, piles = position.full_deck, position.piles
    for other, (pile, gained) in enumerate(zip(piles, position.past.won, strict=True)):
        if not pile & ~gained:
            message = f"a view needs the cards picked before the first trick: give that of seat {other}"
            raise RequestError("missing_key", message, "won")
    seen = mask(play.card for play in position.plays) | position.past.discarded
    for cards in (*piles, *position.state.hands):
        seen |= cards
    return View(
        game="king",
        deck=position.deck,
        seat=seat,
        hand=position.hands[seat],
        won=tuple(tuple(deck.codes(members(pile))) for pile in piles),
        removed=position.removed or tuple(deck.codes(members((1 << CARDS) - 1 & ~seen))),
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
        stage="pick",
        seat=seat,
        leader=position.leader,
        hand=position.hands[seat],
        removed=position.removed or tuple(deck.codes(members((1 << CARDS) - 1 & ~held))),
    )
