"""The preview that messaging apps show for the address of a position, `/p/POSITION`: text and a picture."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from api.page.picture import Row
from solver import registry
from solver.common import one_after_another
from solver.errors import AthanorError
from solver.language import say, translated
from solver.positions import parse_position, position_data

_LYING = ("trick", "table", "line")  # keys of the cards in the middle of the table: each game has one of them
_LONGEST = 300  # characters of a description: no messenger shows more
_MOST = 16  # cards in a row of the picture


@dataclass(frozen=True, slots=True)
class Preview:
    """What messaging apps show for an address: a title, a description, and a picture of `rows` of cards below
    `name`.
    """

    title: str
    description: str
    name: str = "Athanor"
    rows: tuple[Row, ...] = ()


def plain() -> Preview:
    """The preview of the page without a position."""
    titles = [translated(registry.game(name).title) for name in registry.names()]
    return Preview(
        "Athanor", say("Hints, analyses and puzzles for card games: {games}.", games=one_after_another(titles))
    )


def line_of(address: str) -> str:
    """Return the line of text for the position in an address, which has & in place of spaces."""
    return " ".join(re.split("&(?:amp;)?", address))


def preview(line: str) -> Preview:
    """Return the preview for a position, given as a line of text, or that of the page if the line is invalid."""
    try:
        position = parse_position(line)
    except AthanorError:
        return plain()
    game = registry.game_of(position)
    words = "; ".join(f"{name}: {text}" for name, text in game.describe(position))
    data = position_data(position)
    lying = next((data[key] for key in _LYING if data.get(key)), ())
    return Preview(
        say("{game}: what would you play?", game=translated(game.title)),
        words if len(words) <= _LONGEST else words[: _LONGEST - 1] + "…",
        game.title,
        tuple(_row(game, data, cards) for cards in (lying, _hand(data)) if cards),
    )


def _hand(data: dict[str, Any]) -> list[str]:
    """Return the visible hand: the viewer's own or, with every card known, that of the seat to move."""
    if "hands" not in data:
        hand = data.get("hand") or ()
        return [hand] if isinstance(hand, str) else list(hand)
    turn = data.get("turn", (data.get("leader", 0) + len(data.get("trick", ()))) % len(data["hands"]))
    return list(data["hands"][turn])


def _row(game: Any, data: dict[str, Any], cards: list[str]) -> Row:
    kind = {key: data[key] for key in ("variant", "deck") if key in data}
    suited = {face.card for face in game.cards(**kind) if face.suit}
    return Row(tuple((card, card.split(":")[0] in suited) for card in cards[:_MOST]))
