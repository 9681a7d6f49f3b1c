"""Questions about positions and views of random rounds of every game, as they are or changed."""

from __future__ import annotations

import contextlib
import json
import random
from functools import cache
from typing import Any

from solver.errors import AthanorError
from solver.positions import parse_position, position_data
from solver.registry import game
from tests.attack.case import Case, allowed, posted, request
from tests.attack.changes import JUNK, changed, scratched
from tests.support import rounds
from tests.support.mangling import mangle

_ROUNDS = 3  # of each kind of deal that are played to their end; of deals there are as many as numbers
_SECONDS = (0.02, 0.02, 0.03, 0.05)
_HINT_SECONDS = (0.05, 0.05, 0.08)
_QUESTIONS = ("analyze", "hint", "hint", "moves", "play", "view")


def moment(rng: random.Random, name: str | None = None) -> dict[str, Any]:
    """A position or view of a random round, of one game or of any, as data."""
    cases = [case for case in rounds.CASES if name in (None, case.name)]
    case = rng.choice(cases)
    if rng.random() < 0.3:
        position = case.deal(rng.randrange(1, 1 << 20))
    else:
        position = rng.choice(rounds.playout(case, rng.randrange(1, 1 + _ROUNDS)))
    if rng.random() < 0.5:
        seats = case.players or 1
        seat = getattr(position, "seat_to_move", 0) if rng.random() < 0.8 else rng.randrange(seats)
        with contextlib.suppress(AthanorError):  # the round is over
            position = case.game.view(position, min(seat, seats - 1))
    return position_data(position)


def question(position: Any, rng: random.Random, ask: str | None = None) -> tuple[str, dict[str, Any]]:
    """An address, and a body that asks there about the position."""
    ask = ask or _fitting(position, rng)
    body: dict[str, Any] = {"position": position}
    if ask == "play":
        body["moves"] = _moves(position, rng)
    elif ask == "view":
        body["seat"] = rng.randrange(6)
    elif ask != "moves":
        body["limit"] = {"seconds": rng.choice(_HINT_SECONDS if ask == "hint" else _SECONDS)}
        if rng.random() < 0.3:
            body["limit"]["nodes"] = rng.choice((1, 10, 1000, 100_000))
    if ask == "hint" and rng.random() < 0.3:
        body |= {"worlds": rng.choice((0, 0, 1, 2, 30, 100_000)), "seed": rng.randrange(1 << 40)}
    if ask in ("analyze", "hint") and rng.random() < 0.4:
        body["model"] = rng.choice(("paranoid", "ally", "maxn", "rational"))
        if rng.random() < 0.4:
            body["player"] = rng.randrange(6)
    return f"/v1/{ask}", body


def remembered(rng: random.Random) -> Case:
    """A hint from half a memory: the last tricks of a view of Kirin, and some of what was played before."""
    view = moment(rng, "kirin")
    tricks = view.get("history") or []
    known = tricks[rng.randrange(len(tricks) + 1) :]
    before = [card for trick in tricks[: len(tricks) - len(known)] for card in trick["cards"]]
    rng.shuffle(before)
    view |= {"history": known, "gone": before[: rng.randrange(len(before) + 1)]}
    if rng.random() < 0.5:
        view["voids"] = {rng.choice("01234"): [rng.choice(("D", "S", "B6", "G+", "X", *before))]}
    if rng.random() < 0.3:
        view["won"] = [before[:2], [], before[2:3], []]
    address, body = question(changed(view, rng), rng, rng.choice(("hint", "hint", "moves", "play")))
    return posted("memories", address, body)


def asked(rng: random.Random) -> Case:
    """A question about a position that may have been changed."""
    address, body = question(changed(moment(rng), rng), rng)
    if rng.random() < 0.05:
        body = mangle(body, rng, JUNK, ("limit", "seed", "extra"))
    return posted("positions", address, body)


def garbled(rng: random.Random) -> Case:
    """A question whose text was changed."""
    address, body = question(moment(rng), rng)
    sent = scratched(json.dumps(body, ensure_ascii=rng.random() < 0.5).encode("utf-8", "surrogatepass"), rng)
    try:
        data = json.loads(sent)
    except ValueError:
        data = None
    return Case("text", request("POST", address, sent), allowed(address, data, len(sent)))


def _fitting(position: Any, rng: random.Random) -> str:
    """A question: nearly always one that is asked of positions, or of views, as this is one."""
    ask = rng.choice(_QUESTIONS)
    if rng.random() < 0.9 and isinstance(position, dict):
        known = not ("hand" in position and {"unseen", "seat"} & set(position))
        ask = {"hint": "analyze"}.get(ask, ask) if known else {"analyze": "hint", "view": "moves"}.get(ask, ask)
    return ask


def _moves(position: Any, rng: random.Random) -> list[Any]:
    """Some that may be played: legal ones where the position is one of ours."""
    found = _legal(json.dumps(position)) if rng.random() < 0.8 else ()
    drawn: list[Any] = [rng.choice(found)] if found else []
    while rng.random() < 0.4:
        drawn.append(
            rng.choice((*JUNK, *found)) if rng.random() < 0.5 else rng.choice(("pass", "none", "F1", "D3"))
        )
    return drawn


@cache
def _legal(text: str) -> tuple[str, ...]:
    try:
        position = parse_position(json.loads(text))
        found = game(position.game)
        return tuple(found.format_move(position, move) for move in found.legal_moves(position))
    except (AthanorError, ValueError, TypeError, AttributeError):
        return ()
