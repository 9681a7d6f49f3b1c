"""Endings of Kirin by the plain reference.

The weights of the deals and the others' choices follow the hint's own model.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from solver.common import mask
from solver.games.kirin import rules
from solver.games.kirin.fast_rules import COLOUR_SETS, INNER, to_inner
from solver.games.kirin.players import (
    ALL,
    BY_RULES,
    KINDS,
    LOOKS_AHEAD,
    MOST,
    PLAY,
    TABLE_WORDS,
    ahead,
    expects,
    judge_kinds_of,
    legal_cards,
    new_room,
    open_table,
    put,
)
from solver.games.kirin.position import KnownPosition, View, fields_number, numbers
from solver.games.kirin.worlds import Deals, Reading, deals, evidence_of, likelihood, new_work
from solver.hints.policy import to_chances
from solver.hints.sampled import new_kept
from tests.reference.endings import Seen, World


@dataclass(frozen=True, slots=True)
class Round:
    """A round with every card known: who collects which colour, how likely each seat is to look ahead, and the
    cards that everybody has seen.
    """

    state: rules.State
    aside: tuple[int, ...]
    shares: tuple[float, ...]
    gone: int


class Rules:
    """`tests.reference.endings.Rules` for kirin."""

    def __init__(self, seat: int) -> None:
        self._seat = seat

    def turn(self, now: Round) -> bool | None:
        return None if now.state.over else now.state.to_move == self._seat

    def moves(self, now: Round) -> Sequence[int]:
        return now.state.moves()

    def choices(self, now: Round) -> Iterator[tuple[int, float]]:
        state = now.state
        legal = sorted(state.moves(), key=INNER.__getitem__)
        if len(legal) == 1:
            yield legal[0], 1.0
            return
        table, room, found = np.zeros(TABLE_WORDS, np.int64), new_room(), ahead()
        open_table(table, state.leader, state.rules.direction)
        for card in state.trick:
            put(table, INNER[card])
        aside = now.aside[state.to_move]
        hand = to_inner(state.hands[state.to_move])
        unseen = ALL & ~hand & ~to_inner(now.gone) & ~(1 << INNER[aside])
        own, playable = COLOUR_SETS[aside // 9], legal_cards(hand, table)
        judge_kinds_of(hand, own, unseen, table, playable, np.array(PLAY), found, room)
        chances = np.zeros(len(legal))
        share = now.shares[state.to_move]
        for kind, often in ((BY_RULES, 1 - share), (LOOKS_AHEAD, share)):
            if expects(found, kind):
                told = room.values[kind * MOST :]
                to_chances(len(legal), told)
                chances += often * told[: len(legal)]
        yield from zip(legal, map(float, chances), strict=True)

    def after(self, now: Round, move: int) -> tuple[Round, Seen]:
        return replace(now, state=now.state.after(move), gone=now.gone | 1 << move), (move,)

    def score(self, now: Round) -> float:
        return float(rules.points(now.state.won, [card // 9 for card in now.aside])[self._seat])


def reading_of(found: Deals) -> Reading:
    """The evaluator of how likely a view's deals are."""
    table, hands, aside = np.zeros(TABLE_WORDS, np.int64), np.zeros(4, np.int64), np.zeros(4, np.int64)
    work = new_work(hands, aside, table, new_kept(KINDS))
    return Reading(found.setting, evidence_of(found.setting), work)


def weighted_worlds(view: View) -> list[World[Round]]:
    """Every deal that agrees with the view, weighted by how likely it makes what was set aside and played."""
    found = deals(view)
    reading = reading_of(found)
    gone = sum(1 << card for trick in (*view.history, view) for card in _cards_of(trick))
    worlds = []
    for rank in range(found.total):
        position = found.position(rank)
        assert isinstance(position, KnownPosition)
        weight, shares = 1.0, [0.0] * 4
        for seat in range(4):
            if seat != view.seat:
                hand = to_inner(mask(numbers(position.hands[seat])))
                aside = INNER[fields_number(position.declared[seat])]
                found_so = likelihood(seat, hand, aside, reading.evidence, reading.work)
                weight *= found_so
                shares[seat] = reading.work.chances[LOOKS_AHEAD] / found_so
        asides = tuple(map(fields_number, position.declared))
        worlds.append(World(weight, Round(position.state, asides, tuple(shares), gone)))
    return worlds


def _cards_of(trick: object) -> tuple[int, ...]:
    return numbers(trick.trick if isinstance(trick, View) else trick.cards)  # type: ignore[attr-defined]
