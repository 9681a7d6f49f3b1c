"""How a match stands, on the page: hints that go for it, in a hand on a real table and in a game in progress."""

from __future__ import annotations

import json
import re
from itertools import pairwise

from playwright.sync_api import FilePayload, Route, expect

import athanor
from athanor.sessions import Saved, Session
from tests.page.conftest import Visit
from tests.page.support import address, at, dealt, go

STANDING = "kirin totals=5,4,5,6 round=2"
ROUND = "seat=3 hand=D1,D+,S2,S3,ST declared=B- history=0:G-,D3,D5,B6/3:G3,S1,G1,D-/1:B4,GT,D2,B3 trick=2:S+"
FOR_IT = "Hints for the match: the best chance to win or share it"


def test_a_hint_goes_for_the_match_and_back(visit: Visit) -> None:
    page = visit(at(f"{STANDING} {ROUND}", tab="hint"))
    page.get_by_text("Why?").click()
    page.get_by_text("Settings").click()
    expect(page.get_by_role("columnheader", name="Mean score")).to_be_visible()
    expect(page.get_by_role("region", name="Across", exact=True)).to_contain_text("4 points")
    expect(page.get_by_role("region", name="You", exact=True)).to_contain_text("6 points")
    page.get_by_label(FOR_IT).check()
    expect(page.get_by_role("columnheader", name="Match won or shared")).to_be_visible()
    assert "for_match=yes" in page.url
    page.get_by_label(FOR_IT).uncheck()
    expect(page.get_by_role("columnheader", name="Mean score")).to_be_visible()
    assert "for_match" not in page.url


def test_a_duel_has_seats_with_cards_piles_points_and_whose_turn_it_is(revisit: Visit) -> None:
    duel = (
        "alchemy duel totals=40,62 line=A,4,8,10,J,Q hand=6 opponent_hand=9 pile=2,4,K,4 opponent_pile=K,3,3,5,7"
    )
    page = revisit(at(duel, tab="hint"))
    you, opponent = (page.get_by_role("region", name=name, exact=True) for name in ("You", "Opponent"))
    for seat, parts in (
        (you, ("40 points", "Won 4 cards", "5 points this round")),
        (opponent, ("62 points", "Won 5", "6 points this round")),
    ):
        for part in parts:
            expect(seat).to_contain_text(part)
    expect(you.locator(".card")).to_have_accessible_name(re.compile("^6"))
    expect(opponent.locator(".card")).to_have_accessible_name("9")
    expect(page.locator(".mine.to-move")).to_be_visible()
    expect(page.get_by_text("Points: card 1, K 2, 4 Aces 10")).to_be_visible()
    game = Saved(game="alchemy", seed=5, seconds=0.05, variant="duel", seat=1)
    go(page, address(game.model_copy(update={"moves": (("4+4+10=2+5+J", "none"),)})))
    expect(page.get_by_role("region", name="You", exact=True)).to_contain_text("0 points")
    expect(page.get_by_role("region", name="Hermes", exact=True)).to_contain_text("This round: 6 points")
    expect(page.locator(".mine.to-move .card")).to_have_accessible_name(re.compile("Queen"))
    expect(page.get_by_text(re.compile(r"4 Aces 10\s· \d+ cards in the stock"))).to_be_visible()


def test_a_game_does_not_give_its_matches_away_and_a_choice_stays_with_its_table(visit: Visit) -> None:
    page = visit(address(Saved(game="alchemy", seed=5, seconds=0.05, variant="duel")))
    chosen = page.locator('.zone-line .card[aria-pressed="true"]')
    for place in (0, 1):
        page.locator(".zone-line .card").nth(place).click()
        expect(chosen).to_have_count(place + 1)
    expect(page.get_by_role("region", name="Your sum").locator(".card")).to_have_count(3)
    expect(page.locator(".move-list")).to_have_count(0)
    page.get_by_role("tab", name="Rules").click()
    expect(page.get_by_role("article")).to_be_visible()
    expect(chosen).to_have_count(0)


def test_where_a_game_is_won_or_lost_hints_tell_chances(visit: Visit) -> None:
    page = visit(at(dealt("aqua-regia", seat=0), tab="hint"))
    page.get_by_text("Why?").click()
    expect(page.get_by_role("columnheader", name="Wins")).to_be_visible()
    expect(page.get_by_role("cell", name="%").first).to_be_visible()


def test_how_the_match_stands_is_set_up(visit: Visit) -> None:
    draft = {"game": "kirin", "seat": 0, "hand": ["D1", "D2", "D3", "D4", "D5", "D6", "DT", "B2", "D-"]}
    page = visit(at("", tab="setup", draft=json.dumps({**draft, "leader": 0})))
    page.get_by_text("Your seat, the match").click()
    page.get_by_label("Round of the match").select_option("2")
    page.get_by_label("Points so far: You").fill("7")
    page.get_by_label(FOR_IT).check()
    page.get_by_role("button", name="Ask for a hint").click()
    page.get_by_text("Why?").click()
    expect(page.get_by_role("columnheader", name="Match won or shared")).to_be_visible()
    assert "&totals=7,0,0,0&round=2&for_match=yes&" in page.url.replace("kirin&", "&", 1)


def test_a_game_goes_for_the_match_and_so_does_one_from_a_file(visit: Visit) -> None:
    page = visit(at("", tab="play"))
    page.get_by_role("radio", name="Kirin").click()
    page.get_by_text("More", exact=True).click()
    page.get_by_label("Hints aim to win the match from the first round on").check()
    page.get_by_role("button", name="Begin").click()
    expect(page.get_by_role("button", name="Undo")).to_be_visible()
    assert "for_match%3D1" in page.url or "for_match=1" in page.url
    saved = {"saved": "athanor play", "game": "kirin", "seed": 3, "seconds": 0.1, "for_match": True, "moves": []}
    page = visit(at("", tab="play"))
    with page.expect_request("**/v1/match") as asked:
        kept = FilePayload(name="game.json", mimeType="application/json", buffer=json.dumps(saved).encode())
        page.locator('input[type="file"]').last.set_input_files(kept)
    assert (asked.value.post_data_json or {})["match"]["for_match"] is True


def test_why_the_others_moved_is_said_after_the_round(visit: Visit) -> None:
    """Before, the reasons would show what they hold."""
    page = visit(at("", tab="play"))
    page.get_by_role("radio", name="Kirin").click()
    page.get_by_role("button", name="Begin").click()
    others = page.locator(".log li").filter(has_not=page.get_by_text("You:", exact=True))
    for _ in range(2):  # a card to set aside, and one to play
        page.locator(".board button.card.legal").first.click()
        expect(page.get_by_text("Round 1. Your turn.")).to_be_visible()
    page.wait_for_function('() => Object.values(localStorage).some(kept => kept.includes(\'"reason":"\'))')
    expect(others.first).to_be_visible()
    expect(page.get_by_title("Why did the others make these moves?")).to_have_count(0)


def test_who_played_keeps_their_names_after_another_game(visit: Visit) -> None:
    """Sentences of the service name the players of the game that is shown, not of the one before."""
    table = Session(Saved(game="kirin", seed=1, seconds=0.05, rounds=1), forced=False)
    while not table.over:
        table.play(table.round.moves()[0])
    other = Session(Saved(game="king", seed=1, seconds=0.05, players=3))
    page = visit(address(other.saved))
    expect(page.locator(".board")).to_be_visible()
    go(page, address(table.saved))
    expect(page.get_by_text("In this round").first).to_be_visible()
    expect(page.locator(".result .reason")).to_contain_text("for good")
    expect(page.locator(".ranks li .card")).to_have_count(3)  # what the others had set aside
    points = page.locator(".ranks b").all_inner_texts()
    page.emulate_media(reduced_motion="no-preference")
    page.reload()
    expect(page.locator(".ranks b")).to_have_text(points)  # at last: they are counted up
    expect(page.get_by_role("tabpanel")).not_to_contain_text(re.compile("seat \\d"))


def test_a_mistake_without_a_cause_is_shown_as_play_goes_on(visit: Visit) -> None:
    table = Session(Saved(game="kirin", seed=3, seconds=0.05, rounds=1), forced=False)
    while not table.over:
        table.play(table.round.moves()[0])
    page = visit(address(table.saved))

    def unexplained(route: Route) -> None:
        lines = [json.loads(line) for line in route.fetch().text().splitlines()]
        for move in (move for line in lines for move in line.get("moves", ())):
            move |= {"verdict": "worse", "expected_loss": 1.0, "causes": [], "reason": "G4 brings 1.0 more."}
        route.fulfill(body="".join(json.dumps(line) + "\n" for line in lines), content_type="application/x-ndjson")

    page.route("**/v1/match/review", unexplained)
    page.get_by_role("button", name="Review").click()
    page.locator(".worst button").first.click()
    move = page.get_by_role("region", name="A move of the review")
    expect(move).not_to_contain_text("G4 brings 1.0 more.")
    move.get_by_role("button", name="How play may continue").click()
    expect(page.locator(".film")).to_contain_text("One possible deal")


def test_a_review_is_whole_on_a_phone(visit: Visit) -> None:
    table = Session(Saved(game="aqua-regia", players=2, seed=3, seconds=0.05, rounds=1), forced=False)
    while not table.over:
        moves = table.round.moves()
        table.play(moves[-1] if moves[-1] == "pass" else moves[0])
    review = json.loads(json.dumps(athanor.review(table.saved, seat=0, nodes=1).to_dict()))
    tricks = [move["trick"] for move in review["moves"]]
    for move in review["moves"]:
        lost = 0.01 * tricks.count(move["trick"])
        move |= {"verdict": "equal", "expected_loss": lost, "best": "pass Li>Na", "unclear": []}
    page = visit(address(table.saved), viewport={"width": 360, "height": 740})
    body = json.dumps({**review, "complete": True}) + "\n"
    page.route("**/v1/match/review", lambda route: route.fulfill(body=body, content_type="application/x-ndjson"))
    page.get_by_role("button", name="Review").click()
    numbers = page.locator(".walk text[text-anchor=middle]")
    expect(numbers.first).to_have_text("1")
    boxes = numbers.evaluate_all("(all) => all.map((one) => one.getBoundingClientRect().toJSON())")
    assert all(one["right"] < other["left"] for one, other in pairwise(boxes))
    expect(page.locator(".worst button")).to_have_count(0)  # what is as good is no mistake
    page.get_by_text("All moves and numbers").click()
    most = max(range(len(tricks)), key=lambda at: review["moves"][at]["expected_loss"])
    page.locator("table.moves tr.opens").nth(most).click()
    look = page.get_by_role("region", name="A move of the review")
    expect(look.get_by_role("heading")).to_have_text(re.compile(r"^Trick \d+ · turn \d+$"))
    best = look.locator(".look-moves dd", has=page.locator(".card"))
    expect(best.locator(".card")).to_have_count(2)
    tops = best.locator(".card").evaluate_all("(all) => all.map((one) => one.getBoundingClientRect().top)")
    assert tops[0] == tops[1]
    expect(best).not_to_contain_text("Lithium")
