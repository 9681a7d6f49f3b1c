"""Games: everything is where their classes say, and what is missing is named."""

from __future__ import annotations

import inspect
import subprocess
import sys

import pytest

from solver import registry
from solver.game import Game
from solver.games.alchemy import Alchemy
from tests.support import places

pytestmark = [pytest.mark.small, pytest.mark.plain]

GAMES = [registry.game(name) for name in registry.names()]


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_everything_is_where_the_game_says(game: Game) -> None:
    assert list(game.missing()) == []


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_functions_take_what_the_methods_say(game: Game) -> None:
    for role in ("asks", "legal_moves", "parse_move", "format_move", "play", "deal", "view", "describe", "score"):
        found = inspect.signature(game.find(role))
        wanted = list(inspect.signature(getattr(Game, role)).parameters.values())[1:]
        if game.places["deck_kind"] is None:  # the game refuses decks by itself
            wanted = [one for one in wanted if one.name != "deck"]
        if not game.dealt_by_rules:  # the game puts options in by itself
            wanted = [one for one in wanted if one.name != "rules"]
        taken = list(found.parameters.values())
        assert [one.kind for one in taken] == [one.kind for one in wanted], role
        for one, other in zip(taken, wanted, strict=True):
            if other.kind is inspect.Parameter.KEYWORD_ONLY:
                assert (one.name, one.default) == (other.name, other.default), role


def test_listing_games_imports_nothing_heavy() -> None:
    script = (
        "import sys; from solver import registry; [registry.game(name).title for name in registry.names()]; "
        "import solver.tricks; "  # which a plain game of another package imports
        "print([name for name in ('pydantic', 'numpy', 'numba', 'rich') if name in sys.modules])"
    )
    command = [sys.executable, "-c", script]
    found = subprocess.run(command, cwd=places.ROOT, capture_output=True, text=True, check=True)
    assert found.stdout == "[]\n"


class Wrong(Alchemy):
    places = {
        "score_type": "solver.answers:Anser",
        "asks": ".positions.mvoes:asks",
        "play": "solver.errors:__doc__",
    }
    warming = ("solver.answers:__doc__", ".solving:hints")


def test_what_is_missing_is_named() -> None:
    game = Wrong()
    assert game.places["deal"] == Alchemy.places["deal"]
    told = "\n".join(game.missing())
    assert "score_type: the game" in told
    assert "'solver.answers:Anser'" in told
    assert "asks: the game" in told
    assert "play: 'solver.errors:__doc__'" in told
    assert "warming: 'solver.answers:__doc__'" in told
    with pytest.raises(ImportError, match=r"the game alchemy has nothing at '.positions.mvoes:asks'"):
        game.asks(game.deal(1))


def test_a_place_without_a_default_has_to_be_named() -> None:
    class Bare(Game):
        package = __name__
        name = "bare"

    told = "\n".join(Bare().missing())
    assert "playing: the game bare has nothing at None" in told


def test_a_misspelt_place_is_refused() -> None:
    with pytest.raises(TypeError, match=r"Misspelt.places: a game has no analize"):

        class Misspelt(Game):
            places = {"analize": ".search:analize"}
