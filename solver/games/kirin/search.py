"""The score search for Kirin: a player's points if all others play against it (`paranoid`) or for it (`ally`).

Most nodes of a search are in the last tricks, which a faster search of this game solves: each trick is four nested
loops, and the innermost one recurses. What the general search keeps in frames in memory, this search keeps in
registers. The hash table, static bounds and order of leads are shared with the general search.

With `FORGETFUL` set, other hands may have more cards than there are tricks left (see `forgetting`).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from solver.games.kirin import bounds, fast_rules
from solver.games.kirin.bounds import Followers, Hands, OnTable, certain, first_of
from solver.games.kirin.deck import CARDS, KIRIN
from solver.games.kirin.fast_rules import (
    AHEAD,
    ALLIES,
    ASKS,
    DIRECTION,
    EQUIVALENT,
    FORGET,
    FORGET_FROM,
    FORGET_LIMIT,
    FORGET_TRICKS,
    FORGETS,
    FORGOTTEN,
    FRAMES,
    HANDS,
    LAST,
    LAST_TRICKS,
    LEADER,
    LIVE,
    LOST,
    MOST_MOVES,
    OWN,
    PLAYED,
    PLAYER,
    POINT_BITS,
    QUALIFYING,
    RANKED,
    STATE_WORDS,
    STRONGER,
    SUBSETS,
    SURE,
    TRIAL_WORDS,
    TRIALS,
    TRUMPS,
    WAITING,
    at_most,
    deal_words,
    direction_after,
    gained,
    key,
    last_trick,
    legal,
    node_words,
    possible_directions,
    stands,
    start_trick,
    weakest,
)
from solver.games.kirin.rules import State, score
from solver.kernels.jit import Instances, inlined
from solver.kernels.words import Words, highest_one, popcount, prefetch, trailing_zeros
from solver.limits import Control, once
from solver.search.memory import Pool
from solver.search.rules import TABLE
from solver.search.score_search import ScoreProver, ScoreSearch, score_search
from solver.search.trick_rules import (
    FINISHED,
    MOVE_BITS,
    NEED,
    NO,
    SWITCHES,
    UNKNOWN,
    YES,
    ScoreRules,
    bounded,
    bucket_of,
    estimate,
    find,
    moves,
    near_bucket,
    remember,
    score_table,
)
from solver.tricks.analysis import Encoded, PlayerScore

# ----------------------------------------------------------------------------------------------------
# Proofs that forget what some of the other seats have played: one proof serves many positions.
#
# Between two tricks, a forgotten seat may hold any of the cards that it was dealt, as many as there are tricks
# left, even cards that it has already played; only its trumps stay known, since most proofs need them. What the
# player reaches against all of these hands is reached against the actual one. Positions that differ only in that
# hand become one, and the more seats are forgotten the fewer they are: an abstraction, as in pattern databases
# (Culberson and Schaeffer 1998), that bounds a game from below. It proves only YES: a NO means nothing, nor does
# giving up.
#
# Within a trick, a forgotten seat may play whatever some choice of its hand allows: any qualifying card, and any
# other if it can drop all qualifying ones (`fast_rules.legal`). A seat that plays another card is then without
# them for this trick. Static bounds count what other hands may hold, minus what they must drop.
#
# Which seats can be forgotten depends on the deal, and on the situation between two tricks. So every subset of
# seats has balances, one for the deal and one for each situation, of the nodes its proofs saved minus those its
# trials took, and is tried while neither falls too low.


FORGETS_SHIFT = 45  # the forgotten seats in a table key, at bits that otherwise never stand alone

# Words per number of tricks: how often proofs were tried, exact searches after that and their nodes; then, for
# every subset of seats, its proofs and the nodes of its trials, for the deal and for each situation.
TRIED, SEARCHED, SEARCH_NODES, PROOFS = range(4)
# The forgotten seats, counted from the player, as bits: the largest subsets first, whose proofs are shared most.
ORDER = 0x4216537

TRIAL_NODES = 20_000  # in one trial
ASKING = 20  # nodes added to a trial for the table look-up
CREDIT = 500  # nodes by which a subset may fall behind, plus
CREDIT_SHARE = 4  # this share of the nodes of exact searches, as a shift
SITUATION_CREDIT = 15_000  # nodes by which it may fall behind in one situation, besides that share
SEARCH_GUESS = 300  # nodes of a boundary of `LAST_TRICKS`, until some have been searched
ABOVE = 40  # the work below a boundary with more tricks, in boundaries of `LAST_TRICKS`
OFTEN = 255  # a mask: every 256th time all subsets are tried


@inlined
def representatives(
    deal: Words, cards: int, over: int, must: int, later: int, direction: int, standing: int
) -> int:
    """Return those of a follower's legal `cards` that must be tried: all of them unless its seat is forgotten.

    A forgotten seat (see `forgetting`) is assumed to hold the same cards after the trick whichever of its number
    cards it plays, so only the card's effect on this trick matters. Number cards that do not beat the trick so far
    (those outside `over`) differ only in whether they give a point to the player; if possible, one that qualifies
    (in `must`) is tried, since it shows nothing about the rest of the hand. Two number cards that beat it are
    equivalent if the same cards that may be played after them (`later`) beat both, if both or neither qualify,
    and, while the player has yet to play, if both or neither score.
    """
    own = deal[OWN]
    numbers = cards & deal[FORGOTTEN] & RANKED
    if deal[SWITCHES] & EQUIVALENT == 0 or numbers & (numbers - 1) == 0:
        return int(cards)
    kept = cards & ~numbers
    under = numbers & ~over
    spare = under if standing == LOST else under & ~own  # cards that give nothing to the player
    if spare & must != 0:
        kept |= first_of(spare & must)
    else:
        kept |= first_of(spare) | first_of(under & must)
        if spare == 0 and under & must == 0:
            kept |= first_of(under)
    for kind in range(4):
        rest = numbers & over & (must if kind & 1 else ~must)
        if standing == WAITING:  # the player may still win it
            rest &= own if kind & 2 else ~own
        elif kind & 2:
            break
        stronger = -1
        while rest != 0:
            card = trailing_zeros(rest)
            rest &= rest - 1
            if later & STRONGER[direction * CARDS + card] != stronger:
                stronger = later & STRONGER[direction * CARDS + card]
                kept |= 1 << card
    return int(kept)


def forgetful(deal: Words, table: Words, live: int, leader: int, direction: int, need: int) -> int:
    """Placeholder for the instance of `tricks` with `FORGETFUL` set, which `endings` substitutes."""
    raise NotImplementedError


# Templates from here on.


def forgetting(deal: Words, table: Words, live: int, leader: int, direction: int, need: int, left: int) -> int:
    """Try to prove that the player reaches `need`, ignoring which cards some of the other seats have played.

    Several subsets of the other seats are tried in turn. Returns YES if a proof succeeds, else UNKNOWN. There are
    `left` tricks to play. The nodes of the proofs are added to FINISHED.
    """
    at = TRIALS + left * TRIAL_WORDS
    deal[at + TRIED] += 1
    searches = TRIALS + min(left, LAST_TRICKS) * TRIAL_WORDS
    saved = SEARCH_GUESS
    if left > LAST_TRICKS:
        spent = deal[searches + SEARCH_NODES]
        for number in range(SUBSETS):
            spent += deal[searches + PROOFS + 2 * number + 1]
        if deal[searches + TRIED] != 0:
            saved = spent // deal[searches + TRIED]
        saved *= ABOVE
    elif deal[searches + SEARCHED] != 0:
        saved = deal[searches + SEARCH_NODES] // deal[searches + SEARCHED]
    credit = CREDIT + (deal[searches + SEARCH_NODES] >> CREDIT_SHARE)
    situation = ((leader - deal[PLAYER]) & 3) + 4 * min(need - 1, 3) + 16 * direction
    begin = at + PROOFS + 2 * SUBSETS * (1 + situation)
    for number in range(SUBSETS):
        ever = at + PROOFS + 2 * number
        now = begin + 2 * number
        behind = deal[ever] * saved + credit < deal[ever + 1]
        behind |= deal[now] * saved + SITUATION_CREDIT + (credit >> CREDIT_SHARE) < deal[now + 1]
        if behind and deal[at + TRIED] & OFTEN != 0:
            continue
        subset = (ORDER >> (4 * number)) & 7
        forgotten = 0
        for other in range(3):
            if (subset >> other) & 1:
                forgotten |= deal[HANDS + ((deal[PLAYER] + 1 + other) & 3)] & ~TRUMPS
        if live | forgotten == live:
            continue
        before = deal[FINISHED]
        deal[FORGETS] = subset
        deal[FORGOTTEN] = forgotten
        deal[FORGET_LIMIT] = before + TRIAL_NODES
        answer = forgetful(deal, table, live | forgotten, leader, direction, need)
        for balance in (ever, now):
            deal[balance] += answer
            deal[balance + 1] += deal[FINISHED] - before + ASKING
        if answer == YES:
            return YES
    return UNKNOWN


# ----------------------------------------------------------------------------------------------------
# The last trick, where nobody has a choice of cards.


@inlined
def last_forgetful(deal: Words, live: int, leader: int, direction: int, need: int) -> int:
    """Return YES or NO: whether the player is certain to win `need` points in the last trick.

    Other hands may have several cards, any one of which may be the one that is really left.
    """
    own = deal[OWN]
    mine = live & deal[HANDS + deal[PLAYER]]
    if mine & RANKED == 0:
        return NO
    card = highest_one(mine)
    trick = 1 << card  # and the scoring cards that are certain to be in it
    for other in range(1, 4):
        hand = live & deal[HANDS + ((deal[PLAYER] + other) & 3)]
        if leader == deal[PLAYER]:
            hand = legal(hand, card + deal[ASKS], direction, popcount(hand) - 1)
        if hand & STRONGER[direction * CARDS + card]:
            return NO
        if hand & ~own == 0:
            trick |= first_of(hand)
    return YES if gained(own, trick, True) >= need else NO


# ----------------------------------------------------------------------------------------------------
# In the middle of one of the last tricks: what the player's standing settles, and the next card to try.


@inlined
def chosen(cards: int, mover: int, standing: int, over: int, own: int, direction: int) -> int:
    """Return the next of a follower's `cards` to try.

    `mover` is 1 if the player follows, else 0, and `standing` is the player's standing in the trick. The cards in
    `over` beat the trick so far; those in `own` score for the player.
    """
    pool = 0
    if mover == 1:
        pool = cards & over & own
        if pool == 0:
            pool = cards & KIRIN & own
        if pool == 0:
            pool = cards & over
        if pool == 0:
            pool = cards & KIRIN
    elif standing == AHEAD:
        pool = cards & over
        if pool == 0:
            pool = cards & RANKED & ~own
    if pool == 0 and (mover == 1 or standing == LOST):
        pool = cards & own
    if pool == 0 and standing != LOST:
        pool = cards & RANKED
    return weakest(pool if pool != 0 else cards, direction)


@inlined
def owner(deal: Words, card: int) -> int:
    """The seat whose hand the card was dealt to."""
    return int(
        ((deal[HANDS + 1] >> card) & 1) + 2 * ((deal[HANDS + 2] >> card) & 1) + 3 * ((deal[HANDS + 3] >> card) & 1)
    )


@inlined
def settled(deal: Words, hands: Hands, table: OnTable, reply: int, rest: Followers, fresh: bool, need: int) -> int:
    """Whether static bounds in the middle of a trick show that the player reaches `need`: YES, NO or UNKNOWN.

    `reply` has the player's legal cards. `fresh` says that the player has just played or has yet to play. The
    lower bound is computed only then, or if nobody can beat the player's card any more: in other cases it would be
    the same as before.
    """
    if table.standing == LOST and need > at_most(deal[OWN], hands.live):
        return NO
    unbeaten = table.standing == AHEAD and rest.against & table.over == 0
    if deal[SWITCHES] & SURE == 0 or not (fresh or unbeaten):
        return UNKNOWN
    return YES if certain(deal, hands, table, reply, rest, need) >= need else UNKNOWN


FRAME = STATE_WORDS + MOST_MOVES
FORGETFUL = False  # set by each instance


# Templates from here on.


def tricks(deal: Words, table: Words, live: int, leader: int, direction: int, need: int) -> int:
    """Return YES or NO: whether the player reaches `need` more points in the last tricks.

    Each nested loop is a place in the trick. Its variable `side` is 1 if the player has that place, else 0. Its
    variable `result` is the answer so far: it starts as the answer that is bad for the seat in that place, and
    changes once a card leads to the good one.
    """
    own = deal[OWN]
    if need <= 0:
        return YES
    if need > at_most(own, live):
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
    start_trick(deal, at, leader, direction, deal[ASKS])
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
        standard = card0 + deal[ASKS]
        cards1 = legal(hand1, standard, direction, spare1)
        cards2 = legal(hand2, standard, direction, spare2)
        cards3 = legal(hand3, standard, direction, spare3)
        must = QUALIFYING[base + standard]
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
                            more -= gained(own, trick3, left == 1)
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


def finish(deal: Words, state: Words, at: int, table: Words) -> int:
    """Decide whether the player reaches NEED in the last 2 to `LAST_TRICKS` tricks, against all others.

    With more tricks left, this tries `assured`. The score search uses it as its rule `finish`.
    """
    deal[FINISHED] = 0
    if deal[SWITCHES] & LAST == 0 or deal[ALLIES] != 0 or state[at + PLAYED] != 0:
        return UNKNOWN
    live = state[at + LIVE]
    left = popcount(live & deal[HANDS + deal[PLAYER]])
    if left < 2:
        return UNKNOWN
    if left > LAST_TRICKS:
        return int(assured(deal, state, at, table))
    leader = state[at + LEADER]
    direction = state[at + DIRECTION]
    need = state[at + NEED]
    return int(tricks(deal, table, live, leader, direction, need))


def assured(deal: Words, state: Words, at: int, table: Words) -> int:
    """Try `forgetting` at nodes with more tricks left than `finish` can solve.

    The score search uses this as its rule `assured`.
    """
    deal[FINISHED] = 0
    if deal[SWITCHES] & FORGET == 0 or deal[ALLIES] != 0 or state[at + PLAYED] != 0:
        return UNKNOWN
    live = state[at + LIVE]
    left = popcount(live & deal[HANDS + deal[PLAYER]])
    if left <= LAST_TRICKS or left > FORGET_TRICKS or left < deal[FORGET_FROM]:
        return UNKNOWN
    node = key(deal, state, at)
    if deal[SWITCHES] & TABLE and find(deal, table, node, bucket_of(deal, node)) >= 0:
        return UNKNOWN  # tried when it was first met
    return int(forgetting(deal, table, live, state[at + LEADER], state[at + DIRECTION], state[at + NEED], left))


# ----------------------------------------------------------------------------------------------------
# The searches, instantiated.


@once
def table() -> dict[str, Any]:
    """The kernels of the table that both searches use, by name."""
    return score_table("kirin", fast_rules.KEY_BITS, fast_rules.POINT_BITS)


@dataclass(frozen=True)
class LastTricks:
    """The kernels of the search of the last tricks.

    With `forgetful`, other hands may have more cards than there are tricks left. `finish` and `assured` are rules
    of the score search.
    """

    forgetful: Callable[[Words, Words, int, int, int, int], int]
    finish: Callable[[Words, Words, int, Words], int]
    assured: Callable[[Words, Words, int, Words], int]


@once
def last_tricks() -> LastTricks:
    """Instantiate the search of the last tricks, which shares its table with the score search."""
    rules = {**table(), "estimate": bounds.estimate, "moves": bounds.moves}
    forgets = Instances("kirin_forgetful", {**rules, "FORGETFUL": True, "estimate": bounds.assures})
    forgetful = forgets.of(tricks)
    instances = Instances("kirin", {**rules, "forgetful": forgetful})
    instances.of(forgetting)
    proof = instances.of(assured)
    instances.of(tricks)
    return LastTricks(forgetful, instances.of(finish), proof)


@once
def search() -> ScoreSearch:
    """Return the score search with Kirin's rules and bounds."""
    rules = ScoreRules(
        game="kirin",
        state_words=fast_rules.STATE_WORDS,
        most_moves=fast_rules.MOST_MOVES,
        point_bits=fast_rules.POINT_BITS,
        key_bits=fast_rules.KEY_BITS,
        boundary=fast_rules.boundary,
        size=fast_rules.size,
        maximises=fast_rules.maximises,
        play=fast_rules.play,
        key=fast_rules.key,
        in_play=fast_rules.in_play,
        legal=fast_rules.candidates,
        listed=fast_rules.listed,
        settle=fast_rules.settle,
        estimate=bounds.estimate,
        finish=last_tricks().finish,
        assured=last_tricks().assured,
        moves=bounds.moves,
    )
    return score_search(rules, table())


PROVERS = Pool(lambda megabytes: ScoreProver(search(), megabytes))


_CODES = {card: card for card in range(CARDS)}


def player_score(
    prover: ScoreProver,
    start: State,
    colour: int,
    player: int,
    *,
    allies: bool,
    control: Control,
) -> PlayerScore[int]:
    """Return the search for the score of `player`, who collects `colour`."""
    deal = deal_words(start, player, colour, allies=allies)
    encoded = Encoded(deal=deal, start=node_words(start, deal), won=score(start, player, colour), codes=_CODES)
    return PlayerScore(prover, encoded, allies=allies, control=control)
