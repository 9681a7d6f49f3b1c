"""The commands of a page's console blocks, run one after another in one folder.

A console block has lines that begin with ``$`` and a blank, each with the output below it. `athanor` runs in this
process, so that its kernels are loaded once for all pages. `curl` asks a service that runs beside the tests, at
whatever port. Everything else is a program of the system.
"""

from __future__ import annotations

import argparse
import difflib
import os
import re
import shlex
import subprocess
import sys
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from click.testing import CliRunner

from api.cli.main import cli

LINES = "⋮"  # alone on a line of a page: any lines, or none
TEXT = "…"  # within a line of a page: any text; in JSON, of whatever lines, too
_WIDTH = 100  # of JSON on a page

# What differs from run to run: times, speeds, and the size of a search that a time limit may end.
_VARYING = [
    (re.compile(r"[\d,]+ nodes in \d+\.\d+ s\b"), "<nodes> nodes in <seconds> s"),
    (re.compile(r"\d+\.\d+ s\b"), "<seconds> s"),
    (re.compile(r"[\d,]+ deals/s"), "<speed> deals/s"),
    (re.compile(r'"(seconds|nodes)": ?[\d.e+-]+'), r'"\1": <number>'),
    (re.compile(r'"request_id": ?"[^"]*"'), '"request_id": <number>'),
    (re.compile(r"\b(confirmed|solved|refuted|unproved)\b(.*?) +\d+\.\d{3}$"), r"\1\2 <seconds>"),
]
_OTHERS = re.compile(r"^(Seat \d: ).*")  # in a game that is played: what the others chose in the time they had


def differences(shown: str, printed: str, *, played: bool = False) -> str:
    """How the output on the page differs from the command's, as a diff; empty if they agree.

    JSON may be broken into lines on the page. `played` is for a game at the terminal, in which the other players'
    choices depend on the time they have.
    """
    expected, found = _lines(shown, played), _lines(printed, played)
    if found and found[0][:1] in ("{", "["):
        agree = re.fullmatch(_json_pattern(expected), _joined(found))
    else:
        agree = re.fullmatch(_pattern(expected), "".join(f"{line}\n" for line in found))
    if agree:
        return ""
    return "\n".join(difflib.unified_diff(expected, found, "the page", "the command", lineterm=""))


def _lines(text: str, played: bool) -> list[str]:
    return [_masked(line, played) for line in trimmed(text)]


def trimmed(text: str) -> list[str]:
    """The lines of a text without trailing blanks, and without empty lines around them."""
    lines = [line.rstrip() for line in text.splitlines()]
    while lines and not lines[0]:
        del lines[0]
    while lines and not lines[-1]:
        del lines[-1]
    return lines


def shortened(lines: list[str]) -> list[str]:
    """JSON of a single line in lines of a page's width, each ended by a comma; other text as it is."""
    if len(lines) != 1 or lines[0][:1] not in ("{", "["):
        return lines
    found = [""]
    for part in re.split(r'(?<=,)(?= ?["{[])', lines[0]):
        if found[-1] and len(found[-1]) + len(part) > _WIDTH:
            found.append("")
        found[-1] += part if found[-1] else part.lstrip()
    return [line.rstrip() for line in found]


def _masked(line: str, played: bool) -> str:
    for pattern, mask in _VARYING:
        line = pattern.sub(mask, line)
    return _OTHERS.sub(r"\1<a choice>", line) if played else line


def _pattern(expected: list[str]) -> str:
    parts = []
    for line in expected:
        if line.strip() == LINES:
            parts.append(r"(?:[^\n]*\n)*?")
        else:
            parts.append(r"[^\n]*?".join(map(re.escape, line.split(TEXT))) + r"\n")
    return "".join(parts)


def _json_pattern(expected: list[str]) -> str:
    text = _joined(expected).replace(LINES, TEXT)
    return ".*?".join(map(re.escape, text.split(TEXT)))


def _joined(lines: list[str]) -> str:
    return re.sub(r"\s", "", "".join(lines))


PROMPT = "$ "
TYPED = "> "  # at the beginning of a line of output: what the player types into `athanor play`
ADDRESS = "http://127.0.0.1:8000"  # of the service, on the pages


@dataclass
class Command:
    """A command as the page has it, and the output that it shows."""

    text: str
    shown: list[str] = field(default_factory=list)

    @property
    def typed(self) -> str:
        """What the page types into the command while it runs."""
        return "".join(f"{line.removeprefix(TYPED)}\n" for line in self.shown if line.startswith(TYPED))

    @property
    def played(self) -> bool:
        """Whether this is a game at the terminal."""
        return self.text.startswith("athanor play")

    @property
    def told(self) -> bool:
        """Whether the page shows the exit code of the command before this one."""
        return self.text == "echo $?"


def commands(block: str) -> list[Command]:
    """The commands of a console block. A command goes on until its quotes are closed and no backslash ends it."""
    found: list[Command] = []
    begun: list[str] = []
    for line in block.splitlines():
        if begun or line.startswith(PROMPT):
            begun.append(line if begun else line.removeprefix(PROMPT))
            if _complete("\n".join(begun)):
                found.append(Command("\n".join(begun)))
                begun = []
        elif found:
            found[-1].shown.append(line)
        else:
            raise ValueError(f"a console block begins with a command, not with {line!r}")
    if begun:
        raise ValueError(f"this command does not end: {begun[0]}")
    return found


def _complete(text: str) -> bool:
    if text.endswith("\\"):
        return False
    try:
        shlex.split(text)
    except ValueError:
        return False
    return True


class Console:
    """Where the commands of one page run: the folder is the current one, and the variables are the process's."""

    def __init__(self, service: Callable[[], str]) -> None:
        self._service = service
        self._status = 0

    def differences(self, block: str) -> str:
        """Run a block; how what it shows differs from what was printed, empty if it does not."""
        listed = commands(block)
        found = []
        for command, following in zip(listed, [*listed[1:], None], strict=True):
            printed = self.run(command)
            differs = differences("\n".join(command.shown), printed, played=command.played)
            if differs:
                found.append(f"{PROMPT}{command.text}\n{differs}")
            elif self._status and not (following and following.told):
                found.append(f"{PROMPT}{command.text}\nexit code {self._status}, which no `echo $?` shows")
        return "\n\n".join(found)

    def renewed(self, block: str) -> str:
        """Run a block; the block with what was printed, but where it leaves something out with an ellipsis."""
        lines = []
        for command in commands(block):
            printed = self.run(command)
            shown = "\n".join(command.shown)
            cut = LINES in shown or shown.count(TEXT) > printed.count(TEXT)
            if not cut and differences(shown, printed, played=command.played):
                command.shown = shortened(trimmed(printed))
            lines += [f"{PROMPT}{command.text}", *command.shown]
        return "\n".join(lines) + "\n"

    def run(self, command: Command) -> str:
        """What a command prints, on both streams. It may have pipes, ``> FILE``, and ``NAME=value`` before it."""
        if command.told:
            status, self._status = self._status, 0
            return f"{status}\n"
        *words, target = _target(_words(command.text))
        output = command.typed.encode()
        for step in _split(words):
            variables, arguments = _variables(step)
            with _environment(variables):
                self._status, output = self._step(arguments, output, typed=command.typed)
        if target:
            Path(target).write_bytes(output)
            return ""
        return output.decode()

    def _step(self, arguments: list[str], given: bytes, *, typed: str) -> tuple[int, bytes]:
        name, *rest = arguments
        if name == "athanor":
            result = CliRunner(echo_stdin=bool(typed)).invoke(cli, rest, input=given, prog_name="athanor")
            if result.exception is not None and not isinstance(result.exception, SystemExit):
                raise result.exception
            return result.exit_code, result.output_bytes
        if name == "curl":
            return _curl(rest, self._service)
        if name == "python":
            name = sys.executable
        done = subprocess.run([name, *rest], input=given, stdout=-1, stderr=subprocess.STDOUT, check=False)
        return done.returncode, done.stdout


def _words(text: str) -> list[str]:
    lexer = shlex.shlex(text.replace("\\\n", " "), posix=True, punctuation_chars="|>")
    lexer.whitespace_split = True
    lexer.commenters = ""
    return list(lexer)


def _target(words: list[str]) -> list[str]:
    """The words with the file that the output goes to at the end; an empty text where it goes to the terminal."""
    if len(words) > 2 and words[-2] == ">":
        return [*words[:-2], words[-1]]
    return [*words, ""]


def _split(words: list[str]) -> Iterator[list[str]]:
    step: list[str] = []
    for word in words:
        if word == "|":
            yield step
            step = []
        else:
            step.append(word)
    yield step


def _variables(words: list[str]) -> tuple[dict[str, str], list[str]]:
    variables = {}
    while "=" in words[0] and words[0].split("=")[0].isidentifier():
        name, _, variables[name] = words.pop(0).partition("=")
    return variables, words


@contextmanager
def _environment(variables: dict[str, str]) -> Iterator[None]:
    before = {name: os.environ.get(name) for name in variables}
    os.environ.update(variables)
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                del os.environ[name]
            else:
                os.environ[name] = value


def _curl(arguments: list[str], service: Callable[[], str]) -> tuple[int, bytes]:
    """As much of curl as the pages use: it need not be installed."""
    parser = argparse.ArgumentParser("curl", exit_on_error=False)
    parser.add_argument("-s", "--silent", action="store_true")
    parser.add_argument("-N", "--no-buffer", action="store_true")
    parser.add_argument("-H", "--header", action="append", default=[])
    parser.add_argument("-d", "--data")
    parser.add_argument("--data-binary")
    parser.add_argument("--json")
    parser.add_argument("-w", "--write-out", default="")
    parser.add_argument("url")
    asked = parser.parse_args(arguments)
    body = next((given for given in (asked.json, asked.data, asked.data_binary) if given is not None), None)
    content = None if body is None else Path(body[1:]).read_bytes() if body.startswith("@") else body.encode()
    headers = dict(header.split(": ", 1) for header in asked.header)
    if asked.json is not None:
        headers |= {"Content-Type": "application/json", "Accept": "application/json"}
    request = urllib.request.Request(asked.url.replace(ADDRESS, service()), content, headers)
    try:
        with urllib.request.urlopen(request) as answer:
            status, found = answer.status, answer.read()
    except urllib.error.HTTPError as error:
        status, found = error.code, error.read()
    end = asked.write_out.replace("%{http_code}", str(status)).replace("\\n", "\n")
    return 0, found + end.encode()
