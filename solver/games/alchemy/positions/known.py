"""Positions and records of alchemy as users send them, validated."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Annotated, ClassVar, Literal, Self

from pydantic import AfterValidator, ConfigDict, Field, model_validator

from solver.common.words import counted
from solver.games.alchemy.cards.deck import COPIES, JOKER, card, points, rank_of
from solver.games.alchemy.cards.rules import DUEL_LINE, SOLITAIRE, Turn, Variant
from solver.inputs.errors import Fault
from solver.inputs.faults import all_of, fault, refuse
from solver.notation.schema import OrText, Sent
from solver.positions import Shown

_MOST_CARDS = 100  # of a list; the deck with its jokers has fewer
_MOST_MOVES = 1000  # of a record
_MOST_ROUNDS = 1000  # of a match
LEAST_CAP, MOST_CAP = 3, 6  # cards that a solitaire's line holds
LARGEST_LINE = 60  # of a `free` puzzle with an objective
LARGEST_LISTED_LINE = 24  # of one whose matches are all listed


def _card(text: str) -> str:
    rank = rank_of(text)
    if rank is None:
        raise fault("illegal_card", f"{text!r} is no card; cards are A 2 … 10 J Q K, and X for a joker")
    return card(rank)


Card = Annotated[str, Field(strict=True, examples=["7"]), AfterValidator(_card)]
Cards = Annotated[tuple[Card, ...], Field(max_length=_MOST_CARDS), OrText("4,7,K,2,9,A")]


def _rank(text: str) -> int:
    rank = rank_of(text)
    assert rank is not None
    return rank


def _ranks(texts: Iterable[str]) -> tuple[int, ...]:
    return tuple(_rank(text) for text in texts)


class _Model(Sent):
    model_config = ConfigDict(frozen=True, extra="forbid")


Places = Iterable[tuple[str, int]]  # a path, and the rank that lies there


def _places(key: str, texts: Iterable[str] | None) -> Iterator[tuple[str, int]]:
    return ((f"{key}[{index}]", _rank(text)) for index, text in enumerate(texts or ()))


def _refuse_jokers(places: Places) -> None:
    refuse(Fault("illegal_card", "a joker cannot be here", path) for path, rank in places if rank == JOKER)


def _refuse_surplus(places: Places) -> None:
    """A rank is in the deck four times; each further one is an error, named by its place."""
    counts: Counter[int] = Counter()
    found = []
    for path, rank in places:
        counts[rank] += 1
        if rank != JOKER and counts[rank] > COPIES:
            found.append(Fault("duplicate_card", f"this is a fifth {card(rank)}; the deck has four", path))
    refuse(found)


class SolitairePosition(Shown, _Model):
    """A solitaire turn: the line lies, the hand is drawn. With `stock` (in draw order) all is known.

    Without `stock` its order is hidden: it holds the cards of `unseen` or, without that too, the full deck
    less `line`, `hand` and `discarded`. `hand` is left out only when the stock is empty: the game is won.
    """

    game: Literal["alchemy"]
    variant: Literal["solo", "alternative"]
    cap: Annotated[int, Field(ge=LEAST_CAP, le=MOST_CAP, strict=True)]
    line: Cards
    hand: Card | None = None
    stock: Cards | None = None
    unseen: Cards | None = None
    discarded: Cards = ()

    inferred: ClassVar[frozenset[str]] = frozenset({"cap"})

    @property
    def rules(self) -> Variant:
        return SOLITAIRE[self.variant]

    @property
    def seat_to_move(self) -> int:
        return 0

    @property
    def hidden(self) -> bool:
        """Whether the order of the stock is not known and matters."""
        return self.stock is None and bool(self.unseen_ranks)

    @property
    def unseen_ranks(self) -> tuple[int, ...]:
        """The stock's cards: in draw order when known, ascending when hidden."""
        if self.stock is not None:
            return _ranks(self.stock)
        if self.unseen is not None:
            return tuple(sorted(_ranks(self.unseen)))
        left = Counter(self.rules.deck)
        left.subtract(_ranks(self.line))
        left.subtract(_ranks(self.discarded))
        if self.hand is not None:
            left[_rank(self.hand)] -= 1
        return tuple(sorted(left.elements()))

    @property
    def discarded_ranks(self) -> tuple[int, ...]:
        return _ranks(self.discarded)

    @property
    def turn(self) -> Turn:
        """The position by ranks; the stock is empty where it is hidden."""
        stock = _ranks(self.stock or ())
        hand = None if self.hand is None else _rank(self.hand)
        return Turn(self.cap, _ranks(self.line), hand, stock, won=True if hand is None else None)

    def _all_places(self) -> Iterator[tuple[str, int]]:
        yield from _places("line", self.line)
        if self.hand is not None:
            yield "hand", _rank(self.hand)
        yield from _places("stock", self.stock)
        yield from _places("unseen", self.unseen)
        yield from _places("discarded", self.discarded)

    @model_validator(mode="after")
    def _check(self) -> Self:
        checks = self._check_ranks, lambda: _refuse_surplus(self._all_places()), self._check_cap
        all_of(*checks, then=[self._check_line])
        return self

    def _check_ranks(self) -> None:
        rules = self.rules
        deck = f"A–{card(rules.ranks)}, no jokers"
        refuse(
            Fault("illegal_card", f"{card(rank)} is not in the deck of {rules.name} ({deck})", path)
            for path, rank in self._all_places()
            if rank == JOKER or rank > rules.ranks
        )

    def _check_cap(self) -> None:
        rules = self.rules
        if self.cap > rules.cap:
            raise fault("out_of_range", f"cap is at most {rules.cap} in {rules.name}", "cap")
        if self.stock is not None and self.unseen is not None:
            raise fault("conflict", "a position has a known stock or unseen cards, not both", "unseen")

    def _check_line(self) -> None:
        stock = len(self.unseen_ranks)
        if len(self.line) > self.cap or (stock and len(self.line) != self.cap):
            wanted = f"{'exactly' if stock else 'at most'} {self.cap}"
            held = counted(len(self.line), "card")
            raise fault("wrong_size", f"the line has {held}; it holds {wanted} (cap)", "line")
        if self.hand is None and stock:
            raise fault("missing_key", "hand is missing, and the stock is not empty", "hand")


class DuelPosition(Shown, _Model):
    """One exchange of a duel, both hands flipped. Jokers: `table_jokers` set aside, or X as a hand."""

    game: Literal["alchemy"]
    variant: Literal["duel"]
    line: Cards
    hand: Card
    opponent_hand: Card
    table_jokers: Annotated[int, Field(ge=0, le=COPIES, strict=True)] = 0
    pile: Cards = ()
    opponent_pile: Cards = ()

    @property
    def line_ranks(self) -> tuple[int, ...]:
        return _ranks(self.line)

    @property
    def hands(self) -> tuple[int, int]:
        """The drawn cards, mine first."""
        return _rank(self.hand), _rank(self.opponent_hand)

    @property
    def piles(self) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """The collected cards, mine first."""
        return _ranks(self.pile), _ranks(self.opponent_pile)

    @model_validator(mode="after")
    def _check(self) -> Self:
        if len(self.line) != DUEL_LINE:
            raise fault("wrong_size", f"a duel line has six cards, not {len(self.line)}", "line")
        _refuse_jokers(_places("line", self.line))
        _refuse_surplus([
            *_places("line", self.line), ("hand", _rank(self.hand)), ("opponent_hand", _rank(self.opponent_hand)),
            *_places("pile", self.pile), *_places("opponent_pile", self.opponent_pile),
        ])  # fmt: skip
        return self


class FreePosition(Shown, _Model):
    """A sum-match puzzle of any size: list all moves, or find one that is best by `objective`."""

    game: Literal["alchemy"]
    variant: Literal["free"]
    min_line: Annotated[int, Field(ge=1, le=LARGEST_LINE, strict=True)]
    line: Annotated[Cards, Field(max_length=LARGEST_LINE)]
    hand: Card
    objective: Literal["most-cards", "fewest-cards", "most-points"] | None = None
    cards: Annotated[int, Field(ge=1, le=LARGEST_LINE, strict=True)] | None = None

    @property
    def line_ranks(self) -> tuple[int, ...]:
        return _ranks(self.line)

    @property
    def hand_rank(self) -> int:
        return _rank(self.hand)

    @model_validator(mode="after")
    def _check(self) -> Self:
        _refuse_jokers([*_places("line", self.line), ("hand", _rank(self.hand))])
        if self.objective is None and len(self.line) > LARGEST_LISTED_LINE:
            limit = f"all matches are listed for lines of up to {LARGEST_LISTED_LINE} cards"
            raise fault("too_large", f"{limit}; a longer line needs an objective", "line")
        return self


Position = Annotated[SolitairePosition | DuelPosition | FreePosition, Field(discriminator="variant")]


class SolitaireRecord(_Model):
    """A solitaire as it was played: the shuffled deck (the line first), and the moves."""

    game: Literal["alchemy"]
    variant: Literal["solo", "alternative"]
    deck: Cards
    moves: Annotated[tuple[Annotated[str, Field(strict=True)], ...], Field(max_length=_MOST_MOVES, fail_fast=True)]

    @property
    def rules(self) -> Variant:
        return SOLITAIRE[self.variant]

    @property
    def deck_ranks(self) -> tuple[int, ...]:
        return _ranks(self.deck)

    @model_validator(mode="after")
    def _check(self) -> Self:
        for path, rank in _places("deck", self.deck):
            if rank == JOKER or rank > self.rules.ranks:
                raise fault("illegal_card", f"{card(rank)} is not in the deck of {self.variant}", path)
        _refuse_surplus(_places("deck", self.deck))
        if len(self.deck) != len(self.rules.deck):
            raise fault("wrong_size", f"the deck of {self.variant} has {len(self.rules.deck)} cards", "deck")
        return self


Piles = tuple[Cards, Cards]


def _check_piles(piles: Piles) -> Piles:
    _refuse_surplus(place for seat, pile in enumerate(piles) for place in _places(f"[{seat}]", pile))
    return piles


class DuelRound(_Model):
    """The two players' piles at the end of a round."""

    piles: Annotated[Piles, AfterValidator(_check_piles)]

    @property
    def points(self) -> tuple[int, int]:
        first, second = (points(_ranks(pile)) for pile in self.piles)
        return first, second


class DuelRecord(_Model):
    """The rounds of a duel so far, in order; a single round is a list of one."""

    game: Literal["alchemy"]
    variant: Literal["duel"]
    rounds: Annotated[tuple[DuelRound, ...], Field(max_length=_MOST_ROUNDS, fail_fast=True)]
