"""Hints for King × Alchemy: the card to pick or play, or those to take and give, when other hands are hidden.

Hidden hands are sampled from the deals that agree with the view (`worlds`), weighted by the likelihood of the
other seats' picks and plays. In each such world, every legal move is made, model players finish the round
(`players`), and the piles are compounded as well as possible. If few deals are left, the best reply over all of
them is computed instead (`all_deals`).
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import lru_cache, partial
from typing import NamedTuple

import numpy as np
from pydantic import BaseModel

from solver.answers import AnySampledHint, Unknown
from solver.common import STRENGTHS, Others, members
from solver.errors import RequestError
from solver.games.king import compounding, moves, rules
from solver.games.king.compounding import PATIENCE, WORK_WORDS, best_of_each, bonus_of
from solver.games.king.deck import Deck, KingReadings
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
    AHEAD,
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
from solver.games.king.players import chances as likely
from solver.games.king.position import KingAnalysis, PickView, Remembered, View
from solver.games.king.reasons import because
from solver.games.king.rules import Move, State, move_text
from solver.games.king.worlds import (
    BONUS,
    MOST_SEATS,
    SCORE,
    SCORES,
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
    play_worlds,
    score_with,
)
from solver.hints.causes import MOST_WORLDS, Witness
from solver.hints.endings import (
    OTHERS,
    OVER,
    OWN,
    GuaranteedDeals,
    Open,
    Start,
    best_replies,
    check_turn,
    chosen,
    expectation_kernel,
    of_moves,
    steps_allowed,
    too_many,
)
from solver.hints.match import Match, endings, whole_rounds
from solver.hints.ranking import CHANCE, POINTS, Whole, error_of
from solver.hints.sampled import Sampler
from solver.hints.worlds import Lending, lay_places, new_kept
from solver.kernels.jit import inlined, kernel, lean
from solver.kernels.words import Floats, Words, popcount
from solver.language import say
from solver.limits import Control, Limit

# ----------------------------------------------------------------------------------------------------
# The model error of King × Alchemy's hints, in points: see `solver.hints.ranking`.
#
# From the hints of 600 games with the house deck, by the number of players and of cards in the hand; before the
# first trick, when a card is picked, the hand is complete. One player follows the hints, and the others are of
# four kinds: trained rule players, thrifty, greedy and random ones.


MEASURED: dict[int, dict[int, float]] = {
    3: {
        1: 0.37, 2: 0.99, 3: 1.26, 4: 2.05, 5: 2.67, 6: 3.46, 7: 4.25, 8: 5.10, 9: 6.21, 10: 7.10,
        11: 8.04, 12: 8.80, 13: 9.78, 14: 11.04, 15: 11.74,
    },
    4: {
        1: 0.31, 2: 1.11, 3: 1.64, 4: 2.33, 5: 3.09, 6: 3.86, 7: 4.69, 8: 5.66, 9: 6.81, 10: 7.93,
        11: 8.97, 12: 9.49,
    },
    5: {
        1: 0.59, 2: 0.92, 3: 1.23, 4: 1.71, 5: 2.29, 6: 2.95, 7: 3.50, 8: 4.22, 9: 5.15, 10: 5.84,
    },
}  # fmt: skip


def model_error(view: View | PickView) -> float | None:
    """The error, in points, of mean scores due to wrong assumptions about how others play.

    None where it was not measured. It was measured only for mean points (not for chances to win a match) with the
    house deck and the default rules.
    """
    if view.goes_by_match or view.deck != "house" or view.rules is not None or view.players not in MEASURED:
        return None
    return error_of(MEASURED[view.players], len(view.hand))


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
        game.bonuses[slot] = bonus_of(tables, game.bonus_work, pile, tables[PATIENCE])
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


# ----------------------------------------------------------------------------------------------------
# The hint by sampled rounds.


_A_SMALL_ENDING = 10_000  # nodes are enough for it


class Rounds:
    """Rollouts for a view, in which model players finish the round (see `solver.hints.sampled.Rollouts`).

    If hints play for the match, rounds are judged by the chance to win the match (`solver.tricks.match`).
    """

    def __init__(
        self,
        dealt: Deals,
        made: Sequence[Move],
        seed: int,
        others: Others = "equal",
        *,
        infer: bool = True,
        expected: Floats | None = None,
    ) -> None:
        view = dealt.view
        self.moves = len(made)
        self.chained = infer and isinstance(view, View) and len(dealt.cards) > 1
        current = setting(view, others)
        evidence = evidence_of(view, current, AMONG[others] if expected is None else expected)
        self._arguments = dealt.question, current, evidence
        self._moves = np.array([move_code(view, move) for move in made], np.int64)
        self._kept = Lending(KINDS)
        self._seed = seed
        self._view = view
        self.witness = Witness()
        self._match = None
        if view.goes_by_match and view.totals is not None:
            self._match = Match(view.seat, view.totals, SCORES, _coming(view))
        self.statistics = own_points(view) + 1 if view.goes_by_match else STATISTICS

    def play(self, first: int, results: Floats, weights: Floats) -> None:
        players, of_all = self._view.players, self._view.goes_by_match and first < MOST_WORLDS
        noted = np.empty((len(results), players + self.moves * (2 + 2 * players * of_all)), np.int64)
        self._play(first, results, weights, noted)
        if self._match is not None:
            self._match.judge(results, first)
        self.witness.note(first, results, noted)

    def _play(self, first: int, results: Floats, weights: Floats, noted: Words) -> None:
        with self._kept.lend() as kept:
            play_worlds(*self._arguments, kept, self._moves, self._seed, first, self.chained, results, noted)

    def chances(self, worlds: Words, scores: Floats) -> Floats:
        """For each of some sampled worlds, the chance to win or share the match.

        `worlds` has the indices of these worlds. `scores` has everybody's scores in this round (a row per world, a
        column per seat).
        """
        assert self._match is not None
        return self._match.chances(scores[:, None], worlds)[:, 0]


def own_points(view: View | PickView) -> int:
    """The index of the player's own points among the statistics of a hint that plays for the match.

    Statistic 0 is then the chance to win the match.
    """
    return SCORES + view.players


def _coming(view: View | PickView) -> Floats | None:
    """Sampled total scores of the rounds after this one (rows: samples, columns: seats).

    None if no round follows. See `solver.hints.match.endings`.
    """
    played_with = view.model_dump_json(include={"deck", "rules"}, exclude_none=True)
    following = view.rounds_to_come
    return _endings(played_with, view.players, following) if following else None


@lru_cache(maxsize=16)
def _endings(played_with: str, players: int, following: int) -> Floats | None:
    return endings(_whole_rounds(played_with, players), following)


@lru_cache(maxsize=16)
def _whole_rounds(played_with: str, players: int) -> Floats:
    told = json.loads(played_with)
    rules = KingReadings(**told["rules"]) if "rules" in told else None

    def opening(number: int, seed: int) -> Rounds:
        position = moves.seats_deal(seed, number=number, players=players, variant="unpicked", deck=told["deck"])
        view = moves.view(position.model_copy(update={"rules": rules}), 0)
        return Rounds(deals(view), moves.legal_moves(view), seed + number)

    return whole_rounds(opening, SCORES, players)


def _rounds(view: View | PickView, made: Sequence[Move], seed: int, others: Others) -> Rounds:
    return Rounds(deals(view), made, seed, others)


def _unknown(view: View | PickView) -> Unknown | None:
    """Describe the cards that the player does not remember; None if no card is forgotten."""
    if not isinstance(view, Remembered) or not view.forgotten:
        return None
    return Unknown(gone=view.forgotten, among=tuple(view.full_deck.codes(members(view.unseen))))


def _sampler(others: Others) -> Sampler[View | PickView, Move]:
    return Sampler[View | PickView, Move](
        game="king",
        method="sampled rounds",
        legal_moves=moves.legal_moves,
        text=moves.format_move,
        rollouts=partial(_rounds, others=others),
        points=lambda view: own_points(view) if view.goes_by_match else None,
        unit=lambda view: CHANCE if view.goes_by_match else POINTS,
        because=because,
        policy=partial(likely, kind=AHEAD),
        ending=partial(all_deals, others=others),
        model_error=model_error if others == "equal" else None,
        others=others,
        unknown=_unknown,
    )


SAMPLERS = {others: _sampler(others) for others in STRENGTHS}


def hint(
    view: View | PickView,
    control: Control,
    *,
    worlds: int | None = None,
    seed: int = 0,
    threads: int | None = None,
    others: Others = "equal",
) -> AnySampledHint:
    """Find the best move in a view, and the mean result of every legal move.

    See `solver.hints.sampled.Sampler.hint` for the arguments.
    """
    return SAMPLERS[others].hint(view, control, worlds=worlds, seed=seed, threads=threads)


def played_by(view: View | PickView, made: Sequence[Move], others: Others) -> list[float]:
    """The probability of each move in `made` for a trained player of the strength `others`."""
    return likely(view, made, others=others)


def warm() -> None:
    """Compile or load every kernel that hints need, including those for a full trick and for a small ending."""
    for variant in ("picked", "unpicked"):
        for worlds in (0, 1):
            hint(moves.view(moves.seats_deal(0, variant=variant), 0), Control(), worlds=worlds)
    full = moves.as_known(moves.seats_deal(0, variant="picked"))
    for _ in range(full.players):
        full = moves.as_known(moves.play(full, moves.legal_moves(full)[0]))
    hint(moves.view(full, full.seat_to_move), Control(), worlds=1)
    best_of_each(full.full_deck, np.zeros(1, np.int64))
    while len(full.hands[full.seat_to_move]) > 2 or full.trick:
        full = moves.as_known(moves.play(full, moves.legal_moves(full)[0]))
    hint(moves.view(full, full.seat_to_move), Control(Limit(nodes=_A_SMALL_ENDING)))


# ----------------------------------------------------------------------------------------------------
# What a seat of King × Alchemy guarantees over all deals that agree with its view.


class _Open:
    """The rules with every card known, for finding what one seat can guarantee (`solver.hints.endings.Open`)."""

    def __init__(self, deck: Deck, seat: int) -> None:
        self._deck = deck
        self._seat = seat
        self._worths: dict[int, int] = {}

    def _worth(self, pile: int) -> int:
        if pile not in self._worths:
            self._worths[pile] = compounding.best(self._deck, members(pile)).total
        return self._worths[pile]

    def is_own(self, state: State) -> bool:
        return state.to_move == self._seat

    def moves(self, state: State) -> Sequence[Move]:
        return rules.legal_moves(state)

    def after(self, state: State, move: Move) -> State:
        return rules.play(state, move)

    def bounds(self, state: State) -> tuple[int, int]:
        pile = state.won[self._seat]
        worth = self._worth(pile)
        if state.over:
            return worth, worth
        left = (1 << len(self._deck.cards)) - 1
        for seat, won in enumerate(state.won):
            if seat != self._seat:
                left &= ~won
        # A pile only grows, and more cards are never worth less.
        return worth, self._worth(left)


def deals_of(view: View, some: int | None = None) -> GuaranteedDeals[State]:
    """The deals that agree with a view; with `some`, about that many of them, spread evenly.

    Raises RequestError if there are too many to number or, without `some`, to check them all.
    """
    found = deals(view)
    if found.worlds is None:
        raise too_many(found.total, at_most=True)
    total = found.worlds.total
    hands = (found.hands(found.world(rank)) for rank in chosen(total, some))
    return GuaranteedDeals(
        total, [State(view.full_deck, each, view.leader, view.plays, view.piles) for each in hands]
    )


def guaranteed(view: BaseModel, control: Control) -> KingAnalysis:
    """The score that the seat of a view can guarantee with each move, whatever the others hold and do.

    Raises RequestError before the pick, with an incomplete memory, for too many deals, and if another seat is to
    move.
    """
    from solver.tricks.analysis import Form, Question, one_score  # slow to import

    if not isinstance(view, View) or isinstance(view, Remembered):
        message = say("before the round, and with half a memory, there are too many deals to check them all")
        raise RequestError("not_offered", message)
    check_turn(view.seat, view.seat_to_move)
    deck = view.full_deck
    seen, found = _Open(deck, view.seat), deals_of(view)
    open_rules = Open[State, Move](seen.is_own, seen.moves, seen.after, seen.bounds)
    moves, won = of_moves(open_rules, found, control), seen.bounds(found.states[0])[0]
    form: Form[KingAnalysis, Move] = Form("king", KingAnalysis, partial(move_text, deck))
    question = Question("paranoid", view.seat, view.seat, control)
    return one_score(form, question, moves, high=True, won=won, line=lambda *_: ())
