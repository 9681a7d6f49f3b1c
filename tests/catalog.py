"""The catalogs of sentences: `python -m tests.catalog` brings them up to date with the source.

Every template of `say`, `say_many` and causes is in the catalog of each language, and the help of all
commands. What is new comes without a translation, for somebody to write; what is gone is left out.
"""

from __future__ import annotations

import ast
import io
import sys
import tomllib
from collections.abc import Iterator
from inspect import cleandoc
from pathlib import Path
from typing import get_args

import click
from babel.messages import Catalog
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po, write_po

from api.cli import main
from api.cli.puzzles import _COLUMNS as COLUMNS
from api.cli.puzzles import _STYLES as STATUSES
from athanor.jobs.store import Status
from puzzles.format import GRADES
from puzzles.training import COLLECTION, all_series
from solver.answers import Answer, Cause
from solver.display import CardFace
from solver.games.alchemy.position import FACE_NAMES
from solver.games.alchemy.rules import AlchemyReadings
from solver.games.alchemy.winrate import POLICIES
from solver.games.aqua_regia.deck import FIELDS, AquaReadings, field_name
from solver.games.aqua_regia.deck import house as aqua_house
from solver.games.king.deck import SUIT_NAMES, KingReadings
from solver.games.king.deck import house as king_house
from solver.games.kirin.deck import COLOUR_NAMES
from solver.games.kirin.moves import KirinInPlay
from solver.games.kirin.rules import KirinReadings
from solver.hints.sampled import ALL_DEALS, POLICY
from solver.language import LANGUAGES
from solver.puzzle_maker import CAPTIONS, composer_of
from solver.registry import game as game_called
from solver.registry import is_own, names
from solver.rule_options import options_of
from solver.tricks import FRENCH_SUITS
from solver.tricks.match import CardsInPlay
from tests.support.templates import ROOT, name_of, sources

# How many of the first arguments may hold templates.
TAKING = {"say": 1, "Unit": 2, "say_many": 2, "say_of": 2, "Predicate": 3, "row": 3, "told_cause": 2, "_wanted": 1}
TAKING |= {"of_moves": 1}
TAKING |= {"said": 3, "_later": 2, "_Share": 3, "_Wins": 4}
TRANSLATED = [name for name in LANGUAGES if name != "en"]


def po_file(language: str) -> Path:
    return ROOT / "solver" / "locale" / language / "LC_MESSAGES" / "athanor.po"


def _helped(command: click.Command) -> Iterator[str]:
    for thing in (command, *command.params):
        text = getattr(thing, "help", None)
        if text:
            yield vars(thing).get("english", cleandoc(text))
    if isinstance(command, click.Group):
        for inner in command.commands.values():
            yield from _helped(inner)


def _help_texts() -> Iterator[str]:
    yield from _helped(main.cli)
    for title, commands in main.GROUPS.items():
        yield title
        yield from (line for _, line in commands.values())
    context = click.Context(main.cli)
    for name in main.cli.list_commands(context):
        command = main.cli.get_command(context, name)
        assert command is not None
        yield from _helped(command)


def _of_file(tree: ast.Module, held: dict[str, set[str]]) -> Iterator[tuple[str | tuple[str, str], str | None]]:
    """The templates of one file, those with a plural as pairs; with what each stands for, where that is said."""
    for node in ast.walk(tree):
        if not isinstance(node, ast.Call):
            continue
        name = name_of(node.func)
        given = node.args[: TAKING.get(name, 0)]
        constants = [one.value for one in given if isinstance(one, ast.Constant) and isinstance(one.value, str)]
        if name == "say_many" and len(constants) == 2:
            yield (constants[0], constants[1]), None
        elif name == "say_of":
            if len(constants) == 2:
                yield constants[1], constants[0]
        elif name == "say" and constants:
            yield constants[0], None
        else:
            for one in given:
                texts = {part.value for part in ast.walk(one) if isinstance(part, ast.Constant)}
                texts |= {text for part in ast.walk(one) for text in held.get(name_of(part), ())}
                yield from sorted((text, None) for text in texts if isinstance(text, str) and " " in text)


# Where the answers are that are told by their fields.
ANSWERS = {
    "athanor.jobs.store", "solver.answers", "solver.games.alchemy.position", "solver.games.aqua_regia.position",
    "solver.games.king.moves", "solver.games.king.position", "solver.games.kirin.position", "solver.display",
    "solver.rounds_in_play",
}  # fmt: skip

# How answers are found; several are told in a row, between commas.
METHODS = (
    "sampled deals", "sampled games", "sampled rounds", "exchange solved", "rounds played out", "rules", "search",
    "expectimax", "static table", "composition DP",
)  # fmt: skip

# What click says in `gettext`, of what is typed here.
CLICK = (
    "Usage:", "OPTIONS", "COMMAND", "ARGS", "FILE", "MOVE", "NAME", "PATH", "JOB", "START",
    "Options", "Commands", "Show this message and exit.", "Error: {message}",
    "Try '{command} {option}' for help.", "No such command {name!r}.", "No such option {name!r}.",
    "Invalid value: {message}", "Invalid value for {param_hint}: {message}", "Missing argument", "Missing option",
    "required", "default: {default}",
    "Option {name!r} does not take a value.", "Choose from:\n\t{choices}", "Missing parameter",
    ("Option {name!r} requires an argument.", "Option {name!r} requires {nargs} arguments."),
    ("{value!r} is not {choice}.", "{value!r} is not one of {choices}."),
    ("Got unexpected extra argument ({args})", "Got unexpected extra arguments ({args})"),
    ("Did you mean {possibility}?", "(Did you mean one of: {possibilities}?)"),
)  # fmt: skip

# What the system, the readers of JSON, TOML and CSV, the decoder of UTF-8 and SQLite say (`reason_of`).
REASONS = (
    "No such file or directory", "Permission denied", "Operation not permitted", "Is a directory",
    "Not a directory", "File exists", "No space left on device", "Disk quota exceeded", "File too large",
    "Read-only file system", "File name too long", "Too many levels of symbolic links", "Input/output error",
    "Bad file descriptor", "Too many open files", "Invalid argument", "Address already in use",
    "Cannot assign requested address", "Cannot allocate memory", "Device or resource busy",
    "Directory not empty", "Connection refused", "Resource temporarily unavailable",
    "Name or service not known", "Temporary failure in name resolution",
    "{what} in line {line}, column {column}", "Expecting value", "Extra data",
    "Expecting property name enclosed in double quotes", "Expecting ':' delimiter", "Expecting ',' delimiter",
    "Unterminated string starting at", "Invalid control character at", "Invalid \\escape",
    "Illegal trailing comma before end of object", "Illegal trailing comma before end of array",
    "Invalid statement", "Invalid value", "Unterminated string", "Unclosed array", "Unclosed inline table",
    "Cannot overwrite a value", "Cannot declare {name} twice", "Illegal character {name}",
    "Duplicate inline table key {name}", "Cannot mutate immutable namespace {name}",
    "Invalid initial character for a key part", "Expected {name} after a key in a key/value pair",
    "Expected {name} at the end of a table declaration", "Unescaped {name} in a string",
    "Expected newline or end of document after a statement", "Invalid date or datetime",
    "field larger than field limit {name}", "unexpected end of data", "invalid start byte",
    "invalid continuation byte", "truncated data", "illegal UTF-16 surrogate", "file is not a database",
    "database disk image is malformed", "unable to open database file", "attempt to write a readonly database",
    "disk I/O error", "database is locked",
)  # fmt: skip


def _answers(kind: type[Answer]) -> Iterator[type[Answer]]:
    for one in kind.__subclasses__():
        if one.__module__ in ANSWERS:
            yield one
        yield from _answers(one)


def _names() -> Iterator[str]:
    """What games, their variants and options, colours, fields, and the cards of the house decks are called.

    Games of other packages are left out: they have `words.ja.toml`.
    """
    for name in filter(is_own, names()):
        game = game_called(name)
        yield from (game.title, game.about)
        assert game.analysis_type
        assert game.hint_type
        assert game.score_type
        yield from game.variants.values()
        yield from composer_of(game).themes
    for path in sorted(COLLECTION.glob("*.toml")):
        for puzzle in tomllib.loads(path.read_text(encoding="utf-8"))["puzzle"]:
            if not path.name.startswith("made-"):  # whose titles are cards and words of `CAPTIONS`
                yield puzzle["title"]
            yield from filter(None, [puzzle.get("note")])
        yield path.stem.removeprefix("made-").replace("-", " ").capitalize()
    for series in all_series().values():
        yield from (series.title, series.lesson)
    yield from CAPTIONS
    yield from (*COLOUR_NAMES, *map(field_name, FIELDS), "most cards", "fewest cards", "most points")
    for readings in (AlchemyReadings, AquaReadings, KingReadings, KirinReadings):
        yield from options_of(readings).values()
    yield from (CardsInPlay.untaken, KirinInPlay.untaken)
    yield from (description for _, description in POLICIES.values())
    yield from ("position", "record", "saved game", "body")  # what `loads_json` is told that it reads
    yield from GRADES
    yield from (*STATUSES, *COLUMNS, *get_args(Status))
    for method in (ALL_DEALS, POLICY, *METHODS):
        yield from method.split(", ")
    for answer in _answers(Answer):
        if answer not in (Cause, CardFace):
            yield from (name.replace("_", " ").capitalize() for name in answer.model_fields)
    yield from FACE_NAMES.values()
    yield "aqua regia"
    king, metals = king_house(), aqua_house()
    yield from (*king.rows()[0], *metals.rows()[0], *sorted({row["kind"] for row in king.rows()}))
    yield from (king.title, metals.title, *SUIT_NAMES, *(metal.name for metal in metals.metals))
    for card in king.cards:
        yield from filter(None, (card.name, card.provides))
        if card.recipe:
            yield from (card.recipe.item, *card.recipe.needs)


def template_catalog() -> Catalog:
    """All that the source says, untranslated."""
    catalog = Catalog(fuzzy=False)
    for path, tree, held in sources():
        for message, what in _of_file(tree, held):
            catalog.add(message, locations=[(path, 0)], context=what)
    for suit in FRENCH_SUITS.values():
        catalog.add(suit.name, locations=[("names", 0)], context="suit")
    for text in CLICK:
        catalog.add(text, locations=[("click", 0)])
    for text in REASONS:
        catalog.add(text, locations=[("packages", 0)])
    for name in _names():
        catalog.add(name, locations=[("names", 0)])
    for text in _help_texts():
        catalog.add(text, locations=[("api/cli", 0)])
    return catalog


def kept(language: str) -> Catalog:
    """The catalog of a language as it is."""
    with po_file(language).open("rb") as file:
        return read_po(file, locale=language)


def compiled(catalog: Catalog) -> bytes:
    """A catalog as gettext loads it."""
    written = io.BytesIO()
    write_mo(written, catalog)
    return written.getvalue()


def update(language: str) -> list[str]:
    """Bring the catalog of a language up to date; the messages that have no translation."""
    path = po_file(language)
    old = kept(language) if path.exists() else Catalog(locale=language)
    new = Catalog(
        locale=language,
        project="Athanor",
        header_comment=f"# {language}: the sentences of Athanor",
        creation_date=old.creation_date,  # a file with the same sentences stays the same
        fuzzy=False,
    )
    for message in template_catalog():
        if message.id:
            known = old.get(message.id, context=message.context)
            places = sorted({place for place, _ in message.locations})
            string = known.string if known is not None else ""
            locations = [(place, 0) for place in places]
            new.add(message.id, string, locations=locations, flags=message.flags, context=message.context)
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("wb") as file:
        write_po(file, new, width=100, sort_by_file=True, include_lineno=False, omit_header=False)
    path.with_suffix(".mo").write_bytes(compiled(new))
    return [str(m.id) for m in new if m.id and not all(m.string if isinstance(m.string, tuple) else (m.string,))]


if __name__ == "__main__":
    missing = [f"{name}: without a translation: {one}" for name in TRANSLATED for one in update(name)]
    sys.exit("\n".join(missing) or 0)
