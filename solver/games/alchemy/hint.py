"""`hint` for alchemy: which move, how often it wins or what it scores, and why, in a sentence."""

from __future__ import annotations

from pydantic import BaseModel

from solver.common.control import Control
from solver.games.alchemy.answers import DuelHint, DuelHintMove, SolitaireHint, SolitaireHintMove
from solver.games.alchemy.cards.deck import cards
from solver.games.alchemy.cards.text import Move
from solver.games.alchemy.duel import exchange
from solver.games.alchemy.hidden_stock.stock import hidden_stock
from solver.games.alchemy.hidden_stock.values import evaluate
from solver.games.alchemy.known_stock import analyze
from solver.games.alchemy.positions.known import DuelPosition, SolitairePosition
from solver.inputs.errors import RequestError
from solver.protocol.answers import Hint

_TIE = 1e-9
MOST_WORLDS = 100_000


def hint(position: BaseModel, control: Control, *, worlds: int | None = None, seed: int = 0) -> Hint:
    """The best move of a solitaire (its stock hidden or known) or of a duel's exchange.

    Raises RequestError for a `free` puzzle, which is analysed, not played, and for too many `worlds`.
    """
    if worlds is not None and not 1 <= worlds <= MOST_WORLDS:
        raise RequestError("out_of_range", f"worlds is from 1 to {MOST_WORLDS}", "worlds")
    if isinstance(position, DuelPosition):
        return _duel(position, control, seed)
    if isinstance(position, SolitairePosition):
        return _solitaire(position, control, worlds, seed)
    raise RequestError("not_playable", "a free puzzle is analyzed, not hinted", "variant")


def _duel(position: DuelPosition, control: Control, seed: int) -> DuelHint:
    found = exchange.analyze(position, control)
    best = found.moves[0]
    theirs = found.if_opponent_first
    if best.move == "none":
        # A match is never worth less: what it leaves can't offer the opponent more than the whole line does.
        reason = "You have no match."
    else:
        reason = f"{best.move} takes {_count(best.points, 'point')}"
        if best.denies:
            reason += " and leaves the opponent without a match"
        else:
            reason += f"; the opponent's best answer, {found.line[1]}, takes {best.reply}"
        most = max(found.moves, key=lambda move: move.points)
        if most.points > best.points:
            reason += f". {most.move} takes more, {most.points}, but then the opponent takes {most.reply}"
        reason += "."
    if theirs.best != "none":
        reason += f" If the opponent grabs first, expect {theirs.best}."
    return DuelHint(
        game="alchemy",
        variant="duel",
        to_move=0,
        exact=True,
        best=best.move,
        moves=tuple(
            DuelHintMove(move=m.move, used=m.used, points=m.points, reply=m.reply, swing=m.swing, denies=m.denies)
            for m in found.moves
        ),
        reason=reason,
        method="exchange solved",
        worlds=0,
        seed=seed,
        nodes=found.nodes,
        seconds=control.seconds,
    )


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def _solitaire(position: SolitairePosition, control: Control, worlds: int | None, seed: int) -> SolitaireHint:
    turn = position.turn
    unseen = position.unseen_ranks
    if turn.hand is None:
        return _answer(position, control, (), "The stock is empty: the game is won.", "rules", 0, seed)
    if not position.hidden:
        return _open_stock(position, control, seed)
    found = evaluate(hidden_stock(position.rules, turn, unseen, seed), control, worlds)
    moves = tuple(
        SolitaireHintMove(
            move=str(chance.move),
            used=tuple(cards(chance.move.used)),
            win_probability=chance.probability,
            stderr=chance.stderr,
            exact=chance.exact,
            clairvoyant=chance.clairvoyant,
            method="rules" if chance.lost else found.method,
        )
        for chance in found.moves
    )
    reason = _reason(moves, found.moves[0].move, position)
    return _answer(position, control, moves, reason, found.method, found.worlds, seed)


def _open_stock(position: SolitairePosition, control: Control, seed: int) -> SolitaireHint:
    """With the stock known, or empty, a move wins or loses: no chance is left."""
    found = analyze.analyze(position, control)
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
        for m in found.moves
    )
    best = found.moves[0]
    if not position.unseen_ranks:
        reason = "The last stock card is in your hand: the game is won, whatever you do."
    elif best.value == "won":
        losing = sum(m.value == "lost" for m in found.moves)
        reason = f"The stock is known: {best.move} wins"
        if len(moves) == 1:
            reason += "; it is the only move."
        elif not all(m.exact for m in found.moves):
            reason += ". The limit ended the search before all other moves were proved."
        else:
            reason += f", {losing} of the {len(moves)} moves lose." if losing else ", and no other move loses."
    elif best.value == "lost":
        reason = f"The stock is known: every move loses; {best.move} leaves the fewest stock cards, {best.left}."
    else:
        reason = "The limit ended the search before any move was proved to win."
    return _answer(position, control, moves, reason, "search", 0, seed)


def _answer(
    position: SolitairePosition,
    control: Control,
    moves: tuple[SolitaireHintMove, ...],
    reason: str,
    method: str,
    worlds: int,
    seed: int,
) -> SolitaireHint:
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


def _percent(move: SolitaireHintMove) -> str:
    if move.exact:
        text = f"{100 * move.win_probability:.4g}%"
        # What is rounded is neither sure nor hopeless.
        if text == "100%" and move.win_probability < 1 - _TIE:
            return "more than 99.99%"
        return text
    digits = 1 if move.stderr >= 0.001 else 2
    return f"about {100 * move.win_probability:.{digits}f}% (± {100 * move.stderr:.{digits}f})"


def _reason(moves: tuple[SolitaireHintMove, ...], best: Move, position: SolitairePosition) -> str:
    """Why the first move: its chance against the next one's, and what it does to the line."""
    top = moves[0]
    rest = list(position.turn.line)
    for rank in best.used:
        rest.remove(rank)
    left = " ".join(cards(sorted(rest)))
    if best.kind == "match":
        deed = f"{top.move} clears {_count(len(best.used), 'line card')} and leaves {left or 'an empty line'}"
    else:
        deed = f"There is no match; {top.move} leaves {left}"
    if top.win_probability == 0 and top.exact:
        return f"{deed}, but no move can win any more."
    if len(moves) == 1:
        return f"{deed}; it is the only move, and wins {_percent(top)} of the time."
    second = moves[1]
    if top.exact and second.exact and top.win_probability - second.win_probability < _TIE:
        ties = sum(top.win_probability - m.win_probability < _TIE for m in moves)
        tied = (
            "all moves do"
            if ties == len(moves)
            else f"so {'does one other move' if ties == 2 else f'do {ties - 1} other moves'}"
        )
        return f"{deed}; it wins {_percent(top)} of the time, and {tied}."
    return f"{deed}; it wins {_percent(top)} of the time, the next best, {second.move}, {_percent(second)}."
