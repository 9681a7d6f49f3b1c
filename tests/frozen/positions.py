"""The positions that the requests ask about: made once by the service itself, and kept in `tests/data`.

They are kept, and not made anew in each run, so that the requests stay the same whatever becomes of deals and of
the order of moves. `python -m tests.frozen.positions` makes them anew; then all hashes have to be made anew, too.
"""

from __future__ import annotations

import json
import lzma
import random
from functools import cache
from pathlib import Path
from typing import Any

from tests.frozen.service import application, settle

DATA = Path(__file__).resolve().parents[1] / "data"
FILE = DATA / "frozen_positions.xz"

_MOST_MOVES = 160  # of a round that is played at random
_SUITS = {"F": "Fire", "W": "Water", "E": "Earth", "A": "Wind"}
_FIELDS = ("water", "vapor", "acid", "aqua-regia")

# Each kind of deal, from how many seeds, and how many positions of each round are kept.
_DEALS: tuple[tuple[dict[str, Any], int, int], ...] = (
    ({"game": "kirin"}, 18, 9),
    ({"game": "kirin", "variant": "undeclared"}, 6, 6),
    ({"game": "kirin", "rules": {"declared_counts": True}}, 4, 7),
    *(({"game": "king", "players": players}, 5, 9) for players in (3, 4, 5)),
    *(({"game": "king", "players": players, "variant": "unpicked"}, 2, 6) for players in (3, 4, 5)),
    ({"game": "king", "players": 3, "rules": {"late_trump_does_not_lift": True}}, 3, 8),
    ({"game": "king", "players": 4, "rules": {"no_bottom_when_trumped": True}}, 3, 8),
    ({"game": "king", "players": 3, "deck": "own"}, 2, 6),
    *(({"game": "aqua-regia", "players": players}, 5, 9) for players in (2, 3, 4, 5)),
    ({"game": "aqua-regia", "players": 3, "rules": {"reactivity_one_follows_single": True}}, 4, 8),
    ({"game": "aqua-regia", "players": 2, "deck": "own"}, 3, 8),
    ({"game": "alchemy", "variant": "solo"}, 10, 7),
    ({"game": "alchemy", "variant": "alternative"}, 10, 7),
    ({"game": "alchemy", "variant": "alternative", "rules": {"alternative_without_cap_loss": True}}, 5, 7),
    ({"game": "alchemy", "variant": "duel"}, 10, 7),
    ({"game": "alchemy", "variant": "duel", "rules": {"house_joker": True}}, 8, 7),
)
# Each kind of game in progress, from how many seeds.
_MATCHES: tuple[tuple[dict[str, Any], int], ...] = (
    ({"game": "kirin", "rounds": 1}, 3),
    ({"game": "kirin", "rounds": 2, "seat": 2}, 2),
    ({"game": "king", "players": 3, "rounds": 1, "seat": 1}, 2),
    ({"game": "king", "players": 4, "rounds": 2}, 2),
    ({"game": "aqua-regia", "players": 2, "rounds": 1}, 2),
    ({"game": "aqua-regia", "players": 3, "rounds": 2, "seat": 1}, 2),
    ({"game": "alchemy", "variant": "solo"}, 2),
    ({"game": "alchemy", "variant": "alternative", "rounds": 2}, 2),
    ({"game": "alchemy", "variant": "duel", "rounds": 1}, 2),
)


def own_king_deck() -> dict[str, Any]:
    """A deck of King × Alchemy that ships with nobody."""
    rng = random.Random("king")
    made = ("Salve", "Tincture", "Balm", "Elixir", "Philtre")
    cards: list[dict[str, Any]] = []
    for suit in _SUITS:
        for number in range(1, 12):
            card: dict[str, Any] = {
                "code": f"{suit}{number}",
                "kind": "material",
                "name": f"{suit}{number}",
                "suit": suit,
            }
            card |= {"number": number, "vp": rng.randrange(4), "provides": f"i{(number - 1) % 6}"}
            if rng.random() < 0.4:
                needs = [f"i{rng.randrange(6)}" for _ in range(rng.randrange(1, 4))]
                card["recipe"] = {"item": rng.choice(made), "needs": needs, "bonus": rng.randrange(1, 9)}
            cards.append(card)
    cards += [
        {"code": f"T{number}", "kind": "trump", "name": "T", "number": number, "vp": 1} for number in range(1, 6)
    ]
    cards.append({"code": "D", "kind": "dancer", "name": "Dancer", "number": 6, "vp": 2})
    return {"name": "own", "title": "Own", "suits": _SUITS, "card": cards}


def own_table() -> dict[str, Any]:
    """A table of Aqua Regia with six metals, five cards of each."""
    rng = random.Random("aqua")
    metals = []
    for place in range(6):
        reactivity = {field: rng.randrange(4) for field in _FIELDS} | {_FIELDS[place % 4]: 2}
        metals.append({"symbol": f"M{place}", "name": f"Metal {place}", "reactivity": reactivity})
    return {"name": "six", "title": "Six metals", "fields": list(_FIELDS), "copies": 5, "metal": metals}


GAMES = ("alchemy", "king", "kirin", "aqua-regia")  # Athanor's own, in an order that never changes
OWN = {"king": own_king_deck, "aqua-regia": own_table}


@cache
def kept() -> dict[str, list[dict[str, Any]]]:
    """`moments` of rounds, `ends` of rounds, and `matches` that were played to their end."""
    found: dict[str, list[dict[str, Any]]] = json.loads(lzma.decompress(FILE.read_bytes()))
    return found


def _post(path: str, body: dict[str, Any]) -> dict[str, Any]:
    found = application().post(path, json=body)
    assert found.status_code == 200, (path, body, found.get_data(as_text=True))
    answer: dict[str, Any] = found.get_json()
    return answer


def _drawn(rng: random.Random, moves: list[str], most: int = 3) -> list[str]:
    moves = sorted(moves)
    return rng.sample(moves, min(most, len(moves)))


def _seen(position: Any, seat: int, rng: random.Random) -> dict[str, Any] | None:
    answer = application().post("/v1/view", json={"position": position, "seat": seat})
    if answer.status_code != 200:
        return None
    view = answer.get_json()
    moves = _post("/v1/moves", {"position": view["position"]})
    return {
        "seat": seat,
        "text": view["text"],
        "position": view["position"],
        "moves": _drawn(rng, moves["legal_moves"]),
        "possible": _drawn(rng, moves["possible_moves"]),
    }


def _round(wanted: dict[str, Any], seed: int, keep: int) -> tuple[list[dict[str, Any]], dict[str, Any]]:
    """Some moments of a round that is played at random, and its end."""
    rng = random.Random(f"{sorted(wanted.items())}/{seed}")
    if wanted.get("deck") == "own":
        wanted = wanted | {"deck": OWN[wanted["game"]]()}
    position = _post("/v1/deal", wanted | {"seed": seed})["position"]
    moments: list[dict[str, Any]] = []
    while len(moments) < _MOST_MOVES:
        moves = _post("/v1/moves", {"position": position})
        seat = moves["to_move"]
        if seat is None:
            break
        move = rng.choice(sorted(moves["legal_moves"]))
        moments.append({"position": position, "moves": moves, "next": move})
        position = _post("/v1/play", {"position": position, "moves": [move]})["position"]
    last = set(range(len(moments))[-keep // 3 :])
    places = last | set(rng.sample(range(len(moments)), min(len(moments), keep - len(last))))
    seats = len(position.get("hands") or position.get("declared") or "12")
    found = []
    for place in sorted(places):
        moment = moments[place]
        data, moves = moment["position"], moment["moves"]
        views = [_seen(data, seat, rng) for seat in dict.fromkeys((moves["to_move"], rng.randrange(seats)))]
        found.append({
            "game": wanted["game"],
            "variant": wanted.get("variant", ""),
            "left": len(moments) - place,
            "seats": seats,
            "text": moves["text"],
            "position": data,
            "to_move": moves["to_move"],
            "moves": _drawn(rng, moves["legal_moves"]),
            "next": [one["next"] for one in moments[place : place + 4]],
            "views": [view for view in views if view],
        })  # fmt: skip
    return found, {"game": wanted["game"], "variant": wanted.get("variant", ""), "position": position}


def _match(wanted: dict[str, Any], seed: int) -> dict[str, Any]:
    """A game in progress that is played at random to its end."""
    rng = random.Random(f"{sorted(wanted.items())}/{seed}")
    body: dict[str, Any] = {"match": wanted | {"seed": seed, "seconds": 0.05}}
    standing = _post("/v1/match", body)
    made = 0
    while standing["to_move"] is not None and made < 2 * _MOST_MOVES:
        # The moves of others are not shown: the seat that is to move looks at the game as its own.
        looked = standing["match"] | {"seat": standing["to_move"]}
        moves = _post("/v1/match", {"match": looked})["legal_moves"]
        standing = _post("/v1/match", {"match": standing["match"], "moves": [rng.choice(sorted(moves))]})
        made += 1
    match: dict[str, Any] = standing["match"]
    return {"match": match, "players": standing["players"], "file": standing["file"]}


def make() -> None:
    """Make all positions anew, and keep them."""
    settle()
    found: dict[str, list[dict[str, Any]]] = {"moments": [], "ends": [], "matches": []}
    for wanted, seeds, keep in _DEALS:
        for seed in range(seeds):
            moments, end = _round(wanted, seed, keep)
            found["moments"] += moments
            found["ends"].append(end)
        print(wanted, len(found["moments"]), flush=True)
    for wanted, seeds in _MATCHES:
        found["matches"] += [_match(wanted, seed) for seed in range(seeds)]
    text = json.dumps(found, ensure_ascii=False, separators=(",", ":"))
    FILE.write_bytes(lzma.compress(text.encode(), preset=9 | lzma.PRESET_EXTREME))
    print(f"{len(found['moments'])} positions: {FILE}, {FILE.stat().st_size:,} bytes")


if __name__ == "__main__":
    make()
