"""Positions, records and whole games as JSON and as text, the one from the other."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from athanor.sessions import Saved


def convert(content: str | bytes) -> str:
    """JSON as text, and text as JSON, checked by the rules.

    The content is a position, a view or a record, or games that `athanor play` has kept: several of these as text
    one after the other, or as JSON a line each. Raises PositionError.
    """
    from athanor import written

    found = content.encode() if isinstance(content, str) else content
    if written.is_written(found):
        games = _checked(written.loads(found))
        return "\n".join(_json(game.model_dump(mode="json", exclude_none=True)) for game in games)
    if b'"saved"' in found:
        return written.dumps(_checked(_kept(found))).rstrip("\n")
    return _position(found)


def _position(content: bytes) -> str:
    """A position or record as text, or as JSON if it was text."""
    from athanor.reading import data_of
    from solver.notation.lines import is_line
    from solver.positions import parse_position, parse_record, position_data, text_of

    data = data_of(content)
    recorded = isinstance(data, dict) and bool(data.keys() & {"rounds", "moves", "points"})
    found = (parse_record if recorded else parse_position)(data)
    if is_line(content.decode("utf-8-sig", "replace")):
        return _json(position_data(found))
    return text_of(found)


def _kept(content: bytes) -> list[Saved]:
    """The games of a JSON text, or of a text with one on each line."""
    from athanor.sessions import read

    lines = [line for line in content.splitlines() if line.strip()]
    if all(line.lstrip().startswith(b'{"') and line.rstrip().endswith(b"}") for line in lines):
        return [read(line) for line in lines]
    return [read(content)]


def _checked(games: list[Saved]) -> list[Saved]:
    """Games, once their moves have been made by the rules."""
    from athanor.sessions import Session

    return [Session(game).saved for game in games]


def _json(data: dict[str, Any]) -> str:
    return json.dumps(data, ensure_ascii=False)
