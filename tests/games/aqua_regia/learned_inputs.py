"""What the learned player of Aqua Regia is told of a move, from a view, by plain Python."""

from __future__ import annotations

from collections.abc import Sequence
from math import comb, prod

from solver.games.aqua_regia.deck import Deck
from solver.games.aqua_regia.position import Round
from solver.games.aqua_regia.rules import Counts, Move, Pass, Play, added, next_field

Parts = dict[str, list[float]]


def _others(view: Round) -> list[int]:
    return [(view.seat + step) % view.players for step in range(1, view.players)]


def _fields(view: Round, reversed: bool) -> list[int]:
    """The field of now and those that come."""
    found = [view.field_number]
    while len(found) < 4:
        found.append(next_field(found[-1], reversed))
    return found


def _lets(deck: Deck, field: int, metal: int, count: int) -> bool:
    return deck.reactivity[field][metal] >= (1 if count == 1 else 2)


def _bins(deck: Deck, counts: Sequence[int], scale: float) -> list[float]:
    found = [0.0] * 16
    for metal, count in enumerate(counts):
        found[16 * metal // deck.size] += scale * count
    return found


class Odds:
    """The chances that others hold cards, each as if its cards were drawn for themselves."""

    def __init__(self, view: Round) -> None:
        self._view = view
        self.total = sum(view.unseen)

    def _holds(self, other: int, metal: int, count: int) -> float:
        view = self._view
        shown = view.metals.counts(view.metals.numbers(view.known_of(other)))[metal]
        if shown >= count:
            return 1.0
        copies = view.unseen[metal]
        share = min(0.95, view.hidden(other) / self.total) if self.total else 0.0
        return sum(
            comb(copies, many) * share**many * (1 - share) ** (copies - many)
            for many in range(count - shown, copies + 1)
        )

    def safe(self, field: int, metal: int, count: int) -> float:
        """The chance that nobody holds what beats such a play."""
        deck = self._view.metals
        return prod(
            1 - self._holds(other, stronger, count)
            for other in _others(self._view)
            for stronger in range(metal + 1, deck.size)
            if _lets(deck, field, stronger, count)
        )


def hand(view: Round, odds: Odds, held: Counts, reversed: bool) -> list[float]:
    """What is told of a hand."""
    deck = view.metals
    found: list[float] = []
    for field in _fields(view, reversed):
        out = [metal for metal, count in enumerate(held) if count and deck.reactivity[field][metal]]
        most = {metal: min(held[metal], 4) if deck.reactivity[field][metal] > 1 else 1 for metal in out}
        safe = {metal: odds.safe(field, metal, most[metal]) for metal in out}
        found += [
            0.1 * sum(held[metal] for metal in out),
            0.15 * len(out),
            0.1 * sum(held[metal] for metal in out if most[metal] == held[metal]),
            0.15 * sum(safe[metal] * most[metal] for metal in out),
            max(safe.values(), default=0.0),
            max((odds.safe(field, metal, 1) for metal in out), default=0.0),
        ]
    metals = [metal for metal, count in enumerate(held) if count]
    rows = {metal: [row[metal] for row in deck.reactivity] for metal in metals}
    open_in = {metal: sum(lets > 0 for lets in row) for metal, row in rows.items()}
    plays = sum(-(-held[metal] // 4) if max(rows[metal]) > 1 else held[metal] for metal in metals)
    found += [0.1 * sum(held), 0.125 * len(metals), 0.125 * plays]
    found += [0.5 * sum(count == many for count in held) for many in (2, 3)] + [sum(count > 3 for count in held)]
    found += [0.25 * sum(held[metal] for metal in metals if open_in[metal] == many) for many in (1, 2, 3, 4)]
    found += [float(sum(held) == many) for many in (1, 2, 3)] + [float(len(metals) == many) for many in (1, 2)]
    return [*found, *_bins(deck, held, 0.5)]


def shared(view: Round, odds: Odds) -> Parts:
    """What is told of a choice."""
    deck, top, players = view.metals, view.top, view.players
    stock = view.hidden_stock
    size = len(view.hand) + (view.drawn is not None)
    stage = 3 if view.drawn else 0 if top is None else 1 if stock else 2
    lying = [0.0] * 12
    if top is not None:
        assert view.owner is not None
        after = (view.owner - view.seat) % players
        lying[0] = (top.metal + 1) / deck.size
        lying[top.count] = 1
        lying[5] = 0.05 * len(view.table)
        lying[6] = odds.safe(view.field_number, top.metal, top.count)
        lying[6 + after] = 1
        lying[11] = 0.33 * (players - 1 - after)
    others = []
    for other in _others(view):
        many = view.counts[other]
        owns = float(top is not None and other == view.owner)
        others += [0.1 * many, many == 1, many == 2, many < 5, 0.25 * len(view.known_of(other)), owns]
    least = min(view.counts[other] for other in _others(view))
    of_stock = [0.03 * stock, stock == 0, 0.1 * min(10, stock), 0.02 * odds.total, deck.size / 16, deck.copies / 4]
    lets_out = [
        0.02 * sum(count for metal, count in enumerate(view.unseen) if deck.reactivity[field][metal])
        for field in _fields(view, view.reversed)
    ]
    takeable = [count if count < deck.copies else 0 for count in view.pile]
    return {
        "players": [float(players == many) for many in (2, 3, 4, 5)],
        "stage": [float(stage == one) for one in range(4)],
        "top": lying,
        "others": [*map(float, others), *[0.0] * (24 - len(others))],
        "stock": [*map(float, of_stock), 0.1 * least, 0.1 * (size - least)],
        "fields": lets_out,
        "unseen": _bins(deck, view.unseen, 0.25),
        "takeable": _bins(deck, takeable, 0.25),
        "hand": hand(view, odds, view.held, view.reversed),
    }


def own(view: Round, odds: Odds, move: Move, by_rule: float) -> Parts:
    """What is told of a move. `by_rule` is the plausible player's value less that of its best move."""
    deck, top = view.metals, view.top
    kind, play, exchange = [0.0] * 5, [0.0] * 19, [0.0] * 13
    held, reversed = view.held, view.reversed
    if isinstance(move, Play):
        kind[0 if top is None else 1] = 1
        held = added(held, move.metal, -move.count)
        reversed = reversed != (move.count == 4)
        play[:18] = _play(view, odds, move, held, _fields(view, reversed))
    else:
        open_pass = bool(view.stock_count) and view.drawn is None
        kind[4 if move.taken is not None else 2 if open_pass else 3] = 1
        play[18] = float((view.seat + 1) % view.players == view.owner)
        if move.discarded is not None and move.taken is not None:
            held = added(added(held, move.discarded, -1), move.taken, 1)
            fields = _fields(view, reversed)
            rows = [
                (deck.reactivity[field][move.taken], deck.reactivity[field][move.discarded]) for field in fields
            ]
            exchange = [
                (move.discarded + 1) / deck.size,
                (move.taken + 1) / deck.size,
                0.33 * held[move.taken],
                0.33 * held[move.discarded],
                *(float((new > 0) - (old > 0)) for new, old in rows),
                *(float((new > 1) - (old > 1)) for new, old in rows),
                odds.safe(fields[1], move.taken, 1),
            ]
    rule = [max(-3.0, 0.1 * by_rule), float(by_rule == 0)]
    return {
        "kind": kind,
        "play": play,
        "exchange": exchange,
        "rule": rule,
        "after": hand(view, odds, held, reversed),
    }


def _play(view: Round, odds: Odds, move: Play, held: Counts, fields: list[int]) -> list[float]:
    deck, top = view.metals, view.top
    here = view.field_number
    safe = odds.safe(here, move.metal, move.count)
    beaters = [
        metal
        for metal in range(move.metal + 1, deck.size)
        if _lets(deck, here, metal, move.count) and view.unseen[metal] >= move.count
    ]
    left = [(metal, count) for metal, count in enumerate(held) if count]
    goes = [
        len(left) == 1 and left[0][1] <= 4 and _lets(deck, field, left[0][0], left[0][1]) for field in fields[:3]
    ]
    reactivity = [row[move.metal] for row in deck.reactivity]
    return [
        *(float(move.count == many) for many in (1, 2, 3, 4)),
        (move.metal + 1) / deck.size,
        0.5 * held[move.metal],
        safe,
        (move.metal - top.metal) / deck.size if top else 0.0,
        0.1 * len(beaters),
        *map(float, goes),
        safe * goes[1],
        float(move.count == 4),
        float(reactivity[fields[1]] > 0),
        float(reactivity[fields[1]] > 1),
        0.25 * sum(lets > 0 for lets in reactivity),
        float(top is not None and move.count > top.count),
    ]


def rows(view: Round, moves: Sequence[Move], by_rule: Sequence[float]) -> list[list[float]]:
    """All that is told of each move, a row each."""
    odds = Odds(view)
    context = [number for part in shared(view, odds).values() for number in part]
    return [
        context + [number for part in own(view, odds, move, value).values() for number in part]
        for move, value in zip(moves, by_rule, strict=True)
    ]


def by_rule(view: Round, moves: Sequence[Move], play: Sequence[float], exchange: Sequence[float]) -> list[float]:
    """The plausible player's values less that of the best move, -20 at least.

    `play` has what each move is worth as a play or a pass, `exchange` what each is as a way to end a pass; where
    the player chooses both at once, the best exchange counts nothing.
    """
    passes = [place for place, move in enumerate(moves) if isinstance(move, Pass)]
    best = max([0.0, *(exchange[place] for place in passes)])
    found = [value + (exchange[place] - best if place in passes else 0.0) for place, value in enumerate(play)]
    return [max(-20.0, value - max(found)) for value in found]
