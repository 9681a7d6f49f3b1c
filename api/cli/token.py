"""`athanor token`: a new token for a service that strangers reach."""

from __future__ import annotations

import click


@click.command()
@click.argument("name")
def token(name: str) -> None:
    """Make a token for the client NAME, and print its line for the file of tokens.

    The line goes to standard output and holds no secret. The token goes to standard error, and is kept nowhere.
    """
    from api.access.tokens import made

    secret, kept = made(name)
    click.echo(kept.line)
    click.echo(f"The token of {name}, which is shown only now: {secret}", err=True)
