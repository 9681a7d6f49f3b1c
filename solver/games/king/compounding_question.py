"""The question "compound" of King × Alchemy: what can be made of a set of cards, and a picture of it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from typing import Any

from pydantic import BaseModel

from solver.answers import CompoundAnalysis, Compounding, Example, MadeRecipe, Wishes
from solver.codec import Names
from solver.common import MOST_WAYS, counted, one_after_another
from solver.errors import Fault, MoveError, RequestError
from solver.games.king import compounding, rules
from solver.games.king.deck import CARDS, Deck
from solver.games.king.position import CardSet
from solver.language import say, translated
from solver.limits import Control


def card_set(position: BaseModel) -> CardSet:
    """The position, if it is a set of cards. Raises RequestError otherwise."""
    if not isinstance(position, CardSet):
        raise RequestError("not_offered", say("to compound, give the cards that were won"), "cards")
    return position


_CARDS = ["F1", "F10", "F11", "W4", "W7", "W9", "W10", "E1", "E9", "A7", "A10", "T3", "D"]
_POSITION = {"game": "king", "deck": "house", "cards": _CARDS}


class CompoundQuestion:
    """Answers the question "compound": what can be made of a set of won cards.

    See `solver.answers.Compounder`.
    """

    examples: Mapping[str, Example] = {
        "best": Example("The best way to compound", {"position": _POSITION}),
        "wishes": Example(
            "Three ways that use one card and not another",
            {"position": _POSITION, "must": ["E9"], "without": ["F1"], "best": 3},
        ),
        "missing": Example("What other cards would add", {"position": _POSITION, "missing": True}),
    }

    def answer(self, position: BaseModel, control: Control, wishes: Wishes | None = None) -> CompoundAnalysis:
        """Find the best ways to compound the set. Raises RequestError for options that cannot be met."""
        cards, wishes = card_set(position), wishes or Wishes()
        must, without = _named(cards, wishes)
        if not 1 <= wishes.best <= MOST_WAYS:
            message = say("the best 1 to {most_ways} ways can be asked for", most_ways=MOST_WAYS)
            raise RequestError("out_of_range", message, "best")
        return compounding.compound(
            cards.full_deck,
            cards.numbers,
            control,
            must=must,
            without=without,
            count=wishes.best,
            missing=wishes.missing,
        )

    def check(self, position: BaseModel, wishes: Wishes) -> None:
        """Raise RequestError for cards that are not in the set, listed twice, or both used and left out."""
        _named(card_set(position), wishes)

    def made(self, position: BaseModel, recipes: Sequence[tuple[str, Sequence[str]]]) -> Compounding:
        """Build the compounding that makes each carrier's recipe from the cards paired with it (all as codes).

        Raises MoveError if a card is missing, used twice, or not needed by the recipe.
        """
        return _made(card_set(position), recipes)

    def picture(self, position: BaseModel, made: Compounding) -> str:
        """Draw the recipe graph of the set as SVG, with `made` highlighted."""
        cards = card_set(position)
        return recipe_graph(cards.full_deck, cards.numbers, made)

    def warm(self) -> None:
        """Load the kernel and the libraries that compounding needs."""
        compounding.warm()


QUESTION = CompoundQuestion()


def _held(position: CardSet, code: str, path: str, error: type[MoveError | RequestError]) -> int:
    """The deck index of the card with this code in the set. Raises an `error` if there is none."""
    card = rules.card_of(position.full_deck, Names(position.full_deck.index).card(code))
    if isinstance(card, str):
        raise error("illegal_card", card, path)
    if card not in position.numbers:
        raise error("illegal_card", say("{code} is not among the cards", code=code), path)
    return card


def _named(cards: CardSet, wishes: Wishes) -> tuple[list[int], list[int]]:
    """The cards that must be used and those that must not. Raises RequestError with all faults."""
    faults: list[Fault] = []
    must = _wished(cards, wishes.must, "must", faults)
    without = _wished(cards, wishes.without, "without", faults)
    for card, index in without.items():
        if card in must:
            message = say("{code} cannot be both used and left out", code=wishes.without[index])
            faults.append(Fault("conflict", message, f"without[{index}]"))
    if faults:
        raise RequestError.of(faults)
    return [*must], [*without]


def _wished(position: CardSet, codes: Sequence[str], key: str, faults: list[Fault]) -> dict[int, int]:
    """The cards that an option lists, with their places. Cards that are repeated or not in the set are faults."""
    cards: dict[int, int] = {}
    for index, code in enumerate(codes):
        path = f"{key}[{index}]"
        try:
            card = _held(position, code, path, RequestError)
        except RequestError as error:
            faults += error.faults
            continue
        if card in cards:
            message = say("{code} is in {key}[{index}] already", code=code, key=key, index=cards[card])
            faults.append(Fault("duplicate_card", message, path))
        else:
            cards[card] = index
    return cards


def _made(position: CardSet, recipes: Sequence[tuple[str, Sequence[str]]]) -> Compounding:
    deck = position.full_deck
    used: set[int] = set()
    faults: list[Fault] = []

    def take(code: str, path: str) -> int | None:
        """The card, which is used now; None if it can't be."""
        try:
            card = _held(position, code, path, MoveError)
        except MoveError as error:
            faults.extend(error.faults)
            return None
        if card in used:
            faults.append(Fault("duplicate_card", say("{code} is used twice", code=code), path))
            return None
        used.add(card)
        return card

    answered = []
    for index, (code, uses) in enumerate(recipes):
        carrier = take(code, f"[{index}].card")
        cards = [take(other, f"[{index}].uses[{number}]") for number, other in enumerate(uses)]
        recipe = None if carrier is None else deck.cards[carrier].recipe
        if carrier is None or recipe is None:
            if carrier is not None:
                faults.append(Fault("illegal_card", say("{code} carries no recipe", code=code), f"[{index}].card"))
            continue
        lacking = list(recipe.needs)
        for number, card in enumerate(cards):
            provided = None if card is None else deck.cards[card].provides
            if provided in lacking:
                lacking.remove(provided)
            elif card is not None:
                message = say(
                    "{other} ({value}) is not needed: {item} needs {needs}",
                    other=uses[number],
                    value=translated(provided) if provided else say("no ingredient"),
                    item=translated(recipe.item),
                    needs=one_after_another(map(translated, recipe.needs)),
                )
                faults.append(Fault("illegal_card", message, f"[{index}].uses[{number}]"))
        served = deck.codes(card for card in cards if card is not None)
        if lacking and len(served) == len(uses):
            message = say(
                "{item} also needs {names}",
                item=translated(recipe.item),
                names=one_after_another(map(translated, lacking)),
            )
            faults.append(Fault("illegal_card", message, f"[{index}].uses"))
        (own,) = deck.codes([carrier])
        answered.append(MadeRecipe(card=own, item=recipe.item, uses=tuple(served), bonus=recipe.bonus))
    if faults:
        raise MoveError.of(faults)
    return compounding.compounding_of(deck, position.numbers, answered)


# ----------------------------------------------------------------------------------------------------
# The recipe graph as SVG: ingredients with the cards that provide them, recipes, and the cards used in each.
#
# The picture needs no external font, style sheet or script. The same cards always give the same text.


_ROW, _BOX, _PAD = 34, 24, 24
_CHIP_GAP, _CHARACTER = 5, 7.6  # pixels; about the widest letters of the font
_SPAN = 300  # between the columns, room for the lines
_HEAD = 84
_SWEEPS = 12
_MOST_CHIPS = 12
_PLAIN_LEGEND = "Dashed: an ingredient is missing."
_LEGEND = "Filled: made, and the cards that serve. Outlined: the carrier itself. " + _PLAIN_LEGEND

# Dark enough for white text.
_COLOURS = (
    "#0072b2", "#d55e00", "#00805c", "#b5528f", "#8f6b00", "#5b4bb0", "#8c564b", "#3b8f2a",
    "#c2185b", "#00838f", "#555555", "#2a8fbd",
)  # fmt: skip
_STYLE = (
    "text{font:13px 'DejaVu Sans',Verdana,sans-serif;fill:#222;dominant-baseline:central}"
    ".title{font-size:17px;font-weight:bold}.quiet{fill:#666}.made{fill:#fff}.bold{font-weight:bold}"
    "path{fill:none;stroke:#c4c4c4;stroke-width:1.2}.served{stroke-width:3}"
    "rect{fill:#fff;stroke:#999}.lacking{stroke-dasharray:4 3;stroke:#bbb}"
)


@dataclass(frozen=True)
class _Graph:
    """Heights, in pixels, of the ingredients and of the recipes' carriers, each in the order of its column."""

    ingredients: dict[str, float]
    recipes: dict[int, float]


def recipe_graph(deck: Deck, cards: Iterable[int], compounding: Compounding | None = None) -> str:
    """The recipe graph of a set of cards, as the text of an SVG file.

    The recipes that `compounding` makes, and the cards used in them, are coloured.
    """
    held = sorted(set(cards))
    graph = _laid_out(deck, held)
    return _Drawing(deck, held, graph, compounding).text()


def _laid_out(deck: Deck, held: Sequence[int]) -> _Graph:
    """Place the ingredients and the recipes in two columns, ordered so that few lines cross."""
    import networkx

    named = {card.provides for card in map(deck.cards.__getitem__, held)}
    named |= {need for card in held if (recipe := deck.cards[card].recipe) for need in recipe.needs}
    names = sorted(name for name in named if name is not None)
    # Numbers as nodes: networkx makes sets, and sets of names have a different order in each process.
    node = {name: CARDS + at for at, name in enumerate(names)}
    links = networkx.Graph()
    for card in held:
        recipe = deck.cards[card].recipe
        if recipe is not None:
            links.add_edges_from((node[need], card) for need in recipe.needs)
    order: list[int] = list(networkx.utils.reverse_cuthill_mckee_ordering(links)) if links else []
    columns = [[n for n in order if n >= CARDS], [n for n in order if n < CARDS]]
    # Sort each column in turn by the mean of the neighbours' places (Sugiyama, Tagawa and Toda 1981).
    best, fewest = columns, _crossings(links, columns)
    for sweep in range(_SWEEPS):
        fixed, moved = sweep % 2, 1 - sweep % 2
        level = {spot: at for at, spot in enumerate(columns[fixed])}
        centre = {spot: sum(level[other] for other in links[spot]) / len(links[spot]) for spot in columns[moved]}
        columns = list(columns)
        columns[moved] = sorted(columns[moved], key=centre.__getitem__)
        crossings = _crossings(links, columns)
        if crossings < fewest:
            best, fewest = columns, crossings
    ingredients, recipes = best
    ingredients += [node[name] for name in names if node[name] not in ingredients]
    # Both columns are centred; the longer one fills all rows.
    rows = max(len(ingredients), len(recipes))
    heights = [[(at + (rows - len(column)) / 2) * _ROW for at in range(len(column))] for column in best]
    return _Graph(
        dict(zip((names[spot - CARDS] for spot in ingredients), heights[0], strict=True)),
        dict(zip(recipes, heights[1], strict=True)),
    )


def _crossings(links: Any, columns: list[list[int]]) -> int:
    """Count the pairs of lines that cross."""
    height = {node: at for column in columns for at, node in enumerate(column)}
    ends = sorted((height[need], height[card]) for need in columns[0] for card in links[need])
    return sum(a < c and b > d for at, (a, b) in enumerate(ends) for c, d in ends[at + 1 :])


@dataclass
class _Drawing:
    """Draws the graph, from left to right: card codes in boxes, ingredient names, lines, recipes."""

    deck: Deck
    held: Sequence[int]
    graph: _Graph
    compounding: Compounding | None

    def __post_init__(self) -> None:
        deck = self.deck
        self.chips: dict[str, list[str]] = {name: [] for name in self.graph.ingredients}
        for card in self.held:
            provided = deck.cards[card].provides
            if provided is not None:
                self.chips[provided].append(deck.cards[card].code)
        recipes = self.compounding.recipes if self.compounding else ()
        self.colour = {recipe.card: _COLOURS[at % len(_COLOURS)] for at, recipe in enumerate(recipes)}
        self.serves = {code: recipe.card for recipe in recipes for code in recipe.uses}
        for codes in self.chips.values():
            codes.sort(key=lambda code: (code not in self.serves, deck.index[code]))
        self.left = _PAD + max(map(_chips_width, self.chips.values()), default=0.0)
        self.name_width = max((_width(name) for name in self.graph.ingredients), default=0.0)
        self.labels = {card: self._label(card) for card in self.graph.recipes}
        self.box_width = max((_width(label) for label in self.labels.values()), default=0.0) + 12
        self.begin = self.left + self.name_width + 14
        self.end = self.begin + _SPAN

    def _label(self, card: int) -> str:
        recipe = self.deck.cards[card].recipe
        assert recipe is not None
        return f"{self.deck.cards[card].code} {recipe.item} +{recipe.bonus}"

    def text(self) -> str:
        rows = max(len(self.graph.ingredients), len(self.graph.recipes), 1)
        title, below = self._heads()
        width = max(self.end + self.box_width, _PAD + _width(title) * 1.35, _PAD + _width(_LEGEND)) + _PAD
        height = _HEAD + rows * _ROW + 2 * _PAD
        parts = [
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:.0f}" height="{height}" '
            f'viewBox="0 0 {width:.0f} {height}" role="img">',
            f"<title>{escape(title)}: {escape(below)}</title>",
            f"<style>{_STYLE}</style>",
            f'<rect width="{width:.0f}" height="{height}" style="stroke:none"/>',
            _text(_PAD, 30, title, "title"),
            _text(_PAD, 56, below, "quiet"),
            *self._lines(),
            *(part for name in self.graph.ingredients for part in self._ingredient(name)),
            *(part for card in self.graph.recipes for part in self._recipe(card)),
            _text(_PAD, height - _PAD, _LEGEND if self.compounding else _PLAIN_LEGEND, "quiet"),
        ]
        return "\n".join([*parts, "</svg>", ""])

    def _heads(self) -> tuple[str, str]:
        if self.compounding is None:
            recipes = counted(len(self.graph.recipes), "recipe")
            return self.deck.title, f"{counted(len(self.held), 'card')}, {recipes}"
        count = len(self.compounding.recipes)
        points = (
            f"{self.compounding.vp} points and {self.compounding.bonus} of bonus make {self.compounding.total}"
        )
        return (
            self.deck.title,
            f"{counted(len(self.held), 'card')}, {count} of {len(self.graph.recipes)} recipes made: {points}",
        )

    def _lines(self) -> Iterator[str]:
        """Yield a line from each recipe to each ingredient it needs; those of made recipes come last, on top."""
        served = []
        for card in self.graph.recipes:
            code, recipe = self.deck.cards[card].code, self.deck.cards[card].recipe
            assert recipe is not None
            for need in dict.fromkeys(recipe.needs):
                times = recipe.needs.count(need)
                style = f' class="served" style="stroke:{self.colour[code]}"' if code in self.colour else ""
                path = _curve(self.begin, _y(self.graph.ingredients[need]), self.end, _y(self.graph.recipes[card]))
                line = f'<path{style} d="{path}"/>'
                if times > 1:
                    line += _text(self.end - 26, _y(self.graph.recipes[card]) - 9, f"×{times}", "quiet")
                if style:
                    served.append(line)
                else:
                    yield line
        yield from served

    def _ingredient(self, name: str) -> Iterator[str]:
        y = _y(self.graph.ingredients[name])
        codes = self.chips[name]
        x = self.left
        for code in reversed(codes[:_MOST_CHIPS]):
            wide = _chip_width(code)
            x -= wide + _CHIP_GAP
            carrier = self.serves.get(code)
            colour = self.colour[carrier if carrier is not None else code] if self._used(code) else None
            yield _box(x, y, wide, code, colour, outlined=code in self.colour)
        if len(codes) > _MOST_CHIPS:
            yield _text(_PAD - 18, y, f"+{len(codes) - _MOST_CHIPS}", "quiet")
        yield _text(self.left + 4, y, name, "" if codes else "quiet")

    def _used(self, code: str) -> bool:
        return code in self.serves or code in self.colour

    def _recipe(self, card: int) -> Iterator[str]:
        code = self.deck.cards[card].code
        recipe = self.deck.cards[card].recipe
        assert recipe is not None
        short = any(len(self.chips[need]) < recipe.needs.count(need) for need in recipe.needs)
        colour = self.colour.get(code)
        yield _box(
            self.end,
            _y(self.graph.recipes[card]),
            self.box_width,
            self.labels[card],
            colour,
            lacking=short,
            left=True,
        )


def _chips_width(codes: Sequence[str]) -> float:
    return sum(_chip_width(code) + _CHIP_GAP for code in codes[:_MOST_CHIPS])


def _y(height: float) -> float:
    return _HEAD + _ROW / 2 + height


def _width(text: str) -> float:
    return len(text) * _CHARACTER


def _chip_width(code: str) -> float:
    return _width(code) + 10


def _curve(x: float, y: float, to_x: float, to_y: float) -> str:
    bend = (to_x - x) * 0.45
    return f"M{x:.1f},{y:.1f} C{x + bend:.1f},{y:.1f} {to_x - bend:.1f},{to_y:.1f} {to_x:.1f},{to_y:.1f}"


def _text(x: float, y: float, text: str, kind: str = "", anchor: str = "start") -> str:
    style = f' class="{kind}"' if kind else ""
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}"{style}>{escape(text)}</text>'


def _box(
    x: float,
    y: float,
    wide: float,
    text: str,
    colour: str | None,
    *,
    lacking: bool = False,
    outlined: bool = False,
    left: bool = False,
) -> str:
    """Draw a box with text: filled with `colour` or, if `outlined`, framed in it; dashed if `lacking`."""
    style = ""
    kind = "made"
    if colour and outlined:
        style, kind = f' style="stroke:{colour};stroke-width:2"', ""
    elif colour:
        style = f' style="fill:{colour};stroke:{colour}"'
    else:
        style, kind = (' class="lacking"', "quiet") if lacking else ("", "")
    box = f'<rect x="{x:.1f}" y="{y - _BOX / 2:.1f}" width="{wide:.1f}" height="{_BOX}" rx="5"{style}/>'
    at = (x + 6, "start") if left else (x + wide / 2, "middle")
    return box + _text(at[0], y, text, kind, at[1])
