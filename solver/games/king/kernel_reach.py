"""At most the score that a player can still reach with the cards in hands, by who can take what from whom."""

from __future__ import annotations

from solver.games.king.deck import TRUMP
from solver.games.king.kernel import (
    BEST,
    CAPTURES,
    HANDS,
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
    SUIT,
    SUIT_CARDS,
    THE_DANCER,
    TRICK,
    WON,
    points_of,
    seat_after,
    winning_card,
)
from solver.games.king.kernel_cache import best_bonus
from solver.games.king.kernel_capture import (
    SPARE_ONE,
    SPARE_TWO,
    TOTAL,
    WITHOUT_ONE,
    WITHOUT_TWO,
    begin_captures,
    captures,
)
from solver.search.bits import trailing_zeros
from solver.search.jit import inlined, lean
from solver.search.trick import Words

RANKED, WITHIN = 16, 1 << 14  # switches
POINTS_ABOVE = 1 << 20  # more than any card's


@inlined
def gifts(deal: Words, live: int, own: int) -> int:
    """The others' cards that the player may be given as the bottom.

    Of three players' cards the winner takes both others that are lower. So a gift is not lower than the card that
    won, nor did it win: against a suit card it is of another suit and no trump, and the player has a lower card
    of that suit; against a trump it is neither trump nor Dancer.
    """
    others = live & ~own
    if deal[PLAYERS] != 3:
        return others
    found = 0
    trumps = deal[SUIT_CARDS + TRUMP]
    dancer = 1 << deal[THE_DANCER]
    for place in range(1, 3):
        winner = others & deal[HANDS + seat_after(deal, deal[PLAYER], place)]
        giver = others & ~winner
        while winner != 0:
            card = trailing_zeros(winner)
            winner &= winner - 1
            rest = giver & ~deal[LOWER + card]
            if rest & ~found == 0:
                continue
            suit = deal[SUIT + card]
            if suit == TRUMP:
                rest &= ~(trumps | dancer)
            elif suit < TRUMP:
                below = own & deal[LOWER + card] & deal[SUIT_CARDS + suit]
                if below | (own & dancer) == 0:
                    continue
                rest &= ~(trumps | deal[SUIT_CARDS + suit])
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


@lean
def reach(deal: Words, live: int, pile: int, won: int, slot: int, last: int) -> int:
    """At most the score with a pile worth `won`, of the cards `live` in hands between two tricks.

    `slot`, unless 0, is a card besides that may still capture one of `last`, a hand.

    A trick that the player wins brings the card that won it and at most two others of lower numbers, in a game of
    three at most one of each hand: so without gifts the others' cards that are gained can be matched to own cards
    that capture them. A card of a suit captures no trumps, for they would win, and a trump not the Dancer.

    A gift costs a trick: the card played there goes, and captures nothing. So `n` gifts leave the others' cards
    that are gained a matching to all own cards but `n`, and the gifts; of the cards of at least any given worth,
    there are as many as can be matched so, and at most `n` more if any was left or can be given. Bounded are no
    gift, one gift, whichever it is, and more, which may bring all that can be given.
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
    most = points + best_bonus(deal, pile)
    given = gifts(deal, live, own)
    if given == 0:
        return int(most)
    dearest = most_of(deal, given)
    one = min(dearest, deal[SPARE_ONE])
    two = min(dearest, deal[SPARE_TWO])
    cheapest = POINTS_ABOVE
    exchanges = 0
    rest = own
    while rest != 0:
        worth = deal[POINTS + trailing_zeros(rest)]
        cheapest = min(cheapest, worth)
        exchanges += max(0, two - worth)
        rest &= rest - 1
    given &= ~pile
    if own & (own - 1):
        most = max(most, points - deal[WITHOUT_TWO] + exchanges + best_bonus(deal, pile | given))
    points += one - cheapest - deal[WITHOUT_ONE]
    if given == 0:
        return int(max(most, points + best_bonus(deal, pile)))
    while given != 0:
        most = max(most, points + best_bonus(deal, pile | (given & -given)))
        given &= given - 1
    return int(most)


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
