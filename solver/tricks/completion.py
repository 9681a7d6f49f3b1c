"""What follows from the tricks that were played, filled into data: who led and leads, and what is left of a hand.

Data are JSON-like, as callers send them, and may be wrong in every way. What cannot be read is left to the checks
of the position, which say what is wrong; so nothing here raises. Where tricks break the rules, what would follow
from them is filled in as far as they go: the checks replay the tricks first, and name the trick at fault.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, TypeVar

from pydantic_core import PydanticCustomError

from solver.inputs.errors import Fault
from solver.notation.notation import Data
from solver.notation.tricks import Led
from solver.notation.values import entries, mapping, texts
from solver.tricks.history import Past
from solver.tricks.rules import CardRules, Trick, TrickRules

P = TypeVar("P")
R = TypeVar("R", bound=TrickRules[Any])
Read = Callable[[R, Data, int], Trick[P] | None]  # a trick's data with its leader, and its number


def split_trick(data: Data, faults: list[Fault]) -> None:
    """Put the leader that stands before the trick's cards under its own key."""
    trick = data.get("trick")
    if not isinstance(trick, Led):
        return
    data["trick"] = trick.cards
    check_same(data, "leader", trick.leader, f"the trick is led by seat {trick.leader}", faults)


def check_same(data: Data, key: str, value: object, why: str, faults: list[Fault]) -> None:
    """Fill in a key, or check what is given under it; `why` is a sentence that says the value."""
    given = data.setdefault(key, value)
    if given != value:
        faults.append(Fault("conflict", f"{why}, but {key} is {given}", key))


def followed(data: Data, start: R, read: Read[R, P]) -> Past[P, R] | None:
    """The past that the history leads to, as far as it keeps to the rules; None without a trick that can be read.

    Tricks that do not say who led them are told, in the data, and so is who leads now.
    """
    tricks = data.get("history")
    if not isinstance(tricks, list | tuple) or not tricks:
        return None
    past: Past[P, R] | None = None
    told = []
    broken = False
    for number, one in enumerate(tricks):
        if not isinstance(one, dict):
            return None
        if past is not None and "leader" not in one:
            one = {"leader": past.leader, **one}
        told.append(one)
        leader = one.get("leader")
        if broken or not _is_seat(leader, start.players):
            broken = True
            continue
        assert isinstance(leader, int)
        past = past or Past(start, leader, (0,) * start.players)
        try:
            trick = read(past.rules, one, number)
            if trick is None:
                broken = True
                continue
            past = past.with_plays(trick).after(trick)
        except PydanticCustomError:
            broken = True
    data["history"] = told
    if past is not None:
        data.setdefault("leader", past.leader)
    return past


def _is_seat(value: object, players: int) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value < players


def card_trick(rules: CardRules, one: Data, number: int) -> Trick[int] | None:
    """A full trick of a game in which a play is a card; None for what is none."""
    cards = texts(one.get("cards"))
    if cards is None or len(cards) != rules.players or not all(card in rules.numbers for card in cards):
        return None
    plays = tuple(rules.numbers[card] for card in cards)
    return Trick(one["leader"], plays, f"history[{number}].cards")


def leader_by_hands(data: Data) -> None:
    """Tell who leads by the hands: who has played to the trick has one card less than the others."""
    hands, trick = data.get("hands"), data.get("trick")
    if "leader" in data or not isinstance(hands, list | tuple) or not isinstance(trick, list | tuple) or not trick:
        return
    sizes = [len(hand) for hand in hands if isinstance(hand, list | tuple)]
    players = len(sizes)
    if len(sizes) != len(hands) or len(trick) >= players:
        return
    most = max(sizes)
    leaders = [
        seat
        for seat in range(players)
        if all(sizes[(seat + place) % players] == most - (place < len(trick)) for place in range(players))
    ]
    if len(leaders) == 1:
        data["leader"] = leaders[0]


def played_by(data: Data, players: int) -> Iterator[tuple[int, str, str]]:
    """Every card that was played: its seat, its text, and its place in the data."""
    for number, one in enumerate(entries(data.get("history"))):
        yield from _plays(
            mapping(one).get("leader"), mapping(one).get("cards"), players, f"history[{number}].cards"
        )
    yield from _plays(data.get("leader"), data.get("trick"), players, "trick")


def _plays(leader: object, cards: object, players: int, path: str) -> Iterator[tuple[int, str, str]]:
    if _is_seat(leader, players):
        assert isinstance(leader, int)
        for place, text in enumerate(texts(cards) or ()):
            yield (leader + place) % players, text, f"{path}[{place}]"


def hands_left(
    data: Data, players: int, away: Sequence[Iterable[str]], faults: list[Fault], name: Callable[[str], str] = str
) -> None:
    """Fill in the hand, or all hands, from the cards dealt (`dealt`): without those played, and those put `away`.

    `away` has for each seat the cards that were set aside or picked; they need not be among those dealt. `name` is
    the card that a play's text shows.
    """
    dealt = data.pop("dealt", None)
    if dealt is None:
        return
    key = "hands" if texts(dealt) is None else "hand"
    if key in data:
        faults.append(Fault("conflict", f"give the cards dealt (dealt) or those left ({key}), not both", "dealt"))
        return
    if key == "hand":
        seats = {data["seat"]: list(texts(dealt) or ())} if _is_seat(data.get("seat"), players) else {}
        paths = dict.fromkeys(seats, "dealt")
    elif not isinstance(dealt, list | tuple) or any(texts(hand) is None for hand in dealt):
        data[key] = dealt  # what is wrong with it, the checks of hands say
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
            message = f"seat {seat} played {name(text)} ({path}), which was not dealt to it"
            faults.append(Fault("conflict", message, paths[seat]))
    data[key] = next(iter(seats.values()), dealt) if key == "hand" else [*seats.values()]
