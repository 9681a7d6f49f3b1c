"""Puzzle files: what is read is what was written, and every error has a code."""

from __future__ import annotations

import os
import stat
import time
import tomllib
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from puzzles.format import (
    Puzzle,
    PuzzleFile,
    check_replaceable,
    dumps,
    from_data,
    lines_of,
    load,
    loads,
    save,
    steps_of,
)
from puzzles.solution import Solution
from solver import registry
from solver.common import EXACT
from solver.errors import PuzzleError

FREE = '{ game = "alchemy", variant = "free", min_line = 1, line = ["A", "2", "3"], hand = "4" }'
CARDS = '"king cards=F3,F6,F8,W3,W5,E3,E8,A1"'
SOLO = (
    '{ game = "alchemy", variant = "alternative", cap = 4, line = ["4", "7", "2", "9"], hand = "6", '
    'stock = ["5", "A", "10", "3", "3", "8"] }'
)
KIRIN = '"kirin direction=ascending declared=B1,B2,B3,B4 leader=0 hands=D1,D2/D3,D4/D5,D6/S1,S2 won=-/-/-/-"'
HIDDEN = '{ game = "alchemy", variant = "alternative", cap = 4, line = ["4", "7", "2", "9"], hand = "6" }'


def puzzle(name: str = "a", ask: str = "all-matches", position: str = FREE, more: str = "") -> str:
    return f'[[puzzle]]\nid = "{name}"\ntitle = "T"\nask = "{ask}"\nposition = {position}\n{more}\n'


def error(text: str) -> PuzzleError:
    with pytest.raises(PuzzleError) as found:
        loads(text)
    return found.value


def where(text: str) -> tuple[str, int]:
    found = error(text)
    return found.path, found.lines[0]


def test_the_contracts_example_form() -> None:
    file = loads(puzzle(more='solution = { value = 2, moves = ["4=A+3", "4+A=3+2"] }\ngrade = "easy"'))
    (read,) = file.puzzles
    assert (read.id, read.ask, read.grade) == ("a", "all-matches", "easy")
    assert read.solution == Solution(value=2, moves=("4=A+3", "4+A=2+3"))  # as the game writes them
    assert read.game.name == "alchemy"
    assert loads(dumps(file)) == file


def test_toml_and_json_are_the_same_structure() -> None:
    data = {
        "puzzle": [
            {
                "id": "a",
                "title": "T",
                "ask": "value",
                "position": {
                    "game": "alchemy",
                    "variant": "free",
                    "min_line": 1,
                    "line": ["A", "2", "3"],
                    "hand": "4",
                },
                "solution": {"value": 2},
            }
        ]
    }
    assert from_data(data) == loads(puzzle(ask="value", more="solution = { value = 2 }"))


@st.composite
def _puzzle_files(draw: st.DrawFn) -> PuzzleFile:
    game = registry.game("alchemy")
    ids = draw(st.lists(st.text(min_size=1).filter(str.strip), min_size=1, max_size=4, unique=True))
    made = []
    for name in ids:
        variant = draw(st.sampled_from(["solo", "alternative", "duel"]))
        position = game.deal(draw(st.integers(0, 2**63 - 1)), variant=variant)
        if variant != "duel" and draw(st.booleans()):
            position = game.view(position, 0)
        ask = draw(st.sampled_from(sorted(game.asks(position) - {"analyze", "hint"})))
        legal = [game.format_move(position, move) for move in game.legal_moves(position)]
        fields: dict[str, Any] = {"best": tuple(draw(st.lists(st.sampled_from(legal), max_size=5, unique=True)))}
        if ask != "winnable":
            number = st.integers(1 - EXACT, EXACT - 1) | st.floats(allow_nan=False, allow_infinity=False)
            words = ask != "all-matches" and "winnable" in game.asks(position)
            fields["value"] = draw(st.sampled_from(["won", "lost"]) if words else number)
        else:
            fields["winnable"] = draw(st.booleans())
        optional = {"title": st.text(), "note": st.text(), "grade": st.sampled_from(["easy", "expert"])}
        made.append(
            Puzzle(
                id=name,
                ask=ask,
                position=position,
                solution=draw(st.none() | st.just(Solution(**fields))),
                **{"title": "", **draw(st.fixed_dictionaries({}, optional=optional))},
            )
        )
    return PuzzleFile(puzzle=tuple(made))


@settings(max_examples=40)
@given(_puzzle_files())
def test_round_trip(file: PuzzleFile) -> None:
    text = dumps(file)
    again = loads(text)
    assert again == file
    assert dumps(again) == text
    assert max(map(len, text.splitlines()), default=0) < 120 or any(
        len(p.title + (p.note or "")) for p in file.puzzles
    )


def test_a_number_keeps_its_kind() -> None:
    (whole,) = loads(puzzle(ask="value", more="solution = { value = 2 }")).puzzles
    (broken,) = loads(puzzle(ask="value", more="solution = { value = 2.0 }")).puzzles
    assert whole.solution is not None
    assert broken.solution is not None
    assert type(whole.solution.value) is int
    assert type(broken.solution.value) is float


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("", "empty_file"),
        ("# only a comment\n", "empty_file"),
        ("puzzle = []", "wrong_size"),
        ("puzzle = 3", "wrong_type"),
        ("nonsense = 1", "unknown_key"),
        (puzzle(more="colour = 3"), "unknown_key"),
        (puzzle(more="solution = {}"), "missing_key"),
        (puzzle(more="solution = { value = true }"), "wrong_type"),
        (puzzle(more="solution = { value = nan }"), "wrong_type"),
        (puzzle(more='solution = { value = "1" }'), "wrong_type"),
        (puzzle(more='solution = { value = "Won" }'), "wrong_type"),
        (puzzle(more='solution = { value = ["1", 2] }'), "wrong_type"),
        (puzzle(more='themes = ["deny", "deni"]'), "unknown_value"),
        (puzzle(more="solution = { value = 1979-05-27 }"), "wrong_type"),
        (puzzle(more="solution = { winnable = true }"), "conflict"),
        (puzzle(more='grade = "gentle"'), "unknown_value"),
        (puzzle(more="player = -1"), "out_of_range"),
        (puzzle(more="player = 1"), "out_of_range"),
        (puzzle(more='model = "paranoid"'), "unknown_value"),
        (puzzle(ask="winnable"), "unknown_value"),
        (puzzle(ask="compound"), "unknown_value"),
        (puzzle(ask="winnable", position=HIDDEN), "unknown_value"),
        (puzzle(ask="best-move", position=SOLO, more="solution = { moves = [] }"), "conflict"),
        (puzzle(ask="winnable", position=SOLO, more="solution = { value = 1 }"), "wrong_type"),
        (puzzle(ask="value", position=SOLO, more="solution = { value = 1 }"), "wrong_type"),
        (puzzle(ask="value", position=HIDDEN, more='solution = { value = "won" }'), "wrong_type"),
        (puzzle(more='solution = { value = "won" }'), "wrong_type"),
        (puzzle(ask="value", position=KIRIN, more='solution = { value = "won" }'), "wrong_type"),
        (puzzle(ask="value", position=KIRIN, more="solution = { value = [1, 0, 0, 0] }"), "wrong_type"),
        (puzzle(ask="value", position=KIRIN, more='model = "maxn"\nsolution = { value = 3 }'), "wrong_type"),
        (
            puzzle(ask="value", position=KIRIN, more='model = "maxn"\nsolution = { value = [1, 2, 3] }'),
            "wrong_type",
        ),
        (puzzle(ask="winnable", position=SOLO, more='solution = { value = "won", winnable = false }'), "conflict"),
        (puzzle(ask="best-move", position=SOLO, more='solution = { best = ["6+4=10"] }'), "illegal_move"),
        (puzzle(ask="best-move", position=SOLO, more='solution = { best = ["discard 4"] }'), "illegal_move"),
        (puzzle(ask="best-move", position=SOLO, more='solution = { best = "6=2+4" }'), "wrong_type"),
        (puzzle(ask="best-move", position=SOLO, more='solution = { best = ["6=2+4", "4 + 2 = 6"] }'), "duplicate"),
        (puzzle(ask="best-move", position='"alchemy solo line=9,J cap=6 stock=-"'), "conflict"),
        (puzzle() + puzzle(), "duplicate_id"),
        (puzzle(" "), "out_of_range"),
        ("a = [" * 2000, "invalid_toml"),
        ("a = " + "[" * 5000, "invalid_toml"),
        ("a = " + "9" * 5000, "invalid_toml"),
    ],
)
def test_every_fault_has_a_code_and_a_line(text: str, code: str) -> None:
    found = error(text)
    assert found.code == code
    assert found.message
    assert found.lines[0] or code == "invalid_toml"


@pytest.mark.parametrize("data", [None, 3, [], "x", {}, {"puzzle": {}}, {"puzzle": [3]}, {"puzzle": [{"id": 1}]}])
def test_data_of_the_wrong_form(data: object) -> None:
    with pytest.raises(PuzzleError) as found:
        from_data(data)
    assert found.value.lines[0] == 0


# ----------------------------------------------------------------------------------------------------
# Puzzle files on the disk: read, written whole, and what happens when they cannot be.


def test_a_byte_order_mark_is_no_error() -> None:
    assert loads("\ufeff" + puzzle()) == loads(puzzle())


def test_load_and_save(tmp_path: Path) -> None:
    path = tmp_path / "file.toml"
    file = loads(puzzle() + puzzle("b", "best-move", SOLO))
    save(file, path)
    assert load(path) == file
    assert load(str(path)) == file
    assert os.listdir(tmp_path) == ["file.toml"]
    path.chmod(0o640)
    save(file, path)
    assert path.stat().st_mode & 0o777 == 0o640


def test_save_follows_a_link(tmp_path: Path) -> None:
    (tmp_path / "real.toml").write_text("old")
    link = tmp_path / "link.toml"
    link.symlink_to("real.toml")
    save(loads(puzzle()), link)
    assert link.is_symlink()
    assert load(tmp_path / "real.toml") == loads(puzzle())


def test_what_is_saved_to_a_pipe_goes_through_it(tmp_path: Path) -> None:
    """A device or a pipe is no file that could be replaced, by root least of all."""
    pipe = tmp_path / "pipe.toml"
    os.mkfifo(pipe)
    reading = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    save(loads(puzzle()), pipe)
    check_replaceable(pipe)
    assert loads(os.read(reading, 1 << 16)) == loads(puzzle())
    os.close(reading)
    assert stat.S_ISFIFO(pipe.stat().st_mode)
    assert list(tmp_path.iterdir()) == [pipe]


def test_a_failed_save_leaves_what_was_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "file.toml"
    path.write_text("old")

    def full(self: Path, content: bytes) -> int:
        with open(self, "wb") as file:
            file.write(content[:10])
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "write_bytes", full)
    with pytest.raises(PuzzleError, match="No space left"):
        save(loads(puzzle()), path)
    assert path.read_text() == "old"
    assert os.listdir(tmp_path) == ["file.toml"]


@pytest.mark.parametrize("name", ["missing/file.toml", "", "a\0b"])
def test_save_where_nothing_can_be_written(tmp_path: Path, name: str) -> None:
    with pytest.raises(PuzzleError) as found:
        save(loads(puzzle()), tmp_path / name)
    assert found.value.code == "unwritable"
    assert os.listdir(tmp_path) == []


def test_load_what_cannot_be_read(tmp_path: Path) -> None:
    (tmp_path / "latin.toml").write_bytes(b'# one\n[[puzzle]]\nid = "\xe9"\n')
    for name, code, line in (
        ("missing.toml", "unreadable", 0),
        ("", "unreadable", 0),
        ("a\0b", "unreadable", 0),
        ("latin.toml", "invalid_text", 0),
    ):
        with pytest.raises(PuzzleError) as found:
            load(tmp_path / name)
        assert (found.value.code, found.value.lines[0]) == (code, line)


# ----------------------------------------------------------------------------------------------------
# Every fault of a puzzle file is told with the line that it is on.


LAYOUTS = """\
# The lines of this text are counted in the test.

[[puzzle]]   # three
id = "a"
title = '''
six
'''
ask = "all-matches"
position = { game = "alchemy", variant = "free", min_line = 1, line = [
  "4",  # ten, [not], { this = 1 }

  "7", "2"],
  hand = "6" }

[[puzzle]]
id = "b"
title = "T"
ask = "all-matches"
[puzzle.position]
  game = "alchemy"
  variant = "free"
  min_line = 1
  line = ["A", "2", "3"]
  hand = "4"
[puzzle.solution]
moves = [
  "4=A+3",
  "4+A=2+3" ]
[[puzzle]]
id = "c"
title = "T"
ask = "all-matches"
position.game = "alchemy"
position.variant = "free"
position.line = ["4"]
position.min_line = 1
"position".hand = "4"
""".replace("],\n  hand", "], hand")  # fmt: skip


@pytest.mark.parametrize("newline", ["\n", "\r\n"])
@pytest.mark.parametrize(
    ("old", "new", "path", "line"),
    [
        ('"7", "2"', '"7", "Z"', "puzzle[0].position.line[2]", 12),
        ('"4",  # ten', '"44",  # ten', "puzzle[0].position.line[0]", 10),
        ('hand = "6" }', 'hand = "X" }', "puzzle[0].position.hand", 12),
        ('ask = "all-matches"\nposition =', 'ask = "some"\nposition =', "puzzle[0].ask", 8),
        ("title = '''\nsix\n'''", "title = ['''\nsix\n''']", "puzzle[0].title", 5),
        ('id = "a"', 'name = "a"', "puzzle[0].name", 4),
        ('id = "a"\n', "", "puzzle[0].id", 3),
        ('id = "b"\n', "", "puzzle[1].id", 14),
        ("  min_line = 1\n  line", "  line", "puzzle[1].position.min_line", 18),
        ("  min_line = 1\n  line", '  min_line = "1"\n  line', "puzzle[1].position.min_line", 21),
        ("  hand", '  hands = "4"\n  hand', "puzzle[1].position.hands", 23),
        ('"4+A=2+3" ]', '"4+A=2+2" ]', "puzzle[1].solution.moves[1]", 27),
        ("moves = [", 'best = ["4=3"]\nmoves = [', "puzzle[1].solution.best[0]", 25),
        ('id = "c"', 'id = "a"', "puzzle[2].id", 29),
        ("position.min_line = 1\n", "", "puzzle[2].position.min_line", 28),
        ("position.min_line = 1\n", "position.min_line = 0\n", "puzzle[2].position.min_line", 35),
        ('position.line = ["4"]', 'position.line = ["Y"]', "puzzle[2].position.line[0]", 34),
        ('"position".hand = "4"', '"position".hand = 4', "puzzle[2].position.hand", 36),
        ('id = "c"\n', 'id = "c"\n"a.b[0]" = 1\n', "puzzle[2].a.b[0]", 30),
    ],
)
def test_lines(newline: str, old: str, new: str, path: str, line: int) -> None:
    assert LAYOUTS.count(old) == 1, old
    text = LAYOUTS.replace(old, new).replace("\n", newline)
    found = error(text)
    assert (found.path, found.lines[0]) == (path, line)
    assert str(found).startswith(f"line {found.lines[0]}: {path}: ")


@pytest.mark.parametrize(
    ("position", "path", "line"),
    [
        ("[puzzle.position.x]\ny = 1", "puzzle[0].position.game", 5),
        ("position = [{ game = 3 }, [1,\n2]]", "puzzle[0].position", 5),
        ("[puzzle.position]\ngame = 'chess'\n[puzzle.solution]\nvalue = 1", "puzzle[0].position.game", 6),
        ("[[puzzle.position]]\ngame = 'chess'", "puzzle[0].position", 5),
        ("position = 1979-05-27 # a date\nplayer = ''", "puzzle[0].player", 6),
    ],
)
def test_lines_of_strange_layouts(position: str, path: str, line: int) -> None:
    assert where(f'[[puzzle]]\nid = "a"\ntitle = "T"\nask = "value"\n{position}\n') == (path, line)


def test_the_layouts_are_right() -> None:
    assert len(loads(LAYOUTS).puzzles) == 3


@given(
    st.lists(st.integers(0, 3), min_size=1, max_size=5),
    st.data(),
    st.sampled_from(["\n", "\r\n"]),
    st.sampled_from([" ", "\n", "\n\n", " # why\n", "\n# [[puzzle]]\n\t"]),
)
def test_the_line_of_a_wrong_card(gaps: list[int], data: st.DataObject, newline: str, gap: str) -> None:
    wrong = data.draw(st.integers(0, len(gaps) - 1))
    column = data.draw(st.integers(0, 3))
    parts = []
    for number, blank in enumerate(gaps):
        cards = ['"4"', '"7"', '"2"', '"9"']
        if number == wrong:
            cards[column] = '"HERE"'
        line = f",{gap}".join(cards)
        parts.append(
            "# [[puzzle]] 'x\n" * blank + puzzle(str(number), position=FREE.replace('"A", "2", "3"', line))
        )
    text = "".join(parts)
    expected = text[: text.index("HERE")].count("\n") + 1
    assert where(text.replace("\n", newline)) == (f"puzzle[{wrong}].position.line[{column}]", expected)


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ('[[puzzle]]\nid = "a\n', 2),
        ("\n\nid =", 3),
        ("[[puzzle]]\n[[puzzle]\n", 2),
        ("a = 1\r\n\r\na = 2\r\n", 3),
        ("a = [\n1,\n2,\n", 4),
    ],
)
def test_lines_of_broken_toml(text: str, line: int) -> None:
    found = error(text)
    assert (found.code, found.lines[0]) == ("invalid_toml", line)
    assert "(at" not in found.message


STRANGE = """\
a."b.c".d = [1, [2, 3
, {x = 1, y.z = [4]}], "]", '''
" ] = ''', 1979-05-27 07:32:00, 1.5, -inf]
 [ t . u ]  # c ["
x = { a = 1 , "b" = 'q' }
[t]
z = 5
[[t.list]]
n = 1
[t.list.sub]
m = 2
[[t.list.sub2]]
k = 1
[[t.list.sub2]]
k = 2

[[t.list]]
n = 2
[[t.list."sub2"]]
k = 3
"""


@pytest.mark.parametrize(
    ("path", "line"),
    [
        ("a", 1),
        ("a.b.c.d[0]", 1),
        ("a.b.c.d[1][1]", 1),
        ("a.b.c.d[1][2]", 2),
        ("a.b.c.d[1][2].y.z[0]", 2),
        ("a.b.c.d[3]", 2),
        ("a.b.c.d[6]", 3),
        ("t", 6),
        ("t.u", 4),
        ("t.u.x.b", 5),
        ("t.z", 7),
        ("t.list", 8),
        ("t.list[0].sub.m", 11),
        ("t.list[0].sub2[1].k", 15),
        ("t.list[1]", 17),
        ("t.list[1].sub2[0]", 19),
    ],
)
def test_lines_of_paths(path: str, line: int) -> None:
    for newline in ("\n", "\r\n"):
        text = STRANGE.replace("\n", newline)
        assert lines_of(text, tomllib.loads(text), [path]) == [line]


def test_the_line_of_a_fault_in_a_large_file() -> None:
    """In as much time as there is text: a second reading with places kept would take minutes."""
    good = puzzle("%d", position=FREE)
    text = "".join(good.replace("%d", str(number)) for number in range(300)) + "[[puzzle]]\n" * 3000
    begun = time.process_time()
    found = error(text)
    assert (found.path, found.lines[0]) == ("puzzle[300].id", text.count("\n") - 2999)
    assert time.process_time() - begun < 5


def test_a_line_that_cannot_be_told_is_zero() -> None:
    assert lines_of("a = 1\n", {"a": 1}, [""]) == [0]
    assert steps_of({"a": [1]}, "a[3]") == ["a"]


@pytest.mark.parametrize(
    ("lines", "paths"),
    [
        (
            ['ask = "best-move"', f"position = {SOLO}", 'solution = { best = ["x", "6+4=10", "x"] }'],
            ["solution.best[0]", "solution.best[1]", "solution.best[2]"],
        ),
        (
            ['ask = "compound"', 'must = ["E4", "F3", "F3"]', 'without = ["E5", "F3"]', f"position = {CARDS}"],
            ["must[0]", "must[2]", "without[0]", "without[1]"],
        ),
        (
            ['ask = "compound"', 'must = ["F3"]', 'without = ["E8"]', f"position = {CARDS}",
             'solution = { recipes = [{ card = "E3", uses = ["F8", "E8"] }] }'],
            ["solution.recipes", "solution.recipes"],
        ),
    ],
    ids=["moves", "wishes", "recipes"],
)  # fmt: skip
def test_all_faults_of_a_puzzle_are_listed_at_once(lines: list[str], paths: list[str]) -> None:
    text = "\n".join(["[[puzzle]]", 'id = "a"', 'title = "A"', *lines])
    with pytest.raises(PuzzleError) as found:
        loads(text)
    assert [fault.path for fault in found.value.faults] == [f"puzzle[0].{path}" for path in paths]


def test_all_faults_of_a_file_are_found_at_once() -> None:
    """Also beside keys that cannot be read, and in several recipes; what only follows from a fault is left out."""
    recipes = '[{ card = "E3", uses = ["F8", "E8"], item = "Gold", bonus = 7 }, { card = "F8", uses = ["W5"] }]'
    text = (
        puzzle("a", "best-move", SOLO, 'grade = "x"\nsolution = { best = ["6=9", "6=2+4", "2+4=6"] }')
        + puzzle("a", "compound", CARDS, f"colour = 3\nsolution = {{ recipes = {recipes} }}")
        + puzzle("b", "value", FREE, 'modle = "paranoid"\nplayer = 7')
        + puzzle("b", "best-move", SOLO, "solution = { winnable = true, total = 3 }")
    )
    paths = {f"puzzle{path}" for path in (
        "[0].grade", "[0].solution.best[0]", "[0].solution.best[2]",
        "[1].colour", "[1].solution.recipes[1].card", "[1].id",
        "[2].modle", "[3].solution.winnable", "[3].solution.total", "[3].id",
    )}  # fmt: skip
    assert {fault.path for fault in error(text).faults} == paths


def test_cards_are_read_in_any_case() -> None:
    stated = 'must = ["e3"]\nsolution = { recipes = [{ card = "E3", uses = ["f8", "e8"] }] }'
    (read,) = loads(puzzle("a", "compound", CARDS, stated)).puzzles
    assert read.solution is not None
    assert read.solution.recipes is not None
    assert read.solution.recipes[0].uses == ("F8", "E8")
