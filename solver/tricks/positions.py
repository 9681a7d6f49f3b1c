"""Base classes for positions and views of trick games: the seat to move, the past, and checks of hands.

These are mixins: a game's models declare the fields, in the order that users see, and implement the abstract
properties. The past is computed from the history once, when the position is read or checked, and kept.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence, Sized
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from itertools import combinations
from typing import TYPE_CHECKING, Any, ClassVar, Generic, NamedTuple, Protocol, Self, TypeVar

from pydantic import BaseModel, ConfigDict, GetJsonSchemaHandler
from pydantic.json_schema import JsonSchemaValue
from pydantic_core import CoreSchema, PydanticCustomError

from solver.common import mask, members, one_after_another, seats_named
from solver.errors import Fault
from solver.language import say, say_many
from solver.tricks.rules import CardRules, CardRulesT, Masks, Trick, TrickRules
from solver.validation import all_of, fault, refusal, refuse

# ----------------------------------------------------------------------------------------------------
# What the cards played so far show: leaders, piles, and the cards that a seat cannot have held.
#
# A player who does not follow shows that it held no card that could (`TrickRules.excluded`); so does one who leads
# what may not be led beside other cards. If it plays such a card later, the two plays contradict each other.


P = TypeVar("P")
R = TypeVar("R", bound=TrickRules[Any])


class ShowOut(NamedTuple, Generic[P, R]):
    """A play that shows that `seat` held no card of the mask `excluded`: it did not follow `lead`.

    `lead` is None if the play was a lead, from a hand with none of the cards that the rules allow to be led.
    `rules` were in force at the time; `path` is the place of the play in the position.
    """

    seat: int
    play: P
    lead: P | None
    excluded: int
    rules: R
    path: str

    @property
    def text(self) -> str:
        """The play, and what it did not follow, as text."""
        if self.lead is None:
            return self.rules.play_text(self.play)
        return say("{play} to {lead}", play=self.rules.play_text(self.play), lead=self.rules.lead_text(self.lead))


@dataclass(frozen=True, slots=True)
class Past(Generic[P, R]):
    """What is known after some tricks.

    `rules` are the rules now in force, and `leader` is the seat that leads the current trick. `won` has masks of
    the cards that each seat won in tricks, `discarded` the mask of the cards played that nobody won. `show_outs`
    are the plays that show what a hand lacked.
    """

    rules: R
    leader: int
    won: Masks
    discarded: int = 0
    show_outs: tuple[ShowOut[P, R], ...] = ()

    def excluded(self, seat: int) -> int:
        """The mask of the cards that `seat` cannot hold, given its plays."""
        cards = 0
        for show_out in self.show_outs:
            if show_out.seat == seat:
                cards |= show_out.excluded
        return cards

    def check_may_hold(self, seat: int, cards: Iterable[int], where: Callable[[], str]) -> None:
        """Raise a fault if `seat` has a card that it should have played earlier.

        `where` returns where the cards are, for the message.
        """
        for card in cards:
            for show_out in self.show_outs:
                if show_out.seat == seat and show_out.excluded >> card & 1:
                    rules = show_out.rules
                    play = show_out.text
                    if rules.in_force:
                        play = say("{play} ({rule})", play=play, rule=rules.in_force)
                    named = {"seat": seat, "play": play, "card": rules.name(card), "where": where()}
                    if show_out.lead is None:
                        message = say("{seat:who} could not lead {play}: {card} {where} could be led", **named)
                    else:
                        message = rules.duty(show_out.lead, **named)
                    raise fault("illegal_play", message, show_out.path)

    def with_plays(self, trick: Trick[P]) -> Past[P, R]:
        """Add what a trick's plays show about the hands. Raises a fault if they contradict earlier plays.

        A play against the rules (`TrickRules.as_played`) shows nothing, and what it contradicts of the seat's
        earlier plays is dropped.
        """
        show_outs = list(self.show_outs)
        for turn, (seat, play, path) in enumerate(trick.by_seat(self.rules.players)):
            card = self.rules.card(play)
            if self.rules.as_played >> card & 1:
                show_outs = [out for out in show_outs if out.seat != seat or not out.excluded >> card & 1]
                continue
            if any(out.seat == seat and out.excluded >> card & 1 for out in show_outs):
                replace(self, show_outs=tuple(show_outs)).check_may_hold(seat, [card], partial(_later, path))
            excluded = self.rules.excluded(trick.plays[:turn], play)
            if excluded:
                lead = trick.plays[0] if turn else None
                show_outs.append(ShowOut(seat, play, lead, excluded, self.rules, path))
        return Past(self.rules, self.leader, self.won, self.discarded, tuple(show_outs))

    def after(self, trick: Trick[P]) -> Past[P, R]:
        """The past after a full trick. Raises a fault if its plays or its end are illegal."""
        leader, gains, rules = self.rules.finish(trick)
        won = list(self.won)
        discarded = self.discarded | mask(map(self.rules.card, trick.plays))
        for seat, cards in gains:
            won[seat] |= cards
            discarded &= ~cards
        return Past(rules, leader, tuple(won), discarded, self.show_outs)


def _later(path: str) -> str:
    return say("(later {path})", path=path)


def _in_list(path: str) -> str:
    return say("in {path}", path=path)


@dataclass
class Replay(Generic[P, R]):
    """Finished tricks, replayed one after another.

    `past` is what is known after the `tricks`, `start` what was known before them. `fault` is what is wrong with
    the first illegal trick, None if all are legal.
    """

    start: Past[P, R]
    past: Past[P, R]
    tricks: list[Trick[P]] = field(default_factory=list)
    fault: PydanticCustomError | None = None

    def add(self, trick: Trick[P]) -> bool:
        """Replay a trick, and return whether another can follow.

        At fault are a trick of the wrong size, a leader who did not win the trick before, a card that had to be
        played earlier, and whatever `TrickRules.finish` rejects. Only after a wrong leader, the replay goes on.
        """
        self.tricks.append(trick)
        past, players = self.past, self.past.rules.players
        try:
            if len(trick.plays) != players:
                message = say("a trick has {players} cards, not {count}", players=players, count=len(trick.plays))
                raise fault("wrong_size", message, trick.path)
            if trick.leader != past.leader:
                message = say(
                    "{leader:who} {leader:leads|lead} trick {index}, not {leader_2:who}",
                    leader=past.leader,
                    index=len(self.tricks),
                    leader_2=trick.leader,
                )
                self._note(fault("conflict", message, f"{trick.whole_path}.leader"))
            self.past = past.with_plays(trick).after(trick)
        except PydanticCustomError as error:
            self._note(error.with_traceback(None))
            return False
        return True

    def _note(self, error: PydanticCustomError) -> None:
        self.fault = self.fault or error

    def is_of(self, start: Past[P, R], history: Sequence[CardTrick]) -> bool:
        """Whether these are the tricks of a model's `history`, up to any illegal one, replayed from `start` on."""
        leaders = [trick.leader for trick in self.tricks]
        stopped = self.fault is not None or len(leaders) == len(history)
        return stopped and start == self.start and leaders == [trick.leader for trick in history[: len(leaders)]]

    @property
    def end(self) -> Past[P, R]:
        """The past after all tricks. Raises the fault of an illegal one."""
        if self.fault is not None:
            raise self.fault
        return self.past


def replay(start: Past[P, R], tricks: Iterable[Trick[P]]) -> Replay[P, R]:
    """Replay some finished tricks after `start`, up to an illegal one."""
    replayed = Replay(start, start)
    for trick in tricks:
        if not replayed.add(trick):
            break
    return replayed


def contradictions(
    past: Past[P, R], given: Mapping[str, Any], *, besides: int = 0, complete: bool = False
) -> Iterator[Fault]:
    """Compare what a user gives besides the tricks with what these lead to, key by key.

    `past` is what they lead to. `given` may have `leader`, what the rules are (`TrickRules.fields`), and `won`:
    for each seat the texts of its pile. The cards of the mask `besides` may be in any pile. If `complete`, no card
    that was won may be missing. A wrong leader or rule is the only fault: the piles are then wrong for it, too.
    """
    rules = past.rules
    if given.get("leader", past.leader) != past.leader:
        message = say(
            "according to the history, {leader:who} {leader:leads|lead} now, not {leader_2:who}",
            leader=past.leader,
            leader_2=given["leader"],
        )
        yield Fault("conflict", message, "leader")
        return
    for key, right in rules.fields.items():
        if given.get(key, right) != right:
            message = say(
                "according to the history, the {key} is {right}, not {given}",
                key=key,
                right=right,
                given=given[key],
            )
            yield Fault("conflict", message, key)
            return
    wrong, missing = [], []
    for seat, (pile, cards) in enumerate(zip(given.get("won", ()), past.won, strict=False)):
        possible = {rules.name(card) for card in members(cards | besides)} if pile else set()
        for index, text in enumerate(pile):
            if text not in possible:
                message = say(
                    "according to the history, {seat:who} {seat:has|have} not won {name}", seat=seat, name=text
                )
                wrong.append(Fault("conflict", message, f"won[{seat}][{index}]"))
        held = map(rules.name, rules.members(cards)) if complete else ()
        if lacks := " ".join(name for name in held if name not in pile):
            message = say(
                "according to the history, {seat:who} {seat:has|have} also won {listed}", seat=seat, listed=lacks
            )
            missing.append(Fault("missing_card", message, f"won[{seat}]"))
    yield from wrong or missing  # a card in a wrong pile is missing in another


def check_deal_exists(past: Past[P, R], unseen: int, counts: Mapping[int, int]) -> None:
    """Raise a fault unless the unseen cards can be dealt so that they agree with the plays.

    `unseen` is a mask, `counts` has the size of each hidden hand by seat; cards left over are in no hand. By
    Hall's theorem a deal exists when every group of hands is allowed at least as many cards as it holds. The
    fault names a group for which that fails.
    """
    may_hold = {seat: unseen & ~past.excluded(seat) for seat in counts}
    for group, wanted, allowed in lacking(may_hold, counts):
        reasons = [play for play in past.show_outs if play.seat in group and play.excluded & unseen]
        raise fault(
            "conflict",
            say_many(
                "no deal agrees with this: {seats} must hold {count} card, but after these plays only "
                "these unseen cards can be there: {cards}; the plays: {plays}",
                "no deal agrees with this: {seats} must hold {count} cards, but after these plays only "
                "these unseen cards can be there: {cards}; the plays: {plays}",
                wanted,
                seats=seats_named(group),
                cards=" ".join(map(past.rules.name, past.rules.members(allowed))) or say("none"),
                plays=one_after_another(f"{play.text} ({play.path})" for play in reasons),
            ),
            "trick" if all(play.path.startswith("trick") for play in reasons) else "history",
        )


def lacking(may_hold: Mapping[int, int], counts: Mapping[int, int]) -> Iterator[tuple[tuple[int, ...], int, int]]:
    """Yield each group of hands that must hold more cards than are allowed in it.

    `may_hold` has the mask of the cards allowed in each hand, `counts` its size. A group is given by its seats,
    the number of cards it must hold, and the mask of the cards allowed in it.
    """
    for size in range(1, len(counts) + 1):
        for group in combinations(counts, size):
            allowed, wanted = 0, sum(counts[seat] for seat in group)
            for seat in group:
                allowed |= may_hold[seat]
            if allowed.bit_count() < wanted:
                yield group, wanted, allowed


# Messages about a hand of the wrong size, by whether the history implies the size, and whether a card is on the
# table.
_HOLDS = {
    (True, False): (
        "{seat:who} {seat:has|have} {count} card; according to the history {seat:it|you} should have {usual}",
        "{seat:who} {seat:has|have} {count} cards; according to the history {seat:it|you} should have {usual}",
    ),
    (True, True): (
        "{seat:who} {seat:has|have} {count} card; according to the history {seat:it|you} should have {usual}, "
        "with one of {seat:its|your} cards on the table",
        "{seat:who} {seat:has|have} {count} cards; according to the history {seat:it|you} should have {usual}, "
        "with one of {seat:its|your} cards on the table",
    ),
    (False, False): (
        "{seat:who} {seat:has|have} {count} card; judging by the other hands {seat:it|you} should have {usual}",
        "{seat:who} {seat:has|have} {count} cards; judging by the other hands {seat:it|you} should have {usual}",
    ),
    (False, True): (
        "{seat:who} {seat:has|have} {count} card; judging by the other hands {seat:it|you} should have {usual}, "
        "with one of {seat:its|your} cards on the table",
        "{seat:who} {seat:has|have} {count} cards; judging by the other hands {seat:it|you} should have {usual}, "
        "with one of {seat:its|your} cards on the table",
    ),
}


class RoundParts(ABC, Generic[P, R]):
    """Base of what somebody knows of a round: a position with every card known, a view, or half a memory.

    The model has the fields `leader` and `trick` (texts of cards). If every card is known, `hands` has the hands
    of all seats; otherwise the other hands are missing, and `seat` and `hand` are the player's. The view of a
    player who doesn't remember everything has `gone`, cards known to have left the hands, in whatever pile, and
    `voids`, entries for the cards that a seat is known not to hold. `history` is None if it is not given.
    """

    if TYPE_CHECKING:

        @property
        def leader(self) -> int: ...
        @property
        def trick(self) -> tuple[str, ...]: ...
        @property
        def seat(self) -> int: ...
        @property
        def hand(self) -> Sequence[str]: ...
        @property
        def hands(self) -> Sequence[Sequence[str]]: ...
        @property
        def voids(self) -> Mapping[Any, Sequence[str]]: ...
        @property
        def history(self) -> tuple[Any, ...] | None: ...

    set_aside: ClassVar[int] = 0  # cards that the others keep hidden besides their hands

    @property
    def too_many(self) -> str:
        """What is wrong with a hand of more cards than there are tricks."""
        return say("a hand has at most {count} cards", count=self.whole_hand)

    @property
    @abstractmethod
    def players(self) -> int:
        """The number of seats."""

    @property
    @abstractmethod
    def whole_hand(self) -> int:
        """The number of cards in a hand before the first trick, which is the number of tricks of a round."""

    @property
    @abstractmethod
    def tricks(self) -> Sequence[Trick[P]]:
        """The finished tricks given, a cached property. Raises a fault for a text that is not a play."""

    @property
    @abstractmethod
    def start(self) -> Past[P, R]:
        """The past before the first of `tricks`.

        Its leader is the leader of the first trick or, if there is none, of the current one.
        """

    @cached_property
    def replay(self) -> Replay[P, R]:
        """The replay of `tricks`."""
        return replay(self.start, self.tricks)

    def keep(self, replays: Sequence[Replay[P, R]]) -> None:
        """Keep that one of the replays made while the history was read which begins as this position does."""
        for replay in replays:
            if self.history and replay.is_of(self.start, self.history):
                vars(self)["replay"] = replay
                if replay.fault is None:
                    vars(self)["tricks"] = tuple(replay.tricks)

    @property
    @abstractmethod
    def plays(self) -> tuple[P, ...]:
        """The plays of the current trick. Raises a fault for a text that is not a play."""

    @property
    @abstractmethod
    def held(self) -> Sequence[tuple[int, ...] | None]:
        """The cards of each hand, in the order listed; None for a hidden hand."""

    @property
    @abstractmethod
    def all_cards(self) -> int:
        """The mask of all cards of the deck."""

    @property
    def viewer(self) -> int | None:
        """The seat whose view this is; None if every card is known."""
        return None if getattr(self, "hands", None) else self.seat

    @property
    def in_part(self) -> bool:
        """Whether this is the view of a player who does not remember everything."""
        return getattr(self, "gone", None) is not None

    @cached_property
    def hand_masks(self) -> Masks:
        """Each hand as a mask; 0 for a hidden one."""
        return tuple(mask(hand or ()) for hand in self.held)

    @property
    def hand_mask(self) -> int:
        """The player's hand, as a mask; 0 if every card is known."""
        return 0 if self.viewer is None else self.hand_masks[self.viewer]

    @property
    def current_trick(self) -> Trick[P]:
        """The current, unfinished trick, which may be empty."""
        return Trick(self.leader, self.plays, "trick")

    @property
    def seat_to_move(self) -> int:
        """The seat that plays the next card."""
        return (self.leader + len(self.trick)) % self.players

    def has_played(self, seat: int) -> bool:
        """Whether `seat` has played to the current trick."""
        return (seat - self.leader) % self.players < len(self.trick)

    @property
    def is_fresh(self) -> bool:
        """Whether no trick is finished: hands are complete, except for the cards in the current trick."""
        return len(self.hands[0]) + self.has_played(0) == self.whole_hand

    @property
    def known_history(self) -> tuple[Any, ...] | None:
        """The finished tricks: an empty tuple before the first trick ends, None if they are unknown."""
        return () if self.history is None and self.is_fresh else self.history

    @cached_property
    def before_trick(self) -> Past[P, R]:
        """The past before the current trick.

        Raises a fault for an illegal trick, and for whatever else is given and contradicts the tricks.
        """
        if self.viewer is None and self.history is None:
            return self.start  # as stated: there are no tricks to contradict it
        past = self.replay.end
        refuse(contradictions(past, self.given_besides))
        return past

    @property
    def given_besides(self) -> Mapping[str, Any]:
        """What is given besides the tricks, to be compared with what they lead to (see `contradictions`)."""
        return {"leader": self.leader}

    @cached_property
    def past(self) -> Past[P, R]:
        """The past, including the current trick. Raises a fault if plays contradict each other."""
        return self.before_trick.with_plays(self.current_trick)

    # What a view's player knows of the other hands.

    @property
    def seen_elsewhere(self) -> int:
        """The mask of the cards that the player has seen outside its hand and the tricks."""
        return 0

    @cached_property
    def unseen(self) -> int:
        """The mask of the cards in the other hands or out of play."""
        past = self.past
        seen = self.hand_mask | mask(map(past.rules.card, self.plays)) | past.discarded | self.seen_elsewhere
        for pile in past.won:
            seen |= pile
        return self.all_cards & ~seen

    @property
    def over(self) -> int:
        """The number of finished tricks."""
        return self.whole_hand - len(self.hand) - self.has_played(self.seat) if self.in_part else len(self.tricks)

    def count(self, seat: int) -> int:
        """The number of cards that `seat` holds."""
        return self.whole_hand - self.over - self.has_played(seat)

    @property
    def _hidden(self) -> dict[int, int]:
        """The number of cards of each hidden hand, by seat."""
        return {seat: self.count(seat) for seat in range(self.players) if seat != self.viewer}

    @property
    def forgotten(self) -> int:
        """The number of cards that have left the hands and that the player does not remember."""
        return self.unseen.bit_count() - sum(self._hidden.values()) - self.set_aside if self.in_part else 0

    def void_cards(self, text: str) -> int:
        """The mask of the cards that an entry of `voids` stands for."""
        raise NotImplementedError

    def shown(self, seat: int) -> int:
        """The mask of the cards that `seat` cannot hold according to the remembered plays."""
        return self.past.excluded(seat)

    def excluded(self, seat: int) -> int:
        """The mask of the cards that `seat` cannot hold, as far as is known."""
        cards = self.shown(seat)
        for void in self.voids.get(str(seat), ()) if self.in_part else ():
            cards |= self.void_cards(void)
        return cards

    # Checks.

    def check_as_played(self, held: int) -> None:
        """Raise a fault for a card of the field `as_played` that is in `held`, a mask of cards not played yet."""
        rules = self.start.rules
        for card in rules.members(rules.as_played & held):
            message = say("{card} has not been played, so not against the rules either", card=rules.name(card))
            raise fault("conflict", message, "as_played")

    def check_tricks(self, tricks: int) -> None:
        """Raise a fault if `tricks`, the number finished or begun, is more than a round has."""
        most = self.whole_hand
        if tricks > most:
            message = say("a round has {whole_hand} tricks, not {tricks}", whole_hand=most, tricks=tricks)
            raise fault("wrong_size", message, "trick" if self.trick else "history")

    def check_sizes(self) -> None:
        """Raise a fault for a hand of the wrong size. A card played to the current trick counts as held.

        The right size follows from the history or, if that is not given, from the size of most hands.
        """
        if self.viewer is not None:
            return self._check_size()
        whole = [len(hand) + self.has_played(seat) for seat, hand in enumerate(self.hands)]
        if self.history is not None:
            usual = self.whole_hand - len(self.tricks)
        else:
            usual = max(max(whole, key=whole.count), len(self.trick) > 0)
        faults = []
        for seat, size in enumerate(whole):
            if size != usual:
                played = self.has_played(seat)
                singular, many = _HOLDS[self.history is not None, played]
                message = say_many(singular, many, size - played, seat=seat, usual=usual - played)
                faults.append(Fault("wrong_size", message, f"hands[{seat}]"))
        refuse(faults)
        if usual > self.whole_hand:
            raise fault("wrong_size", self.too_many, "hands[0]")
        return None

    def _check_size(self) -> None:
        size = self.count(self.seat)
        if len(self.hand) != size:
            message = say_many(
                "the hand has {count} card; after the cards played it should have {size}",
                "the hand has {count} cards; after the cards played it should have {size}",
                len(self.hand),
                size=size,
            )
            raise fault("wrong_size", message, "hand")

    def check_hands(self) -> None:
        """Raise a fault if a card in a hand should have been played earlier.

        In a view, also raises one if no deal of the unseen cards to the others agrees with what is known.
        """
        viewer = self.viewer
        self.check_as_played(sum(self.hand_masks) if viewer is None else self.hand_mask | self.unseen)

        def where(seat: int) -> str:
            return _in_list(f"hands[{seat}]") if viewer is None else say("in hand")

        past = self.past
        if past.show_outs:
            all_of(
                *(
                    partial(past.check_may_hold, seat, cards, partial(where, seat))
                    for seat, cards in enumerate(self.held)
                    if cards is not None
                )
            )
        if self.in_part:
            self._check_memory()
        elif viewer is not None:
            check_deal_exists(past, self.unseen, self._hidden)

    def _check_memory(self) -> None:
        """Raise a fault if `gone` has more cards than can have been played, or if no deal agrees with the view."""
        if self.forgotten < 0:
            message = say_many(
                "{count} trick is over: fewer cards are gone than these",
                "{count} tricks are over: fewer cards are gone than these",
                self.over,
            )
            raise fault("wrong_size", message, "gone")
        counts = self._hidden
        for group, wanted, allowed in lacking(
            {seat: self.unseen & ~self.excluded(seat) for seat in counts}, counts
        ):
            message = say_many(
                "no deal agrees with this: {seats} must hold {count} card, but only these can be there: {cards}",
                "no deal agrees with this: {seats} must hold {count} cards, but only these can be there: {cards}",
                wanted,
                seats=seats_named(group),
                cards=" ".join(map(self.past.rules.name, self.past.rules.members(allowed))) or say("none"),
            )
            raise fault("conflict", message, "voids" if self.voids else "history")


# ----------------------------------------------------------------------------------------------------
# Building blocks of every game's positions: strict models, cards and their places, seats, no card twice.
#
# A *place* is a path into the position, such as ``hands[2][4]``, with the card there: its text or its number,
# depending on the game.


C = TypeVar("C")
H = TypeVar("H", bound=Hashable)


class Model(BaseModel):
    """Base of positions and their parts: immutable, without undeclared keys.

    Values of `functools.cached_property` are kept with the object but are not part of its value: comparisons,
    copies with other fields and pickles ignore them.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    def model_copy(self, *, update: Mapping[str, Any] | None = None, deep: bool = False) -> Self:
        copied = super().model_copy(update=update, deep=deep)
        if update:
            for key in copied.__dict__.keys() - type(self).model_fields.keys():
                del copied.__dict__[key]
        return copied

    def __getstate__(self) -> dict[Any, Any]:
        fields = type(self).model_fields.keys()
        state = super().__getstate__()
        return state | {"__dict__": {key: value for key, value in self.__dict__.items() if key in fields}}

    @classmethod
    def __get_pydantic_json_schema__(cls, schema: CoreSchema, handler: GetJsonSchemaHandler) -> JsonSchemaValue:
        referred = handler(schema)
        for value in handler.resolve_ref_schema(referred).get("properties", {}).values():
            if value.get("default", "") is None and "'null'" not in str(value):
                del value["default"]  # that a key is missing is no value of it
        return referred


def places(key: str, cards: Iterable[C]) -> Iterator[tuple[str, C]]:
    """Pair each card of a list under `key` with its path, such as ``hand[3]``."""
    return ((f"{key}[{index}]", card) for index, card in enumerate(cards))


def spread(key: str, piles: Iterable[Iterable[C]]) -> Iterator[tuple[str, C]]:
    """Pair each card of several lists, one per seat, with its path under `key`, such as ``hands[2][4]``."""
    return (
        (f"{key}[{seat}][{index}]", card) for seat, pile in enumerate(piles) for index, card in enumerate(pile)
    )


def refuse_doubles(where: Iterable[tuple[str, H]], text: Callable[[H], str] = str) -> None:
    """Raise a fault for each card that has two paths, since every card is unique. `text` names a card."""
    first: dict[H, str] = {}
    faults = []
    for path, card in where:
        if card in first:
            faults.append(
                Fault(
                    "duplicate_card", say("{text} is in {first} already", text=text(card), first=first[card]), path
                )
            )
        else:
            first[card] = path
    refuse(faults)


def check_seat(seat: int, players: int, key: str) -> None:
    """Raise a fault for a seat that is too high for the number of players."""
    if seat >= players:
        raise fault("out_of_range", no_seat(seat, players), key)


def no_seat(seat: int, players: int) -> str:
    """Return the message that a seat does not exist."""
    return say("there is no seat {seat}; seats are 0 to {last}", seat=seat, last=players - 1)


def check_entries(piles: Sized, players: int, key: str) -> None:
    """Raise a fault unless `piles` has one entry per seat."""
    if len(piles) != players:
        message = say_many(
            "there are {players} players, but {key} has {count} entry",
            "there are {players} players, but {key} has {count} entries",
            len(piles),
            players=players,
            key=key,
        )
        raise fault("wrong_size", message, key)


def without(hands: Sequence[Sequence[str]], seat: int, card: str) -> tuple[Sequence[str], ...]:
    """The hands after `seat` has played a card."""
    return tuple(
        tuple(text for text in hand if text != card) if other == seat else hand for other, hand in enumerate(hands)
    )


def common_fields(one: BaseModel, other: type[BaseModel]) -> dict[str, Any]:
    """The values of the fields that both models have, except the history."""
    names = type(one).model_fields.keys() & other.model_fields.keys() - {"history"}
    return {name: getattr(one, name) for name in names}


# ----------------------------------------------------------------------------------------------------
# Mixins for the positions and views of games in which a play is a card (`solver.tricks.rules.CardRules`).
#
# A model declares the fields `leader`, `trick` and `history`, and either `hands` and `won` or `seat` and `hand`.
# Its `trick_rules` are those of the first trick that is given.


class CardTrick(Protocol):
    """A finished trick of a model's history."""

    @property
    def leader(self) -> int: ...
    @property
    def cards(self) -> tuple[str, ...]: ...


def cards_at(rules: CardRules, texts: Sequence[str], path: str) -> tuple[int, ...]:
    """The cards of a list at `path`. Raises a fault for each text that is not a card, with its path."""
    numbers = rules.numbers
    try:
        return tuple([numbers[text] for text in texts])
    except KeyError:
        raise refusal(
            Fault("illegal_card", rules.no_card(text), f"{path}[{index}]")
            for index, text in enumerate(texts)
            if text not in numbers
        ) from None


class CardRound(RoundParts[int, CardRulesT]):
    """Base of what somebody knows of a round of a game in which a play is a card."""

    if TYPE_CHECKING:
        finished_trick: ClassVar[type[BaseModel]]  # the model of a trick in the history

        @property
        def won(self) -> Sequence[Sequence[str]]: ...
        def model_copy(self, *, update: Mapping[str, Any]) -> Self: ...

    @property
    @abstractmethod
    def trick_rules(self) -> CardRulesT:
        """The rules in force now or, if finished tricks are given, in the first of these."""

    @property
    def about(self) -> list[tuple[str, str]]:
        """The game's own fields, as pairs of a label and a text."""
        return []

    @property
    def given_besides(self) -> Mapping[str, Any]:
        return {key: value for key, value in vars(self).items() if value is not None}

    def rules_in_fields(self, rules: CardRulesT) -> dict[str, object]:
        """The fields of this model that express `rules`."""
        return {key: value for key, value in rules.fields.items() if vars(self).get(key) is not None}

    @property
    def players(self) -> int:
        return self.trick_rules.players

    @property
    def whole_hand(self) -> int:
        return self.trick_rules.hand_size

    @property
    def all_cards(self) -> int:
        return self.trick_rules.all_cards

    @cached_property
    def plays(self) -> tuple[int, ...]:
        return cards_at(self.trick_rules, self.trick, "trick")

    @cached_property
    def tricks(self) -> tuple[Trick[int], ...]:
        return read_tricks(self.trick_rules, self.history or ())

    @cached_property
    def held(self) -> tuple[tuple[int, ...] | None, ...]:
        rules, viewer = self.trick_rules, self.viewer
        if viewer is None:
            return tuple(cards_at(rules, hand, f"hands[{seat}]") for seat, hand in enumerate(self.hands))
        own = cards_at(rules, self.hand, "hand")
        return tuple(own if seat == viewer else None for seat in range(self.players))

    @cached_property
    def piles_told(self) -> tuple[tuple[int, ...], ...]:
        """The cards of the field `won`, in the order listed; none if the model has no such field."""
        won: Sequence[Sequence[str]] = getattr(self, "won", None) or ()
        return tuple(cards_at(self.trick_rules, pile, f"won[{seat}]") for seat, pile in enumerate(won))

    @property
    def start(self) -> Past[int, CardRulesT]:
        leader = self.history[0].leader if self.history else self.leader
        nothing = (0,) * self.players
        as_stated = self.viewer is None and self.history is None and self.won
        return Past(self.trick_rules, leader, tuple(map(mask, self.piles_told)) if as_stated else nothing)

    @property
    def is_fresh(self) -> bool:
        return super().is_fresh and not any(self.won)

    @property
    def hand_to_move(self) -> int:
        """The hand of the seat to move, as a mask; empty in a view while another seat is to move."""
        return self.hand_masks[self.seat_to_move]

    @property
    def legal_cards(self) -> list[int]:
        """The cards that may be played, in canonical order.

        Empty when the round is over, and in a view while another seat is to move.
        """
        rules = self.past.rules
        return list(rules.members(rules.playable(self.hand_to_move, self.plays)))

    @property
    def played_places(self) -> Iterator[tuple[str, str]]:
        """The cards of the current trick, then those of the finished tricks, each with its path.

        Of a position without a history, the cards in `won` are listed instead of those of the finished tricks.
        """
        yield from places("trick", self.trick)
        if self.history or self.viewer is not None:
            yield from history_places(self.history or ())
        else:
            yield from spread("won", self.won)


def read_tricks(rules: CardRules, history: Sequence[CardTrick]) -> tuple[Trick[int], ...]:
    """Read the tricks of a history, with their paths. Raises a fault for a text that is not a card."""
    return tuple(
        Trick(trick.leader, cards_at(rules, trick.cards, path), path)
        for trick, path in ((trick, f"history[{index}].cards") for index, trick in enumerate(history))
    )


def history_places(history: Iterable[CardTrick]) -> Iterator[tuple[str, str]]:
    """Pair each card of finished tricks with its path."""
    for index, trick in enumerate(history):
        yield from places(f"history[{index}].cards", trick.cards)
