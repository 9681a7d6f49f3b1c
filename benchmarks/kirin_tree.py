"""A tree over the own decisions, for kirin's arena: what a hint would be that plans its later plays by search.

Information-set Monte-Carlo tree search of one observer (Cowling, Powley and Whitehouse 2012), in which only the
decisions of the seat that asks are nodes: a node is told by the cards played since the root, in order. Each turn
takes the next likely world of the hint's own chain (`solver.games.kirin.worlds`); the others play on in
it as plausible players. At a node the card with the highest upper bound is played, whose first term
is the mean of what was won from there on and whose second is a prior by the trained player's values, or by the
chances of the learned player (the rule of Silver et al. 2017). A first visit plays the card of the highest prior,
and all that follows is played as the trained player would at its best. The card visited most often at the root is
the answer.
"""

from __future__ import annotations

import time
from math import sqrt
from typing import NamedTuple

import numpy as np

from benchmarks.kirin_prior import Prior, lay_prior, new_prior
from solver.games.kirin.fast_rules import CARDS, DECK, direction_after
from solver.games.kirin.players import (
    ALL,
    BEST,
    COLOURS,
    DIRECTION,
    HOLDER,
    KINDS,
    LEADER,
    PLAYED,
    TABLE_WORDS,
    TRICK,
    choose,
    colour_of,
    legal_cards,
    open_table,
    put,
    values,
)
from solver.games.kirin.position import View
from solver.games.kirin.worlds import (
    ASIDE,
    GONE,
    HAND,
    SEAT,
    TRICK_DIRECTION,
    TRICK_LEADER,
    Reading,
    Setting,
    begin_chain,
    deals,
    evidence_of,
    new_work,
    open_chain,
    step_chain,
)
from solver.hints.policy import to_chances
from solver.hints.sampled import new_kept
from solver.hints.worlds import STEPS, Chain
from solver.kernels.arrays import Floats, Words
from solver.kernels.bits import popcount, trailing_zeros, wrapping_sum
from solver.kernels.jit import kernel, lean
from solver.kernels.rng import mix
from solver.kernels.rng import start as start_stream
from solver.limits import Limit
from training.choices import place_of_best

NODES = 1 << 14  # the tree grows no further, or to the power of two below the rounds, if that is more,
_MOST_NODES = 1 << 18  # but this
MOST_MOVES = 8
_PROBES = 8
_TURNS = 64  # between two looks at the time
_LEAST = 0.03  # each card has so much more than its prior


class Tree(NamedTuple):
    """Nodes by their keys (0: free): by node and place of a card its prior, how often it was `tried`, and what was
    `won`.
    """

    keys: Words
    priors: Floats
    tried: Floats
    won: Floats


class Path(NamedTuple):
    """The nodes that a round came through, the places of the cards played there, and what was won before; then
    all cards played since the root.
    """

    nodes: Words
    places: Words
    before: Floats
    cards: Words


def new_tree(rounds: int = 0) -> Tree:
    """A tree without a node, for so many rounds."""
    nodes = max(NODES, min(_MOST_NODES, 1 << rounds.bit_length() - 1)) if rounds else NODES
    priors, tried, won = (np.zeros((nodes, MOST_MOVES)) for _ in range(3))
    return Tree(np.zeros(nodes, np.int64), priors, tried, won)


def reading_of(setting: Setting) -> Reading:
    """The `game` of the chain over a view's worlds."""
    table, hands, aside = np.zeros(TABLE_WORDS, np.int64), np.zeros(4, np.int64), np.zeros(4, np.int64)
    evidence = evidence_of(setting)
    return Reading(setting, evidence, new_work(hands, aside, table, new_kept(KINDS)))


@lean
def place_of(tree: Tree, key: int) -> int:
    """Where a node is, or may be put; -1 where there is no room."""
    last = len(tree.keys) - 1
    slot = (key >> 1) & last  # the lowest bit is 1
    for _ in range(_PROBES):
        if tree.keys[slot] == 0 or tree.keys[slot] == key:
            return int(slot)
        slot = (slot + 1) & last
    return -1


@lean
def bound_to_try(tree: Tree, node: int, count: int, exploring: float, out: Floats) -> int:
    """The place of the card to play at a node that was visited before."""
    visits = 0.0
    won = 0.0
    for place in range(count):
        visits += tree.tried[node, place]
        won += tree.won[node, place]
    for place in range(count):
        tried = tree.tried[node, place]
        # One visit more is taken to have won what the node's visits do on average.
        mean = (tree.won[node, place] + won / visits) / (tried + 1.0)
        out[place] = mean + exploring * (tree.priors[node, place] + _LEAST) * sqrt(visits) / (tried + 1.0)
    return place_of_best(count, out)


@lean
def nth(cards: int, place: int) -> int:
    """The card at a place of a set."""
    for _ in range(place):
        cards &= cards - 1
    return trailing_zeros(cards)


@lean
def play_round(reading: Reading, tree: Tree, prior: Prior, path: Path, random: Words) -> None:
    """Play the world in `reading.work` from the question on, and count what was won in the tree."""
    question, tricks = reading.setting.question, reading.setting.tricks
    hands, aside, table, scratch, out = (
        reading.work.hands,
        reading.work.aside,
        reading.work.table,
        reading.work.room.features,
        reading.work.room.values,
    )
    me = question[SEAT]
    open_table(table, question[TRICK_LEADER], question[TRICK_DIRECTION])
    for place in range(4):
        card = tricks[len(tricks) - 4 + place]
        if card >= 0:
            put(table, card)
    gone = question[GONE]
    won = 0.0
    key = 1
    depth = 0
    since = 0
    growing = True
    while True:
        if table[PLAYED] == 4:
            leader = table[LEADER]
            if table[BEST] >= 0:
                leader = table[HOLDER]
                if leader == me:
                    won += popcount(table[TRICK] & COLOURS[colour_of(aside[me])])
            open_table(table, leader, direction_after(table[TRICK], table[DIRECTION]))
        seat = (table[LEADER] + table[PLAYED]) & 3
        hand = hands[seat]
        if hand == 0:
            break
        own = COLOURS[colour_of(aside[seat])]
        unseen = ALL & ~hand & ~gone & ~(1 << aside[seat])
        legal = legal_cards(hand, table)
        count = popcount(legal)
        if count == 1:
            card = trailing_zeros(legal)
        elif seat != me:
            card = choose(hand, own, unseen, table, reading.evidence.play, random, scratch, out)
        else:
            node = place_of(tree, key) if growing else -1
            growing = node >= 0 and tree.keys[node] == key
            if growing:
                place = bound_to_try(tree, node, count, prior.exploring, out)
            else:
                values(hand, own, unseen, table, reading.evidence.play, scratch, out)
                place = place_of_best(count, out)
            if node >= 0:
                if not growing:
                    tree.keys[node] = key
                    if prior.asked:
                        lay_prior(prior, reading.evidence.play, me, path.cards, since, out)
                        place = place_of_best(count, out)
                    priors = tree.priors[node]
                    for other in range(count):
                        priors[other] = prior.flat * out[other]
                    to_chances(count, priors)
                path.nodes[depth], path.places[depth], path.before[depth] = node, place, won
                depth += 1
            card = nth(legal, place)
        hands[seat] = hand & ~(1 << card)
        gone |= 1 << card
        put(table, card)
        path.cards[since] = card
        since += 1
        key = int(mix(wrapping_sum(key, card))) | 1
    for step in range(depth):
        tree.tried[path.nodes[step], path.places[step]] += 1.0
        tree.won[path.nodes[step], path.places[step]] += won - path.before[step]


@kernel
def grow(reading: Reading, chain: Chain, tree: Tree, prior: Prior, turns: int, steps: int) -> None:
    """Play so many rounds, each in the chain's next world, so many steps on."""
    question, work = reading.setting.question, reading.work
    path = Path(
        np.zeros(MOST_MOVES, np.int64),
        np.zeros(MOST_MOVES, np.int64),
        np.zeros(MOST_MOVES),
        np.zeros(CARDS, np.int64),
    )
    me = question[SEAT]
    for _ in range(turns):
        for _ in range(steps):
            step_chain(reading, chain)
        for step in range(1, 4):
            seat = (me + step) & 3
            work.hands[seat], work.aside[seat] = chain.boxes[step - 1], trailing_zeros(chain.boxes[step + 2])
        work.hands[me], work.aside[me] = question[HAND], question[ASIDE]
        play_round(reading, tree, prior, path, chain.random)


def grown(reading: Reading, chain: Chain, limit: Limit, steps: int = STEPS, *, network: bool = False) -> Tree:
    """The tree over the seat's own decisions after so many seconds, or so many rounds (nodes).

    With `network` the learned player's chances are the prior.
    """
    end = None if limit.seconds is None else time.monotonic() + limit.seconds
    left = limit.nodes
    tree, prior = new_tree(left or 0), new_prior(reading.setting, network)
    while (end is None or time.monotonic() < end) and (left is None or left > 0):
        turns = _TURNS if left is None else min(_TURNS, left)
        grow(reading, chain, tree, prior, turns, steps)
        left = None if left is None else left - turns
    return tree


def search(view: View, limit: Limit, seed: int, *, network: bool = False) -> Tree:
    """The tree over the seat's own decisions in likely worlds; see `grown`."""
    setting = deals(view).by_rules
    reading, chain = reading_of(setting), open_chain(setting, np.zeros(1, np.int64))
    start_stream(chain.random, seed, 0)
    begin_chain(reading, chain)
    return grown(reading, chain, limit, network=network)


def best_of(view: View, tree: Tree) -> int:
    """The card that was tried most often at the root; the first of equals."""
    setting = deals(view).setting
    table = np.zeros(TABLE_WORDS, np.int64)
    open_table(table, view.leader, view.past.rules.direction)
    for card in setting.tricks[len(setting.tricks) - 4 :]:
        if card >= 0:
            put(table, card)
    legal = legal_cards(int(setting.question[HAND]), table)
    root = place_of(tree, 1)
    return DECK[nth(legal, int(np.argmax(tree.tried[root])))]
