"""Positions and views of King × Alchemy as users send them, validated."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import Annotated, Any, Literal, Self

from pydantic import BaseModel, Discriminator, Field, Tag, model_validator

from solver.common.masks import mask
from solver.common.words import counted
from solver.games.king.cards.deck import CARDS, Deck
from solver.games.king.cards.rules import REMOVED, TRICKS, Masks, Play, State, Taking, winner
from solver.games.king.positions.fields import (
    Cards,
    DeckField,
    FinishedTrick,
    Hands,
    History,
    Model,
    Seat,
    TrickCards,
    card_at,
    cards_at,
    check_players,
    check_seat,
    deck_of,
    piles_at,
    places,
    plays_at,
    refuse_doubles,
    spread,
)
from solver.games.king.positions.history import (
    Finished,
    Past,
    Trick,
    check_deal_exists,
    check_won,
    replay,
    with_trick,
)
from solver.games.king.positions.picks import CardSet, PickPosition, PickView, check_removed
from solver.inputs.faults import fault


def finished_tricks(deck: Deck, history: Iterable[FinishedTrick]) -> list[Finished]:
    """The tricks of a history. Raises a fault for a text that is no card."""
    found = []
    for index, trick in enumerate(history):
        path = f"history[{index}]"
        plays = plays_at(deck, trick.cards, f"{path}.cards")
        given = None if trick.given is None else card_at(deck, trick.given, f"{path}.given")
        taking = Taking(cards_at(deck, trick.taken, f"{path}.taken"), given)
        found.append(Finished(Trick(trick.leader, plays, f"{path}.cards"), taking, path))
    return found


def _history_places(tricks: Iterable[Finished]) -> Iterator[tuple[str, int]]:
    for finished in tricks:
        yield from places(finished.trick.path, (play.card for play in finished.trick.plays))


class _Round(Model):
    """What a position and a view of a round share."""

    game: Literal["king"]
    deck: DeckField
    leader: Seat
    trick: TrickCards = ()
    removed: Annotated[Cards, Field(max_length=max(REMOVED.values()))] = ()

    @property
    def full_deck(self) -> Deck:
        """The deck that is played with."""
        return deck_of(self.deck)

    @property
    def players(self) -> int:
        raise NotImplementedError

    @property
    def plays(self) -> tuple[Play, ...]:
        """The trick on the table."""
        return plays_at(self.full_deck, self.trick, "trick")

    @property
    def seat_to_move(self) -> int:
        """The seat to play or, of a full trick, its winner, who is to take."""
        full = len(self.trick) == self.players
        place = winner(self.full_deck, self.plays) if full else len(self.trick)
        return (self.leader + place) % self.players

    def _table(self) -> Trick:
        return Trick(self.leader, self.plays, "trick")

    def _past(self, history: Iterable[FinishedTrick]) -> Past:
        """The past up to the trick on the table, whose leader must be the one that follows from it."""
        past = replay(self.full_deck, self.players, self.leader, finished_tricks(self.full_deck, history))
        if past.leader != self.leader:
            raise fault(
                "conflict", f"by the history seat {past.leader} leads now, not seat {self.leader}", "leader"
            )
        return with_trick(past, self._table())

    def _check_table(self) -> None:
        """The sizes that depend on the number of players."""
        check_seat(self.leader, self.players, "leader")
        if len(self.trick) > self.players:
            raise fault("wrong_size", f"a trick has at most {self.players} cards", "trick")

    def _played(self, seat: int) -> bool:
        """Whether a card of `seat` is in the trick on the table."""
        return (seat - self.leader) % self.players < len(self.trick)


class KnownPosition(_Round):
    """A round with every card known, at any card of any trick, or with a full trick whose winner is to take.

    `won` may be left out or incomplete; cards that are nowhere are out of play. `history`, the finished
    tricks from the first one on, is optional: only what a player has seen (a view) needs it.
    """

    hands: Hands
    won: tuple[Cards, ...] = ()
    history: History | None = None

    @property
    def players(self) -> int:
        return len(self.hands)

    @property
    def past(self) -> Past:
        """What the tricks tell: of the finished ones nothing, unless there is a `history`."""
        return self._past(self.history or ())

    @property
    def state(self) -> State:
        deck = self.full_deck
        hands = tuple(mask(hand) for hand in piles_at(deck, self.hands, "hands"))
        return State(deck, hands, self.leader, self.plays, self.piles)

    @property
    def piles(self) -> Masks:
        """The cards that each seat has won: those in `won`, and those of the `history`."""
        won = piles_at(self.full_deck, self.won, "won") or ((),) * self.players
        gained = self.past.gained
        return tuple(mask(pile) | gained[seat] for seat, pile in enumerate(won))

    @model_validator(mode="after")
    def _check(self) -> Self:
        deck = self.full_deck
        self._check_table()
        if self.won:
            check_players(self.won, self.players, "won")
        hands = piles_at(deck, self.hands, "hands")
        won = piles_at(deck, self.won, "won")
        tricks = finished_tricks(deck, self.history or ())
        where = [*spread("hands", hands), *places("trick", (play.card for play in self.plays))]
        where += places("removed", cards_at(deck, self.removed, "removed"))
        refuse_doubles(deck, [*where, *spread("won", won)])
        refuse_doubles(deck, [*where, *_history_places(tricks)])
        self._check_sizes()
        past = self.past
        if self.history is not None:
            check_won(past, won, complete=False)
        for seat, hand in enumerate(hands):
            past.shown(seat, hand, f"in hands[{seat}]")
        return self

    def _check_sizes(self) -> None:
        """Hands are equal but for the cards on the table; the hands' majority says what the size is."""
        check_removed(self.removed, self.players, optional=True)
        most = TRICKS[self.players]
        whole = [len(hand) + self._played(seat) for seat, hand in enumerate(self.hands)]
        if self.history is None:
            usual = max(Counter(whole).most_common(1)[0][0], len(self.trick) > 0)
        else:
            usual = most - len(self.history)
        for seat, size in enumerate(whole):
            played = self._played(seat)
            if size != usual:
                source = "the other hands" if self.history is None else "the history"
                held = counted(size - played, "card")
                message = f"seat {seat} has {held}; by {source} it holds {usual - played}"
                message += ", one of its cards being on the table" if played else ""
                raise fault("wrong_size", message, f"hands[{seat}]")
        if usual > most:
            raise fault("wrong_size", f"a hand has at most {most} cards once one is picked", "hands[0]")


class View(_Round):
    """What one player sees during the round.

    `won` has all piles, the cards picked before the first trick among them; `history` tells who leads, and who
    could not follow.
    """

    seat: Seat
    hand: Cards
    won: Hands
    history: History = ()

    @property
    def players(self) -> int:
        return len(self.won)

    @property
    def past(self) -> Past:
        """The finished tricks, and the refusals of these and of the trick on the table."""
        return self._past(self.history)

    @property
    def piles(self) -> Masks:
        """The cards that each seat has won."""
        return tuple(mask(pile) for pile in piles_at(self.full_deck, self.won, "won"))

    @property
    def hand_mask(self) -> int:
        return mask(cards_at(self.full_deck, self.hand, "hand"))

    @property
    def unseen(self) -> int:
        """The mask of the cards in the other hands."""
        seen = self.hand_mask | mask(cards_at(self.full_deck, self.removed, "removed"))
        for cards in (*self.piles, mask(play.card for play in self.plays), self.past.discarded):
            seen |= cards
        return (1 << CARDS) - 1 & ~seen

    def count(self, seat: int) -> int:
        """How many cards `seat` holds."""
        return TRICKS[self.players] - len(self.history) - self._played(seat)

    @model_validator(mode="after")
    def _check(self) -> Self:
        deck = self.full_deck
        self._check_table()
        check_seat(self.seat, self.players, "seat")
        removed = cards_at(deck, self.removed, "removed")
        where = [*places("hand", cards_at(deck, self.hand, "hand"))]
        where += places("trick", (play.card for play in self.plays))
        where += places("removed", removed)
        won = piles_at(deck, self.won, "won")
        refuse_doubles(deck, [*where, *spread("won", won)])
        refuse_doubles(deck, [*where, *_history_places(finished_tricks(deck, self.history))])
        self._check_sizes()
        past = self.past
        check_won(past, won, complete=True)
        past.shown(self.seat, cards_at(deck, self.hand, "hand"), "in hand")
        others = {seat: self.count(seat) for seat in range(self.players) if seat != self.seat}
        check_deal_exists(past, self.unseen, others)
        return self

    def _check_sizes(self) -> None:
        players = self.players
        check_removed(self.removed, players)
        tricks = len(self.history) + (len(self.trick) > 0)
        if tricks > TRICKS[players]:
            path = "trick" if self.trick else "history"
            raise fault("wrong_size", f"a round has {TRICKS[players]} tricks, not {tricks}", path)
        size = self.count(self.seat)
        if len(self.hand) != size:
            message = f"the hand has {counted(len(self.hand), 'card')}; after what was played it holds {size}"
            raise fault("wrong_size", message, "hand")


_TAGS = {KnownPosition: "all-known", PickPosition: "all-known before", View: "seen", PickView: "seen before"}


def _kind(data: Any) -> str:
    """Which kind a position is, by its keys."""
    if isinstance(data, BaseModel):
        return _TAGS.get(type(data), "a set of cards")
    if not isinstance(data, Mapping):
        return "all-known"
    if "cards" in data:
        return "a set of cards"
    seen = "seen" if "hand" in data else "all-known"
    return f"{seen} before" if "stage" in data else seen


Position = Annotated[
    Annotated[KnownPosition, Tag("all-known")]
    | Annotated[PickPosition, Tag("all-known before")]
    | Annotated[View, Tag("seen")]
    | Annotated[PickView, Tag("seen before")]
    | Annotated[CardSet, Tag("a set of cards")],
    Discriminator(_kind),
]
