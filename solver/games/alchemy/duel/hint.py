"""`hint` for the two players of a duel's exchange: the one who grabs first, and the one who grabs second."""

from __future__ import annotations

from collections.abc import Sequence

from solver.common.control import Control
from solver.common.words import counted
from solver.games.alchemy.answers import DuelAnalysis, DuelGrabHint, DuelGrabMove, DuelHint, DuelHintMove
from solver.games.alchemy.cards.deck import cards
from solver.games.alchemy.cards.rules import match_of
from solver.games.alchemy.cards.text import NONE
from solver.games.alchemy.duel.causes import in_exchange, in_race
from solver.games.alchemy.duel.exchange import analyze, grabs
from solver.games.alchemy.duel.winning import Race, race
from solver.games.alchemy.positions.duels import DuelPosition
from solver.games.alchemy.positions.fields import ranks_of
from solver.inputs.errors import RequestError


def hint(
    position: DuelPosition, control: Control, seed: int, worlds: int | None = None
) -> DuelHint | DuelGrabHint:
    """My best move of an exchange: to grab first, and what the other takes then; or after the other has grabbed.

    Of a position with `totals` each move has the chance to win the race, from at most so many sampled decks.
    Raises RequestError where I have nothing to decide.
    """
    if position.over:
        raise RequestError("not_playable", "the round is over: there is nothing to decide", "hand")
    if position.grab is not None:
        if position.seat_to_move:
            raise RequestError("not_playable", "you have grabbed: the opponent is to move", "grabbed")
        return _second(position, control, seed, worlds)
    analysis = analyze(position, control)
    if position.totals is not None:
        return _in_race(position, analysis, control, seed, worlds)
    rows = [
        DuelHintMove(move=m.move, used=m.used, points=m.points, reply=m.reply, swing=m.swing, denies=m.denies)
        for m in analysis.moves
    ]
    best = rows[0]
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
        most = max(rows, key=lambda row: row.points)
        if most.points > best.points:
            reason += f". {most.move} takes more, {most.points}, but then the opponent takes {most.reply}"
        reason += "." + in_exchange(position, rows)
    if theirs.best != "none":
        reason += f" If the opponent grabs first, expect {theirs.best}."
    return DuelHint(
        game="alchemy",
        variant="duel",
        to_move=0,
        exact=True,
        best=best.move,
        moves=tuple(rows),
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
        chance = {} if found is None else found.chance(number)
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
        reason=_race_reason(rows, [row.swing for row in rows]) + _because_in_race(position, found, order, rows),
        method="exchange solved" if found is None else "rounds played out",
        worlds=0 if found is None else found.worlds,
        seed=seed,
        nodes=control.nodes,
        seconds=control.seconds,
    )


def _because_in_race(
    position: DuelPosition,
    found: Race | None,
    order: Sequence[int],
    rows: Sequence[DuelHintMove] | Sequence[DuelGrabMove],
) -> str:
    """What is behind the first move's lead in the race; `order` has the numbers that the moves have there."""
    if found is None or len(rows) < 2:
        return ""
    return in_race(position, found, (order[0], rows[0]), (order[1], rows[1]))


def _race_reason(rows: Sequence[DuelHintMove] | Sequence[DuelGrabMove], worth: Sequence[int]) -> str:
    """Why the first move: its points and, where they are known, its chance in the race.

    `worth` is what each move is worth by the points of this exchange alone.
    """
    best = rows[0]
    deed = "There is no match" if best.move == "none" else f"{best.move} takes {counted(best.points, 'point')}"
    if best.win_probability is None:
        return f"{deed}; there was no time to look at the race."
    error = "error unknown" if best.stderr is None else f"± {100 * best.stderr:.1f}"
    chance = f"the race is won in about {100 * best.win_probability:.1f}% ({error}) of the games played on"
    most = rows[max(range(len(rows)), key=lambda row: worth[row])]
    if max(worth) > worth[0] and most.win_probability is not None:
        chance += f", against {100 * most.win_probability:.1f}% after {most.move}, which is better by points alone"
    likely = rows[max(range(len(rows)), key=lambda row: rows[row].win_probability or 0.0)]
    if likely.win_probability is not None and likely.win_probability > best.win_probability:
        chance += f". {likely.move}, in {100 * likely.win_probability:.1f}%, can't be told apart from it so far"
    return f"{deed}; {chance}."


def _second(position: DuelPosition, control: Control, seed: int, worlds: int | None) -> DuelGrabHint:
    """What to take of what the other has left: the most points or, in a race, what wins it most often."""
    left, (hand, _) = position.left_ranks, position.hands
    choices = sorted(grabs(left, hand, position.table_jokers, position.piles[0]), key=lambda grab: -grab.points)
    control.nodes += len(choices)
    found = None
    if position.totals is not None:
        found = race(position, [grab.move for grab in choices], control, worlds, seed)
    points = [grab.points for grab in choices]
    rows = []
    order = list(range(len(choices))) if found is None else found.order(points)
    for number in order:
        grab, chance = choices[number], {} if found is None else found.chance(number)
        rows.append(
            DuelGrabMove(move=str(grab.move), used=tuple(cards(grab.move.used)), points=grab.points, **chance)
        )
    if position.totals is not None:
        reason = _race_reason(rows, [row.points for row in rows]) + _because_in_race(position, found, order, rows)
    elif rows[0].points:
        reason = f"{rows[0].move} takes {counted(rows[0].points, 'point')}, the most that is left."
        reason += in_exchange(position, rows)
    else:
        reason = "There is no match."
    return DuelGrabHint(
        game="alchemy",
        variant="duel",
        to_move=0,
        exact=position.totals is None,
        best=rows[0].move,
        moves=tuple(rows),
        reason=reason,
        method="exchange solved" if found is None else "rounds played out",
        worlds=0 if found is None else found.worlds,
        seed=seed,
        nodes=control.nodes,
        seconds=control.seconds,
    )
