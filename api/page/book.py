"""Printable books of puzzles, as self-contained HTML files: positions as pictures, solutions at the end or apart.

The drawings are those of the page. Its script makes them here, without a browser, so that a book needs none.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import PurePath
from typing import Any, NamedTuple

from markupsafe import Markup

from api.page import bundle, files, own, sentences, source, template
from api.puzzle_lists import puzzle_info
from api.routes_games import game_info
from puzzles import training, wording
from puzzles.check import PuzzleResult
from puzzles.format import Puzzle
from puzzles.solution import Solution
from puzzles.training import all_series
from solver import registry
from solver.answer_tables import percent, rows_html, text_of
from solver.answers import Analysis, Hint
from solver.common import one_after_another, visible
from solver.decks import deck_of, kind_of
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
    lesson: str
    entries: list[dict[str, Any]] = field(default_factory=list)


@dataclass
class _Deck:
    """The cards of a game, as `files.cards` returns them, and the title of a deck that the user chose or wrote."""

    game: str
    cards: list[dict[str, Any]]
    title: str
    own: bool

    @property
    def heading(self) -> str:
        """The game, and the deck if there is more than one of it."""
        return " · ".join(filter(None, [_title_of(self.game), self.title]))


def book(
    solved: Sequence[Solved], *, rules: bool = False, large: bool = False, apart: bool = False
) -> tuple[str, ...]:
    """The HTML of a book of these puzzles, in order and in the current language, with a chapter for each file.

    `rules` adds the games' rules, and `large` enlarges everything. With `apart` the solutions are a second HTML
    file. The same puzzles always give the same HTML. All texts of a puzzle are escaped, since they may come from
    strangers.
    """
    decks: list[_Deck] = []
    of = [_add_deck(decks, entry.puzzle) for entry in solved]
    names = list(dict.fromkeys(entry.puzzle.game.name for entry in solved))
    illustrated = [name for name in names if name in files.ILLUSTRATED]
    signs = "".join(
        template(file).render() for file in ("signs.svg", *(f"art/{name}.svg" for name in illustrated))
    )
    drawn = _drawn(
        names,
        {
            "decks": [{"game": deck.game, "cards": deck.cards} for deck in decks],
            "signs": signs,
            "puzzles": [
                {**_to_draw(entry), "deck": number, "puzzle": puzzle_info(entry.puzzle, solutions=False).to_dict()}
                for entry, number in zip(solved, of, strict=True)
            ],
            "rules": [_rules(name, decks) for name in names] if rules else [],
        },
    )
    chapters: dict[str, _Chapter] = {}
    for number, (entry, deck, shown) in enumerate(zip(solved, of, drawn["puzzles"], strict=True), start=1):
        series = all_series().get(entry.file)
        lesson = "" if series is None else translated(series.lesson)
        chapter = chapters.setdefault(entry.file, _Chapter(_name_of(entry.file), lesson))
        chapter.entries.append(_entry(number, entry, decks[deck], shown))
    title = next(iter(chapters.values())).name if len(chapters) == 1 else say("Puzzles")
    values = {
        "language": language(),
        "large": large,
        "chapters": list(chapters.values()),
        "signs": Markup(signs),
        "style": Markup("\n".join(map(source, _SHEETS))),
    }
    solutions = say("Solutions")
    whole = {
        **values,
        "title": title,
        "about": say_many("{count} puzzle", "{count} puzzles", len(solved)),
        "cards": Markup(drawn["cards"]),
        "puzzles": True,
        "solutions": "" if apart else solutions,
        "keys": list(
            dict.fromkeys((_title_of(deck.game), Markup(drawn["keys"][at])) for at, deck in enumerate(decks))
        ),
        "key": say("What the signs mean"),
        "rules": [
            (say("Rules: {game}", game=_title_of(name)), Markup(text))
            for name, text in zip(names, drawn["rules"], strict=rules)
        ],
        "sheets": [
            (say("All cards: {deck}", deck=decks[number].heading), Markup(drawn["whole"][number]))
            for number in _largest(decks)
            if drawn["whole"][number]
        ],
    }
    pages = [whole]
    if apart:
        pages.append({**values, "title": say("{title}: solutions", title=title), "solutions": solutions})
    return tuple(template("book.html").render(**entry) for entry in pages)


def _drawn(games: Sequence[str], data: dict[str, Any]) -> dict[str, Any]:
    """Let the page's script draw a book of these games in the current language (`draw` in `static/book.js`)."""
    import quickjs  # needed for books alone

    words = [sentences(name + language()) for name in ("", "later.", "book.")]
    words += [path for folder in ("games", "games/book") for path in own(f".{language()}.js", folder)]
    [script] = bundle.scripts(source, [*words, bundle.BOOK])
    context = quickjs.Context()
    context.eval(f"globalThis.games = {json.dumps([game_info(name).to_dict() for name in games])}")
    context.eval(f"globalThis.words = {json.dumps(files.told(language()))}")
    context.eval(script)
    drawn: dict[str, Any] = json.loads(context.get("draw")(json.dumps(data)))
    return drawn


def _name_of(file: str) -> str:
    """Return the title of a file's chapter: a game's title if the file is named after a game, else its name in
    words.
    """
    stem = visible(PurePath(file).stem)
    if stem in registry.names():
        return _title_of(stem)
    name = stem.removeprefix("made-").replace("-", " ").capitalize() or "Puzzles"
    ours = stem in all_series() or any(stem == path.stem for path in training.files())
    return translated(name) if ours or name == "Puzzles" else name


def _title_of(game: str) -> str:
    return translated(registry.game(game).title)


def _add_deck(decks: list[_Deck], puzzle: Puzzle) -> int:
    """Return the index of a puzzle's deck in `decks`, after adding it if it is new."""
    name, kind = puzzle.game.name, kind_of(puzzle.game)
    chosen = getattr(puzzle.position, "deck", None)
    cards = files.cards(name, variant=getattr(puzzle.position, "variant", None), deck=_written(chosen))
    deck = None if kind is None or chosen is None else deck_of(kind, chosen)
    title = "" if deck is None else visible(translated(deck.title))
    deck_drawn = _Deck(name, cards, title, own=kind is not None and deck not in (None, kind.house))
    if deck_drawn not in decks:
        decks.append(deck_drawn)
    return decks.index(deck_drawn)


def _written(chosen: Any) -> Any:
    """A position's deck as it is sent: a name, or data."""
    return chosen.model_dump(mode="json", exclude_none=True) if hasattr(chosen, "model_dump") else chosen


def _first(decks: Sequence[_Deck], game: str) -> int:
    return next(number for number, deck in enumerate(decks) if deck.game == game)


def _largest(decks: Sequence[_Deck]) -> list[int]:
    """Return the indexes of the decks whose cards are not all in another: of equal ones, that of the first."""

    def smaller(number: int, other: int) -> bool:
        first, second = decks[number], decks[other]
        return _within(first, second) and (other < number or not _within(second, first))

    numbers = range(len(decks))
    return [
        number for number in numbers if not any(smaller(number, other) for other in numbers if other != number)
    ]


def _within(deck: _Deck, other: _Deck) -> bool:
    """Whether `other` has all cards of a deck, with all that is printed on them and perhaps more."""
    printed = {face["card"]: {"name": face["name"], **face["details"]}.items() for face in other.cards}
    return deck.game == other.game and all(
        face["card"] in printed and {"name": face["name"], **face["details"]}.items() <= printed[face["card"]]
        for face in deck.cards
    )


def _rules(name: str, decks: Sequence[_Deck]) -> dict[str, Any]:
    """Return a game's rules without their title, up to the section about disputed rules, and the game's deck."""
    house = any(deck.game == name and not deck.own for deck in decks)
    text = registry.game(name).rules(for_players=True, house=house).split(f"\n## {say('Disputed rules')}\n")[0]
    return {"text": re.sub(r"\A# .*\n", "", text), "deck": _first(decks, name)}


def _to_draw(solved: Solved) -> dict[str, Any]:
    """Return what is drawn of a solution: its moves, the line of play, and sentences."""
    puzzle, proved, answer = solved.puzzle, solved.result.found, solved.result.answer
    line = answer.line if isinstance(answer, Analysis) and answer.exact and len(answer.line) > 1 else ()
    return {
        "moves": list((proved.moves or proved.best or ()) if proved is not None else ()),
        "line": [
            ("" if seat is None else say("seat {seat}", seat=seat), move)
            for seat, move in wording.seated(puzzle.position, line)
        ],
        "told": [text for text in (_made(proved), _reason(answer), visible(wording.note(puzzle))) if text],
    }


def _reason(answer: Any) -> str:
    return answer.reason if isinstance(answer, Hint) else ""


def _entry(number: int, solved: Solved, deck: _Deck, drawn: dict[str, Any]) -> dict[str, Any]:
    """Return what a book says of a puzzle. Whatever could give its answer away is said with the solution."""
    puzzle, result = solved.puzzle, solved.result
    kind = [_title_of(puzzle.game.name), deck.title if deck.own else "", translated(puzzle.grade or "")]
    words = Markup(rows_html(rows_of(puzzle.position)))
    return {
        "number": number,
        "kind": " · ".join(filter(None, map(visible, kind))),
        "position": Markup(drawn["position"]) or words,
        "asked": wording.question(puzzle),
        "title": visible(titled(puzzle.title)),
        "answer": _answer(puzzle, result.found),
        "moves": list(map(Markup, drawn["moves"])),
        "line": [(Markup(seat), Markup(move)) for seat, move in drawn["line"]],
        "told": list(map(Markup, drawn["told"])),
        "themes": one_after_another(map(visible, map(translated, puzzle.themes or ()))),
        "open": _open(puzzle, result),
    }


def _answer(puzzle: Puzzle, solution: Solution | None) -> str:
    """The answer to a puzzle apart from moves, such as a number of points; empty if there is none."""
    if solution is None:
        return ""
    if solution.total is not None:
        return say_many(
            "{count} point, {bonus} of them for recipes",
            "{count} points, {bonus} of them for recipes",
            solution.total,
            bonus=solution.bonus,
        )
    if solution.winnable is not None:
        return text_of(solution.winnable)
    if isinstance(solution.value, float):
        return percent(solution.value)
    if not puzzle.game.race or solution.value is None:
        return "" if solution.value is None else text_of(solution.value)
    if isinstance(solution.value, tuple):
        return " ".join(say("seat {seat}", seat=seat) for seat, won in enumerate(solution.value) if won)
    return text_of(bool(solution.value)) if puzzle.ask == "value" else ""


def _made(solution: Solution | None) -> str:
    """The recipes of a solution, in words."""
    recipes = (solution.recipes if solution is not None else None) or ()
    return say("; ").join(
        say("{item}: {card} with {uses}", item=translated(way.item or ""), card=way.card, uses=", ".join(way.uses))
        for way in recipes
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
    return [
        Solved(*puzzles[number], result) for number, result in sorted(results, key=lambda numbered: numbered[0])
    ]
