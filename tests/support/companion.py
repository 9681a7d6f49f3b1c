"""`athanor watch` as a process of its own, at a terminal: what it prints, and what a person types in answer."""

from __future__ import annotations

import os
import re
import select
import subprocess
import sys
import time
from pathlib import Path
from typing import Self

_PATIENCE = 120  # seconds; kernels may have to be loaded first


class Companion:
    """The command `athanor` with these words, at a terminal of 200 columns whose state is kept in a folder."""

    def __init__(self, folder: Path, *words: str, lang: str = "en") -> None:
        self._terminal, end = os.openpty()
        self.text = ""  # all that it has printed
        self._read = 0  # how much of that was expected
        env = {**os.environ, "XDG_STATE_HOME": str(folder), "COLUMNS": "200", "TERM": "dumb", "LANG": "C.UTF-8"}
        command = [sys.executable, "-m", "api.cli", "--lang", lang, *words]
        self._process = subprocess.Popen(command, stdin=end, stdout=end, stderr=end, env=env)
        os.close(end)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._process.kill()
        self._process.wait()
        os.close(self._terminal)

    def shows(self, pattern: str) -> re.Match[str]:
        """Wait until something is printed, after what was expected before."""
        until = time.monotonic() + _PATIENCE
        while not (found := re.compile(pattern).search(self.text, self._read)):
            ready, _, _ = select.select([self._terminal], [], [], max(0.0, until - time.monotonic()))
            assert ready, f"{pattern!r} is not printed: {self.text[self._read :]!r}"
            try:
                self.text += os.read(self._terminal, 65536).decode(errors="replace").replace("\r\n", "\n")
            except OSError:  # the process has ended
                raise AssertionError(f"{pattern!r} was never printed: {self.text[self._read :]!r}") from None
        self._read = found.end()
        return found

    def types(self, *lines: str) -> None:
        """Type lines, each after the prompt that asks for it."""
        for line in lines:
            self.shows(r"(?m)(> |: )$")
            os.write(self._terminal, (line + "\n").encode())

    def ends(self) -> int:
        """Wait for the end of the process and return its exit code."""
        try:
            while data := os.read(self._terminal, 65536):
                self.text += data.decode(errors="replace").replace("\r\n", "\n")
        except OSError:
            pass
        return self._process.wait(timeout=_PATIENCE)
