"""What strangers type wrongly, and what they are told: where it is, what is wrong, and what to write instead."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest

import athanor
from puzzles import format as puzzle_format
from solver import decks
from solver.errors import AthanorError
from solver.language import speaking

KIRIN = "kirin seat=3 hand=S5,S+,S-,B6,B+,G2 declared=DT m=0:ST,G3,D-,G-/0:G6,B2,B1,D5 trick=2:D4"
KING = (
    "king players=4 seat=3 hand=F8,F9,W4,W10,E1,A3,A7 pick=W9,F10,F4,A1 removed=W8,A6 "
    "history=0:F6,T4,T3,F1:take:F1,T3:give:F6/1:T1,F11,A8,E2/1:E5,T2,E7,E8:give:E7/2:W5,W1,W7,T5:take:W1:give:W7 "
    "trick=1:W2,W3"
)
AQUA = (
    "aqua-regia players=4 seat=1 hand=K,Mg,Mg,Zn,Zn,Zn,Ni,Sn,Pb,Pb,Cu,Pt m=0:Ca/1:Na/2:Mg/3:pass/0:pass/1:pass/"
    "2:K,K/3:pass:K:Ca/0:pass:Li:K/1:pass/2:Sn/3:pass:Li:K/0:pass:Ca:Na/1:pass/2:Na/3:pass:K:Ca/0:pass:Mg:Sn"
)
NO_CARD = "'D9' is not a card; a card is a colour D S B G and 1 to 6, T, + or -: D6 ST B+"
METALS = "its metals: Li K Ca Na Mg Al Zn Fe Ni Sn Pb Cu Hg Ag Pt Au"


def told(ask: Callable[[], Any]) -> list[str]:
    with pytest.raises(AthanorError) as found:
        ask()
    return [str(fault) for fault in found.value.faults]


@pytest.mark.parametrize(
    ("typed", "faults"),
    [
        # One cause, one fault; the key as it was typed.
        (
            KING.replace("king ", "king deck=hose "),
            ["deck: there is no deck of king called 'hose'; possible: house"],
        ),
        (
            AQUA.replace("regia ", "regia deck=x "),
            ["deck: there is no deck of aqua-regia called 'x'; possible: house"],
        ),
        (
            KIRIN.replace("m=0:ST,G3,D-,G-/0:", "m=STG3D-G-/").replace("2:D4", "D4"),
            ["m[0].leader: who led the first trick? Write its seat in front of the cards, as in 0:STG3D-G-"],
        ),
        (
            KING.replace("history=0:", "history="),
            [
                "history[0].leader: who led the first trick? Write its seat in front of the cards, as in "
                "0:F6,T4,T3,F1:take:F1,T3:give:F6"
            ],
        ),
        (AQUA.replace("m=0:Ca", "m=Ca"), ["m: who made the first move? Write its seat in front, as in 0:Ca"]),
        (AQUA.replace("players=4 ", ""), ["players: players is missing: how many play?"]),
        (AQUA.replace("players=4", "players=9"), ["players: 2 to 5 is expected, not 9"]),
        ("king players=7 seat=0 hand=F1 leader=0 pick=F2", ["players: 3 to 5 is expected, not 7"]),
        (KIRIN.replace("D-", "D9"), [f"m[0].cards[2]: {NO_CARD}"]),
        (KIRIN.replace("G3,D-", "D-"), ["m[0].cards: at least 4 entries are expected, not 3"]),
        (KIRIN.replace("seat", "saet"), ["saet: unknown key 'saet'; did you mean seat?"]),
        (KING.replace("F6,T4,T3,F1:", "F6,T4,T3:"), ["history[0].cards: a trick has 4 cards, not 3"]),
        (
            AQUA.replace("1:Na/2:Mg", "2:Mg"),
            ["m[0].moves[1]: seat 1 is to move here, not seat 2: is a move of seat 1 missing?"],
        ),
        (
            AQUA.replace("3:pass:K:Ca/0:pass:Li", "3:pass:Ca:K/0:pass:Li"),
            ["m[1].moves[1]: pass Ca>K: what is taken must be stronger than what is discarded"],
        ),
        (AQUA.replace("0:pass:Mg:Sn", "ca>ni"), ["m[3].moves[2]: an exchange begins with pass: pass ca>ni"]),
        (AQUA.replace("K,Mg,Mg", "K,Mg,Xx"), [f"hand[2]: 'Xx' is not a metal of the deck house; {METALS}"]),
        # Jokers, options, variants, seats: what there is, and what to write.
        (
            "alchemy duel l=4X8985 h=6 o=K",
            ["l[1]: a joker is set aside and replaced: write table_jokers=1, and the new card in the line"],
        ),
        ("alchemy solo l=4X8985 h=6", ["l[1]: X is not in the deck of solo (A–K, no jokers)"]),
        ("alchemy duel l=48985 h=6 o=K", ["l: a duel line has six cards, not 5"]),
        (
            "alchemy soloo l=489856 h=6",
            [
                "variant: there is no variant called 'soloo'; did you mean solo? Possible: solo, alternative, "
                "duel, free"
            ],
        ),
        ("alchemy l=4X8985", ["variant: variant is missing; it is one of solo, alternative, duel, free"]),
        (
            KIRIN.replace("kirin", "kirin rules=declared_count"),
            [
                "rules.declared_count: there is no option 'declared_count'; did you mean declared_counts? "
                "Possible: declared_counts, led_kirin_asks_only_kirin"
            ],
        ),
        (
            "kirin seat=9 hand=D1,D9 declared=B+ leader=5 hnad=D2",
            [
                "hnad: unknown key 'hnad'; did you mean hand?",
                "seat: 0 to 3 is expected, not 9",
                f"hand[1]: {NO_CARD}",
                "leader: 0 to 3 is expected, not 5",
            ],
        ),
        ("kirin", ["kirin alone is not a position: add its keys, as in kirin seat=2 hand=S1,S4"]),
        (
            '{"game": "kirinn"}',
            [
                "game: there is no game called 'kirinn'; did you mean kirin? "
                "Possible: alchemy, king, kirin, aqua-regia"
            ],
        ),
    ],
)
def test_of_positions(typed: str, faults: list[str]) -> None:
    assert told(lambda: athanor.parse(typed)) == faults


def test_of_a_length_in_japanese() -> None:
    with speaking("ja"):
        assert told(lambda: athanor.parse(KIRIN.replace("G3,D-", "D-"))) == [
            "m[0].cards: 4個以上の要素が必要です（指定：3個）"
        ]


@pytest.mark.parametrize(
    ("position", "moves", "fault"),
    [
        (KIRIN, ("D6", "d6"), "seat 3 does not hold D6"),
        (KIRIN, ("S5", "s5"), None),
        ("king leader=0 hands=F1,W1/F2,W2/F3,W3", ("F5", "f5"), "seat 0 does not hold F5"),
        (
            "king leader=0 hands=F1,W1/F2,W2/F3,W3",
            ("D:Q", "d:q"),
            "'D:Q' names no suit; the Dancer is played as D:F, D:W, D:E, D:A",
        ),
        (AQUA, ("K", "k"), "K is not stronger than Na"),
        (AQUA, ("Ca>Ni", "ca>ni"), "an exchange begins with pass: pass Ca>Ni"),
        ("alchemy solo line=4,7,K,2,9,A hand=6 stock=5,Q", ("discard Q", "DISCARD q"), None),
        ("alchemy solo line=4,7,K,2,9,A hand=6 stock=5,Q", ("6+K=2", "6+k=2"), None),
    ],
)
def test_a_move_in_small_letters_is_told_what_it_is_told_in_capitals(
    position: str, moves: tuple[str, str], fault: str | None
) -> None:
    found: list[Any] = []
    for move in moves:
        try:
            found.append(str(athanor.play(position, move)))
        except AthanorError as error:
            found.append(error.message.casefold())
    assert found[0] == found[1]
    assert fault is None or found[0] == fault.casefold()


def test_so_is_a_move_of_a_record() -> None:
    deck = ",".join(["A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K"] * 4)
    for move in ("discard:Q", "discard:q"):
        (fault,) = told(partial(athanor.score, f"alchemy solo deck={deck} moves={move}"))
        assert "Q" in fault
        assert "is no" not in fault


KIRIN_DEAL = athanor.deal("kirin", seed=1)
MOVE: Any = 5
X: Any = "x"  # where a number is expected
WHOLE = "a whole number is expected, not 'x'"


@pytest.mark.parametrize(
    ("ask", "fault"),
    [
        (lambda: athanor.deal("kirin", seed=X), f"seed: {WHOLE}"),
        (lambda: athanor.deal("kirin", seed=-1), "seed: at least 0 is expected, not -1"),
        (lambda: athanor.deal("kirin", players=X), f"players: {WHOLE}"),
        (lambda: athanor.deal("king", players=7), "players: king is for 3 to 5 players, not for 7"),
        (
            lambda: athanor.deal("king", deck="hose"),
            "deck: there is no deck of king called 'hose'; possible: house",
        ),
        (
            lambda: athanor.deal("alchemy", variant="sol"),
            "variant: 'sol' cannot be dealt; did you mean solo? Possible: solo, alternative, duel",
        ),
        (
            lambda: athanor.game("kirinn"),
            "game: there is no game called 'kirinn'; did you mean kirin? "
            "Possible: alchemy, king, kirin, aqua-regia",
        ),
        (
            lambda: athanor.hint("kirin"),
            "kirin alone is not a position: add its keys, as in kirin seat=2 hand=S1,S4",
        ),
        (lambda: athanor.analyze(KIRIN_DEAL, player=X), f"player: {WHOLE}"),
        (lambda: athanor.analyze(KIRIN_DEAL, nodes=0), "nodes: more than 0 is expected, not 0"),
        (
            lambda: athanor.analyze(KIRIN_DEAL, model="paranoi", nodes=9),
            "model: there is no model called 'paranoi'; did you mean paranoid? Possible: paranoid, ally, maxn",
        ),
        (lambda: athanor.hint(athanor.view(KIRIN_DEAL, 0), worlds=X), f"worlds: {WHOLE}"),
        (lambda: athanor.hint(athanor.view(KIRIN_DEAL, 0), seed=X), f"seed: {WHOLE}"),
        (lambda: athanor.hint(athanor.view(KIRIN_DEAL, 0), seconds=X), "seconds: a number is expected, not 'x'"),
        (lambda: athanor.view(KIRIN_DEAL, X), f"seat: {WHOLE}"),
        (lambda: athanor.view(KIRIN_DEAL, 7), "seat: there is no seat 7; seats are 0 to 3"),
        (lambda: athanor.play(KIRIN_DEAL, [MOVE]), "moves[0]: a move is text, not int"),
    ],
)
def test_of_arguments(ask: Callable[[], Any], fault: str) -> None:
    assert told(ask) == [fault]


def test_all_that_is_wrong_with_a_deck_is_told_at_once() -> None:
    folder = Path(decks.__file__).parent / "games"
    text = (folder / "king" / "decks" / "king-house.toml").read_text(encoding="utf-8")
    text = text.replace('suit = "F"', 'suit = "Q"', 2).replace('code = "W3"', 'code = "W2"')
    assert told(lambda: decks.written(text))[:3] == [
        "card[0].suit: card F1: there is no suit 'Q'; possible: F, W, E, A",
        "card[1].suit: card F2: there is no suit 'Q'; possible: F, W, E, A",
        "card[13].code: W2 is already card[12]",
    ]
    metals = (folder / "aqua_regia" / "decks" / "aqua-regia-house.toml").read_text(encoding="utf-8")
    metals = metals.replace("copies = 4", "copies = 400").replace('name = "Lithium"', 'nme = "Lithium"')
    assert told(lambda: decks.written(metals.replace("water = 3", "water = 30", 2))) == [
        "metal[0].nme: metal Li: unknown key 'nme'; did you mean name?",
        "copies: 1 to 99 is expected, not 400",
        "metal[0].reactivity.water: metal Li, water: 0 to 9 is expected, not 30",
        "metal[1].reactivity.water: metal K, water: 0 to 9 is expected, not 30",
    ]


def test_all_that_is_wrong_with_a_puzzle_file_is_told_at_once() -> None:
    text = """
[[puzzle]]
id = "a"
title = "x"
ask = "best-move"
position = "kirin seat=9 hand=D1 declared=D9 leader=0"
[[puzzle]]
id = "b"
title = "y"
ask = "best-move"
model = "paranoi"
position = "alchemy solo line=4,7,K,2,9,A hand=6 stock=5,Q"
solution = { best = ["k"] }
"""
    assert told(lambda: puzzle_format.loads(text)) == [
        "puzzle[0].position.direction: which order is in force: ascending or descending?",
        "puzzle[0].position.seat: 0 to 3 is expected, not 9",
        f"puzzle[0].position.declared: {NO_CARD}",
        "puzzle[1].model: alchemy has no model 'paranoi'",
        "puzzle[1].solution.best[0]: 'K' is not a move: write a split like 6+7=4+9, discard K or none",
    ]
