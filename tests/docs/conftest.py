"""A copy of what the pages refer to, and a service that answers their `curl`."""

from __future__ import annotations

import shutil
import threading
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path

import platformdirs
import pytest
from werkzeug.serving import BaseWSGIServer, make_server

import athanor
from api.app import create_app
from tests.docs.pages import ROOT

_COPIED = ["docs/examples", "puzzles", "examples"]
_COLUMNS = "100"  # how wide the pages' tables are


@pytest.fixture(scope="session")
def service() -> Iterator[Callable[[], str]]:
    """The address of a service that is started when it is first asked for."""
    started: list[BaseWSGIServer] = []

    @cache
    def address() -> str:
        _load()
        server = make_server("127.0.0.1", 0, create_app(), threaded=True)
        started.append(server)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        return f"http://127.0.0.1:{server.port}"

    yield address
    for server in started:
        server.shutdown()
        server.server_close()


def _load() -> None:
    """Load the kernels that the requests need, as `athanor serve` does: a limit of time is for searching."""
    athanor.game("alchemy").warm()
    athanor.compound({"game": "king", "deck": "house", "cards": ["F1"]})


@pytest.fixture
def checkout(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The current folder of a page's commands. The pages say to run them at the root of a checkout."""
    folder = tmp_path / "athanor"
    folder.mkdir()
    for name in _COPIED:
        shutil.copytree(ROOT / name, folder / name)
    monkeypatch.chdir(folder)
    monkeypatch.setenv("COLUMNS", _COLUMNS)
    monkeypatch.setenv("ATHANOR_DECKS", str(tmp_path / "decks"))
    monkeypatch.setenv("ATHANOR_JOBS", str(tmp_path / "jobs.sqlite"))
    state = tmp_path / "state"
    monkeypatch.setattr(platformdirs, "user_state_path", lambda name, *_, **__: state / name)
    return folder
