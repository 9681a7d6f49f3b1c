"""`analyze` for Kirin with every card known: every move's value under a model of play by the others."""

from __future__ import annotations

from solver.common.control import Control
from solver.games.kirin.answers import KirinAnalysis, KirinMove, with_more, with_points
from solver.games.kirin.cards.deck import name
from solver.games.kirin.cards.readings import extra_points
from solver.games.kirin.cards.rules import SEATS, State
from solver.games.kirin.positions.declarations import DeclarePosition
from solver.games.kirin.positions.known import KnownPosition
from solver.games.kirin.search.declare import Declaring
from solver.games.kirin.search.instance import PROVERS
from solver.games.kirin.search.maxn import analysis
from solver.games.kirin.search.player_score import player_score
from solver.search.tricks.score_prover import ScoreProver
from solver.tricks.analysis import Form, Question, all_scores, check_model, check_player, one_score, proved
from solver.tricks.maxn import ScoreBounds

FORM = Form("kirin", KirinAnalysis, KirinMove, name)


def analyze(
    position: KnownPosition | DeclarePosition,
    control: Control,
    *,
    model: str | None = None,
    player: int | None = None,
) -> KirinAnalysis:
    """The values of all moves, the best for the seat to move first: exact, or bounds where the limit came first.

    Raises RequestError for a model or a player that there is not.
    """
    model = check_model(model)
    seat = position.seat_to_move
    question = Question(model, check_player(player, seat, SEATS), seat, control)
    with PROVERS.lend() as prover:
        if model == "maxn":
            found = _everybody(position, question, prover)
        elif isinstance(position, DeclarePosition):
            found = _declaring(position, question, prover)
        else:
            found = _playing(position, question, prover)
    extra = extra_points(position.rules)
    return with_points(found, extra) if extra else found


def _playing(position: KnownPosition, question: Question, prover: ScoreProver) -> KirinAnalysis:
    search = player_score(
        prover,
        position.state,
        position.colours[question.player],
        question.player,
        allies=question.model == "ally",
        control=question.control,
    )
    return one_score(
        FORM,
        question,
        search.moves(name, extra_points(position.rules)),
        high=search.maximises(search.start),
        won=search.won,
        line=lambda card, score: search.line(search.after(search.start, card), score),
    )


def _declaring(position: DeclarePosition, question: Question, prover: ScoreProver) -> KirinAnalysis:
    search = Declaring(prover, question.player, allies=question.model == "ally", control=question.control)
    return one_score(
        FORM,
        question,
        search.moves(position),
        high=search.maximises(position.seat),
        won=0,
        line=lambda _, score: search.line(position, score)[1:],
    )


def _everybody(
    position: KnownPosition | DeclarePosition, question: Question, prover: ScoreProver
) -> KirinAnalysis:
    found: dict[int, ScoreBounds] = {}
    extra = extra_points(position.rules)
    with question.control.telling(lambda: proved(name, found, lambda value: with_more(value, extra))):
        if isinstance(position, KnownPosition):
            moves, line = analysis.of_state(position.state, position.colours, question.control, prover, found)
            return all_scores(FORM, question, moves, scores=position.points, line=line)
        moves, line = analysis.of_declaring(position, question.control, prover, found)
        return all_scores(FORM, question, moves, scores=(0,) * SEATS, line=line)


def warm() -> None:
    """Compile or load every kernel."""
    hands = (1 << 2 | 1 << 9, 1 << 3 | 1 << 10, 1 << 4 | 1 << 11, 1 << 5 | 1 << 12)
    state = State(hands)
    with PROVERS.lend() as prover:
        search = player_score(prover, state, 0, 0, allies=False, control=Control())
        card, (score, _) = next(iter(search.moves().items()))
        search.maximises(search.start)
        search.bounds(search.start)
        search.line(search.after(search.start, card), score)
    analysis.warm(state)
