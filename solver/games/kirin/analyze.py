"""`analyze` for Kirin with every card known: every move's value under a model of the others' play."""

from __future__ import annotations

from solver.common import members
from solver.games.kirin import maxn
from solver.games.kirin.deck import name
from solver.games.kirin.position import (
    DeclarePosition,
    KirinAnalysis,
    KirinMove,
    KnownPosition,
    with_more,
    with_points,
)
from solver.games.kirin.rules import SEATS, State, extra_points
from solver.games.kirin.search import PROVERS, player_score
from solver.limits import Control
from solver.search.score_search import ScoreProver
from solver.tricks.analysis import (
    Form,
    PlayerScore,
    Question,
    ScoreBounds,
    all_scores,
    check_model,
    check_player,
    narrow,
    one_score,
    proved,
)

# ----------------------------------------------------------------------------------------------------
# Which card to set aside before the round, with all hands known: one player's score, by yes-no questions.
#
# The seats that have not set a card aside do so one after another, clockwise from the asked one, each seeing what
# was set aside: against the player under `paranoid`, so the score is guaranteed, and for the player under `ally`.


class Declaring:
    """The score that `player` reaches from a position in which some seats have yet to set a card aside."""

    def __init__(self, prover: ScoreProver, player: int, *, allies: bool, control: Control) -> None:
        self._prover = prover
        self._player = player
        self._allies = allies
        self._control = control
        self._first: dict[int, int] = {}  # the card that last decided a question, by seat

    def maximises(self, seat: int) -> bool:
        return self._allies or seat == self._player

    def round(self, position: KnownPosition) -> PlayerScore[int]:
        """The search of the round that begins with `position`."""
        return player_score(
            self._prover,
            position.state,
            position.colours[self._player],
            self._player,
            allies=self._allies,
            control=self._control,
        )

    def reaches(self, position: DeclarePosition | KnownPosition, score: int) -> bool | None:
        """Whether the player's score is at least `score`; None if the limit was reached."""
        if isinstance(position, KnownPosition):
            search = self.round(position)
            return search.reaches(search.start, score)
        seat = position.seat
        wanted = self.maximises(seat)
        hand = list(members(position.masks[seat]))
        if self._first.get(seat) in hand:
            hand.insert(0, hand.pop(hand.index(self._first[seat])))
        for card in hand:
            answer = self.reaches(position.after(card), score)
            if answer is None:
                return None
            if answer is wanted:
                self._first[seat] = card
                return answer
        return not wanted

    def bounds(self, position: DeclarePosition | KnownPosition, guess: int | None) -> tuple[int, int]:
        """The score's bounds, equal unless the limit was reached."""
        return narrow(lambda score: self.reaches(position, score), 0, 8, 1 if guess is None else guess)

    def moves(self, position: DeclarePosition) -> dict[int, tuple[int, int]]:
        """The bounds of the score after each card that the asked seat may set aside, in canonical order."""
        bounds: dict[int, tuple[int, int]] = {}
        guess: int | None = None
        for card in members(position.masks[position.seat]):
            bounds[card] = self.bounds(position.after(card), guess)
            guess = bounds[card][0]
        return bounds

    def line(self, position: DeclarePosition | KnownPosition, score: int) -> list[int]:
        """The cards set aside and then played in best play by both sides, from a position whose score is `score`.

        The line ends early if the limit is reached.
        """
        cards: list[int] = []
        while isinstance(position, DeclarePosition):
            for card in members(position.masks[position.seat]):
                after = position.after(card)
                if self.maximises(position.seat):
                    keeps = self.reaches(after, score)
                else:
                    kept = self.reaches(after, score + 1)
                    keeps = None if kept is None else not kept
                if keeps is None:
                    return cards
                if keeps:
                    break
            cards.append(card)
            position = after
        search = self.round(position)
        return cards + search.line(search.start, score)


FORM = Form("kirin", KirinAnalysis, KirinMove, name)


def analyze(
    position: KnownPosition | DeclarePosition,
    control: Control,
    *,
    model: str | None = None,
    player: int | None = None,
) -> KirinAnalysis:
    """The values of all moves, best first for the seat to move: exact, or bounds if the limit was reached.

    Raises RequestError for an unknown model or player.
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
            moves, line = maxn.of_state(position.state, position.colours, question.control, prover, found)
            return all_scores(FORM, question, moves, scores=position.points, line=line)
        moves, line = maxn.of_declaring(position, question.control, prover, found)
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
    maxn.warm(state)
