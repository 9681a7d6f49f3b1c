"""The registry and its games: everything is where a game says, and a broken one keeps no other away."""

from __future__ import annotations

import inspect
import logging
import subprocess
import sys
from collections.abc import Iterator
from importlib.metadata import EntryPoint
from pathlib import Path
from typing import Any

import pytest

import athanor
from solver import positions, registry
from solver.errors import AthanorError, PositionError, RequestError
from solver.game import Game
from solver.games.alchemy import Alchemy
from solver.games.kirin import GAME as KIRIN
from solver.language import speaking
from solver.positions import text_of
from tests.support import guests, places
from tests.support.games import OWN


@pytest.fixture
def entries(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[EntryPoint]]:
    """The entry points that there are; the test fills the list."""
    found: list[EntryPoint] = []
    monkeypatch.setattr(registry, "_entry_points", lambda: found)
    registry.forget_guests()
    yield found
    monkeypatch.undo()
    registry.forget_guests()


def entry(name: str, value: str) -> EntryPoint:
    return EntryPoint(name, value, registry.GROUP)


def test_athanors_own_games() -> None:
    folders = {path.parent.name for path in (places.ROOT / "solver" / "games").glob("*/__init__.py")}
    assert {name.replace("-", "_") for name in OWN} == folders
    assert registry.names()[: len(OWN)] == OWN
    assert registry.game("kirin") is KIRIN
    with pytest.raises(
        RequestError, match=f"there is no game called 'chess'; possible: {', '.join(OWN)}"
    ) as found:
        registry.game("chess")
    assert (found.value.code, found.value.path) == ("unknown_game", "game")


def test_a_game_of_athanors_own_is_found_without_a_look_around(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail() -> Any:
        raise AssertionError("entry points were read")

    monkeypatch.setattr(registry, "_entry_points", fail)
    registry.forget_guests()
    assert registry.game("kirin") is KIRIN
    monkeypatch.undo()


@pytest.mark.parametrize(
    ("name", "value", "why"),
    [
        ("broken", "solver.games.no_such_module:GAME", "cannot be loaded: ModuleNotFoundError"),
        ("broken", "solver.games.kirin:NOTHING", "cannot be loaded: AttributeError"),
        ("broken", "solver.games.kirin.deck:CARDS", "is no game: it has no package, name, title, players"),
        ("broken", "solver.games.kirin:GAME", "is called 'kirin', not 'broken'"),
        ("kirin", "solver.games.king:GAME", "has the name of another game"),
    ],
)
def test_a_broken_entry_point_is_told_and_left_out(
    entries: list[EntryPoint], caplog: pytest.LogCaptureFixture, name: str, value: str, why: str
) -> None:
    entries.append(entry(name, value))
    with caplog.at_level(logging.WARNING):
        assert registry.names() == OWN
    assert [record.getMessage() for record in caplog.records if why in record.getMessage()]
    if name == "broken":
        with pytest.raises(RequestError) as found:
            registry.game(name)
        assert why in str(found.value)
        assert found.value.code == "unknown_game"
    else:
        assert registry.game("kirin") is KIRIN


SECOND = """
from typing import Literal
from pydantic import BaseModel
from solver.games.kirin import Kirin

class Position(BaseModel):
    game: Literal["{tag}"]

class Second(Kirin):
    name = "second"
    places = {"position_type": "second:Position"}

GAME = Second()
"""
TELLING = """
from solver import positions, registry
print(registry.names())
positions.type_of_all("position_type")  # where all games are read side by side
print(positions.parse_position({"game": "kirin", "seat": 0, "leader": 0,
    "hand": ["D1", "D2", "D3", "D4", "D5", "D6", "DT", "D+", "D-"]}).game)
try:
    print(registry.game("second").title)
except Exception as error:
    print(error)
print(registry.names())
"""


@pytest.mark.parametrize(
    ("tag", "why"),
    [
        ("kirin", "mapped to multiple choices"),
        ("third", "none of them has 'second' for its game"),
        ("second", "none of them has 'second' for its game"),  # of its records, which are kirin's
    ],
)
def test_a_game_whose_positions_are_not_its_own_is_left_out(tmp_path: Path, tag: str, why: str) -> None:
    guests.install(tmp_path, "second", SECOND.replace("{tag}", tag))
    found = guests.run(tmp_path, TELLING)
    assert found.returncode == 0, found.stderr
    first, game, error, last = found.stdout.splitlines()
    assert "'second'" in first
    assert game == "kirin"
    assert "the game 'second' is left out: its positions cannot be read" in error
    assert why in error
    assert "'second'" not in last
    assert "The game 'second' is left out" in found.stderr


def test_the_command_goes_on_beside_a_broken_game(tmp_path: Path) -> None:
    guests.install(tmp_path, "broken", "raise OSError('out of order')")
    script = "import sys; from api.cli.main import main; sys.argv = ['athanor', *{!r}]; main()"
    found = guests.run(tmp_path, script.format(["deal", "kirin", "--seed", "1"]))
    assert found.returncode == 0, found.stderr
    assert found.stdout.startswith('{"game": "kirin"')
    assert "out of order" in found.stderr
    found = guests.run(tmp_path, script.format(["deal", "broken"]))
    assert found.returncode == 2
    assert "there is no game called 'broken'" in found.stderr
    found = guests.run(tmp_path, script.format(["--help"]))
    assert found.returncode == 0
    assert "winrate" in found.stdout  # a command that a game brings


def test_a_game_that_is_left_out_later(entries: list[EntryPoint]) -> None:
    assert registry.guests() == ()
    registry.leave_out("third", "it fails")
    with pytest.raises(AthanorError, match="the game 'third' is left out: it fails"):
        registry.game("third")
    assert positions.parse_position({"game": "kirin", "seat": 0, "leader": 0, "hand": "D1"} | {"hand": _NINE})


_NINE = ["D1", "D2", "D3", "D4", "D5", "D6", "DT", "D+", "D-"]


def test_packages_are_searched_without_their_metadata_where_none_has_a_game(tmp_path: Path) -> None:
    assert not registry._may_name_a_game(str(tmp_path / "none"))
    for name, entry in (("one", "[console_scripts]\none = one:main\n"), ("two", None)):
        about = tmp_path / f"{name}-1.0.dist-info"
        about.mkdir()
        if entry is not None:
            (about / "entry_points.txt").write_text(entry)
    assert not registry._may_name_a_game(str(tmp_path))
    guests.install(tmp_path, "fine", "GAME = 1")
    assert registry._may_name_a_game(str(tmp_path))
    archive = tmp_path / "packages.zip"
    archive.write_bytes(b"")
    assert registry._may_name_a_game(str(archive))  # only `importlib.metadata` reads it


# ----------------------------------------------------------------------------------------------------
# Games: everything is where their classes say, and what is missing is named.


GAMES = [registry.game(name) for name in registry.names()]


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_everything_is_where_the_game_says(game: Game) -> None:
    assert list(game.missing()) == []


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_functions_take_what_the_methods_say(game: Game) -> None:
    for role in ("parse_move", "deal", "describe", "score"):
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
    for role, count in {
        "asks": 1,
        "legal_moves": 1,
        "format_move": 2,
        "play": 2,
        "view": 2,
        "possible": 1,
    }.items():
        kinds = [parameter.kind for parameter in inspect.signature(getattr(game, role)).parameters.values()]
        assert kinds == [inspect.Parameter.POSITIONAL_OR_KEYWORD] * count, role


def test_legal_moves_import_no_search() -> None:
    lines = [str(registry.game(name).deal(1)) for name in OWN]
    script = (
        f"import athanor, sys; [athanor.legal_moves(line) for line in {lines}]; "
        "print([name for name in ('numpy', 'solver.search', 'solver.hints') if name in sys.modules])"
    )
    command = [sys.executable, "-c", script]
    found = subprocess.run(command, cwd=places.ROOT, capture_output=True, text=True, check=True)
    assert found.stdout == "[]\n"


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
    assert "score_type: solver.games.alchemy has nothing" in told
    assert "'solver.answers:Anser'" in told
    assert "asks: solver.games.alchemy has nothing" in told
    assert "play: 'solver.errors:__doc__'" in told
    assert "warming: 'solver.answers:__doc__'" in told
    with pytest.raises(ImportError, match=r"solver.games.alchemy has nothing at '.positions.mvoes:asks'"):
        game.asks(game.deal(1))


def test_a_place_without_a_default_has_to_be_named() -> None:
    class Bare(Game):
        package = __name__
        name = "bare"

    told = "\n".join(Bare().missing())
    assert f"playing: {__name__} has nothing at None" in told


def test_a_misspelt_place_is_refused() -> None:
    with pytest.raises(TypeError, match=r"Misspelt.places: a game has no analize"):

        class Misspelt(Game):
            places = {"analize": ".search:analize"}


# How many may play. ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", registry.names())
def test_a_number_of_players_that_a_game_is_not_for(name: str) -> None:
    """In every form and language; the number that a game is for may be given, too."""
    game = registry.game(name)
    fewest, most = game.players
    usual = f"{fewest}" if fewest == most else f"{fewest} to {most}"
    for players in range(1, 8):
        if fewest <= players <= most:
            continue
        wanted = f"{name} is for {usual} players, not for {players}"
        for sent in (
            f"{name} players={players} seat=0 hand=- leader=0",
            f"{name} hand=- n={players}",
            {"game": name, "players": players},
        ):
            with pytest.raises(PositionError) as refused:
                athanor.parse(sent)
            assert [fault.message for fault in refused.value.faults] == [wanted]
        with pytest.raises(RequestError) as not_dealt:
            athanor.deal(name, players=players)
        with pytest.raises(RequestError) as not_played:
            athanor.match(name, players=players)
        assert not_dealt.value.message == not_played.value.message == wanted
    with speaking("ja"), pytest.raises(PositionError, match=f"{name}は.*人用です"):
        athanor.parse(f"{name} players=99")
    dealt = athanor.deal(name, seed=1)
    if "hands" in game.notation.values:
        assert text_of(athanor.parse(f"{dealt} players={len(dealt.hands)}")) == text_of(dealt)


def test_the_variants_of_alchemy_are_for_one_player_or_for_two() -> None:
    line = "line=4,7,K,2,9,A hand=6"
    assert athanor.parse(f"alchemy solo {line} players=1") == athanor.parse(f"alchemy solo {line}")
    assert athanor.parse(f"alchemy duel {line} opponent_hand=K n=2")
    for variant, players, wanted in (
        ("solo", 2, "1 player,"),
        ("free", 2, "1 player,"),
        ("duel", 1, "2 players,"),
    ):
        with pytest.raises(PositionError, match=f"^players: {variant} is for {wanted} not for {players}$"):
            athanor.parse(f"alchemy {variant} {line} players={players}")
