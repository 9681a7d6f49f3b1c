"""The commands `athanor serve`, for the page and the JSON API, and `athanor token`, for remote clients."""

from __future__ import annotations

import os
import sys

import click

from api.cli.terminal import Whole
from solver.language import say


@click.command()
@click.option("--host", show_default="127.0.0.1", help="The address to listen on.")
@click.option(
    "--port",
    type=Whole(0, 65535),
    default=8000,
    show_default=True,
    help=("The port to listen on; 0: any free one."),
)
@click.option("--open", "everyone", is_flag=True, help="Serve everyone who can reach the address, without tokens.")
@click.option("--phone", is_flag=True, help="Serve the local network with a new token, and show a QR code.")
def serve(host: str | None, port: int, everyone: bool, phone: bool) -> None:
    """Serve the page and the JSON API, until Ctrl-C or SIGTERM.

    If other machines can reach the address, clients need a token from ATHANOR_TOKENS_FILE, unless you add --open.
    """
    # Every process of the service would otherwise start one more thread for each core, which nothing uses.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

    from api import logs
    from api.server import serve as run
    from api.server import serve_phone

    if phone and everyone:
        raise click.UsageError(
            say("--phone needs a token, and --open allows everyone without one: use only one of them")
        )
    logs.begin()
    if serve_phone(host, port) if phone else run(host or "127.0.0.1", port, everyone=everyone):
        sys.stdout.flush()
        os._exit(0)


# ----------------------------------------------------------------------------------------------------
# `athanor token`: a new token for a public service.


_COUNT = Whole(0, 999_999_999)


@click.command()
@click.argument("name")
@click.option("--requests", type=_COUNT, metavar="N", help="N requests a minute; 0: no limit.")
@click.option("--searches", type=_COUNT, metavar="N", help="N simultaneous searches.")
def token(name: str, requests: int | None, searches: int | None) -> None:
    """Make a token for the client NAME, and print its line for the file of tokens.

    Without options, the limits of the service apply. The line goes to standard output and is not secret.
    The token goes to standard error, and is not saved.
    """
    from api.tokens import Limits, made

    secret, kept = made(name, Limits(requests, searches))
    click.echo(kept.line)
    click.echo(say("The token of {name}, which is shown only now: {token}", name=name, token=secret), err=True)
