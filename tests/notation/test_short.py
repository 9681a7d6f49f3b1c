"""Cards with nothing between them, letters for keys: what can be read in one way alone is read, nothing else."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import athanor
from solver import registry
from solver.codec import SHORT, Names, TwoReadings
from solver.errors import PositionError
from solver.games.alchemy.deck import TEXTS
from solver.games.aqua_regia.deck import KIND as AQUA_REGIA
from solver.games.king.deck import KIND as KING
from solver.games.kirin.deck import CARDS, name
from solver.positions import position_data
from solver.registry import game_of

pytestmark = [pytest.mark.small, pytest.mark.plain]

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
    assert [line.split()[0] for line in lines] == ["kirin", "king", "aqua-regia", "alchemy"]
    for line in lines:
        assert len(line) - letters_of_cards(line) < 90, line
        assert athanor.parse(line.lower()) == athanor.parse(line)
    kirin, king, aqua, _ = (position_data(athanor.parse(line)) for line in lines)
    assert (len(kirin["history"]), len(king["history"]), len(king["won"])) == (2, 5, 4)
    assert sum(len(trick["moves"]) for trick in aqua["history"]) > 12


@pytest.mark.parametrize(
    "words",
    [
        [name(card) for card in range(CARDS)],
        [*KING.house.index, *"tg", "take", "give", *(f"D:{suit}" for suit in "FWEA")],
        [*AQUA_REGIA.house.index, "p", "pass"],
        TEXTS,
    ],
    ids=["kirin", "king", "aqua-regia", "alchemy"],
)
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


@pytest.mark.covered
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
