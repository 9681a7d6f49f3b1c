"""The preview that messaging apps show for the address of a position, `/p/POSITION`: text and a picture."""

from __future__ import annotations

import binascii
import json
import re
import zlib
from base64 import urlsafe_b64decode
from dataclasses import dataclass
from functools import cache
from typing import Any

from api.endpoints import faces
from api.page.picture import Card, Table
from solver import registry
from solver.common import one_after_another
from solver.display import CardFace
from solver.errors import AthanorError
from solver.language import language, say, translated
from solver.positions import parse_position, position_data

_LYING = ("trick", "table", "line")  # keys of the cards in the middle of the table: each game has one of them
_LONGEST = 300  # characters of a description: no messenger shows more
_MOST = 16  # cards in a row of the picture
_PACKED = "~"  # an address that begins so is packed, as `core/packing.js` does it
_LONGEST_LINE = 1 << 16  # characters that a packed address may stand for


@dataclass(frozen=True, slots=True)
class Preview:
    """What messaging apps show for an address: a title, a description, and a picture of a table."""

    title: str
    description: str
    table: Table


@cache
def plain(spoken: str) -> Preview:
    """The preview of the page without a position, in the language `spoken`, which is the current one: some
    cards of each game that shows its cards.
    """
    games = [registry.game(name) for name in registry.names()]
    some = [card for game in games if game.shows_cards for card in _some_of(game.name)]
    words = one_after_another(translated(game.title) for game in games)
    return Preview(
        "Athanor",
        say("Hints, analyses and puzzles for card games: {games}.", games=words),
        Table("Athanor", hand=tuple(some[:_MOST])),
    )


def _some_of(game: str) -> list[Card]:
    cards = faces(game)
    return [_card(game, cards[len(cards) * part // 4]) for part in (1, 3)]


def line_of(address: str) -> str:
    """Return the line of text for the position in an address, which has & in place of spaces.

    It is empty if the address is packed and broken, or stands for too much.
    """
    if address.startswith(_PACKED):
        address = _unpacked(address.removeprefix(_PACKED))
    words = re.split("&(?:amp;)?", address.removeprefix("#"))
    return " ".join(word for word in words if not word.startswith(_PACKED))


def _unpacked(code: str) -> str:
    unpacking = zlib.decompressobj(-zlib.MAX_WBITS)
    try:
        unpacked = unpacking.decompress(urlsafe_b64decode(code + "=" * (-len(code) % 4)), _LONGEST_LINE)
        return unpacked.decode() if unpacking.eof else ""
    except (ValueError, binascii.Error, zlib.error):
        return ""


def preview(line: str) -> Preview:
    """Return the preview for a position, given as a line of text, or that of the page if the line is invalid."""
    try:
        position = parse_position(line)
    except AthanorError:
        return plain(language())
    game = registry.game_of(position)
    data = position_data(position)
    cards: dict[str, CardFace] = {}
    if game.shows_cards:
        kind = {key: data[key] for key in ("variant", "deck") if key in data}
        cards = {face.card: face for face in faces(game.name, **kind)}
    lying, hand = (
        [cards[code] for code in (card.split(":")[0] for card in row[:_MOST]) if code in cards]
        for row in (next((data[key] for key in _LYING if data.get(key)), ()), _hand(data))
    )
    table = Table(
        game.title,
        tuple(_card(game.name, face) for face in lying),
        tuple(_card(game.name, face) for face in hand),
        getattr(position, "players", 1) - 1,
    )
    return Preview(say("{game}: what would you play?", game=translated(game.title)), _sentence(lying, hand), table)


def _card(game: str, face: CardFace) -> Card:
    return Card(game, json.dumps(face.to_dict()))


def _sentence(lying: list[CardFace], hand: list[CardFace]) -> str:
    """Say which cards are held and which lie on the table: by their codes, where names are too long."""
    for named in (_name, lambda face: face.card):
        held, there = (one_after_another(map(named, row)) for row in (hand, lying))
        if not hand:
            sentence = say("{cards} on the table: what would you do?", cards=there) if lying else ""
        elif lying:
            sentence = say("You hold {hand}, with {cards} on the table.", hand=held, cards=there)
        else:
            sentence = say("You hold {hand}.", hand=held)
        if len(sentence) <= _LONGEST:
            break
    return sentence


def _name(face: CardFace) -> str:
    if face.suit is None or face.name.startswith(face.suit):
        return face.name
    return f"{face.name} ({face.suit} {face.rank})"


def _hand(data: dict[str, Any]) -> list[str]:
    """Return the visible hand: the viewer's own or, with every card known, that of the seat to move."""
    if "hands" not in data:
        hand = data.get("hand") or ()
        return [hand] if isinstance(hand, str) else list(hand)
    turn = data.get("turn", (data.get("leader", 0) + len(data.get("trick", ()))) % len(data["hands"]))
    return list(data["hands"][turn])
