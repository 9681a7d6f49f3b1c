"""Static bounds on one player's score: what is won and compounds, and all that can still be won."""

from __future__ import annotations

from solver.games.king.compounding.reduction import reduced
from solver.games.king.fast_rules.kernel import (
    ALLIES,
    LEADER,
    LIVE,
    PILE,
    PLAYED,
    PLAYER,
    PLAYERS,
    STALLED,
    STATE_WORDS,
    TABLES,
    THE_DANCER,
    WON,
    points_of,
)
from solver.games.king.fast_rules.switches import CEILING, FLOOR, LAST, MERGED, RANKED, SURE, WITHIN
from solver.games.king.search.bounds.bonus_cache import bonus_or_less, least_bonus, most_bonus
from solver.games.king.search.bounds.last_trick import last_worth
from solver.games.king.search.bounds.sure_winners import assured
from solver.games.king.search.bounds.upper_bound import answered, ceiling, ceiling_within
from solver.kernels.arrays import Words
from solver.kernels.bits import popcount
from solver.kernels.jit import inlined, lean
from solver.search.tricks.words import SWITCHES

UNBOUNDED = 1 << 26


@lean
def settle(deal: Words, state: Words, at: int, out: Words, to: int, need: int) -> None:
    """The points won; at the end of the round the score, or bounds of it if these do and it is dear to find."""
    out[to] = state[at + WON]
    out[to + 1] = UNBOUNDED
    if state[at + LIVE] | state[at + PLAYED] == 0:
        bonus = bonus_or_less(deal, state[at + PILE])
        if bonus >= 0:
            out[to] += bonus
            out[to + 1] = out[to]
            return
        out[to + 1] = out[to] + most_bonus(deal, state[at + PILE])
        out[to] += ~bonus
        if out[to] < need <= out[to + 1]:
            deal[STALLED] = state[at + PILE]


@lean
def estimate(deal: Words, state: Words, at: int, out: Words, to: int, need: int) -> None:
    """Below, the score so far, and what is sure to come; above, that with every card in play that can be taken."""
    if state[at + PLAYED] != 0:
        if deal[ALLIES] and deal[SWITCHES] & WITHIN and answered(deal, state, at):
            out[to + 1] = min(out[to + 1], ceiling_within(deal, state, at))
        return
    if deal[SWITCHES] & LAST:
        live = state[at + LIVE]
        if popcount(live) == deal[PLAYERS] and (live >> deal[THE_DANCER]) & 1 == 0:
            worth = last_worth(deal, state, at)
            if deal[STALLED] == 0:
                out[to] = worth
                out[to + 1] = worth
            return
    won = state[at + WON]
    coming = state[at + LIVE]
    if deal[SWITCHES] & CEILING:
        rest = points_of(deal, coming)
        out[to + 1] = won + rest + most_bonus(deal, state[at + PILE] | coming)
        if out[to + 1] < need:
            return
        # Against all the others the ceiling hardly ever cuts: there it would not pay.
        if deal[ALLIES] and deal[SWITCHES] & RANKED:
            out[to + 1] = min(out[to + 1], ceiling(deal, state, at))
            if out[to + 1] < need:
                return
    if deal[SWITCHES] & FLOOR:
        if deal[SWITCHES] & SURE and state[at + LEADER] == deal[PLAYER]:
            out[to] = max(out[to], assured(deal, state, at))
        else:
            out[to] = max(out[to], won + least_bonus(deal, state[at + PILE]))


@lean
def key(deal: Words, state: Words, at: int, out: Words, to: int) -> None:
    """The cards in hands and the leader; what of the pile still matters. The points won are the offset."""
    out[to] = state[at + LIVE] | (state[at + LEADER] << 50) | (1 << 62)  # unlike any word of maxn's
    pile = state[at + PILE]
    if deal[SWITCHES] & MERGED:
        pile = reduced(deal[TABLES:], pile, state[at + LIVE])
    out[to + 1] = pile
    out[to + 2] = state[at + WON]


@inlined
def relaxed(deal: Words, state: Words, at: int, child: Words, to: int, need: int) -> bool:
    """The same cards and leader with nothing won yet, what the pile compounds counted as points.

    The compoundings of two piles together are one of both, so the true worth is at least this one. Many piles
    share it, and a player who is held down by all others mostly gains points. Where more is needed than a few
    points a trick, it seldom is enough; of three players the player gains too much for that.
    """
    if deal[ALLIES] or deal[PLAYERS] == 3 or state[at + PILE] == 0:
        return False
    won = state[at + WON] + least_bonus(deal, state[at + PILE])
    others = deal[PLAYERS] - 1
    tricks = popcount(state[at + LIVE]) // deal[PLAYERS]
    if need - won > 2 + (others - 1) * (tricks - 1):
        return False
    for word in range(STATE_WORDS):
        child[to + word] = state[at + word]
    child[to + PILE] = 0
    child[to + WON] = won
    return True
