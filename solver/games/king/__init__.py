"""King × Alchemy Research Institute: tricks for ingredients, and recipes for the points."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from importlib import resources
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pydantic import BaseModel

    from solver.answers import Analysis, Answer, Hint, Proved
    from solver.compounding import CompoundAnalysis, Compounding, Wishes
    from solver.games.king.rules import Move
    from solver.playing import Playing
    from solver.search.drive import Control


class King:
    """`solver.game.Game` for King × Alchemy. Each method imports what it needs, so that listing games is cheap."""

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
        from solver.games.king.positions import Position

        return Position

    @property
    def record_type(self) -> Any:
        from solver.games.king.records import Record

        return Record

    @property
    def analysis_type(self) -> Any:
        from solver.games.king.answers import KingAnalysis

        return KingAnalysis

    @property
    def hint_type(self) -> Any:
        from solver.answers import SampledHint

        return SampledHint

    @property
    def score_type(self) -> Any:
        from solver.games.king.scoring import KingScore

        return KingScore

    @property
    def playing(self) -> Playing:
        from solver.games.king.playing import PLAYING

        return PLAYING

    def asks(self, position: BaseModel) -> frozenset[str]:
        from solver.games.king import table

        return table.asks(position)

    def legal_moves(self, position: BaseModel) -> Sequence[Move]:
        from solver.games.king import table

        return table.legal_moves(position)

    def parse_move(self, position: BaseModel, text: str) -> Move:
        from solver.games.king import table

        return table.parse_move(position, text)

    def format_move(self, position: BaseModel, move: Move) -> str:
        from solver.games.king import table

        return table.format_move(position, move)

    def play(self, position: BaseModel, move: Move) -> BaseModel:
        from solver.games.king import table

        return table.play(position, move)

    def analyze(
        self, position: BaseModel, control: Control, *, model: str | None = None, player: int | None = None
    ) -> Analysis:
        from solver.games.king import table

        known = table.all_known(position)
        from solver.games.king import solve

        return solve.analyze(known, control, model=model, player=player)

    def hint(self, position: BaseModel, control: Control, *, worlds: int | None = None, seed: int = 0) -> Hint:
        from solver.games.king import table

        seen = table.seen(position)
        from solver.games.king import advise

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
        from solver import proofs
        from solver.games.king.answers import KingAnalysis

        assert isinstance(answer, KingAnalysis)
        return proofs.proved(answer)

    def compound(self, position: BaseModel, control: Control, wishes: Wishes) -> CompoundAnalysis:
        from solver.games.king import compound_question, table

        return compound_question.answer(table.card_set(position), control, wishes)

    def made(self, position: BaseModel, recipes: Sequence[tuple[str, Sequence[str]]]) -> Compounding:
        from solver.games.king import compound_question, table

        return compound_question.made(table.card_set(position), recipes)

    def picture(self, position: BaseModel, found: Compounding) -> str:
        from solver.games.king import picture, table

        cards = table.card_set(position)
        return picture.recipe_graph(cards.full_deck, cards.numbers, found)

    def deal(
        self, seed: int, *, number: int = 0, players: int | None = None, variant: str | None = None
    ) -> BaseModel:
        from solver.games.king import seats

        return seats.deal(seed, number=number, players=players, variant=variant)

    def view(self, position: BaseModel, seat: int) -> BaseModel:
        from solver.games.king import seats

        return seats.view(position, seat)

    def score(self, record: BaseModel) -> Answer:
        from solver.games.king import scoring

        return scoring.score(record)

    def describe(self, position: BaseModel) -> list[tuple[str, str]]:
        from solver.games.king.describe import describe

        return describe(position)

    def rules(self) -> str:
        return resources.files(__package__).joinpath("rules.md").read_text(encoding="utf-8")

    def warm(self) -> None:
        from solver.games.king import advise, compound, solve

        compound.warm()
        solve.warm()
        advise.warm()


GAME = King()
