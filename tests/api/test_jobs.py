"""`/v1/jobs`: from submit to delete, followed as lines and as events, and refused in the contract's form."""

from __future__ import annotations

import contextlib
import json
import os
import re
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from api.app import create_app
from api.cli.main import cli
from api.config import Config
from api.job_followers import Followers, as_event
from api.metrics import JobStore
from api.routes_jobs import EVENTS
from api.search_pool import Asker, SearchPool
from api.tokens import made
from athanor.jobs.file import JobError
from athanor.jobs.store import Outcome, Store
from solver import registry
from solver.positions import position_data
from tests.api.serving import asked, post, served
from tests.api.support import HIDDEN, KNOWN, lanes, refused
from tests.jobs.support import claim, do, fill, small_disk
from tests.support.timing import LATE

__all__ = ["small_disk"]

DEALS = {"kind": "deal", "questions": [{"game": "kirin", "seed": 1, "deals": 2}, {"game": "king"}]}


@pytest.fixture
def store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Store]:
    monkeypatch.setenv("ATHANOR_JOBS", str(tmp_path / "jobs.sqlite"))
    store = Store()
    yield store
    store.close()


@pytest.fixture
def searches() -> SearchPool:
    return lanes(2)


@pytest.fixture
def client(store: Store, searches: SearchPool) -> FlaskClient:
    return create_app(Config(), searches).test_client()


def _submitted(client: FlaskClient, **more: Any) -> dict[str, Any]:
    found = client.post("/v1/jobs", json=DEALS | more)
    assert found.status_code in (200, 201), found.text
    job: dict[str, Any] = found.get_json()
    return job


def _events(text: str) -> list[tuple[str, str, Any]]:
    """Each event's name, id and data."""
    found = []
    for block in text.strip().split("\n\n"):
        fields = dict(line.split(": ", 1) for line in block.splitlines())
        found.append((fields["event"], fields.get("id", ""), json.loads(fields["data"])))
    return found


def test_a_job_from_submit_to_delete(client: FlaskClient, store: Store) -> None:
    job = _submitted(client, title="some deals")
    assert (job["status"], job["total"], job["title"]) == ("waiting", 2, "some deals")
    assert client.get("/v1/jobs").get_json() == {"jobs": [job], "next": None}
    address = f"/v1/jobs/{job['id']}"
    assert client.get(address).get_json() == job
    do(store)
    assert client.get(address).get_json()["status"] == "done"
    *lines, last = map(json.loads, client.get(f"{address}/results").text.splitlines())
    assert [(line["index"], line["result"]["number"]) for line in lines] == [(0, 0), (0, 1), (1, 0)]
    assert last["job"]["status"] == "done"
    after = client.get(f"{address}/results?after={lines[1]['id']}").text.splitlines()
    assert [json.loads(line).get("index") for line in after] == [1, None]
    assert client.delete(address).get_json()["id"] == job["id"]
    refused(client.get(address), 404, "no_job")
    assert client.get("/v1/jobs").get_json() == {"jobs": [], "next": None}


def test_hints_of_a_job_may_be_first_answers(client: FlaskClient, store: Store) -> None:
    kirin = registry.game("kirin")
    view = position_data(kirin.view(kirin.deal(1), 0))
    job = client.post("/v1/jobs", json={"kind": "hint", "questions": [view], "worlds": 0}).get_json()
    do(store)
    line, _ = map(json.loads, client.get(f"/v1/jobs/{job['id']}/results").text.splitlines())
    assert line["result"]["method"] == "policy"


def test_a_key_makes_a_repeated_submit_the_same_job(client: FlaskClient) -> None:
    job = _submitted(client, key="mine")
    assert _submitted(client, key="mine") == job
    other = {"kind": "deal", "questions": [{"game": "king"}], "key": "mine"}
    refused(client.post("/v1/jobs", json=other), 409, "conflict", "key")
    first, again = (client.post("/v1/jobs", json=DEALS, headers={"Idempotency-Key": "other"}) for _ in range(2))
    assert (first.status_code, again.status_code) == (201, 200)
    assert first.get_json() == again.get_json()
    assert first.headers["Location"] == f"/v1/jobs/{first.get_json()['id']}"


@pytest.mark.parametrize(
    "title", ["a\nb", "a\u2028b", "\x1b[2J", "a\rb", "a\x85b", "a\x0bb", "a\x1cb", "a\u2029b", "\u202eab"]
)
def test_a_title_forges_no_line_of_a_list(
    client: FlaskClient, store: Store, monkeypatch: pytest.MonkeyPatch, title: str
) -> None:
    job = _submitted(client, title=title)
    assert job["title"] == title
    monkeypatch.setenv("ATHANOR_JOBS", store.path)
    for command in (["list"], ["show", job["id"]], ["list", "--json"]):
        printed = CliRunner().invoke(cli, ["jobs", *command]).output
        assert len(printed.splitlines()) == 1, printed


def test_an_empty_key_is_refused(client: FlaskClient) -> None:
    """It comes from a script whose variable is not set, and would make all its jobs the same."""
    refused(client.post("/v1/jobs", json=DEALS, headers={"Idempotency-Key": ""}), 422, "wrong_size", "key")
    refused(client.post("/v1/jobs", json={**DEALS, "key": ""}), 422, "wrong_size", "key")
    headers = {"Idempotency-Key": "mine"}
    refused(client.post("/v1/jobs", json={**DEALS, "key": ""}, headers=headers), 422, "wrong_size", "key")


def test_a_list_goes_on_where_the_last_one_ended(client: FlaskClient) -> None:
    jobs = [_submitted(client)["id"] for _ in range(5)][::-1]
    found: list[str] = []
    address: str | None = "/v1/jobs?limit=2"
    while address:
        page = client.get(address).get_json()
        found += [job["id"] for job in page["jobs"]]
        address = page["next"] and f"/v1/jobs?limit=2&before={page['next']}"
    assert found == jobs
    refused(client.get("/v1/jobs?before=none"), 404, "no_job", "before")


def test_cancelled_and_tried_again(client: FlaskClient, store: Store) -> None:
    address = f"/v1/jobs/{_submitted(client)['id']}"
    assert client.post(f"{address}/cancel").get_json()["status"] == "cancelled"
    assert do(store) == 0
    assert client.post(f"{address}/retry").get_json()["status"] == "waiting"
    assert do(store) == 2


def test_events_follow_a_job_to_its_end(client: FlaskClient, store: Store) -> None:
    address = f"/v1/jobs/{_submitted(client)['id']}/events"
    worker = threading.Thread(target=do, args=(store,))
    worker.start()
    found = client.get(address)
    worker.join()
    assert found.mimetype == "text/event-stream"
    events = _events(found.text)
    results = [(number, data) for name, number, data in events if name == "result"]
    assert [data["result"]["number"] for _, data in results] == [0, 1, 0]
    assert events[-1][0] == "end"
    assert events[-1][2]["job"]["status"] == "done"
    rest = _events(client.get(address, headers={"Last-Event-ID": results[1][0]}).text)
    assert [name for name, _, _ in rest] == ["result", "end"]


def test_a_stream_of_lines_waits_for_what_comes(client: FlaskClient, store: Store) -> None:
    address = f"/v1/jobs/{_submitted(client)['id']}/results?stream=true"
    worker = threading.Timer(0.1, do, (store,))
    worker.start()
    lines = client.get(address).text.splitlines()
    worker.join()
    assert len(lines) == 4


def test_followers_end_when_the_service_stops(client: FlaskClient, searches: SearchPool) -> None:
    job = _submitted(client)
    searches.stopping.set()
    events = _events(client.get(f"/v1/jobs/{job['id']}/events").text)
    assert events[-1][0] == "end"
    assert events[-1][2]["job"]["status"] == "waiting"


def test_there_are_only_so_many_followers(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("api.job_followers.MOST_FOLLOWERS", 2)
    client = create_app(Config(), lanes(2)).test_client()
    job, _ = store.submit("deal", ["{}"])

    def follow(address: str, name: str = job.id) -> TestResponse:
        return client.get(f"/v1/jobs/{name}/events", environ_base={"REMOTE_ADDR": address}, buffered=False)

    first = follow("203.0.113.1")
    refused(follow("203.0.113.1"), 503, "busy")
    second = follow("203.0.113.2")
    refused(follow("203.0.113.3"), 503, "busy")
    first.close()
    third = follow("203.0.113.1")
    assert [found.status_code for found in (first, second, third)] == [200] * 3
    refused(follow("203.0.113.4", "none"), 404, "no_job")
    second.close()
    third.close()


def test_a_unit_gets_no_more_time_than_a_request(store: Store) -> None:
    client = create_app(Config(max_seconds=7.0), lanes(2)).test_client()
    body = {
        "kind": "analyze",
        "questions": [KNOWN, {"position": KNOWN, "limit": {"seconds": 90}}],
        "limit": {"seconds": 3},
    }
    assert client.post("/v1/jobs", json=body).status_code == 201
    chunk = claim(store, 2)
    assert chunk is not None
    assert [json.loads(payload)["limit"]["seconds"] for _, payload in chunk.units] == [3.0, 7.0]


@pytest.mark.parametrize(
    ("body", "code", "path"),
    [
        ({"kind": "win", "questions": [KNOWN]}, "unknown_value", "kind"),
        ({"kind": "analyze", "questions": []}, "wrong_size", "questions"),
        ({"kind": "analyze", "questions": [KNOWN], "limit": {"nodes": 0}}, "out_of_range", "limit.nodes"),
        ({"kind": "deal", "questions": [{"game": "kirin"}], "limit": {"nodes": 3}}, "not_applicable", "limit"),
        ({"kind": "deal", "questions": [{"game": "kirin"}], "worlds": 3}, "not_applicable", "worlds"),
        ({"kind": "deal", "questions": [{"game": "kirin"}], "colour": 3}, "unknown_key", "colour"),
    ],
)
def test_what_cannot_be_asked_is_refused(client: FlaskClient, body: Any, code: str, path: str) -> None:
    refused(client.post("/v1/jobs", json=body), 422, code, path)
    assert client.get("/v1/jobs").get_json() == {"jobs": [], "next": None}


def test_too_much_is_refused(client: FlaskClient) -> None:
    body = {"kind": "deal", "questions": [{"game": "kirin", "deals": 9_000_000}]}
    refused(client.post("/v1/jobs", json=body), 413, "too_large", "questions")


def test_a_store_that_fails_leaves_the_rest_of_the_service_alone(client: FlaskClient, store: Store) -> None:
    Path(store.path).write_bytes(b"not a store" * 1000)
    refused(client.get("/v1/jobs"), 500, "store_damaged")
    refused(client.post("/v1/jobs", json=DEALS), 500, "store_damaged")
    assert client.get("/v1/games").status_code == 200


def test_a_full_store_says_so(client: FlaskClient, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ATHANOR_JOBS_MB", "1")
    monkeypatch.setattr("athanor.jobs.store._PART_OF_A_CLIENT", 1)
    many = {"kind": "deal", "questions": [{"game": "kirin", "deals": 600_000}]}
    found = [client.post("/v1/jobs", json=many) for _ in range(2)]
    assert found[0].status_code == 201
    refused(found[1], 507, "store_full")
    assert len(client.get("/v1/jobs").get_json()["jobs"]) == 1


def test_on_a_full_disk_a_job_is_deleted_as_the_answer_advises(
    small_disk: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ATHANOR_JOBS", str(small_disk / "jobs.sqlite"))
    state = JobStore()
    client = create_app(Config(), lanes(2), jobs=state).test_client()
    many = DEALS | {"questions": [{"game": "kirin", "deals": 900_000}]}
    address = f"/v1/jobs/{_submitted(client, **many)['id']}"
    fill(small_disk)
    found = client.post("/v1/jobs", json=many)
    while found.status_code == 201:  # what the log still has room for
        found = client.post("/v1/jobs", json=many)
    refused(found, 507, "store_full")
    with pytest.raises(JobError) as full, Store().owned():  # as who works on the jobs finds it
        pass
    assert full.value.code == "store_full"
    state.record("working on", full.value)
    assert client.delete(address).status_code == 200
    assert client.post("/v1/jobs", json=DEALS).status_code == 201


def test_strangers_see_and_change_their_own_jobs_only(client: FlaskClient) -> None:
    job = _submitted(client)
    address = f"/v1/jobs/{job['id']}"
    there = {"REMOTE_ADDR": "203.0.113.9"}
    assert client.get("/v1/jobs", environ_base=there).get_json() == {"jobs": [], "next": None}
    assert client.get(address, environ_base=there).get_json() == job
    for method, below in (("DELETE", ""), ("POST", "/cancel"), ("POST", "/retry")):
        refused(client.open(address + below, method=method, environ_base=there), 403, "not_yours")
    assert client.get(address).get_json() == job
    theirs = client.post("/v1/jobs", json=DEALS, environ_base=there).get_json()
    assert client.get("/v1/jobs", environ_base=there).get_json()["jobs"] == [theirs]
    assert client.delete(f"/v1/jobs/{theirs['id']}", environ_base=there).status_code in (200, 201)


def test_of_tokens_the_administrators_may_change_every_job(store: Store, tmp_path: Path) -> None:
    secrets, lines = zip(*(made(name) for name in ("anna", "bert", "admin")), strict=True)
    (tmp_path / "tokens").write_text("\n".join(token.line for token in lines))
    client = create_app(Config(tokens_file=str(tmp_path / "tokens")), lanes(2)).test_client()
    anna, bert, admin = ({"Authorization": f"Bearer {secret}"} for secret in secrets)
    address = f"/v1/jobs/{client.post('/v1/jobs', json=DEALS, headers=anna).get_json()['id']}"
    refused(client.post(f"{address}/cancel", headers=bert), 403, "not_yours")
    assert client.get("/v1/jobs", headers=bert).get_json() == {"jobs": [], "next": None}
    assert client.post(f"{address}/cancel", headers=anna).get_json()["status"] == "cancelled"
    assert len(client.get("/v1/jobs", headers=admin).get_json()["jobs"]) == 1
    assert client.post(f"{address}/retry", headers=admin).get_json()["status"] == "waiting"
    assert client.delete(address, headers=admin).status_code == 200


def test_a_client_with_too_much_is_told_so(client: FlaskClient, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("athanor.jobs.store.MOST_JOBS_OF_A_CLIENT", 2)
    there = {"REMOTE_ADDR": "203.0.113.9"}
    for _ in range(2):
        assert client.post("/v1/jobs", json=DEALS, environ_base=there).status_code in (200, 201)
    refused(client.post("/v1/jobs", json=DEALS, environ_base=there), 429, "share_full")
    assert client.post("/v1/jobs", json=DEALS).status_code == 201  # others go on


def test_no_error_tells_where_the_file_is(client: FlaskClient, store: Store) -> None:
    Path(store.path).write_bytes(b"not a store" * 1000)
    assert store.path not in client.get("/v1/jobs").text


def test_beside_hundreds_who_follow_a_short_question_is_answered_as_ever(store: Store) -> None:
    config = Config()
    with served(config) as server, ExitStack() as stack:
        job = create_app(config).test_client().post("/v1/jobs", json=DEALS).get_json()["id"]
        followers = [stack.enter_context(server.connect(f"127.0.0.{1 + number % 2}")) for number in range(200)]
        for follower in followers:
            follower.sendall(f"GET /v1/jobs/{job}/events HTTP/1.1\r\nHost: localhost\r\n\r\n".encode())
            assert b"200 OK" in follower.recv(15)
        begun = time.monotonic()
        with server.connect() as other:
            assert asked(other, post("/v1/deal", {"game": "kirin"}))[0] == 200
        assert time.monotonic() - begun < LATE
        do(store)
        for follower in followers:
            with follower.makefile("rb") as stream:
                while b"event: end" not in stream.readline():
                    pass


def test_the_store_is_read_once_for_all_followers(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("api.job_followers._LOOK_SECONDS", 60.0)
    job, _ = store.submit("deal", ["{}"])
    looks: list[object] = []
    look = store.results

    def counted(*given: Any, **more: Any) -> Any:
        looks.append(given)
        return look(*given, **more)

    monkeypatch.setattr(store, "results", counted)
    followers = Followers(threading.Event())
    for number in range(300):
        found = followers.response(store, job.id, 0, Asker(str(number)), as_event, EVENTS, to_the_end=True)
        assert "progress" in next(found.iter_encoded()).decode()
    assert len(looks) == 1


def test_a_follower_who_reads_nothing_holds_up_nobody(store: Store) -> None:
    """What it does not take is not kept for it either."""
    long, _ = store.submit("echo", [json.dumps({"text": "x" * 10_000})] * 1000)
    do(store, lambda payload, cancel: Outcome([payload], False))
    short, _ = store.submit("echo", ["{}"])
    config = Config()
    with served(config) as server, server.connect(reading=False) as slow, server.connect() as quick:
        slow.sendall(f"GET /v1/jobs/{long.id}/results HTTP/1.1\r\nHost: localhost\r\n\r\n".encode())
        time.sleep(0.5)
        quick.sendall(f"GET /v1/jobs/{short.id}/events HTTP/1.1\r\nHost: localhost\r\n\r\n".encode())
        with quick.makefile("rb") as stream:
            begun = time.monotonic()
            while b"event: progress" not in stream.readline():
                assert time.monotonic() - begun < LATE
        with slow.makefile("rb") as stream:  # all of it comes when it is read at last
            size = len(stream.read())
        assert size > 10_000_000


def test_who_leaves_makes_room_at_once(store: Store) -> None:
    job, _ = store.submit("echo", ["{}"])
    request = f"GET /v1/jobs/{job.id}/events HTTP/1.1\r\nHost: localhost\r\n\r\n".encode()

    def status() -> int:
        follower = stack.enter_context(server.connect())
        follower.sendall(request)
        return int(follower.recv(15).split()[1])

    with served(Config()) as server:
        with ExitStack() as stack:
            found = [status() for _ in range(251)]
        assert (found.count(200), found[-1]) == (250, 503)
        with ExitStack() as stack:
            begun = time.monotonic()
            while status() != 200:
                assert time.monotonic() - begun < LATE


def test_requests_of_a_follower_are_not_answered_into_its_stream(store: Store) -> None:
    job, _ = store.submit("deal", ["{}"])
    request = f"GET /v1/jobs/{job.id}/events HTTP/1.1\r\nHost: localhost\r\n\r\n".encode()
    with served(Config()) as server, server.connect() as follower:
        follower.sendall(request * 2)
        time.sleep(0.5)
        do(store, lambda payload, cancel: Outcome(["{}"], False))
        with follower.makefile("rb") as stream:
            found = stream.read()
    assert found.count(b"200 OK") == 1
    assert found.rstrip().endswith(b"0")


@pytest.mark.slow
def test_a_service_is_ready_without_its_store_and_says_what_is_wrong_with_it(tmp_path: Path) -> None:
    """A file that is damaged in its middle; `tests.journeys.test_long_work` has one of an earlier version."""
    path = tmp_path / "jobs.sqlite"
    with contextlib.closing(Store(path)) as store:
        store.submit("deal", ['{"game": "kirin"}' + " " * 4000] * 100)
    with path.open("r+b") as file:
        file.seek(path.stat().st_size // 2)
        file.write(b"\xff" * (path.stat().st_size // 2))
    log = tmp_path / "log"
    command = [sys.executable, "-m", "api.cli", "serve", "--port", "0"]
    environ = {**os.environ, "ATHANOR_JOBS": str(path), "ATHANOR_JOB_WORKERS": "1", "ATHANOR_MEMORY_MB": "512"}
    with (
        log.open("w") as stderr,
        subprocess.Popen(command, stdout=subprocess.PIPE, stderr=stderr, text=True, env=environ) as process,
    ):
        try:
            assert process.stdout is not None
            found = re.search(r"127.0.0.1:(\d+)/", process.stdout.readline())
            assert found

            def ask(request: bytes) -> tuple[int, Any]:
                with socket.create_connection(("127.0.0.1", int(found[1])), 300) as client:
                    return asked(client, request)

            end = time.monotonic() + 300
            ready: dict[str, Any] = {}
            while not ready.get("jobs_fault"):
                assert time.monotonic() < end, log.read_text()
                ready = ask(b"GET /readyz HTTP/1.1\r\nHost: localhost\r\n\r\n")[1]
                time.sleep(0.1)
            code = "store_damaged"
            assert ready == {"status": "ok", "jobs_fault": code}
            assert ask(b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n")[1]["jobs_fault"] == code
            assert ask(post("/v1/hint", {"position": HIDDEN}))[0] == 200
            status, body = ask(post("/v1/jobs", DEALS))
            assert (status, body["error"]["code"]) == (500, code)
            assert str(tmp_path) not in body["error"]["message"]  # strangers learn no folder
        finally:
            process.terminate()
    assert str(path) in log.read_text()
    assert "a request about jobs failed" in log.read_text()
