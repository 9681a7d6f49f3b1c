"""`hint` for the two players of a duel's exchange: the one who grabs first, and the one who grabs second."""

from __future__ import annotations

from collections.abc import Sequence

from solver.common.control import Control
from solver.common.words import counted
from solver.games.alchemy.answers import DuelAnalysis, DuelGrabHint, DuelGrabMove, DuelHint, DuelHintMove
from solver.games.alchemy.cards.deck import cards
from solver.games.alchemy.cards.rules import match_of
from solver.games.alchemy.cards.text import NONE
from solver.games.alchemy.duel.exchange import Grab, analyze
from solver.games.alchemy.duel.winning import race
from solver.games.alchemy.positions.fields import ranks_of
from solver.games.alchemy.positions.known import DuelPosition


def hint(position: DuelPosition, control: Control, seed: int, worlds: int | None = None) -> DuelHint:
    """The best move of an exchange for the player who grabs first, and what the other takes then.

    Of a position with `totals` each move has the chance to win the race, from at most so many sampled decks.
    """
    analysis = analyze(position, control)
    if position.totals is not None:
        return _in_race(position, analysis, control, seed, worlds)
    best = analysis.moves[0]
    theirs = analysis.if_opponent_first
    if best.move == "none":
        # A match is never worth less: what it leaves can't offer the opponent more than the whole line does.
        reason = "There is no match."
    else:
        reason = f"{best.move} takes {counted(best.points, 'point')}"
        if best.denies:
            reason += " and leaves the opponent without a match"
        else:
            reason += f"; the opponent's best answer, {analysis.line[1]}, takes {best.reply}"
        most = max(analysis.moves, key=lambda move: move.points)
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
            for m in analysis.moves
        ),
        reason=reason,
        method="exchange solved",
        worlds=0,
        seed=seed,
        nodes=analysis.nodes,
        seconds=control.seconds,
    )


def _in_race(
    position: DuelPosition, analysis: DuelAnalysis, control: Control, seed: int, worlds: int | None
) -> DuelHint:
    """The moves by their chance to win the race, beside the points of this exchange."""
    moves = [match_of(ranks_of(m.used), position.hands[0]) or NONE for m in analysis.moves]
    found = race(position, moves, control, worlds, seed)
    order = list(range(len(moves))) if found is None else found.order([m.swing for m in analysis.moves])
    rows = []
    for number in order:
        m = analysis.moves[number]
        chance = {}
        if found is not None:
            chance["win_probability"] = round(float(found.means[number]), 9)
            chance["stderr"] = round(float(found.errors[number]), 9)
        rows.append(
            DuelHintMove(
                move=m.move, used=m.used, points=m.points, reply=m.reply, swing=m.swing, denies=m.denies, **chance
            )
        )
    return DuelHint(
        game="alchemy",
        variant="duel",
        to_move=0,
        exact=False,
        best=rows[0].move,
        moves=tuple(rows),
        reason=_race_reason(rows),
        method="exchange solved" if found is None else "rounds played out",
        worlds=0 if found is None else found.worlds,
        seed=seed,
        nodes=control.nodes,
        seconds=control.seconds,
    )


def _race_reason(rows: Sequence[DuelHintMove]) -> str:
    """Why the first move: its points and, where they are known, its chance in the race."""
    best = rows[0]
    deed = "There is no match" if best.move == "none" else f"{best.move} takes {counted(best.points, 'point')}"
    if best.win_probability is None or best.stderr is None:
        return f"{deed}; there was no time to look at the race."
    chance = (
        f"the race is won in about {100 * best.win_probability:.1f}% (± {100 * best.stderr:.1f}) of its ways on"
    )
    most = max(rows, key=lambda row: row.swing)
    if most.swing > best.swing and most.win_probability is not None:
        chance += f", against {100 * most.win_probability:.1f}% after {most.move}, which is better by points alone"
    return f"{deed}; {chance}."


def second_hint(choices: Sequence[Grab], seat: int, control: Control, seed: int) -> DuelGrabHint:
    """The match that scores most: nothing that this player leaves is of use to the other in the exchange.

    `choices` are what the player in `seat` may do once the other has grabbed, at least to decline.
    """
    grabs = sorted(choices, key=lambda grab: -grab.points)
    control.nodes += len(grabs)
    best = grabs[0]
    reason = "There is no match."
    if best.points:
        reason = f"{best.move} takes {best.points} point{'s' * (best.points != 1)}, the most that is left."
    return DuelGrabHint(
        game="alchemy",
        variant="duel",
        to_move=seat,
        exact=True,
        best=str(best.move),
        moves=tuple(
            DuelGrabMove(move=str(grab.move), used=tuple(cards(grab.move.used)), points=grab.points)
            for grab in grabs
        ),
        reason=reason,
        method="exchange solved",
        worlds=0,
        seed=seed,
        nodes=control.nodes,
        seconds=control.seconds,
    )
