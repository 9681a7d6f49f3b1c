"""A client that a generator makes of the document, and whole games that it drives with no guess."""

from __future__ import annotations

import importlib
import json
import re
import subprocess
import sys
from collections.abc import Iterator
from types import ModuleType
from typing import Any

import httpx
import pytest

from api.app import create_app
from api.config import Config
from api.openapi import document_text
from solver import registry
from solver.games.alchemy.deck import points
from solver.games.alchemy.position import ranks_of, winner_of
from tests.api.support import warmed

CONFIG = Config()
PACKAGE = "athanor_generated_client"
STREAMS = ("application/x-ndjson", "application/toml")  # of which the generator knows nothing
SETTINGS = {"post_hooks": [], "content_type_overrides": dict.fromkeys(STREAMS, "application/octet-stream")}
KINDS = [(name, variant) for name in registry.names() for variant in registry.game(name).variants or (None,)]
NOT_DEALT = ("alchemy", "free")


class Client:
    """The generated client's functions by the names of the operations, and its models."""

    def __init__(self) -> None:
        self.models = importlib.import_module(f"{PACKAGE}.models")
        made = importlib.import_module(f"{PACKAGE}.client")
        transport = httpx.WSGITransport(app=create_app(CONFIG))
        self._client = made.Client(base_url="http://localhost", httpx_args={"transport": transport})

    def __call__(self, operation: str, *, refused: bool = False, **asked: Any) -> Any:
        """What the service answers, as the generated client reads it; the body's keys are `asked`."""
        tag = "questions" if operation == "hint" else "games"
        function: ModuleType = importlib.import_module(f"{PACKAGE}.api.{tag}.{operation}")
        body = getattr(self.models, f"{operation.capitalize()}Request")(**asked)
        found = function.sync(client=self._client, body=body)
        assert isinstance(found, self.models.Error) == refused, found
        assert found is not None
        return found


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Client]:
    warmed()
    folder = tmp_path_factory.mktemp("generated")
    (folder / "openapi.json").write_bytes(document_text(CONFIG))
    (folder / "settings.json").write_text(json.dumps(SETTINGS))
    options = f"--path openapi.json --meta none --output-path {PACKAGE} --config settings.json"
    command = [sys.executable, "-m", "openapi_python_client", "generate", *options.split()]
    ran = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stdout + ran.stderr
    assert "warning" not in (ran.stdout + ran.stderr).lower()
    sys.path.insert(0, str(folder))
    yield Client()
    sys.path.remove(str(folder))


def test_names_that_a_client_can_bear(client: Client) -> None:
    models = vars(client.models)
    assert {"KirinView", "KingPosition", "AquaView", "AlchemyDuelPosition", "HintRequest", "Fault"} <= set(models)
    assert not [name for name in models if "solver" in name.lower() or "__" in name.strip("_")]


def test_a_client_has_every_call(client: Client) -> None:
    calls = [call for path in json.loads(document_text(CONFIG))["paths"].values() for call in path.values()]
    operations = [call for call in calls if isinstance(call, dict)]
    assert len(operations) > 30
    for call in operations:
        name = re.sub(r"(?<=[a-z])(?=[A-Z])", "_", call["operationId"]).lower()
        assert importlib.import_module(f"{PACKAGE}.api.{call['tags'][0]}.{name}").sync_detailed, name


@pytest.mark.parametrize(("game", "variant"), [kind for kind in KINDS if kind != NOT_DEALT], ids=str)
def test_a_whole_game(client: Client, game: str, variant: str | None) -> None:
    """Seat 0 does as its hint says; the others make their first legal move."""
    wanted = {"game": client.models.DealRequestGame(game), "variant": variant, "seed": 5}
    table = client("deal", **{key: value for key, value in wanted.items() if value is not None})
    seat: int | None = client("moves", position=table.text).to_move
    hinted = 0
    for _ in range(300):
        if seat is None:
            break
        moves = client("moves", position=table.text).moves
        move = moves[0]
        if seat == 0:
            view = client("view", position=table.text, seat=0).text
            move = client("hint", position=view, worlds=2, limit=client.models.HintLimit(nodes=2000)).best
            assert move in moves
            hinted += 1
        table = client("play", position=table.text, moves=[move])
        seat = table.to_move
    assert seat is None
    assert hinted >= 3
    assert table.position.game == game


def test_a_race_to_100(client: Client) -> None:
    """A duel round after round: either seat grabs first by turns, and when a round is over the next is dealt."""
    table = client("play", position="alchemy duel rules=two_jokers totals=0,0 line=-", moves=["deal 5"])
    totals, dealt, turn = [(0, 0)], 1, 0
    while True:
        while table.to_move is not None:
            turn += 1
            found = client("moves", position=table.text)
            grabs = found.possible if turn & 2 and found.possible else found.moves
            table = client("play", position=table.text, moves=[max(grabs, key=len)])
        mine, theirs = (points(ranks_of(pile)) for pile in (table.position.pile, table.position.opponent_pile))
        totals.append((totals[-1][0] + mine, totals[-1][1] + theirs))
        if winner_of(totals[-1]) is not None:
            break
        table = client("play", position=table.text, moves=[f"deal 5 {dealt}"])
        dealt += 1
        assert tuple(table.position.totals) == totals[-1]
    assert dealt > 1
    refused = client("play", refused=True, position=table.text, moves=["deal 6"])
    assert refused.error.message == f"the race is over: {totals[-1][0]} to {totals[-1][1]} points"
