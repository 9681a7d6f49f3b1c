"""Hints for King × Alchemy: the card to pick or play, or those to take and give, when other hands are hidden.

Hidden hands are sampled from the deals that agree with the view (`worlds`), weighted by the likelihood of the
other seats' picks and plays. In each such world, every legal move is made, model players finish the round
(`players`), and the piles are compounded as well as possible. If few deals are left, the best reply over all of
them is computed instead (`all_deals`).
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import cache, partial

import numpy as np
from pydantic import BaseModel

from solver.common import Others, members
from solver.errors import RequestError
from solver.games.king import compounding, moves, rules
from solver.games.king.compounding import best_of_each
from solver.games.king.deck import KingReadings
from solver.games.king.fast_rules import LOWEST, PILES
from solver.games.king.players import AHEAD, MOST, PICK_FEATURES, TRAINED, CardValues, pick_chances, share_out
from solver.games.king.position import KingAnalysis, Round
from solver.games.king.reasons import because
from solver.games.king.rules import Move, State, Taking, move_text
from solver.games.king.worlds import (
    BOOK,
    KERNELS,
    SCORES,
    STATISTICS,
    Deals,
    deals,
    move_code,
)
from solver.hints.endings import GuaranteedDeals, Open, chosen, of_moves, steps_allowed, too_many
from solver.hints.match import Match, coming
from solver.hints.ranking import CHANCE, POINTS, Whole, error_of
from solver.hints.rounds import Games, Rounds, over_all_deals
from solver.hints.sampled import Sampler, check_turn
from solver.kernels.words import Floats, Words
from solver.language import say
from solver.limits import Control, Limit
from solver.tricks.memory import unknown

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


def model_error(view: Round, others: Others) -> float | None:
    """The error, in points, of mean scores due to wrong assumptions about how others play.

    None where it was not measured. It was measured only for mean points (not for chances to win a match) with the
    house deck, the default rules and `others` of equal strength.
    """
    usual = view.deck == "house" and view.rules is None and others == "equal" and view.players in MEASURED
    if view.goes_by_match or not usual:
        return None
    return error_of(MEASURED[view.players], len(view.hand))


# ----------------------------------------------------------------------------------------------------
# Rounds played among simulated players, and what these choose without sampling.


def rounds(
    dealt: Deals, made: Sequence[Move], seed: int, others: Others = "equal", *, infer: bool = True
) -> Rounds:
    """Return rollouts that make each of the moves in `made` among players of the strength `others`.

    If the aim is to win the match, the last statistic (`own_points`) is the number of points. Without `infer`,
    every deal is as likely.
    """
    view, match, cards = dealt.view, None, len(dealt.cards)
    if view.goes_by_match and view.totals is not None:
        match = Match(view.seat, view.totals, SCORES, _coming(view))
    of_match = 2 * view.players if view.goes_by_match else 0  # words noted about each move
    return Rounds(
        kernels=KERNELS,
        games=[Games(dealt.total, partial(dealt.game, others))],
        codes=_codes(view, made),
        seed=seed,
        steps=1 + cards // 3 if infer and not view.choosing and cards > 1 else 0,
        notes=view.players + len(made) * (2 + of_match),
        statistics=own_points(view) + 1 if view.goes_by_match else STATISTICS,
        match=match,
    )


def _codes(view: Round, made: Sequence[Move]) -> Words:
    return np.array([move_code(view, move) for move in made], np.int64)


def own_points(view: Round) -> int:
    """The index of the player's own points among the statistics of a hint that plays for the match.

    Statistic 0 is then the chance to win the match.
    """
    return SCORES + view.players


def _coming(view: Round) -> Floats | None:
    """Sampled total scores of the rounds after this one (`coming`); None if no round follows."""
    played_with = view.model_dump_json(include={"deck", "rules"}, exclude_none=True)
    return coming(_opening, SCORES, view.players, view.rounds_to_come, view.players, played_with)


def _opening(number: int, seed: int, players: int, played_with: str) -> Rounds:
    setup = json.loads(played_with)
    rules = KingReadings(**setup["rules"]) if "rules" in setup else None
    position = moves.seats_deal(seed, number=number, players=players, variant="unpicked", deck=setup["deck"])
    view = moves.view(position.model_copy(update={"rules": rules}), 0)
    return rounds(deals(view), moves.legal_moves(view), seed + number)


def played_by(view: Round, made: Sequence[Move], others: Others = "equal", kind: int = TRAINED) -> list[float]:
    """Return the probability of each move in `made` for a player of this `kind` and of the strength `others`.

    Takings are deterministic. Of several names of the Dancer that all lose, the player always chooses the first.
    """
    game = deals(view).game(others)._replace(own=kind)
    setting, root, room = game.setting, game.root, game.room
    values = CardValues(setting.deal, setting.recipes, root[BOOK:], setting.adds)
    if view.trick_is_full:
        bottom = int(root[LOWEST])
        share_out(values, root, len(view.hand), -1)
        gained = [int(root[PILES + seat]) & ~before for seat, before in enumerate(view.piles)]
        kept = view.plays[rules.winner(view.full_deck, view.plays)].card
        given = gained[bottom].bit_length() - 1 if bottom >= 0 and gained[bottom] else None
        taking = Taking(tuple(members(gained[view.seat] & ~(1 << kept))), given)
        return [float(move == taking) for move in made]
    if view.choosing:
        weights = setting.picks[kind * PICK_FEATURES :]
        count, chances = pick_chances(values, view.seat, setting.hand, weights, room), room.values
    else:
        count, chances = KERNELS.first_answer(game), room.values[kind * MOST :]
    by_code = dict(zip(room.codes[:count].tolist(), chances.tolist(), strict=False))
    return [by_code.get(code, 0.0) for code in _codes(view, made).tolist()]


# ----------------------------------------------------------------------------------------------------
# The hint in a small ending: the best reply over all remaining deals, if there is time for it.


_MOST_DEALS = 20_000
_STEPS = {  # approximate steps per deal, by number of players and of cards in the hand
    3: {1: 8, 2: 30, 3: 400, 4: 6000, 5: 60_000},
    4: {1: 15, 2: 100, 3: 2000},
    5: {1: 80, 2: 200, 3: 1500},
}
_A_SECOND = 1_500_000  # steps per second, less than usual


def all_deals(
    view: Round, made: Sequence[Move], control: Control, worlds: int | None, others: Others = "equal"
) -> Whole | None:
    """Evaluate each move over all deals that agree with the view; None if that is not possible.

    It is not possible before the first trick, with forgotten cards, for hints that play for the match, with only
    one move, or with too many cards in a hand or too many deals (also if there are more than `worlds`). One play
    or one way to share out a trick, in one deal, counts as a node.
    """
    if (
        view.choosing
        or view.forgotten
        or view.goes_by_match
        or len(made) < 2
        or len(view.hand) not in _STEPS[view.players]
    ):
        return None
    hidden = deals(view)
    steps = steps_allowed(control, _A_SECOND)
    if not hidden.numbered or hidden.total > min(_MOST_DEALS, worlds or _MOST_DEALS):
        return None
    if hidden.total * _STEPS[view.players][len(view.hand)] > steps:
        return None
    return best_replies(hidden, made, control, steps, others)


def best_replies(
    dealt: Deals, made: Sequence[Move], control: Control, steps: int, others: Others = "equal"
) -> Whole | None:
    """Return the statistics of each move over all of these deals; None if that takes more than `steps`."""
    view, game = dealt.view, dealt.game(others, chooses=True)
    turns = (view.players + 1) * len(view.hand) + view.players  # plays, and takings
    sizes = {"total": dealt.total, "turns": turns, "statistics": STATISTICS}
    return over_all_deals(KERNELS, game, _codes(view, made), control, steps=steps, **sizes)


# ----------------------------------------------------------------------------------------------------
# The hint by sampled rounds.


_A_SMALL_ENDING = 10_000  # nodes are enough for it


SAMPLER = Sampler[Round, Move](
    game="king",
    method="sampled rounds",
    legal_moves=moves.legal_moves,
    text=moves.format_move,
    rollouts=lambda view, made, seed, others: rounds(deals(view), made, seed, others),
    points=lambda view: own_points(view) if view.goes_by_match else None,
    unit=lambda view: CHANCE if view.goes_by_match else POINTS,
    because=because,
    policy=partial(played_by, kind=AHEAD),
    ending=all_deals,
    model_error=model_error,
    unknown=unknown,
)
hint = SAMPLER.hint


# What hints need, in three parts: the last alone takes as long to compile as the two others.


def warm_answers() -> None:
    """Compile or load every kernel for immediate answers."""
    best_of_each(_first_full_trick().full_deck, np.zeros(1, np.int64))
    for variant in ("picked", "unpicked"):
        hint(moves.view(moves.seats_deal(0, variant=variant), 0), Control(), worlds=0)


def warm_endings() -> None:
    """Compile or load every kernel for hints in a small ending."""
    ending = _first_full_trick()
    while len(ending.hands[ending.seat_to_move]) > 2 or ending.trick:
        ending = moves.as_known(moves.play(ending, moves.legal_moves(ending)[0]))
    hint(moves.view(ending, ending.seat_to_move), Control(Limit(nodes=_A_SMALL_ENDING)))


def warm_rounds() -> None:
    """Compile or load every kernel for hints by sampled rounds, including those for a full trick."""
    full = _first_full_trick()
    for view in (full, *(moves.seats_deal(0, variant=variant) for variant in ("picked", "unpicked"))):
        hint(moves.view(view, view.seat_to_move if view is full else 0), Control(), worlds=1)


def _first_full_trick() -> Round:
    position = moves.as_known(moves.seats_deal(0, variant="picked"))
    for _ in range(position.players):
        position = moves.as_known(moves.play(position, moves.legal_moves(position)[0]))
    return position


# ----------------------------------------------------------------------------------------------------
# What a seat of King × Alchemy guarantees over all deals that agree with its view.


def deals_of(view: Round, some: int | None = None) -> GuaranteedDeals[State]:
    """The deals that agree with a view; with `some`, about that many of them, spread evenly.

    Raises RequestError if there are too many to number or, without `some`, to check them all.
    """
    hidden = deals(view)
    if not hidden.numbered:
        raise too_many(hidden.total, at_most=True)
    hands = (hidden.hands(hidden.world(rank)) for rank in chosen(hidden.total, some))
    return GuaranteedDeals(
        hidden.total, [State(view.full_deck, each, view.leader, view.plays, view.piles) for each in hands]
    )


def guaranteed(view: BaseModel, control: Control) -> KingAnalysis:
    """The score that the seat of a view can guarantee with each move, whatever the others hold and do.

    Raises RequestError before the pick, with an incomplete memory, for too many deals, and if another seat is to
    move.
    """
    from solver.tricks.analysis import Form, Question, one_score  # slow to import

    assert isinstance(view, Round)
    if view.choosing or view.in_part:
        message = say("before the round, and with half a memory, there are too many deals to check them all")
        raise RequestError("not_offered", message)
    check_turn(view.seat, view.seat_to_move)
    deck, seat, hidden = view.full_deck, view.seat, deals_of(view)
    worth = cache(lambda pile: compounding.best(deck, members(pile)).total)

    def bounds(state: State) -> tuple[int, int]:
        won = worth(state.won[seat])
        if state.over:
            return won, won
        lost = sum(pile for other, pile in enumerate(state.won) if other != seat)
        # A pile only grows, and more cards are never worth less.
        return won, worth((1 << len(deck.cards)) - 1 & ~lost)

    open_rules = Open[State, Move](lambda state: state.to_move == seat, rules.legal_moves, rules.play, bounds)
    moves, won = of_moves(open_rules, hidden, control), bounds(hidden.states[0])[0]
    form: Form[KingAnalysis, Move] = Form("king", KingAnalysis, partial(move_text, deck))
    question = Question("paranoid", seat, seat, control)
    return one_score(form, question, moves, high=True, won=won, line=lambda *_: ())
