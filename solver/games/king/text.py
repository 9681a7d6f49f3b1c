"""The text notation of King × Alchemy's positions and records, and how missing keys are filled in."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from pydantic import BaseModel

from solver import decks
from solver.codec import (
    CARDS,
    DATA,
    NOTHING,
    PILES,
    RULES,
    WHOLE,
    WORD,
    Cards,
    Data,
    Names,
    Notation,
    Replayed,
    Tricks,
    TwoReadings,
    entries,
    mapping,
    parts,
    run_of,
    texts,
)
from solver.common import mask, members
from solver.errors import Fault
from solver.games.king.deck import KIND, Deck, KingReadings, read_by
from solver.games.king.position import (
    KingRules,
    KnownPosition,
    PickPosition,
    Seen,
    TakenTrick,
    View,
    cards_at,
    plays_at,
    taking_at,
)
from solver.games.king.rules import DEALT, REMOVED, TRICKS, Play, card_of, play_of, takings, winner
from solver.language import say
from solver.readings import readings_in
from solver.showing import POINTS
from solver.tricks.text import (
    AS_PLAYED,
    HANDS,
    MEMORY,
    OF_MATCH,
    TABLE,
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

_TO = re.compile(r"[\s:]to[\s:]\s*(\d)\s*$", re.IGNORECASE)
_SEAT = re.compile(r"(?:^|(?<=[\s,/]))\d:")


class KingNames(Names):
    """The names of a deck's cards; the name of a played Dancer includes its suit, such as ``D:F``."""

    def __init__(self, deck: Deck) -> None:
        dancer = deck.code(deck.dancer)
        super().__init__(deck.index, [f"{dancer}:{suit}" for suit in deck.suits])
        self._suits = Names(deck.suits)

    def card(self, text: str) -> str:
        if self.has(text):
            return text
        code, colon, suit = text.partition(":")
        return super().card(code) + colon + self._suits.card(suit)


class TakenTricks(Tricks):
    """Finished tricks with what was taken and given: ``2:F2,F9,E1,W3:take:F2,E1:give:W3``.

    Against the rules, several cards may be given, and to another seat than the bottom: ``:give:E1,W3:to:0``.
    """

    def __init__(self) -> None:
        super().__init__({"take": "taken", "give": "also_given"})

    def _tidied(self, value: Any, names: Names) -> Any:
        value = super()._tidied(value, names)
        if isinstance(value, Mapping) and isinstance(value.get("given"), str):
            return {**value, "given": names.card(value["given"])}
        return value

    def _trick(self, text: str, names: Names) -> dict[str, Any]:
        to = _TO.search(text)
        found = super()._trick(text if to is None else text[: to.start()], names)
        first, *more = [card for card in found.pop("also_given", []) if card] or [None]
        found |= {"given": first} if first else {}
        found |= {"also_given": more} if more else {}
        return found if to is None else {**found, "given_to": int(to[1])}

    def _written(self, trick: Mapping[str, Any]) -> str:
        given = [card for card in (trick.get("given"), *(trick.get("also_given") or ())) if card]
        text = super()._written({**trick, "also_given": given})
        return text if trick.get("given_to") is None else f"{text}:to:{trick['given_to']}"


class Picks(Cards):
    """The card that each seat picked, in order of seats; ``0:F3/1:W11/2:T2`` is accepted too."""

    def __init__(self) -> None:
        super().__init__(in_order=True)

    def of_text(self, text: str, names: Names) -> Any:
        found: list[Any] = []
        for word in parts(_SEAT.sub(",", text).replace("/", ",")):
            run: list[Any] = run_of(word, names)
            unread = not all(map(names.has, run)) and not isinstance(run[0], TwoReadings)
            if unread and NOTHING in word[1:]:
                run = [one for part in parts(word.replace(NOTHING, f",{NOTHING},")) for one in run_of(part, names)]
            found += run
        return found


def notation(game: Game) -> Notation:
    """Build King × Alchemy's notation."""
    return Notation(
        values={
            "points": POINTS,
            "deck": DATA,
            "rules": RULES,
            **OF_MATCH,
            "stage": WORD,
            "players": WHOLE,
            "seat": WHOLE,
            **HANDS,
            "cards": CARDS,
            "pick": Picks(),
            "won": PILES,
            "removed": CARDS,
            "history": TakenTricks(),
            **MEMORY,
            **TABLE,
            **AS_PLAYED,
        },
        rounds={"won": PILES},
        names=lambda data: KingNames(decks.meant(KIND, data.get("deck"))),
        complete=_complete,
        inferred=("stage", "won", "leader"),
        shortened=_shortened,
    )


def _read_deck(data: Mapping[str, Any]) -> Deck:
    """The deck and rule options given in a position's data; defaults replace whatever can't be read."""
    deck, rules = decks.meant(KIND, data.get("deck")), data.get("rules")
    return read_by(deck, readings_in(KingReadings, rules)) if rules else deck


def _complete(data: Data, faults: list[Fault]) -> Data:
    if data.keys() & {"cards", "rounds", "points"}:
        return data
    deck = _read_deck(data)
    split_trick(data, faults)
    players = _players(data, faults)
    if players is None:
        if data.pop("pick", None) is not None and not faults:
            faults.append(Fault("missing_key", say("players is missing: how many play?"), "players"))
        _tell_stage(data)
        return data
    told = dict(data)
    as_played = [deck.index[card] for card in texts(data.get("as_played")) or () if card in deck.index]
    replay = replay_data(told, KingRules(deck, players, mask(as_played)), _trick)
    past = None if replay is None else replay.past
    over = tricks_over(data, TRICKS[players], players, told.get("leader")) if "hand" in data else None
    data = told
    leader_by_hands(data)
    picks = _picks(data, players, faults)
    hands_left(data, players, picks or [], faults, lambda text: text.partition(":")[0])
    _tell_stage(data, players)
    if "hand" in data and "stage" not in data:
        unpicked = picks is None and ("won" not in data or ("gone" in data and _lacks_picks(data, deck, past)))
        _complete_memory(data, deck, players, over, unpicked, faults)
    _tell_won(data, deck, past, picks, players)
    if "gone" in data:
        keep_gone(data, players)
    return Replayed(data, replay)


def _complete_memory(
    data: Data, deck: Deck, players: int, over: int | None, unpicked: bool, faults: list[Fault]
) -> None:
    """Fill in and check the keys of a view whose player does not remember everything.

    `over` is the number of finished tricks, or None if unknown. `unpicked` is True if some picked cards are not
    given.
    """
    missing = unpicked or (REMOVED[players] > 0 and not data.get("removed"))
    if "dealt" not in data and len(texts(data["hand"]) or ()) > TRICKS[players]:
        if not {"won", "leader"} <= data.keys():  # otherwise the view's own check refuses the hand
            message = say("a hand has at most {count} cards once one is picked", count=TRICKS[players])
            faults.append(Fault("wrong_size", message, "hand"))
        for key in ("gone", "voids", "tricks", "counts"):
            data.pop(key, None)
    if over is None or not (is_remembered(data, over) or missing):
        check_counted(data, over, TRICKS[players], players, faults)
        check_all_told(data, over, players, faults)
        return
    trick, seat = texts(data.get("trick", [])) or (), data.get("seat")
    if isinstance(seat, int) and "leader" not in data:
        place = len(trick)
        plays = [play_of(deck, text) for text in trick]
        if len(trick) == players and not any(isinstance(play, str) for play in plays):
            place = winner(deck, [play for play in plays if not isinstance(play, str)])
        data["leader"] = (seat - place) % players
    check_counted(data, over, TRICKS[players], players, faults)
    if unpicked:
        data.setdefault("won", [[] for _ in range(players)])
    data.setdefault("gone", [])


def _lacks_picks(data: Data, deck: Deck, past: Seen | None) -> bool:
    """Whether some pile has only cards won in the given tricks, so that its picked card is missing."""
    piles = [mask(_numbers(deck, pile)) for pile in entries(data.get("won"))]
    gained = past.won if past is not None else (0,) * len(piles)
    return any(not pile & ~cards for pile, cards in zip(piles, gained, strict=False))


def _players(data: Data, faults: list[Fault]) -> int | None:
    """The number of players, or None if no key determines it; adds a fault if keys disagree about it."""
    told = data.pop("players", None)
    found: dict[str, int] = {} if told is None else {"players": told}
    for key in ("hands", "won", "pick", "counts", "totals"):
        value = data.get(key)
        if isinstance(value, list | tuple) and (key != "pick" or len(value) > 1):
            found[key] = len(value)
    history = data.get("history")
    if not found and isinstance(history, list | tuple) and history:
        cards = texts(mapping(history[0]).get("cards"))
        if cards is not None:
            found["history[0].cards"] = len(cards)
    if "hand" in data and not found:
        size = texts(data["hand"])
        dealt = next(
            (players for players, cards in DEALT.items() if size is not None and len(size) == cards), None
        )
        if dealt is not None:
            found["hand"] = dealt
    if "hand" in data and not found and "cards" not in data and "stage" not in data:
        faults.append(Fault("missing_key", say("players is missing: how many play?"), "players"))
    if not found:
        return None
    if told is not None:
        other = next((key for key, players in found.items() if players != told), None)
        if other is not None:
            message = say(
                "{key} has {found} players, but players is {players}", key=other, found=found[other], players=told
            )
            faults.append(Fault("conflict", message, "players"))
    players = [*found.values()][-1]
    return int(players) if players in DEALT else None


def _trick(rules: KingRules, one: Data, number: int) -> TakenTrick | None:
    """Read a trick, with what its winner took and gave; fill in forced choices; None if it can't be read.

    Raises a fault for a text that is not a card.
    """
    deck, cards, path = rules.full_deck, texts(one.get("cards")), f"history[{number}]"
    if cards is None:
        return None
    plays = plays_at(deck, cards, f"{path}.cards")
    against = plays and rules.as_played >> plays[0].card & 1  # then nothing follows
    if len(plays) == rules.seats and not against and not ("taken" in one and "given" in one):
        _fill_in_taking(deck, plays, one)
    taken, given, more, to = texts(one.get("taken", ())), *map(one.get, ("given", "also_given", "given_to"))
    if taken is None or not isinstance(given, str | None) or not isinstance(to, int | None):
        return None
    also = cards_at(deck, texts(more) or (), f"{path}.also_given")
    return TakenTrick(
        one["leader"], plays, f"{path}.cards", taking_at(deck, taken, given, path)._replace(more=also, to=to)
    )


def _fill_in_taking(deck: Deck, plays: tuple[Play, ...], one: Data) -> None:
    """Fill in what the winner of a full trick took and gave, if only one choice agrees with what is given."""
    taken = _numbers(deck, one["taken"]) if "taken" in one else None
    given = _numbers(deck, [one["given"]]) if one.get("given") is not None else None
    choices = [
        taking
        for taking in takings(deck, plays)
        if (taken is None or sorted(taking.taken) == sorted(taken)) and (given is None or (taking.given,) == given)
    ]
    if len(choices) == 1:
        one.setdefault("taken", deck.codes(choices[0].taken))
        if choices[0].given is not None:
            one.setdefault("given", deck.code(choices[0].given))


def _numbers(deck: Deck, codes: object) -> tuple[int, ...]:
    """The deck indices of the cards in a list of codes; unknown codes are left out."""
    found = [card_of(deck, code) for code in texts(codes) or ()]
    return tuple(card for card in found if isinstance(card, int))


def _picks(data: Data, players: int, faults: list[Fault]) -> list[list[str]] | None:
    """Remove `pick` from the data; return for each seat a list with its picked card, empty if it is not given."""
    given = data.pop("pick", None)
    if given is None:
        return None
    pick = texts(given)
    if pick is None:
        faults.append(Fault("wrong_type", say("pick lists cards, such as {example}", example="T2,F5,F7"), "pick"))
        return None
    seat = data.get("seat")
    if len(pick) == 1 and data.keys() & {"history", "trick"}:
        message = say(
            "pick has the card that each of the {players} seats picked, seat 0's first, not one alone",
            players=players,
        )
        faults.append(Fault("wrong_size", message, "pick"))
    if len(pick) == 1 and isinstance(seat, int):
        pick = [pick[0] if other == seat else "" for other in range(players)]
    return [[card] if card else [] for card in pick]


def _tell_stage(data: Data, players: int | None = None) -> None:
    """Set `stage` if the picks are still to be made, judging by the keys and, for a view, the size of the hand."""
    if "stage" in data or data.keys() & {"trick", "history", "gone", "tricks", "voids"}:
        return
    hand = texts(data.get("hand"))
    sizes = DEALT.values() if players is None else [DEALT[players]]
    before = hand is not None and len(hand) in sizes and "won" not in data
    if before or ("hands" in data and "seat" in data):
        data["stage"] = "pick"


def _tell_won(data: Data, deck: Deck, past: Seen | None, picks: list[list[str]] | None, players: int) -> None:
    """Fill in the piles: the picked cards, and those won in the tricks of the history."""
    gained = past.won if past is not None else (0,) * players
    won = data.get("won")
    if won is None:
        if picks is not None and len(picks) == players:
            data["won"] = [
                _in_order(deck, [*pick, *deck.codes(members(pile))])
                for pick, pile in zip(picks, gained, strict=True)
            ]
        elif picks is not None:
            data["won"] = picks
    elif "hand" in data and isinstance(won, list | tuple) and len(won) == players:
        told = {code for pile in won for code in texts(pile) or ()}
        data["won"] = [
            pile
            if texts(pile) is None
            else [*pile, *(code for code in deck.codes(members(cards)) if code not in told)]
            for pile, cards in zip(won, gained, strict=True)
        ]


def _in_order(deck: Deck, codes: list[str]) -> list[str]:
    return sorted(codes, key=lambda code: deck.index.get(code, len(deck.cards)))


def _shortened(data: Data, position: BaseModel) -> Data:
    """Shorten a position's data for output.

    The leader is written in front of the trick. Piles that follow from the history are left out; only the card
    that each seat picked before the first trick is written.
    """
    won = data.get("won")
    if won and "hand" in data and len(data["hand"]) in DEALT.values() and not data.keys() & {"history", "trick"}:
        data = {"players": len(won), **data}  # without it, the hand would look like one before the pick
    if not won or (not data.get("history") and any(len(pile) > 1 for pile in won)):
        return shortened(data, position)
    assert isinstance(position, KnownPosition | View | PickPosition)
    deck = position.full_deck
    gained = (0,) * len(won) if isinstance(position, PickPosition) else position.past.won
    piles = [mask(_numbers(deck, pile)) for pile in won]
    picks = [pile & ~cards for pile, cards in zip(piles, gained, strict=True)]
    fits = all(pile & cards == cards for pile, cards in zip(piles, gained, strict=True))
    if fits and any(picks) and all(pick.bit_count() <= 1 for pick in picks):
        pick = [next(iter(deck.codes(members(pick))), "") for pick in picks]
        data = {**{key: value for key, value in data.items() if key != "won"}, "pick": pick}
    return shortened(data, position)
