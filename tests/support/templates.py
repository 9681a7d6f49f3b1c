"""The templates of all sentences in the product: what is given to `say` and `say_many`, where it stands."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from string import Formatter

ROOT = Path(__file__).resolve().parents[2]
PACKAGES = ("solver", "puzzles", "athanor", "api")
_GIVEN = {"say": 1, "say_many": 2}  # how many templates each takes


@dataclass(frozen=True)
class Call:
    """A call, by its file and line.

    Its templates are constants of the call; else, and then `keywords` is None, all texts that its file gives to
    the name from which they are read.
    """

    place: str
    name: str
    templates: tuple[str, ...]
    keywords: frozenset[str | None] | None


@cache
def sources() -> list[tuple[str, ast.Module, dict[str, set[str]]]]:
    """The product's files by their paths from the root, parsed, with the texts that each assigns to names."""
    paths = [path for package in PACKAGES for path in sorted((ROOT / package).rglob("*.py"))]
    trees = [ast.parse(path.read_text(encoding="utf-8")) for path in paths]
    return [(str(path.relative_to(ROOT)), tree, _texts(tree)) for path, tree in zip(paths, trees, strict=True)]


def calls() -> Iterator[Call]:
    """Every call of `say` or `say_many` in the product."""
    for path, tree, texts in sources():
        for node in ast.walk(tree):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in _GIVEN:
                yield _call(node, node.func.id, f"{path}:{node.lineno}", texts)


def places(template: str) -> set[str]:
    """The named places of a template."""
    return {name.split(".")[0].split("[")[0] for _, name, _, _ in Formatter().parse(template) if name}


def _call(node: ast.Call, name: str, place: str, texts: dict[str, set[str]]) -> Call:
    given = node.args[: _GIVEN[name]]
    constants = tuple(str(one.value) for one in given if isinstance(one, ast.Constant))
    if len(constants) == len(given):
        return Call(place, name, constants, frozenset(one.arg for one in node.keywords))
    return Call(place, name, tuple(sorted({text for one in given for text in texts.get(name_of(one), ())})), None)


def name_of(node: ast.AST) -> str:
    """The name that an expression is read from: of `_HOLDS[one]`, `self.too_many` and `template` alike."""
    while isinstance(node, ast.Subscript):
        node = node.value
    return node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else ""


def _texts(tree: ast.AST) -> dict[str, set[str]]:
    """The texts that a file assigns to each name, itself or by a table that is named there."""
    assigned: list[tuple[str, ast.expr]] = []
    for node in ast.walk(tree):
        if isinstance(node, ast.Assign | ast.AnnAssign | ast.For):
            value = node.iter if isinstance(node, ast.For) else node.value
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            names = (one for target in targets for one in ast.walk(target) if isinstance(one, ast.Name))
            assigned += ((one.id, value) for one in names if value is not None)
    found: dict[str, set[str]] = {}
    for _ in range(2):  # the second time with what tables are known to hold
        for name, given in assigned:
            texts = {str(one.value) for one in ast.walk(given) if isinstance(one, ast.Constant)}
            tables = {name_of(one) for one in ast.walk(given)}
            found.setdefault(name, set()).update(texts, *(found.get(table, ()) for table in tables))
    return {name: {text for text in texts if " " in text} for name, texts in found.items()}
