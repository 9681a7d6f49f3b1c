"""Lines and data that nobody means: changed, strange or very long; each is read or refused, quickly."""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Mapping
from typing import Any

import pytest

from athanor import sessions
from solver import registry
from solver.errors import AthanorError, PositionError
from solver.positions import parse_position, parse_record, position_data
from tests.notation.fuzzing import changed, check, lines
from tests.support import rounds
from tests.support.games import AGAINST_OTHERS


def test_changed_lines_are_read_as_they_are_written_or_refused() -> None:
    rng, known = random.Random(7), lines(deals=3)
    read = [check(changed(rng.choice(known), known, rng)) for _ in range(150)]
    assert {"read", "refused"} == set(read)


# ----------------------------------------------------------------------------------------------------
# Keys that hold what nobody would put there, several at once: refused with a fault, never a fault of our own.


STRANGE: tuple[Any, ...] = (
    *(None, True, 0, -1, 7, 2**64, 1.5, "", "A", "Zn,Zn/Pb", "-", float("nan")),
    *([], [[]], [None], ["A"], {}, {"a": 1}, [{}], [[1]], [["A"], 5]),
    "\ud800",  # half a character
)
KEYS = (
    *("players", "hands", "hand", "counts", "history", "dealt", "pick", "stock", "stock_count", "seat", "known"),
    *(
        "table",
        "discard",
        "owner",
        "turn",
        "field",
        "deck",
        "won",
        "trick",
        "leader",
        "line",
        "declared",
        "rounds",
    ),
)
DRAWN = 25  # of each kind of deal


def positions(case: rounds.Case, rng: random.Random) -> list[dict[str, Any]]:
    position = case.deal(1)
    seat = getattr(position, "seat_to_move", 0)
    return [position_data(position), position_data(case.game.view(position, seat)), {"game": case.name}]


@pytest.mark.parametrize("name", sorted({case.name for case in rounds.CASES}))
def test_strange_values_are_refused(name: str) -> None:
    rng = random.Random(name)
    refused = 0
    for case in (case for case in rounds.CASES if case.name == name):
        for data in positions(case, rng):
            for _ in range(DRAWN // 3):
                sent = dict(data)
                for _ in range(rng.choice((1, 2, 3))):
                    key = rng.choice(KEYS if rng.random() < 0.5 else list(data))
                    if rng.random() < 0.3 and key != "game":
                        sent.pop(key, None)
                    elif key != "game":
                        sent[key] = rng.choice(STRANGE)
                for read in (parse_position, parse_record):
                    try:
                        read(sent)
                    except AthanorError:
                        refused += 1
    assert refused > DRAWN


@rounds.each_case
def test_half_a_character_is_refused_and_quoted_escaped(case: rounds.Case) -> None:
    for data in positions(case, random.Random(1)):
        for key, value in (("history", "\ud800"), ("seat", "\ud800"), ("hand", ["\ud800"]), ("game", "\ud800")):
            with pytest.raises(PositionError) as found:
                parse_position(data | {key: value})
            str(found.value).encode()


@pytest.mark.parametrize(
    "data",
    [
        {"game": "aqua-regia", "players": 3, "hands": 5},
        {"game": "aqua-regia", "players": 3, "hand": ["Zn"], "counts": -1, "field": "water", "turn": 0},
        {
            "game": "king",
            "players": 3,
            "hands": [["F1"], ["F2"], ["F3"]],
            "trick": [],
            "dealt": "-",
            "history": 1.5,
        },
        {"game": "kirin", "dealt": [["D1"], ["D2"], ["D3"], ["D4"]], "history": True},
    ],
    ids=["hands", "counts", "history", "history of kirin"],
)
def test_a_number_in_the_place_of_a_list(data: dict[str, Any]) -> None:
    with pytest.raises(PositionError):
        parse_position(data)


@pytest.mark.parametrize("leader", [-1, 2, 10**9])
def test_a_trick_that_nobody_led(leader: int) -> None:
    """The deal was passed on from seat to seat until it came to the leader: for ever, in ever more memory."""
    tricks = [{"leader": 0, "moves": ["Li", "pass"]}, {"leader": leader, "moves": ["Ca"]}]
    with pytest.raises(PositionError):
        parse_position({"game": "aqua-regia", "players": 2, "seat": 0, "hand": ["Na"], "history": tricks})


AQUA = "aqua-regia players=2 seat=1 hand=Cu"


@pytest.mark.parametrize(
    ("history", "message"),
    [
        ("0:>", "an exchange begins with pass"),
        ("1:::", "'::' is not a move"),
        ("0:", "'' is not a move"),
        ("0:Zn,-,Zn", "'Zn - Zn' is not a move"),
    ],
)
def test_moves_of_signs_alone(history: str, message: str) -> None:
    with pytest.raises(PositionError, match=message) as found:
        parse_position(f"{AQUA} history={history}")
    assert found.value.path == "history[0].moves[0]"


def test_that_nobody_passed_a_deal_on_is_told_by_nothing() -> None:
    """So that a position comes back from its line as it went in."""
    line = f"{AQUA} counts=2,1 field=water turn=0 stock_count=0"
    told = parse_position(f"{line} deal_passes=-")
    assert told == parse_position(line)
    assert parse_position(str(told)) == parse_position(position_data(told)) == told


def test_hyphens_behind_picks_that_are_run_together() -> None:
    """A hyphen stands for a seat that has picked nothing."""
    hands = "F2W6W8W9E2E11A2A3A9T2D/F1F5F8F9W1W4W5W10A6T1T4/F7F10F11W2W3W7W11E4A1A4A5E8/F3F4E1E3E6E7E9A7A10A11T5E5"
    together, apart = (
        str(parse_position(f"king seat=2 leader=0 removed=E10T3 hands={hands} pick={pick}"))
        for pick in ("F6A8--", "F6,A8,-,-")
    )
    assert together == apart


# ----------------------------------------------------------------------------------------------------
# Long lines of nothing: each once held the interpreter for a minute and more, and the whole service with it.


SECONDS = 1.0  # of processor time; each takes less than a tenth of it


@pytest.fixture(scope="module")
def types_read() -> None:
    """What the first position of each game takes is not counted."""
    for game in registry.names():
        with pytest.raises(PositionError):
            parse_position({"game": game})


def refused(sent: object, read: Callable[[object], object] = parse_position) -> PositionError:
    """The error of what is sent, which takes no long time."""
    begun = time.thread_time()
    with pytest.raises(PositionError) as found:
        read(sent)
    assert time.thread_time() - begun < SECONDS
    return found.value


@pytest.mark.usefixtures("types_read")
@pytest.mark.parametrize(
    "line",
    [
        "king seat=1 hand=W1" + "\u2003" * 150_000 + "W4",
        "king hand=" + " a" * 99_000,
        "aqua-regia hand=" + "×9" * 50_000,
        *(f"{game} seat=1 hand=Zn history=" + "p/" * 99_000 for game in AGAINST_OTHERS),
        "kirin hands=" + "/" * 199_000,
        ("aqua-regia deck=" + "%7B%22a%22%3A" * 70_000)[:199_000],
    ],
    ids=("blanks", "words", "times", *AGAINST_OTHERS, "slashes", "nested"),
)
def test_a_position(line: str) -> None:
    refused(line)


_RUNS = " ".join("F1W3" * 200 + f"x{number}" for number in range(1000))


@pytest.mark.usefixtures("types_read")
@pytest.mark.parametrize(
    ("data", "path"),
    [
        ({"game": "aqua-regia", "players": 4, "seat": 1, "hand": ["Zn"], "history": "p/" * 450_000}, "history"),
        ({"game": "king", "seat": 1, "hand": ["F1"], "history": "p/" * 450_000}, "history"),
        ({"game": "kirin", "seat": 1, "hand": ["D1"], "history": "p/" * 450_000}, "history"),
        ({"game": "kirin", "seat": 1, "hand": "D1," * 300_000}, "hand"),
        ({"game": "kirin", "hands": ["D1," * 300_000]}, "hands"),
        ({"game": "kirin", "hands": "/" * 900_000}, "hands"),
        ({"game": "aqua-regia", "hands": ["Zn"], "stock": "Zn×9" * 100_000}, "stock"),
        ({"game": "kirin", "rules": ",".join(map(str, range(100_000)))}, "rules"),
        ({"game": "king", "seat": 1, "hand": _RUNS}, "hand"),
    ],
    ids=("moves", "king", "kirin", "cards", "inner", "slashes", "times", "rules", "runs"),
)
def test_a_text_in_json(data: Mapping[str, object], path: str) -> None:
    """Texts are counted before they are taken apart."""
    assert refused(data).path == path


@pytest.mark.usefixtures("types_read")
def test_a_text_in_a_record() -> None:
    error = refused({"game": "kirin", "rounds": [{"history": "p/" * 400_000}]}, parse_record)
    assert (error.code, error.path) == ("wrong_size", "rounds[0].history")


@pytest.mark.usefixtures("types_read")
@pytest.mark.parametrize(
    "line", ["[game" + " " * 100_000 + "x", "[game " + " x" * 50_000], ids=("blanks", "words")
)
def test_a_tag(line: str) -> None:
    begun = time.thread_time()
    with pytest.raises(PositionError):
        sessions.loads(line.encode())
    assert time.thread_time() - begun < SECONDS


@pytest.mark.usefixtures("types_read")
def test_blanks_in_a_tag_mean_nothing() -> None:
    (game,) = sessions.loads(b"[  game   king  ]\n[seed 7 ]\n[seconds\t1]\n")
    assert (game.game, game.seed, game.seconds) == ("king", 7, 1)
