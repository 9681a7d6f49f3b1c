"""How trick games write positions as text, and what they fill into positions as they are sent."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, TypeVar

from pydantic_core import PydanticCustomError

from solver.codec import (
    CARDS,
    FLAG,
    HAND_OR_HANDS,
    LISTS,
    NUMBERS,
    PILES,
    WHOLE,
    Data,
    Led,
    Tricks,
    Value,
    Voids,
    entries,
    mapping,
    texts,
)
from solver.codec import Trick as TricksTrick
from solver.common import one_after_another
from solver.errors import Fault
from solver.language import say
from solver.tricks.positions import Past, Replay, cards_at, replay
from solver.tricks.rules import CardRules, Trick, TrickRules

P = TypeVar("P")
R = TypeVar("R", bound=TrickRules[Any])

# ----------------------------------------------------------------------------------------------------
# The formats of the keys that trick games share.


OF_MATCH: Mapping[str, Value] = {"totals": NUMBERS, "round": WHOLE, "for_match": FLAG}
HANDS: Mapping[str, Value] = {"dealt": HAND_OR_HANDS, "hand": CARDS, "hands": PILES}
MEMORY: Mapping[str, Value] = {"gone": CARDS, "tricks": WHOLE, "counts": NUMBERS, "voids": Voids()}
TABLE: Mapping[str, Value] = {"leader": WHOLE, "trick": TricksTrick(in_order=True)}
AS_PLAYED: Mapping[str, Value] = {"as_played": CARDS}
SHARED: Mapping[str, Value] = {"seat": WHOLE, **HANDS, "won": PILES, "history": Tricks(), **TABLE}


# ----------------------------------------------------------------------------------------------------
# Tricks in words, for a person.


def trick_text(leader: int, players: int, texts: Sequence[str]) -> str:
    """Write the plays of a trick with their seats, such as ``seat 3 D6, seat 0 B4``."""
    seats = ((leader + turn) % players for turn in range(len(texts)))
    return one_after_another(
        say("seat {seat} {text}", seat=seat, text=text) for seat, text in zip(seats, texts, strict=True)
    )


def tricks_row(played: int, of: int) -> tuple[str, str]:
    """A labelled line with the number of tricks played."""
    return say("Tricks"), say("{count} of {of} played", count=played, of=of)


# ----------------------------------------------------------------------------------------------------
# Filling in what follows from the tricks played: the leaders, and the rest of a hand.
#
# Data are JSON-like, as callers send them, and may be wrong in any way. Whatever cannot be read is left to the
# checks of the position, which report it, so nothing here raises. If tricks break the rules, the consequences are
# filled in up to there: the checks look at the replay first, and name the trick at fault.


Read = Callable[[R, Data, int], Trick[P] | None]  # makes a trick from rules, data, and its number


def split_trick(data: Data, faults: list[Fault]) -> None:
    """Move a leader that is written in front of the trick's cards to the key `leader`."""
    trick = data.get("trick")
    if not isinstance(trick, Led):
        return
    data["trick"] = trick.cards
    check_same(data, "leader", trick.leader, say("the trick is led by seat {seat}", seat=trick.leader), faults)


def check_same(data: Data, key: str, value: object, why: str, faults: list[Fault]) -> None:
    """Set `key` to `value` if it is missing; add a fault if it has another value.

    `why` is the first half of the fault's message: a clause that says what the value must be.
    """
    stated = data.setdefault(key, value)
    if stated != value:
        faults.append(Fault("conflict", say("{why}, but {key} is {given}", why=why, key=key, given=stated), key))


def replay_data(data: Data, rules: R, read: Read[R, P]) -> Replay[P, R] | None:
    """Replay the history up to its first illegal trick; return None if it has no trick that can be read.

    `rules` are those of the first trick. ``read(rules, entry, number)`` reads the history's entry with this
    number; it may raise a fault, or return None. Missing leaders are filled in, in the history and for the current
    trick.
    """
    tricks = data.get("history")
    if not isinstance(tricks, LISTS) or not all(isinstance(trick_told, dict) for trick_told in tricks):
        return None
    replayed: Replay[P, R] | None = None
    tricks_told, goes_on = [], True
    for number, trick_told in enumerate(tricks):
        if replayed is not None and "leader" not in trick_told:
            trick_told = {"leader": replayed.past.leader, **trick_told}
        tricks_told.append(trick_told)
        leader = trick_told.get("leader")
        goes_on = goes_on and _is_seat(leader, rules.players)
        if not goes_on:
            continue
        if replayed is None:
            replayed = replay(Past(rules, leader, (0,) * rules.players), ())
        try:
            trick = read(replayed.past.rules, trick_told, number)
        except PydanticCustomError:
            trick = None
        goes_on = trick is not None and replayed.add(trick)
    data["history"] = tricks_told
    if replayed is not None:
        data.setdefault("leader", replayed.past.leader)
    return replayed


def leader_fault(history: object) -> Iterator[Fault]:
    """Yield a fault if the leader of the first trick of a history is missing: those of the others follow."""
    first = next(iter(entries(history)), None)
    if (first.get("leader") if isinstance(first, Mapping) else getattr(first, "leader", "")) is None:
        yield Fault("missing_key", say("{key} is missing", key="leader"), "history[0].leader")


def _is_seat(value: object, players: int) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value < players


def card_trick(rules: CardRules, data: Data, number: int) -> Trick[int] | None:
    """Read `data`, entry `number` of a history, as a trick of cards; None if these are not texts.

    Raises a fault for a text that is not a card.
    """
    cards, path = texts(data.get("cards")), f"history[{number}].cards"
    if cards is None:
        return None
    return Trick(data["leader"], cards_at(rules, cards, path), path)


def leader_by_hands(data: Data) -> None:
    """Infer a missing leader from the hands: seats that have played to the trick have one card less."""
    hands, trick = data.get("hands"), data.get("trick")
    if "leader" in data or not isinstance(hands, LISTS) or not isinstance(trick, LISTS) or not trick:
        return
    sizes = [len(hand) for hand in hands if isinstance(hand, LISTS)]
    players = len(sizes)
    if len(sizes) != len(hands) or len(trick) >= players:
        return
    most = max(sizes)
    leaders = [
        seat
        for seat in range(players)
        if all(sizes[(seat + turn) % players] == most - (turn < len(trick)) for turn in range(players))
    ]
    if len(leaders) == 1:
        data["leader"] = leaders[0]


def played_by(data: Data, players: int) -> Iterator[tuple[int, str, str]]:
    """Yield every card that was played, as its seat, its text, and its path in the data."""
    for number, trick in enumerate(entries(data.get("history"))):
        yield from _plays(
            mapping(trick).get("leader"), mapping(trick).get("cards"), players, f"history[{number}].cards"
        )
    yield from _plays(data.get("leader"), data.get("trick"), players, "trick")


def _plays(leader: object, cards: object, players: int, path: str) -> Iterator[tuple[int, str, str]]:
    if _is_seat(leader, players):
        assert isinstance(leader, int)
        for index, text in enumerate(texts(cards) or ()):
            yield (leader + index) % players, text, f"{path}[{index}]"


def hands_left(
    data: Data, players: int, away: Sequence[Iterable[str]], faults: list[Fault], name: Callable[[str], str] = str
) -> None:
    """Replace the key ``dealt`` in the data by ``hand`` or ``hands``: the cards dealt, minus those no longer held.

    No longer held are the cards played, and those in `away`: for each seat, the cards set aside or picked, which
    need not be among those dealt. ``name(text)`` is the card in the text of a play. Adds faults for
    contradictions.
    """
    dealt = data.pop("dealt", None)
    if dealt is None:
        return
    key = "hands" if texts(dealt) is None else "hand"
    for left in ("hand", "hands"):
        if left in data:
            message = say("give the cards dealt (dealt) or those left ({key}), not both", key=left)
            faults.append(Fault("conflict", message, "dealt"))
            return
    if key == "hand":
        seats = {data["seat"]: list(texts(dealt) or ())} if _is_seat(data.get("seat"), players) else {}
        paths = dict.fromkeys(seats, "dealt")
    elif not isinstance(dealt, LISTS) or any(texts(hand) is None for hand in dealt):
        data[key] = dealt  # the checks of hands report what is wrong
        return
    else:
        seats = {seat: list(hand) for seat, hand in enumerate(dealt)}
        paths = {seat: f"dealt[{seat}]" for seat in seats}
    for seat, hand in seats.items():
        for card in away[seat] if seat < len(away) else ():
            if card in hand:
                hand.remove(card)
    for seat, text, path in played_by(data, players):
        if seat not in seats:
            continue
        if name(text) in seats[seat]:
            seats[seat].remove(name(text))
        else:
            message = say(
                "seat {seat} played {name} ({path}), which was not dealt to it",
                seat=seat,
                name=name(text),
                path=path,
            )
            faults.append(Fault("conflict", message, paths[seat]))
    data[key] = next(iter(seats.values()), dealt) if key == "hand" else [*seats.values()]


# ----------------------------------------------------------------------------------------------------
# What follows from the player's hand and the table, filled into data that may be wrong in any way.


def tricks_over(data: Data, whole_hand: int, players: int, leader: object) -> int | None:
    """The number of finished tricks, derived from the size of the player's hand; None if that is impossible.

    `leader` is the leader of the current trick, as given or according to the history: it shows whether the player
    has already played to the trick. It is used only if `data` has the key ``leader`` or every finished trick.
    Otherwise the player is assumed to have played only if the trick is full.
    """
    hand, trick, seat = texts(data.get("hand")), texts(data.get("trick", [])), data.get("seat")
    if hand is None or trick is None or len(hand) > whole_hand or "dealt" in data or not isinstance(seat, int):
        return None
    over = whole_hand - len(hand)
    known = "leader" in data or over - 1 == len(entries(data.get("history")))
    played = known and isinstance(leader, int) and (seat - leader) % players < len(trick)
    return max(0, over - 1) if played or len(trick) == players else over


def is_remembered(data: Data, over: int) -> bool:
    """Whether a view is a partial memory: it lacks some of the `over` finished tricks, or has `voids`."""
    return len(entries(data.get("history"))) < over or bool(data.get("voids"))


def keep_gone(data: Data, players: int) -> None:
    """Remove from `gone` the cards that are also in a pile or a trick."""
    gone = data.setdefault("gone", [])
    if texts(gone) is not None:
        seen = _seen(data, players)
        data["gone"] = [card for card in gone if card not in seen]


def _seen(data: Data, players: int) -> set[str]:
    """Return the texts of the cards that are in a trick or a pile."""
    piles = map(texts, entries(data.get("won")))
    return {card for _, card, _ in played_by(data, players)}.union(*(pile or () for pile in piles))


def check_counted(data: Data, over: int | None, whole_hand: int, players: int, faults: list[Fault]) -> None:
    """Remove the keys `tricks` and `counts` from `data`, and add a fault for each that is wrong.

    Both follow from the player's hand, the table, and `over`, the number of finished tricks. If `over` is None,
    nothing is done.
    """
    if over is None:
        return
    stated = data.pop("tricks", over)
    if stated != over:
        message = say("according to the hand, {over} tricks are over, not {told}", over=over, told=stated)
        faults.append(Fault("conflict", message, "tricks"))
    counts, leader, trick = data.pop("counts", None), data.get("leader"), texts(data.get("trick", [])) or ()
    if counts is not None and isinstance(leader, int):
        right = [whole_hand - over - ((seat - leader) % players < len(trick)) for seat in range(players)]
        if list(entries(counts)) != right:
            sizes = ", ".join(map(str, right))
            message = say("according to your hand and the trick, the hands have {sizes} cards", sizes=sizes)
            faults.append(Fault("conflict", message, "counts"))


def check_all_told(data: Data, over: int | None, players: int, faults: list[Fault]) -> None:
    """Remove the keys `gone` and `voids` from the data of a view that has every finished trick.

    Both follow from the tricks. Adds a fault for each card of `gone` that is in no trick and no pile. If `over`,
    the number of finished tricks, is None, nothing is done.
    """
    if over is None:
        return
    seen = _seen(data, players)
    for index, card in enumerate(texts(data.pop("gone", [])) or ()):
        if card not in seen:
            message = say(
                "{card} is in none of the {over} tricks that are over, and all are in the history",
                card=card,
                over=over,
            )
            faults.append(Fault("conflict", message, f"gone[{index}]"))
    data.pop("voids", None)
