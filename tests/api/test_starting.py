"""How games are made ready: what comes first, the processes that compile, and who is put off meanwhile."""

from __future__ import annotations

import http.client
import io
import itertools
import json
import os
import re
import signal
import subprocess
import sys
import threading
import time
import tomllib
import uuid
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from flask.testing import FlaskClient

from api import bodies, compiling, game_loading, reading_ahead, routes_games
from api.app import create_app
from api.compiling import AbsentError, loading_only, telling
from api.config import Config
from api.game_loading import Compiler, Warming, shown
from api.models import MOST_LISTED
from api.readiness import Readiness, Stage
from api.search_pool import SearchPool
from athanor.sessions import Saved, dumps
from puzzles import training
from solver import registry
from solver.kernels import cache
from solver.kernels.jit import kernel
from tests.api.support import FILE, HIDDEN, KNOWN, ended, refused
from tests.conftest import JIT
from tests.support import guests, places
from tests.support.games import OWN
from tests.support.timing import wait_until

SECONDS = 60.0  # that any of this may take on a loaded machine


class Games:
    """Games in place of the real ones. `kept` are those that the cache holds; `broken` cannot be made ready."""

    def __init__(self) -> None:
        self.kept: set[str] = set()
        self.hints: set[str] = set()
        self.broken: set[str] = set()
        self.compiled_here: list[str] = []

    def load(self, name: str, *, hints: bool = False, compile: bool = False) -> None:
        if hints and name in self.hints:
            return
        if name in self.broken:
            raise RuntimeError("no good")
        if name not in self.kept:
            if not compile:
                raise AbsentError(name)
            self.compiled_here.append(name)
            self.kept.add(name)


class Processes:
    """In place of those that compile: a game compiles until `go_on` is set."""

    def __init__(self, games: Games) -> None:
        self.games = games
        self.began: list[str] = []
        self.fault = ""
        self.faults = sys.maxsize  # processes that fail, before others do not
        self.keeps = True
        self.helped: list[str] = []
        self.quick: set[str] = set()
        self.go_on = threading.Event()
        self.hints: set[str] = set()  # games of which it keeps what hints need

    def __call__(self, game: str, *, helps: bool = False) -> Any:
        (self.helped if helps else self.began).append(game)
        return Process(self, game, helps=helps)


class Process:
    def __init__(self, all: Processes, game: str, *, helps: bool) -> None:
        self.all, self.game, self.helps, self.killed = all, game, helps, False

    def follow(self, tell: Callable[[float], None], hints: Callable[[], None]) -> str:
        tell(0.25 if self.helps else 0.5)
        if not self.helps:
            self.all.games.hints |= self.all.hints & {self.game}
            hints()
        quick = not self.helps and self.game in self.all.quick
        until(lambda: self.killed or quick or self.all.go_on.is_set())
        if self.killed:
            return "its process was ended"
        fault = self.all.fault if len(self.all.began) <= self.all.faults else ""
        if self.all.keeps and not fault and not self.helps:
            self.all.games.kept.add(self.game)
        return fault

    def kill(self) -> None:
        self.killed = True


def until(holds: Callable[[], bool]) -> None:
    end = time.monotonic() + SECONDS
    while not holds():
        assert time.monotonic() < end
        time.sleep(0.01)


def started(names: str, compiler: Processes, compilers: int = 1) -> Readiness:
    readiness = Readiness(names.split())
    Warming(readiness, compilers, compiler.games.load, compiler).start()
    return readiness


def stages(readiness: Readiness) -> list[str]:
    return [str(found.stage) for found in readiness.progress().values()]


@pytest.fixture
def games() -> Games:
    return Games()


@pytest.fixture
def compiler(games: Games) -> Iterator[Processes]:
    compiler = Processes(games)
    yield compiler
    compiler.go_on.set()


def test_what_the_cache_holds_is_loaded_and_nothing_is_compiled(games: Games, compiler: Processes) -> None:
    games.kept |= {"one", "two"}
    readiness = started("one two", compiler)
    assert readiness.wait(SECONDS)
    assert stages(readiness) == ["ready", "ready"]
    assert not compiler.began
    assert not games.compiled_here


def test_what_is_missing_is_compiled_elsewhere_then_loaded(games: Games, compiler: Processes) -> None:
    games.kept.add("two")
    readiness = started("one two three", compiler)
    until(lambda: readiness.of("two").settled and len(compiler.began) == 1)
    assert stages(readiness) == ["compiling", "ready", "waiting"]
    assert readiness.of("one").share == 0.5
    compiler.go_on.set()
    assert readiness.wait(SECONDS)
    assert compiler.began == ["one", "three"]
    assert not games.compiled_here


def test_hints_are_ready_while_the_rest_compiles(games: Games, compiler: Processes) -> None:
    compiler.hints |= {"one", "two"}
    readiness = started("one two", compiler)
    until(lambda: readiness.of("one").hints)
    assert stages(readiness) == ["compiling", "waiting"]
    assert not readiness.answers("one", hint=False)
    assert not readiness.answers("two", hint=True)
    readiness.ask_for("two")  # and stay so when it is left for later
    until(lambda: readiness.of("two").hints)
    assert readiness.of("one").stage is Stage.WAITING
    assert readiness.of("one").hints
    compiler.go_on.set()
    assert readiness.wait(SECONDS)
    assert not games.compiled_here


def test_hints_that_were_kept_are_ready_before_anything_is_compiled(games: Games, compiler: Processes) -> None:
    games.hints.add("two")
    readiness = started("one two", compiler)
    until(lambda: readiness.of("two").hints and stages(readiness) == ["compiling", "waiting"])
    assert not readiness.of("one").hints
    compiler.go_on.set()
    assert readiness.wait(SECONDS)


def test_hints_that_were_not_kept_are_not_ready(compiler: Processes) -> None:
    readiness = started("one", compiler)
    until(lambda: readiness.of("one").share == 0.5)
    assert not readiness.of("one").hints
    compiler.go_on.set()
    assert readiness.wait(SECONDS)
    assert readiness.of("one").hints


def test_who_has_no_game_left_helps_with_one_that_compiles(compiler: Processes) -> None:
    compiler.quick = {"one"}
    readiness = started("one two", compiler, compilers=3)
    until(lambda: "two" in compiler.helped and stages(readiness) == ["ready", "compiling"])
    until(lambda: readiness.of("two").share == 0.75)
    compiler.go_on.set()
    assert readiness.wait(SECONDS)
    assert sorted(compiler.began) == ["one", "two"]
    assert compiler.helped.count("two") == 1  # whoever has nothing to do may have helped with the first before


def test_several_compile_at_once_and_those_asked_for_come_first(compiler: Processes) -> None:
    compiler.quick = {"zero"}
    readiness = started("zero one two three four five", compiler, compilers=2)
    until(lambda: len(compiler.began) == 3 and stages(readiness).count("waiting") == 3)
    readiness.ask_for("four")
    readiness.ask_for("five")
    compiler.go_on.set()
    assert readiness.wait(SECONDS)
    assert sorted(compiler.began[1:3]) == ["one", "two"]
    assert compiler.began.index("three") > compiler.began.index("five")


@pytest.mark.parametrize("fault", ["", "its process was ended by SIGKILL"])
def test_what_a_process_fails_at_is_compiled_here(games: Games, compiler: Processes, fault: str) -> None:
    compiler.fault, compiler.keeps = fault, False
    compiler.go_on.set()
    readiness = started("one", compiler)
    assert readiness.wait(SECONDS)
    assert stages(readiness) == ["ready"]
    assert games.compiled_here == ["one"]
    assert compiler.began == ["one"] * (2 if fault else 1)


def test_a_process_that_somebody_ends_is_started_again(games: Games, compiler: Processes) -> None:
    compiler.fault, compiler.faults = "its process was ended by SIGKILL", 1
    compiler.go_on.set()
    readiness = started("one", compiler)
    assert readiness.wait(SECONDS)
    assert compiler.began == ["one"] * 2
    assert games.compiled_here == []


def test_where_nothing_can_be_kept_no_process_is_started(
    games: Games, compiler: Processes, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(game_loading, "_can_keep", lambda: False)
    readiness = started("one two", compiler)
    assert readiness.wait(SECONDS)
    assert games.compiled_here == ["one", "two"]
    assert not compiler.began


def test_what_compiles_here_goes_on_after_a_stop(compiler: Processes, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(game_loading, "_can_keep", lambda: False)
    monkeypatch.setattr(game_loading, "_END_SECONDS", 0.01)
    goes_on = threading.Event()

    def load(name: str, *, hints: bool = False, compile: bool = False) -> None:
        goes_on.wait()

    warming = Warming(Readiness(["one"]), 1, load, compiler)
    assert not warming.works
    warming.start()
    warming.stop()
    assert warming.works
    goes_on.set()
    until(lambda: not warming.works)


def test_a_broken_game_fails_with_its_reason_and_keeps_no_other_away(games: Games, compiler: Processes) -> None:
    games.broken.add("one")
    games.kept.add("two")
    readiness = started("one two", compiler)
    assert readiness.wait(SECONDS)
    assert stages(readiness) == ["failed", "ready"]
    assert readiness.of("one").reason == "RuntimeError: no good"


def test_a_stop_ends_what_compiles(compiler: Processes) -> None:
    readiness = Readiness(["one", "two"])
    found = Warming(readiness, 1, compiler.games.load, compiler)
    found.start()
    until(lambda: compiler.began == ["one"])
    found.stop()
    assert stages(readiness) == ["waiting", "waiting"]
    assert compiler.began == ["one"]


def test_a_game_that_is_asked_for_does_not_wait_for_those_that_are_not(games: Games, compiler: Processes) -> None:
    compiler.quick = {"zero"}
    readiness = started("zero one two three", compiler, compilers=2)
    until(lambda: len(compiler.began) == 3)
    readiness.ask_for("three")
    until(lambda: len(compiler.began) == 4)
    until(lambda: compiler.helped == ["three"])
    assert compiler.began[3] == "three"
    until(lambda: stages(readiness) == ["ready", "waiting", "waiting", "compiling"])
    readiness.ask_for("one")  # two who wait take no game from each other, but nobody helps any more
    until(lambda: stages(readiness) == ["ready", "compiling", "waiting", "compiling"])
    readiness.ask_for("two")
    compiler.go_on.set()
    assert readiness.wait(SECONDS)
    assert compiler.began[3:] == ["three", "one", "two"]
    assert stages(readiness) == ["ready"] * 4
    assert not games.compiled_here


# Questions about games that are not ready yet.


KIRIN = {"game": "kirin", "seat": 2, "leader": 0, "hand": ["D1", "D2", "D3", "D4", "D5", "D6", "DT", "B2", "D-"]}


@pytest.fixture
def readiness(monkeypatch: pytest.MonkeyPatch) -> Readiness:
    monkeypatch.setattr(bodies, "_PATIENCE_SECONDS", 0.05)
    return Readiness(["alchemy", "kirin", "king"])


@pytest.fixture
def client(readiness: Readiness) -> FlaskClient:
    return create_app(Config(), readiness=readiness).test_client()


COMPOUND = {"game": "king", "cards": ["F1", "F2"]}
SCORED = {"game": "king", "points": [[0, 1, 2]]}
REPLY = {"puzzle": tomllib.loads(FILE)["puzzle"][0], "answer": "x"}
MATCH = {"game": "alchemy", "variant": "duel", "seed": 3, "rounds": 1, "seconds": 0.05}


@pytest.mark.parametrize(
    ("address", "body"),
    [
        ("/v1/analyze", {"position": KNOWN}),
        ("/v1/hint", {"position": HIDDEN}),
        ("/v1/compound", {"position": COMPOUND}),
        ("/v1/score", {"record": SCORED}),
        ("/v1/worlds", {"position": HIDDEN}),
        ("/v1/puzzles/answer", REPLY),
        ("/v1/match", {"match": MATCH}),
        ("/v1/match/turn", {"match": MATCH}),
        ("/v1/match/hint", {"match": MATCH}),
        ("/v1/match/log", {"match": MATCH}),
        ("/v1/match/ended", {"match": MATCH}),
        ("/v1/match/read", {"text": dumps([Saved.model_validate(MATCH)])}),
    ],
)
def test_a_question_about_a_game_that_compiles_is_put_off(
    client: FlaskClient, readiness: Readiness, address: str, body: Any
) -> None:
    for name in ("alchemy", "king"):
        readiness.enter(name, Stage.COMPILING)
        readiness.compiled(name, 0.25)
    found = client.post(address, json=body)
    message = refused(found, 503, "starting")
    begin = r"(Alchemy|King × Alchemy) is being prepared, which happens only once: 25% after \d+ s; try again in "
    assert re.match(begin, message)
    assert 1 <= int(found.headers["Retry-After"]) <= 60


def test_a_hint_is_answered_before_the_rest_is_compiled(client: FlaskClient, readiness: Readiness) -> None:
    readiness.enter("alchemy", Stage.COMPILING)
    readiness.compiled("alchemy", 0.25)
    readiness.hint("alchemy")
    assert client.post("/v1/hint", json={"position": HIDDEN, "limit": {"nodes": 1}}).status_code == 200
    message = refused(client.post("/v1/analyze", json={"position": KNOWN}), 503, "starting")
    assert "Alchemy is being prepared" in message
    progress = refused(client.get("/readyz"), 503, "starting")
    assert re.search(r"alchemy \(compiling, this once, 25% after \d+ s; hints are ready\)", progress)


FEW = {"nodes": 1}


@pytest.mark.parametrize(
    ("address", "body", "key"),
    [
        ("/v1/analyze?stream=true", {"position": KNOWN, "limit": FEW}, "game"),
        ("/v1/hint?stream=true", {"position": HIDDEN, "limit": FEW}, "game"),
        ("/v1/match/hint?stream=true", {"match": MATCH}, "game"),
        ("/v1/match/review?stream=true", {"match": ended({**MATCH, "seed": 1}), "limit": FEW}, "complete"),
        ("/v1/batch?", {"questions": [{"ask": "hint", "position": HIDDEN, "limit": FEW}]}, "index"),
        ("/v1/solve?", FILE, "status"),
    ],
)
def test_a_stream_says_how_far_the_preparation_is_and_then_the_answer(
    client: FlaskClient, readiness: Readiness, monkeypatch: pytest.MonkeyPatch, address: str, body: Any, key: str
) -> None:
    monkeypatch.setattr(bodies, "_TOLD_SECONDS", 0.05)
    sent = {"data": body, "content_type": "application/toml"} if isinstance(body, str) else {"json": body}
    again = client.post(address, **sent, headers={"Prefer": "respond-async"})
    assert again.status_code == 202
    assert again.get_json()["error"]["code"] == "starting"
    answer = client.post(f"{address}&lang=ja", **sent)
    assert answer.status_code == 200
    lines = map(json.loads, answer.response)  # each is made when it is read
    assert min("alchemy", "kirin", key=readiness.place) == "alchemy"
    first = next(lines)["progress"]
    assert (first["stage"], first["done"]) == ("preparing", 0.0)
    readiness.enter("alchemy", Stage.COMPILING)
    readiness.compiled("alchemy", 0.25)
    second = next(line["progress"] for line in lines if line["progress"]["done"])
    assert second["done"] == 0.25
    assert "25%" in second["message"]
    assert "一度だけ" in second["message"]
    readiness.enter("alchemy", Stage.READY)
    *_, last = lines
    assert key in last


def test_a_stream_that_waits_for_a_game_ends_when_the_service_stops(
    readiness: Readiness, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bodies, "_TOLD_SECONDS", 0.05)
    searches = SearchPool(Config())
    client = create_app(Config(), searches, readiness).test_client()
    lines = map(json.loads, client.post("/v1/hint?stream=true", json={"position": HIDDEN}).response)
    assert next(lines)["progress"]["stage"] == "preparing"
    searches.stopping.set()
    assert [line["error"]["code"] for line in lines] == ["starting"]


def test_a_question_puts_its_game_first(client: FlaskClient, readiness: Readiness) -> None:
    readiness.enter("alchemy", Stage.COMPILING)
    assert min("alchemy", "kirin", key=readiness.place) == "alchemy"
    found = client.post("/v1/hint", json={"position": KIRIN})
    assert refused(found, 503, "starting").startswith(
        "Kirin is about to be prepared, which happens only once; try again in "
    )
    assert min("alchemy", "kirin", key=readiness.place) == "kirin"


def test_a_game_that_is_loaded_is_waited_for(client: FlaskClient, readiness: Readiness) -> None:
    bodies._PATIENCE_SECONDS = SECONDS
    readiness.enter("alchemy", Stage.LOADING)
    soon = threading.Timer(0.1, readiness.enter, ("alchemy", Stage.READY))
    soon.start()
    found = client.post("/v1/analyze", json={"position": KNOWN})
    assert found.status_code == 200
    soon.join()


def test_what_needs_no_kernels_is_answered_at_once(client: FlaskClient) -> None:
    for address in ("/v1/games", "/v1/decks", "/v1/rules/kirin", "/openapi.json", "/docs"):
        assert client.get(address).status_code == 200
    assert client.post("/v1/deal", json={"game": "kirin", "seat": 1}).status_code == 200


def test_health_tells_of_every_game(client: FlaskClient, readiness: Readiness) -> None:
    readiness.enter("alchemy", Stage.COMPILING, "its process was ended by SIGSEGV")
    readiness.compiled("alchemy", 0.25)
    assert client.get("/healthz").get_json()["games"]["alchemy"]["hints_ready"] is False
    readiness.hint("alchemy")
    found = client.get("/healthz").get_json()
    assert found["status"] == "starting"
    alchemy = found["games"]["alchemy"]
    assert (alchemy["state"], alchemy["compiled_share"], alchemy["hints_ready"]) == ("compiling", 0.25, True)
    assert alchemy["reason"] == "its process was ended by SIGSEGV"
    assert found["games"]["kirin"]["state"] == "waiting"
    for name in readiness.progress():
        readiness.enter(name, Stage.READY)
    found = client.get("/healthz").get_json()
    assert found["status"] == "ok"
    ready = {"state": "ready", "compiled_share": 1.0, "hints_ready": True, "seconds": None, "reason": None}
    assert found["games"]["kirin"] == ready


def test_the_time_to_wait_follows_from_how_far_it_is(
    readiness: Readiness, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = time.monotonic()
    readiness.enter("alchemy", Stage.COMPILING)
    monkeypatch.setattr(time, "monotonic", lambda: now + 10.0)
    readiness.compiled("alchemy", 0.5)
    assert 10 <= readiness.retry_after("alchemy") <= 12
    assert 5 <= readiness.retry_after("alchemy", hint=True) <= 7
    assert 29 <= readiness.retry_after("kirin") <= 32  # ten more for alchemy, and then as long as alchemy in all


def test_a_game_whose_cards_are_drawn_is_wanted_soon(client: FlaskClient, readiness: Readiness) -> None:
    assert min("alchemy", "kirin", key=readiness.place) == "alchemy"
    assert client.post("/v1/cards", json={"game": "kirin"}).status_code == 200
    assert min("alchemy", "kirin", key=readiness.place) == "kirin"


# What a person sees.


@pytest.fixture
def stderr() -> io.StringIO:
    return io.StringIO()


def until_it_says(stderr: io.StringIO, words: str) -> None:
    end = time.monotonic() + 20
    while words not in stderr.getvalue():
        assert time.monotonic() < end, stderr.getvalue()
        time.sleep(0.02)


def test_games_that_compile(stderr: io.StringIO) -> None:
    readiness = Readiness(["one", "two"])
    with shown(readiness, stderr):
        readiness.enter("one", Stage.COMPILING)
        readiness.compiled("one", 0.5)
        until_it_says(stderr, "Compiling the games' kernels, this once.")
        until_it_says(stderr, "compiling")
        readiness.enter("one", Stage.READY)
        readiness.enter("two", Stage.FAILED, "no good")
        until_it_says(stderr, "Ready, but for two.")
    assert "no good" in stderr.getvalue()


def test_games_that_are_kept(stderr: io.StringIO) -> None:
    readiness = Readiness(["one"])
    with shown(readiness, stderr):
        readiness.enter("one", Stage.LOADING)
        readiness.enter("one", Stage.READY)
        until_it_says(stderr, "ready")
    assert stderr.getvalue() == "All games are ready.\n"


def test_a_server_that_is_stopped_says_nothing_more(stderr: io.StringIO) -> None:
    readiness = Readiness(["one"])
    with shown(readiness, stderr):
        readiness.enter("one", Stage.COMPILING)
        until_it_says(stderr, "this once.")
    assert "All games" not in stderr.getvalue()


# `make run`.


def test_of_several_games_what_hints_need_is_compiled_and_no_more(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    warmed: list[tuple[str, dict[str, bool]]] = []
    monkeypatch.setattr(compiling, "_end_with_the_parent", lambda: None)

    def game(name: str) -> SimpleNamespace:
        return SimpleNamespace(warm=lambda **asked: warmed.append((name, asked)), hint_warming=1)

    monkeypatch.setattr(registry, "game", game)
    compiling.main("one", "two", hints_only=True)
    assert warmed == [(name, {"hints": True, "last_first": False}) for name in ("one", "two")]
    assert capsys.readouterr().out.split("\n") == [compiling.HINTS, compiling.HINTS, ""]


def test_the_makefile_names_games_and_pinned_packages() -> None:
    makefile = (places.ROOT / "Makefile").read_text(encoding="utf-8")
    pinned = (places.ROOT / "requirements.txt").read_text(encoding="utf-8")
    packages = re.findall(r"^COMPILING := (.*)", makefile, re.MULTILINE)[0].split("|")
    assert set(packages) <= set(re.findall(r"^([\w-]+)==", pinned, re.MULTILINE))
    assert set(re.findall(r"^run: HINTS := (.*)", makefile, re.MULTILINE)[0].split()) == set(OWN)
    assert "--hints $(HINTS)" in makefile
    assert compiling.HINTS_ONLY == "--hints"


# Processes.


GAME = """
import os, signal, time
from solver.codec import Notation
from types import SimpleNamespace
from typing import Literal
from pydantic import BaseModel
from solver.kernels import cache
from solver.kernels.jit import kernel
from solver.answers import Analysis, Answer, Hint

class Position(BaseModel):
    game: Literal["slow-game"]

@kernel
def twice(number):
    return 2 * number if number != {unique} else 0  # so the cache holds none of its kernels

def warm(*, hints=False, last_first=False):
    {warm}

GAME = SimpleNamespace(
    name="slow-game", title="Slow", players=(1, 1), variants={{}}, models=(), guarantees=(), deck_kind=None,
    questions={{}}, surveys=(), options={{}}, record_help="",
    position_type=Position, record_type=Position, analysis_type=Analysis,
    hint_type=Hint, score_type=Answer, asks=lambda position: frozenset(), warm=warm,
    notation=Notation(),
    **dict.fromkeys(["playing", "legal_moves", "observe", "possible", "parse_move", "format_move", "play", "hint",
                     "answer", "proved", "score", "describe", "rules", "deal", "view", "analyze", "cards",
                     "composer", "package", "dealt_by_rules", "finding", "warming", "places", "find",
                     "watched", "watched_from", "sides", "side_of", "drawn", "strength", "claim", "proving",
                     "missing", "race", "worlds", "disputed", "players_fault", "notes", "about", "shows_cards",
                     "levels", "fields", "check_variant", "decked", "is_view", "turn"], print),
    hint_warming=2,
)
"""
SLOW = "open({path!r}, 'w').write(str(os.getpid())); time.sleep(120)"


@pytest.fixture
def install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str], None]:
    """Puts a game whose `warm` does this into a folder that processes find packages in."""
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(tmp_path), str(places.ROOT)]))
    return lambda warm: guests.install(tmp_path, "slow-game", GAME.format(warm=warm, unique=uuid.uuid4().time))


def number_in(path: Path) -> int:
    """The number of a process that writes it into this file."""
    end = time.monotonic() + SECONDS
    while not (path.exists() and path.read_text()):
        assert time.monotonic() < end
        time.sleep(0.05)
    return int(path.read_text())


def gone(number: int) -> bool:
    """Whether a process comes to be over."""
    end = time.monotonic() + 20
    while time.monotonic() < end:
        try:
            os.kill(number, 0)
            if Path(f"/proc/{number}/stat").read_text().rpartition(")")[2].split()[0] == "Z":
                return True
        except (ProcessLookupError, FileNotFoundError):
            return True
        time.sleep(0.05)
    return False


@pytest.mark.skipif(not JIT, reason="without the JIT nothing is compiled")
def test_a_process_tells_how_far_it_is(install: Callable[[str], None]) -> None:
    install("print('a line that tells nothing'); assert twice(2) == 4")
    shares: list[float] = []
    assert Compiler("slow-game").follow(shares.append, lambda: shares.append(2.0)) == ""
    assert shares == [1.0, 2.0]


@pytest.mark.skipif(not JIT, reason="without the JIT nothing is compiled")
def test_who_helps_begins_at_the_other_end(install: Callable[[str], None], tmp_path: Path) -> None:
    order = "('hints_' if hints else 'all_') + ('end ' if last_first else 'beginning ')"
    install(f"open({str(tmp_path)!r} + '/order', 'a').write({order})")
    hints: list[str] = []
    for helps in (True, False):
        compiler = Compiler("slow-game", helps=helps)
        assert compiler.follow(lambda share: None, lambda: hints.append("ready")) == ""
    helping, other = ["hints_end", "all_beginning"], ["hints_beginning", "all_end"]
    assert (tmp_path / "order").read_text().split() == helping + other
    assert hints == ["ready"] * 2


@pytest.mark.parametrize(
    ("warm", "fault"),
    [
        ("raise RuntimeError('no good')", "its process failed: RuntimeError: no good"),
        ("os.kill(os.getpid(), signal.SIGSEGV)", "its process was ended by SIGSEGV"),
        ("os._exit(3)", "its process failed: status 3"),
    ],
)
def test_a_process_that_fails_says_why(install: Callable[[str], None], warm: str, fault: str) -> None:
    install(warm)
    assert Compiler("slow-game").follow(lambda share: None, lambda: None) == fault


def test_where_no_process_can_be_started_games_are_compiled_here(
    games: Games, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(sys, "executable", "/no/such/python")
    readiness = Readiness(["one", "two"])
    Warming(readiness, 2, games.load).start()
    assert readiness.wait(SECONDS)
    assert sorted(games.compiled_here) == ["one", "two"]
    assert "no process can be started to compile one: No such file or directory" in caplog.text


def test_the_end_kills_what_runs(install: Callable[[str], None], tmp_path: Path) -> None:
    install(SLOW.format(path=str(tmp_path / "number")))
    readiness = Readiness(["slow-game"])
    warming = Warming(readiness, 1, Games().load)
    warming.start()
    number = number_in(tmp_path / "number")
    warming.stop()
    assert gone(number)


PARENT = "from api.game_loading import Compiler; Compiler('slow-game').follow(print, print)"


def test_no_process_outlives_a_parent_that_is_killed(install: Callable[[str], None], tmp_path: Path) -> None:
    install(SLOW.format(path=str(tmp_path / "number")))
    with subprocess.Popen([sys.executable, "-c", PARENT], cwd=places.ROOT) as parent:
        number = number_in(tmp_path / "number")
        parent.kill()
    assert gone(number)


@contextmanager
def killed(server: subprocess.Popen[str]) -> Iterator[None]:
    """Kills a process at the end, or a test that fails would wait for it for ever."""
    try:
        yield
    finally:
        server.kill()


def test_a_server_that_compiles_answers_and_stops_at_once(install: Callable[[str], None], tmp_path: Path) -> None:
    """By Ctrl-C; `test_a_stop_lets_a_running_request_finish` has the other signal."""
    install(f"twice(2); {SLOW.format(path=str(tmp_path / 'number'))}")  # no cache holds it, so it is compiled
    command = [sys.executable, "-m", "api.cli", "serve", "--port", "0"]
    with subprocess.Popen(command, cwd=places.ROOT, stdout=subprocess.PIPE, text=True) as server, killed(server):
        assert server.stdout is not None
        found = re.search(r":(\d+)/", server.stdout.readline())
        assert found
        worker = number_in(tmp_path / "number")
        connection = http.client.HTTPConnection("127.0.0.1", int(found[1]), timeout=SECONDS)

        def state() -> str:
            connection.request("GET", "/healthz")
            return str(json.loads(connection.getresponse().read())["games"]["slow-game"]["state"])

        wait_until(lambda: state() == "compiling", SECONDS)  # its process begins before the service is told
        connection.close()
        begun = time.monotonic()
        server.send_signal(signal.SIGINT)
        assert server.wait(20) == 0
        assert time.monotonic() - begun < 10
    assert gone(worker)


@pytest.mark.skipif(not JIT, reason="without the JIT nothing is compiled")
def test_loading_only_refuses_to_compile_and_telling_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cache, "roots", lambda: ())  # nothing is kept, so that there is something to compile

    @kernel
    def fresh(number: int) -> int:
        return number + 1

    with pytest.raises(AbsentError), loading_only():
        fresh(1)
    shares: list[float] = []
    with telling(shares.append):
        assert fresh(1) == 2
    assert len(shares) == 1
    assert 0 < shares[0] <= 1


def test_puzzles_are_read_ahead_with_pauses_for_those_who_ask_meanwhile(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = SimpleNamespace(thread_time=itertools.count().__next__)  # each piece of work takes a second
    monkeypatch.setattr(reading_ahead, "time", clock)
    pauses: list[float] = []

    def wait(seconds: float) -> bool:
        pauses.append(seconds)
        return len(pauses) == most

    for most in (1, 3):  # stopped in between
        pauses.clear()
        reading_ahead.read_ahead(Config(), wait)
        assert pauses == [9] * most
    most = 0
    pauses.clear()
    reading_ahead.read_ahead(Config(), wait)
    assert len(pauses) > len(training.files())
    assert set(pauses) == {9}
    known = routes_games._page.cache_info()
    with create_app(Config()).test_client() as browser:
        answer = browser.get(f"/v1/puzzles?solutions=true&limit={MOST_LISTED}", headers={"Accept-Language": "ja"})
    assert answer.status_code == 200
    after = routes_games._page.cache_info()
    assert (after.hits, after.misses) == (known.hits + 1, known.misses)
