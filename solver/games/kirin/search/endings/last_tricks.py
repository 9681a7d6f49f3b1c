"""The last tricks without the general search: a trick as four nested loops, which call themselves for the next.

Most nodes of a search lie here. What the general search keeps in frames is in registers. Table, static bounds and
the order of leads are the general search's.

The instance with `FORGETFUL` set answers for other hands that may have too many cards (see `forgetting`).
"""

from __future__ import annotations

from solver.games.kirin.fast_rules.kernel import (
    BEST,
    DIRECTION,
    FORGET_FROM,
    FORGET_LIMIT,
    FORGETS,
    FORGOTTEN,
    FRAMES,
    HANDS,
    LAST_TRICKS,
    LEADER,
    LIVE,
    MOST_MOVES,
    ORDER,
    OWN,
    PLAYED,
    PLAYER,
    POINT_BITS,
    STANDARD,
    STATE_WORDS,
    TRIAL_WORDS,
    TRIALS,
    TRICK,
    direction_after,
    legal,
    owner,
    possible_directions,
    stands,
)
from solver.games.kirin.fast_rules.order import CARDS, QUALIFYING, RANKED, STRONGER
from solver.games.kirin.fast_rules.switches import FORGET
from solver.games.kirin.search.endings.forgetting import (
    FORGETS_SHIFT,
    SEARCH_NODES,
    SEARCHED,
    forgetting,
    representatives,
)
from solver.games.kirin.search.endings.last_trick import last_forgetful, last_trick
from solver.games.kirin.search.endings.situation import Followers, Hands, OnTable
from solver.games.kirin.search.endings.within_trick import chosen, settled
from solver.kernels.arrays import Words
from solver.kernels.bits import popcount, prefetch
from solver.search.switches import TABLE
from solver.search.tricks.score_table import MOVE_BITS, bounded, find, near_bucket, remember
from solver.search.tricks.score_vocabulary import estimate, moves
from solver.search.tricks.words import FINISHED, NEED, NO, SWITCHES, YES

FRAME = STATE_WORDS + MOST_MOVES
FORGETFUL = False  # of an instance


# Templates from here on.


def tricks(deal: Words, table: Words, live: int, leader: int, direction: int, need: int) -> int:
    """YES or NO: whether the player reaches `need` more points in the last tricks.

    A level of the loops is a place in the trick: `side` is 1 where the player moves, `result` its side's answer
    or, until one is found, the other side's.
    """
    own = deal[OWN]
    if need <= 0:
        return YES
    if need > popcount(live & own):
        return NO
    left = popcount(live & deal[HANDS + deal[PLAYER]])
    if left == 1:
        if FORGETFUL:
            return int(last_forgetful(deal, live, leader, direction, need))
        return int(last_trick(deal, live, direction, need))
    at = FRAMES + left * FRAME
    node = live | (leader << 36) | (direction << 38)
    if FORGETFUL:
        at += (LAST_TRICKS - 1) * FRAME
        node |= deal[FORGETS] << FORGETS_SHIFT
    bucket = near_bucket(deal, node, left)
    prefetch(table, bucket)
    deal[at + NEED] = need
    deal[at + LIVE] = live
    deal[at + LEADER] = leader
    deal[at + DIRECTION] = direction
    deal[at + PLAYED] = 0
    deal[at + TRICK] = 0
    deal[at + ORDER] = 0
    deal[at + STANDARD] = -1
    deal[at + BEST] = -1
    answer = estimate(deal, deal, at)
    if answer >= 0:
        return int(answer)
    first = -1
    if deal[SWITCHES] & TABLE:
        data = find(deal, table, node, bucket)
        if data >= 0:
            answer = bounded(data, need)
            if answer >= 0:
                return int(answer)
            first = ((data >> (3 * POINT_BITS)) & ((1 << MOVE_BITS) - 1)) - 1
    if FORGETFUL:
        if deal[FINISHED] >= deal[FORGET_LIMIT]:
            return NO
    elif (
        deal[SWITCHES] & FORGET
        and deal[FORGET_FROM] <= left
        and forgetting(deal, table, live, leader, direction, need, left) == YES
    ):
        if deal[SWITCHES] & TABLE:
            remember(deal, table, node, bucket, need, YES, -1)
        return YES
    before = deal[FINISHED]
    leads = at + STATE_WORDS
    count = moves(deal, deal, at, deal, leads, first)
    player = deal[PLAYER]
    turn = (player - leader) & 3
    side0 = 1 if turn == 0 else 0
    side1 = 1 if turn == 1 else 0
    side2 = 1 if turn == 2 else 0
    side3 = 1 if turn == 3 else 0
    seat1 = (leader + 1) & 3
    seat2 = (leader + 2) & 3
    seat3 = (leader + 3) & 3
    hand1 = live & deal[HANDS + seat1]
    hand2 = live & deal[HANDS + seat2]
    hand3 = live & deal[HANDS + seat3]
    spare1 = popcount(hand1) - left if FORGETFUL else 0
    spare2 = popcount(hand2) - left if FORGETFUL else 0
    spare3 = popcount(hand3) - left if FORGETFUL else 0
    mine = live & deal[HANDS + player]
    directions = possible_directions(live, direction)
    base = direction * CARDS
    yet3 = 1 << seat3
    yet2 = yet3 | (1 << seat2)
    yet1 = yet2 | (1 << seat1)
    nodes = 1
    best_lead = -1
    result0 = 1 - side0
    for index in range(count):
        card0 = deal[leads + index]
        trick0 = 1 << card0
        best0 = card0 if trick0 & RANKED else -1
        over0 = STRONGER[base + card0] if trick0 & RANKED else RANKED
        nodes += 1
        result1 = 1 - side1
        cards1 = legal(hand1, card0, direction, spare1)
        cards2 = legal(hand2, card0, direction, spare2)
        cards3 = legal(hand3, card0, direction, spare3)
        must = QUALIFYING[base + card0]
        legal2 = cards2
        legal3 = cards3
        reply = cards1 if turn == 1 else cards2 if turn == 2 else cards3
        against3 = 0 if turn == 3 else cards3
        against2 = against3 if turn == 2 else against3 | cards2
        against1 = against2 if turn == 1 else against2 | cards1
        forced3 = (1 << seat3) if turn != 3 and cards3 & ~own == 0 else 0
        forced2 = forced3 | ((1 << seat2) if turn != 2 and cards2 & ~own == 0 else 0)
        forced1 = forced2 | ((1 << seat1) if turn != 1 and cards1 & ~own == 0 else 0)
        rest1 = Followers(against1, forced1, yet1)
        rest2 = Followers(against2, forced2, yet2)
        rest3 = Followers(against3, forced3, yet3)
        live0 = live & ~trick0
        standing1 = stands(deal, turn, 1, best0)
        hands = Hands(live0, mine & ~trick0, directions)
        table_now = OnTable(trick0, direction, over0, standing1)
        answer = settled(deal, hands, table_now, reply, rest1, True, need)
        if answer >= 0:
            result1 = answer
            cards1 = 0
        if FORGETFUL and turn != 1:
            cards1 = representatives(deal, cards1, over0, must, legal2 | legal3, direction, standing1)
        while cards1 != 0:
            card1 = chosen(cards1, side1, standing1, over0, own, direction)
            one1 = 1 << card1
            cards1 &= ~one1
            best1 = card1 if over0 & one1 else best0
            over1 = STRONGER[base + card1] if over0 & one1 else over0
            trick1 = trick0 | one1
            live1 = live0 & ~(one1 & ~deal[FORGOTTEN] if FORGETFUL else one1)
            if FORGETFUL and must & one1 == 0:
                live1 &= ~(hand1 & must)
            nodes += 1
            result2 = 1 - side2
            cards2 = legal2
            standing2 = stands(deal, turn, 2, best1)
            hands = Hands(live1, mine & ~trick1, directions)
            table_now = OnTable(trick1, direction, over1, standing2)
            answer = settled(deal, hands, table_now, reply, rest2, turn >= 1, need)
            if answer >= 0:
                result2 = answer
                cards2 = 0
            if FORGETFUL and turn != 2:
                cards2 = representatives(deal, cards2, over1, must, legal3, direction, standing2)
            while cards2 != 0:
                card2 = chosen(cards2, side2, standing2, over1, own, direction)
                one2 = 1 << card2
                cards2 &= ~one2
                best2 = card2 if over1 & one2 else best1
                over2 = STRONGER[base + card2] if over1 & one2 else over1
                trick2 = trick1 | one2
                live2 = live1 & ~(one2 & ~deal[FORGOTTEN] if FORGETFUL else one2)
                if FORGETFUL and must & one2 == 0:
                    live2 &= ~(hand2 & must)
                nodes += 1
                result3 = 1 - side3
                cards3 = legal3
                standing3 = stands(deal, turn, 3, best2)
                hands = Hands(live2, mine & ~trick2, directions)
                table_now = OnTable(trick2, direction, over2, standing3)
                answer = settled(deal, hands, table_now, reply, rest3, turn >= 2, need)
                if answer >= 0:
                    result3 = answer
                    cards3 = 0
                if FORGETFUL and turn != 3:
                    cards3 = representatives(deal, cards3, over2, must, 0, direction, standing3)
                while cards3 != 0:
                    card3 = chosen(cards3, side3, standing3, over2, own, direction)
                    one3 = 1 << card3
                    cards3 &= ~one3
                    best3 = card3 if over2 & one3 else best2
                    trick3 = trick2 | one3
                    live3 = live2 & ~one3
                    if FORGETFUL:
                        live3 |= deal[FORGOTTEN]
                    nodes += 1
                    winner = leader
                    more = need
                    if best3 >= 0:
                        winner = owner(deal, best3)
                        if winner == player:
                            more -= popcount(trick3 & own)
                    after = direction_after(trick3, direction)
                    if tricks(deal, table, live3, winner, after, more) == side3:
                        result3 = side3
                        break
                if result3 == side2:
                    result2 = side2
                    break
            if result2 == side1:
                result1 = side1
                break
        if result1 == side0:
            result0 = side0
            best_lead = card0
            break
    deal[FINISHED] += nodes
    if not FORGETFUL:
        trials = TRIALS + left * TRIAL_WORDS
        deal[trials + SEARCHED] += 1
        deal[trials + SEARCH_NODES] += deal[FINISHED] - before
    elif result0 == NO and deal[FINISHED] >= deal[FORGET_LIMIT]:
        return NO  # perhaps only because a part of it gave up
    if deal[SWITCHES] & TABLE:
        remember(deal, table, node, bucket, need, result0, best_lead)
    return int(result0)
