"""Rounds played at random by the rules, all cards known, and what each seat sees of them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from pydantic import BaseModel

from solver import registry
from solver.common import Random
from solver.games.aqua_regia import rules
from solver.games.aqua_regia.position import Round as AquaRound
from solver.games.aqua_regia.rules import Pass

Told = list[tuple[str, ...]]  # what each seat is told


def played_out(
    name: str, players: int | None, variant: str | None, seed: int
) -> Iterator[tuple[BaseModel, str, Told]]:
    """A round at random: each position, the move made in it, and what each seat sees of it.

    What all decide at once is told together, when the last has decided.
    """
    game, random = registry.game(name), Random(seed)
    position: Any = game.deal(seed, players=players, variant=variant)
    hidden: dict[int, str] = {}
    while moves := game.legal_moves(position):
        move = moves[random.below(len(moves))]
        text, seat = game.format_move(position, move), position.seat_to_move
        if getattr(position, "choosing", False):
            hidden[seat] = text
            seats = len(position.hands)
            told: Told = [()] * seats
            if len(hidden) == seats and name == "king":
                told = [tuple(hidden[(own + step) % seats] for step in range(seats)) for own in range(seats)]
            elif len(hidden) == seats:
                told = [(hidden[own],) for own in range(seats)]
        elif isinstance(position, AquaRound):
            told = _told_of_aqua(position, move, text)
        else:
            told = [(text,)] * len(position.hands)
        yield position, text, told
        position = game.play(position, move)
    yield position, "", []


def _told_of_aqua(position: AquaRound, move: rules.Move, text: str) -> Told:
    """The move; to the own seat the card drawn before; to all the dealers after it who could not lead."""
    state = position.state
    after = rules.unsettled(state, move)
    told: Told = []
    for own in range(position.players):
        seen = [text]
        if isinstance(move, Pass) and state.stock and own == state.turn:
            seen.insert(0, f"draws {position.metals.symbols([state.stock[0]])[0]}")
        if after.winner is None and not after.table:
            *stuck, _ = rules.deals(position.metals, after)
            seen += ["no lead" for seat, _ in stuck if seat != own]
        told.append(tuple(seen))
    return told
