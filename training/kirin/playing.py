"""Players of training rounds: the learned one and plausible ones, as kernels. Cards as in kirin's `order`."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from benchmarks.kirin_thrifty import THRIFTY
from solver.games.kirin.fast_rules import CARDS
from solver.games.kirin.learned import (
    ASIDE,
    GONE,
    HANDS,
    LAID,
    MOST_SEAT,
    ROUND_WORDS,
    Seen,
    Thought,
    lay,
    logits,
    note_play,
)
from solver.games.kirin.players import (
    ALL,
    COLOURS,
    DECLARE,
    FEATURES,
    LEADER,
    PLAY,
    PLAYED,
    TABLE_WORDS,
    choose,
    colour_of,
    draw,
    legal_cards,
    open_table,
)
from solver.hints.network import Inputs, Network, Room, inputs, room
from solver.hints.policy import to_chances
from solver.kernels.arrays import Floats, Words
from solver.kernels.bits import popcount, trailing_zeros
from solver.kernels.jit import lean
from solver.kernels.rng import shuffle
from training.kirin.full_inputs import MOST_FULL

RULE, LEARNED, THRIFTY_RULE = range(3)  # kinds of players


class Players(NamedTuple):
    """The networks; `trust` is what the log of the plausible player's chance counts in the learned player's."""

    policy: Network
    critic: Network
    trust: Floats
    rule: Floats
    thrifty: Floats
    declare: Floats


class Desk(NamedTuple):
    """A round in play (`round_words`, the table's words, beliefs by seat and colour), and room to think."""

    state: Words
    table: Words
    belief: Floats
    scratch: Floats
    out: Floats
    seen: Inputs
    full: Inputs
    policy: Room
    critic: Room


def players(policy: Network, critic: Network, trust: float) -> Players:
    """Players with these networks, and with the plausible players' weights."""
    return Players(policy, critic, np.array([trust]), np.array(PLAY), THRIFTY, np.array(DECLARE))


def desk(of: Players) -> Desk:
    """A desk with no round on it."""
    return Desk(
        np.zeros(ROUND_WORDS, np.int64),
        np.zeros(TABLE_WORDS, np.int64),
        np.zeros(16),
        np.zeros(FEATURES),
        np.zeros(36),
        inputs(MOST_SEAT),
        inputs(MOST_FULL),
        room(of.policy),
        room(of.critic),
    )


@lean
def deal(desk: Desk, deck: np.ndarray, random: Words) -> None:
    """Deal nine cards to each seat, and let a random seat lead. No card is set aside yet."""
    shuffle(random, deck)
    for word in range(ROUND_WORDS):
        desk.state[word] = 0
    for index in range(CARDS):
        desk.state[HANDS + index // 9] |= 1 << int(deck[index])
    for word in range(16):
        desk.belief[word] = 0.0
    for seat in range(4):
        desk.state[LAID + seat] = -1
    open_table(desk.table, int(deck[0]) & 3, 0)


@lean
def set_aside(desk: Desk, seat: int, card: int) -> None:
    """Let a seat set a card aside."""
    desk.state[ASIDE + seat] = card
    desk.state[HANDS + seat] &= ~(1 << card)


@lean
def chances(players: Players, desk: Desk) -> int:
    """Write the learned player's chances of its legal cards, in their order, to `desk.out`; return the cards."""
    seen = Seen(desk.state, desk.table, desk.belief)
    thought = Thought(desk.scratch, desk.out, desk.seen, desk.policy)
    legal = logits(players.policy, players.trust[0], seen, players.rule, thought)
    to_chances(popcount(legal), desk.out)
    return legal


@lean
def chosen(players: Players, kind: int, desk: Desk, random: Words, best: bool) -> int:
    """The card that a player of a kind plays: one by its chances, or with `best` the likeliest (learned only)."""
    state, table = desk.state, desk.table
    seat = (table[LEADER] + table[PLAYED]) & 3
    hand = state[HANDS + seat]
    legal = legal_cards(hand, table)
    if legal & (legal - 1) == 0:
        return trailing_zeros(legal)
    if kind == LEARNED:
        chances(players, desk)
        if not best:
            return draw(legal, desk.out, random)
        most = 0
        for place in range(1, popcount(legal)):
            if desk.out[place] > desk.out[most]:
                most = place
        for _ in range(most):
            legal &= legal - 1
        return trailing_zeros(legal)
    own = COLOURS[colour_of(state[ASIDE + seat])]
    unseen = ALL & ~hand & ~state[GONE] & ~(1 << state[ASIDE + seat])
    if kind == THRIFTY_RULE:
        return choose(hand, own, unseen, table, players.thrifty, random, desk.scratch, desk.out)
    return choose(hand, own, unseen, table, players.rule, random, desk.scratch, desk.out)


@lean
def played(players: Players, desk: Desk, card: int, watched: bool) -> None:
    """Lay a card; where it is `watched`, what it tells of its player's colour is noted first."""
    if watched:
        note_play(desk.state, desk.table, card, players.rule, desk.scratch, desk.belief)
    lay(desk.state, desk.table, card)
