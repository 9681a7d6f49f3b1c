"""The analysis under `maxn`: every move's scores by the memo, or bounds by what each seat can be held to."""

from __future__ import annotations

from dataclasses import dataclass

from solver.common.control import Control
from solver.common.masks import members
from solver.games.kirin.cards.rules import SEATS, Masks, State, legal_moves, play, points
from solver.games.kirin.positions.declarations import DeclarePosition
from solver.games.kirin.positions.known import KnownPosition
from solver.games.kirin.search.maxn.memo import Memo, complete, fits, line
from solver.games.kirin.search.maxn.parts import worth
from solver.games.kirin.search.player_score import player_score
from solver.inputs.errors import RequestError
from solver.search.budget import Part
from solver.search.tricks.score_prover import ScoreProver
from solver.tricks.maxn import ScoreBounds, bracket, merit, possible
from solver.tricks.player_score import PlayerScore

_MEMO_SHARE = 0.7  # of a limit; the rest is for bounds, should the memo not be full by then


def of_state(
    state: State, colours: Masks, control: Control, prover: ScoreProver, found: dict[int, ScoreBounds]
) -> tuple[dict[int, ScoreBounds], list[int]]:
    """The bounds of all seats' scores after every legal card, and the line of play.

    What is proved by then is in `found` meanwhile. The line is empty when the round is over and when the scores
    are not exact. Where the memo of the whole state is too large, bounds come first, and then the scores of one
    card after the other while there is time.
    """
    if state.over:
        return {}, []
    memo = Memo(state, colours)
    if not fits(memo):
        del memo
        return _by_parts(state, colours, control, prover, found)
    if complete(memo, Part(control, _MEMO_SHARE)):
        before = points(state.won, colours)
        bounds: dict[int, ScoreBounds] = {}
        for card, scores in memo.moves(state):
            total = tuple(old + new for old, new in zip(before, scores, strict=True))
            bounds[card] = (total, total)
        return bounds, line(memo, state)
    del memo
    bounded(state, colours, control, prover, found)
    return found, []


def _by_parts(
    state: State, colours: Masks, control: Control, prover: ScoreProver, found: dict[int, ScoreBounds]
) -> tuple[dict[int, ScoreBounds], list[int]]:
    bounded(state, colours, control, prover, found)
    lines: dict[int, list[int]] = {}
    for card in found:
        solved = worth(play(state, card), colours, Part(control))
        if solved is None:
            return found, []
        scores, lines[card] = solved
        found[card] = (scores, scores)
    best = max(found, key=lambda card: merit(found[card][0], state.to_move))  # the first of equals: canonical
    return found, [best, *lines[best]]


@dataclass(frozen=True)
class _AfterCard:
    """One seat's score after each card that may be played now."""

    search: PlayerScore[int]

    def widest(self, card: int) -> tuple[int, int]:
        return self.search.widest(self.search.after(self.search.start, card))

    def bounds(self, card: int, guess: int | None) -> tuple[int, int]:
        return self.search.bounds(self.search.after(self.search.start, card), guess)


def bounded(
    state: State, colours: Masks, control: Control, prover: ScoreProver, found: dict[int, ScoreBounds]
) -> None:
    """Put the bounds of all seats' scores after every legal card into `found`.

    A seat gets at least what it can guarantee against all others, and at most what it reaches with their help.
    """

    def score_of(seat: int, allies: bool) -> _AfterCard:
        return _AfterCard(player_score(prover, state, colours[seat], seat, allies=allies, control=control))

    bracket(legal_moves(state), SEATS, score_of, found)


def of_declaring(
    position: DeclarePosition, control: Control, prover: ScoreProver, values: dict[int, ScoreBounds]
) -> tuple[dict[int, ScoreBounds], list[int]]:
    """The bounds of each card that the asked seat may set aside, the last seat to do so.

    They are put into `values` card by card. Raises RequestError when other seats have yet to set a card aside as
    well.
    """
    seat = position.seat
    if sum(card is None for card in position.declared_cards) > 1:
        message = "several seats have yet to set a card aside: maxn has no value for choices made at once"
        raise RequestError("undeclared", message, "declared")
    best: list[int] = []
    for card in members(position.masks[seat]):
        after = position.after(card)
        assert isinstance(after, KnownPosition)
        inner, play_line = of_state(after.state, after.colours, control, prover, {})
        lead = after.seat_to_move
        value = possible(inner.values(), lead)
        exact = [bounds for bounds in inner.values() if bounds[0] == bounds[1]]
        if len(exact) == len(inner):
            top = max((bounds[0] for bounds in exact), key=lambda scores: merit(scores, lead))
            value = (top, top)
        if value[0] == value[1] and all(
            merit(value[0], seat) > merit(other[1], seat) for other in values.values()
        ):
            best = [card, *play_line]
        values[card] = value
    return values, best if all(low == high for low, high in values.values()) else []


def warm(state: State) -> None:
    """Compile or load the memo's kernel."""
    complete(Memo(state, (0, 0, 0, 0)), Part(Control()))
