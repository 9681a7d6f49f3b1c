"""A duel as users send it, validated: one exchange of it, open or grabbed, or a round that is over."""

from __future__ import annotations

from collections import Counter
from typing import Annotated, ClassVar, Literal, Self

from pydantic import Field, ValidationInfo, field_validator, model_validator

from solver.common.words import counted
from solver.games.alchemy.cards.deck import COPIES, JOKER
from solver.games.alchemy.cards.readings import USUAL, RulesField
from solver.games.alchemy.cards.rules import (
    DUEL_LINE,
    JOKER_TOTAL,
    SOLITAIRE,
    WINNING_TOTAL,
    duel_min_line,
    match_of,
    matches,
)
from solver.games.alchemy.cards.text import NONE, Move, parse_move
from solver.games.alchemy.positions.fields import (
    Card,
    Cards,
    Model,
    check_rules,
    one_hand,
    places,
    rank_at,
    ranks_of,
    refuse_jokers,
    refuse_surplus,
)
from solver.inputs.errors import MoveError
from solver.inputs.faults import fault, refuse
from solver.notation.schema import OrText
from solver.positions import Shown

Total = Annotated[int, Field(ge=0, le=1_000_000, strict=True)]
_HANDS = 2  # cards that an exchange needs beside its line


def grab_of(text: str, hands: tuple[int, int], player: int = 0) -> tuple[int, Move]:
    """Who moves and with what, by a text: ``1:5+2=7``, or without its seat a move of `player`.

    Raises MoveError for a text that is no move. Whether the line has the cards is not asked here.
    """
    seat, colon, rest = text.partition(":")
    if colon and seat.strip() not in ("0", "1"):
        raise MoveError("illegal_move", f"{text!r} begins with no seat of a duel, 0 (you) or 1 (the opponent)")
    mover = int(seat) if colon else player
    move = parse_move(rest if colon else text, hands[mover])
    return mover, (match_of(move.used, hands[mover]) or move) if move.kind == "match" else move


class DuelPosition(Shown, Model):
    """One exchange of a duel, both hands flipped; seat 0 is the player who is asked for, seat 1 the opponent.

    Whoever sees a match first may grab it. Once one has, `grabbed` says who and what, and the other is to move.
    With `totals`, the points of the rounds before, mine first, it is part of the race to 100. The deck holds the
    cards of `stock`, in draw order; or, the order hidden, those of `unseen` or, without both, the full deck less
    all that lies open and `discarded`. Without hands the round is over, or (no line, no piles) not dealt yet.
    """

    game: Literal["alchemy"]
    variant: Literal["duel"]
    rules: RulesField = None
    totals: Annotated[tuple[Total, Total] | None, OrText("40,62")] = None
    line: Cards
    hand: Card | None = None
    opponent_hand: Card | None = None
    table_jokers: Annotated[int, Field(ge=0, le=COPIES, strict=True)] = 0
    grabbed: Annotated[
        str | None,
        Field(strict=True, examples=["1:5+2=7"], description="who has grabbed first, 0 or 1, and the match"),
    ] = None
    pile: Cards = ()
    opponent_pile: Cards = ()
    discarded: Cards = ()
    unseen: Cards | None = None
    stock: Cards | None = None

    observed: ClassVar[bool] = True  # who grabs is told, also where nothing is hidden

    @property
    def jokers(self) -> tuple[int, int]:
        """The jokers in the deck: of a round that begins with both below 75 points, and of a later one."""
        return (self.rules or USUAL).jokers

    @property
    def deck_ranks(self) -> tuple[int, ...]:
        """The full deck of this round, by what its rules and the totals say."""
        late = self.totals is not None and max(self.totals) >= JOKER_TOTAL
        return (*SOLITAIRE["solo"].deck, *[JOKER] * self.jokers[late])

    @property
    def unseen_ranks(self) -> tuple[int, ...]:
        """The cards of the deck, ascending."""
        given = self.unseen if self.stock is None else self.stock
        if given is not None:
            return tuple(sorted(ranks_of(given)))
        left = Counter(self.deck_ranks)
        open_hands = [rank_at(hand) for hand in (self.hand, self.opponent_hand) if hand is not None]
        for seen in (self.line_ranks, open_hands, *self.piles, ranks_of(self.discarded)):
            left.subtract(seen)
        left[JOKER] -= self.table_jokers
        return tuple(sorted(left.elements()))

    @property
    def line_ranks(self) -> tuple[int, ...]:
        return ranks_of(self.line)

    @property
    def over(self) -> bool:
        """Whether the round is over, or has not been dealt: no hands are flipped."""
        return self.hand is None or self.opponent_hand is None

    @property
    def hands(self) -> tuple[int, int]:
        """The drawn cards of an exchange, mine first."""
        assert self.hand is not None
        assert self.opponent_hand is not None
        return rank_at(self.hand), rank_at(self.opponent_hand)

    @property
    def piles(self) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """The collected cards, mine first."""
        return ranks_of(self.pile), ranks_of(self.opponent_pile)

    @property
    def grab(self) -> tuple[int, Move] | None:
        """Who has grabbed first in this exchange, and what."""
        return None if self.grabbed is None else grab_of(self.grabbed, self.hands)

    @property
    def seat_to_move(self) -> int:
        """Who moves next: the one who has not grabbed; before, I may, and so may the opponent."""
        grab = self.grab
        return 0 if grab is None else 1 - grab[0]

    @property
    def left_ranks(self) -> tuple[int, ...]:
        """What is left of the line once one has grabbed; before, the line."""
        line, grab = list(self.line_ranks), self.grab
        for rank in grab[1].used if grab else ():
            line.remove(rank)
        return tuple(line)

    def moves(self, player: int) -> list[Move]:
        """The moves of a player with what is left of the line."""
        if self.over:
            return []
        hand = self.hands[player]
        return [*matches(self.left_ranks, hand, duel_min_line(hand, self.table_jokers)), NONE]

    @field_validator("grabbed")
    @classmethod
    def _canonical_grab(cls, text: str | None, info: ValidationInfo) -> str | None:
        keys = ("line", "hand", "opponent_hand", "table_jokers")
        if text is None or not all(key in info.data for key in keys):
            return text  # what is missing is told by itself
        line, mine, theirs, jokers = (info.data[key] for key in keys)
        if mine is None or theirs is None:
            raise fault("conflict", "nobody has grabbed where no hands are flipped")
        if ":" not in text:
            raise fault("invalid_text", f"{text!r} does not say who: 0:{text} you, 1:{text} the opponent")
        hands = rank_at(mine), rank_at(theirs)
        try:
            seat, move = grab_of(text, hands)
        except MoveError as found:
            raise fault(found.code, found.message) from None
        fewest = duel_min_line(hands[seat], jokers)
        lacking = Counter(move.used) - Counter(ranks_of(line))
        if lacking or move.kind == "discard" or (move.kind == "match" and len(move.used) < fewest):
            raise fault("illegal_move", f"{text!r} is no match of this line with at least {fewest} of its cards")
        return f"{seat}:{move}"

    @model_validator(mode="after")
    def _check(self) -> Self:
        refuse_jokers(places("line", self.line))
        refuse_surplus([
            *places("line", self.line), *places("hand", [self.hand] if self.hand else []),
            *places("opponent_hand", [self.opponent_hand] if self.opponent_hand else []),
            *places("pile", self.pile), *places("opponent_pile", self.opponent_pile),
            *places("discarded", self.discarded), *places("unseen", self.unseen), *places("stock", self.stock),
        ])  # fmt: skip
        check_rules(self.rules, "duel")
        if self.stock is not None and self.unseen is not None:
            raise fault("conflict", "a position has a known stock or unseen cards, not both", "unseen")
        if self.totals is not None and max(self.totals) >= WINNING_TOTAL and len(set(self.totals)) > 1:
            raise fault("conflict", "the race is over: a player has 100 points, and more than the other", "totals")
        self._check_line()
        return self

    def _check_line(self) -> None:
        """An exchange has six cards and two hands; a round that is over has none, for want of cards."""
        if self.hand is not None and self.opponent_hand is not None:
            if len(self.line) != DUEL_LINE:
                raise fault("wrong_size", f"a duel line has six cards, not {len(self.line)}", "line")
            return
        refuse(one_hand(self.hand, self.opponent_hand))
        if not self.line and not self.pile and not self.opponent_pile:
            return  # between two rounds
        deck = len(self.unseen_ranks)
        if len(self.line) > DUEL_LINE or deck >= (_HANDS if len(self.line) == DUEL_LINE else 1):
            message = f"hand is missing: with {counted(deck, 'card')} in the deck the round is not over"
            raise fault("missing_key", message, "hand")
