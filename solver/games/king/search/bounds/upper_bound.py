"""At most the score that a player can still reach with the cards in hands, by who can take what from whom."""

from __future__ import annotations

from solver.games.king.cards.deck import TRUMP
from solver.games.king.fast_rules.kernel import (
    BEST,
    CAPTURES,
    HANDS,
    LATE_TRUMP,
    LEAD,
    LEADER,
    LIVE,
    LOWER,
    LOWEST,
    NAME,
    PILE,
    PLAYED,
    PLAYER,
    PLAYERS,
    POINTS,
    READINGS,
    SUIT,
    SUIT_CARDS,
    THE_DANCER,
    TRICK,
    WON,
    cheapest_of,
    points_of,
    seat_after,
    winning_card,
)
from solver.games.king.search.bounds.bonus_cache import near_bonus
from solver.games.king.search.bounds.captures import LOST, SPARE, TOTAL, begin_captures, captures
from solver.kernels.arrays import Words
from solver.kernels.bits import popcount, trailing_zeros
from solver.kernels.jit import inlined, lean

MOST_GIVEN = 6  # cards of which every set is tried


@inlined
def gifts(deal: Words, live: int, own: int) -> int:
    """The others' cards that the player may be given as the bottom.

    Another hand has the card that won. That is a suit card: then no trump was played, and the player has a lower
    card of that suit; or a trump: then no Dancer was, unless it was there before; or the Dancer. What is given did
    not win. Of three players'
    cards the winner takes both others that are lower, so there it is not lower than the winning card.
    """
    others = live & ~own
    found = 0
    trumps = deal[SUIT_CARDS + TRUMP]
    dancer = 1 << deal[THE_DANCER]
    for place in range(1, deal[PLAYERS]):
        winner = others & deal[HANDS + seat_after(deal, deal[PLAYER], place)]
        givers = others & ~winner
        while winner != 0:
            card = trailing_zeros(winner)
            winner &= winner - 1
            lower = deal[LOWER + card]
            rest = givers & ~lower if deal[PLAYERS] == 3 else givers
            if rest & ~found == 0:
                continue
            suit = deal[SUIT + card]
            if suit == TRUMP:
                rest &= ~(trumps & ~lower)
                if deal[READINGS] & LATE_TRUMP == 0:
                    rest &= ~dancer
            elif suit < TRUMP:
                below = own & lower & deal[SUIT_CARDS + suit]
                if below | (own & dancer) == 0:
                    continue
                rest &= ~(deal[SUIT_CARDS + suit] & ~lower | trumps)
            found |= rest
    return int(found)


@lean
def most_of(deal: Words, cards: int) -> int:
    """The points of the dearest of some cards."""
    most = 0
    while cards != 0:
        most = max(most, deal[POINTS + trailing_zeros(cards)])
        cards &= cards - 1
    return int(most)


@inlined
def weigh_gifts(deal: Words, own: int, dearest: int) -> None:
    """Make the words from LOST + 1 on the most points that are gained by so many gifts or more.

    A gift costs a trick: the card played there goes, and captures nothing. So `n` gifts leave the others' cards
    that are gained a matching to all own cards but `n`, and the gifts; of the cards of at least any given worth,
    there are as many as can be matched so, and at most `n` more if any was left or can be given.
    """
    lost = 0
    spare = deal[SPARE]
    count = popcount(own)
    for gift in range(1, count + 1):
        cheapest = cheapest_of(deal, own)
        own &= ~(1 << cheapest)
        lost += deal[LOST + gift] + deal[POINTS + cheapest]
        spare = max(spare, deal[SPARE + gift])
        deal[LOST + gift] = gift * min(dearest, spare) - lost
    for gift in range(count - 1, 0, -1):
        deal[LOST + gift] = max(deal[LOST + gift], deal[LOST + gift + 1])


@inlined
def with_gifts(deal: Words, pile: int, given: int, strong: int, tricks: int) -> int:
    """The most points and bonus with some of the cards `given` besides `pile`; `weigh_gifts` came before.

    A trump is given by a higher one or the Dancer, one of `strong`, that won: each in a trick of its own.
    """
    most = deal[LOST + 1] + near_bonus(deal, pile)
    everything = near_bonus(deal, pile | given)
    dancer = 1 << deal[THE_DANCER]
    if popcount(given) > MOST_GIVEN:
        if tricks > 1:
            most = max(most, deal[LOST + 2] + everything)
        while given != 0:
            most = max(most, deal[LOST + 1] + near_bonus(deal, pile | (given & -given)))
            given &= given - 1
    some = given
    while some != 0:
        size = popcount(some)
        if size <= tricks and popcount(some & strong & ~dancer) <= popcount(strong & ~some):
            points = deal[LOST + size]
            if points + everything > most:
                most = max(most, points + near_bonus(deal, pile | some))
        some = (some - 1) & given
    return int(most)


@lean
def reach(deal: Words, live: int, pile: int, won: int, slot: int, last: int) -> int:
    """At most the score with a pile worth `won`, of the cards `live` in hands between two tricks.

    `slot`, unless 0, is a card besides that may still capture one of `last`, a hand.

    A trick that the player wins brings the card that won it and at most two others of lower numbers, in a game of
    three at most one of each hand: so without gifts the others' cards that are gained can be matched to own cards
    that capture them. A card of a suit captures no trumps, for they would win, and a trump not the Dancer. Of the
    cards that no own card captures, every set is tried that can be given.
    """
    own = live & deal[HANDS + deal[PLAYER]]
    others = live & ~own
    captured = 0
    rest = own
    while rest != 0:
        captured |= others & deal[CAPTURES + trailing_zeros(rest)]
        rest &= rest - 1
    if slot != 0:
        captured |= last & deal[CAPTURES + trailing_zeros(slot)]
    begin_captures(deal)
    if deal[PLAYERS] == 3:
        for place in range(1, 3):
            hand = others & deal[HANDS + seat_after(deal, deal[PLAYER], place)]
            captures(deal, own | slot if hand & last else own, hand, 1)
    else:
        captures(deal, own, others, 2)
    points = won + points_of(deal, own) + deal[TOTAL]
    pile |= own | captured
    most = near_bonus(deal, pile)
    given = gifts(deal, live, own)
    if given != 0 and own != 0:
        weigh_gifts(deal, own, most_of(deal, given))
        strong = others & (deal[SUIT_CARDS + TRUMP] | (1 << deal[THE_DANCER]))
        most = max(most, with_gifts(deal, pile, given & ~pile, strong, popcount(own)))
    return int(points + most)


@lean
def ceiling(deal: Words, state: Words, at: int) -> int:
    """At most the player's score at a boundary."""
    return int(reach(deal, state[at + LIVE], state[at + PILE], state[at + WON], 0, 0))


@inlined
def answered(deal: Words, state: Words, at: int) -> bool:
    """Whether one of the others is to play the last card of a trick of three, the Dancer not among the first."""
    if deal[PLAYERS] != 3 or state[at + PLAYED] != 2 or state[at + NAME] >= 0:
        return False
    return bool(seat_after(deal, state[at + LEADER], 2) != deal[PLAYER])


@lean
def ceiling_within(deal: Words, state: Words, at: int) -> int:
    """At most the player's score in such a trick.

    A card that is ahead may still capture a card of the hand that plays last. One that is beaten is lost, unless
    the player is the bottom and the trick leaves something to give.
    """
    live = state[at + LIVE]
    trick = state[at + TRICK]
    pile = state[at + PILE]
    won = state[at + WON]
    last = live & deal[HANDS + seat_after(deal, state[at + LEADER], 2)]
    ahead = winning_card(deal, state, at)
    strong = last & (deal[SUIT_CARDS + TRUMP] | (1 << deal[THE_DANCER]))
    if state[at + BEST] == deal[PLAYER]:
        strong |= last & deal[SUIT_CARDS + state[at + LEAD]] & ~deal[LOWER + ahead]
        if strong == 0:
            trick &= deal[LOWER + ahead] | (1 << ahead)  # it wins; else the rest of the trick may be a gift
        return int(reach(deal, live, pile | trick, won + points_of(deal, trick), 1 << ahead, last))
    if state[at + LOWEST] == deal[PLAYER]:
        offer = (last | trick) & ~(deal[LOWER + ahead] | (1 << ahead))
        if strong != 0:
            offer |= trick
        pile |= offer
        won += most_of(deal, offer)
    return int(reach(deal, live, pile, won, 0, 0))
