"""Commands in processes of their own that do not import everything anew, which takes most of a small one's time.

A first process imports whatever commands may, and begins each command by a fork. Journeys begin so what they have
begun alone before, with the same options (`tests.journeys.people`).
"""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from importlib import import_module
from pathlib import Path
from pkgutil import walk_packages
from tempfile import TemporaryFile

_MOST = 1 << 20  # bytes of a request
_STREAMS = 3  # standard input, output and errors


class Starter:
    """The first process, with packages in these folders besides. It ends with the process that made it."""

    def __init__(self, paths: Sequence[Path]) -> None:
        self._ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self._environment = os.environ | {"PYTHONPATH": os.pathsep.join(map(str, paths)), "COLUMNS": "100"}
        command = [sys.executable, "-P", "-m", __name__, str(theirs.fileno())]
        with theirs:
            self._process = subprocess.Popen(
                command, env=self._environment, pass_fds=[theirs.fileno()], stdin=subprocess.DEVNULL
            )

    def run(
        self, words: Sequence[str], lines: str, folder: Path, environment: Mapping[str, str], patience: float
    ) -> subprocess.CompletedProcess[str]:
        """Run `athanor` with these words, which reads `lines`, and wait for it, at most so many seconds."""
        with ExitStack() as stack:
            given, output, errors = (stack.enter_context(TemporaryFile()) for _ in range(_STREAMS))
            given.write(lines.encode())
            given.seek(0)
            request = json.dumps([list(words), str(folder), dict(environment)]).encode()
            socket.send_fds(self._ours, [request], [given.fileno(), output.fileno(), errors.fileno()])
            self._ours.settimeout(patience)
            code = int(self._ours.recv(_MOST))
            output.seek(0)
            errors.seek(0)
            return subprocess.CompletedProcess(words, code, output.read().decode(), errors.read().decode())

    def stop(self) -> None:
        self._ours.close()
        self._process.wait()


def _serve(asked: socket.socket) -> list[str] | None:
    """Fork for each request; return its words in the process that is to run them, and None when nobody asks."""
    while True:
        request, streams, _, _ = socket.recv_fds(asked, _MOST, _STREAMS)
        if not request:
            return None
        process = os.fork()
        if process == 0:
            for number, stream in enumerate(streams):
                os.dup2(stream, number)
        for stream in streams:
            os.close(stream)
        if process == 0:
            asked.close()
            words, folder, environment = json.loads(request)
            os.environ.clear()
            os.environ.update(environment)
            os.chdir(folder)
            return list(words)
        _, status = os.waitpid(process, 0)
        asked.send(str(os.waitstatus_to_exitcode(status)).encode())


if __name__ == "__main__":
    for package in ("api.cli", "puzzles", "solver"):
        for module in walk_packages(import_module(package).__path__, f"{package}."):
            import_module(module.name)
    from api.cli.main import main
    from solver import registry

    for name in registry.names():
        registry.game(name)
    found = _serve(socket.socket(fileno=int(sys.argv[1])))
    if found is not None:
        sys.argv[1:] = found
        main()
