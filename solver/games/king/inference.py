"""What the others have done tells of what they hold: how likely a seat with some hand would have done it.

Each seat is taken to pick and to play as the plausible player of `player` would by a softmax of its values, with
one choice in ten made at random, for nobody plays quite like that. What it takes and gives says nothing: that goes
by the piles, which everybody sees. Worlds by these chances come from the chain of `solver.hints.chain`.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from solver.games.king.dealing import MOST_SEATS, SEAT, draw_world
from solver.games.king.deck import CARDS
from solver.games.king.fields import cards_at
from solver.games.king.hidden import Deals
from solver.games.king.kernel import (
    LEAD,
    NAMED,
    ORDER,
    PLAYED,
    PLAYERS,
    STATE_WORDS,
    THE_DANCER,
    card_at,
    judge,
    lay,
    seat_after,
    start_trick,
)
from solver.games.king.picking import PICK_FEATURES, pick_chances
from solver.games.king.player import (
    ALL,
    CONTEXTS,
    FEATURES,
    MOST_PLAYS,
    features,
    plays,
    prepared,
    row_of_weights,
    weighted,
)
from solver.games.king.positions import View, finished_tricks
from solver.games.king.rules import TRICKS, Play
from solver.games.king.setting import Setting
from solver.games.king.taking import share_out
from solver.games.king.weights import PICK, SEEN_PICK, SEEN_PLAY
from solver.games.king.worth import MOST_LEFT, Floats, book_of, row_of, worth
from solver.hints import chain as templates
from solver.hints.chain import Chain
from solver.hints.softmax import to_chances
from solver.masks import mask
from solver.search.bits import popcount
from solver.search.jit import kernel, lean
from solver.search.template import instantiated
from solver.search.trick import Words

MOST_TRICKS = max(TRICKS.values())

# Kinds of players: how many of each are expected, and what share of their choices is taken to be made at random.
KINDS = 2
EXPECTED = np.array([1 / 6, 5 / 6])
MIXED = np.array([0.1, 0.3])
KIND_WEIGHTS = MOST_LEFT * CONTEXTS * FEATURES

# Words of a trick that was seen: the leader, the cards taken, the one given (-1: none), how many plays; the plays.
TRICK_LEADER, TAKEN, GIVEN, COUNT, CODES = range(5)
TRICK_WORDS = CODES + MOST_SEATS

# Words of a play that was seen: its code, the cards that everybody had seen before it, and the node.
CODE, BEFORE, NODE = range(3)
SEEN_WORDS = NODE + STATE_WORDS


class Evidence(NamedTuple):
    """What the seats are judged by.

    The deal's words, the recipes and the player's weights; the question and the numbering of its deals; the book
    before the picks, the seats' picks (masks) and how many plays of each were seen; these plays, `MOST_TRICKS` a
    seat, and what each card was worth to it then.
    """

    deal: Words
    recipes: Words
    adds: Floats
    play: Floats
    pick: Floats
    question: Words
    groups: Words
    strides: Words
    ways: Words
    book: Words
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
        given.question, given.deal[PLAYERS], chain.cards, given.groups, given.strides, given.ways, chain.random,
        chain.places, reading.work.hands,
    )  # fmt: skip


@lean
def likelihood(reading: Reading, chain: Chain, owner: int) -> float:
    """How likely the seat `owner` + 1 after the one that asks would have picked and played what it did."""
    given, work = reading.evidence, reading.work
    deal, recipes, codes, scratch, out = given.deal, given.recipes, work.codes, work.scratch, work.out
    seat = seat_after(deal, given.question[SEAT], owner + 1)
    dancer = deal[THE_DANCER]
    first = seat * MOST_TRICKS
    last = first + given.counts[seat]
    hand = chain.boxes[owner]
    for row in range(first, last):
        code = given.seen[row * SEEN_WORDS + CODE]
        hand |= 1 << (dancer if code >= NAMED else code)
    dealt = hand | given.picks[seat]
    place = popcount(hand & (given.picks[seat] - 1))
    for kind in range(KINDS):
        weights = given.pick[kind * PICK_FEATURES :]
        count = pick_chances(deal, recipes, given.book, given.adds, seat, dealt, weights, codes, scratch, out)
        work.chances[kind] = (1 - MIXED[kind]) * out[place] + MIXED[kind] / count
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
                if move == code:
                    done = place
                elif move >= NAMED and code >= NAMED and node[PLAYED] != 0:
                    lead = NAMED + node[LEAD]
                    if move != lead and code != lead:  # of the Dancer's names that lose one stands for all
                        done = place
            for kind in range(KINDS):
                shares = out[kind * MOST_PLAYS :]
                to_chances(count, shares)
                work.chances[kind] *= (1 - MIXED[kind]) * shares[done] + MIXED[kind] / count
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
        picks = tuple(pile & ~gained for pile, gained in zip(view.piles, view.past.gained, strict=True))
    removed = mask(cards_at(deck, view.removed, "removed"))
    rows = players * MOST_TRICKS
    evidence = Evidence(
        given.deal,
        given.recipes,
        given.adds,
        np.concatenate([given.play, prepared(SEEN_PLAY)]),
        np.array([*PICK, *SEEN_PICK]),
        found.question,
        *found.tables,
        book_of(deck, (0,) * players, removed),
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
    for finished in finished_tricks(view.full_deck, view.history):
        taking = finished.taking
        done = mask(taking.taken), -1 if taking.given is None else taking.given
        words += [finished.trick.leader, *done, view.players, *_codes(given, finished.trick.plays)]
    return [*words, view.leader, 0, -1, len(view.trick), *_codes(given, view.plays)]


def _codes(given: Setting, made: tuple[Play, ...]) -> list[int]:
    codes = [given.words(play)[0] for play in made]
    return codes + [-1] * (MOST_SEATS - len(codes))


KERNELS = instantiated("king", {"draw": draw, "likelihood": likelihood}, ((templates, templates.TEMPLATES),))
begin_chain, step_chain = KERNELS.begin_chain, KERNELS.step_chain
