"""Alchemy's positions and answers as validated data, and the course of a duel."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from itertools import islice, takewhile
from math import hypot
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Literal

from pydantic import AfterValidator, Field

from solver.answer_tables import Columns, percent
from solver.answers import Analysis, Answer, Hint, HintMove, MoveValue, Score
from solver.codec import Data, OrText
from solver.common import SEEDS, Random
from solver.display import CardFace, SheetScore
from solver.errors import Fault, MoveError, RequestError
from solver.game import split_anyway
from solver.games.alchemy.deck import (
    COPIES,
    JOKER,
    NONE,
    RANKS,
    Move,
    against_text,
    card,
    cards,
    parse_move,
    points,
    rank_of,
    ranks_in,
)
from solver.games.alchemy.rules import (
    DUEL_LINE,
    JOKER_TOTAL,
    MOST_JOKERS,
    SOLITAIRE,
    USUAL,
    WINNING_TOTAL,
    WITHOUT_CAP_LOSS,
    AlchemyReadings,
    RulesField,
    Turn,
    Variant,
    duel_min_line,
    match_of,
    matches,
)
from solver.language import say, say_many, say_of, translated
from solver.tricks.any_round import MISSING, AnyRound, Keys
from solver.validation import all_of, fault, refuse

if TYPE_CHECKING:
    from solver.limits import Control

# ----------------------------------------------------------------------------------------------------
# Parts of alchemy's positions and records: cards by their ranks, and checks against the deck.


_MOST_CARDS = 100  # in a list; the deck with its jokers has fewer


def _card(text: str) -> str:
    rank = rank_of(text)
    if rank is None:
        raise fault(
            "illegal_card", say("{text!r} is not a card; cards are A 2 … 10 J Q K, and X for a joker", text=text)
        )
    return card(rank)


# The schema of a card's text; both cases are accepted, and a suit is ignored.
_LETTERS = {"pattern": "^(([AJQKTajqkt2-9]|10)[SHDCshdc♠♥♦♣]?|[SHDCshdc♠♥♦♣]([AJQKTajqkt2-9]|10)|[Xx])$"}
Card = Annotated[str, Field(strict=True, examples=["7"], json_schema_extra=_LETTERS), AfterValidator(_card)]
Cards = Annotated[tuple[Card, ...], Field(max_length=_MOST_CARDS), OrText("4,7,K,2,9,A")]


def rank_at(text: str) -> int:
    rank = rank_of(text)
    assert rank is not None
    return rank


def ranks_of(texts: Iterable[str]) -> tuple[int, ...]:
    return tuple(rank_at(text) for text in texts)


Places = Iterable[tuple[str, int]]  # a path, and the rank there


def places(key: str, texts: Iterable[str] | None) -> Iterator[tuple[str, int]]:
    return ((f"{key}[{index}]", rank_at(text)) for index, text in enumerate(texts or ()))


def refuse_jokers(places: Places, message: str) -> None:
    refuse(Fault("illegal_card", message, path) for path, rank in places if rank == JOKER)


def refuse_surplus(places: Places) -> None:
    """Raise an error that lists every card beyond the fourth of its rank. Jokers are not counted."""
    counts: Counter[int] = Counter()
    faults = []
    for path, rank in places:
        counts[rank] += 1
        if rank != JOKER and counts[rank] > COPIES:
            faults.append(
                Fault("duplicate_card", say("this is a fifth {card}; the deck has four", card=card(rank)), path)
            )
    refuse(faults)


def check_rules(rules: AlchemyReadings | None, variant: str) -> None:
    """Raise an error for an option that belongs to another variant, or for options that contradict each other."""
    for option in rules.on if rules is not None else ():
        whose = "alternative" if option == "alternative_without_cap_loss" else "duel"
        if variant != whose:
            raise fault(
                "conflict",
                say(
                    "{option} is a rule of {whose}, not of {variant}", option=option, whose=whose, variant=variant
                ),
                "rules",
            )
    if rules is not None and rules.one_joker and rules.two_jokers:
        raise fault("conflict", say("one joker is added, or two are, not both"), "rules")


def check_lies(move: Move, line: Iterable[int], text: str) -> None:
    """Raise MoveError unless a line holds the cards that a move takes from it."""
    lacking = Counter(move.used) - Counter(line)
    if lacking:
        held = " ".join(cards(line)) or say("empty")
        message = say(
            "{text!r}: the line {held} has no {card} left for it", text=text, held=held, card=card(min(lacking))
        )
        raise MoveError("illegal_move", message)


_MOST_AGAINST = 100  # moves of a round
AsPlayed = Annotated[
    tuple[Annotated[str, Field(strict=True, examples=["6+7=4+8"])], ...] | None,
    Field(max_length=_MOST_AGAINST, fail_fast=True),
    AfterValidator(lambda moves: moves or None),  # an empty list equals none
]


def check_as_played(moves: Sequence[str], left: Iterable[int], *, seats: bool) -> None:
    """Raise an error for a move of `as_played` that can't be read, or whose cards are among those that are `left`.

    With `seats`, the moves are those of a duel.
    """
    gone = Counter(dict.fromkeys(RANKS, COPIES)) - Counter(left)
    for index, text in enumerate(moves):
        path = f"as_played[{index}]"
        move = against_text(text, seats=seats)
        if move != text:
            example = "1:5+2=8" if seats else "6+7=4+8"
            usual = move or example
            raise fault(
                "illegal_move", say("{text!r}: write a move, such as {usual}", text=text, usual=usual), path
            )
        used = Counter(ranks_in(text))
        lacking = used - gone
        if lacking:
            message = say(
                "{text!r} was not made: {card} is still in the line, in a hand or in the stock",
                text=text,
                card=card(min(lacking)),
            )
            raise fault("conflict", message, path)
        gone = gone - used


# ----------------------------------------------------------------------------------------------------
# What somebody knows of a game: its keys, and what follows from them.


Total = Annotated[int, Field(ge=0, le=1_000_000, strict=True)]
_HANDS = 2  # cards that an exchange needs besides its line
MOST_CAP = 6  # cards in a solitaire's line
LARGEST_LINE = 60  # cards of a `free` puzzle with an objective
LARGEST_LISTED_LINE = 24  # cards of a puzzle whose matches are all listed


def grab_of(text: str, hands: tuple[int, int], player: int = 0, *, anyway: bool = False) -> tuple[int, Move]:
    """Parse a move such as ``1:5+2=7`` into the seat and the move; without a seat, it is a move of `player`.

    `hands` holds the ranks of both players' drawn cards. Raises MoveError for a text that is not a move, or whose
    sums differ unless it stood `anyway`. Whether the line holds the cards is not checked.
    """
    seat, colon, rest = text.partition(":")
    if colon and seat.strip() not in ("0", "1"):
        raise MoveError(
            "illegal_move", say("{text!r} begins with no seat of a duel, 0 (you) or 1 (the opponent)", text=text)
        )
    mover = int(seat) if colon else player
    move = parse_move(rest if colon else text, hands[mover], anyway=anyway)
    return mover, (match_of(move.used, hands[mover]) or move) if move.kind == "match" else move


def solitaire_of(variant: str, rules: AlchemyReadings | None) -> Variant:
    """Return the rules of a solitaire with the chosen options."""
    other = rules is not None and rules.alternative_without_cap_loss and variant == WITHOUT_CAP_LOSS.name
    return WITHOUT_CAP_LOSS if other else SOLITAIRE[variant]


def usual_cap(variant: str, rules: AlchemyReadings | None, line: Sequence[str]) -> int:
    """Return a solitaire's `cap` if none is given: the size of its line, within the variant's limits."""
    least = WITHOUT_CAP_LOSS.shortest if rules else SOLITAIRE[variant].shortest
    return max(least, min(len(line), SOLITAIRE[variant].cap))


def _complete(variant: str, values: Data, faults: list[Fault]) -> Sequence[Any]:
    """Fill in a solitaire's missing `cap`, and write a first grab in its canonical form."""
    if variant in SOLITAIRE:
        values.setdefault("cap", usual_cap(variant, values.get("rules"), values["line"]))
    if "grabbed" in values:
        try:
            values["grabbed"] = _canonical_grab(values)
        except MoveError as error:
            faults.append(Fault(error.code, error.message, "grabbed"))
    return ()


def _canonical_grab(values: Data) -> str:
    """Return the text of the first grab in a duel. Raises MoveError unless it can have been made."""
    text, hands = values["grabbed"], [*ranks_of(values[key] for key in ("hand", "opponent_hand") if key in values)]
    if len(hands) < _HANDS:
        raise MoveError("conflict", say("nobody can have grabbed before the hands are flipped"))
    if ":" not in text:
        message = say("{text!r} does not say who: 0:{text} you, 1:{text} the opponent", text=text)
        raise MoveError("invalid_text", message)
    anyway = text in values.get("as_played", ())
    seat, move = grab_of(text, (hands[0], hands[1]), anyway=anyway)
    fewest = duel_min_line(hands[seat], values["table_jokers"])
    lacking = Counter(move.used) - Counter(ranks_of(values["line"]))
    too_few = move.kind == "match" and len(move.used) < fewest and not anyway
    if lacking or move.kind == "discard" or too_few:
        template = "{text!r} is not a match of this line with at least {fewest} of its cards"
        raise MoveError("illegal_move", say(template, text=text, fewest=fewest))
    return f"{seat}:{move}"


_SOLITAIRE = "game variant rules cap line! hand stock unseen discarded as_played"
_DUEL = (
    "game variant rules totals line! hand opponent_hand table_jokers as_played grabbed pile opponent_pile"
    " discarded unseen stock"
)
_FREE = "game variant min_line! line! hand! objective cards"
_KINDS = {"solo": _SOLITAIRE, "alternative": _SOLITAIRE, "duel": _DUEL, "free": _FREE}
KEYS = Keys(
    {**_KINDS, "unknown": f"{_SOLITAIRE} {_DUEL} {_FREE}".replace("!", "") + " variant!"},
    lambda data: str(data.get("variant")) if data.get("variant") in [*_KINDS] else "unknown",
    _complete,
)


class Round(AnyRound):
    """What somebody knows of a solitaire or a duel, at any turn; or a `free` puzzle.

    `hand` is the drawn card. `stock` holds the cards left in the deck in draw order. If the order is hidden,
    `unseen` lists them instead; if both are omitted, they are all but the open ones and `discarded`.

    In a solitaire, `cap` is the maximum length of the face-up `line`. `hand` is omitted only if the game is over:
    won if the stock is empty, else lost because the line is too short.

    In an exchange of a duel, the player who is asking is seat 0. Whoever sees a match first may grab it. After the
    first grab, `grabbed` holds its player and match, and the other player is to move. `totals` are the points from
    earlier rounds, those of seat 0 first; with them, the exchange is part of the race to 100. If no hands are
    given, the round is over or, if there is no line and no pile either, not dealt yet.

    A `free` puzzle asks for all matches of a line with `hand` or, with `objective`, for a best one. A match uses
    at least `min_line` line cards or, if `cards` is given, exactly that many.
    """

    game: Literal["alchemy"]
    variant: Literal["solo", "alternative", "duel", "free"] = MISSING
    rules: RulesField = None
    totals: Annotated[tuple[Total, Total] | None, OrText("40,62")] = None
    cap: Annotated[int, Field(ge=0, le=MOST_CAP, strict=True)] = MISSING
    min_line: Annotated[int, Field(ge=1, le=LARGEST_LINE, strict=True)] = MISSING
    line: Cards = MISSING
    hand: Card = MISSING
    opponent_hand: Card | None = None
    table_jokers: Annotated[int, Field(ge=0, le=MOST_JOKERS, strict=True)] = 0
    grabbed: Annotated[
        str | None,
        Field(
            strict=True, examples=["1:5+2=7"], description="The seat that grabbed first, 0 or 1, and its match."
        ),
    ] = None
    pile: Cards = ()
    opponent_pile: Cards = ()
    stock: Cards | None = None
    unseen: Cards | None = None
    discarded: Cards = ()
    as_played: AsPlayed = None
    objective: Literal["most-cards", "fewest-cards", "most-points"] | None = None
    cards: Annotated[int, Field(ge=1, le=LARGEST_LINE, strict=True)] | None = None

    keys: ClassVar[Keys] = KEYS

    @property
    def is_duel(self) -> bool:
        """Whether this is a duel."""
        return self.variant == "duel"

    @property
    def is_solitaire(self) -> bool:
        """Whether this is a solitaire."""
        return self.variant in SOLITAIRE

    @property
    def observed(self) -> bool:
        """Whether moves are entered as they are seen, with the cards turned up, even if none is left."""
        return self.is_duel or (self.is_solitaire and self.stock is None)

    @property
    def against_texts(self) -> list[str]:
        """The moves of `as_played` in words."""
        moves = self.as_played or ()
        return [
            say("{seat:who} {text}", seat=int(text[0]), text=text[2:]) if self.is_duel else text for text in moves
        ]

    @property
    def solitaire(self) -> Variant:
        """The rules of the variant with the chosen options."""
        return solitaire_of(self.variant, self.rules)

    @property
    def jokers(self) -> tuple[int, int]:
        """The number of jokers in a duel's deck while both players are below 75 points, and afterwards."""
        return (self.rules or USUAL).jokers

    @property
    def deck_ranks(self) -> tuple[int, ...]:
        """All cards in the deck, as ranks; in a duel, `rules` and `totals` decide the number of jokers."""
        if not self.is_duel:
            return tuple(self.solitaire.deck)
        late = self.totals is not None and max(self.totals) >= JOKER_TOTAL
        return (*SOLITAIRE["solo"].deck, *[JOKER] * self.jokers[late])

    @property
    def line_ranks(self) -> tuple[int, ...]:
        return ranks_of(self.line)

    @property
    def hand_rank(self) -> int:
        return rank_at(self.hand)

    @property
    def stock_hidden(self) -> bool:
        """Whether the stock is not empty and its order is unknown."""
        return self.variant != "free" and self.stock is None and bool(self.unseen_ranks)

    @property
    def unseen_ranks(self) -> tuple[int, ...]:
        """The ranks of the cards left in the deck: those of a solitaire in draw order if known, else ascending."""
        if self.is_solitaire and self.stock is not None:
            return ranks_of(self.stock)
        codes = self.unseen if self.stock is None else self.stock
        if codes is not None:
            return tuple(sorted(ranks_of(codes)))
        left = Counter(self.deck_ranks)
        left.subtract(rank for key, rank in self._placed() if key not in ("stock", "unseen"))
        left[JOKER] -= self.table_jokers or 0
        return tuple(sorted(left.elements()))

    @property
    def turn(self) -> Turn:
        """The solitaire as ranks; a hidden stock is left empty."""
        stock = ranks_of(self.stock or ())
        hand = None if self.hand is None else self.hand_rank
        won = None if hand is not None else not self.unseen_ranks
        return Turn(self.cap, self.line_ranks, hand, stock, won=won)

    @property
    def over(self) -> bool:
        """Whether no hand is drawn: the round is over, or not dealt yet."""
        return self.hand is None or (self.is_duel and self.opponent_hand is None)

    @property
    def drawn(self) -> tuple[int, int]:
        """The ranks of both players' drawn cards, mine first."""
        assert self.opponent_hand is not None
        return self.hand_rank, rank_at(self.opponent_hand)

    @property
    def piles(self) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """The ranks of the cards that each player has collected, mine first."""
        return ranks_of(self.pile), ranks_of(self.opponent_pile)

    @property
    def grab(self) -> tuple[int, Move] | None:
        """The player who grabbed first in this exchange, and the move; None if nobody has grabbed."""
        return None if self.grabbed is None else grab_of(self.grabbed, self.drawn, anyway=True)

    @property
    def seat_to_move(self) -> int:
        """The seat that has not grabbed yet. Before the first grab, seat 0, though the opponent may move too."""
        grab = self.grab
        return 0 if grab is None else 1 - grab[0]

    @property
    def derived(self) -> dict[str, object] | None:
        """What follows from the position.

        In a solitaire, how many `misses` the player may still have: one more loses the game, unless it empties the
        stock. In a duel, the size of the line (`cap`), and the `points` of this round so far, with the match just
        grabbed. Of a hidden stock, how many cards it has (`stock_count`).
        """
        if not (self.is_solitaire or self.is_duel):
            return None
        hidden = {} if self.stock is not None else {"stock_count": len(self.unseen_ranks)}
        if self.is_solitaire:
            return {"misses": max(0, self.cap - self.solitaire.shortest), **hidden}
        grab = self.grab
        gained: list[tuple[int, ...]] = [(), ()]
        if grab and grab[1].used:
            gained[grab[0]] = (*grab[1].used, self.drawn[grab[0]], *[JOKER] * self.table_jokers)
        collected = [points([*pile, *more]) for pile, more in zip(self.piles, gained, strict=True)]
        return {"cap": DUEL_LINE, "points": collected, **hidden}

    @property
    def left_ranks(self) -> tuple[int, ...]:
        """The ranks of the cards left in the line: before a duel's first grab, all; after it, those not taken.

        If jokers are set aside and the first grab is a match, none are left: the rest of the line is discarded.
        """
        line, grab = list(self.line_ranks), self.grab
        if self.table_jokers and grab and grab[1].used:
            return ()
        for rank in grab[1].used if grab else ():
            line.remove(rank)
        return tuple(line)

    def moves(self, player: int) -> list[Move]:
        """Return a duel player's moves with the cards still in the line; the last is to decline (`none`)."""
        if self.over:
            return []
        hand = self.drawn[player]
        return [*matches(self.left_ranks, hand, duel_min_line(hand, self.table_jokers)), NONE]

    def _placed(self) -> Iterator[tuple[str, int]]:
        for key in ("line", "hand", "opponent_hand", "pile", "opponent_pile", "stock", "unseen", "discarded"):
            value = getattr(self, key)
            yield from [(key, rank_at(value))] if isinstance(value, str) else places(key, value)

    def _check(self) -> None:
        if self.variant == "free":
            self._check_puzzle()
        elif self.is_duel:
            self._check_duel()
        else:
            checks = self._check_ranks, lambda: refuse_surplus(self._placed()), self._check_cap
            all_of(*checks, then=[self._check_line, self._check_as_played])

    def _check_as_played(self) -> None:
        if self.as_played is None:
            return
        hands = ranks_of(filter(None, (self.hand, self.opponent_hand)))
        before = [text for text in self.as_played if text != self.grabbed]  # whose cards still lie there
        check_as_played(before, [*self.line_ranks, *hands, *self.unseen_ranks], seats=self.is_duel)

    def _check_options(self) -> None:
        check_rules(self.rules, self.variant)
        if self.stock is not None and self.unseen is not None:
            raise fault("conflict", say("a position has a known stock or unseen cards, not both"), "unseen")

    def _check_duel(self) -> None:
        aside = say("a joker is set aside and replaced: write table_jokers=1, and the new card in the line")
        refuse_jokers(places("line", self.line), aside)
        refuse_surplus(self._placed())
        self._check_options()
        if self.totals is not None and max(self.totals) >= WINNING_TOTAL and len(set(self.totals)) > 1:
            raise fault(
                "conflict", say("the race is over: a player has 100 points, and more than the other"), "totals"
            )
        self._check_exchange()
        self._check_as_played()

    def _check_exchange(self) -> None:
        """Raise an error unless the line and the hands fit an exchange or the end of a round."""
        if not self.over:
            if len(self.line) != DUEL_LINE:
                raise fault(
                    "wrong_size", say("a duel line has six cards, not {count}", count=len(self.line)), "line"
                )
            return
        if (self.hand is None) != (self.opponent_hand is None):
            missing = "hand" if self.hand is None else "opponent_hand"
            message = say("{missing} is missing: both cards are flipped, or none", missing=missing)
            raise fault("missing_key", message, missing)
        if not self.line and not self.pile and not self.opponent_pile:
            return  # between two rounds
        deck = len(self.unseen_ranks)
        if len(self.line) > DUEL_LINE or deck >= (_HANDS if len(self.line) == DUEL_LINE else 1):
            message = say_many(
                "hand is missing: with {count} card in the deck the round is not over",
                "hand is missing: with {count} cards in the deck the round is not over",
                deck,
            )
            raise fault("missing_key", message, "hand")

    def _check_ranks(self) -> None:
        rules = self.solitaire
        refuse(
            Fault(
                "illegal_card",
                say(
                    "{card} is not in the deck of {variant} (A–{last}, no jokers)",
                    card=card(rank),
                    variant=rules.name,
                    last=card(rules.ranks),
                ),
                path,
            )
            for path, rank in self._placed()
            if rank == JOKER or rank > rules.ranks
        )

    def _check_cap(self) -> None:
        rules = self.solitaire
        if self.cap > rules.cap:
            raise fault(
                "out_of_range", say("cap is at most {cap} in {name}", cap=rules.cap, name=rules.name), "cap"
            )
        lost = rules.shortest - 1
        if self.cap < lost or (self.cap == lost and self.hand is not None):
            message = say(
                "cap is at least {shortest} while a game of {variant} goes on; with {lost} it is lost, and no "
                "hand is drawn",
                shortest=rules.shortest,
                variant=rules.name,
                lost=lost,
            )
            raise fault("out_of_range", message, "cap")
        self._check_options()

    def _check_line(self) -> None:
        stock = len(self.unseen_ranks)
        if len(self.line) > self.cap or (stock and len(self.line) != self.cap):
            singular = "the line has {count} card; it holds at most {cap} (cap)"
            many = "the line has {count} cards; it holds at most {cap} (cap)"
            if stock:
                singular = "the line has {count} card; it holds exactly {cap} (cap)"
                many = "the line has {count} cards; it holds exactly {cap} (cap)"
            raise fault("wrong_size", say_many(singular, many, len(self.line), cap=self.cap), "line")
        if self.hand is not None and not self.line:
            raise fault("wrong_size", say("the line is empty: a hand is drawn when it has been filled"), "line")
        if self.hand is None and stock and self.cap >= self.solitaire.shortest:
            raise fault("missing_key", say("hand is missing, and the stock is not empty"), "hand")

    def _check_puzzle(self) -> None:
        refuse_jokers(self._placed(), say("a joker has no value and is in no sum"))
        if self.objective is None and len(self.line) > LARGEST_LISTED_LINE:
            message = say(
                "all matches are listed for lines of up to {most} cards; a longer line needs an objective",
                most=LARGEST_LISTED_LINE,
            )
            raise fault("too_large", message, "line")
        if len(self.line) > LARGEST_LINE:
            template = "at most {most:,} entries are expected, not {count:,}"
            raise fault("wrong_size", say(template, most=LARGEST_LINE, count=len(self.line)), "line")


# ----------------------------------------------------------------------------------------------------
# Answers of alchemy, beyond those of every game.


Outcome = Literal["won", "lost"]


class SolitaireMove(MoveValue):
    """A move of a solitaire with a known stock; `left` is the fewest stock cards it can leave, 0 for a win."""

    value: Outcome | None
    bounds: tuple[Outcome, Outcome]
    left: int | None
    used: tuple[str, ...]


class SolitaireAnalysis(Analysis):
    """Whether a solitaire is won or lost, with a line of play; `left` is the fewest stock cards it can leave."""

    value: Outcome | None
    bounds: tuple[Outcome, Outcome]
    left: int | None
    moves: tuple[SolitaireMove, ...]


class DuelMove(MoveValue):
    """A first grab in an exchange: its `points`, and `opponent_points`, those of the best reply.

    `swing`, the move's value, is the difference. `denies` is True if the opponent has no match left.
    """

    value: int
    bounds: tuple[int, int]
    used: tuple[str, ...]
    points: int
    opponent_points: int
    swing: int
    denies: bool


class DuelOrder(Answer):
    """The analysis of an exchange in which a given player grabs first."""

    value: int
    best: str
    moves: tuple[DuelMove, ...]
    line: tuple[str, ...]


class DuelAnalysis(Analysis):
    """The analysis of an exchange in which I grab first; in `if_opponent_first`, the opponent does."""

    value: int
    bounds: tuple[int, int]
    moves: tuple[DuelMove, ...]
    if_opponent_first: DuelOrder


class Match(Answer):
    """A match in a puzzle, and the line cards that it uses."""

    move: str
    used: tuple[str, ...]


class MatchesAnalysis(Analysis):
    """The distinct matches of a line; `value` is their number.

    `truncated` is set, to True, only if `moves` is incomplete: then it lists the first matches in canonical order.
    """

    value: int | None
    bounds: tuple[int, int]
    moves: tuple[Match, ...]  # type: ignore[assignment]  # without objective a match has no value
    truncated: bool = False


class OptimumMove(MoveValue):
    """The best match found.

    `value` is the number of line cards used or, for the objective most-points, the points of all its cards.
    """

    value: int
    bounds: tuple[int, int]
    used: tuple[str, ...]


class OptimumAnalysis(Analysis):
    """The best match of a line by an objective. If there is no match, `value` is None and `moves` is empty."""

    value: int | None
    bounds: tuple[int, int] | None
    moves: tuple[OptimumMove, ...]


class SolitaireHintMove(HintMove):
    """A move of a solitaire whose stock is hidden.

    `win_probability` is the chance to win with this move and best play without seeing the stock: exact, or an
    estimate with `stderr`, which is None if there was no time to measure it. `clairvoyant` is the share of stock
    orders that a player who sees the stock would win: an upper bound, and a poor guide to the best move.
    """

    used: tuple[str, ...]
    win_probability: float
    stderr: float | None
    exact: bool
    clairvoyant: float | None
    method: str


class SolitaireHint(Hint):
    kind: Literal["solitaire"]
    moves: tuple[SolitaireHintMove, ...]

    def worths(self) -> Sequence[float | None]:
        return [move.win_probability for move in self.moves]

    def figures(self) -> Columns:
        return [(say_of("a solitaire", "wins"), [percent(move.win_probability) for move in self.moves])]

    def gap(self, move: str) -> tuple[float, float | None] | None:
        entries = [entry for entry in self.moves if entry.move == move]
        if not entries:
            return None
        gap = max(0.0, self.moves[0].win_probability - entries[0].win_probability)
        best, other = self.moves[0].stderr, entries[0].stderr
        if move == self.best:
            return gap, 0.0
        return gap, None if best is None or other is None else hypot(best, other)


class DuelHintMove(HintMove):
    """A first grab; in a race, with its estimated chance to win and the standard error."""

    used: tuple[str, ...]
    points: int
    opponent_points: int
    swing: int
    denies: bool
    win_probability: float | None = None  # type: ignore[assignment]  # of races alone
    stderr: float | None = None


class DuelGrabMove(HintMove):
    """A move of the player who grabs second; in a race, with its estimated chance to win and standard error."""

    used: tuple[str, ...]
    points: int
    win_probability: float | None = None  # type: ignore[assignment]  # of races alone
    stderr: float | None = None


class _ExchangeHint(Hint):
    moves: tuple[DuelHintMove | DuelGrabMove, ...]

    def gap(self, move: str) -> tuple[float, float | None] | None:
        gains = {row.move: row.swing if isinstance(row, DuelHintMove) else row.points for row in self.moves}
        return (float(max(gains.values()) - gains[move]), 0.0) if move in gains else None

    def worths(self) -> Sequence[float | None]:
        return [move.win_probability for move in self.moves]

    def figures(self) -> Columns:
        columns = [(say("points"), [str(move.points) for move in self.moves])]
        if isinstance(self.moves[0], DuelHintMove):
            replies = [str(move.opponent_points) for move in self.moves if isinstance(move, DuelHintMove)]
            columns.append((say("reply"), replies))
        chances = [move.win_probability for move in self.moves]
        if None not in chances:
            columns.append((say("wins"), [percent(chance) for chance in chances if chance is not None]))
        return columns


class DuelHint(_ExchangeHint):
    kind: Literal["first_grab"]
    moves: tuple[DuelHintMove, ...]


class DuelGrabHint(_ExchangeHint):
    """A hint for the player who grabs second in an exchange."""

    kind: Literal["second_grab"]
    moves: tuple[DuelGrabMove, ...]


class SolitaireScore(Score):
    """The result of a recorded solitaire; `finished` is False if the moves stop before the end."""

    game: str
    variant: str
    finished: bool
    value: Outcome | None
    left: int
    turns: int


class DuelScore(Score):
    """The points of each round and in total; `winner` is None until a player has won the match."""

    game: str
    variant: str
    rounds: tuple[tuple[int, int], ...]
    totals: tuple[int, int]
    winner: int | None
    finished: bool


def about(position: Round, control: Control) -> dict[str, Any]:
    """Return the fields that all answers about a position share."""
    described = {"game": "alchemy", "variant": position.variant, "to_move": 0}
    return {**described, "nodes": control.nodes, "seconds": control.seconds}


def listed(
    position: Round,
    control: Control,
    moves: Sequence[Move],
    bounds: tuple[int, int],
) -> MatchesAnalysis:
    """Build the analysis that lists `moves`, the first matches in canonical order.

    `bounds` are the lowest and the highest number of matches that there can be in all.
    """
    count, most = bounds
    texts = list(map(str, moves))
    return MatchesAnalysis(
        **about(position, control),
        player=0,
        exact=count == most,
        value=count if count == most else None,
        bounds=bounds,
        best=texts[0] if texts else None,
        moves=tuple(Match(move=str(move), used=tuple(cards(move.used))) for move in moves),
        **({"truncated": True} if len(moves) < count else {}),
        line=tuple(texts[:1]),
    )


AnyAnalysis = SolitaireAnalysis | DuelAnalysis | MatchesAnalysis | OptimumAnalysis
AnyHint = SolitaireHint | DuelHint | DuelGrabHint
AnyScore = SolitaireScore | DuelScore | SheetScore


# ----------------------------------------------------------------------------------------------------
# A whole duel: rounds of exchanges, and the match to 100 points.


Piles = tuple[tuple[int, ...], tuple[int, ...]]


def dealt_duel(
    seed: int,
    number: int,
    jokers: int,
    totals: tuple[int, int] | None = None,
    rules: AlchemyReadings | None = None,
) -> Round:
    """Return the first exchange of deal `number` of a seed, with `jokers` jokers in the deck.

    The order of the deck is known.
    """
    deck = [*SOLITAIRE["solo"].deck, *[JOKER] * jokers]
    Random(seed, number).shuffle(deck)
    fresh = Round(game="alchemy", variant="duel", rules=rules, totals=totals, line=())
    return _flipped(_with(fresh, stock=tuple(cards(deck))), ())[0]


def next_round(seed: int, number: int, totals: tuple[int, int], rules: AlchemyReadings | None) -> Round:
    """Return the first exchange of a match's next round, which is deal `number` of a seed.

    `totals` and `rules` determine the number of jokers.
    """
    late = max(totals) >= JOKER_TOTAL
    return dealt_duel(seed, number, (rules or USUAL).jokers[late], totals, rules)


def totals_after(totals: tuple[int, int], piles: Piles) -> tuple[int, int]:
    """Return both players' totals after a round that ended with these piles."""
    return totals[0] + points(piles[0]), totals[1] + points(piles[1])


def winner_of(totals: tuple[int, int]) -> int | None:
    """Return the player who has won the match, or None while it goes on.

    Winning takes at least 100 points, and more than the other player. Rulings: if both have at least 100, the
    higher total wins; with equal totals the match goes on.
    """
    if max(totals) < WINNING_TOTAL or totals[0] == totals[1]:
        return None
    return 0 if totals[0] > totals[1] else 1


# ----------------------------------------------------------------------------------------------------
# A duel played on from a position: grabs, the cards turned up after an exchange, and the next round.
#
# At the table speed decides who grabs first, so the move includes it: ``1:5+2=7``. Without a seat, the move is
# that of the seat to move.


DEAL = "deal"  # the word that starts the next round
_NOT_SEEN = -1  # an unreported card of the deck; not a rank, so that it is not taken for a joker


def observe_duel(position: Round, texts: Sequence[str]) -> tuple[Round, int]:
    """Update a duel with the event ``texts[0]``: a move or ``deal``, which starts the next round.

    A move of the seat that is not to move is written with its seat (``1:5+2=7``). If the order of the deck is
    hidden, the second move of an exchange and ``deal`` are followed by the cards turned up: those that fill the
    line, jokers included, then my card, then the opponent's.

    Returns the new position and the number of texts used. Raises MoveError for an impossible event.
    """
    if texts[0].split()[:1] == [DEAL]:
        return _next_round(position, texts)
    _refuse_over(position, texts[0])
    text, anyway = split_anyway(texts[0])
    try:
        seat, move = grab_of(text, position.drawn, position.seat_to_move, anyway=anyway)
    except MoveError as error:
        raise _by_whom(position, text, error) from None
    if position.grab is not None and seat != position.seat_to_move:
        raise MoveError(
            "illegal_move",
            say("{text!r}: seat {seat} has grabbed in this exchange already", text=texts[0], seat=seat),
        )
    if anyway:
        position = _stood(position, seat, move, text)
    return _moved(position, seat, move, texts, anyway=anyway)


def _by_whom(position: Round, text: str, error: MoveError) -> MoveError:
    """Return the error for a refused match; if the opponent may have made it first, it says how to write that."""
    if ":" in text or position.grab is not None:
        return error
    with suppress(MoveError):
        _, move = grab_of(f"1:{text}", position.drawn)
        if move in position.moves(1):
            why = say("if the opponent was first, write 1:{move}", move=move)
            return MoveError(error.code, say("{fault}; {why}", fault=error.message, why=why))
    return error


def _stood(position: Round, seat: int, move: Move, text: str) -> Round:
    """Return the position with a move in `as_played`. Raises MoveError for one that nobody can have made."""
    if move.kind == "discard":
        raise MoveError("illegal_move", say("{text!r}: who makes no match in a duel writes none", text=text))
    check_lies(move, position.left_ranks, text)
    return _with(position, as_played=(*(position.as_played or ()), f"{seat}:{move}"))


def play_duel(position: Round, move: Move) -> Round:
    """Return the position after a legal move of the seat to move.

    Raises MoveError for an illegal move, RequestError if the cards it turns up are hidden.
    """
    _refuse_over(position, str(move))
    if position.grab is not None and position.stock is None:
        raise RequestError("hidden_cards", say("the stock is hidden: the next cards are not known"), "stock")
    return _moved(position, position.seat_to_move, move, [str(move)])[0]


def _refuse_over(position: Round, text: str) -> None:
    if position.over:
        message = say("the round is over; {deal} begins the next one", deal=DEAL)
        raise MoveError("illegal_move", say("{text!r} is not a move here: {message}", text=text, message=message))


def _moved(
    position: Round, seat: int, move: Move, texts: Sequence[str], *, anyway: bool = False
) -> tuple[Round, int]:
    if not anyway and move not in position.moves(seat):
        left = " ".join(cards(position.left_ranks)) or say("empty")
        held = card(position.drawn[seat])
        why = say("seat {seat} drew {held}, the line is {left}", seat=seat, held=held, left=left)
        raise MoveError("illegal_move", say("{text!r} is not a move here: {why}", text=texts[0], why=why))
    if position.grab is None:
        return _with(position, grabbed=f"{seat}:{move}"), 1
    return _flipped(_taken(position, move), texts)


def _taken(position: Round, move: Move) -> Round:
    """Return the position after the second player's legal move, before new cards are turned up.

    With jokers set aside, a match takes them and ends the exchange: the rest of the line is discarded. If nobody
    matches, all cards are discarded.
    """
    assert position.grab is not None
    jokers = [JOKER] * position.table_jokers
    line, piles = list(position.line_ranks), [list(pile) for pile in position.piles]
    grabs = (position.grab, (position.seat_to_move, move))
    gone = [position.drawn[player] for player, match in grabs if match == NONE]
    if len(gone) == len(grabs):
        gone += jokers
    for player, match in grabs:
        for rank in match.used:
            line.remove(rank)
        if match != NONE:
            piles[player] += [*match.used, position.drawn[player], *jokers]
    if jokers:
        gone, line = [*gone, *line], []
    pile, other = (tuple(cards(ranks)) for ranks in piles)
    return _with(
        position,
        line=tuple(cards(line)),
        hand=None,
        opponent_hand=None,
        table_jokers=0,
        grabbed=None,
        pile=pile,
        opponent_pile=other,
        discarded=(*position.discarded, *cards(sorted(gone))),
    )


def _flipped(position: Round, texts: Sequence[str]) -> tuple[Round, int]:
    """Refill the line and draw both hands; return the position and the number of `texts` used.

    Jokers are set aside and replaced. The round ends if there are too few cards.
    """
    shown: list[int] = []
    if position.stock is not None:
        deck = list(ranks_of(position.stock))
    else:
        unseen = position.unseen_ranks
        shown = list(islice(_ranks(texts[1:]), len(unseen)))
        lacking = Counter(shown) - Counter(unseen)
        if lacking:
            raise MoveError(
                "illegal_move", say("{card} cannot be turned up: no more are unseen", card=card(min(lacking)))
            )
        deck = [*shown, *[_NOT_SEEN] * (len(unseen) - len(shown))]
    line, jokers, drawn = list(position.line_ranks), position.table_jokers, 0
    while len(line) < DUEL_LINE and drawn < len(deck):
        if deck[drawn] == JOKER:
            jokers += 1
        else:
            line.append(deck[drawn])
        drawn += 1
    hands = deck[drawn : drawn + _HANDS] if len(line) == DUEL_LINE else []
    if len(hands) < _HANDS:
        hands = []
    drawn += len(hands)
    changes: dict[str, Any] = {}
    if position.stock is not None:
        changes["stock"] = position.stock[drawn:]
    elif drawn > len(shown):
        if len(texts) > 1 + len(shown):
            text = texts[1 + len(shown)]
            raise MoveError("illegal_move", say("{text!r} is not a card that can be turned up", text=text))
        beyond = len(shown) - (drawn - len(hands))  # cards given beside those for the line
        if beyond < 0:
            place = len(position.line) + sum(rank != JOKER for rank in shown) + 1
            message = say("Which is card {at} of {all} in the line?", at=place, all=DUEL_LINE)
        elif beyond == 0:
            message = say("Which card do you draw?")
        else:
            message = say("Which card does the opponent draw?")
        raise MoveError("incomplete_move", message)
    elif position.unseen is not None:
        left = Counter(position.unseen_ranks) - Counter(shown[:drawn])
        changes["unseen"] = tuple(cards(sorted(left.elements())))
    mine, theirs = cards(hands) or (None, None)
    after = _with(
        position, line=tuple(cards(line)), hand=mine, opponent_hand=theirs, table_jokers=jokers, **changes
    )
    return after, 1 if position.stock is not None else 1 + drawn


def _ranks(texts: Iterable[str]) -> Iterable[int]:
    """Return the ranks of the cards with which `texts` begins."""
    ranks = (rank_of(text.strip()) for text in texts)
    return (rank for rank in takewhile(lambda rank: rank is not None, ranks) if rank is not None)


def _next_round(position: Round, texts: Sequence[str]) -> tuple[Round, int]:
    """Start the round after a finished one: a numbered deal (``deal SEED NUMBER``), or the cards in `texts`.

    Returns the position and the number of `texts` used.
    """
    if not position.over:
        raise MoveError(
            "illegal_move", say("{text!r} begins the next round, but this one is not over", text=texts[0])
        )
    totals = totals_after(position.totals or (0, 0), position.piles)
    if winner_of(totals) is not None:
        raise MoveError(
            "illegal_move",
            say("the race is over: {totals} to {totals_2} points", totals=totals[0], totals_2=totals[1]),
        )
    words = texts[0].split()[1:]
    if words:
        return next_round(*_deal_number(words), totals, position.rules), 1
    if position.stock is not None and len(texts) == 1:
        message = say("say which deal is next: {deal} SEED NUMBER; or the cards turned up", deal=DEAL)
        raise MoveError("incomplete_move", message)
    bare = Round(game="alchemy", variant="duel", rules=position.rules, totals=totals, line=())
    return _flipped(bare, texts)


def _deal_number(words: Sequence[str]) -> tuple[int, int]:
    """Parse the seed and the number of a deal; the number is 0 if omitted."""
    numbers = [int(word) for word in words if word.isascii() and word.isdigit() and len(word) <= len(str(SEEDS))]
    if len(numbers) != len(words) or len(words) > 2 or not all(number < SEEDS for number in numbers):
        message = say(
            "{deal} {names!r} names no deal: a seed and a number are expected, deal 5 1",
            deal=DEAL,
            names=" ".join(words),
        )
        raise MoveError("illegal_move", message)
    return numbers[0], numbers[1] if len(numbers) > 1 else 0


def duel_view(position: Round, seat: int) -> Round:
    """Return a duel as `seat` sees it: turned so that `seat` becomes seat 0, and without the order of the deck."""
    seen = position
    if position.stock is not None:
        seen = _with(position, stock=None)
        if seen.unseen_ranks != position.unseen_ranks:  # a deck that does not follow from the open cards
            seen = _with(seen, unseen=tuple(cards(position.unseen_ranks)))
    if seat == 0:
        return seen
    grab = seen.grab
    return _with(
        seen,
        hand=seen.opponent_hand,
        opponent_hand=seen.hand,
        pile=seen.opponent_pile,
        opponent_pile=seen.pile,
        totals=seen.totals and seen.totals[::-1],
        grabbed=None if grab is None else f"{1 - grab[0]}:{grab[1]}",
        as_played=seen.as_played and tuple(f"{1 - int(text[0])}{text[1:]}" for text in seen.as_played),
    )


def possible_grabs(position: Round) -> list[str]:
    """Return the moves possible next: those of the seat to move and, before a grab, the other player's."""
    own = [str(move) for move in position.moves(position.seat_to_move)]
    if position.over or position.grab is not None:
        return own
    return [*own, *(f"1:{move}" for move in position.moves(1) if move != NONE)]


def _with(position: Round, **changes: Any) -> Round:
    return position.model_copy(update=changes)


# ----------------------------------------------------------------------------------------------------
# The faces of Alchemy's cards: ranks, since suits never matter.


FACE_NAMES = {JOKER: "Joker", 1: "Ace", 11: "Jack", 12: "Queen", 13: "King"}


def faces(variant: str | None) -> tuple[CardFace, ...]:
    """Return the distinct cards of a variant's deck in order of rank; without a variant, those of a usual deck."""
    if variant in SOLITAIRE:
        ranks = sorted(set(SOLITAIRE[variant].deck))
    else:
        ranks = list(RANKS)
    copies = None if variant == "free" else COPIES
    cards_shown = [_face(rank, copies, scores=variant == "duel") for rank in ranks]
    if variant == "duel":
        cards_shown.append(_face(JOKER, MOST_JOKERS, scores=True))
    return tuple(cards_shown)


def _face(rank: int, copies: int | None, *, scores: bool) -> CardFace:
    worth = {} if rank == JOKER else {"worth": str(rank)}
    scored = {"points": str(points([rank]))} if scores else {}
    return CardFace(
        card=card(rank),
        name=translated(FACE_NAMES.get(rank, str(rank))),
        suit=None,
        rank=card(rank),
        copies=copies,
        details={**worth, **scored},
    )
