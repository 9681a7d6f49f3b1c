"""Stamps: what a kernel's machine code depends on, and nothing else."""

from __future__ import annotations

import ast
import os
import sys
import time
import types
from collections.abc import Iterator
from pathlib import Path

import pytest

from solver.kernels import stamps
from tests.kernels.programs import SOURCES

pytestmark = [pytest.mark.small, pytest.mark.plain]


@pytest.fixture
def den(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A package `den`: `top` imports `middle`, which imports `low`; `apart` stands alone."""
    package = tmp_path / "den"
    package.mkdir()
    texts = {
        "__init__": "",
        "top": "import math\nfrom den.middle import (\n    one,\n    two,\n)\n",
        "middle": "from den import low\none = two = low.zero\n",
        "low": "zero = 0\n",
        "apart": "def late():\n    from den import low\n    return low\n",
    }
    for name, text in texts.items():
        (package / f"{name}.py").write_text(text, encoding="utf-8")
    imported = types.ModuleType("den")
    imported.__path__ = [str(package)]
    monkeypatch.setitem(sys.modules, "den", imported)
    forget()
    yield package
    forget()


def forget() -> None:
    """What a new process does not know."""
    for known in (stamps._closure, stamps._imported, stamps._file, stamps._text):
        known.cache_clear()


def fresh(module: str, salt: str = "") -> str | None:
    forget()
    return stamps.stamp([module], salt)


def edit(path: Path) -> None:
    """Change a source as if that had been long ago."""
    path.write_text(path.read_text(encoding="utf-8") + "# changed\n", encoding="utf-8")
    os.utime(path, (0, 0))


@pytest.fixture(autouse=True)
def before(monkeypatch: pytest.MonkeyPatch) -> None:
    """The sources that a test writes are older than its process."""
    monkeypatch.setattr(stamps, "_STARTED", time.time() + 3600)


def test_an_edit_changes_the_stamps_of_what_imports_the_module(den: Path) -> None:
    names = ["den.top", "den.middle", "den.low", "den.apart"]
    first = [fresh(name) for name in names]
    assert None not in first
    assert len(set(first)) == len(first)
    assert [fresh(name) for name in names] == first
    edit(den / "low.py")
    second = [fresh(name) for name in names]
    assert [old == new for old, new in zip(first, second, strict=True)] == [False, False, False, True]
    edit(den / "apart.py")
    third = [fresh(name) for name in names]
    assert [old == new for old, new in zip(second, third, strict=True)] == [True, True, True, False]


def test_a_stamp_depends_on_the_salt_and_on_every_module_asked(den: Path) -> None:
    assert fresh("den.low") != fresh("den.low", "checked")
    forget()
    assert stamps.stamp(["den.low", "den.apart"]) == stamps.stamp(["den.apart", "den.low"]) != fresh("den.low")


def test_what_has_no_source_has_no_stamp(den: Path) -> None:
    assert fresh("den.nowhere") is None
    assert fresh("nowhere") is None
    assert fresh("sys") is None


def test_a_source_that_cannot_be_read_has_no_stamp(den: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refused(_path: Path) -> bytes:
        raise PermissionError

    forget()
    monkeypatch.setattr(Path, "read_bytes", refused)
    assert stamps.stamp(["den.low"]) is None


def test_a_source_edited_while_the_process_runs_has_no_stamp(den: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    # The process may have imported what the file said before.
    monkeypatch.setattr(stamps, "_STARTED", time.time() - 3600)
    assert fresh("den.top") is None
    for path in den.iterdir():
        if path.is_file():
            os.utime(path, (0, 0))
    assert fresh("den.top") is not None
    os.utime(den / "low.py", (time.time() + 3600,) * 2)  # a wrong clock's time is no edit
    assert fresh("den.top") is not None


def imports(path: Path) -> set[str]:
    """The modules of `solver` that a file imports when it is imported, read by Python's own parser."""
    found: set[str] = set()
    waiting: list[ast.AST] = [ast.parse(path.read_text(encoding="utf-8"))]
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.Import):
            found.update(name.name for name in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: relative imports are not followed"
            found.add(node.module or "")
            found.update(f"{node.module}.{name.name}" for name in node.names)
        elif isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING":
            waiting += node.orelse
        elif not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda):
            waiting += ast.iter_child_nodes(node)
    return {name for name in found if name.partition(".")[0] == "solver" and stamps._file(name)}


@pytest.mark.covered
def test_every_import_of_the_sources_is_seen() -> None:
    forget()
    for path in SOURCES.rglob("*.py"):
        parts = path.relative_to(SOURCES.parent).with_suffix("").parts
        name = ".".join(parts[:-1] if parts[-1] == "__init__" else parts)
        seen = {found for found in stamps._imported(name) if found.partition(".")[0] == "solver"}
        assert {found for found in seen if stamps._file(found)} == imports(path), name
