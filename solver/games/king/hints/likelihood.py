"""What the others have done tells of what they hold: how likely a seat with some hand would have done it.

A seat is taken to pick and to play by a softmax of the values of `player`, and now and then at random. It may be
of either of two kinds: the plausible player of the rollouts, or one whose weights tell best what hints do
(``python -m benchmarks.king_watching``). Which it is its own choices tell: each kind's chance of all of them
counts. What it takes and gives says nothing: that goes by the piles, which everybody sees. Worlds by these chances
come from the chain of `solver.hints.chain`.
"""

from __future__ import annotations

from math import exp
from typing import NamedTuple

import numpy as np

from solver.common.masks import mask
from solver.games.king.cards.deck import CARDS, DANCER, TRUMP
from solver.games.king.cards.rules import TRICKS, Play
from solver.games.king.fast_rules.kernel import (
    LEAD,
    NAMED,
    ORDER,
    PLAYED,
    PLAYERS,
    STATE_WORDS,
    SUIT_CARDS,
    THE_DANCER,
    card_at,
    judge,
    lay,
    seat_after,
    start_trick,
)
from solver.games.king.hints.card_values import MOST_LEFT, book_of, row_of, worth
from solver.games.king.hints.deal_kernel import MOST_SEATS, SEAT, draw_world
from solver.games.king.hints.deals import Deals
from solver.games.king.hints.pick_policy import PICK_FEATURES, PICK_LENGTH, PICK_VOID, pick_features
from solver.games.king.hints.policy import (
    ALL,
    CONTEXTS,
    FEATURES,
    MOST_PLAYS,
    SCRATCH,
    features,
    plays,
    prepared,
    row_of_weights,
    weighted,
)
from solver.games.king.hints.setting import Setting
from solver.games.king.hints.take_policy import share_out
from solver.games.king.hints.weights import PICK, SEEN_PICK, SEEN_PLAY
from solver.games.king.positions.fields import cards_at
from solver.games.king.positions.known import View
from solver.hints import chain as templates
from solver.hints.chain import Chain
from solver.hints.deals import Numbering
from solver.hints.policy import mixed, to_chances
from solver.kernels.arrays import Floats, Words
from solver.kernels.bits import popcount, trailing_zeros
from solver.kernels.jit import inlined, kernel, lean
from solver.kernels.template import instantiated

MOST_TRICKS = max(TRICKS.values())

# Kinds of players: how many of each are expected, and what share of their choices is taken to be made at random.
KINDS = 2
EXPECTED = np.array([1 / 6, 5 / 6])
MIXED = np.array([0.1, 0.3])
MOST_VALUE = 300.0  # of a pick: users' decks have cards of 999 points, and exp is endless from 710 on
KIND_WEIGHTS = MOST_LEFT * CONTEXTS * FEATURES
PICK_SHARES = CARDS + MOST_LEFT

# Words of a trick that was seen: the leader, the cards taken, the one given (-1: none), how many plays; the plays.
TRICK_LEADER, TAKEN, GIVEN, COUNT, CODES = range(5)
TRICK_WORDS = CODES + MOST_SEATS

# Words of a play that was seen: its code, the cards that everybody had seen before it, and the node.
CODE, BEFORE, NODE = range(3)
SEEN_WORDS = NODE + STATE_WORDS


class Evidence(NamedTuple):
    """What the seats are judged by.

    The deal's words, the recipes and what each kind of player goes by; the question and the numbering of its
    deals; the book before the picks, what share each card had of them, and the seats' picks (masks); how many
    plays of each seat were seen, these plays, `MOST_TRICKS` a seat, and what each card was worth to it then.
    """

    deal: Words
    recipes: Words
    adds: Floats
    play: Floats
    pick: Floats
    question: Words
    numbering: Numbering
    book: Words
    shares: Floats
    picks: Words
    counts: Words
    seen: Words
    worths: Floats


class Work(NamedTuple):
    """What the kernels write to on the way; it need not be kept."""

    hands: Words
    codes: Words
    scratch: Floats
    out: Floats
    chances: Floats


class Reading(NamedTuple):
    """The `game` of the chain."""

    evidence: Evidence
    work: Work


@kernel
def lay_seen(
    evidence: Evidence, tricks: Words, gone: int, left: int, book: Words, piles: Words, node: Words
) -> None:
    """Write the plays of the tricks to the evidence. `gone` are the cards removed, `left` those in a hand after
    the picks; `book` is that after the picks.

    `book`, `piles` and `node` are written to on the way.
    """
    deal, recipes, adds = evidence.deal, evidence.recipes, evidence.adds
    players = deal[PLAYERS]
    lay_picks(evidence, left, np.zeros(SCRATCH))
    for seat in range(players):
        gone |= evidence.picks[seat]
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
            for word in range(STATE_WORDS):
                evidence.seen[row * SEEN_WORDS + NODE + word] = node[word]
            for card in range(CARDS):
                evidence.worths[row * CARDS + card] = worth(
                    deal, recipes, book, adds, row_of(recipes, seat), left, card
                )
            gone |= 1 << (deal[THE_DANCER] if code >= NAMED else code)
            lay(deal, node, 0, code)
        if trick < len(tricks) // TRICK_WORDS - 1:  # the last one may be full, and not shared out yet
            judge(deal, node, 0)
            share_out(deal, recipes, book, node, piles, left - 1, adds, words[TAKEN], words[GIVEN])
        left -= 1


@lean
def draw(reading: Reading, chain: Chain) -> None:
    """Write the places of a uniform world."""
    given = reading.evidence
    draw_world(
        given.question, given.deal[PLAYERS], given.numbering, chain.cards, chain.random, chain.places,
        reading.work.hands,
    )  # fmt: skip


@lean
def lay_picks(evidence: Evidence, left: int, scratch: Floats) -> None:
    """Write `shares`: of each card, as if nothing but its suit's length mattered besides; then of each length."""
    deal = evidence.deal
    for kind in range(KINDS):
        weights = evidence.pick[kind * PICK_FEATURES :]
        shares = evidence.shares[kind * PICK_SHARES :]
        most = MOST_VALUE
        for card in range(CARDS):
            pick_features(deal, evidence.recipes, evidence.book, evidence.adds, 0, 1 << card, left, card, scratch)
            value = 0.0
            for index in range(PICK_LENGTH):
                value += scratch[index] * weights[index]
            shares[card] = value
            most = max(most, value)
        for card in range(CARDS):
            shares[card] = exp(max(shares[card] - (most - MOST_VALUE), -MOST_VALUE))
        for stay in range(MOST_LEFT):
            value = 0.2 * stay * weights[PICK_LENGTH]
            shares[CARDS + stay] = exp(value + (weights[PICK_VOID] if stay == 0 else 0.0))


@lean
def picked(evidence: Evidence, seat: int, dealt: int, kind: int) -> float:
    """How likely a kind of player would have picked from the cards dealt what it did (`picking`)."""
    deal, pick = evidence.deal, evidence.picks[seat]
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
    """Whether an offered play stands for the one made: one name of the Dancer does for all that lose."""
    lead = NAMED + node[LEAD]
    loses = move >= NAMED and code >= NAMED and node[PLAYED] != 0 and move != lead and code != lead
    return bool(move == code or loses)


@lean
def likelihood(reading: Reading, chain: Chain, owner: int) -> float:
    """How likely the seat `owner` + 1 after the one that asks would have picked and played what it did."""
    given, work = reading.evidence, reading.work
    deal, codes, scratch, out = given.deal, work.codes, work.scratch, work.out
    seat = seat_after(deal, given.question[SEAT], owner + 1)
    dancer = deal[THE_DANCER]
    first = seat * MOST_TRICKS
    last = first + given.counts[seat]
    hand = chain.boxes[owner]
    for row in range(first, last):
        code = given.seen[row * SEEN_WORDS + CODE]
        hand |= 1 << (dancer if code >= NAMED else code)
    for kind in range(KINDS):
        work.chances[kind] = picked(given, seat, hand | given.picks[seat], kind)
    for row in range(first, last):
        code = given.seen[row * SEEN_WORDS + CODE]
        node = given.seen[row * SEEN_WORDS + NODE :]
        count = plays(deal, node, hand, codes)
        if count > 1:
            at = row * CARDS
            order = node[ORDER]
            for place in range(node[PLAYED]):
                scratch[place] = given.worths[at + card_at(order, place)]
            unseen = ALL & ~given.seen[row * SEEN_WORDS + BEFORE] & ~hand
            start = row_of_weights(deal, node, popcount(hand))
            done = 0
            for place in range(count):
                move = codes[place]
                own = given.worths[at + (dancer if move >= NAMED else move)]
                found = features(deal, node, hand, unseen, move, own, scratch)
                for kind in range(KINDS):
                    out[kind * MOST_PLAYS + place] = weighted(found, given.play, kind * KIND_WEIGHTS + start)
                if stands_for(node, move, code):
                    done = place
            for kind in range(KINDS):
                shares = out[kind * MOST_PLAYS :]
                to_chances(count, shares)
                work.chances[kind] *= mixed(shares[done], 1.0, count, MIXED[kind])
        hand &= ~(1 << (dancer if code >= NAMED else code))
    total = 0.0
    for kind in range(KINDS):
        total += EXPECTED[kind] * work.chances[kind]
    return float(total)


def evidence_of(found: Deals, given: Setting) -> Evidence:
    """What there is to judge the deals of a view by. Read-only from then on."""
    view = found.view
    deck, players = view.full_deck, view.players
    picks = (0,) * players
    if isinstance(view, View):
        picks = tuple(pile & ~gained for pile, gained in zip(view.piles, view.past.won, strict=True))
    removed = mask(cards_at(deck, view.removed, "removed"))
    rows = players * MOST_TRICKS
    evidence = Evidence(
        given.deal,
        given.recipes,
        given.adds,
        np.concatenate([given.play, prepared(SEEN_PLAY)]),
        np.array([*PICK, *SEEN_PICK]),
        found.question,
        found.numbering,
        book_of(deck, (0,) * players, removed),
        np.zeros(KINDS * PICK_SHARES),
        np.array(picks, np.int64),
        np.zeros(players, np.int64),
        np.zeros(rows * SEEN_WORDS, np.int64),
        np.zeros(rows * CARDS),
    )
    if isinstance(view, View):
        lay_seen(
            evidence,
            np.array(_tricks(view, given), np.int64),
            removed,
            TRICKS[players],
            book_of(deck, picks, removed),
            np.array(picks, np.int64),
            np.zeros(STATE_WORDS, np.int64),
        )
    return evidence


def _tricks(view: View, given: Setting) -> list[int]:
    """The tricks in words, the one on the table too."""
    words = []
    for trick in view.tricks:
        taking = trick.taking
        done = mask(taking.taken), -1 if taking.given is None else taking.given
        words += [trick.leader, *done, view.players, *_codes(given, trick.plays)]
    return [*words, view.leader, 0, -1, len(view.trick), *_codes(given, view.plays)]


def _codes(given: Setting, made: tuple[Play, ...]) -> list[int]:
    codes = [given.words(play)[0] for play in made]
    return codes + [-1] * (MOST_SEATS - len(codes))


KERNELS = instantiated("king", {"draw": draw, "likelihood": likelihood}, ((templates, templates.TEMPLATES),))
begin_chain, step_chain = KERNELS.begin_chain, KERNELS.step_chain
