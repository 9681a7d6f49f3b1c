"""`analyze` for King × Alchemy with every card known: every move's value under a model of play by the others."""

from __future__ import annotations

from functools import partial

from solver.common.control import Control, Limit
from solver.common.masks import members
from solver.games.king.answers import KingAnalysis, KingMove
from solver.games.king.cards.deck import Deck
from solver.games.king.cards.deck_data import house
from solver.games.king.cards.rules import Move, State, play
from solver.games.king.cards.text import move_text
from solver.games.king.compounding.best import bonus_bounds
from solver.games.king.fast_rules.encode import deal_words
from solver.games.king.fast_rules.kernel import STALLED
from solver.games.king.positions.known import KnownPosition
from solver.games.king.search.budget import proof_share
from solver.games.king.search.instance import PROVERS
from solver.games.king.search.maxn import analysis
from solver.games.king.search.mcts import estimate, sampled
from solver.games.king.search.player_score import PlayerScore, score_bounds
from solver.games.king.search.relief import relieve
from solver.search.tricks.fail_soft_prover import FailSoftProver
from solver.tricks.analysis import (
    Form,
    Means,
    Question,
    all_scores,
    answer,
    check_model,
    check_player,
    one_score,
    proved,
)
from solver.tricks.maxn import ScoreBounds


def analyze(
    position: KnownPosition, control: Control, *, model: str | None = None, player: int | None = None
) -> KingAnalysis:
    """The values of all moves, the best for the seat to move first: exact, or bounds where the limit came first.

    Raises RequestError for a model or a player that there is not.
    """
    model = check_model(model)
    state = position.state
    question = Question(model, check_player(player, state.to_move, state.players), state.to_move, control)
    if state.over:
        return _over(state, question)
    with PROVERS.lend(control.seconds_left()) as prover:
        return (_everybody if model == "maxn" else _one)(state, question, prover)


def _form(deck: Deck) -> Form[KingAnalysis, Move]:
    return Form("king", KingAnalysis, KingMove, lambda move: move_text(deck, move))


def _over(state: State, question: Question) -> KingAnalysis:
    """The scores at the end of the round: nothing but compounding is left."""

    def score(seat: int) -> tuple[int, int]:
        pile = state.won[seat]
        vp = state.deck.vp(pile)
        least, most = bonus_bounds(state.deck, list(members(pile)), question.control)
        return vp + least, vp + most

    if question.model != "maxn":
        return answer(_form(state.deck), question, {}, score(question.player), (), ())
    least, most = zip(*map(score, range(state.players)), strict=True)
    return answer(_form(state.deck), question, {}, (least, most), (), ())


def _one(state: State, question: Question, prover: FailSoftProver) -> KingAnalysis:
    control, player = question.control, question.player
    search = PlayerScore(prover, state, player, allies=question.model == "ally", control=control)
    with control.telling(lambda: proved(partial(move_text, state.deck), search.found)):
        moves = search.moves(proof_share(state))
        exact = all(least == most for least, most in moves.values())
        return one_score(
            _form(state.deck),
            question,
            moves,
            high=search.maximises(state),
            won=score_bounds(state.deck, state.won[player])[0],
            line=lambda move, worth: search.line(play(state, move), worth),
            means=None if exact else _means(state, question, player),
        )


def _everybody(state: State, question: Question, prover: FailSoftProver) -> KingAnalysis:
    found: dict[Move, ScoreBounds] = {}
    with question.control.telling(lambda: proved(partial(move_text, state.deck), found)):
        moves, line = analysis.of_state(state, question.control, prover, found)
    exact = all(low == high for low, high in moves.values())
    return all_scores(
        _form(state.deck),
        question,
        moves,
        scores=tuple(score_bounds(state.deck, pile)[0] for pile in state.won),
        line=line,
        means=None if exact else _means(state, question, state.to_move),
    )


def _means(state: State, question: Question, seat: int) -> Means[Move]:
    """A seat's mean score by each move, over games sampled in what is left of the limit."""
    means = sampled(state, question.player, question.model, question.control)
    return lambda move, bounds: estimate(means, move, seat, bounds)


def warm() -> None:
    """Compile or load every kernel."""
    state = State(house(), (0b11, 0b1100, 0b110000), 0, (), (0, 0, 0))
    with PROVERS.lend() as prover:
        PlayerScore(prover, state, 0, allies=False, control=Control()).moves()
        analysis.of_state(state, Control(), prover, {})
        prover.search.stalled(prover.deal)  # asked only where a question goes on
    deal = deal_words(state, 0, allies=False)
    deal[STALLED] = state.won[0] | state.hands[0]
    relieve(state.deck, deal, Control())
    sampled(state, 0, "maxn", Control(Limit(nodes=1000)))
