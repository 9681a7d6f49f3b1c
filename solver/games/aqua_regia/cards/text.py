"""Moves of Aqua Regia as text: ``Zn Zn``, ``pass``, ``pass Zn>Pb``."""

from __future__ import annotations

from solver.games.aqua_regia.cards.deck import Deck
from solver.games.aqua_regia.cards.rules import Move, Pass, Play
from solver.inputs.errors import MoveError

PASS = "pass"
EXCHANGE = ">"


def text_of(deck: Deck, move: Move) -> str:
    """The contract's text of a move."""
    if isinstance(move, Play):
        return " ".join(deck.symbols([move.metal] * move.count))
    if move.discarded is None or move.taken is None:
        return PASS
    return f"{PASS} {EXCHANGE.join(deck.symbols([move.discarded, move.taken]))}"


def move_of(deck: Deck, text: str) -> Move:
    """The move that a text means, legal or not. Raises MoveError when it means none."""
    words = text.split()
    if words[:1] == [PASS]:
        symbols = "".join(words[1:]).split(EXCHANGE) if words[1:] else []
        if not symbols:
            return Pass()
        if len(symbols) != 2:
            message = f"{text!r} is no move; after pass comes nothing, or the card discarded > the card taken"
            raise MoveError("illegal_move", message)
        return Pass(*(_metal(deck, text, symbol) for symbol in symbols))
    if not words:
        raise MoveError("illegal_move", f"{text!r} is no move; moves are like Zn Zn, pass, pass Zn>Pb")
    metals = {_metal(deck, text, word) for word in words}
    if len(metals) > 1:
        raise MoveError("illegal_move", f"{text!r} is no move; cards played at once are of one metal")
    return Play(metals.pop(), len(words))


def _metal(deck: Deck, text: str, symbol: str) -> int:
    if symbol not in deck.index:
        raise MoveError("illegal_move", f"{text!r} is no move; {symbol!r} is no metal of the deck {deck.name}")
    return deck.index[symbol]
