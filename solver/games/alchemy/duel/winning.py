"""The chance to win the race to 100 after each move of an exchange: sampled decks, each round played out.

After every move the same decks are played out by players who take what is best in each exchange, and take turns at
grabbing first; what the totals are worth then is known from `races`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt

import numpy as np
from numpy.typing import NDArray

from solver.common.control import Control
from solver.games.alchemy.cards.deck import points
from solver.games.alchemy.cards.text import Move
from solver.games.alchemy.duel import races, rounds
from solver.games.alchemy.duel.rounds import Worlds
from solver.games.alchemy.fast_rules.dealing import deal_worlds
from solver.games.alchemy.positions.duels import DuelPosition

WORLDS = 400
_CHUNK = 20  # worlds between two looks at the time
_CLEAR = 2.0  # standard errors beyond which a difference is no luck
_TAKEN = -1  # no rank
_FEWEST = 40  # worlds before any difference counts as clear


@dataclass(frozen=True)
class Race:
    """The chances after each move, from so many worlds; the error is that of worlds and of `races` together.

    One world does not tell any error: then there are no `errors`.
    """

    means: NDArray[np.float64]
    errors: NDArray[np.float64] | None
    results: NDArray[np.float64]  # (worlds, moves)
    ended: NDArray[np.int64]  # the totals after the round (worlds, moves, 2)
    aces: NDArray[np.int64]  # that each player has collected then (worlds, moves, 2)
    jokers: NDArray[np.int64]  # that each has collected from here on (worlds, moves, 2)
    decks: tuple[int, int]  # the jokers in the deck of an early and of a late round

    def chance(self, move: int) -> dict[str, float]:
        """What an answer tells of a move."""
        found = {"win_probability": round(float(self.means[move]), 9)}
        if self.errors is not None:
            found["stderr"] = round(float(self.errors[move]), 9)
        return found

    @property
    def worlds(self) -> int:
        return len(self.results)

    def order(self, swings: Sequence[int]) -> list[int]:
        """The moves, the best first. Those that cannot be told from the best one stand by their points."""
        top = int(np.argmax(self.means))
        near = [move for move in range(len(self.means)) if not self._clearly_behind(move, top)]
        far = sorted(set(range(len(self.means))) - set(near), key=lambda move: -self.means[move])
        return [*sorted(near, key=lambda move: (-swings[move], -self.means[move])), *far]

    def leads(self, move: int, other: int) -> bool:
        """Whether a move leads another beyond doubt."""
        return self._clearly_behind(other, move)

    def with_points(self, move: int, mine: int, theirs: int) -> NDArray[np.float64]:
        """The chances after a move in each world, had the round ended with so many points more for each."""
        ended = self.ended[:, move] + np.array([mine, theirs])
        chances: NDArray[np.float64] = races.after_round(ended[:, 0], ended[:, 1], *self.decks).mean(axis=0)
        return chances

    def _clearly_behind(self, move: int, top: int) -> bool:
        gaps = self.results[:, top] - self.results[:, move]
        if self.worlds < _FEWEST:
            return False
        return bool(gaps.mean() > _CLEAR * gaps.std(ddof=1) / sqrt(self.worlds))


def race(
    position: DuelPosition, moves: Sequence[Move], control: Control, worlds: int | None, seed: int
) -> Race | None:
    """What each of my moves is worth for the race; None where there was no time.

    I grab first or, where the opponent has grabbed in this position, second. It has `totals`.
    """
    most = worlds or WORLDS
    grab, line = position.grab, list(position.line_ranks)
    theirs = None
    if grab is not None:
        theirs = _places(line, grab[1])
        line = [_TAKEN if theirs >> place & 1 else rank for place, rank in enumerate(line)]
    mine = np.array([_places(line, move) for move in moves])
    unseen = np.array(position.unseen_ranks, np.int8)
    early, late = position.jokers
    base = np.array(
        [total + points(pile) for total, pile in zip(position.totals or (0, 0), position.piles, strict=True)]
    )
    found: list[NDArray[np.float64]] = []  # (samples of races, worlds, moves)
    noted: list[NDArray[np.int64]] = []  # (worlds, moves, what is noted, players)

    def step(_budget: int) -> tuple[bool, int]:
        done = sum(one.shape[1] for one in found)
        count = min(_CHUNK, most - done)
        decks = deal_worlds(unseen, seed, done, count).astype(np.int64)
        playing = _tiled(position, np.repeat(decks, len(moves), axis=0))
        if theirs is None:
            rounds.exchange(playing, 0, np.tile(mine, count))
            rounds.play_out(playing, 1)
        else:
            rounds.exchange(playing, 1, np.full(playing.count, theirs), np.tile(mine, count))
            rounds.play_out(playing, 0)
        ended = base + playing.points
        chances = races.after_round(ended[:, 0], ended[:, 1], early, late)
        found.append(np.broadcast_to(chances, (races.SAMPLES, count * len(moves))).reshape(-1, count, len(moves)))
        kept = np.stack([ended, playing.aces, playing.jokers], axis=1)
        noted.append(kept.reshape(count, len(moves), *kept.shape[1:]))
        return done + count >= most, count * len(moves)

    races.chances(early, late)  # worked out once, and no part of the time
    control.drive(step, stage="rounds played out", done=lambda: sum(one.shape[1] for one in found) / most)
    if not found:
        return None
    every = np.concatenate(found, axis=1)
    results = every.mean(axis=0)
    by_sample = every.mean(axis=1)
    of_races = by_sample.std(axis=0, ddof=1) / sqrt(races.SAMPLES)
    means, errors = results.mean(axis=0), None
    if len(results) > 1:
        of_worlds = results.std(axis=0, ddof=1) / sqrt(len(results))
        errors = np.sqrt(of_races**2 + of_worlds**2)
    ended, aces, jokers = np.moveaxis(np.concatenate(noted), 2, 0)
    return Race(means, errors, results, ended, aces, jokers, (early, late))


def _places(line: Sequence[int], move: Move) -> int:
    """The set of line places that a move uses."""
    found = 0
    for rank in move.used:
        place = next(place for place, held in enumerate(line) if held == rank and not found >> place & 1)
        found |= 1 << place
    return found


def _tiled(position: DuelPosition, decks: NDArray[np.int64]) -> Worlds:
    """The exchange with each of these decks (worlds, cards)."""
    count = len(decks)
    aces = [min(4, pile.count(1)) for pile in position.piles]
    return Worlds(
        line=np.tile(np.array(position.line_ranks, np.int64), (count, 1)),
        hands=np.tile(np.array(position.hands, np.int64), (count, 1)),
        table=np.full(count, position.table_jokers, np.int64),
        deck=decks,
        place=np.zeros(count, np.int64),
        aces=np.tile(np.array(aces, np.int64), (count, 1)),
        jokers=np.zeros((count, 2), np.int64),
        points=np.zeros((count, 2), np.int64),
        going=np.ones(count, np.bool_),
    )
