"""The examples from outside through every public door: Python, HTTP, puzzle files, the terminal.

`tests.examples.test_examples` runs this in a process that has the package; pytest does not collect it by itself.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import platformdirs
import pytest
from click.testing import CliRunner
from flask.testing import FlaskClient

import athanor
from api.app import create_app
from api.cli.main import cli
from api.config import Config
from api.page.book import Solved, book
from puzzles.format import loads
from solver.positions import described, position_data
from tests.api.support import refused


@dataclass(frozen=True)
class Example:
    """What is asked about a game: an ending whose two moves are known, and what a position shows for it."""

    name: str
    label: str
    hands: list[list[str]]
    values: tuple[tuple[str, int], tuple[str, int]]  # the better one first, for the seat to move
    total: int  # of all scores at the end
    fields: dict[str, Any]
    moves: int  # of a player in a round

    @property
    def ending(self) -> dict[str, Any]:
        return {"game": self.name, "leader": 0, "hands": self.hands, **self.fields}

    def puzzle(self, best: str) -> str:
        position = ", ".join(f"{key} = {json.dumps(value)}" for key, value in self.ending.items())
        solution = f'solution = {{ best = ["{best}"], value = {self.values[0][1]} }}'
        return f'[[puzzle]]\nid = "x"\ntitle = "X"\nask = "best-move"\nposition = {{ {position} }}\n{solution}\n'


WHIST = Example(
    "whist",
    "Trumps",
    [["SA", "S2"], ["SK", "H2"], ["S3", "H3"], ["SQ", "D2"]],
    (("SA", 2), ("S2", 1)),
    4,
    {"trump": "H"},
    8,
)
HEARTS = Example(
    "hearts",
    "Shooting the moon",
    [["H2", "HA"], ["H3", "SA"], ["H5", "SK"], ["SQ", "CA"]],
    (("H2", 0), ("HA", -17)),
    -17,
    {},
    13,
)
each_example = pytest.mark.parametrize("example", [HEARTS, WHIST], ids=lambda example: example.name)


@pytest.fixture(scope="module")
def client() -> FlaskClient:
    return create_app(Config(default_seconds=60, max_seconds=60, hint_seconds=0.2)).test_client()


@each_example
def test_python(example: Example) -> None:
    answer = athanor.analyze(athanor.parse(example.ending), model="maxn")
    assert answer.exact
    assert isinstance(answer.value, tuple)
    assert sum(answer.value) == example.total
    ending: Any = athanor.parse(example.ending)
    (own,) = ending.about
    assert own == (example.label, "♥ Hearts" if example is WHIST else "yes")
    position = athanor.deal(example.name, seed=3)
    seat = athanor.to_move(position)
    assert seat is not None
    view = athanor.view(position, seat=seat)
    hint = athanor.hint(view, seconds=0.2)
    assert sorted(entry.move for entry in hint.moves) == sorted(athanor.legal_moves(position))
    after = athanor.play(position, str(hint.best))
    assert after.trick == (hint.best,)
    assert athanor.parse(str(view)) == view
    assert example.label in described(view)
    assert "<table" in view._repr_html_()


@each_example
def test_http(client: FlaskClient, example: Example) -> None:
    found = client.post("/v1/analyze", json={"position": example.ending})
    assert found.status_code == 200, found.text
    assert tuple((entry["move"], entry["value"]) for entry in found.get_json()["moves"]) == example.values
    position = athanor.deal(example.name, seed=3)
    view = position_data(athanor.view(position, seat=athanor.to_move(position) or 0))
    found = client.post("/v1/hint", json={"position": view, "worlds": 100, "seed": 1})
    assert found.status_code == 200, found.text
    assert found.get_json()["worlds"] == 100
    wrong = example.ending | {"hands": [*example.hands[:3], [example.hands[3][0], "X2"]]}
    refused(client.post("/v1/analyze", json={"position": wrong}), 422, "illegal_card", "position.hands[3][1]")
    assert example.name in client.get("/openapi.json").text


@each_example
def test_puzzle_files(example: Example) -> None:
    (best, _), (worse, _) = example.values
    [right] = athanor.solve(example.puzzle(best))
    [wrong] = athanor.solve(example.puzzle(worse))
    assert (right.status, wrong.status) == ("confirmed", "refuted")
    [puzzle] = loads(example.puzzle(best)).puzzles
    (text,) = book([Solved("", puzzle, right)])
    assert f"<dt>{example.label}</dt>" in text


@each_example
def test_the_terminal(example: Example, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(platformdirs, "user_state_path", lambda *_, **__: tmp_path)
    options = ["play", example.name, "--seed", "3", "--rounds", "1", "--seconds", "0.05"]
    played = CliRunner().invoke(cli, options, input="hint\n" + "1\n" * example.moves)
    assert played.exit_code == 0, played.output
    assert "the trick goes to" in played.output
    assert example.name in CliRunner().invoke(cli, ["rules", example.name]).output.lower()
