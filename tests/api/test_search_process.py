"""Searches in processes of their own: what they find, what they raise, and what happens when a process dies."""

from __future__ import annotations

import os
import signal
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from multiprocessing import Pipe
from typing import Any, ClassVar

import pytest

import athanor
from api.app import create_app
from api.compiling import AbsentError
from api.config import Config
from api.errors import BusyError
from api.models import AnalyzeRequest
from api.search_pool import Asker, Searches
from api.search_process import Ask, Done, Failure, Load, SharedFlag, Trial, load, serve_slot
from api.searches import Analyzing
from solver.errors import PositionError, RequestError
from solver.limits import Limit, Progress, ProgressCallback
from tests.api.support import KNOWN, warmed

LIMIT = Limit(seconds=20.0)
SECONDS = 60.0  # that any of this may take on a loaded machine


@dataclass(frozen=True)
class Doing:
    """A search that does as it is told."""

    written: ClassVar[bool] = False
    what: str

    def __call__(self, limit: Limit, cancel: threading.Event, progress: ProgressCallback | None) -> Any:
        match self.what:
            case "number":
                return os.getpid()
            case "die":
                os.kill(os.getpid(), signal.SIGKILL)
            case "fault":
                raise PositionError("wrong", "it is wrong", "hand[1]")
            case "bug":
                raise ZeroDivisionError("a bug")
            case "unsent":
                return threading.Lock()
            case "progress":
                assert progress is not None
                progress(Progress(1, 0.1, 0.5, "searching"))
            case "until":
                end = time.monotonic() + SECONDS
                while time.monotonic() < end and not cancel.is_set():
                    time.sleep(0.001)
                return cancel.is_set()
        return self.what


@pytest.fixture(scope="module")
def searches() -> Iterator[Searches]:
    found = Searches(Config(searches=1, memory_mb=1024), apart=True)
    found.start()
    warmed()
    found.load("alchemy", compile=True)
    yield found
    found.stop()


def test_every_lane_has_a_process_that_is_not_this_one(searches: Searches) -> None:
    quick = searches.find(Doing("number"), LIMIT, Asker())
    long = searches.find(Doing("number"), LIMIT, Asker(), tried=False)
    hint = searches.find(Doing("number"), LIMIT, Asker(), lane="hint", tried=False)
    assert long == hint
    assert len({quick, long, os.getpid()}) == 3


def test_an_answer_is_what_it_is_here(searches: Searches) -> None:
    client = create_app(Config(), searches).test_client()
    found = client.post("/v1/analyze", json={"position": KNOWN})
    alone = athanor.analyze(KNOWN, limit=Limit(seconds=5)).to_dict()
    assert {**found.get_json(), "seconds": 0} == {**alone, "seconds": 0}
    assert client.post("/v1/analyze?stream=1", json={"position": KNOWN}).status_code == 200
    told = client.get("/healthz").get_json()["memory"]
    assert told["tables_limit_mb"] > 0


def test_what_a_search_raises(searches: Searches) -> None:
    with pytest.raises(PositionError) as found:
        searches.find(Doing("fault"), LIMIT, Asker())
    assert (found.value.code, found.value.path) == ("wrong", "hand[1]")
    with pytest.raises(ZeroDivisionError):
        searches.find(Doing("bug"), LIMIT, Asker())
    with pytest.raises((TypeError, RuntimeError)):
        searches.find(Doing("unsent"), LIMIT, Asker())


def test_progress_comes_back(searches: Searches) -> None:
    heard: list[Progress] = []
    with searches.stream(Asker(), 9.0) as stream:
        assert stream.run("long", Doing("progress"), LIMIT, heard.append) == "progress"
    assert [found.done for found in heard] == [0.5]


def test_a_client_that_leaves_frees_its_slot(searches: Searches) -> None:
    left = threading.Event()
    with ThreadPoolExecutor(1) as pool:
        asking = pool.submit(
            searches.find, Doing("until"), LIMIT, Asker("one", left.is_set), lane="long", tried=False
        )
        time.sleep(0.2)
        began = time.monotonic()
        left.set()
        assert asking.result(SECONDS)
        assert time.monotonic() - began < 5


def test_a_process_that_dies_is_an_honest_error_and_is_started_again(searches: Searches) -> None:
    before = searches.find(Doing("number"), LIMIT, Asker(), tried=False)
    with pytest.raises(BusyError, match="the process that searched has ended"):
        searches.find(Doing("die"), LIMIT, Asker(), tried=False)
    after = searches.find(Doing("number"), Limit(seconds=SECONDS), Asker(), tried=False)
    assert after != before
    client = create_app(Config(), searches).test_client()  # what the one before had loaded is there
    assert client.post("/v1/analyze", json={"position": KNOWN, "limit": {"seconds": 30}}).status_code == 200


def test_what_is_not_in_the_cache_is_told(searches: Searches) -> None:
    with pytest.raises((AbsentError, RequestError)):
        searches.load("no-such-game")


def test_a_slot_serves_one_search_after_the_other() -> None:
    ours, theirs = Pipe()
    flag = SharedFlag(bytearray(2), 1)
    serving = threading.Thread(target=serve_slot, args=(theirs, flag, 1))
    serving.start()
    warmed()
    ours.send(Ask(Analyzing(AnalyzeRequest.model_validate({"position": KNOWN})), LIMIT))
    answer = ours.recv()
    assert isinstance(answer, Done)
    assert answer.found.exact
    assert '"value":"won"' in answer.found.to_json()
    ours.send(Ask(Doing("progress"), LIMIT, progress=True))
    assert [type(ours.recv()) for _ in range(2)] == [Progress, Done]
    ours.send(Ask(Doing("fault"), LIMIT))
    assert isinstance(ours.recv().found, Failure)
    flag.set()
    ours.send(Ask(Doing("until"), LIMIT))
    assert ours.recv().found is True
    flag.clear()
    assert not flag.is_set()
    ours.close()
    serving.join(SECONDS)


def test_a_trial_is_cut_by_the_time_that_it_works() -> None:
    cancel = threading.Event()
    trial = Trial(cancel)
    assert not trial.is_set()
    while not trial.is_set():
        sum(range(1000))
    assert trial.cut
    cancel.set()
    assert Trial(cancel).is_set()


def test_a_game_is_loaded_here_where_there_are_no_processes() -> None:
    load(Load("alchemy", compile=True))
    load(Load("alchemy", hints=True))
    load(Load("alchemy"))
