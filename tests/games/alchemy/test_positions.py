"""Alchemy's positions and records as users send them, whole games as recorded, and puzzles that are made."""

from __future__ import annotations

import difflib
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from pydantic import BaseModel

from solver import registry
from solver.common import Random
from solver.errors import AthanorError, PositionError, RequestError
from solver.games.alchemy.moves import deal, view
from solver.games.alchemy.position import Round
from solver.games.alchemy.rules import SOLITAIRE, Variant
from solver.limits import Control, Limit
from solver.positions import parse_position, parse_record, position_data
from solver.puzzle_maker import BEST_MOVE, Candidate, composer_of
from tests.reference import alchemy as ref
from tests.support import playthroughs
from tests.support.kinds import of_kind

GAME = registry.game("alchemy")

SOLO: dict[str, Any] = {
    "game": "alchemy", "variant": "solo", "cap": 6, "line": ["4", "7", "K", "2", "9", "A"], "hand": "6",
    "stock": ["5", "Q", "10"],
}  # fmt: skip

HIDDEN: dict[str, Any] = {key: value for key, value in SOLO.items() if key != "stock"}

ALTERNATIVE: dict[str, Any] = {
    "game": "alchemy", "variant": "alternative", "cap": 3, "line": ["4", "7", "2"], "hand": "6", "unseen": ["5"],
}  # fmt: skip

DUEL: dict[str, Any] = {
    "game": "alchemy", "variant": "duel", "line": ["4", "7", "K", "2", "9", "A"], "hand": "6",
    "opponent_hand": "X",
}  # fmt: skip

FREE: dict[str, Any] = {"game": "alchemy", "variant": "free", "min_line": 1, "line": ["4", "5"], "hand": "9"}

FAULTS: list[tuple[dict[str, Any], dict[str, Any], str, str]] = [
    # what any position checks
    (SOLO, {"game": "chess"}, "unknown_game", "game"),
    (SOLO, {"variant": "trio"}, "unknown_value", "variant"),
    (SOLO, {"colour": "red"}, "unknown_key", "colour"),
    (SOLO, {"line": None}, "missing_key", "line"),
    (SOLO, {"line": 4}, "wrong_type", "line"),
    (SOLO, {"line": ["4", 7, "K", "2", "9", "A"]}, "wrong_type", "line[1]"),
    (SOLO, {"line": ["4", "7", "K", "1", "9", "A"]}, "illegal_card", "line[3]"),
    (SOLO, {"hand": "11"}, "illegal_card", "hand"),
    (SOLO, {"hand": ""}, "illegal_card", "hand"),
    (SOLO, {"hand": "z"}, "illegal_card", "hand"),
    (SOLO, {"stock": ["5", "XS"]}, "illegal_card", "stock[1]"),
    # solitaires
    (SOLO, {"cap": 2}, "out_of_range", "cap"),
    (SOLO, {"cap": 7}, "out_of_range", "cap"),
    (SOLO, {"cap": "6"}, "wrong_type", "cap"),
    (SOLO, {"cap": 6.0}, "wrong_type", "cap"),
    (SOLO, {"cap": True}, "wrong_type", "cap"),
    (SOLO, {"hand": "X"}, "illegal_card", "hand"),
    (SOLO, {"stock": ["X"]}, "illegal_card", "stock[0]"),
    (SOLO, {"cap": 5}, "wrong_size", "line"),
    (SOLO, {"line": ["4", "7", "K", "2", "9"]}, "wrong_size", "line"),
    (SOLO, {"line": [], "stock": []}, "wrong_size", "line"),
    (SOLO, {"unseen": ["8"]}, "conflict", "unseen"),
    (SOLO, {"stock": ["4", "4", "4", "4"]}, "duplicate_card", "stock[3]"),
    (SOLO, {"line": ["6", "6", "6", "6", "2", "3"]}, "duplicate_card", "hand"),
    (SOLO, {"discarded": ["4", "5", "4", "4", "4S"]}, "duplicate_card", "discarded[4]"),
    (HIDDEN, {"unseen": ["8", "K", "K", "K", "K"]}, "duplicate_card", "unseen[4]"),
    (ALTERNATIVE, {"cap": 5, "line": ["4", "7", "2", "3", "3"]}, "out_of_range", "cap"),
    (ALTERNATIVE, {"hand": "J"}, "illegal_card", "hand"),
    (ALTERNATIVE, {"unseen": ["5", "K"]}, "illegal_card", "unseen[1]"),
    (ALTERNATIVE, {"discarded": ["Q"]}, "illegal_card", "discarded[0]"),
    (ALTERNATIVE, {"line": ["4", "7", "2", "3"], "unseen": []}, "wrong_size", "line"),
    # duels
    (DUEL, {"line": ["4", "7", "K", "2", "9"]}, "wrong_size", "line"),
    (DUEL, {"line": ["4", "7", "K", "2", "9", "X"]}, "illegal_card", "line[5]"),
    (DUEL, {"table_jokers": -1}, "out_of_range", "table_jokers"),
    (DUEL, {"table_jokers": 5}, "out_of_range", "table_jokers"),
    (DUEL, {"pile": ["4", "4", "4"], "opponent_pile": ["7", "4"]}, "duplicate_card", "opponent_pile[1]"),
    (DUEL, {"stock": ["4"], "unseen": ["4"]}, "conflict", "unseen"),
    (DUEL, {"hand": None}, "missing_key", "hand"),
    (DUEL, {"grabbed": "5+2=7"}, "invalid_text", "grabbed"),
    (DUEL, {"grabbed": "2:none"}, "illegal_move", "grabbed"),
    (DUEL, {"grabbed": "1:discard 4"}, "illegal_move", "grabbed"),
    # puzzles
    (FREE, {"min_line": 0}, "out_of_range", "min_line"),
    (FREE, {"min_line": 61}, "out_of_range", "min_line"),
    (FREE, {"line": ["4", "X"]}, "illegal_card", "line[1]"),
    (FREE, {"hand": "X"}, "illegal_card", "hand"),
    (FREE, {"line": ["4"] * 25}, "too_large", "line"),
    (FREE, {"line": ["4"] * 61, "objective": "most-cards"}, "wrong_size", "line"),
    (FREE, {"objective": "most-aces"}, "unknown_value", "objective"),
    (FREE, {"cards": 0}, "out_of_range", "cards"),
    (FREE, {"cards": 61}, "out_of_range", "cards"),
]

MISSING = [
    (SOLO, "game"), (SOLO, "variant"), (SOLO, "line"), (SOLO, "hand"), (HIDDEN, "hand"),
    (DUEL, "line"), (DUEL, "hand"), (DUEL, "opponent_hand"), (FREE, "min_line"), (FREE, "line"), (FREE, "hand"),
]  # fmt: skip


@pytest.mark.parametrize(("base", "change", "code", "path"), FAULTS)
def test_faults_are_named_with_their_place(
    base: dict[str, Any], change: dict[str, Any], code: str, path: str
) -> None:
    with pytest.raises(PositionError) as caught:
        parse_position({**base, **change})
    assert (caught.value.code, caught.value.path) == (code, path)
    assert caught.value.message
    assert set(caught.value.to_dict()["error"]) - {"faults"} == {"code", "path", "message"}


@pytest.mark.parametrize(("base", "key"), MISSING)
def test_missing_keys(base: dict[str, Any], key: str) -> None:
    with pytest.raises(PositionError) as caught:
        parse_position({name: value for name, value in base.items() if name != key})
    assert (caught.value.code, caught.value.path) == ("missing_key", key)


@pytest.mark.parametrize("data", [SOLO, HIDDEN, ALTERNATIVE, DUEL, FREE])
def test_good_positions_go_to_json_and_back(data: dict[str, Any]) -> None:
    position = parse_position(data)
    again = json.loads(json.dumps(position_data(position)))
    assert parse_position(again) == position
    assert position_data(parse_position(again)) == again


def test_cards_are_printed_one_way() -> None:
    position = parse_position({**HIDDEN, "line": ["4S", "7♦", "Kh", "T", "10c", "A"], "hand": "TD"})
    assert position_data(position)["line"] == ["4", "7", "K", "10", "10", "A"]
    assert position_data(position)["hand"] == "10"


def test_what_a_hidden_stock_holds() -> None:
    position: Any = parse_position({**HIDDEN, "discarded": ["K", "K", "5"]})
    assert position.stock_hidden
    left = position.unseen_ranks
    assert len(left) == 52 - 6 - 1 - 3
    assert (left.count(13), left.count(5), left.count(6), left.count(3)) == (1, 3, 3, 4)
    position = parse_position({**HIDDEN, "unseen": ["K", "2", "9"]})
    assert (position.stock_hidden, position.unseen_ranks) == (True, (2, 9, 13))
    position = parse_position(SOLO)
    assert (position.stock_hidden, position.unseen_ranks) == (False, (5, 12, 10))


def test_what_a_duel_has_scored_in_a_round_counts_the_match_just_grabbed() -> None:
    def derived(text: str) -> dict[str, object]:
        return of_kind(Round, parse_position(text)).derived or {}

    duel = "alchemy duel line=A,4,8,10,J,K hand=6 opponent_hand=Q pile=A,A,A,K"
    assert derived(duel) == {"cap": 6, "points": [5, 0], "stock_count": 40}
    assert derived(f"{duel} grabbed=1:Q=A+J")["points"] == [5, 3]
    late = duel.replace("opponent_hand=Q", "opponent_hand=Q table_jokers=1 totals=80,0")
    assert derived(f"{late} grabbed=1:Q+4+8=J+K")["points"] == [5, 16]


def test_the_questions_that_can_be_asked() -> None:
    assert GAME.asks(parse_position(SOLO)) == {"analyze", "hint", "best-move", "value", "all-matches", "winnable"}
    assert GAME.asks(parse_position(HIDDEN)) == {"hint", "best-move", "value", "all-matches"}
    assert GAME.asks(parse_position(DUEL)) == {"analyze", "hint", "best-move", "value", "all-matches"}
    assert GAME.asks(parse_position(FREE)) == {"analyze", "value", "all-matches"}
    assert GAME.asks(parse_position({**FREE, "objective": "most-cards"})) == {"analyze", "value", "best-move"}


def test_positions_are_described_for_a_person() -> None:
    assert dict(GAME.describe(parse_position(SOLO)))["Stock"] == "5 Q 10   (3 cards)"
    assert dict(GAME.describe(parse_position(ALTERNATIVE)))["Unseen"].startswith("5 ")
    assert dict(GAME.describe(parse_position(DUEL)))["Opponent"] == "a joker   (pile: 0 cards, 0 points)"
    described = dict(GAME.describe(parse_position({**FREE, "cards": 2, "objective": "most-cards"})))
    assert described["Match"] == "at least 1 line card, exactly 2; best: most cards"


@pytest.mark.parametrize("variant", [*SOLITAIRE, "duel"])
def test_a_view_shows_no_more_than_its_player_sees(variant: str) -> None:
    for number in range(10):
        dealt = deal(1, number=number, variant=variant)
        assert parse_position(position_data(dealt)) == dealt
        seen = GAME.view(dealt, 0)
        assert parse_position(position_data(seen)) == seen
        if variant == "duel":
            other: Any = GAME.view(dealt, 1)
            assert (other.hand, other.opponent_hand) == (
                position_data(dealt)["opponent_hand"],
                position_data(dealt)["hand"],
            )
            continue
        assert "stock" not in position_data(seen)
        known: Any = dealt
        assert seen.unseen_ranks == tuple(sorted(known.unseen_ranks))  # type: ignore[attr-defined]
    with pytest.raises(AthanorError):
        view(deal(1, variant=variant), 2)


CARD = st.sampled_from(["A", "2", "3", "5", "9", "10", "T", "J", "K", "KS", "X"])

JUNK = st.recursive(
    st.none() | st.booleans() | st.integers(-3, 70) | st.floats() | st.text(max_size=3) | CARD,
    lambda inner: st.lists(inner, max_size=7) | st.dictionaries(st.text(max_size=4), inner, max_size=3),
    max_leaves=8,
)

NEAR = st.fixed_dictionaries(
    {"game": st.just("alchemy"), "variant": st.sampled_from(["solo", "alternative", "duel", "free"])},
    optional={
        "cap": st.integers(2, 7) | JUNK, "line": st.lists(CARD, max_size=7) | JUNK, "hand": CARD | JUNK,
        "stock": st.lists(CARD, max_size=4) | JUNK, "unseen": st.lists(CARD, max_size=4) | JUNK,
        "opponent_hand": CARD | JUNK, "table_jokers": st.integers(0, 5) | JUNK,
        "pile": st.lists(CARD, max_size=4) | JUNK,
        "min_line": st.integers(0, 5) | JUNK, "objective": st.sampled_from(["most-cards", "most-points"]) | JUNK,
        "cards": st.integers(0, 5) | JUNK, "discarded": st.lists(CARD, max_size=4) | JUNK,
        "deck": st.lists(CARD, max_size=41) | JUNK, "moves": st.lists(st.text(max_size=5), max_size=3) | JUNK,
        "rounds": JUNK,
    },
)  # fmt: skip


def read(parse: Callable[[object], BaseModel], data: object) -> BaseModel | AthanorError:
    """What the data are, or our error that says why they are nothing."""
    try:
        return parse(data)
    except AthanorError as error:
        return error


@settings(max_examples=25, suppress_health_check=[HealthCheck.too_slow])
@given(JUNK | NEAR)
def test_junk_raises_nothing_but_our_errors(data: object) -> None:
    for parse in (parse_position, parse_record):
        found = read(parse, data)
        if isinstance(found, AthanorError):
            assert found.code
            assert found.message
        elif parse is parse_position:
            ask_everything(found)


def ask_everything(position: BaseModel) -> None:
    """Whatever is a position can be asked its questions, or says why not."""
    assert parse_position(position_data(position)) == position
    GAME.describe(position)
    for move in list(GAME.legal_moves(position))[:3]:
        assert GAME.parse_move(position, GAME.format_move(position, move)) == move
    limit = Limit(nodes=300)
    for question in GAME.asks(position):
        if question != "hint" and (question != "analyze" or not getattr(position, "hidden", False)):
            GAME.answer(position, question, Control(limit))
    try:
        GAME.hint(position, Control(limit), worlds=3)
        GAME.play(position, next(iter(GAME.legal_moves(position)), None))
    except AthanorError:
        pass


# Records: solitaires are replayed by the rules, duels are added up. ---------------------------------------------


def name(rank: int) -> str:
    return {1: "A", 11: "J", 12: "Q", 13: "K"}.get(rank, str(rank))


def played(variant: Variant, seed: int) -> tuple[dict[str, Any], bool, int]:
    """A record of a random game by the reference, with its result and the stock cards left."""
    deck = variant.deck
    random = Random(seed)
    random.shuffle(deck)
    texts = []

    def choose(cap: int, line: tuple[int, ...], hand: int, moves: list[ref.Move]) -> ref.Move:
        move = moves[random.below(len(moves))]
        texts.append(ref.text(move, ref.matches(line, hand, variant.min_line).get(move[1]), hand))
        return move

    won, left, _ = ref.play_solitaire(variant.name, deck, choose)
    return {"game": "alchemy", "variant": variant.name, "deck": [name(r) for r in deck], "moves": texts}, won, left


@pytest.mark.covered
@pytest.mark.small
@pytest.mark.parametrize("which", list(SOLITAIRE))
def test_random_games_are_scored_as_the_reference_ended_them(which: str) -> None:
    results = set()
    for seed in range(40):
        record, won, left = played(SOLITAIRE[which], seed)
        found = GAME.score(parse_record(record)).to_dict()
        assert found == {
            "game": "alchemy", "variant": which, "finished": True, "value": "won" if won else "lost", "left": left,
            "turns": len(record["moves"]),
        }  # fmt: skip
        results.add(won)
        # Cut short, the game is not finished; the stock holds more.
        short = {**record, "moves": record["moves"][:-1]}
        cut = GAME.score(parse_record(short)).to_dict()
        assert (cut["finished"], cut["value"], cut["turns"]) == (False, None, len(record["moves"]) - 1)
        assert cut["left"] >= left
    assert False in results


def failing(record: dict[str, Any]) -> AthanorError:
    with pytest.raises(AthanorError) as caught:
        GAME.score(parse_record(record))
    return caught.value


@pytest.mark.small
def test_errors_in_solitaire_records_name_the_place() -> None:
    record, _, _ = played(SOLITAIRE["alternative"], 1)
    count = len(record["moves"])
    error = failing({**record, "moves": [*record["moves"], "discard 2"]})
    assert (error.code, error.path) == ("illegal_move", f"moves[{count}]")
    assert "after the game is over" in error.message
    error = failing({**record, "moves": [*record["moves"][:2], "discard K"]})
    assert (error.code, error.path) == ("illegal_move", "moves[2]")
    error = failing({**record, "moves": [*record["moves"][:1], "what"]})
    assert (error.code, error.path) == ("illegal_move", "moves[1]")
    assert (failing({**record, "moves": [7]}).code, failing({**record, "moves": [7]}).path) == (
        "wrong_type",
        "moves[0]",
    )
    assert failing({**record, "deck": record["deck"][:-1]}).code == "wrong_size"
    error = failing({**record, "deck": ["X", *record["deck"][1:]]})
    assert (error.code, error.path) == ("illegal_card", "deck[0]")
    error = failing({**record, "deck": ["Q", *record["deck"][1:]]})
    assert (error.code, error.path) == ("illegal_card", "deck[0]")
    same = [record["deck"][0]] * 40
    error = failing({**record, "deck": same})
    assert (error.code, error.path) == ("duplicate_card", "deck[4]")


def duel(*rounds: tuple[list[str], list[str]]) -> dict[str, Any]:
    return {"game": "alchemy", "variant": "duel", "rounds": [{"piles": list(piles)} for piles in rounds]}


@pytest.mark.small
def test_duels_are_added_up() -> None:
    first = (["A", "A", "A", "A", "K"], ["X", "2"])
    found = GAME.score(parse_record(duel(first, (["K", "K"], ["9"])))).to_dict()
    assert found == {
        "game": "alchemy", "variant": "duel", "rounds": [[12, 11], [4, 1]], "totals": [16, 12], "winner": None,
        "finished": False,
    }  # fmt: skip
    ten_jokers = ["X"] * 10
    found = GAME.score(parse_record(duel((ten_jokers, ["A"])))).to_dict()
    assert (found["winner"], found["finished"], found["totals"]) == (0, True, [100, 1])
    tie = GAME.score(parse_record(duel((ten_jokers, ten_jokers)))).to_dict()
    assert (tie["winner"], tie["finished"]) == (None, False)
    decided = GAME.score(parse_record(duel((ten_jokers, ten_jokers), (["A"], ["K"])))).to_dict()
    assert (decided["winner"], decided["totals"]) == (1, [101, 102])
    assert GAME.score(parse_record(duel())).to_dict()["totals"] == [0, 0]


@pytest.mark.small
def test_errors_in_duel_records_name_the_place() -> None:
    error = failing(duel((["X"] * 10, []), (["A"], [])))
    assert (error.code, error.path) == ("conflict", "rounds[1]")
    error = failing(duel((["A"], []), (["5", "5", "5"], ["5", "5"])))
    assert (error.code, error.path) == ("duplicate_card", "rounds[1].piles[1][1]")
    error = failing(duel((["A"], ["Z"])))
    assert (error.code, error.path) == ("illegal_card", "rounds[0].piles[1][0]")
    error = failing({"game": "alchemy", "variant": "duel", "rounds": [{"piles": [[]]}]})
    assert error.path.startswith("rounds[0].piles")
    error = failing({"game": "alchemy", "variant": "free", "rounds": []})
    assert (error.code, error.path) == ("unknown_value", "variant")


# Whole games as they were recorded; seeds mean the same deals for ever. -----------------------------------------

# Variant, seed, number; the line, the hand, and the stock in draw order or the opponent's hand. Never to change.
DEALS: list[tuple[str, int, int, str, str, str]] = [
    (
        "solo", 0, 0, "A J Q 6 K 10", "9",
        "5 4 J 10 8 Q 8 9 3 J 7 10 8 7 3 A A Q K 7 J K 9 6 A 5 7 2 4 2 2 5 3 10 9 4 "
        "Q 3 2 6 8 6 K 4 5",
    ),
    (
        "solo", 1, 0, "5 6 J J 2 2", "6",
        "10 K A Q 7 A 8 9 5 Q 4 3 A 9 7 Q 8 3 4 8 3 K 10 K 2 A 4 4 7 5 8 Q K 9 10 J "
        "10 5 9 2 3 J 7 6 6",
    ),
    (
        "solo", 1, 1, "7 5 10 10 3 J", "K",
        "6 9 6 A 4 8 3 A 4 Q 9 7 Q K A 2 J K A 2 7 4 Q J 6 8 9 3 J K 4 8 Q 9 2 3 8 5 "
        "5 5 10 2 7 6 10",
    ),
    (
        "alternative", 0, 0, "6 5 3 8", "9",
        "8 6 7 5 7 9 A A 9 5 7 8 8 10 A 4 10 9 10 2 2 3 2 7 6 3 4 2 A 4 6 5 10 3 "
        "4",
    ),
    (
        "alternative", 2024, 7, "5 6 10 5", "2",
        "9 6 5 7 10 A 10 6 A 2 3 2 4 7 A 4 2 A 8 3 8 8 5 4 3 9 7 9 10 6 3 9 7 4 "
        "8",
    ),
    (
        "duel", 0, 0, "A J Q 6 K 10", "9",
        "5",
    ),
    (
        "duel", 9, 2**40, "K Q 10 3 8 4", "2",
        "10",
    ),
]  # fmt: skip


@pytest.mark.small
@pytest.mark.parametrize("name", playthroughs.PLAYTHROUGHS)
def test_a_game_goes_as_recorded(name: str) -> None:
    recorded = (playthroughs.FOLDER / f"{name}.txt").read_text(encoding="utf-8").splitlines()
    now = playthroughs.played(name).splitlines()
    changes = list(difflib.unified_diff(recorded, now, "recorded", "played now", lineterm=""))
    assert not changes, "\n".join(
        [*changes[:40], "If the change is meant: python -m tests.support.playthroughs --write"]
    )


def test_every_recorded_game_is_played() -> None:
    assert {path.stem for path in playthroughs.FOLDER.glob("*.txt")} == set(playthroughs.PLAYTHROUGHS)


def test_the_recorded_games_cover_what_can_happen() -> None:
    texts = {path.stem: path.read_text(encoding="utf-8") for path in Path(playthroughs.FOLDER).glob("*.txt")}
    for variant in ("solo", "alternative"):
        assert "score: won, 0 stock cards left" in texts[f"alchemy_{variant}_won"]
        assert "score: lost" in texts[f"alchemy_{variant}_lost"]
        assert "plays: discard" in texts[f"alchemy_{variant}_lost"]
    jokers = texts["alchemy_duel_jokers"]
    assert "jokers set aside" in jokers
    assert "hands X" in jokers or " X; deck" in jokers
    assert all("wins\n" in text for name, text in texts.items() if "duel" in name)
    assert any(" none" in text for name, text in texts.items() if "duel" in name)


@pytest.mark.small
@pytest.mark.parametrize(("variant", "seed", "number", "line", "hand", "rest"), DEALS)
def test_a_seed_means_the_same_deal_for_ever(
    variant: str, seed: int, number: int, line: str, hand: str, rest: str
) -> None:
    data = position_data(GAME.deal(seed, number=number, variant=variant))
    assert data["line"] == line.split()
    assert data["hand"] == hand
    assert ([data["opponent_hand"]] if variant == "duel" else data["stock"]) == rest.split()


def test_what_is_dealt() -> None:
    assert position_data(GAME.deal(3)) == position_data(GAME.deal(3, variant="solo"))
    assert position_data(GAME.deal(3, players=2))["variant"] == "duel"
    with pytest.raises(RequestError, match="for 1 player, not for 2"):
        GAME.deal(3, players=2, variant="solo")
    with pytest.raises(RequestError, match="cannot be dealt"):
        GAME.deal(3, variant="free")


# Making puzzles: themes, what is the same, and what a greedy player makes of it. --------------------------------


@pytest.mark.parametrize(
    ("text", "best", "themes"),
    [
        ("alchemy duel line=2,3,4,6,10,K hand=5 opponent_hand=3", "5+4+6=2+3+10", ["deny", "less is more"]),
        ("alchemy duel line=2,3,4,6,10,K hand=5 opponent_hand=3", "none", ["less is more", "decline"]),
        ("alchemy solo line=4,7,K hand=6 stock=5", "discard 4", ["no match"]),
        ("alchemy solo line=A,2,3 hand=6 stock=5", "6=A+2+3", ["last card"]),
    ],
)
def test_themes(text: str, best: str, themes: list[str]) -> None:
    known = parse_position(text)
    assert set(themes) <= set(composer_of(GAME).themes_of(BEST_MOVE, Candidate(known), best, []))


def test_the_order_of_a_line_is_nothing_and_that_of_a_stock_is() -> None:
    one, other, third = (
        parse_position(f"alchemy solo line={line} hand=6 stock={stock}")
        for line, stock in (("4,7,K", "5,2"), ("K,4,7", "5,2"), ("4,7,K", "2,5"))
    )
    keys = [composer_of(GAME).symmetry(BEST_MOVE, Candidate(position)) for position in (one, other, third)]
    assert keys[0] == keys[1] != keys[2]


def test_what_a_pile_and_a_discarded_card_do_not_change() -> None:
    def key(text: str) -> str:
        return composer_of(GAME).symmetry(BEST_MOVE, Candidate(parse_position(text)))

    duel = "alchemy duel line=2,3,4,6,10,K hand=5 opponent_hand=3"
    assert key(f"{duel} pile=A,7") == key(f"{duel} pile=9,A,Q") != key(f"{duel} pile=A,A")
    solo = "alchemy solo line=4,7,K hand=6"
    assert key(f"{solo} unseen=5,2,2") == key(f"{solo} unseen=2,5,2 discarded=9") != key(f"{solo} unseen=2,5,5")
    assert key(f"{solo} stock=5,2") == key(f"{solo} stock=5,2 discarded=9")


def test_the_obvious_move_of_a_duel_knows_no_reply() -> None:
    """Of moves with as many points it is the first, whatever they leave the other."""
    duel = parse_position("alchemy duel line=A,2,4,4,8,Q hand=8 opponent_hand=9")
    assert composer_of(GAME).obvious(BEST_MOVE, Candidate(duel)) == "8+4=4+8"
    assert GAME.analyze(duel, Control()).best == "8+8=4+Q"


@pytest.mark.parametrize("task", composer_of(GAME).tasks)
def test_what_is_drawn_can_be_asked(task: str) -> None:
    for candidate in composer_of(GAME).candidates(task, None, Random(4), seed=4, number=0):
        asks = GAME.asks(candidate.position)
        assert task in asks or ("hint" in asks and task in ("best-move", "value"))
