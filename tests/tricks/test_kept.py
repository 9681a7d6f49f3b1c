"""What positions keep once it is worked out: as good as afresh after moves, copies and pickles."""

from __future__ import annotations

import pickle
from functools import cached_property
from typing import Any

import pytest
from pydantic import BaseModel

from solver import registry
from solver.common import Random
from solver.errors import RequestError
from solver.positions import parse_position, position_data
from solver.tricks import positions

GAMES = ("kirin", "king", "aqua-regia")


def kept_by(kind: type[BaseModel]) -> list[str]:
    """The names of what a kind of position keeps."""
    return [name for name in dir(kind) if isinstance(getattr(kind, name, None), cached_property)]


def played(name: str, seed: int, moves: int) -> BaseModel:
    """A position after random moves, everything that it keeps worked out on the way."""
    game, random = registry.game(name), Random(seed)
    position = game.deal(seed)
    for _ in range(moves):
        legal = game.legal_moves(position)
        if not legal:
            break
        values_of(position)
        position = game.play(position, legal[random.below(len(legal))])
    return position


def values_of(position: BaseModel) -> dict[str, Any]:
    return {name: getattr(position, name) for name in kept_by(type(position))}


@pytest.mark.parametrize("name", GAMES)
def test_what_is_kept_is_as_good_as_afresh(name: str) -> None:
    for seed in range(12):
        known = played(name, seed, 3 * seed)
        try:
            views = [registry.game(name).view(known, seat) for seat in range(3)]
        except RequestError:  # the game is over
            continue
        for position in (known, *views):
            fresh = parse_position(position_data(position))
            assert "past" in values_of(position) or name == "aqua-regia"
            assert position == fresh
            assert values_of(position) == values_of(fresh) == values_of(pickle.loads(pickle.dumps(position)))
            assert position == fresh == pickle.loads(pickle.dumps(position))
            assert hash(position) == hash(fresh)
            assert values_of(position.model_copy()) == values_of(fresh)


@pytest.mark.parametrize("name", GAMES)
def test_a_changed_copy_forgets_what_was_kept(name: str) -> None:
    """A copy with fewer tricks told works out its past from those."""
    view = registry.game(name).view(played(name, 5, 20), 0)
    told = view.history  # type: ignore[attr-defined]
    assert told
    values_of(view)
    changed = view.model_copy(update={"history": ()})
    assert not changed.__dict__.keys() & set(kept_by(type(view)))
    assert set(kept_by(type(view))) <= {*view.__dict__}
    assert changed != view


@pytest.mark.parametrize("name", ["kirin", "king"])
def test_a_view_replays_its_history_once(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Reading it, its moves, its description, and all that a hint asks of it."""
    game = registry.game(name)
    data = position_data(game.view(played(name, 3, 22), 0))
    counts, replay = [], positions.replay

    def counted(*arguments: Any) -> Any:
        counts.append(arguments)
        return replay(*arguments)

    monkeypatch.setattr(positions, "replay", counted)
    view: Any = parse_position(data)
    assert len(counts) == 1
    game.legal_moves(view)
    game.describe(view)
    assert not view.past.excluded(view.seat) & view.hand_mask
    assert len(counts) == 1
