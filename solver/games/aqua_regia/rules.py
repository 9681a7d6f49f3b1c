"""The rules of Aqua Regia in plain Python: leading, following, passing, and what happens if the dealer can't lead.

Source: the Aqua Regia rulebook and the rulings in `rules.md`. Uses no search and no NumPy. Metals are numbered
from 0, the weakest. A hand, like the discard pile, is the number of cards of each metal (`deck.Deck.counts`).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import groupby

from solver.errors import MoveError
from solver.games.aqua_regia.deck import WATER, Deck
from solver.language import say

PLAYERS = (2, 5)  # fewest, most
HAND = 10  # cards dealt to each player
MOST_AT_ONCE = 4  # cards in one play; that many reverse the order of the fields

Counts = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Play:
    """A play of `count` cards of a metal, given by its index `metal`."""

    metal: int
    count: int


@dataclass(frozen=True, slots=True)
class Pass:
    """A pass: draw a card if the stock has one, then optionally exchange a card.

    In an exchange, a card of the metal `discarded` goes to the discard pile and one of the metal `taken` is taken
    from it. Both are None without an exchange.
    """

    discarded: int | None = None
    taken: int | None = None


Move = Play | Pass


@dataclass(frozen=True, slots=True)
class State:
    """A game with every card known; seats count from 0 clockwise.

    `table` holds the trick's cards in play order; the last run of one metal is the play to beat, and `owner`
    played it (None while the table is empty: then `turn` is the dealer). `stock` is in draw order. `on_top` is the
    play to beat where it is not that run, because a metal was played on the same metal against the rules.
    """

    hands: tuple[Counts, ...]
    turn: int
    field: int = WATER
    reversed: bool = False
    table: tuple[int, ...] = ()
    owner: int | None = None
    stock: tuple[int, ...] = ()
    discard: Counts = ()
    on_top: Play | None = None

    @property
    def top(self) -> Play | None:
        """The play to beat; None while the table is empty."""
        return (self.on_top or runs(self.table)[-1]) if self.table else None

    @property
    def seats(self) -> int:
        return len(self.hands)

    @property
    def winner(self) -> int | None:
        """The seat without cards; None while the game goes on."""
        return next((seat for seat, hand in enumerate(self.hands) if not any(hand)), None)


def runs(table: tuple[int, ...]) -> list[Play]:
    """Split the cards of a trick, in play order, into its plays: runs of one metal."""
    return [Play(metal, len(list(cards))) for metal, cards in groupby(table)]


def needs(deck: Deck, count: int, top: Play | None) -> int:
    """Return the reactivity needed to play `count` cards together on `top` (None: to lead them).

    A single card needs 1, several cards need 2. With the option `reactivity_one_follows_single`, two cards on a
    single one need only 1.
    """
    pair = count == 2 and top is not None and top.count == 1
    return 1 if count == 1 or (pair and deck.readings.reactivity_one_follows_single) else 2


def lets(deck: Deck, field: int, play: Play, top: Play | None) -> bool:
    """Whether a play's metal is reactive enough in a field to lead it (`top` None) or to play it on `top`."""
    return deck.reactivity[field][play.metal] >= needs(deck, play.count, top)


def follows(play: Play, top: Play) -> bool:
    """Whether `play` is a stronger metal than `top`, with as many cards or one more."""
    return play.metal > top.metal and play.count - top.count in (0, 1)


def plays(deck: Deck, hand: Counts, field: int, top: Play | None) -> list[Play]:
    """List the plays that a hand may lead (`top` None) or make on `top`, by metal, then by count."""
    choices = (Play(metal, count) for metal, held in enumerate(hand) for count in range(1, held + 1))
    return [
        play
        for play in choices
        if play.count <= MOST_AT_ONCE and lets(deck, field, play, top) and (top is None or follows(play, top))
    ]


def precipitations(deck: Deck, hand: Counts, discard: Counts) -> Iterator[Pass]:
    """Yield every exchange of a card of `hand` for a stronger one in the discard pile.

    `hand` includes the card just drawn. A metal with all its cards in the pile may not be taken. Sorted by the
    metal discarded, then by the metal taken.
    """
    for metal, held in enumerate(hand):
        if held:
            for taken in range(metal + 1, len(discard)):
                if 0 < discard[taken] < deck.copies:
                    yield Pass(metal, taken)


def passes(deck: Deck, hand: Counts, discard: Counts) -> list[Pass]:
    """List the ways to end a pass: no exchange, then each possible one. `hand` includes the card drawn."""
    return [Pass(), *precipitations(deck, hand, discard)]


def legal_moves(deck: Deck, state: State) -> list[Move]:
    """List every legal move in canonical order; empty once the game is over.

    `state` must be settled: with an empty table, the seat to move can lead (see `settle`).
    """
    if state.winner is not None:
        return []
    hand = state.hands[state.turn]
    if not state.table:
        return [*plays(deck, hand, state.field, None)]
    drawn = added(hand, state.stock[0], 1) if state.stock else hand
    return [*plays(deck, hand, state.field, state.top), *passes(deck, drawn, state.discard)]


def added(counts: Counts, metal: int, many: int) -> Counts:
    """Return `counts` with `many` more cards of a metal (fewer, if negative)."""
    return (*counts[:metal], counts[metal] + many, *counts[metal + 1 :])


def with_seat(hands: tuple[Counts, ...], seat: int, hand: Counts) -> tuple[Counts, ...]:
    """Return `hands` with the hand of `seat` replaced."""
    return (*hands[:seat], hand, *hands[seat + 1 :])


def next_field(field: int, reversed: int) -> int:
    """Return the index of the field after `field`, in the usual or the reversed order; kernels compile it too."""
    return int((field + (3 if reversed else 1)) & 3)


def can_lead(deck: Deck, hand: Counts, field: int) -> bool:
    """Whether a hand has a card that can be played in a field."""
    return any(held and reactivity for held, reactivity in zip(hand, deck.reactivity[field], strict=True))


def deals(deck: Deck, state: State) -> Iterator[tuple[int, int]]:
    """Yield (dealer, field) for each seat that gets the deal in turn, up to the first that can lead.

    A dealer who can't lead passes the deal to the left. If nobody can, the field changes and the first dealer
    tries again. Every metal can be played in some field, so this ends.
    """
    field = state.field
    while True:
        for step in range(state.seats):
            dealer = (state.turn + step) % state.seats
            yield dealer, field
            if can_lead(deck, state.hands[dealer], field):
                return
        field = next_field(field, state.reversed)


def settle(deck: Deck, state: State) -> State:
    """Pass the deal on, and change the field if nobody can lead, until the dealer can lead."""
    if state.table or state.winner is not None:
        return state
    *_, (dealer, field) = deals(deck, state)
    return replace(state, turn=dealer, field=field)


def play(deck: Deck, state: State, move: Move) -> State:
    """Make a legal move in a settled state and return the settled state after it."""
    return settle(deck, unsettled(state, move))


def unsettled(state: State, move: Move) -> State:
    """Like `play`, but without passing the deal on: in the state returned, a new dealer may be unable to lead."""
    seat, following = state.turn, (state.turn + 1) % state.seats
    hand = state.hands[seat]
    if isinstance(move, Play):
        return replace(
            state,
            hands=with_seat(state.hands, seat, added(hand, move.metal, -move.count)),
            turn=following,
            reversed=state.reversed != (move.count == MOST_AT_ONCE),
            table=state.table + (move.metal,) * move.count,
            owner=seat,
            on_top=None,
        )
    discard = state.discard
    if state.stock:
        hand = added(hand, state.stock[0], 1)
    if move.discarded is not None and move.taken is not None:
        hand = added(added(hand, move.discarded, -1), move.taken, 1)
        discard = added(added(discard, move.discarded, 1), move.taken, -1)
    after = replace(
        state,
        hands=with_seat(state.hands, seat, hand),
        turn=following,
        stock=state.stock[1:],
        discard=discard,
    )
    return _cleared(after) if following == state.owner else after


def _cleared(state: State) -> State:
    """End the trick after the last pass: its cards go to the discard pile, and the field changes."""
    discard = state.discard
    for lying in runs(state.table):
        discard = added(discard, lying.metal, lying.count)
    field = next_field(state.field, state.reversed)
    return replace(state, field=field, table=(), owner=None, discard=discard, on_top=None)


# ----------------------------------------------------------------------------------------------------
# Moves of Aqua Regia as text: ``Zn Zn``, ``pass``, ``pass Zn>Pb``.


PASS = "pass"
EXCHANGE = ">"


def text_of(deck: Deck, move: Move) -> str:
    """Return a move as text: ``Zn Zn``, ``pass`` or ``pass Zn>Pb``."""
    if isinstance(move, Play):
        return " ".join(deck.symbols([move.metal] * move.count))
    if move.discarded is None or move.taken is None:
        return PASS
    return f"{PASS} {EXCHANGE.join(deck.symbols([move.discarded, move.taken]))}"


def move_of(deck: Deck, text: str) -> Move:
    """Parse a move, legal or not. Raises MoveError if the text is not a move."""
    words = text.split()
    if words[:1] == [PASS]:
        symbols = "".join(words[1:]).split(EXCHANGE) if words[1:] else []
        if not symbols:
            return Pass()
        if len(symbols) != 2:
            message = say(
                "{text!r} is not a move; after pass write nothing, or the card discarded > the card taken",
                text=text,
            )
            raise MoveError("illegal_move", message)
        return Pass(*(_metal(deck, text, symbol) for symbol in symbols))
    if not words:
        raise MoveError(
            "illegal_move", say("{text!r} is not a move; moves are like Zn Zn, pass, pass Zn>Pb", text=text)
        )
    if EXCHANGE in text:
        message = say("an exchange begins with pass: pass {exchange}", exchange="".join(words))
        raise MoveError("illegal_move", message)
    metals = {_metal(deck, text, word) for word in words}
    if len(metals) > 1:
        raise MoveError(
            "illegal_move", say("{text!r} is not a move; cards played together must be of one metal", text=text)
        )
    return Play(metals.pop(), len(words))


def _metal(deck: Deck, text: str, symbol: str) -> int:
    if symbol not in deck.index:
        raise MoveError(
            "illegal_move",
            say(
                "{text!r} is not a move; {symbol!r} is not a metal of the deck {name}",
                text=text,
                symbol=symbol,
                name=deck.name,
            ),
        )
    return deck.index[symbol]
