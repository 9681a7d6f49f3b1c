"""The rules of King × Alchemy in plain Python: legal plays, who wins a trick, what is taken and given.

Bonuses are not counted here: `compounding` has those. Source: the rulebook and the rulings in `rules.md`. Uses no
search and no NumPy. Sets of cards are masks; cards and suits are numbered as in
`solver.games.king.deck`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import NamedTuple

from solver.common import mask, members
from solver.errors import MoveError
from solver.games.king.deck import DANCER, SUITS, TRUMP, Deck
from solver.language import say

PLAYERS = (3, 5)
REMOVED = {3: 5, 4: 2, 5: 0}  # cards put away face up, by number of players
DEALT = {3: 15, 4: 12, 5: 10}  # cards of a hand before the pick
TRICKS = {3: 14, 4: 11, 5: 9}
TAKEN = 2  # at most: cards of a trick that its winner takes besides its own
ROUNDS = 3  # of a match


class Play(NamedTuple):
    """A card as it is played. `suit` is its own or, for the Dancer, the named one."""

    card: int
    suit: int


class Taking(NamedTuple):
    """What the winner of a trick does: the cards taken, in the deck's order, and the one given to the bottom.

    Against the rules (at a real table), `more` cards may be given with it, and another seat, `to`, may get them.
    """

    taken: tuple[int, ...]
    given: int | None
    more: tuple[int, ...] = ()
    to: int | None = None

    @property
    def gifts(self) -> tuple[int, ...]:
        """All cards given, in the deck's order."""
        return () if self.given is None else (self.given, *self.more)


Move = Play | Taking
Masks = tuple[int, ...]  # one mask per seat


@dataclass(frozen=True, slots=True)
class State:
    """A round with every card known; seats count from 0 clockwise.

    `hands` and `won` (the piles) are masks by seat. `trick` is in play order, beginning with the card of
    `leader`; if it is full, its winner must take next. All other cards are out of play.
    """

    deck: Deck
    hands: Masks
    leader: int
    trick: tuple[Play, ...]
    won: Masks

    @property
    def players(self) -> int:
        return len(self.hands)

    @property
    def full(self) -> bool:
        """Whether the trick is complete, so that the next move is its winner's taking."""
        return len(self.trick) == self.players

    @property
    def to_move(self) -> int:
        turn = winner(self.deck, self.trick) if self.full else len(self.trick)
        return (self.leader + turn) % self.players

    @property
    def over(self) -> bool:
        return not self.trick and not any(self.hands)

    def points(self, seat: int) -> int:
        """The points that a seat has won, without bonuses."""
        return self.deck.vp(self.won[seat])


def plays(deck: Deck, cards: int) -> list[Play]:
    """Every way to play one of a mask's cards, in canonical order; the Dancer once for each suit."""
    listed: list[Play] = []
    for card in members(cards):
        suit = deck.cards[card].suit
        listed += [Play(card, named) for named in range(SUITS)] if suit == DANCER else [Play(card, suit)]
    return listed


def holds(deck: Deck, hand: int, suit: int) -> int:
    """The cards of the lead suit in a hand, as a mask; 0 if a trump is led, which need not be followed."""
    return hand & deck.of_suit[suit] if suit < SUITS else 0


def follows(play: Play, suit: int) -> bool:
    """Whether a player who holds the lead suit may make this play: it has that suit, or is a trump."""
    return play.suit in (suit, TRUMP)


def playable(deck: Deck, hand: int, trick: Sequence[Play]) -> list[Play]:
    """The legal plays from a hand to an unfinished trick, in canonical order."""
    legal = plays(deck, hand)
    if trick and holds(deck, hand, trick[0].suit):
        legal = [play for play in legal if follows(play, trick[0].suit)]
    return legal


def lifted(deck: Deck, trick: Sequence[Play]) -> bool:
    """Whether a trump lifts the Dancer above all other cards."""
    dancer = next((index for index, play in enumerate(trick) if play.card == deck.dancer), None)
    if dancer is None:
        return False
    trumping = trick[:dancer] if deck.readings.late_trump_does_not_lift else trick
    return any(play.suit == TRUMP for play in trumping)


def _strength(deck: Deck, play: Play) -> tuple[int, bool]:
    """Sort key of plays within a suit: by number, and on equal numbers the printed card above the Dancer."""
    return deck.cards[play.card].number, play.card != deck.dancer


def winner(deck: Deck, trick: Sequence[Play]) -> int:
    """The index in a full trick (0 for the lead) of the winning card."""
    if lifted(deck, trick):
        return next(turn for turn, play in enumerate(trick) if play.card == deck.dancer)
    trumped = any(play.suit == TRUMP for play in trick)
    suit = TRUMP if trumped else trick[0].suit
    places = [turn for turn, play in enumerate(trick) if play.suit == suit]
    return max(places, key=lambda turn: _strength(deck, trick[turn]))


def bottom(deck: Deck, trick: Sequence[Play]) -> int | None:
    """The index in a full trick of the bottom card, whose player is given a card; None if there is none.

    It is the lowest card of the lead suit, unless that card won. A Dancer lifted by a trump does not count.
    """
    raised = lifted(deck, trick)
    won = winner(deck, trick)
    places = [
        turn
        for turn, play in enumerate(trick)
        if play.suit == trick[0].suit and not (raised and play.card == deck.dancer)
    ]
    if not places:
        return None
    if deck.readings.no_bottom_when_trumped and places == [0] and (raised or trick[won].suit == TRUMP):
        return None
    lowest = min(places, key=lambda turn: _strength(deck, trick[turn]))
    return None if lowest == won else lowest


def available(deck: Deck, trick: Sequence[Play]) -> int:
    """The mask of the cards of a full trick that may be taken: those with lower numbers than the winning card."""
    won = trick[winner(deck, trick)].card
    return mask(play.card for play in trick if deck.cards[play.card].number < deck.cards[won].number)


def takings(deck: Deck, trick: Sequence[Play]) -> list[Taking]:
    """The legal takings of a full trick, in canonical order. There is at least one, which may take nothing."""
    turn = winner(deck, trick)
    rest = mask(play.card for play in trick) & ~(1 << trick[turn].card)
    lower = list(members(available(deck, trick)))
    receiver = bottom(deck, trick)
    ways: list[Taking] = []
    for taken in combinations(lower, min(TAKEN, len(lower))):
        left = rest & ~mask(taken)
        if receiver is None or not left:
            ways.append(Taking(taken, None))
        else:
            ways += [Taking(taken, given) for given in members(left)]
    return ways


def legal_moves(state: State) -> list[Move]:
    """Every legal move, in canonical order; none once the round is over."""
    if state.full:
        return list(takings(state.deck, state.trick))
    return list(playable(state.deck, state.hands[state.to_move], state.trick))


def with_seat(masks: Masks, seat: int, new: int) -> Masks:
    """`masks` with the mask of `seat` replaced by `new`."""
    return tuple(new if other == seat else old for other, old in enumerate(masks))


def gains(deck: Deck, leader: int, trick: Sequence[Play], taking: Taking) -> list[tuple[int, int]]:
    """The winner of a full trick and then, if it is given a card, the bottom.

    Each seat is paired with the mask of the cards that it gets.
    """
    turn = winner(deck, trick)
    players = len(trick)
    gained = [((leader + turn) % players, 1 << trick[turn].card | mask(taking.taken))]
    receiver = bottom(deck, trick)
    if taking.to is not None:
        gained.append((taking.to, mask(taking.gifts)))
    elif taking.given is not None and receiver is not None:
        gained.append(((leader + receiver) % players, mask(taking.gifts)))
    return gained


def play(state: State, move: Move) -> State:
    """The state after a legal move. A taking ends the trick, and the winner leads the next."""
    seat = state.to_move
    if isinstance(move, Play):
        hands = with_seat(state.hands, seat, state.hands[seat] & ~(1 << move.card))
        return State(state.deck, hands, state.leader, (*state.trick, move), state.won)
    won = state.won
    for receiver, cards in gains(state.deck, state.leader, state.trick, move):
        won = with_seat(won, receiver, won[receiver] | cards)
    return State(state.deck, state.hands, seat, (), won)


# ----------------------------------------------------------------------------------------------------
# King × Alchemy's cards and moves as text: ``F3``, ``D:F``, ``take F3 W1 give E9``, ``take -``.


TAKE, GIVE, TO, SEAT, NOTHING = "take", "give", "to", "seat", "-"


def play_text(deck: Deck, play: Play) -> str:
    """Write a played card as text: its code and, for the Dancer, the suit named for it."""
    code = deck.cards[play.card].code
    return f"{code}:{deck.suits[play.suit]}" if play.card == deck.dancer else code


def move_text(deck: Deck, move: Move) -> str:
    """Write a move as text, such as ``F3``, ``D:F`` or ``take F3 W1 give E9``."""
    if isinstance(move, Play):
        return play_text(deck, move)
    text = f"{TAKE} {' '.join(deck.codes(move.taken)) or NOTHING}"
    if move.gifts:
        text += f" {GIVE} {' '.join(deck.codes(move.gifts))}"
    return text if move.to is None else f"{text} {TO} {move.to}"


def play_of(deck: Deck, text: str) -> Play | str:
    """Parse a play; if the text is not one, return a message that says why."""
    code, colon, letter = text.partition(":")
    card = deck.index.get(code)
    if card is None:
        return say("{code!r} is not a card of the deck {name}", code=code, name=deck.name)
    suit = deck.cards[card].suit
    letters = ", ".join(f"{code}:{letter}" for letter in deck.suits)
    if suit != DANCER:
        return (
            say("{code} has its own suit: only the Dancer is named one", code=code) if colon else Play(card, suit)
        )
    if not colon:
        return say("the Dancer is named a suit when it is played: {letters}", letters=letters)
    if letter not in deck.suits:
        return say("{text!r} names no suit; the Dancer is played as {letters}", text=text, letters=letters)
    return Play(card, deck.suits.index(letter))


def card_of(deck: Deck, text: str) -> int | str:
    """Parse a card; if the text is not one, return a message that says why. The Dancer has no suit here."""
    card = deck.index.get(text)
    if card is not None:
        return card
    if text.partition(":")[0] in deck.index:
        return say(
            "{text!r} is a card as it is played; in a hand or a pile it is {partition}",
            text=text,
            partition=text.partition(":")[0],
        )
    return say("{text!r} is not a card of the deck {name}", text=text, name=deck.name)


def parse(deck: Deck, text: str) -> Move:
    """Parse a move; the cards taken may be in any order. Raises MoveError if the text is not a move."""
    words = text.split()
    if not words or words[0] != TAKE:
        if len(words) != 1:
            raise MoveError(
                "illegal_move",
                say("{text!r} is not a move; moves are like F3, D:F and take F3 W1 give E9", text=text),
            )
        play = play_of(deck, words[0])
        if isinstance(play, str):
            raise MoveError("illegal_move", play)
        return play
    taken, gifts, to = words[1:], list[int](), None
    if GIVE in taken:
        index = taken.index(GIVE)
        taken, rest = taken[:index], taken[index + 1 :]
        if rest[-3:-1] == [TO, SEAT]:
            del rest[-2]
        if rest[-2:-1] == [TO] and rest[-1].isdecimal():
            rest, to = rest[:-2], int(rest[-1])
        if TO in rest or GIVE in rest:
            message = say(
                "{text!r}: all cards of a trick that are given go to one seat, as in give F3 W1 to 2; if several "
                "seats got some, enter ? in place of another player's card, and the trick counts as missed",
                text=text,
            )
            raise MoveError("illegal_move", message)
        if not rest:
            raise MoveError("illegal_move", say("{text!r}: one card is given", text=text))
        gifts = sorted(card_named(deck, word) for word in rest)
    if taken == [NOTHING]:
        taken = []
    elif not taken:
        raise MoveError(
            "illegal_move",
            say("{text!r}: say which cards are taken, or {take} {nothing}", text=text, take=TAKE, nothing=NOTHING),
        )
    cards = sorted(card_named(deck, word) for word in taken)
    return Taking(tuple(cards), gifts[0] if gifts else None, tuple(gifts[1:]), to)


def card_named(deck: Deck, word: str) -> int:
    """Parse a card within the text of a move. Raises MoveError if there is no such card."""
    card = card_of(deck, word)
    if isinstance(card, str):
        raise MoveError("illegal_move", card)
    return card
