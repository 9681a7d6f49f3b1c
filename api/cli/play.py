"""The command `athanor play`: a game in the terminal against players that use the hint. It is saved and can be
resumed.
"""

from __future__ import annotations

import json
import shlex
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from api.cli.terminal import (
    INTERRUPTED,
    SEED,
    CommandFailure,
    Number,
    Whole,
    about,
    check_writable,
    deck_option,
    echo,
    game_argument,
    in_thread,
    jokers_option,
    leaves,
    option,
    output,
    read_deck,
    read_input,
    read_line,
    rules_option,
    searching,
    seconds_option,
    show_moves,
    show_parts,
    show_rows,
    with_jokers,
)
from athanor.asking import QUESTIONS
from athanor.reviews import Wish, review_of
from solver.common import user_folder
from solver.errors import MoveError, cannot_write
from solver.game import Game
from solver.language import say, say_many, translated

if TYPE_CHECKING:
    from athanor.sessions import Saved, Session
    from solver.answer_tables import Rows
    from solver.answers import Hint
    from solver.rounds_in_play import Round

LATEST = ""  # `--resume` without a file
_SECONDS = 0.3
_CLOCK = 20.0  # seconds to find a match, by the rulebook of Alchemy

_LEVELS = {
    "equal": lambda: say("masters, who follow the hints"),
    "club": lambda: say("journeymen, club players"),
    "beginner": lambda: say("apprentices, beginners"),
}


@click.command()
@game_argument(required=False)
@click.option("--seed", type=SEED, help="The same seed gives the same deals; default: a new one.")
@click.option("--number", type=SEED, default=0, help="Which deal of the seed to start with.")
@click.option("--players", type=Whole(1), metavar="N", help="How many players.")
@click.option("--variant", help="The variant, in games that have some.")
@deck_option
@rules_option
@jokers_option
@click.option("--seat", type=Whole(0), default=0, metavar="N", help="Where you sit; the default is 0.")
@click.option("--rounds", type=Whole(1), metavar="N", help="At most N rounds; default: a whole match.")
@click.option("--for-match", is_flag=True, help=("Hints play for the match in every round, not only in the last."))
@option(
    QUESTIONS["hint"].keywords["others"],
    "The opponents: equal, masters who follow hints (the default); club, journeymen; beginner, apprentices.",
)
@seconds_option(f"The time for each move of the others and for a hint; default {_SECONDS}.", least=0.05, most=60)
@click.option("--forced", is_flag=True, help="Ask for your move even if only one is legal.")
@click.option(
    "--clock",
    type=Number(1, 3600),
    metavar="[S]",
    is_flag=False,
    flag_value=_CLOCK,
    help=f"In a duel: find a match within S seconds ({_CLOCK:.0f} without S), or discard your card.",
)
@click.option("--save", metavar="FILE", help="Where to save the game; default: in your state folder.")
@click.option(
    "--resume",
    metavar="[FILE]",
    is_flag=False,
    flag_value=LATEST,
    help="Continue the game saved there (no GAME is needed); without FILE, the one played last.",
)
@click.pass_context
def play(
    ctx: click.Context,
    /,
    game: str | None,
    seconds: float | None,
    forced: bool,
    clock: float | None,
    resume: str | None,
    **options: Any,
) -> None:
    """Play in the terminal against players that use the hint, each from what it sees.

    Type help for the commands; hint, why, undo and quit are among them. The game is saved after every move, so
    Ctrl-C loses nothing.
    """
    if resume is not None:
        for name in options:  # fixed once a game has begun
            if ctx.get_parameter_source(name) is not click.core.ParameterSource.DEFAULT:
                option = f"--{name.replace('_', '-')}"
                raise CommandFailure(
                    say("{option} is only for new games; a continued game keeps its own setting", option=option)
                )
        session, file = _resumed(game, seconds, forced, resume)
    elif game is not None:
        session, file = _new(game, seconds, forced, options)
    else:
        raise click.MissingParameter(ctx=ctx, param=ctx.command.params[0])
    if clock is not None and session.round.late is None:
        raise CommandFailure(say("only a duel is played by the clock (--variant duel)"))
    table = Table(session, file, clock)
    try:
        table.run()
    except KeyboardInterrupt:
        table.leave()
        ctx.exit(INTERRUPTED)


def _new(game: str, seconds: float | None, forced: bool, options: dict[str, Any]) -> tuple[Session, File]:
    import secrets

    from athanor.sessions import Saved, Session

    save = options.pop("save")
    options["for_match"] = options["for_match"] or None
    options["deck"] = read_deck(game, options["deck"])
    options["rules"] = with_jokers(options["rules"], options.pop("jokers"))
    if options["seed"] is None:
        options["seed"] = secrets.randbelow(1 << 32)
    session = Session(Saved(game=game, seconds=seconds or _SECONDS, **options), forced=forced)
    if save is None:
        file = File(free_path(games_folder() / f"{game}-{options['seed']}.json"), named=False)
    else:
        if Path(save).exists():
            raise CommandFailure(
                say("{save} already exists; --resume {save} continues a game saved there", save=save)
            )
        check_writable(save)
        file = File(Path(save), named=True)
    named = {"game": translated(session.game.title), "seed": options["seed"], "seat": session.seat}
    tell_disputed(session.game, " ".join(options["rules"] or ()), "--rule {}")
    if session.round.players > 1:
        echo(say("{game}, seed {seed}; you are seat {seat}. Type a move, or help.", **named))
        if session.game.places["played_by"] is not None:
            echo(say("Opponents: {level}", level=_LEVELS[options["others"] or "equal"]()))
    else:
        echo(say("{game}, seed {seed}. Type a move, or help.", **named))
    return session, file


def tell_disputed(game: Game, chosen: str, how: str) -> None:
    """Name the options that tables should agree on, unless they are `chosen`; `how` shows how to choose one."""
    for name in game.disputed:
        if name not in chosen:
            text = translated(game.options[name])
            echo(say("Some tables play otherwise: {text} ({option}).", text=text, option=how.format(name)))


def _resumed(game: str | None, seconds: float | None, forced: bool, resume: str) -> tuple[Session, File]:
    from athanor.sessions import Session

    path, saved = read_saved(game, seconds, resume, games_folder())
    with about_saved(path, resume):
        if game not in (None, saved.game):
            raise CommandFailure(
                say("{path}: this is a game of {kept}, not of {game}", path=path, kept=saved.game, game=game)
            )
        if saved.dealt:
            raise CommandFailure(
                say(
                    "{path}: a game at a real table can be reviewed (athanor review), but not continued",
                    path=path,
                )
            )
        session = Session(saved, forced=forced)
    named = {"game": translated(session.game.title), "seed": saved.seed}
    echo(say_many("{game}, seed {seed}; {count} move so far.", "{game}, seed {seed}; {count} moves so far.",
                  session.count, **named))  # fmt: skip
    if saved.race:
        echo(say("This duel began as a race. Here nobody is hurried: you grab first in every exchange."))
    return session, File(path, named=games_folder() not in path.parents)


# ----------------------------------------------------------------------------------------------------
# The files of games in progress, and their folder.


def read_saved(game: str | None, seconds: float | None, resume: str, folder: Path) -> tuple[Path, Saved]:
    """Read the game saved in the file `resume` or, for `LATEST`, in the newest file of a folder.

    `seconds` replaces the time that it sets. Returns the file and the game. Raises CommandFailure.
    """
    from athanor.sessions import read_one

    path = latest_path(game, folder) if resume == LATEST else Path(resume)
    if path is None:
        if game is None:
            raise CommandFailure(say("there is no saved game in {folder}", folder=folder))
        raise CommandFailure(say("there is no saved game of {game} in {folder}", game=game, folder=folder))
    with about_saved(path, resume):
        saved = read_one(read_input(str(path)))
    return path, saved if seconds is None else saved.model_copy(update={"seconds": seconds})


@contextmanager
def about_saved(path: Path, resume: str) -> Iterator[None]:
    """Like `about`, for a saved game; if it was chosen as the latest, errors say how to continue another one."""
    try:
        with about(str(path)):
            yield
    except CommandFailure as error:
        if resume != LATEST:
            raise
        way = say("To continue another game, name its file (--resume FILE), or move this one away.")
        raise CommandFailure(f"{error.message}\n{way}") from None


class File:
    """The file of a saved game. A failed write does not end the game; `trouble` holds the reason."""

    def __init__(self, path: Path, *, named: bool) -> None:
        self.path = path
        self.named = named  # named by the player, so that it is kept after the game, too
        self.trouble: str | None = None

    def save(self, session: Session) -> bool:
        """Write the game atomically. If that fails, sets `trouble`, keeps the old file and returns False."""
        from puzzles.format import replacing

        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            text = json.dumps(session.saved.model_dump(mode="json", exclude_none=True), ensure_ascii=False)
            with replacing(self.path) as temporary:
                temporary.write_text(text + "\n", encoding="utf-8")
        except OSError as error:
            self.trouble = cannot_write(self.path, error)
            return False
        self.trouble = None
        return True

    def remove(self) -> None:
        """Delete the file of a finished game, ignoring errors."""
        with suppress(OSError):
            self.path.unlink(missing_ok=True)


def games_folder() -> Path:
    """The folder where games are saved if the player names no file; it may not exist yet."""
    return user_folder("state") / "play"


def free_path(path: Path) -> Path:
    """Return this path, or a similar one if there is such a file already."""
    number, stem = 1, path.stem
    while path.exists():
        number += 1
        path = path.with_name(f"{stem}-{number}{path.suffix}")
    return path


def latest_path(game: str | None, folder: Path) -> Path | None:
    """Return the most recently saved file in `folder`, of this game if one is named, or None."""
    try:
        saved = [(path.stat().st_mtime, path) for path in folder.glob(f"{game or '*'}-*.json")]
    except OSError:
        return None
    return max(saved)[1] if saved else None


# ----------------------------------------------------------------------------------------------------
# A game at the terminal: shows what the player sees, reads input, and lets hints choose for the others.


def _help_rows() -> Rows:
    return [
        (say("a move"), say("as it is listed, or its number in the list; Enter makes the only one")),
        ("moves", say("all moves that you may make, numbered")),
        ("hint", say("the best moves from what you see, and why, with their numbers in the list")),
        ("why", say("the reason of your last hint again")),
        ("undo", say("back to your last decision; undo 3: to the third last one")),
        ("redo", say("redo what undo took back, up to your next decision; redo 3: up to the third next")),
        ("cards", say("what the cards are, where a code does not say it; cards F3 W1: only these")),
        ("review", say("what each move of the last finished round gave away; review 1: of the first one")),
        ("show", say("the table again")),
        (say("help, ?"), say("this list")),
        ("quit, q", say("leave; the game is saved, and you can continue it later")),
    ]


class _TimeUpError(Exception):
    """The clock ran out before the player entered a line."""


@contextmanager
def _within(seconds: float | None) -> Iterator[None]:
    """Raise `_TimeUpError` in the with block after `seconds`, unless that is None or the system has no alarms."""
    if seconds is None or not hasattr(signal, "setitimer"):
        yield
        return

    def ring(signum: int, frame: object) -> None:
        raise _TimeUpError

    before = signal.signal(signal.SIGALRM, ring)
    signal.setitimer(signal.ITIMER_REAL, max(seconds, 0.001))
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


class Table:
    """A game with one player at the terminal; the other seats are played by hints from what each of them sees."""

    command = "athanor play"  # resumes the game

    def __init__(self, session: Session, file: File | None, clock: float | None = None) -> None:
        self._session = session
        self._file = file
        self._clock = clock  # seconds for a decision of the player
        self._until: float | None = None  # when the time for the current decision is up
        self._console = output()
        self._reason = ""  # the last hint's reason
        self._notes: list[str] = []  # about the position, as printed last
        self._ready = False
        self._commands: dict[str, Callable[[], None]] = {
            "hint": self._hint,
            "why": self._why,
            "moves": self._moves,
            "show": self._show,
            "help": self._help,
            "?": self._help,
        }
        self._counted: dict[str, Callable[[int], None]] = {
            "undo": self._undo,
            "redo": self._redo,
            "review": self._review,
        }

    def run(self) -> None:
        """Play until the game is over, or the player leaves."""
        if hasattr(sys.stdin, "reconfigure"):
            sys.stdin.reconfigure(errors="replace")  # undecodable input must be an invalid move, not a crash
        with suppress(ImportError):
            import readline  # noqa: F401 (line editing)
        if self._session.over:
            self._tell_end()
        self._save()
        asked = False
        while not self._session.over or self._goes_on():
            self._note()
            if not self._session.has_choice:
                self._decide()
                asked = False
                continue
            if not asked:
                self._console.print()
                self._show()
                asked = True
                self._until = None if self._clock is None else time.monotonic() + self._clock
            try:
                line = self._read_in_time()
            except _TimeUpError:
                asked = False
                self._give_up()
                continue
            if line is None or leaves(line):
                self.leave()
                return
            before = self._session.count
            self._obey(line)
            asked = self._session.count == before
        if self._file is not None and not self._file.named:
            self._file.remove()

    def _note(self) -> None:
        """Print what there is to know about the position, unless it has been printed already."""
        seat, table = self._session.seat, self._session.round
        seen = None if self._session.over else table.seen(seat)
        notes = [] if seen is None else list(self._session.game.notes(seen))
        for sentence in notes:
            if sentence not in self._notes:
                self._console.print(sentence)
        self._notes = notes

    def _goes_on(self) -> bool:
        """After the game, let the player review it or take moves back. Returns whether play continues."""
        self._console.print(say("Enter leaves; review shows what each move gave away, undo takes moves back."))
        while self._session.over:
            line = self._read()
            word, *rest = (line or "").lower().split() or [""]
            if word not in ("review", "undo") or len(rest) > 1:
                return False
            self._counted_command(word, rest[0] if rest else "")
        return True

    def leave(self) -> None:
        """Save the game, and print how to resume it."""
        if self._file is not None and self._file.save(self._session):
            path = shlex.quote(str(self._file.path))
            text = say("The game is saved. Continue with: {command}", command=f"{self.command} --resume {path}")
            self._console.print(f"\n{text}", soft_wrap=True)
        else:
            self._console.print("\n" + say("The game is not saved."))

    def _read(self, who: str = "") -> str | None:
        """Read a line after the prompt `who`; None at the end of the input."""
        return read_line(f"{who}> ")

    def _read_in_time(self) -> str | None:
        """Like `_read`, but raises `_TimeUpError` if the clock has run out, or runs out during the input."""
        if self._until is None:
            return self._read()
        with _within(self._until - time.monotonic()):
            line = self._read()
        if line is not None and time.monotonic() > self._until:
            raise _TimeUpError
        return line

    def _give_up(self) -> None:
        """Make the move that the rules prescribe for a player who is out of time."""
        self._console.print("\n" + say("Your {seconds} s are up.", seconds=f"{self._clock:g}"))
        move = self._session.round.late
        assert move is not None
        self._make(move)

    def _obey(self, line: str) -> None:
        if not line and (self._session.game.finding or len(self._session.round.moves()) > 1):
            line = "show"
        if self._commanded(line):
            return
        try:
            move = self._chosen(line)
        except MoveError as error:
            self._console.print(say("{fault} (help lists the commands)", fault=error))
            return
        self._make(move)

    def _commanded(self, line: str) -> bool:
        """Carry out a command; return False if the line is none."""
        word, *rest = line.split() or [""]
        word = word.lower()
        if word == "cards":
            self._cards(rest)
        elif word in self._commands and not rest:
            self._commands[word]()
        elif word in self._counted and len(rest) <= 1:
            self._counted_command(word, rest[0] if rest else "")
        else:
            return False
        return True

    def _counted_command(self, word: str, number: str) -> None:
        """Run `undo` or `redo` as many times as `number` says, or `review` the round with that number.

        Without a number, undoes or redoes once, or reviews the last finished round.
        """
        default = len(self._session.ended) if word == "review" else 1
        if number and not (number.isascii() and number.isdecimal() and int(number[:9])):
            self._console.print(say("{word} takes a number from 1 on, not {number!r}", word=word, number=number))
            return
        self._counted[word](int(number[:9]) if number else default)

    def _chosen(self, line: str) -> str:
        """Return the legal move that a line of input names: as text, by its number, or the first if it is empty.

        Raises MoveError if there is no such move.
        """
        moves = self._session.round.moves()
        if not line:
            return moves[0]
        if line.isascii() and line.isdecimal():
            number = int(line[:9])
            if not 1 <= number <= len(moves):
                raise MoveError(
                    "illegal_move",
                    say("there is no move {line}; moves are 1 to {count}", line=line, count=len(moves)),
                )
            return moves[number - 1]
        return self._session.move_of(line)

    def _make(self, move: str, *, forced: bool = False) -> None:
        """Make a move for the seat to move, and print it. `forced` marks the player's only legal move."""
        table = self._session.round
        text = table.announcement(move)
        if table.to_move != self._session.seat:
            self._console.print(say("Seat {seat}: {move}", seat=table.to_move, move=text))
        else:
            self._reason = ""
            text, drawn = move if table.secret(move) else text, table.draws(move)
            if forced:
                text = say("{move} (your only move)", move=text)
            if drawn is not None:
                text = say("{move}; you draw {card}", move=text, card=drawn)
            self._console.print(say("You: {move}", move=text))
        ended = self._session.play(move)
        self._save()
        if ended:
            self._tell_end()

    def _decide(self) -> None:
        """Make a move without asking the player: the only legal one, or another seat's choice."""
        table = self._session.round
        if table.opens:  # everybody first looks at the new cards
            self._console.print()
            show_rows(self._console, table.rows(self._session.seat))
        settled = self._session.settled
        if settled is not None:
            self._make(settled, forced=len(table.moves()) == 1)
        else:
            self._make(table.move_of(str(self._asked(table).best)))

    def _asked(self, table: Round) -> Hint:
        """Compute the hint for the seat to move. Ctrl-C ends the search and raises KeyboardInterrupt."""
        from solver.limits import Control, Limit

        cancel = threading.Event()
        seed = self._session.hint_seed
        try:
            with searching(say("thinking")) as progress:
                if not self._ready:  # the time is for thinking, not for loading kernels
                    in_thread(lambda: table.hint(Control(Limit(nodes=1), cancel)))
                    self._ready = True
                control = Control(Limit(seconds=self._session.seconds), cancel, progress)
                return in_thread(lambda: table.hint(control, seed=seed))
        except KeyboardInterrupt:
            cancel.set()
            raise

    def _hint(self) -> None:
        answer = self._asked(self._session.round)
        self._reason = f"{answer.best}: {answer.reason}"
        places = {move: str(number) for number, move in enumerate(self._session.round.moves(), 1)}
        numbers = [places.get(entry.move, "") for entry in answer.moves]
        show_parts(self._console, answer.parts(), numbers)

    def _help(self) -> None:
        show_rows(self._console, _help_rows())

    def _why(self) -> None:
        self._console.print(self._reason or say("There is no hint to explain yet: ask for one with hint."))

    def _moves(self) -> None:
        show_moves(self._console, list(enumerate(self._session.round.moves(), 1)))

    def _undo(self, times: int) -> None:
        back = 0
        while back < times and self._session.undo():
            back += 1
        if not back:
            self._console.print(say("You have decided nothing yet."))
            return
        self._reason = ""
        self._save()
        if back < times:
            self._console.print(
                say_many("Back to your first decision.", "Back to your first decision, {count} ago.", back)
            )
        else:
            self._console.print(
                say_many("Back to your last decision.", "Back by {count} of your decisions.", back)
            )

    def _redo(self, times: int) -> None:
        if self._session.undone is None:
            self._console.print(say("There is nothing to redo."))
            return
        for _ in range(times):
            first = True
            while (move := self._session.undone) is not None and (first or not self._session.has_choice):
                self._make(move)
                first = False

    def _review(self, number: int) -> None:
        """Show what each move of a finished round gave away."""
        from solver.limits import Limit

        ended = len(self._session.ended)
        if not 1 <= number <= ended:
            self._console.print(say("Round {number} is not over yet.", number=number or 1))
            return
        wish = Wish(Limit(seconds=self._session.seconds), self._session.saved.seed, round=number)
        cancel = threading.Event()
        try:
            with searching(say("reviewing")) as progress:
                review = in_thread(lambda: review_of(self._session, wish, progress, cancel))
        except KeyboardInterrupt:
            cancel.set()
            raise
        show_parts(self._console, review.parts())

    def _cards(self, named: list[str]) -> None:
        from api.cli.decks import show_cards, spoken

        rows = self._session.round.cards()
        if not rows:
            self._console.print(say("The cards' codes say everything about them."))
            return
        codes = [next(iter(row.values())) for row in rows]
        cases = {code.casefold(): code for code in codes}
        wanted = [cases.get(code.casefold(), code) for code in named]
        for code in wanted:
            if code not in codes:
                self._console.print(say("There is no card {card}.", card=code))
        chosen = [row for row, code in zip(rows, codes, strict=True) if code in wanted or not wanted]
        if chosen:
            show_cards(self._console, spoken(chosen))

    def _show(self) -> None:
        show_rows(self._console, self._session.round.rows())
        if not self._session.game.finding:
            self._moves()

    def _tell_end(self) -> None:
        """Show all cards of the finished round, and its result in sentences."""
        ended = self._session.ended
        self._console.print("\n" + say("Round {number} is over.", number=len(ended)))
        show_rows(self._console, ended[-1].rows())
        self._console.print()
        for sentence in self._session.summary():
            self._console.print(sentence)

    def _save(self) -> None:
        if self._file is None:
            return
        known = self._file.trouble is not None
        if not self._file.save(self._session) and not known:
            echo(say("{trouble}; the game goes on without being kept", trouble=self._file.trouble), err=True)
