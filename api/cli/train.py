"""The command `athanor train`: poses puzzles one after another, explains each answer, and keeps a record."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from api.cli.terminal import (
    CommandFailure,
    GameName,
    about,
    echo,
    in_thread,
    leaves,
    output,
    read_input,
    read_line,
    show_moves,
    show_rows,
    write_text,
    writing,
)
from solver.common import in_one_line, one_after_another, user_folder
from solver.errors import MoveError, cannot_write
from solver.language import say, say_many, sentences, titled, translated
from solver.rounds_in_play import playing_of

if TYPE_CHECKING:
    from puzzles.format import Puzzle
    from puzzles.judging import Verdict
    from puzzles.training import Attempt, Standing, Store, Vote

_GRADES = ("easy", "medium", "hard", "expert")
_ASKS = ("best-move", "value", "winnable", "all-matches", "compound")


@click.command()
@click.argument("path", nargs=-1)
@click.option("--game", type=GameName(), help="Only puzzles of this game.")
@click.option("--grade", type=click.Choice(_GRADES, case_sensitive=False), help="Only puzzles of this grade.")
@click.option("--ask", type=click.Choice(_ASKS, case_sensitive=False), help="Only puzzles that ask this.")
@click.option("--theme", metavar="THEME", help="Only puzzles with this theme, such as sacrifice.")
@click.option("--series", metavar="SERIES", help="Only a series that teaches one idea, such as fourth-ace.")
@click.option("--daily", is_flag=True, help="The puzzle of the day.")
@click.option("--again", is_flag=True, help="Ask also puzzles that you have solved.")
@click.option("--progress", "rating_only", is_flag=True, help="Only show your ratings, and how many are solved.")
@click.option("--export", "out", metavar="FILE", help="Write your record to a file, - for standard output.")
@click.option("--votes", metavar="FILE", help="Write which puzzles were found good, to give to others.")
@click.option("--import", "read", metavar="FILE", help="Add the record or the votes in a file to yours.")
def train(
    path: tuple[str, ...],
    daily: bool,
    again: bool,
    rating_only: bool,
    out: str | None,
    votes: str | None,
    read: str | None,
    **wanted: str | None,
) -> None:
    """Solve puzzles from the collection or from puzzle files.

    After a wrong move you see what refutes it, after a right one why it is right. Any move as good as the best one
    is right. A puzzle that you failed returns after a day, then after 3, 7 and 21; otherwise the next puzzle is
    the one nearest to your rating in its game (Glicko-2). A hint halves what solving a puzzle counts.

    After a puzzle that is new to you, you can say whether it was good. Good puzzles are asked sooner.

    Your record is kept in your state folder. The page reads and writes the same files.
    """
    from puzzles import training

    if path and (daily or any(wanted.values())):
        raise click.UsageError(
            say("--game, --grade, --ask, --theme, --series and --daily choose puzzles of the collection")
        )
    store = training.Store(_record_path())
    if read is not None:
        _import(store, read)
    if out is not None:
        _export(store, out)
    if votes is not None:
        _export(store, votes, only_votes=True)
    if not (read is out is votes is None):
        return
    if daily and wanted["ask"] is None:
        wanted["ask"] = "best-move"
    with about(str(store.path)):
        standing = None if daily else store.standing()  # the puzzle of the day is the same for everybody
    puzzles = _of_files(path) if path else _of_collection(wanted, standing)
    session = _Session(puzzles, store, again, wanted["series"])
    if daily:
        session.ask_daily()
    elif rating_only:
        session.tell()
    else:
        session.run()


def _record_path() -> Path:
    return user_folder("state") / "train.sqlite"


def _import(store: Store, path: str) -> None:
    from puzzles import training

    with about(path):
        record = training.read_record(read_input(path))
    with writing(str(store.path)):
        new, fresh = store.add(record.attempts, record.votes)
    count, votes = len(record.attempts), len(record.votes)
    if count or not votes:
        echo(say_many("{new} of {count} answer is new.", "{new} of {count} answers are new.", count, new=new))
    if votes:
        echo(say_many("{new} of {count} vote is new.", "{new} of {count} votes are new.", votes, new=fresh))


def _export(store: Store, path: str, *, only_votes: bool = False) -> None:
    from puzzles import training

    with about(str(store.path)):
        record = store.record()
    text = training.exported(record.model_copy(update={"attempts": ()}) if only_votes else record)
    if path == "-":
        echo(text, nl=False)
    else:
        write_text(path, text)


def _of_collection(wanted: dict[str, Any], standing: Standing | None) -> dict[str, Puzzle]:
    from puzzles import training
    from solver.validation import with_names

    if (theme := wanted["theme"]) is not None:
        puzzles = training.chosen(**{**wanted, "theme": None})
        themes = dict.fromkeys(key for puzzle in puzzles for key in puzzle.themes or ())
        named = {name.casefold(): key for key in themes for name in (key, translated(key))}
        if theme.casefold() not in named:
            sentence = say("no such puzzle has the theme {theme!r}", theme=theme)
            raise click.UsageError(with_names(sentence, theme, [*map(translated, themes)]))
        wanted["theme"] = named[theme.casefold()]
    return {puzzle.id: puzzle for puzzle in training.chosen(standing=standing, **wanted)}


def _of_files(paths: tuple[str, ...]) -> dict[str, Puzzle]:
    from api.cli.puzzles import load_all
    from puzzles import training

    loaded = load_all(paths)
    if loaded.failures:
        raise CommandFailure("\n".join(loaded.failures))
    puzzles = {training.OWN + puzzle.id: puzzle for _, puzzle in loaded.puzzles if training.is_asked(puzzle)}
    if not puzzles:
        raise CommandFailure(
            say("no puzzle there states its solution; athanor solve finds it, to be written there")
        )
    return puzzles


@dataclass
class _Session:
    """A training session: puzzles by name, the store of answers, and whether solved puzzles are posed again.

    The puzzles of a `series` are posed in its order, after its lesson.
    """

    puzzles: dict[str, Puzzle]
    store: Store
    again: bool
    series: str | None

    def __post_init__(self) -> None:
        self._word: str | None = None  # typed at the question for a vote, but no answer to it

    def standing(self) -> Standing:
        with about(str(self.store.path)):
            return self.store.standing()

    def tell(self) -> None:
        """Print how many puzzles are solved, and the player's rating."""
        standing = self.standing()
        known = [standing.puzzles[name] for name in self.puzzles if name in standing.puzzles]
        solved = sum(attempt.solved for attempt in known)
        echo(
            say_many(
                "{solved} of {count} puzzle solved",
                "{solved} of {count} puzzles solved",
                len(self.puzzles),
                solved=solved,
            )
        )
        if not standing.puzzles:
            return
        for game in dict.fromkeys(puzzle.game for puzzle in self.puzzles.values()):
            if (rating := standing.ratings.get(game.name)) is not None:
                words = say("{game}: rating {points:.0f} ±{error:.0f}", game=translated(game.title),
                            points=rating.points, error=1.96 * rating.deviation)  # fmt: skip
                echo(words)
        words = say("{streak} in a row, {longest} at most.", streak=standing.streak, longest=standing.longest)
        due = len(standing.due(self.puzzles, datetime.now(UTC)))
        if due:
            words = sentences(words, say_many("{count} puzzle is due now.", "{count} puzzles are due now.", due))
        echo(words)

    def run(self) -> None:
        """Pose puzzles until none is left or the player quits. Print the rating at the start and at the end."""
        from puzzles import training

        self.tell()
        if self.series is not None:
            series = training.all_series()[self.series]
            output().print(f"\n{translated(series.title)}: {translated(series.lesson)}")
        left = dict(self.puzzles)
        if left and self._next(left) is None:
            echo(say("None is to be asked now; --again asks all of them again."))
            return
        while (name := self._next(left)) is not None:
            if not self._ask(name, left.pop(name)):
                break
        self.tell()

    def _read(self) -> str | None:
        """Read what the player types, or take what was typed too early."""
        word, self._word = self._word, None
        return read_line() if word is None else word

    def _ask_vote(self, name: str) -> bool:
        """Ask whether a puzzle was good; whatever else is typed is for the next puzzle.

        Returns False if the player quits.
        """
        from puzzles import training

        echo(say("Was this a good puzzle? Type good or bad, or just Enter to go on."))
        word = read_line()
        if leaves(word):
            return False
        typed = (word or "").casefold()
        opinions = {text.casefold(): good for text, good in ((say("good"), True), (say("bad"), False))}
        good = ({"good": True, "bad": False} | opinions).get(typed)
        if good is None:
            self._word = word or None
            return True
        self._store((), [training.Vote(at=training.moment(datetime.now(UTC)), puzzle=name, good=good)])
        return True

    def _store(self, attempts: Sequence[Attempt], votes: Sequence[Vote] = ()) -> bool:
        """Add to the record, and return whether that was possible; if not, say so."""
        try:
            self.store.add(attempts, votes)
        except OSError as error:
            echo(cannot_write(self.store.path, error), err=True)
            return False
        return True

    def _next(self, left: dict[str, Puzzle]) -> str | None:
        from puzzles import training

        if self.again:
            return next(iter(left), None)
        if self.series is not None:
            known = self.standing().puzzles
            return next((name for name in left if name not in known or not known[name].solved), None)
        return training.next_puzzle(training.listed(left), self.standing(), datetime.now(UTC))

    def ask_daily(self) -> None:
        from puzzles import training

        day = date.today()  # the player's own
        if not self.puzzles:
            raise CommandFailure(say("there is no such puzzle"))
        puzzle = training.daily([*self.puzzles.values()], day)
        echo(say("The puzzle of {day}", day=day.isoformat()))
        known = self.standing().puzzles.get(puzzle.id)
        if known is not None and known.solved:
            echo(say("You have solved it."))
        self._ask(puzzle.id, puzzle)
        self.tell()

    def _ask(self, name: str, puzzle: Puzzle) -> bool:
        """Pose one puzzle until it is solved, shown or skipped. Returns False if the player quits."""
        from puzzles import training, wording

        console = output()
        asking = {"best-move": _BestMove, "all-matches": _Matches}.get(puzzle.ask, _Typed)(puzzle)
        echo(f"\n{in_one_line(puzzle.id)}" + (f" ({translated(puzzle.grade)})" if puzzle.grade else ""))
        if puzzle.ask == "compound":  # the description of the cards says what they are worth
            _show_cards(puzzle)
        else:
            show_rows(
                console, [(say("Game"), translated(puzzle.game.title)), *puzzle.game.describe(puzzle.position)]
            )
        console.print(wording.question(puzzle))
        asking.begin()
        console.print(asking.help())
        console.print(
            say("With a hint, solving it counts half; after show, or skip after a hint, it counts as wrong.")
        )
        hints, counted = 0, False
        is_new = not name.startswith(training.OWN) and name not in self.standing().puzzles

        def count(right: bool) -> None:
            nonlocal counted
            if not counted:
                counted = True
                self._keep(name, puzzle, right, helped=hints > 0)

        def leave() -> None:
            if hints:  # what was read can't be asked again
                count(False)

        while True:
            word = self._read()
            if word is None or leaves(word):
                leave()
                return False
            match word.lower():
                case "":
                    continue
                case "?" | "help":
                    console.print(asking.help())
                case "cards":
                    _show_cards(puzzle)
                case "skip":
                    leave()
                    return True
                case "show":
                    asking.show()
                    _tell_title(puzzle)
                    count(False)
                    return not is_new or self._ask_vote(name)
                case "hint":
                    hints += 1
                    asking.hint(hints)
                case _:
                    right = asking.answer(word)
                    if right:
                        _tell_title(puzzle)
                    if right is not None:
                        count(right)
                    if right:
                        return not is_new or self._ask_vote(name)

    def _keep(self, name: str, puzzle: Puzzle, right: bool, *, helped: bool) -> None:
        """Add an answer to the record, and print what it changes."""
        from puzzles import training

        game = puzzle.game
        before = self.standing().rating_in(game.name).points
        at = training.moment(datetime.now(UTC))
        rating = round(training.rating_of(puzzle).points)
        attempt = training.Attempt(
            at=at, puzzle=name, grade=puzzle.grade, rating=rating, right=right, game=game.name, helped=helped
        )
        if self._store([attempt]):
            after = self.standing().rating_in(game.name).points
            echo(say("{game}: rating {before:.0f} → {after:.0f}", game=translated(game.title),
                     before=before, after=after))  # fmt: skip


# ----------------------------------------------------------------------------------------------------
# The kinds of questions: how each is answered, and the reply to an answer.


class _Dialog:
    """Base class for the kinds of puzzles: how answers are judged, and how hints and the solution are shown."""

    def __init__(self, puzzle: Puzzle) -> None:
        self._puzzle = puzzle

    def begin(self) -> None:
        """Print what a player needs to know before answering."""

    def help(self) -> str:
        """Return instructions: how to answer, and the commands."""
        raise NotImplementedError

    def hint(self, number: int) -> None:
        """Print the hint with this number, from 1: first the puzzle's note, if it has one, then stronger hints."""
        raise NotImplementedError

    def answer(self, word: str) -> bool | None:
        """Judge an answer, and print why it is right or wrong.

        Returns whether it is right, or None if it is invalid or incomplete, or if this could not be decided.
        """
        raise NotImplementedError

    def show(self) -> None:
        from puzzles.judging import solution_in_words

        echo(say("Solution: {answer}", answer=solution_in_words(self._puzzle)))

    def _note(self, more: str = "") -> str:
        from puzzles import wording

        return sentences(*filter(None, [wording.notes(self._puzzle)[1], more]))


class _BestMove(_Dialog):
    """The question: which move is best?"""

    def __init__(self, puzzle: Puzzle) -> None:
        super().__init__(puzzle)
        game, position = puzzle.game, puzzle.position
        self._moves = [game.format_move(position, move) for move in game.legal_moves(position)]

    def begin(self) -> None:
        _list_moves(self._moves, self._moves)
        if self._puzzle.judged:
            words = say(
                "The other hands are hidden: a move is right if long hints judge it best, or just as good."
            )
            output().print(words)

    def help(self) -> str:
        return say("Type a move or its number; hint (twice: fewer moves), cards, show (the solution), skip, quit.")

    def hint(self, number: int) -> None:
        from puzzles import training

        note = self._note(self._worth())
        if number == 1 and note:
            output().print(note)
        else:
            _list_moves(training.fewer(self._puzzle, self._moves), self._moves)

    def _worth(self) -> str:
        """What the position is worth, and to whom if not to the seat to move; empty if it has no value."""
        solution, seat = self._puzzle.solution, self._puzzle.player
        if solution is None or solution.value is None:
            return ""
        if seat in (None, getattr(self._puzzle.position, "seat_to_move", None)):
            return say("The position is worth {value}.", value=solution.value)
        return say("The position is worth {value} to {seat:who}.", value=solution.value, seat=seat)

    def answer(self, word: str) -> bool | None:
        move = _move(self._puzzle, word, self._moves, self.help())
        if move is None:
            return None
        verdict = _judged(self._puzzle, move)
        echo(_verdict(verdict))
        _tell(self._puzzle, verdict)
        return verdict.correct

    def show(self) -> None:
        super().show()
        solution = self._puzzle.solution
        assert solution is not None
        _tell(self._puzzle, _judged(self._puzzle, (solution.best or ("",))[0]))


class _Matches(_Dialog):
    """The question: which matches, such as 6+7=4+9, are there? The player types them one after another."""

    def __init__(self, puzzle: Puzzle) -> None:
        super().__init__(puzzle)
        assert puzzle.solution is not None
        self._left = list(puzzle.solution.moves or ())
        self._all = len(self._left)

    def help(self) -> str:
        return say("Type one match after another, such as 6+7=4+9; hint, show (the solution), skip, quit.")

    def hint(self, number: int) -> None:
        if number == 1:
            output().print(self._note(self._found()) or say("There is no hint."))
        else:
            echo(say("One of them: {match}", match=self._left[0]))

    def answer(self, word: str) -> bool | None:
        from puzzles.judging import all_matches

        move = _move(self._puzzle, word, (), self.help())
        if move is None:
            return None
        if move not in self._left:
            echo(say("{match} was already found.", match=move))
            return None
        self._left.remove(move)
        echo(self._found())
        if self._left:
            return None
        output().print(all_matches(self._puzzle))
        return True

    def _found(self) -> str:
        return say("{found} of {all} found.", found=self._all - len(self._left), all=self._all)


class _Typed(_Dialog):
    """Questions with a typed answer: what is the value, can it be won, what are the cards worth?"""

    def help(self) -> str:
        from puzzles.judging import how_typed

        more = say("Or hint (several times), cards, show (the solution), skip, quit.")
        return sentences(how_typed(self._puzzle), more)

    def hint(self, number: int) -> None:
        from puzzles.judging import recipe_in_words

        solution = self._puzzle.solution
        recipes = (solution and solution.recipes) or ()
        note = self._note()
        if number == 1 and note:
            output().print(note)
        elif recipes:
            echo(say("One recipe: {recipe}", recipe=recipe_in_words(recipes[min(number, len(recipes)) - 1])))
        elif line := self._line():
            echo(say("Best play begins with {move}.", move=line[0]))
        else:
            echo(say("There is no hint."))

    def answer(self, word: str) -> bool | None:
        from puzzles.judging import solution_in_words

        try:
            verdict = _judged(self._puzzle, word)
        except MoveError as error:
            output().print(str(error))
            return None
        if verdict.correct:
            echo(say("Right: {answer}.", answer=solution_in_words(self._puzzle)))
        else:
            echo(say("{answer} is not right.", answer=word))
        echo(verdict.explanation)
        if verdict.line:
            _tell_line(self._puzzle.position, verdict.line)
        return verdict.correct

    def show(self) -> None:
        super().show()
        if line := self._line():
            _tell_line(self._puzzle.position, line)

    def _line(self) -> tuple[str, ...]:
        from puzzles.judging import best_line

        return in_thread(lambda: best_line(self._puzzle))


def _tell_title(puzzle: Puzzle) -> None:
    """Print a puzzle's title, themes and the author's note, which may give its answer away."""
    echo(say("Title: {title}", title=in_one_line(titled(puzzle.title))))
    if puzzle.themes:
        echo(say("Theme: {themes}", themes=one_after_another(map(translated, puzzle.themes))))
    if puzzle.note:
        output().print(translated(puzzle.note))


def _judged(puzzle: Puzzle, answer: str) -> Verdict:
    from puzzles.judging import judge

    return in_thread(lambda: judge(puzzle, answer))


def _verdict(verdict: Verdict) -> str:
    if verdict.correct:
        return say("Right: {move}.", move=verdict.answer)
    if verdict.correct is None:
        return say("Not proved to be best: {move}.", move=verdict.answer)
    return say("{move} is not the best move.", move=verdict.answer)


def _tell(puzzle: Puzzle, verdict: Verdict) -> None:
    """Print why a move is right, or what refutes it."""
    from solver.positions import parse_position

    console = output()
    echo(verdict.explanation)
    if verdict.line:
        _tell_line(puzzle.position, [verdict.answer, *verdict.line])
    if verdict.deals:
        echo(_of_deals(verdict))
    if verdict.example is not None:
        deal = parse_position(verdict.example.text)
        echo(say("One of these deals:"))
        show_rows(console, puzzle.game.describe(deal))
        _tell_line(deal, [verdict.answer, *verdict.example.line])


def _tell_line(position: Any, line: Sequence[str]) -> None:
    """Print a line of play from a position. In a game with opponents, each move has its seat in front."""
    from puzzles import wording

    seated = wording.seated(position, line)
    moves = [move if seat is None else f"{seat}:{move}" for seat, move in seated]
    show_rows(output(), [(say("Line"), "  ".join(moves))])


def _of_deals(verdict: Verdict) -> str:
    words = say_many(
        "{move} is worse than the best move in {worse} of {count} deal, better in {better}",
        "{move} is worse than the best move in {worse} of {count} deals, better in {better}",
        verdict.deals or 0,
        move=verdict.answer,
        worse=verdict.worse_deals,
        better=verdict.better_deals,
    )
    how = say("with all cards open") if verdict.cards_open else say("played out, each seeing their own cards")
    return say("{words} ({how}).", words=words, how=how)


def _show_cards(puzzle: Puzzle) -> None:
    """Print the texts on a puzzle's cards, or say that they have none."""
    from api.cli.decks import show_cards, spoken
    from solver.positions import position_data

    held = {text.partition(":")[0] for text in _texts(position_data(puzzle.position))}  # a Dancer names a suit
    deck = getattr(puzzle.position, "deck", None)
    table = playing_of(puzzle.game).opening(0, number=0, players=None, variant=None, before=(), deck=deck)
    rows = [row for row in table.cards() if next(iter(row.values())) in held]
    if rows:
        show_cards(output(), spoken(rows))
    else:
        output().print(say("The cards' codes say everything about them."))


def _texts(data: object) -> Iterator[str]:
    """Yield every string in JSON-like data."""
    if isinstance(data, str):
        yield data
    elif isinstance(data, dict | list | tuple):
        for value in data.values() if isinstance(data, dict) else data:
            yield from _texts(value)


def _move(puzzle: Puzzle, word: str, moves: Sequence[str], usage: str) -> str | None:
    """Parse a move, typed as text or as its number in `moves`. Prints an error and returns None if it is not
    legal.
    """
    if word.isascii() and word.isdecimal() and 1 <= int(word[:9]) <= len(moves):
        return moves[int(word[:9]) - 1]
    cases = {move.casefold(): move for move in moves}
    try:
        parsed = puzzle.game.parse_move(puzzle.position, cases.get(word.casefold(), word))
    except MoveError as error:
        output().print(say("{fault}. {usage}", fault=error, usage=usage))
        return None
    text: str = puzzle.game.format_move(puzzle.position, parsed)
    return text


def _list_moves(shown: list[str], moves: list[str]) -> None:
    show_moves(output(), [(number, move) for number, move in enumerate(moves, 1) if move in shown])
