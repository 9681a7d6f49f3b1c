"""The keys of Aqua Regia's positions: the moves that were seen, replayed, and what follows from them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Annotated, Any, NamedTuple

from pydantic import Field
from pydantic_core import PydanticCustomError

from solver.codec import Data, TwoReadings
from solver.decks import deck_of
from solver.errors import Fault, MoveError
from solver.games.aqua_regia.deck import FIELDS, KIND, USUAL, WATER, Deck, FieldName, field_name, members, read_by
from solver.games.aqua_regia.rules import (
    HAND,
    MOST_AT_ONCE,
    PASS,
    PLAYERS,
    Counts,
    Move,
    Pass,
    Play,
    added,
    can_lead,
    follows,
    lets,
    move_of,
    needs,
    next_field,
    text_of,
)
from solver.language import say, say_many
from solver.tricks.positions import Model, places, spread
from solver.validation import fault, faults_in, refuse

FEWEST, MOST = PLAYERS
Seat = Annotated[int, Field(ge=0, lt=MOST, strict=True)]
Count = Annotated[int, Field(ge=0, strict=True)]


class DealPass(Model):
    """The public fact that a seat could not lead in a field and passed the deal on.

    `max_playable` is the largest number of cards playable in that field that the hand can have now. It is 0 when
    the deal is passed on. After that, it rises by one for each card drawn and each playable card taken, and falls
    by one for each playable card played or discarded.
    """

    seat: Seat
    field: FieldName
    max_playable: Count = 0


Against = frozenset[tuple[int, str]]  # seats, and moves that they made against the rules
NO_LEAD = "no lead"  # the dealer has nothing to lead, and the deal passes to the left


def no_lead_in(field: int) -> str:
    """Return how `as_played` names a deal that was passed on in a field by a seat that could lead."""
    return f"{NO_LEAD} {FIELDS[field]}"


def no_seat(seat: object, players: int) -> str:
    return say(
        "there is no seat {seat}; with {players} players seats are 0 to {last}",
        seat=seat,
        players=players,
        last=players - 1,
    )


def check_seat(path: str, seat: int, players: int) -> None:
    if seat >= players:
        raise fault("out_of_range", no_seat(seat, players), path)


# ----------------------------------------------------------------------------------------------------
# The moves that were seen, trick by trick: replayed with the table at the time, checked, and extended.
#
# A history begins with some trick and ends now; its last trick is the current one, if the table has cards. It
# contains neither hands nor deals passed on: those follow from who led next, and in which field.


class Step(NamedTuple):
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
    `passed` has the deals passed on: `DealPass.max_playable` by seat and field. `tricks` are those replayed, as
    data. `against` has the moves made against the rules, and `top` the play to beat (None before a lead).
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
        against = bool(self.against) and (seat, text_of(self.deck, move)) in self.against
        following = next_field(self.field, self.reversed)
        step = Step(seat, self.field, following, self.top, draws, move, path, against=against)
        self.turn = (seat + 1) % self.players
        if isinstance(move, Play):
            wrong = why_not_there(self.deck, self.field, move, self.top)
            if wrong is not None and (not against or move.count > MOST_AT_ONCE):
                raise fault("illegal_play", wrong, path)
            self.table += (move.metal,) * move.count
            self.reversed ^= move.count == MOST_AT_ONCE
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
                step = step._replace(clears=self.table)
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
        for passer, most in self.passed.items():
            if passer[0] == seat:
                self.passed[passer] = most + gained(self.deck.reactivity[passer[1]], move, draws)

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
    """Return by how much a move changes `DealPass.max_playable`, the limit on the mover's cards playable in it.

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
# Replaying what was told of the moves.


@dataclass(slots=True)
class Seen:
    """A move as it was told; the first of a trick may have the field and the size of the stock.

    `at` is its place in the history, as the numbers of its trick and its move. In a line of text it is None: the
    tricks follow from the moves.
    """

    seat: int | None
    text: str
    field: str | None = None
    stock: int | None = None
    at: tuple[int, int] | None = None


def first_stock(deck: Deck, players: int) -> int:
    """Return the number of cards in the stock right after the deal."""
    return deck.cards - HAND * players


def moves_seen(history: Iterable[Any]) -> Iterator[Seen]:
    """Yield the moves of a history: of tricks, which may lack any key but `moves`, or of a line of text."""
    for number, trick in enumerate(history):
        if isinstance(trick, Seen):
            yield trick
            continue
        for index, text in enumerate(trick["moves"]):
            begun: Mapping[str, Any] = {} if index else trick
            seat, field, stock = map(begun.get, ("leader", "field", "stock_count"))
            yield Seen(seat, text, field, stock, (number, index))


def against_in(deck: Deck, players: int, texts: Iterable[str]) -> Against:
    """Read the moves of `as_played`, such as ``1:Zn Zn``, as seats and moves. Raises faults for other texts."""
    read, wrong = set(), list[Fault]()
    for index, text in enumerate(texts):
        try:
            read.add(_against(deck, players, text, f"as_played[{index}]"))
        except PydanticCustomError as error:
            wrong += faults_in(error)
    refuse(wrong)
    return frozenset(read)


def _against(deck: Deck, players: int, text: str, path: str) -> tuple[int, str]:
    seat, _, move = text.partition(":")
    if not seat.isdecimal() or len(seat) > 1:
        message = say("{text!r}: write a seat and its move, such as 1:Zn Zn", text=text)
        raise fault("illegal_move", message, path)
    check_seat(path, int(seat), players)
    stuck = move in map(no_lead_in, range(len(FIELDS)))
    return int(seat), move if stuck else text_of(deck, _move(deck, move, path))


def _move(deck: Deck, text: str, path: str) -> Move:
    if isinstance(text, TwoReadings):
        raise fault("two_readings", text.message, path)
    try:
        return move_of(deck, text)
    except MoveError as error:
        raise fault(error.code, error.message, path) from None


def replayed(deck: Deck, players: int, moves: Sequence[Seen], reversed: bool | None, against: Against) -> Replay:
    """Replay moves. Raises a fault for the first that is impossible.

    If the first gives a stock that is not the one right after the deal, the replay starts in the middle of a
    round; `reversed` then says whether the order of the fields is reversed after the last move.
    """
    first = moves[0]
    if first.seat is None:
        message = say("who made the first move? Write its seat in front, as in 0:{move}", move=first.text)
        raise fault("missing_key", message, "history")
    stock = first_stock(deck, players) if first.stock is None else first.stock
    turned = False
    if stock != first_stock(deck, players) or (not stock and reversed is not None):
        turned = bool(reversed) != bool(sum(_is_four(deck, move.text) for move in moves) % 2)
    start = WATER if first.field is None else FIELDS.index(first.field)
    check_seat("history[0].leader", first.seat, players)
    replay = Replay(deck, players, turned, stock, start, first.seat, against=against)
    for move in moves:
        _add(replay, move)
    return replay


def _add(replay: Replay, seen: Seen) -> None:
    """Add a move to a replay, and to its tricks."""
    tricks = replay.tricks
    new = not replay.table if seen.at is None else not seen.at[1]
    number, turn = seen.at or ((len(tricks), 0) if new else (len(tricks) - 1, len(tricks[-1]["moves"])))
    path = f"history[{number}].moves[{turn}]"
    if new and replay.table:
        message = say("the trick is not over, but another one follows")
        raise fault("conflict", message, f"history[{number - 1}].moves")
    if not new and not replay.table:
        raise fault("conflict", say("the trick was over by then"), path)
    if seen.seat is not None:
        check_seat(f"history[{number}].leader" if new and seen.at else path, seen.seat, replay.players)
    if not new and seen.seat not in (None, replay.turn):
        message = say(
            "seat {turn} is to move here, not seat {seat}: is a move of seat {turn} missing?",
            turn=replay.turn,
            seat=seen.seat,
        )
        raise fault("conflict", message, path)
    if seen.stock not in (None, replay.stock):
        message = say_many("the stock had {count} card then", "the stock had {count} cards then", replay.stock)
        raise fault("conflict", message, f"history[{number}].stock_count")
    move = _move(replay.deck, seen.text, path)
    if new:
        leader = replay.turn if seen.seat is None else seen.seat
        replay.deal_to(leader, replay.field if seen.field is None else FIELDS.index(seen.field))
        tricks.append({"field": FIELDS[replay.field], "leader": leader, "stock_count": replay.stock, "moves": ()})
    replay.move(move, path)
    tricks[-1]["moves"] += (seen.text,)


def _is_four(deck: Deck, text: str) -> bool:
    try:
        move = move_of(deck, text)
    except MoveError:
        return False
    return isinstance(move, Play) and move.count == MOST_AT_ONCE


# ----------------------------------------------------------------------------------------------------
# What follows from the keys of a position.
#
# A history from the start of the round determines everything that all players see now. A later one determines the
# table, the turn, the field and the stock.


def kind_of(data: Data) -> str:
    """Return the kind of a position, which its keys show: every card known, or a view."""
    return "view" if "hand" in data and "hands" not in data else "known"


def complete(kind: str, values: Data, faults: list[Fault]) -> list[Replay]:
    """Fill in the keys that follow from others, and remove those that only repeat what others say.

    `values` are those of the keys that were given, each valid by itself. Raises faults for contradictions. Returns
    the replay of the history, if there is one.
    """
    deck = read_by(deck_of(KIND, values["deck"]), values.get("rules") or USUAL)
    check_metals(deck, _cards_of(values))
    players, replay, is_view = _players(values), None, kind == "view"
    history = [*moves_seen(values.get("history") or ())]
    if players is None and history:
        raise fault("missing_key", say("players is missing: how many play?"), "players")
    if players is not None:
        against = against_in(deck, players, values.get("as_played") or ())
        stock = history[0].stock if history and history[0].at else None
        later = stock is not None and stock != first_stock(deck, players) and "discard" not in values
        if is_view and (later or values.keys() & {"gone", "tricks", "voids"}):
            replay = _complete_memory(values, deck, players, history, against)
        elif history:
            replay = replayed(deck, players, history, values.get("reversed"), against)
            fill_in(values, replay)
        else:
            _fill_in_first(values, players)
        if is_view and "gone" not in values:
            _fill_in_sizes(values, deck, players)
    for key, nothing in (("reversed", False), ("table", ()), ("discard", ())):
        values.setdefault(key, nothing)
    if not is_view:
        values.setdefault("stock", ())
    if replay is not None:
        values["history"] = replay.tricks
    for key in ("known", "deal_passes", "as_played"):
        if not values.get(key):  # an empty list, which says that nothing is to be filled in
            values.pop(key, None)
    return [] if replay is None else [replay]


def _cards_of(values: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Yield (path in the position, card) for each card of the keys of a position."""
    for key in ("hands", "known"):
        yield from spread(key, values.get(key) or ())
    for key in ("hand", "stock", "discard", "table", "gone"):
        yield from places(key, values.get(key) or ())
    if "drawn" in values:
        yield "drawn", values["drawn"]
    for seat, metals in values.get("voids", {}).items():
        yield from places(f"voids.{seat}", metals)


def check_metals(deck: Deck, where: Iterable[tuple[str, str]]) -> None:
    """Raise a fault for each card that is not a metal of the deck; `where` yields (path, card) pairs."""
    known = " ".join(deck.index)
    refuse(
        Fault(
            "illegal_card",
            say(
                "{card!r} is not a metal of the deck {name}; its metals: {known}",
                card=card,
                name=deck.name,
                known=known,
            ),
            path,
        )
        for path, card in where
        if card not in deck.index
    )


def _players(values: Data) -> int | None:
    """Return the number of players that is given or implied, and remove it; None if it is unknown."""
    stated = values.pop("players", None)
    sizes = [len(values[key]) for key in ("hands", "counts", "known") if values.get(key)]
    players: int | None = sizes[0] if sizes else stated
    if stated not in (None, players):
        message = say("the position has {players} players, but players is {told}", players=players, told=stated)
        raise fault("conflict", message, "players")
    return players if players is not None and FEWEST <= players <= MOST else None


def fill_in(values: Data, replay: Replay) -> None:
    """Add the keys that follow from a replay, where they are missing."""
    deck, is_view = replay.deck, "hands" not in values
    _replay_to_leader(values, replay)
    values.setdefault("field", FIELDS[replay.field])
    values.setdefault("turn", replay.turn)
    if replay.table and (values["field"], values["turn"]) == (FIELDS[replay.field], replay.turn):
        values.setdefault("table", tuple(deck.symbols(replay.table)))
        values.setdefault("owner", replay.owner)
    values.setdefault("reversed", replay.reversed)
    if is_view:
        values.setdefault("stock_count", replay.stock)
    if replay.tricks[0]["stock_count"] == first_stock(deck, replay.players):
        if is_view:
            values.setdefault("counts", tuple(HAND + grown for grown in replay.grown))
        if min(replay.piled) >= 0:
            values.setdefault("discard", tuple(deck.symbols(members(replay.piled))))
        values.setdefault("deal_passes", deals_passed(replay.passed))
    if any(map(any, replay.known)):
        values.setdefault("known", tuple(tuple(deck.symbols(members(hand))) for hand in replay.known))


def deals_passed(passed: Mapping[tuple[int, int], int]) -> tuple[DealPass, ...]:
    """Return the deals passed on, given `DealPass.max_playable` by seat and field."""
    return tuple(
        DealPass.model_construct(seat=seat, field=FIELDS[field], max_playable=most)
        for (seat, field), most in sorted(passed.items())
    )


def _replay_to_leader(values: Data, replay: Replay) -> None:
    """Between two tricks, pass the deal on to the seat that leads next, as far as the keys show which one that is.

    It is the seat `turn` if that key is given. Otherwise, if the player whose view it is has the deal but nothing
    to lead, it is the next seat.
    """
    if replay.table:
        return
    turn, field = values.get("turn"), values.get("field")
    if turn is not None:
        if turn < replay.players:
            replay.deal_to(turn, replay.field if field is None else FIELDS.index(field))
    elif values.get("hand") and replay.turn == values["seat"]:
        hand = replay.deck.counts(replay.deck.numbers(values["hand"]))
        if not can_lead(replay.deck, hand, replay.field):
            replay.deal_to((replay.turn + 1) % replay.players, replay.field)


def _fill_in_first(values: Data, players: int) -> None:
    """Fill in the field and the hand sizes if the keys may describe the moment right after the deal."""
    later = {"table", "discard", "history", "owner"}
    if any(len(hand) != HAND for hand in values.get("hands") or (values["hand"],)):
        later |= {"hands", "field", "counts", "stock_count", "known"}
    if values.keys() & later:
        return
    values.setdefault("field", FIELDS[0])
    if "hand" in values:
        values.setdefault("counts", (HAND,) * players)


def _fill_in_sizes(values: Data, deck: Deck, players: int) -> None:
    """Fill in the sizes of hands and stock that a view does not give, from the cards that were entered.

    Another hand has as many cards as were dealt, less those that it has just played, if so many are unseen; else
    the unseen cards are divided evenly. The stock has the rest.
    """
    sizes, stock = [*values.get("counts", (None,) * players)], values.get("stock_count", 0)
    seat, table, known = values["seat"], values.get("table", ()), values.get("known") or ()
    if seat < players and sizes[seat] is None:
        sizes[seat] = len(values["hand"])
    left = deck.cards - sum(len(values.get(key, ())) for key in ("table", "discard", "gone"))
    share = (left - stock - sum(filter(None, sizes))) // max(1, sizes.count(None))
    share = max(share, int(stock > 0))  # where the stock is too large for the others, the checks say so
    top = next((at for at, card in enumerate(reversed(table)) if card != table[-1]), len(table))
    for seat, size in enumerate(sizes):
        if size is None:
            shown = len(known[seat]) if seat < len(known) else 0
            sizes[seat] = max(shown, min(HAND - top * (seat == values.get("owner")), share))
    values["counts"] = tuple(sizes)
    values.setdefault("stock_count", max(0, left - sum(sizes)))


# ----------------------------------------------------------------------------------------------------
# Half memories: some of the discard pile, and the number of cards in each place.


def _complete_memory(
    values: Data, deck: Deck, players: int, history: Sequence[Seen], against: Against
) -> Replay | None:
    """Fill in what follows from the tricks that a player remembers. Raises faults for missing keys."""
    values.pop("tricks", None)
    if "stock_count" not in values:  # it follows from the other sizes, and these from the last tricks
        tried = dict(values)
        with suppress(PydanticCustomError):
            _tell_last_tricks(tried, deck, players, history, against)
        _fill_in_sizes(tried, deck, players)
        values |= {key: tried[key] for key in ("counts", "stock_count")}
    _fill_in_sizes(values, deck, players)
    replay = _tell_last_tricks(values, deck, players, history, against)
    values.setdefault("turn", values["seat"])
    if "field" not in values:
        message = say("which field is it now: water, vapor, acid or aqua regia?")
        raise fault("missing_key", message, "field")
    lists = [values.setdefault("gone", ()), values.get("discard", ()), values.get("table", ())]
    placed = sum(values["counts"]) + values["stock_count"] + sum(map(len, lists))
    if placed == deck.cards and not values.get("voids"):  # nothing is forgotten
        values["discard"] = (*lists[1], *values.pop("gone"))
        values.pop("voids", None)
    else:
        values.setdefault("voids", {})
    return replay


def _tell_last_tricks(
    values: Data, deck: Deck, players: int, history: Sequence[Seen], against: Against
) -> Replay | None:
    """Fill in what follows from the last tricks: the table, whose turn it is, and cards of the discard pile.

    Returns their replay; None if there are none, or if they may have been played in several fields. Raises faults
    if they can't be replayed.
    """
    if not history:
        return None
    first, *others = history
    stock = values.get("stock_count")
    if first.stock is None and stock is not None:
        passes = sum(move.text.split()[:1] == [PASS] for move in history)
        first = replace(first, stock=stock + passes if stock else 0)
    replays, wrong = [], []
    for field in FIELDS if first.field is None else (first.field,):  # if missing, try each
        try:
            moves = [replace(first, field=field), *others]
            replays.append(replayed(deck, players, moves, values.get("reversed"), against))
        except PydanticCustomError as error:
            wrong.append(error)
    right = [replay for replay in replays if values.get("field", FIELDS[replay.field]) == FIELDS[replay.field]]
    if not right:  # the deal may have been passed on all round since
        right = [replay for replay in replays if not replay.table]
    if len(right) > 1:
        if "field" in values:
            message = say("in which field was the first of these tricks? Write it in front, as in acid/1:Fe")
            raise fault("missing_key", message, "history")
        return None  # without a field, the caller asks which one it is now
    if not right and wrong:
        raise wrong[0]
    replay = (right or replays)[0]
    fill_in(values, replay)
    if first.stock is None:  # the caller works it out
        del values["stock_count"]
    pile, least = deck.counts([]), [0] * deck.size
    for step in reversed(replay.steps):  # the cards that must be in the pile now, given what these steps show
        if isinstance(step, Stuck):
            continue
        out, came = cards_moved(step.move) if isinstance(step.move, Pass) else ([], [])
        for metal in (*step.clears, *out):
            pile = added(pile, metal, 1)
        for metal in came:
            pile = added(pile, metal, -1)
        least = [max(least[metal], count + (metal in came)) for metal, count in enumerate(pile)]
    gone = [*values.get("gone", ()), *values.get("discard", ())]
    missing = [
        symbol for symbol, count in zip(deck.index, least, strict=True) for _ in range(count - gone.count(symbol))
    ]
    values["gone"] = (*values.get("gone", ()), *missing)
    return replay
