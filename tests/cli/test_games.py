"""Deals, rules, scores, surveys over many deals, and the server as a command."""

from __future__ import annotations

import hashlib
import json
import os
import re
import socket
from collections.abc import Callable
from pathlib import Path

import pytest
from pydantic import TypeAdapter

from api.config import Config
from solver import registry
from tests.cli.support import Run


def test_a_deal_is_the_same_for_ever(athanor: Run) -> None:
    first = athanor("deal", "alchemy", "--seed", "7")
    assert (first.exit_code, first.stderr) == (0, "")
    position = json.loads(first.stdout)
    assert len(position["stock"]) == 52 - 7
    assert athanor("deal", "alchemy", "--seed", "7").stdout == first.stdout
    assert athanor("deal", "alchemy", "--seed", "7", "--number", "1").stdout != first.stdout
    assert "opponent_hand" in json.loads(athanor("deal", "alchemy", "--seed", "7", "--variant", "duel").stdout)
    view = json.loads(athanor("deal", "alchemy", "--seed", "7", "--seat", "0").stdout)
    assert "stock" not in view
    assert sorted(view["unseen"]) == sorted(position["stock"])


def test_a_deal_without_a_seed_tells_it(athanor: Run) -> None:
    result = athanor("deal", "alchemy")
    seed = result.stderr.split()[1]
    assert result.stderr == f"seed {seed}\n"
    assert athanor("deal", "alchemy", "--seed", seed).stdout == result.stdout


def test_a_deal_can_be_analyzed(athanor: Run) -> None:
    result = athanor("analyze", "-", "--json", stdin=athanor("deal", "alchemy", "--seed", "1").stdout)
    assert result.exit_code == 0
    assert json.loads(result.stdout)["value"] in ("won", "lost")


def test_rules(athanor: Run) -> None:
    result = athanor("rules", "alchemy")
    assert (result.exit_code, result.stderr) == (0, "")
    assert result.stdout.startswith("#")
    assert "Ruling" in result.stdout


def test_score(athanor: Run) -> None:
    aces = ["A", "A", "A", "A", "K"]
    record = {"game": "alchemy", "variant": "duel", "rounds": [{"piles": [aces, ["2", "X"]]}]}
    result = athanor("score", "-", "--json", stdin=record)
    assert (result.exit_code, result.stderr) == (0, "")
    assert json.loads(result.stdout)["rounds"] == [[12, 11]]
    assert "12 11" in athanor("score", "-", stdin=record).stdout


def test_the_help_of_score_tells_of_every_key(athanor: Run) -> None:
    shown = athanor("score", "--help").stdout
    for name in registry.names():
        schema = TypeAdapter(registry.game(name).record_type).json_schema()
        rounds = [part for key, part in schema["$defs"].items() if key.endswith(("Record", "Round"))]
        keys = {key for part in (schema, *rounds) for key in part.get("properties", {})}
        assert len(keys) >= 3
        assert f'"game": "{name}"' in shown
        assert not [key for key in keys if f'"{key}"' not in shown]


def test_a_deal_that_is_refused_has_no_seed(athanor: Run) -> None:
    result = athanor("deal", "king", "--players", "9")
    assert result.exit_code == 2
    assert result.stderr == "Error: players: king is for 3 to 5 players, not for 9\n"
    assert athanor("deal", "king").stderr.startswith("seed ")


def test_version(athanor: Run) -> None:
    assert athanor("--version").stdout.startswith("athanor ")


def test_serve_passes_its_options(athanor: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    called: list[tuple[object, ...]] = []
    monkeypatch.setattr("api.server.serve", lambda *args, **_: called.append(args))
    assert athanor("serve", "--host", "::1", "--port", "0").exit_code == 0
    assert athanor("serve").exit_code == 0
    assert called == [("::1", 0), ("127.0.0.1", 8000)]
    assert athanor("serve", "--phone", "--open").exit_code == 2
    monkeypatch.setenv("ATHANOR_TOKENS_FILE", "tokens")
    assert "ATHANOR_TOKENS_FILE" in athanor("serve", "--phone").stderr


def test_a_phone_gets_an_address_with_a_token_that_nobody_had_before(
    athanor: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept: list[str] = []

    def listen(host: str, port: int, config: Config, listening: Callable[[str], None]) -> None:
        kept.append(Path(config.tokens_file).read_text())
        listening(f"http://{host}:{port}/")

    monkeypatch.setattr("api.server.serve", listen)
    found = [athanor("serve", "--phone", "--host", "192.168.1.5").stdout for _ in range(2)]
    for text, line in zip(found, kept, strict=True):
        address = re.search(r"^http://192\.168\.1\.5:8000/#~token=(\S+)$", text, re.M)
        assert address
        assert hashlib.sha256(address[1].encode()).hexdigest() in line
        assert "\u2580" in text  # half blocks: the QR code
    assert found[0] != found[1]


def test_a_machine_without_a_local_network_says_so(athanor: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    class NoWay(socket.socket):
        def connect(self, _address: object) -> None:
            raise OSError("network is unreachable")

    monkeypatch.setattr("api.phone.socket.socket", NoWay)
    assert "--host" in athanor("serve", "--phone").stderr


@pytest.mark.parametrize("name", ["missing/plot.png", "taken.png/plot.svg", "folder.png"])
def test_a_plot_that_cannot_be_written(athanor: Run, tmp_path: Path, name: str) -> None:
    (tmp_path / "taken.png").write_text("a file")
    (tmp_path / "folder.png").mkdir()
    before = sorted(os.listdir(tmp_path))
    result = athanor("winrate", "solo", "--deals", "10", "--seed", "1", "--plot", tmp_path / name)
    assert result.exit_code == 2
    assert result.stderr.startswith(f"Error: cannot write {tmp_path / name}: ")
    assert sorted(os.listdir(tmp_path)) == before


def test_winrate(athanor: Run, tmp_path: Path) -> None:
    plot = tmp_path / "plot.svg"
    args = ("winrate", "alternative", "--deals", "2000", "--seed", "5")
    result = athanor(*args, "--jobs", "1", "--json", "--plot", plot)
    assert (result.exit_code, result.stderr) == (0, "")
    found = json.loads(result.stdout)
    assert (found["deals"], found["seed"]) == (2000, 5)
    assert 0.85 < found["low"] < found["share"] < found["high"] < 0.95
    assert "<svg" in plot.read_text()
    again = json.loads(athanor(*args, "--jobs", "2", "--json").stdout)
    assert {k: v for k, v in again.items() if "second" not in k} == {
        k: v for k, v in found.items() if "second" not in k
    }
    text = athanor(*args).stdout
    assert "2,000, seed 5" in text
    assert "95%" in text
    assert sorted(os.listdir(tmp_path)) == ["plot.svg"]
