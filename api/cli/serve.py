"""`athanor serve`: the JSON API and its pages."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from contextlib import AbstractContextManager

    from api.http.searches import Run
    from api.starting.readiness import Readiness


@click.command()
@click.option("--host", default="127.0.0.1", show_default=True, help="The address to listen on.")
@click.option("--port", type=click.IntRange(0, 65535), default=8000, show_default=True, help="0: any free one.")
@click.option("--open", "everyone", is_flag=True, help="Let everyone ask who reaches the address.")
def serve(host: str, port: int, everyone: bool) -> None:
    """Serve the page and the JSON API, until Ctrl-C or SIGTERM.

    At an address that other machines reach, clients need a token of ATHANOR_TOKENS_FILE, or --open is said.
    """
    from api.cli.asking.places import service_name

    name = service_name()  # first of all, so that it is the name of the sources that are imported
    from api import logs
    from api.server import serve as run

    logs.begin()
    run(host, port, everyone=everyone, beside=lambda readiness, run_search: _desk(name, readiness, run_search))


def _desk(name: str | None, readiness: Readiness, run_search: Run) -> AbstractContextManager[None]:
    """Where commands are answered; imported when the port is open."""
    from api.cli.asking.desk import opened

    return opened(name, lambda game: readiness.of(game).ready, run_search)
