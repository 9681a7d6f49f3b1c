"""What everybody sees of the hands, kept up to date move by move: cards taken from the pile, deals passed on."""

from __future__ import annotations

from collections.abc import Iterable

from solver.games.aqua_regia.cards.deck import FIELDS, Deck, members
from solver.games.aqua_regia.cards.rules import Counts, Move, Play, State, added, deals
from solver.games.aqua_regia.positions.fields import Cards, DealPass

Known = tuple[Cards, ...] | None
DealPasses = tuple[DealPass, ...] | None


def shown(deck: Deck, move: Move) -> tuple[Counts, Counts]:
    """The cards that a move shows leaving the mover's hand, and those coming into it, as counts of each metal."""
    if isinstance(move, Play):
        return deck.counts([move.metal] * move.count), deck.counts([])
    if move.discarded is None or move.taken is None:
        return deck.counts([]), deck.counts([])
    return deck.counts([move.discarded]), deck.counts([move.taken])


def known_after(deck: Deck, known: Known, state: State, move: Move) -> Known:
    """The cards known to be in each hand after a move of `state`.

    A card that is shown may be the known one of its metal or another: one fewer is known in either case.
    """
    hands = [deck.counts(deck.numbers(cards)) for cards in known or ((),) * state.seats]
    hand = hands[state.turn]
    left, taken = shown(deck, move)
    for metal, many in enumerate(left):
        hand = added(hand, metal, taken[metal] - min(many, hand[metal]))
    hands[state.turn] = hand
    return tuple(tuple(deck.symbols(members(hand))) for hand in hands) if any(map(any, hands)) else None


def deal_passes_after(deck: Deck, passed: DealPasses, state: State, move: Move) -> DealPasses:
    """What the deals that were passed on tell of the hands after a move of `state`.

    The most cards for a field that the mover may hold grows by a card drawn and by what the move openly takes, and
    falls by what it shows.
    """
    left, taken = shown(deck, move)
    drawn = not isinstance(move, Play) and bool(state.stock)

    def moved(one: DealPass) -> DealPass:
        if one.seat != state.turn:
            return one
        row = deck.reactivity[FIELDS.index(one.field)]
        change = sum(new - old for new, old, lets in zip(taken, left, row, strict=True) if lets)
        return one.model_copy(update={"most": one.most + drawn + change})

    return tuple(map(moved, passed)) if passed else None


def dealt_on(deck: Deck, passed: DealPasses, state: State) -> DealPasses:
    """`passed`, and the deals that are passed on by themselves in a state that nobody has led in yet."""
    by_place = {(one.seat, one.field): one for one in passed or ()}
    *without, _ = deals(deck, state)
    by_place |= {(seat, FIELDS[field]): DealPass(seat=seat, field=FIELDS[field]) for seat, field in without}
    return _sorted(by_place.values())


def _sorted(passed: Iterable[DealPass]) -> DealPasses:
    return tuple(sorted(passed, key=lambda one: (one.seat, FIELDS.index(one.field)))) or None
