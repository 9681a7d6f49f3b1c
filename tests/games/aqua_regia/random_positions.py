"""Random Aqua Regia tables and positions for tests, as the plain data that users send."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Sequence
from typing import Any

from tests.reference import aqua as reference

Data = dict[str, Any]


def either(rng: random.Random) -> list[str]:
    """The disputed readings that are on: of two games one is played by each."""
    return rng.choice(([], ["reactivity_one_follows_single"]))


def random_table(rng: random.Random, metals: int | None = None, copies: int | None = None) -> Data:
    """A table's file, read: 2 to 20 metals, 1 to 6 of each. Every metal can be played in some field."""
    rows = []
    for number in range(metals or rng.randint(2, 20)):
        ceiling = rng.randint(1, 3)
        row = {field: rng.choice((0, 0, 1, 2, 3)) for field in reference.FIELDS}
        row = {field: min(reactivity, ceiling) for field, reactivity in row.items()}
        if not any(row.values()):
            row[rng.choice(reference.FIELDS)] = ceiling
        rows.append({"symbol": f"M{number}", "name": f"Metal {number}", "reactivity": row})
    rng.shuffle(rows)  # the symbol does not tell the strength
    return {
        "name": "random",
        "title": "A random table",
        "fields": list(reference.FIELDS),
        "copies": copies or rng.choice((1, 2, 3, 4, 4, 4, 5, 6)),
        "metal": rows,
    }


def random_position(
    rng: random.Random,
    *,
    players: int | None = None,
    cards: int | None = None,
    stock: int | None = None,
    climbing: bool | None = None,
    crowded: bool | None = None,
    deck: Data | None = None,
    rules: Sequence[str] = (),
) -> Data:
    """A position with `cards` in all hands together, at most as many as the table has, and `stock` to draw.

    `climbing`: with something on the field to beat. `crowded`: few metals, so many pairs, threes and fours.
    `deck`: a table's file, read; the house table without it. `rules`: the disputed readings that are on.
    What is left open is drawn at random.
    """
    table = reference.HOUSE if deck is None else reference.table_of(deck)
    table = table._replace(rules=frozenset(rules))
    players = players or rng.randint(2, 5)
    climbing = rng.random() < 0.6 if climbing is None else climbing
    crowded = rng.random() < 0.5 if crowded is None else crowded
    wanted = max(players, rng.randint(players, 3 * players) if cards is None else cards)
    metals = list(range(len(table.symbols)))
    if crowded:
        fewest = min(len(metals), -(-(wanted + 6) // table.copies))
        metals = rng.sample(metals, rng.randint(fewest, min(len(metals), fewest + 2)))
    pool = [metal for metal in metals for _ in range(table.copies)]
    rng.shuffle(pool)
    if len(pool) < players:
        raise ValueError("too few cards for so many hands")

    field = rng.randrange(len(reference.FIELDS))
    stack = _stack(rng, table, pool[players:], field) if climbing else []
    for metal in stack:
        pool.remove(metal)
    hands = [[pool.pop()] for _ in range(players)]
    for _ in range(min(wanted - players, len(pool))):
        rng.choice(hands).append(pool.pop())
    drawn = min(rng.randint(0, 3) if stock is None else stock, len(pool))
    pile = pool[drawn : drawn + rng.choice((0, 2, 6, len(pool)))]
    turn = rng.randrange(players)

    def symbols(cards: list[int]) -> list[str]:
        return [table.symbols[card] for card in cards]

    return {
        "game": "aqua-regia",
        "deck": deck or "house",
        **({"rules": dict.fromkeys(rules, True)} if rules else {}),
        "field": reference.FIELDS[field],
        "reversed": rng.random() < 0.4,
        "turn": turn,
        "table": symbols(stack),
        **({"owner": (turn + rng.randrange(1, players)) % players} if stack else {}),
        "hands": [symbols(hand) for hand in hands],
        "stock": symbols(pool[:drawn]),
        "discard": symbols(pile),
    }


def _stack(rng: random.Random, table: reference.Table, pool: list[int], field: int) -> list[int]:
    """One to three plays, one on top of the other, from the cards of the pool; nothing if none can be played."""
    spare = Counter(pool)
    plays: list[reference.Play] = []
    for _ in range(rng.randint(1, 3)):
        top = plays[-1] if plays else None
        found = [
            reference.Play(metal, many)
            for metal in spare
            for many in range(1, min(spare[metal], reference.MOST_AT_ONCE) + 1)
            if reference.may_lie(table, metal, many, field, top)
            and (top is None or (metal > top.metal and many in (top.many, top.many + 1)))
        ]
        if found:
            plays.append(rng.choice(found))
    return [play.metal for play in plays for _ in range(play.many)]
