"""Solved puzzles: confirmed, refuted or neither; hidden hands; many at a time."""

from __future__ import annotations

import json
import threading
import time
from typing import Any

import pytest

from puzzles import judging, training, wording
from puzzles.check import PuzzleResult, run, solve_puzzle
from puzzles.format import Puzzle, PuzzleFile, dumps, from_data, loads
from solver import registry
from solver.answers import Analysis
from solver.errors import PuzzleError, RequestError
from solver.games.alchemy import solving
from solver.games.alchemy.position import MatchesAnalysis, SolitaireHint, SolitaireHintMove
from solver.limits import Control, Limit
from tests.support.games import AGAINST_OTHERS, OWN
from tests.support.puzzle_checks import collection

WON = {
    "game": "alchemy", "variant": "alternative", "cap": 4, "line": ["4", "7", "2", "9"], "hand": "6",
    "stock": ["5", "A", "10", "3", "3", "8"],
}  # fmt: skip
LOST = {
    "game": "alchemy", "variant": "solo", "cap": 3, "line": ["K", "K", "Q"], "hand": "A", "stock": ["2", "3"],
}  # fmt: skip
DUEL = {
    "game": "alchemy", "variant": "duel",
    "line": ["J", "2", "5", "K", "3", "Q"], "hand": "A", "opponent_hand": "8",
}  # fmt: skip
FREE = {"game": "alchemy", "variant": "free", "min_line": 1, "line": ["A", "2", "3"], "hand": "4"}
NO_MATCH = {"game": "alchemy", "variant": "free", "min_line": 1, "line": ["A"], "hand": "K"}
FEWEST = FREE | {"objective": "fewest-cards", "line": ["A", "2", "3", "4", "6"]}
TIED = FREE | {"objective": "most-cards", "line": ["A", "A", "2", "2", "3", "5"], "hand": "2", "cards": 2}
DEAL = {"game": "alchemy", "variant": "solo", "cap": 6, "line": ["4", "7", "K", "2", "9", "A"], "hand": "6"}


def puzzle(ask: str, position: dict[str, Any], key: str = "p", /, **solution: object) -> Puzzle:
    data = {"id": key, "title": "T", "ask": ask, "position": position}
    (read,) = from_data({"puzzle": [data | ({"solution": solution} if solution else {})]}).puzzles
    return read


def solved(ask: str, position: dict[str, Any], **solution: object) -> PuzzleResult:
    return solve_puzzle(puzzle(ask, position, **solution), Limit())


@pytest.mark.parametrize(
    ("ask", "position", "solution"),
    [
        ("winnable", WON, {"winnable": True}),
        ("winnable", WON, {"value": "won"}),
        ("winnable", LOST, {"value": "lost", "winnable": False}),
        ("value", WON, {"value": "won"}),
        ("best-move", WON, {"best": ["2+4=6", "9+4=6+7"], "value": "won"}),
        ("best-move", LOST, {"best": ["discard K", "discard Q"], "value": "lost"}),
        ("value", DUEL, {"value": 7}),
        ("best-move", DUEL, {"best": ["A+2+3+Q=5+K"], "value": 7.0}),
        ("all-matches", FREE, {"value": 2}),
        ("all-matches", FREE, {"moves": ["4=A+3", "2+3=4+A"]}),
        ("all-matches", FREE, {"best": ["2+3=4+A", "4=A+3"], "value": 2}),
        ("all-matches", NO_MATCH, {"value": 0, "moves": []}),
        ("all-matches", WON, {"moves": ["2+4=6", "9+4=6+7"], "value": 2}),
        ("all-matches", LOST, {"moves": [], "value": 0}),
        ("value", FEWEST, {"value": 1}),
        ("best-move", FEWEST, {"best": ["4=4"]}),
        ("best-move", TIED, {"best": ["2+A=3"]}),
    ],
)
def test_confirmed(ask: str, position: dict[str, Any], solution: dict[str, object]) -> None:
    result = solved(ask, position, **solution)
    assert (result.status, result.confirmed, result.reason) == ("confirmed", True, None)
    assert result.answer is not None
    assert (result.nodes, result.seconds) == (result.answer.nodes, result.answer.seconds)


@pytest.mark.parametrize(
    ("ask", "position", "solution", "reason"),
    [
        ("winnable", WON, {"winnable": False}, "the value is won, not lost"),
        ("winnable", LOST, {"value": "won"}, "the value is lost, not won"),
        ("best-move", WON, {"best": ["2+4=6"]}, "6+7=4+9 is optimal too"),
        ("best-move", WON, {"best": []}, "6+7=4+9 is optimal too"),
        ("value", DUEL, {"value": 8}, "the value is 7, not 8"),
        ("best-move", DUEL, {"best": ["A+2+3+Q=5+K", "none"]}, "none is not optimal"),
        ("best-move", DUEL, {"best": ["A+2+3+Q=5+K"], "value": 6}, "the value is 7, not 6"),
        ("all-matches", FREE, {"value": 3}, "the value is 2, not 3"),
        ("all-matches", FREE, {"moves": ["4=A+3"]}, "4+A=2+3 is missing"),
        ("all-matches", LOST, {"moves": ["discard K"]}, "discard K is not a match"),
        ("best-move", FEWEST, {"best": ["4=A+3"]}, "4=A+3 is not optimal"),
        ("best-move", FEWEST, {"best": []}, "4=4 is optimal too"),
        (
            "value",
            NO_MATCH | {"objective": "most-points"},
            {"value": 1},
            "there is no move, so the value is not 1",
        ),
    ],
)
def test_refuted(ask: str, position: dict[str, Any], solution: dict[str, object], reason: str) -> None:
    result = solved(ask, position, **solution)
    assert (result.status, result.confirmed, result.reason) == ("refuted", False, reason)


def test_no_solution_stated() -> None:
    result = solved("best-move", WON)
    assert (result.status, result.confirmed) == ("solved", None)
    assert result.to_dict()["found"] == {"best": ["6=2+4", "6+7=4+9"], "value": "won"}
    assert solved("winnable", LOST).to_dict()["found"] == {"value": "lost", "winnable": False}
    assert solved("all-matches", FREE).to_dict()["found"] == {"value": 2, "moves": ["4+A=2+3", "4=A+3"]}
    assert solved("value", NO_MATCH | {"objective": "most-points"}).status == "solved"


def test_what_is_found_can_be_stated() -> None:
    for ask, position in (("best-move", WON), ("winnable", LOST), ("all-matches", FREE), ("value", DUEL)):
        found = solved(ask, position).to_dict()["found"]
        assert solved(ask, position, **found).confirmed is True


def test_an_ending_with_a_hidden_stock() -> None:
    unseen = ["6", "3", "4", "10", "9", "2", "6"]
    view = {
        "game": "alchemy", "variant": "alternative", "cap": 3,
        "line": ["3", "2", "4"], "hand": "5", "unseen": unseen,
    }  # fmt: skip
    result = solved("best-move", view)
    assert result.status == "solved"
    found = result.to_dict()["found"]
    assert found["best"] == ["5+2=3+4"]
    assert found["value"] == pytest.approx(43 / 70)
    assert solved("best-move", view, **found).confirmed is True
    assert solved("value", view, value=found["value"] + 1e-5).confirmed is False


def test_a_limit_that_ends_the_search_proves_nothing() -> None:
    stock = ["5", "Q", "3", "J", "8", "8", "2", "10", "K", "4", "6", "3", "J", "5", "A", "9", "Q", "7", "10", "2"]
    cases: list[dict[str, object]] = [{}, {"winnable": True}, {"winnable": False}]
    for stated in cases:
        result = solve_puzzle(puzzle("winnable", DEAL | {"stock": stock}, **stated), Limit(nodes=1))
        assert (result.status, result.confirmed, result.found) == ("unproved", None, None)
        assert result.reason is not None
        assert result.answer is not None
        assert not result.answer.exact


def test_bounds_refute_a_number(monkeypatch: pytest.MonkeyPatch) -> None:
    def bounded(*args: object, **options: object) -> Analysis:
        return MatchesAnalysis(
            game="alchemy", to_move=0, exact=False, value=None, bounds=(3, 9), best=None, moves=(), line=(),
            nodes=1, seconds=0.0,
        )  # fmt: skip

    monkeypatch.setattr(solving, "answer", bounded)
    assert solved("all-matches", FREE, value=2).reason == "the value is between 3 and 9, not 2"
    assert solved("all-matches", FREE, value=10).confirmed is False
    assert solved("all-matches", FREE, value=4).status == "unproved"


def _hint(*chances: tuple[str, float], exact: bool) -> SolitaireHint:
    moves = [
        SolitaireHintMove(
            move=move, used=(), win_probability=chance, stderr=0.0, exact=exact, clairvoyant=None, method="test"
        )
        for move, chance in chances
    ]
    return SolitaireHint(
        game="alchemy", kind="solitaire", to_move=0, exact=exact, best=moves[0].move, moves=tuple(moves),
        reason="", method="test", worlds=0, seed=0, nodes=1, seconds=0.0,
    )  # fmt: skip


@pytest.mark.parametrize(
    ("solution", "exact", "status"),
    [
        ({}, True, "solved"),
        ({}, False, "unproved"),
        ({"value": 0.75}, True, "confirmed"),
        ({"value": 0.7500001}, True, "confirmed"),
        ({"value": 0.75001}, True, "refuted"),
        ({"value": 0.75}, False, "unproved"),
        ({"best": ["6+7=4+9", "6=2+4"], "value": 0.75}, True, "confirmed"),
        ({"best": ["6=2+4"]}, True, "refuted"),
        ({"best": ["6+7=4+9", "6=2+4"]}, False, "unproved"),
    ],
)
def test_hidden_cards(
    monkeypatch: pytest.MonkeyPatch, solution: dict[str, object], exact: bool, status: str
) -> None:
    found = _hint(("6=2+4", 0.75), ("6+7=4+9", 0.75 - 1e-12), exact=exact)
    monkeypatch.setattr(solving, "answer", lambda *args, **options: found)
    view = {key: value for key, value in WON.items() if key != "stock"}
    assert solved("best-move", view, **solution).status == status


def test_a_forced_move_needs_no_proof(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(solving, "answer", lambda *args, **options: _hint(("6=2+4", 0.5), exact=False))
    view = {key: value for key, value in WON.items() if key != "stock"}
    assert solved("best-move", view, best=["6=2+4"]).status == "confirmed"
    assert solved("best-move", view, best=["6=2+4"], value=0.5).status == "unproved"


def test_the_json_of_a_result() -> None:
    data = json.loads(solved("value", DUEL, value=7).to_json())
    assert list(data) == [
        "id", "title", "ask", "game", "status", "confirmed", "found", "answer", "nodes", "seconds"
    ]  # fmt: skip
    assert data["answer"]["moves"][0]["swing"] == 7
    assert data["answer"]["if_opponent_first"]["value"] == 8


# ----------------------------------------------------------------------------------------------------
# Puzzles of hidden hands: a hint judges what is stated, and nothing is called proved.


PUZZLES = collection("hidden-hands")
LIMIT = Limit(nodes=10_000)
# Of three cards B6 is the best beyond doubt.
(CLEAR,) = from_data(
    {
        "puzzle": [
            {
                "id": "clear",
                "title": "All on one card",
                "ask": "best-move",
                "position": "kirin seat=3 hand=D1,B6,G3 declared=B- history=0:B3,D3,S5,ST/3:S3,D6,B4,D4/"
                "0:S-,G6,D-,D2/1:B1,GT,D+,G-/2:BT,S2,B+,G+ trick=2:B2",
                "solution": {"best": ["B6"]},
            }
        ]
    }
).puzzles


def stating(best: list[str], position: Any = None) -> Puzzle:
    data = {"id": "p", "title": "t", "ask": "best-move", "solution": {"best": best}}
    return from_data({"puzzle": [data | {"position": position or CLEAR.position.model_dump()}]}).puzzles[0]


@pytest.mark.parametrize("puzzle", PUZZLES, ids=lambda puzzle: puzzle.id)
def test_hints_confirm_the_collection(puzzle: Puzzle) -> None:
    found = solve_puzzle(puzzle, LIMIT)
    assert (found.status, found.reason) == ("confirmed", "as a hint judges it")
    assert found.answer is not None
    assert not found.answer.exact
    assert found.found is not None
    assert found.found.value is None


def test_a_move_that_is_behind_is_refuted() -> None:
    found = solve_puzzle(stating(["B6", "G3"]), LIMIT)
    assert (found.status, found.confirmed) == ("refuted", False)
    assert found.reason == "a hint judges G3 to be worse than B6"


def test_a_move_that_may_be_as_good_leaves_it_open() -> None:
    few = Limit(nodes=60)  # too short to tell the cards apart
    found = solve_puzzle(stating(["B6"]), few)
    assert (found.status, found.confirmed) == ("unproved", None)
    assert found.reason is not None
    assert found.reason.startswith("a hint of this length does not tell ")


def test_without_a_solution_the_hint_tells_it() -> None:
    found = solve_puzzle(CLEAR.model_copy(update={"solution": None}), LIMIT)
    assert found.status == "solved"
    assert found.found is not None
    assert found.found.best == ("B6",)


def test_no_value_can_be_stated() -> None:
    data = CLEAR.model_dump(exclude_none=True)
    data["solution"] = {"best": ["B6"], "value": 3}
    with pytest.raises(PuzzleError) as found:
        from_data({"puzzle": [data]})
    assert (found.value.code, found.value.path) == ("conflict", "puzzle[0].solution.value")


def test_in_training_the_stated_moves_are_right() -> None:
    assert PUZZLES[0].id in {puzzle.id for puzzle in training.chosen(game="kirin")}
    assert judging.judge(CLEAR, "B6").correct is True
    assert judging.judge(CLEAR, "G3").correct is False


AQUA = collection("made-aqua-regia-hidden-hand")


@pytest.mark.parametrize("puzzle", AQUA[::6], ids=lambda puzzle: puzzle.id)
def test_what_is_sure_in_aqua_regia_is_proved(puzzle: Puzzle) -> None:
    found = solve_puzzle(puzzle, Limit())
    assert (found.status, found.reason) == ("confirmed", None)
    assert puzzle.solution is not None
    assert found.found == puzzle.solution
    assert puzzle.solution.value == 1
    assert all(judging.judge(puzzle, move).correct for move in puzzle.solution.best or ())
    assert puzzle.id in {one.id for one in training.chosen(game="aqua-regia")}


# ----------------------------------------------------------------------------------------------------
# Compounding with cards that recipes use, or don't.


SET = {"game": "king", "deck": "house", "cards": ["F3", "F6", "F8", "W3", "W5", "E3", "E8", "A1"]}


def compounding(**more: object) -> Puzzle:
    return from_data({"puzzle": [{"id": "c", "title": "C", "ask": "compound", "position": SET, **more}]}).puzzles[
        0
    ]


def test_a_compounding_may_say_which_cards_recipes_use() -> None:
    free, used, barred = (
        solve_puzzle(compounding(**wishes), Limit()) for wishes in ({}, {"must": ["F6"]}, {"without": ["F8"]})
    )
    assert free.found is not None
    assert used.found is not None
    assert barred.found is not None
    assert (free.found.total, used.found.total) == (21, 16)
    [recipe] = used.found.recipes or ()
    assert "F6" in (recipe.card, *recipe.uses)
    assert not [recipe for recipe in barred.found.recipes or () if "F8" in (recipe.card, *recipe.uses)]
    again = compounding(must=["F6"], solution=used.found.model_dump(exclude_none=True))
    assert solve_puzzle(again, Limit()).confirmed
    assert judging.is_right(again, "16")
    assert wording.question(again).endswith("points and recipes together? Recipes use F6.")
    assert loads(dumps(PuzzleFile(puzzle=(again,)))).puzzles == (again,)
    assert solve_puzzle(compounding(must=["F6"], solution={"total": 21}), Limit()).status == "refuted"


@pytest.mark.parametrize(
    ("more", "path", "words"),
    [
        ({"must": ["T5"]}, "must[0]", "T5 is not among the cards"),
        ({"without": ["F6", "F6"]}, "without[1]", "already"),
        ({"must": ["F6"], "without": ["F6"]}, "without[0]", "both used and left out"),
        ({"ask": "value", "position": DUEL, "must": ["F6"]}, "must", 'ask = "compound"'),
        (
            {"without": ["F8"], "solution": {"recipes": [{"card": "E3", "uses": ["F8", "E8"]}]}},
            "solution.recipes",
            "use F8",
        ),
        (
            {"must": ["F6"], "solution": {"recipes": [{"card": "E3", "uses": ["F8", "E8"]}]}},
            "solution.recipes",
            "do not use F6",
        ),
    ],
)
def test_what_recipes_cannot_be_asked_to_use(more: dict[str, Any], path: str, words: str) -> None:
    with pytest.raises(PuzzleError, match=words) as found:
        compounding(**more)
    assert found.value.path == f"puzzle[0].{path}"


@pytest.mark.parametrize("game", [name for name in OWN if name in AGAINST_OTHERS and not registry.game(name).race])
def test_a_question_says_how_ties_are_broken_where_each_plays_for_itself(game: str) -> None:
    """Some moves are best alone since they leave the others the least."""
    puzzles = [one for one in training.chosen(game=game) if one.model == "maxn"]
    assert puzzles
    for one in puzzles:
        assert "then for the fewest of the others" in wording.question(one)


# ----------------------------------------------------------------------------------------------------
# Solving many puzzles: order, failures, cancelling, executors.


def test_one_failing_puzzle_does_not_lose_the_others(monkeypatch: pytest.MonkeyPatch) -> None:
    answer = solving.answer

    def faulty(position: Any, ask: str, *args: Any, **options: Any) -> Any:
        if ask == "winnable":
            raise ZeroDivisionError("a bug")
        if ask == "value":
            raise RequestError("not_applicable", "not today", "stock")
        return answer(position, ask, *args, **options)

    monkeypatch.setattr(solving, "answer", faulty)
    asks = ["best-move", "winnable", "value", "all-matches"]
    results = [result for _, result in run([puzzle(ask, WON, ask) for ask in asks])]
    assert [(r.id, r.status) for r in results] == [
        ("best-move", "solved"), ("winnable", "error"), ("value", "error"), ("all-matches", "solved")
    ]  # fmt: skip
    assert results[1].to_dict()["error"] == {
        "code": "internal_error", "path": "", "message": "ZeroDivisionError: a bug"
    }  # fmt: skip
    assert results[2].to_dict()["error"] == {
        "code": "not_applicable",
        "path": "position.stock",
        "message": "not today",
    }


def test_results_come_as_they_are_done(monkeypatch: pytest.MonkeyPatch) -> None:
    answer = solving.answer
    hold = threading.Event()

    def slow(position: Any, ask: str, *args: Any, **options: Any) -> Any:
        if ask == "value":
            hold.wait(10)
        return answer(position, ask, *args, **options)

    monkeypatch.setattr(solving, "answer", slow)
    puzzles = [puzzle("value", DUEL, "slow"), *(puzzle("best-move", DUEL, str(n)) for n in range(8))]
    results = run(puzzles, jobs=2)
    quick = [next(results) for _ in range(8)]
    hold.set()
    assert [(number, result.id) for number, result in quick] == [(n + 1, str(n)) for n in range(8)]
    assert [(number, result.id) for number, result in results] == [(0, "slow")]


def _until_cancelled(position: Any, ask: str, control: Control, **options: Any) -> Any:
    while not control.stopped():
        time.sleep(0.001)
    return solving._matches(position, control)


def test_cancel_ends_the_running_searches(monkeypatch: pytest.MonkeyPatch) -> None:
    begun = threading.Semaphore(0)

    def answer(*asked: Any, **options: Any) -> Any:
        begun.release()
        return _until_cancelled(*asked, **options)

    def cancelling() -> None:
        for _ in range(2):
            begun.acquire(timeout=10)
        cancel.set()

    monkeypatch.setattr(solving, "answer", answer)
    cancel = threading.Event()
    threading.Thread(target=cancelling, daemon=True).start()
    begin = time.monotonic()
    results = list(run([puzzle("all-matches", DUEL, str(n)) for n in range(50)], jobs=2, cancel=cancel))
    assert time.monotonic() - begin < 30
    assert 2 <= len(results) < 50


def test_a_caller_who_goes_away_ends_the_searches(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(solving, "answer", _until_cancelled)
    cancel = threading.Event()
    results = run(
        [puzzle("all-matches", DUEL, str(n)) for n in range(50)], jobs=2, cancel=cancel, limit=Limit(seconds=0.05)
    )
    next(results)
    begin = time.monotonic()
    results.close()  # type: ignore[attr-defined]
    assert time.monotonic() - begin < 5
    assert not cancel.is_set()  # it is the caller's


def test_a_cancelled_run_begins_nothing() -> None:
    cancel = threading.Event()
    cancel.set()
    assert list(run([puzzle("value", DUEL)], cancel=cancel)) == []
    assert list(run([])) == []


def test_a_thread_that_is_not_started_is_told_by_the_results(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(_thread: threading.Thread) -> None:
        raise RuntimeError("can't start new thread")

    monkeypatch.setattr(threading.Thread, "start", refuse)
    results = list(run([puzzle("value", DUEL, str(n)) for n in range(3)]))
    assert [result.status for _, result in results] == ["error"] * 3
