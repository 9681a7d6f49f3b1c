"""Aqua Regia's decks, positions, moves and records as users write them: read, described, or refused and why."""

from __future__ import annotations

import copy
import random
from collections.abc import Callable
from importlib import resources
from pathlib import Path
from typing import Any

import pytest

import athanor
from solver import decks
from solver.codec import Names, cards_of
from solver.errors import AthanorError, MoveError, PositionError, RequestError
from solver.games.aqua_regia import GAME, text
from solver.games.aqua_regia.deck import KIND
from solver.games.aqua_regia.position import Round
from solver.games.aqua_regia.rules import Play, State
from solver.positions import parse_position, parse_record, position_data, text_of
from tests.games.aqua_regia.deals import KNOWN, SEEN, SMALL, after, change, ending, known_from, position, view_from
from tests.games.aqua_regia.random_positions import random_position, random_table
from tests.reference import aqua as reference
from tests.reference.aqua import FIELDS
from tests.support.mangling import check_positions, check_refusals, mangle

# Decks. ---------------------------------------------------------------------------------------------------------

HOUSE_TEXT = resources.files("solver.games.aqua_regia").joinpath("decks/aqua-regia-house.toml").read_text("utf-8")

POSITION: dict[str, Any] = {
    "game": "aqua-regia",
    "deck": SMALL,
    "field": "acid",
    "turn": 0,
    "hands": [["Fe", "Ag"], ["Ag"]],
}


@pytest.mark.small
def test_a_deck_of_ones_own() -> None:
    deck = KIND.read(SMALL)
    assert (deck.name, deck.title, deck.copies, deck.size, deck.cards) == ("small", "small", 2, 2, 4)
    assert deck.reactivity == ((0, 1), (1, 0), (2, 0), (3, 9))
    assert [metal.name for metal in deck.metals] == ["Fe", "Ag"]
    assert KIND.read({key: value for key, value in SMALL.items() if key != "copies"}).copies == 4


@pytest.mark.small
def test_decks_of_any_size_are_read() -> None:
    import random

    rng = random.Random(1)
    for _ in range(50):
        table = random_table(rng)
        deck = KIND.read(table)
        assert (deck.size, deck.copies) == (len(table["metal"]), table["copies"])


@pytest.mark.small
def test_a_position_holds_a_deck() -> None:
    position = known_from(POSITION)
    assert position.metals == KIND.read(SMALL)
    assert parse_position(position_data(position)) == position


def without(key: str) -> Callable[[dict[str, Any]], None]:
    return lambda data: data.pop(key)


def metal(place: int, **keys: Any) -> Callable[[dict[str, Any]], None]:
    return lambda data: data["metal"][place].update(keys)


def reactivity(place: int, **row: Any) -> Callable[[dict[str, Any]], None]:
    return lambda data: data["metal"][place]["reactivity"].update(
        {key.replace("_", "-"): value for key, value in row.items()}
    )


@pytest.mark.small
@pytest.mark.parametrize(
    ("change", "code", "path", "words"),
    [
        (reactivity(1, water=0, aqua_regia=0), "never_playable", "metal[1].reactivity", "no field takes Ag"),
        (reactivity(1, water=-1), "out_of_range", "metal[1].reactivity.water", "metal Ag, water: "),
        (reactivity(0, acid=10), "out_of_range", "metal[0].reactivity.acid", "metal Fe, acid: "),
        (reactivity(0, acid="2+"), "wrong_type", "metal[0].reactivity.acid", "metal Fe, acid: "),
        (reactivity(0, lava=1), "unknown_key", "metal[0].reactivity.lava", "lava"),
        (metal(0, reactivity={"water": 1}), "missing_key", "metal[0].reactivity.vapor", "metal Fe, vapor: "),
        (metal(1, symbol="Fe"), "duplicate_card", "metal[1].symbol", "Fe is already metal[0]"),
        (metal(1, symbol="A g"), "wrong_text", "metal[1].symbol", "'A g'"),
        (metal(1, symbol="A>"), "wrong_text", "metal[1].symbol", "'A>'"),
        (metal(1, symbol="pass"), "wrong_text", "metal[1].symbol", "pass"),
        (metal(1, symbol=""), "wrong_size", "metal[1].symbol", "at least 1"),
        (metal(1, colour="grey"), "unknown_key", "metal[1].colour", "metal Ag: "),
        (metal(1, name="\n"), "wrong_text", "metal[1].name", "metal Ag: "),
        (lambda data: data["metal"][0].pop("symbol"), "missing_key", "metal[0].symbol", "symbol"),
        (lambda data: data["metal"].clear(), "wrong_size", "metal", "1"),
        (lambda data: data["metal"].append(7), "wrong_type", "metal[2]", "an object is expected, not 7"),
        (lambda data: data.update(copies=0), "out_of_range", "copies", "1"),
        (lambda data: data.update(copies=True), "wrong_type", "copies", "a whole number is expected, not true"),
        (
            lambda data: data.update(fields=["vapor", "water", "acid", "aqua-regia"]),
            "unknown_value",
            "fields",
            "order",
        ),
        (lambda data: data.update(card=[]), "unknown_key", "card", "card"),
        (without("metal"), "missing_key", "metal", "metal"),
        (without("name"), "missing_key", "name", "name"),
    ],
)
def test_what_decks_are_refused_for(
    change: Callable[[dict[str, Any]], None], code: str, path: str, words: str
) -> None:
    data = copy.deepcopy(SMALL)
    change(data)
    with pytest.raises(PositionError) as found:
        KIND.read(data)
    assert (found.value.code, found.value.path) == (code, path)
    assert words in found.value.message
    with pytest.raises(PositionError) as found:
        parse_position(POSITION | {"deck": data})
    assert (found.value.code, found.value.path) == (code, f"deck.{path}")
    assert words in found.value.message


@pytest.mark.small
def test_a_metal_that_cannot_be_read_hides_no_double() -> None:
    data = copy.deepcopy(SMALL)
    data["metal"] += [copy.deepcopy(data["metal"][1])]
    reactivity(0, acid="2+")(data)
    with pytest.raises(PositionError) as found:
        KIND.read(data)
    assert [one.path for one in found.value.faults] == [
        "metal[0].reactivity.acid",
        "metal[2].symbol",
        "metal[1].symbol",  # whoever changed that one looks at it
    ]


@pytest.mark.small
def test_the_catalogue_has_the_house_deck_and_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(decks.FOLDER_VARIABLE, str(tmp_path))
    (tmp_path / "mine.toml").write_text(HOUSE_TEXT.replace('name = "house"', 'name = "mine"'), encoding="utf-8")
    (tmp_path / "bad.toml").write_text(
        HOUSE_TEXT.replace('name = "house"', 'name = "bad"').replace("copies = 4", "copies = -4"), encoding="utf-8"
    )
    assert decks.find(KIND, "house") is KIND.house
    position = known_from(POSITION | {"deck": "mine"})
    assert position.metals.metals == KIND.house.metals
    for name, words in (("bad", "copies: "), ("theirs", "there is no deck of aqua-regia called 'theirs'")):
        with pytest.raises(PositionError) as found:
            parse_position(POSITION | {"deck": name})
        assert (found.value.code, found.value.path) == ("unknown_deck", "deck")
        assert words in found.value.message


@pytest.mark.small
@pytest.mark.parametrize("deck", [7, [], ""])
def test_what_is_no_deck(deck: Any) -> None:
    with pytest.raises(PositionError) as found:
        parse_position(POSITION | {"deck": deck})
    assert found.value.path == "deck"


# Positions, views and records. ----------------------------------------------------------------------------------


def test_what_is_read() -> None:
    known = known_from(KNOWN)
    count = known.metals.counts
    number = known.metals.index.__getitem__
    assert known.state == State(
        hands=(count([0, 11]), count([15, 7, 7]), count([7, 9, 9])),
        turn=2,
        field=2,
        reversed=False,
        table=(0, 6, 6),
        owner=1,
        stock=(10, 0),
        discard=count(map(number, ["K", "K", "Pb"])),
    )
    assert known.top == Play(6, 2)
    assert (known.seat_to_move, known.players) == (2, 3)
    seen = view_from(SEEN)
    assert (seen.seat_to_move, seen.players, seen.hidden(0), seen.hidden(1), seen.hidden_stock) == (2, 3, 2, 2, 2)
    assert seen.unseen == tuple(map(int, "3244442342344443"))


def test_what_may_be_left_out() -> None:
    short = known_from({"game": "aqua-regia", "field": "water", "turn": 1, "hands": [["Li"], ["K"]]})
    assert (short.deck, short.reversed, short.table, short.owner, short.stock) == ("house", False, (), None, ())
    assert short.discard == ()


@pytest.mark.parametrize("data", [KNOWN, SEEN, SEEN | {"drawn": "Au"}])
def test_a_position_is_read_back_from_its_data(data: dict[str, Any]) -> None:
    position = parse_position(data)
    assert parse_position(position_data(position)) == position


def test_full_hands_are_a_deal_only_without_a_discard_pile() -> None:
    """The field follows from a deal alone, so beside a discard pile its text has it."""
    played = str(ending(random.Random(1), 2, 20))
    assert "field=water" in played
    assert str(parse_position(played)) == played
    assert "field" not in str(athanor.deal("aqua-regia", players=2, seed=1))


def refused(data: object, code: str, path: str, words: str) -> None:
    with pytest.raises(PositionError) as found:
        parse_position(data)
    assert (found.value.code, found.value.path) == (code, path), found.value
    assert words in found.value.message


OF_BOTH: list[tuple[dict[str, Any], str, str, str]] = [
    ({"table": ["Xx"]}, "illegal_card", "table[0]", "'Xx' is not a metal of the deck house"),
    ({"table": [3]}, "wrong_type", "table[0]", "text is expected"),
    ({"discard": ["zz"]}, "illegal_card", "discard[0]", "'zz'"),
    ({"colour": "D"}, "unknown_key", "colour", "'colour'"),
    ({"field": None}, "missing_key", "field", "field"),
    ({"field": "lava"}, "unknown_value", "field", "water"),
    ({"turn": None}, "missing_key", "turn", "turn"),
    ({"turn": 3}, "out_of_range", "turn", "with 3 players seats are 0 to 2"),
    ({"turn": 5}, "out_of_range", "turn", "5"),
    ({"turn": True}, "wrong_type", "turn", "a whole number is expected, not true"),
    ({"reversed": 1}, "wrong_type", "reversed", "true or false is expected, not 1"),
    ({"owner": 4}, "out_of_range", "owner", "with 3 players"),
    # an owner who is to move, or whom nobody knows, or who owns nothing
    ({"owner": 2}, "conflict", "owner", "seat 2 played the last cards and can't be to move"),
    ({"owner": None}, "missing_key", "owner", "who played the last cards"),
    ({"table": []}, "conflict", "owner", "the table is empty"),
    # a fifth card of a metal
    ({"discard": ["Mg"] * 5}, "duplicate_card", "discard[4]", "this is card number 5 of Mg; "),
    ({"discard": ["Zn", "Zn", "Zn"]}, "duplicate_card", "table[2]", "this is card number 5 of Zn; the deck has 4"),
    # tables that don't climb
    ({"table": ["Zn", "Li"]}, "illegal_play", "table[1]", "Li is not stronger than Zn"),
    (
        {"table": ["Li", "Zn", "Zn", "Zn"]},
        "illegal_play",
        "table[1]",
        "on 1 Li, 1 or 2 cards must be played, not 3",
    ),
    (
        {"table": ["Li", "Li", "Zn"]},
        "illegal_play",
        "table[2]",
        "on 2 Li, 2 or 3 cards must be played, not 1",
    ),
    ({"table": ["Zn", "Li", "Zn"]}, "illegal_play", "table[1]", "Li is not stronger than Zn"),
    ({"table": ["Li", "Au"]}, "illegal_play", "table[1]", "Au can't be played in acid: its reactivity is 0"),
    (
        {"table": ["Hg", "Hg"]},
        "illegal_play",
        "table[0]",
        "2 Hg can't be played at once in acid: that takes reactivity 2, not 1",
    ),
    # what was seen
    ({"known": [[], []]}, "wrong_size", "known", "3 players"),
    ({"known": [[], ["Qq"], []]}, "illegal_card", "known[1][0]", "'Qq'"),
    ({"deal_passes": [{"seat": 3, "field": "acid"}]}, "out_of_range", "deal_passes[0].seat", "3 players"),
    ({"deal_passes": [{"seat": 1, "field": "fire"}]}, "unknown_value", "deal_passes[0].field", "water"),
    ({"deal_passes": [{"seat": 2, "field": "vapor"}]}, "conflict", "deal_passes[0]", "seat 2 has 1 card"),
    (
        {"deal_passes": [{"seat": 1, "field": "water"}, {"seat": 1, "field": "water", "max_playable": 2}]},
        "conflict",
        "deal_passes[1]",
        "twice",
    ),
]


@pytest.mark.parametrize(("keys", "code", "path", "words"), OF_BOTH)
@pytest.mark.parametrize("data", [KNOWN, SEEN], ids=["known", "seen"])
def test_faults_of_both(data: dict[str, Any], keys: dict[str, Any], code: str, path: str, words: str) -> None:
    refused(change(data, **keys), code, path, words)


def test_five_at_once_are_too_many_whatever_the_deck_has() -> None:
    row = {"water": 2, "vapor": 2, "acid": 2, "aqua-regia": 2}
    deck = {"name": "many", "copies": 6, "metal": [{"symbol": symbol, "reactivity": row} for symbol in "AB"]}
    data = change(
        KNOWN, deck=deck, hands=[["A"], ["B"], ["B"]], stock=[], discard=[], known=None, deal_passes=None
    )
    refused(data | {"table": ["A"] * 5}, "illegal_play", "table[0]", "at most 4 cards are played at once")
    assert known_from(data | {"table": ["A"] * 4}).viewer is None


@pytest.mark.parametrize(
    ("keys", "code", "path", "words"),
    [
        ({"hands": [["Li"]]}, "wrong_size", "hands", "2"),
        ({"hands": [["Li"]] * 6}, "wrong_size", "hands", "5"),
        ({"hands": None}, "missing_key", "hands", "hands"),
        (
            {"hands": [["Li", "Cu"], ["Fe"], []]},
            "wrong_size",
            "hands[2]",
            "seat 2 has no cards: it has won already",
        ),
        ({"hands": [["Li", "Cu"], ["Au"], ["H"]]}, "illegal_card", "hands[2][0]", "'H'"),
        ({"stock": ["Zn", "Zn", "Zn"]}, "duplicate_card", "table[2]", "card number 5 of Zn"),
        ({"stock": ["Au"] * 4}, "duplicate_card", "stock[3]", "card number 5 of Au"),
        ({"known": [[], ["Au", "Au"], []]}, "conflict", "known[1][1]", "seat 1 does not hold that many Au"),
        ({"stock_count": 2}, "unknown_key", "stock_count", "stock_count"),
        ({"counts": [2, 3, 3]}, "unknown_key", "counts", "counts"),
    ],
)
def test_faults_of_known_positions(keys: dict[str, Any], code: str, path: str, words: str) -> None:
    refused(change(KNOWN, **keys), code, path, words)


@pytest.mark.parametrize(
    ("keys", "code", "path", "words"),
    [
        ({"seat": None}, "missing_key", "seat", "seat"),
        ({"seat": 3}, "out_of_range", "seat", "with 3 players"),
        ({"counts": [2]}, "wrong_size", "counts", "2"),
        (
            {"counts": [2, 3, 4]},
            "wrong_size",
            "counts[2]",
            "the hand has 3 cards; according to the counts or the history it has 4",
        ),
        ({"counts": [0, 3, 3]}, "wrong_size", "counts[0]", "seat 0 has no cards: it has won already"),
        ({"counts": [-1, 3, 3]}, "out_of_range", "counts[0]", "0"),
        (
            {"hand": []},
            "wrong_size",
            "counts[2]",
            "the hand has 0 cards; according to the counts or the history it has 3",
        ),
        ({"known": [["Au", "Ag", "Pt"], [], []]}, "wrong_size", "known[0]", "more cards of seat 0 are known than"),
        ({"known": [[], [], ["Li"]]}, "conflict", "known[2][0]", "seat 2 does not hold that many Li"),
        ({"known": [[], ["Sn", "Sn"], []], "drawn": "Sn"}, "duplicate_card", "known[1][1]", "card number 5 of Sn"),
        (
            {"stock_count": 51},
            "wrong_size",
            "stock_count",
            "54 cards can be in the other hands and the stock, not 55",
        ),
        ({"stock": ["Pb"]}, "unknown_key", "stock", "stock"),
        ({"hands": [["Pb"]]}, "unknown_key", "seat", "seat"),
        ({"drawn": "Uu"}, "illegal_card", "drawn", "'Uu'"),
        ({"drawn": "Pb", "stock_count": 0}, "conflict", "drawn", "no card to draw"),
        ({"drawn": "Pb", "turn": 0}, "conflict", "drawn", "seat 0 is to move, so seat 2 draws nothing"),
        ({"drawn": "Pb", "table": [], "owner": None}, "conflict", "drawn", "the dealer leads and does not pass"),
    ],
)
def test_faults_of_views(keys: dict[str, Any], code: str, path: str, words: str) -> None:
    refused(change(SEEN, **keys), code, path, words)


def test_as_many_hidden_cards_as_there_are() -> None:
    assert isinstance(parse_position(SEEN | {"stock_count": 50}), Round)


@pytest.mark.parametrize(
    ("data", "code", "path", "words"),
    [
        ({"rounds": []}, "wrong_size", "rounds", "1"),
        ({"rounds": [{}]}, "missing_key", "rounds[0].hands", "hands"),
        ({"rounds": [{"hands": [[], ["Li"]], "counts": [0, 1]}]}, "conflict", "rounds[0].counts", "not both"),
        ({"rounds": [{"counts": [2, 1]}]}, "conflict", "rounds[0].counts", "every seat has cards"),
        ({"rounds": [{"counts": [0, 1, 0]}]}, "conflict", "rounds[0].counts", "seats 0, 2 have none"),
        ({"rounds": [{"hands": [["Li"], ["K"]]}]}, "conflict", "rounds[0].hands", "every seat has cards"),
        ({"rounds": [{"hands": [["Li"] * 5, []]}]}, "duplicate_card", "rounds[0].hands[0][4]", "number 5 of Li"),
        ({"rounds": [{"hands": [["L"], []]}]}, "illegal_card", "rounds[0].hands[0][0]", "'L'"),
        ({"rounds": [{"counts": [0, 65]}]}, "wrong_size", "rounds[0]", "the deck has 64"),
        ({"rounds": [{"counts": [0, 1]}, {"counts": [0, 1, 2]}]}, "wrong_size", "rounds[1]", "3 players"),
        ({"rounds": [{"counts": [0]}]}, "wrong_size", "rounds[0].counts", "2"),
        ({"rounds": [{"counts": [0, 1]}], "deck": "mine?"}, "unknown_deck", "deck", "'mine?'"),
    ],
)
def test_faults_of_records(data: dict[str, Any], code: str, path: str, words: str) -> None:
    with pytest.raises(PositionError) as found:
        parse_record({"game": "aqua-regia"} | data)
    assert (found.value.code, found.value.path) == (code, path)
    assert words in found.value.message


ENDING = {
    "game": "aqua-regia", "field": "vapor", "turn": 0, "table": ["Al"], "owner": 2,
    "hands": [["Fe"], ["Cu", "Pt"], ["Zn"]], "stock": [],
}  # fmt: skip


def test_a_finished_game_is_read_again_as_it_is_told() -> None:
    position = athanor.parse(ENDING)
    for seat in range(3):
        view = athanor.play(athanor.view(position, seat), "Fe")
        again = athanor.parse(str(view))
        assert str(again) == str(view)
        assert not athanor.legal_moves(again)
        with pytest.raises(RequestError) as found:
            athanor.hint(again, nodes=100)
        assert (found.value.code, found.value.path) == ("game_over", "counts[0]")
    over = athanor.play(position, "Fe")
    assert str(athanor.parse(str(over))) == str(over)
    assert not athanor.legal_moves(str(over))


def test_nobody_else_is_without_cards() -> None:
    for hands, path in (([["Fe"], [], ["Zn"]], "hands[1]"), ([[], ["Cu"], []], "hands[0]")):
        with pytest.raises(PositionError) as found:
            athanor.parse(ENDING | {"hands": hands})
        assert (found.value.code, found.value.path) == ("wrong_size", path)
    with pytest.raises(PositionError) as found:
        athanor.parse(
            {key: value for key, value in ENDING.items() if key not in ("table", "owner")}
            | {"hands": [[], ["Fe"], ["Zn"]]}
        )
    assert found.value.path == "hands[0]"


# Moves. ---------------------------------------------------------------------------------------------------------


@pytest.mark.small
@pytest.mark.parametrize("text", ["Fe Fe", " Fe  Fe ", "pass", "pass Fe>Pb", "pass Fe > Pb", "pass Li>K"])
def test_moves_are_read(text: str) -> None:
    at = parse_position(KNOWN | {"hands": [["Li", "Cu"], ["Au"], ["Fe", "Fe", "Li"]]} | {"known": None})
    move = GAME.parse_move(at, text)
    assert GAME.format_move(at, move).split() == text.replace(" > ", ">").split()
    assert move in GAME.legal_moves(at)


@pytest.mark.small
@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "'' is not a move; moves are like"),
        ("Qq", "'Qq' is not a metal of the deck house"),
        ("Sn Fe", "cards played together must be of one metal"),
        ("pass Zn", "after pass write nothing, or"),
        ("pass Zn>Pb>Au", "after pass write nothing, or"),
        ("pass Zn>Qq", "'Qq' is not a metal"),
        ("pass >", "'' is not a metal"),
        ("Zn>Pb", "an exchange begins with pass: pass Zn>Pb"),
        ("Sn Sn Sn", "seat 2 does not hold 3 Sn"),
        ("Cu", "seat 2 does not hold 1 Cu"),
        ("Sn", "on 2 Zn, 2 or 3 cards must be played, not 1"),
        ("pass Cu>Pb", "seat 2 does not hold Cu"),
        ("pass Sn>K", "K is not stronger than Sn"),
        ("pass Fe>Cu", "there is no Cu in the discard pile"),
    ],
)
def test_moves_that_are_refused(text: str, words: str) -> None:
    with pytest.raises(MoveError) as found:
        GAME.parse_move(parse_position(KNOWN), text)
    assert found.value.code == "illegal_move"
    assert words in found.value.message


@pytest.mark.small
@pytest.mark.parametrize(
    ("at", "text", "words"),
    [
        (position("Li", "K"), "pass", "seat 0 is the dealer, and must lead if it can"),
        (position("Li Au", "K"), "Au", "Au can't be played in water: its reactivity is 0"),
        (
            position("Li Mg Mg", "K"),
            "Mg Mg",
            "2 Mg can't be played at once in water: that takes reactivity 2, not 1",
        ),
        (position("Li K", "Na", table="Na", owner=1), "K", "K is not stronger than Na"),
        (
            position("Li", "Na", table="Na", owner=1, discard="Au Au Au Au"),
            "pass Li>Au",
            "all 4 Au are in the discard pile, so none may be taken",
        ),
        (after(position("Li", "Na"), "Li"), "pass", "the game is over: seat 0 has no cards left"),
        (parse_position(change(SEEN, turn=0)), "Fe Fe", "seat 0 is to move, not seat 2"),
        (parse_position(SEEN), "pass Fe>Pb", "the pass draws a card: make it (pass), then give the card as drawn"),
        (parse_position(SEEN | {"drawn": "Sn"}), "Sn Sn", "seat 2 has passed and drawn Sn"),
        (
            parse_position(change(SEEN, table=[], owner=None, field="water")),
            "Fe",
            "Nothing in the hand can be led in water, so the deal passes to the left. Next is what seat 0",
        ),
    ],
)
def test_why_a_move_is_refused(at: Any, text: str, words: str) -> None:
    with pytest.raises(MoveError) as found:
        GAME.parse_move(at, text)
    assert words in found.value.message
    if isinstance(at, Round) and at.viewer is None:
        with pytest.raises(MoveError):
            GAME.play(at, _unchecked(at, text))


def _unchecked(at: Round, text: str) -> Any:
    from solver.games.aqua_regia.rules import move_of

    return move_of(at.metals, text)


# A view whose seat has the deal and nothing to lead. -------------------------------------------------------------


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_a_deal_passes_on_when_its_view_is_read(players: int) -> None:
    """The seats that are found to be unable, and where the deal ends, are those of the reference."""
    rng, own_passes, changes = random.Random(players), 0, 0
    while own_passes < 40 or changes < 10:
        deck = random_table(rng) if rng.random() < 0.5 else None
        try:
            data = random_position(rng, players=players, climbing=False, deck=deck)
        except ValueError:  # too few cards in the deck
            continue
        table, now = reference.load(data)
        first, hands = data["turn"], now.hands
        if may_lead(table, hands[first], FIELDS.index(data["field"])):
            continue
        own_passes += 1
        changes += data["field"] != FIELDS[now.field]
        seat = rng.choice([first, rng.randrange(players)])
        sent: dict[str, Any] = {
            key: data[key] for key in ("game", "deck", "field", "reversed", "turn", "discard") if key in data
        }
        counts, stock = [*map(len, hands)], len(data["stock"])
        view: Any = athanor.parse(
            {**sent, "seat": seat, "hand": data["hands"][seat], "counts": counts, "stock_count": stock}
        )
        dealer, field = first, FIELDS.index(data["field"])
        while not may_lead(table, hands[dealer], field):
            if dealer != seat:
                assert (view.turn, view.field) == (dealer, FIELDS[field])
                assert "no lead" in athanor.possible_moves(view)
                view = athanor.play(view, "no lead")
            dealer = (dealer + 1) % players
            if dealer == first:
                field = (field + (-1 if data["reversed"] else 1)) % len(FIELDS)
        assert (view.turn, view.field) == (dealer, FIELDS[field]) == (now.turn, FIELDS[now.field])
        assert athanor.to_move(view) == dealer
        assert bool(athanor.legal_moves(view)) == (dealer == seat)
        assert text_of(athanor.parse(text_of(view))) == text_of(view)


def may_lead(table: reference.Table, hand: tuple[int, ...], field: int) -> bool:
    return any(reference.may_lie(table, metal, 1, field) for metal in hand)


STUCK = "aqua-regia players=3 seat=0 turn=0 hand=Ni,Sn,Pb,Pb,Cu,Hg,Ag,Ag,Pt,Au"


@pytest.mark.small
def test_what_is_said_when_the_deal_has_passed_on() -> None:
    passed = "Nothing in the hand can be led in water, so the deal passes to the left."
    assert list(GAME.notes(parse_position(STUCK))) == [passed]
    assert ("Note", passed) in GAME.describe(parse_position(STUCK))
    with pytest.raises(
        RequestError, match=r"Nothing in the hand can be led in water.* Next is what seat 1 leads"
    ) as refused:
        athanor.hint(STUCK, nodes=1)
    assert refused.value.code == "not_to_move"
    led: Any = athanor.play(STUCK, ["no lead", "Li"])
    assert (led.turn, led.owner, list(GAME.notes(led))) == (0, 2, [])
    again: Any = athanor.play(STUCK, ["no lead", "no lead"])
    assert (again.field, again.turn) == ("vapor", 1)  # seat 0 tries again, and can't in vapor either
    assert list(GAME.notes(again)) == [passed.replace("water", "vapor")]
    # Later in the round: the winner of a trick can't lead.
    later: Any = athanor.play("aqua-regia n=2 s=0 h=Li,Au,Au,Au,Au,Pt,Pt,Pt,Pt,Hg turn=0", ["Li", "pass"])
    assert (later.field, later.turn) == ("vapor", 1)
    assert "led in vapor" in GAME.notes(later)[0]
    # A seat that could not lead before is not said to have passed this deal on.
    other = athanor.parse("aqua-regia n=3 s=0 h=Ni,Sn,Pb,Pb,Cu,Hg,Ag,Ag,Pt,Au turn=1")
    assert not GAME.notes(other)


# Sizes that follow from the cards entered. ----------------------------------------------------------------------


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_sizes_follow_from_what_was_entered(players: int) -> None:
    """The stock from the cards seen and the other sizes; these, too, so that all cards have room."""
    rng = random.Random(players)
    for seed in range(1):
        known: Any = athanor.deal("aqua-regia", seed=seed, players=players)
        while legal := athanor.legal_moves(known):
            seat = rng.randrange(players)
            data = position_data(athanor.view(known, seat))
            for key in ("history", "known", "deal_passes", "reversed"):
                data.pop(key, None)
            stock, counts, pile = data.pop("stock_count"), data["counts"], data["discard"]
            assert read_sizes(data) == (counts, stock)
            some = [count if place == seat or rng.random() < 0.5 else None for place, count in enumerate(counts)]
            for sent in (
                {**data, "counts": some},
                {**data, "players": players, "counts": None},
                {**data, "gone": rng.sample(pile, rng.randint(0, len(pile))), "discard": None, "counts": some},
            ):
                sizes, left = read_sizes({key: value for key, value in sent.items() if value is not None})
                assert sizes[seat] == len(data["hand"])
                assert all(
                    size == given for size, given in zip(sizes, some, strict=True) if given and sent["counts"]
                )
                seen = len(sent["table"]) + len(sent["discard"] or sent.get("gone") or ())
                assert sum(sizes) + left + seen == known.metals.cards
            known = athanor.play(known, rng.choice(legal))


def test_a_stock_that_leaves_the_others_no_card() -> None:
    line = "aqua-regia players=3 seat=0 hand=Zn,Zn,Li field=water turn=0 stock_count="
    assert read_sizes(f"{line}59") == ([3, 1, 1], 59)
    for stock in (60, 99):
        with pytest.raises(PositionError, match=r"^stock_count: at most 61 cards"):
            parse_position(f"{line}{stock}")


def read_sizes(data: str | dict[str, Any]) -> tuple[list[int], int]:
    found: Any = athanor.parse(data)
    return [*found.counts], found.stock_count


# Descriptions. --------------------------------------------------------------------------------------------------


@pytest.mark.small
def test_a_known_position_is_described() -> None:
    assert GAME.describe(parse_position(KNOWN)) == [
        (
            "Field",
            "acid (order water > vapor > acid > aqua regia); takes Li K Ca Na Mg Al Zn Fe Ni Sn in multiples, "
            "Pb Cu Hg Ag singly",
        ),
        ("Trick", "Li < Zn Zn, the last by seat 1"),
        ("Seat 0", "Li Cu   (can play nothing)"),
        ("Seat 1", "Fe Fe Au   (played last)"),
        ("Seat 2", "Fe Sn Sn   (can play Sn Sn; to move)"),
        ("Stock", "Pb Li   (in draw order)"),
        ("Discard", "K×2 Pb"),
    ]


@pytest.mark.small
def test_a_view_is_described() -> None:
    rows = dict(GAME.describe(parse_position(SEEN | {"drawn": "Ag"})))
    assert rows["You"] == "seat 2 of 3"
    assert rows["Hand"] == "Fe Sn Sn and Ag, just drawn   (may exchange a card; to move)"
    assert rows["Seat 0"] == "2 cards"
    assert rows["Seat 1"] == "3 cards   (holds Au)"
    assert rows["Stock"] == "1 card"
    assert rows["Unseen"] == "Li×3 K×2 Ca×4 Na×4 Mg×4 Al×4 Zn×2 Fe×3 Ni×4 Sn×2 Pb×3 Cu×4 Hg×4 Ag×3 Pt×4 Au×3"


@pytest.mark.small
def test_what_happens_by_itself_is_described() -> None:
    rows = dict(GAME.describe(position("Au", "Pt", "Sn Sn", turn=1, discard="Li Li Li Li K")))
    assert rows["Field"].startswith("acid ")
    assert rows["Trick"] == "none yet; seat 2 is the dealer and leads"
    assert rows["Seat 2"] == "Sn Sn   (leads Sn, Sn Sn; to move)"
    assert rows["Stock"] == "empty"
    assert rows["Discard"] == "Li×4 K   (all of Li are there, so none of them may be taken)"


# Mangled input: read, or refused with a code, a path that leads somewhere, a sentence. --------------------------

KEYS = ["seat", "hand", "hands", "drawn", "owner", "extra", "deck", "known", "stock"]

JUNK: list[Any] = [
    None,
    0,
    1,
    4,
    -1,
    2.5,
    True,
    "",
    "Zn",
    "zn",
    "house",
    [],
    ["Zn"],
    [[]],
    [["Li"], ["K"]],
    {},
    {"seat": 0, "field": "acid"},
    "water",
    "Au",
    "Fe",
    2,
    3,
]


def test_a_position_to_which_no_deal_leads_is_played_on_and_written() -> None:
    dealt = athanor.deal("aqua-regia", seed=3, players=5)
    data = position_data(dealt)
    data["hands"][2] = data["hands"][2][:8]  # two cards are missing, and the stock is whole
    data |= {"field": "water", "turn": 0}
    now: Any = parse_position(data)
    for _ in range(12):
        now = athanor.play(now, str(athanor.legal_moves(now)[0]))
        again = parse_position(text_of(now))
        assert position_data(again) == position_data(now)


def test_mangled_positions_are_read_or_refused() -> None:
    rng = random.Random(32)
    starts: list[Any] = [KNOWN, SEEN, SEEN | {"drawn": "Ag"}]
    for index in range(20):
        deck = random_table(rng, metals=8, copies=4) if index % 4 == 0 else None
        position = parse_position(random_position(rng, deck=deck))
        starts.append(position_data(position))
        starts.append(position_data(GAME.view(position, rng.randrange(2))))
    refusals = check_positions(GAME, starts, rng, JUNK, 1500, KEYS)
    assert refusals.total() > 500
    assert set(refusals) == {
        "illegal_card", "duplicate_card", "wrong_size", "unknown_key", "missing_key", "wrong_type", "out_of_range",
        "unknown_value", "conflict", "illegal_play", "unknown_deck",
    }  # fmt: skip


def test_mangled_moves_are_read_or_refused() -> None:
    rng = random.Random(33)
    words = ["Zn", "Fe", "Au", "pass", ">", "pass ", "Sn", "Sn Sn", "Fe>Pb", "\t", "×", "pass Fe>Pb", "0"]
    for data in (KNOWN, SEEN, SEEN | {"drawn": "Ag"}):
        position = parse_position(data)
        read = set()
        refused = []
        for _ in range(1500):
            text = rng.choice(["", " "]).join(rng.choice(words) for _ in range(rng.randint(0, 4)))
            try:
                move = GAME.parse_move(position, text)
            except AthanorError as error:
                refused.append(error)
                continue
            assert move in GAME.legal_moves(position)
            read.add(GAME.format_move(position, move))
        assert read
        assert {error.code for error in refused} == {"illegal_move"}
        assert all(error.message for error in refused)


def test_mangled_records_are_read_or_refused() -> None:
    rng = random.Random(34)
    start = {"game": "aqua-regia", "deck": "house", "rounds": [{"hands": [["Li"], []]}, {"counts": [0, 3]}]}
    refused = []
    for _ in range(1500):
        data = mangle(start, rng, JUNK, KEYS) | {"game": "aqua-regia"}
        try:
            found = parse_record(data)
        except PositionError as error:
            refused.append(error)
            continue
        GAME.score(found)
    assert len(refused) > 500
    check_refusals(refused)


def test_a_pass_of_very_many_words_is_none(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each word may be many things, which takes time to find out."""
    names = Names(decks.meant(KIND, None).index)
    asked: list[str] = []

    def counted(word: str, names: Names) -> Any:
        asked.append(word)
        return cards_of(word, names)

    monkeypatch.setattr(text, "cards_of", counted)
    assert [text.plain(move, names) for move in ("pass", "p Zn Pb", "pass:Zn:Pb")] == [
        "pass", "pass Zn>Pb", "pass Zn>Pb",
    ]  # fmt: skip
    asked.clear()
    text.plain("p>" * 50_000, names)
    assert len(asked) < 10
