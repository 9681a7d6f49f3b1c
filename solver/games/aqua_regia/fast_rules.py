"""Aqua Regia's rules for kernels, on integers: the moves as numbers, the rules, and games in two forms.

What may be played or taken is decided here once, on plain numbers. A search for proofs needs a whole game in a few
words, to hash and to copy, so it keeps a hand as one word (*sets in a word*); that holds the decks of people, not
every deck. Simulated games take any deck, and keep a count of each metal (*games by counts*).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from solver.errors import RequestError
from solver.games.aqua_regia import rules
from solver.games.aqua_regia.deck import FIELDS, MOST_METALS, Deck
from solver.games.aqua_regia.rules import MOST_AT_ONCE, Move, Pass, Play, State, needs
from solver.kernels.jit import inlined, lean
from solver.kernels.rng import mix
from solver.kernels.words import Words, popcount, trailing_zeros, wrapping_sum
from solver.language import say
from solver.search.proof_number import NUMBER_BITS
from solver.search.rules import FIRST_OWN
from solver.search.winner_search import DEAL_WORDS, SWITCHES

# ----------------------------------------------------------------------------------------------------
# Moves as numbers, in canonical order.


# A play is 4 * metal + count - 1; PASS, a pass without an exchange; EXCHANGE + 128 * metal discarded + metal taken
# is one with an exchange. DRAW is the first half of a pass whose exchange is chosen once the card drawn is known.
# `number_of` and `move_of` say the same in Python, where calling a kernel would compile it.
PASS, DRAW, EXCHANGE = 512, 513, 514


next_field = inlined(rules.next_field)


@inlined
def play_number(metal: int, count: int) -> int:
    return 4 * metal + count - 1


@inlined
def exchange_number(given: int, taken: int) -> int:
    return EXCHANGE + 128 * given + taken


@inlined
def metal_played(move: int) -> int:
    return move >> 2


@inlined
def count_played(move: int) -> int:
    return (move & 3) + 1


@inlined
def metal_given(move: int) -> int:
    return (move - EXCHANGE) >> 7


@inlined
def metal_taken(move: int) -> int:
    return (move - EXCHANGE) & 127


def number_of(move: Move, metals: Sequence[int] = range(MOST_METALS)) -> int:
    """Return a move's number, with each metal as its index in `metals`."""
    if isinstance(move, Play):
        return 4 * metals.index(move.metal) + move.count - 1
    if move.discarded is None or move.taken is None:
        return PASS
    return EXCHANGE + 128 * metals.index(move.discarded) + metals.index(move.taken)


def move_of(number: int, metals: Sequence[int] = range(MOST_METALS)) -> Move:
    """Return the move with a number; the reverse of `number_of`."""
    if number < PASS:
        return Play(metals[number >> 2], (number & 3) + 1)
    if number < EXCHANGE:
        return Pass()
    given, taken = divmod(number - EXCHANGE, 128)
    return Pass(metals[given], metals[taken])


# ----------------------------------------------------------------------------------------------------
# The rules on plain numbers.


@inlined
def next_seat(seat: int, seats: int) -> int:
    return seat + 1 if seat + 1 < seats else 0


@inlined
def most_on(count: int) -> int:
    """Return how many cards may be played at most on `count` cards (0: led). At least `count` must be."""
    return MOST_AT_ONCE if count == 0 else min(count + 1, MOST_AT_ONCE)


@inlined
def most_cards(held: int, most: int, several: bool) -> int:
    """Return how many of `held` cards of a metal may be played if at most `most` may (`most_on`).

    `several` says whether the field lets out more than one card of the metal at once.
    """
    return min(held, most if several else 1)


@inlined
def may_take(lying: int, copies: int) -> bool:
    """Whether a card may be taken of a metal of which `lying` of its `copies` are in the discard pile."""
    return 0 < lying < copies


# ----------------------------------------------------------------------------------------------------
# Sets in a word, for proofs.
#
# A set of cards is one word with a lane for each metal, the weakest lowest; a lane counts the metal's cards. Lanes
# are as wide as the copies of a metal need (`BITS`), so the number of metals in play times that width must fit in
# 63 bits: 21 metals of up to 7 copies, 31 of up to 3, 63 single ones. In the numbers of moves, metals are lanes.
#
# Positions never repeat. A play, and a pass that draws, reduces 2 × stock + cards in hands, which no move
# increases. Other passes can only continue until the turn is back at the seat that made the top play. Then that
# seat, or the next seat that can lead, must play a card; one of them can, since every metal can be played in some
# field.


# Words of `deal` after the search's own. ONES has the lowest bit of every lane, FULL every lane with all copies.
# SINGLY, then SEVERAL: for each field the lanes that may be played singly, and in multiples. METAL_OF: the metal
# of each bit. PAIRS: for each field the lanes of which two cards may be played on a single one. STOCK: for each
# card in draw order, its metal, and the weakest metal from there on.
SEATS, BITS, MODEL, STOCK_SIZE, ONES, FULL, TOTAL = range(DEAL_WORDS, DEAL_WORDS + 7)
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
_OWNER, _FIELD, _REVERSED, _COUNT, _METAL, _DRAWN, ASKED, OUT = 3, 6, 8, 9, 12, 18, 28, 31
_PLAYED = 63 | (7 << _COUNT) | (63 << _METAL)  # the bits of the turn and of the top play


@inlined
def turn_of(status: int) -> int:
    return int(status & 7)


@inlined
def owner_of(status: int) -> int:
    return int((status >> _OWNER) & 7)


@inlined
def field_of(status: int) -> int:
    return int((status >> _FIELD) & 3)


@inlined
def reversed_of(status: int) -> int:
    return int((status >> _REVERSED) & 1)


@inlined
def count_of(status: int) -> int:
    return int((status >> _COUNT) & 7)


@inlined
def metal_of(status: int) -> int:
    return int((status >> _METAL) & 63)


@inlined
def drawn_of(status: int) -> int:
    return int((status >> _DRAWN) & 1023)


@inlined
def asked_of(status: int) -> int:
    return int((status >> ASKED) & 7)


@inlined
def lanes(deal: Words, cards: int) -> int:
    """Return a mask with the lowest bit of every lane of `cards` that holds a card."""
    filled = cards
    for shift in range(1, deal[BITS]):
        filled |= cards >> shift
    return int(filled & deal[ONES])


@inlined
def metals(deal: Words, cards: int) -> int:
    """The number of different metals in a set of cards."""
    return popcount(lanes(deal, cards))


@inlined
def weakest(deal: Words, state: Words, at: int) -> int:
    """Return the lane of the weakest metal in a hand or still to be drawn."""
    held = state[at] | state[at + 1] | state[at + 2] | state[at + 3] | state[at + 4]
    metal = deal[METAL_OF + trailing_zeros(held)]
    drawn = drawn_of(state[at + STATUS])
    if drawn < deal[STOCK_SIZE]:
        metal = min(metal, deal[STOCK + 2 * drawn + 1])
    return int(metal)


@inlined
def several(deal: Words, field: int, count: int) -> int:
    """Return the lanes of which more than one card may be played at once on `count` cards (0: led)."""
    return int(deal[(PAIRS if count == 1 else SEVERAL) + field])


@inlined
def whole(deal: Words, discard: int) -> int:
    """Return, as full lanes, the metals with all cards in the discard pile; none of these may be taken."""
    full = deal[ONES] & ~lanes(deal, discard ^ deal[FULL])
    return int(full * ((1 << deal[BITS]) - 1))


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
    field, count = field_of(status), count_of(status)
    bits = deal[BITS]
    lane = (1 << bits) - 1
    together, limit = several(deal, field, count), most_on(count)
    above = deal[SINGLY + field]
    if count > 0:
        above &= -1 << (bits * (metal_of(status) + 1))
    rest = hand & above
    listed = 0
    while rest != 0:
        metal = deal[METAL_OF + trailing_zeros(rest)]
        held = (rest >> (bits * metal)) & lane
        rest &= ~(lane << (bits * metal))
        most = most_cards(held, limit, (together >> (bits * metal)) & 1 != 0)
        for number in range(max(count, 1), most + 1):
            out[to + listed * step] = play_number(metal, number)
            listed += 1
    if count == 0:
        return listed
    out[to + listed * step] = PASS
    listed += 1
    drawn = drawn_of(status)
    if drawn < deal[STOCK_SIZE]:
        hand += 1 << (bits * deal[STOCK + 2 * drawn])
    discard = state[at + DISCARD]
    ready = lanes(deal, discard) & lanes(deal, discard ^ deal[FULL])  # `may_take`, of all metals at once
    rest = lanes(deal, hand)
    while rest != 0:
        bit = trailing_zeros(rest)
        rest &= rest - 1
        given = deal[METAL_OF + bit]
        takes = ready & (-2 << bit)
        while takes != 0:
            out[to + listed * step] = exchange_number(given, deal[METAL_OF + trailing_zeros(takes)])
            takes &= takes - 1
            listed += 1
    return listed


@lean
def play(deal: Words, state: Words, at: int, child: Words, to: int, move: int) -> None:
    """Write the node after `move` to `child`, from index `to`, with the deal passed on to a seat that can lead."""
    for word in range(STATE_WORDS):
        child[to + word] = state[at + word]
    status = state[at + STATUS]
    turn = turn_of(status)
    bits = deal[BITS]
    following = next_seat(turn, deal[SEATS])
    if move < PASS:
        metal, number = metal_played(move), count_played(move)
        cards = number << (bits * metal)
        child[to + turn] -= cards
        child[to + PILE] += cards
        status &= ~_PLAYED
        status |= following | (turn << _OWNER) | (number << _COUNT) | (metal << _METAL)
        if number == MOST_AT_ONCE:
            status ^= 1 << _REVERSED
        if child[to + turn] == 0:
            status |= (turn + 1) << OUT
        child[to + STATUS] = status
        return
    drawn = drawn_of(status)
    if drawn < deal[STOCK_SIZE]:
        child[to + turn] += 1 << (bits * deal[STOCK + 2 * drawn])
        status += 1 << _DRAWN
    if move >= EXCHANGE:
        change = (1 << (bits * metal_taken(move))) - (1 << (bits * metal_given(move)))
        child[to + turn] += change
        child[to + DISCARD] -= change
    status = (status & ~7) | following
    if following == owner_of(status):
        child[to + DISCARD] += child[to + PILE]
        child[to + PILE] = 0
        reverse = reversed_of(status)
        start = lead(deal, child, to, following, next_field(field_of(status), reverse), reverse)
        status &= ~(_PLAYED | (3 << _FIELD))
        status |= (start & 7) | ((start >> 3) << _FIELD)
    child[to + STATUS] = status


@lean
def digest(deal: Words, state: Words, at: int, word: int) -> int:
    """Return word number `word` of a node's hash key, which covers only what can still matter.

    A card in the discard pile can never be taken if it is no stronger than the weakest card in the hands and the
    stock, or if all cards of its metal are there.
    """
    bits = deal[BITS]
    out = -1 << (bits * (weakest(deal, state, at) + 1))
    discard = state[at + DISCARD] & out & ~whole(deal, state[at + DISCARD])
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

    def set_of(self, counts: tuple[int, ...]) -> int:
        """Convert counts by metal to a word; metals without a lane are left out."""
        return sum(counts[metal] << lane * self.bits for lane, metal in enumerate(self.metals))


def deal_of(deck: Deck, state: State, model: str) -> Deal:
    """Return the constants for searching from a settled state under one of MODELS.

    Raises RequestError if the metals do not fit in a word of the search.
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
    words[SWITCHES] = ALL_SWITCHES
    words[SEATS] = state.seats
    words[BITS] = bits
    words[MODEL] = MODELS.index(model)
    words[STOCK_SIZE] = len(state.stock)
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
    for order, metal in enumerate(drawn):
        words[STOCK + 2 * order] = metal
        words[STOCK + 2 * order + 1] = min(drawn[order:])
    return deal


def node_of(deal: Deal, state: State) -> Words:
    """Convert a settled state to the words of a node that asks about seat 0."""
    node = np.zeros(STATE_WORDS, np.int64)
    for seat, hand in enumerate(state.hands):
        node[seat] = deal.set_of(hand)
    node[DISCARD] = deal.set_of(state.discard)
    status = state.turn | state.field << _FIELD | state.reversed << _REVERSED
    if state.table:
        top = state.top
        assert state.owner is not None
        assert top is not None
        node[PILE] = deal.set_of(tuple(map(state.table.count, range(len(state.discard)))))
        status |= state.owner << _OWNER | top.count << _COUNT | deal.metals.index(top.metal) << _METAL
    if state.winner is not None:
        status |= (state.winner + 1) << OUT
    node[STATUS] = status
    return node


# ----------------------------------------------------------------------------------------------------
# Games by counts, for simulated games: any deck, and what everybody has seen of each hand.


# Rows of the piles.
GONE, TABLE = 0, 1
# Scalars. METAL and COUNT are the top play; COUNT 0 is an empty table. DRAWN cards of the STOCKED are gone. TAKER:
# 1 + the seat that wins the first trick, 0 while it goes on. FUEL: the moves until a game ends without a winner,
# 0: no limit. STEPS: the most steps of a chain, 0: no limit.
TURN, FIELD, REVERSED, OWNER, METAL, COUNT, DRAWN, STOCKED, COPIES, TAKER, FUEL, STEPS = range(12)
SCALARS = 12
NOBODY = -1
# The rows after those of the four fields in a table of reactivities: which one two cards on a single card need;
# in how many fields a metal reacts.
PAIR, REACTS = len(FIELDS), len(FIELDS) + 1


def reactivity_rows(deck: Deck) -> Words:
    """Return the reactivities as an array with a column per metal.

    It has a row per field, then the rows PAIR and REACTS.
    """
    reacts = [sum(reactivity > 0 for reactivity in metal) for metal in zip(*deck.reactivity, strict=True)]
    return np.array([*deck.reactivity, [needs(deck, 2, Play(0, 1))] * deck.size, reacts], np.int64)


class Game(NamedTuple):
    """A game in progress. The kernels change all of its arrays except `reactivity` (`reactivity_rows`).

    `hands` has a row per seat with a count per metal, and `sizes` the number of cards in each hand. `piles` has a
    count per metal in two rows, one for the discard pile and one for the table. `scalars` is indexed by TURN,
    FIELD and so on. `stock` is in draw order, and still includes the cards already drawn. `known` has a row per
    seat: the cards that everybody saw going into its hand and not leaving it.

    A player sees no other hand, and of the stock only the number of cards.
    """

    reactivity: Words
    hands: Words
    sizes: Words
    piles: Words
    scalars: Words
    stock: Words
    known: Words


@inlined
def most_of(reactivity: Words, field: int, metal: int, held: int, count: int) -> int:
    """Return how many of the `held` cards of a metal a field lets out at most on `count` cards (0: led)."""
    lets = reactivity[field, metal]
    several = lets >= (reactivity[PAIR, metal] if count == 1 else 2)
    return most_cards(held, most_on(count), several) if lets > 0 else 0


@lean
def field_after(scalars: Words) -> int:
    """Return the field after the current one."""
    return next_field(scalars[FIELD], scalars[REVERSED])


@lean
def settle(game: Game) -> None:
    """Pass the deal on to the first seat that can lead; if there is none, change the field."""
    hands, scalars = game.hands, game.scalars
    seats, metals = hands.shape
    while True:
        for step in range(seats):
            dealer = (scalars[TURN] + step) % seats
            for metal in range(metals):
                if hands[dealer, metal] > 0 and game.reactivity[scalars[FIELD], metal] > 0:
                    scalars[TURN] = dealer
                    return
        scalars[FIELD] = field_after(scalars)


@lean
def lay(game: Game, metal: int, count: int) -> None:
    """Play `count` cards of a metal for the seat to move. Its known cards of the metal are assumed to go first."""
    scalars = game.scalars
    seat = scalars[TURN]
    game.known[seat, metal] = max(0, game.known[seat, metal] - count)
    game.hands[seat, metal] -= count
    game.sizes[seat] -= count
    game.piles[TABLE, metal] += count
    scalars[OWNER] = seat
    scalars[METAL] = metal
    scalars[COUNT] = count
    if count == MOST_AT_ONCE:
        scalars[REVERSED] ^= 1
    scalars[TURN] = next_seat(seat, len(game.sizes))


@lean
def draw(game: Game) -> None:
    """Draw a card for the seat to move, if the stock has one."""
    scalars = game.scalars
    if scalars[DRAWN] < scalars[STOCKED]:
        game.hands[scalars[TURN], game.stock[scalars[DRAWN]]] += 1
        game.sizes[scalars[TURN]] += 1
        scalars[DRAWN] += 1


@lean
def finish_pass(game: Game, move: int) -> None:
    """End a pass, after its draw, with an exchange or without (PASS)."""
    hands, piles, scalars = game.hands, game.piles, game.scalars
    seat = scalars[TURN]
    if move >= EXCHANGE:
        given, taken = metal_given(move), metal_taken(move)
        game.known[seat, given] = max(0, game.known[seat, given] - 1)
        game.known[seat, taken] += 1
        hands[seat, given] -= 1
        hands[seat, taken] += 1
        piles[GONE, given] += 1
        piles[GONE, taken] -= 1
    scalars[TURN] = next_seat(seat, len(hands))
    if scalars[TURN] == scalars[OWNER]:
        for metal in range(hands.shape[1]):
            piles[GONE, metal] += piles[TABLE, metal]
            piles[TABLE, metal] = 0
        if scalars[TAKER] == 0:
            scalars[TAKER] = scalars[OWNER] + 1
        scalars[COUNT] = 0
        scalars[FIELD] = field_after(scalars)
        settle(game)


@lean
def make_move(game: Game, move: int) -> bool:
    """Make a play, a draw, or the rest of a pass; return whether the seat has drawn and may now exchange."""
    if move < PASS:
        lay(game, metal_played(move), count_played(move))
    elif move == DRAW:
        draw(game)
    else:
        finish_pass(game, move)
    return move == DRAW


@lean
def winner_of(game: Game) -> int:
    """Return the seat without cards, or `NOBODY`."""
    for seat in range(len(game.sizes)):
        if game.sizes[seat] == 0:
            return seat
    return NOBODY


@lean
def copy_rows(source: Words, target: Words) -> None:
    """Copy a two-dimensional array element by element: kernels that allocate no arrays can't copy a slice."""
    for row in range(source.shape[0]):
        for column in range(source.shape[1]):
            target[row, column] = source[row, column]


# ----------------------------------------------------------------------------------------------------
# Switches of Aqua Regia's search: which of its parts are on (see `solver.search.rules`).


RUNS = 1 << FIRST_OWN  # whether a seat is sure to go out with one run of plays

ALL_SWITCHES = RUNS
