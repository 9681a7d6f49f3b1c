"""Cards of alchemy. Suits never matter: a card is its rank, 1 (A) to 13 (K), or 0 for a joker."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Literal

from solver.errors import MoveError
from solver.language import say

JOKER = 0
KING = 13
RANKS = range(1, 14)
COPIES = 4  # of each rank in a deck

_TEXT = ("X", "A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K")
_RANK = {text: rank for rank, text in enumerate(_TEXT)} | {"T": 10}
_SUITS = "SHDC♠♥♦♣"
# How a card may be written, in upper case.
TEXTS = (
    *_RANK,
    *(text + suit for text in _RANK if text != _TEXT[JOKER] for suit in _SUITS),
)


def rank_of(text: str) -> int | None:
    """The rank of the card that a text names, in either case, with or without a suit; None if it names no card."""
    text = text.upper()
    if text in _RANK:
        return _RANK[text]
    if len(text) > 1 and text[-1] in _SUITS:
        rank = _RANK.get(text[:-1])
        return rank if rank != JOKER else None
    return None


def card(rank: int) -> str:
    """The text of a rank."""
    return _TEXT[rank]


def cards(ranks: Iterable[int]) -> list[str]:
    """The texts of some ranks."""
    return [_TEXT[rank] for rank in ranks]


def points(pile: Iterable[int]) -> int:
    """The points of a duel player's pile at the end of a round.

    K is 2, a joker 10, any other card 1; the four aces together are 10. Ruling: with the aces of several decks (a
    `free` puzzle), the set of four counts once and each further ace 1.
    """
    total = aces = 0
    for rank in pile:
        total += 10 if rank == JOKER else 2 if rank == KING else 1
        aces += rank == 1
    return total + (6 if aces >= COPIES else 0)


# ----------------------------------------------------------------------------------------------------
# Moves: a match, the discard of a line without a match, or declining (duel).


Side = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Move:
    """One move. Moves that use the same ranks are equal, however they split them.

    `used` holds the ranks that leave the line, ascending (for a discard, the one card). `sides` is the split of a
    match as it is printed, with the hand first on its side; empty for other moves.
    """

    kind: Literal["match", "discard", "none"]
    used: Side = ()
    sides: tuple[Side, Side] | tuple[()] = field(default=(), compare=False)

    def __str__(self) -> str:
        if self.kind == "match" and self.sides:
            return "=".join("+".join(cards(side)) for side in self.sides)
        return "none" if self.kind == "none" else f"discard {card(self.used[0])}"


NONE = Move("none")


def match(hand: int, hand_side: Side, other_side: Side) -> Move:
    """The match with `hand` on `hand_side`; both sides are given as line cards in ascending order."""
    used = tuple(sorted(hand_side + other_side))
    if hand == JOKER:
        return Move("match", used, (hand_side, other_side))
    return Move("match", used, ((hand, *hand_side), other_side))


def discard(rank: int) -> Move:
    return Move("discard", (rank,))


def _ranks(side: str, text: str) -> list[int]:
    ranks = []
    for word in side.split("+"):
        rank = rank_of(word.strip())
        if rank is None or rank == JOKER:
            raise MoveError(
                "illegal_move", say("{word!r} in {text!r} is not a card with a rank", word=word.strip(), text=text)
            )
        ranks.append(rank)
    return ranks


def parse_move(text: str, hand: int | None) -> Move:
    """Read a move made with the card `hand` (JOKER for a joker, None for no card).

    Sides, and the cards in them, may come in any order. Raises MoveError if the text is not a move, the sides have
    different sums, or no side holds the hand. The line is not checked here.
    """
    words = text.lower().split()
    if words == ["none"]:
        return NONE
    if words[:1] == ["discard"]:
        rank = rank_of(words[1]) if len(words) == 2 else None
        if rank is None or rank == JOKER:
            raise MoveError("illegal_move", say("{text!r} does not name one card to discard", text=text))
        return discard(rank)
    if text.count("=") != 1:
        raise MoveError(
            "illegal_move",
            say("{text!r} is not a move: write a split like 6+7=4+9, discard K or none", text=text),
        )
    first, second = (_ranks(side, text) for side in text.split("="))
    if sum(first) != sum(second):
        raise MoveError(
            "illegal_move",
            say(
                "in {text!r} the sides sum to {first} and {second}",
                text=text,
                first=sum(first),
                second=sum(second),
            ),
        )
    if hand == JOKER:
        low, high = sorted((tuple(sorted(first)), tuple(sorted(second))))
        return match(JOKER, low, high)
    for side, other in ((first, second), (second, first)):
        if hand in side:
            side.remove(hand)
            return match(hand, tuple(sorted(side)), tuple(sorted(other)))
    held = say("no card") if hand is None else card(hand)
    raise MoveError("illegal_move", say("{text!r} does not use the hand, {held}", text=text, held=held))
