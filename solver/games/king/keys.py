"""King × Alchemy's cards and tricks as positions have them, and what follows from the keys of a position."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from solver import decks
from solver.codec import Data, entries, texts
from solver.common import mask, members, one_after_another
from solver.errors import Fault
from solver.games.king.deck import CARDS, KIND, SUIT_NAMES, SUITS, USUAL, Deck, read_by
from solver.games.king.rules import (
    DEALT,
    REMOVED,
    TAKEN,
    TRICKS,
    Play,
    Taking,
    available,
    bottom,
    card_of,
    follows,
    gains,
    play_of,
    play_text,
    takings,
    winner,
)
from solver.language import say
from solver.tricks.any_round import of_others
from solver.tricks.positions import Past, Replay, check_entries, contradictions
from solver.tricks.rules import Finish, Trick, TrickRules
from solver.tricks.text import (
    check_all_told,
    check_counted,
    hands_left,
    is_remembered,
    keep_gone,
    leader_by_hands,
    replay_data,
    tricks_over,
)
from solver.validation import fault, refuse

T = TypeVar("T")

# ----------------------------------------------------------------------------------------------------
# Cards and plays, by their texts.


def unknown_cards(
    deck: Deck, value: Any, path: str, read: Callable[[Deck, str], object] = card_of
) -> Iterator[Fault]:
    """Yield a fault for each text in `value` that is no card of the deck or, in a trick, no play.

    `value` is a text, a finished trick, or a list of any of these or of lists.
    """
    if isinstance(value, str):
        why = read(deck, value) if value else None
        if isinstance(why, str):
            yield Fault("illegal_card", why, path)
    elif isinstance(value, Mapping):
        for key in ("cards", "taken", "given", "also_given"):
            yield from unknown_cards(deck, value.get(key, ""), f"{path}.{key}", _READ.get(key, card_of))
    elif not (value and isinstance(value[0], str) and deck.index.keys() >= {*value}) or read is play_of:
        for index, entry in enumerate(value):
            yield from unknown_cards(deck, entry, f"{path}[{index}]", read)


_READ: Mapping[str, Callable[[Deck, str], object]] = {"cards": play_of, "trick": play_of}


def cards_at(deck: Deck, texts: Sequence[str], path: str) -> tuple[int, ...]:
    """The cards of a hand or pile. Raises a fault for each text that is not a card, with its path."""
    refuse(unknown_cards(deck, texts, path))
    return tuple(map(deck.index.__getitem__, texts))


def piles_at(deck: Deck, piles: Sequence[Sequence[str]], path: str) -> tuple[tuple[int, ...], ...]:
    """The cards of several piles. Raises a fault for each text that is not a card, with its path."""
    refuse(unknown_cards(deck, piles, path))
    return tuple(tuple(map(deck.index.__getitem__, pile)) for pile in piles)


def plays_of(deck: Deck, texts: Iterable[str]) -> tuple[Play, ...]:
    """The plays with these texts, which are valid."""
    return tuple(play for text in texts if not isinstance(play := play_of(deck, text), str))


def taken_trick(deck: Deck, trick: Mapping[str, Any], number: int) -> TakenTrick:
    """Read trick `number` of a history, whose texts are valid."""
    index, given = deck.index, trick.get("given")
    taking = Taking(
        tuple(map(index.__getitem__, trick.get("taken", ()))),
        None if given is None else index[given],
        tuple(map(index.__getitem__, trick.get("also_given") or ())),
        trick.get("given_to"),
    )
    return TakenTrick(trick["leader"], plays_of(deck, trick["cards"]), f"history[{number}].cards", taking)


# ----------------------------------------------------------------------------------------------------
# Why a play or a taking is against the rules, in words.


def listed(deck: Deck, cards: Iterable[int]) -> str:
    return " ".join(deck.codes(cards))


def taking_fault(deck: Deck, trick: Sequence[Play], taking: Taking) -> tuple[str, str] | None:
    """Find what is wrong with a taking: its key ("taken", "taken[1]" or "given") and a message.

    Returns None if the taking is legal.
    """
    turn = winner(deck, trick)
    kept = trick[turn].card
    lower = available(deck, trick)
    cards = [play.card for play in trick]
    for index, card in enumerate(taking.taken):
        code, where = deck.cards[card].code, f"taken[{index}]"
        if card not in cards:
            return where, say("{code} is not in the trick", code=code)
        if card == kept:
            return where, say("{code} won the trick and is kept; it is not among the cards taken", code=code)
        if not lower >> card & 1:
            number = deck.cards[kept].number
            return (
                where,
                say(
                    "{code} may not be taken: its number is not below {number}, that of {code_2}",
                    code=code,
                    number=number,
                    code_2=deck.cards[kept].code,
                ),
            )
        if card in taking.taken[:index]:
            return where, say("{code} is taken twice", code=code)
    wanted = min(TAKEN, lower.bit_count())
    if len(taking.taken) != wanted:
        template = "exactly {wanted} must be taken with {card}, not {count}"
        if lower:
            template = "of {choice} exactly {wanted} must be taken with {card}, not {count}"
        choice, code = listed(deck, members(lower)), deck.cards[kept].code
        return "taken", say(template, choice=choice, wanted=wanted, card=code, count=len(taking.taken))
    return _giving_fault(deck, trick, taking, mask(cards) & ~(1 << kept) & ~mask(taking.taken))


def impossible_taking(deck: Deck, leader: int, trick: Sequence[Play], taking: Taking) -> str | None:
    """Say why a taking can't have stood even against the rules; None if it can.

    The winner may have taken any other cards of the trick, and given any of the rest to one other seat.
    """
    turn = winner(deck, trick)
    taker, gifts = (leader + turn) % len(trick), taking.gifts
    rest = [play.card for at, play in enumerate(trick) if at != turn]
    moved = [*taking.taken, *gifts]
    odd = next((card for at, card in enumerate(moved) if card not in rest or card in moved[:at]), None)
    if odd is not None:
        kept = deck.code(trick[turn].card)
        return say(
            "{code} can't be taken or given: besides {kept}, which the winner keeps, there are {rest}, each once",
            code=deck.code(odd),
            kept=kept,
            rest=listed(deck, sorted(rest)),
        )
    if taking.to is not None and (not gifts or taking.to == taker or taking.to >= len(trick)):
        return say("say which of the other seats got a card, as in give {card} to {seat}",
                   card=listed(deck, gifts) or deck.code(rest[0]), seat=(taker + 1) % len(trick))  # fmt: skip
    if gifts and taking.to is None and bottom(deck, trick) is None:
        return say("this trick has no bottom: say who got {cards}, as in give {cards} to {seat}",
                   cards=listed(deck, gifts), seat=(taker + 1) % len(trick))  # fmt: skip
    return None


def _giving_fault(deck: Deck, trick: Sequence[Play], taking: Taking, left: int) -> tuple[str, str] | None:
    given, receiver = taking.given, bottom(deck, trick)
    code = "" if given is None else deck.cards[given].code
    if taking.more or taking.to is not None:
        return "given", say("one card is given, and to the bottom")
    if given is not None and receiver is None:
        return "given", say("{code} is given to nobody: this trick has no bottom", code=code)
    if given is not None and not left >> given & 1:
        return "given", say(
            "{code} is not among the cards left of the trick: {value}",
            code=code,
            value=listed(deck, members(left)) or say("none"),
        )
    if given is None and receiver is not None and left:
        whose = play_text(deck, trick[receiver])
        return "given", say(
            "one of {listed} must be given to the player of {whose}, the bottom",
            listed=listed(deck, members(left)),
            whose=whose,
        )
    return None


# ----------------------------------------------------------------------------------------------------
# The history of a round: the rules that it follows, what it shows, and a check of the piles against it.
#
# A follower whose play neither has the lead suit nor is a trump held no card of that suit; naming the Dancer
# another suit shows the same.


@dataclass(frozen=True, slots=True)
class TakenTrick(Trick[Play]):
    """A full trick, and what its winner took and gave."""

    taking: Taking


@dataclass(frozen=True)
class KingRules(TrickRules[Play]):
    """The rules for one deck and number of players."""

    full_deck: Deck
    seats: int
    as_played: int = 0

    @property
    def players(self) -> int:
        return self.seats

    def name(self, card: int) -> str:
        return self.full_deck.cards[card].code

    def card(self, play: Play) -> int:
        return play.card

    def play_text(self, play: Play) -> str:
        return play_text(self.full_deck, play)

    def excluded(self, trick: Sequence[Play], play: Play) -> int:
        if not trick:
            return 0
        suit = trick[0].suit
        return 0 if suit >= SUITS or follows(play, suit) else self.full_deck.of_suit[suit]

    def finish(self, trick: Trick[Play]) -> Finish[KingRules]:
        assert isinstance(trick, TakenTrick)
        deck, plays = self.full_deck, trick.plays
        wrong = taking_fault(deck, plays, trick.taking)
        if wrong is not None and self.as_played >> plays[0].card & 1:
            why = impossible_taking(deck, trick.leader, plays, trick.taking)
            wrong = None if why is None else ("taken", why)
        if wrong is not None:
            where, why = wrong
            raise fault("illegal_taking", why, f"{trick.whole_path}.{where}")
        taker = (trick.leader + winner(deck, plays)) % self.seats
        return Finish(taker, gains(deck, trick.leader, plays, trick.taking), self)

    def lead_text(self, lead: Play) -> str:
        return SUIT_NAMES[lead.suit]

    def duty(self, lead: Play, **told: object) -> str:
        return say(
            "{seat:who} could not play {play}: {card} {where} had to follow, or a trump, "
            "or the Dancer named {suit}",
            suit=SUIT_NAMES[lead.suit],
            **told,
        )


Seen = Past[Play, KingRules]


def check_gains(past: Seen, won: Sequence[Sequence[int]], *, complete: bool = False) -> None:
    """Raise a fault for each card in a pile that went elsewhere according to the history.

    With `complete`, also raise one if a pile lacks cards won in the tricks.
    """
    deck, placed = past.rules.full_deck, past.discarded
    for cards in past.won:
        placed |= cards
    data = {"won": [deck.codes(pile) for pile in won]}
    refuse(contradictions(past, data, besides=(1 << CARDS) - 1 & ~placed, complete=complete))


def check_won(past: Seen, won: Sequence[Sequence[int]], *, complete: bool) -> None:
    """Raise a fault if a pile has more than the cards won in the tricks and one picked card.

    With `complete`, also raise one if any of these are missing.
    """
    check_gains(past, won, complete=complete)
    for seat, pile in enumerate(won):
        picked = mask(pile) & ~past.won[seat]
        if picked.bit_count() > 1 or (complete and not picked):
            template = (
                "besides cards won in tricks, a pile has the one card picked before; {seat:who} "
                "{seat:has|have} none"
            )
            if picked:
                template = (
                    "besides cards won in tricks, a pile has the one card picked before; {seat:who} "
                    "{seat:has|have} {count}: {cards}"
                )
            cards = listed(past.rules.full_deck, members(picked))
            message = say(template, seat=seat, count=picked.bit_count(), cards=cards)
            raise fault("conflict" if picked else "missing_card", message, f"won[{seat}]")


# ----------------------------------------------------------------------------------------------------
# The kinds of positions, and what follows from their keys.


_Replay = Replay[Play, KingRules]


def kind_of(data: Data) -> str:
    """Return the kind of a position, which its keys show."""
    dealt = data.get("dealt")
    seen = "hand" in data or ("hands" not in data and texts(dealt) is not None)
    before = "stage" in data
    if not before and not data.keys() & {"trick", "history", "gone", "tricks", "voids"}:
        counts = [count for count in players_told(data).values() if count in DEALT]
        hand = texts(data.get("hand", None if "pick" in data else dealt)) if "won" not in data else None
        sizes = [DEALT[count] for count in counts[:1]] or DEALT.values()
        before = hand is not None and len(hand) in sizes if seen else "seat" in data
    return ("view" if seen else "known") + " before" * before


def players_told(data: Mapping[str, Any]) -> dict[str, int]:
    """Return the number of players by each key that shows it."""
    counts = {"players": data["players"]} if isinstance(data.get("players"), int) else {}
    for key in ("hands", "dealt", "won", "pick", "counts", "totals"):
        several = entries(data.get(key))
        if len(several) > (key == "pick") and not (key == "dealt" and texts(several)):
            counts[key] = len(several)
    first = next(iter(entries(data.get("history"))), None)
    cards = first.get("cards") if isinstance(first, Mapping) else getattr(first, "cards", None)
    if cards and not counts:
        counts["history[0].cards"] = len(cards)
    return counts


def complete(kind: str, values: Data, faults: list[Fault]) -> list[_Replay]:
    """Fill in the keys that follow from others, and remove those that only repeat what others say.

    `values` are those of the keys that were given, each valid by itself. Contradictions are added to `faults`.
    Returns the replay of the history, if there is one.
    """
    deck = read_by(decks.deck_of(KIND, values["deck"]), values.get("rules") or USUAL)
    of_cards = (key for key in values if key in _OF_CARDS)
    refuse(fault for key in of_cards for fault in unknown_cards(deck, values[key], key, _READ.get(key, card_of)))
    players, before = _players(values, kind, faults), kind.endswith("before")
    picks = _picks(values, players, faults)
    values |= {"stage": "pick"} if before else {"trick": values.get("trick", ())}
    values.setdefault("removed", ())
    filled = dict(values)
    as_played = mask(map(deck.index.__getitem__, values.get("as_played", ())))
    replay = replay_data(filled, KingRules(deck, players, as_played), _trick)
    over = tricks_over(values, TRICKS[players], players, filled.get("leader"))
    values |= filled
    leader_by_hands(values)
    hands_left(values, players, picks or (), faults, lambda text: text.partition(":")[0])
    gained = [deck.codes(members(cards)) for cards in replay.past.won] if replay else [[]] * players
    if picks is not None:
        faults += _strange_picks(picks, values.get("won", ()), gained)
        piles = [[*pick, *cards] for pick, cards in zip(picks, gained, strict=True)]
        values.setdefault("won", [sorted(pile, key=deck.index.__getitem__) for pile in piles])
    unpicked = "won" not in values or ("gone" in values and _lacks_picks(values["won"], gained))
    if kind == "view":
        _complete_view(values, deck, players, over, gained, unpicked, faults)
    if kind.startswith("known"):
        values.setdefault("won", ())
    return [replay] if replay else []


_OF_CARDS = {"trick", "removed", "as_played", "hand", "hands", "dealt", "pick", "won", "history", "gone"}


def _strange_picks(
    picks: Sequence[Sequence[str]], won: Sequence[Sequence[str]], gained: Sequence[Sequence[str]]
) -> Iterator[Fault]:
    """Yield a fault for each picked card that the pile of its seat lacks, or that the seat got in a trick."""
    for seat, (pick, pile, cards) in enumerate(zip(picks, won, gained, strict=False)):
        for card in pick:
            if card not in pile or card in cards:
                message = say(
                    "according to won[{number}], {seat:who} did not pick {card}", number=seat, seat=seat, card=card
                )
                yield Fault("conflict", message, f"pick[{seat}]")


def _lacks_picks(won: Sequence[Sequence[str]], gained: Sequence[Sequence[str]]) -> bool:
    """Whether some pile has only cards won in the tricks, so that its picked card is missing."""
    return any({*pile} <= {*cards} for pile, cards in zip(won, gained, strict=False))


def too_many(players: int) -> str:
    """What is wrong with a hand of more cards than there are tricks."""
    return say("a hand has at most {count} cards once one is picked", count=TRICKS[players])


def _complete_view(
    values: Data,
    deck: Deck,
    players: int,
    over: int | None,
    gained: Sequence[Sequence[str]],
    unpicked: bool,
    faults: list[Fault],
) -> None:
    """Fill in and check the keys of a view whose player remembers all or half of the round.

    `over` is the number of finished tricks, or None beside the cards dealt: then all are in the history. `gained`
    has the cards won in these, by seat; `unpicked` is True if some picked cards are not given.
    """
    if len(values["hand"]) > TRICKS[players]:
        refuse([*faults, Fault("wrong_size", too_many(players), "hand")])
    trick = values["trick"]
    values.setdefault("history", ())
    in_part = over is not None and (
        is_remembered(values, over) or unpicked or (REMOVED[players] > 0 and not values["removed"])
    )
    if in_part:
        turn = winner(deck, plays_of(deck, trick)) if len(trick) == players else len(trick)
        values.setdefault("leader", (values["seat"] - turn) % players)
        values.setdefault("voids", {})
        if unpicked:
            values.setdefault("won", [[]] * players)
    if over is None:
        faults += [of_others("voids")] * ("voids" in values)
        over = len(values["history"])
    check_counted(values, over, TRICKS[players], players, faults)
    if "won" in values:
        check_entries(values["won"], players, "won")
        listed = {card for pile in values["won"] for card in pile}
        values["won"] = [
            [*pile, *(card for card in cards if card not in listed)]
            for pile, cards in zip(values["won"], gained, strict=True)
        ]
    if in_part:
        keep_gone(values, players)
    else:
        check_all_told(values, over, players, faults)


def _players(values: Data, kind: str, faults: list[Fault]) -> int:
    """Return the number of players, and remove `players`. Adds a fault if keys disagree about it."""
    counts, hand = players_told(values), values.get("hand", ())
    stated = values.pop("players", None)
    by_hand = next((players for players, size in DEALT.items() if size == len(hand)), None)
    if by_hand is not None and (kind == "view before" or not counts):
        counts = {"hand": by_hand, **counts}
    other = next((key for key, count in counts.items() if count != stated), None)
    if stated is not None and other is not None:
        message = say(
            "{key} has {found} players, but players is {players}", key=other, found=counts[other], players=stated
        )
        faults.append(Fault("conflict", message, "players"))
    players = next((count for count in counts.values() if count in DEALT), None)
    if kind == "view before" and "hand" in values and by_hand is None:
        sizes = one_after_another(
            say("{size} of {players} players", size=size, players=players) for players, size in DEALT.items()
        )
        message = say("a hand before the pick has {sizes}; this one has {count}", sizes=sizes, count=len(hand))
        refuse([*faults, Fault("wrong_size", message, "hand")])
    if players is None:
        refuse([*faults, Fault("missing_key", say("players is missing: how many play?"), "players")])
    assert players is not None
    return players


def _trick(rules: KingRules, trick: Data, number: int) -> TakenTrick:
    """Read a trick, with what its winner took and gave; fill in forced choices."""
    deck = rules.full_deck
    plays = plays_of(deck, trick["cards"])
    against = rules.as_played >> plays[0].card & 1  # then nothing follows
    if len(plays) == rules.seats and not against and not ("taken" in trick and "given" in trick):
        _fill_in_taking(deck, plays, trick)
    return taken_trick(deck, trick, number)


def _fill_in_taking(deck: Deck, plays: tuple[Play, ...], trick: Data) -> None:
    """Fill in what the winner of a full trick took and gave, if only one choice agrees with what is given."""
    taken = sorted(map(deck.index.__getitem__, trick["taken"])) if "taken" in trick else None
    given = deck.index[trick["given"]] if "given" in trick else None
    choices = [
        taking
        for taking in takings(deck, plays)
        if taken in (None, sorted(taking.taken)) and given in (None, taking.given)
    ]
    if len(choices) == 1:
        trick.setdefault("taken", tuple(deck.codes(choices[0].taken)))
        if choices[0].given is not None:
            trick.setdefault("given", deck.code(choices[0].given))


def _picks(values: Data, players: int, faults: list[Fault]) -> list[list[str]] | None:
    """Remove `pick`; return for each seat a list with its picked card, empty if it is not given."""
    pick = values.pop("pick", None)
    if pick is None:
        return None
    if len(pick) == 1 and values.keys() & {"history", "trick"}:
        message = say(
            "pick has the card that each of the {players} seats picked, seat 0's first, not one alone",
            players=players,
        )
        faults.append(Fault("wrong_size", message, "pick"))
    if len(pick) == 1 and "seat" in values:
        pick = [pick[0] if seat == values["seat"] else "" for seat in range(players)]
    refuse(faults)
    check_entries(pick, players, "pick")
    return [[card] if card else [] for card in pick]
