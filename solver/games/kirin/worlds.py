"""Counts, samples, judges and plays out the deals that agree with what a seat of Kirin sees.

The three other hands and the three cards that the others set aside are hidden. A hand holds no card that its seat
would have had to play earlier (`Past.excluded`); a card set aside was never in the hand during play, so it can be
any unseen card. No cards are drawn during a round, so these rules and the hands' sizes are the only conditions on
a deal, and every deal that meets them is consistent with the cards played.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from itertools import count, islice
from math import exp
from typing import NamedTuple

import numpy as np

from solver.common import Others, Random, mask, members
from solver.games.kirin import rules
from solver.games.kirin.deck import ALL, name, names
from solver.games.kirin.fast_rules import (
    COLOUR_OF,
    COLOUR_SETS,
    DECK,
    DIRECTION,
    INNER,
    LIVE,
    PLAYED,
    RANK_OF,
    SAME_COLOUR,
    STATE_WORDS,
    TRICK,
    asks,
    end_trick,
    lay,
    playable,
    seat_to_move,
    start_trick,
    to_inner,
)
from solver.games.kirin.players import (
    ALL_BY_RULES,
    BY_RULES,
    DECLARE,
    KINDS,
    LESS_SURE,
    LOOKS_AHEAD,
    MIXED,
    MOST,
    PLAY,
    Ahead,
    Room,
    ahead,
    best_of,
    declare_values,
    draw,
    draw_of,
    drawn,
    expects,
    judge,
    judge_kinds_of,
    new_room,
    values,
)
from solver.games.kirin.position import (
    DeclarePosition,
    DeclareView,
    KnownPosition,
    Remembered,
    View,
    number_of,
    numbers,
)
from solver.games.kirin.rules import HAND as DEALT
from solver.games.kirin.rules import SEATS, extra_points, order_of, points
from solver.hints import worlds
from solver.hints.policy import mixed, to_chances
from solver.hints.worlds import (
    STEPS,
    Chain,
    HiddenCards,
    Kept,
    Numbering,
    lay_places,
    may_hold,
    new_chain,
    slot_of,
)
from solver.kernels.jit import inlined, kernel, lean
from solver.kernels.rng import below_wide, start_stream
from solver.kernels.words import Floats, Words, popcount, trailing_zeros

# ----------------------------------------------------------------------------------------------------
# A view of Kirin as words, and drawing the hidden cards of a world, as kernels. Cards as in `fast_rules`.


# Words of a question: the asking seat, its hand and the card that it has set aside (-1: not yet), its points (with
# those that `declared_counts` adds), the leader and the direction of the trick on the table, and the cards played
# before it; the offset of a led card (`fast_rules.asks`); the cards played against the rules; then the cards that
# each seat has won.
SEAT, HAND, ASIDE, WON_POINTS, TRICK_LEADER, TRICK_DIRECTION, GONE, ARRANGEMENTS, TRICK_ASKS, AS_PLAYED = range(10)
PILES = AS_PLAYED + 1
QUESTION_WORDS = PILES + 4
FORGOTTEN = 4  # the group of the cards that were played and are not remembered


class Setting(NamedTuple):
    """Read-only data shared by all worlds of a view.

    `question` describes the view, indexed by `SEAT`, `HAND` and so on. `tricks` has six words for each trick, the
    one on the table last: leader, direction, and four cards (-1: not played yet). `cards` are the unseen cards,
    and `numbering` has the tables for dealing them. `play` and `declare` are the weights of rule-based players,
    and `ahead` is the data about players who look ahead (see `players`).
    """

    question: Words
    tricks: Words
    cards: Words
    numbering: Numbering
    play: Floats
    declare: Floats
    ahead: Ahead


@inlined
def lay_table(question: Words, tricks: Words, table: Words) -> None:
    """Write the node with the trick on the table, the last of `tricks`, to `table`.

    The cards that may still be played are all that are not known to be gone.
    """
    start_trick(table, 0, question[TRICK_LEADER], question[TRICK_DIRECTION], question[TRICK_ASKS])
    table[LIVE] = ALL & ~question[GONE]
    for place in range(len(tricks) - 4, len(tricks)):
        if tricks[place] >= 0:
            lay(table, 0, tricks[place])


@inlined
def lay_out(question: Words, cards: Words, places: Words, hands: Words, aside: Words, arrangement: int) -> None:
    """Write each seat's hand (a mask) and card set aside in a world; `places` has each unseen card's group.

    Groups 0 to 2 are the hands of the seats after the asking one. The cards of group 3 were set aside by these
    seats; `arrangement`, 0 to 5, says by which seat each. The cards of group `FORGOTTEN` were played.
    """
    seat = question[SEAT]
    for other in range(4):
        hands[other] = 0
    hands[seat] = question[HAND]
    aside[seat] = question[ASIDE]
    aside_so_far = 0
    for index in range(len(cards)):
        group = places[index]
        if group < 3:
            hands[(seat + 1 + group) & 3] |= 1 << cards[index]
        elif group != FORGOTTEN:
            # The first card goes to one of three, the second to one of the two left.
            first = arrangement % 3
            if aside_so_far == 0:
                group = first
            elif aside_so_far == 1:
                group = (first + 1 + arrangement // 3) % 3
            else:
                group = (first + 2 - arrangement // 3) % 3
            aside[(seat + 1 + group) & 3] = cards[index]
            aside_so_far += 1


@kernel
def draw_world(setting: Setting, random: Words, places: Words, hands: Words, aside: Words) -> None:
    """Sample one of the deals that agree with the question, uniformly.

    `random` holds a stream's state, one word. Writes the group of each unseen card to `places`, and for each seat
    the hand (a mask) to `hands` and the card set aside to `aside`.
    """
    question, numbering = setting.question, setting.numbering
    start = numbering.ways.shape[1] - 1
    rank = below_wide(random, numbering.ways[0, start] * question[ARRANGEMENTS])
    world = rank // question[ARRANGEMENTS]
    lay_places(numbering.groups, numbering.strides, numbering.ways, start, world, places)
    lay_out(question, setting.cards, places, hands, aside, rank % question[ARRANGEMENTS])


@dataclass(frozen=True)
class Deals(HiddenCards):
    """The deals that agree with a view, and the view as kernel words (see `play_worlds`).

    Cards have kernel numbers. The unseen cards are divided into groups: 0 to 2 are the hands of the seats after
    the asking one, 3 has the cards that these seats have set aside, and `FORGOTTEN` those played cards that the
    player does not remember, if any. The cards in group 3 can be arranged among the seats in several ways. A
    deal's number is (number of the division) × (number of arrangements) + (number of the arrangement).
    """

    view: View | DeclareView
    question: Words
    tricks: Words

    @cached_property
    def setting(self) -> Setting:
        """The view as kernel words, with the weights of players of equal strength."""
        cards = np.array(self.cards, np.int64)
        weights = np.array(PLAY), np.array(DECLARE)
        return Setting(self.question, self.tricks, cards, self.numbering, *weights, ahead())

    def among(self, others: Others) -> Setting:
        """Return the setting of these deals, with other players of the strength `others`."""
        equal = self.setting
        if others == "equal":
            return equal
        sure = 1.0 if others == "club" else LESS_SURE
        ahead = equal.ahead._replace(expected=ALL_BY_RULES)
        return equal._replace(play=sure * equal.play, declare=sure * equal.declare, ahead=ahead)

    @property
    def total(self) -> int:
        """The number of deals."""
        return super().total * int(self.question[ARRANGEMENTS])

    def position(self, rank: int) -> KnownPosition | DeclarePosition:
        """Return deal number `rank` as a position with every card known."""
        hands, aside = np.zeros(SEATS, np.int64), np.zeros(SEATS, np.int64)
        arrangements = int(self.question[ARRANGEMENTS])
        places = np.array(self.world(rank // arrangements), np.int64)
        lay_out(self.question, self.setting.cards, places, hands, aside, rank % arrangements)
        texts = tuple(tuple(names(sorted(DECK[card] for card in members(int(hand))))) for hand in hands)
        view = self.view
        if isinstance(view, DeclareView):
            return DeclarePosition(game="kirin", rules=view.rules, seat=view.seat, leader=view.leader, hands=texts)
        return KnownPosition(
            game="kirin",
            rules=view.rules,
            direction="descending" if view.past.rules.direction else "ascending",
            leader=view.leader,
            trick=view.trick,
            hands=tuple(view.hand if seat == view.seat else hand for seat, hand in enumerate(texts)),
            declared=tuple(name(DECK[int(card)]) for card in aside),
            history=None if isinstance(view, Remembered) else view.history,
            won=tuple(tuple(names(members(pile))) for pile in view.past.won),
            as_played=view.as_played,
        )


def _tricks(view: View) -> Words:
    """Return the words of each trick, the one on the table last: leader, direction and four cards (-1: none)."""
    rows = []
    direction = view.start.rules.direction
    for trick in view.tricks:
        rows.append([trick.leader, direction, *(INNER[card] for card in trick.plays)])
        direction = rules.direction_after(trick.plays, direction)
    cards = [INNER[card] for card in view.plays]
    rows.append([view.leader, direction, *cards, *[-1] * (SEATS - len(cards))])
    return np.array(rows, np.int64).ravel()


def deals(view: View | DeclareView) -> Deals:
    """Return the deals that agree with a view."""
    question = np.zeros(QUESTION_WORDS, np.int64)
    question[SEAT] = view.seat
    question[TRICK_ASKS] = asks(order_of(view.rules).only_kirin)
    question[HAND] = to_inner(view.hand_mask)
    question[TRICK_LEADER] = view.leader
    question[WON_POINTS] = extra_points(view.rules)
    others = [(view.seat + step) % SEATS for step in range(1, SEATS)]
    if isinstance(view, DeclareView):
        unseen = list(members(ALL & ~view.hand_mask))
        question[ASIDE] = -1
        question[ARRANGEMENTS] = 1
        tricks = np.array([view.leader, 0, -1, -1, -1, -1], np.int64)
        cards = tuple(INNER[card] for card in unseen)
        return Deals(cards, may_hold(unseen, [0, 0, 0]), (DEALT, DEALT, DEALT, 0), view, question, tricks)
    past = view.past
    declared = number_of(view.declared)
    unseen = list(members(view.unseen))
    question[ASIDE] = INNER[declared]
    question[ARRANGEMENTS] = 6  # orders of the three cards set aside
    question[TRICK_DIRECTION] = past.rules.direction
    question[AS_PLAYED] = to_inner(past.rules.as_played)
    question[WON_POINTS] += points(past.won, [declared // 9] * SEATS)[view.seat]
    question[PILES:] = [to_inner(pile) for pile in past.won]
    question[GONE] = sum(1 << INNER[card] for trick in (*view.tricks, view.current_trick) for card in trick.plays)
    sizes = [*(view.count(seat) for seat in others), len(others)]
    excluded = [*(view.excluded(seat) for seat in others), 0]
    if isinstance(view, Remembered):
        question[GONE] |= to_inner(past.discarded | mask(numbers(sum(view.won, ()))))
        if view.forgotten:
            sizes.append(view.forgotten)
            excluded.append(0)
    groups = may_hold(unseen, excluded)
    return Deals(tuple(INNER[card] for card in unseen), groups, tuple(sizes), view, question, _tricks(view))


def deals_by_order(view: View | DeclareView) -> list[Deals]:
    """Return the deals that agree with a view, for each order of earlier tricks that the player can't exclude."""
    return [deals(each) for each in (view.by_order if isinstance(view, Remembered) else [view])]


def positions(view: View | DeclareView, most: int, seed: int = 0) -> list[KnownPosition | DeclarePosition]:
    """Return every position that agrees with a view, or `most` random ones if there are more."""
    found = deals(view)
    ranks: Iterable[int] = range(found.total)
    if found.total > most:
        ranks = (Random(seed, number).word() % found.total for number in count())
    agreeing = (position for position in map(found.position, ranks) if _agrees(view, position))
    return list(islice(agreeing, most))


def _agrees(view: View | DeclareView, position: KnownPosition | DeclarePosition) -> bool:
    """Whether no hand of a deal has a card that its seat would have had to play in every order that may be."""
    if not isinstance(view, Remembered) or len(view.by_order) == 1:
        return True
    hands = [mask(numbers(hand)) for hand in position.hands]
    return any(
        not any(hand & each.excluded(seat) for seat, hand in enumerate(hands) if seat != view.seat)
        for each in view.by_order
    )


# ----------------------------------------------------------------------------------------------------
# The others' actions as evidence of what they hold: the likelihood of a seat's actions. Cards as in `fast_rules`.
#
# Each seat is assumed to be of one of the kinds in `players` and to make some choices at random. The likelihood of
# its choices is summed over the kinds. The chain of `solver.hints.worlds` samples worlds by these likelihoods:
# boxes 0 to 2 are the hands of the seats after the asking one, boxes 3 to 5 what they have set aside, and box 6
# the cards that were played and are not remembered.


GONE_BOX = 6
RANKS = 9  # of a colour
# Words of a play that was seen: the seat (-1: no play), its card, and the node before it.
PLAYER, CARD, SHOWS, TABLE = range(4)
SEEN_WORDS = TABLE + STATE_WORDS


class Evidence(NamedTuple):
    """The evidence for each seat's kind and cards: the plays that were seen, and the weights of each kind.

    `seen` has a row for each play (see `seen_plays`); `play`, `declare` and `ahead` are those of `Setting`. For
    each kind of player and rank of a card, `lifts` has exp(the value of setting the card aside minus that of
    keeping it).
    """

    seen: Words
    play: Floats
    declare: Floats
    ahead: Ahead
    lifts: Floats


class Work(NamedTuple):
    """Scratch memory of the kernels.

    For each kind of player, `chances` has the probability that a seat is of that kind and made its choices. `kept`
    caches these probabilities for hands that were judged earlier with the same evidence.
    """

    hands: Words
    aside: Words
    room: Room
    chances: Floats
    kept: Kept


class Reading(NamedTuple):
    """What the kernels of a chain need: their argument `game` (see `solver.hints.worlds.chain_kernels`)."""

    setting: Setting
    evidence: Evidence
    work: Work


@kernel
def new_work(hands: Words, aside: Words, kept: Kept) -> Work:
    """Allocate scratch memory around the given arrays; `kept` must be a cache for the same view."""
    return Work(hands, aside, new_room(), np.zeros(KINDS), kept)


@kernel
def seen_plays(question: Words, tricks: Words) -> Words:
    """Return a row of words for each card played in `tricks`: who played it, and the node before it.

    `tricks` is as in `Setting`. A place in a trick where no card was seen has the player -1. A card played against
    the rules shows nothing (`SHOWS` is 0).
    """
    seen = np.zeros((len(tricks) // 6 * 4, SEEN_WORDS), np.int64)
    table = np.zeros(STATE_WORDS, np.int64)
    table[LIVE] = ALL
    for trick in range(len(tricks) // 6):
        start_trick(table, 0, tricks[6 * trick], tricks[6 * trick + 1], question[TRICK_ASKS])
        for place in range(4):
            row = 4 * trick + place
            card = tricks[6 * trick + 2 + place]
            seen[row, PLAYER] = -1
            if card >= 0:
                seen[row, PLAYER] = (tricks[6 * trick] + place) & 3
                seen[row, CARD] = card
                seen[row, SHOWS] = 1 - ((question[AS_PLAYED] >> card) & 1)
                for word in range(STATE_WORDS):
                    seen[row, TABLE + word] = table[word]
                lay(table, 0, card)
    return seen


@kernel
def evidence_of(setting: Setting) -> Evidence:
    """Return the evidence for judging the seats in a view."""
    lifts = np.zeros(KINDS * RANKS)
    for kind in range(KINDS):
        if expects(setting.ahead, kind):
            weights = setting.declare if kind == BY_RULES else setting.ahead.declare
            for rank in range(RANKS):
                lifts[kind * RANKS + rank] = exp(weights[RANKS + rank] - weights[rank])
    return Evidence(
        seen_plays(setting.question, setting.tricks), setting.play, setting.declare, setting.ahead, lifts
    )


@lean
def declared(hand: int, aside: int, weights: Floats, lifts: Floats) -> float:
    """Return the probability that a player sets `aside` aside from `hand`, a mask of nine cards.

    The player chooses by softmax over the values of `declare_values`, with these `weights`. `lifts` has the
    numbers of `Evidence.lifts` for the player's kind.
    """
    total = 0.0
    chosen = 0.0
    for colour in range(4):
        cards = hand & COLOUR_SETS[colour]
        if cards == 0:
            continue
        kept = 0.0
        lift = 0.0
        while cards != 0:
            rank = RANK_OF[trailing_zeros(cards)]
            cards &= cards - 1
            kept += weights[rank]
            lift += lifts[rank]
        kept = exp(kept)
        total += kept * lift
        if colour == COLOUR_OF[aside]:
            chosen = kept * lifts[RANK_OF[aside]]
    return chosen / total


@lean
def likelihood(seat: int, hand: int, aside: int, evidence: Evidence, work: Work) -> float:
    """Return the likelihood of a seat's choices, supposing that it now holds `hand` and has set `aside` aside.

    `hand` is a mask. The choices are the card set aside and the plays. Also writes to `work.chances`, for each
    kind of player, the probability that the seat is of that kind and made these choices.
    """
    key = ((hand << 6) | aside) * 4 + seat + 1
    slot = slot_of(key)
    found = work.kept.chances[slot * KINDS :]
    if work.kept.keys[slot] != key:
        work.kept.keys[slot] = key
        judge_kinds(seat, hand, aside, evidence, work)
        for kind in range(KINDS):
            found[kind] = work.chances[kind]
    total = 0.0
    for kind in range(KINDS):
        work.chances[kind] = found[kind]
        total += found[kind]
    return float(total)


@lean
def judge_kinds(seat: int, hand: int, aside: int, evidence: Evidence, work: Work) -> None:
    """Write to `work.chances`, for each kind of player, how likely a seat's choices so far are.

    This is the joint probability that the seat is of that kind and that it made these choices, supposing that it
    now holds the cards `hand` (a mask), and that it has set aside the card `aside`.
    """
    seen, ahead, room, chances = evidence.seen, evidence.ahead, work.room, work.chances
    for row in range(len(seen)):
        if seen[row, PLAYER] == seat:
            hand |= 1 << seen[row, CARD]
    nine = hand | (1 << aside)
    for kind in range(KINDS):
        chances[kind] = 0.0
        if expects(ahead, kind):
            weights = evidence.declare if kind == BY_RULES else ahead.declare
            chosen = declared(nine, aside, weights, evidence.lifts[kind * RANKS :])
            chances[kind] = ahead.expected[kind] * mixed(chosen, 1.0, MOST, MIXED[kind])
    own = SAME_COLOUR[aside]
    for row in range(len(seen)):
        if seen[row, PLAYER] != seat:
            continue
        table, card = seen[row, TABLE:], seen[row, CARD]
        legal = playable(hand, table, 0)
        if seen[row, SHOWS] != 0 and legal & (legal - 1) != 0:
            unseen = table[LIVE] & ~hand & ~(1 << aside)
            judge_kinds_of(hand, own, unseen, table, legal, evidence.play, ahead, room)
            count = popcount(legal)
            place = popcount(legal & ((1 << card) - 1))
            for kind in range(KINDS):
                if expects(ahead, kind):
                    told = room.values[kind * MOST :]
                    to_chances(count, told)
                    chances[kind] *= mixed(told[place], 1.0, count, MIXED[kind])
        hand &= ~(1 << card)


@lean
def draw_places(reading: Reading, chain: Chain) -> None:
    """Sample a world uniformly, and write where each unseen card lies to `chain.places`.

    Places 0 to 2 are the other hands, 3 to 5 the cards that their seats set aside; `GONE_BOX` is for played cards.
    """
    setting, work = reading.setting, reading.work
    draw_world(setting, chain.random, chain.places, work.hands, work.aside)
    for index in range(len(chain.places)):
        if chain.places[index] == FORGOTTEN:
            chain.places[index] = GONE_BOX
    for step in range(1, 4):
        other = (setting.question[SEAT] + step) & 3
        for index in range(len(chain.cards)):
            if work.aside[other] == chain.cards[index]:
                chain.places[index] = step + 2


@inlined
def owner_likelihood(reading: Reading, chain: Chain, owner: int) -> float:
    """Return the likelihood of the actions of the seat that is `owner` + 1 places after the asking one.

    It is 1 for owner 3, which stands for the cards that were played and are not remembered.
    """
    if owner == 3:
        return 1.0
    seat = (reading.setting.question[SEAT] + 1 + owner) & 3
    aside = trailing_zeros(chain.boxes[3 + owner])
    return likelihood(seat, chain.boxes[owner], aside, reading.evidence, reading.work)


@kernel
def open_chain(setting: Setting, random: Words) -> Chain:
    """Allocate a chain over the deals of the unseen cards; `begin_chain` starts it."""
    # A card set aside was never held during play: group 3 stands for every such place.
    groups = setting.numbering.groups
    allowed = np.empty(len(groups), np.int64)
    boxes = 6
    for index in range(len(groups)):
        allowed[index] = (groups[index] & 7) | (56 if groups[index] & 8 else 0)
        if (groups[index] >> FORGOTTEN) & 1:
            allowed[index] |= 1 << GONE_BOX
            boxes = 7
    owners = np.arange(boxes) % 3
    if boxes > GONE_BOX:
        owners[GONE_BOX] = 3
    return new_chain(setting.cards, allowed, owners, random)


begin_chain, step_chain = worlds.chain_kernels("kirin", draw_places, owner_likelihood)


# ----------------------------------------------------------------------------------------------------
# Rounds of Kirin played out by plausible players, in sampled worlds, as kernels. Cards as in `fast_rules`.


# Statistics of a finished round, for the asking seat: the round's points; whether the card won its trick; the
# points of that trick. If there is room, the round's points of each seat follow.
SCORE, WON_TRICK, TRICK_POINTS, SCORES = range(4)
STATISTICS = SCORES
ALL_STATISTICS = SCORES + 4
DIRECTION_BIT = 40  # in the words of `noted`, above all cards

_TAKEN = 6  # where the cards won by seats start in `Round.points`
_POINTS_WORDS = _TAKEN + 4


class Round(NamedTuple):
    """A round that is being played out.

    For each seat, `hands` has the hand that it began with (a mask) and `aside` the card that it has set aside.
    `table` is the node; the cards set aside are among those that may still be played. `points` has the results
    since the playout began: in words 0 to 3 the points that each seat won; in words 4 and 5 the points won in the
    first trick that ended, and the direction after it; from word 6 on, the cards that each seat won (masks).
    """

    hands: Words
    aside: Words
    table: Words
    points: Words


@lean
def play_on(
    playing: Round, asked: int, play: Floats, ahead: Ahead, shares: Floats, me: int, random: Words, room: Room
) -> int:
    """Play the round to its end; return the seat that won the trick on the table, -1 if nobody did.

    `asked` is the question's TRICK_ASKS. At each of its turns, a seat looks ahead with its probability in
    `shares`, and otherwise plays by rules. When seat `me` looks ahead, it plays the card that it values most; when
    another seat looks ahead, it chooses at random, by the cards' values.
    """
    hands, aside, table, points = playing
    taker = -2
    while True:
        if table[PLAYED] == 4:
            trick = table[TRICK]
            winner = end_trick(table, 0, asked)
            if winner >= 0:
                points[winner] += popcount(trick & SAME_COLOUR[aside[winner]])
                points[_TAKEN + winner] |= trick
            if taker == -2:
                taker = winner
                points[4] = points[winner] if winner >= 0 else 0
                points[5] = table[DIRECTION]
        seat = seat_to_move(table, 0)
        hand = hands[seat] & table[LIVE]
        if hand == 0:
            return taker
        unseen = table[LIVE] & ~hand & ~(1 << aside[seat])
        own = SAME_COLOUR[aside[seat]]
        legal = playable(hand, table, 0)
        if legal & (legal - 1) == 0:
            card = trailing_zeros(legal)
        elif not drawn(shares[seat], random):
            values(hand, own, unseen, table, legal, play, room)
            card = draw_of(BY_RULES, legal, room, random)
        else:
            judge(hand, own, unseen, table, legal, play, ahead, False, room)
            card = best_of(legal, room) if seat == me else draw_of(LOOKS_AHEAD, legal, room, random)
        lay(table, 0, card)


@lean
def declare(setting: Setting, hands: Words, aside: Words, random: Words, out: Floats) -> None:
    """Have all seats but the asking one set a card aside, as players of the expected kinds do."""
    for step in range(1, 4):
        other = (setting.question[SEAT] + step) & 3
        ahead = drawn(setting.ahead.expected[LOOKS_AHEAD], random)
        declare_values(hands[other], setting.ahead.declare if ahead else setting.declare, out)
        to_chances(9, out)
        aside[other] = draw(hands[other], out, random)
        hands[other] &= ~(1 << aside[other])


@kernel
def play_worlds(
    setting: Setting, kept: Kept, moves: Words, seed: int, first: int, infer: bool, results: Floats, noted: Words
) -> None:
    """Play a round to its end after each move, in worlds numbered from `first` on.

    Writes the statistics (`SCORE` and so on) to `results`, an array (worlds, moves, statistics). Writes a row for
    each world to `noted`: the hands (masks by seat) and then, for each move, the cards that the seat wins after it
    (a mask), with the direction after the first trick at `DIRECTION_BIT`. `kept` must be used for this view only.
    With `infer`, the worlds are steps of one Markov chain (see `solver.hints.worlds`); otherwise they are
    independent.
    """
    # Local names for everything that the loops read: in a kernel that allocates arrays, each access to a tuple
    # counts references.
    question, tricks, cards, _, play, _, ahead = setting
    random = np.zeros(1, np.int64)
    places = np.zeros(len(cards), np.int64)
    hands = np.zeros(4, np.int64)
    aside = np.zeros(4, np.int64)
    points = np.zeros(_POINTS_WORDS, np.int64)
    table = np.zeros(STATE_WORDS, np.int64)
    shares = np.zeros(4)
    playing = Round(hands, aside, table, points)
    evidence = evidence_of(setting)
    work = new_work(hands, aside, kept)
    room, chances = work.room, work.chances
    reading = Reading(setting, evidence, work)
    chain = open_chain(setting, random)
    boxes = chain.boxes
    seat = question[SEAT]
    start_stream(random, seed, first)
    for other in range(4):
        shares[other] = ahead.expected[LOOKS_AHEAD]
    shares[seat] = 1.0 if len(ahead.net.last) > 0 else 0.0
    if infer:
        begin_chain(reading, chain)
    for world in range(len(results)):
        if infer:
            for _ in range(STEPS):
                step_chain(reading, chain)
            hands[seat], aside[seat] = question[HAND], question[ASIDE]
            for step in range(1, 4):
                other = (seat + step) & 3
                hands[other], aside[other] = boxes[step - 1], trailing_zeros(boxes[step + 2])
        else:
            start_stream(random, seed, first + world)
            draw_world(setting, random, places, hands, aside)
        if infer:
            for step in range(1, 4):
                other = (seat + step) & 3
                total = likelihood(other, hands[other], aside[other], evidence, work)
                shares[other] = chances[LOOKS_AHEAD] / total
        if question[ASIDE] < 0:
            declare(setting, hands, aside, random, room.values)
        live = ALL
        if question[ASIDE] >= 0:  # without the cards that were played, remembered or not
            live = 0
            for other in range(4):
                live |= hands[other] | (1 << aside[other])
        for other in range(4):
            noted[world, other] = hands[other]
        follow = random[0]
        for index in range(len(moves)):
            random[0] = follow
            for other in range(4):
                points[other] = 0
                points[_TAKEN + other] = 0
            lay_table(question, tricks, table)
            table[LIVE] = live
            if question[ASIDE] < 0:
                aside[seat] = moves[index]
                hands[seat] = question[HAND] & ~(1 << moves[index])
            else:
                lay(table, 0, moves[index])
            taker = play_on(playing, question[TRICK_ASKS], play, ahead, shares, seat, random, room)
            noted[world, 4 + index] = points[_TAKEN + seat] | points[5] << DIRECTION_BIT
            results[world, index, SCORE] = question[WON_POINTS] + points[seat]
            results[world, index, WON_TRICK] = 1.0 if taker == seat else 0.0
            results[world, index, TRICK_POINTS] = points[4] if taker == seat else 0.0
            if results.shape[2] >= ALL_STATISTICS:
                for other in range(4):
                    before = popcount(question[PILES + other] & SAME_COLOUR[aside[other]])
                    results[world, index, SCORES + other] = before + points[other]
