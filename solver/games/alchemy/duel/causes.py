"""What may be behind the lead of a duel's move: a card that the other lacks then, a joker, the aces, the race.

In an exchange by itself everything lies open, and each cause is a change of this exchange. In a race both moves
are played on in the same decks (`winning`), and a cause is what happens there, or what other points would change.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from solver.common.words import counted
from solver.games.alchemy.answers import DuelGrabMove, DuelHintMove
from solver.games.alchemy.cards.deck import COPIES, JOKER, card, points
from solver.games.alchemy.cards.rules import JOKER_POINTS, WINNING_TOTAL
from solver.games.alchemy.cards.text import NONE
from solver.games.alchemy.duel.exchange import grabs
from solver.games.alchemy.duel.winning import Race
from solver.games.alchemy.positions.duels import DuelPosition
from solver.games.alchemy.positions.fields import ranks_of
from solver.hints.causes import Cause, Noted, amount, beyond_doubt, shown, told
from solver.hints.ranking import Lead
from solver.hints.words import share

_ACE = 1
_FOUR_ACES = points([_ACE] * COPIES) - COPIES  # what they are worth together beside their own points
_REST = 0.5  # the share of the lead that may be left without the cause
_WHOLE = 0.1  # a chance from which on percentages need no digits


class _Change(NamedTuple):
    """What one move does and the other does not, in a clause, and the points that it makes for either player."""

    what: str
    mine: int = 0
    theirs: int = 0

    @property
    def points(self) -> int:
        return self.mine - self.theirs


_Row = DuelHintMove | DuelGrabMove


def in_exchange(position: DuelPosition, rows: Sequence[_Row]) -> str:
    """What is behind a lead of points, as a sentence with a space before it; empty where nothing shows.

    The lead is that of the first move over the next that is worth less; or, for jokers and aces, over the first
    match that would be as good without them.
    """
    best = rows[0]
    behind = [row for row in rows if _worth(row) < _worth(best)]
    for second in behind:
        lead = _worth(best) - _worth(second)
        near = second is behind[0]
        changes = [*_own(position, best, second), *(_denied(position, best, second) if near else ())]
        found = max(changes, key=lambda change: change.points, default=None)
        left = lead - (found.points if found else 0)
        if found and left <= (_REST * lead if near else 0) and (near or second.used):
            return _told(found, left, lead, second)
    return ""


def _told(found: _Change, left: int, lead: int, second: _Row) -> str:
    if left:
        rest = f"{counted(abs(left), 'point')} {'more' if left > 0 else 'less'} than {second.move}"
    else:
        rest = f"as much as {second.move}"
    return f" This is because {found.what}: else it would be worth {rest}, and not {counted(lead, 'point')} more."


def in_race(position: DuelPosition, race: Race, best: tuple[int, _Row], second: tuple[int, _Row]) -> str:
    """What is behind a clear lead in chances, as a sentence with a space before it; empty where nothing shows.

    The moves have their numbers in the race before them.
    """
    if not race.leads(best[0], second[0]):
        return ""
    places = [best[0], second[0]]
    scores = race.results[:, places]
    leads = scores[:, 0] - scores[:, 1]
    lead = float(leads.mean())
    noted = Noted(scores, np.zeros((len(scores), 0), np.int64), np.arange(len(scores)))
    digits = 0 if lead >= _WHOLE else 1
    found = shown(noted, Lead(0, 1, lead, 0.0), [*_in_decks(race, best, second)])
    text, left = told(found, "%", "decks", digits), np.inf if found is None else abs(found.outside)
    for change in (*_own(position, best[1], second[1]), *_denied(position, best[1], second[1])):
        made = scores[:, 0] - race.with_points(best[0], -change.mine, -change.theirs)
        rest = lead - float(made.mean())
        if beyond_doubt(noted, made) and rest <= _REST * lead and abs(rest) < left:
            less, over = amount(lead - rest, "%", digits), amount(rest, "%", digits)
            text = (
                f" This is because {change.what}: else it would win {less} less often, "
                f"and the lead over {second[1].move} would be {over}."
            )
            left = abs(rest)
    return text


def _in_decks(race: Race, best: tuple[int, _Row], second: tuple[int, _Row]) -> Iterator[Cause]:
    """What happens to the end of the round in more decks after the one move than after the other."""

    def causes(happens: NDArray[np.bool_], what: str) -> Iterator[Cause]:
        for player, who in enumerate(("the player to move", "the opponent")):
            after, other = (happens[:, number, player] for number, _ in (best, second))
            often, less = (share(float(one.mean())) for one in (after, other))
            text = f"{who} {what} in {often} of the decks after {best[1].move}, in {less} after {second[1].move}"
            for_me = player == 0
            yield Cause(text, *((after & ~other, other & ~after) if for_me else (other & ~after, after & ~other)))

    reached = race.ended >= WINNING_TOTAL
    yield from causes(reached, "reaches 100 points in this round")
    yield from causes(race.aces >= COPIES, "collects the four aces")
    yield from causes(race.jokers > 0, "collects a joker")


def _worth(row: _Row) -> int:
    return row.points - _reply(row)


def _reply(row: _Row) -> int:
    """What the other takes then; nothing where the other has grabbed before."""
    return row.reply if isinstance(row, DuelHintMove) else 0


def _own(position: DuelPosition, best: _Row, second: _Row) -> Iterator[_Change]:
    """The jokers that the best move alone takes, and the four aces that it alone completes."""
    jokers = position.table_jokers + (position.hands[0] == JOKER)
    if jokers and best.used and not second.used:
        what = "the joker" if jokers == 1 else f"{jokers} jokers"
        yield _Change(f"{best.move} brings {what}", mine=JOKER_POINTS * jokers)
    if _completes(position, best) and not _completes(position, second):
        yield _Change(f"{best.move} completes the four aces", mine=_FOUR_ACES)


def _completes(position: DuelPosition, row: _Row) -> bool:
    """Whether a match brings the fourth ace."""
    held = position.piles[0].count(_ACE)
    taken = ranks_of(row.used).count(_ACE) + (position.hands[0] == _ACE) if row.used else 0
    return held < COPIES <= held + taken


def _denied(position: DuelPosition, best: _Row, second: _Row) -> Iterator[_Change]:
    """What the other lacks after the best move: a card, put back to see what it would bring; or all in all."""
    if position.grab is not None or not best.used:
        return
    used, others, reply = ranks_of(best.used), ranks_of(second.used), _reply(best)
    left = list(position.line_ranks)
    for rank in used:
        left.remove(rank)
    takes = f"takes only {reply}" if reply else "has no match"
    for rank in dict.fromkeys(used):
        if used.count(rank) > others.count(rank) and not position.table_jokers:
            answers = grabs([*left, rank], position.hands[1], 0, position.piles[1])
            answer = max(answers, key=lambda grab: grab.points)
            if answer.move is not NONE and answer.points > reply:
                what = f"{answer.move} would take {counted(answer.points, 'point')}"
                yield _Change(
                    f"{best.move} takes the {card(rank)} without which the opponent {takes}; with it {what}",
                    theirs=reply - answer.points,
                )
    if _reply(second) > reply:
        yield _Change(
            f"the opponent {takes} after {best.move}, and takes {_reply(second)} after {second.move}",
            theirs=reply - _reply(second),
        )
