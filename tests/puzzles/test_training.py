"""Training: ratings by Glicko-2, what comes back when, the puzzle of the day, and a record that loses nothing."""

from __future__ import annotations

import json
import multiprocessing
import os
import signal
import sqlite3
import time
from collections.abc import Iterable
from datetime import UTC, date, datetime, timedelta
from pathlib import Path

import pytest

from puzzles import training
from puzzles.format import GRADES, Grade
from puzzles.rating import Rating, rated, rested
from puzzles.training import (
    GRADED,
    NEW,
    Attempt,
    Listed,
    Standing,
    Store,
    Vote,
    daily,
    moment,
    next_puzzle,
    standing,
)
from solver.errors import PositionError, RequestError
from solver.language import speaking, titled, translated

CASES = json.loads((Path(__file__).parents[1] / "data" / "training.json").read_text())
START = datetime(2026, 1, 1, 12, tzinfo=UTC)


def attempts(*given: tuple[float, str, bool]) -> list[Attempt]:
    """Attempts at a time in days after the start."""
    return [
        Attempt(at=moment(START + timedelta(days=days)), puzzle=name, grade="medium", right=right, game="kirin")
        for days, name, right in given
    ]


def of_kirin(*given: tuple[str, float]) -> list[Listed]:
    return [Listed(name, "kirin", points) for name, points in given]


def after(days: float) -> datetime:
    return START + timedelta(days=days)


def test_the_worked_example_of_the_paper() -> None:
    games = [(Rating(1400, 30), 1.0), (Rating(1550, 100), 0.0), (Rating(1700, 300), 0.0)]
    found = rated(Rating(1500, 200, 0.06), games)
    assert found.points == pytest.approx(1464.06, abs=0.011)  # the paper rounds on its way
    assert found.deviation == pytest.approx(151.52, abs=0.005)
    assert found.volatility == pytest.approx(0.05999, abs=0.00001)


def test_a_surprising_result_makes_a_rating_more_volatile() -> None:
    strong = Rating(2000, 50, 0.06)
    assert rated(strong, [(Rating(1000, 50), 0.0)]).volatility > strong.volatility
    assert rated(strong, [(Rating(2000, 50), 1.0)]).volatility < strong.volatility


def test_without_games_a_rating_grows_less_sure_and_stays_what_it_is() -> None:
    found = rested(Rating(1700, 60), 365)
    assert found.points == 1700
    assert 190 < found.deviation < 215
    assert rested(found, 10_000).deviation == 350


def test_the_rules_are_those_of_the_page() -> None:
    votes = [Vote(**one) for one in CASES["votes"]]
    found = standing([Attempt(**one) for one in CASES["attempts"]], votes)
    told = CASES["standing"]
    assert found.ratings.keys() == told["ratings"].keys()
    for game, rating in found.ratings.items():
        assert rating._asdict() == pytest.approx(told["ratings"][game])
    assert (found.streak, found.longest) == (told["streak"], told["longest"])
    assert found.puzzles.keys() == told["puzzles"].keys()
    for name, one in found.puzzles.items():
        assert one.rating._asdict() == pytest.approx(told["puzzles"][name]["rating"])
        assert (one.solved, one.due) == (told["puzzles"][name]["solved"], told["puzzles"][name]["due"])
    for case in CASES["next"]:
        puzzles = [Listed(name, game, GRADED[grade].points) for name, grade, game in case["puzzles"]]
        assert next_puzzle(puzzles, found, datetime.fromisoformat(case["now"])) == case["name"]


def test_the_first_attempt_alone_is_rated() -> None:
    once = standing(attempts((0, "a", False)))
    again = standing(attempts((0, "a", False), (1, "a", True), (4, "a", True)))
    assert once.ratings == again.ratings
    assert once.rating_in("kirin").points < NEW.points
    assert once.puzzles["a"].rating.points > 1500
    assert standing(attempts((0, "a", True))).rating_in("kirin").points > NEW.points


def test_each_game_has_a_rating_of_its_own_which_begins_with_easy_puzzles() -> None:
    good = standing(attempts(*[(day / 10, f"k{day}", True) for day in range(9)]))
    assert good.rating_in("kirin").points > 1800
    assert good.rating_in("king") == NEW
    puzzles = [
        Listed(f"{game} {grade}", game, GRADED[grade].points) for game in ("kirin", "king") for grade in GRADES
    ]
    first = next_puzzle([one for one in puzzles if one.game == "king"], good, after(1))
    assert first == "king easy"
    assert next_puzzle(puzzles[:4], good, after(1)) in ("kirin hard", "kirin medium")
    lost = [*attempts((0, "k1", True)), Attempt(at=moment(after(1)), puzzle="r", right=False, game="king")]
    assert standing(lost).rating_in("kirin") == standing(lost[:1]).rating_in("kirin")


def test_the_game_of_an_older_attempt_is_in_the_puzzles_id() -> None:
    found = standing([Attempt(at=moment(START), puzzle="aqua-regia-0004", grade="easy", right=True)])
    assert [*found.ratings] == ["aqua-regia"]


def test_a_hint_halves_what_a_solved_puzzle_counts() -> None:
    def points(grade: Grade, right: bool, *, helped: bool) -> float:
        one = Attempt(at=moment(START), puzzle="a", grade=grade, right=right, game="kirin", helped=helped)
        return standing([one]).rating_in("kirin").points

    grades: tuple[Grade, ...] = ("hard", "easy")
    for grade in grades:
        full, half = (points(grade, True, helped=helped) for helped in (False, True))
        none = points(grade, False, helped=True)
        assert none == points(grade, False, helped=False)
        least = standing([]).rating_in("kirin").points  # a right answer lowers no rating
        assert half == pytest.approx(max(least, (full + none) / 2), abs=2)


def test_what_was_failed_comes_back_after_1_3_7_and_21_days_and_then_is_learned() -> None:
    given = [(0.0, "a", False)]
    for days in training.RETURNS:
        last = given[-1][0]
        found = standing(attempts(*given))
        assert found.due(["a"], after(last + days - 0.2)) == []
        assert found.due(["a"], after(last + days)) == ["a"]
        given.append((last + days, "a", True))
    assert standing(attempts(*given)).due(["a"], after(1000)) == []
    given.append((100, "a", False))
    assert standing(attempts(*given)).due(["a"], after(101)) == ["a"]


def test_what_is_repeated_early_waits_as_before() -> None:
    found = standing(attempts((0, "a", False), (0.1, "a", True), (0.2, "a", True)))
    assert found.puzzles["a"].solved
    assert found.due(["a"], after(1)) == ["a"]


def test_what_was_solved_at_once_does_not_come_back() -> None:
    assert standing(attempts((0, "a", True))).due(["a"], after(1000)) == []


def test_the_streak_ends_with_a_failure() -> None:
    found = standing(attempts((0, "a", True), (1, "b", True), (2, "c", False), (3, "d", True)))
    assert (found.streak, found.longest) == (1, 2)


def test_neither_a_hint_nor_a_repetition_makes_the_streak_longer() -> None:
    given = attempts((0, "a", True), (1, "b", False), (2, "c", True), (3, "b", True), (4, "d", True))
    given[-1] = given[-1].model_copy(update={"helped": True})
    found = standing(given)
    assert (found.streak, found.longest) == (1, 1)


def test_a_newcomer_begins_with_easy_puzzles_and_climbs_quickly() -> None:
    puzzles = of_kirin(*[(f"{grade}{n}", GRADED[grade].points) for grade in GRADES for n in range(9)])
    given: list[Attempt] = []
    grades: list[Grade] = []
    for day in range(9):
        name = next_puzzle(puzzles, standing(given), after(day / 100))
        assert name is not None
        grades.append(next(grade for grade in GRADES if name.startswith(grade)))
        given += [Attempt(at=moment(after(day / 100)), puzzle=name, grade=grades[-1], right=True, game="kirin")]
    assert grades == ["easy"] * 4 + ["medium"] * 5


def test_what_comes_back_is_asked_first_and_else_what_is_nearest_to_the_rating() -> None:
    puzzles = of_kirin(("a", 1200.0), ("b", 2100.0), ("c", 1500.0), ("d", 1200.0))
    assert next_puzzle(puzzles, Standing(), START) in ("a", "d")
    strong = attempts((0, "v", True), (0.1, "x", True), (0.2, "y", True), (0.3, "z", True))
    assert next_puzzle(puzzles, standing(strong), START) == "c"
    weak = standing(attempts((0, "c", False), (0.1, "x", False), (0.2, "y", False)))
    assert next_puzzle(puzzles, weak, after(0.3)) in ("a", "d")
    assert next_puzzle(puzzles, weak, after(1)) == "c"
    assert next_puzzle(of_kirin(("c", 1500.0)), weak, after(0.3)) is None


def test_puzzles_that_were_found_good_are_asked_first_and_bad_ones_last(store: Store) -> None:
    puzzles = of_kirin(*[(name, 1200.0) for name in "abc"])
    votes = [Vote(at=moment(after(day)), puzzle=name, good=name == "b") for day, name in enumerate("acaba")]
    assert store.add((), votes) == (0, 5)
    assert store.add((), votes) == (0, 0)  # as in a file that comes twice
    asked, found = [], store.standing()
    while name := next_puzzle(puzzles, found, START):
        asked.append(name)
        found.puzzles[name] = training.PuzzleState(training.NEW, solved=True)
    assert asked == ["b", "c", "a"]


def test_votes_and_attempts_change_the_order_of_lists_but_not_that_of_a_series() -> None:
    usual = [puzzle.id for puzzle in training.matching(game="kirin")]
    first, last = usual[0], usual[-1]
    votes = [Vote(at=moment(after(day)), puzzle=first, good=False) for day in range(9)]
    found = standing((), votes)
    listed = [puzzle.id for puzzle in training.matching(game="kirin", standing=found)]
    assert listed.index(first) > 3
    assert [name for name in listed if name != first] == usual[1:]
    ranks = [
        training.rating_of(one).points - found.vote_bonus(one.id)
        for one in map(training.by_id().get, listed)
        if one
    ]
    assert ranks == sorted(ranks)
    solved = standing([Attempt(at=moment(START), puzzle=last, grade="expert", right=True)])
    assert [puzzle.id for puzzle in training.matching(game="kirin", standing=solved)].index(last) < len(usual) - 1
    (name, series), *_ = training.all_series().items()
    assert [puzzle.id for puzzle in training.matching(series=name, standing=found)] == list(series.puzzles)


def test_a_file_of_votes_is_read_or_refused(tmp_path: Path) -> None:
    file = tmp_path / "votes.json"
    vote = Vote(at=moment(START), puzzle="a", good=True)
    file.write_text(training.exported(training.Record(attempts=(), votes=(vote,))))
    assert training.opinions(str(file)).vote_bonus("a") == pytest.approx(50)
    file.unlink()
    assert training.opinions(str(file)).vote_bonus("a") == pytest.approx(50)  # once for all parts of a service
    (tmp_path / "wrong.json").write_text("{}")
    for path in (tmp_path / "wrong.json", tmp_path / "none.json"):
        with pytest.raises(RequestError, match=path.name):
            training.opinions(str(path))


def test_a_theme_that_was_missed_is_asked_sooner() -> None:
    chosen = training.chosen(game="kirin")
    missed = next(puzzle for puzzle in chosen if puzzle.themes)
    listed = of_kirin(*[(one.id, 1200.0) for one in chosen if one != missed])
    for right in (False, True):
        found = standing([Attempt(at=moment(START), puzzle=missed.id, grade="easy", right=right)])
        name = next_puzzle(listed, found, START)
        assert name is not None
        alike = set(training.by_id()[name].themes or ()) & set(missed.themes or ())
        assert alike or right


def test_the_puzzle_of_the_day_is_one_a_day_and_all_in_turn() -> None:
    puzzles = [puzzle for puzzle in training.chosen(game="kirin") if puzzle.grade in ("easy", "medium")]
    days = [date(2026, 1, 1) + timedelta(days=day) for day in range(len(puzzles))]
    found = [daily(puzzles, day).id for day in days]
    assert found == [daily(puzzles, day).id for day in days]
    assert len(set(found)) == len(puzzles)
    assert daily(training.chosen(game="kirin"), days[0]) == daily(puzzles, days[0])  # also for a first visitor
    hard = [puzzle for puzzle in training.chosen() if puzzle.grade == "expert"]
    assert daily(hard, days[0]) in hard


def test_a_title_of_several_ideas_is_said_in_japanese() -> None:
    with speaking("ja"):
        assert titled("Nothing simple · Twins") == f"{translated('Nothing simple')} · {translated('Twins')}"


# ----------------------------------------------------------------------------------------------------
# The record on this machine.


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return Store(tmp_path / "state" / "train.sqlite")


def test_a_record_is_kept_once_and_read_back(store: Store) -> None:
    assert store.record().attempts == ()
    assert not store.path.exists()
    given = attempts((0, "a", True), (1, "b", False))
    assert store.add(given) == (2, 0)
    assert store.add([*given, *attempts((2, "a", False))]) == (1, 0)
    assert store.record().attempts == (*given, *attempts((2, "a", False)))


@pytest.mark.parametrize("columns", ["", ", rating INTEGER"])
def test_an_older_record_is_gone_on_with(store: Store, columns: str) -> None:
    """Attempts were rated by the grade alone, and later in one rating for all games."""
    store.path.parent.mkdir(parents=True)
    with sqlite3.connect(store.path) as file:
        file.execute(
            "CREATE TABLE attempts (at TEXT, puzzle TEXT, grade TEXT, right INTEGER"
            + columns
            + ", PRIMARY KEY (at, puzzle))"
        )
        file.execute(
            "INSERT INTO attempts (at, puzzle, grade, right) VALUES (?, 'king-1', 'easy', 1)", [moment(START)]
        )
    later = Attempt(
        at=moment(after(1)), puzzle="b", grade="easy", rating=1082, right=True, game="kirin", helped=True
    )
    assert store.add([later]) == (1, 0)
    first, second = store.record().attempts
    assert (first.grade, first.rating, first.helped, second) == ("easy", None, False, later)
    assert store.standing().ratings.keys() == {"king", "kirin"}


def test_an_attempt_counts_against_the_rating_of_lists() -> None:
    easy, hard = (
        standing([Attempt(at=moment(START), puzzle="a", grade="easy", rating=rating, right=True)])
        for rating in (900, 1300)
    )
    assert easy.rating_in("").points < hard.rating_in("").points


def test_a_record_goes_through_a_file(store: Store, tmp_path: Path) -> None:
    given = attempts((0, "a", True), (1, "own:mine", False))
    text = training.exported(training.Record(attempts=tuple(given)))
    found = training.read_record(text.encode()).attempts
    assert found == tuple(given)
    other = Store(tmp_path / "other.sqlite")
    other.add(attempts((2, "c", True)))
    assert other.add(found) == (2, 0)
    assert {one.puzzle for one in other.record().attempts} == {"own:mine", "a", "c"}


@pytest.mark.parametrize(
    ("text", "path"),
    [
        ("{}", "attempts"),
        ('{"saved": "athanor play", "attempts": []}', "saved"),
        ('{"attempts": [{"at": "2026-02-30T00:00:00.000Z", "puzzle": "a", "right": true}]}', "attempts[0].at"),
        ('{"attempts": [{"at": "2026-02-03", "puzzle": "a", "right": true}]}', "attempts[0].at"),
        ('{"attempts": [{"at": "2026-01-01T00:00:00.000Z", "puzzle": "", "right": true}]}', "attempts[0].puzzle"),
        ('{"attempts": [{"at": "2026-01-01T00:00:00.000Z", "puzzle": "a", "right": 1}]}', "attempts[0].right"),
        ('{"attempts": [], "votes": [{"at": "2026-01-01T00:00:00.000Z", "puzzle": "a"}]}', "votes[0].good"),
    ],
)
def test_a_file_that_is_no_record(text: str, path: str) -> None:
    with pytest.raises(PositionError) as found:
        training.read_record(text.encode())
    assert found.value.path == path


def test_what_is_no_record_is_left_as_it_is(store: Store) -> None:
    store.path.parent.mkdir()
    store.path.write_text("no database at all, but long enough to be looked at as one " * 20)
    for use in (store.record, lambda: store.add(attempts((0, "a", True)))):
        with pytest.raises(OSError, match="not a database"):
            use()
    assert store.path.read_text().startswith("no database")


def _add(path: Path, name: str, numbers: Iterable[int]) -> None:
    for number in numbers:
        Store(path).add(attempts((number / 1000, name, bool(number % 2))))


def test_two_terminals_lose_nothing(store: Store) -> None:
    context = multiprocessing.get_context("spawn")
    many = [context.Process(target=_add, args=(store.path, name, range(60))) for name in ("one", "two")]
    for process in many:
        process.start()
    for process in many:
        process.join()
    assert len(store.record().attempts) == 120


@pytest.mark.skipif(os.name == "nt", reason="no such signal")
def test_a_killed_terminal_leaves_whole_answers(store: Store) -> None:
    context = multiprocessing.get_context("spawn")
    process = context.Process(target=_add, args=(store.path, "one", range(100_000)))
    process.start()
    limit = time.monotonic() + 30
    while time.monotonic() < limit and not (store.path.exists() and len(store.record().attempts) > 5):
        time.sleep(0.01)
    assert process.pid is not None
    os.kill(process.pid, signal.SIGKILL)
    process.join()
    kept = store.record().attempts
    assert len(kept) > 5
    assert store.add(attempts((500, "two", True))) == (1, 0)
    with sqlite3.connect(store.path) as file:
        assert file.execute("PRAGMA integrity_check").fetchone() == ("ok",)
