"""Every fault of a puzzle file is told with the line that it is on."""

from __future__ import annotations

import time
import tomllib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from puzzles.format import line_of, loads, steps_of
from tests.puzzles.texts import FREE, error, puzzle, where

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
    assert (found.path, found.line) == (path, line)
    assert str(found).startswith(f"line {found.line}: {path}: ")


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
    assert (found.code, found.line) == ("invalid_toml", line)
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
        assert line_of(text, tomllib.loads(text), path) == line


def test_the_line_of_a_fault_in_a_large_file() -> None:
    """In as much time as there is text: a second reading with places kept would take minutes."""
    good = puzzle("%d", position=FREE)
    text = "".join(good.replace("%d", str(number)) for number in range(300)) + "[[puzzle]]\n" * 3000
    begun = time.process_time()
    found = error(text)
    assert (found.path, found.line) == ("puzzle[300].id", text.count("\n") - 2999)
    assert time.process_time() - begun < 5


def test_a_line_that_cannot_be_told_is_zero() -> None:
    assert line_of("a = 1\n", {"a": 1}, "") == 0
    assert steps_of({"a": [1]}, "a[3]") == ["a"]
