"""Positions at the table: dealing, what a seat sees, legal moves, and playing them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Annotated, Any, Unpack

from athanor.arguments import all_played, control_of, position_of, record_of
from athanor.asking import (
    QUESTIONS,
    Count,
    Help,
    PositionLike,
    RecordLike,
    Search,
    Seed,
    Sent,
    Whole,
    question,
)
from solver import registry
from solver.errors import MoveError, RequestError
from solver.game import is_open
from solver.language import say
from solver.registry import game_of

if TYPE_CHECKING:
    from solver.answers import AnyPosition, Moves, Score
    from solver.display import CardFace, DeckTable


_Deck = Annotated[
    str | Mapping[str, Any] | None,
    Sent("solver.decks:NamedDeck"),
    Help("A deck's name or a whole deck, for games with exchangeable decks; by default the shipped one."),
]
if TYPE_CHECKING:
    _MovesLike = str | Sequence[str] | None
else:
    _MovesLike = Any  # read by `play`, whose errors say which move is wrong
_Variant = Annotated[str | None, Help("The variant, in games that have some.")]


def drawn_seed() -> int:
    """Return a seed for a new deal, short enough to be typed."""
    import secrets

    return secrets.randbelow(1 << 32)


@question()
def deal(
    game: str,
    *,
    seed: Annotated[Seed | None, Help("The same seed always gives the same deal; default: a new one.")] = None,
    number: Annotated[Seed, Help("Which deal of the seed.")] = 0,
    players: Annotated[Count | None, Help("How many players.")] = None,
    variant: _Variant = None,
    deck: _Deck = None,
    rules: Annotated[
        Mapping[str, bool] | None, Sent("solver.rule_options:SentRules"), Help("The rule options that are on.")
    ] = None,
    seat: Annotated[Whole | None, Help("Only what the player in this seat sees.")] = None,
) -> AnyPosition:
    """A fresh deal, as a position.

    The same seed and number always give the same deal, with every card known or, with `seat`, as that player sees
    it. `number` counts the deals of a seed. Without `seed`, a random one is used. `players` and `variant` default
    to the game's usual ones. `deck` is a deck's name, or a whole deck as a dict with the keys it has in TOML; by
    default the built-in one. `rules` turns on optional rules by name: ``{"late_trump_does_not_lift": True}``.

    Raises RequestError for an unknown game or variant, an impossible number of players, a deck of a game with
    fixed cards, and rules of a game without options; PositionError for a bad or unknown deck, and for an unknown
    option.
    """
    dealt = registry.game(game)
    drawn = drawn_seed() if seed is None else seed
    position = dealt.deal(drawn, number=number, players=players, variant=variant, deck=deck, rules=rules)
    return position if seat is None else dealt.view(position, seat)


def numbered_deal(values: Mapping[str, Any]) -> dict[str, Any]:
    """Ask for a deal with the keywords of `deal`; return it as data, with its seed and number."""
    from solver.positions import position_data, text_of

    seed = drawn_seed() if values["seed"] is None else values["seed"]
    position = QUESTIONS["deal"].run({**values, "seed": seed})
    return {
        "seed": seed,
        "number": values["number"],
        "text": text_of(position),
        "position": position_data(position),
    }


@question()
def cards(game: str, *, variant: _Variant = None, deck: _Deck = None) -> Sequence[CardFace]:
    """The faces of a game's cards, in the order of the deck, for displaying them.

    `deck` is as for `deal`. Raises RequestError for an unknown game or variant, for a deck of a game with fixed
    cards, and for a game without card faces; PositionError for a bad or unknown deck.
    """
    return registry.game(game).cards(variant=variant, deck=deck)


@question()
def deck(
    game: str,
    *,
    deck: _Deck = None,
    rows: Annotated[
        Sequence[Mapping[str, str]] | None,
        Sent("solver.decks:SentRows"),
        Help("The rows of a deck's table, in place of a deck: each card's cells by column."),
    ] = None,
    name: Annotated[str, Sent("solver.decks:DeckName"), Help("The name of a deck given by its rows.")] = "own",
) -> DeckTable:
    """A deck as a table, to be changed and read again, and as the text of a CSV and a TOML file.

    `deck` is as for `deal`. Raises RequestError for an unknown game and for a game with fixed cards; PositionError
    for a bad or unknown deck, with paths such as ``rows[3].points`` if it was given by its rows.
    """
    from solver.decks import deck_table, kind_of

    kind = kind_of(registry.game(game))
    if kind is None:
        raise RequestError(
            "not_offered", say("the cards of {game} are fixed: it has no other decks", game=game), "game"
        )
    return deck_table(kind, deck, rows, name)


@question()
def view(position: PositionLike, seat: Annotated[Whole, Help("The seat, counted from 0.")]) -> AnyPosition:
    """What the player in a seat sees of a position.

    Raises RequestError for a seat that does not exist, if `position` is another seat's view, and for a position
    without its earlier plays.
    """
    known = position_of(position)
    return game_of(known).view(known, seat)


@question()
def worlds(
    position: PositionLike,
    limit: Annotated[Count, Help("The most deals to return; fewer if there are not as many.")] = 1,
    *,
    seed: Annotated[Seed, Help("The seed of the sample; the same seed gives the same deals.")] = 0,
) -> list[AnyPosition]:
    """Deals that agree with a view, as positions with every card known.

    Returns all of them if there are at most `limit`, otherwise `limit` chosen at random with equal chances; the
    same seed chooses the same ones. Each agrees with what was played and shown.

    Raises RequestError for a position in which no card is hidden.
    """
    seen = position_of(position)
    return list(game_of(seen).worlds(seen, limit, seed))


def legal_moves(position: PositionLike) -> list[str]:
    """Return all legal moves of the seat to move as text, in canonical order.

    The list is empty when the round is over, and in a view while another seat is to move.
    """
    known = position_of(position)
    rules = game_of(known)
    return [rules.format_move(known, move) for move in rules.legal_moves(known)]


def possible_moves(view: PositionLike) -> list[str]:
    """Return all moves that the seat to move may make as far as the view's player knows, in canonical order.

    If the player is to move, these are the player's legal moves. The list is empty when the round is over. Raises
    RequestError for a position with every card known.
    """
    seen = position_of(view)
    return list(game_of(seen).possible(seen))


def to_move(position: PositionLike) -> int | None:
    """Return the seat to move in a position or view, counted from 0, or None when the round is over."""
    known = position_of(position)
    return game_of(known).turn(known)


@question()
def moves(
    position: PositionLike,
    *,
    empty_if_too_many: Annotated[
        bool, Help("Whether to list no moves, instead of refusing, if there are too many to list.")
    ] = False,
) -> Moves:
    """The moves that may come next in a position or view.

    `possible_moves` are those that others may make as far as a view's player knows: another seat that is to move
    or, in a duel of Alchemy, the opponent, who may grab a match first.
    """
    from solver.answers import Moves
    from solver.positions import text_of

    known = position_of(position)
    rules = game_of(known)
    legal: tuple[str, ...]
    possible: tuple[str, ...]
    try:
        legal = tuple(rules.format_move(known, move) for move in rules.legal_moves(known))
        goes_on = is_open(known) if legal else rules.is_view(known)
        possible = tuple(text for text in rules.possible(known) if text not in legal) if goes_on else ()
        seat = getattr(known, "seat_to_move", 0) if legal or possible else None
    except RequestError as error:
        if error.code != "too_large" or not empty_if_too_many:
            raise
        legal, possible, seat = (), (), rules.turn(known)
    return Moves(game=rules.name, text=text_of(known), to_move=seat, legal_moves=legal, possible_moves=possible)


@question()
def play(
    position: PositionLike,
    moves: Annotated[
        _MovesLike, Help("Moves, in order. In a view, give what the viewer saw of the other seats' moves.")
    ],
) -> AnyPosition:
    """The position after one or several legal moves, given as text.

    An answer's `best` is such a text, or None if there is no move. In a view, the moves are what the player has
    seen. These are the other seats' moves as everybody sees them, and in some games other events:

    - Alchemy: the cards turned up from the stock
    - Aqua Regia: ``draws Zn`` for the card that the player draws, ``no lead`` for a dealer who cannot lead
    - King × Alchemy: all picks together, the player's own first

    In a duel of Alchemy, a match grabbed by the other seat is written with its seat, ``1:5+2=7``, and ``deal SEED
    NUMBER`` begins the next round.

    Raises MoveError (with the path ``moves[2]`` if several are given) for a move that cannot be read, is illegal,
    or is None.
    """
    known = position_of(position)
    if moves is None:
        raise MoveError("illegal_move", say("there is no move to play"))
    if isinstance(moves, str):
        return game_of(known).observe(known, [moves])[0]
    texts = list(moves) if isinstance(moves, Iterable) else [moves]
    for number, move in enumerate(texts):
        if not isinstance(move, str):
            message = say("a move is text, not {type}", type=type(move).__name__)
            raise MoveError("illegal_move", message, f"moves[{number}]")
    return all_played(known, texts)


@question()
def score(record: RecordLike, **search: Unpack[Search]) -> Score:
    """The score of a finished round, or of a match.

    `record` is an object, a dict, or text. In King × Alchemy, a search finds the best recipes for the cards
    won. Its limits are as for `analyze`; if one is reached before everything is proved, the score says so and has
    bounds. For nearly all decks the search takes almost no time.

    Raises PositionError for a record that breaks the rules.
    """
    known = record_of(record)
    return game_of(known).score(known, control_of(search))
