"""`PlainSearch`: the analyses and hints of a plain game, from its rules for the search and an encoder.

In the module of the game that its face names for `analyze`, `hint` and `warm`:

    SEARCH = PlainSearch(kind=KnownPosition, deal=deal, encode=encode, rules=RULES, sides=(0, 1, 0, 1))
    analyze, hint, warm = SEARCH.analyze, SEARCH.hint, SEARCH.warm
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import KW_ONLY, dataclass
from functools import cached_property

from solver.common.control import Control, Limit
from solver.hints.sampled import Sampler
from solver.hints.trick_sampler import EXACT_TRICKS
from solver.protocol.answers import SampledHint
from solver.search.pool import Pool
from solver.search.tricks.rules import ScoreRules
from solver.search.tricks.score_prover import ScoreProver
from solver.search.tricks.score_search import ScoreSearch, score_search
from solver.tricks.analysis import Form
from solver.tricks.plain import analysis, positions, state
from solver.tricks.plain.analysis import PlainGame
from solver.tricks.plain.answers import ScoreAnalysis, ScoreMove
from solver.tricks.plain.hint import plain_sampler
from solver.tricks.plain.positions import KnownPosition, View
from solver.tricks.plain.state import State
from solver.tricks.player_score import Encoded
from solver.tricks.rules import PlainRules


@dataclass(frozen=True, eq=False)
class PlainSearch:
    """What a plain game brings to its analyses and hints.

    `kind` is its model of known positions, and ``deal(seed)`` deals one. ``encode(state, player, allies)`` writes
    a state in the words of the search `rules`, for the score of `player`, a seat; the rule `maximises` must say 1
    for the player and its partners, and for everybody if `allies`. `sides`, of a game of two sides that share out
    a fixed number of points, is the side of each seat, 0 or 1. Others raise ValueError.

    `unit` names one and several points in the reasons of hints. For `policy` and `exact_tricks` see
    `solver.hints.trick_sampler.TrickGame`.
    """

    _: KW_ONLY
    kind: type[KnownPosition]
    deal: Callable[[int], KnownPosition]
    encode: Callable[[State, int, bool], Encoded[int]]
    rules: ScoreRules
    sides: tuple[int, ...] | None = None
    unit: tuple[str, str] = ("point", "points")
    policy: Callable[..., int] | None = None
    exact_tricks: int = EXACT_TRICKS

    def __post_init__(self) -> None:
        if self.sides is not None and set(self.sides) != {0, 1}:
            raise ValueError(f"{self.rules.who}: sides are 0 and 1 or are left out, not {self.sides}")

    @cached_property
    def search(self) -> ScoreSearch:
        """The score search with the game's rules."""
        return score_search(self.rules)

    @cached_property
    def provers(self) -> Pool[ScoreProver]:
        """What proves the analyses."""
        return Pool(lambda megabytes: ScoreProver(self.search, megabytes))

    def _game(self, rules: PlainRules) -> PlainGame[ScoreAnalysis, State, int]:
        return PlainGame(
            form=Form(self.rules.game, ScoreAnalysis, ScoreMove, rules.name),
            seats=rules.players,
            sides=self.sides,
            legal_moves=state.legal_moves,
            play=state.play,
            to_move=state.to_move,
            points=state.points,
            encode=self.encode,
            provers=self.provers,
        )

    def analyze(
        self, position: KnownPosition, control: Control, *, model: str | None = None, player: int | None = None
    ) -> ScoreAnalysis:
        """The score of the player, by default the seat to move, for every move, best first.

        What a limit cuts off are bounds. Raises RequestError for a model or a player that there is not.
        """
        game = self._game(position.trick_rules)
        return analysis.analyze(game, position.state, control, model=model, player=player)

    @cached_property
    def sampler(self) -> Sampler[View, int]:
        """What makes the hints."""
        return plain_sampler(
            self._game(self.deal(0).trick_rules),
            lambda: self.search,
            self.kind,
            policy=self.policy,
            exact_tricks=self.exact_tricks,
            unit=self.unit,
        )

    def hint(self, view: View, control: Control, *, worlds: int | None = None, seed: int = 0) -> SampledHint:
        """The card that brings the most on average over deals that agree with what a seat sees."""
        return self.sampler.hint(view, control, worlds=worlds, seed=seed)

    def warm(self) -> None:
        """Compile or load every kernel."""
        position = self.deal(0)
        self.hint(positions.view(position, position.seat_to_move), Control(Limit(nodes=1)))
        while len(position.hands[0]) > 1:
            position = positions.play(position, positions.legal_moves(position)[0])
        self.analyze(position, Control())
