"""What people type on a Japanese keyboard, or paste from anywhere, is read as if typed in ASCII, quickly."""

from __future__ import annotations

import contextlib
import json
import random
import re
import unicodedata
from collections.abc import Callable
from functools import cache
from itertools import chain
from pathlib import Path
from typing import Any
from urllib.parse import quote, quote_plus

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import athanor
from athanor.sessions import Session, is_written, loads, moves_of, read_one
from puzzles import format as puzzles
from solver.codec import escaped, moves_in, unescaped
from solver.decks import kinds, read_for, table_of
from solver.errors import AthanorError, PositionError
from solver.positions import parse_position, parse_record, position_data, read_line, text_of
from solver.strict_json import typed_json
from solver.texts import plain
from tests.notation.fuzzing import lines
from tests.support.games import AGAINST_OTHERS
from tests.support.timing import LINEAR, growth

WIDE = {chr(code): chr(code + 0xFEE0) for code in range(0x21, 0x7F) if chr(code) not in "%&#"}
COMMAS, DASHES, HIDDEN = "、，；;､・･|｜", "−－ー–—‐ｰ―", "\u200b\u200d\ufeff\u2060\u00ad\ufe0f"


@cache
def known() -> list[str]:
    return [line for line in lines(deals=2) if "%" not in line and "deck=" not in line]


KNOWN = st.deferred(lambda: st.sampled_from(known()))  # made by the test, not wherever this file is collected


def typed(line: str, rng: random.Random) -> str:
    """The line as somebody types it whose keyboard writes Japanese."""
    found = ""
    for mark in line:
        ways = [mark, WIDE.get(mark, mark)]
        if mark == ",":
            ways = [mark, *COMMAS, '","', "”、“", "』『", "», «"]
        elif mark == "-":
            ways = [mark, *DASHES]
        elif mark == " ":
            ways = [" ", "\u3000", "\u00a0", "&amp;", "\n# a comment\n"]
        found += rng.choice(ways) + (rng.choice(HIDDEN) if rng.random() < 0.05 and mark != " " else "")
    before, behind = rng.choice([("", ""), ('"', '"'), ("“", "”"), ("「", "」"), ("> ", ""), ("", ".")])
    return before + found + behind


def reader(line: str) -> Callable[[object], Any]:
    return parse_record if " round " in line or "points=" in line else parse_position


@settings(max_examples=60, deadline=None, derandomize=True)
@given(line=KNOWN, seed=st.integers(0, 10**6))
def test_lines_in_full_width(line: str, seed: int) -> None:
    try:
        meant = reader(line)(line)
    except AthanorError:
        return
    assert text_of(reader(line)(typed(line, random.Random(seed)))) == text_of(meant)


def wide(value: Any, rng: random.Random, key: str = "") -> Any:
    """JSON with its cards in full width."""
    if isinstance(value, str):
        if key in ("game", "variant", "deck", "field", "direction", "stage", "objective"):
            return value
        return "".join(rng.choice((mark, WIDE.get(mark, mark))) for mark in value)
    if isinstance(value, list):
        return [wide(one, rng, key) for one in value]
    if isinstance(value, dict) and key not in ("deck", "rules", "voids"):
        return {name: wide(one, rng, name) for name, one in value.items()}
    return value


@settings(max_examples=60, deadline=None, derandomize=True)
@given(line=KNOWN.filter(lambda line: " round " not in line), seed=st.integers(0, 10**6))
def test_cards_in_json(line: str, seed: int) -> None:
    try:
        meant = parse_position(line)
    except AthanorError:
        return
    assert parse_position(wide(position_data(meant), random.Random(seed))) == meant


@pytest.mark.parametrize(
    ("line", "typed"),
    [
        (
            "kirin seat=0 hand=S4,S5,S+,B-,B6,G2,D1,D2 declared=DT leader=0 direction=ascending",
            "S4>4s;S+>+s;B->-B",
        ),
        ("alchemy solo line=A,2,4,7,9,K hand=6", "4>S4;9>♠9;K>♥\ufe0fk;=6>=D6"),
    ],
)
def test_a_number_or_a_suit_may_stand_first(line: str, typed: str) -> None:
    other = line
    for change in typed.split(";"):
        card, _, written = change.partition(">")
        other = other.replace(card, written, 1)
    assert other != line
    assert athanor.parse(other) == athanor.parse(line)


@pytest.mark.parametrize(
    "around",
    [
        "http://127.0.0.1:8000/#{}&~tab=hint",
        "https://a.example/b/p/{}",
        "<http://[::1]:8000/p/{}#~moves=D4&~at=1>",
        "[look here](http://127.0.0.1:8000/#{})",
        "> [これ](https://a.example/p/{}#~tab=hint)",
    ],
)
@pytest.mark.parametrize("behind", ["", ".", ").", "?", "、", "）。", "]", "**", "！"])
@pytest.mark.parametrize("mark", ["&", "&amp;", "%20"])
def test_an_address_of_the_page(around: str, behind: str, mark: str) -> None:
    line = "alchemy solo line=A,2,4,7,9,K hand=6"
    assert str(athanor.parse(around.format(line.replace(" ", mark)) + behind)) == line


def test_an_address_that_a_program_escaped() -> None:
    fragment = quote("alchemy&solo&line=A,2,4,7,9,K&hand=6&~tab=hint")
    found = athanor.parse(f"http://127.0.0.1:8000/#{fragment}")
    assert str(found) == "alchemy solo line=A,2,4,7,9,K hand=6"


@pytest.mark.parametrize("whole", [False, True])
@pytest.mark.parametrize("around", ["http://127.0.0.1:8000/#{}", "https://a.example/b/p/{}?lang=ja"])
def test_an_address_whose_blanks_a_form_has_written(around: str, whole: bool) -> None:
    line = "kirin seat=2 hand=D6,S1,S4,BT,G2,G3,G4,G+ declared=B+ trick=0:D4"
    written = quote_plus(line) if whole else line.replace("+", "%2B").replace(" ", "+")
    assert str(athanor.parse(around.format(written))) == line
    assert str(athanor.parse(around.format(written.replace("%2C", ",").replace(",", "+")))) == line


def test_cards_with_the_blanks_of_a_form_between_them() -> None:
    line = "http://127.0.0.1:8000/#kirin&seat=2&hand={}&declared=B%2B&trick=0:D4"
    cards = "D6+S1+S4+BT+G2+G3+G4+G%2B"
    assert athanor.parse(line.format(cards)) == athanor.parse(line.format(cards.replace("+", ",")))
    assert "S+" in athanor.parse(line.format("S1S4S+G+D6G2G3G4")).hand


@pytest.mark.parametrize("behind", [",", ":", "："])
def test_a_sign_behind_the_name_of_the_game(behind: str) -> None:
    assert str(athanor.parse(f"Alchemy{behind} solo line=A,2,4,7,9,K hand=6")).startswith("alchemy solo line=")


@pytest.mark.parametrize("name", ["Kirin", "ＫＩＲＩＮ", "aqua regia", "Aqua_Regia"])
def test_the_name_of_a_game_in_json(name: str) -> None:
    lines = ("kirin seat=1 hand=D1,D2,D3,D4,D5,D6,DT,D+,D- leader=0", "aqua-regia players=2 seat=1 hand=Zn turn=0")
    line = next(line for line in lines if line[0] == unicodedata.normalize("NFKC", name)[0].lower())
    sent = {"game": name, **{key: value for key, value in read_line(line).items() if key != "game"}}
    meant = sent | {"game": line.split()[0]}
    assert outcome(sent) == outcome(meant)


def outcome(sent: dict[str, Any]) -> Any:
    try:
        return athanor.parse(sent)
    except PositionError as found:
        return str(found)


def test_an_address_without_a_position() -> None:
    for address in ("https://a.example/", "<http://127.0.0.1:8000/#play=kirin>"):
        with pytest.raises(PositionError, match="this address has no position"):
            athanor.parse(address)


def test_an_address_with_moves_that_were_tried() -> None:
    """It stands for what is on the table of the page: after the moves on the path into their tree."""
    line = "kirin seat=2 hand=D6,S1,S4,BT,G2,G3,G4,G+ declared=B+ trick=0:D4"
    address = f"http://a.example/#{line.replace(' ', '&')}&~moves=S3;D6;D5(GT;take_F3*a%20note)(G1)&~at="
    for at, moves in (("", []), ("a1", ["S3"]), ("a3", ["S3", "D6", "D5"]), ("a2b1", ["S3", "D6", "GT"])):
        assert moves_in(f"({address}{at}).") == moves
        assert athanor.parse(f"({address}{at}).") == athanor.play(line, moves)
    assert moves_in(f"{address}a2b1a1")[-1] == "take F3"
    assert moves_in(f"{address}b9") == moves_in(address.replace("#", "p/x#") + "a1") == []


@settings(max_examples=200, deadline=None, derandomize=True)
@given(st.text())
def test_typed_text_becomes_hardly_longer(text: str) -> None:
    found = plain(text)
    assert len(found) <= 6 * len(text)


def test_names_stay_as_they_are() -> None:
    assert unescaped(escaped("①ｱ.")) == "①ｱ."
    with pytest.raises(PositionError) as raised:
        athanor.parse("king seat=0 hand=F1 deck=①ｱ")
    assert "'①ｱ'" in str(raised.value)


@pytest.mark.parametrize("game", AGAINST_OTHERS)
def test_a_view_without_its_hand_says_so(game: str) -> None:
    position = athanor.deal(game, seed=1)
    view = position_data(athanor.view(position, 1))
    del view["hand"]
    with pytest.raises(PositionError) as raised:
        athanor.hint(view)
    assert str(raised.value) == "hand: hand is missing, the cards of the seat"
    known = position_data(position)
    del known["hands"]
    known.pop("seat", None)
    with pytest.raises(PositionError) as raised:
        athanor.hint(known)
    assert "for a hint, write seat and hand instead" in str(raised.value)


def test_places_are_counted_from_1_in_a_line_and_from_0_in_json() -> None:
    line = "kirin seat=2 h=D1,D2,D3,D4,D5,D6,DT,D9 declared=B+ leader=0"
    with pytest.raises(PositionError) as raised:
        athanor.parse(line)
    assert str(raised.value).startswith("h (card 8): ")
    assert raised.value.to_dict()["error"]["path"] == "h[7]"
    with pytest.raises(PositionError) as raised:
        athanor.parse({"game": "kirin", "seat": 2, "hand": line[15:38].split(","), "declared": "B+", "leader": 0})
    assert str(raised.value).startswith("hand[7]: ")


def test_wishes_of_a_compounding() -> None:
    cards = "king cards=F3,W11,T2,F11,F10,W7"
    found, usual = (athanor.compound(cards, must=[code]) for code in ("ｆ１１", "F11"))
    assert found.recipes == usual.recipes


RECORD = Path("docs/examples/table.txt").read_text(encoding="utf-8")


def test_a_record_as_of_a_game_of_chess() -> None:
    """Comments, numbers of moves and what judges them are left out, and cards may have their number first."""
    odd = [f"# {line[:9]}\n" if line.startswith(";") else line for line in RECORD.splitlines()]
    number = 0
    for place, line in enumerate(odd):
        words = line.split()
        if words and len(words[0]) == 2 and "=" not in line and "[" not in line:
            number += 1
            words[0] = f"{number}. {words[0][::-1]}!?"
            words[1:2] = [f"{{why {{ not}} {words[1]}??", "$3"] if len(words) > 1 else []
            words.append("! ; a comment, {as in chess" if number % 2 else "{ over\nlines } # and more")
            odd[place] = "、".join(words[-1:]) if not words[:-1] else " ".join(words)
    assert number > 4
    assert read_one("\n".join(odd)).model_copy(update={"moves": ()}) == read_one(RECORD).model_copy(
        update={"moves": ()}
    )
    assert Session(read_one("\n".join(odd))).saved == Session(read_one(RECORD)).saved


def test_variations_in_a_record_are_left_out() -> None:
    """And a round may stand in one line, in a row of a table, or with numbers that end in parentheses."""
    start = "[game kirin]\n[seed 39]\n[seconds 1]\nround\n"
    moves = [f"{colour}{rank}" for rank in "135+246" for colour in "DSBG"]
    usual = read_one(start + "\n".join(moves)).moves
    numbered = " ".join(f"{number}) {move}" for number, move in enumerate(moves, start=1))
    odd = [
        " ".join([*moves[:5], "(1. D4 (D- {no: )})", "2. G4)", *moves[5:]]),
        " ".join([*moves[:5], "（Ｄ４\n; (a remark\nD- (GT) )", *moves[5:]]),
        " | ".join(["", *moves, ""]),
        numbered,
        numbered.replace("9)", "(D1 9) 9)", 1),
    ]
    assert [read_one(start + text).moves for text in odd] == len(odd) * [usual]


@pytest.mark.parametrize("text", ["S3 {B5\nD6", "S3 (B5\nD6 (D3)", "S3 (B5 {D3) }\nD6"])
def test_a_comment_without_an_end_leaves_no_move_out(text: str) -> None:
    with pytest.raises(PositionError, match=r"line 5: what begins here has no end, [)}]"):
        read_one(f"[game kirin]\n[seed 39]\nround\nS2\n{text}")


@pytest.mark.parametrize("sign", ["(", ")", "()", "（", "(\n"])
def test_parentheses_without_number_are_refused(sign: str) -> None:
    with pytest.raises(PositionError, match="at most 10,000 parentheses can be read"):
        read_one(f"[game kirin]\n[seed 39]\nround\nS2\n{sign * 10_001}")


def test_a_record_from_a_japanese_keyboard() -> None:
    """Comments, numbers, marks, tags and ``round`` are read in full width and in any case, as in ASCII."""
    odd = [
        "\u200b｛ 対局 ｝",
        "［Game　ｋｉｒｉｎ］",
        "ＲＯＵＮＤ kirin seat=2 hand=Ｄ２、Ｄ４；Ｄ６，DT,S-,B+,G6,G+ declared=D3 leader=0 ； 始め",
        "１．s3！；よい",
        "d+？？ ｛二つの",
        "行｝ d6 gt # 終わり",
        "２．g3；b-、s5，d4",
    ]
    assert is_written("\n".join(odd))
    for ahead in ("#" * 30_000 + "\n", "\n" * 30_000, "{" + "a" * 30_000 + "}"):
        assert is_written(ahead + "[game kirin]")
        assert not is_written(ahead + "kirin seat=2")
    usual = "\n".join([*RECORD.splitlines()[1:3], "s3", "d+ d6 gt", "g3 b- s5 d4"])
    assert Session(read_one("\n".join(odd))).saved.moves == Session(read_one(usual)).saved.moves


@pytest.mark.parametrize(
    "between", [" → ", "→", " -> ", " > ", " ➡\ufe0f ", " / ", " - ", " – ", " » ", "$1 ", "!?$14 ", " ⟶ "]
)
def test_signs_between_moves_of_a_record(between: str) -> None:
    start = "\n".join(RECORD.splitlines()[1:3])
    odd = [
        between.join(moves.split()) + ("$2" if "$" in between else "")
        for moves in ("s3", "d+ d6 gt", "g3 b- s5 d4")
    ]
    assert read_one("\n".join([start, *odd])) == read_one("\n".join([start, "s3", "d+ d6 gt", "g3 b- s5 d4"]))


@pytest.mark.parametrize("around", ["{}", "```\n{}\n```", "Our game:\n{}", "<pre>{}</pre>", "{}\n-- \nAnn"])
def test_a_record_with_tags_in_japanese(around: str) -> None:
    usual = "[game kirin]\n[seed 39]\n[seat 1]\n[for_match yes]\n[seconds 0.5]\nround\n"
    odd = "［ゲーム　麒麟］\n[シード: ３９]\n[席 = 1]\n[マッチ はい]\n[秒 ０．５]\nラウンド\n"
    assert read_one(around.format(odd)) == read_one(usual)
    start = RECORD.splitlines()[2].partition(" ")[2]
    shown = "公開 D-/B3/D3/B5"
    for word in ("ラウンド", "Round:", "round 1:"):
        game = read_one(around.format(f"[ゲーム 麒麟]\n{word} {start}\ns3\n{shown}"))
        assert game == read_one(f"[game kirin]\nround {start}\ns3\nshown D-/B3/D3/B5")


@pytest.mark.parametrize("end", ["*", "1-0", "½-½", "1/2-1/2"])
def test_a_record_with_what_other_programs_write_beside_the_moves(end: str) -> None:
    usual = "\n".join([*RECORD.splitlines()[1:3], "s3", "d+ d6 gt", "g3 b- s5 d4"])
    odd = usual.replace("[game kirin]", '[Event "Club, 3. 5."]\n[Round "2"]\n[Game "Kirin"]\n[Result "*"]')
    odd = odd.replace("\ns3", "\n1) s3 ±").replace("d4", f"d4 {end}").replace("d+", "$2 d+ ∞")
    assert Session(read_one(odd)).saved == Session(read_one(usual)).saved


_LISTS = (
    "- ",
    "* ",
    "・",
    "> ",
    "– ",
    "{}. ",
    "({}) ",
    "{}, ",
    "{}　",
    "①　",
    "- [ ] ",
    "{}) ",
    "[{}] ",
    "{}手目 ",
)


@pytest.mark.parametrize("mark", [*_LISTS, "| {} | ", "→ ", "● ", "☐ ", "&gt; ", "[21:4{}] "])
def test_a_record_as_a_list(mark: str) -> None:
    start, moves = "\n".join(RECORD.splitlines()[1:3]), ["s3", "d+", "d6", "gt", "g3", "b-", "s5", "d4"]
    usual = read_one("\n".join([start, *moves])).moves
    marks = [
        chr(ord("①") + number) + "　" if mark == "①　" else mark.format(number + 1) for number in range(len(moves))
    ]
    listed = [f"{mark}{move} // hm" for mark, move in zip(marks, moves, strict=True)]
    assert read_one("\n".join([start, *listed])).moves == usual
    assert read_one("\n".join(f"> > {line}" for line in "\n".join([start, *listed]).splitlines())).moves == usual


def test_cards_that_begin_lines_of_a_record_are_no_numbers_of_a_list() -> None:
    start = "[game alchemy]\nround alchemy solo line=2,4,6,9,J,K hand=7\n"
    for moves in (["2 2 3", "2 4 5", "2 6 7"], ["1:J=3+8", "2 2 3 6"], ["3 4", "4 5", "5 6"]):
        assert read_one(start + "\n".join(moves)).moves[0] == tuple(chain(*map(moves_of, moves)))


def test_a_comment_behind_a_tag_leaves_its_number_alone() -> None:
    game = read_one('[game "kirin"]\n[seed ７] ; the deal\n[seconds 0.25] {short}\nround\n')
    assert (game.game, game.seed, game.seconds) == ("kirin", 7, 0.25)


@pytest.mark.parametrize(
    "text",
    [
        "\u3000",
        "、",
        "－",
        "a.",
        "[1]",
        "a[1]",
        "=(",
        "#",
        "> ",
        "4s",
        "&~",
        "\u0315\u0300",
        "\u200b",
        "ﷺ",
        "ｱﾞ",
        "=",
    ],
)
def test_the_time_grows_with_the_length_alone(text: str) -> None:
    def ask(length: int) -> None:
        sent = text * (length // len(text))
        plain(sent)
        for line in (sent, f"kirin hand={sent}", f"#a&{sent} x", f"#{sent}&hand=", f"kirin {sent}=1"):
            with pytest.raises(AthanorError):
                athanor.parse(line)

    assert growth(ask, 20_000) < LINEAR


@pytest.mark.parametrize(
    "text", ["!", "?", "{", "(", ")", "() ", "=", "1.", ";", "# ", "D4! ", "D4 ", "$1", "}", "、", "{\n"]
)
def test_the_time_for_a_record_grows_with_its_length_alone(text: str) -> None:
    def ask(length: int) -> None:
        for end in ("", "x"):
            with contextlib.suppress(AthanorError):
                loads(f"[game kirin]\nround {START}\n{text * (length // len(text))}{end}")

    assert growth(ask, 20_000) < LINEAR


START = "kirin seat=2 hand=D2,D4,D6,DT,S-,B+,G6,G+ declared=D3 leader=0"


KING_AFTER = "king seat=0 hand=T1 pick=A1,A2,A3 removed=W1,W2,W3,W4,W5 history=0:F2,F9,E1:take:F2,E1 leader=1"
_LINE = "kirin seat=2 hand=S1,S4,B2,B5,G1,G3,D2,D6 declared=B6 leader=0"
_ADDRESS = f"http://127.0.0.1:8000/#{_LINE.replace(' ', '&')}"
_HAND = _LINE.partition("hand=")[2].partition(" ")[0]


@pytest.mark.parametrize(
    "text",
    [
        _LINE.replace(",", "\xb7"),
        f"- {_LINE}",
        f"2. {_LINE}",
        f"> > {_LINE}",
        f"$ athanor hint '{_LINE}'",
        f"{_LINE} # a remark",
        f"{_LINE} // another",
        f"Look at this: {_ADDRESS}.",
        _ADDRESS.replace(",", "%2C"),
        _ADDRESS.replace("&", "&amp;amp;"),
        _ADDRESS.replace("&", "&#38;"),
        _LINE.replace(_HAND, '["' + _HAND.replace(",", '", "') + '"]'),
        _LINE.replace(_HAND, f"({_HAND})"),
        f"+ {_LINE}",
        f"・{_LINE}",
        f"(3) {_LINE}",
        f"① {_LINE}",
        f"~/cards $ athanor --lang ja hint '{_LINE}' --nodes 200",
        _LINE.replace("hand=", "hand=\n- ").replace(",", "\n- "),
        # Marks of lists, chats, documents and terminals.
        f"- [ ] {_LINE}",
        f"* [x] {_LINE}",
        f"1) {_LINE}",
        f"(a) {_LINE}",
        f"➡\ufe0f {_LINE}",
        f"[30/11/2026, 21:45] Ann: {_LINE}",
        f"2026/11/30(月) 21:45\tAnn\t{_LINE}",
        f"Ann — Today at 9:45 PM\n> {_LINE}",
        f"On Monday Ann wrote:\n> {_LINE.replace(' declared', chr(10) + '> declared')}\n-- \nAnn",
        f"&gt; {_LINE.replace(' ', '&nbsp;')}",
        f"```text\n{_LINE}\n```",
        f"**||{_LINE}||**",
        f"| hand |\n| --- |\n| {_LINE} |",
        f'position = "{_LINE}"',
        f'>>> athanor.hint("{_LINE}")',
        f"❯ athanor hint {_LINE.replace(' declared', ' ' + chr(92) + chr(10) + 'declared')}",
        f"【{_LINE}】",
        f"問1　「{_LINE}」",
        f"<p><b>Ann:</b> {_LINE.replace(' ', '<br>')}</p>",
        f'Look: <a class=x href="{_ADDRESS.replace("&", "&amp;")}">{_ADDRESS}</a>, please',
        f"<{_ADDRESS}|my hand>",
        # Other signs between keys and values, and other blanks.
        _LINE.replace("=", ": "),
        _LINE.replace("kirin ", "麒麟、").replace("seat", "席").replace(" hand", "、手札").replace("=", "："),
        _LINE.replace(" hand", "、hand").replace(" declared", ". declared").replace(" leader", " | leader"),
        _LINE.replace("=", "﹦"),
        _LINE.replace(" ", "\u3164"),
        _LINE.replace(" ", "\u2800"),
        _LINE.replace("S4", "S4\ufe0f\u20e3"),
        f"{_LINE} (edited)",
        f"{_LINE}\n\nSent from my phone",
        # Remarks.
        f"{_LINE} ; what do I lead before the next round?",
        f"{_LINE}；何を出す？",
        f"{_LINE} #remark",
        f"{_LINE} {{club night}}",
        _LINE.replace(" declared", " ; my cards\ndeclared").replace("D2,", "D2 ; "),
        # Addresses in sentences.
        f"{_ADDRESS} is my hand",
        f"What do I lead ({_ADDRESS}), and why?",
        f"この局面{_ADDRESS}。何を出す？",
        f"「{_ADDRESS}」を見て",
        f"Hi,\n\n{_ADDRESS}&~tab=hint\n\nBye",
        f"Look: https://a.example/p/{_LINE.replace(' ', '&')} what now?",
        f"{_ADDRESS[7:]} is mine",  # without http://
        _ADDRESS.replace(",", " "),
        # What a Japanese player calls things, and digits of all scripts.
        "麒麟 席=2 手札=" + _HAND.replace(",", "、") + " 伏せ札=B6 リード=0",
        _LINE.replace("leader", "リーダー").replace("hand", "手札").replace("kirin", "キリン"),
        _LINE.translate({ord(str(digit)): chr(0x660 + digit) for digit in range(10)}),
        _LINE.translate({ord(str(digit)): chr(0x966 + digit) for digit in range(10)}),
    ],
)
def test_what_was_pasted_with_a_line_is_left_out(text: str) -> None:
    assert athanor.parse(text) == athanor.parse(_LINE)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('"', "“"),
        ('"', "＂"),
        ('"', "'"),
        ('"', "&quot;"),
        (" ", "\u00a0"),
        (":", "："),
        (",", "、"),
        ("{", "\u200b```json\n｛"),
        ('"S1"', '" S１"'),
    ],
)
def test_json_as_other_programs_write_it(old: str, new: str) -> None:
    sent = json.dumps(read_line(_LINE))
    assert athanor.parse(sent.replace(old, new)) == athanor.parse(_LINE)


@pytest.mark.parametrize(("opened", "closed"), [("“", "”"), ("„", "“"), ("＂", "＂")])
def test_a_file_of_puzzles_with_other_quotation_marks(opened: str, closed: str) -> None:
    text = Path("puzzles/collection/alchemy.toml").read_text(encoding="utf-8")
    one = text[: text.index("[[puzzle]]", text.index("[[puzzle]]") + 1)].replace("'", "")
    odd = re.sub(r'"([^"\n]*)"', rf"{opened}\1{closed}", one).replace(" = ", "\u00a0＝ ").replace("[[", "［［")
    assert puzzles.loads(f"```toml\n{odd}\n```\x1a".encode()) == puzzles.loads(one)


@pytest.mark.parametrize("kind", kinds(), ids=lambda kind: str(kind.game))
def test_a_deck_as_chats_and_japanese_keyboards_write_it(kind: Any) -> None:
    table = table_of(kind.game, kind.house).removeprefix("\ufeff")
    meant = read_for(kind.game, table)
    for odd in (
        f"```csv\n{table}```",
        table.replace(",", "，"),
        table.replace(",", "；"),
        table.replace(",", "\u00a0,"),
    ):
        assert read_for(kind.game, odd) == meant


def test_what_stands_between_quotation_marks_stays_as_it_is() -> None:
    assert typed_json("{“name”: “鉄：①”}") == {"name": "鉄：①"}
    with pytest.raises(PositionError):
        typed_json("{“name”: “a “quoted” word”}")


@pytest.mark.parametrize(
    ("line", "typed"),
    [
        ("aqua-regia players=2 seat=0 hand=K,Zn field=acid turn=0", "王水 人数=2 席=0 手札=K,Zn 場=酸 手番=0"),
        ("aqua-regia players=2 seat=0 hand=K,Zn field=acid turn=0", "Aqua Regia: n=2 s=0 h=KZn field=acid turn=0"),
        ("alchemy solo line=A,2,4,7,9,K hand=6", "ｱﾙｹﾐｰ ソリティア 場札=A,2,4,7,9,K 引いたカード=6 ; a remark"),
        ("king cards=F3,W11,T2", "King × Alchemy cards=F3,W11,T2 ; what are they worth?"),
        (KING_AFTER, f"{KING_AFTER} ; what to take now?"),
        (KING_AFTER, KING_AFTER.replace("take:F2", "take；F2").replace(",E1", " ; E1")),
    ],
)
def test_names_of_games_and_keys_as_people_say_them(line: str, typed: str) -> None:
    assert str(reader(line)(typed)) == str(reader(line)(line))


@pytest.mark.parametrize(
    "text",
    [
        "king cards=F3,W11 ; T2x",
        "king cards=F3,W11 ; T2 ; WII EII",
        "aqua-regia players=2 seat=0 turn=0 field=water hand=Li ; Nii",
        "aqua-regia players=2 seat=0 turn=0 field=water hand=Li ; xZnNi",
        "alchemy solo line=A,2,4,7,9 ; Kk hand=6",
        "king cards=F3 ; " + "W11" * 3000 + " ; x",
        "aqua-regia players=2 seat=0 turn=0 field=water hand=Li" + " ; ZnNiSnPb" * 400,
        f"{_ADDRESS} or {_ADDRESS}",
        f"{_LINE} 🂡",
        _LINE.replace(",", "/"),
        _LINE.replace("kirin", "poker"),
        f"{_LINE} (S5)",
        _LINE.replace("hand", "てふだ"),
        _LINE.replace("hand=", "手札=S1 hand="),
        "king seat=0 hand=F1 removed=\n- F2 leader=0",
    ],
)
def test_what_may_be_a_card_is_never_left_out(text: str) -> None:
    with pytest.raises(PositionError):
        athanor.parse(text)


def test_a_japanese_key_in_json_is_told_the_key() -> None:
    with pytest.raises(PositionError, match="here it is called hand"):
        athanor.parse({"game": "麒麟", "seat": 2, "手札": _HAND, "declared": "B6", "leader": 0})


def test_a_key_without_a_value_is_named() -> None:
    with pytest.raises(PositionError, match="the key 'seat' has no value"):
        athanor.parse("kirin seat= hand=S1")
    with pytest.raises(PositionError, match="there is no option 'alternativ=_x'"):  # a sign too many is no blank
        athanor.parse("alchemy solo rules=alternativ=_x line=2")
