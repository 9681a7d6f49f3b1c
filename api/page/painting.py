"""Paints cards from the page's drawings: SVG of the forms that `templates/art`, `signs.svg` and `Drawn` have."""

from __future__ import annotations

import importlib.util
import math
import re
from collections.abc import Iterator, Mapping
from functools import cache, lru_cache
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any
from xml.etree import ElementTree

if TYPE_CHECKING:
    from PIL import Image

Point = tuple[float, float]
Matrix = tuple[float, float, float, float, float, float]  # as in SVG
Style = Mapping[str, str]

WIDTH, HEIGHT = 50, 70  # of a card, in the units of its drawing
_PAPER, _EDGE = "#fffef9", "#b9ae96"
_ITSELF = "var(--paper)"
# What the page's style sheet says of the parts of a card.
_CLASSES: dict[str, dict[str, str]] = {
    "paper": {"fill": _ITSELF, "stroke": _EDGE, "stroke-width": "1"},
    "ground": {"fill": "currentColor", "opacity": ".09"},
    "pill": {"fill": "currentColor"},
    "bonus": {"fill": "#fff", "font-size": "7.5"},
    "seal": {"fill": _ITSELF, "stroke": "currentColor", "stroke-width": "1.2"},
    "label": {"stroke": _ITSELF, "stroke-width": "3.5"},
    "none": {"opacity": ".28"},
}
_INHERITED = ("fill", "stroke", "stroke-width", "font-size", "text-anchor")
_HALF_TURN = "rotate(180 25 35)"  # of a card's lower corner, with its text
_SPACE = ' xmlns="http://www.w3.org/2000/svg"'
_FINE = 2  # cards are painted so many times larger, and then reduced
_LAST = "\u2e80"  # the font has no letters of Chinese and Japanese, which follow
_STEPS = 8  # straight pieces of a curve


@cache
def font(size: int, family: str = "DejaVuSerif-Bold") -> Any:
    """A font that the page's style sheet names, too; Matplotlib, which isn't imported for it, has it."""
    from PIL import ImageFont

    spec = importlib.util.find_spec("matplotlib")
    assert spec is not None
    assert spec.origin is not None
    return ImageFont.truetype(
        str(Path(spec.origin).parent / "mpl-data" / "fonts" / "ttf" / f"{family}.ttf"), max(1, size)
    )


def symbols(text: str) -> dict[str, ElementTree.Element]:
    """Return the symbols in a template of signs or illustrations, by their IDs."""
    root = ElementTree.fromstring("<all>" + text.replace(_SPACE, "") + "</all>")
    return {symbol.get("id", ""): symbol for symbol in root.iter("symbol")}


def card(
    drawing: str, ink: str, known: Mapping[str, ElementTree.Element], width: int, paper: str = _PAPER
) -> Image.Image:
    """Paint a card.

    Parameters
    ----------
    drawing
        What the page's `Drawn` makes of it.
    ink
        Its colour.
    known
        The symbols to which it refers, by their IDs.
    width
        In pixels.
    paper
        The colour of its ground.
    """
    from PIL import Image, ImageDraw

    scale = _FINE * width / WIDTH
    size = (_FINE * width, round(scale * HEIGHT))
    image = Image.new("RGB", size, paper)
    _Painter(image, known, ink, paper).paint(ElementTree.fromstring(drawing), (scale, 0, 0, scale, 0, 0), {}, 1)
    shape = Image.new("L", size)
    edge = scale / 2
    ImageDraw.Draw(shape).rounded_rectangle((edge, edge, size[0] - edge, size[1] - edge), 5.5 * scale, 255)
    image.putalpha(shape)
    return image.reduce(_FINE)


class _Painter:
    def __init__(self, image: Image.Image, known: Mapping[str, ElementTree.Element], ink: str, paper: str) -> None:
        from PIL import ImageDraw

        self.image, self.known, self.ink, self.paper = image, known, ink, paper
        self.draw = ImageDraw.Draw(image, "RGBA")

    def paint(self, element: ElementTree.Element, at: Matrix, style: Style, opacity: float) -> None:
        own = dict(element.attrib)
        for word in own.get("class", "").split():
            own |= _CLASSES.get(word, {})
        style = {**style, **{name: own[name] for name in _INHERITED if name in own}}
        opacity *= float(own.get("opacity", 1))
        if own.get("transform") == _HALF_TURN:
            self._turned(element, at, style, opacity)
            return
        at = _moved(at, own.get("transform", ""))
        match element.tag:
            case "use":
                self._use(own, at, style, opacity)
            case "text":
                self._text(element, own, at, style, opacity)
            case "path" | "rect" | "circle":
                for points, closed in _outlines(element.tag, own):
                    self._shape([_at(at, point) for point in points], closed, at, style, opacity)
            case _:
                for child in element:
                    self.paint(child, at, style, opacity)

    def _turned(self, element: ElementTree.Element, at: Matrix, style: Style, opacity: float) -> None:
        from PIL import Image

        turned = self.image.transpose(Image.Transpose.ROTATE_180)
        painter = _Painter(turned, self.known, self.ink, self.paper)
        for child in element:
            painter.paint(child, at, style, opacity)
        self.image.paste(turned.transpose(Image.Transpose.ROTATE_180))

    def _use(self, own: Style, at: Matrix, style: Style, opacity: float) -> None:
        symbol = self.known.get(own["href"].removeprefix("#"))
        if symbol is None:
            return
        left, top, width, height = map(float, symbol.get("viewBox", "0 0 100 100").split())
        scale = min(float(own.get("width", width)) / width, float(own.get("height", height)) / height)
        x, y = float(own.get("x", 0)), float(own.get("y", 0))
        inside = _times(at, (scale, 0, 0, scale, x - left * scale, y - top * scale))
        for child in symbol:
            self.paint(child, inside, style, opacity)

    def _shape(self, points: list[Point], closed: bool, at: Matrix, style: Style, opacity: float) -> None:
        fill, stroke = (self._color(style.get(name), opacity) for name in ("fill", "stroke"))
        if "fill" not in style:
            fill = (0, 0, 0, round(255 * opacity))
        if fill is not None and len(points) > 2:
            self.draw.polygon(points, fill)
        if stroke is None:
            return
        width = float(style.get("stroke-width", 1)) * math.sqrt(abs(at[0] * at[3] - at[1] * at[2]))
        line = [*points, points[0]] if closed else points
        self.draw.line(line, stroke, max(1, round(width)), joint="curve")
        for x, y in (line[0], line[-1]):
            self.draw.ellipse((x - width / 2, y - width / 2, x + width / 2, y + width / 2), stroke)

    def _text(self, element: ElementTree.Element, own: Style, at: Matrix, style: Style, opacity: float) -> None:
        size = re.search(r"[\d.]+", own.get("style", "") or style.get("font-size", "10"))
        assert size is not None
        family = "DejaVuSans-Bold" if own.get("class") in ("foot", "bonus") else "DejaVuSerif-Bold"
        face = font(round(float(size[0]) * at[0]), family)
        anchor = {"middle": "ms", "end": "rs"}.get(style.get("text-anchor", ""), "ls")
        where = _at(at, (float(own["x"]), float(own["y"])))
        text = "".join(element.itertext()).strip()
        if max(text, default="") > _LAST:
            return
        fill = self._color(style.get("fill", "currentColor"), opacity)
        stroke = self._color(style.get("stroke"), opacity)
        width = round(float(style.get("stroke-width", 0)) * at[0] / 2) if stroke else 0
        self.draw.text(where, text, fill, face, anchor, stroke_width=width, stroke_fill=stroke)

    def _color(self, name: str | None, opacity: float) -> tuple[int, ...] | None:
        from PIL import ImageColor

        if name is None or name == "none":
            return None
        if name.startswith("var("):
            name = self.paper
        rgb = ImageColor.getrgb(self.ink if name.lower() == "currentcolor" else name)
        return (*rgb[:3], round(255 * opacity))


def _at(matrix: Matrix, point: Point) -> Point:
    a, b, c, d, e, f = matrix
    x, y = point
    return a * x + c * y + e, b * x + d * y + f


def _times(first: Matrix, second: Matrix) -> Matrix:
    a, b, c, d, e, f = first
    g, h, i, j, k, m = second
    return a * g + c * h, b * g + d * h, a * i + c * j, b * i + d * j, a * k + c * m + e, b * k + d * m + f


def _moved(at: Matrix, transform: str) -> Matrix:
    for name, text in re.findall(r"(\w+)\(([^)]*)\)", transform):
        numbers = [float(number) for number in re.split(r"[ ,]+", text.strip())]
        if name == "translate":
            x, y = (*numbers, 0)[:2]
            at = _times(at, (1, 0, 0, 1, x, y))
        elif name == "rotate":
            angle, x, y = (*numbers, 0, 0)[:3]
            sine, cosine = math.sin(math.radians(angle)), math.cos(math.radians(angle))
            for part in ((1, 0, 0, 1, x, y), (cosine, sine, -sine, cosine, 0, 0), (1, 0, 0, 1, -x, -y)):
                at = _times(at, part)
    return at


def _outlines(tag: str, own: Style) -> Iterator[tuple[list[Point], bool]]:
    """Yield the points of each part of a shape, and whether it is closed."""
    if tag == "rect":
        x, y, width, height = (float(own.get(name, 0)) for name in ("x", "y", "width", "height"))
        r = min(float(own.get("rx", 0)), width / 2, height / 2)
        d = (
            f"M{x + r} {y}H{x + width - r}A{r} {r} 0 0 1 {x + width} {y + r}V{y + height - r}A{r} {r} 0 0 1 "
            f"{x + width - r} {y + height}H{x + r}A{r} {r} 0 0 1 {x} {y + height - r}V{y + r}"
            f"A{r} {r} 0 0 1 {x + r} {y}z"
        )
    elif tag == "circle":
        x, y, r = (float(own[name]) for name in ("cx", "cy", "r"))
        d = f"M{x - r} {y}A{r} {r} 0 0 1 {x + r} {y}A{r} {r} 0 0 1 {x - r} {y}z"
    else:
        d = own["d"]
    yield from _flat(d)


@lru_cache(4096)
def _flat(d: str) -> tuple[tuple[list[Point], bool], ...]:
    """Return the parts of a path as points, with its curves in straight pieces."""
    from fontTools.pens.recordingPen import DecomposingRecordingPen
    from fontTools.svgLib.path.parser import parse_path

    pen = DecomposingRecordingPen({})
    parse_path(d, pen)
    parts: list[tuple[list[Point], bool]] = []
    points: list[Point] = []
    for name, to in pen.value:
        match name:
            case "moveTo":
                points = [to[0]]
            case "lineTo":
                points.append(to[0])
            case "curveTo" | "qCurveTo":
                points += _curve((points[-1], *to))
            case _:
                parts.append((points, name == "closePath"))
    return tuple(parts)


def _curve(control: tuple[Point, ...]) -> Iterator[Point]:
    """Yield points of a Bézier curve, by de Casteljau's algorithm."""
    for step in range(1, _STEPS + 1):
        t = step / _STEPS
        points = list(control)
        while len(points) > 1:
            points = [((1 - t) * a + t * c, (1 - t) * b + t * d) for (a, b), (c, d) in pairwise(points)]
        yield points[0]
