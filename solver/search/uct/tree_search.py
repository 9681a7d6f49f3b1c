"""Monte-Carlo tree search with all cards known: which move looks best where nothing is proved. Templates.

Upper confidence bounds on trees (UCT: Kocsis and Szepesvári, "Bandit based Monte-Carlo planning", ECML 2006) for
any number of seats: every seat chooses by what it wants. Beyond the tree a game goes on by the game's `rollout`.
"""

from __future__ import annotations

import math

from solver.kernels.rng import below
from solver.kernels.words import Words
from solver.search.uct.vocabulary import (
    EXPLORATION,
    FIRST_AT_RANDOM,
    RIPE,
    SCRATCH_WORDS,
    STATE_WORDS,
    moves,
    play,
    result,
    reward,
    rollout,
    seat_to_move,
    wanted,
)

# Words of a tree node: its first child, how many children (0: none yet), the move that leads to it, how many games
# went through it, and each seat's sum of rewards in those.
FIRST, CHILDREN, MOVE, VISITS, SUMS = range(5)
# Words of the control array: the seats, tree nodes in use, games and moves played, how many of both there are to
# be in all (what comes first ends it), the highest and the lowest reward so far.
PLAYERS, USED, GAMES, PLAYS, MOST_GAMES, MOST_PLAYS, HIGHEST, LOWEST, CONTROL_WORDS = range(9)
FAR = 1 << 40  # beyond any reward


# Templates from here on.


def grow(tree: Words, control: Words, at: int, codes: Words, count: int) -> bool:
    """Give a node a child for each of `count` moves in `codes`; False where the tree is full."""
    words = SUMS + control[PLAYERS]
    place = control[USED] * words
    if place + count * words > len(tree):
        return False
    tree[at + FIRST] = place
    tree[at + CHILDREN] = count
    for index in range(count):
        child = place + index * words
        for word in range(words):
            tree[child + word] = 0
        tree[child + MOVE] = codes[index]
    control[USED] += count
    return True


def choose(deal: Words, tree: Words, at: int, seats: int, seat: int, spread: float, random: Words) -> int:
    """The child to visit: one that never was visited, else the one of the highest confidence bound."""
    words = SUMS + seats
    first = tree[at + FIRST]
    count = tree[at + CHILDREN]
    start = below(random, count) if FIRST_AT_RANDOM else 0
    best = -1e30
    chosen = first
    width = EXPLORATION * spread * math.sqrt(math.log(tree[at + VISITS] + 1.0))
    for step in range(count):
        index = start + step
        child = first + (index - count if index >= count else index) * words
        visits = tree[child + VISITS]
        if visits == 0:
            return int(child)
        bound = wanted(deal, tree, child + SUMS, visits, seat) + width / math.sqrt(visits)
        if bound > best:
            best = bound
            chosen = child
    return int(chosen)


def play_games(
    deal: Words, tree: Words, control: Words, random: Words, work: Words, codes: Words, path: Words
) -> None:
    """Play games from the root, which has its children already, until as many games or plays are made as wanted.

    A game that was begun is played to its end, so it may take some plays more. `tree` holds nodes of SUMS + seats
    words, the root first. `random` is the one word of a random stream. `work` has room for two positions, each
    with its scratch words, and behind them holds the root's. `codes` has room for a position's moves, `path` for
    the nodes of a game, one more than its longest line of moves.
    """
    after = STATE_WORDS + SCRATCH_WORDS
    root = 2 * after
    most_games = control[MOST_GAMES]
    most_plays = control[MOST_PLAYS]
    plays = control[PLAYS]
    while control[GAMES] < most_games and plays < most_plays:
        for word in range(STATE_WORDS):
            work[word] = work[root + word]
        at = 0
        length = 1
        path[0] = 0
        growing = True
        spread = float(max(1, control[HIGHEST] - control[LOWEST]))
        ended = -1
        while ended < 0:
            if growing and tree[at + CHILDREN] == 0:
                growing = tree[at + VISITS] >= RIPE and grow(tree, control, at, codes, moves(deal, work, 0, codes))
            if growing:
                at = choose(deal, tree, at, control[PLAYERS], seat_to_move(deal, work, 0), spread, random)
                move = tree[at + MOVE]
                path[length] = at
                length += 1
            else:
                count = moves(deal, work, 0, codes)
                move = rollout(deal, work, 0, after, codes, count, random)
            play(deal, work, 0, after, move)
            for word in range(STATE_WORDS):
                work[word] = work[after + word]
            plays += 1
            ended = result(deal, work, 0)
        for seat in range(control[PLAYERS]):
            got = reward(deal, work, 0, ended, seat)
            control[HIGHEST] = max(control[HIGHEST], got)
            control[LOWEST] = min(control[LOWEST], got)
            for step in range(length):
                tree[path[step] + SUMS + seat] += got
        for step in range(length):
            tree[path[step] + VISITS] += 1
        control[GAMES] += 1
    control[PLAYS] = plays
