"""`/v1/analyze`, `/v1/hint` and `/v1/batch`, at once and line by line, and in which language they answer."""

from __future__ import annotations

import json
import logging
import sys
import threading
import time
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import Any

import pytest
from flask.testing import FlaskClient

import athanor
from api.app import create_app
from api.config import Config
from api.search_pool import SearchPool
from athanor.asking import QUESTIONS
from athanor.jobs.store import Store
from athanor.jobs.units import answer
from solver import registry
from solver.answers import Answer
from solver.games.alchemy import solving
from solver.language import language, speak
from solver.limits import Control
from solver.positions import parse_position, position_data
from solver.registry import game_of
from tests.api.support import DUEL, FREE, HIDDEN, KNOWN, POSITIONS, lanes, lines_of, refused, searching, warmed
from tests.support.games import AGAINST_OTHERS
from tests.support.timing import LATE, PATIENCE


@pytest.fixture(scope="module")
def client() -> FlaskClient:
    warmed()
    return create_app(Config(default_seconds=5, max_seconds=10)).test_client()


@pytest.mark.parametrize("kind", POSITIONS)
def test_analyze_says_what_the_solver_says(client: FlaskClient, kind: str) -> None:
    found = client.post("/v1/analyze", json={"position": POSITIONS[kind]})
    assert found.status_code == 200, found.text
    position = parse_position(POSITIONS[kind])
    expected = json.loads(game_of(position).analyze(position, Control()).to_json())
    answer = found.get_json()
    for varying in ("nodes", "seconds"):
        assert answer.pop(varying) >= 0
        expected.pop(varying)
    assert answer == expected


@pytest.mark.parametrize("position", [HIDDEN, DUEL], ids=["hidden", "duel"])
def test_hint(client: FlaskClient, position: dict[str, Any]) -> None:
    body = {"position": position, "limit": {"seconds": 5, "nodes": 10**9}, "worlds": 50, "seed": 7}
    found = client.post("/v1/hint", json=body)
    assert found.status_code == 200, found.text
    answer = found.get_json()
    assert answer["best"] == answer["moves"][0]["move"]
    assert answer["reason"]


@contextmanager
def calls_counted(*names: str) -> Iterator[Counter[str]]:
    """Count the calls of functions with these qualified names in the with block, in this thread.

    Those by which a text is written are left out.
    """
    counts: Counter[str] = Counter()

    def note(frame: FrameType, event: str, _: object) -> None:
        if event == "call" and (name := frame.f_code.co_qualname) in names:
            counts[name] += "Notation.write" not in callers(frame)

    def callers(frame: FrameType) -> Iterator[str]:
        while before := frame.f_back:
            frame = before
            yield frame.f_code.co_qualname

    sys.setprofile(note)
    try:
        yield counts
    finally:
        sys.setprofile(None)


@pytest.mark.parametrize("spelled", [str, position_data])
@pytest.mark.parametrize("game", [name for name in AGAINST_OTHERS if registry.is_own(name)])
def test_a_position_is_read_checked_and_replayed_once(client: FlaskClient, game: str, spelled: Any) -> None:
    known: Any = athanor.deal(game, seed=3)
    for _ in range(9):
        known = athanor.play(known, athanor.legal_moves(known)[0])
    view: Any = athanor.view(known, athanor.to_move(known) or 0)
    tricks = {"Past.after": len(view.history)}
    if game == "aqua-regia":
        tricks = {"Replay.move": sum(len(trick.moves) for trick in view.history)}
    of_known, of_view = (f"{type(one).__name__}._check" for one in (known, view))
    names = ("NotationReader._read", of_known, of_view, "Past.after", "Replay.move")
    with calls_counted(*names) as counts:
        assert client.post("/v1/hint", json={"position": spelled(view), "worlds": 8}).status_code == 200
    assert counts == {"NotationReader._read": 1, of_view: 1, **tricks}
    with calls_counted(of_view) as counts:
        assert client.post("/v1/worlds", json={"position": spelled(view)}).status_code == 200
    assert counts == {of_view: 1} or of_view == of_known  # the deals are checked, too
    with calls_counted(*names) as counts:
        body = {"position": spelled(known), "limit": {"nodes": 1}}
        assert client.post("/v1/analyze", json=body).status_code == 200
    assert counts == {"NotationReader._read": 1, of_known: 1, **tricks}


def test_nulls_are_as_good_as_nothing(client: FlaskClient) -> None:
    body = {"position": KNOWN, "model": None, "player": None, "limit": {"seconds": None, "nodes": None}}
    assert client.post("/v1/analyze", json=body).status_code == 200


@pytest.mark.parametrize(("asked", "given"), [(None, 2.0), (1.5, 1.5), (1000.0, 3.0), (1, 1.0)])
def test_limit(monkeypatch: pytest.MonkeyPatch, asked: float | None, given: float) -> None:
    controls: list[Control] = []
    inner = solving.analyze

    def spy(position: Any, control: Control, **options: Any) -> Any:
        controls.append(control)
        return inner(position, control, **options)

    monkeypatch.setattr(solving, "analyze", spy)
    app = create_app(Config(default_seconds=2, max_seconds=3))
    body = {"position": KNOWN, "limit": {"seconds": asked, "nodes": 12345}}
    assert app.test_client().post("/v1/analyze", json=body).status_code == 200
    *_, control = controls  # on a busy machine, the quick lane gives up and another tries again
    assert control.deadline is not None
    assert control.deadline - control.started == pytest.approx(given, abs=0.05)
    assert control.node_limit == 12345


def test_a_limit_that_ends_the_search_returns_the_best_so_far(client: FlaskClient) -> None:
    deal = client.post("/v1/deal", json={"game": "alchemy", "variant": "alternative", "seed": 4}).get_json()
    found = client.post("/v1/analyze", json={"position": deal["position"], "limit": {"nodes": 1}})
    assert found.status_code == 200
    answer = found.get_json()
    assert answer["exact"] is (answer["bounds"][0] == answer["bounds"][1])


@pytest.mark.parametrize(
    ("change", "code", "path"),
    [
        ({"position": {**KNOWN, "line": ["4", "7", "K", "2", "Z", "A"]}}, "illegal_card", "position.line[4]"),
        ({"position": {**KNOWN, "line": ["4", "7", "K", "2", 9, "A"]}}, "wrong_type", "position.line[4]"),
        ({"position": {**KNOWN, "line": ["4", "7"]}}, "wrong_size", "position.line"),
        ({"position": {**KNOWN, "stok": []}}, "unknown_key", "position.stok"),
        ({"position": {**KNOWN, "cap": 10**400}}, "out_of_range", "position.cap"),
        ({"position": {**KNOWN, "game": "chess"}}, "unknown_game", "position.game"),
        ({"position": {**KNOWN, "game": None}}, "wrong_type", "position.game"),
        ({"position": {**KNOWN, "variant": "poker"}}, "unknown_value", "position.variant"),
        ({"position": {}}, "missing_key", "position.game"),
        ({"position": 5}, "wrong_type", "position"),
        ({"position": None}, "wrong_type", "position"),
        ({"position": HIDDEN}, "hidden_cards", "position.stock"),
        ({"limit": {"seconds": 0}}, "out_of_range", "limit.seconds"),
        ({"limit": {"seconds": "1"}}, "wrong_type", "limit.seconds"),
        ({"limit": {"nodes": 10**400}}, "out_of_range", "limit.nodes"),
        ({"limit": {"nodes": 1.5}}, "wrong_type", "limit.nodes"),
        ({"limit": {"minutes": 1}}, "unknown_key", "limit.minutes"),
        ({"limit": 5}, "wrong_type", "limit"),
        ({"model": "paranoid"}, "unknown_value", "model"),
        ({"model": 5}, "wrong_type", "model"),
        ({"player": 9}, "out_of_range", "player"),
        ({"player": -1}, "out_of_range", "player"),
        ({"worlds": 5}, "unknown_key", "worlds"),
    ],
    ids=str,
)
def test_analyze_names_the_key_that_is_wrong(
    client: FlaskClient, change: dict[str, Any], code: str, path: str
) -> None:
    refused(client.post("/v1/analyze", json={"position": KNOWN, **change}), 422, code, path)


@pytest.mark.parametrize(
    ("change", "code", "path"),
    [
        ({"worlds": -1}, "out_of_range", "worlds"),
        ({"worlds": 10**6}, "out_of_range", "worlds"),
        ({"seed": -1}, "out_of_range", "seed"),
        ({"seed": 2**53}, "out_of_range", "seed"),
        ({"model": "paranoid"}, "not_applicable", "model"),
        ({"player": 0}, "not_applicable", "player"),
        ({"compare": "A+A=9"}, "illegal_move", "compare"),
    ],
    ids=str,
)
def test_hint_names_the_key_that_is_wrong(
    client: FlaskClient, change: dict[str, Any], code: str, path: str
) -> None:
    refused(client.post("/v1/hint", json={"position": HIDDEN, **change}), 422, code, path)


def test_a_position_that_cannot_be_hinted(client: FlaskClient) -> None:
    found = client.post("/v1/hint", json={"position": FREE})
    assert found.status_code == 422
    assert found.get_json()["error"]["message"]


def test_a_missing_position(client: FlaskClient) -> None:
    refused(client.post("/v1/analyze", json={}), 422, "missing_key", "position")


@pytest.mark.parametrize("address", ["/nothing", "/v1/analyze/", "//v1/games", "/v1/nothing", "/docs/x"])
def test_an_unknown_address(client: FlaskClient, address: str) -> None:
    # Said by itself, the host is not taken from an address that begins with two slashes.
    refused(client.get(address, headers={"Host": "localhost"}), 404, "not_found")


def test_a_failure_of_ours_is_logged_and_not_told(
    client: FlaskClient, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def broken(*_: Any, **__: Any) -> None:
        raise RuntimeError("a secret of the kitchen")

    monkeypatch.setattr(solving, "analyze", broken)
    found = client.post("/v1/analyze", json={"position": KNOWN})
    refused(found, 500, "internal_error")
    assert "secret" not in found.text
    assert "a secret of the kitchen" in caplog.text


# Hints for hidden cards.


GAME = registry.game("kirin")
VIEW: dict[str, Any] = position_data(GAME.view(GAME.deal(1), 0))
KING = registry.game("king")
VIEWS = [VIEW, *(position_data(KING.view(KING.deal(1, variant=variant), 0)) for variant in KING.variants)]


@pytest.mark.parametrize("view", VIEWS, ids=["kirin", *KING.variants])
def test_a_hint_over_http(client: FlaskClient, view: dict[str, Any]) -> None:
    body = {"position": view, "limit": {"nodes": 4000}, "seed": 5}
    found = client.post("/v1/hint", json=body)
    assert found.status_code == 200, found.text
    answer = found.get_json()
    assert answer["best"] == answer["moves"][0]["move"]
    assert {"mean", "stderr", "gap", "gap_stderr", "worlds", "method"} < set(answer["moves"][0])
    again = client.post("/v1/hint", json=body).get_json()
    assert {**again, "seconds": 0} == {**answer, "seconds": 0}


def test_a_hint_says_why_it_is_better_than_a_move_of_ones_choice(client: FlaskClient) -> None:
    body = {"position": VIEW, "worlds": 600}
    usual = client.post("/v1/hint", json=body).get_json()
    last = usual["moves"][-1]["move"]
    other = client.post("/v1/hint", json={**body, "compare": last}).get_json()
    said = ("sure", "causes", "reason", "seconds")
    assert {**usual, **dict.fromkeys(said)} == {**other, **dict.fromkeys(said)}
    assert other["reason"] != usual["reason"]
    assert last in other["reason"]


@pytest.mark.parametrize("limits", [{"limit": {"nodes": 3000}}, {"worlds": 300}], ids=["nodes", "worlds"])
def test_a_limit_of_its_own_is_not_cut_by_the_usual_time(limits: dict[str, Any]) -> None:
    """So the same seed and limit give the same hint, however long a hint without a limit may take."""
    hasty = create_app(Config(hint_seconds=0.001)).test_client()
    found = hasty.post("/v1/hint", json={"position": VIEW} | limits).get_json()
    assert found["worlds"] == 3000 // len(found["moves"]) if "limit" in limits else found["worlds"] == 300
    assert hasty.post("/v1/hint", json={"position": VIEW}).get_json()["worlds"] < 100


@pytest.mark.parametrize("seconds", [0.049, -1])
def test_seconds_out_of_range(client: FlaskClient, seconds: float) -> None:
    found = client.post("/v1/hint", json={"position": VIEW, "limit": {"seconds": seconds}})
    refused(found, 422, "out_of_range", "limit.seconds")


def test_views_that_can_not_be_hinted(client: FlaskClient) -> None:
    other = position_data(GAME.view(GAME.deal(1), 1))
    refused(client.post("/v1/hint", json={"position": other}), 422, "not_to_move", "position.seat")
    known = position_data(GAME.deal(1))
    refused(client.post("/v1/hint", json={"position": known}), 422, "all_known", "position.hands")


def test_eight_hints_at_once_cost_time_and_never_strength() -> None:
    app = create_app(Config(searches=2))

    def hint(seed: int) -> tuple[int, float, dict[str, Any]]:
        begin = time.monotonic()
        body = {"position": VIEW, "limit": {"seconds": 0.5}, "seed": seed}
        found = app.test_client().post("/v1/hint", json=body)
        return found.status_code, time.monotonic() - begin, found.get_json()

    hint(0)  # the processes that search have started
    with ThreadPoolExecutor(8) as pool:
        answers = list(pool.map(hint, range(8)))
    for status, seconds, found in answers:
        assert status == 200
        assert seconds < 4 * 0.5 + LATE
        assert found["worlds"] > 0
        assert found["seconds"] > 0.25  # of 0.5, however long it waited


def test_a_hint_waits_for_no_search() -> None:
    config = Config(searches=1, threads=8)
    searches = SearchPool(config)
    client = create_app(config, searches).test_client()
    with searching(searches):
        body = {"position": VIEW, "limit": {"seconds": 0.1}}
        assert client.post("/v1/hint", json=body).status_code == 200


# Answers line by line.


NDJSON = {"Accept": "application/x-ndjson"}


def timeless(answer: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in answer.items() if key != "seconds"}


@pytest.fixture(scope="module")
def views() -> list[dict[str, Any]]:
    """A view of each game that is hinted by sampling, of a seat that has a choice."""
    found = []
    for name in AGAINST_OTHERS:
        position = athanor.deal(name, seed=2)
        while len(moves := athanor.legal_moves(position)) == 1:
            position = athanor.play(position, moves[0])
        found.append(athanor.view(position, athanor.to_move(position) or 0))
    return [json.loads(view.model_dump_json(exclude_none=True)) for view in found]


def test_the_last_line_is_the_hint_as_it_is_without_a_stream(
    client: FlaskClient, views: list[dict[str, Any]]
) -> None:
    for view in views:
        body = {"position": view, "worlds": 40, "seed": 3}
        alone = client.post("/v1/hint", json=body).get_json()
        *progress, last = lines_of(client.post("/v1/hint", json=body, headers=NDJSON))
        assert timeless(last) == timeless(alone)
        assert all(set(line) == {"progress"} for line in progress)


@pytest.mark.parametrize("place", range(len(AGAINST_OTHERS)), ids=AGAINST_OTHERS)
def test_a_hint_tells_how_far_it_is(client: FlaskClient, views: list[dict[str, Any]], place: int) -> None:
    body = {"position": views[place], "limit": {"nodes": 8000}}
    *lines, last = lines_of(client.post("/v1/hint?stream=true", json=body))
    progress = [line["progress"] for line in lines]
    assert 1 <= len(progress) <= 2 + 10 * last["seconds"]
    moves = {move["move"] for move in last["moves"]}
    for one in progress:
        assert 0 <= one["done"] <= 1
        assert one["stage"]
        assert one["best"] in moves
    searched = [one for one in progress if one["stage"] != "policy"]
    assert all(one["nodes"] > 0 and one["done"] > 0 for one in searched)
    assert [one["seconds"] for one in progress] == sorted(one["seconds"] for one in progress)
    assert last["best"]


def test_an_analysis_too(client: FlaskClient) -> None:
    known = athanor.deal("king", seed=1)
    body = {"position": json.loads(known.model_dump_json()), "limit": {"seconds": 1.5}}
    *progress, last = lines_of(client.post("/v1/analyze", json=body, headers=NDJSON))
    nodes = [line["progress"]["nodes"] for line in progress]
    assert nodes
    assert nodes == sorted(nodes)
    assert last["nodes"] >= nodes[-1] > 0
    proved = {move["move"]: move["bounds"] for move in last["moves"]}
    proving = [line["progress"]["moves"] for line in progress if "moves" in line["progress"]]
    assert proving
    for moves in proving:
        told = {move["move"]: move["bounds"] for move in moves}
        assert set(told) == set(proved)
        assert all(told[move][0] <= least <= most <= told[move][1] for move, (least, most) in proved.items())


def test_an_analysis_tells_who_can_go_out_first_by_then(client: FlaskClient) -> None:
    known = athanor.deal("aqua-regia", seed=1, players=2)
    body = {"position": json.loads(known.model_dump_json()), "model": "maxn", "limit": {"seconds": 1}}
    *progress, last = lines_of(client.post("/v1/analyze?stream=true", json=body))
    for line in progress:
        told = line["progress"].get("moves")
        if told is None:  # the line of play is looked for
            continue
        assert {move["move"] for move in told} == {move["move"] for move in last["moves"]}
        assert all(least <= most for move in told for least, most in zip(*move["bounds"], strict=True))
    assert progress or last["exact"]


def test_a_quick_answer_is_one_line(client: FlaskClient) -> None:
    alone = client.post("/v1/analyze", json={"position": KNOWN}).get_json()
    (line,) = lines_of(client.post("/v1/analyze?stream=true", json={"position": KNOWN}))
    assert timeless(line) == timeless(alone)
    unstreamed = client.post("/v1/analyze?stream=false", json={"position": KNOWN}, headers=NDJSON)
    assert unstreamed.mimetype == "application/json"


@pytest.mark.parametrize(
    ("query", "body", "code", "path"),
    [
        ("stream=true", {"position": FREE}, "not_playable", "position.variant"),
        ("stream=true", {"position": {**HIDDEN, "hand": "P"}}, "illegal_card", "position.hand"),
        ("stream=yes", {"position": HIDDEN}, "wrong_type", "stream"),
        ("steam=1", {"position": HIDDEN}, "unknown_key", "steam"),
    ],
)
def test_what_cannot_be_answered_is_an_error_with_its_status(
    client: FlaskClient, query: str, body: Any, code: str, path: str
) -> None:
    refused(client.post(f"/v1/hint?{query}", json=body), 422, code, path)


def test_a_stream_that_is_closed_ends_its_search(
    views: list[dict[str, Any]], monkeypatch: pytest.MonkeyPatch
) -> None:
    inner = QUESTIONS["hint"].ask
    cancels: list[threading.Event] = []
    done = threading.Event()

    def noted(*, control: Control, **options: Any) -> Any:
        assert control.cancel is not None
        cancels.append(control.cancel)
        found = inner(control=control, **options)
        done.set()
        return found

    monkeypatch.setattr(QUESTIONS["hint"], "ask", noted)
    searches = lanes(1)
    client = create_app(Config(), searches).test_client()
    body = {"position": views[0], "limit": {"seconds": 50}}
    found = client.post("/v1/hint?stream=true", json=body, buffered=False)
    assert "progress" in json.loads(next(found.iter_encoded()))
    assert not cancels[0].is_set()
    found.close()
    assert cancels[0].is_set()
    assert done.wait(PATIENCE)
    assert client.post("/v1/hint?stream=true", json={**body, "limit": {"seconds": 0.1}}).status_code == 200


# Batches.


ANALYSIS: dict[str, Any] = {"ask": "analyze", "position": KNOWN}
HINT: dict[str, Any] = {"ask": "hint", "position": HIDDEN, "limit": {"nodes": 2000}}
COMPOUND: dict[str, Any] = {"ask": "compound", "position": {"game": "king", "cards": ["F3", "F6", "W5", "A1"]}}


def by_index(client: FlaskClient, questions: list[Any]) -> dict[int, dict[str, Any]]:
    lines = lines_of(client.post("/v1/batch", json={"questions": questions}))
    assert len(lines) == len(questions)
    return {line["index"]: line for line in lines}


def test_each_answer_is_that_of_its_own_address(client: FlaskClient) -> None:
    questions = [ANALYSIS, HINT, COMPOUND, {**HINT, "seed": 7}] * 5
    lines = by_index(client, questions)
    assert set(lines) == set(range(20))
    for index, question in enumerate(questions):
        body = {key: value for key, value in question.items() if key != "ask"}
        alone = client.post(f"/v1/{question['ask']}", json=body).get_json()
        assert timeless(lines[index]["answer"]) == timeless(alone)


@pytest.mark.parametrize(
    ("question", "code", "path"),
    [
        ({**ANALYSIS, "position": {**KNOWN, "hand": "P"}}, "illegal_card", "position.hand"),
        ({**ANALYSIS, "limit": {"seconds": 0}}, "out_of_range", "limit.seconds"),
        ({**HINT, "model": "ally"}, "not_applicable", "model"),
        ({**HINT, "position": FREE}, "not_playable", "position.variant"),
        ({"ask": "win", "position": KNOWN}, "unknown_value", "ask"),
        ({"position": KNOWN}, "missing_key", "ask"),
        ({"ask": "hint"}, "missing_key", "position"),
        ("hint", "wrong_type", ""),
    ],
    ids=str,
)
def test_a_faulty_question_has_its_error_and_the_others_their_answers(
    client: FlaskClient, question: Any, code: str, path: str
) -> None:
    lines = by_index(client, [ANALYSIS, question, ANALYSIS])
    error = lines[1]["error"]
    assert (error["code"], error["path"]) == (code, f"questions[1].{path}".removesuffix("."))
    assert lines[0]["answer"]["value"] == lines[2]["answer"]["value"]


def test_a_bug_is_one_questions_own(
    client: FlaskClient, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def broken(*_: Any, **__: Any) -> Any:
        raise RuntimeError("a secret of the kitchen")

    monkeypatch.setattr(QUESTIONS["compound"], "ask", broken)
    with caplog.at_level(logging.ERROR):
        lines = by_index(client, [COMPOUND, ANALYSIS])
    assert lines[0]["error"]["code"] == "internal_error"
    assert lines[1]["answer"]["exact"]
    assert "secret" in caplog.text


@pytest.mark.parametrize("refusal", [MemoryError(), RuntimeError("can't start new thread")], ids=repr)
def test_what_the_system_refuses_is_no_bug(
    client: FlaskClient, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, refusal: Exception
) -> None:
    def refused_by_the_system(*_: Any, **__: Any) -> Any:
        raise refusal

    monkeypatch.setattr(QUESTIONS["compound"], "ask", refused_by_the_system)
    error = by_index(client, [COMPOUND])[0]["error"]
    assert error["code"] == "out_of_memory"
    assert error["message"].endswith("try again later")
    told = client.post("/v1/compound", json={key: value for key, value in COMPOUND.items() if key != "ask"})
    refused(told, 503, "out_of_memory")
    assert not caplog.text


@pytest.mark.parametrize(
    ("body", "code", "path"),
    [
        ({"questions": []}, "wrong_size", "questions"),
        ({"questions": [HINT] * 1001}, "wrong_size", "questions"),
        ({}, "missing_key", "questions"),
        ({"questions": HINT}, "wrong_type", "questions"),
        ([HINT], "wrong_type", ""),
    ],
    ids=["none", "too-many", "missing", "no-list", "list"],
)
def test_a_body_that_is_no_batch(client: FlaskClient, body: Any, code: str, path: str) -> None:
    refused(client.post("/v1/batch", json=body), 422, code, path)


def test_lines_come_in_the_order_of_their_ends_and_one_slot_stays_free(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of three slots a batch takes two at a time; a long question does not keep quick ones waiting."""
    inner = QUESTIONS["analyze"].ask
    more = threading.Event()
    lock = threading.Lock()
    running: list[int] = [0]

    def slow(*given: Any, **options: Any) -> Any:
        with lock:
            running[0] += 1
            assert running[0] <= 2
        if options["player"] == 1:
            assert more.wait(PATIENCE)
        found = inner(*given, **{**options, "player": None})
        with lock:
            running[0] -= 1
        return found

    monkeypatch.setattr(QUESTIONS["analyze"], "ask", slow)
    client = create_app(Config(), lanes(3)).test_client()
    questions = [{**ANALYSIS, "player": 1}] + [ANALYSIS] * 5
    found = client.post("/v1/batch", json={"questions": questions}, buffered=False)
    stream = found.iter_encoded()
    assert [json.loads(next(stream))["index"] for _ in range(5)] == [1, 2, 3, 4, 5]
    more.set()
    assert [json.loads(line)["index"] for line in stream] == [0]
    found.close()


def test_a_batch_that_nobody_reads_ends_its_searches(monkeypatch: pytest.MonkeyPatch) -> None:
    cancels: list[threading.Event] = []
    inner = QUESTIONS["analyze"].ask

    def noted(*, control: Control, **options: Any) -> Any:
        assert control.cancel is not None
        cancels.append(control.cancel)
        return inner(control=control, **options)

    monkeypatch.setattr(QUESTIONS["analyze"], "ask", noted)
    searches = lanes(1)
    client = create_app(Config(), searches).test_client()
    found = client.post("/v1/batch", json={"questions": [ANALYSIS] * 30}, buffered=False)
    next(found.iter_encoded())
    found.close()
    assert cancels[0].is_set()
    time.sleep(0.05)
    assert len(cancels) <= 2  # at most the one that was begun already, which ends at once


def test_a_batch_that_is_cut_short_says_so() -> None:
    searches = lanes(1)
    client = create_app(Config(), searches).test_client()
    searches.cancel_all()
    lines = lines_of(client.post("/v1/batch", json={"questions": [ANALYSIS] * 3}))
    assert lines[-1]["error"]["code"] == "cancelled"
    assert "3 questions" in lines[-1]["error"]["message"]


# Languages.


class Said(Answer):
    said: str


@pytest.fixture
def speaking(monkeypatch: pytest.MonkeyPatch) -> FlaskClient:
    """A service whose hints say in which language they are asked for."""
    monkeypatch.setattr(QUESTIONS["hint"], "ask", lambda *_, **__: Said(said=language()))
    return create_app(Config()).test_client()


@pytest.mark.parametrize(
    ("header", "query", "body", "wanted"),
    [
        ("", "", {}, "en"),
        ("ja", "", {}, "ja"),
        ("fr, ja;q=0.5, en;q=0.1", "", {}, "ja"),
        ("ja", "?lang=en", {}, "en"),
        ("en", "", {"lang": "ja"}, "ja"),
        ("ja", "", {"lang": "en"}, "en"),
    ],
)
def test_an_answer_is_in_the_language_that_is_asked_for(
    speaking: FlaskClient, header: str, query: str, body: dict[str, Any], wanted: str
) -> None:
    headers = {"Accept-Language": header}
    asked = {"position": HIDDEN, **body}
    if not query:
        found = speaking.post("/v1/hint", json=asked, headers=headers)
        assert found.get_json() == {"said": wanted}
        assert found.headers["Content-Language"] == wanted
        streamed = lines_of(speaking.post("/v1/hint?stream=true", json=asked, headers=headers))
        assert streamed[-1] == {"said": wanted}
        questions = [{"ask": "hint", **asked}]
        assert lines_of(speaking.post("/v1/batch", json={"questions": questions}, headers=headers))[0][
            "answer"
        ] == {"said": wanted}
    assert speaking.get(f"/v1/jobs{query}", headers=headers).headers["Content-Language"] in (
        wanted,
        header or "en",
    )


def test_another_language_is_refused(speaking: FlaskClient) -> None:
    found = speaking.post("/v1/hint", json={"position": HIDDEN, "lang": "tlh"})
    assert (found.status_code, found.get_json()["error"]["path"]) == (422, "lang")


def test_a_unit_of_a_job_is_answered_in_the_language_of_its_sender(
    speaking: FlaskClient, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ATHANOR_JOBS", str(tmp_path / "jobs.sqlite"))
    assert (
        speaking.post("/v1/jobs", json={"kind": "analyze", "questions": [KNOWN], "lang": "ja"}).status_code < 300
    )
    speak("en")
    store = Store()
    [chunk] = store.claim([(job, 1) for job in store.open()])
    [(_, unit)] = chunk.units
    assert json.loads(unit)["lang"] == "ja"
    assert not answer(unit).failed
    assert language() == "en"


def test_the_readings_of_the_rules_are_told_in_the_language_that_is_asked_for(speaking: FlaskClient) -> None:
    told = [
        speaking.get("/v1/games", headers={"Accept-Language": name}).get_json()["games"] for name in ("en", "ja")
    ]
    for english, japanese in zip(*told, strict=True):
        assert english["rules"].keys() == japanese["rules"].keys()
        assert all(words != japanese["rules"][name] for name, words in english["rules"].items())
