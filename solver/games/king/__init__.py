"""King × Alchemy Research Institute: tricks for ingredients, and recipes for the points."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from importlib import resources
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pydantic import BaseModel

    from solver.common.control import Control
    from solver.games.king.cards.rules import Move
    from solver.protocol.answers import Analysis, Answer, Hint, Proved
    from solver.protocol.compounding import CompoundAnalysis, Compounding, Wishes
    from solver.protocol.playing import Playing


class King:
    """`solver.protocol.game.Game` for King × Alchemy. Methods import what they need: listing games is cheap."""

    name = "king"
    title = "King × Alchemy"
    players = (3, 5)
    variants: Mapping[str, str] = {
        "picked": "a round about to start: every seat has picked a card, at random",
        "unpicked": "before the round: all cards dealt, none picked yet",
    }
    models: Sequence[str] = ("paranoid", "ally", "maxn")

    @property
    def position_type(self) -> Any:
        from solver.games.king.positions.known import Position

        return Position

    @property
    def record_type(self) -> Any:
        from solver.games.king.positions.records import Record

        return Record

    @property
    def analysis_type(self) -> Any:
        from solver.games.king.answers import KingAnalysis

        return KingAnalysis

    @property
    def hint_type(self) -> Any:
        from solver.protocol.answers import SampledHint

        return SampledHint

    @property
    def score_type(self) -> Any:
        from solver.games.king.positions.scoring import KingScore

        return KingScore

    @property
    def playing(self) -> Playing:
        from solver.games.king.positions.playing import PLAYING

        return PLAYING

    def asks(self, position: BaseModel) -> frozenset[str]:
        from solver.games.king.positions import moves

        return moves.asks(position)

    def legal_moves(self, position: BaseModel) -> Sequence[Move]:
        from solver.games.king.positions import moves

        return moves.legal_moves(position)

    def parse_move(self, position: BaseModel, text: str) -> Move:
        from solver.games.king.positions import moves

        return moves.parse_move(position, text)

    def format_move(self, position: BaseModel, move: Move) -> str:
        from solver.games.king.positions import moves

        return moves.format_move(position, move)

    def play(self, position: BaseModel, move: Move) -> BaseModel:
        from solver.games.king.positions import moves

        return moves.play(position, move)

    def analyze(
        self, position: BaseModel, control: Control, *, model: str | None = None, player: int | None = None
    ) -> Analysis:
        from solver.games.king.positions import moves

        known = moves.all_known(position)
        from solver.games.king.search import analyze as solve

        return solve.analyze(known, control, model=model, player=player)

    def hint(self, position: BaseModel, control: Control, *, worlds: int | None = None, seed: int = 0) -> Hint:
        from solver.games.king.positions import moves

        seen = moves.seen(position)
        from solver.games.king.hints import hint as advise

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
        from solver.games.king.answers import KingAnalysis
        from solver.protocol import proofs

        assert isinstance(answer, KingAnalysis)
        return proofs.proved(answer)

    def compound(self, position: BaseModel, control: Control, wishes: Wishes) -> CompoundAnalysis:
        from solver.games.king.positions import compound_question, moves

        return compound_question.answer(moves.card_set(position), control, wishes)

    def made(self, position: BaseModel, recipes: Sequence[tuple[str, Sequence[str]]]) -> Compounding:
        from solver.games.king.positions import compound_question, moves

        return compound_question.made(moves.card_set(position), recipes)

    def picture(self, position: BaseModel, found: Compounding) -> str:
        from solver.games.king.compounding import picture
        from solver.games.king.positions import moves

        cards = moves.card_set(position)
        return picture.recipe_graph(cards.full_deck, cards.numbers, found)

    def deal(
        self, seed: int, *, number: int = 0, players: int | None = None, variant: str | None = None
    ) -> BaseModel:
        from solver.games.king.positions import seats

        return seats.deal(seed, number=number, players=players, variant=variant)

    def view(self, position: BaseModel, seat: int) -> BaseModel:
        from solver.games.king.positions import seats

        return seats.view(position, seat)

    def score(self, record: BaseModel) -> Answer:
        from solver.games.king.positions import scoring

        return scoring.score(record)

    def describe(self, position: BaseModel) -> list[tuple[str, str]]:
        from solver.games.king.positions.describe import describe

        return describe(position)

    def rules(self) -> str:
        return resources.files(__package__).joinpath("rules.md").read_text(encoding="utf-8")

    def warm(self) -> None:
        from solver.games.king.compounding import best
        from solver.games.king.hints import hint as advise
        from solver.games.king.search import analyze as solve

        best.warm()
        solve.warm()
        advise.warm()


GAME = King()
