"""The plausible player of King × Alchemy, slowly: what its features are by the rules, play by play."""

from __future__ import annotations

from collections import Counter
from functools import cache

import numpy as np

from solver.common import members
from solver.games.king import rules
from solver.games.king.deck import CARDS, SUITS, TRUMP, Card, Deck
from solver.games.king.rules import Play
from solver.hints.network import Chooser


@cache
def lacking(deck: Deck, pile: int) -> dict[int, int]:
    """How many cards a pile lacks for each carrier's recipe, the carrier included."""
    has = Counter(deck.cards[number].provides for number in members(pile))
    found = {}
    for carrier in range(CARDS):
        made = deck.cards[carrier].recipe
        if made is not None:
            missing = sum(max(0, units - has[kind]) for kind, units in Counter(made.needs).items())
            found[carrier] = missing + (0 if pile >> carrier & 1 else 1)
    return found


def worth(deck: Deck, piles: tuple[int, ...], seat: int, lost: int, chance: float, card: int) -> float:
    """What a card adds for a seat when a lacking card comes with this chance; `lost` are out of play."""
    found = float(deck.cards[card].vp)
    gone = lost | sum(pile for other, pile in enumerate(piles) if other != seat)
    then = lacking(deck, piles[seat] | 1 << card)
    for carrier, now in lacking(deck, piles[seat]).items():
        made = deck.cards[carrier].recipe
        if made is not None and not gone >> carrier & 1:
            found += made.bonus * (chance ** then[carrier] - chance**now)
    return found


def features(
    deck: Deck, trick: tuple[Play, ...], later: int, hand: int, unseen: int, play: Play, worths: dict[int, float]
) -> list[float]:
    """The features of a play, in the order of `solver.games.king.players`.

    `later` seats play after this one; `worths` has the card's own worth and those of the cards on the table.
    """
    table, lead = (*trick, play), (trick[0] if trick else play).suit
    card = deck.cards[play.card]
    own = worths[play.card]
    hidden = list(members(unseen))

    def shown(other: int) -> Play:
        return Play(other, lead if other == deck.dancer else deck.cards[other].suit)

    def share(some: list[int]) -> float:
        return len(some) / len(hidden) if hidden else 0.0

    wins = sharp = gain = yet = 0.0
    lower = [other for other in hidden if deck.cards[other].number < card.number]
    if rules.winner(deck, table) == len(trick):
        beaters = [other for other in hidden if rules.winner(deck, (*table, shown(other))) != len(trick)]
        followed = [other for other in hidden if lead < SUITS and deck.cards[other].suit == play.suit == lead]
        suited = [other for other in beaters if other in followed]
        wins = (1 - share(beaters)) ** later
        follows = 1 - len(suited) / (len(followed) + 1)
        sharp = (follows * (1 - share([other for other in beaters if other not in followed]))) ** later
        takable = [worths[other.card] for other in trick if deck.cards[other.card].number < card.number]
        gain = sum(sorted(takable)[-2:])
        yet = min(2.0 - min(len(takable), 2), later * share(lower))

    number = height = length = void = trump_number = 0.0
    if card.suit == TRUMP:
        trumps = [other for other in deck.cards if other.suit == TRUMP]
        trump_number = sum(other.number < card.number for other in trumps) / (len(trumps) - 1)
    elif play.card != deck.dancer:
        suit = [other for other in range(CARDS) if deck.cards[other].suit == card.suit]
        number = sum(deck.cards[other].number < card.number for other in suit) / (len(suit) - 1)
        of_suit = [other for other in suit if other in hidden]
        height = sum(other in lower for other in of_suit) / len(of_suit) if of_suit else 0.0
        stay = sum(hand >> other & 1 for other in suit) - 1
        length, void = 0.2 * stay, float(stay == 0)

    bottom = worst = 0.0
    lifted = rules.lifted(deck, table)
    suited_table = [
        (deck.cards[other.card].number, other.card != deck.dancer, place)
        for place, other in enumerate(table)
        if other.suit == lead and not (lifted and other.card == deck.dancer)
    ]
    if suited_table and min(suited_table)[2] == len(trick):
        below = [other for other in lower if deck.cards[other].suit == lead]
        bottom = (1 - wins) * (1 - share(below)) ** later
        worst = min([own, *(worths[other.card] for other in trick)])
    return [
        wins, wins * own, wins * gain, wins * yet, sharp, sharp * (own + gain), number, height,
        float(card.suit == TRUMP), trump_number, float(play.card == deck.dancer), own, bottom, bottom * worst,
        void, length,
    ]  # fmt: skip


def value(found: list[float], weights: tuple[float, ...], place: int, left: int) -> float:
    """A play's value: place 0 leads, 1 plays between, 2 last; `left` cards are in the hand."""
    constant, slope = (weights[(2 * place + part) * len(found) :] for part in (0, 1))
    return sum(one * (constant[index] + left / 10 * slope[index]) for index, one in enumerate(found))


def ahead_inputs(
    deck: Deck,
    trick: tuple[Play, ...],
    later: int,
    hand: int,
    unseen: int,
    play: Play,
    worths: dict[int, float],
    found: list[float],
) -> tuple[list[float], list[float]]:
    """What the network of who looks ahead is told: of the choice, and of a play with the features `found`.

    In the order of `solver.games.king.players`.
    """
    card = deck.cards[play.card]
    held, hidden = ([deck.cards[other] for other in members(some)] for some in (hand, unseen))
    on_table = [deck.cards[other.card] for other in trick]

    def trumps(some: list[Card]) -> int:
        return sum(one.suit == TRUMP for one in some)

    def stays_highest(one: Card) -> bool:
        return one.suit < SUITS and all(other.suit != one.suit or other.number < one.number for other in hidden)

    of_choice = [
        0.1 * len(held), 0.3 * trumps(held), 0.3 * trumps(hidden),
        float(hand >> deck.dancer & 1), float(unseen >> deck.dancer & 1),
        0.2 * sum(stays_highest(one) for one in held),
        0.3 * len(trick), 0.3 * later, 0.1 * sum(worths[other.card] for other in trick),
        float(len(trick) + later == 2), float(len(trick) + later == 4), float(trumps(on_table) > 0),
    ]  # fmt: skip
    suited = [one for one in hidden if one.suit == play.suit]
    others = [one for one in held if one.suit == play.suit and one != card]
    above = [one for one in suited if one.number >= card.number]
    numbers = sorted({one.number for one in deck.cards})
    of_play = [
        0.2 * len(above), 0.2 * (len(suited) - len(above)),
        0.3 * sum(one.number >= card.number for one in others),
        0.3 * sum(one.number < card.number for one in others),
        float(not above), 0.0 if above else 0.2 * len(suited),
        0.05 * sum(one.number < card.number and one.suit != TRUMP for one in hidden),
        0.5 * sum(one.number < card.number for one in on_table),
        float(bool(trick) and play.suit == trick[0].suit), 0.1 * len(suited),
        0.1 * numbers.index(card.number), 0.1 * sum(one.number < card.number for one in held),
    ]  # fmt: skip
    return of_choice, found + of_play


def ahead_value(net: Chooser, place: int, of_choice: list[float], of_play: list[float]) -> float:
    """The value of a play to who looks ahead, by the network's formula; the place in the trick as in `value`."""
    units = len(net.last) // 3
    of_place = [np.asarray(part, np.float64).reshape(3, -1)[place] for part in net]
    shared, bias, own, last, line = of_place
    hidden = bias + np.array(of_choice) @ shared.reshape(-1, units) + np.array(of_play) @ own.reshape(-1, units)
    return float(np.maximum(hidden, 0) @ last + np.array(of_play) @ line)


def hoped(hope: float, left: int, players: int) -> float:
    """The chance to get a card that is lacking."""
    return min(0.9, hope * left * players / 45)


def pick_features(deck: Deck, hand: int, card: int, own: float) -> list[float]:
    """The features of picking a card, in the order of `solver.games.king.players`."""
    face = deck.cards[card]
    suit = [other for other in range(CARDS) if deck.cards[other].suit == face.suit]
    number = trump_number = length = void = 0.0
    below = sum(deck.cards[other].number < face.number for other in suit) / max(1, len(suit) - 1)
    if face.suit == TRUMP:
        trump_number = below
    elif card != deck.dancer:
        stay = sum(hand >> other & 1 for other in suit) - 1
        number, length, void = below, 0.2 * stay, float(stay == 0)
    bonus = face.recipe.bonus if face.recipe else 0
    is_trump, is_dancer = float(face.suit == TRUMP), float(card == deck.dancer)
    return [own, number, is_trump, trump_number, is_dancer, 0.1 * bonus, length, void]
