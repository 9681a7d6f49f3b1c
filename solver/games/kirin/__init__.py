"""Kirin: eight tricks under an order of colours and numbers that kirin cards turn round."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from importlib import resources
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pydantic import BaseModel

    from solver.common.control import Control
    from solver.protocol.answers import Analysis, Answer, Hint, Proved
    from solver.protocol.playing import Playing


class Kirin:
    """`solver.protocol.game.Game` for kirin. Each method imports what it needs, so that listing games is cheap."""

    name = "kirin"
    title = "Kirin"
    players = (4, 4)
    variants: Mapping[str, str] = {
        "declared": "a round about to start: every seat has set a card aside, at random",
        "undeclared": "before the round: nine cards each, nothing set aside yet",
    }
    models: Sequence[str] = ("paranoid", "ally", "maxn")

    @property
    def position_type(self) -> Any:
        from solver.games.kirin.positions.known import Position

        return Position

    @property
    def record_type(self) -> Any:
        from solver.games.kirin.positions.records import Record

        return Record

    @property
    def analysis_type(self) -> Any:
        from solver.games.kirin.answers import KirinAnalysis

        return KirinAnalysis

    @property
    def hint_type(self) -> Any:
        from solver.protocol.answers import SampledHint

        return SampledHint

    @property
    def score_type(self) -> Any:
        from solver.games.kirin.answers import KirinScore

        return KirinScore

    @property
    def playing(self) -> Playing:
        from solver.games.kirin.positions.playing import PLAYING

        return PLAYING

    def asks(self, position: BaseModel) -> frozenset[str]:
        from solver.games.kirin.positions import moves

        return moves.asks(position)

    def legal_moves(self, position: BaseModel) -> Sequence[int]:
        from solver.games.kirin.positions import moves

        return moves.legal_moves(position)

    def parse_move(self, position: BaseModel, text: str) -> int:
        from solver.games.kirin.positions import moves

        return moves.parse_move(position, text)

    def format_move(self, position: BaseModel, move: int) -> str:
        from solver.games.kirin.cards import deck

        return deck.name(move)

    def play(self, position: BaseModel, move: int) -> BaseModel:
        from solver.games.kirin.positions import moves

        return moves.play(position, move)

    def analyze(
        self, position: BaseModel, control: Control, *, model: str | None = None, player: int | None = None
    ) -> Analysis:
        from solver.games.kirin.positions import moves

        known = moves.all_known(position)
        from solver.games.kirin.search import analyze as solve

        return solve.analyze(known, control, model=model, player=player)

    def hint(self, position: BaseModel, control: Control, *, worlds: int | None = None, seed: int = 0) -> Hint:
        from solver.games.kirin.positions import moves

        seen = moves.seen(position)
        from solver.games.kirin.hints import hint as advise

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

    def proved(self, position: BaseModel, answer: Analysis | Hint, stated: Sequence[int] = ()) -> Proved:
        from solver.games.kirin.answers import KirinAnalysis
        from solver.protocol import proofs

        assert isinstance(answer, KirinAnalysis)
        return proofs.proved(answer)

    def deal(
        self, seed: int, *, number: int = 0, players: int | None = None, variant: str | None = None
    ) -> BaseModel:
        from solver.games.kirin.positions import moves

        return moves.deal(seed, number=number, players=players, variant=variant)

    def view(self, position: BaseModel, seat: int) -> BaseModel:
        from solver.games.kirin.positions import moves

        return moves.view(position, seat)

    def score(self, record: BaseModel) -> Answer:
        from solver.games.kirin.positions import scoring

        return scoring.score(record)

    def describe(self, position: BaseModel) -> list[tuple[str, str]]:
        from solver.games.kirin.positions.describe import describe

        return describe(position)

    def rules(self) -> str:
        return resources.files(__package__).joinpath("rules.md").read_text(encoding="utf-8")

    def warm(self) -> None:
        from solver.games.kirin.hints import hint as advise
        from solver.games.kirin.search import analyze as solve

        solve.warm()
        advise.warm()


GAME = Kirin()
