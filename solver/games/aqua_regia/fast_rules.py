"""Aqua Regia's rules as compiled kernels on integer arrays: legal moves, playing them, hash keys.

A set of cards is one word with a lane for each metal, the weakest lowest; a lane counts the metal's cards. Lanes
are as wide as the copies of a metal need (`BITS`), so the number of metals in play times that width must fit in 63
bits: 21 metals of up to 7 copies, 31 of up to 3, 63 single ones.

Positions never repeat. A play, and a pass that draws, reduces 2 × stock + cards in hands, which no move increases.
Other passes can only continue until the turn is back at the seat that made the top play. Then that seat, or the
next seat that can lead, must play a card; one of them can, since every metal can be played in some field.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from solver.errors import RequestError
from solver.games.aqua_regia.deck import FIELDS, Deck
from solver.games.aqua_regia.rules import Move, Pass, Play, State, needs, runs
from solver.kernels.jit import inlined, lean
from solver.kernels.rng import mix
from solver.kernels.words import Words, popcount, trailing_zeros, wrapping_sum
from solver.language import say
from solver.search.proof_number import NUMBER_BITS
from solver.search.rules import Switches
from solver.search.winner_search import DEAL_WORDS, SWITCHES

# Words of `deal` after the search's own. ONES has the lowest bit of every lane, FULL every lane with all copies.
# SINGLY, then SEVERAL: for each field the lanes that may be played singly, and in multiples. METAL_OF: the metal
# of each bit. PAIRS: for each field the lanes of which two cards may be played on a single one. STOCK: for each
# card in draw order, its metal, and the weakest metal from there on.
SEATS, BITS, MODEL, STOCKED, ONES, FULL, TOTAL = range(DEAL_WORDS, DEAL_WORDS + 7)
SINGLY, SEVERAL, METAL_OF, PAIRS = DEAL_WORDS + 7, DEAL_WORDS + 11, DEAL_WORDS + 15, DEAL_WORDS + 79
STOCK = PAIRS + 4
PARANOID, ALLY, MAXN = range(3)

# Words of a node: five hands, the discard pile, the cards on the field (the top play too), and the status.
DISCARD, PILE, STATUS = 5, 6, 7
STATE_WORDS = 8
MOST_STOCK = 1023  # cards
# The status, from bit 0: turn, owner of the top play (3 bits each), field (2), reversed (1), cards of the top
# play (3; 0 when the field is empty, then the turn is the dealer's), its metal (6), cards drawn (10), the seat
# asked about (3), the seat that has gone out + 1 (3).
OWNER, FIELD, REVERSED, COUNT, METAL, DRAWN, ASKED, OUT = 3, 6, 8, 9, 12, 18, 28, 31

# Moves in canonical order: metal * 4 + count - 1; PASS; EXCHANGE + 64 * discarded metal + taken metal.
PASS, EXCHANGE = 256, 257


@inlined
def turn_of(status: int) -> int:
    return int(status & 7)


@inlined
def asked_of(status: int) -> int:
    return int((status >> ASKED) & 7)


@inlined
def lanes(deal: Words, cards: int) -> int:
    """Return a mask with the lowest bit of every lane of `cards` that holds a card."""
    found = cards
    for shift in range(1, deal[BITS]):
        found |= cards >> shift
    return int(found & deal[ONES])


@inlined
def metals(deal: Words, cards: int) -> int:
    """The number of different metals in a set of cards."""
    return popcount(lanes(deal, cards))


@inlined
def weakest(deal: Words, state: Words, at: int) -> int:
    """Return the lane of the weakest metal in a hand or still to be drawn."""
    held = state[at] | state[at + 1] | state[at + 2] | state[at + 3] | state[at + 4]
    metal = deal[METAL_OF + trailing_zeros(held)]
    drawn = (state[at + STATUS] >> DRAWN) & 1023
    if drawn < deal[STOCKED]:
        metal = min(metal, deal[STOCK + 2 * drawn + 1])
    return int(metal)


@inlined
def next_field(field: int, reverse: int) -> int:
    return int((field + (3 if reverse else 1)) & 3)


@inlined
def lead(deal: Words, state: Words, at: int, turn: int, field: int, reverse: int) -> int:
    """Return the next seat that can lead, from `turn` on, and the field in which it does: seat | field << 3."""
    seats = deal[SEATS]
    while True:
        for step in range(seats):
            seat = turn + step
            if seat >= seats:
                seat -= seats
            if state[at + seat] & deal[SINGLY + field] != 0:
                return int(seat | (field << 3))
        field = next_field(field, reverse)


@lean
def moves(deal: Words, state: Words, at: int, out: Words, to: int, step: int) -> int:
    """Write every legal move in canonical order to `out`, from index `to`, `step` words apart; return how many."""
    status = state[at + STATUS]
    hand = state[at + turn_of(status)]
    field = (status >> FIELD) & 3
    bits = deal[BITS]
    lane = (1 << bits) - 1
    count = (status >> COUNT) & 7
    several = deal[(PAIRS if count == 1 else SEVERAL) + field]
    least = max(count, 1)
    most = 4 if count == 0 else min(count + 1, 4)
    above = deal[SINGLY + field]
    if count > 0:
        above &= -1 << (bits * (((status >> METAL) & 63) + 1))
    rest = hand & above
    found = 0
    while rest != 0:
        metal = deal[METAL_OF + trailing_zeros(rest)]
        held = (rest >> (bits * metal)) & lane
        rest &= ~(lane << (bits * metal))
        end = min(held, most)
        if (several >> (bits * metal)) & 1 == 0:
            end = min(end, 1)
        for number in range(least, end + 1):
            out[to + found * step] = metal * 4 + number - 1
            found += 1
    if count == 0:
        return found
    out[to + found * step] = PASS
    found += 1
    drawn = (status >> DRAWN) & 1023
    if drawn < deal[STOCKED]:
        hand += 1 << (bits * deal[STOCK + 2 * drawn])
    discard = state[at + DISCARD]
    ready = lanes(deal, discard) & lanes(deal, discard ^ deal[FULL])
    rest = lanes(deal, hand)
    while rest != 0:
        bit = trailing_zeros(rest)
        rest &= rest - 1
        given = EXCHANGE + 64 * deal[METAL_OF + bit]
        takes = ready & (-2 << bit)
        while takes != 0:
            out[to + found * step] = given + deal[METAL_OF + trailing_zeros(takes)]
            takes &= takes - 1
            found += 1
    return found


@lean
def play(deal: Words, state: Words, at: int, child: Words, to: int, move: int) -> None:
    """Write the node after `move` to `child`, from index `to`, with the deal passed on to a seat that can lead."""
    for word in range(STATE_WORDS):
        child[to + word] = state[at + word]
    status = state[at + STATUS]
    turn = turn_of(status)
    bits = deal[BITS]
    following = turn + 1 if turn + 1 < deal[SEATS] else 0
    if move < PASS:
        metal = move >> 2
        number = (move & 3) + 1
        cards = number << (bits * metal)
        child[to + turn] -= cards
        child[to + PILE] += cards
        status &= ~(63 | (7 << COUNT) | (63 << METAL))
        status |= following | (turn << OWNER) | (number << COUNT) | (metal << METAL)
        if number == 4:
            status ^= 1 << REVERSED
        if child[to + turn] == 0:
            status |= (turn + 1) << OUT
        child[to + STATUS] = status
        return
    drawn = (status >> DRAWN) & 1023
    if drawn < deal[STOCKED]:
        child[to + turn] += 1 << (bits * deal[STOCK + 2 * drawn])
        status += 1 << DRAWN
    if move > PASS:
        pair = move - EXCHANGE
        change = (1 << (bits * (pair & 63))) - (1 << (bits * (pair >> 6)))
        child[to + turn] += change
        child[to + DISCARD] -= change
    status = (status & ~7) | following
    if following == (status >> OWNER) & 7:
        child[to + DISCARD] += child[to + PILE]
        child[to + PILE] = 0
        reverse = (status >> REVERSED) & 1
        start = lead(deal, child, to, following, next_field((status >> FIELD) & 3, reverse), reverse)
        status &= ~(63 | (3 << FIELD) | (7 << COUNT) | (63 << METAL))
        status |= (start & 7) | ((start >> 3) << FIELD)
    child[to + STATUS] = status


@lean
def digest(deal: Words, state: Words, at: int, word: int) -> int:
    """Return word number `word` of a node's hash key, which covers only what can still matter.

    A card in the discard pile can never be taken if it is no stronger than the weakest card in the hands and the
    stock, or if all cards of its metal are there.
    """
    bits = deal[BITS]
    out = -1 << (bits * (weakest(deal, state, at) + 1))
    discard = state[at + DISCARD]
    whole = deal[ONES] & ~lanes(deal, discard ^ deal[FULL])
    discard &= out & ~(whole * ((1 << bits) - 1))
    mixed = mix(wrapping_sum(state[at + STATUS], 0x1E3779B97F4A7C15 * (word + 1)))
    for seat in range(deal[SEATS]):
        mixed = mix(wrapping_sum(mixed, state[at + seat]))
    mixed = mix(mixed ^ discard)
    return int(mix(wrapping_sum(mixed, state[at + PILE] & out)))


@inlined
def any_suffices(deal: Words, state: Words, at: int) -> bool:
    """Whether the answer for a node is YES as soon as it is YES for one move.

    That is so if the seat to move is the one asked about, or an ally of it.
    """
    status = state[at + STATUS]
    return bool(deal[MODEL] == ALLY or turn_of(status) == asked_of(status))


@inlined
def ask(deal: Words, state: Words, at: int, child: Words, to: int, index: int) -> int:
    """Write to a child node, under `maxn`, which seat's win it asks about; return 1 if its answer must be negated.

    A node asks whether a given seat wins. If another seat is to move and can win, the answer is NO: so every move
    except the first asks whether the mover wins. If the mover can't win, it plays the first move in canonical
    order, which therefore keeps the node's question.
    """
    status = state[at + STATUS]
    turn = turn_of(status)
    if deal[MODEL] != MAXN or index == 0 or turn == asked_of(status):
        return 0
    child[to + STATUS] = (child[to + STATUS] & ~(7 << ASKED)) | (turn << ASKED)
    return 1


@inlined
def efforts(deal: Words, state: Words, at: int) -> int:
    """Return initial proof and disproof numbers of a node: proof number | disproof number << NUMBER_BITS.

    Each number is 1 plus half the square of the number of metals in a hand. For the proof number, that is the hand
    of the seat asked about; for the disproof number, the other hand with the fewest metals. Searches take 1.5 to 7
    times as long with the square itself, with twice the square, or with the number of metals.
    """
    asked = asked_of(state[at + STATUS])
    other = 1 << 20
    for seat in range(deal[SEATS]):
        if seat != asked:
            other = min(other, metals(deal, state[at + seat]))
    mine = metals(deal, state[at + asked])
    return int((1 + mine * mine // 2) | ((1 + other * other // 2) << NUMBER_BITS))


# ----------------------------------------------------------------------------------------------------
# From a state of the rules to the words of the search: a deal's constants, and the node of a state.


MODELS = ("paranoid", "ally", "maxn")
_WORD = 63  # bits of a set of cards, at most


@dataclass(frozen=True, eq=False)
class Deal:
    """The constants of a search.

    The kernels read `words`. `metals` has, for each lane, the index of its metal in the deck; a lane is `bits`
    bits wide. A metal has a lane unless it is out of play or all its cards are in the discard pile. A line of play
    has at most `depth` moves, and a node at most `moves`.
    """

    words: Words
    metals: tuple[int, ...]
    bits: int
    depth: int
    moves: int

    def move_of(self, number: int) -> Move:
        """Convert a move number of the search to a move of `rules`."""
        if number < PASS:
            return Play(self.metals[number >> 2], (number & 3) + 1)
        if number == PASS:
            return Pass()
        pair = number - EXCHANGE
        return Pass(self.metals[pair >> 6], self.metals[pair & 63])

    def set_of(self, counts: tuple[int, ...]) -> int:
        """Convert counts by metal to a word; metals without a lane are left out."""
        return sum(counts[metal] << lane * self.bits for lane, metal in enumerate(self.metals))


def deal_of(deck: Deck, state: State, model: str, *, switches: int = 0) -> Deal:
    """Return the constants for searching from a settled state under one of MODELS.

    `switches` has a bit for each active optional part of the search; the rules ignore it. Raises RequestError if
    the metals do not fit in a word of the search.
    """
    table = deck.counts(state.table)
    stock = deck.counts(state.stock)
    piles = [*state.hands, table, stock]
    metals = tuple(
        metal
        for metal in range(deck.size)
        if any(pile[metal] for pile in piles) or 0 < state.discard[metal] < deck.copies
    )
    bits = deck.copies.bit_length()
    if len(metals) * bits > _WORD:
        message = say(
            "{metals} metals of up to {copies} cards are too many to search: at most {most} "
            "metals with that many cards can be in play",
            metals=len(metals),
            copies=deck.copies,
            most=_WORD // bits,
        )
        raise RequestError("too_large", message, "deck")
    if len(state.stock) > MOST_STOCK:
        message = say("a stock of over {most} cards is too long to search", most=MOST_STOCK)
        raise RequestError("too_large", message, "stock")
    words = np.zeros(STOCK + 2 * len(state.stock), np.int64)
    cards = sum(map(sum, state.hands))
    deal = Deal(
        words,
        metals,
        bits,
        depth=(2 * len(state.stock) + cards + 1) * state.seats,
        moves=4 * len(metals) + 1 + len(metals) * (len(metals) - 1) // 2,
    )
    lane = (1 << bits) - 1
    words[SWITCHES] = switches
    words[SEATS] = state.seats
    words[BITS] = bits
    words[MODEL] = MODELS.index(model)
    words[STOCKED] = len(state.stock)
    words[ONES] = sum(1 << bits * index for index in range(len(metals)))
    words[FULL] = words[ONES] * deck.copies
    words[TOTAL] = sum(map(deal.set_of, (*piles, state.discard)))
    for field in range(len(FIELDS)):
        pair = needs(deck, 2, Play(0, 1))
        for least, start in ((1, SINGLY), (2, SEVERAL), (pair, PAIRS)):
            words[start + field] = sum(
                lane << bits * index
                for index, metal in enumerate(metals)
                if deck.reactivity[field][metal] >= least
            )
    for bit in range(len(metals) * bits):
        words[METAL_OF + bit] = bit // bits
    words[METAL_OF + len(metals) * bits : PAIRS] = len(metals)  # for no card
    drawn = [metals.index(metal) for metal in state.stock]
    for place, metal in enumerate(drawn):
        words[STOCK + 2 * place] = metal
        words[STOCK + 2 * place + 1] = min(drawn[place:])
    return deal


def node_of(deal: Deal, state: State) -> Words:
    """Convert a settled state to the words of a node that asks about seat 0."""
    node = np.zeros(STATE_WORDS, np.int64)
    for seat, hand in enumerate(state.hands):
        node[seat] = deal.set_of(hand)
    node[DISCARD] = deal.set_of(state.discard)
    status = state.turn | state.field << FIELD | state.reversed << REVERSED
    if state.table:
        assert state.owner is not None
        top = runs(state.table)[-1]
        pile = [0] * len(state.discard)
        for card in state.table:
            pile[card] += 1
        node[PILE] = deal.set_of(tuple(pile))
        status |= state.owner << OWNER | top.count << COUNT
        status |= deal.metals.index(top.metal) << METAL
    if state.winner is not None:
        status |= (state.winner + 1) << OUT
    node[STATUS] = status
    return node


# ----------------------------------------------------------------------------------------------------
# Switches of Aqua Regia's search: which of its parts are on (see `solver.search.rules`).


_switches = Switches()

RUNS = _switches.own("runs")  # whether a seat is sure to go out with one run of plays

NAMED_SWITCHES = _switches.named
ALL_SWITCHES = _switches.everything
