"""Positions and views of a round of King × Alchemy as users send them, validated."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Annotated, Any, ClassVar, Literal, Self, TypeVar

from pydantic import AfterValidator, BaseModel, Discriminator, Field, Tag, model_validator

from solver import decks
from solver.answers import ScoreAnalysis, ScoreMove
from solver.codec import DEALT, PICKED, PLAYERS_GIVEN, OrText
from solver.common import mask, members, one_after_another
from solver.decks import deck_of
from solver.errors import Fault
from solver.findings import all_of, fault, refuse
from solver.games.king.deck import CARDS, KIND, SUIT_NAMES, SUITS, USUAL, Deck, DeckData, KingReadings, read_by
from solver.games.king.rules import DEALT as RULES_DEALT
from solver.games.king.rules import (
    PLAYERS,
    REMOVED,
    TAKEN,
    TRICKS,
    Masks,
    Play,
    State,
    Taking,
    available,
    bottom,
    card_of,
    follows,
    gains,
    play_of,
    play_text,
    winner,
)
from solver.language import say, say_many
from solver.positions import AnyPosition
from solver.readings import ANY_ON
from solver.tricks.match import OfMatch
from solver.tricks.positions import (
    Model,
    Past,
    RoundParts,
    check_entries,
    check_seat,
    contradictions,
    no_seat,
    places,
    refuse_doubles,
    spread,
)
from solver.tricks.rules import Finish, Trick, TrickRules

# ----------------------------------------------------------------------------------------------------
# Parts of King × Alchemy's positions and records: decks, cards, finished tricks.


Card = Annotated[str, Field(strict=True, min_length=1, max_length=20, examples=["F3"])]
Cards = Annotated[tuple[Card, ...], Field(max_length=2 * CARDS), OrText("F3 W11 T2")]
_FEWEST, _MOST = PLAYERS
Hands = Annotated[tuple[Cards, ...], Field(min_length=_FEWEST, max_length=_MOST), OrText("F3,W11/T2/E4")]
Piles = Annotated[tuple[Cards, ...], Field(max_length=2 * _MOST), OrText("F3,W11/T2/E4")]
Seat = Annotated[int, Field(ge=0, lt=_MOST, strict=True)]
TRUMPS = "T"  # in `voids`
T = TypeVar("T")
# Keys that may replace others: the number of players, each seat's picked card, the cards dealt.
INSTEAD: Mapping[str, Any] = {"players": PLAYERS_GIVEN, "pick": PICKED, "dealt": DEALT}
DeckField = Annotated[str | DeckData, decks.DeckField(KIND)]

RulesField = Annotated[KingReadings | None, ANY_ON, OrText("late_trump_does_not_lift")]


class OfDeck(Model):
    """Base of models that have a deck and rule options."""

    game: Literal["king"]
    deck: DeckField = "house"
    rules: RulesField = None

    instead: ClassVar[Mapping[str, Any]] = INSTEAD

    @cached_property
    def full_deck(self) -> Deck:
        """The deck, with the rule options in force."""
        return read_by(decks.deck_of(KIND, self.deck), self.rules or USUAL)


class FinishedTrick(Model):
    """A finished trick: its leader, the cards in play order, what its winner took and gave.

    `taken` does not include the winner's own card, which it always keeps. If more was given than the rules allow
    (see `as_played`), `also_given` has those cards, and `given_to` the seat that got them instead of the bottom.
    """

    leader: Seat
    cards: Annotated[Cards, Field(min_length=_FEWEST, max_length=_MOST)]
    taken: Cards = ()
    given: Card | None = None
    also_given: Cards | None = None
    given_to: Seat | None = None

    inferred: ClassVar[frozenset[str]] = frozenset({"leader"})


History = Annotated[
    tuple[FinishedTrick, ...],
    Field(max_length=max(TRICKS.values())),
    OrText("2:F2,F9,E1,W3:take:F2,E1:give:W3"),
]
TrickCards = Annotated[Cards, Field(max_length=_MOST)]


def card_at(deck: Deck, text: str, path: str) -> int:
    """The deck index of the card with this code. Raises a fault if the deck has none."""
    card = card_of(deck, text)
    if isinstance(card, str):
        raise fault("illegal_card", card, path)
    return card


def cards_at(deck: Deck, texts: Iterable[str], path: str) -> tuple[int, ...]:
    """The cards of a hand or pile. Raises a fault for each text that is not a card, with its path."""
    return tuple(_numbered(texts, partial(card_of, deck), path))


def plays_at(deck: Deck, texts: Iterable[str], path: str) -> tuple[Play, ...]:
    """The plays of a trick. Raises a fault for each text that is not a play, with its path."""
    return tuple(_numbered(texts, partial(play_of, deck), path))


def _numbered(texts: Iterable[str], read: Callable[[str], T | str], path: str) -> Iterator[T]:
    """Parse each text with `read`, which returns an error message (a string) instead if it can't.

    Raises a fault for each such message, at the text's index in `path`.
    """
    found = [read(text) for text in texts]
    refuse(
        Fault("illegal_card", one, f"{path}[{index}]") for index, one in enumerate(found) if isinstance(one, str)
    )
    return (one for one in found if not isinstance(one, str))


def piles_at(deck: Deck, piles: Iterable[Iterable[str]], path: str) -> tuple[tuple[int, ...], ...]:
    """The cards of several piles. Raises a fault for each text that is not a card, with its path."""
    index, found = deck.index, list[tuple[int, ...]]()
    with suppress(KeyError):  # nearly always all are cards
        return tuple(tuple(index[text] for text in pile) for pile in piles)
    all_of(
        *(
            lambda seat=seat, pile=pile: found.append(cards_at(deck, pile, f"{path}[{seat}]"))
            for seat, pile in enumerate(piles)
        )
    )
    return tuple(found)


# ----------------------------------------------------------------------------------------------------
# Why a play or a taking is against the rules, in words.


def listed(deck: Deck, cards: Iterable[int]) -> str:
    return " ".join(deck.codes(cards))


def taking_fault(deck: Deck, trick: Sequence[Play], taking: Taking) -> tuple[str, str] | None:
    """Find what is wrong with a taking: its key ("taken", "taken[1]" or "given") and a message.

    Returns None if the taking is legal.
    """
    place = winner(deck, trick)
    kept = trick[place].card
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
    place = winner(deck, trick)
    taker, gifts = (leader + place) % len(trick), taking.gifts
    rest = [play.card for at, play in enumerate(trick) if at != place]
    moved = [*taking.taken, *gifts]
    odd = next((card for at, card in enumerate(moved) if card not in rest or card in moved[:at]), None)
    if odd is not None:
        kept = deck.code(trick[place].card)
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
    given = {"won": [deck.codes(pile) for pile in won]}
    refuse(contradictions(past, given, besides=(1 << CARDS) - 1 & ~placed, complete=complete))


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
# Before the first trick: picking a card, which is won outright; and sets of cards.


class CardSet(AnyPosition, Model):
    """Cards that a player has won, to be compounded."""

    game: Literal["king"]
    deck: DeckField = "house"
    cards: Annotated[Cards, Field(max_length=CARDS)]

    @property
    def full_deck(self) -> Deck:
        """The deck that the field `deck` names or contains."""
        return deck_of(KIND, self.deck)

    @property
    def numbers(self) -> tuple[int, ...]:
        """The indices of the cards in the deck, in the order listed."""
        return cards_at(self.full_deck, self.cards, "cards")

    @model_validator(mode="after")
    def _check(self) -> Self:
        refuse_doubles(places("cards", self.numbers), self.full_deck.code)
        return self


class PickPosition(AnyPosition, OfDeck):
    """Before the first trick, with all hands known: `seat` picks a card. Picks are simultaneous and hidden.

    A seat that has already picked has its picked card in `won`, no longer in its hand.
    """

    stage: Literal["pick"]
    seat: Seat
    leader: Seat
    hands: Hands
    won: Piles = ()
    removed: Cards = ()

    inferred: ClassVar[frozenset[str]] = frozenset({"stage", "hands"})

    @property
    def players(self) -> int:
        return len(self.hands)

    @property
    def masks(self) -> Masks:
        """The current hands, as masks by seat."""
        return tuple(mask(hand) for hand in piles_at(self.full_deck, self.hands, "hands"))

    @property
    def hand_masks(self) -> Masks:
        """The hands as masks by seat, including picked cards, which nobody sees yet."""
        picked = piles_at(self.full_deck, self.picked, "won")
        return tuple(hand | mask(cards) for hand, cards in zip(self.masks, picked, strict=True))

    @property
    def picked(self) -> tuple[Cards, ...]:
        """The card that each seat has picked, if any."""
        return self.won or ((),) * self.players

    @property
    def seat_to_move(self) -> int:
        return self.seat

    @model_validator(mode="after")
    def _check(self) -> Self:
        deck, players = self.full_deck, self.players
        check_seat(self.leader, players, "leader")
        check_seat(self.seat, players, "seat")
        if self.won:
            check_entries(self.won, players, "won")
        where = [*spread("hands", piles_at(deck, self.hands, "hands"))]
        where += spread("won", piles_at(deck, self.won, "won"))
        refuse_doubles([*where, *places("removed", cards_at(deck, self.removed, "removed"))], deck.code)
        check_removed(self.removed, players, optional=True)
        for seat, (hand, picked) in enumerate(zip(self.hands, self.picked, strict=True)):
            if len(picked) > 1:
                raise fault(
                    "wrong_size",
                    say("{seat:who} {seat:picks|pick} one card, not {count}", seat=seat, count=len(picked)),
                    f"won[{seat}]",
                )
            size = RULES_DEALT[players] - len(picked)
            if len(hand) != size:
                when = say("after") if picked else say("before")
                message = say_many(
                    "{seat:who} {seat:has|have} {count} card; {when} {seat:its|your} pick a hand has {size}",
                    "{seat:who} {seat:has|have} {count} cards; {when} {seat:its|your} pick a hand has {size}",
                    len(hand),
                    seat=seat,
                    when=when,
                    size=size,
                )
                raise fault("wrong_size", message, f"hands[{seat}]")
        if self.picked[self.seat]:
            message = say(
                "{seat:who} {seat:is|are} to pick, but {seat:has|have} already picked {picked}",
                seat=self.seat,
                picked=self.picked[self.seat][0],
            )
            raise fault("conflict", message, "seat")
        return self


class PickView(AnyPosition, OfDeck, OfMatch):
    """What one player sees when picking a card before the first trick.

    The size of the hand determines the number of players.
    """

    stage: Literal["pick"]
    seat: Seat
    leader: Seat
    hand: Cards
    removed: Cards = ()

    inferred: ClassVar[frozenset[str]] = frozenset({"stage", "hand"})

    @property
    def players(self) -> int:
        return next(players for players, size in RULES_DEALT.items() if size == len(self.hand))

    @property
    def hand_mask(self) -> int:
        return mask(cards_at(self.full_deck, self.hand, "hand"))

    @property
    def unseen(self) -> int:
        """The mask of the cards in the other hands."""
        return (1 << CARDS) - 1 & ~(self.hand_mask | mask(cards_at(self.full_deck, self.removed, "removed")))

    @property
    def seat_to_move(self) -> int:
        return self.seat

    @model_validator(mode="after")
    def _check(self) -> Self:
        deck = self.full_deck
        hand, removed = cards_at(deck, self.hand, "hand"), cards_at(deck, self.removed, "removed")
        refuse_doubles([*places("hand", hand), *places("removed", removed)], deck.code)
        if len(self.hand) not in RULES_DEALT.values():
            sizes = one_after_another(
                say("{size} of {players} players", size=size, players=players)
                for players, size in RULES_DEALT.items()
            )
            raise fault(
                "wrong_size",
                say(
                    "a hand before the pick has {sizes}; this one has {count}",
                    sizes=sizes,
                    count=len(self.hand),
                ),
                "hand",
            )
        check_removed(self.removed, self.players)
        self.check_match(self.players)
        check_seat(self.seat, self.players, "seat")
        check_seat(self.leader, self.players, "leader")
        return self


def check_removed(removed: Cards, players: int, *, optional: bool = False) -> None:
    """Raise a fault unless the number of removed cards fits the number of players."""
    if len(removed) != REMOVED[players] and (removed or not optional):
        message = say(
            "with {players} players {removed} cards are removed, not {count}",
            players=players,
            removed=REMOVED[players],
            count=len(removed),
        )
        raise fault("wrong_size", message, "removed")


def finished_tricks(deck: Deck, history: Iterable[FinishedTrick]) -> tuple[TakenTrick, ...]:
    """Read the tricks of a history. Raises a fault for a text that is not a card."""
    tricks = []
    for index, trick in enumerate(history):
        path = f"history[{index}]"
        plays = plays_at(deck, trick.cards, f"{path}.cards")
        more = cards_at(deck, trick.also_given or (), f"{path}.also_given")
        taking = taking_at(deck, trick.taken, trick.given, path)._replace(more=more, to=trick.given_to)
        tricks.append(TakenTrick(trick.leader, plays, f"{path}.cards", taking))
    return tuple(tricks)


def taking_at(deck: Deck, taken: Sequence[str], given: str | None, path: str) -> Taking:
    """What the winner of a trick took and gave. Raises a fault for a text that is not a card."""
    gift = None if given is None else card_at(deck, given, f"{path}.given")
    return Taking(cards_at(deck, taken, f"{path}.taken"), gift)


AsPlayed = Annotated[Cards | None, AfterValidator(lambda cards: cards or None)]  # an empty list equals none


class _Round(AnyPosition, OfDeck, RoundParts[Play, KingRules]):
    """Base of the positions and views of a round."""

    leader: Seat
    trick: TrickCards = ()
    removed: Annotated[Cards, Field(max_length=max(REMOVED.values()))] = ()
    as_played: AsPlayed = None

    @property
    def whole_hand(self) -> int:
        return TRICKS[self.players]

    @property
    def all_cards(self) -> int:
        return (1 << CARDS) - 1

    @cached_property
    def plays(self) -> tuple[Play, ...]:
        return plays_at(self.full_deck, self.trick, "trick")

    @property
    def start(self) -> Seen:
        leader = self.history[0].leader if self.history else self.leader
        as_played = mask(cards_at(self.full_deck, self.as_played or (), "as_played"))
        return Past(KingRules(self.full_deck, self.players, as_played), leader, (0,) * self.players)

    @property
    def trick_is_full(self) -> bool:
        """Whether the trick is complete, so that the next move is its winner's taking."""
        return len(self.trick) == self.players

    @property
    def seat_to_move(self) -> int:
        """The seat that plays the next card or, for a full trick, its winner."""
        if not self.trick_is_full:
            return super().seat_to_move
        return (self.leader + winner(self.full_deck, self.plays)) % self.players

    @property
    def on_table(self) -> dict[str, object] | None:
        """The seat `bottom` that gets a card of a full trick; None before the trick is full, or if nobody does."""
        place = bottom(self.full_deck, self.plays) if self.trick_is_full else None
        return None if place is None else {"bottom": (self.leader + place) % self.players}

    def _check_current_trick(self) -> None:
        """Raise a fault if the leader or the trick does not fit the number of players."""
        check_seat(self.leader, self.players, "leader")
        if len(self.trick) > self.players:
            raise fault("wrong_size", say("a trick has at most {players} cards", players=self.players), "trick")

    def _refuse_doubles(self, where: Iterable[tuple[str, int]], won: Iterable[Iterable[int]]) -> None:
        """Raise a fault for a card that occurs twice.

        `where` has cards with their paths; the cards of the trick and the removed ones are added to it. No card
        may occur twice among these and the piles `won`, nor among these and the history.
        """
        deck = self.full_deck
        everywhere = [*where, *places("trick", (play.card for play in self.plays))]
        everywhere += places("removed", cards_at(deck, self.removed, "removed"))
        refuse_doubles([*everywhere, *spread("won", won)], deck.code)
        for trick in self.tricks:
            everywhere += places(trick.path, (play.card for play in trick.plays))
        refuse_doubles(everywhere, deck.code)


class KnownPosition(_Round):
    """A round with every card known, at any point after the picks.

    `won` may be left out or incomplete; cards that are not listed are out of play. `history` has all finished
    tricks, starting with the first; it is needed only for making views.
    """

    hands: Hands
    won: Piles = ()
    history: History | None = None

    too_many: ClassVar[str] = "a hand has at most {count} cards once one is picked"
    inferred: ClassVar[frozenset[str]] = frozenset({"leader", "hands"})

    @property
    def players(self) -> int:
        return len(self.hands)

    @property
    def is_fresh(self) -> bool:
        placed = sum(map(len, (*self.hands, *self.won))) + len(self.trick)
        return placed == CARDS - REMOVED[self.players] and all(len(pile) == 1 for pile in self.won)

    @cached_property
    def tricks(self) -> tuple[TakenTrick, ...]:
        return finished_tricks(self.full_deck, self.history or ())

    @cached_property
    def held(self) -> tuple[tuple[int, ...], ...]:
        return piles_at(self.full_deck, self.hands, "hands")

    @cached_property
    def state(self) -> State:
        return State(self.full_deck, self.hand_masks, self.leader, self.plays, self.piles)

    @cached_property
    def piles_told(self) -> tuple[tuple[int, ...], ...]:
        """The cards of the field `won`, in the order listed."""
        return piles_at(self.full_deck, self.won, "won")

    @cached_property
    def piles(self) -> Masks:
        """The cards that each seat has won, as masks: those in `won`, and those of the `history`."""
        won = self.piles_told or ((),) * self.players
        return tuple(mask(pile) | gained for pile, gained in zip(won, self.past.won, strict=True))

    @model_validator(mode="after")
    def _check(self) -> Self:
        self._check_current_trick()
        if self.won:
            check_entries(self.won, self.players, "won")
        all_of(lambda: self.held, lambda: self.piles_told, lambda: self.tricks)
        hands, won = self.held, self.piles_told
        all_of(
            lambda: self._refuse_doubles(spread("hands", hands), won),
            lambda: check_removed(self.removed, self.players, optional=True),
            self.check_sizes,
            then=[
                lambda: None if self.history is None else check_won(self.past, won, complete=False),
                self.check_hands,
            ],
        )
        return self


class View(_Round, OfMatch):
    """What one player sees during the round.

    `won` has all piles, including the cards picked before the first trick; `history` shows who leads, and who
    could not follow.
    """

    seat: Seat
    hand: Cards
    won: Hands
    history: History = ()

    inferred: ClassVar[frozenset[str]] = frozenset({"leader", "hand", "won"})

    @property
    def players(self) -> int:
        return len(self.won)

    @cached_property
    def tricks(self) -> tuple[TakenTrick, ...]:
        return finished_tricks(self.full_deck, self.history)

    @cached_property
    def piles(self) -> Masks:
        """The cards that each seat has won, as masks."""
        return tuple(mask(pile) for pile in piles_at(self.full_deck, self.won, "won"))

    @cached_property
    def held(self) -> tuple[tuple[int, ...] | None, ...]:
        own = cards_at(self.full_deck, self.hand, "hand")
        return tuple(own if seat == self.seat else None for seat in range(self.players))

    @property
    def seen_elsewhere(self) -> int:
        elsewhere = mask(cards_at(self.full_deck, self.removed, "removed"))
        for pile in self.piles:
            elsewhere |= pile
        return elsewhere

    @model_validator(mode="after")
    def _check(self) -> Self:
        self._check_current_trick()
        check_seat(self.seat, self.players, "seat")
        deck = self.full_deck
        all_of(
            lambda: cards_at(deck, self.removed, "removed"),
            lambda: self.held,
            lambda: self.plays,
            lambda: piles_at(deck, self.won, "won"),
        )
        hand, won = cards_at(deck, self.hand, "hand"), piles_at(deck, self.won, "won")
        all_of(
            lambda: self._refuse_doubles(places("hand", hand), won),
            self.check_put_away,
            lambda: self.check_match(self.players),
            lambda: self.check_tricks(len(self.history) + bool(self.trick)),
            self.check_sizes,
            then=[lambda: self.check_piles(won), self.check_hands],
        )
        return self

    def check_put_away(self) -> None:
        """Raise a fault if the number of removed cards is wrong."""
        check_removed(self.removed, self.players)

    def check_piles(self, won: Sequence[Sequence[int]]) -> None:
        """Raise a fault unless each pile has exactly the cards won in the tricks and one picked card."""
        check_won(self.past, won, complete=True)


Void = Annotated[str, Field(strict=True, min_length=1, max_length=20, examples=["F"])]
VoidSeat = Literal["0", "1", "2", "3", "4"]


class Remembered(View):
    """What one player remembers of a round: the hand, the table, and anything else known.

    `history` has the last tricks, as many as are remembered. `won` has the cards that are known to be in a pile;
    the player's own pile counts as complete. `removed` may be left out. `gone` has cards that are out of
    the hands, in whatever pile; `voids` has the suits (their letters, and T for trumps) and cards that a seat is
    known not to hold.
    """

    gone: Cards
    voids: Annotated[
        dict[VoidSeat, Annotated[tuple[Void, ...], Field(max_length=CARDS)]],
        Field(max_length=_MOST),
        OrText("2:F/3:W,T"),
    ] = {}

    def void_cards(self, text: str) -> int:
        return self._voids_known[text if text in self._voids_known else text.upper()]

    @property
    def _voids_known(self) -> Mapping[str, int]:
        """The possible entries of `voids`, each with the mask of the cards that it stands for."""
        deck = self.full_deck
        suits = dict(zip((*deck.suits, TRUMPS), deck.of_suit, strict=False))
        return suits | {code: 1 << card for code, card in deck.index.items()}

    @property
    def seen_elsewhere(self) -> int:
        return super().seen_elsewhere | mask(cards_at(self.full_deck, self.gone, "gone"))

    def check_put_away(self) -> None:
        check_removed(self.removed, self.players, optional=True)
        suits = " ".join((*self.full_deck.suits, TRUMPS))
        refuse(
            Fault(
                "illegal_card",
                say("{text!r} is neither a suit ({suits}) nor a card of the deck", text=text, suits=suits),
                f"voids.{seat}[{index}]",
            )
            for seat, texts in self.voids.items()
            for index, text in enumerate(texts)
            if not self._voids_known.keys() & {text, text.upper()}
        )
        refuse(
            Fault("out_of_range", no_seat(int(seat), self.players), f"voids.{seat}")
            for seat in self.voids
            if int(seat) >= self.players
        )

    def _refuse_doubles(self, where: Iterable[tuple[str, int]], won: Iterable[Iterable[int]]) -> None:
        super()._refuse_doubles([*where, *places("gone", cards_at(self.full_deck, self.gone, "gone"))], won)

    def check_piles(self, won: Sequence[Sequence[int]]) -> None:
        check_gains(self.past, won)


# ----------------------------------------------------------------------------------------------------
# Types of answers: values are the points of a round.


class KingMove(ScoreMove):
    """A possible play or taking, and the final points that it leads to."""


class KingAnalysis(ScoreAnalysis):
    """The value of a round with every card known: the points of `player`, or under `maxn` of each seat.

    Points include the cards won and the best compounding.
    """

    moves: tuple[KingMove, ...]


# ----------------------------------------------------------------------------------------------------
# The kinds of King × Alchemy's positions, distinguished by their keys.


_TAGS = {
    KnownPosition: "all-known",
    PickPosition: "all-known before",
    View: "seen",
    Remembered: "in part",
    PickView: "seen before",
}


def _kind(data: Any) -> str:
    """The tag of a position's type, found from its keys."""
    if isinstance(data, BaseModel):
        return _TAGS.get(type(data), "a set of cards")
    if not isinstance(data, Mapping):
        return "all-known"
    if "cards" in data:
        return "a set of cards"
    if "gone" in data and "hand" in data:  # put there by the notation if not all tricks are given
        return "in part"
    kind = "seen" if "hand" in data else "all-known"
    return f"{kind} before" if "stage" in data else kind


Position = Annotated[
    Annotated[KnownPosition, Tag("all-known")]
    | Annotated[PickPosition, Tag("all-known before")]
    | Annotated[View, Tag("seen")]
    | Annotated[Remembered, Tag("in part")]
    | Annotated[PickView, Tag("seen before")]
    | Annotated[CardSet, Tag("a set of cards")],
    Discriminator(_kind),
]
