"""King × Alchemy's rules as kernels on int64 arrays.

Nodes hold one player's pile or, for whole rounds, every seat's. Cards are indices in the deck. Moves are codes: a
card, the Dancer named a suit (`NAMED` + suit), or what the player gains when a full trick is shared out (`GAINED`
+ the places of those cards in the trick). Takings that give the player the same cards count as one move; if there
is no choice, the trick ends without a move.
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from solver.common import members
from solver.games.king.compounding import KEPT_DECKS, WORK_WORDS, tables
from solver.games.king.deck import CARDS, DANCER, SUITS, TRUMP, Deck
from solver.games.king.rules import Move, Play, State, Taking
from solver.kernels.jit import inlined, lean
from solver.kernels.words import Words, popcount, trailing_zeros
from solver.search.rules import FIRST_OWN, HISTORY, PROBING, RELATED, RELAXING, TABLE
from solver.search.trick_rules import SWITCHES

NAMED = CARDS
GAINED = NAMED + SUITS
MOST_MOVES = 20
MOST_OWN = 1 + CARDS // 3  # cards of a hand, plus one on the table
MATCHED_WORDS = 3 + 2 * MOST_OWN

# Words of `deal` after GENERATION and SWITCHES: the player (a seat), the number of seats, whether the others are
# allies, the Dancer's number; then one word each for every suit's cards (trumps and the Dancer too) and every hand
# dealt; then for each card its suit, the rank of its number, the cards of lower numbers, its points, its owner.
# CAPTURES: for each card those that it may take as a trick's winning card; CAPTORS: those that may take it so.
# READINGS: the options in force, LATE_TRUMP and NO_BOTTOM. LEVELS: the number of distinct points above 0; then, in
# descending order, the points and the cards with that many.
PLAYER, PLAYERS, ALLIES, THE_DANCER, SUIT_CARDS = 2, 3, 4, 5, 6
HANDS = SUIT_CARDS + DANCER + 1
READINGS = HANDS + 5
SUIT = READINGS + 1
RANK = SUIT + CARDS
LOWER = RANK + CARDS
POINTS = LOWER + CARDS
OWNER = POINTS + CARDS
PROBE_NODES = OWNER + CARDS  # nodes of each of the opponents' moves in the first round, if there are rounds
PROBE_TRICKS = PROBE_NODES + 1  # with at least this many tricks left, they are tried in rounds
CAPTURES = PROBE_TRICKS + 1
CAPTORS = CAPTURES + CARDS
LEVELS = CAPTORS + CARDS
MATCHING = LEVELS + 1 + 2 * CARDS  # for `captures`: its working memory, and its result
MATCHED = MATCHING + 2 * CARDS
WORK = MATCHED + MATCHED_WORDS  # working memory of the compounding kernels
# STALLED: a set of cards whose best bonus a search is waiting for, 0 for none. TOLL: time spent on compounding
# besides the nodes, in nodes. HARD: sets whose best bonus was expensive, preceded by their number.
STALLED = WORK + WORK_WORDS
TOLL = STALLED + 1
HARD_SETS = TOLL + 1
HARD = HARD_SETS + 1
HARD_BITS = 9
CACHE = HARD + (2 << HARD_BITS)  # bonuses of sets
CACHE_BITS = 13
LAST_TRICKS = CACHE + (2 << CACHE_BITS)  # how last tricks end
LAST_TRICKS_BITS = 7
TABLES = LAST_TRICKS + (2 << LAST_TRICKS_BITS)  # tables of the compounding kernels

# Words of a node. LIVE: cards still in hands. TRICK: the cards of the trick as a set. ORDER: the same in play
# order, six bits each, the first lowest. LEAD: the suit led, -1 between tricks. BEST, BEST_POWER: the seat ahead
# and its card's power, without the Dancer's lift. LOWEST, LOWEST_RANK: of the printed cards of the lead suit.
# NAME: the suit that the Dancer was named, -1 while it is not in the trick; DANCED: by whom. In a full trick BEST
# and LOWEST are the winner and the bottom (-1: none). PILE: what the player has won, WON its points.
LIVE, LEADER, PLAYED, TRICK, ORDER, LEAD, BEST, BEST_POWER, LOWEST, LOWEST_RANK, NAME, DANCED, PILE, WON = range(
    14
)
STATE_WORDS = 14
TRUMPED = 1 << 10  # more than the power of any suit card
LIFTED = 1 << 11  # of a Dancer lifted by an earlier trump, under the option where a later one would not lift it
LATE_TRUMP, NO_BOTTOM = 1, 2  # bits of READINGS, one for each option of `KingReadings`


@inlined
def seat_after(deal: Words, seat: int, places: int) -> int:
    unwrapped = seat + places
    return int(unwrapped - deal[PLAYERS] if unwrapped >= deal[PLAYERS] else unwrapped)


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
    """The number of tricks still to be filled, including an unfinished one.

    It is the number of cards in the hand of the seat that plays last in the trick.
    """
    last = seat_after(deal, state[at + LEADER], deal[PLAYERS] - 1)
    return popcount(state[at + LIVE] & deal[HANDS + last])


@inlined
def maximises(deal: Words, state: Words, at: int) -> int:
    if deal[ALLIES] != 0 or seat_to_move(deal, state, at) == deal[PLAYER]:
        return 1
    return 0


@inlined
def followers(deal: Words, hand: int, lead: int) -> int:
    """The cards of the suit led in a hand, as a mask; 0 if a trump is led, which need not be followed."""
    return int(hand & deal[SUIT_CARDS + lead]) if lead < TRUMP else 0


@inlined
def playable(deal: Words, hand: int, lead: int) -> int:
    """The cards of a follower's hand that may be played, always including the Dancer."""
    suited = followers(deal, hand, lead)
    if suited == 0:
        return hand
    return int(suited | (hand & (deal[SUIT_CARDS + TRUMP] | deal[SUIT_CARDS + DANCER])))


@inlined
def card_at(order: int, turn: int) -> int:
    """The card at a turn of the trick; `order` has the cards in play order, six bits each."""
    return (order >> (6 * turn)) & 63


@inlined
def cheapest_of(deal: Words, cards: int) -> int:
    """A card with the fewest points in a set of cards."""
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
    total = 0
    while cards != 0:
        total += deal[POINTS + trailing_zeros(cards)]
        cards &= cards - 1
    return int(total)


@lean
def gain(deal: Words, child: Words, pile: int, won: int, cards: int) -> None:
    """Add cards from a trick to a seat's pile, the word `pile` of `child`, and their points to the word `won`."""
    child[pile] |= cards
    child[won] += points_of(deal, cards)


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
    """Set BEST and LOWEST of a full trick to its winner and its bottom, taking the Dancer into account."""
    lifted = False
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
    elif deal[READINGS] & NO_BOTTOM:
        of_lead = popcount(child[to + TRICK] & deal[SUIT_CARDS + child[to + LEAD]])
        if lifted:
            alone = of_lead == 1 and child[to + DANCED] != child[to + LEADER]
        else:
            trumped = child[to + LEAD] < TRUMP and TRUMPED <= child[to + BEST_POWER] < LIFTED
            alone = trumped and of_lead + (child[to + NAME] == child[to + LEAD]) == 1
        if alone:
            child[to + LOWEST] = -1


@inlined
def winning_card(deal: Words, state: Words, at: int) -> int:
    """The card that won a full trick, once `judge` has found the winner."""
    turn = state[at + BEST] - state[at + LEADER]
    return card_at(state[at + ORDER], turn if turn >= 0 else turn + deal[PLAYERS])


@inlined
def offered(deal: Words, state: Words, at: int) -> int:
    """The cards of a full trick among which someone has a choice that affects the player.

    If the player won, these are the cards of which two are taken. If the player is the bottom, these are the cards
    of which one is given: all but the winning card. If only one or two cards are lower than the winning card, they
    are left out too, since the winner must take them.
    """
    won = winning_card(deal, state, at)
    lower = state[at + TRICK] & deal[LOWER + won]
    if state[at + BEST] == deal[PLAYER]:
        return int(lower)
    rest = state[at + TRICK] & ~(1 << won)
    return int(rest if popcount(lower) > 2 else rest & ~lower)


@inlined
def finish(deal: Words, child: Words, to: int) -> None:
    """Judge a full trick, and end it if the player gets the same cards whatever is taken and given."""
    judge(deal, child, to)
    winner = child[to + BEST]
    if winner == deal[PLAYER]:
        won = winning_card(deal, child, to)
        gain(deal, child, to + PILE, to + WON, 1 << won)
        lower = child[to + TRICK] & deal[LOWER + won]
        if popcount(lower) > 2:
            return
        gain(deal, child, to + PILE, to + WON, lower)
    elif child[to + LOWEST] == deal[PLAYER]:
        choice = offered(deal, child, to)
        if choice & (choice - 1) != 0:
            return
        gain(deal, child, to + PILE, to + WON, choice)
    start_trick(child, to, winner)


@inlined
def power_of(deal: Words, state: Words, at: int, move: int) -> int:
    """The power of a card that is played to the trick, to compare with BEST_POWER; -1 if it cannot win."""
    card = move if move < NAMED else deal[THE_DANCER]
    suit = deal[SUIT + card] if move < NAMED else move - NAMED
    rank = deal[RANK + card]
    if move >= NAMED and deal[READINGS] & LATE_TRUMP and state[at + TRICK] & deal[SUIT_CARDS + TRUMP] != 0:
        return LIFTED
    if suit == TRUMP:
        return int(TRUMPED + rank)
    if suit != state[at + LEAD]:
        return -1
    return int(2 * rank + (move < NAMED))  # on equal numbers, the printed card ranks above the Dancer


@inlined
def lay(deal: Words, state: Words, at: int, move: int) -> None:
    """Play a card to the trick, changing the node in place."""
    played = state[at + PLAYED]
    seat = seat_after(deal, state[at + LEADER], played)
    card = move
    suit = 0
    if move >= NAMED:
        card = deal[THE_DANCER]
        suit = move - NAMED
        state[at + NAME] = suit
        state[at + DANCED] = seat
    else:
        suit = deal[SUIT + card]
    if played == 0:
        state[at + LEAD] = suit
    if suit == state[at + LEAD] and move < NAMED and deal[RANK + card] < state[at + LOWEST_RANK]:
        state[at + LOWEST_RANK] = deal[RANK + card]
        state[at + LOWEST] = seat
    power = power_of(deal, state, at, move)
    if power > state[at + BEST_POWER]:
        state[at + BEST_POWER] = power
        state[at + BEST] = seat
    state[at + LIVE] &= ~(1 << card)
    state[at + TRICK] |= 1 << card
    state[at + ORDER] |= card << (6 * played)
    state[at + PLAYED] = played + 1


@inlined
def kernel_play(deal: Words, state: Words, at: int, child: Words, to: int, move: int) -> None:
    """Write the node after a move to `child`.

    The last card of a trick ends it, unless what the player gains depends on a choice.
    """
    for word in range(STATE_WORDS):
        child[to + word] = state[at + word]
    if move >= GAINED:
        cards = 0
        places = move - GAINED
        while places != 0:
            cards |= 1 << card_at(state[at + ORDER], trailing_zeros(places))
            places &= places - 1
        gain(deal, child, to + PILE, to + WON, cards)
        start_trick(child, to, state[at + BEST])
        return
    lay(deal, child, to, move)
    if child[to + PLAYED] == deal[PLAYERS]:
        finish(deal, child, to)


@inlined
def search_play(deal: Words, state: Words, at: int, child: Words, to: int, move: int) -> None:
    """Write the node after a move, and after plays to its trick without a choice that follow it, to `child`."""
    kernel_play(deal, state, at, child, to, move)
    while 0 < child[to + PLAYED] < deal[PLAYERS]:
        hand = child[to + LIVE] & deal[HANDS + seat_to_move(deal, child, to)]
        cards = playable(deal, hand, child[to + LEAD])
        card = trailing_zeros(cards)
        if cards & (cards - 1) != 0 or card == deal[THE_DANCER]:  # which may have several names
            return
        lay(deal, child, to, card)
        if child[to + PLAYED] == deal[PLAYERS]:
            finish(deal, child, to)


# ----------------------------------------------------------------------------------------------------
# Switches of King × Alchemy's search: which of its parts are on (see `solver.search.rules`).


CEILING = 1 << FIRST_OWN  # among allies, an upper bound from all cards in play
MERGED = 1 << FIRST_OWN + 1  # piles that compound alike are equal
NAMES = 1 << FIRST_OWN + 2  # equivalent names of the Dancer are left out
RANKED = 1 << FIRST_OWN + 3  # among allies, an upper bound from who can take what from whom
LAST = 1 << FIRST_OWN + 4  # the last trick without a search
CONTEXTS = 1 << FIRST_OWN + 5  # separate histories for different situations
WITHIN = 1 << FIRST_OWN + 6  # that bound also in the middle of a trick
SURE = 1 << FIRST_OWN + 7  # a lower bound from a leader's sure tricks
AHEAD = 1 << FIRST_OWN + 8  # a lower bound in the middle of a trick that the player is sure to win

ALL_SWITCHES = TABLE | HISTORY | RELATED | RELAXING | PROBING
ALL_SWITCHES |= CEILING | MERGED | NAMES | RANKED | LAST | CONTEXTS | WITHIN | SURE | AHEAD


# ----------------------------------------------------------------------------------------------------
# The plays from a hand, and the suits worth naming the Dancer.


@inlined
def names_following(deal: Words, hand: int, lead: int) -> int:
    """The suits worth naming the Dancer under a lead, as a bit set, only one of each equivalent group.

    All suits except the one led are equivalent: with such a name the Dancer loses, unless a trump lifts it, which
    happens whatever its name is. A hand that can follow suit with another card must name the suit led.
    """
    if followers(deal, hand, lead) != 0:
        return 1 << int(lead)
    other = 1 if lead != 0 else 2
    return other if lead == TRUMP else other | (1 << int(lead))


@inlined
def names(deal: Words, state: Words, at: int, hand: int) -> int:
    """The suits worth naming the Dancer, as a bit set, with only one of each group of equivalent suits.

    When leading, all suits of which nobody else has a card are equivalent.
    """
    everything = (1 << SUITS) - 1
    lead = state[at + LEAD]
    if lead >= 0:
        if deal[SWITCHES] & NAMES == 0 and followers(deal, hand, lead) == 0:
            return everything
        return names_following(deal, hand, lead)
    if deal[SWITCHES] & NAMES == 0:
        return everything
    others = state[at + LIVE] & ~hand
    suits = 0
    empty = 0
    for suit in range(SUITS):
        if deal[SUIT_CARDS + suit] & others != 0:
            suits |= 1 << suit
        elif empty == 0:
            empty = 1 << suit
    return suits | empty


@inlined
def write_plays(deal: Words, cards: int, suits: int, codes: Words, to: int) -> int:
    """Write the plays of a mask's cards in canonical order to `codes`, starting at `to`; return their number.

    The Dancer is written once for each of `suits`, a bit set.
    """
    count = 0
    while cards != 0:
        card = trailing_zeros(cards)
        cards &= cards - 1
        if card != deal[THE_DANCER]:
            codes[to + count] = card
            count += 1
            continue
        while suits != 0:
            codes[to + count] = NAMED + trailing_zeros(suits)
            count += 1
            suits &= suits - 1
    return count


@inlined
def list_plays(deal: Words, state: Words, at: int, codes: Words, to: int) -> int:
    """Write the plays of the seat to move in canonical order to `codes`, starting at `to`; return their number."""
    hand = state[at + LIVE] & deal[HANDS + seat_to_move(deal, state, at)]
    cards = hand if state[at + PLAYED] == 0 else playable(deal, hand, state[at + LEAD])
    suits = names(deal, state, at, hand) if (hand >> deal[THE_DANCER]) & 1 else 0
    return write_plays(deal, cards, suits, codes, to)


# ----------------------------------------------------------------------------------------------------
# A round with every seat's pile, in the search's words: its moves, and the node after one.


SEATS = 5  # at most
NOBODY = 63
TAKES = 1 << 7  # a taking: this, and above its bits the cards taken and given, six bits each, NOBODY for none
# A node has the words above, followed by every seat's pile and points.
PILES = STATE_WORDS
SCORES = PILES + SEATS
NODE_WORDS = SCORES + SEATS


@lean
def list_moves(deal: Words, stack: Words, node: int, out: Words, to: int) -> int:
    """Write the moves in canonical order to `out`, starting at `to`; return their number.

    Of equivalent suits that the Dancer can be named, only the first is included.
    """
    if stack[node + PLAYED] < deal[PLAYERS]:
        return list_plays(deal, stack, node, out, to)
    count = 0
    won = winning_card(deal, stack, node)
    lower = stack[node + TRICK] & deal[LOWER + won]
    rest = stack[node + TRICK] & ~(1 << won)
    taken = popcount(lower)
    firsts = lower
    while True:
        first = trailing_zeros(firsts) if taken > 0 else NOBODY
        firsts &= firsts - 1
        seconds = firsts
        while True:
            second = trailing_zeros(seconds) if taken > 1 else NOBODY
            seconds &= seconds - 1
            left = rest
            if taken > 0:
                left &= ~(1 << first)
            if taken > 1:
                left &= ~(1 << second)
            move = TAKES | (first << 8) | (second << 14)
            if stack[node + LOWEST] < 0 or left == 0:
                out[to + count] = move | (NOBODY << 20)
                count += 1
            else:
                while left != 0:
                    out[to + count] = move | (trailing_zeros(left) << 20)
                    count += 1
                    left &= left - 1
            if seconds == 0:
                break
        if taken < 2 or firsts & (firsts - 1) == 0:
            break
    return count


@inlined
def make(deal: Words, stack: Words, node: int, to: int, move: int) -> None:
    """Write the node after a move. A trick that becomes full is judged (see `judge`); a taking ends the trick."""
    for word in range(NODE_WORDS):
        stack[to + word] = stack[node + word]
    if move & TAKES:
        winner, bottom, given = stack[node + BEST], stack[node + LOWEST], (move >> 20) & 63
        taken = (1 << ((move >> 8) & 63) | 1 << ((move >> 14) & 63)) & ((1 << CARDS) - 1)
        gain(deal, stack, to + PILES + winner, to + SCORES + winner, taken | 1 << winning_card(deal, stack, node))
        if given != NOBODY:
            gain(deal, stack, to + PILES + bottom, to + SCORES + bottom, 1 << given)
        start_trick(stack, to, winner)
        return
    lay(deal, stack, to, move)
    if stack[to + PLAYED] == deal[PLAYERS]:
        judge(deal, stack, to)


@lean
def list_ways(deal: Words, rounds: Words, at: int, codes: Words, to: int, nodes: Words) -> int:
    """Write every legal move of a round in canonical order to `codes`; return their number.

    The round after each move is written to `rounds`, starting at `to`. The node of the search after each move,
    which has only the player's pile, is written to `nodes`.
    """
    switches = deal[SWITCHES]
    deal[SWITCHES] = switches & ~NAMES
    count = list_moves(deal, rounds, at, codes, 0)
    deal[SWITCHES] = switches
    for move in range(count):
        after = to + move * NODE_WORDS
        node = move * STATE_WORDS
        make(deal, rounds, at, after, codes[move])
        for word in range(STATE_WORDS):
            nodes[node + word] = rounds[after + word]
        nodes[node + PILE] = rounds[after + PILES + deal[PLAYER]]
        nodes[node + WON] = rounds[after + SCORES + deal[PLAYER]]
        if nodes[node + PLAYED] == deal[PLAYERS]:
            finish(deal, nodes, node)
    return int(count)


# ----------------------------------------------------------------------------------------------------
# From a state of the rules to the words of the search.


# With four opponents, wrong moves are the most expensive to refute; with fewer, rounds do not pay.
_PROBE_NODES = {3: 0, 4: 0, 5: 256}
_PROBE_TRICKS = 4


@lru_cache(maxsize=KEPT_DECKS)
def _deck_words(deck: Deck) -> Words:
    """The constant words shared by all deals of a deck."""
    recipes = tables(deck)
    words = np.zeros(TABLES + len(recipes), np.int64)
    words[TABLES:] = recipes
    words[THE_DANCER] = deck.dancer
    readings = deck.readings
    words[READINGS] = LATE_TRUMP * readings.late_trump_does_not_lift + NO_BOTTOM * readings.no_bottom_when_trumped
    words[SUIT_CARDS : SUIT_CARDS + len(deck.of_suit)] = deck.of_suit
    numbers = [card.number for card in deck.cards]
    ranks = {number: rank for rank, number in enumerate(sorted(set(numbers)))}
    for card, face in enumerate(deck.cards):
        words[SUIT + card] = face.suit
        words[RANK + card] = ranks[face.number]
        words[LOWER + card] = sum(1 << other for other in range(CARDS) if numbers[other] < face.number)
        words[POINTS + card] = face.vp
    _enter_captures(deck, words)
    return words


def _enter_captures(deck: Deck, words: Words) -> None:
    """Write the cards that each card may take when it wins a trick, and the cards grouped by points."""
    trumps, dancer = deck.of_suit[TRUMP], 1 << deck.dancer
    for card, face in enumerate(deck.cards):
        lower = int(words[LOWER + card])
        if card != deck.dancer:
            # Next to a trump no suit card wins; next to a trump and the Dancer no trump wins, unless it came later
            # and does not lift the Dancer.
            lower &= ~(trumps if face.suit != TRUMP else 0 if deck.readings.late_trump_does_not_lift else dancer)
        words[CAPTURES + card] = lower
        for other in members(lower):
            words[CAPTORS + other] |= 1 << card
    levels = sorted({face.vp for face in deck.cards} - {0}, reverse=True)
    words[LEVELS] = len(levels)
    for level, worth in enumerate(levels):
        words[LEVELS + 1 + 2 * level] = worth
        words[LEVELS + 2 + 2 * level] = sum(1 << card for card, face in enumerate(deck.cards) if face.vp == worth)


def deal_words(state: State, player: int, *, allies: bool) -> Words:
    """The constant words that kernels read: the deal of `state`, and the player."""
    deal = _deck_words(state.deck).copy()
    deal[SWITCHES] = ALL_SWITCHES
    deal[PLAYER] = player
    deal[PLAYERS] = state.players
    deal[ALLIES] = int(allies)
    deal[PROBE_NODES] = _PROBE_NODES[state.players]
    deal[PROBE_TRICKS] = _PROBE_TRICKS
    for seat, hand in enumerate(dealt(state)):
        deal[HANDS + seat] = hand
        for card in members(hand):
            deal[OWNER + card] = seat
    return deal


def dealt(state: State) -> list[int]:
    """The hands at the start of the current trick: those of `state` plus the cards played to it."""
    hands = list(state.hands)
    for turn, play in enumerate(state.trick):
        hands[(state.leader + turn) % state.players] |= 1 << play.card
    return hands


def round_words(state: State, deal: Words) -> Words:
    """Convert a state to a node with every seat's pile and points, for `maxn` and for rollouts."""
    node = np.zeros(NODE_WORDS, np.int64)
    start_trick(node, 0, state.leader)
    node[LIVE] = sum(dealt(state))
    for play in state.trick:
        lay(deal, node, 0, code(state, play))
    if state.full:
        judge(deal, node, 0)
    for seat, pile in enumerate(state.won):
        node[PILES + seat] = pile
        node[SCORES + seat] = state.points(seat)
    return node


def move_of(state: State, code: int) -> Move:
    """Decode a move from a code of `list_moves`."""
    if code & TAKES:
        cards = [code >> shift & 63 for shift in (8, 14, 20)]
        given = None if cards[2] == NOBODY else cards[2]
        return Taking(tuple(card for card in cards[:2] if card != NOBODY), given)
    if code >= NAMED:
        return Play(state.deck.dancer, code - NAMED)
    return Play(code, state.deck.cards[code].suit)


def code(state: State, play: Play) -> int:
    """Encode a play as `list_moves` does."""
    return NAMED + play.suit if play.card == state.deck.dancer else play.card


def node_words(state: State, deal: Words) -> Words:
    """Convert a state to a node with only the player's pile, by replaying its trick.

    If the trick is full and leaves the player no choice, it has already ended in the node.
    """
    node = np.zeros(STATE_WORDS, np.int64)
    player = int(deal[PLAYER])
    start_trick(node, 0, state.leader)
    node[LIVE] = sum(dealt(state))
    node[PILE] = state.won[player]
    node[WON] = state.points(player)
    for play in state.trick:
        child = np.zeros(STATE_WORDS, np.int64)
        kernel_play(deal, node, 0, child, 0, code(state, play))
        node = child
    return node
