"""The command `athanor`: its subcommands, and a message and an exit code for every failure."""

from __future__ import annotations

import errno
import gettext
import os
import re
import signal
import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from importlib import import_module
from inspect import cleandoc
from itertools import pairwise
from types import FrameType
from typing import Any

import click

from api import garbage
from api.cli.terminal import FAILED, INTERRUPTED, PIPE_CLOSED, Commands, ending, failure_of
from solver.common import width
from solver.language import CATALOGS, LANGUAGES, accepted, named, say, translated, use

# Each command: its module, and its line in the list, which is shown without loading the module.
GROUPS: dict[str, dict[str, tuple[str, str]]] = {
    "Play": {
        "play": ("play", "Play in the terminal against players that use the hint."),
        "hint": ("questions", "The best move for a player who does not see every card."),
        "watch": ("watch", "A companion at a real table: enter your hand once, then what is played."),
        "review": ("positions", "Where a game was won or lost, with luck and mistakes separated."),
        "rules": ("positions", "The rules and rulings in force."),
        "score": ("positions", "The score of a finished round, or of a match."),
    },
    "Ask": {
        "analyze": ("questions", "The exact value of a position with every card known."),
        "compound": ("questions", "The recipes that make the most of a set of won cards."),
        "moves": ("positions", "The legal moves, and who is to move."),
        "after": ("positions", "The position or view after moves."),
        "view": ("positions", "What one player sees of a position."),
        "deal": ("positions", "A fresh deal, as a position."),
        "convert": ("positions", "JSON to text, and text to JSON."),
        "decks": ("decks", "List and show decks; enter a printed deck."),
    },
    "Puzzles": {
        "train": ("train", "Puzzles to solve, with explanations and a rating."),
        "solve": ("puzzles", "Solve puzzle files, and check their solutions."),
        "generate": ("puzzles", "New puzzles with proved solutions."),
    },
    "Many": {
        "batch": ("jobs", "Many positions, puzzles or deals on all cores."),
        "jobs": ("jobs", "Long work: submit it, follow it, keep the results."),
        "survey": ("surveys", "Combine the results of a survey over many deals."),
    },
    "Serve": {
        "serve": ("serve", "Serve the page and the JSON API."),
        "token": ("serve", "A token for a service that others can reach."),
    },
}
COMMANDS = {name: entry for commands in GROUPS.values() for name, entry in commands.items()}
_SURVEYS = "Many"  # the heading under which games' surveys are listed


_LANGUAGE = "The language of the output; by default that of LANG."


class _Language(click.Choice[str]):
    """A language, also by a tag such as ja-JP."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        return super().convert(named(value) or value, param, ctx)


def _language_option() -> click.Option:
    return click.Option(
        ["--lang"],
        type=_Language(LANGUAGES),
        expose_value=False,
        help=_LANGUAGE,
    )


def _spoken(command: click.Command) -> click.Command:
    """Translate the help of a command and its subcommands, and add `--lang` to them; returns the command."""
    if not any(param.name == "lang" for param in command.params):
        command.params.append(_language_option())
    for thing in (command, *command.params):
        if isinstance(thing, click.Command | click.Option) and thing.help:
            english = vars(thing).setdefault("english", cleandoc(thing.help))
            thing.help = translated(english)
    if isinstance(command, click.Group):
        for inner in command.commands.values():
            _spoken(inner)
    return command


def _use(name: str) -> None:
    """Set the language of this process and of click, which uses the standard library's gettext."""
    use(name)
    os.environ["LANGUAGE"] = name
    gettext.bindtextdomain("athanor", CATALOGS)
    gettext.textdomain("athanor")


# Characters of one or two columns, with the marks that may not begin or end a line; words; blanks.
_PARTS = re.compile(r"[（「『]*(?:[!-~]+|[^\s!-~（「『])[、。，．）」』：；？！ー]*|\s+")


def _broken(text: str, columns: int) -> str:
    """Wrap Japanese text to this many terminal columns, for click; preformatted text is unchanged."""
    paragraphs = []
    for paragraph in text.split("\n\n"):
        if paragraph.lstrip().startswith("\b"):
            paragraphs.append(paragraph)
            continue
        lines = [""]
        for part in _PARTS.findall(paragraph):
            if part.isspace():  # a line break between Japanese words stands for no blank
                if lines[-1] and ("\n" not in part or lines[-1][-1].isascii()):
                    lines[-1] += " "
                continue
            if width(lines[-1] + part) > columns:
                lines.append("")
            lines[-1] += part
        paragraphs.append("\n".join(["\b", *map(str.rstrip, lines)]))
    return "\n\n".join(paragraphs)


def _is_wide(text: str) -> bool:
    return any(width(line) > len(line) for line in text.splitlines())


_PLACEHOLDER = re.compile(r"\b[A-Z]{2,}\b")


def _placeholders(usage: str) -> str:
    """Translate what stands for arguments in a line on usage: FILE, MOVE."""
    return _PLACEHOLDER.sub(lambda word: translated(word[0]), usage)


class _Formatter(click.HelpFormatter):
    """Wraps Japanese help to the width of the terminal; click itself counts characters, not columns."""

    def write_usage(self, prog: str, args: str = "", prefix: str | None = None) -> None:
        super().write_usage(prog, _placeholders(args), prefix)

    def write_text(self, text: str) -> None:
        super().write_text(_broken(text, self.width - self.current_indent) if _is_wide(text) else text)

    def write_dl(self, rows: Iterable[tuple[str, str]], col_max: int = 30, col_spacing: int = 2) -> None:
        rows = list(rows)
        columns = self.width - min(max(len(term) for term, _ in rows), col_max) - col_spacing - 2
        definitions = [(term, _broken(text, columns) if _is_wide(text) else text) for term, text in rows]
        super().write_dl(definitions, col_max, col_spacing)


click.Context.formatter_class = _Formatter


# What programs make of the two hyphens of an option, as in a command that was copied from a document.
_DASHES = re.compile(r"^(?=-?[^-])[-\u2010-\u2015\u2212\u30fc]{1,2}(?=[a-z]{2})")


class _Group(Commands):
    """The built-in commands and the games' surveys, each imported only when it is run."""

    def main(self, args: Sequence[str] | None = None, *rest: Any, **more: Any) -> Any:
        """Run a command line in the language of `--lang`, which may also follow a subcommand's name."""
        words = list(sys.argv[1:] if args is None else args)
        for word, after in pairwise([*words, ""]):
            option, equals, tag = word.partition("=")
            name = named(tag if equals else after) if option == "--lang" else None
            if name:
                _use(name)
        _spoken(self)
        return super().main([_DASHES.sub("--", word) for word in words], *rest, **more)

    def list_commands(self, ctx: click.Context) -> list[str]:
        from api.cli.surveys import surveys

        return sorted({*COMMANDS, *surveys()})

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:
        if name in COMMANDS:
            module, _ = COMMANDS[name]
            command: click.Command = getattr(import_module(f"api.cli.{module}"), name)
        else:
            from api.cli.surveys import command_of, surveys

            survey = surveys().get(name)
            if survey is None:
                return None
            command = command_of(survey)
        return _spoken(command)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        from api.cli.surveys import surveys

        own = {name: survey.help for name, survey in surveys().items()}
        for title, commands in GROUPS.items():
            lines = {name: line for name, (_, line) in commands.items()}
            if title == _SURVEYS:
                lines |= own
            with formatter.section(translated(title)):
                formatter.write_dl([(name, translated(line)) for name, line in lines.items()])

    def invoke(self, ctx: click.Context) -> Any:
        """Run a subcommand.

        Exit codes: 0; 1 if a stated solution is not confirmed; 2 for every failure; 130 after Ctrl-C; 141 if
        nobody reads the output any more.
        """
        try:
            with _interruptible():
                result = super().invoke(ctx)
                sys.stdout.flush()
                return result
        except (click.ClickException, click.exceptions.Exit):
            raise
        except (KeyboardInterrupt, click.Abort):
            click.echo("\n" + say("interrupted"), err=True)
            ctx.exit(INTERRUPTED)
        except Exception as error:
            if isinstance(error, OSError) and error.errno == errno.EPIPE:
                _silence()
                ctx.exit(PIPE_CLOSED)
            if isinstance(error, OSError) and error.filename is None:
                _silence()  # so that Python does not try to print the rest at exit
            raise failure_of(error) from error


@contextmanager
def _interruptible() -> Iterator[None]:
    """Let Ctrl-C raise KeyboardInterrupt in the with block, if it ends the process at once before and after it.

    SIGTERM and a closed terminal end the program in order, so that no temporary folder stays.

    What is interrupted may make another error of it, as pydantic does while it builds a model.
    """
    came = False

    def interrupt(signum: int, frame: FrameType | None) -> None:
        nonlocal came
        came = True
        raise KeyboardInterrupt

    ended: list[int] = []

    def end(signum: int, frame: FrameType | None) -> None:
        ended.append(signum)
        sys.exit(128 + signum)

    before = signal.getsignal(signal.SIGINT)
    if before is signal.SIG_DFL:
        signal.signal(signal.SIGINT, interrupt)
    try:
        with ending(end):
            yield
    except (click.ClickException, click.exceptions.Exit):
        raise
    except Exception as error:
        if came:
            raise KeyboardInterrupt from error
        if ended:
            sys.exit(128 + ended[0])
        raise
    finally:
        if before is signal.SIG_DFL:
            signal.signal(signal.SIGINT, before)


def _silence() -> None:
    """Redirect stdout to the null device, so that the interpreter's flush at exit does not fail too."""
    with suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _version(ctx: click.Context, param: click.Parameter, wanted: bool) -> None:
    if wanted:
        from api.config import VERSION

        click.echo(f"athanor {VERSION}")
        ctx.exit()


@click.group(cls=_Group, params=[_language_option()], context_settings={"help_option_names": ["-h", "--help"]})
@click.option(
    "--version", is_flag=True, is_eager=True, expose_value=False, callback=_version, help="Show the version."
)
def cli() -> None:
    """Solver and puzzle assistant for card games.

    FILE is a file with a position as text or in JSON, - for standard input, or the text itself.
    """


def main() -> None:
    garbage.keep_loading()
    _use(accepted(next(filter(None, map(os.environ.get, ("LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG"))), "")))
    os.environ.setdefault("PYDANTIC_DISABLE_PLUGINS", "__all__")  # searching all packages for plugins is slow
    for descriptor, (name, mode) in enumerate((("stdin", "r"), ("stdout", "w"), ("stderr", "w"))):
        if getattr(sys, name) is None:  # closed: nothing is to be read, or nobody reads
            # In its place, or the next file to be opened would be the standard input of our processes.
            os.dup2(os.open(os.devnull, os.O_RDWR), descriptor)
            os.set_inheritable(descriptor, True)
            setattr(sys, name, open(descriptor, mode, encoding="utf-8"))  # noqa: SIM115
    for stream in (sys.stdout, sys.stderr):
        # A terminal that lacks a character gets an escape, not an error.
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")
    try:
        cli(prog_name="athanor")
    except OSError as error:  # from output before a subcommand begins, such as help
        failure_of(error).show()
        _silence()
        sys.exit(FAILED)
    finally:
        garbage.loaded()  # otherwise Python scans all objects again at exit
