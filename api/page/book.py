"""A printable book of puzzles, as a single self-contained HTML file: positions as pictures, solutions at the end.

The file contains the positions as text; a script in it replaces the text with the drawings of the web page.
"""

from __future__ import annotations

import base64
import hashlib
import json
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import PurePath
from typing import Any, NamedTuple

from api.page import bundle, files, template
from api.routes_games import game_info, puzzle_infos
from puzzles import wording
from puzzles.check import PuzzleResult
from puzzles.format import Puzzle
from puzzles.solution import Solution
from solver import answers, registry
from solver.answers import Analysis, Hint, percent, text_of
from solver.common import visible
from solver.language import language, say, say_many, titled, translated
from solver.positions import rows_of

_SHEETS = ("style/base.css", "style/cards.css", "style/board.css")


class Solved(NamedTuple):
    """A puzzle from a file, with its result."""

    file: str
    puzzle: Puzzle
    result: PuzzleResult


@dataclass
class _Chapter:
    name: str
    entries: list[dict[str, Any]] = field(default_factory=list)


def book(solved: Sequence[Solved]) -> str:
    """The HTML of a book of these puzzles, in order and in the current language, with a chapter for each file.

    The same puzzles always give the same HTML. All texts of a puzzle are escaped, since they may come from
    strangers.
    """
    chapters: dict[str, _Chapter] = {}
    for number, one in enumerate(solved, start=1):
        chapter = chapters.setdefault(one.file, _Chapter(_name_of(one.file)))
        chapter.entries.append(_entry(number, one))
    only = len(chapters) == 1
    script = _script(language())
    data = _data([one.puzzle for one in solved])
    return template("book.html").render(
        language=language(),
        title=next(iter(chapters.values())).name if only else say("Puzzles"),
        about=say_many(
            "{count} puzzle. Solutions, rules and all cards are at the end.",
            "{count} puzzles. Solutions, rules and all cards are at the end.",
            len(solved),
        ),
        chapters=list(chapters.values()),
        keys=_keys(data["decks"]),
        decks=[(number, _title_of(data["decks"][number]["game"])) for number in _largest(data["decks"])],
        games=[translated(game["title"]) for game in data["games"]],
        words={
            "key": say("What the signs mean"),
            "solutions": say("Solutions"),
            "rules": say("Rules"),
            "deck": say("The cards (to be folded out)"),
        },
        signs=template("signs.svg").render(),
        told=_json(data),
        style="\n".join(map(files.source, _SHEETS)),
        script=script,
        digest=base64.b64encode(hashlib.sha256(script.encode()).digest()).decode(),
    )  # fmt: skip


def _name_of(file: str) -> str:
    """Return the title of a file's chapter: a game's title if the file is named after a game, else its name in
    words.
    """
    stem = visible(PurePath(file).stem)
    if stem in registry.names():
        return _title_of(stem)
    return translated(stem.removeprefix("made-").replace("-", " ").capitalize() or "Puzzles")


def _title_of(game: str) -> str:
    return translated(registry.game(game).title)


def _keys(decks: Sequence[dict[str, Any]]) -> list[tuple[int, str]]:
    """Return, for each game, the index of its first deck in `decks`, and the game's title."""
    games = [deck["game"] for deck in decks]
    return [(games.index(game), _title_of(game)) for game in dict.fromkeys(games)]


def _largest(decks: Sequence[dict[str, Any]]) -> Iterator[int]:
    """Yield the indexes of the decks that are not part of a larger one.

    Of several decks with the same cards, yields only the first.
    """
    cards = [{(deck["game"], str(face["details"]), face["card"]) for face in deck["cards"]} for deck in decks]
    for number, own in enumerate(cards):
        if own and not any(own < other for other in cards) and own not in cards[:number]:
            yield number


@cache
def _script(spoken: str) -> str:
    """The script that draws the positions, in the language `spoken`, with "</script" in its texts escaped."""
    [joined] = bundle.scripts(files.source, [files.words(spoken), bundle.BOOK])
    return joined.replace("</script", "<\\/script")


def _data(puzzles: Sequence[Puzzle]) -> dict[str, Any]:
    """Return the data for the book's script: the games, their rules, the decks and the puzzles."""
    decks: dict[str, int] = {}
    faces: list[dict[str, Any]] = []
    listed = []
    for info in puzzle_infos(puzzles):
        data = info.to_dict()
        variant, deck = data["position"].get("variant"), data["position"].get("deck")
        cards = files.cards(info.game, variant=variant, deck=deck)
        key = json.dumps([info.game, cards])
        if key not in decks:
            decks[key] = len(decks)
            faces.append({"game": info.game, "cards": cards})
        kept = {name: data[name] for name in ("ask", "game", "position", "to_move", "on_table") if name in data}
        listed.append({"puzzle": kept, "deck": decks[key]})
    names = dict.fromkeys(puzzle.game.name for puzzle in puzzles)
    return {
        "games": [game_info(name).to_dict() for name in names],
        "rules": [_rules(name) for name in names],
        "decks": faces,
        "puzzles": listed,
    }


def _rules(name: str) -> str:
    """Return a game's rules without their title, up to the section about disputed rules."""
    text = registry.game(name).rules(for_players=True).split(f"\n## {say('Disputed rules')}\n")[0]
    return re.sub(r"\A# .*\n", "", text)


def _json(data: dict[str, Any]) -> str:
    """Data as JSON that is safe inside HTML."""
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
    return text.replace("&", "\\u0026").replace("<", "\\u003c").replace(">", "\\u003e")


def _entry(number: int, one: Solved) -> dict[str, Any]:
    puzzle, result = one.puzzle, one.result
    found, answer = result.found, result.answer
    kind = [_title_of(puzzle.game.name), *map(translated, filter(None, [puzzle.grade, *(puzzle.themes or ())]))]
    play = answer.line if isinstance(answer, Analysis) and answer.exact and len(answer.line) > 1 else ()
    return {
        "number": number,
        "title": visible(titled(puzzle.title)),
        "kind": " · ".join(map(visible, kind)),
        "note": visible(wording.note(puzzle)),
        "words": answers.rows_html(rows_of(puzzle.position)),
        "asked": wording.question(puzzle),
        "answer": _answer(puzzle, found),
        "moves": list((found.moves or found.best or ()) if found is not None else ()),
        "made": _made(found),
        "play": play,
        "reason": answer.reason if isinstance(answer, Hint) else "",
        "open": _open(puzzle, result),
    }


def _answer(puzzle: Puzzle, found: Solution | None) -> str:
    """The answer to a puzzle apart from moves, such as a number of points; empty if there is none."""
    if found is None:
        return ""
    if found.total is not None:
        return say_many(
            "{count} point, {bonus} of them for recipes",
            "{count} points, {bonus} of them for recipes",
            found.total,
            bonus=found.bonus,
        )
    if found.winnable is not None:
        return text_of(found.winnable)
    if isinstance(found.value, float):
        return percent(found.value)
    if not puzzle.game.race or found.value is None:
        return "" if found.value is None else text_of(found.value)
    if isinstance(found.value, tuple):
        return " ".join(say("seat {seat}", seat=seat) for seat, won in enumerate(found.value) if won)
    return text_of(bool(found.value)) if puzzle.ask == "value" else ""


def _made(found: Solution | None) -> str:
    """The recipes of a solution, in words."""
    recipes = (found.recipes if found is not None else None) or ()
    return say("; ").join(
        say("{item}: {card} with {uses}", item=translated(one.item or ""), card=one.card, uses=", ".join(one.uses))
        for one in recipes
    )


def _open(puzzle: Puzzle, result: PuzzleResult) -> str:
    """A note if a puzzle is not solved or not proved, or if its file states another solution; otherwise empty."""
    if result.error is not None:
        return say("Not solved: {reason}.", reason=result.error.message)
    if result.status == "refuted":
        return say("The file states another solution: {reason}.", reason=result.reason)
    if result.status == "unproved":
        return say("Not proved: {reason}.", reason=result.reason)
    return say("Nothing is proved here: a hint judges.") if puzzle.judged else ""


def in_order(results: Iterable[tuple[int, PuzzleResult]], puzzles: Sequence[tuple[str, Puzzle]]) -> list[Solved]:
    """Return the solved puzzles in the order of `puzzles`. Each result comes with the index of its puzzle."""
    return [Solved(*puzzles[number], result) for number, result in sorted(results, key=lambda found: found[0])]
