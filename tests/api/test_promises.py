"""Who was turned away and comes back when told is served, before those who come for the first time."""

from __future__ import annotations

import threading
import time

import pytest
from flask import Flask

from api.calls.questions import asker
from api.http.body import read_json
from api.scheduling import promises
from api.scheduling.lane import FullError, Lane
from api.scheduling.promises import Promises
from api.scheduling.stream_places import StreamPlaces


class Clock:
    """A monotonic clock that is set."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.now = 1000.0
        monkeypatch.setattr(time, "monotonic", lambda: self.now)


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    return Clock(monkeypatch)


def test_a_question_that_comes_back_at_its_time_is_known_once(clock: Clock) -> None:
    kept = Promises()
    seconds = kept.make("client", "question", 0.5, 3)
    assert seconds == 3  # 2.5 and whole
    assert not kept.keep("client", "question")  # it is too early
    clock.now += seconds
    assert not kept.keep("client", "another")
    assert not kept.keep("another", "question")
    assert kept.keep("client", "question")
    assert not kept.keep("client", "question")


def test_each_is_told_a_time_of_its_own_and_none_too_long(clock: Clock) -> None:
    kept = Promises()
    told = [kept.make("client", number, 0.5, 1) for number in range(100)]
    assert told[:6] == [2, 3, 4, 5, 6, 7]
    assert max(told) == promises.LONGEST_WAIT


def test_promises_to_the_same_question_are_kept_as_often_as_made(clock: Clock) -> None:
    kept = Promises()
    for _ in range(3):
        kept.make("client", "question", 0.1, 1)
    clock.now += 5
    assert [kept.keep("client", "question") for _ in range(4)] == [True] * 3 + [False]


def test_no_promise_is_kept_for_ever_nor_too_many(clock: Clock) -> None:
    kept = Promises()
    kept.make("client", "question", 0.1, 1)
    clock.now += 40
    assert not kept.keep("client", "question")
    for number in range(10_000):
        kept.make("client", number, 0.1, 1)
        kept.make("client", "one", 0.1, 1)
    assert len(kept._due) <= 4096
    assert len(kept._due["client", "one"]) <= 64


def test_a_question_without_a_name_is_not_known_again(clock: Clock) -> None:
    kept = Promises()
    kept.make("client", None, 0.1, 1)
    clock.now += 5
    assert not kept.keep("client", None)


def test_who_comes_back_to_a_lane_has_a_place_and_is_the_next() -> None:
    lane = Lane("search", 1, 2, lambda client, seconds: None)
    go = threading.Event()
    order: list[str] = []
    lane.submit("crowd", lambda: go.wait(20))
    others = [lane.submit("crowd", lambda: order.append("other")) for _ in range(2)]
    with pytest.raises(FullError) as full:
        lane.submit("crowd", lambda: order.append("never"), question="mine")
    with pytest.raises(FullError):
        lane.submit("crowd", lambda: order.append("never"), question="not mine")
    time.sleep(full.value.seconds)
    mine = lane.submit("crowd", lambda: order.append("mine"), question="mine")
    go.set()
    for future in (*others, mine):
        future.result(20)
    assert order == ["mine", "other", "other"]


def test_more_streams_are_let_in_where_they_come_back(clock: Clock) -> None:
    places = StreamPlaces(4)
    assert [places.take("client", number, back=False) for number in range(2)] == [(False, 0)] * 2
    back, seconds = places.take("client", "late", back=False)
    assert not back
    assert seconds
    assert places.take("another", "x", back=False) == (False, 0)
    clock.now += seconds
    assert places.take("client", "late", back=False) == (True, 0)
    assert places.take("client", "lane", back=True) == (True, 0)
    assert places.take("client", "lane", back=True)[1]  # there is an end to it
    for _ in range(4):
        places.leave("client", 2.0)
    assert places.take("client", "new", back=False) == (False, 0)


def test_requests_are_known_by_their_path_and_body() -> None:
    app = Flask(__name__)

    def known(path: str, body: dict[str, object]) -> object:
        with app.test_request_context(path, method="POST", json=body) as context:
            read_json(context.request)
            return asker().question

    assert known("/v1/hint", {"a": 1}) == known("/v1/hint", {"a": 1})
    assert known("/v1/hint", {"a": 1}) != known("/v1/hint", {"a": 2})
    assert known("/v1/hint", {"a": 1}) != known("/v1/analyze", {"a": 1})
