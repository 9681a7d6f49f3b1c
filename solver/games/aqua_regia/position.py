"""Positions of Aqua Regia as users send them, with every card known or as one player sees them, validated."""

from __future__ import annotations

from abc import abstractmethod
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cached_property
from heapq import heappop, heappush
from operator import add
from typing import Annotated, Any, ClassVar, Literal, Self, TypeVar

from pydantic import (
    AfterValidator,
    BaseModel,
    ConfigDict,
    Discriminator,
    Field,
    Tag,
    WithJsonSchema,
    model_validator,
)
from pydantic_core import PydanticCustomError

from solver import decks
from solver.answers import Score, ScoreAnalysis, ScoreMove, Scores, percent
from solver.codec import PLAYERS_GIVEN, OrText, TwoReadings, texts
from solver.common import cards_counted, one_after_another
from solver.decks import deck_of
from solver.errors import Fault, MoveError, PositionError
from solver.findings import all_of, fault, faults_in, refuse
from solver.games.aqua_regia import rules
from solver.games.aqua_regia.deck import (
    FIELDS,
    KIND,
    MOST_COPIES,
    MOST_METALS,
    USUAL,
    WATER,
    Deck,
    DeckData,
    FieldName,
    RulesField,
    field_name,
    members,
    read_by,
)
from solver.games.aqua_regia.rules import (
    HAND,
    MOST_AT_ONCE,
    PLAYERS,
    Counts,
    Move,
    Pass,
    Play,
    State,
    added,
    can_lead,
    deals,
    follows,
    lets,
    move_of,
    needs,
    next_field,
    runs,
    settle,
    text_of,
)
from solver.language import say, say_many
from solver.positions import AnyPosition
from solver.tricks import positions
from solver.tricks.moves import seen
from solver.tricks.positions import places, spread

# ----------------------------------------------------------------------------------------------------
# Parts of Aqua Regia's positions and records: decks by name or inline, cards, seats, what was seen.


FEWEST, MOST = PLAYERS
_MOST_MOVES = 2 * MOST_COPIES * MOST_METALS  # of a round

DeckField = Annotated[str | DeckData, decks.DeckField(KIND)]
Card = Annotated[str, Field(strict=True, examples=["Zn"])]
Cards = Annotated[
    tuple[Card, ...], Field(max_length=MOST_COPIES * MOST_METALS, fail_fast=True), OrText("Zn Zn Pb")
]
Hands = Annotated[tuple[Cards, ...], Field(min_length=FEWEST, max_length=MOST), OrText("Zn,Zn/Pb")]
Seat = Annotated[int, Field(ge=0, lt=MOST, strict=True)]
MoveText = Annotated[str, Field(strict=True, examples=["pass Zn>Pb"])]
Count = Annotated[int, Field(ge=0, strict=True)]
# Of a view's size that is null, the number follows from the cards that were entered (`text`).
ViewCount = Annotated[Count, WithJsonSchema({"type": ["integer", "null"], "minimum": 0})]


class Model(positions.Model):
    """Base class of positions and their parts; serializes fields under the keys that users write."""

    model_config = ConfigDict(serialize_by_alias=True)


class DealPass(Model):
    """The public fact that a seat could not lead in a field and passed the deal on.

    `most` is the largest number of cards playable in that field that the hand can have now. It is 0 when the deal
    is passed on. After that, it rises by one for each card drawn and each playable card taken, and falls by one
    for each playable card played or discarded.
    """

    seat: Seat
    field: FieldName
    most: Count = 0


PassedDeals = Annotated[
    Annotated[tuple[DealPass, ...], Field(max_length=100, fail_fast=True)] | None,
    AfterValidator(lambda passed: passed or None),  # an empty list equals none
]


AsPlayed = Annotated[
    Annotated[
        tuple[Annotated[str, Field(strict=True, examples=["1:Zn Zn"])], ...],
        Field(max_length=_MOST_MOVES, fail_fast=True),
        OrText("1:Zn,Zn/2:pass:Zn:Li"),
    ]
    | None,
    AfterValidator(lambda against: tuple(dict.fromkeys(against or ())) or None),  # an empty list equals none
]
Against = frozenset[tuple[int, str]]  # seats, and moves that they made against the rules


class Trick(Model):
    """A trick in a history: its field, its leader, the size of the stock at its start, and its moves in turn.

    A pass is written with its exchange, but without the card drawn, which nobody else saw.
    """

    field: FieldName
    leader: Seat
    stock_count: Count
    moves: Annotated[tuple[MoveText, ...], Field(min_length=1, max_length=_MOST_MOVES, fail_fast=True)]

    inferred: ClassVar[frozenset[str]] = frozenset({"field", "leader", "stock_count"})


_SEEN = OrText("0:Zn,Zn/1:pass/2:pass:Zn:Pb")
History = Annotated[tuple[Trick, ...], Field(max_length=_MOST_MOVES, fail_fast=True), _SEEN]


def check_cards(deck: Deck, where: Iterable[tuple[str, str]]) -> None:
    """Raise a fault unless every card is a metal of the deck, with at most the deck's number of copies.

    `where` yields (path in the position, card) pairs.
    """
    counts: Counter[str] = Counter()
    found = []
    for path, card in where:
        if card not in deck.index:
            found.append(_no_card(deck, path, card))
            continue
        counts[card] += 1
        if counts[card] > deck.copies:
            message = say(
                "this is card number {number} of {card}; the deck has {copies}",
                number=counts[card],
                card=card,
                copies=deck.copies,
            )
            found.append(Fault("duplicate_card", message, path))
    refuse(found)


def check_card(deck: Deck, path: str, card: Any) -> None:
    if card not in deck.index:
        refuse([_no_card(deck, path, card)])


def _no_card(deck: Deck, path: str, card: Any) -> Fault:
    known = " ".join(deck.index)
    return Fault(
        "illegal_card",
        say(
            "{card!r} is not a metal of the deck {name}; its metals: {known}",
            card=card,
            name=deck.name,
            known=known,
        ),
        path,
    )


def check_seat(path: str, seat: int, players: int) -> None:
    if seat >= players:
        raise fault("out_of_range", _no_seat(seat, players), path)


def _no_seat(seat: object, players: int) -> str:
    return say(
        "there is no seat {seat}; with {players} players seats are 0 to {last}",
        seat=seat,
        players=players,
        last=players - 1,
    )


# ----------------------------------------------------------------------------------------------------
# The moves that were seen, trick by trick: replayed with the table at the time, checked, and extended.
#
# A history begins with some trick and ends now; its last trick is the current one, if the table has cards. It
# contains neither hands nor deals passed on: those follow from who led next, and in which field.


@dataclass(frozen=True, slots=True)
class Step:
    """A move of the history, with the public situation before it.

    `following` is the field after the current one, `top` the play to beat (None for a lead), and `discard` the
    discard pile. `draws` is true if the move is a pass that draws a card. `clears` has the trick's cards if the
    move ends the trick. `path` is the move's place in the history. Nothing is concluded from a move that was made
    `against` the rules.
    """

    seat: int
    field: int
    following: int
    top: Play | None
    draws: bool
    move: Move
    path: str
    clears: tuple[int, ...] = ()
    discard: Counts = ()
    against: bool = False


def why_not_there(deck: Deck, field: int, play: Play, top: Play | None) -> str | None:
    """Explain why a play can't be led (`top` None) or played on `top` in a field; None if it can."""
    symbol, has = deck.metals[play.metal].symbol, deck.reactivity[field][play.metal]
    if play.count > MOST_AT_ONCE:
        return say("at most {most_at_once} cards are played at once", most_at_once=MOST_AT_ONCE)
    where = field_name(FIELDS[field])
    if not has:
        return say("{symbol} can't be played in {field}: its reactivity is 0", symbol=symbol, field=where)
    if not lets(deck, field, play, top):
        return say(
            "{count} {symbol} can't be played at once in {field}: that takes reactivity {needs}, not {has}",
            symbol=symbol,
            has=has,
            field=where,
            count=play.count,
            needs=needs(deck, play.count, top),
        )
    if top is None or follows(play, top):
        return None
    under = deck.metals[top.metal].symbol
    if play.metal <= top.metal:
        return say("{symbol} is not stronger than {under}", symbol=symbol, under=under)
    template = "on {count} {under}, {count} or {count_2} cards must be played, not {count_3}"
    if top.count == MOST_AT_ONCE:
        template = "on {count} {under}, {count} cards must be played, not {count_3}"
    return say(template, count=top.count, under=under, count_2=top.count + 1, count_3=play.count)


@dataclass(frozen=True, slots=True)
class Stuck:
    """The fact that a dealer had nothing to lead in a field and passed the deal on.

    If it is not `shown`, the deal was passed on against the rules, or the seat showed a card later that it could
    have led.
    """

    seat: int
    field: int
    shown: bool = True


@dataclass
class Replay:
    """The public part of a game, from the first trick of a history on, with all that follows from its steps.

    `field` to `owner` are those of the state reached; `stock` is the number of cards left. For each seat, `grown`
    has the change in the number of its cards since the start, and `known` the cards that everybody saw entering
    its hand and not leaving it; `piled` has the change in the number of cards of each metal in the discard pile.
    `passed` has the deals passed on: `DealPass.most` by seat and field. `tricks` are those replayed, as data.
    `against` has the moves made against the rules, and `top` the play to beat (None before a lead).
    """

    deck: Deck
    players: int
    reversed: bool
    stock: int
    field: int
    turn: int
    table: tuple[int, ...] = ()
    owner: int | None = None
    top: Play | None = None
    against: Against = frozenset()

    def __post_init__(self) -> None:
        self.from_the_deal = 0 < self.stock == first_stock(self.deck, self.players)
        self.steps: list[Step | Stuck] = []
        self.tricks: list[Data] = []
        self.grown = [0] * self.players
        self.piled = [0] * self.deck.size
        self.known: list[Counts] = [self.deck.counts([])] * self.players
        self.passed: dict[tuple[int, int], int] = {}

    def move(self, move: Move, path: str) -> None:
        """Make a move. Raises a fault if it is impossible."""
        seat, draws = self.turn, isinstance(move, Pass) and self.stock > 0
        against = (seat, text_of(self.deck, move)) in self.against
        following = next_field(self.field, self.reversed)
        step = Step(seat, self.field, following, self.top, draws, move, path, against=against)
        self.turn = (seat + 1) % self.players
        if isinstance(move, Play):
            wrong = why_not_there(self.deck, self.field, move, self.top)
            if wrong is not None and (not against or move.count > MOST_AT_ONCE):
                raise fault("illegal_play", wrong, path)
            self.table += (move.metal,) * move.count
            self.reversed ^= move.count == rules.MOST_AT_ONCE
            self.owner, self.top = seat, move
        elif self.owner is None:
            raise fault("illegal_play", say("{seat:who} {seat:leads|lead} and can't pass", seat=seat), path)
        else:
            weaker = move.discarded is not None and move.taken is not None and move.taken <= move.discarded
            if weaker and not against:
                message = say("{text}: what is taken must be stronger than what is discarded",
                              text=text_of(self.deck, move))  # fmt: skip
                raise fault("illegal_move", message, path)
            self.stock -= draws
            if self.turn == self.owner:
                step = replace(step, clears=self.table)
                self.table, self.owner, self.top, self.field = (), None, None, following
        self.steps.append(step)
        self.grown[seat] += growth(move, draws)
        self.known[seat] = _known_since(self.known[seat], move)
        left, came = cards_moved(move) if isinstance(move, Pass) else ([], [])
        for metal in (*left, *step.clears):
            self.piled[metal] += 1
        for metal in came:
            self.piled[metal] -= 1
        if against:
            self._doubt_deals(seat, cards_moved(move)[0])
        for place, most in self.passed.items():
            if place[0] == seat:
                self.passed[place] = most + gained(self.deck.reactivity[place[1]], move, draws)

    def _doubt_deals(self, seat: int, metals: Iterable[int]) -> None:
        """Conclude nothing more from the deals that a seat passed on although, perhaps, it could lead `metals`."""
        fields = {field for field, row in enumerate(self.deck.reactivity) if any(row[metal] for metal in metals)}
        self.passed = {at: most for at, most in self.passed.items() if at[0] != seat or at[1] not in fields}
        for number, step in enumerate(self.steps):
            if isinstance(step, Stuck) and step.seat == seat and step.field in fields:
                self.steps[number] = replace(step, shown=False)

    def deal_to(self, leader: int, led: int) -> None:
        """Pass the deal on to `leader` in the field `led`; the field changes whenever nobody can lead."""
        while self.field != led:
            for step in range(self.players):
                self._pass_deal((self.turn + step) % self.players)
            self.field = next_field(self.field, self.reversed)
        for _ in range((leader - self.turn) % self.players):
            self._pass_deal(self.turn)
            self.turn = (self.turn + 1) % self.players

    def _pass_deal(self, seat: int) -> None:
        shown = (seat, no_lead_in(self.field)) not in self.against
        self.steps.append(Stuck(seat, self.field, shown))
        if shown:
            self.passed[seat, self.field] = 0


def replayed(history: History, now: Public) -> Replay:
    """Replay a position's history. Raises a fault if a move is impossible, or a trick is not what it says."""
    deck = now.metals
    if not history:
        if now.table:
            raise fault("conflict", say("cards lie on the table, but the history has no trick"), "history")
        return Replay(
            deck, now.players, now.reversed, now.stock_size, now.field_number, now.turn, against=now.against
        )
    moves = [
        [_move(deck, text, f"history[{index}].moves[{place}]") for place, text in enumerate(trick.moves)]
        for index, trick in enumerate(history)
    ]
    fours = sum(isinstance(move, Play) and move.count == rules.MOST_AT_ONCE for trick in moves for move in trick)
    first, turned = history[0], now.reversed != bool(fours % 2)
    replay = Replay(
        deck, now.players, turned, first.stock_count, FIELDS.index(first.field), first.leader, against=now.against
    )
    if replay.from_the_deal and turned:
        order = say("turned round") if fours % 2 else say("the usual one")
        raise fault(
            "conflict",
            say("according to the history, the fields' order is now {order}", order=order),
            "reversed",
        )
    for index, trick in enumerate(history):
        path = f"history[{index}]"
        if trick.leader >= replay.players:
            raise fault("out_of_range", _no_seat(trick.leader, replay.players), f"{path}.leader")
        if trick.stock_count != replay.stock:
            raise fault(
                "conflict", say("the stock had {stock} cards then", stock=replay.stock), f"{path}.stock_count"
            )
        replay.deal_to(trick.leader, FIELDS.index(trick.field))
        for place, move in enumerate(moves[index]):
            if place and not replay.table:
                raise fault("conflict", say("the trick was over by then"), f"{path}.moves[{place}]")
            replay.move(move, f"{path}.moves[{place}]")
        if replay.table and index < len(history) - 1:
            raise fault("conflict", say("the trick is not over, but another one follows"), f"{path}.moves")
    return replay


def check_now(replay: Replay, now: Public) -> None:
    """Raise a fault unless a replay leads to the position; note the discard pile before each of its steps."""
    _check_table_now(replay, now)
    replay.steps = _backward(replay.steps, now)
    _check_known_now(replay, now)


def _against(deck: Deck, players: int, text: str, path: str) -> tuple[int, str]:
    """Read a move of `as_played`, such as ``1:Zn Zn``, as its seat and its text."""
    seat, _, move = text.partition(":")
    if not seat.isdecimal() or len(seat) > 1:
        message = say("{text!r}: write a seat and its move, such as 1:Zn Zn", text=text)
        raise fault("illegal_move", message, path)
    check_seat(path, int(seat), players)
    stuck = move in map(no_lead_in, range(len(FIELDS)))
    return int(seat), move if stuck else text_of(deck, _move(deck, move, path))


def _move(deck: Deck, text: str, path: str) -> Move:
    try:
        return move_of(deck, text)
    except MoveError as error:
        raise fault(error.code, error.message, path) from None


def _check_table_now(replay: Replay, now: Public) -> None:
    """Raise a fault unless the replay leads to the position's table, turn, field, stock and hand sizes.

    Between two tricks, passes the deal on to the seat that is to lead now.
    """
    if replay.stock != now.stock_size:
        raise fault(
            "conflict",
            say(
                "according to its moves, the stock has {stock} cards now, not {stock_2}",
                stock=replay.stock,
                stock_2=now.stock_size,
            ),
            "history",
        )
    if not now.table and not replay.table:
        replay.deal_to(now.turn, now.field_number)
    table = now.metals.numbers(now.table)

    def in_words(field: int, turn: int, table: tuple[int, ...], owner: int | None) -> dict[str, str]:
        return {
            "field": FIELDS[field],
            "turn": say("seat {seat}", seat=turn),
            "table": " ".join(replay.deck.symbols(sorted(table))) or say("nothing"),
            "owner": say("nobody") if owner is None else say("seat {seat}", seat=owner),
        }

    given = in_words(now.field_number, now.turn, table, now.owner)
    refuse(
        Fault(
            "conflict",
            say(
                "according to the history, the {key} is {right} now, not {told}",
                key=key,
                right=right,
                told=given[key],
            ),
            key,
        )
        for key, right in in_words(replay.field, replay.turn, replay.table, replay.owner).items()
        if right != given[key]
    )
    if replay.table != table:
        raise fault(
            "conflict", say("according to the history, the cards on the table are in another order"), "table"
        )
    refuse(
        Fault(
            "conflict",
            say(
                "according to the history, {seat:who} {seat:has|have} {size} cards now, not {size_2}",
                seat=seat,
                size=rules.HAND + grown,
                size_2=size,
            ),
            f"counts[{seat}]",
        )
        for seat, (size, grown) in enumerate(zip(now.sizes, replay.grown, strict=True))
        if replay.from_the_deal and size - grown != rules.HAND
    )


def _check_known_now(replay: Replay, now: Public) -> None:
    """Raise a fault unless the cards known to be in each hand include those that the replay shows to be there.

    The others were known before, so they were in the hand when the history began.
    """
    for seat, since in enumerate(replay.known):
        path = f"known[{seat}]" if now.known else "known"
        known = now.known_counts(seat)
        for metal, count in enumerate(since):
            if count > known[metal]:
                message = say(
                    "according to the history, {seat:who} {seat:has|have} taken {symbol} and not shown it again",
                    seat=seat,
                    symbol=replay.deck.metals[metal].symbol,
                )
                raise fault("conflict", message, path)
        first, before = now.sizes[seat] - replay.grown[seat], sum(known) - sum(since)
        if before > first:
            message = say_many(
                "{seat:who} held {count} card when the history begins, not {before} of those known",
                "{seat:who} held {count} cards when the history begins, not {before} of those known",
                first,
                seat=seat,
                before=before,
            )
            raise fault("conflict", message, path)


def _backward(steps: list[Step | Stuck], now: Public) -> list[Step | Stuck]:
    """Return the steps with the discard pile before each, working back from the current pile.

    Raises a fault if a step is impossible with the current pile and hand sizes.
    """
    deck, pile, sizes = now.metals, list(now.pile), list(now.sizes)
    result: list[Step | Stuck] = []
    for step in reversed(steps):
        if isinstance(step, Stuck):
            result.append(step)
            continue
        for metal in step.clears:
            pile[metal] -= 1
        sizes[step.seat] -= growth(step.move, step.draws)
        if isinstance(step.move, Pass):
            if sizes[step.seat] < 1:
                message = say("{seat:who} would have had no card left before", seat=step.seat)
                raise fault("conflict", message, step.path)
            if step.move.discarded is not None and step.move.taken is not None:
                pile[step.move.discarded] -= 1
                pile[step.move.taken] += 1
                if not 0 < pile[step.move.taken] < deck.copies + step.against:
                    symbol = deck.metals[step.move.taken].symbol
                    message = say(
                        "according to the discard pile now, {symbol} can't have been taken then", symbol=symbol
                    )
                    raise fault("conflict", message, step.path)
        if min(pile) < 0:
            message = say("the discard pile now lacks cards that were put there then or later")
            raise fault("conflict", message, step.path)
        result.append(replace(step, discard=tuple(pile)))
    return result[::-1]


def cards_moved(move: Move) -> tuple[list[int], list[int]]:
    """List the cards that a move openly takes from the mover's hand, and those that it openly adds."""
    if isinstance(move, Play):
        return [move.metal] * move.count, []
    if move.discarded is None or move.taken is None:
        return [], []
    return [move.discarded], [move.taken]


def growth(move: Move, draws: bool) -> int:
    """Return the change in the size of the mover's hand. `draws` says whether a pass draws a card."""
    return -move.count if isinstance(move, Play) else int(draws)


def gained(reactivity: Sequence[int], move: Move, draws: bool) -> int:
    """Return by how much a move changes `DealPass.most`, an upper limit on the mover's cards playable in a field.

    `reactivity` has each metal's reactivity in that field. A drawn card raises the limit by one, since it may be
    playable. A card openly taken, played or discarded changes it only if it is playable.
    """
    left, came = cards_moved(move)
    change = sum(reactivity[metal] > 0 for metal in came) - sum(reactivity[metal] > 0 for metal in left)
    return change + (draws and isinstance(move, Pass))


def _known_since(known: Counts, move: Move) -> Counts:
    """Return the cards known to be in the mover's hand after a move, given those known before it.

    A card that leaves the hand may be one of the known ones, so the number known of its metal goes down by one
    (but not below zero).
    """
    left, came = cards_moved(move)
    for metal in left:
        known = added(known, metal, -1) if known[metal] else known
    for metal in came:
        known = added(known, metal, 1)
    return known


# ----------------------------------------------------------------------------------------------------
# What everybody at the table sees of a position, and whether it is possible.


class Public(AnyPosition, Model):
    """The part of a position that everybody at the table sees.

    `table` has the trick's cards in play order: the last run of one metal is the play to beat, and `owner` played
    it. With an empty table there is no owner, and `turn` is the dealer. `known` has cards that were seen going
    into a hand and not leaving it, one list per seat; `deal_passes` says who could not lead; `history` has the
    tricks that were seen, up to now. All three are optional.
    """

    game: Literal["aqua-regia"]
    deck: DeckField = "house"
    rules: RulesField = None
    field: FieldName
    reversed: Annotated[bool, Field(strict=True)] = False
    turn: Seat
    table: Cards = ()
    owner: Seat | None = None
    discard: Cards = ()
    known: Hands | None = None
    deal_passes: PassedDeals = None
    history: History | None = None
    as_played: AsPlayed = None

    @property
    @abstractmethod
    def players(self) -> int:
        """The number of seats."""

    @property
    @abstractmethod
    def sizes(self) -> tuple[int, ...]:
        """The number of cards in each seat's hand."""

    @property
    @abstractmethod
    def stock_size(self) -> int:
        """The number of cards in the stock."""

    @cached_property
    def metals(self) -> Deck:
        """The deck, with the position's rule options in force. Raises a fault for an unknown deck."""
        return read_by(deck_of(KIND, self.deck), self.rules or USUAL)

    @property
    def public(self) -> dict[str, Any]:
        """The position's public fields, by key."""
        return {key: getattr(self, key) for key in Public.model_fields}

    @property
    def field_number(self) -> int:
        return FIELDS.index(self.field)

    @property
    def pile(self) -> Counts:
        """The number of cards of each metal that are known to be in the discard pile."""
        return self.metals.counts(self.metals.numbers(self.discarded))

    @property
    def discarded(self) -> Cards:
        """The cards that are known to be in the discard pile."""
        return self.discard

    @cached_property
    def against(self) -> Against:
        """The moves of `as_played`. Raises a fault for a text that is not a seat and its move."""
        return frozenset(
            _against(self.metals, self.players, text, f"as_played[{index}]")
            for index, text in enumerate(self.as_played or ())
        )

    @property
    def against_texts(self) -> Sequence[str]:
        """The moves of `as_played` in words."""
        return [say("{seat:who} {text}", seat=int(text[0]), text=text[2:]) for text in self.as_played or ()]

    @cached_property
    def plays(self) -> Sequence[Play]:
        """The plays of the current trick, in order.

        They follow from the table alone unless a metal was played on the same metal, against the rules.
        """
        if self.against and self.history and self.table:
            moves = (move_of(self.metals, text) for text in self.history[-1].moves)
            return [move for move in moves if isinstance(move, Play)]
        return runs(self.metals.numbers(self.table))

    @property
    def top(self) -> Play | None:
        """The play to beat; None while the table is empty."""
        return self.plays[-1] if self.table else None

    def gone_out(self, seat: int) -> bool:
        """Whether a seat whose hand is empty has just won: whether it made the play on top.

        The caller checks that the hand is empty.
        """
        return bool(self.table) and seat == self.owner

    def known_of(self, seat: int) -> Cards:
        return self.known[seat] if self.known else ()

    def known_counts(self, seat: int) -> Counts:
        return self.metals.counts(self.metals.numbers(self.known_of(seat)))

    def state_with(self, hands: Iterable[Counts], stock: tuple[int, ...]) -> State:
        """Return the state with these hands and this stock; the dealer may still be unable to lead."""
        return State(
            hands=tuple(hands),
            turn=self.turn,
            field=self.field_number,
            reversed=self.reversed,
            table=self.metals.numbers(self.table),
            owner=self.owner,
            stock=stock,
            discard=self.pile,
            on_top=self.top if self.against else None,
        )

    def keep(self, replays: Sequence[Replay]) -> None:
        """Keep the replay that was made while the history was read, unless it led elsewhere."""
        (replay,) = replays
        now = self.metals, self.players, self.reversed, self.field_number, self.turn, self.against
        if (replay.deck, replay.players, replay.reversed, replay.field, replay.turn, replay.against) == now:
            vars(self)["_replayed"] = replay

    @cached_property
    def _replayed(self) -> Replay | None:
        return None if self.history is None else replayed(self.history, self)

    @cached_property
    def replay(self) -> Replay | None:
        """The history, replayed, with the discard pile before each step; None if there is none.

        Raises a fault if the history contradicts the rest of the position.
        """
        found = self._replayed
        if found is not None and self.history:
            check_now(found, self)
        return found

    @property
    def steps(self) -> Sequence[Step | Stuck]:
        """The history's moves and passed deals, in order; empty without a history."""
        return () if self.replay is None else self.replay.steps

    def check_history(self) -> None:
        """Raise a fault if the history contradicts the rest of the position."""
        _ = self.replay
        self._check_as_played()

    def open_places(self) -> Iterator[tuple[str, str]]:
        """Yield (path in the position, card) for each face-up card."""
        yield from places("discard", self.discard)
        yield from places("table", self.table)

    def check_public(self) -> None:
        """Raise a fault for an impossible trick, an unknown seat, or a malformed `known` or `deal_passes`.

        The caller must have checked the cards.
        """
        players = self.players
        check_seat("turn", self.turn, players)
        self._check_table()
        self._check_owner(players)
        if self.known is not None and len(self.known) != players:
            raise fault(
                "wrong_size", say("there are {players} players; give a list for each", players=players), "known"
            )
        listed: set[tuple[int, str]] = set()
        for index, passed in enumerate(self.deal_passes or ()):
            check_seat(f"deal_passes[{index}].seat", passed.seat, players)
            if (passed.seat, passed.field) in listed:
                message = say(
                    "the fact that {seat:who} could not lead in {field} appears twice",
                    seat=passed.seat,
                    field=passed.field,
                )
                raise fault("conflict", message, f"deal_passes[{index}]")
            listed.add((passed.seat, passed.field))

    def _check_as_played(self) -> None:
        """Raise a fault for a move of `as_played` that was not made."""
        made: set[tuple[int, str]] | None = None
        if self.history is not None and (self.replay is None or self.replay.from_the_deal):
            made = {(step.seat, text_of(self.metals, step.move)) for step in self.steps if isinstance(step, Step)}
        for index, text in enumerate(self.as_played or ()):
            move = _against(self.metals, self.players, text, f"as_played[{index}]")
            if made is not None and move not in made and not move[1].startswith(NO_LEAD):
                message = say("{text} was not made, so not against the rules either", text=text)
                raise fault("conflict", message, f"as_played[{index}]")

    def _check_table(self) -> None:
        """Raise a fault unless each play on the table may follow the one before, or was made against the rules."""
        place = 0
        below: Play | None = None
        against = {text for _, text in self.against}
        for play in self.plays:
            wrong = why_not_there(self.metals, self.field_number, play, below)
            if wrong is not None and text_of(self.metals, play) not in against:
                raise fault("illegal_play", wrong, f"table[{place}]")
            below = play
            place += play.count

    def _check_owner(self, players: int) -> None:
        if not self.table:
            if self.owner is not None:
                raise fault("conflict", say("the table is empty, so nobody owns the cards on it"), "owner")
            return
        if self.owner is None:
            raise fault("missing_key", say("owner is missing: who played the last cards on the table?"), "owner")
        check_seat("owner", self.owner, players)
        if self.owner == self.turn:
            message = say(
                "{turn:who} played the last cards and can't be to move: when all others have passed, "
                "the trick is over and the table is empty",
                turn=self.turn,
            )
            raise fault("conflict", message, "owner")

    def check_known(self, seat: int, held: Sequence[str]) -> None:
        """Raise a fault if the cards `held` by a seat contradict `known` or `deal_passes`."""
        deck = self.metals
        left = Counter(held)
        for index, card in enumerate(self.known_of(seat)):
            left[card] -= 1
            if left[card] < 0:
                message = say("{seat:who} {seat:does|do} not hold that many {card}", seat=seat, card=card)
                raise fault("conflict", message, f"known[{seat}][{index}]")
        for index, passed in enumerate(self.deal_passes or ()):
            if passed.seat == seat:
                row = deck.reactivity[FIELDS.index(passed.field)]
                playable = sum(row[metal] > 0 for metal in deck.numbers(held))
                if playable > passed.most:
                    message = say_many(
                        "{seat:who} {seat:has|have} {count} card that can be played in {field}, "
                        "not at most {most}",
                        "{seat:who} {seat:has|have} {count} cards that can be played in {field}, "
                        "not at most {most}",
                        playable,
                        seat=seat,
                        field=passed.field,
                        most=passed.most,
                    )
                    raise fault("conflict", message, f"deal_passes[{index}]")


class KnownPosition(Public):
    """A position with every card known; `stock` is in draw order.

    Only a seat that has just won has no cards. Cards that are listed nowhere are out of play. `known` and
    `deal_passes` matter only for views.
    """

    hands: Hands
    stock: Cards = ()

    inferred: ClassVar[frozenset[str]] = frozenset({"field", "turn"})
    instead: ClassVar[Mapping[str, Any]] = {"players": PLAYERS_GIVEN}

    @property
    def players(self) -> int:
        return len(self.hands)

    @property
    def sizes(self) -> tuple[int, ...]:
        return tuple(map(len, self.hands))

    @property
    def stock_size(self) -> int:
        return len(self.stock)

    @cached_property
    def state(self) -> State:
        """The state with the deal passed on to a seat that can lead.

        Its `turn` and `field` may differ from the position's.
        """
        return settle(self.metals, self.state_as_written)

    @cached_property
    def state_as_written(self) -> State:
        hands = [self.metals.counts(self.metals.numbers(hand)) for hand in self.hands]
        return self.state_with(hands, self.metals.numbers(self.stock))

    @property
    def seat_to_move(self) -> int:
        return self.state.turn

    @model_validator(mode="after")
    def _check(self) -> Self:
        where = [*spread("hands", self.hands), *places("stock", self.stock), *self.open_places()]
        all_of(lambda: check_cards(self.metals, where), self._check_hands, then=[self.check_public])
        for seat, hand in enumerate(self.hands):
            self.check_known(seat, hand)
        self.check_history()
        return self

    def _check_hands(self) -> None:
        for path, card in spread("known", self.known or ()):
            check_card(self.metals, path, card)
        for seat, hand in enumerate(self.hands):
            if not hand and not self.gone_out(seat):
                raise fault(
                    "wrong_size",
                    say(
                        "{seat:who} {seat:has|have} no cards: {seat:it|you} {seat:has|have} won already", seat=seat
                    ),
                    f"hands[{seat}]",
                )


class View(Public):
    """What one player sees. `counts` has the number of cards of each seat, including the player's.

    In the middle of a pass, `drawn` is the card just drawn; `hand`, `counts` and `stock_count` do not reflect the
    draw yet. If there are more unseen cards than hidden places, the surplus is out of play.
    """

    seat: Seat
    hand: Cards
    counts: Annotated[tuple[ViewCount, ...], Field(min_length=FEWEST, max_length=MOST, fail_fast=True)]
    stock_count: Count
    drawn: Card | None = None

    inferred: ClassVar[frozenset[str]] = frozenset({"field", "turn", "counts", "stock_count"})
    instead: ClassVar[Mapping[str, Any]] = {"players": PLAYERS_GIVEN}

    @property
    def players(self) -> int:
        return len(self.counts)

    @property
    def sizes(self) -> tuple[int, ...]:
        return self.counts

    @property
    def stock_size(self) -> int:
        return self.stock_count

    @property
    def seat_to_move(self) -> int:
        return self.turn

    @property
    def held(self) -> Counts:
        """The number of cards of each metal in the hand, including the drawn card."""
        return self.metals.counts(self.metals.numbers((*self.hand, *((self.drawn,) if self.drawn else ()))))

    def held_after(self, move: Move) -> Counts:
        """Return the hand after a move of this seat, as counts, without a card drawn that is still unknown."""
        left, came = cards_moved(move)
        hand = self.held
        for metal in left:
            hand = added(hand, metal, -1)
        for metal in came:
            hand = added(hand, metal, 1)
        return hand

    @cached_property
    def unseen(self) -> Counts:
        """The number of cards of each metal that are hidden or out of play."""
        deck = self.metals
        placed = deck.counts(deck.numbers(card for _, card in self._all_places()))
        return tuple(deck.copies - count for count in placed)

    def hidden(self, seat: int) -> int:
        """The number of unknown cards in another seat's hand."""
        return self.counts[seat] - len(self.known_of(seat))

    def voids_of(self, seat: int) -> tuple[int, ...]:
        """The metals that a seat is known not to hold, not counting those that follow from `deal_passes`."""
        return ()

    @property
    def hidden_stock(self) -> int:
        """The number of cards left in the stock, without the card just drawn."""
        return self.stock_count - (self.drawn is not None)

    def _all_places(self) -> Iterator[tuple[str, str]]:
        yield from places("hand", self.hand)
        if self.drawn is not None:
            yield "drawn", self.drawn
        for seat, cards in enumerate(self.known or ()):
            if seat != self.seat:
                yield from places(f"known[{seat}]", cards)
        yield from self.open_places()

    @model_validator(mode="after")
    def _check(self) -> Self:
        all_of(
            lambda: check_cards(self.metals, self._all_places()),
            self._check_own_known,
            lambda: check_seat("seat", self.seat, self.players),
            then=[self.check_public],
        )
        all_of(self._check_counts, self._check_drawn, self.check_history)
        return self

    def _check_own_known(self) -> None:
        if self.known is not None and self.seat < len(self.known):
            check_cards(self.metals, places(f"known[{self.seat}]", self.known[self.seat]))

    def _check_counts(self) -> None:
        if len(self.hand) != self.counts[self.seat]:
            message = say_many(
                "the hand has {count} card; according to the counts or the history it has {right}",
                "the hand has {count} cards; according to the counts or the history it has {right}",
                len(self.hand),
                right=self.counts[self.seat],
            )
            raise fault("wrong_size", message, f"counts[{self.seat}]")
        for seat, count in enumerate(self.counts):
            if not count and not self.gone_out(seat):
                raise fault(
                    "wrong_size",
                    say(
                        "{seat:who} {seat:has|have} no cards: {seat:it|you} {seat:has|have} won already", seat=seat
                    ),
                    f"counts[{seat}]",
                )
            held = self.hand if seat == self.seat else self.known_of(seat)
            if len(self.known_of(seat)) > count:
                message = say(
                    "more cards of seat {seat} are known than the {count} it holds", seat=seat, count=count
                )
                raise fault("wrong_size", message, f"known[{seat}]")
            self.check_known(seat, held)
        hidden = sum(self.hidden(seat) for seat in range(self.players) if seat != self.seat) + self.hidden_stock
        unseen = sum(self.unseen)
        if hidden > unseen:
            message = say(
                "at most {most} can be in the other hands and the stock, not {count}; leave out a size that you "
                "don't know",
                most=cards_counted(unseen),
                count=hidden,
            )
            raise fault("wrong_size", message, "stock_count" if self.hidden_stock else "counts")

    def _check_drawn(self) -> None:
        if self.drawn is None:
            return
        if self.turn != self.seat:
            raise fault(
                "conflict",
                say("seat {turn} is to move, so seat {seat} draws nothing", turn=self.turn, seat=self.seat),
                "drawn",
            )
        if not self.table:
            raise fault("conflict", say("the table is empty: the dealer leads and does not pass"), "drawn")
        if not self.stock_count:
            raise fault("conflict", say("the stock had no card to draw (stock_count is from before)"), "drawn")


class Remembered(View):
    """The view of a player who remembers only part of what was seen.

    The table and the number of cards in each hand and in the stock are known. The rest may be incomplete:
    `discard` and `gone` together list the remembered cards of the discard pile, `history` has the last tricks, and
    `voids` has, by seat, metals that the seat is known not to hold. Unseen cards that are neither in a hand nor in
    the stock are in the discard pile, too.
    """

    gone: Cards
    voids: Annotated[
        dict[Literal["0", "1", "2", "3", "4"], Annotated[Cards, Field(max_length=MOST_METALS)]],
        Field(max_length=MOST),
        OrText("2:Zn,Cu"),
    ] = {}

    @property
    def discarded(self) -> Cards:
        return (*self.discard, *self.gone)

    @property
    def forgotten(self) -> int:
        """The number of cards in the discard pile that the player does not remember."""
        hidden = sum(self.hidden(seat) for seat in range(self.players) if seat != self.seat)
        return sum(self.unseen) - hidden - self.hidden_stock

    def voids_of(self, seat: int) -> tuple[int, ...]:
        return self.metals.numbers(self.voids.get(str(seat), ()))  # type: ignore[call-overload]

    def open_places(self) -> Iterator[tuple[str, str]]:
        yield from super().open_places()
        yield from places("gone", self.gone)

    def check_public(self) -> None:
        super().check_public()
        for seat, cards in self.voids.items():
            check_seat(f"voids.{seat}", int(seat), self.players)
            for index, card in enumerate(cards):
                check_card(self.metals, f"voids.{seat}[{index}]", card)
                if card in self.known_of(int(seat)):
                    message = say("seat {seat} is known to hold {card}", seat=seat, card=card)
                    raise fault("conflict", message, f"voids.{seat}[{index}]")


# ----------------------------------------------------------------------------------------------------
# Types of answers: 1 for the seat that goes out first, 0 for the others.


class AquaMove(ScoreMove):
    """A move and the score that it leads to.

    `estimate` is set only when the score is not proved: it is the share of simulated games after the move that the
    player (under `maxn`, the seat to move) won. Unproved moves are listed by the number of these games, most
    first, not by `estimate`.
    """

    def estimate_text(self) -> str:
        return "" if self.estimate is None else f"≈ {percent(self.estimate)}"


class AquaAnalysis(ScoreAnalysis):
    """The analysis of a position with every card known.

    Values are scores of `player`, or under `maxn` of each seat.
    """

    moves: tuple[AquaMove, ...]


class AquaScore(Score):
    """The score of a match.

    `rounds` has 1 for the winner's seat and 0 for the others, `totals` the number of rounds won by each seat.
    `leaders` has the seat with the most wins, or all seats that tie for that.
    """

    game: str
    rounds: tuple[Scores, ...]
    totals: Scores
    leaders: tuple[int, ...]


# ----------------------------------------------------------------------------------------------------
# What everybody knows of the hands, updated move by move: cards taken from the pile, deals passed on.


DealPasses = tuple[DealPass, ...] | None


def public_after(position: Public, move: Move) -> tuple[Replay, dict[str, Any]]:
    """Make a move, and return what follows from it, and the new values of the position's public keys.

    The move is legal or in `as_played`. A new dealer may be unable to lead.
    """
    deck, players = position.metals, position.players
    table, stock = deck.numbers(position.table), position.stock_size
    after = Replay(
        deck, players, position.reversed, stock, position.field_number, position.turn, table, position.owner,
        position.top, position.against,
    )  # fmt: skip
    after.known = list(map(position.known_counts, range(players)))
    after.passed = {(one.seat, FIELDS.index(one.field)): one.most for one in position.deal_passes or ()}
    after.move(move, "")
    known = tuple(tuple(deck.symbols(members(hand))) for hand in after.known)
    passed = after.passed.items()
    return after, {
        "field": FIELDS[after.field],
        "reversed": after.reversed,
        "turn": after.turn,
        "table": tuple(deck.symbols(after.table)),
        "owner": after.owner,
        "discard": tuple(deck.symbols(members(map(add, position.pile, after.piled)))),
        "known": known if any(known) else None,
        "deal_passes": tuple(DealPass(seat=seat, field=FIELDS[name], most=most) for (seat, name), most in passed)
        or None,
        "history": _history_after(position, move),
    }


def _history_after(position: Public, move: Move) -> History | None:
    """Add a move to the history.

    If the history is missing, it stays missing until the next lead, and then begins with that trick.
    """
    text, history = text_of(position.metals, move), position.history or ()
    if not position.table:
        lead = {"field": position.field, "leader": position.turn, "stock_count": position.stock_size}
        return (*history, Trick(**lead, moves=(text,)))
    if not history:
        return None
    *before, last = history
    return (*before, last.model_copy(update={"moves": (*last.moves, text)}))


def dealt_on(deck: Deck, passed: DealPasses, state: State) -> DealPasses:
    """Add to `passed` the deals that are passed on before the next lead, in a state with an empty table."""
    *without, _ = deals(deck, state)
    return with_passed(passed, without)


def with_passed(passed: DealPasses, without: Iterable[tuple[int, int]]) -> DealPasses:
    """Add to `passed` that each seat in `without` (seat, field) could not lead in that field; sort the result."""
    by_place = {(one.seat, FIELDS.index(one.field)): one for one in passed or ()}
    by_place |= {(seat, field): DealPass(seat=seat, field=FIELDS[field]) for seat, field in without}
    return tuple(by_place[place] for place in sorted(by_place)) or None


V = TypeVar("V", bound=View)

NO_LEAD = "no lead"  # the dealer has nothing to lead, and the deal passes to the left


def no_lead_in(field: int) -> str:
    """Return how `as_played` names a deal that was passed on in a field by a seat that could lead."""
    return f"{NO_LEAD} {FIELDS[field]}"


def own_deal(view: V) -> V:
    """Return the view after passing the deal on if its own seat has it and can't lead; else the view itself."""
    if view.table or view.turn != view.seat or can_lead(view.metals, view.held, view.field_number):
        return view
    return own_deal(passed_on(view))


def made_against(view: View, move: str) -> dict[str, Any]:
    """Return the fields that change with a move that the seat to move makes against the rules.

    What the player remembered of the seat's voids was wrong, perhaps.
    """
    changes: dict[str, Any] = {"as_played": (*(view.as_played or ()), f"{view.turn}:{move}")}
    if isinstance(view, Remembered):
        changes["voids"] = {seat: cards for seat, cards in view.voids.items() if int(seat) != view.turn}
    return changes


def passed_on(view: V, *, anyway: bool = False) -> V:
    """Return the view after the dealer has passed the deal on; after a full circle, the field changes one step.

    With `anyway`, the dealer could lead.
    """
    move = no_lead_in(view.field_number)
    changes = made_against(view, move) if anyway else {}
    if not anyway and (view.turn, move) not in view.against:
        changes["deal_passes"] = with_passed(view.deal_passes, [(view.turn, view.field_number)])
    turn = (view.turn + 1) % view.players
    field = view.field_number
    if turn == first_dealer(view):
        field = next_field(field, view.reversed)
    return seen(view, NO_LEAD, {"turn": turn, "field": FIELDS[field], **changes})


def first_dealer(view: View) -> int:
    """Return the seat that was the first dealer in the current field.

    Once the deal is back at that seat, the field changes.
    """
    if not view.history:  # nobody has led yet: the deals passed on are all there are
        stuck = {one.seat for one in view.deal_passes or () if one.field == view.field and not one.most}
        stuck |= {seat for seat, move in view.against if move == no_lead_in(view.field_number)}
        seats = range(view.players)  # if all could not lead, the turn has already come around
        before = next((step for step in seats if (view.turn - step - 1) % view.players not in stuck), 0)
        return (view.turn - before) % view.players
    since = 0
    for step in reversed(view.steps):
        if not isinstance(step, Stuck) or step.field != view.field_number:
            break
        since += 1
    return (view.turn - since) % view.players


# ----------------------------------------------------------------------------------------------------
# The kinds of Aqua Regia's positions, told apart by their keys.


def _kind(data: Any) -> str:
    """Choose the type of a position by its keys: every card known, a view, or a view remembered in part."""
    if isinstance(data, BaseModel):
        return "in part" if isinstance(data, Remembered) else "seen" if isinstance(data, View) else "all-known"
    if not isinstance(data, Mapping) or "hand" not in data or "hands" in data:
        return "all-known"
    return "in part" if "gone" in data else "seen"


Position = Annotated[
    Annotated[KnownPosition, Tag("all-known")]
    | Annotated[View, AfterValidator(own_deal), Tag("seen")]
    | Annotated[Remembered, AfterValidator(own_deal), Tag("in part")],
    Discriminator(_kind),
]


# ----------------------------------------------------------------------------------------------------
# Contradictions of a view's history with itself or with the hand, in words.
#
# The asking seat knows its cards, so its moves must be possible with them. A card that it holds or showed was in
# its hand at the start of the history, or was drawn, but was not there while the seat could not lead with it.


Steps = Sequence[Step | Stuck]


def not_led(view: View, steps: Steps, seat: int, metal: int | None = None, until: int | None = None) -> str:
    """Describe in which fields a seat could not lead, and when; empty if there are none.

    With `metal`, only fields in which that metal can be played count; with `until`, only steps before that index.
    """
    fields = []
    for number, step in enumerate(steps[:until]):
        if not isinstance(step, Stuck) or step.seat != seat or not step.shown:
            continue
        if metal is None or view.metals.reactivity[step.field][metal]:
            then = next((after.path for after in steps[number:] if isinstance(after, Step)), say("now"))
            fields.append(say("{field} (before {path})", field=field_name(FIELDS[step.field]), path=then))
    where = one_after_another(fields)
    return say("{seat:who} could not lead in {fields}", seat=seat, fields=where) if fields else ""


def no_source(view: View, steps: Steps, seat: int, metal: int, until: int) -> PositionError:
    """Return the error for a card that a seat showed at step `until` but can't have had.

    If `until` is the number of steps, the seat holds the card now.
    """
    symbol = view.metals.metals[metal].symbol
    step = steps[until] if until < len(steps) else None
    stuck = not_led(view, steps, seat, metal, until)
    why = say("it held and drew other cards")
    if stuck:
        why = say("{sentence}, and drew too few cards since", sentence=stuck)
    template = "no deal agrees with this: seat {seat} holds {card} now, but {why}"
    if isinstance(step, Step):
        template = "no deal agrees with this: seat {seat} shows {card} in {path}, but {why}"
    path = step.path if isinstance(step, Step) else ""
    return PositionError("conflict", say(template, seat=seat, card=symbol, path=path, why=why), "history")


def check_own_cards(view: View, steps: Steps) -> None:
    """Raise PositionError unless the view's seat can have obtained its cards in the history's steps.

    A card must have been dealt or drawn before the seat showed it, and after the last step at which the seat had
    nothing to lead in a field in which this card can be led. So the deal and the draws are assigned, in order, to
    the waiting card that is shown first (earliest deadline first scheduling).
    """
    seat = view.seat
    assert view.replay is not None
    sources = [-1] * (view.counts[seat] - view.replay.grown[seat])
    for number, step in enumerate(steps):
        if isinstance(step, Step) and step.draws and step.seat == seat:
            sources.append(number)
    waiting = sorted(_own_cards(view, steps), reverse=True)
    ready: list[tuple[int, int]] = []
    for source in sources:
        while waiting and waiting[-1][0] <= source:
            _, until, metal = waiting.pop()
            heappush(ready, (until, metal))
        if not ready or ready[0][0] < source:
            until, metal = ready[0] if ready else waiting[-1][1:]
            raise no_source(view, steps, seat, metal, until)
        heappop(ready)


def _own_cards(view: View, steps: Steps) -> Iterator[tuple[int, int, int]]:
    """Yield (barred, until, metal) for each card that the view's seat was dealt or drew.

    `until` is the index of the step that showed the card, or the number of steps if the seat still holds the card.
    `barred` is the index of the last step at which the seat had nothing to lead in a field in which this card can
    be led, so that the seat got the card later; -1 if there is no such step. Raises PositionError if a card that
    the seat took from the discard pile contradicts such a step.
    """
    deck, seat = view.metals, view.seat
    stuck: list[tuple[int, int]] = []
    taken: dict[int, list[int]] = {}  # by metal: when it was taken from the pile

    def card(metal: int, until: int) -> Iterator[tuple[int, int, int]]:
        barred = max((number for number, field in stuck if deck.reactivity[field][metal]), default=-1)
        if not taken.get(metal):
            yield barred, until, metal
        elif taken[metal].pop() < barred:
            raise no_source(view, steps, seat, metal, until)

    for number, step in enumerate(steps):
        if step.seat != seat:
            continue
        if isinstance(step, Stuck):
            if step.shown:
                stuck.append((number, step.field))
            continue
        left, came = cards_moved(step.move)
        for metal in left:
            yield from card(metal, number)
        for metal in came:
            taken.setdefault(metal, []).append(number)
    for metal in deck.numbers(view.hand):
        yield from card(metal, len(steps))


# ----------------------------------------------------------------------------------------------------
# Filling in what follows from the moves that were seen; data may be wrong in any way.
#
# A history from the start of the round determines everything that all players see now. A later one determines the
# table, the turn, the field and the stock. Unreadable data are left to the position's checks, which report them.


Data = dict[str, Any]


@dataclass(frozen=True)
class Seen:
    """A move read from a line of text.

    For the first move of a trick, the text may also give the field and the size of the stock.
    """

    seat: int | None
    text: str
    field: str | None = None
    stock: int | None = None


def first_stock(deck: Deck, players: int) -> int:
    """Return the number of cards in the stock right after the deal."""
    return deck.cards - HAND * players


def moves_seen(history: Sequence[Mapping[str, Any]]) -> list[Seen] | None:
    """List the moves of a history, whose tricks may lack any key but `moves`; None if it can't be read."""
    found: list[Seen] = []
    for trick in history:
        if not isinstance(trick, Mapping) or trick.keys() - {"field", "leader", "stock_count", "moves"}:
            return None
        texts, leader = trick.get("moves"), trick.get("leader")
        if not isinstance(texts, list | tuple) or not texts or not all(isinstance(text, str) for text in texts):
            return None
        if "leader" in trick and not isinstance(leader, int):
            return None
        if trick.get("field", FIELDS[0]) not in FIELDS or not isinstance(trick.get("stock_count", 0), int):
            return None
        found.append(Seen(leader, texts[0], trick.get("field"), trick.get("stock_count")))
        found += [Seen(None, text) for text in texts[1:]]
    return found


def against_in(deck: Deck, data: Mapping[str, Any]) -> Against:
    """Return the moves of the key `as_played`, as far as they can be read."""
    found = set()
    for text in texts(data.get("as_played")) or ():
        with suppress(PydanticCustomError):
            found.add(_against(deck, MOST, text, ""))
    return frozenset(found)


def played(
    deck: Deck, players: int, moves: Sequence[Seen], data: Mapping[str, Any], faults: list[Fault]
) -> Replay | None:
    """Replay moves up to the first illegal one, and add a fault for that.

    Returns None if the first move has no valid seat. If it gives a stock that is not the one right after the deal,
    the replay starts in the middle of a round; the key `reversed` of `data` then says whether the order of the
    fields is reversed after the last move. The key `as_played` has moves made against the rules.
    """
    if not moves or moves[0].seat is None or not 0 <= moves[0].seat < players:
        return None
    first = moves[0]
    stock = first_stock(deck, players) if first.stock is None else first.stock
    fours = sum(_is_four(deck, move.text) for move in moves)
    from_the_deal = stock == first_stock(deck, players)
    turned = False if from_the_deal else (data.get("reversed") is True) != bool(fours % 2)
    start = FIELDS.index(first.field) if first.field in FIELDS else WATER
    assert first.seat is not None
    found = Replay(deck, players, turned, stock, start, first.seat, against=against_in(deck, data))
    for number, move in enumerate(moves):
        if not _play(found, move, faults):
            _leave(found, moves[number:])
            break
    return found


def _play(found: Replay, seen: Seen, faults: list[Fault]) -> bool:
    """Make one move and return True; if it is impossible, add a fault and return False."""
    tricks = found.tricks
    new = not found.table
    path = (
        f"history[{len(tricks)}].moves[0]"
        if new
        else f"history[{len(tricks) - 1}].moves[{len(tricks[-1]['moves'])}]"
    )
    there = seen.seat is None or 0 <= seen.seat < found.players
    if not there or (not new and seen.seat not in (None, found.turn)):
        if there:
            message = say(
                "seat {turn} is to move here, not seat {seat}: is a move of seat {turn} missing?",
                turn=found.turn,
                seat=seen.seat,
            )
        else:
            message = _no_seat(seen.seat, found.players)
        faults.append(Fault("conflict", message, path))
        return False
    if isinstance(seen.text, TwoReadings):
        faults.append(Fault("two_readings", seen.text.message, path))
        return False
    try:
        move = _move(found.deck, seen.text, path)
        if new:
            leader = found.turn if seen.seat is None else seen.seat
            found.deal_to(leader, found.field if seen.field is None else FIELDS.index(seen.field))
            tricks.append(_trick(found, leader))
        found.move(move, path)
        tricks[-1]["moves"].append(seen.text)
    except PydanticCustomError as error:
        faults += faults_in(error)
        return False
    return True


def _leave(found: Replay, moves: Sequence[Seen]) -> None:
    """Append `moves`, which were not replayed, to the last trick, so that the history stays complete."""
    if not found.tricks or not found.tricks[-1]["moves"]:
        found.tricks[-1:] = [_trick(found, found.turn)]
    found.tricks[-1]["moves"] += [seen.text for seen in moves]


def _trick(found: Replay, leader: int) -> Data:
    """Return the data of a trick that is about to begin."""
    return {"field": FIELDS[found.field], "leader": leader, "stock_count": found.stock, "moves": []}


def _is_four(deck: Deck, text: str) -> bool:
    try:
        move = move_of(deck, text)
    except MoveError:
        return False
    return isinstance(move, Play) and move.count == MOST_AT_ONCE


def fill_in(data: Data, found: Replay) -> None:
    """Add the keys that follow from a replay to `data`, where they are missing."""
    deck = found.deck
    _replay_to_leader(data, found)
    data.setdefault("field", FIELDS[found.field])
    data.setdefault("turn", found.turn)
    if found.table:
        data.setdefault("table", deck.symbols(found.table))
        data.setdefault("owner", found.owner)
    if found.reversed:
        data.setdefault("reversed", True)
    if "hands" not in data:
        data.setdefault("stock_count", found.stock)
    if found.tricks and found.tricks[0]["stock_count"] == first_stock(deck, found.players):
        _fill_in_hands(data, found)
    if any(map(any, found.known)):
        data.setdefault("known", [deck.symbols(members(hand)) for hand in found.known])


def _replay_to_leader(data: Data, found: Replay) -> None:
    """Between two tricks, pass the deal on to the seat that leads next, as far as `data` shows which one that is.

    It is the seat `turn` if that key is given. Otherwise, if the player whose view it is has the deal but nothing
    to lead, it is the next seat.
    """
    if found.table:
        return
    turn, led = data.get("turn"), data.get("field", FIELDS[found.field])
    if isinstance(turn, int) and 0 <= turn < found.players and led in FIELDS:
        found.deal_to(turn, FIELDS.index(led))
        return
    hand = texts(data.get("hand"))
    if turn is None and found.turn == data.get("seat") and hand and set(hand) <= found.deck.index.keys():
        counts = found.deck.counts(found.deck.numbers(hand))
        if not can_lead(found.deck, counts, found.field):
            found.deal_to((found.turn + 1) % found.players, found.field)


def _fill_in_hands(data: Data, found: Replay) -> None:
    """Fill in hand sizes, the discard pile and passed deals, from a history that starts with the round."""
    if "hands" not in data:
        data.setdefault("counts", [HAND + grown for grown in found.grown])
    if any(found.piled) and min(found.piled) >= 0:
        data.setdefault("discard", found.deck.symbols(members(found.piled)))
    if found.passed:
        passed = [_deal_pass(seat, name, most) for (seat, name), most in sorted(found.passed.items())]
        data.setdefault("deal_passes", passed)


def _deal_pass(seat: int, name: int, most: int) -> Data:
    passed = {"seat": seat, "field": FIELDS[name]}
    return {**passed, "most": most} if most else passed


def players_of(data: Mapping[str, Any]) -> int | None:
    """Return the number of players given or implied by the data; None if it is unknown or not allowed."""
    sizes = [len(data[key]) for key in ("hands", "counts", "known") if isinstance(data.get(key), list | tuple)]
    players = sizes[0] if sizes else data.get("players")
    fewest, most = PLAYERS
    return players if isinstance(players, int) and fewest <= players <= most else None
