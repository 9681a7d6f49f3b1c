"""The unit, the image and the proxies of `deploy/`, checked as far as a machine has the tools."""

from __future__ import annotations

import ast
import json
import os
import re
import resource
import shlex
import shutil
import socket
import subprocess
import sys
import threading
import time
import zipfile
from collections.abc import Iterator
from contextlib import ExitStack, closing, suppress
from dataclasses import fields
from importlib.util import find_spec
from pathlib import Path
from urllib.parse import urlsplit

import click
import platformdirs
import pytest
from prometheus_client.parser import text_string_to_metric_families

import athanor
from api.access import OPEN
from api.app import create_app
from api.cli.main import cli
from api.config import Config
from api.readiness import Readiness
from api.tokens import made
from athanor.jobs import Store, default_path
from athanor.jobs.settings import most_megabytes
from solver.common import user_folder
from tests.api.proxying import PROXIES, proxying
from tests.api.serving import answer, asked, post, served
from tests.api.support import KNOWN
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
    known = {"ATHANOR_LOG", *(f"ATHANOR_{one.name.upper()}" for one in fields(Config))}
    assert {name for name in environment if name.startswith("ATHANOR_")} <= known
    _check_folders(environment, monkeypatch)


def test_the_unit_leaves_the_service_its_memory_and_its_time(monkeypatch: pytest.MonkeyPatch) -> None:
    unit = _unit()
    config = Config.from_environ(_environment(unit["Environment"]))
    most = int(unit["MemoryMax"][0].removesuffix("G")) * 1024
    monkeypatch.setenv("ATHANOR_MEMORY_MB", str(config.memory_mb))
    assert config.memory_mb + most_megabytes(config.job_workers) <= most
    assert int(unit["TimeoutStopSec"][0]) > config.grace_seconds


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() != 0, reason="only root can become another user")
def test_the_service_starts_within_the_units_limits(tmp_path: Path) -> None:
    """As a user who has nothing else running, with as many threads and processes as the unit allows.

    On many cores, where the service has more of both than elsewhere.
    """
    unit = _unit()
    words = shlex.split(unit["ExecStart"][0])[1:]
    words[words.index("--port") + 1] = "0"
    start = "import os; os.cpu_count = lambda: 64; from api.cli.main import main; main()"
    # This user may read what root may, and nothing else of root's; 61,234 is nobody's number.
    user = ["setpriv", "--reuid", "61234", "--clear-groups"]
    user += [
        "--inh-caps",
        "-all,+dac_override",
        "--ambient-caps",
        "-all,+dac_override",
        "--bounding-set",
        "-all,+dac_override",
    ]
    environ = os.environ | _environment(unit["Environment"]) | {"XDG_CACHE_HOME": str(user_folder("cache").parent)}
    command = [*user, "prlimit", f"--nproc={unit['TasksMax'][0]}", sys.executable, "-c", start, *words]
    ready = b"GET /readyz HTTP/1.1\r\nHost: localhost\r\n\r\n"
    log = tmp_path / "log"
    with (
        log.open("w") as stderr,
        subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=stderr, text=True, env=environ, cwd=places.ROOT
        ) as process,
    ):
        try:
            assert process.stdout is not None
            address = re.search(r"http://127.0.0.1:(\d+)/", process.stdout.readline())
            assert address, log.read_text()
            status, end = 0, time.monotonic() + 300
            while status != 200:
                with _connect(int(address[1])) as client:
                    status = asked(client, ready)[0]
                assert status in (200, 503), log.read_text()
                assert time.monotonic() < end, log.read_text()
                time.sleep(0.1)
            assert "refuse" not in log.read_text()
            subprocess.run([*user, "prlimit", f"--pid={process.pid}", "--nproc=1"], check=True)
            with ExitStack() as stack:  # from now on, requests share the threads that there are
                clients = [stack.enter_context(_connect(int(address[1]))) for _ in range(50)]
                for client in clients:
                    client.sendall(b"GET /v1/games HTTP/1.1\r\nHost: localhost\r\n\r\n")
                assert {answer(client)[0] for client in clients} == {200}
        finally:
            process.terminate()
    assert process.returncode == 0, log.read_text()


def _asked_of_prometheus(name: str) -> list[str]:
    """What the alerts or the dashboard ask Prometheus for."""
    text = (DEPLOY / name).read_text(encoding="utf-8")
    if name == "alerts.yml":
        return re.findall(r"expr: (.*)", text)
    board = json.loads(text)
    asked = [target["expr"] for panel in board["panels"] for target in panel["targets"]]
    return asked + [one["query"] for one in board["templating"]["list"] if one["type"] == "query"]


@pytest.mark.parametrize("name", ["alerts.yml", "dashboard.json"])
def test_what_is_asked_of_prometheus_is_measured(name: str) -> None:
    """Each figure by its name, and each label that is asked for by one of its own figures."""
    athanor.game("alchemy").warm()
    measured = create_app(Config(), readiness=Readiness(["kirin"])).test_client()
    measured.post("/v1/analyze", json={"position": KNOWN}, buffered=True).close()
    measured.post("/v1/play", json={}).close()
    samples = [
        sample
        for family in text_string_to_metric_families(measured.get("/metrics").text)
        for sample in family.samples
    ]
    labels: dict[str, set[str]] = {}
    for sample in samples:
        labels.setdefault(sample.name, set()).update(sample.labels)
    of_prometheus = {"job", "instance"}
    expressions = _asked_of_prometheus(name)
    assert len(expressions) > 5
    for expression in expressions:
        figures = re.findall(r"\b(?:athanor|process)_\w+", expression)
        assert set(figures) <= labels.keys(), expression
        assert figures or expression.startswith("up{")
        by = re.findall(r"by \(([\w, ]+)\)", expression)
        wanted = set(re.findall(r"(\w+)=~?\"", expression)).union(*(one.split(", ") for one in by))
        assert wanted <= of_prometheus.union(*(labels[figure] for figure in figures)), expression
    addresses = {str(rule) for rule in measured.application.url_map.iter_rules()}
    assert set(re.findall(r'address="(.*?)"', "".join(expressions))) <= addresses


def test_promtool_takes_the_alerts_and_what_the_page_adds(tmp_path: Path) -> None:
    tool = shutil.which("promtool")
    if tool is None:
        pytest.skip("promtool is not installed")
    page = (places.ROOT / "docs" / "deploying.md").read_text(encoding="utf-8")
    added = re.search(r"```yaml\n(.*?)```", page, re.DOTALL)
    assert added
    settings = tmp_path / "prometheus.yml"
    settings.write_text(added[1].replace("/etc/prometheus", str(tmp_path)), encoding="utf-8")
    (tmp_path / "athanor-token").touch()
    shutil.copy(DEPLOY / "alerts.yml", tmp_path)
    subprocess.run([tool, "check", "config", settings], check=True)


def test_a_copy_of_the_jobs_made_while_they_are_in_use_can_be_restored(tmp_path: Path) -> None:
    text = (places.ROOT / "docs" / "deploying.md").read_text(encoding="utf-8")
    command = re.search(r'python3 -c "(.*)"', text)
    assert command
    copying = command[1].replace("/var/lib/athanor", str(tmp_path)).replace("'jobs.sqlite'", "'copy.sqlite'")
    none = subprocess.run([sys.executable, "-c", copying], cwd=tmp_path, capture_output=True, check=False)
    assert none.returncode  # there are no jobs yet, and
    assert not (tmp_path / "jobs.sqlite").exists()  # no file that the service's user could not write
    with closing(Store(tmp_path / "jobs.sqlite")) as store, store.owned():
        job, _ = store.submit("deal", ["{}"] * 100)
        store.claim([(store.open()[0], 10)])
        subprocess.run([sys.executable, "-c", copying], cwd=tmp_path, check=True)
    with closing(Store(tmp_path / "copy.sqlite")) as store, store.owned():
        assert store.job(job.id).units.waiting == 100


def _wheel(path: Path, version: str) -> None:
    """Write a wheel with a command that imports a module of its version when it is told to."""
    about = f"athanor_cards-{version}.dist-info"
    with zipfile.ZipFile(path / f"athanor_cards-{version}-py3-none-any.whl", "w") as file:
        file.writestr("begins.py", "def main(): print(input()); import later; print(later.VERSION)")
        file.writestr("later.py", f"VERSION = {version}")
        file.writestr(f"{about}/entry_points.txt", "[console_scripts]\nathanor = begins:main\n")
        file.writestr(f"{about}/METADATA", f"Metadata-Version: 2.1\nName: athanor-cards\nVersion: {version}\n")
        file.writestr(f"{about}/WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n")
        file.writestr(f"{about}/RECORD", f"{about}/METADATA,,\n{about}/WHEEL,,\n{about}/RECORD,,\n")


@pytest.mark.slow
@pytest.mark.skipif(find_spec("pip") is None, reason="pip is not installed")
def test_an_upgrade_leaves_a_running_version_its_files_and_the_way_back_open(tmp_path: Path) -> None:
    """With the page's commands, of which those that build or need root do something else."""
    page = (places.ROOT / "docs/deploying.md").read_text(encoding="utf-8")
    installed, upgraded = (
        block for block in re.findall(r"```sh\n(.*?)```", page, re.DOTALL) if "venv $NEW" in block
    )
    (tmp_path / "opt").mkdir()
    (tmp_path / "requirements.txt").touch()
    tools = next(path for path in sys.path if Path(path, "pip").is_dir())

    def run(version: str, commands: str) -> None:
        (tmp_path / "dist").mkdir(exist_ok=True)
        for old in (tmp_path / "dist").iterdir():
            old.unlink()
        _wheel(tmp_path / "dist", version)
        stubs = f"""
            for name in apt-get make cp systemctl curl; do eval "$name() {{ :; }}"; done
            git() {{ echo {version}; }}
            python3() {{
                {sys.executable} "$@" --without-pip
                for packages in "$3"/lib/python*/site-packages; do echo {tools} > "$packages"/tools.pth; done
            }}
        """
        alone = {**os.environ, "PIP_NO_INDEX": "1", "PIP_DISABLE_PIP_VERSION_CHECK": "1"}
        text = stubs + commands.replace("/opt/athanor", f"{tmp_path}/opt/athanor")
        subprocess.run(["bash", "-ec", text], cwd=tmp_path, env=alone, check=True)

    program = tmp_path / "opt/athanor/bin/athanor"
    run("1", installed)
    with subprocess.Popen(program, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as running:
        run("2", upgraded)
        assert running.communicate("runs\n")[0].split() == ["runs", "1"]
    for version in ("2", "1"):
        assert subprocess.check_output(program, input="anew\n", text=True).split() == ["anew", version]
        subprocess.run(["ln", "-sfT", tmp_path / "opt/athanor-1", tmp_path / "opt/athanor"], check=True)


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


@pytest.mark.parametrize("name", ["Makefile", ".ci/run"])
def test_what_scripts_start_is_there(name: str) -> None:
    modules = re.findall(
        r"-m ((?:api|benchmarks|tests|training)[\w.]*)", (places.ROOT / name).read_text(encoding="utf-8")
    )
    assert modules
    assert [module for module in modules if find_spec(module) is None] == []


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


# nginx and Caddy in front of a service: they take strangers' clients off its hands.


DRIPPING = 2500
HALF_HEADER = b"POST /v1/analyze HTTP/1.1\r\nHost: localhost\r\nX-Slow: "
HALF_BODY = b"POST /v1/analyze HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000\r\n\r\n{"
HEALTH = b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n"


@pytest.fixture(scope="module", params=PROXIES)
def proxied(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[int]:
    with (
        served(Config()) as service,
        proxying(request.param, tmp_path_factory.mktemp(request.param), service.port) as port,
    ):
        yield port


def _connect(port: int, source: str = "127.0.0.1") -> socket.socket:
    return socket.create_connection(("127.0.0.1", port), timeout=20, source_address=(source, 0))


def _statuses(port: int, count: int, source: str, headers: str = "") -> list[int]:
    """The statuses of the answers to so many requests, each with a connection and a token of its own."""
    found = []
    for number in range(count):
        with _connect(port, source) as client:
            request = (
                f"GET /v1/games HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {number}\r\n{headers}\r\n"
            )
            client.sendall(request.encode())
            found.append(int(client.recv(100).split()[1]))
    return found


def _usual_seconds(port: int) -> float:
    """How long a client waits that connects and asks: of the quickest quarter, as a busy machine delays others."""
    took = []
    for _ in range(31):
        began = time.monotonic()
        with _connect(port) as client:
            assert asked(client, HEALTH)[0] == 200
        took.append(time.monotonic() - began)
    return sorted(took)[len(took) // 4]


_FLOOD = """
import socket, subprocess, sys
subprocess.run(["ip", "link", "set", "lo", "up"], check=True)
subprocess.run(["nft", "--file", sys.argv[1]], check=True)
subprocess.run(["nft", "--file", sys.argv[1]], check=True)  # once more, as when it is changed
server = socket.create_server(("", 443), backlog=4000)
held = []
for source, count in (("127.0.0.2", 2500), ("127.0.0.3", 20)):
    taken = 0
    for _ in range(count):
        try:
            held.append(socket.create_connection(("127.0.0.1", 443), 20, (source, 0)))
        except ConnectionRefusedError:
            continue
        taken += 1
    print(taken)
"""


def test_the_firewall_holds_an_address_to_its_connections() -> None:
    if not (shutil.which("nft") and shutil.which("ip")) or subprocess.call(["unshare", "--net", "true"]):
        pytest.skip("nftables, or networks of one's own, are not there")
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    command = ["unshare", "--net", "prlimit", f"--nofile={hard}:{hard}"]
    command += [sys.executable, "-c", _FLOOD, str(DEPLOY / "nftables.conf")]
    found = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert found.stdout.split() == ["200", "20"], found.stderr


def test_a_fast_client_beside_thousands_that_drip(proxied: int) -> None:
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))  # they are all of this process
    alone = _usual_seconds(proxied)
    with ExitStack() as stack:
        stack.callback(resource.setrlimit, resource.RLIMIT_NOFILE, (soft, hard))
        slow = [stack.enter_context(_connect(proxied, "127.0.0.2")) for _ in range(DRIPPING)]
        for number, client in enumerate(slow):
            client.sendall((HALF_HEADER, HALF_BODY)[number % 2])
        ended = threading.Event()

        def drip() -> None:
            while not ended.wait(0.5):
                for client in slow:
                    try:
                        client.sendall(b"x")
                    except OSError:  # the proxy has had enough of it
                        continue

        dripping = threading.Thread(target=drip)
        dripping.start()
        try:
            beside = _usual_seconds(proxied)
        finally:
            ended.set()
            dripping.join()
    print(f"alone {alone:.4f} s, beside {DRIPPING} that drip {beside:.4f} s")
    assert beside - alone < 0.25


def test_what_is_too_large_does_not_come_through(proxied: int) -> None:
    head = b"POST /v1/deal HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
    for size, statuses in ((1_500_000, {b"413"}), (9_000_000, {b"413", b"502"})):
        with _connect(proxied) as client:
            with suppress(OSError):  # it need not read all of it
                client.sendall(head + b"Content-Length: %d\r\n\r\n" % size + b" " * size)
            assert client.recv(100).split()[1] in statuses


def test_questions_and_lines_of_streams_come_through(proxied: int) -> None:
    with _connect(proxied) as client:
        status, body = asked(client, post("/v1/deal", {"game": "kirin", "seed": 1}))
        assert (status, body["seed"]) == (200, 1)
    lines = {"questions": [{"ask": "analyze", "position": {"game": "no such"}}]}
    with _connect(proxied) as client:
        client.sendall(post("/v1/batch", lines))
        assert b" 200 OK" in client.recv(4096)


def test_requests_that_two_readers_could_take_for_different_ones(proxied: int) -> None:
    """Such a request is refused, or is one request and no other behind it."""
    hidden = b"GET /v1/hidden HTTP/1.1\r\nHost: x\r\n\r\n"
    smuggling = (
        b"POST /v1/deal HTTP/1.1\r\nHost: localhost\r\nContent-Length: %d\r\nTransfer-Encoding: chunked\r\n"
        b"Connection: close\r\n\r\n0\r\n\r\n" % (5 + len(hidden))
    ) + hidden
    for request in (smuggling, b"GET /v1/games HTTP/1.1\r\n\r\n"):
        with _connect(proxied) as client:
            client.sendall(request)
            with client.makefile("rb") as stream:
                status = int(stream.readline().split()[1])
                assert status in (400, 415)
                assert b" 404 " not in stream.read()


def test_debians_caddy_takes_the_file_as_the_page_changes_it(tmp_path: Path) -> None:
    caddy = "/usr/bin/caddy"
    if not Path(caddy).exists() or "2.6." not in subprocess.check_output([caddy, "version"], text=True):
        pytest.skip("Debian's Caddy is not installed")
    page = (places.ROOT / "docs" / "deploying.md").read_text(encoding="utf-8")
    change = re.search(r"sed -i (.*) /etc/caddy/Caddyfile", page)
    assert change
    copy = tmp_path / "Caddyfile"
    copy.write_text((DEPLOY / "Caddyfile").read_text(encoding="utf-8"), encoding="utf-8")
    subprocess.run(["bash", "-c", f"HOST=other.example; sed -i {change[1]} {copy}"], check=True)
    assert "other.example {" in copy.read_text(encoding="utf-8")
    subprocess.run([caddy, "validate", "--config", copy, "--adapter", "caddyfile"], check=True, timeout=60)


@pytest.mark.parametrize("name", PROXIES)
def test_a_token_has_its_limits_behind_a_proxy(name: str, tmp_path: Path) -> None:
    """All clients have the proxy's address there; one that asks too much keeps no other from an answer."""
    (greedy, first), (other, second) = map(made, ("greedy", "other"))
    (tmp_path / "tokens").write_text(f"{first.line}\n{second.line}\n")
    config = Config(tokens_file=str(tmp_path / "tokens"), client_requests=10)
    with served(config) as service, proxying(name, tmp_path, service.port) as port:

        def status(secret: str) -> int:
            with _connect(port) as client:
                request = f"GET /v1/games HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {secret}\r\n\r\n"
                client.sendall(request.encode())
                return int(client.recv(100).split()[1])

        assert [status(greedy) for _ in range(12)][-1] == 429
        assert status(other) == 200


@pytest.mark.parametrize("tokens", [False, True])
@pytest.mark.parametrize("name", PROXIES)
def test_addresses_have_their_limits_behind_a_proxy(name: str, tokens: bool, tmp_path: Path) -> None:
    """Whatever clients send as their token, and as their address."""
    (tmp_path / "tokens").write_text(f"{made('alice')[1].line}\n")
    config = Config(
        proxies=("127.0.0.1",), client_requests=10, tokens_file=str(tmp_path / "tokens") if tokens else ""
    )
    with served(config) as service, proxying(name, tmp_path, service.port) as port:
        for headers in ("", "X-Forwarded-For: 127.0.0.9\r\n"):
            source = f"127.0.0.{3 + len(headers)}"
            assert _statuses(port, 12, source, headers) == [401 if tokens else 200] * 10 + [429] * 2
        assert _statuses(port, 1, "127.0.0.9") == [401 if tokens else 200]


def test_nginx_limits_addresses_itself(tmp_path: Path) -> None:
    with served(Config()) as service, proxying("nginx", tmp_path, service.port) as port:
        assert 429 in _statuses(port, 400, "127.0.0.2")
        assert _statuses(port, 1, "127.0.0.3") == [200]
