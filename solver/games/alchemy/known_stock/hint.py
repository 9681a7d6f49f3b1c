"""`hint` for a solitaire whose stock is known, or empty: a move wins or loses, and no chance is left."""

from __future__ import annotations

from solver.common.control import Control
from solver.games.alchemy.answers import SolitaireHint, SolitaireHintMove
from solver.games.alchemy.known_stock import analyze
from solver.games.alchemy.positions.known import SolitairePosition


def hint(position: SolitairePosition, control: Control, seed: int) -> SolitaireHint:
    """The moves of a turn, the best first, and the reason for the best one.

    Moves that the limit left unsolved are not exact. A game that is won has no moves.
    """
    if position.turn.hand is None:
        won = "The stock is empty: the game is won."
        lost = "The line is too short to be played with, and the stock is not empty: the game is lost."
        return answer(position, control, (), won if position.turn.won else lost, seed=seed)
    analysis = analyze.analyze(position, control)
    moves = tuple(
        SolitaireHintMove(
            move=m.move,
            used=m.used,
            win_probability=float(m.value == "won") if m.exact else 0.5,
            stderr=0.0 if m.exact else 0.5,
            exact=m.exact,
            clairvoyant=float(m.value == "won") if m.exact else None,
            method="search",
        )
        for m in analysis.moves
    )
    best = analysis.moves[0]
    if not position.unseen_ranks:
        reason = "The last stock card is in your hand: the game is won, whatever you do."
    elif best.value == "won":
        losing = sum(m.value == "lost" for m in analysis.moves)
        reason = f"The stock is known: {best.move} wins"
        if len(moves) == 1:
            reason += "; it is the only move."
        elif not all(m.exact for m in analysis.moves):
            reason += ". The limit ended the search before all other moves were proved."
        else:
            reason += f", {losing} of the {len(moves)} moves lose." if losing else ", and no other move loses."
    elif best.value == "lost":
        reason = f"The stock is known: every move loses; {best.move} leaves the fewest stock cards, {best.left}."
    else:
        reason = "The limit ended the search before any move was proved to win."
    return answer(position, control, moves, reason, method="search", seed=seed)


def answer(
    position: SolitairePosition,
    control: Control,
    moves: tuple[SolitaireHintMove, ...],
    reason: str,
    *,
    method: str = "rules",
    worlds: int = 0,
    seed: int,
) -> SolitaireHint:
    """The answer to a question about a solitaire, made from what is known of its moves, the best first."""
    return SolitaireHint(
        game="alchemy",
        variant=position.variant,
        to_move=0,
        exact=all(move.exact for move in moves),
        best=moves[0].move if moves else None,
        moves=moves,
        reason=reason,
        method=method,
        worlds=worlds,
        seed=seed,
        nodes=control.nodes,
        seconds=control.seconds,
    )
