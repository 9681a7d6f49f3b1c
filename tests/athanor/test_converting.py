"""What `convert` does, in Python; and that moves tell of which position they are."""

from __future__ import annotations

import json
from pathlib import Path

import athanor
from api.app import create_app
from api.config import Config

EXAMPLES = Path(__file__).parents[2] / "docs" / "examples"


def test_moves_tell_the_line_of_the_position() -> None:
    client = create_app(Config()).test_client()
    found = client.post("/v1/moves", json={"position": "alchemy solo l=47K29A h=6"}).get_json()
    assert found["text"] == "alchemy solo line=A,2,4,7,9,K hand=6"


def test_convert_in_python() -> None:
    line = "kirin s=1 h=D1D6D+S2S3S- d=G+ m=0:B5STS6S+/B3S4D5D- t=D3BT"
    told = athanor.convert(line)
    assert athanor.parse(told) == athanor.parse(line)
    assert athanor.convert(told) == str(athanor.parse(line))
    game = (EXAMPLES / "kirin-game.txt").read_text(encoding="utf-8")
    kept = athanor.convert(game + game)
    assert [json.loads(one)["game"] for one in kept.splitlines()] == ["kirin", "kirin"]
    assert athanor.convert(athanor.convert(kept)) == kept
