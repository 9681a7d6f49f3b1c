"""`athanor serve`: the JSON API and its pages."""

from __future__ import annotations

import click


@click.command()
@click.option("--host", default="127.0.0.1", show_default=True, help="The address to listen on.")
@click.option("--port", type=click.IntRange(0, 65535), default=8000, show_default=True, help="0: any free one.")
@click.option("--open", "everyone", is_flag=True, help="Let everyone ask who reaches the address.")
def serve(host: str, port: int, everyone: bool) -> None:
    """Serve the page and the JSON API, until Ctrl-C or SIGTERM.

    At an address that other machines reach, clients need a token of ATHANOR_TOKENS_FILE, or --open is said.
    """
    from api import logs
    from api.server import serve as run

    logs.begin()
    run(host, port, everyone=everyone)
