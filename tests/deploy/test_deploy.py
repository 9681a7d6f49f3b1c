"""What is in `deploy/` is well formed, and names only what there is: commands, options, variables, folders."""

from __future__ import annotations

import ast
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from dataclasses import fields
from pathlib import Path
from urllib.parse import urlsplit

import click
import platformdirs
import pytest

from api.access import OPEN
from api.cli.main import cli
from api.config import Config
from athanor.jobs import default_path
from athanor.jobs.settings import most_megabytes
from tests.support import places

DEPLOY = places.ROOT / "deploy"
UNIT = DEPLOY / "athanor.service"
HARDENED = {
    "DynamicUser": "yes",
    "ProtectSystem": "strict",
    "ProtectHome": "yes",
    "PrivateTmp": "yes",
    "PrivateDevices": "yes",
    "NoNewPrivileges": "yes",
    "CapabilityBoundingSet": "",
    "SystemCallFilter": "@system-service",
    "KillMode": "mixed",
}


def _unit() -> dict[str, list[str]]:
    """What the unit sets, by key."""
    found: dict[str, list[str]] = {}
    for line in UNIT.read_text(encoding="utf-8").splitlines():
        if line and not line.startswith(("#", "[")):
            key, equals, value = line.partition("=")
            assert equals, line
            found.setdefault(key, []).append(value)
    return found


def _docker() -> list[tuple[str, str]]:
    """The instructions of the Dockerfile with their arguments, in order."""
    text = (DEPLOY / "Dockerfile").read_text(encoding="utf-8").replace("\\\n", " ")
    lines = [line.partition(" ") for line in text.splitlines() if line and not line.startswith("#")]
    return [(name, rest.strip()) for name, _, rest in lines]


def _served(words: list[str]) -> dict[str, object]:
    """The options of a command line of `athanor serve`; a failure where it knows one of them not."""
    assert (Path(words[0]).name, words[1]) == ("athanor", "serve")
    command = cli.get_command(click.Context(cli), words[1])
    assert command is not None
    return command.make_context("serve", words[2:]).params


def _environment(text: list[str]) -> dict[str, str]:
    return dict(word.split("=", 1) for line in text for word in shlex.split(line))


def _check_folders(environment: dict[str, str], monkeypatch: pytest.MonkeyPatch) -> None:
    """The program keeps what it keeps in the folders that the deployment gives it."""
    for name in ("ATHANOR_JOBS", "ATHANOR_DECKS"):
        monkeypatch.delenv(name, raising=False)
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    assert platformdirs.user_cache_dir("athanor", appauthor=False) == "/var/cache/athanor"
    assert platformdirs.user_config_dir("athanor", appauthor=False) == "/etc/athanor"
    assert str(default_path()) == "/var/lib/athanor/jobs.sqlite"


def test_the_unit_is_hardened() -> None:
    unit = _unit()
    assert {key: unit.get(key) for key in HARDENED} == {key: [value] for key, value in HARDENED.items()}


def test_the_unit_names_what_there_is(monkeypatch: pytest.MonkeyPatch) -> None:
    unit = _unit()
    assert _served(shlex.split(unit["ExecStart"][0]))["host"] == "127.0.0.1"
    assert unit["CacheDirectory"] == unit["StateDirectory"] == unit["ConfigurationDirectory"] == ["athanor"]
    environment = _environment(unit["Environment"])
    known = {f"ATHANOR_{one.name.upper()}" for one in fields(Config)}
    assert {name for name in environment if name.startswith("ATHANOR_")} <= known
    _check_folders(environment, monkeypatch)


def test_the_unit_leaves_the_service_its_memory_and_its_time(monkeypatch: pytest.MonkeyPatch) -> None:
    unit = _unit()
    config = Config.from_environ(_environment(unit["Environment"]))
    most = int(unit["MemoryMax"][0].removesuffix("G")) * 1024
    monkeypatch.setenv("ATHANOR_MEMORY_MB", str(config.memory_mb))
    assert config.memory_mb + most_megabytes(config.job_workers) <= most
    assert int(unit["TimeoutStopSec"][0]) > config.grace_seconds


def test_systemd_takes_the_unit(tmp_path: Path) -> None:
    """Its program is not installed here, so another one stands in its place."""
    tool = shutil.which("systemd-analyze")
    if tool is None:
        pytest.skip("systemd-analyze is not installed")
    program = shlex.split(_unit()["ExecStart"][0])[0]
    copy = tmp_path / UNIT.name
    copy.write_text(UNIT.read_text(encoding="utf-8").replace(program, str(shutil.which("true"))), encoding="utf-8")
    found = subprocess.run([tool, "verify", str(copy)], capture_output=True, text=True, timeout=60, check=False)
    ours = [line for line in found.stderr.splitlines() if UNIT.name in line]
    assert not ours
    assert found.returncode == 0, found.stderr


def test_hadolint_takes_the_image() -> None:
    """A linter of Dockerfiles, and of the shell within them, finds nothing at all."""
    installed = shutil.which("hadolint", path=os.pathsep.join([str(Path(sys.executable).parent), os.defpath]))
    if installed is None:
        pytest.skip("hadolint is not installed")
    found = subprocess.run(
        [installed, DEPLOY / "Dockerfile"], capture_output=True, text=True, timeout=60, check=False
    )
    assert (found.returncode, found.stdout) == (0, "")


def test_the_image_is_built_by_what_there_is() -> None:
    steps = _docker()
    first, last = (rest.split()[0] for name, rest in steps if name == "FROM")
    assert first == last  # a wheel with kernels is for one Python
    runs = " && ".join(rest for name, rest in steps if name == "RUN")
    targets = re.findall(r"^([\w-]+):", (places.ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE)
    made = re.findall(r"(?:^|&& )make ([\w-]+)", runs)
    assert made == ["wheel"]
    assert set(made) <= set(targets)
    copied = next(rest for name, rest in steps if name == "COPY" and "--from=build" in rest)
    assert copied.split()[1:3] == ["/src/requirements.txt", "/src/dist/"]
    assert (places.ROOT / "requirements.txt").is_file()


def test_the_image_runs_what_there_is_as_nobody_in_particular(monkeypatch: pytest.MonkeyPatch) -> None:
    steps = dict(_docker())
    options = _served(json.loads(steps["ENTRYPOINT"]))
    assert (options["host"], str(options["port"])) == ("0.0.0.0", steps["EXPOSE"])
    assert f"useradd --system --uid {steps['USER']} athanor" in steps["RUN"]
    assert [name for name, _ in _docker()].index("USER") < [name for name, _ in _docker()].index("ENTRYPOINT")
    for folder in json.loads(steps["VOLUME"]):
        assert folder in steps["RUN"]
    _check_folders(_environment([steps["ENV"]]), monkeypatch)
    program, flag, code = json.loads(steps["HEALTHCHECK"].partition("CMD ")[2])
    assert (program, flag) == ("python3", "-c")
    address = next(
        node.value
        for node in ast.walk(ast.parse(code))
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and "://" in node.value
    )
    asked = urlsplit(address)
    assert (asked.path in OPEN, asked.port) == (True, options["port"])
