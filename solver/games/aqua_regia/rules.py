"""The rules of Aqua Regia in plain Python: leads, follows, passes, and automatic consequences.

Source: the Aqua Regia rulebook and the rulings in `rules.md`. Uses no search and no NumPy. A hand, like the
discard pile, is the number of cards of each metal, weakest metal first (`deck.Deck.counts`).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import groupby

from solver.errors import MoveError
from solver.games.aqua_regia.deck import FIELDS, WATER, Deck
from solver.language import say

PLAYERS = (2, 5)  # fewest, most
HAND = 10  # cards dealt to each player
MOST_AT_ONCE = 4  # cards in one play; that many reverse the order of the fields

Counts = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Play:
    """`count` cards of one metal."""

    metal: int
    count: int


@dataclass(frozen=True, slots=True)
class Pass:
    """A pass: draw a card if there is one; then put `discarded` on the pile and take `taken`, or do neither."""

    discarded: int | None = None
    taken: int | None = None


Move = Play | Pass


@dataclass(frozen=True, slots=True)
class State:
    """A game with every card known; seats count from 0 clockwise.

    `table` holds the trick's cards in play order; the last run of one metal is the play to beat, and `owner`
    played it (None while the table is empty: then `turn` is the dealer). `stock` is in draw order.
    """

    hands: tuple[Counts, ...]
    turn: int
    field: int = WATER
    reversed: bool = False
    table: tuple[int, ...] = ()
    owner: int | None = None
    stock: tuple[int, ...] = ()
    discard: Counts = ()

    @property
    def seats(self) -> int:
        return len(self.hands)

    @property
    def winner(self) -> int | None:
        """The seat without cards; None while the game goes on."""
        return next((seat for seat, hand in enumerate(self.hands) if not any(hand)), None)


def runs(table: tuple[int, ...]) -> list[Play]:
    """The plays of a trick, in order: its cards, split where the metal changes."""
    return [Play(metal, len(list(cards))) for metal, cards in groupby(table)]


def needs(deck: Deck, count: int, top: Play | None) -> int:
    """The reactivity needed for `count` cards together: 1 for one and, by the option, for two on one; else 2."""
    pair = count == 2 and top is not None and top.count == 1
    return 1 if count == 1 or (pair and deck.readings.reactivity_one_follows_single) else 2


def lets(deck: Deck, field: int, play: Play, top: Play | None) -> bool:
    """Whether a play is allowed in a field, led (`top` None) or on `top`."""
    return deck.reactivity[field][play.metal] >= needs(deck, play.count, top)


def follows(play: Play, top: Play) -> bool:
    """Whether a play may follow `top`: a stronger metal, as many cards or one more."""
    return play.metal > top.metal and play.count - top.count in (0, 1)


def plays(deck: Deck, hand: Counts, field: int, top: Play | None) -> list[Play]:
    """What a hand may lead (`top` None) or play on `top`, in canonical order: by metal, then by count."""
    choices = (Play(metal, count) for metal, held in enumerate(hand) for count in range(1, held + 1))
    return [
        play
        for play in choices
        if play.count <= MOST_AT_ONCE and lets(deck, field, play, top) and (top is None or follows(play, top))
    ]


def precipitations(deck: Deck, hand: Counts, discard: Counts) -> Iterator[Pass]:
    """Every exchange of a card of the hand, including the drawn one, for a stronger one in the discard pile.

    A metal with all its cards in the pile may not be taken. Sorted by discarded metal, then by the one taken.
    """
    for metal, held in enumerate(hand):
        if held:
            for taken in range(metal + 1, len(discard)):
                if 0 < discard[taken] < deck.copies:
                    yield Pass(metal, taken)


def passes(deck: Deck, hand: Counts, discard: Counts) -> list[Pass]:
    """Every way to end a pass, once the drawn card is in the hand: without an exchange, then with each."""
    return [Pass(), *precipitations(deck, hand, discard)]


def legal_moves(deck: Deck, state: State) -> list[Move]:
    """Every legal move of a settled state, in canonical order; none once the game is over."""
    if state.winner is not None:
        return []
    hand = state.hands[state.turn]
    if not state.table:
        return [*plays(deck, hand, state.field, None)]
    drawn = added(hand, state.stock[0], 1) if state.stock else hand
    return [*plays(deck, hand, state.field, runs(state.table)[-1]), *passes(deck, drawn, state.discard)]


def added(counts: Counts, metal: int, many: int) -> Counts:
    """`counts` with `many` more cards of a metal."""
    return (*counts[:metal], counts[metal] + many, *counts[metal + 1 :])


def with_seat(hands: tuple[Counts, ...], seat: int, hand: Counts) -> tuple[Counts, ...]:
    """`hands` with the hand of `seat` replaced."""
    return (*hands[:seat], hand, *hands[seat + 1 :])


def next_field(field: int, reversed: bool) -> int:
    """The field one step on, in the current order."""
    return (field + (-1 if reversed else 1)) % len(FIELDS)


def can_lead(deck: Deck, hand: Counts, field: int) -> bool:
    """Whether a hand has a card that can be played in a field."""
    return any(held and reactivity for held, reactivity in zip(hand, deck.reactivity[field], strict=True))


def deals(deck: Deck, state: State) -> Iterator[tuple[int, int]]:
    """The seats that are dealer in turn until one can lead, each with the field at the time; the last one leads.

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
    """The state after automatic consequences: the deal is with a seat that can lead."""
    if state.table or state.winner is not None:
        return state
    *_, (dealer, field) = deals(deck, state)
    return replace(state, turn=dealer, field=field)


def play(deck: Deck, state: State, move: Move) -> State:
    """The settled state after a legal move of a settled state."""
    return settle(deck, unsettled(state, move))


def unsettled(state: State, move: Move) -> State:
    """The state right after a legal move of a settled state: a new dealer may still be unable to lead."""
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
    """All others have passed: the owner becomes dealer, the trick goes to the discard pile, the field changes."""
    discard = state.discard
    for lying in runs(state.table):
        discard = added(discard, lying.metal, lying.count)
    field = next_field(state.field, state.reversed)
    return replace(state, field=field, table=(), owner=None, discard=discard)


# ----------------------------------------------------------------------------------------------------
# Moves of Aqua Regia as text: ``Zn Zn``, ``pass``, ``pass Zn>Pb``.


PASS = "pass"
EXCHANGE = ">"


def text_of(deck: Deck, move: Move) -> str:
    """The text of a move, as in answers."""
    if isinstance(move, Play):
        return " ".join(deck.symbols([move.metal] * move.count))
    if move.discarded is None or move.taken is None:
        return PASS
    return f"{PASS} {EXCHANGE.join(deck.symbols([move.discarded, move.taken]))}"


def move_of(deck: Deck, text: str) -> Move:
    """The move that `text` means, legal or not. Raises MoveError if it means none."""
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
