"""Bounds on the score that a player can still reach, the scores of last tricks, and caches of recipe bonuses.

A score is the points won plus the best bonus of the cards won. What cards bring stands in `gain` (`fast_rules`),
the score of a finished round in `reward`, and what it can still become in `worth`, `at_least`, `at_most` and
`reach`: searches, `maxn`, rollouts and endings use these. In plain Python, a state has `points` (`rules`), and its
scores are `score_bounds` (`compounding`).
"""

from __future__ import annotations

from solver.games.king.compounding import CARRIERS, PATIENCE, REST, bonus_of, optimistic, reduced, renumbered
from solver.games.king.deck import CARDS, TRUMP
from solver.games.king.fast_rules import (
    AHEAD,
    ALLIES,
    BEST,
    CACHE,
    CACHE_BITS,
    CAPTORS,
    CAPTURES,
    CEILING,
    HANDS,
    HARD,
    HARD_BITS,
    HARD_SETS,
    LAST,
    LAST_TRICKS,
    LAST_TRICKS_BITS,
    LATE_TRUMP,
    LEAD,
    LEADER,
    LEVELS,
    LIVE,
    LOWER,
    LOWEST,
    MATCHED,
    MATCHED_WORDS,
    MATCHING,
    MERGED,
    MOST_OWN,
    NAME,
    NO_BOTTOM,
    PILE,
    PILES,
    PLAYED,
    PLAYER,
    PLAYERS,
    POINTS,
    RANK,
    RANKED,
    READINGS,
    SCORES,
    STALLED,
    STATE_WORDS,
    SUIT,
    SUIT_CARDS,
    SURE,
    TABLES,
    THE_DANCER,
    TOLL,
    TRICK,
    TRUMPED,
    WITHIN,
    WON,
    WORK,
    cheapest_of,
    playable,
    points_of,
    seat_after,
    winning_card,
)
from solver.kernels.jit import inlined, lean
from solver.kernels.words import Words, popcount, trailing_zeros, wrapping_product
from solver.search.trick_rules import SWITCHES

# ----------------------------------------------------------------------------------------------------
# A cache of the best bonuses of sets of cards, and of optimistic bounds on them.
#
# Piles recur: a search asks for the same few thousand sets again and again. The cache is direct-mapped, in the
# deal's own words, so that nothing outlives the deal.
#
# In decks made to be hard, the best bonus of some sets takes hours. So each set is searched for a limited number
# of nodes; if they run out, its bonus is only known to be at least what was found (`least_bonus`) and at most the
# optimistic bound (`near_bonus`). If a search needs the exact number, `best_bonus` stalls it; the caller computes
# the number under its limit and enters it (`enter_hard`). The time spent on such sets adds up in the deal's word
# TOLL.


_OPTIMISTIC = 1 << 62  # in the cache, a set with this bit has the optimistic bound on its bonus
MOST_CARRIERS = 24  # the house deck has fewer; with more, bounds are not searched for
_FREE = 256  # nodes of compounding included in a node's own time; the house deck needs fewer
_RATE = 4  # this many nodes of compounding take the time of one node of the search
_WEARY = 5000  # with this much toll since it was last reset, sets get few nodes each
_WEARY_NODES = 32


@inlined
def mixed(cards: int) -> int:
    """Hash a set of cards to 63 bits. The highest bits are mixed best, so use those as an index."""
    return int(wrapping_product(cards, 0x1E3779B97F4A7C15) & 0x7FFFFFFFFFFFFFFF)


@inlined
def slot_of(cards: int) -> int:
    """The offset in the cache, in words, of the slot for a set of cards."""
    return int(mixed(cards) >> (63 - CACHE_BITS)) << 1


@lean
def hard_place(deal: Words, cards: int) -> int:
    """The index in `deal` of the entry for a hard set of cards, or of the free entry where it belongs.

    A set is hard if its best bonus takes too long to compute within a node.
    """
    slot = mixed(cards) >> (63 - HARD_BITS)
    while deal[HARD + 2 * slot] != 0 and deal[HARD + 2 * slot] != cards:
        slot = (slot + 1) & ((1 << HARD_BITS) - 1)
    return int(HARD + 2 * slot)


@lean
def enter_hard(deal: Words, cards: int, bonus: int) -> None:
    """Store the best bonus of a hard set of cards, so that the search waiting for it can resume."""
    if 4 * deal[HARD_SETS] >= 3 << HARD_BITS:
        deal[HARD_SETS] = 0
        for word in range(HARD, HARD + (2 << HARD_BITS)):
            deal[word] = 0
    at = hard_place(deal, cards)
    if deal[at] == 0:
        deal[HARD_SETS] += 1
    deal[at] = cards
    deal[at + 1] = bonus
    at = CACHE + slot_of(cards)
    deal[at] = cards
    deal[at + 1] = bonus
    deal[STALLED] = 0


@lean
def found_bonus(deal: Words, cards: int) -> int:
    """The best bonus of a set of cards; if that takes too long, ~b (negative), where b is the best bonus found."""
    if deal[HARD_SETS] != 0:
        at = hard_place(deal, cards)
        if deal[at] == cards:
            return int(deal[at + 1])
    nodes = deal[TABLES + PATIENCE]
    if deal[TOLL] >= _WEARY:
        nodes = min(nodes, _WEARY_NODES)
    bonus = bonus_of(deal[TABLES:], deal[WORK:], cards, nodes)
    rest = deal[WORK + REST]
    if rest < 0:
        deal[TOLL] += 1 + nodes // _RATE
        return int(~bonus)
    if nodes - rest > _FREE:
        deal[TOLL] += (nodes - rest) // _RATE
    return int(bonus)


@lean
def bonus_or_less(deal: Words, cards: int) -> int:
    """The result of `found_bonus`, from the cache if possible.

    An unused slot reads as the empty set with bonus 0, which is correct.
    """
    at = CACHE + slot_of(cards)
    if deal[at] != cards:
        deal[at + 1] = found_bonus(deal, cards)
        deal[at] = cards
    return int(deal[at + 1])


@lean
def best_bonus(deal: Words, cards: int) -> int:
    """The best bonus of a set of cards.

    If that takes too long, stall the search (see `stalled`) and return the best bonus found.
    """
    bonus = bonus_or_less(deal, cards)
    if bonus < 0:
        deal[STALLED] = cards
        return int(~bonus)
    return int(bonus)


@lean
def least_bonus(deal: Words, cards: int) -> int:
    """The best bonus of a set of cards or, if that takes too long, the best one found: a lower bound."""
    bonus = bonus_or_less(deal, cards)
    return int(bonus if bonus >= 0 else ~bonus)


@lean
def most_bonus(deal: Words, cards: int) -> int:
    """A cheap upper bound on the best bonus of a set of cards."""
    at = CACHE + slot_of(cards | _OPTIMISTIC)
    if deal[at] != cards | _OPTIMISTIC:
        deal[at + 1] = optimistic(deal[TABLES:], deal[WORK:], cards)
        deal[at] = cards | _OPTIMISTIC
    return int(deal[at + 1])


@lean
def near_bonus(deal: Words, cards: int) -> int:
    """The best bonus of a set of cards or, if that takes too long, an upper bound on it."""
    carriers = renumbered(deal[TABLES:], cards) & deal[TABLES + CARRIERS]
    if popcount(carriers) > MOST_CARRIERS:
        return most_bonus(deal, cards)
    bonus = bonus_or_less(deal, cards)
    return int(bonus if bonus >= 0 else most_bonus(deal, cards))


@lean
def worth(deal: Words, won: int, pile: int, cards: int) -> int:
    """The final score of a seat that gets `cards` besides its `pile`, for which it has `won` points."""
    return int(won + points_of(deal, cards) + best_bonus(deal, pile | cards))


@lean
def at_least(deal: Words, won: int, pile: int, cards: int) -> int:
    """A lower bound on `worth`."""
    return int(won + points_of(deal, cards) + least_bonus(deal, pile | cards))


@lean
def at_most(deal: Words, won: int, pile: int, cards: int) -> int:
    """An upper bound on `worth`, and on the score of a seat that gets fewer `cards`."""
    return int(won + points_of(deal, cards) + most_bonus(deal, pile | cards))


@lean
def reward(deal: Words, work: Words, at: int, ended: int, seat: int) -> int:
    """A seat's score of a finished round: with its best recipes, or with good ones if these take too long to find.

    See `solver.search.uct`.
    """
    deal[TOLL] = 0  # spend full effort on the final bonuses, whatever the playout cost
    return at_least(deal, work[at + SCORES + seat], work[at + PILES + seat], 0)


@inlined
def stalled(deal: Words) -> bool:
    """Whether the search is waiting for a bonus that is expensive to compute (see `solver.search.fail_soft`)."""
    return bool(deal[STALLED] != 0)


@inlined
def toll(deal: Words) -> int:
    """The time spent on compounding since the last call.

    The unit is the time for one node of the search (see `solver.search.fail_soft`).
    """
    paid = deal[TOLL]
    deal[TOLL] = 0
    return int(paid)


# ----------------------------------------------------------------------------------------------------
# The most points of the others' cards that the player's own cards can capture: a matching.
#
# Cards are matched to captors in descending order of points; if all captors of a card are busy, captures move on
# along an augmenting path (Kuhn). The sets that can be matched form a transversal matroid, so the cards matched at
# any time are the best set of those tried.


VIA = (
    MATCHING + CARDS
)  # for every card of the player on a path: the card it would capture, and where the path came from
ON_THE_WAY = 1 << 12
# Words of the result. TOTAL: the points captured. LOST + n: the points lost when n own cards instead of n - 1
# capture nothing. SPARE + n: the most points of a card that is then left over, or for n = 0 left over anyway.
TOTAL = MATCHED
LOST = TOTAL + 1
SPARE = LOST + MOST_OWN + 1


@inlined
def served(deal: Words, own: int, card: int, room: int, full: int) -> int:
    """Let one of the player's cards capture `card`, moving other captures to make room.

    Returns the player's card that now captures one card more. If there is no room, it returns -1 - s, where s is
    the set of all own cards that were tried: none of them has room, nor will have any later.

    For each own card, MATCHING has the set of cards that it captures, at most `room`. The own cards in `full` have
    no room left.
    """
    seen = own & deal[CAPTORS + card]
    queue = seen
    rest = seen
    while rest != 0:
        deal[VIA + trailing_zeros(rest)] = card
        rest &= rest - 1
    while seen & ~full == 0:
        if queue == 0:
            return int(-1 - seen)
        busy = trailing_zeros(queue)
        queue &= queue - 1
        held = deal[MATCHING + busy]
        while held != 0:
            other = trailing_zeros(held)
            held &= held - 1
            more = own & deal[CAPTORS + other] & ~seen
            seen |= more
            queue |= more
            while more != 0:
                deal[VIA + trailing_zeros(more)] = ON_THE_WAY | (busy << 6) | other
                more &= more - 1
    free = trailing_zeros(seen & ~full)
    captor = free
    while True:
        step = deal[VIA + captor]
        deal[MATCHING + captor] |= 1 << (step & 63)
        if step & ON_THE_WAY == 0:
            return int(free)
        captor = (step >> 6) & 63
        deal[MATCHING + captor] &= ~(1 << (step & 63))


@inlined
def begin_captures(deal: Words) -> None:
    """Clear the results of `captures`, before its first call."""
    for word in range(MATCHED, MATCHED + MATCHED_WORDS):
        deal[word] = 0


@lean
def captures(deal: Words, own: int, cards: int, room: int) -> None:
    """Capture as many points of `cards` as possible with the player's `own` cards, at most `room` cards each.

    The result is added to the words starting at TOTAL.
    """
    places = room * popcount(own)
    full = 0
    hopeless = 0
    rest = own
    while rest != 0:
        deal[MATCHING + trailing_zeros(rest)] = 0
        rest &= rest - 1
    for level in range(deal[LEVELS]):
        points = deal[LEVELS + 1 + 2 * level]
        these = cards & deal[LEVELS + 2 + 2 * level]
        while these != 0:
            card = trailing_zeros(these)
            these &= these - 1
            captor = -1
            if own & deal[CAPTORS + card] & ~hopeless != 0:
                captor = served(deal, own, card, room, full)
                if captor < 0:
                    hopeless |= -1 - captor
            if captor < 0:
                deal[SPARE] = max(deal[SPARE], points)
                continue
            if popcount(deal[MATCHING + captor]) == room:
                full |= 1 << captor
            deal[TOTAL] += points
            idle = (places + room - 1) // room  # with this many idle own cards, all could be idle
            places -= 1
            deal[LOST + idle] += points
            deal[SPARE + idle] = max(deal[SPARE + idle], points)


@inlined
def gifts(deal: Words, live: int, own: int) -> int:
    """The other seats' cards that may be given to the player for playing the bottom, as a mask.

    The bottom is the lowest card of the suit led; the winner of the trick gives a card to its player. Each card of
    another seat is considered as the winning card, and no card that beats it can be given. If it is a suit card,
    no trump can be given, and the player needs a lower card of that suit or the Dancer. If it is a trump, the
    Dancer can't be given, unless the rules let a later trump beat the Dancer. With three players, the winner takes
    the lower cards of both others, so only cards that are not lower can be given.
    """
    others = live & ~own
    givable = 0
    trumps = deal[SUIT_CARDS + TRUMP]
    dancer = 1 << deal[THE_DANCER]
    for offset in range(1, deal[PLAYERS]):
        winner = others & deal[HANDS + seat_after(deal, deal[PLAYER], offset)]
        givers = others & ~winner
        while winner != 0:
            card = trailing_zeros(winner)
            winner &= winner - 1
            lower = deal[LOWER + card]
            rest = givers & ~lower if deal[PLAYERS] == 3 else givers
            if rest & ~givable == 0:
                continue
            suit = deal[SUIT + card]
            if suit == TRUMP:
                rest &= ~(trumps & ~lower)
                if deal[READINGS] & LATE_TRUMP == 0:
                    rest &= ~dancer
            elif suit < TRUMP:
                below = own & lower & deal[SUIT_CARDS + suit]
                if below | (own & dancer) == 0:
                    continue
                rest &= ~(deal[SUIT_CARDS + suit] & ~lower | trumps)
            givable |= rest
    return int(givable)


@lean
def most_of(deal: Words, cards: int) -> int:
    """The most points on any single card of a set; 0 for the empty set."""
    most = 0
    while cards != 0:
        most = max(most, deal[POINTS + trailing_zeros(cards)])
        cards &= cards - 1
    return int(most)


@inlined
def gain_by_gifts(deal: Words, own: int, dearest: int) -> int:
    """An upper bound on the net gain in points from one gift or more.

    Call `captures` first. A gift is a card given to the player as the bottom, worth at most `dearest` points. It
    costs a trick: the player's card is lost and captures nothing, so with n gifts all but n own cards can capture.
    If a card that would be captured is given instead, its captor only becomes free for another card, so a gift
    adds at most the points of the dearest card that is then left uncaptured.
    """
    lost = 0
    spare = deal[SPARE]
    most = -1 << 30
    for gift in range(1, popcount(own) + 1):
        cheapest = cheapest_of(deal, own)
        own &= ~(1 << cheapest)
        lost += deal[LOST + gift] + deal[POINTS + cheapest]
        spare = max(spare, deal[SPARE + gift])
        most = max(most, gift * min(dearest, spare) - lost)
    return int(most)


@lean
def reach(deal: Words, live: int, pile: int, won: int, slot: int, last: int) -> int:
    """An upper bound on the player's final score.

    `live` are the cards in hands, `pile` is the player's pile, and `won` its points. `slot` is 0, or the mask of a
    card that the player has played to an unfinished trick and that may still capture a card of the hand `last`.

    From a trick won, the player gets the winning card and at most two others of lower numbers (with three players,
    at most one from each hand). So, without gifts, the cards gained from others can be matched to own cards that
    capture them. A suit card captures no trumps, since they would win, and a trump does not capture the Dancer.
    With gifts, every card that may be given is counted in the bonus.
    """
    own = live & deal[HANDS + deal[PLAYER]]
    others = live & ~own
    captured = 0
    rest = own
    while rest != 0:
        captured |= others & deal[CAPTURES + trailing_zeros(rest)]
        rest &= rest - 1
    if slot != 0:
        captured |= last & deal[CAPTURES + trailing_zeros(slot)]
    begin_captures(deal)
    if deal[PLAYERS] == 3:
        for offset in range(1, 3):
            hand = others & deal[HANDS + seat_after(deal, deal[PLAYER], offset)]
            captures(deal, own | slot if hand & last else own, hand, 1)
    else:
        captures(deal, own, others, 2)
    points = won + points_of(deal, own) + deal[TOTAL]
    pile |= own | captured
    most = near_bonus(deal, pile)
    givable = gifts(deal, live, own)
    if givable != 0 and own != 0:
        gain = gain_by_gifts(deal, own, most_of(deal, givable))
        most = max(most, gain + near_bonus(deal, pile | givable))
    return int(points + most)


@lean
def ceiling(deal: Words, state: Words, at: int) -> int:
    """An upper bound on the player's final score, for a position between two tricks."""
    return int(reach(deal, state[at + LIVE], state[at + PILE], state[at + WON], 0, 0))


@inlined
def answered(deal: Words, state: Words, at: int) -> bool:
    """Whether, with three players, another seat is to play the last card of a trick that has no Dancer so far."""
    if deal[PLAYERS] != 3 or state[at + PLAYED] != 2 or state[at + NAME] >= 0:
        return False
    return bool(seat_after(deal, state[at + LEADER], 2) != deal[PLAYER])


@lean
def ceiling_within(deal: Words, state: Words, at: int) -> int:
    """An upper bound on the player's score in the middle of a trick for which `answered` holds.

    If the player's card is ahead, it may still capture a card of the last hand. If it is beaten, the player gets
    nothing from this trick, except as the bottom: then it may be given the best card that is left.
    """
    live = state[at + LIVE]
    trick = state[at + TRICK]
    pile = state[at + PILE]
    won = state[at + WON]
    last = live & deal[HANDS + seat_after(deal, state[at + LEADER], 2)]
    ahead = winning_card(deal, state, at)
    strong = last & (deal[SUIT_CARDS + TRUMP] | (1 << deal[THE_DANCER]))
    if state[at + BEST] == deal[PLAYER]:
        strong |= last & deal[SUIT_CARDS + state[at + LEAD]] & ~deal[LOWER + ahead]
        if strong == 0:
            trick &= deal[LOWER + ahead] | (1 << ahead)  # it wins; else the rest of the trick may be a gift
        return int(reach(deal, live, pile | trick, won + points_of(deal, trick), 1 << ahead, last))
    if state[at + LOWEST] == deal[PLAYER]:
        offer = (last | trick) & ~(deal[LOWER + ahead] | (1 << ahead))
        if strong != 0:
            offer |= trick
        pile |= offer
        won += most_of(deal, offer)
    return int(reach(deal, live, pile, won, 0, 0))


# ----------------------------------------------------------------------------------------------------
# The last trick of a round, where nobody has a choice of cards: who wins it, who is the bottom, its worth.


@inlined
def judged(deal: Words, live: int, leader: int) -> int:
    """Judge the last trick, with one card in each hand and none of them the Dancer.

    Returns one number: the winner's seat, plus the winning card << 3, plus b << 9, where b is the bottom's seat +
    1, or 0 if there is no bottom.
    """
    lead = deal[SUIT + trailing_zeros(live & deal[HANDS + leader])]
    power = -1
    lowest = CARDS
    winner = 0
    won = 0
    bottom = -1
    seat = leader
    for _ in range(deal[PLAYERS]):
        card = trailing_zeros(live & deal[HANDS + seat])
        suit = deal[SUIT + card]
        rank = deal[RANK + card]
        if suit == lead and rank < lowest:
            lowest = rank
            bottom = seat
        if suit == TRUMP:
            rank += TRUMPED
        elif suit != lead:
            rank = -1
        if rank > power:
            power = rank
            winner = seat
            won = card
        seat = seat_after(deal, seat, 1)
    followed = popcount(live & deal[SUIT_CARDS + lead]) > 1
    if bottom == winner or (power >= TRUMPED and not followed and deal[READINGS] & NO_BOTTOM):
        bottom = -1
    return int(winner | (won << 3) | ((bottom + 1) << 9))


@inlined
def judged_before(deal: Words, live: int, leader: int) -> int:
    """The result of `judged`, kept in the deal's words: the same few tricks end rounds with other piles.

    Against one player too few piles are tried for this to pay.
    """
    trick = live | (leader << 50)
    at = LAST_TRICKS + ((mixed(trick) >> (63 - LAST_TRICKS_BITS)) << 1)
    if deal[at] != trick:
        deal[at] = trick
        deal[at + 1] = judged(deal, live, leader)
    return int(deal[at + 1])


@lean
def last_worth(deal: Words, state: Words, at: int) -> int:
    """The player's final score when only the last trick is left to play, with the Dancer out of play."""
    live, score, pile = state[at + LIVE], state[at + WON], state[at + PILE]
    outcome = judged(deal, live, state[at + LEADER])
    player = deal[PLAYER]
    won = (outcome >> 3) & 63
    lower = live & deal[LOWER + won]
    if outcome & 7 == player:
        if popcount(lower) <= 2:
            return worth(deal, score, pile, lower | (1 << won))
        most = 0
        firsts = lower
        while firsts != 0:
            first = firsts & -firsts
            firsts &= firsts - 1
            seconds = firsts
            while seconds != 0:
                second = seconds & -seconds
                seconds &= seconds - 1
                most = max(most, worth(deal, score, pile, first | second | (1 << won)))
        return int(most)
    offer = live & ~(1 << won)
    if popcount(lower) <= 2:
        offer &= ~lower
    if outcome >> 9 != player + 1 or offer == 0:
        return worth(deal, score, pile, 0)
    chosen = -1
    while offer != 0:
        this = worth(deal, score, pile, offer & -offer)
        offer &= offer - 1
        if chosen < 0 or (this > chosen) == (deal[ALLIES] != 0):
            chosen = this
    return int(chosen)


@inlined
def received(deal: Words, stack: Words, node: int, seat: int, offer: int) -> int:
    """The least final score of a seat that gets one card of `offer`, if there is any, and then nothing more."""
    won, pile = stack[node + SCORES + seat], stack[node + PILES + seat]
    least = worth(deal, won, pile, offer & -offer)
    offer &= offer - 1
    while offer != 0:
        least = min(least, worth(deal, won, pile, offer & -offer))
        offer &= offer - 1
    return int(least)


@lean
def last_scores(deal: Words, stack: Words, node: int, out: int) -> int:
    """Write every seat's final score when only the last trick is left to play, with the Dancer out of play.

    Returns the total of these scores.

    The winner takes the cards worth most to itself and gives the bottom the card worth least to it. Among takings
    of equal worth, the winner chooses one that leaves the bottom the least.
    """
    live = stack[node + LIVE]
    outcome = judged_before(deal, live, stack[node + LEADER])
    winner, won, bottom = outcome & 7, (outcome >> 3) & 63, (outcome >> 9) - 1
    total = 0
    for seat in range(deal[PLAYERS]):
        if seat != winner and seat != bottom:
            score = worth(deal, stack[node + SCORES + seat], stack[node + PILES + seat], 0)
            stack[out + seat] = score
            total += score
    rest = live & ~(1 << won)
    most = -1
    least = 0
    firsts = live & deal[LOWER + won]
    while True:
        first = firsts & -firsts
        firsts &= firsts - 1
        seconds = firsts
        while True:
            second = seconds & -seconds
            seconds &= seconds - 1
            taken = first | second
            own = worth(deal, stack[node + SCORES + winner], stack[node + PILES + winner], 1 << won | taken)
            if own >= most:
                if bottom >= 0:
                    bottom_score = received(deal, stack, node, bottom, rest & ~taken)
                    least = bottom_score if own > most else min(least, bottom_score)
                most = own
            if seconds == 0:
                break
        if firsts & (firsts - 1) == 0:
            break
    stack[out + winner] = most
    if bottom >= 0:
        stack[out + bottom] = least
    return int(total + most + least)


# ----------------------------------------------------------------------------------------------------
# Tricks that a leading player wins whatever the others play: cards led one after another.


@inlined
def above(deal: Words, cards: int, rivals: int) -> int:
    """The cards in `cards` with higher numbers than all `rivals`."""
    higher = 0
    rest = cards
    while rest != 0:
        card = trailing_zeros(rest)
        rest &= rest - 1
        if rivals & ~deal[LOWER + card] == 0:
            higher |= 1 << card
    return higher


@inlined
def sure(deal: Words, own: int, others: int) -> int:
    """The cards with which the leading player wins one trick after another, whatever the others play.

    The Dancer counts if it can be named a suit in which nobody else has a higher card. (If a later trump does not
    lift it, it does not count while another seat has a trump.) Other cards count only if no other seat has the
    Dancer. Of these, a trump counts if it is higher than all trumps of the others. A suit card counts if no other
    seat has a trump, and it is higher than the others' cards of its suit. If leading such cards takes all cards of
    a suit from the others' hands, the player's lower cards of the suit count, too.
    """
    winning = 0
    dancer = 1 << deal[THE_DANCER]
    trumps = others & deal[SUIT_CARDS + TRUMP]
    if own & dancer:
        higher = others & ~deal[LOWER + deal[THE_DANCER]]
        for suit in range(TRUMP):
            if higher & deal[SUIT_CARDS + suit] == 0:
                winning = dancer
        if deal[READINGS] & LATE_TRUMP and trumps != 0:
            winning = 0
    elif others & dancer:
        return 0
    winning |= above(deal, own & deal[SUIT_CARDS + TRUMP], trumps)
    if trumps != 0:
        return int(winning)
    for suit in range(TRUMP):
        suited = own & deal[SUIT_CARDS + suit]
        outside = others & deal[SUIT_CARDS + suit]
        high = above(deal, suited, outside)
        if high != suited and high != 0:
            longest = 0
            for offset in range(1, deal[PLAYERS]):
                hand = deal[HANDS + seat_after(deal, deal[PLAYER], offset)]
                longest = max(longest, popcount(outside & hand))
            if popcount(high) >= longest:
                high = suited
        winning |= high
    return int(winning)


@inlined
def followed(deal: Words, others: int, led: int) -> int:
    """A lower bound on the points that other seats lose to the cards `led` by following suit.

    Each card of `led` is sure to win (see `sure`) and captures two of the cards that follow it. For each other
    seat, the cheapest cards with which it can follow are counted; the result is the total of the two seats that
    lose the most. The highest numbers are led first; cards that win only because nobody can follow are led last. A
    seat that is out of the suit led may play a card that would follow a later lead; that card is lower than the
    later lead, so it is captured at once.
    """
    most = 0
    second = 0
    for offset in range(1, deal[PLAYERS]):
        hand = others & deal[HANDS + seat_after(deal, deal[PLAYER], offset)]
        total = 0
        for suit in range(TRUMP):
            follow = hand & deal[SUIT_CARDS + suit]
            for _ in range(min(popcount(led & deal[SUIT_CARDS + suit]), popcount(follow))):
                cheapest = cheapest_of(deal, follow)
                follow &= ~(1 << cheapest)
                total += deal[POINTS + cheapest]
        second = max(second, min(most, total))
        most = max(most, total)
    return int(most + second)


@lean
def assured(deal: Words, state: Words, at: int) -> int:
    """A lower bound on the player's score between two tricks.

    It counts the cards won, those that are sure to be won (see `sure`), and their bonus. If another seat is to
    lead, cards are sure only if the player has a sure trump, which can win the lead.
    """
    own = state[at + LIVE] & deal[HANDS + deal[PLAYER]]
    others = state[at + LIVE] & ~own
    leads = state[at + LEADER] == deal[PLAYER]
    led = 0
    if leads or above(deal, own & deal[SUIT_CARDS + TRUMP], others & deal[SUIT_CARDS + TRUMP]) != 0:
        led = sure(deal, own, others)
    if not leads and led & deal[SUIT_CARDS + TRUMP] == 0:
        led = 0
    total = at_least(deal, state[at + WON], state[at + PILE], led)
    if leads and led != 0:
        total += followed(deal, others, led)
    return int(total)


@inlined
def unbeaten(deal: Words, state: Words, at: int) -> bool:
    """Whether the player is ahead in an unfinished trick without the Dancer, and no card to come beats theirs."""
    if state[at + BEST] != deal[PLAYER] or state[at + NAME] >= 0 or state[at + PLAYED] == deal[PLAYERS]:
        return False
    ahead = winning_card(deal, state, at)
    higher = ~deal[LOWER + ahead]
    dancer = 1 << deal[THE_DANCER]
    if deal[SUIT + ahead] == TRUMP:
        strong = deal[SUIT_CARDS + TRUMP] & higher | dancer
    else:
        strong = deal[SUIT_CARDS + TRUMP] | (deal[SUIT_CARDS + state[at + LEAD]] | dancer) & higher
    for turn in range(state[at + PLAYED], deal[PLAYERS]):
        if state[at + LIVE] & deal[HANDS + seat_after(deal, state[at + LEADER], turn)] & strong != 0:
            return False
    return True


@lean
def assured_within(deal: Words, state: Words, at: int) -> int:
    """A lower bound on the player's score in the middle of an `unbeaten` trick.

    It counts the cards won, those captured with this trick, and those that are sure to be won later (see `sure`).
    """
    ahead = winning_card(deal, state, at)
    lower = deal[LOWER + ahead]
    gained = state[at + TRICK] & lower
    while popcount(gained) > 2:
        gained &= ~(1 << cheapest_of(deal, gained))
    room = 2 - popcount(gained)
    total = state[at + WON]
    for turn in range(state[at + PLAYED], deal[PLAYERS]):
        hand = state[at + LIVE] & deal[HANDS + seat_after(deal, state[at + LEADER], turn)]
        cards = playable(deal, hand, state[at + LEAD])
        if room > 0 and cards & ~lower == 0:
            room -= 1
            total += deal[POINTS + cheapest_of(deal, cards)]
    own = state[at + LIVE] & deal[HANDS + deal[PLAYER]]
    gained |= 1 << ahead | sure(deal, own, state[at + LIVE] & ~own)
    return at_least(deal, total, state[at + PILE], gained)


# ----------------------------------------------------------------------------------------------------
# Static bounds on one player's score: what is won and compounds, and everything that can still be won.


UNBOUNDED = 1 << 26


@lean
def widest(deal: Words, state: Words, at: int, out: Words, to: int) -> None:
    """Write loose bounds on the player's score: what is already won, and that plus all that can still be won.

    They are equal at the end of the round if the score is quick to compute.
    """
    won, pile = state[at + WON], state[at + PILE]
    out[to] = at_least(deal, won, pile, 0)
    out[to + 1] = out[to]
    coming = state[at + LIVE] | state[at + TRICK]
    if coming != 0 or bonus_or_less(deal, pile) < 0:
        out[to + 1] = at_most(deal, won, pile, coming)


@lean
def settle(deal: Words, state: Words, at: int, out: Words, to: int, need: int) -> None:
    """Write the points won as a lower bound, without an upper bound; at the end of the round, the exact score.

    If the score is expensive to compute, write bounds on it, and stall the search unless they show whether the
    score is at least `need`.
    """
    won, pile = state[at + WON], state[at + PILE]
    out[to] = won
    out[to + 1] = UNBOUNDED
    if state[at + LIVE] | state[at + PLAYED] == 0:
        out[to] = at_least(deal, won, pile, 0)
        out[to + 1] = out[to] if bonus_or_less(deal, pile) >= 0 else at_most(deal, won, pile, 0)
        if out[to] < need <= out[to + 1]:
            deal[STALLED] = pile


@lean
def estimate(deal: Words, state: Words, at: int, out: Words, to: int, need: int) -> None:
    """Tighten the bounds on the player's score where that is possible without a search.

    The lower bound counts what is won and what is certain. The upper bound, with allies only, counts all cards in
    play that can still be taken: against opponents it hardly ever cuts, so it would not pay.
    """
    switches, live = deal[SWITCHES], state[at + LIVE]
    between = state[at + PLAYED] == 0
    if between and switches & LAST and popcount(live) == deal[PLAYERS] and (live >> deal[THE_DANCER]) & 1 == 0:
        worth = last_worth(deal, state, at)
        if deal[STALLED] == 0:
            out[to] = worth
            out[to + 1] = worth
    elif deal[ALLIES] and between:
        if switches & CEILING:
            out[to + 1] = min(out[to + 1], at_most(deal, state[at + WON], state[at + PILE], live))
        if switches & RANKED and out[to + 1] >= need:
            out[to + 1] = min(out[to + 1], ceiling(deal, state, at))
        if switches & SURE and need <= out[to + 1]:  # a search that is cut short has shown that much
            out[to] = max(out[to], assured(deal, state, at))
    elif deal[ALLIES]:
        if switches & WITHIN and answered(deal, state, at):
            out[to + 1] = min(out[to + 1], ceiling_within(deal, state, at))
    elif between:
        if switches & SURE:
            out[to] = max(out[to], assured(deal, state, at))
    elif switches & AHEAD and unbeaten(deal, state, at):
        out[to] = max(out[to], assured_within(deal, state, at))


# The table key of a position between two tricks consists of the cards in each hand, the seat that leads, and the
# part of the pile that still matters. The points already won are not part of it: the table stores the points still
# to come.


@inlined
def first_key(deal: Words, state: Words, at: int) -> int:
    """The first word of the table key of a position between two tricks: the cards in hands, and who leads."""
    return int(state[at + LIVE] | (state[at + LEADER] << 50) | (1 << 62))  # unlike any word of maxn's


@inlined
def second_key(deal: Words, state: Words, at: int, out: Words, to: int) -> None:
    """Write the second word of the table key of a position between two tricks, then the points already won."""
    pile = state[at + PILE]
    if deal[SWITCHES] & MERGED:
        pile = reduced(deal[TABLES:], pile, state[at + LIVE])
    out[to] = pile
    out[to + 1] = state[at + WON]


@inlined
def relaxed(deal: Words, state: Words, at: int, child: Words, to: int, need: int) -> bool:
    """Write a copy of the node in which the pile is empty and its bonus is counted as points.

    Compounding two piles separately is one way to compound both, so the true score is at least that of the copy;
    and nodes with different piles often have the same copy. Returns False, and writes nothing, if the pile is
    already empty or the copy is unlikely to prove a score of `need`: if the others help the player, if there are
    three players, or if more than a few points per trick are needed.
    """
    if deal[ALLIES] or deal[PLAYERS] == 3 or state[at + PILE] == 0:
        return False
    won = at_least(deal, state[at + WON], state[at + PILE], 0)
    others = deal[PLAYERS] - 1
    tricks = popcount(state[at + LIVE]) // deal[PLAYERS]
    if need - won > 2 + (others - 1) * (tricks - 1):
        return False
    for word in range(STATE_WORDS):
        child[to + word] = state[at + word]
    child[to + PILE] = 0
    child[to + WON] = won
    return True
