"""Hints for Kirin: the card to play, or to set aside, when the other hands are hidden.

Deals that agree with the view (worlds) are sampled, each weighted by how likely the other seats were to set aside
and play the cards that they did (`worlds`). In each, every legal card is played, and plausible players finish the
round. If few deals are left, the best reply over all of them is computed (`all_deals`).
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import numpy as np

from solver.common import Others
from solver.errors import RequestError
from solver.games.kirin import moves
from solver.games.kirin.deck import name
from solver.games.kirin.players import BY_RULES, LOOKS_AHEAD, MOST, declare_values
from solver.games.kirin.position import KirinAnalysis, Round
from solver.games.kirin.reasons import because
from solver.games.kirin.rules import SEATS, State, at_most, score
from solver.games.kirin.worlds import (
    ALL_STATISTICS,
    KERNELS,
    SCORES,
    STATISTICS,
    Deals,
    deals,
    deals_by_order,
)
from solver.hints.endings import GuaranteedDeals, Open, chosen, of_moves, steps_allowed
from solver.hints.match import Match, coming
from solver.hints.policy import to_chances
from solver.hints.ranking import CHANCE, POINTS, Whole, error_of
from solver.hints.rounds import Games, Rounds, over_all_deals
from solver.hints.sampled import Sampler, check_turn
from solver.hints.worlds import STEPS
from solver.language import say
from solver.limits import Control, Limit
from solver.tricks.memory import unknown
from solver.tricks.rules import CardState

# ----------------------------------------------------------------------------------------------------
# The model error of Kirin's hints, in points, by the number of cards in the hand: see `solver.hints.ranking`.
#
# From hints in 1,000 games, 40 deals from each seat against each of four kinds of players: trained rule players,
# thrifty, greedy and random ones. ``python -m benchmarks.calibration kirin`` prints them.


MEASURED = {2: 0.063, 3: 0.084, 4: 0.124, 5: 0.204, 6: 0.273, 7: 0.337, 8: 0.398, 9: 0.433}


def model_error(view: Round, others: Others) -> float | None:
    """The error, in points, of mean scores due to wrong assumptions about how others play.

    None if the aim is to win the match, if rule options are set or for weaker `others`: it was not measured then.
    """
    if view.goes_by_match or view.rules is not None or others != "equal":
        return None
    return error_of(MEASURED, len(view.hand))


OWN_POINTS = ALL_STATISTICS  # where a hint for the match has the mean points


def rounds(
    by_order: Sequence[Deals], cards: Sequence[int], seed: int, others: Others = "equal", *, infer: bool = True
) -> Rounds:
    """Return rollouts that play each of the `cards` among players of the strength `others`.

    `by_order` has the deals that agree with the view, as `deals_by_order` returns them. If the aim is to win the
    match, the last statistic (`OWN_POINTS`) is the number of points. Without `infer`, every deal is as likely.
    """
    view, match = by_order[0].view, None
    if view.goes_by_match and view.totals is not None:
        match = Match(view.seat, view.totals, SCORES, coming(_opening, SCORES, SEATS, view.rounds_to_come))
    return Rounds(
        kernels=KERNELS,
        games=[Games(dealt.total, partial(dealt.game, others)) for dealt in by_order],
        codes=np.array(cards, np.int64),
        seed=seed,
        steps=STEPS if infer and not view.choosing else 0,
        notes=SEATS + len(cards),
        statistics=OWN_POINTS + 1 if view.goes_by_match else STATISTICS,
        match=match,
    )


def _opening(number: int, seed: int) -> Rounds:
    view = moves.view(moves.deal(seed, number=number, variant="undeclared"), 0)
    return rounds(deals_by_order(view), view.legal_cards, seed + number)


def played_by(view: Round, cards: Sequence[int], others: Others = "equal") -> list[float]:
    """Return the probability of each of the legal `cards` for a player of the strength `others`."""
    kind = LOOKS_AHEAD if others == "equal" else BY_RULES
    game = deals(view).game(others)._replace(own=kind)
    chances, setting = game.values[kind * MOST :], game.setting
    if not view.choosing:
        codes = game.codes[: KERNELS.first_answer(game)].tolist()
    else:
        codes = sorted(cards)
        declare_values(setting.hand, (setting.ahead.declare, setting.declare)[kind], chances)
        to_chances(len(codes), chances)
    by_card = dict(zip(codes, chances.tolist(), strict=False))
    return [by_card[card] for card in cards]


# ----------------------------------------------------------------------------------------------------
# The hint in a small ending: the best reply over all remaining deals, if there is time for it.


_MOST_DEALS = 50_000  # which take some 30 MB; with two cards in the hand there are never more
_STEPS = {1: 10, 2: 100, 3: 600}  # per deal, usually or at most, by the number of cards in the hand
_A_SECOND = 13_000_000  # steps per second, half of the usual speed


def all_deals(
    view: Round, cards: Sequence[int], control: Control, worlds: int | None, others: Others = "equal"
) -> Whole | None:
    """Return the statistics of each card over all deals; None if not all deals can be searched.

    All deals are searched if there are at least two cards to choose from, few cards are left, there is enough
    time, and there are no more deals than `worlds`. Each card played in one deal counts as a node.
    """
    if (
        view.choosing
        or view.forgotten
        or len(view.by_order) > 1
        or view.goes_by_match
        or len(view.hand) not in _STEPS
        or len(cards) < 2
    ):
        return None
    hidden = deals(view)
    steps = steps_allowed(control, _A_SECOND)
    if hidden.total > min(_MOST_DEALS, worlds or _MOST_DEALS) or hidden.total * _STEPS[len(view.hand)] > steps:
        return None
    return best_replies(hidden, cards, control, steps, others)


def best_replies(
    dealt: Deals, cards: Sequence[int], control: Control, steps: int, others: Others = "equal"
) -> Whole | None:
    """Return the statistics of each card over all of these deals; None if that takes more than `steps`."""
    turns = SEATS * len(dealt.view.hand)
    game, sizes = dealt.game(others), {"total": dealt.total, "turns": turns, "statistics": STATISTICS}
    return over_all_deals(KERNELS, game, np.array(cards, np.int64), control, steps=steps, **sizes)


# ----------------------------------------------------------------------------------------------------
# The hint, by sampling or over all deals.


# Under `declared_counts`, points include the one for the card set aside.
SAMPLER = Sampler[Round, int](
    game="kirin",
    method="sampled rounds",
    legal_moves=lambda view: view.legal_cards,
    text=lambda _view, card: name(card),
    rollouts=lambda view, cards, seed, others: rounds(deals_by_order(view), cards, seed, others),
    points=lambda view: OWN_POINTS if view.goes_by_match else None,
    unit=lambda view: CHANCE if view.goes_by_match else POINTS,
    because=because,
    policy=played_by,
    ending=all_deals,
    model_error=model_error,
    unknown=unknown,
)
hint = SAMPLER.hint

_A_SMALL_ENDING = 30_000  # nodes are enough for it
_TO_A_SMALL_ENDING = 6 * SEATS + SEATS - 1  # cards played: then the last player to the trick has two left


def warm() -> None:
    """Compile or load every kernel that hints need."""
    for variant in ("declared", "undeclared"):
        view = moves.view(moves.deal(0, variant=variant), 0)
        for worlds in (0, 1):
            hint(view, Control(), worlds=worlds)
    late = moves.deal(0, variant="declared")
    for _ in range(_TO_A_SMALL_ENDING):
        late = moves.play(late, late.legal_cards[0])
    hint(moves.view(late, late.seat_to_move), Control(Limit(nodes=_A_SMALL_ENDING)))


# ----------------------------------------------------------------------------------------------------
# What a seat of Kirin guarantees over all deals that agree with its view.


def deals_of(view: Round, some: int | None = None) -> GuaranteedDeals[State]:
    """Return the deals that agree with a view, without distinguishing who set aside which card.

    If `some` is given, return only about that many of them, evenly spaced. Otherwise raises RequestError if there
    are too many to check them all.
    """
    hidden = deals(view)
    total = hidden.total // hidden.arrangements
    states = []
    for rank in chosen(total, some):
        hands = [view.hand_mask if seat == view.seat else 0 for seat in range(SEATS)]
        for card, box in zip(hidden.cards, hidden.world(rank), strict=True):
            if box < SEATS - 1:  # the last group is set aside
                hands[(view.seat + 1 + box) % SEATS] |= 1 << card
        states.append(CardState(view.past.rules, tuple(hands), view.leader, view.plays, view.past.won))
    return GuaranteedDeals(total, states)


def guaranteed(view: Round, control: Control) -> KirinAnalysis:
    """Return the score that the seat of a view can guarantee with each card, whatever the others hold and play.

    Raises RequestError before the round, for a partly remembered view, for too many deals, and if another seat is
    to move.
    """
    from solver.tricks.analysis import Form, Question, one_score  # slow to import

    if view.choosing or view.in_part:
        message = say("before the round, and with half a memory, there are too many deals to check them all")
        raise RequestError("not_offered", message)
    check_turn(view.seat, view.seat_to_move)
    seat, collected, hidden = view.seat, view.colours[view.seat], deals_of(view)

    def bounds(state: State) -> tuple[int, int]:
        won = score(state, seat, collected)
        return won, won + at_most(state, collected)

    open_rules = Open[State, int](lambda state: state.to_move == seat, State.moves, State.after, bounds)
    moves, won = of_moves(open_rules, hidden, control), bounds(hidden.states[0])[0]
    form, question = Form("kirin", KirinAnalysis, name), Question("paranoid", seat, seat, control)
    return one_score(form, question, moves, high=True, won=won, line=lambda *_: ())
