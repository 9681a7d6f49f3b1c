"""Games against hint players to their ends by clicks, one of each kind, from the player's last decision on."""

from __future__ import annotations

import json
import re
from base64 import urlsafe_b64decode
from typing import Any

import pytest
from playwright.sync_api import FilePayload, Locator, Page, expect

from athanor.sessions import Saved, Session
from solver.games.alchemy.position import Round
from solver.limits import Control, Limit
from solver.positions import parse_position
from tests.page.conftest import Visit
from tests.page.support import ENDINGS, HURRY, OVER, Held, address, at, go, phone, reach
from tests.support.games import check_rows
from tests.support.kinds import of_kind

CARD = ".board button.card.legal"
LISTED = ":is(.row.bare, .chosen) .move-button"
KINDS = {
    "kirin": Saved(game="kirin", seed=3, seconds=0.05, rounds=1),
    "king": Saved(game="king", seed=3, seconds=0.05, rounds=1, players=3, rules={"no_bottom_when_trumped": True}),
    "aqua-regia": Saved(game="aqua-regia", seed=5, seconds=0.05, players=2),
    "solitaire": Saved(game="alchemy", seed=3, seconds=0.05, variant="alternative"),
    "duel": Saved(game="alchemy", seed=3, seconds=0.05, variant="duel", rounds=1),
}
check_rows({saved.game for saved in KINDS.values()})


def last_decision(saved: Saved) -> Saved:
    """The game, played by the first legal moves, where its player has the last choice."""
    table = Session(saved, forced=False)
    while not table.over:
        table.play(table.round.moves()[0])
    assert table.undo()
    return table.saved


def my_turn(page: Page) -> Locator:
    """What shows that the player is to move: words or, in a solitaire, whose turns are all the player's, cards."""
    return page.get_by_role("tabpanel").get_by_text("Your turn").or_(page.locator(CARD)).first


def finish(page: Page) -> None:
    """Click cards, and moves of the list, until the game is over. Nobody needs time to watch the others move."""
    page.evaluate(HURRY)
    panel = page.get_by_role("tabpanel")
    over = panel.get_by_role("heading", name=OVER)
    turn = my_turn(page)
    for _ in range(20):
        expect(over.or_(turn).first).to_be_visible()
        if over.is_visible():
            return
        card, listed = page.locator(CARD).first, page.locator(LISTED).first
        expect(card.or_(listed).first).to_be_visible()
        before = page.url
        if card.count():
            card.click()
        # What is left of the moves with that card: the first of them, unless the card was all of it.
        page.wait_for_function(f"(url) => location.href !== url || document.querySelector('{LISTED}')", arg=before)
        if page.url == before:
            listed.click()
        expect(page).not_to_have_url(before)
    raise AssertionError("the game does not end")


@pytest.mark.parametrize("kind", KINDS)
def test_a_game_is_played_to_its_end_by_clicks(visit: Visit, kind: str) -> None:
    page = visit(address(last_decision(KINDS[kind])))
    finish(page)
    if kind not in ("kirin", "solitaire"):  # what follows asks of the rounds of a game, and of its turns
        return
    over = page.get_by_role("heading", name=OVER)
    page.reload()
    expect(over).to_be_visible()
    page.get_by_role("button", name="Undo").click()
    expect(my_turn(page)).to_be_visible()
    page.get_by_role("button", name="Redo").click()
    expect(my_turn(page)).to_have_count(0)


def test_an_analysis_of_hidden_cards_offers_a_hint_with_the_same_names(visit: Visit) -> None:
    page = visit(address(KINDS["kirin"]))
    named = page.locator(".board .seats").get_by_text("Geber", exact=True)
    expect(named).to_be_visible()
    expect(page.get_by_role("tabpanel").get_by_text("Your turn")).to_be_visible()
    page.get_by_role("tab", name="Hint").click()  # a hint in the game, which stays open
    expect(page.get_by_role("region", name="Hint")).to_be_visible()
    expect(page.get_by_role("tab", name="Play")).to_have_attribute("aria-selected", "true")
    page.get_by_role("tab", name="Analysis").click()
    with page.expect_request("**/v1/hint") as asked:
        page.get_by_role("button", name="Ask for a hint").click()
    assert asked.value.headers["x-names"].split(",")[1] == "Geber"  # the service's sentences name the seats, too
    expect(page.get_by_role("button", name="Set it aside")).to_be_visible()
    expect(named).to_be_visible()


def test_a_move_is_seen_to_be_made_before_it_is_answered(visit: Visit) -> None:
    page = visit(address(KINDS["kirin"]))
    card = page.locator(CARD).first
    expect(card).to_be_enabled()
    held = Held(page, "**/v1/match")
    card.click()
    expect(page.locator(".hand .card[aria-busy=true]")).to_have_count(1)
    held.let_go()
    expect(page.locator(".board .card[aria-busy=true]")).to_have_count(0)
    expect(page.locator(".log-trick .move")).not_to_have_count(0)


def test_a_picked_card_lies_in_the_pile_while_the_others_pick(visit: Visit) -> None:
    page = visit(address(Saved(game="king", seed=5, seconds=0.05, players=4)))
    page.route("**/v1/match/turn", lambda _: None)  # the others think
    page.locator(CARD, has_text="Salt").click()
    expect(page.locator(".seat.to-move")).to_have_accessible_name("Geber")
    expect(page.locator(".hand .card")).to_have_count(11)
    expect(page.locator(".seat .left")).to_have_text(["12 left"] * 3)  # nobody sees yet what the others picked
    expect(page.locator("div.middle")).to_contain_text("The others pick a card.")
    expect(page.locator("div.middle")).not_to_contain_text("trumps win")
    page.locator(".mine .pile").click()
    expect(page.locator(".opened").get_by_role("img", name="Water 1, Salt")).to_be_visible()


def test_a_card_that_can_be_played_or_exchanged_is_not_said_to_be_given(visit: Visit) -> None:
    page = visit("#aqua-regia&hands=Mg,Ni/Zn&discard=Al,Zn&history=water:0/1:Li")
    page.locator(".hand [data-card=Mg]").click()
    expect(page.locator(".hand [data-card=Mg]")).to_have_attribute("aria-pressed", "true")
    exchanges = [re.compile("exchange")] * 2
    expect(page.locator(".bare .move-button")).to_have_text([re.compile("Play 1"), *exchanges])
    expect(page.locator(".hand .card-mark")).to_have_count(0)
    page.set_viewport_size({"width": 360, "height": 740})
    expect(page.locator(".chosen .move-button")).to_have_text([re.compile("Play 1"), *exchanges])


def test_a_game_in_a_file_goes_on_and_its_review_shows_all_cards(visit: Visit) -> None:
    saved = last_decision(KINDS["solitaire"])
    page = visit("#~tab=play", permissions=["clipboard-read", "clipboard-write"])
    content = json.dumps(saved.model_dump(mode="json", exclude_none=True)).encode()
    file: FilePayload = {"name": "game.json", "mimeType": "application/json", "buffer": content}
    page.get_by_label("Or continue a game saved to a file").set_input_files(file)
    finish(page)
    log = page.locator(".log-trick .move")  # the last move first, as in all games
    made = page.url.split("~made=")[1].split("&")[0]
    last = urlsafe_b64decode(made + "==").decode().split("\n")[-1]
    expect(log.first.locator(".card")).to_have_count(len(re.findall("[0-9A-Z]+", last)))
    page.get_by_role("button", name="Review").click()
    review = page.get_by_role("region", name="What the moves gave away")
    expect(review).to_contain_text("how much of the chance to win a move cost")
    review.get_by_text("All moves and numbers").click()
    review.get_by_role("button", name="Open it as the seat saw it").first.click()
    move = page.get_by_role("region", name="A move of the review")
    title = move.get_by_role("heading").inner_text()
    page.reload()
    expect(move.get_by_role("heading")).to_have_text(title)
    friend = visit(page.url[page.url.index("#") :])  # who has no review yet
    expect(friend.get_by_role("region", name="A move of the review").get_by_role("heading")).to_have_text(title)
    page.get_by_role("button", name="Back to the review").click()
    page.evaluate("() => { Object.defineProperty(navigator, 'share', { value: undefined }); }")
    page.get_by_role("button", name="Share").click()
    expect(page.get_by_text("Copied.").first).to_be_visible()
    shared = visit(page.evaluate("navigator.clipboard.readText()").replace(page.url.split("#")[0], ""))
    expect(shared.get_by_role("region", name="What the moves gave away")).to_be_visible()
    expect(shared.get_by_text("A shared game.")).to_be_visible()
    page.go_back()
    page.get_by_role("button", name="Analysis with all cards").click()
    expect(page.get_by_role("tab", name="Analysis")).to_have_attribute("aria-selected", "true")
    expect(page).to_have_url(re.compile("#alchemy&alternative&.*stock="))


def test_a_game_is_begun_by_the_readings_of_a_table(visit: Visit) -> None:
    page = visit("#~tab=play")
    panel = page.get_by_role("tabpanel")
    panel.get_by_role("radio", name="King").click()
    panel.get_by_role("radiogroup", name="Players").get_by_role("radio", name="3").click()
    panel.get_by_role("radiogroup", name="Your place in turn order").get_by_role("radio", name="2").click()
    panel.get_by_text("More", exact=True).click()
    panel.get_by_text("Disputed rules").click()
    panel.get_by_label("if nobody followed and a trump wins, or a Dancer that it lifted").check()
    panel.get_by_label("Seed").fill("4")
    panel.get_by_role("button", name="Begin").click()
    expect(page.locator(".board")).to_contain_text(
        "if nobody followed and a trump wins, or a Dancer that it lifted, there is no bottom"
    )
    page.locator(CARD).first.click()  # the pick, which no line of text has
    expect(page.locator(".board .hand .card")).to_have_count(14)
    assert "king,players=3,seed=4,seat=1,rules=no_bottom_when_trumped" in page.url.replace(
        "seconds=0.3,", ""
    ).replace(",seconds=0.3", "")


def test_a_file_that_keeps_no_game_is_refused(revisit: Visit) -> None:
    page = revisit("#~tab=play")
    file: FilePayload = {
        "name": "game.json",
        "mimeType": "application/json",
        "buffer": b'{"saved": "athanor play"}',
    }
    page.get_by_label("Or continue a game saved to a file").set_input_files(file)
    expect(page.get_by_role("tabpanel").get_by_role("alert")).to_contain_text("no saved game")


def test_the_log_is_kept_by_tricks_with_their_winners(visit: Visit) -> None:
    saved = last_decision(KINDS["kirin"])
    page = visit(address(saved))
    page.get_by_role("button", name=re.compile("^All .* moves$")).click()
    log = page.locator(".log")
    table = Session(saved, forced=False)
    tricks = [one for one in table.log() if one.trick == 2]
    second = log.locator(".log-trick").filter(has=page.get_by_role("heading", name=re.compile("^Trick 2 ")))
    expect(second.get_by_role("heading")).to_contain_text("won it")
    expect(second).not_to_contain_text("The trick goes to")  # which would be the same again
    expect(second.get_by_role("listitem")).to_have_count(len(tricks))
    expect(second.locator(".move > .card")).to_have_count(len(tricks))
    now = log.locator(".log-trick").first  # the last one comes first
    expect(now.get_by_role("heading")).to_contain_text(f"Trick {list(table.log())[-1].trick}")
    finish(page)
    expect(log.get_by_role("heading", name=re.compile("^Trick 8 .*won it$"))).to_be_visible()


def test_what_the_player_had_to_do_is_said(revisit: Visit) -> None:
    table = Session(KINDS["aqua-regia"].model_copy(update={"seed": 3}))  # with no card to exchange
    while table.round.to_move != table.seat or list(table.round.moves()) != ["pass"]:
        table.play(table.round.moves()[0])
    page = revisit(address(table.saved))
    expect(page.get_by_role("tabpanel").get_by_text("You had no choice")).to_be_visible()


def test_who_has_drawn_and_passed_is_asked_for_an_exchange(revisit: Visit) -> None:
    table = Session(Saved(game="aqua-regia", seed=34, seconds=0.05, players=3), forced=False)
    while table.round.to_move != table.seat or list(table.round.moves()) != ["pass"]:
        table.play(table.round.moves()[0])
    page = revisit(address(table.saved))
    turn = page.locator(".steps-back > p")
    expect(turn).to_have_text(re.compile("^\\s*You had no card to play, so you passed and drew Pb.*[.]\\s*$"))
    asks = page.get_by_text("Exchange with the discards?")
    expect(asks).to_have_count(1)


def test_who_passes_of_their_own_will_is_told_what_they_drew(revisit: Visit) -> None:
    table = Session(Saved(game="aqua-regia", seed=38, seconds=0.05, players=3), forced=False)
    while table.round.to_move != table.seat or table.count < 6:
        table.play(table.round.moves()[0])
    page = revisit(address(table.saved))
    page.get_by_role("button", name="pass", exact=True).click()
    expect(page.locator(".steps-back > p")).to_have_text(re.compile("^\\s*You passed and drew "))


def test_open_hands_have_no_known_cards_beside_them(revisit: Visit) -> None:
    table = Session(KINDS["aqua-regia"])
    while not table.over:  # with every exchange, after which a card is known
        moves = table.round.moves()
        table.play(next((move for move in moves if ">" in move), moves[0]))
    page = revisit(address(table.saved))
    expect(page.get_by_role("heading", name=OVER)).to_be_visible()
    expect(page.locator(".seat.open")).to_have_count(1)
    expect(page.get_by_role("button", name=re.compile("^Discard pile"))).to_be_visible()
    expect(page.get_by_role("button", name=re.compile("^Known"))).to_have_count(0)


def test_a_solitaire_that_is_won_ends_as_one(revisit: Visit) -> None:
    table = Session(Saved(game="alchemy", seed=1, seconds=0.05, variant="solo"), forced=False)
    while not table.over:
        table.play(table.round.moves()[0])
    page = revisit(address(table.saved))
    expect(page.get_by_role("heading", name=OVER)).to_have_text("You win")


def test_an_only_card_waits_for_its_player(revisit: Visit) -> None:
    table = Session(KINDS["kirin"])
    while table.round.to_move != table.seat or len(table.round.moves()) > 1:
        table.play(table.round.moves()[0])
    page = revisit(address(table.saved))
    expect(page.get_by_role("tabpanel").get_by_text("Your turn.")).to_be_visible()
    page.get_by_role("tab", name="Hint").click()
    expect(page.get_by_role("region", name="Hint")).to_contain_text("The only move")
    card = page.locator(CARD)
    expect(card).to_have_count(1)
    card.click()
    expect(card).to_have_count(0)


@pytest.mark.parametrize("lang", ["en", "ja"])
def test_whether_another_seat_played_or_passed_is_asked_before_its_cards(revisit: Visit, lang: str) -> None:
    words = {
        "en": ["Played", "Passed", "Passed and precipitated"],
        "ja": ["出した", "パスした", "パスして析出した"],
    }
    hand = "hand=Li,Na,Al,Al,Zn,Fe,Ni,Sn,Pb,Pt,Au"
    here = f"aqua-regia players=4 seat=3 {hand} history=0:Mg/1:pass/2:pass/3:pass/0:K/1:Ca"
    page = revisit(at(here, tab="hint"), locale=lang, **phone())
    asked = page.locator(".observing")
    deeds, cards = asked.get_by_role("button"), asked.locator(".card")
    expect(deeds).to_have_text(words[lang])
    expect(cards).to_have_count(0)
    deeds.nth(0).tap()
    expect(asked.locator('[data-card="Zn"]')).to_be_visible()
    expect(asked.locator('[data-card="Li"]')).to_be_disabled()  # which could only be exchanged
    asked.get_by_role("button", name={"en": "Something else", "ja": "選び直す"}[lang]).tap()
    deeds.nth(2).tap()
    asked.locator('[data-card="Li"]').tap()
    expect(asked.locator(".chosen .move-button").first).to_have_text(re.compile("→"))
    asked.locator(".quiet.small").first.tap()
    deeds.nth(1).tap()
    expect(page).to_have_url(re.compile("~moves=pass"))


def test_a_hint_calls_a_pass_after_a_draw_an_exchange_of_nothing(revisit: Visit) -> None:
    hand = "hand=Li,Na,Zn,Fe,Sn,Pb,Cu,Hg,Hg,Pt,Au drawn=Mg"
    here = f"aqua-regia players=4 seat=2 {hand} history=0:Mg/1:pass/2:pass/3:pass/0:K/1:Ca"
    page = revisit(at(here, tab="hint"))
    answer = page.get_by_role("region", name="Hint")
    answer.get_by_text("Why?").click()
    expect(answer.get_by_role("row").filter(has_text="exchange nothing")).to_have_count(1)
    expect(answer.get_by_role("table")).not_to_contain_text("pass")


def test_a_hint_in_a_game_that_is_too_close_to_call_gets_more_time(visit: Visit) -> None:
    table = Session(Saved(game="aqua-regia", seed=34, seconds=0.05, players=3), forced=False)
    while table.round.to_move != table.seat or len(table.round.moves()) < 4:
        table.play(table.round.moves()[0])
    hint = table.round.hint(Control(Limit(nodes=20)))
    assert hint.sure == "close"
    body = hint.model_dump_json() + "\n"
    page = visit(address(table.saved))
    page.route("**/v1/match/hint", lambda route: route.fulfill(body=body, content_type="application/x-ndjson"))
    panel = page.get_by_role("tabpanel")
    panel.get_by_role("button", name="Hint", exact=True).click()
    longer = panel.get_by_role("button", name="Think for 3 s")
    expect(longer).to_be_visible()  # or the first request might still be taken for the second
    with page.expect_request("**/v1/match/hint") as asked:
        longer.click()
    assert json.loads(asked.value.post_data or "")["match"]["seconds"] == 3
    expect(panel.get_by_role("region", name="Hint")).to_be_visible()
    expect(longer).to_have_count(0)


def test_a_game_that_is_left_makes_no_move_in_the_next(visit: Visit) -> None:
    table = Session(KINDS["aqua-regia"])
    while table.round.to_move != table.seat or list(table.round.moves()) != ["pass"]:
        table.play(table.round.moves()[0])
    page = visit("#~tab=play")
    page.evaluate(HURRY.replace("20", "500"))
    held = Held(page, "**/v1/match", lambda request: "duel" in (request.post_data or ""))
    with page.expect_response("**/v1/match/turn"):
        go(page, address(table.saved))
    go(page, address(KINDS["duel"]), shown=False)
    page.wait_for_timeout(700)  # until the only move of the first game would be made
    held.let_go()
    expect(page.get_by_role("button", name="no match")).to_be_visible()


def test_a_duel_shows_what_was_taken_and_says_when_there_is_no_match(revisit: Visit) -> None:
    game = Saved(game="alchemy", seed=4, seconds=0.05, variant="duel", rounds=1)
    page = revisit("")
    page.emulate_media(reduced_motion="no-preference")
    go(page, address(game))
    page.get_by_role("button", name="no match").click()
    expect(page.locator(".board").get_by_role("img", name=", Taken")).to_have_count(6)
    expect(page.locator("div.middle")).to_contain_text("Geber takes the golden cards.")
    expect(page.get_by_role("tabpanel")).to_contain_text("Geber: K+")
    expect(page.get_by_role("tabpanel").get_by_role("button", name="Hint")).to_be_disabled()  # until it is seen
    page.emulate_media(reduced_motion="reduce")
    go(page, address(game.model_copy(update={"moves": (("none", "K+6+9=8+8+Q", "4+A+7+J=6+8+9"),)})))
    expect(page.get_by_text("No match can be made, so your card is discarded.")).to_be_visible()


def test_the_log_names_what_all_picked_once_it_is_turned_up(visit: Visit) -> None:
    page = visit(address(Saved(game="king", seed=5, seconds=0.05, players=4, seat=2)))
    log = page.locator(".log-trick .log-move")
    expect(log.filter(has_text="Picks a card")).to_have_count(2)  # of those before
    page.locator(".hand .card.legal").first.click()
    expect(log.filter(has_text=re.compile(r"picks [A-Z]\d*\b", re.IGNORECASE))).to_have_count(3)
    expect(log.filter(has_text="Picks a card")).to_have_count(0)


def test_the_focus_waits_for_the_next_turn(visit: Visit) -> None:
    table = Session(KINDS["kirin"])
    while table.round.to_move != table.seat or len(table.round.moves()) < 2:
        table.play(table.round.moves()[0])
    page = visit(address(table.saved))
    reach(page, page.locator(".hand .card.legal").first)
    page.keyboard.press("Enter")
    expect(page.get_by_text("is thinking")).to_be_visible()
    expect(page.locator(".mine .hand:focus")).to_be_visible()
    page.keyboard.press("Enter")  # which takes no move back
    expect(page.locator(".mine.to-move .hand .card:focus")).to_be_visible()


def test_the_log_begins_anew_in_a_round(revisit: Visit) -> None:
    table = Session(KINDS["kirin"].model_copy(update={"rounds": 2}))
    while not table.ended:
        table.play(table.round.moves()[0])
    page = revisit(address(table.saved))
    log = page.locator(".log")
    expect(page.get_by_text("No move has been made yet.")).to_be_visible()
    page.get_by_role("button", name="All 36 moves").click()
    expect(log.get_by_role("heading", name="Trick 8")).to_be_visible()


@pytest.mark.parametrize("kind", ["duel", "kirin"])
def test_between_two_rounds_the_next_deal_is_not_shown(revisit: Visit, kind: str) -> None:
    table = Session(KINDS[kind].model_copy(update={"rounds": None}))
    while not table.ended:
        table.play(table.round.moves()[0])
    page = revisit(address(table.saved).replace("~dealt=2", "~dealt=1"))
    following = page.get_by_role("button", name="Next round")
    expect(following).to_be_visible()
    page.get_by_role("tab", name="Hint").click()
    expect(page.get_by_text("The round is over. Begin the next one")).to_be_visible()
    expect(page.locator(CARD)).to_have_count(0)
    page.get_by_role("tab", name="Analysis").click()
    expect(page.get_by_role("tabpanel").get_by_text("The round is over.", exact=True)).to_be_visible()
    page.get_by_role("tab", name="Play").click()
    following.click()
    expect(my_turn(page)).to_be_visible()
    expect(page.get_by_text("Begin the next one")).to_have_count(0)


def test_while_another_game_is_on_its_way_that_before_is_not_shown(visit: Visit) -> None:
    over = Session(KINDS["duel"])
    while not over.over:
        over.play(over.round.moves()[0])
    page = visit(address(over.saved))
    expect(page.get_by_role("heading", name=OVER)).to_be_visible()
    held = Held(page, "**/v1/match")
    go(page, address(last_decision(KINDS["kirin"])))
    expect(page.get_by_role("heading", name=OVER)).to_have_count(0)
    expect(page.get_by_role("button", name="Undo")).to_have_count(0)
    held.let_go()
    expect(my_turn(page)).to_be_visible()


def test_a_game_that_was_left_is_gone_on_with(visit: Visit) -> None:
    saved = last_decision(KINDS["solitaire"])
    page = visit(address(saved))
    undo = page.get_by_role("button", name="Undo")
    expect(undo).to_be_enabled()
    page.get_by_role("button", name="New game").click()
    expect(undo).to_have_count(0)
    page.get_by_role("button", name="Go on: Alternative solitaire").click()
    expect(undo).to_be_enabled()


def test_the_last_game_of_each_kind_is_kept_and_the_next_begins_like_it(visit: Visit) -> None:
    saved = last_decision(KINDS["kirin"])
    page = visit(address(saved))
    undo = page.get_by_role("button", name="Undo")
    expect(undo).to_be_enabled()
    go(page, address(last_decision(KINDS["king"])))
    expect(page.locator(".game-name")).to_have_text("King × Alchemy")
    expect(undo).to_be_enabled()
    page.get_by_role("button", name="New game").click()
    page.get_by_role("radio", name="King").click()
    for group, name in (("Players", "3"), ("Length", "one round")):
        chosen = page.get_by_role("radiogroup", name=group).get_by_role("radio", checked=True)
        expect(chosen).to_have_text(re.compile(rf"^\s*{name}\s*$"))
    bottom = page.get_by_label("if nobody followed and a trump wins, or a Dancer that it lifted")
    assert bottom.evaluate("(reading) => reading.checked")
    expect(page.get_by_role("button", name="Go on: King")).to_be_visible()
    page.get_by_role("button", name="Go on: Kirin").click()
    expect(page.locator(".game-name")).to_have_text("Kirin")
    expect(undo).to_be_enabled()
    page.evaluate("location.hash = ''")
    page.get_by_role("radio", name="King").click()
    page.get_by_role("button", name="Go on: King").click()
    expect(page.locator(".game-name")).to_have_text("King × Alchemy")
    expect(undo).to_be_enabled()


def test_a_new_game_leaves_all_that_are_not_over_to_go_on_with(visit: Visit) -> None:
    duel = Session(KINDS["duel"].model_copy(update={"rounds": None}))
    while duel.number < 1:
        duel.play(duel.round.moves()[0])
    won, lost = of_kind(Round, duel.round.position).totals or (0, 0)
    page = visit("#~tab=play")
    kirins = [last_decision(KINDS["kirin"].model_copy(update={"seed": seed})) for seed in (3, 4)]
    for n, game in enumerate((duel.saved, last_decision(KINDS["solitaire"]), *kirins), 1):
        go(page, address(game))
        page.wait_for_function("(n) => JSON.parse(localStorage['athanor.play.games'] ?? '[]').length === n", arg=n)
    page.get_by_role("button", name="New game").click()
    left = page.get_by_role("button", name=re.compile("^Go on: "))
    kirin = re.compile(r"Kirin, \d+ moves?$")
    expect(left).to_have_text([kirin, kirin, re.compile("Alternative"), re.compile("Duel")])
    page.get_by_role("button", name=f"Go on: Duel, round 2, {won}–{lost}").click()
    expect(page.get_by_role("region", name="You", exact=True)).to_contain_text(f"{won} points")


def test_going_back_leaves_the_table_and_takes_no_move_back(visit: Visit) -> None:
    page = visit(at("", tab="play"))
    expect(page.get_by_role("button", name="Begin")).to_be_visible()
    page.evaluate(HURRY)
    go(page, at("", tab="play", game="kirin,seed=3,seconds=0.05"))
    turn = page.get_by_text("Round 1. Your turn.")
    legal = page.locator(".board button.card.legal").first
    for _ in range(2):
        expect(turn).to_be_visible()
        before = page.url
        legal.click()
        expect(page).not_to_have_url(before)
    expect(turn).to_be_visible()
    page.get_by_role("button", name="Undo").click()
    expect(page.get_by_role("button", name="Redo")).to_be_visible()
    shown = page.locator(".log").inner_text()
    page.go_back()
    expect(page.get_by_role("heading", name="New game")).to_be_visible()
    page.get_by_role("button", name="Go on: Kirin").click()
    expect(page.get_by_role("button", name="Redo")).to_be_visible()
    assert page.locator(".log").inner_text() == shown
    page.get_by_role("button", name="Redo").click()
    expect(page.get_by_role("button", name="Redo")).to_have_count(0)
    expect(turn).to_be_visible()
    made = page.url
    go(page, re.sub("~made=[^&]*", "~made=", made).split("/", 3)[3])  # as an older entry of the history
    expect(page).to_have_url(made)


def test_what_nobody_took_from_kings_tricks_lies_open(visit: Visit) -> None:
    position: Any = parse_position(ENDINGS["king"])
    left = sum(len(trick.cards) - 1 - len(trick.taken) - bool(trick.given) for trick in position.history)
    page = visit(at(ENDINGS["king"], tab="rules"))
    page.get_by_role("button", name=f"Discard pile {left}").click()
    expect(page.locator(":popover-open .card")).to_have_count(left)
