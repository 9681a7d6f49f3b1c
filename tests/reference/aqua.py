"""The card game Aqua Regia, slow and obvious: what the fast solver is checked against.

Written from the rules alone. It shares with the solver nothing but the numbering of the cards: a metal is its
index in the table's file, the weakest is 0.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

Scores = tuple[int, ...]

FIELDS = ("water", "vapor", "acid", "aqua-regia")
MOST_AT_ONCE = 4  # cards in one play; this many flip the order of the fields

_HOUSE = {
    "Li": "3333", "K": "3333", "Ca": "2333", "Na": "2333", "Mg": "1233", "Al": "0223", "Zn": "0223", "Fe": "0123",
    "Ni": "0022", "Sn": "0022", "Pb": "0012", "Cu": "0012", "Hg": "0012", "Ag": "0011", "Pt": "0002", "Au": "0002",
}  # fmt: skip


class Table(NamedTuple):
    """The metals, weakest first, and what each does in each field: 0, 1 or more."""

    symbols: tuple[str, ...]
    reactivity: tuple[tuple[int, ...], ...]  # a row a metal, a column a field
    copies: int = 4
    rules: frozenset[str] = frozenset()  # the disputed readings that are on


class Play(NamedTuple):
    metal: int
    many: int


class Pass(NamedTuple):
    """A pass; the metal thrown away and the one taken for it, when the player precipitates."""

    out: int | None = None
    taken: int | None = None
    kind: str = "pass"  # without it, a pass equals a play with the same numbers


Move = Play | Pass


class State(NamedTuple):
    """All cards known. `plays` is the stack on the field, first play first; `owner` played the last of them.

    Hands and discard pile are sorted; the stock is in the order it will be drawn.
    """

    hands: tuple[tuple[int, ...], ...]
    turn: int
    field: int = 0
    reverse: bool = False
    plays: tuple[Play, ...] = ()
    owner: int | None = None
    stock: tuple[int, ...] = ()
    discard: tuple[int, ...] = ()


HOUSE = Table(tuple(_HOUSE), tuple(tuple(map(int, row)) for row in _HOUSE.values()))


# ------------------------------------------------------------------------------------- cards as text


def table_of(data: Mapping[str, Any]) -> Table:
    """The table of a table's file, read."""
    return Table(
        tuple(metal["symbol"] for metal in data["metal"]),
        tuple(tuple(metal["reactivity"][field] for field in FIELDS) for metal in data["metal"]),
        data["copies"],
    )


def load(position: Mapping[str, Any]) -> tuple[Table, State]:
    """The state of a position in its public form; what happens by itself has happened."""
    table = HOUSE if position["deck"] == "house" else table_of(position["deck"])
    table = table._replace(rules=frozenset(name for name, on in position.get("rules", {}).items() if on))

    def numbers(symbols: Sequence[str]) -> tuple[int, ...]:
        return tuple(table.symbols.index(symbol) for symbol in symbols)

    plays: list[Play] = []
    for metal in numbers(position.get("table", ())):
        if plays and plays[-1].metal == metal:
            plays[-1] = Play(metal, plays[-1].many + 1)
        else:
            plays.append(Play(metal, 1))
    now = State(
        hands=tuple(tuple(sorted(numbers(hand))) for hand in position["hands"]),
        turn=position["turn"],
        field=FIELDS.index(position["field"]),
        reverse=position.get("reversed", False),
        plays=tuple(plays),
        owner=position.get("owner"),
        stock=numbers(position.get("stock", ())),
        discard=tuple(sorted(numbers(position.get("discard", ())))),
    )
    return table, settle(table, now)


def text(table: Table, move: Move) -> str:
    if isinstance(move, Play):
        return " ".join([table.symbols[move.metal]] * move.many)
    if move.out is None or move.taken is None:
        return "pass"
    return f"pass {table.symbols[move.out]}>{table.symbols[move.taken]}"


# ------------------------------------------------------------------------------------------------ rules


def over(now: State) -> bool:
    return not all(now.hands)


def scores(now: State) -> Scores:
    """1 for who has no cards left, 0 for the others."""
    return tuple(int(not hand) for hand in now.hands)


def may_lie(table: Table, metal: int, count: int, field: int, top: Play | None = None) -> bool:
    """Whether so many cards of the metal can be played to the field at once, led or on `top`.

    Of a metal of reactivity 1 that is one card or, by the option, two that follow a single one.
    """
    if count == 2 and top is not None and top.many == 1 and "reactivity_one_follows_single" in table.rules:
        return table.reactivity[metal][field] >= 1
    return table.reactivity[metal][field] >= (1 if count == 1 else 2)


def plays(table: Table, now: State) -> list[Play]:
    """What the seat to move can play, by metal, then by count."""
    held = Counter(now.hands[now.turn])
    found = []
    for metal in sorted(held):
        for count in range(1, min(held[metal], MOST_AT_ONCE) + 1):
            if not may_lie(table, metal, count, now.field, now.plays[-1] if now.plays else None):
                continue
            if now.plays:
                top = now.plays[-1]
                if metal <= top.metal or count not in (top.many, top.many + 1):
                    continue
            found.append(Play(metal, count))
    return found


def next_field(now: State) -> int:
    return (now.field + (-1 if now.reverse else 1)) % len(FIELDS)


def settle(table: Table, now: State) -> State:
    """The state after all that happens by itself: a dealer who can't lead passes the deal to the left; if nobody
    can, the field changes and the first dealer tries again."""
    if over(now) or now.plays:
        return now
    while True:
        for step in range(len(now.hands)):
            dealer = now._replace(turn=(now.turn + step) % len(now.hands))
            if plays(table, dealer):
                return dealer
        now = now._replace(field=next_field(now))


def legal(table: Table, now: State) -> list[Move]:
    """The legal moves in canonical order."""
    if over(now):
        return []
    found: list[Move] = list(plays(table, now))
    if not now.plays:
        return found
    found.append(Pass())
    hand = {*now.hands[now.turn], *now.stock[:1]}  # the drawn card may be thrown away
    pile = Counter(now.discard)
    for out in sorted(hand):
        wanted = [metal for metal in sorted(pile) if metal > out and pile[metal] < table.copies]
        found += [Pass(out, taken) for taken in wanted]
    return found


def _with_hand(now: State, cards: Counter[int]) -> State:
    hand = tuple(sorted(cards.elements()))
    return now._replace(hands=(*now.hands[: now.turn], hand, *now.hands[now.turn + 1 :]))


def play(table: Table, now: State, move: Move) -> State:
    if move not in legal(table, now):
        raise ValueError(f"{text(table, move)} is not legal")
    return after(table, now, move)


def after(table: Table, now: State, move: Move) -> State:
    """The state after a legal move."""
    hand = Counter(now.hands[now.turn])
    following = (now.turn + 1) % len(now.hands)
    if isinstance(move, Play):
        hand[move.metal] -= move.many
        return _with_hand(now, hand)._replace(
            plays=(*now.plays, move),
            owner=now.turn,
            turn=following,
            reverse=now.reverse != (move.many == MOST_AT_ONCE),
        )
    pile = Counter(now.discard)
    if now.stock:
        hand[now.stock[0]] += 1
    if move.out is not None and move.taken is not None:
        hand[move.out] -= 1
        pile[move.out] += 1
        pile[move.taken] -= 1
        hand[move.taken] += 1
    passed = _with_hand(now, hand)._replace(stock=now.stock[1:], turn=following)
    if following == now.owner:  # all others have passed: the trick is over
        for lying in now.plays:
            pile[lying.metal] += lying.many
        passed = passed._replace(plays=(), owner=None, field=next_field(now))
    return settle(table, passed._replace(discard=tuple(sorted(pile.elements()))))


def count_lines(table: Table, now: State, plies: int) -> int:
    """In how many ways the next `plies` moves can be made."""
    if plies == 0 or over(now):
        return 1
    return sum(count_lines(table, play(table, now, move), plies - 1) for move in legal(table, now))


# ----------------------------------------------------------------------------------------------- values

Value = int | Scores


def values(table: Table, now: State, model: str, player: int | None = None) -> dict[Move, Value]:
    """What each legal move is worth, in canonical order: the player's score, or in `maxn` everybody's.

    `player` defaults to the seat to move.
    """
    whose = now.turn if player is None else player
    known = _known(table, now, model, whose)
    return {move: _value(table, after(table, now, move), model, whose, known) for move in legal(table, now)}


def value(table: Table, now: State, model: str, player: int | None = None) -> Value:
    """What the position is worth; as in `values`."""
    whose = now.turn if player is None else player
    return _value(table, now, model, whose, _known(table, now, model, whose))


@lru_cache(maxsize=1)
def _known(_table: Table, _now: State, _model: str, _player: int) -> dict[State, Value]:
    """What is worked out once for all that is asked about a position."""
    return {}


def _value(table: Table, now: State, model: str, player: int, known: dict[State, Value]) -> Value:
    if over(now):
        return scores(now) if model == "maxn" else scores(now)[player]
    if now not in known:
        found: list[Value] = []
        for move in legal(table, now):
            found.append(_value(table, after(table, now, move), model, player, known))
            if preference(found[-1], now.turn, model, player)[0] == 1:
                break  # nothing is better than this, and of equals the first counts
        # max gives the first in canonical order of those that tie
        known[now] = max(found, key=lambda worth: preference(worth, now.turn, model, player))
    return known[now]


def preference(worth: Value, seat: int, model: str, player: int) -> tuple[int, int]:
    """The more `seat` wants this, the greater: 1 or 0 as it gets what it is after; under `maxn`, then the
    lowest total of the others."""
    if isinstance(worth, tuple):
        return worth[seat], worth[seat] - sum(worth)
    return (worth if model == "ally" or seat == player else 1 - worth), 0


def optimal(table: Table, now: State, model: str, player: int | None = None) -> list[Move]:
    """Every best move of the seat to move."""
    whose = now.turn if player is None else player
    wanted = {
        move: preference(worth, now.turn, model, whose)
        for move, worth in values(table, now, model, player).items()
    }
    return [move for move in wanted if wanted[move] == max(wanted.values())]
