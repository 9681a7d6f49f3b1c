"""The text formats of Kirin's positions and records, and which of their keys follow from others."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from pydantic_core import PydanticCustomError

from solver.codec import (
    CARD_OR_CARDS,
    FLAG,
    LISTS,
    PILES,
    RULES,
    WHOLE,
    WORD,
    Data,
    Names,
    Notation,
    Replayed,
    Tricks,
    entries,
    texts,
)
from solver.errors import Fault
from solver.games.kirin.deck import ASCENDING, DESCENDING, DIRECTIONS, NUMBERS, TEXTS, members, names
from solver.games.kirin.rules import SEATS, TRICKS, KirinReadings, Order, order_of
from solver.language import say
from solver.readings import readings_in
from solver.showing import POINTS
from solver.tricks.positions import Past, Replay, cards_at, contradictions
from solver.tricks.rules import Trick
from solver.tricks.text import (
    AS_PLAYED,
    HANDS,
    MEMORY,
    OF_MATCH,
    TABLE,
    card_trick,
    check_all_told,
    check_counted,
    hands_left,
    is_remembered,
    keep_gone,
    leader_by_hands,
    replay_data,
    shortened,
    split_trick,
    tricks_over,
)

if TYPE_CHECKING:
    from solver.game import Game


def notation(game: Game) -> Notation:
    """Return the text formats of all keys of Kirin's positions and records."""
    return Notation(
        values={
            "points": POINTS,
            "declared_counts": FLAG,
            "rules": RULES,
            **OF_MATCH,
            "seat": WHOLE,
            "direction": WORD,
            **HANDS,
            "declared": CARD_OR_CARDS,
            "won": PILES,
            "history": Tricks(),
            **MEMORY,
            **TABLE,
            **AS_PLAYED,
        },
        rounds={"declared": CARD_OR_CARDS, "won": PILES, "history": Tricks(), "rules": RULES, **AS_PLAYED},
        names=lambda data: Names(TEXTS),
        complete=_complete,
        inferred=("direction", "won", "leader"),
        shortened=shortened,
    )


_Replay = Replay[int, Order]


def _complete(data: Data, faults: list[Fault]) -> Data:
    if "points" in data:
        return data
    if "rounds" in data:
        if isinstance(data["rounds"], LISTS):
            data["rounds"] = [_replayed(one) if isinstance(one, dict) else one for one in data["rounds"]]
        return data
    split_trick(data, faults)
    is_view = "hand" in data and "declared" in data and "hands" not in data
    replayed = dict(data)
    replay, other = replay_data(replayed, _order(data), card_trick), None
    past = None if replay is None else replay.past
    over = _tricks_over(data, replayed.get("leader")) if is_view else None
    if over is not None and is_remembered(data, over):
        past = None
        other = _complete_memory(data, over, replayed, replay, faults)
    else:
        data = replayed
        if is_view:
            check_counted(data, over, TRICKS, SEATS, faults)
            check_all_told(data, over, SEATS, faults)
            _check_besides(data, past, faults)
    leader_by_hands(data)
    declared = data.get("declared")
    away = [[card] if isinstance(card, str) else [] for card in _by_seat(data, declared)]
    hands_left(data, SEATS, away, faults)
    if "hands" in data:
        if past is not None:
            data.setdefault("direction", DIRECTIONS[past.rules.direction])
            data.setdefault("won", [names(members(pile)) for pile in past.won])
        elif _is_fresh(data):
            data.setdefault("direction", DIRECTIONS[ASCENDING])
    return Replayed(data, replay, other)


def _replayed(one: Data) -> Data:
    """Fill in the leaders of a finished round's tricks."""
    replay = replay_data(one, _order(one), card_trick)
    one.pop("leader", None)
    return Replayed(one, replay)


def _order(data: Data) -> Order:
    """Return the rules at the start of a round, with the rule options in `data`."""
    as_played = [NUMBERS[card] for card in texts(data.get("as_played")) or () if card in NUMBERS]
    return order_of(readings_in(KirinReadings, data.get("rules")), as_played=as_played)


def _check_besides(data: Data, past: Past[int, Order] | None, faults: list[Fault]) -> None:
    """Compare a view's direction and piles with its history, and remove them from `data`."""
    given: Data = {key: data.pop(key) for key in ("direction", "won") if key in data}
    if past is None and data.get("history"):
        return
    if "won" in given:
        piles = [pile if isinstance(pile, LISTS) else [pile] for pile in entries(given["won"])]
        given["won"] = [[*map(str, pile)] for pile in piles]
    faults += contradictions(past or Past(_order(data), 0, (0,) * SEATS), given, complete=True)
    if len(given.get("won", range(SEATS))) != SEATS:
        faults.append(Fault("wrong_size", say("{seats} piles are expected, one per seat", seats=SEATS), "won"))


# ----------------------------------------------------------------------------------------------------
# Partial memory: a view with fewer tricks than are over, and anything else that its player remembers.


def _tricks_over(data: Data, leader: object) -> int | None:
    """Return how many tricks are over, judging by the player's hand; None if the hand can't be read."""
    if any(card not in NUMBERS for card in texts(data.get("hand")) or ()):
        return None
    return tricks_over(data, TRICKS, SEATS, leader)


def _complete_memory(
    data: Data, over: int, up: Data, ascending: _Replay | None, faults: list[Fault]
) -> _Replay | None:
    """Fill in what follows from the tricks that a player remembers; add faults for missing or contradictory keys.

    The direction in the first remembered trick is unknown: `ascending` is their replay in one, and `up` the data
    that it filled in. Returns their replay in the other.
    """
    seat, trick = data.get("seat"), texts(data.get("trick", [])) or ()
    down = dict(data)
    descending = replay_data(down, replace(_order(data), direction=DESCENDING), card_trick)
    led = [
        (replay, tried)
        for replay, tried in ((ascending, up), (descending, down))
        if replay is not None and data.get("leader", replay.past.leader) == replay.past.leader
    ]
    # An order in which a play was illegal was not in force. If that goes for both, the play is reported.
    legal = [one for one in led if _is_legal(one[0], data)] or led[:1]
    by_order = {DIRECTIONS[replay.past.rules.direction]: tried for replay, tried in legal}
    if data.get("direction", next(iter(by_order), None)) in by_order and (
        len(by_order) == 1 or "direction" in data
    ):
        data.setdefault("direction", next(iter(by_order)))
        data |= by_order[data["direction"]]
    elif not over:
        data.setdefault("direction", DIRECTIONS[ASCENDING])
    if "direction" not in data:
        message = say("which order is in force: ascending or descending?")
        faults.append(Fault("missing_key", message, "direction"))
        data["direction"] = DIRECTIONS[ASCENDING]  # one fault about it is enough
    if isinstance(seat, int):
        data.setdefault("leader", (seat - len(trick)) % SEATS)
    check_counted(data, over, TRICKS, SEATS, faults)
    keep_gone(data, SEATS)
    return descending


def _is_legal(replay: _Replay, data: Data) -> bool:
    """Whether the remembered plays were legal, as far as these, the trick on the table and the own hand show."""
    trick, hand = texts(data.get("trick", [])) or (), texts(data.get("hand")) or ()
    past = replay.past
    try:
        if replay.fault is not None:
            raise replay.fault
        plays = cards_at(past.rules, [card for card in trick if card in NUMBERS], "trick")
        past = past.with_plays(Trick(past.leader, plays, "trick"))
        if isinstance(data.get("seat"), int):
            past.check_may_hold(data["seat"], [NUMBERS[card] for card in hand if card in NUMBERS], str)
    except PydanticCustomError:
        return False
    return True


def _by_seat(data: Data, declared: Any) -> list[Any]:
    """Return the card that each seat set aside, None where it is unknown; empty if none are given."""
    if isinstance(declared, str):
        return [declared if seat == data.get("seat") else None for seat in range(SEATS)]
    return [*declared] if isinstance(declared, LISTS) else []


def _is_fresh(data: Mapping[str, Any]) -> bool:
    """Whether the round has just begun: all hands are complete and nothing has been won."""
    hands, trick = data["hands"], data.get("trick", ())
    if data.get("won") or data.get("history") or "seat" in data:
        return False
    if not isinstance(hands, LISTS) or not isinstance(trick, LISTS):
        return False
    held = sum(len(hand) for hand in hands if isinstance(hand, LISTS))
    return held + len(trick) == SEATS * TRICKS
