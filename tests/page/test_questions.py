"""What is asked, in windows of all sizes: all that can be chosen is in reach, and words stay whole."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.page.conftest import Visit
from tests.page.support import at, dealt, phone
from tests.page.tables import FIVE, KIRIN, LONG_HAND, MIDDLES, OBSERVED, PICKED, PICKED_FIVE, followed

# The smallest phone and a phone on its side; and from question to question, in turns, those between and a desktop.
SIZES = [(320, 568), (740, 360)]
OTHERS = {"en": [(390, 844), (1280, 800)], "ja": [(412, 915), (360, 740)]}
SOLO = "alchemy solo line=4,6,6,K,3,2 hand=4"
HIDDEN = "alchemy solo line=4,7,K,2,9,A hand=6"
DUEL = "alchemy duel line=2,4,5,10,J,J hand=4 opponent_hand=8"
GRABBED = f"{DUEL} grabbed=0:4+4+10=2+5+J"
BOUND = "kirin seat=0 hand=G1,D6,D+,S+,S-,B+,B-,G2 declared=GT trick=1:G5,S3,D1"
RECIPES = "king seat=0 hand=F1,F2,W1,W2,W4,W5,W6,E3,A5 pick=F3,T1,A7,T5 removed=F8,W10 leader=1"
GREY = ".observing .card.dimmed"
CARD, BEST, BARE = ".observing .palette .card", ".answer .primary", ".bare .move-button"
# The addresses where something is asked, and what is tapped before it is.
QUESTIONS: dict[str, tuple[str, tuple[str, ...]]] = {
    "the hint of a solitaire": (at(SOLO, tab="hint"), ()),
    "cards turned up in a solitaire": (at(SOLO, tab="hint"), (BEST,)),
    "the last cards turned up in a solitaire": (at(SOLO, tab="hint"), (BEST, CARD, CARD)),
    "cards turned up in a solitaire, on the table": (at(HIDDEN, tab="tree"), (".all .move-button",)),
    "the opponent of a duel": (at(DUEL, tab="hint"), (BEST,)),
    "cards turned up in a duel": (at(GRABBED, tab="hint"), (f".observing {BARE}",)),
    "later cards turned up in a duel": (at(GRABBED, tab="hint"), (f".observing {BARE}", CARD, CARD, CARD)),
    "a card drawn": (at(LONG_HAND.format(drawn=""), tab="hint"), (f".board {BARE}",)),
    "what a metal answers": (at(dealt("aqua-regia", 3, seat=1, players=3), tab="hint"), ()),
    "the others' picks": (at(PICKED, tab="hint"), (BEST,)),
    "what leads a trick of King": (at(PICKED_FIVE, tab="hint"), ()),
    "what leads a trick of King with long recipes": (at(RECIPES, tab="hint"), ()),
    "why another card can't have been played": (at(RECIPES, tab="hint"), (GREY,)),
    "a card against the rules": (at(BOUND, tab="rules"), ('.hand [data-card="G1"]',)),
    "the hint what to take": (at(FIVE, tab="hint", moves="T3", at="a1"), ()),
    "what is taken": (at(MIDDLES["king"], tab="hint", moves="E6", at="a1"), ()),
    "what leads a trick of Kirin": (at(OBSERVED, tab="hint"), ()),
    "what leads a trick of Kirin, on the table": (at(OBSERVED, tab="analysis"), ()),
    "what others set aside": (followed(KIRIN, keys="rules=declared_counts"), ()),
}
WRONG = """async () => {
  for (let running; (running = document.getAnimations()).length; )
    await Promise.allSettled(running.map(({ finished }) => finished)); // then all can be hit
  const found = [];
  const isSeen = (one) => one.checkVisibility({ visibilityProperty: true }) && !one.closest(".unseen, .skip") &&
    !one.closest("svg") && getComputedStyle(one).clipPath === "none" &&
    getComputedStyle(one.parentElement).clipPath === "none";
  const named = (one) => (one.ariaLabel || one.textContent).trim().slice(0, 50);
  const hit = (one, x, y) => {
    const there = document.elementFromPoint(x, y);
    return one.contains(there) || Boolean(there?.closest("label")?.contains(one));
  };
  const { clientWidth, scrollWidth } = document.documentElement;
  if (scrollWidth > clientWidth) found.push(`${scrollWidth} wide`);

  // The cards to choose from: how many rows are cut off, where the window is high, and the first one everywhere.
  for (const palette of document.querySelectorAll(".palette")) {
    const { clientHeight, clientWidth, scrollHeight, scrollWidth } = palette;
    if (scrollWidth > clientWidth + 1) found.push(`${clientWidth} of ${scrollWidth} wide`);
    if (!palette.closest(".observing")) continue;
    const isCut = scrollHeight > clientHeight + 1;
    if (innerHeight >= 740 && isCut) found.push(`${clientHeight} of ${scrollHeight} high`);
    const { left, right, bottom } = palette.querySelector(".card").getBoundingClientRect();
    if (innerHeight < 740 && !document.elementFromPoint((left + right) / 2, bottom - 14)?.closest(".palette"))
      found.push(`no row in sight: ${clientHeight}`);
  }

  // Words that break, and questions whose last word, or each word, has a line of its own.
  const texts = document.createTreeWalker(document.getElementById("page"), NodeFilter.SHOW_TEXT);
  const linesOf = (range) => new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size;
  while (texts.nextNode()) {
    const text = texts.currentNode;
    if (!isSeen(text.parentElement) || getComputedStyle(text.parentElement).fontSize === "0px") continue;
    for (const { 0: word, index } of text.data.matchAll(/[a-z'’]{2,}|[ァ-ヴー]{2,}/gi)) {
      const range = document.createRange();
      range.setStart(text, index);
      range.setEnd(text, index + word.length);
      if (linesOf(range) > 1) found.push(`${word} breaks`);
      if (range.getBoundingClientRect().left > innerWidth) found.push(`${word} out of the window`);
    }
  }
  for (const heading of document.querySelectorAll(":is(.panel, .own) :is(h2, h3)")) {
    const text = heading.lastChild;
    const words = text?.data?.trim().split(" ") ?? [];
    if (words.length < 3 || !isSeen(heading)) continue;
    const range = document.createRange();
    range.selectNodeContents(heading);
    const lines = linesOf(range);
    range.setStart(text, text.data.trimEnd().lastIndexOf(" ", text.data.trimEnd().lastIndexOf(" ") - 1) + 1);
    if (linesOf(range) > 1) found.push(`${words.at(-1)} alone of ${lines} lines`);
  }

  // Where something is, as far as it is in sight.
  const boxOf = (one) => {
    let { left, top, right, bottom } = one.getBoundingClientRect();
    for (let around = one.parentElement; around; around = around.parentElement) {
      if (getComputedStyle(around).overflow === "visible") continue;
      const box = around.getBoundingClientRect();
      [left, top] = [Math.max(left, box.left), Math.max(top, box.top)];
      [right, bottom] = [Math.min(right, box.right), Math.min(bottom, box.bottom)];
    }
    return { left, top, right, bottom };
  };
  const all = [...document.querySelectorAll("#page :is(button, summary, select, input, a[href])")]
    .filter((one) => !one.disabled && isSeen(one));
  const flat = all.filter((one) => !one.matches(".card, .mine *")).map((one) => [one, boxOf(one)]);
  flat.forEach(([one, box], at) => flat.slice(at + 1).forEach(([other, its]) => {
    const wide = Math.min(box.right, its.right) - Math.max(box.left, its.left);
    const high = Math.min(box.bottom, its.bottom) - Math.max(box.top, its.top);
    if (wide > 2 && high > 2 && !one.contains(other)) found.push(`${named(one)} over ${named(other)}`);
  }));

  // The way to make what is advised is in sight at once.
  for (const one of document.querySelectorAll(".answer .primary")) {
    const { left, top, right, bottom } = one.getBoundingClientRect();
    if (!hit(one, (left + right) / 2, (top + bottom) / 2)) found.push(`${named(one)} out of sight`);
  }

  // Scrolled to, all can be hit: a card, which others may overlap, where its number is.
  for (const one of all) {
    one.scrollIntoView({ block: "center", inline: "center" });
    const { left, top, right, bottom } = one.getBoundingClientRect();
    const isCard = one.matches(".card");
    const [x, y] = isCard ? [left + 6, top + 8] : [(left + right) / 2, (top + bottom) / 2];
    if (!hit(one, x, y)) found.push(`${named(one)} out of reach`);
  }
  for (const one of document.querySelectorAll(".panel, .palette, .board-side, .columns")) one.scrollTo(0, 0);
  return found;
}"""


@pytest.mark.parametrize("locale", OTHERS)
@pytest.mark.parametrize("question", QUESTIONS)
def test_all_that_can_be_chosen_is_in_reach(revisit: Visit, question: str, locale: str) -> None:
    fragment, taps = QUESTIONS[question]
    page = revisit(fragment, **phone(), locale=locale)
    asked = page.locator(BEST if "hint" in question else ".observing, .panel .box .palette, .anyway")
    for tapped, wanted in enumerate(taps):
        page.locator(wanted).first.dispatch_event("click")
        if wanted == CARD:
            expect(page.locator(".given [data-card]")).to_have_count(taps[: tapped + 1].count(CARD))
    expect(asked.first).to_be_visible()
    expect(page.locator(".hand svg:empty, .palette svg:empty, .palette i:only-child")).to_have_count(0)
    wrong = {}
    for width, height in [*SIZES, OTHERS[locale][[*QUESTIONS].index(question) % 2]]:
        page.set_viewport_size({"width": width, "height": height})
        wrong[width, height] = page.evaluate(WRONG)
    assert not any(wrong.values()), wrong
