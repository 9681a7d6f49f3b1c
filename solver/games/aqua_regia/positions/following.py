"""What follows from the moves that were seen, filled into data of Aqua Regia's positions that may be wrong.

A history that begins with the round tells everything that all players see now. One that begins later tells the
table, the turn, the field and the stock. What cannot be read is left to the checks of the position, which say what
is wrong.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from pydantic_core import PydanticCustomError

from solver.games.aqua_regia.cards.deck import FIELDS, WATER, Deck, members
from solver.games.aqua_regia.cards.rules import HAND, MOST_AT_ONCE, PLAYERS, Pass, Play, added, can_lead
from solver.games.aqua_regia.cards.text import move_of
from solver.games.aqua_regia.positions.history import Reader, Step, Stuck, known_by, left_by
from solver.inputs.errors import Fault, MoveError
from solver.inputs.faults import faults_in
from solver.notation.runs import TwoReadings
from solver.notation.values import texts

Data = dict[str, Any]


@dataclass(frozen=True)
class Seen:
    """A move as a line of text has it. A trick that it begins may have a field and a stock of its own."""

    seat: int | None
    text: str
    field: str | None = None
    stock: int | None = None


@dataclass
class Round:
    """A round played forward from the first move of a history, as far as everybody sees it."""

    deck: Deck
    reader: Reader
    steps: list[Step | Stuck] = field(default_factory=list)
    tricks: list[Data] = field(default_factory=list)

    @property
    def from_the_deal(self) -> bool:
        """Whether the history begins with the round: nobody had drawn a card before."""
        return bool(self.tricks) and self.tricks[0]["stock_count"] == first_stock(self.deck, self.reader.players)


def first_stock(deck: Deck, players: int) -> int:
    """How many cards the stock has when all hands are dealt."""
    return deck.cards - HAND * players


def moves_seen(history: Sequence[Mapping[str, Any]]) -> list[Seen] | None:
    """The moves of a history of tricks, which may leave out what follows; None where it cannot be read."""
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


def played(
    deck: Deck, players: int, moves: Sequence[Seen], reversed_now: object, faults: list[Fault]
) -> Round | None:
    """The round after these moves, as far as they keep to the rules; None where the first does not say its seat.

    The first move is the first of the round, unless it says its stock; then `reversed_now` matters too.
    """
    if not moves or moves[0].seat is None or not 0 <= moves[0].seat < players:
        return None
    first = moves[0]
    stock = first_stock(deck, players) if first.stock is None else first.stock
    fours = sum(_is_four(deck, move.text) for move in moves)
    from_the_deal = stock == first_stock(deck, players)
    turned = False if from_the_deal else (reversed_now is True) != bool(fours % 2)
    start = FIELDS.index(first.field) if first.field in FIELDS else WATER
    assert first.seat is not None
    found = Round(deck, Reader(deck, players, turned, stock, start, first.seat))
    for number, seen in enumerate(moves):
        if not _play(found, seen, faults):
            _leave(found, moves[number:])
            break
    return found


def _play(found: Round, seen: Seen, faults: list[Fault]) -> bool:
    """Make one move; False, with a fault, where it cannot have been made."""
    reader, tricks = found.reader, found.tricks
    new = not reader.table
    path = (
        f"history[{len(tricks)}].moves[0]"
        if new
        else f"history[{len(tricks) - 1}].moves[{len(tricks[-1]['moves'])}]"
    )
    there = seen.seat is None or 0 <= seen.seat < reader.players
    if not there or (not new and seen.seat not in (None, reader.turn)):
        to_move = f"seat {reader.turn} is to move" if there else "there is no such seat"
        faults.append(Fault("conflict", f"{to_move}, not seat {seen.seat}", path))
        return False
    if isinstance(seen.text, TwoReadings):
        faults.append(Fault("two_readings", seen.text.message, path))
        return False
    try:
        move = move_of(found.deck, seen.text)
        if new:
            leader = reader.turn if seen.seat is None else seen.seat
            led = reader.field if seen.field is None else FIELDS.index(seen.field)
            found.steps += reader.deal_to(leader, led)
            tricks.append(
                {"field": FIELDS[reader.field], "leader": leader, "stock_count": reader.stock, "moves": []}
            )
        found.steps.append(reader.move(move, path))
        tricks[-1]["moves"].append(seen.text)
    except MoveError as error:
        faults.append(Fault(error.code, error.message, path))
    except PydanticCustomError as error:
        faults += faults_in(error)
    else:
        return True
    return False


def _leave(found: Round, moves: Sequence[Seen]) -> None:
    """Keep the moves that were not made, so that the history is whole."""
    if not found.tricks or not found.tricks[-1]["moves"]:
        found.tricks[-1:] = [_trick(found.reader, found.reader.turn)]
    found.tricks[-1]["moves"] += [seen.text for seen in moves]


def _trick(reader: Reader, leader: int) -> Data:
    """A trick that is about to begin."""
    return {"field": FIELDS[reader.field], "leader": leader, "stock_count": reader.stock, "moves": []}


def _is_four(deck: Deck, text: str) -> bool:
    try:
        move = move_of(deck, text)
    except MoveError:
        return False
    return isinstance(move, Play) and move.count == MOST_AT_ONCE


def fill_in(data: Data, found: Round) -> None:
    """Fill in what the round tells of now."""
    reader, deck = found.reader, found.deck
    _come_to_leader(data, found)
    data.setdefault("field", FIELDS[reader.field])
    data.setdefault("turn", reader.turn)
    if reader.table:
        data.setdefault("table", deck.symbols(reader.table))
        data.setdefault("owner", reader.owner)
    if reader.reversed:
        data.setdefault("reversed", True)
    if "hands" not in data:
        data.setdefault("stock_count", reader.stock)
    if found.from_the_deal:
        _fill_in_hands(data, found)
    known = known_by(deck, tuple(found.steps), reader.players)
    if any(map(any, known)):
        data.setdefault("known", [deck.symbols(members(hand)) for hand in known])


def _come_to_leader(data: Data, found: Round) -> None:
    """Pass the deal on to the seat that is to lead now: as it is told, or past a hand that cannot lead."""
    reader = found.reader
    if reader.table:
        return
    turn, led = data.get("turn"), data.get("field", FIELDS[reader.field])
    if isinstance(turn, int) and 0 <= turn < reader.players and led in FIELDS:
        found.steps += reader.deal_to(turn, FIELDS.index(led))
        return
    hand = texts(data.get("hand"))
    if turn is None and reader.turn == data.get("seat") and hand and set(hand) <= found.deck.index.keys():
        counts = found.deck.counts(found.deck.numbers(hand))
        if not can_lead(found.deck, counts, reader.field):
            found.steps += reader.deal_to((reader.turn + 1) % reader.players, reader.field)


def _fill_in_hands(data: Data, found: Round) -> None:
    """How many cards each seat holds, the discard pile, and the deals passed on, of a history from the deal on."""
    deck, players = found.deck, found.reader.players
    sizes, discard = [HAND] * players, deck.counts([])
    passed: dict[tuple[int, int], int] = {}
    for step in found.steps:
        if isinstance(step, Stuck):
            passed[step.seat, step.field] = 0
            continue
        taken = []
        if isinstance(step.move, Play):
            sizes[step.seat] -= step.move.count
        else:
            sizes[step.seat] += step.draws
            taken = _exchanged(step.move)
            for metal, change in zip((step.move.discarded, step.move.taken), (1, -1), strict=True):
                if metal is not None:
                    discard = added(discard, metal, change)
        for metal in step.clears:
            discard = added(discard, metal, 1)
        for (seat, name), most in passed.items():
            if seat == step.seat:
                row = deck.reactivity[name]
                gained = sum(row[metal] > 0 for metal in taken) + (isinstance(step.move, Pass) and step.draws)
                passed[seat, name] = most + gained - sum(row[metal] > 0 for metal in left_by(step.move))
    if "hands" not in data:
        data.setdefault("counts", sizes)
    if any(discard) and min(discard) >= 0:
        data.setdefault("discard", deck.symbols(members(discard)))
    if passed:
        data.setdefault(
            "deal_passes", [_deal_pass(seat, name, most) for (seat, name), most in sorted(passed.items())]
        )


def _exchanged(move: Pass) -> list[int]:
    return [] if move.taken is None else [move.taken]


def _deal_pass(seat: int, name: int, most: int) -> Data:
    told = {"seat": seat, "field": FIELDS[name]}
    return {**told, "most": most} if most else told


def players_of(data: Mapping[str, Any]) -> int | None:
    """How many players data tell of; None where they tell of none, or of too few or too many."""
    told = [len(data[key]) for key in ("hands", "counts", "known") if isinstance(data.get(key), list | tuple)]
    players = told[0] if told else data.get("players")
    fewest, most = PLAYERS
    return players if isinstance(players, int) and fewest <= players <= most else None
