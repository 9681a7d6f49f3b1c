"""A line is taken wherever a position is, and every answer tells the line of its position."""

from __future__ import annotations

import re

import pytest
from flask.testing import FlaskClient

import athanor
from api.app import create_app
from api.config import Config
from puzzles import format as puzzle_format
from solver import registry

DUEL = "alchemy duel line=A,6,10,J,Q,K hand=9 opponent_hand=5"
PUZZLE = f'[[puzzle]]\nid = "1"\ntitle = "One"\nask = "value"\nposition = "{DUEL}"\n'


@pytest.fixture(scope="module")
def client() -> FlaskClient:
    return create_app(Config()).test_client()


def test_python() -> None:
    position = athanor.parse(DUEL)
    assert athanor.parse(DUEL.encode()) == position == athanor.game("alchemy").parse(DUEL)
    answer = athanor.analyze(DUEL)
    assert answer.text == DUEL
    assert athanor.analyze(answer.text).value == answer.value
    assert "Text" not in str(answer)


def test_http(client: FlaskClient) -> None:
    told = client.post("/v1/analyze", json={"position": DUEL}).get_json()
    assert told["text"] == DUEL
    moves = client.post("/v1/moves", json={"position": DUEL}).get_json()
    assert len(moves["moves"]) == len(told["moves"])
    wrong = client.post("/v1/analyze", json={"position": "alchemy duel lien=A,2 hand=Z"})
    faults = wrong.get_json()["error"]["faults"]
    assert wrong.status_code == 422
    assert [fault["path"] for fault in faults] == ["lien", "opponent_hand", "hand"]


def test_puzzle_files() -> None:
    (puzzle,) = puzzle_format.loads(PUZZLE).puzzles
    assert puzzle.position == athanor.parse(DUEL)
    assert puzzle_format.loads(puzzle_format.dumps(puzzle_format.loads(PUZZLE))).puzzles == (puzzle,)
    with pytest.raises(athanor.PuzzleError) as found:
        puzzle_format.loads(PUZZLE.replace("hand=9", "hand=Z"))
    assert (found.value.path, found.value.line) == ("puzzle[0].position.hand", 5)


def beside_cards(line: str) -> int:
    """How many characters of a line are no cards, nor the commas between them."""
    return sum(len(re.sub(r"[A-Z][a-z]?[0-9T+-]*(?=[,/: ]|$),?", "", word)) + 1 for word in line.split())


@pytest.mark.parametrize(("name", "moves"), [("kirin", 10), ("king", 26), ("aqua-regia", 8)])
def test_what_is_typed_beside_the_cards_is_short(name: str, moves: int) -> None:
    """A view on the third trick of Kirin, after five tricks of King, and after eight moves of Aqua Regia."""
    game = registry.game(name)
    position = game.deal(5)
    for _ in range(moves):
        position = game.play(position, game.legal_moves(position)[0])
    view = athanor.view(position, 1)
    typed = re.sub(r"/[0-4]:(?=[^/]*,)", "/", str(view)).replace(":take:", ":t:").replace(":give:", ":g:")
    if name == "aqua-regia":
        typed = str(view)
    assert athanor.parse(typed.lower()) == athanor.parse(str(view))
    assert beside_cards(typed) < 90, typed


def test_the_issues_solitaire() -> None:
    assert str(athanor.parse("alchemy solo line=4,7,K,2,9,A hand=6")) == "alchemy solo line=A,2,4,7,9,K hand=6"
