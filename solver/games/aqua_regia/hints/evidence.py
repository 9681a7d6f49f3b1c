"""What a view's history tells of the hidden cards, laid out for `chain`: who may have held what, and when.

Each card that was hidden when the history begins lies in a slot: in another seat's first hand, in one of its
draws, in the stock, or out of play. A card that a seat showed was in a slot of that seat's, from before; and none
was in a hand that could not lead in a field that lets it out. One way to lay the cards so is found as a matching
of bipartite graphs (Kuhn 1955: a path that frees a slot for each card); the chain goes on from it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from solver.common.rng import Random
from solver.common.words import seats_named
from solver.games.aqua_regia.cards.deck import FIELDS, members
from solver.games.aqua_regia.cards.rules import Pass, Play
from solver.games.aqua_regia.hints import chances as words
from solver.games.aqua_regia.hints.chances import chances_of
from solver.games.aqua_regia.hints.kinds import KINDS, Kinds
from solver.games.aqua_regia.hints.likelihood import IMPOSSIBLE, Evidence, log_likelihood
from solver.games.aqua_regia.hints.policy import reactivity_rows
from solver.games.aqua_regia.positions.contradictions import check_own_cards, no_source, not_led
from solver.games.aqua_regia.positions.history import Step, Stuck, first_size, known_by, left_by
from solver.games.aqua_regia.positions.known import View
from solver.inputs.errors import PositionError

MOST_STEPS = 600  # a longer history is not looked at: each step of the chain goes through it
MOST_SLOTS = 200  # nor one of more hidden cards: so many times does the chain, and so deep does the matching go
MOST_UNSEEN = 2000  # nor one with more cards that may be the hidden ones: so many are tried for each


@dataclass(frozen=True, slots=True)
class Slot:
    """A place that a seat's card came from: its first hand (`since` -1), or the draw at a step."""

    seat: int
    since: int


@dataclass(frozen=True, slots=True)
class Item:
    """A card that lies in some slot: one that a seat showed at a step, or one that nobody has shown."""

    metal: int
    seat: int = -1
    until: int = -1


def evidence(view: View, seed: int, kinds: Kinds = KINDS) -> Evidence | None:
    """What the history of a view tells of the hidden cards; None where it tells nothing or cannot be used.

    A history cannot be used when it is too long, when too many cards are hidden or unseen, or when a seat passed
    the deal on before it began and it does not say what that means for the seat's first hand. `seed` decides how
    the cards are laid where the history leaves that open.

    Raises PositionError when no deal agrees with the history.
    """
    if view.history is None:
        return None
    history = view.steps
    check_own_cards(view, history)
    if sum(len(trick.moves) for trick in view.history) > MOST_STEPS or sum(view.unseen) > MOST_UNSEEN:
        return None
    steps = _from_before(view, history)
    if steps is None or all(step.seat == view.seat for step in steps):
        return None
    layout = _Layout(view, steps)
    return layout.evidence(seed, kinds) if 0 < layout.hidden <= MOST_SLOTS else None


def _from_before(view: View, steps: tuple[Step | Stuck, ...]) -> tuple[Step | Stuck, ...] | None:
    """The steps of the history, preceded by the deals that were passed on before it began.

    None where such a deal does not say that the seat's first hand had no card at all for the field, and the
    history itself does not tell as much of that hand.
    """
    deck = view.metals
    before = []
    for passed in view.deal_passes or ():
        field = FIELDS.index(passed.field)
        row = deck.reactivity[field]
        most = passed.most
        most_by_history: int | None = None  # what the history by itself says of `most`
        for step in steps:
            if step.seat != passed.seat:
                continue
            if isinstance(step, Stuck):
                most_by_history = 0 if step.field == field else most_by_history
                continue
            change = int(step.draws) - sum(row[metal] > 0 for metal in left_by(step.move))
            if isinstance(step.move, Pass) and step.move.taken is not None:
                change += row[step.move.taken] > 0
            most -= change
            most_by_history = None if most_by_history is None else most_by_history + change
        if most_by_history is not None and most_by_history <= passed.most:
            continue
        if most != 0:
            return None
        before.append(Stuck(passed.seat, field))
    return (*before, *steps)


class _Layout:
    """The slots that the hidden cards of a view lie in, and which cards may lie in each."""

    def __init__(self, view: View, steps: tuple[Step | Stuck, ...]) -> None:
        self._view = view
        self._steps = steps
        self._others = [seat for seat in range(view.players) if seat != view.seat]
        deck = view.metals
        self._reactivity = deck.reactivity
        known_since = known_by(deck, steps, view.players)
        # Cards known from before the history that were not shown since are in the hand from the start.
        self._held = [deck.counts([])] * view.players
        for seat in self._others:
            known = deck.counts(deck.numbers(view.known_of(seat)))
            self._held[seat] = tuple(every - late for every, late in zip(known, known_since[seat], strict=True))
        self._draws = {
            number: step
            for number, step in enumerate(steps)
            if isinstance(step, Step) and step.draws and step.seat != view.seat
        }
        self._stuck: dict[int, list[tuple[int, int]]] = {seat: [] for seat in range(view.players)}
        for number, step in enumerate(steps):
            if isinstance(step, Stuck):
                self._stuck[step.seat].append((number, step.field))
        self._shown = [item for seat in self._others for item in self._showed(seat)]
        self._slots = [Slot(seat, -1) for seat in self._others for _ in range(self._first(seat))]
        self._slots += [Slot(step.seat, number) for number, step in self._draws.items()]

    @property
    def hidden(self) -> int:
        """How many slots there are: the cards of the other seats that are hidden, or were when they came there."""
        return len(self._slots)

    def _showed(self, seat: int) -> Iterator[Item]:
        """The cards that a seat showed, each with its step, without those that it had openly taken before."""
        taken = [0] * self._view.metals.size
        for number, step in enumerate(self._steps):
            if isinstance(step, Stuck) or step.seat != seat:
                continue
            for metal in left_by(step.move):
                if taken[metal]:
                    taken[metal] -= 1
                else:
                    yield Item(metal, seat, number)
            if isinstance(step.move, Pass) and step.move.taken is not None:
                taken[step.move.taken] += 1

    def _first(self, seat: int) -> int:
        """How many hidden cards a seat had when the history began."""
        return first_size(self._steps, seat, self._view.counts[seat]) - sum(self._held[seat])

    def _fits(self, slot: Slot, item: Item) -> bool:
        """Whether a card can have come from a slot, and have been in the hand from then on."""
        last = len(self._steps)
        if item.seat >= 0:
            if item.seat != slot.seat or item.until < slot.since:
                return False
            last = item.until
        return not any(
            slot.since < number < last and self._reactivity[field][item.metal]
            for number, field in self._stuck[slot.seat]
        )

    def _row_of(self, slot: Slot, items: Sequence[Item]) -> list[bool]:
        """Which of the items fit a slot.

        Items that nobody has shown differ only by their metal, so that each metal is looked at once.
        """
        metals = [self._fits(slot, Item(metal)) for metal in range(self._view.metals.size)]
        return [metals[item.metal] if item.seat < 0 else self._fits(slot, item) for item in items]

    def _matched(self, items: Sequence[Item]) -> dict[int, int]:
        """By slot, the number of the item in it: every slot has one, and every card that was shown is in a slot.

        Raises PositionError when that is impossible.
        """
        rows = {slot: self._row_of(slot, items) for slot in set(self._slots)}
        fits = [rows[slot] for slot in self._slots]
        inside: dict[int, int] = {}  # slot: item
        places: dict[int, int] = {}  # item: slot

        def place(item: int, tried: set[int]) -> bool:
            for slot in range(len(self._slots)):
                if fits[slot][item] and slot not in tried:
                    tried.add(slot)
                    if slot not in inside or place(inside[slot], tried):
                        inside[slot], places[item] = item, slot
                        return True
            return False

        def fill(slot: int, tried: set[int]) -> bool:
            for item in range(len(items)):
                if fits[slot][item] and item not in tried:
                    tried.add(item)
                    if item not in places or fill(places[item], tried):
                        inside[slot], places[item] = item, slot
                        return True
            return False

        for number, item in enumerate(items):
            if item.seat >= 0 and not place(number, set()):
                raise no_source(self._view, self._steps, item.seat, item.metal, item.until)
        for slot in range(len(self._slots)):
            tried: set[int] = set()
            if slot not in inside and not fill(slot, tried):
                raise self._nothing_left({slot, *(places[item] for item in tried)})
        return inside

    def _nothing_left(self, slots: set[int]) -> PositionError:
        """The error when too few unseen cards are left that fit these slots."""
        who = sorted({self._slots[slot].seat for slot in slots})
        reasons = "; ".join(not_led(self._view, self._steps, seat) for seat in who if self._stuck[seat])
        message = f"no deal agrees with this: too few unseen cards are left for {seats_named(who)} ({reasons})"
        return PositionError("conflict", message, "history")

    def evidence(self, seed: int, kinds: Kinds) -> Evidence:
        """The arrays that the kernels read, with a first way to lay the cards into the slots.

        The unseen cards are shuffled by `seed` before they are matched. Raises PositionError when no deal agrees
        with the history.
        """
        rest = [Item(metal) for metal in members(self._view.unseen)]
        Random(seed).shuffle(rest)
        items = [*self._shown, *rest]
        inside = self._matched(items)
        laid = {inside[slot] for slot in inside}
        begun = [items[inside[slot]].metal for slot in range(len(self._slots))]
        begun += [item.metal for number, item in enumerate(items) if number not in laid]
        firsts = [slot.seat for slot in self._slots if slot.since < 0]
        ends = np.zeros((self._view.players, 2), np.int64)
        for seat in self._others:
            start = firsts.index(seat) if seat in firsts else 0
            ends[seat] = start, start + firsts.count(seat)
        slots = {slot.since: number for number, slot in enumerate(self._slots) if slot.since >= 0}
        unowned = len(begun) - len(self._slots)
        deck = self._view.metals
        none = deck.counts([])
        reactivity = reactivity_rows(deck)
        evidence = Evidence(
            steps=np.array(
                [_row(step, slots.get(number, -1)) for number, step in enumerate(self._steps)], np.int64
            ),
            piles=np.array([none if isinstance(step, Stuck) else step.discard for step in self._steps], np.int64),
            held=np.array(self._held, np.int64),
            ends=ends,
            owners=np.array([slot.seat for slot in self._slots] + [-1] * unowned, np.int64),
            owned=len(self._slots),
            begun=np.array(begun, np.int64),
            reactivity=reactivity,
            copies=deck.copies,
            expected=kinds.expected,
            chances=chances_of(reactivity, deck.copies, kinds),
        )
        hand, shares = np.zeros(deck.size, np.int64), np.zeros(len(kinds.expected))
        for seat in self._others:
            if (
                log_likelihood(seat, evidence, evidence.begun, hand, np.zeros(2 * len(shares)), shares)
                <= IMPOSSIBLE
            ):
                reason = not_led(self._view, self._steps, seat)
                message = f"no deal agrees with this: {reason}, but held a card then that can be played there"
                raise PositionError("conflict", message, "history")
        return evidence


def _row(step: Step | Stuck, slot: int) -> list[int]:
    """A step as a row of the words that `likelihood` reads; `slot` is that of the card drawn, or -1."""
    row = [0] * words.STEP_WORDS
    row[words.KIND], row[words.SEAT], row[words.FIELD] = words.STUCK, step.seat, step.field
    row[words.FIRST] = row[words.SECOND] = -1
    row[words.SLOT] = slot
    if isinstance(step, Stuck):
        return row
    row[words.FOLLOWING], row[words.DRAWS] = step.following, int(step.draws)
    if step.top is not None:
        row[words.METAL], row[words.COUNT] = step.top.metal, step.top.count
    if isinstance(step.move, Play):
        row[words.KIND], row[words.FIRST], row[words.SECOND] = words.PLAYS, step.move.metal, step.move.count
    else:
        row[words.KIND] = words.PASSES
        if step.move.discarded is not None and step.move.taken is not None:
            row[words.FIRST], row[words.SECOND] = step.move.discarded, step.move.taken
    return row
