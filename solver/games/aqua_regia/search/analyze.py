"""`analyze` for Aqua Regia with every card known: who can go out first, by every move.

What is not proved by the limit gets bounds [0, 1] and the estimate of a Monte-Carlo tree search.
"""

from __future__ import annotations

from solver.common.control import Bounded, Control, Limit
from solver.games.aqua_regia.answers import AquaAnalysis, AquaMove
from solver.games.aqua_regia.cards.deck import AQUA_REGIA, Deck
from solver.games.aqua_regia.cards.deck_data import house
from solver.games.aqua_regia.cards.rules import State
from solver.games.aqua_regia.cards.text import text_of
from solver.games.aqua_regia.fast_rules.encode import MODELS
from solver.games.aqua_regia.fast_rules.switches import ALL_SWITCHES
from solver.games.aqua_regia.positions.known import KnownPosition
from solver.games.aqua_regia.search.instance import PROVERS
from solver.games.aqua_regia.search.mcts import Chance, chances
from solver.games.aqua_regia.search.outcome import Outcomes
from solver.games.aqua_regia.search.proving import Known, Proving
from solver.inputs.errors import RequestError
from solver.tricks.plain.answers import Bounds


def analyze(
    position: KnownPosition,
    control: Control,
    *,
    model: str | None = None,
    player: int | None = None,
    switches: int = ALL_SWITCHES,
) -> AquaAnalysis:
    """The values of all moves, the best for the seat to move first: exact, or bounds where the limit came first.

    Raises RequestError for a model or a player that there is not, and for more metals in play than the search
    can hold.
    """
    model = "paranoid" if model is None else model
    if model not in MODELS:
        raise RequestError("unknown_value", f"unknown model {model!r}; expected {', '.join(MODELS)}", "model")
    state = position.state
    player = state.turn if player is None else player
    if not 0 <= player < state.seats:
        raise RequestError("out_of_range", f"player is a seat, 0 to {state.seats - 1}", "player")
    if state.winner is not None:
        return _finished(state, control, model, player)
    with PROVERS.lend() as prover:
        outcomes = Outcomes(prover, position.metals, state, model, control, switches=switches)
        others = [(state.turn + step) % state.seats for step in range(state.seats)]
        proving = Proving(outcomes, others if model == "maxn" else [player])
        estimates: dict[int, Chance] = {}
        with control.telling(lambda: _proved(position.metals, outcomes, proving, model, player)):
            proving.run()
            if not proving.decided:
                estimates = chances(outcomes, proving.undecided_moves, proving.asked)
        answer = _Answer(position.metals, state, model, player, outcomes, proving, estimates)
        return answer.made(control)


def _finished(state: State, control: Control, model: str, player: int) -> AquaAnalysis:
    """The answer to a game that is over."""
    scores = tuple(int(seat == state.winner) for seat in range(state.seats))
    value = scores if model == "maxn" else scores[player]
    return AquaAnalysis(
        game="aqua-regia",
        model=model,
        player=player,
        to_move=state.turn,
        exact=True,
        value=value,
        bounds=(scores, scores) if model == "maxn" else (scores[player], scores[player]),
        best=None,
        moves=(),
        line=(),
        nodes=control.nodes,
        seconds=control.seconds,
    )


def _bounds(known: Known, model: str, player: int, seats: int) -> Bounds:
    """The least and the most that is known of a value."""
    if model != "maxn":
        sure = known.get(player)
        return (0 if sure is None else int(sure)), (1 if sure is None else int(sure))
    return tuple(int(known.get(seat, False)) for seat in range(seats)), tuple(
        int(known.get(seat, True)) for seat in range(seats)
    )


def _proved(deck: Deck, outcomes: Outcomes, proving: Proving, model: str, player: int) -> list[Bounded]:
    """What is proved of each move by now."""
    return [
        Bounded(text_of(deck, outcomes.move(move)), _bounds(known, model, player, outcomes.seats))
        for move, known in proving.moves.items()
    ]


class _Answer:
    """What was proved, in the terms of the public answer."""

    def __init__(
        self,
        deck: Deck,
        state: State,
        model: str,
        player: int,
        outcomes: Outcomes,
        proving: Proving,
        chances: dict[int, Chance],
    ) -> None:
        self._deck = deck
        self._state = state
        self._model = model
        self._player = player
        self._proving = proving
        self._outcomes = outcomes
        self._chances = chances
        self._ranked = sorted(proving.moves, key=self._badness)  # stable: canonical order on ties
        self._value = self._bounds(proving.position)

    def _badness(self, move: int) -> tuple[int, int]:
        """What the seat to move sorts by: what it wants, what is open, what it does not want.

        Of open moves the most searched comes first: the tree search spends its games where it finds the best.
        """
        answer = self._proving.moves[move].get(self._proving.asked)
        if answer is None:
            return 1, -self._chances[move].games if move in self._chances else 0
        return (0 if answer is self._proving.wanted else 2), 0

    def _bounds(self, known: Known) -> Bounds:
        return _bounds(known, self._model, self._player, self._state.seats)

    def _text(self, move: int) -> str:
        return text_of(self._deck, self._outcomes.move(move))

    def _line(self) -> list[str]:
        """The principal variation, where the position's value is proved; else the best move found."""
        outcomes, best = self._outcomes, self._ranked[0]
        moves: list[int] = []
        if self._value[0] == self._value[1]:
            if self._model == "maxn":
                moves = outcomes.line(outcomes.start, self._state.turn, True)
            else:
                won = self._value[0] == 1
                moves = [best, *outcomes.line(outcomes.after(outcomes.start, best), self._player, won)]
        return [self._text(move) for move in moves or [best]]

    def _entry(self, move: int) -> AquaMove:
        """The answer's entry for a move: its bounds, and its chance where one was estimated."""
        bounds = self._bounds(self._proving.moves[move])
        exact = bounds[0] == bounds[1]
        estimate = {"chance": self._chances[move].share} if move in self._chances else {}
        return AquaMove(
            move=self._text(move), value=bounds[0] if exact else None, bounds=bounds, exact=exact, **estimate
        )

    def made(self, control: Control) -> AquaAnalysis:
        moves = [self._entry(move) for move in self._ranked]
        return AquaAnalysis(
            game="aqua-regia",
            model=self._model,
            player=self._player,
            to_move=self._state.turn,
            exact=all(entry.exact for entry in moves),
            value=self._value[0] if self._value[0] == self._value[1] else None,
            bounds=self._value,
            best=moves[0].move,
            moves=tuple(moves),
            line=tuple(self._line()),
            nodes=control.nodes,
            seconds=control.seconds,
        )


def warm() -> None:
    """Compile or load every kernel."""
    hands = ((0,) * 12 + (1, 1, 1, 1), (0,) * 12 + (1, 1, 1, 1))
    state = State(hands=hands, turn=0, field=AQUA_REGIA, discard=(0,) * 16)
    with PROVERS.lend() as prover:
        outcomes = Outcomes(prover, house(), state, "paranoid", Control(Limit(nodes=50)), switches=0)
        proving = Proving(outcomes, [0])
        proving.run()
        chances(outcomes, list(proving.moves), 0)
