"""`athanor convert`: positions, records and games as JSON and as text."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from api.cli.terminal.console import echo
from api.cli.terminal.failures import about
from api.cli.terminal.options import file_argument

if TYPE_CHECKING:
    from athanor.sessions import Saved


@click.command()
@file_argument()
def convert(file: str) -> None:
    """JSON to text, and text to JSON.

    FILE holds a position, a view or a record, or games that `athanor play` has kept: several of these as text one
    after the other, or as JSON a line each. Each is checked by the rules.
    """
    from api.cli.terminal import inputs
    from athanor import written

    content = inputs.read(file)
    with about(inputs.name_of(file)):
        if written.is_written(content):
            for game in written.loads(content):
                echo(_json(_checked(game).model_dump(mode="json", exclude_none=True)))
        elif b'"saved"' in content:
            echo(written.dumps(map(_checked, _kept(content))), nl=False)
        else:
            echo(_converted(content))


def _converted(content: bytes) -> str:
    """A position or record as text, or as JSON if it was text."""
    from athanor.reading import data_of
    from solver.notation.lines import is_line
    from solver.positions import parse_position, parse_record, position_data, text_of

    data = data_of(content)
    recorded = isinstance(data, dict) and bool(data.keys() & {"rounds", "moves", "points"})
    found = (parse_record if recorded else parse_position)(data)
    if is_line(content.decode("utf-8-sig", "replace")):
        return _json(position_data(found))
    return text_of(found)


def _kept(content: bytes) -> list[Saved]:
    """The games of a JSON text, or of a text with one on each line."""
    from athanor.sessions import read

    lines = [line for line in content.splitlines() if line.strip()]
    if all(line.lstrip().startswith(b'{"') and line.rstrip().endswith(b"}") for line in lines):
        return [read(line) for line in lines]
    return [read(content)]


def _checked(game: Saved) -> Saved:
    """A game, once its moves have been made by the rules."""
    from athanor.sessions import Session

    return Session(game).saved


def _json(data: dict[str, Any]) -> str:
    import json

    return json.dumps(data, ensure_ascii=False)
