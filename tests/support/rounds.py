"""Random rounds of every registered game: its deals, and positions and views that come of them."""

from __future__ import annotations

import random
from collections.abc import Iterator
from functools import cache
from typing import Any, NamedTuple

import pytest
from pydantic import BaseModel

from solver import registry
from solver.common import Random
from solver.errors import AthanorError, RequestError
from solver.limits import Control, Limit
from solver.registry import game_of

SEEDS = (1, 2)
ENDINGS = (9, 7, 5, 4, 3, 2)  # where a round is analyzed, in positions counted from its end
NODES = 20_000


class Case(NamedTuple):
    """A way to deal a game."""

    name: str
    players: int | None
    variant: str | None

    @property
    def game(self) -> Any:
        return registry.game(self.name)

    def deal(self, seed: int) -> BaseModel:
        found: BaseModel = self.game.deal(seed, players=self.players, variant=self.variant)
        return found


def _cases() -> Iterator[Case]:
    for name in registry.names():
        game = registry.game(name)
        for variant in game.variants or (None,):
            for players in range(game.players[0], game.players[1] + 1):
                case = Case(name, players, variant)
                try:
                    case.deal(1)
                except AthanorError:  # not every variant is dealt, or for every number of players
                    continue
                yield case


CASES = list(_cases())
_FEWEST = {(case.name, case.variant): case for case in reversed(CASES)}
FEWEST = [case for case in CASES if case in _FEWEST.values()]  # each variant with the fewest players
each_case = pytest.mark.parametrize("case", CASES, ids=lambda case: "-".join(str(part) for part in case if part))
each_game = pytest.mark.parametrize("name", registry.names())


@cache
def playout(case: Case, seed: int) -> tuple[BaseModel, ...]:
    """A round at random from its deal to its end, or as far as positions are played on."""
    game, random = case.game, Random(seed)
    found = [case.deal(seed)]
    while moves := list(game.legal_moves(found[-1])):
        try:
            found.append(game.play(found[-1], moves[random.below(len(moves))]))
        except RequestError:
            break
    return tuple(found)


@cache
def _begun(case: Case, seed: int) -> tuple[random.Random, list[BaseModel]]:
    return random.Random(seed), [case.deal(seed)]


def played(case: Case, seed: int, moves: int) -> BaseModel:
    """A round after so many moves at random, each of which is made once for all who ask for this round."""
    chance, found = _begun(case, seed)
    while len(found) <= moves:
        found.append(case.game.play(found[-1], chance.choice(case.game.legal_moves(found[-1]))))
    return found[moves]


@cache
def positions(case: Case) -> tuple[BaseModel, ...]:
    """Some of all stages of random rounds: the first, the last ones, and every fifth between."""
    rounds = [playout(case, seed) for seed in SEEDS]
    return tuple(position for played in rounds for position in (*played[:-3:5], *played[-3:]))


@cache
def endings(case: Case) -> tuple[BaseModel, ...]:
    """Of each random round the earliest position that is analyzed within `NODES` under every model."""
    found = []
    for seed in SEEDS:
        for back in ENDINGS:
            position = playout(case, seed)[-back:][0]
            answers = (case.game.analyze(position, short(), model=model) for model in models(case))
            if "analyze" in case.game.asks(position) and all(answer.exact for answer in answers):
                found.append(position)
                break
    return tuple(found)


def short() -> Control:
    return Control(Limit(nodes=NODES))


def models(case: Case) -> list[str | None]:
    return list(case.game.models) or [None]


@cache
def views(case: Case) -> tuple[BaseModel, ...]:
    """What the seat to move sees, where it can be asked for a hint."""
    found = []
    for position in positions(case):
        game = case.game
        if not game.legal_moves(position):
            continue
        seat = getattr(position, "seat_to_move", 0)
        view = game.view(position, seat)
        if "hint" in game.asks(view):
            found.append(view)
    return tuple(found)


def texts(position: BaseModel) -> list[str]:
    game = game_of(position)
    return [game.format_move(position, move) for move in game.legal_moves(position)]
