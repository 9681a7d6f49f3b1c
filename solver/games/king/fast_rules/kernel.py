"""King × Alchemy's rules over the search's words, for what one player wins: everybody else's piles do not matter.

Cards are numbers in the deck's order, moves codes: a card, the Dancer named a suit (`NAMED` + suit), or what
the player gains when a full trick is shared out (`GAINED` + the places of those cards in the trick). Only
takings that differ in what the player gains are told apart; without such a choice the trick ends by itself.
"""

from __future__ import annotations

from solver.games.king.cards.deck import CARDS, DANCER, SUITS, TRUMP
from solver.games.king.compounding.kernel import WORK_WORDS
from solver.kernels.arrays import Words
from solver.kernels.bits import popcount, trailing_zeros, unsigned
from solver.kernels.jit import inlined

NAMED = CARDS
GAINED = NAMED + SUITS
MOST_MOVES = 20
MOST_OWN = 1 + CARDS // 3  # cards of a hand, and one on the table
MATCHED_WORDS = 3 + 2 * MOST_OWN

# Words of `deal` after GENERATION and SWITCHES: the player (a seat), the number of seats, whether the others are
# allies, the Dancer's number; then one word each for every suit's cards (trumps and the Dancer too) and every hand
# dealt; then for each card its suit, the rank of its number, the cards of lower numbers, its points, its owner.
# CAPTURES: for each card those that it may take as a trick's winning card; CAPTORS: those that may take it so.
# READINGS: which disputed readings of the rules are in force, LATE_TRUMP and NO_BOTTOM.
# LEVELS: how many different points above 0 there are; then, the most first, the points and the cards of so many.
PLAYER, PLAYERS, ALLIES, THE_DANCER, SUIT_CARDS = 2, 3, 4, 5, 6
HANDS = SUIT_CARDS + DANCER + 1
READINGS = HANDS + 5
SUIT = READINGS + 1
RANK = SUIT + CARDS
LOWER = RANK + CARDS
POINTS = LOWER + CARDS
OWNER = POINTS + CARDS
PROBE_NODES = OWNER + CARDS  # what each of the opponents' moves first has, when they are tried in rounds
PROBE_TRICKS = PROBE_NODES + 1  # tricks left from which on they are
CAPTURES = PROBE_TRICKS + 1
CAPTORS = CAPTURES + CARDS
LEVELS = CAPTORS + CARDS
MATCHING = LEVELS + 1 + 2 * CARDS  # for `captures` to work in, and what it has found
MATCHED = MATCHING + 2 * CARDS
WORK = MATCHED + MATCHED_WORDS  # what the compounding kernels write
# STALLED: a set of cards whose best bonus a search waits for, 0 for none. TOLL: how many nodes' time went into
# compounding beside the nodes. HARD: sets whose best bonus was dear to find, and their number before them.
STALLED = WORK + WORK_WORDS
TOLL = STALLED + 1
HARD_SETS = TOLL + 1
HARD = HARD_SETS + 1
HARD_BITS = 9
CACHE = HARD + (2 << HARD_BITS)  # bonuses of sets
CACHE_BITS = 12
TABLES = CACHE + (4 << CACHE_BITS)  # what the compounding kernels read

# Words of a node. LIVE: cards still in hands. TRICK: the cards of the trick as a set. ORDER: the same in play
# order, six bits each, the first lowest. LEAD: the suit led, -1 between tricks. BEST, BEST_POWER: the seat ahead
# and by what, the Dancer's lift left out. LOWEST, LOWEST_RANK: of the printed cards of the lead suit. NAME: the
# suit that the Dancer was named, -1 while it is not in the trick; DANCED: by whom. In a full trick BEST and
# LOWEST are the winner and the bottom (-1: none). PILE: what the player has won, WON its points.
LIVE, LEADER, PLAYED, TRICK, ORDER, LEAD, BEST, BEST_POWER, LOWEST, LOWEST_RANK, NAME, DANCED, PILE, WON = range(
    14
)
STATE_WORDS = 14
TRUMPED = 1 << 10  # more than the power of any suit card
LIFTED = 1 << 11  # that of a Dancer lifted by an earlier trump, where a later one would not lift it
LATE_TRUMP, NO_BOTTOM = 1, 2


@inlined
def seat_after(deal: Words, seat: int, places: int) -> int:
    found = seat + places
    return int(found - deal[PLAYERS] if found >= deal[PLAYERS] else found)


@inlined
def seat_to_move(deal: Words, state: Words, at: int) -> int:
    if state[at + PLAYED] == deal[PLAYERS]:
        return int(state[at + BEST])
    return seat_after(deal, state[at + LEADER], state[at + PLAYED])


@inlined
def boundary(deal: Words, state: Words, at: int) -> bool:
    return bool(state[at + PLAYED] == 0)


@inlined
def size(deal: Words, state: Words, at: int) -> int:
    """Cards in the hand of the seat that moves last in this trick."""
    last = seat_after(deal, state[at + LEADER], deal[PLAYERS] - 1)
    return popcount(state[at + LIVE] & deal[HANDS + last])


@inlined
def maximises(deal: Words, state: Words, at: int) -> int:
    if deal[ALLIES] != 0 or seat_to_move(deal, state, at) == deal[PLAYER]:
        return 1
    return 0


@inlined
def followers(deal: Words, hand: int, lead: int) -> int:
    """The cards of a hand that must be played to a suit led, trumps and the Dancer apart; 0 for a trump."""
    return int(hand & deal[unsigned(SUIT_CARDS + lead)]) if lead < TRUMP else 0


@inlined
def playable(deal: Words, hand: int, lead: int) -> int:
    """The cards of a follower's hand that may be played, the Dancer in some name included."""
    suited = followers(deal, hand, lead)
    if suited == 0:
        return hand
    return int(suited | (hand & (deal[SUIT_CARDS + TRUMP] | deal[SUIT_CARDS + DANCER])))


@inlined
def card_at(order: int, place: int) -> int:
    """The card in a place of the trick."""
    return (order >> (6 * place)) & 63


@inlined
def cheapest_of(deal: Words, cards: int) -> int:
    """A card of the fewest points among some."""
    cheapest = trailing_zeros(cards)
    rest = cards & (cards - 1)
    while rest != 0:
        card = trailing_zeros(rest)
        rest &= rest - 1
        if deal[POINTS + card] < deal[POINTS + cheapest]:
            cheapest = card
    return int(cheapest)


@inlined
def points_of(deal: Words, cards: int) -> int:
    """The sum of the points of a set of cards."""
    total = 0
    while cards != 0:
        total += deal[POINTS + trailing_zeros(cards)]
        cards &= cards - 1
    return int(total)


@inlined
def gain(deal: Words, child: Words, to: int, cards: int) -> None:
    """Put cards on the player's pile."""
    child[to + PILE] |= cards
    child[to + WON] += points_of(deal, cards)


@inlined
def start_trick(child: Words, to: int, leader: int) -> None:
    child[to + LEADER] = leader
    child[to + PLAYED] = 0
    child[to + TRICK] = 0
    child[to + ORDER] = 0
    child[to + LEAD] = -1
    child[to + BEST] = -1
    child[to + BEST_POWER] = -1
    child[to + LOWEST] = -1
    child[to + LOWEST_RANK] = CARDS
    child[to + NAME] = -1
    child[to + DANCED] = -1


@inlined
def judge(deal: Words, child: Words, to: int) -> None:
    """Make BEST and LOWEST of a full trick its winner and its bottom: the Dancer may be lifted, or the lowest."""
    if child[to + NAME] >= 0:
        lifted = child[to + TRICK] & deal[SUIT_CARDS + TRUMP] != 0
        if deal[READINGS] & LATE_TRUMP:
            lifted = child[to + BEST_POWER] == LIFTED
        if lifted:
            child[to + BEST] = child[to + DANCED]
        elif child[to + NAME] == child[to + LEAD] and deal[RANK + deal[THE_DANCER]] <= child[to + LOWEST_RANK]:
            child[to + LOWEST] = child[to + DANCED]
    if child[to + LOWEST] == child[to + BEST]:
        child[to + LOWEST] = -1
    elif deal[READINGS] & NO_BOTTOM and child[to + LEAD] < TRUMP and TRUMPED <= child[to + BEST_POWER] < LIFTED:
        follow = popcount(child[to + TRICK] & deal[SUIT_CARDS + child[to + LEAD]])
        if follow + (child[to + NAME] == child[to + LEAD]) == 1 and child[to + BEST] != child[to + DANCED]:
            child[to + LOWEST] = -1


@inlined
def winning_card(deal: Words, state: Words, at: int) -> int:
    """The card by which a judged trick was won."""
    place = state[at + BEST] - state[at + LEADER]
    return card_at(state[at + ORDER], place if place >= 0 else place + deal[PLAYERS])


@inlined
def offered(deal: Words, state: Words, at: int) -> int:
    """The cards of a full trick from which the choice is made that matters to the player.

    The player won: the cards of which two are taken. The player is the bottom: the cards of which one is given;
    a card can be given if it can be left when two (or all there are, below that) lower cards are taken.
    """
    won = winning_card(deal, state, at)
    lower = state[at + TRICK] & deal[unsigned(LOWER + won)]
    if state[at + BEST] == deal[PLAYER]:
        return int(lower)
    rest = state[at + TRICK] & ~(1 << won)
    return int(rest if popcount(lower) > 2 else rest & ~lower)


@inlined
def finish(deal: Words, child: Words, to: int) -> None:
    """Judge a full trick, and end it where the player gets the same whatever is taken and given."""
    judge(deal, child, to)
    winner = child[to + BEST]
    if winner == deal[PLAYER]:
        won = winning_card(deal, child, to)
        gain(deal, child, to, 1 << won)
        lower = child[to + TRICK] & deal[unsigned(LOWER + won)]
        if popcount(lower) > 2:
            return
        gain(deal, child, to, lower)
    elif child[to + LOWEST] == deal[PLAYER]:
        choice = offered(deal, child, to)
        if choice & (choice - 1) != 0:
            return
        gain(deal, child, to, choice)
    start_trick(child, to, winner)


@inlined
def lay(deal: Words, state: Words, at: int, move: int) -> None:
    """Put a card next to the trick, in place."""
    played = state[at + PLAYED]
    seat = seat_after(deal, state[at + LEADER], played)
    card = move
    suit = 0
    power = -1
    if move >= NAMED:
        card = deal[THE_DANCER]
        suit = move - NAMED
        state[at + NAME] = suit
        state[at + DANCED] = seat
    else:
        suit = deal[unsigned(SUIT + card)]
    if played == 0:
        state[at + LEAD] = suit
    rank = deal[unsigned(RANK + card)]
    if suit == state[at + LEAD]:
        power = 2 * rank  # on equal numbers the printed card ranks above the Dancer
        if move < NAMED:
            power += 1
            if rank < state[at + LOWEST_RANK]:
                state[at + LOWEST_RANK] = rank
                state[at + LOWEST] = seat
    if suit == TRUMP:
        power = TRUMPED + rank
    if move >= NAMED and deal[READINGS] & LATE_TRUMP and state[at + TRICK] & deal[SUIT_CARDS + TRUMP] != 0:
        power = LIFTED
    if power > state[at + BEST_POWER]:
        state[at + BEST_POWER] = power
        state[at + BEST] = seat
    state[at + LIVE] &= ~(1 << card)
    state[at + TRICK] |= 1 << card
    state[at + ORDER] |= card << (6 * played)
    state[at + PLAYED] = played + 1


@inlined
def play(deal: Words, state: Words, at: int, child: Words, to: int, move: int) -> None:
    """Write the node after a move. The last card of a trick ends it, unless the player's gain is to be chosen."""
    for word in range(STATE_WORDS):
        child[to + word] = state[at + word]
    if move >= GAINED:
        cards = 0
        places = move - GAINED
        while places != 0:
            cards |= 1 << card_at(state[at + ORDER], trailing_zeros(places))
            places &= places - 1
        gain(deal, child, to, cards)
        start_trick(child, to, state[at + BEST])
        return
    lay(deal, child, to, move)
    if child[to + PLAYED] == deal[PLAYERS]:
        finish(deal, child, to)
