"""The rules of alchemy in plain Python: matches, the solitaire turn, the duel's minimum sizes.

Source: Alchemy rulebook v2.0 and the rulings in `rules.md`. Uses no search and no NumPy.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Annotated, Literal

from pydantic import Field

from solver.codec import OrText
from solver.games.alchemy.deck import COPIES, JOKER, Move, Side, discard, match
from solver.rule_options import ANY_ON, Option, Readings

SHORTEST = 3  # the shortest playable line: with a shorter one and stock left, the game is lost


@dataclass(frozen=True, slots=True)
class Variant:
    """The rules of a solitaire: its highest rank, initial line length, and fewest line cards of a match.

    `shortest` is the shortest playable line; with a shorter one and stock left, the game is lost.
    """

    name: Literal["solo", "alternative"]
    ranks: int
    cap: int
    min_line: int
    shortest: int = SHORTEST

    @property
    def caps(self) -> int:
        """The number of playable line lengths."""
        return self.cap - self.shortest + 1

    @property
    def deck(self) -> list[int]:
        """The full deck as sorted ranks."""
        return [rank for rank in range(1, self.ranks + 1) for _ in range(COPIES)]


SOLITAIRE: dict[str, Variant] = {v.name: v for v in (Variant("solo", 13, 6, 3), Variant("alternative", 10, 4, 1))}
WITHOUT_CAP_LOSS = replace(
    SOLITAIRE["alternative"], shortest=1
)  # by an option: the game goes on while a card is in the line
DUEL_LINE = 6
MOST_JOKERS = 3  # in a deck: one from the start and two from 75 points on, all of them options
WINNING_TOTAL = 100
JOKER_TOTAL = 75  # from this total on, a match may add jokers to the deck


def matches(line: Sequence[int], hand: int, min_line: int) -> Iterator[Move]:
    """Yield every distinct match of a line with a drawn card, in canonical order.

    A match is a split of the drawn card and some line cards, at least `min_line`, into two sets with equal sums;
    of several splits of the same cards, the canonical one is given. If `hand` is JOKER, it counts in neither sum.
    """
    ranks = sorted(line)

    def extend(first: int, used: Side, total: int, sums: int) -> Iterator[Move]:
        # `sums` has bit s set if some part of `used` sums to s.
        if len(used) >= max(min_line, 1) and _splits(total - hand, sums):
            yield match(hand, *_witness(used, (total - hand) // 2))
        previous = 0
        for index in range(first, len(ranks)):
            rank = ranks[index]
            if rank != previous:
                yield from extend(index + 1, (*used, rank), total + rank, sums | sums << rank)
                previous = rank

    yield from extend(0, (), 0, 1)


def _splits(spare: int, sums: int) -> bool:
    """Whether some line cards form a match with the drawn card.

    `spare` is the sum of these cards minus the drawn card's rank. Bit s of `sums` is set if a subset of them sums
    to s.
    """
    return spare >= 0 and spare % 2 == 0 and bool(sums >> spare // 2 & 1)


def match_of(used: Iterable[int], hand: int) -> Move | None:
    """Return the match that uses exactly these line cards, with its canonical split; None if there is none."""
    ranks = tuple(sorted(used))
    sums = 1
    for rank in ranks:
        sums |= sums << rank
    spare = sum(ranks) - hand
    return match(hand, *_witness(ranks, spare // 2)) if ranks and _splits(spare, sums) else None


def _witness(used: Side, target: int) -> tuple[Side, Side]:
    """Return the lexicographically smallest part of `used` that sums to `target`, and the rest."""
    suffix = [1]  # subset sums of used[i:], built from the end
    for rank in reversed(used):
        suffix.append(suffix[-1] | suffix[-1] << rank)
    suffix.reverse()
    part: list[int] = []
    rest: list[int] = []
    for index, rank in enumerate(used):
        # Greedily taking the lowest possible card gives the smallest list.
        if rank <= target and suffix[index + 1] >> (target - rank) & 1:
            part.append(rank)
            target -= rank
        else:
            rest.append(rank)
    return tuple(part), tuple(rest)


def solitaire_moves(variant: Variant, line: Sequence[int], hand: int) -> list[Move]:
    """Return the legal moves of a solitaire turn: all matches or, if there are none, all discards.

    Ruling: a player may not decline a match.
    """
    listed = list(matches(line, hand, variant.min_line))
    return listed or [discard(rank) for rank in sorted(set(line))]


@dataclass(frozen=True, slots=True)
class Turn:
    """A turn of a solitaire, with cards as ranks; when the game is over, `hand` is None and `won` its result."""

    cap: int
    line: Side
    hand: int | None
    stock: Side
    won: bool | None = None


def solitaire_play(variant: Variant, turn: Turn, move: Move) -> Turn:
    """Play a move, refill the line and draw the next hand, or end the game."""
    line = list(turn.line)
    for rank in move.used:
        line.remove(rank)
    cap = turn.cap - (move.kind == "discard")
    drawn = max(0, min(cap - len(line), len(turn.stock)))
    line += turn.stock[:drawn]
    stock = turn.stock[drawn:]
    if not stock:
        return Turn(cap, tuple(line), None, (), won=True)
    if cap < variant.shortest:
        return Turn(cap, tuple(line), None, stock, won=False)
    return Turn(cap, tuple(line), stock[0], stock[1:])


def duel_min_line(hand: int, table_jokers: int) -> int:
    """Return the fewest line cards that a match in a duel must use.

    Normally 1. By house rules, it is 4 if the hand is a joker or if jokers are set aside, and 5 if both.
    """
    if hand == JOKER:
        return 5 if table_jokers else 4
    return 4 if table_jokers else 1


# ----------------------------------------------------------------------------------------------------
# Options: disputed readings of Alchemy's rulebook, and its duel's jokers.


class AlchemyReadings(Readings):
    """Options for disputed rules of alchemy and for house rules; all are off by default."""

    alternative_without_cap_loss: Annotated[
        Option,
        Field(description="alternative: play continues with a line of two cards or one, and is lost with none"),
    ] = False
    house_joker: Annotated[
        Option, Field(description="duel (house rule): one joker is in the deck from the start")
    ] = False
    one_joker: Annotated[
        Option, Field(description="duel: once a player has 75 points, one more joker is in the deck")
    ] = False
    two_jokers: Annotated[
        Option, Field(description="duel: once a player has 75 points, two more jokers are in the deck")
    ] = False

    @property
    def jokers(self) -> tuple[int, int]:
        """The number of jokers in a duel's deck: while both players are below 75 points, and afterwards."""
        return int(self.house_joker), self.house_joker + self.one_joker + 2 * self.two_jokers


USUAL = AlchemyReadings()
RulesField = Annotated[AlchemyReadings | None, ANY_ON, OrText("alternative_without_cap_loss")]
