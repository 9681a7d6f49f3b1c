"""Rounds of kirin played to the end by plausible players, in sampled worlds, as kernels. Cards as in `order`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

from solver.common import mask, members
from solver.games.kirin.deck import COLOURS as DECK_COLOURS
from solver.games.kirin.deck import TRUMP, colour, name, names, of_colour, rank
from solver.games.kirin.fast_rules import INNER, direction_after, to_inner
from solver.games.kirin.players import (
    ALL,
    BEST,
    COLOURS,
    DIRECTION,
    HOLDER,
    LEADER,
    LOOKS_AHEAD,
    PLAYED,
    TABLE_WORDS,
    TRICK,
    Ahead,
    Room,
    best_of,
    choose,
    colour_of,
    declare_values,
    draw,
    draw_of,
    drawn,
    judge,
    legal_cards,
    open_table,
    put,
)
from solver.games.kirin.position import DeclareView, numbers
from solver.games.kirin.rules import SEATS
from solver.games.kirin.worlds import (
    ASIDE,
    GONE,
    HAND,
    PILES,
    POINTS,
    SEAT,
    TRICK_DIRECTION,
    TRICK_LEADER,
    Reading,
    Setting,
    begin_chain,
    draw_world,
    evidence_of,
    likelihood,
    new_work,
    open_chain,
    step_chain,
)
from solver.hints.causes import Cause, Noted, beyond_doubt, shown, told, told_part
from solver.hints.policy import to_chances
from solver.hints.ranking import Lead, Sums, order, share
from solver.hints.sampled import Kept
from solver.hints.worlds import STEPS
from solver.kernels.jit import kernel, lean
from solver.kernels.rng import start as start_stream
from solver.kernels.words import Floats, Words, popcount, trailing_zeros

# Statistics of a finished round, for the seat that asks: the round's points; whether the card won its trick; the
# points of that trick. Where there is room, the round's points of each seat follow.
SCORE, WON_TRICK, TRICK_POINTS, SCORES = range(4)
STATISTICS = SCORES
ALL_STATISTICS = SCORES + 4

_TAKEN = 6  # where the cards that seats have won begin in `Round.points`
_POINTS_WORDS = _TAKEN + 4


class Round(NamedTuple):
    """A round in play. By seat: `hands` (masks), the cards set `aside`, and the `points` won from here on.

    `table` has the trick on the table in the words of `policy`. Further words of `points` have the points of the
    first trick that ends, the direction after it, and by seat the cards won from here on (masks).
    """

    hands: Words
    aside: Words
    table: Words
    points: Words


@lean
def play_on(
    playing: Round, gone: int, play: Floats, ahead: Ahead, shares: Floats, me: int, random: Words, room: Room
) -> int:
    """Play the round to its end. Returns who won the trick on the table, -1 when nobody did.

    `gone` has every card played, those on the table too. `shares` has how likely each seat looks ahead: as often
    it plays as one who does. Seat `me` then plays the card that it values most.
    """
    hands, aside, table, points = playing
    taker = -2
    while True:
        if table[PLAYED] == 4:
            leader = table[LEADER]
            winner = -1
            if table[BEST] >= 0:
                leader = table[HOLDER]
                winner = leader
                points[leader] += popcount(table[TRICK] & COLOURS[colour_of(aside[leader])])
                points[_TAKEN + leader] |= table[TRICK]
            if taker == -2:
                taker = winner
                points[4] = points[leader] if winner >= 0 else 0
                points[5] = direction_after(table[TRICK], table[DIRECTION])
            open_table(table, leader, direction_after(table[TRICK], table[DIRECTION]))
        seat = (table[LEADER] + table[PLAYED]) & 3
        hand = hands[seat]
        if hand == 0:
            return taker
        unseen = ALL & ~hand & ~gone & ~(1 << aside[seat])
        own = COLOURS[colour_of(aside[seat])]
        legal = legal_cards(hand, table)
        if legal & (legal - 1) == 0:
            card = trailing_zeros(legal)
        elif not drawn(shares[seat], random):
            card = choose(hand, own, unseen, table, play, random, room.features, room.values)
        else:
            judge(hand, own, unseen, table, legal, play, ahead, False, room)
            card = best_of(legal, room) if seat == me else draw_of(legal, room, random)
        hands[seat] = hand & ~(1 << card)
        gone |= 1 << card
        put(table, card)


@lean
def declare(setting: Setting, hands: Words, aside: Words, random: Words, out: Floats) -> None:
    """Let all seats but the one that asks set a card aside as players of the kinds expected do."""
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
    """Write the statistics of each move, played to the end of the round, in worlds number `first` and on.

    `results` has a row a world, in it a row a move; `noted` a row a world, with its hands (masks by seat), and for
    each move the direction after the first trick; or, where a card is to be set aside, the cards that the seat
    wins in the round (a mask). `kept` is for this view alone. With `infer` the worlds are steps of one chain (see
    `likelihood`), otherwise each is drawn for itself.
    """
    # Names for all that the loops read: in a kernel that makes arrays, each step into a tuple counts references.
    question, tricks, cards, _, play, _, ahead = setting
    random = np.zeros(1, np.int64)
    places = np.zeros(len(cards), np.int64)
    hands = np.zeros(4, np.int64)
    aside = np.zeros(4, np.int64)
    points = np.zeros(_POINTS_WORDS, np.int64)
    table = np.zeros(TABLE_WORDS, np.int64)
    played = np.zeros(4, np.int64)
    shares = np.zeros(4)
    playing = Round(played, aside, table, points)
    evidence = evidence_of(setting)
    work = new_work(hands, aside, table, kept)
    room, chances = work.room, work.chances
    reading = Reading(setting, evidence, work)
    chain = open_chain(setting, random)
    boxes = chain.boxes
    seat = question[SEAT]
    start_stream(random, seed, first)
    for other in range(4):
        shares[other] = ahead.expected[LOOKS_AHEAD]
    if shares[seat] > 0.0:
        shares[seat] = 1.0
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
        for other in range(4):
            noted[world, other] = hands[other]
        follow = random[0]
        for index in range(len(moves)):
            random[0] = follow
            for other in range(4):
                played[other] = hands[other]
                points[other] = 0
                points[_TAKEN + other] = 0
            gone = question[GONE]
            open_table(table, question[TRICK_LEADER], question[TRICK_DIRECTION])
            played[seat] &= ~(1 << moves[index])
            if question[ASIDE] < 0:
                aside[seat] = moves[index]
            else:
                last = len(tricks) - 6
                for place in range(4):
                    card = tricks[last + 2 + place]
                    if card >= 0:
                        put(table, card)
                put(table, moves[index])
                gone |= 1 << moves[index]
            taker = play_on(playing, gone, play, ahead, shares, seat, random, room)
            noted[world, 4 + index] = points[_TAKEN + seat] if question[ASIDE] < 0 else points[5]
            results[world, index, SCORE] = question[POINTS] + points[seat]
            results[world, index, WON_TRICK] = 1.0 if taker == seat else 0.0
            results[world, index, TRICK_POINTS] = points[4] if taker == seat else 0.0
            if results.shape[2] >= ALL_STATISTICS:
                for other in range(4):
                    before = popcount(question[PILES + other] & COLOURS[colour_of(aside[other])])
                    results[world, index, SCORES + other] = before + points[other]


# ----------------------------------------------------------------------------------------------------
# What may be behind the lead of a card that is set aside: what the seat wins after it, and who collects the same.
#
# The rollouts have noted of each world the hands, then for each move the cards that the seat wins in the round.
# The points of a move are those of its colour among them, so that a lead is the sum of two parts in every world:
# of the cards that the seat held itself, and of those that it took from others. A part is behind a lead when it is
# there beyond doubt and the other one is at most half the lead.


class _Part(NamedTuple):
    """A part of a lead: what is so after either move, in a clause, and what it makes in each world."""

    what: str
    leads: Floats


def because(view: DeclareView, cards: Sequence[int], sums: Sums, ahead: Lead, noted: Noted) -> str:
    """What is behind the lead over the best of another colour, and over the next best where it is of the same."""
    best = ahead.best
    text = ""
    other = next((move for move in order(sums, len(cards)) if colour(cards[move]) != colour(cards[best])), None)
    if other is not None:
        lead = Lead(best, other, *sums.difference(best, other))
        if lead.clear:
            text += _behind(view, cards, noted, lead)
    if ahead.second != other:
        found = _behind(view, cards, noted, ahead)
        if found:
            less = f"{100 * ahead.gap:.0f}%" if view.goes_by_match else f"{ahead.gap:.2f}"
            text += f" {name(cards[ahead.second])}, of the same colour, brings {less} less.{found}"
    return text


def _behind(view: DeclareView, cards: Sequence[int], noted: Noted, ahead: Lead) -> str:
    causes = [_kept(view, cards, noted, ahead), *_collecting(cards, noted, ahead)]
    found = shown(noted, ahead, causes)
    unit = "%" if view.goes_by_match else "points"
    text, left = told(found, unit), np.inf if found is None else abs(found.outside)
    if not view.goes_by_match:
        leads = noted.scores[:, ahead.best] - noted.scores[:, ahead.second]
        lead = float(leads.mean())
        for part in _parts(view, cards, noted, ahead):
            made = float(part.leads.mean())
            if beyond_doubt(noted, part.leads) and lead - made <= lead / 2 and abs(lead - made) < left:
                text, left = told_part(part.what, made, lead, unit), abs(lead - made)
    return text


def _kept(view: DeclareView, cards: Sequence[int], noted: Noted, ahead: Lead) -> Cause:
    """The card that is kept wins its trick, or lies in one that the seat wins."""
    hand = numbers(view.hand)
    lone = sum(rank(card) == TRUMP for card in hand) == 1
    clauses, won = [], []
    for move, other in ((ahead.best, ahead.second), (ahead.second, ahead.best)):
        kept = cards[other]
        found = (noted.words[:, SEATS + move] >> INNER[kept] & 1) != 0
        which = f"{name(kept)}, the only trump," if lone and rank(kept) == TRUMP else name(kept)
        often = share(float(found.mean()))
        clauses.append(f"{which} is won in {often} of the deals after {name(cards[move])}")
        won.append(found)
    return Cause(f"{clauses[0]}, and {clauses[1]}", won[0] & ~won[1], won[1] & ~won[0])


def _collecting(cards: Sequence[int], noted: Noted, ahead: Lead) -> Iterator[Cause]:
    """Another seat has set a card of the same colour aside, or nobody has."""
    aside = ALL & ~np.bitwise_or.reduce(noted.words[:, :SEATS], axis=1)
    mine, other = (colour(cards[move]) for move in (ahead.best, ahead.second))
    if mine != other:
        alone = (aside & to_inner(of_colour(mine))) == 0
        yield Cause(f"perhaps nobody else collects {DECK_COLOURS[mine]}", alone)
        shared = (aside & to_inner(of_colour(other))) != 0
        yield Cause(f"another seat may collect {DECK_COLOURS[other]}", shared)


def _parts(view: DeclareView, cards: Sequence[int], noted: Noted, ahead: Lead) -> Iterator[_Part]:
    """The own cards of the colour that are won, and those of others."""
    hand = mask(numbers(view.hand))
    held = to_inner(hand)
    own, others = [], []
    own_clauses, other_clauses = [], []
    for move in (ahead.best, ahead.second):
        card = cards[move]
        suit = of_colour(colour(card))
        won = noted.words[:, SEATS + move] & to_inner(suit)
        own.append(np.bitwise_count(won & held).astype(np.float64))
        others.append(np.bitwise_count(won & ~held).astype(np.float64))
        kept = names(members(hand & suit & ~(1 << card)))
        mean = f"{own[-1].mean():.2f}"
        own_clauses.append(
            f"after {name(card)} {mean} of the {len(kept)} cards {' '.join(kept)} are won"
            if len(kept) > 1
            else f"after {name(card)} {kept[0]} is won in {share(float(own[-1].mean()))} of the deals"
            if kept
            else f"after {name(card)} no other {DECK_COLOURS[colour(card)]} is in the hand"
        )
        other_clauses.append(
            f"after {name(card)} {others[-1].mean():.2f} of the others' {DECK_COLOURS[colour(card)]} cards are won"
        )
    yield _Part(" and ".join(own_clauses), own[0] - own[1])
    yield _Part(" and ".join(other_clauses), others[0] - others[1])
