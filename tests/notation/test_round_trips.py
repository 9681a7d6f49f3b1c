"""Every position, view and record is read back from its line; lines as they are typed; every door takes one."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest
from flask.testing import FlaskClient
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import BaseModel

import athanor
from api.app import create_app
from api.config import Config
from puzzles import format as puzzle_format
from solver import registry
from solver.codec import SHORT, Names, TwoReadings
from solver.decks import kind_of
from solver.errors import AthanorError, PositionError
from solver.games.alchemy.deck import TEXTS
from solver.games.aqua_regia.deck import KIND as AQUA_REGIA
from solver.games.king.deck import KIND as KING
from solver.games.kirin.deck import CARDS, name
from solver.positions import parse_position, parse_record, position_data, text_of
from solver.registry import game_of
from solver.rounds_in_play import playing_of
from tests.notation.short_forms import short
from tests.support.games import AGAINST_OTHERS, check_rows

FEW = settings(max_examples=6, deadline=None, derandomize=True)
DEALS = [
    (name, variant, players)
    for name in registry.names()
    for variant in (registry.game(name).variants or (None,))
    for players in range(registry.game(name).players[0], registry.game(name).players[1] + 1)
    if variant != "free" and not (name == "alchemy" and players != 1 + (variant == "duel"))
]
SAFE = set("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_ .,:/=+-%")


def check(position: BaseModel, draw: Any, parse: Any = parse_position) -> None:
    """The line gives the position back, is safe, and may have its keys in any order and letters of any case."""
    notation, text = game_of(position).notation, text_of(position)
    again = parse(text)
    assert type(again) is type(position)
    assert notation.canonical(again) == notation.canonical(position)
    assert text_of(again) == text == str(again)
    assert set(text) <= SAFE
    assert shlex.split(text) == text.split()  # no quotes are needed
    first, *words = text.split()
    if "round" not in words:
        bare = [word for word in words if "=" not in word]
        keyed = draw(st.permutations(words[len(bare) :]))
        assert parse("&".join([first, *bare, *keyed]).lower()) == again
        assert parse(short(text)) == again == parse(short(text).lower())


def _of_variant(option: str, name: str, variant: str) -> bool:
    """Whether an option is one of this variant: in alchemy each variant has its own."""
    return name != "alchemy" or option.startswith(variant)


@pytest.mark.parametrize(("name", "variant", "players"), DEALS)
@FEW
@given(data=st.data())
def test_positions_and_views(name: str, variant: str | None, players: int, data: st.DataObject) -> None:
    game = registry.game(name)
    options = [option for option in game.options if variant is None or _of_variant(option, name, variant)]
    rules = {option: data.draw(st.booleans()) for option in options}
    position = game.deal(data.draw(st.integers(0, 999)), variant=variant, players=players, rules=rules)
    for _ in range(data.draw(st.integers(0, 40))):
        try:
            after = game.play(position, data.draw(st.sampled_from(game.legal_moves(position))))
        except AthanorError:
            break  # a move that turns up what is hidden
        if not game.legal_moves(after):
            break
        position = after
    check(position, data.draw)
    try:
        view = game.view(position, data.draw(st.integers(0, players - 1)))
    except AthanorError:
        return  # who has picked sees nothing until all have
    check(view, data.draw)


RANKS = st.sampled_from(["A", *map(str, range(2, 11)), "J", "Q", "K"])


@FEW
@given(
    line=st.lists(RANKS, max_size=12),
    hand=RANKS,
    least=st.integers(1, 9),
    objective=st.sampled_from([None, "most-cards", "most-points"]),
    cards=st.none() | st.integers(1, 9),
    data=st.data(),
)
def test_sum_puzzles(
    line: list[str], hand: str, least: int, objective: str | None, cards: int | None, data: st.DataObject
) -> None:
    found: dict[str, Any] = {"game": "alchemy", "variant": "free", "line": line, "hand": hand, "min_line": least}
    check(parse_position(found | {"objective": objective, "cards": cards}), data.draw)


@FEW
@given(data=st.data())
def test_hidden_stocks(data: st.DataObject) -> None:
    deal = registry.game("alchemy").deal(data.draw(st.integers(0, 99)), variant="solo")
    unseen = list(deal.stock or ())[: data.draw(st.integers(0, 46))]
    check(deal.model_copy(update={"stock": None, "unseen": tuple(unseen)}), data.draw)
    check(deal.model_copy(update={"stock": None}), data.draw)


@FEW
@given(data=st.data())
def test_sets_of_cards(data: st.DataObject) -> None:
    codes = [row["card"] for row in kind_of(registry.game("king")).house.rows()]  # type: ignore[union-attr]
    cards = data.draw(st.lists(st.sampled_from(codes), unique=True))
    check(parse_position({"game": "king", "cards": cards}), data.draw)


def test_a_deck_inside_the_position() -> None:
    deck = {
        "name": "odd one",
        "metal": [{"symbol": "=", "reactivity": dict.fromkeys(FIELDS, 2)}]
        + [{"symbol": symbol, "reactivity": dict.fromkeys(FIELDS, 1)} for symbol in ("a/b", "ä,", "%")],
        "copies": 2,
    }
    deck["name"] = "odd"
    position = athanor.parse(
        {"game": "aqua-regia", "deck": deck, "field": "acid", "turn": 1, "hands": [["=", "a/b"], ["ä,", "%"]]}
    )
    assert athanor.parse(str(position)) == position


FIELDS = ("water", "vapor", "acid", "aqua-regia")
RECORDS: list[dict[str, Any]] = [
    {"game": "kirin", "declared_counts": True, "rounds": []},
    {"game": "king", "rounds": []},
    {"game": "aqua-regia", "rounds": [{"counts": [0, 3, 2]}, {"hands": [["Zn", "Pb"], [], ["Li"]]}]},
    {"game": "alchemy", "variant": "duel", "rounds": [{"piles": [["A", "K", "X"], []]}, {"piles": [[], ["9"]]}]},
]


@pytest.mark.parametrize("record", RECORDS, ids=lambda record: record["game"])
def test_records(record: dict[str, Any]) -> None:
    if not record["rounds"]:
        record = record | {"rounds": played(record["game"])}
    parsed = parse_record(record)
    text = text_of(parsed)
    assert parse_record(text) == parse_record(text_of(parse_record(text)))
    assert athanor.score(text) == athanor.score(record)


def played(name: str) -> list[dict[str, Any]]:
    """A round of a game, played with the first legal moves, as its record has it."""
    game = registry.game(name)
    state = playing_of(game).opening(3, number=0, players=None, variant=None, before=())
    while state.to_move is not None:
        state = state.play(state.moves()[0])
    record = playing_of(game).record([state]).model_dump(mode="json", exclude_none=True)
    rounds: list[dict[str, Any]] = record["rounds"]
    return rounds


def test_a_solitaire_as_it_was_played() -> None:
    game = registry.game("alchemy")
    state = playing_of(game).opening(3, number=0, players=None, variant=None, before=())
    while state.to_move is not None:
        state = state.play(state.moves()[0])
    record = playing_of(game).record([state])
    assert parse_record(text_of(record)) == record


# ----------------------------------------------------------------------------------------------------
# Cards with nothing between them, letters for keys: what can be read in one way alone is read, nothing else.


PAGE = Path(__file__).parents[2] / "docs" / "notation.md"
TYPED = re.compile(r"^## Typed at the table$.*?^```sh\n(?P<lines>.*?)^```$", re.MULTILINE | re.DOTALL)


def letters_of_cards(line: str) -> int:
    """How many letters of a line are those of cards, counted in the line that Athanor writes for it."""
    position = athanor.parse(line)
    names = game_of(position).notation.names(position_data(position))
    cards = [word for word in re.split(r"[\s,/:=]+", str(position)) if names.has(word)]
    return sum(map(len, cards))


def test_what_is_typed_beside_the_cards_is_short() -> None:
    """The four positions of the documentation: each takes fewer than 90 characters beside its cards."""
    block = TYPED.search(PAGE.read_text(encoding="utf-8"))
    assert block
    lines = block["lines"].splitlines()
    check_rows([line.split()[0] for line in lines])
    for line in lines:
        assert len(line) - letters_of_cards(line) < 90, line
        assert athanor.parse(line.lower()) == athanor.parse(line)
    kirin, king, aqua, _ = (position_data(athanor.parse(line)) for line in lines)
    assert (len(kirin["history"]), len(king["history"]), len(king["won"])) == (2, 5, 4)
    assert sum(len(trick["moves"]) for trick in aqua["history"]) > 12


WORDS: dict[str, Iterable[str]] = {
    "kirin": [name(card) for card in range(CARDS)],
    "king": [*KING.house.index, *"tg", "take", "give", *(f"D:{suit}" for suit in "FWEA")],
    "aqua-regia": [*AQUA_REGIA.house.index, "p", "pass"],
    "alchemy": TEXTS,
}
check_rows(WORDS)


@pytest.mark.parametrize("words", WORDS.values(), ids=WORDS)
def test_words_of_the_decks_that_are_shipped_have_one_reading(words: Iterable[str]) -> None:
    """By Sardinas and Patterson (1953): no word is what is left over where others follow one another."""
    codes = {word.casefold() for word in words}

    def left(shorter: set[str], longer: set[str]) -> set[str]:
        return {long.removeprefix(short) for short in shorter for long in longer if long.startswith(short)} - {""}

    seen, rests = set[str](), left(codes, codes)
    while rests - seen:
        seen |= rests
        assert not rests & codes
        rests = left(rests, codes) | left(codes, rests)


@settings(max_examples=60, deadline=None, derandomize=True)
@given(
    codes=st.lists(st.text("aAbt:", min_size=1, max_size=3), min_size=1, max_size=5, unique=True),
    text=st.text("aAbtT:g", min_size=1, max_size=7),
)
def test_a_run_is_read_as_every_way_to_part_it_says(codes: list[str], text: str) -> None:
    """Against all ways to part a text: one reading alone, none, or several."""

    def ways(rest: str, exact: bool) -> list[list[str]]:
        if not rest:
            return [[]]
        return [
            [code, *others]
            for code in codes
            if rest.startswith(code) or (not exact and rest[: len(code)].casefold() == code.casefold())
            for others in ways(rest[len(code) :], exact)
        ]

    found: list[Any] = Names(codes).run(text)
    expected = [[text]] if text in codes else ways(text, True) or ways(text, False)
    if len(expected) == 1:
        assert found == expected[0]
    elif expected:
        assert [type(one) for one in found] == [TwoReadings]
    else:
        assert "".join(found) == text or "".join(found).casefold() == text.casefold()
        assert found[-1] not in codes


DECK = {
    "name": "odd",
    "metal": [
        {"symbol": symbol, "reactivity": dict.fromkeys(("water", "vapor", "acid", "aqua-regia"), 2)}
        for symbol in ("C", "O", "Co", "P", "B", "Pb", "pB")
    ],
    "copies": 4,
}


def hand_of(text: str) -> list[str]:
    position = athanor.parse(
        {"game": "aqua-regia", "deck": DECK, "field": "acid", "turn": 0, "hands": [text, "B"]}
    )
    return [*position.hands[0]]


def test_what_has_two_readings_is_refused_with_both() -> None:
    assert hand_of("CoC") == ["Co", "C"]
    assert hand_of("COCo") == ["C", "O", "Co"]
    assert hand_of("bo") == ["B", "O"]
    with pytest.raises(PositionError) as found:
        hand_of("B coc")
    (fault,) = found.value.faults
    assert (fault.code, fault.path) == ("two_readings", "hands[0][1]")
    assert fault.message == "'coc' can be read as Co C or as C O C: write commas between the cards"


@pytest.mark.parametrize(("move", "told"), [("p", "P played or as pass"), ("pBB", None), ("P", ""), ("pass", "")])
def test_a_pass_that_could_be_a_play_is_refused(move: str, told: str | None) -> None:
    data = {
        "game": "aqua-regia",
        "deck": DECK,
        "players": 2,
        "seat": 0,
        "hand": ["O"] * 9,
        "history": f"0:C/{move}",
    }
    with pytest.raises(PositionError) as found:
        athanor.parse(data)
    codes = [fault.code for fault in found.value.faults]
    assert ("two_readings" in codes) == (told != "")
    if told:
        assert told in found.value.message


def test_letters_of_keys_are_those_of_the_game() -> None:
    assert str(athanor.parse("kirin s=1 h=S1S5B4B6G1G4G-D+ d=B3 l=0")).endswith("declared=B3 leader=0")
    assert athanor.parse("alchemy solo l=4710 h=2").line == ("4", "7", "10")
    with pytest.raises(PositionError) as found:
        athanor.parse("kirin s=1 h=S1 hand=S2")
    assert (found.value.code, found.value.path) == ("duplicate_key", "hand")
    for game in map(registry.game, registry.names()):
        assert not SHORT.keys() & game.notation.values.keys()
    with pytest.raises(PositionError):  # JSON has whole keys
        athanor.parse({"game": "kirin", "s": 1, "h": "S1", "d": "B3"})


def test_a_text_that_breaks_off_tells_where() -> None:
    with pytest.raises(PositionError) as found:
        athanor.parse("kirin s=2 h=S1S4ZZ d=B+ l=0")
    assert found.value.path == "h[2]"
    assert "'ZZ' is not a card" in found.value.message


# ----------------------------------------------------------------------------------------------------
# A line is taken wherever a position is, and every answer tells the line of its position.


DUEL = "alchemy duel line=A,6,10,J,Q,K hand=9 opponent_hand=5"
PUZZLE = f'[[puzzle]]\nid = "1"\ntitle = "One"\nask = "value"\nposition = "{DUEL}"\n'


@pytest.fixture(scope="module")
def client() -> FlaskClient:
    return create_app(Config()).test_client()


def test_python() -> None:
    position = athanor.parse(DUEL)
    assert athanor.parse(DUEL.encode()) == position == athanor.game("alchemy").parse(DUEL)
    answer = athanor.analyze(DUEL)
    assert answer.text == DUEL
    assert athanor.analyze(answer.text).value == answer.value
    assert "Text" not in str(answer)


def test_http(client: FlaskClient) -> None:
    told = client.post("/v1/analyze", json={"position": DUEL}).get_json()
    assert told["text"] == DUEL
    moves = client.post("/v1/moves", json={"position": DUEL}).get_json()
    assert len(moves["legal_moves"]) == len(told["moves"])
    wrong = client.post("/v1/analyze", json={"position": "alchemy duel lien=A,2 hand=Z"})
    faults = wrong.get_json()["error"]["faults"]
    assert wrong.status_code == 422
    assert [fault["path"] for fault in faults] == ["position.lien", "position.hand"]


def test_puzzle_files() -> None:
    (puzzle,) = puzzle_format.loads(PUZZLE).puzzles
    assert puzzle.position == athanor.parse(DUEL)
    assert puzzle_format.loads(puzzle_format.dumps(puzzle_format.loads(PUZZLE))).puzzles == (puzzle,)
    with pytest.raises(athanor.PuzzleError) as found:
        puzzle_format.loads(PUZZLE.replace("hand=9", "hand=Z"))
    assert (found.value.path, found.value.lines[0]) == ("puzzle[0].position.hand", 5)


def beside_cards(line: str) -> int:
    """How many characters of a line are no cards, nor the commas between them."""
    return sum(len(re.sub(r"[A-Z][a-z]?[0-9T+-]*(?=[,/: ]|$),?", "", word)) + 1 for word in line.split())


MOVES = {"kirin": 10, "king": 26, "aqua-regia": 8}
check_rows(MOVES, AGAINST_OTHERS)


@pytest.mark.parametrize(("name", "moves"), MOVES.items())
def test_a_view_of_a_round_is_typed_in_a_short_line(name: str, moves: int) -> None:
    """A view on the third trick of Kirin, after five tricks of King, and after eight moves of Aqua Regia."""
    game = registry.game(name)
    position = game.deal(5)
    for _ in range(moves):
        position = game.play(position, game.legal_moves(position)[0])
    view = athanor.view(position, 1)
    typed = re.sub(r"/[0-4]:(?=[^/]*,)", "/", str(view)).replace(":take:", ":t:").replace(":give:", ":g:")
    if name == "aqua-regia":
        typed = str(view)
    assert athanor.parse(typed.lower()) == athanor.parse(str(view))
    assert beside_cards(typed) < 90, typed


def test_the_issues_solitaire() -> None:
    assert str(athanor.parse("alchemy solo line=4,7,K,2,9,A hand=6")) == "alchemy solo line=A,2,4,7,9,K hand=6"
