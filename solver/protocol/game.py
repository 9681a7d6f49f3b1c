"""The protocol that each game meets. Everything outside a game's folder talks to it through this alone."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from pydantic import BaseModel

    from solver.common.control import Control
    from solver.notation.notation import Notation
    from solver.protocol.answers import Analysis, Answer, Hint, Proved
    from solver.protocol.composing import Composer
    from solver.protocol.deck_kind import DeckKind
    from solver.protocol.playing import Playing
    from solver.protocol.question import Question
    from solver.protocol.showing.card_faces import CardFace
    from solver.protocol.survey import Survey


class Game(Protocol):
    """One game: its rules, and the questions that it can answer.

    Positions and moves are immutable values. A position is a pydantic model made by
    `solver.positions.parse_position`; a move is a hashable value that `parse_move` and `format_move` turn
    from and into text. Rules (`legal_moves`, `play`) import no search.
    """

    @property
    def name(self) -> str:
        """What positions call the game: small letters, digits and hyphens."""

    @property
    def title(self) -> str:
        """The game's name for a person."""

    @property
    def players(self) -> tuple[int, int]:
        """The fewest and the most players."""

    @property
    def variants(self) -> Mapping[str, str]:
        """What each variant is, in one line, by its name; empty for a game without variants."""

    @property
    def models(self) -> Sequence[str]:
        """The models of play by the others ("paranoid", …); empty where nobody opposes."""

    @property
    def guarantees(self) -> Sequence[str]:
        """The models under which `answer` proves what a view's seat guarantees over all deals that agree."""

    @property
    def deck_kind(self) -> DeckKind[Any] | None:
        """What the game's decks are, if its cards are data; else None."""

    @property
    def options(self) -> Mapping[str, str]:
        """What holds when a disputed reading of the rules is on, by the option's name; most games have none."""

    @property
    def position_type(self) -> Any:
        """The pydantic type of all positions and views of the game (a union, discriminated)."""

    @property
    def record_type(self) -> Any:
        """The pydantic type of what `score` takes: a finished round, or a match of several."""

    @property
    def analysis_type(self) -> Any:
        """The type, or union of types, that `analyze` returns, for the API's document."""

    @property
    def hint_type(self) -> Any:
        """The type, or union of types, that `hint` returns."""

    @property
    def score_type(self) -> Any:
        """The type, or union of types, that `score` returns."""

    @property
    def questions(self) -> Mapping[str, Question]:
        """What answers the game's own questions, by their names among `asks`; most games have none."""

    @property
    def surveys(self) -> Sequence[Survey]:
        """What can be told from many deals: a command each."""

    @property
    def record_help(self) -> str:
        """What a record holds and how it is written, in lines of at most 76 characters; empty: nothing to tell."""

    @property
    def notation(self) -> Notation:
        """How the game's positions and records are written as text, and what follows from what in them."""

    @property
    def playing(self) -> Playing:
        """How the game is played round by round."""

    @property
    def composer(self) -> Composer:
        """The game's part in making puzzles."""

    def asks(self, position: BaseModel) -> frozenset[str]:
        """Which questions this position can be asked: "analyze", "hint" and the puzzles' asks."""

    def legal_moves(self, position: BaseModel) -> Sequence[Any]:
        """Every legal move, in canonical order."""

    def parse_move(self, position: BaseModel, text: str) -> Any:
        """The legal move that `text` means. Raises MoveError when it is unreadable or not legal."""

    def format_move(self, position: BaseModel, move: Any) -> str:
        """The contract's text of a move."""

    def play(self, position: BaseModel, move: Any) -> BaseModel:
        """The position after a legal move. Raises MoveError for one that is not."""

    def analyze(
        self, position: BaseModel, control: Control, *, model: str | None = None, player: int | None = None
    ) -> Analysis:
        """Every move's exact value, or what was proved when the control's limit ended the search."""

    def hint(self, position: BaseModel, control: Control, *, worlds: int | None = None, seed: int = 0) -> Hint:
        """The best move for the player who sees this view, and why."""

    def answer(
        self,
        position: BaseModel,
        ask: str,
        control: Control,
        *,
        model: str | None = None,
        player: int | None = None,
    ) -> Answer:
        """The answer to a puzzle's question, one of `asks`.

        A question about moves is answered by an analysis, or by a hint where cards are hidden; one of `questions`
        has a type of its own, and no `model` or `player`.
        """

    def proved(self, position: BaseModel, answer: Analysis | Hint, stated: Sequence[Any] = ()) -> Proved:
        """What an answer to `position` proves: its value, and every optimal move (`stated` moves among them)."""

    def deal(
        self,
        seed: int,
        *,
        number: int = 0,
        players: int | None = None,
        variant: str | None = None,
        deck: str | Mapping[str, Any] | None = None,
        rules: Mapping[str, bool] | None = None,
    ) -> BaseModel:
        """The fresh deal number `number` of a seed: the same one for ever with the same deck.

        `deck` is a deck's name, or a deck as users write it; None for the usual one. `rules` says which of the
        `options` are on. Raises RequestError for a deck of a game whose cards are no data and for options of what
        has none, PositionError for an option that there is not.
        """

    def cards(
        self, *, variant: str | None = None, deck: str | Mapping[str, Any] | None = None
    ) -> Sequence[CardFace]:
        """What is printed on the cards of a variant and a deck, in the deck's order.

        Raises RequestError for a variant that there is not, for a deck of a game whose cards are no data, and for
        a game that does not tell its cards; PositionError for a deck that is wrong, or not there.
        """

    def view(self, position: BaseModel, seat: int) -> BaseModel:
        """What the player in `seat` sees of a position."""

    def observe(self, position: BaseModel, texts: Sequence[str]) -> tuple[BaseModel, int]:
        """What a player sees after what the first of `texts`, at least one, tells, and how many texts that took.

        A text is a move of the seat to move as everybody sees it, or another fact that the game's own module
        names: a card turned up, or drawn. Raises MoveError for what cannot have happened.
        """

    def possible(self, position: BaseModel) -> Sequence[str]:
        """What the seat to move could be seen to do next, by what a view tells, in canonical order.

        These are the legal moves where the seat is the view's own; none when the round is over.
        """

    def score(self, record: BaseModel, control: Control | None = None) -> Answer:
        """The score of a finished round or of a match; where it is searched for, as far as the limit allows."""

    def describe(self, position: BaseModel) -> list[tuple[str, str]]:
        """The position for a person: labelled lines of text."""

    def rules(self) -> str:
        """The rules and rulings in force, in Markdown."""

    def warm(self, *, hints: bool = False, last_first: bool = False) -> None:
        """Compile or load every kernel, so that no user waits for it; with `hints` those that hints need, no more.

        Two processes that share a cache share the work when one of them begins at the other end: `last_first`.
        That end has the kernels of hints.
        """
