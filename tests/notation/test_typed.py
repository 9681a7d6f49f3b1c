"""Positions as strangers type them who know a rulebook and have seen one line; what fails names the mending.

The rounds are real ones, of which the typist sees what a player at the table sees.
"""

from __future__ import annotations

import pytest

import athanor

KIRIN = "kirin seat=3 hand=S5,S+,S-,B6,B+,G2 declared=DT history=0:ST,G3,D-,G-/0:G6,B2,B1,D5 trick=2:D4"
KING = (
    "king players=4 seat=3 hand=F8,F9,W4,W10,E1,A3,A7 pick=W9,F10,F4,A1 removed=W8,A6 "
    "history=0:F6,T4,T3,F1:take:F1,T3:give:F6/1:T1,F11,A8,E2/1:E5,T2,E7,E8:give:E7/2:W5,W1,W7,T5:take:W1:give:W7 "
    "trick=1:W2,W3"
)
AQUA = (
    "aqua-regia players=4 seat=1 hand=K,Mg,Mg,Zn,Zn,Zn,Ni,Sn,Pb,Pb,Cu,Pt history=0:Ca/1:Na/2:Mg/3:pass/0:pass/"
    "1:pass/2:K,K/3:pass:K:Ca/0:pass:Li:K/1:pass/2:Sn/3:pass:Li:K/0:pass:Ca:Na/1:pass/2:Na/3:pass:K:Ca/0:pass:Mg:Sn"
)
SOLO = "alchemy solo line=A,3,4,9,9,K hand=7"


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("Kirin Seat=3 " + KIRIN.split(" ", 2)[2].lower(), KIRIN),
        (KIRIN.replace(",", " "), KIRIN),
        (KIRIN.replace("/0:", "/").replace("2:D4", "D4"), KIRIN),
        (KIRIN.replace("=", " = "), KIRIN),
        (KIRIN.replace(" ", ", "), KIRIN),
        (KIRIN.replace(" ", "; ").replace(",", " "), KIRIN),
        (KING.replace("players=4 ", ""), KING),
        (KING.replace(":take:", " take ").replace(":give:", " give "), KING),
        (KING.replace(":take:", ":T:").replace(":give:", ":g:").lower(), KING),
        (KING.replace("W9,F10,F4,A1", "W9/F10/F4/A1"), KING),
        (KING.replace("W9,F10,F4,A1", "0:W9,1:F10,2:F4,3:A1"), KING),
        (AQUA.replace("Mg,Mg,Zn,Zn,Zn", "Mg×2 Zn*3").replace("K,K", "K×2"), AQUA),
        (AQUA.replace("pass:K:Ca", "pass K>Ca").replace("K,K", "K K"), AQUA),
        ("alchemy solo hand=7 line=A 3 4 9 9 K", SOLO),
        (SOLO.lower(), SOLO),
    ],
)
def test_what_can_mean_one_thing_alone_is_understood(typed: str, meant: str) -> None:
    assert typed != meant
    assert str(athanor.parse(typed)) == str(athanor.parse(meant))


@pytest.mark.parametrize("line", [KIRIN, KING, AQUA, SOLO])
def test_a_position_takes_under_90_characters_beside_its_cards(line: str) -> None:
    codes = {*athanor.parse(line).model_dump_json().replace('"', " ").replace(",", " ").split()}
    typed = line.replace(",", " ").replace("/", " ").replace(":", " ").replace("=", " ").split()
    cards = sum(len(word) for word in typed if word in codes and word not in ("pass", "solo", "kirin", "king"))
    separators = sum(line.count(one) for one in ",/:")
    moves = line.count("pass") * len("pass") + line.count("take") * 4 + line.count("give") * 4
    assert len(line) - cards - separators - moves < 90


@pytest.mark.parametrize(
    ("typed", "path", "message"),
    [
        (
            KIRIN.replace("=", " "),
            "",
            "this is neither JSON nor keys with their values, as in kirin seat=2 hand=S1,S4: it has no =",
        ),
        (KIRIN.replace("declared", "aside"), "aside", "declared"),
        (KIRIN.replace("seat", "saet"), "saet", "did you mean seat?"),
        (KING.replace("W9,F10,F4,A1", "A1"), "pick", "the card that each of the 4 seats picked, seat 0's first"),
        (KING.replace(" removed=W8,A6", " removed=W8"), "removed", "with 4 players 2 cards are removed, not 1"),
        (KING.replace(":give:E7", ""), "history[2].given", "one of E5 E7 E8 must be given to the player of E5"),
        (AQUA.replace("players=4 ", ""), "players", "how many play?"),
        (AQUA.replace("0:Ca/", "Ca/"), "history", "who made the first move? Write its seat in front, as in 0:Ca"),
        (SOLO.replace("hand", "xyzzy"), "xyzzy", "keys: variant points"),
    ],
)
def test_what_could_mean_several_things_says_what_to_write(typed: str, path: str, message: str) -> None:
    with pytest.raises(athanor.PositionError) as raised:
        athanor.parse(typed)
    first = raised.value.faults[0]
    assert first.path == path
    assert message in first.message
