"""The text formats of Aqua Regia's positions and records, and how missing keys are filled in.

A history is one list of moves, each with its seat: ``0:Zn,Zn/1:pass/2:pass:Zn:Pb``. If a trick does not begin in
the field that follows from the earlier moves, the field stands in front of it: ``acid/0:Fe``. If a history does
not begin with the round, the field and the number of cards in the stock stand in front: ``acid:17/0:Fe``.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from pydantic import BaseModel

from solver import decks
from solver.codec import (
    CARD,
    CARDS,
    DATA,
    FLAG,
    NOTHING,
    NUMBERS,
    PILES,
    ROW,
    RULES,
    WHOLE,
    WORD,
    Data,
    Listed,
    Names,
    Notation,
    Replayed,
    TwoReadings,
    Value,
    Voids,
    cards_of,
    entries,
    listed,
    parts,
    piles,
    texts,
    unescaped,
    written,
)
from solver.errors import Fault
from solver.findings import whole_fault
from solver.games.aqua_regia.deck import FIELDS, KIND, MOST_COPIES, MOST_METALS, AquaReadings, Deck, read_by
from solver.games.aqua_regia.position import (
    NO_LEAD,
    Replay,
    Seen,
    Stuck,
    fill_in,
    first_stock,
    moves_seen,
    played,
    players_of,
)
from solver.games.aqua_regia.rules import EXCHANGE, HAND, PASS, Pass, added
from solver.language import say
from solver.readings import readings_in
from solver.showing import POINTS
from solver.texts import plain as typed

if TYPE_CHECKING:
    from solver.game import Game


# ----------------------------------------------------------------------------------------------------
# Moves in a line of text: ``0:Zn,Zn/1:pass/2:pass:Zn:Pb``, or shorter ``0:ZnZn/p/pZnPb``.


_FIELD = re.compile(rf"({'|'.join(FIELDS)})(?::(\d{{1,9}}))?", re.IGNORECASE)
_MOVE = re.compile(r"(?:(\d{1,9}):)?(.*)", re.DOTALL)
_IN_PASS = re.compile(rf"[\s,:{EXCHANGE}]+")


class Moves(Listed):
    """The text format of a history: moves separated by slashes."""

    counts = ("trick", "move")

    def of_text(self, text: str, names: Names) -> Any:
        found: list[Seen] = []
        meant: dict[str, str] = {}  # each text is parsed once
        field, stock = None, None
        for part in piles(text):
            begun = _FIELD.fullmatch(part)
            if begun is not None:
                field, stock = begun[1].lower(), int(begun[2]) if begun[2] else None
                continue
            move = _MOVE.fullmatch(part)
            assert move is not None  # the pattern matches every text
            if move[2] not in meant:
                meant[move[2]] = plain(move[2], names)
            found.append(Seen(int(move[1]) if move[1] else None, meant[move[2]], field, stock))
            field, stock = None, None
        return found

    def of_list(self, entries: Sequence[Any], names: Names) -> Any:
        return [_tidied(trick, names) for trick in entries]

    def write(self, value: Any) -> str:
        return "/".join(map(_written, value)) or "-"


def _tidied(trick: Any, names: Names) -> Any:
    if not isinstance(trick, Mapping) or texts(trick.get("moves")) is None:
        return trick
    return {**trick, "moves": [plain(move, names) for move in trick["moves"]]}


def plain(text: str, names: Names) -> str:
    """Return a move in its standard form: ``pass Zn>Pb`` for ``pass:Zn:Pb`` or ``pZnPb``.

    Text that could be both a play and a pass is kept as written, as `TwoReadings`.
    """
    text = typed(text)
    words = parts(text)
    symbols = [unescaped(word) for word in words]
    if all(map(names.has, symbols)):
        return " ".join(symbols)
    passed = _passed([word for word in _IN_PASS.split(text) if word], names)
    played = cards_of(text, names)
    unclear = next((one for one in played if isinstance(one, TwoReadings)), None)
    if passed is not None and all(map(names.has, played)):
        return TwoReadings.of(text, [f"{' '.join(played)} played", passed])
    return passed or unclear or " ".join(card or NOTHING for card in played)


def _passed(words: Sequence[str], names: Names) -> str | None:
    """Parse words as a pass and return it as text; None if they are not a pass."""
    first = words[0].lower() if words else ""
    if first == PASS:
        cards = [one for word in words[1:] for one in cards_of(word, names)]
        return f"{PASS} {EXCHANGE.join(cards)}".rstrip()
    for word in (PASS, PASS[0]):
        if first.startswith(word):
            rest = [words[0][len(word) :], *words[1:]]
            cards = [one for word in rest if word for one in cards_of(word, names)]
            if len(cards) in (0, 2) and all(map(names.has, cards)):
                return f"{PASS} {EXCHANGE.join(cards)}".rstrip()
    return None


def _written(seen: Seen) -> str:
    begun = "" if seen.field is None else seen.field + (f":{seen.stock}" if seen.stock is not None else "") + "/"
    first, *others = seen.text.split()
    if first == PASS:
        move = ":".join([PASS, *(written(card) for card in "".join(others).split(EXCHANGE) if others)])
    else:
        move = listed([first, *others])
    return f"{begun}{seen.seat}:{move}"


# ----------------------------------------------------------------------------------------------------
# The keys of positions and records.


class DealPasses(Value):
    """The text format of `deal_passes`: seat, field and the most playable cards, as in ``0:water:1/2:acid:0``."""

    def read(self, text: str) -> Any:
        found = []
        for part in piles(text):
            seat, _, rest = part.partition(":")
            field, _, most = rest.partition(":")
            one = {"seat": WHOLE.read(seat), "field": field.lower()}
            found.append({**one, "most": WHOLE.read(most)} if most else one)
        return found

    def write(self, value: Any) -> str:
        return "/".join(f"{one['seat']}:{one['field']}:{one.get('most', 0)}" for one in value) or "-"


class AsPlayed(Moves):
    """The text format of `as_played`: moves as in a history, such as ``1:Zn,Zn/2:pass:Zn:Li/0:no:lead:acid``."""

    def of_text(self, text: str, names: Names) -> Any:
        return [self._read(part, names) for part in piles(text)]

    def of_list(self, entries: Sequence[Any], names: Names) -> Any:
        return [self._read(one, names) if isinstance(one, str) else one for one in entries]

    def _read(self, text: str, names: Names) -> str:
        seat, _, move = text.partition(":")
        words = " ".join(_IN_PASS.split(move.strip().lower()))
        return f"{seat}:{words if words.startswith(NO_LEAD) else plain(move, names)}"

    def write(self, value: Any) -> str:
        moves = ((int(seat), move) for seat, _, move in (text.partition(":") for text in value))
        return "/".join(
            f"{seat}:{':'.join(move.split())}" if move.startswith(NO_LEAD) else _written(Seen(seat, move))
            for seat, move in moves
        )


def notation(game: Game) -> Notation:
    """Return the text formats of all keys of Aqua Regia's positions and records."""
    return Notation(
        values={
            "points": POINTS,
            "deck": DATA,
            "rules": RULES,
            "players": WHOLE,
            "seat": WHOLE,
            "hand": CARDS,
            "drawn": CARD,
            "hands": PILES,
            "counts": NUMBERS,
            "field": WORD,
            "reversed": FLAG,
            "turn": WHOLE,
            "table": ROW,
            "owner": WHOLE,
            "stock": ROW,
            "stock_count": WHOLE,
            "discard": CARDS,
            "known": PILES,
            "deal_passes": DealPasses(),
            "gone": CARDS,
            "tricks": WHOLE,
            "voids": Voids(),
            "history": Moves(),
            "as_played": AsPlayed(),
        },
        rounds={"hands": PILES, "counts": NUMBERS},
        names=lambda data: Names(decks.meant(KIND, data.get("deck")).index),
        complete=_complete,
        inferred=(
            "counts", "field", "reversed", "turn", "table", "owner", "stock_count", "discard", "known",
            "deal_passes",
        ),
        most_entries=2 * MOST_COPIES * MOST_METALS,
        shortened=_shortened,
    )  # fmt: skip


def _read_deck(data: Mapping[str, Any]) -> Deck:
    """Return the deck named in `data`, with its rule options, as far as these can be read."""
    deck, rules = decks.meant(KIND, data.get("deck")), data.get("rules")
    return read_by(deck, readings_in(AquaReadings, rules)) if rules else deck


def _complete(data: Data, faults: list[Fault]) -> Data:
    if data.keys() & {"rounds", "points"}:
        return data
    replay: Replay | None = None
    deck, players = _read_deck(data), players_of(data)
    told = data.pop("players", None)
    if told is not None and players is not None and told != players:
        message = say("the position has {players} players, but players is {told}", players=players, told=told)
        faults.append(Fault("conflict", message, "players"))
    is_view = "hand" in data and "hands" not in data
    forgets = data.keys() & {"gone", "tricks", "voids"} or _forgets(data, deck, players)
    if is_view and players is not None and forgets:
        return _complete_memory(data, deck, players, faults)
    needed = {"field", "turn"} if "hands" in data else {"field", "turn", "counts", "stock_count"}
    history = data.get("history")
    in_line = isinstance(history, list) and any(isinstance(one, Seen) for one in history)
    lacking = in_line or bool(needed - data.keys())
    lacking = lacking or (is_view and bool(history) and "discard" not in data)  # nothing of it would be there
    if isinstance(history, list | tuple) and history and players is not None:
        short = any(isinstance(one, Seen) or len(one) < 4 for one in history if isinstance(one, Seen | Mapping))
        if short or lacking:
            seen = [*history] if isinstance(history[0], Seen) else moves_seen(history)
            wrong: list[Fault] = []
            found = played(deck, players, seen, data, wrong) if seen else None
            faults += wrong
            if found is not None:
                data["history"] = found.tricks
                replay = None if wrong else found
                if lacking:
                    counted = "counts" in data
                    fill_in(data, found)
                    if wrong and not counted:  # the hand is more reliable than an impossible history
                        _count_own(data)
                for key in ("known", "deal_passes"):  # in a line, a hyphen means that nothing is known
                    if in_line and data.get(key) == []:
                        del data[key]
    elif lacking and players is not None:
        _fill_in_first(data, deck, players)
    if is_view and players is not None:
        _fill_in_sizes(data, deck, players)
    history = data.get("history")
    if isinstance(history, list) and any(isinstance(one, Seen) for one in history):
        data["history"] = [{"moves": [one.text for one in history if isinstance(one, Seen)]}]
        if players is None and told is None:
            faults.append(Fault("missing_key", say("players is missing: how many play?"), "players"))
        elif players is not None:
            message = say("who made the first move? Write its seat in front, as in 0:{move}", move=history[0].text)
            faults.append(Fault("missing_key", message, "history"))
    return Replayed(data, replay)


# ----------------------------------------------------------------------------------------------------
# Views remembered in part (`Remembered`): some of the discard pile, and the number of cards in each place.


def _forgets(data: Data, deck: Deck, players: int | None) -> bool:
    """Whether a view has a history that begins after the deal, but no discard pile."""
    if players is None:
        return False
    first = next(iter(entries(data.get("history"))), None)
    stock = first.get("stock_count") if isinstance(first, Mapping) else None
    return "discard" not in data and isinstance(stock, int) and stock != first_stock(deck, players)


def _complete_memory(data: Data, deck: Deck, players: int, faults: list[Fault]) -> Data:
    """Fill in what follows from the tricks of a partly remembered view; add faults for missing keys."""
    wrong = whole_fault(data.pop("tricks", 0), "tricks", 0)
    if wrong is not None:
        faults.append(wrong)
    seat = data.get("seat")
    if "stock_count" not in data:  # it follows from the other sizes, and these from the last tricks
        tried = dict(data)
        _tell_last_tricks(tried, deck, players, [])
        _fill_in_sizes(tried, deck, players)
        data |= {key: tried[key] for key in ("counts", "stock_count") if key in tried}
    _fill_in_sizes(data, deck, players)
    replay = _tell_last_tricks(data, deck, players, faults)
    if isinstance(seat, int):
        data.setdefault("turn", seat)
    if "field" not in data:
        message = say("which field is it now: water, vapor, acid or aqua regia?")
        faults.append(Fault("missing_key", message, "field"))
    gone, stock = data.setdefault("gone", []), data.get("stock_count")
    lists = [data.get("counts"), gone, *(data.get(key, []) for key in ("table", "discard"))]
    if all(isinstance(one, list | tuple) for one in lists) and isinstance(stock, int):
        counts, *cards = lists
        if all(isinstance(count, int) for count in counts) and not data.get("voids"):
            placed = sum(counts) + stock + sum(map(len, cards))
            if placed == deck.cards:  # nothing is forgotten
                data["discard"] = [*cards[2], *data.pop("gone")]
                data.pop("voids", None)
    return Replayed(data, replay)


def _tell_last_tricks(data: Data, deck: Deck, players: int, faults: list[Fault]) -> Replay | None:
    """Fill in what follows from the last tricks: the table, whose turn it is, and cards of the discard pile.

    Returns their replay; None if they can't be replayed, or in more than one way.
    """
    history = data.get("history")
    if not isinstance(history, list | tuple) or not history:
        return None
    seen = [*history] if isinstance(history[0], Seen) else moves_seen(history)
    if not seen:
        return None
    stock = data.get("stock_count")
    if seen[0].stock is None and isinstance(stock, int) and not isinstance(stock, bool):
        passes = sum(one.text.split()[:1] == ["pass"] for one in seen)
        seen[0] = replace(seen[0], stock=stock + passes if stock else 0)
    tried: list[tuple[Replay | None, list[Fault]]] = []
    for field in (seen[0].field,) if seen[0].field is not None else FIELDS:  # if missing, try each
        wrong: list[Fault] = []
        found = played(deck, players, [replace(seen[0], field=field), *seen[1:]], data, wrong)
        tried.append((found, wrong))
    made = [found for found, wrong in tried if found is not None and not wrong]
    right = [found for found in made if data.get("field", FIELDS[found.field]) == FIELDS[found.field]]
    if not right:  # the deal may have been passed on all round since
        right = [found for found in made if not found.table]
    if len(right) > 1:
        if "field" in data:
            message = say("in which field was the first of these tricks? Write it in front, as in acid/1:Fe")
            faults.append(Fault("missing_key", message, "history"))
        return None  # without a field, the caller asks which one it is now
    first, wrong = tried[0]
    if not right:
        faults += wrong
        if first is not None:
            data["history"] = first.tricks
        return None
    found = right[0]
    data["history"] = found.tricks
    fill_in(data, found)
    if seen[0].stock is None:  # the caller asks for it
        del data["stock_count"]
    pile, least = deck.counts([]), [0] * deck.size
    for step in reversed(found.steps):  # the cards that must be in the pile now, given what these steps show
        if isinstance(step, Stuck):
            continue
        came, taken = [*step.clears], None
        if isinstance(step.move, Pass) and step.move.discarded is not None and step.move.taken is not None:
            came.append(step.move.discarded)
            taken = step.move.taken
            pile = added(pile, taken, -1)
        for metal in came:
            pile = added(pile, metal, 1)
        needed = pile if taken is None else added(pile, taken, 1)
        least = [max(most, count) for most, count in zip(least, needed, strict=True)]
    told = [*(texts(data.get("gone", [])) or ()), *(texts(data.get("discard", [])) or ())]
    missing = [
        symbol
        for symbol, count in zip(deck.symbols(range(deck.size)), least, strict=True)
        for _ in range(count - told.count(symbol))
    ]
    if missing and texts(data.setdefault("gone", [])) is not None:
        data["gone"] = [*data["gone"], *missing]
    return found


def _count_own(data: Data) -> None:
    hand, counts, seat = data.get("hand"), data.get("counts"), data.get("seat")
    if isinstance(hand, list | tuple) and isinstance(counts, list) and isinstance(seat, int):
        counts[seat : seat + 1] = [len(hand)]


def _fill_in_first(data: Data, deck: Deck, players: int) -> None:
    """Fill in the field and the hand sizes if the data may describe the moment right after the deal."""
    hands = [data.get("hand"), *entries(data.get("hands"))]
    sizes = [len(hand) for hand in hands if isinstance(hand, list | tuple)]
    later = {"table", "discard", "history", "owner"}
    if set(sizes) != {HAND}:
        later |= {"hands", "field", "counts", "stock_count", "known"}
    if data.keys() & later:
        return
    data.setdefault("field", FIELDS[0])
    if "hand" in data:
        data.setdefault("counts", [HAND] * players)


def _fill_in_sizes(data: Data, deck: Deck, players: int) -> None:
    """Fill in the sizes of hands and stock that a view does not give, from the cards that were entered.

    Another hand has as many cards as were dealt, less those that it has just played, if so many are unseen; else
    the unseen cards are divided evenly. The stock has the rest.
    """
    lists = [texts(data.get(key, [])) for key in ("hand", "table", "discard", "gone")]
    counts, stock = data.get("counts", [None] * players), data.get("stock_count", 0)
    sizes: list[Any] = [*counts] if isinstance(counts, list | tuple) and len(counts) == players else [""]
    if None in lists or not isinstance(stock, int) or not all(isinstance(size, int | None) for size in sizes):
        return
    hand, table, discard, gone = (cards or () for cards in lists)
    if data.get("seat") in range(players) and sizes[data["seat"]] is None:
        sizes[data["seat"]] = len(hand)
    left = deck.cards - len(table) - len(discard) - len(gone)
    share = (left - stock - sum(filter(None, sizes))) // max(1, sizes.count(None))
    share = max(share, int(stock > 0))  # where the stock is too large for the others, the checks say so
    top = next((at for at, card in enumerate(reversed(table)) if card != table[-1]), len(table))
    for seat, size in enumerate(sizes):
        if size is None:
            known = texts(next(iter(entries(data.get("known"))[seat:]), ())) or ()
            sizes[seat] = max(len(known), min(HAND - top * (seat == data.get("owner")), share))
    data["counts"] = sizes
    data.setdefault("stock_count", max(0, left - sum(sizes)))


def _shortened(data: Data, position: BaseModel) -> Data:
    """Return the data with the history as one list of moves, and with `players` if nothing else implies it."""
    history = data.get("history")
    if data.keys() & {"rounds", "points"}:
        return data
    deck, players = _read_deck(data), players_of(data)
    assert players is not None  # the position is valid
    short = {**data, "history": _moves(deck, players, data)} if history else data
    fresh = not history and not data.get("table") and not data.get("discard")
    if "hands" in data or not (history or (fresh and set(data["counts"]) == {HAND})):
        return short
    return {"players": players, **short}


def _moves(deck: Deck, players: int, data: Data) -> list[Seen]:
    """Convert a history to one list of moves.

    A trick's field and stock are given only where they do not follow from the earlier moves.
    """
    history = data["history"]
    moves = [
        Seen((trick["leader"] + place) % players, text)
        for trick in history
        for place, text in enumerate(trick["moves"])
    ]

    def followed() -> list[Data]:
        found = played(deck, players, moves, data, [])
        return found.tricks if found is not None else []

    start, tricks = 0, followed()
    for index, trick in enumerate(history):
        if tricks[: index + 1] != history[: index + 1]:
            other = index == 0 and trick["stock_count"] != first_stock(deck, players)
            stock = trick["stock_count"] if other else None
            moves[start] = replace(moves[start], field=trick["field"], stock=stock)
            tricks = followed()
        start += len(trick["moves"])
    return moves
