"""All requests, in an order that never changes: made of kept positions and of seeds, without the product."""

from __future__ import annotations

import json
import random
import tomllib
from collections.abc import Iterator
from functools import cache
from typing import Any

from tests.frozen.changes import JUNK, bent, mangled, scratched
from tests.frozen.commands import commands
from tests.frozen.positions import GAMES, OWN, kept
from tests.frozen.service import ROOT, Request

MODELS = ("paranoid", "ally", "maxn")
_JSON = (("Content-Type", "application/json"),)
_TOML = (("Content-Type", "application/toml"),)
_RANKS = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K")
_HOUSE = [f"{suit}{number}" for suit in "FWEA" for number in range(1, 12)] + ["T1", "T2", "T3", "T4", "T5", "D"]


@cache
def requests() -> tuple[Request, ...]:
    """Every request; those of a kind stand together."""
    found = [request for source in _SOURCES for request in source()]
    found += [*_called(), *commands()]
    return tuple(sorted(found, key=lambda request: request.kind))  # stable: the order within a kind stays


def _posted(kind: str, path: str, body: Any, headers: tuple[tuple[str, str], ...] = _JSON) -> Request:
    return Request(kind, "POST", path, headers, body if isinstance(body, bytes) else _json(body))


def _got(kind: str, path: str, *headers: tuple[str, str], method: str = "GET") -> Request:
    return Request(kind, method, path, headers)


def _json(data: Any) -> bytes:
    return json.dumps(data, separators=(",", ":")).encode()


def _written(one: dict[str, Any], rng: random.Random) -> Any:
    """A position as its data or as its text."""
    return one["text"] if rng.random() < 0.5 else one["position"]


def _tables() -> Iterator[Request]:
    """Moves, plays and views of kept positions, and what views are told."""
    rng = random.Random("tables")
    for one in kept()["moments"]:
        game = one["game"]
        yield _posted(f"{game}.moves", "/v1/moves", {"position": one["position"]})
        yield _posted(f"{game}.moves", "/v1/moves", {"position": one["text"]})
        for move in one["moves"][:2]:
            yield _posted(f"{game}.play", "/v1/play", {"position": _written(one, rng), "moves": [move]})
        body = {"position": one["text"], "moves": one["next"][: rng.randrange(1, 5)]}
        yield _posted(f"{game}.play", "/v1/play", body)
        yield _posted(
            f"{game}.view", "/v1/view", {"position": _written(one, rng), "seat": rng.randrange(one["seats"])}
        )
        for view in one["views"]:
            yield _posted(f"{game}.moves", "/v1/moves", {"position": _written(view, rng)})
            for move in [*view["moves"][:1], *view["possible"][:1]]:
                yield _posted(f"{game}.play", "/v1/play", {"position": _written(view, rng), "moves": [move]})
        if rng.random() < 0.15:
            other = rng.choice(kept()["moments"])
            wrong = rng.choice([rng.choice(JUNK), *other["moves"], *other["next"]])
            yield _posted(f"{game}.play", "/v1/play", {"position": _written(one, rng), "moves": [wrong]})


def _analyses() -> Iterator[Request]:
    rng = random.Random("analyses")
    for one in kept()["moments"]:
        game = one["game"]
        if game == "alchemy":
            body = {"position": _written(one, rng), "limit": {"nodes": rng.choice((100, 5_000, 50_000))}}
            yield _posted("alchemy.analyze", "/v1/analyze", body)
            continue
        models = MODELS if one["left"] <= 20 else (rng.choice(MODELS),)
        for model in models:
            body = {"position": _written(one, rng), "model": model}
            body["limit"] = {"nodes": rng.choice((1, 300, 3_000, 20_000) if one["left"] > 12 else (3_000, 20_000))}
            if model != "maxn" and rng.random() < 0.4:
                body["player"] = rng.randrange(one["seats"])
            yield _posted(f"{game}.analyze.{model}", "/v1/analyze", body)


def _partial() -> Iterator[Request]:
    """Endings without a history, and with piles that are not whole."""
    rng = random.Random("partial")
    for one in kept()["moments"]:
        if one["game"] == "alchemy" or one["left"] > 20:
            continue
        position = dict(one["position"])
        if rng.random() < 0.8:
            position.pop("history", None)
        won = position.get("won")
        if won and rng.random() < 0.5:
            position["won"] = [pile[: rng.randrange(len(pile) + 1)] for pile in won]
        elif rng.random() < 0.4:
            position.pop("won", None)
        for key in ("deck", "rules", "removed", "discard", "leader", "direction", "owner"):
            if rng.random() < 0.15:
                position.pop(key, None)
        body = {"position": position, "model": rng.choice(MODELS), "limit": {"nodes": 10_000}}
        yield _posted(f"{one['game']}.analyze.partial", "/v1/analyze", body)


_LETTERS = {"seat": "s", "hand": "h", "declared": "d", "pick": "p", "removed": "r", "history": "m", "trick": "t"}
_LETTERS |= {"players": "n", "line": "l", "opponent_hand": "o"}


def _typed() -> Iterator[Request]:
    """Lines as people type them: letters of any case, nothing between cards, short keys in any order."""
    rng = random.Random("typed")
    for one in kept()["moments"]:
        for text in [one["text"], *(view["text"] for view in one["views"][:1])]:
            head, *words = text.split(" ")
            if rng.random() < 0.3:
                rng.shuffle(words)
            if rng.random() < 0.5:
                parts = [word.partition("=") for word in words]
                words = [_LETTERS.get(key, key) + sign + value for key, sign, value in parts]
            typed = (rng.choice((" ", " ", "&", "  "))).join([head, *words])
            if rng.random() < 0.5:
                typed = typed.replace(",", rng.choice(("", " ", ", ")))
            if rng.random() < 0.4:
                typed = typed.lower() if rng.random() < 0.7 else typed.upper()
            yield _posted(f"{one['game']}.typed", "/v1/moves", {"position": typed})


def _free() -> Iterator[Request]:
    """Sum puzzles, and duels with jokers, piles and totals."""
    rng = random.Random("free")
    for _ in range(160):
        line = [rng.choice(_RANKS) for _ in range(rng.choice((3, 5, 6, 8, 10, 14)))]
        body: dict[str, Any] = {"game": "alchemy", "variant": "free", "line": line, "hand": rng.choice(_RANKS)}
        if rng.random() < 0.5:
            body["min_line"] = rng.randrange(1, 5)
        if rng.random() < 0.5:
            body["objective"] = rng.choice(("most-cards", "fewest-cards", "most-points"))
            if rng.random() < 0.3:
                body["cards"] = rng.randrange(1, 6)
        yield _posted("alchemy.free", "/v1/analyze", {"position": body, "limit": {"nodes": 100_000}})
    for _ in range(100):
        deck = [rank for rank in _RANKS for _ in range(4)]
        rng.shuffle(deck)
        body = {"game": "alchemy", "variant": "duel", "line": [deck.pop() for _ in range(6)]}
        body |= {"hand": deck.pop(), "opponent_hand": deck.pop()}
        body |= {"pile": [deck.pop() for _ in range(rng.randrange(6))]}
        body |= {"opponent_pile": [deck.pop() for _ in range(rng.randrange(6))]}
        if rng.random() < 0.3:
            body["table_jokers"] = rng.randrange(1, 3)
        if rng.random() < 0.2:
            body[rng.choice(("hand", "opponent_hand"))] = "X"
        if rng.random() < 0.3:
            body["totals"] = [rng.randrange(100), rng.randrange(100)]
        ask = {"position": body, "limit": {"nodes": 2_000}}
        yield _posted("alchemy.duel", "/v1/analyze", ask)
        if "totals" in body:
            yield _posted("alchemy.race", "/v1/hint", {"position": body, "worlds": 4})
        else:
            yield _posted("alchemy.duel", "/v1/hint", ask)


def _hints() -> Iterator[Request]:
    """Hints by seed and by nodes or worlds; first answers, of no world, are of a kind of their own."""
    rng = random.Random("hints")
    for one in kept()["moments"]:
        game = one["game"]
        for view in one["views"]:
            mine = view["seat"] == one["to_move"]
            if not mine and rng.random() < 0.8:
                continue
            for turn in range(2 if mine else 1):
                body: dict[str, Any] = {"position": _written(view, rng), "seed": rng.choice((0, 0, 1, 7, 2**40))}
                if rng.random() < 0.8:
                    body["limit"] = {"nodes": rng.choice((1, 200, 2_000, 2_000, 8_000) if turn else (500, 4_000))}
                else:
                    body["worlds"] = rng.choice((1, 5, 40))
                    body["limit"] = {"nodes": 20_000}
                yield _posted(f"{game}.hint", "/v1/hint", body)
            if game != "alchemy" and mine and rng.random() < 0.4:
                yield _posted(f"{game}.first", "/v1/hint", {"position": _written(view, rng), "worlds": 0})
    for one in _remembered(rng):
        yield _posted(f"{one['game']}.hint.memory", "/v1/hint", {"position": one, "limit": {"nodes": 1_500}})


def _reasons() -> Iterator[Request]:
    """Hints of many deals, which find causes: their reasons say why a move is better."""
    rng = random.Random("reasons")
    wanted = {"kirin": (2, 40_000), "king": (3, 20_000), "aqua-regia": (3, 15_000), "alchemy": (3, 20_000)}
    places = dict.fromkeys(wanted, 0)
    for one in kept()["moments"]:
        game = one["game"]
        every, nodes = wanted[game]
        views = [view for view in one["views"] if view["seat"] == one["to_move"] and len(view["moves"]) > 1]
        if one["left"] < 4 or not views:
            continue
        places[game] += 1
        if places[game] % every == 0:
            body = {"position": views[0]["text"], "limit": {"nodes": nodes}, "seed": rng.randrange(9)}
            yield _posted(f"{game}.reason", "/v1/hint", body)


def _remembered(rng: random.Random) -> Iterator[dict[str, Any]]:
    """Views in which something that follows from the rest is left out or said besides, and those of a match."""
    for one in kept()["moments"]:
        if rng.random() > 0.35 or not one["views"]:
            continue
        view = dict(one["views"][0]["position"])
        for key in (
            "won",
            "leader",
            "direction",
            "counts",
            "deck",
            "turn",
            "owner",
            "history",
            "removed",
            "discard",
        ):
            if key in view and rng.random() < 0.25:
                del view[key]
        if one["game"] in ("king", "kirin") and rng.random() < 0.4:
            view["totals"] = [rng.randrange(40) for _ in range(one["seats"])]
            view["round"] = rng.randrange(1, 4)
            if rng.random() < 0.5:
                view["for_match"] = True
        yield view


def _compounds() -> Iterator[Request]:
    rng = random.Random("compounds")
    own = OWN["king"]()
    for number in range(330):
        cards = rng.sample(_HOUSE, rng.choice((0, 1, 5, 9, 13, 17, 22, 30)))
        position: dict[str, Any] = {"game": "king", "cards": cards}
        if number % 5 == 0:
            position["deck"] = own
        body: dict[str, Any] = {"position": position, "limit": {"nodes": rng.choice((10, 2_000, 20_000))}}
        if number % 3 == 1:
            body["position"] = f"king cards={','.join(cards) or '-'}"
        if rng.random() < 0.3:
            body["best"] = rng.choice((1, 2, 3, 10))
        if rng.random() < 0.2 and cards:
            body["must"] = rng.sample(cards, 1)
        if rng.random() < 0.2:
            body["without"] = rng.sample(cards if number % 4 and len(cards) > 2 else _HOUSE, rng.randrange(3))
        if rng.random() < 0.2:
            body["missing"] = True
        if rng.random() < 0.1:
            body = mangled(body, rng)
        yield _posted("king.compound", "/v1/compound", body)


def _deals() -> Iterator[Request]:
    rng = random.Random("deals")
    variants = {"alchemy": ("solo", "alternative", "duel", "free"), "king": ("picked", "unpicked")}
    variants |= {"kirin": ("declared", "undeclared"), "aqua-regia": ()}
    rules: tuple[str, ...] = (
        "declared_counts",
        "led_kirin_asks_only_kirin",
        "late_trump_does_not_lift",
        "no_bottom_when_trumped",
    )
    rules += ("reactivity_one_follows_single", "alternative_without_cap_loss", "house_joker", "two_jokers")
    for number in range(640):
        game = GAMES[number % 4]
        body: dict[str, Any] = {"game": game, "seed": rng.choice((rng.randrange(100), rng.randrange(2**53)))}
        if rng.random() < 0.3:
            body["number"] = rng.randrange(50)
        if rng.random() < 0.5:
            body["players"] = rng.choice((2, 3, 4, 5) if game != "kirin" else (4, 4, 5))
        if rng.random() < 0.4 and variants[game]:
            body["variant"] = rng.choice(variants[game])
        if rng.random() < 0.25:
            body["rules"] = {rng.choice(rules): rng.random() < 0.7}
        if rng.random() < 0.5:
            body["seat"] = rng.randrange(4)
        if rng.random() < 0.1 and game in OWN:
            body["deck"] = OWN[game]() if rng.random() < 0.8 else bent(OWN[game](), rng)
        if rng.random() < 0.1:
            body = mangled(body, rng)
            if "seed" not in body or not isinstance(body["seed"], int):
                body["seed"] = 1.5
        yield _posted(f"{game}.deal", "/v1/deal", body)


def _scores() -> Iterator[Request]:
    rng = random.Random("scores")
    keys = {"kirin": ("declared", "won"), "king": ("won",), "aqua-regia": ("hands",)}
    ends = [
        end for end in kept()["ends"] if end["game"] in keys and end["variant"] not in ("unpicked", "undeclared")
    ]
    for end in ends:
        game, position = end["game"], end["position"]
        record = {"game": game} | {key: position[key] for key in ("deck", "rules") if key in position}
        part = {key: position[key] for key in keys[game] if key in position}
        for count in (1, 2, 3):
            yield _posted(f"{game}.score", "/v1/score", {"record": record | {"rounds": [part] * count}})
        yield _posted(f"{game}.score", "/v1/score", {"record": mangled(record | {"rounds": [part]}, rng)})
        yield _posted(f"{game}.score", "/v1/score", {"record": bent(record | {"rounds": [part]}, rng)})
    for _ in range(60):
        deck = [rank for rank in _RANKS for _ in range(4)]
        rng.shuffle(deck)
        piles = [deck[: (cut := rng.randrange(30))], deck[cut : cut + rng.randrange(20)]]
        record = {"game": "alchemy", "variant": "duel", "rounds": [{"piles": piles}] * rng.randrange(1, 4)}
        sent = record if rng.random() < 0.7 else mangled(record, rng)
        yield _posted("alchemy.score", "/v1/score", {"record": sent})
    for number in range(200):
        game = GAMES[number % 4]
        seats = {"alchemy": 2, "kirin": 4, "king": 3, "aqua-regia": rng.randrange(2, 6)}[game]
        most = 1 if game == "aqua-regia" else 45
        points = [[rng.randint(0, most) for _ in range(seats)] for _ in range(rng.randrange(1, 5))]
        sheet: Any = {"game": game, "points": points} | ({"variant": "duel"} if game == "alchemy" else {})
        if rng.random() < 0.2:
            sheet = mangled(sheet, rng)
        yield _posted(f"{game}.score", "/v1/score", {"record": sheet})


def _data_errors() -> Iterator[Request]:
    """Positions with a fault somewhere, asked about in every way; some are whole all the same."""
    rng = random.Random("data")
    for one in kept()["moments"]:
        for turn in range(3):
            views = one["views"]
            seen = rng.choice(views) if views and rng.random() < 0.5 else None
            data = (seen or one)["position"]
            fault = bent if turn == 1 else mangled
            body: dict[str, Any] = {"position": fault(data, rng)}
            yield _asked(f"{one['game']}.error.json", body, seen is not None, rng)


def _text_errors() -> Iterator[Request]:
    """Lines of text with faults."""
    rng = random.Random("text")
    for one in kept()["moments"]:
        for _ in range(2):
            seen = rng.choice(one["views"]) if one["views"] and rng.random() < 0.5 else None
            text = scratched((seen or one)["text"].encode(), rng).decode("utf-8", "replace")
            yield _asked(f"{one['game']}.error.text", {"position": text}, seen is not None, rng)


def _asked(kind: str, body: dict[str, Any], view: bool, rng: random.Random) -> Request:
    """A small question about what may be a position."""
    path = rng.choice(("moves", "moves", "hint" if view else "analyze", "play", "view"))
    if path in ("hint", "analyze"):
        body["limit"] = {"nodes": 200}
    elif path == "play":
        body["moves"] = [rng.choice(("pass", "none", "S1", "F1", "Zn", 7))]
    elif path == "view":
        body["seat"] = rng.randrange(5)
    return _posted(kind, f"/v1/{path}", body)


def _body_errors() -> Iterator[Request]:
    """Bodies that are no JSON, have other keys, wrong limits, or are hostile."""
    rng = random.Random("bodies")
    moments = kept()["moments"]
    for number in range(500):
        one = moments[number * 7 % len(moments)]
        sent = _json({"position": one["text"] if number % 2 else one["position"], "limit": {"nodes": 100}})
        yield _posted("error.broken", f"/v1/{rng.choice(('moves', 'analyze', 'hint'))}", scratched(sent, rng))
    faults: list[dict[str, Any]] = [{"limit": {key: value}} for key in ("nodes", "seconds") for value in JUNK]
    faults += [
        {key: value} for key in ("worlds", "seed", "model", "player", "limit", "extra", "lang") for value in JUNK
    ]
    small = next(one for one in moments if one["game"] == "kirin" and one["left"] == 1)
    for fault in faults:
        unlimited = {"limit": {"nodes": 100}} | fault  # a hint that has no limit of nodes takes an hour
        if "nodes" in unlimited.get("limit", {}) if isinstance(unlimited["limit"], dict) else True:
            worlds = fault.get("worlds")
            if type(worlds) is int and worlds > 1000 and worlds <= 100_000:
                continue
            yield _posted("error.limits", "/v1/hint", {"position": small["views"][0]["text"]} | unlimited)
        yield _posted("error.limits", "/v1/analyze", {"position": small["text"]} | fault)
    for path in (
        "hint",
        "analyze",
        "moves",
        "play",
        "view",
        "compound",
        "deal",
        "score",
        "cards",
        "batch",
        "match",
    ):
        odd: tuple[Any, ...] = ({}, [], None, "x", 7, {"position": None}, {"position": {}})
        for body in (*odd, {"position": {"game": "chess"}}):
            yield _posted("error.bodies", f"/v1/{path}", body)
        for kind in (
            "text/plain",
            "application/toml",
            "",
            "application/json; charset=utf-16",
            "multipart/form-data",
        ):
            yield _posted("error.types", f"/v1/{path}", b"{}", (("Content-Type", kind),))
        yield _posted("error.types", f"/v1/{path}", b"{}", (*_JSON, ("Content-Encoding", "gzip")))
        yield _posted("error.types", f"/v1/{path}", b"", _JSON)
        for item in ("{}", "[]", "1", '"1"', "[[1]]", '{"a":1}', "null", '"\\u0000"'):
            many = f"[{','.join([item] * 3000)}]"
            yield _posted("error.hostile", f"/v1/{path}", f'{{"position":{many}}}'.encode())
        yield _posted("error.hostile", f"/v1/{path}", b'{"position":' + b"[" * 5000 + b"]" * 5000 + b"}")
        yield _posted("error.hostile", f"/v1/{path}", b'{"a":1,"a":2}')
        yield _posted("error.hostile", f"/v1/{path}", b'{"position":' + b"9" * 5000 + b"}")
        yield _posted("error.hostile", f"/v1/{path}", b'{"position":"' + b"x" * 100_000 + b'"}')
        yield _posted("error.hostile", f"/v1/{path}", b"[" + b"1," * 60_000 + b"1]")
        yield _posted("error.hostile", f"/v1/{path}", b" " * (1 << 20) + b"{}")
    for one in moments[::9]:
        key = rng.choice(sorted(one["position"]))
        yield _posted(
            "error.hostile", "/v1/moves", {"position": one["position"] | {key: [rng.choice(JUNK)] * 400}}
        )


def _addresses() -> Iterator[Request]:
    """What is read without a body, and addresses and methods that nobody should use."""
    yield _got("document", "/openapi.json")
    for path in ("/v1/games", "/v1/decks"):
        yield _got("tables", path)
    for game in (*GAMES, "chess", "", "Kirin", "%00", "..%2f.."):
        yield _got("tables", f"/v1/rules/{game}")
        yield _got("tables", f"/v1/rules/{game}", ("Accept", "text/markdown"))
        for grade in ("easy", "medium", "hard", "expert", "odd"):
            yield _got("puzzles.collection", f"/v1/puzzles?game={game}&grade={grade}")
    for query in ("grade=easy", "most=3", "game=kirin&game=king", "x=1", "game=kirin&most=5", "%ff=1"):
        yield _got("puzzles.collection", f"/v1/puzzles?{query}")
    places: tuple[str, ...] = (
        "/v1/hint",
        "/v1/analyze",
        "/v1/games",
        "/v1/nothing",
        "/v1",
        "//",
        "/static/x",
        "/v1/jobs/nothing",
    )
    places += ("/v1/jobs/0123456789abcdef/results", "/v1/match", "/openapi.json", "/healthz/", "/../etc/passwd")
    for place in places:
        for method in ("GET", "HEAD", "OPTIONS", "PUT", "DELETE", "PATCH", "POST"):
            yield _got("error.addresses", place, method=method)
    for game in (*GAMES, "chess"):
        for body in (
            {},
            {"variant": "duel"},
            {"variant": "x"},
            {"deck": "house"},
            {"deck": "no such"},
            {"deck": 7},
        ):
            yield _posted("tables", "/v1/cards", {"game": game} | body)
        if game in OWN:
            yield _posted("tables", "/v1/cards", {"game": game, "deck": OWN[game]()})
    rng = random.Random("decks")
    for game, own in OWN.items():
        for number in range(90):
            deck = own() if number < 2 else (bent if number % 3 == 0 else mangled)(own(), rng)
            yield _posted(f"{game}.deck", "/v1/cards", {"game": game, "deck": deck})
            if number % 3 == 0:
                yield _posted(f"{game}.deck", "/v1/deal", {"game": game, "seed": number, "deck": deck, "seat": 0})
    files = sorted((ROOT / "docs/examples").glob("*.toml"))
    for file in files:
        for number in range(8):
            text = file.read_bytes()
            text = scratched(text, rng) if number else text
            yield _posted("decks.file", "/v1/decks", text, _TOML)
            yield _posted("puzzles.file", "/v1/puzzles", text, _TOML)


def _matches() -> Iterator[Request]:
    """Games in progress: moves, going back, as text, reviewed."""
    rng = random.Random("matches")
    for played in kept()["matches"]:
        match, game = played["match"], played["match"]["game"]
        yield _posted(f"{game}.match", "/v1/match", {"match": match})
        for _ in range(12):
            last = rng.randrange(len(match["moves"]))
            place = rng.randrange(len(match["moves"][last]) + 1)
            begun = match | {"moves": [*match["moves"][:last], match["moves"][last][:place]]}
            begun["seat"] = rng.randrange(played["players"])
            left = match["moves"][last][place:]
            body: dict[str, Any] = {"match": begun}
            body |= rng.choice((
                {}, {"moves": left[: rng.randrange(6)]}, {"moves": ["D1"]}, {"undo": rng.randrange(5)},
                {"redo": left[:8]}, {"undo": 2, "redo": left[:3]},
            ))  # fmt: skip
            yield _posted(f"{game}.match", "/v1/match", body)
            yield _posted(f"{game}.match", "/v1/match", mangled(body, rng))
        yield _posted(f"{game}.written", "/v1/match/read", {"text": played["file"]})
        for _ in range(6):
            text = scratched(played["file"].encode(), rng).decode("utf-8", "replace")
            yield _posted(f"{game}.written", "/v1/match/read", {"text": text})
        for number in range(2):
            review: dict[str, Any] = {"match": match, "limit": {"nodes": rng.choice((100, 400))}}
            review["seat"] = number
            if game != "alchemy":
                review["model"] = rng.choice(MODELS)
            again = review | {"round": rng.choice((0, 1, 2, 9))}
            if game != "alchemy":  # of Alchemy they depend on what the process was asked before
                yield _posted(f"{game}.review", "/v1/match/review", review)
                yield _posted(f"{game}.review", "/v1/match/review", again)
        yield _posted(f"{game}.review", "/v1/match/review", mangled(review | {"round": 99}, rng))
    for path in sorted((ROOT / "docs/examples").glob("*.txt")):
        yield _posted("kirin.written", "/v1/match/read", {"text": path.read_text(encoding="utf-8")})


def _puzzles() -> Iterator[Request]:
    """Puzzles of the collection, one a request, and files with faults."""
    rng = random.Random("puzzles")
    for path in sorted((ROOT / "puzzles/collection").glob("*.toml")):
        text = path.read_text(encoding="utf-8")
        pieces = ["[[puzzle]]" + piece for piece in text.split("[[puzzle]]")[1:]]
        hidden = "hidden" in path.stem
        for piece in pieces if len(pieces) <= 25 else pieces[:: len(pieces) // 25]:
            kind = "puzzles.hidden" if hidden else "puzzles.solve"
            yield _posted(kind, "/v1/solve", f"{piece}\n[limit]\nnodes = 20000\n".encode(), _TOML)
        for piece in rng.sample(pieces, min(6, len(pieces))):
            yield _posted(
                "puzzles.error", "/v1/solve", scratched(piece.encode(), rng) + b"\n[limit]\nnodes = 500\n", _TOML
            )
            data = mangled(tomllib.loads(piece), rng)
            yield _posted(
                "puzzles.error", "/v1/solve", data | {"limit": {"nodes": 500}} if isinstance(data, dict) else data
            )
            yield _posted("puzzles.error", "/v1/puzzles", mangled(data, rng))
    for limit in ("nodes = 0", "nodes = 'x'", "seconds = -1", "x = 1", "seconds = nan"):
        yield _posted("puzzles.error", "/v1/solve", f"[[puzzle]]\n[limit]\n{limit}\n".encode(), _TOML)


def _batches() -> Iterator[Request]:
    rng = random.Random("batches")
    moments = kept()["moments"]
    for _ in range(60):
        questions: list[Any] = []
        for one in rng.sample(moments, rng.randrange(1, 7)):
            ask = rng.choice(("analyze", "hint", "compound"))
            position = one["views"][0]["text"] if ask == "hint" and one["views"] else one["text"]
            question: Any = {"ask": ask, "position": position, "limit": {"nodes": 300}}
            questions.append(question if rng.random() < 0.8 else {"ask": ask, "position": rng.choice(JUNK)})
        body: dict[str, Any] = {"questions": questions}
        yield _posted("batch", "/v1/batch", body if rng.random() < 0.9 else mangled({"questions": [7, {}]}, rng))
    for one in moments[::40]:
        path = "/v1/analyze?stream=true"
        yield _posted("stream", path, {"position": one["text"], "limit": {"nodes": 1000}})
        if one["views"]:
            body = {"position": one["views"][0]["text"], "limit": {"nodes": 500}}
            yield _posted("stream", "/v1/hint", body, (*_JSON, ("Accept", "application/x-ndjson")))
    jobs: list[Any] = [{"kind": kind} for kind in JUNK] + [{"kind": "analyze", "questions": junk} for junk in JUNK]
    for body in jobs:
        yield _posted("error.jobs", "/v1/jobs", body)


def _called() -> Iterator[Request]:
    """A few of the same by `import athanor`."""
    rng = random.Random("python")
    for one in kept()["moments"][::12]:
        seat = rng.randrange(one["seats"])
        calls: list[tuple[str, list[Any], dict[str, Any]]] = [
            ("parse", [one["position"]], {}),
            ("legal_moves", [one["text"]], {}),
            ("play", [one["text"], one["next"]], {}),
            ("view", [one["position"]], {"seat": seat}),
            ("convert", [one["text"]], {}),
            ("convert", [json.dumps(one["position"])], {}),
            ("analyze", [one["text"]], {"nodes": 300}),
            ("parse", [mangled(one["position"], rng)], {}),
        ]
        if one["views"]:
            calls.append(("hint", [one["views"][0]["text"]], {"nodes": 300, "seed": 5}))
            calls.append(("possible_moves", [one["views"][0]["text"]], {}))
        for name, args, keywords in calls:
            yield Request(f"python.{name}", "PYTHON", name, body=_json([args, keywords]))


_SOURCES = (
    _tables,
    _analyses,
    _partial,
    _typed,
    _free,
    _hints,
    _reasons,
    _compounds,
    _deals,
    _scores,
    _data_errors,
    _text_errors,
    _body_errors,
    _addresses,
    _matches,
    _puzzles,
    _batches,
)
