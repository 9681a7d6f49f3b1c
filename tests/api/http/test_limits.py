"""Limits of each client: requests and processor time a minute, searches at once."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from flask.testing import FlaskClient

from api.app import create_app
from api.config import Config
from api.errors import LimitError
from api.search_pool import Asker
from api.tokens import Budgets, Limits, SpentError, made, read
from solver.errors import RequestError
from solver.limits import Limit
from tests.api.searching import lanes
from tests.api.support import refused


class Clock:
    now = 100.0

    def __call__(self) -> float:
        return self.now


def _spent(budgets: Budgets, client: str, limits: Limits) -> SpentError:
    with pytest.raises(SpentError) as found:
        budgets.request(client, limits)
    return found.value


def test_requests_come_back_evenly() -> None:
    clock = Clock()
    budgets, limits = Budgets(clock=clock), Limits(requests=6)
    for _ in range(6):
        budgets.request("one", limits)
    found = _spent(budgets, "one", limits)
    assert (found.code, found.seconds) == ("too_many_requests", 10)
    budgets.request("two", limits)  # another client is not concerned
    clock.now += 9.9
    _spent(budgets, "one", limits)
    clock.now += 0.2  # who was refused in between owes no more for it
    budgets.request("one", limits)
    assert _spent(budgets, "one", limits).seconds == 10


def test_who_has_used_too_much_waits_until_it_owes_less() -> None:
    clock = Clock()
    budgets, limits = Budgets(clock=clock), Limits(cpu=30)
    budgets.request("one", limits)
    budgets.charge("one", 29)
    budgets.request("one", limits)
    budgets.charge("one", 41)
    found = _spent(budgets, "one", limits)
    assert (found.code, found.seconds) == ("too_much_work", 80)  # 40 s at half a second a second
    clock.now += 81
    budgets.request("one", limits)


def test_no_limits_and_a_clock_that_goes_back() -> None:
    clock = Clock()
    budgets = Budgets(clock=clock)
    for _ in range(100):
        budgets.request("one", Limits(0, 0, 0))
    assert not len(budgets)
    budgets.request("one", Limits(requests=1))
    clock.now -= 50
    _spent(budgets, "one", Limits(requests=1))


def test_only_so_many_clients_are_remembered() -> None:
    budgets, limits = Budgets(most=10, clock=Clock()), Limits(requests=1)
    for number in range(1000):
        budgets.request(str(number), limits)
        budgets.charge(str(number // 2), 1.0)
    assert len(budgets) == 10
    _spent(budgets, "999", limits)
    budgets.request("1", limits)


def _client(path: Path, *lines: str, **limits: int) -> FlaskClient:
    (path / "tokens").write_text("\n".join(lines))
    tokens = str(path / "tokens") if lines else ""
    return create_app(Config(tokens_file=tokens, **limits), lanes(2, 16)).test_client()  # type: ignore[arg-type]


def test_an_address_has_its_limit(tmp_path: Path) -> None:
    client = _client(tmp_path, client_requests=2)

    def asked(address: str, path: str = "/v1/games") -> int:
        return client.get(path, environ_overrides={"REMOTE_ADDR": address}).status_code

    assert [asked("192.0.2.1") for _ in range(3)] == [200, 200, 429]
    assert [asked(f"2001:db8::{end}") for end in (1, 2, 3)] == [200, 200, 429]  # one network
    assert [asked("192.0.2.1", path) for path in ("/healthz", "/readyz", "/docs")] == [200] * 3
    found = client.get("/v1/games", environ_overrides={"REMOTE_ADDR": "192.0.2.1"})
    assert "2 requests a minute" in refused(found, 429, "too_many_requests")
    assert 1 <= int(found.headers["Retry-After"]) <= 30
    told = {name: int(found.headers[f"RateLimit-{name}"]) for name in ("Limit", "Remaining", "Reset")}
    assert told == {"Limit": 2, "Remaining": 0, "Reset": 60}


def test_a_token_has_limits_of_its_own(tmp_path: Path) -> None:
    (one, first), (two, second) = made("one", Limits(requests=1)), made("two")
    client = _client(tmp_path, first.line, second.line, client_requests=3)

    def asked(token: str) -> int:
        return client.get("/v1/games", headers={"Authorization": f"Bearer {token}"}).status_code

    assert [asked(one) for _ in range(2)] == [200, 429]
    assert [asked(two) for _ in range(4)] == [200, 200, 200, 429]


def test_what_searches_take_counts() -> None:
    searches = lanes(2, 16)
    client = create_app(Config(client_cpu_seconds=60), searches).test_client()
    assert client.get("/v1/games").status_code == 200
    searches.charge("127.0.0.1", 70.0)
    assert int(client.get("/v1/games").headers["Retry-After"]) in (10, 11)


def test_work_in_a_lane_is_charged_even_when_it_fails() -> None:
    searches = lanes(1, 16)
    charged: dict[str, float] = {}
    searches.charge = charged.__setitem__

    def fails(limit: Limit, cancel: threading.Event, _: object) -> None:
        sum(range(200_000))
        raise ZeroDivisionError

    with searches.stream(Asker("one"), 9) as stream, pytest.raises(ZeroDivisionError):
        stream.run("long", fails, Limit())
    assert charged["one"] > 0


def test_processor_time_of_requests_runs_out() -> None:
    client = create_app(Config(client_cpu_seconds=1e-6), lanes(2, 16)).test_client()
    assert client.get("/v1/games").status_code == 200
    refused(client.get("/v1/games"), 429, "too_much_work")


def test_only_so_many_requests_of_a_client_search_at_once() -> None:
    searches = lanes(2, 64)

    @contextmanager
    def stream(client: str) -> Iterator[None]:
        with searches.stream(Asker(client, most=2), 9):
            yield

    with stream("one"), stream("one"):
        with pytest.raises(LimitError) as found, stream("one"):
            pass
        assert (found.value.status, found.value.code) == (429, "too_many_searches")
        assert found.value.headers["Retry-After"]
        with stream("two"):
            pass
    with stream("one"):
        pass


def test_limits_in_the_file() -> None:
    _, token = made("alice", Limits(60, 0, 20))
    assert token.line.endswith(" requests=60 searches=0 cpu=20")
    assert read(token.line, "file") == (token,)
    assert token.limits.over(Limits(1, 2, 3)) == Limits(60, 0, 20)
    assert made("bob")[1].limits.over(Limits(1, None, 3)) == Limits(1, None, 3)


@pytest.mark.parametrize("word", ["request=1", "requests", "requests=", "requests=-1", "cpu=1.5", "cpu=1 cpu=2"])
def test_limits_that_are_none(word: str) -> None:
    with pytest.raises(RequestError, match="file, line 1: "):
        read(f"alice sha256:{'0' * 64} {word}", "file")


def test_limits_of_the_service() -> None:
    assert Config().client_requests is None
    strangers = Config(client_searches=0).for_strangers()
    assert (strangers.client_requests, strangers.client_searches) == (600, 0)
    assert strangers.client_cpu_seconds
    assert Config.from_environ({"ATHANOR_CLIENT_CPU_SECONDS": "1.5"}).client_cpu_seconds == 1.5
    with pytest.raises(RequestError, match="ATHANOR_CLIENT_REQUESTS"):
        Config.from_environ({"ATHANOR_CLIENT_REQUESTS": "-1"})
