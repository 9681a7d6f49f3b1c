"""The questions of `athanor batch` and `athanor jobs submit`: files of one a line, made into units."""

from __future__ import annotations

import itertools
import json
from collections.abc import Callable, Iterator, Sequence
from typing import Any, TypeVar

import click

from api.cli.terminal.failures import CommandFailure, about
from api.cli.terminal.options import SEED, nodes_option, seconds_option

F = TypeVar("F", bound=Callable[..., Any])

_OPTIONS = {
    "analyze": ("model", "player", "seconds", "nodes"),
    "hint": ("worlds", "seed", "seconds", "nodes"),
    "solve": ("seconds", "nodes"),
    "deal": ("seed", "deals"),
    "survey": ("seed", "deals"),
}
KINDS = tuple(_OPTIONS)


def question_options() -> Callable[[F], F]:
    """The arguments KIND and FILE…, and the options of the questions."""
    options = (
        click.argument("kind", type=click.Choice(KINDS)),
        click.argument("file", nargs=-1, required=True),
        click.option("--model", help="How the others are taken to play, in games that ask."),
        click.option("--player", type=click.IntRange(0), help="Whose value is asked for."),
        click.option("--worlds", type=click.IntRange(0), metavar="N", help="How many layouts a hint tries."),
        click.option("--seed", type=SEED, help="Of hints, deals and surveys; default: 0."),
        click.option(
            "--deals", type=click.IntRange(1), metavar="N", help="How many deals of each game or survey."
        ),
        seconds_option("Give the best so far of a question after S seconds; then two runs may differ."),
        nodes_option("Give the best so far of a question after N nodes; the same in every run."),
        click.option("--limit", type=click.IntRange(1), metavar="N", help="Ask the first N questions only."),
    )

    def add(command: F) -> F:
        for option in reversed(options):
            command = option(command)
        return command

    return add


def units_of(kind: str, files: Sequence[str], limit: int | None, options: dict[str, Any]) -> Iterator[str]:
    """The units that the files and options ask for. Raises CommandFailure that names the file and the line."""
    from athanor.jobs.questions import payloads

    for name, value in options.items():
        if value is not None and name not in _OPTIONS[kind]:
            raise click.UsageError(f"--{name} is nothing for {kind}")
    asked = _puzzles(files) if kind == "solve" else (pair for file in files for pair in _questions(kind, file))
    place = None
    for place, question in itertools.islice(asked, limit):
        with about(place):
            yield from _without_index(payloads(kind, [question], options))
    if place is None:
        raise CommandFailure("there is no question in these files")


def _without_index(units: Iterator[str]) -> Iterator[str]:
    """The units of one question; the path of an error in it is seen from the question."""
    from solver.errors import AthanorError, Fault

    try:
        yield from units
    except AthanorError as found:
        prefix = "questions[0]"
        faults = (
            Fault(fault.code, fault.message, fault.path.removeprefix(prefix).removeprefix("."))
            for fault in found.faults
        )
        raise type(found).of(faults) from None


def _questions(kind: str, file: str) -> Iterator[tuple[str, Any]]:
    """Each question of a file with its place: of a JSON text or a list of them, or of one on each line."""
    from api.cli.terminal import inputs
    from solver import inputs as solver_inputs
    from solver import registry
    from solver.errors import PositionError

    if kind == "deal" and file in registry.names():
        yield file, {"game": file}
        return
    named = file.split("/")
    if kind == "survey" and named[0] in registry.names() and 2 <= len(named) <= 3:
        yield file, dict(zip(("game", "survey", "variant"), named, strict=False))
        return
    name, content = inputs.name_of(file), inputs.read(file)
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as found:
        raise CommandFailure(f"{name}: not UTF-8: {found.reason} at byte {found.start}") from None
    if text.lstrip()[:1] in ("{", "[") and _is_json(text):
        whole = solver_inputs.loads_json(text)
        for index, question in enumerate(whole if isinstance(whole, list) else [whole]):
            yield (f"{name}: question {index + 1}" if isinstance(whole, list) else name), question
        return
    for number, line in enumerate(text.splitlines(), start=1):
        if line.strip():
            place = f"{name}: line {number}"
            try:
                yield (
                    place,
                    solver_inputs.loads_json(line) if line.lstrip()[:1] in ("{", "[", '"') else line.strip(),
                )
            except PositionError as found:
                raise CommandFailure(f"{place}: {found.message}") from None


def _is_json(text: str) -> bool:
    try:
        json.loads(text)
    except (ValueError, RecursionError):
        return False
    return True


def _puzzles(files: Sequence[str]) -> Iterator[tuple[str, Any]]:
    from api.cli.puzzle_files import load_all

    loaded = load_all(files)
    if loaded.failures:
        raise CommandFailure("\n".join(loaded.failures))
    for name, puzzle in loaded.puzzles:
        yield f"{name}: {puzzle.id}", puzzle
