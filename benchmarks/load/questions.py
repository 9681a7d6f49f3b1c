"""What clients ask of a service under load: questions about random moments of random rounds of every game."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Iterator
from importlib import resources
from typing import NamedTuple

from pydantic import BaseModel

from solver import decks, registry
from solver.answers import ASK
from solver.common import Random
from solver.errors import AthanorError
from solver.game import Game
from solver.positions import position_data

SMALL_SECONDS = 0.05  # of a small hint
_LONGEST = 28  # moves played before a question
_PUZZLES = 3  # of a file
_RECORD = {"game": "aqua-regia", "rounds": [{"counts": [0, 3, 2]}, {"counts": [4, 0, 1]}]}
_FREE = {"game": "alchemy", "variant": "free", "min_line": 1, "line": list("2355789JQ"), "hand": "9"}


class Asked(NamedTuple):
    """A request. `kind` is what the report counts it under; `body` is None for a GET."""

    kind: str
    path: str
    body: bytes | None


class Questions(NamedTuple):
    """Those that take hardly any time, and those that take all that they are given."""

    small: list[Asked]
    heavy: list[Asked]


def questions(count: int, seconds: float, seed: int) -> Questions:
    """About `count` of each kind and game; `seconds` is the limit of each heavy one."""
    moments = [moment for name in registry.names() for moment in _moments(name, count, seed)]
    small = [*_told(count), *(_hint(moment, SMALL_SECONDS) for moment in _asked("hint", moments))]
    heavy = [
        *(_hint(moment, seconds) for moment in _asked("hint", moments)),
        *(analysis for moment in _asked("analyze", moments) for analysis in _analyses(moment, seconds)),
        *_compoundings(count, seconds),
        *[_post("analyze alchemy", "/v1/analyze", {"position": _FREE})] * count,
        *_files(_asked("analyze", moments), seconds),
    ]
    return Questions(small, heavy)


def _moments(name: str, count: int, seed: int) -> Iterator[BaseModel]:
    """Positions and views of random rounds of one game."""
    game = registry.game(name)
    random = Random(seed)
    for variant in game.variants or (None,):
        for number in range(count):
            try:
                position = game.deal(seed, number=number, variant=variant)
            except AthanorError:  # not every variant is dealt
                break
            position = _later(game, position, random)
            if game.legal_moves(position):
                yield position
                yield _seen(game, position)


def _later(game: Game, position: BaseModel, random: Random) -> BaseModel:
    """The position after some random moves."""
    for _ in range(random.below(_LONGEST)):
        moves = game.legal_moves(position)
        if not moves:
            break
        try:
            position = game.play(position, moves[random.below(len(moves))])
        except AthanorError:  # not every variant is played on from a position
            break
    return position


def _seen(game: Game, position: BaseModel) -> BaseModel:
    """What the seat to move sees."""
    return game.view(position, getattr(position, "seat_to_move", 0))


def _asked(ask: str, moments: list[BaseModel]) -> list[BaseModel]:
    return [moment for moment in moments if ask in registry.game(_game(moment)).asks(moment)]


def _game(position: BaseModel) -> str:
    name: str = position.game  # type: ignore[attr-defined]
    return name


def _post(kind: str, path: str, body: object) -> Asked:
    return Asked(kind, path, json.dumps(body).encode())


def _hint(view: BaseModel, seconds: float) -> Asked:
    size = "small " if seconds == SMALL_SECONDS else ""
    body = {"position": position_data(view), "limit": {"seconds": seconds}}
    return _post(f"{size}hint {_game(view)}", "/v1/hint", body)


def _analyses(position: BaseModel, seconds: float) -> Iterator[Asked]:
    name = _game(position)
    body = {"position": position_data(position), "limit": {"seconds": seconds}}
    for model in registry.game(name).models or (None,):
        asked = body if model is None else {**body, "model": model}
        yield _post(f"analyze {name}", "/v1/analyze", asked)


def _told(count: int) -> Iterator[Asked]:
    """Questions that need no search."""
    for number in range(count):
        yield Asked("told", "/healthz", None)
        yield Asked("told", "/v1/games", None)
        for name in registry.names():
            yield _post("told", "/v1/deal", {"game": name, "number": number})
        yield _post("told", "/v1/score", _RECORD)
    yield Asked("told", "/openapi.json", None)


def _compoundings(count: int, seconds: float) -> Iterator[Asked]:
    for name in registry.names():
        question = registry.game(name).questions.get(ASK)
        for example in question.examples.values() if question else ():
            for _ in range(count):
                yield _post(f"compound {name}", "/v1/compound", {**example.body, "limit": {"seconds": seconds}})


def _files(moments: list[BaseModel], seconds: float) -> Iterator[Asked]:
    """Puzzle files, each with puzzles of several games."""
    random = Random(len(moments))
    for number in range(len(moments) // _PUZZLES):
        puzzles = []
        for place in range(_PUZZLES):
            position = moments[random.below(len(moments))]
            asks = registry.game(_game(position)).asks(position)
            ask = next(ask for ask in ("best-move", "value", "winnable", "all-matches") if ask in asks)
            puzzles.append(
                {"id": f"{number}-{place}", "title": "Load", "ask": ask, "position": position_data(position)}
            )
        yield _post("solve", f"/v1/solve?seconds={seconds}", {"puzzle": puzzles})


def strange(random: Random) -> Asked:
    """A short hint about a fresh deal with a deck that nobody has sent yet: another title, other bonuses."""
    kinds = decks.kinds()
    kind = kinds[random.below(len(kinds))]
    game = registry.game(kind.game)
    file = resources.files(kind.package).joinpath("decks", kind.house_file)
    deck = tomllib.loads(file.read_text(encoding="utf-8"))
    deck["title"] = f"Deck {random.word()}"
    for card in deck[kind.key]:
        if "recipe" in card:
            card["recipe"]["bonus"] = random.below(20)
    view = position_data(game.view(game.deal(random.below(1 << 30)), 0))
    return _post(
        "strange deck", "/v1/hint", {"position": {**view, "deck": deck}, "limit": {"seconds": SMALL_SECONDS}}
    )
