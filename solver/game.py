"""`Game`, the base class of all games, and the only interface through which other code uses them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from functools import cache, cached_property
from importlib import import_module
from inspect import signature
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple, TypeVar

from solver.common import STRENGTHS, Others, Random
from solver.errors import Fault, MoveError, RequestError
from solver.language import language, say
from solver.texts import plain

if TYPE_CHECKING:
    from pydantic import BaseModel

    from solver.answers import Analysis, Answer, AnyPosition, Hint, Proved, Question, Score, Wishes
    from solver.codec import Notation
    from solver.display import CardFace, OwnField
    from solver.limits import Control

    A = TypeVar("A", bound=Answer)
T = TypeVar("T")


class Placed(cached_property[T]):
    """An attribute of `Game`: what a game's `places` name for it, which is imported when it is first used."""

    def __init__(self, about: str) -> None:
        super().__init__(lambda game: game.find(self.attrname))
        self.__doc__ = about


class Game:
    """One game: its name, its rules, and the questions that it can answer.

    A game's package defines a class derived from this one, or from `solver.tricks.PlainTrickGame`, and an object
    of it named `GAME`. The class gives the game's names and, in `places`, says where its functions and types are.
    Each is imported when it is first used, so listing the games is cheap.

    Positions and moves are immutable values. A position is a pydantic model made by
    `solver.positions.parse_position`; a move is a hashable value, which `parse_move` makes from text and
    `format_move` turns into text. Rules (`legal_moves`, `play`) import no search.

    A place is ``module:name``; a leading dot makes the module relative to `package`. A class names only the places
    that differ from those of its base class. A function has the type of the attribute (`Placed`) of its name, or
    the signature of the method, without `self`, with these exceptions:

    - `notation` is called with the game and returns the value of that property; so are `playing` and `composer`,
      for `solver.rounds_in_play.playing_of` and `solver.puzzle_maker.composer_of`.
    - `deal` and `cards` have a parameter `deck` only if there is a `deck_kind`, and `deal` has `rules` only if
      `dealt_by_rules` is true. `cards` is only called with a known variant; it is None if the game does not show
      its cards.
    - `as_known` and `as_view` convert a position for `analyze` and `hint`, and raise RequestError if that is
      impossible; they run before the module that searches is imported. If None, positions are passed unchanged.
    - `played_by` takes a view, its legal moves and a strength, and returns the probability that a player of that
      strength makes each move. If None, hints do not model the other players' strength, and have no parameter
      `others`.
    - `guaranteed` takes a view and a control, and analyzes what the view's seat can be sure of in all deals that
      agree with the view (`solver.hints.endings`). It is None if the game does not offer this.
    - `notes` takes a position and returns sentences about it that its rows and moves don't show, such as a ruling
      that tables dispute; None if there are never any.
    - `worlds` is None if no cards are hidden, or if hidden cards cannot be dealt.
    - `answer` is None if `analyze` answers every question of a puzzle, and `proved` is None if an analysis that
      lists every move is the whole proof.
    - `claim` and `proving` are None if there are no certificates.
    - `readings` is the model of the options for disputed readings of the rules (`solver.rule_options`), or None.
    - Each function of `warming` takes no arguments and runs kernels once; the last ones, of which there are
      `hint_warming`, run everything that hints need.
    """

    package: str  # the name of the game's package (its ``__name__``), in which ``rules.md`` lies
    name: str  # what positions call the game: small letters, digits and hyphens
    title: str  # the game's name for a person
    players: tuple[int, int]  # the fewest and the most
    variants: Mapping[str, str] = {}  # a one-line description of each variant, by name
    models: Sequence[str] = ()  # of the others' play ("paranoid", …); empty for games without opponents
    surveys: Sequence[Survey] = ()  # over many deals: one command each
    record_help: str = ""  # what a record holds and how it is written, in lines of at most 76 characters
    about: str = ""  # the game in a sentence or two, for somebody who chooses one
    sides: Sequence[int] = ()  # by seat, the side that it shares its points with; empty: each plays for itself
    race: bool = False  # whether the winner of a round scores 1, and all others 0
    disputed: Sequence[str] = ()  # the options that tables should agree on before they begin
    finding: bool = False  # whether finding moves is the point of the game, so that none are shown unasked
    # By variant, what a player enters about the start of a round at a real table: keys of the line that begins it.
    watched: Mapping[str, Sequence[str]] = {"": ("seat", "leader", "hand")}
    # By variant, what such a line says of a match that begins, unless the player says otherwise.
    watched_from: Mapping[str, Mapping[str, str]] = {}
    dealt_by_rules: bool = False  # whether the deal depends on optional rules
    warming: Sequence[str] = (
        ".analyze:warm",
        ".hint:warm",
    )
    hint_warming: int = 1
    places: ClassVar[Mapping[str, str | None]] = {
        "position_type": ".position:Position",
        "record_type": ".moves:Record",
        "analysis_type": None,
        "hint_type": "solver.answers:SampledHint",
        "score_type": None,
        "deck_kind": None,
        "readings": None,
        "notation": ".text:notation",
        "playing": None,
        "composer": "solver.puzzle_maker:Composer",
        "asks": ".moves:asks",
        "legal_moves": ".moves:legal_moves",
        "parse_move": ".moves:parse_move",
        "format_move": ".moves:format_move",
        "play": ".moves:play",
        "deal": ".moves:deal",
        "cards": None,
        "view": ".moves:view",
        "observe": ".moves:observe",
        "possible": ".moves:possible",
        "describe": ".moves:describe",
        "score": ".moves:score",
        "as_known": ".moves:as_known",
        "as_view": ".moves:as_view",
        "analyze": ".analyze:analyze",
        "hint": ".hint:hint",
        "played_by": None,
        "guaranteed": None,
        "notes": None,
        "worlds": None,
        "answer": None,
        "proved": None,
        "claim": None,
        "proving": None,
    }

    def __init_subclass__(cls) -> None:
        unknown = cls.places.keys() - Game.places.keys()
        if unknown:
            raise TypeError(f"{cls.__name__}.places: a game has no {', '.join(sorted(unknown))}")
        places: dict[str, str | None] = {}
        for derived in reversed(cls.__mro__):
            places |= vars(derived).get("places", {})
        cls.places = places

    def __repr__(self) -> str:
        return f"<the game {self.name}>"

    # Where things are.

    def find(self, role: str) -> Any:
        """Return the object that `places` names for a role. Raises ImportError if there is none."""
        return found_at(self.package, self.places[role])

    def missing(self) -> Iterator[str]:
        """Yield a message about each wrong entry of `places`; for tests.

        An entry is wrong if it cannot be imported, or if it should be a function but is not one.
        """
        roles = [(role, target) for role, target in self.places.items() if target is not None or role in _NEEDED]
        for role, target in [*roles, *(("warming", target) for target in self.warming)]:
            try:
                value = found_at(self.package, target)
            except ImportError as error:
                yield f"{role}: {error}"
                continue
            if not role.endswith("_type") and role != "deck_kind" and not callable(value):
                yield f"{role}: {target!r} of the game {self.name} is no function"

    # Types, and other things that are not functions.

    position_type: Placed[Any] = Placed("The pydantic type of all positions and views (a discriminated union).")
    record_type: Placed[Any] = Placed("The pydantic type of what `score` takes: a finished round, or a match.")
    analysis_type: Placed[Any] = Placed("The type, or union of types, that `analyze` returns.")
    hint_type: Placed[Any] = Placed("The type, or union of types, that `hint` returns.")
    score_type: Placed[Any] = Placed("The type, or union of types, that `score` returns.")

    @property
    def options(self) -> Mapping[str, str]:
        """The descriptions of the game's optional rules, by name; most games have none."""
        if self.places["readings"] is None:
            return {}
        from solver.rule_options import options_of

        return options_of(self.find("readings"))

    @property
    def shows_cards(self) -> bool:
        """Whether the page can draw the game's cards."""
        return self.places["cards"] is not None

    @property
    def levels(self) -> Sequence[Others]:
        """The strengths of other players that hints distinguish; none if they don't."""
        return () if self.places["played_by"] is None else STRENGTHS

    @property
    def fields(self) -> Sequence[OwnField]:
        """What is asked besides the cards of a position that is entered; most games state it in `watched`."""
        return ()

    def side_of(self, seat: int) -> Sequence[int]:
        """Return the seats that share their points with this one, itself among them."""
        return [other for other, side in enumerate(self.sides) if side == self.sides[seat]] or [seat]

    @property
    def guarantees(self) -> Sequence[str]:
        """The models in which `answer` can prove a minimum score for a seat that does not see the other hands."""
        return () if self.places["guaranteed"] is None else ("paranoid",)

    @property
    def questions(self) -> Mapping[str, Question]:
        """Questions that only this game has, by the names that `asks` uses for them; most games have none."""
        return {}

    @cached_property
    def notation(self) -> Notation:
        """How the game's positions and records are written as text, and how their keys follow from one another."""
        notation: Notation = self.find("notation")(self)
        return notation

    # Positions and moves.

    asks: Placed[Callable[[BaseModel], frozenset[str]]] = Placed(
        'The questions that a position allows: "analyze", "hint", and those that puzzles ask.'
    )
    legal_moves: Placed[Callable[[BaseModel], Sequence[Any]]] = Placed("Every legal move, in canonical order.")
    format_move: Placed[Callable[[BaseModel, Any], str]] = Placed("The text of a move, as in answers.")
    play: Placed[Callable[[BaseModel, Any], AnyPosition]] = Placed(
        "The position after a legal move. Raises MoveError for an illegal one."
    )
    view: Placed[Callable[[BaseModel, int], AnyPosition]] = Placed("What the player in a seat sees of a position.")
    possible: Placed[Callable[[BaseModel], Sequence[str]]] = Placed(
        "The events that the player with this view could see next, in canonical order. If that player is to move, "
        "these are the legal moves. There are none when the round is over."
    )

    def parse_move(self, position: BaseModel, text: str) -> Any:
        """Return the legal move that `text` means, ignoring case. Raises MoveError if there is none."""
        _check_length(text)
        read = self.find("parse_move")
        try:
            return read(position, text)
        except MoveError:
            usual = spelled(self, position, [text])[0]
            if usual == text:
                raise
        return read(position, usual)

    def is_view(self, position: BaseModel) -> bool:
        """Whether some cards are hidden, so that hints apply and moves are entered as the player sees them."""
        asks = self.asks(position)
        return "hint" in asks and "analyze" not in asks

    def turn(self, position: BaseModel) -> int | None:
        """Return the seat to move, or None when the game is over.

        A puzzle with too many moves to list is not over.
        """
        goes_on: object
        try:
            goes_on = self.possible(position) if self.is_view(position) else self.legal_moves(position)
        except RequestError as error:
            if error.code != "too_large":
                raise
            goes_on = True
        return getattr(position, "seat_to_move", 0) if goes_on else None

    def observe(self, position: BaseModel, texts: Sequence[str]) -> tuple[AnyPosition, int]:
        """Return the position after the first event in `texts`, and how many of the texts describe that event.

        `texts` has at least one text. An event is a move or, in a view, what its player sees: a move of the seat
        to move, or another event of the game, such as a card turned up or drawn; case is ignored. Raises MoveError
        for an impossible event.
        """
        if not is_open(position) and not self.is_view(position):
            return self.play(position, self.parse_move(position, texts[0])), 1
        see = self.find("observe")
        if texts[0].lower().endswith(f" {ANYWAY}") and "as_played" not in type(position).model_fields:
            message = say(
                "{text!r}: what was done against the rules can't be followed here. Take it back at the table, or "
                "go on from the cards as they lie now: enter them as a new position.",
                text=texts[0],
            )
            raise MoveError("illegal_move", message)
        seen: tuple[AnyPosition, int]
        texts = texts[:_MOST_TEXTS]
        for text in texts:
            _check_length(text)
        try:
            seen = see(position, texts)
        except MoveError:
            usual = spelled(self, position, texts)
            if usual == list(texts):
                raise
            seen = see(position, usual)
        return seen

    def describe(self, position: BaseModel) -> list[tuple[str, str]]:
        """Return the position for display, as (label, text) rows."""
        from solver.rule_options import rows_of

        notes = [(say("Note"), sentence) for sentence in self.notes(position)]
        return [*rows_of(position), *self.find("describe")(position), *notes]

    def players_fault(self, players: object, variant: object = None) -> Fault | None:
        """Return a fault unless the game, or a variant of it, can be played by so many."""
        from solver.validation import players_fault

        return players_fault(self.name, players, *self.players)

    def notes(self, position: BaseModel) -> Sequence[str]:
        """Return sentences about a position that a player should know, and that its rows and moves don't show."""
        notes: Sequence[str] = () if self.places["notes"] is None else self.find("notes")(position)
        moves: Sequence[str] | None = getattr(position, "against_texts", None)
        against = " ".join(getattr(position, "as_played", None) or ()) if moves is None else "; ".join(moves)
        if not against:
            return notes
        message = say(
            "Played against the rules or earlier plays: {cards}. Nothing is concluded from it.", cards=against
        )
        return [*notes, message]

    def deal(
        self,
        seed: int,
        *,
        number: int = 0,
        players: int | None = None,
        variant: str | None = None,
        deck: str | Mapping[str, Any] | None = None,
        rules: Mapping[str, bool] | None = None,
    ) -> AnyPosition:
        """Return deal `number` of a seed: always the same for the same deck.

        `deck` is a deck's name, or a deck as users write it; None for the usual deck. `rules` says which of the
        `options` are on. Raises RequestError for a wrong number of players, and for a deck or options in a game
        that has none, PositionError for an unknown option.
        """
        wrong = None if players is None else self.players_fault(players, variant)
        if wrong is not None:
            raise RequestError.of([wrong])
        named = {"number": number, "players": players, "variant": variant, **self.decked(deck)}
        if self.dealt_by_rules:
            named["rules"] = rules
        dealt: AnyPosition = self.find("deal")(seed, **named)
        if not rules:
            return dealt
        from solver.rule_options import with_rules

        return with_rules(dealt, rules, self.name)

    def cards(
        self, *, variant: str | None = None, deck: str | Mapping[str, Any] | None = None
    ) -> Sequence[CardFace]:
        """Return the faces of the cards of a variant and a deck, in the deck's order.

        Raises RequestError for an unknown variant, for a deck in a game with fixed cards, and for a game that does
        not show its cards; PositionError for a bad or unknown deck.
        """
        if not self.shows_cards:
            raise RequestError("not_offered", say("{game} does not show its cards", game=self.name), "game")
        self.check_variant(variant)
        faces: Sequence[CardFace] = self.find("cards")(variant=variant, **self.decked(deck))
        return faces

    def check_variant(self, variant: str | None) -> None:
        """Raise RequestError for an unknown variant."""
        if variant is not None and variant not in self.variants:
            from solver.validation import with_names

            sentence = say("there is no variant {variant!r} of {game}", variant=variant, game=self.name)
            raise RequestError("unknown_value", with_names(sentence, str(variant), [*self.variants]), "variant")

    def decked(self, deck: str | Mapping[str, Any] | None) -> dict[str, Any]:
        """Return the keyword argument `deck` for a game in which users can choose the deck, and none for others.

        Raises RequestError if another game is given a deck.
        """
        if self.places["deck_kind"] is not None:
            return {"deck": deck}
        if deck is not None:
            raise RequestError(
                "not_offered", say("the cards of {game} are fixed: it has no other decks", game=self.name), "deck"
            )
        return {}

    # Questions.

    def analyze(
        self, position: BaseModel, control: Control, *, model: str | None = None, player: int | None = None
    ) -> Analysis:
        """Compute the exact value of every move, or what can be proved within the control's limit.

        `model` is how the other seats are assumed to play, one of `models`, and `player` the seat whose value is
        computed (by default the seat to move).
        """
        known = position if self.places["as_known"] is None else self.find("as_known")(position)
        analysis: Analysis = self.find("analyze")(known, control, model=model, player=player)
        return self._with_text(analysis, position)

    def hint(
        self,
        position: BaseModel,
        control: Control,
        *,
        others: str | None = None,
        **options: Any,
    ) -> Hint:
        """Return the best move for the player with this view, and why.

        `others` is the strength of the other players; by default they follow hints. The other `options` are those
        of the game's function, mostly `solver.hints.sampled.HintOptions`. Raises RequestError for an option that
        the game's hints don't have.
        """
        seen = position if self.places["as_view"] is None else self.find("as_view")(position)
        named = {key: value for key, value in options.items() if value is not None and value is not False}
        named |= {} if others is None else {"others": self.strength(others)}
        search = self.find("hint")
        for key in named:
            if not _takes(search, key):
                message = say("hints for {game} take no {key}", game=self.name, key=key)
                raise RequestError("not_offered", message, key)
        hint: Hint = search(seen, control, **named)
        return self._with_text(hint, position)

    def worlds(self, position: BaseModel, limit: int, seed: int = 0) -> Sequence[AnyPosition]:
        """Return at most `limit` deals that agree with a view, as positions with every card known.

        These are all such deals or, if there are more, a uniform sample, which is the same for the same seed.
        Raises RequestError if the game doesn't offer that, or if no card is hidden.
        """
        if self.places["worlds"] is None:
            raise RequestError("not_offered", say("{game} cannot list the possible deals", game=self.name))
        seen = position if self.places["as_view"] is None else self.find("as_view")(position)
        dealt: Sequence[AnyPosition] = self.find("worlds")(seen, limit, seed)
        return dealt

    def drawn(self, view: BaseModel, others: Others, seed: int) -> str:
        """Pick a random move as a club player or beginner with this view would; always the same for the same seed.

        Raises RequestError if the game has no such players, and for "equal", since equal players follow hints.
        """
        if self.strength(others) == "equal":
            raise RequestError("not_applicable", say("equal players follow hints"), "others")
        left = Random(seed, 5).below(1 << 30) / (1 << 30)
        for move, chance in chances_of(self, view, others).items():
            left -= chance
            if left < 0:
                return move
        return move

    def strength(self, others: str) -> Others:
        """Check that `others` is a known strength of players, and return it.

        Raises RequestError if it is unknown, or if the game does not distinguish strengths.
        """
        if self.places["played_by"] is None:
            message = say("hints for {game} do not distinguish how strong the others are", game=self.name)
            raise RequestError("not_offered", message, "others")
        for strength in STRENGTHS:
            if others == strength:
                return strength
        message = say("{others} is not one of {there}", others=repr(others), there=", ".join(STRENGTHS))
        raise RequestError("unknown_value", message, "others")

    def answer(
        self,
        position: BaseModel,
        ask: str,
        control: Control,
        *,
        model: str | None = None,
        player: int | None = None,
        wishes: Wishes | None = None,
    ) -> Answer:
        """Answer a puzzle's question, one of `asks`.

        A question about moves is answered by an analysis, or by a hint if cards are hidden. A question in
        `questions` has its own type of answer, and no `model` or `player`; that of compounding may have `wishes`.
        """
        if ask in self.questions:
            question: Any = self.questions[ask]
            answer: Answer = question.answer(position, control, *([] if wishes is None else [wishes]))
            return self._with_text(answer, position)
        if model in self.guarantees and "analyze" not in self.asks(position):
            answer = self.find("guaranteed")(position, control)
            return self._with_text(answer, position)
        if self.places["answer"] is None:
            return self.analyze(position, control, model=model, player=player)
        answer = self.find("answer")(position, ask, control, model=model, player=player)
        return self._with_text(answer, position)

    def _with_text(self, answer: A, position: BaseModel) -> A:
        """Return the answer with the position as a line of text, if the answer's type has a field for that."""
        if "text" not in type(answer).model_fields:
            return answer
        return answer.model_copy(update={"text": self.notation.write(position)})

    def proved(self, position: BaseModel, answer: Analysis | Hint, stated: Sequence[Any] = ()) -> Proved:
        """Return the value and the optimal moves that an answer proves for `position`.

        `stated` are the moves of a solution to be checked. If some of them are optimal, the result includes these,
        even if it does not list every optimal move.
        """
        if self.places["proved"] is not None:
            solution: Proved = self.find("proved")(position, answer, stated)
            return solution
        from solver.answers import Analysis, proved

        assert isinstance(answer, Analysis)
        return proved(answer)

    def claim(self, position: BaseModel) -> dict[str, Any]:
        """Return all data of a position, including the deck, that an independent checker of certificates needs.

        Raises RequestError if the game has no certificates, or none for this kind of position.
        """
        if self.places["claim"] is None:
            raise RequestError("not_offered", say("{game} has no certificates", game=self.title))
        if getattr(position, "viewer", None) is not None:
            raise RequestError("not_offered", say("a certificate needs a position with every card known"))
        claim: dict[str, Any] = self.find("claim")(position)
        return claim

    def proving(
        self, position: BaseModel, control: Control, *, model: str | None, player: int
    ) -> AbstractContextManager[ProofSearch]:
        """Open the search from which a certificate for a player's score is made.

        The position must be one that has a `claim`.
        """
        search: AbstractContextManager[ProofSearch] = self.find("proving")(
            position, control, model=model, player=player
        )
        return search

    def score(self, record: BaseModel, control: Control | None = None) -> Score:
        """Return the score of a finished round or match.

        In a game where scoring needs a search, `control` limits that search; by default there is no limit.
        """
        from solver.limits import Control

        score: Score = self.find("score")(record, control or Control())
        return score

    def rules(self, *, for_players: bool = False, house: bool = True) -> str:
        """Return the rules of the game in Markdown, in the current language if there is a translation.

        `for_players` leaves out what only those need who write positions or type commands. Without `house`, what
        holds only for the house deck is left out. In the files, such parts stand between the comments
        ``<!-- solver -->`` or ``<!-- house -->`` and ``<!-- end -->``.
        """
        text = _rules(self.package, str(language()))
        for part, left_out in (("solver", for_players), ("house", not house)):
            text = re.sub(f"<!-- {part} -->(.*?)<!-- end -->", "" if left_out else r"\1", text, flags=re.DOTALL)
        return re.sub(r"\n{3,}", "\n\n", text).rstrip() + "\n"

    def warm(self, *, hints: bool = False, last_first: bool = False) -> None:
        """Compile or load every kernel (compiled function), so that no user waits for it.

        With `hints`, do this only for the kernels that hints need. Two processes with a common cache share the
        work if one of them begins at the end (`last_first`).
        """
        # Import every module first: progress reports need the number of kernels.
        runs = [found_at(self.package, target) for target in self.warming]
        if hints:
            runs = runs[-self.hint_warming :]
        for run in reversed(runs) if last_first else runs:
            run()


@cache
def _rules(package: str, spoken: str) -> str:
    """Return the text of a game's rules, in a language if there is a translation."""
    from importlib import resources  # slow to import

    folder = resources.files(package)
    own = folder.joinpath(f"rules.{spoken}.md")
    return (own if own.is_file() else folder.joinpath("rules.md")).read_text(encoding="utf-8")


_NEEDED = ("analysis_type", "score_type", "playing")  # places without a default


def is_open(position: BaseModel) -> bool:
    """Whether other seats may act as well as the seat to move; moves must then be entered as in a view."""
    return bool(getattr(position, "observed", False))


ANYWAY = "anyway"  # follows a move at a real table that was made against the rules


def split_anyway(text: str) -> tuple[str, bool]:
    """Split the word `ANYWAY` from a move; whether it was there."""
    *words, last = text.split() or [""]
    if last.lower() != ANYWAY or not words:
        return text, False
    return " ".join(words), True


_LONGEST_CARD = 3  # letters of a card's name within a move; a longer word is one like "take"


_MOST_LETTERS = 1000  # of a move: some hundred cards
_MOST_TEXTS = 30  # for one event: no deal turns up so many cards


def _check_length(text: str) -> None:
    """Raise MoveError for a text that is too long for a move."""
    if len(text) > _MOST_LETTERS:
        raise MoveError("illegal_move", say("a move has at most {most:,} letters", most=_MOST_LETTERS))


def chances_of(game: Game, view: BaseModel, others: Others) -> dict[str, float]:
    """Return the probability of each legal move, as text, for a player of this strength with this view.

    The game must distinguish `levels`.
    """
    moves = game.legal_moves(view)
    chances = game.find("played_by")(view, moves, others)
    return dict(zip((game.format_move(view, move) for move in moves), chances, strict=True))


def spelled(game: Game, position: BaseModel, texts: Sequence[str]) -> list[str]:
    """Return moves with their cards and words in their usual spelling; other texts are kept as they are.

    Raises MoveError for a text that is too long for a move.
    """
    for text in texts:
        _check_length(text)
    card = game.notation.names(position.model_dump(mode="json", include={"deck"})).card
    return [_spelled(text, card) for text in texts]


def _spelled(text: str, card: Callable[[str], str]) -> str:
    """Return a move with its cards as `card` spells them, and its words in lower case, in plain characters."""
    words = []
    for word in plain(text).replace(",", " ").split():
        whole = card(word)
        parts = re.split(r"([=+>:])", word)
        words.append("".join(map(card, parts)) if whole == word and len(parts) > 1 else whole)
    return " ".join(word.lower() if word.isalpha() and len(word) > _LONGEST_CARD else word for word in words)


def found_at(package: str, place: str | None) -> Any:
    """Import the object at a place, ``module:name``; a leading dot makes the module relative to the package.

    Raises ImportError if there is none.
    """
    module, _, name = str(place).partition(":")
    try:
        return getattr(_module(module, package), name)
    except (ImportError, AttributeError, ValueError) as error:
        raise ImportError(f"{package} has nothing at {place!r}: {error}") from error


_module = cache(import_module)


@cache
def _takes(function: Callable[..., Any], key: str) -> bool:
    """Whether a function has a keyword of this name, or any."""
    return any(key == arg.name or arg.kind is arg.VAR_KEYWORD for arg in signature(function).parameters.values())


def late(package: str, place: str) -> Callable[..., Any]:
    """Return a function that imports the function at `place` (see `found_at`) only when called, and calls it."""

    def call(*args: Any, **named: Any) -> Any:
        return found_at(package, place)(*args, **named)

    return call


# ----------------------------------------------------------------------------------------------------
# Surveys: statistics over many deals.
#
# Some are commands, ``athanor NAME VARIANT``. Some can be split up by jobs and batches: each part gives rows of
# data, and all rows are merged into one result.


Row = Mapping[str, Any]


@dataclass(frozen=True, kw_only=True)
class Parts:
    """How a survey is divided into parts of `deals` deals each, which `part` evaluates and `merged` combines.

    ``part(variant, seed=…, number=…, deals=…, control=…)`` evaluates that many deals of a seed, starting with deal
    `number`, and returns rows of JSON data. Each row has the number of its deal (``number``), or a range of deals
    (``number`` and ``deals``). Rows must be reproducible, so they must not depend on the clock. Rows of a
    cancelled part are discarded.

    ``merged(variant, seed, rows)`` combines the rows of all parts, in any order, into the result. It raises
    RequestError for deals that are counted twice.
    """

    deals: int
    part: Callable[..., Iterable[Row]]
    merged: Callable[[str, int, Iterable[Row]], Answer]


class Section(NamedTuple):
    """Part of a result for display: labelled lines with an optional heading."""

    heading: str | None
    rows: Sequence[tuple[str, str]]


@dataclass(frozen=True, kw_only=True)
class Survey:
    """Statistics over many deals of some variants of a game, with `run`, `parts`, or both.

    `help` is one sentence, `deals` the default number of deals. A survey with `run` is also a command called
    `name`; a survey with `parts` can be run as a job.

    ``run(variant, deals=…, seed=…, jobs=…, control=…)`` evaluates the first `deals` deals of a seed on `jobs`
    threads, whose number does not affect the result. If the control ends it early, the result covers the deals
    finished by then.

    `sections` prepares a result for display. `draw`, if given, plots a result into a .png or .svg file, and may
    raise OSError; `drawn` describes the plot, as in "where deals are lost".
    """

    name: str
    help: str
    variants: tuple[str, ...]
    deals: int
    sections: Callable[[Any], Sequence[Section]]
    run: Callable[..., Answer] | None = None
    parts: Parts | None = None
    draw: Callable[[Any, Path], None] | None = None
    drawn: str = ""


# ----------------------------------------------------------------------------------------------------
# Certificates.


@dataclass(frozen=True, slots=True, kw_only=True)
class ProofSearch:
    """A search for one player's score, from which `puzzles.proofs` makes a certificate.

    `start` is the first node, and ``after(node, text)`` the node after a move. ``reaches(node, score)`` is whether
    the player scores at least `score` in the whole round from a node; None if a limit was reached first.
    """

    start: Any
    after: Callable[[Any, str], Any]
    reaches: Callable[[Any, int], bool | None]
