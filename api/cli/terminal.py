"""Helpers shared by the commands: options, failures, inputs and outputs, progress, Ctrl-C, tables of answers.

Heavy modules are imported only when used, so that every `--help` is quick.
"""

from __future__ import annotations

import errno
import io
import json
import math
import os
import re
import signal
import sys
import threading
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext
from pathlib import Path
from types import FrameType
from typing import IO, TYPE_CHECKING, Any, Literal, TypeVar, get_args, get_origin

import click

from solver.common import EXACT, SEEDS, in_one_line, one_after_another, outside, range_of, visible, width
from solver.errors import AthanorError, cannot_read, cannot_write, reason_of
from solver.language import say, translated
from solver.texts import Read, decoded, game_typed, mark_of, names_read, plain

if TYPE_CHECKING:
    from pydantic import BaseModel
    from rich.console import Console, Group
    from rich.table import Table
    from rich.text import Text

    from athanor.asking import Keyword
    from solver.answer_tables import Part
    from solver.answers import Analysis, Answer, Hint
    from solver.limits import Progress, ProgressCallback

    Cell = str | Text

F = TypeVar("F", bound=Callable[..., Any])

_SUFFIXES = (".png", ".svg")


class Whole(click.IntRange):
    """An integer in a range. Messages write the range as `1 to 60`."""

    def _describe_range(self) -> str:
        return range_of(ge=self.min, le=self.max)

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        try:
            number = int(plain(value) if isinstance(value, str) else value)
        except ValueError:
            self.fail(say("a whole number is expected, not {value}", value=repr(value)), param, ctx)
        if (self.min is not None and number < self.min) or (self.max is not None and number > self.max):
            self.fail(outside(number, self.min, self.max), param, ctx)
        return number


class Number(click.FloatRange):
    """A number in a range. Messages write the range in words, such as `more than 0`."""

    def _describe_range(self) -> str:
        open_below = self.min if self.min_open else None
        return range_of(ge=None if self.min_open else self.min, gt=open_below, le=self.max)

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        try:
            number = float(plain(value) if isinstance(value, str) else value)
        except ValueError:
            self.fail(say("a number is expected, not {value}", value=repr(value)), param, ctx)
        too_low = self.min is not None and (number < self.min or (self.min_open and number == self.min))
        if too_low or (self.max is not None and number > self.max):
            message = say("{range} is expected, not {value:g}", range=self._describe_range(), value=number)
            self.fail(message, param, ctx)
        return number


SEED = Whole(0, SEEDS - 1)


def _finite(ctx: click.Context, param: click.Parameter, value: float | None) -> float | None:
    if value is not None and not math.isfinite(value):
        raise click.BadParameter(say("must be a finite number"))
    return value


def seconds_option(what: str, *, least: float = 0, most: float | None = None) -> Callable[[F], F]:
    allowed = Number(min=least, max=most, min_open=least == 0)
    return click.option("--seconds", type=allowed, callback=_finite, metavar="S", help=what)


def nodes_option(what: str) -> Callable[[F], F]:
    return click.option("--nodes", type=Whole(1, EXACT - 1), metavar="N", help=what)


def option(keyword: Keyword, what: str = "") -> Callable[[F], F]:
    """Return the option of a command for a keyword of a question; its help is that of the keyword or `what`."""
    kind, (least, most, is_open) = keyword.kind, keyword.bounds
    how: dict[str, Any] = {"help": what or keyword.help, "default": keyword.default, "metavar": keyword.metavar}
    how["show_default"] = bool(keyword.default)
    if kind is bool:
        how["is_flag"] = True
    elif kind is int:
        how["type"] = Whole(least, most)
    elif kind is float:
        how |= {"type": Number(least, most, min_open=is_open), "callback": _finite}
    elif get_origin(kind) is Literal:
        how["type"] = click.Choice(get_args(kind), case_sensitive=False)
    elif get_origin(kind) in (Iterable, Sequence):
        how["multiple"] = True
    return click.option(f"--{keyword.name.replace('_', '-')}", **how)


Decorator = Callable[[Callable[..., None]], Callable[..., None]]


def command(
    name: str, *more: Decorator, subject: Decorator | None = None, own: Container[str] = ()
) -> Callable[[Callable[..., None]], click.Command]:
    """Make a function the command of a question.

    Its arguments are the `subject` (FILE, unless it is given), the question's options except for those of its
    `own`, and `more`.
    """
    from athanor.asking import QUESTIONS

    question = QUESTIONS[name]
    options = [option(keyword) for keyword in question.options.values() if keyword.name not in own]
    decorators: list[Decorator] = [subject or file_argument, *options, *more]

    def made(run: Callable[..., None]) -> click.Command:
        for decorate in reversed(decorators):
            run = decorate(run)
        return click.command(name, help=None if run.__doc__ else question.summary)(run)

    return made


def json_option(what: str = "Print JSON.") -> Callable[[F], F]:
    return click.option("--json", "as_json", is_flag=True, help=what)


def _plot_path(ctx: click.Context, param: click.Parameter, value: str | None) -> str | None:
    if value is not None and not value.lower().endswith(_SUFFIXES):
        raise click.BadParameter(
            say("the plot's name ends in {one} or {other}", one=_SUFFIXES[0], other=_SUFFIXES[1])
        )
    return value


def plot_option(drawn: str) -> Callable[[F], F]:
    """The option `--plot FILE`; `drawn` names what is plotted, for the help."""
    what = f"Also draw {drawn} ({' or '.join(_SUFFIXES)})."
    return click.option("--plot", callback=_plot_path, metavar="FILE", help=what)


def jobs_option(what: str) -> Callable[[F], F]:
    """The option `--jobs N`, by default one per core. The help text `what` must state that default."""
    return click.option("--jobs", type=Whole(1, 1024), default=_cores, show_default=False, metavar="N", help=what)


cluster_option = click.option(
    "--cluster",
    metavar="ADDRESS",
    help="Let a cluster of dask do them: tcp://HOST:PORT, or tls://HOST:PORT.",
)
text_option = click.option("--text", "as_text", is_flag=True, help="Print it as one line of text, not as JSON.")

_WHICH_DECK = "The deck: a name of `athanor decks`, or a file, such as ./deck.csv or deck.toml."
_DECK = "deck_of_file"  # the parameter of --deck beside FILE, and its place in the context

deck_option = click.option("--deck", metavar="NAME|FILE", help=_WHICH_DECK)
rules_option = click.option(
    "--rule",
    "rules",
    multiple=True,
    metavar="NAME",
    help="Play by a disputed reading of the rules: a name that `athanor rules GAME` explains. May be repeated.",
    callback=lambda ctx, param, names: dict.fromkeys(names, True) or None,
)
jokers_option = click.option(
    "--jokers",
    type=click.Choice(["1", "2"]),
    help="In a duel, how many jokers are added from 75 points on; a single deal has them from the start.",
)


def file_argument(command: F) -> F:
    """Add the argument FILE (a file, - for standard input, or the text itself), and --deck for its deck."""
    command = click.option(
        "--deck",
        _DECK,
        metavar="NAME|FILE",
        help=_WHICH_DECK,
        expose_value=False,
        callback=lambda ctx, param, named: ctx.meta.__setitem__(_DECK, named),
    )(command)
    words = click.argument("file", nargs=-1, required=True, callback=lambda ctx, param, words: " ".join(words))
    return words(command)


def with_jokers(rules: dict[str, bool] | None, jokers: str | None) -> dict[str, bool] | None:
    """Add the rule for this number of jokers, "1" or "2", to the rules chosen with --rule."""
    return rules if jokers is None else {**(rules or {}), {"1": "one_joker", "2": "two_jokers"}[jokers]: True}


def game_argument(*, required: bool = True) -> Callable[[F], F]:
    return click.argument("game", type=GameName(), required=required)


class GameName(click.Choice[str]):
    """A choice of the games' names, which are looked up only when a value is parsed or help is shown."""

    def __init__(self) -> None:
        self.case_sensitive = True

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        name = game_typed(value)
        if name not in self.choices:
            from solver.validation import with_names

            sentence = say("there is no game called {name!r}", name=value)
            self.fail(with_names(sentence, name, self.choices), param, ctx)
        return name

    @property
    def choices(self) -> tuple[str, ...]:  # type: ignore[override]
        from solver import registry

        return tuple(registry.names())


def _cores() -> int:
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


# ----------------------------------------------------------------------------------------------------
# Exit codes, and failures as messages for a person.


UNCONFIRMED = 1
FAILED = 2
INTERRUPTED = 130  # a shell's exit code for a program ended by Ctrl-C
PIPE_CLOSED = 141  # a shell's exit code for a program whose output nobody reads
# If an OSError names no file, these codes mean that stdout could not be written. (Windows has no quotas.)
_UNPRINTED = (errno.ENOSPC, errno.EFBIG, errno.EIO, errno.EBADF, getattr(errno, "EDQUOT", errno.ENOSPC))


class CommandFailure(click.ClickException):
    """An error that ends the command with a message on stderr and exit code 2."""

    exit_code = FAILED

    def format_message(self) -> str:
        return visible(self.message)


def failure_of(error: Exception) -> click.ClickException:
    """Convert an exception that ended a command to a message; with ATHANOR_TRACEBACK set, re-raise a bug."""
    if isinstance(error, AthanorError):
        return CommandFailure(str(error))
    if isinstance(error, OSError):
        if error.filename is None and error.errno in _UNPRINTED:
            return CommandFailure(say("cannot write the output: {reason}", reason=reason_of(error)))
        return CommandFailure(reason_of(error) + (f": {error.filename}" if error.filename else ""))
    if isinstance(error, MemoryError):
        return CommandFailure(str(error) or say("the system refuses more memory"))
    if os.environ.get("ATHANOR_TRACEBACK"):
        raise error
    return CommandFailure(
        say(
            "internal error, {name}: {found} (ATHANOR_TRACEBACK=1 shows where; please report it)",
            name=type(error).__name__,
            found=error,
        )
    )


@contextmanager
def about(name: str) -> Iterator[None]:
    """In the with block, put an input's name in front of errors about it."""
    try:
        yield
    except AthanorError as error:
        raise CommandFailure(f"{name}: {error}") from None


@contextmanager
def in_file(path: str) -> Iterator[None]:
    """In the with block, put the path of a file of jobs in front of errors about it."""
    from athanor.jobs import JobError

    try:
        yield
    except JobError as error:
        if not error.code.startswith("store_"):
            raise
        raise CommandFailure(f"{path}: {error.message}") from None


class Commands(click.Group):
    """A group of commands, in any case, that suggests one for a name that is none; ``help`` shows the help."""

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if self.get_command(ctx, args[0]) is None and args[0].isprintable() and args[0][:1] != "-":
            from solver.validation import with_names

            name = plain(args[0]).lower()
            if name == "help" and args[1:]:
                return self.resolve_command(ctx, [args[1], "--help"])
            if name == "help":
                echo(ctx.get_help())
                ctx.exit()
            if self.get_command(ctx, name) is not None:
                return super().resolve_command(ctx, [name, *args[1:]])

            sentence = say("there is no command {name!r}", name=args[0])
            raise click.UsageError(with_names(sentence, plain(args[0]), self.list_commands(ctx)), ctx)
        return super().resolve_command(ctx, args)


# ----------------------------------------------------------------------------------------------------
# Prompts.


_LEAVING = ("q", "quit", "exit")


def read_line(prompt: str = "> ") -> str | None:
    """Read what a person types at a prompt, in plain characters, without comments and marks of lists.

    None at the input's end.
    """
    while True:
        try:
            line = plain(input(prompt)).strip()
        except EOFError:
            return None
        if not line.startswith(("#", ";")):
            return line.removeprefix(mark_of(line)).rstrip(".。")


def leaves(line: str | None) -> bool:
    """Whether a line at a prompt, or the end of the input, is to leave."""
    return line is None or line.lower() in _LEAVING


# ----------------------------------------------------------------------------------------------------
# Reading inputs: a file, - for standard input, or the text itself.


STDIN = "-"
_SUM = re.compile(r"t=(?:t|10|[0-9a]+(?:\+[0-9a]+)+)", re.IGNORECASE)  # a move with the card ten, not a key


def before_moves(words: Sequence[str]) -> tuple[str, Sequence[str]]:
    """Split command-line words into the input and the moves that follow it.

    The input is one word, such as a file's name, or an unquoted line of text, which ends with its last
    `key=value`.
    """
    from solver.codec import SHORT, is_line

    key = re.compile(rf"(?:[A-Za-z_]{{3,}}|[{''.join(SHORT)}]|[^\x00-\x7f][^\x00-<>-\x7f]*)=", re.IGNORECASE)
    plainly = map(plain, words)
    keyed = [number for number, word in enumerate(plainly) if key.match(word) and not _SUM.fullmatch(word)]
    if not keyed or not is_line(" ".join(words)) or is_line(words[0]):
        return words[0], words[1:]
    return " ".join(words[: keyed[-1] + 1]), words[keyed[-1] + 1 :]


def input_name(path: str) -> str:
    """Return the name that messages use for an input."""
    return "<stdin>" if path == STDIN else say("the text") if _is_text(path) else path


def _is_text(path: str) -> bool:
    """Whether an input is the text itself, not a file's name.

    A game's name alone counts as text unless there is a file with that name. The error then says what the text
    lacks, rather than that there is no such file.
    """
    from solver.codec import is_address, is_line
    from solver.registry import names

    if path.lstrip().startswith("{") or is_line(path) or is_address(path):
        return True
    return game_typed(path) in names() and not Path(path).exists()


def read_input(path: str) -> str:
    """Read a file, standard input, or text given in place of a file's name; a guessed encoding is shown."""
    with opened_input(path) as stream:
        content = stream.read()
    with about(input_name(path)):
        text = decoded(content)
    show_guess(path, text)
    return text


def show_guess(path: str, text: Read) -> None:
    """If the encoding of an input was guessed, show the words that were read, on stderr."""
    if text.names:
        echo(f"{input_name(path)}: {names_read(text.names)}", err=True)


@contextmanager
def opened_input(path: str) -> Iterator[IO[bytes]]:
    """Open an input as bytes, to be read piece by piece."""
    if _is_text(path):
        yield io.BytesIO(path.encode("utf-8", "surrogateescape"))
        return
    try:
        with nullcontext(sys.stdin.buffer) if path == STDIN else Path(path).open("rb") as stream:
            yield stream
    except (OSError, ValueError) as error:
        message = cannot_read(input_name(path), error)
        if isinstance(error, FileNotFoundError) and not Path(path).suffix and os.sep not in path:
            from solver.codec import EXAMPLE

            message = say("{message}; as text, a position is keys with their values, as in {line}",
                          message=message, line=EXAMPLE)  # fmt: skip
        raise CommandFailure(message) from None


def read_deck(game: str, named: str | None) -> str | dict[str, Any] | None:
    """Return a deck's name unchanged or, if it is a file's name, the deck's data from that file. Errors name the
    file.
    """
    from solver.decks import SUFFIXES, name_from, read_for

    if named is None or not (named == STDIN or named.endswith(SUFFIXES) or "/" in named or os.sep in named):
        return named
    content = read_input(named)
    with about(input_name(named)):
        return read_for(game, content, name_from(named))


_DECK_KEY = re.compile(r"(?:(?<=[\s&])|(?<=%20))deck=([^\s&]+)", re.IGNORECASE)


def read_decked(path: str) -> str:
    """Like `read_input`, but puts a deck into the position: that of --deck or, if the position names a deck file,
    the deck in that file.
    """
    from solver.codec import bare, escaped, is_line, parsed, unescaped
    from solver.strict_json import typed_json

    text = read_input(path)
    context = click.get_current_context(silent=True)
    asked = context.meta.get(_DECK) if context else None
    try:
        if is_line(text):
            own = _DECK_KEY.search(text)
            named = asked or (unescaped(own[1]) if own else None)
            deck = read_deck(parsed(text).game, named)
            if deck == named and not asked:
                return text
            key = f"deck={escaped(deck if isinstance(deck, str) else json.dumps(deck, ensure_ascii=False))}"
            return _DECK_KEY.sub(lambda _: key, text) if own else f"{bare(text)} {key}"
        data = typed_json(text) if asked or '"deck"' in text else None
    except AthanorError:  # reported when the position is read
        return text
    if not isinstance(data, dict):
        return text
    named = asked or data.get("deck")
    if not isinstance(named, str):
        return text
    return json.dumps(data | {"deck": read_deck(str(data.get("game")), named)})


def read_position(path: str) -> BaseModel:
    """Read the position in a file. Every error names the file."""
    from athanor.arguments import position_of

    content = read_decked(path)
    with about(input_name(path)):
        return position_of(content)


# ----------------------------------------------------------------------------------------------------
# Terminals: tables and text on stdout, progress on stderr.


_PLAIN_WIDTH = 1_000_000  # columns of files and pipes, where nothing is wrapped


def output(stream: IO[str] | None = None, width: int | None = None) -> Console:
    """A console for answers, on stdout or on `stream`; `width` makes it behave like a terminal of that width.

    Text is never interpreted as markup, and terminal control characters are escaped.
    """
    from rich.console import Console, ConsoleOptions, RenderableType
    from rich.segment import Segment

    class Output(Console):
        def render_str(self, text: str, **options: Any) -> Text:
            return super().render_str(visible(text), **options)

        def render(self, renderable: RenderableType, options: ConsoleOptions | None = None) -> Iterator[Segment]:
            # Applies to untrusted text; text in tables has already been measured.
            for segment in super().render(renderable, options):
                yield segment if segment.control else Segment(visible(segment.text), segment.style)

        def print(self, *objects: Any, **options: Any) -> None:
            if self.width < _PLAIN_WIDTH:
                super().print(*objects, **options)
                return
            with self.capture() as printed:
                super().print(*objects, **options)
            # Strip the padding: cells are padded to the widest one, which may be very wide here.
            self.file.write(re.sub(" +$", "", printed.get(), flags=re.MULTILINE))

        def on_broken_pipe(self) -> None:
            raise BrokenPipeError(32, "Broken pipe")  # rich would end the program with exit code 1

    environment = dict(os.environ)
    if not re.fullmatch("0*[1-9][0-9]*", environment.get("COLUMNS", "")):  # some programs export 0
        environment.pop("COLUMNS", None)
        if width is None and not sys.stdout.isatty():
            width = _PLAIN_WIDTH
    return Output(file=stream, markup=False, highlight=False, emoji=False, width=width, _environ=environment)


def echo(text: str, *, err: bool = False, nl: bool = True) -> None:
    """Print text on stdout or stderr, escaping only terminal control characters."""
    click.echo(visible(text), err=err, nl=nl)


@contextmanager
def _bar(label: str, hidden: bool = False) -> Iterator[Callable[[float | None, str, str], None] | None]:
    """Show a progress bar on stderr.

    Yields a function that sets the share done, the label and a note; None if stderr is not a terminal.
    """
    if hidden or not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.progress import BarColumn, SpinnerColumn, TextColumn, TimeElapsedColumn
    from rich.progress import Progress as Bar

    columns = (
        SpinnerColumn(),
        TextColumn("{task.description}", markup=False),
        BarColumn(),
        TextColumn("{task.fields[note]}", markup=False),
        TimeElapsedColumn(),
    )
    with Bar(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(label, total=None, note="")

        def move(done: float | None, stage: str, note: str) -> None:
            total = None if done is None else 1.0
            bar.update(task, total=total, completed=done or 0.0, description=stage or label, note=note)

        yield move


@contextmanager
def searching(label: str) -> Iterator[ProgressCallback | None]:
    """Show a progress bar for a search; yields its progress callback, or None if stderr is not a terminal."""
    with _bar(label) as move:

        def report(progress: Progress) -> None:
            if move is not None:
                move(
                    progress.done,
                    progress.stage,
                    say("{nodes:,} nodes", nodes=progress.nodes) if progress.nodes else "",
                )

        yield None if move is None else report


@contextmanager
def counting(label: str, total: int, *, hidden: bool = False) -> Iterator[Callable[[int], None]]:
    """Show a progress bar for `total` items; yields a function to call with the number done."""
    with _bar(label, hidden) as move:

        def report(done: int) -> None:
            if move is not None:
                move(done / max(total, 1), "", say("{done} of {total}", done=done, total=total))

        report(0)
        yield report


# ----------------------------------------------------------------------------------------------------
# Writing files named by the user, and positions that can be read back.


@contextmanager
def writing(path: str) -> Iterator[None]:
    """Turn an OSError in the with block into a CommandFailure that names the file.

    Raises one before the block for ``-``, which stands for no file here, as it does where a file is read.
    """
    if path == STDIN:
        message = say("- is not written to; /dev/stdout is the standard output, and ./- a file of this name")
        raise CommandFailure(message)
    try:
        yield
    except OSError as error:
        raise CommandFailure(cannot_write(path, error)) from None


def write_text(path: str, text: str) -> None:
    """Write text to a file atomically. Raises CommandFailure if that fails, leaving the old file unchanged."""
    from puzzles.format import replacing

    with writing(path), replacing(path) as temporary:
        temporary.write_text(text, encoding="utf-8")


def check_writable(path: str) -> None:
    """Raise CommandFailure if the file cannot be written; called before any work is done."""
    from puzzles.format import check_replaceable

    with writing(path):
        check_replaceable(path)


def tell_position(position: BaseModel, *, as_text: bool) -> None:
    """Print a position so that it can be read back: as JSON, or as one line of text."""
    from solver.positions import position_data, text_of

    echo(text_of(position) if as_text else json.dumps(position_data(position), ensure_ascii=False))


# ----------------------------------------------------------------------------------------------------
# Ctrl-C: the first ends the search, whose best answer so far is still shown; the second ends the program.


T = TypeVar("T")

_WAKE_SECONDS = 0.2  # a blocked wait would delay Ctrl-C on Windows
_SHOW_CURSOR = "\x1b[?25h"


def _abort(signum: int, frame: FrameType | None) -> None:
    if sys.stderr.isatty():  # a progress bar hides the cursor
        os.write(2, _SHOW_CURSOR.encode())
    os._exit(INTERRUPTED)  # do not wait for searches in other threads


@contextmanager
def ending(end: Callable[[int, FrameType | None], None]) -> Iterator[None]:
    """In the with block, call `end` at SIGTERM and where the terminal is closed, unless these are ignored."""
    known = [getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name)]
    if threading.current_thread() is not threading.main_thread():
        known = []
    before = {number: signal.signal(number, end) for number in known if signal.getsignal(number) != signal.SIG_IGN}
    try:
        yield
    finally:
        for number, usual in before.items():
            signal.signal(number, usual)


@contextmanager
def cancel_on_interrupt() -> Iterator[threading.Event]:
    """Yield an event that the first Ctrl-C sets; the second Ctrl-C ends the program.

    SIGTERM and a closed terminal set it too. After the block the program ends, without leaving temporary folders.
    """
    cancel = threading.Event()
    ended: list[int] = []

    def first(signum: int, frame: FrameType | None) -> None:
        signal.signal(signal.SIGINT, _abort)
        cancel.set()

    def end(signum: int, frame: FrameType | None) -> None:
        ended.append(signum)
        cancel.set()

    before = signal.signal(signal.SIGINT, first)
    try:
        with ending(end):
            yield cancel
    finally:
        signal.signal(signal.SIGINT, before)
        if ended:
            sys.exit(128 + ended[0])


def in_thread(work: Callable[[], T]) -> T:
    """Run `work` in a separate thread and return its result; the main thread stays free to handle signals."""
    from concurrent.futures import Future
    from concurrent.futures import TimeoutError as NotYet

    future: Future[T] = Future()

    def run() -> None:
        try:
            future.set_result(work())
        except BaseException as error:
            future.set_exception(error)

    threading.Thread(target=run, name="search", daemon=True).start()
    while True:
        try:
            return future.result(timeout=_WAKE_SECONDS)
        except NotYet:
            if future.done():  # the work itself timed out
                raise


# ----------------------------------------------------------------------------------------------------
# Tables that keep words whole if the terminal is wide enough.


_EDGES = 2  # characters of a table's left and right edge
_BETWEEN = 3  # characters between two columns
_TIGHT = 1  # characters between two columns if they would not fit otherwise


def laid_out(
    labels: Sequence[str], lines: Sequence[Sequence[Cell]], room: int, *, numbers: Container[int] = ()
) -> Group:
    """Lay out cells as a table with column labels, `room` characters wide. Columns in `numbers` are right-aligned.

    If all words fit, with less space between the columns if necessary, they are kept whole. Otherwise the columns
    are divided among several tables, each of which begins with the columns up to the first with words. Only if no
    such table fits are words broken, but never numbers.
    """
    from rich.console import Group

    lines = [[in_one_line(cell) if isinstance(cell, str) else cell for cell in line] for line in lines]
    columns = list(zip(labels, *lines, strict=True))
    first = next((column for column in range(len(labels)) if column not in numbers), len(labels) - 1) + 1
    parts = [list(range(len(labels)))]
    if not any(_widths(columns, room, between) for between in (_BETWEEN, _TIGHT)):
        parts = [[*range(first)]]
        for column in range(first, len(labels)):
            wider = [*parts[-1], column]
            if len(parts[-1]) == first or _widths([columns[number] for number in wider], room, _TIGHT):
                parts[-1] = wider
            else:
                parts.append([*range(first), column])
    return Group(*(_table({column: columns[column] for column in part}, room, numbers) for part in parts))


def _table(columns: Mapping[int, Sequence[Cell]], room: int, numbers: Container[int]) -> Table:
    """Lay out columns by number, of which each begins with its label, as one table."""
    from rich import box
    from rich.table import Table

    cells, whole = list(columns.values()), [column in numbers for column in columns]
    spaces = next((between for between in (_BETWEEN, _TIGHT) if _widths(cells, room, between)), _TIGHT)
    widths: Sequence[int | None] = (
        _widths(cells, room, spaces) or _widths(cells, room, spaces, whole) or [None] * len(cells)
    )
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, padding=(0, spaces // 2))
    for (label, *_), wanted, is_number in zip(cells, widths, whole, strict=True):
        table.add_column(label, justify="right" if is_number else "left", overflow="fold", width=wanted)
    for _, *line in [*zip(range(len(cells[0])), *cells, strict=True)][1:]:
        table.add_row(*line)
    return table


def words_fit(labels: Sequence[str], lines: Sequence[Sequence[Cell]], room: int) -> bool:
    """Whether a table of these cells fits in `room` characters without breaking a word."""
    return _widths(list(zip(labels, *lines, strict=True)), room) is not None


def _widths(
    columns: Sequence[Sequence[Cell]], room: int, between: int = _BETWEEN, whole: Sequence[bool] = ()
) -> list[int] | None:
    """Column widths that break no word, or None if the words do not fit in `room` characters.

    With `whole`, words are only kept in the columns for which it is True. The widest columns shrink first, as far
    as their longest words allow.
    """
    texts = [[visible(str(cell)) for cell in column] for column in columns]
    least = [max(width(word) for cell in column for word in (cell.split() or [""])) for column in texts]
    if whole:
        least = [longest if kept else 1 for longest, kept in zip(least, whole, strict=True)]
    widths = [max(width(part) for cell in column for part in (cell.split("\n"))) for column in texts]
    left = room - _EDGES - between * (len(columns) - 1)
    if sum(least) > left:
        return None
    while sum(widths) > left:
        widest = max((width, column) for column, width in enumerate(widths) if width > least[column])[1]
        widths[widest] -= 1
    return widths


# ----------------------------------------------------------------------------------------------------
# Answers as text and tables for a person, on a terminal.


def show_found(
    console: Console, position: BaseModel, answer: Analysis | Hint, *, full: bool = False, cut: bool = False
) -> None:
    """Print a position, its answer in sentences, and the moves, best first.

    With `full`, every move and every figure is shown. `cut` is True if Ctrl-C ended the search.
    """
    from solver.registry import game_of

    game = game_of(position)
    title = one_after_another(filter(None, [translated(game.title), answer.variant]))
    show_rows(console, [(say("Game"), title), *game.describe(position)])
    console.print()
    show_parts(console, answer.parts(full=full, cut=cut))


def show_parts(console: Console, parts: Sequence[Part], numbers: Sequence[str] = ()) -> None:
    """Print labelled lines and tables. If given, `numbers` replace the first column of the first part's table."""
    for index, part in enumerate(parts):
        if index:
            console.print()
        show_rows(console, part.rows)
        if part.table is not None:
            lines = part.table.lines
            if numbers and not index:
                lines = [[number, *line[1:]] for number, line in zip(numbers, lines, strict=False)]
            console.print(laid_out(part.table.labels, lines, console.width, numbers=part.table.numbers))
        if part.below:
            console.print(say("{more} (--full shows all)", more=part.below))


def show_rows(console: Console, rows: Sequence[tuple[str, str]]) -> None:
    """Print labelled lines, with the texts aligned."""
    from rich.table import Table
    from rich.text import Text

    grid = Table.grid(padding=(0, 2))
    grid.add_column(no_wrap=True)
    grid.add_column(overflow="fold")
    for label, text in rows:
        grid.add_row(Text(label, style="bold"), text)
    console.print(grid)


def show_moves(console: Console, moves: Sequence[tuple[int, str]]) -> None:
    """Print numbered moves in columns."""
    from rich.columns import Columns
    from rich.text import Text

    console.print(Columns([Text(f"{number}: {move}") for number, move in moves], padding=(0, 3)))


def show_fields(console: Console, answer: Answer) -> None:
    """Print the fields of an answer that has no moves, such as a score."""
    from solver.answer_tables import fields_of

    show_rows(console, fields_of(answer))
