"""Games of other packages on the page, which the service describes: set up, played, reviewed, solved."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from solver.language import LANGUAGES
from tests.journeys.people import Person
from tests.page.conftest import Visit
from tests.page.support import HURRY, OVER, at, bring, go, phone
from tests.support.guests import EXAMPLES

pytestmark = pytest.mark.slow

SETS = {"whist": "C3 C7 CQ D7 H5 S6 ST SA", "hearts": "C2 C3 C7 CQ D7 DK H5 H9 HA S4 S6 ST SA"}
BROUGHT = {  # sentences that a package brings, and the page's where it brings none
    "whist": "Say which suit is trumps and who leads, then choose your cards. You play with the seat across.",
    "hearts": "ルールとリードする人を選び、配られたカードを選びます。",
}
FELT = {"whist": "#4a1c28", "hearts": "#16402f"}  # its own style, and the page's
OWN = {"whist": ("Trumps", "♥ Hearts"), "hearts": ("Shooting the moon", "no")}
# A key that stands where its sentence is missing, such as "col.move".
KEYS = re.compile(r"\b[a-z]+(?:\.[a-z-]+)+\b")
SAID = """() => document.body.innerText + [...document.querySelectorAll("[aria-label], [title]")]
  .map((one) => ` ${one.ariaLabel} ${one.title}`)"""


def says_all(page: Page) -> None:
    """No key of a sentence stands for it, and nothing is waited for."""
    assert KEYS.findall(page.evaluate(SAID)) == []
    expect(page.get_by_text("One moment …")).to_have_count(0)


@pytest.mark.parametrize(("name", "locale"), [*zip(EXAMPLES, reversed(LANGUAGES), strict=True)])
def test_a_hand_is_set_up_card_by_card(visit: Visit, name: str, locale: str) -> None:
    """With the rules in force, which only the game's package knows, on a phone."""
    page = visit("", **phone(), locale=locale)
    page.get_by_role("radio", name=name.capitalize()).tap()
    says_all(page)
    page.locator(".job.primary").tap()
    expect(page.locator(".editor .how")).to_have_text(BROUGHT[name])
    felt = page.locator(".felt").evaluate("(felt) => getComputedStyle(felt).getPropertyValue('--felt')")
    assert felt == FELT[name]
    title, value = OWN[name]
    page.get_by_role("button", name=title).tap()
    page.locator(".tray .chip").filter(has_text=value if locale == "en" or "♥" in value else "いいえ").tap()
    says_all(page)
    page.locator(".spot-hand").tap()
    for card in SETS[name].split():
        page.locator(f'.palette [data-card="{card}"]').tap()
    page.locator(".placing .primary:not(.unready)").tap()
    expect(page.locator(".answer .primary")).to_be_visible()
    expect(page.locator(".in-force")).to_contain_text(title)
    expect(page.locator(".hand .card")).to_have_count(len(SETS[name].split()))
    assert page.evaluate("location.hash").count(f"{'trump=H' if name == 'whist' else 'moon=no'}") == 1
    says_all(page)


@pytest.mark.parametrize("name", EXAMPLES)
def test_a_game_is_played_to_its_review_and_its_puzzle(visit: Visit, name: str) -> None:
    page = visit(at("", tab="play"))
    page.evaluate(HURRY)
    page.get_by_role("radio", name=name.capitalize()).click()
    length, others = (page.get_by_role("radiogroup", name=name) for name in ("Length", "Opponents"))
    expect(length).to_contain_text("4 rounds")
    expect(others.get_by_role("radio")).to_have_count(2)  # its hints know one strength
    length.get_by_role("radio", name="one round").click()
    page.get_by_label("Pace").select_option("0")
    says_all(page)
    page.get_by_role("button", name="Begin").click()
    over = page.get_by_role("heading", name=OVER)
    legal = page.locator(".hand .card.legal").first
    while True:
        expect(over.or_(legal).first).to_be_visible()
        if over.is_visible():
            break
        before = page.url
        legal.click()
        page.wait_for_function("(before) => location.href !== before", arg=before)
    says_all(page)
    page.get_by_role("button", name="Review", exact=True).click()
    review = page.get_by_role("region", name="What the moves gave away")
    expect(review).to_be_visible()
    page.get_by_text("All moves and numbers").click()
    expect(review.locator("table.moves tbody tr").first).to_be_visible()
    says_all(page)


def test_a_puzzle_and_an_analysis_of_an_outside_game(visit: Visit, person: Person) -> None:
    position = "whist trump=S hands=CA,D3/C5,SK/C2,DK/D4,H9 leader=0"
    book = f'[[puzzle]]\nid = "ace"\ntitle = "The ace"\nask = "best-move"\nposition = "{position}"\n'
    page = visit(at("", tab="puzzles"))
    bring(page.get_by_role("tabpanel"), person.keeps("own.toml", book))
    page.get_by_role("button", name=re.compile("No. 1 .*Whist")).click()
    page.get_by_role("button", name="Show the solution").click()
    expect(page.get_by_role("tabpanel")).to_contain_text("Solution:")
    says_all(page)
    go(page, at(position, tab="analysis"))
    expect(page.locator("table.moves tbody tr")).to_have_count(2)
    says_all(page)
