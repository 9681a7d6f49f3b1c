"""The catalogs of sentences: `python -m tests.catalog` brings them up to date with the source.

Every template of `say`, `say_many` and causes is in the catalog of each language, and the help of all
commands. What is new comes without a translation, for somebody to write; what is gone is left out.
"""

from __future__ import annotations

import ast
import io
import sys
from collections.abc import Iterator
from inspect import cleandoc
from pathlib import Path

import click
from babel.messages import Catalog
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po, write_po

from api.cli import main
from solver.language import LANGUAGES
from tests.support.templates import PACKAGES, ROOT, name_of, texts_of

# How many of the first arguments may hold templates.
TAKING = {"say": 1, "say_many": 2, "Predicate": 2, "told_cause": 2, "said": 3}
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


def _of_file(path: Path) -> Iterator[str | tuple[str, str]]:
    """The templates of one file, those with a plural as pairs."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    held = texts_of(tree)
    for node in ast.walk(tree):
        if not isinstance(node, ast.Call):
            continue
        name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
        given = node.args[: TAKING.get(name, 0)]
        constants = [one.value for one in given if isinstance(one, ast.Constant) and isinstance(one.value, str)]
        if name == "say_many" and len(constants) == 2:
            yield constants[0], constants[1]
        elif name == "say" and constants:
            yield constants[0]
        else:
            for one in given:
                texts = {part.value for part in ast.walk(one) if isinstance(part, ast.Constant)}
                texts |= {text for part in ast.walk(one) for text in held.get(name_of(part), ())}
                yield from sorted(text for text in texts if isinstance(text, str) and " " in text)


def template_catalog() -> Catalog:
    """All that the source says, untranslated."""
    catalog = Catalog(fuzzy=False)
    for package in PACKAGES:
        for path in sorted((ROOT / package).rglob("*.py")):
            for message in _of_file(path):
                catalog.add(message, locations=[(str(path.relative_to(ROOT)), 0)])
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


def update(language: str) -> int:
    """Bring the catalog of a language up to date; how many messages have no translation."""
    path = po_file(language)
    old = kept(language) if path.exists() else Catalog(locale=language)
    new = Catalog(locale=language, project="Athanor", fuzzy=False)
    for message in template_catalog():
        if message.id:
            known = old.get(message.id)
            places = sorted({place for place, _ in message.locations})
            string = known.string if known is not None else ""
            new.add(message.id, string, locations=[(place, 0) for place in places], flags=message.flags)
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("wb") as file:
        write_po(file, new, width=100, sort_by_file=True, include_lineno=False, omit_header=False)
    path.with_suffix(".mo").write_bytes(compiled(new))
    return sum(not all(m.string if isinstance(m.string, tuple) else (m.string,)) for m in new if m.id)


if __name__ == "__main__":
    missing = {name: update(name) for name in TRANSLATED}
    sys.exit(f"without a translation: {missing}" if any(missing.values()) else 0)
