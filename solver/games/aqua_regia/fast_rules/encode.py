"""From a state of the rules to the words of the search: a deal's constants, and the node of a state."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from solver.games.aqua_regia.cards.deck import FIELDS, Deck
from solver.games.aqua_regia.cards.rules import Move, Pass, Play, State, needs, runs
from solver.games.aqua_regia.fast_rules import kernel
from solver.games.aqua_regia.fast_rules.kernel import EXCHANGE, PASS
from solver.inputs.errors import RequestError
from solver.kernels.arrays import Words
from solver.search.outcome.vocabulary import SWITCHES

MODELS = ("paranoid", "ally", "maxn")
_WORD = 63  # bits that a set of cards may take


@dataclass(frozen=True, eq=False)
class Deal:
    """The constants of a game from a state on: the search's words, and which metal has which lane.

    Metals that are nowhere or whole in the discard pile have none. `depth` and `moves` bound a line and a node.
    """

    words: Words
    metals: tuple[int, ...]
    bits: int
    depth: int
    moves: int

    def move_of(self, number: int) -> Move:
        """The rules' move of the search's number."""
        if number < PASS:
            return Play(self.metals[number >> 2], (number & 3) + 1)
        if number == PASS:
            return Pass()
        pair = number - EXCHANGE
        return Pass(self.metals[pair >> 6], self.metals[pair & 63])

    def set_of(self, counts: tuple[int, ...]) -> int:
        """The word of a set of cards; metals without a lane are left out."""
        return sum(counts[metal] << lane * self.bits for lane, metal in enumerate(self.metals))


def deal_of(deck: Deck, state: State, model: str, *, switches: int = 0) -> Deal:
    """The deal that a settled state is searched in, under one of MODELS.

    `switches` has a bit for each optional part of the search that is on; the rules do not look at it. Raises
    RequestError when the metals do not fit a word of the search.
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
        message = (
            f"{len(metals)} metals of up to {deck.copies} cards are too many to search: at most "
            f"{_WORD // bits} metals of so many cards can be in play"
        )
        raise RequestError("too_large", message, "deck")
    if len(state.stock) > kernel.MOST_STOCK:
        raise RequestError(
            "too_large", f"a stock of over {kernel.MOST_STOCK} cards is too long to search", "stock"
        )
    words = np.zeros(kernel.STOCK + 2 * len(state.stock), np.int64)
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
    words[kernel.SEATS] = state.seats
    words[kernel.BITS] = bits
    words[kernel.MODEL] = MODELS.index(model)
    words[kernel.STOCKED] = len(state.stock)
    words[kernel.ONES] = sum(1 << bits * index for index in range(len(metals)))
    words[kernel.FULL] = words[kernel.ONES] * deck.copies
    words[kernel.TOTAL] = sum(map(deal.set_of, (*piles, state.discard)))
    for field in range(len(FIELDS)):
        pair = needs(deck, 2, Play(0, 1))
        for least, start in ((1, kernel.SINGLY), (2, kernel.SEVERAL), (pair, kernel.PAIRS)):
            words[start + field] = sum(
                lane << bits * index
                for index, metal in enumerate(metals)
                if deck.reactivity[field][metal] >= least
            )
    for bit in range(len(metals) * bits):
        words[kernel.METAL_OF + bit] = bit // bits
    words[kernel.METAL_OF + len(metals) * bits : kernel.PAIRS] = len(metals)  # of no card
    drawn = [metals.index(metal) for metal in state.stock]
    for place, metal in enumerate(drawn):
        words[kernel.STOCK + 2 * place] = metal
        words[kernel.STOCK + 2 * place + 1] = min(drawn[place:])
    return deal


def node_of(deal: Deal, state: State) -> Words:
    """The node of a settled state, without a question (it asks about seat 0)."""
    node = np.zeros(kernel.STATE_WORDS, np.int64)
    for seat, hand in enumerate(state.hands):
        node[seat] = deal.set_of(hand)
    node[kernel.DISCARD] = deal.set_of(state.discard)
    status = state.turn | state.field << kernel.FIELD | state.reversed << kernel.REVERSED
    if state.table:
        assert state.owner is not None
        top = runs(state.table)[-1]
        pile = [0] * len(state.discard)
        for card in state.table:
            pile[card] += 1
        node[kernel.PILE] = deal.set_of(tuple(pile))
        status |= state.owner << kernel.OWNER | top.count << kernel.COUNT
        status |= deal.metals.index(top.metal) << kernel.METAL
    if state.winner is not None:
        status |= (state.winner + 1) << kernel.OUT
    node[kernel.STATUS] = status
    return node
