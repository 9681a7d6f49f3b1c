"""Questions about positions, views and games in progress: of random rounds of every game, changed or not."""

from __future__ import annotations

import contextlib
import json
import random
from functools import cache
from typing import Any

from athanor.sessions import Saved, Session, dumps
from solver import registry
from solver.errors import AthanorError
from solver.positions import parse_position, position_data, text_of
from solver.registry import game
from tests.attack.case import (
    JUNK,
    TOLD_SECONDS,
    Case,
    allowed,
    changed,
    posted,
    request,
    scratched,
)
from tests.support import rounds
from tests.support.mangling import mangle
from tests.support.places import ROOT

_ROUNDS = 3  # of each kind of deal that are played to their end; of deals there are as many as numbers
_SECONDS = (0.001, 0.005, 0.01, 0.05)
_HINT_SECONDS = (0.005, 0.02, 0.08)
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
        if rng.random() < 0.6:
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


# Games in progress: begun, played on, taken back, hinted at, reviewed, and as text; of real tables, too.


_SEEDS = 2  # of each game that is played to its end
_MOST_MOVES = 100
_CHOICE_SECONDS = 0.05  # the least that a choice may take
_MOVE_SECONDS = 0.005  # to make a move again
_REVIEW_SECONDS = 0.01
_MATCH_KEYS = ("match", "rounds", "for_match", "dealt", "number", "extra")
_PIECES = (
    "[game king]\n", "[seed 7]\n", "round\n", "pass\n", "; x\n", "[x", "[rounds 99]\n", "[dealt yes]\n", "D3 ",
)  # fmt: skip


def continued(rng: random.Random) -> Case:
    """A game in progress, and what is to become of it."""
    address = rng.choice(
        ("/v1/match", "/v1/match", "/v1/match/log", "/v1/match/ended", "/v1/match/turn", "/v1/match/hint")
    )
    saved, left = _begun(rng)
    body: dict[str, Any] = {"match": saved}
    if address == "/v1/match":
        choice = rng.random()
        if choice < 0.6:
            body["moves"] = left[: rng.choice((0, 1, 1, 2, 10, 99))]
        elif choice < 0.8:
            body["undo"] = rng.choice((1, 1, 2, 5, 999))
        else:
            body["redo"] = left[: rng.choice((1, 5, 20))]
    if rng.random() < 0.2:
        body = mangle(body, rng, JUNK, _MATCH_KEYS)
    elif rng.random() < 0.2:
        body = changed(body, rng)
    if address == "/v1/match/hint" and rng.random() < 0.3:
        address += "?stream=true"
    return _sent(address, body, _MOVE_SECONDS * sum(map(len, saved["moves"])))


def reviewed(rng: random.Random) -> Case:
    """A review of a game of which a round is over, or of one in which none is."""
    saved = _whole(rng) if rng.random() < 0.8 else _begun(rng)[0]
    body: dict[str, Any] = {"match": saved, "limit": {"seconds": _REVIEW_SECONDS}}
    if rng.random() < 0.3:
        body["limit"]["nodes"] = rng.choice((1, 10, 1000))
    if rng.random() < 0.9:
        body["seat"] = rng.randrange(6)
    if rng.random() < 0.5:
        body["round"] = rng.randrange(4)
    if rng.random() < 0.3:
        body["model"] = rng.choice(("paranoid", "ally", "maxn", "rational"))
    if rng.random() < 0.2:
        body = mangle(body, rng, JUNK, _MATCH_KEYS)
    return posted("matches", "/v1/match/review", body)


def recorded(rng: random.Random) -> Case:
    """Games as the text of a file, of seeds and of real tables, as they are or with faults."""
    text = "\n".join(_text(rng) for _ in range(rng.choice((1, 1, 2, 3, 17))))
    choice = rng.random()
    if choice < 0.4:
        text = scratched(text.encode(), rng).decode("utf-8", "replace")
    elif choice < 0.6:
        place = rng.randrange(len(text) + 1)
        text = text[:place] + rng.choice(_PIECES) * rng.choice((1, 2, 20, 2000)) + text[place:]
    return _sent("/v1/match/read", {"text": text}, TOLD_SECONDS * (1 + text.count("[game ")))


def _sent(address: str, body: Any, seconds: float) -> Case:
    found = posted("matches", address, body)
    return Case(found.kind, found.sent, allowed(address, body, len(found.sent)) + seconds)


def _text(rng: random.Random) -> str:
    choice = rng.random()
    if choice < 0.5:
        saved, _ = _begun(rng)
        return dumps([Saved.model_validate(saved)])
    if choice < 0.7:
        return rng.choice(_tables())
    data = moment(rng)
    try:
        line = text_of(parse_position(data))
    except AthanorError:  # the last position of a round may be none to ask about
        line = ""
    moves = _whole(rng)["moves"][0]
    return f"[game {data['game']}]\nround {line}\n" + "\n".join(moves[: rng.randrange(9)])


def _begun(rng: random.Random) -> tuple[dict[str, Any], list[str]]:
    """A game up to some move, and the moves that were made after it."""
    saved = _whole(rng)
    moves = saved["moves"]
    left: list[str] = []
    last = rng.randrange(len(moves))
    place = rng.randrange(len(moves[last]) + 1)
    for made in (moves[last][place:], *moves[last + 1 :]):
        left += made
    saved["moves"] = [*moves[:last], moves[last][:place]]
    if rng.random() < 0.1:
        saved["for_match"] = rng.random() < 0.5
    return saved, left


def _whole(rng: random.Random) -> dict[str, Any]:
    """A game as it ended, whose player sits at any seat."""
    found: dict[str, Any] = json.loads(rng.choice(_games()))
    return found | {"seat": rng.randrange(found["players"])}


@cache
def _tables() -> list[str]:
    return [path.read_text(encoding="utf-8") for path in sorted((ROOT / "docs/examples").glob("*.txt"))]


@cache
def _games() -> list[str]:
    """Games of every kind as JSON, each played at random to its end."""
    found = []
    for name in registry.names():
        for variant in registry.game(name).variants or (None,):
            for seed in range(1, 1 + _SEEDS):
                saved = Saved(game=name, variant=variant, seed=seed, rounds=1 + seed // 2, seconds=_CHOICE_SECONDS)
                try:
                    session = Session(saved)
                except AthanorError:  # not every variant is dealt
                    continue
                _play_out(session, random.Random(seed))
                data = session.saved.model_dump(mode="json", exclude_none=True)
                found.append(json.dumps(data | {"players": session.round.players}))
    return found


def _play_out(session: Session, rng: random.Random) -> None:
    while not session.over and session.count < _MOST_MOVES:
        session.play(rng.choice(session.round.moves()))
