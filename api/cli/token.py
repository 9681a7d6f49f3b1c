"""`athanor token`: a new token for a service that strangers reach."""

from __future__ import annotations

import click

_COUNT = click.IntRange(0, 999_999_999)


@click.command()
@click.argument("name")
@click.option("--requests", type=_COUNT, metavar="N", help="N requests a minute; 0: as many as it likes.")
@click.option("--searches", type=_COUNT, metavar="N", help="N searches at once.")
@click.option("--cpu", type=_COUNT, metavar="S", help="S seconds of processor time a minute.")
def token(name: str, requests: int | None, searches: int | None, cpu: int | None) -> None:
    """Make a token for the client NAME, and print its line for the file of tokens.

    Where no limits are named, those of the service hold. The line goes to standard output and holds no secret.
    The token goes to standard error, and is kept nowhere.
    """
    from api.tokens import Limits, made

    secret, kept = made(name, Limits(requests, searches, cpu))
    click.echo(kept.line)
    click.echo(f"The token of {name}, which is shown only now: {secret}", err=True)
