"""Questions with decks of the sender's own, puzzle files, lines of text, batches and streams."""

from __future__ import annotations

import json
import random
import tomllib
from functools import cache
from importlib import resources
from typing import Any

from api.bodies import BYTES
from puzzles import format as puzzle_format
from puzzles.format import ASKS
from solver import decks, registry
from solver.common import Random
from solver.errors import AthanorError
from solver.positions import parse_position, text_of
from tests.attack.case import JSON, JUNK, TOML, Case, allowed, bent, changed, posted, request, scratched
from tests.attack.positions import moment, question
from tests.support.hard_decks import hard_deck
from tests.support.mangling import mangle
from tests.support.places import COLLECTION, ROOT

DECKS = ROOT / "docs" / "examples"
_FIELDS = ("water", "vapor", "acid", "aqua-regia")
_DECK_PIECES = ("[[card]]\n", "[[metal]]\n", "a.a.a.a = 1\n", "x = [", '"""', "[a.b]\n", "x = {")
# Of decks that the service under attack has (`run.py` has it read those of the documentation), and of none.
_NAMES = ("house", "mine", "three", "mine", "three", "House", "typo", "my-deck.toml", "../greedy", "", "x" * 200)
_SECONDS = (0.02, 0.03, 0.05)


def decked(rng: random.Random) -> Case:
    """A question about a position with a deck of its own."""
    return rng.choice((_king, _king, _aqua, _house))(rng)


def compounded(rng: random.Random) -> Case:
    """What a random hard deck makes of many cards, which may take any search very long."""
    deck = hard_deck(Random(rng.randrange(1 << 40)))
    codes = [card["code"] for card in deck["card"]]
    rng.shuffle(codes)
    if rng.random() < 0.4:
        cuts = sorted(rng.randrange(len(codes) + 1) for _ in range(2))
        won = [codes[: cuts[0]], codes[cuts[0] : cuts[1]], codes[cuts[1] :]]
        return posted(
            "hard decks", "/v1/score", {"record": {"game": "king", "deck": deck, "rounds": [{"won": won}]}}
        )
    position = {"game": "king", "deck": deck, "cards": codes[: rng.randrange(len(codes) + 1)]}
    body: dict[str, Any] = {"position": position, "limit": {"seconds": rng.choice(_SECONDS)}}
    if rng.random() < 0.3:
        body["best"] = rng.choice((1, 2, 10, 100))
    if rng.random() < 0.3:
        body["missing"] = True
    if rng.random() < 0.3:
        body["must"], body["without"] = rng.sample(codes, rng.randrange(4)), rng.sample(codes, rng.randrange(4))
    return posted("hard decks", "/v1/compound", body)


def sent(rng: random.Random) -> Case:
    """A deck's file, to be read and told: one of ours, a large one or a hard one, and garbled."""
    text = rng.choice(_deck_files()) if rng.random() < 0.6 else _toml(hard_deck(Random(rng.randrange(1 << 40))))
    if rng.random() < 0.6:
        text = scratched(text.encode(), rng).decode("utf-8", "replace")
    if rng.random() < 0.2:
        place = rng.randrange(len(text) + 1)
        text = text[:place] + rng.choice(_DECK_PIECES) * rng.choice((1, 20, 2000)) + text[place:]
    body = text.encode(rng.choice(("utf-8", "utf-8", "utf-8-sig", "utf-16", "cp932")), "replace")
    address, usual = rng.choice((("/v1/decks", TOML), ("/v1/text", BYTES)))
    kind = usual if rng.random() < 0.95 else rng.choice((JSON, "text/plain", ""))
    return Case("deck files", request("POST", address, body, kind), allowed(address, None, len(body)))


def named(rng: random.Random) -> Case:
    """A deal, cards or a question with a deck by its name, which may be that of another game, or of none."""
    name = rng.choice(_NAMES)
    game = rng.choice(registry.names())
    choice = rng.random()
    if choice < 0.4:
        return posted("named decks", "/v1/deal", {"game": game, "seed": rng.randrange(1 << 30), "deck": name})
    if choice < 0.6:
        return posted("named decks", "/v1/cards", {"game": game, "deck": name})
    address, body = question(moment(rng, game) | {"deck": name}, rng)
    return posted("named decks", address, body)


def _toml(deck: dict[str, Any]) -> str:
    """A deck as the text of its file: values of TOML are written as those of JSON are, but for tables."""
    lines = [f"{key} = {_value(value)}" for key, value in deck.items() if key != "card"]
    for card in deck["card"]:
        lines += ["", "[[card]]", *(f"{key} = {_value(value)}" for key, value in card.items())]
    return "\n".join(lines)


def _value(value: Any) -> str:
    if isinstance(value, dict):
        return "{ " + ", ".join(f"{key} = {_value(one)}" for key, one in value.items()) + " }"
    return json.dumps(value)


def _faulty(deck: Any, rng: random.Random) -> Any:
    choice = rng.random()
    if choice < 0.6:
        return deck
    return bent(deck, rng) if choice < 0.8 else mangle(deck, rng, JUNK, ("card", "metal", "copies", "suits"))


def _king(rng: random.Random) -> Case:
    deck = hard_deck(Random(rng.randrange(1 << 40)))
    address, body = question(moment(rng, "king") | {"deck": _faulty(deck, rng)}, rng)
    return posted("hard decks", address, body)


def _aqua(rng: random.Random) -> Case:
    """A round of Aqua Regia with up to 118 metals and 99 cards of each, of which anybody may hold many."""
    kinds, copies = rng.choice((2, 5, 16, 40, 118)), rng.choice((1, 2, 4, 20, 99))
    metals = [f"M{number}" for number in range(kinds)]
    deck: Any = {"name": "large", "title": "Large", "fields": list(_FIELDS), "copies": copies}
    deck["metal"] = [
        {"symbol": metal, "name": metal, "reactivity": {field: rng.randrange(4) for field in _FIELDS}}
        for metal in metals
    ]
    cards = [metal for metal in metals for _ in range(copies)]
    rng.shuffle(cards)
    players = rng.randrange(2, 6)
    size = min(rng.choice((1, 5, 10, 50, 200)), len(cards) // (players + 1))
    hands = [[cards.pop() for _ in range(size)] for _ in range(players)]
    position: dict[str, Any] = {
        "game": "aqua-regia",
        "deck": _faulty(deck, rng),
        "field": rng.choice(_FIELDS),
        "reversed": rng.random() < 0.3,
        "turn": 0,
        "table": [],
        "discard": [],
    }
    if rng.random() < 0.5:
        del cards[rng.choice((0, 5, 50, 12_000)) :]
        position |= {"hands": hands, "stock": cards}
        # The discard pile holds what is nowhere else.
        position["discard"] = [metal for metal in metals for _ in range(copies)]
        for card in (*cards, *(card for hand in hands for card in hand)):
            position["discard"].remove(card)
    else:
        position |= {"seat": 0, "hand": hands[0], "counts": [size] * players, "stock_count": len(cards)}
    address, body = question(position, rng, rng.choice((None, "analyze" if "hands" in position else "hint")))
    return posted("large decks", address, body)


def _house(rng: random.Random) -> Case:
    """A deck that comes with a game, with faults."""
    kind = rng.choice(decks.kinds())
    deck = mangle(tomllib.loads(_written(kind.package, kind.house_file)), rng, JUNK, (kind.key, "name", "copies"))
    address, body = question(moment(rng, kind.game) | {"deck": deck}, rng)
    return posted("faulty decks", address, body)


@cache
def _deck_files() -> list[str]:
    """The files of decks: those of games, and those of the documentation."""
    mine = [(DECKS / name).read_text(encoding="utf-8") for name in ("my-deck.toml", "three-metals.toml")]
    return [*(_written(kind.package, kind.house_file) for kind in decks.kinds()), *mine]


@cache
def _written(package: str, file: str) -> str:
    return resources.files(package).joinpath("decks", file).read_text(encoding="utf-8")


# Puzzle files, as TOML and as JSON: of the collection and of random positions, with faults.


_PIECES = (
    "[[puzzle]]\n", "[puzzle.position]\n", "a.a.a.a = 1\n", "x = [", "]\n", '"""', "'''", "= = \n", "[a.b]\n",
)  # fmt: skip
_LIMITS: tuple[Any, ...] = ({"seconds": 0.02}, {"seconds": 0.05}, {"seconds": 0.02, "nodes": 5})
_ODD_LIMITS: tuple[Any, ...] = (
    {"seconds": -1},
    {"seconds": "x"},
    {"nodes": 0},
    {"x": 1, "seconds": 0.02},
    None,
    [],
)
LIMIT = b"\n[limit]\nseconds = 0.02\n"
_ODD_QUERIES = ("?nodes=1", "?lang=x", "?x=%ff", "?=")


def puzzled(rng: random.Random) -> Case:
    """A file of one to three puzzles."""
    puzzles = [_puzzle(rng) for _ in range(rng.randrange(1, 4))]
    file: Any = {"puzzle": puzzles}
    limit = rng.choice(_LIMITS) if rng.random() < 0.9 else rng.choice(_ODD_LIMITS)
    if rng.random() < 0.2:
        file = mangle(file, rng, JUNK, ("puzzle", "title", "id"))
    limited = {**file, "limit": limit} if isinstance(file, dict) else file
    if rng.random() < 0.5:
        return _sent(json.dumps(limited).encode(), JSON, limited, rng)
    try:
        text = puzzle_format.dumps(puzzle_format.from_data(file)).encode("utf-8", "surrogatepass")
    except AthanorError:
        return _sent(json.dumps(limited).encode(), JSON, limited, rng)
    text += LIMIT
    return _sent(scratched(text, rng) if rng.random() < 0.4 else text, TOML, limited, rng)


def written(rng: random.Random) -> Case:
    """A puzzle of the collection as its file has it, scratched, and with pieces of TOML put into it."""
    text = rng.choice(_texts()) + LIMIT.decode()
    for _ in range(rng.randrange(3)):
        place = rng.randrange(len(text))
        text = text[:place] + rng.choice(_PIECES) * rng.choice((1, 1, 2, 50, 2000)) + text[place:]
    sent = scratched(text.encode(), rng) if rng.random() < 0.7 else text.encode()
    return _sent(sent, TOML, {"puzzle": [None]}, rng)


def answered(rng: random.Random) -> Case:
    """A move as the answer to a puzzle."""
    puzzle = rng.choice(_collection())
    moves = [*puzzle.get("solution", {}).get("best", ()), "pass", "D6", "x"]
    data = changed({"puzzle": puzzle, "answer": rng.choice(moves)}, rng)
    text = json.dumps(data).encode()
    address = "/v1/puzzles/answer"
    return Case("puzzles", request("POST", address, text, JSON), allowed(address, data, len(text)))


def _sent(text: bytes, kind: str, data: Any, rng: random.Random) -> Case:
    query = "" if rng.random() < 0.9 else rng.choice(_ODD_QUERIES)
    address = f"/v1/solve{query}" if rng.random() < 0.8 else "/v1/puzzles"
    return Case("puzzles", request("POST", address, text, kind), allowed(address, data, len(text)))


def _puzzle(rng: random.Random) -> Any:
    if rng.random() < 0.5:
        return changed(rng.choice(_collection()), rng)
    position = changed(moment(rng), rng)
    return {"id": rng.choice(("a", "b", "c")), "title": "Attack", "ask": rng.choice(ASKS), "position": position}


@cache
def _collection() -> list[dict[str, Any]]:
    return [puzzle for text in _files() for puzzle in tomllib.loads(text)["puzzle"]]


@cache
def _texts() -> list[str]:
    """Each puzzle of the collection as its file has it."""
    return ["[[puzzle]]" + piece for text in _files() for piece in text.split("[[puzzle]]")[1:]]


@cache
def _files() -> list[str]:
    return [path.read_text(encoding="utf-8") for path in sorted(COLLECTION.glob("*.toml"))]


# Positions as lines of text; batches of questions; and answers told line by line.


_WORDS = (
    "seat=0", "seat=9", "hand=", "=", "==", "hand=F1,F1", "hands=", "leader=-1", "deck=house", "x=y", "|", "/",
    "-",
)  # fmt: skip
_LONG = (",", "F1,", "A", "x=1 ", "hand=A ", "F1-11,", "\u2003", "4x", "(", "..")


def lined(rng: random.Random) -> Case:
    """A question about a position that is written as a line."""
    data = moment(rng)
    try:
        line = text_of(parse_position(data))
    except AthanorError:  # the last position of a round may be none to ask about
        line = data["game"]
    choice = rng.random()
    if choice < 0.3:
        words = line.split(" ")
        for _ in range(rng.randrange(1, 4)):
            place = rng.randrange(len(words))
            words[place : place + rng.randrange(2)] = [rng.choice((*_WORDS, *words))]
        line = " ".join(words)
    elif choice < 0.6:
        line = scratched(line.encode(), rng).decode("utf-8", "replace")
    elif choice < 0.63:
        place = rng.randrange(len(line))
        line = line[:place] + rng.choice(_LONG) * rng.choice((50, 1000, 100_000)) + line[place:]
    address, body = question(data, rng)
    return posted("lines", address, body | {"position": line})


def batched(rng: random.Random) -> Case:
    """A batch of up to four questions, of which some are no questions."""
    questions: list[Any] = []
    for _ in range(rng.randrange(1, 5)):
        if rng.random() < 0.15:
            hard = compounded(rng)
            questions.append(json.loads(hard.sent.partition(b"\r\n\r\n")[2]) | {"ask": "compound"})
            questions[-1].setdefault("limit", {"seconds": 0.02})
        else:
            data = changed(moment(rng), rng)
            address, body = question(data, rng, rng.choice(("hint", "analyze")))
            questions.append(body | {"ask": address.rpartition("/")[2]})
    if rng.random() < 0.2:
        questions = [*questions, rng.choice((None, 1, {}, [], {"ask": "score"}, {"ask": "hint"}, "analyze"))]
    return posted("batches", "/v1/batch", {"questions": questions})


def streamed(rng: random.Random) -> Case:
    """A question whose answer is told line by line."""
    data = changed(moment(rng), rng)
    address, body = question(data, rng, rng.choice(("hint", "analyze")))
    return posted("streams", f"{address}?stream={rng.choice(('true', 'true', 'true', 'false', '2', ''))}", body)
