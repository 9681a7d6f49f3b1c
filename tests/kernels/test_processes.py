"""What a process finds in the kernel cache of another: after an edit, in a copy, at the same time, linked."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

import solver
from solver.kernels.jit import apart, inlined, kernel, lean
from solver.kernels.machine import OFF

pytestmark = pytest.mark.skipif(OFF, reason="nothing is compiled")

SOURCES = Path(solver.__file__).parent
HIT, MISS = "hit", "miss"

# A kernel of its own package that inlines a helper of another module.
HELPER = "from solver.kernels.jit import kernel\n\n@kernel\ndef step(word):\n    return word + 1\n"
USER = """\
from solver.kernels.jit import kernel
from den.helper import step

@kernel
def twice(word):
    return step(step(word))
"""
ASK = """\
from den.user import twice
print(twice(5), "miss" if twice.compiles else "hit")
"""


# A process that has Numba, and has compiled, but has seen no den: its children are where a fresh one is after most
# of a second. It answers each list of programs, which run at once, with what each printed.
PARENT = """
import json, os, signal, sys, traceback
import numba
from solver.kernels import compiling

def begun(program, folder, environment):
    reading, writing = os.pipe()
    if not (child := os.fork()):
        signal.alarm(120)
        os.dup2(writing, 1)
        os.dup2(writing, 2)
        os.environ.update(environment)
        sys.path.insert(0, folder)
        sys.dont_write_bytecode = True
        try:
            exec(compile(program, "<string>", "exec"), {"__name__": "__main__"})
        except BaseException:
            traceback.print_exc()
        sys.stdout.flush()
        os._exit(0)
    os.close(writing)
    return child, reading

def ended(child, reading):
    with open(reading) as printed:
        text = printed.read()
    os.waitpid(child, 0)
    return text

numba.njit(lambda number: number + 1)(1)
for line in sys.stdin:
    programs, folder, environment = json.loads(line)
    children = [begun(program, folder, environment) for program in programs]
    print(json.dumps([ended(*child) for child in children]), flush=True)
"""


def plain_environment() -> dict[str, str]:
    return {key: value for key, value in os.environ.items() if not key.startswith("NUMBA_")}


class Den:
    """A package `den` in a folder of its own, and caches beside it."""

    def __init__(self, root: Path, parent: subprocess.Popen[str]) -> None:
        self.root = root
        self.parent = parent
        self.package = root / "sources" / "den"
        self.home = root / "home"
        self.temporary = root / "temporary"
        for folder in (self.package, self.home, self.temporary):
            folder.mkdir(parents=True)
        # A module that is edited twice within a second, to the same length, would be taken from its bytecode.
        self.environment = {
            "XDG_CACHE_HOME": str(self.home),
            "TMPDIR": str(self.temporary),
            "PYTHONDONTWRITEBYTECODE": "1",
        }
        self.write("__init__", "")
        self.write("helper", HELPER)
        self.write("user", USER)

    def write(self, module: str, text: str) -> None:
        (self.package / f"{module}.py").write_text(text, encoding="utf-8")

    def run(self, program: str, **environment: str) -> list[str]:
        """The words that the program prints in a child of the process that has compiled."""
        [found] = self.at_once(program, **environment)
        return found

    def at_once(self, *programs: str, **environment: str) -> list[list[str]]:
        """The words that each of these programs prints in such a child of its own."""
        asked = (programs, str(self.package.parent), {**self.environment, **environment})
        assert self.parent.stdin is not None
        assert self.parent.stdout is not None
        print(json.dumps(asked), file=self.parent.stdin, flush=True)
        return [text.split() for text in json.loads(self.parent.stdout.readline())]

    def fresh(self, program: str, **environment: str) -> list[str]:
        """The words that the program prints in a process that begins with nothing."""
        path = os.pathsep.join([str(self.package.parent), str(SOURCES.parent)])
        done = subprocess.run(
            [sys.executable, "-c", program],
            env={**plain_environment(), **self.environment, "PYTHONPATH": path, **environment},
            capture_output=True,
            text=True,
            timeout=120,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        return done.stdout.split()

    def files(self) -> list[Path]:
        """What was kept, wherever that is."""
        return sorted(self.root.rglob("*.nbc"))


FLOAT = ASK.replace("twice(5)", "twice(5.0)")
GAME = """\
from den.rules import rule
from den.search import search
from solver.kernels.jit import instantiate

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


@pytest.fixture(scope="module")
def parent() -> Iterator[subprocess.Popen[str]]:
    with subprocess.Popen(
        [sys.executable, "-c", PARENT],
        env={**plain_environment(), "PYTHONPATH": str(SOURCES.parent)},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        yield process


@pytest.fixture
def den(tmp_path: Path, parent: subprocess.Popen[str]) -> Den:
    return Den(tmp_path, parent)


def test_an_edited_helper_is_compiled_into_its_users_and_a_copy_of_the_sources_finds_the_same_files(
    den: Den, tmp_path: Path
) -> None:
    assert den.run(ASK) == ["7", MISS]
    assert all(path.is_relative_to(den.home) for path in den.files())
    helper = (den.package / "helper.py").read_text(encoding="utf-8")
    den.write("helper", helper.replace("word + 1", "word + 2"))
    assert den.run(ASK) == ["9", MISS]
    den.write("helper", helper)
    assert den.run(ASK) == ["7", HIT]
    copy = tmp_path / "copy"
    shutil.copytree(SOURCES, copy / "solver", ignore=shutil.ignore_patterns("__pycache__", "*.md", "*.toml"))
    shutil.move(str(den.package), copy / "den")
    assert den.fresh(ASK, PYTHONPATH=str(copy)) == ["7", HIT]


def test_to_run_a_kernel_numba_is_not_imported(den: Den) -> None:
    """Nor for arrays and errors, whose classes the machine code keeps pickled; and it may be imported later."""
    den.write("user", MAKER)
    assert den.run(MADE) == ["[7", "7]", "negative", MISS, "True"]
    later = MADE + "from den.user import other\nprint(other(2), made(1), 'numba' in sys.modules)\n"
    assert den.fresh(later) == ["[7", "7]", "negative", HIT, "False", "4", "[3", "3]", "True"]


def test_an_edited_rule_is_compiled_into_the_search(den: Den) -> None:
    den.write("rules", RULE)
    den.write("search", "def search(word):\n    return rule(word) * LIMIT\n")
    assert den.run(GAME) == ["60", MISS]
    assert den.run(GAME) == ["60", HIT]
    assert den.run(GAME.replace("10", "100")) == ["600", MISS]
    den.write("rules", RULE.replace("+ 1", "+ 2"))
    assert den.run(GAME) == ["70", MISS]


def test_processes_that_compile_at_once_agree(den: Den) -> None:
    # One of them asks with another type of number: each type has a file of its own.
    assert [number for number, _ in den.at_once(ASK, FLOAT, ASK)] == ["7", "7.0", "7"]
    assert den.run(ASK.replace("twice(5)", "twice(5), twice(5.0)")) == ["7", "7.0", HIT]


def test_without_a_home_and_a_temporary_folder_a_process_compiles_by_itself(den: Den) -> None:
    nowhere = dict.fromkeys(("HOME", "XDG_CACHE_HOME", "TMPDIR"), str(den.root / "file" / "below"))
    (den.root / "file").write_text("in the way", encoding="utf-8")
    places = "from solver.kernels import cache\nimport tempfile\ntempfile._candidate_tempdir_list = lambda: []\n"
    assert den.run(places + ASK, **nowhere) == ["7", MISS]
    assert not den.files()


def test_bounds_checking_is_not_answered_from_the_unchecked_cache(den: Den) -> None:
    # Numba's own cache does not tell the two apart: a warm cache would make the switch do nothing.
    den.write("beyond", FOURTH)
    assert den.run(BEYOND) == ["unseen"]
    assert den.fresh(BEYOND, NUMBA_BOUNDSCHECK="1") == ["refused"]


def test_a_kernel_of_a_shell_is_not_kept(den: Den) -> None:
    # It has no source that could be stamped, and Numba's key knows a function's code but not its constants.
    assert den.run(SHELL.format(1)) == ["2"]
    assert den.run(SHELL.format(2)) == ["3"]


def test_the_switch_for_plain_python_keeps_nothing(den: Den) -> None:
    assert den.fresh("from den.user import twice\nprint(twice(5))", NUMBA_DISABLE_JIT="1") == ["7"]
    assert not den.files()


# ----------------------------------------------------------------------------------------------------
# Kernels that call kernels: linked before they are optimized, cached in both forms, the same from Python.


HELPERS = """
from solver.kernels.jit import inlined, kernel, lean

@inlined
def half(number):
    return number // 2

@lean
def steps(number):
    if number == 1:
        return 0
    if number % 2 == 0:
        return 1 + steps(half(number))
    return 1 + steps(3 * number + 1)
"""
CALLERS = """
from den.helpers import half, steps
from solver.kernels.jit import kernel

@kernel
def both(number):
    return steps(number) * 1000 + half(number) + {constant}
"""
PROGRAM = """
from den import callers, helpers
print(callers.both(27), helpers.half(9))
for function in (callers.both, helpers.steps, helpers.half):
    linked = function.forms.linkable._cache_misses
    print(function.__name__, function.compiles, sum(linked.values()))
"""


def compiled(den: Den) -> tuple[list[str], dict[str, tuple[int, int]]]:
    """What the program prints first, and how often each function was compiled: for Python, and to be linked."""
    found = den.run(PROGRAM)
    return found[:2], {found[at]: (int(found[at + 1]), int(found[at + 2])) for at in range(2, len(found), 3)}


def test_helpers_are_linked_into_their_callers_and_compiled_again_only_where_they_were_edited(den: Den) -> None:
    """And a helper is compiled for Python, too, only where Python calls it."""
    den.write("helpers", HELPERS)
    den.write("callers", CALLERS.format(constant=0))
    assert compiled(den) == (["111013", "4"], {"both": (1, 0), "steps": (0, 1), "half": (1, 1)})
    assert compiled(den) == (["111013", "4"], dict.fromkeys(("both", "steps", "half"), (0, 0)))
    den.write("callers", CALLERS.format(constant=500))
    assert compiled(den) == (["111513", "4"], {"both": (1, 0), "steps": (0, 0), "half": (0, 0)})
    den.write("helpers", HELPERS.replace("// 2", "// 2 + 0"))
    assert compiled(den) == (["111513", "4"], {"both": (1, 0), "steps": (0, 1), "half": (1, 1)})


def test_a_kernel_that_calls_itself_may_be_asked_from_python_first() -> None:
    @lean
    def depth(number: int) -> int:
        if number <= 1:
            return 0
        return 1 + depth(number // 2)

    @kernel
    def twice(number: int) -> int:
        return 2 * depth(number)

    assert depth(9) == 3
    assert twice(9) == 6
    assert depth(1) == 0


def test_constants_and_variables_share_one_form() -> None:
    @inlined
    def add(one: int, other: int) -> int:
        return one + other

    @kernel
    def sums(number: int) -> int:
        return add(number, 1) + add(2, number) + add(number, number) + add(3, 4)

    assert sums(10) == 11 + 12 + 20 + 7
    assert len(add.forms.linkable.overloads) == 1  # type: ignore[attr-defined]
    assert not add.compiles  # type: ignore[attr-defined]


def test_an_error_in_a_linked_helper_reaches_python() -> None:
    @lean
    def refuse(number: int) -> int:
        if number < 0:
            raise ValueError("negative")
        return number

    @kernel
    def through(number: int) -> int:
        return refuse(number) + 1

    assert through(1) == 2
    with pytest.raises(ValueError, match="negative"):
        through(-1)


def test_helpers_that_make_arrays_are_linked() -> None:
    @kernel
    def squares(count: int) -> np.ndarray:
        return np.arange(count) ** 2

    @kernel
    def total(count: int) -> int:
        return int(squares(count).sum()) + len(squares(count))

    assert total(5) == 30 + 5
    assert total(5) == 35


# Large kernels, whose machine code is made once and called by others.


APART = """
from solver.kernels.jit import apart

@apart
def digits(words, pair):
    for place in range(len(words)):
        words[place] = pair[0] % 10 + pair[1]
    return words.sum()
"""
CALLING = """
from den.apart import digits
from solver.kernels.jit import lean

@lean
def linked(words):
    return digits(words[1:], (27, 0)) + 1

@lean
def once(words):
    return digits(words, (43, 0)) + linked(words)

@lean
def again(words):
    return linked(words)
"""
ASK_APART = """
import numpy as np
from den import apart, calling
words = np.zeros(4, np.int64)
print(calling.once(words), calling.again(words), *words)
print(*(function.compiles for function in (apart.digits, calling.once, calling.again)))
"""


def test_a_kernel_that_is_apart_is_compiled_once_for_all_that_call_it(den: Den) -> None:
    den.write("apart", APART)
    den.write("calling", CALLING)
    answers = ["34", "22", "3", "7", "7", "7"]
    assert den.run(ASK_APART) == [*answers, "1", "1", "1"]
    assert den.run(ASK_APART) == [*answers, "0", "0", "0"]
    # Another kernel finds it in the cache, through a helper that was cached, too.
    den.write("calling", CALLING.replace("return linked(words)\n", "return linked(words) + 5\n"))
    assert den.run(ASK_APART) == [*answers[:1], "27", *answers[2:], "0", "0", "1"]
    den.write("apart", APART.replace("% 10", "% 9"))
    assert den.run(ASK_APART) == ["29", "6", "7", "0", "0", "0", "1", "1", "1"]


def test_what_calls_a_kernel_that_is_gone_is_compiled_anew(den: Den) -> None:
    den.write("apart", APART)
    den.write("calling", CALLING)
    den.run(ASK_APART)
    den.run("from den import apart\napart.digits.forget()")
    assert den.run(ASK_APART) == ["34", "22", "3", "7", "7", "7", "1", "1", "0"]


def test_an_error_in_a_kernel_that_is_apart_reaches_python() -> None:
    @apart
    def refuse(numbers: np.ndarray) -> int:
        if numbers[0] < 0:
            raise ValueError("negative")
        return int(numbers[0])

    @lean
    def through(numbers: np.ndarray) -> int:
        return refuse(numbers) + 1

    assert through(np.array([1])) == 2
    assert refuse(np.array([1])) == 1
    with pytest.raises(ValueError, match="negative"):
        through(np.array([-1]))


def test_a_kernel_that_is_apart_takes_what_kernels_take() -> None:
    @apart
    def count(words: object) -> int:
        return len(words)  # type: ignore[arg-type]

    @lean
    def bad(word: int) -> int:
        return count((word, "text"))

    with pytest.raises(Exception, match="kernels that are apart take no"):
        bad(3)
