"""Kirin's deals, views and moves: listing, parsing, playing and describing them, and scoring rounds."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property, partial
from typing import Annotated, Any, ClassVar, Literal, Self

from pydantic import BaseModel, Field, model_validator

from solver.answers import LeftOver
from solver.codec import Data
from solver.common import mask, points_counted
from solver.display import Scores, Sheet, SheetScore, leaders_of, sheet_score, totals_of, with_sheet
from solver.errors import IncompleteMoveError
from solver.games.kirin.deck import (
    ALL,
    ASCENDING,
    CANONICAL,
    CARDS,
    COLOUR_NAMES,
    COLOURS,
    DIRECTIONS,
    KIRIN,
    TEXTS,
    colour,
    is_kirin,
    members,
    name,
    names,
)
from solver.games.kirin.position import (
    NOT_YET,
    AsPlayed,
    Cards,
    FinishedTrick,
    FourHands,
    History,
    KirinScore,
    Round,
    number_of,
    numbers,
)
from solver.games.kirin.rules import (
    HAND,
    NOTHING,
    ROUNDS,
    SEATS,
    TRICKS,
    Masks,
    Order,
    RulesField,
    direction_after,
    four,
    order_of,
    points,
)
from solver.language import say, say_many, translated
from solver.limits import Control
from solver.rounds_in_play import Round as RoundInPlay
from solver.tricks import moves
from solver.tricks.match import NOTHING_TOLD, CardsInPlay, MatchInPlay, TrickPlaying, standing
from solver.tricks.memory import MISSED, remembered_as, taker_of, unknown_rows, unseen_trick, voids_now
from solver.tricks.positions import (
    Model,
    Past,
    history_places,
    places,
    read_tricks,
    refuse_doubles,
    replay,
    spread,
)
from solver.tricks.text import card_trick, leader_fault, replay_data, trick_text, tricks_row
from solver.validation import fault, refuse

VARIANTS = ("declared", "undeclared")  # the positions that `deal` makes


def as_round(position: BaseModel) -> Round:
    """Narrow the type of a position to Kirin's."""
    assert isinstance(position, Round)
    return position


def as_known(position: BaseModel) -> Round:
    """Return the position if all its cards are known. Raises RequestError for a view."""
    if as_round(position).viewer is None:
        return as_round(position)
    raise moves.hidden_hands(say("all four hands"))


def play(position: BaseModel, move: int) -> Round:
    """Make a legal move and return the new position.

    Raises MoveError for an illegal move, RequestError for a view, where other hands are hidden.
    """
    now = as_round(position)
    if now.viewer is not None:
        raise moves.view_not_played()
    moves.check_card(now, move)
    return now.after_choice(move) if now.choosing else moves.after(now, move)


def deal(seed: int, *, number: int = 0, players: int | None = None, variant: str | None = None) -> Round:
    """Return a random deal, determined by `seed` and `number`; seat 0 leads.

    Both variants deal the same hands; in "declared", each seat has set aside the last card dealt to it. Raises
    RequestError for an unknown variant.
    """
    variant = moves.dealt_variant("kirin", variant, VARIANTS)
    dealt = moves.shuffled(CARDS, [HAND] * SEATS, seed, number)[:SEATS]
    hands = tuple(tuple(map(TEXTS.__getitem__, sorted(hand))) for hand in dealt)
    now = Round(game="kirin", seat=0, leader=0, hands=hands)
    for hand in dealt if variant == "declared" else ():
        now = now.after_choice(CANONICAL[hand[-1]])
    return now


def view(position: BaseModel, seat: int) -> Round:
    """Return what the player in `seat` sees.

    Raises RequestError for a position without its earlier tricks (`history`), and if the position is another
    seat's view.
    """
    now = as_round(position)
    moves.check_viewer(seat, SEATS, now.viewer)
    if now.viewer is not None:
        return now
    seen = now.fields("leader") | {"seat": seat, "hand": now.hands[seat]}
    if now.declared[seat] != NOT_YET:
        seen |= {"declared": now.declared[seat], "trick": now.trick or (), "as_played": now.as_played}
        seen["history"] = () if now.choosing else moves.history_seen(now)
    return Round(**seen)


# ----------------------------------------------------------------------------------------------------
# Views that grow: cards that are seen played, and the player's card that is set aside.


def observe(position: BaseModel, texts: Sequence[str]) -> tuple[Round, int]:
    """Apply the first event in `texts` to a view; return the new view and how many of the texts were used.

    An event is a card played, or a trick that was not seen completely (see `_after_missed`). Before the round, it
    is the card that the player sets aside; the others' cards are hidden. Raises MoveError for a card that cannot
    have been played.
    """
    view = moves.as_view(as_round(position))
    if view.choosing:
        return view.after_choice(moves.parse_move(view, texts[0])), 1
    if texts[0] == MISSED:
        return _after_missed(view, texts), len(texts)
    return moves.observe_card(view, texts[0]), 1


def _after_missed(view: Round, texts: Sequence[str]) -> Round:
    """Return the view after a trick that was not seen completely.

    `texts` has the rest of the trick's cards, ``?`` for one that was missed, and then who took it (``2+``). A plus
    says that the order is ascending from then on, a minus that it is descending; without either, it follows from
    the kirin that were seen.
    """
    left = SEATS - len(view.trick)
    legal = view.past.rules.playable(view.hand_mask, view.plays)
    read = partial(moves.card_of, Order())
    shown = unseen_trick(view, texts[:left], read, lambda card: bool(legal >> card & 1))
    if len(texts) == left:
        raise IncompleteMoveError(
            say("Who took the trick, and which order is in force now? 2+ is seat 2, ascending; 2- descending")
        )
    answer = texts[left]
    taker = taker_of(answer.rstrip("+-"), SEATS)
    past, cards = view.past, [card for _, card in shown]
    direction = direction_after(mask(cards), past.rules.direction)
    if answer[1:]:
        direction = ASCENDING if answer[1:] == "+" else 1 - ASCENDING
    own = [name(card) for seat, card in shown if seat == view.seat]
    piles = [pile | (mask(cards) if seat == taker else 0) for seat, pile in enumerate(past.won)]
    data = {
        **view.fields("seat", "declared", *NOTHING_TOLD),
        "hand": [card for card in view.hand if card not in own],
        "leader": taker,
        "direction": DIRECTIONS[direction],
        "won": [names(members(pile)) for pile in piles],
        "gone": names(members(past.discarded & ~mask(card for pile in past.won for card in members(pile)))),
        "voids": voids_now(view, shown),
    }
    return remembered_as(Round, data, answer)


# ----------------------------------------------------------------------------------------------------
# Records: finished rounds, and matches of up to three, as users send them, validated.


class FinishedRound(Model):
    """A finished round: the cards set aside, and the piles in `won` or all eight tricks in `history`.

    `rules` are the options in force, `as_played` cards played against the rules. No card may be missing: cards in
    no pile were discarded in a trick of four kirin.
    """

    declared: Annotated[Cards, Field(min_length=SEATS, max_length=SEATS)]
    won: FourHands | None = None
    history: History | None = None
    rules: RulesField = None
    as_played: AsPlayed = None

    @property
    def _order(self) -> Order:
        return order_of(self.rules, as_played=numbers(self.as_played or ()))

    @property
    def colours(self) -> Masks:
        """The colour that each seat collects."""
        return four(colour(number_of(card)) for card in self.declared)

    @cached_property
    def end(self) -> Past[int, Order]:
        """What the tricks led to. Raises PydanticCustomError for a contradictory history."""
        if self.history is None:
            return Past(order_of(self.rules), 0, tuple(mask(numbers(pile)) for pile in self.won or ()))
        order = self._order
        start: Past[int, Order] = Past(order, self.history[0].leader, NOTHING)
        return replay(start, read_tricks(order, self.history)).end

    def _all_places(self) -> Iterator[tuple[str, str]]:
        yield from places("declared", self.declared)
        yield from spread("won", self.won or ())
        yield from history_places(self.history or ())

    @model_validator(mode="after")
    def _check(self) -> Self:
        refuse(leader_fault(self.history))
        if self.history:
            sent: Data = {"history": [trick.model_dump(exclude_none=True) for trick in self.history]}
            played = replay_data(sent, self._order, card_trick)
            if played is not None and played.fault is None:
                vars(self)["end"] = played.past
            vars(self)["history"] = tuple(FinishedTrick.model_construct(**trick) for trick in sent["history"])
        if self.won is None and self.history is None:
            raise fault("missing_key", say("a round has the piles (won) or the tricks (history)"), "won")
        if self.won is not None and self.history is not None:
            raise fault(
                "conflict", say("a round has the piles (won) or the tricks (history), not both"), "history"
            )
        refuse_doubles(self._all_places())
        if self.history is not None and len(self.history) != TRICKS:
            message = say(
                "a finished round has {tricks} tricks, not {count}", tricks=TRICKS, count=len(self.history)
            )
            raise fault("wrong_size", message, "history")
        piles = self.end.won
        if self.history is None:
            self._check_piles(piles)
        return self

    def _check_piles(self, piles: Sequence[int]) -> None:
        for seat, pile in enumerate(piles):
            if pile.bit_count() % SEATS:
                message = say_many(
                    "seat {seat} has {count} card; tricks are won whole, four cards each",
                    "seat {seat} has {count} cards; tricks are won whole, four cards each",
                    pile.bit_count(),
                    seat=seat,
                )
                raise fault("wrong_size", message, f"won[{seat}]")
        left = ALL & ~mask(numbers(self.declared))
        for pile in piles:
            left &= ~pile
        if left & ~KIRIN:
            missing = " ".join(names(members(left & ~KIRIN)))
            raise fault(
                "missing_card",
                say("only tricks of four kirin are won by nobody, but nobody has {missing}", missing=missing),
                "won",
            )


class KirinRecord(Model):
    """The rounds of a match so far, in order; a single round is a list of one.

    `declared_counts` is the rule option that counts the card set aside as won by its owner.
    """

    game: Literal["kirin"]
    rounds: Annotated[tuple[FinishedRound, ...], Field(min_length=1, max_length=ROUNDS, fail_fast=True)]
    declared_counts: Annotated[bool, Field(strict=True)] = False


class KirinSheet(Sheet):
    """A score sheet of Kirin: the points of each round."""

    game: Literal["kirin"]

    seats: ClassVar[tuple[int, int]] = (SEATS, SEATS)
    match_rounds: ClassVar[int | None] = ROUNDS

    @classmethod
    def fault_of(cls, played: Scores) -> str | None:
        if max(played) > HAND:
            return say(
                "a colour has {hand} cards, so nobody can have {played} points", hand=HAND, played=max(played)
            )
        if sum(played) > CARDS:
            return say(
                "there are {cards} cards, so {sum} points in all are too many", cards=CARDS, sum=sum(played)
            )
        return None


Record = with_sheet(KirinRecord, KirinSheet)


# ----------------------------------------------------------------------------------------------------
# `score`: a round, or a match of three; equal totals share the win.


AnyScore = KirinScore | SheetScore


def score(record: BaseModel, _control: Control | None = None) -> KirinScore | SheetScore:
    """Return the score of a record or of a score sheet."""
    if isinstance(record, KirinSheet):
        return sheet_score("kirin", record)
    assert isinstance(record, KirinRecord)
    rounds = tuple(points(played.end, played.colours, record.declared_counts) for played in record.rounds)
    totals = four(totals_of(rounds))
    finished = len(rounds) == ROUNDS
    return KirinScore(
        game="kirin",
        declared_counts=record.declared_counts,
        rounds=rounds,
        totals=totals,
        winners=leaders_of(totals) if finished else None,
        finished=finished,
    )


# ----------------------------------------------------------------------------------------------------
# Kirin round by round: three rounds, each with another first leader.


class KirinInPlay(MatchInPlay, CardsInPlay):
    """A round in play, beginning with setting cards aside; these cards stay hidden until the round ends."""

    untaken: ClassVar[str] = "nobody takes four kirin"

    def announcement(self, move: str) -> str:
        before, after = as_round(self.position), as_round(self.play(move).position)
        if before.choosing:
            return say("sets a card aside")
        announced = super().announcement(move)
        if after.direction == before.direction:
            return announced
        rising = after.direction == "ascending"
        turned = say("the order is ascending now") if rising else say("the order is descending now")
        return say("{told}; {more}", told=announced, more=turned)

    def secret(self, move: str) -> bool:
        return as_round(self.position).choosing


class KirinPlaying(TrickPlaying):
    """Rounds and matches of Kirin.

    The seats take turns leading the first trick of a round, since the rulebook does not say who leads it.
    """

    in_play = KirinInPlay
    usual = "undeclared"
    match_rounds = ROUNDS

    def standing(self, before: Sequence[RoundInPlay]) -> Mapping[str, Any]:
        return standing(score(self.record(before)).rounds if before else ())

    def record(self, rounds: Sequence[RoundInPlay]) -> KirinRecord:
        first = rounds[0]
        assert isinstance(first, KirinInPlay)
        counts = order_of(as_round(first.position).rules).declared_counts
        return KirinRecord(game="kirin", declared_counts=counts, rounds=tuple(map(_record, rounds)))

    def standings(self, position: BaseModel) -> Sequence[int] | None:
        now = as_round(position)
        return now.points if now.viewer is None else None  # what others collect is hidden

    def left_over(self, end: BaseModel) -> LeftOver | None:
        """What each seat set aside."""
        unseen = names(members(as_round(end).unseen))
        if len(unseen) != SEATS - 1:
            return None  # cards that were missed may be anywhere
        return LeftOver(counts=(1,) * SEATS, own_cards=(as_round(end).declared,), possible_cards=tuple(unseen))

    def own_score(self, view: BaseModel) -> int | None:
        """Return the viewer's points at the end of a round; they do not depend on what the others set aside.

        Returns None if the viewer does not remember in whose pile every card is.
        """
        now = as_round(view)
        return None if now.gone or now.forgotten else now.points[now.seat]


def _record(played: RoundInPlay) -> FinishedRound:
    assert isinstance(played, KirinInPlay)
    position = as_round(played.position)
    rules = position.rules and position.rules.model_copy(update={"declared_counts": False})  # that is the record's
    return FinishedRound(
        declared=position.declared, history=position.history, rules=rules, as_played=position.as_played
    )


# ----------------------------------------------------------------------------------------------------
# Positions as labelled lines for a person.


def _collects(text: str) -> str:
    which = colour(number_of(text))
    name = translated(COLOUR_NAMES[which])
    return say("collects {colour}, {name} (set aside: {card})", colour=COLOURS[which], name=name, card=text)


def _seat_row(position: Round, seat: int) -> str:
    hand = " ".join(sorted(position.hands[seat], key=TEXTS.index)) or "–"
    won = position.points[seat]
    so_far = say_many("{count} point so far", "{count} points so far", won)
    marks = [_collects(position.declared[seat]), points_counted(won) if position.state.over else so_far]
    if not position.state.over:
        marks += [say("leads")] * (seat == position.leader) + [say("to move")] * (seat == position.seat_to_move)
    return f"{hand}   ({say('; ').join(marks)})"


def _direction_row(direction: str) -> tuple[str, str]:
    if direction == "ascending":
        return say("Direction"), say("ascending (D > S > B > G, 6 > … > 1)")
    return say("Direction"), say("descending (G > B > S > D, 1 > … > 6)")


def _trick_row(leader: int, trick: Sequence[str], *, over: bool = False) -> str:
    return trick_text(leader, SEATS, trick) or (say("none; the round is over") if over else say("none yet"))


def _last_trick_row(position: Round) -> str:
    """Describe the previous trick, and say who took it. The view's `history` must not be empty."""
    last = (position.history or ())[-1]
    cards = _trick_row(last.leader, last.cards)
    if all(is_kirin(number_of(text)) for text in last.cards):
        return say("{cards}; nobody took it", cards=cards)
    return say("{cards}; {seat:who} took it", cards=cards, seat=position.leader)


def _won_rows(position: Round) -> list[tuple[str, str]]:
    """List the piles, with the points of the viewer's own; what the others collect is hidden."""
    own = position.points[position.seat]
    rows = []
    for seat, pile in enumerate(position.past.won):
        if pile:
            mark = f"   ({points_counted(own)})" if seat == position.seat else ""
            rows.append((say("Seat {seat} won", seat=seat), " ".join(names(members(pile))) + mark))
    return rows


def describe(position: BaseModel) -> list[tuple[str, str]]:
    """Return the position as (label, text) lines for people."""
    now = as_round(position)
    if now.viewer is not None:
        return _view_rows(now)
    if not now.choosing:
        rows = [_direction_row(now.direction)]
        rows += [(say("Seat {seat}", seat=seat), _seat_row(now, seat)) for seat in range(SEATS)]
        return [*rows, (say("Trick"), _trick_row(now.leader, now.trick, over=now.state.over))]
    rows = []
    for seat, hand in enumerate(now.hands):
        declared = now.declared[seat]
        marks = [say("has set nothing aside yet") if declared == NOT_YET else _collects(declared)]
        marks += [say("to choose now")] * (seat == now.seat)
        cards = " ".join(sorted(hand, key=TEXTS.index))
        rows.append((say("Seat {seat}", seat=seat), f"{cards}   ({say('; ').join(marks)})"))
    return [*rows, (say("Leader"), say("seat {seat}", seat=now.leader))]


def _view_rows(view: Round) -> list[tuple[str, str]]:
    you = say("seat {seat}; to set a card aside", seat=view.seat)
    if not view.choosing:
        you = say("; ").join([say("seat {seat}", seat=view.seat), _collects(str(view.declared))])
    hand = " ".join(sorted(view.hand, key=TEXTS.index)) or "–"
    rows = [*view.match_rows, (say("You"), you), (say("Hand"), hand)]
    if view.choosing:
        return [*rows, (say("Leader"), say("seat {seat}", seat=view.leader))]
    rows += [
        _direction_row(DIRECTIONS[view.past.rules.direction]),
        (say("Trick"), _trick_row(view.leader, view.trick, over=view.over == TRICKS)),
        tricks_row(view.over, TRICKS),
    ]
    if view.history:
        rows.append((say("Last trick"), _last_trick_row(view)))
    unseen = " ".join(names(members(view.unseen))) or "–"
    return [*rows, *_won_rows(view), (say("Unseen"), unseen), *unknown_rows(view)]
