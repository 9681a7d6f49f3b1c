"""The command `athanor`: its subcommands, and how every failure becomes one message and an exit code."""

from __future__ import annotations

import errno
import os
import sys
from contextlib import suppress
from typing import Any

import click

from api.cli import compound, convert, decks, games, play, questions, review, serve, solve, tables, train
from api.cli.terminal.failures import FAILED, INTERRUPTED, PIPE_CLOSED, failure_of


class _Group(click.Group):
    def list_commands(self, ctx: click.Context) -> list[str]:
        """The commands that are here, and those that games bring."""
        from api.cli.surveys import surveys

        return sorted({*super().list_commands(ctx), *surveys()})

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:
        found = super().get_command(ctx, name)
        if found is None:
            from api.cli.surveys import command_of, surveys

            survey = surveys().get(name)
            found = command_of(survey) if survey is not None else None
        return found

    def invoke(self, ctx: click.Context) -> Any:
        """Run a subcommand.

        Exit codes: 0; 1 when a stated solution is not confirmed; 2 for every failure; 130 after Ctrl-C; 141
        when nobody reads the output any more.
        """
        try:
            result = super().invoke(ctx)
            sys.stdout.flush()
            return result
        except (click.ClickException, click.exceptions.Exit):
            raise
        except (KeyboardInterrupt, click.Abort):
            click.echo("\ninterrupted", err=True)
            ctx.exit(INTERRUPTED)
        except Exception as found:
            if isinstance(found, OSError) and found.errno == errno.EPIPE:
                _silence()
                ctx.exit(PIPE_CLOSED)
            if isinstance(found, OSError) and found.filename is None:
                _silence()  # what could not be printed will not be printed later
            raise failure_of(found) from found


def _silence() -> None:
    """Let the interpreter's last flush of stdout go nowhere, not fail again."""
    with suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _version(ctx: click.Context, param: click.Parameter, wanted: bool) -> None:
    if wanted:
        from api.version import VERSION

        click.echo(f"athanor {VERSION}")
        ctx.exit()


@click.group(cls=_Group, context_settings={"help_option_names": ["-h", "--help"]})
@click.option(
    "--version", is_flag=True, is_eager=True, expose_value=False, callback=_version, help="Show the version."
)
def cli() -> None:
    """Solver and puzzle assistant for card games.

    FILE is a file with a position as text or in JSON, - for standard input, or the text itself.
    """


for _command in (
    solve.solve,
    questions.analyze,
    questions.hint,
    compound.compound,
    convert.convert,
    games.deal,
    games.score,
    games.rules,
    tables.moves,
    tables.after,
    tables.view,
    train.train,
    play.play,
    review.review,
    decks.decks,
    serve.serve,
):
    cli.add_command(_command)


def main() -> None:
    """The entry point of the command."""
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:  # it is closed: nobody wants to read it
            setattr(sys, name, os.fdopen(os.open(os.devnull, os.O_WRONLY), "w", encoding="utf-8"))
    for stream in (sys.stdout, sys.stderr):
        # A terminal that lacks a character gets an escape, not a failure.
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")
    try:
        cli(prog_name="athanor")
    except OSError as found:  # of what is printed before a subcommand begins, such as help
        failure_of(found).show()
        _silence()
        sys.exit(FAILED)
