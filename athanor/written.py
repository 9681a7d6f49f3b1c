"""Games in progress or finished as text files: tags, the moves of each round in order, comments.

    [game kirin]
    [seed 7]
    [seat 2]
    ; who set what aside
    round
    D6
    S3

A round of a real table says how it begins, ``round kirin seat=2 hand=…``, and then what was seen. A game begins
with the tag of its name, so that a file may hold several. A line that begins with a semicolon is a
comment; blank lines mean nothing.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from itertools import zip_longest

from athanor.sessions import Saved, read
from solver.inputs import jsontext
from solver.inputs.errors import PositionError
from solver.inputs.findings import validated

_TAG = re.compile(r"\[\s*+([a-z_]++)\s++(.*)\]")  # possessive: a long line of blanks would take n³ steps
_CARD = re.compile(r"[A-Za-z][0-9A-Za-z+-]{0,2}(:[A-Za-z])?|10|[2-9]")
_ROUND = "round"
_COMMENT = ";"
_OF_THE_SEED = ("seed", "number", "seconds")  # which a game whose cards were dealt by hand has not
_FLAGS = {"yes": True, "no": False}
_TEXTS = ("game", "variant", "deck", "rules")


def is_written(content: bytes) -> bool:
    """Whether a file looks like games as text, and not like JSON: its first line is a tag or a comment."""
    first = content.removeprefix(b"\xef\xbb\xbf").lstrip()
    return re.match(rb";|\[\s*[a-z]", first) is not None


def dumps(games: Iterable[Saved]) -> str:
    """Games as the text of a file, which `loads` reads back."""
    return "\n".join("\n".join(_lines(game)) + "\n" for game in games)


def _lines(game: Saved) -> Iterator[str]:
    left_out = {"saved", "moves", "dealt", *(_OF_THE_SEED if game.dealt else ())}
    for key, value in game.model_dump(mode="json", exclude_none=True, exclude=left_out).items():
        if key == "rules":
            text = ",".join(name for name, on in value.items() if on)
        elif isinstance(value, bool):
            text = "yes" if value else "no"
        else:
            text = json.dumps(value, ensure_ascii=False) if isinstance(value, dict) else value
        if text != "":
            yield f"[{key} {text}]"
    rounds = zip_longest(game.dealt or (), game.moves, fillvalue=())
    for line, moves in rounds:
        yield f"{_ROUND} {line}" if line else _ROUND
        yield from moves


def loads(content: bytes) -> list[Saved]:
    """The games in a file, at least one. Raises PositionError that names the line that cannot be read."""
    try:
        lines = content.decode("utf-8-sig").splitlines()
    except UnicodeDecodeError as found:
        message = f"the file is not UTF-8: {found.reason} at byte {found.start}"
        raise PositionError("invalid_text", message) from None
    games: list[tuple[int, dict[str, object], list[list[str]], list[str]]] = []
    for number, whole in enumerate(lines, start=1):
        line = whole.strip()
        if not line or line.startswith(_COMMENT):
            continue
        tag = _TAG.fullmatch(line)
        if tag is not None and tag[1] == "game":
            games.append((number, {}, [], []))
        if not games:
            raise PositionError("invalid_text", f"line {number}: a game begins with its tag, [game NAME]")
        _, tags, rounds, starts = games[-1]
        if tag is not None:
            if tag[1] in tags:
                raise PositionError("duplicate_key", f"line {number}: the tag {tag[1]} is there twice", tag[1])
            tags[tag[1]] = _value(tag[1], tag[2].rstrip(), number)
        elif line.split()[0] == _ROUND:
            rounds.append([])
            starts.append(line.removeprefix(_ROUND).strip())
        elif rounds and starts[-1]:
            rounds[-1] += _moves_of(line)
        elif rounds:
            rounds[-1].append(line)
        else:
            raise PositionError("invalid_text", f"line {number}: moves stand behind a line that says {_ROUND}")
    if not games:
        raise PositionError("invalid_text", "the file holds no game")
    return [_game(*game) for game in games]


def _moves_of(line: str) -> list[str]:
    """The moves of a line of a real table: one, or several cards of a trick."""
    words = line.split()
    several = len({word.casefold() for word in words}) == len(words) and all(map(_CARD.fullmatch, words))
    return words if several else [line]


def read_one(content: bytes) -> Saved:
    """The game in a file, as text or as JSON. Raises PositionError, also for a file that holds several."""
    if not is_written(content):
        return read(content)
    game, *others = loads(content)
    if others:
        raise PositionError("wrong_size", f"the file holds {1 + len(others)} games, not one")
    return game


def _game(number: int, tags: dict[str, object], rounds: list[list[str]], starts: list[str]) -> Saved:
    data: dict[str, object] = {**tags, "moves": rounds}
    if any(starts):
        if not all(starts):
            message = f"the game at line {number}: either every round says how it begins, or none does"
            raise PositionError("invalid_text", message)
        data["dealt"] = starts
    try:
        return validated(Saved.model_validate, data)
    except PositionError as found:
        message = f"the game at line {number}: {found.message}"
        raise PositionError(found.code, message, found.path, found.others) from None


def _value(tag: str, text: str, line: int) -> object:
    """What a tag says: text, a number or, in braces, a whole deck as JSON. Raises PositionError."""
    if not text.startswith("{"):
        return text if tag in _TEXTS else _FLAGS.get(text, _number(text))
    try:
        return jsontext.loads(text, tag)
    except PositionError as found:
        raise PositionError(found.code, f"line {line}: {found.message}", tag) from None


def _number(text: str) -> object:
    """A tag's value as a number, if it is one; else what the checks of the game refuse."""
    try:
        return float(text) if "." in text else int(text[:30])
    except ValueError:
        return text
