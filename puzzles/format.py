"""Puzzle files: reading and writing their TOML. Every error has a path and a line number."""

from __future__ import annotations

import errno
import os
import re
import secrets
import shutil
import tempfile
import tomllib
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence, Set
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Literal, Self, TypeVar, get_args

from pydantic import (
    Field,
    ModelWrapValidatorHandler,
    ValidationError,
    ValidatorFunctionWrapHandler,
    field_validator,
    model_validator,
)

from puzzles import compounding, moves
from puzzles.solution import Model, Solution, StatedRecipe, Subject, Texts
from solver import strict_json
from solver.answers import Wishes
from solver.common import EXACT
from solver.errors import (
    MOST_FAULTS,
    AthanorError,
    Fault,
    PositionError,
    PuzzleError,
    cannot_read,
    cannot_write,
    reason_of,
)
from solver.language import say
from solver.positions import SentPosition, compounder
from solver.puzzle_maker import composer_of
from solver.registry import game_of
from solver.strict_json import TEXT
from solver.texts import decoded, is_list, toml_key, toml_value
from solver.validation import all_of, fault, findings_of, nearest, refusal, refuse, validated, with_names

# ----------------------------------------------------------------------------------------------------
# Writing a file completely or not at all.


def _target(path: str | os.PathLike[str]) -> Path:
    """Follow symbolic links to the file itself. Raises IsADirectoryError for a folder."""
    target = Path(os.path.realpath(path))
    if target.is_dir():
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(path))
    return target


def _temporary(target: Path) -> Path:
    temporary = target.with_name(f".{secrets.token_hex(8)}{target.suffix}")  # the name may be as long as can be
    os.close(os.open(temporary, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o666))
    return temporary


def _is_stream(path: str | os.PathLike[str]) -> bool:
    """Whether a path is a device or a pipe, such as ``/dev/stdout``. Raises OSError if it isn't writable."""
    if not os.path.exists(path) or os.path.isfile(path) or os.path.isdir(path):
        return False
    if not os.access(path, os.W_OK):
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(path))
    return True


def check_replaceable(path: str | os.PathLike[str]) -> None:
    """Raise the OSError that `replacing` would raise, before any work is done."""
    if not _is_stream(path):
        _temporary(_target(path)).unlink()


@contextmanager
def replacing(path: str | os.PathLike[str]) -> Iterator[Path]:
    """Provide a temporary file that replaces `path` if the with block succeeds, and is removed otherwise.

    It gets the mode of the file it replaces, and the suffix of `path`, which some writers depend on. A device or a
    pipe is never replaced: what was written is copied to it. Raises OSError if the folder is not writable, before
    the block is entered.
    """
    if _is_stream(path):
        with tempfile.TemporaryDirectory(prefix="athanor-") as folder:
            temporary = Path(folder, f"written{Path(path).suffix}")
            temporary.touch()
            yield temporary
            with temporary.open("rb") as written, open(path, "wb") as stream:
                shutil.copyfileobj(written, stream)
        return
    target = _target(path)
    temporary = _temporary(target)
    try:
        yield temporary
        if target.exists():
            shutil.copymode(target, temporary)
        os.replace(temporary, target)
    finally:
        temporary.unlink(missing_ok=True)


# ----------------------------------------------------------------------------------------------------
# Finding the line of a key in a TOML text, for error messages: one pass over the text, only after an error.


Step = str | int
KeyPath = tuple[Step, ...]
Place = tuple[int, KeyPath, bool]  # where something begins, its path, and whether it is a header
Tokens = Sequence[tuple[int, str]]  # where each token begins, and its text

# A line end with all blank lines after it; strings; punctuation; and words: bare keys, numbers, dates.
_TOKEN = re.compile(
    rf"(?P<end>\n(?>(?:\s++|#[^\n]*+)*))|#[^\n]*+|[^\S\n]++"
    rf"|(?P<rest>{TEXT}|[\[\]{{}}=,.]|[^\[\]{{}}=,.\s#\"']++)",
    re.DOTALL,
)


def lines_of(text: str, data: Mapping[str, Any], paths: Iterable[str]) -> list[int]:
    """Return the line numbers, from 1, of paths such as ``puzzle[3].position.line[2]`` in TOML text.

    `data` is the parsed `text`. For a missing key, this is the line of the table that lacks it; 0 if unknown.
    """
    wanted = [tuple(steps_of(data, path)) for path in paths]
    asked = {steps[:depth] for steps in wanted for depth in range(1, len(steps) + 1)}
    deepest = max(map(len, wanted), default=0)
    exact: dict[KeyPath, int] = {}
    # A table need not have a header; then a header of a table within it shows where it begins.
    within: dict[KeyPath, int] = {}
    outermost: dict[KeyPath, int] = {}
    for offset, steps, header in _places(text) if asked else ():
        if steps in asked:
            exact.setdefault(steps, offset)
        if steps[:1] in asked:
            outermost.setdefault(steps[:1], offset)
        for depth in range(1, min(len(steps), deepest) + 1) if header else ():
            if steps[:depth] in asked:
                within.setdefault(steps[:depth], offset)

    def line_of(steps: KeyPath) -> int:
        for depth in range(len(steps), 0, -1):
            offset = exact.get(steps[:depth], within.get(steps[:depth]))
            if offset is not None:
                return _line(text, offset)
        offset = outermost.get(steps[:1])
        return 0 if offset is None else _line(text, offset)

    return [line_of(steps) for steps in wanted]


def steps_of(data: object, path: str) -> list[Step]:
    """Split a path into keys and indices, as far as they exist in `data`."""
    steps: list[Step] = []
    while path:
        step, path = _next_step(data, path)
        if step is None:
            break
        steps.append(step)
        data = data[step]  # type: ignore[index]  # _next_step found it there
    return steps


def _next_step(data: object, path: str) -> tuple[Step | None, str]:
    if isinstance(data, Mapping):
        path = path.removeprefix(".")
        # A quoted key may contain dots and brackets: the longest match counts.
        for key in sorted(data, key=len, reverse=True):
            rest = path[len(key) :]
            if path.startswith(key) and rest[:1] in ("", ".", "["):
                return key, rest
    elif isinstance(data, Sequence) and path.startswith("["):
        digits, _, rest = path[1:].partition("]")
        if digits.isdigit() and int(digits) < len(data):
            return int(digits), rest
    return None, ""


def _line(text: str, offset: int) -> int:
    return text.count("\n", 0, offset) + 1


def _places(text: str) -> Iterator[Place]:
    """Yield every header, key and list entry of valid TOML text, in order, as (offset, path, is it a header?)."""
    tokens = [
        (matched.start(), matched["rest"] or "\n")
        for matched in _TOKEN.finditer(text)
        if matched["rest"] or matched["end"]
    ]
    tokens.append((len(text), "\n"))
    entries: dict[KeyPath, int] = {}  # the number of tables in each array of tables so far
    table: KeyPath = ()
    at = 0
    while at < len(tokens):
        offset, token = tokens[at]
        if token == "\n":
            at += 1
        elif token == "[":
            many = tokens[at + 1] == (offset + 1, "[")
            keys, at = _key(tokens, at + 1 + many)
            table = _resolved(keys, entries)
            if many:
                number = entries[table] = entries.get(table, -1) + 1
                table += (number,)
            else:
                table = _last(table, entries)
            yield offset, table, True
            at += 1 + many
        else:
            keys, at = _key(tokens, at)
            yield offset, table + keys, False
            at = yield from _value(tokens, at + 1, table + keys)


def _resolved(keys: KeyPath, entries: Mapping[KeyPath, int]) -> KeyPath:
    """Return the full path of a header.

    A key other than the last may name an array of tables: the index of the array's newest entry is then inserted.
    """
    path: KeyPath = ()
    for key in keys[:-1]:
        path = _last((*path, key), entries)
    return path + keys[-1:]


def _last(path: KeyPath, entries: Mapping[KeyPath, int]) -> KeyPath:
    return (*path, entries[path]) if path in entries else path


def _key(tokens: Tokens, at: int) -> tuple[KeyPath, int]:
    """Parse the key that begins at token `at`; return its parts, and the index of the token after it."""
    parts: list[Step] = []
    while (token := tokens[at][1]) not in ("=", "]", "\n"):
        if token != ".":
            quoted = token[0] in "\"'"
            parts.append(tomllib.loads(f"key = {token}")["key"] if quoted else token)
        at += 1
    return tuple(parts), at


def _value(tokens: Tokens, at: int, path: KeyPath) -> Generator[Place, None, int]:
    """Yield the places within the value that begins at token `at`; return the index of the token after it."""
    opening = tokens[at][1]
    if opening not in ("[", "{"):
        while tokens[at][1] not in (",", "]", "}", "\n"):
            at += 1
        return at
    at += 1
    number = 0
    while (token := tokens[at])[1] not in ("]", "}"):
        if token[1] in (",", "\n"):
            number += token[1] == ","
            at += 1
        elif opening == "[":
            yield token[0], (*path, number), False
            at = yield from _value(tokens, at, (*path, number))
        else:
            keys, at = _key(tokens, at)
            yield token[0], path + keys, False
            at = yield from _value(tokens, at + 1, path + keys)
    return at + 1


# ----------------------------------------------------------------------------------------------------
# The questions of puzzles: the subject of each, and the keys of its solution.


Ask = Literal["best-move", "value", "winnable", "all-matches", "compound"]
ASKS: tuple[str, ...] = get_args(Ask)


@dataclass(frozen=True)
class QuestionKind:
    """A kind of question: its subject, and the keys of a solution that answer it."""

    subject: Subject
    keys: tuple[str, ...]


QUESTION_KINDS: Mapping[str, QuestionKind] = {
    "best-move": QuestionKind(moves, ("best", "value")),
    "value": QuestionKind(moves, ("best", "value")),
    "winnable": QuestionKind(moves, ("best", "value", "winnable")),
    "all-matches": QuestionKind(moves, ("best", "value", "moves")),
    "compound": QuestionKind(compounding, ("total", "bonus", "recipes")),
}


# ----------------------------------------------------------------------------------------------------
# A puzzle as data: a position, a question, and optionally the solution.


Grade = Literal["easy", "medium", "hard", "expert"]
GRADES: tuple[Grade, ...] = get_args(Grade)
MOST_RATING = 4_000


Chance = Annotated[float, Field(ge=0, le=1, strict=True)]


class Refuting(Model):
    """The deals that refute a wrong move: all those in which another `seat` has these `cards`, and perhaps others.

    In each of them the others can hold the seat to move to `most` points after it.
    """

    seat: Annotated[int, Field(ge=0, lt=EXACT, strict=True)]
    cards: Texts
    most: Annotated[int, Field(ge=0, lt=EXACT, strict=True)]


class Measured(Model):
    """Measurements of a puzzle, from which its grade is computed.

    `obvious` is the answer of a player who follows simple rules, and `shallow` that of a shallow search: a move,
    or whatever the question asks for; None if there is no such answer. `wrong_line` begins with the wrong move
    that looks best to a club player, or else to the first of those players, and goes on with best play, as far as
    it is known; `wrong_loss` is how much this move loses. `best_line` is best play throughout. If a value is asked
    for, the two may begin alike. `steps` is the length of the solution: the player's own decisions along the best
    line, or another measure that suits the question.

    If a guarantee is asked for, `refuting` says which deals refute the wrong move, if any single deal does.

    For puzzles with one visible hand, `equal` is the move of a player who follows hints, and `club` and `beginner`
    are the chances that a club player and a beginner find the solution. `plausible` is the number of moves that
    look right: a club player or a beginner may well make them, or one of the players above does. `solved` has the
    chances of further solvers to find the solution (`puzzles.grading`).
    """

    obvious: str | int | float | None = None
    wrong_line: Texts | None = None
    wrong_loss: float | None = None
    best_line: Texts | None = None
    refuting: Refuting | None = None
    shallow: str | int | float | None = None
    equal: str | None = None
    club: Chance | None = None
    beginner: Chance | None = None
    plausible: Annotated[int, Field(ge=0, lt=EXACT, strict=True)] | None = None
    steps: Annotated[int, Field(ge=0, lt=EXACT, strict=True)] = 0
    solved: dict[str, Chance] | None = None


_MOST_THEMES = 100


class Puzzle(Model):
    """A question about a position. Its stated moves are legal, written as the game does, and need not be right."""

    id: Annotated[str, Field(json_schema_extra={"pattern": r"\S"})]
    title: str
    ask: Ask
    model: str | None = None
    player: Annotated[int, Field(ge=0, lt=EXACT, strict=True)] | None = None
    must: Texts | None = None
    without: Texts | None = None
    grade: Grade | None = None
    rating: Annotated[int, Field(ge=0, le=MOST_RATING, strict=True)] | None = None
    themes: Annotated[Texts, Field(max_length=_MOST_THEMES)] | None = None
    note: str | None = None
    measured: Measured | None = None
    position: SentPosition
    solution: Solution | None = None

    @property
    def game(self) -> Any:
        return game_of(self.position)

    @property
    def judged(self) -> bool:
        """Whether the best move is judged by a hint: hands are hidden, and the model allows no proof."""
        return self.hidden and self.model not in self.game.guarantees

    @property
    def hidden(self) -> bool:
        """Whether the position is a player's view, with the other hands hidden."""
        asks = self.game.asks(self.position)
        return "hint" in asks and "best-move" not in asks

    @model_validator(mode="wrap")
    @classmethod
    def _all_faults(cls, data: Any, handler: ModelWrapValidatorHandler[Self]) -> Self:
        """Find the faults of the keys that could be read, too, beside those of others that could not."""
        try:
            return handler(data)
        except ValidationError as error:
            wrong = [detail["loc"] for detail in error.errors()]
            if not isinstance(data, Mapping) or not all(wrong):
                raise
            rest = _without({str(keys[0]) for keys in wrong}, data)
            if rest is None:
                raise
            try:
                cls.model_validate(rest)
            except ValidationError as further:
                raise refusal([*findings_of(error, data, cls), *findings_of(further, rest, cls)]) from None
            raise

    @model_validator(mode="after")
    def _check(self) -> Self:
        game = self.game
        all_of(
            self._check_id,
            lambda: self._check_question(game),
            self._check_wishes,
            lambda: self._check_themes(game),
            lambda: self._check_solution(game),
        )
        return self

    def _check_id(self) -> None:
        if not self.id.strip():
            raise fault("out_of_range", say("an id is not empty"), "id")

    @property
    def wishes(self) -> Wishes | None:
        """Which cards recipes use and which they don't; None if the puzzle says nothing about that."""
        return Wishes(self.must or (), self.without or ()) if self.must or self.without else None

    def _check_wishes(self) -> None:
        if self.wishes is None:
            return
        if self.ask != "compound":
            key = "must" if self.must else "without"
            raise fault("conflict", say('{key} goes with ask = "compound"', key=key), key)
        if self.ask in self._asks:
            try:
                compounder(self.position).check(self.position, self.wishes)
            except AthanorError as error:
                raise refusal(error.faults) from None

    def _check_themes(self, game: Any) -> None:
        """Check the themes, if it is known which there are in this game."""
        known = composer_of(game).themes if self.themes else ()
        faults = []
        for index, theme in enumerate(self.themes or ()):
            if known and theme not in known:
                message = say("{game} has no theme {theme!r}", game=game.name, theme=theme)
                faults.append(Fault("unknown_value", with_names(message, theme, known), f"themes[{index}]"))
        refuse(faults)

    @property
    def _asks(self) -> set[str]:
        hidden = set() if not self.hidden else {"best-move"} if self.judged else {"best-move", "value"}
        return {*self.game.asks(self.position), *hidden}

    @property
    def _states_moves(self) -> bool:
        """Whether the solution states best moves, which are checked to be legal."""
        return self.solution is not None and bool(self.solution.best)

    def _check_question(self, game: Any) -> None:
        faults = []
        asks = self._asks
        if self.ask not in asks:
            offered = ", ".join(ask for ask in ASKS if ask in asks)
            message = say(
                "{ask!r} cannot be asked about this position; it can be asked {offered}",
                ask=self.ask,
                offered=offered,
            )
            faults.append(Fault("unknown_value", message, "ask"))
        elif self.ask == "best-move" and not self._states_moves and not game.legal_moves(self.position):
            message = say("no move can be made here: nobody is to move, or another seat is")
            faults.append(Fault("conflict", message, "position"))
        if self.model is not None and self.model not in game.models:
            message = say("{game} has no model {model!r}", game=game.name, model=self.model)
            faults.append(Fault("unknown_value", with_names(message, self.model, game.models), "model"))
        seats = game.players[1] if game.models else 1  # without opponents, a value is the player's own
        if self.player is not None and self.player >= seats:
            message = say("the player is at most {seat}", seat=seats - 1)
            faults.append(Fault("out_of_range", message, "player"))
        sees = getattr(self.position, "seat", None)
        if self.hidden and not self.judged and self.player not in (None, sees):
            message = say(
                "with hidden hands, the question is what seat {seat}, whose view this is, can guarantee",
                seat=sees,
            )
            faults.append(Fault("conflict", message, "player"))
        refuse(faults)

    def _check_solution(self, game: Any) -> None:
        solution = self.solution
        if solution is None or self.ask not in self._asks:
            return
        if self.judged and solution.value is not None:
            raise fault(
                "conflict", say("hands are hidden, so no value is proved; state best alone"), "solution.value"
            )
        faults = []
        for key in solution.stated():
            asks = [ask for ask in ASKS if key in QUESTION_KINDS[ask].keys]
            if self.ask not in asks:
                message = say(
                    "{key} answers ask = {names}, not {ask!r}",
                    key=key,
                    names=" or ".join(map(repr, asks)),
                    ask=self.ask,
                )
                faults.append(Fault("conflict", message, f"solution.{key}"))
        if solution.value is not None and (message := self._other_kind(game, solution.value)):
            faults.append(Fault("wrong_type", message, "solution.value"))
        refuse(faults)
        try:
            written = QUESTION_KINDS[self.ask].subject.checked(game, self.position, self.ask, solution)
        except PuzzleError as error:
            raise refusal(error.under("solution").faults) from None
        if self.wishes is not None and written.recipes is not None:
            self._check_used(written.recipes, self.wishes)
        object.__setattr__(self, "solution", written)  # answers are compared with moves as the game writes them

    def _other_kind(self, game: Any, value: object) -> str:
        """Say what a stated value must be, if it can't be this puzzle's because it is of another kind; else ""."""
        if self.ask != "all-matches" and "winnable" in game.asks(self.position):
            return "" if isinstance(value, str) else say('the value is "won" or "lost"')
        if self.model == "maxn":
            position: Any = self.position
            seats = len(position.hands)
            fits = isinstance(value, tuple) and len(value) == seats
            return (
                ""
                if fits
                else say("under maxn, a value is a list with the score of each of {count} seats", count=seats)
            )
        return (
            "" if isinstance(value, int | float) else say("the value is a number here, without quotes or brackets")
        )

    def _check_used(self, recipes: Sequence[StatedRecipe], wishes: Wishes) -> None:
        """Check that stated recipes use the cards that they must, and none that they must not."""
        used = {card.casefold() for recipe in recipes for card in (recipe.card, *recipe.uses)}
        messages = [
            *(
                say("the recipes do not use {card}, which must lists", card=card)
                for card in wishes.must
                if card.casefold() not in used
            ),
            *(
                say("the recipes use {card}, which without lists", card=card)
                for card in wishes.without
                if card.casefold() in used
            ),
        ]
        refuse(Fault("conflict", message, "solution.recipes") for message in messages)


_DECIDE = frozenset({"ask", "position", "model", "player", "must", "without"})  # what else may be said of a puzzle
_NAMES = {"id": "-", "title": "-"}


def _without(faulty: Set[str], data: Mapping[str, Any]) -> dict[str, Any] | None:
    """Return a puzzle's data without these keys; None if the others can't be judged without them."""
    meant = {near[0] if (near := nearest(key, Puzzle.model_fields)) else key for key in faulty}
    if not _DECIDE.isdisjoint(meant):
        return None
    return _NAMES | {key: value for key, value in data.items() if key not in faulty}


def _duplicates(ids: Iterable[object]) -> Iterator[Fault]:
    """Yield a fault for each id that an earlier puzzle of the file has."""
    first: dict[str, int] = {}
    for index, name in enumerate(ids):
        if isinstance(name, str) and (earlier := first.setdefault(name, index)) != index:
            message = say("puzzle[{earlier}] also has the id {id!r}", earlier=earlier, id=name)
            yield Fault("duplicate_id", message, f"[{index}].id")


class PuzzleFile(Model):
    """A puzzle file: its puzzles in order, each with a unique id."""

    puzzle: Annotated[tuple[Puzzle, ...], Field(json_schema_extra={"minItems": 1})]

    @property
    def puzzles(self) -> tuple[Puzzle, ...]:
        return self.puzzle

    @field_validator("puzzle", mode="wrap")
    @classmethod
    def _all_faults(cls, data: Any, handler: ValidatorFunctionWrapHandler) -> Any:
        """Read each puzzle, and collect the errors of all, up to the number that one exception can hold."""
        if isinstance(data, Mapping):
            raise fault("wrong_type", say("a list is expected: [[puzzle]] before each, in double brackets"))
        if not isinstance(data, list | tuple):
            return handler(data)
        puzzles, faults = [], []
        for index, entry in enumerate(data):
            try:
                puzzles.append(Puzzle.model_validate(entry))
            except ValidationError as error:
                faults += [each.under(f"[{index}]") for each in findings_of(error, entry, Puzzle)]
            if len(faults) >= MOST_FAULTS:
                break
        ids = [entry.get("id") if isinstance(entry, Mapping) else getattr(entry, "id", None) for entry in data]
        refuse([*faults, *_duplicates(ids)])
        return tuple(puzzles)

    @model_validator(mode="after")
    def _check(self) -> Self:
        if not self.puzzle:
            raise fault("wrong_size", say("a puzzle file has at least one puzzle"), "puzzle")
        return self


# ----------------------------------------------------------------------------------------------------
# Writing puzzles as readable TOML: short tables on one line, long ones as sections.


_WIDTH = 100


def puzzle_text(data: Mapping[str, object]) -> str:
    """Return the TOML text of one ``[[puzzle]]``."""
    lines = ["[[puzzle]]"]
    sections: list[str] = []
    for key, value in data.items():
        line = f"{toml_key(key)} = {toml_value(value)}"
        if isinstance(value, Mapping) and len(line) > _WIDTH:
            sections += ["", f"[puzzle.{toml_key(key)}]", *(_entry(inner, held) for inner, held in value.items())]
        else:
            lines.append(_entry(key, value))
    return "\n".join([*lines, *sections, ""])


def _entry(key: str, value: object) -> str:
    line = f"{toml_key(key)} = {toml_value(value)}"
    if len(line) <= _WIDTH or not is_list(value):
        return line
    rows = [""]
    for item in value:
        word = f"{toml_value(item)},"
        if rows[-1] and len(rows[-1]) + len(word) > _WIDTH - 5:
            rows.append("")
        rows[-1] += f" {word}" if rows[-1] else word
    return "\n".join([f"{toml_key(key)} = [", *(f"    {row}" for row in rows), "]"])


__all__ = ["Puzzle", "PuzzleFile", "Solution", "dumps", "from_data", "load", "loads", "save"]

_PLACE = re.compile(r" \(at (?:line (\d+), column \d+|end of document)\)$")


F = TypeVar("F", bound=PuzzleFile)


def loads(content: bytes | str) -> PuzzleFile:
    """Parse the bytes or the text of a puzzle file. Raises PuzzleError with the path and the line of the error."""
    return loads_as(PuzzleFile, content)


def loads_as(kind: type[F], content: bytes | str, most_values: int | None = None) -> F:
    """Parse TOML of at most `most_values` values as a puzzle file that may have more keys; see `loads`."""
    text = _decoded(content)
    data = _parse(text, most_values)
    if not data:
        raise PuzzleError("empty_file", say("the file has no [[puzzle]]"), lines=[1])
    try:
        return validated(kind.model_validate, data, PuzzleError)
    except PuzzleError as error:
        raise error.at_lines(lines_of(text, data, [fault.path for fault in error.faults])) from None


def _decoded(content: bytes | str) -> str:
    try:
        return decoded(content)
    except PositionError as error:
        raise PuzzleError(error.code, error.message) from None


def _parse(text: str, most_values: int | None) -> dict[str, Any]:
    try:
        return strict_json.loads_toml(text, most_values)
    except tomllib.TOMLDecodeError as error:
        message = str(error)
        where = _PLACE.search(message)
        line = text.count("\n") + 1
        if where is not None:
            line = int(where[1] or line)
            message = reason_of(ValueError(message[: where.start()]))
        raise PuzzleError(
            "invalid_toml", say("this is not TOML: {message}", message=message), lines=[line]
        ) from None
    except PositionError as error:
        raise PuzzleError(error.code, error.message) from None
    except RecursionError:
        raise PuzzleError("invalid_toml", say("this is nested too deeply")) from None
    except ValueError as error:  # an integer with thousands of digits
        raise PuzzleError("invalid_toml", say("this is not TOML: {found}", found=reason_of(error))) from None


def entries_of(content: bytes | str) -> list[Any]:
    """Return the puzzles of a file as data, so that one that is faulty leaves the others to be read.

    Raises PuzzleError if the file is not a list of puzzles.
    """
    text = _decoded(content)
    data = _parse(text, None)
    entries = data.get("puzzle")
    if len(data) != 1 or not isinstance(entries, list) or not entries:
        return list(loads(text).puzzles)
    return entries


def from_data(data: object) -> PuzzleFile:
    """Validate JSON-like data with the structure of a puzzle file. Raises PuzzleError with the path."""
    return validated(PuzzleFile.model_validate, data, PuzzleError)


def load(path: str | os.PathLike[str]) -> PuzzleFile:
    """Read the puzzle file at `path`. Raises PuzzleError if it cannot be read or is invalid."""
    try:
        content = Path(path).read_bytes()
    except (OSError, ValueError) as error:  # ValueError: a NUL in the path
        raise PuzzleError("unreadable", cannot_read(os.fspath(path), error)) from None
    return loads(content)


def dumps(file: PuzzleFile) -> str:
    """Return a puzzle file as text, from which `loads` makes an equal one."""
    puzzles = (puzzle.model_dump(exclude_unset=True, exclude_none=True) for puzzle in file.puzzle)
    return "\n".join(map(puzzle_text, puzzles))


def save(file: PuzzleFile, path: str | os.PathLike[str]) -> None:
    """Write a puzzle file, all or nothing. Raises PuzzleError if it cannot be written."""
    content = dumps(file).encode()
    try:
        with replacing(path) as temporary:
            temporary.write_bytes(content)
    except (OSError, ValueError) as error:
        raise PuzzleError("unwritable", cannot_write(os.fspath(path), error)) from None


# ----------------------------------------------------------------------------------------------------
# Finding puzzle files.


SUFFIX = ".toml"


def files_in(paths: Iterable[str | os.PathLike[str]], failed: Callable[[PuzzleError], object]) -> Iterator[str]:
    """Yield the puzzle files among `paths` and in the folders among them, each once, those of a folder in order.

    In folders, hidden folders such as ``.venv`` are skipped, and whatever is not a regular file, such as a pipe.
    `failed` is called with the error of each folder that cannot be read, or has no puzzle files.
    """
    seen: set[str] = set()
    for path in (os.fspath(path) for path in paths):
        for name in _in_folder(path, failed) if os.path.isdir(path) else [path]:
            real = os.path.realpath(name)
            if real not in seen:
                seen.add(real)
                yield name


def _in_folder(folder: str, failed: Callable[[PuzzleError], object]) -> list[str]:
    def unread(error: OSError) -> None:
        failed(PuzzleError("unreadable", cannot_read(error.filename, error)))

    paths = []
    for directory, folders, files in os.walk(folder, onerror=unread):
        folders[:] = (name for name in folders if not name.startswith("."))
        named = (Path(directory, name) for name in files if name.endswith(SUFFIX))
        paths += [str(path) for path in named if path.is_file() or not path.exists()]
    if not paths:
        failed(PuzzleError("unreadable", say("{path}: no *.toml in this folder", path=folder)))
    return sorted(paths)
