"""`hint` for Aqua Regia: which move to make when the other hands and the stock are hidden.

Worlds are drawn from the deals that agree with the view: uniformly (`deals`), or, where its history shows what the
others did, as likely as they would then have done it (`evidence`, `chain`). In each, every legal move is made and
the game finished by plausible players (`policy`, `rollouts`), the other seats by such of several `kinds`. Where
few deals are left and few cards are held, the best reply over all of them is worked out (`endings`); else the mean
scores lean to what a network finds moves worth (`learned`).

A pass that draws is one move: what to exchange is decided by the plausible player once it knows the card. With
that card given as `drawn`, the exchanges are the moves.
"""

from __future__ import annotations

from collections.abc import Sequence

from solver.common.control import Control, Limit
from solver.games.aqua_regia.cards.rules import Move
from solver.games.aqua_regia.cards.text import text_of
from solver.games.aqua_regia.hints.calibrated import model_error
from solver.games.aqua_regia.hints.causes import because
from solver.games.aqua_regia.hints.endings.replies import all_deals
from solver.games.aqua_regia.hints.games import Games
from solver.games.aqua_regia.hints.in_time import check_time, games_at_once
from solver.games.aqua_regia.hints.learned.alone import chances, prior
from solver.games.aqua_regia.hints.rollouts import LEFT, SCORE, TOOK
from solver.games.aqua_regia.positions import moves
from solver.games.aqua_regia.positions.known import KnownPosition, View
from solver.hints import ranking
from solver.hints.paired import Sums
from solver.hints.ranking import Lead
from solver.hints.sampled import Sampler
from solver.hints.words import alike, chance, of, share
from solver.inputs.errors import RequestError
from solver.protocol.answers import AnySampledHint

_A_SMALL_ENDING = 20_000  # nodes are enough to work one out


def _text(view: View, move: Move) -> str:
    return text_of(view.metals, move)


def _nothing_to_lead(view: View) -> str:
    message = f"seat {view.seat} has nothing to lead in {view.field}: the deal goes on to the left by itself"
    raise RequestError("not_to_move", message, "turn")


def _reason(view: View, moves: Sequence[Move], sums: Sums) -> str:
    """What the games played say for the best move, and nothing that they do not."""
    texts = [_text(view, move) for move in moves]
    means = sums.means
    lead = ranking.lead(sums, len(texts))
    if lead is None:
        often = share(float(means[0, SCORE]))
        return (
            f"{texts[0]} is the only legal move; after it the game is won in {often} of the {of(sums, 'games')}."
        )
    first, second = texts[lead.best], texts[lead.second]
    wins, ahead = _won(sums, lead)
    if not lead.clear:
        return f"After {first} the game is won {wins[0]}; " + alike(texts, sums, ahead, "games")
    text = f"After {first} the game is won {wins[0]}, after the next best, {second}, {wins[1]}"
    took = [float(means[move, TOOK]) for move in (lead.best, lead.second)]
    left = [float(means[move, LEFT]) for move in (lead.best, lead.second)]
    if abs(took[0] - took[1]) >= 0.05:
        games = "the sampled games" if sums.beside else "them"
        text += f"; it wins this trick in {share(took[0])} of {games}, {second} in {share(took[1])}"
    elif left[1] - left[0] >= 0.05:
        text += f"; it leaves {left[0]:.1f} cards at the end on average, {second} {left[1]:.1f}"
    return text + "."


def _won(sums: Sums, lead: Lead) -> tuple[tuple[str, str], str]:
    """How often the game is won after the best move and the next best, and by how much more often, in words."""
    best, second = (float(sums.means[move, SCORE]) for move in (lead.best, lead.second))
    ahead, by = f"{100 * lead.gap:.0f}%", of(sums, "games")
    if sums.beside:
        by = f" by the {by}" if lead.clear else ""  # else what follows says so
        return (f"with a chance of {chance(best)}{by}", f"with a chance of {chance(second)}"), ahead
    return (f"in {share(best)} of the {by}", f"in {share(second)}"), f"{ahead} of them"


SAMPLER = Sampler[View, Move](
    game="aqua-regia",
    method="sampled games",
    legal_moves=moves.legal_moves,
    text=_text,
    rollouts=Games,
    reason=_reason,
    no_moves=_nothing_to_lead,
    games=games_at_once,
    because=because,
    policy=chances,
    ending=all_deals,
    prior=prior,
    model_error=model_error,
)


def hint(
    view: View, control: Control, *, worlds: int | None = None, seed: int = 0, threads: int | None = None
) -> AnySampledHint:
    """`Sampler.reply`. Raises RequestError too for a finished game, and for a deck too large for the limit."""
    if 0 in view.counts:
        winner = view.counts.index(0)
        raise RequestError("game_over", f"the game is over: seat {winner} has no cards left", f"counts[{winner}]")
    if view.seat_to_move == view.seat and control.deadline is not None and worlds != 0:
        check_time(view, control, seed)
    return SAMPLER.reply(view, control, worlds=worlds, seed=seed, threads=threads)


def warm() -> None:
    """Compile or load every kernel."""
    start = moves.deal(0)
    for position in (start, moves.play(start, moves.legal_moves(start)[0])):  # the second has a history
        for worlds in (0, 1):
            hint(moves.view(position, position.seat_to_move), Control(), worlds=worlds)
    few = KnownPosition(game="aqua-regia", hands=(("Li", "Cu"), ("K", "Ag")), field="water", turn=0)
    last = moves.play(few, moves.legal_moves(few)[0])
    hint(moves.view(last, 1), Control(Limit(nodes=_A_SMALL_ENDING)))
