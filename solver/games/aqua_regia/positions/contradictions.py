"""Where a view's history contradicts itself or the hand, in words; and whether the own hand fits it.

The seat that asks knows its cards, so what it was seen to do must be possible with them. A card that it holds or
showed was in its hand when the history begins, or was drawn, and not there while the seat could not lead with it.
"""

from __future__ import annotations

from collections.abc import Iterator
from heapq import heappop, heappush

from solver.games.aqua_regia.cards.deck import FIELDS
from solver.games.aqua_regia.cards.rules import Pass
from solver.games.aqua_regia.positions.history import Step, Stuck, first_size, left_by
from solver.games.aqua_regia.positions.known import View
from solver.inputs.errors import PositionError

Steps = tuple[Step | Stuck, ...]


def not_led(view: View, steps: Steps, seat: int, metal: int | None = None, until: int | None = None) -> str:
    """A sentence that says in which fields a seat could not lead, and when; empty where there is none.

    With `metal`, only fields in which that metal can be played count; with `until`, only steps before that number.
    """
    fields = []
    for number, step in enumerate(steps[:until]):
        if not isinstance(step, Stuck) or step.seat != seat:
            continue
        if metal is None or view.metals.reactivity[step.field][metal]:
            then = next((after.path for after in steps[number:] if isinstance(after, Step)), "now")
            fields.append(f"{FIELDS[step.field]} (before {then})")
    return f"seat {seat} could not lead in {', '.join(fields)}" if fields else ""


def no_source(view: View, steps: Steps, seat: int, metal: int, until: int) -> PositionError:
    """The error when a card cannot have come to the seat that showed it at step `until`.

    The number of the steps as `until` means that the seat holds the card now.
    """
    symbol = view.metals.metals[metal].symbol
    step = steps[until] if until < len(steps) else None
    where = f"shows {symbol} in {step.path}" if isinstance(step, Step) else f"holds {symbol} now"
    stuck = not_led(view, steps, seat, metal, until)
    why = f"{stuck}, and drew too few cards since" if stuck else "it held and drew other cards"
    return PositionError("conflict", f"no deal agrees with this: seat {seat} {where}, but {why}", "history")


def check_own_cards(view: View, steps: Steps) -> None:
    """Raise PositionError unless the cards of the seat that asks can have come to it as the history's steps tell.

    A card can have come in a draw after the last time that it was not led with, and before it was shown; so each
    is put to the draws in turn, those first that were shown first (a schedule of least deadlines).
    """
    seat = view.seat
    sources = [-1] * first_size(steps, seat, view.counts[seat])
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
    """Every card that the seat that asks had from the start or drew, as three numbers.

    They are the last step, before the card was shown, at which it was not in the hand (-1 where there is none);
    the step at which it was shown (the number of the steps where it is still held); and its metal. Raises
    PositionError when a card that was taken from the discard pile cannot have been in the hand then.
    """
    deck, seat = view.metals, view.seat
    stuck: list[tuple[int, int]] = []
    taken: dict[int, list[int]] = {}  # by metal, when it was taken from the pile

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
            stuck.append((number, step.field))
            continue
        for metal in left_by(step.move):
            yield from card(metal, number)
        if isinstance(step.move, Pass) and step.move.taken is not None:
            taken.setdefault(step.move.taken, []).append(number)
    for metal in deck.numbers(view.hand):
        yield from card(metal, len(steps))
