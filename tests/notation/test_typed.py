"""Positions and moves as strangers type them: understood, inferred, or refused with what to write instead."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest

import athanor
from api.bodies import validated
from api.models import BODIES
from puzzles import format as puzzle_format
from solver import decks, registry
from solver.errors import AthanorError, PositionError
from solver.language import speaking
from solver.positions import position_data
from tests.support.games import AGAINST_OTHERS, check_rows

# ----------------------------------------------------------------------------------------------------
# Lines of people who know a rulebook and have seen one line. The rounds are real ones, of which the typist
# sees what a player at the table sees.


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
        (AQUA.replace("Zn,Zn,Zn", "Zn✕3"), AQUA),
        (re.sub(r"([A-Z]\d+)", r'"\1"', KING), KING),
        (KING.replace(",", "''"), KING),
        (re.sub(r"([A-Z][1-6+-])", r"‘\1’", KIRIN).replace("seat=3", 'seat="3"'), KIRIN),
        # Cyrillic and Greek letters that look like ours.
        (KIRIN.replace("S", "\u0405").replace("B", "\u0412").replace("T", "\u0422"), KIRIN),
        (AQUA.replace("K", "\u039a").replace("M", "\u041c"), AQUA),
        ("alchemy solo hand=7 line=A 3 4 9 9 K", SOLO),
        (SOLO.lower(), SOLO),
    ],
)
def test_what_can_mean_one_thing_alone_is_understood(typed: str, meant: str) -> None:
    assert typed != meant
    assert str(athanor.parse(typed)) == str(athanor.parse(meant))


@pytest.mark.parametrize(
    ("typed", "path", "message"),
    [
        (
            KIRIN.replace("=", " "),
            "",
            "this is neither JSON nor keys with their values, as in kirin seat=2 hand=S1,S4: it has no =",
        ),
        ("kir/n" + KIRIN.removeprefix("kirin"), "", "a line begins with the name of a game, as in kirin"),
        ("hand=S1 " + KIRIN, "", "not with 'hand=S1'"),
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


# ----------------------------------------------------------------------------------------------------
# What follows from the tricks need not be said, and what contradicts them is refused.


def rounds(name: str, moves: int, **options: Any) -> list[Any]:
    """The positions of a round in which everybody makes the first legal move."""
    game = registry.game(name)
    found = [game.deal(5, **options)]
    for _ in range(moves):
        found.append(game.play(found[-1], game.legal_moves(found[-1])[0]))
    return found


# The keys of a view from which all others follow.
NEEDED = {
    "kirin": {"game", "seat", "hand", "declared", "trick", "history"},
    "king": {"game", "seat", "hand", "removed", "trick", "history"},
    "aqua-regia": {"game", "seat", "hand", "history", "deal_passes"},
}
check_rows(NEEDED, AGAINST_OTHERS)


@pytest.mark.small
@pytest.mark.parametrize(("name", "needed"), NEEDED.items())
def test_a_view_needs_no_more_than_was_seen(name: str, needed: set[str]) -> None:
    """The leader of each trick but the first, who leads now, piles, the table, the field, counts: all follow."""
    position = rounds(name, 14)[-1]
    for seat in range(4):
        view = athanor.view(position, seat)
        data = position_data(view)
        short: dict[str, Any] = {key: value for key, value in data.items() if key in needed}
        if name == "king":
            gained = view.past.won  # type: ignore[attr-defined]
            deck = view.full_deck  # type: ignore[attr-defined]
            short["pick"] = [
                next(code for code in pile if not gained[other] >> deck.index[code] & 1)
                for other, pile in enumerate(data["won"])
            ]
        if name == "aqua-regia":
            short["players"] = 4
            short["history"] = [{"leader": data["history"][0]["leader"], "moves": data["history"][0]["moves"]}] + [
                {"leader": trick["leader"], "moves": trick["moves"]} for trick in data["history"][1:]
            ]
        else:
            short["history"] = [dict(trick) for trick in data["history"]]
            for trick in short["history"][1:]:
                del trick["leader"]
        assert str(athanor.parse(short)) == str(view)


@pytest.mark.parametrize(("game", "players"), [("king", 3), ("kirin", 4)])
def test_cards_dealt_and_cards_left_are_not_given_together(game: str, players: int) -> None:
    deal = athanor.deal(game, seed=1, players=players)
    known, seen = position_data(deal), position_data(athanor.view(deal, 1))
    for data, left in ((known, "hands"), (seen, "hand")):
        for dealt in (known["hands"], seen["hand"]):
            with pytest.raises(PositionError) as found:
                athanor.parse(data | {"dealt": dealt})
            assert (found.value.code, found.value.path) == ("conflict", "dealt")
            assert f"those left ({left})" in str(found.value)


@pytest.mark.small
def test_the_hand_follows_from_the_cards_dealt() -> None:
    first, *_, last = rounds("kirin", 13)
    seen = position_data(athanor.view(last, 2))
    dealt = athanor.view(first, 2).hand
    del seen["hand"]
    assert athanor.parse(seen | {"dealt": [*dealt, seen["declared"]]}) == athanor.view(last, 2)
    assert athanor.parse(seen | {"dealt": " ".join(dealt).lower()}) == athanor.view(last, 2)
    with pytest.raises(PositionError) as found:
        athanor.parse(seen | {"dealt": [card for card in dealt if card != last.history[0].cards[2]]})
    assert "which was not dealt to it" in str(found.value)
    known = position_data(last)
    for key in ("hands", "won", "leader", "direction"):
        del known[key]
    assert athanor.parse(known | {"dealt": first.hands}) == last


@pytest.mark.small
def test_what_a_winner_had_to_take_and_give_need_not_be_said() -> None:
    said = "king seat=0 hand={} pick=A1,A2,A3,A4 removed=W1,W2 history=0:{}{}"
    view = athanor.parse(said.format("T1,T2,T3,T4,E1,E2,E3,E4,E5,E6", "F3,F4,F11,F5", ":take:F3,F4"))
    assert view.history[0].given == "F5"  # type: ignore[attr-defined]


CONTRADICTIONS = [
    ("leader=1", "leader", ("seat 2 leads now", "not seat 1")),
    ("trick=1:D5", "leader", ("seat 2 leads now", "not seat 1")),
    ("leader=0 trick=1:D5", "leader", ("seat 1", "leader is 0")),
]


@pytest.mark.small
@pytest.mark.parametrize(("more", "path", "words"), CONTRADICTIONS)
def test_a_contradiction_names_both(more: str, path: str, words: tuple[str, ...]) -> None:
    view = "kirin seat=2 hand=S4,S5,BT,G2,G+,G3,G4 declared=B+ history=3:S1,G1,B4,B6 "
    with pytest.raises(PositionError) as found:
        athanor.parse(view + more)
    assert found.value.path == path
    assert all(word in found.value.message for word in words)


@pytest.mark.small
def test_all_faults_are_told_at_once() -> None:
    with pytest.raises(PositionError) as found:
        athanor.parse(
            {"game": "kirin", "seat": 2, "hnad": "S1 S4 ZZ", "declared": "B+", "trik": "D2", "leader": 7}
        )
    assert [(fault.code, fault.path) for fault in found.value.faults] == [
        ("unknown_key", "hnad"), ("unknown_key", "trik"), ("illegal_card", "hand[2]"), ("out_of_range", "leader"),
    ]  # fmt: skip
    assert "did you mean hand?" in found.value.message
    error = found.value.to_dict()["error"]
    assert [fault["path"] for fault in error["faults"]] == ["hnad", "trik", "hand[2]", "leader"]
    many = {"game": "alchemy", "variant": "solo", "line": ["?"] * 99, "hand": "A"}
    with pytest.raises(PositionError) as found:
        athanor.parse(many)
    assert len(found.value.faults) == 99


# ----------------------------------------------------------------------------------------------------
# What is said besides what follows from a history is checked against it, and an error names both.


KIRIN_SHORT = "kirin s=1 h=D1D6D+S2S3S- d=G+ m=0:B5STS6S+/B3S4D5D- t=D3BT"
AQUA_SHORT = (
    "aqua-regia n=4 s=1 h=KMgMgZnZnZnNiSnPbPbCuPt m=0:Ca/Na/Mg/p/p/p/KK/pKCa/pLiK/p/Sn/pLiK/pCaNa/p/Na/pKCa/pMgSn"
)


@pytest.mark.parametrize(
    ("line", "path", "message"),
    [
        (
            f"{KIRIN_SHORT} direction=ascending",
            "direction",
            "according to the history, the direction is descending, not ascending",
        ),
        (f"{KIRIN_SHORT} won=B5/-/-/-", "won[0][0]", "according to the history, seat 0 has not won B5"),
        (f"{AQUA_SHORT} field=acid", "field", "according to the history, the field is aqua-regia now, not acid"),
        (f"{AQUA_SHORT} table=Pb", "table", "according to the history, the table is Na now, not Pb"),
        (f"{AQUA_SHORT} owner=0", "owner", "according to the history, the owner is seat 2 now, not seat 0"),
        (
            f"{AQUA_SHORT} reversed=yes",
            "reversed",
            "according to the history, the fields' order is now the usual one",
        ),
        (f"{AQUA_SHORT} counts=9,12,9,9", "counts[0]", "according to the history, seat 0 has 13 cards now, not 9"),
        (f"{AQUA_SHORT} stock_count=3", "m", "according to its moves, the stock has 13 cards now, not 3"),
    ],
)
def test_what_contradicts_a_history_is_refused(line: str, path: str, message: str) -> None:
    with pytest.raises(PositionError) as found:
        athanor.parse(line)
    assert (found.value.faults[0].path, found.value.faults[0].message) == (path, message)


@pytest.mark.parametrize("more", ["direction=descending", "won=-/B5STS6S+/-/B3S4D5D-", "leader=3"])
def test_what_is_right_besides_changes_nothing(more: str) -> None:
    assert athanor.parse(f"{KIRIN_SHORT} {more}") == athanor.parse(KIRIN_SHORT)


def test_piles_of_what_is_no_card_are_told_of() -> None:
    given = {"game": "kirin", "seat": 1, "hand": "D6", "declared": "S6", "leader": 0, "won": [[None, None]]}
    with pytest.raises(PositionError):
        athanor.parse(given)


def test_a_key_of_other_positions_is_told_as_such() -> None:
    with pytest.raises(PositionError) as found:
        athanor.parse("aqua-regia seat=1 hand=K hands=K/Zn field=water turn=0")
    told = {fault.path: fault.message for fault in found.value.faults}
    assert told["seat"] == "'seat' is a key of other kinds of positions, not of this one"


# ----------------------------------------------------------------------------------------------------
# What strangers type wrongly, and what they are told: where it is, what is wrong, and what to write instead.


KIRIN_M = KIRIN.replace("history=", "m=")
AQUA_M = AQUA.replace("history=", "m=")
NO_CARD = "'D9' is not a card; a card is a colour D S B G and 1 to 6, T, + or -: D6 ST B+"
METALS = "its metals: Li K Ca Na Mg Al Zn Fe Ni Sn Pb Cu Hg Ag Pt Au"


def faults_told(ask: Callable[[], Any]) -> list[str]:
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
            AQUA_M.replace("regia ", "regia deck=x "),
            ["deck: there is no deck of aqua-regia called 'x'; possible: house"],
        ),
        (
            KIRIN_M.replace("m=0:ST,G3,D-,G-/0:", "m=STG3D-G-/").replace("2:D4", "D4"),
            [
                "m (trick 1, leader): who led the first trick? "
                "Write its seat in front of the cards, as in 0:STG3D-G-"
            ],
        ),
        (
            KING.replace("history=0:", "history="),
            [
                "history (trick 1, leader): who led the first trick? Write its seat in front of the cards, as in "
                "0:F6,T4,T3,F1:take:F1,T3:give:F6"
            ],
        ),
        (AQUA_M.replace("m=0:Ca", "m=Ca"), ["m: who made the first move? Write its seat in front, as in 0:Ca"]),
        (AQUA_M.replace("players=4 ", ""), ["players: players is missing: how many play?"]),
        (AQUA_M.replace("players=4", "players=9"), ["players: aqua-regia is for 2 to 5 players, not for 9"]),
        ("king players=7 seat=0 hand=F1 leader=0 pick=F2", ["players: king is for 3 to 5 players, not for 7"]),
        (KIRIN_M.replace("D-", "D9"), [f"m (trick 1, card 3): {NO_CARD}"]),
        (KIRIN_M.replace("G3,D-", "D-"), ["m (trick 1): at least 4 entries are expected, not 3"]),
        (KIRIN_M.replace("seat", "saet"), ["saet: unknown key 'saet'; did you mean seat?"]),
        (KING.replace("F6,T4,T3,F1:", "F6,T4,T3:"), ["history (trick 1): a trick has 4 cards, not 3"]),
        (
            AQUA_M.replace("1:Na/2:Mg", "2:Mg"),
            ["m (trick 1, move 2): seat 1 is to move here, not seat 2: is a move of seat 1 missing?"],
        ),
        (
            AQUA_M.replace("3:pass:K:Ca/0:pass:Li", "3:pass:Ca:K/0:pass:Li"),
            ["m (trick 2, move 2): pass Ca>K: what is taken must be stronger than what is discarded"],
        ),
        (
            AQUA_M.replace("0:pass:Mg:Sn", "ca>ni"),
            ["m (trick 4, move 3): an exchange begins with pass: pass ca>ni"],
        ),
        (
            AQUA_M.replace("K,Mg,Mg", "K,Mg,Xx"),
            [f"hand (card 3): 'Xx' is not a metal of the deck house; {METALS}"],
        ),
        # Jokers, options, variants, seats: what there is, and what to write.
        (
            "alchemy duel l=4X8985 h=6 o=K",
            ["l (card 2): a joker is set aside and replaced: write table_jokers=1, and the new card in the line"],
        ),
        ("alchemy solo l=4X8985 h=6", ["l (card 2): X is not in the deck of solo (A–K, no jokers)"]),
        ("alchemy duel l=48985 h=6 o=K", ["l: a duel line has six cards, not 5"]),
        (
            "alchemy soloo l=489856 h=6",
            ["variant: one of solo, alternative, duel, free is expected, not 'soloo'; did you mean solo?"],
        ),
        ("alchemy l=4X8985", ["variant: variant is missing; it is one of solo, alternative, duel, free"]),
        (
            KIRIN_M.replace("kirin", "kirin rules=declared_count"),
            [
                "rules.declared_count: there is no option 'declared_count'; did you mean declared_counts? "
                f"Possible: {', '.join(sorted(registry.game('kirin').options))}"
            ],
        ),
        (
            "kirin seat=9 hand=D1,D9 declared=B+ leader=5 hnad=D2",
            [
                "hnad: unknown key 'hnad'; did you mean hand?",
                "seat: 0 to 3 is expected, not 9",
                f"hand (card 2): {NO_CARD}",
                "leader: 0 to 3 is expected, not 5",
            ],
        ),
        ("kirin", ["kirin alone is not a position: add its keys, as in kirin seat=2 hand=S1,S4"]),
        (
            '{"game": "kirinn"}',
            [
                "game: there is no game called 'kirinn'; did you mean kirin? "
                f"Possible: {', '.join(registry.names())}"
            ],
        ),
    ],
)
def test_of_positions(typed: str, faults: list[str]) -> None:
    assert faults_told(lambda: athanor.parse(typed)) == faults


def test_of_a_length_in_japanese() -> None:
    with speaking("ja"):
        assert faults_told(lambda: athanor.parse(KIRIN_M.replace("G3,D-", "D-"))) == [
            "m (1トリック目): 4個以上の要素が必要です（指定：3個）"
        ]


@pytest.mark.parametrize(
    "typed",
    [
        "kirin seat=1 hand=S3,S5,S-,B4,B6,D6 declared=D4 direction=ascending history=0:B2,G3,D-,D5 leader=3",
        "kirin seat=0 hand=S5,S-,B4,B6,D6,D3,G1 declared=D4 history=0:B2,G3,D-,D5 won=B2/-/-/-",
        "king leader=0 trick=F3:F hands=W1/F2,W2/F4,W3",
        AQUA + " owner=3",
        AQUA + " turn=0",
    ],
)
def test_no_english_word_is_left_in_a_japanese_message(typed: str) -> None:
    with speaking("ja"):
        for fault in faults_told(lambda: athanor.parse(typed)):
            message = fault.partition(": ")[2]
            assert re.search("[ぁ-ん]", message)
            assert not re.findall("seat|hand|nothing|nobody|suit", message)


@pytest.mark.parametrize(
    ("position", "moves", "fault"),
    [
        (KIRIN_M, ("D6", "d6"), "seat 3 does not hold D6"),
        (KIRIN_M, ("S5", "s5"), None),
        ("king leader=0 hands=F1,W1/F2,W2/F3,W3", ("F5", "f5"), "seat 0 does not hold F5"),
        (
            "king leader=0 hands=F1,W1/F2,W2/F3,W3",
            ("D:Q", "d:q"),
            "'D:Q' names no suit; the Dancer is played as D:F, D:W, D:E, D:A",
        ),
        (AQUA_M, ("K", "k"), "K is not stronger than Na"),
        (AQUA_M, ("Ca>Ni", "ca>ni"), "an exchange begins with pass: pass Ca>Ni"),
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
        (fault,) = faults_told(partial(athanor.score, f"alchemy solo deck={deck} moves={move}"))
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
            f"game: there is no game called 'kirinn'; did you mean kirin? Possible: {', '.join(registry.names())}",
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
    assert faults_told(ask) == [fault]


def test_all_that_is_wrong_with_a_deck_is_told_at_once() -> None:
    folder = Path(decks.__file__).parent / "games"
    text = (folder / "king" / "decks" / "king-house.toml").read_text(encoding="utf-8")
    text = text.replace('suit = "F"', 'suit = "Q"', 2).replace('code = "W3"', 'code = "W2"')
    assert faults_told(lambda: decks.written(text))[:4] == [
        "card[0].suit: card F1: there is no suit 'Q'; possible: F, W, E, A",
        "card[1].suit: card F2: there is no suit 'Q'; possible: F, W, E, A",
        "card[13].code: W2 is already card[12]",
        "card[12].code: W2 is already card[13]",
    ]
    metals = (folder / "aqua_regia" / "decks" / "aqua-regia-house.toml").read_text(encoding="utf-8")
    metals = metals.replace("copies = 4", "copies = 400").replace('name = "Lithium"', 'nme = "Lithium"')
    assert faults_told(lambda: decks.written(metals.replace("water = 3", "water = 30", 2))) == [
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
    assert faults_told(lambda: puzzle_format.loads(text)) == [
        "puzzle[0].position.seat: 0 to 3 is expected, not 9",
        f"puzzle[0].position.declared: {NO_CARD}",
        "puzzle[1].model: alchemy has no model 'paranoi'",
        "puzzle[1].solution.best[0]: 'K' is not a move: write a split like 6+7=4+9, discard K or none",
    ]


# ----------------------------------------------------------------------------------------------------
# A misspelt key is told with the nearest one that there is, wherever it stands.


VIEW: dict[str, Any] = {
    "game": "kirin",
    "seat": 0,
    "hand": "D1 D2 D3 D4 D5 S1 S2 S3",
    "declared": "D6",
    "leader": 1,
}


def faults(ask: Any, *args: Any) -> dict[str, str]:
    with pytest.raises(AthanorError) as found:
        ask(*args)
    return {fault.path: fault.message for fault in found.value.faults}


@pytest.mark.parametrize(
    ("kind", "body", "path", "near"),
    [
        (BODIES["deal"], {"game": "kirin", "sede": 3}, "sede", "seed"),
        (BODIES["view"], {"position": VIEW, "seet": 1}, "seet", "seat"),
        (BODIES["hint"], {"position": VIEW, "limit": {"second": 1}}, "limit.second", "seconds"),
    ],
)
def test_of_requests(kind: Any, body: Any, path: str, near: str) -> None:
    assert faults(validated, kind, body)[path].endswith(f"; did you mean {near}?")


def test_inside_positions() -> None:
    history = [{"leder": 0, "cards": ["D1", "S1", "B1", "G1"]}]
    found = faults(athanor.parse, VIEW | {"history": history})
    assert found["history[0].leder"] == "unknown key 'leder'; did you mean leader?"
    assert "nearest" not in faults(athanor.parse, VIEW | {"xyzzy": 1})["xyzzy"]


def test_a_key_that_is_there_already_is_the_nearest_too() -> None:
    found = faults(athanor.parse, "kirin seat=2 hnad=S4 hand=ZZ declraed=B+ leader=0")
    assert found["hnad"] == "unknown key 'hnad'; did you mean hand?"
    assert set(found) == {"hnad", "declraed", "hand[0]"}  # nothing of keys that nobody wrote


@pytest.mark.parametrize(
    ("wrong", "told"),
    [
        ("me", "; here it is called seat"),
        ("cards", "; here it is called hand"),
        ("lead", "; here it is called leader"),
        ("aside", "; here it is called declared"),
        ("h", "; write hand: the letter is only for a line of text"),
        ("hist", "; did you mean history?"),
        ("Seat", "; did you mean seat?"),
        ("directoin", "; did you mean direction?"),
        ("ha", ""),
        ("hen", ""),
        ("suit", ""),
        ("decl", "; did you mean declared?"),
    ],
)
def test_only_what_is_near_is_told(wrong: str, told: str) -> None:
    message = faults(athanor.parse, VIEW | {wrong: 1})[wrong]
    assert message.startswith(f"unknown key {wrong!r}" + told)
    assert told or message.startswith(f"unknown key {wrong!r} (keys: ")


@pytest.mark.parametrize(
    ("line", "moves", "after"),
    [
        (
            "kirin seat=0 leader=1 declared=D6 hand=D1,D2,D3,D4,D5,S1,S2,S3",
            ["g4", "g+", "s5", "d5"],
            "1:G4,G+,S5,D5",
        ),
        ("aqua-regia players=2 seat=0 turn=0 hand=Li,K,Mg,Mg,Zn,Zn,Hg,Hg,Hg,Pt", ["mg", "PASS"], "0:Mg/1:pass"),
        ("alchemy solo line=4,7,K,2,9,A hand=q stock=5,Q,3,8", ["q+2=a+4+9"], "line=3,5,7,8,Q,K"),
    ],
)
def test_moves_in_letters_of_any_case(line: str, moves: list[str], after: str) -> None:
    assert after in str(athanor.play(line, moves))


def test_what_is_wrong_with_such_a_move_is_told_of_the_move_that_is_meant() -> None:
    with pytest.raises(AthanorError, match="D1") as found:
        athanor.play("kirin seat=0 leader=1 declared=D6 hand=D1,D2,D3,D4,D5,S1,S2,S3", ["g4", "s4", "s5", "d1"])
    assert found.value.path == "moves[3]"
    assert not isinstance(found.value, PositionError)
