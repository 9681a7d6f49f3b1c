"""What jobs take of the processor is told of their clients, once, and held against them."""

from __future__ import annotations

import time

import pytest

from api.access.budgets import Budgets, Limits, SpentError
from api.app import create_app
from api.config import Config
from api.http.searches import Searches
from athanor.jobs.storage.claims import Outcome
from athanor.jobs.storage.store import Store
from athanor.jobs.workers.meter import Meter
from athanor.jobs.workers.worker import work
from tests.api.support import refused
from tests.jobs.support import UNITS, store

__all__ = ["store"]


def test_each_second_is_told_once_of_whose_job_took_it(store: Store) -> None:
    jobs = {client: store.submit("echo", UNITS, client=client)[0] for client in ("", "anna", "bert")}
    meter = Meter(store)
    assert meter.read() == {}  # what was used before nobody asked
    for seconds in (0.5, 0.25, 0.125):
        claim = store.claims.claim("worker")
        assert claim is not None
        assert store.claims.finish(claim, Outcome(["{}"], False, seconds))
    assert meter.read() == {"anna": 0.25, "bert": 0.125}
    assert meter.read() == {}
    store.delete(jobs["anna"].id)
    assert meter.read() == {}


def test_a_worker_notes_what_a_unit_took(store: Store) -> None:
    job, _ = store.submit("echo", UNITS[:1], client="anna")

    def busy(payload: str, lost: object) -> Outcome:
        end = time.process_time() + 0.02
        while time.process_time() < end:
            pass
        return Outcome([payload], True)

    assert work(store, run=busy) == 1
    client, seconds = store.cpu()[job.id]
    assert client == "anna"
    assert seconds >= 0.02


def test_who_owes_processor_time_may_still_look() -> None:
    budgets, limits = Budgets(), Limits(cpu=10)
    budgets.request("anna", limits)
    budgets.charge("anna", 100)
    with pytest.raises(SpentError):
        budgets.request("anna", limits)
    budgets.request("anna", limits, works=False)


def test_what_a_job_took_puts_off_its_clients_next_question(monkeypatch: pytest.MonkeyPatch, store: Store) -> None:
    monkeypatch.setenv("ATHANOR_JOBS", store.path)
    searches = Searches(2, 16)
    client = create_app(Config(client_cpu_seconds=5), searches).test_client()
    assert client.get("/v1/games").status_code == 200
    searches.charge("127.0.0.1", 30)  # as the service does with what a meter tells
    refused(client.post("/v1/deal", json={"game": "kirin"}), 429, "too_much_work")
    refused(client.post("/v1/jobs", json={"kind": "deal", "questions": ["kirin"]}), 429, "too_much_work")
    assert client.get("/v1/jobs").status_code == 200
    refused(client.post("/v1/jobs/none/cancel"), 404, "no_job")
