"""Joins the modules of the page into one script, and its style sheets into one sheet.

A browser that fetches some sixty small modules spends most of the first visit on the requests: each costs about as
much as running all of the script. So they are joined on first use, in the order in which browsers would run them.
Each module becomes a function that returns its exports, with all names as they are. Left out are only indents,
blank lines, breaks where a line goes on or ends with a semicolon, blanks in a declaration and around arrows, types
within lines, and comments: on lines of their own, and behind code.

Only the forms of `import` and `export` used in the page are supported. Others raise ValueError: for example
`export let`, whose value could change later, a list of several constants, and circular imports.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable, Iterable

ASKING = "core/table.js"  # the module that asks for the position in the address
MAIN = "main.js"  # the module that draws the page
LATER = "later.js"  # the module of what the page loads when it is first needed
BOOK = "book.js"  # the module that a printed book runs
PICTURE = "picture.js"  # the module that draws the cards of shared pictures
SHEETS = ("style/base.css", "style/cards.css", "style/board.css", "style/entry.css", "style/panels.css")
LATER_SHEETS = ("style/later.css",)  # of what is loaded with `LATER`

_NAMES = r"\{(?P<names>[^{}]*)\}"
_FROM = r'\s*from\s*"(?P<path>\.[^"]+)"'
_IMPORT = re.compile(rf'(?<![\w.$@])import\s*(?:(?:(?P<usual>[\w$]+)|{_NAMES}){_FROM}|"(?P<alone>\.[^"]+)");?')
_PASSED_ON = re.compile(rf"(?<![\w.$@])export\s*{_NAMES}{_FROM};?")
_LISTED = re.compile(rf"(?<![\w.$@])export\s*{_NAMES};?")
_USUAL = re.compile(r"(?<![\w.$@])export\s+default\s+function\s*(?=\()")
_DECLARED = re.compile(r"^export\s+(?=(?:(?:async\s+)?function|class|const)\s+(?P<name>[\w$]+))", re.M)
_TOLD = re.compile(r"^[ \t]*/\*(?:(?!\*/).)*\*/\n", re.M | re.S)  # a comment on lines of its own
_BESIDE = re.compile(r" /\*.*?\*/$", re.M)  # a comment behind a declaration of a style sheet
# What only readers and checkers need.
_TYPED = re.compile(r"^[ \t]*//.*\n|(?<=[;,]) // .*$|/\*\* @type (?:(?!\*/).)*\*/ ?", re.M)
_INDENT = re.compile(r"^ +|^\n", re.M)  # and blank lines
_BROKEN = re.compile(r"(?<=[{(\[,;])\n|\n(?=[)}\]])")  # lines that go on, or need no end
# A declaration up to its sign, with the names in its braces; an arrow behind arguments.
_SIGN = re.compile(r"\b(?P<word>const|let) (?P<names>[\w$]+|[{\[][^={}\[\]]*[}\]]) = ")
_AROUND = re.compile(r" ?([{}\[\],:]) ?")
_ARROW = re.compile(r"\) => ")
# What a style sheet means the same without.
_RULES = re.compile(r"(?<=[{};,])\n| (?={\n)|(?<=[:,]) ")
_OVERLOOKED = re.compile(r"^\s*(?:import\b(?!\s*\()|export\b).*", re.M)


def scripts(read: Callable[[str], str], *each: Iterable[str]) -> list[str]:
    """Join the modules of each script with all they import, except for what an earlier script has.

    The scripts share their variables: they run in this order, and not as modules. `read` returns a module's text,
    given its path.

    Raises ValueError for an unsupported form of import or export, and for circular imports.
    """
    numbers: dict[str, int] = {}
    joined = []
    for paths in each:
        parts: list[str] = []
        for path in paths:
            _add(path, read, numbers, parts, ())
        joined.append("\n".join(['"use strict";', *map(_short, parts)]))
    return joined


def _short(part: str) -> str:
    """Leave out what browsers don't need of a module."""
    joined = _BROKEN.sub("", _INDENT.sub("", part))
    declared = _SIGN.sub(lambda match: match["word"] + " " + _AROUND.sub(r"\1", match["names"]) + "=", joined)
    return _ARROW.sub(")=>", declared)


def sheet(read: Callable[[str], str], paths: Iterable[str]) -> str:
    """Join style sheets, in their order and without comments, indents and lines' breaks."""
    plain = "\n".join(_INDENT.sub("", _BESIDE.sub("", _TOLD.sub("", read(path)))) for path in paths)
    return _RULES.sub("", plain)


def _add(
    path: str, read: Callable[[str], str], numbers: dict[str, int], parts: list[str], above: tuple[str, ...]
) -> str:
    """Append a module to `parts` after everything that it imports. Returns the name of the variable with its
    exports.
    """
    if path in above:
        raise ValueError(f"modules import each other in a circle: {' → '.join((*above, path))}")
    if path not in numbers:

        def needed(imported: str) -> str:
            there = posixpath.normpath(posixpath.join(posixpath.dirname(path), imported))
            return _add(there, read, numbers, parts, (*above, path))

        body = _function(path, read(path), needed)
        numbers[path] = len(numbers)
        parts.append(f"const m{numbers[path]} = {body}")
    return f"m{numbers[path]}"


def _function(path: str, text: str, needed: Callable[[str], str]) -> str:
    """Convert a module's text to a function that is called immediately and returns the module's exports."""
    exported: list[str] = []

    def imported(matched: re.Match[str]) -> str:
        module = needed(matched["path"] or matched["alone"])
        if matched["alone"]:
            return ""
        names = f"default: {matched['usual']}" if matched["usual"] else _renamed(matched["names"])
        return f"const {{ {names} }} = {module};"

    def passed_on(matched: re.Match[str]) -> str:
        module = needed(matched["path"])
        exported.extend(f"{name[-1]}: {module}.{name[0]}" for name in _listed(matched["names"]))
        return ""

    def listed(matched: re.Match[str]) -> str:
        exported.extend(f"{name[-1]}: {name[0]}" for name in _listed(matched["names"]))
        return ""

    def usual(_: re.Match[str]) -> str:
        exported.append("default: usual")
        return "const usual = function "

    def declared(matched: re.Match[str]) -> str:
        exported.append(matched["name"])
        return ""

    text = _TYPED.sub("", _TOLD.sub("", text))
    for form, change in (
        (_IMPORT, imported),
        (_PASSED_ON, passed_on),
        (_LISTED, listed),
        (_USUAL, usual),
        (_DECLARED, declared),
    ):
        text = form.sub(change, text)
    overlooked = _OVERLOOKED.search(text)
    if overlooked:
        raise ValueError(f"{path} has a form of import or export that is not known: {overlooked[0].strip()}")
    return f"(() => {{\n{text.rstrip()}\nreturn {{ {', '.join(exported)} }};\n}})();\n"


def _listed(names: str) -> list[list[str]]:
    """Split the names in the braces of an import or export: ``a, b as c`` becomes [[a], [b, c]]."""
    return [re.split(r"\s+as\s+", name.strip()) for name in names.split(",") if name.strip()]


def _renamed(names: str) -> str:
    return ", ".join(": ".join(name) for name in _listed(names))
