"""From nothing to the first hint: `python -m benchmarks.first_hint`. It needs git, make, the network and Chromium.

It clones this checkout into an empty folder, does `make run` there with an empty cache, so that every kernel has
to be compiled, and clicks a hand of Kirin together on the page, in a browser that has never been there. It prints
how many seconds each part took, and after how many in all the hint told its first move. With `--slow` the
visitor takes so many seconds for each click, in which the service compiles.
"""

from __future__ import annotations

import argparse
import os
import re
import signal
import subprocess
import sys
import tempfile
import time
from contextlib import suppress
from pathlib import Path

from playwright.sync_api import sync_playwright

from benchmarks.page import table_hand
from tests.page.support import WHOLE, browser_path
from tests.support import places

_PATIENCE = 600_000  # milliseconds until the first hint


def main() -> None:
    """Do it once, and print a row for each part."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--slow", type=float, default=0.0, help="seconds that the visitor takes for a click")
    asked = parser.parse_args()
    path = browser_path(WHOLE)
    if not path:
        sys.exit("no Chromium is installed")
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path)
        clone = Path(folder, "athanor")
        environ = {**os.environ, "XDG_CACHE_HOME": str(Path(folder, "cache"))}
        environ.pop("PYTHONPATH", None)
        begun = last = time.monotonic()

        def told(part: str) -> None:
            nonlocal last
            now = time.monotonic()
            print(f"{part:24}{now - last:8.1f} s{now - begun:10.1f} s in all", flush=True)
            last = now

        subprocess.run(["git", "clone", "--quiet", places.ROOT, clone], check=True)
        told("git clone")
        command = ["make", "--silent", "run", "SERVE=--port 0"]
        with subprocess.Popen(
            command, stdout=subprocess.PIPE, text=True, cwd=clone, env=environ, start_new_session=True
        ) as server:
            try:
                while not (clone / ".venv/.runtime").exists() and server.poll() is None:
                    time.sleep(0.05)
                told("installing")
                assert server.stdout is not None
                found = re.search(r"http://\S+", server.stdout.readline())
                assert found, "the server did not say its address"
                told("until the port is open")
                clicks, _ = table_hand(browser, found[0], pause=asked.slow, patience=_PATIENCE)
                told(f"{clicks} clicks and the hint")
            finally:
                with suppress(ProcessLookupError):
                    os.killpg(server.pid, signal.SIGTERM)
        browser.close()


if __name__ == "__main__":
    main()
