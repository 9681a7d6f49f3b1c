"""Deals, rules, scores, decks, surveys over many deals, and the server as a command."""

from __future__ import annotations

import hashlib
import json
import os
import re
import signal
import socket
import subprocess
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from pydantic import TypeAdapter

from api.cli.main import cli
from api.cli.surveys import command_of, surveys
from api.cli.terminal import before_moves
from api.config import Config
from solver import registry
from solver.answers import Answer
from solver.game import Section, Survey
from solver.limits import Control
from tests.cli.conftest import Run
from tests.cli.every import ATHANOR
from tests.support import places


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


def test_nothing_ends_around_a_thread_that_compiles(athanor: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """LLVM would crash in it."""
    ended: list[int] = []
    monkeypatch.setattr("os._exit", ended.append)
    for compiles in (False, True):
        monkeypatch.setattr("api.server.serve", lambda *_, compiles=compiles, **__: compiles)
        assert athanor("serve").exit_code == 0
        assert ended == [0] * compiles


_PHONE = ["serve", "--phone", "--host", "127.0.0.1", "--port", "0"]


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP], ids=str)
def test_a_phone_s_token_does_not_outlive_its_service(number: signal.Signals, tmp_path: Path) -> None:
    """SIGHUP comes from a terminal that is closed; the service has hardly begun."""
    environ = os.environ | {"TMPDIR": str(tmp_path)}
    with subprocess.Popen([*ATHANOR, *_PHONE], env=environ, stdout=subprocess.PIPE, text=True) as service:
        assert service.stdout is not None
        assert "http" in service.stdout.readline()
        assert [*tmp_path.glob("athanor-*/tokens")]
        service.send_signal(number)
        service.communicate()
    assert service.returncode == 0
    assert not [*tmp_path.iterdir()]


def test_a_phone_gets_an_address_with_a_token_that_nobody_had_before(
    athanor: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept: list[str] = []

    def answer(bound: socket.socket, config: Config, _searches: object) -> None:
        kept.append(Path(config.tokens_file).read_text())
        bound.close()

    monkeypatch.setattr("api.server._answer", answer)
    monkeypatch.setenv("ATHANOR_MEMORY_MB", "100")  # too little for processes that search, which nobody would ask
    found = [athanor("serve", "--phone", "--host", "127.0.0.1", "--port", "0").stdout for _ in range(2)]
    for text, line in zip(found, kept, strict=True):
        tokens = re.findall(r"http://127\.0\.0\.1:\d+/(?:#~token=)?(\S*)", text)
        assert len(tokens) == 1  # the address alone would ask for the token
        assert hashlib.sha256(tokens[0].encode()).hexdigest() in line
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


# Decks.


def run(*arguments: str) -> Result:
    return CliRunner().invoke(cli, arguments)


def test_a_name_shows_the_cards_of_every_deck_that_is_called_so() -> None:
    told = run("decks", "house").output
    assert "House deck: a deck of king, called house" in told
    assert "House reactivity table: a deck of aqua-regia, called house" in told
    assert "Cinnabar" in told
    of_game = run("decks", "aqua-regia").output
    assert "Cinnabar" not in of_game
    assert "Mercury" in of_game
    listed = json.loads(run("decks", "house", "--json").output)["decks"]
    assert [deck["game"] for deck in listed] == ["king", "aqua-regia"]


def test_what_is_no_deck_says_which_there_are(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    missing = run("decks", "huose")
    assert missing.exit_code == 2
    assert "there is no file or deck called huose; decks: house" in missing.output
    assert "cannot read huose.toml" in run("decks", "huose.toml").output
    monkeypatch.setenv("ATHANOR_DECKS", str(tmp_path))
    (tmp_path / "bad.toml").write_text('name = "bad"\n[[card]]\ncode = "F1"\n', encoding="utf-8")
    bad = run("decks", "bad")
    assert bad.exit_code == 2
    assert "bad.toml" in bad.output


@pytest.mark.parametrize(
    ("words", "position"),
    [
        ("kirin s=2 h=S1S4 d=B+ m=0:STG3D-G- t=D4 S1", 6),
        ("kirin h=S1 S4 T=D4 s3", 4),
        ("alchemy duel l=3567QK h=K o=6 K=6+7", 5),
        ("alchemy duel H=10 l=A,4,5,7,J,K O=9 t=4+6", 5),
    ],
)
def test_letters_of_keys_part_a_line_from_moves(words: str, position: int) -> None:
    line, moves = before_moves(words.split())
    assert (line.split(), list(moves)) == (words.split()[:position], words.split()[position:])


HEADER = "symbol,name,water,vapor,acid,aqua-regia\n"


@pytest.fixture
def own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "decks"
    monkeypatch.setenv("ATHANOR_DECKS", str(folder))
    return folder


def test_a_table_is_imported_and_played_with(own: Path, tmp_path: Path) -> None:
    file = tmp_path / "short.csv"
    file.write_text(
        HEADER
        + "Zn,Zinc,1,2,3,3\nFe,Iron,0,1,2,3\nPb,Lead,0,0,1,3\n"
        + "".join(f"M{n},,1,1,1,1\n" for n in range(5)),
        encoding="utf-8",
    )
    assert "a deck of aqua-regia, called short" in run("decks", str(file)).output
    assert "--deck short" in run("decks", "import", str(file)).output
    assert (own / "short.csv").exists()
    assert "short.csv" in run("decks").output
    for deck in ("short", str(file)):
        dealt = run("deal", "aqua-regia", "--deck", deck, "--players", "2", "--seed", "1")
        assert dealt.exit_code == 0, dealt.output
    again = run("decks", "import", str(file))
    assert again.exit_code == 2
    assert "--replace" in again.output
    assert run("decks", "import", str(file), "--replace").exit_code == 0
    assert "give another --name" in run("decks", "import", str(file), "--name", "house").output
    assert "give another --name" in run("decks", "import", str(file), "--name", "../up").output


def test_a_deck_in_toml_stays_one(own: Path, tmp_path: Path) -> None:
    """Also where a comment comes first and the deck is called as its file is."""
    text = (places.ROOT / "docs/examples/three-metals.toml").read_text(encoding="utf-8")
    file = tmp_path / "three.toml"
    file.write_text(f"# a comment\n{text}", encoding="utf-8")
    assert run("decks", "import", str(file)).exit_code == 0
    assert (own / "three.toml").read_text(encoding="utf-8").startswith("# a comment")
    assert "three.toml" in run("decks").output


def test_positions_name_files_for_their_decks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    others = "".join(f"M{n},,1,1,1,1\n" for n in range(5))
    Path("small.csv").write_text(f"{HEADER}Zn,Zinc,1,2,3,3\n{others}", encoding="utf-8")
    line = "aqua-regia deck=small.csv field=water turn=0 hands=Zn,M1/M2,M3 stock=M4"
    by_key = run("moves", line)
    assert by_key.exit_code == 0, by_key.output
    assert "M1" in by_key.output
    by_option = run("moves", line.replace("deck=small.csv ", ""), "--deck", "small.csv")
    assert by_option.output == by_key.output
    position = json.loads(run("convert", line).output)
    assert position["deck"]["name"] == "small"
    position["deck"] = "./small.csv"
    Path("position.json").write_text(json.dumps(position), encoding="utf-8")
    assert run("moves", "position.json").output == by_key.output
    lost = run("moves", line.replace("small", "lost"))
    assert lost.exit_code == 2
    assert "cannot read lost.csv" in lost.output
    Path("small.csv").write_text(f"{HEADER}Zn,Zinc,x,2,3,3\n", encoding="utf-8")
    assert "small.csv: line 2, water" in run("moves", line).output


# What a game declares of a survey is what its command takes and tells.


class Counted(Answer):
    variant: str
    deals: int
    seed: int
    jobs: int


def count(variant: str, *, deals: int, seed: int = 0, jobs: int = 1, control: Control | None = None) -> Counted:
    return Counted(variant=variant, deals=deals, seed=seed, jobs=jobs)


def sections(result: Counted) -> list[Section]:
    return [Section(None, [("Deals", str(result.deals))]), Section("By variant:", [(result.variant, "all")])]


def draw(result: Counted, path: Path) -> None:
    path.write_text(f"<svg>{result.deals}</svg>", encoding="utf-8")


PLAIN = Survey(
    name="count", help="Count deals.", variants=("small", "large"), deals=12, run=count, sections=sections
)
DRAWN = Survey(
    name="count",
    help="Count.",
    variants=("small",),
    deals=5,
    run=count,
    sections=sections,
    draw=draw,
    drawn="deals",
)


def test_a_survey_is_a_command(tmp_path: Path) -> None:
    command = command_of(PLAIN)
    shown = CliRunner().invoke(command, ["large", "--seed", "3"])
    assert shown.exit_code == 0, shown.output
    lines = [line.rstrip() for line in shown.stdout.splitlines()]
    assert lines == ["Deals  12", "", "By variant:", "large  all"]
    told = json.loads(CliRunner().invoke(command, ["small", "--deals", "7", "--jobs", "2", "--json"]).stdout)
    assert told["seed"] >= 0
    assert told | {"seed": 0} == {"variant": "small", "deals": 7, "seed": 0, "jobs": 2}
    assert CliRunner().invoke(command, ["medium"]).exit_code == 2
    assert "--plot" not in CliRunner().invoke(command, ["--help"]).stdout


def test_a_survey_that_draws_takes_a_file(tmp_path: Path) -> None:
    command = command_of(DRAWN)
    assert "Also draw deals (.png or .svg)." in CliRunner().invoke(command, ["--help"]).stdout
    picture = tmp_path / "picture.svg"
    found = CliRunner().invoke(command, ["small", "--plot", str(picture), "--json"])
    assert found.exit_code == 0, found.output
    assert picture.read_text(encoding="utf-8") == "<svg>5</svg>"
    assert CliRunner().invoke(command, ["small", "--plot", "picture.pdf"]).exit_code == 2


def test_every_survey_is_listed() -> None:
    every = [survey for name in registry.names() for survey in registry.game(name).surveys]
    assert all(survey.run or survey.parts for survey in every)
    declared = {survey.name for survey in every if survey.run}
    assert declared == set(surveys())
    shown = CliRunner().invoke(cli, ["--help"]).stdout
    assert all(f"  {name} " in shown for name in declared)


@pytest.mark.parametrize("name", registry.names())
def test_questions_of_a_games_own_come_with_examples(name: str) -> None:
    for ask, question in registry.game(name).questions.items():
        assert ask not in ("analyze", "hint")
        assert question.examples
