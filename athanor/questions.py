"""Questions about one position, puzzles and matches, and conversion between text and JSON."""

from __future__ import annotations

import json
import os
import re
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Annotated, Any, Literal, NoReturn, TypeVar, Unpack

from athanor.arguments import control_of, data_of, limit_of, position_of
from athanor.asking import (
    Bounds,
    Count,
    Help,
    OnlyHere,
    PositionLike,
    Search,
    Seed,
    Sent,
    Whole,
    checked,
    question,
)
from solver import registry
from solver.common import EXACT, MOST_WAYS, MOST_WORLDS, Others
from solver.errors import AthanorError, MoveError, PuzzleError
from solver.registry import game_of
from solver.texts import decoded

if TYPE_CHECKING:
    from pydantic import BaseModel

    from athanor.sessions import Saved, Session
    from puzzles.check import PuzzleResult
    from puzzles.format import Puzzle, PuzzleFile
    from puzzles.judging import Verdict
    from puzzles.training import SentPuzzle
    from solver.answers import Analysis, CompoundAnalysis, Hint
    from solver.limits import Control, Limit


# ----------------------------------------------------------------------------------------------------
# How a question is asked: first its kernels are loaded, then its clock starts.


A = TypeVar("A")

# What has been loaded: (game,) for a whole game, (game, kind) for everything that a kind of question needs, or
# (game, kind, type) for a kind of question about a type of position.
_loaded: set[tuple[str, ...]] = set()


@checked
def warm(name: str, *, hints: bool = False) -> None:
    """Load or compile every search kernel of a game now, so that no later question has to wait for it.

    With `hints`, only those that hints need. Raises RequestError for an unknown game.
    """
    _load((name, "hint") if hints else (name,), lambda: registry.game(name).warm(hints=hints))


def ask_loaded(
    kind: str, position: BaseModel, control: Control, ask: Callable[[Control], A], *, load: Callable[[], None]
) -> A:
    """Ask a question of this kind about a position; time spent loading kernels does not count.

    With a time limit, `load` first loads every kernel that the search may need. Otherwise, a trial search of one
    node loads them first, so that the search time in the answer includes hardly any loading.
    """
    from solver.limits import Control, Limit

    game: str = position.game  # type: ignore[attr-defined]
    whole = (game,) if kind == "analyze" else (game, kind)
    if control.limit.seconds is not None:
        _load(whole, load)
    elif (game,) not in _loaded and whole not in _loaded:
        _load((game, kind, type(position).__name__), lambda: ask(Control(Limit(nodes=1), control.cancel)))
    control.restart()
    return ask(control)


def _load(key: tuple[str, ...], load: Callable[[], object]) -> None:
    if key not in _loaded and key[:1] not in _loaded:
        load()
        _loaded.add(key)


@question()
def analyze(
    position: PositionLike,
    *,
    model: Annotated[str | None, Help("How the others play: paranoid (the default), ally or maxn.")] = None,
    player: Annotated[Whole | None, Help("The seat whose value to compute; default: the seat to move.")] = None,
    threads: Annotated[
        int | None,
        Bounds(ge=1, le=1024),
        Help("Use up to N threads, by default one per core; with --nodes always one. Values stay the same."),
        OnlyHere(),
    ] = None,
    **search: Unpack[Search],
) -> Analysis:
    """The exact value of a position with every card known, and of each move.

    `model` says how the other seats play, in games that have models. Without a limit, the search runs until
    everything is proved. A limit of `seconds` or `nodes` (or both, as `limit`) ends it early: then the answer is
    not `exact`, `bounds` are what is proved, and `best` is the best move found. Time spent loading kernels does
    not count. `progress` is called from time to time with a `Progress`, and another thread may set `cancel` to end
    the search.

    The values don't depend on the number of `threads` (by default ATHANOR_THREADS), but which of several equally
    good lines is returned may depend on it.

    Raises PositionError for a position that breaks the rules, RequestError for a question that cannot be asked
    about it.
    """
    from solver.search.parallel import search_threads

    known = position_of(position)
    rules = game_of(known)
    return ask_loaded(
        "analyze",
        known,
        control_of(search, search_threads() if threads is None else threads),
        lambda control: rules.analyze(known, control, model=model, player=player),
        load=rules.warm,
    )


@question(seconds=(0.05, 60), limits=("worlds",))
def hint(
    position: PositionLike,
    *,
    worlds: Annotated[
        int | None,
        Bounds(ge=0, le=MOST_WORLDS),
        Help("How many layouts of the hidden cards; 0: an immediate answer."),
    ] = None,
    seed: Annotated[Seed, Help("The same seed gives the same hint.")] = 0,
    others: Annotated[Others | None, Help("How strong the other players are; default: equal.")] = None,
    compare: Annotated[
        str | None, Help("The move with which to compare the best; default: the next best.", "MOVE")
    ] = None,
    **search: Unpack[Search],
) -> Hint:
    """The best move for a player who does not see every card, and why.

    If cards are hidden, deals that fit what was seen are sampled and played out, at most `worlds` of them. The
    same `seed` with the same limit of `nodes` or `worlds` gives the same hint. The hint says how sure it is and
    why in comparison with the next best move, or with the move `compare`. The limits are as for `analyze`.

    Raises PositionError for a view that breaks the rules, MoveError for a `compare` that is no legal move, and
    RequestError for a position that gets no hints, such as one with every card known.
    """
    seen = position_of(position)
    rules, control = game_of(seen), control_of(search)
    if compare is not None:
        try:
            control.compare = rules.format_move(seen, rules.parse_move(seen, compare))
        except MoveError as wrong:
            raise wrong.under("compare") from None
    answer: Hint = ask_loaded(
        "hint",
        seen,
        control,
        lambda control: rules.hint(seen, control, worlds=worlds, seed=seed, others=others),
        load=lambda: rules.warm(hints=True),
    )
    notes = tuple(rules.notes(seen))
    return answer.model_copy(update={"notes": notes}) if notes else answer


_Cards = Annotated[Sequence[str], Bounds(max_length=100)]


@question()
def compound(
    position: PositionLike,
    *,
    must: Annotated[_Cards, Help("Use this card, as a carrier or as an ingredient.", "CARD")] = (),
    without: Annotated[_Cards, Help("Do not use this card; its own points count.", "CARD")] = (),
    best: Annotated[
        int, Bounds(ge=1, le=MOST_WAYS), Help("The K best ways, which make different recipes.", "K")
    ] = 1,
    missing: Annotated[bool, Help("Rank the other cards by what they would add.")] = False,
    **search: Unpack[Search],
) -> CompoundAnalysis:
    """The recipes that make the most of a set of won cards.

    The position has the form ``{"game": "king", "deck": "house", "cards": ["F10", "W7", "F11"]}``. With `missing`,
    the other cards of the deck are ranked by what they would add. The limits are as for `analyze`.

    Raises PositionError for cards that are not in the deck, RequestError for options that cannot be met.
    """
    from solver.answers import Wishes
    from solver.positions import compounder, text_of

    cards = position_of(position)
    compounding, wishes = compounder(cards), Wishes(must, without, best, missing)
    answer = ask_loaded(
        "compound",
        cards,
        control_of(search),
        lambda control: compounding.answer(cards, control, wishes),
        load=compounding.warm,
    )
    return answer.model_copy(update={"text": text_of(cards)})


# ----------------------------------------------------------------------------------------------------
# Whole matches, and puzzles for practice, for programs in which a person plays.


@checked
def match(game: str, **options: Any) -> Session:
    """Start a match of a game and deal its first round; further rounds follow until the match is over.

    The options are those of a saved game (`athanor.sessions.Saved`): `seed` (default 0), `players`, `variant`,
    `deck`, `rules`, `rounds` (the maximum), `for_match`, and `moves`, for continuing a match. In the returned
    session, `play` makes a move of the seat `round.to_move`, `undo` takes moves back, `round.hint` recommends a
    move from what that seat sees, and `saved` is the match as data.

    Raises RequestError, or PositionError with the path of the wrong option.
    """
    from athanor.sessions import SECONDS, Saved, Session
    from solver.validation import validated

    settings = {"game": game, "seed": 0, "seconds": SECONDS, **options}
    return Session(validated(Saved.model_validate, settings))


@checked
def exercises(*, game: str | None = None, grade: str | None = None) -> list[Puzzle]:
    """Return the built-in puzzles that ask for a best move, optionally of one game or one grade."""
    from puzzles.training import chosen

    return chosen(game=game, grade=grade)


@question()
def judge(
    puzzle: Annotated[SentPuzzle, Sent("puzzles.training:SentPuzzle")], answer: str, **search: Unpack[Search]
) -> Verdict:
    """Whether an answer to a puzzle is right, and why.

    `puzzle` states its solution, such as one from `exercises`; `answer` is a move, or text if the puzzle asks for
    none. The limit, 20 seconds by default, is for the values of all moves.

    Raises MoveError for an illegal move, and RequestError for a puzzle without a solution.
    """
    from puzzles import judging
    from solver.limits import Limit

    control = control_of(search)
    try:
        limit = judging.PROVING if control.limit == Limit() else control.limit
        return judging.judge(puzzle, answer, limit, control.cancel)
    except AthanorError as wrong:
        raise wrong.under("answer") from None


# ----------------------------------------------------------------------------------------------------
# Solving puzzle files, and checking their stated solutions.


@question(here=True)
def solve(
    puzzles: str | os.PathLike[str] | PuzzleFile | Iterable[str | os.PathLike[str]],
    *,
    seconds: Annotated[float | None, Bounds(gt=0), Help("Give up a puzzle after S seconds.")] = None,
    nodes: Annotated[int | None, Bounds(gt=0, lt=EXACT), Help("Give up a puzzle after N nodes.")] = None,
    limit: Limit | None = None,
    jobs: Count = 1,
    cancel: threading.Event | None = None,
) -> Iterator[PuzzleResult]:
    """Solve puzzle files and yield each puzzle's result as soon as it is known.

    `puzzles` is the path of a TOML file, of a folder (searched with its subfolders for ``*.toml``), or several
    paths; or the text of a puzzle file, recognized by its line breaks. The limit applies to each puzzle; `jobs`
    puzzles are solved simultaneously. If there are several files, each result names its `file`.

    Errors in a puzzle's solution are part of its result. If a file cannot be read, raises PuzzleError, with the
    line, before any puzzle is solved.
    """
    from puzzles.format import PuzzleFile

    bounded = limit_of(limit, seconds, nodes)
    if isinstance(puzzles, PuzzleFile):
        named = [("", puzzle) for puzzle in puzzles.puzzles]
    else:
        named = list(_solving_loaded(puzzles))
    several = len({name for name, _ in named}) > 1
    return _results(named, several, bounded, jobs, cancel)


def _solving_loaded(
    puzzles: str | os.PathLike[str] | Iterable[str | os.PathLike[str]],
) -> Iterator[tuple[str, Puzzle]]:
    """Yield every puzzle with the name of its file, which is empty if the puzzles were given as text."""
    from puzzles.format import files_in, load, loads

    if isinstance(puzzles, str) and "\n" in puzzles:
        for puzzle in loads(puzzles).puzzles:
            yield "", puzzle
        return

    def fail(error: PuzzleError) -> NoReturn:
        raise error

    for name in files_in([puzzles] if isinstance(puzzles, str | os.PathLike) else puzzles, fail):
        for puzzle in load(name).puzzles:
            yield name, puzzle


def _results(
    named: list[tuple[str, Puzzle]], several: bool, limit: Limit, jobs: int, cancel: threading.Event | None
) -> Iterator[PuzzleResult]:
    from puzzles.check import run

    puzzles = [puzzle for _, puzzle in named]
    if limit.seconds is not None:
        for name in dict.fromkeys(puzzle.game.name for puzzle in puzzles):
            warm(name)
    for number, result in run(puzzles, limit=limit, jobs=jobs, cancel=cancel):
        yield result.model_copy(update={"file": named[number][0]}) if several else result


# ----------------------------------------------------------------------------------------------------
# Converting positions, records and whole games between JSON and text.


Kind = Literal["position", "game", "deck", "puzzles", "training"]
_PUZZLES = re.compile(r"^[^\S\n]*\[\[\s*puzzle\s*\]\]", re.MULTILINE)
_KEY = re.compile(r'"(attempts|saved|puzzle|game|name)"\s*:')
_KINDS: Mapping[str, Kind] = {  # by their keys in JSON, of which the first counts
    "attempts": "training",
    "saved": "game",
    "puzzle": "puzzles",
    "game": "position",
    "name": "deck",
}


def kind_of(text: str, name: str = "") -> Kind:
    """Return what a text is, by its form and its file's name; "training" is a record of answers to puzzles.

    Text of no known form is called a position, whose reader says what is wrong.
    """
    from athanor import sessions
    from solver.decks import SUFFIXES, table_in

    if text.lstrip().startswith("{"):
        keys = set(_KEY.findall(text))
        return next((kind for key, kind in _KINDS.items() if key in keys), "position")
    if sessions.is_written(text):
        return "game"
    if _PUZZLES.search(text):
        return "puzzles"
    is_deck = name.lower().endswith(SUFFIXES) or "[[" in text or table_in(text) is not None
    return "deck" if is_deck else "position"


@checked
def convert(content: str | bytes) -> str:
    """Validate a position, view, record or saved games, and convert JSON to text or text to JSON.

    Several games saved by `athanor play` follow one another as text, and take one line each as JSON. Raises
    PositionError.
    """
    from athanor import sessions

    text = decoded(content)
    if sessions.is_written(text):
        games = _checked(sessions.loads(text))
        return "\n".join(_json(game.model_dump(mode="json", exclude_none=True)) for game in games)
    if sessions.is_game(text):
        return sessions.dumps(_checked(_kept(text))).rstrip("\n")
    return _position(text)


def _position(content: str) -> str:
    """Convert a position or record from text to JSON, or the reverse."""
    from solver.codec import is_line
    from solver.positions import parse_position, parse_record, position_data, text_of

    data = data_of(content)
    recorded = isinstance(data, dict) and bool(data.keys() & {"rounds", "moves", "points"})
    position = (parse_record if recorded else parse_position)(data)
    if is_line(content):
        return _json(position_data(position))
    return text_of(position)


def _kept(content: str) -> list[Saved]:
    """Read games saved as JSON: one per line if every line is an object, otherwise a single one."""
    from athanor.sessions import read

    lines = [line for line in content.splitlines() if line.strip()]
    if all(line.lstrip().startswith('{"') and line.rstrip().endswith("}") for line in lines):
        return [read(line) for line in lines]
    return [read(content)]


def _checked(games: list[Saved]) -> list[Saved]:
    """Check games by replaying their moves."""
    from athanor.sessions import Session

    return [Session(game).saved for game in games]


def _json(data: dict[str, Any]) -> str:
    return json.dumps(data, ensure_ascii=False)
