"""The kinds of Kirin's positions, and what follows from the keys of one."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from pydantic_core import PydanticCustomError

from solver.codec import LISTS, Data, texts
from solver.errors import Fault
from solver.games.kirin.deck import ASCENDING, DESCENDING, DIRECTIONS, NUMBERS, members, names
from solver.games.kirin.rules import SEATS, TRICKS, Order, order_of
from solver.language import say
from solver.tricks.any_round import of_others
from solver.tricks.positions import Past, Replay, cards_at, contradictions
from solver.tricks.rules import Trick
from solver.tricks.text import (
    card_trick,
    check_all_told,
    check_counted,
    hands_left,
    is_remembered,
    keep_gone,
    leader_by_hands,
    replay_data,
    tricks_over,
)

_Replay = Replay[int, Order]


def kind_of(data: Data) -> str:
    """Return the kind of a position, which its keys show."""
    declared, dealt = data.get("declared"), data.get("dealt")
    if "hand" in data or ("hands" not in data and (isinstance(declared, str) or texts(dealt) is not None)):
        return "view" if data.keys() & {"declared", "trick", "history"} else "view before"
    if isinstance(declared, LISTS) and all(declared):
        return "known"
    begun = data.keys() & {"direction", "trick", "won", "history"}
    return "known before" if "seat" in data or not begun else "known"


def complete(kind: str, values: Data, faults: list[Fault]) -> list[_Replay]:
    """Fill in the keys that follow from others, and remove those that only repeat what others say.

    `values` are those of the keys that were given, each valid by itself. Contradictions are added to `faults`.
    Returns the replay of the history, if there is one, and, if the order at its beginning is unknown, another one
    in the other order.
    """
    declared = values.setdefault("declared", ("",) * SEATS) if kind == "known before" else values.get("declared")
    if kind == "view" and not (isinstance(declared, str) and declared):
        value = "a list" if isinstance(declared, LISTS) else repr(declared)
        faults.append(Fault("wrong_type", say("text is expected, not {value}", value=value), "declared"))
    elif kind != "view" and isinstance(declared, str):
        faults.append(
            Fault("wrong_type", say("a list is expected, not {value}", value=repr(declared)), "declared")
        )
    replays: list[_Replay] = []
    if not kind.endswith("before"):
        values.setdefault("trick", ())
        as_played = [NUMBERS[card] for card in values.get("as_played", ())]
        replays = _complete_round(
            values, order_of(values.get("rules"), as_played=as_played), kind == "view", faults
        )
    leader_by_hands(values)
    away = [[declared]] * SEATS if isinstance(declared, str) else [[text] for text in declared or ()]
    hands_left(values, SEATS, away, faults)
    if kind == "known":
        if replays:
            values.setdefault("direction", DIRECTIONS[replays[0].past.rules.direction])
            values.setdefault("won", tuple(tuple(names(members(pile))) for pile in replays[0].past.won))
        elif is_fresh(values):
            values.setdefault("direction", DIRECTIONS[ASCENDING])
        values.setdefault("won", ((),) * SEATS)
    return replays


def _complete_round(values: Data, order: Order, is_view: bool, faults: list[Fault]) -> list[_Replay]:
    ascending = dict(values)
    first = replay_data(ascending, order, card_trick)
    over = tricks_over(values, TRICKS, SEATS, ascending.get("leader")) if is_view else None
    if over is not None and is_remembered(values, over):
        return _complete_memory(values, over, order, first, ascending, faults)
    values |= ascending
    if is_view:
        values.setdefault("history", ())
        check_counted(values, over, TRICKS, SEATS, faults)
        check_all_told(values, over, SEATS, faults)
        # Still there if the hand has an impossible size, which is told next, or follows from the cards dealt.
        left = [key for key in ("gone", "voids") if values.pop(key, None)]
        faults += [of_others(key) for key in left if "dealt" in values]
        stated: Data = {key: values.pop(key) for key in ("direction", "won") if key in values}
        faults += contradictions(first.past if first else Past(order, 0, (0,) * SEATS), stated, complete=True)
    return [first] if first else []


def _complete_memory(
    values: Data, over: int, order: Order, ascending: _Replay | None, up: Data, faults: list[Fault]
) -> list[_Replay]:
    """Fill in what follows from the tricks that a player remembers.

    The order in the first of them is unknown: `ascending` is their replay in one, `up` the values it filled in.
    """
    for key, nothing in (("history", ()), ("won", ((),) * SEATS), ("gone", ()), ("voids", {})):
        values.setdefault(key, nothing)
    down = dict(values)
    descending = replay_data(down, replace(order, direction=DESCENDING), card_trick)
    led = [
        (replay, tried)
        for replay, tried in ((ascending, up), (descending, down))
        if replay is not None and values.get("leader", replay.past.leader) == replay.past.leader
    ]
    # An order in which a play was illegal was not in force. If that goes for both, the play is reported.
    legal = [attempt for attempt in led if _is_legal(attempt[0], values)] or led[:1]
    by_order = {DIRECTIONS[replay.past.rules.direction]: tried for replay, tried in legal}
    if values.get("direction", next(iter(by_order), None)) in by_order and (
        len(by_order) == 1 or "direction" in values
    ):
        values.setdefault("direction", next(iter(by_order)))
        values |= by_order[values["direction"]]
    elif not over:
        values.setdefault("direction", DIRECTIONS[ASCENDING])
    if "direction" not in values:
        message = say("which order is in force: ascending or descending?")
        faults.append(Fault("missing_key", message, "direction"))
    values.setdefault("leader", (values["seat"] - len(values["trick"])) % SEATS)
    check_counted(values, over, TRICKS, SEATS, faults)
    keep_gone(values, SEATS)
    return [replay for replay in (ascending, descending) if replay is not None]


def _is_legal(replay: _Replay, values: Data) -> bool:
    """Whether the remembered plays were legal, as far as these, the trick on the table and the own hand show."""
    past = replay.past
    try:
        if replay.fault is not None:
            raise replay.fault
        plays = cards_at(past.rules, values["trick"], "trick")
        past = past.with_plays(Trick(past.leader, plays, "trick"))
        past.check_may_hold(values["seat"], [NUMBERS[card] for card in values["hand"]], str)
    except PydanticCustomError:
        return False
    return True


def is_fresh(values: Mapping[str, Any]) -> bool:
    """Whether the round has just begun: all hands are complete and nothing has been won."""
    if values.get("history") or any(values.get("won", ())) or "hands" not in values:
        return False
    return sum(map(len, values["hands"])) + len(values.get("trick", ())) == SEATS * TRICKS
