"""Searches for questions about records, puzzles, and games in progress.

Each is a function of what is asked and a `Control`, and runs in a search process.

A client sends a game as a list of moves, and replaying a long one is slow. So each process keeps the games it used
recently; losing them only costs time.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from itertools import islice
from typing import TYPE_CHECKING, Any, TypeVar

from api.models import (
    EndedRound,
    Match,
    MatchLog,
    Puzzles,
    ReadDeck,
    World,
    Worlds,
)
from api.puzzle_lists import listed
from athanor import sessions
from athanor.asking import QUESTIONS
from athanor.endings import TableEnd, end_of
from athanor.questions import warm
from athanor.reviews import Decision, Wish, assembled, decisions
from athanor.sessions import Saved, Session, dumps
from puzzles.check import PuzzleResult, solve_puzzle
from puzzles.format import Puzzle, PuzzleFile, loads_as
from solver import decks
from solver.answers import Hint
from solver.errors import AthanorError, PositionError, PuzzleError, RequestError
from solver.language import say
from solver.limits import Control
from solver.positions import parse_position, position_data, text_of
from solver.rounds_in_play import Round
from solver.strict_json import loads_json
from solver.validation import validated

if TYPE_CHECKING:
    from solver.reviewing import Judged, Review


F = TypeVar("F", bound=PuzzleFile)

MOST_VALUES = 50_000  # in a JSON body: about 500 puzzles
MOST_TOML_VALUES = 20_000  # in a TOML body, read in about the same time: twice the collection
MOST_UNITS = 10_000  # in a submitted job: a million deals
_KEPT = 32  # games
_MOST_GAMES, _MOST_LINES = 16, 10_000  # read from one text


@contextmanager
def about(key: str) -> Iterator[None]:
    """In the with block, put a key of the request in front of the paths of errors."""
    try:
        yield
    except AthanorError as error:
        raise error.under(key) from None


class Sessions:
    """A cache of recently used games, by the data that clients send. No game is in use by two requests at once."""

    def __init__(self, most: int = _KEPT) -> None:
        self._most = most
        self._change = threading.Lock()
        self._kept: OrderedDict[str, Session] = OrderedDict()

    @contextmanager
    def of(self, saved: Saved, control: Control | None = None) -> Iterator[Session]:
        """Yield a game to view or play on, from the cache or replayed. Raises the errors of `Session`.

        If `control` is cancelled, the replay ends.
        """
        with self._change:
            session = self._kept.pop(_key(saved), None)
        if session is None:
            with about("match"):
                session = Session(saved, forced=False, control=control)
        try:
            yield session
        finally:
            with self._change:
                self._kept[_key(session.saved)] = session
                while len(self._kept) > self._most:
                    self._kept.popitem(last=False)


def _key(saved: Saved) -> str:
    return saved.model_dump_json()


SESSIONS = Sessions()


def solve(puzzle: Puzzle, control: Control) -> tuple[PuzzleResult]:
    """Solve a puzzle. The result is in a tuple, since a process sends an answer itself only as its text."""
    return (solve_puzzle(puzzle, control.limit, control.cancel),)


def sample_worlds(asked: Mapping[str, Any], control: Control) -> Worlds:
    """Sample deals that agree with a view. This needs compiled kernels."""
    worlds = QUESTIONS["worlds"].run(asked)
    return Worlds(worlds=tuple(World(text=text_of(world), position=world) for world in worlds))


def read_file(kind: type[F], text: str, is_json: bool, control: Control) -> tuple[F]:
    """Read a puzzle file in JSON or TOML; in a tuple, as in `solve`.

    Raises PuzzleError, and PositionError for text that is not JSON or has too many values.
    """
    if is_json:
        return (validated(kind.model_validate, loads_json(text, "body", MOST_VALUES), PuzzleError),)
    return (loads_as(kind, text, MOST_TOML_VALUES),)


def list_puzzles(text: str, is_json: bool, control: Control) -> Puzzles:
    """Read a puzzle file, as `read_file` does, and return its puzzles with translated texts."""
    return listed(read_file(PuzzleFile, text, is_json, control)[0].puzzles, solutions=True)


def read_deck(text: str, name: str, control: Control) -> ReadDeck:
    """Read a deck in TOML or as a table, which gets this name. Raises PositionError."""
    game, deck, data = decks.read(text, name)
    return ReadDeck(game=game, name=deck.name, title=deck.title, deck=data)


def job_units(
    kind: str, questions: Sequence[Any], options: Mapping[str, Any], most_seconds: float, control: Control
) -> list[str]:
    """Return the units of a job as lines of JSON, at most one more than a job may have."""
    from athanor.jobs.units import payloads

    units = payloads(kind, questions, options, most_seconds=most_seconds, keep_faulty=True)
    return list(islice(units, MOST_UNITS + 1))


def read_games(text: str, control: Control) -> list[Saved]:
    """Read the games in a text file, keeping the moves as they are spelled there."""
    return sessions.loads(text, most_games=_MOST_GAMES, most_lines=_MOST_LINES)


def replay_game(saved: Saved, control: Control) -> Saved:
    """Replay a game, and return it with its moves in their usual spelling."""
    return Session(saved, forced=False, control=control).saved


def change_match(wanted: Mapping[str, Any], control: Control) -> Match:
    """Make, undo or redo moves of a game, as `MatchRequest` says, and return the state afterwards."""
    with _played(wanted, control) as session:
        undone: list[str] = []
        for _ in range(wanted["undo"]):
            before = [move for moves in session.saved.moves for move in moves]
            if not session.undo():
                break
            undone = before[session.count :] + undone
        with about("redo"):
            redone_count = session.redo(wanted["redo"])
        for index, text in enumerate(wanted["moves"]):
            with about(f"moves[{index}]"):
                session.play(session.round.move_of(text))
        return _standing(session, tuple(undone), redone_count)


def match_log(wanted: Mapping[str, Any], control: Control) -> MatchLog:
    with _played(wanted, control) as session:
        return MatchLog(log=tuple(session.log()))


def table_end(wanted: Mapping[str, Any], control: Control) -> TableEnd:
    """Return how the last round of a game at a real table ended."""
    with SESSIONS.of(wanted["match"], control) as session:
        return end_of(session)


def play_turn(wanted: Mapping[str, Any], control: Control) -> Match:
    """Play a turn of the seat to move: the move that needs no hint (`Session.settled`), or a hint's best one."""
    with _played(wanted, control) as session:
        table = session.round
        hint = None if session.settled else _hinted(session, control)
        if table.to_move is None:
            raise RequestError("game_over", say("the game is over"), "match")
        move = table.move_of(str(hint.best)) if hint else session.settled
        assert move is not None
        reason = hint.reason if hint and not table.secret(move) else None
        session.play(move)
        return _standing(session).model_copy(update={"reason": reason})


def match_hint(wanted: Mapping[str, Any], control: Control) -> Hint:
    """Return a hint for the seat to move in a game."""
    with _played(wanted, control) as session:
        return _hinted(session, control)


def _played(wanted: Mapping[str, Any], control: Control) -> AbstractContextManager[Session]:
    """The game that goes on. Raises RequestError for one at a real table, which can't be continued."""
    saved: Saved = wanted["match"]
    if saved.dealt:
        message = say("a game at a real table can be reviewed, but not continued")
        raise RequestError("not_offered", message, "match.dealt")
    return SESSIONS.of(saved, control)


def plan_review(saved: Saved, wish: Wish, control: Control) -> list[Decision]:
    """Return the decisions of a game to review."""
    with SESSIONS.of(saved, control) as session:
        return decisions(session, wish)


def assemble_review(saved: Saved, wish: Wish, judged: Sequence[Judged], control: Control) -> Review:
    """Return the review, given what `judge_move` has found for the decisions."""
    with SESSIONS.of(saved) as session:
        return assembled(session, wish, judged)


def judge_move(saved: Saved, decision: Decision, control: Control) -> Judged:
    """Search for the best move instead of one in a review, each time with the decision's own limit."""
    with SESSIONS.of(saved, control) as session:
        return decision.judged(session, control.cancel)


def _hinted(session: Session, control: Control) -> Hint:
    if session.over:
        raise RequestError("game_over", say("the game is over"), "match")
    warm(session.game.name)
    control.restart()
    with about("match"):
        return session.round.hint(control, seed=session.hint_seed)


def _standing(session: Session, undone: tuple[str, ...] = (), redone_count: int = 0) -> Match:
    table = session.round
    begun = bool(session.moves_of(session.number))
    over = session.over or (session.number > 0 and not begun)
    return Match(
        match=session.saved,
        file_text=dumps([session.saved]),
        players=table.players,
        round=session.number + 1,
        to_move=table.to_move,
        has_choice=session.has_choice,
        legal_moves=tuple(table.moves()) if table.to_move == session.seat or session.saved.race else (),
        **_seen(table, session.seat),
        move_count=session.count,
        last_move=session.last,
        undone=undone,
        redone_count=redone_count,
        opponent_match=table.find(1 - session.seat, session.hint_seed),
        ended=_ended(session) if over else None,
    )


def _ended(session: Session) -> EndedRound:
    rounds = session.ended
    return EndedRound(
        round=len(rounds),
        **_seen(rounds[-1], session.seat),
        summary=tuple(session.summary()),
        decided_by=session.decided(),
        won=session.won(),
        totals=getattr(session.score(), "totals", None),
        unit=rounds[-1].unit,
    )


def _seen(table: Round, seat: int) -> dict[str, Any]:
    """Return what a seat sees, as data and, if it is a valid position, as a line of text."""
    position = table.seen(seat)
    if position is None:
        return {"text": None, "position": None}
    data = position_data(position)
    try:
        return {"text": text_of(parse_position(data)), "position": data}
    except PositionError:
        return {"text": None, "position": data}
