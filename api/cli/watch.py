"""The command `athanor watch`: a companion at a real table. The player enters a hand, then every move played."""

from __future__ import annotations

import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

import athanor
from api.cli.play import LATEST, File, Table, about_saved, free_path, games_folder, read_saved, tell_disputed
from api.cli.terminal import (
    INTERRUPTED,
    CommandFailure,
    echo,
    game_argument,
    leaves,
    read_line,
    seconds_option,
    show_rows,
)
from solver.errors import AthanorError, MoveError, PositionError
from solver.game import ANYWAY
from solver.language import say, say_many
from solver.rounds_in_play import playing_of
from solver.texts import plain

if TYPE_CHECKING:
    from athanor.sessions import Saved, Session

_SECONDS = 1.0
_LINES = 8  # of the table


@click.command()
@game_argument(required=False)
@click.argument("start", nargs=-1)
@seconds_option(f"The time for a hint; default {_SECONDS:g}.", least=0.05, most=60)
@click.option("--save", metavar="FILE", help="Where to save the game; default: in your state folder.")
@click.option(
    "--resume",
    metavar="[FILE]",
    is_flag=False,
    flag_value=LATEST,
    help="Continue the game saved there (no GAME is needed); without FILE, the latest one.",
)
@click.pass_context
def watch(
    ctx: click.Context,
    /,
    game: str | None,
    start: tuple[str, ...],
    seconds: float | None,
    save: str | None,
    resume: str | None,
) -> None:
    """A companion at a real table: enter your hand once, then what is played, and get hints at your turns.

    START is what you know at the start, such as seat=2 leader=0 hand=D6,S1,…; you are asked for what is missing.
    Then type cards and moves in the order of play, several in a line if you like: D6 S3 ST. Every entry is saved
    immediately; help lists the commands.
    """
    if resume is not None:
        companion = _resumed(game, resume, seconds)
    elif game is not None:
        now = time.strftime("%Y%m%d-%H%M%S")
        path = Path(save) if save else free_path(_folder() / f"{game}-{now}.json")
        companion = _new(game, " ".join(start), seconds, File(path, named=save is not None))
    else:
        raise click.MissingParameter(ctx=ctx, param=ctx.command.params[0])
    try:
        companion.run()
    except (KeyboardInterrupt, click.Abort):
        companion.leave()
        ctx.exit(INTERRUPTED)


def _folder() -> Path:
    return games_folder() / "watch"


def _new(game: str, start: str, seconds: float | None, file: File) -> Companion:
    from athanor.sessions import Saved, Session
    from solver.registry import game as named

    if file.path.exists():
        raise CommandFailure(say("{path} already exists; --resume {path} continues it", path=file.path))
    tell_disputed(named(game), start, "rules={}")
    line = _start_of(game, start)
    if line is None:
        raise click.exceptions.Exit
    return Companion(Session(Saved(game=game, seed=0, seconds=seconds or _SECONDS, dealt=(line,))), file)


def _resumed(game: str | None, resume: str, seconds: float | None) -> Companion:
    from athanor.sessions import Session

    path, saved = read_saved(game, seconds, resume, _folder())
    with about_saved(path, resume):
        if not saved.dealt or game not in (None, saved.game):
            raise CommandFailure(say("{path}: this is not a game recorded with athanor watch", path=path))
        return Companion(Session(saved), File(path, named=resume != LATEST))


# ----------------------------------------------------------------------------------------------------
# The start of a round: missing keys are asked for, one at a time.


_QUESTIONS = {
    "seat": lambda: say("Your seat (seats count clockwise from 0; any player may be 0)"),
    "players": lambda: say("How many players"),
    "leader": lambda: say("Which seat leads the first trick"),
    "turn": lambda: say("Which seat is the dealer and leads first"),
    "hand": lambda: say("Your hand, cards separated by blanks"),
    "removed": lambda: say("Which cards are removed face up (- for none)"),
    "line": lambda: say("The cards of the line"),
    "opponent_hand": lambda: say("The other player's card"),
    "variant": lambda: say("Which variant: solo, alternative or duel"),
}


def _start_of(game: str, given: str) -> str | None:
    """Return the line of text that starts a round; None if the player leaves.

    Asks for missing keys, and again for those that are wrong.
    """
    from solver.codec import Line, parsed
    from solver.positions import parse_position
    from solver.registry import game as named

    line = parsed(f"{game} {given}") if "=" in plain(given) else Line(game, given.split())
    words = named(game).notation.with_whole_keys(line.pairs)
    if line.words:
        words["variant"] = " ".join(line.words)
    watched = named(game).watched
    players = words.get("players", "")
    impossible = named(game).players_fault(int(players)) if players.isdecimal() else None
    if impossible is not None:
        raise CommandFailure(impossible.message)
    if "variant" not in words:
        variant = _asked(game, "variant") if len(watched) > 1 else next(iter(watched))
        if variant is None:
            return None
        words["variant"] = variant
    words = {**named(game).watched_from.get(words["variant"], {}), **words}
    keys = [key for key in watched.get(words["variant"], ()) if key not in words]
    while True:
        for key in keys:
            answer = _asked(game, key)
            if answer is None:
                return None
            words[key] = answer
        rest = " ".join(f"{key}={value}" for key, value in words.items() if key != "variant" and value != "-")
        start = " ".join(filter(None, (game, words["variant"], rest)))
        try:
            if playing_of(named(game)).start(parse_position(start)).seat is None:
                raise PositionError("conflict", say("this is not what one player sees at the start of a round"))
            return start
        except AthanorError as error:
            echo(str(error))
            keys = [key for key in words if any(fault.path.split("[")[0] == key for fault in error.faults)] or [
                "hand"
            ]


_CARDS = frozenset({"hand", "opponent_hand", "line", "removed"})


def _asked(game: str, key: str) -> str | None:
    """Ask for a key's value; None if the player leaves."""
    from solver.registry import game as named

    text = _QUESTIONS[key]() if key in _QUESTIONS else key
    answer: str | None = ""
    while not answer:
        answer = read_line(f"{text}: ")
        if answer is None or leaves(answer):
            names = named(game).notation.names({})
            if not (answer and key in _CARDS and names.has(names.card(answer))):
                return None
    return ",".join(answer.split())


# ----------------------------------------------------------------------------------------------------
# The companion: shows the table, takes what is seen, gives hints at the player's turns.


class Companion(Table):
    """A round played at a real table, entered by one of the players."""

    command = "athanor watch"

    def __init__(self, session: Session, file: File) -> None:
        super().__init__(session, file)
        self._commands = {
            "hint": self._hint,
            "why": self._why,
            "moves": self._moves,
            "list": self._list,
            "show": self._show,
            "help": self._help,
        }
        self._counted = {"undo": self._undo, "review": self._review}

    def run(self) -> None:
        """Read entries until the player leaves."""
        self._save()
        shown = -1
        while True:
            if self._session.over:
                if not self._ended():
                    return
                continue
            self._note()
            own = self._session.round.to_move == self._session.seat
            if shown != self._session.count:
                shown = self._session.count
                if own:
                    self._console.print()
                    self._show()
                    self._hint()
            round_: Any = self._session.round
            seat = say("you") if own else say("seat {seat}", seat=self._session.round.to_move)
            if round_.asked and round_.next_seat is None:
                self._console.print(round_.asked)
                seat = "?"
            line = self._read(seat)
            if line is None or (leaves(line) and not self._is_card(line)):
                self.leave()
                return
            self._enter(line)

    def _is_card(self, line: str) -> bool:
        """Whether what usually is to leave is a card that can be entered here, such as a queen."""
        try:
            self._session.round.play(self._session.move_of(line))
        except AthanorError:
            return False
        return True

    def _enter(self, line: str) -> None:
        word, *rest = line.split() or [""]
        if word.lower() == "fix" and len(rest) > 1 and rest[0].isdecimal():
            self._fix(int(rest[0][:6]), " ".join(rest[1:]))
        elif word.lower() == "fix":
            self._console.print(say("fix needs the number of an entry and what it was, as in fix 7 D4"))
        elif not self._commanded(line or "show"):
            self._take(line)

    def _hint(self) -> None:
        try:
            super()._hint()
        except AthanorError as error:
            self._console.print(str(error))

    def _take(self, line: str) -> None:
        """Record the entries in a line; if one is impossible, the entries before it are kept."""
        from athanor.sessions import moves_of

        for text in moves_of(line):
            try:
                self._session.play(self._session.move_of(text))
            except MoveError as error:
                self._console.print(say("{fault} (help lists the commands)", fault=error))
                if not self._played_anyway(text):
                    return
            self._save()
            if self._session.over:
                return

    def _played_anyway(self, text: str) -> bool:
        """Ask whether a refused move was played all the same, if it can have been; if so, record it."""
        move = self._session.move_of(f"{text} {ANYWAY}")
        try:
            self._session.round.play(move)
        except MoveError:
            return False
        self._console.print(say("Was {move} played all the same? y, or Enter for no", move=text))
        if (self._read("?") or "").lower() not in ("y", "yes", "はい"):
            return False
        self._session.play(move)
        return True

    def _entries(self) -> list[str]:
        return list(self._session.moves_of(self._session.number))

    def _list(self) -> None:
        """Show every entry of the round with its number."""
        rows = [(str(number), text) for number, text in enumerate(self._entries(), 1)]
        show_rows(self._console, rows or [("", say("Nothing was entered yet."))])

    def _undo(self, times: int) -> None:
        entries = self._entries()
        back = min(times, len(entries))
        self._again(entries[: len(entries) - back])
        self._console.print(say_many("{count} entry taken back.", "{count} entries taken back.", back))

    def _fix(self, number: int, text: str) -> None:
        """Replace an entry. If this or a later entry is then impossible, print which, and change nothing."""
        entries = self._entries()
        if not 1 <= number <= len(entries):
            self._console.print(say("There is no entry {number}; list shows them.", number=number))
            return
        entries[number - 1] = text
        try:
            self._again(entries)
        except AthanorError as error:
            index = error.path.rpartition("[")[2].rstrip("]")
            which = str(int(index) + 1) if index.isdecimal() else "?"
            self._console.print(say("Entry {number}: {fault}", number=which, fault=error.message))

    def _again(self, entries: list[str]) -> None:
        """Replay the round with these entries and save it. Raises AthanorError for an impossible entry."""
        from athanor.sessions import Session

        saved: Saved = self._session.saved
        moves = (*saved.moves[:-1], tuple(entries))
        self._session = Session(saved.model_copy(update={"moves": moves}))
        self._save()

    def _show(self) -> None:
        show_rows(self._console, self._session.round.rows()[-_LINES:])

    def _moves(self) -> None:
        """Print the moves that the seat to move could make, as far as the player knows."""
        position: Any = self._session.round.seen(self._session.seat)
        moves = athanor.possible_moves(position)
        self._console.print("  ".join(moves), soft_wrap=True)

    def _help(self) -> None:
        show_rows(
            self._console,
            [
                (say("cards, moves"), say("what is played, in order; several in a line: D6 S3 ST")),
                *(
                    [("1:5+2=7", say("the match of the opponent, who was first"))]
                    if self._session.round.late
                    else []
                ),
                ("?", say("a card or a move that you did not see; you are asked what you can still see of it")),
                ("hint", say("the best moves at your turn, and why")),
                ("undo", say("take the last entry back; undo 3: the last three")),
                ("list", say("all entries of the round, numbered")),
                ("fix 7 D4", say("entry 7 was D4")),
                ("moves", say("what the seat to move could play")),
                ("show", say("the table again")),
                ("review", say("what each move of a finished round gave away")),
                ("quit, q", say("leave; the game is saved, and you can continue it later")),
            ],
        )

    def _ended(self) -> bool:
        """Show the end of a round, and ask what to do next. Returns whether the game goes on."""
        self._console.print("\n" + say("Round {number} is over.", number=self._session.number + 1))
        show_rows(self._console, self._session.round.rows())
        outcome = self._session.outcome()
        if outcome is not None:
            self._console.print(outcome)
        self._console.print(say("review, undo, next (another round), or Enter to leave."))
        while True:
            line = (self._read() or "").lower()
            word, *rest = line.split() or [""]
            if word in ("review", "undo"):
                self._counted_command(word, rest[0] if rest else "")
                if word == "undo":
                    return True
            elif word == "next":
                return self._next()
            else:
                self._save()
                if self._file is not None:
                    self._console.print(say("Kept in {path}", path=self._file.path), soft_wrap=True)
                return False

    def _next(self) -> bool:
        """Begin another round; return False if the player leaves instead."""
        from athanor.endings import end_of
        from athanor.sessions import Session

        saved = self._session.saved
        before = saved.dealt or ()
        table = [word for word in before[-1].split() if word.startswith(("rules=", "deck="))]
        known = end_of(self._session).next_round or {}
        match = {key for keys in self._session.game.watched_from.values() for key in keys}
        table += [f"{key}={','.join(map(str, known[key]))}" for key in match if key in known]
        line = _start_of(saved.game, " ".join(table))
        if line is None:
            return False
        dealt = (*before, line)
        moves = (*saved.moves, ())
        self._session = Session(saved.model_copy(update={"dealt": dealt, "moves": moves}))
        self._save()
        return True
