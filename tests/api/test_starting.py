"""Games that are not ready yet: who is refused, what health tells, what comes first, and what fails."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from flask.testing import FlaskClient

from api.app import create_app
from api.config import Config
from api.http import starting
from api.starting import warming
from api.starting.readiness import Readiness, Stage
from api.starting.warming import Warming
from api.starting.watching import AbsentError
from tests.api.support import FILE, HIDDEN, KNOWN, refused

SECONDS = 30.0  # that any of this may take on a loaded machine

KIRIN = {"game": "kirin", "seat": 2, "leader": 0, "hand": ["D1", "D2", "D3", "D4", "D5", "D6", "DT", "B2", "D-"]}


class Games:
    """Games in place of the real ones. `kept` are those that the cache holds; `broken` cannot be made ready."""

    def __init__(self) -> None:
        self.kept: set[str] = set()
        self.broken: set[str] = set()
        self.compiled_here: list[str] = []

    def warm(self, name: str) -> None:
        if name in self.broken:
            raise RuntimeError("no good")
        if name not in self.kept:
            if loading.is_set():
                raise AbsentError(name)
            self.compiled_here.append(name)
            self.kept.add(name)


class Compiler:
    """Processes that never are: a game compiles until `go_on` is set."""

    def __init__(self, games: Games) -> None:
        self.games = games
        self.began: list[str] = []
        self.fault = ""
        self.keeps = True
        self.pairs: list[str] = []
        self.quick: set[str] = set()
        self.go_on = threading.Event()
        self.ended = False
        self.left: set[str] = set()

    def compile(self, name: str, tell: Callable[[float], None], *, pair: bool = False) -> str:
        self.began.append(name)
        self.pairs += [name] if pair else []
        tell(0.5)
        until(lambda: name in self.quick | self.left or self.go_on.is_set())
        if name in self.left:
            self.left.discard(name)
            return "its process was ended"
        if self.keeps and not self.fault:
            self.games.kept.add(name)
        return self.fault

    def leave(self, name: str) -> None:
        self.left.add(name)

    def end(self) -> None:
        self.ended = True
        self.go_on.set()


loading = threading.Event()


@pytest.fixture
def games(monkeypatch: pytest.MonkeyPatch) -> Games:
    games = Games()

    class Game:
        def __init__(self, name: str) -> None:
            self.name = name

        def warm(self) -> None:
            games.warm(self.name)

    class Loading:
        def __enter__(self) -> None:
            loading.set()

        def __exit__(self, *_: object) -> None:
            loading.clear()

    monkeypatch.setattr(warming, "loading_only", Loading)
    monkeypatch.setattr("athanor.game", Game)
    return games


@pytest.fixture
def compiler(games: Games) -> Iterator[Compiler]:
    compiler = Compiler(games)
    yield compiler
    compiler.end()


def until(holds: Callable[[], bool]) -> None:
    end = time.monotonic() + SECONDS
    while not holds():
        assert time.monotonic() < end
        time.sleep(0.01)


def started(names: str, compiler: Compiler, compilers: int = 1) -> Readiness:
    readiness = Readiness(names.split())
    Warming(readiness, compilers, compiler).start()
    return readiness


def stages(readiness: Readiness) -> list[str]:
    return [str(found.stage) for found in readiness.progress().values()]


def test_what_the_cache_holds_is_loaded_and_nothing_is_compiled(games: Games, compiler: Compiler) -> None:
    games.kept |= {"one", "two"}
    readiness = started("one two", compiler)
    assert readiness.wait(SECONDS)
    assert stages(readiness) == ["ready", "ready"]
    assert not compiler.began
    assert not games.compiled_here


def test_what_waits_for_a_game_to_be_there_is_called_before_it_is_ready(games: Games, compiler: Compiler) -> None:
    games.kept |= {"one", "two"}
    readiness = Readiness(["one", "two"])
    seen: list[list[str]] = []
    Warming(readiness, 1, compiler, loaded=lambda: seen.append(stages(readiness))).start()
    assert readiness.wait(SECONDS)
    assert seen == [["loading", "waiting"], ["ready", "loading"]]


def test_what_is_missing_is_compiled_elsewhere_then_loaded(games: Games, compiler: Compiler) -> None:
    games.kept.add("two")
    readiness = started("one two three", compiler)
    until(lambda: readiness.of("two").settled and len(compiler.began) == 1)
    assert stages(readiness) == ["compiling", "ready", "waiting"]
    assert readiness.of("one").share == 0.5
    compiler.go_on.set()
    assert readiness.wait(SECONDS)
    assert compiler.began == ["one", "three"]
    assert not games.compiled_here


def test_the_first_game_has_two_processes_to_itself(compiler: Compiler) -> None:
    readiness = started("one two three", compiler, compilers=2)
    until(lambda: stages(readiness) == ["compiling", "waiting", "waiting"])
    compiler.go_on.set()
    assert readiness.wait(SECONDS)
    assert (compiler.began[0], compiler.pairs) == ("one", ["one"])


def test_several_compile_at_once_and_those_asked_for_come_first(compiler: Compiler) -> None:
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
def test_what_a_process_fails_at_is_compiled_here(games: Games, compiler: Compiler, fault: str) -> None:
    compiler.fault, compiler.keeps = fault, False
    compiler.go_on.set()
    readiness = started("one", compiler)
    assert readiness.wait(SECONDS)
    assert stages(readiness) == ["ready"]
    assert games.compiled_here == ["one"]


def test_where_nothing_can_be_kept_no_process_is_started(
    games: Games, compiler: Compiler, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(warming, "_can_keep", lambda: False)
    readiness = started("one two", compiler)
    assert readiness.wait(SECONDS)
    assert games.compiled_here == ["one", "two"]
    assert not compiler.began


def test_a_broken_game_fails_with_its_reason_and_keeps_no_other_away(games: Games, compiler: Compiler) -> None:
    games.broken.add("one")
    games.kept.add("two")
    readiness = started("one two", compiler)
    assert readiness.wait(SECONDS)
    assert stages(readiness) == ["failed", "ready"]
    assert readiness.of("one").reason == "RuntimeError: no good"


def test_a_stop_ends_what_compiles(compiler: Compiler) -> None:
    readiness = Readiness(["one", "two"])
    found = Warming(readiness, 1, compiler)
    found.start()
    until(lambda: compiler.began == ["one"])
    found.stop()
    assert compiler.ended
    time.sleep(0.05)
    assert compiler.began == ["one"]


@pytest.fixture
def readiness(monkeypatch: pytest.MonkeyPatch) -> Readiness:
    monkeypatch.setattr(starting, "_PATIENCE_SECONDS", 0.05)
    return Readiness(["alchemy", "kirin"])


@pytest.fixture
def client(readiness: Readiness) -> FlaskClient:
    return create_app(Config(), readiness=readiness).test_client()


@pytest.mark.parametrize(
    ("address", "body"),
    [
        ("/v1/analyze", {"position": KNOWN}),
        ("/v1/hint", {"position": HIDDEN}),
        ("/v1/solve", FILE),
    ],
)
def test_a_question_about_a_game_that_compiles_is_put_off(
    client: FlaskClient, readiness: Readiness, address: str, body: Any
) -> None:
    readiness.enter("alchemy", Stage.COMPILING)
    readiness.compiled("alchemy", 0.25)
    sent = {"data": body, "content_type": "application/toml"} if isinstance(body, str) else {"json": body}
    found = client.post(address, **sent)
    message = refused(found, 503, "starting")
    assert message.startswith("alchemy is not ready yet (compiling, 25% after 0 s); try again in ")
    assert 1 <= int(found.headers["Retry-After"]) <= 60


def test_a_question_puts_its_game_first(client: FlaskClient, readiness: Readiness) -> None:
    readiness.enter("alchemy", Stage.COMPILING)
    assert readiness.first(["alchemy", "kirin"]) == "alchemy"
    found = client.post("/v1/hint", json={"position": KIRIN})
    assert refused(found, 503, "starting").startswith("kirin is not ready yet (waiting)")
    assert readiness.first(["alchemy", "kirin"]) == "kirin"


def test_a_game_that_is_loaded_is_waited_for(client: FlaskClient, readiness: Readiness) -> None:
    starting._PATIENCE_SECONDS = SECONDS
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
    found = client.get("/healthz").get_json()
    assert found["status"] == "starting"
    alchemy = found["games"]["alchemy"]
    assert (alchemy["state"], alchemy["share"]) == ("compiling", 0.25)
    assert alchemy["reason"] == "its process was ended by SIGSEGV"
    assert found["games"]["kirin"]["state"] == "waiting"
    for name in readiness.progress():
        readiness.enter(name, Stage.READY)
    found = client.get("/healthz").get_json()
    assert found["status"] == "ok"
    assert found["games"]["kirin"] == {"state": "ready", "share": 1.0, "seconds": None, "reason": None}


def test_the_time_to_wait_follows_from_how_far_it_is(
    readiness: Readiness, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = time.monotonic()
    readiness.enter("alchemy", Stage.COMPILING)
    monkeypatch.setattr(time, "monotonic", lambda: now + 10.0)
    readiness.compiled("alchemy", 0.5)
    assert 10 <= readiness.retry_after("alchemy") <= 12
    assert 29 <= readiness.retry_after("kirin") <= 32  # ten more for alchemy, and then as long as alchemy in all
