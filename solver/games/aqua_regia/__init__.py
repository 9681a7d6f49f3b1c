"""Aqua Regia: a climbing game of metals in fields that change; the first to run out of cards wins."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from importlib import resources
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pydantic import BaseModel

    from solver.common.control import Control
    from solver.games.aqua_regia.cards.rules import Move
    from solver.protocol.answers import Analysis, Answer, Hint, Proved
    from solver.protocol.playing import Playing


class AquaRegia:
    """`solver.protocol.game.Game` for Aqua Regia. Each method imports what it needs: listing games is cheap."""

    name = "aqua-regia"
    title = "Aqua Regia"
    players = (2, 5)
    variants: Mapping[str, str] = {}
    models: Sequence[str] = ("paranoid", "ally", "maxn")

    @property
    def position_type(self) -> Any:
        from solver.games.aqua_regia.positions.known import Position

        return Position

    @property
    def record_type(self) -> Any:
        from solver.games.aqua_regia.positions.records import Record

        return Record

    @property
    def analysis_type(self) -> Any:
        from solver.games.aqua_regia.answers import AquaAnalysis

        return AquaAnalysis

    @property
    def hint_type(self) -> Any:
        from solver.protocol.answers import SampledHint

        return SampledHint

    @property
    def score_type(self) -> Any:
        from solver.games.aqua_regia.answers import AquaScore

        return AquaScore

    @property
    def playing(self) -> Playing:
        from solver.games.aqua_regia.positions.playing import PLAYING

        return PLAYING

    def asks(self, position: BaseModel) -> frozenset[str]:
        from solver.games.aqua_regia.positions import moves

        return moves.asks(position)

    def legal_moves(self, position: BaseModel) -> Sequence[Move]:
        from solver.games.aqua_regia.positions import moves

        return moves.legal_moves(position)

    def parse_move(self, position: BaseModel, text: str) -> Move:
        from solver.games.aqua_regia.positions import moves

        return moves.parse_move(position, text)

    def format_move(self, position: BaseModel, move: Move) -> str:
        from solver.games.aqua_regia.cards import text
        from solver.games.aqua_regia.positions import moves

        return text.text_of(moves.as_aqua(position).metals, move)

    def play(self, position: BaseModel, move: Move) -> BaseModel:
        from solver.games.aqua_regia.positions import moves

        return moves.play(position, move)

    def analyze(
        self, position: BaseModel, control: Control, *, model: str | None = None, player: int | None = None
    ) -> Analysis:
        from solver.games.aqua_regia.positions import moves

        known = moves.all_known(position)
        from solver.games.aqua_regia.search import analyze as solve

        return solve.analyze(known, control, model=model, player=player)

    def hint(self, position: BaseModel, control: Control, *, worlds: int | None = None, seed: int = 0) -> Hint:
        from solver.games.aqua_regia.positions import moves

        seen = moves.seen(position)
        from solver.games.aqua_regia.hints import hint as advise

        return advise.hint(seen, control, worlds=worlds, seed=seed)

    def answer(
        self,
        position: BaseModel,
        ask: str,
        control: Control,
        *,
        model: str | None = None,
        player: int | None = None,
    ) -> Analysis | Hint:
        return self.analyze(position, control, model=model, player=player)

    def proved(self, position: BaseModel, answer: Analysis | Hint, stated: Sequence[Move] = ()) -> Proved:
        from solver.games.aqua_regia.answers import AquaAnalysis
        from solver.protocol.proofs import proved

        assert isinstance(answer, AquaAnalysis)
        return proved(answer)

    def deal(
        self, seed: int, *, number: int = 0, players: int | None = None, variant: str | None = None
    ) -> BaseModel:
        from solver.games.aqua_regia.positions import moves

        return moves.deal(seed, number=number, players=players, variant=variant)

    def view(self, position: BaseModel, seat: int) -> BaseModel:
        from solver.games.aqua_regia.positions import moves

        return moves.view(position, seat)

    def score(self, record: BaseModel) -> Answer:
        from solver.games.aqua_regia.positions import scoring

        return scoring.score(record)

    def describe(self, position: BaseModel) -> list[tuple[str, str]]:
        from solver.games.aqua_regia.positions.describe import describe

        return describe(position)

    def rules(self) -> str:
        return resources.files(__package__).joinpath("rules.md").read_text(encoding="utf-8")

    def warm(self) -> None:
        from solver.games.aqua_regia.hints import hint as advise
        from solver.games.aqua_regia.search import analyze as solve

        solve.warm()
        advise.warm()


GAME = AquaRegia()
