"""People at a terminal: they type commands, in a folder and with a home of their own."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from urllib.error import HTTPError
from urllib.request import urlopen

from api.cli.main import COMMANDS
from tests.journeys.starting import Starter
from tests.journeys.table import REFUSED
from tests.support import paper

COMMAND = Path(sys.executable).with_name("athanor")
_PATIENCE = 900  # seconds for a command, on however busy a machine
# Limits of a service: the page asks for a second for each hint.
BRIEFLY = {"ATHANOR_HINT_SECONDS": "0.05", "ATHANOR_DEFAULT_SECONDS": "0.1", "ATHANOR_MAX_SECONDS": "0.1"}
_started: set[frozenset[str]] = set()  # commands with their options


def _alone(
    words: Sequence[str], lines: str, folder: Path, environment: Mapping[str, str], patience: float
) -> subprocess.CompletedProcess[str]:
    """As `Starter.run`, in a process that imports what the command needs, and nothing else."""
    return subprocess.run(
        [str(COMMAND), *words],
        input=lines,
        capture_output=True,
        text=True,
        cwd=folder,
        env=environment,
        timeout=patience,
        check=False,
    )


class Person:
    """Somebody who walks along a path, in a folder of their own; `paths` has packages that they installed.

    The first time that a command is given with some options, it starts as it does for everybody; after that it is
    begun by `starter`, with whatever game. Who only serves needs none.
    """

    def __init__(self, folder: Path, paths: Sequence[Path], starter: Starter | None = None) -> None:
        self.folder = folder
        self._starter = starter
        home = folder / "home"
        (home / "decks").mkdir(parents=True)
        self.environment = os.environ | {
            "PYTHONPATH": os.pathsep.join(map(str, paths)),
            "XDG_CONFIG_HOME": str(home / "config"),
            "XDG_STATE_HOME": str(home / "state"),
            "ATHANOR_JOBS": str(home / "jobs.sqlite"),
            "ATHANOR_DECKS": str(home / "decks"),
            "COLUMNS": "100",
        }

    def types(self, *words: object, lines: str = "", code: int = 0) -> subprocess.CompletedProcess[str]:
        """Run a command that reads `lines`, and ends with this exit code."""
        assert self._starter is not None
        typed = [*map(str, words)]
        kind = frozenset(word for word in typed if word in COMMANDS or word.startswith("--"))
        start = self._starter.run if kind in _started else _alone
        _started.add(kind)
        done = start(typed, lines, self.folder, self.environment, _PATIENCE)
        assert done.returncode == code, (words, done.returncode, done.stdout[-2000:], done.stderr[-2000:])
        return done

    def gets(self, *words: object, lines: str = "") -> str:
        """What a command prints, which has nothing to complain of."""
        done = self.types(*words, lines=lines)
        assert "rror" not in done.stderr, done.stderr
        return done.stdout

    def wants(self, step: str, row: object, *words: object, lines: str = "") -> str | None:
        """What a command prints; None where the table says that it refuses, which it then does in these words."""
        refusal = REFUSED[step].get(str(row))
        if refusal is None:
            return self.gets(*words, lines=lines)
        done = self.types(*words, lines=lines, code=0 if refusal.endswith(".") else 2)
        assert refusal in done.stderr, done.stderr
        return None

    def prints(self, name: str, lang: str) -> str:
        """Solve a file of puzzles, and print it where this can be: a book, with every card of it on paper."""
        pdf = ["--pdf", "book.pdf"] if paper.can_print() else []
        solved = self.gets("--lang", lang, "solve", name, "--html", "book.html", *pdf)
        assert lang != "en" or "1 confirmed" in solved
        book = (self.folder / "book.html").read_text(encoding="utf-8")
        cards = paper.cards_in(book)
        assert any(cards)
        assert not pdf or paper.cards_on_paper(self.folder / "book.pdf") == cards
        return book

    def keeps(self, name: str, content: str) -> Path:
        """Write a file into the folder."""
        path = self.folder / name
        path.write_text(content, encoding="utf-8")
        return path


@contextmanager
def serving(person: Person, before: Sequence[str] = (), **environment: str) -> Iterator[str]:
    """A service that a person has started, ready for questions: its address. It ends without an error.

    `before` are words of a command that runs it under limits.
    """
    command = [*before, str(COMMAND), "serve", "--port", "0"]
    env = person.environment | environment
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=person.folder, env=env) as process:
        try:
            assert process.stdout is not None
            address = re.search(r"http://\S+/", process.stdout.readline())
            assert address is not None
            for _ in range(_PATIENCE * 10):
                with suppress(HTTPError), urlopen(f"{address[0]}readyz"):
                    break
                time.sleep(0.1)
            yield address[0]
            process.terminate()
            assert process.wait(_PATIENCE) == 0
        finally:
            process.kill()
