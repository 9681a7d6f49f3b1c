"""Moves of alchemy: a match, the discard of a line without one, or declining (duel)."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from solver.games.alchemy.cards.deck import JOKER, card, cards, rank_of
from solver.inputs.errors import MoveError

Side = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Move:
    """One move. Two moves that use the same ranks are equal, whatever split witnesses them.

    `used` holds the line's ranks that leave it, ascending (for a discard the one card). `sides` is a
    match's witness as it is printed, the hand first in its side; empty otherwise.
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
    """The match in which `hand` joins `hand_side` (both sides hold line cards, ascending)."""
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
            raise MoveError("illegal_move", f"{word.strip()!r} in {text!r} is no card with a rank")
        ranks.append(rank)
    return ranks


def parse_move(text: str, hand: int | None) -> Move:
    """Read a move made with the card `hand` (JOKER for a joker, None for no card).

    Sides, and the cards in them, may come in any order. Raises MoveError when the text is no move, when the
    sides do not sum to the same, or when no side holds the hand. Whether the line allows it is not asked here.
    """
    words = text.split()
    if words == ["none"]:
        return NONE
    if words[:1] == ["discard"]:
        rank = rank_of(words[1]) if len(words) == 2 else None
        if rank is None or rank == JOKER:
            raise MoveError("illegal_move", f"{text!r} does not name one card to discard")
        return discard(rank)
    if text.count("=") != 1:
        raise MoveError("illegal_move", f"{text!r} is no move: expected a split like 6+7=4+9, discard K or none")
    first, second = (_ranks(side, text) for side in text.split("="))
    if sum(first) != sum(second):
        raise MoveError("illegal_move", f"in {text!r} the sides sum to {sum(first)} and {sum(second)}")
    if hand == JOKER:
        low, high = sorted((tuple(sorted(first)), tuple(sorted(second))))
        return match(JOKER, low, high)
    for side, other in ((first, second), (second, first)):
        if hand in side:
            side.remove(hand)
            return match(hand, tuple(sorted(side)), tuple(sorted(other)))
    held = "no card" if hand is None else card(hand)
    raise MoveError("illegal_move", f"{text!r} does not use the hand, {held}")
