"""The gate before the searches, and the configuration."""

from __future__ import annotations

import threading

import pytest

from api.app import create_app
from api.config import Config
from api.http.errors import BusyError
from api.http.searches import Searches
from solver.inputs.errors import RequestError
from tests.api.support import FILE, KNOWN, refused


def test_a_request_waits_for_a_search_no_longer_than_it_may_take() -> None:
    config = Config(searches=1, threads=4)
    searches = Searches(config.searches, config.waiting)
    client = create_app(config, searches).test_client()
    with searches.slot(1):
        found = client.post("/v1/analyze", json={"position": KNOWN, "limit": {"seconds": 0.02}})
        refused(found, 503, "too_slow")
        assert int(found.headers["Retry-After"]) > 0
        refused(client.post("/v1/solve?seconds=0.02", data=FILE, content_type="application/toml"), 503, "too_slow")
        assert client.get("/healthz").status_code == 200
    assert client.post("/v1/analyze", json={"position": KNOWN}).status_code == 200


def test_a_queue_that_is_full() -> None:
    config = Config(searches=1, threads=3)
    searches = Searches(config.searches, config.waiting)
    client = create_app(config, searches).test_client()
    with searches.slot(1):
        refused(client.post("/v1/analyze", json={"position": KNOWN}), 503, "busy")


def test_a_slot_that_is_given_back_is_taken() -> None:
    searches = Searches(1, 5)
    got = threading.Event()

    def wait() -> None:
        with searches.slot(10):
            got.set()

    with searches.slot(1):
        waiting = threading.Thread(target=wait)
        waiting.start()
        assert not got.wait(0.05)
    assert got.wait(5)
    waiting.join()


def test_more_slots_never_take_the_last_one() -> None:
    searches = Searches(4, 0)
    with searches.slot(0) as first:
        assert searches.more(first, 10) == 3
        with searches.slot(0), pytest.raises(BusyError), searches.slot(0):
            pass
    with searches.slot(0) as again:
        assert searches.more(again, 2) == 2


def test_a_client_that_has_gone_ends_its_search() -> None:
    searches = Searches(2, 0)
    searches.watch()
    with searches.slot(0, lambda: True) as gone, searches.slot(0, lambda: False) as there:
        assert gone.cancel.wait(5)
        assert not there.cancel.is_set()


def test_the_end_of_the_service_ends_every_search() -> None:
    searches = Searches(2, 0)
    with searches.slot(0) as running:
        searches.cancel_all()
        assert running.cancel.is_set()
    with searches.slot(0) as later:
        assert later.cancel.is_set()


def test_config_from_the_environment() -> None:
    found = Config.from_environ({"ATHANOR_MAX_SECONDS": "9.5", "ATHANOR_THREADS": "40", "PATH": "x"})
    assert (found.max_seconds, found.threads) == (9.5, 40)


@pytest.mark.parametrize(
    ("name", "text"),
    [("MAX_SECONDS", "nan"), ("THREADS", "1.5"), ("THREADS", "2"), ("SEARCHES", "0"), ("DEFAULT_SECONDS", "61")],
)
def test_a_configuration_that_is_wrong(name: str, text: str) -> None:
    with pytest.raises(RequestError, match=f"ATHANOR_{name}"):
        Config.from_environ({f"ATHANOR_{name}": text})
