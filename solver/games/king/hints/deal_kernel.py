"""A view of King × Alchemy in words, and drawing the hidden hands of a world, as kernels."""

from __future__ import annotations

from typing import NamedTuple

from solver.games.king.cards.rules import PLAYERS as SEATS
from solver.hints.deals import Numbering, draw_places
from solver.kernels.arrays import Words
from solver.kernels.jit import kernel

# Words of a question: the seat that asks, its hand, what it is asked to do, and the cards that it sees elsewhere,
# those on the table included; then each pile.
SEAT, HAND, STAGE, GONE, PILES = range(5)
MOST_SEATS = SEATS[1]
QUESTION_WORDS = PILES + MOST_SEATS

PICKING, PLAYING, SHARING = range(3)  # stages


class Question(NamedTuple):
    """A view: its `words`, as above, the unseen `cards`, and how they can be dealt."""

    words: Words
    cards: Words
    numbering: Numbering


@kernel
def draw_world(question: Question, players: int, random: Words, places: Words, hands: Words) -> None:
    """Draw one of the deals that agree with the question, each as likely as any other.

    Group g is the hand of the seat g + 1 after the one that asks. Written are the group of each unseen card, and
    the hands (masks by seat).
    """
    seat = question.words[SEAT]
    draw_places(question.numbering, random, places)
    for other in range(players):
        hands[other] = 0
    hands[seat] = question.words[HAND]
    for index in range(len(question.cards)):
        hands[(seat + 1 + places[index]) % players] |= 1 << question.cards[index]
