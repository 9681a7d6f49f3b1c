"""Three rounds in a row at a real table, entered card by card on the page, to the end of the match."""

from __future__ import annotations

import json
import re
from base64 import urlsafe_b64decode
from typing import Any

import pytest
from playwright.sync_api import Page, expect

import athanor
from athanor.sessions import Saved, Session
from tests.journeys.table import MATCHES, Row
from tests.page.conftest import Visit
from tests.page.support import OVER, at, dealt

pytestmark = pytest.mark.slow

# Clicks on any of what others may have done, and on what the hint says at the own turns, until the round is over.
# What is clicked is seen and enabled. Returns the number of clicks.
WALK = """async (most) => {
  const place = () => location.href + document.querySelector(".observing")?.innerHTML;
  const named = (button) => button.checkVisibility() && !button.disabled && !/^Think/.test(button.textContent);
  const until = async (wanted) => {
    for (let waited = 0; waited < 2000; waited++) {
      const found = !document.querySelector("[aria-busy=true]") && wanted();
      if (found) return found;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    throw new Error(`nothing to click: ${document.body.innerText}`);
  };
  const choice = () => {
    if (document.querySelector(".panel .ranks li")) return [];
    const seen = document.querySelector(".observing");
    const own = document.querySelector(".panel [aria-label=Hint]");
    const all = (seen ?? own)?.querySelectorAll(seen ? "button:not(.quiet)" : "button") ?? [];
    const buttons = [...all].filter(named);
    return buttons.length ? [buttons[seen ? (clicks * 7) % buttons.length : 0]] : null;
  };
  let clicks = 0;
  for (; clicks < most; clicks++) {
    const [button] = await until(choice);
    if (!button) return clicks;
    const before = place();
    button.click();
    await until(() => place() !== before);
  }
  throw new Error("the round does not end");
}"""
MOST_CLICKS = 150


def hidden(page: Page, key: str) -> Any:
    """What the address keeps in a key, such as the rounds before this one."""
    text = page.evaluate("(key) => location.hash.match(`~${key}=([^&]*)`)?.[1] ?? ''", key)
    return json.loads(urlsafe_b64decode(text + "=" * (-len(text) % 4)))


def totals(page: Page) -> dict[str, int]:
    """The standings that are shown; each seat's points are known."""
    ranks = page.locator(".ranks li")
    expect(ranks.filter(has_text="not known")).to_have_count(0)
    expect(ranks.first).to_have_text(re.compile(r"\d+ points?$"))
    found = [re.fullmatch(r"(\D+)(\d+) points?\s*", text) for text in ranks.all_text_contents()]
    return {one[1].strip(): int(one[2]) for one in found if one}


def place_hand(page: Page, hand: str) -> None:
    palette = page.get_by_role("region", name="Cards to put into place")
    for card in hand.split():
        palette.locator(f'button[data-card="{card}"]').click()
    page.locator(".placing .primary:not(.unready)").click()


@pytest.mark.parametrize("row", MATCHES, ids=str)
def test_three_rounds_entered_card_by_card(visit: Visit, row: Row) -> None:
    """The points go on from round to round, and are those of what was entered."""
    seats = row.players
    hands = [dealt(row.game, seed, seat=0, players=seats, variant=row.variant) for seed in (1, 2, 3)]
    page = visit(at(hands[0], tab="hint"))
    panel = page.get_by_role("tabpanel")
    before: dict[str, int] = {}
    for number in (1, 2, 3):
        page.evaluate(WALK, MOST_CLICKS)
        for seat in ("Left", "Across") if row.game == "kirin" else ():  # the last one has what is left
            asked = panel.get_by_role("region", name="The others' cards at the end")
            expect(asked).to_contain_text(f"Which card had {seat} set aside?")
            asked.get_by_role("button").first.click()
        now = totals(page)
        assert len(now) == seats
        assert all(now[seat] >= points for seat, points in before.items())
        if number == 2:
            panel.get_by_role("button", name="Review").click()
            expect(panel.get_by_role("region", name="What the moves gave away")).to_be_visible()
        if number == 3:
            break
        panel.get_by_role("button", name="Next round").click()
        expect(page.locator(".placing")).to_be_visible()
        rounds = hidden(page, "before")
        session = Session(Saved(game=row.game, seed=0, seconds=1, **rounds))
        assert sorted(now.values()) == sorted(map(sum, zip(*map(session.points, range(number)), strict=True)))
        view: Any = athanor.parse(hands[number])
        place_hand(page, " ".join(view.hand))
        before = now
    expect(panel.get_by_role("heading", name=OVER)).to_be_visible()
    expect(panel.get_by_role("button", name="Next round")).to_have_count(0)
