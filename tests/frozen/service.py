"""Asking the product by its public ways in, and an answer without what time decides.

Nothing else here knows where a thing of the product lives: the application is found in `application`, the command
by the script of pyproject.toml, and Python's interface is the package `athanor`.
"""

from __future__ import annotations

import importlib
import io
import json
import os
import re
import sys
import tempfile
import tomllib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from importlib import metadata
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]

# No limit of time may end a search; the tables of searches and the width of the terminal are the same everywhere.
ENVIRONMENT = {
    "ATHANOR_DEFAULT_SECONDS": "3600",
    "ATHANOR_HINT_SECONDS": "3600",
    "ATHANOR_MAX_SECONDS": "3600",
    "ATHANOR_MEMORY_MB": "1024",
    "ATHANOR_TABLE_MB": "64",
    "COLUMNS": "100",
    "LANG": "C.UTF-8",
    "LC_ALL": "C.UTF-8",
    "NO_COLOR": "1",
    "TERM": "dumb",
}
_FOLDERS = ("ATHANOR_DECKS", "XDG_RUNTIME_DIR", "XDG_CONFIG_HOME", "XDG_STATE_HOME", "XDG_DATA_HOME")

# What time or chance decides, wherever it stands in an answer.
_DROPPED = frozenset({"seconds", "deals_per_second", "request_id", "version"})
# Of a game in progress, what it says or leaves out as an equal one did that was sent before and is remembered.
_UNSAID = {"seat": 0, "number": 0, "saved": "athanor play"}
_SEARCHED = re.compile(r"([\d,]+) nodes in [\d.,]+ m?s")
_JSON = "application/json"


@dataclass(frozen=True, slots=True)
class Request:
    """One question. Of HTTP it has `method`, `path`, `headers` and `body`; of the command `args` and `body` as its
    standard input; of Python a function of `athanor` in `path`, and its arguments as JSON in `body`."""

    kind: str
    method: str
    path: str = ""
    headers: tuple[tuple[str, str], ...] = ()
    body: bytes = b""
    args: tuple[str, ...] = ()

    @property
    def shown(self) -> str:
        """The request for people, to be asked again."""
        body = self.body.decode("utf-8", "backslashreplace")
        if self.method == "CLI":
            return f"athanor {' '.join(map(repr, self.args))}" + (f" <<< {body}" if body else "")
        headers = "".join(f" {name}: {value};" for name, value in self.headers)
        return f"{self.method} {self.path}{headers} {body}"


@dataclass(frozen=True, slots=True)
class Answer:
    """What came back, without what time decides; `nodes` are all counts of nodes in it, in order."""

    text: str
    nodes: str


def settle() -> Path:
    """Set the environment for this process, with folders of its own. Called once, before the product is imported.

    Returns the folder in which commands run.
    """
    folder = Path(tempfile.mkdtemp(prefix="athanor-frozen-"))
    for name in [name for name in os.environ if name.startswith("ATHANOR_")]:
        del os.environ[name]
    os.environ.update(ENVIRONMENT)
    for name in _FOLDERS:
        os.environ[name] = str(folder / name.lower())
        Path(os.environ[name]).mkdir()
    os.environ["ATHANOR_JOBS"] = str(folder / "jobs.sqlite")
    os.environ["ATHANOR_THREADS"] = str(max(64, 8 * (os.cpu_count() or 1)))
    every = metadata.entry_points  # games of other packages may be installed, too: no answer depends on them
    vars(metadata)["entry_points"] = lambda **asked: () if asked == {"group": "athanor.games"} else every(**asked)
    work = folder / "work"
    work.mkdir()
    return work


@cache
def application() -> Any:
    """A test client of the service. This is the one place that knows where `create_app` is."""
    app = importlib.import_module("api.app").create_app()
    return app.test_client()


@cache
def command() -> Callable[[], None]:
    """The command `athanor`."""
    scripts = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["scripts"]
    module, _, name = scripts["athanor"].partition(":")
    found: Callable[[], None] = getattr(importlib.import_module(module), name)
    return found


def ask(request: Request, folder: Path) -> Answer:
    """The answer to a request; commands run in `folder`, an empty one of this process."""
    if request.method == "CLI":
        return _commanded(request, folder)
    if request.method == "PYTHON":
        return _called(request)
    return _sent(request)


def _sent(request: Request) -> Answer:
    path, _, query = request.path.partition("?")
    found = application().open(
        path, method=request.method, query_string=query, headers=list(request.headers), data=request.body
    )
    kind = str(found.mimetype)
    text = found.get_data().decode("utf-8", "backslashreplace")
    found.close()
    head = f"{found.status_code} {kind}"
    if text and (kind == _JSON or kind.endswith("ndjson")):  # what answers HEAD has no text
        lines, nodes = _canonical(text.splitlines() if kind.endswith("ndjson") else [text])
        return Answer("\n".join([head, *lines]), nodes)
    return Answer(f"{head}\n{text}", "")


def _called(request: Request) -> Answer:
    athanor = importlib.import_module("athanor")
    args, keywords = json.loads(request.body)
    try:
        found = getattr(athanor, request.path)(*args, **keywords)
    except athanor.AthanorError as error:
        return Answer(f"{error.code} | {error.path} | {error.message}", "")
    text = found.to_json() if hasattr(found, "to_json") else str(found)
    lines, nodes = _canonical([text]) if text.startswith("{") else ([text], "")
    return Answer("\n".join(lines), nodes)


def _commanded(request: Request, folder: Path) -> Answer:
    for path in folder.iterdir():
        path.unlink()
    out, err = (io.TextIOWrapper(io.BytesIO(), "utf-8", write_through=True) for _ in range(2))
    with _streams(request, out, err), _inside(folder):
        try:
            command()()
            code: Any = 0
        except SystemExit as found:
            code = found.code or 0
    parts = [f"exit {code}"]
    counts: list[str] = []
    written = [("stdout", _bytes(out)), ("stderr", _bytes(err))]
    written += [(path.name, path.read_bytes()) for path in sorted(folder.iterdir())]
    for name, content in written:
        text = (
            content.decode("utf-8", "backslashreplace")
            .replace(str(folder.parent), "FOLDER")
            .replace(str(ROOT), "ROOT")
        )
        lines = text.splitlines()
        if lines and all(line.startswith("{") for line in lines):
            lines, nodes = _canonical(lines, ordered=True)
        else:
            lines, nodes = _untimed(text)
        parts += [f"-- {name}", *lines]
        counts.append(nodes)
    return Answer("\n".join(parts), " ".join(filter(None, counts)))


@contextmanager
def _streams(request: Request, out: io.TextIOWrapper, err: io.TextIOWrapper) -> Iterator[None]:
    kept = sys.argv, sys.stdin, sys.stdout, sys.stderr
    sys.argv = ["athanor", *(one.replace("{ROOT}", str(ROOT)) for one in request.args)]
    sys.stdin = io.TextIOWrapper(io.BytesIO(request.body), "utf-8")
    sys.stdout, sys.stderr = out, err
    try:
        yield
    finally:
        sys.argv, sys.stdin, sys.stdout, sys.stderr = kept


@contextmanager
def _inside(folder: Path) -> Iterator[None]:
    before = Path.cwd()
    os.chdir(folder)
    try:
        yield
    finally:
        os.chdir(before)


def _bytes(stream: io.TextIOWrapper) -> bytes:
    stream.flush()
    buffer = stream.buffer
    assert isinstance(buffer, io.BytesIO)
    return buffer.getvalue()


def _canonical(lines: list[str], *, ordered: bool = False) -> tuple[list[str], str]:
    """Lines of JSON with numbers exactly as they are sent, and without progress; and their nodes.

    Keys and the lines of a stream come in no certain order, unless they are `ordered`, as printed ones are.
    """
    found = []
    for line in lines:
        nodes: list[str] = []
        data = json.loads(line, parse_float=lambda text: f"\x00{text}\x00")
        if isinstance(data, dict) and "progress" in data:
            continue
        data = _timeless(data, nodes)
        if isinstance(data, dict) and isinstance(data.get("match"), dict) and not ordered:
            data["match"] = {key: value for key, value in data["match"].items() if _UNSAID.get(key) != value}
        text = json.dumps(data, ensure_ascii=False, sort_keys=not ordered)
        found.append((re.sub(r'"\\u0000([^"\\]*)\\u0000"', r"\1", text), " ".join(nodes)))
    if not ordered:
        found.sort()
    return [text for text, _ in found], " ".join(nodes for _, nodes in found if nodes)


def _timeless(data: Any, nodes: list[str]) -> Any:
    if isinstance(data, list):
        return [_timeless(value, nodes) for value in data]
    if not isinstance(data, dict):
        return data
    found = {}
    of_its_own = {"created", "id"} if "created" in data else set()  # a job's
    for key, value in data.items():
        if key in of_its_own:
            continue
        told = not isinstance(value, dict | list)  # and no schema of the document
        if key == "nodes" and told:
            nodes.append(str(value))
        elif not (told and key in _DROPPED):
            found[key] = _timeless(value, nodes)
    return found


def _untimed(text: str) -> tuple[list[str], str]:
    """Printed lines without times and counts of nodes; blanks and rules are as wide as those make them."""
    nodes = [found[1] for found in _SEARCHED.finditer(text)]
    text = _SEARCHED.sub("N nodes", text)
    text = re.sub(r"\b[\d,]+\.\d+ s\b|[\d,]+ deals/s", "T", text)
    lines = [re.sub(r"─+", "─", re.sub(r" {2,}", "  ", line.rstrip())) for line in text.splitlines()]
    timed = any(line.endswith("  seconds") for line in lines)  # the table of puzzles, whose last column they are
    lines = [re.sub(r"  \d+\.\d{3}$", "  T", line) if timed else line for line in lines]
    return lines, " ".join(nodes)
