"""Alchemy: find the sum-matches; the solitaires with a known and with a hidden stock; the duel's exchange."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from importlib import resources
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pydantic import BaseModel

    from solver.common.control import Control
    from solver.games.alchemy.cards.text import Move
    from solver.protocol.answers import Analysis, Answer, Hint, Proved
    from solver.protocol.playing import Playing


class Alchemy:
    """`solver.protocol.game.Game` for alchemy. Each method imports what it needs: listing games is cheap."""

    name = "alchemy"
    title = "Alchemy"
    players = (1, 2)
    variants: Mapping[str, str] = {
        "solo": "solitaire: 52 cards, a line of six, matches of at least three line cards",
        "alternative": "solitaire: A–10, a line of four, matches of at least one line card",
        "duel": "one exchange of the two-player game",
        "free": "sum-match puzzles of any size",
    }
    models: Sequence[str] = ()

    @property
    def position_type(self) -> Any:
        from solver.games.alchemy.positions.known import Position

        return Position

    @property
    def record_type(self) -> Any:
        from solver.games.alchemy.positions.known import Record

        return Record

    @property
    def analysis_type(self) -> Any:
        from solver.games.alchemy import answers

        return answers.SolitaireAnalysis | answers.DuelAnalysis | answers.MatchesAnalysis | answers.OptimumAnalysis

    @property
    def hint_type(self) -> Any:
        from solver.games.alchemy import answers

        return answers.SolitaireHint | answers.DuelHint

    @property
    def score_type(self) -> Any:
        from solver.games.alchemy import answers

        return answers.SolitaireScore | answers.DuelScore

    @property
    def playing(self) -> Playing:
        from solver.games.alchemy.playing import PLAYING

        return PLAYING

    def asks(self, position: BaseModel) -> frozenset[str]:
        from solver.games.alchemy.positions import moves

        return moves.asks(position)

    def legal_moves(self, position: BaseModel) -> Sequence[Move]:
        from solver.games.alchemy.positions import moves

        return moves.legal_moves(position)

    def parse_move(self, position: BaseModel, text: str) -> Move:
        from solver.games.alchemy.positions import moves

        return moves.parse_move(position, text)

    def format_move(self, position: BaseModel, move: Move) -> str:
        return str(move)

    def play(self, position: BaseModel, move: Move) -> BaseModel:
        from solver.games.alchemy.positions import moves

        return moves.play(position, move)

    def analyze(
        self, position: BaseModel, control: Control, *, model: str | None = None, player: int | None = None
    ) -> Analysis:
        from solver.games.alchemy import analyze as solve

        return solve.analyze(position, control, model=model, player=player)

    def hint(self, position: BaseModel, control: Control, *, worlds: int | None = None, seed: int = 0) -> Hint:
        from solver.games.alchemy import hint as advise

        return advise.hint(position, control, worlds=worlds, seed=seed)

    def answer(
        self,
        position: BaseModel,
        ask: str,
        control: Control,
        *,
        model: str | None = None,
        player: int | None = None,
    ) -> Analysis | Hint:
        from solver.games.alchemy import proofs

        return proofs.answer(position, ask, control, model=model, player=player)

    def proved(self, position: BaseModel, answer: Analysis | Hint, stated: Sequence[Move] = ()) -> Proved:
        from solver.games.alchemy import proofs

        return proofs.proved(position, answer, stated)

    def deal(
        self, seed: int, *, number: int = 0, players: int | None = None, variant: str | None = None
    ) -> BaseModel:
        from solver.games.alchemy.positions import moves

        return moves.deal(seed, number=number, players=players, variant=variant)

    def view(self, position: BaseModel, seat: int) -> BaseModel:
        from solver.games.alchemy.positions import moves

        return moves.view(position, seat)

    def score(self, record: BaseModel) -> Answer:
        from solver.games.alchemy.positions import scoring

        return scoring.score(record)

    def describe(self, position: BaseModel) -> list[tuple[str, str]]:
        from solver.games.alchemy.positions import moves

        return moves.describe(position)

    def rules(self) -> str:
        return resources.files(__package__).joinpath("rules.md").read_text(encoding="utf-8")

    def warm(self) -> None:
        from solver.games.alchemy import warm

        warm.warm()


GAME = Alchemy()
