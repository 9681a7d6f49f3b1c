"""`Round`, what somebody knows of a round of Aqua Regia: its keys, its checks, and what follows from it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from heapq import heappop, heappush
from operator import add
from typing import Annotated, Any, ClassVar, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, WithJsonSchema, WrapValidator

from solver import decks
from solver.answer_tables import percent
from solver.answers import Score, ScoreAnalysis, ScoreMove, Scores
from solver.codec import OrText
from solver.common import cards_counted, one_after_another
from solver.decks import deck_of
from solver.errors import Fault, PositionError
from solver.games.aqua_regia.deck import (
    FIELDS,
    KIND,
    MOST_COPIES,
    MOST_METALS,
    USUAL,
    Deck,
    DeckData,
    FieldName,
    RulesField,
    field_name,
    members,
    read_by,
)
from solver.games.aqua_regia.keys import (
    FEWEST,
    MOST,
    NO_LEAD,
    Against,
    Count,
    DealPass,
    Replay,
    Seat,
    Seen,
    Step,
    Stuck,
    against_in,
    cards_moved,
    check_seat,
    complete,
    first_stock,
    growth,
    kind_of,
    moves_seen,
    no_lead_in,
    replayed,
    why_not_there,
)
from solver.games.aqua_regia.rules import (
    HAND,
    Counts,
    Move,
    Pass,
    Play,
    State,
    added,
    can_lead,
    deals,
    move_of,
    next_field,
    runs,
    settle,
    text_of,
)
from solver.language import say, say_many
from solver.tricks import positions
from solver.tricks.any_round import MISSING, AnyRound, Keys
from solver.tricks.moves import seen
from solver.tricks.positions import places, spread
from solver.validation import all_of, fault, refuse

# ----------------------------------------------------------------------------------------------------
# Parts of Aqua Regia's positions and records: decks by name or inline, cards, what was seen.


_MOST_MOVES = 2 * MOST_COPIES * MOST_METALS  # of a round

DeckField = Annotated[str | DeckData, decks.DeckField(KIND)]
Card = Annotated[str, Field(strict=True, examples=["Zn"])]
Cards = Annotated[
    tuple[Card, ...], Field(max_length=MOST_COPIES * MOST_METALS, fail_fast=True), OrText("Zn Zn Pb")
]
Hands = Annotated[tuple[Cards, ...], Field(min_length=FEWEST, max_length=MOST), OrText("Zn,Zn/Pb")]
Known = Annotated[tuple[Cards, ...], Field(max_length=MOST), OrText("Zn,Zn/Pb")]
MoveText = Annotated[str, Field(strict=True, examples=["pass Zn>Pb"])]
# Of a view's size that is null, the number follows from the cards that were entered.
ViewCount = Annotated[
    Count,
    WrapValidator(lambda value, handler: None if value is None else handler(value)),
    WithJsonSchema({"type": ["integer", "null"], "minimum": 0}),
]
PassedDeals = Annotated[tuple[DealPass, ...], Field(max_length=100, fail_fast=True)]
AsPlayed = Annotated[
    tuple[Annotated[str, Field(strict=True, examples=["1:Zn Zn"])], ...],
    Field(max_length=_MOST_MOVES, fail_fast=True),
    AfterValidator(lambda against: tuple(dict.fromkeys(against))),
    OrText("1:Zn,Zn/2:pass:Zn:Li"),
]
Voids = Annotated[
    dict[Literal["0", "1", "2", "3", "4"], Annotated[Cards, Field(max_length=MOST_METALS)]],
    Field(max_length=MOST),
    OrText("2:Zn,Cu"),
]


class Trick(positions.Model):
    """A trick in a history: its field, its leader, the size of the stock at its start, and its moves in turn.

    A pass is written with its exchange, but without the card drawn, which nobody else saw. What follows from the
    tricks before may be missing.
    """

    field: FieldName = MISSING
    leader: Seat = MISSING
    stock_count: Count = MISSING
    moves: Annotated[tuple[MoveText, ...], Field(min_length=1, max_length=_MOST_MOVES, fail_fast=True)]


def _moves_or_tricks(value: Any, handler: Any) -> Any:
    in_line = isinstance(value, list) and value and isinstance(value[0], Seen)
    return tuple(value) if in_line else handler(value)


History = Annotated[
    tuple[Trick, ...],
    Field(max_length=_MOST_MOVES, fail_fast=True),
    WrapValidator(_moves_or_tricks),
    OrText("0:Zn,Zn/1:pass/2:pass:Zn:Pb"),
]


def check_copies(deck: Deck, where: Iterable[tuple[str, str]]) -> None:
    """Raise a fault for each card beyond the deck's number of copies; `where` yields (path, card) pairs."""
    counts: Counter[str] = Counter()
    doubles = []
    for path, card in where:
        counts[card] += 1
        if counts[card] > deck.copies:
            message = say(
                "this is card number {number} of {card}; the deck has {copies}",
                number=counts[card],
                card=card,
                copies=deck.copies,
            )
            doubles.append(Fault("duplicate_card", message, path))
    refuse(doubles)


# ----------------------------------------------------------------------------------------------------
# A round, and whether it is possible.


_PUBLIC = "game deck rules field? reversed turn? table owner discard known deal_passes history as_played"
KEYS = Keys(
    {
        "known": f"{_PUBLIC} hands! stock players",
        "view": f"{_PUBLIC} seat! hand! counts? stock_count? drawn gone voids players tricks",
    },
    kind_of,
    complete,
)


class Round(AnyRound):
    """What somebody knows of a round, at any point of any trick.

    `table` has the trick's cards in play order: the last run of one metal is the play to beat, and `owner` played
    it. With an empty table there is no owner, and `turn` is the dealer. `known` has cards that were seen going
    into a hand and not leaving it, one list per seat; `deal_passes` says who could not lead; `history` has the
    tricks that were seen, up to now. All three are optional.

    If every card is known, there are all `hands`, and the `stock` in draw order. Only a seat that has just won has
    no cards. Cards that are listed nowhere are out of play.

    In a view, the other hands are missing: `seat` has this `hand`. `counts` has the number of cards of each seat,
    including the player's. In the middle of a pass, `drawn` is the card just drawn; `hand`, `counts` and
    `stock_count` do not reflect the draw yet. If there are more unseen cards than hidden places, the surplus is
    out of play. A player who does not remember everything gives `gone`, which together with `discard` lists the
    remembered cards of the discard pile; `history` has the last tricks, and `voids`, by seat, metals that the seat
    is known not to hold. Unseen cards that are neither in a hand nor in the stock are in the discard pile, too.

    What follows from other keys may be left out; it is checked if it is given. `players` is the number of seats,
    `tricks` the number of finished tricks.
    """

    model_config = ConfigDict(serialize_by_alias=True)

    game: Literal["aqua-regia"]
    deck: DeckField = "house"
    rules: RulesField = None
    field: FieldName = MISSING
    reversed: Annotated[bool, Field(strict=True)] = MISSING
    turn: Seat = MISSING
    table: Cards = MISSING
    owner: Seat | None = None
    discard: Cards = MISSING
    known: Known | None = None
    deal_passes: PassedDeals | None = None
    history: History | None = None
    as_played: AsPlayed | None = None
    hands: Hands = MISSING
    stock: Cards = MISSING
    seat: Seat = MISSING
    hand: Cards = MISSING
    counts: Annotated[tuple[ViewCount, ...], Field(min_length=FEWEST, max_length=MOST, fail_fast=True)] = MISSING
    stock_count: Count = MISSING
    drawn: Card | None = None
    gone: Cards | None = None
    voids: Voids = MISSING
    players_given: int = Field(MISSING, alias="players", strict=True, exclude=True)
    over_given: Count = Field(MISSING, alias="tricks", exclude=True)

    keys: ClassVar[Keys] = KEYS
    finished_trick: ClassVar[type[BaseModel]] = Trick

    def keep(self, replays: Sequence[Replay]) -> None:
        vars(self)["_replayed"] = replays[0]

    def _check(self) -> None:
        cards = [*spread("hands", self.hands or ()), *places("hand", self.hand or ())]
        cards += places("stock", self.stock or ()) if self.drawn is None else [("drawn", self.drawn)]
        for seat, known in enumerate(self.known or () if self.viewer is not None else ()):
            cards += places(f"known[{seat}]", known) if seat != self.seat else ()
        for key in ("discard", "table", "gone"):
            cards += places(key, getattr(self, key) or ())
        all_of(
            lambda: check_copies(self.metals, cards),
            self._check_sizes,
            then=[self._check_public],
        )
        all_of(self._check_hands, self._check_drawn, self._check_history)

    def _check_sizes(self) -> None:
        if self.viewer is not None:
            check_seat("seat", self.seat, self.players)
        for seat, size in enumerate(self.sizes):
            if seat == self.seat and len(self.hand) != size:
                message = say_many(
                    "the hand has {count} card; according to the counts or the history it has {right}",
                    "the hand has {count} cards; according to the counts or the history it has {right}",
                    len(self.hand),
                    right=size,
                )
                raise fault("wrong_size", message, f"counts[{seat}]")
            if not size and not self.gone_out(seat):
                message = say(
                    "{seat:who} {seat:has|have} no cards: {seat:it|you} {seat:has|have} won already", seat=seat
                )
                raise fault("wrong_size", message, f"{'counts' if self.viewer is not None else 'hands'}[{seat}]")

    def _check_public(self) -> None:
        """Raise a fault for an impossible trick, an unknown seat, or wrong `known`, `deal_passes` or `voids`."""
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
        for seat, cards in (self.voids or {}).items():
            check_seat(f"voids.{seat}", int(seat), players)
            for index, card in enumerate(cards):
                if card in self.known_of(int(seat)):
                    message = say("seat {seat} is known to hold {card}", seat=seat, card=card)
                    raise fault("conflict", message, f"voids.{seat}[{index}]")

    def _check_table(self) -> None:
        """Raise a fault unless each play on the table may follow the one before, or was made against the rules."""
        index = 0
        below: Play | None = None
        against = {text for _, text in self.against}
        for play in self.plays:
            wrong = why_not_there(self.metals, self.field_number, play, below)
            if wrong is not None and text_of(self.metals, play) not in against:
                raise fault("illegal_play", wrong, f"table[{index}]")
            below = play
            index += play.count

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

    def _check_hands(self) -> None:
        for seat, count in enumerate(self.sizes):
            if len(self.known_of(seat)) > count:
                message = say(
                    "more cards of seat {seat} are known than the {count} it holds", seat=seat, count=count
                )
                raise fault("wrong_size", message, f"known[{seat}]")
            others = self.hands[seat] if self.viewer is None else self.known_of(seat)
            self.check_known(seat, self.hand if seat == self.seat else others)
        if self.viewer is None:
            return
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
                if playable > passed.max_playable:
                    message = say_many(
                        "{seat:who} {seat:has|have} {count} card that can be played in {field}, "
                        "not at most {most}",
                        "{seat:who} {seat:has|have} {count} cards that can be played in {field}, "
                        "not at most {most}",
                        playable,
                        seat=seat,
                        field=passed.field,
                        most=passed.max_playable,
                    )
                    raise fault("conflict", message, f"deal_passes[{index}]")

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

    def _check_history(self) -> None:
        """Raise a fault if the history contradicts the rest of the position, or has no move of `as_played`."""
        if self.history == () and self.table:
            raise fault("conflict", say("cards lie on the table, but the history has no trick"), "history")
        replay = self.replay
        if self.history is None or (replay is not None and not replay.from_the_deal):
            return
        played = {(step.seat, text_of(self.metals, step.move)) for step in self.steps if isinstance(step, Step)}
        for index, text in enumerate(self.as_played or ()):
            [move] = against_in(self.metals, self.players, [text])
            if move not in played and not move[1].startswith(NO_LEAD):
                message = say("{text} was not made, so not against the rules either", text=text)
                raise fault("conflict", message, f"as_played[{index}]")

    # What follows from the keys.

    @property
    def viewer(self) -> int | None:
        """The seat whose view this is; None if every card is known."""
        return self.seat if self.hands is None else None

    @property
    def in_part(self) -> bool:
        """Whether the player remembers only part of what was seen."""
        return self.gone is not None

    @property
    def players(self) -> int:
        """The number of seats."""
        return len(self.sizes)

    @property
    def sizes(self) -> tuple[int, ...]:
        """The number of cards in each seat's hand."""
        return self.counts if self.viewer is not None else tuple(map(len, self.hands))

    @property
    def stock_size(self) -> int:
        """The number of cards in the stock."""
        return self.stock_count if self.viewer is not None else len(self.stock)

    @property
    def seat_to_move(self) -> int:
        return self.state.turn

    @cached_property
    def metals(self) -> Deck:
        """The deck, with the position's rule options in force. Raises a fault for an unknown deck."""
        return read_by(deck_of(KIND, self.deck), self.rules or USUAL)

    @property
    def public(self) -> dict[str, Any]:
        """What everybody at the table sees, by key."""
        return {key.rstrip("?"): getattr(self, key.rstrip("?")) for key in _PUBLIC.split()}

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
        return (*self.discard, *(self.gone or ()))

    @cached_property
    def against(self) -> Against:
        """The moves of `as_played`."""
        return against_in(self.metals, self.players, self.as_played or ())

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

    @cached_property
    def state(self) -> State:
        """The state with the deal passed on to a seat that can lead.

        Its `turn` and `field` may differ from the position's, but not from those of a view.
        """
        return self.state_as_written if self.viewer is not None else settle(self.metals, self.state_as_written)

    @cached_property
    def state_as_written(self) -> State:
        """The state. In that of a view the other hands are empty, and the stock's cards are of metal 0."""
        deck = self.metals
        if self.viewer is not None:
            own, nothing = self.held, deck.counts([])
            hands = [own if seat == self.seat else nothing for seat in range(self.players)]
            return self.state_with(hands, (0,) * self.stock_count)
        return self.state_with([deck.counts(deck.numbers(hand)) for hand in self.hands], deck.numbers(self.stock))

    @cached_property
    def _replayed(self) -> Replay | None:
        if self.history:
            moves = [*moves_seen(map(vars, self.history))]
            return replayed(self.metals, self.players, moves, self.reversed, self.against)
        if self.history is None:
            return None
        return Replay(
            self.metals, self.players, self.reversed, self.stock_size, self.field_number, self.turn,
            against=self.against,
        )  # fmt: skip

    @cached_property
    def replay(self) -> Replay | None:
        """The history, replayed, with the discard pile before each step; None if there is none.

        Raises a fault if the history contradicts the rest of the position.
        """
        if self._replayed is not None and self.history:
            check_now(self._replayed, self)
        return self._replayed

    @property
    def steps(self) -> Sequence[Step | Stuck]:
        """The history's moves and passed deals, in order; empty without a history."""
        return () if self.replay is None else self.replay.steps

    # Of a view.

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
        shown = [self.hand if seat == self.seat else self.known_of(seat) for seat in range(self.players)]
        drawn = () if self.drawn is None else (self.drawn,)
        placed = [*(self.hands or shown), self.table, self.discarded, drawn, self.stock or ()]
        seen = deck.counts(deck.numbers(card for cards in placed for card in cards))
        return tuple(deck.copies - count for count in seen)

    def hidden(self, seat: int) -> int:
        """The number of unknown cards in another seat's hand."""
        return self.counts[seat] - len(self.known_of(seat))

    def voids_of(self, seat: int) -> tuple[int, ...]:
        """The metals that a seat is known not to hold, not counting those that follow from `deal_passes`."""
        return self.metals.numbers((self.voids or {}).get(str(seat), ()))  # type: ignore[call-overload]

    @property
    def hidden_stock(self) -> int:
        """The number of cards left in the stock, without the card just drawn."""
        return self.stock_count - (self.drawn is not None)

    @property
    def forgotten(self) -> int:
        """The number of cards in the discard pile that the player does not remember."""
        hidden = sum(self.hidden(seat) for seat in range(self.players) if seat != self.seat)
        return sum(self.unseen) - hidden - self.hidden_stock if self.in_part else 0


# ----------------------------------------------------------------------------------------------------
# A position's history, compared with the rest of it.


def check_now(replay: Replay, now: Round) -> None:
    """Raise a fault unless a replay leads to the position; note the discard pile before each of its steps."""
    _check_table_now(replay, now)
    replay.steps = _backward(replay.steps, now)
    _check_known_now(replay, now)


def _check_table_now(replay: Replay, now: Round) -> None:
    """Raise a fault unless the replay leads to the position's fields, stock, turn, table and hand sizes.

    Between two tricks, passes the deal on to the seat that is to lead now.
    """
    if replay.reversed != now.reversed:
        order = say("turned round") if replay.reversed else say("the usual one")
        message = say("according to the history, the fields' order is now {order}", order=order)
        raise fault("conflict", message, "reversed")
    if replay.stock != now.stock_size:
        raise fault(
            "conflict",
            say_many(
                "according to its moves, the stock has {count} card now, not {told}",
                "according to its moves, the stock has {count} cards now, not {told}",
                replay.stock,
                told=now.stock_size,
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

    stated = in_words(now.field_number, now.turn, table, now.owner)
    refuse(
        Fault(
            "conflict",
            say(
                "according to the history, the {key} is {right} now, not {told}",
                key=key,
                right=right,
                told=stated[key],
            ),
            key,
        )
        for key, right in in_words(replay.field, replay.turn, replay.table, replay.owner).items()
        if right != stated[key]
    )
    if replay.table != table:
        raise fault(
            "conflict", say("according to the history, the cards on the table are in another order"), "table"
        )
    refuse(
        Fault(
            "conflict",
            say_many(
                "according to the history, {seat:who} {seat:has|have} {count} card now, not {told}",
                "according to the history, {seat:who} {seat:has|have} {count} cards now, not {told}",
                HAND + grown,
                seat=seat,
                told=size,
            ),
            f"counts[{seat}]",
        )
        for seat, (size, grown) in enumerate(zip(now.sizes, replay.grown, strict=True))
        if replay.from_the_deal and size - grown != HAND
    )


def _check_known_now(replay: Replay, now: Round) -> None:
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


def _backward(steps: list[Step | Stuck], now: Round) -> list[Step | Stuck]:
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
        result.append(step._replace(discard=tuple(pile)))
    return result[::-1]


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


def public_after(position: Round, move: Move) -> tuple[Replay, dict[str, Any]]:
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
    after.passed = {
        (entry.seat, FIELDS.index(entry.field)): entry.max_playable for entry in position.deal_passes or ()
    }
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
        "deal_passes": tuple(
            DealPass(seat=seat, field=FIELDS[name], max_playable=most) for (seat, name), most in passed
        )
        or None,
        "history": _history_after(position, move),
    }


def _history_after(position: Round, move: Move) -> History | None:
    """Add a move to the history.

    If the history is missing, it stays missing until the next lead, and then begins with that trick: unless no
    deal leads there, since cards are missing from a hand while the stock is still whole.
    """
    text, history = text_of(position.metals, move), position.history or ()
    whole = 0 < position.stock_size == first_stock(position.metals, position.players)
    if whole and not history and set(position.sizes) != {HAND}:
        return None
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
    by_place = {(deal_pass.seat, FIELDS.index(deal_pass.field)): deal_pass for deal_pass in passed or ()}
    by_place |= {(seat, field): DealPass(seat=seat, field=FIELDS[field]) for seat, field in without}
    return tuple(by_place[key] for key in sorted(by_place)) or None


def own_deal(view: Round) -> Round:
    """Return the view after passing the deal on if its own seat has it and can't lead; else the view itself."""
    if view.table or view.turn != view.seat or can_lead(view.metals, view.held, view.field_number):
        return view
    return own_deal(passed_on(view))


def made_against(view: Round, move: str) -> dict[str, Any]:
    """Return the fields that change with a move that the seat to move makes against the rules.

    What the player remembered of the seat's voids was wrong, perhaps.
    """
    changes: dict[str, Any] = {"as_played": (*(view.as_played or ()), f"{view.turn}:{move}")}
    if view.in_part:
        changes["voids"] = {seat: cards for seat, cards in view.voids.items() if int(seat) != view.turn}
    return changes


def passed_on(view: Round, *, anyway: bool = False) -> Round:
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


def first_dealer(view: Round) -> int:
    """Return the seat that was the first dealer in the current field.

    Once the deal is back at that seat, the field changes.
    """
    if not view.history:  # nobody has led yet: the deals passed on are all there are
        stuck = {
            entry.seat for entry in view.deal_passes or () if entry.field == view.field and not entry.max_playable
        }
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


Position = Annotated[Round, AfterValidator(own_deal)]


# ----------------------------------------------------------------------------------------------------
# Contradictions of a view's history with itself or with the hand, in words.
#
# The asking seat knows its cards, so its moves must be possible with them. A card that it holds or showed was in
# its hand at the start of the history, or was drawn, but was not there while the seat could not lead with it.


Steps = Sequence[Step | Stuck]


def not_led(view: Round, steps: Steps, seat: int, metal: int | None = None, until: int | None = None) -> str:
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


def no_source(view: Round, steps: Steps, seat: int, metal: int, until: int) -> PositionError:
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


def check_own_cards(view: Round, steps: Steps) -> None:
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


def _own_cards(view: Round, steps: Steps) -> Iterator[tuple[int, int, int]]:
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
