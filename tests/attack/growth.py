"""How the processor time of a request grows with each of its fields: ``python -m tests.attack.growth``.

The fields are those of the OpenAPI document: every text and list of every body, every parameter, header and variable
part of an address. Each is made longer and longer, up to a megabyte, with pieces that some reader may find hard. The
time must grow with no more than the power `MOST_EXPONENT` of the size, and no request may take longer than
`MOST_SECONDS` beyond what the search in it may take.
"""

from __future__ import annotations

import json
import random
import re
import sys
import time
from collections.abc import Iterable, Iterator, Sequence
from copy import deepcopy
from dataclasses import dataclass
from functools import cache
from hashlib import blake2b
from itertools import pairwise
from math import log
from pathlib import Path
from typing import Any
from urllib.parse import quote

import click
from flask.testing import FlaskClient

from api.app import create_app
from api.config import Config
from api.openapi import document
from athanor.sessions import dumps
from puzzles import training
from puzzles.format import Puzzle
from solver import registry
from solver.positions import text_of
from tests.api.support import FILE, KIRIN, ended, warmed
from tests.attack.case import JSON, TOML
from tests.support.places import ROOT

Path_ = tuple[str | int, ...]
MOST_EXPONENT = 1.2
MOST_SECONDS = 0.1
SIZES = (2_000, 8_000, 30_000, 100_000, 190_000, 400_000, 1_000_000)  # bytes; a line of text may have 200,000
_OF_ADDRESSES = (1_000, 4_000, 15_000, 60_000)  # bytes: all headers together have at most 65,536
_MOST_ENTRIES = 49_000  # a body has at most 50,000 values
_SEARCH_SECONDS = 0.05
_FLOOR_SECONDS = 0.004  # below, a time says nothing about growth
_DEPTH = 7  # of keys within keys
_TIMES = 3  # that what seems slow is measured again
# Pieces of text: separators, words of every notation, escapes, what normalizes to more, brackets, quotation marks.
PIECES = (
    *(" ", ",", "/", "-", "=", ":", ";", "&", "\n", "\t", "\\", '"', "'", "[", "{", "(", "#", "?", "+", "%", "0", "A"),
    *("A,", "A ", "A/", "D1,", "F2", "f2t", "S1S2", "ZnZn", "p/", "p>", "///", "0,", "0:D1/", "0:F2t", "A×9,", "D1*9/"),
    *("a=1 ", "=a ", "x= ", "round ", "%20", "%7B", "%25", "6+7=4+9 ", "take F3 ", "1:5+2=7 ", "pass Zn>Pb/", "; a\n"),
    *("[a b]\n", "round\n", "D1 D2\n", '{"a":', "[1,", "\\u0041", "\\n", "a.", "a\n", '"a,b"\n', "1;2\n", "\u3000", "，"),
    *("é", "ﷺ", "①", "e\u0301", "\u202e", "\x00", "ÿ", "Ｄ１", "×9", "🂡", "1e9", "0" * 9, "a" * 50, ",,", "\r", "\ufeff"),
)  # fmt: skip
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


@dataclass(frozen=True)
class Field:
    """A field of a request: the keys that lead to it in a valid `body` of type `kind`, and what `examples` fit in.

    Of an address (`kind` is empty), the body is a pair of the address, in which ``{}`` stands for the field, and the
    name of a header, if it is one. Without `keys`, it is the whole text of the body.
    """

    address: str
    kind: str
    body: Any
    keys: Path_ = ()
    is_list: bool = False
    examples: tuple[Any, ...] = ()

    @property
    def name(self) -> str:
        where = "".join(f"[{key}]" if isinstance(key, int) else f".{key}" for key in self.keys)
        game = (
            _game_in(self.body)
            if self.kind != JSON or not isinstance(self.body.get("position"), str)
            else self.body["position"].split()[0] + " line " + self.body["position"].split()[-1]
        )
        return f"{self.address} {game}{' ' if game else ''}{where or self.kind or self.body[1]}"

    @property
    def sizes(self) -> Sequence[int]:
        return SIZES if self.kind else _OF_ADDRESSES

    def pieces(self) -> Sequence[Any]:
        """What the field is filled with."""
        if self.is_list:
            return (*self.examples, *_ITEMS)
        own = [end + str(one) for one in self.examples for end in (",", " ", "/", "\n")]
        return (*dict.fromkeys((*own, *PIECES)),)

    def sent(self, client: FlaskClient, piece: Any, size: int, *, after: bool) -> tuple[int, float]:
        """Send the field filled with a piece to a size in bytes, `after` what is valid there or alone.

        Returns the status and the seconds of processor time.
        """
        if not self.kind:
            place, header = self.body
            text = (str(piece) * (size // len(str(piece)) + 1))[:size]
            if header:
                value = text.encode("utf-8", "replace").decode("latin-1").replace("\n", " ").replace("\r", " ")
                return _timed(client, "GET" if "{}" not in place else "GET", place, headers={header: value})
            return _timed(client, "GET", place.format(quote(text)[: 3 * size]))
        if self.kind != JSON:
            text = str(piece)
            filled = (self.body if after else "") + text * (size // len(text.encode()) + 1)
            data = filled.encode("utf-8", "surrogatepass")[:size].decode("utf-8", "ignore")
            return _timed(
                client, "POST", self.address, data=data.encode("utf-8", "ignore"), content_type=self.kind
            )
        body = deepcopy(self.body)
        before = _put(body, self.keys, None)
        if self.is_list:
            each = len(json.dumps(piece)) + 1
            count = min(size // each + 1, _MOST_ENTRIES // (1 + _values(piece)))
            filled = [*(before if after and isinstance(before, list) else ()), *[piece] * count]
        else:
            begin = before if after and isinstance(before, str) else ""
            filled = begin + str(piece) * (size // len(str(piece).encode()) + 1)
        _put(body, self.keys, filled)
        return _timed(client, "POST", self.address, data=json.dumps(body, ensure_ascii=False), content_type=JSON)


def _timed(client: FlaskClient, method: str, address: str, **options: Any) -> tuple[int, float]:
    if isinstance(options.get("data"), str):
        options["data"] = options["data"].encode("utf-8", "surrogatepass")
    begun = time.process_time()
    found = client.open(address, method=method, **options)
    found.get_data()
    found.close()
    return found.status_code, time.process_time() - begun


def _values(item: Any) -> int:
    text = json.dumps(item)
    return text.count(",") + text.count("[") + text.count("{") if not isinstance(item, str) else 0


def _put(body: Any, keys: Path_, value: Any) -> Any:
    """Put a value where the keys lead to, making what is missing; return what was there."""
    here = body
    for key, following in pairwise(keys):
        empty: Any = [] if isinstance(following, int) else {}
        if isinstance(key, int):
            while len(here) <= key:
                here.append(deepcopy(empty))
        elif not isinstance(here.get(key), list if isinstance(following, int) else dict):
            here[key] = empty
        if not isinstance(here[key], list if isinstance(following, int) else dict):
            here[key] = empty
        here = here[key]
    last = keys[-1]
    if isinstance(last, int):
        while len(here) <= last:
            here.append(None)
    before = here.get(last) if isinstance(last, str) else here[last]
    here[last] = value
    return before


# ----------------------------------------------------------------------------------------------------
# The fields of the document.


def fields() -> list[Field]:
    """Every field of every call of the service, and of the addresses of its page."""
    found: dict[tuple[Any, ...], Field] = {}
    schemas = document(Config())["components"]["schemas"]
    for address, operations in document(Config())["paths"].items():
        for method, operation in operations.items():
            if method != "parameters":
                for one in (*_of_body(address, operation, schemas), *_of_address(address, method, operation)):
                    found.setdefault(
                        (
                            address,
                            one.kind,
                            one.keys,
                            one.is_list,
                            _game_in(one.body),
                            str(one.body)[:0] if one.kind else one.body,
                        ),
                        one,
                    )
    for rule in create_app(Config()).url_map.iter_rules():
        if rule.arguments and not rule.rule.startswith("/v1/") and "GET" in (rule.methods or ()):
            place = re.sub(r"<[^>]*>", "{}", re.sub(r"<(?:made|name)>/", "x/", rule.rule))
            found[place,] = Field(place, "", (place, ""))
    for body, name, key in _lines():
        found[name, key] = Field("/v1/moves", JSON, body, ("position",))
    for header in _HEADERS:
        found[header,] = Field("/v1/games", "", ("/v1/games", header))
    return list(found.values())


_HEADERS = (
    "Accept", "Accept-Encoding", "Accept-Language", "Authorization", "Cookie", "Host", "Idempotency-Key",
    "If-None-Match", "Last-Event-ID", "Origin", "X-Forwarded-For", "X-Names", "X-Request-Id",
)  # fmt: skip


def _of_address(address: str, method: str, operation: Any) -> Iterator[Field]:
    if method != "get":
        return
    yield from ([Field(address, "", (re.sub(r"\{\w+\}", "{}", address), ""))] if "{" in address else [])
    plain = re.sub(r"\{\w+\}", "none", address)
    for one in operation.get("parameters", ()):
        if one["in"] == "query":
            yield Field(address, "", (f"{plain}?{one['name']}={{}}", ""))


def _of_body(address: str, operation: Any, schemas: Any) -> Iterator[Field]:
    content = operation.get("requestBody", {}).get("content", {})
    if not content:
        return
    for text in _TEXTS.get(address, ()):
        yield Field(address, TOML, text)
    if JSON not in content:
        return
    media = content[JSON]
    bodies = [one["value"] for one in media.get("examples", {}).values()] or _bodies()[address]
    for body in bodies:
        for keys, is_list, examples in _walked(media["schema"], body, schemas):
            yield Field(address, JSON, body, keys, is_list, examples)


def _walked(
    schema: Any, value: Any, schemas: Any, depth: int = 0
) -> Iterator[tuple[Path_, bool, tuple[Any, ...]]]:
    """Yield the keys that lead to each text or list of a schema, whether it is a list, and what fits in there.

    Of a choice by a key, such as the game, the one of the value is followed; of others, all are.
    """
    while "$ref" in schema:
        schema = schemas[schema["$ref"].rpartition("/")[2]]
    if depth > _DEPTH:
        return
    choices = schema.get("anyOf", []) + schema.get("oneOf", [])
    key = schema.get("discriminator", {}).get("propertyName")
    meant = value.get(key) if key and isinstance(value, dict) else None
    if meant in schema.get("discriminator", {}).get("mapping", {}):
        choices = [{"$ref": schema["discriminator"]["mapping"][meant]}]
        choices += [one for one in schema.get("oneOf", []) if one.get("type") == "string"]
    for choice in choices:
        yield from _walked(choice, value, schemas, depth)
    examples = tuple(schema.get("examples", ()))
    if depth and (schema.get("type") in ("string", "number", "integer", "boolean") or not schema):
        yield (), False, examples
    if schema.get("type") == "array" or isinstance(value, list) and "properties" not in schema:
        entries = value if isinstance(value, list) else []
        yield (), True, tuple(entries[:1])
        for keys, is_list, known in _walked(
            schema.get("items", {}), entries[0] if entries else None, schemas, depth + 1
        ):
            yield (0, *keys), is_list, known
    properties = schema.get("properties", {})
    if schema.get("additionalProperties") not in (None, False) or (not schema and isinstance(value, dict)):
        more = schema.get("additionalProperties")
        inner = more if isinstance(more, dict) else {}
        properties = {**{name: inner for name in (value if isinstance(value, dict) else ("a",))}, **properties}
    for name, inner in properties.items():
        there = value.get(name) if isinstance(value, dict) else None
        for keys, is_list, known in _walked(inner, there, schemas, depth + 1):
            yield (name, *keys), is_list, known


def _lines() -> Iterator[tuple[Any, str, str]]:
    """Yield a body whose position is a line of text that ends with a key, for every key of every game."""
    for name in registry.names():
        game = registry.game(name)
        views = [game.view(game.deal(1), 0), game.deal(1)]
        for number, line in enumerate(map(text_of, views)):
            for key in game.notation.values:
                others = " ".join(word for word in line.split() if not word.startswith(f"{key}="))
                yield {"position": f"{others} {key}="}, name, f"{key} {number}"


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
    """Valid bodies for the calls of which the document has no example."""
    matches = [{**ended({**KIRIN, "rounds": 2})}]
    table = (ROOT / "docs/examples/table.txt").read_text()
    puzzles = [
        next(one for one in training.collection() if one.game.name == name and training.is_asked(one))
        for name in registry.names()
    ]
    scores = sorted((ROOT / "docs/examples").glob("*score.json"))
    sheets = [{"game": name, "points": [[1, 0, 0, 0]]} for name in ("kirin", "king", "aqua-regia")]
    return {
        "/v1/puzzles/reply": [{"puzzle": _data_of(one), "move": "x"} for one in puzzles],
        "/v1/match/written": [{"text": table}],
        "/v1/match/review": [{"match": match, "limit": {"nodes": 1}} for match in matches],
        "/v1/score": [*(json.loads(path.read_text()) for path in scores), *sheets],
    }


def _data_of(puzzle: Puzzle) -> Any:
    return puzzle.model_dump(mode="json", exclude_none=True, exclude={"measured"})


_TEXTS = {
    "/v1/decks": [(ROOT / "docs/examples" / name).read_text() for name in ("my-deck.toml", "metals.csv")]
    + ["card,suit\n", '"'],
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
        """The power of the size with which the time grows, up to the size that takes longest; 0 if it is short."""
        top = max(range(len(self.times)), key=lambda place: self.times[place][1])
        points = [(log(size), log(seconds)) for size, seconds in self.times[: top + 1] if seconds > _FLOOR_SECONDS]
        if len(points) < 3:
            return 0.0
        x, y = (sum(part) / len(points) for part in zip(*points, strict=True))
        return sum((a - x) * (b - y) for a, b in points) / sum((a - x) ** 2 for a, _ in points)

    def faults(self, slack: float = 1.0) -> Iterator[str]:
        allowed = slack * (MOST_SECONDS + 2 * _SEARCH_SECONDS)
        if self.exponent > MOST_EXPONENT and self.most > slack * MOST_SECONDS / 2:
            yield f"grows with the power {self.exponent:.2f}"
        if self.most > allowed:
            yield f"takes {self.most:.2f} s"

    def __str__(self) -> str:
        told = ", ".join(f"{size:,}: {1e3 * seconds:.0f}" for size, seconds in self.times)
        return f"{self.field.name} {'+' if self.after else ''}{str(self.piece)[:30]!r}: {told} ms"


def curve(client: FlaskClient, field: Field, piece: Any, *, after: bool, quick: bool = False) -> Curve:
    """Measure a field filled with a piece; where it seems slow, more often, so that noise says nothing."""
    sizes = field.sizes[-3::2] if quick else field.sizes
    times = {size: field.sent(client, piece, size, after=after)[1] for size in sizes}
    found = Curve(field, piece, after, tuple(times.items()))
    if any(seconds > MOST_SECONDS / 4 for seconds in times.values()):
        for _ in range(_TIMES):
            for size in field.sizes:
                seconds = field.sent(client, piece, size, after=after)[1]
                times[size] = min(seconds, times.get(size, seconds))
            found = Curve(field, piece, after, tuple(sorted(times.items())))
            if not list(found.faults()):
                break
    return found


def client() -> FlaskClient:
    """A service that searches in the thread that asks, for a short time, and has loaded all that is loaded once."""
    warmed()
    seconds = _SEARCH_SECONDS
    found = create_app(Config(default_seconds=seconds, hint_seconds=seconds, max_seconds=seconds)).test_client()
    for one in fields():
        if one.kind == JSON and one.keys:
            found.post(one.address, json=one.body)
    return found


def chosen(share: float, seed: int = 1) -> Iterator[tuple[Field, Any, bool]]:
    """Yield fields with what they are filled with: a `share` of all, of each field at least one."""
    for field in fields():
        rng = random.Random(f"{seed} {field.name}")
        ways = [(piece, after) for piece in field.pieces() for after in (False, True)]
        for piece, after in ways if share >= 1 else rng.sample(ways, max(1, round(share * len(ways)))):
            yield field, piece, after


@click.command()
@click.option("--share", default=1.0, help="of the pieces with which each field is filled")
@click.option("--seed", default=1)
@click.option("--only", default="", help="fields whose name has this in it")
@click.option("--part", default="0/1", help="the fields of one of several processes, as in 0/2")
def main(share: float, seed: int, only: str, part: str) -> None:
    number, count = map(int, part.split("/"))
    service, faulty, measured, begun = client(), 0, 0, time.monotonic()
    for field, piece, after in chosen(share, seed):
        if only not in field.name or int(blake2b(field.name.encode()).hexdigest(), 16) % count != number:
            continue
        found = curve(service, field, piece, after=after)
        measured += 1
        if faults := list(found.faults()):
            faulty += 1
            click.echo(f"! {', '.join(faults)}: {found}")
    click.echo(f"{measured:,} curves in {time.monotonic() - begun:,.0f} s, {faulty} faulty")
    sys.exit(faulty > 0)


if __name__ == "__main__":
    main()
