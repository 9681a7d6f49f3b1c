"""What a process finds in the kernel cache of another: after an edit, in a copy, at the same time."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from tests.kernels.programs import ASK, HIT, MISS, SOURCES, Den, finished

FLOAT = ASK.replace("twice(5)", "twice(5.0)")
GAME = """\
from den.rules import rule
from den.search import search
from solver.kernels.template import instantiate

ask = instantiate(search, {"rule": rule, "LIMIT": 10}, "den")
print(ask(5), "miss" if ask.compiles else "hit")
"""
MAKER = """\
import numpy as np
from solver.kernels.jit import kernel
from den.helper import step

@kernel
def made(word):
    if word < 0:
        raise ValueError("negative")
    return np.full(2, step(step(word)))

@kernel
def other(word):
    return word * 2
"""
MADE = """\
import sys
from den.user import made

print(made(5))
try:
    made(-1)
except ValueError as found:
    print(found)
print("miss" if made.compiles else "hit", "numba" in sys.modules)
"""
BEYOND = """\
import numpy as np
from den.beyond import fourth

try:
    fourth(np.zeros(2, np.int64))
except IndexError:
    print("refused")
else:
    print("unseen")
"""
SHELL = """\
from solver.kernels.jit import kernel

@kernel
def more(word):
    return word + {}

print(more(1))
"""
RULE = "from solver.kernels.jit import kernel\n\n@kernel\ndef rule(word):\n    return word + 1\n"
FOURTH = "from solver.kernels.jit import kernel\n\n@kernel\ndef fourth(array):\n    return array[3]\n"


@pytest.fixture
def den(tmp_path: Path) -> Den:
    return Den(tmp_path)


def test_an_edited_helper_is_compiled_into_its_users(den: Den) -> None:
    assert den.run(ASK) == ["7", MISS]
    assert all(path.is_relative_to(den.home) for path in den.files())
    assert den.run(ASK) == ["7", HIT]
    helper = (den.package / "helper.py").read_text(encoding="utf-8")
    den.write("helper", helper.replace("word + 1", "word + 2"))
    assert den.run(ASK) == ["9", MISS]
    den.write("helper", helper)
    assert den.run(ASK) == ["7", HIT]


def test_to_run_a_kernel_numba_is_not_imported(den: Den) -> None:
    """Nor for arrays and errors, whose classes the machine code keeps pickled; and it may be imported later."""
    den.write("user", MAKER)
    assert den.run(MADE) == ["[7", "7]", "negative", MISS, "True"]
    assert den.run(MADE) == ["[7", "7]", "negative", HIT, "False"]
    later = MADE + "from den.user import other\nprint(other(2), made(1), 'numba' in sys.modules)\n"
    assert den.run(later) == ["[7", "7]", "negative", HIT, "False", "4", "[3", "3]", "True"]


def test_an_edited_rule_is_compiled_into_the_search(den: Den) -> None:
    den.write("rules", RULE)
    den.write("search", "def search(word):\n    return rule(word) * LIMIT\n")
    assert den.run(GAME) == ["60", MISS]
    assert den.run(GAME) == ["60", HIT]
    assert den.run(GAME.replace("10", "100")) == ["600", MISS]
    den.write("rules", RULE.replace("+ 1", "+ 2"))
    assert den.run(GAME) == ["70", MISS]


def test_a_copy_of_the_sources_finds_the_same_files(den: Den, tmp_path: Path) -> None:
    den.run(ASK)
    copy = tmp_path / "copy"
    shutil.copytree(SOURCES, copy / "solver", ignore=shutil.ignore_patterns("__pycache__", "*.md", "*.toml"))
    shutil.move(str(den.package), copy / "den")
    assert den.run(ASK, PYTHONPATH=str(copy)) == ["7", HIT]


def test_processes_that_compile_at_once_agree(den: Den) -> None:
    # One of them asks with another type of number: each type has a file of its own.
    started = [den.start(program) for program in (ASK, FLOAT, ASK)]
    assert [finished(process)[0] for process in started] == ["7", "7.0", "7"]
    assert den.run(ASK) == ["7", HIT]
    assert den.run(FLOAT) == ["7.0", HIT]


def test_without_a_home_and_a_temporary_folder_a_process_compiles_by_itself(den: Den) -> None:
    nowhere = dict.fromkeys(("HOME", "XDG_CACHE_HOME", "TMPDIR"), str(den.root / "file" / "below"))
    (den.root / "file").write_text("in the way", encoding="utf-8")
    places = "from solver.kernels import cache\nimport tempfile\ntempfile._candidate_tempdir_list = lambda: []\n"
    for _ in range(2):
        assert den.run(places + ASK, **nowhere) == ["7", MISS]
    assert not den.files()


def test_bounds_checking_is_not_answered_from_the_unchecked_cache(den: Den) -> None:
    # Numba's own cache does not tell the two apart: a warm cache would make the switch do nothing.
    den.write("beyond", FOURTH)
    assert den.run(BEYOND) == ["unseen"]
    assert den.run(BEYOND, NUMBA_BOUNDSCHECK="1") == ["refused"]


def test_a_kernel_of_a_shell_is_not_kept(den: Den) -> None:
    # It has no source that could be stamped, and Numba's key knows a function's code but not its constants.
    assert den.run(SHELL.format(1)) == ["2"]
    assert den.run(SHELL.format(2)) == ["3"]


def test_the_switch_for_plain_python_keeps_nothing(den: Den) -> None:
    assert den.run("from den.user import twice\nprint(twice(5))", NUMBA_DISABLE_JIT="1") == ["7"]
    assert not den.files()
