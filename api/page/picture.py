"""The picture that messaging apps show for the address of a position: its table, with the page's cards."""

from __future__ import annotations

import io
import json
import re
import threading
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple

from api.page import bundle, painting, sentences, source, template

if TYPE_CHECKING:
    from PIL import Image

    from solver.limits import Control

SIZE = (1200, 630)  # pixels: messengers show this without cropping
_FELT, _RIM, _GOLD = "#1d5a40", "#071410", "#f6e7c1"
_TITLE = "What would you play?"  # English: no font that the service can rely on has Japanese letters
_SHADE, _SHADOW = 130, 9  # of a card: how dark, of 255, and its width in pixels
_BACK = (
    '<svg><rect class="paper" x="1" y="1" width="48" height="68" rx="5"/>'
    '<use href="#sign-back" x="-10" y="0" width="70" height="70"/></svg>'
)
_BACKS = 5  # of each other seat
_LEFT, _RIGHT = -14, SIZE[0] + 14  # the middles of the fans of the seats beside
# The middles of the others' fans, and the angles by which they are turned, by how many others there are.
_SEATS = (
    (),
    ((900, -30, 180),),
    ((_LEFT, 300, 90), (_RIGHT, 300, 270)),
    ((_LEFT, 300, 90), (900, -30, 180), (_RIGHT, 300, 270)),
    ((_LEFT, 300, 90), (800, -30, 180), (1010, -30, 180), (_RIGHT, 300, 270)),
)


class Card(NamedTuple):
    """A card of a game: its face, as `files.cards` returns it, as JSON."""

    game: str
    face: str


@dataclass(frozen=True, slots=True)
class Table:
    """What a picture shows: a title, cards in the middle and in hand, and the backs of the `others`' cards."""

    title: str = ""
    lying: tuple[Card, ...] = ()
    hand: tuple[Card, ...] = ()
    others: int = 0


def jpeg(table: Table, games: str, control: Control) -> bytes:
    """Return a JPEG of the size `SIZE` that shows a table.

    `games` is the list of games, as JSON, for the page's script. It takes some 150 ms, and so is a
    search like others.
    """
    from PIL import ImageDraw

    picture = _felt()
    for x, y, angle in _SEATS[min(table.others, len(_SEATS) - 1)]:
        _fan(picture, [_back(120)] * _BACKS, (x, y), 15, 7, angle)
    for cards, most, middle, span, turn in (
        (table.lying, 150, (SIZE[0] // 2, 262), 860, 1.5),
        (table.hand, 176, (SIZE[0] // 2, 500), 1040, 2.2),
    ):
        if cards:
            pitch = min(most * 0.94, (span - most) / max(1, len(cards) - 1))
            _fan(picture, [_card(card, games, most) for card in cards], middle, pitch, min(turn, 20 / len(cards)))
    draw = ImageDraw.Draw(picture)
    draw.text((56, 34), _TITLE, _GOLD, painting.font(50))
    draw.text((58, 102), " · ".join(dict.fromkeys((table.title, "Athanor"))), _GOLD, painting.font(28))
    out = io.BytesIO()
    picture.save(out, "JPEG", quality=82)
    return out.getvalue()


def _felt() -> Image.Image:
    """The table, lit from above."""
    from PIL import Image, ImageOps

    light = Image.radial_gradient("L").resize((SIZE[0] * 3 // 2, SIZE[1] * 2))
    left, top = SIZE[0] // 4, SIZE[1] // 2
    return ImageOps.colorize(light, _FELT, _RIM).crop((left, top, left + SIZE[0], top + SIZE[1]))


def _fan(
    picture: Image.Image,
    cards: list[Image.Image],
    middle: tuple[int, int],
    pitch: float,
    turn: float,
    angle: int = 0,
) -> None:
    """Lay cards in a fan around a point: each `pitch` after the one before, and turned by `turn` degrees."""
    from PIL import Image

    width, height = cards[0].size
    fan = Image.new("RGBA", (round(pitch * (len(cards) - 1)) + 2 * width, 2 * height))
    for number, card in enumerate(cards):
        off = number - (len(cards) - 1) / 2
        tile = _shadow(width, height).copy()
        tile.alpha_composite(card, (_SHADOW, _SHADOW))
        tile = tile.rotate(-off * turn, resample=Image.Resampling.BICUBIC, expand=True)
        x = fan.width / 2 + off * pitch - tile.width / 2
        y = fan.height / 2 + off * off * pitch * turn / 115 - tile.height / 2  # as on a circle
        fan.alpha_composite(tile, (max(0, round(x)), max(0, round(y))))
    fan = fan.rotate(angle, expand=True)
    picture.paste(fan, (middle[0] - fan.width // 2, middle[1] - fan.height // 2), fan)


@cache
def _shadow(width: int, height: int) -> Image.Image:
    """The shadow of a card of this size, with room for it on all sides."""
    from PIL import Image, ImageDraw, ImageFilter

    shape = Image.new("L", (width + 2 * _SHADOW, height + 2 * _SHADOW))
    ImageDraw.Draw(shape).rounded_rectangle((7, 12, width + 9, height + 13), 15, _SHADE)
    shadow = Image.new("RGBA", shape.size)
    shadow.putalpha(shape.filter(ImageFilter.BoxBlur(4)))
    return shadow


@cache
def _symbols(game: str) -> tuple[str, dict[str, Any]]:
    """The signs, and a game's illustrations if it has any: as text, and by their IDs."""
    from jinja2 import TemplateNotFound

    text = template("signs.svg").render()
    with suppress(TemplateNotFound):  # a game of another package has none
        text += template(f"art/{game}.svg").render()
    return text, painting.symbols(text)


@cache
def _inks() -> dict[str, str]:
    """The colours of the page's cards by their names."""
    return dict(re.findall(r"\.ink-(\w+) \{\s*color: (#\w+)", source("style/cards.css")))


_scripts = threading.local()  # QuickJS runs a script only in the thread that read it


def _card(card: Card, games: str, width: int) -> Image.Image:
    """Paint a card, as the page's script draws it."""
    if getattr(_scripts, "games", None) != games:
        import quickjs

        [script] = bundle.scripts(source, [sentences("en"), bundle.PICTURE])
        context = quickjs.Context()
        context.eval(f"globalThis.games = {games}")
        context.eval(script)
        _scripts.games, _scripts.draw = games, context.get("draw")
    text, known = _symbols(card.game)
    ink, drawing = json.loads(_scripts.draw(card.game, card.face, text))
    return painting.card(drawing, _inks().get(ink, "black"), known, width)


@cache
def _back(width: int) -> Image.Image:
    return painting.card(_BACK, "#f2d68f", _symbols("")[1], width, "#3d2566")
