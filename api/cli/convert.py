"""`athanor convert`: positions, records and games as JSON and as text."""

from __future__ import annotations

import click

from api.cli.terminal.console import echo
from api.cli.terminal.failures import about
from api.cli.terminal.options import file_argument


@click.command()
@file_argument()
def convert(file: str) -> None:
    """JSON to text, and text to JSON.

    FILE holds a position, a view or a record, or games that `athanor play` has kept: several of these as text one
    after the other, or as JSON a line each. Each is checked by the rules.
    """
    from api.cli.terminal import inputs
    from athanor.questions import convert as converted

    content = inputs.read(file)
    with about(inputs.name_of(file)):
        echo(converted(content))
