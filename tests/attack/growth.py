"""How the processor time of a request grows with each of its fields: ``python -m tests.attack.growth``.

The fields are those of the OpenAPI document: every text and list of every body, every parameter, header and
variable part of an address. Each is made longer and longer, up to a megabyte, with pieces that are hard to read.
What counts is the processor time of the service's main process, which holds up everybody: it must grow with at
most the power `MOST_EXPONENT` of the size, and be at most `MOST_SECONDS`. Searches have processes of their own.

A field that several calls have is measured at one of them, drawn by the seed, with a few pieces; one that a bound
refuses, with one piece. So other seeds measure other calls and pieces.
"""

from __future__ import annotations

import gc
import json
import os
import random
import re
import sys
import time
import tomllib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from copy import deepcopy
from dataclasses import dataclass
from functools import cache
from importlib import resources
from itertools import pairwise
from math import log
from tempfile import TemporaryDirectory
from typing import Any
from urllib.parse import quote

import click
from flask.testing import FlaskClient

from api.app import create_app
from api.config import Config
from api.openapi import document
from api.search_pool import SearchPool
from puzzles import training
from puzzles.format import Puzzle
from solver import registry
from solver.decks import DeckKind, kinds
from solver.positions import text_of
from tests.api.support import FILE, KIRIN, ended, followed
from tests.attack.case import JSON, TOML
from tests.support.places import ROOT

MOST_EXPONENT = 1.2
MOST_SECONDS = 0.1
SIZES = (16_000, 128_000, 1_000_000)  # bytes; a line of text may have 200,000
_OF_ADDRESSES = (1_000, 8_000, 60_000)  # bytes: all headers together have at most 65,536
ADDRESS, HEADER = "address", "header"
_MOST_ENTRIES = 49_000  # a body has at most 50,000 values
_SEARCH_SECONDS = 0.05
_FLOOR_SECONDS = 0.004  # a shorter time counts as this: it says nothing about growth
_BOUNDS = ("too_large", "wrong_size")  # the codes of what is refused for its size
_DEPTH = 7  # of keys within keys
_TIMES = 3  # that what seems slow is measured again
# Pieces of text: separators, words of every notation, escapes, what normalizes to more, brackets, quotation marks.
PIECES = (
    *(" ", ",", "/", "-", "=", ":", ";", "&", "\n", "\t", "\\", '"', "'", "[", "{", "(", "#", "?", "+", "%", "0"),
    *("A,", "A ", "A/", "D1,", "F2", "f2t", "S1S2", "ZnZn", "p/", "p>", "///", "0,", "0:D1/", "0:F2t", "A×9,"),
    *("D1*9/", "a=1 ", "=a ", "x= ", "round ", "%20", "%7B", "%25", "6+7=4+9 ", "take F3 ", "1:5+2=7 ", "; a\n"),
    *("pass Zn>Pb/", "[a b]\n", "round\n", "D1 D2\n", '{"a":', "[1,", "\\u0041", "\\n", "a.", "a\n", '"a,b"\n'),
    *(
        "1;2\n",
        "\u3000",
        "，",
        "é",
        "ﷺ",
        "①",
        "e\u0301",
        "\u202e",
        "\x00",
        "ÿ",
        "Ｄ１",
        "×9",
        "🂡",
        "1e9",
        "0" * 30,
    ),
    *("a" * 30, ",,", "\r", "\ufeff", "A", "\u0301\u0316"),
)
_ITEMS: tuple[Any, ...] = (
    "",
    "A",
    "D1",
    0,
    None,
    [],
    {},
    [[]],
    {"a": 1},
    "A," * 50,
    True,
    -1.5,
    ["D1"],
    "0:D1,D2",
)
_HEADERS = (
    *("Accept", "Accept-Encoding", "Accept-Language", "Authorization", "Cookie", "Host", "Idempotency-Key"),
    *(
        "If-None-Match",
        "Last-Event-ID",
        "Origin",
        "X-Forwarded-For",
        "X-Forwarded-Prefix",
        "X-Names",
        "X-Request-Id",
    ),
)
Keys = tuple[str | int, ...]


@dataclass(frozen=True)
class Field:
    """A field of a request: the keys that lead to it in a valid `body`, and `examples` of what it may have.

    `kind` is the type of the body, which without `keys` is a text that the field continues. Of the kind `ADDRESS`,
    ``{}`` stands in the address for the field; of the kind `HEADER`, the body is the header's name.
    """

    address: str
    kind: str
    body: Any = None
    keys: Keys = ()
    is_list: bool = False
    examples: tuple[Any, ...] = ()

    @property
    def form(self) -> str:
        """What the field is called, without its call."""
        where = "".join(f"[{key}]" if isinstance(key, int) else f".{key}" for key in self.keys)
        line = self.body.get("position") if isinstance(self.body, dict) else self.body
        begin = str(line)[-30:] if isinstance(line, str) else _game_in(self.body)
        return f"{begin} {where}{'[]' if self.is_list else ''}".strip()

    @property
    def name(self) -> str:
        return f"{self.address} {self.form}".strip()

    @property
    def sizes(self) -> Sequence[int]:
        return SIZES if "/" in self.kind else _OF_ADDRESSES

    @property
    def pieces(self) -> Sequence[Any]:
        """What the field is filled with."""
        if self.is_list:
            return (*self.examples, *_ITEMS)
        return (*(f"{example}{end}" for example in self.examples for end in ",/\n "), *PIECES)

    def measured(self, client: FlaskClient, piece: Any, size: int, *, after: bool) -> tuple[float, bool]:
        """Send the field filled to a size in bytes, `after` what is valid there or with the pieces alone.

        Returns the processor time, and whether a bound refused the field.
        """
        if self.keys:
            body = deepcopy(self.body)
            before = _put(body, self.keys, None)
            if self.is_list:
                count = min(size // (len(json.dumps(piece)) + 1) + 1, _MOST_ENTRIES // (1 + _values(piece)))
                _put(body, self.keys, [*(before if isinstance(before, list) and after else ()), *[piece] * count])
            else:
                _put(body, self.keys, (before if isinstance(before, str) and after else "") + _filled(piece, size))
            text = json.dumps(body, ensure_ascii=False)
            return _timed(client, self.address, data=_encoded(text), content_type=JSON)
        if "/" in self.kind:
            text = (self.body if after else "") + _filled(piece, size)
            return _timed(client, self.address, data=_encoded(text), content_type=self.kind)
        if self.kind == ADDRESS:
            return _timed(client, self.address.format(quote(_filled(piece, size))[:size]))
        plain = re.sub(r"[\r\n]", " ", _encoded(_filled(piece, size)).decode("latin-1"))
        return _timed(client, self.address, headers={self.body: plain})


def _filled(piece: Any, size: int) -> str:
    text = str(piece)
    return text * (size // len(_encoded(text)) + 1)


def _encoded(text: str) -> bytes:
    return text.encode("utf-8", "replace")


def _timed(client: FlaskClient, address: str, **options: Any) -> tuple[float, bool]:
    gc.disable()  # it would collect what many requests have left in one of them
    try:
        begun = time.process_time()
        with client.open(address, method="POST" if "data" in options else "GET", **options) as found:
            answer = found.get_data()
        return time.process_time() - begun, any(f'"code": "{code}"'.encode() in answer for code in _BOUNDS)
    finally:
        gc.enable()


def _values(item: Any) -> int:
    text = json.dumps(item)
    return 0 if isinstance(item, str) else text.count(",") + text.count("[") + text.count("{")


def _put(body: Any, keys: Keys, value: Any) -> Any:
    """Put a value where the keys lead to, making what is missing; return what was there."""
    here = body
    for key, following in pairwise(keys):
        there = _at(here, key)
        kind = list if isinstance(following, int) else dict
        if not isinstance(there, kind):
            there = here[key] = kind()
        here = there
    before = _at(here, keys[-1])
    here[keys[-1]] = value
    return before


def _at(here: Any, key: str | int) -> Any:
    if isinstance(here, list) and isinstance(key, int) and len(here) <= key:
        here.append(None)
    return here.get(key) if isinstance(here, dict) else here[key]


# ----------------------------------------------------------------------------------------------------
# The fields of the document.


@cache
def fields() -> tuple[Field, ...]:
    """Every field of every call of the service, and of the addresses of its page."""
    found: dict[str, Field] = {}
    described = document(Config())
    for address, operations in described["paths"].items():
        for method, operation in operations.items():
            if method != "parameters":
                of_body = _of_body(address, operation, described["components"]["schemas"])
                for one in (*of_body, *_of_address(address, method, operation)):
                    found.setdefault(one.name, one)
    for rule in create_app(Config()).url_map.iter_rules():
        if rule.arguments and not rule.rule.startswith("/v1/") and "GET" in (rule.methods or ()):
            place = re.sub(r"<[^>]*>$", "{}", rule.rule)
            found[place] = Field(re.sub(r"<[^>]*>", "x", place), ADDRESS)
    for header in _HEADERS:
        found[header] = Field("/v1/games", HEADER, header)
    for one in _lines():
        found[one.name] = one
    return tuple(found.values())


def one_each(seed: int = 1) -> Iterator[Field]:
    """Yield each field once, though several calls have it: at one call or another."""
    same: dict[str, list[Field]] = {}
    for field in fields():
        same.setdefault(field.form or field.address, []).append(field)
    for form, several in same.items():
        yield random.Random(f"{seed} {form}").choice(several)


def _of_address(address: str, method: str, operation: Any) -> Iterator[Field]:
    if method == "get":
        if "{" in address:
            yield Field(re.sub(r"\{\w+\}", "{}", address), ADDRESS)
        plain = re.sub(r"\{\w+\}", "none", address)
        for one in operation.get("parameters", ()):
            if one["in"] == "query":
                yield Field(f"{plain}?{one['name']}={{}}", ADDRESS)


def _of_body(address: str, operation: Any, schemas: Any) -> Iterator[Field]:
    content = operation.get("requestBody", {}).get("content", {})
    for kind in {TOML: None, **content} if address in _TEXTS else content:
        if kind != JSON:
            for text in _TEXTS.get(address, ("",)):
                yield Field(address, kind, text)
    media = content.get(JSON)
    if media is not None:
        bodies = [one["value"] for one in media.get("examples", {}).values()]
        for body in (*bodies, *_bodies().get(address, ())):
            for keys, is_list, examples in _walked(media["schema"], body, schemas):
                yield Field(address, JSON, body, keys, is_list, examples)


def _lines() -> Iterator[Field]:
    """Yield the position as a line of text that ends with a key, for every key of every game."""
    for name in registry.names():
        game = registry.game(name)
        for position in (game.deal(1), game.view(game.deal(1), 0)):
            for key in game.notation.values:
                words = [word for word in text_of(position).split() if not word.startswith(f"{key}=")]
                yield Field("/v1/moves", JSON, {"position": " ".join([*words, f"{key}="])}, ("position",))


def _walked(schema: Any, value: Any, schemas: Any, depth: int = 0) -> Iterator[tuple[Keys, bool, tuple[Any, ...]]]:
    """Yield the keys that lead to each text or list of a schema, whether it is a list, and what fits in there.

    Of a choice by a key, such as the game, the one of the value is followed; of others, all are.
    """
    while "$ref" in schema:
        schema = schemas[schema["$ref"].rpartition("/")[2]]
    if depth > _DEPTH:
        return
    choices = schema.get("anyOf", []) + schema.get("oneOf", [])
    mapping = schema.get("discriminator", {}).get("mapping", {})
    meant = value.get(schema["discriminator"]["propertyName"]) if mapping and isinstance(value, dict) else None
    if meant in mapping:
        choices = [{"$ref": mapping[meant]}, *(one for one in choices if one.get("type") == "string")]
    for choice in choices:
        yield from _walked(choice, value, schemas, depth)
    examples = tuple(schema.get("examples", ()))
    if depth and (schema.get("type") in ("string", "number", "integer", "boolean") or not schema):
        yield (), False, examples
    if schema.get("type") == "array" or (isinstance(value, list) and "properties" not in schema):
        entries = value if isinstance(value, list) else []
        yield (), True, tuple(entries[:1])
        first = entries[0] if entries else None
        for keys, is_list, known in _walked(schema.get("items", {}), first, schemas, depth + 1):
            yield (0, *keys), is_list, known
    inside = value if isinstance(value, dict) else {}
    more = schema.get("additionalProperties", False) if schema else True
    others = dict.fromkeys(inside or ("a",), more if isinstance(more, dict) else {}) if more else {}
    for name, inner in {**(others if more is not True or inside else {}), **schema.get("properties", {})}.items():
        for keys, is_list, known in _walked(inner, inside.get(name), schemas, depth + 1):
            yield (name, *keys), is_list, known


def _game_in(body: Any) -> str:
    """The game of a body and the form of its position, by which its fields differ."""
    left = [body]
    while left:
        one = left.pop()
        if isinstance(one, dict):
            if isinstance(one.get("game"), str):
                form = one.get("variant") or ("view" if "seat" in one and "hands" not in one else "")
                return f"{one['game']} {form}".strip()
            left += one.values()
        elif isinstance(one, list):
            left += one[:1]
    return ""


@cache
def _bodies() -> dict[str, list[Any]]:
    """Valid bodies for the calls of which the document has no example, and some with whole decks."""
    told = [one for one in training.collection() if training.is_asked(one) and one.ask != "all-matches"]
    puzzles = {one.game.name: one for one in told}.values()
    decks = [{"game": kind.game, "deck": _house(kind)} for kind in kinds()]
    return {
        "/v1/puzzles/answer": [{"puzzle": _data_of(one), "answer": "x"} for one in puzzles],
        "/v1/match/read": [{"text": (ROOT / "docs/examples/table.txt").read_text()}],
        "/v1/match/ended": [{"match": followed()}],
        "/v1/match/review": [{"match": ended({**KIRIN, "rounds": 2}), "limit": {"nodes": 1}}],
        "/v1/score": [
            {"record": json.loads(path.read_text())}
            for path in sorted((ROOT / "docs/examples").glob("*score.json"))
        ],
        "/v1/cards": decks,
    }


def _house(kind: DeckKind[Any]) -> Any:
    file = resources.files(kind.package).joinpath("decks", kind.house_file)
    return tomllib.loads(file.read_text(encoding="utf-8"))


def _data_of(puzzle: Puzzle) -> Any:
    return puzzle.model_dump(mode="json", exclude_none=True, exclude={"measured"})


_DECKS = [(ROOT / "docs/examples" / name).read_text() for name in ("my-deck.toml", "metals.csv")]
_TEXTS = {
    "/v1/decks": [*_DECKS, "card,suit\n", "card,", '"'],
    "/v1/solve": [FILE],
    "/v1/puzzles": [FILE, FILE + 'note = "'],
}


# ----------------------------------------------------------------------------------------------------
# Measuring.


@dataclass(frozen=True)
class Curve:
    """The times of a field filled with a piece, by size."""

    field: Field
    piece: Any
    after: bool
    times: tuple[tuple[int, float], ...]

    @property
    def most(self) -> float:
        return max(seconds for _, seconds in self.times)

    @property
    def exponent(self) -> float:
        """The power of the size with which the time grows from one size to the next, where that is most."""
        points = [(log(size), log(max(seconds, _FLOOR_SECONDS))) for size, seconds in self.times]
        return max(((b[1] - a[1]) / (b[0] - a[0]) for a, b in pairwise(points)), default=0.0)

    def faults(self, slack: float = 1.0) -> Iterator[str]:
        """Yield what is wrong; with `slack`, on a machine that has other things to do."""
        if self.exponent > MOST_EXPONENT and self.most > slack * MOST_SECONDS / 2:
            yield f"grows with the power {self.exponent:.2f}"
        if self.most > slack * MOST_SECONDS:
            yield f"takes {self.most:.2f} s"

    def __str__(self) -> str:
        told = ", ".join(f"{size:,}: {1e3 * seconds:.0f}" for size, seconds in self.times)
        return f"{self.field.name} {'+' if self.after else ''}{str(self.piece)[:30]!r}: {told} ms"


def curve(client: FlaskClient, field: Field, piece: Any, *, after: bool) -> tuple[Curve, bool]:
    """Measure a field filled with a piece, more than once where it seems slow.

    Also returns whether a bound refuses the field: then only the largest size is measured, unless that is slow.
    """
    first, *others = field.sizes
    seconds, bounded = field.measured(client, piece, first, after=after)
    times = {first: seconds}
    for size in others[-1:] if bounded else others:
        times[size], _ = field.measured(client, piece, size, after=after)
    for _ in range(_TIMES):
        found = Curve(field, piece, after, tuple(sorted(times.items())))
        if not list(found.faults()):
            break
        for size in field.sizes:
            seconds, _ = field.measured(client, piece, size, after=after)
            times[size] = min(seconds, times.get(size, seconds))
    return found, bounded


@contextmanager
def service() -> Iterator[FlaskClient]:
    """Provide a service in this process, with searches in others, that has loaded what is loaded once."""
    seconds = _SEARCH_SECONDS
    config = Config(default_seconds=seconds, hint_seconds=seconds, max_seconds=seconds, searches=1, memory_mb=1024)
    searches = SearchPool(config, in_processes=True)
    try:
        searches.start()
        client = create_app(config, searches).test_client()
        for address, body in {(one.address, json.dumps(one.body)) for one in fields() if one.keys}:
            client.post(address, data=body, content_type=JSON)
        yield client
    finally:
        searches.stop()


def ways(field: Field, count: int, seed: int = 1) -> list[tuple[Any, bool]]:
    """Draw `count` pieces with which a field is filled, each with whether what is valid comes first."""
    rng = random.Random(f"{seed} {field.name}")
    return rng.sample([(piece, after) for piece in field.pieces for after in (False, True)], count)


@click.command()
@click.option("--pieces", default=2, help="with which each field is filled")
@click.option("--seed", default=1)
@click.option("--only", default="", help="fields whose name has this in it")
def main(pieces: int, seed: int, only: str) -> None:
    """Measure the growth of every field, and say where it is too much."""
    faulty = measured = 0
    begun, spent = time.monotonic(), time.process_time()
    with TemporaryDirectory() as jobs:
        os.environ["ATHANOR_JOBS"] = os.path.join(jobs, "jobs.sqlite")
        with service() as client:
            for field in one_each(seed):
                for piece, after in ways(field, pieces, seed) if only in field.name else ():
                    found, bounded = curve(client, field, piece, after=after)
                    measured += 1
                    if faults := list(found.faults()):
                        faulty += 1
                        click.echo(f"! {', '.join(faults)}: {found}")
                    if bounded:
                        break
    passed, spent = time.monotonic() - begun, time.process_time() - spent
    click.echo(f"{measured:,} curves in {passed:,.0f} s, {spent:,.0f} s of processor time; {faulty} faulty")
    sys.exit(faulty > 0)


if __name__ == "__main__":
    main()
