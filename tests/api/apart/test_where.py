"""Which searches are done here, and which in the process that searches."""

from __future__ import annotations

import threading

import pytest

from api.apart.process import Process
from api.config import Config
from api.http.searches import Asker, Searches
from api.scheduling.precedence import GivingWay
from api.scheduling.quantum import QUANTUM_SECONDS
from api.scheduling.worked import elsewhere
from api.starting.memory import Memory
from api.starting.readiness import Readiness
from solver.errors import RequestError
from solver.limits import Limit, ProgressCallback
from solver.search.memory.account import Account
from solver.search.memory.settings import MEGABYTE
from solver.search.pool import Shelf
from tests.api.searching import searching

LIMIT = Limit(seconds=20.0)


class Elsewhere(Process):
    """A process that is ready, and whose searches are made up: they take so many seconds."""

    def __init__(self) -> None:
        super().__init__(Config(), Readiness())
        self.seconds = 0.0
        self.asked: list[str] = []
        self.flags: list[threading.Event] = []
        self._ready = True

    def takes(self, search: object) -> bool:
        return self._ready and search is here

    def run(self, search: object, limit: Limit, cancel: threading.Event, progress: object = None) -> str:  # type: ignore[override]
        self.asked.append("run")
        self.flags.append(cancel)
        elsewhere(self.seconds)
        return "there"

    def tried(self, search: object, limit: Limit, cancel: threading.Event) -> tuple[str, bool]:  # type: ignore[override]
        self.asked.append("tried")
        return "there", self.seconds > QUANTUM_SECONDS


class Gone(Elsewhere):
    """One that has died."""

    def takes(self, search: object) -> bool:
        return False


def here(limit: Limit, cancel: threading.Event, progress: ProgressCallback | None) -> str:
    return "here"


def test_what_was_quick_is_done_here_from_then_on() -> None:
    apart = Elsewhere()
    searches = Searches(1, 40, apart=apart)
    assert searches.search(here, LIMIT, Asker(), "kind") == "there"
    assert searches.search(here, LIMIT, Asker(), "kind") == "here"
    assert apart.asked == ["run"]


def test_what_was_long_is_done_there_from_then_on() -> None:
    apart = Elsewhere()
    apart.seconds = 2 * QUANTUM_SECONDS
    searches = Searches(1, 40, apart=apart)
    assert [searches.search(here, LIMIT, Asker(), "kind") for _ in range(3)] == ["there"] * 3
    assert apart.asked == ["run"] * 3


def test_where_the_places_are_taken_what_is_doubtful_is_tried_there() -> None:
    apart = Elsewhere()
    searches = Searches(1, 40, apart=apart)
    apart.seconds = 2 * QUANTUM_SECONDS
    searches.search(here, LIMIT, Asker(), "kind")
    apart.seconds = 0.0
    for _ in range(4):  # now more of them were quick than not, but not nearly all
        searches.search(here, LIMIT, Asker(), "kind")
    apart.asked.clear()
    apart.run = lambda search, *more: search(*more, None)  # type: ignore[method-assign]
    with searching(searches):
        assert searches.search(here, LIMIT, Asker("other"), "kind") == "there"
        assert searches.search(here, LIMIT, Asker("other"), "never met") == "there"
        assert searches.search(here, LIMIT, Asker("other"), "never met") == "here"  # it was quick
    assert apart.asked == ["tried", "tried"]


@pytest.mark.parametrize("apart", [None, Gone(), Elsewhere()])
def test_what_the_process_does_not_take_is_done_here_and_gives_way(apart: Process | None) -> None:
    ended, seen = threading.Event(), list[threading.Event]()
    Searches(1, 40, apart=apart).run(lambda limit, cancel, progress: seen.append(cancel), LIMIT, ended)
    [flag] = seen
    assert isinstance(flag, GivingWay)
    ended.set()
    assert flag.is_set()


def test_who_watches_what_the_process_does_never_gives_way() -> None:
    apart = Elsewhere()
    searches = Searches(1, 40, apart=apart)
    searches.search(here, LIMIT, Asker(), "kind")
    with searches.stream(Asker(), 1.0) as stream:
        assert stream.run(here, LIMIT, stream.cancel) == "there"
    assert len(apart.flags) == 2
    assert not any(isinstance(flag, GivingWay) for flag in apart.flags)


def test_nearly_all_tables_are_for_the_process() -> None:
    account = Account()
    told: list[int] = []
    config = Config(memory_mb=2048, threads=64)
    memory = Memory(config, Readiness(), account=account, shelf=Shelf(account), share=told.append)
    [there] = told
    assert 8 * account.limit < there * MEGABYTE < config.memory_mb * MEGABYTE
    assert account.resident is not None
    assert account.resident + there * MEGABYTE <= config.memory_mb * MEGABYTE
    memory.bound(1024 * MEGABYTE)
    assert told[1] < told[0]


def test_too_little_memory_is_for_one_process() -> None:
    assert Config(memory_mb=1024).searches_apart
    assert not Config(memory_mb=1023).searches_apart
    assert not Config(memory_mb=4096, search_process=0).searches_apart
    with pytest.raises(RequestError, match="ATHANOR_SEARCH_PROCESS must be 0 or 1, not 2"):
        Config.from_environ({"ATHANOR_SEARCH_PROCESS": "2"})
