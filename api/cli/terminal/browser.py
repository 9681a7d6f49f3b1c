"""A browser that prints an HTML file as PDF: Chromium or one of its kin, which people mostly have already."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
import threading
from pathlib import Path

from api.cli.terminal.failures import CommandFailure

_NAMES = (
    "chromium",
    "chromium-browser",
    "google-chrome",
    "google-chrome-stable",
    "chrome",
    "microsoft-edge",
    "msedge",
)
_PLACES = (
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
    "/Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge",
    r"C:\Program Files\Google\Chrome\Application\chrome.exe",
    r"C:\Program Files (x86)\Microsoft\Edge\Application\msedge.exe",
)
_SECONDS = 300  # a book of a thousand pages takes some ten
_WAKE_SECONDS = 0.1


def find() -> str:
    """The program of the browser: what ATHANOR_BROWSER says, else one that is found.

    Raises CommandFailure where there is none.
    """
    named = os.environ.get("ATHANOR_BROWSER")
    found = shutil.which(named) if named else next(filter(None, map(shutil.which, (*_NAMES, *_PLACES))), None)
    if found is None:
        why = f"ATHANOR_BROWSER names {named}, which is no program" if named else "none was found"
        raise CommandFailure(
            f"--pdf needs Chromium, Chrome or Edge: {why}; --html writes what any browser can print"
        )
    return found


def print_pdf(browser: str, page: Path, target: Path, cancel: threading.Event) -> bool:
    """Have an HTML file printed into `target`; False if it was cancelled. Raises CommandFailure if it fails."""
    with tempfile.TemporaryDirectory(prefix="athanor-browser-", ignore_cleanup_errors=True) as profile:
        made = Path(profile, "book.pdf")  # some builds of Chromium may write only to such places
        command = [browser, "--headless", "--disable-gpu", "--no-first-run", f"--user-data-dir={profile}"]
        if hasattr(os, "geteuid") and os.geteuid() == 0:
            command.append("--no-sandbox")  # Chromium starts for the superuser only without
        command += ["--no-pdf-header-footer", f"--print-to-pdf={made}", page.resolve().as_uri()]
        told = Path(profile, "told")
        with told.open("wb") as stderr:
            # In a session of its own Ctrl-C does not reach it, but us.
            running = subprocess.Popen(command, stdout=stderr, stderr=stderr, start_new_session=True)
        try:
            ended = _waited(running, cancel)
        finally:
            running.kill()
            running.wait()
        if ended and not made.exists():
            last = told.read_text(errors="replace").strip().splitlines()[-1:]
            raise CommandFailure(f"{browser} printed nothing: {last[0] if last else 'it told no reason'}")
        if ended:
            shutil.copyfile(made, target)
        return ended


def _waited(running: subprocess.Popen[bytes], cancel: threading.Event) -> bool:
    """Wait for the browser's end; False if it was cancelled."""
    for _ in range(round(_SECONDS / _WAKE_SECONDS)):
        if cancel.is_set():
            return False
        try:
            running.wait(timeout=_WAKE_SECONDS)
            return True
        except subprocess.TimeoutExpired:
            continue
    raise CommandFailure(f"the browser did not print within {_SECONDS} seconds")
