"""`athanor train`: the collection's puzzles, asked one after the other with the answers hidden."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from api.cli.terminal.answers import show_moves, show_rows
from api.cli.terminal.console import echo, output
from api.cli.terminal.failures import about, reason_of
from api.cli.terminal.options import game_choice
from solver.common import counted

if TYPE_CHECKING:
    from puzzles.format import Puzzle
    from puzzles.training import Progress

_GRADES = ("easy", "medium", "hard", "expert")
_OTHERS = {
    "paranoid": ", if the others all play against it",
    "ally": ", if the others all help it",
    "maxn": ", if every seat plays for itself",
}
_JUDGED = "The other hands are hidden: right is what long hints judge best, or as good."
_HELP = "Type a move or its number; hint (twice: fewer moves), show (the solution), skip, quit."


@click.command()
@click.option("--game", type=game_choice(), help="Only puzzles of this game.")
@click.option("--grade", type=click.Choice(_GRADES), help="Only puzzles of this grade.")
@click.option("--again", is_flag=True, help="Ask also puzzles that you have solved.")
@click.option("--progress", "told", is_flag=True, help="Only tell how many are solved.")
def train(game: str | None, grade: str | None, again: bool, told: bool) -> None:
    """Try the puzzles of the collection with the answers hidden.

    Any move that is as good as the best one is right. What you have solved is kept in your state folder.
    """
    from puzzles import training

    path = _path()
    with about(str(path)):
        progress = training.read(path)
    puzzles = training.chosen(game=game, grade=grade)
    _tell(puzzles, progress)
    if told:
        return
    for puzzle in puzzles:
        if progress.of(puzzle).solved and not again:
            continue
        progress, goes_on = _ask(puzzle, progress, path)
        if not goes_on:
            break
    _tell(puzzles, progress)


def _path() -> Path:
    from platformdirs import user_state_path

    return user_state_path("athanor", appauthor=False) / "train.json"


def _tell(puzzles: list[Puzzle], progress: Progress) -> None:
    solved = sum(progress.of(puzzle).solved for puzzle in puzzles)
    echo(f"{solved} of {counted(len(puzzles), 'puzzle')} solved")


def _ask(puzzle: Puzzle, progress: Progress, path: Path) -> tuple[Progress, bool]:
    """Ask one puzzle until it is solved, shown or skipped; the record, and whether to go on."""
    from puzzles import training

    game, position, solution = puzzle.game, puzzle.position, puzzle.solution
    assert solution is not None
    moves = [game.format_move(position, move) for move in game.legal_moves(position)]
    console = output()
    echo(f"\n{puzzle.id}: {puzzle.title}" + (f" ({puzzle.grade})" if puzzle.grade else ""))
    show_rows(console, [("Game", game.title), *game.describe(position)])
    console.print(_question(puzzle))
    _list(moves, moves)
    if puzzle.judged:
        console.print(_JUDGED)
    console.print(_HELP)
    hints = 0
    while True:
        word = _read()
        if word is None or word.lower() == "quit":
            return progress, False
        if word.lower() in ("?", "help"):
            console.print(_HELP)
            continue
        if word.lower() == "skip":
            return progress, True
        if word.lower() == "show":
            echo(f"Best: {' or '.join(solution.best or ())}")
            return _kept(path, progress.after(puzzle, hints=1)), True
        if word.lower() == "hint":
            hints += 1
            progress = _kept(path, progress.after(puzzle, hints=1))
            if hints == 1 and (puzzle.note or solution.value is not None):
                worth = "" if solution.value is None else f"The position is worth {solution.value}."
                console.print(" ".join(filter(None, [puzzle.note, worth])))
            else:
                _list(training.fewer(puzzle, moves), moves)
            continue
        move = _move(puzzle, word, moves)
        if move is None:
            continue
        right = training.is_best(puzzle, move)
        progress = _kept(path, progress.after(puzzle, tries=1, solved=right is True))
        if right:
            echo(f"Right: {move}.")
            return progress, True
        echo(f"Not proved to be best: {move}." if right is None else f"{move} is not the best move.")


def _question(puzzle: Puzzle) -> str:
    seat = getattr(puzzle.position, "seat_to_move", None)
    if seat is None or not (puzzle.model or puzzle.judged):
        return "Which move is best?"
    return f"Which move is best for seat {seat}{_OTHERS.get(puzzle.model or '', '')}?"


def _move(puzzle: Puzzle, word: str, moves: list[str]) -> str | None:
    """The legal move that is meant; None, and it is told, where none is."""
    from solver.errors import MoveError

    if word.isascii() and word.isdecimal() and 1 <= int(word[:9]) <= len(moves):
        return moves[int(word[:9]) - 1]
    cases = {move.casefold(): move for move in moves}
    try:
        found = puzzle.game.parse_move(puzzle.position, cases.get(word.casefold(), word))
    except MoveError as error:
        output().print(f"{error}. {_HELP}")
        return None
    text: str = puzzle.game.format_move(puzzle.position, found)
    return text


def _list(shown: list[str], moves: list[str]) -> None:
    show_moves(output(), [(number, move) for number, move in enumerate(moves, 1) if move in shown])


def _read() -> str | None:
    try:
        return input("> ").strip()
    except EOFError:
        return None


def _kept(path: Path, progress: Progress) -> Progress:
    """The record, written; where it cannot be, it is told and training goes on."""
    from puzzles import training

    try:
        training.write(path, progress)
    except OSError as found:
        echo(f"cannot write {path}: {reason_of(found)}", err=True)
    return progress
