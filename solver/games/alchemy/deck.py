"""Cards and moves of alchemy.

Suits never matter: a card is its rank, 1 (A) to 13 (K), or 0 for a joker.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Literal

from solver.errors import MoveError
from solver.language import say
from solver.texts import plain

JOKER = 0
KING = 13
RANKS = range(1, 14)
COPIES = 4  # of each rank in a deck
# Points in a duel: of a card by its rank, and of four aces besides their own.
WORTH = (10, *(1,) * 12, 2)
FOUR_ACES = 6

_TEXT = ("X", "A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K")
_RANK = {text: rank for rank, text in enumerate(_TEXT)} | {"T": 10}
_SUITS = "SHDC♠♥♦♣"
# How a card may be written, in upper case.
TEXTS = (
    *_RANK,
    *(text + suit for text in _RANK if text != _TEXT[JOKER] for suit in _SUITS),
)


def rank_of(text: str) -> int | None:
    """Return the rank of a card such as "7", "k", "10♠" or "S7", or None if `text` is not a card."""
    text = plain(text).upper()
    if text in _RANK:
        return _RANK[text]
    for suit, rest in ((text[-1:], text[:-1]), (text[:1], text[1:])):
        if rest and suit in _SUITS and _RANK.get(rest, JOKER) != JOKER:
            return _RANK[rest]
    return None


def card(rank: int) -> str:
    """Return a card's text, such as "7", "K" or "X" (joker)."""
    return _TEXT[rank]


def cards(ranks: Iterable[int]) -> list[str]:
    return [_TEXT[rank] for rank in ranks]


def points(pile: Iterable[int]) -> int:
    """Return the points that a duel player's pile is worth at the end of a round.

    A king is worth 2, a joker 10, any other card 1; four aces together are worth 10. Ruling: where there are more
    than four aces (a `free` puzzle), each further ace is worth 1.
    """
    total = aces = 0
    for rank in pile:
        total += WORTH[rank]
        aces += rank == 1
    return total + (FOUR_ACES if aces >= COPIES else 0)


# ----------------------------------------------------------------------------------------------------
# Moves: a match, the discard of a line without a match, or declining (duel).


Side = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Move:
    """A match, a discard, or declining to match. Moves that use the same ranks are equal, whatever their sides.

    `used` holds the ranks that leave the line, ascending (for a legal discard, a single card). `sides` is the
    split of a match as it is printed, with the drawn card first on its side; empty for other moves.
    """

    kind: Literal["match", "discard", "none"]
    used: Side = ()
    sides: tuple[Side, Side] | tuple[()] = field(default=(), compare=False)

    def __str__(self) -> str:
        if self.kind == "match" and self.sides:
            return "=".join("+".join(cards(side)) for side in self.sides)
        return "none" if self.kind == "none" else f"discard {' '.join(cards(self.used))}"


NONE = Move("none")


def match(hand: int, hand_side: Side, other_side: Side) -> Move:
    """Return the match of line cards `hand_side` plus the drawn card `hand` against line cards `other_side`.

    Both sides must be in ascending order. A joker as `hand` counts in neither sum.
    """
    used = tuple(sorted(hand_side + other_side))
    if hand == JOKER:
        return Move("match", used, (hand_side, other_side))
    return Move("match", used, ((hand, *hand_side), other_side))


def discard(rank: int) -> Move:
    return Move("discard", (rank,))


def against_text(text: str, *, seats: bool) -> str | None:
    """Return a move of `as_played` in its usual spelling, or None if it is none.

    With `seats`, it begins with the seat of a duel: ``1:5+2=8``.
    """
    seat, colon, move = text.rpartition(":")
    if colon != seats * ":" or (seats and seat not in ("0", "1")):
        return None
    sides = ["+".join(_known(side.split("+"))) for side in move.split("=")]
    words = move.lower().split()
    if len(sides) == 2 and all(sides):
        usual = "=".join(sides)
    elif words == ["none"] or (
        words[:1] == ["discard"] and words[1:] and len(_known(words[1:])) == len(words) - 1
    ):
        usual = " ".join([words[0], *_known(words[1:])])
    else:
        return None
    return f"{seat}{colon}{usual}"


def ranks_in(text: str) -> list[int]:
    """Return the ranks of the cards in the text of a move, in its order."""
    return [rank for word in re.split("[:+= ]", text) if (rank := rank_of(word))]


def _known(texts: Iterable[str]) -> list[str]:
    """Return cards in their usual spelling; empty if one is none, or a joker."""
    ranks = [rank_of(text) for text in texts]
    return [] if None in ranks or JOKER in ranks else cards(rank for rank in ranks if rank is not None)


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


def parse_move(text: str, hand: int | None, *, anyway: bool = False) -> Move:
    """Parse a move such as ``6+7=4+9``, ``discard K`` or ``none``, made with the drawn card `hand`.

    `hand` is a rank, JOKER, or None if no card is drawn. The two sides, and the cards in each, may be in any
    order. Raises MoveError if the text is not a move, the sums differ, or neither side contains `hand`. Whether
    the line holds the cards is not checked. If the move stood `anyway`, the sums may differ, and several cards
    may be discarded.
    """
    words = text.lower().split()
    if words == ["none"]:
        return NONE
    if words[:1] == ["discard"]:
        ranks = [rank_of(word) for word in words[1:]]
        if not ranks or None in ranks or JOKER in ranks or (len(ranks) > 1 and not anyway):
            raise MoveError("illegal_move", say("{text!r} does not name one card to discard", text=text))
        return Move("discard", tuple(sorted(rank for rank in ranks if rank is not None)))
    if text.count("=") != 1:
        raise MoveError(
            "illegal_move",
            say("{text!r} is not a move: write a split like 6+7=4+9, discard K or none", text=text),
        )
    first, second = (_ranks(side, text) for side in text.split("="))
    if sum(first) != sum(second) and not anyway:
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
    why = say("{text!r} does not use the hand, {held}", text=text, held=held)
    if anyway:
        why = say("{why}: write every card that left the table, and the hand with them", why=why)
    raise MoveError("illegal_move", why)
