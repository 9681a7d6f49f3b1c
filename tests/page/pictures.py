"""Pictures of the page for the documentation: `python -m tests.page.pictures` writes docs/pictures/.

Each is taken of what the page shows for a fixed deal. Hints are estimates: figures in them vary from run to run.
"""

from __future__ import annotations

import io
import sys
from pathlib import Path
from typing import Any

from PIL import Image
from playwright.sync_api import Page, expect, sync_playwright

from api.config import Config
from tests.api.serving import served
from tests.api.support import warmed
from tests.page.support import ENDINGS, at, browser_path
from tests.support import places

FOLDER = places.ROOT / "docs" / "pictures"
PATIENCE = 60_000  # milliseconds
COLOURS = 256  # of a palette, chosen so that rare ones keep their hue
DESK = {"width": 1180, "height": 820}
PHONE = {"width": 375, "height": 812}


def fragments() -> dict[str, tuple[str, dict[str, Any]]]:
    """What each picture shows: the fragment of the address, and how it is looked at."""
    seen = "kirin seat=1 hand=D6,S1,S4,BT,G2,G3,G4,G+ declared=D2 trick=0:D3"  # as in README
    return {
        "welcome": ("", {"viewport": DESK}),
        "hint": (at(seen, tab="hint"), {"viewport": DESK}),
        "hint-phone": (at(seen, tab="hint"), {"viewport": PHONE}),
        "analysis": (at(ENDINGS["king"], tab="analysis", model="all"), {"viewport": DESK}),
        "solitaire-dark": (at(ENDINGS["alchemy"], tab="analysis"), {"viewport": DESK, "color_scheme": "dark"}),
    }


def settle(page: Page) -> None:
    """Wait until the cards are drawn, and until nothing is searched for any more."""
    page.locator(".card svg").locator("visible=true").first.wait_for()
    page.wait_for_load_state("networkidle")
    expect(page.get_by_role("progressbar")).to_have_count(0, timeout=PATIENCE)


def save(picture: bytes, path: Path) -> int:
    """Write a picture with few colours; the bytes that it takes."""
    drawn = Image.open(io.BytesIO(picture)).convert("RGB")
    found = drawn.quantize(COLOURS, Image.Quantize.FASTOCTREE, dither=Image.Dither.NONE)
    found.save(path, optimize=True)
    return path.stat().st_size


def main() -> None:
    path = browser_path()
    if not path:
        sys.exit("no Chromium is installed")
    FOLDER.mkdir(exist_ok=True)
    warmed()
    with served(Config()) as site, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path)
        for name, (fragment, how) in fragments().items():
            with browser.new_context(reduced_motion="reduce", **how) as context:
                page = context.new_page()
                page.goto(f"http://127.0.0.1:{site.port}/{fragment}")
                settle(page)
                print(f"{name:16} {save(page.screenshot(), FOLDER / f'{name}.png'):7,} bytes")
        browser.close()


if __name__ == "__main__":
    main()
