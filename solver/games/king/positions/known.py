"""Positions and views of a round of King × Alchemy as users send them, validated."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property
from typing import Annotated, Any, ClassVar, Self

from pydantic import Field, model_validator

from solver.common.masks import mask
from solver.games.king.cards.deck import CARDS, Deck
from solver.games.king.cards.rules import REMOVED, TRICKS, Masks, Play, State, Taking, winner
from solver.games.king.positions.fields import (
    INSTEAD,
    Cards,
    FinishedTrick,
    Hands,
    History,
    OfDeck,
    Piles,
    Seat,
    TrickCards,
    card_at,
    cards_at,
    piles_at,
    plays_at,
)
from solver.games.king.positions.history import KingRules, Seen, TakenTrick, check_won
from solver.games.king.positions.picks import check_removed
from solver.inputs.faults import all_of, fault
from solver.positions import Shown
from solver.tricks.fields import check_entries, check_seat, places, refuse_doubles, spread
from solver.tricks.history import Past
from solver.tricks.match import OfMatch
from solver.tricks.positions import KnownParts, RoundParts, ViewParts


def finished_tricks(deck: Deck, history: Iterable[FinishedTrick]) -> tuple[TakenTrick, ...]:
    """The tricks of a history. Raises a fault for a text that is no card."""
    tricks = []
    for index, trick in enumerate(history):
        path = f"history[{index}]"
        plays = plays_at(deck, trick.cards, f"{path}.cards")
        given = None if trick.given is None else card_at(deck, trick.given, f"{path}.given")
        taking = Taking(cards_at(deck, trick.taken, f"{path}.taken"), given)
        tricks.append(TakenTrick(trick.leader, plays, f"{path}.cards", taking))
    return tuple(tricks)


class _Round(Shown, OfDeck, RoundParts[Play, KingRules]):
    """What a position and a view of a round share."""

    leader: Seat
    trick: TrickCards = ()
    removed: Annotated[Cards, Field(max_length=max(REMOVED.values()))] = ()

    @property
    def whole_hand(self) -> int:
        return TRICKS[self.players]

    @cached_property
    def plays(self) -> tuple[Play, ...]:
        return plays_at(self.full_deck, self.trick, "trick")

    @property
    def start(self) -> Seen:
        leader = self.tricks[0].leader if self.tricks else self.leader
        return Past(KingRules(self.full_deck, self.players), leader, (0,) * self.players)

    @property
    def trick_is_full(self) -> bool:
        """Whether the trick is complete, so that its winner is to take."""
        return len(self.trick) == self.players

    @property
    def seat_to_move(self) -> int:
        """The seat to play or, of a full trick, its winner, who is to take."""
        if not self.trick_is_full:
            return super().seat_to_move
        return (self.leader + winner(self.full_deck, self.plays)) % self.players

    def _check_current_trick(self) -> None:
        """The sizes that depend on the number of players."""
        check_seat(self.leader, self.players, "leader")
        if len(self.trick) > self.players:
            raise fault("wrong_size", f"a trick has at most {self.players} cards", "trick")

    def _refuse_doubles(self, where: Iterable[tuple[str, int]], won: Iterable[Iterable[int]]) -> None:
        """No card is twice among the places, the trick, the cards removed, and either the piles or the history."""
        deck = self.full_deck
        everywhere = [*where, *places("trick", (play.card for play in self.plays))]
        everywhere += places("removed", cards_at(deck, self.removed, "removed"))
        refuse_doubles([*everywhere, *spread("won", won)], deck.code)
        refuse_doubles([*everywhere, *self._history_places()], deck.code)

    def _history_places(self) -> Iterator[tuple[str, int]]:
        for trick in self.tricks:
            yield from places(trick.path, (play.card for play in trick.plays))


class KnownPosition(_Round, KnownParts[Play, KingRules]):
    """A round with every card known, at any card of any trick, or with a full trick whose winner is to take.

    `won` may be left out or incomplete; cards that are nowhere are out of play. `history`, the finished
    tricks from the first one on, is optional: only what a player has seen (a view) needs it.
    """

    hands: Hands
    won: Piles = ()
    history: History | None = None

    after_what: ClassVar[str] = " once one is picked"
    inferred: ClassVar[frozenset[str]] = frozenset({"leader", "hands"})
    instead: ClassVar[Mapping[str, Any]] = INSTEAD

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
    def piles(self) -> Masks:
        """The cards that each seat has won: those in `won`, and those of the `history`."""
        won = piles_at(self.full_deck, self.won, "won") or ((),) * self.players
        return tuple(mask(pile) | gained for pile, gained in zip(won, self.past.won, strict=True))

    @model_validator(mode="after")
    def _check(self) -> Self:
        self._check_current_trick()
        if self.won:
            check_entries(self.won, self.players, "won")
        deck = self.full_deck
        all_of(lambda: self.held, lambda: piles_at(deck, self.won, "won"), lambda: self.tricks)
        hands, won = self.held, piles_at(deck, self.won, "won")
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


class View(_Round, OfMatch, ViewParts[Play, KingRules]):
    """What one player sees during the round.

    `won` has all piles, the cards picked before the first trick among them; `history` tells who leads, and who
    could not follow.
    """

    seat: Seat
    hand: Cards
    won: Hands
    history: History = ()

    inferred: ClassVar[frozenset[str]] = frozenset({"leader", "hand", "won"})
    instead: ClassVar[Mapping[str, Any]] = INSTEAD

    @property
    def players(self) -> int:
        return len(self.won)

    @cached_property
    def tricks(self) -> tuple[TakenTrick, ...]:
        return finished_tricks(self.full_deck, self.history)

    @cached_property
    def piles(self) -> Masks:
        """The cards that each seat has won."""
        return tuple(mask(pile) for pile in piles_at(self.full_deck, self.won, "won"))

    @cached_property
    def cards_held(self) -> tuple[int, ...]:
        return cards_at(self.full_deck, self.hand, "hand")

    @property
    def all_cards(self) -> int:
        return (1 << CARDS) - 1

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
            lambda: self.cards_held,
            lambda: self.plays,
            lambda: piles_at(deck, self.won, "won"),
        )
        hand, won = self.cards_held, piles_at(deck, self.won, "won")
        all_of(
            lambda: self._refuse_doubles(places("hand", hand), won),
            lambda: check_removed(self.removed, self.players),
            lambda: self.check_match(self.players),
            self._check_tricks,
            self.check_size,
            then=[lambda: check_won(self.past, won, complete=True), self.check_hidden_hands],
        )
        return self

    def _check_tricks(self) -> None:
        tricks = len(self.history) + (len(self.trick) > 0)
        if tricks > self.whole_hand:
            path = "trick" if self.trick else "history"
            raise fault("wrong_size", f"a round has {self.whole_hand} tricks, not {tricks}", path)
