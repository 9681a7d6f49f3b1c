"""The collection's puzzles: graded as measured, no two the same, a sample measured and proved anew; notes.

With ATHANOR_ALL_PUZZLES=1 all of them are measured and proved.
"""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Callable, Sequence
from typing import NamedTuple

import pytest

from puzzles import grading, training, wording
from puzzles.check import solve_puzzle
from puzzles.format import GRADES, Measured, Puzzle, PuzzleFile, dumps, from_data, loads
from puzzles.naming import title_of
from puzzles.quality import candidate_of, false_themes, flaw, task_of
from solver import registry
from solver.language import speaking, titled, translated
from solver.limits import Control, Limit
from solver.positions import position_data
from solver.puzzle_maker import BEST_MOVE, VALUE, composer_of
from tests.puzzles.renew import can_be_measured, chances, measured_anew
from tests.reference import aqua, king, kirin
from tests.support.puzzle_checks import collection

ALL = os.environ.get("ATHANOR_ALL_PUZZLES") == "1"
EVERY = 1 if ALL else 60  # of the puzzles
MANY = 120  # puzzles of a game, at least
SOME = 10  # puzzles of a game and grade, at least, but for experts
OFTEN = 10  # how many puzzles may ask the same with the same themes


def made() -> list[tuple[Puzzle, Measured]]:
    """The puzzles that were measured: those that were made, and most of those found by hand."""
    return [(puzzle, puzzle.measured) for puzzle in training.collection() if puzzle.measured is not None]


def is_made(puzzle: Puzzle) -> bool:
    """Whether its id has a seed and a deal."""
    return re.search(r"-\d+-\d+$", puzzle.id) is not None


def test_no_two_puzzles_of_the_collection_share_an_id_or_differ_by_a_symmetry_alone() -> None:
    assert len({puzzle.id for puzzle in training.collection()}) == len(training.collection())
    keys: dict[str, str] = {}
    for puzzle in training.collection():
        key = f"{puzzle.game.name} {composer_of(puzzle.game).symmetry(task_of(puzzle), candidate_of(puzzle))}"
        assert keys.setdefault(key, puzzle.id) == puzzle.id


def test_the_collection_is_in_order_of_game_and_difficulty() -> None:
    order = [(puzzle.game.name, training.rating_of(puzzle).points) for puzzle in training.collection()]
    assert order == sorted(order)


def test_a_series_has_its_theme_throughout_and_goes_from_easy_to_hard() -> None:
    for series in training.all_series().values():
        puzzles = [training.by_id()[name] for name in series.puzzles]
        assert len(set(series.puzzles)) == len(puzzles) >= 10, series.name
        if series.theme is None:
            assert all(puzzle.note for puzzle in puzzles), series.name
        else:  # it is proved
            assert all(series.theme in (puzzle.themes or ()) for puzzle in puzzles), series.name
        assert all(map(training.is_asked, puzzles)), series.name
        ratings = [training.rating_of(puzzle).points for puzzle in puzzles]
        assert ratings == sorted(ratings), series.name
        assert len({puzzle.grade for puzzle in puzzles}) > 1, series.name


def test_every_position_is_read_again_from_a_file_that_is_written_with_it() -> None:
    """What follows from other keys is left out of no file from which it would not follow."""
    puzzles = training.collection()
    written = dumps(PuzzleFile(puzzle=puzzles))
    for puzzle, again in zip(puzzles, loads(written).puzzles, strict=True):
        assert position_data(again.position) == position_data(puzzle.position), puzzle.id


def test_titles_differ_and_those_of_made_puzzles_are_what_lies_open() -> None:
    titles = Counter(puzzle.title for puzzle in training.collection())
    assert not [title for title, count in titles.items() if count > 1]
    for puzzle in training.collection():
        if is_made(puzzle):
            assert puzzle.themes, puzzle.id
            caption = composer_of(puzzle.game).caption(task_of(puzzle), candidate_of(puzzle))
            assert puzzle.title.startswith(title_of(caption)), puzzle.id
        else:
            assert not any(letter.isdigit() for letter in puzzle.title), puzzle.id
        with speaking("ja"):
            assert not titled(puzzle.title).isascii(), puzzle.id


# What a title may call cards and moves, in both languages, and how a move that has them is written.
CALLED: dict[str, dict[str, str]] = {
    "alchemy": {"ace|エース": r"\bA\b", "king|キング": r"\bK\b", "discard|捨て": "discard"},
    "king": {
        "dancer|踊り子": r"\bD\b",
        "apprentice|見習い": r"\bT1\b",
        "assayer|試金師": r"\bT3\b",
        "grand master|大導師": r"\bT5\b",
        r"\btrump\b|切り札": r"^T\d",
        "fire|火": "^F|^D:F",
        "water|水(?!銀)|溺": "^W|^D:W",
        "earth|土": "^E|^D:E",
        r"\bwind\b|風": "^A|^D:A",
    },
    "kirin": {
        "dragon|青龍": "D",
        r"\bbirds?\b|朱雀": "S",
        r"\btiger\b|白虎(?!を相手)": "B",
        "tortoise|玄武": "G",
        r"\bkirin\b|麒麟": r"[+-]",
        r"\btrump\b|切り札": "T",
        r"\bfives?\b|の5$": "5",
        r"\bsix of the|の6$": "6",
    },
    "aqua-regia": {r"\bwait|\bhold|silence|\bstay|\bpass|待て|沈黙|寝かせ|残す|留守番": "^pass"},
}


def told(puzzle: Puzzle, title: str) -> list[str]:
    """What a title says of all best moves that is not true of some other move."""
    position, solution = puzzle.position, puzzle.solution
    moves = [puzzle.game.format_move(position, move) for move in puzzle.game.legal_moves(position)]
    best = set((solution and solution.best) or moves)
    called = dict(CALLED[puzzle.game.name])
    if puzzle.game.name == "aqua-regia":
        for metal in position.metals.metals:  # type: ignore[attr-defined]
            called[f"{metal.name}|{translated(metal.name)}"] = rf"\b{metal.symbol}\b"
    if puzzle.game.name == "king":
        deck = position.full_deck  # type: ignore[attr-defined]
        by_word: dict[str, list[str]] = {}
        for card in deck.cards:
            if card.provides:
                by_word.setdefault(card.provides, []).append(card.code)
        called |= {f"{word}|{translated(word)}": rf"\b({'|'.join(codes)})\b" for word, codes in by_word.items()}
    return [
        words
        for words, pattern in called.items()
        if re.search(words, title, re.IGNORECASE)
        and all(re.search(pattern, move) for move in best)
        and not all(re.search(pattern, move) for move in moves)
    ]


@pytest.mark.parametrize("language", ["en", "ja"])
def test_no_title_names_the_best_move(language: str) -> None:
    """Titles of puzzles that were made name all cards of the hand alike."""
    with speaking(language):
        for puzzle in training.collection():
            if puzzle.ask == "best-move":
                title = "" if is_made(puzzle) else titled(puzzle.title)
                assert told(puzzle, title) == [], (puzzle.id, title)


def test_every_puzzle_is_a_good_one() -> None:
    """As far as can be measured: what looks right, what the next best loses, how much there is to look at."""
    for puzzle in training.collection()[:: 1 if ALL else 12]:
        answer = solve_puzzle(puzzle, Limit()).answer
        assert answer is not None
        assert puzzle.solution is not None
        measured = puzzle.measured or Measured()
        how = (composer_of(puzzle.game), task_of(puzzle), candidate_of(puzzle), answer, puzzle.solution, measured)
        assert flaw(*how) is None, puzzle.id
        assert false_themes(puzzle, answer) == (), puzzle.id


def test_each_game_has_many_puzzles_of_all_grades_and_no_idea_too_often() -> None:
    for name in registry.names():
        puzzles = [puzzle for puzzle in training.collection() if puzzle.game.name == name]
        assert len(puzzles) >= MANY, name
        grades = Counter(puzzle.grade for puzzle in puzzles)
        assert all(grades[grade] >= SOME for grade in ("easy", "medium", "hard")), (name, grades)
        ideas = Counter(
            (puzzle.ask, puzzle.hidden, puzzle.model, puzzle.themes) for puzzle in puzzles if puzzle.themes
        )
        assert max(ideas.values()) <= OFTEN, (name, ideas.most_common(1))


def test_the_solver_confirms_and_players_of_today_make_of_it_what_was_measured() -> None:
    for puzzle, known in made()[::EVERY]:
        result = solve_puzzle(puzzle, Limit())
        assert result.status == "confirmed", puzzle.id
        assert result.answer is not None
        if can_be_measured(puzzle):
            measured, themes = measured_anew(puzzle, result.answer)
            assert measured == known.model_copy(update={"solved": None}), puzzle.id
            assert tuple(themes) == (puzzle.themes or ()), puzzle.id


def test_ratings_and_grades_are_those_of_a_fit_of_all_solvers() -> None:
    solved = chances(training.collection())
    assert grading.fitted(solved.values()) == pytest.approx(grading.solvers(), abs=1)  # of points, by rounding
    assert set().union(*solved.values()) == set(grading.SOLVERS)
    for puzzle, measured in made():
        assert puzzle.solution is not None
        assert puzzle.rating == pytest.approx(grading.rating_of(measured, puzzle.solution), abs=1), puzzle.id
        assert puzzle.grade == grading.grade_of(puzzle.rating or 0), puzzle.id
        assert set(puzzle.themes or ()) <= set(composer_of(puzzle.game).themes), puzzle.id
        if puzzle.ask == BEST_MOVE and is_made(puzzle):
            assert len(puzzle.solution.best or ()) == 1, puzzle.id


# ----------------------------------------------------------------------------------------------------
# What is found by hand is varied and proved by the solver; the small ones, and a sample of the small ones that
# were made, by the reference.


Judged = tuple[object, tuple[str, ...]]  # the value, and the best moves in their order


class Judge(NamedTuple):
    """How a game's reference judges a puzzle, and of how many cards those found by hand and those made may be."""

    judged: Callable[[Puzzle], Judged]
    by_hand: int
    made: int


def by_kirin(puzzle: Puzzle) -> Judged:
    now, declared = kirin.load(position_data(puzzle.position))
    how = (declared, puzzle.model or "", puzzle.player)
    return kirin.value(now, *how), tuple(kirin.DECK[card] for card in kirin.optimal(now, *how))


def by_king(puzzle: Puzzle) -> Judged:
    deck, now = king.load(position_data(puzzle.position))
    how = (deck, now, puzzle.model or "", puzzle.player)
    return king.value(*how), tuple(king.text(deck, move) for move in king.optimal(*how))


def by_aqua(puzzle: Puzzle) -> Judged:
    table, now = aqua.load(position_data(puzzle.position))
    how = (table, now, puzzle.model or "", puzzle.player)
    return aqua.value(*how), tuple(aqua.text(table, move) for move in aqua.optimal(*how))


JUDGES = {"kirin": Judge(by_kirin, 13, 9), "king": Judge(by_king, 12, 8), "aqua-regia": Judge(by_aqua, 8, 7)}
BY_HAND = [puzzle for name in JUDGES for puzzle in collection(name) if puzzle.ask in (BEST_MOVE, VALUE)]


def is_small(puzzle: Puzzle, most: int) -> bool:
    """Whether all hands are known, no card is to be set aside, and hands and stock have no more cards."""
    told = position_data(puzzle.position)
    if puzzle.hidden or "hands" not in told or getattr(puzzle.position, "choosing", False):
        return False
    return sum(map(len, told["hands"])) + len(told.get("stock", ())) <= most


SMALL = [puzzle for puzzle in BY_HAND if is_small(puzzle, JUDGES[puzzle.game.name].by_hand)]
each_by_hand = pytest.mark.parametrize("puzzle", BY_HAND, ids=lambda puzzle: puzzle.id)


@pytest.mark.parametrize("name", JUDGES)
def test_every_model_and_most_grades_are_there(name: str) -> None:
    puzzles = [puzzle for puzzle in BY_HAND if puzzle.game.name == name]
    assert len(puzzles) >= 30
    everywhere = [puzzle for puzzle in training.collection() if puzzle.game.name == name]
    assert any(puzzle.ask == VALUE for puzzle in everywhere) or registry.game(name).race
    assert {puzzle.grade for puzzle in puzzles} >= set(GRADES[:3])
    models = {puzzle.model for puzzle in training.collection() if puzzle.game.name == name}
    assert models - {None} == set(puzzles[0].game.models)
    assert all(puzzle.solution is not None and wording.note(puzzle) for puzzle in puzzles)
    assert len({puzzle.title for puzzle in puzzles}) == len(puzzles)
    assert sum(puzzle.game.name == name for puzzle in SMALL) >= 12


@each_by_hand
def test_the_solver_proves_what_is_stated_and_one_move_alone_to_be_best(puzzle: Puzzle) -> None:
    game = puzzle.game
    answer = game.answer(puzzle.position, puzzle.ask, Control(), model=puzzle.model, player=puzzle.player)
    proved = game.proved(puzzle.position, answer)
    assert puzzle.solution is not None
    assert proved.value == puzzle.solution.value
    if puzzle.ask == BEST_MOVE:
        assert proved.best == puzzle.solution.best
        assert len(proved.best or ()) == 1


@pytest.mark.parametrize("puzzle", SMALL, ids=lambda puzzle: puzzle.id)
def test_the_reference_confirms(puzzle: Puzzle) -> None:
    confirm(puzzle)


def test_the_reference_confirms_what_was_made() -> None:
    judged = [puzzle for puzzle, _ in made() if puzzle.game.name in JUDGES]
    small = [puzzle for puzzle in judged if is_small(puzzle, JUDGES[puzzle.game.name].made)]
    for puzzle in small[:: 1 if ALL else 25]:
        confirm(puzzle)


def confirm(puzzle: Puzzle) -> None:
    value, best = JUDGES[puzzle.game.name].judged(puzzle)
    assert puzzle.solution is not None
    assert value == puzzle.solution.value, puzzle.id
    assert puzzle.solution.best in (None, best), puzzle.id


def test_the_highest_card_is_not_the_one_to_play_in_kirin() -> None:
    """The point of its small puzzles."""
    for puzzle in SMALL:
        if puzzle.game.name != "kirin" or puzzle.solution is None or puzzle.solution.best is None:
            continue
        now, _ = kirin.load(position_data(puzzle.position))
        ranked = [card for card in kirin.legal(now) if not kirin.is_kirin(card)]
        beaten = {card for card in ranked if any(kirin.beats(other, card, now.direction) for other in ranked)}
        best = set(map(kirin.number, puzzle.solution.best))
        assert not best & (set(ranked) - beaten), puzzle.id


# ----------------------------------------------------------------------------------------------------
# What a puzzle's note says, in either language.


ENDING = {"cap": 4, "line": ["A", "A", "4", "7"], "hand": "6", "unseen": ["2", "5", "9"]}

NOTES: Sequence[tuple[str, str, str]] = (
    (
        "kirin-best-move-122-85",
        "Seat 0 plays last, collecting the Vermilion Bird; B1, which looks right, falls short by 1 point: "
        "seat 1 then takes S1 with S6, which beats S1 because the order is ascending.",
        "席0が最後に出す番、集めるのは朱雀。一見よさそうなB1は1点損です。席1がS6でS1を取ります。順序が昇"
        "順なので、S1より強いのです。",
    ),
    (
        "kirin-best-move-122-335",
        "Seat 1 leads, collecting the White Tiger; S4, which looks right, falls short by 1 point: seat 3 then"
        " takes B4 with D3; with best play, seat 1 takes B4 with B6.",
        "席1がリード、集めるのは白虎。一見よさそうなS4は1点損です。席3がD3でB4を取ります（最善なら席"
        "1がB6でB4を取ります）。",
    ),
    (
        "aqua-regia-best-move-132-170",
        "Seat 2 is to follow in aqua regia; Ca, which looks right, fails: seat 0 can follow it with Pt, but "
        "can't follow Pt; seat 0 goes out first with Li; seat 2 still holds K, Ca and Pt.",
        "席2が王水でフォロー。一見よさそうなCaでは失敗します。席0はPtで続けられますが、Ptには続けられませ"
        "ん。席0がLiで先に上がります。席2の手にはK、CaとPtが残っています。",
    ),
    (
        "alchemy-best-move-201-75",
        "7 cards are face down; a draw without a match loses; discarding 9, which looks right, lowers the chance"
        " to win from 10% to 1.9%: the next card then finds no match in 86% of deals, after discard 6 in 71%.",
        "7枚が伏せられています。組のできない手札が1枚引かれると負けです。一見よさそうな9を捨てる手では、"
        "勝つ確率が10%から1.9%に下がります。次に引くカードで組ができない確率は86%です（discard "
        "6なら71%）。",
    ),
    (
        "alchemy-0021",
        "You grab first, then the other takes the best that you leave; A+4+5+7=5+Q, which looks right, falls "
        "short by 2 points: it scores 6, but leaves J=J for 2; A+7+Q=4+5+J leaves nothing.",
        "あなたが先に組を取り、続いて相手が残りから一番良い組を取ります。一見よさそうなA+4+5+7=5+Qは2"
        "点損です。6点になりますが、J=J（2点）が残ります。A+7+Q=4+5+Jなら何も残りません。",
    ),
    (
        "king-0017",
        "Seat 2 has won the trick and takes cards of it; taking W2 and T3 and giving T5, which looks right, falls "
        "short by 18 points: seat 2 then lacks T5 for Philosopher's Stone (18 points): seat 1 gets T5.",
        "席2がトリックに勝ってカードを取る。一見よさそうなW2とT3を取ってT5を渡す手は18点損です。賢者の石（1"
        "8点）に要るT5が席2に足りなくなります。T5は席1のものになります。",
    ),
    (
        "king-value-143-63",
        "Seat 1 plays last; W3, which looks right, falls short by 5 points: kept, it would take W2 and A2 later.",
        "席1が最後に出す番。一見よさそうなW3は5点損です。残しておけば、後でW2とA2を取れます。",
    ),
    (
        "hidden-0006",
        "You play last. Where is the Dancer of use?",
        "あなたが最後に出します。踊り子が役立つのはどこでしょう。",
    ),
)


@pytest.mark.parametrize(("number", "english", "japanese"), NOTES, ids=[note[0] for note in NOTES])
def test_a_note_in_both_languages(number: str, english: str, japanese: str) -> None:
    (puzzle,) = (one for one in training.collection() if one.id == number)
    assert wording.note(puzzle) == english
    with speaking("ja"):
        assert wording.note(puzzle) == japanese


def test_every_note_of_the_collection_is_said_in_japanese() -> None:
    with speaking("ja"):
        notes = [wording.note(puzzle) for puzzle in training.collection()]
    assert sum(map(bool, notes)) > 0.9 * len(notes)
    assert not [note for note in notes if re.search(r"\b(?!discard\b|pass\b|take\b|give\b)[a-z]{4,}\b", note)]


def test_words_of_somebody_else_stay_and_what_was_not_measured_has_no_note() -> None:
    position = {"game": "alchemy", "variant": "solo", **ENDING}
    data = {"id": "own", "title": "Own", "ask": "best-move", "position": position}
    told, silent = (from_data({"puzzle": [data | more]}).puzzles[0] for more in ({"note": "Mine!"}, {}))
    assert wording.note(told) == "Mine!"
    assert wording.note(silent) == ""
    measured = Puzzle.model_validate(data | {"measured": {"steps": 1}})
    assert wording.note(measured) == "3 cards are face down; 2 draws without a match lose."
