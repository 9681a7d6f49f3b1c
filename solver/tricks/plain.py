"""A ready-made plain trick game: positions and moves. A game adds its name, rules and extra fields.

    class Round(plain.Round):
        game: Literal["whist"]
        trump: Suit | None = None

        @property
        def trick_rules(self) -> WhistRules: ...

The functions below have the signatures of `solver.game.Game`: `solver.tricks.PlainTrickGame` refers to them. A
game writes anything else itself, with parts from `solver.tricks.positions` and `moves`.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass, field, replace
from functools import cached_property
from types import UnionType
from typing import (
    TYPE_CHECKING,
    Annotated,
    Any,
    ClassVar,
    Literal,
    Self,
    TypeVar,
    Union,
    Unpack,
    get_args,
    get_origin,
)

import numpy as np
from pydantic import BaseModel, Field, Tag, ValidationError, create_model, model_validator
from pydantic.fields import FieldInfo
from pydantic_core import PydanticCustomError

from solver.answers import AnySampledHint, MatchScore, ScoreAnalysis, Scores, SidesAnalysis
from solver.codec import (
    CARDS,
    FLAG,
    PILES,
    TEXT,
    WHOLE,
    Data,
    Led,
    Names,
    Notation,
    OneOf,
    OrText,
    Value,
    texts,
)
from solver.common import mask, points_counted
from solver.display import CardFace, OwnField, leaders_of, totals_of
from solver.errors import Fault
from solver.game import Game
from solver.hints.ranking import POINTS, Unit
from solver.hints.sampled import HintOptions, Sampler
from solver.kernels.words import Floats, Words
from solver.language import say, say_many, say_of, translated
from solver.limits import Control, Limit, Part
from solver.registry import game_of
from solver.search.memory import Pool
from solver.search.score_search import ScoreProver, ScoreSearch, score_search
from solver.search.trick_rules import NEED, ScoreRules
from solver.tricks import Suit, moves
from solver.tricks.analysis import (
    Encoded,
    Form,
    PlayerScore,
    ScoreBounds,
    all_scores,
    asked,
    bracket,
    merit,
    one_score,
    proved,
)
from solver.tricks.any_round import MISSING, NONE_IF_EMPTY, AnyRound, Keys, amount
from solver.tricks.hint import SampledDeals, because, moves_tried
from solver.tricks.positions import (
    CardRound,
    Model,
    Past,
    Replay,
    cards_at,
    check_entries,
    check_seat,
    places,
    refuse_doubles,
    spread,
)
from solver.tricks.rules import CardState, Masks, PlainRules
from solver.tricks.text import (
    AS_PLAYED,
    SHARED,
    card_trick,
    hands_left,
    leader_by_hands,
    replay_data,
    trick_text,
    tricks_row,
)
from solver.validation import all_of, fault

State = CardState[PlainRules]


def points(state: State) -> tuple[int, ...]:
    """Each seat's score so far."""
    return state.rules.points(state.won)


_MOST_CARDS = 128  # in any list; a deck is a mask of 64 bits

Card = Annotated[str, Field(strict=True, min_length=1, max_length=20)]
Cards = Annotated[tuple[Card, ...], Field(max_length=_MOST_CARDS), OrText("CA C2")]
Piles = Annotated[tuple[Cards, ...], Field(max_length=_MOST_CARDS, fail_fast=True), OrText("CA,C2/CK,C3")]
Dealt = Annotated[
    Annotated[Cards, Tag("one")] | Annotated[Piles, Tag("several")], amount(lambda value: texts(value) is None)
]
Seat = Annotated[int, Field(ge=0, strict=True)]
AsPlayed = Annotated[Cards | None, NONE_IF_EMPTY]


class FinishedTrick(Model):
    """A finished trick: its leader, and the cards in play order. A leader that follows may be missing."""

    leader: Seat = MISSING
    cards: Cards


History = Annotated[
    tuple[FinishedTrick, ...], Field(max_length=_MOST_CARDS, fail_fast=True), OrText("0:CA,C2,C3,C4")
]


def _kind_of(data: Data) -> str:
    own_hand = "hand" in data or ("hands" not in data and texts(data.get("dealt")) is not None)
    return "view" if own_hand else "known"


class Round(AnyRound, CardRound[PlainRules]):
    """What somebody knows of a round, at any point of any trick.

    If every card is known, `hands` has all hands. `won` may be left out or incomplete; cards that are listed
    nowhere are out of play. `history` has the finished tricks from the first on; it is needed for making views.

    In a view, the other hands are missing: `seat` has this `hand`, and all finished tricks are in `history`.
    `dealt` may have the cards dealt, instead of those left.
    """

    seat: Seat = MISSING
    leader: Seat = MISSING
    trick: Cards = MISSING
    hand: Cards = MISSING
    hands: Piles = MISSING
    dealt: Dealt | None = None
    won: Piles = MISSING
    history: History | None = None
    as_played: AsPlayed = None

    finished_trick: ClassVar[type[BaseModel]] = FinishedTrick

    @classmethod
    def __pydantic_init_subclass__(cls, **_options: Any) -> None:
        own = " ".join(["game", *cls.own_fields()])
        known, view = "leader? trick hands! won history", "leader? trick seat! hand! history"
        kinds = {kind: f"{own} {keys} as_played dealt" for kind, keys in (("known", known), ("view", view))}
        cls.keys = Keys(kinds, _kind_of, cls._complete)

    @classmethod
    def own_fields(cls) -> dict[str, FieldInfo]:
        """The fields that only this game's positions have, by their keys."""
        shared = Round.model_fields.keys() | {"game"}
        return {key: field for key, field in cls.model_fields.items() if key not in shared}

    @property
    def about(self) -> list[tuple[str, str]]:
        """The game's own fields by their titles, a suit by its sign and name."""
        return [(_title(key, field), _word(self, getattr(self, key))) for key, field in self.own_fields().items()]

    @classmethod
    def _complete(cls, kind: str, values: Data, faults: list[Fault]) -> list[Replay[int, PlainRules]]:
        rules = cls.model_construct(**values).trick_rules
        against = mask(cards_at(rules, values.get("as_played", ()), "as_played"))
        values.setdefault("trick", ())
        played = replay_data(values, replace(rules, as_played=against), card_trick)
        leader_by_hands(values)
        hands_left(values, rules.players, [], faults)
        if kind == "view":
            values.setdefault("history", ())
        else:
            won = played.past.won if played else (0,) * rules.players
            values.setdefault("won", tuple(map(rules.names, won)))
        return [played] if played else []

    @property
    def start(self) -> Past[int, PlainRules]:
        past = super().start
        against = mask(cards_at(past.rules, self.as_played or (), "as_played"))
        return replace(past, rules=replace(past.rules, as_played=against))

    def _check(self) -> None:
        check_seat(self.leader, self.players, "leader")
        if len(self.trick) >= self.players:
            raise fault(
                "wrong_size",
                say("an unfinished trick has at most {players} cards", players=self.players - 1),
                "trick",
            )
        for index, trick in enumerate(self.history or ()):
            check_seat(trick.leader, self.players, f"history[{index}].leader")
        self.check_tricks(len(self.tricks) + bool(self.plays))
        if self.hands is None:
            check_seat(self.seat, self.players, "seat")
            held = places("hand", self.hand)
        else:
            all_of(
                lambda: check_entries(self.hands, self.players, "hands"),
                lambda: check_entries(self.won, self.players, "won"),
            )
            held = spread("hands", self.hands)
        all_of(lambda: self.held, lambda: self.piles_told)
        everywhere = [*held, *self.played_places]
        all_of(lambda: refuse_doubles(everywhere), self.check_sizes, then=[self.check_hands])

    @cached_property
    def state(self) -> State:
        """The round as a state in plain Python, for analyses; every card must be known."""
        past = self.past
        return CardState(past.rules, self.hand_masks, self.leader, self.plays, past.won)

    @property
    def points(self) -> tuple[int, ...]:
        return self.trick_rules.points(self.past.won)


K = TypeVar("K", bound=Round)


def _round(position: BaseModel) -> Round:
    assert isinstance(position, Round)
    return position


def as_known(position: BaseModel) -> Round:
    """The position, if all its cards are known. Raises RequestError for a view."""
    position = _round(position)
    if position.hands is None:
        raise moves.hidden_hands(say("all hands"))
    return position


def play(position: BaseModel, move: int) -> Round:
    """The position after a legal move.

    Raises MoveError for an illegal move, RequestError for a view, where other hands are hidden.
    """
    position = _round(position)
    if position.hands is None:
        raise moves.view_not_played()
    moves.check_card(position, move)
    return moves.after(position, move)


def view(position: BaseModel, seat: int) -> Round:
    """The view of the player in `seat`: what that player sees of the position.

    Raises RequestError for a position without its earlier tricks (`history`), and if the position is
    another seat's view.
    """
    position = _round(position)
    moves.check_viewer(seat, position.players, position.viewer)
    if position.hands is None:
        return position
    public = {
        key: getattr(position, key) for key in (*position.own_fields(), "game", "leader", "trick", "as_played")
    }
    history = moves.history_seen(position)
    return type(position)(**public, seat=seat, hand=position.hands[seat], history=history)


def observe(position: BaseModel, texts: Sequence[str]) -> tuple[BaseModel, int]:
    """Return a view after the card `texts[0]` is played, and the number of texts used, which is always 1.

    Raises MoveError if the card cannot have been played.
    """
    return moves.observe_card(moves.as_view(_round(position)), texts[0]), 1


def deal(kind: type[K], rules: PlainRules, seed: int, number: int = 0, **fields: object) -> K:
    """Deal cards by seed and number; return a position of type `kind`. Seat 0 leads.

    `fields` has the values of the fields that only this game has.
    """
    hands = moves.shuffled(len(rules.deck), [rules.hand_size] * rules.players, seed, number)[:-1]
    texts = tuple(tuple(map(rules.name, sorted(hand))) for hand in hands)
    return kind(**{"leader": 0, **fields, "hands": texts, "history": ()})


# ----------------------------------------------------------------------------------------------------
# Positions of a plain trick game as labelled lines for a person.


Rows = list[tuple[str, str]]
NONE = "–"


def describe(position: BaseModel) -> Rows:
    """Describe a position for people, as pairs of a label and a text, including the pairs of `position.about`."""
    position = _round(position)
    return _seen(position) if position.hands is None else _known(position)


def _known(position: Round) -> Rows:
    over = not any(position.hands)
    rows = list(position.about)
    for seat, hand in enumerate(position.hand_masks):
        points = position.points[seat]
        so_far = say_many("{count} point so far", "{count} points so far", points)
        marks = [points_counted(points) if over else so_far]
        marks += [say("to move")] * (seat == position.seat_to_move and not over)
        rows.append((say("Seat {seat}", seat=seat), f"{_listed(position, hand)}   ({say('; ').join(marks)})"))
    return [*rows, _trick_row(position, over=over)]


def _seen(position: Round) -> Rows:
    rows = [
        (say("You"), say("seat {seat}", seat=position.seat)),
        (say("Hand"), _listed(position, position.hand_mask)),
        *position.about,
        _trick_row(position, over=len(position.tricks) == position.whole_hand),
        tricks_row(len(position.tricks), position.whole_hand),
    ]
    if position.history:
        last = position.history[-1]
        plays = trick_text(last.leader, position.players, last.cards)
        sentence = say("{plays}; seat {seat} leads now", plays=plays, seat=position.leader)
        rows.append((say("Last trick"), sentence))
    points = position.trick_rules.points(position.past.won)
    rows += [
        (say("Seat {seat} won", seat=seat), f"{_listed(position, pile)}   ({points_counted(points[seat])})")
        for seat, pile in enumerate(position.past.won)
        if pile
    ]
    return rows


def _listed(position: Round, cards: int) -> str:
    return " ".join(position.trick_rules.names(cards)) or NONE


def _trick_row(position: Round, *, over: bool) -> tuple[str, str]:
    none = say("none; the round is over") if over else say("none yet; seat {seat} leads", seat=position.leader)
    return say("Trick"), trick_text(position.leader, position.players, position.trick) or none


# ----------------------------------------------------------------------------------------------------
# `PlainSearch`: the analyses and hints of a plain game, from its rules for the search and an encoder.
#
# In the game's module `search`, which has `analyze`, `hint` and `warm`:
#
#     SEARCH = PlainSearch(
#         kind=Round, deal=deal, encode=encode, rules=RULES, policy=policy, sides=(0, 1, 0, 1)
#     )
#     analyze, hint, warm = SEARCH.analyze, SEARCH.hint, SEARCH.warm
#
# `maxn` has no search of its own here. With two sides that play for the same tricks, it is the game between them.
# Otherwise small endings are solved in plain Python, and larger ones bounded: each seat's score lies between what
# it can guarantee (`paranoid`) and what all together can get it (`ally`).


_MOST_STATES = 100_000  # in an ending that is solved in Python: some seconds
_NODES_A_LOOK = 200  # between two checks of the limit
_PLAIN_SHARE = 0.5  # of a limit; the rest is for bounds, if the ending is not solved by then


class _StoppedError(Exception):
    """The search was given up."""


@dataclass
class _PlainMaxn:
    """`maxn` in plain Python, with a memo of all states.

    It gives up after the fraction `part` of the limit, or after `room` states.
    """

    part: Part
    room: int
    known: dict[State, Scores] = field(default_factory=dict)

    def moves(self, state: State) -> dict[int, Scores] | None:
        """Every seat's score after each legal card, in canonical order; None if the search was given up."""
        try:
            return {card: self._scores(state.after(card)) for card in state.moves()}
        except _StoppedError:
            return None

    def line(self, state: State) -> list[int]:
        """The principal variation from a state that `moves` has solved.

        Of several best cards, the first in canonical order is played.
        """
        played: list[int] = []
        while cards := state.moves():
            seat, after = state.to_move, {card: state.after(card) for card in cards}
            played.append(max(cards, key=lambda card: merit(self.known[after[card]], seat)))
            state = after[played[-1]]
        return played

    def _scores(self, state: State) -> Scores:
        if state not in self.known:
            self.room -= 1
            self.part.control.nodes += 1
            if self.room < 0 or (self.room % _NODES_A_LOOK == 0 and self.part.over()):
                raise _StoppedError
            seat = state.to_move
            ways = [self._scores(state.after(card)) for card in state.moves()]
            self.known[state] = max(ways, key=lambda scores: merit(scores, seat)) if ways else points(state)
        return self.known[state]


@dataclass(frozen=True, eq=False)
class PlainSearch:
    """The analyses and hints of a plain game, made from what the game provides.

    `kind` is its model of known positions, and ``deal(seed)`` deals one. `rules` are the rules of the search, and
    ``encode(state, player, allies)`` encodes a state for a search of `player`'s score. Their `maximises` must
    return 1 when the player or a partner is to move, and always if `allies` is true. If the seats form two sides
    that share a fixed number of points, `sides` gives the side of each seat, 0 or 1. Raises ValueError for other
    `sides`.

    `policy` is a kernel that chooses the cards of the players in hints (see `solver.tricks.hint.policy`);
    `unit` is the unit of scores, such as points.
    """

    _: KW_ONLY
    kind: type[Round]
    deal: Callable[[int], Round]
    encode: Callable[[State, int, bool], Encoded[int]]
    rules: ScoreRules
    policy: Callable[..., int]
    sides: tuple[int, ...] | None = None
    unit: Unit = POINTS

    def __post_init__(self) -> None:
        if self.sides is not None and set(self.sides) != {0, 1}:
            raise ValueError(f"{self.rules.who}: sides are 0 and 1 or are left out, not {self.sides}")

    @cached_property
    def search(self) -> ScoreSearch:
        """The score search with the game's rules."""
        return score_search(self.rules)

    @cached_property
    def provers(self) -> Pool[ScoreProver]:
        """A pool of provers for analyses, each with its own table."""
        return Pool(lambda megabytes: ScoreProver(self.search, megabytes))

    def analyze(
        self, position: Round, control: Control, *, model: str | None = None, player: int | None = None
    ) -> ScoreAnalysis:
        """Return the value of every move for the player (by default the seat to move), the best move first.

        If the limit is reached, the values are only bounds. Raises RequestError for an unknown model or player.
        """
        state = position.state
        seat, name = state.to_move, state.rules.name
        form = Form(self.rules.game, SidesAnalysis if self.sides else ScoreAnalysis, name)
        question = asked(model, player, seat, len(state.hands), control)
        with self.provers.lend() as prover:
            if question.model != "maxn":
                search = self._score(state, prover, question.player, question.model == "ally", control)
                return one_score(
                    form,
                    question,
                    search.moves(name) if any(state.hands) else {},
                    high=search.maximises(search.start),
                    won=search.won,
                    line=lambda *_: search.best_line()[1:],
                )
            proofs: dict[int, ScoreBounds] = {}
            with control.telling(lambda: proved(name, proofs)):
                cards, line = self._everybody(state, control, prover, proofs)
        return all_scores(form, question, cards, scores=points(state), line=line)

    def _score(
        self, state: State, prover: ScoreProver, player: int, allies: bool, control: Control
    ) -> PlayerScore[int]:
        return PlayerScore(prover, self.encode(state, player, allies), allies=allies, control=control)

    def _everybody(
        self, state: State, control: Control, prover: ScoreProver, proofs: dict[int, ScoreBounds]
    ) -> tuple[dict[int, ScoreBounds], Sequence[int]]:
        """Bounds on everybody's scores after each legal card, and the line of play if they are exact.

        During a long search (`bracket`), `proofs` has the bounds so far.
        """
        if not any(state.hands):
            return {}, ()
        if self.sides is not None:
            return self._two_sides(self.sides, state, control, prover)
        plain = _PlainMaxn(Part(control, _PLAIN_SHARE), _MOST_STATES)
        solved = plain.moves(state)
        if solved is not None:
            return {card: (scores, scores) for card, scores in solved.items()}, plain.line(state)

        def score_of(seat: int, allies: bool) -> PlayerScore[int]:
            return self._score(state, prover, seat, allies, control)

        bracket(state.moves(), len(state.hands), score_of, proofs)
        return proofs, ()

    def _two_sides(
        self, sides: tuple[int, ...], state: State, control: Control, prover: ScoreProver
    ) -> tuple[dict[int, ScoreBounds], Sequence[int]]:
        """Bounds on everybody's scores under `maxn` after each legal card, and the line of play if they are exact.

        There are two sides whose scores have a fixed total, so only one side's score is searched.
        """
        seat = state.to_move
        search = self._score(state, prover, seat, False, control)
        other = next(score for score, side in zip(points(state), sides, strict=True) if side != sides[seat])
        total = search.widest(search.start)[1] + other

        def everybody(score: int) -> Scores:
            return tuple(score if side == sides[seat] else total - score for side in sides)

        def bounds(least: int, most: int) -> ScoreBounds:
            low, high = everybody(least), everybody(most)
            return tuple(map(min, low, high)), tuple(map(max, low, high))

        scores = search.moves()
        return {card: bounds(*least_most) for card, least_most in scores.items()}, search.best_line()

    @cached_property
    def sampler(self) -> Sampler[Round, int]:
        """The sampler of hints. It samples worlds uniformly, and plays them to their end."""
        tried = moves_tried(self.rules, self.policy)
        room = 2 * (self.rules.state_words + self.rules.most_moves)

        def scores_of(view: CardRound[PlainRules], hands: Masks, random: Words) -> Floats:
            """The score of the player's side after each legal card, if these are the hands."""
            past = view.past
            encoded = self.encode(
                CardState(past.rules, hands, view.leader, view.plays, past.won), view.seat, False
            )
            encoded.start[NEED] = -encoded.won
            scores = np.zeros(self.rules.most_moves)
            count = tried(encoded.deal, encoded.start, random, np.zeros(room, np.int64), scores)
            return scores[:count]

        return Sampler(
            game=self.rules.game,
            method="sampled deals",
            legal_moves=lambda view: view.legal_cards,
            text=lambda view, card: view.trick_rules.name(card),
            rollouts=lambda view, cards, seed, _others: SampledDeals(scores_of, view, cards, seed),
            unit=lambda _view: self.unit,
            because=because,
            levels=False,
        )

    def hint(self, view: Round, control: Control, **options: Unpack[HintOptions]) -> AnySampledHint:
        """Find the card with the best mean score over deals that agree with the view."""
        return self.sampler.hint(view, control, **options)

    def warm(self) -> None:
        """Compile or load every kernel of the game."""
        position = self.deal(0)
        self.hint(view(position, position.seat_to_move), Control(Limit(nodes=1)))
        while len(position.hands[0]) > 1:
            position = play(position, position.legal_cards[0])
        self.analyze(position, Control())


# ----------------------------------------------------------------------------------------------------
# How positions of plain trick games are written as text, and how their keys follow from one another.
#
# A game's own fields are written by type: numbers, yes or no, texts, or lists of texts.


def notation(game: Game) -> Notation:
    """Build the text notation of a plain game; the game's own fields come first."""
    kind: type[Round] = game.position_type
    typed: dict[str, Any] = {key: (field.annotation, field) for key, field in kind.own_fields().items()}
    fields = create_model("Fields", __base__=Model, **typed)
    own = {key: _value(field.annotation) for key, field in fields.model_fields.items()}

    def rules(data: Mapping[str, Any]) -> PlainRules | None:
        """The rules that the game's own fields describe; None if these are wrong.

        Whatever else the game's `trick_rules` raises for fields of the right types is for its author to see.
        """
        try:
            values = fields.model_validate({key: data[key] for key in own if key in data})
            return kind.model_construct(**dict(values)).trick_rules
        except (ValidationError, PydanticCustomError):
            return None

    def names(data: Mapping[str, Any]) -> Names:
        usual = rules(data) or rules({})
        return Names(usual.deck if usual else ())

    return Notation(
        values={**own, **SHARED, **AS_PLAYED}, rounds={"won": PILES}, names=names, shortened=_shortened
    )


def _shortened(data: Data, position: Any) -> Data:
    """Return the data to write: without what follows, and with the leader in front of the trick's cards."""
    if "leader" not in data:
        return data  # a record
    history, trick = data.get("history"), data.get("trick")
    follows = {"trick": not trick, "leader": trick or history, "history": "hand" in data and not history}
    if "won" in data:
        past = position.past.won if history else (0,) * position.players
        follows["won"] = data["won"] == [[*position.trick_rules.names(pile)] for pile in past]
    left = {key: value for key, value in data.items() if not follows.get(key)}
    return left | {"trick": Led(data["leader"], trick)} if trick else left


def _title(key: str, field: FieldInfo) -> str:
    return translated(field.title or key.replace("_", " ").capitalize())


def _word(position: Round, value: object) -> str:
    """Return the value of a game's own field as a person reads it."""
    if value is None:
        return say("none")
    if isinstance(value, bool):
        return say("yes") if value else say("no")
    suits: Mapping[str, Suit] = getattr(game_of(position), "suits", {}) if isinstance(value, str) else {}
    suit = suits.get(str(value))
    return f"{suit.sign} {say_of('suit', suit.name)}" if suit else str(value)


def fields_asked(game: Game) -> Sequence[OwnField]:
    """Those of them that are one of several words, or yes or no: others can't be chosen on the page."""
    kind: type[Round] = game.position_type
    asked = []
    for key, stated in kind.own_fields().items():
        value = _value(stated.annotation)
        if isinstance(value, OneOf) or value is FLAG:
            choices = value.words if isinstance(value, OneOf) else ()
            usual = None if stated.is_required() else stated.default
            asked.append(OwnField(name=key, title=_title(key, stated), choices=choices, default=usual))
    return asked


def faces(codes: Sequence[str], suits: Mapping[str, tuple[str, str, str]]) -> Sequence[CardFace]:
    """The cards of a deck: their codes begin with a suit (its name, sign and ink), and the rest is the rank."""
    cards = []
    for code in codes:
        start = next((start for start in suits if code.startswith(start)), "")
        rank, suit, name, details = code.removeprefix(start), None, code, {}
        if start:
            suit, sign, ink = suits[start]
            name, details = f"{say_of('suit', suit)} {rank}", {"sign": sign, "ink": ink}
        cards.append(CardFace(card=code, name=name, suit=suit, rank=rank, copies=1, details=details))
    return cards


def _value(kind: Any) -> Value:
    """The notation of a field of type `kind`."""
    origin, parts = get_origin(kind), get_args(kind)
    if origin is Annotated:
        return _value(parts[0])
    if origin in (Union, UnionType):
        return _value(next(part for part in parts if part is not type(None)))
    if origin is Literal:
        return OneOf(parts) if isinstance(parts[0], str) else _value(type(parts[0]))
    if origin in (list, tuple):
        return PILES if get_origin(parts[0]) in (list, tuple) else CARDS
    return {int: WHOLE, bool: FLAG}.get(kind, TEXT)


# ----------------------------------------------------------------------------------------------------
# Records of plain trick games (finished rounds, and matches of several), and their scores.


class FinishedRound(Model):
    """The cards that each seat won in a round."""

    won: tuple[Cards, ...]


class _Scored(ABC):
    """What the `Record` of a game must define: the game's name, and its rules."""

    if TYPE_CHECKING:

        @property
        def game(self) -> str: ...

    @property
    @abstractmethod
    def trick_rules(self) -> PlainRules:
        """The rules for scoring the piles."""


class Record(Model, _Scored):
    """The rounds of a match so far, in order; a single round is a match of one. A game adds its name and rules."""

    rounds: Annotated[tuple[FinishedRound, ...], Field(min_length=1)]

    match_rounds: ClassVar[int] = 1  # how many rounds make a match

    @model_validator(mode="after")
    def _check(self) -> Self:
        if len(self.rounds) > self.match_rounds:
            message = say_many(
                "a match has {count} round, not {count_2}",
                "a match has {count} rounds, not {count_2}",
                self.match_rounds,
                count_2=len(self.rounds),
            )
            raise fault("wrong_size", message, "rounds")
        for number, played in enumerate(self.rounds):
            self._check_round(played, f"rounds[{number}].won")
        return self

    def _check_round(self, played: FinishedRound, path: str) -> None:
        """Raise a fault unless the piles consist of whole tricks, and all tricks were played."""
        rules = self.trick_rules
        check_entries(played.won, rules.players, path)
        for seat, pile in enumerate(played.won):
            cards_at(rules, pile, f"{path}[{seat}]")
            if len(pile) % rules.players:
                message = say_many(
                    "seat {seat} has {count} card; tricks of {players} are won whole",
                    "seat {seat} has {count} cards; tricks of {players} are won whole",
                    len(pile),
                    seat=seat,
                    players=rules.players,
                )
                raise fault("wrong_size", message, f"{path}[{seat}]")
        refuse_doubles(spread(path, played.won))
        count, all_played = sum(map(len, played.won)), rules.players * rules.hand_size
        if count != all_played:
            message = say(
                "a finished round has {all_played} cards in the piles, not {count}",
                all_played=all_played,
                count=count,
            )
            raise fault("wrong_size", message, path)


def score(record: BaseModel, _control: Control | None = None) -> MatchScore:
    """Score a record."""
    assert isinstance(record, Record)
    rules = record.trick_rules
    rounds = tuple(
        rules.points([mask(rules.numbers[text] for text in pile) for pile in played.won])
        for played in record.rounds
    )
    totals = totals_of(rounds)
    finished = len(rounds) == record.match_rounds
    return MatchScore(
        game=record.game,
        rounds=rounds,
        totals=totals,
        winners=leaders_of(totals) if finished else None,
        finished=finished,
    )
