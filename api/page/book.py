"""A printable book of puzzles, as one HTML file that needs no other: positions drawn, solutions at the end.

The positions stand in it as words, which a script of the file replaces by what the page would draw of them.
"""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib import resources
from pathlib import PurePath
from typing import Any, NamedTuple

import athanor
from api.page import bundle, files
from api.routes_games import game_info, told
from puzzles.check import PuzzleResult
from puzzles.format import Puzzle
from puzzles.solution import Solution
from solver import answers
from solver.answers import Analysis, Hint, Rows, text_of
from solver.common import counted, visible
from solver.errors import RequestError
from solver.language import titled
from solver.positions import rows_of

_SHEETS = ("style/base.css", "style/cards.css", "style/board.css")


class Solved(NamedTuple):
    """A puzzle of a file, and what solving it came to."""

    file: str
    puzzle: Puzzle
    result: PuzzleResult


@dataclass
class _Chapter:
    name: str
    entries: list[dict[str, Any]] = field(default_factory=list)


def book(solved: Sequence[Solved]) -> str:
    """The HTML of a book of these puzzles, in their order, a chapter for each file; always the same for the same.

    Everything that stands in a puzzle is escaped: it may come from strangers.
    """
    import jinja2

    chapters: dict[str, _Chapter] = {}
    for number, one in enumerate(solved, start=1):
        chapter = chapters.setdefault(one.file, _Chapter(visible(PurePath(one.file).stem) or "Puzzles"))
        chapter.entries.append(_entry(number, one))
    only = len(chapters) == 1
    script = _script()
    template = resources.files("api.page").joinpath("templates", "book.html").read_text(encoding="utf-8")
    return jinja2.Environment(autoescape=True, keep_trailing_newline=True).from_string(template).render(
        title=next(iter(chapters.values())).name if only else "Puzzles",
        about=f"{counted(len(solved), 'puzzle')}. The solutions, found by Athanor, are at the end.",
        chapters=list(chapters.values()),
        told=_data([one.puzzle for one in solved]),
        style="\n".join(map(files.source, _SHEETS)),
        script=script,
        digest=base64.b64encode(hashlib.sha256(script.encode()).digest()).decode(),
    )  # fmt: skip


@cache
def _script() -> str:
    """What draws the positions. An end of it within a text of it would end the script in HTML."""
    return files.script(bundle.BOOK).replace("</script", "<\\/script")


def _data(puzzles: Sequence[Puzzle]) -> str:
    """What the script has to know, as JSON that can stand in HTML."""
    decks: dict[str, int] = {}
    faces: list[dict[str, Any]] = []
    listed = []
    for info in told(puzzles):
        data = info.to_dict()
        variant, deck = data["position"].get("variant"), data["position"].get("deck")
        key = json.dumps([info.game, variant, deck])
        if key not in decks:
            decks[key] = len(decks)
            faces.append({"game": info.game, "cards": _cards(info.game, variant, deck)})
        kept = {name: data[name] for name in ("ask", "game", "model", "player", "position") if name in data}
        listed.append({"puzzle": kept, "deck": decks[key]})
    games = [game_info(name).to_dict() for name in dict.fromkeys(puzzle.game.name for puzzle in puzzles)]
    text = json.dumps(
        {"games": games, "decks": faces, "puzzles": listed}, ensure_ascii=False, separators=(",", ":")
    )
    return text.replace("&", "\\u0026").replace("<", "\\u003c").replace(">", "\\u003e")


def _cards(game: str, variant: str | None, deck: Any) -> list[dict[str, Any]]:
    """What is printed on a game's cards; none for a game that does not tell, whose positions stay in words."""
    try:
        return [face.to_dict() for face in athanor.cards(game, variant=variant, deck=deck)]
    except RequestError as found:
        if found.code != "not_offered":
            raise
        return []


def _entry(number: int, one: Solved) -> dict[str, Any]:
    puzzle, result = one.puzzle, one.result
    found = result.found
    return {
        "number": number,
        "title": visible(titled(puzzle.title)),
        "kind": " · ".join(
            filter(None, [puzzle.game.title, puzzle.grade, visible(", ".join(puzzle.themes or ()))])
        ),
        "note": visible(puzzle.note or ""),
        "words": answers.rows_html([*rows_of(puzzle.position), *_asked(puzzle)]),
        "answer": _answer(found),
        "moves": list((found.moves or found.best or ()) if found is not None else ()),
        "line": _line(result),
        "open": _open(puzzle, result),
    }


def _asked(puzzle: Puzzle) -> Rows:
    rows: list[tuple[str, str]] = [("Asked", puzzle.ask)]
    if puzzle.model is not None:
        rows.append(("Model", puzzle.model))
    if puzzle.player is not None:
        rows.append(("For", f"player {puzzle.player}"))
    return rows


def _answer(found: Solution | None) -> str:
    """What a puzzle comes to, without its moves."""
    if found is None:
        return ""
    if found.total is not None:
        return f"{counted(found.total, 'point')}, {found.bonus} of them by compounding"
    return "" if found.value is None else text_of(found.value)


def _line(result: PuzzleResult) -> str:
    """What is made, or how play goes on, or why a move is best."""
    answer = result.answer
    if result.found is not None and result.found.recipes:
        made = (f"{one.item or one.card} ({one.card} of {', '.join(one.uses)})" for one in result.found.recipes)
        return "; ".join(made)
    if isinstance(answer, Analysis) and answer.exact and len(answer.line) > 1:
        return f"Play: {', '.join(answer.line)}"
    return answer.reason if isinstance(answer, Hint) else ""


def _open(puzzle: Puzzle, result: PuzzleResult) -> str:
    """What has to be said against taking this for a proved solution."""
    if result.error is not None:
        return f"Not solved: {result.error.message}."
    if result.status == "refuted":
        return f"The file states another solution: {result.reason}."
    if result.status == "unproved":
        return f"Not proved: {result.reason}."
    return "Nothing is proved here: a hint judges." if puzzle.judged else ""


def in_order(results: Iterable[tuple[int, PuzzleResult]], puzzles: Sequence[tuple[str, Puzzle]]) -> list[Solved]:
    """What was solved, numbered by its place among the puzzles, in the order of the puzzles."""
    return [Solved(*puzzles[number], result) for number, result in sorted(results, key=lambda found: found[0])]
