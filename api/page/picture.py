"""The picture that messaging apps show for the address of a position: its table, with the page's cards.

It is put together as SVG and drawn by resvg.
"""

from __future__ import annotations

import importlib.util
import io
import json
import re
import threading
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from api.page import bundle, own, sentences, source, template

if TYPE_CHECKING:
    from solver.limits import Control

SIZE = (1200, 630)  # pixels: messengers show this without cropping
_WIDTH, _HEIGHT = 50, 70  # of a card, in the units of its drawing
_PAPER = "#fffef9"
_UNKNOWN = re.compile("[\u2e80-\U0010ffff]+")  # letters of Chinese and Japanese, and others that the fonts lack
_TITLE = "What would you play?"  # English: no font that the service can rely on has Japanese letters
# What the page's style sheets say of the parts of a card, and the picture's own parts.
_STYLE = f"""
text {{ font-family: "DejaVu Serif"; font-weight: bold; fill: currentColor; }}
.foot, .bonus {{ font-family: "DejaVu Sans"; }}
.paper {{ fill: {_PAPER}; stroke: #b9ae96; }}
.back .paper {{ fill: #3d2566; }}
.ground {{ fill: currentColor; fill-opacity: .09; }}
.pill {{ fill: currentColor; }}
.bonus {{ fill: #fff; font-size: 7.5px; }}
.seal {{ fill: {_PAPER}; stroke: currentColor; stroke-width: 1.2px; }}
.label {{ stroke: {_PAPER}; stroke-width: 3.5px; paint-order: stroke; }}
.none {{ opacity: .28; }}
.shadow {{ fill-opacity: .22; }}
.title {{ fill: #f6e7c1; }}
"""
_FELT = (
    '<linearGradient id="felt" x2="0" y2="1"><stop stop-color="#236b4c"/><stop offset="1" stop-color="#0a2118"/>'
    '</linearGradient></defs><rect width="100%" height="100%" fill="url(#felt)"/>'
)
_SHADOW = (
    '<rect class="shadow" y="1" width="51" height="71" rx="6"/>'
    '<rect class="shadow" x="1" y="2" width="49" height="69" rx="5"/>'
)
_BACK = (
    '<rect class="paper" x="1" y="1" width="48" height="68" rx="5"/>'
    '<use href="#sign-back" x="-10" y="0" width="70" height="70"/>'
)
_BACKS = 4  # of each other seat
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
    import resvg_py
    from PIL import Image

    drawn = resvg_py.svg_to_bytes(
        svg_string=drawing(table, games), style_sheet=_STYLE, skip_system_fonts=True, font_files=_fonts()
    )
    out = io.BytesIO()
    Image.open(io.BytesIO(drawn)).convert("RGB").save(out, "JPEG", quality=82)
    return out.getvalue()


def drawing(table: Table, games: str) -> str:
    """Return the picture of a table as SVG, which refers to classes of a style sheet."""
    width, height = SIZE
    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}"><defs>']
    parts += [_symbols(game) for game in dict.fromkeys(("", *(card.game for card in table.lying + table.hand)))]
    parts.append(_FELT)
    for x, y, angle in _SEATS[min(table.others, len(_SEATS) - 1)]:
        parts += _fan([_laid("back", "#f2d68f", _BACK)] * _BACKS, 120, (x, y), 15, 7, angle)
    for cards, most, y, span, turn in ((table.lying, 150, 262, 860, 1.5), (table.hand, 176, 500, 1040, 2.2)):
        if cards:
            pitch = min(most * 0.94, (span - most) / max(1, len(cards) - 1))
            faces = [_card(card, games) for card in cards]
            parts += _fan(faces, most, (width // 2, y), pitch, min(turn, 20 / len(cards)))
    title = escape(" · ".join(dict.fromkeys((table.title, "Athanor"))))
    parts.append(f'<text class="title" x="56" y="82" font-size="50">{_TITLE}</text>')
    parts.append(f'<text class="title" x="58" y="128" font-size="28">{title}</text></svg>')
    return _UNKNOWN.sub("", "".join(parts))


def _laid(kind: str, ink: str, drawing: str) -> str:
    """A card with its shadow. Where it lies is still to be filled in."""
    return f'<g class="{kind}" color="{ink}" transform="{{place}}">{_SHADOW}{drawing}</g>'


def _fan(
    cards: Sequence[str], width: int, middle: tuple[int, int], pitch: float, turn: float, angle: int = 0
) -> Iterator[str]:
    """Lay cards in a fan around a point: each `pitch` after the one before, and turned by `turn` degrees."""
    for number, card in enumerate(cards):
        off = number - (len(cards) - 1) / 2
        x, y = off * pitch, off * off * pitch * turn / 115  # as on a circle
        transform = (
            f"translate({middle[0]} {middle[1]}) rotate({-angle}) translate({x:.1f} {y:.1f}) "
            f"rotate({off * turn:.2f}) scale({width / _WIDTH:.2f}) translate({-_WIDTH / 2} {-_HEIGHT / 2})"
        )
        yield card.replace("{place}", transform)


@cache
def _symbols(game: str) -> str:
    """A game's illustrations, if it has any; of no game, the signs."""
    from jinja2 import TemplateNotFound

    with suppress(TemplateNotFound):  # a game of another package has none
        text = template(f"art/{game}.svg" if game else "signs.svg").render().replace("var(--paper)", _PAPER)
        return "".join(re.findall(r"<symbol.*?</symbol>", text, re.DOTALL))
    return ""


@cache
def _inks() -> dict[str, str]:
    """The colours of the page's cards by their names."""
    return dict(re.findall(r"\.ink-(\w+) \{\s*color: (#\w+)", source("style/cards.css")))


@cache
def _fonts() -> list[str]:
    """Files of fonts that the page's style sheet names, too. Matplotlib, which isn't imported for it, has them."""
    spec = importlib.util.find_spec("matplotlib")
    assert spec is not None
    assert spec.origin is not None
    folder = Path(spec.origin).parent / "mpl-data" / "fonts" / "ttf"
    return [str(folder / f"DejaVu{name}-Bold.ttf") for name in ("Serif", "Sans")]


_scripts = threading.local()  # QuickJS runs a script only in the thread that read it


def _card(card: Card, games: str) -> str:
    """Draw a card by the page's script."""
    if getattr(_scripts, "games", None) != games:
        import quickjs

        [script] = bundle.scripts(source, [sentences("en"), *own(".en.js"), bundle.PICTURE])
        context = quickjs.Context()
        context.eval(f"globalThis.games = {games}")
        context.eval(script)
        _scripts.games, _scripts.draw = games, context.get("draw")
    ink, svg = json.loads(_scripts.draw(card.game, card.face, _symbols("") + _symbols(card.game)))
    return _laid("face", _inks().get(ink, "black"), svg.removeprefix("<svg>").removesuffix("</svg>"))
