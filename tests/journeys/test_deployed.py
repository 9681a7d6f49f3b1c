"""The page on a phone, from a service as it is deployed: behind nginx, read-only, under the limits of the unit."""

from __future__ import annotations

import os
import re
import subprocess
from collections.abc import Iterator
from contextlib import ExitStack
from functools import cache
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from tests.api.proxying import program_of, proxying
from tests.journeys.clicking import begun, follow, go_on
from tests.journeys.people import BRIEFLY, Person, serving
from tests.journeys.table import ROWS, Row
from tests.page.conftest import Window, forget, opened_window
from tests.page.support import phone
from tests.support import places

pytestmark = pytest.mark.slow

# Every file system is read-only for what runs, the temporary folder and shared memory too.
READ_ONLY = [
    "unshare", "--mount", "sh", "-c",
    "cut -d ' ' -f 2 /proc/self/mounts | while read -r each; do mount -o remount,bind,ro $each; done 2> /dev/null;"
    "exec \"$@\"", "sh",
]  # fmt: skip
# Somebody who may read what root may, and nothing else of root's; 61,235 is nobody's number.
RIGHTS = "-all,+dac_override"
NOBODY = ["setpriv", "--reuid", "61235", "--clear-groups"]
NOBODY += ["--inh-caps", RIGHTS, "--ambient-caps", RIGHTS, "--bounding-set", RIGHTS]


def limits() -> list[str]:
    """A command that runs another one with as many tasks and as much memory as the unit of systemd allows."""
    unit = (places.ROOT / "deploy" / "athanor.service").read_text(encoding="utf-8")
    tasks, gigabytes = (re.search(rf"^{key}=(\d+)", unit, re.MULTILINE) for key in ("TasksMax", "MemoryMax"))
    assert tasks
    assert gigabytes
    return ["prlimit", f"--nproc={tasks[1]}", f"--data={int(gigabytes[1]) << 30}"]


@cache
def why_not() -> str:
    """Why the service can't be deployed here; empty where it can."""
    try:
        command = [*READ_ONLY, *NOBODY, *limits(), "touch", str(places.ROOT / "new")]
        tried = subprocess.run(command, capture_output=True, text=True)
    except OSError as error:
        return f"not to be tried here: {error}"
    if os.geteuid() or "Read-only" not in tried.stderr:
        return "only root can mount file systems read-only and become another user"
    return "" if program_of("nginx") else "nginx is not installed"


@pytest.fixture(scope="module")
def deployed(
    browser: Browser, installed: list[Path], tmp_path_factory: pytest.TempPathFactory
) -> Iterator[tuple[Window, str]]:
    """A phone's window, and the address of such a service; of one without limits where it can't be deployed."""
    operator = Person(tmp_path_factory.mktemp("operator"), installed)
    cache = os.environ.get("XDG_CACHE_HOME") or str(Path.home() / ".cache")
    before = [] if why_not() else [*READ_ONLY, *NOBODY, *limits()]
    with ExitStack() as stack:
        address = stack.enter_context(serving(operator, before, **BRIEFLY, XDG_CACHE_HOME=cache))
        if not why_not():
            behind = int(address.split(":")[-1].strip("/"))
            port = stack.enter_context(proxying("nginx", tmp_path_factory.mktemp("nginx"), behind))
            address = f"http://127.0.0.1:{port}/"
        window = opened_window(browser, **phone())
        yield window, address
        window.page.context.close()


def test_the_service_is_deployed() -> None:
    """Where this skips, all below is still walked, with a service without limits."""
    if why_not():
        pytest.skip(why_not())


@pytest.mark.parametrize("row", ROWS, ids=str)
def test_from_a_hand_to_the_end_of_its_round_where_it_is_deployed(
    deployed: tuple[Window, str], person: Person, row: Row
) -> None:
    window, address = deployed
    table, events = begun(person, row)
    window.page.goto(address + table)
    follow(window.page, events)
    go_on(window.page, row)
    reported = [*window.reported]
    forget(window, address)
    assert not reported
