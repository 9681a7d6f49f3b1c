"""Games in progress: begun, played on, taken back, hinted at, reviewed, and as text; of real tables, too."""

from __future__ import annotations

import json
import random
from functools import cache
from typing import Any

from athanor.reviews import SECONDS
from athanor.sessions import Saved, Session, dumps
from solver import registry
from solver.errors import AthanorError
from solver.positions import parse_position, text_of
from tests.attack.case import SLACK_SECONDS, TOLD_SECONDS, Case, allowed, posted, seconds_of
from tests.attack.changes import JUNK, changed, scratched
from tests.attack.sources.positions import moment
from tests.support.mangling import mangle
from tests.support.places import ROOT

_SEEDS = 2  # of each game that is played to its end
_MOST_MOVES = 100
_SECONDS = 0.05  # the least that a choice may take
_MOVE_SECONDS = 0.005  # to make a move again
_REVIEW_SECONDS = 0.01
_KEYS = ("match", "rounds", "for_match", "dealt", "number", "extra")
_PIECES = (
    "[game king]\n",
    "[seed 7]\n",
    "round\n",
    "pass\n",
    "; x\n",
    "[x",
    "[rounds 99]\n",
    "[dealt yes]\n",
    "D3 ",
)


def asked(rng: random.Random) -> Case:
    """A game in progress, and what is to become of it."""
    address = rng.choice(("/v1/match", "/v1/match", "/v1/match/log", "/v1/match/turn", "/v1/match/hint"))
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
        body = mangle(body, rng, JUNK, _KEYS)
    elif rng.random() < 0.2:
        body = changed(body, rng)
    if address == "/v1/match/hint" and rng.random() < 0.3:
        address += "?stream=1"
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
        body = mangle(body, rng, JUNK, _KEYS)
    limit = body.get("limit")
    given = limit.get("seconds") if isinstance(limit, dict) else None
    # Three questions about each move, of which a hint takes what sampling a world takes.
    each = seconds_of(given, SECONDS) + SLACK_SECONDS
    return _sent("/v1/match/review", body, 3 * sum(map(len, saved["moves"])) * each)


def written(rng: random.Random) -> Case:
    """Games as the text of a file, of seeds and of real tables, as they are or with faults."""
    text = "\n".join(_text(rng) for _ in range(rng.choice((1, 1, 2, 3, 17))))
    choice = rng.random()
    if choice < 0.4:
        text = scratched(text.encode(), rng).decode("utf-8", "replace")
    elif choice < 0.6:
        place = rng.randrange(len(text) + 1)
        text = text[:place] + rng.choice(_PIECES) * rng.choice((1, 2, 20, 2000)) + text[place:]
    return _sent("/v1/match/written", {"text": text}, TOLD_SECONDS * (1 + text.count("[game ")))


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
                saved = Saved(game=name, variant=variant, seed=seed, rounds=1 + seed // 2, seconds=_SECONDS)
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
