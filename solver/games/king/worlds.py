"""The deals that agree with a view of King × Alchemy: numbering them, judging them by the play, playing them out.

Only the other hands are hidden. A player who did not follow a suit (nor played a trump, nor named the Dancer that
suit) held no card of it then, nor later, since no cards are drawn (`Past.excluded`). Leading shows nothing about a
hand; nor does following with a suit card, a trump or the Dancer under the suit's name. So these exclusions and the
hands' sizes are the only conditions on a deal, and every deal that meets them is consistent with the cards seen.

If the player doesn't remember all cards that are gone, the forgotten ones form one more group, whichever piles
they are in. Only then, or with five players and nothing known, are there too many deals to number
(`solver.hints.worlds`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from math import exp
from typing import NamedTuple

import numpy as np

from solver.common import mask, members
from solver.games.king.compounding import PATIENCE, WORK_WORDS, bonus_of
from solver.games.king.deck import CARDS, DANCER, TRUMP
from solver.games.king.fast_rules import (
    BEST,
    LEAD,
    LEADER,
    NAMED,
    ORDER,
    PLAYED,
    PLAYERS,
    STATE_WORDS,
    SUIT_CARDS,
    TABLES,
    THE_DANCER,
    TRICK,
    card_at,
    judge,
    lay,
    points_of,
    seat_after,
    start_trick,
)
from solver.games.king.players import (
    AHEAD,
    ALL,
    EXPECTED,
    KINDS,
    MIXED,
    MOST_LEFT,
    MOST_PLAYS,
    PICK_FEATURES,
    PICK_LENGTH,
    PICK_VOID,
    PLAY_WEIGHTS,
    CardValues,
    Plays,
    Room,
    Setting,
    book_of,
    card_value,
    choose,
    context_of,
    features,
    get,
    lose,
    move_code,
    new_room,
    own_inputs,
    pick_chances,
    pick_features,
    play_chances,
    plays,
    put,
    row_of,
    row_of_weights,
    share_out,
    shared_inputs,
    think_of_choice,
    think_of_play,
    weighted,
)
from solver.games.king.position import (
    KnownPosition,
    PickPosition,
    PickView,
    Remembered,
    TakenTrick,
    View,
    cards_at,
)
from solver.games.king.rules import PLAYERS as SEATS
from solver.games.king.rules import TRICKS, Masks, gains
from solver.hints import worlds
from solver.hints.policy import draw_place, mixed, to_chances
from solver.hints.worlds import (
    NOT_MANY,
    Chain,
    HiddenCards,
    Kept,
    ManyDeals,
    Numbering,
    draw_among_many,
    draw_places,
    may_hold,
    new_chain,
    slot_of,
)
from solver.kernels.jit import inlined, kernel, lean
from solver.kernels.rng import below, start_stream
from solver.kernels.words import Floats, Words, popcount, trailing_zeros
from solver.tricks.positions import common_fields

# ----------------------------------------------------------------------------------------------------
# A view as words, and drawing the hidden hands of a world, as kernels.


# Words of a question: the asking seat, its hand, the kind of decision, and the cards that it sees elsewhere,
# including those on the table; then each pile.
SEAT, HAND, STAGE, GONE, PILES = range(5)
MOST_SEATS = SEATS[1]
QUESTION_WORDS = PILES + MOST_SEATS

PICKING, PLAYING, SHARING = range(3)  # kinds of decisions


class Question(NamedTuple):
    """A view in the form that kernels read.

    `words` is indexed by `SEAT` to `PILES`, `cards` are the unseen cards, and `numbering` has the ways to deal
    them. If there are too many deals to number, they are sampled with `many`; otherwise `many` has no rows.
    """

    words: Words
    cards: Words
    numbering: Numbering
    many: ManyDeals


@kernel
def draw_world(question: Question, players: int, random: Words, places: Words, hands: Words) -> None:
    """Choose one of the deals that agree with the question, all with the same probability.

    The cards are dealt in groups: group g is the hand of the seat that sits g + 1 places after the asking one. If
    cards were forgotten, one more group has those that are in no hand. Writes the group of each unseen card to
    `places`, and the hands, as masks by seat, to `hands`.
    """
    seat = question.words[SEAT]
    if len(question.many.ways) > 0:
        draw_among_many(question.many, random, places)
    else:
        draw_places(question.numbering, random, places)
    for other in range(players):
        hands[other] = 0
    hands[seat] = question.words[HAND]
    for index in range(len(question.cards)):
        if places[index] < players - 1:
            hands[(seat + 1 + places[index]) % players] |= 1 << question.cards[index]


@dataclass(frozen=True)
class Deals(HiddenCards):
    """The deals that agree with a view.

    The cards are dealt in groups: group g is the hand of the seat that sits g + 1 places after the asking one. If
    the player has forgotten some of the cards that have left the hands, these form one more group.
    """

    view: View | PickView

    @cached_property
    def question(self) -> Question:
        """The view in the form that kernels read."""
        view = self.view
        words = np.zeros(QUESTION_WORDS, np.int64)
        words[SEAT] = view.seat
        words[HAND] = view.hand_mask
        words[GONE] = (1 << CARDS) - 1 & ~(view.hand_mask | view.unseen)
        words[STAGE] = PICKING
        if isinstance(view, View):
            words[STAGE] = SHARING if len(view.trick) == view.players else PLAYING
            for seat, pile in enumerate(view.piles):
                words[PILES + seat] = pile
        return Question(words, np.array(self.cards, np.int64), self.numbering, self.many or NOT_MANY)

    def hands(self, places: Sequence[int]) -> Masks:
        """The hands of a deal, as masks by seat; `places` has the group of each unseen card."""
        view = self.view
        hands = [view.hand_mask if seat == view.seat else 0 for seat in range(view.players)]
        for card, place in zip(self.cards, places, strict=True):
            if place < view.players - 1:
                hands[(view.seat + 1 + place) % view.players] |= 1 << card
        return tuple(hands)

    def position(self, places: Sequence[int]) -> KnownPosition | PickPosition:
        """A deal as a position with every card known; `places` has the group of each unseen card."""
        view = self.view
        deck = view.full_deck
        hands = tuple(
            view.hand if seat == view.seat else tuple(deck.codes(members(hand)))
            for seat, hand in enumerate(self.hands(places))
        )
        if isinstance(view, PickView):
            return PickPosition(**common_fields(view, PickPosition), hands=hands)
        history = None if isinstance(view, Remembered) else view.history
        return KnownPosition(**common_fields(view, KnownPosition), hands=hands, history=history)


def deals(view: View | PickView) -> Deals:
    """Every deal that agrees with a view."""
    unseen = tuple(members(view.unseen))
    others = [(view.seat + step) % view.players for step in range(1, view.players)]
    if isinstance(view, PickView):
        return Deals(unseen, may_hold(unseen, [0] * len(others)), (len(view.hand),) * len(others), view)
    sizes, excluded = [view.count(seat) for seat in others], [view.excluded(seat) for seat in others]
    if isinstance(view, Remembered) and view.forgotten:
        sizes.append(view.forgotten)
        excluded.append(0)
    return Deals(unseen, may_hold(unseen, excluded), tuple(sizes), view)


def positions(view: View | PickView, most: int, seed: int = 0) -> list[KnownPosition | PickPosition]:
    """Return at most `most` deals that agree with a view, as positions (see `solver.game.Game.worlds`)."""
    found = deals(view)
    if found.worlds is not None and found.total <= most:
        return [found.position(found.world(number)) for number in range(found.total)]
    return [found.position(found.drawn(seed, number)) for number in range(most)]


# ----------------------------------------------------------------------------------------------------
# What the others have done, prepared for `likelihood`: their picks and plays, each with what was visible then.


MOST_TRICKS = max(TRICKS.values())
MOST_VALUE = 300.0  # of a pick: users' decks may have cards of 999 points, and exp overflows from 710 on
PICK_SHARES = CARDS + MOST_LEFT

# Words of a trick that was seen: the leader, the number of plays, which of them were against the rules (bits); the
# plays; for every seat the mask of the cards that it got.
TRICK_LEADER, COUNT, AS_PLAYED, CODES = range(4)
GAINS = CODES + MOST_SEATS
TRICK_WORDS = GAINS + MOST_SEATS

# Words of a play that was seen: its code, the cards that everybody had seen before it, and the node.
CODE, BEFORE, SHOWS, NODE = range(4)
SEEN_WORDS = NODE + STATE_WORDS


class Evidence(NamedTuple):
    """What the seats have picked and played, as evidence of their hands; read-only.

    `deal` is the deal's array of constants, `plays` has how each kind of player values plays, and `expected` the
    share of each kind. For each kind, `shares` has a weight for picking each card, followed by factors that depend
    on how many cards of its suit the hand has. `picks` has each seat's pick (a mask). `seen` has the plays that
    were seen, with room for `MOST_TRICKS` per seat, and `counts` their number for each seat. For each of these
    plays, `card_values` has what every card was worth to the seat at the time.
    """

    deal: Words
    plays: Plays
    shares: Floats
    picks: Words
    counts: Words
    seen: Words
    card_values: Floats
    expected: Floats


@kernel
def lay_seen(evidence: Evidence, tricks: Words, gone: int, left: int, values: CardValues, piles: Words) -> None:
    """Write the plays of the tricks to the evidence.

    `tricks` has rows indexed by `TRICK_LEADER` to `GAINS`, `gone` is the mask of the removed and picked cards,
    and `left` the number of cards in a hand after the picks. `values` and `piles` are those after the picks;
    `piles` and `values.book` are modified.
    """
    deal, recipes = values.deal, values.recipes
    node = np.zeros(STATE_WORDS, np.int64)
    for trick in range(len(tricks) // TRICK_WORDS):
        words = tricks[trick * TRICK_WORDS :]
        start_trick(node, 0, words[TRICK_LEADER])
        for place in range(words[COUNT]):
            seat = seat_after(deal, words[TRICK_LEADER], place)
            code = words[CODES + place]
            row = seat * MOST_TRICKS + evidence.counts[seat]
            evidence.counts[seat] += 1
            evidence.seen[row * SEEN_WORDS + CODE] = code
            evidence.seen[row * SEEN_WORDS + BEFORE] = gone
            evidence.seen[row * SEEN_WORDS + SHOWS] = 1 - ((words[AS_PLAYED] >> place) & 1)
            for word in range(STATE_WORDS):
                evidence.seen[row * SEEN_WORDS + NODE + word] = node[word]
            for card in range(CARDS):
                evidence.card_values[row * CARDS + card] = card_value(values, row_of(recipes, seat), left, card)
            gone |= 1 << (deal[THE_DANCER] if code >= NAMED else code)
            lay(deal, node, 0, code)
        if trick < len(tricks) // TRICK_WORDS - 1:  # the last one may be full, but not shared out yet
            judge(deal, node, 0)
            rest = node[TRICK]
            for seat in range(deal[PLAYERS]):
                cards = words[GAINS + seat]
                piles[seat] |= cards
                rest &= ~cards
                while cards != 0:
                    get(values, seat, trailing_zeros(cards))
                    cards &= cards - 1
            while rest != 0:
                lose(values, trailing_zeros(rest))
                rest &= rest - 1
            start_trick(node, 0, node[BEST])
        left -= 1


@lean
def lay_picks(values: CardValues, picking: Floats, left: int, all_shares: Floats, out: Floats) -> None:
    """Write to `all_shares` the weights with which each kind of player picks cards.

    For each kind, these are a weight for each card, then a factor for each number of cards of the picked card's
    suit that stay in the hand (`picked` multiplies the two). `values` are those before the picks, `picking` has
    the feature weights of each kind of player, and `out` is scratch memory for features.
    """
    for kind in range(KINDS):
        weights = picking[kind * PICK_FEATURES :]
        shares = all_shares[kind * PICK_SHARES :]
        most = MOST_VALUE
        for card in range(CARDS):
            pick_features(values, 0, 1 << card, left, card, out)
            value = 0.0
            for index in range(PICK_LENGTH):
                value += out[index] * weights[index]
            shares[card] = value
            most = max(most, value)
        for card in range(CARDS):
            shares[card] = exp(max(shares[card] - (most - MOST_VALUE), -MOST_VALUE))
        for stay in range(MOST_LEFT):
            value = 0.2 * stay * weights[PICK_LENGTH]
            shares[CARDS + stay] = exp(value + (weights[PICK_VOID] if stay == 0 else 0.0))


def evidence_of(view: View | PickView, setting: Setting, expected: Floats = EXPECTED) -> Evidence:
    """Collect the evidence in a view; `expected` has the share of each kind of player."""
    deck, players = view.full_deck, view.players
    picks = before_told = (
        0,
    ) * players  # the piles before the given tricks: the picked cards, if all tricks are given
    if isinstance(view, View):
        before_told = tuple(pile & ~gained for pile, gained in zip(view.piles, view.past.won, strict=True))
        told = view.over == len(view.tricks) and all(pile.bit_count() == 1 for pile in before_told)
        picks = before_told if told else picks
    rows = players * MOST_TRICKS
    evidence = Evidence(
        deal=setting.values.deal,
        plays=setting.play,
        shares=np.zeros(KINDS * PICK_SHARES),
        picks=np.array(picks, np.int64),
        counts=np.zeros(players, np.int64),
        seen=np.zeros(rows * SEEN_WORDS, np.int64),
        card_values=np.zeros(rows * CARDS),
        expected=expected,
    )
    if isinstance(view, View):
        removed, left = mask(cards_at(deck, view.removed, "removed")), TRICKS[players]
        before = setting.values._replace(book=book_of(deck, (0,) * players, removed))
        lay_picks(before, setting.pick, left, evidence.shares, np.zeros(PICK_FEATURES))
        if isinstance(view, Remembered):
            removed |= mask(cards_at(deck, view.gone, "gone"))
            left -= view.over - len(view.tricks)
        after = before._replace(book=book_of(deck, before_told, removed))
        gone, tricks = removed | sum(before_told), np.array(tricks_in_words(view), np.int64)
        lay_seen(evidence, tricks, gone, left, after, np.array(before_told, np.int64))
    return evidence


def tricks_in_words(view: View) -> list[int]:
    """Encode all tricks of a view, including the one on the table, as words."""
    words = []
    as_played = view.past.rules.as_played
    for trick in (*view.tricks, view.current_trick):
        got = [0] * MOST_SEATS
        if isinstance(trick, TakenTrick):
            for seat, cards in gains(view.full_deck, trick.leader, trick.plays, trick.taking):
                got[seat] |= cards
        codes = [move_code(view, play) for play in trick.plays]
        against = sum(as_played >> play.card << place & 1 << place for place, play in enumerate(trick.plays))
        words += [trick.leader, len(codes), against, *codes, *[-1] * (MOST_SEATS - len(codes)), *got]
    return words


# ----------------------------------------------------------------------------------------------------
# The others' actions as evidence of what they hold: the likelihood of a seat's actions given a hand.
#
# A seat is assumed to pick and play by a softmax of the values in `players`, with some random choices. It is of
# one of several kinds, and its choices are evidence of which: the likelihood of all of them is computed for each
# kind. Taking and giving are no evidence: they depend on the piles, which everybody sees. The chain of
# `solver.hints.worlds` samples worlds by these likelihoods.


class Work(NamedTuple):
    """Scratch memory of the kernels.

    `hands` has a mask for each seat; `room` is memory for the choice of one play. For each kind of player,
    `shares` has the probabilities of the plays, and `chances` the likelihood of a seat's choices times the
    expected share of the kind. `kept` caches these likelihoods.
    """

    hands: Words
    room: Room
    shares: Floats
    chances: Floats
    kept: Kept


class Reading(NamedTuple):
    """The arguments of the chain's kernels: the question, the evidence and scratch memory."""

    question: Question
    evidence: Evidence
    work: Work


@kernel
def new_work(hands: Words, room: Room, kept: Kept) -> Work:
    return Work(hands, room, np.zeros(KINDS * MOST_PLAYS), np.zeros(KINDS), kept)


@lean
def draw(reading: Reading, chain: Chain) -> None:
    """Choose a world at random, all with the same probability.

    Writes the group of each unseen card to `chain.places`.
    """
    players = reading.evidence.deal[PLAYERS]
    draw_world(reading.question, players, chain.random, chain.places, reading.work.hands)


@lean
def picked(evidence: Evidence, seat: int, dealt: int, kind: int) -> float:
    """The probability that a player of this `kind` who was dealt these cards would pick what this seat has picked.

    It is 1 if the player of the view does not remember the pick.
    """
    deal, pick = evidence.deal, evidence.picks[seat]
    if pick == 0:  # it is not remembered
        return 1.0
    shares = evidence.shares[kind * PICK_SHARES :]
    chosen = 0.0
    total = 0.0
    for suit in range(DANCER + 1):
        cards = dealt & deal[SUIT_CARDS + suit]
        if cards == 0:
            continue
        times = shares[CARDS + popcount(cards) - 1] if suit < TRUMP else 1.0
        if pick & cards != 0:
            chosen = times * shares[trailing_zeros(pick)]
        while cards != 0:
            total += times * shares[trailing_zeros(cards)]
            cards &= cards - 1
    return float(mixed(chosen, total, popcount(dealt), MIXED[kind]))


@inlined
def stands_for(node: Words, move: int, code: int) -> bool:
    """Whether the plays `move` and `code` are the same to a model player.

    When following, all plays of the Dancer under a suit other than the one led are the same.
    """
    lead = NAMED + node[LEAD]
    loses = move >= NAMED and code >= NAMED and node[PLAYED] != 0 and move != lead and code != lead
    return bool(move == code or loses)


@lean
def likelihood(evidence: Evidence, work: Work, seat: int, hand: int) -> float:
    """The likelihood of a seat's pick and plays, if it holds `hand` (a mask) now."""
    key = hand * MOST_SEATS + seat + 1
    slot = slot_of(key)
    kept = work.kept.chances[slot * KINDS :]
    if work.kept.keys[slot] != key:
        work.kept.keys[slot] = key
        judge_kinds(evidence, work, seat, hand)
        for kind in range(KINDS):
            kept[kind] = work.chances[kind]
    total = 0.0
    for kind in range(KINDS):
        work.chances[kind] = kept[kind]
        total += kept[kind]
    return float(total)


@lean
def judge_kinds(evidence: Evidence, work: Work, seat: int, hand: int) -> None:
    """Write the likelihood of a seat's actions for each kind of player to `work.chances`.

    The seat holds `hand` now. Each likelihood is multiplied by the expected share of the kind.
    """
    deal, codes, table, shares = evidence.deal, work.room.codes, work.room.table, work.shares
    dancer = deal[THE_DANCER]
    net = evidence.plays.ahead
    first = seat * MOST_TRICKS
    last = first + evidence.counts[seat]
    for row in range(first, last):
        code = evidence.seen[row * SEEN_WORDS + CODE]
        hand |= 1 << (dancer if code >= NAMED else code)
    for kind in range(KINDS):
        work.chances[kind] = picked(evidence, seat, hand | evidence.picks[seat], kind)
    for row in range(first, last):
        code = evidence.seen[row * SEEN_WORDS + CODE]
        node = evidence.seen[row * SEEN_WORDS + NODE :]
        count = plays(deal, node, hand, codes)
        if count > 1 and evidence.seen[row * SEEN_WORDS + SHOWS] != 0:
            at = row * CARDS
            order = node[ORDER]
            for place in range(node[PLAYED]):
                table[place] = evidence.card_values[at + card_at(order, place)]
            unseen = ALL & ~evidence.seen[row * SEEN_WORDS + BEFORE] & ~hand
            start = row_of_weights(deal, node, popcount(hand))
            context = context_of(deal, node)
            shared_inputs(deal, node, hand, unseen, table, work.room.ahead.shared)
            think_of_choice(net, context, work.room.ahead)
            done = 0
            for place in range(count):
                move = codes[place]
                own = evidence.card_values[at + (dancer if move >= NAMED else move)]
                of_play = features(deal, node, hand, unseen, move, own, table)
                for kind in range(KINDS):
                    if kind == AHEAD:
                        own_inputs(deal, node, hand, unseen, move, of_play, work.room.ahead.own)
                        shares[kind * MOST_PLAYS + place] = think_of_play(net, context, work.room.ahead)
                    else:
                        shares[kind * MOST_PLAYS + place] = weighted(
                            of_play, evidence.plays.weights, kind * PLAY_WEIGHTS + start
                        )
                if stands_for(node, move, code):
                    done = place
            for kind in range(KINDS):
                own_shares = shares[kind * MOST_PLAYS :]
                to_chances(count, own_shares)
                work.chances[kind] *= mixed(own_shares[done], 1.0, count, MIXED[kind])
        hand &= ~(1 << (dancer if code >= NAMED else code))
    for kind in range(KINDS):
        work.chances[kind] *= evidence.expected[kind]


@lean
def kinds_of(reading: Reading, seat: int, hand: int, infer: bool, shares: Floats) -> None:
    """Write to `shares` the probability of each kind of player for the seat, given its hand.

    Without `infer`, write the expected shares instead.
    """
    evidence, work = reading.evidence, reading.work
    total = 1.0
    if infer:
        total = likelihood(evidence, work, seat, hand)
    else:
        for kind in range(KINDS):
            work.chances[kind] = evidence.expected[kind]
    for kind in range(KINDS):
        shares[kind] = work.chances[kind] / total


@inlined
def owner_likelihood(reading: Reading, chain: Chain, owner: int) -> float:
    """The likelihood of the actions of the seat `owner` + 1 places after the asking one.

    It is 1 for the group of forgotten cards.
    """
    if owner == reading.evidence.deal[PLAYERS] - 1:
        return 1.0
    seat = seat_after(reading.evidence.deal, reading.question.words[SEAT], owner + 1)
    return likelihood(reading.evidence, reading.work, seat, chain.boxes[owner])


begin_chain, step_chain = worlds.chain_kernels("king", draw, owner_likelihood)


# ----------------------------------------------------------------------------------------------------
# Rounds of King × Alchemy played out by plausible players, in sampled worlds, as kernels.


# Statistics of a finished round, for the asking seat: its score; whether it took the trick on the table; the
# points it got from that trick; the bonuses it could make in the end. If there is room, the scores of all seats
# follow.
SCORE, TOOK, TRICK_POINTS, BONUS, SCORES = range(5)
STATISTICS = SCORES

TAKEN_BIT = 1 << CARDS  # set in a mask of the cards got from a trick if the seat took the trick


@inlined
def score_with(deal: Words, pile: int, bonus: int) -> int:
    """The score of a pile whose recipes bring `bonus`."""
    return points_of(deal, pile) + bonus


@lean
def play_on(
    values: CardValues,
    node: Words,
    hands: Words,
    piles: Words,
    gone: int,
    by: Plays,
    room: Room,
    seat_asking: int,
    shares: Floats,
    random: Words,
) -> int:
    """Play the round to its end.

    Returns the mask of the cards that `seat_asking` got from the first trick, with `TAKEN_BIT` if it took the
    trick. `gone` has the cards that everybody sees. `hands` and `piles` are masks by seat; they change, as do the
    node and the book. The asking seat makes the plays that a trained player values most; for each other seat, a
    kind of player is chosen at random according to its `shares` (by seat and kind), then a play according to that
    kind's probabilities.
    """
    deal = values.deal
    first = -1
    while True:
        if node[PLAYED] == deal[PLAYERS]:
            before = piles[seat_asking]
            took = TAKEN_BIT if node[BEST] == seat_asking else 0
            share_out(values, node, piles, popcount(hands[node[BEST]]), -1)
            if first < 0:
                first = piles[seat_asking] & ~before | took
        seat = seat_after(deal, node[LEADER], node[PLAYED])
        hand = hands[seat]
        if hand == 0:
            return first
        unseen = ALL & ~gone & ~hand
        if seat == seat_asking:
            move = choose(values, node, seat, hand, unseen, by, room)
        else:
            kind = draw_place(KINDS, shares[seat * KINDS :], random)
            count = play_chances(values, node, seat, hand, unseen, by, room, kind)
            move = int(room.codes[draw_place(count, room.values, random)])
        gone |= 1 << (deal[THE_DANCER] if move >= NAMED else move)
        put(deal, node, hands, move)


@kernel
def play_worlds(
    question: Question,
    setting: Setting,
    evidence: Evidence,
    kept: Kept,
    moves: Words,
    seed: int,
    first: int,
    infer: bool,
    results: Floats,
    noted: Words,
) -> None:
    """Play each move to the end of the round in worlds from number `first` on, and write the results.

    `moves` are codes: plays, picks or takings. `results` (worlds × moves × statistics) gets the statistics
    `SCORE` to `BONUS` and, if it has room, the scores of all seats. `noted` has a row per world: its hands, then
    for each move the asking seat's final pile, then for each move what it got from the trick on the table, with
    `TAKEN_BIT` if it took the trick (all masks). If `noted` has room, the final pile and the score for each move
    and seat follow. With `infer`, the worlds are steps of one chain (see `solver.hints.worlds`); otherwise they
    are independent.
    """
    # Local names for everything that the loops read: in a kernel that allocates arrays, each access to a tuple
    # counts references.
    values, node, by, picking = setting
    deal, recipes, book, adds = values
    words, cards, numbering, _ = question
    players = deal[PLAYERS]
    seat = words[SEAT]
    random = np.zeros(1, np.int64)
    hands = np.zeros(players, np.int64)
    held = np.zeros(players, np.int64)
    won = np.zeros(players, np.int64)
    piles = np.zeros(players, np.int64)
    table = np.zeros(STATE_WORDS, np.int64)
    pages = np.zeros(len(book), np.int64)
    begun = np.zeros(len(book), np.int64)
    later = CardValues(deal, recipes, pages, adds)
    at_first = CardValues(deal, recipes, begun, adds)
    picks = np.zeros(players, np.int64)
    shares = np.zeros(players * KINDS)
    bonus_work = np.zeros(WORK_WORDS, np.int64)
    room = new_room()
    codes, chances = room.codes, room.values
    tables = deal[TABLES:]
    patience = tables[PATIENCE]
    got = players + len(moves)
    ends = got + len(moves)
    reading = Reading(question, evidence, new_work(hands, room, kept))
    chain = new_chain(cards, numbering.groups, np.arange(len(numbering.sizes)), random)
    boxes = chain.boxes
    start_stream(random, seed, first)
    if infer:
        begin_chain(reading, chain)
    for world in range(len(results)):
        if infer:
            for _ in range(1 + len(cards) // 3):
                step_chain(reading, chain)
            hands[seat] = words[HAND]
            for owner in range(players - 1):
                hands[seat_after(deal, seat, owner + 1)] = boxes[owner]
        else:
            start_stream(random, seed, first + world)
            draw(reading, chain)
        for step in range(1, players):
            other = seat_after(deal, seat, step)
            kinds_of(reading, other, hands[other], infer, shares[other * KINDS :])
        if words[STAGE] == PICKING:
            for step in range(1, players):
                other = seat_after(deal, seat, step)
                kind = draw_place(KINDS, shares[other * KINDS :], random)
                count = pick_chances(values, other, hands[other], picking[kind * PICK_FEATURES :], room)
                picks[other] = codes[draw_place(count, chances, random)]
                hands[other] &= ~(1 << picks[other])
        for other in range(players):
            noted[world, other] = hands[other]
        for word in range(len(book)):
            begun[word] = book[word]
        forgotten = 0  # the cards that are gone but not remembered
        if words[STAGE] != PICKING:
            forgotten = ALL & ~words[GONE]
            for other in range(players):
                forgotten &= ~hands[other]
        for other in range(players):
            won[other] = words[PILES + other]
        left = forgotten
        while left != 0:  # each is in another seat's pile or discarded, all equally likely
            card, step = trailing_zeros(left), below(random, players)
            if step == 0:
                lose(at_first, card)
            else:
                other = seat_after(deal, seat, step)
                get(at_first, other, card)
                won[other] |= 1 << card
            left &= left - 1
        follow = random[0]
        for index in range(len(moves)):
            random[0] = follow
            gone = words[GONE] | forgotten
            for other in range(players):
                held[other] = hands[other]
                piles[other] = won[other]
            for word in range(STATE_WORDS):
                table[word] = node[word]
            for word in range(len(book)):
                pages[word] = begun[word]
            now = 0  # what the seat got from the trick on the table
            if words[STAGE] == PICKING:
                picks[seat] = moves[index]
                held[seat] &= ~(1 << picks[seat])
                for other in range(players):
                    piles[other] = 1 << picks[other]
                    gone |= 1 << picks[other]
                    get(later, other, picks[other])
            elif words[STAGE] == PLAYING:
                move = moves[index]
                gone |= 1 << (deal[THE_DANCER] if move >= NAMED else move)
                put(deal, table, held, move)
            else:
                before = piles[seat]
                share_out(later, table, piles, popcount(held[seat]), moves[index])
                now = piles[seat] & ~before | TAKEN_BIT
            next_trick = play_on(later, table, held, piles, gone, by, room, seat, shares, random)
            if words[STAGE] == PLAYING:
                now = next_trick
            cards_got = now & ~TAKEN_BIT
            bonus = bonus_of(tables, bonus_work, piles[seat], patience)
            results[world, index, SCORE] = score_with(deal, piles[seat], bonus)
            results[world, index, TOOK] = 1 if now != cards_got else 0
            results[world, index, TRICK_POINTS] = points_of(deal, cards_got)
            results[world, index, BONUS] = bonus
            noted[world, players + index] = piles[seat]
            noted[world, got + index] = now
            if results.shape[2] > STATISTICS:
                for other in range(players):
                    made = score_with(deal, piles[other], bonus_of(tables, bonus_work, piles[other], patience))
                    results[world, index, SCORES + other] = made
                    if noted.shape[1] > ends:
                        place = ends + 2 * (index * players + other)
                        noted[world, place] = piles[other]
                        noted[world, place + 1] = made
