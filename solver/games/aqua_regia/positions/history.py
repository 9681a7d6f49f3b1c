"""The moves that were seen, trick by trick: read back with what lay there then, checked, and added to.

A history begins with some trick and ends now; its last trick is the one on the table, if cards lie there. What a
seat held is not in it, nor which deals were passed on: these follow from who led next, and in which field.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from solver.games.aqua_regia.cards import rules
from solver.games.aqua_regia.cards.deck import FIELDS, Deck
from solver.games.aqua_regia.cards.rules import (
    Counts,
    Move,
    Pass,
    Play,
    State,
    added,
    follows,
    lets,
    next_field,
    runs,
)
from solver.games.aqua_regia.cards.text import move_of, text_of
from solver.games.aqua_regia.positions.fields import History, Trick
from solver.inputs.errors import Fault, MoveError
from solver.inputs.faults import fault, refuse


@dataclass(frozen=True, slots=True)
class Now:
    """What everybody sees now; `sizes` has how many cards each seat holds."""

    field: int
    reversed: bool
    turn: int
    table: tuple[int, ...]
    owner: int | None
    discard: Counts
    stock: int
    sizes: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Step:
    """A move that was seen, and what was there before it; `following` is the field after this one.

    `clears` has the trick's cards where the move ended the trick, `path` is its place in the history.
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


@dataclass(frozen=True, slots=True)
class Stuck:
    """A seat that had the deal, or the deal came to it, and nothing to lead in the field."""

    seat: int
    field: int


@dataclass(slots=True)
class Reader:
    """Plays a history forward from its first trick, as far as everybody sees it."""

    deck: Deck
    players: int
    reversed: bool
    stock: int
    field: int
    turn: int
    table: tuple[int, ...] = ()
    owner: int | None = None

    def move(self, move: Move, path: str) -> Step:
        """Make a move. Raises a fault where it can't have been made."""
        top = runs(self.table)[-1] if self.table else None
        seat, draws = self.turn, isinstance(move, Pass) and self.stock > 0
        following = next_field(self.field, self.reversed)
        step = Step(seat, self.field, following, top, draws, move, path)
        self.turn = (seat + 1) % self.players
        if isinstance(move, Play):
            self._check(move, top, path)
            self.table += (move.metal,) * move.count
            self.reversed ^= move.count == rules.MOST_AT_ONCE
            self.owner = seat
            return step
        if self.owner is None:
            raise fault("illegal_play", f"seat {seat} leads and can't pass", path)
        self.stock -= draws
        if self.turn != self.owner:
            return step
        step = replace(step, clears=self.table)
        self.table, self.owner, self.field = (), None, following
        return step

    def _check(self, play: Play, top: Play | None, path: str) -> None:
        text = text_of(self.deck, play)
        if play.count > rules.MOST_AT_ONCE or not lets(self.deck, self.field, play, top):
            raise fault("illegal_play", f"{text} can't be played in {FIELDS[self.field]}", path)
        if top is not None and not follows(play, top):
            raise fault("illegal_play", f"{text} can't lie on {text_of(self.deck, top)}", path)

    def deal_to(self, leader: int, led: int) -> Iterator[Stuck]:
        """Pass the deal on to the seat that led, in the field that it led in."""
        while self.field != led:
            yield from (Stuck((self.turn + step) % self.players, self.field) for step in range(self.players))
            self.field = next_field(self.field, self.reversed)
        for _ in range((leader - self.turn) % self.players):
            yield Stuck(self.turn, self.field)
            self.turn = (self.turn + 1) % self.players


def read(deck: Deck, history: History, now: Now) -> tuple[Step | Stuck, ...]:
    """Everything that was seen, in order. Raises a fault where the history can't have led to what is there now."""
    if not history:
        if now.table:
            raise fault("conflict", "cards lie on the table, but the history has no trick", "history")
        return ()
    moves = [
        [_move(deck, text, f"history[{index}].moves[{place}]") for place, text in enumerate(trick.moves)]
        for index, trick in enumerate(history)
    ]
    turns = sum(isinstance(move, Play) and move.count == rules.MOST_AT_ONCE for trick in moves for move in trick)
    first = history[0]
    whole = deck.cards - rules.HAND * len(now.sizes)
    if 0 < whole == first.stock_count and now.reversed != bool(turns % 2):
        order = "turned round" if turns % 2 else "the usual one"
        raise fault("conflict", f"by the history the fields' order is {order} now, not the other", "reversed")
    reader = Reader(
        deck,
        len(now.sizes),
        now.reversed != bool(turns % 2),
        first.stock_count,
        FIELDS.index(first.field),
        first.leader,
    )
    steps: list[Step | Stuck] = []
    for index, trick in enumerate(history):
        path = f"history[{index}]"
        if trick.leader >= reader.players:
            raise fault("out_of_range", f"there is no seat {trick.leader}", f"{path}.leader")
        if trick.stock_count != reader.stock:
            raise fault("conflict", f"the stock had {reader.stock} cards then", f"{path}.stock_count")
        steps += reader.deal_to(trick.leader, FIELDS.index(trick.field))
        for place, move in enumerate(moves[index]):
            if place and not reader.table:
                raise fault("conflict", "the trick was over by then", f"{path}.moves[{place}]")
            steps.append(reader.move(move, f"{path}.moves[{place}]"))
        if reader.table and index < len(history) - 1:
            raise fault("conflict", "the trick is not over, but another one follows", f"{path}.moves")
    steps += _come_to_now(reader, now)
    if 0 < whole == first.stock_count:
        _check_sizes(tuple(steps), now.sizes)
    return tuple(_backward(deck, steps, now))


def _move(deck: Deck, text: str, path: str) -> Move:
    try:
        move = move_of(deck, text)
    except MoveError as error:
        raise fault(error.code, error.message, path) from None
    if isinstance(move, Play) or move.discarded is None or move.taken is None or move.taken > move.discarded:
        return move
    raise fault("illegal_move", f"{text}: what is taken must be stronger than what is discarded", path)


def _come_to_now(reader: Reader, now: Now) -> Iterator[Stuck]:
    """Pass the deal on to the seat that is to lead now.

    Raises a fault unless the history leads to what is there.
    """
    if reader.stock != now.stock:
        raise fault("conflict", f"by its moves the stock has {reader.stock} cards now, not {now.stock}", "history")
    if not now.table and not reader.table:
        yield from reader.deal_to(now.turn, now.field)
    symbols = reader.deck.symbols
    pairs = {
        "field": (FIELDS[reader.field], FIELDS[now.field]),
        "turn": (f"seat {reader.turn}", f"seat {now.turn}"),
        "table": tuple(" ".join(symbols(sorted(cards))) or "nothing" for cards in (reader.table, now.table)),
        "owner": tuple("nobody" if seat is None else f"seat {seat}" for seat in (reader.owner, now.owner)),
    }
    refuse(
        Fault("conflict", f"by the history the {key} is {right} now, not {told}", key)
        for key, (right, told) in pairs.items()
        if right != told
    )
    if reader.table != now.table:
        raise fault("conflict", "by the history the cards lie on the table in another order", "table")


def _check_sizes(steps: tuple[Step | Stuck, ...], sizes: Sequence[int]) -> None:
    """Refuse hands that cannot have had as many cards as are dealt before these steps, the first of a round."""
    refuse(
        Fault("conflict", f"by the history seat {seat} has {size + more} cards now, not {size}", f"counts[{seat}]")
        for seat, size in enumerate(sizes)
        if (more := rules.HAND - first_size(steps, seat, size))
    )


def _backward(deck: Deck, steps: list[Step | Stuck], now: Now) -> list[Step | Stuck]:
    """The steps with the discard pile before each, from the pile and the hands' sizes now."""
    pile, sizes = list(now.discard), list(now.sizes)
    result: list[Step | Stuck] = []
    for step in reversed(steps):
        if isinstance(step, Stuck):
            result.append(step)
            continue
        for metal in step.clears:
            pile[metal] -= 1
        if isinstance(step.move, Play):
            sizes[step.seat] += step.move.count
        else:
            sizes[step.seat] -= step.draws
            if sizes[step.seat] < 1:
                message = f"seat {step.seat} would have had no card left before"
                raise fault("conflict", message, step.path)
            if step.move.discarded is not None and step.move.taken is not None:
                pile[step.move.discarded] -= 1
                pile[step.move.taken] += 1
                if not 0 < pile[step.move.taken] < deck.copies:
                    symbol = deck.metals[step.move.taken].symbol
                    message = f"by the discard pile of now, {symbol} can't have been taken then"
                    raise fault("conflict", message, step.path)
        if min(pile) < 0:
            message = "the discard pile of now lacks cards that came into it then or later"
            raise fault("conflict", message, step.path)
        result.append(replace(step, discard=tuple(pile)))
    return result[::-1]


def known_by(deck: Deck, steps: tuple[Step | Stuck, ...], players: int) -> list[Counts]:
    """The cards of each hand that the steps showed coming in and not leaving (as in `knowledge.known_after`)."""
    hands: list[Counts] = [deck.counts([])] * players
    for step in steps:
        if isinstance(step, Stuck):
            continue
        hand = hands[step.seat]
        for metal in left_by(step.move):
            hand = added(hand, metal, -1) if hand[metal] else hand
        if isinstance(step.move, Pass) and step.move.taken is not None:
            hand = added(hand, step.move.taken, 1)
        hands[step.seat] = hand
    return hands


def first_size(steps: tuple[Step | Stuck, ...], seat: int, size: int) -> int:
    """How many cards a seat that has `size` cards now had before the steps."""
    for step in steps:
        if isinstance(step, Step) and step.seat == seat:
            size += step.move.count if isinstance(step.move, Play) else -step.draws
    return size


def left_by(move: Move) -> list[int]:
    """The cards that a move shows leaving the hand."""
    if isinstance(move, Play):
        return [move.metal] * move.count
    return [] if move.discarded is None else [move.discarded]


def history_after(deck: Deck, history: History | None, state: State, move: Move) -> History | None:
    """The history after a move of `state`. Where none is given, a history begins with the next trick."""
    text = text_of(deck, move)
    if not state.table:
        trick = Trick(field=FIELDS[state.field], leader=state.turn, stock_count=len(state.stock), moves=(text,))
        return (*(history or ()), trick)
    if not history:
        return None
    *before, last = history
    return (*before, last.model_copy(update={"moves": (*last.moves, text)}))
