"""The most points of the others' cards that own cards capture: a matching, as in a transversal matroid.

Cards are served the dearest first, and one that finds its captors busy makes others move on (Kuhn's augmenting
paths); so the cards served are the best that can be served together, whichever number of them is kept.
"""

from __future__ import annotations

from solver.games.king.cards.deck import CARDS
from solver.games.king.fast_rules.kernel import CAPTORS, LEVELS, MATCHED, MATCHED_WORDS, MATCHING, MOST_OWN
from solver.kernels.arrays import Words
from solver.kernels.bits import popcount, trailing_zeros
from solver.kernels.jit import inlined, lean

VIA = MATCHING + CARDS  # for every own card that a path has reached: the card it would capture, and from where
ON_THE_WAY = 1 << 12
# Words of what was found: the points captured, and for each number of own cards, first the points that go besides
# when so many capture nothing instead of one fewer, then the most points of a card that is left from then on.
TOTAL = MATCHED
LOST = TOTAL + 1
SPARE = LOST + MOST_OWN + 1


@inlined
def served(deal: Words, own: int, card: int, room: int, full: int) -> int:
    """Let one of the own cards capture `card`, and move what others capture among them to make room for it.

    Returns the own card that captures one card more than before. Where there is no room, it returns -1 - s
    instead, with the set s of all own cards that were asked: none of them has room, nor will they have.

    MATCHING has for every own card the set that it captures, of at most `room`; those of `full` have no room.
    """
    seen = own & deal[CAPTORS + card]
    queue = seen
    rest = seen
    while rest != 0:
        deal[VIA + trailing_zeros(rest)] = card
        rest &= rest - 1
    while seen & ~full == 0:
        if queue == 0:
            return int(-1 - seen)
        busy = trailing_zeros(queue)
        queue &= queue - 1
        held = deal[MATCHING + busy]
        while held != 0:
            other = trailing_zeros(held)
            held &= held - 1
            more = own & deal[CAPTORS + other] & ~seen
            seen |= more
            queue |= more
            while more != 0:
                deal[VIA + trailing_zeros(more)] = ON_THE_WAY | (busy << 6) | other
                more &= more - 1
    found = trailing_zeros(seen & ~full)
    captor = found
    while True:
        step = deal[VIA + captor]
        deal[MATCHING + captor] |= 1 << (step & 63)
        if step & ON_THE_WAY == 0:
            return int(found)
        captor = (step >> 6) & 63
        deal[MATCHING + captor] &= ~(1 << (step & 63))


@inlined
def begin_captures(deal: Words) -> None:
    """Before the cards of the first hand, or of all."""
    for word in range(MATCHED, MATCHED + MATCHED_WORDS):
        deal[word] = 0


@lean
def captures(deal: Words, own: int, cards: int, room: int) -> None:
    """Add what own cards capture of `cards`, each at most `room`, to the words from TOTAL on."""
    places = room * popcount(own)
    full = 0
    hopeless = 0
    rest = own
    while rest != 0:
        deal[MATCHING + trailing_zeros(rest)] = 0
        rest &= rest - 1
    for level in range(deal[LEVELS]):
        points = deal[LEVELS + 1 + 2 * level]
        these = cards & deal[LEVELS + 2 + 2 * level]
        while these != 0:
            card = trailing_zeros(these)
            these &= these - 1
            captor = -1
            if own & deal[CAPTORS + card] & ~hopeless != 0:
                captor = served(deal, own, card, room, full)
                if captor < 0:
                    hopeless |= -1 - captor
            if captor < 0:
                deal[SPARE] = max(deal[SPARE], points)
                continue
            if popcount(deal[MATCHING + captor]) == room:
                full |= 1 << captor
            deal[TOTAL] += points
            idle = (places + room - 1) // room  # own cards, one of them busy at least unless so many are idle
            places -= 1
            deal[LOST + idle] += points
            deal[SPARE + idle] = max(deal[SPARE + idle], points)
