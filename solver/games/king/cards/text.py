"""King × Alchemy's cards and moves as text: ``F3``, ``D:F``, ``take F3 W1 give E9``, ``take -``."""

from __future__ import annotations

from solver.games.king.cards.deck import DANCER, Deck
from solver.games.king.cards.rules import Move, Play, Taking
from solver.inputs.errors import MoveError

TAKE, GIVE, NOTHING = "take", "give", "-"


def play_text(deck: Deck, play: Play) -> str:
    """A played card: its code, and of a Dancer the suit that it is named."""
    code = deck.cards[play.card].code
    return f"{code}:{deck.suits[play.suit]}" if play.card == deck.dancer else code


def move_text(deck: Deck, move: Move) -> str:
    """The contract's text of a move."""
    if isinstance(move, Play):
        return play_text(deck, move)
    text = f"{TAKE} {' '.join(deck.codes(move.taken)) or NOTHING}"
    return text if move.given is None else f"{text} {GIVE} {deck.cards[move.given].code}"


def play_of(deck: Deck, text: str) -> Play | str:
    """The play that a text names, or why it names none."""
    code, colon, letter = text.partition(":")
    card = deck.index.get(code)
    if card is None:
        return f"{code!r} is no card of the deck {deck.name}"
    suit = deck.cards[card].suit
    letters = ", ".join(f"{code}:{letter}" for letter in deck.suits)
    if suit != DANCER:
        return f"{code} has its own suit: only the Dancer is named one" if colon else Play(card, suit)
    if not colon:
        return f"the Dancer is named a suit when it is played: {letters}"
    if letter not in deck.suits:
        return f"{text!r} names no suit; the Dancer is played as {letters}"
    return Play(card, deck.suits.index(letter))


def card_of(deck: Deck, text: str) -> int | str:
    """The card that a text names, or why it names none. A Dancer in a hand or a pile has no suit."""
    card = deck.index.get(text)
    if card is not None:
        return card
    if text.partition(":")[0] in deck.index:
        return f"{text!r} is a card as it is played; in a hand or a pile it is {text.partition(':')[0]}"
    return f"{text!r} is no card of the deck {deck.name}"


def parse(deck: Deck, text: str) -> Move:
    """The move that a text means; the cards taken may stand in any order. Raises MoveError."""
    words = text.split()
    if not words or words[0] != TAKE:
        if len(words) != 1:
            raise MoveError("illegal_move", f"{text!r} is no move; moves are like F3, D:F and take F3 W1 give E9")
        found = play_of(deck, words[0])
        if isinstance(found, str):
            raise MoveError("illegal_move", found)
        return found
    taken, given = words[1:], None
    if GIVE in taken:
        place = taken.index(GIVE)
        taken, rest = taken[:place], taken[place + 1 :]
        if len(rest) != 1:
            raise MoveError("illegal_move", f"{text!r}: one card is given")
        given = _card(deck, rest[0])
    if taken == [NOTHING]:
        taken = []
    elif not taken:
        raise MoveError("illegal_move", f"{text!r}: say which cards are taken, or {TAKE} {NOTHING}")
    cards = sorted(_card(deck, word) for word in taken)
    return Taking(tuple(cards), given)


def _card(deck: Deck, word: str) -> int:
    found = card_of(deck, word)
    if isinstance(found, str):
        raise MoveError("illegal_move", found)
    return found
