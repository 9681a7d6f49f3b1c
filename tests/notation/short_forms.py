"""Lines as they are typed at the table: nothing between cards, one letter for a key, a take, a give or a pass."""

from __future__ import annotations

import re

from solver.codec import SHORT

LETTERS = {key: letter for letter, keys in SHORT.items() for key in keys}
CARDS = {
    *("hand", "hands", "dealt", "won", "removed", "pick", "trick", "cards", "table", "discard", "stock", "known"),
    *("line", "pile", "opponent_pile", "unseen", "discarded"),
}


def short(line: str) -> str:
    """The shortest line that means what a canonical line without rounds means, its cards' names as they are."""
    game, *words = line.split()
    return " ".join([game, *(_word(game, word) for word in words)])


def _word(game: str, word: str) -> str:
    key, equals, value = word.partition("=")
    if key == "history":
        value = _moves(value) if game == "aqua-regia" else _tricks(value)
    elif key in CARDS and not value.isdecimal():  # such as how many cards a sum puzzle asks for
        value = "/".join(map(_run, value.split("/")))
    return (LETTERS.get(key, key) if equals else word) + equals + value


def _run(cards: str) -> str:
    """Cards without what parts them; a hyphen in the place of a card needs it."""
    found = ""
    for card in cards.split(","):
        found += "," * (card == "-" or found == "-" or found.endswith(",-")) + card
    return found.removeprefix(",")


def _tricks(value: str) -> str:
    first, *others = (_run(re.sub(r":(t)ake:|:(g)ive:", r"\1\2", trick)) for trick in value.split("/"))
    return "/".join([first, *(trick.split(":", 1)[1] for trick in others)])


def _moves(value: str) -> str:
    """Moves without seats, where they go round, and passes by their letter."""
    found, expected = [], None
    players = 1 + max(int(seat) for seat in re.findall(r"(?:^|/)(\d):", value))
    for part in value.split("/"):
        seat, _, move = part.partition(":")
        if seat.isdecimal():
            if move.startswith("pass"):
                move = "p" + move.removeprefix("pass").replace(":", "")
            part = _run(move) if int(seat) == expected else f"{seat}:{_run(move)}"
            expected = (int(seat) + 1) % players
        else:
            expected = None  # a field
        found.append(part)
    return "/".join(found)
