"""Small endings of King × Alchemy: the best reply to the others over all possible deals, if time allows."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from solver.common import Others
from solver.games.king.compounding_kernel import PATIENCE, WORK_WORDS, best
from solver.games.king.fast_rules import (
    BEST,
    LEADER,
    MOST_MOVES,
    NAMED,
    PLAYED,
    PLAYERS,
    STATE_WORDS,
    TABLES,
    THE_DANCER,
    judge,
    lay,
    list_moves,
    points_of,
    seat_after,
)
from solver.games.king.players import (
    ALL,
    AMONG,
    KINDS,
    MOST_PLAYS,
    CardValues,
    Plays,
    Room,
    move_code,
    new_room,
    play_chances,
    plays,
    setting,
    share_out,
)
from solver.games.king.position import PickView, Remembered, View
from solver.games.king.rules import Move
from solver.games.king.worlds import (
    BONUS,
    MOST_SEATS,
    SCORE,
    SEAT,
    STATISTICS,
    TOOK,
    TRICK_POINTS,
    Deals,
    Evidence,
    Question,
    Work,
    deals,
    evidence_of,
    likelihood,
    new_work,
    score_with,
)
from solver.hints.endings import (
    OTHERS,
    OVER,
    OWN,
    Start,
    best_replies,
    expectation_kernel,
    steps_allowed,
)
from solver.hints.ranking import Whole
from solver.hints.worlds import lay_places, new_kept
from solver.kernels.jit import inlined, kernel, lean
from solver.kernels.words import Floats, Words, popcount
from solver.limits import Control

# ----------------------------------------------------------------------------------------------------
# King × Alchemy for the best reply over all deals, as kernels (`solver.hints.endings`).
#
# A particle is the number of a deal. The other seats draw their plays as in sampled rounds (`worlds.play_on`):
# as each kind of player, with the probability that they are of it. What they take and give depends only on what
# everybody sees, so it is part of the play before it; the asking seat chooses.


# Words of a public state: the node of the trick on the table, every seat's pile, the cards that everybody sees,
# the player's hand, the result of the question's trick (-1: not over), and the book of `CardValues`.
OWN_PILES = STATE_WORDS
GONE = OWN_PILES + MOST_SEATS
HAND = GONE + 1
NOW = HAND + 1
BOOK = NOW + 1

_BONUSES = 4096  # kept in the cache
_HANDS = 1024  # whose plays are kept

# Words of a hand's possible plays: the turn for which they were found, the hand, their number, and the plays.
_TURN, _HAND, _COUNT, _PLAYS = range(4)
_CHOICE_WORDS = _PLAYS + MOST_PLAYS
_CHANCES = KINDS * MOST_PLAYS  # of the plays, by kind of player


class Ending(NamedTuple):
    """Data for following all deals of a small ending together.

    For each deal and seat, `hands` has the hand (a mask) and `shares` the weight of each of the `KINDS` of
    players. The rest is caches and scratch memory. `bonuses` has the bonuses of the piles in `piles`. `choices`
    has the candidate plays of hands, since most hands occur in several deals, and `chances` the probabilities of
    these plays for each kind of player; both are used only within one turn, whose number is in `turns`.
    """

    seat: int
    values: CardValues
    plays: Plays
    hands: Words
    shares: Floats
    piles: Words
    bonuses: Words
    choices: Words
    chances: Floats
    turns: Words
    bonus_work: Words
    room: Room


@kernel
def lay_deals(
    question: Question, evidence: Evidence, work: Work, hands: Words, shares: Floats, weights: Floats
) -> None:
    """Write the hands of every deal, the weight of each kind of player at each seat, and the deal's likelihood."""
    words, cards, numbering, _ = question
    players = evidence.deal[PLAYERS]
    start = numbering.ways.shape[1] - 1
    places = np.zeros(len(cards), np.int64)
    for number in range(len(weights)):
        lay_places(numbering.groups, numbering.strides, numbering.ways, start, number, places)
        first = number * players
        for index in range(len(cards)):
            hands[first + seat_after(evidence.deal, words[SEAT], places[index] + 1)] |= 1 << cards[index]
        weights[number] = 1.0
        for step in range(1, players):
            seat = seat_after(evidence.deal, words[SEAT], step)
            hand = hands[first + seat]
            weights[number] *= likelihood(evidence, work, seat, hand)
            for kind in range(KINDS):
                shares[(first + seat) * KINDS + kind] = work.chances[kind]


@inlined
def book(game: Ending, public: Words) -> CardValues:
    """Return the data for valuing cards in a public state: that of the ending, with the state's own `book`."""
    return CardValues(game.values.deal, game.values.recipes, public[BOOK:], game.values.adds)


@lean
def turn(game: Ending, public: Words) -> int:
    """Return whose turn it is: `OWN`, `OTHERS` or `OVER` (see `solver.hints.endings`).

    Once a trick is full, only the asking seat gets a turn, to take and give. For other winners, `play` does that.
    """
    players = game.values.deal[PLAYERS]
    if public[PLAYED] == players:
        return OWN
    if public[PLAYED] == 0 and public[HAND] == 0:
        return OVER
    seat = seat_after(game.values.deal, public[LEADER], public[PLAYED])
    return OWN if seat == game.seat else OTHERS


@lean
def own_choices(game: Ending, public: Words, codes: Words) -> int:
    """Write the codes of the asking seat's possible plays or, in a full trick, takings; return their number."""
    if public[PLAYED] == game.values.deal[PLAYERS]:
        return int(list_moves(game.values.deal, public, 0, codes, 0))
    return int(plays(game.values.deal, public, public[HAND], codes))


@lean
def choices_of(game: Ending, public: Words, seat: int, hand: int) -> int:
    """Return the index in `choices` of the plays of a seat that holds `hand`, computing them if needed."""
    place = (hand ^ (hand >> 10) ^ (hand >> 20) ^ (hand >> 30) ^ (hand >> 40)) & (_HANDS - 1)
    at = place * _CHOICE_WORDS
    if game.choices[at + _TURN] != game.turns[0] or game.choices[at + _HAND] != hand:
        game.choices[at + _TURN], game.choices[at + _HAND] = game.turns[0], hand
        unseen = ALL & ~public[GONE] & ~hand
        values, room = book(game, public), game.room
        for kind in range(KINDS):
            count = play_chances(values, public, seat, hand, unseen, game.plays, room, kind)
            game.choices[at + _COUNT] = count
            for play in range(count):
                game.choices[at + _PLAYS + play] = room.codes[play]
                game.chances[place * _CHANCES + kind * MOST_PLAYS + play] = room.values[play]
    return int(place)


@lean
def respond(game: Ending, public: Words, particle: Words, answers: Words, chances: Floats, after: Words) -> int:
    """Write the possible plays of the seat to move in one deal, with their probabilities; return their number.

    `particle` has the index of the deal. The codes of the plays go to `answers`, the probabilities to `chances`,
    and for each play the index of the deal to `after` (see `solver.hints.endings`).
    """
    deal = game.values.deal
    seat = seat_after(deal, public[LEADER], public[PLAYED])
    row = particle[0] * deal[PLAYERS] + seat
    place = choices_of(game, public, seat, game.hands[row] & ~public[GONE])
    at = place * _CHOICE_WORDS
    count = 0
    total = 0.0
    for play in range(game.choices[at + _COUNT]):
        chance = 0.0
        for kind in range(KINDS):
            of_kind = game.chances[place * _CHANCES + kind * MOST_PLAYS + play]
            chance += game.shares[row * KINDS + kind] * of_kind
        if chance > 0.0:
            answers[count] = game.choices[at + _PLAYS + play]
            chances[count] = chance
            after[count] = particle[0]
            total += chance
            count += 1
    for answer in range(count):
        chances[answer] /= total
    return count


@lean
def play(game: Ending, public: Words, code: int) -> None:
    """Apply a play or a taking to the public state.

    If a seat other than the asking one wins the trick, the trick is shared out at once.
    """
    deal = game.values.deal
    game.turns[0] += 1
    taking = code
    if public[PLAYED] < deal[PLAYERS]:
        card = deal[THE_DANCER] if code >= NAMED else code
        public[GONE] |= 1 << card
        public[HAND] &= ~(1 << card)
        lay(deal, public, 0, code)
        if public[PLAYED] < deal[PLAYERS]:
            return
        judge(deal, public, 0)
        if public[BEST] == game.seat:
            return
        taking = -1
    took = 1 if public[BEST] == game.seat else 0
    before = public[OWN_PILES + game.seat]
    share_out(book(game, public), public, public[OWN_PILES:], popcount(public[HAND]), taking)
    if public[NOW] < 0:
        public[NOW] = 2 * points_of(deal, public[OWN_PILES + game.seat] & ~before) + took


@lean
def outcome(game: Ending, public: Words, numbers: Floats) -> None:
    """Write the result of a finished round to `numbers`: the statistics defined in `worlds`."""
    tables = game.values.deal[TABLES:]
    pile = public[OWN_PILES + game.seat]
    slot = (pile ^ (pile >> 12) ^ (pile >> 24) ^ (pile >> 36)) & (_BONUSES - 1)
    if game.piles[slot] != pile:
        game.bonuses[slot] = best(tables, game.bonus_work, pile, tables[PATIENCE])
        game.piles[slot] = pile
    numbers[SCORE] = score_with(game.values.deal, pile, game.bonuses[slot])
    numbers[TOOK] = public[NOW] & 1
    numbers[TRICK_POINTS] = public[NOW] >> 1
    numbers[BONUS] = game.bonuses[slot]


follow_lines = expectation_kernel(
    "king", turn=turn, own_choices=own_choices, respond=respond, play=play, outcome=outcome
)


_MOST_DEALS = 20_000
_STEPS = {  # approximate steps per deal, by number of players and of cards in the hand
    3: {1: 8, 2: 30, 3: 400, 4: 6000, 5: 60_000},
    4: {1: 15, 2: 100, 3: 2000},
    5: {1: 80, 2: 200, 3: 1500},
}
_A_SECOND = 1_500_000  # steps per second, less than usual


def all_deals(
    view: View | PickView, made: Sequence[Move], control: Control, worlds: int | None, others: Others = "equal"
) -> Whole | None:
    """Evaluate each move over all deals that agree with the view; None if that is not possible.

    It is not possible before the first trick, with forgotten cards, for hints that play for the match, with only
    one move, or with too many cards in a hand or too many deals (also if there are more than `worlds`). One play
    or one way to share out a trick, in one deal, counts as a node.
    """
    if (
        isinstance(view, PickView)
        or (isinstance(view, Remembered) and view.forgotten)
        or view.goes_by_match
        or len(made) < 2
        or len(view.hand) not in _STEPS[view.players]
    ):
        return None
    found = deals(view)
    steps = steps_allowed(control, _A_SECOND)
    if found.worlds is None or found.total > min(_MOST_DEALS, worlds or _MOST_DEALS):
        return None
    if found.total * _STEPS[view.players][len(view.hand)] > steps:
        return None
    ending, start = ending_of(found, made, others)
    return best_replies(follow_lines, ending, start, control, steps)


def ending_of(found: Deals, made: Sequence[Move], others: Others = "equal") -> tuple[Ending, Start]:
    """Set up the evaluation of moves over all deals of a view: return its data and its starting point."""
    view, question = found.view, found.question
    assert isinstance(view, View)
    current, room = setting(view, others), new_room()
    rows = found.total * view.players
    ending = Ending(
        view.seat,
        current.values,
        current.play,
        np.zeros(rows, np.int64),
        np.zeros(rows * KINDS),
        np.zeros(_BONUSES, np.int64),
        np.zeros(_BONUSES, np.int64),
        np.full(_HANDS * _CHOICE_WORDS, -1),
        np.zeros(_HANDS * _CHANCES),
        np.zeros(1, np.int64),
        np.zeros(WORK_WORDS, np.int64),
        room,
    )
    work, weights = new_work(np.zeros(view.players, np.int64), room, new_kept(KINDS)), np.zeros(found.total)
    lay_deals(question, evidence_of(view, current, AMONG[others]), work, ending.hands, ending.shares, weights)
    piles = [*view.piles, *[0] * (MOST_SEATS - view.players)]
    gone = ALL & ~(view.hand_mask | view.unseen)
    public = np.concatenate([current.node, piles, [gone, view.hand_mask, -1], current.values.book])
    particles = np.arange(found.total).reshape(-1, 1)
    left = view.players * (len(view.hand) + 1)  # plays, and takings
    start = Start(
        public=public,
        codes=[move_code(view, move) for move in made],
        particles=particles,
        weights=weights,
        numbers=STATISTICS,
        children=MOST_MOVES,
        depths=left + len(view.hand) + 2,
        room=found.total * left * (1 + len(view.hand)),
    )
    return ending, start
