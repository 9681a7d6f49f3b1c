"""Hints for Aqua Regia: the best move when the other hands and the stock are hidden.

Deals that agree with the view (worlds) are sampled: uniformly (`worlds`), or, if the history shows what the others
did, weighted by the likelihood of that (`worlds.Evidence`, `rollouts.Chain`). In each world, every legal move is
made, and plausible players finish the game (`players`, `rollouts`). If few deals and cards are left, the best
reply over all deals is computed (`endings`).

A pass that draws is one move: the plausible player decides the exchange once it knows the card. If that card is
given as `drawn`, the exchanges are the moves.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from math import exp
from operator import add
from typing import NamedTuple, Unpack

import numpy as np

from solver.answers import AnySampledHint, Unknown
from solver.common import Others
from solver.errors import RequestError
from solver.games.aqua_regia import moves
from solver.games.aqua_regia.deck import Deck, house, members
from solver.games.aqua_regia.endings import OF_PROOFS, TooManyError, all_deals, deals_at_most, deals_left, lanes_of
from solver.games.aqua_regia.fast_rules import reactivity_rows
from solver.games.aqua_regia.players import WEIGHTS_OF, Turn, chances, move_chances, move_numbers
from solver.games.aqua_regia.position import AquaAnalysis, Round
from solver.games.aqua_regia.reasons import because
from solver.games.aqua_regia.rollouts import USUAL, Games, usual
from solver.games.aqua_regia.rules import (
    HAND,
    Move,
    Pass,
    Play,
    State,
    legal_moves,
    next_field,
    settle,
    text_of,
    unsettled,
)
from solver.hints.endings import MOST_DEALS, GuaranteedDeals, Open, of_moves, too_many
from solver.hints.guesses import averaged, in_parts
from solver.hints.ranking import CHANCE
from solver.hints.sampled import GAMES_A_BATCH, HintOptions, Sampler
from solver.language import say
from solver.limits import Control, Limit

# ----------------------------------------------------------------------------------------------------
# The model error of Aqua Regia's chances: see `solver.hints.ranking`.
#
# Among equals, with any deck, predictions came true to about this error (``python -m benchmarks.chances``).


_AMONG_EQUALS = 0.03


def model_error(view: Round, others: Others) -> float | None:
    """Return the model error of a hint's chances to go out first; None if it is unknown.

    It was measured only under the usual rules, with others of equal strength.
    """
    return _AMONG_EQUALS if others == "equal" and view.rules is None else None


# ----------------------------------------------------------------------------------------------------
# Whether a hint has time for its first batch of games, which cannot be interrupted.
#
# With a deck of thousands of cards, games have thousands of moves, and a long history makes a chain of likely
# worlds slow. Timing a few steps and a few games, cut off if they take too long, predicts the time of a batch.


_TIMING_SECONDS = 0.003  # for timing the chain, and for timing the games
_MOST_GAMES = 8
_SAFE_SHARE = 0.6  # of the time left; the games of a batch may take longer than those that were timed
_BATCH_SECONDS = 0.018  # of a batch with five players
_LONGEST_BATCH = 2.0  # seconds without checking whether the client has gone


def games_at_once(view: Round) -> int:
    """Return how many games to play between two checks of the clock: fewer if a large deck makes them long."""
    return max(1, GAMES_A_BATCH * USUAL // max(USUAL, view.metals.size**2 * view.metals.copies))


def check_time(view: Round, control: Control, seed: int, others: Others) -> None:
    """Raise RequestError if the first batch of a hint would take longer than its time limit."""
    if usual(view.metals):
        return
    legal = moves.legal_moves(view)
    if not legal:
        return
    games = Games(view, legal, seed, others)
    left = control.seconds_left()
    if left is None:
        return
    allowed = min(_LONGEST_BATCH, _SAFE_SHARE * left)
    count = max(len(legal), games_at_once(view))
    seconds = _chain_seconds(games)
    if seconds <= allowed:
        seconds += count * _game_seconds(games, (allowed - seconds) / count)
    if seconds > allowed:
        raise RequestError(
            "too_large",
            say(
                "a hint plays a game to its end after each of {count} moves: with these cards that "
                "takes at least {seconds:.2g} seconds, more than the limit",
                count=len(legal),
                seconds=seconds,
            ),
            "deck",
        )


def _chain_seconds(games: Games) -> float:
    """Estimate how many seconds the Markov chain takes to reach its first world, from its first steps."""
    steps, all_steps = 4, games.steps
    while steps < all_steps:
        seconds = _seconds(partial(games.ends, None, steps=steps))[0]
        if seconds >= _TIMING_SECONDS:
            return seconds * all_steps / steps
        steps *= 4
    return _seconds(partial(games.ends, None))[0] if all_steps else 0.0


def _game_seconds(games: Games, allowed: float) -> float:
    """Estimate how many seconds one game takes, as the mean over several moves.

    If that exceeds `allowed`, the result may be only a lower bound.
    """
    total, played, fuel = 0.0, 0, 16
    while played < min(_MOST_GAMES, games.moves) and (played == 0 or total < _TIMING_SECONDS):
        move = played * (games.moves - 1) // max(1, min(_MOST_GAMES, games.moves) - 1)
        seconds, ended = _seconds(partial(games.ends, move, fuel=fuel, steps=1))
        if not ended and seconds <= allowed:
            fuel *= 4
            continue
        total += seconds
        played += 1
    return total / played


def _seconds(work: Callable[[], bool]) -> tuple[float, bool]:
    begun = time.monotonic()
    done = work()
    return time.monotonic() - begun, done


_A_SMALL_ENDING = 20_000  # nodes, enough for a small ending


def _text(view: Round, move: Move) -> str:
    return text_of(view.metals, move)


# By how much the log odds of a seat's chances are too high, or too low where the sum is negative. The others'
# choices reveal more about their cards than the weights of `players` can express, and the shorter a seat's hand,
# the likelier it goes out before the others play what they have kept; but a seat plays better than in sampled
# games. The three numbers, by the strength of the others and the number of players, are what is to be subtracted
# from the start, for each card fewer than dealt, and once eight cards per player have been played, in proportion
# before. ``python -m benchmarks.chances`` prints what should be added. Weaker others were measured with the house
# deck alone.
TOO_SURE = {
    "equal": {2: (0.0, 0.022, 0.272), 3: (0.0, 0.022, 0.232), 4: (0.0, 0.022, 0.373), 5: (0.0, 0.022, 0.562)},
    "club": {2: (0.12, 0.02, 0.07), 3: (-0.27, 0.03, 0.1), 4: (-0.22, -0.01, -0.1), 5: (-0.04, 0.05, -0.26)},
    "beginner": {2: (0.31, 0.07, -0.19), 3: (-0.14, -0.04, 0.22), 4: (-0.12, -0.04, 0.09), 5: (-0.12, 0.0, -0.08)},
}
TOO_SURE_WITH_OTHER_DECKS = {
    2: (0.089, 0.022, 0.42), 3: (0.149, 0.022, 0.01), 4: (0.005, 0.022, 0.076), 5: (0.087, 0.022, 0.023),
}  # fmt: skip
_SHOWN = 8


def sure_by(view: Round) -> tuple[int, float]:
    """Return two numbers that determine by how much a chance is corrected for overconfidence.

    The first is how many fewer cards the seat holds than it was dealt. The second is how far the round has
    advanced: the number of cards on the table and in the discard pile, divided by eight per player, at most 1.
    """
    shown = len(view.table) + len(view.discarded) + view.forgotten
    return max(0, HAND - len(view.hand)), min(1.0, shown / (_SHOWN * view.players))


def _odds(view: Round, others: Others) -> float:
    other_deck = others == "equal" and view.metals.metals != house().metals
    start, card, advance = (TOO_SURE_WITH_OTHER_DECKS if other_deck else TOO_SURE[others])[view.players]
    gone, advanced = sure_by(view)
    return exp(-start - card * gone - advance * advanced)


def _unknown(view: Round) -> Unknown | None:
    """Describe the cards that the player does not remember; None if no card is forgotten."""
    if not view.forgotten:
        return None
    return Unknown(gone=view.forgotten, possible_cards=tuple(view.metals.symbols(members(view.unseen))))


# Judges moves by the results of sampled games alone; `SAMPLER` also searches small endings and gives reasons.
_PLAIN = Sampler[Round, Move](
    game="aqua-regia",
    method="sampled games",
    legal_moves=moves.legal_moves,
    text=_text,
    rollouts=Games,
    games=games_at_once,
    seconds=_BATCH_SECONDS,
    unit=lambda _view: CHANCE,
)
SAMPLER = replace(
    _PLAIN,
    because=because,
    policy=chances,
    ending=all_deals,
    model_error=model_error,
    odds=_odds,
    unknown=_unknown,
)


def hint(
    view: Round,
    control: Control,
    *,
    others: Others = "equal",
    **options: Unpack[HintOptions],
) -> AnySampledHint:
    """Like `Sampler.hint`, but also raises RequestError for a finished game or a deck too large for the limit."""
    _check_turn(view)
    if control.deadline is not None and options.get("worlds") != 0:
        check_time(view, control, options.get("seed", 0), others)
    return SAMPLER.hint(view, control, others=others, **options)


def hint_in(position: Round, view: Round, control: Control, seed: int, others: Others) -> AnySampledHint:
    """Like `hint`, but for the single deal of `position`, including its stock.

    `view` is what the seat to move sees. The simulated players see only their own cards.
    """
    deck = position.metals
    hands = tuple(() if seat == view.seat else hand for seat, hand in enumerate(position.hands))
    open_view = view.model_copy(update={"known": hands, "history": None})  # which adds nothing about the hands
    rollouts = partial(Games, stock=deck.numbers(position.stock))
    return replace(_PLAIN, rollouts=rollouts).hint(open_view, control, others=others, seed=seed)


def hint_in_each(positions: Sequence[Round], view: Round, control: Control, seed: int) -> AnySampledHint:
    """Like `hint_in`, but averaged over two or more equally likely deals, with standard errors."""
    asks = [
        partial(hint_in, position, view, seed=seed + number, others="equal")
        for number, position in enumerate(positions)
    ]
    return averaged(in_parts(asks, control), control, "", seed)


def _check_turn(view: Round) -> None:
    """Raise RequestError if the game is over, or if another seat is to move."""
    if 0 in view.counts:
        winner = view.counts.index(0)
        raise RequestError(
            "game_over",
            say("the game is over: {winner:who} {winner:has|have} no cards left", winner=winner),
            f"counts[{winner}]",
        )
    if view.turn != view.seat:
        raise RequestError("not_to_move", moves.not_to_move(view), "seat")


def played_by(view: Round, made: Sequence[Move], others: Others) -> list[float]:
    """Return the probability of each legal move for a rule-based player of the strength `others`."""
    top = view.top or Play(0, 0)
    following = next_field(view.field_number, view.reversed)
    turn = Turn(view.field_number, following, top.metal, top.count, int(view.stock_count > 0))
    chances = np.zeros(len(made))
    hand, weights = np.array(view.held, np.int64), WEIGHTS_OF[others]
    numbers = move_numbers(view, made)
    move_chances(reactivity_rows(view.metals), hand, len(view.hand), turn, numbers, weights, chances)
    return list(map(float, chances))


def warm() -> None:
    """Compile or load every kernel."""
    start = moves.deal(0)
    for position in (start, moves.play(start, moves.legal_moves(start)[0])):  # the second has a history
        for worlds in (0, 1):
            hint(moves.view(position, position.seat_to_move), Control(), worlds=worlds)
    few = Round(game="aqua-regia", hands=(("Li", "Cu"), ("K", "Ag")), field="water", turn=0)
    last = moves.play(few, moves.legal_moves(few)[0])
    hint(moves.view(last, 1), Control(Limit(nodes=_A_SMALL_ENDING)))


# ----------------------------------------------------------------------------------------------------
# What a seat of Aqua Regia guarantees over all deals that agree with what it sees: to go out first, or nothing.
#
# Everybody sees all but the cards that are drawn. So a pass of the seat's own has two halves, with the card that
# it draws between them; and after a trick it sees who leads next and in which field, which the hands decide.


class _Drawn(NamedTuple):
    """The event that the asking seat draws a card of this metal."""

    metal: int


class _Dealt(NamedTuple):
    """The event that, after a trick, seat `seat` leads next in field `field`."""

    seat: int
    field: int


_READY, _DRAWING, _PASSING, _CLEARED = range(4)


class _Point(NamedTuple):
    """A state and its `stage`: next comes a move, a draw, the exchange that ends a pass, or a lead."""

    state: State
    stage: int


_Step = Move | _Drawn | _Dealt


class _Open(NamedTuple):
    """What `solver.hints.endings.Open` has, for the questions of one seat."""

    deck: Deck
    seat: int

    def is_own(self, point: _Point) -> bool:
        return point.state.turn == self.seat and point.stage in (_READY, _PASSING)

    def moves(self, point: _Point) -> Sequence[_Step]:
        state, deck = point.state, self.deck
        if point.stage == _DRAWING:
            return [_Drawn(state.stock[0])]
        if point.stage == _CLEARED:
            settled = settle(deck, state)
            return [_Dealt(settled.turn, settled.field)]
        legal = legal_moves(deck, state)
        if point.stage == _PASSING:
            return [move for move in legal if isinstance(move, Pass)]
        if state.turn != self.seat or not state.stock or not state.table:
            return legal
        return [*(move for move in legal if isinstance(move, Play)), Pass()]

    def after(self, point: _Point, move: _Step) -> _Point:
        state, stage = point
        if isinstance(move, _Drawn):
            return _Point(state, _PASSING)
        if isinstance(move, _Dealt):
            return _Point(settle(self.deck, state), _READY)
        if isinstance(move, Pass) and stage == _READY and state.turn == self.seat and state.stock:
            return _Point(state, _DRAWING)
        played = unsettled(state, move)
        return _Point(played, _READY if played.table or played.winner is not None else _CLEARED)

    def bounds(self, point: _Point) -> tuple[int, int]:
        winner = point.state.winner
        return (0, 1) if winner is None else (int(winner == self.seat),) * 2


def deals_of(view: Round, control: Control) -> GuaranteedDeals[State]:
    """Return the deals that agree with a view, as states, with the stock in draw order.

    Raises RequestError if there are too many to check them all.
    """
    deck, lanes = view.metals, lanes_of(view.metals)
    try:
        left = deals_left(view, MOST_DEALS, control, limits=OF_PROOFS)
    except TooManyError:
        left = None
    if left is None or lanes is None:
        total = deals_at_most(view)
        if total > MOST_DEALS:
            raise too_many(total, at_most=True)
        raise RequestError("too_large", say("there are too many deals to check them all"))
    own = deck.counts(deck.numbers(view.hand))
    states = []
    for picks in left.picks.tolist():
        cards = [
            tuple((int(words[pick]) >> lanes.bits * metal) & ((1 << lanes.bits) - 1) for metal in range(deck.size))
            for words, pick in zip(left.hands, picks, strict=True)
        ]
        hands = [own] * view.players
        for seat, hidden in zip(left.seats, cards, strict=False):
            hands[seat] = tuple(map(add, view.known_counts(seat), hidden))
        drawn = () if view.drawn is None else (deck.index[view.drawn],)
        stock = (*drawn, *(counts.index(1) for counts in cards[len(left.seats) :]))
        states.append(view.state_with(hands, stock))
    return GuaranteedDeals(len(states), states)


def guaranteed(view: Round, control: Control) -> AquaAnalysis:
    """Analyze whether the view's seat is certain to go out first after each move, whatever the others hold and do.

    Raises RequestError if there are too many deals to check them all, or if another seat is to move.
    """
    from solver.tricks.analysis import Form, Question, one_score  # slow to import

    view = moves.as_view(view)
    _check_turn(view)
    rules = _Open(view.metals, view.seat)
    opened = Open[_Point, _Step](rules.is_own, rules.moves, rules.after, rules.bounds)
    stage = _READY if view.drawn is None else _PASSING
    hidden = deals_of(view, control)
    points = GuaranteedDeals(hidden.total, [_Point(state, stage) for state in hidden.states])
    found_by = of_moves(opened, points, control)
    values = {move: found_by[move] for move in moves.legal_moves(view)}
    form = Form("aqua-regia", AquaAnalysis, partial(text_of, rules.deck))
    question = Question("paranoid", view.seat, view.seat, control)
    return one_score(form, question, values, high=True, won=0, line=lambda *_: ())
