"""What all tests share: repeatable hypothesis runs, and sizes that fit kernels which run as plain Python."""

from __future__ import annotations

import gc
import os
import shutil
import signal
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import numba
import pytest
from hypothesis import settings

from solver.common import Random
from solver.games.alchemy.rules import SOLITAIRE, WITHOUT_CAP_LOSS, Turn, Variant
from tests.support.marks import runs_nowhere

if TYPE_CHECKING:
    from playwright.sync_api import Browser

settings.register_profile("athanor", deadline=None, derandomize=True)
settings.load_profile("athanor")

# A shell starts its background jobs with Ctrl-C ignored, nohup what it is given with hanging up ignored, and
# so would be the processes that tests end.
signal.signal(signal.SIGINT, signal.default_int_handler)
signal.signal(signal.SIGHUP, signal.SIG_DFL)

# The processes that tests start keep their bytecode, as a user's do.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)

# Commands ask running services: not those of whoever runs the tests.
os.environ["XDG_RUNTIME_DIR"] = tempfile.mkdtemp(prefix="athanor-")

# Nor are the jobs and the decks those of whoever runs the tests.
os.environ["ATHANOR_JOBS"] = os.path.join(os.environ["XDG_RUNTIME_DIR"], "jobs.sqlite")
os.environ["ATHANOR_DECKS"] = os.path.join(os.environ["XDG_RUNTIME_DIR"], "decks")
os.mkdir(os.environ["ATHANOR_DECKS"])

JIT = not numba.config.DISABLE_JIT
# How many times fewer cases a test makes where its cases are made once more, of those that the suite makes.
_FEWER = 10 if not JIT else 3 if numba.config.BOUNDSCHECK else 1


# Compiling makes millions of objects that stay; to look through them again and again takes a fifth of its time.
gc.set_threshold(100_000, 50, 1000)


def pytest_unconfigure() -> None:
    """Leave no folder: workers of a run end without what was registered to be done then."""
    shutil.rmtree(os.environ["XDG_RUNTIME_DIR"], ignore_errors=True)


def pytest_collection_finish() -> None:
    """Let garbage collection pass over what was imported and collected."""
    gc.collect()
    gc.freeze()


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Begin with the files that take long, so that workers end together, each with a game to compile.

    The page's tests, which often wait for a browser, and those that do not take turns, so that no processor has to
    wait. Raises UsageError for tests that would run nowhere.
    """
    nowhere = [item.nodeid for item in items if runs_nowhere(item)]
    if nowhere:
        raise pytest.UsageError(f"no lane of CI would run {', '.join(nowhere)}: its marks leave it out everywhere")
    long = {item.path for item in items if item.get_closest_marker("slow")}
    rest = [item for item in items if item.path not in long and "games" not in item.path.parts]
    before: dict[Path, float] = {}  # the share of the page's tests, or of the others, before those of a file
    for page in (True, False):
        kind = [item.path for item in rest if ("page" in item.path.parts) is page]
        for place, path in enumerate(kind):
            before.setdefault(path, place / len(kind))
    items.sort(key=lambda one: (one.path not in long, "games" not in one.path.parts, before.get(one.path, 0.0)))


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """One browser for all tests of a worker: its files take turns with others, and it would start ten times."""
    from playwright.sync_api import Error, expect, sync_playwright

    from tests.page.support import BROWSERS, PATIENCE, browser_path

    found = browser_path()
    if not found:
        pytest.skip(f"the page is tested in a browser, and none of {', '.join(BROWSERS)} is installed")
    expect.set_options(timeout=PATIENCE)
    with sync_playwright() as playwright:
        try:
            # No page lives long enough to earn back what it takes to optimise its code.
            flags = ["--js-flags=--no-opt --no-maglev"]
            browser = playwright.chromium.launch(executable_path=found, args=flags, timeout=4 * PATIENCE)
        except Error as error:
            pytest.skip(f"{found} does not start here: {error.message.splitlines()[0]}")
        yield browser
        browser.close()


@pytest.fixture(scope="session")
def amount() -> Callable[[int], int]:
    """How many cases to try, of so many wanted: fewer with the JIT off and with bounds checking."""
    return lambda wanted: wanted if _FEWER == 1 else max(3, wanted // _FEWER)


@pytest.fixture(params=["alternative", "solo"])
def variant(request: pytest.FixtureRequest) -> Variant:
    """Each solitaire; a test may ask for other readings. With the JIT off the tables of `solo` take minutes."""
    if request.param == "solo" and not JIT:
        pytest.skip("the tables of solo are too large for plain Python")
    return SOLITAIRE.get(request.param, WITHOUT_CAP_LOSS)


@pytest.fixture(scope="session")
def draw_turn() -> Callable[[Variant, Random, int, int], Turn]:
    """Makes a random turn from the full deck: `cap` line cards, a hand, and `stock` cards."""

    def draw(variant: Variant, random: Random, cap: int, stock: int) -> Turn:
        deck = variant.deck
        random.shuffle(deck)
        return Turn(cap, tuple(deck[:cap]), deck[cap], tuple(deck[cap + 1 : cap + 1 + stock]))

    return draw
