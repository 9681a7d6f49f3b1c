"""King × Alchemy at the table: deals, views, moves and their errors, descriptions, scores."""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

import pytest

from solver.errors import MoveError, RequestError
from solver.games.king import GAME
from solver.games.king.moves import KingScore, earned, making, unmade
from solver.games.king.position import Round
from solver.games.king.rules import DEALT, REMOVED, TRICKS
from solver.limits import Control
from solver.positions import parse_position, parse_record, position_data
from tests.games.king import data
from tests.games.king.examples import BEFORE, BEFORE_SEEN, CARDS, DECK, ENDING, FULL, ROUND, SEEN, TWELVES, change
from tests.reference import king as reference
from tests.support.amounts import Amount
from tests.support.kinds import of_kind

pytestmark = pytest.mark.small


def test_picking() -> None:
    position = parse_position(BEFORE)
    assert GAME.view(position, 1) == parse_position(BEFORE_SEEN)
    assert [GAME.format_move(position, move) for move in GAME.legal_moves(position)] == TWELVES[0]
    after: Any = GAME.play(position, GAME.parse_move(position, " F3 "))
    assert after.choosing
    assert (after.seat, after.picked, len(after.hands[0])) == (1, (("F3",), (), (), ()), 11)
    with pytest.raises(RequestError, match="waits for the others"):
        GAME.view(after, 0)
    assert of_kind(Round, GAME.view(after, 2)).choosing
    for text in ("W2", "E3", "T4"):
        after = GAME.play(after, GAME.parse_move(after, text))
    assert not after.choosing
    assert after.won == (("F3",), ("W2",), ("E3",), ("T4",))
    assert (after.leader, after.history) == (2, ())


def test_picking_the_dancer() -> None:
    hand = [*TWELVES[1][:11], "D"]
    asked = parse_position(BEFORE_SEEN | {"hand": hand, "removed": ["T5", "T4"]})
    dancer = GAME.legal_moves(asked)[-1]
    assert GAME.format_move(asked, dancer) == "D"
    assert GAME.parse_move(asked, "D") == dancer
    with pytest.raises(MoveError, match="'D:F' is a card as it is played"):
        GAME.parse_move(asked, "D:F")


@pytest.mark.parametrize(
    ("data", "text", "words"),
    [
        (ENDING, "", "'' is not a move"),
        (ENDING, "F9 D", "'F9 D' is not a move"),
        (ENDING, "F12", "'F12' is not a card of the deck house"),
        (ENDING, "D", "the Dancer is named a suit when it is played: D:F, D:W, D:E, D:A"),
        (ENDING, "D:W", "D:W may not be played to F7: seat 1 must follow with F9 or D:F"),
        (ENDING, "W1", "seat 1 does not hold W1"),
        (ENDING, "take F7", "nothing is to be taken: seat 1 is to play a card"),
        (FULL, "W1", "the trick is full: seat 0 takes, as in take E2 D"),
        (FULL, "take", "'take': say which cards are taken, or take -"),
        (FULL, "take E2 D give", "one card is given"),
        (FULL, "take E2 D give F7", "F7 is not among the cards left of the trick: none"),
        (FULL, "take E2", "of E2 D exactly 2 must be taken with F7, not 1"),
        (FULL, "take E2 D:F", "'D:F' is a card as it is played; in a hand or a pile it is D"),
        (FULL, "take -", "exactly 2 must be taken"),
        (FULL, "take E2 F7", "F7 won the trick and is kept"),
        (FULL, "take E2 E2", "E2 is taken twice"),
        (SEEN | {"seat": 0, "leader": 0}, "E1", "seat 0 does not hold E1"),
        (change(ENDING, trick=[], hands=[[], [], []]), "F1", "the round is over"),
        (BEFORE, "E1", "seat 0 does not hold E1"),
        (BEFORE, "take F1", "'take F1' is not a card"),
        (CARDS, "F11", "a set of cards cannot be played"),
    ],
)
def test_moves_that_are_none(data: dict[str, Any], text: str, words: str) -> None:
    with pytest.raises(MoveError) as found:
        GAME.parse_move(parse_position(data), text)
    assert words in found.value.message


@pytest.mark.parametrize("data", [SEEN, BEFORE_SEEN])
def test_what_hidden_cards_forbid(data: dict[str, Any]) -> None:
    position = parse_position(data)
    with pytest.raises(RequestError) as found:
        GAME.play(position, GAME.legal_moves(position)[0])
    assert found.value.code == "hidden_cards"
    with pytest.raises(RequestError) as found:
        GAME.analyze(position, Control())
    assert found.value.code == "hidden_cards"


@pytest.mark.parametrize("players", [3, 4, 5])
def test_deals(players: int) -> None:
    before = of_kind(Round, GAME.deal(3, players=players, variant="unpicked"))
    assert [len(hand) for hand in before.hands] == [DEALT[players]] * players
    assert len(before.removed) == REMOVED[players]
    start = of_kind(Round, GAME.deal(3, players=players))
    assert [len(hand) for hand in start.hands] == [TRICKS[players]] * players
    assert [len(pile) for pile in start.won] == [1] * players
    assert start.removed == before.removed
    for hand, dealt, pile in zip(start.hands, before.hands, start.won, strict=True):
        assert sorted((*hand, *pile)) == sorted(dealt)
    assert start == GAME.deal(3, players=players, variant="picked")
    assert start != GAME.deal(3, players=players, number=1)


@pytest.mark.parametrize(
    ("keys", "path"), [({"players": 2}, "players"), ({"players": 6}, "players"), ({"variant": "x"}, "variant")]
)
def test_what_is_not_dealt(keys: dict[str, Any], path: str) -> None:
    with pytest.raises(RequestError) as found:
        GAME.deal(1, **keys)
    assert found.value.path == path


@pytest.mark.covered
def test_every_view_of_random_rounds(amount: Amount) -> None:
    """Whatever is played by the rules is accepted, and a view knows no more and no less than it should."""
    rng = random.Random(61)
    for number in range(amount(6)):
        position = of_kind(Round, GAME.deal(61, number=number, players=3 + number % 3, variant="unpicked"))
        while moves := GAME.legal_moves(position):
            position = of_kind(Round, GAME.play(position, rng.choice(moves)))
            if rng.random() < 0.8:
                continue
            assert parse_position(position_data(position)) == position
            for seat in range(position.players):
                if not position.choosing:
                    _check_view(position, seat)


def _check_view(position: Round, seat: int) -> None:
    seen = of_kind(Round, GAME.view(position, seat))
    assert parse_position(position_data(seen)) == seen
    assert GAME.view(seen, seat) == seen
    state, past = position.state, seen.past
    assert (seen.hand_mask, seen.piles, seen.plays) == (state.hands[seat], state.won, state.trick)
    others = 0
    for other, hand in enumerate(state.hands):
        assert hand & past.excluded(other) == 0
        assert seen.count(other) == hand.bit_count()
        others |= 0 if other == seat else hand
    assert seen.unseen == others
    mine = GAME.legal_moves(position) if seat == position.seat_to_move else []
    assert GAME.legal_moves(seen) == mine


def test_what_is_shown_and_hidden() -> None:
    position = GAME.deal(1)
    for _ in range(7):
        position = GAME.play(position, GAME.legal_moves(position)[0])
    seen = GAME.view(position, 2)
    keys = {"game", "deck", "leader", "trick", "removed", "seat", "hand", "won", "history"}
    assert set(position_data(seen)) == keys


def test_a_view_of_a_round_that_was_typed_in() -> None:
    """Without a history a position that has every card and one won a seat is a round about to start."""
    data = position_data(GAME.deal(5))
    del data["history"], data["removed"]
    seen = of_kind(Round, GAME.view(parse_position(data), 1))
    assert seen.removed == tuple(sorted(GAME.deal(5).removed, key=DECK.index.__getitem__))  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("data", "seat", "code", "path"),
    [
        (ENDING, 0, "missing_key", "history"),
        (ENDING, 3, "out_of_range", "seat"),
        (SEEN, 1, "hidden_cards", "seat"),
        (BEFORE_SEEN, 2, "hidden_cards", "seat"),
        (CARDS, 0, "not_offered", "cards"),
    ],
)
def test_views_that_there_are_not(data: dict[str, Any], seat: int, code: str, path: str) -> None:
    with pytest.raises(RequestError) as found:
        GAME.view(parse_position(data), seat)
    assert (found.value.code, found.value.path) == (code, path)


def test_what_is_not_analyzed() -> None:
    assert GAME.asks(parse_position(ENDING)) >= {"analyze", "best-move", "value"}
    for asked in (BEFORE, CARDS):
        with pytest.raises(RequestError) as found:
            GAME.analyze(parse_position(asked), Control())
        assert found.value.code == "not_offered"


def test_positions_as_text() -> None:
    brewing = change(FULL, won=[["F11", "F10", "W7", "T1"], [], []])
    assert GAME.describe(parse_position(brewing)) == [
        ("Deck", "House deck"),
        ("Seat 0", "W1   (to move)"),
        ("Seat 1", "W9"),
        ("Seat 2", "A5"),
        ("Seat 0 won", "F10 F11 W7 T1   (4 points; makes Electrum +7 = 11)"),
        ("Trick", "seat 0 F7, seat 1 D:F, seat 2 E2; seat 0 wins and is to take"),
    ]
    rows = GAME.describe(parse_position(SEEN))
    assert ("Trick", "none yet; seat 0 leads") in rows
    assert ("Tricks", "1 of 11 played") in rows
    assert ("Seat 1 holds", "no F") in rows
    assert ("Removed", "T5 D") in rows
    assert GAME.describe(parse_position(BEFORE_SEEN))[1] == (
        "You",
        "seat 1 of 4; to pick a card, which is won outright",
    )
    picks = dict(GAME.describe(GAME.play(parse_position(BEFORE), GAME.legal_moves(parse_position(BEFORE))[0])))
    assert picks["Seat 0"].endswith("(has picked F1)")
    assert picks["Seat 1"].endswith("(has not picked yet; to pick now)")
    assert GAME.describe(parse_position(CARDS))[1] == ("Cards", "F10 F11 W7   (3 points; makes Electrum +7 = 10)")


def test_the_rules_name_every_ruling() -> None:
    text = GAME.rules()
    assert text.count("**Ruling") == 9  # and where the word is explained
    for words in ("never has to be played", "another suit", "trick is complete", "equal numbers", "is the bottom"):
        assert words in text


POINTS = ((2 + 0 + 1 + 3 + 1, 7), (1 + 0 + 1 + 3 + 3 + 1, 18), (1 + 3 + 3 + 1 + 3 + 2, 9))


def score(*rounds: dict[str, Any]) -> KingScore:
    return of_kind(KingScore, GAME.score(parse_record({"game": "king", "deck": "house", "rounds": list(rounds)})))


def test_a_round() -> None:
    found = score(ROUND)
    assert [(seat.vp, seat.bonus) for seat in found.earned[0]] == list(POINTS)
    assert found.rounds == (tuple(vp + bonus for vp, bonus in POINTS),)
    assert found.totals == found.rounds[0]
    assert (found.winners, found.finished) == (None, False)
    electrum, stone, powder = (seat.recipes for seat in found.earned[0])
    assert [(made.card, made.item, made.uses, made.bonus) for made in electrum] == [
        ("F11", "Electrum", ("F10", "W7"), 7)
    ]
    assert [(made.card, made.uses) for made in stone] == [("T5", ("E9", "A3", "W2", "F1"))]
    assert [(made.card, made.uses) for made in powder] == [("T1", ("F3", "A1", "A4"))]
    assert found.earned[0][0].one_line() == "seat 0: 14 = 7 + 7: Electrum 7 (F11 of F10 W7)"


def test_a_match() -> None:
    turned = {"won": [ROUND["won"][1], ROUND["won"][2], ROUND["won"][0]]}
    again = {"won": [ROUND["won"][2], ROUND["won"][0], ROUND["won"][1]]}
    match = score(ROUND, turned, again)
    assert match.finished
    assert len(set(match.totals)) == 1
    assert match.winners == (0, 1, 2)  # ties share
    assert score(ROUND, ROUND, turned).winners == (1,)


@pytest.mark.parametrize(("you", "who"), [(1, "You have"), (0, "Seat 1 has"), (None, "Seat 1 has")])
def test_what_a_seat_made_is_told_in_a_sentence(you: int | None, who: str) -> None:
    pile = sum(1 << DECK.index[code] for code in ("F6", "A2", "F8"))
    found = making(earned(DECK, 1, pile, Control()), you)
    assert found == f"{who} 5 points from cards, and made Green Lion +5 (F6 with A2, F8)."


def test_a_recipe_that_shares_a_card_with_a_better_one_is_not_counted() -> None:
    pile = sum(1 << DECK.index[code] for code in ("W9", "E3", "W4", "E1", "F8", "A6"))  # one tin for two recipes
    found = earned(DECK, 0, pile, Control())
    [made] = found.recipes
    [other] = {"Pewter", "Bronze"} - {made.item}
    assert unmade(DECK, pile, found) == [f"Not counted: {other} +5, since each card serves only once."]


def test_what_a_seat_without_a_recipe_has_is_told() -> None:
    found = earned(DECK, 0, 1 << DECK.index["F1"], Control())
    assert making(found, 0) == f"You have {found.vp} points from cards, and completed no recipe."
    assert unmade(DECK, 1 << DECK.index["F1"], found) == []


@pytest.mark.covered
@pytest.mark.parametrize("players", data.PLAYERS)
def test_playthroughs_are_as_recorded(players: int) -> None:
    recorded = (data.FOLDER / f"playthrough-{players}.txt").read_text(encoding="utf-8")
    assert data.playthrough(players) == recorded


# Disputed readings at the taking. -------------------------------------------------------------------------------


READINGS = {"no_bottom_when_trumped": "no bottom", "late_trump_does_not_lift": "only an earlier trump"}


@pytest.mark.covered
@pytest.mark.parametrize("players", [3, 4, 5])
def test_a_reading_is_named_where_a_taking_depends_on_it(players: int) -> None:
    """Whether it does is what the reference says of the trick, with the option and without."""
    named: Counter[str] = Counter()
    options = [*GAME.options]
    for seed in range(12):
        rng = random.Random(seed)
        on = rng.sample(options, rng.choice((0, 0, 1)))
        position: Any = GAME.deal(seed, players=players, rules=dict.fromkeys(on, True))
        while legal := GAME.legal_moves(position):
            full = position.trick_is_full
            found = {option for note in GAME.notes(position) for option in options if READINGS[option] in note}
            assert found == ({name for name in options if depends(position, name)} if full else set())
            if full:
                seen = GAME.view(position, rng.randrange(players))
                assert list(GAME.notes(seen)) == list(GAME.notes(position))
            named.update(found)
            position = GAME.play(position, rng.choice(legal))
    assert min(named[option] for option in options) >= 1


def depends(position: Round, option: str) -> bool:
    def settled(rules: set[str]) -> tuple[object, ...]:
        data = position_data(position) | {"rules": dict.fromkeys(rules, True)}
        deck, now = reference.load(data)
        takes = reference.takings(deck, now.trick)
        low = reference.bottom(deck, now.trick) if takes[0].given is not None else None
        return reference.winner(deck, now.trick), low, sorted(map(repr, takes))

    rules = {name for name, on in (position_data(position).get("rules") or {}).items() if on}
    return option not in rules and settled(rules) != settled(rules | {option})
